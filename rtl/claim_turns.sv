// Turns of inputs with one read port: remembers the requests that an input lost to another of its outputs,
// notes when an output's round robin passes such an input while its read port is busy, and hides the
// requests that must wait for it; the output keeps its credits for it meanwhile. Rule A3; docs/switch.md,
// section 2. One VL.
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
    // the match, element o*PORTS+i: requests that a stopped line holds, proposals, what is served; and the
    // grant pointers
    input  wire logic [PORTS*PORTS-1:0]   held_i,
    input  wire logic [PORTS*PORTS-1:0]   grant_i,
    input  wire logic [PORTS*PORTS-1:0]   take_i,
    input  wire logic [PORTS*16-1:0]      rr_i,
    // requests as the outputs see them, element o*PORTS+i
    output logic [PORTS*PORTS-1:0]        req_valid_o,
    // state, element i*PORTS+o
    output logic [PORTS*PORTS-1:0]        lost_o,
    output logic [PORTS*PORTS-1:0]        claim_o,
    output logic [PORTS-1:0]              parity_err_o  // of each input's state
);
  localparam int W = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int PP = PORTS * PORTS;

  logic [PP-1:0] lost_q, lost_d, claim_q, claim_d;
  logic [PP-1:0] active;  // element i*PORTS+o
  logic [PP-1:0] passed;  // element o*PORTS+i: the round robin of o goes past i
  logic [PP-1:0] served;  // take_i, element i*PORTS+o
  logic [PP-1:0] held;    // held_i, element i*PORTS+o
  logic [PORTS-1:0] credit;  // outputs with credit for a packet of MTU flits

  // ---- which requests the outputs see
  for (genvar o = 0; o < PORTS; o++) begin : g_credit
    assign credit[o] = quell_pkg::credit_fits(fccl_i[o*12 +: 12] - txr_i[o*12 +: 12], 7'(MTU));
  end
  for (genvar i = 0; i < PORTS; i++) begin : g_active
    for (genvar o = 0; o < PORTS; o++) begin : g_of
      localparam int E = i * PORTS + o;
      assign active[E] = claim_q[E] && req_valid_i[E] && credit[o] && !held[E];
      assign served[E] = take_i[o*PORTS+i];
      assign held[E] = held_i[o*PORTS+i];
    end
  end

  logic [PORTS-1:0] in_active, out_active;  // inputs and outputs with an active claim
  logic [PORTS-1:0] out_waits;              // outputs claimed by an input that is busy
  always_comb begin
    in_active = '0;
    out_active = '0;
    out_waits = '0;
    for (int i = 0; i < PORTS; i++) begin
      in_active[i] = active[i*PORTS +: PORTS] != '0;
      out_active = out_active | active[i*PORTS +: PORTS];
      if (busy_i[i] && req_valid_i[i*PORTS +: PORTS] == '0) out_waits = out_waits | claim_q[i*PORTS +: PORTS];
    end
  end

  for (genvar i = 0; i < PORTS; i++) begin : g_shown
    for (genvar o = 0; o < PORTS; o++) begin : g_to
      localparam int E = i * PORTS + o;
      assign req_valid_o[o*PORTS+i] = req_valid_i[E] && (active[E] || !(in_active[i] || out_active[o] || out_waits[o]));
    end
  end

  // ---- which inputs an output passes: those from its pointer up to the one that it serves
  for (genvar o = 0; o < PORTS; o++) begin : g_passed
    logic [PORTS-1:0] winner, below, from;
    assign winner = grant_i[o*PORTS +: PORTS] & take_i[o*PORTS +: PORTS];
    assign below = winner - 1'b1;
    assign from = {PORTS{1'b1}} << rr_i[o*16 +: W];
    assign passed[o*PORTS +: PORTS] = (winner == '0) ? '0
        : ((winner & from) != '0) ? from & below : from | below;
  end

  for (genvar i = 0; i < PORTS; i++) begin : g_input
    logic [PORTS-1:0] req, lost, taken, passes;
    assign req = req_valid_i[i*PORTS +: PORTS];
    assign lost = lost_q[i*PORTS +: PORTS];
    assign taken = served[i*PORTS +: PORTS];
    for (genvar o = 0; o < PORTS; o++) begin : g_by
      assign passes[o] = passed[o*PORTS+i];
    end

    always_comb begin
      lost_d[i*PORTS +: PORTS] = lost_q[i*PORTS +: PORTS];
      claim_d[i*PORTS +: PORTS] = claim_q[i*PORTS +: PORTS];
      if (rst_i) begin
        lost_d[i*PORTS +: PORTS] = '0;
        claim_d[i*PORTS +: PORTS] = '0;
      end else if (req != '0) begin
        lost_d[i*PORTS +: PORTS] = (taken != '0) ? req & ~taken : '0;
        claim_d[i*PORTS +: PORTS] = claim_q[i*PORTS +: PORTS] & req & ~taken & ~held[i*PORTS +: PORTS];
      end else begin
        claim_d[i*PORTS +: PORTS] = claim_q[i*PORTS +: PORTS] | (lost & passes);
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
        .err_o(parity_err_o[i])
    );
  end
  assign lost_o = lost_q;
  assign claim_o = claim_q;

  wire unused = &{1'b0, rr_i};  // pointers are wider than they need to be
endmodule

`default_nettype wire
