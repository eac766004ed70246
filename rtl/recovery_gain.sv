// Product of two numbers of the recovery of a rate, the second with 26 bits behind the point; rounded down. Combinational.
// (A module of its own: two multipliers one behind the other in one module are too much for some synthesis.) Rule SR2.
`default_nettype none

module recovery_gain (
    input  wire logic [32:0] q_i,
    input  wire logic [25:0] h_i,
    output logic      [32:0] d_o
);
  logic [58:0] product;

  assign product = 59'(q_i) * 59'(h_i);
  assign d_o = product[58:26];

  wire unused_low = &{1'b0, product[25:0]};
endmodule

`default_nettype wire
