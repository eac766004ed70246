// One sum of bandwidth that is booked: what is released and what ends goes off, down to 0 at least, then a probe's is added. Rules YA2,
// YA5, YA6.
`default_nettype none

module worm_sum #(
    parameter int WIDTH = 16
) (
    input  wire logic             clk_i,
    input  wire logic             clear_i,    // reset, or admission is off
    input  wire logic             end_i,      // a stream ends,
    input  wire logic [15:0]      end_bw_i,   // of this bandwidth
    input  wire logic             take_i,     // a release; one of them at most
    input  wire logic             add_i,      // a probe
    input  wire logic [15:0]      bw_i,
    output logic [WIDTH-1:0]      sum_o,
    output logic                  bad_o       // Mealy: more was to be taken off than there is
);
  logic [16:0]      off, left;
  logic [17:0]      sum;

  assign off = (end_i ? 17'(end_bw_i) : 17'd0) + (take_i ? 17'(bw_i) : 17'd0);
  assign bad_o = !clear_i && off > 17'(sum_o);
  assign left = (off > 17'(sum_o)) ? '0 : 17'(sum_o) - off;
  assign sum = 18'(left) + (add_i ? 18'(bw_i) : 18'd0);

  always_ff @(posedge clk_i) begin
    if (clear_i) sum_o <= '0;
    else sum_o <= (sum >= 18'(1 << WIDTH)) ? '1 : sum[WIDTH-1:0];
  end
endmodule

`default_nettype wire
