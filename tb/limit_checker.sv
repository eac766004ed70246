// The life of a line is what was written to LINE_TIMER: a value beyond the timer's width acts as its largest, 0 as 1. Bound to
// input_config and output_regs at the end of their units' checkers. Rule E8.
`default_nettype none

module limit_checker #(
    parameter int TIMER_W = 32
) (
    input wire logic               clk_i,
    input wire logic               rst_i,
    input wire logic               we_i,     // LINE_TIMER is written
    input wire logic [31:0]        data_i,
    input wire logic [TIMER_W-1:0] limit_i   // in use
);
  logic        past_ok_q;  // the last cycle was not a reset cycle
  logic        known_q;    // written since reset
  logic [31:0] last_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    if (rst_i) known_q <= 1'b0;
    else if (we_i) begin
      known_q <= 1'b1;
      last_q <= data_i;
    end
    if (!rst_i && past_ok_q)
      e8_limit_is_as_written: assert (!known_q ? limit_i == '1
          : last_q == '0 ? limit_i == TIMER_W'(1)
          : (last_q >= 32'({TIMER_W{1'b1}})) ? limit_i == '1 : limit_i == last_q[TIMER_W-1:0]);
  end
endmodule

`default_nettype wire
