// Host channel adapter: generation queues, injection throttling or the response to ACKs, or with SRP reservation in place of both; an
// output side like a switch port's, reply source, receive side. The contract is docs/hca.md; rules H1, H2, H5, H7, H9, AK1 to AK5,
// AK8, CL2 (H3-H8 in the throttle; AK6, AK7, SR1-SR3, VR1-VR5 in the source response; Q10-Q22 in the reservation: it has one of the
// three), B3, F1, F2, Q1.
`default_nettype none

module hca #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int BLOCKS = 2048,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int LFT_DEPTH = 1024,
    parameter int FLIT_BYTES = 64,
    parameter int TIMER_W = 32,
    parameter int ISOLATION = 1,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int CCT = 128,
    parameter int TS_W = 24,
    parameter int ADVOQ = 8,
    parameter int RX_BLOCKS = 256,
    parameter int CNPQ = 16,
    parameter int CNT_W = 32,
    parameter int RESPONSE = 0,  // what chooses among the flows: 0 the throttle, 1 the source response
    parameter int CTL_VL = 0,  // 1: the highest VL is the control lane, for replies
    parameter int SRP = 0,  // 1: reservation chooses; the three highest VLs are spec, res and reply
    parameter int CTL_BLOCKS = 64,  // RES that may be on their way here, and the rest of it
    parameter int NMAX = 16,
    parameter int MSGQ = 8,
    parameter int REPQ = 16,
    parameter int NOW_W = 32,
    parameter int DEDUP = 0,  // 1: losses of reservation end
    parameter int PARITY = 0,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int CTL = 8 * (16 + 2 * DLIST)
) (
    input  wire logic                clk_i,
    input  wire logic                rst_i,
    input  wire logic                cfg_we_i,      // register write, to one of the units
    input  wire logic                cfg_re_i,      // and read
    input  wire logic [7:0]          cfg_unit_i,
    input  wire logic [7:0]          cfg_addr_i,
    input  wire logic [31:0]         cfg_data_i,
    input  wire logic                lft_we_i,      // forwarding table of the input port
    input  wire logic [15:0]         lft_addr_i,
    input  wire logic [7:0]          lft_port_i,
    input  wire logic                cct_we_i,      // congestion control table
    input  wire logic [15:0]         cct_addr_i,
    input  wire logic [15:0]         cct_data_i,
    input  wire logic                wt_we_i,       // waiting times of the source response
    input  wire logic [15:0]         wt_addr_i,
    input  wire logic [31:0]         wt_data_i,
    input  wire logic                attr_we_i,     // SL of a flow
    input  wire logic [15:0]         attr_flow_i,
    input  wire logic [3:0]          attr_sl_i,
    input  wire logic                gen_valid_i,   // the host posts a packet
    input  wire logic [15:0]         gen_flow_i,
    input  wire logic [6:0]          gen_len_i,
    input  wire logic [23:0]         gen_psn_i,
    input  wire logic [15:0]         gen_pkts_i,    // SRP: or a message of so many
    input  wire logic                dma_ready_i,   // the flit that dma_*_o asks for is here
    input  wire logic [DW-1:0]       dma_data_i,
    input  wire logic                host_ready_i,  // the host takes the flit shown
    input  wire logic                rx_valid_i,    // link
    input  wire logic                rx_first_i,
    input  wire logic                rx_last_i,
    input  wire logic                rx_bad_i,
    input  wire logic [DW-1:0]       rx_data_i,
    input  wire logic [CTL-1:0]      rx_ctl_i,
    input  wire logic                link_up_i,     // the link can be heard
    output logic                     ready_o,
    output logic      [FLOWS-1:0]    gen_full_o,
    output logic                     dma_valid_o,   // wanted: flit index of a packet
    output logic      [15:0]         dma_flow_o,
    output logic      [23:0]         dma_psn_o,
    output logic      [6:0]          dma_index_o,
    output logic                     host_valid_o,  // oldest flit received
    output logic                     host_first_o,
    output logic                     host_last_o,
    output logic                     host_bad_o,
    output logic      [DW-1:0]       host_data_o,
    output logic                     tx_valid_o,    // link
    output logic                     tx_first_o,
    output logic                     tx_last_o,
    output logic                     tx_bad_o,
    output logic      [DW-1:0]       tx_data_o,
    output logic      [CTL-1:0]      tx_ctl_o,
    output logic      [15:0]         err_o,
    output logic      [15:0]         err_in_o,
    output logic      [15:0]         err_out_o,
    output logic      [15:0]         err_thr_o,
    output logic                     cfg_rvalid_o,
    output logic      [31:0]         cfg_rdata_o,
    output logic      [31:0]         st_gen_pkts_o, // architectural state for lockstep
    output logic      [7:0]          st_win_o,
    output logic                     st_sending_o,
    output logic      [12*VLS-1:0]   st_inj_txr_o,
    output logic      [16*VLS-1:0]   st_used_o,
    output logic      [16*VLS-1:0]   st_cpq_fill_o,
    output logic      [16*HPQS-1:0]  st_hpq_fill_o,
    output logic      [2*LINES-1:0]  st_line_state_o,
    output logic      [12*VLS-1:0]   st_txr_o,
    output logic      [LINES-1:0]    st_ol_valid_o,
    output logic      [LINES-1:0]    st_ol_stop_o,
    output logic      [15:0]         st_cnp_pkts_o,
    output logic      [VLS-1:0]      st_owed_o,
    output logic      [FLOWS-1:0]    st_seen_o,
    output logic      [FLOWS-1:0]    st_out_o,
    output logic      [16*VLS-1:0]   st_rx_used_o,
    output logic      [12*VLS-1:0]   st_rx_abr_o,
    output logic      [CNT_W-1:0]    st_cnt_cnp_o,
    output logic      [15:0]         st_cnt_cnp_lost_o,
    output logic      [CNT_W-1:0]    st_cnt_becn_o,
    output logic      [CNT_W-1:0]    st_cnt_rcv_o,
    output logic      [CNT_W-1:0]    st_cnt_ack_o,
    output logic      [15:0]         st_cnt_ack_lost_o,
    output logic      [CNT_W-1:0]    st_cnt_ack_in_o,
    output logic                     st_ungranted_o, // of reservation
    output logic      [NOW_W-1:0]    st_t_o,
    output logic                     st_tv_o,
    output logic      [15:0]         st_res_pkts_o,
    output logic      [15:0]         st_rep_pkts_o,
    output logic      [FLOWS-1:0]    st_rs_o,
    output logic      [FLOWS-1:0]    st_sp_o,
    output logic      [FLOWS-1:0]    st_go_o,
    output logic      [FLOWS-1:0]    st_wt_o,
    output logic      [FLOWS-1:0]    st_pq_o
);
  localparam int FW = $clog2(FLOWS);
  localparam int VW = (VLS > 1) ? $clog2(VLS) : 1;
  localparam int DATA_VLS = (CTL_VL != 0 && VLS > 1) ? VLS - 1 : VLS;  // lanes of data, the lowest ones
  localparam int IV = (SRP != 0 && VLS > 3) ? VLS - 2 : VLS;  // lanes of the input port: data, and spec
  localparam int OWN = (SRP != 0) ? 2 : 1;  // requesters of the output port beside it
  localparam int RQ = 1 + OWN;

  // Those of the units are checked there.
  if (ADVOQ < 2 || ADVOQ > 256 || (ADVOQ & (ADVOQ - 1)) != 0) begin : g_bad_advoq
    $error("parameter ADVOQ must be a power of two, 2..256");
  end
  if (RX_BLOCKS % IV != 0 || RX_BLOCKS / IV < MTU || RX_BLOCKS / IV > 2048) begin : g_bad_rx_blocks
    $error("parameter RX_BLOCKS must be a multiple of VLS, RX_BLOCKS/VLS in MTU..2048; with SRP = 1 of VLS-2");
  end
  if (CNPQ < 2 || CNPQ > 4096 || (CNPQ & (CNPQ - 1)) != 0) begin : g_bad_cnpq
    $error("parameter CNPQ must be a power of two, 2..4096");
  end else if (VLS * CNPQ > 32768) begin : g_bad_replies
    $error("parameters CNPQ and VLS: VLS * CNPQ must be at most 32768");
  end
  if (RESPONSE != 0 && RESPONSE != 1) begin : g_bad_response
    $error("parameter RESPONSE must be 0 or 1");
  end
  if (SRP != 0 && (SRP != 1 || VLS < 4 || VLS > 11 || RESPONSE != 0 || CTL_VL != 0 || VL_BY_DEST != 0 || ISOLATION != 0
                   || PARITY != 0)) begin : g_bad_srp
    $error("parameter SRP must be 0 or 1; 1 needs VLS 4..11 and RESPONSE = CTL_VL = VL_BY_DEST = ISOLATION = PARITY = 0");
  end
  if (DEDUP != 0 && (DEDUP != 1 || SRP == 0)) begin : g_bad_dedup
    $error("parameter DEDUP must be 0 or 1; 1 needs SRP = 1");
  end
  // those of a chooser that is not there
  if ((SRP != 0 || RESPONSE != 0) && (CCT < 8 || CCT > 16384 || (CCT & (CCT - 1)) != 0)) begin : g_bad_cct
    $error("CCT must be a power of two, 8..16384");
  end
  if (SRP != 0 && (TS_W < 8 || TS_W > 32 || TS_W < $clog2(FLOWS) + 4)) begin : g_bad_ts_w
    $error("TS_W must be 8..32, 2^(TS_W-2) at least 4 * max(FLOWS, 16)");
  end
  if (SRP == 0 && (NMAX < 1 || NMAX > 64 || (NMAX & (NMAX - 1)) != 0)) begin : g_bad_nmax
    $error("parameter NMAX must be a power of two, 1..64");
  end
  if (SRP == 0 && (MSGQ < 2 || MSGQ > 64 || (MSGQ & (MSGQ - 1)) != 0)) begin : g_bad_msgq
    $error("parameter MSGQ must be a power of two, 2..64");
  end
  if (SRP == 0 && (REPQ < 2 || REPQ > 256 || (REPQ & (REPQ - 1)) != 0)) begin : g_bad_repq
    $error("parameter REPQ must be a power of two, 2..256");
  end
  if (SRP == 0 && (NOW_W < 12 || NOW_W > 32 || 64'(FLOWS) * 64 >= 64'd1 << (NOW_W - 1)
                   || 64'(FLOWS) * 64'(NMAX * MTU) * 2 >= 64'd1 << (NOW_W - 2))) begin : g_bad_now_w
    $error("parameter NOW_W must be 12..32, FLOWS * 64 less than 2^(NOW_W-1), FLOWS * NMAX * MTU * 2 less than 2^(NOW_W-2)");
  end

  logic own_err, regs_err, queues_err, window_err, stop_err, injector_err, reply_err, receiver_err;  // of parity

  // ---- configuration: one unit is written or read at a time
  logic        in_ready, thr_ready, cnp_en, cnp_queued, cnp_queued_reg, ack_en, cnp_src, becn_per_we;
  logic [2:0]  becn_per;
  logic [3:0]  window;
  logic [3:0]  cfg_here, cfg_unit_we, cfg_unit_re;
  logic [31:0] in_rdata, out_rdata, thr_rdata, own_rdata;
  logic [3:0]  rvalid;
  logic [15:0] lid, lid_base, fc_interval, err_clear;

  assign ready_o = in_ready && thr_ready;

  always_comb begin
    cfg_here = '0;
    if (ready_o) begin
      case (cfg_unit_i)
        quell_pkg::HU_INPUT: cfg_here[0] = 1'b1;
        quell_pkg::HU_OUTPUT: cfg_here[1] = 1'b1;
        quell_pkg::HU_CHOOSER: cfg_here[2] = 1'b1;
        quell_pkg::HU_ADAPTER: cfg_here[3] = 1'b1;
        default: ;
      endcase
    end
  end

  assign cfg_unit_we = cfg_we_i ? cfg_here : '0;
  assign cfg_unit_re = cfg_re_i ? cfg_here : '0;

  // C1: a unit that is not there reads 0
  logic none_q, none_d;

  assign none_d = !rst_i && ready_o && cfg_re_i && cfg_here == '0;
  always_ff @(posedge clk_i) none_q <= none_d;
  assign cfg_rvalid_o = none_q || rvalid != '0;
  assign cfg_rdata_o = in_rdata | out_rdata | thr_rdata | own_rdata;

  hca_regs #(.CNT_W(CNT_W), .PARITY(PARITY)) u_regs (
      .clk_i, .rst_i,
      .we_i(cfg_unit_we[3]),
      .re_i(cfg_unit_re[3]),
      .addr_i(cfg_addr_i),
      .data_i(cfg_data_i),
      .err_i(err_o),
      .cnt_cnp_i(st_cnt_cnp_o),
      .cnt_cnp_lost_i(st_cnt_cnp_lost_o),
      .cnt_becn_i(st_cnt_becn_o),
      .cnt_rcv_i(st_cnt_rcv_o),
      .cnt_ack_i(st_cnt_ack_o),
      .cnt_ack_lost_i(st_cnt_ack_lost_o),
      .cnt_ack_in_i(st_cnt_ack_in_o),
      .cnp_en_o(cnp_en),
      .cnp_queued_o(cnp_queued_reg),
      .ack_en_o(ack_en),
      .cnp_src_o(cnp_src),
      .becn_per_o(becn_per),
      .becn_per_we_o(becn_per_we),
      .window_o(window),
      .lid_o(lid),
      .lid_base_o(lid_base),
      .fc_interval_o(fc_interval),
      .err_clear_o(err_clear),
      .rvalid_o(rvalid[3]),
      .rdata_o(own_rdata),
      .parity_err_o(regs_err)
  );

  // A CNP in a generation queue would stand behind a window, and be counted as outstanding itself.
  // There it would not be on the control lane either.
  assign cnp_queued = cnp_queued_reg && RESPONSE == 0 && CTL_VL == 0;

  // ---- control words of the link
  logic link_up;

  assign link_up = !ready_o || link_up_i;

  quell_pkg::credit_t    rx_fctbs, rx_fccl, tx_fctbs, tx_fccl;
  quell_pkg::tree_msg_t  rx_msg, no_msg;
  logic [16*DLIST-1:0]   rx_msg_dlist;
  logic [CTL-1:0]        tx_word;

  link_ctl_unpack #(.DLIST(DLIST)) u_unpack (
      .ctl_i(rx_ctl_i),
      .fctbs_o(rx_fctbs),
      .fccl_o(rx_fccl),
      .msg_o(rx_msg),
      .dlist_o(rx_msg_dlist)
  );

  // The adapter is the end of every tree: it sends no messages.
  assign no_msg = '0;

  link_ctl_pack #(.DLIST(DLIST)) u_pack (
      .fctbs_i(tx_fctbs),
      .fccl_i(tx_fccl),
      .msg_i(no_msg),
      .dlist_i((16 * DLIST)'(0)),
      .ctl_o(tx_word)
  );

  assign tx_ctl_o = ready_o ? tx_word : '0;

  // ---- generation queues
  logic             accept, head_used, inj_valid, inj_empty, post, bad_gen, gen_full;
  logic [3:0]       inj_lane;
  logic [7:0]       inj_opcode;
  quell_pkg::srp_fields_t inj_fields;
  logic [15:0]      inj_flow;
  logic [3:0]       inj_sl;
  logic [6:0]       head_len;
  logic [23:0]      head_psn;
  logic [FLOWS-1:0] any, req, stop, blocked, refused;
  logic             window_full, head_cnp, cnp_moves, cnp_room, cnp_no_flow;
  logic [15:0]      move_dlid, move_flow;
  logic [15:0]      sl_ok;
  logic [IV-1:0]    inj_room;
  wire unused_room = &{1'b0, inj_room};  // that of the control lane
  logic             cnp_en_here, ack_en_here;

  assign cnp_en_here = cnp_en && SRP == 0;
  assign ack_en_here = ack_en && SRP == 0;

  // a CNP that is moved to the queue of its destination
  assign move_flow = move_dlid - lid_base;
  assign cnp_no_flow = move_flow >= 16'(FLOWS);

  if (SRP == 0) begin : g_queues
    adv_queues #(
        .FLOWS(FLOWS), .ADVOQ(ADVOQ), .MTU(MTU), .PARITY(PARITY)
    ) u_queues (
        .clk_i, .rst_i,
        .ready_i(ready_o),
        .gen_valid_i, .gen_flow_i, .gen_len_i, .gen_psn_i,
        .halves_i(cnp_queued),
        .refused_i(refused),
        .cnp_valid_i(cnp_moves && !cnp_no_flow),
        .cnp_flow_i(move_flow[FW-1:0]),
        .cnp_room_o(cnp_room),
        .head_flow_i(inj_flow[FW-1:0]),
        .head_re_i(inj_valid),
        .pop_i(accept),
        .head_len_o(head_len),
        .head_psn_o(head_psn),
        .head_cnp_o(head_cnp),
        .any_o(any),
        .full_o(gen_full_o),
        .pkts_o(st_gen_pkts_o),
        .post_o(post),
        .bad_gen_o(bad_gen),
        .gen_full_o(gen_full),
        .parity_err_o(queues_err),
        .head_used_i(head_used)
    );

    injection_window #(.FLOWS(FLOWS), .PARITY(PARITY)) u_window (
        .clk_i, .rst_i,
        .limit_i(window),
        .blocked_i(blocked),
        .post_i(post),
        .post_flow_i(gen_flow_i),
        .accept_i(accept && !head_cnp),
        .accept_flow_i(inj_flow),
        .full_o(window_full),
        .taken_o(st_win_o),
        .parity_err_o(window_err)
    );

    assign refused = window_full ? ~blocked : '0;

    injection_gate #(
        .FLOWS(FLOWS), .VLS(DATA_VLS), .VL_BY_DEST(VL_BY_DEST)
    ) u_gate (
        .lid_base_i(lid_base),
        .any_i(any),
        .room_i(inj_room[DATA_VLS-1:0]),
        .req_o(req),
        .sl_ok_o(sl_ok)
    );

    assign {inj_lane, inj_opcode, inj_fields} = '0;
    wire unused = &{1'b0, gen_pkts_i, inj_empty};
  end else begin : g_queues
    assign any = '0;
    assign req = '0;
    assign refused = '0;
    assign blocked = '0;
    assign {sl_ok, window_full, head_cnp, post, bad_gen, gen_full, cnp_room} = '0;
    assign {st_gen_pkts_o, st_win_o, queues_err, window_err} = '0;
    wire unused = &{1'b0, head_used, window, cnp_moves, cnp_no_flow, window_full, refused, stop, post_first, req, sl_ok, blocked, cnp_room};
  end

  // ---- chooser: throttle or source response
  logic               becn_valid, ack_valid;
  logic               inj_rx_valid, inj_rx_first, inj_rx_last;  // to the input port, by the injector
  logic [2:0]         ack_bits;
  logic [15:0]        from_flow;   // of the BECN or ACK
  logic               post_first;  // the host posts into an empty queue
  logic [8*LINES-1:0]        ol_dcnt;
  logic [16*DLIST*LINES-1:0] ol_dlist;
  // its lanes, flow pointers, entities
  localparam int NV = (VL_BY_DEST != 0 || DATA_VLS < 16) ? DATA_VLS : 16;
  localparam int NC = (VL_BY_DEST != 0) ? DATA_VLS : 16;

  assign post_first = post && !any[gen_flow_i[FW-1:0]];

  // of reservation: what came, RES and replies that are put on the crossbar, the end of a SPEC packet may be shown to the host
  logic              res_came, reply_came, host_spec, host_held, end_ok, rin_done;
  logic [15:0]       came_slid, came_flow;
  logic [3:0]        came_sl;
  logic [255:0]      srp_sw;
  logic              walk_came;
  logic [6:0]        walk_len;
  logic              marker;
  logic [DW-1:0]     oldest;
  // with DEDUP: what is heard, a cycle later, and told apart before
  logic              heard_up, heard_valid, heard_first, heard_last, heard_bad, strange, see_drop, see_ack, whole_came;
  logic [DW-1:0]     heard;
  quell_pkg::credit_t heard_fctbs;

  if (SRP != 0) begin : g_reservation
    localparam int D = (VLS > 3) ? VLS - 3 : 1;
    logic [8:0]        room, link_room;
    logic              link_fits;
    logic              rep_valid, rin_valid, end_valid, end_bad, res_valid, res_ready, res_last, out_valid, out_ready, inj_last;
    logic [1:0]        rep_kind, out_kind, inj_kind;
    logic [12:0]       rep_id, rin_id, end_id, res_id, out_id, inj_id;
    logic [7:0]        rep_seq, end_seq, res_n, out_seq, inj_seq, inj_n;
    logic [15:0]       rep_flow, rin_slid, rin_size, end_slid, res_flow, res_size, out_lid;
    logic [31:0]       rep_wait, out_wait;
    logic [3:0]        rin_sl, end_sl, res_sl, out_sl;
    logic [NOW_W-1:0]  st_now, st_tab_due;
    logic              st_turn, st_tab_we, st_tab_byp, st_tab_got, st_b;
    logic [15:0]       st_tab_addr, st_tab_rem, st_b_flow, st_ptr_e, st_ptr_p, st_ptr_w, st_ptr_s;
    logic [2:0]        st_tab_st, st_op_ptr;
    logic [12:0]       st_tab_id;
    logic [6:0]        st_tab_n;
    logic [NMAX-1:0]   st_tab_todo, st_tab_out;
    logic [3:0]        st_lane;
    logic [16*D-1:0]   st_ptr_g;
    logic              rep_rty, rep_init, rin_init, end_rty, inj_rty, res_rty, res_init, out_rty, out_init, walk_valid;
    logic              see_look, see_mark, see_res, see_init, see_spec, see_pass;
    logic [23:0]       see_psn, st_see_next;
    logic [6:0]        walk_flits;
    logic [15:0]       see_flow, st_see_addr;
    logic [12:0]       see_id, see_known, st_see_id;
    logic [7:0]        see_seq;
    logic [FLOWS-1:0]  st_op, st_init;
    logic              st_quiet, st_tab_again, st_see_we, st_see_v, st_see_nv;
    logic [NMAX-1:0]   st_tab_rty, st_see_got;
    logic [NOW_W-1:0]  st_tab_stamp;

    // Q20: credits for a packet on its whole way to the link, and those of the link alone
    always_comb begin
      room = '0;
      link_room = '0;
      for (int v = 0; v <= D; v++) begin
        link_fits = quell_pkg::credit_fits(out_left[12*v+:12], 8'(MTU));
        room[v] = inj_room[v] && link_fits;
        if (v < D) link_room[v] = link_fits;
      end
    end

    reservation #(
        .VLS(VLS), .MTU(MTU), .FLOWS(FLOWS), .CTL_BLOCKS(CTL_BLOCKS), .CNT_W(CNT_W), .NMAX(NMAX), .MSGQ(MSGQ), .REPQ(REPQ),
        .NOW_W(NOW_W), .DEDUP(DEDUP)
    ) u_chooser (
        .clk_i, .rst_i,
        .cfg_we_i(cfg_unit_we[2]),
        .cfg_re_i(cfg_unit_re[2]),
        .cfg_addr_i, .cfg_data_i,
        .attr_we_i(attr_we_i && ready_o),
        .attr_flow_i, .attr_sl_i,
        .post_valid_i(gen_valid_i && ready_o),
        .post_flow_i(gen_flow_i),
        .post_pkts_i(gen_pkts_i),
        .post_last_i(gen_len_i),
        .post_psn_i(gen_psn_i),
        .room_i(room),
        .link_room_i(link_room),
        .ungranted_i(st_ungranted_o),
        .inj_ready_i(accept),
        .res_ready_i(res_ready),
        .rep_valid_i(rep_valid),
        .rep_kind_i(rep_kind),
        .rep_flow_i(rep_flow),
        .rep_id_i(rep_id),
        .rep_seq_i(rep_seq),
        .rep_wait_i(rep_wait),
        .rin_valid_i(rin_valid),
        .rin_slid_i(rin_slid),
        .rin_sl_i(rin_sl),
        .rin_id_i(rin_id),
        .rin_size_i(rin_size),
        .end_valid_i(end_valid),
        .end_bad_i(end_bad),
        .end_slid_i(end_slid),
        .end_sl_i(end_sl),
        .end_id_i(end_id),
        .end_seq_i(end_seq),
        .out_ready_i(out_ready),
        .rep_rty_i(rep_rty),
        .rep_init_i(rep_init),
        .rin_init_i(rin_init),
        .end_rty_i(end_rty),
        .see_look_i(see_look),
        .see_mark_i(see_mark),
        .see_res_i(see_res),
        .see_init_i(see_init),
        .see_flow_i(see_flow),
        .see_id_i(see_id),
        .see_seq_i(see_seq),
        .see_ok_i(whole_came),
        .see_spec_i(see_spec),
        .see_pass_i(see_pass),
        .see_psn_i(see_psn),
        .walk_valid_i(walk_valid),
        .walk_len_i(walk_flits),
        .ready_o(thr_ready),
        .gen_full_o,
        .inj_valid_o(inj_valid),
        .inj_kind_o(inj_kind),
        .inj_flow_o(inj_flow),
        .inj_sl_o(inj_sl),
        .inj_lane_o(inj_lane),
        .inj_len_o(head_len),
        .inj_psn_o(head_psn),
        .inj_id_o(inj_id),
        .inj_seq_o(inj_seq),
        .inj_n_o(inj_n),
        .inj_last_o(inj_last),
        .res_valid_o(res_valid),
        .res_flow_o(res_flow),
        .res_sl_o(res_sl),
        .res_id_o(res_id),
        .res_n_o(res_n),
        .res_size_o(res_size),
        .res_last_o(res_last),
        .out_valid_o(out_valid),
        .out_kind_o(out_kind),
        .out_lid_o(out_lid),
        .out_sl_o(out_sl),
        .out_id_o(out_id),
        .out_seq_o(out_seq),
        .out_wait_o(out_wait),
        .rin_done_o(rin_done),
        .end_ok_o(end_ok),
        .err_o(err_thr_o),
        .cfg_rvalid_o(rvalid[2]),
        .cfg_rdata_o(thr_rdata),
        .st_now_o(st_now),
        .st_t_o, .st_tv_o, .st_res_pkts_o, .st_rep_pkts_o,
        .st_turn_o(st_turn),
        .st_rs_o, .st_sp_o, .st_go_o, .st_wt_o, .st_pq_o,
        .st_tab_we_o(st_tab_we),
        .st_tab_addr_o(st_tab_addr),
        .st_tab_st_o(st_tab_st),
        .st_tab_byp_o(st_tab_byp),
        .st_tab_id_o(st_tab_id),
        .st_tab_n_o(st_tab_n),
        .st_tab_rem_o(st_tab_rem),
        .st_tab_got_o(st_tab_got),
        .st_tab_todo_o(st_tab_todo),
        .st_tab_out_o(st_tab_out),
        .st_tab_due_o(st_tab_due),
        .st_b_o(st_b),
        .st_b_flow_o(st_b_flow),
        .st_op_ptr_o(st_op_ptr),
        .st_ptr_e_o(st_ptr_e),
        .st_ptr_p_o(st_ptr_p),
        .st_ptr_w_o(st_ptr_w),
        .st_ptr_s_o(st_ptr_s),
        .st_lane_o(st_lane),
        .st_ptr_g_o(st_ptr_g),
        .inj_rty_o(inj_rty),
        .res_rty_o(res_rty),
        .res_init_o(res_init),
        .out_rty_o(out_rty),
        .out_init_o(out_init),
        .see_drop_o(see_drop),
        .see_ack_o(see_ack),
        .see_known_o(see_known),
        .st_op_o(st_op),
        .st_init_o(st_init),
        .st_quiet_o(st_quiet),
        .st_tab_rty_o(st_tab_rty),
        .st_tab_again_o(st_tab_again),
        .st_tab_stamp_o(st_tab_stamp),
        .st_see_we_o(st_see_we),
        .st_see_addr_o(st_see_addr),
        .st_see_v_o(st_see_v),
        .st_see_id_o(st_see_id),
        .st_see_got_o(st_see_got),
        .st_see_nv_o(st_see_nv),
        .st_see_next_o(st_see_next)
    );

    // ---- with DEDUP flits and credits are heard a cycle later, and in between it is found out whether they came before
    if (DEDUP != 0) begin : g_watch
      reservation_watch #(.FLOWS(FLOWS), .FLIT_BYTES(FLIT_BYTES)) u_watch (
          .clk_i, .rst_i,
          .ready_i(ready_o),
          .link_up_i(link_up),
          .lid_base_i(lid_base),
          .rx_valid_i, .rx_first_i, .rx_last_i, .rx_bad_i, .rx_data_i,
          .fctbs_i(rx_fctbs),
          .link_up_o(heard_up),
          .rx_valid_o(heard_valid),
          .rx_first_o(heard_first),
          .rx_last_o(heard_last),
          .rx_bad_o(heard_bad),
          .rx_data_o(heard),
          .fctbs_o(heard_fctbs),
          .strange_o(strange),
          .see_look_o(see_look),
          .see_mark_o(see_mark),
          .see_res_o(see_res),
          .see_init_o(see_init),
          .see_flow_o(see_flow),
          .see_id_o(see_id),
          .see_seq_o(see_seq),
          .see_spec_o(see_spec),
          .see_pass_o(see_pass),
          .see_psn_o(see_psn)
      );
    end else begin : g_watch
      assign {heard_up, heard_valid, heard_first, heard_last, heard_bad} = {link_up, rx_valid_i, rx_first_i, rx_last_i, rx_bad_i};
      assign heard = rx_data_i;
      assign heard_fctbs = rx_fctbs;
      assign {strange, see_look, see_mark, see_res, see_init, see_flow, see_id, see_seq, see_spec, see_pass, see_psn} = '0;
    end

    // what the packet on offer says of itself; one without reservation nothing
    assign inj_opcode = (inj_kind == quell_pkg::SRP_SPEC) ? quell_pkg::OPCODE_SRP_SPEC
        : (inj_kind == quell_pkg::SRP_GRANTED) ? quell_pkg::OPCODE_SRP_GRANTED : quell_pkg::OPCODE_SEND_ONLY;
    assign inj_fields = {inj_id, inj_seq, inj_n, 1'b0, inj_last, inj_rty, 16'd0, 32'd0};

    reservation_source #(.VLS(VLS)) u_source (
        .clk_i, .rst_i,
        .lid_i(lid),
        .lid_base_i(lid_base),
        .res_valid_i(res_valid),
        .res_flow_i(res_flow),
        .res_sl_i(res_sl),
        .res_id_i(res_id),
        .res_n_i(res_n),
        .res_size_i(res_size),
        .res_last_i(res_last),
        .res_rty_i(res_rty),
        .res_init_i(res_init),
        .out_valid_i(out_valid),
        .out_kind_i(out_kind),
        .out_lid_i(out_lid),
        .out_sl_i(out_sl),
        .out_id_i(out_id),
        .out_seq_i(out_seq),
        .out_wait_i(out_wait),
        .out_rty_i(out_rty),
        .out_init_i(out_init),
        .req_valid_o(own_req),
        .req_len_o(own_req_len),
        .req_dlid_o(own_req_dlid),
        .grant_i(grant[RQ*VLS-1:VLS]),
        .rd_en_i(rd_en),
        .res_ready_o(res_ready),
        .out_ready_o(out_ready),
        .act_o(own_act),
        .sw_valid_o(own_valid),
        .sw_data_o(srp_sw)
    );

    reservation_arrivals #(.FLIT_BYTES(FLIT_BYTES), .DEDUP(DEDUP)) u_arrivals (
        .clk_i, .rst_i,
        .res_i(res_came),
        .reply_i(reply_came),
        .slid_i(came_slid),
        .sl_i(came_sl),
        .flow_i(came_flow),
        .data_i(heard),
        .known_i(see_known),
        .walk_i(walk_came),
        .walk_len_i(walk_len),
        .rin_valid_o(rin_valid),
        .rin_slid_o(rin_slid),
        .rin_sl_o(rin_sl),
        .rin_id_o(rin_id),
        .rin_size_o(rin_size),
        .rin_init_o(rin_init),
        .rep_valid_o(rep_valid),
        .rep_kind_o(rep_kind),
        .rep_flow_o(rep_flow),
        .rep_id_o(rep_id),
        .rep_seq_o(rep_seq),
        .rep_wait_o(rep_wait),
        .rep_rty_o(rep_rty),
        .rep_init_o(rep_init),
        .walk_valid_o(walk_valid),
        .walk_len_o(walk_flits),
        .taken_i(host_valid_o && host_ready_i),
        .spec_i(host_spec),
        .marker_i(marker),
        .first_i(host_first_o),
        .last_i(host_last_o),
        .bad_i(host_bad_o),
        .host_data_i(oldest),
        .end_valid_o(end_valid),
        .end_bad_o(end_bad),
        .end_slid_o(end_slid),
        .end_sl_o(end_sl),
        .end_id_o(end_id),
        .end_seq_o(end_seq),
        .end_rty_o(end_rty)
    );

    // Q20: a packet that was taken has not left the input port; one that the input port refuses never leaves it, nor is it there
    always_ff @(posedge clk_i) begin
      if (rst_i) st_ungranted_o <= 1'b0;
      else if (accept) st_ungranted_o <= 1'b1;
      else if (grant[D:0] != '0 || inj_empty) st_ungranted_o <= 1'b0;
    end

    // no replies of other kinds
    assign st_out_o = '0;
    assign {st_owed_o, st_cnp_pkts_o, st_cnt_cnp_o, st_cnt_cnp_lost_o, st_cnt_ack_o, st_cnt_ack_lost_o} = '0;
    assign {cnp_moves, cnp_move_vl, move_dlid, own_header, reply_err} = '0;

    wire unused = &{1'b0, cct_we_i, cct_addr_i, cct_data_i, wt_we_i, wt_addr_i, wt_data_i, becn_valid, ack_valid, ack_bits, from_flow,
        inj_rx_last, reply_push, reply, reply_vl, out_cnp_plain, cnp_queued, grant[VLS-1:IV], cnp_move_vl,
        st_now, st_turn, st_tab_we, st_tab_addr, st_tab_st, st_tab_byp, st_tab_id, st_tab_n, st_tab_rem, st_tab_got,
        st_tab_todo, st_tab_out, st_tab_due, st_b, st_b_flow, st_op_ptr, st_ptr_e, st_ptr_p, st_ptr_w, st_ptr_s, st_lane, st_ptr_g,
        st_op, st_init, st_quiet, st_tab_rty, st_tab_again, st_tab_stamp, st_see_we, st_see_addr, st_see_v, st_see_id, st_see_got,
        st_see_nv, st_see_next};

`ifdef QUELL_CHECK
    srp_arrival_checker #(
        .VLS(VLS), .MTU(MTU), .FLIT_BYTES(FLIT_BYTES), .FLOWS(FLOWS), .RX_BLOCKS(RX_BLOCKS), .CTL_BLOCKS(CTL_BLOCKS),
        .DEDUP(DEDUP)
    ) u_check_arrivals (
        .clk_i, .rst_i,
        .ready_i(ready_o),
        .link_up_i(heard_up),
        .lid_i(lid),
        .lid_base_i(lid_base),
        .rx_valid_i(heard_valid),
        .rx_first_i(heard_first),
        .rx_last_i(heard_last),
        .rx_bad_i(heard_bad),
        .rx_data_i(heard),
        .drop_i(see_drop),
        .again_i(see_ack),
        .known_i(see_known),
        .marker_i(marker),
        .store_i(store),
        .used_i(rx_used),
        .bad_class_i(rx_err[quell_pkg::HE_BAD_CLASS]),
        .bad_flow_i(rx_err[quell_pkg::HE_BAD_FLOW]),
        .rin_valid_i(rin_valid),
        .rin_slid_i(rin_slid),
        .rin_sl_i(rin_sl),
        .rin_id_i(rin_id),
        .rin_size_i(rin_size),
        .rin_init_i(rin_init),
        .rin_done_i(rin_done),
        .res_pkts_i(st_res_pkts_o),
        .rep_valid_i(rep_valid),
        .rep_kind_i(rep_kind),
        .rep_flow_i(rep_flow),
        .rep_id_i(rep_id),
        .rep_seq_i(rep_seq),
        .rep_wait_i(rep_wait),
        .rep_rty_i(rep_rty),
        .rep_init_i(rep_init),
        .walk_valid_i(walk_valid),
        .walk_len_i(walk_flits),
        .res_full_i(err_thr_o[4]),
        .end_lost_i(err_thr_o[5]),
        .hold_i(host_held),
        .host_valid_i(host_valid_o),
        .host_ready_i,
        .host_first_i(host_first_o),
        .host_last_i(host_last_o),
        .host_bad_i(host_bad_o),
        .host_data_i(host_data_o),
        .end_ok_i(end_ok),
        .end_valid_i(end_valid),
        .end_bad_i(end_bad),
        .end_slid_i(end_slid),
        .end_sl_i(end_sl),
        .end_id_i(end_id),
        .end_seq_i(end_seq),
        .end_rty_i(end_rty)
    );

    srp_source_checker #(
        .VLS(VLS), .MTU(MTU), .FLIT_BYTES(FLIT_BYTES), .FLOWS(FLOWS), .CTL_BLOCKS(CTL_BLOCKS), .NMAX(NMAX), .REPQ(REPQ),
        .NOW_W(NOW_W)
    ) u_check_source (
        .clk_i, .rst_i,
        .ready_i(ready_o),
        .link_up_i(link_up),
        .lid_i(lid),
        .lid_base_i(lid_base),
        .attr_we_i, .attr_flow_i, .attr_sl_i,
        .go_i(st_go_o),
        .inj_valid_i(inj_valid),
        .accept_i(accept),
        .inj_kind_i(inj_kind),
        .inj_lane_i(inj_lane),
        .inj_id_i(inj_id),
        .inj_seq_i(inj_seq),
        .inj_n_i(inj_n),
        .inj_last_i(inj_last),
        .inj_rty_i(inj_rty),
        .ungranted_i(st_ungranted_o),
        .res_valid_i(res_valid),
        .res_ready_i(res_ready),
        .res_flow_i(res_flow),
        .res_sl_i(res_sl),
        .res_id_i(res_id),
        .res_n_i(res_n),
        .res_size_i(res_size),
        .res_last_i(res_last),
        .res_rty_i(res_rty),
        .res_init_i(res_init),
        .out_valid_i(out_valid),
        .out_ready_i(out_ready),
        .end_valid_i(end_valid),
        .end_bad_i(end_bad),
        .end_slid_i(end_slid),
        .end_sl_i(end_sl),
        .end_id_i(end_id),
        .end_seq_i(end_seq),
        .end_rty_i(DEDUP != 0 && end_rty),
        .rin_valid_i(rin_valid),
        .rin_slid_i(rin_slid),
        .rin_sl_i(rin_sl),
        .rin_id_i(rin_id),
        .rin_size_i(rin_size),
        .rin_init_i(rin_init),
        .rx_first_i(inj_rx_first),
        .rx_data_i(inj_rx_data),
        .dma_data_i,
        .sending_i(st_sending_o),
        .used_i(in_used),
        .fccl_i(in_fccl),
        .data_req_i(in_req_valid),
        .data_len_i(in_req_len),
        .grant_i(grant),
        .left_i(out_left),
        .rd_en_i(rd_en),
        .act_i({own_act, in_act}),
        .end_i({own_act, in_end}),
        .sw_i(own_valid),
        .sw_data_i(srp_sw),
        .tx_first_i(tx_first_o),
        .tx_data_i(tx_data_o)
    );
`endif
  end else if (RESPONSE != 0) begin : g_response
    logic [TS_W-1:0]  st_now, st_lti, st_rsp_at;
    logic [FLOWS-1:0] st_went, st_blk, st_adj;
    logic [15:0]      st_vp, st_wk, st_rsp_addr, st_lti_addr;
    logic [16*NV-1:0] st_sp;
    logic [16*NC-1:0] st_fp;
    logic             st_snd, st_rsp_we, st_rsp_av, st_lti_we, st_lti_valid;
    logic [8:0]       st_rsp_acked, st_lti_taken;
    logic [7:0]       st_rsp_win;
    logic [32:0]      st_rsp_x;
    logic [3:0]       st_rsp_j;
    logic [6:0]       st_lti_len;

    source_response #(
        .VLS(DATA_VLS), .VL_BY_DEST(VL_BY_DEST), .FLOWS(FLOWS), .TS_W(TS_W), .PARITY(PARITY)
    ) u_chooser (
        .clk_i, .rst_i,
        .cfg_we_i(cfg_unit_we[2]),
        .cfg_re_i(cfg_unit_re[2]),
        .cfg_addr_i, .cfg_data_i,
        .wt_we_i(wt_we_i && ready_o),
        .wt_addr_i, .wt_data_i,
        .attr_we_i(attr_we_i && ready_o),
        .attr_flow_i, .attr_sl_i,
        .ack_valid_i(ack_valid),
        .ack_flow_i(from_flow),
        .ack_bits_i(ack_bits),
        .post_valid_i(post_first),
        .post_flow_i(gen_flow_i),
        .req_i(req),
        .stop_i(stop),
        .sl_ok_i(sl_ok),
        .inj_ready_i(accept),
        .inj_len_i(head_len),
        .sent_i(inj_rx_last),
        .ready_o(thr_ready),
        .inj_valid_o(inj_valid),
        .inj_flow_o(inj_flow),
        .inj_sl_o(inj_sl),
        .blocked_o(blocked),
        .err_o(err_thr_o),
        .cfg_rvalid_o(rvalid[2]),
        .cfg_rdata_o(thr_rdata),
        .st_out_o,
        .st_now_o(st_now),
        .st_vp_o(st_vp),
        .st_went_o(st_went),
        .st_sp_o(st_sp),
        .st_fp_o(st_fp),
        .st_wk_o(st_wk),
        .st_blk_o(st_blk),
        .st_snd_o(st_snd),
        .st_adj_o(st_adj),
        .st_rsp_we_o(st_rsp_we),
        .st_rsp_addr_o(st_rsp_addr),
        .st_rsp_acked_o(st_rsp_acked),
        .st_rsp_win_o(st_rsp_win),
        .st_rsp_x_o(st_rsp_x),
        .st_rsp_j_o(st_rsp_j),
        .st_rsp_av_o(st_rsp_av),
        .st_rsp_at_o(st_rsp_at),
        .st_lti_we_o(st_lti_we),
        .st_lti_addr_o(st_lti_addr),
        .st_lti_valid_o(st_lti_valid),
        .st_lti_o(st_lti),
        .st_lti_len_o(st_lti_len),
        .st_lti_taken_o(st_lti_taken)
    );

    wire unused = &{1'b0, cct_we_i, cct_addr_i, cct_data_i, becn_valid, st_now, st_vp, st_went, st_sp, st_fp, st_wk, st_blk, st_snd, st_adj,
        st_rsp_we, st_rsp_addr, st_rsp_acked, st_rsp_win, st_rsp_x, st_rsp_j, st_rsp_av, st_rsp_at, st_lti_we, st_lti_addr, st_lti_valid, st_lti, st_lti_len, st_lti_taken};
  end else begin : g_throttle
    localparam int NE = (FLOWS > 16) ? FLOWS : 16;
    logic [TS_W-1:0]                  st_now, st_lti;
    logic [17:0]                      st_tick, st_ent_t0;
    logic [FLOWS-1:0]                 st_went;
    logic [15:0]                      st_vp, st_wk, st_rs, st_sl_run, st_sl_act, st_ent_addr,
                                      st_lti_addr;
    logic [18*16-1:0]                 st_sl_t0;
    logic [14*16-1:0]                 st_sl_steps;
    logic                             st_ent_we, st_ent_run, st_lti_we, st_lti_valid;
    logic [13:0]                      st_ent_ccti;
    logic [13:0]                      st_ent_seen;
    logic [3:0]                       st_ent_esl;
    logic [16*NV-1:0]             st_sp;
    logic [16*NC-1:0]             st_fp;
    logic [NE-1:0]                st_blk;
    logic                             st_snd;
    logic [6:0]                       st_lti_len;

    hca_throttle #(
        .VLS(DATA_VLS), .VL_BY_DEST(VL_BY_DEST), .FLOWS(FLOWS), .CCT(CCT), .TS_W(TS_W), .PARITY(PARITY)
    ) u_chooser (
        .clk_i, .rst_i,
        .cfg_we_i(cfg_unit_we[2]),
        .cfg_re_i(cfg_unit_re[2]),
        .cfg_addr_i, .cfg_data_i,
        .cct_we_i(cct_we_i && ready_o),
        .cct_addr_i, .cct_data_i,
        .attr_we_i(attr_we_i && ready_o),
        .attr_flow_i, .attr_sl_i,
        .becn_valid_i(becn_valid),
        .becn_flow_i(from_flow),
        .req_i(req),
        .stop_i(stop),
        .sl_ok_i(sl_ok),
        .inj_ready_i(accept),
        .inj_len_i(head_len),
        .sent_i(inj_rx_last),
        .ready_o(thr_ready),
        .inj_valid_o(inj_valid),
        .inj_flow_o(inj_flow),
        .inj_sl_o(inj_sl),
        .blocked_o(blocked),
        .err_o(err_thr_o),
        .cfg_rvalid_o(rvalid[2]),
        .cfg_rdata_o(thr_rdata),
        .st_now_o(st_now),
        .st_tick_o(st_tick),
        .st_vp_o(st_vp),
        .st_went_o(st_went),
        .st_sp_o(st_sp),
        .st_fp_o(st_fp),
        .st_wk_o(st_wk),
        .st_blk_o(st_blk),
        .st_snd_o(st_snd),
        .st_rs_o(st_rs),
        .st_sl_run_o(st_sl_run),
        .st_sl_t0_o(st_sl_t0),
        .st_sl_steps_o(st_sl_steps),
        .st_sl_act_o(st_sl_act),
        .st_ent_we_o(st_ent_we),
        .st_ent_addr_o(st_ent_addr),
        .st_ent_ccti_o(st_ent_ccti),
        .st_ent_run_o(st_ent_run),
        .st_ent_t0_o(st_ent_t0),
        .st_ent_seen_o(st_ent_seen),
        .st_ent_esl_o(st_ent_esl),
        .st_lti_we_o(st_lti_we),
        .st_lti_addr_o(st_lti_addr),
        .st_lti_valid_o(st_lti_valid),
        .st_lti_o(st_lti),
        .st_lti_len_o(st_lti_len)
    );

    assign st_out_o = '0;

    wire unused = &{1'b0, wt_we_i, wt_addr_i, wt_data_i, ack_valid, ack_bits, post_first, st_now, st_tick, st_vp, st_went, st_sp, st_fp, st_wk, st_blk,
        st_snd, st_rs, st_sl_run, st_sl_t0,
        st_sl_steps, st_sl_act, st_ent_we, st_ent_addr, st_ent_ccti, st_ent_run,
        st_ent_t0, st_ent_seen, st_ent_esl, st_lti_we, st_lti_addr, st_lti_valid, st_lti,
        st_lti_len};
  end

  // ---- flows that stopped lines hold back
  stop_mask #(
      .FLOWS(FLOWS), .LINES(LINES), .DLIST(DLIST), .PARITY(PARITY)
  ) u_stop (
      .clk_i, .rst_i,
      .lid_base_i(lid_base),
      .ol_valid_i(st_ol_valid_o),
      .ol_stop_i(st_ol_stop_o),
      .ol_dcnt_i(ol_dcnt),
      .ol_dlist_i(ol_dlist),
      .stop_o(stop),
      .parity_err_o(stop_err)
  );

  // ---- injector
  quell_pkg::credit_t in_fccl;
  logic [DW-1:0]      inj_rx_data;
  logic [12*IV-1:0]   inj_txr;

  injector #(
      .VLS(IV), .MTU(MTU), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST), .DATA_VLS((SRP != 0) ? IV : DATA_VLS), .SRP(SRP),
      .CAP(BLOCKS / IV), .PARITY(PARITY)
  ) u_injector (
      .clk_i, .rst_i,
      .lid_i(lid),
      .lid_base_i(lid_base),
      .fccl_i(in_fccl),
      .room_o(inj_room),
      .inj_valid_i(inj_valid),
      .inj_flow_i(inj_flow),
      .inj_sl_i(inj_sl),
      .inj_lane_i(inj_lane),
      .inj_opcode_i(inj_opcode),
      .inj_fields_i(inj_fields),
      .head_len_i(head_len),
      .head_psn_i(head_psn),
      .head_cnp_i(head_cnp),
      .head_used_o(head_used),
      .accept_o(accept),
      .dma_ready_i, .dma_data_i, .dma_valid_o, .dma_flow_o, .dma_psn_o, .dma_index_o,
      .empty_o(inj_empty),
      .sending_o(st_sending_o),
      .rx_valid_o(inj_rx_valid),
      .rx_first_o(inj_rx_first),
      .rx_last_o(inj_rx_last),
      .rx_data_o(inj_rx_data),
      .txr_o(inj_txr),
      .parity_err_o(injector_err)
  );

  assign st_inj_txr_o = (12 * VLS)'(inj_txr);

  // ---- output side: an input port of one output, an output port of two inputs, with SRP of three
  logic [RQ*VLS-1:0] grant;
  logic              rd_en, rd_slow;
  logic [RQ-1:0]     prop_valid;
  logic [7:0]        prop_vl, prop_line;
  logic [5:0]        prop_hops;
  logic [23:0]       prop_root;
  logic [IV-1:0]    in_req_valid, in_req_cnp, in_req_hot, in_req_unlinked, in_cong;
  logic [7*IV-1:0]  in_req_len;
  logic [16*IV-1:0] in_req_dlid, in_fill;
  logic              in_act, in_end, in_slow, in_valid, in_first, in_last, in_bad, in_can_alloc;
  logic [DW-1:0]     in_data;
  logic [LINES-1:0]  in_known, in_room, in_pend;
  logic [IV-1:0]    in_req_bound;
  logic [8*IV-1:0]  in_req_line;
  logic                             in_msg_valid, in_msg_stop;
  logic [1:0]                       in_msg_type, in_st_rx_state;
  logic [7:0]                       in_msg_line, in_msg_vl, in_msg_dcnt;
  logic [23:0]                      in_msg_root;
  logic [5:0]                       in_msg_hops;
  logic [DLIST*16-1:0]              in_msg_dlist;
  logic                             in_st_up;
  logic [6:0]                       in_st_rx_count;
  logic [IV*12-1:0]                in_st_abr;
  logic [16*IV-1:0]                in_st_cpq_pkts;
  logic [HPQS*16-1:0]               in_st_hpq_pkts;
  logic [LINES*8-1:0]               in_st_line_out, in_st_line_vl, in_st_line_next,
                                    in_st_line_dcnt;
  logic [LINES*16-1:0]              in_st_line_queue;
  logic [LINES*6-1:0]               in_st_line_hops;
  logic [LINES*24-1:0]              in_st_line_root;
  logic [LINES-1:0]                 in_st_line_linked, in_st_line_ann, in_st_line_sent_stop,
                                    in_st_line_stop_req, in_st_line_reached, in_st_line_dirty,
                                    in_st_line_own, in_st_line_cong;
  logic [LINES*TIMER_W-1:0]         in_st_line_timer;
  logic [IV-1:0]                   in_st_cpq_tied;
  logic [8*IV-1:0]                 in_st_cpq_tie;
  logic [HPQS-1:0]                  in_st_hpq_tied;
  logic [8*HPQS-1:0]                in_st_hpq_tie;
  logic [IV-1:0]                   in_st_cpq_went;
  logic [HPQS-1:0]                  in_st_hpq_went;
  logic [LINES*DLIST*16-1:0]        in_st_line_dlist;
  logic [16*IV-1:0]                in_st_waiting, in_st_ncnt, in_used, in_cpq_fill;
  logic [IV-1:0]                    in_req_age, in_enter, in_full_evt, in_st_full, in_st_armed, in_st_aged, in_st_pinned;
  logic [8*IV-1:0]                 in_st_pin;
  logic [4*IV-1:0]                 in_st_bypass;
  logic                             in_mark, in_st_slow;
  logic                             in_nack, in_st_spec_nack, in_st_disc_act;  // of speculative reservation, not built in
  logic [6:0]                       in_st_disc_r;
  logic [31:0]                      in_st_cnt_spec_drop;
  logic [15:0]                      in_st_now, in_st_spec_age, in_st_spec_waited, in_st_lfsr;
  logic [15:0]                      in_st_nfq_wait, in_st_cnt_drop, in_st_cnt_nohpq,
                                    in_st_cnt_noline;

  switch_input_port #(
      .PORTS(1),
      .VLS(IV), .MTU(MTU), .BLOCKS(BLOCKS), .HPQS(HPQS), .LINES(LINES), .DLIST(DLIST), .LFT_DEPTH(LFT_DEPTH),
      .FLIT_BYTES(FLIT_BYTES), .TIMER_W(TIMER_W),
      .ONE_QUEUE(0),
      .ISOLATION(ISOLATION), .VL_BY_DEST(VL_BY_DEST), .MARKERS(0), .STAMP_W(0), .CIOQ(0), .CTL_VL(CTL_VL),
      .RX_TIMEOUT_RESET(0),  // the host may take its time with a packet's flits
      .PARITY(PARITY)
  ) u_input (
      .clk_i, .rst_i,
      .cfg_we_i(cfg_unit_we[0]),
      .cfg_re_i(cfg_unit_re[0]),
      .cfg_addr_i, .cfg_data_i,
      .lft_we_i(lft_we_i && ready_o),
      .lft_addr_i, .lft_port_i,
      .rx_valid_i(inj_rx_valid),
      .rx_first_i(inj_rx_first),
      .rx_last_i(inj_rx_last),
      .rx_bad_i(1'b0),
      .rx_data_i(inj_rx_data),
      .fctbs_valid_i(1'b0),
      .fctbs_vl_i(8'd0),
      .fctbs_i(12'd0),
      .link_up_i(1'b1),  // to the injector
      .grant_i(grant[IV-1:0]),
      .held_i(out_held[IV-1:0]),
      .held_line_i(out_held_line[8*IV-1:0]),
      .rd_en_i(rd_en),
      .rd_slow_i(rd_slow),
      .prop_valid_i(prop_valid[0]),
      .prop_vl_i(prop_vl),
      .prop_line_i(prop_line),
      .prop_hops_i(prop_hops),
      .prop_root_i(prop_root),
      .ol_valid_i(st_ol_valid_o),
      .ol_stop_i(st_ol_stop_o | out_wait[LINES-1:0]),
      .ready_o(in_ready),
      .req_valid_o(in_req_valid),
      .req_len_o(in_req_len),
      .req_dlid_o(in_req_dlid),
      .req_cnp_o(in_req_cnp),
      .req_hot_o(in_req_hot),
      .req_unlinked_o(in_req_unlinked),
      .req_bound_o(in_req_bound),
      .req_line_o(in_req_line),
      .req_age_o(in_req_age),
      .req_nack_o(in_nack),
      .xb_act_o(in_act),
      .xb_end_o(in_end),
      .xb_slow_o(in_slow),
      .xb_valid_o(in_valid),
      .xb_first_o(in_first),
      .xb_last_o(in_last),
      .xb_bad_o(in_bad),
      .xb_mark_o(in_mark),
      .xb_data_o(in_data),
      .cong_o(in_cong),
      .fill_o(in_fill),
      .enter_o(in_enter),
      .full_evt_o(in_full_evt),
      .can_alloc_o(in_can_alloc),
      .known_o(in_known),
      .room_o(in_room),
      .pend_o(in_pend),
      .fc_valid_o(in_fccl.valid),
      .fc_vl_o(in_fccl.vl),
      .fccl_o(in_fccl.blocks),
      .msg_valid_o(in_msg_valid),
      .msg_type_o(in_msg_type),
      .msg_line_o(in_msg_line),
      .msg_vl_o(in_msg_vl),
      .msg_root_o(in_msg_root),
      .msg_hops_o(in_msg_hops),
      .msg_stop_o(in_msg_stop),
      .msg_dcnt_o(in_msg_dcnt),
      .msg_dlist_o(in_msg_dlist),
      .err_o(err_in_o),
      .cfg_rvalid_o(rvalid[0]),
      .cfg_rdata_o(in_rdata),
      .st_up_o(in_st_up),
      .st_rx_state_o(in_st_rx_state),
      .st_rx_count_o(in_st_rx_count),
      .st_used_o(in_used),
      .st_abr_o(in_st_abr),
      .st_cpq_pkts_o(in_st_cpq_pkts),
      .st_cpq_fill_o(in_cpq_fill),
      .st_hpq_pkts_o(in_st_hpq_pkts),
      .st_hpq_fill_o, .st_line_state_o,
      .st_line_out_o(in_st_line_out),
      .st_line_vl_o(in_st_line_vl),
      .st_line_queue_o(in_st_line_queue),
      .st_line_hops_o(in_st_line_hops),
      .st_line_root_o(in_st_line_root),
      .st_line_next_o(in_st_line_next),
      .st_line_linked_o(in_st_line_linked),
      .st_line_ann_o(in_st_line_ann),
      .st_line_sent_stop_o(in_st_line_sent_stop),
      .st_line_stop_req_o(in_st_line_stop_req),
      .st_line_reached_o(in_st_line_reached),
      .st_line_dirty_o(in_st_line_dirty),
      .st_line_timer_o(in_st_line_timer),
      .st_line_dcnt_o(in_st_line_dcnt),
      .st_line_dlist_o(in_st_line_dlist),
      .st_line_own_o(in_st_line_own),
      .st_cpq_tied_o(in_st_cpq_tied),
      .st_cpq_tie_o(in_st_cpq_tie),
      .st_hpq_tied_o(in_st_hpq_tied),
      .st_hpq_tie_o(in_st_hpq_tie),
      .st_cpq_went_o(in_st_cpq_went),
      .st_hpq_went_o(in_st_hpq_went),
      .st_line_cong_o(in_st_line_cong),
      .st_nfq_wait_o(in_st_nfq_wait),
      .st_slow_o(in_st_slow),
      .st_waiting_o(in_st_waiting),
      .st_full_o(in_st_full),
      .st_armed_o(in_st_armed),
      .st_ncnt_o(in_st_ncnt),
      .st_aged_o(in_st_aged),
      .st_pinned_o(in_st_pinned),
      .st_pin_o(in_st_pin),
      .st_bypass_o(in_st_bypass),
      .st_now_o(in_st_now),
      .st_spec_nack_o(in_st_spec_nack),
      .st_spec_age_o(in_st_spec_age),
      .st_spec_waited_o(in_st_spec_waited),
      .st_disc_act_o(in_st_disc_act),
      .st_disc_r_o(in_st_disc_r),
      .st_cnt_spec_drop_o(in_st_cnt_spec_drop),
      .st_lfsr_o(in_st_lfsr),
      .st_cnt_drop_o(in_st_cnt_drop),
      .st_cnt_nohpq_o(in_st_cnt_nohpq),
      .st_cnt_noline_o(in_st_cnt_noline)
  );

  assign st_used_o = (16 * VLS)'(in_used);
  assign st_cpq_fill_o = (16 * VLS)'(in_cpq_fill);

  // Q1: congestion is of data, so that spec has neither
  logic [VLS-1:0]    data_cong;
  logic [16*VLS-1:0] data_fill;

  if (SRP != 0) begin : g_data_only
    assign data_cong = VLS'(in_cong[IV-2:0]);
    assign data_fill = (16 * VLS)'(in_fill[16*(IV-1)-1:0]);
    wire unused = &{1'b0, in_cong[IV-1], in_fill[16*IV-1:16*(IV-1)]};
  end else begin : g_data_only
    assign data_cong = in_cong;
    assign data_fill = in_fill;
  end

  // what the adapter sends of itself
  logic [OWN*VLS-1:0]    own_req;
  logic [7*OWN*VLS-1:0]  own_req_len;
  logic [16*OWN*VLS-1:0] own_req_dlid;
  logic [OWN-1:0]        own_act;
  logic                  own_valid;
  logic [159:0]          own_header;
  logic [RQ*VLS-1:0]                out_elig, out_held;
  logic [8*RQ*VLS-1:0]              out_held_line;
  logic [RQ*LINES-1:0]              out_wait;
  logic [LINES-1:0]                 out_st_ol_fresh, out_st_ol_closing;
  logic [16*LINES-1:0]              out_st_ol_turn;
  logic [VLS-1:0]                   out_cong_state;
  logic                             out_cnp_plain;
  logic [12*VLS-1:0]                out_st_fctbs, out_st_fccl;
  logic [8*VLS-1:0]                 out_st_count;
  logic [16*VLS-1:0]                out_st_mark_count;
  logic [16*VLS-1:0]                out_st_cr;
  logic [RQ*RQ*VLS-1:0]             out_st_ahead;
  logic [31:0]                      out_st_vp;
  logic [VLS*8-1:0]                 out_st_passed;
  logic [63:0]                      out_st_class_ptr;
  logic [VLS-1:0]                   out_st_owed;
  logic [VLS*8-1:0]                 out_st_owed_in;
  logic [VLS-1:0]                   out_st_waited, out_st_rooted, out_st_root_held, out_st_sat;
  logic [18*VLS-1:0]                out_st_cnt1, out_st_cnt2;
  logic [2*LINES-1:0]               out_st_ol_hold;
  logic [15:0]                      out_st_lfsr, out_st_scan, out_st_draw, out_st_cnt_e7;
  logic [1:0]                       out_st_due, out_st_drop;
  logic [16*VLS-1:0]                out_st_ofill, out_st_oq_flits;
  logic [15:0]                      out_st_lp;
  logic                             out_st_sending;
  logic [8*LINES-1:0]               out_st_ol_vl;
  logic [6*LINES-1:0]               out_st_ol_hops;
  logic [24*LINES-1:0]              out_st_ol_root;
  logic [TIMER_W*LINES-1:0]         out_st_ol_timer;
  logic [CNT_W-1:0]                 out_st_cnt_marked, out_st_cnt_sent;

  switch_output_port #(
      .PORTS(RQ),
      .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .LINES(LINES), .DLIST(DLIST), .FLIT_BYTES(FLIT_BYTES), .TIMER_W(TIMER_W),
      .ONE_QUEUE(0),
      .ISOLATION(ISOLATION), .VL_BY_DEST(VL_BY_DEST), .CNT_W(CNT_W), .MARKERS(0), .STAMP_W(0), .CIOQ(0), .CTL_VL(CTL_VL),
      .SRP(SRP), .DATA_BLOCKS(BLOCKS / IV),
      .PARITY(PARITY)
  ) u_output (
      .clk_i, .rst_i,
      .cfg_we_i(cfg_unit_we[1]),
      .cfg_re_i(cfg_unit_re[1]),
      .cfg_addr_i, .cfg_data_i,
      .req_valid_i({own_req, VLS'(in_req_valid)}),
      .req_len_i({own_req_len, (7 * VLS)'(in_req_len)}),
      .req_dlid_i({own_req_dlid, (16 * VLS)'(in_req_dlid)}),
      .req_cnp_i({own_req, VLS'(in_req_cnp)}),
      .req_hot_i((RQ * VLS)'(in_req_hot)),
      .req_unlinked_i((RQ * VLS)'(in_req_unlinked)),
      .req_bound_i((RQ * VLS)'(in_req_bound)),
      .req_line_i((8 * RQ * VLS)'(in_req_line)),
      .req_age_i((RQ * VLS)'(0)),
      .req_nack_i(RQ'(0)),
      .can_alloc_i(RQ'(in_can_alloc)),
      .known_i((RQ * LINES)'(in_known)),
      .room_i((RQ * LINES)'(in_room)),
      .pend_i((RQ * LINES)'(in_pend)),
      .xb_act_i({own_act, in_act}),
      .xb_end_i({own_act, in_end}),
      .xb_slow_i(RQ'(in_slow)),
      .cong_i((RQ * VLS)'(data_cong)),
      .fill_i((16 * RQ * VLS)'(data_fill)),
      .enter_i((RQ * VLS)'(0)),
      .full_evt_i((RQ * VLS)'(0)),
      .sw_valid_i(in_valid || own_valid),
      .sw_first_i(in_first || own_valid),
      .sw_last_i(in_last || own_valid),
      .sw_bad_i(in_bad),
      .sw_mark_i(1'b0),
      .sw_data_i(in_data | DW'(own_header) | DW'(srp_sw)),
      .take_i((RQ * VLS)'(0)),
      .link_up_i(link_up),
      .fccl_valid_i(rx_fccl.valid && ready_o),
      .fccl_vl_i(rx_fccl.vl),
      .fccl_i(rx_fccl.blocks),
      .msg_valid_i(rx_msg.valid && ready_o),
      .msg_type_i(rx_msg.kind),
      .msg_line_i(rx_msg.line),
      .msg_vl_i(rx_msg.vl),
      .msg_root_i(rx_msg.root),
      .msg_hops_i(rx_msg.hops),
      .msg_stop_i(rx_msg.stop),
      .msg_dcnt_i(rx_msg.dcnt),
      .msg_dlist_i(rx_msg_dlist),
      .grant_o(grant),
      .elig_o(out_elig),
      .held_o(out_held),
      .held_line_o(out_held_line),
      .rd_en_o(rd_en),
      .rd_slow_o(rd_slow),
      .prop_valid_o(prop_valid),
      .prop_vl_o(prop_vl),
      .prop_line_o(prop_line),
      .prop_hops_o(prop_hops),
      .prop_root_o(prop_root),
      .ol_valid_o(st_ol_valid_o),
      .ol_stop_o(st_ol_stop_o),
      .ol_wait_o(out_wait),
      .tx_valid_o, .tx_first_o, .tx_last_o, .tx_bad_o, .tx_data_o,
      .fctbs_valid_o(tx_fctbs.valid),
      .fctbs_vl_o(tx_fctbs.vl),
      .fctbs_o(tx_fctbs.blocks),
      .cong_state_o(out_cong_state),
      .cnp_plain_o(out_cnp_plain),
      .err_o(err_out_o),
      .cfg_rvalid_o(rvalid[1]),
      .cfg_rdata_o(out_rdata),
      .st_txr_o,
      .st_fctbs_o(out_st_fctbs),
      .st_fccl_o(out_st_fccl),
      .st_count_o(out_st_count),
      .st_mark_count_o(out_st_mark_count),
      .st_lfsr_o(out_st_lfsr),
      .st_ahead_o(out_st_ahead),
      .st_cr_o(out_st_cr),
      .st_vp_o(out_st_vp),
      .st_passed_o(out_st_passed),
      .st_class_ptr_o(out_st_class_ptr),
      .st_owed_o(out_st_owed),
      .st_owed_in_o(out_st_owed_in),
      .st_waited_o(out_st_waited),
      .st_rooted_o(out_st_rooted),
      .st_root_held_o(out_st_root_held),
      .st_cnt1_o(out_st_cnt1),
      .st_cnt2_o(out_st_cnt2),
      .st_sat_o(out_st_sat),
      .st_ofill_o(out_st_ofill),
      .st_oq_flits_o(out_st_oq_flits),
      .st_lp_o(out_st_lp),
      .st_sending_o(out_st_sending),
      .st_scan_o(out_st_scan),
      .st_draw_o(out_st_draw),
      .st_due_o(out_st_due),
      .st_drop_o(out_st_drop),
      .st_ol_hold_o(out_st_ol_hold),
      .st_ol_vl_o(out_st_ol_vl),
      .st_ol_hops_o(out_st_ol_hops),
      .st_ol_root_o(out_st_ol_root),
      .st_ol_timer_o(out_st_ol_timer),
      .st_ol_dcnt_o(ol_dcnt),
      .st_ol_dlist_o(ol_dlist),
      .st_ol_fresh_o(out_st_ol_fresh),
      .st_ol_closing_o(out_st_ol_closing),
      .st_ol_turn_o(out_st_ol_turn),
      .st_cnt_e7_o(out_st_cnt_e7),
      .st_cnt_marked_o(out_st_cnt_marked),
      .st_cnt_sent_o(out_st_cnt_sent)
  );

  // ---- replies: the heads of the FIFOs are candidates of their VLs
  logic              reply_push;
  quell_pkg::reply_t reply;
  logic [VW-1:0]     reply_vl, cnp_move_vl;
  logic [12*VLS-1:0] out_left;  // credits: limit less blocks granted

  for (genvar v = 0; v < VLS; v++) begin : g_out_left
    assign out_left[12*v+:12] = out_st_fccl[12*v+:12] - st_txr_o[12*v+:12];
  end

  if (SRP == 0) begin : g_replies
    reply_source #(
        .VLS(VLS), .MTU(MTU), .CNPQ(CNPQ), .CNT_W(CNT_W), .PARITY(PARITY)
    ) u_reply (
        .clk_i, .rst_i,
        .lid_i(lid),
        .push_i(reply_push),
        .push_reply_i(reply),
        .push_vl_i(reply_vl),
        .queued_i(cnp_queued),
        .move_i(!post),
        .move_o(cnp_moves),
        .move_vl_o(cnp_move_vl),
        .move_dlid_o(move_dlid),
        .move_lost_i(cnp_moves && (cnp_no_flow || !cnp_room)),
        .pkts_o(st_cnp_pkts_o),
        .req_valid_o(own_req),
        .req_len_o(own_req_len),
        .req_dlid_o(own_req_dlid),
        .grant_i(grant[2*VLS-1:VLS]),
        .rd_en_i(rd_en),
        .plain_i(out_cnp_plain),
        .data_req_i(in_req_valid),
        .data_grant_i(grant[VLS-1:0]),
        .left_i(out_left),
        .owed_o(st_owed_o),
        .act_o(own_act),
        .sw_valid_o(own_valid),
        .sw_header_o(own_header),
        .cnt_cnp_o(st_cnt_cnp_o),
        .cnt_cnp_lost_o(st_cnt_cnp_lost_o),
        .cnt_ack_o(st_cnt_ack_o),
        .cnt_ack_lost_o(st_cnt_ack_lost_o),
        .parity_err_o(reply_err)
    );

    // no reservation
    assign {srp_sw, rin_done, end_ok, strange, see_drop, see_ack} = '0;
    assign {heard_up, heard_valid, heard_first, heard_last, heard_bad} = {link_up, rx_valid_i, rx_first_i, rx_last_i, rx_bad_i};
    assign heard = rx_data_i;
    assign heard_fctbs = rx_fctbs;
    assign {st_ungranted_o, st_t_o, st_tv_o, st_res_pkts_o, st_rep_pkts_o} = '0;
    assign st_rs_o = '0;
    assign st_sp_o = '0;
    assign st_go_o = '0;
    assign st_wt_o = '0;
    assign st_pq_o = '0;
    wire unused = &{1'b0, res_came, reply_came, came_slid, came_flow, came_sl, host_spec, walk_came, walk_len, marker, oldest, whole_came};
  end

  // ---- receive side
  logic              store, count;
  logic [VW-1:0]     store_vl, host_vl;
  logic [12*VLS-1:0] rx_used;
  logic [15:0]       rx_err;

  hca_receiver #(
      .VLS(VLS), .MTU(MTU), .FLOWS(FLOWS), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST),
      .RX_BLOCKS(RX_BLOCKS), .CNT_W(CNT_W), .CTL_VL(CTL_VL), .SRP(SRP), .DEDUP(DEDUP), .CTL_BLOCKS(CTL_BLOCKS),
      .PARITY(PARITY)
  ) u_receiver (
      .clk_i, .rst_i,
      .ready_i(ready_o),
      .link_up_i(heard_up),
      .cnp_en_i(cnp_en_here),
      .ack_en_i(ack_en_here),
      .cnp_src_i(cnp_src),
      .becn_per_i(becn_per),
      .becn_per_we_i(becn_per_we),
      .lid_i(lid),
      .lid_base_i(lid_base),
      .fc_interval_i(fc_interval),
      .rx_valid_i(heard_valid),
      .rx_first_i(heard_first),
      .rx_last_i(heard_last),
      .rx_bad_i(heard_bad),
      .rx_data_i(heard),
      .fctbs_i({heard_fctbs.valid && ready_o, heard_fctbs.vl, heard_fctbs.blocks}),
      .strange_i(strange),
      .drop_i(see_drop),
      .again_i(see_ack),
      .end_ok_i(end_ok),
      .res_done_i(rin_done),
      .host_ready_i, .host_valid_o, .host_first_o, .host_last_o, .host_bad_o, .host_data_o,
      .fccl_o(tx_fccl),
      .push_o(reply_push),
      .reply_o(reply),
      .reply_vl_o(reply_vl),
      .seen_o(st_seen_o),
      .becn_valid_o(becn_valid),
      .ack_valid_o(ack_valid),
      .ack_bits_o(ack_bits),
      .flow_o(from_flow),
      .res_o(res_came),
      .srp_reply_o(reply_came),
      .slid_o(came_slid),
      .sl_o(came_sl),
      .of_flow_o(came_flow),
      .walk_o(walk_came),
      .walk_len_o(walk_len),
      .whole_o(whole_came),
      .err_set_o(rx_err),
      .store_o(store),
      .count_o(count),
      .vl_o(store_vl),
      .host_vl_o(host_vl),
      .host_spec_o(host_spec),
      .host_held_o(host_held),
      .marker_o(marker),
      .oldest_o(oldest),
      .used_o(rx_used),
      .abr_o(st_rx_abr_o),
      .cnt_becn_o(st_cnt_becn_o),
      .cnt_rcv_o(st_cnt_rcv_o),
      .cnt_ack_in_o(st_cnt_ack_in_o),
      .parity_err_o(receiver_err)
  );

  for (genvar v = 0; v < VLS; v++) begin : g_rx_used
    assign st_rx_used_o[16*v+:16] = 16'(rx_used[12*v+:12]);
  end

  // ---- sticky errors
  logic [15:0] err_set;

  always_comb begin
    err_set = rx_err;
    err_set[quell_pkg::HE_GEN_FULL] = gen_full;
    err_set[quell_pkg::HE_BAD_GEN] = bad_gen;
    if (cnp_moves && cnp_no_flow) err_set[quell_pkg::HE_BAD_FLOW] = 1'b1;
    err_set[quell_pkg::HE_PARITY] =
        |{own_err, regs_err, queues_err, window_err, stop_err, injector_err, reply_err, receiver_err};
  end

  logic [15:0] err_d;

  assign err_d = rst_i ? '0 : (err_o & ~err_clear) | err_set;

  always_ff @(posedge clk_i) err_o <= err_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{err_d, none_d}),
      .now_i(^{err_o, none_q}),
      .err_o(own_err)
  );

  wire unused_in = &{1'b0, in_msg_valid, in_msg_type, in_msg_line, in_msg_vl, in_msg_root, in_msg_hops,
      in_msg_stop, in_msg_dcnt, in_msg_dlist, in_st_up, in_st_rx_state, in_st_rx_count, in_st_abr, in_st_cpq_pkts,
      in_st_hpq_pkts, in_st_line_out, in_st_line_vl, in_st_line_queue, in_st_line_hops, in_st_line_root,
      in_st_line_next, in_st_line_linked, in_st_line_ann, in_st_line_sent_stop, in_st_line_stop_req,
      in_st_line_reached, in_st_line_dirty, in_st_line_timer, in_st_line_dcnt, in_st_line_dlist,
      in_st_line_own, in_st_line_cong, in_st_cpq_tied, in_st_cpq_tie, in_st_hpq_tied, in_st_hpq_tie, in_st_cpq_went,
      in_st_hpq_went, in_st_nfq_wait, in_st_cnt_drop, in_st_cnt_nohpq, in_st_cnt_noline, in_req_age, in_mark, in_enter,
      in_full_evt, in_st_slow, in_st_waiting, in_st_full, in_st_armed, in_st_ncnt, in_st_aged, in_st_pinned, in_st_pin, in_st_bypass};
  wire unused_out = &{1'b0, out_elig, out_held[RQ*VLS-1:IV], out_held_line[8*RQ*VLS-1:8*IV], out_wait[RQ*LINES-1:LINES],
      out_st_ol_fresh, out_st_ol_closing, out_st_ol_turn, out_cong_state, out_cnp_plain, out_st_fctbs, out_st_fccl, out_st_count,
      in_nack, in_st_now, in_st_spec_nack, in_st_spec_age, in_st_spec_waited, in_st_disc_act, in_st_disc_r, in_st_cnt_spec_drop, in_st_lfsr,
      out_st_class_ptr, out_st_owed, out_st_owed_in,
      out_st_mark_count, out_st_lfsr, out_st_ahead, out_st_cr, out_st_vp, out_st_passed, out_st_waited,
      out_st_rooted, out_st_root_held, out_st_cnt1, out_st_cnt2, out_st_sat, out_st_ofill, out_st_oq_flits, out_st_lp, out_st_sending, out_st_scan, out_st_draw, out_st_due, out_st_drop, out_st_ol_hold, out_st_ol_vl, out_st_ol_hops, out_st_ol_root, out_st_ol_timer, out_st_cnt_e7, out_st_cnt_marked, out_st_cnt_sent, prop_valid[RQ-1:1]};
`ifdef QUELL_CHECK
  // (Wires: Yosys elaborates anew who connects an expression with '0, and stops on it.)
  wire acts_of_itself = own_act != '0;
  wire queued_here = any != '0 || st_pq_o != '0 || {st_cnp_pkts_o, st_res_pkts_o, st_rep_pkts_o} != '0;

  adapter_stream_checker #(
      .VLS(VLS), .MTU(MTU), .DLIST(DLIST), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST), .FLOWS(FLOWS), .RX_BLOCKS(RX_BLOCKS),
      .CNT_W(CNT_W), .SRP(SRP), .CTL_BLOCKS(CTL_BLOCKS)
  ) u_check_stream (
      .clk_i, .rst_i,
      .ready_i(ready_o),
      .link_up_i(heard_up),
      .lid_i(lid),
      .lid_base_i(lid_base),
      .pop_i(accept),
      .pop_cnp_i(head_cnp),
      .pop_flow_i(inj_flow),
      .pop_len_i(head_len),
      .sending_i(st_sending_o),
      .dma_valid_i(dma_valid_o),
      .dma_ready_i,
      .dma_flow_i(dma_flow_o),
      .dma_psn_i(dma_psn_o),
      .dma_index_i(dma_index_o),
      .inj_valid_i(inj_rx_valid),
      .inj_first_i(inj_rx_first),
      .inj_last_i(inj_rx_last),
      .inj_data_i(inj_rx_data),
      .txr_i(st_inj_txr_o),
      .err_in_i(err_in_o),
      .own_act_i(acts_of_itself),
      .own_sw_i(own_valid),
      .data_act_i(in_act),
      .data_sw_i(in_valid),
      .data_last_i(in_last),
      .due_i(out_st_due),
      .queued_i(queued_here),
      .tells_i(reply_push || res_came || reply_came),
      .rx_valid_i(heard_valid),
      .rx_first_i(heard_first),
      .store_i(store),
      .count_i(count),
      .store_vl_i(store_vl),
      .fctbs_valid_i(heard_fctbs.valid),
      .hold_i(host_held),
      .marker_i(marker),
      .host_valid_i(host_valid_o),
      .host_ready_i,
      .host_first_i(host_first_o),
      .host_last_i(host_last_o),
      .host_bad_i(host_bad_o),
      .host_data_i(host_data_o),
      .host_vl_i(host_vl),
      .used_i(rx_used),
      .abr_i(st_rx_abr_o),
      .cnt_rcv_i(st_cnt_rcv_o),
      .tx_ctl_i(tx_ctl_o),
      .err_i(err_o),
      .err_set_i(err_set),
      .err_clear_i(err_clear)
  );

  if (SRP == 0) begin : g_check
    hca_checker #(
        .LINES(LINES), .VL_BY_DEST(VL_BY_DEST), .FLOWS(FLOWS), .ADVOQ(ADVOQ), .CNT_W(CNT_W), .RESPONSE(RESPONSE)
    ) u_check (
        .clk_i, .rst_i,
        .ready_i(ready_o),
        .link_up_i(link_up),
        .cnp_queued_i(cnp_queued),
        .window_i(window),
        .win_i(st_win_o),
        .blocked_i(blocked),
        .move_i(cnp_moves),
        .move_flow_i(move_flow),
        .move_in_i(cnp_moves && !cnp_no_flow && cnp_room),
        .pop_cnp_i(head_cnp),
        .lid_base_i(lid_base),
        .post_i(post),
        .post_flow_i(gen_flow_i),
        .pop_i(accept),
        .pop_flow_i(inj_flow),
        .post_first_i(post_first),
        .any_i(any),
        .req_i(req),
        .sl_ok_i(sl_ok),
        .full_i(gen_full_o),
        .gen_pkts_i(st_gen_pkts_o),
        .stop_i(stop),
        .ol_valid_i(st_ol_valid_o),
        .ol_stop_i(st_ol_stop_o),
        .inj_last_i(inj_rx_last),
        .reply_sw_i(own_valid),
        .rx_valid_i, .rx_last_i, .rx_bad_i,
        .becn_valid_i(becn_valid),
        .becn_flow_i(from_flow),
        .cnt_becn_i(st_cnt_becn_o)
    );

    reply_checker #(
        .VLS(VLS), .MTU(MTU), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST), .FLOWS(FLOWS), .RX_BLOCKS(RX_BLOCKS),
        .CNPQ(CNPQ), .CNT_W(CNT_W), .CTL_VL(CTL_VL)
    ) u_check_replies (
        .clk_i, .rst_i,
        .ready_i(ready_o),
        .link_up_i(link_up),
        .cnp_en_i(cnp_en_here),
        .ack_en_i(ack_en_here),
        .queued_i(cnp_queued),
        .lid_i(lid),
        .lid_base_i(lid_base),
        .rx_valid_i, .rx_first_i, .rx_last_i, .rx_bad_i, .rx_data_i,
        .store_i(store),
        .used_i(rx_used),
        .bad_ack_i(rx_err[quell_pkg::HE_BAD_ACK]),
        .no_credit_i(rx_err[quell_pkg::HE_NO_CREDIT]),
        .bad_class_i(rx_err[quell_pkg::HE_BAD_CLASS]),
        .ack_valid_i(ack_valid),
        .ack_flow_i(from_flow),
        .ack_bits_i(ack_bits),
        .push_i(reply_push),
        .push_ack_i(reply.ack),
        .move_i(cnp_moves),
        .move_in_i(cnp_moves && !cnp_no_flow && cnp_room),
        .move_vl_i(cnp_move_vl),
        .pkts_i(st_cnp_pkts_o),
        .req_i(own_req),
        .data_req_i(in_req_valid),
        .grant_i(grant),
        .plain_i(out_cnp_plain),
        .txr_i(st_txr_o),
        .fccl_i(out_st_fccl),
        .act_i(own_act[0]),
        .sw_i(own_valid),
        .header_i(own_header),
        .cnt_cnp_i(st_cnt_cnp_o),
        .cnt_cnp_lost_i(st_cnt_cnp_lost_o),
        .cnt_ack_i(st_cnt_ack_o),
        .cnt_ack_lost_i(st_cnt_ack_lost_o),
        .cnt_ack_in_i(st_cnt_ack_in_o)
    );
  end
`else
  wire unused_check = &{1'b0, cnp_move_vl, store, count, store_vl, host_vl, host_held};
`endif
endmodule

`default_nettype wire
