// Names of the contract shared by the units: bit positions in InfiniBand headers, encodings of
// states and messages, register addresses, numbers of the sticky errors.
// docs/conventions.md and the unit pages rule.
`default_nettype none

package quell_pkg;
  // InfiniBand header bits in a flit (byte b of a flit is bits [8*b +: 8])
  localparam int LNH_LSB = 8;       // LRH byte 1 [1:0]
  localparam int VL_LSB = 4;        // LRH byte 0 [7:4]
  localparam int BTH_RAW_LSB = 64;  // BTH at byte 8: LNH = 2
  localparam int BTH_GRH_LSB = 384; // BTH at byte 48: LNH = 3
  localparam int BTH_FECN = 39;     // BTH byte 4 bit 7, bit number in the BTH
  localparam logic [1:0] LNH_BTH = 2'd2;
  localparam logic [1:0] LNH_GRH = 2'd3;
  localparam logic [7:0] OPCODE_CNP = 8'h80;
  localparam logic [4:0] OPCODE_ACK = 5'h11;
  localparam logic [15:0] DLID_MCAST = 16'hC000;

  // messages between neighbours
  localparam logic [1:0] MSG_ALLOC = 2'd0;
  localparam logic [1:0] MSG_DEALLOC = 2'd1;
  localparam logic [1:0] MSG_STOP = 2'd2;
  localparam logic [1:0] MSG_GO = 2'd3;

  // receiver of the input port
  localparam logic [1:0] RX_IDLE = 2'd0;
  localparam logic [1:0] RX_RECV = 2'd1;
  localparam logic [1:0] RX_DROP = 2'd2;

  // CAM line of the input port
  localparam logic [1:0] LN_FREE = 2'd0;
  localparam logic [1:0] LN_ROOT = 2'd1;
  localparam logic [1:0] LN_HOT = 2'd2;
  localparam logic [1:0] LN_DRAIN = 2'd3;

  // configuration registers of the input port
  localparam logic [7:0] IP_CTRL = 8'd0;
  localparam logic [7:0] IP_HTH = 8'd1;
  localparam logic [7:0] IP_LTH = 8'd2;
  localparam logic [7:0] IP_WEIGHT = 8'd3;
  localparam logic [7:0] IP_FC_INTERVAL = 8'd4;
  localparam logic [7:0] IP_RX_INTERVAL = 8'd5;
  localparam logic [7:0] IP_RX_TIMEOUT = 8'd6;
  localparam logic [7:0] IP_LINE_TIMER = 8'd7;
  localparam logic [7:0] IP_REFRESH = 8'd8;
  localparam logic [7:0] IP_SWITCH_ID = 8'd9;
  localparam logic [7:0] IP_ERR_CLEAR = 8'd10;

  // configuration registers of the output port
  localparam logic [7:0] OP_CTRL = 8'd0;
  localparam logic [7:0] OP_SUM_HTH = 8'd1;
  localparam logic [7:0] OP_SUM_LTH = 8'd2;
  localparam logic [7:0] OP_MARKING_RATE = 8'd3;
  localparam logic [7:0] OP_MARK_FRACTION = 8'd4;
  localparam logic [7:0] OP_PACKET_SIZE = 8'd5;
  localparam logic [7:0] OP_FC_INTERVAL = 8'd6;
  localparam logic [7:0] OP_TX_INTERVAL = 8'd7;
  localparam logic [7:0] OP_LINE_TIMER = 8'd8;
  localparam logic [7:0] OP_LFSR_SEED = 8'd9;
  localparam logic [7:0] OP_ERR_CLEAR = 8'd10;

  // sticky errors of the input port
  localparam int IE_BAD_VL = 0;
  localparam int IE_BAD_LEN = 1;
  localparam int IE_NO_ROUTE = 2;
  localparam int IE_NO_CREDIT = 3;
  localparam int IE_FRAMING = 4;
  localparam int IE_BAD_PKT = 5;
  localparam int IE_TIMEOUT = 6;
  localparam int IE_UNDERRUN = 7;
  localparam int IE_BAD_GRANT = 8;

  // sticky errors of the output port
  localparam int OE_BAD_LINE = 0;
  localparam int OE_BAD_VL = 1;
  localparam int OE_XB_FRAMING = 2;
endpackage

`default_nettype wire
