// Of the requests the one that comes first in an order, which is given as a matrix: who is before whom. Combinational, in two
// levels: nobody who asks is before the winner. Rules YW5, YW6.
`default_nettype none

module order_first #(
    parameter int N = 16
) (
    input  wire logic [N-1:0]   req_i,
    input  wire logic [N*N-1:0] before_i,  // element w*N+v: w is before v
    output logic [N-1:0]        first_o    // one-hot, 0 without a request
);
  for (genvar v = 0; v < N; v++) begin : g_v
    logic [N-1:0] earlier;
    for (genvar w = 0; w < N; w++) begin : g_w
      assign earlier[w] = req_i[w] && before_i[w*N+v];
    end
    assign first_o[v] = req_i[v] && earlier == '0;
  end
endmodule

`default_nettype wire
