// Properties of switch_input_port that hold in every cycle, whatever the neighbours do. Instantiated
// at the end of the module under QUELL_CHECK; each label names the rule that a failure breaks.
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
    localparam int PV = PORTS * VLS
) (
    input wire logic                      clk_i,
    input wire logic                      rst_i,
    input wire logic                      cfg_we_i,
    input wire logic [7:0]                cfg_addr_i,
    input wire logic [15:0]               cfg_data_i,
    // buffer
    input wire logic                      store_i,
    input wire logic [AW-1:0]             store_block_i,
    input wire logic [PORTS-1:0]          read_i,
    input wire logic [PORTS*AW-1:0]       read_block_i,
    input wire logic [VLS*16-1:0]         used_i,
    // queues
    input wire logic [PV*16-1:0]          cpq_pkts_i,
    input wire logic [PV*16-1:0]          cpq_fill_i,
    input wire logic [HPQS*16-1:0]        hpq_pkts_i,
    input wire logic [HPQS*16-1:0]        hpq_fill_i,
    // requests and streams
    input wire logic [PV-1:0]             grant_i,
    input wire logic [PV-1:0]             req_valid_i,
    input wire logic [PV*16-1:0]          req_dlid_i,
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
    // CAM lines
    input wire logic [LINES*2-1:0]        line_state_i,
    input wire logic [LINES*8-1:0]        line_out_i,
    input wire logic [LINES*4-1:0]        line_vl_i,
    input wire logic [LINES*16-1:0]       line_queue_i,
    input wire logic [LINES-1:0]          line_linked_i,
    input wire logic [LINES-1:0]          line_ann_i,
    input wire logic [LINES-1:0]          line_sent_stop_i,
    input wire logic [LINES-1:0]          line_stop_req_i,
    input wire logic [LINES-1:0]          line_dirty_i,
    input wire logic [LINES*8-1:0]        line_dcnt_i,
    input wire logic [LINES*DLIST*16-1:0] line_dlist_i,
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

  always_comb begin
    used_sum = '0;
    for (int v = 0; v < VLS; v++) used_sum = used_sum + used_i[v*16 +: 16];
    reads = '0;
    for (int o = 0; o < PORTS; o++) reads = reads + 16'(read_i[o]);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      held_q <= '0;
      held_count_q <= '0;
    end else begin
      for (int o = 0; o < PORTS; o++)
        if (read_i[o]) held_q[read_block_i[o*AW +: AW]] <= 1'b0;
      if (store_i) held_q[store_block_i] <= 1'b1;
      held_count_q <= held_count_q + 16'(store_i) - reads;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      f2_blocks_conserved: assert (used_sum == held_count_q);
      b1_store_into_free_block: assert (!store_i || !held_q[store_block_i]);
    end
  end
  for (genvar v = 0; v < VLS; v++) begin : g_vl
    always_ff @(posedge clk_i)
      if (!rst_i) b1_used_within_cap: assert (used_i[v*16 +: 16] <= 16'(CAP));
  end
  for (genvar o = 0; o < PORTS; o++) begin : g_read
    always_ff @(posedge clk_i)
      if (!rst_i && read_i[o])
        b1_read_of_held_block: assert (held_q[read_block_i[o*AW +: AW]]);
    for (genvar p = o + 1; p < PORTS; p++) begin : g_pair
      always_ff @(posedge clk_i)
        if (!rst_i && read_i[o] && read_i[p])
          b1_block_read_once: assert (read_block_i[o*AW +: AW] != read_block_i[p*AW +: AW]);
    end
  end

  // B1: a packet in a queue is charged to it
  for (genvar q = 0; q < PV; q++) begin : g_cpq
    always_ff @(posedge clk_i)
      if (!rst_i)
        b1_cpq_packets_charged: assert (cpq_fill_i[q*16 +: 16] >= cpq_pkts_i[q*16 +: 16]);
  end
  for (genvar h = 0; h < HPQS; h++) begin : g_hpq
    logic owned;
    always_comb begin
      owned = 1'b0;
      for (int k = 0; k < LINES; k++)
        if (line_state_i[k*2+1] && line_queue_i[k*16 +: 16] == 16'(PV + h)) owned = 1'b1;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_i) begin
        b1_hpq_packets_charged: assert (hpq_fill_i[h*16 +: 16] >= hpq_pkts_i[h*16 +: 16]);
        e6_hpq_in_use_has_line: assert (owned || hpq_fill_i[h*16 +: 16] == '0);
      end
    end
  end

  // A2, B2, B3: requests and streams
  logic [PV-1:0]    req_valid_q;
  logic [PV*16-1:0] req_dlid_q;
  logic [PV-1:0]    req_cnp_q;
  logic [PV-1:0]    grant_q;
  logic             quiet_q;  // no reset and no configuration write in the last cycle
  logic [PORTS-1:0] open_q;
  logic [PORTS-1:0] act_q;

  always_ff @(posedge clk_i) begin
    req_valid_q <= req_valid_i;
    req_dlid_q <= req_dlid_i;
    req_cnp_q <= req_cnp_i;
    grant_q <= grant_i;
    quiet_q <= !rst_i && !cfg_we_i;
    open_q <= rst_i ? '0 : (open_q & ~xb_valid_i) | (xb_valid_i & ~xb_last_i);
    act_q <= rst_i ? '0 : xb_act_i;
  end

  for (genvar o = 0; o < PORTS; o++) begin : g_stream
    always_ff @(posedge clk_i) begin
      if (!rst_i) begin
        a2_end_only_when_active: assert (!xb_end_i[o] || xb_act_i[o]);
        a2_active_only_after_grant:
        assert (!xb_act_i[o] || act_q[o] || |grant_q[o*VLS +: VLS]);
        b3_first_flit_opens: assert (!xb_valid_i[o] || xb_first_i[o] != open_q[o]);
        b3_idle_stream_is_zero:
        assert (xb_valid_i[o] || (!xb_first_i[o] && !xb_last_i[o] && !xb_bad_i[o]));
        b3_bad_only_with_last: assert (!xb_bad_i[o] || xb_last_i[o]);
      end
    end
  end
  for (genvar q = 0; q < PV; q++) begin : g_request
    localparam int O = q / VLS;
    always_ff @(posedge clk_i) begin
      if (!rst_i) begin
        a2_request_needs_engine: assert (!req_valid_i[q] || !xb_act_i[O] || xb_end_i[O]);
        a2_cnp_is_cold: assert (!req_cnp_i[q] || !req_hot_i[q]);
        e6_unlinked_is_hot: assert (!req_unlinked_i[q] || req_hot_i[q]);
        if (quiet_q && req_valid_q[q] && req_cnp_q[q] && grant_q[O*VLS +: VLS] == '0)
          a2_cnp_request_stays:
          assert (req_valid_i[q] && req_cnp_i[q]
                  && req_dlid_i[q*16 +: 16] == req_dlid_q[q*16 +: 16]);
      end
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
  logic [LINES-1:0]   hot_q;
  logic [LINES*8-1:0] dcnt_q;
  always_ff @(posedge clk_i) begin
    dcnt_q <= rst_i ? '0 : line_dcnt_i;
    for (int k = 0; k < LINES; k++) hot_q[k] <= !rst_i && line_state_i[k*2+1];
  end

  for (genvar k = 0; k < LINES; k++) begin : g_line
    logic                free;
    logic [DLIST*16-1:0] dlist;
    logic                msg;
    assign free = line_state_i[k*2 +: 2] == quell_pkg::LN_FREE;
    assign dlist = line_dlist_i[k*DLIST*16 +: DLIST*16];
    assign msg = msg_valid_i && msg_line_i == 8'(k);

    always_ff @(posedge clk_i) begin
      if (!rst_i) begin
        e6_free_line_is_zero:
        assert (!free || (line_queue_i[k*16 +: 16] == '0 && !line_linked_i[k] && !line_ann_i[k]
                && !line_sent_stop_i[k] && !line_stop_req_i[k] && !line_dirty_i[k]
                && line_dcnt_i[k*8 +: 8] == '0 && dlist == '0));
        e1_list_within_bound: assert (line_dcnt_i[k*8 +: 8] <= 8'(DLIST));
        e2_unknown_line_is_silent: assert (line_ann_i[k] || !line_sent_stop_i[k]);
        if (msg) begin
          case (msg_type_i)
            quell_pkg::MSG_ALLOC:
            e2_alloc_announces:
            assert (line_ann_i[k] && line_sent_stop_i[k] == msg_stop_i);
            quell_pkg::MSG_DEALLOC: e6_dealloc_frees: assert (free);
            quell_pkg::MSG_STOP: e5_stop_noted: assert (line_sent_stop_i[k]);
            default: e5_go_noted: assert (!line_sent_stop_i[k] && line_ann_i[k]);
          endcase
        end
      end
    end

    for (genvar j = k + 1; j < LINES; j++) begin : g_pair
      always_ff @(posedge clk_i)
        if (!rst_i && !free && line_state_i[j*2 +: 2] != quell_pkg::LN_FREE)
          e3_queue_has_one_line:
          assert (line_queue_i[k*16 +: 16] != line_queue_i[j*16 +: 16]);
    end

    // E4, E9: a destination that comes onto a HOT line is on no other one of that output and VL
    logic        grown;
    logic [15:0] dlid;
    logic [7:0]  copies;
    assign grown = line_state_i[k*2+1]
        && (!hot_q[k] || line_dcnt_i[k*8 +: 8] != dcnt_q[k*8 +: 8]);
    always_comb begin
      dlid = '0;
      copies = '0;
      if (grown) begin
        for (int d = 0; d < DLIST; d++)
          if (line_dcnt_i[k*8 +: 8] == 8'(d + 1)) dlid = dlist[d*16 +: 16];
        for (int j = 0; j < LINES; j++) begin
          if (line_state_i[j*2+1] && line_out_i[j*8 +: 8] == line_out_i[k*8 +: 8]
              && line_vl_i[j*4 +: 4] == line_vl_i[k*4 +: 4]) begin
            for (int d = 0; d < DLIST; d++)
              if (line_dcnt_i[j*8 +: 8] > 8'(d) && line_dlist_i[(j*DLIST+d)*16 +: 16] == dlid)
                copies = copies + 8'd1;
          end
        end
      end
    end
    always_ff @(posedge clk_i)
      if (!rst_i && grown) e4_dlid_on_one_hot_line: assert (copies == 8'd1);
  end
endmodule

`default_nettype wire
