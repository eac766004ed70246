// Flits through an adapter, whatever chooses among its flows: a packet that is injected is whole and as its header says, one that
// came is shown to the host whole or told as broken, every block that is used is of a flit, and credits are promised for the others.
// Instantiated by hca under QUELL_CHECK. Rules B3, F1, F2, H8, H9; docs/hca.md sections 2, 4, 7, 13.
`default_nettype none

module adapter_stream_checker #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int DLIST = 8,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int RX_BLOCKS = 256,
    parameter int CNT_W = 32,
    parameter int SRP = 0,
    parameter int CTL_BLOCKS = 64,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int CTL = 8 * (16 + 2 * DLIST),
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              ready_i,
    input wire logic              link_up_i,
    input wire logic [15:0]       lid_i,
    input wire logic [15:0]       lid_base_i,
    // the packet that is taken to be injected
    input wire logic              pop_i,
    input wire logic              pop_cnp_i,
    input wire logic [15:0]       pop_flow_i,
    input wire logic [6:0]        pop_len_i,
    // injector
    input wire logic              sending_i,
    input wire logic              dma_valid_i,
    input wire logic              dma_ready_i,
    input wire logic [15:0]       dma_flow_i,
    input wire logic [23:0]       dma_psn_i,
    input wire logic [6:0]        dma_index_i,
    input wire logic              inj_valid_i,
    input wire logic              inj_first_i,
    input wire logic              inj_last_i,
    input wire logic [DW-1:0]     inj_data_i,
    input wire logic [12*VLS-1:0] txr_i,         // credits that it has used of each lane
    input wire logic [15:0]       err_in_i,
    // what has been granted
    input wire logic              own_act_i,     // what the adapter sends of itself
    input wire logic              own_sw_i,
    input wire logic              data_act_i,
    input wire logic              data_sw_i,
    input wire logic              data_last_i,
    input wire logic [1:0]        due_i,         // packets on their way to the link, as the output port counts them
    // what is in queues of the adapter, and what is told them of flits
    input wire logic              queued_i,
    input wire logic              tells_i,
    // receiver
    input wire logic              rx_valid_i,
    input wire logic              rx_first_i,
    input wire logic              store_i,
    input wire logic              count_i,
    input wire logic [VW-1:0]     store_vl_i,
    input wire logic              fctbs_valid_i,
    input wire logic              hold_i,        // SRP: the end of a SPEC packet is held back
    input wire logic              marker_i,      // DEDUP: a flit leaves that is not shown
    input wire logic              host_valid_i,
    input wire logic              host_ready_i,
    input wire logic              host_first_i,
    input wire logic              host_last_i,
    input wire logic              host_bad_i,
    input wire logic [DW-1:0]     host_data_i,
    input wire logic [VW-1:0]     host_vl_i,
    input wire logic [12*VLS-1:0] used_i,
    input wire logic [12*VLS-1:0] abr_i,
    input wire logic [CNT_W-1:0]  cnt_rcv_i,
    input wire logic [CTL-1:0]    tx_ctl_i,
    input wire logic [15:0]       err_i,
    input wire logic [15:0]       err_set_i,
    input wire logic [15:0]       err_clear_i
);
  localparam int LANES = (SRP != 0) ? VLS - 2 : VLS;  // of packets for the host
  localparam int CAP = RX_BLOCKS / LANES;
  localparam int NW = $clog2(RX_BLOCKS + 1);
  // errors that a neighbour who keeps the rules never causes at the input port
  localparam logic [15:0] INJECTED_WELL =
      (16'd1 << quell_pkg::IE_BAD_VL) | (16'd1 << quell_pkg::IE_BAD_LEN)
      | (16'd1 << quell_pkg::IE_NO_CREDIT) | (16'd1 << quell_pkg::IE_FRAMING)
      | (16'd1 << quell_pkg::IE_BAD_PKT) | (16'd1 << quell_pkg::IE_BAD_GRANT);

  // ---- what was there a cycle ago
  logic              past_ok_q;  // the last cycle was not a reset cycle
  logic              ready_q, dma_valid_q, dma_ready_q, inj_last_q, pop_q, pop_cnp_q, fctbs_q, up_q;
  logic [6:0]        dma_index_q;
  logic [15:0]       pop_flow_q, err_q, err_set_q, err_clear_q;
  logic [CNT_W-1:0]  cnt_rcv_q;
  logic [12*VLS-1:0] abr_q;
  logic              count_q;
  logic [VW-1:0]     store_vl_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    ready_q <= ready_i;
    dma_valid_q <= dma_valid_i;
    dma_ready_q <= dma_ready_i;
    dma_index_q <= dma_index_i;
    inj_last_q <= inj_last_i;
    pop_q <= pop_i;
    pop_flow_q <= pop_flow_i;
    pop_cnp_q <= pop_cnp_i;
    cnt_rcv_q <= cnt_rcv_i;
    fctbs_q <= fctbs_valid_i;
    up_q <= link_up_i;
    abr_q <= abr_i;
    count_q <= count_i;
    store_vl_q <= store_vl_i;
    err_q <= err_i;
    err_set_q <= err_set_i;
    err_clear_q <= err_clear_i;
  end

  // ---- shadow of the packet being injected
  logic        open_q;
  logic        sends_cnp_q;  // it is a CNP
  logic [6:0]  flits_q;   // of it, sent
  logic [6:0]  n_q;       // its length as its descriptor says
  logic [15:0] base_q;    // LID_BASE when it was taken
  logic [15:0] dlid;
  logic [10:0] words;
  logic        whole;     // the packet has as many flits as descriptor and header say

  assign words = {inj_data_i[34:32], inj_data_i[47:40]};
  assign dlid = {inj_data_i[23:16], inj_data_i[31:24]};
  assign whole = flits_q + 7'd1 == n_q;

  always_ff @(posedge clk_i) begin
    if (pop_i) base_q <= lid_base_i;
    if (rst_i) begin
      open_q <= 1'b0;
      flits_q <= '0;
      n_q <= '0;
      sends_cnp_q <= 1'b0;
    end else begin
      if (pop_i) n_q <= pop_len_i;
      if (pop_i) sends_cnp_q <= pop_cnp_i;
      if (inj_valid_i) begin
        open_q <= !inj_last_i;
        flits_q <= inj_last_i ? '0 : flits_q + 1'b1;
      end
    end
  end

  // ---- the lane whose credits it took, and the lane on which it enters the input port
  logic [12*VLS-1:0] txr_q;
  logic [VLS-1:0]    took, took_q, enters;

  for (genvar v = 0; v < VLS; v++) begin : g_lane
    assign took[v] = txr_i[12*v+:12] != txr_q[12*v+:12];
    assign enters[v] = ((VL_BY_DEST != 0) ? dlid % 16'(VLS) : 16'(inj_data_i[7:4])) == 16'(v);
  end

  always_ff @(posedge clk_i) begin
    txr_q <= txr_i;
    if (took != '0) took_q <= took;
  end

  // ---- packets that the host takes
  logic             host_open_q;     // the last flit taken was not the last of its packet
  logic [7:0]       host_n, host_n_q, host_m, host_m_q;  // flits announced, taken
  logic [CNT_W-1:0] host_good_q;     // whole packets
  logic             fresh_q;         // no packet has begun since the link was down
  logic             taken, gave_up_q;  // gave_up_q: a packet was given up since reset

  assign taken = host_valid_i && host_ready_i;
  assign host_n = host_first_i ? {1'b0, host_data_i[34:32], host_data_i[47:44]} + 8'(host_data_i[43:40] != '0)
      : host_n_q;
  assign host_m = host_first_i ? 8'd1 : host_m_q + 8'd1;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      host_open_q <= 1'b0;
      host_good_q <= '0;
      gave_up_q <= 1'b0;
      fresh_q <= 1'b0;
    end else begin
      fresh_q <= !link_up_i || (fresh_q && !(rx_valid_i && rx_first_i));
      if (taken) host_open_q <= !host_last_i;
      if (taken && host_last_i && !host_bad_i && host_good_q != '1) host_good_q <= host_good_q + 1'b1;
      gave_up_q <= gave_up_q || err_set_i[quell_pkg::HE_FRAMING] || err_set_i[quell_pkg::HE_LINK_DOWN];
    end
    if (taken) begin
      host_n_q <= host_n;
      host_m_q <= host_m;
    end
  end

  // ---- shadow of the receive FIFO
  logic [NW-1:0]     flits_in_q;  // stored and not taken
  logic [NW-1:0]     used_sum;    // blocks of them
  logic              used_ok, abr_ok;
  logic [11:0]       limit;       // credits in the control word, beyond what was received
  logic [11:0]       space;
  logic              pop_ok;
  logic [12*VLS-1:0] caps;

  always_comb begin
    for (int v = 0; v < VLS; v++) caps[12*v+:12] = (v < LANES) ? 12'(CAP) : 12'(CTL_BLOCKS);
    used_sum = '0;
    used_ok = 1'b1;
    abr_ok = 1'b1;
    for (int v = 0; v < VLS; v++) begin
      if (v < LANES) used_sum = used_sum + NW'(used_i[12*v+:12]);
      if (used_i[12*v+:12] > caps[12*v+:12]) used_ok = 1'b0;
      if (up_q && abr_i[12*v+:12] != abr_q[12*v+:12] + 12'(count_q && store_vl_q == VW'(v)) && !fctbs_q) abr_ok = 1'b0;
      if (!up_q && abr_i[12*v+:12] != '0) abr_ok = 1'b0;
    end
    limit = {tx_ctl_i[43:40], tx_ctl_i[55:48]};
    space = '0;
    for (int v = 0; v < VLS; v++) begin
      if (tx_ctl_i[39:32] == 8'(v)) begin
        limit = limit - abr_i[12*v+:12];
        space = caps[12*v+:12] - used_i[12*v+:12];
      end
    end
    pop_ok = !((host_valid_i && host_ready_i) || marker_i) || used_i[12*host_vl_i+:12] != '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) flits_in_q <= '0;
    else flits_in_q <= flits_in_q + NW'(store_i) - NW'((host_valid_i && host_ready_i) || marker_i);
  end

  // ---- properties of one cycle
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h1_len_legal: assert (!pop_i || (pop_len_i != '0 && pop_len_i <= 7'(MTU)));
      h8_framing: assert (!inj_valid_i || inj_first_i != open_q);
      h8_whole: assert (!inj_valid_i || inj_last_i == whole);
      h8_header_len: assert (!inj_valid_i || !inj_first_i || words == (sends_cnp_q ? 11'd10 : {n_q, 4'd0}));
      h8_header_lid: assert (!inj_valid_i || !inj_first_i || sends_cnp_q || (dlid == base_q + dma_flow_i
          && {inj_data_i[55:48], inj_data_i[63:56]} == lid_i));
      h8_index: assert (!dma_valid_i || dma_index_i == flits_q);
      h8_dma_zero: assert (dma_valid_i || {dma_flow_i, dma_psn_i, dma_index_i} == '0);
      h8_dma_legal: assert (dma_flow_i < 16'(FLOWS) && dma_index_i < 7'(MTU));
      h8_no_pop_while_sending: assert (!pop_i || !sending_i || inj_last_i);
      h8_cnp_asks_no_host: assert (dma_valid_i == (sending_i && !sends_cnp_q));
      h2_queued_cnp: assert (!inj_valid_i || !sends_cnp_q || (inj_first_i && inj_last_i
          && inj_data_i[71:64] == quell_pkg::OPCODE_CNP && inj_data_i[102] && inj_data_i[DW-1:160] == '0));
      f1_injected_well: assert ((err_in_i & INJECTED_WELL) == '0);
      f1_own_lane: assert (!inj_valid_i || !inj_first_i || enters == ((took != '0) ? took : took_q));

      b3_due_is_on_its_way: assert (due_i == 2'(own_act_i || data_act_i) + 2'(own_sw_i || (data_sw_i && data_last_i)));
      b3_packet_ends_with_link: assert (!fresh_q || !store_i || rx_first_i);
      b3_down_hears_nothing: assert (link_up_i || {store_i, count_i, tells_i} == '0);
      h2_one_on_crossbar: assert (!own_sw_i || !data_sw_i);
      h2_one_engine: assert (!own_act_i || !data_act_i);

      b3_no_overflow: assert (!store_i || used_i[12*store_vl_i+:12] < 12'(CAP));
      b3_no_underflow: assert (pop_ok);
      b3_store_counted: assert (!store_i || count_i);
      // every packet that the host sees ends, as long as none is cut off by a new one, and is as long as it says
      b3_host_framing: assert (!host_valid_i || host_first_i != host_open_q || (host_first_i && gave_up_q));
      b3_host_length: assert (!host_valid_i || (host_m <= host_n && host_n <= 8'(MTU)
          && (host_last_i || host_m != host_n)));
      b3_host_whole: assert (!host_valid_i || !host_last_i || host_bad_i || host_m == host_n);
      b3_host_bad_is_last: assert (!host_bad_i || host_last_i);
      b3_counted: assert (host_valid_i || hold_i || host_good_q == cnt_rcv_i);
      f2_bound: assert (used_ok);
      f2_conserved: assert (used_sum == flits_in_q && (host_valid_i || hold_i) == (flits_in_q != '0));
      f1_promise: assert (!tx_ctl_i[1] || (tx_ctl_i[39:32] < 8'(VLS) && limit == space));
      h9_end_of_tree: assert (!tx_ctl_i[2] && tx_ctl_i[CTL-1:64] == '0);
      h1_silent_in_init: assert (ready_i || {queued_i, dma_valid_i, inj_valid_i, store_i, count_i,
          host_valid_i, err_i, tx_ctl_i} == '0);
    end
  end

  // ---- properties of two cycles
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      h1_stays_ready: assert (ready_i || !ready_q);
      h8_pop_sends: assert (!pop_q || (sending_i && dma_valid_i == !pop_cnp_q && (pop_cnp_q || dma_flow_i == pop_flow_q)
          && dma_index_i == '0));
      h8_send_continues: assert (!dma_valid_q || inj_last_q
          || (dma_valid_i && dma_index_i == dma_index_q + 7'(dma_ready_q)));
      h8_send_ends: assert (!inj_last_q || pop_q || !dma_valid_i);
      b3_packet_counted: assert (cnt_rcv_i - cnt_rcv_q <= CNT_W'(1));
      f1_abr_counts: assert (abr_ok);
      b3_err_sticky: assert ((err_q & ~err_clear_q & ~err_i) == '0);
      b3_err_shown: assert ((err_set_q & ~err_i) == '0);
      b3_err_cause: assert ((err_i & ~err_q & ~err_set_q) == '0);
      h8_c_sent: cover (inj_valid_i && inj_last_i && whole);
      h2_c_queued: cover (inj_valid_i && sends_cnp_q);
      b3_c_taken: cover (host_valid_i && host_ready_i);
    end
  end

  wire unused = &{1'b0, inj_data_i, host_data_i, tx_ctl_i};
endmodule

`default_nettype wire
