// Both ends of the speculative reservation protocol in a host channel adapter. The destination's end is reservation_schedule; the
// source's is a table with a word a flow, on which one operation is made in every cycle, chosen in one cycle (reservation_pick)
// and carried out in the next (reservation_step), and two registers in front of the output: the RES and the offered packet. With
// DEDUP what is lost goes again, and what came is not taken twice (reservation_seen). Rules Q10 to Q22; docs/reservation.md.
`default_nettype none

module reservation #(
    parameter int VLS = 4,
    parameter int MTU = 32,
    parameter int FLOWS = 64,
    parameter int CTL_BLOCKS = 64,
    parameter int CNT_W = 32,
    parameter int NMAX = 16,
    parameter int MSGQ = 8,
    parameter int REPQ = 16,
    parameter int NOW_W = 32,
    parameter int DEDUP = 0,  // 1: losses end
    localparam int D = (VLS > 3) ? VLS - 3 : 1  // lanes of data
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             cfg_we_i,
    input  wire logic             cfg_re_i,
    input  wire logic [7:0]       cfg_addr_i,
    input  wire logic [31:0]      cfg_data_i,
    input  wire logic             attr_we_i,       // SL of a flow
    input  wire logic [15:0]      attr_flow_i,
    input  wire logic [3:0]       attr_sl_i,
    input  wire logic             post_valid_i,    // the host posts a message
    input  wire logic [15:0]      post_flow_i,
    input  wire logic [15:0]      post_pkts_i,
    input  wire logic [6:0]       post_last_i,
    input  wire logic [23:0]      post_psn_i,
    input  wire logic [8:0]       room_i,          // per lane: credits allow an MTU packet
    input  wire logic [8:0]       link_room_i,     // the same of the link's credits alone, lanes of data
    input  wire logic             ungranted_i,     // a packet chosen before has not left the adapter's queues
    input  wire logic             inj_ready_i,
    input  wire logic             res_ready_i,
    input  wire logic             rep_valid_i,     // a reply came
    input  wire logic [1:0]       rep_kind_i,
    input  wire logic [15:0]      rep_flow_i,
    input  wire logic [12:0]      rep_id_i,
    input  wire logic [7:0]       rep_seq_i,
    input  wire logic [31:0]      rep_wait_i,
    input  wire logic             rin_valid_i,     // a RES came
    input  wire logic [15:0]      rin_slid_i,
    input  wire logic [3:0]       rin_sl_i,
    input  wire logic [12:0]      rin_id_i,
    input  wire logic [15:0]      rin_size_i,
    input  wire logic             end_valid_i,     // the host takes the end of a SPEC packet
    input  wire logic             end_bad_i,
    input  wire logic [15:0]      end_slid_i,
    input  wire logic [3:0]       end_sl_i,
    input  wire logic [12:0]      end_id_i,
    input  wire logic [7:0]       end_seq_i,
    input  wire logic             out_ready_i,
    input  wire logic             rep_rty_i,       // flags of what came, with DEDUP
    input  wire logic             rep_init_i,
    input  wire logic             rin_init_i,
    input  wire logic             end_rty_i,
    input  wire logic             see_look_i,      // of a source a packet begins, ends, or a RES is here
    input  wire logic             see_mark_i,
    input  wire logic             see_res_i,
    input  wire logic             see_init_i,
    input  wire logic [15:0]      see_flow_i,
    input  wire logic [12:0]      see_id_i,
    input  wire logic [7:0]       see_seq_i,
    input  wire logic             see_ok_i,        // and came whole and good, a cycle later
    input  wire logic             see_spec_i,      // a SPEC packet begins,
    input  wire logic             see_pass_i,      // or one ends that is not told apart
    input  wire logic [23:0]      see_psn_i,
    input  wire logic             walk_valid_i,    // a packet without reservation came
    input  wire logic [6:0]       walk_len_i,
    output logic                  ready_o,
    output logic [FLOWS-1:0]      gen_full_o,
    output logic                  inj_valid_o,     // a packet to send
    output logic [1:0]            inj_kind_o,
    output logic [15:0]           inj_flow_o,
    output logic [3:0]            inj_sl_o,
    output logic [3:0]            inj_lane_o,
    output logic [6:0]            inj_len_o,
    output logic [23:0]           inj_psn_o,
    output logic [12:0]           inj_id_o,
    output logic [7:0]            inj_seq_o,
    output logic [7:0]            inj_n_o,
    output logic                  inj_last_o,
    output logic                  res_valid_o,     // a RES to send
    output logic [15:0]           res_flow_o,
    output logic [3:0]            res_sl_o,
    output logic [12:0]           res_id_o,
    output logic [7:0]            res_n_o,
    output logic [15:0]           res_size_o,
    output logic                  res_last_o,
    output logic                  out_valid_o,     // a reply to send
    output logic [1:0]            out_kind_o,
    output logic [15:0]           out_lid_o,
    output logic [3:0]            out_sl_o,
    output logic [12:0]           out_id_o,
    output logic [7:0]            out_seq_o,
    output logic [31:0]           out_wait_o,
    output logic                  rin_done_o,
    output logic                  end_ok_o,
    output logic [15:0]           err_o,
    output logic                  cfg_rvalid_o,
    output logic [31:0]           cfg_rdata_o,
    output logic                  inj_rty_o,       // flags of what is sent
    output logic                  res_rty_o,
    output logic                  res_init_o,
    output logic                  out_rty_o,
    output logic                  out_init_o,
    output logic                  see_drop_o,      // what came in the cycle before is not to be taken,
    output logic                  see_ack_o,       // but acknowledged
    output logic [12:0]           see_known_o,     // last chunk of its source
    output logic [NOW_W-1:0]      st_now_o,        // architectural state for lockstep
    output logic [NOW_W-1:0]      st_t_o,
    output logic                  st_tv_o,
    output logic [15:0]           st_res_pkts_o,
    output logic [15:0]           st_rep_pkts_o,
    output logic                  st_turn_o,
    output logic [FLOWS-1:0]      st_rs_o,
    output logic [FLOWS-1:0]      st_sp_o,
    output logic [FLOWS-1:0]      st_go_o,
    output logic [FLOWS-1:0]      st_wt_o,
    output logic [FLOWS-1:0]      st_pq_o,
    output logic                  st_tab_we_o,     // write to the table in this cycle
    output logic [15:0]           st_tab_addr_o,
    output logic [2:0]            st_tab_st_o,
    output logic                  st_tab_byp_o,
    output logic [12:0]           st_tab_id_o,
    output logic [6:0]            st_tab_n_o,
    output logic [15:0]           st_tab_rem_o,
    output logic                  st_tab_got_o,
    output logic [NMAX-1:0]       st_tab_todo_o,
    output logic [NMAX-1:0]       st_tab_out_o,
    output logic [NOW_W-1:0]      st_tab_due_o,
    output logic                  st_b_o,
    output logic [15:0]           st_b_flow_o,
    output logic [2:0]            st_op_ptr_o,
    output logic [15:0]           st_ptr_e_o,
    output logic [15:0]           st_ptr_p_o,
    output logic [15:0]           st_ptr_w_o,
    output logic [15:0]           st_ptr_s_o,
    output logic [3:0]            st_lane_o,
    output logic [16*D-1:0]       st_ptr_g_o,
    output logic [FLOWS-1:0]      st_op_o,
    output logic [FLOWS-1:0]      st_init_o,
    output logic                  st_quiet_o,
    output logic [NMAX-1:0]       st_tab_rty_o,
    output logic                  st_tab_again_o,
    output logic [NOW_W-1:0]      st_tab_stamp_o,
    output logic                  st_see_we_o,     // write to the table of sources, decided in the cycle before
    output logic [15:0]           st_see_addr_o,
    output logic                  st_see_v_o,
    output logic [12:0]           st_see_id_o,
    output logic [NMAX-1:0]       st_see_got_o,
    output logic                  st_see_nv_o,
    output logic [23:0]           st_see_next_o
);
  localparam int NF = (FLOWS > 1) ? FLOWS : 2;  // (so that an illegal number of flows is told as such)
  localparam int FW = $clog2(NF);
  localparam int CORE_W = 71 + 2 * NMAX + NOW_W;
  localparam int WORD_W = (DEDUP != 0) ? CORE_W + NMAX + 1 + NOW_W : CORE_W;

  if (VLS < 4 || VLS > 11) begin : g_bad_vls
    $error("VLS must be 4..11: 1 to 8 lanes of data and three more");
  end
  if (MTU < 1 || MTU > 64) begin : g_bad_mtu
    $error("MTU must be 1..64");
  end
  if (FLOWS < 2 || FLOWS > 4096) begin : g_bad_flows
    $error("FLOWS must be 2..4096");
  end
  if (CTL_BLOCKS < 2 || CTL_BLOCKS > 512) begin : g_bad_ctl_blocks
    $error("CTL_BLOCKS must be 2..512");
  end
  if (CNT_W < 2 || CNT_W > 32) begin : g_bad_cnt_w
    $error("CNT_W must be 2..32");
  end
  if (NMAX < 1 || NMAX > 64 || (NMAX & (NMAX - 1)) != 0) begin : g_bad_nmax
    $error("NMAX must be a power of two, 1..64");
  end
  if (MSGQ < 2 || MSGQ > 64 || (MSGQ & (MSGQ - 1)) != 0) begin : g_bad_msgq
    $error("MSGQ must be a power of two, 2..64");
  end
  if (REPQ < 2 || REPQ > 256 || (REPQ & (REPQ - 1)) != 0) begin : g_bad_repq
    $error("REPQ must be a power of two, 2..256");
  end
  if (NOW_W < 12 || NOW_W > 32) begin : g_bad_now_w
    $error("NOW_W must be 12..32");
  end else if (64'(FLOWS) * 64 >= 64'd1 << (NOW_W - 1) || 64'(FLOWS) * 64'(NMAX * MTU) * 2 >= 64'd1 << (NOW_W - 2)) begin : g_small_now_w
    $error("NOW_W is too small: FLOWS * 64 must be less than 2^(NOW_W-1), FLOWS * NMAX * MTU * 2 less than 2^(NOW_W-2)");
  end

  if (DEDUP != 0 && DEDUP != 1) begin : g_bad_dedup
    $error("DEDUP must be 0 or 1");
  end

  // ---- sweep after reset, then time
  logic             ready_q;
  logic [FW-1:0]    init_q;
  logic [NOW_W-1:0] now_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      ready_q <= 1'b0;
      init_q <= '0;
      now_q <= '0;
    end else if (ready_q) begin
      now_q <= now_q + 1'b1;
    end else begin
      ready_q <= init_q == FW'(FLOWS - 1);
      init_q <= init_q + 1'b1;
    end
  end

  assign ready_o = ready_q;

  // ---- configuration
  logic        srp_en, rtt_comp, spec_off, merge, fast, inorder, walkin;
  logic [NOW_W-1:0] rto;
  logic [15:0] eps, nmin, err_clear;
  logic [6:0]  nmax_run;
  logic [3:0]  rx_interval;
  logic        load_s, res_take, grant_acts, ack_acts, nack_acts, stale, wasted, lost;
  logic [1:0]  s_kind;

  reservation_regs #(.NMAX(NMAX), .CNT_W(CNT_W), .NOW_W(NOW_W), .DEDUP(DEDUP)) u_regs (
      .clk_i, .rst_i,
      .we_i(cfg_we_i && ready_q),
      .re_i(cfg_re_i && ready_q),
      .addr_i(cfg_addr_i),
      .data_i(cfg_data_i),
      .err_i(err_o),
      .count_spec_i(load_s && s_kind == quell_pkg::SRP_SPEC),
      .count_granted_i(load_s && s_kind == quell_pkg::SRP_GRANTED),
      .count_bypass_i(load_s && s_kind == quell_pkg::SRP_BYPASS),
      .count_res_i(res_take),
      .count_grant_i(grant_acts),
      .count_ack_i(ack_acts),
      .count_nack_i(nack_acts),
      .count_stale_i(stale),
      .count_wasted_i(wasted),
      .count_rto_i(lost),
      .count_dup_i(see_drop_o),
      .srp_en_o(srp_en),
      .rtt_comp_o(rtt_comp),
      .spec_off_o(spec_off),
      .merge_o(merge),
      .fast_o(fast),
      .inorder_o(inorder),
      .walkin_o(walkin),
      .rto_o(rto),
      .eps_o(eps),
      .nmax_run_o(nmax_run),
      .nmin_o(nmin),
      .rx_interval_o(rx_interval),
      .err_clear_o(err_clear),
      .rvalid_o(cfg_rvalid_o),
      .rdata_o(cfg_rdata_o)
  );

  // ---- SL of each flow
  logic [4*NF-1:0] flow_sl;
  logic            attr_ok, flow_sl_err;

  assign attr_ok = attr_flow_i < 16'(FLOWS);

  flow_sl #(.FLOWS(NF)) u_flow_sl (
      .clk_i, .rst_i,
      .we_i(attr_we_i && attr_ok && ready_q),
      .flow_i(attr_flow_i[FW-1:0]),
      .sl_i(attr_sl_i),
      .sl_o(flow_sl),
      .parity_err_o(flow_sl_err)
  );

  // ---- destination
  logic bad_res, res_full, end_lost;

  reservation_schedule #(
      .FLOWS(FLOWS), .MTU(MTU), .NMAX(NMAX), .CTL_BLOCKS(CTL_BLOCKS), .REPQ(REPQ), .NOW_W(NOW_W), .DEDUP(DEDUP)
  ) u_schedule (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .now_i(now_q),
      .eps_i(eps),
      .rx_interval_i(rx_interval),
      .rin_valid_i, .rin_slid_i, .rin_sl_i, .rin_id_i, .rin_size_i, .rin_init_i, .rin_done_o,
      .end_valid_i, .end_bad_i, .end_slid_i, .end_sl_i, .end_id_i, .end_seq_i, .end_rty_i, .end_ok_o,
      .walk_valid_i(walk_valid_i && walkin),
      .walk_len_i,
      .out_ready_i, .out_valid_o, .out_kind_o, .out_lid_o, .out_sl_o, .out_id_o, .out_seq_o, .out_wait_o, .out_rty_o, .out_init_o,
      .bad_res_o(bad_res),
      .res_full_o(res_full),
      .end_lost_o(end_lost),
      .t_o(st_t_o),
      .tv_o(st_tv_o),
      .res_pkts_o(st_res_pkts_o),
      .rep_pkts_o(st_rep_pkts_o),
      .turn_o(st_turn_o)
  );

  // ---- messages
  logic          post_ok, gen_full, head_pop;
  logic [FW-1:0] start_flow;
  logic [15:0]   head_pkts;
  logic [6:0]    head_last;
  logic [23:0]   head_psn;

  assign post_ok = post_flow_i < 16'(FLOWS) && post_pkts_i != '0 && post_last_i != '0 && post_last_i <= 7'(MTU);

  message_queues #(.FLOWS(NF), .MSGQ(MSGQ), .MTU(MTU)) u_messages (
      .clk_i, .rst_i,
      .sweep_i(!ready_q),
      .sweep_flow_i(init_q),
      .merge_i(merge),
      .post_i(post_valid_i && post_ok && ready_q),
      .post_flow_i(post_flow_i[FW-1:0]),
      .post_pkts_i, .post_last_i, .post_psn_i,
      .gen_full_o(gen_full),
      .look_flow_i(start_flow),
      .pop_i(head_pop),
      .head_pkts_o(head_pkts),
      .head_last_o(head_last),
      .head_psn_o(head_psn),
      .any_o(st_pq_o),
      .full_o(gen_full_o)
  );

  // ---- O0: the operation and its flow
  logic            rep_ok, b_q;
  logic [5:0]      op;  // in O1
  logic [3:0]      s_lane;
  logic [FW-1:0]   look_flow, flow, b_flow_q;
  logic [FW-1:0]   ptr_e, ptr_p, ptr_w, ptr_s;
  logic [FW*D-1:0] ptr_g;
  logic [NF-1:0]   idle;
  logic            watch, hush;

  assign rep_ok = rep_valid_i && ready_q && rep_kind_i != '0 && rep_flow_i < 16'(FLOWS);

  assign watch = rto != '0;
  assign hush = st_quiet_o && watch;  // what was sent before the reset is still on its way

  reservation_pick #(.D(D), .FLOWS(NF)) u_pick (
      .clk_i, .rst_i,
      .reply_i(rep_ok),
      .reply_flow_i(rep_flow_i[FW-1:0]),
      .b_i(b_q),
      .b_flow_i(b_flow_q),
      .may_ask_i(!res_valid_o && !hush),
      .may_send_i(!inj_valid_o && !ungranted_i),
      .room_i(room_i[D:0]),
      .link_room_i(link_room_i[D-1:0]),
      .sl_i(flow_sl),
      .idle_i(idle),
      .pq_i(st_pq_o),
      .rs_i(st_rs_o),
      .sp_i(st_sp_o),
      .go_i(st_go_o),
      .wt_i(st_wt_o),
      .watch_i(watch),
      .busy_flow_i(flow),
      .op_o(op),
      .op_lane_o(s_lane),
      .flow_o(look_flow),
      .start_flow_o(start_flow),
      .op_ptr_o(st_op_ptr_o),
      .ptr_e_o(ptr_e),
      .ptr_p_o(ptr_p),
      .ptr_w_o(ptr_w),
      .ptr_s_o(ptr_s),
      .lane_o(st_lane_o),
      .ptr_g_o(ptr_g)
  );

  wire unused_room = &{1'b0, room_i, link_room_i};  // of lanes that are not there

  logic [1:0]  rep_kind_q;
  logic [12:0] rep_id_q;
  logic [7:0]  rep_seq_q;
  logic [31:0] rep_wait_q;
  logic        rep_rty_q, rep_init_q;

  always_ff @(posedge clk_i) begin
    rep_kind_q <= rep_kind_i;
    rep_id_q <= rep_id_i;
    rep_seq_q <= rep_seq_i;
    rep_wait_q <= rep_wait_i;
    rep_rty_q <= rep_rty_i;
    rep_init_q <= rep_init_i;
  end

  // ---- O1: the word of its flow
  logic              tab_we, noted, fin, bad_wait, again, s_rty, asks;
  logic [WORD_W-1:0] word, next_word;
  logic [NOW_W-1:0]  b_time_q;
  logic [12:0]       id;
  logic [7:0]        n, s_seq;
  logic [15:0]       size;
  logic [6:0]        s_len;
  logic [23:0]       s_psn;

  reservation_table #(.FLOWS(NF), .NMAX(NMAX), .WORD_W(WORD_W)) u_table (
      .clk_i, .rst_i,
      .sweep_i(!ready_q),
      .sweep_flow_i(init_q),
      .flow_i(look_flow),
      .we_i(tab_we),
      .word_i(next_word),
      .flow_o(flow),
      .word_o(word),
      .idle_o(idle),
      .rs_o(st_rs_o),
      .sp_o(st_sp_o),
      .go_o(st_go_o),
      .wt_o(st_wt_o)
  );

  reservation_step #(.MTU(MTU), .NMAX(NMAX), .NOW_W(NOW_W), .DEDUP(DEDUP), .WORD_W(WORD_W)) u_step (
      .op_i(op),
      .word_i(word),
      .now_i(now_q),
      .srp_en_i(srp_en),
      .rtt_comp_i(rtt_comp),
      .spec_off_i(spec_off),
      .fast_i(fast),
      .inorder_i(inorder),
      .rto_i(rto),
      .nmax_run_i(nmax_run),
      .nmin_i(nmin),
      .asks_i(asks),
      .left_i(b_q && b_flow_q == flow),
      .left_time_i(b_time_q),
      .head_pkts_i(head_pkts),
      .head_last_i(head_last),
      .head_psn_i(head_psn),
      .rep_kind_i(rep_kind_q),
      .rep_id_i(rep_id_q),
      .rep_seq_i(rep_seq_q),
      .rep_wait_i(rep_wait_q),
      .rep_rty_i(rep_rty_q),
      .rep_init_i(rep_init_q),
      .we_o(tab_we),
      .word_o(next_word),
      .noted_o(noted),
      .id_o(id),
      .n_o(n),
      .fin_o(fin),
      .size_o(size),
      .again_o(again),
      .kind_o(s_kind),
      .seq_o(s_seq),
      .len_o(s_len),
      .psn_o(s_psn),
      .rty_o(s_rty),
      .grant_o(grant_acts),
      .ack_o(ack_acts),
      .nack_o(nack_acts),
      .stale_o(stale),
      .lost_o(lost),
      .bad_wait_o(bad_wait),
      .wasted_o(wasted)
  );

  assign head_pop = op[quell_pkg::SO_P];
  assign load_s = op[quell_pkg::SO_S];

  logic [3:0] sl;

  assign sl = {flow_sl[3*NF+32'(flow)], flow_sl[2*NF+32'(flow)], flow_sl[NF+32'(flow)], flow_sl[32'(flow)]};

  // ---- the RES that is offered, and the one that has left
  assign res_take = res_valid_o && res_ready_i;

  always_ff @(posedge clk_i) begin
    if (rst_i || res_take) begin
      res_valid_o <= 1'b0;
      {res_flow_o, res_sl_o, res_id_o, res_n_o, res_size_o, res_last_o, res_rty_o, res_init_o} <= '0;
    end else if (op[quell_pkg::SO_E]) begin
      res_valid_o <= 1'b1;
      {res_flow_o, res_sl_o, res_id_o, res_n_o, res_size_o, res_last_o, res_rty_o, res_init_o}
          <= {16'(flow), sl, id, n, size, fin, again, asks};
    end
    if (rst_i || noted) begin
      b_q <= 1'b0;
      b_flow_q <= '0;
    end else if (res_take) begin
      b_q <= 1'b1;
      b_flow_q <= res_flow_o[FW-1:0];
    end
    if (res_take) b_time_q <= now_q;
  end

  // ---- the packet that is offered
  always_ff @(posedge clk_i) begin
    if (rst_i || (inj_valid_o && inj_ready_i)) begin
      inj_valid_o <= 1'b0;
      {inj_kind_o, inj_flow_o, inj_sl_o, inj_lane_o, inj_len_o, inj_psn_o} <= '0;
      {inj_id_o, inj_seq_o, inj_n_o, inj_last_o, inj_rty_o} <= '0;
    end else if (load_s) begin
      inj_valid_o <= 1'b1;
      {inj_kind_o, inj_flow_o, inj_sl_o, inj_lane_o, inj_len_o, inj_psn_o} <= {s_kind, 16'(flow), sl, s_lane, s_len, s_psn};
      if (s_kind != quell_pkg::SRP_BYPASS) {inj_id_o, inj_seq_o, inj_n_o, inj_last_o, inj_rty_o} <= {id, s_seq, n, fin, s_rty};
    end
  end

  // ---- with DEDUP: flows that do not know their ids since the reset, the time since then, and what a destination knows
  if (DEDUP != 0) begin : g_dedup
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        st_init_o <= {FLOWS{1'b1}};
        st_quiet_o <= 1'b1;
      end else begin
        if (grant_acts) st_init_o[flow] <= 1'b0;
        if (ready_q && watch && now_q >= rto) st_quiet_o <= 1'b0;
      end
    end

    assign asks = st_init_o[flow];
    assign st_op_o = ~idle[FLOWS-1:0];

    reservation_seen #(.FLOWS(NF), .NMAX(NMAX)) u_seen (
        .clk_i, .rst_i,
        .sweep_i(!ready_q),
        .sweep_flow_i(init_q),
        .look_i(see_look_i),
        .mark_i(see_mark_i),
        .res_i(see_res_i),
        .init_i(see_init_i),
        .flow_i(see_flow_i),
        .id_i(see_id_i),
        .seq_i(see_seq_i),
        .ok_i(see_ok_i),
        .spec_i(see_spec_i),
        .pass_i(see_pass_i),
        .psn_i(see_psn_i),
        .inorder_i(inorder),
        .drop_o(see_drop_o),
        .ack_o(see_ack_o),
        .known_o(see_known_o),
        .st_we_o(st_see_we_o),
        .st_addr_o(st_see_addr_o),
        .st_v_o(st_see_v_o),
        .st_id_o(st_see_id_o),
        .st_got_o(st_see_got_o),
        .st_nv_o(st_see_nv_o),
        .st_next_o(st_see_next_o)
    );
  end else begin : g_dedup
    assign {st_init_o, st_op_o} = '0;
    assign {st_quiet_o, asks, see_drop_o, see_ack_o, see_known_o} = '0;
    assign {st_see_we_o, st_see_addr_o, st_see_v_o, st_see_id_o, st_see_got_o, st_see_nv_o, st_see_next_o} = '0;
    wire unused = &{1'b0, see_look_i, see_mark_i, see_res_i, see_init_i, see_flow_i, see_id_i, see_seq_i, see_ok_i, see_spec_i, see_pass_i,
        see_psn_i};
  end

  // ---- sticky errors
  logic [15:0] err_set;

  always_comb begin
    err_set = '0;
    err_set[0] = ready_q && post_valid_i && !post_ok;
    err_set[1] = gen_full;
    err_set[2] = (ready_q && rep_valid_i && !rep_ok) || bad_wait;
    err_set[3] = bad_res;
    err_set[4] = res_full;
    err_set[5] = end_lost;
    err_set[6] = ready_q && attr_we_i && !attr_ok;
  end

  always_ff @(posedge clk_i) err_o <= rst_i ? '0 : (err_o & ~err_clear) | err_set;

  // ---- state shown
  assign st_now_o = now_q;
  assign st_b_o = b_q;
  assign st_b_flow_o = 16'(b_flow_q);
  assign st_ptr_e_o = 16'(ptr_e);
  assign st_ptr_p_o = 16'(ptr_p);
  assign st_ptr_w_o = 16'(ptr_w);
  assign st_ptr_s_o = 16'(ptr_s);
  for (genvar v = 0; v < D; v++) begin : g_ptr
    assign st_ptr_g_o[16*v+:16] = 16'(ptr_g[FW*v+:FW]);
  end

  logic [30:0]      tab_psn;
  logic [NOW_W-1:0] tab_time;
  logic [2:0]       tab_st;

  always_comb begin
    {st_tab_st_o, st_tab_byp_o, st_tab_id_o, st_tab_n_o, st_tab_rem_o, tab_psn, st_tab_todo_o, st_tab_out_o, tab_time} = '0;
    if (tab_we)
      {st_tab_st_o, st_tab_byp_o, st_tab_id_o, st_tab_n_o, st_tab_rem_o, tab_psn, st_tab_todo_o, st_tab_out_o, tab_time}
          = next_word[WORD_W-1-:CORE_W];
  end

  if (DEDUP != 0) begin : g_more
    assign {st_tab_rty_o, st_tab_again_o, st_tab_stamp_o} = tab_we ? next_word[NMAX+NOW_W:0] : '0;
  end else begin : g_more
    assign {st_tab_rty_o, st_tab_again_o, st_tab_stamp_o} = '0;
  end

  assign st_tab_we_o = tab_we;
  assign st_tab_addr_o = tab_we ? 16'(flow) : '0;
  assign tab_st = st_tab_st_o;
  assign st_tab_got_o = tab_st == quell_pkg::SR_WAIT || tab_st == quell_pkg::SR_GO;
  assign st_tab_due_o = st_tab_got_o ? tab_time : '0;

  wire unused = &{1'b0, flow_sl_err, tab_psn};  // without parity

`ifdef QUELL_CHECK
  reservation_checker #(
      .D(D), .MTU(MTU), .FLOWS(NF), .CTL_BLOCKS(CTL_BLOCKS), .NMAX(NMAX), .MSGQ(MSGQ), .NOW_W(NOW_W),
      .DEDUP(DEDUP)
  ) u_check (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .srp_en_i(srp_en),
      .rtt_comp_i(rtt_comp),
      .nmax_run_i(nmax_run),
      .nmin_i(nmin),
      .merge_i(merge),
      .fast_i(fast),
      .inorder_i(inorder),
      .rto_i(rto),
      .attr_we_i, .attr_flow_i,
      .post_valid_i, .post_flow_i, .post_pkts_i, .post_last_i, .post_psn_i,
      .room_i, .link_room_i, .ungranted_i, .inj_ready_i, .res_ready_i,
      .rep_valid_i, .rep_kind_i, .rep_flow_i, .rep_id_i, .rep_seq_i, .rep_wait_i, .rep_rty_i, .rep_init_i,
      .rin_valid_i, .end_valid_i,
      .gen_full_i(gen_full_o),
      .inj_valid_i(inj_valid_o),
      .inj_kind_i(inj_kind_o),
      .inj_flow_i(inj_flow_o),
      .inj_sl_i(inj_sl_o),
      .inj_lane_i(inj_lane_o),
      .inj_len_i(inj_len_o),
      .inj_psn_i(inj_psn_o),
      .inj_id_i(inj_id_o),
      .inj_seq_i(inj_seq_o),
      .inj_n_i(inj_n_o),
      .inj_last_i(inj_last_o),
      .inj_rty_i(inj_rty_o),
      .res_valid_i(res_valid_o),
      .res_flow_i(res_flow_o),
      .res_sl_i(res_sl_o),
      .res_id_i(res_id_o),
      .res_n_i(res_n_o),
      .res_size_i(res_size_o),
      .res_last_i(res_last_o),
      .res_rty_i(res_rty_o),
      .res_init_i(res_init_o),
      .rin_done_i(rin_done_o),
      .end_ok_i(end_ok_o),
      .err_i(err_o),
      .err_clear_i(err_clear),
      .res_pkts_i(st_res_pkts_o),
      .rs_i(st_rs_o),
      .go_i(st_go_o),
      .wt_i(st_wt_o),
      .pq_i(st_pq_o),
      .flow_sl_i(flow_sl),
      .tab_we_i(st_tab_we_o),
      .tab_addr_i(st_tab_addr_o),
      .tab_st_i(st_tab_st_o),
      .tab_byp_i(st_tab_byp_o),
      .tab_id_i(st_tab_id_o),
      .tab_n_i(st_tab_n_o),
      .tab_rem_i(st_tab_rem_o),
      .tab_todo_i(st_tab_todo_o),
      .tab_out_i(st_tab_out_o),
      .tab_rty_i(st_tab_rty_o),
      .tab_again_i(st_tab_again_o),
      .b_i(b_q)
  );
`endif
endmodule

`default_nettype wire
