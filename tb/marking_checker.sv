// Properties of marking by chance (mode 1), counted: neighbouring marks know nothing of each other, and the rarest rate marks,
// too. Bound to mark_policy_ib at the end of output_port_checker.sv.
`default_nettype none

module marking_checker (
    input wire logic        clk_i,
    input wire logic        rst_i,
    input wire logic [1:0]  mode_i,
    input wire logic [15:0] rate_i,
    input wire logic        seed_we_i,
    input wire logic        eligible_i,
    input wire logic        mark_i
);
  // Of 128 packets that follow a marked one, so many may be marked where one in eight is, or fewer (six deviations above what
  // the page allows; half of them would be 64).
  localparam logic [7:0] PAIRS_MAX = 8'd44;

  logic [15:0] rate_q;
  logic        anew;      // rate, mode or random bits are written
  logic        after_q;   // the packet before was marked
  logic [7:0]  n_q;       // packets after a marked one
  logic [7:0]  pairs_q;   // of them, marked
  logic [16:0] unmarked_q;
  logic        full;

  assign anew = rst_i || seed_we_i || mode_i != 2'd1 || rate_i != rate_q;
  assign full = n_q == 8'd128;

  always_ff @(posedge clk_i) begin
    rate_q <= rate_i;
    if (anew) begin
      after_q <= 1'b0;
      unmarked_q <= '0;
    end else if (eligible_i) begin
      after_q <= mark_i;
      unmarked_q <= mark_i ? '0 : unmarked_q + 1'b1;
    end
    if (anew || full) begin
      n_q <= '0;
      pairs_q <= '0;
    end else if (eligible_i && after_q) begin
      n_q <= n_q + 1'b1;
      pairs_q <= pairs_q + 8'(mark_i);
    end
    if (!rst_i) begin
      m2_marks_are_independent: assert (!full || anew || rate_i < 16'd7 || pairs_q <= PAIRS_MAX);
      m2_every_rate_marks: assert (unmarked_q <= 17'd65535);
      m2_c_window: cover (full);
    end
  end
endmodule

`default_nettype wire
