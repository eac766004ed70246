// Which packets an adapter answers with a CNP: each one that is marked, or with messages of 2^k packets of a source the last one of a
// message, if one of its packets was. A bit for each source that is a flow. Rule H2; docs/hca.md section 4.
`default_nettype none

module message_replies #(
    parameter int FLOWS = 64,
    parameter int PARITY = 0
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             cnp_on_i,  // CNPs are sent
    input  wire logic [2:0]       per_i,     // k
    input  wire logic             forget_i,  // k is written
    input  wire logic             whole_i,   // a packet ends, whole,
    input  wire logic             counts_i,  // which counts,
    input  wire logic             fecn_i,    // which is marked (such a one counts),
    input  wire logic [6:0]       psn_i,     // with these bits of its PSN,
    input  wire logic [15:0]      flow_i,    // of this source
    output logic                  ask_o,     // Mealy: it is answered
    output logic [FLOWS-1:0]      seen_o,    // sources with a FECN not yet told
    output logic                  parity_err_o
);
  localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1;

  logic [FLOWS-1:0] seen_d;
  logic [FW-1:0]    flow;
  logic             by_message, ends, seen;

  assign flow = flow_i[FW-1:0];
  assign by_message = per_i != '0 && flow_i < 16'(FLOWS);
  assign ends = (~psn_i & ~(7'h7F << per_i)) == '0;
  assign seen = seen_o[flow];
  assign ask_o = cnp_on_i && whole_i && (by_message ? counts_i && ends && (fecn_i || seen) : fecn_i);

  always_comb begin
    seen_d = seen_o;
    if (whole_i && counts_i && by_message) seen_d[flow] = !ends && (seen || fecn_i);
    if (rst_i || forget_i || !cnp_on_i) seen_d = '0;
  end

  always_ff @(posedge clk_i) seen_o <= seen_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^seen_d),
      .now_i(^seen_o),
      .err_o(parity_err_o)
  );

`ifdef QUELL_CHECK
  message_replies_checker #(.FLOWS(FLOWS)) u_checker (
      .clk_i, .rst_i, .cnp_on_i, .per_i, .forget_i, .whole_i, .counts_i, .fecn_i, .psn_i, .flow_i,
      .ask_i (ask_o),
      .seen_i(seen_o)
  );
`endif
endmodule

`default_nettype wire
