// Properties of the linked lists: every packet comes out once, in order. Instantiated by queue_lists
// under QUELL_CHECK. One packet is followed through its queue: any (formal tools choose it), or now and
// then one (simulation). Under FORMAL the link memory is seen, for lemmas on the shape of the lists.
`default_nettype none

module queue_lists_checker #(
    parameter int N = 8,
    parameter int BLOCKS = 2048,
    parameter int CAP = 2048,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1,
    localparam int QW = (N > 1) ? $clog2(N) : 1,
    localparam int CW = $clog2(CAP + 1)
) (
    input wire logic                 clk_i,
    input wire logic                 rst_i,
    input wire logic                 push_i,
    input wire logic [QW-1:0]        push_q_i,
    input wire logic [AW-1:0]        push_id_i,
    input wire logic [N-1:0]         pop_i,
    input wire logic [N*AW-1:0]      head_i,
    input wire logic [N*CW-1:0]      pkts_i
);
  // ---- the packet followed
  logic          follow;   // take the one pushed now
  logic          here_q;   // it is in a queue
  logic [QW-1:0] q_q;
  logic [AW-1:0] id_q;
  logic [CW-1:0] ahead_q;  // packets before it

`ifdef FORMAL
  (* anyseq *) logic choice;
  assign follow = choice;
`else
  assign follow = 1'b1;
`endif

  logic [CW-1:0] push_pkts, q_pkts;
  logic [AW-1:0] q_head;
  logic          push_pop, q_pop;

  always_comb begin
    push_pkts = '0;
    push_pop = 1'b0;
    q_pkts = '0;
    q_head = '0;
    q_pop = 1'b0;
    for (int q = 0; q < N; q++) begin
      if (push_q_i == QW'(q)) begin
        push_pkts = pkts_i[q*CW +: CW];
        push_pop = pop_i[q];
      end
      if (q_q == QW'(q)) begin
        q_pkts = pkts_i[q*CW +: CW];
        q_head = head_i[q*AW +: AW];
        q_pop = pop_i[q];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) here_q <= 1'b0;
    else if (here_q && q_pop && ahead_q == '0) here_q <= 1'b0;
    else if (!here_q && push_i && follow) here_q <= 1'b1;
    if (!here_q) begin
      q_q <= push_q_i;
      id_q <= push_id_i;
      ahead_q <= push_pkts - CW'(push_pop);
    end else if (q_pop && ahead_q != '0) begin
      ahead_q <= ahead_q - 1'b1;
    end
  end

  // ---- a pop of an empty queue, a push to a full one
  logic [N-1:0] pop_empty, over, beyond;

  for (genvar q = 0; q < N; q++) begin : g_queue
    assign pop_empty[q] = pop_i[q] && pkts_i[q*CW +: CW] == '0;
    assign beyond[q] = (CW + 1)'(pkts_i[q*CW +: CW]) > (CW + 1)'(CAP);
    assign over[q] = push_i && push_q_i == QW'(q) && pkts_i[q*CW +: CW] >= CW'(CAP) && !pop_i[q];
  end

  always @(posedge clk_i) begin
    if (!rst_i) begin
      b1_env_pop_of_some: assert (pop_empty == '0);
      b1_env_no_push_to_full: assert (over == '0);
      b1_env_push_to_queue: assert (!push_i || 32'(push_q_i) < N);
      b1_list_within_cap: assert (beyond == '0);
      b1_packet_is_in_queue: assert (!here_q || ahead_q < q_pkts);
      b1_comes_out_in_order: assert (!here_q || ahead_q != '0 || q_head == id_q);
      b1_c_third_in_queue: cover (here_q && ahead_q == CW'(2));
      b1_c_comes_out: cover (here_q && ahead_q == '0 && q_pop && q_pkts > CW'(1));
    end
  end

`ifdef FORMAL
  // ---- lemmas: the links from each head reach its tail, through blocks of no other place
  (* view = "tail_q" *) logic [N*AW-1:0] tail;
  (* view = "u_next.all" *) logic [BLOCKS*AW-1:0] link;
  logic [N-1:0]        tail_wrong;
  logic [N*BLOCKS-1:0] in_queue;      // blocks that name packets of queue q
  logic [N-1:0]        repeats, shares, push_old;
  logic                lost;
  logic [AW-1:0]       at;

  always_comb begin
    at = '0;
    in_queue = '0;
    tail_wrong = '0;
    repeats = '0;
    lost = 1'b0;
    for (int q = 0; q < N; q++) begin
      at = head_i[q*AW +: AW];
      for (int i = 0; i < BLOCKS; i++) begin
        if (CW'(i) < pkts_i[q*CW +: CW]) begin
          if (in_queue[q*BLOCKS + 32'(at)]) repeats[q] = 1'b1;
          in_queue[q*BLOCKS + 32'(at)] = 1'b1;
          if (CW'(i + 1) == pkts_i[q*CW +: CW] && at != tail[q*AW +: AW]) tail_wrong[q] = 1'b1;
          if (here_q && q_q == QW'(q) && ahead_q == CW'(i) && at != id_q) lost = 1'b1;
        end
        at = link[at*AW +: AW];
      end
    end
    for (int q = 0; q < N; q++) begin
      shares[q] = 1'b0;
      for (int p = 0; p < q; p++)
        if ((in_queue[q*BLOCKS +: BLOCKS] & in_queue[p*BLOCKS +: BLOCKS]) != '0) shares[q] = 1'b1;
      push_old[q] = in_queue[q*BLOCKS + 32'(push_id_i)];
    end
  end

  always @(posedge clk_i) begin
    if (!rst_i) begin
      b1_env_push_of_new: assert (!push_i || push_old == '0);
      b1_l_tails: assert (tail_wrong == '0);
      b1_l_once: assert (repeats == '0 && shares == '0);
      b1_l_place: assert (!lost);
    end
  end
`endif
endmodule

`default_nettype wire
