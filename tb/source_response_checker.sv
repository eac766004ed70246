// What a user of the source response is promised, by rule. Instantiated by source_response under QUELL_CHECK.
// Everything is a clocked immediate assertion, so that simulation and formal tools read it alike.
// Packets, ACKs and times are counted here; windows, rates and slots are shadowed from the writes that the unit shows. An
// ACK is followed through its three stages. What has to happen within a bound is looked at for one flow at a time.
`default_nettype none

module source_response_checker #(
    parameter int VLS = 1,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int TS_W = 24,
    localparam int NV = (VL_BY_DEST != 0 || VLS < 16) ? VLS : 16,
    localparam int NC = (VL_BY_DEST != 0) ? VLS : 16
) (
    input wire logic               clk_i,
    input wire logic               rst_i,
    input wire logic               ready_i,
    input wire logic               enable_i,      // the registers, as they act
    input wire logic               rate_i,
    input wire logic               slots_i,
    input wire logic               dyn_i,
    input wire logic               from_ack_i,
    input wire logic               unit_i,
    input wire logic               reset_empty_i,
    input wire logic [7:0]         wmax_i,
    input wire logic [3:0]         g_i,
    input wire logic [3:0]         ws_steps_i,
    input wire logic [15:0]        rtt_min_i,
    input wire logic [15:0]        sevmap_i,
    input wire logic [3:0]         interval_i,
    input wire logic               cfg_we_i,
    input wire logic [7:0]         cfg_addr_i,
    input wire logic               wt_we_i,
    input wire logic [15:0]        wt_addr_i,
    input wire logic [31:0]        wt_data_i,
    input wire logic               attr_we_i,
    input wire logic [15:0]        attr_flow_i,
    input wire logic               ack_valid_i,
    input wire logic [15:0]        ack_flow_i,
    input wire logic [2:0]         ack_bits_i,
    input wire logic               post_valid_i,
    input wire logic [15:0]        post_flow_i,
    input wire logic [4*FLOWS-1:0] flow_sl_i,     // bit b of the SL of flow f is bit b*FLOWS + f
    input wire logic [FLOWS-1:0]   req_i,
    input wire logic [FLOWS-1:0]   stop_i,
    input wire logic [15:0]        sl_ok_i,
    input wire logic               inj_ready_i,
    input wire logic [6:0]         inj_len_i,
    input wire logic               sent_i,
    input wire logic               parity_err_i,
    input wire logic [15:0]        err_clear_i,
    input wire logic               inj_valid_i,
    input wire logic [15:0]        inj_flow_i,
    input wire logic [3:0]         inj_sl_i,
    input wire logic [FLOWS-1:0]   blocked_i,
    input wire logic [15:0]        err_i,
    input wire logic [TS_W-1:0]    now_i,
    input wire logic [15:0]        vp_i,
    input wire logic [FLOWS-1:0]   went_i,
    input wire logic [16*NV-1:0]   sp_i,
    input wire logic [16*NC-1:0]   fp_i,
    input wire logic [15:0]        wk_i,
    input wire logic [FLOWS-1:0]   blk_i,
    input wire logic               snd_i,
    input wire logic [FLOWS-1:0]   out_i,
    input wire logic [FLOWS-1:0]   adj_i,
    input wire logic               rsp_we_i,
    input wire logic [15:0]        rsp_addr_i,
    input wire logic [8:0]         rsp_acked_i,
    input wire logic [7:0]         rsp_win_i,
    input wire logic [32:0]        rsp_x_i,
    input wire logic [3:0]         rsp_j_i,
    input wire logic               rsp_av_i,
    input wire logic [TS_W-1:0]    rsp_at_i,
    input wire logic               lti_we_i,
    input wire logic [15:0]        lti_addr_i,
    input wire logic               lti_valid_i,
    input wire logic [TS_W-1:0]    lti_i,
    input wire logic [6:0]         lti_len_i,
    input wire logic [8:0]         lti_taken_i
);
  localparam int FW = $clog2(FLOWS);
  localparam int NE = (FLOWS > 16) ? FLOWS : 16;
  localparam int CK = 40;                                   // bits of the checker's own time
  localparam logic [31:0] DELAY_MAX = 32'd1 << (TS_W - 2);
  localparam logic [32:0] ONE = 33'd1 << 24;
  localparam int ALONE = FLOWS + FLOWS / 3 + 20;

  logic          past_ok_q;     // the last cycle was not a reset cycle
  logic [CK-1:0] time_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    time_q <= rst_i ? '0 : time_q + 1'b1;
  end

  // ---- packets: accepted, and the one being sent
  logic             accept;
  logic [FW-1:0]    offer;
  logic [6:0]       len;
  logic [31:0]      span;
  logic [FLOWS-1:0] went_out_q;           // flows of which a packet was accepted
  logic [8:0]       accepted_q[0:FLOWS-1];
  logic [6:0]       len_q     [0:FLOWS-1];
  logic [FLOWS-1:0] left_ok_q;            // a packet of it has left,
  logic [CK-1:0]    left_q    [0:FLOWS-1];  // the last one then
  logic             snd_q;
  logic [FW-1:0]    snd_flow_q;
  logic [CK-1:0]    free_q, leaves;       // free_q: when a link at LINK_INTERVAL could have sent it

  assign accept = inj_valid_i && inj_ready_i;
  assign offer = inj_flow_i[FW-1:0];
  assign len = (inj_len_i == '0) ? 7'd1 : inj_len_i;
  assign span = 32'(len) * 32'(interval_i);
  assign leaves = (free_q > time_q) ? free_q : time_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      went_out_q <= '0;
      left_ok_q <= '0;
      snd_q <= 1'b0;
    end else begin
      if (accept) went_out_q[offer] <= 1'b1;
      if (snd_q && (sent_i || accept)) left_ok_q[snd_flow_q] <= 1'b1;
      snd_q <= accept || (snd_q && !sent_i);
    end
    if (snd_q && (sent_i || accept)) left_q[snd_flow_q] <= leaves;
    if (accept) begin
      accepted_q[offer] <= went_out_q[offer] ? accepted_q[offer] + 1'b1 : 9'd1;
      len_q[offer] <= len;
      snd_flow_q <= offer;
      free_q <= time_q + ((span > DELAY_MAX) ? CK'(DELAY_MAX) : CK'(span));
    end
  end

  // ---- ACKs: what passes is followed for two cycles; then it counts, if there is something to count it for
  logic             ack_ok, pass, a1_q, a2_q, counts, looks, gives_up, op;
  logic [FW-1:0]    a1_flow_q, a2_flow_q, f;    // f: flow of the operation
  logic [2:0]       a1_bits_q, a2_bits_q;
  logic [1:0]       sev;
  logic [FLOWS-1:0] back_any_q;                 // flows of which a packet was counted back
  logic [8:0]       back_q[0:FLOWS-1];          // counted back, given up included
  logic [8:0]       all, back, n;               // packets of flow f; outstanding

  assign ack_ok = ready_i && ack_valid_i && ack_flow_i < 16'(FLOWS);
  assign pass = ack_ok && out_i[ack_flow_i[FW-1:0]];
  assign f = a2_q ? a2_flow_q : rsp_addr_i[FW-1:0];
  assign op = a2_q || rsp_we_i;
  assign all = went_out_q[f] ? accepted_q[f] : '0;
  assign back = back_any_q[f] ? back_q[f] : '0;
  assign n = all - back;
  assign sev = sevmap_i[2*a2_bits_q+:2];
  assign counts = a2_q && n != '0;
  assign looks = counts && enable_i && sev != 2'd3;
  assign gives_up = rsp_we_i && !a2_q && rsp_acked_i != back;

  always_ff @(posedge clk_i) begin
    a1_q <= pass && !rst_i;
    a1_flow_q <= ack_flow_i[FW-1:0];
    a1_bits_q <= ack_bits_i;
    a2_q <= a1_q && !rst_i;
    a2_flow_q <= a1_flow_q;
    a2_bits_q <= a1_bits_q;
    if (rst_i) back_any_q <= '0;
    else if (counts || gives_up) back_any_q[f] <= 1'b1;
    if (counts || gives_up) back_q[f] <= counts ? back + 1'b1 : all;
  end

  // ---- the words of the flows, as they were written; and as they count now
  logic [FLOWS-1:0] known_q;
  logic [7:0]       win_q[0:FLOWS-1];
  logic [32:0]      x_q  [0:FLOWS-1];
  logic [3:0]       j_q  [0:FLOWS-1];
  logic             av_q [0:FLOWS-1];
  logic [TS_W-1:0]  at_q [0:FLOWS-1];
  logic [7:0]       win, win_now, win_max, win_then;  // win_then: after the operation
  logic [32:0]      x, x_now, x_max;
  logic [3:0]       j, j_now;
  logic             av;
  logic [TS_W-1:0]  at;

  assign win_max = (wmax_i == '0) ? 8'd1 : wmax_i;
  assign x_max = ONE << g_i;
  assign win = known_q[f] ? win_q[f] : '0;
  assign x = known_q[f] ? x_q[f] : '0;
  assign j = known_q[f] ? j_q[f] : '0;
  assign av = known_q[f] && av_q[f];
  assign at = known_q[f] ? at_q[f] : '0;
  assign win_now = (adj_i[f] && dyn_i && win < win_max) ? win : win_max;
  assign win_then = !looks ? win_now : (dyn_i && rsp_win_i < win_max) ? rsp_win_i : win_max;
  assign x_now = !(adj_i[f] && rate_i) ? ONE : (x < x_max) ? x : x_max;
  assign j_now = !(adj_i[f] && slots_i) ? '0 : (j < ws_steps_i) ? j : ws_steps_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) known_q <= '0;
    else if (rsp_we_i) known_q[f] <= 1'b1;
    if (rsp_we_i) begin
      win_q[f] <= rsp_win_i;
      x_q[f] <= rsp_x_i;
      j_q[f] <= rsp_j_i;
      av_q[f] <= rsp_av_i;
      at_q[f] <= rsp_at_i;
    end
  end

  // ---- the same as a visit knew it whose offer rises now: the writes of the last three cycles are not in it
  logic             w1_q, w2_q, w3_q, l1_q, l2_q, l3_q;          // a write, of an ACK that was looked at
  logic [FW-1:0]    w1_flow_q, w2_flow_q, w3_flow_q;
  logic [32:0]      w1_x_q, w2_x_q, w3_x_q;
  logic [3:0]       w1_j_q, w2_j_q, w3_j_q;
  logic [FLOWS-1:0] old_known_q, old_ack_q, adj1_q, adj2_q, adj3_q;
  logic [32:0]      old_x_q [0:FLOWS-1];
  logic [3:0]       old_j_q [0:FLOWS-1];
  logic [CK-1:0]    old_at_q[0:FLOWS-1];                         // when that ACK was
  logic [32:0]      old_x;
  logic [3:0]       old_j;

  assign old_x = !(adj3_q[offer] && rate_i) ? ONE : (old_x_q[offer] < x_max) ? old_x_q[offer] : x_max;
  assign old_j = !(adj3_q[offer] && slots_i) ? '0 : (old_j_q[offer] < ws_steps_i) ? old_j_q[offer] : ws_steps_i;

  always_ff @(posedge clk_i) begin
    w1_q <= rsp_we_i && !rst_i;
    w2_q <= w1_q && !rst_i;
    w3_q <= w2_q && !rst_i;
    l1_q <= looks;
    l2_q <= l1_q;
    l3_q <= l2_q;
    w1_flow_q <= f;
    w2_flow_q <= w1_flow_q;
    w3_flow_q <= w2_flow_q;
    w1_x_q <= rsp_x_i;
    w2_x_q <= w1_x_q;
    w3_x_q <= w2_x_q;
    w1_j_q <= rsp_j_i;
    w2_j_q <= w1_j_q;
    w3_j_q <= w2_j_q;
    adj1_q <= adj_i;
    adj2_q <= adj1_q;
    adj3_q <= adj2_q;
    if (rst_i) begin
      old_known_q <= '0;
      old_ack_q <= '0;
    end else if (w3_q) begin
      old_known_q[w3_flow_q] <= 1'b1;
      if (l3_q) old_ack_q[w3_flow_q] <= 1'b1;
    end
    if (w3_q) begin
      old_x_q[w3_flow_q] <= w3_x_q;
      old_j_q[w3_flow_q] <= w3_j_q;
      if (l3_q) old_at_q[w3_flow_q] <= time_q - CK'(3);
    end
  end

  // ---- waiting times; cycles since a register or one of them was written
  logic [15:0] wt_any_q;
  logic [31:0] wt_q[0:15];
  logic [2:0]  steady_q;
  logic [31:0] wait_j;

  assign wait_j = wt_any_q[old_j] ? wt_q[old_j] : '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) wt_any_q <= '0;
    else if (ready_i && wt_we_i && wt_addr_i < 16'd16) wt_any_q[wt_addr_i[3:0]] <= 1'b1;
    if (ready_i && wt_we_i && wt_addr_i < 16'd16) wt_q[wt_addr_i[3:0]] <= wt_data_i;
    if (rst_i || cfg_we_i || wt_we_i) steady_q <= '0;
    else if (steady_q != 3'd7) steady_q <= steady_q + 1'b1;
  end

  // ---- what was there a cycle ago
  logic             ready_q, inj_valid_q, inj_ready_q, accept_q, snd_past_q, op_q, post_idle_q, put_q;
  logic [FLOWS-1:0] want, want_q, out_q, adj_q, looks_flow_q, post_flow_q, touched_q;
  logic [15:0]      sl_ok_q, inj_flow_q, err_q, err_clear_q, cause, cause_q;
  logic [3:0]       inj_sl_q;
  logic [FW-1:0]    op_flow_q, offer_q, snd_flow_past_q, put_flow_q;
  logic [8:0]       post_n;
  logic [TS_W-1:0]  now_q, put_lti_q;
  logic [6:0]       put_len_q;
  logic [TS_W-1:0]  ahead;

  assign want = req_i & ~stop_i;
  assign post_n = (went_out_q[post_flow_i[FW-1:0]] ? accepted_q[post_flow_i[FW-1:0]] : '0)
      - (back_any_q[post_flow_i[FW-1:0]] ? back_q[post_flow_i[FW-1:0]] : '0);
  assign ahead = TS_W'(leaves - time_q);

  always_comb begin
    cause = '0;
    if (ready_i) begin
      cause[0] = (ack_valid_i && ack_flow_i >= 16'(FLOWS)) || (attr_we_i && attr_flow_i >= 16'(FLOWS))
          || (post_valid_i && post_flow_i >= 16'(FLOWS)) || (wt_we_i && wt_addr_i >= 16'd16);
      cause[1] = accept && inj_len_i == '0;
      cause[2] = enable_i && wmax_i != '0 && ((ack_ok && !pass) || (a2_q && n == '0));
      cause[3] = enable_i && wmax_i != '0 && gives_up;
      cause[4] = counts && enable_i && sev == 2'd3;
    end
    cause[15] = parity_err_i;
  end

  always_ff @(posedge clk_i) begin
    ready_q <= ready_i;
    inj_valid_q <= inj_valid_i;
    inj_ready_q <= inj_ready_i;
    accept_q <= accept;
    snd_past_q <= snd_q;
    snd_flow_past_q <= snd_flow_q;
    looks_flow_q <= looks ? FLOWS'(1) << f : '0;
    op_q <= op;
    op_flow_q <= f;
    offer_q <= offer;
    touched_q <= (op ? FLOWS'(1) << f : '0) | (accept ? FLOWS'(1) << offer : '0);
    post_idle_q <= ready_i && post_valid_i && post_flow_i < 16'(FLOWS) && post_n == '0 && reset_empty_i && wmax_i != '0;
    post_flow_q <= FLOWS'(1) << post_flow_i[FW-1:0];
    want_q <= want;
    out_q <= out_i;
    adj_q <= adj_i;
    sl_ok_q <= sl_ok_i;
    inj_flow_q <= inj_flow_i;
    inj_sl_q <= inj_sl_i;
    err_q <= err_i;
    err_clear_q <= err_clear_i;
    cause_q <= cause;
    now_q <= now_i;
    put_q <= !rst_i && snd_q && (sent_i || accept);
    put_flow_q <= snd_flow_q;
    put_len_q <= len_q[snd_flow_q];
    put_lti_q <= now_i + ahead;
  end

  // ---- AK6: nothing is forgotten or invented, and the window holds
  logic [FLOWS-1:0] safe_q;      // flows whose packets were all accepted with the registers as they are
  logic [8:0]       offer_n, lti_all, op_n;
  logic             lti_was_sent, reset_writes;
  logic [FW-1:0]    lti_flow;

  assign offer_n = (went_out_q[offer] ? accepted_q[offer] : '0) - (back_any_q[offer] ? back_q[offer] : '0);
  assign op_n = (went_out_q[op_flow_q] ? accepted_q[op_flow_q] : '0) - (back_any_q[op_flow_q] ? back_q[op_flow_q] : '0);
  assign lti_flow = lti_addr_i[FW-1:0];
  // all of the flow that the write of the cycle before could know
  assign lti_all = (went_out_q[lti_flow] ? accepted_q[lti_flow] : '0) - 9'(accept_q && offer_q == lti_flow);
  assign lti_was_sent = snd_past_q && snd_flow_past_q == lti_flow;
  assign reset_writes = cfg_we_i && (cfg_addr_i == 8'd0 || cfg_addr_i == 8'd1);

  always_ff @(posedge clk_i) begin
    if (rst_i || reset_writes) safe_q <= '0;
    else safe_q <= safe_q | ~(out_i | (inj_valid_i ? FLOWS'(1) << offer : '0));
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      ak6_never_above: assert (!accept || !enable_i || wmax_i == '0 || !safe_q[offer] || offer_n < 9'(wmax_i));
      ak6_conserved: assert ((!rsp_we_i || (rsp_addr_i == 16'(f)
              && (rsp_acked_i == back + 9'(counts) || (gives_up && rsp_acked_i == all))))
          && (!counts || rsp_we_i)
          && (!lti_we_i || lti_taken_i == lti_all - 9'(!lti_valid_i && lti_was_sent)));
      ak6_out_is_true: assert (((out_i ^ out_q) & ~touched_q) == '0 && (!accept_q || out_i[offer_q])
          && (!op_q || (accept_q && op_flow_q == offer_q) || out_i[op_flow_q] == (op_n != '0)));
      ak6_ack_opens: assert (!counts || wmax_i == '0 || n >= 9'(win_now)
          || n - 1'b1 < 9'(win_then));
      // ---- AK7
      ak7_not_given_up_early: assert (!gives_up || (n != '0 && left_ok_q[f] && !(snd_q && snd_flow_q == f)
          && time_q > left_q[f] + CK'(DELAY_MAX)));
      ak7_stray_changes_nothing: assert ((!a2_q || n != '0 || !rsp_we_i)
          && (!rsp_we_i || looks || ({rsp_win_i, rsp_x_i, rsp_j_i} == {win, x, j}
              && ({rsp_av_i, rsp_at_i} == {av, at} || (!a2_q && {rsp_av_i, rsp_at_i} == '0))))
          && (adj_i & ~adj_q & ~looks_flow_q) == '0);
      ak7_stray_is_told: assert (err_i[2] == (cause_q[2] || (err_q[2] && !err_clear_q[2])));
      ak7_loss_is_told: assert (err_i[3] == (cause_q[3] || (err_q[3] && !err_clear_q[3])));
      // ---- VR1, VR5
      vr1_invalid_is_told: assert (err_i[4] == (cause_q[4] || (err_q[4] && !err_clear_q[4])));
      vr5_only_idle: assert ((adj_q & ~adj_i & ~(post_idle_q ? post_flow_q : '0)) == '0);
      ak7_c_gives_up: cover (gives_up);
      ak6_c_several: cover (counts && n > 9'd1);
    end
  end

  // ---- VR2, SR1, SR2: what an ACK that is looked at makes of window, rate and slots
  logic [FLOWS-1:0] moved_q;       // windows move since the flow was fresh
  logic [FLOWS-1:0] row_q, marked_q;
  logic [7:0]       clean_q[0:FLOWS-1];
  logic [32:0]      before_q[0:FLOWS-1];
  logic [7:0]       cleans;
  logic             mark;          // a mark that lowers the rate and is not cut

  assign cleans = (sev != 2'd0) ? '0 : !row_q[f] ? 8'd1 : (clean_q[f] == '1) ? '1 : clean_q[f] + 1'b1;
  assign mark = looks && rate_i && sev == 2'd2 && rsp_x_i > x_now && rsp_x_i < x_max;

  always_ff @(posedge clk_i) begin
    moved_q <= (rst_i || !dyn_i) ? '0 : moved_q | ~adj_i;
    if (rst_i || cfg_we_i) begin
      row_q <= '0;
      marked_q <= '0;
    end else if (looks) begin
      row_q[f] <= 1'b1;
      marked_q[f] <= mark;
    end
    if (looks) clean_q[f] <= cleans;
    if (mark) before_q[f] <= x_now;
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      vr2_window_legal: assert (!rsp_we_i || !(adj_i[f] || looks) || (rsp_win_i != '0 && (!looks || rsp_win_i <= win_max)));
      vr2_one_step: assert (!looks || ((rsp_win_i == win_now || ({rsp_x_i, rsp_j_i} == {x_now, j_now}
          && (rsp_win_i + 8'd1 == win_now || rsp_win_i == win_now + 8'd1))) && (rsp_x_i == x_now || rsp_j_i == j_now)));
      vr2_clean_never_slows: assert (!looks || sev != 2'd0 || (rsp_win_i >= win_now && rsp_x_i <= x_now && rsp_j_i <= j_now));
      vr2_mark_never_speeds: assert (!looks || sev == 2'd0 || (rsp_win_i <= win_now && rsp_x_i >= x_now && rsp_j_i >= j_now));
      vr2_slots_at_1: assert (!looks || !slots_i || !dyn_i || (adj_i[f] && !moved_q[f]) || rsp_j_i == '0 || rsp_win_i == 8'd1);
      vr2_full_rate: assert (!looks || !dyn_i || !slots_i || wmax_i == '0 || cleans < wmax_i
          || (rsp_win_i == wmax_i && rsp_j_i == '0));
      sr1_legal: assert (!rsp_we_i || !(adj_i[f] || looks) || (rsp_x_i >= ONE && rsp_x_i <= (ONE << 8)));
      sr2_recovers: assert (!looks || sev != 2'd0 || !rate_i || x_now == ONE || rsp_x_i < x_now);
      sr2_mark_then_clean: assert (!looks || sev != 2'd0 || !marked_q[f] || !adj_i[f]
          || rsp_x_i + (before_q[f] >> 13) >= before_q[f]);
      vr2_c_full_rate: cover (looks && dyn_i && slots_i && wmax_i > 8'd1 && cleans == wmax_i);
      sr2_c_mark_then_clean: cover (looks && sev == 2'd0 && marked_q[f]);
    end
  end

  // ---- VR3, SR3: an offer that rises keeps the delay, by times and by a product made here. (The unit's product is at most one
  // cycle less.)
  logic          rise, spaced;
  logic [CK-1:0] looked;                // when the flow was looked at last
  logic [15:0]   packet_time;
  logic [63:0]   product;
  logic [31:0]   least, wait_least;

  always_comb begin
    rise = inj_valid_i && !inj_valid_q;
    looked = time_q - 1'b1;
    packet_time = unit_i ? rtt_min_i : 16'(len_q[offer]) * 16'(interval_i);
    product = ((64'(old_x) - 64'(ONE)) * 64'(packet_time)) >> 24;
    least = (product > 64'(DELAY_MAX)) ? DELAY_MAX : product[31:0];
    if (least != '0) least = least - 1'b1;
    wait_least = (wait_j > DELAY_MAX) ? DELAY_MAX : wait_j;
    // the length of a packet that left long ago is forgotten
    spaced = rise && steady_q > 3'd3 && enable_i && old_known_q[offer] && went_out_q[offer];
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      vr3_spacing: assert (!spaced || !slots_i || wait_least == '0 || !old_ack_q[offer] || looked > old_at_q[offer] + CK'(wait_least));
      sr3_spacing: assert (!spaced || !rate_i || least == '0
          || (from_ack_i
              ? !old_ack_q[offer] || looked > old_at_q[offer] + CK'(least)
                  || (!unit_i && left_ok_q[offer] && looked > left_q[offer] + CK'(DELAY_MAX) && !(snd_past_q && snd_flow_past_q == offer))
              : !(snd_past_q && snd_flow_past_q == offer) && (!left_ok_q[offer] || looked > left_q[offer] + CK'(least))));
      vr3_c_waited: cover (spaced && slots_i && wait_least != '0 && old_ack_q[offer]);
      sr3_c_waited: cover (spaced && rate_i && least != '0);
    end
  end

  // ---- the flow looked at: one that wants
  logic [FW-1:0]    w_q;
  logic [3:0]       w_sl, inj_flow_sl, w_j;
  logic [8:0]       w_n;
  logic [7:0]       w_win;
  logic [FLOWS-1:0] w_alone;
  logic             w_keeps;     // it wants, has credit, and nothing was rewritten
  logic             w_no_delay, w_open, w_free;

  for (genvar b = 0; b < 4; b++) begin : g_w_sl
    assign w_sl[b] = flow_sl_i[b*FLOWS+32'(w_q)];
    assign inj_flow_sl[b] = flow_sl_i[b*FLOWS+32'(offer)];
  end

  always_comb begin
    w_n = (went_out_q[w_q] ? accepted_q[w_q] : '0) - (back_any_q[w_q] ? back_q[w_q] : '0);
    w_win = (adj_i[w_q] && dyn_i && win_q[w_q] < win_max) ? win_q[w_q] : win_max;
    w_j = !(adj_i[w_q] && slots_i) ? '0 : (j_q[w_q] < ws_steps_i) ? j_q[w_q] : ws_steps_i;
    w_alone = FLOWS'(1) << w_q;
    w_keeps = ready_i && want[w_q] && sl_ok_i[w_sl] && !cfg_we_i && !wt_we_i && !attr_we_i;
    w_no_delay = (rate_i && (!adj_i[w_q] || x_q[w_q] == ONE)) || (slots_i && (!wt_any_q[w_j] || wt_q[w_j] == '0))
        || !(rate_i || slots_i);
    w_open = wmax_i == '0 || w_n < 9'(w_win);
    w_free = !enable_i || (w_no_delay && w_open);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) w_q <= '0;
    else if (!want[w_q]) w_q <= (w_q == FW'(FLOWS - 1)) ? '0 : w_q + 1'b1;
  end

  // cycles without an offer: with nothing outstanding, no delay, alone; cycles that it is blocked for nothing
  logic [15:0] shut_q, alone_q, blocked_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || !w_keeps || want != w_alone || inj_valid_i || w_n != '0 || (enable_i && !w_no_delay)) shut_q <= '0;
    else if (shut_q != '1) shut_q <= shut_q + 1'b1;
    if (rst_i || !w_keeps || !w_free || want != w_alone || inj_valid_i) alone_q <= '0;
    else if (alone_q != '1) alone_q <= alone_q + 1'b1;
    if (rst_i || !w_keeps || !w_free || !enable_i || !blk_i[w_q]) blocked_q <= '0;
    else if (blocked_q != '1) blocked_q <= blocked_q + 1'b1;
  end

  // cycles without an offer, though it may go and nothing changes: beside each packet accepted, one flow may be found held
  localparam int IDLE = 4 * NE + 40;
  logic [15:0] idle_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || !w_keeps || !w_free || (enable_i && blk_i[w_q]) || ack_valid_i || a1_q || a2_q || gives_up || want != want_q
        || sl_ok_i != sl_ok_q) idle_q <= '0;
    else if (accept) idle_q <= (idle_q > 16'd8) ? idle_q - 16'd8 : '0;
    else if (!inj_valid_i && idle_q != '1) idle_q <= idle_q + 1'b1;
  end

  // packets of other flows of its SL (and lane) that went before it
  logic [15:0] passed_q;
  logic        passes;

  assign passes = accept && offer != w_q && inj_flow_sl == w_sl
      && (VL_BY_DEST == 0 || inj_flow_i % 16'(VLS) == 16'(w_q) % 16'(VLS));

  always_ff @(posedge clk_i) begin
    if (rst_i || !w_keeps || !w_free || (accept && offer == w_q)) passed_q <= '0;
    else if (passes && passed_q != '1) passed_q <= passed_q + 1'b1;
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      ak6_never_shut: assert (shut_q <= 16'(FLOWS + FLOWS / 3 + 16));
      h8_alone_offered: assert (alone_q <= 16'(ALONE));
      h8_free_flow_keeps_link: assert (idle_q <= 16'(IDLE));
      h5_freed: assert (blocked_q <= 16'(ALONE));
      h8_passed: assert (passed_q < 16'(2 * FLOWS + FLOWS / 2 + 8));
      h8_c_passed: cover (passed_q > 16'd1);
    end
  end

`ifndef YOSYS
  // cycles that it is held with packets outstanding and no ACK for anybody, since its last packet left; cycles that it is held
  // by a delay alone: the longest there is, after the time that its packet takes on the slowest link, and a walk
  localparam logic [32:0] REOPENS = 2 * 33'(DELAY_MAX) + 33'(4 * NE + 3 * FLOWS + 32);
  localparam logic [32:0] SPAN_MAX = (127 * 15 > DELAY_MAX) ? 33'(DELAY_MAX) : 33'd1905;
  logic [32:0] silent_q, held_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || !ready_i || !want[w_q] || !enable_i || !blk_i[w_q] || w_n == '0 || ack_valid_i || a1_q || a2_q
        || (snd_q && snd_flow_q == w_q) || (accept && offer == w_q)) silent_q <= '0;
    else silent_q <= silent_q + 1'b1;
    if (rst_i || !ready_i || !want[w_q] || cfg_we_i || wt_we_i || attr_we_i || !enable_i || !blk_i[w_q] || !w_open
        || (snd_q && snd_flow_q == w_q) || (lti_we_i && lti_flow == w_q) || (looks && f == w_q)) held_q <= '0;
    else held_q <= held_q + 1'b1;
    if (!rst_i && past_ok_q) begin
      ak7_reopens: assert (silent_q <= REOPENS);
      h5_held_no_longer: assert (held_q <= SPAN_MAX + 33'(DELAY_MAX) + 33'(ALONE));
    end
  end
`endif

  // ---- AK7: the sweep comes to a flow, whatever ACKs come. The flow looked at: the one before the last one.
  logic [FW-1:0] y_q;
  logic [23:0]   age_q, returned_q;   // cycles since its last sweep operation; packets that ACKs returned since

  always_ff @(posedge clk_i) begin
    if (rst_i || !ready_i) begin
      y_q <= FW'(FLOWS - 1);
      age_q <= '0;
      returned_q <= '0;
    end else if (rsp_we_i && !a2_q && f == y_q) begin
      y_q <= (y_q == '0) ? FW'(FLOWS - 1) : y_q - 1'b1;
      age_q <= '0;
      returned_q <= '0;
    end else begin
      age_q <= age_q + 1'b1;
      returned_q <= returned_q + 24'(counts);
    end
    if (!rst_i && past_ok_q) begin
      ak7_looked_after: assert (26'(age_q) <= 26'(FLOWS + 8) + 26'(returned_q) * 26'd3);
      ak7_c_held_up: cover (26'(age_q) > 26'(FLOWS + 8));
    end
  end

  // ---- H5: the last transmission looked at: the next one, unless it is too old; then until it is forgotten
  logic [FLOWS-1:0] lv_q;
  logic [TS_W-1:0]  lti_q[0:FLOWS-1];
  logic [FW-1:0]    z_q;
  logic [TS_W-1:0]  z_elapsed;
  logic [15:0]      aged_q;
  logic             z_old;

  assign z_elapsed = now_i - lti_q[z_q];
  assign z_old = lv_q[z_q] && !z_elapsed[TS_W-1] && 32'(z_elapsed) > DELAY_MAX;

  always_ff @(posedge clk_i) begin
    if (rst_i) lv_q <= '0;
    else if (lti_we_i) lv_q[lti_flow] <= lti_valid_i;
    if (lti_we_i) lti_q[lti_flow] <= lti_i;
    if (rst_i || !z_old) aged_q <= '0;
    else if (aged_q != '1) aged_q <= aged_q + 1'b1;
    if (rst_i) z_q <= '0;
    else if (!z_old) z_q <= (z_q == FW'(FLOWS - 1)) ? '0 : z_q + 1'b1;
  end

  // ---- legal pointers
  logic pointers_ok;

  always_comb begin
    pointers_ok = vp_i < 16'(NV) && wk_i < 16'(FLOWS);
    for (int v = 0; v < NV; v++) if (sp_i[16*v+:16] > ((VL_BY_DEST != 0) ? 16'd0 : 16'd15)) pointers_ok = 1'b0;
    for (int c = 0; c < NC; c++) if (fp_i[16*c+:16] >= 16'(FLOWS)) pointers_ok = 1'b0;
  end

  // ---- shapes of offers, writes and errors
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h6_silent_in_init: assert (ready_i || ({inj_valid_i, rsp_we_i, lti_we_i, err_i, now_i, vp_i, wk_i, snd_i} == '0
          && (went_i | blk_i | blocked_i | out_i | adj_i) == '0));
      h8_offer_zero: assert (inj_valid_i || {inj_flow_i, inj_sl_i} == '0);
      h8_offer_legal: assert (inj_flow_i < 16'(FLOWS) && pointers_ok);
      ak5_write_zero: assert (rsp_we_i || {rsp_addr_i, rsp_acked_i, rsp_win_i, rsp_x_i, rsp_j_i, rsp_av_i, rsp_at_i} == '0);
      ak5_write_legal: assert (rsp_addr_i < 16'(FLOWS) && lti_addr_i < 16'(FLOWS) && (rsp_av_i || rsp_at_i == '0));
      h5_write_zero: assert (lti_we_i || {lti_addr_i, lti_valid_i, lti_i, lti_len_i, lti_taken_i} == '0);
      h5_forget_zero: assert (lti_valid_i || {lti_i, lti_len_i} == '0);
      h6_len_legal: assert (!lti_valid_i || lti_len_i != '0);
      h1_blocked_is_held: assert (blocked_i == (enable_i ? blk_i : '0));
      h5_aged: assert (aged_q <= 16'(4 * NE));
      h5_c_aged: cover (aged_q != '0);
    end
  end

  // ---- properties of two cycles
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h6_stays_ready: assert (ready_i || !ready_q);
      h5_time_runs: assert (now_i == now_q + TS_W'(ready_q));
      h8_offer_after_scan: assert (!inj_valid_q || !inj_ready_q || !inj_valid_i);
      h8_offer_keeps: assert (!inj_valid_q || !inj_valid_i || {inj_flow_i, inj_sl_i} == {inj_flow_q, inj_sl_q});
      h8_offer_stays: assert (!inj_valid_q || inj_ready_q || inj_valid_i || !want_q[inj_flow_q[FW-1:0]]
          || !sl_ok_q[inj_sl_q]);
      h5_offer_wanted: assert (!inj_valid_i || (want_q[offer] && sl_ok_q[inj_sl_i]));
      h6_sent_written: assert (!put_q || (lti_we_i && lti_valid_i && lti_addr_i == 16'(put_flow_q)
          && lti_len_i == put_len_q && lti_i == put_lti_q));
      h6_sent_only: assert (put_q || !lti_valid_i);
      h5_sending: assert (snd_i == snd_q);
      h6_err_sticky: assert ((err_q & ~err_clear_q & ~err_i) == '0);
      h6_err_shown: assert ((cause_q & ~err_i) == '0);
      h6_err_cause: assert ((err_i & ~err_q & ~cause_q) == '0);
    end
  end
endmodule

`default_nettype wire
