// While an output is busy, every request that it may have to tell of a tree is looked at once in N cycles, whatever the others
// do. Seen from outside: the scan goes on from the request looked at last. Instantiated by
// output_port_checker. Rules A3, E3.
`default_nettype none

module scan_checker #(
    parameter int N = 8
) (
    input wire logic         clk_i,
    input wire logic         rst_i,
    input wire logic         iso_en_i,
    input wire logic         xb_free_i,
    input wire logic [N-1:0] asks_i,  // data that are not in a hot queue of their tree
    input wire logic [15:0]  scan_i   // the scan goes on from here
);
  logic [N-1:0] late;

  for (genvar r = 0; r < N; r++) begin : g_request
    logic [15:0] wait_q;  // cycles since it was looked at
    assign late[r] = wait_q > 16'(N);
    always_ff @(posedge clk_i) begin
      if (rst_i || !iso_en_i || xb_free_i || !asks_i[r] || scan_i == 16'((r + 1) % N)) wait_q <= '0;
      else if (!late[r]) wait_q <= wait_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) if (!rst_i) e3_scan_goes_round: assert (late == '0);
endmodule

`default_nettype wire
