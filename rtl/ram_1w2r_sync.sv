// Memory with one write port and two read ports (a and b), all synchronous. A read returns, in the
// next cycle, what was stored before the writes of its own cycle. Contents are unknown until written.
`default_nettype none

module ram_1w2r_sync #(
    parameter int WIDTH = 8,
    parameter int DEPTH = 16,
    localparam int AW = $clog2(DEPTH)
) (
    input  wire logic             clk_i,
    input  wire logic             we_i,
    input  wire logic [AW-1:0]    waddr_i,
    input  wire logic [WIDTH-1:0] wdata_i,
    input  wire logic [AW-1:0]    raddr_a_i,
    output logic [WIDTH-1:0]      rdata_a_o,
    input  wire logic [AW-1:0]    raddr_b_i,
    output logic [WIDTH-1:0]      rdata_b_o
);
  logic [WIDTH-1:0] mem[0:DEPTH-1];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    rdata_a_o <= mem[raddr_a_i];
    rdata_b_o <= mem[raddr_b_i];
  end
endmodule

`default_nettype wire
