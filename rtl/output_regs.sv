// Configuration registers of the output port (docs/output-port.md); a write shows in the next cycle, and so does what is read. Rule C1.
`default_nettype none

module output_regs #(
    parameter int MTU = 32,
    parameter int QCAP = 2048,  // flits of a VL that VB_TH is compared with
    parameter int TIMER_W = 32,
    parameter int CNT_W = 32,
    parameter int PARITY = 0
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic           we_i,
    input  wire logic           re_i,
    input  wire logic [7:0]     addr_i,
    input  wire logic [31:0]    data_i,
    input  wire logic [15:0]    lfsr_i,
    input  wire logic [15:0]    err_i,
    input  wire logic [15:0]    cnt_e7_i,
    input  wire logic [CNT_W-1:0] cnt_marked_i,
    input  wire logic [CNT_W-1:0] cnt_sent_i,
    output logic                mark_en_o,
    output logic                iso_en_o,
    output logic                victim_o,
    output logic [1:0]          eval_o,
    output logic [1:0]          mark_mode_o,
    output logic                cnp_plain_o,
    output logic                at_once_o,
    output logic                sched_o,       // the oldest data go first
    output logic [1:0]          det_o,
    output logic                vb_en_o,
    output logic                root_now_o,    // the root test is that of the cycle
    output logic [15:0]         sum_hth_o,
    output logic [15:0]         sum_lth_o,     // at least 1
    output logic [15:0]         marking_rate_o,
    output logic [8:0]          mark_fraction_o,
    output logic [7:0]          packet_size_o,
    output logic [15:0]         fc_interval_o,  // 0 acts as 1
    output logic [3:0]          tx_last_o,     // TX_INTERVAL - 1, 0 for an interval of 0
    output logic [3:0]          xb_last_o,     // XB_INTERVAL - 1, likewise, at most that
    output logic [TIMER_W-1:0]  line_timer_o,  // at least 1
    output logic [15:0]         out_th_o,
    output logic [15:0]         vb_th_o,
    output logic                seed_we_o,     // Mealy: a seed is being written
    output logic [15:0]         seed_o,        // Mealy
    output logic [15:0]         err_clear_o,  // Mealy
    output logic                rvalid_o,
    output logic [31:0]         rdata_o,
    output logic                parity_err_o
);
  logic [13:0]        ctrl_q, ctrl_d;
  logic [15:0]        fc_interval_q, fc_interval_d;
  logic [3:0]         tx_interval_q, tx_interval_d;
  logic [3:0]         xb_interval_q, xb_interval_d, xb_last;
  logic [TIMER_W-1:0] line_timer_q, line_timer_d;
  logic [15:0]        out_th_q, out_th_d;
  logic [15:0]        vb_th_q, vb_th_d;

  logic [15:0] sum_hth_d, sum_lth_q, sum_lth_d, marking_rate_d;
  logic [8:0] mark_fraction_d;
  logic [7:0] packet_size_d;

  always_comb begin
    ctrl_d = ctrl_q;
    sum_hth_d = sum_hth_o;
    sum_lth_d = sum_lth_q;
    marking_rate_d = marking_rate_o;
    mark_fraction_d = mark_fraction_o;
    packet_size_d = packet_size_o;
    fc_interval_d = fc_interval_q;
    tx_interval_d = tx_interval_q;
    xb_interval_d = xb_interval_q;
    line_timer_d = line_timer_q;
    out_th_d = out_th_q;
    vb_th_d = vb_th_q;
    if (rst_i) begin
      ctrl_d = '0;
      sum_hth_d = 16'(6 * MTU);
      sum_lth_d = 16'(4 * MTU);
      marking_rate_d = '0;
      mark_fraction_d = 9'd256;
      packet_size_d = '0;
      fc_interval_d = 16'd4;
      tx_interval_d = 4'd1;
      xb_interval_d = 4'd1;
      line_timer_d = '1;
      out_th_d = 16'd8;
      vb_th_d = 16'(33 * QCAP / 100);
    end else if (we_i) begin
      case (addr_i)
        quell_pkg::OP_CTRL: ctrl_d = data_i[13:0];
        quell_pkg::OP_SUM_HTH: sum_hth_d = data_i[15:0];
        quell_pkg::OP_SUM_LTH: sum_lth_d = data_i[15:0];
        quell_pkg::OP_MARKING_RATE: marking_rate_d = data_i[15:0];
        quell_pkg::OP_MARK_FRACTION: mark_fraction_d = data_i[8:0];
        quell_pkg::OP_PACKET_SIZE: packet_size_d = data_i[7:0];
        quell_pkg::OP_FC_INTERVAL: fc_interval_d = data_i[15:0];
        quell_pkg::OP_TX_INTERVAL: tx_interval_d = data_i[3:0];
        quell_pkg::OP_LINE_TIMER: line_timer_d = (33'(data_i) >> TIMER_W != '0) ? '1 : data_i[TIMER_W-1:0];
        quell_pkg::OP_OUT_TH: out_th_d = data_i[15:0];
        quell_pkg::OP_VB_TH: vb_th_d = data_i[15:0];
        quell_pkg::OP_XB_INTERVAL: xb_interval_d = data_i[3:0];
        default: ;
      endcase
    end
  end

  // C1: what is read, as it is before a write of the same cycle
  logic        rvalid_d;
  logic [31:0] rdata_d;

  always_comb begin
    rvalid_d = re_i && !rst_i;
    rdata_d = '0;
    if (rvalid_d) begin
      case (addr_i)
        quell_pkg::OP_CTRL: rdata_d = 32'(ctrl_q);
        quell_pkg::OP_SUM_HTH: rdata_d = 32'(sum_hth_o);
        quell_pkg::OP_SUM_LTH: rdata_d = 32'(sum_lth_q);
        quell_pkg::OP_MARKING_RATE: rdata_d = 32'(marking_rate_o);
        quell_pkg::OP_MARK_FRACTION: rdata_d = 32'(mark_fraction_o);
        quell_pkg::OP_PACKET_SIZE: rdata_d = 32'(packet_size_o);
        quell_pkg::OP_FC_INTERVAL: rdata_d = 32'(fc_interval_q);
        quell_pkg::OP_TX_INTERVAL: rdata_d = 32'(tx_interval_q);
        quell_pkg::OP_LINE_TIMER: rdata_d = 32'(line_timer_q);
        quell_pkg::OP_LFSR_SEED: rdata_d = 32'(lfsr_i);
        quell_pkg::OP_ERR_CLEAR: rdata_d = 32'(err_i);
        quell_pkg::OP_OUT_TH: rdata_d = 32'(out_th_q);
        quell_pkg::OP_VB_TH: rdata_d = 32'(vb_th_q);
        quell_pkg::OP_XB_INTERVAL: rdata_d = 32'(xb_interval_q);
        quell_pkg::OP_CNT_E7: rdata_d = 32'(cnt_e7_i);
        quell_pkg::OP_CNT_MARKED: rdata_d = 32'(cnt_marked_i);
        quell_pkg::OP_CNT_SENT: rdata_d = 32'(cnt_sent_i);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    ctrl_q <= ctrl_d;
    sum_hth_o <= sum_hth_d;
    sum_lth_q <= sum_lth_d;
    marking_rate_o <= marking_rate_d;
    mark_fraction_o <= mark_fraction_d;
    packet_size_o <= packet_size_d;
    fc_interval_q <= fc_interval_d;
    tx_interval_q <= tx_interval_d;
    xb_interval_q <= xb_interval_d;
    line_timer_q <= line_timer_d;
    out_th_q <= out_th_d;
    vb_th_q <= vb_th_d;
    rvalid_o <= rvalid_d;
    rdata_o <= rdata_d;
  end

  assign sum_lth_o = (sum_lth_q == '0) ? 16'd1 : sum_lth_q;
  assign mark_en_o = ctrl_q[0];
  assign iso_en_o = ctrl_q[1];
  assign victim_o = ctrl_q[2];
  assign eval_o = ctrl_q[4:3];
  assign mark_mode_o = ctrl_q[6:5];
  assign cnp_plain_o = ctrl_q[7];
  assign at_once_o = ctrl_q[8];
  assign sched_o = ctrl_q[9];
  assign det_o = ctrl_q[11:10];
  assign vb_en_o = ctrl_q[12];
  assign root_now_o = ctrl_q[13];
  assign out_th_o = out_th_q;
  assign vb_th_o = vb_th_q;
  assign fc_interval_o = fc_interval_q;
  assign tx_last_o = (tx_interval_q == '0) ? '0 : tx_interval_q - 1'b1;
  assign xb_last = (xb_interval_q == '0) ? '0 : xb_interval_q - 1'b1;
  assign xb_last_o = (xb_last < tx_last_o) ? xb_last : tx_last_o;
  assign line_timer_o = (line_timer_q == '0) ? TIMER_W'(1) : line_timer_q;
  assign seed_we_o = we_i && addr_i == quell_pkg::OP_LFSR_SEED;
  assign seed_o = (data_i[15:0] == '0) ? 16'd1 : data_i[15:0];
  assign err_clear_o = (we_i && addr_i == quell_pkg::OP_ERR_CLEAR) ? data_i[15:0] : '0;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{ctrl_d, sum_hth_d, sum_lth_d, marking_rate_d, mark_fraction_d, packet_size_d, fc_interval_d,
            tx_interval_d, xb_interval_d, line_timer_d, out_th_d, vb_th_d, rvalid_d, rdata_d}),
      .now_i(^{ctrl_q, sum_hth_o, sum_lth_q, marking_rate_o, mark_fraction_o, packet_size_o, fc_interval_q,
            tx_interval_q, xb_interval_q, line_timer_q, out_th_q, vb_th_q, rvalid_o, rdata_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
