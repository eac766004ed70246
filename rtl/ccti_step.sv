// Lowers a CCTI by some steps, down to the minimum; an index below the minimum is lifted to it. Combinational. Rule H4.
`default_nettype none

module ccti_step (
    input  wire logic [13:0] ccti_i,
    input  wire logic [13:0] steps_i,  // 0: the index passes
    input  wire logic [7:0]  min_i,
    output logic      [13:0] ccti_o
);
  logic [13:0] floor;

  always_comb begin
    floor = 14'(min_i);
    ccti_o = ccti_i;
    if (steps_i != '0) ccti_o = (ccti_i > floor && ccti_i - floor > steps_i) ? ccti_i - steps_i : floor;
  end
endmodule

`default_nettype wire
