// Pace of each read engine of an input port with CIOQ = 1: that of the crossbar, or of the output's link if the packet is still being received
// and would not be there in time for the crossbar. Chosen at the grant, for the whole packet. Rule CQ2; docs/output-queue.md section 2.
`default_nettype none

module read_pace #(
    parameter int ENGINES = 8,
    parameter int PARITY = 0
) (
    input  wire logic               clk_i,
    input  wire logic               rst_i,
    input  wire logic [ENGINES-1:0] rd_en_i,      // the output takes a flit at the crossbar's pace,
    input  wire logic [ENGINES-1:0] rd_slow_i,    // at the link's
    input  wire logic [ENGINES-1:0] load_i,       // a packet is granted,
    input  wire logic [ENGINES-1:0] load_open_i,  // is being received,
    input  wire logic               open_fast_i,  // early enough for the crossbar's pace
    output logic [ENGINES-1:0]      rd_en_o,      // the engine may read
    output logic [ENGINES-1:0]      slow_o,
    output logic                    parity_err_o
);
  logic [ENGINES-1:0] slow_q, slow_d;

  assign slow_d = rst_i ? '0 : (load_i & load_open_i & {ENGINES{!open_fast_i}}) | (~load_i & slow_q);

  always_ff @(posedge clk_i) slow_q <= slow_d;

  assign rd_en_o = (slow_q & rd_slow_i) | (~slow_q & rd_en_i);
  assign slow_o = slow_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^slow_d),
      .now_i(^slow_q),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
