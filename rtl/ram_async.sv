// Pointer and descriptor memory: one write port, READS asynchronous read ports. A read in the cycle
// of a write to the same address gives the old value. Not reset. Swap this module for a macro.
// With PARITY = 1 each word has a parity bit, which is looked at when the word read is used.
`default_nettype none

module ram_async #(
    parameter int DEPTH = 16,
    parameter int WIDTH = 8,
    parameter int READS = 1,
    parameter int PARITY = 0,
    localparam int AW = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
    input  wire logic                   clk_i,
    input  wire logic                   we_i,
    input  wire logic [AW-1:0]          waddr_i,
    input  wire logic [WIDTH-1:0]       wdata_i,
    input  wire logic [READS*AW-1:0]    raddr_i,
    output logic      [READS*WIDTH-1:0] rdata_o,
    input  wire logic [READS-1:0]       used_i,  // what is read matters
    output logic                        parity_err_o  // Mealy
);
  localparam int MW = (PARITY != 0) ? WIDTH + 1 : WIDTH;

  logic [MW-1:0]    mem[0:DEPTH-1];
  logic [READS-1:0] bad;

  always_ff @(posedge clk_i) if (we_i) mem[waddr_i] <= MW'({^wdata_i, wdata_i});

  for (genvar r = 0; r < READS; r++) begin : g_read
    logic [MW-1:0] word;
    assign word = mem[raddr_i[r*AW +: AW]];
    assign rdata_o[r*WIDTH +: WIDTH] = word[WIDTH-1:0];
    assign bad[r] = PARITY != 0 && used_i[r] && ^word;
  end

  assign parity_err_o = bad != '0;

`ifdef FORMAL
  logic [DEPTH*WIDTH-1:0] all;  // what lemmas of proofs see
  for (genvar i = 0; i < DEPTH; i++) begin : g_mem
    assign all[i*WIDTH +: WIDTH] = mem[i][WIDTH-1:0];
  end
`endif
endmodule

`default_nettype wire
