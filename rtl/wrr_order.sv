// Weighted round robin as an order of lanes: who has sent the flits that were left to him goes to its end and gets his weight
// anew; who cannot send keeps his place. Rule YW5.
`default_nettype none

module wrr_order #(
    parameter int N = 16
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic [N-1:0]   go_i,      // lane of the flit that goes, one-hot
    input  wire logic [8*N-1:0] weight_i,  // 0 acts as 1
    output logic [N*N-1:0]      ahead_o,   // element v*N+w, w < v: w is ahead of v; others 0
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

  wire unused_parity;
  wire [N-1:0] none = '0;
  logic [N*N-1:0] before_it;  // of each lane those that are ahead of it

  served_order #(.N(N)) u_order (
      .clk_i, .rst_i,
      .served_i(ends),
      .front_i(none),
      .ahead_o,
      .before_o(before_it),
      .parity_err_o(unused_parity)
  );

  for (genvar v = 0; v < N; v++) begin : g_place
    assign place_o[8*v+:8] = 8'($countones(before_it[v*N+:N]));
  end

`ifdef QUELL_CHECK
  wrr_order_checker #(.N(N)) u_checker (
      .clk_i, .rst_i,
      .go_i,
      .ahead_i(ahead_o),
      .weight_i,
      .place_i(place_o),
      .left_i(left_o)
  );
`endif
endmodule

`default_nettype wire
