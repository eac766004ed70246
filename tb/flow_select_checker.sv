// Properties of the choice of flows. Instantiated by flow_select under QUELL_CHECK.
`default_nettype none

module flow_select_checker #(
    parameter int FLOWS = 64,
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,
    localparam int FW = $clog2(FLOWS),
    localparam int EW = $clog2(NE)
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic             ready_i,
    input wire logic [FLOWS-1:0] want_i,
    input wire logic [3:1]       pick_i,      // a flow is in V1, V2, V3
    input wire logic [3:1]       walk_i,      // a blocked entity is
    input wire logic             picked_i,
    input wire logic [FW-1:0]    pick_flow_i,
    input wire logic             walked_i,
    input wire logic [EW-1:0]    walk_ent_i,
    input wire logic [NE-1:0]    blk_i,
    input wire logic             eligible_i,
    input wire logic             offer_i
);
  logic          past_ok_q;  // the last cycle was not a reset cycle
  logic [NE-1:0] blk_q, changed;

  assign changed = blk_i ^ blk_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    blk_q <= blk_i;
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h8_scan_or_offer: assert (!offer_i || pick_i == '0);
      h8_one_pick: assert ((pick_i & (pick_i - 1'b1)) == '0);
      h8_one_visit: assert ((pick_i & walk_i) == '0 && !(picked_i && walked_i));
      h8_one_change: assert ((changed & (changed - 1'b1)) == '0);
      h6_scan_after_sweep: assert (ready_i || ({pick_i, walk_i, offer_i} == '0 && blk_i == '0));
      h8_pick_wants: assert (!picked_i || want_i[pick_flow_i]);
      h8_walk_blocked: assert (!walked_i || blk_i[walk_ent_i]);
      h5_c_eligible: cover (eligible_i);
      h5_c_blocked: cover ((changed & blk_i) != '0);
      h5_c_freed: cover ((changed & ~blk_i) != '0);
    end
  end
endmodule

`default_nettype wire
