// Chooses the operation on the table of reservations: a reply that came, else one of the classes W, B, E, S, P that
// can go, in turn, and its flow; in class S granted packets of a lane with room, and speculative ones only if no granted one has credits of the
// link. A class whose flow is in the other stage waits for it. Pointers move by what they chose.
// Rules Q17, Q19, Q20, Q22; docs/reservation.md sections 5, 7, 13.
`default_nettype none

module reservation_pick #(
    parameter int D = 1,        // lanes of data
    parameter int FLOWS = 64,
    localparam int FW = $clog2(FLOWS),
    localparam int LW = (D > 1) ? $clog2(D) : 1
) (
    input  wire logic               clk_i,
    input  wire logic               rst_i,
    input  wire logic               reply_i,       // a legal reply came
    input  wire logic [FW-1:0]      reply_flow_i,
    input  wire logic               b_i,           // a RES has left
    input  wire logic [FW-1:0]      b_flow_i,
    input  wire logic               may_ask_i,     // the register of the RES is free, and the time since the reset is over
    input  wire logic               may_send_i,    // the offer is free, and nothing stands in the adapter's queues
    input  wire logic [D:0]         room_i,
    input  wire logic [D-1:0]       link_room_i,
    input  wire logic [4*FLOWS-1:0] sl_i,          // bit b of the SL of flow f is bit b*FLOWS + f
    input  wire logic [FLOWS-1:0]   idle_i,
    input  wire logic [FLOWS-1:0]   pq_i,
    input  wire logic [FLOWS-1:0]   rs_i,
    input  wire logic [FLOWS-1:0]   sp_i,
    input  wire logic [FLOWS-1:0]   go_i,
    input  wire logic [FLOWS-1:0]   wt_i,
    input  wire logic               watch_i,       // there is a time-out: W looks at all that are not idle
    input  wire logic [FW-1:0]      busy_flow_i,   // flow of the operation chosen in the cycle before
    output logic [5:0]              op_o,          // chosen in the cycle before: one-hot, or none (quell_pkg::reservation_op_e)
    output logic [3:0]              op_lane_o,     // S: the lane
    output logic [FW-1:0]           flow_o,        // chosen now (Mealy)
    output logic [FW-1:0]           start_flow_o,  // now: the flow of an operation P, if one is chosen
    output logic [2:0]              op_ptr_o,
    output logic [FW-1:0]           ptr_e_o,
    output logic [FW-1:0]           ptr_p_o,
    output logic [FW-1:0]           ptr_w_o,
    output logic [FW-1:0]           ptr_s_o,
    output logic [3:0]              lane_o,
    output logic [FW*D-1:0]         ptr_g_o
);
  // the lane of an SL
  function automatic logic [LW-1:0] lane_of(input logic [3:0] sl);
    lane_of = LW'(32'(sl) % D);
  endfunction

  function automatic logic [FW-1:0] after(input logic [FW-1:0] f);
    after = (f == FW'(FLOWS - 1)) ? '0 : f + 1'b1;
  endfunction

  logic [FLOWS-1:0] w_want;
  logic [5:0]       op_q, op_d;

  assign w_want = watch_i ? ~idle_i : wt_i;

  // its word is just computed
  function automatic logic calm(input logic [FW-1:0] f);
    calm = op_q == '0 || f != busy_flow_i;
  endfunction

  // ---- W, E, P
  logic          any_w, any_e, any_p;
  logic [FW-1:0] w_flow, e_flow;

  flow_scan #(.N(FLOWS)) u_wait (.want_i(w_want), .ptr_i(ptr_w_o), .any_o(any_w), .idx_o(w_flow));
  flow_scan #(.N(FLOWS)) u_ask (.want_i(rs_i), .ptr_i(ptr_e_o), .any_o(any_e), .idx_o(e_flow));
  flow_scan #(.N(FLOWS)) u_start (.want_i(idle_i & pq_i), .ptr_i(ptr_p_o), .any_o(any_p), .idx_o(start_flow_o));

  // ---- S: the lane, then the flow
  logic [D*FLOWS-1:0] of_lane;      // flows with a granted packet for the lane
  logic [D-1:0]       lane_req, lane_gnt, link_req;
  logic [LW-1:0]      lane_q, lane;
  logic               granted, held, any_s;
  logic [FLOWS-1:0]   s_want;
  logic [FW-1:0]      s_ptr, s_flow;

  always_comb begin
    for (int v = 0; v < D; v++) begin
      for (int f = 0; f < FLOWS; f++)
        of_lane[v*FLOWS+f] = go_i[f] && lane_of({sl_i[3*FLOWS+f], sl_i[2*FLOWS+f], sl_i[FLOWS+f], sl_i[f]}) == LW'(v);
      lane_req[v] = room_i[v] && of_lane[v*FLOWS+:FLOWS] != '0;
      link_req[v] = link_room_i[v] && of_lane[v*FLOWS+:FLOWS] != '0;
    end
  end

  rr_arbiter #(.N(D)) u_lane (
      .req_i(lane_req),
      .ptr_i(lane_q),
      .gnt_o(lane_gnt),
      .idx_o(lane),
      .any_o(granted)
  );

  // a granted packet that lacks room in the adapter alone has it soon: a speculative one would hold the link meanwhile
  assign held = link_req != '0;

  always_comb begin
    s_want = (granted || held) ? '0 : sp_i & {FLOWS{room_i[D]}};
    s_ptr = granted ? '0 : ptr_s_o;
    for (int v = 0; v < D; v++) begin
      s_want = s_want | (of_lane[v*FLOWS+:FLOWS] & {FLOWS{lane_gnt[v]}});
      s_ptr = s_ptr | (ptr_g_o[v*FW+:FW] & {FW{lane_gnt[v]}});
    end
  end

  flow_scan #(.N(FLOWS)) u_send (.want_i(s_want), .ptr_i(s_ptr), .any_o(any_s), .idx_o(s_flow));

  // ---- the operation
  localparam int CLASSES = 5;
  logic [CLASSES-1:0] can, class_gnt;
  logic [2:0]         class_idx;
  logic               class_any;

  always_comb begin
    can = '0;
    can[quell_pkg::SO_W] = any_w && calm(w_flow);
    can[quell_pkg::SO_B] = b_i && !op_q[quell_pkg::SO_B];
    can[quell_pkg::SO_E] = any_e && calm(e_flow) && may_ask_i && !b_i && !op_q[quell_pkg::SO_E];
    can[quell_pkg::SO_S] = any_s && calm(s_flow) && may_send_i && !op_q[quell_pkg::SO_S];
    can[quell_pkg::SO_P] = any_p && calm(start_flow_o);
  end

  rr_arbiter #(.N(CLASSES)) u_class (
      .req_i(can),
      .ptr_i(op_ptr_o),
      .gnt_o(class_gnt),
      .idx_o(class_idx),
      .any_o(class_any)
  );

  always_comb begin
    op_d = '0;
    op_d[quell_pkg::SO_R] = reply_i;
    if (!reply_i) op_d[quell_pkg::SO_P:0] = class_gnt;
    flow_o = '0;
    if (reply_i) flow_o = reply_flow_i;
    else if (class_gnt[quell_pkg::SO_W]) flow_o = w_flow;
    else if (class_gnt[quell_pkg::SO_B]) flow_o = b_flow_i;
    else if (class_gnt[quell_pkg::SO_E]) flow_o = e_flow;
    else if (class_gnt[quell_pkg::SO_S]) flow_o = s_flow;
    else if (class_gnt[quell_pkg::SO_P]) flow_o = start_flow_o;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      op_q <= '0;
      op_lane_o <= '0;
      op_ptr_o <= '0;
      ptr_e_o <= '0;
      ptr_p_o <= '0;
      ptr_w_o <= '0;
      ptr_s_o <= '0;
      lane_q <= '0;
      ptr_g_o <= '0;
    end else begin
      op_q <= op_d;
      op_lane_o <= granted ? 4'(lane) : 4'(D);
      if (!reply_i && class_any) begin
        op_ptr_o <= (class_idx == 3'(CLASSES - 1)) ? 3'd0 : class_idx + 1'b1;
        if (class_gnt[quell_pkg::SO_W]) ptr_w_o <= after(w_flow);
        if (class_gnt[quell_pkg::SO_E]) ptr_e_o <= after(e_flow);
        if (class_gnt[quell_pkg::SO_P]) ptr_p_o <= after(start_flow_o);
        if (class_gnt[quell_pkg::SO_S]) begin
          if (granted) begin
            lane_q <= (lane == LW'(D - 1)) ? '0 : lane + 1'b1;
            for (int v = 0; v < D; v++) if (lane_gnt[v]) ptr_g_o[v*FW+:FW] <= after(s_flow);
          end else begin
            ptr_s_o <= after(s_flow);
          end
        end
      end
    end
  end

  assign op_o = op_q;
  assign lane_o = 4'(lane_q);

`ifdef QUELL_CHECK
  reservation_pick_checker #(.D(D), .FLOWS(FLOWS)) u_check (
      .clk_i, .rst_i, .reply_i,
      .can_i(can),
      .op_i(op_d),
      .flow_i(flow_o),
      .want_w_i(w_want),
      .want_e_i(rs_i),
      .want_p_i(idle_i & pq_i),
      .want_go_i(go_i),
      .want_sp_i(sp_i),
      .room_i, .sl_i,
      .granted_i(granted),
      .lane_i(4'(lane))
  );
`endif
endmodule

`default_nettype wire
