// Brings a CCTI up to date with the steps that the timer of its SL has made since it was last seen.
// Combinational; with per_sl_i = 0 the CCTI passes. Rule H4.
`default_nettype none

module ccti_catch_up (
    input  wire logic        per_sl_i,
    input  wire logic [13:0] ccti_i,
    input  wire logic [7:0]  seen_i,
    input  wire logic [7:0]  steps_i,
    input  wire logic [7:0]  min_i,
    output logic [13:0]      ccti_o
);
  logic [7:0]  behind;
  logic [13:0] floor;

  always_comb begin
    behind = steps_i - seen_i;
    floor = 14'(min_i);
    ccti_o = ccti_i;
    if (per_sl_i && behind != '0 && ccti_i > floor)
      ccti_o = (ccti_i - floor > 14'(behind)) ? ccti_i - 14'(behind) : floor;
  end
endmodule

`default_nettype wire
