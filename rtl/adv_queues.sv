// Generation queues of an adapter (AdVOQs): for each flow a FIFO of packet descriptors {len, psn}.
// Descriptors and pointers are in memories, swept while ready_i is 0; the non-empty and full bits are
// flip-flops. Rule H1; docs/hca.md section 1.
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
    input  wire logic [FW-1:0]    head_flow_i,  // flow whose head is read or popped
    input  wire logic             head_re_i,
    input  wire logic             pop_i,
    output logic      [6:0]       head_len_o,   // one cycle after head_re_i
    output logic      [23:0]      head_psn_o,
    output logic      [FLOWS-1:0] any_o,
    output logic      [FLOWS-1:0] full_o,
    output logic      [31:0]      pkts_o,       // in all queues
    output logic                  post_o,       // Mealy: the packet posted is taken
    output logic                  bad_gen_o,    // Mealy errors
    output logic                  gen_full_o,
    input  wire logic             head_used_i,  // head_len_o and head_psn_o matter
    output logic                  parity_err_o
);
  localparam int PW = (ADVOQ > 1) ? $clog2(ADVOQ) : 1;

  // ---- the packet posted
  logic          legal;
  logic [FW-1:0] gen_flow;

  always_comb begin
    legal = gen_flow_i < 16'(FLOWS) && gen_len_i != '0 && gen_len_i <= 7'(MTU);
    gen_flow = gen_flow_i[FW-1:0];
    bad_gen_o = ready_i && gen_valid_i && !legal;
    gen_full_o = ready_i && gen_valid_i && legal && full_o[gen_flow];
    post_o = ready_i && gen_valid_i && legal && !full_o[gen_flow];
  end

  // ---- pointers: read at the flow posted to (a) and at the flow of the head (b)
  logic [FW-1:0] sweep_q, sweep_d;
  logic          own_err, heads_err, tails_err, desc_err;  // of parity
  logic [PW-1:0] head_a, head_b, tail_a, tail_b;

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
      .raddr_i({head_flow_i, gen_flow}),
      .rdata_o({head_b, head_a}),
      .used_i({head_re_i || pop_i, post_o}),
      .parity_err_o(heads_err)
  );

  ram_async #(.DEPTH(FLOWS), .WIDTH(PW), .READS(2), .PARITY(PARITY)) u_tails (
      .clk_i,
      .we_i(!ready_i || post_o),
      .waddr_i(ready_i ? gen_flow : sweep_q),
      .wdata_i(ready_i ? tail_a + 1'b1 : PW'(0)),
      .raddr_i({head_flow_i, gen_flow}),
      .rdata_o({tail_b, tail_a}),
      .used_i({pop_i, post_o}),
      .parity_err_o(tails_err)
  );

  // ---- descriptors
  ram_sync #(.DEPTH(FLOWS * ADVOQ), .WIDTH(31), .PARITY(PARITY)) u_descriptors (
      .clk_i,
      .we_i(post_o),
      .waddr_i({gen_flow, tail_a}),
      .wdata_i({gen_len_i, gen_psn_i}),
      .re_i(head_re_i),
      .raddr_i({head_flow_i, head_b}),
      .rdata_o({head_len_o, head_psn_o}),
      .used_i(head_used_i),
      .parity_err_o(desc_err)
  );

  // ---- non-empty, full
  logic same;  // post and pop of one queue: its fill stays

  assign same = post_o && pop_i && gen_flow == head_flow_i;

  logic [FLOWS-1:0] any_d, full_d;
  logic [31:0] pkts_d;

  always_comb begin
    any_d = any_o;
    full_d = full_o;
    pkts_d = pkts_o;
    if (rst_i) begin
      any_d = '0;
      full_d = '0;
      pkts_d = '0;
    end else begin
      pkts_d = pkts_o + 32'(post_o) - 32'(pop_i);
      if (post_o && !same) begin
        any_d[gen_flow] = 1'b1;
        full_d[gen_flow] = PW'(tail_a + 1'b1) == head_a;
      end
      if (pop_i && !same) begin
        full_d[head_flow_i] = 1'b0;
        any_d[head_flow_i] = PW'(head_b + 1'b1) != tail_b;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    any_o <= any_d;
    full_o <= full_d;
    pkts_o <= pkts_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{sweep_d, any_d, full_d, pkts_d}),
      .now_i(^{sweep_q, any_o, full_o, pkts_o}),
      .err_o(own_err)
  );

  assign parity_err_o = |{own_err, heads_err, tails_err, desc_err};
endmodule

`default_nettype wire
