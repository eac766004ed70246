// Guard of best-effort at an input or an output: counts the real-time flits that pass while a best-effort one waits; with as
// many as the limit best-effort is due, until the guard is cleared: by its turn, or by the flit that waited, and not by any
// best-effort flit that chances to go, or the one that waits would do so for ever. Rule YW6.
`default_nettype none

module worm_guard (
    input  wire logic       clk_i,
    input  wire logic       rst_i,
    input  wire logic       rt_goes_i,
    input  wire logic       clear_i,
    input  wire logic       be_waits_i,
    input  wire logic [7:0] limit_i,   // 0: never due
    output logic [7:0]      count_o,
    output logic            due_o
);
  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) count_o <= '0;
    else if (rt_goes_i && be_waits_i && count_o != '1) count_o <= count_o + 8'd1;
  end

  assign due_o = limit_i != '0 && count_o >= limit_i;
endmodule

`default_nettype wire
