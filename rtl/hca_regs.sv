// Registers of the adapter itself (docs/hca.md, unit 3); a write shows in the next cycle, and so does what is read. Rule C1.
`default_nettype none

module hca_regs #(
    parameter int CNT_W = 32,
    parameter int PARITY = 0
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        we_i,
    input  wire logic        re_i,
    input  wire logic [7:0]  addr_i,
    input  wire logic [31:0] data_i,
    input  wire logic [15:0] err_i,
    input  wire logic [CNT_W-1:0] cnt_cnp_i,
    input  wire logic [15:0] cnt_cnp_lost_i,
    input  wire logic [CNT_W-1:0] cnt_becn_i,
    input  wire logic [CNT_W-1:0] cnt_rcv_i,
    input  wire logic [CNT_W-1:0] cnt_ack_i,
    input  wire logic [15:0] cnt_ack_lost_i,
    input  wire logic [CNT_W-1:0] cnt_ack_in_i,
    output logic             cnp_en_o,
    output logic             cnp_queued_o,   // CNPs wait in the generation queues
    output logic             ack_en_o,       // data are answered with ACKs, and ACKs taken
    output logic             cnp_src_o,      // a CNP is for MB and VB, else for FECN
    output logic      [2:0]  becn_per_o,     // packets of a message, log2
    output logic             becn_per_we_o,  // Mealy: that is written
    output logic      [3:0]  window_o,       // at most 8
    output logic      [15:0] lid_o,
    output logic      [15:0] lid_base_o,
    output logic      [15:0] fc_interval_o,  // 0 acts as 1
    output logic      [15:0] err_clear_o,  // Mealy
    output logic             rvalid_o,
    output logic      [31:0] rdata_o,
    output logic             parity_err_o
);
  logic cnp_en_d, cnp_queued_d, ack_en_d, cnp_src_d;
  logic [2:0] becn_per_d;
  logic [3:0] inject_q, inject_d;
  logic [15:0] lid_d, lid_base_d, fc_interval_d;

  always_comb begin
    cnp_en_d = cnp_en_o;
    cnp_queued_d = cnp_queued_o;
    ack_en_d = ack_en_o;
    cnp_src_d = cnp_src_o;
    becn_per_d = becn_per_o;
    inject_d = inject_q;
    lid_d = lid_o;
    lid_base_d = lid_base_o;
    fc_interval_d = fc_interval_o;
    if (rst_i) begin
      cnp_en_d = 1'b0;
      cnp_queued_d = 1'b0;
      ack_en_d = 1'b0;
      cnp_src_d = 1'b0;
      becn_per_d = '0;
      inject_d = '0;
      lid_d = '0;
      lid_base_d = 16'd1;
      fc_interval_d = 16'd4;
    end else if (we_i) begin
      case (addr_i)
        quell_pkg::HCA_CTRL: {cnp_src_d, ack_en_d, cnp_queued_d, cnp_en_d} = data_i[3:0];
        quell_pkg::HCA_LID: lid_d = data_i[15:0];
        quell_pkg::HCA_LID_BASE: lid_base_d = data_i[15:0];
        quell_pkg::HCA_FC_INTERVAL: fc_interval_d = data_i[15:0];
        quell_pkg::HCA_BECN_PER: becn_per_d = data_i[2:0];
        quell_pkg::HCA_INJECT: inject_d = data_i[3:0];
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
        quell_pkg::HCA_CTRL: rdata_d = 32'({cnp_src_o, ack_en_o, cnp_queued_o, cnp_en_o});
        quell_pkg::HCA_LID: rdata_d = 32'(lid_o);
        quell_pkg::HCA_LID_BASE: rdata_d = 32'(lid_base_o);
        quell_pkg::HCA_FC_INTERVAL: rdata_d = 32'(fc_interval_o);
        quell_pkg::HCA_BECN_PER: rdata_d = 32'(becn_per_o);
        quell_pkg::HCA_INJECT: rdata_d = 32'(inject_q);
        quell_pkg::HCA_ERR_CLEAR: rdata_d = 32'(err_i);
        quell_pkg::HCA_CNT_CNP: rdata_d = 32'(cnt_cnp_i);
        quell_pkg::HCA_CNT_CNP_LOST: rdata_d = 32'(cnt_cnp_lost_i);
        quell_pkg::HCA_CNT_BECN: rdata_d = 32'(cnt_becn_i);
        quell_pkg::HCA_CNT_RCV: rdata_d = 32'(cnt_rcv_i);
        quell_pkg::HCA_CNT_ACK: rdata_d = 32'(cnt_ack_i);
        quell_pkg::HCA_CNT_ACK_LOST: rdata_d = 32'(cnt_ack_lost_i);
        quell_pkg::HCA_CNT_ACK_IN: rdata_d = 32'(cnt_ack_in_i);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    cnp_en_o <= cnp_en_d;
    cnp_queued_o <= cnp_queued_d;
    ack_en_o <= ack_en_d;
    cnp_src_o <= cnp_src_d;
    becn_per_o <= becn_per_d;
    inject_q <= inject_d;
    lid_o <= lid_d;
    lid_base_o <= lid_base_d;
    fc_interval_o <= fc_interval_d;
    rvalid_o <= rvalid_d;
    rdata_o <= rdata_d;
  end

  assign becn_per_we_o = we_i && addr_i == quell_pkg::HCA_BECN_PER;
  assign window_o = (inject_q > 4'd8) ? 4'd8 : inject_q;
  assign err_clear_o = (we_i && addr_i == quell_pkg::HCA_ERR_CLEAR) ? data_i[15:0] : '0;

  wire unused = &{1'b0, data_i};

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{cnp_en_d, cnp_queued_d, ack_en_d, cnp_src_d, becn_per_d, inject_d, lid_d, lid_base_d, fc_interval_d, rvalid_d, rdata_d}),
      .now_i(^{cnp_en_o, cnp_queued_o, ack_en_o, cnp_src_o, becn_per_o, inject_q, lid_o, lid_base_o, fc_interval_o, rvalid_o, rdata_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
