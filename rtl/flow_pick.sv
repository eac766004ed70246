// Which flow is to be judged next: round robin over lanes, then over the SLs of the lane, then over the flows of the SL
// (VL_BY_DEST = 1: over lanes of destinations, then over the flows of the lane), of those that want to, have credit and
// are not known to be inside their delay. In a lane, flows that went yield to those that did not since. Combinational. Rules H5, H7, H8; docs/hca-throttle.md section 3.
`default_nettype none

module flow_pick #(
    parameter int FLOWS = 64,
    parameter int VLS = 1,
    parameter int VL_BY_DEST = 0,
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,
    localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1,
    localparam int NV = (VL_BY_DEST != 0 || VLS < 16) ? VLS : 16,
    localparam int NC = (VL_BY_DEST != 0) ? VLS : 16,
    localparam int LW = (NV > 1) ? $clog2(NV) : 1
) (
    input  wire logic               may_i,      // there may be a pick
    input  wire logic               enable_i,
    input  wire logic               sl_mode_i,
    input  wire logic [FLOWS-1:0]   want_i,
    input  wire logic [15:0]        sl_ok_i,
    input  wire logic [NE-1:0]      blk_i,      // per entity: it is inside its delay
    input  wire logic [4*FLOWS-1:0] sl_i,       // SLs of the flows
    input  wire logic [LW-1:0]      vp_i,       // pointers: lane,
    input  wire logic [4*NV-1:0]    sp_i,       // SL of each lane,
    input  wire logic [FW*NC-1:0]   fp_i,       // flow of each SL or lane
    input  wire logic [FLOWS-1:0]   went_i,     // flows that yield
    output logic                    any_o,
    output logic      [FW-1:0]      flow_o,
    output logic      [3:0]         sl_o,
    output logic      [LW-1:0]      lane_o,
    output logic      [FLOWS-1:0]   again_o     // all candidates of the lane yielded: these begin anew
);
  logic [15:0]      sl_go;       // SLs that may go
  logic [FLOWS-1:0] go;          // flows that may, but for their SL
  logic             try_pick;
  logic [NV-1:0]    lanes;       // with a candidate
  logic [FLOWS-1:0] pool;        // candidates among which the last choice is made
  logic [FW-1:0]    from;        // from this flow on
  logic [NV-1:0]    lane_1hot;
  logic             any_flow;

  assign sl_go = (enable_i && sl_mode_i) ? sl_ok_i & ~blk_i[15:0] : sl_ok_i;
  assign go = (enable_i && !sl_mode_i) ? want_i & ~blk_i[FLOWS-1:0] : want_i;
  assign try_pick = may_i && go != '0;

  rr_arbiter #(.N(NV)) u_lane (
      .req_i(lanes),
      .ptr_i(vp_i),
      .gnt_o(lane_1hot),
      .idx_o(lane_o),
      .any_o
  );

  flow_scan #(.N(FLOWS)) u_flow (
      .want_i(pool),
      .ptr_i(from),
      .any_o(any_flow),
      .idx_o(flow_o)
  );

  wire unused_any = &{1'b0, any_flow};  // as any_o

  if (VL_BY_DEST != 0) begin : g_by_dest
    localparam int TURNS = (FLOWS + VLS - 1) / VLS;
    logic [FLOWS-1:0]     cand;
    logic [TURNS*VLS-1:0] cand_turns;

    // The loops are skipped when there can be no pick, for the sake of simulation.
    always_comb begin
      cand = '0;
      for (int s = 0; s < 16; s++) begin
        if (try_pick && sl_go[s]) begin
          cand = cand | (go
              & (((s & 1) != 0) ? sl_i[0*FLOWS+:FLOWS] : ~sl_i[0*FLOWS+:FLOWS])
              & (((s & 2) != 0) ? sl_i[1*FLOWS+:FLOWS] : ~sl_i[1*FLOWS+:FLOWS])
              & (((s & 4) != 0) ? sl_i[2*FLOWS+:FLOWS] : ~sl_i[2*FLOWS+:FLOWS])
              & (((s & 8) != 0) ? sl_i[3*FLOWS+:FLOWS] : ~sl_i[3*FLOWS+:FLOWS]));
        end
      end
      cand_turns = (TURNS * VLS)'(cand);
      lanes = '0;
      for (int j = 0; j < TURNS; j++) lanes = lanes | cand_turns[VLS*j+:VLS];
    end

    logic [FLOWS-1:0] lane_cand, fresh;

    assign lane_cand = cand & FLOWS'({TURNS{lane_1hot}});
    assign fresh = lane_cand & ~went_i;
    assign pool = (fresh != '0) ? fresh : lane_cand;
    assign again_o = (fresh != '0) ? '0 : lane_cand;
    assign from = fp_i[FW*lane_o+:FW];
    for (genvar b = 0; b < 4; b++) begin : g_sl
      assign sl_o[b] = sl_i[b*FLOWS+32'(flow_o)];
    end
    wire unused_sp = &{1'b0, sp_i};
  end else begin : g_by_sl
    logic [15:0]      sls, lane_sls, sl_1hot;  // SLs with a candidate; those of the lane
    logic [15:0]      fresh_sls, pool_sls;     // with one that did not go; those to choose among
    logic [FLOWS-1:0] of_sl;
    logic             any_sl, stale;           // all candidates of the lane went

    always_comb begin
      sls = '0;
      fresh_sls = '0;
      of_sl = '0;
      for (int s = 0; s < 16; s++) begin
        if (try_pick && sl_go[s]) begin
          of_sl = go
              & (((s & 1) != 0) ? sl_i[0*FLOWS+:FLOWS] : ~sl_i[0*FLOWS+:FLOWS])
              & (((s & 2) != 0) ? sl_i[1*FLOWS+:FLOWS] : ~sl_i[1*FLOWS+:FLOWS])
              & (((s & 4) != 0) ? sl_i[2*FLOWS+:FLOWS] : ~sl_i[2*FLOWS+:FLOWS])
              & (((s & 8) != 0) ? sl_i[3*FLOWS+:FLOWS] : ~sl_i[3*FLOWS+:FLOWS]);
          sls[s] = |of_sl;
          fresh_sls[s] = |(of_sl & ~went_i);
        end
      end
      lanes = '0;
      for (int s = 0; s < 16; s++) if (sls[s]) lanes[s%NV] = 1'b1;
    end

    for (genvar s = 0; s < 16; s++) begin : g_lane
      assign lane_sls[s] = sls[s] && lane_1hot[s%NV];
    end

    assign stale = (lane_sls & fresh_sls) == '0;
    assign pool_sls = stale ? lane_sls : lane_sls & fresh_sls;

    always_comb begin
      again_o = '0;
      for (int s = 0; s < 16; s++) begin
        if (stale && lane_sls[s]) begin
          again_o = again_o | (go
              & (((s & 1) != 0) ? sl_i[0*FLOWS+:FLOWS] : ~sl_i[0*FLOWS+:FLOWS])
              & (((s & 2) != 0) ? sl_i[1*FLOWS+:FLOWS] : ~sl_i[1*FLOWS+:FLOWS])
              & (((s & 4) != 0) ? sl_i[2*FLOWS+:FLOWS] : ~sl_i[2*FLOWS+:FLOWS])
              & (((s & 8) != 0) ? sl_i[3*FLOWS+:FLOWS] : ~sl_i[3*FLOWS+:FLOWS]));
        end
      end
    end

    rr_arbiter #(.N(16)) u_sl (
        .req_i(pool_sls),
        .ptr_i(sp_i[4*lane_o+:4]),
        .gnt_o(sl_1hot),
        .idx_o(sl_o),
        .any_o(any_sl)
    );

    assign pool = any_o
        ? (stale ? go : go & ~went_i) & ~(sl_i[0*FLOWS+:FLOWS] ^ {FLOWS{sl_o[0]}}) & ~(sl_i[1*FLOWS+:FLOWS] ^ {FLOWS{sl_o[1]}})
             & ~(sl_i[2*FLOWS+:FLOWS] ^ {FLOWS{sl_o[2]}}) & ~(sl_i[3*FLOWS+:FLOWS] ^ {FLOWS{sl_o[3]}})
        : '0;
    assign from = fp_i[FW*sl_o+:FW];
    wire unused_sl = &{1'b0, sl_1hot, any_sl};
  end
endmodule

`default_nettype wire
