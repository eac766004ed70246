// Match between inputs with one read port and outputs (iSLIP): outputs propose, inputs accept; in
// further iterations outputs that were not accepted offer to inputs that are still without a match.
// Rule A1; docs/switch.md, section 2. Combinational but for the accept pointers.
`default_nettype none

module islip_match #(
    parameter int PORTS = 8,
    parameter int ITERATIONS = 1
) (
    input  wire logic                   clk_i,
    input  wire logic                   rst_i,
    // element o*PORTS + i: output o and input i
    input  wire logic [PORTS*PORTS-1:0] grant_i,   // what each output proposes, one-hot
    input  wire logic [PORTS*PORTS-1:0] elig_i,    // what it could serve in a later iteration
    input  wire logic [PORTS*16-1:0]    rr_i,      // grant pointers
    output logic [PORTS*PORTS-1:0]      take_o,    // the match
    output logic [PORTS*16-1:0]         accept_o   // accept pointers
);
  localparam int W = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int PP = PORTS * PORTS;

  logic [PORTS*W-1:0]           ptr_q;
  logic [ITERATIONS*PP-1:0]     offer;    // per iteration
  logic [(ITERATIONS+1)*PP-1:0] matched;  // before each iteration, and in the end
  logic                         unused;   // pointers are wider than they need to be

  assign unused = &{1'b0, rr_i, elig_i};
  assign matched[PP-1:0] = '0;
  assign offer[PP-1:0] = grant_i;
  assign take_o = matched[ITERATIONS*PP +: PP];

  for (genvar k = 0; k < ITERATIONS; k++) begin : g_iteration
    logic [PP-1:0]      held, now;
    logic [PORTS-1:0]   in_done;   // inputs that have a match
    logic [PORTS*W-1:0] accepted;  // per input
    logic [PORTS-1:0]   accepts;

    assign held = matched[k*PP +: PP];
    always_comb begin
      in_done = '0;
      for (int o = 0; o < PORTS; o++) in_done = in_done | held[o*PORTS +: PORTS];
    end

    if (k > 0) begin : g_offer
      for (genvar o = 0; o < PORTS; o++) begin : g_output
        logic [PORTS-1:0] pool;
        logic [W-1:0]     idx;
        logic             any, unused_offer;
        assign pool = (held[o*PORTS +: PORTS] == '0) ? elig_i[o*PORTS +: PORTS] & ~in_done : '0;
        rr_arbiter #(.N(PORTS)) u_offer (
            .req_i(pool), .ptr_i(rr_i[o*16 +: W]), .gnt_o(offer[k*PP+o*PORTS +: PORTS]), .idx_o(idx), .any_o(any)
        );
        assign unused_offer = &{1'b0, idx, any};
      end
    end

    for (genvar i = 0; i < PORTS; i++) begin : g_input
      logic [PORTS-1:0] offers, chosen;
      for (genvar o = 0; o < PORTS; o++) begin : g_output
        assign offers[o] = offer[k*PP+o*PORTS+i];
        assign now[o*PORTS+i] = chosen[o];
      end
      rr_arbiter #(.N(PORTS)) u_accept (
          .req_i(offers), .ptr_i(ptr_q[i*W +: W]), .gnt_o(chosen), .idx_o(accepted[i*W +: W]), .any_o(accepts[i])
      );
    end
    assign matched[(k+1)*PP +: PP] = held | now;

    // Only the first iteration moves the pointers: that keeps the match free of starvation.
    if (k == 0) begin : g_pointers
      for (genvar i = 0; i < PORTS; i++) begin : g_input
        always_ff @(posedge clk_i) begin
          if (rst_i) ptr_q[i*W +: W] <= '0;
          else if (accepts[i])
            ptr_q[i*W +: W] <= (accepted[i*W +: W] == W'(PORTS - 1)) ? '0 : accepted[i*W +: W] + 1'b1;
        end
        assign accept_o[i*16 +: 16] = 16'(ptr_q[i*W +: W]);
      end
    end else begin : g_still
      logic unused_accept;
      assign unused_accept = &{1'b0, accepted, accepts};
    end
  end
endmodule

`default_nettype wire
