// Round-robin choice, combinational: of the requests, the first at or after ptr_i, wrapping at N.
// The owner of the pointer advances it. Rules A1, A2, E3, E4.
`default_nettype none

module rr_arbiter #(
    parameter int N = 8,
    localparam int W = (N > 1) ? $clog2(N) : 1
) (
    input  wire logic [N-1:0] req_i,
    input  wire logic [W-1:0] ptr_i,
    output logic [N-1:0]      gnt_o,  // one-hot, 0 without a request
    output logic [W-1:0]      idx_o,  // number of the winner, 0 without a request
    output logic              any_o
);
  logic [N-1:0] ahead;  // requests at or after the pointer
  logic [N-1:0] pool;

  assign any_o = |req_i;
  assign ahead = req_i & ({N{1'b1}} << ptr_i);
  assign pool = (|ahead) ? ahead : req_i;
  assign gnt_o = pool & (~pool + 1'b1);

  always_comb begin
    idx_o = '0;
    for (int i = 0; i < N; i++) if (gnt_o[i]) idx_o = idx_o | W'(i);
  end
endmodule

`default_nettype wire
