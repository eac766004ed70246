// Whether the flow that flow_select visits may go, by its window and its delay: V1 its word and last transmission are
// read, V2 the waiting time of its slots, V3 what is outstanding and the time since its last packet or ACK are compared.
// Rules AK6, SR3, VR3; docs/source-response.md section 3. A word is {acked 9, win 8, x 33, j 4, av, at}, a last
// transmission {valid, time, len 7, taken 9}.
`default_nettype none

module response_verdict #(
    parameter int FLOWS = 64,
    parameter int TS_W = 24,
    parameter int PARITY = 0,
    localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1,
    localparam int RSP_W = TS_W + 55,
    localparam int LTI_W = TS_W + 17
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             enable_i,
    input  wire logic             rate_i,
    input  wire logic             slots_i,
    input  wire logic             dyn_i,
    input  wire logic             from_ack_i,
    input  wire logic             unit_i,
    input  wire logic [7:0]       wmax_i,
    input  wire logic [7:0]       win_max_i,
    input  wire logic [3:0]       g_i,
    input  wire logic [3:0]       ws_steps_i,
    input  wire logic [15:0]      rtt_min_i,
    input  wire logic [3:0]       interval_i,     // cycles per flit
    input  wire logic [TS_W-1:0]  now_i,
    input  wire logic [FLOWS-1:0] adj_i,          // flows that ACKs have adjusted
    input  wire logic [FW-1:0]    v1_flow_i,      // flows of the visits
    input  wire logic [FW-1:0]    v2_flow_i,
    input  wire logic [FW-1:0]    v3_flow_i,
    input  wire logic             v2_used_i,      // there is a visit in V2
    input  wire logic             v3_pick_i,      // that in V3 is a pick
    input  wire logic             snd_valid_i,    // a packet is being sent,
    input  wire logic [FW-1:0]    snd_flow_i,     // of this flow,
    input  wire logic [6:0]       snd_len_i,      // of this length;
    input  wire logic [8:0]       snd_taken_i,    // the flow had so many accepted with it
    input  wire logic [RSP_W-1:0] rsp_rdata_i,    // what was read in V1
    input  wire logic [LTI_W-1:0] lti_rdata_i,
    input  wire logic             put_i,          // write to the LTI memory in this cycle
    input  wire logic [FW-1:0]    put_flow_i,
    input  wire logic [LTI_W-1:0] put_data_i,
    input  wire logic             last_put_i,     // and in the cycle before
    input  wire logic [FW-1:0]    last_flow_i,
    input  wire logic [LTI_W-1:0] last_data_i,
    output logic                  lti_used_o,     // what was read matters
    output logic      [3:0]       wt_raddr_o,
    input  wire logic [31:0]      wt_rdata_i,
    output logic                  pass_o,         // Mealy: verdict on the visit in V3
    output logic                  soon_o,
    output logic      [8:0]       picked_taken_o, // packets accepted of the flow picked last, of those before its offer
    output logic                  parity_err_o
);
  localparam logic [31:0] DELAY_MAX = 32'd1 << (TS_W - 2);

  // ---- V1: is it adjusted
  logic v2_adj_q, v2_adj_d, v3_adj_q;

  assign v2_adj_d = adj_i[v1_flow_i];

  // ---- V2: waiting time of its slots; the last transmission, with the writes that the read did not see
  logic [8:0]       acked, v3_acked_q;
  logic [7:0]       win, v3_win_q;
  logic [32:0]      x, v3_x_q;
  logic [3:0]       j;
  logic             av, v3_av_q, now_written, was_written;
  logic [TS_W-1:0]  at, v3_at_q;
  logic [LTI_W-1:0] lti_now, v3_lti_q, v3_lti_d;

  assign {acked, win, x, j, av, at} = rsp_rdata_i;
  assign wt_raddr_o = (v2_adj_q && slots_i) ? ((j < ws_steps_i) ? j : ws_steps_i) : '0;
  assign now_written = put_i && put_flow_i == v2_flow_i;
  assign was_written = last_put_i && last_flow_i == v2_flow_i;
  assign lti_now = was_written ? last_data_i : lti_rdata_i;
  assign v3_lti_d = now_written ? put_data_i : lti_now;
  assign lti_used_o = v2_used_i && !now_written && !was_written;

  always_ff @(posedge clk_i) begin
    v2_adj_q <= v2_adj_d;
    v3_adj_q <= v2_adj_q;
    v3_acked_q <= acked;
    v3_win_q <= win;
    v3_x_q <= x;
    v3_av_q <= av;
    v3_at_q <= at;
    v3_lti_q <= v3_lti_d;
  end

  // ---- V3: verdict
  logic            lv, sending, open, by_ack, known, counting, over, over_soon;
  logic [TS_W-1:0] lti, since;
  logic [6:0]      len, last_len;
  logic [8:0]      lti_taken, taken, picked_taken_d;
  logic [7:0]      win_now;
  logic [32:0]     x_now;
  logic [31:0]     beyond, delay, gap;
  logic [15:0]     packet_time;
  logic [39:0]     product;
  logic [3:0]      unused_j;

  response_values u_values (
      .adj_i(v3_adj_q),
      .win_i(v3_win_q),
      .x_i(v3_x_q),
      .j_i(4'd0),
      .dyn_i, .rate_i, .slots_i, .win_max_i, .g_i, .ws_steps_i,
      .win_o(win_now),
      .x_o(x_now),
      .j_o(unused_j)
  );

  always_comb begin
    {lv, lti, len, lti_taken} = v3_lti_q;
    sending = snd_valid_i && snd_flow_i == v3_flow_i;
    taken = sending ? snd_taken_i : lti_taken;
    open = wmax_i == '0 || 9'(taken - v3_acked_q) < 9'(win_now);
    last_len = sending ? snd_len_i : len;
    packet_time = unit_i ? rtt_min_i : 16'(last_len) * 16'(interval_i);
    beyond = 32'(x_now - (33'd1 << 24));
    product = 40'(beyond[31:8]) * 40'(packet_time);
    delay = rate_i ? 32'(product[39:16]) : slots_i ? wt_rdata_i : '0;
    gap = (delay > DELAY_MAX) ? DELAY_MAX : delay;
    by_ack = !rate_i || from_ack_i;
    since = now_i - (by_ack ? v3_at_q : lti);
    known = by_ack ? v3_av_q : lv;
    counting = by_ack || !sending;  // the time from which the delay counts is there
    over = gap == '0 || (counting && (!known || (!since[TS_W-1] && 32'(since) > gap)));
    // a walk looks ahead to the verdict of the pick that it allows, four cycles later at the earliest
    over_soon = counting && (!known || 34'(signed'(since)) + 34'sd4 > signed'({2'b00, gap}));
    pass_o = !enable_i || (open && over);
    soon_o = pass_o || (open && over_soon);
  end

  wire unused_low = &{1'b0, beyond[7:0], product[15:0], unused_j};

  // ---- packets accepted of the flow on offer: no other is accepted until its own
  assign picked_taken_d = rst_i ? '0 : v3_pick_i ? taken : picked_taken_o;

  always_ff @(posedge clk_i) picked_taken_o <= picked_taken_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{v2_adj_d, v2_adj_q, acked, win, x, av, at, v3_lti_d, picked_taken_d}),
      .now_i(^{v2_adj_q, v3_adj_q, v3_acked_q, v3_win_q, v3_x_q, v3_av_q, v3_at_q, v3_lti_q, picked_taken_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
