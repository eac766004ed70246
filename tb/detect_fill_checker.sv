// Hysteresis of the congestion bits. Instantiated by detect_fill under QUELL_CHECK.
`default_nettype none

module detect_fill_checker #(
    parameter int N = 8,
    parameter int FW = 17
) (
    input wire logic            clk_i,
    input wire logic            rst_i,
    input wire logic            never_i,
    input wire logic [15:0]     hth_i,
    input wire logic [15:0]     lth_i,
    input wire logic [N*FW-1:0] fill_i,
    input wire logic [N-1:0]    cong_i
);
  localparam int TW = (FW > 16) ? FW : 16;  // fills beside thresholds

  logic [N-1:0] above, below, above_q, below_q, cong_q;
  logic         never_q, past_ok_q;

  for (genvar q = 0; q < N; q++) begin : g_queue
    assign above[q] = TW'(fill_i[q*FW +: FW]) > TW'(hth_i);
    assign below[q] = TW'(fill_i[q*FW +: FW]) < TW'(lth_i);
  end

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    above_q <= above;
    below_q <= below;
    cong_q <= cong_i;
    never_q <= never_i;
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      d1_set_above: assert (never_q || (above_q & ~cong_i) == '0);
      d1_cleared_below: assert ((below_q & ~above_q & cong_i) == '0);
      d1_kept_between: assert (never_q || ((cong_i ^ cong_q) & ~above_q & ~below_q) == '0);
      d4_never_congested: assert (!never_q || cong_i == '0);
      d1_c_kept: cover (cong_i[0] && !above_q[0] && !below_q[0]);
      d1_c_cleared: cover (cong_q[0] && !cong_i[0] && !never_q);
      d4_c_never: cover (never_q && cong_q[0]);
    end
  end
endmodule

`default_nettype wire
