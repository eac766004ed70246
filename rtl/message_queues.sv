// The host's messages that wait: of each flow a FIFO of MSGQ descriptors {packets, flits of the last one, PSN of the first one}
// in one memory with synchronous read; pointers in memories, too, only full and not empty are flip-flops. A message posted in t
// can be popped from t+1 on. With merge_i a message that goes on where the last one of two or more ends becomes part of it. Rule Q14;
// docs/reservation.md sections 3, 13.
`default_nettype none

module message_queues #(
    parameter int FLOWS = 64,
    parameter int MSGQ = 8,                      // a power of two
    parameter int MTU = 32,
    localparam int FW = $clog2(FLOWS)
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             sweep_i,       // pointers of sweep_flow_i become 0
    input  wire logic [FW-1:0]    sweep_flow_i,
    input  wire logic             merge_i,
    input  wire logic             post_i,        // a legal message of a flow that exists
    input  wire logic [FW-1:0]    post_flow_i,
    input  wire logic [15:0]      post_pkts_i,
    input  wire logic [6:0]       post_last_i,
    input  wire logic [23:0]      post_psn_i,
    output logic                  gen_full_o,    // it finds its FIFO full (Mealy)
    input  wire logic [FW-1:0]    look_flow_i,   // a flow whose head is shown in the next cycle,
    input  wire logic             pop_i,         // in which it may be popped, if its FIFO was not empty
    output logic [15:0]           head_pkts_o,
    output logic [6:0]            head_last_o,
    output logic [23:0]           head_psn_o,
    output logic [FLOWS-1:0]      any_o,         // per flow: not empty
    output logic [FLOWS-1:0]      full_o
);
  localparam int MW = $clog2(MSGQ);
  localparam int DW = 47;

  logic             put;
  logic [MW:0]      head_of_post, head_of_look, tail_of_post, tail_of_pop;  // pointers, with a bit that tells full from empty
  logic [MW:0]      head_q, next_head;                                      // of the flow looked at in the cycle before
  logic [FW-1:0]    flow_q;
  logic             heads_we, tails_we, same;
  logic [FW-1:0]    heads_waddr, tails_waddr;
  logic [MW:0]      heads_wdata, tails_wdata;
  logic [MW:0]      fill_then;
  logic [FLOWS-1:0] any_d, full_d;
  logic             heads_err, tails_err, words_err;

  // ---- the last message of each flow, to which more may be added; not while the one before it is popped
  logic          merge, last_err;
  logic [46:0]   tail, word;
  logic [16:0]   pkts;
  logic [MW:0]   waiting, tail_before;

  ram_async #(.DEPTH(FLOWS), .WIDTH(DW)) u_last (
      .clk_i,
      .we_i(put || merge),
      .waddr_i(post_flow_i),
      .wdata_i(word),
      .raddr_i(post_flow_i),
      .rdata_o(tail),
      .used_i(1'b1),
      .parity_err_o(last_err)
  );

  assign waiting = tail_of_post - head_of_post;
  assign tail_before = tail_of_post - 1'b1;
  assign pkts = 17'(tail[46:31]) + 17'(post_pkts_i);
  assign merge = post_i && merge_i && waiting >= (MW + 1)'(2) && !(pop_i && flow_q == post_flow_i)
      && tail[30:24] == 7'(MTU) && !pkts[16] && tail[23:0] + 24'(tail[46:31]) == post_psn_i;
  assign word = merge ? {pkts[15:0], post_last_i, tail[23:0]} : {post_pkts_i, post_last_i, post_psn_i};

  assign gen_full_o = post_i && full_o[post_flow_i] && !merge;
  assign put = post_i && !full_o[post_flow_i] && !merge;
  assign same = put && pop_i && post_flow_i == flow_q;
  assign next_head = head_q + 1'b1;

  always_comb begin
    heads_we = pop_i;
    heads_waddr = flow_q;
    heads_wdata = next_head;
    tails_we = put;
    tails_waddr = post_flow_i;
    tails_wdata = tail_of_post + 1'b1;
    if (sweep_i) begin
      heads_we = 1'b1;
      heads_waddr = sweep_flow_i;
      heads_wdata = '0;
      tails_we = 1'b1;
      tails_waddr = sweep_flow_i;
      tails_wdata = '0;
    end
  end

  ram_async #(.DEPTH(FLOWS), .WIDTH(MW + 1), .READS(2)) u_heads (
      .clk_i,
      .we_i(heads_we),
      .waddr_i(heads_waddr),
      .wdata_i(heads_wdata),
      .raddr_i({post_flow_i, look_flow_i}),
      .rdata_o({head_of_post, head_of_look}),
      .used_i(2'b11),
      .parity_err_o(heads_err)
  );

  ram_async #(.DEPTH(FLOWS), .WIDTH(MW + 1), .READS(2)) u_tails (
      .clk_i,
      .we_i(tails_we),
      .waddr_i(tails_waddr),
      .wdata_i(tails_wdata),
      .raddr_i({post_flow_i, flow_q}),
      .rdata_o({tail_of_post, tail_of_pop}),
      .used_i(2'b11),
      .parity_err_o(tails_err)
  );

  ram_sync #(.DEPTH(FLOWS * MSGQ), .WIDTH(DW)) u_words (
      .clk_i,
      .we_i(put || merge),
      .waddr_i({post_flow_i, merge ? tail_before[MW-1:0] : tail_of_post[MW-1:0]}),
      .wdata_i(word),
      .re_i(1'b1),
      .raddr_i({look_flow_i, head_of_look[MW-1:0]}),
      .rdata_o({head_pkts_o, head_last_o, head_psn_o}),
      .used_i(1'b1),
      .parity_err_o(words_err)
  );

  // A pop leaves a full FIFO not full, for a post of the same cycle found it full.
  assign fill_then = tail_of_post + 1'b1 - head_of_post;

  always_comb begin
    any_d = any_o;
    full_d = full_o;
    if (pop_i) begin
      any_d[flow_q] = tail_of_pop != next_head;
      full_d[flow_q] = 1'b0;
    end
    if (put) begin
      any_d[post_flow_i] = 1'b1;
      full_d[post_flow_i] = !same && fill_then == (MW + 1)'(MSGQ);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      any_o <= '0;
      full_o <= '0;
    end else begin
      any_o <= any_d;
      full_o <= full_d;
    end
    flow_q <= look_flow_i;
    head_q <= head_of_look;
  end

  wire unused = &{1'b0, heads_err, tails_err, words_err, last_err, tail_before};  // without parity
endmodule

`default_nettype wire
