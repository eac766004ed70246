// The stop bits of up to 32 neighbouring flows: a flow is stopped when some list entry names its row and
// its place in the row. Rule H5; docs/hca.md section 2.
`default_nettype none

module stop_mask_slice #(
    parameter int LEN = 32,
    parameter int ENTRIES = 72,
    parameter int PARITY = 0
) (
    input  wire logic                  clk_i,
    input  wire logic                  rst_i,
    input  wire logic [ENTRIES-1:0]    row_i,  // the entry names a flow of this slice
    input  wire logic [ENTRIES*32-1:0] col_i,  // which one, one-hot
    output logic      [LEN-1:0]        stop_o,
    output logic                       parity_err_o
);
  logic [LEN-1:0] stop_d;

  always_comb begin
    stop_d = '0;
    if (!rst_i && row_i != '0)
      for (int e = 0; e < ENTRIES; e++) stop_d = stop_d | ({LEN{row_i[e]}} & col_i[e*32 +: LEN]);
  end

  always_ff @(posedge clk_i) stop_o <= stop_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^stop_d),
      .now_i(^stop_o),
      .err_o(parity_err_o)
  );

  if (LEN < 32) begin : g_short
    logic unused;
    assign unused = &{1'b0, col_i};
  end
endmodule

`default_nettype wire
