// Registers of the adapter itself (docs/hca.md, unit 3); a write shows in the next cycle.
`default_nettype none

module hca_regs #(
    parameter int PARITY = 0
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        we_i,
    input  wire logic [7:0]  addr_i,
    input  wire logic [31:0] data_i,
    output logic             cnp_en_o,
    output logic      [15:0] lid_o,
    output logic      [15:0] lid_base_o,
    output logic      [15:0] fc_interval_o,  // 0 acts as 1
    output logic      [15:0] err_clear_o,  // Mealy
    output logic             parity_err_o
);
  logic cnp_en_d;
  logic [15:0] lid_d, lid_base_d, fc_interval_d;

  always_comb begin
    cnp_en_d = cnp_en_o;
    lid_d = lid_o;
    lid_base_d = lid_base_o;
    fc_interval_d = fc_interval_o;
    if (rst_i) begin
      cnp_en_d = 1'b0;
      lid_d = '0;
      lid_base_d = 16'd1;
      fc_interval_d = 16'd4;
    end else if (we_i) begin
      case (addr_i)
        quell_pkg::HCA_CTRL: cnp_en_d = data_i[0];
        quell_pkg::HCA_LID: lid_d = data_i[15:0];
        quell_pkg::HCA_LID_BASE: lid_base_d = data_i[15:0];
        quell_pkg::HCA_FC_INTERVAL: fc_interval_d = data_i[15:0];
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    cnp_en_o <= cnp_en_d;
    lid_o <= lid_d;
    lid_base_o <= lid_base_d;
    fc_interval_o <= fc_interval_d;
  end

  assign err_clear_o = (we_i && addr_i == quell_pkg::HCA_ERR_CLEAR) ? data_i[15:0] : '0;

  wire unused = &{1'b0, data_i};

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{cnp_en_d, lid_d, lid_base_d, fc_interval_d}),
      .now_i(^{cnp_en_o, lid_o, lid_base_o, fc_interval_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
