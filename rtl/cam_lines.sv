// The CAM lines of an input port together: allocation for roots and for props, collecting of
// destinations, post-processing moves, messages upstream. Rules E1-E9.
`default_nettype none

module cam_lines #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int TIMER_W = 32,
    parameter int FW = 17,
    parameter int ONE_QUEUE = 0,
    parameter int PARITY = 0,
    localparam int PV = PORTS * VLS,
    localparam int NQ = (ONE_QUEUE != 0) ? 1 : PV,
    localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1,
    localparam int QW = (PV > 1) ? $clog2(PV) : 1,
    localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1,
    localparam int LW = (LINES > 1) ? $clog2(LINES) : 1,
    localparam int DW = $clog2(DLIST + 1),
    localparam int KW = (PORTS * LINES > 1) ? $clog2(PORTS * LINES) : 1
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_i,
    input  wire logic                      run_i,
    input  wire logic                      up_i,       // upstream can be told
    input  wire logic                      iso_en_i,
    input  wire logic                      root_hpq_i, // a root takes a hot queue
    input  wire logic [15:0]               hth_i,      // of a root line's contribution (ONE_QUEUE)
    input  wire logic [15:0]               lth_i,
    input  wire logic [15:0]               stop_i,     // thresholds of hot queues
    input  wire logic [15:0]               go_i,
    input  wire logic [TIMER_W-1:0]        line_timer_i,
    input  wire logic [15:0]               refresh_i,
    input  wire logic [15:0]               switch_id_i,
    // from the outputs
    input  wire logic [PORTS-1:0]          prop_valid_i,
    input  wire logic [PORTS*8-1:0]        prop_vl_i,
    input  wire logic [PORTS*8-1:0]        prop_line_i,
    input  wire logic [PORTS*6-1:0]        prop_hops_i,
    input  wire logic [PORTS*24-1:0]       prop_root_i,
    input  wire logic [PORTS*LINES-1:0]    ol_valid_i,
    input  wire logic [PORTS*LINES-1:0]    ol_stop_i,
    // requests and grants of this cycle
    input  wire logic [PV-1:0]             req_valid_i,
    input  wire logic [PV-1:0]             req_cnp_i,
    input  wire logic [PV-1:0]             req_hot_i,
    input  wire logic [PV*HW-1:0]          req_hpq_i,
    input  wire logic [PV-1:0]             served_i,
    // cold queues, their heads by output and VL
    input  wire logic [PV-1:0]             head_any_i,
    input  wire logic [PV*7-1:0]           head_n_i,
    input  wire logic [PV*16-1:0]          head_dlid_i,
    input  wire logic [PV-1:0]             head_cnp_i,
    input  wire logic [NQ*FW-1:0]          cold_fill_i,
    input  wire logic [PV-1:0]             cong_i,
    input  wire logic [PV-1:0]             root_i,     // ONE_QUEUE: the head makes its output a root
    input  wire logic                      leaves_i,   // ONE_QUEUE: the head leaves
    input  wire logic                      accept_i,
    input  wire logic [QW-1:0]             accept_q_i,
    // hot queues
    input  wire logic [HPQS-1:0]           hot_any_i,
    input  wire logic [HPQS*FW-1:0]        hot_fill_i,
    input  wire logic [HPQS*FW-1:0]        acks_fill_i, // of it, what ACKs are charged: no stop reaches them
    input  wire logic                      move_ack_i,  // the packet that moves is an ACK
    input  wire logic [HPQS*7-1:0]         hot_gone_i,  // charges that leave at a grant
    output logic [HPQS-1:0]                hot_busy_o,
    output logic [HPQS*QW-1:0]             hot_q_o,
    output logic [HPQS*OW-1:0]             hot_out_o,
    output logic [HPQS-1:0]                hot_linked_o,    // its line is HOT and linked,
    output logic [HPQS*LW-1:0]             hot_next_o,      // to this line of the output
    output logic [HPQS-1:0]                hot_unlinked_o,  // its line is HOT and asks for a link
    // post-processing
    output logic [PV-1:0]                  cold_match_o,
    output logic                           move_o,
    output logic [PV-1:0]                  move_from_o,  // one-hot
    output logic [QW-1:0]                  move_q_o,
    output logic [HW-1:0]                  move_hpq_o,
    output logic [6:0]                     move_n_o,
    output logic [PORTS*LINES-1:0]         ol_valid_o,   // lines of the outputs, one cycle old
    output logic [PORTS*LINES-1:0]         ol_stop_o,
    // to the outputs
    output logic                           can_alloc_o,
    output logic [PORTS*LINES-1:0]         known_o,
    output logic [PORTS*LINES-1:0]         room_o,
    // upstream
    output quell_pkg::tree_msg_t           msg_o,
    output logic [DLIST*16-1:0]            msg_dlist_o,
    output logic [PV-1:0]                  line_cong_o,     // ONE_QUEUE: outputs with a congested root line
    // state
    output logic [LINES*2-1:0]             st_line_state_o,
    output logic [LINES*8-1:0]             st_line_out_o,
    output logic [LINES*8-1:0]             st_line_vl_o,
    output logic [LINES*16-1:0]            st_line_queue_o,
    output logic [LINES*6-1:0]             st_line_hops_o,
    output logic [LINES*24-1:0]            st_line_root_o,
    output logic [LINES*8-1:0]             st_line_next_o,
    output logic [LINES-1:0]               st_line_linked_o,
    output logic [LINES-1:0]               st_line_ann_o,
    output logic [LINES-1:0]               st_line_sent_stop_o,
    output logic [LINES-1:0]               st_line_stop_req_o,
    output logic [LINES-1:0]               st_line_reached_o,
    output logic [LINES-1:0]               st_line_dirty_o,
    output logic [LINES*TIMER_W-1:0]       st_line_timer_o,
    output logic [LINES*8-1:0]             st_line_dcnt_o,
    output logic [LINES*DLIST*16-1:0]      st_line_dlist_o,
    output logic [LINES-1:0]               st_line_own_o,
    output logic [LINES-1:0]               st_line_cong_o,
    output logic [15:0]                    st_cnt_nohpq_o,
    output logic [15:0]                    st_cnt_noline_o,
    output logic                           parity_err_o
);
  localparam int NX = $clog2(PV * 7);
  localparam int FX = (HPQS * FW > 1) ? $clog2(HPQS * FW) : 1;
  localparam int TW = (FW > 16) ? FW : 16;  // fills beside thresholds
  localparam int HX = (PV * HW > 1) ? $clog2(PV * HW) : 1;
  localparam bit ONE = ONE_QUEUE != 0;

  // fields of the lines
  logic [LINES-1:0]          is_root;
  logic [LINES-1:0]          is_hot;
  logic [LINES-1:0]          has_hpq;
  logic [LINES*OW-1:0]       line_out;
  logic [LINES*VW-1:0]       line_vl;
  logic [LINES*QW-1:0]       line_q;
  logic [LINES*HW-1:0]       line_hpq;
  logic [LINES*LW-1:0]       line_next;
  logic [LINES*DW-1:0]       line_dcnt;
  logic [LINES-1:0]          listed;
  logic [LINES-1:0]          full;
  logic [LINES-1:0]          root_line;
  logic [LINES-1:0]          want;
  logic [LINES*2-1:0]        want_type;

  // state of the outputs' lines, one cycle old
  logic [PORTS*LINES-1:0] ol_valid_q, ol_valid_d;
  logic [PORTS*LINES-1:0] ol_stop_q, ol_stop_d;
  assign ol_valid_d = (rst_i || !run_i) ? '0 : ol_valid_i;
  assign ol_stop_d = (rst_i || !run_i) ? '0 : ol_stop_i;

  always_ff @(posedge clk_i) begin
    ol_valid_q <= ol_valid_d;
    ol_stop_q <= ol_stop_d;
  end
  assign ol_valid_o = ol_valid_q;
  assign ol_stop_o = ol_stop_q;

  // who has which queue
  logic [PV-1:0]   has_root;   // the CPQ has a ROOT line, or a root's line with a hot queue
  logic [PV-1:0]   hot_match;  // the head belongs to a HOT line
  logic [HPQS-1:0] hpq_free;
  logic [HPQS-1:0] free_hpq;   // lowest
  logic [HW-1:0]   free_hpq_idx;
  logic [LINES-1:0] line_free;
  logic [LINES-1:0] free_line; // lowest

  always_comb begin
    has_root = '0;
    hot_match = '0;
    cold_match_o = '0;
    for (int k = 0; k < LINES; k++) begin
      if (is_root[k] || st_line_own_o[k]) has_root[line_q[k*QW +: QW]] = 1'b1;
      if (is_hot[k] && listed[k]) hot_match[line_q[k*QW +: QW]] = 1'b1;
      if (has_hpq[k] && listed[k]) cold_match_o[line_q[k*QW +: QW]] = 1'b1;
    end
  end
  always_comb begin
    hot_busy_o = '0;
    hot_q_o = '0;
    hot_out_o = '0;
    hot_linked_o = '0;
    hot_next_o = '0;
    hot_unlinked_o = '0;
    for (int k = 0; k < LINES; k++) begin
      for (int h = 0; h < HPQS; h++) begin
        if (has_hpq[k] && line_hpq[k*HW +: HW] == HW'(h)) begin
          hot_busy_o[h] = 1'b1;
          hot_q_o[h*QW +: QW] = line_q[k*QW +: QW];
          hot_out_o[h*OW +: OW] = line_out[k*OW +: OW];
          hot_linked_o[h] = is_hot[k] && st_line_linked_o[k];
          hot_next_o[h*LW +: LW] = line_next[k*LW +: LW];
          hot_unlinked_o[h] = is_hot[k] && !st_line_linked_o[k] && !st_line_own_o[k];
        end
      end
    end
  end
  assign hpq_free = ~hot_busy_o;
  assign free_hpq = hpq_free & (~hpq_free + 1'b1);
  always_comb begin
    free_hpq_idx = '0;
    for (int h = 0; h < HPQS; h++) if (free_hpq[h]) free_hpq_idx = free_hpq_idx | HW'(h);
  end
  assign line_free = ~(is_root | has_hpq);
  assign free_line = line_free & (~line_free + 1'b1);
  assign can_alloc_o = iso_en_i && |hpq_free && |line_free;

  // what the outputs need to know before they propose
  always_comb begin
    known_o = '0;
    room_o = '0;
    for (int k = 0; k < LINES; k++) begin
      if (is_hot[k] && st_line_linked_o[k]) begin
        known_o[KW'(line_out[k*OW +: OW]) * KW'(LINES) + KW'(line_next[k*LW +: LW])] = 1'b1;
        if (!full[k]) room_o[KW'(line_out[k*OW +: OW]) * KW'(LINES) + KW'(line_next[k*LW +: LW])] = 1'b1;
      end
    end
  end

  // E4: one packet a cycle goes from a cold queue to a hot one
  logic [PV-1:0]    move_req;
  logic [QW-1:0]    move_ptr_q, move_ptr_d;
  logic [LINES-1:0] move_line;
  logic             move_above;
  logic [HPQS*FW-1:0] hot_fill;
  logic [HPQS*FW-1:0] acks_fill;
  logic [6:0]         move_reach;

  assign move_req = head_any_i & ~head_cnp_i & hot_match & ~(served_i & ~req_hot_i);
  rr_arbiter #(
      .N(PV)
  ) u_move (
      .req_i(move_req),
      .ptr_i(move_ptr_q),
      .gnt_o(move_from_o),
      .idx_o(move_q_o),
      .any_o(move_o)
  );
  always_comb begin
    move_line = '0;
    move_hpq_o = '0;
    for (int k = LINES - 1; k >= 0; k--) begin
      if (move_o && is_hot[k] && listed[k] && line_q[k*QW +: QW] == move_q_o) begin
        move_line = LINES'(1) << k;
        move_hpq_o = line_hpq[k*HW +: HW];
      end
    end
  end
  assign move_n_o = head_n_i[NX'(move_q_o) * NX'(7) +: 7];
  assign hot_fill = hot_fill_i;
  assign acks_fill = acks_fill_i;
  assign move_reach = move_ack_i ? '0 : move_n_o;
  assign move_above = (TW + 1)'(hot_fill[FX'(move_hpq_o) * FX'(FW) +: FW]) + (TW + 1)'(move_reach)
      > (TW + 1)'(stop_i) + (TW + 1)'(acks_fill[FX'(move_hpq_o) * FX'(FW) +: FW]);
  always_comb begin
    move_ptr_d = move_ptr_q;
    if (rst_i) move_ptr_d = '0;
    else if (move_o) move_ptr_d = (move_q_o == QW'(PV - 1)) ? '0 : move_q_o + 1'b1;
  end

  always_ff @(posedge clk_i) move_ptr_q <= move_ptr_d;

  // E3: an output tells that a candidate belongs to one of its lines; the lowest output is heard
  quell_pkg::proposal_t prop;
  logic [OW-1:0]    prop_out;
  logic [LW-1:0]    prop_next;
  logic [QW-1:0]    prop_q;
  logic             prop_ok;
  logic             prop_hot;
  logic [HW-1:0]    prop_hpq;
  logic [LINES-1:0] prop_same;    // lines linked to the proposed one
  logic [LINES-1:0] prop_room;    // those of them with room
  logic [LINES-1:0] relink;
  logic [LINES-1:0] prop_append;
  logic             prop_new;
  logic             prop_take;
  logic             prop_lost;

  always_comb begin
    prop = '0;
    prop_out = '0;
    for (int o = PORTS - 1; o >= 0; o--) begin
      if (prop_valid_i[o]) begin
        prop_out = OW'(o);
        prop = {1'b1, prop_vl_i[o*8 +: 8], prop_line_i[o*8 +: 8], prop_hops_i[o*6 +: 6], prop_root_i[o*24 +: 24]};
      end
    end
  end
  assign prop_next = prop.line[LW-1:0];
  assign prop_q = QW'(prop_out) * QW'(VLS) + QW'(prop.vl[VW-1:0]);
  assign prop_ok = prop.valid && iso_en_i && prop.vl < 8'(VLS) && prop.line < 8'(LINES)
      && req_valid_i[prop_q] && !req_cnp_i[prop_q] && !served_i[prop_q];
  assign prop_hot = req_hot_i[prop_q];
  assign prop_hpq = req_hpq_i[HX'(prop_q) * HX'(HW) +: HW];
  for (genvar k = 0; k < LINES; k++) begin : g_prop
    assign prop_same[k] = is_hot[k] && st_line_linked_o[k] && line_q[k*QW +: QW] == prop_q
        && line_next[k*LW +: LW] == prop_next;
    assign relink[k] = prop_ok && prop_hot && is_hot[k] && !st_line_own_o[k] && line_hpq[k*HW +: HW] == prop_hpq;
  end
  assign prop_room = prop_same & ~full;
  assign prop_append = (prop_ok && !prop_hot) ? prop_room & (~prop_room + 1'b1) : '0;
  assign prop_new = prop_ok && !prop_hot && prop_same == '0;
  assign prop_take = prop_new && |hpq_free && |line_free;
  assign prop_lost = prop_new && !prop_take;

  // E1: a congested cold queue makes its output a root, with a hot queue for its head's tree (root_hpq) or without; so does
  // a head that asks in vain (ONE_QUEUE)
  logic          root_own;
  logic [PV-1:0] root_req;
  logic [PV-1:0] root_first;
  logic          root_any;
  logic [QW-1:0] root_q;
  logic [OW-1:0] root_out;
  logic [VW-1:0] root_vl;
  logic          root_take;
  logic [PV-1:0] missed_q, missed_d;    // the lack of a line is counted in this episode
  logic          root_lost;

  assign root_own = !ONE && root_hpq_i;
  // A head that a prop puts on a list is not to make another line.
  assign root_req = (!iso_en_i || prop_take || ((ONE || root_own) && prop_append != '0)) ? '0
      : ONE ? root_i & ~cold_match_o
      : cong_i & head_any_i & ~has_root & ~(root_own ? head_cnp_i | cold_match_o | (served_i & ~req_hot_i) : '0);
  assign root_first = root_req & (~root_req + 1'b1);
  assign root_any = |root_req;
  always_comb begin
    root_q = '0;
    root_out = '0;
    root_vl = '0;
    for (int q = 0; q < PV; q++) begin
      if (root_first[q]) begin
        root_q = root_q | QW'(q);
        root_out = root_out | OW'(q / VLS);
        root_vl = root_vl | VW'(q % VLS);
      end
    end
  end
  assign root_take = root_any && |line_free && (!(ONE || root_own) || |hpq_free);
  assign root_lost = root_any && !root_take && |(root_first & ~missed_q);
  always_comb begin
    missed_d = missed_q;
    if (rst_i || (ONE && leaves_i)) missed_d = '0;
    else if (ONE) missed_d = missed_q | (root_lost ? root_first : '0);
    else
      missed_d = (missed_q | (root_lost ? root_first : '0)) & cong_i
          & ~(root_take ? root_first : '0);
  end

  always_ff @(posedge clk_i) missed_q <= missed_d;

  // E8: refresh
  logic [15:0] refresh_q, refresh_d;
  logic        refresh;
  assign refresh = refresh_i != '0 && refresh_q >= refresh_i - 16'd1;
  assign refresh_d = (rst_i || refresh || refresh_i == '0) ? '0 : refresh_q + 16'd1;

  always_ff @(posedge clk_i) refresh_q <= refresh_d;

  // counters
  logic [15:0] cnt_nohpq_d, cnt_noline_d;
  quell_pkg::tree_msg_t msg_q, msg_d;
  logic [DLIST*16-1:0] msg_dlist_q, msg_dlist_d;

  always_comb begin
    cnt_nohpq_d = st_cnt_nohpq_o;
    cnt_noline_d = st_cnt_noline_o;
    if (rst_i) begin
      cnt_nohpq_d = '0;
      cnt_noline_d = '0;
    end else begin
      if (prop_lost && st_cnt_nohpq_o != '1) cnt_nohpq_d = st_cnt_nohpq_o + 16'd1;
      if (root_lost && st_cnt_noline_o != '1) cnt_noline_d = st_cnt_noline_o + 16'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    st_cnt_nohpq_o <= cnt_nohpq_d;
    st_cnt_noline_o <= cnt_noline_d;
  end

  // one message a cycle
  logic [LINES-1:0] serve;
  logic [LW-1:0]    serve_idx;
  logic             serve_any;
  logic [LW-1:0]    serve_ptr_q, serve_ptr_d;

  rr_arbiter #(
      .N(LINES)
  ) u_message (
      .req_i(want & {LINES{up_i}}),
      .ptr_i(serve_ptr_q),
      .gnt_o(serve),
      .idx_o(serve_idx),
      .any_o(serve_any)
  );

  quell_pkg::tree_msg_t msg;
  logic [DLIST*16-1:0] msg_dlist;
  logic                msg_alloc;

  always_comb begin
    msg = '0;
    msg_dlist = '0;
    for (int k = 0; k < LINES; k++) begin
      if (serve[k]) begin
        msg = {1'b1, want_type[k*2 +: 2], 8'(k), st_line_vl_o[k*8 +: 8], st_line_root_o[k*24 +: 24],
            st_line_hops_o[k*6 +: 6], st_line_stop_req_o[k], st_line_dcnt_o[k*8 +: 8]};
        msg_dlist = st_line_dlist_o[k*DLIST*16 +: DLIST*16];
      end
    end
  end
  assign msg_alloc = serve_any && msg.kind == quell_pkg::MSG_ALLOC;

  always_comb begin
    serve_ptr_d = serve_ptr_q;
    msg_d = msg_q;
    msg_dlist_d = msg_dlist_q;
    if (rst_i) begin
      serve_ptr_d = '0;
      msg_d = '0;
      msg_dlist_d = '0;
    end else begin
      if (serve_any) serve_ptr_d = (serve_idx == LW'(LINES - 1)) ? '0 : serve_idx + 1'b1;
      msg_d = msg;
      if (!msg_alloc) begin
        msg_d.root = '0;
        msg_d.hops = '0;
        msg_d.stop = 1'b0;
        msg_d.dcnt = '0;
      end
      msg_dlist_d = msg_alloc ? msg_dlist : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    serve_ptr_q <= serve_ptr_d;
    msg_q <= msg_d;
    msg_dlist_q <= msg_dlist_d;
  end

  always_comb begin
    msg_o = msg_q;
    msg_dlist_o = msg_dlist_q;
    if (!up_i) begin
      msg_o = '0;
      msg_dlist_o = '0;
    end
  end

  // idle queues and low fills
  logic [PV-1:0]   cold_idle;
  logic [HPQS-1:0] hot_idle;
  logic [HPQS-1:0] hot_below;
  for (genvar q = 0; q < PV; q++) begin : g_cold
    assign cold_idle[q] = !head_any_i[q] && (ONE || cold_fill_i[(ONE ? 0 : q)*FW +: FW] == '0);
  end
  for (genvar h = 0; h < HPQS; h++) begin : g_hot
    assign hot_idle[h] = !hot_any_i[h] && hot_fill_i[h*FW +: FW] == '0;
    assign hot_below[h] = (TW + 1)'(hot_fill_i[h*FW +: FW]) < (TW + 1)'(go_i) + (TW + 1)'(acks_fill_i[h*FW +: FW]);
  end

  // the lines
  logic [QW-1:0] take_q;
  assign take_q = prop_take ? prop_q : root_q;

  logic [LINES-1:0] line_err;           // of parity
  logic             own_err, cong_err;

  for (genvar k = 0; k < LINES; k++) begin : g_line
    logic [QW-1:0] q;
    logic [HW-1:0] h;
    logic [KW-1:0] ol;
    logic [15:0]   head_dlid;
    logic          collect;

    assign q = line_q[k*QW +: QW];
    assign h = line_hpq[k*HW +: HW];
    assign ol = KW'(line_out[k*OW +: OW]) * KW'(LINES) + KW'(line_next[k*LW +: LW]);
    assign head_dlid = head_dlid_i[16*q +: 16];
    assign collect = (is_root[k] || (is_hot[k] && st_line_own_o[k])) && served_i[q] && !req_hot_i[q] && !req_cnp_i[q]
        && !listed[k] && !full[k];

    cam_line #(
        .OW(OW), .VW(VW), .QW(QW), .HW(HW), .LW(LW), .DLIST(DLIST), .TIMER_W(TIMER_W), .ONE_QUEUE(ONE_QUEUE),
        .PARITY(PARITY)
    ) u_line (
        .clk_i, .rst_i, .iso_en_i, .up_i,
        .limit_i       (line_timer_i),
        .refresh_i     (refresh),
        .take_root_i   (root_take && free_line[k]),
        .take_hot_i    (prop_take && free_line[k]),
        .take_own_i    (root_own),
        .take_out_i    (prop_take ? prop_out : root_out),
        .take_vl_i     (prop_take ? prop.vl[VW-1:0] : root_vl),
        .take_q_i      (take_q),
        .take_hpq_i    (free_hpq_idx),
        .take_root_id_i({switch_id_i, 8'(root_out)}),
        .take_dlid_i   (head_dlid_i[16*take_q +: 16]),
        .take_listed_i (prop_take || !head_cnp_i[root_q]),
        .relink_i      (relink[k]),
        .prop_next_i   (prop_next),
        .prop_hops_i   (prop.hops),
        .prop_root_i   (prop.root),
        .head_dlid_i   (head_dlid),
        .append_i      (collect || prop_append[k]),
        .accept_i      (is_root[k] && accept_i && accept_q_i == q),
        .move_i        (move_line[k]),
        .wanted_i      (is_hot[k] && listed[k] && head_any_i[q] && !head_cnp_i[q]),
        .above_i       (move_above),
        .below_i       (hot_below[h]),
        .idle_i        (is_root[k] ? cold_idle[q] : hot_idle[h]),
        .cong_i        (cong_i[q]),
        .next_valid_i  (ol_valid_q[ol]),
        .next_stop_i   (ol_stop_q[ol]),
        .want_o        (want[k]),
        .type_o        (want_type[k*2 +: 2]),
        .serve_i       (serve[k]),
        .listed_o      (listed[k]),
        .full_o        (full[k]),
        .root_line_o   (root_line[k]),
        .state_o       (st_line_state_o[k*2 +: 2]),
        .out_o         (line_out[k*OW +: OW]),
        .vl_o          (line_vl[k*VW +: VW]),
        .q_o           (line_q[k*QW +: QW]),
        .hpq_o         (line_hpq[k*HW +: HW]),
        .hops_o        (st_line_hops_o[k*6 +: 6]),
        .root_o        (st_line_root_o[k*24 +: 24]),
        .next_o        (line_next[k*LW +: LW]),
        .linked_o      (st_line_linked_o[k]),
        .ann_o         (st_line_ann_o[k]),
        .sent_stop_o   (st_line_sent_stop_o[k]),
        .stop_req_o    (st_line_stop_req_o[k]),
        .reached_o     (st_line_reached_o[k]),
        .dirty_o       (st_line_dirty_o[k]),
        .timer_o       (st_line_timer_o[k*TIMER_W +: TIMER_W]),
        .dcnt_o        (line_dcnt[k*DW +: DW]),
        .dlist_o       (st_line_dlist_o[k*DLIST*16 +: DLIST*16]),
        .own_o         (st_line_own_o[k]),
        .parity_err_o(line_err[k])
    );

    assign is_root[k] = st_line_state_o[k*2 +: 2] == quell_pkg::LN_ROOT;
    assign is_hot[k] = st_line_state_o[k*2 +: 2] == quell_pkg::LN_HOT;
    assign has_hpq[k] = is_hot[k] || st_line_state_o[k*2 +: 2] == quell_pkg::LN_DRAIN;
    assign st_line_out_o[k*8 +: 8] = 8'(line_out[k*OW +: OW]);
    assign st_line_vl_o[k*8 +: 8] = 8'(line_vl[k*VW +: VW]);
    assign st_line_queue_o[k*16 +: 16] = has_hpq[k] ? 16'(PV) + 16'(h) : 16'(q);
    assign st_line_next_o[k*8 +: 8] = 8'(line_next[k*LW +: LW]);
    assign st_line_dcnt_o[k*8 +: 8] = 8'(line_dcnt[k*DW +: DW]);
  end

  // parity
  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{ol_valid_d, ol_stop_d, move_ptr_d, missed_d, refresh_d, cnt_nohpq_d, cnt_noline_d, serve_ptr_d,
            msg_d, msg_dlist_d}),
      .now_i(^{ol_valid_q, ol_stop_q, move_ptr_q, missed_q, refresh_q, st_cnt_nohpq_o, st_cnt_noline_o, serve_ptr_q,
            msg_q, msg_dlist_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || cong_err || line_err != '0;

  // D1, D2 with one queue: the hot queues of root lines contribute to congestion
  if (ONE) begin : g_contribution
    logic [LINES-1:0] line_cong_q, line_cong_d;
    logic [HPQS*FW-1:0] hot_left;  // a packet granted now does not count any more
    for (genvar h = 0; h < HPQS; h++) begin : g_left
      assign hot_left[h*FW +: FW] = hot_fill_i[h*FW +: FW] - FW'(hot_gone_i[h*7 +: 7]);
    end
    for (genvar k = 0; k < LINES; k++) begin : g_line
      logic [FW-1:0] fill;
      assign fill = hot_left[FX'(line_hpq[k*HW +: HW]) * FX'(FW) +: FW];
      always_comb begin
        line_cong_d[k] = line_cong_q[k];
        if (rst_i || !root_line[k]) line_cong_d[k] = 1'b0;
        else if (TW'(fill) > TW'(hth_i)) line_cong_d[k] = 1'b1;
        else if (TW'(fill) < TW'(lth_i)) line_cong_d[k] = 1'b0;
      end

      always_ff @(posedge clk_i) line_cong_q[k] <= line_cong_d[k];
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^line_cong_d),
        .now_i(^line_cong_q),
        .err_o(cong_err)
    );

    assign st_line_cong_o = line_cong_q;
    always_comb begin
      line_cong_o = '0;
      for (int k = 0; k < LINES; k++)
        if (line_cong_q[k] && root_line[k]) line_cong_o[line_q[k*QW +: QW]] = 1'b1;
    end
  end else begin : g_no_contribution
    logic unused;
    assign unused = &{1'b0, hth_i, lth_i, root_i, leaves_i, root_line, hot_gone_i};
    assign st_line_cong_o = '0;
    assign cong_err = 1'b0;
    assign line_cong_o = '0;
  end
endmodule

`default_nettype wire
