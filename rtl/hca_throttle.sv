// Injection throttling unit of a host channel adapter: congestion control table, CCTI and timers per
// flow or SL, last time of injection, and the choice of the flow that may inject next.
// Per-flow state is in memories, swept after reset. Rules H3-H8; docs/hca-throttle.md.
`default_nettype none

module hca_throttle #(
    parameter int VLS = 1,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int CCT = 128,
    parameter int TS_W = 24,
    parameter int PARITY = 0,
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,                 // entities: flows, and at least one per SL
    localparam int NV = (VL_BY_DEST != 0 || VLS < 16) ? VLS : 16,  // lanes
    localparam int NC = (VL_BY_DEST != 0) ? VLS : 16               // flow pointers
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             cfg_we_i,
    input  wire logic             cfg_re_i,
    input  wire logic [7:0]       cfg_addr_i,
    input  wire logic [31:0]      cfg_data_i,
    input  wire logic             cct_we_i,
    input  wire logic [15:0]      cct_addr_i,
    input  wire logic [15:0]      cct_data_i,
    input  wire logic             attr_we_i,       // SL of a flow
    input  wire logic [15:0]      attr_flow_i,
    input  wire logic [3:0]       attr_sl_i,
    input  wire logic             becn_valid_i,
    input  wire logic [15:0]      becn_flow_i,
    input  wire logic [FLOWS-1:0] req_i,           // per flow: has a packet
    input  wire logic [FLOWS-1:0] stop_i,          // per flow: a stopped CAM line matches
    input  wire logic [15:0]      sl_ok_i,         // per SL: credits allow a packet
    input  wire logic             inj_ready_i,     // the offered flow injects
    input  wire logic [6:0]       inj_len_i,       // flits of its packet
    input  wire logic             sent_i,          // the packet taken last sends its last flit
    output logic                  ready_o,
    output logic                  inj_valid_o,
    output logic [15:0]           inj_flow_o,
    output logic [3:0]            inj_sl_o,
    output logic [FLOWS-1:0]      blocked_o,       // per flow: waits for its delay
    output logic [15:0]           err_o,
    output logic                  cfg_rvalid_o,
    output logic [31:0]           cfg_rdata_o,
    output logic [TS_W-1:0]       st_now_o,        // architectural state for lockstep
    output logic [17:0]           st_tick_o,
    output logic [15:0]           st_vp_o,
    output logic [FLOWS-1:0]      st_went_o,
    output logic [16*NV-1:0]      st_sp_o,
    output logic [16*NC-1:0]      st_fp_o,
    output logic [15:0]           st_wk_o,
    output logic [NE-1:0]         st_blk_o,
    output logic                  st_snd_o,
    output logic [15:0]           st_rs_o,
    output logic [15:0]           st_sl_run_o,
    output logic [18*16-1:0]      st_sl_t0_o,
    output logic [14*16-1:0]      st_sl_steps_o,
    output logic [15:0]           st_sl_act_o,
    output logic                  st_ent_we_o,
    output logic [15:0]           st_ent_addr_o,
    output logic [13:0]           st_ent_ccti_o,
    output logic                  st_ent_run_o,
    output logic [17:0]           st_ent_t0_o,
    output logic [13:0]           st_ent_seen_o,
    output logic [3:0]            st_ent_esl_o,
    output logic                  st_lti_we_o,
    output logic [15:0]           st_lti_addr_o,
    output logic                  st_lti_valid_o,
    output logic [TS_W-1:0]       st_lti_o,
    output logic [6:0]            st_lti_len_o
);
  localparam int INIT = (NE > CCT) ? NE : CCT;    // cycles of the sweep after reset
  localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1;
  localparam int EW = $clog2(NE);
  localparam int CW = $clog2(CCT);
  localparam int IW = $clog2(INIT);
  localparam int LW = (NV > 1) ? $clog2(NV) : 1;
  localparam int ENT_W = 51;                      // {ccti 14, run, t0 18, seen 14, esl 4}
  localparam int LTI_W = TS_W + 8;                // {valid, time, len 7}

  if (VLS < 1 || VLS > 64 || (VL_BY_DEST == 0 && VLS > 16)) begin : g_bad_vls
    $error("parameter VLS must be 1..16, or 1..64 with VL_BY_DEST = 1");
  end
  if (VL_BY_DEST != 0 && VL_BY_DEST != 1) begin : g_bad_vl_by_dest
    $error("parameter VL_BY_DEST must be 0 or 1");
  end
  if (FLOWS < 2 || FLOWS > 4096) begin : g_bad_flows
    $error("FLOWS must be 2..4096");
  end
  if (CCT < 8 || CCT > 16384 || (CCT & (CCT - 1)) != 0) begin : g_bad_cct
    $error("CCT must be a power of two, 8..16384");
  end
  if (PARITY != 0 && PARITY != 1) begin : g_bad_parity
    $error("PARITY must be 0 or 1");
  end
  if (TS_W < 8 || TS_W > 32) begin : g_bad_ts_w
    $error("TS_W must be 8..32");
  end else if ((64'd1 << (TS_W - 2)) < 64'(4 * NE)) begin : g_small_ts_w
    $error("TS_W is too small: 2^(TS_W-2) must be at least 4 * max(FLOWS, 16)");
  end

  // ---- reads that matter, and errors of parity
  logic ent_used_a, ent_used_b, lti_used_a, lti_used_b, cct_used;
  logic own_err, regs_err, flow_sl_err, ent_err, lti_err, sent_err, ageing_err, cct_err, update_err, timers_err,
        select_err, verdict_err;

  // ---- sweep after reset
  logic          ready_q, ready_d;
  logic [IW-1:0] init_q, init_d;

  always_comb begin
    ready_d = ready_q;
    init_d = init_q;
    if (rst_i) begin
      ready_d = 1'b0;
      init_d = '0;
    end else if (!ready_q) begin
      ready_d = init_q == IW'(INIT - 1);
      init_d = init_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    ready_q <= ready_d;
    init_q <= init_d;
  end

  assign ready_o = ready_q;

  // ---- configuration
  logic        enable, sl_mode, per_sl, restart, cct_abs;
  logic [7:0]  increase, ccti_min;
  logic [13:0] limit;
  logic [15:0] timer, tick_last, err_clear;
  logic [3:0]  interval;
  logic        retime;

  throttle_regs #(.CCT(CCT), .VL_BY_DEST(VL_BY_DEST), .PARITY(PARITY)) u_regs (
      .clk_i, .rst_i,
      .we_i(cfg_we_i && ready_q),
      .re_i(cfg_re_i && ready_q),
      .addr_i(cfg_addr_i),
      .data_i(cfg_data_i),
      .err_i(err_o),
      .enable_o(enable),
      .sl_mode_o(sl_mode),
      .per_sl_o(per_sl),
      .restart_o(restart),
      .cct_abs_o(cct_abs),
      .increase_o(increase),
      .limit_o(limit),
      .min_o(ccti_min),
      .timer_o(timer),
      .tick_last_o(tick_last),
      .interval_o(interval),
      .retime_o(retime),
      .err_clear_o(err_clear),
      .rvalid_o(cfg_rvalid_o),
      .rdata_o(cfg_rdata_o),
      .parity_err_o(regs_err)
  );

  // ---- time
  logic [TS_W-1:0] now_q, now_d;
  logic [15:0]     tc_q, tc_d;
  logic [17:0]     tick_q, tick_d;

  always_comb begin
    now_d = now_q;
    tc_d = tc_q;
    tick_d = tick_q;
    if (rst_i) begin
      now_d = '0;
      tc_d = '0;
      tick_d = '0;
    end else if (ready_q) begin
      now_d = now_q + 1'b1;
      tc_d = (tc_q >= tick_last) ? '0 : tc_q + 1'b1;
      if (tc_q >= tick_last) tick_d = tick_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    now_q <= now_d;
    tc_q <= tc_d;
    tick_q <= tick_d;
  end

  // ---- legal accesses
  logic cct_ok, attr_ok, becn_ok;

  assign cct_ok = cct_addr_i < 16'(CCT);
  assign attr_ok = attr_flow_i < 16'(FLOWS);
  assign becn_ok = becn_flow_i < 16'(FLOWS);

  // ---- SL of each flow
  logic [4*FLOWS-1:0] flow_sl;

  flow_sl #(.FLOWS(FLOWS), .PARITY(PARITY)) u_flow_sl (
      .clk_i, .rst_i,
      .we_i(attr_we_i && attr_ok && ready_q),
      .flow_i(attr_flow_i[FW-1:0]),
      .sl_i(attr_sl_i),
      .sl_o(flow_sl),
      .parity_err_o(flow_sl_err)
  );

  // ---- entities: read by the update pipeline (a) and the selection (b)
  logic          upd_we, ent_we;
  logic [EW-1:0] upd_waddr, ent_waddr, ent_raddr_a, ent_raddr_b;
  logic [ENT_W-1:0] upd_wdata, ent_wdata, ent_rdata_a, ent_rdata_b;

  always_comb begin
    ent_we = upd_we;
    ent_waddr = upd_waddr;
    ent_wdata = upd_wdata;
    if (!ready_q) begin
      ent_we = 32'(init_q) < NE;
      ent_waddr = EW'(init_q);
      ent_wdata = '0;
    end
  end

  ram_sync #(.WIDTH(ENT_W), .DEPTH(NE), .READS(2), .PARITY(PARITY)) u_entities (
      .clk_i,
      .we_i(ent_we),
      .waddr_i(ent_waddr),
      .wdata_i(ent_wdata),
      .re_i(2'b11),
      .raddr_i({ent_raddr_b, ent_raddr_a}),
      .rdata_o({ent_rdata_b, ent_rdata_a}),
      .used_i({ent_used_b, ent_used_a}),
      .parity_err_o(ent_err)
  );

  // ---- the packet being sent
  logic             accept, snd_valid, snd_put;
  logic [EW-1:0]    accept_ent, snd_ent;
  logic [6:0]       snd_len, len;
  logic [TS_W-1:0]  snd_lti;

  // (Yosys must know a module's ports before it reads '0 in a connection.)
  assign len = (inj_len_i == '0) ? 7'd1 : inj_len_i;

  sent_packet #(.NE(NE), .TS_W(TS_W), .PARITY(PARITY)) u_sent (
      .clk_i, .rst_i,
      .interval_i(interval),
      .now_i(now_q),
      .accept_i(accept),
      .ent_i(accept_ent),
      .len_i(len),
      .sent_i,
      .valid_o(snd_valid),
      .ent_o(snd_ent),
      .len_o(snd_len),
      .put_o(snd_put),
      .lti_o(snd_lti),
      .parity_err_o(sent_err)
  );

  // ---- last times of injection {valid, time, len}: read by the ageing (a) and the selection (b)
  logic             forget, put_we, lti_we;
  logic [EW-1:0]    forget_ent, put_addr, lti_waddr;
  logic [LTI_W-1:0] put_data, lti_wdata, lti_rdata_a, lti_rdata_b;

  always_comb begin
    put_we = snd_put || forget;
    put_addr = '0;
    put_data = '0;
    if (snd_put) begin  // the ageing does not write then
      put_addr = snd_ent;
      put_data = {1'b1, snd_lti, snd_len};
    end else if (forget) begin
      put_addr = forget_ent;
    end
    lti_we = put_we;
    lti_waddr = put_addr;
    lti_wdata = put_data;
    if (!ready_q) begin
      lti_we = 32'(init_q) < NE;
      lti_waddr = EW'(init_q);
      lti_wdata = '0;
    end
  end

  ram_sync #(.WIDTH(LTI_W), .DEPTH(NE), .READS(2), .PARITY(PARITY)) u_lti (
      .clk_i,
      .we_i(lti_we),
      .waddr_i(lti_waddr),
      .wdata_i(lti_wdata),
      .re_i(2'b11),
      .raddr_i({ent_raddr_b, forget_ent}),
      .rdata_o({lti_rdata_b, lti_rdata_a}),
      .used_i({lti_used_b, lti_used_a}),
      .parity_err_o(lti_err)
  );

  lti_ageing #(.NE(NE), .TS_W(TS_W), .PARITY(PARITY)) u_ageing (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .now_i(now_q),
      .put_i(snd_put),
      .ent_o(forget_ent),
      .used_o(lti_used_a),
      .lv_i(lti_rdata_a[LTI_W-1]),
      .lti_i(lti_rdata_a[7+:TS_W]),
      .forget_o(forget),
      .parity_err_o(ageing_err)
  );

  wire unused_len = &{1'b0, lti_rdata_a[6:0]};

  // ---- congestion control table
  logic          cct_we;
  logic [CW-1:0] cct_waddr, cct_raddr;
  logic [15:0]   cct_wdata, cct_rdata;

  always_comb begin
    cct_we = cct_we_i && cct_ok;
    cct_waddr = cct_addr_i[CW-1:0];
    cct_wdata = cct_data_i;
    if (!ready_q) begin
      cct_we = 32'(init_q) < CCT;
      cct_waddr = CW'(init_q);
      cct_wdata = '0;
    end
  end

  ram_sync #(.WIDTH(16), .DEPTH(CCT), .PARITY(PARITY)) u_cct (
      .clk_i,
      .we_i(cct_we),
      .waddr_i(cct_waddr),
      .wdata_i(cct_wdata),
      .re_i(1'b1),
      .raddr_i(cct_raddr),
      .rdata_o(cct_rdata),
      .used_i(cct_used),
      .parity_err_o(cct_err)
  );

  // ---- BECNs and timers
  logic [15:0] sl_use;
  logic        timers_run, sl_restart, sl_end;

  cct_update #(.FLOWS(FLOWS), .PARITY(PARITY)) u_update (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .enable_i(enable),
      .sl_mode_i(sl_mode),
      .per_sl_i(per_sl),
      .restart_i(restart),
      .increase_i(increase),
      .limit_i(limit),
      .min_i(ccti_min),
      .timer_i(timer),
      .retime_i(retime),
      .tick_i(tick_q),
      .steps_i(st_sl_steps_o),
      .sl_i(flow_sl),
      .becn_valid_i(becn_valid_i && becn_ok && ready_q),
      .becn_flow_i(becn_flow_i[FW-1:0]),
      .ent_raddr_o(ent_raddr_a),
      .ent_rdata_i(ent_rdata_a),
      .ent_used_o(ent_used_a),
      .ent_we_o(upd_we),
      .ent_waddr_o(upd_waddr),
      .ent_wdata_o(upd_wdata),
      .sl_use_o(sl_use),
      .sl_restart_o(sl_restart),
      .sl_end_o(sl_end),
      .rs_o(st_rs_o),
      .parity_err_o(update_err)
  );

  assign timers_run = per_sl && enable;

  sl_timers #(.PARITY(PARITY)) u_timers (
      .clk_i, .rst_i,
      .run_i(timers_run),
      .retime_i(retime),
      .restart_i(sl_restart),
      .end_i(sl_end),
      .use_i(sl_use),
      .timer_i(timer),
      .tick_i(tick_q),
      .srun_o(st_sl_run_o),
      .st0_o(st_sl_t0_o),
      .steps_o(st_sl_steps_o),
      .act_o(st_sl_act_o),
      .parity_err_o(timers_err)
  );

  // ---- selection
  logic [FW-1:0]    inj_flow;
  logic [EW-1:0]    wk;
  logic [LW-1:0]    vp;
  logic [4*NV-1:0]  sp;
  logic [FW*NC-1:0] fp;
  logic [31:0]      ird;

  wire resync = st_rs_o != '0;

  logic [EW-1:0] v1_ent, v2_ent, v3_ent;
  logic          v2_used, v3_pick, pass, soon;

  flow_select #(.VLS(VLS), .VL_BY_DEST(VL_BY_DEST), .FLOWS(FLOWS), .PARITY(PARITY)) u_select (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .enable_i(enable),
      .sl_mode_i(sl_mode),
      .sl_i(flow_sl),
      .req_i, .stop_i, .sl_ok_i, .inj_ready_i,
      .v1_ent_o(v1_ent),
      .v2_ent_o(v2_ent),
      .v3_ent_o(v3_ent),
      .v2_used_o(v2_used),
      .v3_used_o(cct_used),
      .v3_pick_o(v3_pick),
      .pass_i(pass),
      .soon_i(soon),
      .inj_valid_o,
      .inj_flow_o(inj_flow),
      .inj_sl_o,
      .accept_o(accept),
      .accept_ent_o(accept_ent),
      .vp_o(vp),
      .went_o(st_went_o),
      .sp_o(sp),
      .fp_o(fp),
      .wk_o(wk),
      .blk_o(st_blk_o),
      .blocked_o,
      .parity_err_o(select_err)
  );

  assign ent_raddr_b = v1_ent;
  assign ent_used_b = v2_used;
  wire unused_pick = &{1'b0, v3_pick};

  throttle_verdict #(.NE(NE), .CCT(CCT), .TS_W(TS_W), .PARITY(PARITY)) u_verdict (
      .clk_i,
      .enable_i(enable),
      .per_sl_i(per_sl),
      .cct_abs_i(cct_abs),
      .limit_i(limit),
      .min_i(ccti_min),
      .interval_i(interval),
      .now_i(now_q),
      .steps_i(st_sl_steps_o),
      .resync_i(resync),
      .v2_used_i(v2_used),
      .v2_ent_i(v2_ent),
      .v3_ent_i(v3_ent),
      .snd_valid_i(snd_valid),
      .snd_ent_i(snd_ent),
      .snd_len_i(snd_len),
      .ccti_rdata_i(ent_rdata_b[50:37]),
      .seen_rdata_i(ent_rdata_b[17:4]),
      .esl_rdata_i(ent_rdata_b[3:0]),
      .lti_rdata_i(lti_rdata_b),
      .put_i(put_we),
      .put_ent_i(put_addr),
      .put_data_i(put_data),
      .last_put_i(st_lti_we_o),
      .last_ent_i(st_lti_addr_o[EW-1:0]),
      .last_data_i({st_lti_valid_o, st_lti_o, st_lti_len_o}),
      .lti_used_o(lti_used_b),
      .cct_raddr_o(cct_raddr),
      .cct_rdata_i(cct_rdata),
      .pass_o(pass),
      .soon_o(soon),
      .ird_o(ird),
      .parity_err_o(verdict_err)
  );

  wire unused_timer = &{1'b0, ent_rdata_b[36:18]};

  assign inj_flow_o = 16'(inj_flow);

  // ---- sticky errors: 0 BAD_ADDR, 1 BAD_LEN, 15 PARITY
  logic [15:0] err_set;

  always_comb begin
    err_set = '0;
    err_set[0] = ready_q
        && ((becn_valid_i && !becn_ok) || (cct_we_i && !cct_ok) || (attr_we_i && !attr_ok));
    err_set[1] = accept && inj_len_i == '0;
    err_set[15] = |{own_err, regs_err, flow_sl_err, ent_err, lti_err, sent_err, ageing_err, cct_err, update_err,
        timers_err, select_err, verdict_err};
  end

  logic [15:0] err_d, st_lti_addr_d;
  logic st_lti_we_d, st_lti_valid_d;
  logic [6:0] st_lti_len_d;
  logic [TS_W-1:0] st_lti_d;

  assign err_d = rst_i ? '0 : (err_o & ~err_clear) | err_set;

  always_ff @(posedge clk_i) err_o <= err_d;

  // ---- state shown
  assign st_now_o = now_q;
  assign st_tick_o = tick_q;
  assign st_vp_o = 16'(vp);
  assign st_wk_o = 16'(wk);
  assign st_snd_o = snd_valid;
  for (genvar v = 0; v < NV; v++) begin : g_sp
    assign st_sp_o[16*v+:16] = 16'(sp[4*v+:4]);
  end
  for (genvar c = 0; c < NC; c++) begin : g_fp
    assign st_fp_o[16*c+:16] = 16'(fp[FW*c+:FW]);
  end
  assign st_ent_we_o = upd_we;
  assign st_ent_addr_o = 16'(upd_waddr);
  assign {st_ent_ccti_o, st_ent_run_o, st_ent_t0_o, st_ent_seen_o, st_ent_esl_o} = upd_wdata;

  always_comb begin
    st_lti_we_d = st_lti_we_o;
    st_lti_addr_d = st_lti_addr_o;
    st_lti_len_d = st_lti_len_o;
    st_lti_d = st_lti_o;
    st_lti_valid_d = st_lti_valid_o;
    if (rst_i) begin
      st_lti_we_d = 1'b0;
      st_lti_addr_d = '0;
      {st_lti_valid_d, st_lti_d, st_lti_len_d} = '0;
    end else begin
      st_lti_we_d = put_we;
      st_lti_addr_d = 16'(put_addr);
      {st_lti_valid_d, st_lti_d, st_lti_len_d} = put_data;
    end
  end

  always_ff @(posedge clk_i) begin
    st_lti_we_o <= st_lti_we_d;
    st_lti_addr_o <= st_lti_addr_d;
    st_lti_len_o <= st_lti_len_d;
    st_lti_o <= st_lti_d;
    st_lti_valid_o <= st_lti_valid_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{ready_d, init_d, now_d, tc_d, tick_d, err_d, st_lti_we_d, st_lti_addr_d, st_lti_len_d, st_lti_d,
            st_lti_valid_d}),
      .now_i(^{ready_q, init_q, now_q, tc_q, tick_q, err_o, st_lti_we_o, st_lti_addr_o, st_lti_len_o, st_lti_o,
            st_lti_valid_o}),
      .err_o(own_err)
  );

`ifdef QUELL_CHECK
  hca_throttle_checker #(
      .VLS(VLS), .VL_BY_DEST(VL_BY_DEST), .FLOWS(FLOWS), .CCT(CCT), .TS_W(TS_W)
  ) u_check (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .enable_i(enable),
      .sl_mode_i(sl_mode),
      .per_sl_i(per_sl),
      .restart_i(restart),
      .cfg_we_i,
      .cct_we_i(cct_we_i && ready_q),
      .cct_addr_i, .cct_data_i, .attr_we_i,
      .becn_valid_i(becn_valid_i && becn_ok && ready_q),
      .flow_sl_i(flow_sl),
      .increase_i(increase),
      .limit_i(limit),
      .min_i(ccti_min),
      .timer_i(timer),
      .tick_last_i(tick_last),
      .interval_i(interval),
      .ird_i(ird),
      .offer_ent_i(accept_ent),
      .req_i, .stop_i, .sl_ok_i, .inj_ready_i, .inj_len_i, .sent_i,
      .err_set_i(err_set),
      .err_clear_i(err_clear),
      .inj_valid_i(inj_valid_o),
      .inj_flow_i(inj_flow_o),
      .inj_sl_i(inj_sl_o),
      .err_i(err_o),
      .now_i(st_now_o),
      .vp_i(st_vp_o),
      .sp_i(st_sp_o),
      .fp_i(st_fp_o),
      .wk_i(st_wk_o),
      .blk_i(st_blk_o),
      .snd_i(st_snd_o),
      .rs_i(st_rs_o),
      .sl_run_i(st_sl_run_o),
      .sl_steps_i(st_sl_steps_o),
      .ent_we_i(st_ent_we_o),
      .ent_addr_i(st_ent_addr_o),
      .ent_ccti_i(st_ent_ccti_o),
      .ent_run_i(st_ent_run_o),
      .ent_t0_i(st_ent_t0_o),
      .ent_seen_i(st_ent_seen_o),
      .ent_esl_i(st_ent_esl_o),
      .lti_we_i(st_lti_we_o),
      .lti_addr_i(st_lti_addr_o),
      .lti_valid_i(st_lti_valid_o),
      .lti_i(st_lti_o),
      .lti_len_i(st_lti_len_o)
  );
`else
  wire unused_check = &{1'b0, ird};
`endif
endmodule

`default_nettype wire
