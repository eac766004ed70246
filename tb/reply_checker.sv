// Replies of an adapter, CNPs and ACKs, and the ACKs that it takes in: it reads the headers on the pins by itself, and counts for
// itself what is owed to whom. Instantiated by hca under QUELL_CHECK. Rules AK2-AK5, AK8, H2; docs/hca.md sections 3, 4, 10, 11.
`default_nettype none

module reply_checker #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int RX_BLOCKS = 256,
    parameter int CNPQ = 16,
    parameter int CNT_W = 32,
    parameter int CTL_VL = 0,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              ready_i,
    input wire logic              link_up_i,
    input wire logic              cnp_en_i,
    input wire logic              ack_en_i,
    input wire logic              queued_i,      // CNPs go to the generation queues
    input wire logic [15:0]       lid_i,
    input wire logic [15:0]       lid_base_i,
    // link, and what the receiver makes of it
    input wire logic              rx_valid_i,
    input wire logic              rx_first_i,
    input wire logic              rx_last_i,
    input wire logic              rx_bad_i,
    input wire logic [DW-1:0]     rx_data_i,
    input wire logic              store_i,
    input wire logic [12*VLS-1:0] used_i,
    input wire logic              bad_ack_i,     // errors that are set
    input wire logic              no_credit_i,
    input wire logic              bad_class_i,
    input wire logic              ack_valid_i,   // to the chooser
    input wire logic [15:0]       ack_flow_i,
    input wire logic [2:0]        ack_bits_i,
    // replies
    input wire logic              push_i,
    input wire logic              push_ack_i,
    input wire logic              move_i,
    input wire logic              move_in_i,
    input wire logic [VW-1:0]     move_vl_i,
    input wire logic [15:0]       pkts_i,
    input wire logic [VLS-1:0]    req_i,
    input wire logic [VLS-1:0]    data_req_i,
    input wire logic [2*VLS-1:0]  grant_i,       // of the output port: data, then replies
    input wire logic              plain_i,
    input wire logic [12*VLS-1:0] txr_i,
    input wire logic [12*VLS-1:0] fccl_i,
    input wire logic              act_i,
    input wire logic              sw_i,
    input wire logic [159:0]      header_i,
    input wire logic [CNT_W-1:0]  cnt_cnp_i,
    input wire logic [15:0]       cnt_cnp_lost_i,
    input wire logic [CNT_W-1:0]  cnt_ack_i,
    input wire logic [15:0]       cnt_ack_lost_i,
    input wire logic [CNT_W-1:0]  cnt_ack_in_i
);
  localparam int CAP = RX_BLOCKS / VLS;
  localparam int AW = $clog2(CNPQ);
  localparam int EW = 48;  // {ack, dlid 16, sl 4, psn 24, fecn, mb, vb}

  // ---- the packet that a flit belongs to, by its first flit
  logic          flit, first, bad;
  logic [95:0]   bth;
  logic          bth_ok, cnp, ack, mcast, data, take_ack, out_of_class, legal, room;
  logic [15:0]   dlid, slid, slid_q, lane;
  logic [7:0]    n, n_q, m, m_q;
  logic [3:0]    sl, sl_q;
  logic [23:0]   psn, psn_q;
  logic [3:0]    marks, marks_q;      // FECN, BECN, MB, VB
  logic          is_data, is_data_q;
  logic          of_ack, of_ack_q;    // of a unicast ACK that came with ack_en = 1, whatever becomes of it
  logic          eat_q;               // such an ACK has begun, and is legal
  logic [VW-1:0] vl, vl_q, reply_vl;

  always_comb begin
    flit = ready_i && link_up_i && rx_valid_i;
    first = flit && rx_first_i;
    bad = rx_bad_i && rx_last_i;
    bth = rx_data_i[159:64];
    bth_ok = rx_data_i[9:8] == 2'd2;
    if (FLIT_BYTES == 64 && rx_data_i[9:8] == 2'd3) begin
      bth = rx_data_i[384%DW+:96];
      bth_ok = 1'b1;
    end
    dlid = {rx_data_i[23:16], rx_data_i[31:24]};
    mcast = dlid[15:14] == 2'b11;
    cnp = bth_ok && bth[7:0] == 8'h80;
    ack = bth_ok && bth[4:0] == 5'h11;
    data = bth_ok && !cnp && !ack && !mcast;
    take_ack = ack && !mcast && ack_en_i;
    lane = (VL_BY_DEST != 0) ? dlid % 16'(VLS) : 16'(rx_data_i[7:4]);

    slid = rx_first_i ? {rx_data_i[55:48], rx_data_i[63:56]} : slid_q;
    n = rx_first_i ? {1'b0, rx_data_i[34:32], rx_data_i[47:44]} + 8'(rx_data_i[43:40] != '0) : n_q;
    m = rx_first_i ? 8'd1 : m_q + 8'd1;
    sl = rx_first_i ? rx_data_i[15:12] : sl_q;
    psn = rx_first_i ? {bth[79:72], bth[87:80], bth[95:88]} : psn_q;
    marks = !rx_first_i ? marks_q : bth_ok ? bth[39:36] : '0;
    is_data = rx_first_i ? data : is_data_q;
    of_ack = rx_first_i ? take_ack : of_ack_q;
    vl = rx_first_i ? VW'(lane) : vl_q;
    // nothing but a reply of one flit has a place on the control lane, and all replies are sent there
    out_of_class = CTL_VL != 0 && lane == 16'(VLS - 1) && !((cnp || ack) && n == 8'd1);
    reply_vl = (CTL_VL != 0) ? VW'(VLS - 1) : (VL_BY_DEST != 0) ? VW'(slid % 16'(VLS)) : vl;
    legal = first && lane < 16'(VLS) && n != '0 && n <= 8'(MTU) && (bad || rx_last_i == (n == 8'd1)) && (dlid == lid_i || mcast)
        && !out_of_class;
    room = 12'(n) + used_i[11:0] <= 12'(CAP);
    for (int v = 1; v < VLS; v++) if (lane == 16'(v)) room = 12'(n) + used_i[12*v+:12] <= 12'(CAP);
  end

  // ---- what has to follow from it
  logic        ends;                   // a packet in the receive FIFO does
  logic        eats, ack_broken, ack_whole;  // a taken ACK: its flit; one is over and was not whole; it came whole
  logic        op_q;
  logic [15:0] flow, flow_q;
  logic [2:0]  bits_q;

  assign ends = store_i && (rx_last_i || (!rx_first_i && m == n));
  assign eats = flit && (rx_first_i ? legal && take_ack : eat_q);
  assign ack_whole = eats && rx_last_i && !bad && m == n;
  assign ack_broken = (eat_q && (first || !link_up_i)) || (eats && (rx_last_i || (!rx_first_i && m == n)) && !ack_whole);
  assign flow = slid - lid_base_i;

  always_ff @(posedge clk_i) begin
    if (flit) begin
      {slid_q, n_q, sl_q, psn_q, marks_q, is_data_q, of_ack_q, vl_q} <= {slid, n, sl, psn, marks, is_data, of_ack, vl};
      m_q <= (m == '1) ? '1 : m;
    end
    if (rst_i || !link_up_i) eat_q <= 1'b0;
    else if (flit) eat_q <= eats && !rx_last_i && m != n;
    op_q <= !rst_i && ack_whole && flow < 16'(FLOWS);
    flow_q <= flow;
    bits_q <= marks[2:0];
  end

  // ---- shadow of the FIFOs
  logic [EW-1:0]     entry;
  logic [VLS-1:0]    vl_full, vl_waits, head_ack, vl_late, vl_late_cnp, vl_robbed;
  logic [16*VLS-1:0] vl_waiting;
  logic [EW*VLS-1:0] heads;
  logic              queued, lost;
  logic [16:0]       all_q, sum;  // queued, and neither on the crossbar yet nor moved
  localparam int TURNS = 2 * VLS + VLS / 32 + 2;
  localparam int LATEST = 4 * VLS + VLS / 32 + 36;

  assign entry = {ack_en_i, slid, sl, ack_en_i ? {psn, marks[3], marks[1:0]} : 27'd0};
  assign queued = push_i && !vl_full[reply_vl];
  assign lost = push_i && vl_full[reply_vl];

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [EW-1:0] mem[0:CNPQ-1];
    logic [AW-1:0] head_q, tail_q;
    logic [15:0]   waiting_q;
    logic [8:0]    others_q;  // other grants while the head waits and has credit
    logic          took_q;    // an ACK took the credit that data want
    logic          leaves, takes;
    logic [11:0]   left;

    assign left = fccl_i[12*v+:12] - txr_i[12*v+:12];
    assign leaves = grant_i[VLS+v] || (move_i && move_vl_i == VW'(v));
    assign takes = grant_i[VLS+v] && head_ack[v] && data_req_i[v] && 12'(left - 12'(MTU + 1)) > 12'd2048;
    assign vl_full[v] = waiting_q == 16'(CNPQ);
    assign vl_waits[v] = waiting_q != '0;
    assign vl_waiting[16*v+:16] = waiting_q;
    assign heads[EW*v+:EW] = mem[head_q];
    assign head_ack[v] = heads[EW*v+EW-1] && vl_waits[v];
    assign vl_late[v] = others_q > 9'(LATEST);
    assign vl_late_cnp[v] = others_q > 9'(TURNS) && vl_waits[v] && !head_ack[v];
    assign vl_robbed[v] = takes && took_q && !plain_i;

    always_ff @(posedge clk_i) begin
      if (queued && reply_vl == VW'(v)) mem[tail_q] <= entry;
      if (rst_i) begin
        {head_q, tail_q, waiting_q} <= '0;
      end else begin
        head_q <= head_q + AW'(leaves);
        tail_q <= tail_q + AW'(queued && reply_vl == VW'(v));
        waiting_q <= waiting_q + 16'(queued && reply_vl == VW'(v)) - 16'(leaves);
      end
      if (rst_i || (queued_i && !head_ack[v]) || !vl_waits[v] || 12'(left - 12'(MTU)) > 12'd2048 || leaves) others_q <= '0;
      else if (grant_i != '0 && others_q != '1) others_q <= others_q + 1'b1;
      took_q <= !rst_i && !plain_i && !grant_i[v] && data_req_i[v] && (took_q || takes);
    end
  end

  always_comb begin
    sum = '0;
    for (int v = 0; v < VLS; v++) sum = sum + 17'(vl_waiting[16*v+:16]);
  end

  // ---- the engine's reply; what it was a cycle ago is on the crossbar
  logic [EW-1:0] engine_q, shown_q;
  logic [3:0]    engine_vl_q, shown_vl_q;
  logic [15:0]   lid_q;
  logic [23:0]   sw_psn;

  assign sw_psn = {header_i[143:136], header_i[151:144], header_i[159:152]};

  always_ff @(posedge clk_i) begin
    for (int v = 0; v < VLS; v++) begin
      if (grant_i[VLS+v]) begin
        engine_q <= heads[EW*v+:EW];
        engine_vl_q <= 4'(v);
      end
    end
    shown_q <= engine_q;
    shown_vl_q <= engine_vl_q;
    lid_q <= lid_i;
    if (rst_i) all_q <= '0;
    else all_q <= all_q + 17'(queued) - 17'(sw_i) - 17'(move_i);
  end

  // ---- counters a cycle ago, and what happened to them
  logic             past_ok_q, cnp_queued_q, ack_queued_q, ack_lost_q;
  logic [1:0]       cnp_lost_q;
  logic [CNT_W-1:0] cnt_cnp_q, cnt_ack_q, cnt_ack_in_q;
  logic [15:0]      cnt_cnp_lost_q, cnt_ack_lost_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    cnp_queued_q <= queued && !push_ack_i;
    ack_queued_q <= queued && push_ack_i;
    cnp_lost_q <= 2'(lost && !push_ack_i) + 2'(move_i && !move_in_i);
    ack_lost_q <= lost && push_ack_i;
    cnt_cnp_q <= cnt_cnp_i;
    cnt_ack_q <= cnt_ack_i;
    cnt_ack_in_q <= cnt_ack_in_i;
    cnt_cnp_lost_q <= cnt_cnp_lost_i;
    cnt_ack_lost_q <= cnt_ack_lost_i;
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      ak3_one_ack_a_packet: assert ((push_i && push_ack_i) == (ends && is_data && ack_en_i));
      ak3_no_cnp: assert (!push_i || push_ack_i || !ack_en_i);
      ak2_answers_its_packet: assert (!sw_i || (header_i[71:64] == (shown_q[47] ? 8'h11 : 8'h80)
          && {header_i[23:16], header_i[31:24]} == shown_q[46:31] && header_i[15:12] == shown_q[30:27]
          && sw_psn == shown_q[26:3] && header_i[102:100] == (shown_q[47] ? shown_q[2:0] : 3'b100)
          && header_i[7:4] == shown_vl_q));
      ak2_shape: assert (!sw_i || (header_i[9:8] == 2'd2 && {header_i[55:48], header_i[63:56]} == lid_q
          && ((header_i[71:64] == 8'h80 && header_i[47:40] == 8'd10) || (header_i[71:64] == 8'h11 && header_i[47:40] == 8'd7))
          && header_i[95:80] == '1
          && {header_i[3:0], header_i[11:10], header_i[39:32], header_i[79:72], header_i[103], header_i[99:96], header_i[135:104]} == '0));
      ak4_not_lost_silently: assert (
          (cnt_cnp_i == cnt_cnp_q + CNT_W'(cnp_queued_q) || (cnt_cnp_q == '1 && cnt_cnp_i == '1))
          && (cnt_ack_i == cnt_ack_q + CNT_W'(ack_queued_q) || (cnt_ack_q == '1 && cnt_ack_i == '1))
          && (cnt_cnp_lost_i == cnt_cnp_lost_q + 16'(cnp_lost_q) || (cnt_cnp_lost_q >= 16'hFFFE && cnt_cnp_lost_i == '1))
          && (cnt_ack_lost_i == cnt_ack_lost_q + 16'(ack_lost_q) || (cnt_ack_lost_q == '1 && cnt_ack_lost_i == '1)));
      ak4_lost_only_if_full: assert (ack_lost_q || cnt_ack_lost_i == cnt_ack_lost_q);
      h2_lost_when_full: assert (cnp_lost_q != '0 || cnt_cnp_lost_i == cnt_cnp_lost_q);
      ak4_none_forgotten: assert (all_q == 17'(pkts_i) + 17'(act_i) + 17'(sw_i));
      h2_bound: assert (32'(pkts_i) <= CNPQ * VLS && 17'(pkts_i) == sum);
      ak4_never_moved: assert (!move_i || !head_ack[move_vl_i]);
      h2_moved_waits: assert (!move_i || (queued_i && vl_waits[move_vl_i]));
      // a CNP asks unless it is moved; whether an ACK asks, data may say
      h2_each_vl_asks: assert ((req_i & ~head_ack) == (queued_i ? '0 : vl_waits & ~head_ack));
      h2_turn: assert (vl_late_cnp == '0);
      ak4_turn: assert (vl_late == '0);
      ak4_data_get_credit: assert (vl_robbed == '0);
      cl2_replies_on_their_lane: assert (CTL_VL == 0 || !sw_i || header_i[7:4] == 4'(VLS - 1));
      cl2_no_data_there: assert (CTL_VL == 0 || !data_req_i[VLS-1]);
      cl3_refusal_is_told: assert (bad_class_i == (first && out_of_class));
      cl3_not_stored: assert (!store_i || !first || !out_of_class);
      h2_cause: assert (!push_i || push_ack_i || (cnp_en_i && flit && rx_last_i && !rx_bad_i && store_i));
      ak5_one_op: assert (ack_valid_i == op_q && (!op_q || (ack_flow_i == flow_q && ack_bits_i == bits_q)));
      ak5_counted: assert (cnt_ack_in_i == cnt_ack_in_q + CNT_W'(op_q) || (cnt_ack_in_q == '1 && cnt_ack_in_i == '1));
      ak5_not_to_host: assert (!store_i || !of_ack);
      ak5_loss_is_told: assert (bad_ack_i == ack_broken);
      ak8_takes_whatever_waits: assert (!legal || cnp || take_ack || store_i == room);
      ak8_taken_without_room: assert (!(legal && (cnp || take_ack)) || (!no_credit_i && !store_i));
      ak3_c_ack: cover (push_i && push_ack_i);
      ak4_c_lost: cover (ack_lost_q);
      ak5_c_op: cover (ack_valid_i);
      ak2_c_ack: cover (sw_i && shown_q[47]);
    end
  end

  wire unused = &{1'b0, rx_data_i, bth};
endmodule

`default_nettype wire
