// Parity of a group of registers (PARITY = 1): a flip-flop takes the parity of what the registers take at the same
// edge; err_o is 1 while it and the parity of what they hold differ, so in the cycle after a flip of either. It is kept
// inverted, or synthesis would take it for a copy of the register of a group of one bit. Before the first clock edge
// err_o means nothing. docs/conventions.md.
`default_nettype none

module parity_group #(
    parameter int PARITY = 0
) (
    input  wire logic clk_i,
    input  wire logic next_i,  // parity of what the registers hold from the next edge on
    input  wire logic now_i,   // parity of what they hold
    output logic      err_o
);
  if (PARITY != 0) begin : g_parity
    logic parity_q;
    always_ff @(posedge clk_i) parity_q <= !next_i;
    assign err_o = parity_q == now_i;
  end else begin : g_none
    logic unused;
    assign unused = &{1'b0, clk_i, next_i, now_i};
    assign err_o = 1'b0;
  end
endmodule

`default_nettype wire
