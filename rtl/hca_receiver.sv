// Receive side of an adapter: judges the flits of the link, keeps those of accepted packets in the receive FIFO for the
// host, returns credits; CNPs, and with ack_en ACKs, are taken in and not kept. It counts the flits of a packet, acts on marks, BECN and
// ACKs when the packet has come whole (which ones are answered with a CNP says message_replies), and with ack_en answers each
// packet of data when it ends, whole or not.
// While the link is down nothing is heard, and the packet that was coming is given up.
// With CTL_VL the highest VL takes nothing but replies of one flit, and all answers go there. With SRP nothing is answered here: RES and
// replies, on lanes of their own, are taken in for the reservation, and the host sees the end of a SPEC packet when it may. With DEDUP
// it is told in the cycle of a first flit that its packet came before; a marker takes the place of one that is to be answered.
// Rules AK3, AK5, AK8, B3, CL2, CL3, F1, F2, H2, H3, Q1, Q4, Q12, Q15, Q22; docs/hca.md sections 4, 7, 12, 13, 14.
`default_nettype none

module hca_receiver #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int FLOWS = 64,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int RX_BLOCKS = 256,
    parameter int CNT_W = 32,
    parameter int CTL_VL = 0,
    parameter int SRP = 0,
    parameter int DEDUP = 0,
    parameter int CTL_BLOCKS = 64,  // of the lanes of RES and replies
    parameter int PARITY = 0,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              ready_i,
    input  wire logic              link_up_i,
    input  wire logic              cnp_en_i,
    input  wire logic              ack_en_i,
    input  wire logic              cnp_src_i,
    input  wire logic [2:0]        becn_per_i,    // packets of a message, log2
    input  wire logic              becn_per_we_i,  // that is written
    input  wire logic [15:0]       lid_i,
    input  wire logic [15:0]       lid_base_i,
    input  wire logic [15:0]       fc_interval_i,
    input  wire logic              rx_valid_i,
    input  wire logic              rx_first_i,
    input  wire logic              rx_last_i,
    input  wire logic              rx_bad_i,
    input  wire logic [DW-1:0]     rx_data_i,
    input  quell_pkg::credit_t     fctbs_i,
    input  wire logic              strange_i,     // DEDUP: the packet or RES that begins is of a source that is nobody's,
    input  wire logic              drop_i,        // it came before, or too late,
    input  wire logic              again_i,       // and is to be answered
    input  wire logic              end_ok_i,      // SRP: the end of a SPEC packet may be shown
    input  wire logic              res_done_i,    // a RES that was taken in is gone: its block is free
    input  wire logic              host_ready_i,
    output logic                   host_valid_o,
    output logic                   host_first_o,
    output logic                   host_last_o,
    output logic                   host_bad_o,
    output logic      [DW-1:0]     host_data_o,
    output quell_pkg::credit_t     fccl_o,
    output logic                   push_o,        // Mealy: answer the packet that ends with this flit
    output quell_pkg::reply_t      reply_o,       // Mealy: in this way,
    output logic      [VW-1:0]     reply_vl_o,    // Mealy: on this VL
    output logic                   becn_valid_o,  // a BECN came in the cycle before
    output logic                   ack_valid_o,   // an ACK did
    output logic      [2:0]        ack_bits_o,    // with these marks: BECN, MB, VB
    output logic      [15:0]       flow_o,        // of this flow
    output logic                   res_o,         // Mealy: a RES came,
    output logic                   srp_reply_o,   // Mealy: a reply of reservation did,
    output logic      [15:0]       slid_o,        // with this SLID
    output logic      [3:0]        sl_o,
    output logic      [15:0]       of_flow_o,     // of this flow
    output logic                   walk_o,        // Mealy: a packet without reservation begins,
    output logic      [6:0]        walk_len_o,    // of so many flits
    output logic                   whole_o,       // Mealy: a packet or RES is taken, and whole
    output logic      [15:0]       err_set_o,     // Mealy
    output logic                   store_o,       // Mealy: the flit is stored, for the checker
    output logic                   count_o,       // Mealy: and counted in ABR
    output logic      [VW-1:0]     vl_o,          // Mealy: on this VL
    output logic      [VW-1:0]     host_vl_o,     // VL of the oldest flit
    output logic                   host_spec_o,   // which is of a packet whose end is told,
    output logic                   host_held_o,   // it is not shown,
    output logic                   marker_o,      // Mealy: as it is a marker, which leaves
    output logic      [DW-1:0]     oldest_o,      // its data
    output logic      [12*VLS-1:0] used_o,
    output logic      [12*VLS-1:0] abr_o,
    output logic      [FLOWS-1:0]  seen_o,        // sources with a FECN not yet told
    output logic      [CNT_W-1:0]  cnt_becn_o,
    output logic      [CNT_W-1:0]  cnt_rcv_o,
    output logic      [CNT_W-1:0]  cnt_ack_in_o,
    output logic                   parity_err_o  // Mealy
);
  localparam int CAP = RX_BLOCKS / ((SRP != 0 && VLS > 3) ? VLS - 2 : VLS);
  localparam int READS = (SRP != 0) ? 2 : 1;  // blocks that are freed in a cycle

  typedef enum logic [1:0] {
    IDLE = 2'd0,
    OPEN = 2'd1,  // storing the flits of a packet
    EAT = 2'd2,   // taking in those of a CNP or an ACK, which is not stored
    SKIP = 2'd3   // dropping the rest of one
  } state_e;

  // ---- header
  quell_pkg::header_t head;
  logic               data;      // neither CNP nor ACK nor multicast
  logic               take_ack;  // an ACK that is taken in
  logic               take;      // that, or a CNP

  header_decode #(.VLS(VLS), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST)) u_header (
      .data_i(rx_data_i),
      .head_o(head)
  );
  assign data = head.bth && !head.cnp && !head.ack && !head.mcast;
  assign take_ack = SRP == 0 && ack_en_i && head.ack && !head.mcast;
  assign take = (SRP != 0) ? on_reply : head.cnp || take_ack;
  wire unused_head = &{1'b0, head};

  // ---- lanes of reservation, and whether a packet is one of those that they are for
  logic on_res, on_reply, srp_ok;
  logic walks;   // a packet of data without reservation
  logic owes, owes_q;  // DEDUP: the end of a packet is told, and that of the one that the host takes

  if (SRP != 0) begin : g_lanes
    logic       plain;   // LNH 2
    logic       single;  // a flit
    logic [7:0] opcode;

    assign plain = head.bth && !head.grh;
    assign single = head.n == 8'd1;
    assign opcode = rx_data_i[quell_pkg::BTH_RAW_LSB +: 8];
    assign on_res = head.vl == 8'(VLS - 2);
    assign on_reply = head.vl == 8'(VLS - 1);
    assign host_spec_o = host_vl_o == VW'(VLS - 3) || owes;
    assign walks = head.vl < 8'(VLS - 3) && !(plain && opcode == quell_pkg::OPCODE_SRP_GRANTED);

    always_comb begin
      srp_ok = 1'b1;
      if (head.vl < 8'(VLS - 3))
        srp_ok = !plain || opcode < quell_pkg::OPCODE_SRP_RES || opcode > quell_pkg::OPCODE_SRP_SPEC;
      if (head.vl == 8'(VLS - 3)) srp_ok = plain && opcode == quell_pkg::OPCODE_SRP_SPEC;
      if (on_res) srp_ok = plain && single && opcode == quell_pkg::OPCODE_SRP_RES;
      if (on_reply) srp_ok = plain && single && opcode >= quell_pkg::OPCODE_SRP_GRANT && opcode <= quell_pkg::OPCODE_SRP_NACK;
    end
  end else begin : g_lanes
    assign {on_res, on_reply, host_spec_o, walks} = '0;
    assign srp_ok = 1'b1;
    wire unused = &{1'b0, end_ok_i, res_done_i, on_reply, owes};
  end

  // ---- the packet in OPEN or EAT, from its first flit; VL of the flits that follow any first one
  logic [1:0]    state_q, state_d;
  logic [6:0]    n_q, n_d, m_q, m_d;          // its flits; those that have come
  logic          ack_q, ack_d, data_q, data_d;  // an ACK that is taken; data
  logic [15:0]   slid_q, slid_d;
  logic [3:0]    sl_q, sl_d;
  logic [23:0]   psn_q, psn_d;
  logic [3:0]    marks_q, marks_d;            // FECN, BECN, MB, VB
  logic [VW-1:0] ctx_vl_q, ctx_vl_d;
  logic          ctx_vl_ok_q, ctx_vl_ok_d;

  // ---- verdict
  logic          flit, first, next, bad;      // a flit; a packet's first; another one; the last of a damaged packet
  logic          in_packet;                   // in OPEN or EAT
  logic          vl_ok, shape_ok, lid_ok, class_ok, good, passes, accept;
  logic          mark;                        // a marker is stored
  logic          at_end, ends_short, runs_on; // another flit: as many as announced; fewer, more than announced
  logic          end_last, end_bad;           // as it is stored
  logic          ends;                        // a packet that is stored ends with this flit
  logic          whole;                       // one ends, whole
  logic          room_ok;                     // for a new packet
  // of the packet that this flit is of, or of the one in OPEN or EAT
  logic          is_data, is_ack;
  logic [15:0]   from, flow;
  logic [3:0]    sl;
  logic [23:0]   psn;
  logic          fecn, becn, mb, vb;
  logic          got_becn, got_ack, got_res, got_reply;  // of one that ends here, whole
  logic          send_ack, send_cnp;          // it is answered
  logic          marked;                      // as asks for a CNP

  accept_policy_credit #(
      .VLS(VLS), .CAP(CAP), .SRP(SRP), .SPEC_BLOCKS(CAP), .CTL_BLOCKS((SRP != 0) ? CTL_BLOCKS : CAP)
  ) u_accept (
      .head_i(head),
      .used_i(used_o),
      .take_o(room_ok)
  );

  always_comb begin
    flit = ready_i && rx_valid_i && link_up_i;
    first = flit && rx_first_i;
    next = flit && !rx_first_i;
    bad = rx_bad_i && rx_last_i;
    in_packet = state_q == OPEN || state_q == EAT;
    vl_o = rx_first_i ? VW'(head.vl) : ctx_vl_q;

    vl_ok = head.vl < 8'(VLS);
    shape_ok = head.n != '0 && head.n <= 8'(MTU) && (bad || rx_last_i == (head.n == 8'd1));
    lid_ok = head.dlid == lid_i || head.mcast;
    class_ok = srp_ok && (CTL_VL == 0 || head.vl != 8'(VLS - 1) || (head.n == 8'd1 && (head.cnp || head.ack)));
    good = first && vl_ok && shape_ok && lid_ok && class_ok;
    passes = good && !take && room_ok;
    accept = passes && !strange_i && !drop_i;
    mark = passes && drop_i && again_i;

    at_end = m_q + 7'd1 == n_q;
    ends_short = next && in_packet && rx_last_i && !bad && !at_end;
    runs_on = next && in_packet && !rx_last_i && at_end;

    store_o = (accept && !on_res) || mark || (next && state_q == OPEN);
    end_last = rx_last_i || runs_on || mark;
    end_bad = (bad && !mark) || ends_short || runs_on;
    count_o = first ? vl_ok : (next && state_q != IDLE && ctx_vl_ok_q);
    whole = rx_last_i && !bad && (first ? accept || (good && take) : next && in_packet && at_end);

    is_data = first ? data : data_q;
    is_ack = first ? take_ack : ack_q;
    {from, sl, psn, fecn, becn, mb, vb} = first
        ? {head.slid, head.sl, head.psn, head.fecn, head.becn, head.mb, head.vb} : {slid_q, sl_q, psn_q, marks_q};
    flow = from - lid_base_i;
    got_becn = SRP == 0 && whole && becn;
    got_ack = whole && is_ack;
    got_res = whole && first && on_res;
    got_reply = whole && first && on_reply;
    marked = is_data && !becn && (cnp_src_i ? mb && vb : fecn);

    ends = store_o && end_last;
    send_ack = ends && is_data && ack_en_i;

    err_set_o = '0;
    err_set_o[quell_pkg::HE_FRAMING] =
        (first && (in_packet || !shape_ok)) || (next && state_q == IDLE) || ends_short || runs_on;
    err_set_o[quell_pkg::HE_BAD_VL] = (first && !vl_ok) || fctbs_bad_vl;
    err_set_o[quell_pkg::HE_NO_CREDIT] = good && !take && !passes;
    err_set_o[quell_pkg::HE_MISROUTED] = first && !lid_ok;
    err_set_o[quell_pkg::HE_BAD_CLASS] = first && !class_ok;
    err_set_o[quell_pkg::HE_BAD_FLOW] = ((got_becn || got_ack || got_reply) && flow >= 16'(FLOWS)) || (passes && strange_i);
    err_set_o[quell_pkg::HE_BAD_PKT] = flit && bad;
    err_set_o[quell_pkg::HE_LINK_DOWN] = !link_up_i && in_packet;
    // one that was taken is given up, or ends and is not whole
    err_set_o[quell_pkg::HE_BAD_ACK] =
        (state_q == EAT && ack_q && (first || !link_up_i || (next && ((rx_last_i && bad) || ends_short || runs_on))))
        || (good && take_ack && rx_last_i && bad);
  end

  always_comb begin
    state_d = state_q;
    n_d = n_q;
    m_d = m_q;
    ack_d = ack_q;
    data_d = data_q;
    slid_d = slid_q;
    sl_d = sl_q;
    psn_d = psn_q;
    marks_d = marks_q;
    ctx_vl_d = ctx_vl_q;
    ctx_vl_ok_d = ctx_vl_ok_q;
    if (rst_i) begin
      state_d = IDLE;
      {n_d, m_d, ack_d, data_d, slid_d, sl_d, psn_d, marks_d, ctx_vl_d, ctx_vl_ok_d} = '0;
    end else if (!link_up_i) begin
      state_d = IDLE;
      ctx_vl_ok_d = 1'b0;
    end else if (first) begin
      if (rx_last_i) state_d = IDLE;
      else if (accept) state_d = OPEN;
      else if (good && take) state_d = EAT;
      else state_d = SKIP;
      n_d = head.n[6:0];
      m_d = 7'd1;
      ack_d = take_ack;
      data_d = data;
      slid_d = head.slid;
      sl_d = head.sl;
      psn_d = head.psn;
      marks_d = {head.fecn, head.becn, head.mb, head.vb};
      ctx_vl_d = vl_o;
      ctx_vl_ok_d = vl_ok;
    end else if (next) begin
      if (rx_last_i) state_d = IDLE;
      else if (runs_on) state_d = SKIP;
      m_d = m_q + 7'd1;
      if (state_q == IDLE) ctx_vl_ok_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    n_q <= n_d;
    m_q <= m_d;
    ack_q <= ack_d;
    data_q <= data_d;
    slid_q <= slid_d;
    sl_q <= sl_d;
    psn_q <= psn_d;
    marks_q <= marks_d;
    ctx_vl_q <= ctx_vl_d;
    ctx_vl_ok_q <= ctx_vl_ok_d;
  end

  // ---- replies; who acknowledges sends no CNPs
  assign push_o = send_cnp || send_ack;
  assign reply_o.ack = send_ack;
  assign reply_o.dlid = from;
  assign reply_o.sl = sl;
  assign reply_o.psn = send_ack ? psn : '0;
  assign reply_o.marks = send_ack ? {fecn, mb, vb} : '0;
  assign reply_vl_o = (CTL_VL != 0) ? VW'(VLS - 1) : (VL_BY_DEST != 0) ? VW'(from % 16'(VLS)) : vl_o;

  logic replies_err;  // of parity

  message_replies #(.FLOWS(FLOWS), .PARITY(PARITY)) u_replies (
      .clk_i, .rst_i,
      .cnp_on_i(cnp_en_i && !ack_en_i),
      .per_i(becn_per_i),
      .forget_i(becn_per_we_i),
      .whole_i(whole),
      .counts_i(is_data),
      .fecn_i(marked),
      .psn_i(psn[6:0]),
      .flow_i(flow),
      .ask_o(send_cnp),
      .seen_o,
      .parity_err_o(replies_err)
  );

  // ---- RES and replies, for the reservation
  assign res_o = got_res;
  assign srp_reply_o = got_reply && flow < 16'(FLOWS);
  assign slid_o = from;
  assign sl_o = sl;
  assign of_flow_o = flow;
  assign walk_o = accept && walks;
  assign walk_len_o = head.n[6:0];
  assign whole_o = whole;

  // ---- counters, and the BECN or ACK for the chooser
  logic [CNT_W-1:0] cnt_rcv_d, cnt_becn_d, cnt_ack_in_d;
  logic             becn_valid_d, ack_valid_d;
  logic [2:0]       ack_bits_d;
  logic [15:0]      flow_d;

  always_comb begin
    cnt_rcv_d = cnt_rcv_o;
    cnt_becn_d = cnt_becn_o;
    cnt_ack_in_d = cnt_ack_in_o;
    becn_valid_d = got_becn && flow < 16'(FLOWS);
    ack_valid_d = got_ack && flow < 16'(FLOWS);
    ack_bits_d = ack_bits_o;
    flow_d = flow_o;
    if (got_ack) ack_bits_d = {becn, mb, vb};
    if (got_becn || got_ack) flow_d = flow;
    if (rst_i) begin
      cnt_rcv_d = '0;
      cnt_becn_d = '0;
      cnt_ack_in_d = '0;
      becn_valid_d = 1'b0;
      ack_valid_d = 1'b0;
      ack_bits_d = '0;
      flow_d = '0;
    end else begin
      if (whole && (first ? !take && !on_res : state_q == OPEN) && cnt_rcv_o != '1) cnt_rcv_d = cnt_rcv_o + 1'b1;
      if (becn_valid_d && cnt_becn_o != '1) cnt_becn_d = cnt_becn_o + 1'b1;
      if (ack_valid_d && cnt_ack_in_o != '1) cnt_ack_in_d = cnt_ack_in_o + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    cnt_rcv_o <= cnt_rcv_d;
    cnt_becn_o <= cnt_becn_d;
    cnt_ack_in_o <= cnt_ack_in_d;
    becn_valid_o <= becn_valid_d;
    ack_valid_o <= ack_valid_d;
    ack_bits_o <= ack_bits_d;
    flow_o <= flow_d;
  end

  // ---- FIFO and credits
  logic pop, fctbs_bad_vl;
  logic own_err, fifo_err, credit_err;  // of parity
  logic fifo_valid, fifo_first, fifo_last, fifo_bad, fifo_mark;
  logic [DW-1:0] fifo_data;

  localparam int MARK = (DEDUP != 0) ? 1 : 0;
  logic [DW+VW+3+MARK-1:0] fifo_word;

  assign pop = (host_valid_o && host_ready_i) || marker_o;

  receive_fifo #(.DEPTH(RX_BLOCKS), .WIDTH(DW + VW + 3 + MARK), .PARITY(PARITY)) u_fifo (
      .clk_i, .rst_i,
      .push_i(store_o),
      .data_i((DW + VW + 3 + MARK)'({mark, vl_o, rx_first_i, end_last, end_bad, rx_data_i})),
      .pop_i(pop),
      .valid_o(fifo_valid),
      .data_o(fifo_word),
      .parity_err_o(fifo_err)
  );

  assign {fifo_mark, host_vl_o, fifo_first, fifo_last, fifo_bad, fifo_data} = (DW + VW + 4)'(fifo_word);
  assign oldest_o = fifo_data;
  assign marker_o = fifo_valid && fifo_mark && end_ok_i;
  assign host_held_o = SRP != 0 && fifo_valid && (fifo_mark || (host_spec_o && fifo_last && !end_ok_i));
  assign host_valid_o = fifo_valid && !host_held_o;

  // the end of a GRANTED packet that was sent again is told, too


  if (DEDUP != 0) begin : g_owes
    assign owes = !fifo_first ? owes_q : host_vl_o < VW'(VLS - 3) && fifo_data[quell_pkg::LNH_LSB +: 2] == 2'd2
        && fifo_data[quell_pkg::BTH_RAW_LSB +: 8] == quell_pkg::OPCODE_SRP_GRANTED && fifo_data[quell_pkg::SRP_FLAGS_LSB];

    always_ff @(posedge clk_i) if (pop) owes_q <= owes;
  end else begin : g_owes
    assign {owes, owes_q} = '0;
    wire unused = &{1'b0, owes_q, fifo_mark};
  end

  always_comb begin
    {host_first_o, host_last_o, host_bad_o, host_data_o} = '0;
    if (host_valid_o) begin
      host_first_o = fifo_first;
      host_last_o = fifo_last;
      host_bad_o = fifo_bad;
      host_data_o = fifo_data;
    end
  end

  // what the host takes, and with SRP a RES
  logic [READS-1:0]    freed;
  logic [READS*VW-1:0] freed_vl;

  if (SRP != 0) begin : g_freed
    assign freed = {res_done_i, pop};
    assign freed_vl = {VW'(VLS - 2), host_vl_o};
  end else begin : g_freed
    assign freed = pop;
    assign freed_vl = host_vl_o;
  end

  credit_receiver #(
      .VLS(VLS), .CAP(CAP), .SRP(SRP), .SPEC_BLOCKS(CAP), .CTL_BLOCKS((SRP != 0) ? CTL_BLOCKS : CAP), .READS(READS),
      .REGISTERED(0), .PARITY(PARITY)
  ) u_credits (
      .clk_i, .rst_i,
      .run_i(ready_i),
      .up_i(link_up_i),
      .tell_i(1'b1),
      .interval_i(fc_interval_i),
      .fctbs_i,
      .count_i(count_o),
      .count_vl_i(vl_o),
      .store_i(store_o || got_res),
      .store_vl_i(vl_o),
      .read_i(freed),
      .read_vl_i(freed_vl),
      .used_o, .abr_o,
      .bad_vl_o(fctbs_bad_vl),
      .fccl_o,
      .parity_err_o(credit_err)
  );

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{state_d, n_d, m_d, ack_d, data_d, slid_d, sl_d, psn_d, marks_d, ctx_vl_d, ctx_vl_ok_d, cnt_rcv_d, cnt_becn_d,
            cnt_ack_in_d, becn_valid_d, ack_valid_d, ack_bits_d, flow_d}),
      .now_i(^{state_q, n_q, m_q, ack_q, data_q, slid_q, sl_q, psn_q, marks_q, ctx_vl_q, ctx_vl_ok_q, cnt_rcv_o, cnt_becn_o,
            cnt_ack_in_o, becn_valid_o, ack_valid_o, ack_bits_o, flow_o}),
      .err_o(own_err)
  );

  assign parity_err_o = |{own_err, fifo_err, credit_err, replies_err};
endmodule

`default_nettype wire
