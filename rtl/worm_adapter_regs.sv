// Registers of a wormhole adapter; sticky errors; reading. A write shows in the next cycle, and so does what is read.
// docs/worm-adapter.md, Registers. Rules C1, YW7, YC1, YC2.
`default_nettype none

module worm_adapter_regs #(
    parameter int VLS = 16,
    parameter int MSGQ = 1024,
    parameter int CNT_W = 32
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             we_i,
    input  wire logic             re_i,
    input  wire logic [7:0]       addr_i,
    input  wire logic [31:0]      data_i,
    input  wire logic [15:0]      err_set_i,
    output logic [15:0]           err_o,
    output logic                  credit_en_o,
    output logic                  admit_en_o,
    output logic                  lost_o,
    output logic [15:0]           m_o,            // as it acts; so are
    output logic [12:0]           limit_o,
    output logic [15:0]           c_b_o,
    output logic [15:0]           lid_o,
    output logic                  lid_we_o,       // Mealy
    output logic [VLS-1:0]        be_o,           // best-effort lanes
    output logic [7:0]            lhp_o,
    output logic [3:0]            wshift_o,
    output logic                  seed_we_o,      // Mealy: the draw takes data_i
    output logic [15:0]           first_node_o,
    output logic [7:0]            be_weight_o,
    output logic [15:0]           probe_gap_o,
    input  wire logic [15:0]      lfsr_i,
    input  wire logic [CNT_W-1:0] cnt_sent_i,
    input  wire logic [CNT_W-1:0] cnt_rcv_i,
    input  wire logic [15:0]      cnt_refused_i,
    input  wire logic [15:0]      cnt_drop_i,
    input  wire logic [15:0]      used_i,
    input  wire logic [31:0]      sum_c_i,
    output logic                  rvalid_o,
    output logic [31:0]           rdata_o
);
  localparam int D = VLS - 2;                // lanes of data
  localparam logic [15:0] DATA = 16'((1 << D) - 1);
  localparam logic [12:0] WHOLE = 13'd4096;     // of a link
  localparam int C_B = (MSGQ / 4 < 1) ? 1 : (MSGQ / 4 < 200) ? MSGQ / 4 : 200;

  logic [15:0] m_q, be_q, err_q, err_clear;
  logic [12:0] limit_q;
  logic [31:0] value;

  assign lid_we_o = we_i && addr_i == quell_pkg::WA_LID;
  assign seed_we_o = we_i && addr_i == quell_pkg::WA_LFSR_SEED;
  assign err_clear = (we_i && addr_i == quell_pkg::WA_ERR_CLEAR) ? data_i[15:0] : '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      {lost_o, admit_en_o, credit_en_o} <= '0;
      m_q <= (MSGQ < 1024) ? 16'(MSGQ) : 16'd1024;
      c_b_o <= 16'(C_B);
      limit_q <= WHOLE;
      lid_o <= '0;
      be_q <= quell_pkg::best_effort_lanes(D);
      lhp_o <= 8'd64;
      wshift_o <= 4'd4;
      first_node_o <= '0;
      be_weight_o <= 8'd1;
      probe_gap_o <= '0;
      err_q <= '0;
    end else begin
      err_q <= (err_q & ~err_clear) | err_set_i;
      if (we_i) begin
        case (addr_i)
          quell_pkg::WA_CTRL: {lost_o, admit_en_o, credit_en_o} <= data_i[2:0];
          quell_pkg::WA_M: m_q <= data_i[15:0];
          quell_pkg::WA_C_B: c_b_o <= data_i[15:0];
          quell_pkg::WA_LIMIT: limit_q <= data_i[12:0];
          quell_pkg::WA_LID: lid_o <= data_i[15:0];
          quell_pkg::WA_BE_MASK: be_q <= data_i[15:0];
          quell_pkg::WA_LHP: lhp_o <= data_i[7:0];
          quell_pkg::WA_WSHIFT: wshift_o <= data_i[3:0];
          quell_pkg::WA_FIRST_NODE: first_node_o <= data_i[15:0];
          quell_pkg::WA_BE_WEIGHT: be_weight_o <= data_i[7:0];
          quell_pkg::WA_PROBE_GAP: probe_gap_o <= data_i[15:0];
          default: ;
        endcase
      end
    end
  end

  assign err_o = err_q;
  assign m_o = (m_q == '0) ? 16'd1 : (m_q > 16'(MSGQ)) ? 16'(MSGQ) : m_q;
  assign limit_o = (limit_q > WHOLE) ? WHOLE : limit_q;
  assign be_o = VLS'(be_q & DATA);

  // C1: what is read, as it is before a write of the same cycle
  always_comb begin
    case (addr_i)
      quell_pkg::WA_CTRL: value = 32'({lost_o, admit_en_o, credit_en_o});
      quell_pkg::WA_M: value = 32'(m_q);
      quell_pkg::WA_C_B: value = 32'(c_b_o);
      quell_pkg::WA_LIMIT: value = 32'(limit_q);
      quell_pkg::WA_LID: value = 32'(lid_o);
      quell_pkg::WA_BE_MASK: value = 32'(be_q);
      quell_pkg::WA_LHP: value = 32'(lhp_o);
      quell_pkg::WA_WSHIFT: value = 32'(wshift_o);
      quell_pkg::WA_LFSR_SEED: value = 32'(lfsr_i);
      quell_pkg::WA_FIRST_NODE: value = 32'(first_node_o);
      quell_pkg::WA_ERR_CLEAR: value = 32'(err_q);
      quell_pkg::WA_BE_WEIGHT: value = 32'(be_weight_o);
      quell_pkg::WA_PROBE_GAP: value = 32'(probe_gap_o);
      quell_pkg::WA_CNT_SENT: value = 32'(cnt_sent_i);
      quell_pkg::WA_CNT_RCV: value = 32'(cnt_rcv_i);
      quell_pkg::WA_CNT_REFUSED: value = 32'(cnt_refused_i);
      quell_pkg::WA_CNT_DROP: value = 32'(cnt_drop_i);
      quell_pkg::WA_USED: value = 32'(used_i);
      quell_pkg::WA_SUM_C: value = sum_c_i;
      default: value = '0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || !re_i) begin
      rvalid_o <= 1'b0;
      rdata_o <= '0;
    end else begin
      rvalid_o <= 1'b1;
      rdata_o <= value;
    end
  end

  wire unused = &{1'b0, data_i};
endmodule

`default_nettype wire
