// The order of a weighted round robin is an order: every place is taken once; who goes to the end leaves the others as they were, and nobody
// else moves; nobody is last but one who sent what was left to him. Instantiated by wrr_order; for simulation. Rule YW5.
`default_nettype none

module wrr_order_checker #(
    parameter int N = 16
) (
    input wire logic           clk_i,
    input wire logic           rst_i,
    input wire logic [N-1:0]   go_i,
    input wire logic [N*N-1:0] ahead_i,
    input wire logic [8*N-1:0] weight_i,
    input wire logic [8*N-1:0] place_i,
    input wire logic [8*N-1:0] left_i
);
  logic           live_q;  // what follows is of the cycle before
  logic [N-1:0]   go_q;
  logic [8*N-1:0] place_q, left_q, weight_q;
  logic [N-1:0]   taken;          // places
  logic [7:0]     last_q;         // place of the lane that went to the end, or beyond all
  logic           kept, counted, shown;

  always_ff @(posedge clk_i) begin
    live_q <= !rst_i;
    go_q <= go_i;
    place_q <= place_i;
    left_q <= left_i;
    weight_q <= weight_i;
    last_q <= 8'(N);
    for (int v = 0; v < N; v++) if (go_i[v] && left_i[8*v+:8] <= 8'd1) last_q <= place_i[8*v+:8];
  end

  always_comb begin
    taken = '0;
    kept = 1'b1;
    counted = 1'b1;
    shown = 1'b1;
    for (int v = 0; v < N; v++) begin
      for (int p = 0; p < N; p++) if (place_i[8*v+:8] == 8'(p)) taken[p] = 1'b1;
      // those behind it move up by one
      if (place_q[8*v+:8] == last_q) kept = kept && place_i[8*v+:8] == 8'(N - 1);
      else kept = kept && place_i[8*v+:8] == place_q[8*v+:8] - 8'(place_q[8*v+:8] > last_q);
      if (!go_q[v]) counted = counted && left_i[8*v+:8] == left_q[8*v+:8];
      else if (left_q[8*v+:8] > 8'd1) counted = counted && left_i[8*v+:8] == left_q[8*v+:8] - 8'd1;
      else counted = counted && left_i[8*v+:8] == ((weight_q[8*v+:8] == '0) ? 8'd1 : weight_q[8*v+:8]);
      // the matrix says what the places say
      for (int w = 0; w < v; w++) shown = shown && ahead_i[v*N+w] == (place_i[8*w+:8] < place_i[8*v+:8]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) yw5_env_one_lane_goes: assert ($onehot0(go_i));
    if (!rst_i && live_q) begin
      yw5_every_place_once: assert (&taken);
      yw5_places_are_the_matrix: assert (shown);
      yw5_others_keep_their_order: assert (kept);
      yw5_weights_are_counted: assert (counted);
    end
  end
endmodule

`default_nettype wire
