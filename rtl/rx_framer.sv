// Receiver: registers the link's flits, checks headers and framing, accepts, stores, drops or cuts.
// The cycle in which a registered flit is judged is stage 1; what came while the link was down is not
// heard, and ends the packet that was being received. With MARKERS a markable packet that comes to a full buffer is stored
// with MB set; with CTL_VL the highest VL takes nothing but replies of one flit, with SRP each
// lane what belongs there. Rules B2, B3, R1, F1, VM1, CQ2, CL3, Q1, Q5.
`default_nettype none

module rx_framer #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int CAP = 2048,
    parameter int AW = 11,
    parameter int FLIT_W = 512,
    parameter int VL_BY_DEST = 0,
    parameter int MARKERS = 0,
    parameter int CIOQ = 0,
    parameter int CTL_VL = 0,
    parameter int SRP = 0,
    parameter int SPEC_BLOCKS = CAP,
    parameter int CTL_BLOCKS = CAP,
    parameter int PARITY = 0,
    localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              run_i,        // the link is listened to
    input  wire logic              link_up_i,
    input  wire logic              rx_valid_i,
    input  wire logic              rx_first_i,
    input  wire logic              rx_last_i,
    input  wire logic              rx_bad_i,
    input  wire logic [FLIT_W-1:0] rx_data_i,
    input  wire logic [7:0]        route_i,      // of the flit in stage 1,
    input  wire logic [7:0]        back_i,       // and of a NACK that answers it
    output logic                   head_o,       // that is a header
    input  wire logic [VLS*12-1:0] used_i,
    input  wire logic [15:0]       timeout_i,
    input  wire logic [3:0]        interval_i,   // of the link,
    input  wire logic [3:0]        rd_interval_i,  // and of the fastest reader,
    input  wire logic [3:0]        xb_interval_i,  // with CIOQ of the fastest link that reads, and of the crossbar
    input  wire logic              mb_en_i,
    input  wire logic [15:0]       mb_th_i,
    input  wire logic [AW-1:0]     block_i,      // where a flit stored now goes
    output logic                   up_o,         // stage 1 is of a cycle with the link up
    // events of stage 1
    output logic                   accept_o,     // a new packet; its first flit is stored
    output logic [OW-1:0]          accept_out_o,
    output logic [OW-1:0]          accept_back_o,
    output logic [VW-1:0]          accept_vl_o,
    output quell_pkg::desc_t       accept_desc_o,
    output logic                   accept_markable_o,
    output logic                   accept_ack_o,
    output logic                   extend_o,     // a further flit of the open packet is stored
    output logic                   close_o,      // the open packet is complete or cut
    output logic [6:0]             close_a_o,    // flits stored of it in the end
    output logic [VW-1:0]          store_vl_o,   // of the accepted or extended packet
    output logic [FLIT_W-1:0]      data_o,
    output logic                   count_o,      // the flit counts for ABR of count_vl_o
    output logic [VW-1:0]          count_vl_o,
    output logic [15:0]            err_o,
    // the open packet
    output logic                   open_o,
    output logic [AW-1:0]          open_id_o,
    output logic [AW-1:0]          open_tail_o,  // block of its last flit
    output logic [6:0]             open_a_o,     // flits stored
    output logic                   open_start_o, // so much is there that it may leave (B2),
    output logic                   open_fast_o,  // at the pace of the crossbar (CQ2)
    output logic [1:0]             state_o,
    output logic [15:0]            cnt_drop_o,
    output logic                   parity_err_o
);
  logic              up_q, up_d;
  logic              valid_q, valid_d;
  logic              flit;             // there is one in stage 1
  logic              first_q, first_d;
  logic              last_q, last_d;
  logic              bad_q, bad_d;
  logic [FLIT_W-1:0] data_q, data_d;

  logic [1:0]    state_q, state_d;
  logic [1:0]    state;
  logic [VW-1:0] ctx_vl_q, ctx_vl_d;
  logic          ctx_ok_q, ctx_ok_d;
  logic          ctx_ok;
  logic [AW-1:0] id_q, id_d;
  logic [AW-1:0] tail_q, tail_d;
  logic [6:0]    n_q, n_d;
  logic [6:0]    a_q, a_d;
  logic [15:0]   quiet_q, quiet_d;    // cycles without a flit, saturating
  logic [16:0]   quiet_inc;
  logic [15:0]   cnt_drop_q, cnt_drop_d;

  assign up_d = rst_i || !run_i || link_up_i;
  assign valid_d = !rst_i && run_i && rx_valid_i;
  assign first_d = rx_first_i;
  assign last_d = rx_last_i;
  assign bad_d = rx_bad_i;
  assign data_d = rx_data_i;

  always_ff @(posedge clk_i) begin
    up_q <= up_d;
    valid_q <= valid_d;
    first_q <= first_d;
    last_q <= last_d;
    bad_q <= bad_d;
    data_q <= data_d;
  end
  assign up_o = up_q;
  assign flit = valid_q && up_q;

  // header
  quell_pkg::header_t head;
  logic          vl_ok;
  logic [VW-1:0] vl_idx;
  logic          len_ok;
  logic          route_ok;
  logic          room_ok;
  logic          shape_ok;
  logic          class_ok;
  logic          pass;

  header_decode #(.VLS(VLS), .FLIT_BYTES(FLIT_W / 8), .VL_BY_DEST(VL_BY_DEST)) u_header (
      .data_i(data_q),
      .head_o(head)
  );
  wire unused_head = &{1'b0, head};

  assign vl_ok = head.vl < 8'(VLS);
  assign vl_idx = head.vl[VW-1:0];
  assign len_ok = head.n != '0 && head.n <= 8'(MTU);

  accept_policy_credit #(
      .VLS(VLS), .CAP(CAP), .SRP(SRP), .SPEC_BLOCKS(SPEC_BLOCKS), .CTL_BLOCKS(CTL_BLOCKS)
  ) u_accept (
      .head_i(head),
      .used_i,
      .take_o(room_ok)
  );

  assign head_o = flit && first_q;
  assign shape_ok = last_q == (head.n == 8'd1);
  assign pass = vl_ok && len_ok && route_ok && room_ok && shape_ok && class_ok && !bad_q;

  // what has a place on its lane, and a way
  if (SRP != 0) begin : g_class
    localparam int D = VLS - 3;  // the spec lane
    logic spec;

    assign spec = data_q[quell_pkg::LNH_LSB +: 2] == quell_pkg::LNH_BTH
        && data_q[quell_pkg::BTH_RAW_LSB +: 8] == quell_pkg::OPCODE_SRP_SPEC;
    assign class_ok = !vl_ok || (head.vl == 8'(D) ? spec : head.vl < 8'(D) || head.n == 8'd1);
    assign route_ok = route_i < 8'(PORTS) && (head.vl != 8'(D) || back_i < 8'(PORTS));
    assign accept_back_o = back_i[OW-1:0];
  end else begin : g_class
    wire unused = &{1'b0, back_i};
    assign class_ok = CTL_VL == 0 || head.vl != 8'(VLS - 1) || (head.n == 8'd1 && (head.cnp || head.ack));
    assign route_ok = route_i < 8'(PORTS);
    assign accept_back_o = '0;
  end

  // framing
  logic drop;
  logic fits;  // a further flit that is as announced

  assign fits = !bad_q && last_q == (a_q == n_q - 7'd1);
  assign quiet_inc = {1'b0, quiet_q} + 17'd1;

  always_comb begin
    state = state_q;
    ctx_ok = ctx_ok_q;
    accept_o = 1'b0;
    extend_o = 1'b0;
    close_o = 1'b0;
    drop = 1'b0;
    err_o = '0;
    if (!up_q) begin
      ctx_ok = 1'b0;
      close_o = state_q == quell_pkg::RX_RECV;
      err_o[quell_pkg::IE_LINK_DOWN] = close_o;
      state = quell_pkg::RX_IDLE;
    end else if (valid_q && first_q) begin
      ctx_ok = vl_ok;
      if (state_q == quell_pkg::RX_RECV) begin
        close_o = 1'b1;
        err_o[quell_pkg::IE_FRAMING] = 1'b1;
      end
      if (!vl_ok) err_o[quell_pkg::IE_BAD_VL] = 1'b1;
      if (!len_ok) err_o[quell_pkg::IE_BAD_LEN] = 1'b1;
      if (!route_ok) err_o[quell_pkg::IE_NO_ROUTE] = 1'b1;
      if (vl_ok && len_ok && !room_ok) err_o[quell_pkg::IE_NO_CREDIT] = 1'b1;
      if (!class_ok) err_o[quell_pkg::IE_BAD_CLASS] = 1'b1;
      if (bad_q) err_o[quell_pkg::IE_BAD_PKT] = 1'b1;
      else if (len_ok && !shape_ok) err_o[quell_pkg::IE_FRAMING] = 1'b1;
      accept_o = pass;
      drop = !pass;
      if (pass) state = (head.n == 8'd1) ? quell_pkg::RX_IDLE : quell_pkg::RX_RECV;
      else state = last_q ? quell_pkg::RX_IDLE : quell_pkg::RX_DROP;
    end else if (valid_q) begin
      state = last_q ? quell_pkg::RX_IDLE : quell_pkg::RX_DROP;
      case (state_q)
        quell_pkg::RX_RECV: begin
          extend_o = fits;
          close_o = last_q || !fits;
          if (fits && !last_q) state = quell_pkg::RX_RECV;
          if (bad_q) err_o[quell_pkg::IE_BAD_PKT] = 1'b1;
          else if (!fits) err_o[quell_pkg::IE_FRAMING] = 1'b1;
        end
        quell_pkg::RX_DROP: ;
        default: begin
          err_o[quell_pkg::IE_FRAMING] = 1'b1;
          ctx_ok = 1'b0;
        end
      endcase
    end else if (state_q == quell_pkg::RX_RECV && timeout_i != '0
                 && quiet_inc >= {1'b0, timeout_i}) begin
      err_o[quell_pkg::IE_TIMEOUT] = 1'b1;
      close_o = 1'b1;
      state = quell_pkg::RX_DROP;
    end
  end

  always_comb begin
    state_d = state_q;
    ctx_vl_d = ctx_vl_q;
    ctx_ok_d = ctx_ok_q;
    id_d = id_q;
    tail_d = tail_q;
    n_d = n_q;
    a_d = a_q;
    quiet_d = quiet_q;
    cnt_drop_d = cnt_drop_q;
    if (rst_i) begin
      state_d = quell_pkg::RX_IDLE;
      ctx_vl_d = '0;
      ctx_ok_d = 1'b0;
      id_d = '0;
      tail_d = '0;
      n_d = '0;
      a_d = '0;
      quiet_d = '0;
      cnt_drop_d = '0;
    end else begin
      state_d = state;
      ctx_ok_d = ctx_ok;
      if (flit && first_q) ctx_vl_d = vl_idx;
      if (accept_o) begin
        id_d = block_i;
        n_d = head.n[6:0];
        a_d = 7'd1;
      end else if (extend_o) begin
        a_d = a_q + 7'd1;
      end
      if (accept_o || extend_o) tail_d = block_i;
      if (flit) quiet_d = '0;
      else if (!quiet_inc[16]) quiet_d = quiet_inc[15:0];
      if (drop && cnt_drop_q != '1) cnt_drop_d = cnt_drop_q + 16'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    ctx_vl_q <= ctx_vl_d;
    ctx_ok_q <= ctx_ok_d;
    id_q <= id_d;
    tail_q <= tail_d;
    n_q <= n_d;
    a_q <= a_d;
    quiet_q <= quiet_d;
    cnt_drop_q <= cnt_drop_d;
  end

  // B2: the rest of the open packet arrives no later than it is read.
  logic [6:0]  rest, behind;  // flits to come; flits behind the first
  logic [10:0] rest_time, read_time;
  assign rest = n_q - a_q;
  assign behind = n_q - 7'd1;
  assign rest_time = 11'(rest) * 11'(interval_i);
  assign read_time = 11'(behind) * 11'(rd_interval_i) + 11'd1;

  // ---- marks
  if (MARKERS != 0) begin : g_marks
    logic [11:0]       used;
    logic              full;  // with this packet more is stored than may be
    logic [FLIT_W-1:0] mb;    // the bit to set in the flit

    always_comb begin
      used = '0;
      for (int v = 0; v < VLS; v++) if (vl_idx == VW'(v)) used = used | used_i[v*12 +: 12];
      full = 17'(used) + 17'(head.n) > 17'(mb_th_i);
      mb = '0;
      mb[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_MB] = !head.grh;
      if (FLIT_W == 512) mb[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_MB)%FLIT_W] = head.grh;
    end

    assign accept_markable_o = head.bth && !head.cnp && !head.ack && !head.mcast;
    assign data_o = (first_q && accept_markable_o && mb_en_i && full) ? data_q | mb : data_q;
  end else begin : g_marks
    wire unused = &{1'b0, mb_en_i, mb_th_i};
    assign accept_markable_o = 1'b0;
    assign data_o = data_q;
  end

  assign accept_out_o = route_i[OW-1:0];
  assign accept_vl_o = vl_idx;
  assign accept_desc_o = {head.cnp, head.n[6:0], head.dlid};
  assign accept_ack_o = head.ack;
  assign close_a_o = extend_o ? a_q + 7'd1 : a_q;
  assign store_vl_o = accept_o ? vl_idx : ctx_vl_q;
  // A flit outside any packet has no known VL.
  assign count_o = flit
                && (first_q ? vl_ok : (ctx_ok_q && state_q != quell_pkg::RX_IDLE));
  assign count_vl_o = first_q ? vl_idx : ctx_vl_q;
  assign open_o = state_q == quell_pkg::RX_RECV;
  assign open_id_o = id_q;
  assign open_tail_o = tail_q;
  assign open_a_o = a_q;
  assign open_start_o = rest_time <= read_time;

  if (CIOQ != 0) begin : g_fast
    assign open_fast_o = rest_time <= 11'(behind) * 11'(xb_interval_i) + 11'd1;
  end else begin : g_fast
    wire unused_fast = &{1'b0, xb_interval_i};
    assign open_fast_o = 1'b1;
  end

  assign state_o = state_q;
  assign cnt_drop_o = cnt_drop_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{up_d, valid_d, first_d, last_d, bad_d, data_d, state_d, ctx_vl_d, ctx_ok_d, id_d, tail_d, n_d, a_d,
            quiet_d, cnt_drop_d}),
      .now_i(^{up_q, valid_q, first_q, last_q, bad_q, data_q, state_q, ctx_vl_q, ctx_ok_q, id_q, tail_q, n_q, a_q,
            quiet_q, cnt_drop_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
