// Table of the connections of a wormhole adapter: opening, posting, replies and what leaves have one turn a cycle among them. It keeps
// what is booked on the link, the credits of streams and of best-effort, and how many messages are in the adapter. What the mover does
// to a connection (its probe or release is on its way) is a bit in a memory of its own, so that each memory has one writer: the bit and
// a mark in the table differ when it has been done. Rules YA4, YA6, YC1, YC2.
`default_nettype none

module worm_conns #(
    parameter int VLS = 16,
    parameter int LANE = 40,
    parameter int CONNS = 256,
    parameter int CTLQ = 16
) (
    input  wire logic               clk_i,
    input  wire logic               rst_i,
    output logic                    ready_o,        // swept
    // registers
    input  wire logic               credit_en_i,
    input  wire logic               admit_en_i,
    input  wire logic [15:0]        m_i,            // as it acts; so is
    input  wire logic [12:0]        limit_i,
    input  wire logic [15:0]        c_b_i,
    input  wire logic [15:0]        first_node_i,
    input  wire logic [VLS-1:0]     rt_i,           // real-time lanes
    input  wire logic               be_i,           // there is a best-effort lane
    input  wire logic               lost_i,         // what is booked may be lost
    input  wire logic [15:0]        probe_gap_i,
    input  wire logic               seq_we_i,
    input  wire logic [5:0]         seq_i,          // that is written
    input  wire logic               lid_we_i,
    input  wire logic [3:0]         lid_i,          // that is written
    // the host
    input  wire logic               open_valid_i,
    input  wire logic [15:0]        open_conn_i,
    input  wire logic [15:0]        open_dlid_i,
    input  wire logic [15:0]        open_bw_i,
    output logic                    open_ready_o,
    input  wire logic               post_valid_i,
    input  wire logic [1:0]         post_class_i,
    input  wire logic [15:0]        post_conn_i,
    input  wire logic [15:0]        post_dlid_i,
    input  wire logic [7:0]         post_len_i,
    input  wire logic               post_final_i,
    input  wire logic [15:0]        post_tag_i,
    output logic                    post_ready_o,
    output logic                    done_valid_o,
    output logic                    done_post_o,
    output logic                    done_ok_o,
    output logic [2:0]              done_why_o,
    output logic [15:0]             done_tag_o,
    output logic                    event_valid_o,
    output logic [1:0]              event_kind_o,
    output logic [15:0]             event_conn_o,
    // a reply that waits
    input  wire logic               reply_valid_i,
    input  wire logic               reply_ack_i,
    input  wire logic [15:0]        reply_conn_i,
    input  wire logic [15:0]        reply_node_i,
    input  wire logic [15:0]        reply_slid_i,
    input  wire logic [15:0]        reply_bw_i,
    input  wire logic [5:0]         reply_seq_i,
    output logic                    reply_taken_o,  // it has its turn
    // a tail that leaves
    input  wire logic               leave_i,
    input  wire quell_pkg::worm_msg_t leave_msg_i,
    // queues: what is accepted
    input  wire logic [15:0]        control_i,      // messages in the queue of control
    output logic                    accept_o,       // a post
    output logic [1:0]              accept_class_o,
    output logic [15:0]             accept_to_o,    // connection (real-time) or DLID
    output logic [7:0]              accept_len_o,
    output logic                    accept_final_o,
    output logic [15:0]             accept_tag_o,
    output logic                    push_own_o,     // a connection that has a probe or release to send
    output logic [15:0]             push_conn_o,
    // the mover looks at two connections, and sends the second one's probe or release
    input  wire logic [15:0]        rt_conn_i,
    output logic [15:0]             rt_dlid_o,
    output logic [15:0]             rt_bw_o,
    output logic [3:0]              rt_lane_o,
    input  wire logic [15:0]        own_conn_i,
    output logic                    own_release_o,
    output logic [15:0]             own_dlid_o,
    output logic [15:0]             own_bw_o,
    output logic [15:0]             own_node_o,
    output logic [3:0]              own_lane_o,
    output logic [5:0]              own_seq_o,
    input  wire logic               own_moves_i,
    // errors, state
    output logic                    bad_post_o,     // Mealy, so are
    output logic                    no_conn_o,
    output logic                    over_sum_o,
    output logic                    bad_reply_o,
    output logic                    refused_o,      // a post
    output logic [15:0]             used_o,
    output logic [16*VLS-1:0]       book_o,
    output logic [16*VLS-1:0]       conns_o,
    output logic [15:0]             live_o,
    output logic [3:0]              lane_o,
    output logic [5:0]              seq_o,
    output logic [31:0]             sum_c_o,
    output logic [15:0]             avail_b_o,
    output logic [15:0]             posted_o,
    output logic [1:0]              turn_o,
    output logic [15:0]             gap_o,
    output logic                    waits_o,        // something for a turn
    output logic                    open_waits_o,
    output logic                    post_waits_o,
    output logic                    touched_o,
    output logic [15:0]             conn_o,
    output logic [2:0]              state_o,
    output logic [15:0]             avail_o
);
  localparam int CW = $clog2(CONNS);
  localparam int LW = $clog2(VLS);
  localparam logic [12:0] WHOLE = 13'd4096;  // of a link

  typedef struct packed {
    logic        mark;
    logic [2:0]  state;  // PROBE and RELEASE also when the message is on its way
    logic [15:0] node;   // that rejected it
    logic [15:0] avail;
    logic [15:0] c;
    logic [3:0]  lane;
    logic [15:0] dlid;
    logic [15:0] bw;
    logic [5:0]  seq;   // of the open
  } entry_t;

  entry_t now, next, rt_entry, own_entry;

  localparam int EW = $bits(now);

  // ---- sweep
  logic [CW-1:0] sweep_q;
  logic          ready_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sweep_q <= '0;
      ready_q <= 1'b0;
    end else if (!ready_q) begin
      sweep_q <= sweep_q + 1'b1;
      ready_q <= sweep_q == CW'(CONNS - 1);
    end
  end
  assign ready_o = ready_q;

  // ---- what waits
  logic [15:0] o_conn_q, o_dlid_q, o_bw_q;
  logic [1:0]  p_class_q;
  logic [15:0] p_conn_q, p_dlid_q, p_tag_q;
  logic [7:0]  p_len_q;
  logic        p_final_q;
  logic        opens, posts;  // it has its turn

  assign open_ready_o = ready_q && !open_waits_o;
  assign post_ready_o = ready_q && !post_waits_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) {open_waits_o, post_waits_o} <= '0;
    else begin
      open_waits_o <= open_waits_o ? !opens : open_valid_i && ready_q;
      post_waits_o <= post_waits_o ? !posts : post_valid_i && ready_q;
    end
    if (!open_waits_o) {o_conn_q, o_dlid_q, o_bw_q} <= {open_conn_i, open_dlid_i, open_bw_i};
    if (!post_waits_o) begin
      {p_class_q, p_conn_q, p_dlid_q, p_len_q} <= {post_class_i, post_conn_i, post_dlid_i, post_len_i};
      {p_final_q, p_tag_q} <= {post_final_i, post_tag_i};
    end
  end

  // ---- whose turn it is
  logic       leaves;  // a tail that the table must know of
  logic       rt_leaves, release_leaves, be_leaves, may_open;
  logic [2:0] waits, turn;
  logic [1:0] which;
  logic       any;

  assign rt_leaves = leave_i && leave_msg_i.kind == 2'd1;
  assign release_leaves = leave_i && leave_msg_i.kind == 2'd3 && leave_msg_i.last;
  assign be_leaves = leave_i && leave_msg_i.kind == 2'd2;
  assign leaves = rt_leaves || release_leaves;
  assign may_open = open_waits_o && gap_o == '0;
  assign waits_o = post_waits_o || may_open || reply_valid_i;
  assign waits = leaves ? '0 : {post_waits_o, may_open, reply_valid_i};

  rr_arbiter #(.N(3)) u_turn (
      .req_i(waits),
      .ptr_i(turn_o),
      .gnt_o(turn),
      .idx_o(which),
      .any_o(any)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) turn_o <= '0;
    else if (any) turn_o <= (which == 2'd2) ? '0 : which + 1'b1;
  end

  assign reply_taken_o = turn[0];
  assign opens = turn[1];
  assign posts = turn[2];

  // ---- its connection
  logic [15:0]     number;
  logic [CW-1:0]   at, rt_at, own_at;
  logic            exists;
  logic [3*EW-1:0] entries;
  logic            moved, own_moved;
  logic            we;
  logic [2:0]      state;
  logic [1:0]      parity_err;

  always_comb begin
    number = p_conn_q;
    if (leaves) number = leave_msg_i.conn;
    else if (turn[0]) number = reply_conn_i;
    else if (turn[1]) number = o_conn_q;
  end
  assign exists = 17'(number) < 17'(CONNS);
  assign at = number[CW-1:0];
  assign rt_at = rt_conn_i[CW-1:0];
  assign own_at = own_conn_i[CW-1:0];

  ram_async #(.DEPTH(CONNS), .WIDTH(EW), .READS(3)) u_entries (
      .clk_i,
      .we_i(we || !ready_q),
      .waddr_i(ready_q ? at : sweep_q),
      .wdata_i(ready_q ? next : '0),
      .raddr_i({own_at, rt_at, at}),
      .rdata_o(entries),
      .used_i(3'd0),
      .parity_err_o(parity_err[0])
  );

  ram_async #(.DEPTH(CONNS), .WIDTH(1), .READS(2)) u_moved (
      .clk_i,
      .we_i(own_moves_i || !ready_q),
      .waddr_i(ready_q ? own_at : sweep_q),
      .wdata_i(ready_q && !own_entry.mark),
      .raddr_i({own_at, at}),
      .rdata_o({own_moved, moved}),
      .used_i(2'd0),
      .parity_err_o(parity_err[1])
  );

  assign now = entries[EW-1:0];
  assign rt_entry = entries[2*EW-1:EW];
  assign own_entry = entries[3*EW-1:2*EW];

  always_comb begin
    state = now.state;
    if (now.state == quell_pkg::WC_PROBE && moved != now.mark) state = quell_pkg::WC_PROBING;
    if (now.state == quell_pkg::WC_RELEASE && moved != now.mark) state = quell_pkg::WC_RELEASING;
  end

  assign rt_dlid_o = rt_entry.dlid;
  assign rt_bw_o = rt_entry.bw;
  assign rt_lane_o = rt_entry.lane;
  assign own_release_o = own_entry.state == quell_pkg::WC_RELEASE;
  assign own_dlid_o = own_entry.dlid;
  assign own_bw_o = own_entry.bw;
  assign own_node_o = own_entry.node;
  assign own_lane_o = own_entry.lane;
  assign own_seq_o = own_entry.seq;

  // ---- an open
  logic [27:0]    product;
  logic [16*VLS-1:0] load;       // of each lane
  logic [15:0]    share, c;       // credits of its bandwidth
  logic [2:0]     why_open;
  logic           gives_up, open_ok;

  assign product = 28'(o_bw_q) * 28'(m_i[12:0]);
  assign share = product[27:12];
  assign c = !credit_en_i ? '0 : (share == '0) ? 16'd1 : share;

  // Its lane: of the real-time lanes with the least on them, each has its turn.
  logic [15:0]    least;
  logic [VLS-1:0] alike, chosen;
  logic [LW-1:0]  from, lane;
  logic           some;

  always_comb begin
    least = '1;
    for (int v = 0; v < VLS; v++) if (rt_i[v] && load[16*v+:16] < least) least = load[16*v+:16];
    for (int v = 0; v < VLS; v++) alike[v] = rt_i[v] && load[16*v+:16] == least;
  end
  assign load = admit_en_i ? book_o : conns_o;
  assign from = (5'(lane_o) >= 5'(VLS)) ? '0 : LW'(lane_o);

  rr_arbiter #(.N(VLS)) u_lane (
      .req_i(alike),
      .ptr_i(from),
      .gnt_o(chosen),
      .idx_o(lane),
      .any_o(some)
  );

  logic [3:0] to_lane;

  assign to_lane = some ? 4'(lane) : '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) lane_o <= '0;
    else if (lid_we_i) lane_o <= lid_i;
    else if (open_ok) lane_o <= to_lane + 4'd1;
  end

  assign gives_up = opens && exists && state == quell_pkg::WC_PROBING && admit_en_i && lost_i && o_bw_q == '0;

  always_comb begin
    why_open = quell_pkg::WHY_OK;
    if (gives_up) why_open = quell_pkg::WHY_OK;
    else if (!exists || state != quell_pkg::WC_IDLE) why_open = quell_pkg::WHY_NO_CONN;
    else if (admit_en_i && (o_bw_q == '0 || o_bw_q > 16'(WHOLE) || !some)) why_open = quell_pkg::WHY_BAD_POST;
    else if (admit_en_i && 17'(used_o) + 17'(o_bw_q) > 17'(limit_i)) why_open = quell_pkg::WHY_NO_BANDWIDTH;
    else if (credit_en_i && 34'(sum_c_o) + 34'(c) + 34'(c_b_i) > 34'(m_i)) why_open = quell_pkg::WHY_SUM_C;
  end
  assign open_ok = opens && !gives_up && why_open == quell_pkg::WHY_OK;  // a new connection

  // ---- a post
  logic [2:0] why_post;
  logic       post_ok, streams;

  always_comb begin
    why_post = quell_pkg::WHY_OK;
    if (p_class_q == 2'd3 || p_len_q == '0 || p_len_q > 8'(LANE) || (p_class_q == 2'd2 && !be_i)) why_post = quell_pkg::WHY_BAD_POST;
    else if (p_class_q == 2'd1 && (!exists || state != quell_pkg::WC_OPEN)) why_post = quell_pkg::WHY_NO_CONN;
    else if (p_class_q == 2'd0) why_post = (control_i >= 16'(CTLQ)) ? quell_pkg::WHY_FULL : quell_pkg::WHY_OK;
    else if (posted_o >= m_i) why_post = quell_pkg::WHY_FULL;
    else if (credit_en_i && ((p_class_q == 2'd1) ? now.avail : avail_b_o) == '0) why_post = quell_pkg::WHY_NO_CREDIT;
  end
  assign post_ok = posts && why_post == quell_pkg::WHY_OK;
  assign streams = p_class_q == 2'd1;

  assign accept_o = post_ok;
  assign accept_class_o = p_class_q;
  assign accept_to_o = streams ? p_conn_q : p_dlid_q;
  assign accept_len_o = p_len_q;
  assign accept_final_o = streams && p_final_q;
  assign accept_tag_o = p_tag_q;
  assign refused_o = posts && !post_ok;

  // ---- what a turn does to its connection
  logic answers, rejects, here;  // a reply that is one; a NACK; of the first router
  logic ends;                    // what is booked for it goes
  logic closes;                  // its last message leaves
  logic idles;                   // it is no connection any more

  assign answers = turn[0] && exists && state == quell_pkg::WC_PROBING && reply_slid_i == now.dlid && reply_bw_i == now.bw
      && reply_seq_i == now.seq;
  assign bad_reply_o = turn[0] && !answers;
  assign rejects = answers && !reply_ack_i;
  assign here = reply_node_i == first_node_i;
  assign closes = rt_leaves && leave_msg_i.last;
  assign ends = rejects || closes || gives_up;
  assign idles = (rejects && here) || closes || gives_up || release_leaves;

  always_comb begin
    next = now;
    we = 1'b0;
    if (leaves) begin
      we = 1'b1;
      if (release_leaves || leave_msg_i.last) next.state = quell_pkg::WC_IDLE;
      if (rt_leaves && now.c != '0 && now.avail < now.c) next.avail = now.avail + 16'd1;
    end else if (answers) begin
      we = 1'b1;
      next.state = reply_ack_i ? quell_pkg::WC_OPEN : here ? quell_pkg::WC_IDLE : quell_pkg::WC_RELEASE;
      next.mark = moved;
      if (!reply_ack_i) next.node = reply_node_i;
    end else if (gives_up) begin
      we = 1'b1;
      next.state = quell_pkg::WC_IDLE;
    end else if (open_ok) begin
      we = 1'b1;
      next.state = admit_en_i ? quell_pkg::WC_PROBE : quell_pkg::WC_OPEN;
      next.mark = moved;
      next.avail = c;
      next.c = c;
      next.lane = to_lane;
      next.dlid = o_dlid_q;
      next.seq = seq_o;
      next.bw = admit_en_i ? o_bw_q : '0;
    end else if (post_ok && streams) begin
      we = 1'b1;
      if (p_final_q) next.state = quell_pkg::WC_CLOSING;
      if (credit_en_i) next.avail = now.avail - 16'd1;
    end
  end

  assign push_own_o = (open_ok && admit_en_i) || (rejects && !here);
  assign push_conn_o = number;

  always_ff @(posedge clk_i) begin
    touched_o <= !rst_i && we;
    conn_o <= (rst_i || !we) ? '0 : number;
    state_o <= (rst_i || !we) ? '0 : next.state;
    avail_o <= (rst_i || !we) ? '0 : next.avail;
  end

  // ---- sums
  logic [15:0]     bw_on, bw_off;
  logic [15:0]     out_q;   // best-effort messages in the adapter
  logic            posted_on, posted_off;

  assign bw_on = (open_ok && admit_en_i) ? o_bw_q : '0;
  assign bw_off = ends ? now.bw : '0;
  assign posted_on = post_ok && p_class_q != 2'd0;
  assign posted_off = rt_leaves || be_leaves;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      used_o <= '0;
      sum_c_o <= '0;
      posted_o <= '0;
      out_q <= '0;
      live_o <= '0;
      seq_o <= '0;
      gap_o <= '0;
    end else begin
      seq_o <= seq_we_i ? seq_i : seq_o + 6'(open_ok);
      if (open_ok && admit_en_i) gap_o <= probe_gap_i;
      else if (gap_o != '0) gap_o <= gap_o - 16'd1;
      live_o <= live_o + 16'(open_ok) - 16'(idles);
      used_o <= (bw_off > used_o) ? '0 : used_o - bw_off + bw_on;
      if (open_ok) sum_c_o <= sum_c_o + 32'(c);
      else if (ends) sum_c_o <= sum_c_o - 32'(now.c);
      posted_o <= posted_o + 16'(posted_on) - 16'(posted_off);
      out_q <= out_q + 16'(post_ok && p_class_q == 2'd2) - 16'(be_leaves);
    end
  end

  for (genvar v = 0; v < VLS; v++) begin : g_book
    logic [15:0] book;

    assign book = book_o[16*v+:16];

    always_ff @(posedge clk_i) begin
      if (rst_i) conns_o[16*v+:16] <= '0;
      else if (open_ok && to_lane == 4'(v)) conns_o[16*v+:16] <= conns_o[16*v+:16] + 16'd1;
      else if (idles && now.lane == 4'(v)) conns_o[16*v+:16] <= conns_o[16*v+:16] - 16'd1;
      if (rst_i) book_o[16*v+:16] <= '0;
      else if (open_ok && to_lane == 4'(v)) book_o[16*v+:16] <= book + bw_on;
      else if (ends && now.lane == 4'(v)) book_o[16*v+:16] <= (bw_off > book) ? '0 : book - bw_off;
    end
  end

  assign avail_b_o = (c_b_i > out_q) ? c_b_i - out_q : '0;

  // ---- what the host is told
  logic [2:0] why;

  assign why = opens ? why_open : why_post;
  assign bad_post_o = (opens || posts) && why == quell_pkg::WHY_BAD_POST;
  assign no_conn_o = (opens || posts) && why == quell_pkg::WHY_NO_CONN;
  assign over_sum_o = opens && why == quell_pkg::WHY_SUM_C;

  always_ff @(posedge clk_i) begin
    if (rst_i || !(opens || posts)) {done_valid_o, done_post_o, done_ok_o, done_why_o, done_tag_o} <= '0;
    else begin
      done_valid_o <= 1'b1;
      done_post_o <= posts;
      done_ok_o <= why == quell_pkg::WHY_OK;
      done_why_o <= why;
      done_tag_o <= opens ? o_conn_q : p_tag_q;
    end
    {event_valid_o, event_kind_o, event_conn_o} <= '0;
    if (!rst_i) begin
      if ((answers && reply_ack_i) || (open_ok && !admit_en_i)) {event_valid_o, event_kind_o, event_conn_o} <= {1'b1, 2'd1, number};
      if ((rejects && here) || release_leaves || gives_up) {event_valid_o, event_kind_o, event_conn_o} <= {1'b1, 2'd2, number};
      if (closes) {event_valid_o, event_kind_o, event_conn_o} <= {1'b1, 2'd3, number};
    end
  end

  wire unused = &{1'b0, parity_err, chosen, own_moved, rt_entry, own_entry, leave_msg_i.tag, product[11:0], rt_conn_i, own_conn_i};
endmodule

`default_nettype wire
