// Isolation of congested flows in an input port: hot queues, CAM lines with their moves and messages, and the
// lines that queues are bound to. isolation_none is a port without it. Rules E1-E9, D1, A3.
`default_nettype none

module isolation #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int BLOCKS = 2048,
    parameter int CAP = 2048,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int TIMER_W = 32,
    parameter int FW = 17,
    parameter int ONE_QUEUE = 0,
    parameter int PARITY = 0,
    localparam int PV = PORTS * VLS,
    localparam int NQ = (ONE_QUEUE != 0) ? 1 : PV,
    localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1,
    localparam int QW = (PV > 1) ? $clog2(PV) : 1,
    localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1,
    localparam int LW = (LINES > 1) ? $clog2(LINES) : 1,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1,
    localparam int CW = $clog2(CAP + 1)
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_i,
    input  wire logic                      run_i,
    input  wire logic                      up_i,         // upstream can be told
    input  wire logic                      iso_en_i,
    input  wire logic                      root_hpq_i,   // a root takes a hot queue
    input  wire logic [15:0]               hth_i,
    input  wire logic [15:0]               lth_i,
    input  wire logic [15:0]               stop_i,
    input  wire logic [15:0]               go_i,
    input  wire logic [TIMER_W-1:0]        line_timer_i,
    input  wire logic [15:0]               refresh_i,
    input  wire logic [15:0]               switch_id_i,
    // from the outputs
    input  wire logic [PV-1:0]             held_i,
    input  wire logic [PV*8-1:0]           held_line_i,
    input  wire logic [PORTS-1:0]          prop_valid_i,
    input  wire logic [PORTS*8-1:0]        prop_vl_i,
    input  wire logic [PORTS*8-1:0]        prop_line_i,
    input  wire logic [PORTS*6-1:0]        prop_hops_i,
    input  wire logic [PORTS*24-1:0]       prop_root_i,
    input  wire logic [PORTS*LINES-1:0]    ol_valid_i,
    input  wire logic [PORTS*LINES-1:0]    ol_stop_i,
    // requests, and those that are granted
    input  wire logic [PV-1:0]             req_valid_i,
    input  wire logic [PV-1:0]             req_cnp_i,
    input  wire logic [PV-1:0]             req_hot_i,
    input  wire logic [PV*HW-1:0]          req_hpq_i,
    input  wire logic [PV-1:0]             served_i,
    input  wire logic                      release_i,    // a packet's charge leaves at its grant
    // cold queues, their heads by output and VL
    input  wire logic                      accept_i,
    input  wire logic [QW-1:0]             accept_q_i,   // output and VL
    input  wire logic [PV-1:0]             head_any_i,
    input  wire logic [PV*AW-1:0]          head_id_i,
    input  wire logic [PV*7-1:0]           head_n_i,
    input  wire logic [PV*16-1:0]          head_dlid_i,
    input  wire logic [PV-1:0]             head_cnp_i,
    input  wire logic [PV-1:0]             head_ack_i,
    input  wire logic [NQ*FW-1:0]          cold_fill_i,
    input  wire logic [NQ-1:0]             cold_pop_i,
    input  wire logic [NQ-1:0]             cold_start_i,
    input  wire logic [NQ*OW-1:0]          cold_out_i,
    // detector
    input  wire logic [PV-1:0]             cong_i,
    input  wire logic [PV-1:0]             root_i,       // ONE_QUEUE: the head makes its output a root
    output logic [PV-1:0]                  line_cong_o,  // ONE_QUEUE: outputs with a congested root line
    // what engines release of hot queues
    input  wire logic [PORTS-1:0]          rd_ack_i,
    input  wire logic [PORTS-1:0]          rd_hot_i,
    input  wire logic [PORTS*HW-1:0]       rd_hpq_i,
    input  wire logic [PORTS*7-1:0]        rd_release_i,
    // which cold heads belong to a line, may be held back, and move
    output logic [PV-1:0]                  cold_match_o,
    output logic [NQ-1:0]                  cold_bound_o,
    output logic [NQ*LW-1:0]               cold_line_o,
    output logic [NQ-1:0]                  cold_stopped_o,
    output logic                           move_o,
    output logic [PV-1:0]                  move_from_o,  // one-hot
    output logic [QW-1:0]                  move_q_o,
    output logic [HW-1:0]                  move_hpq_o,
    output logic [6:0]                     move_n_o,
    // hot queues
    input  wire logic [HPQS-1:0]           hot_start_i,
    input  wire logic [HPQS*7-1:0]         hot_n_i,
    input  wire logic [HPQS-1:0]           hot_ack_i,
    output logic [HPQS-1:0]                hot_any_o,
    output logic [HPQS*AW-1:0]             hot_id_o,
    output logic [HPQS-1:0]                hot_busy_o,
    output logic [HPQS*QW-1:0]             hot_q_o,
    output logic [HPQS-1:0]                hot_bound_o,
    output logic [HPQS*LW-1:0]             hot_line_o,
    output logic [HPQS-1:0]                hot_stopped_o,
    output logic [HPQS-1:0]                hot_unlinked_o,
    // to the outputs
    output logic                           can_alloc_o,
    output logic [PORTS*LINES-1:0]         known_o,
    output logic [PORTS*LINES-1:0]         room_o,
    output logic [PORTS*LINES-1:0]         pend_o,
    // upstream
    output quell_pkg::tree_msg_t           msg_o,
    output logic [DLIST*16-1:0]            msg_dlist_o,
    // state
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
    output logic [LINES-1:0]               st_line_cong_o,
    output logic [15:0]                    st_cnt_nohpq_o,
    output logic [15:0]                    st_cnt_noline_o,
    output logic                           parity_err_o
);
  logic [HPQS-1:0]        hot_pop;
  logic [HPQS*CW-1:0]     hot_pkts;
  logic [HPQS*FW-1:0]     hot_fill;
  logic [HPQS*7-1:0]      hot_release;
  logic [HPQS*7-1:0]      hot_gone;  // charges that leave at a grant
  // the same of ACKs alone
  logic                   move_ack;
  logic [HPQS*FW-1:0]     acks_fill;
  logic [HPQS*7-1:0]      acks_release;
  logic [HPQS*7-1:0]      acks_gone;
  logic [AW-1:0]          move_id;
  logic [HPQS*OW-1:0]     hot_out;
  logic [HPQS-1:0]        hot_linked;
  logic [HPQS*LW-1:0]     hot_next;
  logic [HPQS*LW-1:0]     hot_tie;
  logic [PORTS*LINES-1:0] ol_valid;
  logic [PORTS*LINES-1:0] ol_stop;
  logic                   lists_err, fill_err, acks_err, lines_err, ties_err;  // of parity

  always_comb begin
    move_id = '0;
    for (int q = 0; q < PV; q++) if (move_from_o[q]) move_id = move_id | head_id_i[q*AW +: AW];
  end
  for (genvar h = 0; h < HPQS; h++) begin : g_hot
    logic [PV-1:0] taken;
    logic [6:0]    rel, rel_acks;
    for (genvar q = 0; q < PV; q++) begin : g_taken
      assign taken[q] = served_i[q] && req_hot_i[q] && req_hpq_i[q*HW +: HW] == HW'(h);
    end
    assign hot_pop[h] = |taken;
    assign hot_gone[h*7 +: 7] = (release_i && hot_pop[h]) ? hot_n_i[h*7 +: 7] : '0;
    assign acks_gone[h*7 +: 7] = hot_ack_i[h] ? hot_gone[h*7 +: 7] : '0;
    // Only one engine releases anything of a hot queue: while a charge is left, its line has one output.
    always_comb begin
      rel = '0;
      rel_acks = '0;
      for (int o = 0; o < PORTS; o++)
        if (rd_hot_i[o] && rd_hpq_i[o*HW +: HW] == HW'(h)) begin
          rel = rel | rd_release_i[o*7 +: 7];
          if (rd_ack_i[o]) rel_acks = rel_acks | rd_release_i[o*7 +: 7];
        end
    end
    assign hot_release[h*7 +: 7] = rel;
    assign acks_release[h*7 +: 7] = rel_acks;
    assign st_hpq_pkts_o[h*16 +: 16] = 16'(hot_pkts[h*CW +: CW]);
    assign st_hpq_fill_o[h*16 +: 16] = 16'(hot_fill[h*FW +: FW]);
    assign st_hpq_tie_o[h*8 +: 8] = 8'(hot_tie[h*LW +: LW]);
  end

  queue_lists #(
      .N     (HPQS),
      .BLOCKS(BLOCKS), .CAP(CAP), .PARITY(PARITY)
  ) u_lists (
      .clk_i, .rst_i,
      .push_i      (move_o),
      .push_q_i    (move_hpq_o),
      .push_id_i   (move_id),
      .pop_i       (hot_pop),
      .any_o       (hot_any_o),
      .head_o      (hot_id_o),
      .pkts_o      (hot_pkts),
      .parity_err_o(lists_err)
  );

  queue_fill #(
      .N (HPQS),
      .FW(FW), .PARITY(PARITY)
  ) u_fill (
      .clk_i, .rst_i,
      .add_i       (move_o),
      .add_q_i     (move_hpq_o),
      .add_n_i     (move_n_o),
      .move_i      (1'b0),
      .move_q_i    (HW'(0)),
      .move_n_i    (7'd0),
      .release_i   (hot_release),
      .grant_i     (hot_gone),
      .fill_o      (hot_fill),
      .parity_err_o(fill_err)
  );

  // E5: an adapter's ACKs obey no stop, so they have no part in one
  assign move_ack = (move_from_o & head_ack_i) != '0;
  queue_fill #(
      .N (HPQS),
      .FW(FW), .PARITY(PARITY)
  ) u_acks (
      .clk_i, .rst_i,
      .add_i       (move_ack),
      .add_q_i     (move_hpq_o),
      .add_n_i     (move_n_o),
      .move_i      (1'b0),
      .move_q_i    (HW'(0)),
      .move_n_i    (7'd0),
      .release_i   (acks_release),
      .grant_i     (acks_gone),
      .fill_o      (acks_fill),
      .parity_err_o(acks_err)
  );

  cam_lines #(
      .PORTS(PORTS), .VLS(VLS), .HPQS(HPQS), .LINES(LINES),
      .DLIST(DLIST), .TIMER_W(TIMER_W), .FW(FW), .ONE_QUEUE(ONE_QUEUE), .PARITY(PARITY)
  ) u_lines (
      .clk_i, .rst_i, .run_i, .up_i, .iso_en_i, .root_hpq_i, .hth_i, .lth_i, .stop_i, .go_i, .line_timer_i, .refresh_i,
      .switch_id_i, .prop_valid_i, .prop_vl_i, .prop_line_i, .prop_hops_i, .prop_root_i, .ol_valid_i, .ol_stop_i,
      .req_valid_i, .req_cnp_i, .req_hot_i, .req_hpq_i, .served_i, .head_any_i, .head_n_i, .head_dlid_i,
      .head_cnp_i, .cold_fill_i, .cong_i, .root_i,
      .leaves_i      (cold_pop_i[0]),
      .accept_i, .accept_q_i,
      .hot_any_i     (hot_any_o),
      .hot_fill_i    (hot_fill),
      .acks_fill_i   (acks_fill),
      .move_ack_i    (move_ack),
      .hot_gone_i    (hot_gone),
      .hot_busy_o, .hot_q_o,
      .hot_out_o     (hot_out),
      .hot_linked_o  (hot_linked),
      .hot_next_o    (hot_next),
      .hot_unlinked_o, .cold_match_o, .move_o, .move_from_o, .move_q_o, .move_hpq_o, .move_n_o,
      .ol_valid_o    (ol_valid),
      .ol_stop_o     (ol_stop),
      .can_alloc_o, .known_o, .room_o, .msg_o, .msg_dlist_o, .line_cong_o, .st_line_state_o, .st_line_out_o,
      .st_line_vl_o, .st_line_queue_o, .st_line_hops_o, .st_line_root_o, .st_line_next_o, .st_line_linked_o,
      .st_line_ann_o, .st_line_sent_stop_o, .st_line_stop_req_o, .st_line_reached_o, .st_line_dirty_o,
      .st_line_timer_o, .st_line_dcnt_o, .st_line_dlist_o, .st_line_own_o, .st_line_cong_o, .st_cnt_nohpq_o, .st_cnt_noline_o,
      .parity_err_o  (lines_err)
  );

  queue_ties #(
      .PORTS(PORTS), .VLS(VLS), .HPQS(HPQS), .LINES(LINES), .ONE_QUEUE(ONE_QUEUE), .PARITY(PARITY)
  ) u_ties (
      .clk_i, .rst_i, .req_valid_i, .req_hot_i, .req_hpq_i, .served_i, .held_i, .held_line_i,
      .ol_valid_i    (ol_valid),
      .ol_stop_i     (ol_stop),
      .can_alloc_i   (can_alloc_o),
      .cold_pop_i, .cold_start_i, .cold_out_i,
      .cold_match_i  (cold_match_o),
      .hot_pop_i     (hot_pop),
      .hot_start_i,
      .hot_out_i     (hot_out),
      .hot_linked_i  (hot_linked),
      .hot_next_i    (hot_next),
      .cold_bound_o, .cold_line_o, .cold_stopped_o, .hot_bound_o, .hot_line_o, .hot_stopped_o, .pend_o,
      .hot_tied_o    (st_hpq_tied_o),
      .hot_tie_o     (hot_tie),
      .parity_err_o  (ties_err)
  );

  assign st_cpq_tied_o = PV'(cold_bound_o);
  always_comb begin
    st_cpq_tie_o = '0;
    for (int q = 0; q < NQ; q++) st_cpq_tie_o[q*8 +: 8] = 8'(cold_line_o[q*LW +: LW]);
  end

  assign parity_err_o = lists_err || fill_err || acks_err || lines_err || ties_err;
endmodule

`default_nettype wire
