// Index of the lowest set bit; 0 when there is none. Combinational.
`default_nettype none

module lowest_one #(
    parameter int N = 32,
    localparam int W = (N > 1) ? $clog2(N) : 1
) (
    input  wire logic [N-1:0] x_i,
    output logic [W-1:0]      idx_o
);
  // positions whose index has bit b set
  function automatic logic [N-1:0] positions(input int b);
    positions = '0;
    for (int i = 0; i < N; i++) positions[i] = ((i >> b) & 1) != 0;
  endfunction

  logic [N-1:0] only;  // the lowest set bit alone

  assign only = x_i & (~x_i + 1'b1);

  for (genvar b = 0; b < W; b++) begin : g_bit
    localparam logic [N-1:0] POSITIONS = positions(b);
    assign idx_o[b] = |(only & POSITIONS);
  end
endmodule

`default_nettype wire
