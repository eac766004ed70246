// Properties of the adapter, by rule. Instantiated by hca under QUELL_CHECK; its units have checkers of
// their own. Everything is a clocked immediate assertion, so that simulation and formal tools read it
// alike.
`default_nettype none

module hca_checker #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int ADVOQ = 8,
    parameter int RX_BLOCKS = 256,
    parameter int CNT_W = 32,
    parameter int RESPONSE = 0,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int CTL = 8 * (16 + 2 * DLIST),
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1,
    localparam int FW = $clog2(FLOWS)
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              ready_i,
    input wire logic              link_up_i,
    input wire logic              cnp_queued_i,
    input wire logic [3:0]        window_i,      // how many places there are, 0: no window
    input wire logic [7:0]        win_i,         // places that are taken
    input wire logic [FLOWS-1:0]  blocked_i,
    // a CNP that goes from the FIFO of its VL to a generation queue, or is lost on the way
    input wire logic              move_i,
    input wire logic [15:0]       move_flow_i,
    input wire logic              move_in_i,
    input wire logic              sending_i,
    input wire logic              pop_cnp_i,
    input wire logic [15:0]       lid_i,
    input wire logic [15:0]       lid_base_i,
    // generation queues
    input wire logic              post_i,
    input wire logic [15:0]       post_flow_i,
    input wire logic              pop_i,
    input wire logic [15:0]       pop_flow_i,
    input wire logic [6:0]        pop_len_i,
    input wire logic              post_first_i,  // into a queue without packets
    input wire logic [FLOWS-1:0]  any_i,
    input wire logic [FLOWS-1:0]  req_i,
    input wire logic [15:0]       sl_ok_i,
    input wire logic [FLOWS-1:0]  full_i,
    input wire logic [31:0]       gen_pkts_i,
    input wire logic [FLOWS-1:0]  stop_i,
    input wire logic [LINES-1:0]  ol_valid_i,
    input wire logic [LINES-1:0]  ol_stop_i,
    // injector
    input wire logic              dma_valid_i,
    input wire logic              dma_ready_i,
    input wire logic [15:0]       dma_flow_i,
    input wire logic [23:0]       dma_psn_i,
    input wire logic [6:0]        dma_index_i,
    input wire logic              inj_valid_i,
    input wire logic              inj_first_i,
    input wire logic              inj_last_i,
    input wire logic [DW-1:0]     inj_data_i,
    input wire logic [15:0]       err_in_i,
    // what has been granted
    input wire logic              reply_push_i,
    input wire logic [15:0]       reply_pkts_i,
    input wire logic              reply_act_i,
    input wire logic              reply_sw_i,
    input wire logic              data_act_i,
    input wire logic              data_sw_i,
    input wire logic              data_last_i,
    input wire logic [1:0]        due_i,         // packets on their way to the link, as the output port counts them
    // receiver
    input wire logic              rx_valid_i,
    input wire logic              rx_first_i,
    input wire logic              rx_last_i,
    input wire logic              rx_bad_i,
    input wire logic              store_i,
    input wire logic              count_i,
    input wire logic [VW-1:0]     store_vl_i,
    input wire logic              fctbs_valid_i,
    input wire logic              host_valid_i,
    input wire logic              host_ready_i,
    input wire logic              host_first_i,
    input wire logic              host_last_i,
    input wire logic              host_bad_i,
    input wire logic [DW-1:0]     host_data_i,
    input wire logic [VW-1:0]     host_vl_i,
    input wire logic [12*VLS-1:0] used_i,
    input wire logic [12*VLS-1:0] abr_i,
    input wire logic              becn_valid_i,
    input wire logic [15:0]       becn_flow_i,
    input wire logic [CNT_W-1:0]  cnt_becn_i,
    input wire logic [CNT_W-1:0]  cnt_rcv_i,
    input wire logic [CTL-1:0]    tx_ctl_i,
    input wire logic [15:0]       err_i,
    input wire logic [15:0]       err_set_i,
    input wire logic [15:0]       err_clear_i
);
  localparam int CAP = RX_BLOCKS / VLS;
  localparam int NW = $clog2(RX_BLOCKS + 1);
  // errors that a neighbour who keeps the rules never causes at the input port
  localparam logic [15:0] INJECTED_WELL =
      (16'd1 << quell_pkg::IE_BAD_VL) | (16'd1 << quell_pkg::IE_BAD_LEN)
      | (16'd1 << quell_pkg::IE_NO_CREDIT) | (16'd1 << quell_pkg::IE_FRAMING)
      | (16'd1 << quell_pkg::IE_BAD_PKT) | (16'd1 << quell_pkg::IE_BAD_GRANT);

  // ---- what was there a cycle ago
  logic              past_ok_q;  // the last cycle was not a reset cycle
  logic              ready_q, stopping_q, dma_valid_q, dma_ready_q, inj_last_q, pop_q, pop_cnp_q, fctbs_q, up_q;
  logic [6:0]        dma_index_q;
  logic [15:0]       pop_flow_q, err_q, err_set_q, err_clear_q;
  logic [CNT_W-1:0]  cnt_becn_q, cnt_rcv_q;
  logic [12*VLS-1:0] abr_q;
  logic              count_q, whole_end_q;  // whole_end_q: the last flit of a packet came, undamaged
  logic [VW-1:0]     store_vl_q;
  logic [7:0]        win_q;
  logic [3:0]        window_q;
  logic [FLOWS-1:0]  blocked_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    ready_q <= ready_i;
    stopping_q <= (ol_valid_i & ol_stop_i) != '0;
    dma_valid_q <= dma_valid_i;
    dma_ready_q <= dma_ready_i;
    dma_index_q <= dma_index_i;
    inj_last_q <= inj_last_i;
    pop_q <= pop_i;
    pop_flow_q <= pop_flow_i;
    pop_cnp_q <= pop_cnp_i;
    cnt_becn_q <= cnt_becn_i;
    cnt_rcv_q <= cnt_rcv_i;
    fctbs_q <= fctbs_valid_i;
    up_q <= link_up_i;
    abr_q <= abr_i;
    count_q <= count_i;
    whole_end_q <= ready_i && rx_valid_i && rx_last_i && !rx_bad_i;
    store_vl_q <= store_vl_i;
    err_q <= err_i;
    err_set_q <= err_set_i;
    err_clear_q <= err_clear_i;
    win_q <= win_i;
    window_q <= window_i;
    blocked_q <= blocked_i;
  end

  // ---- shadow of the generation queues: packets in each, CNPs among them
  logic [8:0]    pkts[0:FLOWS-1];
  logic [8:0]    cnps[0:FLOWS-1];
  logic          put;       // a packet, or a CNP
  logic [8:0]    put_cnps, pop_cnps, pop_host;
  logic          pop_full;  // the queue takes no packet of the host
  logic [FW-1:0] sweep_q, post_flow, pop_flow;
  logic [8:0]    post_pkts, pop_pkts;
  logic [31:0]   sum_q;

  assign put = post_i || move_in_i;
  assign post_flow = post_i ? post_flow_i[FW-1:0] : move_flow_i[FW-1:0];
  assign pop_flow = pop_flow_i[FW-1:0];
  assign post_pkts = pkts[post_flow];
  assign pop_pkts = pkts[pop_flow];
  assign put_cnps = cnps[post_flow];
  assign pop_cnps = cnps[pop_flow];
  assign pop_host = pop_pkts - pop_cnps;
  assign pop_full = cnp_queued_i ? pop_host >= 9'(ADVOQ / 2) : pop_pkts == 9'(ADVOQ);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sweep_q <= '0;
      sum_q <= '0;
    end else begin
      if (!ready_i) sweep_q <= (sweep_q == FW'(FLOWS - 1)) ? '0 : sweep_q + 1'b1;
      sum_q <= sum_q + 32'(put) - 32'(pop_i);
    end
    if (!ready_i) pkts[sweep_q] <= '0;
    else if (!(put && pop_i && post_flow == pop_flow)) begin
      if (put) pkts[post_flow] <= post_pkts + 1'b1;
      if (pop_i) pkts[pop_flow] <= pop_pkts - 1'b1;
    end
    if (!ready_i) cnps[sweep_q] <= '0;
    else if (!(move_in_i && pop_i && pop_cnp_i && post_flow == pop_flow)) begin
      if (move_in_i) cnps[post_flow] <= put_cnps + 1'b1;
      if (pop_i && pop_cnp_i) cnps[pop_flow] <= pop_cnps - 1'b1;
    end
  end

  // ---- shadow of the packet being injected
  logic        open_q;
  logic        sends_cnp_q;  // it is a CNP
  logic [6:0]  flits_q;   // of it, sent
  logic [6:0]  n_q;       // its length as its descriptor says
  logic        rebased_q; // LID_BASE has changed since reset: a VL by destination may have changed in flight
  logic [15:0] base_q, dlid;
  logic [10:0] words;
  logic        whole;     // the packet has as many flits as descriptor and header say

  assign words = {inj_data_i[34:32], inj_data_i[47:40]};
  assign dlid = {inj_data_i[23:16], inj_data_i[31:24]};
  assign whole = flits_q + 7'd1 == n_q;

  always_ff @(posedge clk_i) begin
    base_q <= lid_base_i;
    if (rst_i) begin
      open_q <= 1'b0;
      flits_q <= '0;
      n_q <= '0;
      sends_cnp_q <= 1'b0;
      rebased_q <= 1'b0;
    end else begin
      if (pop_i) n_q <= pop_len_i;
      if (pop_i) sends_cnp_q <= pop_cnp_i;
      if (inj_valid_i) begin
        open_q <= !inj_last_i;
        flits_q <= inj_last_i ? '0 : flits_q + 1'b1;
      end
      rebased_q <= rebased_q || (past_ok_q && base_q != lid_base_i);
    end
  end

  // ---- packets that the host takes
  logic             host_open_q;     // the last flit taken was not the last of its packet
  logic [7:0]       host_n, host_n_q, host_m, host_m_q;  // flits announced, taken
  logic [CNT_W-1:0] host_good_q;     // whole packets
  logic             fresh_q;         // no packet has begun since the link was down
  logic             taken, gave_up_q;  // gave_up_q: a packet was given up since reset

  assign taken = host_valid_i && host_ready_i;
  assign host_n = host_first_i ? {1'b0, host_data_i[34:32], host_data_i[47:44]} + 8'(host_data_i[43:40] != '0)
      : host_n_q;
  assign host_m = host_first_i ? 8'd1 : host_m_q + 8'd1;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      host_open_q <= 1'b0;
      host_good_q <= '0;
      gave_up_q <= 1'b0;
      fresh_q <= 1'b0;
    end else begin
      fresh_q <= !link_up_i || (fresh_q && !(rx_valid_i && rx_first_i));
      if (taken) host_open_q <= !host_last_i;
      if (taken && host_last_i && !host_bad_i && host_good_q != '1) host_good_q <= host_good_q + 1'b1;
      gave_up_q <= gave_up_q || err_set_i[quell_pkg::HE_FRAMING] || err_set_i[quell_pkg::HE_LINK_DOWN];
    end
    if (taken) begin
      host_n_q <= host_n;
      host_m_q <= host_m;
    end
  end

  // ---- shadow of the receive FIFO
  logic [NW-1:0]  flits_in_q;  // stored and not taken
  logic [NW-1:0]  used_sum;
  logic           used_ok, abr_ok;
  logic [11:0]    limit;       // credits in the control word, beyond what was received
  logic [11:0]    space;
  logic           pop_ok;

  always_comb begin
    used_sum = '0;
    used_ok = 1'b1;
    abr_ok = 1'b1;
    for (int v = 0; v < VLS; v++) begin
      used_sum = used_sum + NW'(used_i[12*v+:12]);
      if (used_i[12*v+:12] > 12'(CAP)) used_ok = 1'b0;
      if (up_q && abr_i[12*v+:12] != abr_q[12*v+:12] + 12'(count_q && store_vl_q == VW'(v)) && !fctbs_q) abr_ok = 1'b0;
      if (!up_q && abr_i[12*v+:12] != '0) abr_ok = 1'b0;
    end
    limit = {tx_ctl_i[43:40], tx_ctl_i[55:48]};
    space = '0;
    for (int v = 0; v < VLS; v++) begin
      if (tx_ctl_i[39:32] == 8'(v)) begin
        limit = limit - abr_i[12*v+:12];
        space = 12'(CAP) - used_i[12*v+:12];
      end
    end
    pop_ok = !(host_valid_i && host_ready_i) || used_i[12*host_vl_i+:12] != '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) flits_in_q <= '0;
    else flits_in_q <= flits_in_q + NW'(store_i) - NW'(host_valid_i && host_ready_i);
  end

  // ---- credits that the chooser knows of, and packets that it chose
  logic [FLOWS-1:0] req_q;
  logic [15:0]      sl_ok_q;
  logic             chosen_q;  // the packet accepted last has not gone yet
  logic             room_falls;

  assign room_falls = (VL_BY_DEST != 0) ? (req_q & ~req_i & any_i) != '0 : (sl_ok_q & ~sl_ok_i) != '0;

  always_ff @(posedge clk_i) begin
    req_q <= req_i;
    sl_ok_q <= sl_ok_i;
    chosen_q <= !rst_i && (pop_i || (chosen_q && !inj_last_i));
  end

  // ---- properties of one cycle
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h1_no_overflow: assert (!put || post_pkts < 9'(ADVOQ));
      h1_no_underflow: assert (!pop_i || pop_pkts != '0);
      h1_any: assert (!ready_i || any_i[pop_flow] == (pop_pkts != '0));
      h1_full: assert (!ready_i || full_i[pop_flow] == (pop_full || (window_i != '0 && win_i >= 8'(window_i) && !blocked_i[pop_flow])));
      h1_window_of_queued: assert (32'(win_i) <= gen_pkts_i);
      h1_window_is_open: assert (!ready_i || full_i[pop_flow] == pop_full || (window_i != '0 && win_i >= 8'(window_i)));
      h2_half_of_a_queue: assert (!move_in_i || (put_cnps < 9'(ADVOQ / 2) && 32'(move_flow_i) < FLOWS));
      h2_moved_or_asks: assert (cnp_queued_i || !move_i);
      h2_post_before_cnp: assert (!post_i || !move_i);
      h1_sum: assert (gen_pkts_i == sum_q && (gen_pkts_i == '0) == (any_i == '0));
      vr5_post_is_first: assert (post_first_i == (post_i && post_pkts == '0));
      ak6_every_accept_is_data: assert (RESPONSE == 0 || ((!pop_i || !pop_cnp_i) && (!inj_last_i || chosen_q)
          && (!pop_i || !chosen_q || inj_last_i)));
      h1_flow_legal: assert (!post_i || post_flow_i < 16'(FLOWS));
      h1_len_legal: assert (!pop_i || (pop_len_i != '0 && pop_len_i <= 7'(MTU)));

      h8_framing: assert (!inj_valid_i || inj_first_i != open_q);
      h8_whole: assert (!inj_valid_i || inj_last_i == whole);
      h8_header_len: assert (!inj_valid_i || !inj_first_i || words == (sends_cnp_q ? 11'd10 : {n_q, 4'd0}));
      h8_header_lid: assert (!inj_valid_i || !inj_first_i || sends_cnp_q || (dlid == lid_base_i + dma_flow_i
          && {inj_data_i[55:48], inj_data_i[63:56]} == lid_i));
      h8_index: assert (!dma_valid_i || dma_index_i == flits_q);
      h8_dma_zero: assert (dma_valid_i || {dma_flow_i, dma_psn_i, dma_index_i} == '0);
      h8_dma_legal: assert (dma_flow_i < 16'(FLOWS) && dma_index_i < 7'(MTU));
      h8_no_pop_while_sending: assert (!pop_i || !sending_i || inj_last_i);
      h8_cnp_asks_no_host: assert (dma_valid_i == (sending_i && !sends_cnp_q));
      h2_queued_cnp: assert (!inj_valid_i || !sends_cnp_q || (inj_first_i && inj_last_i
          && inj_data_i[71:64] == quell_pkg::OPCODE_CNP && inj_data_i[102] && inj_data_i[DW-1:160] == '0));
      f1_injected_well: assert ((VL_BY_DEST != 0 && rebased_q) || (err_in_i & INJECTED_WELL) == '0);




      b3_due_is_on_its_way: assert (due_i == 2'(reply_act_i || data_act_i) + 2'(reply_sw_i || (data_sw_i && data_last_i)));
      b3_packet_ends_with_link: assert (!fresh_q || !store_i || rx_first_i);
      b3_down_hears_nothing: assert (link_up_i || {store_i, count_i, reply_push_i} == '0);
      h2_one_on_crossbar: assert (!reply_sw_i || !data_sw_i);
      h2_one_engine: assert (!reply_act_i || !data_act_i);

      b3_no_overflow: assert (!store_i || used_i[12*store_vl_i+:12] < 12'(CAP));
      b3_no_underflow: assert (pop_ok);
      b3_store_counted: assert (!store_i || count_i);
      // every packet that the host sees ends, as long as none is cut off by a new one, and is as long as it says
      b3_host_framing: assert (!host_valid_i || host_first_i != host_open_q || (host_first_i && gave_up_q));
      b3_host_length: assert (!host_valid_i || (host_m <= host_n && host_n <= 8'(MTU)
          && (host_last_i || host_m != host_n)));
      b3_host_whole: assert (!host_valid_i || !host_last_i || host_bad_i || host_m == host_n);
      b3_host_bad_is_last: assert (!host_bad_i || host_last_i);
      b3_counted: assert (host_valid_i || host_good_q == cnt_rcv_i);
      f2_bound: assert (used_ok);
      f2_conserved: assert (used_sum == flits_in_q && host_valid_i == (flits_in_q != '0));
      f1_promise: assert (!tx_ctl_i[1] || (tx_ctl_i[39:32] < 8'(VLS) && limit == space));
      h9_end_of_tree: assert (!tx_ctl_i[2] && tx_ctl_i[CTL-1:64] == '0);
      h3_no_becn_while_down: assert (up_q || !becn_valid_i);
      h3_becn_legal: assert (!becn_valid_i || becn_flow_i < 16'(FLOWS));
      h1_silent_in_init: assert (ready_i || {any_i, dma_valid_i, inj_valid_i, reply_pkts_i, store_i, count_i,
          host_valid_i, err_i, tx_ctl_i} == '0);
    end
  end

  // ---- properties of two cycles
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h1_stays_ready: assert (ready_i || !ready_q);
      h5_room_falls_by_accepts: assert (!room_falls || pop_q || base_q != lid_base_i);
      h5_stop_cause: assert (stop_i == '0 || stopping_q);
      h8_pop_sends: assert (!pop_q || (sending_i && dma_valid_i == !pop_cnp_q && (pop_cnp_q || dma_flow_i == pop_flow_q)
          && dma_index_i == '0));
      h1_window_bound: assert (win_i <= win_q || win_i <= 8'(window_q));
      h1_window_is_of_the_free: assert (blocked_q != '1 || win_i == '0);
      h1_window_off: assert (window_q != '0 || win_i == '0);
      h1_window_leaves: assert (window_q == '0 || win_i + 8'd1 >= win_q || blocked_q != '0);
      h8_send_continues: assert (!dma_valid_q || inj_last_q
          || (dma_valid_i && dma_index_i == dma_index_q + 7'(dma_ready_q)));
      h8_send_ends: assert (!inj_last_q || pop_q || !dma_valid_i);
      h3_becn_cause: assert (!becn_valid_i || whole_end_q);
      h3_becn_counted: assert (cnt_becn_q == '1 || cnt_becn_i == cnt_becn_q + CNT_W'(becn_valid_i));
      b3_packet_counted: assert (cnt_rcv_i - cnt_rcv_q <= CNT_W'(1));
      f1_abr_counts: assert (abr_ok);
      b3_err_sticky: assert ((err_q & ~err_clear_q & ~err_i) == '0);
      b3_err_shown: assert ((err_set_q & ~err_i) == '0);
      b3_err_cause: assert ((err_i & ~err_q & ~err_set_q) == '0);
      h8_c_sent: cover (inj_valid_i && inj_last_i && whole);
      h2_c_answered: cover (reply_sw_i);
      h2_c_queued: cover (inj_valid_i && sends_cnp_q);
      h1_c_window: cover (window_i != '0 && win_i == 8'(window_i));
      h3_c_becn: cover (becn_valid_i);
      h5_c_stopped: cover (stop_i != '0);
      b3_c_taken: cover (host_valid_i && host_ready_i);
    end
  end

  wire unused = &{1'b0, inj_data_i, host_data_i, tx_ctl_i};
endmodule

`ifndef YOSYS
bind hca host_pause_checker u_host_pause_check (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_we_i(cfg_we_i), .cfg_unit_i(cfg_unit_i), .cfg_addr_i(cfg_addr_i),
    .timeout_i(err_in_o[quell_pkg::IE_TIMEOUT])
);

bind hca_receiver notice_checker #(.FLIT_BYTES(FLIT_BYTES)) u_notice_check (
    .clk_i(clk_i), .rst_i(rst_i), .up_i(link_up_i), .rx_first_i(rx_first_i), .rx_data_i(rx_data_i),
    .flit_i(ready_i && rx_valid_i && link_up_i), .last_i(rx_last_i && !rx_bad_i), .store_i(store_o),
    .each_i(becn_per_i == '0), .on_i(cnp_en_i && !ack_en_i), .src_i(cnp_src_i), .push_i(push_o && !reply_o.ack), .becn_i(becn_valid_o)
);
`endif

`default_nettype wire
