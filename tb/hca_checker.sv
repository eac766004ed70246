// Properties of an adapter's generation queues and its chooser, by rule (its flits: adapter_stream_checker). Instantiated by hca under
// QUELL_CHECK; its units have checkers of their own. Everything is a clocked immediate assertion, so that simulation and formal tools
// read it alike.
`default_nettype none

module hca_checker #(
    parameter int LINES = 9,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int ADVOQ = 8,
    parameter int CNT_W = 32,
    parameter int RESPONSE = 0,
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
    input wire logic              pop_cnp_i,
    input wire logic [15:0]       lid_base_i,
    // generation queues
    input wire logic              post_i,
    input wire logic [15:0]       post_flow_i,
    input wire logic              pop_i,
    input wire logic [15:0]       pop_flow_i,
    input wire logic              post_first_i,  // into a queue without packets
    input wire logic [FLOWS-1:0]  any_i,
    input wire logic [FLOWS-1:0]  req_i,
    input wire logic [15:0]       sl_ok_i,
    input wire logic [FLOWS-1:0]  full_i,
    input wire logic [31:0]       gen_pkts_i,
    input wire logic [FLOWS-1:0]  stop_i,
    input wire logic [LINES-1:0]  ol_valid_i,
    input wire logic [LINES-1:0]  ol_stop_i,
    input wire logic              inj_last_i,
    // replies, and what comes
    input wire logic              reply_sw_i,
    input wire logic              rx_valid_i,
    input wire logic              rx_last_i,
    input wire logic              rx_bad_i,
    input wire logic              becn_valid_i,
    input wire logic [15:0]       becn_flow_i,
    input wire logic [CNT_W-1:0]  cnt_becn_i
);
  // ---- what was there a cycle ago
  logic              past_ok_q;  // the last cycle was not a reset cycle
  logic              stopping_q, pop_q, up_q;
  logic [15:0]       base_q;
  logic [CNT_W-1:0]  cnt_becn_q;
  logic              whole_end_q;  // the last flit of a packet came, undamaged
  logic [7:0]        win_q;
  logic [3:0]        window_q;
  logic [FLOWS-1:0]  blocked_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    stopping_q <= (ol_valid_i & ol_stop_i) != '0;
    pop_q <= pop_i;
    base_q <= lid_base_i;
    cnt_becn_q <= cnt_becn_i;
    up_q <= link_up_i;
    whole_end_q <= ready_i && rx_valid_i && rx_last_i && !rx_bad_i;
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
      h3_no_becn_while_down: assert (up_q || !becn_valid_i);
      h3_becn_legal: assert (!becn_valid_i || becn_flow_i < 16'(FLOWS));
    end
  end

  // ---- properties of two cycles
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h5_room_falls_by_accepts: assert (!room_falls || pop_q || base_q != lid_base_i);
      h5_stop_cause: assert (stop_i == '0 || stopping_q);
      h1_window_bound: assert (win_i <= win_q || win_i <= 8'(window_q));
      h1_window_is_of_the_free: assert (blocked_q != '1 || win_i == '0);
      h1_window_off: assert (window_q != '0 || win_i == '0);
      h1_window_leaves: assert (window_q == '0 || win_i + 8'd1 >= win_q || blocked_q != '0);
      h3_becn_cause: assert (!becn_valid_i || whole_end_q);
      h3_becn_counted: assert (cnt_becn_q == '1 || cnt_becn_i == cnt_becn_q + CNT_W'(becn_valid_i));
      h2_c_answered: cover (reply_sw_i);
      h1_c_window: cover (window_i != '0 && win_i == 8'(window_i));
      h3_c_becn: cover (becn_valid_i);
      h5_c_stopped: cover (stop_i != '0);
    end
  end

  wire unused = &{1'b0, pop_flow_i, move_flow_i};
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
