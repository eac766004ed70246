// Names of the contract shared by the units: bit positions in InfiniBand headers, encodings of
// states and messages, register addresses, numbers of the sticky errors.
// docs/conventions.md and the unit pages rule. (Enumerations, because lint reports every
// localparam of a package that one unit does not use.)
`default_nettype none

package quell_pkg;
  // InfiniBand header bits in a flit (byte b of a flit is bits [8*b +: 8])
  typedef enum int {
    VL_LSB = 4,         // LRH byte 0 [7:4]
    LNH_LSB = 8,        // LRH byte 1 [1:0]
    SL_LSB = 12,        // LRH byte 1 [7:4]
    DLID_LSB = 16,      // LRH bytes 2, 3
    PKT_LEN_LSB = 32,   // LRH byte 4 [2:0], byte 5
    SLID_LSB = 48,      // LRH bytes 6, 7
    BTH_RAW_LSB = 64,   // BTH at byte 8: LNH = 2
    BTH_GRH_LSB = 384,  // BTH at byte 48: LNH = 3
    SRP_LSB = 160,      // behind the BTH of LNH 2: what speculative reservation says of itself, bytes 20..31
    SRP_SEQ_LSB = 168,  // (id is the first of them)
    SRP_FLAGS_LSB = 184,  // byte 23: R, last, init,
    SRP_ID_HIGH_LSB = 187,  // bits 12..8 of id
    SRP_SIZE_LSB = 192,
    SRP_AGE_LSB = 208,  // bytes 26, 27: cycles that a SPEC packet has queued
    SRP_WAIT_LSB = 224
  } header_lsb_e;
  typedef enum int {
    BTH_MARKS = 36,     // BTH byte 4 bits 7..4: FECN, BECN, MB, VB, bit number in the BTH (that of VB)
    BTH_MB = 37,
    BTH_FECN = 39,
    BTH_PSN = 72        // BTH bytes 9..11
  } bth_bit_e;
  typedef enum logic [1:0] {
    LNH_BTH = 2'd2,
    LNH_GRH = 2'd3
  } lnh_e;
  typedef enum logic [7:0] {
    OPCODE_SEND_ONLY = 8'h04,
    OPCODE_ACKNOWLEDGE = 8'h11,  // as an adapter sends it
    OPCODE_CNP = 8'h80,
    OPCODE_SRP_RES = 8'hC0,      // speculative reservation
    OPCODE_SRP_GRANT = 8'hC1,
    OPCODE_SRP_NACK = 8'hC3,
    OPCODE_SRP_SPEC = 8'hC4,
    OPCODE_SRP_GRANTED = 8'hC5
  } opcode_e;
  typedef enum logic [4:0] {
    OPCODE_ACK = 5'h11
  } opcode_low_e;
  typedef enum logic [15:0] {
    DLID_MCAST = 16'hC000  // first multicast DLID
  } dlid_e;

  // messages between neighbours
  typedef enum logic [1:0] {
    MSG_ALLOC = 2'd0,
    MSG_DEALLOC = 2'd1,
    MSG_STOP = 2'd2,
    MSG_GO = 2'd3
  } msg_e;

  // receiver of the input port
  typedef enum logic [1:0] {
    RX_IDLE = 2'd0,
    RX_RECV = 2'd1,
    RX_DROP = 2'd2
  } rx_state_e;

  // CAM line of the input port
  typedef enum logic [1:0] {
    LN_FREE = 2'd0,
    LN_ROOT = 2'd1,
    LN_HOT = 2'd2,
    LN_DRAIN = 2'd3
  } line_state_e;

  // registers of the input port; from 128 on counters, which are only read
  typedef enum logic [7:0] {
    IP_CTRL = 8'd0,
    IP_HTH = 8'd1,
    IP_LTH = 8'd2,
    IP_WEIGHT = 8'd3,
    IP_FC_INTERVAL = 8'd4,
    IP_RX_INTERVAL = 8'd5,
    IP_RX_TIMEOUT = 8'd6,
    IP_LINE_TIMER = 8'd7,
    IP_REFRESH = 8'd8,
    IP_SWITCH_ID = 8'd9,
    IP_ERR_CLEAR = 8'd10,
    IP_STOP = 8'd11,
    IP_GO = 8'd12,
    IP_DETECT = 8'd13,
    IP_HOLD = 8'd14,
    IP_RD_INTERVAL = 8'd15,
    IP_FILL_LEVEL = 8'd16,
    IP_MB_TH = 8'd17,
    IP_BYPASS = 8'd18,
    IP_XB_INTERVAL = 8'd19,
    IP_SPEC = 8'd20,
    IP_TTW = 8'd21,
    IP_UP_MASK = 8'd22,
    IP_UP_SEED = 8'd23,
    IP_CNT_DROP = 8'd128,
    IP_CNT_NOHPQ = 8'd129,
    IP_CNT_NOLINE = 8'd130,
    IP_CNT_SPEC_DROP = 8'd131
  } ip_reg_e;

  // registers of the output port
  typedef enum logic [7:0] {
    OP_CTRL = 8'd0,
    OP_SUM_HTH = 8'd1,
    OP_SUM_LTH = 8'd2,
    OP_MARKING_RATE = 8'd3,
    OP_MARK_FRACTION = 8'd4,
    OP_PACKET_SIZE = 8'd5,
    OP_FC_INTERVAL = 8'd6,
    OP_TX_INTERVAL = 8'd7,
    OP_LINE_TIMER = 8'd8,
    OP_LFSR_SEED = 8'd9,
    OP_ERR_CLEAR = 8'd10,
    OP_OUT_TH = 8'd11,
    OP_VB_TH = 8'd12,
    OP_XB_INTERVAL = 8'd13,
    OP_CNT_E7 = 8'd128,
    OP_CNT_MARKED = 8'd129,
    OP_CNT_SENT = 8'd130
  } op_reg_e;

  // sticky errors of the input port
  typedef enum int {
    IE_BAD_VL = 0,
    IE_BAD_LEN = 1,
    IE_NO_ROUTE = 2,
    IE_NO_CREDIT = 3,
    IE_FRAMING = 4,
    IE_BAD_PKT = 5,
    IE_TIMEOUT = 6,
    IE_UNDERRUN = 7,
    IE_BAD_GRANT = 8,
    IE_LINK_DOWN = 9,
    IE_BAD_CLASS = 10,
    IE_PARITY = 15
  } ip_err_e;

  // sticky errors of the output port
  typedef enum int {
    OE_BAD_LINE = 0,
    OE_BAD_VL = 1,
    OE_XB_FRAMING = 2,
    OE_LINK_DOWN = 3,
    OE_PARITY = 15
  } op_err_e;

  // units of the adapter's cfg_unit, and its own registers
  typedef enum logic [7:0] {
    HU_INPUT = 8'd0,
    HU_OUTPUT = 8'd1,
    HU_CHOOSER = 8'd2,  // throttle, source response or reservation
    HU_ADAPTER = 8'd3
  } hca_unit_e;
  typedef enum logic [7:0] {
    HCA_CTRL = 8'd0,
    HCA_LID = 8'd1,
    HCA_LID_BASE = 8'd2,
    HCA_FC_INTERVAL = 8'd3,
    HCA_BECN_PER = 8'd4,
    HCA_INJECT = 8'd5,
    HCA_ERR_CLEAR = 8'd10,
    HCA_CNT_CNP = 8'd128,
    HCA_CNT_CNP_LOST = 8'd129,
    HCA_CNT_BECN = 8'd130,
    HCA_CNT_RCV = 8'd131,
    HCA_CNT_ACK = 8'd132,
    HCA_CNT_ACK_LOST = 8'd133,
    HCA_CNT_ACK_IN = 8'd134
  } hca_reg_e;

  // sticky errors of the adapter
  typedef enum int {
    HE_FRAMING = 0,
    HE_BAD_VL = 1,
    HE_NO_CREDIT = 2,
    HE_MISROUTED = 3,
    HE_BAD_FLOW = 4,
    HE_GEN_FULL = 5,
    HE_BAD_GEN = 6,
    HE_BAD_PKT = 7,
    HE_LINK_DOWN = 8,
    HE_BAD_ACK = 9,
    HE_BAD_CLASS = 10,
    HE_PARITY = 15
  } hca_err_e;

  // flow in the table of reservations
  typedef enum logic [2:0] {
    SR_IDLE = 3'd0,
    SR_RESW = 3'd1,  // a RES is to be asked for
    SR_RESO = 3'd2,  // it is offered, or has left and waits to be noted
    SR_SPEC = 3'd3,
    SR_STOP = 3'd4,
    SR_WAIT = 3'd5,
    SR_GO = 3'd6
  } reservation_state_e;

  // packets that reservation sends, and replies
  typedef enum logic [1:0] {
    SRP_SPEC = 2'd1,
    SRP_GRANTED = 2'd2,
    SRP_BYPASS = 2'd3
  } srp_packet_e;
  typedef enum logic [1:0] {
    SRP_GRANT = 2'd1,
    SRP_ACK = 2'd2,
    SRP_NACK = 2'd3
  } srp_reply_e;

  // operations on that table: bit numbers; W to P take turns
  typedef enum int {
    SO_W = 0,  // look whether a flow is due, or late
    SO_B = 1,  // a RES has left
    SO_E = 2,  // ask for a RES
    SO_S = 3,  // choose a packet
    SO_P = 4,  // begin a message
    SO_R = 5   // a reply came
  } reservation_op_e;

  // registers of the wormhole router
  typedef enum logic [7:0] {
    WR_CTRL = 8'd0,         // with ADMIT = 1 alone, as LIMIT, WSHIFT, NODE_ID, NEXT and those from USED on
    WR_LIMIT = 8'd1,
    WR_WSHIFT = 8'd2,
    WR_LHP = 8'd3,
    WR_BE_MASK = 8'd5,
    WR_NODE_ID = 8'd6,
    WR_NEXT = 8'd7,
    WR_LFSR_SEED = 8'd8,
    WR_ERR_CLEAR = 8'd10,
    WR_WEIGHT_IN = 8'd32,   // first of 16, a lane each
    WR_WEIGHT_OUT = 8'd48,
    WR_CNT_FLITS = 8'd128,
    WR_CNT_MSGS = 8'd129,
    WR_CNT_DROP = 8'd130,
    WR_USED = 8'd131,
    WR_CNT_BOOKED = 8'd132,
    WR_CNT_REFUSED = 8'd133,
    WR_BOOK_OUT = 8'd144,   // first of 16, a lane each
    WR_BOOK_IN = 8'd160
  } worm_reg_e;

  // sticky errors of its ports
  typedef enum int {
    WE_BAD_VL = 0,
    WE_NO_ROUTE = 1,
    WE_OVERFLOW = 2,
    WE_FRAMING = 3,
    WE_BAD_RELEASE = 4,
    WE_ADM_LOST = 5,
    WE_CREDIT = 6,
    WE_LINK_DOWN = 7
  } worm_err_e;

  // registers of the wormhole adapter
  typedef enum logic [7:0] {
    WA_CTRL = 8'd0,
    WA_M = 8'd1,
    WA_C_B = 8'd2,
    WA_LIMIT = 8'd3,
    WA_LID = 8'd4,
    WA_BE_MASK = 8'd5,
    WA_LHP = 8'd6,
    WA_WSHIFT = 8'd7,
    WA_LFSR_SEED = 8'd8,
    WA_FIRST_NODE = 8'd9,
    WA_ERR_CLEAR = 8'd10,
    WA_BE_WEIGHT = 8'd11,
    WA_PROBE_GAP = 8'd12,
    WA_CNT_SENT = 8'd128,
    WA_CNT_RCV = 8'd129,
    WA_CNT_REFUSED = 8'd130,
    WA_CNT_DROP = 8'd131,
    WA_USED = 8'd132,
    WA_SUM_C = 8'd133
  } worm_adapter_reg_e;

  // registers of injection control
  typedef enum logic [7:0] {
    IC_CTRL = 8'd0,
    IC_CHANNELS = 8'd1,
    IC_HOLD_MAX = 8'd2,
    IC_GATHER = 8'd3,
    IC_UP = 8'd4,
    IC_BE_MASK = 8'd5,
    IC_DOWN = 8'd6,
    IC_ALL = 8'd7,
    IC_T = 8'd9
  } ic_reg_e;
  typedef enum logic [1:0] {
    IC_ALO = 2'd1,
    IC_SELF_TUNED = 2'd2
  } ic_scheme_e;

  // its sticky errors
  typedef enum int {
    WAE_BAD_POST = 0,
    WAE_NO_CONN = 1,
    WAE_SUM_C = 2,
    WAE_BAD_REPLY = 3,
    WAE_MISROUTED = 4,
    WAE_FRAMING = 5,
    WAE_CREDIT = 6,
    WAE_LINK_DOWN = 7,
    WAE_BAD_VL = 8,
    WAE_ADM_LOST = 9
  } worm_adapter_err_e;

  // states of its connections
  typedef enum logic [2:0] {
    WC_IDLE = 3'd0,
    WC_PROBE = 3'd1,      // a probe is to be sent
    WC_PROBING = 3'd2,    // it is on its way
    WC_OPEN = 3'd3,
    WC_RELEASE = 3'd4,    // a release is to be sent
    WC_RELEASING = 3'd5,  // it is being sent
    WC_CLOSING = 3'd6     // the last message is posted
  } worm_conn_e;

  // why it refuses an open or a post; 0: it does not
  typedef enum logic [2:0] {
    WHY_OK = 3'd0,
    WHY_NO_CONN = 3'd1,
    WHY_BAD_POST = 3'd2,
    WHY_NO_BANDWIDTH = 3'd3,
    WHY_SUM_C = 3'd4,
    WHY_FULL = 3'd5,
    WHY_NO_CREDIT = 3'd6
  } worm_why_e;

  // a message in its queues and lanes, but for where it goes
  typedef struct packed {
    logic [1:0]  kind;    // 0 control of the host, 1 real-time, 2 best-effort, 3 the adapter's own
    logic        last;    // its stream's last one; of its own: a release
    logic [15:0] conn;
    logic [15:0] tag;
  } worm_msg_t;

  // types of its messages, in byte 8 of the header
  typedef enum logic [7:0] {
    WT_DATA = 8'd0,
    WT_PROBE = 8'd1,
    WT_ACK = 8'd2,
    WT_NACK = 8'd3,
    WT_RELEASE = 8'd4
  } worm_type_e;

  // where in a header they and others stand, bits (no parameters: units that have none of them would be warned of)
  typedef enum int {
    WORM_TYPE_LSB = 64,
    WORM_FINAL_LSB = 72,
    WORM_BW_LSB = 96
  } worm_place_e;

  // what admission needs of a header on the control lane: its type, and what a reply takes from it, in bytes as on the wire
  typedef struct packed {
    logic        probe;
    logic        release_;
    logic [15:0] node;
    logic [15:0] bw;
    logic [15:0] conn;
    logic [7:0]  flags;
    logic [15:0] slid;
    logic [4:0]  lrh4;   // byte 4, without the three bits of PktLen
    logic [15:0] dlid;
    logic [15:0] lrh0;   // bytes 0 and 1
  } worm_head_t;

  // A number of two bytes, the more significant one first on the wire.
  function automatic logic [15:0] wire16(input logic [15:0] bytes);
    wire16 = {bytes[7:0], bytes[15:8]};
  endfunction

  // One of three bytes.
  // best-effort lanes of a wormhole network after reset: of the d lanes of data the d / 4 highest, 1 at least
  function automatic logic [15:0] best_effort_lanes(input int d);
    int others;
    others = d - ((d / 4 > 1) ? d / 4 : 1);
    best_effort_lanes = 16'((1 << d) - (1 << others));
  endfunction

  function automatic logic [23:0] wire24(input logic [23:0] bytes);
    wire24 = {bytes[7:0], bytes[15:8], bytes[23:16]};
  endfunction

  // One of four bytes.
  function automatic logic [31:0] wire32(input logic [31:0] bytes);
    wire32 = {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24]};
  endfunction

  // what a packet's headers say (header_decode)
  typedef struct packed {
    logic [7:0]  vl;     // of the LRH, or by DLID (VL_BY_DEST)
    logic [3:0]  sl;
    logic [15:0] dlid;
    logic [15:0] slid;
    logic [7:0]  n;      // length in flits of PktLen
    logic        grh;    // the BTH is behind a GRH
    logic        bth;    // the first flit has a BTH; the next ones are 0 without it
    logic        cnp;
    logic        ack;
    logic        fecn;   // marks (AK1)
    logic        becn;
    logic        mb;
    logic        vb;
    logic        mcast;  // multicast DLID
    logic [23:0] psn;
  } header_t;

  // what an adapter answers
  typedef struct packed {
    logic        ack;    // else a CNP: psn and marks are 0
    logic [15:0] dlid;
    logic [3:0]  sl;
    logic [23:0] psn;
    logic [2:0]  marks;  // those that come back: FECN, MB, VB
  } reply_t;

  // what a packet of speculative reservation says behind its BTH
  typedef struct packed {
    logic [12:0] id;     // chunk of packets
    logic [7:0]  seq;    // packet in it
    logic [7:0]  n;      // packets of it
    logic        init;   // the source was reset and asks for its last chunk; so does the answer say
    logic        last;   // it is the last one of its message
    logic        rty;    // it is sent again, or answers what was
    logic [15:0] size;   // flits of it
    logic [31:0] delay;  // cycles, of a GRANT
  } srp_fields_t;

  // what a queue knows of a packet, beside its output
  typedef struct packed {
    logic        cnp;
    logic [6:0]  n;      // length in flits
    logic [15:0] dlid;
  } desc_t;

  // a message of credits: FCCL or FCTBS of a VL
  typedef struct packed {
    logic        valid;
    logic [7:0]  vl;
    logic [11:0] blocks;
  } credit_t;

  // a message about a tree of congestion; the list of its destinations goes beside it
  typedef struct packed {
    logic        valid;
    logic [1:0]  kind;
    logic [7:0]  line;
    logic [7:0]  vl;
    logic [23:0] root;
    logic [5:0]  hops;
    logic        stop;
    logic [7:0]  dcnt;
  } tree_msg_t;

  // an output tells an input that its request of a VL belongs to a tree
  typedef struct packed {
    logic        valid;
    logic [7:0]  vl;
    logic [7:0]  line;
    logic [5:0]  hops;
    logic [23:0] root;
  } proposal_t;

  // Rule F1: are n blocks within the credits left? Counters are modulo 4096, promises at most half of that.
  function automatic logic credit_fits(input logic [11:0] left, input logic [7:0] n);
    credit_fits = left - 12'(n) <= 12'd2048;
  endfunction

  // In round robin from a pointer one goes before another: those from it on before those below it.
  function automatic logic goes_before(input logic [15:0] one, input logic [15:0] other, input logic [15:0] ptr);
    goes_before = ((one < ptr) == (other < ptr)) ? one < other : other < ptr;
  endfunction
endpackage

`default_nettype wire
