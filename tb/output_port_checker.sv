// Properties of the output port, by rule. Instantiated by switch_output_port under QUELL_CHECK.
// Everything is a clocked immediate assertion, so that simulation and formal tools read it alike. With CIOQ what is granted needs
// room in the queue, which comes here in place of credits, and what goes into the queue in place of the link; what is behind it is
// output_queue_checker's affair.
`default_nettype none

module output_port_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int FLIT_BYTES = 64,
    parameter int TIMER_W = 32,
    parameter int ONE_QUEUE = 0,
    parameter int ISOLATION = 1,
    parameter int VL_BY_DEST = 0,
    parameter int MARKERS = 0,
    parameter int CIOQ = 0,
    parameter int SRP = 0,  // who goes is srp_output_checker's affair
    localparam int N = PORTS * VLS,
    localparam int DW = 8 * FLIT_BYTES
) (
    input wire logic                          clk_i,
    input wire logic                          rst_i,
    input wire logic                          iso_en_i,
    input wire logic                          mark_en_i,
    input wire logic                          victim_i,
    input wire logic                          root_now_i,  // the root test is root_now_checker's affair
    input wire logic [1:0]                    eval_i,
    input wire logic [15:0]                   sum_hth_i,
    input wire logic [15:0]                   sum_lth_i,
    input wire logic                          xb_free_i,
    input wire logic [N-1:0]                  req_valid_i,
    input wire logic [7*N-1:0]                req_len_i,
    input wire logic [16*N-1:0]               req_dlid_i,
    input wire logic [PORTS-1:0]              req_nack_i,
    input wire logic [N-1:0]                  req_cnp_i,
    input wire logic [N-1:0]                  req_hot_i,
    input wire logic [N-1:0]                  req_unlinked_i,
    input wire logic [N-1:0]                  req_bound_i,
    input wire logic [8*N-1:0]                req_line_i,
    input wire logic [16*N-1:0]               fill_i,
    input wire logic                          sw_valid_i,
    input wire logic                          sw_first_i,
    input wire logic                          sw_last_i,
    input wire logic                          sw_bad_i,
    input wire logic [DW-1:0]                 sw_data_i,
    input wire logic                          sw_mark_i,
    input wire logic                          counts_i,  // marks by counts are on
    input wire logic [18*VLS-1:0]             cnt2_i,
    input wire logic                          mark_i,
    input wire logic [VLS-1:0]                short_i,
    input wire logic [15:0]                   err_set_i,
    input wire logic [15:0]                   err_clear_i,
    input wire logic [N-1:0]                  grant_i,
    input wire logic [N-1:0]                  elig_i,
    input wire logic [N-1:0]                  held_i,
    input wire logic [8*N-1:0]                held_line_i,
    input wire logic [N-1:0]                  take_i,
    input wire logic                          link_up_i,
    input wire logic [1:0]                    due_i,
    input wire logic [1:0]                    drop_i,
    input wire logic [PORTS-1:0]              prop_valid_i,
    input wire logic [7:0]                    prop_vl_i,
    input wire logic [7:0]                    prop_line_i,
    input wire logic [5:0]                    prop_hops_i,
    input wire logic [23:0]                   prop_root_i,
    input wire logic [LINES-1:0]              ol_valid_i,
    input wire logic [LINES-1:0]              ol_stop_i,
    input wire logic [LINES*PORTS-1:0]        ol_wait_i,
    input wire logic [LINES-1:0]              ol_fresh_i,
    input wire logic [LINES-1:0]              ol_closing_i,
    input wire logic [16*LINES-1:0]           ol_turn_i,
    input wire logic [LINES*PORTS-1:0]        pend_i,
    input wire logic                          tx_valid_i,
    input wire logic                          tx_first_i,
    input wire logic                          tx_last_i,
    input wire logic                          tx_bad_i,
    input wire logic [DW-1:0]                 tx_data_i,
    input wire logic                          fccl_valid_i,
    input wire logic [7:0]                    fccl_vl_i,
    input wire logic                          fctbs_valid_i,
    input wire logic [7:0]                    fctbs_vl_i,
    input wire logic [11:0]                   fctbs_i,
    input wire logic [VLS-1:0]                cong_state_i,
    input wire logic [15:0]                   err_i,
    input wire logic [12*VLS-1:0]             txr_i,
    input wire logic [12*VLS-1:0]             fccl_i,
    input wire logic [8*VLS-1:0]              count_i,
    input wire logic [15:0]                   lfsr_i,
    input wire logic [PORTS*N-1:0]            order_i,  // element i*VLS+v: inputs that are before i
    input wire logic [15:0]                   draw_i,
    input wire logic [16*VLS-1:0]             cr_i,
    input wire logic [31:0]                   vp_i,
    input wire logic [8*VLS-1:0]              passed_i,
    input wire logic [VLS-1:0]                waited_i,
    input wire logic [VLS-1:0]                rooted_i,
    input wire logic [VLS-1:0]                root_held_i,
    input wire logic                          scans_i,  // CAM lines are there and on
    input wire logic [15:0]                   scan_i,
    input wire logic                          cnp_plain_i,
    input wire logic                          at_once_i,
    input wire logic                          sched_i,
    input wire logic [15:0]                   cnt_e7_i,
    input wire logic                          msg_valid_i,
    input wire logic [TIMER_W-1:0]            line_limit_i,
    input wire logic [LINES-1:0]              line_valid_i,  // shown or not
    input wire logic [2*LINES-1:0]            ol_hold_i,
    input wire logic [8*LINES-1:0]            ol_vl_i,
    input wire logic [24*LINES-1:0]           ol_root_i,
    input wire logic [TIMER_W*LINES-1:0]      ol_timer_i,
    input wire logic [8*LINES-1:0]            ol_dcnt_i,
    input wire logic [16*DLIST*LINES-1:0]     ol_dlist_i
);

`ifndef YOSYS
  scan_checker #(.N(N)) u_scan_check (
      .clk_i, .rst_i,
      .iso_en_i(scans_i),
      .xb_free_i,
      .asks_i(req_valid_i & ~req_cnp_i & (~req_hot_i | req_unlinked_i)),
      .scan_i
  );
`else
  wire unused_scan = &{1'b0, scans_i, scan_i};
`endif

  localparam logic [11:0] HALF = 12'd2048;

  // ---- what was there a cycle ago
  logic             past_ok_q;  // the last cycle was not a reset cycle
  logic             past2_ok_q;
  logic             sw_valid_q, sw_first_q, sw_last_q, sw_bad_q, mark_q, iso_en_q, victim_q, now_q, plain_q;
  logic [1:0]       eval_q, eval2_q;
  logic [15:0]      sum_hth_q, sum_lth_q, err_q, err_set_q, err_clear_q;
  logic [DW-1:0]    sw_data_q;
  logic [VLS-1:0]   cong_state_q, short_q, grant_vl, grant_vl_q, grant_data, grant_data_q;
  logic [VLS-1:0]   credit;       // VLs with credit for a packet of MTU flits
  logic [VLS-1:0]   lacking, lacking_q;  // the output was free for data of the VL, but for credits
  logic [VLS-1:0]   waited_q, rooted_q;
  logic [6:0]       served_len;
  logic             long_q;       // a packet was granted that is longer than MTU
  logic [8*VLS-1:0] count_q;
  logic [12*VLS-1:0] fccl_q;
  logic [23*VLS-1:0] sum, sum_q;  // fill of all inputs, per VL
  logic [N-1:0]     cnp;          // requests of the class that goes before data
  logic [N-1:0]     can, fits;    // there is credit for the request, and it is not withheld
  logic [VLS-1:0]   data_waits;   // VLs with a data request
  logic [N-1:0]     taken, served;  // ONE_QUEUE: requests taken that can be, and the one of them that counts
  logic [DW-1:0]    fecn, vb;     // bits that marking may set
  logic             wanted;       // its input or a count wants the packet on the crossbar marked
  logic [1:0]       sw_lnh;
  logic [7:0]       sw_opcode;
  logic [7:0]       sw_vl_id;     // VL of the header on the crossbar
  logic [VLS-1:0]   sw_vl;        // one-hot

  assign cnp = cnp_plain_i ? '0 : req_cnp_i;

  always_comb begin
    sum = '0;
    grant_vl = '0;
    grant_data = '0;
    can = '0;
    data_waits = '0;
    lacking = '0;
    served_len = '0;
    for (int v = 0; v < VLS; v++) credit[v] = 12'(fccl_i[12*v+:12] - txr_i[12*v+:12] - 12'(MTU)) <= HALF;
    for (int r = 0; r < N; r++) begin
      sum[23*(r%VLS)+:23] = sum[23*(r%VLS)+:23] + 23'(fill_i[16*r+:16]);
      // data need credit for a packet of MTU flits, a CNP that goes first for its own length
      can[r] = req_valid_i[r] && !(ONE_QUEUE != 0 && held_i[r]) && (cnp[r]
          ? 12'(fccl_i[12*(r%VLS)+:12] - txr_i[12*(r%VLS)+:12] - 12'(req_len_i[7*r+:7])) <= HALF : credit[r%VLS]);
      if (req_valid_i[r] && !req_cnp_i[r] && !(ONE_QUEUE != 0 && held_i[r])) data_waits[r%VLS] = 1'b1;
      if (xb_free_i && req_valid_i[r] && !req_cnp_i[r] && !credit[r%VLS]) lacking[r%VLS] = 1'b1;
    end
    fits = can & ~(cnp & {PORTS{data_waits & full}});
    taken = xb_free_i ? take_i & fits : '0;
    served = (ONE_QUEUE != 0) ? taken & (~taken + 1'b1) : grant_i;
    for (int r = 0; r < N; r++) begin
      if (served[r]) begin
        // (a NACK asks on the spec lane, and is of the reply lane)
        if (SRP != 0 && r % VLS == VLS - 3 && req_nack_i[r/VLS]) grant_vl[VLS-1] = 1'b1;
        else grant_vl[r%VLS] = 1'b1;
        if (!req_cnp_i[r]) grant_data[r%VLS] = 1'b1;
        served_len = served_len | req_len_i[7*r+:7];
      end
    end
    fecn = '0;
    fecn[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_FECN] = sw_data_q[9:8] == quell_pkg::LNH_BTH;
    if (FLIT_BYTES == 64)
      fecn[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_FECN)%DW] = sw_data_q[9:8] == quell_pkg::LNH_GRH;
    // VB stands three bits below FECN, beside MB one above it
    vb = (MARKERS != 0 && sw_first_q) ? (fecn >> 3) & (sw_data_q >> 1) : '0;
    sw_lnh = sw_data_i[9:8];
    sw_opcode = (sw_lnh == quell_pkg::LNH_GRH && FLIT_BYTES == 64)
        ? sw_data_i[quell_pkg::BTH_GRH_LSB%DW+:8] : sw_data_i[quell_pkg::BTH_RAW_LSB+:8];
    sw_vl_id = (VL_BY_DEST != 0) ? 8'({sw_data_i[23:16], sw_data_i[31:24]} % 16'(VLS)) : {4'd0, sw_data_i[7:4]};
    sw_vl = '0;
    wanted = MARKERS != 0 && sw_mark_i;
    for (int v = 0; v < VLS; v++) begin
      sw_vl[v] = sw_vl_id == 8'(v);
      if (MARKERS != 0 && counts_i && sw_vl[v] && cnt2_i[18*v+:18] != '0) wanted = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    past2_ok_q <= !rst_i && past_ok_q;
    sw_valid_q <= sw_valid_i;
    sw_first_q <= sw_first_i;
    sw_last_q <= sw_last_i;
    sw_bad_q <= sw_bad_i;
    sw_data_q <= sw_data_i;
    mark_q <= mark_i;
    iso_en_q <= iso_en_i;
    victim_q <= victim_i;
    now_q <= root_now_i;
    plain_q <= !rst_i && cnp_plain_i;
    eval_q <= eval_i;
    eval2_q <= eval_q;
    sum_hth_q <= sum_hth_i;
    sum_lth_q <= sum_lth_i;
    sum_q <= sum;
    err_q <= err_i;
    err_set_q <= err_set_i;
    err_clear_q <= err_clear_i;
    lacking_q <= lacking;
    waited_q <= waited_i;
    rooted_q <= rooted_i;
    long_q <= served_len > 7'(MTU);
    cong_state_q <= cong_state_i;
    count_q <= count_i;
    short_q <= short_i;
    grant_vl_q <= grant_vl;
    grant_data_q <= grant_data;
    fccl_q <= fccl_i;
  end

  // ---- lives of the link: packets granted and not ended, oldest first (as many as can be), and whether the link was
  // down since; flits of such packets are gone. No VL has credit before it was heard of since the link came up.
  logic [2:0]     due_q, due_d, old_q, old_d;
  logic           sw_gone, gone_q, up_q;
  logic [VLS-1:0] heard_q;

  always_comb begin
    sw_gone = !link_up_i || old_q[0];
    due_d = due_q;
    old_d = old_q;
    if (sw_valid_i && sw_last_i) begin
      due_d = due_d >> 1;
      old_d = old_d >> 1;
    end
    if (served != '0) due_d = {due_d[1:0], 1'b1};
    if (!link_up_i) old_d = due_d;
  end

  always_ff @(posedge clk_i) begin
    due_q <= rst_i ? '0 : due_d;
    old_q <= rst_i ? '0 : old_d;
    gone_q <= sw_gone;
    up_q <= link_up_i;
    for (int v = 0; v < VLS; v++)
      heard_q[v] <= !rst_i && link_up_i && (heard_q[v] || (fccl_valid_i && fccl_vl_i == 8'(v))
          || (sw_valid_i && sw_last_i && !sw_gone));  // a packet that nobody was granted gives back what it likes
  end

  // ---- the winner: does a stopped line list it; the request that is told; requests that are held without a reason: the line
  // named is not shown, does not list the packet, or is neither stopped nor another input's turn
  logic [N-1:0]     told, turn, unreasoned;
  logic             stop_match;
  logic [7:0]       asked_vl;
  logic [15:0]      asked_dlid;
  logic             asked_cnp;

  always_comb begin
    asked_vl = '0;
    asked_dlid = '0;
    asked_cnp = 1'b0;
    told = '0;
    for (int r = 0; r < N; r++) begin
      if (grant_i[r]) begin
        asked_vl = 8'(r % VLS);
        asked_dlid = req_dlid_i[16*r+:16];
        asked_cnp = req_cnp_i[r];
      end
      told[r] = prop_valid_i[r/VLS] && prop_vl_i == 8'(r % VLS);
    end
    turn = (ONE_QUEUE != 0) ? grant_i & served : grant_i;
    unreasoned = '0;
    for (int r = 0; r < N; r++) begin
      if (held_i[r]) begin
        unreasoned[r] = 1'b1;
        for (int k = 0; k < LINES; k++)
          for (int d = 0; d < DLIST; d++)
            if (held_line_i[8*r+:8] == 8'(k) && iso_en_i && !req_cnp_i[r] && ol_valid_i[k]
                && ol_vl_i[8*k+:8] == 8'(r % VLS) && 8'(d) < ol_dcnt_i[8*k+:8]
                && ol_dlist_i[16*(DLIST*k+d)+:16] == req_dlid_i[16*r+:16]
                && (ol_stop_i[k] || (ol_fresh_i[k] && others_pend[r/VLS][k]))) unreasoned[r] = 1'b0;
      end else if (held_line_i[8*r+:8] != '0) unreasoned[r] = 1'b1;
    end
    stop_match = 1'b0;
    if (iso_en_i && !asked_cnp && ol_stop_i != '0)
      for (int k = 0; k < LINES; k++)
        for (int d = 0; d < DLIST; d++)
          if (ol_valid_i[k] && ol_stop_i[k] && ol_vl_i[8*k+:8] == asked_vl && 8'(d) < ol_dcnt_i[8*k+:8]
              && ol_dlist_i[16*(DLIST*k+d)+:16] == asked_dlid) stop_match = 1'b1;
  end

  // inputs other than i in which packets are bound to line k
  logic [PORTS-1:0][LINES-1:0] others_pend;

  always_comb begin
    others_pend = '0;
    for (int i = 0; i < PORTS; i++)
      for (int j = 0; j < PORTS; j++) if (i != j) others_pend[i] = others_pend[i] | pend_i[LINES*j+:LINES];
  end

  // ---- CNPs that the data of each VL had to let pass since its last grant
  localparam logic [5:0] CNPS = 6'd32;
  logic [6*VLS-1:0] cnps_q;
  logic [VLS-1:0]   data_fits, data_turn, urgent, full, miscounted;  // full: the data have let 32 pass; urgent: and fit now

  always_comb begin
    data_fits = '0;
    data_turn = '0;
    for (int i = 0; i < PORTS; i++) begin
      data_fits = data_fits | (fits[i*VLS+:VLS] & ~cnp[i*VLS+:VLS]);
      data_turn = data_turn | (served[i*VLS+:VLS] & ~req_cnp_i[i*VLS+:VLS]);
    end
  end

  for (genvar v = 0; v < VLS; v++) begin : g_cnps
    assign full[v] = cnps_q[6*v+:6] == CNPS;
    assign urgent[v] = data_fits[v] && full[v] && !cnp_plain_i;
    assign miscounted[v] = passed_i[8*v+:8] != 8'(cnps_q[6*v+:6]);
    always_ff @(posedge clk_i) begin
      if (rst_i || data_turn[v] || cnp_plain_i) cnps_q[6*v+:6] <= '0;
      else if ((served & req_cnp_i) != '0 && data_waits[v] && !full[v]) cnps_q[6*v+:6] <= cnps_q[6*v+:6] + 1'b1;
    end
  end

  // ---- a flood of CNPs (A2, A3): how many go past data that have credit, how many of a VL past its data that wait for it; how
  // many packets go past a CNP that has credit and whose VL has no data waiting
  localparam int PAST_CNP = N - 1 + VLS * ((N + 31) / 32 + 1);
  logic [VLS-1:0] flooded;
  logic [N-1:0]   cnp_late;

  for (genvar v = 0; v < VLS; v++) begin : g_flood
    logic [5:0] past_q, own_q;
    logic       own_cnp;
    always_comb begin
      own_cnp = 1'b0;
      for (int i = 0; i < PORTS; i++) own_cnp = own_cnp || (served[i*VLS+v] && req_cnp_i[i*VLS+v]);
    end
    assign flooded[v] = past_q > CNPS || own_q > CNPS;
    always_ff @(posedge clk_i) begin
      if (rst_i || data_turn[v] || cnp_plain_i) {past_q, own_q} <= '0;
      else if (!flooded[v]) begin
        past_q <= past_q + 6'(data_waits[v] && credit[v] && (served & req_cnp_i) != '0);
        own_q <= own_q + 6'(data_waits[v] && own_cnp);
      end
    end
  end

  for (genvar r = 0; r < N; r++) begin : g_cnp_wait
    logic [15:0] past_q;
    assign cnp_late[r] = past_q > 16'(PAST_CNP);
    always_ff @(posedge clk_i) begin
      if (rst_i || !can[r] || !cnp[r] || data_waits[r%VLS] || served[r]) past_q <= '0;
      else if ((served & grant_i) != '0 && !cnp_late[r]) past_q <= past_q + 1'b1;  // (what a switch takes else is its choice)
    end
  end

  // ---- the state that the mark looks at, a cycle younger or not
  logic [VLS-1:0] may_mark, lasting;

  for (genvar v = 0; v < VLS; v++) begin : g_may
    assign may_mark[v] = at_once_i ? count_i[8*v+:8] != '0 && root_held_i[v] : cong_state_i[v];
    // a state that lasts is both
    assign lasting[v] = cong_state_i[v] != (count_i[8*v+:8] != '0 && root_held_i[v])
        && (count_i[8*v+:8] != '0) == (count_q[8*v+:8] != '0);
  end

  // ---- what a held packet could have moved (ONE_QUEUE = 0: it is the winner)
  logic              held_q;
  logic [PORTS*N-1:0] order_q;
  logic [16*VLS-1:0] cr_q;
  logic [31:0]       vp_q;
  logic [8*VLS-1:0]  passed_q;

  always_ff @(posedge clk_i) begin
    held_q <= !rst_i && ONE_QUEUE == 0 && held_i != '0;
    order_q <= order_i;
    cr_q <= cr_i;
    vp_q <= vp_i;
    passed_q <= passed_i;
  end

  // ---- inputs that wait for another's turn: after the end of a stop only, and some other input has a packet for the line
  logic [LINES*PORTS-1:0] early;

  always_comb begin
    for (int i = 0; i < PORTS; i++)
      early[LINES*i+:LINES] = ol_wait_i[LINES*i+:LINES]
          & ~(ol_valid_i & ~ol_stop_i & ol_fresh_i & pend_i[LINES*i+:LINES] & others_pend[i]);
  end

  // ---- a line whose tree is gone stays for one packet: until a packet of the line goes, nobody waits for it any more, or its
  // time is up, whatever messages come
  // uses: lines that the packet served matches or is bound to; awaits: some input has a packet for the line
  logic [LINES-1:0] lists, uses, awaits, ends_now, ends_q;
  logic             tells_closing;

  always_comb begin
    lists = '0;
    uses = '0;
    for (int r = 0; r < N; r++) begin
      if (served[r] && !req_cnp_i[r]) begin
        for (int k = 0; k < LINES; k++) begin
          for (int d = 0; d < DLIST; d++)
            if (iso_en_i && ol_valid_i[k] && ol_vl_i[8*k+:8] == 8'(r % VLS) && 8'(d) < ol_dcnt_i[8*k+:8]
                && ol_dlist_i[16*(DLIST*k+d)+:16] == req_dlid_i[16*r+:16]) lists[k] = 1'b1;
          if (req_bound_i[r] && req_line_i[8*r+:8] == 8'(k)) uses[k] = 1'b1;
        end
      end
    end
    uses = uses | lists;
    tells_closing = 1'b0;
    for (int k = 0; k < LINES; k++)
      if (prop_valid_i != '0 && prop_line_i == 8'(k) && ol_closing_i[k]) tells_closing = 1'b1;
  end

  for (genvar k = 0; k < LINES; k++) begin : g_closing
    logic [TIMER_W-1:0] age_q;  // cycles that the line has been closing
    logic [PORTS-1:0]   pends;
    for (genvar i = 0; i < PORTS; i++) begin : g_input
      assign pends[i] = pend_i[LINES*i+k];
    end
    assign awaits[k] = pends != '0;
    assign ends_now[k] = ol_closing_i[k] && (uses[k] || !awaits[k] || age_q >= line_limit_i);
    always_ff @(posedge clk_i) begin
      if (rst_i || !ol_closing_i[k]) age_q <= '0;
      else if (age_q != '1) age_q <= age_q + 1'b1;
      ends_q[k] <= !rst_i && ends_now[k];
    end
  end

  // ---- a line that is shown in two cycles on end is one tree's; one that comes back was away for two (E3, E6)
  logic [LINES-1:0]          shown_q, shown2_q, new_tree, other_tree, back;  // new: another one than was there last
  logic [8*LINES-1:0]        ol_vl_q, ol_dcnt_q;
  logic [24*LINES-1:0]       ol_root_q;
  logic [16*DLIST*LINES-1:0] ol_dlist_q;

  always_ff @(posedge clk_i) begin
    shown_q <= ol_valid_i;
    shown2_q <= shown_q;
    ol_vl_q <= ol_vl_i;
    ol_dcnt_q <= ol_dcnt_i;
    ol_root_q <= ol_root_i;
    ol_dlist_q <= ol_dlist_i;
  end

  for (genvar k = 0; k < LINES; k++) begin : g_tree
    logic [DLIST-1:0] gone;
    for (genvar d = 0; d < DLIST; d++) begin : g_entry
      assign gone[d] = 8'(d) < ol_dcnt_q[8*k+:8]
          && ol_dlist_q[16*(DLIST*k+d)+:16] != ol_dlist_i[16*(DLIST*k+d)+:16];
    end
    assign new_tree[k] = ol_vl_i[8*k+:8] != ol_vl_q[8*k+:8] || ol_root_i[24*k+:24] != ol_root_q[24*k+:24]
        || ol_dcnt_i[8*k+:8] < ol_dcnt_q[8*k+:8] || gone != '0;
    assign other_tree[k] = ol_valid_i[k] && shown_q[k] && new_tree[k];
    assign back[k] = ol_valid_i[k] && !shown_q[k] && shown2_q[k];
  end

  // ---- lost turns: a line that some input waits for, or that stayed for its turn, goes (also with all others, when isolation
  // is switched off or the link falls), or another tree takes its place,
  // before the first packet after its stop went. Then, and only then, a drawn input goes to the front of the order of its VL
  logic [LINES-1:0]   stake_q, lost;  // the turn was due in the cycle before; and the line is away
  logic [8*LINES-1:0] stake_vl_q;
  logic [VLS-1:0]     drawn;          // somebody went to the front of this VL's order
  logic [15:0]        draw_q, drawn_at;

  always_ff @(posedge clk_i) begin
    stake_q <= rst_i ? '0 : ol_valid_i & (awaits | ol_closing_i)
        & (ol_stop_i | (ol_fresh_i & ~uses));
    stake_vl_q <= ol_vl_i;
    draw_q <= draw_i;
  end

  assign lost = stake_q & ~ol_valid_i;
  assign drawn_at = 16'((32'(draw_q) * 32'(PORTS)) >> 16);
  always_comb begin
    drawn = '0;
    for (int k = 0; k < LINES; k++)
      if (lost[k]) for (int v = 0; v < VLS; v++) if (stake_vl_q[8*k+:8] == 8'(v)) drawn[v] = 1'b1;
  end

  // (others keep their order: the drawn one is before nobody but by this)
  logic [PORTS*N-1:0] moved;   // the order as it was, but for the one that is drawn
  logic               astray;  // that one is not first
  always_comb begin
    moved = order_q;
    astray = 1'b0;
    for (int i = 0; i < PORTS; i++) begin
      for (int v = 0; v < VLS; v++) begin
        if (drawn[v] && 16'(i) == drawn_at) begin
          moved[PORTS*(i*VLS+v)+:PORTS] = '0;
          astray = astray || order_i[PORTS*(i*VLS+v)+:PORTS] != '0;
        end else if (drawn[v]) moved[PORTS*(i*VLS+v)+:PORTS] = order_q[PORTS*(i*VLS+v)+:PORTS] | (PORTS'(1) << drawn_at);
      end
    end
  end

  // ---- the turns of a line: behind the input that used one; of a new tree from a drawn input
  logic [LINES-1:0]    used_q, strays;  // the turn was used; the pointer is not where it should be
  logic [15:0]         behind, behind_q;  // the input behind the one that was served
  logic [16*LINES-1:0] ol_turn_q;

  always_comb begin
    behind = '0;
    for (int i = 0; i < PORTS - 1; i++) if (served[i*VLS+:VLS] != '0) behind = 16'(i + 1);
  end

  always_ff @(posedge clk_i) begin
    used_q <= ol_fresh_i & uses;
    behind_q <= behind;
    ol_turn_q <= ol_turn_i;
  end

  for (genvar k = 0; k < LINES; k++) begin : g_turn
    assign strays[k] = ol_turn_i[16*k+:16] != (new_tree[k] ? drawn_at : used_q[k] ? behind_q : ol_turn_q[16*k+:16]);
  end

  // ---- properties of one cycle
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      a2_one_grant: assert ((grant_i & (grant_i - 1'b1)) == '0);
      a1_grant_fits: assert (SRP != 0 || ((grant_i & ~fits) == '0));
      a2_grant_free: assert (xb_free_i || grant_i == '0);
      a1_elig_fits: assert ((elig_i & ~fits) == '0);
      a1_elig_free: assert ((xb_free_i && ONE_QUEUE != 0 && prop_valid_i == '0) || elig_i == '0);
      a1_grant_is_elig: assert (ONE_QUEUE == 0 || (grant_i & ~elig_i) == '0);
      a1_free_is_used: assert (SRP != 0 || (!xb_free_i || fits == '0 || grant_i != '0 || prop_valid_i != '0 || held_i != '0));
      a2_cnp_first: assert (SRP != 0 || ((fits & cnp) == '0 || (grant_i & ~cnp & ~{PORTS{urgent}}) == '0));
      a2_data_after_cnps: assert (SRP != 0 || (urgent == '0 || (grant_i & (~{PORTS{urgent}} | cnp)) == '0));
      a2_plain_needs_an_mtu: assert (SRP != 0 || (!cnp_plain_i || (grant_i & ~{PORTS{credit}}) == '0));
      a2_passed_counted: assert (SRP != 0 || (miscounted == '0));
      e5_stopped_not_granted: assert (grant_i == '0 || !stop_match);
      e5_held_has_a_line: assert (unreasoned == '0);
      // one winner, granted, told or held; with one queue every request that is held is said to be
      e5_one_held: assert (ONE_QUEUE != 0 || ((held_i & (held_i - 1'b1)) == '0 && (held_i == '0 || (xb_free_i && grant_i == '0
          && prop_valid_i == '0))));
      a3_wait_after_stop: assert (early == '0);
      e6_closing_line_ends: assert ((ends_q & ol_closing_i) == '0);
      e6_closing_line_waits: assert ((ol_closing_i & ~(ol_valid_i & ~ol_stop_i & ol_fresh_i)) == '0);
      e3_closing_tells_nobody: assert (!tells_closing);
      // (a request without a length, which no input makes, takes no credit)
      f1_no_credit_of_old_life: assert ((grant_vl & ~heard_q) == '0 || served_len == '0 || CIOQ != 0);
      b3_drop_is_due: assert (drop_i <= due_i);
      e3_told_asks: assert ((told & ~(req_valid_i & ~req_cnp_i & (~req_hot_i | req_unlinked_i))) == '0);
      e3_one_prop: assert ((prop_valid_i & (prop_valid_i - 1'b1)) == '0);
      e3_prop_or_grant: assert (prop_valid_i == '0 || grant_i == '0);
      e3_prop_isolation: assert (prop_valid_i == '0 || iso_en_i);
      e3_prop_hops: assert (prop_valid_i == '0 || prop_hops_i != '0);
      e3_prop_zero: assert (prop_valid_i != '0 || {prop_vl_i, prop_line_i, prop_hops_i, prop_root_i} == '0);
      b2_tx_zero: assert (tx_valid_i || {tx_first_i, tx_last_i, tx_bad_i, tx_data_i} == '0);
      f1_fctbs_zero: assert (fctbs_valid_i || {fctbs_vl_i, fctbs_i} == '0);
      f1_fctbs_vl: assert (fctbs_vl_i < 8'(VLS));
      m1_mark_enabled: assert (!mark_i || ((mark_en_i || wanted) && sw_valid_i && sw_first_i));
      m1_mark_congested: assert (!mark_i || wanted || (sw_vl & may_mark) != '0);
      m1_mark_not_cnp: assert (!mark_i || (sw_opcode != quell_pkg::OPCODE_CNP && sw_opcode[4:0] != quell_pkg::OPCODE_ACK));
      m1_mark_has_bth: assert (!mark_i || sw_lnh[1]);
      m1_mark_not_mcast: assert (!mark_i || sw_data_i[23:22] != 2'b11);
      m2_lfsr_alive: assert (lfsr_i != '0);
    end
  end

  // ---- properties of two cycles
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      b2_tx_is_sw: assert (gone_q || (CIOQ != 0 && !tx_valid_i) || {tx_valid_i, tx_first_i, tx_last_i, tx_bad_i}
          == {sw_valid_q, {3{sw_valid_q}} & {sw_first_q, sw_last_q, sw_bad_q}});
      b3_lost_with_link: assert (!gone_q || !tx_valid_i);
      b3_loss_is_told: assert (!gone_q || !sw_valid_q || err_i[quell_pkg::OE_LINK_DOWN]);
      e6_no_line_outlives_link: assert (up_q || line_valid_i == '0);
      m3_fecn_kept: assert (gone_q || !sw_valid_q || (CIOQ != 0 && !tx_valid_i) || (sw_data_q & ~tx_data_i) == '0);
      m1_only_fecn: assert (gone_q || !sw_valid_q || (tx_data_i & ~sw_data_q & ~(mark_q ? fecn : '0) & ~vb) == '0);
      m1_mark_shows: assert (!mark_q || (CIOQ != 0 && !tx_valid_i) || (tx_data_i & fecn) != '0);
      // (where CNPs have no priority nothing is counted: the count is 0 from then on)
      a3_draw_goes_on: assert (ISOLATION == 0 || draw_i != '0);
      a3_lost_turn_draws: assert (!past2_ok_q || ((draw_i != draw_q) == (lost != '0 || new_tree != '0) && !astray));
      a3_turns_go_on: assert (!past2_ok_q || strays == '0);
      a3_held_moves_nothing: assert (!held_q || ({order_i, cr_i, vp_i} == {moved, cr_q, vp_q} && (passed_i == passed_q || (plain_q && passed_i == '0))));
      e6_isolation_off: assert (iso_en_q || ol_valid_i == '0);
      b3_err_sticky: assert ((err_q & ~err_clear_q & ~err_i) == '0);
      b3_err_shown: assert ((err_set_q & ~err_i) == '0);
      b3_err_cause: assert ((err_i & ~err_q & ~err_set_q) == '0);
    end
  end

  // ---- properties of each VL and line: one bit for each, set where it is broken
  logic [VLS-1:0]   ahead, no_count, wrong_state, wrong_root, wrong_wait, no_rise, no_fall;
  logic [LINES-1:0] not_idle, illegal;

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    wire [11:0] rest = fccl_q[12*v+:12] - txr_i[12*v+:12];
    wire        now = count_i[8*v+:8] != '0;
    wire        was = count_q[8*v+:8] != '0;
    assign ahead[v] = CIOQ == 0 && grant_vl_q[v] && up_q && !long_q && !short_q[v] && rest > HALF + 12'(MTU);
    assign no_count[v] = cong_state_i[v] && !was;
    assign wrong_state[v] = !now_q && cong_state_i[v] != (was && (victim_q || rooted_q[v]));
    // a root from a packet that found its credits to one that did not
    assign wrong_root[v] = CIOQ == 0 && rooted_i[v] != (grant_data_q[v] ? !waited_q[v] : rooted_q[v]);
    assign wrong_wait[v] = CIOQ == 0 && waited_i[v] != ((lacking_q[v] || waited_q[v]) && !grant_data_q[v]);
    assign no_rise[v] = now && !was && sum_q[23*v+:23] <= 23'(sum_hth_q);
    assign no_fall[v] = !now && was && sum_q[23*v+:23] >= 23'(sum_lth_q);
  end

  for (genvar k = 0; k < LINES; k++) begin : g_line
    assign not_idle[k] = !line_valid_i[k] && {ol_valid_i[k], ol_stop_i[k], ol_fresh_i[k], ol_closing_i[k],
        ol_timer_i[TIMER_W*k+:TIMER_W]} != '0;
    assign illegal[k] = ol_vl_i[8*k+:8] >= 8'(VLS) || ol_dcnt_i[8*k+:8] > 8'(DLIST);
  end

  // ---- a line without a message for as long as its limit is gone (E8), or stays for the turn after its last stop
  logic [LINES-1:0] silent_q, closing_q, kept;
  logic [15:0]      cnt_e7_q;

  for (genvar k = 0; k < LINES; k++) begin : g_life
    always_ff @(posedge clk_i)
      silent_q[k] <= !rst_i && ol_valid_i[k] && ol_timer_i[TIMER_W*k+:TIMER_W] >= line_limit_i && !msg_valid_i;
    assign kept[k] = silent_q[k] && ol_valid_i[k] && (closing_q[k] || !ol_closing_i[k]);
  end
  always_ff @(posedge clk_i) begin
    cnt_e7_q <= cnt_e7_i;
    closing_q <= ol_closing_i;
  end

  // ---- turns of others while a request asks (A3): of its VL and class, with credit or without; of data since its input's last turn,
  // whatever was between; of other VLs while the VL could have had one
  logic [2*N-1:0]   starved, near, waited_long;
  logic [2*VLS-1:0] vl_starved, vl_near;
  logic [N-1:0]     places;  // element v*PORTS+p: the place of some input in the order of v

  logic [16*N-1:0]  place;  // of each input and VL, element i*VLS+v: inputs that go before it

  always_comb begin
    place = '0;
    places = '0;
    for (int r = 0; r < N; r++) begin
      for (int j = 0; j < PORTS; j++) place[16*r+:16] = place[16*r+:16] + 16'(order_i[PORTS*r+j]);
      for (int p = 0; p < PORTS; p++) if (place[16*r+:16] == 16'(p)) places[(r%VLS)*PORTS+p] = 1'b1;
    end
  end

  for (genvar c = 0; c < 2; c++) begin : g_class  // data, CNPs
    wire [N-1:0]   could = (c == 1) ? fits & cnp : fits & ~cnp;
    wire [N-1:0]   asks = (c == 1) ? fits & cnp : req_valid_i & ~held_i & ~cnp;
    wire [N-1:0]   turns = (c == 1) ? turn & cnp : turn & ~cnp;
    logic [VLS-1:0] vl_could, vl_turn;

    always_comb begin
      vl_could = '0;
      vl_turn = '0;
      for (int i = 0; i < PORTS; i++) begin
        vl_could = vl_could | could[i*VLS+:VLS];
        vl_turn = vl_turn | turns[i*VLS+:VLS];
      end
    end

    for (genvar r = 0; r < N; r++) begin : g_wait
      logic [6:0]  others_q, others;  // one more goes before it where another one was put in front
      logic [15:0] due;  // inputs that go before it
      wire         other = vl_turn[r%VLS] && !turns[r];
      if (c == 0) begin : g_place
        assign due = place[16*r+:16];
      end else begin : g_distance
        wire [15:0] at = cr_i[16*(r%VLS)+:16];
        assign due = (at >= 16'(PORTS)) ? 16'(PORTS) : (16'(r / VLS) >= at) ? 16'(r / VLS) - at : 16'(r / VLS) + 16'(PORTS) - at;
      end
      assign others = (c == 0 && drawn[r%VLS] && 16'(r / VLS) != drawn_at && others_q != '0) ? others_q - 1'b1 : others_q;
      assign waited_long[c*N+r] = others == 7'(PORTS - 1) && turns[r] && PORTS > 1;
      assign near[c*N+r] = 16'(others) + due <= 16'(PORTS - 1);
      assign starved[c*N+r] = !(c == 0 && sched_i) && asks[r] && other && others == 7'(PORTS - 1);
      always_ff @(posedge clk_i) begin
        if (rst_i || (c == 0 && sched_i) || (c == 1 && !asks[r]) || (served[r] && cnp[r] == (c == 1))) others_q <= '0;
        else others_q <= others + 7'(asks[r] && other && !starved[c*N+r]);
      end
    end

    for (genvar v = 0; v < VLS; v++) begin : g_vl_wait
      logic [6:0] others_q;
      wire [15:0] at = vp_i[16*c+:16];
      wire [15:0] distance = (16'(v) >= at) ? 16'(v) - at : 16'(v) + 16'(VLS) - at;
      wire        other = vl_turn != '0 && !vl_turn[v] && (c == 1 || (vl_turn & urgent) == '0);
      assign vl_near[c*VLS+v] = at < 16'(VLS) && 16'(others_q) + distance <= 16'(VLS - 1);
      assign vl_starved[c*VLS+v] = !(c == 0 && sched_i) && vl_could[v] && other && others_q == 7'(VLS - 1);
      always_ff @(posedge clk_i) begin
        if (rst_i || (c == 0 && sched_i) || !vl_could[v] || vl_turn[v]) others_q <= '0;
        else if (other && !vl_starved[c*VLS+v]) others_q <= others_q + 1'b1;
      end
    end
  end

  // ---- with cnp_plain nobody is passed by more than each other request once, whatever the packets are (A3), and once more, beside
  // each other VL's turn, where a lost turn puts another input in front
  logic [N-1:0] plain_late;

  for (genvar r = 0; r < N; r++) begin : g_plain
    logic [11:0] past_q, past;
    assign past = !drawn[r%VLS] || 16'(r / VLS) == drawn_at ? past_q : past_q < 12'(VLS) ? '0 : past_q - 12'(VLS);
    assign plain_late[r] = past_q > 12'(N - 1);
    always_ff @(posedge clk_i) begin
      if (rst_i || !cnp_plain_i || sched_i || !can[r] || held_i[r] || served[r]) past_q <= '0;
      else past_q <= past + 12'((served & grant_i) != '0 && !plain_late[r]);
    end
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      a3_bounded_wait: assert (SRP != 0 || (starved == '0 && vl_starved == '0));
      a3_plain_is_fair: assert (SRP != 0 || (plain_late == '0));
      a2_plain_keeps_cnp_pointers: assert (!plain_q || ({cr_i, vp_i[31:16]} == {cr_q, vp_q[31:16]} && passed_i == '0));
      d3_state_is_of_its_cycle: assert (lasting == '0);
      d3_root_is_held: assert (now_q || root_held_i == (rooted_q | {VLS{victim_q}}));
      a2_c_plain_cnp: cover (cnp_plain_i && (served & req_cnp_i) != '0 && (fits & ~req_cnp_i) != '0);
      a2_c_plain_data: cover (cnp_plain_i && (served & ~req_cnp_i) != '0 && (fits & req_cnp_i) != '0);
      m1_c_at_once: cover (at_once_i && may_mark != cong_state_i);
      a2_data_in_a_flood: assert (SRP != 0 || (flooded == '0));
      a2_cnp_with_credit_goes: assert (SRP != 0 || (cnp_late == '0));
      a3_pointer_comes_near: assert (SRP != 0 || (near == '1 && vl_near == '1));
      a3_every_place_once: assert (SRP != 0 || places == '1);
      e6_shown_line_is_one_tree: assert (other_tree == '0);
      e6_line_is_away_for_two_cycles: assert (!past2_ok_q || back == '0);
      e8_silent_line_expires: assert (kept == '0);
      e7_counts_one_by_one: assert (cnt_e7_i - cnt_e7_q <= 16'd1);
      a3_c_waited: cover (waited_long != '0);
      a2_c_data_after_cnps: cover ((data_turn & urgent) != '0);
      b3_c_two_lost: cover (drop_i == 2'd2);
      a3_c_new_tree: cover (new_tree != '0);
      e5_c_held: cover (held_i != '0);
      a3_c_other_turn: cover (ol_wait_i != '0);
      e6_c_closing: cover (ends_q != '0);
      a2_c_withheld: cover ((can & ~fits) != '0);
      e6_c_away: cover (ol_hold_i != '0);
      e8_c_expires: cover (silent_q != '0);
      m1_c_marked: cover (mark_i);
      e3_c_told: cover (prop_valid_i != '0);
      d3_c_root: cover (no_count == '0 && cong_state_i != '0 && cong_state_q == '0 && !victim_q);
      f1_c_refused: cover (req_valid_i != '0 && fits == '0 && xb_free_i);
      f1_never_ahead: assert (ahead == '0);
      d2_state_has_count: assert (no_count == '0);
      d3_root_or_victim: assert (wrong_state == '0);
      d3_root_found_credit: assert (wrong_root == '0);
      d3_waited_for_credit: assert (wrong_wait == '0);
      d3_c_no_root: cover (rooted_i != '1);
      e6_free_line_idle: assert (not_idle == '0);
      e3_line_legal: assert (illegal == '0);
    end
    // hysteresis on the sum, in the mode that needs nothing else
    if (!rst_i && past2_ok_q && eval_q == 2'd1 && eval2_q == 2'd1) begin
      d5_sum_rise: assert (no_rise == '0);
      d5_sum_fall: assert (no_fall == '0);
    end
  end
endmodule

`ifndef YOSYS
bind mark_policy_ib marking_checker u_marking_check (
    .clk_i(clk_i), .rst_i(rst_i), .mode_i(mode_i), .rate_i(rate_i), .seed_we_i(seed_we_i), .eligible_i(eligible),
    .mark_i(mark_o)
);

bind output_regs limit_checker #(.TIMER_W(TIMER_W)) u_limit_check (
    .clk_i(clk_i), .rst_i(rst_i), .we_i(we_i && addr_i == quell_pkg::OP_LINE_TIMER), .data_i(data_i), .limit_i(line_timer_o)
);
`endif

`default_nettype wire
