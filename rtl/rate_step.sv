// What a mark and a clean ACK make of a flow's rate 1/x, by the response function: LIPD, FIMD or AIMD. x is the time from
// packet to packet in packet times, 24 bits behind the point, from 1 to 2^g. Combinational. Rules SR1, SR2;
// docs/source-response.md, rate functions.
`default_nettype none

module rate_step (
    input  wire logic        lipd_i,
    input  wire logic        aimd_i,       // neither: FIMD
    input  wire logic [3:0]  g_i,          // 2..8
    input  wire logic [32:0] x_i,          // 2^24..2^(24+g)
    output logic      [32:0] marked_o,
    output logic      [32:0] recovered_o
);
  localparam logic [32:0] ONE = 33'd1 << 24;

  // ---- a mark: slower
  logic [33:0] slower, x_max;

  always_comb begin
    x_max = 34'd1 << (6'd24 + 6'(g_i));
    slower = lipd_i ? 34'(x_i) + 34'(ONE) : {x_i, 1'b0};
    marked_o = (slower > x_max) ? x_max[32:0] : slower[32:0];
  end

  // ---- a clean ACK: faster by d
  logic [24:0] share;      // x over its largest value, 24 bits behind the point
  logic [25:0] h;
  logic [57:0] square;
  logic [32:0] gain, d;

  assign share = 25'(x_i >> g_i);
  assign square = 58'(x_i) * 58'(share);

  recovery_table u_table (
      .aimd_i,
      .e_i(share[24:8]),
      .h_o(h)
  );

  recovery_gain u_gain (
      .q_i(square[56:24]),
      .h_i(h),
      .d_o(gain)
  );

  always_comb begin
    d = lipd_i ? 33'(share) : gain;
    recovered_o = (x_i - ONE < d) ? ONE : x_i - d;
  end

  wire unused_low = &{1'b0, square[57], square[23:0]};
endmodule

`default_nettype wire
