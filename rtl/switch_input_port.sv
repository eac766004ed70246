// One input port of a switch: receiver, shared buffer with cold queues per output and VL and hot
// queues, forwarding table, CAM lines, credit return, a read engine per output; fills of the buffer and marks (MARKERS),
// ages of packets (STAMP_W), paces of its engines (CIOQ), lanes of speculative reservation (SRP), routes that are drawn (RANDOM_UP). The
// contract is docs/input-port.md; rules B1-B3, F1, F2, R1, D1, D4, D5, E1-E9, A2, SM1-SM4, VM1, AG1, AG2, CQ2, CL3, Q1, Q2, Q5-Q9, UP1.
`default_nettype none

module switch_input_port #(
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
    parameter int MARKERS = 0,
    parameter int STAMP_W = 0,
    parameter int CIOQ = 0,
    parameter int CTL_VL = 0,  // 1: the highest VL is the control lane
    parameter int SRP = 0,  // 1: the three highest VLs are spec, res and reply,
    parameter int DATA_BLOCKS = 512,  // and lanes have these blocks
    parameter int SPEC_BLOCKS = 512,
    parameter int CTL_BLOCKS = 64,
    parameter int RANDOM_UP = 0,  // 1: a route may be any up port, drawn for each packet
    parameter int RX_TIMEOUT_RESET = 1024,
    parameter int PARITY = 0,
    localparam int PV = PORTS * VLS,
    localparam int AGE_W = (STAMP_W > 0) ? STAMP_W : 1,
    localparam int FLIT_W = FLIT_BYTES * 8
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_i,
    input  wire logic                      cfg_we_i,
    input  wire logic                      cfg_re_i,
    input  wire logic [7:0]                cfg_addr_i,
    input  wire logic [31:0]               cfg_data_i,
    input  wire logic                      lft_we_i,
    input  wire logic [15:0]               lft_addr_i,
    input  wire logic [7:0]                lft_port_i,
    input  wire logic                      rx_valid_i,
    input  wire logic                      rx_first_i,
    input  wire logic                      rx_last_i,
    input  wire logic                      rx_bad_i,
    input  wire logic [FLIT_W-1:0]         rx_data_i,
    input  wire logic                      fctbs_valid_i,
    input  wire logic [7:0]                fctbs_vl_i,
    input  wire logic [11:0]               fctbs_i,
    input  wire logic                      link_up_i,
    input  wire logic [PV-1:0]             grant_i,
    input  wire logic [PV-1:0]             held_i,
    input  wire logic [PV*8-1:0]           held_line_i,
    input  wire logic [PORTS-1:0]          rd_en_i,
    input  wire logic [PORTS-1:0]          rd_slow_i,
    input  wire logic [PORTS-1:0]          prop_valid_i,
    input  wire logic [PORTS*8-1:0]        prop_vl_i,
    input  wire logic [PORTS*8-1:0]        prop_line_i,
    input  wire logic [PORTS*6-1:0]        prop_hops_i,
    input  wire logic [PORTS*24-1:0]       prop_root_i,
    input  wire logic [PORTS*LINES-1:0]    ol_valid_i,
    input  wire logic [PORTS*LINES-1:0]    ol_stop_i,
    output logic                           ready_o,
    output logic [PV-1:0]                  req_valid_o,
    output logic [PV*7-1:0]                req_len_o,
    output logic [PV*16-1:0]               req_dlid_o,
    output logic [PV-1:0]                  req_cnp_o,
    output logic [PV-1:0]                  req_hot_o,
    output logic [PV-1:0]                  req_unlinked_o,
    output logic [PV-1:0]                  req_bound_o,
    output logic [PV*8-1:0]                req_line_o,
    output logic [PV*AGE_W-1:0]            req_age_o,
    output logic [PORTS-1:0]               req_nack_o,
    output logic [PORTS-1:0]               xb_act_o,
    output logic [PORTS-1:0]               xb_end_o,
    output logic [PORTS-1:0]               xb_slow_o,
    output logic [PORTS-1:0]               xb_valid_o,
    output logic [PORTS-1:0]               xb_first_o,
    output logic [PORTS-1:0]               xb_last_o,
    output logic [PORTS-1:0]               xb_bad_o,
    output logic [PORTS-1:0]               xb_mark_o,
    output logic [PORTS*FLIT_W-1:0]        xb_data_o,
    output logic [PV-1:0]                  cong_o,
    output logic [PV*16-1:0]               fill_o,
    output logic [PV-1:0]                  enter_o,
    output logic [PV-1:0]                  full_evt_o,
    output logic                           can_alloc_o,
    output logic [PORTS*LINES-1:0]         known_o,
    output logic [PORTS*LINES-1:0]         room_o,
    output logic [PORTS*LINES-1:0]         pend_o,
    output logic                           fc_valid_o,
    output logic [7:0]                     fc_vl_o,
    output logic [11:0]                    fccl_o,
    output logic                           msg_valid_o,
    output logic [1:0]                     msg_type_o,
    output logic [7:0]                     msg_line_o,
    output logic [7:0]                     msg_vl_o,
    output logic [23:0]                    msg_root_o,
    output logic [5:0]                     msg_hops_o,
    output logic                           msg_stop_o,
    output logic [7:0]                     msg_dcnt_o,
    output logic [DLIST*16-1:0]            msg_dlist_o,
    output logic [15:0]                    err_o,
    output logic                           cfg_rvalid_o,
    output logic [31:0]                    cfg_rdata_o,
    // architectural state
    output logic                           st_up_o,
    output logic [1:0]                     st_rx_state_o,
    output logic [6:0]                     st_rx_count_o,
    output logic [VLS*16-1:0]              st_used_o,
    output logic [VLS*12-1:0]              st_abr_o,
    output logic [PV*16-1:0]               st_cpq_pkts_o,
    output logic [PV*16-1:0]               st_cpq_fill_o,
    output logic [HPQS*16-1:0]             st_hpq_pkts_o,
    output logic [HPQS*16-1:0]             st_hpq_fill_o,
    output logic [LINES*2-1:0]             st_line_state_o,
    output logic [LINES*8-1:0]             st_line_out_o,
    output logic [LINES*8-1:0]             st_line_vl_o,
    output logic [LINES*16-1:0]            st_line_queue_o,
    output logic [LINES*6-1:0]             st_line_hops_o,
    output logic [LINES*24-1:0]            st_line_root_o,
    output logic [LINES*8-1:0]             st_line_next_o,
    output logic [LINES-1:0]               st_line_linked_o,
    output logic [LINES-1:0]               st_line_ann_o,
    output logic [LINES-1:0]               st_line_sent_stop_o,
    output logic [LINES-1:0]               st_line_stop_req_o,
    output logic [LINES-1:0]               st_line_reached_o,
    output logic [LINES-1:0]               st_line_dirty_o,
    output logic [LINES*TIMER_W-1:0]       st_line_timer_o,
    output logic [LINES*8-1:0]             st_line_dcnt_o,
    output logic [LINES*DLIST*16-1:0]      st_line_dlist_o,
    output logic [LINES-1:0]               st_line_own_o,
    output logic [PV-1:0]                  st_cpq_tied_o,
    output logic [PV*8-1:0]                st_cpq_tie_o,
    output logic [HPQS-1:0]                st_hpq_tied_o,
    output logic [HPQS*8-1:0]              st_hpq_tie_o,
    output logic [PV-1:0]                  st_cpq_went_o,
    output logic [HPQS-1:0]                st_hpq_went_o,
    output logic [LINES-1:0]               st_line_cong_o,
    output logic [15:0]                    st_nfq_wait_o,
    output logic [PORTS-1:0]               st_slow_o,
    output logic [PV*16-1:0]               st_waiting_o,
    output logic [VLS-1:0]                 st_full_o,
    output logic [VLS-1:0]                 st_armed_o,
    output logic [PV*16-1:0]               st_ncnt_o,
    output logic [PV-1:0]                  st_aged_o,
    output logic [VLS-1:0]                 st_pinned_o,
    output logic [VLS*8-1:0]               st_pin_o,
    output logic [VLS*4-1:0]               st_bypass_o,
    output logic [15:0]                    st_now_o,
    output logic                           st_spec_nack_o,
    output logic [15:0]                    st_spec_age_o,
    output logic [15:0]                    st_spec_waited_o,
    output logic                           st_disc_act_o,
    output logic [6:0]                     st_disc_r_o,
    output logic [31:0]                    st_cnt_spec_drop_o,
    output logic [15:0]                    st_lfsr_o,
    output logic [15:0]                    st_cnt_drop_o,
    output logic [15:0]                    st_cnt_nohpq_o,
    output logic [15:0]                    st_cnt_noline_o
);
  localparam int D = (SRP != 0) ? VLS - 3 : VLS;  // data lanes; with SRP the spec lane
  localparam int CAP = (SRP != 0) ? DATA_BLOCKS : BLOCKS / VLS;  // with SRP: of a data lane
  localparam int SPEC_CAP = (SRP != 0) ? SPEC_BLOCKS : CAP;
  localparam int CTL_CAP = (SRP != 0) ? CTL_BLOCKS : CAP;
  localparam int MOST = (SPEC_CAP > CAP && SPEC_CAP >= CTL_CAP) ? SPEC_CAP : (CTL_CAP > CAP) ? CTL_CAP : CAP;
  localparam bit ONE = ONE_QUEUE != 0;
  localparam int ORG = ONE ? 1 : (SRP != 0) ? 2 : 0;
  localparam int NQ = ONE ? 1 : PV;  // cold queues, as they ask
  localparam int NH = (SRP != 0) ? PORTS * D + 3 : NQ;  // and as they are
  localparam int NE = PORTS + ((SRP != 0) ? 1 : 0);  // engines: one an output, with SRP one that discards
  localparam int QW = (PV > 1) ? $clog2(PV) : 1;
  localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int VW = (VLS > 1) ? $clog2(VLS) : 1;
  localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1;
  localparam int LW = (LINES > 1) ? $clog2(LINES) : 1;
  localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1;
  // A fill is below MOST * MTU: at worst every block is the only flit of a cut packet.
  localparam int FW = (MOST * MTU > 0) ? $clog2(MOST * MTU + 1) : 1;

  if (PORTS < 1 || PORTS > 64) begin : g_bad_ports
    $error("parameter PORTS is out of range: legal is 1..64");
  end
  if (VLS < 1 || VLS > ((VL_BY_DEST != 0) ? 64 : 16)) begin : g_bad_vls
    $error("parameter VLS is out of range: legal is 1..16, or 1..64 with VL_BY_DEST = 1");
  end
  if (RX_TIMEOUT_RESET < 0 || RX_TIMEOUT_RESET > 65535) begin : g_bad_rx_timeout_reset
    $error("parameter RX_TIMEOUT_RESET is out of range: legal is 0..65535");
  end
  if (MTU < 1 || MTU > 64) begin : g_bad_mtu
    $error("parameter MTU is out of range: legal is 1..64");
  end
  if (SRP == 0 && (BLOCKS % VLS != 0 || CAP < MTU || CAP > 2048)) begin : g_bad_blocks
    $error("parameter BLOCKS must be a multiple of VLS, BLOCKS/VLS in MTU..2048");
  end
  if (HPQS < 1 || HPQS > 8) begin : g_bad_hpqs
    $error("parameter HPQS is out of range: legal is 1..8");
  end
  if (LINES < 1 || LINES > 32) begin : g_bad_lines
    $error("parameter LINES is out of range: legal is 1..32");
  end
  if (DLIST < 1 || DLIST > 32) begin : g_bad_dlist
    $error("parameter DLIST is out of range: legal is 1..32");
  end
  if (LFT_DEPTH < 2 || LFT_DEPTH > 65536) begin : g_bad_lft_depth
    $error("parameter LFT_DEPTH is out of range: legal is 2..65536");
  end
  if (FLIT_BYTES != 32 && FLIT_BYTES != 64) begin : g_bad_flit_bytes
    $error("parameter FLIT_BYTES must be 32 or 64");
  end
  if (TIMER_W < 4 || TIMER_W > 32) begin : g_bad_timer_w
    $error("parameter TIMER_W is out of range: legal is 4..32");
  end
  if (ISOLATION != 0 && ISOLATION != 1) begin : g_bad_isolation
    $error("parameter ISOLATION must be 0 or 1");
  end
  if (ONE_QUEUE != 0 && (ONE_QUEUE != 1 || VLS != 1)) begin : g_bad_one_queue
    $error("parameter ONE_QUEUE must be 0 or 1; 1 needs VLS = 1");
  end
  if (PARITY != 0 && PARITY != 1) begin : g_bad_parity
    $error("parameter PARITY must be 0 or 1");
  end
  if (VL_BY_DEST != 0 && VL_BY_DEST != 1) begin : g_bad_vl_by_dest
    $error("parameter VL_BY_DEST must be 0 or 1");
  end
  if (MARKERS != 0 && MARKERS != 1) begin : g_bad_markers
    $error("parameter MARKERS must be 0 or 1");
  end
  if (STAMP_W != 0 && (STAMP_W < 8 || STAMP_W > 32)) begin : g_bad_stamp_w
    $error("parameter STAMP_W is out of range: legal is 0 or 8..32");
  end
  if (STAMP_W > 0 && (ONE_QUEUE != 0 || ISOLATION != 0)) begin : g_bad_stamps
    $error("parameter STAMP_W must be 0 unless ONE_QUEUE = 0 and ISOLATION = 0");
  end
  if (CTL_VL != 0 && (CTL_VL != 1 || VLS < 2 || ONE_QUEUE != 0 || ISOLATION != 0 || VL_BY_DEST != 0 || CIOQ != 0)) begin : g_bad_ctl_vl
    $error("parameter CTL_VL must be 0 or 1; 1 needs VLS >= 2 and ONE_QUEUE = ISOLATION = VL_BY_DEST = CIOQ = 0");
  end
  if (SRP != 0 && (SRP != 1 || VLS < 4 || VLS > 11 || ONE_QUEUE != 0 || ISOLATION != 0 || VL_BY_DEST != 0 || CIOQ != 0 || CTL_VL != 0
                   || MARKERS != 0 || STAMP_W != 0 || PARITY != 0)) begin : g_bad_srp
    $error("parameter SRP must be 0 or 1; 1 needs VLS 4..11 and ONE_QUEUE = ISOLATION = VL_BY_DEST = CIOQ = CTL_VL = MARKERS = STAMP_W = PARITY = 0");
  end
  if (SRP != 0 && (DATA_BLOCKS < MTU || DATA_BLOCKS > 2048)) begin : g_bad_data_blocks
    $error("parameter DATA_BLOCKS is out of range: legal is MTU..2048");
  end
  if (SRP != 0 && (SPEC_BLOCKS < MTU || SPEC_BLOCKS > 2048)) begin : g_bad_spec_blocks
    $error("parameter SPEC_BLOCKS is out of range: legal is MTU..2048");
  end
  if (SRP != 0 && (CTL_BLOCKS < 2 || CTL_BLOCKS > 512)) begin : g_bad_ctl_blocks
    $error("parameter CTL_BLOCKS is out of range: legal is 2..512");
  end
  if (SRP != 0 && BLOCKS != D * DATA_BLOCKS + SPEC_BLOCKS + 2 * CTL_BLOCKS) begin : g_bad_lanes
    $error("parameter BLOCKS must be D*DATA_BLOCKS + SPEC_BLOCKS + 2*CTL_BLOCKS with SRP = 1, D = VLS - 3");
  end
  if (RANDOM_UP != 0 && (RANDOM_UP != 1 || ONE_QUEUE != 0 || ISOLATION != 0 || VL_BY_DEST != 0 || MARKERS != 0 || STAMP_W != 0 || CIOQ != 0
                         || PARITY != 0)) begin : g_bad_random_up
    $error("parameter RANDOM_UP must be 0 or 1; 1 needs ONE_QUEUE = ISOLATION = VL_BY_DEST = MARKERS = STAMP_W = CIOQ = PARITY = 0");
  end
  if (RANDOM_UP != 0 && PORTS > 32) begin : g_bad_up_ports
    $error("parameter PORTS must be at most 32 with RANDOM_UP = 1");
  end
  if (CIOQ != 0 && (CIOQ != 1 || ONE_QUEUE != 0 || ISOLATION != 0)) begin : g_bad_cioq
    $error("parameter CIOQ must be 0 or 1; 1 needs ONE_QUEUE = 0 and ISOLATION = 0");
  end

  // configuration
  logic               iso_en;
  logic               cold_first;
  logic               cnp_plain;
  logic               at_grant;   // charges leave at the grant
  logic               root_hpq;
  logic [15:0]        hth;
  logic [15:0]        lth;
  logic               never;
  logic [15:0]        cpq_hth;
  logic [15:0]        cpq_lth;
  logic [15:0]        fc_interval;
  logic [3:0]         rx_interval;
  logic [15:0]        rx_timeout;
  logic [TIMER_W-1:0] line_timer;
  logic [15:0]        refresh;
  logic [15:0]        switch_id;
  logic [15:0]        stop;
  logic [15:0]        go;
  logic [15:0]        detect;
  logic [15:0]        hold;
  logic               naive;
  logic               mb_en;
  logic [3:0]         rd_interval;
  logic [15:0]        fill_level;
  logic [15:0]        mb_th;
  logic [3:0]         bypass;
  logic [3:0]         xb_interval;
  logic               drop_en;
  logic [14:0]        ttw;
  logic [31:0]        up_mask;  // outputs that lead up
  logic [15:0]        set_err;
  logic [15:0]        rx_err;
  logic               fctbs_bad_vl;
  logic               underrun;
  logic               bad_grant;
  // of parity
  logic               config_err, route_err, framer_err, credit_err, buffer_err, desc_err, org_err, request_err,
      detect_err, isolation_err, fill_evt_err, age_err, bypass_err, pace_err;

  always_comb begin
    set_err = rx_err;
    if (fctbs_bad_vl) set_err[quell_pkg::IE_BAD_VL] = 1'b1;
    if (underrun) set_err[quell_pkg::IE_UNDERRUN] = 1'b1;
    if (bad_grant) set_err[quell_pkg::IE_BAD_GRANT] = 1'b1;
    set_err[quell_pkg::IE_PARITY] = |{config_err, route_err, framer_err, credit_err, buffer_err, desc_err, org_err,
        request_err, detect_err, isolation_err, fill_evt_err, age_err, bypass_err, pace_err};
  end

  input_config #(
      .MTU(MTU), .CAP(CAP), .TIMER_W(TIMER_W), .RX_TIMEOUT_RESET(RX_TIMEOUT_RESET), .PARITY(PARITY)
  ) u_config (
      .clk_i, .rst_i,
      .we_i         (ready_o && cfg_we_i),
      .re_i         (ready_o && cfg_re_i),
      .addr_i       (cfg_addr_i),
      .data_i       (cfg_data_i),
      .set_err_i    (set_err),
      .cnt_drop_i   (st_cnt_drop_o),
      .cnt_nohpq_i  (st_cnt_nohpq_o),
      .cnt_noline_i (st_cnt_noline_o),
      .cnt_spec_drop_i(st_cnt_spec_drop_o),
      .up_mask_i    (up_mask),
      .up_seed_i    (st_lfsr_o),
      .iso_en_o     (iso_en),
      .cold_first_o (cold_first),
      .cnp_plain_o  (cnp_plain),
      .release_o    (at_grant),
      .root_hpq_o   (root_hpq),
      .hth_o        (hth),
      .lth_o        (lth),
      .never_o      (never),
      .cpq_hth_o    (cpq_hth),
      .cpq_lth_o    (cpq_lth),
      .fc_interval_o(fc_interval),
      .rx_interval_o(rx_interval),
      .rx_timeout_o (rx_timeout),
      .line_timer_o (line_timer),
      .refresh_o    (refresh),
      .switch_id_o  (switch_id),
      .stop_o       (stop),
      .go_o         (go),
      .detect_o     (detect),
      .hold_o       (hold),
      .naive_o      (naive),
      .mb_en_o      (mb_en),
      .rd_interval_o(rd_interval),
      .fill_level_o (fill_level),
      .mb_th_o      (mb_th),
      .bypass_o     (bypass),
      .xb_interval_o(xb_interval),
      .drop_en_o    (drop_en),
      .ttw_o        (ttw),
      .err_o,
      .rvalid_o     (cfg_rvalid_o),
      .rdata_o      (cfg_rdata_o),
      .parity_err_o(config_err)
  );

  // receiver
  logic [7:0]        entry, back_entry;  // of the forwarding table,
  logic [7:0]        route, back;        // and as drawn
  logic [VLS*12-1:0] used;
  logic [AW-1:0]     new_block;
  logic              accept;
  logic [OW-1:0]     accept_out;
  logic [OW-1:0]     accept_back;  // where a NACK would go
  logic [VW-1:0]     accept_vl;
  quell_pkg::desc_t  accept_desc;
  logic              accept_markable;
  logic              accept_ack;
  logic [QW-1:0]     accept_q;    // output and VL
  logic              extend;
  logic              store;
  logic [VW-1:0]     store_vl;
  logic [FLIT_W-1:0] store_data;
  logic              closes;
  logic [6:0]        close_a;
  logic              count;
  logic [VW-1:0]     count_vl;
  logic              rx_open;
  logic              rx_head;
  logic [AW-1:0]     open_id;
  logic [AW-1:0]     open_tail;
  logic [6:0]        open_a;
  logic              open_start;
  logic              open_fast;

  route_table #(
      .DEPTH(LFT_DEPTH),
      .BACK(SRP),
      .PARITY(PARITY)
  ) u_routes (
      .clk_i, .rst_i, .ready_o,
      .we_i   (lft_we_i),
      .addr_i (lft_addr_i),
      .port_i (lft_port_i),
      .dlid_i (quell_pkg::wire16(rx_data_i[quell_pkg::DLID_LSB +: 16])),
      .slid_i (quell_pkg::wire16(rx_data_i[quell_pkg::SLID_LSB +: 16])),
      .route_o(entry),
      .back_o (back_entry),
      .used_i(rx_head),
      .parity_err_o(route_err)
  );

  if (RANDOM_UP != 0) begin : g_draw
    up_draw #(.PORTS(PORTS), .BACK(SRP)) u_draw (
        .clk_i, .rst_i,
        .we_i        (ready_o && cfg_we_i),
        .addr_i      (cfg_addr_i),
        .data_i      (cfg_data_i),
        .head_i      (rx_head),
        .entry_i     (entry),
        .back_entry_i(back_entry),
        .route_o     (route),
        .back_o      (back),
        .mask_o      (up_mask),
        .lfsr_o      (st_lfsr_o)
    );
  end else begin : g_no_draw  // (a name of its own, so that tools find the registers below the other one)
    assign route = entry;
    assign back = back_entry;
    assign up_mask = '0;
    assign st_lfsr_o = '0;
  end

  rx_framer #(
      .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .CAP(CAP),
      .AW(AW), .FLIT_W(FLIT_W), .VL_BY_DEST(VL_BY_DEST), .MARKERS(MARKERS), .CIOQ(CIOQ), .CTL_VL(CTL_VL), .SRP(SRP),
      .SPEC_BLOCKS(SPEC_CAP), .CTL_BLOCKS(CTL_CAP), .PARITY(PARITY)
  ) u_framer (
      .clk_i, .rst_i,
      .run_i        (ready_o),
      .link_up_i, .rx_valid_i, .rx_first_i, .rx_last_i, .rx_bad_i, .rx_data_i,
      .route_i      (route),
      .back_i       (back),
      .head_o       (rx_head),
      .used_i       (used),
      .timeout_i    (rx_timeout),
      .interval_i   (rx_interval),
      .rd_interval_i(rd_interval),
      .xb_interval_i(xb_interval),
      .mb_en_i      (mb_en),
      .mb_th_i      (mb_th),
      .block_i      (new_block),
      .up_o         (st_up_o),
      .accept_o     (accept),
      .accept_out_o (accept_out),
      .accept_back_o(accept_back),
      .accept_vl_o  (accept_vl),
      .accept_desc_o(accept_desc),
      .accept_markable_o(accept_markable),
      .accept_ack_o     (accept_ack),
      .extend_o     (extend),
      .close_o      (closes),
      .close_a_o    (close_a),
      .store_vl_o   (store_vl),
      .data_o       (store_data),
      .count_o      (count),
      .count_vl_o   (count_vl),
      .err_o        (rx_err),
      .open_o       (rx_open),
      .open_id_o    (open_id),
      .open_tail_o  (open_tail),
      .open_a_o     (open_a),
      .open_start_o (open_start),
      .open_fast_o  (open_fast),
      .state_o      (st_rx_state_o),
      .cnt_drop_o   (st_cnt_drop_o),
      .parity_err_o(framer_err)
  );
  assign store = accept || extend;
  assign accept_q = QW'(accept_out) * QW'(VLS) + QW'(accept_vl);
  assign st_rx_count_o = rx_open ? open_a : '0;

  // what the engines do; a packet's tag: an ACK of a hot queue, and the queue that it comes from: {hot, hot queue, VL}
  localparam int TAG_W = 2 + HW + VW;
  logic [NE-1:0]          rd;
  logic [NE*AW-1:0]       rd_block;
  logic [NE*TAG_W-1:0]    rd_tag;
  logic [PORTS-1:0]       rd_ack;
  logic [PORTS-1:0]       rd_hot;
  logic [PORTS*HW-1:0]    rd_hpq;
  logic [NE*VW-1:0]       rd_vl;
  logic [NE*7-1:0]        rd_release;

  credit_receiver #(
      .VLS(VLS), .CAP(CAP), .SRP(SRP), .SPEC_BLOCKS(SPEC_CAP), .CTL_BLOCKS(CTL_CAP),
      .READS(NE),
      .PARITY(PARITY)
  ) u_credit (
      .clk_i, .rst_i,
      .run_i        (ready_o),
      .up_i         (st_up_o),
      .tell_i       (st_up_o),
      .interval_i   (fc_interval),
      .fctbs_i      ({fctbs_valid_i, fctbs_vl_i, fctbs_i}),
      .count_i      (count),
      .count_vl_i   (count_vl),
      .store_i      (store),
      .store_vl_i   (store_vl),
      .read_i       (rd),
      .read_vl_i    (rd_vl),
      .used_o       (used),
      .abr_o        (st_abr_o),
      .bad_vl_o     (fctbs_bad_vl),
      .fccl_o       ({fc_valid_o, fc_vl_o, fccl_o}),
      .parity_err_o(credit_err)
  );

  // what the engines read next
  logic [PORTS-1:0]       load;
  logic [PORTS*AW-1:0]    load_id;
  logic [PORTS*7-1:0]     load_n;
  logic [PORTS-1:0]       load_open;
  logic [PORTS*TAG_W-1:0] load_tag;
  logic [PORTS-1:0]       load_mark;
  logic [PORTS-1:0]       rd_en;   // at the pace of the engine

  // with SRP, of the packet of the spec lane that is dropped; what engines read, before the image of a NACK
  logic                    discard;
  logic [AW-1:0]           spec_id;
  logic [6:0]              spec_n;
  logic [PORTS*FLIT_W-1:0] plain_data;
  logic [NE-1:0]           eng_act, eng_end;
  logic [NE-1:0]           eng_load, eng_load_open;
  logic [NE*AW-1:0]        eng_load_id;
  logic [NE*7-1:0]         eng_load_n;
  logic [NE*TAG_W-1:0]     eng_load_tag;

  if (SRP != 0) begin : g_engines
    wire unused = &{1'b0, eng_end[PORTS], rd_tag[PORTS*TAG_W +: TAG_W]};
    assign eng_load = {discard, load};
    assign eng_load_id = {spec_id, load_id};
    assign eng_load_n = {spec_n, load_n};
    assign eng_load_open = {rx_open && open_id == spec_id, load_open};
    assign eng_load_tag = {TAG_W'(D), load_tag};
    assign rd_vl[PORTS*VW +: VW] = VW'(D);
    assign st_disc_act_o = eng_act[PORTS];
  end else begin : g_engines
    wire unused = &{1'b0, discard, spec_id, spec_n};
    assign eng_load = load;
    assign eng_load_id = load_id;
    assign eng_load_n = load_n;
    assign eng_load_open = load_open;
    assign eng_load_tag = load_tag;
    assign st_disc_act_o = 1'b0;
  end
  assign xb_act_o = eng_act[PORTS-1:0];
  assign xb_end_o = eng_end[PORTS-1:0];

  if (CIOQ != 0) begin : g_pace
    read_pace #(.ENGINES(PORTS), .PARITY(PARITY)) u_pace (
        .clk_i, .rst_i, .rd_en_i, .rd_slow_i,
        .load_i      (load),
        .load_open_i (load_open),
        .open_fast_i (open_fast),
        .rd_en_o     (rd_en),
        .slow_o      (st_slow_o),
        .parity_err_o(pace_err)
    );
  end else begin : g_pace
    wire unused = &{1'b0, rd_slow_i, open_fast};
    assign rd_en = rd_en_i;
    assign st_slow_o = '0;
    assign pace_err = 1'b0;
  end
  assign xb_slow_o = st_slow_o;

  pkt_buffer #(
      .BLOCKS(BLOCKS), .FLIT_W(FLIT_W),
      .ENGINES(NE),
      .DISCARDS(NE - PORTS),
      .READS  (ONE ? 1 : PORTS),
      .TAG_W(TAG_W), .MARKERS(MARKERS), .PARITY(PARITY)
  ) u_buffer (
      .clk_i, .rst_i,
      .accept_i    (accept),
      .extend_i    (extend),
      .data_i      (store_data),
      .block_o     (new_block),
      .open_id_i   (open_id),
      .open_tail_i (open_tail),
      .open_a_i    (open_a),
      .close_i     (closes),
      .close_a_i   (close_a),
      .load_i      (eng_load),
      .load_id_i   (eng_load_id),
      .load_n_i    (eng_load_n),
      .load_open_i (eng_load_open),
      .load_tag_i  (eng_load_tag),
      .load_paid_i (at_grant),
      .load_mark_i (NE'(load_mark)),
      .rd_en_i     (NE'(rd_en)),
      .act_o       (eng_act),
      .end_o       (eng_end),
      .read_o      (rd),
      .rd_block_o  (rd_block),
      .release_o   (rd_release),
      .tag_o       (rd_tag),
      .underrun_o  (underrun),
      .discard_r_o (st_disc_r_o),
      .xb_valid_o, .xb_first_o, .xb_last_o, .xb_bad_o, .xb_mark_o,
      .xb_data_o   (plain_data),
      .parity_err_o(buffer_err)
  );

  // descriptors of the packets at the heads: cold queues, then hot queues; with ISOLATION whether they are ACKs, with MARKERS
  // whether they are markable
  localparam int HEADS = (ISOLATION != 0) ? NQ + HPQS : NH;
  localparam int DESC_W = OW + 24;  // {output, desc_t}
  localparam int MARK_AT = (ISOLATION != 0) ? DESC_W + 1 : DESC_W;
  localparam int WORD_W = (MARKERS != 0) ? MARK_AT + 1 : MARK_AT;
  logic [NH-1:0]           cold_any;
  logic [NH*AW-1:0]        cold_id;
  logic [HPQS-1:0]         hot_any;
  logic [HPQS*AW-1:0]      hot_id;
  logic [HPQS*7-1:0]       hot_n;
  logic [HPQS*16-1:0]      hot_dlid;
  logic [HEADS*WORD_W-1:0] word;
  logic [HEADS*DESC_W-1:0] desc;
  logic [HEADS-1:0]        markable;
  logic [PV-1:0]           head_markable;
  logic [HPQS-1:0]         hot_markable;
  logic [PV-1:0]           head_ack;
  logic [HPQS-1:0]         hot_ack;

  ram_async #(
      .DEPTH(BLOCKS),
      .WIDTH(WORD_W),
      .READS(HEADS),
      .PARITY(PARITY)
  ) u_descriptors (
      .clk_i,
      .we_i        (accept),
      .waddr_i     (new_block),
      .wdata_i     ((ISOLATION != 0) ? WORD_W'({accept_markable, accept_ack, accept_out, accept_desc})
                                     : WORD_W'({accept_markable, accept_out, accept_desc})),
      .raddr_i     ((HEADS*AW)'({hot_id, cold_id})),
      .rdata_o     (word),
      .used_i      (HEADS'({hot_any, cold_any})),
      .parity_err_o(desc_err)
  );
  for (genvar h = 0; h < HEADS; h++) begin : g_word
    assign desc[h*DESC_W +: DESC_W] = word[h*WORD_W +: DESC_W];
    assign markable[h] = MARKERS != 0 && word[h*WORD_W+WORD_W-1];
  end
  assign head_markable = ONE ? {PV{markable[0]}} : PV'(markable[NH-1:0]);  // with SRP nobody looks at it

  // cold queues
  logic [NQ-1:0]     cold_pop;
  logic [NQ*OW-1:0]  cold_out;
  logic [NQ*FW-1:0]  cold_fill;
  logic [PV*7-1:0]   cold_gone;  // charges that leave at a grant (ONE_QUEUE: 0)
  logic [PORTS-1:0]  eng_free;
  logic [PV-1:0]     served;
  logic              move;
  logic [PV-1:0]     move_from;
  logic [QW-1:0]     move_q;
  logic [HW-1:0]     move_hpq;
  logic [6:0]        move_n;
  logic [PV-1:0]     head_any;  // heads by output and VL
  logic [PV*AW-1:0]  head_id;
  logic [PV*7-1:0]   head_n;
  logic [PV*16-1:0]  head_dlid;
  logic [PV-1:0]     head_cnp;
  logic [PV-1:0]     head_nack;  // it is a NACK (SRP)

  // (A case, so that tools that number nested blocks give each its own name.)
  case (ORG)
  1: begin : g_org
    org_one_queue #(
        .PORTS(PORTS), .BLOCKS(BLOCKS), .CAP(CAP), .FW(FW), .PARITY(PARITY)
    ) u_org (
        .clk_i, .rst_i,
        .accept_i    (accept),
        .accept_n_i  (accept_desc.n),
        .accept_id_i (new_block),
        .move_i      (move),
        .move_n_i    (move_n),
        .req_valid_i (req_valid_o),
        .req_hot_i   (req_hot_o),
        .grant_i,
        .rd_en_i     (rd_en),
        .release_i   (at_grant),
        .act_i       (xb_act_o),
        .end_i       (xb_end_o),
        .rd_release_i(rd_release),
        .rd_hot_i    (rd_hot),
        .free_o      (eng_free),
        .served_o    (served),
        .any_o       (cold_any),
        .id_o        (cold_id),
        .desc_i      (desc[DESC_W-1:0]),
        .pop_o       (cold_pop),
        .out_o       (cold_out),
        .head_any_o  (head_any),
        .head_id_o   (head_id),
        .head_n_o    (head_n),
        .head_dlid_o (head_dlid),
        .head_cnp_o  (head_cnp),
        .fill_o      (cold_fill),
        .st_pkts_o   (st_cpq_pkts_o),
        .st_fill_o   (st_cpq_fill_o),
        .parity_err_o(org_err)
    );
    logic unused;
    assign unused = &{1'b0, move_from, move_q, accept_back, drop_en, ttw, rd_vl};
    assign cold_gone = '0;
    assign {discard, spec_id, spec_n, head_nack} = '0;
    assign {st_now_o, st_spec_nack_o, st_spec_age_o, st_spec_waited_o, st_cnt_spec_drop_o} = '0;
    assign xb_data_o = plain_data;
  end
  2: begin : g_lanes
    logic          spec_any, spec_pop, hidden, drop;
    logic [OW-1:0] back_out;
    logic [15:0]   age;

    org_lanes #(
        .PORTS(PORTS), .VLS(VLS), .BLOCKS(BLOCKS), .MOST(MOST), .FW(FW)
    ) u_org (
        .clk_i, .rst_i,
        .accept_i         (accept),
        .accept_out_i     (accept_out),
        .accept_vl_i      (accept_vl),
        .accept_n_i       (accept_desc.n),
        .accept_id_i      (new_block),
        .nack_i           (st_spec_nack_o),
        .nack_out_i       (back_out),
        .hidden_i         (hidden),
        .req_valid_i      (req_valid_o),
        .grant_i,
        .release_i        (at_grant),
        .rd_en_i          (rd_en),
        .act_i            (xb_act_o),
        .end_i            (xb_end_o),
        .rd_release_i     (rd_release[PORTS*7-1:0]),
        .rd_vl_i          (rd_vl[PORTS*VW-1:0]),
        .discard_release_i(rd_release[PORTS*7 +: 7]),
        .free_o           (eng_free),
        .served_o         (served),
        .any_o            (cold_any),
        .id_o             (cold_id),
        .desc_i           (desc),
        .spec_any_o       (spec_any),
        .spec_pop_o       (spec_pop),
        .spec_id_o        (spec_id),
        .spec_n_o         (spec_n),
        .head_any_o       (head_any),
        .head_id_o        (head_id),
        .head_n_o         (head_n),
        .head_dlid_o      (head_dlid),
        .head_cnp_o       (head_cnp),
        .head_nack_o      (head_nack),
        .fill_o           (cold_fill),
        .gone_o           (cold_gone),
        .st_pkts_o        (st_cpq_pkts_o),
        .st_fill_o        (st_cpq_fill_o)
    );

    spec_head #(
        .PORTS(PORTS), .DEPTH(SPEC_BLOCKS)
    ) u_spec (
        .clk_i, .rst_i,
        .drop_en_i  (drop_en),
        .ttw_i      (ttw),
        .push_i     (accept && accept_vl == VW'(D)),
        .push_age_i (quell_pkg::wire16(store_data[quell_pkg::SRP_AGE_LSB +: 16])),
        .push_back_i(accept_back),
        .any_i      (spec_any),
        .pop_i      (spec_pop),
        .busy_i     (st_disc_act_o),
        .nack_o     (st_spec_nack_o),
        .hidden_o   (hidden),
        .drop_o     (drop),
        .back_o     (back_out),
        .age_o      (age),
        .st_now_o,
        .st_age_o   (st_spec_age_o),
        .st_waited_o(st_spec_waited_o),
        .st_cnt_o   (st_cnt_spec_drop_o)
    );
    assign discard = drop && spec_n != 7'd1;

    for (genvar o = 0; o < PORTS; o++) begin : g_image
      nack_image #(.VLS(VLS), .FLIT_W(FLIT_W)) u_image (
          .clk_i, .rst_i,
          .load_i     (load[o]),
          .load_spec_i(served[o*VLS+D] && !st_spec_nack_o),
          .load_age_i (age),
          .load_nack_i(served[o*VLS+D] && st_spec_nack_o),
          .first_i    (xb_first_o[o]),
          .data_i     (plain_data[o*FLIT_W +: FLIT_W]),
          .data_o     (xb_data_o[o*FLIT_W +: FLIT_W])
      );
    end

    assign cold_pop = '0;  // of those that only isolation looks at
    assign cold_out = '0;
    assign org_err = 1'b0;
    logic unused;
    assign unused = &{1'b0, move, move_from, move_q, move_n, rd_hot, spec_pop};
  end
  default: begin : g_org
    org_voq #(
        .PORTS(PORTS), .VLS(VLS), .BLOCKS(BLOCKS), .CAP(CAP), .FW(FW), .PARITY(PARITY)
    ) u_org (
        .clk_i, .rst_i,
        .accept_i    (accept),
        .accept_q_i  (accept_q),
        .accept_n_i  (accept_desc.n),
        .accept_id_i (new_block),
        .move_i      (move),
        .move_from_i (move_from),
        .move_q_i    (move_q),
        .move_n_i    (move_n),
        .req_valid_i (req_valid_o),
        .req_hot_i   (req_hot_o),
        .grant_i,
        .rd_en_i     (rd_en),
        .release_i   (at_grant),
        .act_i       (xb_act_o),
        .end_i       (xb_end_o),
        .rd_release_i(rd_release),
        .rd_vl_i     (rd_vl),
        .rd_hot_i    (rd_hot),
        .free_o      (eng_free),
        .served_o    (served),
        .any_o       (cold_any),
        .id_o        (cold_id),
        .desc_i      (desc[NQ*DESC_W-1:0]),
        .pop_o       (cold_pop),
        .out_o       (cold_out),
        .head_any_o  (head_any),
        .head_id_o   (head_id),
        .head_n_o    (head_n),
        .head_dlid_o (head_dlid),
        .head_cnp_o  (head_cnp),
        .fill_o      (cold_fill),
        .gone_o      (cold_gone),
        .st_pkts_o   (st_cpq_pkts_o),
        .st_fill_o   (st_cpq_fill_o),
        .parity_err_o(org_err)
    );
    wire unused = &{1'b0, accept_back, drop_en, ttw};
    assign {discard, spec_id, spec_n, head_nack} = '0;
    assign {st_now_o, st_spec_nack_o, st_spec_age_o, st_spec_waited_o, st_cnt_spec_drop_o} = '0;
    assign xb_data_o = plain_data;
  end
  endcase
  assign bad_grant = ready_o && |(grant_i & ~served);
  for (genvar v = 0; v < VLS; v++) begin : g_used
    assign st_used_o[v*16 +: 16] = 16'(used[v*12 +: 12]);
  end

  // requests
  logic [PV-1:0]      cold_match;
  logic [NQ-1:0]      cold_start;
  logic [NQ-1:0]      cold_went;
  logic [NQ-1:0]      cold_bound;  // lines of the outputs that queues are bound to
  logic [NQ*LW-1:0]   cold_line;
  logic [NQ-1:0]      cold_stopped;
  logic [HPQS-1:0]    hot_start;
  logic [HPQS-1:0]    hot_bound;
  logic [HPQS*LW-1:0] hot_line;
  logic [HPQS-1:0]    hot_stopped;
  logic [HPQS-1:0]    hot_busy;
  logic [HPQS*QW-1:0] hot_q;
  logic [HPQS-1:0]    hot_unlinked;
  logic [PV*AW-1:0]   req_id;
  logic [PV-1:0]      req_open;
  logic [PV*HW-1:0]   req_hpq;
  logic [PV-1:0]      req_markable;
  logic [PV-1:0]      show;       // requests that may be shown
  logic [PV-1:0]      to_mark;    // what is served is to be marked

  request_select #(
      .PORTS(PORTS), .VLS(VLS), .HPQS(HPQS), .LINES(LINES),
      .AW(AW), .ONE_QUEUE(ONE_QUEUE), .ISOLATION(ISOLATION), .PARITY(PARITY)
  ) u_requests (
      .clk_i, .rst_i,
      .cold_first_i (cold_first),
      .cnp_plain_i  (cnp_plain),
      .eng_free_i   (eng_free),
      .served_i     (served),
      .show_i       (show),
      .open_i       (rx_open),
      .open_id_i    (open_id),
      .open_start_i (open_start),
      .head_any_i   (head_any),
      .head_id_i    (head_id),
      .head_n_i     (head_n),
      .head_dlid_i  (head_dlid),
      .head_cnp_i   (head_cnp),
      .head_markable_i(head_markable),
      .head_whole_i (head_nack),
      .cold_match_i (cold_match),
      .cold_bound_i (cold_bound),
      .cold_line_i  (cold_line),
      .cold_stopped_i(cold_stopped),
      .hot_any_i    (hot_any),
      .hot_id_i     (hot_id),
      .hot_n_i      (hot_n),
      .hot_dlid_i   (hot_dlid),
      .hot_markable_i(hot_markable),
      .hot_busy_i   (hot_busy),
      .hot_q_i      (hot_q),
      .hot_bound_i  (hot_bound),
      .hot_line_i   (hot_line),
      .hot_stopped_i(hot_stopped),
      .hot_unlinked_i(hot_unlinked),
      .cold_start_o (cold_start),
      .hot_start_o  (hot_start),
      .valid_o      (req_valid_o),
      .n_o          (req_len_o),
      .dlid_o       (req_dlid_o),
      .cnp_o        (req_cnp_o),
      .markable_o   (req_markable),
      .hot_o        (req_hot_o),
      .unlinked_o   (req_unlinked_o),
      .id_o         (req_id),
      .open_o       (req_open),
      .hpq_o        (req_hpq),
      .bound_o      (req_bound_o),
      .line_o       (req_line_o),
      .cold_went_o  (cold_went),
      .hot_went_o   (st_hpq_went_o),
      .parity_err_o(request_err)
  );

  assign st_cpq_went_o = PV'(cold_went);

  if (SRP != 0) begin : g_nack
    for (genvar o = 0; o < PORTS; o++) begin : g_output
      assign req_nack_o[o] = req_valid_o[o*VLS+D] && head_nack[o*VLS+D];
    end
  end else begin : g_nack
    assign req_nack_o = '0;
  end

  logic [PV-1:0] req_ack;  // the candidate is an ACK of a hot queue
  for (genvar q = 0; q < PV; q++) begin : g_req_ack
    assign req_ack[q] = req_hot_o[q] && hot_ack[req_hpq[q*HW +: HW]];
  end

  for (genvar o = 0; o < PORTS; o++) begin : g_load
    always_comb begin
      load_id[o*AW +: AW] = req_id[o*VLS*AW +: AW];
      load_n[o*7 +: 7] = req_len_o[o*VLS*7 +: 7];
      load_open[o] = req_open[o*VLS];
      load_tag[o*TAG_W +: TAG_W] = {req_ack[o*VLS], req_hot_o[o*VLS], req_hpq[o*VLS*HW +: HW], VW'(0)};
      for (int v = 1; v < VLS; v++) begin
        if (served[o*VLS+v]) begin
          load_id[o*AW +: AW] = req_id[(o*VLS+v)*AW +: AW];
          load_n[o*7 +: 7] = req_len_o[(o*VLS+v)*7 +: 7];
          load_open[o] = req_open[o*VLS+v];
          load_tag[o*TAG_W +: TAG_W] = {req_ack[o*VLS+v], req_hot_o[o*VLS+v], req_hpq[(o*VLS+v)*HW +: HW], VW'(v)};
        end
      end
    end
    assign load[o] = |served[o*VLS +: VLS];
    assign load_mark[o] = |to_mark[o*VLS +: VLS];
    assign {rd_ack[o], rd_hot[o], rd_hpq[o*HW +: HW], rd_vl[o*VW +: VW]} = rd_tag[o*TAG_W +: TAG_W];
  end

  // fills and marks
  if (MARKERS != 0) begin : g_fills
    fill_event #(
        .PORTS(PORTS), .VLS(VLS), .CAP(CAP), .PARITY(PARITY)
    ) u_fills (
        .clk_i, .rst_i,
        .level_i          (fill_level),
        .naive_i          (naive && ISOLATION == 0),
        .used_i           (used),
        .accept_i         (accept),
        .accept_vl_i      (accept_vl),
        .accept_q_i       (accept_q),
        .accept_markable_i(accept_markable),
        .leave_i          (served & req_markable),
        .mark_o           (to_mark),
        .enter_o, .full_evt_o, .st_waiting_o, .st_full_o, .st_armed_o, .st_ncnt_o,
        .parity_err_o     (fill_evt_err)
    );
  end else begin : g_fills
    wire unused = &{1'b0, fill_level, naive, req_markable, accept_markable};
    assign to_mark = '0;
    assign enter_o = '0;
    assign full_evt_o = '0;
    assign st_waiting_o = '0;
    assign st_full_o = '0;
    assign st_armed_o = '0;
    assign st_ncnt_o = '0;
    assign fill_evt_err = 1'b0;
  end

  // ages, and who may be shown
  if (STAMP_W > 0) begin : g_ages
    logic [PV*AGE_W-1:0] age;

    packet_age #(
        .QUEUES(PV), .BLOCKS(BLOCKS), .STAMP_W(STAMP_W), .PARITY(PARITY)
    ) u_ages (
        .clk_i, .rst_i,
        .accept_i    (accept),
        .accept_id_i (new_block),
        .head_any_i  (head_any),
        .head_id_i   (head_id),
        .served_i    (served),
        .age_o       (age),
        .aged_o      (st_aged_o),
        .parity_err_o(age_err)
    );

    bypass_limit #(
        .PORTS(PORTS), .VLS(VLS), .STAMP_W(STAMP_W), .PARITY(PARITY)
    ) u_limit (
        .clk_i, .rst_i,
        .limit_i     (bypass),
        .head_any_i  (head_any),
        .age_i       (age),
        .served_i    (served),
        .show_o      (show),
        .st_pinned_o, .st_pin_o, .st_bypass_o,
        .parity_err_o(bypass_err)
    );

    for (genvar q = 0; q < PV; q++) begin : g_shown
      assign req_age_o[q*AGE_W +: AGE_W] = req_valid_o[q] ? age[q*AGE_W +: AGE_W] : '0;
    end
  end else begin : g_ages
    wire unused = &{1'b0, bypass};
    assign show = '1;
    assign req_age_o = '0;
    assign st_aged_o = '0;
    assign st_pinned_o = '0;
    assign st_pin_o = '0;
    assign st_bypass_o = '0;
    assign age_err = 1'b0;
    assign bypass_err = 1'b0;
  end

  // detector
  logic [PV-1:0] line_cong;  // outputs whose root lines are congested
  logic [PV-1:0] root;       // its head would make its output a root

  if (ONE) begin : g_detect
    detect_wait #(
        .PORTS(PORTS), .FW(FW), .PARITY(PARITY)
    ) u_detect (
        .clk_i, .rst_i,
        .hold_i      (hold),
        .detect_i    (detect),
        .any_i       (cold_any[0]),
        .pop_i       (cold_pop[0]),
        .fill_i      (cold_fill[FW-1:0]),
        .head_any_i  (head_any),
        .head_cnp_i  (head_cnp),
        .asks_i      (req_valid_o & ~req_hot_o),
        .served_i    (served & ~req_hot_o),
        .root_o      (root),
        .wait_o      (st_nfq_wait_o),
        .parity_err_o(detect_err)
    );
    assign cong_o = line_cong;
    assign fill_o = '0;
    logic unused;
    assign unused = &{1'b0, never, cpq_hth, cpq_lth, root, cold_gone};
  end else begin : g_detect
    logic [NQ*FW-1:0] left;  // a packet granted now does not count any more
    for (genvar q = 0; q < NQ; q++) begin : g_left
      assign left[q*FW +: FW] = cold_fill[q*FW +: FW] - FW'(cold_gone[q*7 +: 7]);
    end
    detect_fill #(
        .N (NQ),
        .FW(FW), .PARITY(PARITY)
    ) u_detect (
        .clk_i, .rst_i,
        .never_i     (never),
        .hth_i       (cpq_hth),
        .lth_i       (cpq_lth),
        .fill_i      (left),
        .cong_o,
        .parity_err_o(detect_err)
    );
    assign root = '0;
    if (SRP != 0) begin : g_data_fill  // of data lanes
      for (genvar q = 0; q < NQ; q++) begin : g_queue
        assign fill_o[q*16 +: 16] = 16'(cold_fill[q*FW +: FW]);
      end
    end else begin : g_data_fill
      assign fill_o = st_cpq_fill_o;
    end
    assign st_nfq_wait_o = '0;
    logic unused;
    assign unused = &{1'b0, detect, hold, line_cong};
  end

  // hot queues and CAM lines
  quell_pkg::tree_msg_t msg;

  if (ISOLATION != 0) begin : g_isolation
    isolation #(
        .PORTS(PORTS), .VLS(VLS), .BLOCKS(BLOCKS), .HPQS(HPQS), .LINES(LINES),
        .DLIST(DLIST), .TIMER_W(TIMER_W), .ONE_QUEUE(ONE_QUEUE), .CAP(CAP), .FW(FW), .PARITY(PARITY)
    ) u_isolation (
        .run_i         (ready_o),
        .up_i          (st_up_o),
        .iso_en_i      (iso_en),
        .root_hpq_i    (root_hpq),
        .hth_i         (hth),
        .lth_i         (lth),
        .stop_i        (stop),
        .go_i          (go),
        .line_timer_i  (line_timer),
        .refresh_i     (refresh),
        .switch_id_i   (switch_id),
        .req_valid_i   (req_valid_o),
        .req_cnp_i     (req_cnp_o),
        .req_hot_i     (req_hot_o),
        .req_hpq_i     (req_hpq),
        .served_i      (served),
        .release_i     (at_grant),
        .accept_i      (accept),
        .accept_q_i    (accept_q),
        .head_any_i    (head_any),
        .head_id_i     (head_id),
        .head_n_i      (head_n),
        .head_dlid_i   (head_dlid),
        .head_cnp_i    (head_cnp),
        .cold_fill_i   (cold_fill),
        .cold_pop_i    (cold_pop),
        .cold_start_i  (cold_start),
        .cold_out_i    (cold_out),
        .cong_i        (cong_o),
        .root_i        (root),
        .head_ack_i    (head_ack),
        .rd_ack_i      (rd_ack),
        .rd_hot_i      (rd_hot),
        .rd_hpq_i      (rd_hpq),
        .rd_release_i  (rd_release),
        .hot_start_i   (hot_start),
        .hot_n_i       (hot_n),
        .hot_ack_i     (hot_ack),
        .line_cong_o    (line_cong),
        .cold_match_o   (cold_match),
        .cold_bound_o   (cold_bound),
        .cold_line_o    (cold_line),
        .cold_stopped_o (cold_stopped),
        .move_o         (move),
        .move_from_o    (move_from),
        .move_q_o       (move_q),
        .move_hpq_o     (move_hpq),
        .move_n_o       (move_n),
        .hot_any_o      (hot_any),
        .hot_id_o       (hot_id),
        .hot_busy_o     (hot_busy),
        .hot_q_o        (hot_q),
        .hot_bound_o    (hot_bound),
        .hot_line_o     (hot_line),
        .hot_stopped_o  (hot_stopped),
        .hot_unlinked_o (hot_unlinked),
        .msg_o          (msg),
        .parity_err_o   (isolation_err),
        // ports of this unit
        .clk_i, .rst_i, .held_i, .held_line_i, .prop_valid_i, .prop_vl_i, .prop_line_i, .prop_hops_i, .prop_root_i,
        .ol_valid_i, .ol_stop_i,
        .can_alloc_o, .known_o, .room_o, .pend_o, .msg_dlist_o, .st_hpq_pkts_o, .st_hpq_fill_o, .st_line_state_o,
        .st_line_out_o, .st_line_vl_o, .st_line_queue_o, .st_line_hops_o, .st_line_root_o, .st_line_next_o,
        .st_line_linked_o, .st_line_ann_o, .st_line_sent_stop_o, .st_line_stop_req_o, .st_line_reached_o,
        .st_line_dirty_o, .st_line_timer_o, .st_line_dcnt_o, .st_line_dlist_o, .st_line_own_o, .st_cpq_tied_o, .st_cpq_tie_o,
        .st_hpq_tied_o, .st_hpq_tie_o, .st_line_cong_o, .st_cnt_nohpq_o, .st_cnt_noline_o
    );
    for (genvar q = 0; q < PV; q++) begin : g_head
      assign head_ack[q] = word[(ONE ? 0 : q)*WORD_W+DESC_W];
    end
    for (genvar h = 0; h < HPQS; h++) begin : g_hot
      quell_pkg::desc_t head;
      logic [OW-1:0]    out;
      logic             unused;  // a hot queue's output is its line's, CNPs stay cold
      assign {out, head} = desc[(NQ+h)*DESC_W +: DESC_W];
      assign hot_n[h*7 +: 7] = head.n;
      assign hot_dlid[h*16 +: 16] = head.dlid;
      assign hot_markable[h] = markable[NQ+h];
      assign hot_ack[h] = word[(NQ+h)*WORD_W+DESC_W];
      assign unused = &{1'b0, out, head.cnp};
    end
  end else begin : g_isolation
    isolation_none #(
        .PORTS(PORTS), .VLS(VLS), .BLOCKS(BLOCKS), .HPQS(HPQS),
        .LINES(LINES), .DLIST(DLIST), .TIMER_W(TIMER_W), .ONE_QUEUE(ONE_QUEUE)
    ) u_isolation (
        .line_cong_o    (line_cong),
        .cold_match_o   (cold_match),
        .cold_bound_o   (cold_bound),
        .cold_line_o    (cold_line),
        .cold_stopped_o (cold_stopped),
        .move_o         (move),
        .move_from_o    (move_from),
        .move_q_o       (move_q),
        .move_hpq_o     (move_hpq),
        .move_n_o       (move_n),
        .hot_any_o      (hot_any),
        .hot_id_o       (hot_id),
        .hot_busy_o     (hot_busy),
        .hot_q_o        (hot_q),
        .hot_bound_o    (hot_bound),
        .hot_line_o     (hot_line),
        .hot_stopped_o  (hot_stopped),
        .hot_unlinked_o (hot_unlinked),
        .msg_o          (msg),
        .parity_err_o   (isolation_err),
        .can_alloc_o, .known_o, .room_o, .pend_o, .msg_dlist_o, .st_hpq_pkts_o, .st_hpq_fill_o, .st_line_state_o,
        .st_line_out_o, .st_line_vl_o, .st_line_queue_o, .st_line_hops_o, .st_line_root_o, .st_line_next_o,
        .st_line_linked_o, .st_line_ann_o, .st_line_sent_stop_o, .st_line_stop_req_o, .st_line_reached_o,
        .st_line_dirty_o, .st_line_timer_o, .st_line_dcnt_o, .st_line_dlist_o, .st_line_own_o, .st_cpq_tied_o, .st_cpq_tie_o,
        .st_hpq_tied_o, .st_hpq_tie_o, .st_line_cong_o, .st_cnt_nohpq_o, .st_cnt_noline_o
    );
    assign hot_n = '0;
    assign hot_dlid = '0;
    assign hot_markable = '0;
    assign head_ack = '0;
    assign hot_ack = '0;
    logic unused;
    assign unused = &{1'b0, prop_valid_i, prop_vl_i, prop_line_i, prop_hops_i, prop_root_i,
                      ol_valid_i, ol_stop_i, iso_en, root_hpq, hth, lth, stop, go, line_timer, refresh, switch_id, held_i,
                      held_line_i, accept_q, cold_pop, cold_start, cold_out, hot_start, rd_hpq, rd_ack, req_hpq, root, accept_ack, head_ack};
  end
  assign {msg_valid_o, msg_type_o, msg_line_o, msg_vl_o, msg_root_o, msg_hops_o, msg_stop_o, msg_dcnt_o} = msg;

`ifdef QUELL_CHECK
`ifdef FORMAL
  input_shape_checker #(
      .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .NQ(NQ), .HPQS(HPQS), .LINES(LINES), .AW(AW),
      .CW       ($clog2(CAP + 1)),
      .OW(OW), .ONE_QUEUE(ONE_QUEUE), .ISOLATION(ISOLATION), .MARKERS(MARKERS), .RW(FW)
  ) u_shape (
      .clk_i, .rst_i
  );
`endif
  // What the checker of queues sees: not the FIFOs of the three highest lanes (SRP), which have a checker of their own.
  logic [VLS-1:0]   voqs;
  logic [PV*16-1:0] seen_pkts, seen_fill;
  logic [NQ-1:0]    seen_pop;
  for (genvar v = 0; v < VLS; v++) begin : g_voqs
    assign voqs[v] = v < D;
  end
  for (genvar q = 0; q < PV; q++) begin : g_seen
    assign seen_pkts[q*16 +: 16] = voqs[q%VLS] ? st_cpq_pkts_o[q*16 +: 16] : '0;
    assign seen_fill[q*16 +: 16] = voqs[q%VLS] ? st_cpq_fill_o[q*16 +: 16] : '0;
  end
  if (SRP != 0) begin : g_seen_pop
    assign seen_pop = NQ'(served & {PORTS{voqs}});
  end else begin : g_seen_pop
    assign seen_pop = cold_pop;
  end
  input_port_checker #(
      .PORTS(PORTS), .VLS(VLS), .BLOCKS(BLOCKS), .CAP(MOST), .HPQS(HPQS),
      .LINES(LINES), .DLIST(DLIST), .AW(AW), .TIMER_W(TIMER_W), .ONE_QUEUE(ONE_QUEUE), .READS(NE)
  ) u_checker (
      .clk_i, .rst_i,
      .cfg_we_i        (ready_o && cfg_we_i),
      .cfg_addr_i,
      .cfg_data_i      (cfg_data_i[15:0]),
      .store_i         (store),
      .store_block_i   (new_block),
      .read_i          (rd),
      .read_block_i    (rd_block),
      .used_i          (st_used_o),
      .release_i       (at_grant),
      .cnp_plain_i     (cnp_plain),
      .cpq_pkts_i      (seen_pkts),
      .cpq_fill_i      (seen_fill),
      .hpq_pkts_i      (st_hpq_pkts_o),
      .hpq_fill_i      (st_hpq_fill_o),
      .ready_i         (ready_o),
      .link_up_i,
      .abr_i           (st_abr_o),
      .fc_valid_i      (fc_valid_o),
      .head_any_i      (head_any),
      .head_cnp_i      (head_cnp),
      .grant_i, .held_i,
      .req_valid_i     (req_valid_o),
      .req_dlid_i      (req_dlid_o),
      .req_len_i       (req_len_o),
      .req_cnp_i       (req_cnp_o),
      .req_hot_i       (req_hot_o),
      .req_unlinked_i  (req_unlinked_o),
      .xb_act_i        (xb_act_o),
      .xb_end_i        (xb_end_o),
      .xb_valid_i      (xb_valid_o),
      .xb_first_i      (xb_first_o),
      .xb_last_i       (xb_last_o),
      .xb_bad_i        (xb_bad_o),
      .err_i           (err_o),
      .rd_en_i         (rd_en),
      .rx_open_i       (rx_open),
      .accept_i        (accept && voqs[accept_vl]),
      .accept_cnp_i    (accept_desc.cnp),
      .accept_n_i      (accept_desc.n),
      .accept_q_i      (accept_q),
      .accept_dlid_i   (accept_desc.dlid),
      .cold_pop_i      (seen_pop),
      .cold_dlid_i     (head_dlid[NQ*16-1:0]),
      .cold_match_i    (cold_match),
      .move_i          (move),
      .move_q_i        (move_q),
      .move_hpq_i      (move_hpq),
      .move_n_i        (move_n),
      .move_ack_i      (|(move_from & head_ack)),
      .hot_ack_i       (hot_ack),
      .served_i        (served & {PORTS{voqs}}),
      .req_hpq_i       (req_hpq),
      .cold_stopped_i  (ONE ? {PV{cold_stopped[0]}} : PV'(cold_stopped)),
      .hidden_i        (~show),
      .hot_stopped_i   (hot_stopped),
      .cnt_nohpq_i     (st_cnt_nohpq_o),
      .cnt_noline_i    (st_cnt_noline_o),
      .iso_en_i        (iso_en),
      .line_limit_i    (line_timer),
      .line_timer_i    (st_line_timer_o),
      .line_reached_i  (st_line_reached_o),
      .line_state_i    (st_line_state_o),
      .line_out_i      (st_line_out_o),
      .line_vl_i       (st_line_vl_o),
      .line_queue_i    (st_line_queue_o),
      .line_linked_i   (st_line_linked_o),
      .line_ann_i      (st_line_ann_o),
      .line_sent_stop_i(st_line_sent_stop_o),
      .line_stop_req_i (st_line_stop_req_o),
      .line_dirty_i    (st_line_dirty_o),
      .line_dcnt_i     (st_line_dcnt_o),
      .line_dlist_i    (st_line_dlist_o),
      .line_own_i      (st_line_own_o),
      .line_hops_i     (st_line_hops_o),
      .cong_i          (cong_o),
      .msg_valid_i     (msg_valid_o),
      .msg_type_i      (msg_type_o),
      .msg_line_i      (msg_line_o),
      .msg_stop_i      (msg_stop_o)
  );
  fill_checker #(
      .PORTS(PORTS), .VLS(VLS), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST), .MARKERS(MARKERS),
      .FOLLOWS((ONE_QUEUE == 0 && ISOLATION == 0) ? 1 : 0)
  ) u_fill_check (
      .clk_i, .rst_i, .level_i(fill_level), .naive_i(naive), .mb_en_i(mb_en), .mb_th_i(mb_th), .rx_data_i(rx_data_i),
      .accept_i(accept), .store_i(store), .accept_q_i(accept_q), .stored_i(store_data), .used_i(st_used_o), .cpq_pkts_i(st_cpq_pkts_o),
      .served_i(served), .xb_valid_i(xb_valid_o), .xb_first_i(xb_first_o), .xb_mark_i(xb_mark_o), .xb_data_i(xb_data_o),
      .enter_i(enter_o), .full_evt_i(full_evt_o), .waiting_i(st_waiting_o), .full_i(st_full_o), .armed_i(st_armed_o), .ncnt_i(st_ncnt_o)
  );
`ifndef YOSYS
  if (CIOQ != 0) begin : g_pace_check
    pace_checker #(.PORTS(PORTS)) u_pace_check (
        .clk_i(clk_i), .rst_i(rst_i), .accept_i(accept), .extend_i(extend), .open_i(rx_open), .rx_interval_i(rx_interval),
        .rd_interval_i(rd_interval), .xb_interval_i(xb_interval), .rd_en_i(rd_en_i), .rd_slow_i(rd_slow_i), .slow_i(st_slow_o),
        .underrun_i(underrun)
    );
  end
  if (SRP != 0) begin : g_srp_check
    srp_input_checker #(
        .PORTS(PORTS), .VLS(VLS), .FLIT_W(FLIT_W), .DATA_BLOCKS(DATA_BLOCKS), .SPEC_BLOCKS(SPEC_BLOCKS), .CTL_BLOCKS(CTL_BLOCKS)
    ) u_srp_check (
        .clk_i(clk_i), .rst_i(rst_i), .run_i(ready_o), .link_up_i(link_up_i), .rx_valid_i(rx_valid_i), .rx_first_i(rx_first_i),
        .rx_data_i(rx_data_i), .accept_i(accept), .accept_vl_i(accept_vl), .told_i(rx_err[quell_pkg::IE_BAD_CLASS]), .open_i(rx_open),
        .drop_en_i(drop_en), .ttw_i(ttw), .req_valid_i(req_valid_o), .req_dlid_i(req_dlid_o),
        .req_nack_i(req_nack_o), .served_i(served), .xb_valid_i(xb_valid_o), .xb_first_i(xb_first_o), .xb_last_i(xb_last_o),
        .xb_bad_i(xb_bad_o), .xb_data_i(xb_data_o), .used_i(st_used_o), .abr_i(st_abr_o), .fc_valid_i(fc_valid_o), .fc_vl_i(fc_vl_o),
        .fccl_i(fccl_o), .pkts_i(st_cpq_pkts_o), .fill_i(st_cpq_fill_o), .nack_i(st_spec_nack_o), .disc_act_i(st_disc_act_o),
        .disc_r_i(st_disc_r_o), .cnt_i(st_cnt_spec_drop_o)
    );
  end
  if (RANDOM_UP != 0) begin : g_up_check
    up_draw_checker #(.PORTS(PORTS), .VLS(VLS), .LFT_DEPTH(LFT_DEPTH), .FLIT_W(FLIT_W), .SRP(SRP)) u_up_check (
        .clk_i(clk_i), .rst_i(rst_i), .run_i(ready_o), .link_up_i(link_up_i), .rx_valid_i(rx_valid_i), .rx_first_i(rx_first_i),
        .rx_data_i(rx_data_i), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i), .cfg_data_i(cfg_data_i), .lft_we_i(lft_we_i),
        .lft_addr_i(lft_addr_i), .lft_port_i(lft_port_i), .route_i(route), .back_i(back), .accept_i(accept), .accept_out_i(accept_out),
        .accept_back_i(accept_back), .accept_vl_i(accept_vl), .told_i(rx_err[quell_pkg::IE_NO_ROUTE])
    );
  end
  if (CTL_VL != 0) begin : g_class_check
    class_checker #(.VLS(VLS), .FLIT_W(FLIT_W)) u_class_check (
        .clk_i(clk_i), .rst_i(rst_i), .run_i(ready_o), .link_up_i(link_up_i), .rx_valid_i(rx_valid_i), .rx_first_i(rx_first_i),
        .rx_data_i(rx_data_i), .accept_i(accept), .accept_vl_i(accept_vl), .extend_i(extend), .store_vl_i(store_vl),
        .told_i(rx_err[quell_pkg::IE_BAD_CLASS])
    );
  end
`endif
  age_checker #(.PORTS(PORTS), .VLS(VLS), .STAMP_W(STAMP_W)) u_age_check (
      .clk_i, .rst_i, .limit_i(bypass), .accept_i(accept), .accept_q_i(accept_q), .rx_open_i(rx_open),
      .cpq_pkts_i(st_cpq_pkts_o), .xb_act_i(xb_act_o), .xb_end_i(xb_end_o), .req_valid_i(req_valid_o), .req_age_i(req_age_o),
      .served_i(served), .aged_i(st_aged_o), .pinned_i(st_pinned_o), .pin_i(st_pin_o), .bypass_i(st_bypass_o)
  );
`else
  wire unused_check = &{1'b0, rd_block, move_q, move_hpq};
`endif
endmodule

`default_nettype wire
