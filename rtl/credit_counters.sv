// Sender's side of the link's credits: FCCL, TXR and FCTBS per VL, and the periodic FCTBS message.
// Rule F1. All counters are absolute, in blocks, modulo 4096; they start anew when the link was down.
`default_nettype none

module credit_counters #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int PARITY = 0
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              link_up_i,
    input  wire logic [15:0]       fc_last_i,    // message interval - 1
    input  wire logic              fccl_valid_i,
    input  wire logic [7:0]        fccl_vl_i,
    input  wire logic [11:0]       fccl_i,
    input  wire logic [VLS-1:0]    grant_i,      // VL of a packet granted in this cycle, one-hot
    input  wire logic [6:0]        grant_len_i,
    input  wire logic [VLS-1:0]    short_i,      // VL of a packet that ended early, one-hot
    input  wire logic [7:0]        short_by_i,   // blocks that it did not use
    input  wire logic [VLS-1:0]    sent_i,       // VL of the flit shown on the link, one-hot
    output logic [VLS-1:0]         has_credit_o, // for a packet of MTU flits
    output logic [12*VLS-1:0]      left_o,       // credit limit less blocks granted
    output logic                   fctbs_valid_o,
    output logic [7:0]             fctbs_vl_o,
    output logic [11:0]            fctbs_o,
    output logic                   bad_vl_o,     // Mealy
    output logic [12*VLS-1:0]      txr_o,
    output logic [12*VLS-1:0]      fctbs_all_o,
    output logic [12*VLS-1:0]      fccl_all_o,
    output logic                   parity_err_o
);
  localparam logic [11:0] HALF = 12'd2048;

  logic [15:0] fcc_q, fcc_d;   // cycle within the message interval
  logic [7:0]  slot_q, slot_d;  // VL of the next message

  assign bad_vl_o = link_up_i && fccl_valid_i && fccl_vl_i >= 8'(VLS);

  logic [VLS-1:0] vl_err;  // of parity

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [11:0] fccl_q, fccl_d, txr_q, txr_d, sent_q, sent_d, mtu_room;

    always_comb begin
      fccl_d = fccl_q;
      txr_d = txr_q;
      sent_d = sent_q;
      if (rst_i || !link_up_i) begin
        fccl_d = '0;
        txr_d = '0;
        sent_d = '0;
      end else begin
        if (fccl_valid_i && fccl_vl_i == 8'(v)) fccl_d = fccl_i;
        txr_d = txr_q + (grant_i[v] ? 12'(grant_len_i) : 12'd0) - (short_i[v] ? 12'(short_by_i) : 12'd0);
        sent_d = sent_q + 12'(sent_i[v]);
      end
    end

    always_ff @(posedge clk_i) begin
      fccl_q <= fccl_d;
      txr_q <= txr_d;
      sent_q <= sent_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i(clk_i),
        .next_i(^{fccl_d, txr_d, sent_d}),
        .now_i(^{fccl_q, txr_q, sent_q}),
        .err_o(vl_err[v])
    );

    assign left_o[12*v+:12] = fccl_q - txr_q;
    assign mtu_room = left_o[12*v+:12] - 12'(MTU);
    assign has_credit_o[v] = mtu_room <= HALF;
    assign txr_o[12*v+:12] = txr_q;
    assign fctbs_all_o[12*v+:12] = sent_q;
    assign fccl_all_o[12*v+:12] = fccl_q;
  end

  always_comb begin
    fcc_d = fcc_q;
    slot_d = slot_q;
    if (rst_i) begin
      fcc_d = '0;
      slot_d = '0;
    end else begin
      fcc_d = (fcc_q >= fc_last_i) ? '0 : fcc_q + 1'b1;
      if (fctbs_valid_o) slot_d = (slot_q == 8'(VLS - 1)) ? '0 : slot_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    fcc_q <= fcc_d;
    slot_q <= slot_d;
  end

  always_comb begin
    fctbs_valid_o = fcc_q == '0;
    fctbs_vl_o = fctbs_valid_o ? slot_q : '0;
    fctbs_o = '0;
    for (int v = 0; v < VLS; v++)
      if (fctbs_valid_o && slot_q == 8'(v)) fctbs_o = fctbs_o | fctbs_all_o[12*v+:12];
  end

  logic own_err;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{fcc_d, slot_d}),
      .now_i(^{fcc_q, slot_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || vl_err != '0;

`ifdef QUELL_CHECK
  credit_counters_checker #(
      .VLS(VLS)
  ) u_checker (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .link_up_i   (link_up_i),
      .fccl_valid_i(fccl_valid_i),
      .fccl_vl_i   (fccl_vl_i),
      .fccl_in_i   (fccl_i),
      .grant_i     (grant_i),
      .grant_len_i (grant_len_i),
      .short_i     (short_i),
      .short_by_i  (short_by_i),
      .sent_i      (sent_i),
      .slot_i      (slot_q),
      .txr_i       (txr_o),
      .fctbs_i     (fctbs_all_o),
      .fccl_i      (fccl_all_o)
  );
`endif
endmodule

`default_nettype wire
