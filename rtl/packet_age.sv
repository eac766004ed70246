// Ages of the packets at the heads of an input's cold queues, in cycles since they were accepted. Ages end at half the range of a stamp:
// what is as old as that stays so until it leaves. Rule AG1; docs/input-port.md section 15.
`default_nettype none

module packet_age #(
    parameter int QUEUES = 8,
    parameter int BLOCKS = 2048,
    parameter int STAMP_W = 24,
    parameter int PARITY = 0,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1
) (
    input  wire logic                       clk_i,
    input  wire logic                       rst_i,
    input  wire logic                       accept_i,     // a packet comes,
    input  wire logic [AW-1:0]              accept_id_i,  // named by its first block
    input  wire logic [QUEUES-1:0]          head_any_i,
    input  wire logic [QUEUES*AW-1:0]       head_id_i,
    input  wire logic [QUEUES-1:0]          served_i,     // the head leaves
    output logic      [QUEUES*STAMP_W-1:0]  age_o,        // of the head, 0 without one
    output logic      [QUEUES-1:0]          aged_o,       // it was as old as ages go in the cycle before
    output logic                            parity_err_o
);
  logic [STAMP_W-1:0]        now_q, now_d;
  logic [QUEUES*STAMP_W-1:0] stamp;
  logic [QUEUES-1:0]         aged_d;
  logic                      ram_err, own_err;

  ram_async #(
      .DEPTH(BLOCKS),
      .WIDTH(STAMP_W),
      .READS(QUEUES),
      .PARITY(PARITY)
  ) u_stamps (
      .clk_i,
      .we_i        (accept_i),
      .waddr_i     (accept_id_i),
      .wdata_i     (now_q),
      .raddr_i     (head_id_i),
      .rdata_o     (stamp),
      .used_i      (head_any_i),
      .parity_err_o(ram_err)
  );

  for (genvar q = 0; q < QUEUES; q++) begin : g_queue
    logic [STAMP_W-1:0] since;
    logic               end_of_range;
    assign since = now_q - stamp[q*STAMP_W +: STAMP_W];
    assign end_of_range = aged_o[q] || since[STAMP_W-1];
    assign age_o[q*STAMP_W +: STAMP_W] = !head_any_i[q] ? '0
        : end_of_range ? {1'b1, (STAMP_W - 1)'(0)} : since;
    assign aged_d[q] = !rst_i && head_any_i[q] && !served_i[q] && end_of_range;
  end

  assign now_d = rst_i ? '0 : now_q + 1'b1;

  always_ff @(posedge clk_i) begin
    now_q <= now_d;
    aged_o <= aged_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{now_d, aged_d}),
      .now_i(^{now_q, aged_o}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || ram_err;
endmodule

`default_nettype wire
