// Order of N by when they were served: who is served goes to its end, and nobody else moves, so that nobody is passed more than
// N - 1 times, whenever and beside whomever it asks, and once more for each that is put in front. A matrix of bits, who is ahead
// of whom: who goes to the end has all ahead of it and is ahead of none, and the first of some is found without their places
// (order_first). Rules A1, A3, YW5.
`default_nettype none

module served_order #(
    parameter int N = 8,
    parameter int PARITY = 0
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic [N-1:0]   served_i,     // goes to the end; one-hot or 0
    input  wire logic [N-1:0]   front_i,      // goes to the front then; one-hot or 0
    output logic [N*N-1:0]      ahead_o,      // element v*N+w, w < v: w is ahead of v; others 0
    output logic [N*N-1:0]      before_o,     // the same of all: element v*N+w: w is ahead of v
    output logic                parity_err_o
);
  logic [N*N-1:0] ahead_d;

  // A bit for each pair, in the row of the higher one.
  for (genvar v = 0; v < N; v++) begin : g_row
    logic [N-1:0] lower;  // numbers below its own
    logic [N-1:0] row;    // who is served has gone to the end

    assign lower = ~({N{1'b1}} << v);
    assign row = served_i[v] ? '1 : ahead_o[v*N+:N] & ~served_i;
    assign ahead_d[v*N+:N] = rst_i ? lower : front_i[v] ? '0 : (row | front_i) & lower;
    for (genvar w = 0; w < N; w++) begin : g_pair
      assign before_o[v*N+w] = (w < v) ? ahead_o[v*N+w] : (w > v) && !ahead_o[w*N+v];
    end
  end

  always_ff @(posedge clk_i) ahead_o <= ahead_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^ahead_d),
      .now_i(^ahead_o),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
