// Chooses the flow that may inject next, for the throttle and for the source response: the verdict on a visit is given
// from outside. A visit passes the stages V0 choose, V1 and V2 read, V3 verdict. It is a pick of a flow, which is offered
// if it may go and else marks its entity blocked, or a walk to a blocked entity, which frees it once it may go. An offer
// stays until it is taken or can no longer go; only then do the pointers of lanes, SLs and flows move. Rules H5, H7, H8;
// docs/hca-throttle.md section 3, docs/source-response.md section 3.
`default_nettype none

module flow_select #(
    parameter int VLS = 1,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int PARITY = 0,
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,
    localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1,
    localparam int EW = $clog2(NE),
    localparam int NV = (VL_BY_DEST != 0 || VLS < 16) ? VLS : 16,  // lanes
    localparam int NC = (VL_BY_DEST != 0) ? VLS : 16,              // flow pointers
    localparam int LW = (NV > 1) ? $clog2(NV) : 1,
    localparam int NW = (NC > 1) ? $clog2(NC) : 1
) (
    input  wire logic               clk_i,
    input  wire logic               rst_i,
    input  wire logic               ready_i,
    input  wire logic               enable_i,
    input  wire logic               sl_mode_i,
    input  wire logic [4*FLOWS-1:0] sl_i,         // SLs of the flows
    input  wire logic [FLOWS-1:0]   req_i,
    input  wire logic [FLOWS-1:0]   stop_i,
    input  wire logic [15:0]        sl_ok_i,
    input  wire logic               inj_ready_i,
    output logic      [EW-1:0]      v1_ent_o,     // entities of the visits in V1, V2, V3
    output logic      [EW-1:0]      v2_ent_o,
    output logic      [EW-1:0]      v3_ent_o,
    output logic                    v2_used_o,    // there is a visit in V2, in V3
    output logic                    v3_used_o,
    output logic                    v3_pick_o,    // that in V3 is a pick
    input  wire logic               pass_i,       // verdict on the visit in V3: it may go,
    input  wire logic               soon_i,       // it may go in four cycles (true with pass_i)
    output logic                    inj_valid_o,
    output logic      [FW-1:0]      inj_flow_o,
    output logic      [3:0]         inj_sl_o,
    output logic                    accept_o,     // Mealy: the offer is taken
    output logic      [EW-1:0]      accept_ent_o, // entity of the offered flow
    output logic      [LW-1:0]      vp_o,
    output logic      [FLOWS-1:0]   went_o,       // flows that yield to others of their lane
    output logic      [4*NV-1:0]    sp_o,
    output logic      [FW*NC-1:0]   fp_o,
    output logic      [EW-1:0]      wk_o,
    output logic      [NE-1:0]      blk_o,
    output logic      [FLOWS-1:0]   blocked_o,     // per flow: waits for its delay
    output logic                    parity_err_o
);
  // ---- V0: a pick, else a walk
  logic [FLOWS-1:0] want, again;
  logic             may_pick, any_pick, picked, any_walk, walked;
  logic [FW-1:0]    pick_f;
  logic [3:0]       pick_s;
  logic [LW-1:0]    pick_v;
  logic [EW-1:0]    pick_e, walk_e, wk_d;
  logic [NE-1:0]    blocked;  // the entities in use
  logic [15:0]      sl_blocked;  // those of SLs by themselves, so that a choice by SL is one of 16

  // of the visits in V1, V2, V3: a pick, a walk, and the entity
  logic [3:1]    pick_q, pick_d, walk_q, walk_d;
  logic [EW-1:0] v1_ent_d, v2_ent_d, v3_ent_d;

  assign want = req_i & ~stop_i;
  assign may_pick = ready_i && !inj_valid_o && pick_q == '0;

  flow_pick #(.FLOWS(FLOWS), .VLS(VLS), .VL_BY_DEST(VL_BY_DEST)) u_pick (
      .may_i(may_pick),
      .enable_i, .sl_mode_i,
      .want_i(want),
      .sl_ok_i,
      .blk_i(blk_o),
      .sl_i,
      .vp_i(vp_o),
      .sp_i(sp_o),
      .fp_i(fp_o),
      .went_i(went_o),
      .any_o(any_pick),
      .flow_o(pick_f),
      .sl_o(pick_s),
      .lane_o(pick_v),
      .again_o(again)
  );

  assign sl_blocked = blk_o[15:0];

  always_comb begin  // not a generate loop: Verilator makes at most 4096 of its blocks, illegal FLOWS would end there
    for (int f = 0; f < FLOWS; f++)
      blocked_o[f] = enable_i
          && (sl_mode_i ? sl_blocked[{sl_i[3*FLOWS+f], sl_i[2*FLOWS+f], sl_i[FLOWS+f], sl_i[f]}] : blk_o[f]);
  end

  assign blocked = blk_o & (sl_mode_i ? NE'(16'hFFFF) : NE'({FLOWS{1'b1}}));

  flow_scan #(.N(NE)) u_walk (
      .want_i(blocked),
      .ptr_i(wk_o),
      .any_o(any_walk),
      .idx_o(walk_e)
  );

  assign picked = may_pick && any_pick;
  assign walked = ready_i && !picked && enable_i && any_walk;
  assign pick_e = sl_mode_i ? EW'(pick_s) : EW'(pick_f);

  always_comb begin
    wk_d = wk_o;
    if (rst_i) wk_d = '0;
    else if (walked)
      wk_d = ((EW + 1)'(walk_e) + 1'b1 == (sl_mode_i ? (EW + 1)'(16) : (EW + 1)'(FLOWS))) ? '0 : walk_e + 1'b1;
  end

  // The flow picked, until the next pick: there is one at a time, and it is the one that is offered.
  logic [FW-1:0] f_q, f_d;
  logic [3:0]    s_q, s_d;
  logic [LW-1:0] v_q, v_d;
  logic [EW-1:0] accept_ent_d;

  always_comb begin
    f_d = f_q;
    s_d = s_q;
    v_d = v_q;
    accept_ent_d = accept_ent_o;
    if (rst_i) begin
      {f_d, s_d, v_d, accept_ent_d} = '0;
    end else if (picked) begin
      f_d = pick_f;
      s_d = pick_s;
      v_d = pick_v;
      accept_ent_d = pick_e;
    end
    pick_d = rst_i ? '0 : {pick_q[2:1], picked};
    walk_d = rst_i ? '0 : {walk_q[2:1], walked};
    v1_ent_d = picked ? pick_e : walk_e;
    v2_ent_d = v1_ent_o;
    v3_ent_d = v2_ent_o;
  end

  always_ff @(posedge clk_i) begin
    wk_o <= wk_d;
    f_q <= f_d;
    s_q <= s_d;
    v_q <= v_d;
    accept_ent_o <= accept_ent_d;
    pick_q <= pick_d;
    walk_q <= walk_d;
    v1_ent_o <= v1_ent_d;
    v2_ent_o <= v2_ent_d;
    v3_ent_o <= v3_ent_d;
  end

  assign v2_used_o = pick_q[2] || walk_q[2];
  assign v3_used_o = pick_q[3] || walk_q[3];
  assign v3_pick_o = pick_q[3];

  // ---- V3: verdict
  logic eligible;

  assign eligible = pick_q[3] && pass_i && sl_ok_i[s_q] && want[f_q];

  // ---- blocked entities: a failed pick sets, a walk that passes frees
  logic [NE-1:0] blk_d;

  always_comb begin
    blk_d = blk_o;
    if (rst_i) blk_d = '0;
    else if (pick_q[3] && !eligible) blk_d[v3_ent_o] = 1'b1;
    else if (walk_q[3] && soon_i) blk_d[v3_ent_o] = 1'b0;
  end

  always_ff @(posedge clk_i) blk_o <= blk_d;

  // ---- offer
  logic inj_valid_d;

  assign accept_o = inj_valid_o && inj_ready_i;
  assign inj_flow_o = inj_valid_o ? f_q : '0;
  assign inj_sl_o = inj_valid_o ? s_q : '0;

  always_comb begin
    inj_valid_d = inj_valid_o;
    if (rst_i || accept_o) inj_valid_d = 1'b0;
    else if (inj_valid_o) inj_valid_d = want[f_q] && sl_ok_i[s_q];
    else inj_valid_d = eligible;
  end

  always_ff @(posedge clk_i) inj_valid_o <= inj_valid_d;

  // ---- pointers: they move when an offer is taken; its flow yields until all that can go went
  logic [LW-1:0]    vp_d;
  logic [4*NV-1:0]  sp_d;
  logic [FW*NC-1:0] fp_d;
  logic [FLOWS-1:0] went_d;
  logic [NW-1:0]    c;  // class of the flow pointer

  if (VL_BY_DEST != 0) begin : g_lane_pointers
    assign c = v_q;
    assign sp_d = '0;
    assign sp_o = '0;
    wire unused_sp = &{1'b0, sp_d};
  end else begin : g_sl_pointers
    logic [4*NV-1:0] sp_q;

    assign c = s_q;
    assign sp_o = sp_q;

    always_comb begin
      sp_d = sp_q;
      if (rst_i) sp_d = '0;
      else if (accept_o) sp_d[4*v_q+:4] = s_q + 1'b1;
    end

    always_ff @(posedge clk_i) sp_q <= sp_d;
  end

  always_comb begin
    vp_d = vp_o;
    fp_d = fp_o;
    went_d = went_o & ~again;
    if (rst_i) begin
      vp_d = '0;
      fp_d = '0;
      went_d = '0;
    end else if (accept_o) begin
      vp_d = (v_q == LW'(NV - 1)) ? '0 : v_q + 1'b1;
      fp_d[FW*c+:FW] = (f_q == FW'(FLOWS - 1)) ? '0 : f_q + 1'b1;
      went_d[f_q] = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    vp_o <= vp_d;
    fp_o <= fp_d;
    went_o <= went_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{wk_d, f_d, s_d, v_d, accept_ent_d, pick_d, walk_d, v1_ent_d, v2_ent_d, v3_ent_d, blk_d,
            inj_valid_d, vp_d, sp_d, fp_d, went_d}),
      .now_i(^{wk_o, f_q, s_q, v_q, accept_ent_o, pick_q, walk_q, v1_ent_o, v2_ent_o, v3_ent_o, blk_o,
            inj_valid_o, vp_o, sp_o, fp_o, went_o}),
      .err_o(parity_err_o)
  );

`ifdef QUELL_CHECK
  flow_select_checker #(.FLOWS(FLOWS), .VLS(VLS), .VL_BY_DEST(VL_BY_DEST)) u_checker (
      .clk_i, .rst_i, .ready_i, .enable_i, .sl_mode_i, .sl_i, .req_i, .stop_i, .sl_ok_i,
      .accept_i(accept_o),
      .flow_i(f_q),
      .want_i(want),
      .pick_i(pick_q),
      .walk_i(walk_q),
      .picked_i(picked),
      .pick_flow_i(pick_f),
      .walked_i(walked),
      .walk_ent_i(walk_e),
      .blk_i(blk_o),
      .eligible_i(eligible),
      .offer_i(inj_valid_o)
  );
`endif
endmodule

`default_nettype wire
