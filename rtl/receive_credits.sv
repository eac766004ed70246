// Blocks in use and blocks received of each VL of an adapter's receive FIFO, and the credit messages
// made from them. The blocks received are counted anew when the link was down. Rules F1, F2; docs/hca.md
// sections 4, 7.
`default_nettype none

module receive_credits #(
    parameter int VLS = 1,
    parameter int CAP = 256,
    parameter int PARITY = 0,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              ready_i,
    input  wire logic              link_up_i,
    input  wire logic [15:0]       interval_i,
    input  wire logic              fctbs_valid_i,
    input  wire logic [7:0]        fctbs_vl_i,
    input  wire logic [11:0]       fctbs_i,
    input  wire logic              count_i,        // a flit arrived
    input  wire logic [VW-1:0]     vl_i,           // its VL
    input  wire logic              store_i,        // and it is stored
    input  wire logic              pop_i,          // a flit is taken by the host
    input  wire logic [VW-1:0]     pop_vl_i,
    output logic      [12*VLS-1:0] used_o,
    output logic      [12*VLS-1:0] abr_o,
    output logic                   bad_vl_o,       // Mealy
    output logic                   fc_valid_o,
    output logic      [7:0]        fc_vl_o,
    output logic      [11:0]       fccl_o,
    output logic                   parity_err_o
);
  assign bad_vl_o = link_up_i && fctbs_valid_i && fctbs_vl_i >= 8'(VLS);

  logic [VLS-1:0] vl_err;  // of parity

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [11:0] used_q, used_d, abr_q, abr_d;
    logic        count, sync;

    assign count = count_i && vl_i == VW'(v);
    assign sync = fctbs_valid_i && fctbs_vl_i == 8'(v);

    always_comb begin
      used_d = used_q;
      abr_d = abr_q;
      if (rst_i) begin
        used_d = '0;
        abr_d = '0;
      end else begin
        used_d = used_q + 12'(store_i && vl_i == VW'(v)) - 12'(pop_i && pop_vl_i == VW'(v));
        if (!link_up_i) abr_d = '0;
        else if (count || sync) abr_d = (sync ? fctbs_i : abr_q) + 12'(count);
      end
    end

    always_ff @(posedge clk_i) begin
      used_q <= used_d;
      abr_q <= abr_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i(clk_i),
        .next_i(^{used_d, abr_d}),
        .now_i(^{used_q, abr_q}),
        .err_o(vl_err[v])
    );

    assign used_o[12*v+:12] = used_q;
    assign abr_o[12*v+:12] = abr_q;
  end

  // ---- one message an interval, the VLs in rotation
  logic [15:0]   slot_q, slot_d;  // cycles since the last message
  logic [VW-1:0] slot_vl_q, slot_vl_d;

  always_comb begin
    slot_d = slot_q;
    slot_vl_d = slot_vl_q;
    if (rst_i || !ready_i) begin
      slot_d = '0;
      slot_vl_d = '0;
    end else begin
      slot_d = (17'(slot_q) + 17'd1 >= 17'(interval_i)) ? '0 : slot_q + 16'd1;
      if (fc_valid_o) slot_vl_d = (slot_vl_q == VW'(VLS - 1)) ? '0 : slot_vl_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    slot_q <= slot_d;
    slot_vl_q <= slot_vl_d;
  end

  always_comb begin
    fc_valid_o = ready_i && slot_q == '0;
    fc_vl_o = '0;
    fccl_o = '0;
    if (fc_valid_o) begin
      fc_vl_o = 8'(slot_vl_q);
      fccl_o = abr_o[12*slot_vl_q+:12] + 12'(CAP) - used_o[12*slot_vl_q+:12];
    end
  end

  logic own_err;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{slot_d, slot_vl_d}),
      .now_i(^{slot_q, slot_vl_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || vl_err != '0;
endmodule

`default_nettype wire
