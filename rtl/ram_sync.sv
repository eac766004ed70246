// Data memory: one write port, READS synchronous read ports with enable. A read in the cycle of a
// write to the same address gives the old value. Not reset. Swap this module for an SRAM macro.
`default_nettype none

module ram_sync #(
    parameter int DEPTH = 16,
    parameter int WIDTH = 8,
    parameter int READS = 1,
    localparam int AW = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
    input  wire logic                   clk_i,
    input  wire logic                   we_i,
    input  wire logic [AW-1:0]          waddr_i,
    input  wire logic [WIDTH-1:0]       wdata_i,
    input  wire logic [READS-1:0]       re_i,
    input  wire logic [READS*AW-1:0]    raddr_i,
`ifdef FORMAL
    output logic      [DEPTH*WIDTH-1:0] mem_o,   // all of it, for lemmas of proofs
`endif
    output logic      [READS*WIDTH-1:0] rdata_o  // one cycle after re_i; holds without it
);
  logic [WIDTH-1:0] mem[0:DEPTH-1];

  always_ff @(posedge clk_i) if (we_i) mem[waddr_i] <= wdata_i;

  for (genvar r = 0; r < READS; r++) begin : g_read
    logic [WIDTH-1:0] data_q;
    always_ff @(posedge clk_i) if (re_i[r]) data_q <= mem[raddr_i[r*AW +: AW]];
    assign rdata_o[r*WIDTH +: WIDTH] = data_q;
  end

`ifdef FORMAL
  for (genvar i = 0; i < DEPTH; i++) begin : g_mem
    assign mem_o[i*WIDTH +: WIDTH] = mem[i];
  end
`endif
endmodule

`default_nettype wire
