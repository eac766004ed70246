// Properties of switch_input_port that hold in every cycle, whatever the neighbours do.
// Instantiated at the end of the module under QUELL_CHECK; each label names the rule that a failure
// breaks. (Elements are folded before they are asserted: Yosys takes no label twice, in generate
// loops too.)
`default_nettype none

module input_port_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int BLOCKS = 2048,
    parameter int CAP = 2048,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int AW = 11,
    parameter int TIMER_W = 32,
    parameter int ONE_QUEUE = 0,
    parameter int READS = PORTS,  // blocks that can be freed in a cycle
    localparam int PV = PORTS * VLS,
    localparam int NQ = (ONE_QUEUE != 0) ? 1 : PV,
    localparam int QW = (PV > 1) ? $clog2(PV) : 1,
    localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1
) (
    input wire logic                      clk_i,
    input wire logic                      rst_i,
    input wire logic                      cfg_we_i,
    input wire logic [7:0]                cfg_addr_i,
    input wire logic [15:0]               cfg_data_i,
    // buffer
    input wire logic                      store_i,
    input wire logic [AW-1:0]             store_block_i,
    input wire logic [READS-1:0]          read_i,
    input wire logic [READS*AW-1:0]       read_block_i,
    input wire logic [VLS*16-1:0]         used_i,
    input wire logic                      release_i,      // a charge leaves at the grant
    input wire logic                      cnp_plain_i,
    // queues
    input wire logic [PV*16-1:0]          cpq_pkts_i,
    input wire logic [PV*16-1:0]          cpq_fill_i,
    input wire logic [HPQS*16-1:0]        hpq_pkts_i,
    input wire logic [HPQS*16-1:0]        hpq_fill_i,
    // requests and streams
    input wire logic                      ready_i,
    input wire logic                      link_up_i,
    input wire logic [VLS*12-1:0]         abr_i,
    input wire logic                      fc_valid_i,
    input wire logic [PV-1:0]             head_any_i,  // cold heads, ONE_QUEUE: of the output that it wants
    input wire logic [PV-1:0]             head_cnp_i,
    input wire logic [PV-1:0]             grant_i,
    input wire logic [PV-1:0]             held_i,
    input wire logic [PV-1:0]             req_valid_i,
    input wire logic [PV*16-1:0]          req_dlid_i,
    input wire logic [PV*7-1:0]           req_len_i,
    input wire logic [PV-1:0]             req_cnp_i,
    input wire logic [PV-1:0]             req_hot_i,
    input wire logic [PV-1:0]             req_unlinked_i,
    input wire logic [PORTS-1:0]          xb_act_i,
    input wire logic [PORTS-1:0]          xb_end_i,
    input wire logic [PORTS-1:0]          xb_valid_i,
    input wire logic [PORTS-1:0]          xb_first_i,
    input wire logic [PORTS-1:0]          xb_last_i,
    input wire logic [PORTS-1:0]          xb_bad_i,
    input wire logic [15:0]               err_i,
    input wire logic [PORTS-1:0]          rd_en_i,
    // packets that come, move and go
    input wire logic                      rx_open_i,
    input wire logic                      accept_i,
    input wire logic                      accept_cnp_i,
    input wire logic [6:0]                accept_n_i,
    input wire logic [QW-1:0]             accept_q_i,     // output and VL
    input wire logic [15:0]               accept_dlid_i,
    input wire logic [NQ-1:0]             cold_pop_i,
    input wire logic [NQ*16-1:0]          cold_dlid_i,
    input wire logic [PV-1:0]             cold_match_i,
    input wire logic                      move_i,
    input wire logic [QW-1:0]             move_q_i,
    input wire logic [HW-1:0]             move_hpq_i,
    input wire logic [6:0]                move_n_i,
    input wire logic                      move_ack_i,      // the packet that moves is an ACK
    input wire logic [HPQS-1:0]           hot_ack_i,       // so is the head of the hot queue
    input wire logic [PV-1:0]             served_i,
    input wire logic [PV*HW-1:0]          req_hpq_i,
    input wire logic [PV-1:0]             cold_stopped_i,  // a line holds the cold queue of the output and VL back
    input wire logic [PV-1:0]             hidden_i,        // enough packets have passed the oldest of its lane (age_checker)
    input wire logic [HPQS-1:0]           hot_stopped_i,
    input wire logic [15:0]               cnt_nohpq_i,
    input wire logic [15:0]               cnt_noline_i,
    // CAM lines
    input wire logic                      iso_en_i,
    input wire logic [TIMER_W-1:0]        line_limit_i,
    input wire logic [LINES*TIMER_W-1:0]  line_timer_i,
    input wire logic [LINES-1:0]          line_reached_i,
    input wire logic [LINES*2-1:0]        line_state_i,
    input wire logic [LINES*8-1:0]        line_out_i,
    input wire logic [LINES*8-1:0]        line_vl_i,
    input wire logic [LINES*16-1:0]       line_queue_i,
    input wire logic [LINES-1:0]          line_linked_i,
    input wire logic [LINES-1:0]          line_ann_i,
    input wire logic [LINES-1:0]          line_sent_stop_i,
    input wire logic [LINES-1:0]          line_stop_req_i,
    input wire logic [LINES-1:0]          line_dirty_i,
    input wire logic [LINES*8-1:0]        line_dcnt_i,
    input wire logic [LINES*DLIST*16-1:0] line_dlist_i,
    input wire logic [LINES-1:0]          line_own_i,
    input wire logic [LINES*6-1:0]        line_hops_i,
    input wire logic [PV-1:0]             cong_i,
    input wire logic                      msg_valid_i,
    input wire logic [1:0]                msg_type_i,
    input wire logic [7:0]                msg_line_i,
    input wire logic                      msg_stop_i
);
  // B1, F2: blocks
  logic [BLOCKS-1:0] held_q;       // blocks that hold a flit, kept apart from the pool
  logic [15:0]       held_count_q;
  logic [15:0]       used_sum;
  logic [15:0]       reads;
  logic [VLS-1:0]    over_cap;
  logic [READS-1:0]  read_empty;
  logic [READS-1:0]  read_twice;

  always_comb begin
    used_sum = '0;
    for (int v = 0; v < VLS; v++) begin
      used_sum = used_sum + used_i[v*16 +: 16];
      over_cap[v] = used_i[v*16 +: 16] > 16'(CAP);
    end
  end
  always_comb begin
    reads = '0;
    read_empty = '0;
    read_twice = '0;
    for (int o = 0; o < READS; o++) begin
      if (read_i[o]) begin
        reads = reads + 16'd1;
        read_empty[o] = !held_q[read_block_i[o*AW +: AW]];
        for (int p = 0; p < o; p++)
          if (read_i[p] && read_block_i[p*AW +: AW] == read_block_i[o*AW +: AW])
            read_twice[o] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      held_q <= '0;
      held_count_q <= '0;
    end else begin
      for (int o = 0; o < READS; o++)
        if (read_i[o]) held_q[read_block_i[o*AW +: AW]] <= 1'b0;
      if (store_i) held_q[store_block_i] <= 1'b1;
      held_count_q <= held_count_q + 16'(store_i) - reads;
      f2_blocks_conserved: assert (used_sum == held_count_q);
      b1_used_within_cap: assert (over_cap == '0);
      b1_store_into_free_block: assert (!store_i || !held_q[store_block_i]);
      b1_read_of_held_block: assert (read_empty == '0);
      b1_block_read_once: assert (read_twice == '0);
    end
  end

  // B1: a packet in a queue is charged to it; E6: a hot queue in use has a line
  logic [PV-1:0]   cpq_short;
  logic [HPQS-1:0] hpq_short;
  logic [HPQS-1:0] hpq_orphan;

  for (genvar q = 0; q < PV; q++) begin : g_cpq
    assign cpq_short[q] = cpq_fill_i[q*16 +: 16] < cpq_pkts_i[q*16 +: 16];
  end
  for (genvar h = 0; h < HPQS; h++) begin : g_hpq
    logic owned;
    always_comb begin
      owned = 1'b0;
      for (int k = 0; k < LINES; k++)
        if (line_state_i[k*2+1] && line_queue_i[k*16 +: 16] == 16'(PV + h)) owned = 1'b1;
    end
    assign hpq_short[h] = hpq_fill_i[h*16 +: 16] < hpq_pkts_i[h*16 +: 16];
    assign hpq_orphan[h] = !owned && hpq_fill_i[h*16 +: 16] != '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      b1_cpq_packets_charged: assert (cpq_short == '0);
      b1_hpq_packets_charged: assert (hpq_short == '0);
      e6_hpq_in_use_has_line: assert (hpq_orphan == '0);
    end
  end

  // B1: the charge of a queue is that of the packets which wait in it, and what is left of those that are read and were not
  // paid at their grant; queues: cold ones, then hot ones
  localparam int CQ = NQ + HPQS;
  logic [CQ*16-1:0]    waits_q, waits_d;  // flits of the packets that wait
  logic [PORTS*16-1:0] rest_q;          // charge that is left of a packet that an engine reads
  logic [PORTS-1:0]    rest_hot_q;      // it is of a hot queue,
  logic [PORTS*HW-1:0] rest_hpq_q;      // this one,
  logic [PORTS*QW-1:0] rest_vl_q;       // or of a cold one of this VL
  logic [CQ-1:0]       charged_else;
  logic [NQ-1:0]       emptied, cong_cold, emptied_q;  // cold queues whose last packet goes, at once

  wire unused_charge = &{1'b0, cong_i, rest_vl_q};  // ONE_QUEUE: one cold queue

  for (genvar c = 0; c < NQ; c++) begin : g_charge
    localparam int O = (ONE_QUEUE != 0) ? 0 : c / VLS;
    logic [15:0] leaves, rest;
    always_comb begin
      leaves = (move_i && (ONE_QUEUE != 0 || move_q_i == QW'(c))) ? 16'(move_n_i) : '0;
      rest = '0;
      if (ONE_QUEUE != 0) begin
        for (int o = 0; o < PORTS; o++) begin
          if (served_i[o] && !req_hot_i[o]) leaves = leaves + 16'(req_len_i[o*7 +: 7]);
          if (!rest_hot_q[o]) rest = rest + rest_q[o*16 +: 16];
        end
      end else begin
        if (served_i[c] && !req_hot_i[c]) leaves = leaves + 16'(req_len_i[c*7 +: 7]);
        if (!rest_hot_q[O] && rest_vl_q[O*QW +: QW] == QW'(c % VLS)) rest = rest_q[O*16 +: 16];
      end
      waits_d[c*16 +: 16] = waits_q[c*16 +: 16] - leaves
          + ((accept_i && (ONE_QUEUE != 0 || accept_q_i == QW'(c))) ? 16'(accept_n_i) : 16'd0);
    end
    assign charged_else[c] = cpq_fill_i[c*16 +: 16] != waits_q[c*16 +: 16] + rest;
    assign emptied[c] = ONE_QUEUE == 0 && release_i && served_i[c] && !req_hot_i[c] && cpq_pkts_i[c*16 +: 16] == 16'd1
        && cpq_fill_i[c*16 +: 16] == 16'(req_len_i[c*7 +: 7]);
    assign cong_cold[c] = cong_i[c];
  end
  for (genvar h = 0; h < HPQS; h++) begin : g_hot_charge
    logic [15:0] leaves, rest;
    always_comb begin
      leaves = '0;
      rest = '0;
      for (int q = 0; q < PV; q++)
        if (served_i[q] && req_hot_i[q] && req_hpq_i[q*HW +: HW] == HW'(h)) leaves = leaves + 16'(req_len_i[q*7 +: 7]);
      for (int o = 0; o < PORTS; o++)
        if (rest_hot_q[o] && rest_hpq_q[o*HW +: HW] == HW'(h)) rest = rest + rest_q[o*16 +: 16];
      waits_d[(NQ+h)*16 +: 16] = waits_q[(NQ+h)*16 +: 16] - leaves + ((move_i && move_hpq_i == HW'(h)) ? 16'(move_n_i) : 16'd0);
    end
    assign charged_else[NQ+h] = hpq_fill_i[h*16 +: 16] != waits_q[(NQ+h)*16 +: 16] + rest;
  end

  always_ff @(posedge clk_i) begin
    waits_q <= rst_i ? '0 : waits_d;
    for (int o = 0; o < PORTS; o++) begin
      if (xb_end_i[o] && rd_en_i[o]) rest_q[o*16 +: 16] <= '0;
      else if (read_i[o] && rest_q[o*16 +: 16] != '0) rest_q[o*16 +: 16] <= rest_q[o*16 +: 16] - 16'd1;
      for (int v = 0; v < VLS; v++)
        if (served_i[o*VLS+v]) begin
          rest_q[o*16 +: 16] <= release_i ? '0 : 16'(req_len_i[(o*VLS+v)*7 +: 7]);
          rest_hot_q[o] <= req_hot_i[o*VLS+v];
          rest_hpq_q[o*HW +: HW] <= req_hpq_i[(o*VLS+v)*HW +: HW];
          rest_vl_q[o*QW +: QW] <= QW'(v);
        end
      if (rst_i) rest_q[o*16 +: 16] <= '0;
    end
    emptied_q <= rst_i ? '0 : emptied;
    if (!rst_i) begin
      b1_charge_is_of_packets: assert (charged_else == '0);
      d1_emptied_at_once: assert ((emptied_q & cong_cold) == '0);
      d1_c_emptied: cover (emptied_q != '0);
    end
  end

  // A2, B2, B3: requests and streams
  logic [PV-1:0]    req_cnp_q;    // CNPs that ask and got no grant
  logic [PV*16-1:0] req_dlid_q;
  logic [PV-1:0]    cnp_lost;
  logic [PV-1:0]    engine_busy;
  logic             quiet_q;      // no reset and no configuration write in the last cycle
  logic [PORTS-1:0] granted;
  logic [PORTS-1:0] granted_q;
  logic [PORTS-1:0] open_q;
  logic [PORTS-1:0] act_q;
  logic [LINES-1:0] root_lines;

  for (genvar o = 0; o < PORTS; o++) begin : g_granted
    assign granted[o] = |grant_i[o*VLS +: VLS];
  end
  for (genvar q = 0; q < PV; q++) begin : g_request
    localparam int O = q / VLS;
    // with one queue a grant of any output takes the only read port
    // a hot queue is before it only after 8 cold packets since one was served
    logic [3:0] cold_turns_q;
    always_ff @(posedge clk_i) begin
      req_cnp_q[q] <= req_valid_i[q] && req_cnp_i[q] && !held_i[q] && !(ONE_QUEUE != 0 ? |granted : granted[O]);
      if (rst_i || (served_i[q] && req_hot_i[q])) cold_turns_q <= '0;
      else if (served_i[q] && cold_turns_q != 4'd8) cold_turns_q <= cold_turns_q + 1'b1;
    end
    assign cnp_lost[q] = req_cnp_q[q] && !cold_stopped_i[q] && !hidden_i[q] && !(req_valid_i[q] && req_hot_i[q] && cold_turns_q == 4'd8)
        && !(req_valid_i[q] && req_cnp_i[q] && req_dlid_i[q*16 +: 16] == req_dlid_q[q*16 +: 16]);
    assign engine_busy[q] = (ONE_QUEUE != 0) ? (xb_act_i & ~xb_end_i) != '0 : xb_act_i[O] && !xb_end_i[O];
  end

  for (genvar k = 0; k < LINES; k++) begin : g_root
    assign root_lines[k] = line_state_i[k*2 +: 2] == quell_pkg::LN_ROOT;
  end

  always_ff @(posedge clk_i) begin
    req_dlid_q <= req_dlid_i;
    quiet_q <= !rst_i && !cfg_we_i;
    granted_q <= granted;
    open_q <= rst_i ? '0 : (open_q & ~xb_valid_i) | (xb_valid_i & ~xb_last_i);
    act_q <= rst_i ? '0 : xb_act_i;
    if (!rst_i) begin
      a2_end_only_when_active: assert ((xb_end_i & ~xb_act_i) == '0);
      b1_one_read_port: assert (ONE_QUEUE == 0 || (xb_act_i & (xb_act_i - 1'b1)) == '0);
      e5_root_sends_no_stop: assert ((root_lines & (line_stop_req_i | line_sent_stop_i)) == '0);
      e1_one_queue_has_no_root_state: assert (ONE_QUEUE == 0 || root_lines == '0);
      a2_active_only_after_grant: assert ((xb_act_i & ~act_q & ~granted_q) == '0);
      a2_request_needs_engine: assert ((req_valid_i & engine_busy) == '0);
      a2_cnp_is_cold: assert ((req_cnp_i & req_hot_i) == '0);
      e6_unlinked_is_hot: assert ((req_unlinked_i & ~req_hot_i) == '0);
      b3_first_flit_opens: assert ((xb_valid_i & ~(xb_first_i ^ open_q)) == '0);
      b3_idle_stream_is_zero: assert (((xb_first_i | xb_last_i | xb_bad_i) & ~xb_valid_i) == '0);
      b3_bad_only_with_last: assert ((xb_bad_i & ~xb_last_i) == '0);
      if (quiet_q && !cnp_plain_i) a2_cnp_request_stays: assert (cnp_lost == '0);
    end
  end

  // B3: errors
  logic [15:0] err_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) err_q <= '0;
    else
      err_q <= err_i
          & ~((cfg_we_i && cfg_addr_i == quell_pkg::IP_ERR_CLEAR) ? cfg_data_i : '0);
    if (!rst_i) b3_errors_are_sticky: assert ((err_q & ~err_i) == '0);
  end

  // E1-E9: CAM lines
  logic [LINES-1:0]   hot;         // HOT or DRAIN
  logic [LINES-1:0]   hot_q;
  logic [LINES*8-1:0] dcnt_q;
  logic [LINES-1:0]   free;
  logic [LINES-1:0]   dirt;        // a FREE line with something left in it
  logic [LINES-1:0]   too_long;
  logic [LINES-1:0]   shared;      // its queue has another line
  logic [LINES-1:0]   listed_twice;

  always_ff @(posedge clk_i) begin
    dcnt_q <= rst_i ? '0 : line_dcnt_i;
    hot_q <= rst_i ? '0 : hot;
  end

  for (genvar k = 0; k < LINES; k++) begin : g_line
    logic [DLIST*16-1:0] dlist;
    logic                grown;
    logic [15:0]         dlid;
    logic [7:0]          copies;

    assign dlist = line_dlist_i[k*DLIST*16 +: DLIST*16];
    assign free[k] = line_state_i[k*2 +: 2] == quell_pkg::LN_FREE;
    assign hot[k] = line_state_i[k*2+1];
    assign dirt[k] = free[k] && (line_own_i[k] || line_queue_i[k*16 +: 16] != '0 || line_linked_i[k]
        || line_timer_i[k*TIMER_W +: TIMER_W] != '0 || line_reached_i[k]
        || line_ann_i[k] || line_sent_stop_i[k] || line_stop_req_i[k] || line_dirty_i[k]
        || line_dcnt_i[k*8 +: 8] != '0 || dlist != '0);
    assign too_long[k] = line_dcnt_i[k*8 +: 8] > 8'(DLIST);

    always_comb begin
      shared[k] = 1'b0;
      for (int j = k + 1; j < LINES; j++)
        if (!free[k] && !free[j] && line_queue_i[j*16 +: 16] == line_queue_i[k*16 +: 16])
          shared[k] = 1'b1;
    end

    // E4, E9: a destination that comes onto a HOT line is on no other one of that output and VL
    assign grown = hot[k] && (!hot_q[k] || line_dcnt_i[k*8 +: 8] != dcnt_q[k*8 +: 8]);
    always_comb begin
      dlid = '0;
      copies = '0;
      if (grown) begin
        for (int d = 0; d < DLIST; d++)
          if (line_dcnt_i[k*8 +: 8] == 8'(d + 1)) dlid = dlist[d*16 +: 16];
        for (int j = 0; j < LINES; j++) begin
          if (hot[j] && line_out_i[j*8 +: 8] == line_out_i[k*8 +: 8]
              && line_vl_i[j*8 +: 8] == line_vl_i[k*8 +: 8]) begin
            for (int d = 0; d < DLIST; d++)
              if (line_dcnt_i[j*8 +: 8] > 8'(d) && line_dlist_i[(j*DLIST+d)*16 +: 16] == dlid)
                copies = copies + 8'd1;
          end
        end
      end
    end
    assign listed_twice[k] = grown && copies != 8'd1;
  end

  // E1: a root's line with a hot queue is at its root and joins no other tree; one root for an output and VL
  logic [LINES-1:0] not_own, two_roots;

  for (genvar k = 0; k < LINES; k++) begin : g_own
    assign not_own[k] = line_own_i[k] && (ONE_QUEUE != 0 || !hot[k] || line_linked_i[k] || line_hops_i[k*6 +: 6] != 6'd1);
    always_comb begin
      two_roots[k] = 1'b0;
      for (int j = k + 1; j < LINES; j++)
        if ((root_lines[k] || line_own_i[k]) && (root_lines[j] || line_own_i[j]) && line_out_i[j*8 +: 8] == line_out_i[k*8 +: 8]
            && line_vl_i[j*8 +: 8] == line_vl_i[k*8 +: 8]) two_roots[k] = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      e1_own_line_is_a_root: assert (not_own == '0);
      e1_one_root: assert (two_roots == '0);
      e1_c_own: cover (line_own_i != '0);
    end
  end

  // the line that the message in this cycle is about
  logic msg_free;
  logic msg_ann;
  logic msg_sent_stop;
  always_comb begin
    msg_free = 1'b0;
    msg_ann = 1'b0;
    msg_sent_stop = 1'b0;
    for (int k = 0; k < LINES; k++) begin
      if (msg_line_i == 8'(k)) begin
        msg_free = free[k];
        msg_ann = line_ann_i[k];
        msg_sent_stop = line_sent_stop_i[k];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      e6_free_line_is_zero: assert (dirt == '0);
      e1_list_within_bound: assert (too_long == '0);
      e3_queue_has_one_line: assert (shared == '0);
      e4_dlid_on_one_hot_line: assert (listed_twice == '0);
      e2_unknown_line_is_silent: assert ((line_sent_stop_i & ~line_ann_i) == '0);
      if (msg_valid_i) begin
        case (msg_type_i)
          quell_pkg::MSG_ALLOC:
          e2_alloc_announces: assert (msg_ann && msg_sent_stop == msg_stop_i);
          quell_pkg::MSG_DEALLOC: e6_dealloc_frees: assert (msg_free);
          quell_pkg::MSG_STOP: e5_stop_noted: assert (msg_ann && msg_sent_stop);
          default: e5_go_noted: assert (msg_ann && !msg_sent_stop);
        endcase
      end
    end
  end

  // A2, B2: what can go asks, and what ends is gone
  logic [PORTS-1:0] ends_q;
  logic [PV-1:0]    idle_head, stopped_asks, cold_listed, link_asks;
  logic             past_ok_q;

  for (genvar q = 0; q < PV; q++) begin : g_progress
    // ONE_QUEUE: the head wants one output, and the others must be idle
    assign idle_head[q] = ONE_QUEUE == 0 && cpq_pkts_i[q*16 +: 16] != '0 && !engine_busy[q]
        && !cold_match_i[q] && !cold_stopped_i[q] && !hidden_i[q] && !rx_open_i && !req_valid_i[q];
    assign stopped_asks[q] = req_valid_i[q]
        && (req_hot_i[q] ? hot_stopped_i[req_hpq_i[q*HW +: HW]] : cold_stopped_i[q]);
    // E3: only a HOT line without a link asks for one; a line in DRAIN takes none
    always_comb begin
      link_asks[q] = 1'b0;
      for (int k = 0; k < LINES; k++)
        if (line_queue_i[k*16 +: 16] == 16'(PV) + 16'(req_hpq_i[q*HW +: HW]) && req_valid_i[q] && req_hot_i[q]
            && (line_state_i[k*2 +: 2] == quell_pkg::LN_HOT && !line_linked_i[k] && !line_own_i[k]) != req_unlinked_i[q])
          link_asks[q] = 1'b1;
    end
    assign cold_listed[q] = req_valid_i[q] && !req_hot_i[q] && !req_cnp_i[q] && cold_match_i[q];
  end

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    ends_q <= rst_i ? '0 : xb_end_i & rd_en_i;
    if (!rst_i) begin
      a2_idle_head_asks: assert (idle_head == '0);
      b2_end_is_emitted: assert ((ends_q & ~(xb_valid_i & xb_last_i)) == '0);
      b2_ended_makes_room: assert ((ends_q & xb_act_i & ~granted_q) == '0);
      e5_stopped_queue_is_silent: assert (stopped_asks == '0);
      e9_cold_leaves_unlisted: assert (cold_listed == '0);
      e3_only_hot_asks_for_link: assert (link_asks == '0);
      b2_c_back_to_back: cover (ends_q[0] && xb_act_i[0]);
      a2_c_hot_request: cover ((req_valid_i & req_hot_i) != '0);
      b3_c_pad_sent: cover (xb_bad_i != '0);
    end
  end

  // F1, B3, E2: the link was down in the last cycle (what came then is in stage 1 now), or two cycles ago
  logic down_q, down2_q;

  always_ff @(posedge clk_i) begin
    down_q <= !rst_i && ready_i && !link_up_i;
    down2_q <= !rst_i && down_q;
    if (!rst_i) begin
      b3_down_hears_nothing: assert (!down_q || !(store_i || accept_i));
      b3_packet_ends_with_link: assert (!down2_q || !rx_open_i);
      f1_down_promises_nothing: assert (!down_q || !(fc_valid_i || msg_valid_i));
      f1_blocks_counted_anew: assert (!down2_q || abr_i == '0);
      e2_no_line_outlives_link: assert (!down2_q || line_ann_i == '0);
      b3_c_cut_by_link: cover (down_q && rx_open_i);
      e2_c_forgotten: cover (down_q && line_ann_i != '0);
    end
  end

  // E7, E8: one line at a time, timers, counters of what was lacking
  logic [LINES-1:0]         free_q, linked_q, stale, timed, over_q, drains, unreached;
  logic [LINES-1:0]         taken, still_stops, empty, empty_q;
  logic                     iso_en_q;
  logic [15:0]              nohpq_q, noline_q;

  assign taken = free_q & ~free;
  for (genvar k = 0; k < LINES; k++) begin : g_timer
    assign timed[k] = line_state_i[k*2 +: 2] == quell_pkg::LN_HOT
        && line_timer_i[k*TIMER_W +: TIMER_W] >= line_limit_i;
    assign stale[k] = line_state_i[k*2 +: 2] == quell_pkg::LN_HOT && line_linked_i[k]
        && line_timer_i[k*TIMER_W +: TIMER_W] != '0;
    // an unlinked line whose time was up is not HOT any more, unless an output has linked it again
    assign drains[k] = over_q[k] && line_state_i[k*2 +: 2] == quell_pkg::LN_HOT && !line_linked_i[k];
    assign unreached[k] = line_stop_req_i[k] && !line_reached_i[k];
    // a hot queue that was empty, and takes nothing, has no reason to stop its upstream
    always_comb begin
      empty[k] = 1'b0;
      for (int h = 0; h < HPQS; h++)
        if (hot[k] && line_queue_i[k*16 +: 16] == 16'(PV + h))
          empty[k] = hpq_fill_i[h*16 +: 16] == '0 && hpq_pkts_i[h*16 +: 16] == '0 && !(move_i && move_hpq_i == HW'(h));
    end
    assign still_stops[k] = empty_q[k] && line_stop_req_i[k];
  end

  always_ff @(posedge clk_i) begin
    free_q <= rst_i ? '1 : free;
    linked_q <= line_linked_i;
    over_q <= rst_i ? '0 : timed & ~line_linked_i;
    iso_en_q <= iso_en_i;
    nohpq_q <= cnt_nohpq_i;
    noline_q <= cnt_noline_i;
    empty_q <= rst_i ? '0 : empty;
    if (!rst_i && past_ok_q) begin
      e6_isolation_off_takes_none: assert (iso_en_q || taken == '0);
      e7_one_line_at_once: assert ((taken & (taken - 1'b1)) == '0);
      e7_counts_one_by_one: assert (cnt_nohpq_i - nohpq_q <= 16'd1 && cnt_noline_i - noline_q <= 16'd1);
      e8_linked_line_is_young: assert (stale == '0);
      e8_expired_line_drains: assert (drains == '0);
      e5_stop_after_announcing: assert (unreached == '0);
      e5_stop_has_a_cause: assert (still_stops == '0);
      e7_c_lacking: cover (cnt_nohpq_i != '0);
      e8_c_expired: cover (over_q != '0);
      e6_c_link_loss: cover ((linked_q & ~line_linked_i & hot) != '0);
      e2_c_alloc: cover (msg_valid_i && msg_type_i == quell_pkg::MSG_ALLOC);
      e5_c_stop: cover (msg_valid_i && msg_type_i == quell_pkg::MSG_STOP);
      e6_c_dealloc: cover (msg_valid_i && msg_type_i == quell_pkg::MSG_DEALLOC);
    end
  end

`ifndef FORMAL
  // A2, E5, in simulation: what is promised within a bound. A stop whose cause is gone is followed by GO (or
  // DEALLOC, or an ALLOC without stop) when each other line has had a message; a hot queue that could be served
  // is, after 8 cold packets that went first and one by round robin. A queue that went yields until the others that could go
  // did: so each of them goes once before it, and once more as the first of a new round. A line that is reached is announced when each
  // other line has had a message since the link came up.
  logic [LINES-1:0] go_late, alloc_late;
  logic [PV-1:0]    hot_late, cold_late;
  logic [HPQS-1:0]  hpq_late;
  logic [LINES-1:0] end_late;
  logic [PV-1:0]    move_late;

  for (genvar k = 0; k < LINES; k++) begin : g_go
    logic [7:0] wait_q;
    assign go_late[k] = wait_q > 8'(LINES);
    always_ff @(posedge clk_i) begin
      if (rst_i || !line_sent_stop_i[k] || line_stop_req_i[k]) wait_q <= '0;
      else if (!go_late[k]) wait_q <= wait_q + 1'b1;
    end

    logic [7:0] unknown_q;
    assign alloc_late[k] = unknown_q > 8'(LINES);
    always_ff @(posedge clk_i) begin
      if (rst_i || down_q || line_ann_i[k] || !line_reached_i[k] || line_dcnt_i[k*8 +: 8] == '0
          || line_state_i[k*2 +: 2] == quell_pkg::LN_DRAIN) unknown_q <= '0;
      else if (!alloc_late[k]) unknown_q <= unknown_q + 1'b1;
    end
  end

  // a cold head that no line holds back, after each hot queue of its output and VL, twice
  for (genvar q = 0; q < PV; q++) begin : g_cold_turn
    logic [4:0] passed_q;
    wire        leaves = !head_cnp_i[q] && cold_match_i[q];  // for a hot queue: the next head is another packet
    wire        could = head_any_i[q] && !leaves && !cold_stopped_i[q] && !rx_open_i;
    assign cold_late[q] = passed_q > 5'(2 * HPQS);
    always_ff @(posedge clk_i) begin
      if (rst_i || (served_i[q] && !req_hot_i[q]) || cold_stopped_i[q] || leaves || !head_any_i[q]) passed_q <= '0;
      else if (served_i[q] && could && !cold_late[q]) passed_q <= passed_q + 1'b1;
    end
  end

  for (genvar q = 0; q < PV; q++) begin : g_turn
    logic [4:0] cold_q;  // cold packets served while a hot queue of the same output and VL could be
    logic       hot_waits;
    always_comb begin
      hot_waits = 1'b0;
      for (int k = 0; k < LINES; k++)
        for (int h = 0; h < HPQS; h++)
          if (hot[k] && line_queue_i[k*16 +: 16] == 16'(PV + h) && !rx_open_i && !hot_stopped_i[h]
              && hpq_pkts_i[h*16 +: 16] != '0
              && line_out_i[k*8 +: 8] * 8'(VLS) + line_vl_i[k*8 +: 8] == 8'(q)) hot_waits = 1'b1;
    end
    assign hot_late[q] = cold_q > 5'd9;
    always_ff @(posedge clk_i) begin
      if (rst_i || (req_hot_i[q] && served_i[q])) cold_q <= '0;
      else if (served_i[q] && hot_waits && !hot_late[q]) cold_q <= cold_q + 1'b1;
    end
  end

  // and so is each hot queue among those of its output and VL
  for (genvar h = 0; h < HPQS; h++) begin : g_hpq_turn
    localparam int PASSES = 20 * HPQS;  // 8 cold packets and one more before each hot one, in two rounds
    logic [7:0] passes_q;
    logic       waits, passed, own;
    always_comb begin
      waits = 1'b0;
      passed = 1'b0;
      own = 1'b0;
      for (int k = 0; k < LINES; k++)
        if (hot[k] && line_queue_i[k*16 +: 16] == 16'(PV + h))
          for (int q = 0; q < PV; q++)
            if (line_out_i[k*8 +: 8] * 8'(VLS) + line_vl_i[k*8 +: 8] == 8'(q)) begin
              waits = hpq_pkts_i[h*16 +: 16] != '0 && !hot_stopped_i[h] && !rx_open_i;
              own = served_i[q] && req_hot_i[q] && req_hpq_i[q*HW +: HW] == HW'(h);
              passed = served_i[q] && !own;
            end
    end
    assign hpq_late[h] = passes_q > 8'(PASSES);
    always_ff @(posedge clk_i) begin
      // (stops that come and go: below)
      if (rst_i || own || hot_stopped_i[h] || hpq_pkts_i[h*16 +: 16] == '0) passes_q <= '0;
      else if (waits && passed && !hpq_late[h]) passes_q <= passes_q + 1'b1;
    end
  end

  // A3: of two hot queues of an output and VL, the one that is stopped whenever the other is passes it twice at most, however
  // the stops come and go and whatever else goes. (A queue that is free while another is stopped may pass it each time: the
  // stop ends for good when nothing of its line goes, so it is the output that gives the turns there.)
  logic [HPQS-1:0]      whole, hot_busy, hot_goes;  // its head is there and could start; a line has it; a packet of it goes
  logic [HPQS-1:0]      hot_stops;                  // and that line asks for a stop
  logic [HPQS*16-1:0]   hot_of;                     // output and VL of that line
  logic [HPQS*HPQS-1:0] pair_late;

  always_comb begin
    hot_busy = '0;
    hot_stops = '0;
    hot_of = '0;
    hot_goes = '0;
    for (int h = 0; h < HPQS; h++) begin
      whole[h] = hpq_pkts_i[h*16 +: 16] > 16'(rx_open_i);
      for (int k = 0; k < LINES; k++)
        if (line_state_i[k*2+1] && line_queue_i[k*16 +: 16] == 16'(PV + h)) begin
          hot_busy[h] = 1'b1;
          hot_stops[h] = line_stop_req_i[k];
          hot_of[h*16 +: 16] = line_out_i[k*8 +: 8] * 16'(VLS) + 16'(line_vl_i[k*8 +: 8]);
        end
      for (int q = 0; q < PV; q++) if (served_i[q] && req_hot_i[q] && req_hpq_i[q*HW +: HW] == HW'(h)) hot_goes[h] = 1'b1;
    end
  end

  for (genvar h = 0; h < HPQS; h++) begin : g_passed
    for (genvar x = 0; x < HPQS; x++) begin : g_by
      logic [1:0] passes_q;
      wire        mates = hot_busy[h] && hot_busy[x] && hot_of[h*16 +: 16] == hot_of[x*16 +: 16]
          && !(hot_stopped_i[h] && !hot_stopped_i[x]);
      assign pair_late[h*HPQS+x] = passes_q > 2'd2;
      always_ff @(posedge clk_i) begin
        if (rst_i || hot_goes[h] || !whole[h] || !mates) passes_q <= '0;
        else if (hot_goes[x] && !pair_late[h*HPQS+x]) passes_q <= passes_q + 1'b1;
      end
    end
  end

  // E5: an adapter sends its ACKs whatever is stopped, so a stop ends when of data nothing is left in the hot queue, however
  // many ACKs keep coming: the second one served after the last packet of data finds that packet read.
  logic [HPQS-1:0] deaf;
  for (genvar h = 0; h < HPQS; h++) begin : g_deaf
    logic        data_comes;
    logic [15:0] data_q;  // packets of data that wait
    logic [1:0]  acks_q;  // ACKs served since there is none
    assign data_comes = move_i && !move_ack_i && move_hpq_i == HW'(h);
    assign deaf[h] = acks_q == 2'd2 && hot_stops[h];
    always_ff @(posedge clk_i) begin
      if (rst_i) data_q <= '0;
      else data_q <= data_q + 16'(data_comes) - 16'(hot_goes[h] && !hot_ack_i[h]);
      if (rst_i || data_comes || data_q != '0) acks_q <= '0;
      else if (hot_goes[h] && hot_ack_i[h] && acks_q != 2'd2) acks_q <= acks_q + 1'b1;
    end
  end

  // E4: a cold head that a hot line lists goes into that line's queue, after one packet of each other cold queue at most
  for (genvar q = 0; q < PV; q++) begin : g_move
    logic [7:0] moves_q;
    logic       waits;
    always_comb begin
      waits = 1'b0;
      for (int k = 0; k < LINES; k++)
        if (ONE_QUEUE == 0 && line_state_i[k*2 +: 2] == quell_pkg::LN_HOT && head_any_i[q] && !head_cnp_i[q]
            && line_out_i[k*8 +: 8] * 8'(VLS) + line_vl_i[k*8 +: 8] == 8'(q))
          for (int d = 0; d < DLIST; d++)
            if (8'(d) < line_dcnt_i[k*8 +: 8] && cold_dlid_i[((ONE_QUEUE != 0) ? 0 : q)*16 +: 16]
                == line_dlist_i[(k*DLIST+d)*16 +: 16]) waits = 1'b1;
    end
    assign move_late[q] = moves_q >= 8'(PV);
    always_ff @(posedge clk_i) begin
      if (rst_i || !waits || served_i[q] || (move_i && move_q_i == QW'(q))) moves_q <= '0;
      else if (move_i && !move_late[q]) moves_q <= moves_q + 1'b1;
    end
  end

  // E6: a line with nothing in its queue, nothing to come into it, and no stop from downstream ends when each other line
  // has had its messages: GO, ALLOC, DEALLOC
  for (genvar k = 0; k < LINES; k++) begin : g_end
    localparam int ENDS = 3 * LINES + 8;
    logic [7:0] idle_q;
    logic       keeps;   // something is in its queue or comes
    always_comb begin
      keeps = free[k];
      for (int h = 0; h < HPQS; h++)
        if (line_queue_i[k*16 +: 16] == 16'(PV + h))
          keeps = keeps || hpq_fill_i[h*16 +: 16] != '0 || hpq_pkts_i[h*16 +: 16] != '0 || hot_stopped_i[h];
      for (int q = 0; q < PV; q++) begin
        if (line_queue_i[k*16 +: 16] == 16'(q))
          keeps = keeps || cpq_fill_i[q*16 +: 16] != '0 || cpq_pkts_i[q*16 +: 16] != '0;
        if (hot[k] && line_out_i[k*8 +: 8] * 8'(VLS) + line_vl_i[k*8 +: 8] == 8'(q))
          for (int d = 0; d < DLIST; d++)
            if (8'(d) < line_dcnt_i[k*8 +: 8] && cpq_pkts_i[q*16 +: 16] != '0
                && cold_dlid_i[((ONE_QUEUE != 0) ? 0 : q)*16 +: 16] == line_dlist_i[(k*DLIST+d)*16 +: 16]) keeps = 1'b1;
      end
    end
    assign end_late[k] = idle_q > 8'(ENDS);
    always_ff @(posedge clk_i) begin
      if (rst_i || keeps) idle_q <= '0;
      else if (!end_late[k]) idle_q <= idle_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      e5_go_follows: assert (go_late == '0);
      e5_stop_ends_beside_acks: assert (deaf == '0);
      e2_reached_line_is_announced: assert (alloc_late == '0);
      a2_hot_queue_has_turn: assert (hot_late == '0);
      a2_cold_head_has_turn: assert (cold_late == '0);
      a2_each_hot_queue_has_turn: assert (hpq_late == '0);
      a3_each_hot_queue_after_stops: assert (pair_late == '0);
      e6_empty_line_ends: assert (end_late == '0);
      e4_moves_go_round: assert (move_late == '0);
    end
  end
`endif

  // lives of CAM line 0 since reset: taken and freed again
  logic [1:0] lives_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) lives_q <= '0;
    else if (!free_q[0] && free[0] && lives_q != 2'd3) lives_q <= lives_q + 1'b1;
    if (!rst_i && past_ok_q) begin
      e6_c_one_life: cover (lives_q == 2'd1);
      e6_c_two_lives: cover (lives_q == 2'd2);
    end
  end

  // E9: two data packets of one output, VL and destination are followed, A before B: any two (formal
  // tools choose them), or now and then two (simulation). A packet is known by its place: the queue and the
  // number of packets before it.
  logic          choice;
  logic          a_here_q, a_hot_q, b_here_q, b_hot_q;
  logic [QW-1:0] pair_q;                    // their output and VL
  logic [15:0]   dlid_q;
  logic [HW-1:0] a_hpq_q, b_hpq_q;
  logic [15:0]   a_ahead_q, b_ahead_q;
  logic          cold_pop, move, a_pop, b_pop, a_leaves, b_leaves, a_moves, b_moves, hit, unlisted;
  logic [15:0]   cold_pkts, move_pkts, head_dlid, a_pkts, b_pkts, accept_pkts;
  logic [HPQS-1:0] hot_pop;

`ifdef FORMAL
  (* anyseq *) logic free_choice;
  assign choice = free_choice;
`else
  assign choice = 1'b1;
`endif

  always_comb begin
    hot_pop = '0;
    for (int q = 0; q < PV; q++)
      if (served_i[q] && req_hot_i[q]) hot_pop[req_hpq_i[q*HW +: HW]] = 1'b1;
    cold_pop = 1'b0;
    cold_pkts = '0;
    head_dlid = '0;
    accept_pkts = '0;
    for (int c = 0; c < NQ; c++) begin
      if (ONE_QUEUE != 0 || pair_q == QW'(c)) begin
        cold_pop = cold_pop_i[c];
        cold_pkts = cpq_pkts_i[c*16 +: 16];
        head_dlid = cold_dlid_i[c*16 +: 16];
      end
      if (ONE_QUEUE != 0 || accept_q_i == QW'(c))
        accept_pkts = cpq_pkts_i[c*16 +: 16] - 16'(cold_pop_i[c]);
    end
    move = move_i && (ONE_QUEUE != 0 || move_q_i == pair_q);
    move_pkts = hpq_pkts_i[move_hpq_i*16 +: 16] - 16'(hot_pop[move_hpq_i]);
    a_pkts = a_hot_q ? hpq_pkts_i[a_hpq_q*16 +: 16] : cold_pkts;
    b_pkts = b_hot_q ? hpq_pkts_i[b_hpq_q*16 +: 16] : cold_pkts;
    a_pop = a_here_q && (a_hot_q ? hot_pop[a_hpq_q] : cold_pop);
    b_pop = b_here_q && (b_hot_q ? hot_pop[b_hpq_q] : cold_pop);
    a_moves = a_here_q && !a_hot_q && a_ahead_q == '0 && move;
    b_moves = b_here_q && !b_hot_q && b_ahead_q == '0 && move;
    a_leaves = a_pop && a_ahead_q == '0 && !a_moves;
    b_leaves = b_pop && b_ahead_q == '0 && !b_moves;
    // the line whose hot queue A is in has A's destination on its list
    hit = 1'b0;
    for (int k = 0; k < LINES; k++)
      if (line_state_i[k*2+1] && line_queue_i[k*16 +: 16] == 16'(PV) + 16'(a_hpq_q)
          && line_out_i[k*8 +: 8] * 8'(VLS) + line_vl_i[k*8 +: 8] == 8'(pair_q))
        for (int d = 0; d < DLIST; d++)
          if (8'(d) < line_dcnt_i[k*8 +: 8] && line_dlist_i[(k*DLIST+d)*16 +: 16] == dlid_q) hit = 1'b1;
    unlisted = a_here_q && a_hot_q && !hit;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      a_here_q <= 1'b0;
      b_here_q <= 1'b0;
    end else begin
      if (a_leaves) begin  // B, if there is one, is the next A
        a_here_q <= b_here_q && !b_leaves;
        b_here_q <= 1'b0;
      end else if (!a_here_q) begin
        a_here_q <= accept_i && !accept_cnp_i && choice;
      end else if (!b_here_q) begin
        b_here_q <= accept_i && !accept_cnp_i && choice && accept_q_i == pair_q && accept_dlid_i == dlid_q;
      end
    end
    if (!a_here_q) begin
      pair_q <= accept_q_i;
      dlid_q <= accept_dlid_i;
      a_hot_q <= 1'b0;
      a_ahead_q <= accept_pkts;
    end else if (a_leaves) begin
      a_hot_q <= b_hot_q || b_moves;
      a_hpq_q <= b_moves ? move_hpq_i : b_hpq_q;
      a_ahead_q <= b_moves ? move_pkts : b_ahead_q - 16'(b_pop);
    end else if (a_moves) begin
      a_hot_q <= 1'b1;
      a_hpq_q <= move_hpq_i;
      a_ahead_q <= move_pkts;
    end else begin
      a_ahead_q <= a_ahead_q - 16'(a_pop);
    end
    if (!b_here_q) begin
      b_hot_q <= 1'b0;
      b_ahead_q <= accept_pkts;
    end else if (b_moves) begin
      b_hot_q <= 1'b1;
      b_hpq_q <= move_hpq_i;
      b_ahead_q <= move_pkts;
    end else begin
      b_ahead_q <= b_ahead_q - 16'(b_pop);
    end
    if (!rst_i && past_ok_q) begin
      // a queue gives its packets in order: its head is the one that nothing is before
      b1_head_is_its_packet: assert (!a_here_q || a_hot_q || a_ahead_q != '0 || head_dlid == dlid_q);
      e9_in_its_queue: assert ((!a_here_q || a_ahead_q < a_pkts) && (!b_here_q || b_ahead_q < b_pkts));
      e9_hot_packet_is_listed: assert (!unlisted);
      e9_behind: assert (!b_here_q || (a_here_q && (b_hot_q <= a_hot_q)
          && (b_hot_q != a_hot_q || a_ahead_q < b_ahead_q) && (!b_hot_q || a_hpq_q == b_hpq_q)));
      e9_pair_in_order: assert (!b_leaves || !a_here_q || a_leaves);
      e9_not_at_once: assert (!(a_leaves && b_leaves));
      e9_c_both_hot: cover (b_here_q && b_hot_q);
      e9_c_race: cover (b_here_q && a_hot_q && !b_hot_q && a_leaves);
    end
  end

`ifdef FORMAL
  // lemmas: blocks held are those that are not free; the packets followed are where they are thought to be
  localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int DW = OW + 24;
  (* view = "u_buffer.u_pool.map" *) logic [(BLOCKS+31)/32*32-1:0] free_blocks;
  (* view = "u_shape.place" *) logic [(NQ+HPQS)*BLOCKS*DW-1:0] place;  // descriptors by queue and place
  logic [$clog2(BLOCKS+1)-1:0] held_blocks;
  logic [DW-1:0] a_desc, b_desc;
  logic          a_lost, b_lost;

  always_comb begin
    held_blocks = '0;
    for (int b = 0; b < BLOCKS; b++) held_blocks = held_blocks + ($clog2(BLOCKS+1))'(held_q[b]);
    a_desc = '0;
    b_desc = '0;
    for (int q = 0; q < NQ + HPQS; q++) begin
      for (int i = 0; i < BLOCKS; i++) begin
        if (a_ahead_q == 16'(i) && (a_hot_q ? q == NQ + 32'(a_hpq_q) : q == (ONE_QUEUE != 0 ? 0 : 32'(pair_q))))
          a_desc = place[(q*BLOCKS+i)*DW +: DW];
        if (b_ahead_q == 16'(i) && (b_hot_q ? q == NQ + 32'(b_hpq_q) : q == (ONE_QUEUE != 0 ? 0 : 32'(pair_q))))
          b_desc = place[(q*BLOCKS+i)*DW +: DW];
      end
    end
    a_lost = a_here_q && (a_desc[15:0] != dlid_q || a_desc[23]
        || (ONE_QUEUE != 0 && a_desc[DW-1:24] != pair_q[OW-1:0]));
    b_lost = b_here_q && (b_desc[15:0] != dlid_q || b_desc[23]
        || (ONE_QUEUE != 0 && b_desc[DW-1:24] != pair_q[OW-1:0]));
  end

  always @(posedge clk_i) begin
    if (!rst_i) begin
      b1_l_held_are_used: assert (held_q == ~free_blocks[BLOCKS-1:0] && held_count_q == 16'(held_blocks));
      e9_l_pair_is_there: assert (!a_lost && !b_lost);
      e9_l_pair_of_a_queue: assert (!a_here_q || (32'(pair_q) < PV && (!a_hot_q || 32'(a_hpq_q) < HPQS)
          && (!b_here_q || !b_hot_q || 32'(b_hpq_q) < HPQS)));
    end
  end
`endif
endmodule

`ifndef YOSYS
bind input_config limit_checker #(.TIMER_W(TIMER_W)) u_limit_check (
    .clk_i(clk_i), .rst_i(rst_i), .we_i(we_i && addr_i == quell_pkg::IP_LINE_TIMER), .data_i(data_i), .limit_i(line_timer_o)
);
`endif

`default_nettype wire
