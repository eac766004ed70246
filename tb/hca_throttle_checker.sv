// Properties of the throttle unit, by rule. Instantiated by hca_throttle under QUELL_CHECK.
// Everything is a clocked immediate assertion, so that simulation and formal tools read it alike.
// CCTIs and last times of injection are shadowed from the writes that the unit shows. What has to happen within a bound
// is looked at for one flow or entity at a time.
`default_nettype none

module hca_throttle_checker #(
    parameter int VLS = 1,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int CCT = 128,
    parameter int TS_W = 24,
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,
    localparam int NV = (VL_BY_DEST != 0 || VLS < 16) ? VLS : 16,
    localparam int NC = (VL_BY_DEST != 0) ? VLS : 16
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              ready_i,
    input wire logic              enable_i,
    input wire logic              sl_mode_i,
    input wire logic              per_sl_i,
    input wire logic              restart_i,
    input wire logic              cfg_we_i,
    input wire logic              cct_we_i,
    input wire logic [15:0]       cct_addr_i,
    input wire logic [15:0]       cct_data_i,
    input wire logic              attr_we_i,
    input wire logic              becn_valid_i,
    input wire logic [4*FLOWS-1:0] flow_sl_i,   // bit b of the SL of flow f is bit b*FLOWS + f
    input wire logic [7:0]        increase_i,
    input wire logic [13:0]       limit_i,
    input wire logic [7:0]        min_i,
    input wire logic [15:0]       timer_i,
    input wire logic [15:0]       tick_last_i,  // cycles of a tick, less one
    input wire logic [3:0]        interval_i,
    input wire logic [31:0]       ird_i,
    input wire logic [$clog2(NE)-1:0] offer_ent_i,
    input wire logic [FLOWS-1:0]  req_i,
    input wire logic [FLOWS-1:0]  stop_i,
    input wire logic [15:0]       sl_ok_i,
    input wire logic              inj_ready_i,
    input wire logic [6:0]        inj_len_i,
    input wire logic              sent_i,
    input wire logic [15:0]       err_set_i,
    input wire logic [15:0]       err_clear_i,
    input wire logic              inj_valid_i,
    input wire logic [15:0]       inj_flow_i,
    input wire logic [3:0]        inj_sl_i,
    input wire logic [15:0]       err_i,
    input wire logic [TS_W-1:0]   now_i,
    input wire logic [15:0]       vp_i,
    input wire logic [16*NV-1:0]  sp_i,
    input wire logic [16*NC-1:0]  fp_i,
    input wire logic [15:0]       wk_i,
    input wire logic [NE-1:0]     blk_i,
    input wire logic              snd_i,
    input wire logic [15:0]       rs_i,
    input wire logic [15:0]       sl_run_i,
    input wire logic [14*16-1:0]  sl_steps_i,
    input wire logic              ent_we_i,
    input wire logic [15:0]       ent_addr_i,
    input wire logic [13:0]       ent_ccti_i,
    input wire logic              ent_run_i,
    input wire logic [17:0]       ent_t0_i,
    input wire logic [13:0]       ent_seen_i,
    input wire logic [3:0]        ent_esl_i,
    input wire logic              lti_we_i,
    input wire logic [15:0]       lti_addr_i,
    input wire logic              lti_valid_i,
    input wire logic [TS_W-1:0]   lti_i,
    input wire logic [6:0]        lti_len_i
);

  localparam int FW = $clog2(FLOWS);
  localparam int EW = $clog2(NE);
  localparam logic [31:0] IRD_MAX = 32'd1 << (TS_W - 2);

  // ---- what was there a cycle ago
  logic             past_ok_q;  // the last cycle was not a reset cycle
  logic             ready_q, enable_q, inj_valid_q, inj_ready_q;
  logic [31:0]      ird_q;
  logic [FLOWS-1:0] want, want_q;
  logic [15:0]      sl_ok_q, inj_flow_q, err_q, err_set_q, err_clear_q, sl_run_q;
  logic [3:0]       inj_sl_q;
  logic [14*16-1:0] sl_steps_q;
  logic [TS_W-1:0]  now_q;

  assign want = req_i & ~stop_i;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    ready_q <= ready_i;
    enable_q <= enable_i;
    inj_valid_q <= inj_valid_i;
    inj_ready_q <= inj_ready_i;
    ird_q <= ird_i;
    want_q <= want;
    sl_ok_q <= sl_ok_i;
    inj_flow_q <= inj_flow_i;
    inj_sl_q <= inj_sl_i;
    err_q <= err_i;
    err_set_q <= err_set_i;
    err_clear_q <= err_clear_i;
    sl_run_q <= sl_run_i;
    sl_steps_q <= sl_steps_i;
    now_q <= now_i;
  end

  // ---- shadows of the memories
  logic [NE-1:0]   known_q;              // the entity's CCTI has been written
  logic [NE-1:0]   lv_q;                 // its last time of injection is valid
  logic [13:0]     ccti_q[0:NE-1];
  logic [TS_W-1:0] lti_q [0:NE-1];
  logic [EW-1:0]   ent, lti_ent, offer_ent;
  logic [14:0]     old, new_ccti;
  logic [TS_W-1:0] elapsed;

  assign ent = ent_addr_i[EW-1:0];
  assign lti_ent = lti_addr_i[EW-1:0];
  assign offer_ent = offer_ent_i;
  assign old = known_q[ent] ? 15'(ccti_q[ent]) : '0;
  assign new_ccti = 15'(ent_ccti_i);
  assign elapsed = now_q - lti_q[offer_ent];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      known_q <= '0;
      lv_q <= '0;
    end else begin
      if (ent_we_i) known_q[ent] <= 1'b1;
      if (lti_we_i) lv_q[lti_ent] <= lti_valid_i;
    end
    if (ent_we_i) ccti_q[ent] <= ent_ccti_i;
    if (lti_we_i) lti_q[lti_ent] <= lti_i;
  end

  // ---- SLs whose timer made a step that it may not have made
  logic [15:0] bad_step;

  for (genvar s = 0; s < 16; s++) begin : g_sl
    wire [13:0] made = sl_steps_i[14*s+:14] - sl_steps_q[14*s+:14];
    assign bad_step[s] = made > 14'd1 || (made == 14'd1 && !sl_run_q[s]);
  end

  // ---- the packet being sent: what is to be written when its last flit leaves
  logic            accept, put_q;  // put_q: the write shows now
  logic            snd_q, snd_past_q;
  logic [EW-1:0]   snd_ent_q, snd_ent_past_q, put_ent_q;
  logic [6:0]      len, snd_len_q, put_len_q;
  logic [TS_W-1:0] free_q, ahead, put_lti_q;  // free_q: when a link at LINK_INTERVAL could have sent it
  logic [31:0]     span;

  assign accept = inj_valid_i && inj_ready_i;
  assign len = (inj_len_i == '0) ? 7'd1 : inj_len_i;
  assign span = 32'(len) * 32'(interval_i);
  assign ahead = free_q - now_i;

  always_ff @(posedge clk_i) begin
    put_q <= !rst_i && snd_q && (sent_i || accept);
    put_ent_q <= snd_ent_q;
    put_len_q <= snd_len_q;
    put_lti_q <= ahead[TS_W-1] ? now_i : free_q;
    snd_past_q <= snd_q;
    snd_ent_past_q <= snd_ent_q;
    if (accept) begin
      snd_ent_q <= offer_ent;
      snd_len_q <= len;
      free_q <= now_i + ((span > IRD_MAX) ? TS_W'(IRD_MAX) : TS_W'(span));
    end else if (snd_q && ahead == '0) begin
      free_q <= now_i + 1'b1;  // it follows the time, which may wrap
    end
    if (rst_i) snd_q <= 1'b0;
    else snd_q <= accept || (snd_q && !sent_i);
  end

  // ---- the flow looked at: one that wants
  logic [FW-1:0]    w_q;
  logic [3:0]       w_sl, inj_flow_sl;
  logic [EW-1:0]    w_ent;
  logic [FLOWS-1:0] w_alone;
  logic             cct0_q;    // entry 0 of the table is 0
  logic             w_keeps;   // it wants, has credit, and nothing was rewritten
  logic             w_free;    // and has no delay of its own
  logic             w_shared;  // all flows of its SL have the same delay

  for (genvar b = 0; b < 4; b++) begin : g_w_sl
    assign w_sl[b] = flow_sl_i[b*FLOWS+32'(w_q)];
    assign inj_flow_sl[b] = flow_sl_i[b*FLOWS+32'(inj_flow_i[FW-1:0])];
  end

  assign w_ent = sl_mode_i ? EW'(w_sl) : EW'(w_q);
  assign w_alone = FLOWS'(1) << w_q;
  assign w_keeps = ready_i && want[w_q] && sl_ok_i[w_sl] && !cfg_we_i && !cct_we_i && !attr_we_i;
  assign w_free = !enable_i || (cct0_q && min_i == '0 && (!known_q[w_ent] || ccti_q[w_ent] == '0));
  assign w_shared = !enable_i || sl_mode_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) cct0_q <= 1'b1;
    else if (cct_we_i && cct_addr_i == '0) cct0_q <= cct_data_i == '0;
    if (rst_i) w_q <= '0;
    else if (!want[w_q]) w_q <= (w_q == FW'(FLOWS - 1)) ? '0 : w_q + 1'b1;
  end

  // cycles without an offer, though no other flow wants and it has no delay; cycles that its entity is blocked
  localparam int ALONE = NE + NE / 3 + 20;
  logic [15:0] alone_q, blocked_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || !w_keeps || !w_free || want != w_alone || inj_valid_i) alone_q <= '0;
    else if (alone_q != '1) alone_q <= alone_q + 1'b1;
    if (rst_i || !w_keeps || !w_free || !enable_i || !blk_i[w_ent]) blocked_q <= '0;
    else if (blocked_q != '1) blocked_q <= blocked_q + 1'b1;
  end

`ifndef YOSYS
  // cycles that its entity is blocked since a packet of it was sent, whatever its delay: the longest there is, after the time that
  // the longest packet takes on the slowest link (the host may have been faster), and a walk
  localparam int SPAN_MAX = (127 * 15 > IRD_MAX) ? IRD_MAX : 127 * 15;
  logic [TS_W:0] held_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || !ready_i || !want[w_q] || cfg_we_i || attr_we_i || !enable_i || !blk_i[w_ent]
        || (snd_q && snd_ent_q == w_ent) || (lti_we_i && lti_ent == w_ent)) held_q <= '0;
    else if (held_q != '1) held_q <= held_q + 1'b1;
    if (!rst_i && past_ok_q) h5_held_no_longer: assert (32'(held_q) <= SPAN_MAX + IRD_MAX + ALONE);
  end
`endif

  // cycles without an offer, though it has no delay and nothing changes: beside each packet accepted, one flow may be found to be
  // inside its delay
  localparam int IDLE = 4 * NE + 40;
  logic [15:0] idle_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || !w_keeps || !w_free || (enable_i && blk_i[w_ent]) || becn_valid_i || want != want_q || sl_ok_i != sl_ok_q)
      idle_q <= '0;
    else if (accept) idle_q <= (idle_q > 16'd6) ? idle_q - 16'd6 : '0;
    else if (!inj_valid_i && idle_q != '1) idle_q <= idle_q + 1'b1;
  end

  // packets of other flows of its SL (and lane) that went before it: of each, one in the round that goes on and one in the next
  logic [15:0] passed_q;
  logic        passes;

  assign passes = accept && inj_flow_i != 16'(w_q) && inj_flow_sl == w_sl
      && (VL_BY_DEST == 0 || inj_flow_i % 16'(VLS) == 16'(w_q) % 16'(VLS));

  always_ff @(posedge clk_i) begin
    if (rst_i || !w_keeps || !(w_shared || w_free) || (accept && inj_flow_i == 16'(w_q))) passed_q <= '0;
    else if (passes && passed_q != '1) passed_q <= passed_q + 1'b1;
  end

  // ---- the entity looked at: the last one that a BECN or the sweep changed. Its index has to move towards the minimum.
  logic [EW-1:0] y_q;
  logic [1:0]    becn_q;    // there was a BECN one and two cycles ago: two, and its operation is done now
  logic [33:0]   still_q;   // cycles that its index is off the minimum and does not move
  logic [33:0]   patience;  // a period, a sweep to see that it is over, two more to begin it
  logic          y_known;

  assign patience = (34'(timer_i) + 34'd1) * (34'(tick_last_i) + 34'd1) + 34'(3 * NE + 20);
  assign y_known = known_q[y_q] && 16'(y_q) < (sl_mode_i ? 16'd16 : 16'(FLOWS));

  always_ff @(posedge clk_i) begin
    becn_q <= {becn_q[0], becn_valid_i};
    if (rst_i || cfg_we_i || attr_we_i || !enable_i || timer_i == '0 || !y_known || ccti_q[y_q] == 14'(min_i)
        || (becn_q[1] && per_sl_i && restart_i) || (ent_we_i && ent == y_q && (becn_q[1] || ent_ccti_i != ccti_q[y_q]))) begin
      still_q <= '0;
    end else if (!becn_valid_i) begin
      still_q <= still_q + 1'b1;
    end
    if (rst_i) y_q <= '0;
    else if ((!y_known || ccti_q[y_q] == 14'(min_i)) && ent_we_i) y_q <= ent;
  end

  logic        timed;
  assign timed = enable_i && timer_i != '0;

`ifndef FORMAL
  // ---- and in time: so many steps as periods have passed, no more and no fewer. Its steps since it is looked at, beside the
  // cycles since all periods began anew (there is no step without a period), and beside the cycles in which the sweep ran
  // (no step is lost).
  localparam int SWEEPS = 6 * NE + 20;
  localparam int QUICKEST = NE / 32 + 1;
  logic [33:0] period, quick;  // quick: a period, or the time of the few steps that a sweep makes at most
  logic [33:0] anew_q;         // cycles since a rewrite that begins all periods anew
  logic [35:0] clock_q;
  logic [15:0] fell_q;
  logic [15:0] fall;
  logic        y_write;
  logic [47:0] since_q;               // without cycles of BECNs

  assign period = 34'(timer_i) * (34'(tick_last_i) + 34'd1);
  assign quick = (period > 34'(QUICKEST)) ? period : 34'(QUICKEST);
  assign y_write = ent_we_i && ent == y_q;
  assign fall = 16'(ccti_q[y_q]) - 16'(ent_ccti_i);

  always_ff @(posedge clk_i) begin
    clock_q <= {timer_i, tick_last_i, enable_i, sl_mode_i, per_sl_i, restart_i};
    if (rst_i || clock_q != {timer_i, tick_last_i, enable_i, sl_mode_i, per_sl_i, restart_i}) anew_q <= '0;
    else if (anew_q != '1) anew_q <= anew_q + 1'b1;
    if (rst_i || cfg_we_i || attr_we_i || !timed || !y_known || ccti_q[y_q] <= 14'(min_i)
        || (becn_q[1] && per_sl_i && restart_i) || (y_write && (becn_q[1] || ent_ccti_i > ccti_q[y_q]))) begin
      fell_q <= '0;
      since_q <= '0;
    end else begin
      if (y_write) fell_q <= fell_q + fall;
      if (!becn_valid_i) since_q <= since_q + 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h4_no_step_too_early: assert (48'(fell_q) * 48'(period) <= 48'(anew_q) + 48'(period) + 48'd8);
      h4_no_step_lost: assert (since_q <= (48'(fell_q) + 48'd2) * 48'(quick) + 48'(SWEEPS));
    end
  end
`endif

  // An expiry that is due is taken, also beside a BECN that begins the period anew: the entities' timers, shadowed.
  logic [15:0]   tc_q;
  logic [17:0]   tick_q;
  logic [NE-1:0] run_q;
  logic [17:0]   t0_q[0:NE-1];
  logic [17:0]   age;
  logic          due;
  logic [14:0]   after_step;

  assign age = tick_q - t0_q[ent];
  assign due = ent_we_i && !per_sl_i && timed && rs_i == '0 && known_q[ent] && run_q[ent] && age >= 18'(timer_i);
  assign after_step = (old > 15'(min_i)) ? old - 1'b1 : 15'(min_i);

  always_ff @(posedge clk_i) begin
    if (rst_i || !ready_i) begin
      tc_q <= '0;
      tick_q <= '0;
    end else begin
      tc_q <= (tc_q >= tick_last_i) ? '0 : tc_q + 1'b1;
      if (tc_q >= tick_last_i) tick_q <= tick_q + 1'b1;
    end
    if (ent_we_i) begin
      run_q[ent] <= ent_run_i;
      t0_q[ent] <= ent_t0_i;
    end
  end

  // ---- the last injection looked at: the next one, unless it is too old; then until it is forgotten
  logic [EW-1:0]   x_q;
  logic [TS_W-1:0] x_elapsed;
  logic [15:0]     aged_q;   // cycles that it is too old
  logic            x_old;

  assign x_elapsed = now_i - lti_q[x_q];
  assign x_old = lv_q[x_q] && !x_elapsed[TS_W-1] && 32'(x_elapsed) > IRD_MAX;

  always_ff @(posedge clk_i) begin
    if (rst_i || !x_old) aged_q <= '0;
    else if (aged_q != '1) aged_q <= aged_q + 1'b1;
    if (rst_i) x_q <= '0;
    else if (!x_old) x_q <= (x_q == EW'(NE - 1)) ? '0 : x_q + 1'b1;
  end

  // ---- legal pointers
  logic pointers_ok, rise;

  always_comb begin
    pointers_ok = vp_i < 16'(NV) && wk_i < 16'(NE) && rs_i <= 16'(NE + 1);
    for (int v = 0; v < NV; v++) if (sp_i[16*v+:16] > ((VL_BY_DEST != 0) ? 16'd0 : 16'd15)) pointers_ok = 1'b0;
    for (int c = 0; c < NC; c++) if (fp_i[16*c+:16] >= 16'(FLOWS)) pointers_ok = 1'b0;
  end

  assign rise = inj_valid_i && !inj_valid_q;

  // ---- properties of one cycle
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h6_silent_in_init: assert (ready_i || {inj_valid_i, ent_we_i, lti_we_i, err_i, now_i} == '0);
      h8_offer_zero: assert (inj_valid_i || {inj_flow_i, inj_sl_i} == '0);
      h8_offer_legal: assert (inj_flow_i < 16'(FLOWS) && pointers_ok);
      h3_write_zero: assert (ent_we_i || {ent_addr_i, ent_ccti_i, ent_run_i, ent_t0_i, ent_seen_i, ent_esl_i} == '0);
      h5_write_zero: assert (lti_we_i || {lti_addr_i, lti_valid_i, lti_i, lti_len_i} == '0);
      h5_forget_zero: assert (lti_valid_i || {lti_i, lti_len_i} == '0);
      h6_len_legal: assert (!lti_valid_i || lti_len_i != '0);
      h7_entity_legal: assert (ent_addr_i < 16'(NE) && lti_addr_i < 16'(NE));
      h3_limit_legal: assert (15'(limit_i) < 15'(CCT));
      h6_ird_bound: assert (ird_i <= IRD_MAX);
      // a CCTI rises to the limit at most, by the increase, from the minimum if that is higher
      h3_bound: assert (!ent_we_i || new_ccti <= old || new_ccti <= 15'(limit_i) || new_ccti == 15'(min_i));
      h3_step_up: assert (!ent_we_i || new_ccti <= old + 15'(increase_i)
          || new_ccti <= 15'(min_i) + 15'(increase_i));
      // and falls by up to 128 steps of its timer, or many of its SL's, or to a lowered limit
      h4_step_down: assert (!ent_we_i || per_sl_i || new_ccti + 15'd128 >= old || new_ccti == 15'(limit_i));
      h4_min: assert (!ent_we_i || new_ccti >= old || new_ccti >= 15'(min_i) || new_ccti == 15'(limit_i));
    end
  end

  // ---- what happens within a bound
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h8_alone_offered: assert (alone_q <= 16'(ALONE));
      h8_free_flow_keeps_link: assert (idle_q <= 16'(IDLE));
      h5_freed: assert (blocked_q <= 16'(ALONE));
      h8_passed: assert (passed_q < (w_shared ? 16'(2 * FLOWS) : 16'(2 * FLOWS + NE / 2 + 8)));
      h4_reaches_min: assert (still_q <= patience);
      h4_due_is_taken: assert (!due || new_ccti <= after_step + (becn_q[1] ? 15'(increase_i) : 15'd0));
      h5_aged: assert (aged_q <= 16'(4 * NE));
      h8_c_passed: cover (passed_q > 16'd1);
      h4_c_still: cover (still_q > 34'(NE));
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
      h5_offer_wanted: assert (!inj_valid_i || (want_q[inj_flow_i[FW-1:0]] && sl_ok_q[inj_sl_i]));
      h5_offer_in_time: assert (!rise || !enable_q || !lv_q[offer_ent] || ird_q == '0
          || (!elapsed[TS_W-1] && 32'(elapsed) > ird_q));
      h5_not_while_sent: assert (!rise || !enable_q || ird_q == '0 || !snd_past_q || snd_ent_past_q != offer_ent);
      h6_sent_written: assert (!put_q || (lti_we_i && lti_valid_i && lti_addr_i == 16'(put_ent_q)
          && lti_len_i == put_len_q && lti_i == put_lti_q));
      h6_sent_only: assert (put_q || !lti_valid_i);
      h5_sending: assert (snd_i == snd_q);
      h6_err_sticky: assert ((err_q & ~err_clear_q & ~err_i) == '0);
      h6_err_shown: assert ((err_set_q & ~err_i) == '0);
      h6_err_cause: assert ((err_i & ~err_q & ~err_set_q) == '0);
      h4_step_of_running: assert (bad_step == '0);
    end
  end
endmodule

`default_nettype wire
