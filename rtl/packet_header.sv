// First 20 bytes of a packet made by an adapter: LRH (8 bytes, LNH 2) and BTH (12 bytes). Byte b is
// bits [8*b +: 8]. Of an ACK the four bytes behind it (AETH) are 0 like the rest. Combinational. Rules AK2, H2, H8;
// docs/hca.md sections 2 and 3.
`default_nettype none

module packet_header (
    input  wire logic [3:0]   vl_i,
    input  wire logic [3:0]   sl_i,
    input  wire logic [15:0]  dlid_i,
    input  wire logic [10:0]  words_i,   // PktLen, in 4-byte words
    input  wire logic [15:0]  slid_i,
    input  wire logic [7:0]   opcode_i,
    input  wire logic [3:0]   marks_i,   // FECN, BECN, MB, VB
    input  wire logic [15:0]  qp_i,
    input  wire logic [23:0]  psn_i,
    output logic      [159:0] header_o
);
  // in the order of the bytes on the wire: byte 0 first
  logic [159:0] wire_order;

  assign wire_order = {
    vl_i, 4'd0,                             // VL, LVer
    sl_i, 2'd0, quell_pkg::LNH_BTH,         // SL, LNH
    dlid_i,
    5'd0, words_i,
    slid_i,
    opcode_i, 8'd0,                         // opcode; SE, M, PadCnt, TVer
    16'hFFFF,                               // P_Key
    marks_i, 4'd0,
    8'd0, qp_i,                             // destination QP
    8'd0, psn_i
  };

  for (genvar b = 0; b < 20; b++) begin : g_byte
    assign header_o[8*b+:8] = wire_order[159-8*b-:8];
  end
endmodule

`default_nettype wire
