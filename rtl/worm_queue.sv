// First in, first out, in a memory whose oldest entry is shown in the cycle. Who pushes sees to it that there is room. Rules YC1, YC4.
`default_nettype none

module worm_queue #(
    parameter int DEPTH = 16,
    parameter int WIDTH = 8
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             push_i,
    input  wire logic [WIDTH-1:0] data_i,
    input  wire logic             pop_i,    // only with entries
    output logic [WIDTH-1:0]      data_o,   // the oldest one; undefined without
    output logic [15:0]           count_o
);
  localparam int AW = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam int CW = $clog2(DEPTH + 1);

  logic [AW-1:0] head_q, tail_q;
  logic [CW-1:0] count_q;
  logic          parity_err;

  function automatic logic [AW-1:0] after(input logic [AW-1:0] p);
    after = (p == AW'(DEPTH - 1)) ? '0 : p + 1'b1;
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_i) {head_q, tail_q, count_q} <= '0;
    else begin
      if (pop_i) head_q <= after(head_q);
      if (push_i) tail_q <= after(tail_q);
      count_q <= count_q + CW'(push_i) - CW'(pop_i);
    end
  end

  ram_async #(.DEPTH(DEPTH), .WIDTH(WIDTH)) u_entries (
      .clk_i,
      .we_i(push_i),
      .waddr_i(tail_q),
      .wdata_i(data_i),
      .raddr_i(head_q),
      .rdata_o(data_o),
      .used_i(1'b0),
      .parity_err_o(parity_err)
  );

  assign count_o = 16'(count_q);

  wire unused = &{1'b0, parity_err};
endmodule

`default_nettype wire
