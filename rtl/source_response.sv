// Source response of a host channel adapter for schemes with acknowledgements: windows, rates and waiting slots of the
// flows, moved by the marks that ACKs bring back, and the choice of the flow that may inject next. Per-flow state is in
// memories, swept after reset. Rules AK5-AK7, SR1-SR3, VR1-VR5, H5-H8; docs/source-response.md.
`default_nettype none

module source_response #(
    parameter int VLS = 1,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int TS_W = 24,
    parameter int PARITY = 0,
    localparam int NV = (VL_BY_DEST != 0 || VLS < 16) ? VLS : 16,  // lanes
    localparam int NC = (VL_BY_DEST != 0) ? VLS : 16               // flow pointers
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             cfg_we_i,
    input  wire logic             cfg_re_i,
    input  wire logic [7:0]       cfg_addr_i,
    input  wire logic [31:0]      cfg_data_i,
    input  wire logic             wt_we_i,         // waiting times
    input  wire logic [15:0]      wt_addr_i,
    input  wire logic [31:0]      wt_data_i,
    input  wire logic             attr_we_i,       // SL of a flow
    input  wire logic [15:0]      attr_flow_i,
    input  wire logic [3:0]       attr_sl_i,
    input  wire logic             ack_valid_i,     // a packet is acknowledged
    input  wire logic [15:0]      ack_flow_i,
    input  wire logic [2:0]       ack_bits_i,      // BECN, MB, VB
    input  wire logic             post_valid_i,    // a packet is posted into an empty queue
    input  wire logic [15:0]      post_flow_i,
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
    output logic [FLOWS-1:0]      blocked_o,       // per flow: waits for its window or its delay
    output logic [15:0]           err_o,
    output logic                  cfg_rvalid_o,
    output logic [31:0]           cfg_rdata_o,
    output logic [TS_W-1:0]       st_now_o,        // architectural state for lockstep
    output logic [15:0]           st_vp_o,
    output logic [FLOWS-1:0]      st_went_o,
    output logic [16*NV-1:0]      st_sp_o,
    output logic [16*NC-1:0]      st_fp_o,
    output logic [15:0]           st_wk_o,
    output logic [FLOWS-1:0]      st_blk_o,
    output logic                  st_snd_o,
    output logic [FLOWS-1:0]      st_out_o,
    output logic [FLOWS-1:0]      st_adj_o,
    output logic                  st_rsp_we_o,
    output logic [15:0]           st_rsp_addr_o,
    output logic [8:0]            st_rsp_acked_o,
    output logic [7:0]            st_rsp_win_o,
    output logic [32:0]           st_rsp_x_o,
    output logic [3:0]            st_rsp_j_o,
    output logic                  st_rsp_av_o,
    output logic [TS_W-1:0]       st_rsp_at_o,
    output logic                  st_lti_we_o,
    output logic [15:0]           st_lti_addr_o,
    output logic                  st_lti_valid_o,
    output logic [TS_W-1:0]       st_lti_o,
    output logic [6:0]            st_lti_len_o,
    output logic [8:0]            st_lti_taken_o
);
  localparam int NE = (FLOWS > 16) ? FLOWS : 16;  // cycles of the sweep after reset; entities of the selection
  localparam int NF = (FLOWS > 1) ? FLOWS : 2;    // (so that an illegal number of flows is told as such)
  localparam int FW = $clog2(NF);
  localparam int EW = $clog2(NE);
  localparam int LW = (NV > 1) ? $clog2(NV) : 1;
  localparam int RSP_W = TS_W + 55;               // {acked 9, win 8, x 33, j 4, av, at}
  localparam int LTI_W = TS_W + 17;               // {valid, time, len 7, taken 9}

  if (VLS < 1 || VLS > 64 || (VL_BY_DEST == 0 && VLS > 16)) begin : g_bad_vls
    $error("parameter VLS must be 1..16, or 1..64 with VL_BY_DEST = 1");
  end
  if (VL_BY_DEST != 0 && VL_BY_DEST != 1) begin : g_bad_vl_by_dest
    $error("parameter VL_BY_DEST must be 0 or 1");
  end
  if (FLOWS < 2 || FLOWS > 4096) begin : g_bad_flows
    $error("FLOWS must be 2..4096");
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
  logic rsp_used_a, rsp_used_b, lti_used_a, lti_used_b, lti_used_c, wt_used;
  logic own_err, regs_err, flow_sl_err, rsp_err, lti_err, wt_err, sent_err, ageing_err, update_err, verdict_err, select_err;

  // ---- sweep after reset
  logic          ready_q, ready_d;
  logic [EW-1:0] init_q, init_d;

  always_comb begin
    ready_d = ready_q;
    init_d = init_q;
    if (rst_i) begin
      ready_d = 1'b0;
      init_d = '0;
    end else if (!ready_q) begin
      ready_d = init_q == EW'(NE - 1);
      init_d = init_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    ready_q <= ready_d;
    init_q <= init_d;
  end

  assign ready_o = ready_q;

  // ---- configuration
  logic        enable, lipd, aimd, rate, slots, dyn, from_ack, rtt_unit, reset_empty, windows;
  logic [7:0]  wmax, win_max;
  logic [3:0]  g, ws_steps, interval;
  logic [15:0] rtt_min, sevmap, err_clear;

  response_regs #(.PARITY(PARITY)) u_regs (
      .clk_i, .rst_i,
      .we_i(cfg_we_i && ready_q),
      .re_i(cfg_re_i && ready_q),
      .addr_i(cfg_addr_i),
      .data_i(cfg_data_i),
      .err_i(err_o),
      .enable_o(enable),
      .lipd_o(lipd),
      .aimd_o(aimd),
      .rate_o(rate),
      .slots_o(slots),
      .dyn_o(dyn),
      .from_ack_o(from_ack),
      .unit_o(rtt_unit),
      .reset_empty_o(reset_empty),
      .wmax_o(wmax),
      .win_max_o(win_max),
      .windows_o(windows),
      .g_o(g),
      .ws_steps_o(ws_steps),
      .rtt_min_o(rtt_min),
      .sevmap_o(sevmap),
      .interval_o(interval),
      .err_clear_o(err_clear),
      .rvalid_o(cfg_rvalid_o),
      .rdata_o(cfg_rdata_o),
      .parity_err_o(regs_err)
  );

  // ---- time
  logic [TS_W-1:0] now_q, now_d;

  assign now_d = rst_i ? '0 : ready_q ? now_q + 1'b1 : now_q;

  always_ff @(posedge clk_i) now_q <= now_d;

  // ---- legal accesses
  logic attr_ok, ack_ok, post_ok, wt_ok;

  assign attr_ok = attr_flow_i < 16'(FLOWS);
  assign ack_ok = ack_flow_i < 16'(FLOWS);
  assign post_ok = post_flow_i < 16'(FLOWS);
  assign wt_ok = wt_addr_i < 16'd16;

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

  // ---- response words: read by the update pipeline (a) and the selection (b)
  logic             upd_we, rsp_we;
  logic [FW-1:0]    upd_raddr, upd_waddr, rsp_waddr, visit_raddr;
  logic [RSP_W-1:0] upd_wdata, rsp_wdata, rsp_rdata_a, rsp_rdata_b;

  always_comb begin
    rsp_we = upd_we;
    rsp_waddr = upd_waddr;
    rsp_wdata = upd_wdata;
    if (!ready_q) begin
      rsp_we = 32'(init_q) < FLOWS;
      rsp_waddr = FW'(init_q);
      rsp_wdata = '0;
    end
  end

  ram_sync #(.WIDTH(RSP_W), .DEPTH(FLOWS), .READS(2), .PARITY(PARITY)) u_words (
      .clk_i,
      .we_i(rsp_we),
      .waddr_i(rsp_waddr),
      .wdata_i(rsp_wdata),
      .re_i(2'b11),
      .raddr_i({visit_raddr, upd_raddr}),
      .rdata_o({rsp_rdata_b, rsp_rdata_a}),
      .used_i({rsp_used_b, rsp_used_a}),
      .parity_err_o(rsp_err)
  );

  // ---- the packet being sent, and how many its flow had accepted with it
  logic            accept, snd_valid, snd_put;
  logic [EW-1:0]   accept_ent;
  logic [FW-1:0]   accept_flow, snd_flow;
  logic [6:0]      snd_len, len;
  logic [TS_W-1:0] snd_lti;
  logic [8:0]      snd_taken_q, snd_taken_d, picked_taken;

  // (Yosys must know a module's ports before it reads '0 in a connection.)
  assign len = (inj_len_i == '0) ? 7'd1 : inj_len_i;
  assign accept_flow = accept_ent[FW-1:0];

  sent_packet #(.NE(NF), .TS_W(TS_W), .PARITY(PARITY)) u_sent (
      .clk_i, .rst_i,
      .interval_i(interval),
      .now_i(now_q),
      .accept_i(accept),
      .ent_i(accept_flow),
      .len_i(len),
      .sent_i,
      .valid_o(snd_valid),
      .ent_o(snd_flow),
      .len_o(snd_len),
      .put_o(snd_put),
      .lti_o(snd_lti),
      .parity_err_o(sent_err)
  );

  always_comb begin
    snd_taken_d = snd_taken_q;
    if (rst_i) snd_taken_d = '0;
    else if (accept) snd_taken_d = picked_taken + 1'b1;
    else if (snd_put) snd_taken_d = '0;
  end

  always_ff @(posedge clk_i) snd_taken_q <= snd_taken_d;

  // ---- last transmissions: read by the ageing (a), the update pipeline (b) and the selection (c)
  logic             forget, put_we, lti_we;
  logic [FW-1:0]    forget_flow, put_addr, lti_waddr, last_flow;
  logic [LTI_W-1:0] put_data, last_data, lti_wdata, lti_rdata_a, lti_rdata_b, lti_rdata_c;

  always_comb begin
    put_we = snd_put || forget;
    put_addr = '0;
    put_data = '0;
    if (snd_put) begin  // the ageing does not write then
      put_addr = snd_flow;
      put_data = {1'b1, snd_lti, snd_len, snd_taken_q};
    end else if (forget) begin
      put_addr = forget_flow;
      put_data = LTI_W'(lti_rdata_a[8:0]);
    end
    lti_we = put_we;
    lti_waddr = put_addr;
    lti_wdata = put_data;
    if (!ready_q) begin
      lti_we = 32'(init_q) < FLOWS;
      lti_waddr = FW'(init_q);
      lti_wdata = '0;
    end
  end

  ram_sync #(.WIDTH(LTI_W), .DEPTH(FLOWS), .READS(3), .PARITY(PARITY)) u_lti (
      .clk_i,
      .we_i(lti_we),
      .waddr_i(lti_waddr),
      .wdata_i(lti_wdata),
      .re_i(3'b111),
      .raddr_i({visit_raddr, upd_raddr, forget_flow}),
      .rdata_o({lti_rdata_c, lti_rdata_b, lti_rdata_a}),
      .used_i({lti_used_c, lti_used_b, lti_used_a}),
      .parity_err_o(lti_err)
  );

  lti_ageing #(.NE(NF), .TS_W(TS_W), .PARITY(PARITY)) u_ageing (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .now_i(now_q),
      .put_i(snd_put),
      .ent_o(forget_flow),
      .used_o(lti_used_a),
      .lv_i(lti_rdata_a[LTI_W-1]),
      .lti_i(lti_rdata_a[16+:TS_W]),
      .forget_o(forget),
      .parity_err_o(ageing_err)
  );

  wire unused_lti = &{1'b0, lti_rdata_a[15:9], lti_rdata_b[LTI_W-2:9]};

  assign last_flow = st_lti_addr_o[FW-1:0];
  assign last_data = {st_lti_valid_o, st_lti_o, st_lti_len_o, st_lti_taken_o};

  // ---- waiting times
  logic        wt_we;
  logic [3:0]  wt_waddr, wt_raddr;
  logic [31:0] wt_wdata, wt_rdata;

  always_comb begin
    wt_we = wt_we_i && wt_ok;
    wt_waddr = wt_addr_i[3:0];
    wt_wdata = wt_data_i;
    if (!ready_q) begin
      wt_we = 32'(init_q) < 16;
      wt_waddr = 4'(init_q);
      wt_wdata = '0;
    end
  end

  ram_sync #(.WIDTH(32), .DEPTH(16), .PARITY(PARITY)) u_waits (
      .clk_i,
      .we_i(wt_we),
      .waddr_i(wt_waddr),
      .wdata_i(wt_wdata),
      .re_i(1'b1),
      .raddr_i(wt_raddr),
      .rdata_o(wt_rdata),
      .used_i(wt_used),
      .parity_err_o(wt_err)
  );

  // ---- ACKs and the sweep
  logic ack, post, stray, lost, bad_bits;

  assign ack = ack_valid_i && ack_ok && ready_q;
  assign post = post_valid_i && post_ok && ready_q && reset_empty && wmax != '0;

  response_update #(.FLOWS(FLOWS), .TS_W(TS_W), .PARITY(PARITY)) u_update (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .now_i(now_q),
      .enable_i(enable),
      .windows_i(windows),
      .lipd_i(lipd),
      .aimd_i(aimd),
      .rate_i(rate),
      .slots_i(slots),
      .dyn_i(dyn),
      .win_max_i(win_max),
      .g_i(g),
      .ws_steps_i(ws_steps),
      .sevmap_i(sevmap),
      .ack_valid_i(ack),
      .ack_flow_i(ack_flow_i[FW-1:0]),
      .ack_bits_i,
      .post_i(post),
      .post_flow_i(post_flow_i[FW-1:0]),
      .accept_i(accept),
      .accept_flow_i(accept_flow),
      .snd_valid_i(snd_valid),
      .snd_flow_i(snd_flow),
      .snd_taken_i(snd_taken_q),
      .raddr_o(upd_raddr),
      .rsp_rdata_i(rsp_rdata_a),
      .lv_rdata_i(lti_rdata_b[LTI_W-1]),
      .taken_rdata_i(lti_rdata_b[8:0]),
      .last_put_i(st_lti_we_o),
      .last_flow_i(last_flow),
      .last_lv_i(st_lti_valid_o),
      .last_taken_i(st_lti_taken_o),
      .rsp_used_o(rsp_used_a),
      .lti_used_o(lti_used_b),
      .we_o(upd_we),
      .waddr_o(upd_waddr),
      .wdata_o(upd_wdata),
      .out_o(st_out_o),
      .adj_o(st_adj_o),
      .stray_o(stray),
      .lost_o(lost),
      .bad_bits_o(bad_bits),
      .parity_err_o(update_err)
  );

  // ---- selection: among entities, which are the flows here
  logic [FW-1:0]    inj_flow;
  logic [EW-1:0]    wk, v1_ent, v2_ent, v3_ent;
  logic [LW-1:0]    vp;
  logic [4*NV-1:0]  sp;
  logic [FW*NC-1:0] fp;
  logic [NE-1:0]    blk;
  logic             v2_used, v3_pick, pass, soon, per_sl;

  assign per_sl = 1'b0;  // each flow has its own window and delay

  flow_select #(.VLS(VLS), .VL_BY_DEST(VL_BY_DEST), .FLOWS(FLOWS), .PARITY(PARITY)) u_select (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .enable_i(enable),
      .sl_mode_i(per_sl),
      .sl_i(flow_sl),
      .req_i, .stop_i, .sl_ok_i, .inj_ready_i,
      .v1_ent_o(v1_ent),
      .v2_ent_o(v2_ent),
      .v3_ent_o(v3_ent),
      .v2_used_o(v2_used),
      .v3_used_o(wt_used),
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
      .blk_o(blk),
      .blocked_o,
      .parity_err_o(select_err)
  );

  assign visit_raddr = v1_ent[FW-1:0];
  assign rsp_used_b = v2_used;
  assign inj_flow_o = 16'(inj_flow);
  wire unused_ent = &{1'b0, accept_ent, v1_ent, v2_ent, v3_ent, blk};  // with fewer than 16 flows

  response_verdict #(.FLOWS(FLOWS), .TS_W(TS_W), .PARITY(PARITY)) u_verdict (
      .clk_i, .rst_i,
      .enable_i(enable),
      .rate_i(rate),
      .slots_i(slots),
      .dyn_i(dyn),
      .from_ack_i(from_ack),
      .unit_i(rtt_unit),
      .wmax_i(wmax),
      .win_max_i(win_max),
      .g_i(g),
      .ws_steps_i(ws_steps),
      .rtt_min_i(rtt_min),
      .interval_i(interval),
      .now_i(now_q),
      .adj_i(st_adj_o),
      .v1_flow_i(visit_raddr),
      .v2_flow_i(v2_ent[FW-1:0]),
      .v3_flow_i(v3_ent[FW-1:0]),
      .v2_used_i(v2_used),
      .v3_pick_i(v3_pick),
      .snd_valid_i(snd_valid),
      .snd_flow_i(snd_flow),
      .snd_len_i(snd_len),
      .snd_taken_i(snd_taken_q),
      .rsp_rdata_i(rsp_rdata_b),
      .lti_rdata_i(lti_rdata_c),
      .put_i(put_we),
      .put_flow_i(put_addr),
      .put_data_i(put_data),
      .last_put_i(st_lti_we_o),
      .last_flow_i(last_flow),
      .last_data_i(last_data),
      .lti_used_o(lti_used_c),
      .wt_raddr_o(wt_raddr),
      .wt_rdata_i(wt_rdata),
      .pass_o(pass),
      .soon_o(soon),
      .picked_taken_o(picked_taken),
      .parity_err_o(verdict_err)
  );

  // ---- sticky errors: 0 BAD_ADDR, 1 BAD_LEN, 2 STRAY_ACK, 3 ACK_LOST, 4 MARK_BITS, 15 PARITY
  logic [15:0] err_set, err_d;

  always_comb begin
    err_set = '0;
    err_set[0] = ready_q && ((ack_valid_i && !ack_ok) || (attr_we_i && !attr_ok) || (post_valid_i && !post_ok)
        || (wt_we_i && !wt_ok));
    err_set[1] = accept && inj_len_i == '0;
    err_set[2] = stray;
    err_set[3] = lost;
    err_set[4] = bad_bits;
    err_set[15] = |{own_err, regs_err, flow_sl_err, rsp_err, lti_err, wt_err, sent_err, ageing_err, update_err,
        verdict_err, select_err};
  end

  assign err_d = rst_i ? '0 : (err_o & ~err_clear) | err_set;

  always_ff @(posedge clk_i) err_o <= err_d;

  // ---- state shown
  assign st_now_o = now_q;
  assign st_vp_o = 16'(vp);
  assign st_wk_o = 16'(wk);
  assign st_snd_o = snd_valid;
  assign st_blk_o = blk[FLOWS-1:0];
  for (genvar v = 0; v < NV; v++) begin : g_sp
    assign st_sp_o[16*v+:16] = 16'(sp[4*v+:4]);
  end
  for (genvar c = 0; c < NC; c++) begin : g_fp
    assign st_fp_o[16*c+:16] = 16'(fp[FW*c+:FW]);
  end
  assign st_rsp_we_o = upd_we;
  assign st_rsp_addr_o = 16'(upd_waddr);
  assign {st_rsp_acked_o, st_rsp_win_o, st_rsp_x_o, st_rsp_j_o, st_rsp_av_o, st_rsp_at_o} = upd_wdata;

  logic             st_lti_we_d;
  logic [15:0]      st_lti_addr_d;
  logic [LTI_W-1:0] st_lti_word_d;

  assign st_lti_we_d = put_we && !rst_i;
  assign st_lti_addr_d = rst_i ? '0 : 16'(put_addr);
  assign st_lti_word_d = rst_i ? '0 : put_data;

  always_ff @(posedge clk_i) begin
    st_lti_we_o <= st_lti_we_d;
    st_lti_addr_o <= st_lti_addr_d;
    {st_lti_valid_o, st_lti_o, st_lti_len_o, st_lti_taken_o} <= st_lti_word_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{ready_d, init_d, now_d, err_d, snd_taken_d, st_lti_we_d, st_lti_addr_d, st_lti_word_d}),
      .now_i(^{ready_q, init_q, now_q, err_o, snd_taken_q, st_lti_we_o, st_lti_addr_o, last_data}),
      .err_o(own_err)
  );
`ifdef QUELL_CHECK
  source_response_checker #(
      .VLS(VLS), .VL_BY_DEST(VL_BY_DEST), .FLOWS(FLOWS), .TS_W(TS_W)
  ) u_check (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .enable_i(enable),
      .rate_i(rate),
      .slots_i(slots),
      .dyn_i(dyn),
      .from_ack_i(from_ack),
      .unit_i(rtt_unit),
      .reset_empty_i(reset_empty),
      .wmax_i(wmax),
      .g_i(g),
      .ws_steps_i(ws_steps),
      .rtt_min_i(rtt_min),
      .sevmap_i(sevmap),
      .interval_i(interval),
      .cfg_we_i, .cfg_addr_i, .wt_we_i, .wt_addr_i, .wt_data_i, .attr_we_i, .attr_flow_i,
      .ack_valid_i, .ack_flow_i, .ack_bits_i, .post_valid_i, .post_flow_i,
      .flow_sl_i(flow_sl),
      .req_i, .stop_i, .sl_ok_i, .inj_ready_i, .inj_len_i, .sent_i,
      .parity_err_i(err_set[15]),
      .err_clear_i(err_clear),
      .inj_valid_i(inj_valid_o),
      .inj_flow_i(inj_flow_o),
      .inj_sl_i(inj_sl_o),
      .blocked_i(blocked_o),
      .err_i(err_o),
      .now_i(st_now_o),
      .vp_i(st_vp_o),
      .went_i(st_went_o),
      .sp_i(st_sp_o),
      .fp_i(st_fp_o),
      .wk_i(st_wk_o),
      .blk_i(st_blk_o),
      .snd_i(st_snd_o),
      .out_i(st_out_o),
      .adj_i(st_adj_o),
      .rsp_we_i(st_rsp_we_o),
      .rsp_addr_i(st_rsp_addr_o),
      .rsp_acked_i(st_rsp_acked_o),
      .rsp_win_i(st_rsp_win_o),
      .rsp_x_i(st_rsp_x_o),
      .rsp_j_i(st_rsp_j_o),
      .rsp_av_i(st_rsp_av_o),
      .rsp_at_i(st_rsp_at_o),
      .lti_we_i(st_lti_we_o),
      .lti_addr_i(st_lti_addr_o),
      .lti_valid_i(st_lti_valid_o),
      .lti_i(st_lti_o),
      .lti_len_i(st_lti_len_o),
      .lti_taken_i(st_lti_taken_o)
  );
`endif
endmodule

`default_nettype wire
