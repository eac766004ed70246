// The root test of each cycle (root_now): the congestion state, and what marks look at, follow the link's credit of the cycle before
// and nothing older. The credit is reckoned here. Instantiated by switch_output_port; for simulation. Rule D6; docs/output-port.md section 14.
`default_nettype none

module root_now_checker #(
    parameter int VLS = 1,
    parameter int MTU = 32
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              root_now_i,
    input wire logic              victim_i,
    input wire logic [12*VLS-1:0] fccl_i,
    input wire logic [12*VLS-1:0] txr_i,
    input wire logic [8*VLS-1:0]  count_i,
    input wire logic [VLS-1:0]    cong_state_i,
    input wire logic [VLS-1:0]    root_held_i
);
  logic           past_q;          // the cycle before was none of a reset, and root_now was 1 in it
  logic           victim_q;
  logic [VLS-1:0] may_q, counted_q;  // an MTU fitted downstream in it; there were contributions

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    wire [11:0] ahead = fccl_i[12*v+:12] - txr_i[12*v+:12];
    always_ff @(posedge clk_i) begin
      may_q[v] <= ahead >= 12'(MTU) && ahead <= 12'(2048 + MTU);
      counted_q[v] <= count_i[8*v+:8] != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    past_q <= !rst_i && root_now_i;
    victim_q <= victim_i;
    if (past_q && !rst_i) begin
      d6_state_needs_credit: assert (victim_q || (cong_state_i & ~may_q) == '0);
      d6_state_has_cause: assert ((cong_state_i & ~counted_q) == '0);
      d6_root_by_credit: assert (victim_q || (cong_state_i | ~(counted_q & may_q)) == '1);
      d6_held_by_credit: assert (root_held_i == (may_q | {VLS{victim_q}}));
    end
  end
endmodule

`default_nettype wire
