// Update pipeline of the flows' response words: an ACK counts a packet back and moves window, rate or slots; the sweep
// gives up packets of silent flows and forgets old ACKs. One operation a cycle: U0 choose, U1 read, U2 compute and write.
// It owns which flows have packets outstanding and which are fresh. Rules AK5, AK6, AK7, VR1, VR2, VR5;
// docs/source-response.md sections 1, 2 and 6. A word is {acked 9, win 8, x 33, j 4, av, at}.
`default_nettype none

module response_update #(
    parameter int FLOWS = 64,
    parameter int TS_W = 24,
    parameter int PARITY = 0,
    localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1,
    localparam int RSP_W = TS_W + 55
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             ready_i,
    input  wire logic [TS_W-1:0]  now_i,
    input  wire logic             enable_i,
    input  wire logic             windows_i,      // windows are on
    input  wire logic             lipd_i,
    input  wire logic             aimd_i,
    input  wire logic             rate_i,
    input  wire logic             slots_i,
    input  wire logic             dyn_i,
    input  wire logic [7:0]       win_max_i,
    input  wire logic [3:0]       g_i,
    input  wire logic [3:0]       ws_steps_i,
    input  wire logic [15:0]      sevmap_i,
    input  wire logic             ack_valid_i,    // of a flow that exists
    input  wire logic [FW-1:0]    ack_flow_i,
    input  wire logic [2:0]       ack_bits_i,
    input  wire logic             post_i,         // into an empty queue of a flow that exists, and that makes fresh
    input  wire logic [FW-1:0]    post_flow_i,
    input  wire logic             accept_i,       // a packet is accepted
    input  wire logic [FW-1:0]    accept_flow_i,
    input  wire logic             snd_valid_i,    // a packet is being sent,
    input  wire logic [FW-1:0]    snd_flow_i,     // of this flow,
    input  wire logic [8:0]       snd_taken_i,    // which had so many accepted with it
    output logic      [FW-1:0]    raddr_o,        // U1: word and last transmission
    input  wire logic [RSP_W-1:0] rsp_rdata_i,
    input  wire logic             lv_rdata_i,
    input  wire logic [8:0]       taken_rdata_i,
    input  wire logic             last_put_i,     // write to the LTI memory in the cycle before
    input  wire logic [FW-1:0]    last_flow_i,
    input  wire logic             last_lv_i,
    input  wire logic [8:0]       last_taken_i,
    output logic                  rsp_used_o,     // what was read matters
    output logic                  lti_used_o,
    output logic                  we_o,
    output logic      [FW-1:0]    waddr_o,
    output logic      [RSP_W-1:0] wdata_o,
    output logic      [FLOWS-1:0] out_o,          // flows with packets outstanding
    output logic      [FLOWS-1:0] adj_o,          // flows that ACKs have adjusted
    output logic                  stray_o,        // Mealy: an ACK of a flow with nothing outstanding,
    output logic                  lost_o,         // packets are given up, windows being on
    output logic                  bad_bits_o,     // an ACK whose bits are invalid
    output logic                  parity_err_o
);
  localparam logic [TS_W-1:0] AGE_MAX = TS_W'(1) << (TS_W - 2);

  // ---- U0: an ACK of a flow that has something outstanding, else the sweep
  logic          ack, early_stray;
  logic [FW-1:0] sweep_q, sweep_d;

  assign ack = ready_i && ack_valid_i && out_o[ack_flow_i];
  assign early_stray = ready_i && ack_valid_i && !out_o[ack_flow_i];

  always_comb begin
    sweep_d = sweep_q;
    if (rst_i) sweep_d = '0;
    else if (ready_i && !ack) sweep_d = (sweep_q == FW'(FLOWS - 1)) ? '0 : sweep_q + 1'b1;
  end

  // ---- U1: read
  logic          u1_valid_q, u1_valid_d, u1_ack_q, u1_ack_d;
  logic [FW-1:0] u1_f_q, u1_f_d;
  logic [2:0]    u1_bits_q, u1_bits_d;

  assign u1_valid_d = ready_i && !rst_i;
  assign u1_ack_d = ack;
  assign u1_f_d = ack ? ack_flow_i : sweep_q;
  assign u1_bits_d = ack_bits_i;
  assign raddr_o = u1_f_q;

  // ---- U2: compute and write
  logic             u2_valid_q, u2_valid_d, u2_ack_q, u2_ack_d, last_we_q, last_we_d;
  logic [FW-1:0]    u2_f_q, u2_f_d, last_f_q, last_f_d;
  logic [2:0]       u2_bits_q, u2_bits_d;
  logic [RSP_W-1:0] last_data_q, last_data_d;  // the write of the previous cycle, which the read did not see

  assign u2_valid_d = u1_valid_q && !rst_i;
  assign u2_ack_d = u1_ack_q;
  assign u2_f_d = u1_f_q;
  assign u2_bits_d = u1_bits_q;
  assign last_we_d = we_o && !rst_i;
  assign last_f_d = u2_f_q;
  assign last_data_d = wdata_o;

  always_ff @(posedge clk_i) begin
    sweep_q <= sweep_d;
    u1_valid_q <= u1_valid_d;
    u1_ack_q <= u1_ack_d;
    u1_f_q <= u1_f_d;
    u1_bits_q <= u1_bits_d;
    u2_valid_q <= u2_valid_d;
    u2_ack_q <= u2_ack_d;
    u2_f_q <= u2_f_d;
    u2_bits_q <= u2_bits_d;
    last_we_q <= last_we_d;
    last_f_q <= last_f_d;
    last_data_q <= last_data_d;
  end

  // the word, and what is outstanding
  logic            again, put_again, adj, av, lv, sending, counts, looks, lost, aged;
  logic [8:0]      acked, acked_new, taken, outstanding;
  logic [7:0]      win, win_now, win_new;
  logic [32:0]     x, x_now, x_new;
  logic [3:0]      j, j_now, j_new;
  logic [TS_W-1:0] at, since;
  logic [1:0]      sev;

  assign again = last_we_q && last_f_q == u2_f_q;
  assign {acked, win, x, j, av, at} = again ? last_data_q : rsp_rdata_i;
  assign put_again = last_put_i && last_flow_i == u2_f_q;
  assign lv = put_again ? last_lv_i : lv_rdata_i;
  assign sending = snd_valid_i && snd_flow_i == u2_f_q;
  assign taken = sending ? snd_taken_i : put_again ? last_taken_i : taken_rdata_i;
  assign outstanding = taken - acked;
  assign adj = adj_o[u2_f_q];
  assign sev = sevmap_i[2*u2_bits_q+:2];

  response_values u_values (
      .adj_i(adj),
      .win_i(win),
      .x_i(x),
      .j_i(j),
      .dyn_i, .rate_i, .slots_i, .win_max_i, .g_i, .ws_steps_i,
      .win_o(win_now),
      .x_o(x_now),
      .j_o(j_now)
  );

  response_step u_step (
      .sev_i(sev),
      .dyn_i, .lipd_i, .aimd_i, .rate_i, .slots_i, .win_max_i, .g_i, .ws_steps_i,
      .win_i(win_now),
      .x_i(x_now),
      .j_i(j_now),
      .win_o(win_new),
      .x_o(x_new),
      .j_o(j_new)
  );

  // an ACK counts; one that is looked at moves the rest, too. The sweep gives up, and forgets.
  assign counts = u2_valid_q && u2_ack_q && outstanding != '0;
  assign looks = counts && enable_i && sev != 2'd3;
  assign lost = u2_valid_q && !u2_ack_q && outstanding != '0 && !lv && !sending;
  assign since = now_i - at;
  assign aged = u2_valid_q && !u2_ack_q && av && !since[TS_W-1] && since > AGE_MAX;
  assign acked_new = lost ? taken : counts ? acked + 1'b1 : acked;

  always_comb begin
    we_o = u2_valid_q && (!u2_ack_q || outstanding != '0);
    waddr_o = we_o ? u2_f_q : '0;
    wdata_o = '0;
    if (we_o) begin
      wdata_o = {acked_new, win, x, j, av, at};
      if (looks) wdata_o = {acked_new, win_new, x_new, j_new, 1'b1, now_i};
      else if (aged) wdata_o = {acked_new, win, x, j, 1'b0, TS_W'(0)};
    end
  end

  assign rsp_used_o = u2_valid_q && !again;
  assign lti_used_o = u2_valid_q && !put_again;
  assign stray_o = windows_i && (early_stray || (u2_valid_q && u2_ack_q && outstanding == '0));
  assign lost_o = windows_i && lost;
  assign bad_bits_o = counts && enable_i && sev == 2'd3;

  // ---- what is outstanding, and fresh, of each flow
  logic [FLOWS-1:0] out_d, adj_d;

  always_comb begin
    out_d = out_o;
    adj_d = adj_o;
    if (u2_valid_q) out_d[u2_f_q] = taken != acked_new;
    if (accept_i) out_d[accept_flow_i] = 1'b1;
    if (looks) adj_d[u2_f_q] = 1'b1;
    if (post_i && !out_o[post_flow_i]) adj_d[post_flow_i] = 1'b0;
    if (rst_i) begin
      out_d = '0;
      adj_d = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    out_o <= out_d;
    adj_o <= adj_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{sweep_d, u1_valid_d, u1_ack_d, u1_f_d, u1_bits_d, u2_valid_d, u2_ack_d, u2_f_d, u2_bits_d, last_we_d,
            last_f_d, last_data_d, out_d, adj_d}),
      .now_i(^{sweep_q, u1_valid_q, u1_ack_q, u1_f_q, u1_bits_q, u2_valid_q, u2_ack_q, u2_f_q, u2_bits_q, last_we_q,
            last_f_q, last_data_q, out_o, adj_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
