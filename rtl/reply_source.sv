// What an adapter answers of itself: a FIFO for each VL of the CNPs to send, whose heads ask the output port like an
// input of a switch does; one engine puts them on its crossbar. Or they are moved from there to the generation queues.
// Rule H2; docs/hca.md sections 3, 8.
`default_nettype none

module reply_source #(
    parameter int VLS = 1,
    parameter int CNPQ = 16,
    parameter int CNT_W = 32,
    parameter int PARITY = 0,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic [15:0]    lid_i,
    input  wire logic           push_i,        // answer a packet of this source
    input  wire logic [15:0]    push_dlid_i,
    input  wire logic [3:0]     push_sl_i,
    input  wire logic [VW-1:0]  push_vl_i,
    input  wire logic           queued_i,      // they are moved, and do not ask
    input  wire logic           move_i,        // one is, of the VL whose turn it is, if any waits
    output logic                move_o,        // Mealy: so it is,
    output logic [VW-1:0]       move_vl_o,     // of this VL,
    output logic [15:0]         move_dlid_o,   // to this destination
    input  wire logic           move_lost_i,   // Mealy: and finds no place
    output logic [15:0]         pkts_o,        // CNPs waiting, of all VLs
    output logic [VLS-1:0]      req_valid_o,   // per VL: a candidate, one flit
    output logic [7*VLS-1:0]    req_len_o,
    output logic [16*VLS-1:0]   req_dlid_o,
    input  wire logic [VLS-1:0] grant_i,       // one at most
    input  wire logic           rd_en_i,
    output logic                act_o,         // a CNP is about to be put on the crossbar
    output logic                sw_valid_o,    // a CNP, on the crossbar
    output logic [159:0]        sw_header_o,   // its first bytes, the others are 0
    output logic [CNT_W-1:0]    cnt_cnp_o,     // CNPs queued
    output logic [15:0]         cnt_lost_o,    // and lost, the FIFO of their VL, or the queue of their destination, being full
    output logic                parity_err_o
);
  localparam int AW = $clog2(CNPQ);
  localparam int EW = 16 + 4;       // {dlid, sl}

  // ---- a FIFO per VL
  logic [VLS-1:0]    push, pop, full, waits, goes, moves;  // goes: to the engine
  logic [VLS-1:0]    ptr_err, fifo_err;  // of parity
  logic [EW*VLS-1:0] heads;

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [AW-1:0] head_q, head_d, tail_q, tail_d;
    logic [AW:0]   fill_q, fill_d;

    assign full[v] = fill_q == (AW + 1)'(CNPQ);
    assign push[v] = push_i && push_vl_i == VW'(v) && !full[v];
    assign goes[v] = grant_i[v] && req_valid_o[v] && (!act_o || rd_en_i);
    assign pop[v] = goes[v] || moves[v];
    assign waits[v] = fill_q != '0;
    assign req_valid_o[v] = waits[v] && !queued_i;
    assign req_len_o[7*v+:7] = 7'(req_valid_o[v]);
    assign req_dlid_o[16*v+:16] = req_valid_o[v] ? heads[EW*v+4+:16] : '0;

    always_comb begin
      head_d = head_q;
      tail_d = tail_q;
      fill_d = fill_q;
      if (rst_i) begin
        head_d = '0;
        tail_d = '0;
        fill_d = '0;
      end else begin
        if (pop[v]) head_d = head_q + 1'b1;
        if (push[v]) tail_d = tail_q + 1'b1;
        fill_d = fill_q + (AW + 1)'(push[v]) - (AW + 1)'(pop[v]);
      end
    end

    always_ff @(posedge clk_i) begin
      head_q <= head_d;
      tail_q <= tail_d;
      fill_q <= fill_d;
    end

    ram_async #(.DEPTH(CNPQ), .WIDTH(EW), .PARITY(PARITY)) u_fifo (
        .clk_i,
        .we_i(push[v]),
        .waddr_i(tail_q),
        .wdata_i({push_dlid_i, push_sl_i}),
        .raddr_i(head_q),
        .rdata_o(heads[EW*v+:EW]),
        .used_i(waits[v]),
        .parity_err_o(fifo_err[v])
    );

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{head_d, tail_d, fill_d}),
        .now_i(^{head_q, tail_q, fill_q}),
        .err_o(ptr_err[v])
    );
  end

  // ---- one that is moved: VLs take turns
  logic [VW-1:0] move_ptr_q, move_ptr_d, move_vl;
  logic          any;

  rr_arbiter #(.N(VLS)) u_move (
      .req_i((queued_i && move_i) ? waits : '0),
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
    move_dlid_o = '0;
    for (int v = 0; v < VLS; v++) if (moves[v]) move_dlid_o = heads[EW*v+4+:16];
  end

  always_ff @(posedge clk_i) move_ptr_q <= move_ptr_d;

  // ---- counters
  logic [CNT_W-1:0] cnt_cnp_d;
  logic [15:0]      cnt_lost_d;
  logic [16:0]      lost;  // with those of this cycle

  always_comb begin
    cnt_cnp_d = cnt_cnp_o;
    lost = {1'b0, cnt_lost_o} + 17'(push_i && full[push_vl_i]) + 17'(move_lost_i);
    cnt_lost_d = lost[16] ? '1 : lost[15:0];
    if (rst_i) begin
      cnt_cnp_d = '0;
      cnt_lost_d = '0;
    end else if (push_i && !full[push_vl_i] && cnt_cnp_o != '1) begin
      cnt_cnp_d = cnt_cnp_o + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    cnt_cnp_o <= cnt_cnp_d;
    cnt_lost_o <= cnt_lost_d;
  end

  // ---- the CNP granted, then the one on the crossbar
  logic [EW+VW-1:0] cnp_q, cnp_d, sw_q, sw_d;  // {dlid, sl, VL}
  logic [15:0]      slid_q, slid_d, pkts_d;
  logic             emit, act_d, sw_valid_d;

  assign emit = act_o && rd_en_i;

  always_comb begin
    pkts_d = pkts_o + 16'(push != '0) - 16'(pop != '0);
    act_d = goes != '0 || (act_o && !rd_en_i);
    sw_valid_d = emit;
    cnp_d = cnp_q;
    sw_d = sw_q;
    slid_d = slid_q;
    for (int v = 0; v < VLS; v++) if (goes[v]) cnp_d = {heads[EW*v+:EW], VW'(v)};
    if (emit) begin
      sw_d = cnp_q;
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
    cnp_q <= cnp_d;
    sw_q <= sw_d;
    slid_q <= slid_d;
  end

  logic [159:0] header;

  packet_header u_header (
      .vl_i(4'(sw_q[VW-1:0])),
      .sl_i(sw_q[VW+:4]),
      .dlid_i(sw_q[VW+4+:16]),
      .words_i(11'd10),
      .slid_i(slid_q),
      .opcode_i(quell_pkg::OPCODE_CNP),
      .becn_i(1'b1),
      .qp_i(16'd0),
      .psn_i(24'd0),
      .header_o(header)
  );

  assign sw_header_o = sw_valid_o ? header : '0;

  logic own_err;  // of parity

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{pkts_d, act_d, sw_valid_d, cnp_d, sw_d, slid_d, cnt_cnp_d, cnt_lost_d, move_ptr_d}),
      .now_i(^{pkts_o, act_o, sw_valid_o, cnp_q, sw_q, slid_q, cnt_cnp_o, cnt_lost_o, move_ptr_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || ptr_err != '0 || fifo_err != '0;
endmodule

`default_nettype wire
