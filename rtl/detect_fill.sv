// Hysteresis bit of every CPQ: set above the high threshold, cleared below the low one.
// Rules D1, D4.
`default_nettype none

module detect_fill #(
    parameter int N = 8,
    parameter int FW = 17,
    parameter int PARITY = 0
) (
    input  wire logic            clk_i,
    input  wire logic            rst_i,
    input  wire logic            never_i,
    input  wire logic [15:0]     hth_i,
    input  wire logic [15:0]     lth_i,
    input  wire logic [N*FW-1:0] fill_i,
    output logic [N-1:0]         cong_o,
    output logic                 parity_err_o
);
  localparam int TW = (FW > 16) ? FW : 16;  // fills beside thresholds

  logic [N-1:0] cong_q, cong_d;

  for (genvar q = 0; q < N; q++) begin : g_queue
    always_comb begin
      cong_d[q] = cong_q[q];
      if (rst_i || never_i) cong_d[q] = 1'b0;
      else if (TW'(fill_i[q*FW +: FW]) > TW'(hth_i)) cong_d[q] = 1'b1;
      else if (TW'(fill_i[q*FW +: FW]) < TW'(lth_i)) cong_d[q] = 1'b0;
    end

    always_ff @(posedge clk_i) cong_q[q] <= cong_d[q];
  end

  assign cong_o = cong_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^cong_d),
      .now_i(^cong_q),
      .err_o(parity_err_o)
  );

`ifdef QUELL_CHECK
  detect_fill_checker #(
      .N(N), .FW(FW)
  ) u_checker (
      .clk_i, .rst_i, .never_i, .hth_i, .lth_i, .fill_i,
      .cong_i (cong_o)
  );
`endif
endmodule

`default_nettype wire
