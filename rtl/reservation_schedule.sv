// The destination's end of the reservation protocol: the FIFO of RES, the time T from which the ejection link is free, and the
// FIFO of replies, GRANTs and ACKs (or NACKs) in turn. Rules Q10 to Q13, Q15, Q22; docs/reservation.md
// sections 1, 2, 13.
`default_nettype none

module reservation_schedule #(
    parameter int FLOWS = 64,
    parameter int MTU = 32,
    parameter int NMAX = 16,
    parameter int CTL_BLOCKS = 64,
    parameter int REPQ = 16,
    parameter int NOW_W = 32,
    parameter int DEDUP = 0         // 1: RES and replies have a flag
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             ready_i,
    input  wire logic [NOW_W-1:0] now_i,
    input  wire logic [15:0]      eps_i,
    input  wire logic [3:0]       rx_interval_i,
    input  wire logic             rin_valid_i,   // a RES came
    input  wire logic [15:0]      rin_slid_i,
    input  wire logic [3:0]       rin_sl_i,
    input  wire logic [12:0]      rin_id_i,
    input  wire logic [15:0]      rin_size_i,
    input  wire logic             rin_init_i,    // its source asks for its last chunk, which is rin_id_i
    output logic                  rin_done_o,    // one left in the cycle before
    input  wire logic             end_valid_i,   // the host takes the end of a SPEC packet
    input  wire logic             end_bad_i,
    input  wire logic [15:0]      end_slid_i,
    input  wire logic [3:0]       end_sl_i,
    input  wire logic [12:0]      end_id_i,
    input  wire logic [7:0]       end_seq_i,
    input  wire logic             end_rty_i,     // it was sent again
    output logic                  end_ok_o,
    input  wire logic             walk_valid_i,  // a packet without reservation came, and takes the ejection link,
    input  wire logic [6:0]       walk_len_i,    // for so many flits
    input  wire logic             out_ready_i,
    output logic                  out_valid_o,
    output logic [1:0]            out_kind_o,
    output logic [15:0]           out_lid_o,
    output logic [3:0]            out_sl_o,
    output logic [12:0]           out_id_o,
    output logic [7:0]            out_seq_o,
    output logic [31:0]           out_wait_o,
    output logic                  out_rty_o,
    output logic                  out_init_o,
    output logic                  bad_res_o,     // errors, Mealy
    output logic                  res_full_o,
    output logic                  end_lost_o,
    output logic [NOW_W-1:0]      t_o,
    output logic                  tv_o,
    output logic [15:0]           res_pkts_o,
    output logic [15:0]           rep_pkts_o,
    output logic                  turn_o
);
  localparam int LARGEST = NMAX * MTU;         // flits of a chunk
  localparam int SW = $clog2(LARGEST + 1);
  localparam int FLAG = (DEDUP != 0) ? 1 : 0;
  localparam int RES_W = 49 + FLAG;            // {init, slid 16, sl 4, id 13, size 16}
  localparam int REP_W = 43 + NOW_W + FLAG;    // {flag, kind 2, lid 16, sl 4, id 13, seq 8, wait}: R, of a GRANT init
  localparam int RC = $clog2(CTL_BLOCKS + 1);
  localparam int PC = $clog2(REPQ + 1);
  localparam logic [32:0] HALF = 33'd1 << (NOW_W - 1);

  // ---- RES that wait
  logic          res_put, res_pop, res_valid, res_init, res_err;
  logic [RES_W-1:0] res_word;
  logic [15:0]   res_slid, res_size;
  logic [3:0]    res_sl;
  logic [12:0]   res_id;
  logic [RC-1:0] res_fill_q;

  assign res_put = ready_i && rin_valid_i && res_fill_q != RC'(CTL_BLOCKS);
  assign res_full_o = ready_i && rin_valid_i && res_fill_q == RC'(CTL_BLOCKS);

  receive_fifo #(.DEPTH(CTL_BLOCKS), .WIDTH(RES_W)) u_res (
      .clk_i, .rst_i,
      .push_i(res_put),
      .data_i(RES_W'({rin_init_i, rin_slid_i, rin_sl_i, rin_id_i, rin_size_i})),
      .pop_i(res_pop),
      .valid_o(res_valid),
      .data_o(res_word),
      .parity_err_o(res_err)
  );

  assign {res_init, res_slid, res_sl, res_id, res_size} = 50'(res_word);

  // ---- how long the chunk of the head takes, EPS longer than its flits, rounded up
  logic [SW-1:0]  size;
  logic [SW+15:0] more;
  logic [SW:0]    flits;
  logic [32:0]    inc;
  logic           legal;

  assign size = res_size[SW-1:0];
  assign more = (SW + 16)'(size) * (SW + 16)'(eps_i);
  assign flits = (SW + 1)'(size) + (SW + 1)'(((SW + 17)'(more) + (SW + 17)'(17'd65535)) >> 16);
  assign inc = 33'(flits) * 33'(rx_interval_i);
  assign legal = res_size != '0 && 32'(res_size) <= LARGEST && inc < HALF;

  // ---- T, and the head of the RES; a packet that takes the ejection link without a reservation goes first
  localparam logic [32:0] QUARTER = HALF >> 1;
  localparam logic [32:0] ALL = 33'(FLOWS) * 33'(LARGEST);  // flits of a chunk of each source
  logic [NOW_W-1:0] apart, after, from, t_d;
  logic [10:0]      walk;                      // cycles of that packet
  logic [32:0]      behind;                    // until T, if it is booked
  logic             ahead, room, due, handled, walks, tv_d;

  assign apart = t_o - now_i;
  assign ahead = tv_o && !apart[NOW_W-1] && apart != '0;
  assign after = ahead ? apart : '0;  // until then
  assign due = res_valid && legal && room && 33'(after) + inc < HALF;
  // What it takes and no more, not from far ahead on, and not if a RES would have to wait longer for it: such packets may come
  // one behind the other for ever.
  assign walk = 11'(walk_len_i) * 11'(rx_interval_i) + 11'(!ahead);
  assign behind = 33'(after) + 33'(walk);
  assign walks = ready_i && walk_valid_i && behind < QUARTER && 33'(after) <= ALL * 33'(rx_interval_i)
      && !(res_valid && legal && behind + inc >= HALF);
  assign from = walks ? NOW_W'(behind) : after;

  always_comb begin
    t_d = t_o;
    tv_d = tv_o;
    if (handled) begin
      t_d = now_i + from + NOW_W'(inc);
      tv_d = 1'b1;
    end else if (walks) begin
      t_d = now_i + from;
      tv_d = 1'b1;
    end else if (!ahead) begin
      t_d = '0;
      tv_d = 1'b0;
    end
  end

  // ---- replies that wait
  logic [PC-1:0]    rep_fill_q;
  logic             ack, rep_put, rep_pop, rep_valid, rep_err;
  logic [REP_W-1:0] grant_word, ack_word, rep_word;
  logic             rep_flag;

  assign room = rep_fill_q != PC'(REPQ);
  assign end_ok_o = ready_i && room && !(turn_o && due);
  assign ack = end_valid_i && end_ok_o;
  assign end_lost_o = ready_i && end_valid_i && !end_ok_o;
  assign handled = due && !ack;
  assign res_pop = handled || (res_valid && !legal);
  assign bad_res_o = res_valid && !legal;
  assign rep_put = ack || handled;
  assign rep_pop = out_valid_o && out_ready_i;
  assign grant_word = REP_W'({res_init, quell_pkg::SRP_GRANT, res_slid, res_sl, res_id, 8'd0, from});
  assign ack_word = REP_W'({end_rty_i, end_bad_i ? quell_pkg::SRP_NACK : quell_pkg::SRP_ACK, end_slid_i, end_sl_i, end_id_i, end_seq_i,
      {NOW_W{1'b0}}});

  receive_fifo #(.DEPTH(REPQ), .WIDTH(REP_W)) u_rep (
      .clk_i, .rst_i,
      .push_i(rep_put),
      .data_i(ack ? ack_word : grant_word),
      .pop_i(rep_pop),
      .valid_o(rep_valid),
      .data_o(rep_word),
      .parity_err_o(rep_err)
  );

  assign out_valid_o = rep_valid;

  always_comb begin
    {rep_flag, out_kind_o, out_lid_o, out_sl_o, out_id_o, out_seq_o} = '0;
    out_wait_o = '0;
    if (rep_valid) begin
      {rep_flag, out_kind_o, out_lid_o, out_sl_o, out_id_o, out_seq_o} = 44'(rep_word[REP_W-1:NOW_W]);
      out_wait_o = 32'(rep_word[NOW_W-1:0]);
    end
  end

  assign out_rty_o = rep_flag && out_kind_o != quell_pkg::SRP_GRANT;
  assign out_init_o = rep_flag && out_kind_o == quell_pkg::SRP_GRANT;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      res_fill_q <= '0;
      rep_fill_q <= '0;
      t_o <= '0;
      tv_o <= 1'b0;
      turn_o <= 1'b0;
      rin_done_o <= 1'b0;
    end else begin
      res_fill_q <= res_fill_q + RC'(res_put) - RC'(res_pop);
      rep_fill_q <= rep_fill_q + PC'(rep_put) - PC'(rep_pop);
      t_o <= t_d;
      tv_o <= tv_d;
      if (rep_put) turn_o <= ack;
      rin_done_o <= res_pop;
    end
  end

  assign res_pkts_o = 16'(res_fill_q);
  assign rep_pkts_o = 16'(rep_fill_q);

  wire unused = &{1'b0, res_err, rep_err, res_init, rin_init_i, end_rty_i};  // without parity; without DEDUP no flags

`ifdef QUELL_CHECK
  reservation_schedule_checker #(
      .FLOWS(FLOWS), .MTU(MTU), .NMAX(NMAX), .CTL_BLOCKS(CTL_BLOCKS), .REPQ(REPQ), .NOW_W(NOW_W)
  ) u_check (
      .clk_i, .rst_i, .ready_i, .now_i, .eps_i, .rx_interval_i,
      .rin_valid_i, .rin_slid_i, .rin_sl_i, .rin_id_i, .rin_size_i, .rin_init_i(DEDUP != 0 && rin_init_i),
      .rin_done_i(rin_done_o),
      .end_valid_i, .end_bad_i, .end_slid_i, .end_sl_i, .end_id_i, .end_seq_i, .end_rty_i(DEDUP != 0 && end_rty_i),
      .end_ok_i(end_ok_o),
      .walk_valid_i, .walk_len_i,
      .out_ready_i,
      .out_valid_i(out_valid_o),
      .out_kind_i(out_kind_o),
      .out_lid_i(out_lid_o),
      .out_sl_i(out_sl_o),
      .out_id_i(out_id_o),
      .out_seq_i(out_seq_o),
      .out_wait_i(out_wait_o),
      .out_rty_i(out_rty_o),
      .out_init_i(out_init_o),
      .t_i(t_o),
      .tv_i(tv_o),
      .res_pkts_i(res_pkts_o),
      .rep_pkts_i(rep_pkts_o)
  );
`endif
endmodule

`default_nettype wire
