// Lanes of a wormhole adapter and its link: credits of the router for each lane, the order of the lanes by weights, the guard of
// best-effort, and what leaves. A flit is read in the cycle in which it goes and is on the link two cycles later. With each flit stands
// what message it is of, so that the tail says what has left. Rules YW2, YW6, YA7, YC3, F1.
`default_nettype none

module worm_sender #(
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int LANE = 40,
    parameter int CNT_W = 32
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 run_i,
    input  wire logic                 link_up_i,
    // registers
    input  wire logic [VLS-1:0]       be_i,
    input  wire logic [VLS-1:0]       rt_i,
    input  wire logic                 admit_en_i,
    input  wire logic [16*VLS-1:0]    book_i,
    input  wire logic [3:0]           wshift_i,
    input  wire logic [7:0]           be_weight_i,
    input  wire logic [7:0]           lhp_i,
    // what is moved in
    input  wire logic [VLS-1:0]       push_i,
    input  wire logic                 last_i,
    input  wire logic                 first_i,
    input  wire logic [127:0]         data_i,
    input  wire quell_pkg::worm_msg_t msg_i,
    // other schemes
    input  wire logic [VLS-1:0]       be_hold_i,
    input  wire logic                 waits_i,         // something waits for a turn at the table
    output logic [VLS-1:0]            be_front_o,
    output logic [16*VLS-1:0]         be_dlid_o,
    // link
    input  wire logic [VLS-1:0]       rx_credit_i,
    output logic                      tx_valid_o,
    output logic [3:0]                tx_vl_o,
    output logic                      tx_first_o,
    output logic                      tx_last_o,
    output logic [127:0]              tx_data_o,
    output logic                      leave_o,       // what is on tx is a tail,
    output quell_pkg::worm_msg_t      leave_msg_o,   // of this
    // errors, counters, state
    output logic                      credit_err_o,
    output logic [CNT_W-1:0]          cnt_sent_o,
    output logic [8*VLS-1:0]          level_o,
    output logic [8*VLS-1:0]          cr_o,
    output logic [VLS-1:0]            inside_o,
    output logic                      tail_o,          // a tail that takes a turn went in the cycle before
    output logic [8*VLS-1:0]          place_o,
    output logic [8*VLS-1:0]          left_o,
    output logic [7:0]                guard_o
);
  localparam int CONTROL = VLS - 1;
  localparam int WORDS = VLS * LANE;
  localparam int AW = $clog2(WORDS);
  localparam int PW = $clog2(LANE);
  localparam int LW = $clog2(LANE + 1);
  localparam int CW = $clog2(DEPTH + 1);
  localparam int MW = $bits(msg_i);

  function automatic logic [PW-1:0] after(input logic [PW-1:0] p);
    after = (p == PW'(LANE - 1)) ? '0 : p + 1'b1;
  endfunction

  // ---- lanes
  logic              takes_turn;  // a tail of a real-time message or a release
  logic [VLS-1:0]    turn_front, any, last_front, home, sends, goes;
  logic [PW*VLS-1:0] front_at, end_at;
  logic [VLS-1:0]    flags_err, dlid_err;

  assign takes_turn = last_i && (msg_i.kind == 2'd1 || (msg_i.kind == 2'd3 && msg_i.last));

  for (genvar v = 0; v < VLS; v++) begin : g_lane
    logic [PW-1:0] front_q, end_q;
    logic [LW-1:0] level_q;
    logic [CW-1:0] cr_q;
    logic [15:0]   dlid;

    ram_async #(.DEPTH(LANE), .WIDTH(2)) u_flags (
        .clk_i,
        .we_i(push_i[v]),
        .waddr_i(end_q),
        .wdata_i({takes_turn, last_i}),
        .raddr_i(front_q),
        .rdata_o({turn_front[v], last_front[v]}),
        .used_i(1'b0),
        .parity_err_o(flags_err[v])
    );

    if (v < VLS - 2) begin : g_dlid
      ram_async #(.DEPTH(LANE), .WIDTH(16)) u_dlid (
          .clk_i,
          .we_i(push_i[v]),
          .waddr_i(end_q),
          .wdata_i(quell_pkg::wire16(data_i[quell_pkg::DLID_LSB+:16])),
          .raddr_i(front_q),
          .rdata_o(dlid),
          .used_i(1'b0),
          .parity_err_o(dlid_err[v])
      );
    end else begin : g_dlid
      assign dlid = '0;
      assign dlid_err[v] = 1'b0;
    end

    assign any[v] = level_q != '0;
    assign home[v] = cr_q == CW'(DEPTH);
    assign be_front_o[v] = be_i[v] && any[v] && !inside_o[v];
    assign be_dlid_o[16*v+:16] = be_front_o[v] ? dlid : '0;
    assign sends[v] = any[v] && cr_q != '0 && link_up_i && !(be_front_o[v] && be_hold_i[v])
        && !(turn_front[v] && tail_o && waits_i);

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        {front_q, end_q, level_q} <= '0;
        inside_o[v] <= 1'b0;
      end else begin
        if (goes[v]) front_q <= after(front_q);
        if (push_i[v]) end_q <= after(end_q);
        level_q <= level_q + LW'(push_i[v]) - LW'(goes[v]);
        if (goes[v]) inside_o[v] <= !last_front[v];
      end
      if (rst_i || !link_up_i) cr_q <= CW'(DEPTH);
      else cr_q <= cr_q - CW'(goes[v]) + CW'(run_i && rx_credit_i[v] && !home[v]);
    end

    assign front_at[PW*v+:PW] = front_q;
    assign end_at[PW*v+:PW] = end_q;
    assign level_o[8*v+:8] = 8'(level_q);
    assign cr_o[8*v+:8] = 8'(cr_q);
  end

  assign credit_err_o = run_i && link_up_i && (rx_credit_i & home) != '0;

  // ---- which lane goes
  logic [8*VLS-1:0]   plain, weight;  // without admission
  logic [VLS*VLS-1:0] ahead;
  logic [VLS-1:0]     rt, be, rt_first, be_first;
  logic               be_due, rt_goes, be_goes;

  for (genvar v = 0; v < VLS; v++) begin : g_weight
    assign plain[8*v+:8] = rt_i[v] ? 8'd1 : be_weight_i;
  end

  worm_weights #(.VLS(VLS)) u_weights (
      .booked_i(rt_i & {VLS{admit_en_i}}),
      .book_i,
      .shift_i(wshift_i),
      .weight_i(plain),
      .weight_o(weight)
  );

  wrr_order #(.N(VLS)) u_order (
      .clk_i, .rst_i,
      .go_i(goes),
      .weight_i(weight),
      .ahead_o(ahead),
      .place_o,
      .left_o
  );

  assign rt = sends & rt_i;
  assign be = sends & be_i;

  order_first #(.N(VLS)) u_rt (.req_i(rt), .ahead_i(ahead), .first_o(rt_first));
  order_first #(.N(VLS)) u_be (.req_i(be), .ahead_i(ahead), .first_o(be_first));

  assign be_goes = !sends[CONTROL] && be != '0 && (rt == '0 || be_due);
  assign rt_goes = !sends[CONTROL] && rt != '0 && !be_goes;

  always_comb begin
    goes = '0;
    if (sends[CONTROL]) goes[CONTROL] = 1'b1;
    else if (be_goes) goes = be_first;
    else goes = rt_first;
  end

  worm_guard u_guard (
      .clk_i, .rst_i,
      .rt_goes_i(rt_goes),
      .step_i(8'd1),
      .clear_i(be_goes),
      .be_waits_i(be != '0),
      .limit_i(lhp_i),
      .count_o(guard_o),
      .due_o(be_due)
  );

  // ---- flits: written as they are moved, read as they go
  logic [AW-1:0]    waddr, raddr;
  logic [MW+129:0]  word;
  logic             data_err, went_q;
  logic [3:0]       vl, vl_q;
  logic             tail;

  always_comb begin
    waddr = '0;
    raddr = '0;
    vl = '0;
    for (int v = 0; v < VLS; v++) begin
      if (push_i[v]) waddr = waddr | (AW'(v * LANE) + AW'(end_at[PW*v+:PW]));
      if (goes[v]) begin
        raddr = raddr | (AW'(v * LANE) + AW'(front_at[PW*v+:PW]));
        vl = vl | 4'(v);
      end
    end
  end
  assign tail = (goes & last_front) != '0;

  ram_sync #(.DEPTH(WORDS), .WIDTH(MW + 130)) u_data (
      .clk_i,
      .we_i(push_i != '0),
      .waddr_i(waddr),
      .wdata_i({msg_i, first_i, last_i, data_i}),
      .re_i(goes != '0),
      .raddr_i(raddr),
      .rdata_o(word),
      .used_i(1'b0),
      .parity_err_o(data_err)
  );

  always_ff @(posedge clk_i) begin
    tail_o <= !rst_i && (goes & turn_front) != '0;
    went_q <= !rst_i && goes != '0;
    vl_q <= vl;
    if (rst_i || !went_q) begin
      {tx_valid_o, tx_vl_o, tx_first_o, tx_last_o, tx_data_o} <= '0;
      leave_msg_o <= '0;
    end else begin
      tx_valid_o <= 1'b1;
      tx_vl_o <= vl_q;
      {leave_msg_o, tx_first_o, tx_last_o, tx_data_o} <= word;
    end
  end
  assign leave_o = tx_last_o;

  event_counter #(.CNT_W(CNT_W)) u_sent (.clk_i, .rst_i, .event_i(tail), .count_o(cnt_sent_o));

  wire unused = &{1'b0, flags_err, dlid_err, data_err};
endmodule

`default_nettype wire
