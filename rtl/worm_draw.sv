// Draw of a best-effort lane, each of a set alike: an LFSR that makes 26 steps with each draw, so that no bit is used twice.
// Rules YW4, YC4.
`default_nettype none

module worm_draw #(
    parameter int VLS = 16
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic           seed_we_i,
    input  wire logic [15:0]    seed_i,    // 0 is taken as 1
    input  wire logic [VLS-1:0] set_i,
    input  wire logic           takes_i,   // what is drawn is taken: the next draw has other bits
    output logic [VLS-1:0]      drawn_o,   // one-hot; 0 of the empty set
    output logic [15:0]         lfsr_o
);
  logic [15:0] stepped;

  lfsr_steps #(.STEPS(26)) u_steps (.x_i(lfsr_o), .x_o(stepped));
  draw_one #(.N(VLS)) u_draw (.set_i, .x_i(lfsr_o), .one_o(drawn_o));

  always_ff @(posedge clk_i) begin
    if (rst_i) lfsr_o <= 16'hACE1;
    else if (seed_we_i) lfsr_o <= (seed_i == '0) ? 16'd1 : seed_i;
    else if (takes_i) lfsr_o <= stepped;
  end
endmodule

`default_nettype wire
