// Sender's side of a link's credits: FCCL and TXR per VL, FCTBS and its messages. All counters are absolute, in
// blocks, modulo 4096; they start anew when the link was down. Rule F1.
`default_nettype none

module credit_sender #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int FCTBS = 1,  // 0: the receiver is told of nothing, since nothing can get lost
    parameter int PARITY = 0
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              link_up_i,
    input  wire logic [15:0]       interval_i,   // of the messages; 0 acts as 1
    input  quell_pkg::credit_t     fccl_i,
    input  wire logic [VLS-1:0]    grant_i,      // VL of a packet that takes its blocks in this cycle, one-hot
    input  wire logic [7:0]        grant_len_i,
    input  wire logic [VLS-1:0]    short_i,      // VL of a packet that ended early, one-hot
    input  wire logic [7:0]        short_by_i,   // blocks that it did not use
    input  wire logic [VLS-1:0]    sent_i,       // VL of the flit shown on the link, one-hot
    output logic [VLS-1:0]         has_credit_o, // for a packet of MTU flits
    output logic [12*VLS-1:0]      left_o,       // credit limit less blocks granted
    output quell_pkg::credit_t     fctbs_o,
    output logic                   bad_vl_o,     // Mealy
    output logic [12*VLS-1:0]      txr_o,
    output logic [12*VLS-1:0]      fctbs_all_o,
    output logic [12*VLS-1:0]      fccl_all_o,
    output logic                   parity_err_o
);
  assign bad_vl_o = link_up_i && fccl_i.valid && fccl_i.vl >= 8'(VLS);

  logic [VLS-1:0] vl_err;  // of parity

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [11:0] fccl_q, fccl_d, txr_q, txr_d;

    always_comb begin
      fccl_d = fccl_q;
      txr_d = txr_q;
      if (rst_i || !link_up_i) begin
        fccl_d = '0;
        txr_d = '0;
      end else begin
        if (fccl_i.valid && fccl_i.vl == 8'(v)) fccl_d = fccl_i.blocks;
        txr_d = txr_q + (grant_i[v] ? 12'(grant_len_i) : 12'd0) - (short_i[v] ? 12'(short_by_i) : 12'd0);
      end
    end

    always_ff @(posedge clk_i) begin
      fccl_q <= fccl_d;
      txr_q <= txr_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{fccl_d, txr_d}),
        .now_i(^{fccl_q, txr_q}),
        .err_o(vl_err[v])
    );

    assign left_o[12*v+:12] = fccl_q - txr_q;
    assign has_credit_o[v] = quell_pkg::credit_fits(left_o[12*v+:12], 8'(MTU));
    assign txr_o[12*v+:12] = txr_q;
    assign fccl_all_o[12*v+:12] = fccl_q;
  end

  logic [7:0] slot_vl;   // VL of the next message
  logic       tell_err;  // of parity

  if (FCTBS != 0) begin : g_fctbs
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1;
    logic [VLS-1:0] sent_err;
    logic [VW-1:0]  vl;
    logic           slot, slot_err;

    for (genvar v = 0; v < VLS; v++) begin : g_sent
      logic [11:0] sent_q, sent_d;

      always_comb begin
        sent_d = sent_q + 12'(sent_i[v]);
        if (rst_i || !link_up_i) sent_d = '0;
      end

      always_ff @(posedge clk_i) sent_q <= sent_d;

      parity_group #(.PARITY(PARITY)) u_parity (
          .clk_i,
          .next_i(^sent_d),
          .now_i(^sent_q),
          .err_o(sent_err[v])
      );

      assign fctbs_all_o[12*v+:12] = sent_q;
    end

    credit_slot #(.VLS(VLS), .PARITY(PARITY)) u_slot (
        .clk_i, .rst_i,
        .run_i(1'b1),
        .interval_i,
        .valid_o(slot),
        .vl_o(vl),
        .parity_err_o(slot_err)
    );

    assign slot_vl = 8'(vl);
    assign fctbs_o.valid = slot;
    assign fctbs_o.vl = slot ? slot_vl : '0;
    always_comb begin
      fctbs_o.blocks = '0;
      for (int v = 0; v < VLS; v++) if (slot && vl == VW'(v)) fctbs_o.blocks = fctbs_all_o[12*v+:12];
    end
    assign tell_err = slot_err || sent_err != '0;
  end else begin : g_silent
    assign slot_vl = '0;
    assign fctbs_o = '0;
    assign fctbs_all_o = '0;
    assign tell_err = 1'b0;
    wire unused = &{1'b0, interval_i, sent_i};
  end

  assign parity_err_o = tell_err || vl_err != '0;

`ifdef QUELL_CHECK
  credit_sender_checker #(
      .VLS(VLS)
  ) u_checker (
      .clk_i, .rst_i, .link_up_i,
      .fccl_valid_i(fccl_i.valid),
      .fccl_vl_i   (fccl_i.vl),
      .fccl_in_i   (fccl_i.blocks),
      .grant_i, .grant_len_i, .short_i, .short_by_i, .sent_i,
      .slot_i      (slot_vl),
      .txr_i       (txr_o),
      .fctbs_i     (fctbs_all_o),
      .fccl_i      (fccl_all_o)
  );
`else
  wire unused_check = &{1'b0, slot_vl};
`endif
endmodule

`default_nettype wire
