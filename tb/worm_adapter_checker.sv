// What a user of a wormhole adapter is promised, told by its ports: what was accepted completes once, a stream's messages and control
// messages in the order in which they were posted; flits leave as they were moved, whole, with credits; a stream's credits and its messages
// in the adapter are always as many; what is booked is that of the streams that have it, and what may be lost of it is told; opens, posts and
// replies have their turns; every flit that comes in gives its credit back.
// Instantiated by worm_adapter under QUELL_CHECK; for simulation. Rules YA4, YC1-YC4, YW1, YW2.
`default_nettype none

module worm_adapter_checker #(
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int LANE = 40,
    parameter int CONNS = 256,
    parameter int MSGQ = 1024,
    parameter int CTLQ = 16,
    localparam int V = VLS
) (
    input wire logic            clk_i,
    input wire logic            rst_i,
    input wire logic            cfg_we_i,
    input wire logic [7:0]      cfg_addr_i,
    input wire logic [31:0]     cfg_data_i,
    input wire logic            link_up_i,
    input wire logic            open_valid_i,
    input wire logic [15:0]     open_conn_i,
    input wire logic [15:0]     open_bw_i,
    input wire logic            open_ready_i,
    input wire logic            post_valid_i,
    input wire logic [1:0]      post_class_i,
    input wire logic [15:0]     post_conn_i,
    input wire logic [15:0]     post_tag_i,
    input wire logic            post_ready_i,
    input wire logic            done_valid_i,
    input wire logic            done_post_i,
    input wire logic            done_ok_i,
    input wire logic [15:0]     done_tag_i,
    input wire logic            cqe_valid_i,
    input wire logic [1:0]      cqe_class_i,
    input wire logic [15:0]     cqe_conn_i,
    input wire logic [15:0]     cqe_tag_i,
    input wire logic            dma_valid_i,
    input wire logic [127:0]    dma_data_i,
    input wire logic            move_i,
    input wire logic [3:0]      move_vl_i,
    input wire logic [7:0]      move_left_i,
    input wire logic            rx_valid_i,
    input wire logic [3:0]      rx_vl_i,
    input wire logic [V-1:0]    rx_credit_i,
    input wire logic            tx_valid_i,
    input wire logic [3:0]      tx_vl_i,
    input wire logic            tx_first_i,
    input wire logic            tx_last_i,
    input wire logic [127:0]    tx_data_i,
    input wire logic [V-1:0]    tx_credit_i,
    input wire logic [15:0]     err_i,
    input wire logic [7:0]      replies_i,
    input wire logic [15:0]     gap_i,
    input wire logic [15:0]     used_i,
    input wire logic [31:0]     sum_c_i,
    input wire logic [15:0]     posted_i,
    input wire logic            touched_i,
    input wire logic [15:0]     conn_i,
    input wire logic [2:0]      state_i,
    input wire logic [15:0]     avail_i
);
  localparam int R = V - 2;
  localparam int CW = $clog2(CONNS);
  localparam int MW = $clog2(MSGQ);
  localparam int CTL = CTLQ + LANE + 4;  // control messages that may be in the adapter
  localparam int CTW = $clog2(CTL);
  localparam int ROOM = LANE + 3;        // flits of a lane, and those on their way to the link
  localparam int FW = $clog2(ROOM);

  logic run_q, run;                      // it has been ready since the reset

  assign run = run_q || open_ready_i || post_ready_i;
  always_ff @(posedge clk_i) run_q <= !rst_i && run;

  // ---- registers, and as they were in the cycle before
  logic        credit_q, p_credit_q, admit_q, p_admit_q;
  logic [15:0] m_q, p_m_q, m, c_b_q, p_c_b_q;

  assign m = (m_q == '0) ? 16'd1 : (m_q > 16'(MSGQ)) ? 16'(MSGQ) : m_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      {credit_q, admit_q} <= '0;
      m_q <= (MSGQ < 1024) ? 16'(MSGQ) : 16'd1024;
      c_b_q <= (MSGQ < 4) ? 16'd1 : (MSGQ < 800) ? 16'(MSGQ / 4) : 16'd200;
    end else if (run && cfg_we_i) begin
      if (cfg_addr_i == 8'd0) {admit_q, credit_q} <= cfg_data_i[1:0];
      if (cfg_addr_i == 8'd1) m_q <= cfg_data_i[15:0];
      if (cfg_addr_i == 8'd2) c_b_q <= cfg_data_i[15:0];
    end
    {p_credit_q, p_admit_q, p_m_q, p_c_b_q} <= {credit_q, admit_q, m, c_b_q};
  end

  // ---- the open and the post that wait for their turn
  logic [15:0] o_conn_q, o_bw_q, p_conn_q, p_tag_q;
  logic [1:0]  p_class_q;

  always_ff @(posedge clk_i) begin
    if (open_valid_i && open_ready_i) {o_conn_q, o_bw_q} <= {open_conn_i, open_bw_i};
    if (post_valid_i && post_ready_i) {p_class_q, p_conn_q, p_tag_q} <= {post_class_i, post_conn_i, post_tag_i};
  end

  // ---- how long they have waited, and a reply: for two turns of others and what leaves, which has every second turn at most after the
  // two that were on their way to the link. An open waits for PROBE_GAP,
  // too. (Of replies while none comes, or one could take the other's place.)
  localparam logic [3:0] LONG = 4'd8;
  logic [3:0] o_time_q, p_time_q, r_time_q;
  logic [7:0] p_replies_q;

  always_ff @(posedge clk_i) begin
    p_replies_q <= rst_i ? '0 : replies_i;
    if (rst_i || open_ready_i) o_time_q <= '0;
    else if (run && o_time_q != '1) o_time_q <= (gap_i != '0) ? '0 : o_time_q + 4'd1;
    if (rst_i || post_ready_i) p_time_q <= '0;
    else if (run && p_time_q != '1) p_time_q <= p_time_q + 4'd1;
    if (rst_i || replies_i == '0 || replies_i < p_replies_q || (rx_valid_i && rx_vl_i == 4'(V - 2))) r_time_q <= '0;
    else if (r_time_q != '1) r_time_q <= r_time_q + 4'd1;
  end

  // ---- real-time and best-effort messages in the adapter, in any order, with numbers that say which is older
  logic [MSGQ-1:0] live_q;
  logic [1:0]      class_q[0:MSGQ-1];
  logic [15:0]     m_conn_q[0:MSGQ-1];
  logic [15:0]     m_tag_q[0:MSGQ-1];
  logic [31:0]     age_q[0:MSGQ-1];
  logic [31:0]     time_q;
  logic [15:0]     count_q, count;
  logic            opened, accepted, queued, completes, found, room;
  logic [MW-1:0]   at, free;

  assign opened = done_valid_i && !done_post_i && done_ok_i && !(p_admit_q && o_bw_q == '0);  // (else one is given up)
  assign accepted = done_valid_i && done_post_i && done_ok_i;
  assign queued = accepted && p_class_q != 2'd0;
  assign completes = cqe_valid_i && cqe_class_i != 2'd0;
  assign count = count_q + 16'(queued) - 16'(completes);

  always_comb begin
    found = 1'b0;
    room = 1'b0;
    at = '0;
    free = '0;
    if (completes)
      for (int k = 0; k < MSGQ; k++)
        if (live_q[k] && class_q[k] == cqe_class_i && (cqe_class_i == 2'd1 ? m_conn_q[k] == cqe_conn_i : m_tag_q[k] == cqe_tag_i)
            && (!found || age_q[k] < age_q[at])) begin
          found = 1'b1;
          at = MW'(k);
        end
    if (queued)
      for (int k = 0; k < MSGQ; k++) if (!room && (!live_q[k] || (found && at == MW'(k)))) begin
        room = 1'b1;
        free = MW'(k);
      end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      live_q <= '0;
      time_q <= '0;
      count_q <= '0;
    end else begin
      time_q <= time_q + 32'd1;
      count_q <= count;
      if (found) live_q[at] <= 1'b0;
      if (room) begin
        live_q[free] <= 1'b1;
        class_q[free] <= p_class_q;
        m_conn_q[free] <= p_conn_q;
        m_tag_q[free] <= p_tag_q;
        age_q[free] <= time_q;
      end
    end
  end

  // ---- control messages, first in, first out
  logic [15:0] control_q[0:CTL-1];
  logic [CTW-1:0] head_q, tail_q;
  logic [7:0]  inside_q;
  logic        control_on, control_off;

  assign control_on = accepted && p_class_q == 2'd0;
  assign control_off = cqe_valid_i && cqe_class_i == 2'd0;

  always_ff @(posedge clk_i) begin
    if (rst_i) {head_q, tail_q, inside_q} <= '0;
    else begin
      if (control_on) begin
        control_q[tail_q] <= p_tag_q;
        tail_q <= (32'(tail_q) == CTL - 1) ? '0 : tail_q + 1'b1;
      end
      if (control_off) head_q <= (32'(head_q) == CTL - 1) ? '0 : head_q + 1'b1;
      inside_q <= inside_q + 8'(control_on) - 8'(control_off);
    end
  end

  // ---- connections: credits, messages in the adapter, bandwidth that is booked
  logic [15:0]     c_q[0:CONNS-1], inside_of_q[0:CONNS-1], bw_q[0:CONNS-1];
  logic [CONNS-1:0] booked_q, counted_q;         // has bandwidth and credits in the sums; and has had credits since its opening
  logic [15:0]     used_q, used, c, inside_of;
  logic [31:0]     sum_q, sum;
  logic [27:0]     product;
  logic            over, off;                    // more messages than credits, or less; what is booked for it goes
  logic [CW-1:0]   o_at, t_at;

  assign o_at = o_conn_q[CW-1:0];
  assign t_at = conn_i[CW-1:0];
  assign product = 28'(o_bw_q) * 28'(p_m_q[12:0]);
  assign c = !p_credit_q ? '0 : (product[27:12] == '0) ? 16'd1 : product[27:12];
  assign off = touched_i && booked_q[t_at] && (state_i == 3'd0 || state_i == 3'd4);
  assign used = used_q + ((opened && p_admit_q) ? o_bw_q : '0) - (off ? bw_q[t_at] : '0);
  assign sum = sum_q + (opened ? 32'(c) : '0) - (off ? 32'(c_q[t_at]) : '0);
  assign inside_of = inside_of_q[t_at] + 16'(accepted && p_class_q == 2'd1 && p_conn_q == conn_i)
      - 16'(cqe_valid_i && cqe_class_i == 2'd1 && cqe_conn_i == conn_i);
  assign over = touched_i && counted_q[t_at] && (state_i == 3'd3 || state_i == 3'd6) && c_q[t_at] != '0 && avail_i + inside_of != c_q[t_at];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      booked_q <= '0;
      counted_q <= '0;
      used_q <= '0;
      sum_q <= '0;
    end else begin
      used_q <= used;
      sum_q <= sum;
      if (off) booked_q[t_at] <= 1'b0;
      if (off) counted_q[t_at] <= 1'b0;
      if (accepted && p_class_q == 2'd1) inside_of_q[p_conn_q[CW-1:0]] <= inside_of_q[p_conn_q[CW-1:0]] + 16'd1;
      if (cqe_valid_i && cqe_class_i == 2'd1) inside_of_q[cqe_conn_i[CW-1:0]] <= inside_of_q[cqe_conn_i[CW-1:0]] - 16'd1;
      if (accepted && p_class_q == 2'd1 && cqe_valid_i && cqe_class_i == 2'd1 && cqe_conn_i == p_conn_q)
        inside_of_q[p_conn_q[CW-1:0]] <= inside_of_q[p_conn_q[CW-1:0]];
      if (opened) begin
        booked_q[o_at] <= 1'b1;
        counted_q[o_at] <= 1'b1;
        c_q[o_at] <= c;
        bw_q[o_at] <= p_admit_q ? o_bw_q : '0;
        inside_of_q[o_at] <= '0;
      end
      if (!credit_q) counted_q <= '0;  // (posts take no credits)
    end
  end

  // ---- what is moved into each lane, and leaves it. (The header is made inside: of it only that it is one.)
  logic [V-1:0] no_credit, other, cut_short, no_pulse, made_up;
  logic         moves, first, last;
  logic         first_q;                         // the next flit that is moved is a header

  assign moves = move_i;
  assign first = first_q;
  assign last = move_left_i == 8'd1;
  always_ff @(posedge clk_i) if (rst_i) first_q <= 1'b1; else if (moves) first_q <= last;

  for (genvar v = 0; v < V; v++) begin : g_lane
    logic [129:0] flits[0:ROOM-1];
    logic [FW-1:0] front_q, tail;
    logic [7:0]   level_q, cr_q, left_q;
    logic [129:0] front;
    logic [9:0]   pkt_len;
    logic         here, push;

    assign here = tx_valid_i && tx_vl_i == 4'(v);
    assign push = moves && move_vl_i == 4'(v);
    assign front = flits[front_q];
    assign tail = FW'((32'(front_q) + 32'(level_q)) % ROOM);
    assign pkt_len = {tx_data_i[33:32], tx_data_i[47:40]};  // in words; 4 a flit
    assign no_credit[v] = here && cr_q == '0;
    assign other[v] = here && (level_q == '0 || {tx_first_i, tx_last_i} != front[129:128] || (!tx_first_i && tx_data_i != front[127:0]));
    assign cut_short[v] = here && ((tx_first_i != (left_q == '0)) || tx_last_i != (tx_first_i ? pkt_len == 10'd4 : left_q == 8'd1));

    always_ff @(posedge clk_i) begin
      if (push) flits[tail] <= {first, last, dma_valid_i ? dma_data_i : 128'd0};
      if (rst_i) {level_q, front_q, left_q} <= '0;
      else begin
        level_q <= level_q + 8'(push) - 8'(here);
        if (here) begin
          front_q <= (32'(front_q) == ROOM - 1) ? '0 : front_q + 1'b1;
          left_q <= tx_first_i ? pkt_len[9:2] - 8'd1 : left_q - 8'd1;
        end
      end
      // A flit that is on the link now took its credit two cycles ago: pulses of then are in, and what the link lost is home.
      if (rst_i || !up_q[1]) cr_q <= 8'(DEPTH);
      else cr_q <= cr_q - 8'(here) + 8'(credit_q2[v] && cr_q != 8'(DEPTH));
    end

    // ---- pulses to the router
    if (v != R) begin : g_pulse
      logic rx_q;
      assign no_pulse[v] = tx_credit_i[v] != rx_q;
      assign made_up[v] = 1'b0;
      always_ff @(posedge clk_i) rx_q <= !rst_i && run && link_up_i && rx_valid_i && rx_vl_i == 4'(v);
    end else begin : g_pulse
      logic [7:0] lent_q;                        // flits whose credits are not back; without those of another life of the link
      // (a reply waits for turns at the table alone)
      logic [7:0] wait_q;
      assign no_pulse[v] = wait_q > 8'(8 * DEPTH > 200 ? 200 : 8 * DEPTH);
      assign made_up[v] = tx_credit_i[v] && lent_q == '0;
      always_ff @(posedge clk_i) begin
        if (rst_i || !link_up_i) lent_q <= '0;
        else lent_q <= lent_q + 8'(run && rx_valid_i && rx_vl_i == 4'(v) && lent_q < 8'd200) - 8'(tx_credit_i[v] && lent_q != '0);
        if (rst_i || !link_up_i || lent_q == '0 || tx_credit_i[v]) wait_q <= '0;
        else wait_q <= wait_q + 8'(wait_q != '1);
      end
    end
  end

  logic [1:0]   up_q;
  logic [V-1:0] credit_q1, credit_q2;
  logic         p_ok_q;
  logic         lost_q;                          // the link was down, with streams that are booked

  always_ff @(posedge clk_i) begin
    up_q <= {up_q[0], link_up_i};
    credit_q1 <= run ? rx_credit_i : '0;
    credit_q2 <= credit_q1;
    p_ok_q <= !rst_i;
    lost_q <= !rst_i && run && !link_up_i && admit_q && booked_q != '0 && !off;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && p_ok_q) begin
      ya4_booked_is_of_streams: assert (used_i == used);
      ya4_lost_is_told: assert (!lost_q || err_i[9]);
      ya4_open_answered: assert (o_time_q < LONG);
      ya4_reply_taken: assert (r_time_q <= LONG);
      yc1_post_answered: assert (p_time_q < LONG);
      yc1_room: assert (!queued || count <= p_m_q);
      yc1_posted_is_counted: assert (posted_i == count);
      yc1_done_is_of_the_post: assert (!done_valid_i || done_tag_i == (done_post_i ? p_tag_q : o_conn_q));
      yc2_sum_is_of_streams: assert (sum_c_i == sum);
      yc2_sum_fits: assert (!opened || !p_credit_q || 34'(sum_c_i) + 34'(p_c_b_q) <= 34'(p_m_q));
      yc2_credits_and_messages: assert (!over);
      yc3_completes_once: assert (!completes || found);
      yc3_in_order: assert (!found || m_tag_q[at] == cqe_tag_i);
      yc3_control_in_order: assert (!control_off || (inside_q != '0 && control_q[head_q] == cqe_tag_i));
      yc4_flit_as_it_was_moved: assert (other == '0);
      yc4_whole: assert (cut_short == '0);
      yw2_adapter_has_credit: assert (no_credit == '0);
      yw2_adapter_gives_back: assert (no_pulse == '0);
      yw2_adapter_gives_no_more: assert (made_up == '0);
    end
  end

  wire unused = &{1'b0, cfg_data_i, err_i, tx_data_i, product[11:0]};
endmodule

`default_nettype wire
