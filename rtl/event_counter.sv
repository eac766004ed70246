// Counts events, one in a cycle at most, and stays at its largest value. Rule C1 (counters).
`default_nettype none

module event_counter #(
    parameter int CNT_W = 32
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        event_i,
    output logic [CNT_W-1:0] count_o
);
  always_ff @(posedge clk_i) begin
    if (rst_i) count_o <= '0;
    else if (event_i && count_o != '1) count_o <= count_o + 1'b1;
  end
endmodule

`default_nettype wire
