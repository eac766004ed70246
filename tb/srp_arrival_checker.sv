// What comes to an adapter with reservation, by the pins of link and host alone: each lane carries what it is for and nothing else,
// RES and replies reach the reservation once and as they were sent, every block of every lane comes home, and the end of a SPEC packet
// is told when the host takes it. With DEDUP nothing that was told apart is taken, no packet reaches the host twice, and one that comes
// again is answered. Instantiated by hca with SRP = 1 under QUELL_CHECK. Rules F2, Q1, Q12, Q13, Q15, Q16, Q22; docs/hca.md sections 13,
// 14.
`default_nettype none

module srp_arrival_checker #(
    parameter int VLS = 4,
    parameter int MTU = 32,
    parameter int FLIT_BYTES = 64,
    parameter int FLOWS = 64,
    parameter int RX_BLOCKS = 256,
    parameter int CTL_BLOCKS = 64,
    parameter int DEDUP = 0,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int D = VLS - 3  // the spec lane
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              ready_i,
    input wire logic              link_up_i,
    input wire logic [15:0]       lid_i,
    input wire logic [15:0]       lid_base_i,
    // link, and what the receiver makes of it
    input wire logic              rx_valid_i,
    input wire logic              rx_first_i,
    input wire logic              rx_last_i,
    input wire logic              rx_bad_i,
    input wire logic [DW-1:0]     rx_data_i,
    input wire logic              drop_i,        // DEDUP: the unit's word on what begins with this flit: not to be taken,
    input wire logic              again_i,       // but to be answered;
    input wire logic [12:0]       known_i,       // and on a RES: its source's last chunk
    input wire logic              marker_i,      // a flit leaves that the host is not shown
    input wire logic              store_i,
    input wire logic [12*VLS-1:0] used_i,
    input wire logic              bad_class_i,   // errors that are set
    input wire logic              bad_flow_i,
    // to the reservation
    input wire logic              rin_valid_i,
    input wire logic [15:0]       rin_slid_i,
    input wire logic [3:0]        rin_sl_i,
    input wire logic [12:0]       rin_id_i,
    input wire logic [15:0]       rin_size_i,
    input wire logic              rin_init_i,
    input wire logic              rin_done_i,
    input wire logic [15:0]       res_pkts_i,    // RES that wait there
    input wire logic              rep_valid_i,
    input wire logic [1:0]        rep_kind_i,
    input wire logic [15:0]       rep_flow_i,
    input wire logic [12:0]       rep_id_i,
    input wire logic [7:0]        rep_seq_i,
    input wire logic [31:0]       rep_wait_i,
    input wire logic              rep_rty_i,
    input wire logic              rep_init_i,
    input wire logic              walk_valid_i,
    input wire logic [6:0]        walk_len_i,
    input wire logic              res_full_i,    // its errors
    input wire logic              end_lost_i,
    // host
    input wire logic              hold_i,        // a flit is there and not shown
    input wire logic              host_valid_i,
    input wire logic              host_ready_i,
    input wire logic              host_first_i,
    input wire logic              host_last_i,
    input wire logic              host_bad_i,
    input wire logic [DW-1:0]     host_data_i,
    input wire logic              end_ok_i,
    input wire logic              end_valid_i,
    input wire logic              end_bad_i,
    input wire logic [15:0]       end_slid_i,
    input wire logic [3:0]        end_sl_i,
    input wire logic [12:0]       end_id_i,
    input wire logic [7:0]        end_seq_i,
    input wire logic              end_rty_i
);
  localparam int CAP = RX_BLOCKS / (D + 1);

  // ---- the flit on the link: of which lane, and whether its packet has a place there
  logic        first, bad, plain, known, in_class, legal, res, reply, told, fits;
  logic        owed, apart, strange, dropped, init, walk;  // DEDUP: it has an R or is speculative; that or a RES; of nobody
  logic [3:0]  lane, lane_q;
  logic [7:0]  n, op;
  logic [12:0] id;
  logic [15:0] slid, dlid, flow, base_q;
  logic [11:0] taken;

  always_comb begin
    first = ready_i && link_up_i && rx_valid_i && rx_first_i;
    bad = rx_bad_i && rx_last_i;
    lane = rx_first_i ? rx_data_i[7:4] : lane_q;
    plain = rx_data_i[9:8] == 2'd2;
    op = rx_data_i[71:64];
    id = {rx_data_i[191:187], rx_data_i[167:160]};
    n = {1'b0, rx_data_i[34:32], rx_data_i[47:44]} + 8'(rx_data_i[43:40] != '0);
    dlid = {rx_data_i[23:16], rx_data_i[31:24]};
    slid = {rx_data_i[55:48], rx_data_i[63:56]};
    flow = slid - lid_base_i;
    known = 32'(lane) < VLS;
    if (32'(lane) == D + 2) in_class = plain && n == 8'd1 && (op == 8'hC1 || op == 8'hC2 || op == 8'hC3);
    else if (32'(lane) == D + 1) in_class = plain && n == 8'd1 && op == 8'hC0;
    else if (32'(lane) == D) in_class = plain && op == 8'hC4;
    else in_class = !(plain && op >= 8'hC0 && op <= 8'hC4);
    legal = first && known && in_class && n != '0 && n <= 8'(MTU) && (bad || rx_last_i == (n == 8'd1))
        && (dlid == lid_i || dlid[15:14] == 2'b11);
    taken = '0;
    for (int v = 0; v < VLS; v++) if (32'(lane) == v) taken = used_i[12*v+:12];
    fits = 12'(n) + taken <= ((32'(lane) <= D) ? 12'(CAP) : 12'(CTL_BLOCKS));
    owed = DEDUP != 0 && plain && (op == 8'hC4 || (op == 8'hC5 && rx_data_i[184]));
    apart = owed || (DEDUP != 0 && plain && op == 8'hC0);
    strange = apart && slid - base_q >= 16'(FLOWS);
    dropped = apart && !strange && drop_i;
    init = DEDUP != 0 && rx_data_i[186];
    walk = legal && fits && 32'(lane) < D && !(plain && op == 8'hC5);
    res = legal && 32'(lane) == D + 1 && !bad && fits && !strange && !dropped;
    reply = legal && 32'(lane) == D + 2 && !bad;
    told = reply && flow < 16'(FLOWS);
  end

  // ---- what follows from it in the next cycle
  logic        past_ok_q, res_q, told_q;
  logic [15:0] slid_q, flow_q, size_q;
  logic [3:0]  sl_q;
  logic [1:0]  kind_q;
  logic [12:0] id_q;
  logic [7:0]  seq_q;
  logic [31:0] wait_q;
  logic        init_q, rty_q, walk_q;
  logic [6:0]  walk_len_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    res_q <= !rst_i && res;
    told_q <= !rst_i && told;
    if (first) lane_q <= lane;
    {slid_q, sl_q, flow_q, kind_q, id_q, seq_q} <= {slid, rx_data_i[15:12], flow, op[1:0], id, rx_data_i[175:168]};
    if (init && res) id_q <= known_i;
    {init_q, rty_q} <= {rx_data_i[186], rx_data_i[184]};
    walk_q <= !rst_i && walk;
    walk_len_q <= n[6:0];
    base_q <= lid_base_i;
    size_q <= {rx_data_i[199:192], rx_data_i[207:200]};
    wait_q <= {rx_data_i[231:224], rx_data_i[239:232], rx_data_i[247:240], rx_data_i[255:248]};
  end

  // ---- flits of each lane that are in the receive FIFO
  logic [3:0]   host_lane, host_lane_q;
  logic         take, spec, owes, owes_q, lanes_home;
  logic [D:0]   lane_wrong;
  logic [41:0]  head, head_q;  // SLID, SL, chunk, packet, R of the one that the host takes

  assign take = host_valid_i && host_ready_i;
  assign host_lane = host_first_i ? host_data_i[7:4] : host_lane_q;
  assign spec = 32'(host_lane) == D;
  assign owes = spec || (DEDUP != 0 && (host_first_i ? host_data_i[9:8] == 2'd2 && host_data_i[71:64] == 8'hC5 && host_data_i[184] : owes_q));
  assign head = host_first_i ? {host_data_i[55:48], host_data_i[63:56], host_data_i[15:12], host_data_i[191:187],
      host_data_i[167:160], host_data_i[175:168], host_data_i[184]} : head_q;
  assign lanes_home = lane_wrong == '0;

  for (genvar v = 0; v <= D; v++) begin : g_lane
    logic [11:0] in_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) in_q <= '0;
      else in_q <= in_q + 12'(store_i && 32'(lane) == v) - 12'((take && 32'(host_lane) == v) || (marker_i && marker_lane == v));
    end

    assign lane_wrong[v] = used_i[12*v+:12] != in_q;
  end

  // ---- DEDUP: packets that are stored though they came before: they are not shown, and answered in their place
  localparam int MA = $clog2(RX_BLOCKS);
  logic [45:0]   marks[0:2**MA-1];  // lane, SLID, SL, id, seq, R
  logic [MA-1:0] mark_put_q, mark_get_q;
  logic [45:0]   mark;
  logic          marked, after_q;   // in the cycle after the first flit of such a packet; what follows is not of a packet that is stored
  int            marker_lane;

  assign marked = legal && fits && dropped && again_i;
  assign mark = marks[mark_get_q];
  assign marker_lane = 32'(mark[45:42]);

  always_ff @(posedge clk_i) begin
    if (marked) marks[mark_put_q] <= {lane, slid, rx_data_i[15:12], id, rx_data_i[175:168], rx_data_i[184]};
    if (rst_i) {mark_put_q, mark_get_q} <= '0;
    else begin
      mark_put_q <= mark_put_q + MA'(marked);
      mark_get_q <= mark_get_q + MA'(marker_i);
    end
    if (first) after_q <= strange || dropped;
  end

  // ---- one packet that is to be answered, from when it comes (and no other waits, which may have the same number): the host is shown it
  // whole once, unless its source has sent so much since that its number may be another chunk's
  logic        follow_q, shown, begins, it, gone, once_q, twice_q;
  logic [15:0] of_slid_q;
  logic [12:0] of_id_q, since;
  logic [7:0]  of_seq_q;
  logic [15:0] turn_q;

  assign shown = DEDUP != 0 && end_valid_i && !end_bad_i && !marker_i;
  assign since = id - of_id_q;
  assign begins = store_i && rx_first_i && owed && !dropped && used_i[12*(D+1)-1:0] == '0;
  assign it = shown && {of_slid_q, of_id_q, of_seq_q} == {end_slid_i, end_id_i, end_seq_i};
  assign gone = first && apart && slid == of_slid_q && since >= 13'd2048 && since < 13'd6145;

  always_ff @(posedge clk_i) begin
    turn_q <= rst_i ? '0 : turn_q + 1'b1;
    if (rst_i || gone || lid_base_i != base_q || turn_q == '0) follow_q <= 1'b0;
    else if (begins) follow_q <= 1'b1;
    if (begins && !follow_q) {of_slid_q, of_id_q, of_seq_q} <= {slid, id, rx_data_i[175:168]};
    once_q <= !rst_i && follow_q && (once_q || it);
    twice_q <= !rst_i && follow_q && once_q && it;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      owes_q <= owes;
      host_lane_q <= host_lane;
      head_q <= head;
    end
    if (!rst_i && past_ok_q) begin
      q1_bad_class_told: assert (bad_class_i == (first && known && !in_class));
      q1_lane_keeps_its_packets: assert (!(store_i && rx_first_i) || (legal && 32'(lane) <= D && !strange && (!dropped || again_i)));
      q1_takes_what_fits: assert (!(legal && 32'(lane) <= D && fits && !strange && (!dropped || again_i)) || store_i);
      q1_host_sees_its_own: assert (!(host_valid_i && host_first_i) || (32'(host_lane) <= D
          && !(host_data_i[9:8] == 2'd2 && host_data_i[71:64] >= 8'hC0 && host_data_i[71:64] <= 8'hC3)
          && spec == (host_data_i[9:8] == 2'd2 && host_data_i[71:64] == 8'hC4)));
      f2_lane_home: assert (lanes_home);
      f2_res_home: assert (16'(used_i[12*(D+1)+:12]) == 16'(rin_valid_i) + res_pkts_i + 16'(rin_done_i));
      f2_reply_home: assert (used_i[12*(D+2)+:12] == '0);
      q13_res_comes: assert (rin_valid_i == res_q);
      q13_res_as_sent: assert (!rin_valid_i || {rin_slid_i, rin_sl_i, rin_id_i, rin_size_i} == {slid_q, sl_q, id_q, size_q});
      q22_res_asks: assert (DEDUP == 0 || !rin_valid_i || rin_init_i == init_q);
      q22_reply_flags: assert (DEDUP == 0 || !rep_valid_i || {rep_rty_i, rep_init_i} == {rty_q, init_q});
      q22_dropped_leaves_none: assert (!store_i || rx_first_i || !after_q);
      q22_marker_answers: assert (!marker_i || (mark_put_q != mark_get_q && end_ok_i && end_valid_i && !end_bad_i && !take
          && {end_slid_i, end_sl_i, end_id_i, end_seq_i, end_rty_i} == mark[41:0]));
      q22_host_once: assert (!twice_q);
      q15_walk_told: assert (walk_valid_i == walk_q && (!walk_valid_i || walk_len_i == walk_len_q));
      q13_no_res_lost: assert (!res_full_i);
      q16_reply_comes: assert (rep_valid_i == told_q);
      q16_reply_as_sent: assert (!rep_valid_i
          || {rep_kind_i, rep_flow_i, rep_id_i, rep_seq_i, rep_wait_i} == {kind_q, flow_q, id_q, seq_q, wait_q});
      q16_strange_reply_told: assert (bad_flow_i == ((reply && !told) || (legal && fits && strange)));
      q12_end_told: assert (end_valid_i == ((take && host_last_i && owes) || marker_i));
      q12_end_of_its_packet: assert (!end_valid_i || marker_i
          || (end_bad_i == host_bad_i && {end_slid_i, end_sl_i, end_id_i, end_seq_i, end_rty_i} == head));
      q12_shown_with_room: assert (!(host_valid_i && host_last_i && owes) || end_ok_i);
      q12_held_for_cause: assert (!hold_i || (!host_valid_i && (marker_i || (!end_ok_i && (DEDUP != 0 || used_i[12*D+:12] != '0)))));
      q12_no_end_lost: assert (!end_lost_i);
    end
  end

  wire unused = &{1'b0, rx_data_i, host_data_i};
endmodule

`default_nettype wire
