// Replies by message: each has a cause, none is forgotten, and of packets that come one after the other so many are between
// two replies as a message has. Instantiated by message_replies under QUELL_CHECK.
`default_nettype none

module message_replies_checker #(
    parameter int FLOWS = 64
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic             cnp_on_i,
    input wire logic [2:0]       per_i,
    input wire logic             forget_i,
    input wire logic             whole_i,
    input wire logic             counts_i,
    input wire logic             fecn_i,
    input wire logic [6:0]       psn_i,
    input wire logic [15:0]      flow_i,
    input wire logic             ask_i,
    input wire logic [FLOWS-1:0] seen_i
);
  localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1;

  // FECNs that came since the source was answered
  logic [FLOWS-1:0] marked_q;
  logic [FW-1:0]    flow;
  logic             of_flow, marked, last;

  assign flow = flow_i[FW-1:0];
  assign of_flow = per_i != '0 && flow_i < 16'(FLOWS);
  assign marked = of_flow && marked_q[flow];
  assign last = (32'(psn_i) + 32'd1) % (32'd1 << per_i) == '0;

  // one source followed from a reply to its next one: its packets since, while their PSNs follow each other
  logic        followed_q;
  logic [15:0] follow_q;
  logic [6:0]  psn_q;
  logic [7:0]  since_q;
  logic        here;  // a packet of it ends

  assign here = followed_q && whole_i && counts_i && of_flow && flow_i == follow_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || forget_i || !cnp_on_i) begin
      marked_q <= '0;
      followed_q <= 1'b0;
    end else begin
      if (of_flow && whole_i && counts_i) marked_q[flow] <= (marked_q[flow] || fecn_i) && !ask_i;
      if (ask_i && of_flow && !followed_q) begin
        followed_q <= 1'b1;
        follow_q <= flow_i;
        psn_q <= psn_i;
        since_q <= '0;
      end else if (here) begin
        if (ask_i || psn_i != psn_q + 7'd1) followed_q <= 1'b0;
        psn_q <= psn_i;
        since_q <= (since_q == '1) ? since_q : since_q + 1'b1;
      end
    end
    if (!rst_i) begin
      h2_reply_has_cause: assert (!ask_i || (cnp_on_i && whole_i && (fecn_i || marked)));
      h2_reply_at_an_end: assert (!ask_i || !of_flow || (counts_i && last));
      h2_fecn_is_told: assert (!whole_i || !cnp_on_i || ask_i || !(of_flow ? counts_i && last && (marked || fecn_i) : fecn_i));
      h2_one_reply_a_message: assert (!(here && ask_i && psn_i == psn_q + 7'd1) || 32'(since_q) + 32'd1 >= (32'd1 << per_i));
      h2_seen_is_untold: assert (seen_i == marked_q);
      h2_c_seen: cover (seen_i != '0);
      h2_c_told_later: cover (ask_i && !fecn_i);
      h2_c_next_message: cover (here && ask_i && psn_i == psn_q + 7'd1);
    end
  end
endmodule

`default_nettype wire
