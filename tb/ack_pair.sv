// A pair of switches and adapters (adapter_loop.sv) that acknowledge by windows; hosts pause. A wire may eat ACKs, or bring one adapter
// no credits. What a user is promised of it: no more packets on their way than the window says, each answered once, no ACK lost, and
// what is lost comes back; afterwards everything has left, nothing is outstanding, and a packet of each flow goes at once.
// For simulation (tests/broken.rs). Rules AK3-AK8; docs/hca.md section 11.
`default_nettype none

`ifndef YOSYS
module ack_pair #(
    parameter int DELAY = 5
) (
    input wire logic        clk_i,
    input wire logic        rst_i,
    input wire logic [31:0] seed_i,
    input wire logic        traffic_i  // hosts send; afterwards everything has to leave
);
  localparam int FLOWS = 2, TS_W = 12;
  localparam int IRDMAX = 2 ** (TS_W - 2);
  localparam int MUTE = 850;     // cycles without credits for an adapter: a round trip later is none that IRDMAX takes for a loss
  localparam int BACK = IRDMAX + 4 * 16 + FLOWS + 8 + 1000;  // a lost ACK: silence, ageing, sweep; and the packets of others

  wire [1:0] wmax = 2'd1 + 2'(seed_i[11]);

  // ---- registers of its own
  logic [5:0]  step;
  logic [7:0]  own_unit, own_addr;
  logic [31:0] own_data;

  always_comb begin
    {own_unit, own_addr, own_data} = {quell_pkg::HU_INPUT, quell_pkg::IP_CTRL, 32'(seed_i[7:6] != 2'd0)};
    case (step)
      6'd29: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd1, 30'd0, wmax};
      6'd30: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd2, 28'd0, 4'd2};  // RMIN_EXP
      6'd31: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd3, 28'd0, 4'd3};  // WS_STEPS
      6'd32: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd5, 16'd0, seed_i[12] ? 16'h9C9C : 16'hAA00};  // SEVMAP
      // CTRL: reset_empty, unit, from_ack, dyn, resp, enable
      6'd33: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd0, 24'd0, seed_i[19:18], seed_i[20], seed_i[17], seed_i[10:8], 1'b1};
      6'd34: {own_unit, own_addr, own_data} = {quell_pkg::HU_ADAPTER, quell_pkg::HCA_CTRL, 28'd0, 4'b0100};  // ack_en
      default: ;
    endcase
  end

  logic go, drained, probed, all_here, some, wrong, busy, away;
  logic [15:0] go_q;  // cycles of traffic
  wire lose = seed_i[22:21] == 2'd0;                       // ACKs get lost
  wire mute = seed_i[22:21] == 2'd1 && go_q < 16'(MUTE);  // no credits for one adapter

  always_ff @(posedge clk_i) begin
    if (rst_i) go_q <= '0;
    else if (go && go_q != '1) go_q <= go_q + 1'b1;
  end

  adapter_loop #(.DELAY(DELAY), .RESPONSE(1), .TS_W(TS_W), .CNPQ(4)) u_loop (
      .clk_i, .rst_i, .seed_i, .traffic_i, .lose_i(lose), .mute_i(mute),
      .step_o(step), .own_unit_i(own_unit), .own_addr_i(own_addr), .own_data_i(own_data),
      .go_o(go), .drained_o(drained), .probed_o(probed), .all_here_o(all_here), .some_o(some),
      .wrong_o(wrong), .busy_o(busy), .away_o(away)
  );

  // of the packets from adapter a to b (flow b), at 2*a+b: accepted; left; in the receive FIFO to their end; their ACKs that left; came
  logic [31:0]        accepted[4], left[4], ended[4], acks_out[4], acks_in[4];
  logic [15:0]        still_q[4];                                // cycles since such a packet was accepted, while one waits for it
  logic [1:0]         told, lost_any, out_any, ack_waits_wrong;  // errors of ACKs; an ACK lost; packets outstanding

  for (genvar s = 0; s < 2; s++) begin : g_side
    // its pins
    wire in_valid = u_loop.g_side[s].in_q.valid, in_first = u_loop.g_side[s].in_q.first, in_last = u_loop.g_side[s].in_q.last;
    wire out_starts = u_loop.g_side[s].out.valid && u_loop.g_side[s].out.first;
    wire [71:0] in_data = u_loop.g_side[s].in_q.data[71:0], out_data = u_loop.g_side[s].out.data[71:0];

    assign told[s] = u_loop.g_side[s].err[quell_pkg::HE_BAD_ACK] || u_loop.g_side[s].err_thr[2] || u_loop.g_side[s].err_thr[3];  // and STRAY_ACK, ACK_LOST
    assign lost_any[s] = u_loop.g_side[s].ack_lost != '0;
    assign out_any[s] = u_loop.g_side[s].outstanding != '0;

    // what is counted on the pins of this adapter: packets to d and their ACKs, packets of d and theirs
    logic [7:0]  from_q;
    logic        data_q, ends;
    logic [15:0] in_fifo;
    always_comb begin
      ends = u_loop.g_side[s].u_hca.store && in_last && (in_first ? in_data[71:64] == 8'h04 : data_q);
      in_fifo = '0;
      for (int d = 0; d < 2; d++) in_fifo = in_fifo + 16'(ended[2*d+s] - acks_out[2*d+s]);
    end
    assign ack_waits_wrong[s] = in_fifo != u_loop.g_side[s].cnp_pkts + 16'(u_loop.g_side[s].u_hca.own_act) + 16'(u_loop.g_side[s].u_hca.own_valid)
        + 16'(out_starts && out_data[71:64] == 8'h11) + u_loop.g_side[s].ack_lost;
    always_ff @(posedge clk_i) begin
      if (in_valid && in_first) begin
        data_q <= in_data[71:64] == 8'h04;
        from_q <= in_data[63:56];
      end
    end
    for (genvar d = 0; d < 2; d++) begin : g_flow
      localparam logic [7:0] PEER = 8'(d + 1);
      wire takes = u_loop.g_side[s].u_hca.accept && u_loop.g_side[s].u_hca.inj_flow == 16'(d);
      always_ff @(posedge clk_i) begin
        if (rst_i) begin
          {accepted[2*s+d], left[2*s+d], acks_in[2*s+d], ended[2*d+s], acks_out[2*d+s], still_q[2*s+d]} <= '0;
        end else begin
          accepted[2*s+d] <= accepted[2*s+d] + 32'(takes);
          left[2*s+d] <= left[2*s+d] + 32'(out_starts && out_data[71:64] == 8'h04 && out_data[31:24] == PEER);
          acks_in[2*s+d] <= acks_in[2*s+d] + 32'(in_valid && in_first && in_data[71:64] == 8'h11 && in_data[63:56] == PEER);
          ended[2*d+s] <= ended[2*d+s] + 32'(ends && (in_first ? in_data[63:56] : from_q) == PEER);
          acks_out[2*d+s] <= acks_out[2*d+s] + 32'(out_starts && out_data[71:64] == 8'h11 && out_data[31:24] == PEER);
          still_q[2*s+d] <= (takes || !u_loop.g_side[s].u_hca.any[d] || mute) ? '0 : still_q[2*s+d] + 1'b1;
        end
      end
    end
  end

  logic window_wrong, sum_wrong, still, answered, muted_well;
  always_comb begin
    {window_wrong, sum_wrong, still} = '0;
    answered = !lose;
    for (int k = 0; k < 4; k++) begin
      if (left[k] - acks_in[k] > 32'(wmax)) window_wrong = 1'b1;
      if (accepted[k] - ended[k] > 32'(wmax) || ended[k] - acks_out[k] > 32'(wmax) || acks_out[k] - acks_in[k] > 32'(wmax)
          || accepted[k] - acks_in[k] > 32'(wmax)) sum_wrong = 1'b1;
      if (still_q[k] > 16'(BACK)) still = 1'b1;
      if (accepted[k] != acks_in[k]) answered = 1'b0;
    end
    // adapter 1 sent all that its window allows to adapter 0, which says nothing, and goes on to itself
    muted_well = accepted[2] == 32'(wmax) && ended[2] == 32'(wmax) && ended[3] > 32'(wmax);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      ak6_pair_window: assert (lose || !window_wrong);
      ak4_pair_none_lost: assert (lose || {told, lost_any} == '0);
      ak3_pair_conserved: assert (ack_waits_wrong == '0 && (lose || !sum_wrong));
      ak8_pair_receives: assert (!mute || go_q != 16'(MUTE - 1) || muted_well);
      // nothing is left, and what is posted then goes at once
      ak6_pair_drains: assert ((!drained || (out_any == '0 && (lose || answered) && !busy)) && (!probed || all_here));
      ak7_pair_comes_back: assert (!still);
      b1_acks_in_order: assert (!wrong);
      f1_acks_credits_home: assert (!drained || !away);
      a3_acks_drain: assert (!drained || (all_here && some));
    end
  end
endmodule
`endif

`default_nettype wire
