// Properties of the choice of flows. Instantiated by flow_select under QUELL_CHECK.
`default_nettype none

module flow_select_checker #(
    parameter int FLOWS = 64,
    localparam int FW = $clog2(FLOWS)
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic             ready_i,
    input wire logic [FLOWS-1:0] want_i,
    input wire logic [2:0]       visits_i,    // a flow is in V1, V2, V3
    input wire logic             picked_i,
    input wire logic [FW-1:0]    pick_i,
    input wire logic             eligible_i,
    input wire logic             offer_i
);
  always @(posedge clk_i) begin
    if (!rst_i) begin
      h8_scan_or_offer: assert (!offer_i || visits_i == '0);
      h6_scan_after_sweep: assert (ready_i || {visits_i, offer_i} == '0);
      h8_pick_wants: assert (!picked_i || want_i[pick_i]);
      h5_c_eligible: cover (eligible_i);
      h8_c_full_pipeline: cover (visits_i == '1);
    end
  end
endmodule

`default_nettype wire
