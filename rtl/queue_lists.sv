// N FIFOs of packets as linked lists. A packet is named by its first block. One push and up to N
// pops in a cycle; a pushed packet can be head in the next cycle. Rules B1, E4.
`default_nettype none

module queue_lists #(
    parameter int N = 8,
    parameter int BLOCKS = 2048,
    parameter int CAP = 2048,  // most packets in one queue
    parameter int PARITY = 0,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1,
    localparam int QW = (N > 1) ? $clog2(N) : 1,
    localparam int CW = $clog2(CAP + 1)
) (
    input  wire logic          clk_i,
    input  wire logic          rst_i,
    input  wire logic          push_i,
    input  wire logic [QW-1:0] push_q_i,
    input  wire logic [AW-1:0] push_id_i,
    input  wire logic [N-1:0]  pop_i,      // only of queues with a packet
    output logic [N-1:0]       any_o,
    output logic [N*AW-1:0]    head_o,
    output logic [N*CW-1:0]    pkts_o,
    output logic               parity_err_o
);
  logic [N*AW-1:0] head_q, head_d;
  logic [N*AW-1:0] tail_q, tail_d;
  logic [N*CW-1:0] pkts_q, pkts_d;
  logic [N*AW-1:0] next;
  logic [AW-1:0]   push_tail;
  logic            push_any;
  logic [N-1:0]    follow;  // the head's link is followed
  logic            own_err, link_err;

  always_comb begin
    push_tail = tail_q[AW-1:0];
    push_any = any_o[0];
    for (int q = 1; q < N; q++) begin
      if (push_q_i == QW'(q)) begin
        push_tail = tail_q[q*AW +: AW];
        push_any = any_o[q];
      end
    end
  end

  // Not for an empty queue: its old tail may name another queue's packet by now.
  ram_async #(
      .DEPTH(BLOCKS),
      .WIDTH(AW),
      .READS(N),
      .PARITY(PARITY)
  ) u_next (
      .clk_i,
      .we_i   (push_i && push_any),
      .waddr_i(push_tail),
      .wdata_i(push_id_i),
      .raddr_i(head_q),
      .rdata_o(next),
      .used_i(follow),
      .parity_err_o(link_err)
  );

  for (genvar q = 0; q < N; q++) begin : g_queue
    logic [CW-1:0] pkts;
    logic          push;
    logic          drained;  // nothing is left of the packets of the last cycle

    assign pkts = pkts_q[q*CW +: CW];
    assign push = push_i && push_q_i == QW'(q);
    assign drained = pkts == '0 || (pkts == CW'(1) && pop_i[q]);
    assign any_o[q] = pkts != '0;
    assign follow[q] = pop_i[q] && !drained;

    always_comb begin
      head_d[q*AW +: AW] = head_q[q*AW +: AW];
      tail_d[q*AW +: AW] = tail_q[q*AW +: AW];
      pkts_d[q*CW +: CW] = pkts_q[q*CW +: CW];
      if (rst_i) begin
        head_d[q*AW +: AW] = '0;
        tail_d[q*AW +: AW] = '0;
        pkts_d[q*CW +: CW] = '0;
      end else begin
        if (push) tail_d[q*AW +: AW] = push_id_i;
        if (push && drained) head_d[q*AW +: AW] = push_id_i;
        else if (follow[q]) head_d[q*AW +: AW] = next[q*AW +: AW];
        pkts_d[q*CW +: CW] = pkts + CW'(push) - CW'(pop_i[q]);
      end
    end

    always_ff @(posedge clk_i) begin
      head_q[q*AW +: AW] <= head_d[q*AW +: AW];
      tail_q[q*AW +: AW] <= tail_d[q*AW +: AW];
      pkts_q[q*CW +: CW] <= pkts_d[q*CW +: CW];
    end
  end

  assign head_o = head_q;
  assign pkts_o = pkts_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{head_d, tail_d, pkts_d}),
      .now_i(^{head_q, tail_q, pkts_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || link_err;

`ifdef QUELL_CHECK
  queue_lists_checker #(
      .N(N), .BLOCKS(BLOCKS), .CAP(CAP)
  ) u_checker (
      .clk_i, .rst_i, .push_i, .push_q_i, .push_id_i, .pop_i,
      .head_i   (head_q),
      .pkts_i   (pkts_q)
  );
`endif
endmodule

`default_nettype wire
