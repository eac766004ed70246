// A host may pause inside a packet for as long as it likes: as long as nobody writes a time limit, none is cut. Bound to hca at
// the end of hca_checker.sv.
`default_nettype none

module host_pause_checker (
    input wire logic        clk_i,
    input wire logic        rst_i,
    input wire logic        cfg_we_i,
    input wire logic [7:0]  cfg_unit_i,
    input wire logic [7:0]  cfg_addr_i,
    input wire logic        timeout_i  // error of the input port: a packet was cut
);
  logic limited_q;  // a limit was written

  always_ff @(posedge clk_i) begin
    if (rst_i) limited_q <= 1'b0;
    else if (cfg_we_i && cfg_unit_i == quell_pkg::HU_INPUT && cfg_addr_i == quell_pkg::IP_RX_TIMEOUT) limited_q <= 1'b1;
    if (!rst_i) b3_host_may_pause: assert (limited_q || !timeout_i);
  end
endmodule

`default_nettype wire
