// The ring of one class of requests: round robin from its own pointer, which moves past what is granted, and the places
// that the pointer passes on the way there. Rule Q3; docs/output-port.md section 16.
`default_nettype none

module class_ring #(
    parameter int N = 8
) (
    input  wire logic         clk_i,
    input  wire logic         rst_i,
    input  wire logic         go_i,      // the class has its turn, and one of its requests fits
    input  wire logic [N-1:0] fits_i,
    output logic      [N-1:0] win_o,     // one-hot, 0 without go_i
    output logic      [N-1:0] ahead_o,   // places from the pointer on, before the ring begins anew
    output logic      [N-1:0] passed_o,  // places before the winner, 0 without go_i
    output logic      [15:0]  ptr_o
);
  localparam int W = (N > 1) ? $clog2(N) : 1;

  logic [W-1:0] ptr_q, ptr_d, idx;
  logic [N-1:0] pick, below;
  logic         unused_any;

  rr_arbiter #(.N(N)) u_pick (
      .req_i(fits_i), .ptr_i(ptr_q), .gnt_o(pick), .idx_o(idx), .any_o(unused_any)
  );

  assign win_o = go_i ? pick : '0;
  assign ahead_o = {N{1'b1}} << ptr_q;
  assign below = pick - 1'b1;
  assign passed_o = !go_i ? '0 : ((pick & ahead_o) != '0) ? ahead_o & below : ahead_o | below;

  assign ptr_d = rst_i ? '0 : !go_i ? ptr_q : (idx == W'(N - 1)) ? '0 : idx + 1'b1;

  always_ff @(posedge clk_i) ptr_q <= ptr_d;

  assign ptr_o = 16'(ptr_q);
endmodule

`default_nettype wire
