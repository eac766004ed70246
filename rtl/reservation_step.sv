// What an operation makes of the word of its flow, and of the registers beside the table. Combinational. Rules Q15, Q16, Q18, Q19;
// docs/reservation.md sections 4 to 7. A word is {st 3, byp, id 8, n 7, rem 16, mpsn 24, mlast 7, todo NMAX, out NMAX,
// time}: time is when the RES left, and from the GRANT on when the chunk is due. The PSN of the chunk is mpsn - n, and a chunk is
// its message's last if rem = 0.
`default_nettype none

module reservation_step #(
    parameter int MTU = 32,
    parameter int NMAX = 16,
    parameter int NOW_W = 32,
    parameter int WORD_W = 66 + 2 * 16 + 32
) (
    input  wire logic [5:0]        op_i,          // one-hot, or none (quell_pkg::reservation_op_e)
    input  wire logic [WORD_W-1:0] word_i,
    input  wire logic [NOW_W-1:0]  now_i,
    input  wire logic              srp_en_i,
    input  wire logic              rtt_comp_i,
    input  wire logic              spec_off_i,
    input  wire logic [6:0]        nmax_run_i,
    input  wire logic [15:0]       nmin_i,
    input  wire logic              left_i,        // the RES of this flow has left,
    input  wire logic [NOW_W-1:0]  left_time_i,   // then
    input  wire logic [15:0]       head_pkts_i,   // P: the message
    input  wire logic [6:0]        head_last_i,
    input  wire logic [23:0]       head_psn_i,
    input  wire logic [1:0]        rep_kind_i,    // R: the reply
    input  wire logic [7:0]        rep_id_i,
    input  wire logic [7:0]        rep_seq_i,
    input  wire logic [31:0]       rep_wait_i,
    output logic                   we_o,
    output logic [WORD_W-1:0]      word_o,
    output logic                   noted_o,       // that the RES has left is noted
    output logic [7:0]             id_o,          // the chunk, before the operation
    output logic [7:0]             n_o,
    output logic                   fin_o,
    output logic [15:0]            size_o,
    output logic [1:0]             kind_o,        // S: the packet
    output logic [7:0]             seq_o,
    output logic [6:0]             len_o,
    output logic [23:0]            psn_o,
    output logic                   grant_o,       // the reply acts
    output logic                   ack_o,
    output logic                   nack_o,
    output logic                   stale_o,       // it does not
    output logic                   bad_wait_o,    // a GRANT acts that is too far ahead
    output logic                   wasted_o       // the chunk is done before its time
);
  localparam int IW = (NMAX > 1) ? $clog2(NMAX) : 1;

  logic [2:0]       was_st, st;                   // st: after what B does
  logic             was_byp, fin, hit;
  logic [7:0]       was_id;
  logic [6:0]       was_n, was_mlast;
  logic [15:0]      was_rem;
  logic [23:0]      was_mpsn;
  logic [NMAX-1:0]  was_todo, was_out, one;
  logic [NOW_W-1:0] was_time, since;
  logic [IW-1:0]    i;

  assign {was_st, was_byp, was_id, was_n, was_rem, was_mpsn, was_mlast, was_todo, was_out, was_time} = word_i;
  assign fin = was_rem == '0;

  // ---- B, also on the way of R
  assign noted_o = left_i && (op_i[quell_pkg::SO_B] || op_i[quell_pkg::SO_R]);
  assign st = !noted_o ? was_st : spec_off_i ? quell_pkg::SR_STOP : quell_pkg::SR_SPEC;
  assign since = now_i - (noted_o ? left_time_i : was_time);

  // ---- R: does the reply act?
  logic known, sent;

  always_comb begin
    hit = 1'b0;
    one = '0;
    for (int k = 0; k < NMAX; k++) begin
      if (rep_seq_i == 8'(k)) begin
        one[k] = 1'b1;
        hit = was_out[k];
      end
    end
    known = op_i[quell_pkg::SO_R] && rep_id_i == was_id && !was_byp;
    sent = known && rep_seq_i < 8'(was_n) && hit
        && (st == quell_pkg::SR_SPEC || st == quell_pkg::SR_STOP || st == quell_pkg::SR_WAIT || st == quell_pkg::SR_GO);
    grant_o = known && rep_kind_i == quell_pkg::SRP_GRANT && (st == quell_pkg::SR_SPEC || st == quell_pkg::SR_STOP);
    ack_o = sent && rep_kind_i == quell_pkg::SRP_ACK;
    nack_o = sent && rep_kind_i == quell_pkg::SRP_NACK;
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
  logic [6:0] last;

  lowest_one #(.N(NMAX)) u_lowest (
      .x_i(was_todo),
      .idx_o(i)
  );

  assign id_o = was_id;
  assign n_o = 8'(was_n);
  assign fin_o = fin;
  assign last = was_n - 1'b1;
  assign size_o = 16'(last) * 16'(MTU) + (fin ? 16'(was_mlast) : 16'(MTU));
  assign kind_o = (was_st == quell_pkg::SR_SPEC) ? quell_pkg::SRP_SPEC
      : was_byp ? quell_pkg::SRP_BYPASS : quell_pkg::SRP_GRANTED;
  assign seq_o = 8'(i);
  assign len_o = (fin && 7'(i) == last) ? was_mlast : 7'(MTU);
  assign psn_o = was_mpsn - 24'(was_n) + 24'(i);

  // ---- W
  logic             due;
  logic [NOW_W-1:0] late;

  assign late = now_i - was_time;
  assign due = !late[NOW_W-1];

  // ---- the word after the operation; then, if the chunk is done, the next one
  logic [2:0]       op_st;
  logic [NMAX-1:0]  op_todo, op_out;
  logic [NOW_W-1:0] op_time;
  logic [15:0]      op_rem;
  logic [23:0]      op_mpsn;
  logic [6:0]       op_mlast, n;
  logic             op_byp, done;

  always_comb begin
    op_st = st;
    op_todo = was_todo;
    op_out = was_out;
    op_time = noted_o ? left_time_i : was_time;
    op_rem = was_rem;
    op_mpsn = was_mpsn;
    op_mlast = was_mlast;
    op_byp = was_byp;
    if (grant_o) begin
      op_st = quell_pkg::SR_WAIT;
      op_time = now_i + left;
    end
    if (ack_o || nack_o) op_out = was_out & ~one;
    if (nack_o) begin
      op_todo = was_todo | one;
      if (st == quell_pkg::SR_SPEC) op_st = quell_pkg::SR_STOP;
    end
    if (op_i[quell_pkg::SO_W] && due) op_st = quell_pkg::SR_GO;
    if (op_i[quell_pkg::SO_E]) op_st = quell_pkg::SR_RESO;
    if (op_i[quell_pkg::SO_S]) begin
      op_todo = was_todo & (was_todo - 1'b1);
      if (was_st == quell_pkg::SR_SPEC) op_out = was_out | (was_todo & ~op_todo);
    end
    if (op_i[quell_pkg::SO_P]) begin
      op_rem = head_pkts_i;
      op_mpsn = head_psn_i;
      op_mlast = head_last_i;
      op_byp = !srp_en_i || head_pkts_i < nmin_i;
    end
  end

  assign done = op_todo == '0 && op_out == '0 && (op_st == quell_pkg::SR_WAIT || op_st == quell_pkg::SR_GO);
  assign wasted_o = done && op_st == quell_pkg::SR_WAIT && op_i != '0;
  assign n = (op_rem < 16'(nmax_run_i)) ? op_rem[6:0] : nmax_run_i;
  assign we_o = op_i[quell_pkg::SO_E] || op_i[quell_pkg::SO_S] || op_i[quell_pkg::SO_P] || (op_i[quell_pkg::SO_W] && due)
      || noted_o || grant_o || ack_o || nack_o;

  always_comb begin
    if (op_i[quell_pkg::SO_P] || (done && op_rem != '0)) begin
      word_o = {op_byp ? quell_pkg::SR_GO : quell_pkg::SR_RESW, op_byp, was_id + 8'd1, n, op_rem - 16'(n), op_mpsn + 24'(n),
          op_mlast, ~({NMAX{1'b1}} << n), {NMAX{1'b0}}, {NOW_W{1'b0}}};
    end else if (done) begin
      word_o = {quell_pkg::SR_IDLE, 1'b0, was_id, 7'd0, 16'd0, op_mpsn, op_mlast, {(2 * NMAX + NOW_W) {1'b0}}};
    end else begin
      word_o = {op_st, op_byp, was_id, was_n, op_rem, op_mpsn, op_mlast, op_todo, op_out, op_time};
    end
  end
endmodule

`default_nettype wire
