// Properties of the free blocks. Instantiated by block_pool under QUELL_CHECK.
`default_nettype none

module block_pool_checker #(
    parameter int BLOCKS = 2048,
    parameter int FREES = 8,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1
) (
    input wire logic                clk_i,
    input wire logic                rst_i,
    input wire logic                take_i,
    input wire logic [AW-1:0]       block_i,
    input wire logic [FREES-1:0]    free_i,
    input wire logic [FREES*AW-1:0] free_block_i,
    input wire logic [BLOCKS-1:0]   used_i
);
  logic            not_held, twice, returned;
  logic [AW-1:0]   taken_q;
  logic            take_q, past_ok_q;
  logic [BLOCKS-1:0] used_q;

  always_comb begin
    not_held = 1'b0;
    twice = 1'b0;
    returned = 1'b0;
    for (int f = 0; f < FREES; f++) begin
      if (free_i[f]) begin
        if (!used_i[free_block_i[f*AW +: AW]]) not_held = 1'b1;
        if (free_block_i[f*AW +: AW] == block_i) returned = 1'b1;
        for (int g = 0; g < f; g++)
          if (free_i[g] && free_block_i[g*AW +: AW] == free_block_i[f*AW +: AW]) twice = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    take_q <= take_i;
    taken_q <= block_i;
    used_q <= used_i;
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      // what the pool expects: blocks go back once, and only when they are out; none is taken of a full buffer
      b1_env_returned_is_out: assert (!not_held);
      b1_env_returned_once: assert (!twice);
      b1_env_taken_of_some: assert (!take_i || used_i != '1);
      // what it promises: the block on offer is free, and is out when it is taken
      b1_offer_is_free: assert (!take_i || !used_i[block_i]);
      b1_offer_is_not_returned: assert (!take_i || !returned);
      b1_taken_is_out: assert (!take_q || used_i[taken_q]);
      b1_taken_alone: assert (!take_q || !used_q[taken_q]);
      b1_c_all_out: cover (used_i == '1);
      b1_c_take_and_return: cover (take_i && free_i != '0 && used_q == '1);
    end
  end
endmodule

`default_nettype wire
