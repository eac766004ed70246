// Registers of the adapter itself (docs/hca.md, unit 3); a write shows in the next cycle.
`default_nettype none

module hca_regs (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        we_i,
    input  wire logic [7:0]  addr_i,
    input  wire logic [31:0] data_i,
    output logic             cnp_en_o,
    output logic      [15:0] lid_o,
    output logic      [15:0] lid_base_o,
    output logic      [15:0] fc_interval_o,  // 0 acts as 1
    output logic      [15:0] err_clear_o     // Mealy
);
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      cnp_en_o <= 1'b0;
      lid_o <= '0;
      lid_base_o <= 16'd1;
      fc_interval_o <= 16'd4;
    end else if (we_i) begin
      case (addr_i)
        quell_pkg::HCA_CTRL: cnp_en_o <= data_i[0];
        quell_pkg::HCA_LID: lid_o <= data_i[15:0];
        quell_pkg::HCA_LID_BASE: lid_base_o <= data_i[15:0];
        quell_pkg::HCA_FC_INTERVAL: fc_interval_o <= data_i[15:0];
        default: ;
      endcase
    end
  end

  assign err_clear_o = (we_i && addr_i == quell_pkg::HCA_ERR_CLEAR) ? data_i[15:0] : '0;

  wire unused = &{1'b0, data_i};
endmodule

`default_nettype wire
