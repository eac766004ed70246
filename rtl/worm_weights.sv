// Weights of the lanes of one side of a port: with admission those of real-time lanes come from what is booked. Combinational. Rule YA7.
`default_nettype none

module worm_weights #(
    parameter int VLS = 16
) (
    input  wire logic [VLS-1:0]    booked_i,  // lanes whose weights do: real-time, and admission is on
    input  wire logic [16*VLS-1:0] book_i,
    input  wire logic [3:0]        shift_i,
    input  wire logic [8*VLS-1:0]  weight_i,  // of registers
    output logic [8*VLS-1:0]       weight_o
);
  for (genvar v = 0; v < VLS; v++) begin : g_lane
    logic [15:0] share;

    assign share = book_i[16*v+:16] >> shift_i;
    assign weight_o[8*v+:8] = !booked_i[v] ? weight_i[8*v+:8] : (share > 16'd255) ? 8'd255 : share[7:0];
  end
endmodule

`default_nettype wire
