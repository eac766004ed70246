// What an operation makes of the word of its flow, and of the registers beside the table. Combinational. Rules Q15, Q16, Q18, Q19, Q21,
// Q22; docs/reservation.md sections 4 to 7, 13. A word is {st 3, byp, id 13, n 7, rem 16, mpsn 24, mlast 7, todo NMAX, out NMAX,
// time, and with DEDUP rty NMAX, again, stamp}: time is when the RES left, and from the GRANT on when the chunk is due. The PSN of
// the chunk is mpsn - n, and a chunk is its message's last if rem = 0.
`default_nettype none

module reservation_step #(
    parameter int MTU = 32,
    parameter int NMAX = 16,
    parameter int NOW_W = 32,
    parameter int DEDUP = 0,
    parameter int WORD_W = 71 + 2 * 16 + 32  // with DEDUP 1 + NMAX + NOW_W more
) (
    input  wire logic [5:0]        op_i,          // one-hot, or none (quell_pkg::reservation_op_e)
    input  wire logic [WORD_W-1:0] word_i,
    input  wire logic [NOW_W-1:0]  now_i,
    input  wire logic              srp_en_i,
    input  wire logic              rtt_comp_i,
    input  wire logic              spec_off_i,
    input  wire logic              inorder_i,     // what is sent and not answered goes again as soon as the flow is due
    input  wire logic              fast_i,        // what is sent and not answered goes in the time that was granted
    input  wire logic [NOW_W-1:0]  rto_i,         // without progress for so long: lost; 0: never
    input  wire logic [6:0]        nmax_run_i,
    input  wire logic [15:0]       nmin_i,
    input  wire logic              asks_i,        // the flow does not know its ids since the reset
    input  wire logic              left_i,        // the RES of this flow has left,
    input  wire logic [NOW_W-1:0]  left_time_i,   // then
    input  wire logic [15:0]       head_pkts_i,   // P: the message
    input  wire logic [6:0]        head_last_i,
    input  wire logic [23:0]       head_psn_i,
    input  wire logic [1:0]        rep_kind_i,    // R: the reply
    input  wire logic [12:0]       rep_id_i,
    input  wire logic [7:0]        rep_seq_i,
    input  wire logic [31:0]       rep_wait_i,
    input  wire logic              rep_rty_i,
    input  wire logic              rep_init_i,
    output logic                   we_o,
    output logic [WORD_W-1:0]      word_o,
    output logic                   noted_o,       // that the RES has left is noted
    output logic [12:0]            id_o,          // the chunk, before the operation
    output logic [7:0]             n_o,
    output logic                   fin_o,
    output logic [15:0]            size_o,
    output logic                   again_o,       // its RES goes once more
    output logic [1:0]             kind_o,        // S: the packet
    output logic [7:0]             seq_o,
    output logic [6:0]             len_o,
    output logic [23:0]            psn_o,
    output logic                   rty_o,
    output logic                   grant_o,       // the reply acts
    output logic                   ack_o,
    output logic                   nack_o,
    output logic                   stale_o,       // it does not
    output logic                   lost_o,        // W: something is lost
    output logic                   bad_wait_o,    // a GRANT acts that is too far ahead
    output logic                   wasted_o       // the chunk is done before its time
);
  localparam int IW = (NMAX > 1) ? $clog2(NMAX) : 1;
  localparam int CORE_W = 71 + 2 * NMAX + NOW_W;  // without what DEDUP adds

  logic [2:0]       was_st, st;                   // st: after what B does
  logic             was_byp, was_again, fin;
  logic [12:0]      was_id;
  logic [6:0]       was_n, was_mlast;
  logic [15:0]      was_rem;
  logic [23:0]      was_mpsn;
  logic [NMAX-1:0]  was_todo, was_out, was_rty, one;
  logic [NOW_W-1:0] was_time, was_stamp, since;
  logic [IW-1:0]    i;

  assign {was_st, was_byp, was_id, was_n, was_rem, was_mpsn, was_mlast, was_todo, was_out, was_time} = word_i[WORD_W-1-:CORE_W];
  if (DEDUP != 0) begin : g_was
    assign {was_rty, was_again, was_stamp} = word_i[NMAX+NOW_W:0];
  end else begin : g_was
    assign {was_rty, was_again, was_stamp} = '0;
  end
  assign fin = was_rem == '0;

  // ---- B, also on the way of R; the flow may have gone on without the RES that left, which was sent again
  logic left_here;

  assign noted_o = left_i && (op_i[quell_pkg::SO_B] || op_i[quell_pkg::SO_R]);
  assign left_here = noted_o && (DEDUP == 0 || was_st == quell_pkg::SR_RESO);
  assign st = !left_here ? was_st : (spec_off_i || was_again || asks_i) ? quell_pkg::SR_STOP : quell_pkg::SR_SPEC;
  assign since = now_i - (left_here ? left_time_i : was_time);

  // ---- R: does the reply act?
  logic known, here, out_hit, todo_hit, rty_hit, granting;

  always_comb begin
    {out_hit, todo_hit, rty_hit} = '0;
    one = '0;
    for (int k = 0; k < NMAX; k++) begin
      if (rep_seq_i == 8'(k)) begin
        one[k] = 1'b1;
        out_hit = was_out[k];
        todo_hit = was_todo[k];
        rty_hit = was_rty[k];
      end
    end
    known = op_i[quell_pkg::SO_R] && rep_id_i == was_id && !was_byp;
    // (without a chunk that has left nothing is out)
    here = known && rep_seq_i < 8'(was_n)
        && (DEDUP != 0 || st == quell_pkg::SR_SPEC || st == quell_pkg::SR_STOP || st == quell_pkg::SR_WAIT || st == quell_pkg::SR_GO);
    granting = st == quell_pkg::SR_SPEC || st == quell_pkg::SR_STOP
        || (was_again && (st == quell_pkg::SR_RESW || st == quell_pkg::SR_RESO));
    grant_o = op_i[quell_pkg::SO_R] && !was_byp && rep_kind_i == quell_pkg::SRP_GRANT && granting
        && ((DEDUP == 0 || (!asks_i && !rep_init_i)) ? rep_id_i == was_id : asks_i && rep_init_i);
    ack_o = here && rep_kind_i == quell_pkg::SRP_ACK && (out_hit || (todo_hit && rty_hit));
    nack_o = here && rep_kind_i == quell_pkg::SRP_NACK && out_hit && (!rty_hit || rep_rty_i);
    stale_o = op_i[quell_pkg::SO_R] && !grant_o && !ack_o && !nack_o;
  end

  // ---- R: a wait, bounded, from which the time since the RES is taken
  logic [31:0]      far;
  logic [NOW_W-1:0] ahead, left;

  assign far = rep_wait_i >> (NOW_W - 1);
  assign bad_wait_o = grant_o && far != '0;
  assign ahead = (far != '0) ? {1'b0, {(NOW_W - 1) {1'b1}}} : NOW_W'(rep_wait_i);
  assign left = !rtt_comp_i ? ahead : (ahead > since) ? ahead - since : '0;

  // ---- E, S: the chunk, and its lowest packet
  logic [6:0]      last;
  logic [NMAX-1:0] lowest;

  lowest_one #(.N(NMAX)) u_lowest (
      .x_i(was_todo),
      .idx_o(i)
  );

  assign lowest = was_todo & (~was_todo + 1'b1);
  assign id_o = was_id;
  assign n_o = 8'(was_n);
  assign fin_o = fin;
  assign again_o = was_again;
  assign last = was_n - 1'b1;
  assign size_o = 16'(last) * 16'(MTU) + (fin ? 16'(was_mlast) : 16'(MTU));
  assign kind_o = (was_st == quell_pkg::SR_SPEC) ? quell_pkg::SRP_SPEC
      : was_byp ? quell_pkg::SRP_BYPASS : quell_pkg::SRP_GRANTED;
  assign seq_o = 8'(i);
  assign len_o = (fin && 7'(i) == last) ? was_mlast : 7'(MTU);
  assign psn_o = was_mpsn - 24'(was_n) + 24'(i);
  assign rty_o = (lowest & was_rty) != '0 && kind_o == quell_pkg::SRP_GRANTED;

  // ---- W: the time of the chunk has come, or the GRANT is lost, or an answer
  logic             due;
  logic [NOW_W-1:0] late;

  assign late = now_i - was_time;
  assign due = op_i[quell_pkg::SO_W] && was_st == quell_pkg::SR_WAIT && !late[NOW_W-1];

  logic             asked;
  logic [NOW_W-1:0] idle;

  assign idle = now_i - was_stamp;
  assign asked = was_st == quell_pkg::SR_SPEC || was_st == quell_pkg::SR_STOP;
  assign lost_o = DEDUP != 0 && op_i[quell_pkg::SO_W] && !due && rto_i != '0 && idle >= rto_i
      && (asked || ((was_st == quell_pkg::SR_WAIT || was_st == quell_pkg::SR_GO) && was_out != '0));

  // ---- the word after the operation; then, if the chunk is done, the next one
  logic [2:0]       op_st;
  logic [12:0]      op_id;
  logic [NMAX-1:0]  op_todo, op_out, op_rty, open;
  logic [NOW_W-1:0] op_time, op_stamp;
  logic [15:0]      op_rem;
  logic [23:0]      op_mpsn;
  logic [6:0]       op_mlast, n;
  logic             op_byp, op_again, done, next;

  always_comb begin
    op_st = st;
    op_id = was_id;
    op_todo = was_todo;
    op_out = was_out;
    op_rty = was_rty;
    op_again = was_again;
    op_time = left_here ? left_time_i : was_time;
    op_stamp = was_stamp;
    op_rem = was_rem;
    op_mpsn = was_mpsn;
    op_mlast = was_mlast;
    op_byp = was_byp;
    if (grant_o) begin
      op_st = quell_pkg::SR_WAIT;
      op_time = now_i + left;
      if (DEDUP != 0 && asks_i) op_id = rep_id_i + 13'd1;
    end
    if (ack_o || nack_o) op_out = was_out & ~one;
    if (ack_o) begin
      op_todo = was_todo & ~one;
      op_rty = was_rty & ~one;
    end
    if (nack_o) begin
      op_todo = was_todo | one;
      if (DEDUP != 0) op_rty = was_rty | one;  // it may have come all the same
      if (st == quell_pkg::SR_SPEC) op_st = quell_pkg::SR_STOP;
    end
    if (due) op_st = quell_pkg::SR_GO;
    if (op_i[quell_pkg::SO_E]) op_st = quell_pkg::SR_RESO;
    if (op_i[quell_pkg::SO_S]) begin
      op_todo = was_todo & ~lowest;
      if (was_st == quell_pkg::SR_SPEC || rty_o) op_out = was_out | lowest;
    end
    if (op_i[quell_pkg::SO_P]) begin
      op_rem = head_pkts_i;
      op_mpsn = head_psn_i;
      op_mlast = head_last_i;
      op_byp = !srp_en_i || head_pkts_i < nmin_i;
    end
    if (lost_o || (DEDUP != 0 && inorder_i && due)) begin
      op_todo = was_todo | was_out;
      op_rty = was_rty | was_out;
      op_out = '0;
    end
    if (lost_o && asked) begin
      op_again = 1'b1;
      op_st = quell_pkg::SR_RESW;
    end
    if (left_here || grant_o || ack_o || nack_o || op_i[quell_pkg::SO_S] || op_i[quell_pkg::SO_P] || lost_o) op_stamp = now_i;
    // what is sent and not answered, once, when nothing else is to be sent
    open = op_out & ~op_rty;
    if (DEDUP != 0 && fast_i && op_st == quell_pkg::SR_GO && op_todo == '0 && open != '0) begin
      op_todo = open;
      op_rty = op_rty | open;
      op_out = op_out & ~open;
    end
  end

  assign done = op_todo == '0 && op_out == '0 && (op_st == quell_pkg::SR_WAIT || op_st == quell_pkg::SR_GO);
  assign wasted_o = done && op_st == quell_pkg::SR_WAIT && we_o;
  assign next = op_i[quell_pkg::SO_P] || (done && op_rem != '0);
  assign n = (op_rem < 16'(nmax_run_i)) ? op_rem[6:0] : nmax_run_i;
  assign we_o = op_i[quell_pkg::SO_E] || op_i[quell_pkg::SO_S] || op_i[quell_pkg::SO_P] || due
      || left_here || grant_o || ack_o || nack_o || lost_o;

  logic [CORE_W-1:0] core;
  logic [12:0]       next_id;  // DEDUP: only chunks that are reserved count, for their destination counts along

  assign next_id = op_id + 13'(DEDUP == 0 || !op_byp);

  always_comb begin
    if (next) begin
      core = {op_byp ? quell_pkg::SR_GO : quell_pkg::SR_RESW, op_byp, next_id, n, op_rem - 16'(n), op_mpsn + 24'(n),
          op_mlast, ~({NMAX{1'b1}} << n), {NMAX{1'b0}}, {NOW_W{1'b0}}};
    end else if (done) begin
      core = {quell_pkg::SR_IDLE, 1'b0, op_id, 7'd0, 16'd0, op_mpsn, op_mlast, {(2 * NMAX + NOW_W) {1'b0}}};
    end else begin
      core = {op_st, op_byp, op_id, was_n, op_rem, op_mpsn, op_mlast, op_todo, op_out, op_time};
    end
  end

  if (DEDUP != 0) begin : g_word
    assign word_o = {core, (next || done) ? {(NMAX + 1) {1'b0}} : {op_rty, op_again}, op_stamp};
  end else begin : g_word
    assign word_o = core;
    wire unused = &{1'b0, op_rty, op_again, op_stamp, rep_rty_i, rep_init_i};
  end
endmodule

`default_nettype wire
