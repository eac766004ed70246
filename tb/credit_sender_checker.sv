// Properties of the sender's credit counters. Instantiated by credit_sender under QUELL_CHECK.
`default_nettype none

module credit_sender_checker #(
    parameter int VLS = 1
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              link_up_i,
    input wire logic              fccl_valid_i,
    input wire logic [7:0]        fccl_vl_i,
    input wire logic [11:0]       fccl_in_i,
    input wire logic [VLS-1:0]    grant_i,
    input wire logic [7:0]        grant_len_i,
    input wire logic [VLS-1:0]    short_i,
    input wire logic [7:0]        short_by_i,
    input wire logic [VLS-1:0]    sent_i,
    input wire logic [7:0]        slot_i,
    input wire logic [12*VLS-1:0] txr_i,
    input wire logic [12*VLS-1:0] fctbs_i,
    input wire logic [12*VLS-1:0] fccl_i
);
  logic              past_ok_q;
  logic              up_q;  // the link was up in the last cycle
  logic [12*VLS-1:0] txr_q, fctbs_q, fccl_q;
  logic              valid_q;
  logic [7:0]        vl_q, short_by_q;
  logic [11:0]       limit_q;
  logic [VLS-1:0]    grant_q, short_q, sent_q, txr_bad, fctbs_bad, fccl_bad;
  logic [7:0]        len_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    up_q <= link_up_i;
    txr_q <= txr_i;
    fctbs_q <= fctbs_i;
    fccl_q <= fccl_i;
    valid_q <= fccl_valid_i;
    vl_q <= fccl_vl_i;
    limit_q <= fccl_in_i;
    grant_q <= grant_i;
    len_q <= grant_len_i;
    short_q <= short_i;
    short_by_q <= short_by_i;
    sent_q <= sent_i;
  end

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    wire [11:0] moved = txr_i[12*v+:12] - txr_q[12*v+:12];
    wire [11:0] sent = fctbs_i[12*v+:12] - fctbs_q[12*v+:12];
    wire        named = valid_q && vl_q == 8'(v);
    assign txr_bad[v] = moved != (grant_q[v] ? 12'(len_q) : 12'd0) - (short_q[v] ? 12'(short_by_q) : 12'd0);
    assign fctbs_bad[v] = sent != 12'(sent_q[v]);
    assign fccl_bad[v] = fccl_i[12*v+:12] != (named ? limit_q : fccl_q[12*v+:12]);
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      f1_txr_conserved: assert (!up_q || txr_bad == '0);
      f1_fctbs_conserved: assert (!up_q || fctbs_bad == '0);
      f1_fccl_last_heard: assert (!up_q || fccl_bad == '0);
      f1_counts_start_anew: assert (up_q || (txr_i == '0 && fctbs_i == '0 && fccl_i == '0));
      f1_slot_legal: assert (slot_i < 8'(VLS));
      f1_c_corrected: cover (grant_q[0] && short_q[0]);
      f1_c_wrapped: cover (txr_i[11:0] < txr_q[11:0] && grant_q[0] && !short_q[0]);
    end
  end
endmodule

`default_nettype wire
