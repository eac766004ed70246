// What a flow's window, rate and slots are now: those of its word, bounded by the registers of this moment; a fresh flow
// has the initial ones, and what another response function left behind counts for nothing. Combinational. Rules AK6, SR1,
// VR2, VR4; docs/source-response.md, derived values.
`default_nettype none

module response_values (
    input  wire logic        adj_i,       // ACKs have adjusted the flow
    input  wire logic [7:0]  win_i,       // its word
    input  wire logic [32:0] x_i,
    input  wire logic [3:0]  j_i,
    input  wire logic        dyn_i,
    input  wire logic        rate_i,
    input  wire logic        slots_i,
    input  wire logic [7:0]  win_max_i,
    input  wire logic [3:0]  g_i,
    input  wire logic [3:0]  ws_steps_i,
    output logic      [7:0]  win_o,
    output logic      [32:0] x_o,         // 2^24 is the full rate
    output logic      [3:0]  j_o
);
  logic [32:0] x_max;

  always_comb begin
    x_max = 33'd1 << (6'd24 + 6'(g_i));
    win_o = win_max_i;
    x_o = 33'd1 << 24;
    j_o = '0;
    if (adj_i && dyn_i && win_i < win_max_i) win_o = win_i;
    if (adj_i && rate_i) x_o = (x_i < x_max) ? x_i : x_max;
    if (adj_i && slots_i) j_o = (j_i < ws_steps_i) ? j_i : ws_steps_i;
  end
endmodule

`default_nettype wire
