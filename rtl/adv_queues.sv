// Generation queues of an adapter (AdVOQs): for each flow a FIFO of packet descriptors {cnp, len, psn}, of the host's packets
// and, when CNPs are queued here, of these, each at most half of it then. Descriptors and pointers are in memories, swept
// while ready_i is 0; the non-empty and full bits are flip-flops. Rules H1, H2; docs/hca.md sections 1, 8.
`default_nettype none

module adv_queues #(
    parameter int FLOWS = 64,
    parameter int ADVOQ = 8,
    parameter int MTU = 32,
    parameter int PARITY = 0,
    localparam int FW = $clog2(FLOWS)
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             ready_i,      // 0 for at least FLOWS cycles after reset
    input  wire logic             gen_valid_i,  // the host posts a packet
    input  wire logic [15:0]      gen_flow_i,
    input  wire logic [6:0]       gen_len_i,
    input  wire logic [23:0]      gen_psn_i,
    input  wire logic             halves_i,     // the host has half of each queue
    input  wire logic [FLOWS-1:0] refused_i,    // flows that take no packet of the host for another reason
    input  wire logic             cnp_valid_i,  // a CNP comes, in a cycle without a post that is taken,
    input  wire logic [FW-1:0]    cnp_flow_i,   // to this flow
    output logic                  cnp_room_o,   // Mealy: which has room for it
    input  wire logic [FW-1:0]    head_flow_i,  // flow whose head is read or popped
    input  wire logic             head_re_i,
    input  wire logic             pop_i,
    output logic      [6:0]       head_len_o,   // one cycle after head_re_i
    output logic      [23:0]      head_psn_o,
    output logic                  head_cnp_o,
    output logic      [FLOWS-1:0] any_o,
    output logic      [FLOWS-1:0] full_o,       // no packet of the host is taken
    output logic      [31:0]      pkts_o,       // in all queues
    output logic                  post_o,       // Mealy: the packet posted is taken
    output logic                  bad_gen_o,    // Mealy errors
    output logic                  gen_full_o,
    input  wire logic             head_used_i,  // head_len_o and head_psn_o matter
    output logic                  parity_err_o
);
  localparam int PW = (ADVOQ > 1) ? $clog2(ADVOQ) : 1;
  localparam logic [PW:0] HALF = (PW + 1)'(ADVOQ / 2);

  // ---- the packet posted
  logic          legal, put, put_cnp;
  logic [FW-1:0] gen_flow, put_flow;  // put: by the host, or a CNP

  always_comb begin
    legal = gen_flow_i < 16'(FLOWS) && gen_len_i != '0 && gen_len_i <= 7'(MTU);
    gen_flow = gen_flow_i[FW-1:0];
    bad_gen_o = ready_i && gen_valid_i && !legal;
    gen_full_o = ready_i && gen_valid_i && legal && full_o[gen_flow];
    post_o = ready_i && gen_valid_i && legal && !full_o[gen_flow];
  end

  assign put_flow = post_o ? gen_flow : cnp_flow_i;
  assign put_cnp = cnp_valid_i && !post_o && cnp_room_o;
  assign put = post_o || put_cnp;

  // ---- pointers, and how many CNPs went in and out: read at the flow that a packet is put to (a) and at the flow of the head (b)
  logic [FW-1:0] sweep_q, sweep_d;
  logic          own_err, heads_err, tails_err, ins_err, outs_err, desc_err;  // of parity
  logic [PW-1:0] head_a, head_b, tail_a, tail_b, in_a, in_b, out_a, out_b;

  always_comb begin
    sweep_d = sweep_q;
    if (rst_i) sweep_d = '0;
    else if (!ready_i) sweep_d = (sweep_q == FW'(FLOWS - 1)) ? '0 : sweep_q + 1'b1;
  end

  always_ff @(posedge clk_i) sweep_q <= sweep_d;

  ram_async #(.DEPTH(FLOWS), .WIDTH(PW), .READS(2), .PARITY(PARITY)) u_heads (
      .clk_i,
      .we_i(!ready_i || pop_i),
      .waddr_i(ready_i ? head_flow_i : sweep_q),
      .wdata_i(ready_i ? head_b + 1'b1 : PW'(0)),
      .raddr_i({head_flow_i, put_flow}),
      .rdata_o({head_b, head_a}),
      .used_i({head_re_i || pop_i, put}),
      .parity_err_o(heads_err)
  );

  ram_async #(.DEPTH(FLOWS), .WIDTH(PW), .READS(2), .PARITY(PARITY)) u_tails (
      .clk_i,
      .we_i(!ready_i || put),
      .waddr_i(ready_i ? put_flow : sweep_q),
      .wdata_i(ready_i ? tail_a + 1'b1 : PW'(0)),
      .raddr_i({head_flow_i, put_flow}),
      .rdata_o({tail_b, tail_a}),
      .used_i({pop_i, put}),
      .parity_err_o(tails_err)
  );

  ram_async #(.DEPTH(FLOWS), .WIDTH(PW), .READS(2), .PARITY(PARITY)) u_ins (
      .clk_i,
      .we_i(!ready_i || put_cnp),
      .waddr_i(ready_i ? put_flow : sweep_q),
      .wdata_i(ready_i ? in_a + 1'b1 : PW'(0)),
      .raddr_i({head_flow_i, put_flow}),
      .rdata_o({in_b, in_a}),
      .used_i({pop_i, post_o || cnp_valid_i}),
      .parity_err_o(ins_err)
  );

  ram_async #(.DEPTH(FLOWS), .WIDTH(PW), .READS(2), .PARITY(PARITY)) u_outs (
      .clk_i,
      .we_i(!ready_i || (pop_i && head_cnp_o)),
      .waddr_i(ready_i ? head_flow_i : sweep_q),
      .wdata_i(ready_i ? out_b + 1'b1 : PW'(0)),
      .raddr_i({head_flow_i, put_flow}),
      .rdata_o({out_b, out_a}),
      .used_i({pop_i, post_o || cnp_valid_i}),
      .parity_err_o(outs_err)
  );

  // ---- descriptors
  ram_sync #(.DEPTH(FLOWS * ADVOQ), .WIDTH(32), .PARITY(PARITY)) u_descriptors (
      .clk_i,
      .we_i(put),
      .waddr_i({put_flow, tail_a}),
      .wdata_i(post_o ? {1'b0, gen_len_i, gen_psn_i} : {1'b1, 7'd1, 24'd0}),
      .re_i(head_re_i),
      .raddr_i({head_flow_i, head_b}),
      .rdata_o({head_cnp_o, head_len_o, head_psn_o}),
      .used_i(head_used_i),
      .parity_err_o(desc_err)
  );

  // ---- non-empty, full, filled to its half by the host
  logic        same;            // a packet in and one out of one queue: its fill stays
  logic [PW-1:0] cnps_a, cnps_b;
  logic [PW:0] host_a, host_b;  // the host's packets

  assign same = put && pop_i && put_flow == head_flow_i;
  assign cnps_a = in_a - out_a;
  assign cnps_b = in_b - out_b;
  assign host_a = {all_q[put_flow], PW'(tail_a - head_a)} - {1'b0, cnps_a};
  assign host_b = {all_q[head_flow_i], PW'(tail_b - head_b)} - {1'b0, cnps_b};
  assign cnp_room_o = {1'b0, cnps_a} < HALF && !all_q[put_flow];

  logic [FLOWS-1:0] any_d, all_q, all_d, half_q, half_d;  // all: ADVOQ packets; half: of the host, half as many or more
  logic [31:0] pkts_d;

  always_comb begin
    any_d = any_o;
    all_d = all_q;
    half_d = half_q;
    pkts_d = pkts_o;
    if (rst_i) begin
      any_d = '0;
      all_d = '0;
      half_d = '0;
      pkts_d = '0;
    end else begin
      pkts_d = pkts_o + 32'(put) - 32'(pop_i);
      if (put && !same) begin
        any_d[put_flow] = 1'b1;
        all_d[put_flow] = PW'(tail_a + 1'b1) == head_a;
      end
      if (pop_i && !same) begin
        all_d[head_flow_i] = 1'b0;
        any_d[head_flow_i] = PW'(head_b + 1'b1) != tail_b;
      end
      if (pop_i && !head_cnp_o) half_d[head_flow_i] = host_b > HALF;
      if (post_o) half_d[put_flow] = host_a + (PW + 1)'(1) - (PW + 1)'(same && !head_cnp_o) >= HALF;
    end
  end

  always_ff @(posedge clk_i) begin
    any_o <= any_d;
    all_q <= all_d;
    half_q <= half_d;
    pkts_o <= pkts_d;
  end

  assign full_o = (halves_i ? half_q : all_q) | refused_i;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{sweep_d, any_d, all_d, half_d, pkts_d}),
      .now_i(^{sweep_q, any_o, all_q, half_q, pkts_o}),
      .err_o(own_err)
  );

  assign parity_err_o = |{own_err, heads_err, tails_err, ins_err, outs_err, desc_err};
endmodule

`default_nettype wire
