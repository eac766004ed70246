// What the sources are promised by a destination, by rule: RES and ends of packets are followed from where they came to their
// answers, and granted times are added up in a time of the checker's own. Instantiated by reservation_schedule under
// QUELL_CHECK. Clocked immediate assertions, which simulation and formal tools read alike. Rules Q10 to Q13, Q15, Q22.
`default_nettype none

module reservation_schedule_checker #(
    parameter int FLOWS = 64,
    parameter int MTU = 32,
    parameter int NMAX = 16,
    parameter int CTL_BLOCKS = 64,
    parameter int REPQ = 16,
    parameter int NOW_W = 32
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic             ready_i,
    input wire logic [NOW_W-1:0] now_i,
    input wire logic [15:0]      eps_i,
    input wire logic [3:0]       rx_interval_i,
    input wire logic             rin_valid_i,
    input wire logic [15:0]      rin_slid_i,
    input wire logic [3:0]       rin_sl_i,
    input wire logic [12:0]      rin_id_i,
    input wire logic [15:0]      rin_size_i,
    input wire logic             rin_init_i,
    input wire logic             rin_done_i,
    input wire logic             end_valid_i,
    input wire logic             end_bad_i,
    input wire logic [15:0]      end_slid_i,
    input wire logic [3:0]       end_sl_i,
    input wire logic [12:0]      end_id_i,
    input wire logic [7:0]       end_seq_i,
    input wire logic             end_rty_i,
    input wire logic             end_ok_i,
    input wire logic             walk_valid_i,   // and such packets are booked
    input wire logic [6:0]       walk_len_i,
    input wire logic             out_ready_i,
    input wire logic             out_valid_i,
    input wire logic [1:0]       out_kind_i,
    input wire logic [15:0]      out_lid_i,
    input wire logic [3:0]       out_sl_i,
    input wire logic [12:0]      out_id_i,
    input wire logic [7:0]       out_seq_i,
    input wire logic [31:0]      out_wait_i,
    input wire logic             out_rty_i,
    input wire logic             out_init_i,
    input wire logic [NOW_W-1:0] t_i,
    input wire logic             tv_i,
    input wire logic [15:0]      res_pkts_i,
    input wire logic [15:0]      rep_pkts_i
);
  localparam int CK = 40;                 // bits of the checker's own time
  localparam int LARGEST = NMAX * MTU;
  localparam int RA = $clog2(CTL_BLOCKS);
  localparam int PA = $clog2(REPQ);
  localparam logic [32:0] HALF = 33'd1 << (NOW_W - 1);

  logic          past_ok_q;
  logic [CK-1:0] time_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    time_q <= rst_i ? '0 : time_q + 1'b1;
  end

  // ---- RES that came; that one left is told in the next cycle
  logic [49:0]   res_q[0:CTL_BLOCKS-1];
  logic [RA-1:0] res_in_q, res_out_q;
  logic [15:0]   res_n_q, res_n;
  logic          res_put;
  logic [49:0]   left;                    // the one that left in the cycle before

  function automatic logic [RA-1:0] after(input logic [RA-1:0] p);
    after = (p == RA'(CTL_BLOCKS - 1)) ? '0 : p + 1'b1;
  endfunction

  assign res_n = res_n_q - 16'(rin_done_i);
  assign res_put = ready_i && rin_valid_i && res_n < 16'(CTL_BLOCKS);
  assign left = res_q[res_out_q];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      res_in_q <= '0;
      res_out_q <= '0;
      res_n_q <= '0;
    end else begin
      if (res_put) res_in_q <= after(res_in_q);
      if (rin_done_i) res_out_q <= after(res_out_q);
      res_n_q <= res_n + 16'(res_put);
    end
    if (res_put) res_q[res_in_q] <= {rin_init_i, rin_slid_i, rin_sl_i, rin_id_i, rin_size_i};
  end

  // ---- what was answered in the cycle before: an end, else a RES that left
  logic          ack_q, pop_q, bad_q, end_rty_q, granted;
  logic [15:0]   rep_pkts_q, pushed, eps_q, end_slid_q;
  logic [3:0]    interval_q, end_sl_q;
  logic [12:0]   end_id_q;
  logic [7:0]    end_seq_q;
  logic [31:0]   flits, most, least;       // of the chunk; cycles that it is granted, at most and at least

  assign pushed = rep_pkts_i - rep_pkts_q + 16'(pop_q);
  assign granted = pushed != '0 && !ack_q;
  assign flits = 32'(left[15:0]);
  assign least = flits * 32'(interval_q);
  assign most = 32'((48'(flits) * (48'd65536 + 48'(eps_q)) + 48'd65535) >> 16) * 32'(interval_q);

  always_ff @(posedge clk_i) begin
    ack_q <= !rst_i && end_valid_i && end_ok_i;
    pop_q <= !rst_i && out_valid_i && out_ready_i;
    rep_pkts_q <= rst_i ? '0 : rep_pkts_i;
    bad_q <= end_bad_i;
    end_rty_q <= end_rty_i;
    end_slid_q <= end_slid_i;
    end_sl_q <= end_sl_i;
    end_id_q <= end_id_i;
    end_seq_q <= end_seq_i;
    eps_q <= eps_i;
    interval_q <= (rx_interval_i == '0) ? 4'd1 : rx_interval_i;
  end

  // ---- answers on their way out, with the time in which they were made and what they grant
  logic [44:0]   rep_q [0:REPQ-1];
  logic [CK-1:0] made_q[0:REPQ-1];
  logic [31:0]   least_q[0:REPQ-1], most_q[0:REPQ-1];
  logic [PA-1:0] rep_in_q, rep_out_q;
  logic [15:0]   rep_n_q;
  logic [44:0]   out_q;                    // the reply that left in the cycle before
  logic [31:0]   wait_q;
  logic          is_grant;
  logic [CK-1:0] start, free_q, latest_q;  // of the last granted time: its end, at least and at most

  assign is_grant = out_q[42:41] == 2'd1;
  assign start = made_q[rep_out_q] + CK'(wait_q);

  always_ff @(posedge clk_i) begin
    out_q <= {out_rty_i, out_init_i, out_kind_i, out_lid_i, out_sl_i, out_id_i, out_seq_i};
    wait_q <= out_wait_i;
    if (rst_i) begin
      rep_in_q <= '0;
      rep_out_q <= '0;
      rep_n_q <= '0;
      free_q <= '0;
      latest_q <= '0;
    end else begin
      if (pushed != '0) rep_in_q <= rep_in_q + 1'b1;
      if (pop_q) rep_out_q <= rep_out_q + 1'b1;
      rep_n_q <= rep_n_q + pushed - 16'(pop_q);
      if (pop_q && is_grant) begin
        free_q <= start + CK'(least_q[rep_out_q]);
        latest_q <= start + CK'(most_q[rep_out_q]);
      end
    end
    if (pushed != '0) begin
      rep_q[rep_in_q] <= ack_q ? {end_rty_q, 1'b0, bad_q ? 2'd3 : 2'd2, end_slid_q, end_sl_q, end_id_q, end_seq_q}
          : {1'b0, left[49], 2'd1, left[48:16], 8'd0};
      made_q[rep_in_q] <= time_q - 1'b1;
      least_q[rep_in_q] <= least;
      most_q[rep_in_q] <= most;
    end
  end

  // ---- packets without reservation: where no RES waits and T is not far ahead the ejection link is theirs meanwhile, and GRANTs
  // made from their cycle on begin later by that, at least and (but for one cycle where the link is free) at most
  localparam int WALK = 127 * 15 + 1;      // cycles of one, at most
  logic [10:0]   walk;                     // of this one
  logic [3:0]    interval;
  logic          walks;
  logic [CK-1:0] until_q, walked_q, walk_at_q;               // when they are over, at least; their cycles; the last one
  logic [CK-1:0] until_made_q[0:REPQ-1], walked_made_q[0:REPQ-1], walk_at_made_q[0:REPQ-1];
  logic [CK-1:0] walked_before_q, latest;  // up to the GRANT before; the end of that and of what walked in since

  assign interval = (rx_interval_i == '0) ? 4'd1 : rx_interval_i;
  assign walk = 11'(walk_len_i) * 11'(interval);
  assign walks = ready_i && walk_valid_i;
  assign latest = ((walked_made_q[rep_out_q] != walked_before_q && walk_at_made_q[rep_out_q] > latest_q) ? walk_at_made_q[rep_out_q]
      : latest_q) + walked_made_q[rep_out_q] - walked_before_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      until_q <= '0;
      walked_q <= '0;
      walk_at_q <= '0;
      walked_before_q <= '0;
    end else begin
      if (walks) begin
        walked_q <= walked_q + CK'(walk) + CK'(ahead == '0);
        walk_at_q <= time_q;
        if (33'(ahead) + 33'(walk) < HALF >> 1 && res_n == '0 && 64'(ahead) <= 64'(FLOWS * LARGEST) * 64'(interval))
          until_q <= ((until_q > time_q) ? until_q : time_q) + CK'(walk);
      end
      if (pop_q && is_grant) walked_before_q <= walked_made_q[rep_out_q];
    end
    if (pushed != '0) begin
      until_made_q[rep_in_q] <= until_q;
      walked_made_q[rep_in_q] <= walked_q;
      walk_at_made_q[rep_in_q] <= walk_at_q;
    end
  end

  // ---- a RES that could be answered, and an end that could be taken, yield to one of the other kind at most
  logic             room, could_q, held_q;
  logic [1:0]       passed_q;
  logic [NOW_W-1:0] apart, ahead;
  logic [33:0]      stands_q;  // cycles that a RES has stood, with room for its answer all the time
  logic             alone_q;   // nothing was granted since the link was free,
  logic [3:0]       slowest_q; // the largest interval since then

  assign room = rep_pkts_i < 16'(REPQ);
  assign apart = t_i - now_i;
  assign ahead = tv_i ? apart : '0;

  always_ff @(posedge clk_i) begin
    could_q <= !rst_i && res_n != '0 && room
        && 33'(ahead) + 33'(2 * LARGEST * 15) + (walks ? 33'(WALK) : 33'd0) < HALF;
    alone_q <= !rst_i && !granted && (alone_q || !tv_i);
    if (!tv_i || interval > slowest_q) slowest_q <= interval;
    stands_q <= (rst_i || rin_done_i || !room || res_n == '0) ? '0 : stands_q + 1'b1;
    if (rst_i || rin_done_i) passed_q <= '0;
    else if (could_q && passed_q != '1) passed_q <= passed_q + 1'b1;
    if (rst_i || end_ok_i || walks) held_q <= 1'b0;
    else if (ready_i && room) held_q <= 1'b1;
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      // ---- Q10
      q10_never_overlap: assert (!pop_q || !is_grant || start >= free_q);
      q10_no_gap: assert (!pop_q || !is_grant || wait_q == '0 || start <= latest);
      q15_res_is_answered: assert (stands_q < 34'(HALF) + 34'd8);
      q15_walks_bounded: assert (!alone_q || 64'(ahead) <= (64'(FLOWS * LARGEST) + 64'd127) * 64'(slowest_q) + 64'd1);
      q15_walk_booked: assert (!pop_q || !is_grant || start >= until_made_q[rep_out_q]);
      q10_wait_bounded: assert (!pop_q || 33'(wait_q) < HALF);
      q10_t_ahead: assert (!tv_i || !apart[NOW_W-1]);
      q10_t_zero: assert (tv_i || t_i == '0);
      // ---- Q12
      q12_answered_once: assert (pushed <= 16'd1 && pushed >= 16'(ack_q));
      q12_answer_right: assert (!pop_q || (rep_n_q != '0 && out_q == rep_q[rep_out_q] && (is_grant || wait_q == '0)));
      q12_only_with_room: assert (!end_ok_i || (ready_i && room));
      q12_end_turn: assert (!held_q || end_ok_i || !room);
      // ---- Q13
      q13_conserved: assert (res_pkts_i == res_n && (!rin_done_i || res_n_q != '0));
      q13_grant_of_res: assert (!granted || (rin_done_i && left[15:0] != '0 && 32'(left[15:0]) <= LARGEST));
      q13_refused_for_cause: assert (!rin_done_i || granted || left[15:0] == '0 || 32'(left[15:0]) > LARGEST || 33'(most) >= HALF);
      q13_res_turn: assert (passed_q <= 2'd1);
    end
  end
endmodule

`default_nettype wire
