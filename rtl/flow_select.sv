// Chooses the flow that may inject next. SCAN: a pipeline visits the flows that want to, round
// robin (V0 pick and read the SL, V1 read CCTI and last injection, V2 read the CCT, V3 verdict);
// OFFER: the chosen flow is shown until it is taken or can no longer go. Rules H5-H8.
`default_nettype none

module flow_select #(
    parameter int FLOWS = 64,
    parameter int CCT = 128,
    parameter int TS_W = 24,
    parameter int PARITY = 0,
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,
    localparam int FW = $clog2(FLOWS),
    localparam int EW = $clog2(NE),
    localparam int CW = $clog2(CCT)
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              ready_i,
    input  wire logic              enable_i,
    input  wire logic              sl_mode_i,
    input  wire logic              per_sl_i,
    input  wire logic              cct_abs_i,
    input  wire logic [13:0]       limit_i,
    input  wire logic [7:0]        min_i,
    input  wire logic [3:0]        interval_i,   // cycles per flit
    input  wire logic [TS_W-1:0]   now_i,
    input  wire logic [8*16-1:0]   steps_i,
    input  wire logic [FLOWS-1:0]  req_i,
    input  wire logic [FLOWS-1:0]  stop_i,
    input  wire logic [15:0]       sl_ok_i,
    input  wire logic              inj_ready_i,
    output logic [FW-1:0]          attr_raddr_o,
    input  wire logic [3:0]        attr_rdata_i,
    output logic [EW-1:0]          ent_raddr_o,  // also the address in the LTI memory
    input  wire logic [13:0]       ccti_rdata_i,
    input  wire logic [7:0]        seen_rdata_i,
    input  wire logic [TS_W+7:0]   lti_rdata_i,  // {valid, time, len}
    output logic [CW-1:0]          cct_raddr_o,
    input  wire logic [15:0]       cct_rdata_i,
    output logic [2:0]             visits_o,     // stages with a visit: what they read matters
    output logic                   inj_valid_o,
    output logic [FW-1:0]          inj_flow_o,
    output logic [3:0]             inj_sl_o,
    output logic                   accept_o,     // Mealy: the offer is taken
    output logic [EW-1:0]          accept_ent_o, // entity of the offered flow
    output logic [31:0]            ird_o,        // delay that the visit in V3 has to keep, for the checker
    output logic [FW-1:0]          vp_o,
    output logic                   parity_err_o
);
  localparam logic [31:0] IRD_MAX = 32'd1 << (TS_W - 2);

  // ---- V0: pick
  logic [FLOWS-1:0] want;
  logic             picked, any, eligible;
  logic [FW-1:0]    pick, vp_q, vp_d;

  assign want = req_i & ~stop_i;

  flow_scan #(.N(FLOWS)) u_scan (
      .want_i(want),
      .ptr_i(vp_q),
      .any_o(any),
      .idx_o(pick)
  );

  assign picked = any && ready_i && !inj_valid_o;
  assign attr_raddr_o = pick;
  assign vp_o = vp_q;

  // ---- V1: entity
  logic          v1_valid_q, v1_valid_d, v2_valid_q, v2_valid_d, v3_valid_q, v3_valid_d;
  logic [FW-1:0] v1_f_q, v1_f_d, v2_f_q, v2_f_d, v3_f_q, v3_f_d;
  logic [EW-1:0] v1_e, v2_e_q, v2_e_d, v3_e_q, v3_e_d;
  logic [3:0]    v2_s_q, v2_s_d, v3_s_q, v3_s_d;

  assign v1_e = sl_mode_i ? EW'(attr_rdata_i) : EW'(v1_f_q);
  assign ent_raddr_o = v1_e;

  // ---- V2: index into the CCT
  logic [13:0]     ccti;
  logic [TS_W+7:0] v3_lti_q, v3_lti_d;

  ccti_catch_up u_catch_up (
      .per_sl_i(per_sl_i),
      .ccti_i(ccti_rdata_i),
      .seen_i(seen_rdata_i),
      .steps_i(steps_i[8*v2_s_q+:8]),
      .min_i(min_i),
      .ccti_o(ccti)
  );

  assign cct_raddr_o = (ccti > limit_i) ? limit_i[CW-1:0] : ccti[CW-1:0];

  // ---- V3: verdict
  logic            lv, late;
  logic [TS_W-1:0] lti, elapsed;
  logic [6:0]      len;
  logic [10:0]     span;
  logic [31:0]     ird_raw, ird;

  always_comb begin
    {lv, lti, len} = v3_lti_q;
    span = (11'(len) * 11'(interval_i)) >> cct_rdata_i[15:14];
    ird_raw = cct_abs_i ? 32'(cct_rdata_i) : 32'(span) * 32'(cct_rdata_i[13:0]);
    ird = (ird_raw > IRD_MAX) ? IRD_MAX : ird_raw;
    elapsed = now_i - lti;
    late = !elapsed[TS_W-1] && 32'(elapsed) > ird;
    eligible = v3_valid_q && sl_ok_i[v3_s_q] && want[v3_f_q] && (!enable_i || !lv || ird == '0 || late);
  end

  always_comb begin
    v1_valid_d = v1_valid_q;
    v2_valid_d = v2_valid_q;
    v3_valid_d = v3_valid_q;
    v1_f_d = pick;
    v2_f_d = v1_f_q;
    v2_e_d = v1_e;
    v2_s_d = attr_rdata_i;
    v3_f_d = v2_f_q;
    v3_e_d = v2_e_q;
    v3_s_d = v2_s_q;
    v3_lti_d = lti_rdata_i;
    if (rst_i || eligible) begin
      v1_valid_d = 1'b0;
      v2_valid_d = 1'b0;
      v3_valid_d = 1'b0;
    end else begin
      v1_valid_d = picked;
      v2_valid_d = v1_valid_q;
      v3_valid_d = v2_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    v1_f_q <= v1_f_d;
    v2_f_q <= v2_f_d;
    v2_e_q <= v2_e_d;
    v2_s_q <= v2_s_d;
    v3_f_q <= v3_f_d;
    v3_e_q <= v3_e_d;
    v3_s_q <= v3_s_d;
    v3_lti_q <= v3_lti_d;
    v1_valid_q <= v1_valid_d;
    v2_valid_q <= v2_valid_d;
    v3_valid_q <= v3_valid_d;
  end

  assign ird_o = ird;
  assign visits_o = {v3_valid_q, v2_valid_q, v1_valid_q};

  // ---- pointer and offer
  logic [FW-1:0] passed;  // the flow that the pointer moves past

  assign passed = eligible ? v3_f_q : pick;
  assign accept_o = inj_valid_o && inj_ready_i;

  logic inj_valid_d;
  logic [FW-1:0] inj_flow_d;
  logic [3:0] inj_sl_d;
  logic [EW-1:0] accept_ent_d;

  always_comb begin
    vp_d = vp_q;
    inj_valid_d = inj_valid_o;
    inj_flow_d = inj_flow_o;
    inj_sl_d = inj_sl_o;
    accept_ent_d = accept_ent_o;
    if (rst_i) begin
      vp_d = '0;
      inj_valid_d = 1'b0;
      inj_flow_d = '0;
      inj_sl_d = '0;
      accept_ent_d = '0;
    end else begin
      // an eligible flow wants to go, so there is a pick whenever there is one
      if (picked) vp_d = (passed == FW'(FLOWS - 1)) ? '0 : passed + 1'b1;
      if (eligible) begin
        inj_valid_d = 1'b1;
        inj_flow_d = v3_f_q;
        inj_sl_d = v3_s_q;
        accept_ent_d = v3_e_q;
      end else if (inj_valid_o && (inj_ready_i || !want[inj_flow_o] || !sl_ok_i[inj_sl_o])) begin
        inj_valid_d = 1'b0;
        inj_flow_d = '0;
        inj_sl_d = '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    vp_q <= vp_d;
    inj_valid_o <= inj_valid_d;
    inj_flow_o <= inj_flow_d;
    inj_sl_o <= inj_sl_d;
    accept_ent_o <= accept_ent_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{v1_f_d, v2_f_d, v2_e_d, v2_s_d, v3_f_d, v3_e_d, v3_s_d, v3_lti_d, v1_valid_d, v2_valid_d,
            v3_valid_d, vp_d, inj_valid_d, inj_flow_d, inj_sl_d, accept_ent_d}),
      .now_i(^{v1_f_q, v2_f_q, v2_e_q, v2_s_q, v3_f_q, v3_e_q, v3_s_q, v3_lti_q, v1_valid_q, v2_valid_q,
            v3_valid_q, vp_q, inj_valid_o, inj_flow_o, inj_sl_o, accept_ent_o}),
      .err_o(parity_err_o)
  );

`ifdef QUELL_CHECK
  flow_select_checker #(
      .FLOWS(FLOWS)
  ) u_checker (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .ready_i(ready_i),
      .want_i(want),
      .visits_i(visits_o),
      .picked_i(picked),
      .pick_i(pick),
      .eligible_i(eligible),
      .offer_i(inj_valid_o)
  );
`endif
endmodule

`default_nettype wire
