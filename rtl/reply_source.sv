// What an adapter answers of itself, CNPs and ACKs: a FIFO for each VL of the replies to send, whose heads ask the output port
// like an input of a switch does; one engine puts them on its crossbar. CNPs may be moved from there to the generation queues
// instead, ACKs never. Where an ACK took the credit that data of its VL wait for, the next grant is owed to these.
// Rules AK2, AK4, H2; docs/hca.md sections 3, 8.
`default_nettype none

module reply_source #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int CNPQ = 16,
    parameter int CNT_W = 32,
    parameter int PARITY = 0,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic [15:0]    lid_i,
    input  wire logic           push_i,        // a reply
    input  quell_pkg::reply_t   push_reply_i,
    input  wire logic [VW-1:0]  push_vl_i,
    input  wire logic           queued_i,      // CNPs are moved, and do not ask
    input  wire logic           move_i,        // one is, of the VL whose turn it is, if any waits
    output logic                move_o,        // Mealy: so it is,
    output logic [VW-1:0]       move_vl_o,     // of this VL,
    output logic [15:0]         move_dlid_o,   // to this destination
    input  wire logic           move_lost_i,   // Mealy: and finds no place
    output logic [15:0]         pkts_o,        // replies waiting, of all VLs
    output logic [VLS-1:0]      req_valid_o,   // per VL: a candidate, one flit
    output logic [7*VLS-1:0]    req_len_o,
    output logic [16*VLS-1:0]   req_dlid_o,
    input  wire logic [VLS-1:0] grant_i,       // one at most
    input  wire logic           rd_en_i,
    // data of the same adapter, per VL
    input  wire logic           plain_i,       // they and replies take turns anyway
    input  wire logic [VLS-1:0] data_req_i,    // they ask,
    input  wire logic [VLS-1:0] data_grant_i,  // are granted
    input  wire logic [12*VLS-1:0] left_i,     // credits: limit less blocks granted
    output logic [VLS-1:0]      owed_o,        // the next grant is theirs
    output logic                act_o,         // a reply is about to be put on the crossbar
    output logic                sw_valid_o,    // a reply, on the crossbar
    output logic [159:0]        sw_header_o,   // its first bytes, the others are 0
    output logic [CNT_W-1:0]    cnt_cnp_o,     // CNPs queued
    output logic [15:0]         cnt_cnp_lost_o,  // and lost, the FIFO of their VL, or the queue of their destination, being full
    output logic [CNT_W-1:0]    cnt_ack_o,     // ACKs queued
    output logic [15:0]         cnt_ack_lost_o,  // and lost, the FIFO of their VL being full
    output logic                parity_err_o
);
  localparam int EW = $bits(push_reply_i);

  // ---- a FIFO per VL
  logic [VLS-1:0]    push, full, waits, waits_ack, waits_cnp, asks_ack, asks_cnp, holds, goes, moves;  // goes: to the engine
  logic [VLS-1:0]    owed_d, fifo_err;
  logic [EW*VLS-1:0] heads;
  logic [16*VLS-1:0] dlids;

  assign holds = owed_o & data_req_i;  // ACKs

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    quell_pkg::reply_t head;
    logic [$clog2(CNPQ):0] fill;
    logic              short_after;  // an ACK leaves less credit than data need

    assign push[v] = push_i && push_vl_i == VW'(v);

    word_fifo #(.DEPTH(CNPQ), .WIDTH(EW), .PARITY(PARITY)) u_fifo (
        .clk_i, .rst_i,
        .push_i(push[v]),
        .data_i(push_reply_i),
        .pop_i(goes[v] || moves[v]),
        .valid_o(waits[v]),
        .full_o(full[v]),
        .fill_o(fill),
        .data_o(heads[EW*v+:EW]),
        .parity_err_o(fifo_err[v])
    );

    assign head = heads[EW*v+:EW];
    wire unused_head = &{1'b0, head, fill};
    assign dlids[16*v+:16] = head.dlid;
    assign waits_ack[v] = waits[v] && head.ack;
    assign waits_cnp[v] = waits[v] && !head.ack;
    assign asks_ack[v] = waits_ack[v] && !holds[v];
    assign asks_cnp[v] = waits_cnp[v] && !queued_i;
    assign req_valid_o[v] = asks_ack[v] || asks_cnp[v];
    assign req_len_o[7*v+:7] = 7'(req_valid_o[v]);
    assign req_dlid_o[16*v+:16] = req_valid_o[v] ? head.dlid : '0;
    assign goes[v] = grant_i[v] && req_valid_o[v] && (!act_o || rd_en_i);

    // ---- owed
    assign short_after = !quell_pkg::credit_fits(left_i[12*v+:12], 8'(MTU + 1));

    always_comb begin
      owed_d[v] = owed_o[v];
      if (goes[v] && head.ack && data_req_i[v] && short_after) owed_d[v] = 1'b1;
      if (data_grant_i[v]) owed_d[v] = 1'b0;
      if (rst_i || plain_i) owed_d[v] = 1'b0;
    end
  end

  always_ff @(posedge clk_i) owed_o <= owed_d;

  // ---- a CNP that is moved: VLs take turns
  logic [VW-1:0] move_ptr_q, move_ptr_d, move_vl;
  logic          any;

  rr_arbiter #(.N(VLS)) u_move (
      .req_i((queued_i && move_i) ? waits_cnp : '0),
      .ptr_i(move_ptr_q),
      .gnt_o(moves),
      .idx_o(move_vl),
      .any_o(any)
  );

  assign move_o = any;
  assign move_vl_o = move_vl;
  always_comb begin
    move_ptr_d = move_ptr_q;
    if (rst_i) move_ptr_d = '0;
    else if (any) move_ptr_d = (move_vl == VW'(VLS - 1)) ? '0 : move_vl + 1'b1;
  end

  always_ff @(posedge clk_i) move_ptr_q <= move_ptr_d;

  // ---- counters
  logic [CNT_W-1:0] cnt_cnp_d, cnt_ack_d;
  logic [15:0]      cnt_cnp_lost_d, cnt_ack_lost_d;
  logic [16:0]      lost;  // CNPs, with those of this cycle
  logic             queue, lose;  // a reply is queued; lost, its FIFO being full

  always_comb begin
    queue = push_i && !full[push_vl_i];
    lose = push_i && full[push_vl_i];
    cnt_cnp_d = cnt_cnp_o;
    cnt_ack_d = cnt_ack_o;
    lost = {1'b0, cnt_cnp_lost_o} + 17'(lose && !push_reply_i.ack) + 17'(move_lost_i);
    cnt_cnp_lost_d = lost[16] ? '1 : lost[15:0];
    cnt_ack_lost_d = cnt_ack_lost_o;
    if (queue && !push_reply_i.ack && cnt_cnp_o != '1) cnt_cnp_d = cnt_cnp_o + 1'b1;
    if (queue && push_reply_i.ack && cnt_ack_o != '1) cnt_ack_d = cnt_ack_o + 1'b1;
    if (lose && push_reply_i.ack && cnt_ack_lost_o != '1) cnt_ack_lost_d = cnt_ack_lost_o + 1'b1;
    if (rst_i) begin
      cnt_cnp_d = '0;
      cnt_cnp_lost_d = '0;
      cnt_ack_d = '0;
      cnt_ack_lost_d = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    cnt_cnp_o <= cnt_cnp_d;
    cnt_cnp_lost_o <= cnt_cnp_lost_d;
    cnt_ack_o <= cnt_ack_d;
    cnt_ack_lost_o <= cnt_ack_lost_d;
  end

  // ---- the reply granted, then the one on the crossbar
  quell_pkg::reply_t reply_q, reply_d, sw_q, sw_d;
  logic [VW-1:0]     vl_q, vl_d, sw_vl_q, sw_vl_d;
  logic [15:0]       slid_q, slid_d, pkts_d;
  logic              emit, act_d, sw_valid_d;

  assign emit = act_o && rd_en_i;

  always_comb begin
    pkts_d = pkts_o + 16'(queue) - 16'(goes != '0) - 16'(any);
    act_d = goes != '0 || (act_o && !rd_en_i);
    sw_valid_d = emit;
    reply_d = reply_q;
    vl_d = vl_q;
    sw_d = sw_q;
    sw_vl_d = sw_vl_q;
    slid_d = slid_q;
    move_dlid_o = '0;
    for (int v = 0; v < VLS; v++) begin
      if (goes[v]) begin
        reply_d = heads[EW*v+:EW];
        vl_d = VW'(v);
      end
      if (moves[v]) move_dlid_o = dlids[16*v+:16];
    end
    if (emit) begin
      sw_d = reply_q;
      sw_vl_d = vl_q;
      slid_d = lid_i;
    end
    if (rst_i) begin
      pkts_d = '0;
      act_d = 1'b0;
      sw_valid_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    pkts_o <= pkts_d;
    act_o <= act_d;
    sw_valid_o <= sw_valid_d;
    reply_q <= reply_d;
    vl_q <= vl_d;
    sw_q <= sw_d;
    sw_vl_q <= sw_vl_d;
    slid_q <= slid_d;
  end

  logic [159:0] header;

  packet_header u_header (
      .vl_i(4'(sw_vl_q)),
      .sl_i(sw_q.sl),
      .dlid_i(sw_q.dlid),
      .words_i(sw_q.ack ? 11'd7 : 11'd10),
      .slid_i(slid_q),
      .opcode_i(sw_q.ack ? quell_pkg::OPCODE_ACKNOWLEDGE : quell_pkg::OPCODE_CNP),
      .marks_i({1'b0, sw_q.marks[2] || !sw_q.ack, sw_q.marks[1:0]}),
      .qp_i(16'd0),
      .psn_i(sw_q.psn),
      .header_o(header)
  );

  assign sw_header_o = sw_valid_o ? header : '0;

  logic own_err;  // of parity

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{pkts_d, act_d, sw_valid_d, reply_d, vl_d, sw_d, sw_vl_d, slid_d, owed_d, cnt_cnp_d, cnt_cnp_lost_d, cnt_ack_d,
            cnt_ack_lost_d, move_ptr_d}),
      .now_i(^{pkts_o, act_o, sw_valid_o, reply_q, vl_q, sw_q, sw_vl_q, slid_q, owed_o, cnt_cnp_o, cnt_cnp_lost_o, cnt_ack_o,
            cnt_ack_lost_o, move_ptr_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || fifo_err != '0;
endmodule

`default_nettype wire
