// Weighted round robin as an order of lanes: who has sent the flits that were left to him goes to its end and gets his weight
// anew; who cannot send keeps his place. The order is a matrix of bits, who is before whom: a lane that goes to the end clears
// its row and sets its column, and the first of some lanes is found without their places (order_first). Rule YW5.
`default_nettype none

module wrr_order #(
    parameter int N = 16
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic [N-1:0]   go_i,      // lane of the flit that goes, one-hot
    input  wire logic [8*N-1:0] weight_i,  // 0 acts as 1
    output logic [N*N-1:0]      before_o,  // element w*N+v: w is before v
    output logic [8*N-1:0]      place_o,   // for observation
    output logic [8*N-1:0]      left_o
);
  logic [N-1:0] ends;  // lane that goes to the end

  for (genvar v = 0; v < N; v++) begin : g_left
    logic [7:0] left_q;
    logic [7:0] weight;

    assign weight = weight_i[8*v+:8];
    assign ends[v] = go_i[v] && left_q <= 8'd1;

    always_ff @(posedge clk_i) begin
      if (rst_i) left_q <= 8'd1;
      else if (ends[v]) left_q <= (weight == '0) ? 8'd1 : weight;
      else if (go_i[v]) left_q <= left_q - 8'd1;
    end

    assign left_o[8*v+:8] = left_q;
  end

  // A bit for each pair; the other way round it is its complement.
  for (genvar w = 0; w < N; w++) begin : g_row
    assign before_o[w*N+w] = 1'b0;
    for (genvar v = w + 1; v < N; v++) begin : g_pair
      logic pair_q;

      always_ff @(posedge clk_i) begin
        if (rst_i) pair_q <= 1'b1;
        else if (ends[w]) pair_q <= 1'b0;
        else if (ends[v]) pair_q <= 1'b1;
      end

      assign before_o[w*N+v] = pair_q;
      assign before_o[v*N+w] = !pair_q;
    end
  end

  always_comb begin
    place_o = '0;
    for (int v = 0; v < N; v++)
      for (int w = 0; w < N; w++) place_o[8*v+:8] = place_o[8*v+:8] + 8'(before_o[w*N+v]);
  end

`ifdef QUELL_CHECK
  wrr_order_checker #(.N(N)) u_check (
      .clk_i, .rst_i,
      .go_i,
      .before_i(before_o),
      .place_i(place_o),
      .left_i(left_o)
  );
`endif
endmodule

`default_nettype wire
