// Output of the wormhole router: credits of the next hop for each lane, order of its lanes, guard of best-effort, and the
// register in front of the link, into which the word crosses that an input read in the cycle before. Rules YW2, YW5, YW6, F1.
`default_nettype none

module worm_output #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int CNT_W = 32
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 run_i,
    input  wire logic                 link_up_i,
    input  wire logic [VLS-1:0]       rx_credit_i,
    input  wire logic [8*VLS-1:0]     weight_i,
    input  wire logic [7:0]           lhp_i,
    // crossbar
    output logic [VLS-1:0]            ok_o,        // lanes that can be sent to
    output logic [VLS*VLS-1:0]        ahead_o,     // order of the lanes
    output logic                      guarded_o,
    output logic                      due_o,
    input  wire logic [PORTS-1:0]     from_i,      // input that sends, one-hot, or 0
    input  wire logic [VLS-1:0]       vl_i,        // lane that it sends in, one-hot, or 0
    input  wire logic [PORTS-1:0]     tail_i,      // by input: what it sends is a tail
    input  wire logic                 rt_goes_i,
    input  wire logic                 turn_i,      // guard turn
    input  wire logic                 be_waits_i,
    output logic                      tail_o,      // a tail goes
    input  wire logic [131*PORTS-1:0] flit_i,      // what each input sent in the cycle before: first, last, bad, data
    output logic [PORTS-1:0]          crosses_o,   // input whose flit crosses, one-hot, or 0,
    output logic [3:0]                cross_vl_o,  // and the lane (0 without)
    // link
    output logic                      tx_valid_o,
    output logic [3:0]                tx_vl_o,
    output logic                      tx_first_o,
    output logic                      tx_last_o,
    output logic                      tx_bad_o,
    output logic [127:0]              tx_data_o,
    // errors, counters, state
    output logic                      credit_err_o,
    output logic [CNT_W-1:0]          cnt_flits_o,
    output logic [CNT_W-1:0]          cnt_msgs_o,
    output logic [8*VLS-1:0]          cr_o,
    output logic [8*VLS-1:0]          place_o,
    output logic [8*VLS-1:0]          left_o,
    output logic [7:0]                guard_o
);
  localparam int CW = $clog2(DEPTH + 1);

  logic goes;

  assign goes = from_i != '0;
  assign tail_o = (from_i & tail_i) != '0;

  wrr_order #(.N(VLS)) u_order (
      .clk_i, .rst_i,
      .go_i(vl_i),
      .weight_i,
      .ahead_o,
      .place_o,
      .left_o
  );

  worm_guard u_guard (
      .clk_i, .rst_i,
      .rt_goes_i, .be_waits_i,
      .step_i(8'd1),
      .clear_i(turn_i),
      .limit_i(lhp_i),
      .count_o(guard_o),
      .due_o
  );
  assign guarded_o = lhp_i != '0;

  // ---- credits
  logic [VLS-1:0] home;  // lanes whose credits are all here

  for (genvar u = 0; u < VLS; u++) begin : g_vl
    logic [CW-1:0] cr_q;

    assign home[u] = cr_q == CW'(DEPTH);

    always_ff @(posedge clk_i) begin
      if (rst_i || !link_up_i) cr_q <= CW'(DEPTH);
      else cr_q <= cr_q - CW'(vl_i[u]) + CW'(run_i && rx_credit_i[u] && !home[u]);
    end

    assign ok_o[u] = link_up_i && cr_q != '0;
    assign cr_o[8*u+:8] = 8'(cr_q);
  end

  assign credit_err_o = run_i && link_up_i && (rx_credit_i & home) != '0;

  // ---- stage 5: the word crosses
  logic [PORTS-1:0] from_q;
  logic [3:0]       vl, vl_q;
  logic [130:0]     word;

  always_comb begin
    vl = '0;
    for (int u = 0; u < VLS; u++) if (vl_i[u]) vl = vl | 4'(u);
  end

  always_ff @(posedge clk_i) begin
    from_q <= rst_i ? '0 : from_i;
    vl_q <= rst_i ? '0 : vl;
  end

  assign crosses_o = from_q;
  assign cross_vl_o = vl_q;

  crossbar_column #(.PORTS(PORTS), .FLIT_W(131)) u_column (
      .valid_i(from_q),
      .data_i(flit_i),
      .data_o(word)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      tx_valid_o <= 1'b0;
      tx_vl_o <= '0;
      {tx_first_o, tx_last_o, tx_bad_o, tx_data_o} <= '0;
    end else begin
      tx_valid_o <= from_q != '0;
      tx_vl_o <= vl_q;
      {tx_first_o, tx_last_o, tx_bad_o, tx_data_o} <= word;
    end
  end

  event_counter #(.CNT_W(CNT_W)) u_flits (.clk_i, .rst_i, .event_i(goes), .count_o(cnt_flits_o));
  event_counter #(.CNT_W(CNT_W)) u_msgs (.clk_i, .rst_i, .event_i(tail_o), .count_o(cnt_msgs_o));
endmodule

`default_nettype wire
