// Of the members of a pool those with the greatest age. Combinational: a tree of comparisons, so that many
// members cost few levels. Rules AG1, AG2.
`default_nettype none

module oldest_first #(
    parameter int N = 8,
    parameter int W = 24
) (
    input  wire logic [N-1:0]   pool_i,
    input  wire logic [N*W-1:0] age_i,
    output logic [N-1:0]        oldest_o  // 0 with an empty pool
);
  localparam int KW = W + 1;  // in the pool, age

  // A heap: the sons of node k are nodes 2k+1 and 2k+2, the members are the last N nodes.
  logic [(2*N-1)*KW-1:0] node;

  always_comb begin
    node = '0;
    for (int m = 0; m < N; m++) node[(N-1+m)*KW +: KW] = {pool_i[m], pool_i[m] ? age_i[m*W +: W] : W'(0)};
    for (int k = N - 2; k >= 0; k--) begin
      node[k*KW +: KW] = (node[(2*k+1)*KW +: KW] < node[(2*k+2)*KW +: KW])
          ? node[(2*k+2)*KW +: KW] : node[(2*k+1)*KW +: KW];
    end
  end

  for (genvar m = 0; m < N; m++) begin : g_member
    assign oldest_o[m] = pool_i[m] && age_i[m*W +: W] == node[W-1:0];
  end
  wire unused = &{1'b0, node[KW-1]};
endmodule

`default_nettype wire
