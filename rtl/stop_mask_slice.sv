// The stop bits of up to 32 neighbouring flows: a flow is stopped when some list entry names its row and
// its place in the row. Rule H5; docs/hca.md section 2.
`default_nettype none

module stop_mask_slice #(
    parameter int LEN = 32,
    parameter int ENTRIES = 72
) (
    input  wire logic                  clk_i,
    input  wire logic                  rst_i,
    input  wire logic [ENTRIES-1:0]    row_i,  // the entry names a flow of this slice
    input  wire logic [ENTRIES*32-1:0] col_i,  // which one, one-hot
    output logic      [LEN-1:0]        stop_o
);
  logic [LEN-1:0] mask;

  always_comb begin
    mask = '0;
    if (row_i != '0)
      for (int e = 0; e < ENTRIES; e++) mask = mask | ({LEN{row_i[e]}} & col_i[e*32 +: LEN]);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) stop_o <= '0;
    else stop_o <= mask;
  end

  if (LEN < 32) begin : g_short
    logic unused;
    assign unused = &{1'b0, col_i};
  end
endmodule

`default_nettype wire
