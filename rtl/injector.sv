// Injector of an adapter: credits towards its own input port, and the packet being sent, whose flits the
// host supplies, but for a CNP's. With SRP lane, opcode and what else the header says come with the offer. Rules CL2, F1, H2, H5, H8, Q4;
// docs/hca.md sections 2, 8, 12, 13.
`default_nettype none

module injector #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int DATA_VLS = VLS,  // those that SLs lead to, the lowest ones
    parameter int SRP = 0,  // 1: the offer is complete, and no head is read
    parameter int CAP = 2048,  // blocks of a VL in the input port, with SRP
    parameter int PARITY = 0,
    localparam int DW = 8 * FLIT_BYTES
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic [15:0]       lid_i,
    input  wire logic [15:0]       lid_base_i,
    input  quell_pkg::credit_t     fccl_i,       // credit message of the input port
    output logic      [VLS-1:0]    room_o,       // VLs with credits for a packet of MTU flits
    input  wire logic              inj_valid_i,  // the throttle's offer
    input  wire logic [15:0]       inj_flow_i,
    input  wire logic [3:0]        inj_sl_i,
    input  wire logic [3:0]        inj_lane_i,   // with SRP
    input  wire logic [7:0]        inj_opcode_i,
    input  quell_pkg::srp_fields_t inj_fields_i,
    input  wire logic [6:0]        head_len_i,   // head of that flow's queue, read in the cycle before
    input  wire logic [23:0]       head_psn_i,
    input  wire logic              head_cnp_i,
    output logic                   head_used_o,  // that matters
    output logic                   accept_o,     // Mealy: the offer is taken, the queue popped
    input  wire logic              dma_ready_i,
    input  wire logic [DW-1:0]     dma_data_i,
    output logic                   dma_valid_o,
    output logic      [15:0]       dma_flow_o,
    output logic      [23:0]       dma_psn_o,
    output logic      [6:0]        dma_index_o,
    output logic                   empty_o,      // with SRP: nothing that was taken is in the injector or the input port
    output logic                   sending_o,    // a packet is being sent, the host's or a CNP
    output logic                   rx_valid_o,   // Mealy: to the input port
    output logic                   rx_first_o,
    output logic                   rx_last_o,
    output logic      [DW-1:0]     rx_data_o,
    output logic      [12*VLS-1:0] txr_o,
    output logic                   parity_err_o
);
  localparam int VW = (VLS > 1) ? $clog2(VLS) : 1;

  // ---- credits
  logic [12*VLS-1:0] avail;
  logic [VW-1:0]     vl;    // of the packet offered
  logic              credit_err;  // of parity
  // Nothing gets lost on the way to the input port: it is told nothing, and its VLs are these.
  quell_pkg::credit_t unused_fctbs;
  logic              unused_bad_vl;
  logic [12*VLS-1:0] unused_sent, unused_fccl;

  credit_sender #(.VLS(VLS), .MTU(MTU), .FCTBS(0), .PARITY(PARITY)) u_credits (
      .clk_i, .rst_i,
      .link_up_i(1'b1),
      .interval_i(16'd0),
      .fccl_i,
      .grant_i(accept_o ? VLS'(1) << vl : VLS'(0)),
      .grant_len_i(8'(head_len_i)),
      .short_i(VLS'(0)),
      .short_by_i(8'd0),
      .sent_i(VLS'(0)),
      .has_credit_o(room_o),
      .left_o(avail),
      .fctbs_o(unused_fctbs),
      .bad_vl_o(unused_bad_vl),
      .txr_o,
      .fctbs_all_o(unused_sent),
      .fccl_all_o(unused_fccl),
      .parity_err_o(credit_err)
  );

  // ---- DLID and VL of the packet offered
  logic [15:0] dlid;

  assign dlid = lid_base_i + inj_flow_i;

  if (SRP != 0) begin : g_by_lane
    assign vl = VW'(inj_lane_i);
    wire unused = &{1'b0, inj_lane_i};
  end else if (VL_BY_DEST != 0) begin : g_by_dest
    assign vl = VW'(dlid % 16'(VLS));
    wire unused = &{1'b0, inj_sl_i};
  end else begin : g_by_sl
    assign vl = VW'(8'(inj_sl_i) % 8'(DATA_VLS));
  end

  // ---- acceptance
  logic head_valid_q, head_valid_d, head_valid, last, free, supplied;

  assign last = dma_index_o == n_q - 1'b1;
  assign supplied = dma_ready_i || cnp_q;  // the flit is there
  assign free = !sending_o || (supplied && last);
  assign head_valid = head_valid_q || SRP != 0;
  assign head_used_o = inj_valid_i && head_valid;
  assign accept_o = inj_valid_i && head_valid && free && quell_pkg::credit_fits(avail[12*vl+:12], 8'(head_len_i));

  assign head_valid_d = !rst_i && inj_valid_i && !accept_o;

  always_ff @(posedge clk_i) head_valid_q <= head_valid_d;

  // ---- the packet being sent
  logic [6:0] n_q, n_d;
  logic [3:0] sl_q, sl_d;
  logic [3:0] vl_q, vl_d;  // as far as the header has room for it
  logic [15:0] dlid_q, dlid_d;

  logic sending_d, cnp_q, cnp_d;
  logic [15:0] flow_q, flow_d;
  logic [23:0] dma_psn_d;
  logic [6:0] dma_index_d;

  always_comb begin
    sending_d = sending_o;
    cnp_d = cnp_q;
    flow_d = flow_q;
    dma_psn_d = dma_psn_o;
    dma_index_d = dma_index_o;
    if (rst_i) begin
      sending_d = 1'b0;
      cnp_d = 1'b0;
      flow_d = '0;
      dma_psn_d = '0;
      dma_index_d = '0;
    end else if (accept_o) begin
      sending_d = 1'b1;
      cnp_d = head_cnp_i;
      flow_d = inj_flow_i;
      dma_psn_d = head_psn_i;
      dma_index_d = '0;
    end else if (sending_o && supplied) begin
      dma_index_d = last ? '0 : dma_index_o + 1'b1;
      if (last) begin
        sending_d = 1'b0;
        cnp_d = 1'b0;
        flow_d = '0;
        dma_psn_d = '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    sending_o <= sending_d;
    cnp_q <= cnp_d;
    flow_q <= flow_d;
    dma_psn_o <= dma_psn_d;
    dma_index_o <= dma_index_d;
  end

  assign dma_valid_o = sending_o && !cnp_q;
  assign dma_flow_o = cnp_q ? '0 : flow_q;

  always_comb begin
    n_d = n_q;
    sl_d = sl_q;
    vl_d = vl_q;
    dlid_d = dlid_q;
    if (accept_o) begin
      n_d = head_len_i;
      sl_d = inj_sl_i;
      vl_d = 4'(vl);
      dlid_d = dlid;
    end
  end

  always_ff @(posedge clk_i) begin
    n_q <= n_d;
    sl_q <= sl_d;
    vl_q <= vl_d;
    dlid_q <= dlid_d;
  end

  // ---- what it says beside, with SRP
  logic [7:0]   opcode;
  logic         more;   // bytes 20 to 31 are not the host's
  logic [95:0]  bytes;

  if (SRP != 0) begin : g_srp
    logic [7:0]             opcode_q;
    quell_pkg::srp_fields_t fields_q;

    always_ff @(posedge clk_i) begin
      if (accept_o) begin
        opcode_q <= inj_opcode_i;
        fields_q <= inj_fields_i;
      end
    end

    srp_fields u_fields (
        .fields_i(fields_q),
        .bytes_o(bytes)
    );

    assign opcode = opcode_q;
    assign more = opcode_q != quell_pkg::OPCODE_SEND_ONLY;
    // All blocks are promised again: what took them has left the input port, or was refused by it.
    assign empty_o = !sending_o && avail == {VLS{12'(CAP)}};
  end else begin : g_srp
    assign opcode = quell_pkg::OPCODE_SEND_ONLY;
    assign more = 1'b0;
    assign bytes = '0;
    assign empty_o = 1'b0;
    wire unused = &{1'b0, inj_lane_i, inj_opcode_i, inj_fields_i};
  end

  // ---- its flits
  logic [159:0] header;

  packet_header u_header (
      .vl_i(vl_q),
      .sl_i(sl_q),
      .dlid_i(dlid_q),
      .words_i(cnp_q ? 11'd10 : {n_q, 4'd0}),
      .slid_i(lid_i),
      .opcode_i(cnp_q ? quell_pkg::OPCODE_CNP : opcode),
      .marks_i({1'b0, cnp_q, 2'd0}),
      .qp_i(dma_flow_o),
      .psn_i(dma_psn_o),
      .header_o(header)
  );

  always_comb begin
    rx_valid_o = sending_o && supplied;
    rx_first_o = rx_valid_o && dma_index_o == '0;
    rx_last_o = rx_valid_o && last;
    rx_data_o = '0;
    if (rx_valid_o && !cnp_q) rx_data_o = dma_data_i;
    if (rx_first_o) rx_data_o[159:0] = header;
    if (rx_first_o && more) rx_data_o[255:160] = bytes;
  end

  logic own_err;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{head_valid_d, sending_d, cnp_d, flow_d, dma_psn_d, dma_index_d, n_d, sl_d, vl_d, dlid_d}),
      .now_i(^{head_valid_q, sending_o, cnp_q, flow_q, dma_psn_o, dma_index_o, n_q, sl_q, vl_q, dlid_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || credit_err;
endmodule

`default_nettype wire
