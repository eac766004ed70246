// What comes in at a wormhole adapter: flits for the host, who takes them as they come; replies, which wait for their turn at the table
// of connections; what is not for the host is dropped. Every flit gives its credit back, a reply's header when it has had its turn.
// Rules YW1, YW2, YA4, F1.
`default_nettype none

module worm_receive #(
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int CNT_W = 32
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             run_i,
    input  wire logic             link_up_i,
    input  wire logic [15:0]      lid_i,
    input  wire logic             rx_valid_i,
    input  wire logic [3:0]       rx_vl_i,
    input  wire logic             rx_first_i,
    input  wire logic             rx_last_i,
    input  wire logic             rx_bad_i,
    input  wire logic [127:0]     rx_data_i,
    output logic [VLS-1:0]        tx_credit_o,
    // the host
    output logic                  dlv_valid_o,
    output logic [3:0]            dlv_vl_o,
    output logic                  dlv_first_o,
    output logic                  dlv_last_o,
    output logic                  dlv_bad_o,
    output logic [127:0]          dlv_data_o,
    output logic [VLS-1:0]        dlv_cut_o,
    // replies
    output logic                  reply_valid_o,
    output logic                  reply_ack_o,
    output logic [15:0]           reply_conn_o,
    output logic [15:0]           reply_node_o,
    output logic [15:0]           reply_slid_o,
    output logic [15:0]           reply_bw_o,
    output logic [5:0]            reply_seq_o,
    input  wire logic             reply_taken_i,
    // errors, counters, state
    output logic                  bad_reply_o,    // Mealy, so are
    output logic                  misrouted_o,
    output logic                  framing_o,
    output logic                  link_down_o,
    output logic                  bad_vl_o,
    output logic [CNT_W-1:0]      cnt_rcv_o,
    output logic [15:0]           cnt_drop_o,
    output logic [7:0]            replies_o,
    output logic [VLS-1:0]        open_o,
    output logic [VLS-1:0]        skip_o
);
  localparam int REPLY = VLS - 2;

  // ---- what it is
  logic [VLS-1:0] to;
  logic           here, legal, open, header, ends, stray, reply_lane;
  logic           last;
  logic [7:0]     kind;
  logic           not_ours, no_answer, skip;
  logic           answer, full, taken, kept, drop, deliver;

  for (genvar v = 0; v < VLS; v++) begin : g_to
    assign to[v] = rx_vl_i == 4'(v);
  end
  assign here = run_i && link_up_i && rx_valid_i;
  assign legal = here && to != '0;
  assign open = (to & open_o) != '0;
  assign header = legal && rx_first_i && !open;
  assign ends = legal && rx_first_i && open;
  assign stray = legal && !rx_first_i && !open;
  assign last = rx_last_i || ends;
  assign reply_lane = to[REPLY];
  assign kind = rx_data_i[quell_pkg::WORM_TYPE_LSB+:8];
  assign not_ours = quell_pkg::wire16(rx_data_i[quell_pkg::DLID_LSB+:16]) != lid_i || kind == quell_pkg::WT_PROBE
      || kind == quell_pkg::WT_RELEASE;
  assign no_answer = reply_lane && kind != quell_pkg::WT_ACK && kind != quell_pkg::WT_NACK;
  assign skip = header ? not_ours || no_answer : (to & skip_o) != '0;

  assign answer = header && reply_lane && !skip;
  assign full = replies_o == 8'(DEPTH);
  assign kept = answer && !full;
  assign drop = here && (!legal || stray || skip || (answer && full));
  assign deliver = legal && !stray && !skip && !reply_lane;

  assign bad_vl_o = here && !legal;
  assign framing_o = stray || ends;
  assign misrouted_o = header && not_ours;
  assign bad_reply_o = header && no_answer;
  assign link_down_o = run_i && !link_up_i && open_o != '0;

  always_ff @(posedge clk_i) begin
    if (rst_i || !link_up_i) open_o <= '0;
    else if (legal && !stray) open_o <= last ? open_o & ~to : open_o | to;
    if (rst_i) skip_o <= '0;
    else if (header) skip_o <= skip ? skip_o | to : skip_o & ~to;
    if (rst_i || !deliver) {dlv_valid_o, dlv_vl_o, dlv_first_o, dlv_last_o, dlv_bad_o, dlv_data_o} <= '0;
    else {dlv_valid_o, dlv_vl_o, dlv_first_o, dlv_last_o, dlv_bad_o, dlv_data_o} <=
        {1'b1, rx_vl_i, header, last, (rx_bad_i && rx_last_i) || ends, rx_data_i};
    dlv_cut_o <= (rst_i || !link_down_o) ? '0 : open_o & ~skip_o & ~(VLS'(1) << REPLY);
  end

  // ---- replies that wait
  logic [15:0] count;

  worm_queue #(.DEPTH(DEPTH), .WIDTH(71)) u_replies (
      .clk_i, .rst_i,
      .push_i(kept),
      .data_i({
          kind == quell_pkg::WT_ACK, quell_pkg::wire16(rx_data_i[95:80]), quell_pkg::wire16(rx_data_i[127:112]),
          quell_pkg::wire16(rx_data_i[63:48]), quell_pkg::wire16(rx_data_i[quell_pkg::WORM_BW_LSB+:16]), rx_data_i[79:74]
      }),
      .pop_i(reply_taken_i),
      .data_o({reply_ack_o, reply_conn_o, reply_node_o, reply_slid_o, reply_bw_o, reply_seq_o}),
      .some_o(reply_valid_o),
      .count_o(count)
  );

  assign replies_o = count[7:0];
  assign taken = reply_taken_i;

  // ---- pulses. Replies that waited while the link was down give none: the router has all its credits back.
  logic [VLS-1:0] gives;
  logic [7:0]     owed_q, stale_q, due;

  assign gives = (legal && !kept) ? to : '0;
  assign due = owed_q + 8'(gives[REPLY]) + 8'(taken && stale_q == '0);

  always_ff @(posedge clk_i) begin
    if (rst_i || !link_up_i) begin
      tx_credit_o <= '0;
      owed_q <= '0;
    end else begin
      tx_credit_o <= gives;
      tx_credit_o[REPLY] <= due != '0;
      owed_q <= (due == '0) ? '0 : (due > 8'(DEPTH)) ? 8'(DEPTH) : due - 8'd1;
    end
    if (rst_i) stale_q <= '0;
    else if (!link_up_i) stale_q <= replies_o - 8'(taken);
    else if (taken && stale_q != '0) stale_q <= stale_q - 8'd1;
  end

  event_counter #(.CNT_W(CNT_W)) u_rcv (.clk_i, .rst_i, .event_i(deliver && last), .count_o(cnt_rcv_o));
  event_counter #(.CNT_W(16)) u_drop (.clk_i, .rst_i, .event_i(drop), .count_o(cnt_drop_o));

  wire unused = &{1'b0, count[15:8]};
endmodule

`default_nettype wire
