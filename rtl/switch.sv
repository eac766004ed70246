// A switch: PORTS input ports, PORTS output ports, the crossbar between them and, when the inputs have
// one read port (ONE_QUEUE), the match that decides who may use it. docs/switch.md; rules A1-A3, C1.
`default_nettype none

module switch #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int BLOCKS = 2048,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int LFT_DEPTH = 1024,
    parameter int FLIT_BYTES = 64,
    parameter int TIMER_W = 32,
    parameter int ONE_QUEUE = 0,
    parameter int ISOLATION = 1,
    parameter int VL_BY_DEST = 0,
    parameter int ITERATIONS = 1,
    parameter int CNT_W = 32,
    parameter int MARKERS = 0,
    parameter int STAMP_W = 0,
    parameter int CIOQ = 0,
    parameter int OBLOCKS = 2048,  // of an output's queue, with CIOQ = 1
    parameter int CTL_VL = 0,  // 1: the highest VL is the control lane
    parameter int SRP = 0,  // 1: the three highest VLs are spec, res and reply,
    parameter int DATA_BLOCKS = 512,  // and lanes have these blocks at an input
    parameter int SPEC_BLOCKS = 512,
    parameter int CTL_BLOCKS = 64,
    parameter int RANDOM_UP = 0,  // 1: a route may be any up port, drawn for each packet
    parameter int PARITY = 0,
    localparam int AGE_W = (STAMP_W > 0) ? STAMP_W : 1,
    localparam int PV = PORTS * VLS,
    localparam int PP = PORTS * PORTS,
    localparam int FLIT_W = 8 * FLIT_BYTES,
    localparam int CTL = 8 * (16 + 2 * DLIST)
) (
    input  wire logic                     clk_i,
    input  wire logic                     rst_i,
    input  wire logic                     cfg_we_i,
    input  wire logic                     cfg_re_i,
    input  wire logic [7:0]               cfg_unit_i,  // 0: input port, 1: output port
    input  wire logic [7:0]               cfg_port_i,  // 255: all, for writes
    input  wire logic [7:0]               cfg_addr_i,
    input  wire logic [31:0]              cfg_data_i,
    input  wire logic                     lft_we_i,
    input  wire logic [15:0]              lft_addr_i,
    input  wire logic [7:0]               lft_port_i,
    input  wire logic [PORTS-1:0]         rx_valid_i,
    input  wire logic [PORTS-1:0]         rx_first_i,
    input  wire logic [PORTS-1:0]         rx_last_i,
    input  wire logic [PORTS-1:0]         rx_bad_i,
    input  wire logic [PORTS*FLIT_W-1:0]  rx_data_i,
    input  wire logic [PORTS*CTL-1:0]     rx_ctl_i,
    input  wire logic [PORTS-1:0]         link_up_i,
    output logic                          ready_o,
    output logic [PORTS-1:0]              tx_valid_o,
    output logic [PORTS-1:0]              tx_first_o,
    output logic [PORTS-1:0]              tx_last_o,
    output logic [PORTS-1:0]              tx_bad_o,
    output logic [PORTS*FLIT_W-1:0]       tx_data_o,
    output logic [PORTS*CTL-1:0]          tx_ctl_o,
    output logic [PORTS*16-1:0]           err_in_o,
    output logic [PORTS*16-1:0]           err_out_o,
    output logic                          cfg_rvalid_o,
    output logic [31:0]                   cfg_rdata_o,
    // architectural state
    output logic [PORTS*VLS*16-1:0]       st_used_o,
    output logic [PORTS*PV*16-1:0]        st_cpq_fill_o,
    output logic [PORTS*HPQS*16-1:0]      st_hpq_fill_o,
    output logic [PORTS*LINES*2-1:0]      st_line_state_o,
    output logic [PORTS*LINES*8-1:0]      st_line_dcnt_o,
    output logic [PORTS*VLS*12-1:0]       st_txr_o,
    output logic [PORTS*VLS-1:0]          st_cong_state_o,
    output logic [PORTS*VLS*18-1:0]       st_cnt1_o,
    output logic [PORTS*VLS*18-1:0]       st_cnt2_o,
    output logic [PORTS*VLS*16-1:0]       st_ofill_o,
    output logic [PORTS*LINES-1:0]        st_ol_valid_o,
    output logic [PORTS*LINES-1:0]        st_ol_stop_o,
    output logic [PORTS*16-1:0]           st_accept_o,
    output logic [PORTS*PORTS-1:0]        st_lost_o,
    output logic [PORTS*PORTS-1:0]        st_claim_o,
    output logic [PORTS*PORTS*PORTS-1:0]  st_claim_ahead_o,
    output logic [PORTS-1:0]              st_spec_nack_o,
    output logic [PORTS*32-1:0]           st_cnt_spec_drop_o,
    output logic [PORTS*16-1:0]           st_cnt_nohpq_o,
    output logic [PORTS*16-1:0]           st_cnt_noline_o,
    output logic [PORTS*CNT_W-1:0]        st_cnt_marked_o,
    output logic [PORTS*CNT_W-1:0]        st_cnt_sent_o
);
  if (PARITY != 0 && PARITY != 1) begin : g_bad_parity
    $error("parameter PARITY must be 0 or 1");
  end
  if (PORTS < 1 || PORTS > 64) begin : g_bad_ports
    $error("parameter PORTS is out of range: legal is 1..64");
  end
  if (ITERATIONS < 1 || ITERATIONS > 8) begin : g_bad_iterations
    $error("parameter ITERATIONS is out of range: legal is 1..8");
  end

  // Between the ports. From inputs, element [i][o] (and VL); from outputs, element [o][i].
  logic [PORTS-1:0]              in_ready;
  logic [PORTS*PV-1:0]           in_req_valid;
  logic [PORTS*PV*7-1:0]         in_req_len;
  logic [PORTS*PV*16-1:0]        in_req_dlid;
  logic [PORTS*PV-1:0]           in_req_cnp;
  logic [PORTS*PV-1:0]           in_req_hot;
  logic [PORTS*PV-1:0]           in_req_unlinked;
  logic [PORTS*PV-1:0]           in_req_bound;
  logic [PORTS*PV*8-1:0]         in_req_line;
  logic [PORTS*PV*AGE_W-1:0]     in_req_age;
  logic [PORTS*PORTS-1:0]        in_nack;
  logic [PORTS*PORTS-1:0]        in_act;
  logic [PORTS*PORTS-1:0]        in_end;
  logic [PORTS*PORTS-1:0]        in_slow;
  logic [PORTS*PORTS-1:0]        in_valid;
  logic [PORTS*PORTS-1:0]        in_first;
  logic [PORTS*PORTS-1:0]        in_last;
  logic [PORTS*PORTS-1:0]        in_bad;
  logic [PORTS*PORTS-1:0]        in_mark;
  logic [PORTS*PORTS*FLIT_W-1:0] in_data;
  logic [PORTS*PV-1:0]           in_cong;
  logic [PORTS*PV*16-1:0]        in_fill;
  logic [PORTS*PV-1:0]           in_enter;
  logic [PORTS*PV-1:0]           in_full_evt;
  logic [PORTS-1:0]              in_can_alloc;
  logic [PORTS*PORTS*LINES-1:0]  in_known;
  logic [PORTS*PORTS*LINES-1:0]  in_room;
  logic [PORTS*PORTS*LINES-1:0]  in_pend;
  logic [PORTS*PV-1:0]           in_grant;  // the match, as the inputs see it
  logic [PORTS*PV-1:0]           open_req_valid;  // requests of inputs whose running engine reads (ONE_QUEUE)
  logic [PORTS*PV-1:0]           out_req_valid;   // requests that the outputs see
  logic [PORTS*VLS*12-1:0]       out_fccl;
  logic [PORTS*PV-1:0]           out_grant;
  logic [PORTS*PV-1:0]           out_elig;
  logic [PORTS*PV-1:0]           out_held;
  logic [PORTS*PV*8-1:0]         out_held_line;
  logic [PORTS*PORTS*LINES-1:0]  out_wait;
  logic [PORTS-1:0]              link_up;  // as the ports see it
  logic [PORTS*PV-1:0]           out_take;
  logic [PORTS*PV-1:0]           out_req_cnp;  // of the class that goes first
  logic [PORTS*PORTS*PORTS-1:0]  out_class_ahead;  // order of the class that an output chose (ONE_QUEUE)
  logic [PORTS-1:0]              out_rd_en;
  logic [PORTS-1:0]              out_rd_slow;
  logic [PORTS*PORTS-1:0]        out_prop_valid;
  logic [PORTS*8-1:0]            out_prop_vl;
  logic [PORTS*8-1:0]            out_prop_line;
  logic [PORTS*6-1:0]            out_prop_hops;
  logic [PORTS*24-1:0]           out_prop_root;

  logic [PORTS-1:0]              match_err, turns_err, own_err;  // of parity, per input
  logic [PORTS-1:0]              own_read;           // the sticky error below is read
  logic [PORTS-1:0]              in_re, out_re;      // reads of registers
  logic [PORTS-1:0]              in_rvalid, out_rvalid;
  logic [PORTS*32-1:0]           in_rdata, out_rdata;

  assign ready_o = &in_ready;
  assign link_up = ready_o ? link_up_i : '1;

`ifdef QUELL_CHECK
  // lines of all ports
  logic [PORTS*LINES*8-1:0]  all_line_out, all_line_vl, all_line_next, all_ol_vl;
  logic [PORTS*LINES*24-1:0] all_line_root, all_ol_root;
  logic [PORTS*LINES-1:0]    all_line_linked;
  logic [PORTS*2-1:0]        all_due;
  logic [PORTS-1:0]          all_plain;
  logic [PORTS*LINES*16-1:0] all_line_queue;
  logic [PORTS*HPQS*16-1:0]  all_hpq_pkts;
  logic [PORTS*HPQS-1:0]     all_hpq_tied;
  logic [PORTS-1:0]          all_open;
`endif

  for (genvar p = 0; p < PORTS; p++) begin : g_port
    logic cfg_here;
    assign cfg_here = ready_o && cfg_we_i && (cfg_port_i == 8'(p) || cfg_port_i == 8'hFF);
    assign in_re[p] = ready_o && cfg_re_i && cfg_port_i == 8'(p) && cfg_unit_i == 8'd0;
    assign out_re[p] = ready_o && cfg_re_i && cfg_port_i == 8'(p) && cfg_unit_i == 8'd1;

    // ---- control words of the link
    quell_pkg::credit_t   fctbs, tx_fctbs;
    quell_pkg::credit_t   fccl, tx_fccl;
    quell_pkg::tree_msg_t msg, up;
    logic [16*DLIST-1:0]  msg_dlist, up_dlist;

    logic [CTL-1:0]      rx_word, tx_word;

    assign rx_word = ready_o ? rx_ctl_i[p*CTL +: CTL] : '0;
    assign tx_ctl_o[p*CTL +: CTL] = ready_o ? tx_word : '0;

    link_ctl_unpack #(
        .DLIST(DLIST)
    ) u_unpack (
        .ctl_i  (rx_word),
        .fctbs_o(fctbs),
        .fccl_o (fccl),
        .msg_o  (msg),
        .dlist_o(msg_dlist)
    );

    link_ctl_pack #(
        .DLIST(DLIST)
    ) u_pack (
        .fctbs_i(tx_fctbs),
        .fccl_i (tx_fccl),
        .msg_i  (up),
        .dlist_i(up_dlist),
        .ctl_o  (tx_word)
    );

    // ---- a flip in the switch's own state of this input shows in the errors of its input port
    logic [15:0] in_err;

    if (PARITY != 0) begin : g_parity
      logic match_q, clear;
      assign clear = cfg_here && cfg_unit_i == 8'd0 && cfg_addr_i == quell_pkg::IP_ERR_CLEAR
          && cfg_data_i[quell_pkg::IE_PARITY];
      always_ff @(posedge clk_i) begin
        if (rst_i) match_q <= 1'b0;
        else match_q <= (match_q && !clear) || match_err[p] || turns_err[p] || own_err[p];
      end
      assign err_in_o[p*16 +: 16] = in_err | (16'(match_q) << quell_pkg::IE_PARITY);
      assign own_read[p] = in_re[p] && cfg_addr_i == quell_pkg::IP_ERR_CLEAR && match_q;
    end else begin : g_no_parity
      logic unused_err;
      assign unused_err = &{1'b0, match_err[p], turns_err[p], own_err[p]};
      assign own_read[p] = 1'b0;
      assign err_in_o[p*16 +: 16] = in_err;
    end

    // ---- input port
    // state that the switch does not show
    logic                      st_up;
    logic [1:0]                st_rx_state;
    logic [6:0]                st_rx_count;
    logic [VLS*12-1:0]         st_abr;
    logic [PV*16-1:0]          st_cpq_pkts;
    logic [HPQS*16-1:0]        st_hpq_pkts;
    logic [LINES*8-1:0]        st_line_out;
    logic [LINES*8-1:0]        st_line_vl;
    logic [LINES*16-1:0]       st_line_queue;
    logic [LINES*6-1:0]        st_line_hops;
    logic [LINES*24-1:0]       st_line_root;
    logic [LINES*8-1:0]        st_line_next;
    logic [LINES-1:0]          st_line_linked;
    logic [LINES-1:0]          st_line_ann;
    logic [LINES-1:0]          st_line_sent_stop;
    logic [LINES-1:0]          st_line_stop_req;
    logic [LINES-1:0]          st_line_reached;
    logic [LINES-1:0]          st_line_dirty;
    logic [LINES*TIMER_W-1:0]  st_line_timer;
    logic [LINES*DLIST*16-1:0] st_line_dlist;
    logic [LINES-1:0]          st_line_own;
    logic [PV-1:0]             st_cpq_tied;
    logic [PV*8-1:0]           st_cpq_tie;
    logic [HPQS-1:0]           st_hpq_tied;
    logic [HPQS*8-1:0]         st_hpq_tie;
    logic [LINES-1:0]          st_line_cong;
    logic [15:0]               st_nfq_wait;
    logic [PORTS-1:0]          st_slow;
    logic [PV*16-1:0]          st_waiting;
    logic [VLS-1:0]            st_full;
    logic [VLS-1:0]            st_armed;
    logic [PV*16-1:0]          st_ncnt;
    logic [PV-1:0]             st_aged;
    logic [VLS-1:0]            st_pinned;
    logic [VLS*8-1:0]          st_pin;
    logic [VLS*4-1:0]          st_bypass;
    logic [15:0]               st_now;
    logic [15:0]               st_spec_age;
    logic [15:0]               st_spec_waited;
    logic                      st_disc_act;
    logic [6:0]                st_disc_r;
    logic [15:0]               st_up_lfsr;
    logic [15:0]               st_cnt_drop;
    logic [PORTS-1:0] prop_valid;  // from each output to this input
    logic [PV-1:0]    held;
    logic [PV*8-1:0]  held_line;
    logic [PORTS*LINES-1:0] ol_stop;  // for this input
    for (genvar o = 0; o < PORTS; o++) begin : g_from
      assign prop_valid[o] = out_prop_valid[o*PORTS+p];
      assign held[o*VLS +: VLS] = out_held[(o*PORTS+p)*VLS +: VLS];
      assign held_line[o*VLS*8 +: VLS*8] = out_held_line[(o*PORTS+p)*VLS*8 +: VLS*8];
      assign ol_stop[o*LINES +: LINES] = st_ol_stop_o[o*LINES +: LINES] | out_wait[(o*PORTS+p)*LINES +: LINES];
    end

    switch_input_port #(
        .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .HPQS(HPQS), .LINES(LINES), .DLIST(DLIST),
        .LFT_DEPTH(LFT_DEPTH), .FLIT_BYTES(FLIT_BYTES), .TIMER_W(TIMER_W), .ONE_QUEUE(ONE_QUEUE),
        .ISOLATION(ISOLATION), .VL_BY_DEST(VL_BY_DEST), .MARKERS(MARKERS), .STAMP_W(STAMP_W), .CIOQ(CIOQ), .CTL_VL(CTL_VL),
        .SRP(SRP), .DATA_BLOCKS(DATA_BLOCKS), .SPEC_BLOCKS(SPEC_BLOCKS), .CTL_BLOCKS(CTL_BLOCKS),
        .RANDOM_UP(RANDOM_UP), .PARITY(PARITY)
    ) u_in (
        .clk_i, .rst_i,
        .cfg_we_i           (cfg_here && cfg_unit_i == 8'd0),
        .cfg_re_i           (in_re[p]),
        .cfg_addr_i, .cfg_data_i,
        .lft_we_i           (ready_o && lft_we_i),
        .lft_addr_i, .lft_port_i,
        .rx_valid_i         (ready_o && rx_valid_i[p]),
        .rx_first_i         (rx_first_i[p]),
        .rx_last_i          (rx_last_i[p]),
        .rx_bad_i           (rx_bad_i[p]),
        .rx_data_i          (rx_data_i[p*FLIT_W +: FLIT_W]),
        .fctbs_valid_i      (fctbs.valid),
        .fctbs_vl_i         (fctbs.vl),
        .fctbs_i            (fctbs.blocks),
        .link_up_i          (link_up[p]),
        .grant_i            (in_grant[p*PV +: PV]),
        .held_i             (held),
        .held_line_i        (held_line),
        .rd_en_i            (out_rd_en),
        .rd_slow_i          (out_rd_slow),
        .prop_valid_i       (prop_valid),
        .prop_vl_i          (out_prop_vl),
        .prop_line_i        (out_prop_line),
        .prop_hops_i        (out_prop_hops),
        .prop_root_i        (out_prop_root),
        .ol_valid_i         (st_ol_valid_o),
        .ol_stop_i          (ol_stop),
        .ready_o            (in_ready[p]),
        .req_valid_o        (in_req_valid[p*PV +: PV]),
        .req_len_o          (in_req_len[p*PV*7 +: PV*7]),
        .req_dlid_o         (in_req_dlid[p*PV*16 +: PV*16]),
        .req_cnp_o          (in_req_cnp[p*PV +: PV]),
        .req_hot_o          (in_req_hot[p*PV +: PV]),
        .req_unlinked_o     (in_req_unlinked[p*PV +: PV]),
        .req_bound_o        (in_req_bound[p*PV +: PV]),
        .req_line_o         (in_req_line[p*PV*8 +: PV*8]),
        .req_age_o          (in_req_age[p*PV*AGE_W +: PV*AGE_W]),
        .req_nack_o         (in_nack[p*PORTS +: PORTS]),
        .xb_act_o           (in_act[p*PORTS +: PORTS]),
        .xb_end_o           (in_end[p*PORTS +: PORTS]),
        .xb_slow_o          (in_slow[p*PORTS +: PORTS]),
        .xb_valid_o         (in_valid[p*PORTS +: PORTS]),
        .xb_first_o         (in_first[p*PORTS +: PORTS]),
        .xb_last_o          (in_last[p*PORTS +: PORTS]),
        .xb_bad_o           (in_bad[p*PORTS +: PORTS]),
        .xb_mark_o          (in_mark[p*PORTS +: PORTS]),
        .xb_data_o          (in_data[p*PORTS*FLIT_W +: PORTS*FLIT_W]),
        .cong_o             (in_cong[p*PV +: PV]),
        .fill_o             (in_fill[p*PV*16 +: PV*16]),
        .enter_o            (in_enter[p*PV +: PV]),
        .full_evt_o         (in_full_evt[p*PV +: PV]),
        .can_alloc_o        (in_can_alloc[p]),
        .known_o            (in_known[p*PORTS*LINES +: PORTS*LINES]),
        .room_o             (in_room[p*PORTS*LINES +: PORTS*LINES]),
        .pend_o             (in_pend[p*PORTS*LINES +: PORTS*LINES]),
        .fc_valid_o         (tx_fccl.valid),
        .fc_vl_o            (tx_fccl.vl),
        .fccl_o             (tx_fccl.blocks),
        .msg_valid_o        (up.valid),
        .msg_type_o         (up.kind),
        .msg_line_o         (up.line),
        .msg_vl_o           (up.vl),
        .msg_root_o         (up.root),
        .msg_hops_o         (up.hops),
        .msg_stop_o         (up.stop),
        .msg_dcnt_o         (up.dcnt),
        .msg_dlist_o        (up_dlist),
        .err_o              (in_err),
        .cfg_rvalid_o       (in_rvalid[p]),
        .cfg_rdata_o        (in_rdata[p*32 +: 32]),
        .st_up_o            (st_up),
        .st_rx_state_o      (st_rx_state),
        .st_rx_count_o      (st_rx_count),
        .st_used_o          (st_used_o[p*VLS*16 +: VLS*16]),
        .st_abr_o           (st_abr),
        .st_cpq_pkts_o      (st_cpq_pkts),
        .st_cpq_fill_o      (st_cpq_fill_o[p*PV*16 +: PV*16]),
        .st_hpq_pkts_o      (st_hpq_pkts),
        .st_hpq_fill_o      (st_hpq_fill_o[p*HPQS*16 +: HPQS*16]),
        .st_line_state_o    (st_line_state_o[p*LINES*2 +: LINES*2]),
        .st_line_out_o      (st_line_out),
        .st_line_vl_o       (st_line_vl),
        .st_line_queue_o    (st_line_queue),
        .st_line_hops_o     (st_line_hops),
        .st_line_root_o     (st_line_root),
        .st_line_next_o     (st_line_next),
        .st_line_linked_o   (st_line_linked),
        .st_line_ann_o      (st_line_ann),
        .st_line_sent_stop_o(st_line_sent_stop),
        .st_line_stop_req_o (st_line_stop_req),
        .st_line_reached_o  (st_line_reached),
        .st_line_dirty_o    (st_line_dirty),
        .st_line_timer_o    (st_line_timer),
        .st_line_dcnt_o     (st_line_dcnt_o[p*LINES*8 +: LINES*8]),
        .st_line_dlist_o    (st_line_dlist),
        .st_line_own_o      (st_line_own),
        .st_cpq_tied_o      (st_cpq_tied),
        .st_cpq_tie_o       (st_cpq_tie),
        .st_hpq_tied_o      (st_hpq_tied),
        .st_hpq_tie_o       (st_hpq_tie),
        .st_cpq_went_o      (st_cpq_went),
        .st_hpq_went_o      (st_hpq_went),
        .st_line_cong_o     (st_line_cong),
        .st_nfq_wait_o      (st_nfq_wait),
        .st_slow_o          (st_slow),
        .st_waiting_o       (st_waiting),
        .st_full_o          (st_full),
        .st_armed_o         (st_armed),
        .st_ncnt_o          (st_ncnt),
        .st_aged_o          (st_aged),
        .st_pinned_o        (st_pinned),
        .st_pin_o           (st_pin),
        .st_bypass_o        (st_bypass),
        .st_now_o           (st_now),
        .st_spec_nack_o     (st_spec_nack_o[p]),
        .st_spec_age_o      (st_spec_age),
        .st_spec_waited_o   (st_spec_waited),
        .st_disc_act_o      (st_disc_act),
        .st_disc_r_o        (st_disc_r),
        .st_cnt_spec_drop_o (st_cnt_spec_drop_o[p*32 +: 32]),
        .st_lfsr_o          (st_up_lfsr),
        .st_cnt_drop_o      (st_cnt_drop),
        .st_cnt_nohpq_o     (st_cnt_nohpq_o[p*16 +: 16]),
        .st_cnt_noline_o    (st_cnt_noline_o[p*16 +: 16])
    );

    // ---- output port: what the inputs hold for it
    logic [PV-1:0]          req_valid;
    logic [PV*7-1:0]        req_len;
    logic [PV*16-1:0]       req_dlid;
    logic [PV-1:0]          req_cnp;
    logic [PV-1:0]          req_hot;
    logic [PV-1:0]          req_unlinked;
    logic [PV-1:0]          req_bound;
    logic [PV*8-1:0]        req_line;
    logic [PV*AGE_W-1:0]    req_age;
    logic [PORTS-1:0]       req_nack;
    logic [PORTS-1:0]       xb_act;
    logic [PORTS-1:0]       xb_end;
    logic [PORTS-1:0]       xb_slow;
    logic [PORTS-1:0]       xb_valid;
    logic [PORTS-1:0]       xb_first;
    logic [PORTS-1:0]       xb_last;
    logic [PORTS-1:0]       xb_bad;
    logic [PORTS-1:0]       xb_mark;
    logic [PORTS*FLIT_W-1:0] xb_data;
    logic [PV-1:0]          cong;
    logic [PV*16-1:0]       fill;
    logic [PV-1:0]          enter;
    logic [PV-1:0]          full_evt;
    logic [PORTS*LINES-1:0] known;
    logic [PORTS*LINES-1:0] room;
    logic [PORTS*LINES-1:0] pend;
    logic [FLIT_W-1:0]      sw_data;
    logic                   cnp_plain;  // one class: CNPs are as data
    logic [PV-1:0]          first_class;

    for (genvar i = 0; i < PORTS; i++) begin : g_to
      localparam int E = i * PORTS + p;
      assign req_valid[i*VLS +: VLS] = out_req_valid[(p*PORTS+i)*VLS +: VLS];
      assign req_len[i*VLS*7 +: VLS*7] = in_req_len[E*VLS*7 +: VLS*7];
      assign req_dlid[i*VLS*16 +: VLS*16] = in_req_dlid[E*VLS*16 +: VLS*16];
      assign req_cnp[i*VLS +: VLS] = in_req_cnp[E*VLS +: VLS];
      assign req_hot[i*VLS +: VLS] = in_req_hot[E*VLS +: VLS];
      assign req_unlinked[i*VLS +: VLS] = in_req_unlinked[E*VLS +: VLS];
      assign req_bound[i*VLS +: VLS] = in_req_bound[E*VLS +: VLS];
      assign req_line[i*VLS*8 +: VLS*8] = in_req_line[E*VLS*8 +: VLS*8];
      assign req_age[i*VLS*AGE_W +: VLS*AGE_W] = in_req_age[E*VLS*AGE_W +: VLS*AGE_W];
      assign req_nack[i] = in_nack[E];
      assign xb_act[i] = in_act[E];
      assign xb_end[i] = in_end[E];
      assign xb_slow[i] = in_slow[E];
      assign xb_valid[i] = in_valid[E];
      assign xb_first[i] = in_first[E];
      assign xb_last[i] = in_last[E];
      assign xb_bad[i] = in_bad[E];
      assign xb_mark[i] = in_mark[E];
      assign xb_data[i*FLIT_W +: FLIT_W] = in_data[E*FLIT_W +: FLIT_W];
      assign cong[i*VLS +: VLS] = in_cong[E*VLS +: VLS];
      assign fill[i*VLS*16 +: VLS*16] = in_fill[E*VLS*16 +: VLS*16];
      assign enter[i*VLS +: VLS] = in_enter[E*VLS +: VLS];
      assign full_evt[i*VLS +: VLS] = in_full_evt[E*VLS +: VLS];
      assign known[i*LINES +: LINES] = in_known[E*LINES +: LINES];
      assign room[i*LINES +: LINES] = in_room[E*LINES +: LINES];
      assign pend[i*LINES +: LINES] = in_pend[E*LINES +: LINES];
    end

    // state that the switch does not show
    logic [VLS*12-1:0]         st_fctbs;
    logic [VLS*8-1:0]          st_count;
    logic [VLS*16-1:0]         st_mark_count;
    logic [15:0]               st_lfsr;
    logic [PORTS*PV-1:0]       st_ahead;
    logic [VLS*16-1:0]         st_cr;
    logic [31:0]               st_vp;
    logic [63:0]               st_class_ptr;
    logic [VLS-1:0]            st_owed;
    logic [VLS*8-1:0]          st_owed_in;
    logic [VLS*8-1:0]          st_passed;
    logic [VLS-1:0]            st_waited;
    logic [VLS-1:0]            st_rooted;
    logic [VLS-1:0]            st_root_held;
    logic [VLS-1:0]            st_sat;
    logic [VLS*16-1:0]         st_oq_flits;
    logic [15:0]               st_lp;
    logic                      st_sending;
    logic [15:0]               st_scan, st_draw;
    logic [1:0]                st_due, st_drop;
    logic [LINES*2-1:0]        st_ol_hold;
    logic [LINES*8-1:0]        st_ol_vl;
    logic [LINES*6-1:0]        st_ol_hops;
    logic [LINES*24-1:0]       st_ol_root;
    logic [LINES*TIMER_W-1:0]  st_ol_timer;
    logic [LINES*8-1:0]        st_ol_dcnt;
    logic [LINES*DLIST*16-1:0] st_ol_dlist;
    logic [LINES-1:0]          st_ol_fresh;
    logic [LINES-1:0]          st_ol_closing;
    logic [PV-1:0]             st_cpq_went;
    logic [HPQS-1:0]           st_hpq_went;
    logic [LINES*16-1:0]       st_ol_turn;
    logic [15:0]               st_cnt_e7;
    logic unused;
    assign unused = &{1'b0, st_up, st_rx_state, st_rx_count, st_abr, st_cpq_pkts, st_hpq_pkts, st_line_out,
                      st_line_vl, st_line_queue, st_line_hops, st_line_root, st_line_next,
                      st_line_linked, st_line_ann, st_line_sent_stop, st_line_stop_req,
                      st_line_reached, st_line_dirty, st_line_timer, st_line_dlist, st_line_own, st_line_cong,
                      st_nfq_wait, st_cnt_drop, st_fctbs, st_count, st_mark_count, st_lfsr,
                      st_ahead, st_cr, st_vp, st_passed, st_waited, st_rooted, st_root_held, st_scan, st_draw, st_due, st_drop,
                      st_ol_hold, st_ol_vl, st_ol_hops, st_ol_root, st_ol_timer, st_ol_dcnt,
                      st_ol_dlist, st_ol_fresh, st_ol_closing, st_ol_turn, st_cnt_e7, st_cpq_tied, st_cpq_tie, st_hpq_tied,
                      st_hpq_tie, st_cpq_went, st_hpq_went, st_waiting, st_full, st_armed, st_ncnt, st_aged, st_pinned, st_pin,
                      st_bypass, st_sat, st_slow, st_oq_flits, st_lp, st_sending, st_now, st_spec_age, st_spec_waited, st_disc_act,
                      st_disc_r, st_up_lfsr, st_class_ptr, st_owed, st_owed_in};

    crossbar_column #(.PORTS(PORTS), .FLIT_W(FLIT_W)) u_column (
        .valid_i(xb_valid),
        .data_i(xb_data),
        .data_o(sw_data)
    );

    switch_output_port #(
        .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .LINES(LINES), .DLIST(DLIST), .FLIT_BYTES(FLIT_BYTES),
        .TIMER_W(TIMER_W), .ONE_QUEUE(ONE_QUEUE), .ISOLATION(ISOLATION), .VL_BY_DEST(VL_BY_DEST), .CNT_W(CNT_W),
        .MARKERS(MARKERS), .STAMP_W(STAMP_W), .CIOQ(CIOQ), .OBLOCKS(OBLOCKS), .CTL_VL(CTL_VL),
        .SRP(SRP), .DATA_BLOCKS(DATA_BLOCKS), .PARITY(PARITY)
    ) u_out (
        .clk_i, .rst_i,
        .cfg_we_i       (cfg_here && cfg_unit_i == 8'd1),
        .cfg_re_i       (out_re[p]),
        .cfg_addr_i, .cfg_data_i,
        .req_valid_i    (req_valid),
        .req_len_i      (req_len),
        .req_dlid_i     (req_dlid),
        .req_cnp_i      (req_cnp),
        .req_hot_i      (req_hot),
        .req_unlinked_i (req_unlinked),
        .req_bound_i    (req_bound),
        .req_line_i     (req_line),
        .req_age_i      (req_age),
        .req_nack_i     (req_nack),
        .can_alloc_i    (in_can_alloc),
        .known_i        (known),
        .room_i         (room),
        .pend_i         (pend),
        .xb_act_i       (xb_act),
        .xb_end_i       (xb_end),
        .xb_slow_i      (xb_slow),
        .cong_i         (cong),
        .fill_i         (fill),
        .enter_i        (enter),
        .full_evt_i     (full_evt),
        .sw_valid_i     (|xb_valid),
        .sw_first_i     (|xb_first),
        .sw_last_i      (|xb_last),
        .sw_bad_i       (|xb_bad),
        .sw_mark_i      (|xb_mark),
        .sw_data_i      (sw_data),
        .take_i         (out_take[p*PV +: PV]),
        .link_up_i      (link_up[p]),
        .fccl_valid_i   (fccl.valid),
        .fccl_vl_i      (fccl.vl),
        .fccl_i         (fccl.blocks),
        .msg_valid_i    (msg.valid),
        .msg_type_i     (msg.kind),
        .msg_line_i     (msg.line),
        .msg_vl_i       (msg.vl),
        .msg_root_i     (msg.root),
        .msg_hops_i     (msg.hops),
        .msg_stop_i     (msg.stop),
        .msg_dcnt_i     (msg.dcnt),
        .msg_dlist_i    (msg_dlist),
        .grant_o        (out_grant[p*PV +: PV]),
        .elig_o         (out_elig[p*PV +: PV]),
        .held_o         (out_held[p*PV +: PV]),
        .held_line_o    (out_held_line[p*PV*8 +: PV*8]),
        .rd_en_o        (out_rd_en[p]),
        .rd_slow_o      (out_rd_slow[p]),
        .prop_valid_o   (out_prop_valid[p*PORTS +: PORTS]),
        .prop_vl_o      (out_prop_vl[p*8 +: 8]),
        .prop_line_o    (out_prop_line[p*8 +: 8]),
        .prop_hops_o    (out_prop_hops[p*6 +: 6]),
        .prop_root_o    (out_prop_root[p*24 +: 24]),
        .ol_valid_o     (st_ol_valid_o[p*LINES +: LINES]),
        .ol_stop_o      (st_ol_stop_o[p*LINES +: LINES]),
        .ol_wait_o      (out_wait[p*PORTS*LINES +: PORTS*LINES]),
        .tx_valid_o     (tx_valid_o[p]),
        .tx_first_o     (tx_first_o[p]),
        .tx_last_o      (tx_last_o[p]),
        .tx_bad_o       (tx_bad_o[p]),
        .tx_data_o      (tx_data_o[p*FLIT_W +: FLIT_W]),
        .fctbs_valid_o  (tx_fctbs.valid),
        .fctbs_vl_o     (tx_fctbs.vl),
        .fctbs_o        (tx_fctbs.blocks),
        .cong_state_o   (st_cong_state_o[p*VLS +: VLS]),
        .cnp_plain_o    (cnp_plain),
        .err_o          (err_out_o[p*16 +: 16]),
        .cfg_rvalid_o   (out_rvalid[p]),
        .cfg_rdata_o    (out_rdata[p*32 +: 32]),
        .st_txr_o       (st_txr_o[p*VLS*12 +: VLS*12]),
        .st_fctbs_o     (st_fctbs),
        .st_fccl_o      (out_fccl[p*VLS*12 +: VLS*12]),
        .st_count_o     (st_count),
        .st_mark_count_o(st_mark_count),
        .st_lfsr_o      (st_lfsr),
        .st_ahead_o     (st_ahead),
        .st_cr_o        (st_cr),
        .st_vp_o        (st_vp),
        .st_class_ptr_o (st_class_ptr),
        .st_owed_o      (st_owed),
        .st_owed_in_o   (st_owed_in),
        .st_passed_o    (st_passed),
        .st_waited_o    (st_waited),
        .st_rooted_o    (st_rooted),
        .st_root_held_o (st_root_held),
        .st_cnt1_o      (st_cnt1_o[p*VLS*18 +: VLS*18]),
        .st_cnt2_o      (st_cnt2_o[p*VLS*18 +: VLS*18]),
        .st_sat_o       (st_sat),
        .st_ofill_o     (st_ofill_o[p*VLS*16 +: VLS*16]),
        .st_oq_flits_o  (st_oq_flits),
        .st_lp_o        (st_lp),
        .st_sending_o   (st_sending),
        .st_scan_o      (st_scan),
        .st_draw_o      (st_draw),
        .st_due_o       (st_due),
        .st_drop_o      (st_drop),
        .st_ol_hold_o   (st_ol_hold),
        .st_ol_vl_o     (st_ol_vl),
        .st_ol_hops_o   (st_ol_hops),
        .st_ol_root_o   (st_ol_root),
        .st_ol_timer_o  (st_ol_timer),
        .st_ol_dcnt_o   (st_ol_dcnt),
        .st_ol_dlist_o  (st_ol_dlist),
        .st_ol_fresh_o  (st_ol_fresh),
        .st_ol_closing_o(st_ol_closing),
        .st_ol_turn_o   (st_ol_turn),
        .st_cnt_e7_o    (st_cnt_e7),
        .st_cnt_marked_o(st_cnt_marked_o[p*CNT_W +: CNT_W]),
        .st_cnt_sent_o  (st_cnt_sent_o[p*CNT_W +: CNT_W])
    );

`ifdef QUELL_CHECK
    assign all_due[p*2 +: 2] = st_due;
    assign all_plain[p] = cnp_plain;
    assign all_line_queue[p*LINES*16 +: LINES*16] = st_line_queue;
    assign all_hpq_pkts[p*HPQS*16 +: HPQS*16] = st_hpq_pkts;
    assign all_hpq_tied[p*HPQS +: HPQS] = st_hpq_tied;
    assign all_open[p] = st_rx_state == quell_pkg::RX_RECV;
    assign all_line_out[p*LINES*8 +: LINES*8] = st_line_out;
    assign all_line_vl[p*LINES*8 +: LINES*8] = st_line_vl;
    assign all_line_next[p*LINES*8 +: LINES*8] = st_line_next;
    assign all_line_root[p*LINES*24 +: LINES*24] = st_line_root;
    assign all_line_linked[p*LINES +: LINES] = st_line_linked;
    assign all_ol_vl[p*LINES*8 +: LINES*8] = st_ol_vl;
    assign all_ol_root[p*LINES*24 +: LINES*24] = st_ol_root;
`ifndef YOSYS
    if (ISOLATION != 0) begin : g_turns
      turns_checker #(
          .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .HPQS(HPQS), .LINES(LINES), .DLIST(DLIST), .ONE_QUEUE(ONE_QUEUE)
      ) u_turns (
          .clk_i(clk_i), .rst_i(rst_i), .out_i(8'(p)), .open_i(all_open), .hpq_pkts_i(all_hpq_pkts), .hpq_tied_i(all_hpq_tied),
          .line_state_i(st_line_state_o), .line_out_i(all_line_out), .line_queue_i(all_line_queue),
          .line_next_i(all_line_next), .line_linked_i(all_line_linked), .act_i(in_act),
          .served_i((ONE_QUEUE != 0) ? out_take[p*PV +: PV] : out_grant[p*PV +: PV]), .req_dlid_i(req_dlid),
          .req_cnp_i(req_cnp), .req_hot_i(req_hot), .req_bound_i(req_bound), .req_line_i(req_line),
          .fccl_i(out_fccl[p*VLS*12 +: VLS*12]), .txr_i(st_txr_o[p*VLS*12 +: VLS*12]),
          .ol_valid_i(st_ol_valid_o[p*LINES +: LINES]), .ol_stop_i(st_ol_stop_o[p*LINES +: LINES]), .ol_vl_i(st_ol_vl),
          .ol_root_i(st_ol_root), .ol_dcnt_i(st_ol_dcnt), .ol_dlist_i(st_ol_dlist)
      );
    end else begin : g_no_turns
      wire unused_turns = &{1'b0, all_line_queue, all_hpq_pkts, all_hpq_tied, all_open};
    end
`endif
`endif

    // what an output could serve is all of the class that it chose
    assign first_class = cnp_plain ? '0 : req_cnp;
    assign out_req_cnp[p*PV +: PV] = first_class;
    if (ONE_QUEUE != 0) begin : g_orders
      logic cnps;
      assign cnps = (out_elig[p*PV +: PV] & first_class) != '0;
      for (genvar i = 0; i < PORTS; i++) begin : g_of
        for (genvar j = 0; j < PORTS; j++) begin : g_pair
          assign out_class_ahead[p*PP + i*PORTS + j] = cnps ? quell_pkg::goes_before(16'(j), 16'(i), st_cr[15:0]) : st_ahead[i*PORTS + j];
        end
      end
    end else begin : g_no_orders
      assign out_class_ahead[p*PP +: PP] = '0;
    end

    // the match as this input sees it
    for (genvar o = 0; o < PORTS; o++) begin : g_grant
      assign in_grant[(p*PORTS+o)*VLS +: VLS] = (ONE_QUEUE != 0)
          ? out_take[(o*PORTS+p)*VLS +: VLS] : out_grant[(o*PORTS+p)*VLS +: VLS];
    end
  end

  // ---- C1: what is read is what the one port answers that was asked, with the error that the switch adds; nobody there: 0
  logic none_q, none_d;  // nobody was asked
  logic own_q, own_d;    // the switch adds its error

  assign none_d = !rst_i && ready_o && cfg_re_i && (in_re | out_re) == '0;
  assign own_d = !rst_i && own_read != '0;

  always_ff @(posedge clk_i) begin
    none_q <= none_d;
    own_q <= own_d;
  end

  always_comb begin
    cfg_rvalid_o = none_q || (in_rvalid | out_rvalid) != '0;
    cfg_rdata_o = 32'(own_q) << quell_pkg::IE_PARITY;
    for (int p = 0; p < PORTS; p++) cfg_rdata_o = cfg_rdata_o | in_rdata[p*32 +: 32] | out_rdata[p*32 +: 32];
  end

  // (it belongs to port 0)
  if (PORTS > 1) begin : g_others
    assign own_err[PORTS-1:1] = '0;
  end
  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{none_d, own_d}),
      .now_i (^{none_q, own_q}),
      .err_o (own_err[0])
  );

  // ---- the match
  if (ONE_QUEUE != 0) begin : g_match
    islip_match #(
        .PORTS(PORTS), .ITERATIONS(ITERATIONS), .PARITY(PARITY)
    ) u_match (
        .clk_i, .rst_i,
        .grant_i (out_grant),
        .elig_i  (out_elig),
        .ahead_i (out_class_ahead),
        .take_o  (out_take),
        .accept_o(st_accept_o),
        .parity_err_o(match_err)
    );

    logic [PORTS-1:0] in_busy;

    for (genvar i = 0; i < PORTS; i++) begin : g_open
      logic open;
      assign in_busy[i] = in_act[i*PORTS +: PORTS] != '0;
      assign open = (in_act[i*PORTS +: PORTS] & ~out_rd_en) == '0;
      assign open_req_valid[i*PORTS +: PORTS] = open ? in_req_valid[i*PORTS +: PORTS] : '0;
    end

    claim_turns #(
        .PORTS(PORTS), .MTU(MTU), .PARITY(PARITY)
    ) u_turns (
        .clk_i, .rst_i,
        .req_valid_i(open_req_valid),
        .busy_i     (in_busy),
        .fccl_i     (out_fccl),
        .txr_i      (st_txr_o),
        .cnp_i      (out_req_cnp),
        .held_i     (out_held),
        .take_i     (out_take),
        .req_valid_o(out_req_valid),
        .lost_o     (st_lost_o),
        .claim_o    (st_claim_o),
        .ahead_o    (st_claim_ahead_o),
        .parity_err_o(turns_err)
    );
  end else begin : g_granted
    logic unused;
    assign unused = &{1'b0, out_elig, out_req_cnp, out_class_ahead, out_fccl};
    assign match_err = '0;
    assign turns_err = '0;
    assign out_take = '0;
    assign st_accept_o = '0;
    assign st_lost_o = '0;
    assign st_claim_o = '0;
    assign st_claim_ahead_o = '0;
    assign open_req_valid = in_req_valid;
    for (genvar o = 0; o < PORTS; o++) begin : g_output
      for (genvar i = 0; i < PORTS; i++) begin : g_input
        assign out_req_valid[(o*PORTS+i)*VLS +: VLS] = open_req_valid[(i*PORTS+o)*VLS +: VLS];
      end
    end
  end

`ifdef QUELL_CHECK
  switch_checker #(
      .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .LINES(LINES), .DLIST(DLIST), .FLIT_W(FLIT_W), .ONE_QUEUE(ONE_QUEUE),
      .MARKERS(MARKERS), .CIOQ(CIOQ)
  ) u_checker (
      .clk_i, .rst_i,
      .ready_i    (ready_o),
      .link_up_i  (link_up),
      .due_i      (all_due),
      .act_i      (in_act),
      .valid_i    (in_valid),
      .first_i    (in_first),
      .last_i     (in_last),
      .bad_i      (in_bad),
      .data_i     (in_data),
      .grant_i    (out_grant),
      .elig_i     (out_elig),
      .held_i     (out_held),
      .take_i     (out_take),
      .req_valid_i(open_req_valid),
      .req_cnp_i  (out_req_cnp),
      .plain_i    (all_plain),
      .claim_i    (st_claim_o),
      .order_i    (st_claim_ahead_o),
      .fccl_i     (out_fccl),
      .txr_i      (st_txr_o),
      .line_state_i(st_line_state_o),
      .line_out_i (all_line_out),
      .line_vl_i  (all_line_vl),
      .line_next_i(all_line_next),
      .line_root_i(all_line_root),
      .line_linked_i(all_line_linked),
      .ol_valid_i (st_ol_valid_o),
      .ol_vl_i    (all_ol_vl),
      .ol_root_i  (all_ol_root),
      .tx_valid_i (tx_valid_o),
      .tx_first_i (tx_first_o),
      .tx_last_i  (tx_last_o),
      .tx_bad_i   (tx_bad_o),
      .tx_data_i  (tx_data_o),
      .tx_ctl_i   (tx_ctl_o),
      .err_in_i   (err_in_o),
      .err_out_i  (err_out_o)
  );
`ifndef YOSYS
  logic [PORTS*PV-1:0] in_nacks;  // requests that are NACKs, of whose credit progress_checker knows nothing
  for (genvar e = 0; e < PORTS * PORTS; e++) begin : g_nacks
    for (genvar v = 0; v < VLS; v++) begin : g_vl
      assign in_nacks[e*VLS+v] = SRP != 0 && v == VLS - 3 && in_nack[e];
    end
  end
  progress_checker #(
      .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .HPQS(HPQS), .LINES(LINES), .ONE_QUEUE(ONE_QUEUE), .CIOQ(CIOQ), .OCAP(OBLOCKS / VLS)
  ) u_progress_check (
      .clk_i(clk_i), .rst_i(rst_i), .act_i(in_act), .grant_i(out_grant), .take_i(out_take), .req_valid_i(in_req_valid & ~in_nacks),
      .req_cnp_i(in_req_cnp), .req_len_i(in_req_len), .can_alloc_i(in_can_alloc),
      .fccl_i(out_fccl), .txr_i(st_txr_o), .ofill_i(st_ofill_o), .link_up_i(link_up), .ol_valid_i(st_ol_valid_o), .ol_stop_i(st_ol_stop_o)
  );

  stay_checker #(
      .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .HPQS(HPQS), .LINES(LINES), .LFT_DEPTH(LFT_DEPTH), .FLIT_W(FLIT_W),
      .ONE_QUEUE(ONE_QUEUE), .VL_BY_DEST(VL_BY_DEST), .MARKERS(MARKERS), .STAMP_W(STAMP_W), .QUEUED((CIOQ != 0) ? OBLOCKS : 0),
      .DATA_VLS((SRP != 0) ? VLS - 3 : (CTL_VL != 0) ? VLS - 1 : VLS), .CAP((SRP != 0) ? DATA_BLOCKS : BLOCKS / VLS), .CTL(CTL)
  ) u_stay_check (
      .clk_i(clk_i), .rst_i(rst_i), .ready_i(ready_o), .cfg_we_i(cfg_we_i), .cfg_unit_i(cfg_unit_i), .cfg_port_i(cfg_port_i),
      .cfg_addr_i(cfg_addr_i), .cfg_data_i(cfg_data_i[3:0]), .link_up_i(link_up_i), .lft_we_i(lft_we_i), .lft_addr_i(lft_addr_i),
      .lft_port_i(lft_port_i), .rx_valid_i(rx_valid_i), .rx_first_i(rx_first_i), .rx_last_i(rx_last_i), .rx_bad_i(rx_bad_i),
      .rx_data_i(rx_data_i), .rx_ctl_i(rx_ctl_i), .tx_valid_i(tx_valid_o), .tx_first_i(tx_first_o), .tx_last_i(tx_last_o),
      .tx_data_i(tx_data_o), .used_i(st_used_o)
  );

  counts_checker #(
      .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .LFT_DEPTH(LFT_DEPTH), .FLIT_W(FLIT_W), .VL_BY_DEST(VL_BY_DEST),
      .MARKERS(MARKERS), .CTL_VL(CTL_VL)
  ) u_counts_check (
      .clk_i(clk_i), .rst_i(rst_i), .ready_i(ready_o), .link_up_i(link_up_i), .lft_we_i(lft_we_i), .lft_addr_i(lft_addr_i),
      .lft_port_i(lft_port_i), .rx_valid_i(rx_valid_i), .rx_first_i(rx_first_i), .rx_last_i(rx_last_i), .rx_bad_i(rx_bad_i),
      .rx_data_i(rx_data_i), .used_i(st_used_o), .act_i(in_act), .valid_i(in_valid), .first_i(in_first), .data_i(in_data),
      .full_evt_i(in_full_evt), .cnt1_i(st_cnt1_o), .cnt2_i(st_cnt2_o)
  );
`endif
`endif
endmodule

`default_nettype wire
