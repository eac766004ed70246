// How many packets are queued of flows that wait for no delay: a place for each, given up when the packet is accepted or when
// its flow is delayed. When so many are taken, the flows that could go are refused. Rule H1; docs/hca.md section 1.
`default_nettype none

module injection_window #(
    parameter int FLOWS = 64,
    parameter int PARITY = 0
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic [3:0]       limit_i,        // places, at most 8; 0: no limit
    input  wire logic [FLOWS-1:0] blocked_i,      // flows that wait for their delay
    input  wire logic             post_i,         // a packet is queued,
    input  wire logic [15:0]      post_flow_i,    // of a flow that exists
    input  wire logic             accept_i,       // one leaves its queue
    input  wire logic [15:0]      accept_flow_i,
    output logic                  full_o,
    output logic [7:0]            taken_o,        // places
    output logic                  parity_err_o
);
  localparam int PLACES = 8;
  localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1;

  logic [PLACES-1:0]    valid_q, valid_d, blocked, same, leaves, enters;
  logic [PLACES*FW-1:0] flow_q, flow_d;
  logic                 takes;  // the packet queued takes a place

  wire unused = &{1'b0, post_flow_i, accept_flow_i};  // flows are FW bits wide

  for (genvar p = 0; p < PLACES; p++) begin : g_place
    assign blocked[p] = blocked_i[flow_q[p*FW +: FW]];
    assign same[p] = valid_q[p] && flow_q[p*FW +: FW] == accept_flow_i[FW-1:0];
  end

  assign takes = post_i && limit_i != '0 && !blocked_i[post_flow_i[FW-1:0]];
  assign leaves = accept_i ? same & (~same + 1'b1) : '0;
  assign enters = takes ? ~valid_q & (valid_q + 1'b1) : '0;

  always_comb begin
    valid_d = (limit_i == '0) ? '0 : (valid_q & ~leaves & ~blocked) | enters;
    flow_d = flow_q;
    for (int p = 0; p < PLACES; p++) if (enters[p]) flow_d[p*FW +: FW] = post_flow_i[FW-1:0];
    if (rst_i) begin
      valid_d = '0;
      flow_d = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    valid_q <= valid_d;
    flow_q <= flow_d;
  end

  always_comb begin
    taken_o = '0;
    for (int p = 0; p < PLACES; p++) taken_o = taken_o + 8'(valid_q[p]);
  end
  assign full_o = limit_i != '0 && taken_o >= 8'(limit_i);

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{valid_d, flow_d}),
      .now_i(^{valid_q, flow_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
