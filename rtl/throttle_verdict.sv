// Whether the flow that flow_select visits may go, by the delay of its index: V1 CCTI and last injection are read, V2 the
// CCT is read at the index, V3 the delay since the last packet is compared. Rules H5, H6, H7; docs/hca-throttle.md
// section 3.
`default_nettype none

module throttle_verdict #(
    parameter int NE = 64,    // entities
    parameter int CCT = 128,
    parameter int TS_W = 24,
    parameter int PARITY = 0,
    localparam int EW = $clog2(NE),
    localparam int CW = $clog2(CCT)
) (
    input  wire logic            clk_i,
    input  wire logic            enable_i,
    input  wire logic            per_sl_i,
    input  wire logic            cct_abs_i,
    input  wire logic [13:0]     limit_i,
    input  wire logic [7:0]      min_i,
    input  wire logic [3:0]      interval_i,   // cycles per flit
    input  wire logic [TS_W-1:0] now_i,
    input  wire logic [14*16-1:0] steps_i,
    input  wire logic            resync_i,     // periods are counted anew: no steps are due
    input  wire logic            v2_used_i,    // there is a visit in V2,
    input  wire logic [EW-1:0]   v2_ent_i,     // to this entity
    input  wire logic [EW-1:0]   v3_ent_i,     // the entity in V3
    input  wire logic            snd_valid_i,  // a packet is being sent,
    input  wire logic [EW-1:0]   snd_ent_i,    // of this entity,
    input  wire logic [6:0]      snd_len_i,    // of this length
    input  wire logic [13:0]     ccti_rdata_i, // what was read in V1
    input  wire logic [13:0]     seen_rdata_i,
    input  wire logic [3:0]      esl_rdata_i,
    input  wire logic [TS_W+7:0] lti_rdata_i,  // {valid, time, len}
    input  wire logic            put_i,        // write to the LTI memory in this cycle
    input  wire logic [EW-1:0]   put_ent_i,
    input  wire logic [TS_W+7:0] put_data_i,
    input  wire logic            last_put_i,   // and in the cycle before
    input  wire logic [EW-1:0]   last_ent_i,
    input  wire logic [TS_W+7:0] last_data_i,
    output logic                 lti_used_o,   // what was read matters
    output logic      [CW-1:0]   cct_raddr_o,
    input  wire logic [15:0]     cct_rdata_i,
    output logic                 pass_o,       // Mealy: verdict on the visit in V3
    output logic                 soon_o,
    output logic      [31:0]     ird_o,        // the delay that it has to keep, for the checker
    output logic                 parity_err_o
);
  localparam logic [31:0] IRD_MAX = 32'd1 << (TS_W - 2);

  // ---- V2: index into the CCT; the last injection, with the writes that the read did not see
  logic [13:0]     behind, ccti;
  logic [TS_W+7:0] lti_now, v3_lti_q, v3_lti_d;
  logic            now_written, was_written;

  assign behind = (per_sl_i && !resync_i) ? steps_i[14*esl_rdata_i+:14] - seen_rdata_i : '0;

  ccti_step u_step (
      .ccti_i(ccti_rdata_i),
      .steps_i(behind),
      .min_i,
      .ccti_o(ccti)
  );

  assign cct_raddr_o = (ccti > limit_i) ? limit_i[CW-1:0] : ccti[CW-1:0];
  assign now_written = put_i && put_ent_i == v2_ent_i;
  assign was_written = last_put_i && last_ent_i == v2_ent_i;
  assign lti_now = was_written ? last_data_i : lti_rdata_i;
  assign v3_lti_d = now_written ? put_data_i : lti_now;
  assign lti_used_o = v2_used_i && !now_written && !was_written;

  always_ff @(posedge clk_i) v3_lti_q <= v3_lti_d;

  // ---- V3: verdict
  logic            lv, late, sending;
  logic [TS_W-1:0] lti, elapsed;
  logic [6:0]      len;
  logic [10:0]     span;
  logic [31:0]     ird_raw;

  always_comb begin
    {lv, lti, len} = v3_lti_q;
    sending = snd_valid_i && snd_ent_i == v3_ent_i;
    span = ((sending ? 11'(snd_len_i) : 11'(len)) * 11'(interval_i)) >> cct_rdata_i[15:14];
    ird_raw = cct_abs_i ? 32'(cct_rdata_i) : 32'(span) * 32'(cct_rdata_i[13:0]);
    ird_o = (ird_raw > IRD_MAX) ? IRD_MAX : ird_raw;
    elapsed = now_i - lti;
    late = !elapsed[TS_W-1] && 32'(elapsed) > ird_o;
    pass_o = !enable_i || ird_o == '0 || (!sending && (!lv || late));
    // a walk looks ahead to the verdict of the pick that it allows, four cycles later at the earliest
    soon_o = pass_o || (!sending && 34'(signed'(elapsed)) + 34'sd4 > signed'({2'b00, ird_o}));
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^v3_lti_d),
      .now_i(^v3_lti_q),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
