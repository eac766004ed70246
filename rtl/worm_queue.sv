// Queue of a wormhole adapter, first in, first out: of any length, with the number of its entries. Who pushes sees to it that there is
// room. Rules YC1, YC4.
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
    output logic                  some_o,
    output logic [15:0]           count_o
);
  localparam int AW = (DEPTH > 1) ? $clog2(DEPTH) : 1;

  logic [AW:0] fill;
  logic        full, parity_err;

  word_fifo #(.DEPTH(1 << AW), .WIDTH(WIDTH)) u_fifo (
      .clk_i, .rst_i,
      .push_i, .data_i, .pop_i,
      .valid_o(some_o),
      .full_o(full),
      .fill_o(fill),
      .data_o,
      .parity_err_o(parity_err)
  );

  assign count_o = 16'(fill);

  wire unused = &{1'b0, full, parity_err};
endmodule

`default_nettype wire
