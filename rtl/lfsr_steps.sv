// What an LFSR of 16 bits (taps 15, 13, 12, 10) holds after so many steps. Combinational. Random numbers are drawn with so many
// steps between them that no bit is used twice. Rules M2, UP1, YW4.
`default_nettype none

module lfsr_steps #(
    parameter int STEPS = 16
) (
    input  wire logic [15:0] x_i,
    output logic [15:0]      x_o
);
  always_comb begin
    x_o = x_i;
    for (int s = 0; s < STEPS; s++) x_o = {x_o[14:0], x_o[15] ^ x_o[13] ^ x_o[12] ^ x_o[10]};
  end
endmodule

`default_nettype wire
