// Fill of N queues in flits: a packet's whole length is charged when it enters; flits read, a cut
// packet's rest, a packet moved away, and with release the whole of a packet granted are taken off. Rules B1, E4.
`default_nettype none

module queue_fill #(
    parameter int N = 8,
    parameter int FW = 17,
    parameter int RW = 7,       // bits of what a queue can release in a cycle
    parameter int PARITY = 0,
    localparam int QW = (N > 1) ? $clog2(N) : 1
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic           add_i,
    input  wire logic [QW-1:0]  add_q_i,
    input  wire logic [6:0]     add_n_i,
    input  wire logic           move_i,    // a packet leaves for another queue
    input  wire logic [QW-1:0]  move_q_i,
    input  wire logic [6:0]     move_n_i,
    input  wire logic [N*RW-1:0] release_i, // flits released of each queue
    input  wire logic [N*7-1:0] grant_i,   // and the length of a packet granted whose charge leaves now
    output logic [N*FW-1:0]     fill_o,
    output logic                parity_err_o
);
  logic [N*FW-1:0] fill_q, fill_d;
  logic            unused;  // lengths are at most MTU: with a small buffer FW bits hold them

  assign unused = &{1'b0, add_n_i, move_n_i};

  for (genvar q = 0; q < N; q++) begin : g_queue
    logic [FW-1:0] add_n;
    logic [FW-1:0] move_n;
    assign add_n = (add_i && add_q_i == QW'(q)) ? FW'(add_n_i) : '0;
    assign move_n = (move_i && move_q_i == QW'(q)) ? FW'(move_n_i) : '0;

    always_comb begin
      fill_d[q*FW +: FW] = fill_q[q*FW +: FW];
      if (rst_i) fill_d[q*FW +: FW] = '0;
      else
        fill_d[q*FW +: FW] = fill_q[q*FW +: FW] + add_n - move_n
            - FW'(release_i[q*RW +: RW]) - FW'(grant_i[q*7 +: 7]);
    end

    always_ff @(posedge clk_i) fill_q[q*FW +: FW] <= fill_d[q*FW +: FW];
  end

  assign fill_o = fill_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^fill_d),
      .now_i(^fill_q),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
