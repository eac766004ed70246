// Turns of inputs with one read port: remembers the requests that an input lost to another of its outputs,
// notes when an output goes past an input that wants it, and hides from that output the requests of those that it
// served later, so that it is passed once and not again. Each output has an order for this, by services of data
// and CNPs alike. Rule A3; docs/switch.md, section 2. One VL.
`default_nettype none

module claim_turns #(
    parameter int PORTS = 8,
    parameter int MTU = 32,
    parameter int PARITY = 0
) (
    input  wire logic                     clk_i,
    input  wire logic                     rst_i,
    // requests as the inputs show them, element i*PORTS+o
    input  wire logic [PORTS*PORTS-1:0]   req_valid_i,
    input  wire logic [PORTS-1:0]         busy_i,       // inputs with a packet in progress
    // per output: credit limit and blocks granted
    input  wire logic [PORTS*12-1:0]      fccl_i,
    input  wire logic [PORTS*12-1:0]      txr_i,
    // the match, element o*PORTS+i: requests that are CNPs, those that a line holds, what is served
    input  wire logic [PORTS*PORTS-1:0]   cnp_i,
    input  wire logic [PORTS*PORTS-1:0]   held_i,
    input  wire logic [PORTS*PORTS-1:0]   take_i,
    // requests as the outputs see them, element o*PORTS+i
    output logic [PORTS*PORTS-1:0]        req_valid_o,
    // state, element i*PORTS+o
    output logic [PORTS*PORTS-1:0]        lost_o,
    output logic [PORTS*PORTS-1:0]        claim_o,
    // order of the claims, element (o*PORTS+i)*PORTS+j: o served j longer ago than i
    output logic [PORTS*PORTS*PORTS-1:0]  ahead_o,
    output logic [PORTS-1:0]              parity_err_o  // of each input's state, and of the order of the output of its number
);
  localparam int PP = PORTS * PORTS;

  logic [PP-1:0] lost_q, lost_d, claim_q, claim_d;
  logic [PP-1:0] claimant;  // element o*PORTS+i: o does not go past i
  logic [PP-1:0] passed;    // element o*PORTS+i: o goes past i
  logic [PORTS-1:0] cnp;    // outputs that serve a CNP
  logic [PORTS-1:0] waits;  // inputs that show nothing, their read port being busy
  logic [PORTS-1:0] order_err, state_err;
  for (genvar i = 0; i < PORTS; i++) begin : g_waits
    assign waits[i] = busy_i[i] && req_valid_i[i*PORTS +: PORTS] == '0;
  end

  for (genvar o = 0; o < PORTS; o++) begin : g_output
    localparam int O = o * PORTS;
    logic             credit;  // for a packet of MTU flits
    logic [PORTS-1:0] req, winner;

    assign credit = quell_pkg::credit_fits(fccl_i[o*12 +: 12] - txr_i[o*12 +: 12], 8'(MTU));

    for (genvar i = 0; i < PORTS; i++) begin : g_from
      localparam int E = i * PORTS + o;
      assign req[i] = req_valid_i[E];
      assign claimant[O+i] = claim_q[E] && (waits[i] || (req[i] && credit && !held_i[O+i]));
    end

    // ---- which requests it sees: those with no claimant ahead of them; whom it goes past: those ahead of the one that it serves
    logic [PP-1:0] unused_pairs;

    assign winner = take_i[O +: PORTS];
    served_order #(.N(PORTS), .PARITY(PARITY)) u_order (
        .clk_i, .rst_i,
        .served_i(winner),
        .front_i({PORTS{1'b0}}),
        .ahead_o(unused_pairs),
        .before_o(ahead_o[O*PORTS +: PP]),
        .parity_err_o(order_err[o])
    );
    for (genvar i = 0; i < PORTS; i++) begin : g_place
      assign req_valid_o[O+i] = req[i] && (claimant[O +: PORTS] & ahead_o[(O+i)*PORTS +: PORTS]) == '0;
    end
    always_comb begin
      passed[O +: PORTS] = '0;
      for (int i = 0; i < PORTS; i++)
        if (winner[i]) passed[O +: PORTS] = passed[O +: PORTS] | ahead_o[(O+i)*PORTS +: PORTS];
    end
    assign cnp[o] = (winner & cnp_i[O +: PORTS]) != '0;
  end

  for (genvar i = 0; i < PORTS; i++) begin : g_input
    logic [PORTS-1:0] req, lost, claim, taken, held, passes, like;
    assign req = req_valid_i[i*PORTS +: PORTS];
    assign lost = lost_q[i*PORTS +: PORTS];
    assign claim = claim_q[i*PORTS +: PORTS];
    for (genvar o = 0; o < PORTS; o++) begin : g_by
      assign taken[o] = take_i[o*PORTS+i];
      assign held[o] = held_i[o*PORTS+i];
      assign passes[o] = passed[o*PORTS+i];
      assign like[o] = cnp_i[o*PORTS+i] == cnp[o];  // the request is of the class that is served
    end

    always_comb begin
      lost_d[i*PORTS +: PORTS] = lost_q[i*PORTS +: PORTS];
      claim_d[i*PORTS +: PORTS] = claim_q[i*PORTS +: PORTS];
      if (rst_i) begin
        lost_d[i*PORTS +: PORTS] = '0;
        claim_d[i*PORTS +: PORTS] = '0;
      end else if (req != '0) begin
        lost_d[i*PORTS +: PORTS] = (taken != '0) ? req & ~taken : '0;
        claim_d[i*PORTS +: PORTS] = (claim | (passes & like)) & req & ~taken & ~held;
      end else begin
        claim_d[i*PORTS +: PORTS] = claim | (lost & passes);
      end
    end

    always_ff @(posedge clk_i) begin
      lost_q[i*PORTS +: PORTS] <= lost_d[i*PORTS +: PORTS];
      claim_q[i*PORTS +: PORTS] <= claim_d[i*PORTS +: PORTS];
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{lost_d[i*PORTS +: PORTS], claim_d[i*PORTS +: PORTS]}),
        .now_i(^{lost_q[i*PORTS +: PORTS], claim_q[i*PORTS +: PORTS]}),
        .err_o(state_err[i])
    );
  end
  assign parity_err_o = state_err | order_err;
  assign lost_o = lost_q;
  assign claim_o = claim_q;
endmodule

`default_nettype wire
