// Guard of best-effort at an input or an output: counts the real-time flits that pass while a best-effort one waits; with as
// many as the limit best-effort is due, until the guard is cleared: by its turn, or by the flit that waited, and not by any
// best-effort flit that chances to go, or the one that waits would do so for ever. Rules YW6, YC4.
`default_nettype none

module worm_guard #(
    parameter int W = 8
) (
    input  wire logic         clk_i,
    input  wire logic         rst_i,
    input  wire logic         rt_goes_i,
    input  wire logic [W-1:0] step_i,     // flits that go
    input  wire logic         clear_i,
    input  wire logic         be_waits_i,
    input  wire logic [W-1:0] limit_i,    // 0: never due
    output logic [W-1:0]      count_o,
    output logic              due_o
);
  logic [W:0] sum;

  assign sum = (W + 1)'(count_o) + (W + 1)'(step_i);

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) count_o <= '0;
    else if (rt_goes_i && be_waits_i) count_o <= sum[W] ? '1 : sum[W-1:0];
  end

  assign due_o = limit_i != '0 && count_o >= limit_i;
endmodule

`default_nettype wire
