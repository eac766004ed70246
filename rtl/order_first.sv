// Of the requests the one that comes first in an order, which is given as a matrix: who is ahead of whom. Combinational, in two
// levels: nobody who asks is ahead of the winner. A matrix in which a bit was flipped may be a ring, in which everybody has
// somebody ahead: then the lowest goes, and its place, when it is served, mends the order. Rules A1, YW5, YW6.
`default_nettype none

module order_first #(
    parameter int N = 16
) (
    input  wire logic [N-1:0]   req_i,
    input  wire logic [N*N-1:0] ahead_i,  // element v*N+w, w < v: w is ahead of v, or else v of w; others 0
    output logic [N-1:0]        first_o   // one-hot, 0 without a request
);
  logic [N-1:0] first;

  always_comb begin
    first = req_i;
    for (int v = 0; v < N; v++) begin
      if ((req_i & ahead_i[v*N+:N]) != '0) first[v] = 1'b0;
      // What v asks for, those below get only if they are ahead.
      first = first & (ahead_i[v*N+:N] | ({N{1'b1}} << v) | {N{!req_i[v]}});
    end
    first_o = (first != '0) ? first : req_i & (~req_i + 1'b1);
  end
endmodule

`default_nettype wire
