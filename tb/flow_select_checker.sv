// Properties of the choice of flows. Instantiated by flow_select under QUELL_CHECK.
// One says more than a cycle: of two flows of a lane, the one that is stopped whenever the other is passes it twice at most
// (once as one that did not go yet, once as the first of a new round), however the stops come and go and whatever else goes.
// Another: beside a flow that could go, of each other lane one packet goes before one of its own.
`default_nettype none

module flow_select_checker #(
    parameter int FLOWS = 64,
    parameter int VLS = 1,
    parameter int VL_BY_DEST = 0,
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,
    localparam int NV = (VL_BY_DEST != 0 || VLS < 16) ? VLS : 16,  // lanes
    localparam int FW = $clog2(FLOWS),
    localparam int EW = $clog2(NE)
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic             ready_i,
    input wire logic             enable_i,
    input wire logic             sl_mode_i,
    input wire logic [4*FLOWS-1:0] sl_i,
    input wire logic [FLOWS-1:0] req_i,
    input wire logic [FLOWS-1:0] stop_i,
    input wire logic [15:0]      sl_ok_i,
    input wire logic             accept_i,
    input wire logic [FW-1:0]    flow_i,
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

`ifndef FORMAL
  // ---- one flow at a time is followed: until it goes, or something else than a stop keeps it back
  logic [FW-1:0]      f_q;
  logic [FLOWS-1:0]   mates_q, once_q, twice_q;  // flows that were stopped whenever it was; that passed it
  logic [4*FLOWS-1:0] sl_q;
  logic [3:0]         f_sl, g_sl;                // SLs of the flow followed and of the one that goes
  logic               able, same, passed, restart, late_q;
  logic [7:0]         others_q;                  // packets of other lanes since one of its lane went

  always_comb begin
    for (int b = 0; b < 4; b++) begin
      f_sl[b] = sl_i[b*FLOWS+32'(f_q)];
      g_sl[b] = sl_i[b*FLOWS+32'(flow_i)];
    end
    able = ready_i && req_i[f_q] && sl_ok_i[f_sl] && !(enable_i && blk_i[sl_mode_i ? EW'(f_sl) : EW'(f_q)]);
    same = (VL_BY_DEST != 0) ? 32'(f_q) % VLS == 32'(flow_i) % VLS : 32'(f_sl) % VLS == 32'(g_sl) % VLS;
    passed = accept_i && flow_i != f_q && same && mates_q[flow_i];
    restart = rst_i || !able || sl_i != sl_q || (accept_i && flow_i == f_q);
  end

  always_ff @(posedge clk_i) begin
    sl_q <= sl_i;
    late_q <= !restart && passed && twice_q[flow_i];
    if (rst_i) f_q <= '0;
    else if (restart) f_q <= (f_q == FW'(FLOWS - 1)) ? '0 : f_q + 1'b1;
    if (restart) begin
      mates_q <= '1;
      once_q <= '0;
      twice_q <= '0;
    end else begin
      if (stop_i[f_q]) mates_q <= mates_q & stop_i;
      if (passed) once_q[flow_i] <= 1'b1;
      if (passed && once_q[flow_i]) twice_q[flow_i] <= 1'b1;
    end
    if (restart || stop_i[f_q] || (accept_i && same)) others_q <= '0;
    else if (accept_i && others_q != '1) others_q <= others_q + 1'b1;
    if (!rst_i && past_ok_q) begin
      h8_each_flow_after_stops: assert (!late_q);
      h8_lanes_go_round: assert (others_q <= 8'(NV));
    end
  end
`else
  wire unused_turns = &{1'b0, enable_i, sl_mode_i, sl_i, req_i, stop_i, sl_ok_i, accept_i, flow_i};
`endif
endmodule

`default_nettype wire
