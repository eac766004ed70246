// What a host is promised by the source's end of reservation, by rule. Messages, chunks and packets are followed here from post to
// offer and answer; of the unit's own state only the writes to its table are looked at, and compared. Instantiated by reservation
// under QUELL_CHECK. Clocked immediate assertions, which simulation and formal tools read alike. Rules Q14 to Q22.
//
// An operation computed in t is looked at in t+1: its write (w_*), the reply that it took (r_*, on the pins in t-1), the
// packet that it offered. What lasts too long is looked at for one flow at a time (v_q).
`default_nettype none

module reservation_checker #(
    parameter int D = 1,
    parameter int MTU = 32,
    parameter int FLOWS = 64,
    parameter int CTL_BLOCKS = 64,
    parameter int NMAX = 16,
    parameter int MSGQ = 8,
    parameter int NOW_W = 32,
    parameter int DEDUP = 0,
    localparam int FW = $clog2(FLOWS)
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic             ready_i,
    input wire logic             srp_en_i,
    input wire logic             rtt_comp_i,
    input wire logic [6:0]       nmax_run_i,     // as it acts
    input wire logic [15:0]      nmin_i,
    input wire logic             merge_i,
    input wire logic             inorder_i,
    input wire logic             fast_i,
    input wire logic [NOW_W-1:0] rto_i,          // as it acts
    input wire logic             attr_we_i,
    input wire logic [15:0]      attr_flow_i,
    input wire logic             post_valid_i,
    input wire logic [15:0]      post_flow_i,
    input wire logic [15:0]      post_pkts_i,
    input wire logic [6:0]       post_last_i,
    input wire logic [23:0]      post_psn_i,
    input wire logic [8:0]       room_i,
    input wire logic [8:0]       link_room_i,
    input wire logic             ungranted_i,
    input wire logic             inj_ready_i,
    input wire logic             res_ready_i,
    input wire logic             rep_valid_i,
    input wire logic [1:0]       rep_kind_i,
    input wire logic [15:0]      rep_flow_i,
    input wire logic [12:0]      rep_id_i,
    input wire logic [7:0]       rep_seq_i,
    input wire logic [31:0]      rep_wait_i,
    input wire logic             rep_rty_i,
    input wire logic             rep_init_i,
    input wire logic             rin_valid_i,
    input wire logic             end_valid_i,
    input wire logic [FLOWS-1:0] gen_full_i,
    input wire logic             inj_valid_i,
    input wire logic [1:0]       inj_kind_i,
    input wire logic [15:0]      inj_flow_i,
    input wire logic [3:0]       inj_sl_i,
    input wire logic [3:0]       inj_lane_i,
    input wire logic [6:0]       inj_len_i,
    input wire logic [23:0]      inj_psn_i,
    input wire logic [12:0]      inj_id_i,
    input wire logic [7:0]       inj_seq_i,
    input wire logic [7:0]       inj_n_i,
    input wire logic             inj_last_i,
    input wire logic             inj_rty_i,
    input wire logic             res_valid_i,
    input wire logic [15:0]      res_flow_i,
    input wire logic [3:0]       res_sl_i,
    input wire logic [12:0]      res_id_i,
    input wire logic [7:0]       res_n_i,
    input wire logic [15:0]      res_size_i,
    input wire logic             res_last_i,
    input wire logic             res_rty_i,
    input wire logic             res_init_i,
    input wire logic             rin_done_i,
    input wire logic             end_ok_i,
    input wire logic [15:0]      err_i,
    input wire logic [15:0]      err_clear_i,
    input wire logic [15:0]      res_pkts_i,
    input wire logic [FLOWS-1:0] rs_i,
    input wire logic [FLOWS-1:0] go_i,
    input wire logic [FLOWS-1:0] wt_i,
    input wire logic [FLOWS-1:0] pq_i,
    input wire logic [4*FLOWS-1:0] flow_sl_i,    // bit b of the SL of flow f is bit b*FLOWS + f
    input wire logic             tab_we_i,
    input wire logic [15:0]      tab_addr_i,
    input wire logic [2:0]       tab_st_i,
    input wire logic             tab_byp_i,
    input wire logic [12:0]      tab_id_i,
    input wire logic [6:0]       tab_n_i,
    input wire logic [15:0]      tab_rem_i,
    input wire logic [NMAX-1:0]  tab_todo_i,
    input wire logic [NMAX-1:0]  tab_out_i,
    input wire logic [NMAX-1:0]  tab_rty_i,
    input wire logic             tab_again_i,
    input wire logic             b_i
);
  localparam int CK = 40;                  // bits of the checker's own time
  localparam int MA = $clog2(MSGQ);
  localparam logic [31:0] FARTHEST = 32'((33'd1 << (NOW_W - 1)) - 33'd1);
  localparam int TURNS = 7 * FLOWS + 20;    // five classes, and two cycles until an offer shows

  logic          past_ok_q;                // the last cycle was not a reset cycle
  logic [CK-1:0] time_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    time_q <= rst_i ? '0 : time_q + 1'b1;
  end

  // ---- the operation of the cycle before
  logic            w_we_q, w_byp_q, w_again_q;
  logic [15:0]     w_addr_q, w_rem_q;
  logic [2:0]      w_st_q;
  logic [12:0]     w_id_q;
  logic [6:0]      w_n_q;
  logic [NMAX-1:0] w_todo_q, w_out_q, w_rty_q;
  logic            rep_ok, p_valid_q, r_valid_q;      // the reply: p_ a cycle ago, r_ two
  logic [1:0]      p_kind_q, r_kind_q;
  logic [FW-1:0]   p_flow_q, r_flow_q;
  logic [12:0]     p_id_q, r_id_q;
  logic [7:0]      p_seq_q, r_seq_q;
  logic [31:0]     p_wait_q, r_wait_q;
  logic            p_rty_q, r_rty_q, p_init_q, r_init_q, fast_q, inorder_q;
  logic [NOW_W-1:0] rto_q;
  logic            srp_en_q, rtt_comp_q, inj_valid_q, inj_ready_q, ungranted_q, ungranted2_q, offered;
  logic [6:0]      nmax_run_q;
  logic [15:0]     nmin_q;
  logic [8:0]      room_q, room2_q;
  logic            attr_q, attr2_q, attr3_q;           // an SL was written
  logic            linked, linked_q, linked2_q;        // a flow has a granted packet that the link has credits for

  assign rep_ok = ready_i && rep_valid_i && rep_kind_i != '0 && rep_flow_i < 16'(FLOWS);
  assign offered = inj_valid_i && !inj_valid_q;

  always_comb begin
    linked = 1'b0;
    for (int i = 0; i < FLOWS; i++)
      if (go_i[i] && link_room_i[4'(32'({flow_sl_i[3*FLOWS+i], flow_sl_i[2*FLOWS+i], flow_sl_i[FLOWS+i], flow_sl_i[i]}) % D)])
        linked = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    w_we_q <= tab_we_i && !rst_i;
    w_addr_q <= tab_addr_i;
    w_st_q <= tab_st_i;
    w_byp_q <= tab_byp_i;
    w_id_q <= tab_id_i;
    w_n_q <= tab_n_i;
    w_rem_q <= tab_rem_i;
    w_todo_q <= tab_todo_i;
    w_out_q <= tab_out_i;
    w_rty_q <= tab_rty_i;
    w_again_q <= tab_again_i;
    p_valid_q <= rep_ok && !rst_i;
    p_kind_q <= rep_kind_i;
    p_flow_q <= rep_flow_i[FW-1:0];
    p_id_q <= rep_id_i;
    p_seq_q <= rep_seq_i;
    p_wait_q <= rep_wait_i;
    {p_rty_q, p_init_q} <= {rep_rty_i, rep_init_i};
    r_valid_q <= p_valid_q && !rst_i;
    r_kind_q <= p_kind_q;
    r_flow_q <= p_flow_q;
    r_id_q <= p_id_q;
    r_seq_q <= p_seq_q;
    r_wait_q <= p_wait_q;
    {r_rty_q, r_init_q} <= {p_rty_q, p_init_q};
    fast_q <= fast_i;
    inorder_q <= inorder_i;
    rto_q <= rto_i;
    srp_en_q <= srp_en_i;
    rtt_comp_q <= rtt_comp_i;
    nmax_run_q <= nmax_run_i;
    nmin_q <= nmin_i;
    inj_valid_q <= inj_valid_i && !rst_i;
    inj_ready_q <= inj_ready_i;
    ungranted_q <= ungranted_i;
    ungranted2_q <= ungranted_q;
    room_q <= room_i;
    room2_q <= room_q;
    attr_q <= ready_i && attr_we_i;
    attr2_q <= attr_q;
    attr3_q <= attr2_q;
    linked_q <= linked;
    linked2_q <= linked_q;
  end

  // ---- messages that wait: one is popped as its first chunk begins
  logic [FLOWS-1:0]   posted_q, seen_q;                // flows of which a message was posted, a chunk begun
  logic [7:0]         in_q[0:FLOWS-1], out_q[0:FLOWS-1];  // messages posted, begun
  logic [46:0]        msg_q[0:FLOWS*MSGQ-1];           // {pkts, last, psn}
  logic               legal, put, began, popping, joins;
  logic [FW-1:0]      f, post_flow;
  logic [7:0]         post_fill, v_fill, f_in, f_out, post_in;
  logic [46:0]        msg, tail;
  logic [MA-1:0]      tail_at;

  assign legal = post_flow_i < 16'(FLOWS) && post_pkts_i != '0 && post_last_i != '0 && 32'(post_last_i) <= MTU;
  assign post_flow = post_flow_i[FW-1:0];
  assign post_in = posted_q[post_flow] ? in_q[post_flow] : '0;
  assign post_fill = post_in - (seen_q[post_flow] ? out_q[post_flow] : '0) - 8'(began && f == post_flow);
  assign put = ready_i && post_valid_i && legal && post_fill < 8'(MSGQ) && !joins;
  // a message goes on where the last of two or more that wait ends: it becomes part of that one, but while the first of them is taken
  assign tail_at = post_in[MA-1:0] - 1'b1;
  assign tail = msg_q[{post_flow, tail_at}];
  assign popping = tab_we_i && tab_addr_i == 16'(post_flow) && !busy_q[post_flow];
  assign joins = ready_i && post_valid_i && legal && merge_i && post_fill >= 8'd2 && !popping && tail[30:24] == 7'(MTU)
      && 17'(tail[46:31]) + 17'(post_pkts_i) <= 17'd65535 && tail[23:0] + 24'(tail[46:31]) == post_psn_i;
  assign f_in = posted_q[f] ? in_q[f] : '0;
  assign f_out = seen_q[f] ? out_q[f] : '0;
  assign msg = msg_q[{f, f_out[MA-1:0]}];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      posted_q <= '0;
      seen_q <= '0;
    end else begin
      if (put) posted_q[post_flow] <= 1'b1;
      if (started) seen_q[f] <= 1'b1;
    end
    if (put) in_q[post_flow] <= post_in + 1'b1;
    if (started) out_q[f] <= f_out + 8'(began);
    if (put) msg_q[{post_flow, post_in[MA-1:0]}] <= {post_pkts_i, post_last_i, post_psn_i};
    if (joins) msg_q[{post_flow, tail_at}] <= {tail[46:31] + post_pkts_i, post_last_i, tail[23:0]};
  end

  // ---- chunks: of each flow the one under way, which of its packets were sent for good (or arrived), which as speculative
  // ones without an answer
  logic [FLOWS-1:0]      busy_q, byp_q, asked_q, granted_q;  // a RES has left and has no GRANT; it has one
  logic [FLOWS-1:0]      init_q;                             // DEDUP: no GRANT has said yet which ids the flow used
  logic [12:0]           id_q[0:FLOWS-1];
  logic [6:0]            n_q[0:FLOWS-1], last_q[0:FLOWS-1];
  logic [15:0]           rem_q[0:FLOWS-1];                   // packets of the message beyond the chunk
  logic [23:0]           psn_q[0:FLOWS-1];                   // PSN of the first one beyond it
  logic [NMAX-1:0]       spec_q[0:FLOWS-1], fin_q[0:FLOWS-1], rty_q[0:FLOWS-1];  // rty: with DEDUP, lost, and goes again
  logic [CK-1:0]         at_q[0:FLOWS-1];                    // DEDUP: when the flow got on
  logic [CK-1:0]         left_q[0:FLOWS-1], due_q[0:FLOWS-1], due_most_q[0:FLOWS-1];

  logic            busy, byp, asked, granted, grant, answered, acting, whole, started, goes_idle;
  logic [12:0]     id;
  logic [7:0]      seq;
  logic [6:0]      n, last, len;
  logic [15:0]     rem, msg_rem, cut;
  logic [23:0]     psn, first;
  logic [NMAX-1:0] spec, fin, rty, all, one, spec_then, fin_then, rty_then, again, spec_new, fin_new;
  logic            lost, late, open_all, falls_due;
  logic [2:0]      st_q[0:FLOWS-1];        // of the word
  logic [CK-1:0]   ahead, due_least;

  assign f = offered ? inj_flow_i[FW-1:0] : r_valid_q ? r_flow_q : w_addr_q[FW-1:0];
  assign busy = busy_q[f];
  assign byp = byp_q[f];
  assign asked = asked_q[f];
  assign granted = granted_q[f];
  assign id = seen_q[f] ? id_q[f] : '0;
  assign n = n_q[f];
  assign last = last_q[f];
  assign rem = seen_q[f] ? rem_q[f] : '0;
  assign psn = psn_q[f];
  assign spec = busy ? spec_q[f] : '0;
  assign fin = busy ? fin_q[f] : '0;
  assign rty = (busy && DEDUP != 0) ? rty_q[f] : '0;

  function automatic logic [NMAX-1:0] ones(input logic [6:0] k);
    ones = ~({NMAX{1'b1}} << k);
  endfunction

  assign all = ones(n);
  assign first = psn - 24'(n);                               // PSN of the chunk's first packet
  assign seq = r_valid_q ? r_seq_q : (inj_kind_i == quell_pkg::SRP_BYPASS) ? 8'(inj_psn_i - first) : inj_seq_i;
  assign one = (32'(seq) < NMAX) ? NMAX'(1) << seq : '0;
  assign len = (rem == '0 && seq + 8'd1 == 8'(n)) ? last : 7'(MTU);
  assign grant = r_valid_q && r_kind_q == quell_pkg::SRP_GRANT && asked && busy
      && (DEDUP == 0 || (init_q[f] ? r_init_q : !r_init_q)) && (r_id_q == id || (DEDUP != 0 && init_q[f]));
  assign answered = r_valid_q && r_kind_q != quell_pkg::SRP_GRANT && busy && !byp && r_id_q == id
      && ((spec & one) != '0 ? r_kind_q == quell_pkg::SRP_ACK || (rty & one) == '0 || r_rty_q
          : r_kind_q == quell_pkg::SRP_ACK && (rty & ~fin & one) != '0);
  assign acting = grant || answered || offered;
  assign ahead = (r_wait_q > FARTHEST) ? CK'(FARTHEST) : CK'(r_wait_q);
  assign due_least = (rtt_comp_q ? left_q[f] : time_q - 1'b1) + ahead;

  always_comb begin
    spec_then = spec;
    fin_then = fin;
    rty_then = rty;
    if (answered) begin
      spec_then = spec & ~one;
      if (r_kind_q == quell_pkg::SRP_ACK) begin
        fin_then = fin | one;
        rty_then = rty & ~one;
      end else if (DEDUP != 0) rty_then = rty | one;  // it may have come, and the NACK be another's
    end else if (offered) begin
      if (inj_kind_i == quell_pkg::SRP_SPEC || (rty & one) != '0) spec_then = spec | one;
      else fin_then = fin | one;
    end
  end

  // DEDUP: of what was sent and has no answer some goes again
  assign again = (DEDUP != 0 && w_we_q && !started && !goes_idle) ? (w_rty_q & ~rty_then) | (spec_then & rty_then & w_todo_q) : '0;
  assign falls_due = w_we_q && !started && !goes_idle && st_q[f] == quell_pkg::SR_WAIT && w_st_q == quell_pkg::SR_GO;
  assign lost = DEDUP != 0 && w_we_q && !started && !falls_due && (again != '0 || (w_again_q && w_st_q == quell_pkg::SR_RESW));
  assign late = rto_q != '0 && time_q - 1'b1 - at_q[f] >= CK'(rto_q);
  assign open_all = (all & ~fin_then & ~spec_then) == '0;

  assign whole = !busy || (fin_then == all && spec_then == '0 && (byp || granted || grant));
  // (with DEDUP chunks without reservation have no number)
  assign started = w_we_q && (DEDUP == 0 ? w_id_q != id
      : (w_st_q == quell_pkg::SR_RESW && !w_again_q) || (w_byp_q && w_todo_q == ones(w_n_q)));
  assign goes_idle = w_we_q && w_st_q == quell_pkg::SR_IDLE;
  assign began = started && rem == '0;
  assign msg_rem = began ? msg[46:31] : rem;
  assign cut = (msg_rem < 16'(nmax_run_q)) ? msg_rem : 16'(nmax_run_q);
  assign spec_new = started ? '0 : spec_then & ~again;
  assign fin_new = started ? '0 : fin_then;

  logic          take_q, take_init_q, take_here;                          // a RES left in the cycle before; of the chunk under way, not granted
  logic [12:0]   take_id_q;
  logic [FW-1:0] take_flow_q;

  // (with DEDUP one that is sent again may leave after its GRANT, and after its chunk: when the next one has the number that it had
  // before its GRANT said another one, too)
  assign take_here = take_q && (DEDUP == 0 || (busy_q[take_flow_q] && !byp_q[take_flow_q] && !granted_q[take_flow_q]
      && !(grant && f == take_flow_q) && !((started || goes_idle) && f == take_flow_q) && take_id_q == id_q[take_flow_q]
      && take_init_q == init_q[take_flow_q]));

  always_ff @(posedge clk_i) begin
    take_id_q <= res_id_i;
    take_init_q <= res_init_i;
    take_q <= !rst_i && res_valid_i && res_ready_i;
    take_flow_q <= res_flow_i[FW-1:0];
    if (rst_i) begin
      busy_q <= '0;
      byp_q <= '0;
      asked_q <= '0;
      granted_q <= '0;
      init_q <= {FLOWS{1'(DEDUP)}};
    end else begin
      if (grant) begin
        asked_q[f] <= 1'b0;
        granted_q[f] <= 1'b1;
        init_q[f] <= 1'b0;
      end
      if (goes_idle) begin
        busy_q[f] <= 1'b0;
        granted_q[f] <= 1'b0;
        if (DEDUP != 0) asked_q[f] <= 1'b0;
      end
      if (started) begin
        busy_q[f] <= 1'b1;
        granted_q[f] <= 1'b0;
        byp_q[f] <= w_byp_q;
        if (DEDUP != 0) asked_q[f] <= 1'b0;
      end
      if (take_here) asked_q[take_flow_q] <= 1'b1;
    end
    if (acting || w_we_q) begin
      spec_q[f] <= spec_new;
      fin_q[f] <= fin_new;
      rty_q[f] <= started ? '0 : rty_then | again;
      if (acting || started || lost) at_q[f] <= time_q - 1'b1;
    end
    if (started) begin
      n_q[f] <= w_n_q;
      rem_q[f] <= msg_rem - 16'(w_n_q);
      psn_q[f] <= (began ? msg[23:0] : psn) + 24'(w_n_q);
      if (began) last_q[f] <= msg[30:24];
    end
    if (started || (grant && w_we_q)) id_q[f] <= w_id_q;
    if (take_here) left_q[take_flow_q] <= time_q - 1'b1;
    if (grant) begin
      due_q[f] <= due_least;
      due_most_q[f] <= time_q + ahead;
    end
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      // ---- Q14: every packet of a message, with its PSN and length, in turn with other messages of its flow
      q14_message_there: assert (!began || f_in != f_out);
      q14_message_whole: assert (!goes_idle || rem == '0);
      q14_packet_right: assert (!offered || (inj_flow_i < 16'(FLOWS) && busy && inj_psn_i == first + 24'(seq) && inj_len_i == len));
      // ---- Q15
      q15_chunk_cut: assert (!started || (w_id_q == id + 13'(DEDUP == 0 || !w_byp_q) && 16'(w_n_q) == cut && w_n_q != '0 && w_rem_q == msg_rem - 16'(w_n_q)));
      q15_bypass: assert (!started || (began ? w_byp_q == (!srp_en_q || msg_rem < nmin_q) : w_byp_q == byp));
      // ---- Q16
      q16_chunk_whole: assert (!(started || goes_idle) || whole);
      q16_partition: assert (!w_we_q || (started ? w_todo_q == ones(w_n_q) && w_out_q == '0
          : w_out_q == spec_new && w_todo_q == ((goes_idle || !busy) ? '0 : all & ~spec_new & ~fin_then)));
      q16_one_res: assert (!take_q || DEDUP != 0 || (!asked_q[take_flow_q] && !granted_q[take_flow_q]));
      q16_reply_acts: assert (!(grant || answered) || w_we_q);
      q16_stays_of_flow: assert (!w_we_q || w_addr_q == 16'(f));
      // ---- Q17
      q17_once: assert (!offered || (seq < 8'(n) && ((spec | fin) & one) == '0));
      q17_spec_asked: assert (!offered || inj_kind_i != quell_pkg::SRP_SPEC || (asked && !byp));
      q17_granted: assert (!offered || inj_kind_i != quell_pkg::SRP_GRANTED || (granted && !byp));
      q17_bypass: assert (!offered || (inj_kind_i == quell_pkg::SRP_BYPASS) == byp);
      q17_fields: assert (!offered || (byp ? {inj_id_i, inj_seq_i, inj_n_i, inj_last_i} == '0
          : {inj_id_i, inj_n_i, inj_last_i} == {id, 8'(n), rem == '0}));
      // ---- Q21, Q22
      q22_flag_right: assert (!offered || inj_rty_i == ((rty & one) != '0));
      q22_spec_once: assert (!offered || inj_kind_i != quell_pkg::SRP_SPEC || (!granted && rty == '0 && !init_q[f]));
      q22_again_for_cause: assert (again == '0 || (falls_due ? inorder_q : late)
          || (fast_q && open_all && (again & rty_then) == '0 && granted && w_st_q == quell_pkg::SR_GO));
      q21_all_at_due: assert (DEDUP == 0 || !falls_due || !inorder_q || w_out_q == '0);
      q21_nothing_waits: assert (DEDUP == 0 || !w_we_q || started || goes_idle || !fast_q || w_st_q != quell_pkg::SR_GO || w_todo_q != '0
          || (w_out_q & ~w_rty_q) == '0);
      q22_again_of_sent: assert ((again & ~spec_then) == '0);
      q22_asks_again_for_cause: assert (DEDUP == 0 || !w_we_q || started || w_st_q != quell_pkg::SR_RESW || (asked && (late || answered)));
      q22_all_goes_again: assert (!lost || spec_new == '0 || (w_st_q == quell_pkg::SR_GO && fast_q && (again & rty_then) == '0));
      q22_grant_ends_asking: assert (!grant || started || goes_idle || w_st_q == quell_pkg::SR_WAIT);
      q22_goes_on: assert (!grant || DEDUP == 0 || !init_q[f] || w_id_q == r_id_q + 13'd1 + 13'(started && !w_byp_q));
      // ---- Q18
      q18_not_before: assert (!offered || inj_kind_i != quell_pkg::SRP_GRANTED || time_q > due_q[f]);
      // ---- Q20
      q20_lane: assert (!offered || (inj_kind_i == quell_pkg::SRP_SPEC ? inj_lane_i == 4'(D)
          : inj_lane_i < 4'(D) && (attr_q || attr2_q || attr3_q || 32'(inj_lane_i) == 32'(inj_sl_i) % D)));
      q20_has_room: assert (!offered || room2_q[inj_lane_i]);
      q20_spec_last: assert (!offered || inj_kind_i != quell_pkg::SRP_SPEC || !linked2_q);
      q20_none_behind_another: assert (!offered || !ungranted2_q);
    end
  end

  // ---- offers: of the RES, what is due of its chunk; and both stay until they are taken
  logic          res_valid_q, res_ready_q;
  logic [15:0]   res_flow_q, inj_flow_q;
  logic [35:0]   res_other_q;
  logic [67:0]   inj_other_q;
  logic          quiet_q, hush, hush_q, hush2_q;  // DEDUP: what was sent before the reset is on its way
  logic [NOW_W-1:0] ready_for_q;
  logic [FW-1:0] g;                        // flow of the RES
  logic [6:0]    g_n;
  logic          g_fin;

  assign g = res_flow_i[FW-1:0];
  assign g_n = n_q[g];
  assign g_fin = rem_q[g] == '0;
  assign hush = quiet_q && rto_i != '0;

  always_ff @(posedge clk_i) begin
    res_valid_q <= res_valid_i && !rst_i;
    res_ready_q <= res_ready_i;
    res_flow_q <= res_flow_i;
    res_other_q <= {res_sl_i, res_id_i, res_size_i, res_last_i, res_rty_i, res_init_i};
    quiet_q <= rst_i ? 1'(DEDUP) : quiet_q && !(ready_i && rto_i != '0 && ready_for_q >= rto_i);
    ready_for_q <= (rst_i || !ready_i) ? '0 : ready_for_q + 1'b1;
    hush_q <= !rst_i && hush;
    hush2_q <= !rst_i && hush_q;
    inj_flow_q <= inj_flow_i;
    inj_other_q <= {inj_kind_i, inj_sl_i, inj_lane_i, inj_len_i, inj_psn_i, inj_id_i, inj_seq_i[6:0], inj_n_i[4:0], inj_last_i, inj_rty_i};
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      q17_res_right: assert (!res_valid_i || (DEDUP != 0 && res_valid_q) || (res_flow_i < 16'(FLOWS) && busy_q[g] && !byp_q[g]
          && asked_q[g] == res_rty_i && !granted_q[g] && res_init_i == init_q[g]
          && res_id_i == id_q[g] && res_n_i == 8'(g_n) && res_last_i == g_fin
          && res_size_i == 16'(MTU) * (16'(g_n) - 16'd1) + (g_fin ? 16'(last_q[g]) : 16'(MTU))));
      q17_res_stays: assert (!(res_valid_q && !res_ready_q) || (res_valid_i && res_flow_i == res_flow_q
          && res_other_q == {res_sl_i, res_id_i, res_size_i, res_last_i, res_rty_i, res_init_i}));
      q17_res_zero: assert (res_valid_i || {res_flow_i, res_sl_i, res_id_i, res_n_i, res_size_i, res_last_i, res_rty_i, res_init_i} == '0);
      q22_quiet: assert (!res_valid_i || res_valid_q || !hush2_q);
      q20_offer_stays: assert (!(inj_valid_q && !inj_ready_q) || (inj_valid_i && inj_flow_i == inj_flow_q && inj_other_q
          == {inj_kind_i, inj_sl_i, inj_lane_i, inj_len_i, inj_psn_i, inj_id_i, inj_seq_i[6:0], inj_n_i[4:0], inj_last_i, inj_rty_i}));
      q20_offer_zero: assert (inj_valid_i
          || {inj_kind_i, inj_flow_i, inj_sl_i, inj_lane_i, inj_len_i, inj_psn_i, inj_id_i, inj_seq_i, inj_n_i, inj_last_i, inj_rty_i} == '0);
    end
  end

  // ---- one flow at a time: what it waits for, and for how many cycles in which it was not hindered by replies or what is outside
  logic [FW-1:0] v_q;
  logic [3:0]    v_sl;
  logic          v_lane_room;
  logic [15:0]   ask_q, start_q, due_late_q, go_q, hold_q, lost_q;
  logic [CK-1:0] wrote_q[0:FLOWS-1];       // when the word was written last
  logic [CK-1:0] set_q;                    // when the time-out became what it is (now - stamp may have wrapped before)
  logic          v_waits;                  // DEDUP: for an answer, and the time-out is over

  assign v_waits = DEDUP != 0 && rto_i != '0 && busy_q[v_q] && time_q - wrote_q[v_q] > CK'(rto_i) + CK'(4) && time_q - set_q > CK'(rto_i) + CK'(4)
      && (st_q[v_q] == quell_pkg::SR_SPEC || st_q[v_q] == quell_pkg::SR_STOP
          || ((st_q[v_q] == quell_pkg::SR_WAIT || st_q[v_q] == quell_pkg::SR_GO) && spec_q[v_q] != '0));

  for (genvar b = 0; b < 4; b++) begin : g_v_sl
    assign v_sl[b] = flow_sl_i[b*FLOWS+32'(v_q)];
  end

  assign v_lane_room = room_i[4'(32'(v_sl) % D)];
  assign v_fill = (posted_q[v_q] ? in_q[v_q] : '0) - (seen_q[v_q] ? out_q[v_q] : '0) - 8'(began && f == v_q);

  always_ff @(posedge clk_i) begin
    if (rst_i) set_q <= '0;
    else if (rto_i != rto_q) set_q <= time_q;
    if (w_we_q) begin
      st_q[w_addr_q[FW-1:0]] <= w_st_q;
      wrote_q[w_addr_q[FW-1:0]] <= time_q;
    end
    // it is followed until it has nothing to wait for, but not for ever
    if (rst_i || hold_q > 16'(16 * TURNS) || !(rs_i[v_q] || wt_i[v_q] || go_i[v_q] || pq_i[v_q] || v_waits)) begin
      hold_q <= '0;
      v_q <= (rst_i || v_q == FW'(FLOWS - 1)) ? '0 : v_q + 1'b1;
      ask_q <= '0;
      start_q <= '0;
      due_late_q <= '0;
      go_q <= '0;
      lost_q <= '0;
    end else begin
      hold_q <= hold_q + 1'b1;
      if (!v_waits) lost_q <= '0;
      else if (!rep_ok) lost_q <= lost_q + 1'b1;
      if (!rs_i[v_q]) ask_q <= '0;
      else if (!res_valid_i && !b_i && !rep_ok && !hush) ask_q <= ask_q + 1'b1;
      if (!pq_i[v_q] || busy_q[v_q]) start_q <= '0;
      else if (!rep_ok) start_q <= start_q + 1'b1;
      if (!wt_i[v_q] || asked_q[v_q] || time_q <= due_most_q[v_q]) due_late_q <= '0;
      else if (!rep_ok) due_late_q <= due_late_q + 1'b1;
      if (!go_i[v_q] || !v_lane_room || (offered && inj_flow_i == 16'(v_q)) || (ready_i && attr_we_i)) go_q <= '0;
      else if (!inj_valid_i && !ungranted_i && !rep_ok) go_q <= go_q + 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      q14_full_is_true: assert (gen_full_i[v_q] == (v_fill == 8'(MSGQ)));
      q14_waiting_is_true: assert (pq_i[v_q] == (v_fill != '0));
      q19_asks_in_time: assert (ask_q <= 16'(TURNS));
      q19_starts_in_time: assert (start_q <= 16'(TURNS));
      q19_due_in_time: assert (due_late_q <= 16'(TURNS));
      q22_lost_goes_again: assert (lost_q <= 16'(TURNS));
      q20_goes_in_time: assert (go_q <= 16'(TURNS * D));
    end
  end

  // ---- errors: exactly with their causes
  logic [15:0] err_q, err_clear_q, cause, cause_q;

  always_comb begin
    cause = '0;
    if (ready_i) begin
      cause[0] = post_valid_i && !legal;
      cause[1] = post_valid_i && legal && post_fill == 8'(MSGQ) && !joins;
      cause[2] = rep_valid_i && !rep_ok;
      cause[4] = rin_valid_i && res_pkts_i == 16'(CTL_BLOCKS);
      cause[5] = end_valid_i && !end_ok_i;
      cause[6] = attr_we_i && attr_flow_i >= 16'(FLOWS);
    end
  end

  always_ff @(posedge clk_i) begin
    err_q <= rst_i ? '0 : err_i;
    err_clear_q <= err_clear_i;
    cause_q <= rst_i ? '0 : cause;
  end

  logic [15:0] told;                       // BAD_RES: the schedule's checker says when

  assign told = {cause_q[15:3], cause_q[2] || (grant && r_wait_q > FARTHEST), cause_q[1:0]} | (err_q & ~err_clear_q);

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      b3_reservation_err: assert ((err_i & 16'hFFF7) == (told & 16'hFFF7));
      b3_bad_res: assert (!(err_i[3] && !(err_q[3] && !err_clear_q[3])) || rin_done_i);
      b3_silent_in_sweep: assert (ready_i || ({err_i, inj_valid_i, res_valid_i, end_ok_i, tab_we_i, b_i} == '0 && (gen_full_i | pq_i) == '0));
    end
  end
endmodule

`default_nettype wire
