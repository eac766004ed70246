// Output port of a switch: credits, grants in turn, congestion state with root test, FECN marking,
// output CAM lines; what becomes of all this when the link goes down. Rules F1, B3, A1-A3, D2, D3, D5, M1-M3,
// E3, E5, E6, E8; with MARKERS marks by counts and validation (SM3-SM5, VM2), with STAMP_W the oldest first (AG1);
// with CIOQ a queue before the link (CQ1-CQ3, PF1); with CTL_VL the highest VL goes first (CL1), with SRP lanes go
// by classes (Q1, Q3, Q7). docs/output-port.md,
// docs/output-queue.md.
`default_nettype none

module switch_output_port #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int BLOCKS = 2048,  // of each input
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int FLIT_BYTES = 64,
    parameter int TIMER_W = 32,
    parameter int ONE_QUEUE = 0,
    parameter int ISOLATION = 1,
    parameter int VL_BY_DEST = 0,
    parameter int CNT_W = 32,
    parameter int MARKERS = 0,
    parameter int STAMP_W = 0,
    parameter int CIOQ = 0,
    parameter int OBLOCKS = 2048,  // of the queue, with CIOQ = 1
    parameter int CTL_VL = 0,  // 1: the highest VL is the control lane
    parameter int SRP = 0,  // 1: the three highest VLs are spec, res and reply
    parameter int DATA_BLOCKS = 512,  // of a data lane of each input, with SRP = 1
    parameter int PARITY = 0,
    localparam int N = PORTS * VLS,
    localparam int AGE_W = (STAMP_W > 0) ? STAMP_W : 1,
    localparam int DW = 8 * FLIT_BYTES
) (
    input  wire logic                          clk_i,
    input  wire logic                          rst_i,
    input  wire logic                          cfg_we_i,
    input  wire logic                          cfg_re_i,
    input  wire logic [7:0]                    cfg_addr_i,
    input  wire logic [31:0]                   cfg_data_i,
    input  wire logic [N-1:0]                  req_valid_i,
    input  wire logic [7*N-1:0]                req_len_i,
    input  wire logic [16*N-1:0]               req_dlid_i,
    input  wire logic [N-1:0]                  req_cnp_i,
    input  wire logic [N-1:0]                  req_hot_i,
    input  wire logic [N-1:0]                  req_unlinked_i,
    input  wire logic [N-1:0]                  req_bound_i,  // its queue is bound to line req_line of this output
    input  wire logic [8*N-1:0]                req_line_i,
    input  wire logic [AGE_W*N-1:0]            req_age_i,
    input  wire logic [PORTS-1:0]              req_nack_i,  // per input: what it asks for on the spec lane is a NACK
    input  wire logic [PORTS-1:0]              can_alloc_i,  // per input: has a free line and queue
    input  wire logic [LINES*PORTS-1:0]        known_i,  // per input and line: has a line linked to it
    input  wire logic [LINES*PORTS-1:0]        room_i,  // per input and line: that line's dList has room
    input  wire logic [LINES*PORTS-1:0]        pend_i,  // per input and line: a packet that could start is bound to it
    input  wire logic [PORTS-1:0]              xb_act_i,  // per input: sends a packet to this output
    input  wire logic [PORTS-1:0]              xb_end_i,  // per input: its last flit is next
    input  wire logic [PORTS-1:0]              xb_slow_i,  // per input: at the link's pace
    input  wire logic [N-1:0]                  cong_i,  // per requester: the queue adds to congestion
    input  wire logic [16*N-1:0]               fill_i,  // per requester: flits waiting
    input  wire logic [N-1:0]                  enter_i,  // per requester: a markable packet came
    input  wire logic [N-1:0]                  full_evt_i,  // per requester: its buffer became full
    input  wire logic                          sw_valid_i,  // from the crossbar (OR of the inputs)
    input  wire logic                          sw_first_i,
    input  wire logic                          sw_last_i,
    input  wire logic                          sw_bad_i,
    input  wire logic                          sw_mark_i,  // beside sw_first: the input wants it marked
    input  wire logic [DW-1:0]                 sw_data_i,
    input  wire logic [N-1:0]                  take_i,  // ONE_QUEUE: the request that is served
    input  wire logic                          link_up_i,  // the link can be heard
    input  wire logic                          fccl_valid_i,  // credit message from the neighbour
    input  wire logic [7:0]                    fccl_vl_i,
    input  wire logic [11:0]                   fccl_i,
    input  wire logic                          msg_valid_i,  // from the neighbour downstream
    input  wire logic [1:0]                    msg_type_i,
    input  wire logic [7:0]                    msg_line_i,
    input  wire logic [7:0]                    msg_vl_i,
    input  wire logic [23:0]                   msg_root_i,
    input  wire logic [5:0]                    msg_hops_i,
    input  wire logic                          msg_stop_i,
    input  wire logic [7:0]                    msg_dcnt_i,
    input  wire logic [16*DLIST-1:0]           msg_dlist_i,
    output logic      [N-1:0]                  grant_o,  // Mealy; ONE_QUEUE: proposed
    output logic      [N-1:0]                  elig_o,  // Mealy, ONE_QUEUE: could be served as well
    output logic      [N-1:0]                  held_o,  // Mealy: the winner held back by a line; ONE_QUEUE: all such
    output logic      [8*N-1:0]                held_line_o,  // Mealy: that line
    output logic                               rd_en_o,  // the crossbar moves a flit
    output logic                               rd_slow_o,  // a slot of the link
    output logic      [PORTS-1:0]              prop_valid_o,  // Mealy, with the prop fields
    output logic      [7:0]                    prop_vl_o,
    output logic      [7:0]                    prop_line_o,
    output logic      [5:0]                    prop_hops_o,
    output logic      [23:0]                   prop_root_o,
    output logic      [LINES-1:0]              ol_valid_o,
    output logic      [LINES-1:0]              ol_stop_o,
    output logic      [LINES*PORTS-1:0]        ol_wait_o,  // Mealy, per input and line: another input's turn comes first
    output logic                               tx_valid_o,  // link
    output logic                               tx_first_o,
    output logic                               tx_last_o,
    output logic                               tx_bad_o,
    output logic      [DW-1:0]                 tx_data_o,
    output logic                               fctbs_valid_o,  // flow control message to the neighbour
    output logic      [7:0]                    fctbs_vl_o,
    output logic      [11:0]                   fctbs_o,
    output logic      [VLS-1:0]                cong_state_o,
    output logic                               cnp_plain_o,  // CNPs take their turns as data do
    output logic      [15:0]                   err_o,
    output logic                               cfg_rvalid_o,
    output logic      [31:0]                   cfg_rdata_o,
    output logic      [12*VLS-1:0]             st_txr_o,  // architectural state for lockstep
    output logic      [12*VLS-1:0]             st_fctbs_o,
    output logic      [12*VLS-1:0]             st_fccl_o,
    output logic      [8*VLS-1:0]              st_count_o,
    output logic      [16*VLS-1:0]             st_mark_count_o,
    output logic      [15:0]                   st_lfsr_o,
    output logic      [PORTS*N-1:0]            st_ahead_o,
    output logic      [16*VLS-1:0]             st_cr_o,
    output logic      [31:0]                   st_vp_o,
    output logic      [63:0]                   st_class_ptr_o,
    output logic      [VLS-1:0]                st_owed_o,
    output logic      [8*VLS-1:0]              st_owed_in_o,
    output logic      [8*VLS-1:0]              st_passed_o,
    output logic      [VLS-1:0]                st_waited_o,
    output logic      [VLS-1:0]                st_rooted_o,
    output logic      [VLS-1:0]                st_root_held_o,
    output logic      [18*VLS-1:0]             st_cnt1_o,
    output logic      [18*VLS-1:0]             st_cnt2_o,
    output logic      [VLS-1:0]                st_sat_o,
    output logic      [16*VLS-1:0]             st_ofill_o,
    output logic      [16*VLS-1:0]             st_oq_flits_o,
    output logic      [15:0]                   st_lp_o,
    output logic                               st_sending_o,
    output logic      [15:0]                   st_scan_o,
    output logic      [15:0]                   st_draw_o,
    output logic      [1:0]                    st_due_o,
    output logic      [1:0]                    st_drop_o,
    output logic      [2*LINES-1:0]            st_ol_hold_o,
    output logic      [8*LINES-1:0]            st_ol_vl_o,
    output logic      [6*LINES-1:0]            st_ol_hops_o,
    output logic      [24*LINES-1:0]           st_ol_root_o,
    output logic      [TIMER_W*LINES-1:0]      st_ol_timer_o,
    output logic      [8*LINES-1:0]            st_ol_dcnt_o,
    output logic      [16*DLIST*LINES-1:0]     st_ol_dlist_o,
    output logic      [LINES-1:0]              st_ol_fresh_o,
    output logic      [LINES-1:0]              st_ol_closing_o,
    output logic      [16*LINES-1:0]           st_ol_turn_o,
    output logic      [15:0]                   st_cnt_e7_o,
    output logic      [CNT_W-1:0]              st_cnt_marked_o,
    output logic      [CNT_W-1:0]              st_cnt_sent_o
);
  localparam int CAP = (SRP != 0) ? DATA_BLOCKS : BLOCKS / VLS;
  localparam int OCAP = OBLOCKS / VLS;
  localparam int QCAP = (CIOQ != 0) ? OCAP : CAP;  // that VB_TH is compared with

  if (PORTS < 1 || PORTS > 64) begin : g_bad_ports
    $error("PORTS must be 1..64");
  end
  if (VLS < 1 || VLS > ((VL_BY_DEST != 0) ? 64 : 16)) begin : g_bad_vls
    $error("VLS must be 1..16, or 1..64 with VL_BY_DEST = 1");
  end
  if (MTU < 1 || MTU > 64) begin : g_bad_mtu
    $error("MTU must be 1..64");
  end
  if (SRP == 0 && (BLOCKS % VLS != 0 || CAP < MTU || CAP > 2048)) begin : g_bad_blocks
    $error("BLOCKS must be a multiple of VLS, BLOCKS/VLS in MTU..2048");
  end
  if (SRP != 0 && (SRP != 1 || VLS < 4 || VLS > 11 || ONE_QUEUE != 0 || ISOLATION != 0 || VL_BY_DEST != 0 || CIOQ != 0 || CTL_VL != 0
                   || MARKERS != 0 || STAMP_W != 0 || PARITY != 0)) begin : g_bad_srp
    $error("SRP must be 0 or 1; 1 needs VLS 4..11 and ONE_QUEUE = ISOLATION = VL_BY_DEST = CIOQ = CTL_VL = MARKERS = STAMP_W = PARITY = 0");
  end
  if (SRP != 0 && (DATA_BLOCKS < MTU || DATA_BLOCKS > 2048)) begin : g_bad_data_blocks
    $error("DATA_BLOCKS must be MTU..2048");
  end
  if (LINES < 1 || LINES > 32) begin : g_bad_lines
    $error("LINES must be 1..32");
  end
  if (DLIST < 1 || DLIST > 32) begin : g_bad_dlist
    $error("DLIST must be 1..32");
  end
  if (FLIT_BYTES != 32 && FLIT_BYTES != 64) begin : g_bad_flit_bytes
    $error("FLIT_BYTES must be 32 or 64");
  end
  if (TIMER_W < 4 || TIMER_W > 32) begin : g_bad_timer_w
    $error("TIMER_W must be 4..32");
  end
  if (CNT_W < 2 || CNT_W > 32) begin : g_bad_cnt_w
    $error("CNT_W must be 2..32");
  end
  if (ISOLATION < 0 || ISOLATION > 1) begin : g_bad_isolation
    $error("ISOLATION must be 0 or 1");
  end
  if (ONE_QUEUE != 0 && (ONE_QUEUE != 1 || VLS != 1)) begin : g_bad_one_queue
    $error("ONE_QUEUE must be 0 or 1; 1 needs VLS = 1");
  end
  if (PARITY != 0 && PARITY != 1) begin : g_bad_parity
    $error("PARITY must be 0 or 1");
  end
  if (VL_BY_DEST != 0 && VL_BY_DEST != 1) begin : g_bad_vl_by_dest
    $error("VL_BY_DEST must be 0 or 1");
  end
  if (MARKERS != 0 && MARKERS != 1) begin : g_bad_markers
    $error("MARKERS must be 0 or 1");
  end
  if (STAMP_W != 0 && (STAMP_W < 8 || STAMP_W > 32)) begin : g_bad_stamp_w
    $error("STAMP_W is out of range: legal is 0 or 8..32");
  end
  if (STAMP_W > 0 && (ONE_QUEUE != 0 || ISOLATION != 0)) begin : g_bad_stamps
    $error("STAMP_W must be 0 unless ONE_QUEUE = 0 and ISOLATION = 0");
  end
  if (CIOQ != 0 && (CIOQ != 1 || ONE_QUEUE != 0 || ISOLATION != 0)) begin : g_bad_cioq
    $error("CIOQ must be 0 or 1; 1 needs ONE_QUEUE = 0 and ISOLATION = 0");
  end
  if (CIOQ != 0 && (OBLOCKS % VLS != 0 || OCAP < MTU || OCAP > 2048)) begin : g_bad_oblocks
    $error("OBLOCKS must be a multiple of VLS, OBLOCKS/VLS in MTU..2048");
  end

  if (CTL_VL != 0 && (CTL_VL != 1 || VLS < 2 || ONE_QUEUE != 0 || ISOLATION != 0 || VL_BY_DEST != 0 || CIOQ != 0)) begin : g_bad_ctl_vl
    $error("CTL_VL must be 0 or 1; 1 needs VLS >= 2 and ONE_QUEUE = ISOLATION = VL_BY_DEST = CIOQ = 0");
  end

  logic own_err, regs_err, credit_err, grant_err, cong_err, debt_err, framer_err, marking_err, counts_err,
      cam_err, pace_err, queue_err;  // of parity

  // ---- configuration
  logic               mark_en, iso_en, victim, seed_we, at_once, sched, vb_en, root_now;
  logic [1:0]         eval, mark_mode, det;
  logic [15:0]        out_th, vb_th;
  logic [15:0]        sum_hth, sum_lth, marking_rate, fc_interval, seed, err_clear;
  logic [8:0]         mark_fraction;
  logic [7:0]         packet_size;
  logic [3:0]         tx_last_phase, xb_last_phase;
  logic [TIMER_W-1:0] line_timer;

  output_regs #(
      .MTU(MTU), .QCAP(QCAP), .TIMER_W(TIMER_W), .CNT_W(CNT_W), .PARITY(PARITY)
  ) u_regs (
      .clk_i, .rst_i,
      .we_i(cfg_we_i),
      .re_i(cfg_re_i),
      .addr_i(cfg_addr_i),
      .data_i(cfg_data_i),
      .lfsr_i(st_lfsr_o),
      .err_i(err_o),
      .cnt_e7_i(st_cnt_e7_o),
      .cnt_marked_i(st_cnt_marked_o),
      .cnt_sent_i(st_cnt_sent_o),
      .mark_en_o(mark_en),
      .iso_en_o(iso_en),
      .victim_o(victim),
      .eval_o(eval),
      .mark_mode_o(mark_mode),
      .cnp_plain_o,
      .at_once_o(at_once),
      .sched_o(sched),
      .det_o(det),
      .vb_en_o(vb_en),
      .root_now_o(root_now),
      .out_th_o(out_th),
      .vb_th_o(vb_th),
      .sum_hth_o(sum_hth),
      .sum_lth_o(sum_lth),
      .marking_rate_o(marking_rate),
      .mark_fraction_o(mark_fraction),
      .packet_size_o(packet_size),
      .fc_interval_o(fc_interval),
      .tx_last_o(tx_last_phase),
      .xb_last_o(xb_last_phase),
      .line_timer_o(line_timer),
      .seed_we_o(seed_we),
      .seed_o(seed),
      .err_clear_o(err_clear),
      .rvalid_o(cfg_rvalid_o),
      .rdata_o(cfg_rdata_o),
      .parity_err_o(regs_err)
  );

  // ---- requests of the class that goes first: CNPs, or what asks on the control lane; with SRP all that is not on a data lane
  logic [N-1:0] req_first;

  if (CTL_VL != 0) begin : g_first
    localparam logic [VLS-1:0] FIRST = VLS'(1) << (VLS - 1);  // (Yosys 0.70 extends a shift that is repeated)
    assign req_first = {PORTS{FIRST}};
    wire unused = &{1'b0, req_cnp_i};
  end else if (SRP != 0) begin : g_first
    localparam logic [VLS-1:0] ABOVE = VLS'(7) << (VLS - 3);
    assign req_first = {PORTS{ABOVE}};
  end else begin : g_first
    assign req_first = req_cnp_i;
  end

  // ---- pacing of the crossbar, and whether it is free for a new packet
  logic [3:0] phase_q, phase_d;
  logic       xb_free;

  assign phase_d = rst_i ? '0 : (phase_q >= tx_last_phase) ? '0 : phase_q + 1'b1;

  always_ff @(posedge clk_i) phase_q <= phase_d;

  // CIOQ: the link has this phase, the crossbar one of its own
  if (CIOQ != 0) begin : g_pace
    logic [3:0] fast_q, fast_d;

    assign fast_d = rst_i ? '0 : (fast_q >= xb_last_phase) ? '0 : fast_q + 1'b1;

    always_ff @(posedge clk_i) fast_q <= fast_d;

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^fast_d),
        .now_i(^fast_q),
        .err_o(pace_err)
    );

    assign rd_en_o = fast_q == '0;
    assign rd_slow_o = phase_q == '0;
    assign xb_free = !(|xb_act_i)
        || (xb_end_i & ((xb_slow_i & {PORTS{rd_slow_o}}) | (~xb_slow_i & {PORTS{rd_en_o}}))) != '0;
  end else begin : g_pace
    wire unused = &{1'b0, xb_slow_i, xb_last_phase};
    assign pace_err = 1'b0;
    assign rd_en_o = phase_q == '0;
    assign rd_slow_o = 1'b0;
    assign xb_free = !(|xb_act_i) || ((|xb_end_i) && rd_en_o);
  end

  // ---- credits
  logic [VLS-1:0] has_credit, grant_vl, short_vl, tx_sent;
  logic           grant_cnp;
  logic [12*VLS-1:0] left;
  logic [6:0]     grant_len;
  logic [7:0]     short_by;
  // blocks that packets take, and those of them that they do not use: at their grants and on the crossbar, with CIOQ on the link
  logic [VLS-1:0] take_vl, unused_vl;
  logic [7:0]     take_len, unused_by;
  logic           fccl_bad_vl;

  credit_sender #(
      .VLS(VLS), .MTU(MTU), .PARITY(PARITY)
  ) u_credits (
      .clk_i, .rst_i, .link_up_i,
      .interval_i(fc_interval),
      .fccl_i({fccl_valid_i, fccl_vl_i, fccl_i}),
      .grant_i(take_vl),
      .grant_len_i(take_len),
      .short_i(unused_vl),
      .short_by_i(unused_by),
      .sent_i(tx_sent),
      .has_credit_o(has_credit),
      .left_o(left),
      .fctbs_o({fctbs_valid_o, fctbs_vl_o, fctbs_o}),
      .bad_vl_o(fccl_bad_vl),
      .txr_o(st_txr_o),
      .fctbs_all_o(st_fctbs_o),
      .fccl_all_o(st_fccl_o),
      .parity_err_o(credit_err)
  );

  // ---- what a packet that is granted needs: credits, with CIOQ room in the queue
  logic [VLS-1:0]    fits_mtu;
  logic [12*VLS-1:0] fits_left;
  // the root test: VLs of which data wait for credits, and begin
  logic [VLS-1:0]    starved, root_start;
  // what comes to the queue, and what leaves it
  logic [VLS-1:0]    store, send, queue_full;
  logic [DW+2:0]     store_flit, send_flit;
  logic [12*VLS-1:0] ofill;
  logic              live;  // CIOQ: the link was up in the cycle before: else nothing is granted
  logic              holds; // something stands in the queue

  if (CIOQ != 0) begin : g_queue
    logic [VLS-1:0]          any;
    logic [(DW+3)*VLS-1:0]   head;
    logic                    live_d;
    logic                    fifo_err, sender_err, up_err;

    output_queue #(
        .VLS(VLS), .OCAP(OCAP), .WIDTH(DW + 3), .PARITY(PARITY)
    ) u_queue (
        .clk_i, .rst_i, .link_up_i,
        .grant_i(grant_vl),
        .grant_len_i(grant_len),
        .short_i(short_vl),
        .short_by_i(short_by),
        .ofill_o(ofill),
        .push_i(store),
        .flit_i(store_flit),
        .pop_i(send),
        .any_o(any),
        .full_o(queue_full),
        .head_o(head),
        .flits_o(st_oq_flits_o),
        .parity_err_o(fifo_err)
    );

    queue_sender #(
        .VLS(VLS), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST), .PARITY(PARITY)
    ) u_sender (
        .clk_i, .rst_i, .link_up_i,
        .slot_i(rd_slow_o),
        .any_i(any),
        .head_i(head),
        .pop_o(send),
        .flit_o(send_flit),
        .left_i(left),
        .start_o(take_vl),
        .start_len_o(take_len),
        .short_o(unused_vl),
        .short_by_o(unused_by),
        .starved_o(starved),
        .root_start_o(root_start),
        .lp_o(st_lp_o),
        .sending_o(st_sending_o),
        .parity_err_o(sender_err)
    );

    assign live_d = rst_i || link_up_i;

    always_ff @(posedge clk_i) live <= live_d;

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(live_d),
        .now_i(live),
        .err_o(up_err)
    );

    for (genvar v = 0; v < VLS; v++) begin : g_vl
      assign fits_left[12*v+:12] = live ? 12'(OCAP) - ofill[12*v+:12] : '1;
      assign fits_mtu[v] = quell_pkg::credit_fits(fits_left[12*v+:12], 8'(MTU));
      assign st_ofill_o[16*v+:16] = 16'(ofill[12*v+:12]);
    end
    assign holds = any != '0;
    assign queue_err = fifo_err || sender_err || up_err;
    wire unused = &{1'b0, grant_cnp};
  end else begin : g_queue
    wire unused = &{1'b0, store, store_flit};
    assign {live, holds} = 2'b10;
    assign fits_left = left;
    assign fits_mtu = has_credit;
    assign take_vl = grant_vl;
    assign take_len = 8'(grant_len);
    assign unused_vl = short_vl;
    assign unused_by = short_by;
    assign root_start = grant_vl & {VLS{!grant_cnp}} & ((SRP != 0) ? {VLS{1'b1}} >> 3 : {VLS{1'b1}});
    always_comb begin
      starved = '0;
      for (int i = 0; i < PORTS; i++) starved = starved | (req_valid_i[i*VLS+:VLS] & ~req_first[i*VLS+:VLS]);
      starved = xb_free ? starved & ~has_credit : '0;
    end
    assign {queue_full, send, send_flit, ofill, queue_err} = '0;
    assign {st_ofill_o, st_oq_flits_o, st_lp_o, st_sending_o} = '0;
  end

  // ---- grant
  logic [7:0]       look_vl;
  logic [15:0]      look_dlid;
  logic [LINES-1:0] match, hit, hit_stop;
  logic [N-1:0]     req_match, req_told, req_held;  // these: ONE_QUEUE
  logic [LINES*N-1:0] req_lines, req_hit, req_by;
  logic [N-1:0]     win_held;
  logic [LINES-1:0] win_by, line_granted;
  logic [PORTS-1:0] line_granted_in;
  logic [LINES*PORTS-1:0] other;
  logic [VLS-1:0]   lost_vl;  // a turn after a stop is lost there
  logic [((PORTS > 1) ? $clog2(PORTS) : 1)-1:0] drawn;  // this input goes to the front of the order of data

  if (SRP != 0) begin : g_classes
    wire unused = &{1'b0, iso_en, sched, fits_mtu, req_cnp_i, req_hot_i, req_unlinked_i, req_bound_i, req_line_i, req_dlid_i, req_age_i,
        can_alloc_i, known_i, room_i, take_i, match, hit, hit_stop, other, lost_vl, drawn, req_match, req_told, req_lines, req_hit};
    assign {look_vl, look_dlid, win_held, win_by, elig_o, line_granted, line_granted_in, prop_valid_o, prop_vl_o} = '0;
    assign {st_ahead_o, st_cr_o, st_vp_o, st_passed_o, st_scan_o, st_cnt_e7_o, grant_err} = '0;
    assign grant_cnp = 1'b0;  // data by its lane: below

    class_arbiter #(
        .PORTS(PORTS), .VLS(VLS)
    ) u_arbiter (
        .clk_i, .rst_i,
        .free_i(xb_free),
        .left_i(fits_left),
        .req_valid_i, .req_len_i, .req_nack_i,
        .grant_o,
        .grant_vl_o(grant_vl),
        .grant_len_o(grant_len),
        .ptr_o(st_class_ptr_o),
        .owed_o(st_owed_o),
        .owed_in_o(st_owed_in_o)
    );
  end else begin : g_grants
    wire unused = &{1'b0, req_nack_i};
    assign {st_class_ptr_o, st_owed_o, st_owed_in_o} = '0;

    grant_arbiter #(
        .PORTS(PORTS), .VLS(VLS), .LINES(LINES), .ONE_QUEUE(ONE_QUEUE), .ISOLATION(ISOLATION), .STAMP_W(STAMP_W),
        .PARITY(PARITY)
    ) u_arbiter (
        .clk_i, .rst_i,
        .iso_en_i(iso_en),
        .cnp_plain_i(cnp_plain_o),
        .sched_i(sched),
        .free_i(xb_free),
        .has_credit_i(fits_mtu),
        .left_i(fits_left),
        .req_valid_i, .req_len_i, .req_dlid_i,
        .req_cnp_i(req_first),
        .req_hot_i, .req_unlinked_i, .req_bound_i, .req_line_i,
        .req_age_i, .can_alloc_i, .known_i, .room_i,
        .look_vl_o(look_vl),
        .look_dlid_o(look_dlid),
        .match_i(match),
        .hit_i(hit),
        .hit_stop_i(hit_stop),
        .other_i(other),
        .closing_i(st_ol_closing_o),
        .lost_vl_i(lost_vl),
        .drawn_i(drawn),
        .take_i,
        .req_match_i(req_match),
        .req_told_i(req_told),
        .req_held_i(req_held),
        .req_lines_i(req_lines),
        .req_hit_i(req_hit),
        .grant_o,
        .held_o(win_held),
        .held_by_o(win_by),
        .elig_o,
        .grant_vl_o(grant_vl),
        .grant_cnp_o(grant_cnp),
        .grant_len_o(grant_len),
        .line_granted_o(line_granted),
        .line_granted_in_o(line_granted_in),
        .prop_valid_o, .prop_vl_o,
        .ahead_o(st_ahead_o),
        .cr_o(st_cr_o),
        .vp_o(st_vp_o),
        .passed_o(st_passed_o),
        .scan_o(st_scan_o),
        .cnt_e7_o(st_cnt_e7_o),
        .parity_err_o(grant_err)
    );
  end

  assign held_o = (ONE_QUEUE != 0) ? req_held : win_held;
  always_comb begin
    held_line_o = '0;
    for (int r = 0; r < N; r++)
      for (int k = 0; k < LINES; k++)
        if (held_o[r] && (ONE_QUEUE != 0 ? req_by[LINES*r+k] : win_by[k]))
          held_line_o[8*r+:8] = held_line_o[8*r+:8] | 8'(k);
  end

  // ---- congestion state
  logic [VLS-1:0] cong_now, mark_state;
  logic [(16+$clog2(PORTS+1))*VLS-1:0] fill_sum;

  congestion_state #(
      .PORTS(PORTS), .VLS(VLS), .CIOQ(CIOQ), .PARITY(PARITY)
  ) u_congestion (
      .clk_i, .rst_i,
      .eval_i(eval),
      .victim_i(victim),
      .root_now_i(root_now),
      .credit_i(has_credit),
      .sum_hth_i(sum_hth),
      .sum_lth_i(sum_lth),
      .cong_i, .fill_i,
      .ofill_i(ofill),
      .starved_i(starved),
      .grant_i(root_start),
      .state_o(cong_state_o),
      .now_o(cong_now),
      .count_o(st_count_o),
      .waited_o(st_waited_o),
      .rooted_o(st_rooted_o),
      .root_held_o(st_root_held_o),
      .sum_o(fill_sum),
      .parity_err_o(cong_err)
  );

  assign mark_state = at_once ? cong_now : cong_state_o;

  // ---- what the link lost
  logic sw_lost, sw_valid;

  crossbar_debt #(
      .PARITY(PARITY)
  ) u_debt (
      .clk_i, .rst_i, .link_up_i,
      .grant_i(|grant_vl),
      .end_i(sw_valid_i && sw_last_i),
      .lost_o(sw_lost),
      .due_o(st_due_o),
      .drop_o(st_drop_o),
      .parity_err_o(debt_err)
  );

  assign sw_valid = sw_valid_i && !sw_lost;

  // ---- marking and transmission
  logic               framing, mark, mark_ib, mark_counts, vb, tx_first;
  logic [VLS-1:0]     tx_vl;
  quell_pkg::header_t tx_head;

  tx_framer #(
      .VLS(VLS), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST), .CNT_W(CNT_W), .CIOQ(CIOQ), .PARITY(PARITY)
  ) u_framer (
      .clk_i, .rst_i, .link_up_i,
      .sw_valid_i(sw_valid),
      .sw_first_i, .sw_last_i, .sw_bad_i, .sw_data_i,
      .first_o(tx_first),
      .vl_o(tx_vl),
      .head_o(tx_head),
      .mark_i(mark),
      .vb_i(vb),
      .full_i(queue_full),
      .store_o(store),
      .flit_o(store_flit),
      .send_i(send),
      .send_flit_i(send_flit),
      .tx_valid_o, .tx_first_o, .tx_last_o, .tx_bad_o, .tx_data_o,
      .tx_sent_o(tx_sent),
      .short_o(short_vl),
      .short_by_o(short_by),
      .framing_o(framing),
      .cnt_marked_o(st_cnt_marked_o),
      .cnt_sent_o(st_cnt_sent_o),
      .parity_err_o(framer_err)
  );

  mark_policy_ib #(
      .VLS(VLS), .PARITY(PARITY)
  ) u_marking (
      .clk_i, .rst_i,
      .mark_en_i(mark_en),
      .mode_i(mark_mode),
      .rate_i(marking_rate),
      .fraction_i(mark_fraction),
      .packet_size_i(packet_size),
      .seed_we_i(seed_we),
      .seed_i(seed),
      .cong_state_i(mark_state),
      .first_i(tx_first),
      .vl_i(tx_vl),
      .head_i(tx_head),
      .mark_o(mark_ib),
      .mark_count_o(st_mark_count_o),
      .lfsr_o(st_lfsr_o),
      .parity_err_o(marking_err)
  );

  assign mark = mark_ib || mark_counts;

  if (MARKERS != 0) begin : g_markers
    marking_unit #(
        .PORTS(PORTS), .VLS(VLS), .CAP(CAP), .CIOQ(CIOQ), .PARITY(PARITY)
    ) u_counts (
        .clk_i, .rst_i,
        .det_i(det),
        .vb_en_i(vb_en),
        .out_th_i(out_th),
        .vb_th_i(vb_th),
        .enter_i, .full_evt_i,
        .sum_i(fill_sum),
        .ofill_i(ofill),
        .head_i(sw_valid_i && sw_first_i),
        .keep_i(tx_first),
        .mark_i(sw_mark_i),
        .vl_i(tx_vl),
        .header_i(tx_head),
        .mark_o(mark_counts),
        .vb_o(vb),
        .st_cnt1_o, .st_cnt2_o, .st_sat_o,
        .parity_err_o(counts_err)
    );
  end else begin : g_markers
    wire unused = &{1'b0, det, vb_en, out_th, vb_th, enter_i, full_evt_i, fill_sum, sw_mark_i};
    assign mark_counts = 1'b0;
    assign vb = 1'b0;
    assign st_cnt1_o = '0;
    assign st_cnt2_o = '0;
    assign st_sat_o = '0;
    assign counts_err = 1'b0;
  end

  // ---- output CAM lines
  logic             msg_bad_line, msg_bad_vl;
  logic [LINES-1:0] line_valid;  // shown or not

  if (ISOLATION != 0) begin : g_cam
    logic [7:0]  hit_line;
    logic [5:0]  hit_hops;
    logic [23:0] hit_root;

    output_cam #(
        .PORTS(PORTS), .VLS(VLS), .LINES(LINES), .DLIST(DLIST), .TIMER_W(TIMER_W), .PARITY(PARITY)
    ) u_cam (
        .clk_i, .rst_i,
        .live_i(iso_en && link_up_i),
        .limit_i(line_timer),
        .msg_i({msg_valid_i, msg_type_i, msg_line_i, msg_vl_i, msg_root_i, msg_hops_i, msg_stop_i, msg_dcnt_i}),
        .dlist_i(msg_dlist_i),
        .bad_line_o(msg_bad_line),
        .bad_vl_o(msg_bad_vl),
        .vl_i(look_vl),
        .dlid_i(look_dlid),
        .match_o(match),
        .hit_o(hit),
        .hit_line_o(hit_line),
        .hit_hops_o(hit_hops),
        .hit_root_o(hit_root),
        .hit_stop_o(hit_stop),
        .pend_i,
        .granted_i(line_granted),
        .granted_in_i(line_granted_in),
        .other_o(other),
        .lost_vl_o(lost_vl),
        .drawn_o(drawn),
        .valid_o(line_valid),
        .shown_o(ol_valid_o),
        .stop_o(ol_stop_o),
        .hold_o(st_ol_hold_o),
        .vl_o(st_ol_vl_o),
        .hops_o(st_ol_hops_o),
        .root_o(st_ol_root_o),
        .timer_o(st_ol_timer_o),
        .dcnt_o(st_ol_dcnt_o),
        .dlist_o(st_ol_dlist_o),
        .fresh_o(st_ol_fresh_o),
        .closing_o(st_ol_closing_o),
        .turn_o(st_ol_turn_o),
        .draw_o(st_draw_o),
        .parity_err_o(cam_err)
    );
    assign ol_wait_o = other & pend_i;

    if (ONE_QUEUE != 0) begin : g_told
      told_requests #(
          .PORTS(PORTS), .LINES(LINES), .DLIST(DLIST)
      ) u_told (
          .iso_en_i(iso_en),
          .req_dlid_i, .req_cnp_i, .req_hot_i, .req_unlinked_i, .can_alloc_i, .known_i, .room_i,
          .valid_i(ol_valid_o),
          .stop_i(ol_stop_o),
          .other_i(other),
          .closing_i(st_ol_closing_o),
          .dcnt_i(st_ol_dcnt_o),
          .dlist_i(st_ol_dlist_o),
          .match_o(req_match),
          .told_o(req_told),
          .held_o(req_held),
          .lines_o(req_lines),
          .line_o(req_hit),
          .by_o(req_by)
      );
    end else begin : g_one_by_one
      assign req_match = '0;
      assign req_told = '0;
      assign req_held = '0;
      assign req_lines = '0;
      assign req_hit = '0;
      assign req_by = '0;
    end

    always_comb begin
      prop_line_o = '0;
      prop_hops_o = '0;
      prop_root_o = '0;
      if (|prop_valid_o) begin
        prop_line_o = hit_line;
        prop_hops_o = (hit_hops == '1) ? hit_hops : hit_hops + 1'b1;
        prop_root_o = hit_root;
      end
    end
  end else begin : g_no_cam
    assign {match, hit, hit_stop, other, lost_vl, drawn, req_match, req_told, req_held, req_lines, req_hit, req_by, line_valid, msg_bad_line,
        msg_bad_vl, cam_err, prop_line_o, prop_hops_o, prop_root_o, ol_valid_o, ol_stop_o, ol_wait_o,
        st_ol_hold_o, st_ol_vl_o, st_ol_hops_o, st_ol_root_o, st_ol_timer_o, st_ol_dcnt_o, st_ol_dlist_o,
        st_ol_fresh_o, st_ol_closing_o, st_ol_turn_o, st_draw_o} = '0;
    wire unused_cam = &{1'b0, look_vl, look_dlid, line_timer, msg_valid_i, msg_type_i, msg_line_i, msg_vl_i,
        msg_root_i, msg_hops_i, msg_stop_i, msg_dcnt_i, msg_dlist_i, pend_i, line_granted, line_granted_in};
  end

  // ---- sticky errors
  logic [15:0] err_set;

  always_comb begin
    err_set = '0;
    err_set[quell_pkg::OE_BAD_LINE] = msg_bad_line;
    err_set[quell_pkg::OE_BAD_VL] = msg_bad_vl || fccl_bad_vl;
    err_set[quell_pkg::OE_XB_FRAMING] = framing;
    err_set[quell_pkg::OE_LINK_DOWN] = (sw_valid_i && sw_lost) || (holds && !link_up_i);
    err_set[quell_pkg::OE_PARITY] =
        |{own_err, regs_err, credit_err, grant_err, cong_err, debt_err, framer_err, marking_err,
          counts_err, cam_err, pace_err, queue_err};
  end

  logic [15:0] err_d;

  assign err_d = rst_i ? '0 : (err_o & ~err_clear) | err_set;

  always_ff @(posedge clk_i) err_o <= err_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{phase_d, err_d}),
      .now_i(^{phase_q, err_o}),
      .err_o(own_err)
  );

`ifdef QUELL_CHECK
  // What the checkers look at: with CIOQ room in place of credits, and what was put into the queue in place of what is on the link.
  logic [12*VLS-1:0] seen_limit, seen_taken;
  logic [DW+3:0]     seen_flit;

  if (CIOQ != 0) begin : g_seen
    logic          stored_q;
    logic [DW+2:0] flit_q;
    always_ff @(posedge clk_i) begin
      stored_q <= !rst_i && store != '0;
      flit_q <= store_flit;
    end
    for (genvar v = 0; v < VLS; v++) begin : g_vl
      assign seen_limit[12*v+:12] = live ? 12'(OCAP) : ofill[12*v+:12] - 12'd1;
      assign seen_taken[12*v+:12] = ofill[12*v+:12];
    end
    assign seen_flit = stored_q ? {1'b1, flit_q} : '0;
  end else begin : g_seen
    wire unused = live;
    assign seen_limit = st_fccl_o;
    assign seen_taken = st_txr_o;
    assign seen_flit = {tx_valid_o, tx_first_o, tx_last_o, tx_bad_o, tx_data_o};
  end

  output_port_checker #(
      .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .LINES(LINES), .DLIST(DLIST), .FLIT_BYTES(FLIT_BYTES),
      .TIMER_W(TIMER_W), .ONE_QUEUE(ONE_QUEUE), .ISOLATION(ISOLATION), .VL_BY_DEST(VL_BY_DEST), .MARKERS(MARKERS), .CIOQ(CIOQ), .SRP(SRP)
  ) u_check (
      .clk_i, .rst_i,
      .iso_en_i(iso_en),
      .mark_en_i(mark_en),
      .victim_i(victim),
      .root_now_i(root_now),
      .eval_i(eval),
      .sum_hth_i(sum_hth),
      .sum_lth_i(sum_lth),
      .xb_free_i(xb_free),
      .req_valid_i, .req_len_i, .req_dlid_i,
      .req_nack_i,
      .req_cnp_i(req_first),
      .req_hot_i, .req_unlinked_i, .req_bound_i, .req_line_i,
      .fill_i, .sw_valid_i, .sw_first_i, .sw_last_i, .sw_bad_i, .sw_data_i,
      .sw_mark_i,
      .counts_i(det[1]),
      .cnt2_i(st_cnt2_o),
      .mark_i(mark),
      .short_i(short_vl),
      .err_set_i(err_set),
      .err_clear_i(err_clear),
      .grant_i(grant_o),
      .elig_i(elig_o),
      .held_i(held_o),
      .held_line_i(held_line_o),
      .take_i, .link_up_i,
      .due_i(st_due_o),
      .drop_i(st_drop_o),
      .prop_valid_i(prop_valid_o),
      .prop_vl_i(prop_vl_o),
      .prop_line_i(prop_line_o),
      .prop_hops_i(prop_hops_o),
      .prop_root_i(prop_root_o),
      .ol_valid_i(ol_valid_o),
      .ol_stop_i(ol_stop_o),
      .ol_wait_i(ol_wait_o),
      .ol_fresh_i(st_ol_fresh_o),
      .ol_closing_i(st_ol_closing_o),
      .ol_turn_i(st_ol_turn_o),
      .pend_i,
      .tx_valid_i(seen_flit[DW+3]),
      .tx_first_i(seen_flit[DW+2]),
      .tx_last_i(seen_flit[DW+1]),
      .tx_bad_i(seen_flit[DW]),
      .tx_data_i(seen_flit[DW-1:0]),
      .fccl_valid_i, .fccl_vl_i,
      .fctbs_valid_i(fctbs_valid_o),
      .fctbs_vl_i(fctbs_vl_o),
      .fctbs_i(fctbs_o),
      .cong_state_i(cong_state_o),
      .err_i(err_o),
      .txr_i(seen_taken),
      .fccl_i(seen_limit),
      .count_i(st_count_o),
      .lfsr_i(st_lfsr_o),
      .order_i(st_ahead_o),
      .cr_i(st_cr_o),
      .vp_i(st_vp_o),
      .passed_i(st_passed_o),
      .waited_i(st_waited_o),
      .rooted_i(st_rooted_o),
      .root_held_i(st_root_held_o),
      .scans_i(ISOLATION != 0 && iso_en),
      .scan_i(st_scan_o),
      .draw_i(st_draw_o),
      .cnp_plain_i(cnp_plain_o),
      .at_once_i(at_once),
      .sched_i(STAMP_W > 0 && sched),
      .cnt_e7_i(st_cnt_e7_o),
      .msg_valid_i,
      .line_limit_i(line_timer),
      .line_valid_i(line_valid),
      .ol_hold_i(st_ol_hold_o),
      .ol_vl_i(st_ol_vl_o),
      .ol_root_i(st_ol_root_o),
      .ol_timer_i(st_ol_timer_o),
      .ol_dcnt_i(st_ol_dcnt_o),
      .ol_dlist_i(st_ol_dlist_o)
  );
  if (CIOQ != 0) begin : g_queue_check
    output_queue_checker #(
        .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .OCAP(OCAP), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST)
    ) u_queue_check (
        .clk_i, .rst_i, .link_up_i,
        .pace_i({tx_last_phase, xb_last_phase}),
        .rd_en_i(rd_en_o),
        .rd_slow_i(rd_slow_o),
        .sched_i(STAMP_W > 0 && sched),
        .plain_i(cnp_plain_o),
        .req_valid_i(req_valid_i), .req_len_i(req_len_i), .req_cnp_i(req_cnp_i),
        .grant_i(grant_o),
        .due_i(st_due_o),
        .sw_valid_i(sw_valid_i),
        .sw_flit_i({sw_first_i, sw_last_i, sw_bad_i, sw_data_i}),
        .tx_valid_i(tx_valid_o),
        .tx_flit_i({tx_first_o, tx_last_o, tx_bad_o, tx_data_o}),
        .fccl_i(st_fccl_o),
        .txr_i(st_txr_o),
        .ofill_i(st_ofill_o),
        .flits_i(st_oq_flits_o),
        .sending_i(st_sending_o),
        .told_i(err_o[quell_pkg::OE_LINK_DOWN]),
        .eval_i(eval),
        .high_i(sum_hth),
        .low_i(sum_lth),
        .count_i(st_count_o),
        .waited_i(st_waited_o),
        .rooted_i(st_rooted_o)
    );
  end
  if (SRP != 0) begin : g_srp_check
    srp_output_checker #(.PORTS(PORTS), .VLS(VLS)) u_srp_check (
        .clk_i, .rst_i, .link_up_i,
        .free_i(xb_free),
        .req_valid_i, .req_len_i, .req_nack_i,
        .fccl_i(st_fccl_o),
        .txr_i(st_txr_o),
        .grant_i(grant_o),
        .owed_i(st_owed_o),
        .owed_in_i(st_owed_in_o),
        .short_i(short_vl),
        .waited_i(st_waited_o),
        .rooted_i(st_rooted_o)
    );
  end
  if (CTL_VL != 0) begin : g_lane_check
    control_lane_checker #(.PORTS(PORTS), .VLS(VLS), .MTU(MTU)) u_lane_check (
        .clk_i, .rst_i,
        .plain_i(cnp_plain_o),
        .free_i(xb_free),
        .req_valid_i, .req_len_i,
        .fccl_i(st_fccl_o),
        .txr_i(st_txr_o),
        .grant_i(grant_o),
        .waited_i(st_waited_o),
        .rooted_i(st_rooted_o)
    );
  end
  root_now_checker #(.VLS(VLS), .MTU(MTU)) u_root_check (
      .clk_i, .rst_i,
      .root_now_i(root_now),
      .victim_i(victim),
      .fccl_i(st_fccl_o),
      .txr_i(st_txr_o),
      .count_i(st_count_o),
      .cong_state_i(cong_state_o),
      .root_held_i(st_root_held_o)
  );
  mark_count_checker #(
      .PORTS(PORTS), .VLS(VLS), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST), .MARKERS(MARKERS), .CIOQ(CIOQ)
  ) u_count_check (
      .clk_i, .rst_i, .mark_en_i(mark_en), .det_i(det), .vb_en_i(vb_en), .out_th_i(out_th), .vb_th_i(vb_th),
      .enter_i(enter_i), .full_evt_i(full_evt_i), .fill_i(fill_i), .ofill_i(st_ofill_o), .sw_valid_i(sw_valid_i), .sw_first_i(sw_first_i),
      .sw_mark_i(sw_mark_i), .sw_data_i(sw_data_i), .lost_i(sw_lost), .tx_valid_i(seen_flit[DW+3]), .tx_data_i(seen_flit[DW-1:0]),
      .cnt1_i(st_cnt1_o), .cnt2_i(st_cnt2_o), .sat_i(st_sat_o)
  );
  oldest_checker #(.PORTS(PORTS), .VLS(VLS), .MTU(MTU), .STAMP_W(STAMP_W)) u_oldest_check (
      .clk_i, .rst_i, .sched_i(sched), .plain_i(cnp_plain_o), .req_valid_i(req_valid_i), .req_cnp_i(req_first),
      .req_age_i(req_age_i), .fccl_i(seen_limit), .txr_i(seen_taken), .passed_i(st_passed_o), .grant_i(grant_o)
  );
`else
  wire unused_check = &{1'b0, mark, line_valid, live};
`endif
endmodule

`default_nettype wire
