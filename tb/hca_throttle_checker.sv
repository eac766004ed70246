// Properties of the throttle unit, by rule. Instantiated by hca_throttle under QUELL_CHECK.
// Everything is a clocked immediate assertion, so that simulation and formal tools read it alike.
// CCTIs and last times of injection are shadowed from the writes that the unit shows.
`default_nettype none

module hca_throttle_checker #(
    parameter int FLOWS = 64,
    parameter int CCT = 128,
    parameter int TS_W = 24
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              ready_i,
    input wire logic              enable_i,
    input wire logic              per_sl_i,
    input wire logic [7:0]        increase_i,
    input wire logic [13:0]       limit_i,
    input wire logic [7:0]        min_i,
    input wire logic [31:0]       ird_i,
    input wire logic [15:0]       offer_ent_i,
    input wire logic [FLOWS-1:0]  req_i,
    input wire logic [FLOWS-1:0]  stop_i,
    input wire logic [15:0]       sl_ok_i,
    input wire logic              inj_ready_i,
    input wire logic [6:0]        inj_len_i,
    input wire logic [15:0]       err_set_i,
    input wire logic [15:0]       err_clear_i,
    input wire logic              inj_valid_i,
    input wire logic [15:0]       inj_flow_i,
    input wire logic [3:0]        inj_sl_i,
    input wire logic [15:0]       err_i,
    input wire logic [TS_W-1:0]   now_i,
    input wire logic [15:0]       vp_i,
    input wire logic [15:0]       sl_run_i,
    input wire logic [8*16-1:0]   sl_steps_i,
    input wire logic [15:0]       sl_act_i,
    input wire logic              ent_we_i,
    input wire logic [15:0]       ent_addr_i,
    input wire logic [13:0]       ent_ccti_i,
    input wire logic              ent_run_i,
    input wire logic [17:0]       ent_t0_i,
    input wire logic [7:0]        ent_seen_i,
    input wire logic              lti_we_i,
    input wire logic [15:0]       lti_addr_i,
    input wire logic              lti_valid_i,
    input wire logic [TS_W-1:0]   lti_i,
    input wire logic [6:0]        lti_len_i
);

  localparam int NE = (FLOWS > 16) ? FLOWS : 16;
  localparam int FW = $clog2(FLOWS);
  localparam int EW = $clog2(NE);
  localparam logic [31:0] IRD_MAX = 32'd1 << (TS_W - 2);

  // ---- what was there a cycle ago
  logic             past_ok_q;  // the last cycle was not a reset cycle
  logic             ready_q, enable_q, inj_valid_q, inj_ready_q;
  logic [31:0]      ird_q;
  logic [FLOWS-1:0] want, want_q;
  logic [15:0]      sl_ok_q, inj_flow_q, err_q, err_set_q, err_clear_q, sl_act_q, sl_run_q;
  logic [3:0]       inj_sl_q;
  logic [8*16-1:0]  sl_steps_q;
  logic [6:0]       inj_len_q;
  logic [15:0]      offer_ent_q;
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
    inj_len_q <= inj_len_i;
    offer_ent_q <= offer_ent_i;
    err_q <= err_i;
    err_set_q <= err_set_i;
    err_clear_q <= err_clear_i;
    sl_run_q <= sl_run_i;
    sl_act_q <= sl_act_i;
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
  assign offer_ent = offer_ent_i[EW-1:0];
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
    wire [7:0] made = sl_steps_i[8*s+:8] - sl_steps_q[8*s+:8];
    assign bad_step[s] = made > 8'd1 || (made == 8'd1 && !(sl_run_q[s] && sl_act_q[s]));
  end

  // ---- offers to others while the last flow could always go (throttling off, all credits there)
  logic [FW-1:0] others_q;
  logic          could, rise, starved;

  assign could = !enable_i && want[FLOWS-1] && sl_ok_i == '1;
  assign rise = inj_valid_i && !inj_valid_q;
  assign starved = rise && inj_flow_i != 16'(FLOWS - 1) && others_q == FW'(FLOWS - 1);

  always_ff @(posedge clk_i) begin
    if (rst_i || !could || (rise && inj_flow_i == 16'(FLOWS - 1))) others_q <= '0;
    else if (rise && !starved) others_q <= others_q + 1'b1;
  end

  // ---- properties of one cycle
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h6_silent_in_init: assert (ready_i || {inj_valid_i, ent_we_i, lti_we_i, err_i, now_i} == '0);
      h8_offer_zero: assert (inj_valid_i || {inj_flow_i, inj_sl_i} == '0);
      h8_offer_legal: assert (inj_flow_i < 16'(FLOWS) && vp_i < 16'(FLOWS));
      h3_write_zero: assert (ent_we_i || {ent_addr_i, ent_ccti_i, ent_run_i, ent_t0_i, ent_seen_i} == '0);
      h5_write_zero: assert (lti_we_i || {lti_addr_i, lti_valid_i, lti_i, lti_len_i} == '0);
      h5_forget_zero: assert (lti_valid_i || {lti_i, lti_len_i} == '0);
      h6_len_legal: assert (!lti_valid_i || lti_len_i != '0);
      h7_entity_legal: assert (ent_addr_i < 16'(NE) && lti_addr_i < 16'(NE));
      h3_limit_legal: assert (15'(limit_i) < 15'(CCT));
      h6_ird_bound: assert (ird_i <= IRD_MAX);
      // a CCTI rises to the limit at most, by the increase, or to the minimum
      h3_bound: assert (!ent_we_i || new_ccti <= old || new_ccti <= 15'(limit_i) || new_ccti == 15'(min_i));
      h3_step_up: assert (!ent_we_i || new_ccti <= old + 15'(increase_i) || new_ccti == 15'(min_i));
      // and falls by one, or many steps of its SL's timer, or to a lowered limit
      h4_step_down: assert (!ent_we_i || per_sl_i || new_ccti + 15'd1 >= old || new_ccti == 15'(limit_i));
      h4_min: assert (!ent_we_i || new_ccti >= old || new_ccti >= 15'(min_i) || new_ccti == 15'(limit_i));
    end
  end

  // ---- properties of two cycles
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h6_stays_ready: assert (ready_i || !ready_q);
      h5_time_runs: assert (now_i == now_q + TS_W'(ready_q));
      h8_round_robin: assert (!could || !starved);
      h8_offer_after_scan: assert (!inj_valid_q || !inj_ready_q || !inj_valid_i);
      h8_offer_keeps: assert (!inj_valid_q || !inj_valid_i || {inj_flow_i, inj_sl_i} == {inj_flow_q, inj_sl_q});
      h8_offer_stays: assert (!inj_valid_q || inj_ready_q || inj_valid_i || !want_q[inj_flow_q[FW-1:0]]
          || !sl_ok_q[inj_sl_q]);
      h5_offer_wanted: assert (!inj_valid_i || (want_q[inj_flow_i[FW-1:0]] && sl_ok_q[inj_sl_i]));
      h5_offer_in_time: assert (!inj_valid_i || inj_valid_q || !enable_q || !lv_q[offer_ent] || ird_q == '0
          || (!elapsed[TS_W-1] && 32'(elapsed) > ird_q));
      h6_accept_written: assert (!inj_valid_q || !inj_ready_q
          || (lti_valid_i && lti_addr_i == offer_ent_q && lti_len_i == ((inj_len_q == '0) ? 7'd1 : inj_len_q)));
      h6_err_sticky: assert ((err_q & ~err_clear_q & ~err_i) == '0);
      h6_err_shown: assert ((err_set_q & ~err_i) == '0);
      h6_err_cause: assert ((err_i & ~err_q & ~err_set_q) == '0);
      h4_step_of_running: assert (bad_step == '0);
    end
  end
endmodule

`default_nettype wire
