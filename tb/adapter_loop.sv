// Two switches of two ports, joined by port 0 over wires of some delay, with an adapter each, whose host sends to itself and to the
// other: marks, replies and the response to them in a loop that is closed. The wire to an adapter may eat ACKs, or bring adapter 0 no
// credits. What a user is promised of it, adapter_pair.sv and ack_pair.sv say. For simulation (tests/broken.rs).
`default_nettype none

`ifndef YOSYS
module adapter_loop #(
    parameter int DELAY = 5,
    parameter int RESPONSE = 0,
    parameter int TS_W = 10,
    parameter int CNPQ = 2,
    parameter int DRAIN = 2700,  // cycles after the traffic until everything has left,
    parameter int PROBED = 2960  // and the packets that are posted then
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic [31:0] seed_i,
    input  wire logic        traffic_i,   // hosts send; afterwards everything has to leave
    input  wire logic        lose_i,      // ACKs get lost
    input  wire logic        mute_i,      // no credits for adapter 0
    output logic [5:0]       step_o,      // a register is written in each: in 29 to 34 and 36
    input  wire logic [7:0]  own_unit_i,  // this one
    input  wire logic [7:0]  own_addr_i,
    input  wire logic [31:0] own_data_i,
    output logic             go_o,        // all are
    output logic             drained_o,   // everything has to have left
    output logic             probed_o,    // so have the packets that were posted then
    output logic             all_here_o,  // what was sent was received
    output logic             some_o,      // something was sent
    output logic             wrong_o,     // a packet came twice, in part or out of order
    output logic             busy_o,      // packets or lines are left
    output logic             away_o       // credits are not home
);
  localparam int PORTS = 2, VLS = 2, MTU = 4, BLOCKS = 24, HPQS = 1, LINES = 2, DLIST = 2, FLOWS = 2, CCT = 8, RX_BLOCKS = 16;
  localparam int CAP = BLOCKS / VLS, RX_CAP = RX_BLOCKS / VLS, DW = 256, CTL = 8 * (16 + 2 * DLIST);

  typedef struct packed {
    logic           valid, first, last, bad;
    logic [DW-1:0]  data;
    logic [CTL-1:0] ctl;
  } wire_t;

  // ---- registers, tables
  logic        [1:0] switch_ready, adapter_ready;
  logic              is_on;
  logic              cfg_we, lft_we, cct_we, wt_we, attr_we;
  logic       [7:0]  cfg_unit, cfg_addr;
  logic       [31:0] cfg_data;

  assign go_o = step_o == 6'd41;
  assign is_on = {switch_ready, adapter_ready} == 4'b1111;
  always_ff @(posedge clk_i) begin
    if (rst_i) step_o <= '0;
    else if (is_on && !go_o) step_o <= step_o + 1'b1;
  end

  wire isolate = seed_i[7:6] != 2'd0;
  always_comb begin
    lft_we = is_on && step_o >= 6'd1 && step_o <= 6'(FLOWS);
    cct_we = RESPONSE == 0 && is_on && step_o >= 6'd3 && step_o < 6'(3 + CCT);
    wt_we = RESPONSE != 0 && is_on && step_o >= 6'd3 && step_o < 6'd7;
    attr_we = is_on && step_o >= 6'd11 && step_o < 6'(11 + FLOWS);
    cfg_we = is_on && step_o >= 6'd20 && !go_o;
    cfg_unit = quell_pkg::HU_INPUT;
    cfg_addr = quell_pkg::IP_CTRL;
    cfg_data = 32'(isolate);
    case (step_o)
      6'd21: {cfg_addr, cfg_data} = {quell_pkg::IP_HTH, 32'd5};
      6'd22: {cfg_addr, cfg_data} = {quell_pkg::IP_LTH, 32'(seed_i[2:1])};
      6'd23: {cfg_addr, cfg_data} = {quell_pkg::IP_LINE_TIMER, seed_i[5] ? 32'd200 : 32'd6};
      6'd24: {cfg_addr, cfg_data} = {quell_pkg::IP_REFRESH, 32'd50};
      6'd25: {cfg_addr, cfg_data} = {quell_pkg::IP_RX_INTERVAL, 32'(seed_i[4:3])};
      6'd26: {cfg_unit, cfg_addr, cfg_data} = {quell_pkg::HU_OUTPUT, quell_pkg::OP_CTRL, 30'd0, isolate, 1'b1};
      6'd27: {cfg_unit, cfg_addr, cfg_data} = {quell_pkg::HU_OUTPUT, quell_pkg::OP_LINE_TIMER, 32'd200};
      6'd28: {cfg_unit, cfg_addr, cfg_data} = {quell_pkg::HU_OUTPUT, quell_pkg::OP_TX_INTERVAL, 32'(seed_i[4:3])};
      6'd29, 6'd30, 6'd31, 6'd32, 6'd33, 6'd34, 6'd36: {cfg_unit, cfg_addr, cfg_data} = {own_unit_i, own_addr_i, own_data_i};
      6'd35: {cfg_unit, cfg_addr, cfg_data} = {quell_pkg::HU_ADAPTER, quell_pkg::HCA_LID_BASE, 32'd1};
      6'd37: {cfg_unit, cfg_addr, cfg_data} = {quell_pkg::HU_ADAPTER, quell_pkg::HCA_INJECT, 30'd0, seed_i[14:13]};
      6'd38: {cfg_unit, cfg_addr, cfg_data} = {quell_pkg::HU_ADAPTER, quell_pkg::HCA_LID, 32'd0};  // its own, below
      default: ;
    endcase
  end

  // ---- after the traffic
  logic [11:0] calm_q;
  logic        probe;

  assign drained_o = calm_q == 12'(DRAIN);
  assign probed_o = calm_q == 12'(PROBED);
  assign probe = calm_q >= 12'(DRAIN + 1) && calm_q < 12'(DRAIN + 1 + FLOWS);
  always_ff @(posedge clk_i) begin
    if (rst_i || traffic_i) calm_q <= '0;
    else if (calm_q != '1) calm_q <= calm_q + 1'b1;
  end

  // ---- switches, adapters, wires
  wire_t              from_switch[2*PORTS], to_switch[2*PORTS];  // port p of switch s: s*PORTS+p
  logic [1:0]         wrong, busy_switch, busy_adapter;
  logic [31:0]        sent[2], got[2];
  logic [2*VLS-1:0]   away_joint, away_up, away_down;            // credits

  for (genvar s = 0; s < 2; s++) begin : g_side
    localparam int LID = s + 1;
    logic [PORTS-1:0]          tx_valid, tx_first, tx_last, tx_bad, rx_valid, rx_first, rx_last, rx_bad;
    logic [PORTS*DW-1:0]       tx_data, rx_data;
    logic [PORTS*CTL-1:0]      tx_ctl, rx_ctl;
    logic [PORTS*VLS*16-1:0]   used;
    logic [PORTS*LINES*2-1:0]  line_state;
    logic [PORTS*LINES-1:0]    ol_valid;
    logic [12*PORTS*VLS-1:0]   txr;

    switch #(
        .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .HPQS(HPQS), .LINES(LINES), .DLIST(DLIST),
        .LFT_DEPTH(16), .FLIT_BYTES(DW / 8), .TIMER_W(8), .CNT_W(5)
    ) u_switch (
        .clk_i, .rst_i,
        .cfg_we_i(cfg_we), .cfg_re_i(1'b0), .cfg_unit_i(cfg_unit), .cfg_port_i(8'hFF), .cfg_addr_i(cfg_addr),
        .cfg_data_i(cfg_data),
        .lft_we_i(lft_we), .lft_addr_i(16'(step_o)), .lft_port_i(8'(step_o == 6'(LID))),
        .rx_valid_i(rx_valid), .rx_first_i(rx_first), .rx_last_i(rx_last), .rx_bad_i(rx_bad), .rx_data_i(rx_data),
        .rx_ctl_i(rx_ctl), .link_up_i('1), .ready_o(switch_ready[s]),
        .tx_valid_o(tx_valid), .tx_first_o(tx_first), .tx_last_o(tx_last), .tx_bad_o(tx_bad), .tx_data_o(tx_data),
        .tx_ctl_o(tx_ctl), .st_used_o(used), .st_line_state_o(line_state), .st_ol_valid_o(ol_valid), .st_txr_o(txr),
        .cfg_rvalid_o(), .cfg_rdata_o(), .err_in_o(), .err_out_o(), .st_accept_o(), .st_claim_o(), .st_claim_ahead_o(), .st_cnt_marked_o(),
        .st_cnt_nohpq_o(), .st_cnt_noline_o(), .st_cnt_sent_o(), .st_cong_state_o(), .st_cpq_fill_o(), .st_hpq_fill_o(),
        .st_line_dcnt_o(), .st_lost_o(), .st_ol_stop_o(), .st_spec_nack_o(), .st_cnt_spec_drop_o(), .st_cnt1_o(), .st_cnt2_o()
    );
    assign busy_switch[s] = used != '0 || line_state != '0 || ol_valid != '0;

    for (genvar p = 0; p < PORTS; p++) begin : g_port
      assign from_switch[s*PORTS+p] = {tx_valid[p], tx_first[p], tx_last[p], tx_bad[p], tx_data[p*DW+:DW], tx_ctl[p*CTL+:CTL]};
      assign {rx_valid[p], rx_first[p], rx_last[p], rx_bad[p], rx_data[p*DW+:DW], rx_ctl[p*CTL+:CTL]} = to_switch[s*PORTS+p];
    end

    // the joint link, from this switch to the other
    wire_t wire_q[DELAY];
    always_ff @(posedge clk_i)
      for (int d = 0; d < DELAY; d++) wire_q[d] <= rst_i ? '0 : (d == 0) ? from_switch[s*PORTS] : wire_q[(d == 0) ? 0 : d-1];
    assign to_switch[(1-s)*PORTS] = wire_q[DELAY-1];

    // the adapter and its host
    wire_t                out, out_q, in_q;
    logic [FLOWS-1:0]     gen_full;
    logic                 gen_valid, dma_ready, dma_valid, host_valid, host_first, host_last, host_bad, host_ready;
    logic [15:0]          gen_flow, dma_flow, cnp_pkts, err, err_thr, ack_lost;
    logic [FLOWS-1:0]     outstanding;
    logic [6:0]           gen_len, dma_index;
    logic [23:0]          gen_psn, dma_psn;
    logic [DW-1:0]        dma_data, host_data;
    logic [31:0]          gen_pkts;
    logic                 sending;
    logic [16*VLS-1:0]    a_used, rx_used;
    logic [2*LINES-1:0]   a_line_state;
    logic [LINES-1:0]     a_ol_valid;
    logic [12*VLS-1:0]    a_txr, inj_txr;

    always_ff @(posedge clk_i) begin
      out_q <= rst_i ? '0 : out;
      in_q <= rst_i ? '0 : arrives;
      eat_q <= rst_i ? seed_i ^ 32'h5bd1_e995 : {eat_q[30:0], eat_q[31] ^ eat_q[21] ^ eat_q[1] ^ eat_q[0]};
    end

    // an ACK is eaten, a credit is not told
    logic [31:0] eat_q;
    wire_t       arrives;
    always_comb begin
      arrives = from_switch[s*PORTS+1];
      if (lose_i && traffic_i && arrives.valid && arrives.data[71:64] == 8'h11 && eat_q[1:0] == '0)
        {arrives.valid, arrives.first, arrives.last, arrives.bad, arrives.data} = '0;
      if (mute_i && s == 0) arrives.ctl[1] = 1'b0;
    end
    assign to_switch[s*PORTS+1] = out_q;

    hca #(
        .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .HPQS(HPQS), .LINES(LINES), .DLIST(DLIST), .LFT_DEPTH(16),
        .FLIT_BYTES(DW / 8), .TIMER_W(8), .FLOWS(FLOWS), .CCT(CCT), .TS_W(TS_W), .ADVOQ(2), .RX_BLOCKS(RX_BLOCKS),
        .CNPQ(CNPQ), .CNT_W(5), .RESPONSE(RESPONSE)
    ) u_hca (
        .clk_i, .rst_i,
        .cfg_we_i(cfg_we), .cfg_re_i(1'b0), .cfg_unit_i(cfg_unit), .cfg_addr_i(cfg_addr),
        .cfg_data_i(step_o == 6'd38 ? 32'(LID) : cfg_data),
        .lft_we_i(lft_we), .lft_addr_i(16'(step_o)), .lft_port_i(8'd0),
        .wt_we_i(wt_we), .wt_addr_i(16'(step_o) - 16'd3), .wt_data_i(32'd20 * (32'(step_o) - 3)),
        .cct_we_i(cct_we), .cct_addr_i(16'(step_o) - 16'd3), .cct_data_i(16'(8 * (32'(step_o) - 3))),
        .attr_we_i(attr_we), .attr_flow_i(16'(step_o) - 16'd11), .attr_sl_i(4'(step_o - 6'd11)),
        .gen_valid_i(gen_valid), .gen_flow_i(gen_flow), .gen_len_i(gen_len), .gen_psn_i(gen_psn),
        .dma_ready_i(dma_ready), .dma_data_i(dma_data), .host_ready_i(host_ready),
        .rx_valid_i(in_q.valid), .rx_first_i(in_q.first), .rx_last_i(in_q.last), .rx_bad_i(in_q.bad), .rx_data_i(in_q.data),
        .rx_ctl_i(in_q.ctl), .link_up_i(1'b1), .ready_o(adapter_ready[s]), .gen_full_o(gen_full),
        .dma_valid_o(dma_valid), .dma_flow_o(dma_flow), .dma_psn_o(dma_psn), .dma_index_o(dma_index),
        .host_valid_o(host_valid), .host_first_o(host_first), .host_last_o(host_last), .host_bad_o(host_bad),
        .host_data_o(host_data),
        .tx_valid_o(out.valid), .tx_first_o(out.first), .tx_last_o(out.last), .tx_bad_o(out.bad), .tx_data_o(out.data),
        .tx_ctl_o(out.ctl), .st_gen_pkts_o(gen_pkts), .st_sending_o(sending), .st_inj_txr_o(inj_txr), .st_used_o(a_used),
        .st_line_state_o(a_line_state), .st_txr_o(a_txr), .st_ol_valid_o(a_ol_valid), .st_cnp_pkts_o(cnp_pkts),
        .st_rx_used_o(rx_used),
        .err_o(err), .err_in_o(), .err_out_o(), .err_thr_o(err_thr), .cfg_rvalid_o(), .cfg_rdata_o(), .st_win_o(), .st_cpq_fill_o(),
        .st_hpq_fill_o(), .st_ol_stop_o(), .st_seen_o(), .st_rx_abr_o(), .st_cnt_cnp_o(), .st_cnt_cnp_lost_o(),
        .st_cnt_becn_o(), .st_cnt_rcv_o(), .st_owed_o(), .st_out_o(outstanding), .st_cnt_ack_o(), .st_cnt_ack_lost_o(ack_lost), .st_cnt_ack_in_o()
    );
    assign busy_adapter[s] = gen_pkts != '0 || sending || a_used != '0 || a_line_state != '0 || a_ol_valid != '0
        || cnp_pkts != '0 || rx_used != '0;

    adapter_host #(.FLOWS(FLOWS), .LID(LID)) u_host (
        .clk_i, .rst_i, .seed_i,
        .on_i(go_o && traffic_i), .probe_i(probe), .pace_i(seed_i[16:15]), .gen_full_i(gen_full),
        .gen_valid_o(gen_valid), .gen_flow_o(gen_flow), .gen_len_o(gen_len), .gen_psn_o(gen_psn),
        .dma_valid_i(dma_valid), .dma_flow_i(dma_flow), .dma_psn_i(dma_psn), .dma_index_i(dma_index),
        .dma_ready_o(dma_ready), .dma_data_o(dma_data),
        .host_valid_i(host_valid), .host_first_i(host_first), .host_last_i(host_last), .host_bad_i(host_bad),
        .host_data_i(host_data), .host_ready_o(host_ready),
        .sent_o(sent[s]), .got_o(got[s]), .wrong_o(wrong[s])
    );

    // what each sender may send in all, and what it has sent
    for (genvar v = 0; v < VLS; v++) begin : g_vl
      assign away_joint[s*VLS+v] = 12'(u_switch.out_fccl[12*v+:12] - txr[12*v+:12]) != 12'(CAP);
      assign away_down[s*VLS+v] = 12'(u_switch.out_fccl[12*(VLS+v)+:12] - txr[12*(VLS+v)+:12]) != 12'(RX_CAP);
      assign away_up[s*VLS+v] = 12'(u_hca.out_st_fccl[12*v+:12] - a_txr[12*v+:12]) != 12'(CAP);
    end
    wire unused = &{1'b0, inj_txr, err, err_thr, ack_lost, outstanding};
  end

  assign wrong_o = wrong != '0;
  assign busy_o = {busy_switch, busy_adapter} != '0;
  assign away_o = {away_joint, away_up, away_down} != '0;
  assign all_here_o = sent[0] + sent[1] == got[0] + got[1];
  assign some_o = sent[0] != '0 || sent[1] != '0;
endmodule
`endif

`default_nettype wire
