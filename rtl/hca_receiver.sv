// Receive side of an adapter: judges the flits of the link, keeps those of accepted packets in the
// receive FIFO for the host, finds FECNs and BECNs, returns credits. Rules B3, F1, F2, H2, H3;
// docs/hca.md section 4.
`default_nettype none

module hca_receiver #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int FLOWS = 64,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int RX_BLOCKS = 256,
    parameter int CNT_W = 32,
    parameter int PARITY = 0,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              ready_i,
    input  wire logic              cnp_en_i,
    input  wire logic [15:0]       lid_i,
    input  wire logic [15:0]       lid_base_i,
    input  wire logic [15:0]       fc_interval_i,
    input  wire logic              rx_valid_i,
    input  wire logic              rx_first_i,
    input  wire logic              rx_last_i,
    input  wire logic              rx_bad_i,
    input  wire logic [DW-1:0]     rx_data_i,
    input  wire logic              fctbs_valid_i,
    input  wire logic [7:0]        fctbs_vl_i,
    input  wire logic [11:0]       fctbs_i,
    input  wire logic              host_ready_i,
    output logic                   host_valid_o,
    output logic                   host_first_o,
    output logic                   host_last_o,
    output logic                   host_bad_o,
    output logic      [DW-1:0]     host_data_o,
    output logic                   fc_valid_o,
    output logic      [7:0]        fc_vl_o,
    output logic      [11:0]       fccl_o,
    output logic                   cnp_push_o,    // Mealy: answer this flit's packet
    output logic      [15:0]       cnp_dlid_o,
    output logic      [3:0]        cnp_sl_o,
    output logic      [VW-1:0]     cnp_vl_o,
    output logic                   becn_valid_o,  // a BECN came in the cycle before
    output logic      [15:0]       becn_flow_o,
    output logic      [3:0]        becn_sl_o,
    output logic      [15:0]       err_set_o,     // Mealy
    output logic                   store_o,       // Mealy: the flit is stored, for the checker
    output logic                   count_o,       // Mealy: and counted in ABR
    output logic      [VW-1:0]     vl_o,          // Mealy: on this VL
    output logic      [VW-1:0]     host_vl_o,     // VL of the oldest flit
    output logic      [12*VLS-1:0] used_o,
    output logic      [12*VLS-1:0] abr_o,
    output logic      [CNT_W-1:0]  cnt_becn_o,
    output logic      [CNT_W-1:0]  cnt_rcv_o,
    output logic                   parity_err_o  // Mealy
);
  localparam int CAP = RX_BLOCKS / VLS;

  typedef enum logic [1:0] {
    IDLE = 2'd0,
    OPEN = 2'd1,  // storing the flits of a packet
    SKIP = 2'd2   // dropping the rest of one
  } state_e;

  // ---- header
  logic        bth, fecn, becn, is_cnp, is_ack, is_mcast;
  logic [1:0]  lnh;
  logic [3:0]  sl;
  logic [7:0]  opcode, head_vl, n;
  logic [15:0] dlid, slid;

  always_comb begin
    sl = rx_data_i[15:12];
    lnh = rx_data_i[9:8];
    dlid = {rx_data_i[23:16], rx_data_i[31:24]};
    slid = {rx_data_i[55:48], rx_data_i[63:56]};
    // PktLen, rounded up to flits
    n = {1'b0, rx_data_i[34:32], rx_data_i[47:44]} + 8'(rx_data_i[43:40] != '0);
    head_vl = (VL_BY_DEST != 0) ? 8'(dlid % 16'(VLS)) : {4'd0, rx_data_i[7:4]};
    bth = lnh == quell_pkg::LNH_BTH;
    opcode = rx_data_i[quell_pkg::BTH_RAW_LSB+:8];
    {fecn, becn} = rx_data_i[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_BECN+:2];
    if (FLIT_BYTES == 64 && lnh == quell_pkg::LNH_GRH) begin
      bth = 1'b1;
      opcode = rx_data_i[quell_pkg::BTH_GRH_LSB%DW+:8];
      {fecn, becn} = rx_data_i[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_BECN)%DW+:2];
    end
    is_cnp = opcode == quell_pkg::OPCODE_CNP;
    is_ack = opcode[4:0] == quell_pkg::OPCODE_ACK;
    is_mcast = dlid >= quell_pkg::DLID_MCAST;
    if (!bth) {fecn, becn, is_cnp, is_ack} = '0;
  end

  // ---- verdict
  logic [1:0]    state_q, state_d, state;
  logic [VW-1:0] ctx_vl_q, ctx_vl_d;
  logic          ctx_vl_ok_q, ctx_vl_ok_d;
  logic          flit, first, next;       // a flit; a packet's first; another one
  logic          vl_ok, shape_ok, lid_ok, good, accept, got_becn;
  logic [11:0]   free_blocks;             // of the flit's VL
  logic [15:0]   flow;

  always_comb begin
    flit = ready_i && rx_valid_i;
    first = flit && rx_first_i;
    next = flit && !rx_first_i;
    vl_o = rx_first_i ? VW'(head_vl) : ctx_vl_q;
    free_blocks = 12'(CAP) - used_o[12*vl_o+:12];

    vl_ok = head_vl < 8'(VLS);
    shape_ok = n != '0 && n <= 8'(MTU) && (rx_bad_i || rx_last_i == (n == 8'd1));
    lid_ok = dlid == lid_i || is_mcast;
    good = first && vl_ok && shape_ok && lid_ok;
    accept = good && !is_cnp && 12'(n) <= free_blocks;
    store_o = accept || (next && state_q == OPEN && free_blocks != '0);
    count_o = first ? vl_ok : (next && state_q != IDLE && ctx_vl_ok_q);

    state = state_q;
    if (flit && rx_last_i) state = IDLE;
    else if (first) state = accept ? OPEN : SKIP;

    flow = slid - lid_base_i;
    got_becn = becn && (accept || (good && is_cnp));
    cnp_push_o = cnp_en_i && accept && fecn && !becn && !is_ack && !is_mcast;
    cnp_dlid_o = slid;
    cnp_sl_o = sl;
    cnp_vl_o = (VL_BY_DEST != 0) ? VW'(slid % 16'(VLS)) : vl_o;

    err_set_o = '0;
    err_set_o[quell_pkg::HE_FRAMING] =
        (first && (state_q == OPEN || !shape_ok)) || (next && state_q == IDLE);
    err_set_o[quell_pkg::HE_BAD_VL] = (first && !vl_ok) || fctbs_bad_vl;
    err_set_o[quell_pkg::HE_NO_CREDIT] =
        (good && !is_cnp && !accept) || (next && state_q == OPEN && !store_o);
    err_set_o[quell_pkg::HE_MISROUTED] = first && !lid_ok;
    err_set_o[quell_pkg::HE_BAD_FLOW] = got_becn && flow >= 16'(FLOWS);
  end

  logic [CNT_W-1:0] cnt_rcv_d, cnt_becn_d;
  logic becn_valid_d;
  logic [15:0] becn_flow_d;
  logic [3:0] becn_sl_d;

  always_comb begin
    state_d = state_q;
    ctx_vl_d = ctx_vl_q;
    ctx_vl_ok_d = ctx_vl_ok_q;
    cnt_rcv_d = cnt_rcv_o;
    cnt_becn_d = cnt_becn_o;
    becn_valid_d = becn_valid_o;
    becn_flow_d = becn_flow_o;
    becn_sl_d = becn_sl_o;
    if (rst_i) begin
      state_d = IDLE;
      ctx_vl_d = '0;
      ctx_vl_ok_d = 1'b0;
      cnt_rcv_d = '0;
      cnt_becn_d = '0;
      becn_valid_d = 1'b0;
    end else begin
      state_d = state;
      if (first) ctx_vl_d = vl_o;
      if (first) ctx_vl_ok_d = vl_ok;
      else if (next && state_q == IDLE) ctx_vl_ok_d = 1'b0;
      if (accept && cnt_rcv_o != '1) cnt_rcv_d = cnt_rcv_o + 1'b1;
      becn_valid_d = got_becn && flow < 16'(FLOWS);
      if (got_becn && flow < 16'(FLOWS) && cnt_becn_o != '1) cnt_becn_d = cnt_becn_o + 1'b1;
    end
    if (got_becn) begin
      becn_flow_d = flow;
      becn_sl_d = sl;
    end
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    ctx_vl_q <= ctx_vl_d;
    ctx_vl_ok_q <= ctx_vl_ok_d;
    cnt_rcv_o <= cnt_rcv_d;
    cnt_becn_o <= cnt_becn_d;
    becn_valid_o <= becn_valid_d;
    becn_flow_o <= becn_flow_d;
    becn_sl_o <= becn_sl_d;
  end

  // ---- FIFO and credits
  logic pop, fctbs_bad_vl;
  logic own_err, fifo_err, credit_err;  // of parity
  logic fifo_first, fifo_last, fifo_bad;
  logic [DW-1:0] fifo_data;

  assign pop = host_valid_o && host_ready_i;

  receive_fifo #(.DEPTH(RX_BLOCKS), .WIDTH(DW + VW + 3), .PARITY(PARITY)) u_fifo (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .push_i(store_o),
      .data_i({vl_o, rx_first_i, rx_last_i, rx_bad_i, rx_data_i}),
      .pop_i(pop),
      .valid_o(host_valid_o),
      .data_o({host_vl_o, fifo_first, fifo_last, fifo_bad, fifo_data}),
      .parity_err_o(fifo_err)
  );

  always_comb begin
    {host_first_o, host_last_o, host_bad_o, host_data_o} = '0;
    if (host_valid_o) begin
      host_first_o = fifo_first;
      host_last_o = fifo_last;
      host_bad_o = fifo_bad;
      host_data_o = fifo_data;
    end
  end

  receive_credits #(.VLS(VLS), .CAP(CAP), .PARITY(PARITY)) u_credits (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .ready_i(ready_i),
      .interval_i(fc_interval_i),
      .fctbs_valid_i(fctbs_valid_i),
      .fctbs_vl_i(fctbs_vl_i),
      .fctbs_i(fctbs_i),
      .count_i(count_o),
      .vl_i(vl_o),
      .store_i(store_o),
      .pop_i(pop),
      .pop_vl_i(host_vl_o),
      .used_o(used_o),
      .abr_o(abr_o),
      .bad_vl_o(fctbs_bad_vl),
      .fc_valid_o(fc_valid_o),
      .fc_vl_o(fc_vl_o),
      .fccl_o(fccl_o),
      .parity_err_o(credit_err)
  );

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{state_d, ctx_vl_d, ctx_vl_ok_d, cnt_rcv_d, cnt_becn_d, becn_valid_d, becn_flow_d, becn_sl_d}),
      .now_i(^{state_q, ctx_vl_q, ctx_vl_ok_q, cnt_rcv_o, cnt_becn_o, becn_valid_o, becn_flow_o, becn_sl_o}),
      .err_o(own_err)
  );

  assign parity_err_o = |{own_err, fifo_err, credit_err};
endmodule

`default_nettype wire
