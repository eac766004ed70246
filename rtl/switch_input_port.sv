// One input port of a switch: receiver, shared buffer with cold queues per output and VL and hot
// queues, forwarding table, CAM lines, credit return, a read engine per output.
// The contract is docs/input-port.md; rules B1-B3, F1, F2, R1, D1, D4, D5, E1-E9, A2.
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
    parameter int RX_TIMEOUT_RESET = 1024,
    parameter int PARITY = 0,
    localparam int PV = PORTS * VLS,
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
    output logic [PORTS-1:0]               xb_act_o,
    output logic [PORTS-1:0]               xb_end_o,
    output logic [PORTS-1:0]               xb_valid_o,
    output logic [PORTS-1:0]               xb_first_o,
    output logic [PORTS-1:0]               xb_last_o,
    output logic [PORTS-1:0]               xb_bad_o,
    output logic [PORTS*FLIT_W-1:0]        xb_data_o,
    output logic [PV-1:0]                  cong_o,
    output logic [PV*16-1:0]               fill_o,
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
    output logic [PV-1:0]                  st_cpq_tied_o,
    output logic [PV*8-1:0]                st_cpq_tie_o,
    output logic [HPQS-1:0]                st_hpq_tied_o,
    output logic [HPQS*8-1:0]              st_hpq_tie_o,
    output logic [PV-1:0]                  st_cpq_went_o,
    output logic [HPQS-1:0]                st_hpq_went_o,
    output logic [LINES-1:0]               st_line_cong_o,
    output logic [15:0]                    st_nfq_wait_o,
    output logic [15:0]                    st_cnt_drop_o,
    output logic [15:0]                    st_cnt_nohpq_o,
    output logic [15:0]                    st_cnt_noline_o
);
  localparam int CAP = BLOCKS / VLS;
  localparam bit ONE = ONE_QUEUE != 0;
  localparam int NQ = ONE ? 1 : PV;  // cold queues
  localparam int QW = (PV > 1) ? $clog2(PV) : 1;
  localparam int CQW = (NQ > 1) ? $clog2(NQ) : 1;
  localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int VW = (VLS > 1) ? $clog2(VLS) : 1;
  localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1;
  localparam int LW = (LINES > 1) ? $clog2(LINES) : 1;
  localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1;
  localparam int CW = $clog2(CAP + 1);
  // A fill is below CAP * MTU: at worst every block is the only flit of a cut packet.
  localparam int FW = (CAP * MTU > 0) ? $clog2(CAP * MTU + 1) : 1;
  localparam int TW = (FW > 16) ? FW : 16;  // fills beside thresholds

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
  if (BLOCKS % VLS != 0 || CAP < MTU || CAP > 2048) begin : g_bad_blocks
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

  // configuration
  logic               iso_en;
  logic               cold_first;
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
  logic [15:0]        set_err;
  logic [15:0]        rx_err;
  logic               fctbs_bad_vl;
  logic               underrun;
  logic               bad_grant;
  // of parity
  logic               config_err, route_err, framer_err, credit_err, pool_err, link_err, cold_err, cold_fill_err;
  logic               desc_err, request_err, stored_err, cong_err, wait_err, hot_err, hot_fill_err, lines_err;
  logic               ties_err;
  logic               unused_buffer_err;  // payload
  logic [PORTS-1:0]   engine_err;

  always_comb begin
    set_err = rx_err;
    if (fctbs_bad_vl) set_err[quell_pkg::IE_BAD_VL] = 1'b1;
    if (underrun) set_err[quell_pkg::IE_UNDERRUN] = 1'b1;
    if (bad_grant) set_err[quell_pkg::IE_BAD_GRANT] = 1'b1;
    set_err[quell_pkg::IE_PARITY] = |{config_err, route_err, framer_err, credit_err, pool_err, link_err, cold_err,
        cold_fill_err, desc_err, request_err, stored_err, cong_err, wait_err, hot_err, hot_fill_err, lines_err,
        ties_err, engine_err};
  end

  input_config #(
      .MTU    (MTU),
      .CAP    (CAP),
      .TIMER_W(TIMER_W),
      .RX_TIMEOUT_RESET(RX_TIMEOUT_RESET),
      .PARITY(PARITY)
  ) u_config (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .we_i         (ready_o && cfg_we_i),
      .re_i         (ready_o && cfg_re_i),
      .addr_i       (cfg_addr_i),
      .data_i       (cfg_data_i),
      .set_err_i    (set_err),
      .cnt_drop_i   (st_cnt_drop_o),
      .cnt_nohpq_i  (st_cnt_nohpq_o),
      .cnt_noline_i (st_cnt_noline_o),
      .iso_en_o     (iso_en),
      .cold_first_o (cold_first),
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
      .err_o        (err_o),
      .rvalid_o     (cfg_rvalid_o),
      .rdata_o      (cfg_rdata_o),
      .parity_err_o(config_err)
  );

  // receiver
  logic [7:0]        route;
  logic [VLS*12-1:0] used;
  logic [AW-1:0]     new_block;
  logic              accept;
  logic [OW-1:0]     accept_out;
  logic [VW-1:0]     accept_vl;
  logic [6:0]        accept_n;
  logic [15:0]       accept_dlid;
  logic              accept_cnp;
  logic [CQW-1:0]    accept_q;
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

`ifdef FORMAL
  // what is seen by lemmas of proofs only
  localparam int DESCS = BLOCKS * (OW + 24);
  logic [6:0]           open_n;
  logic [VW-1:0]        open_vl;
  logic [BLOCKS-1:0]    all_used;
  logic [BLOCKS*AW-1:0] all_links, all_cold, all_hot;
  logic [DESCS-1:0]     all_descs;
  logic [BLOCKS*7-1:0]  all_stored;
  logic [PORTS*22-1:0]  all_loads;
  logic [(NQ+HPQS)*DESCS-1:0] all_places;
`endif

  route_table #(
      .DEPTH(LFT_DEPTH),
      .PARITY(PARITY)
  ) u_routes (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .ready_o(ready_o),
      .we_i   (lft_we_i),
      .addr_i (lft_addr_i),
      .port_i (lft_port_i),
      .dlid_i (quell_pkg::wire16(rx_data_i[quell_pkg::DLID_LSB +: 16])),
      .route_o(route),
      .used_i(rx_head),
      .parity_err_o(route_err)
  );

  rx_framer #(
      .PORTS (PORTS),
      .VLS   (VLS),
      .MTU   (MTU),
      .CAP   (CAP),
      .AW    (AW),
      .FLIT_W(FLIT_W),
      .VL_BY_DEST(VL_BY_DEST),
      .PARITY(PARITY)
  ) u_framer (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .run_i        (ready_o),
      .link_up_i    (link_up_i),
      .rx_valid_i   (rx_valid_i),
      .rx_first_i   (rx_first_i),
      .rx_last_i    (rx_last_i),
      .rx_bad_i     (rx_bad_i),
      .rx_data_i    (rx_data_i),
      .route_i      (route),
      .head_o       (rx_head),
      .used_i       (used),
      .timeout_i    (rx_timeout),
      .interval_i   (rx_interval),
      .block_i      (new_block),
      .up_o         (st_up_o),
      .accept_o     (accept),
      .accept_out_o (accept_out),
      .accept_vl_o  (accept_vl),
      .accept_n_o   (accept_n),
      .accept_dlid_o(accept_dlid),
      .accept_cnp_o (accept_cnp),
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
`ifdef FORMAL
      .open_n_o     (open_n),
      .open_vl_o    (open_vl),
`endif
      .open_start_o (open_start),
      .state_o      (st_rx_state_o),
      .cnt_drop_o   (st_cnt_drop_o),
      .parity_err_o(framer_err)
  );
  assign store = accept || extend;
  assign accept_q = ONE ? '0 : CQW'(accept_out) * CQW'(VLS) + CQW'(accept_vl);
  assign st_rx_count_o = rx_open ? open_a : '0;

  // reads of the engines
  logic [PORTS-1:0]    rd;
  logic [PORTS-1:0]    rd_follow;
  logic [PORTS*AW-1:0] rd_block;
  logic [PORTS*VW-1:0] rd_vl;
  logic [PORTS-1:0]    rd_hot;
  logic [PORTS*HW-1:0] rd_hpq;
  logic [PORTS*7-1:0]  rd_release;
  logic [PORTS*AW-1:0] rd_link;
  logic [PORTS-1:0]    rd_underrun;

  credit_receiver #(
      .VLS  (VLS),
      .CAP  (CAP),
      .READS(PORTS),
      .PARITY(PARITY)
  ) u_credit (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
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

  // With one queue only one engine reads at a time: its memories have one read port then.
  localparam int READS = ONE ? 1 : PORTS;
  logic [READS-1:0]    mem_rd;
  logic [READS-1:0]    mem_follow;  // the link read is where a packet goes on
  logic [READS*AW-1:0] mem_block;

  block_pool #(
      .BLOCKS(BLOCKS),
      .FREES (READS),
      .PARITY(PARITY)
  ) u_pool (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .take_i      (store),
      .block_o     (new_block),
`ifdef FORMAL
      .used_o      (all_used),
`endif
      .free_i      (mem_rd),
      .free_block_i(mem_block),
      .parity_err_o(pool_err)
  );

  // the shared buffer: data, and the link from a block to the next one of its packet
  logic [READS*FLIT_W-1:0] mem_data;
  logic [READS*AW-1:0]     mem_link;
  logic [PORTS*FLIT_W-1:0] buffer_data;

  ram_sync #(
      .DEPTH(BLOCKS),
      .WIDTH(FLIT_W),
      .READS(READS)
  ) u_buffer (
      .clk_i  (clk_i),
      .we_i   (store),
      .waddr_i(new_block),
      .wdata_i(store_data),
      .re_i   (mem_rd),
      .raddr_i(mem_block),
      .rdata_o(mem_data),
      .used_i(READS'(0)),
      .parity_err_o(unused_buffer_err)
  );

  ram_async #(
      .DEPTH(BLOCKS),
      .WIDTH(AW),
      .READS(READS),
      .PARITY(PARITY)
  ) u_links (
      .clk_i  (clk_i),
      .we_i   (extend),
      .waddr_i(open_tail),
      .wdata_i(new_block),
      .raddr_i(mem_block),
`ifdef FORMAL
      .mem_o  (all_links),
`endif
      .rdata_o(mem_link),
      .used_i(mem_follow),
      .parity_err_o(link_err)
  );

  if (ONE) begin : g_one_read
    always_comb begin
      mem_block = '0;
      for (int o = 0; o < PORTS; o++) if (rd[o]) mem_block = mem_block | rd_block[o*AW +: AW];
    end
    assign mem_rd = |rd;
    assign mem_follow = |rd_follow;
    assign buffer_data = {PORTS{mem_data}};
    assign rd_link = {PORTS{mem_link}};
  end else begin : g_many_reads
    assign mem_rd = rd;
    assign mem_follow = rd_follow;
    assign mem_block = rd_block;
    assign buffer_data = mem_data;
    assign rd_link = mem_link;
  end

  // cold queues
  logic [NQ-1:0]      cold_pop;
  logic [NQ-1:0]      cold_any;
  logic [NQ*AW-1:0]   cold_id;
  logic [NQ*CW-1:0]   cold_pkts;
  logic [NQ*FW-1:0]   cold_fill;
  logic [NQ*7-1:0]    cold_release;
  logic [NQ*7-1:0]    cold_n;
  logic [NQ*16-1:0]   cold_dlid;
  logic [NQ-1:0]      cold_cnp;
  logic [NQ*OW-1:0]   cold_out;
  logic               move;
  logic [QW-1:0]      move_q;
  logic [HW-1:0]      move_hpq;
  logic [6:0]         move_n;
  logic [PV-1:0]      move_from;
  // hot queues
  logic [HPQS-1:0]    hot_any;
  logic [HPQS*AW-1:0] hot_id;
  logic [HPQS*7-1:0]  hot_n;
  logic [HPQS*16-1:0] hot_dlid;
  logic [HPQS-1:0]    hot_busy;
  logic [NQ-1:0]      cold_went;
  logic [HPQS*QW-1:0] hot_q;
  logic [HPQS-1:0]    hot_stopped;
  // lines of the outputs that queues are bound to
  logic [NQ-1:0]      cold_start;
  logic [NQ-1:0]      cold_bound;
  logic [NQ*LW-1:0]   cold_line;
  logic [NQ-1:0]      cold_stopped;
  logic [HPQS-1:0]    hot_start;
  logic [HPQS-1:0]    hot_bound;
  logic [HPQS*LW-1:0] hot_line;
  logic [HPQS-1:0]    hot_unlinked;

  queue_lists #(
      .N     (NQ),
      .BLOCKS(BLOCKS),
      .CAP   (CAP),
      .PARITY(PARITY)
  ) u_cold (
      .clk_i    (clk_i),
      .rst_i    (rst_i),
      .push_i   (accept),
      .push_q_i (accept_q),
      .push_id_i(new_block),
      .pop_i    (cold_pop),
      .any_o    (cold_any),
      .head_o   (cold_id),
`ifdef FORMAL
      .link_o   (all_cold),
`endif
      .pkts_o   (cold_pkts),
      .parity_err_o(cold_err)
  );

  queue_fill #(
      .N (NQ),
      .FW(FW),
      .PARITY(PARITY)
  ) u_cold_fill (
      .clk_i    (clk_i),
      .rst_i    (rst_i),
      .add_i    (accept),
      .add_q_i  (accept_q),
      .add_n_i  (accept_n),
      .move_i   (move),
      .move_q_i (ONE ? CQW'(0) : CQW'(move_q)),
      .move_n_i (move_n),
      .release_i(cold_release),
      .fill_o   (cold_fill),
      .parity_err_o(cold_fill_err)
  );

  // descriptors of the packets at the heads
  localparam int HEADS = (ISOLATION != 0) ? NQ + HPQS : NQ;
  localparam int DESC_W = OW + 24;
  logic [HEADS-1:0]        desc_used;
  logic [HEADS*AW-1:0]     desc_addr;
  logic [HEADS*DESC_W-1:0] desc;

  ram_async #(
      .DEPTH(BLOCKS),
      .WIDTH(DESC_W),
      .READS(HEADS),
      .PARITY(PARITY)
  ) u_descriptors (
      .clk_i  (clk_i),
      .we_i   (accept),
      .waddr_i(new_block),
      .wdata_i({accept_out, accept_cnp, accept_n, accept_dlid}),
      .raddr_i(desc_addr),
`ifdef FORMAL
      .mem_o  (all_descs),
`endif
      .rdata_o(desc),
      .used_i(desc_used),
      .parity_err_o(desc_err)
  );
  assign desc_used[NQ-1:0] = cold_any;
  assign desc_addr[NQ*AW-1:0] = cold_id;
  for (genvar q = 0; q < NQ; q++) begin : g_cold_head
    assign {cold_out[q*OW +: OW], cold_cnp[q], cold_n[q*7 +: 7], cold_dlid[q*16 +: 16]}
        = desc[q*DESC_W +: DESC_W];
  end

  // requests
  logic [PORTS-1:0] eng_free;
  logic [PV-1:0]    served;
  logic [PV-1:0]    cold_match;
  logic [PV*AW-1:0] req_id;
  logic [PV-1:0]    req_open;
  logic [PV*HW-1:0] req_hpq;

  for (genvar o = 0; o < PORTS; o++) begin : g_free
    if (ONE) begin : g_one
      assign eng_free[o] = (xb_act_o & ~xb_end_o) == '0;
    end else begin : g_many
      assign eng_free[o] = !xb_act_o[o] || xb_end_o[o];
    end
  end

  request_select #(
      .PORTS    (PORTS),
      .VLS      (VLS),
      .HPQS     (HPQS),
      .LINES    (LINES),
      .AW       (AW),
      .ONE_QUEUE(ONE_QUEUE),
      .ISOLATION(ISOLATION),
      .PARITY(PARITY)
  ) u_requests (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .cold_first_i (cold_first),
      .eng_free_i   (eng_free),
      .served_i     (served),
      .open_i       (rx_open),
      .open_id_i    (open_id),
      .open_start_i (open_start),
      .cold_any_i   (cold_any),
      .cold_id_i    (cold_id),
      .cold_n_i     (cold_n),
      .cold_dlid_i  (cold_dlid),
      .cold_cnp_i   (cold_cnp),
      .cold_out_i   (cold_out),
      .cold_match_i (cold_match),
      .cold_bound_i (cold_bound),
      .cold_line_i  (cold_line),
      .cold_stopped_i(cold_stopped),
      .hot_any_i    (hot_any),
      .hot_id_i     (hot_id),
      .hot_n_i      (hot_n),
      .hot_dlid_i   (hot_dlid),
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

  // grants: of an output's VLs the lowest with a valid request is served, with one queue of all outputs
  if (ONE) begin : g_grant_one
    logic [PORTS-1:0] good;
    assign good = ((xb_act_o & ~rd_en_i) == '0) ? grant_i & req_valid_o : '0;
    assign served = good & (~good + 1'b1);
  end else begin : g_grants
    for (genvar o = 0; o < PORTS; o++) begin : g_output
      logic [VLS-1:0] good;
      assign good = grant_i[o*VLS +: VLS] & req_valid_o[o*VLS +: VLS]
          & {VLS{!xb_act_o[o] || rd_en_i[o]}};
      assign served[o*VLS +: VLS] = good & (~good + 1'b1);
    end
  end
  assign bad_grant = ready_o && |(grant_i & ~served);
  if (ONE) begin : g_pop_one
    assign cold_pop = |(served & ~req_hot_o) || move;
  end else begin : g_pop
    assign cold_pop = (served & ~req_hot_o) | move_from;
  end

  // Stored flits of packets that are no longer received; a packet of one flit needs no entry.
  logic [PORTS*AW-1:0] load_id;
  logic [PORTS*7-1:0]  load_stored;

  logic [READS*AW-1:0] stored_id;
  logic [READS*7-1:0]  stored_n;
  logic [PORTS-1:0]    load_used;    // the entry read is loaded
  logic [READS-1:0]    stored_used;

  ram_async #(
      .DEPTH(BLOCKS),
      .WIDTH(7),
      .READS(READS),
      .PARITY(PARITY)
  ) u_stored (
      .clk_i  (clk_i),
      .we_i   (closes),
      .waddr_i(open_id),
      .wdata_i(close_a),
      .raddr_i(stored_id),
`ifdef FORMAL
      .mem_o  (all_stored),
`endif
      .rdata_o(stored_n),
      .used_i(stored_used),
      .parity_err_o(stored_err)
  );

  if (ONE) begin : g_one_load
    always_comb begin
      stored_id = '0;
      for (int o = 0; o < PORTS; o++) if (served[o]) stored_id = stored_id | load_id[o*AW +: AW];
    end
    assign load_stored = {PORTS{stored_n}};
    assign stored_used = |load_used;
  end else begin : g_many_loads
    assign stored_id = load_id;
    assign load_stored = stored_n;
    assign stored_used = load_used;
  end

  // read engines
  for (genvar o = 0; o < PORTS; o++) begin : g_engine
    logic          load;
    logic [6:0]    load_n;
    logic          load_open;
    logic [VW-1:0] load_vl;
    logic          load_hot;
    logic [HW-1:0] load_hpq;
    logic [AW-1:0] id;

    assign load = |served[o*VLS +: VLS];
    always_comb begin
      id = req_id[o*VLS*AW +: AW];
      load_n = req_len_o[o*VLS*7 +: 7];
      load_open = req_open[o*VLS];
      load_vl = '0;
      load_hot = req_hot_o[o*VLS];
      load_hpq = req_hpq[o*VLS*HW +: HW];
      for (int v = 1; v < VLS; v++) begin
        if (served[o*VLS+v]) begin
          id = req_id[(o*VLS+v)*AW +: AW];
          load_n = req_len_o[(o*VLS+v)*7 +: 7];
          load_open = req_open[o*VLS+v];
          load_vl = VW'(v);
          load_hot = req_hot_o[o*VLS+v];
          load_hpq = req_hpq[(o*VLS+v)*HW +: HW];
        end
      end
    end
    assign load_id[o*AW +: AW] = id;
    assign load_used[o] = load && !load_open && load_n != 7'd1;

    read_engine #(
        .AW(AW),
        .VW(VW),
        .HW(HW),
        .PARITY(PARITY)
    ) u_engine (
        .clk_i         (clk_i),
        .rst_i         (rst_i),
        .rd_en_i       (rd_en_i[o]),
        .load_i        (load),
        .load_id_i     (id),
        .load_n_i      (load_n),
        .load_open_i   (load_open),
        .load_a_i      ((load_n == 7'd1) ? 7'd1 : load_stored[o*7 +: 7]),
        .load_vl_i     (load_vl),
        .load_hot_i    (load_hot),
        .load_hpq_i    (load_hpq),
        .open_a_i      (open_a),
        .extend_i      (extend),
        .extend_block_i(new_block),
        .close_i       (closes),
        .close_a_i     (close_a),
        .block_o       (rd_block[o*AW +: AW]),
        .link_i        (rd_link[o*AW +: AW]),
        .read_o        (rd[o]),
        .follow_o      (rd_follow[o]),
        .underrun_o    (rd_underrun[o]),
        .release_o     (rd_release[o*7 +: 7]),
        .vl_o          (rd_vl[o*VW +: VW]),
        .hot_o         (rd_hot[o]),
        .hpq_o         (rd_hpq[o*HW +: HW]),
        .act_o         (xb_act_o[o]),
`ifdef FORMAL
        .load_o        (all_loads[o*22 +: 22]),
`endif
        .end_o         (xb_end_o[o]),
        .xb_valid_o    (xb_valid_o[o]),
        .xb_first_o    (xb_first_o[o]),
        .xb_last_o     (xb_last_o[o]),
        .xb_bad_o      (xb_bad_o[o]),
        .parity_err_o(engine_err[o])
    );
    assign xb_data_o[o*FLIT_W +: FLIT_W] = (xb_valid_o[o] && !xb_bad_o[o])
        ? buffer_data[o*FLIT_W +: FLIT_W] : '0;
  end
  assign underrun = |rd_underrun;

  // what the engines release of the cold queues
  if (ONE) begin : g_release_one
    always_comb begin
      cold_release = '0;
      for (int o = 0; o < PORTS; o++)
        if (!rd_hot[o]) cold_release = cold_release | rd_release[o*7 +: 7];
    end
  end else begin : g_release
    for (genvar q = 0; q < NQ; q++) begin : g_queue
      localparam int O = q / VLS;
      assign cold_release[q*7 +: 7] = (!rd_hot[O] && rd_vl[O*VW +: VW] == VW'(q % VLS))
          ? rd_release[O*7 +: 7] : '0;
    end
  end

  logic [PV-1:0]    line_cong_out;  // outputs whose root lines are congested

  // How long the head of the one queue has asked in vain; what lines see of the cold queues.
  logic [15:0]      wait_cycles;
  logic [PV-1:0]    see_any;
  logic [PV*7-1:0]  see_n;
  logic [PV*16-1:0] see_dlid;
  logic [PV-1:0]    see_cnp;
  logic [PV*FW-1:0] see_fill;
  logic [PV-1:0]    see_detect;  // its head would make its output a root

  if (ONE) begin : g_head
    logic [15:0]   wait_q, wait_d;
    logic [PV-1:0] asks;  // requests of the queue's head
    assign asks = req_valid_o & ~req_hot_o;
    always_comb begin
      wait_d = wait_q;
      if (rst_i || cold_pop[0] || !cold_any[0]) wait_d = '0;
      else if (asks != '0 && wait_q != '1) wait_d = wait_q + 16'd1;
    end

    always_ff @(posedge clk_i) wait_q <= wait_d;

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i(clk_i),
        .next_i(^wait_d),
        .now_i(^wait_q),
        .err_o(wait_err)
    );

    assign wait_cycles = wait_q;
    for (genvar o = 0; o < PORTS; o++) begin : g_output
      assign see_any[o] = cold_any[0] && cold_out[OW-1:0] == OW'(o);
      assign see_n[o*7 +: 7] = cold_n[6:0];
      assign see_dlid[o*16 +: 16] = cold_dlid[15:0];
      assign see_cnp[o] = cold_cnp[0];
      assign see_fill[o*FW +: FW] = '0;
      assign see_detect[o] = see_any[o] && !cold_cnp[0] && !(served[o] && !req_hot_o[o])
          && wait_q >= hold && TW'(cold_fill[FW-1:0]) > TW'(detect);
    end
  end else begin : g_heads
    assign wait_cycles = '0;
    assign wait_err = 1'b0;
    assign see_any = cold_any;
    assign see_n = cold_n;
    assign see_dlid = cold_dlid;
    assign see_cnp = cold_cnp;
    assign see_fill = cold_fill;
    assign see_detect = '0;
    logic unused;
    assign unused = &{1'b0, detect, hold, cold_out, line_cong_out};
  end
  assign st_nfq_wait_o = wait_cycles;

  // congestion
  if (ONE) begin : g_cong_one
    assign cong_o = line_cong_out;
    assign fill_o = '0;
    assign cong_err = 1'b0;
    logic unused;
    assign unused = &{1'b0, never, cpq_hth, cpq_lth, cold_fill, move_q};
    assign st_cpq_pkts_o = (PV * 16)'(cold_pkts);
    assign st_cpq_fill_o = (PV * 16)'(16'(cold_fill[FW-1:0]));
  end else begin : g_cong
    congestion #(
        .N (NQ),
        .FW(FW),
        .PARITY(PARITY)
    ) u_congestion (
        .clk_i  (clk_i),
        .rst_i  (rst_i),
        .never_i(never),
        .hth_i  (cpq_hth),
        .lth_i  (cpq_lth),
        .fill_i (cold_fill),
        .cong_o (cong_o),
        .parity_err_o(cong_err)
    );
    for (genvar q = 0; q < NQ; q++) begin : g_state
      assign st_cpq_pkts_o[q*16 +: 16] = 16'(cold_pkts[q*CW +: CW]);
      assign st_cpq_fill_o[q*16 +: 16] = 16'(cold_fill[q*FW +: FW]);
    end
    assign fill_o = st_cpq_fill_o;
  end
  for (genvar v = 0; v < VLS; v++) begin : g_used
    assign st_used_o[v*16 +: 16] = 16'(used[v*12 +: 12]);
  end

  // hot queues and CAM lines
  if (ISOLATION != 0) begin : g_isolation
    logic [HPQS-1:0]    hot_pop;
    logic [HPQS*CW-1:0] hot_pkts;
    logic [HPQS*FW-1:0] hot_fill;
    logic [HPQS*7-1:0]  hot_release;
    logic [AW-1:0]      move_id;
    logic [HPQS*(OW+1)-1:0] unused_hot;  // a hot queue's output is its line's, CNPs stay cold
    logic [HPQS*OW-1:0] hot_out;
    logic [HPQS-1:0]    hot_linked;
    logic [HPQS*LW-1:0] hot_next;
    logic [HPQS*LW-1:0] hot_tie;
    logic [PORTS*LINES-1:0] ol_valid;
    logic [PORTS*LINES-1:0] ol_stop;

    always_comb begin
      move_id = '0;
      for (int q = 0; q < PV; q++) if (move_from[q]) move_id = move_id | cold_id[(ONE ? 0 : q)*AW +: AW];
    end
    for (genvar h = 0; h < HPQS; h++) begin : g_hot
      logic [PV-1:0] taken;
      logic [6:0]    rel;
      for (genvar q = 0; q < PV; q++) begin : g_taken
        assign taken[q] = served[q] && req_hot_o[q] && req_hpq[q*HW +: HW] == HW'(h);
      end
      assign hot_pop[h] = |taken;
      // Only one engine reads from a hot queue: its line has one output.
      always_comb begin
        rel = '0;
        for (int o = 0; o < PORTS; o++)
          if (rd_hot[o] && rd_hpq[o*HW +: HW] == HW'(h)) rel = rel | rd_release[o*7 +: 7];
      end
      assign hot_release[h*7 +: 7] = rel;
      assign {unused_hot[h*(OW+1) +: OW+1], hot_n[h*7 +: 7], hot_dlid[h*16 +: 16]}
          = desc[(NQ+h)*DESC_W +: DESC_W];
      assign st_hpq_pkts_o[h*16 +: 16] = 16'(hot_pkts[h*CW +: CW]);
      assign st_hpq_fill_o[h*16 +: 16] = 16'(hot_fill[h*FW +: FW]);
    end
    assign desc_used[HEADS-1 -: HPQS] = hot_any;
    assign desc_addr[HEADS*AW-1 -: HPQS*AW] = hot_id;

    queue_lists #(
        .N     (HPQS),
        .BLOCKS(BLOCKS),
        .CAP   (CAP),
        .PARITY(PARITY)
    ) u_hot (
        .clk_i    (clk_i),
        .rst_i    (rst_i),
        .push_i   (move),
        .push_q_i (move_hpq),
        .push_id_i(move_id),
        .pop_i    (hot_pop),
        .any_o    (hot_any),
        .head_o   (hot_id),
`ifdef FORMAL
      .link_o   (all_hot),
`endif
        .pkts_o   (hot_pkts),
        .parity_err_o(hot_err)
    );

    queue_fill #(
        .N (HPQS),
        .FW(FW),
        .PARITY(PARITY)
    ) u_hot_fill (
        .clk_i    (clk_i),
        .rst_i    (rst_i),
        .add_i    (move),
        .add_q_i  (move_hpq),
        .add_n_i  (move_n),
        .move_i   (1'b0),
        .move_q_i (HW'(0)),
        .move_n_i (7'd0),
        .release_i(hot_release),
        .fill_o   (hot_fill),
        .parity_err_o(hot_fill_err)
    );

    cam_lines #(
        .PORTS  (PORTS),
        .VLS    (VLS),
        .HPQS   (HPQS),
        .LINES  (LINES),
        .DLIST  (DLIST),
        .TIMER_W(TIMER_W),
        .FW     (FW),
        .ONE_QUEUE(ONE_QUEUE),
        .PARITY(PARITY)
    ) u_lines (
        .clk_i         (clk_i),
        .rst_i         (rst_i),
        .run_i         (ready_o),
        .up_i          (st_up_o),
        .iso_en_i      (iso_en),
        .hth_i         (hth),
        .lth_i         (lth),
        .stop_i        (stop),
        .go_i          (go),
        .line_timer_i  (line_timer),
        .refresh_i     (refresh),
        .switch_id_i   (switch_id),
        .prop_valid_i  (prop_valid_i),
        .prop_vl_i     (prop_vl_i),
        .prop_line_i   (prop_line_i),
        .prop_hops_i   (prop_hops_i),
        .prop_root_i   (prop_root_i),
        .ol_valid_i    (ol_valid_i),
        .ol_stop_i     (ol_stop_i),
        .req_valid_i   (req_valid_o),
        .req_cnp_i     (req_cnp_o),
        .req_hot_i     (req_hot_o),
        .req_hpq_i     (req_hpq),
        .served_i      (served),
        .cold_any_i    (see_any),
        .cold_n_i      (see_n),
        .cold_dlid_i   (see_dlid),
        .cold_cnp_i    (see_cnp),
        .cold_fill_i   (see_fill),
        .cong_i        (cong_o),
        .detect_i      (see_detect),
        .leaves_i      (ONE && cold_pop[0]),
        .accept_i      (accept),
        .accept_q_i    (QW'(accept_q)),
        .hot_any_i     (hot_any),
        .hot_fill_i    (hot_fill),
        .hpq_busy_o    (hot_busy),
        .hpq_q_o       (hot_q),
        .hpq_out_o     (hot_out),
        .hpq_linked_o  (hot_linked),
        .hpq_next_o    (hot_next),
        .hpq_unlinked_o(hot_unlinked),
        .cold_match_o  (cold_match),
        .move_o        (move),
        .move_from_o   (move_from),
        .move_q_o      (move_q),
        .move_hpq_o    (move_hpq),
        .move_n_o      (move_n),
        .ol_valid_o    (ol_valid),
        .ol_stop_o     (ol_stop),
        .can_alloc_o   (can_alloc_o),
        .known_o       (known_o),
        .room_o        (room_o),
        .msg_o         ({msg_valid_o, msg_type_o, msg_line_o, msg_vl_o, msg_root_o, msg_hops_o, msg_stop_o,
                         msg_dcnt_o}),
        .msg_dlist_o   (msg_dlist_o),
        .line_cong_out_o(line_cong_out),
        .state_o       (st_line_state_o),
        .out_o         (st_line_out_o),
        .vl_o          (st_line_vl_o),
        .queue_o       (st_line_queue_o),
        .hops_o        (st_line_hops_o),
        .root_o        (st_line_root_o),
        .next_o        (st_line_next_o),
        .linked_o      (st_line_linked_o),
        .ann_o         (st_line_ann_o),
        .sent_stop_o   (st_line_sent_stop_o),
        .stop_req_o    (st_line_stop_req_o),
        .reached_o     (st_line_reached_o),
        .dirty_o       (st_line_dirty_o),
        .timer_o       (st_line_timer_o),
        .dcnt_o        (st_line_dcnt_o),
        .dlist_o       (st_line_dlist_o),
        .line_cong_o   (st_line_cong_o),
        .cnt_nohpq_o   (st_cnt_nohpq_o),
        .cnt_noline_o  (st_cnt_noline_o),
        .parity_err_o(lines_err)
    );

    queue_ties #(
        .PORTS    (PORTS),
        .VLS      (VLS),
        .HPQS     (HPQS),
        .LINES    (LINES),
        .ONE_QUEUE(ONE_QUEUE),
        .PARITY(PARITY)
    ) u_ties (
        .clk_i         (clk_i),
        .rst_i         (rst_i),
        .req_valid_i   (req_valid_o),
        .req_hot_i     (req_hot_o),
        .req_hpq_i     (req_hpq),
        .served_i      (served),
        .held_i        (held_i),
        .held_line_i   (held_line_i),
        .ol_valid_i    (ol_valid),
        .ol_stop_i     (ol_stop),
        .can_alloc_i   (can_alloc_o),
        .cold_pop_i    (cold_pop),
        .cold_start_i  (cold_start),
        .cold_out_i    (cold_out),
        .cold_match_i  (cold_match),
        .hot_pop_i     (hot_pop),
        .hot_start_i   (hot_start),
        .hot_out_i     (hot_out),
        .hot_linked_i  (hot_linked),
        .hot_next_i    (hot_next),
        .cold_bound_o  (cold_bound),
        .cold_line_o   (cold_line),
        .cold_stopped_o(cold_stopped),
        .hot_bound_o   (hot_bound),
        .hot_line_o    (hot_line),
        .hot_stopped_o (hot_stopped),
        .pend_o        (pend_o),
        .hot_tied_o    (st_hpq_tied_o),
        .hot_tie_o     (hot_tie),
        .parity_err_o(ties_err)
    );
    for (genvar h = 0; h < HPQS; h++) begin : g_hot_tie
      assign st_hpq_tie_o[h*8 +: 8] = 8'(hot_tie[h*LW +: LW]);
    end
    assign st_cpq_tied_o = PV'(cold_bound);
    always_comb begin
      st_cpq_tie_o = '0;
      for (int q = 0; q < NQ; q++) st_cpq_tie_o[q*8 +: 8] = 8'(cold_line[q*LW +: LW]);
    end
  end else begin : g_plain
    logic unused;
    assign unused = &{1'b0, prop_valid_i, prop_vl_i, prop_line_i, prop_hops_i, prop_root_i,
                      ol_valid_i, ol_stop_i, iso_en, hth, lth, stop, go, line_timer, refresh, switch_id,
                      see_any, see_n, see_dlid, see_cnp, see_fill, see_detect,
                      req_hpq, rd_hot, rd_hpq, move_from, move_q, move_hpq, held_i, held_line_i, cold_start,
                      hot_start};
`ifdef FORMAL
    assign all_hot = '0;
`endif
    assign hot_err = 1'b0;
    assign hot_fill_err = 1'b0;
    assign lines_err = 1'b0;
    assign ties_err = 1'b0;
    assign cold_bound = '0;
    assign cold_line = '0;
    assign cold_stopped = '0;
    assign hot_bound = '0;
    assign hot_line = '0;
    assign hot_any = '0;
    assign hot_id = '0;
    assign hot_n = '0;
    assign hot_dlid = '0;
    assign hot_busy = '0;
    assign hot_q = '0;
    assign hot_stopped = '0;
    assign hot_unlinked = '0;
    assign cold_match = '0;
    assign move = 1'b0;
    assign move_q = '0;
    assign move_hpq = '0;
    assign move_n = '0;
    assign move_from = '0;
    assign can_alloc_o = 1'b0;
    assign known_o = '0;
    assign room_o = '0;
    assign pend_o = '0;
    assign st_cpq_tied_o = '0;
    assign st_cpq_tie_o = '0;
    assign st_hpq_tied_o = '0;
    assign st_hpq_tie_o = '0;
    assign msg_valid_o = 1'b0;
    assign msg_type_o = '0;
    assign msg_line_o = '0;
    assign msg_vl_o = '0;
    assign msg_root_o = '0;
    assign msg_hops_o = '0;
    assign msg_stop_o = 1'b0;
    assign msg_dcnt_o = '0;
    assign msg_dlist_o = '0;
    assign st_hpq_pkts_o = '0;
    assign st_hpq_fill_o = '0;
    assign st_line_state_o = '0;
    assign st_line_out_o = '0;
    assign st_line_vl_o = '0;
    assign st_line_queue_o = '0;
    assign st_line_hops_o = '0;
    assign st_line_root_o = '0;
    assign st_line_next_o = '0;
    assign st_line_linked_o = '0;
    assign st_line_ann_o = '0;
    assign st_line_sent_stop_o = '0;
    assign st_line_stop_req_o = '0;
    assign st_line_reached_o = '0;
    assign st_line_dirty_o = '0;
    assign st_line_timer_o = '0;
    assign st_line_dcnt_o = '0;
    assign st_line_dlist_o = '0;
    assign st_line_cong_o = '0;
    assign line_cong_out = '0;
    assign st_cnt_nohpq_o = '0;
    assign st_cnt_noline_o = '0;
  end

`ifdef QUELL_CHECK
`ifdef FORMAL
  input_shape_checker #(
      .PORTS    (PORTS),
      .VLS      (VLS),
      .MTU      (MTU),
      .BLOCKS   (BLOCKS),
      .NQ       (NQ),
      .HPQS     (HPQS),
      .LINES    (LINES),
      .AW       (AW),
      .CW       (CW),
      .OW       (OW),
      .ONE_QUEUE(ONE_QUEUE)
  ) u_shape (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .used_i      (all_used),
      .used_count_i(st_used_o),
      .cold_head_i (cold_id),
      .hot_head_i  (hot_id),
      .cold_pkts_i (cold_pkts),
      .hot_pkts_i  (st_hpq_pkts_o),
      .cold_fill_i (st_cpq_fill_o),
      .hot_fill_i  (st_hpq_fill_o),
      .cold_link_i (all_cold),
      .hot_link_i  (all_hot),
      .desc_i      (all_descs),
      .stored_i    (all_stored),
      .link_i      (all_links),
      .open_i      (rx_open),
      .open_id_i   (open_id),
      .open_tail_i (open_tail),
      .open_a_i    (open_a),
      .open_n_i    (open_n),
      .open_vl_i   (open_vl),
      .act_i       (xb_act_o),
      .load_i      (all_loads),
      .block_i     (rd_block),
      .vl_i        (rd_vl),
      .hot_i       (rd_hot),
      .hpq_i       (rd_hpq),
      .line_state_i(st_line_state_o),
      .line_out_i  (st_line_out_o),
      .line_queue_i(st_line_queue_o),
      .place_o     (all_places)
  );
`endif
  input_port_checker #(
      .PORTS (PORTS),
      .VLS   (VLS),
      .BLOCKS(BLOCKS),
      .CAP   (CAP),
      .HPQS  (HPQS),
      .LINES (LINES),
      .DLIST (DLIST),
      .AW    (AW),
      .TIMER_W(TIMER_W),
      .ONE_QUEUE(ONE_QUEUE)
  ) u_checker (
      .clk_i           (clk_i),
      .rst_i           (rst_i),
      .cfg_we_i        (ready_o && cfg_we_i),
      .cfg_addr_i      (cfg_addr_i),
      .cfg_data_i      (cfg_data_i[15:0]),
      .store_i         (store),
      .store_block_i   (new_block),
      .read_i          (rd),
      .read_block_i    (rd_block),
      .used_i          (st_used_o),
      .cpq_pkts_i      (st_cpq_pkts_o),
      .cpq_fill_i      (st_cpq_fill_o),
      .hpq_pkts_i      (st_hpq_pkts_o),
      .hpq_fill_i      (st_hpq_fill_o),
      .ready_i         (ready_o),
      .link_up_i       (link_up_i),
      .abr_i           (st_abr_o),
      .fc_valid_i      (fc_valid_o),
      .head_any_i      (see_any),
      .head_cnp_i      (see_cnp),
      .grant_i         (grant_i),
      .held_i          (held_i),
      .req_valid_i     (req_valid_o),
      .req_dlid_i      (req_dlid_o),
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
      .rd_en_i         (rd_en_i),
      .rx_open_i       (rx_open),
      .accept_i        (accept),
      .accept_cnp_i    (accept_cnp),
      .accept_q_i      (QW'(accept_out) * QW'(VLS) + QW'(accept_vl)),
      .accept_dlid_i   (accept_dlid),
      .cold_pop_i      (cold_pop),
      .cold_dlid_i     (cold_dlid),
      .cold_match_i    (cold_match),
      .move_i          (move),
      .move_q_i        (move_q),
      .move_hpq_i      (move_hpq),
      .served_i        (served),
      .req_hpq_i       (req_hpq),
      .cold_stopped_i  (ONE ? {PV{cold_stopped[0]}} : PV'(cold_stopped)),
      .hot_stopped_i   (hot_stopped),
      .cnt_nohpq_i     (st_cnt_nohpq_o),
      .cnt_noline_i    (st_cnt_noline_o),
`ifdef FORMAL
      .used_blocks_i   (all_used),
      .place_i         (all_places),
`endif
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
      .msg_valid_i     (msg_valid_o),
      .msg_type_i      (msg_type_o),
      .msg_line_i      (msg_line_o),
      .msg_stop_i      (msg_stop_o)
  );
`endif
endmodule

`default_nettype wire
