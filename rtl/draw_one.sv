// One of a set, each alike: of its n members the k-th, lowest first, k = floor(x * n / 65536) with 16 random bits x. Combinational.
// Rules UP1, YW4, YC4.
`default_nettype none

module draw_one #(
    parameter int N = 8
) (
    input  wire logic [N-1:0]  set_i,
    input  wire logic [15:0]   x_i,
    output logic [N-1:0]       one_o   // one-hot; 0 of the empty set
);
  localparam int CW = $clog2(N + 1);

  logic [N*CW-1:0] below;    // members below each,
  logic [CW-1:0]   many;     // and all
  logic [15+CW:0]  product;

  always_comb begin
    many = '0;
    for (int m = 0; m < N; m++) begin
      below[m*CW+:CW] = many;
      many = many + CW'(set_i[m]);
    end
  end
  assign product = (16 + CW)'(x_i) * (16 + CW)'(many);

  always_comb for (int m = 0; m < N; m++) one_o[m] = set_i[m] && below[m*CW+:CW] == product[16+:CW];

  wire unused = &{1'b0, product[15:0]};
endmodule

`default_nettype wire
