// The fields of a packet's headers, from its first flit: LRH and BTH, or LRH, GRH and BTH, whose BTH lies
// within the first flit only if that has 64 bytes. Combinational. Rule AK1; docs/conventions.md.
`default_nettype none

module header_decode #(
    parameter int VLS = 1,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0
) (
    input  wire logic [8*FLIT_BYTES-1:0] data_i,
    output quell_pkg::header_t           head_o
);
  localparam int DW = 8 * FLIT_BYTES;

  logic [1:0]  lnh;
  logic [15:0] dlid;
  logic [10:0] words;
  logic [7:0]  opcode;
  logic [23:0] psn;
  logic [3:0]  marks;  // FECN, BECN, MB, VB
  logic        grh, bth;

  assign lnh = data_i[quell_pkg::LNH_LSB +: 2];
  assign dlid = quell_pkg::wire16(data_i[quell_pkg::DLID_LSB +: 16]);
  assign words = {data_i[quell_pkg::PKT_LEN_LSB +: 3], data_i[quell_pkg::PKT_LEN_LSB+8 +: 8]};

  assign grh = FLIT_BYTES == 64 && lnh == quell_pkg::LNH_GRH;
  assign bth = lnh == quell_pkg::LNH_BTH || grh;

  always_comb begin
    opcode = data_i[quell_pkg::BTH_RAW_LSB +: 8];
    marks = data_i[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_MARKS +: 4];
    psn = quell_pkg::wire24(data_i[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_PSN +: 24]);
    if (grh) begin
      opcode = data_i[quell_pkg::BTH_GRH_LSB%DW +: 8];
      marks = data_i[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_MARKS)%DW +: 4];
      psn = quell_pkg::wire24(data_i[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_PSN)%DW +: 24]);
    end
  end

  assign head_o.vl = (VL_BY_DEST != 0) ? 8'(dlid % 16'(VLS)) : {4'd0, data_i[quell_pkg::VL_LSB +: 4]};
  assign head_o.sl = data_i[quell_pkg::SL_LSB +: 4];
  assign head_o.dlid = dlid;
  assign head_o.slid = quell_pkg::wire16(data_i[quell_pkg::SLID_LSB +: 16]);
  assign head_o.n = {1'b0, words[10:4]} + 8'(words[3:0] != '0);
  assign head_o.grh = grh;
  assign head_o.bth = bth;
  assign head_o.cnp = bth && opcode == quell_pkg::OPCODE_CNP;
  assign head_o.ack = bth && opcode[4:0] == quell_pkg::OPCODE_ACK;
  assign head_o.mcast = dlid >= quell_pkg::DLID_MCAST;
  assign {head_o.fecn, head_o.becn, head_o.mb, head_o.vb} = bth ? marks : '0;
  assign head_o.psn = bth ? psn : '0;

  wire unused = &{1'b0, data_i};
endmodule

`default_nettype wire
