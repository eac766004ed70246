// Plays recorded stimulus into a synthesised netlist and compares every output with what the RTL gave.
//
// `netlist_ports.vh` is generated beside it (tests/netlist.rs): IN_BITS, OUT_BITS, the declarations, the netlist
// instance and the wire `differs`. Each line of the file +vectors=FILE is one cycle: inputs and expected outputs in hex.
`include "netlist_ports.vh"

module netlist_tb;
  reg clk = 1'b0;
  reg rst = 1'b1;
  reg [`IN_BITS-1:0] in = 0;
  reg [`OUT_BITS-1:0] expected = 0;
  `NETLIST_PORTS
  `NETLIST_UNIT

  reg [8*4096-1:0] path;
  integer file, cycle, i;

  initial begin
    if (!$value$plusargs("vectors=%s", path)) begin
      $display("FAIL: no +vectors=FILE");
      $finish;
    end
    file = $fopen(path, "r");
    for (i = 0; i < 3; i = i + 1) begin
      #1 clk = 1'b1;
      #1 clk = 1'b0;
    end
    rst = 1'b0;
    cycle = 0;
    while ($fscanf(file, "%h %h\n", in, expected) == 2) begin
      #1;
      if (differs !== 0) begin
        $display("FAIL: cycle %0d, outputs that differ (bit i = output i): %b", cycle, differs);
        $finish;
      end
      clk = 1'b1;
      #1 clk = 1'b0;
      cycle = cycle + 1;
    end
    $display("PASS: %0d cycles", cycle);
    $finish;
  end
endmodule
