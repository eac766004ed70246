// The adapter of a host in a network of wormhole routers: it books bandwidth for streams, takes only as many messages as there are
// credits for, moves them from the host's memory into lanes, and sends them flit by flit. Rules YA1, YA4, YA6, YA7, YC1 to YC4, YW1, YW2,
// YW6, YW7, F1, R1, C1; docs/worm-adapter.md.
`default_nettype none

module worm_adapter #(
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int LANE = 40,
    parameter int CONNS = 256,
    parameter int MSGQ = 1024,
    parameter int CTLQ = 16,
    parameter int CNT_W = 32
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              cfg_we_i,
    input  wire logic              cfg_re_i,
    input  wire logic [7:0]        cfg_addr_i,
    input  wire logic [31:0]       cfg_data_i,
    input  wire logic              link_up_i,
    input  wire logic              open_valid_i,    // the host opens a connection,
    input  wire logic [15:0]       open_conn_i,
    input  wire logic [15:0]       open_dlid_i,
    input  wire logic [15:0]       open_bw_i,
    input  wire logic              post_valid_i,    // posts a message
    input  wire logic [1:0]        post_class_i,
    input  wire logic [15:0]       post_conn_i,
    input  wire logic [15:0]       post_dlid_i,
    input  wire logic [7:0]        post_len_i,
    input  wire logic              post_final_i,
    input  wire logic [15:0]       post_tag_i,
    input  wire logic [127:0]      dma_data_i,      // the flit that is asked for
    input  wire logic [VLS-1:0]    be_hold_i,
    input  wire logic              rx_valid_i,      // flits from the router
    input  wire logic [3:0]        rx_vl_i,
    input  wire logic              rx_first_i,
    input  wire logic              rx_last_i,
    input  wire logic              rx_bad_i,
    input  wire logic [127:0]      rx_data_i,
    input  wire logic [VLS-1:0]    rx_credit_i,
    output logic                   open_ready_o,
    output logic                   post_ready_o,
    output logic                   done_valid_o,    // what became of an open or a post
    output logic                   done_post_o,
    output logic                   done_ok_o,
    output logic [2:0]             done_why_o,
    output logic [15:0]            done_tag_o,
    output logic                   event_valid_o,
    output logic [1:0]             event_kind_o,
    output logic [15:0]            event_conn_o,
    output logic                   cqe_valid_o,     // a message has left
    output logic [1:0]             cqe_class_o,
    output logic [15:0]            cqe_conn_o,
    output logic [15:0]            cqe_tag_o,
    output logic                   dma_valid_o,
    output logic [15:0]            dma_tag_o,
    output logic [7:0]             dma_index_o,
    output logic [VLS-1:0]         be_front_o,
    output logic [16*VLS-1:0]      be_dlid_o,
    output logic [VLS-1:0]         link_free_o,     // for other schemes: nothing on its way there, all credits home
    output logic [VLS-1:0]         lane_full_o,
    output logic                   tx_valid_o,      // flits to the router
    output logic [3:0]             tx_vl_o,
    output logic                   tx_first_o,
    output logic                   tx_last_o,
    output logic                   tx_bad_o,
    output logic [127:0]           tx_data_o,
    output logic [VLS-1:0]         tx_credit_o,
    output logic                   dlv_valid_o,     // flits for the host
    output logic [3:0]             dlv_vl_o,
    output logic                   dlv_first_o,
    output logic                   dlv_last_o,
    output logic                   dlv_bad_o,
    output logic [127:0]           dlv_data_o,
    output logic [VLS-1:0]         dlv_cut_o,
    output logic [15:0]            err_o,
    output logic                   cfg_rvalid_o,
    output logic [31:0]            cfg_rdata_o,
    output logic [15:0]            st_used_o,       // architectural state for lockstep
    output logic [16*VLS-1:0]      st_book_o,
    output logic [16*VLS-1:0]      st_conns_o,
    output logic [15:0]            st_live_o,
    output logic [3:0]             st_lane_o,
    output logic [5:0]             st_seq_o,
    output logic [31:0]            st_sum_c_o,
    output logic [15:0]            st_avail_b_o,
    output logic [15:0]            st_posted_o,
    output logic [63:0]            st_queue_o,
    output logic [1:0]             st_turn_o,
    output logic [15:0]            st_gap_o,
    output logic                   st_open_o,
    output logic                   st_post_o,
    output logic [7:0]             st_replies_o,
    output logic                   st_touched_o,
    output logic [15:0]            st_conn_o,
    output logic [2:0]             st_state_o,
    output logic [15:0]            st_avail_o,
    output logic                   st_move_o,
    output logic [3:0]             st_move_vl_o,
    output logic [7:0]             st_move_left_o,
    output logic                   st_own_first_o,
    output logic [15:0]            st_guard_move_o,
    output logic [8*VLS-1:0]       st_level_o,
    output logic [8*VLS-1:0]       st_cr_o,
    output logic [VLS-1:0]         st_inside_o,
    output logic                   st_tail_o,
    output logic [8*VLS-1:0]       st_place_o,
    output logic [8*VLS-1:0]       st_left_o,
    output logic [7:0]             st_guard_o,
    output logic [15:0]            st_lfsr_o,
    output logic [VLS-1:0]         st_rx_open_o,
    output logic [VLS-1:0]         st_rx_skip_o,
    output logic [CNT_W-1:0]       st_cnt_sent_o,
    output logic [CNT_W-1:0]       st_cnt_rcv_o,
    output logic [15:0]            st_cnt_refused_o,
    output logic [15:0]            st_cnt_drop_o
);
  // (So that an illegal number is told as such.)
  localparam int V = (VLS >= 3) ? VLS : 3;
  localparam int L = (LANE >= 2) ? LANE : 2;

  if (VLS < 3 || VLS > 16) begin : g_bad_vls
    $error("VLS must be 3..16: a lane of data, reply and control");
  end
  if (DEPTH < 2 || DEPTH > 64) begin : g_bad_depth
    $error("DEPTH must be 2..64");
  end
  if (LANE < 2 || LANE > 64) begin : g_bad_lane
    $error("LANE must be 2..64");
  end
  if (CONNS < 2 || CONNS > 1024) begin : g_bad_conns
    $error("CONNS must be 2..1024");
  end
  if (MSGQ < 2 || MSGQ > 4096 || (MSGQ & (MSGQ - 1)) != 0) begin : g_bad_msgq
    $error("MSGQ must be a power of two, 2..4096");
  end
  if (CTLQ < 2 || CTLQ > 64 || (CTLQ & (CTLQ - 1)) != 0) begin : g_bad_ctlq
    $error("CTLQ must be a power of two, 2..64");
  end
  if (CNT_W < 2 || CNT_W > 32) begin : g_bad_cnt_w
    $error("CNT_W must be 2..32");
  end

  // ---- registers
  logic         run;
  logic         credit_en, admit_en, lost, seed_we, lid_we;
  logic [15:0]  m, c_b, lid, first_node;
  logic [12:0]  limit;
  logic [V-1:0] be, rt;
  logic         any_be;
  logic [7:0]   lhp, be_weight;
  logic [15:0]  probe_gap;
  logic [3:0]   wshift;
  logic [15:0]  err_set;
  logic         bad_post, no_conn, over_sum, refused, unasked, bad_reply, misrouted, framing, credit_err, link_down, bad_vl;

  assign rt = ({V{1'b1}} >> 2) & ~be;
  assign any_be = be != '0;

  always_comb begin
    err_set = '0;
    err_set[quell_pkg::WAE_BAD_POST] = bad_post;
    err_set[quell_pkg::WAE_NO_CONN] = no_conn;
    err_set[quell_pkg::WAE_SUM_C] = over_sum;
    err_set[quell_pkg::WAE_BAD_REPLY] = bad_reply || unasked;
    err_set[quell_pkg::WAE_MISROUTED] = misrouted;
    err_set[quell_pkg::WAE_FRAMING] = framing;
    err_set[quell_pkg::WAE_CREDIT] = credit_err;
    err_set[quell_pkg::WAE_LINK_DOWN] = link_down;
    err_set[quell_pkg::WAE_BAD_VL] = bad_vl;
    err_set[quell_pkg::WAE_ADM_LOST] = run && !link_up_i && admit_en && st_live_o != '0;
  end

  worm_adapter_regs #(.VLS(V), .MSGQ(MSGQ), .CNT_W(CNT_W)) u_regs (
      .clk_i, .rst_i,
      .we_i(cfg_we_i && run),
      .re_i(cfg_re_i && run),
      .addr_i(cfg_addr_i),
      .data_i(cfg_data_i),
      .err_set_i(err_set),
      .err_o,
      .credit_en_o(credit_en),
      .admit_en_o(admit_en),
      .lost_o(lost),
      .m_o(m),
      .limit_o(limit),
      .c_b_o(c_b),
      .lid_o(lid),
      .lid_we_o(lid_we),
      .be_o(be),
      .lhp_o(lhp),
      .wshift_o(wshift),
      .seed_we_o(seed_we),
      .first_node_o(first_node),
      .be_weight_o(be_weight),
      .probe_gap_o(probe_gap),
      .lfsr_i(st_lfsr_o),
      .cnt_sent_i(st_cnt_sent_o),
      .cnt_rcv_i(st_cnt_rcv_o),
      .cnt_refused_i(st_cnt_refused_o),
      .cnt_drop_i(st_cnt_drop_o),
      .used_i(st_used_o),
      .sum_c_i(st_sum_c_o),
      .rvalid_o(cfg_rvalid_o),
      .rdata_o(cfg_rdata_o)
  );

  // ---- table of connections
  logic                 waits;
  logic                 reply_valid, reply_ack, reply_taken;
  logic [15:0]          reply_conn, reply_node, reply_slid, reply_bw;
  logic [5:0]           reply_seq, own_seq;
  logic                 leave;
  quell_pkg::worm_msg_t leave_msg;
  logic                 accept, accept_final, push_own;
  logic [1:0]           accept_class;
  logic [15:0]          accept_to, accept_tag, push_conn;
  logic [7:0]           accept_len;
  logic [15:0]          own_conn, own_dlid, own_bw, own_node, rt_dlid, rt_bw;
  logic [3:0]           own_lane, rt_lane;
  logic                 own_release;
  logic                 control_pop, own_pop, rt_pop, be_pop;
  logic [39:0]          control_head, be_head;
  logic [40:0]          rt_head;

  worm_conns #(.VLS(V), .LANE(L), .CONNS(CONNS), .CTLQ(CTLQ)) u_conns (
      .clk_i, .rst_i,
      .ready_o(run),
      .credit_en_i(credit_en),
      .admit_en_i(admit_en),
      .m_i(m),
      .limit_i(limit),
      .c_b_i(c_b),
      .first_node_i(first_node),
      .rt_i(rt),
      .be_i(any_be),
      .lost_i(err_o[quell_pkg::WAE_ADM_LOST] || lost),
      .probe_gap_i(probe_gap),
      .seq_we_i(seed_we),
      .seq_i(cfg_data_i[5:0]),
      .lid_we_i(lid_we),
      .lid_i(cfg_data_i[3:0]),
      .open_valid_i, .open_conn_i, .open_dlid_i, .open_bw_i, .open_ready_o,
      .post_valid_i, .post_class_i, .post_conn_i, .post_dlid_i, .post_len_i, .post_final_i, .post_tag_i, .post_ready_o,
      .done_valid_o, .done_post_o, .done_ok_o, .done_why_o, .done_tag_o,
      .event_valid_o, .event_kind_o, .event_conn_o,
      .reply_valid_i(reply_valid),
      .reply_ack_i(reply_ack),
      .reply_conn_i(reply_conn),
      .reply_node_i(reply_node),
      .reply_slid_i(reply_slid),
      .reply_bw_i(reply_bw),
      .reply_seq_i(reply_seq),
      .reply_taken_o(reply_taken),
      .leave_i(leave),
      .leave_msg_i(leave_msg),
      .control_i(st_queue_o[15:0]),
      .accept_o(accept),
      .accept_class_o(accept_class),
      .accept_to_o(accept_to),
      .accept_len_o(accept_len),
      .accept_final_o(accept_final),
      .accept_tag_o(accept_tag),
      .push_own_o(push_own),
      .push_conn_o(push_conn),
      .rt_conn_i(rt_head[40:25]),
      .rt_dlid_o(rt_dlid),
      .rt_bw_o(rt_bw),
      .rt_lane_o(rt_lane),
      .own_conn_i(own_conn),
      .own_release_o(own_release),
      .own_dlid_o(own_dlid),
      .own_bw_o(own_bw),
      .own_node_o(own_node),
      .own_lane_o(own_lane),
      .own_seq_o(own_seq),
      .own_moves_i(own_pop),
      .bad_post_o(bad_post),
      .no_conn_o(no_conn),
      .over_sum_o(over_sum),
      .bad_reply_o(unasked),
      .refused_o(refused),
      .used_o(st_used_o),
      .book_o(st_book_o),
      .conns_o(st_conns_o),
      .live_o(st_live_o),
      .lane_o(st_lane_o),
      .seq_o(st_seq_o),
      .sum_c_o(st_sum_c_o),
      .avail_b_o(st_avail_b_o),
      .posted_o(st_posted_o),
      .turn_o(st_turn_o),
      .gap_o(st_gap_o),
      .waits_o(waits),
      .open_waits_o(st_open_o),
      .post_waits_o(st_post_o),
      .touched_o(st_touched_o),
      .conn_o(st_conn_o),
      .state_o(st_state_o),
      .avail_o(st_avail_o)
  );

  event_counter #(.CNT_W(16)) u_refused (.clk_i, .rst_i, .event_i(refused), .count_o(st_cnt_refused_o));

  // ---- queues
  logic [3:0] waiting;  // a message in the queue

  worm_queue #(.DEPTH(CTLQ), .WIDTH(40)) u_control (
      .clk_i, .rst_i,
      .push_i(accept && accept_class == 2'd0),
      .data_i({accept_to, accept_len, accept_tag}),
      .pop_i(control_pop),
      .data_o(control_head),
      .some_o(waiting[0]),
      .count_o(st_queue_o[15:0])
  );

  worm_queue #(.DEPTH(MSGQ), .WIDTH(41)) u_rt (
      .clk_i, .rst_i,
      .push_i(accept && accept_class == 2'd1),
      .data_i({accept_to, accept_len, accept_final, accept_tag}),
      .pop_i(rt_pop),
      .data_o(rt_head),
      .some_o(waiting[1]),
      .count_o(st_queue_o[31:16])
  );

  worm_queue #(.DEPTH(MSGQ), .WIDTH(40)) u_be (
      .clk_i, .rst_i,
      .push_i(accept && accept_class == 2'd2),
      .data_i({accept_to, accept_len, accept_tag}),
      .pop_i(be_pop),
      .data_o(be_head),
      .some_o(waiting[2]),
      .count_o(st_queue_o[47:32])
  );

  worm_queue #(.DEPTH(CONNS), .WIDTH(16)) u_own (
      .clk_i, .rst_i,
      .push_i(push_own),
      .data_i(push_conn),
      .pop_i(own_pop),
      .data_o(own_conn),
      .some_o(waiting[3]),
      .count_o(st_queue_o[63:48])
  );

  // ---- from queues to lanes
  logic [V-1:0]         push;
  logic                 first, last;
  logic [127:0]         data;
  quell_pkg::worm_msg_t msg;

  worm_mover #(.VLS(V), .LANE(L)) u_mover (
      .clk_i, .rst_i,
      .be_i(be),
      .lhp_i(lhp),
      .lid_i(lid),
      .seed_we_i(seed_we),
      .seed_i(cfg_data_i[15:0]),
      .control_i(waiting[0]),
      .control_head_i(control_head),
      .control_pop_o(control_pop),
      .own_i(waiting[3]),
      .own_conn_i(own_conn),
      .own_release_i(own_release),
      .own_dlid_i(own_dlid),
      .own_bw_i(own_bw),
      .own_node_i(own_node),
      .own_lane_i(own_lane),
      .own_seq_i(own_seq),
      .own_pop_o(own_pop),
      .rt_i(waiting[1]),
      .rt_head_i(rt_head),
      .rt_dlid_i(rt_dlid),
      .rt_bw_i(rt_bw),
      .rt_lane_i(rt_lane),
      .rt_pop_o(rt_pop),
      .be_waits_i(waiting[2]),
      .be_head_i(be_head),
      .be_pop_o(be_pop),
      .level_i(st_level_o),
      .push_o(push),
      .first_o(first),
      .last_o(last),
      .data_o(data),
      .msg_o(msg),
      .dma_valid_o, .dma_tag_o, .dma_index_o, .dma_data_i,
      .move_o(st_move_o),
      .move_vl_o(st_move_vl_o),
      .move_left_o(st_move_left_o),
      .own_first_o(st_own_first_o),
      .guard_o(st_guard_move_o),
      .lfsr_o(st_lfsr_o)
  );

  // ---- lanes and link
  worm_sender #(.VLS(V), .DEPTH(DEPTH), .LANE(L), .CNT_W(CNT_W)) u_sender (
      .clk_i, .rst_i,
      .run_i(run),
      .link_up_i,
      .be_i(be),
      .rt_i(rt),
      .admit_en_i(admit_en),
      .book_i(st_book_o),
      .wshift_i(wshift),
      .be_weight_i(be_weight),
      .lhp_i(lhp),
      .push_i(push),
      .last_i(last),
      .first_i(first),
      .data_i(data),
      .msg_i(msg),
      .be_hold_i,
      .waits_i(waits),
      .be_front_o, .be_dlid_o,
      .rx_credit_i,
      .tx_valid_o, .tx_vl_o, .tx_first_o, .tx_last_o, .tx_data_o,
      .leave_o(leave),
      .leave_msg_o(leave_msg),
      .credit_err_o(credit_err),
      .cnt_sent_o(st_cnt_sent_o),
      .level_o(st_level_o),
      .cr_o(st_cr_o),
      .inside_o(st_inside_o),
      .tail_o(st_tail_o),
      .place_o(st_place_o),
      .left_o(st_left_o),
      .guard_o(st_guard_o)
  );
  assign tx_bad_o = 1'b0;

  always_ff @(posedge clk_i) begin
    if (rst_i || !leave || leave_msg.kind == 2'd3) {cqe_valid_o, cqe_class_o, cqe_conn_o, cqe_tag_o} <= '0;
    else {cqe_valid_o, cqe_class_o, cqe_conn_o, cqe_tag_o} <= {1'b1, leave_msg.kind, leave_msg.conn, leave_msg.tag};
  end

  // ---- what comes in
  worm_receive #(.VLS(V), .DEPTH(DEPTH), .CNT_W(CNT_W)) u_receive (
      .clk_i, .rst_i,
      .run_i(run),
      .link_up_i,
      .lid_i(lid),
      .rx_valid_i, .rx_vl_i, .rx_first_i, .rx_last_i, .rx_bad_i, .rx_data_i,
      .tx_credit_o,
      .dlv_valid_o, .dlv_vl_o, .dlv_first_o, .dlv_last_o, .dlv_bad_o, .dlv_data_o, .dlv_cut_o,
      .reply_valid_o(reply_valid),
      .reply_ack_o(reply_ack),
      .reply_conn_o(reply_conn),
      .reply_node_o(reply_node),
      .reply_slid_o(reply_slid),
      .reply_bw_o(reply_bw),
      .reply_seq_o(reply_seq),
      .reply_taken_i(reply_taken),
      .bad_reply_o(bad_reply),
      .misrouted_o(misrouted),
      .framing_o(framing),
      .link_down_o(link_down),
      .bad_vl_o(bad_vl),
      .cnt_rcv_o(st_cnt_rcv_o),
      .cnt_drop_o(st_cnt_drop_o),
      .replies_o(st_replies_o),
      .open_o(st_rx_open_o),
      .skip_o(st_rx_skip_o)
  );

  // ---- for other schemes
  for (genvar v = 0; v < V; v++) begin : g_shown
    assign link_free_o[v] = run && !st_inside_o[v] && st_cr_o[8*v+:8] == 8'(DEPTH);
    assign lane_full_o[v] = run && st_level_o[8*v+:8] == 8'(L);
  end

`ifdef QUELL_CHECK
  worm_adapter_checker #(.VLS(V), .DEPTH(DEPTH), .LANE(L), .CONNS(CONNS), .MSGQ(MSGQ), .CTLQ(CTLQ)) u_check (
      .clk_i, .rst_i,
      .cfg_we_i, .cfg_addr_i, .cfg_data_i,
      .link_up_i,
      .open_valid_i, .open_conn_i, .open_bw_i,
      .open_ready_i(open_ready_o),
      .post_valid_i, .post_class_i, .post_conn_i, .post_tag_i,
      .post_ready_i(post_ready_o),
      .done_valid_i(done_valid_o),
      .done_post_i(done_post_o),
      .done_ok_i(done_ok_o),
      .done_tag_i(done_tag_o),
      .cqe_valid_i(cqe_valid_o),
      .cqe_class_i(cqe_class_o),
      .cqe_conn_i(cqe_conn_o),
      .cqe_tag_i(cqe_tag_o),
      .dma_valid_i(dma_valid_o),
      .dma_data_i,
      .move_i(st_move_o),
      .move_vl_i(st_move_vl_o),
      .move_left_i(st_move_left_o),
      .rx_valid_i, .rx_vl_i, .rx_credit_i,
      .tx_valid_i(tx_valid_o),
      .tx_vl_i(tx_vl_o),
      .tx_first_i(tx_first_o),
      .tx_last_i(tx_last_o),
      .tx_data_i(tx_data_o),
      .tx_credit_i(tx_credit_o),
      .err_i(err_o),
      .replies_i(st_replies_o),
      .gap_i(st_gap_o),
      .used_i(st_used_o),
      .sum_c_i(st_sum_c_o),
      .posted_i(st_posted_o),
      .touched_i(st_touched_o),
      .conn_i(st_conn_o),
      .state_i(st_state_o),
      .avail_i(st_avail_o)
  );
`endif
endmodule

`default_nettype wire
