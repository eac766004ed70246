// What the first flit of a speculative packet becomes on its way out of an engine: of one that is forwarded the age is
// written, one that was dropped becomes a NACK to its source. Rules Q5, Q9; docs/input-port.md section 16.
`default_nettype none

module nack_image #(
    parameter int VLS = 4,
    parameter int FLIT_W = 512
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    // the packet that the engine reads from the next cycle on
    input  wire logic              load_i,
    input  wire logic              load_spec_i,  // a speculative packet,
    input  wire logic [15:0]       load_age_i,   // of this age,
    input  wire logic              load_nack_i,  // or what is left of one
    // what it read in the last cycle
    input  wire logic              first_i,
    input  wire logic [FLIT_W-1:0] data_i,
    output logic [FLIT_W-1:0]      data_o
);
  localparam logic [3:0] REPLY_VL = 4'(VLS - 1);
  localparam int MARKS = quell_pkg::BTH_RAW_LSB + quell_pkg::BTH_FECN;  // FECN, BECN below it

  // of the packet that is read, and as it was in the last cycle
  logic        spec_q, spec_d, spec_last_q;
  logic        nack_q, nack_d, nack_last_q;
  logic [15:0] age_q, age_d, age_last_q;

  assign spec_d = !rst_i && (load_i ? load_spec_i : spec_q);
  assign nack_d = !rst_i && (load_i ? load_nack_i : nack_q);
  assign age_d = rst_i ? '0 : load_i ? load_age_i : age_q;

  always_ff @(posedge clk_i) begin
    spec_q <= spec_d;
    nack_q <= nack_d;
    age_q <= age_d;
    spec_last_q <= !rst_i && spec_q;
    nack_last_q <= !rst_i && nack_q;
    age_last_q <= age_q;
  end

  always_comb begin
    data_o = data_i;
    if (first_i && spec_last_q) data_o[quell_pkg::SRP_AGE_LSB +: 16] = quell_pkg::wire16(age_last_q);
    if (first_i && nack_last_q) begin
      data_o[quell_pkg::VL_LSB +: 4] = REPLY_VL;
      data_o[quell_pkg::DLID_LSB +: 16] = data_i[quell_pkg::SLID_LSB +: 16];
      data_o[quell_pkg::SLID_LSB +: 16] = data_i[quell_pkg::DLID_LSB +: 16];
      data_o[quell_pkg::PKT_LEN_LSB +: 3] = '0;
      data_o[quell_pkg::PKT_LEN_LSB+8 +: 8] = 8'd16;
      data_o[quell_pkg::BTH_RAW_LSB +: 8] = quell_pkg::OPCODE_SRP_NACK;
      data_o[MARKS-1 +: 2] = '0;
      data_o[quell_pkg::SRP_AGE_LSB +: 16] = '0;
    end
  end
endmodule

`default_nettype wire
