// What the operations on the table of reservations are promised of their choice: classes, lanes and flows wait for the others once,
// no slot is left empty, and a speculative packet goes only where no granted one can. Instantiated by reservation_pick under
// QUELL_CHECK. Rules Q19, Q20.
`default_nettype none

module reservation_pick_checker #(
    parameter int D = 1,
    parameter int FLOWS = 64,
    localparam int FW = $clog2(FLOWS),
    localparam int CLASSES = 5
) (
    input wire logic               clk_i,
    input wire logic               rst_i,
    input wire logic               reply_i,
    input wire logic [CLASSES-1:0] can_i,       // classes that can go (numbers: quell_pkg::reservation_op_e)
    input wire logic [5:0]         op_i,        // what is chosen
    input wire logic [FW-1:0]      flow_i,
    input wire logic [FLOWS-1:0]   want_w_i,    // flows that can go in a class,
    input wire logic [FLOWS-1:0]   want_e_i,
    input wire logic [FLOWS-1:0]   want_p_i,
    input wire logic [FLOWS-1:0]   want_go_i,   // with a granted packet,
    input wire logic [FLOWS-1:0]   want_sp_i,   // with a speculative one,
    input wire logic [D:0]         room_i,
    input wire logic [4*FLOWS-1:0] sl_i,
    input wire logic               granted_i,   // a granted packet is chosen, if one is,
    input wire logic [3:0]         lane_i       // for this lane
);
  logic             past_ok_q;
  logic             send, send_granted;
  logic [CLASSES-1:0] late_q;
  logic [D-1:0]     lane_late_q;
  logic [D*FLOWS-1:0] of_lane;
  logic [D-1:0]     lane_wants;

  assign send = op_i[quell_pkg::SO_S];
  assign send_granted = send && granted_i;

  logic             busy_q;      // an operation is in the other stage,
  logic [FW-1:0]    busy_flow_q; // on this flow

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    busy_q <= !rst_i && op_i != '0;
    busy_flow_q <= flow_i;
  end

  // ---- lanes of the flows, by remainders
  always_comb begin
    for (int v = 0; v < D; v++) begin
      for (int f = 0; f < FLOWS; f++)
        of_lane[v*FLOWS+f] = want_go_i[f] && room_i[v]
            && 32'({sl_i[3*FLOWS+f], sl_i[2*FLOWS+f], sl_i[FLOWS+f], sl_i[f]}) % D == v;
      lane_wants[v] = of_lane[v*FLOWS+:FLOWS] != '0;
    end
  end

  // ---- a class, and a lane, that can go all the time: others before it
  for (genvar c = 0; c < CLASSES; c++) begin : g_class
    logic [2:0] others_q;

    always_ff @(posedge clk_i) begin
      if (rst_i || !can_i[c] || op_i[c]) others_q <= '0;
      else if (!reply_i && others_q != '1) others_q <= others_q + 1'b1;
    end

    assign late_q[c] = others_q > 3'(CLASSES - 1);
  end

  for (genvar v = 0; v < D; v++) begin : g_lane
    logic [3:0] others_q;

    always_ff @(posedge clk_i) begin
      if (rst_i || !lane_wants[v] || (send_granted && lane_i == 4'(v))) others_q <= '0;
      else if (send && others_q != '1) others_q <= others_q + 1'b1;
    end

    assign lane_late_q[v] = others_q > 4'(D - 1);

    flow_turns_checker #(.FLOWS(FLOWS)) u_turns (
        .clk_i, .rst_i,
        .want_i(of_lane[v*FLOWS+:FLOWS]),
        .chosen_i(send_granted && lane_i == 4'(v)),
        .flow_i
    );
  end

  flow_turns_checker #(.FLOWS(FLOWS)) u_wait (.clk_i, .rst_i, .want_i(want_w_i), .chosen_i(op_i[quell_pkg::SO_W]), .flow_i);
  flow_turns_checker #(.FLOWS(FLOWS)) u_ask (.clk_i, .rst_i, .want_i(want_e_i), .chosen_i(op_i[quell_pkg::SO_E]), .flow_i);
  flow_turns_checker #(.FLOWS(FLOWS)) u_start (.clk_i, .rst_i, .want_i(want_p_i), .chosen_i(op_i[quell_pkg::SO_P]), .flow_i);
  flow_turns_checker #(.FLOWS(FLOWS)) u_spec (.clk_i, .rst_i, .want_i(want_sp_i & {FLOWS{room_i[D]}}),
      .chosen_i(send && !granted_i), .flow_i);

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      q19_class_turn: assert (late_q == '0);
      q19_no_empty_slot: assert ((op_i != '0) == (reply_i || can_i != '0));
      q19_one_op: assert ($onehot0(op_i) && (!reply_i || op_i[quell_pkg::SO_R]));
      q19_not_busy: assert (op_i == '0 || op_i[quell_pkg::SO_R] || op_i[quell_pkg::SO_B] || !busy_q || flow_i != busy_flow_q);
      q20_lane_turn: assert (lane_late_q == '0);
      q20_granted_first: assert (!send || granted_i || lane_wants == '0);
      q20_room: assert (!send || (!granted_i && room_i[D]) || (granted_i && lane_i < 4'(D) && of_lane[FLOWS*32'(lane_i)+32'(flow_i)]));
    end
  end
endmodule

`default_nettype wire
