// Match between inputs with one read port and outputs (iSLIP): outputs propose, inputs accept; in
// further iterations outputs that were not accepted offer to inputs that are still without a match.
// Rule A1; docs/switch.md, section 2. Combinational but for the accept pointers.
`default_nettype none

module islip_match #(
    parameter int PORTS = 8,
    parameter int ITERATIONS = 1,
    parameter int PARITY = 0
) (
    input  wire logic                   clk_i,
    input  wire logic                   rst_i,
    // element o*PORTS + i: output o and input i
    input  wire logic [PORTS*PORTS-1:0] grant_i,   // what each output proposes, one-hot
    input  wire logic [PORTS*PORTS-1:0] elig_i,    // what it could serve in a later iteration
    input  wire logic [PORTS*PORTS*PORTS-1:0] ahead_i,  // order of the class chosen, element (o*PORTS+i)*PORTS+j: j is ahead of i
    output logic [PORTS*PORTS-1:0]      take_o,    // the match
    output logic [PORTS*16-1:0]         accept_o,  // accept pointers
    output logic [PORTS-1:0]            parity_err_o  // of each input's state
);
  localparam int W = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int PP = PORTS * PORTS;

  // Round robin from ptr, one-hot.
  function automatic logic [PORTS-1:0] choose(input logic [PORTS-1:0] req, input logic [W-1:0] ptr);
    logic [PORTS-1:0] ahead;
    ahead = req & ({PORTS{1'b1}} << ptr);
    if (ahead == '0) ahead = req;
    choose = ahead & (~ahead + 1'b1);
  endfunction

  logic [PORTS*W-1:0] ptr_q, ptr_d;
  logic [PP-1:0]      offer;    // element o*PORTS + i
  logic [PP-1:0]      matched;
  logic [PP-1:0]      first;    // the match after the first iteration
  logic [PORTS-1:0]   in_done;  // inputs that have a match
  logic [PORTS-1:0]   offers, chosen;
  logic               unused;

  assign unused = &{1'b0, ahead_i, elig_i};  // one iteration needs neither

  always_comb begin
    matched = '0;
    first = '0;
    in_done = '0;
    offers = '0;
    chosen = '0;
    offer = grant_i;
    for (int k = 0; k < ITERATIONS; k++) begin
      if (k > 0) begin
        offer = '0;
        for (int o = 0; o < PORTS; o++)
          for (int i = 0; i < PORTS; i++)
            offer[o*PORTS+i] = matched[o*PORTS +: PORTS] == '0 && elig_i[o*PORTS+i] && !in_done[i]
                && (elig_i[o*PORTS +: PORTS] & ~in_done & ahead_i[(o*PORTS+i)*PORTS +: PORTS]) == '0;
      end
      for (int i = 0; i < PORTS; i++) begin
        for (int o = 0; o < PORTS; o++) offers[o] = offer[o*PORTS+i];
        chosen = choose(offers, ptr_q[i*W +: W]);
        for (int o = 0; o < PORTS; o++) matched[o*PORTS+i] = matched[o*PORTS+i] | chosen[o];
        in_done[i] = in_done[i] | (chosen != '0);
      end
      if (k == 0) first = matched;
    end
  end
  assign take_o = matched;

  // Only the first iteration moves the pointers: that keeps the match free of starvation.
  for (genvar i = 0; i < PORTS; i++) begin : g_pointer
    logic [W-1:0] accepted;
    logic         accepts;
    always_comb begin
      accepted = '0;
      accepts = 1'b0;
      for (int o = 0; o < PORTS; o++) begin
        if (first[o*PORTS+i]) begin
          accepted = accepted | W'(o);
          accepts = 1'b1;
        end
      end
    end
    always_comb begin
      ptr_d[i*W +: W] = ptr_q[i*W +: W];
      if (rst_i) ptr_d[i*W +: W] = '0;
      else if (accepts) ptr_d[i*W +: W] = (accepted == W'(PORTS - 1)) ? '0 : accepted + 1'b1;
    end

    always_ff @(posedge clk_i) ptr_q[i*W +: W] <= ptr_d[i*W +: W];

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^ptr_d[i*W +: W]),
        .now_i(^ptr_q[i*W +: W]),
        .err_o(parity_err_o[i])
    );
    assign accept_o[i*16 +: 16] = 16'(ptr_q[i*W +: W]);
  end
endmodule

`default_nettype wire
