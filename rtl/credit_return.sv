// Blocks in use and blocks received of each VL, and the credit messages made from them. While the link
// is down there are none, and the blocks received are counted anew. Rules B1, F1, F2.
`default_nettype none

module credit_return #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int CAP = 2048,
    parameter int PARITY = 0,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic                clk_i,
    input  wire logic                rst_i,
    input  wire logic                run_i,
    input  wire logic                up_i,         // the link, when what is registered here came
    input  wire logic [15:0]         interval_i,
    input  wire logic                fctbs_valid_i,
    input  wire logic [7:0]          fctbs_vl_i,
    input  wire logic [11:0]         fctbs_i,
    input  wire logic                count_i,      // a flit arrived
    input  wire logic [VW-1:0]       count_vl_i,
    input  wire logic                store_i,      // a block is filled
    input  wire logic [VW-1:0]       store_vl_i,
    input  wire logic [PORTS-1:0]    read_i,       // blocks are read
    input  wire logic [PORTS*VW-1:0] read_vl_i,
    output logic [VLS*12-1:0]        used_o,
    output logic [VLS*12-1:0]        abr_o,
    output logic                     bad_vl_o,
    output logic                     fc_valid_o,
    output logic [7:0]               fc_vl_o,
    output logic [11:0]              fccl_o,
    output logic                     parity_err_o
);
  localparam int CW = $clog2(PORTS + 1);

  logic              fctbs_valid_q, fctbs_valid_d;
  logic [7:0]        fctbs_vl_q, fctbs_vl_d;
  logic [11:0]       fctbs_q, fctbs_d;
  logic [VLS*12-1:0] used_q, used_d;
  logic [VLS*12-1:0] abr_q, abr_d;
  logic [VLS*12-1:0] fccl;
  logic [15:0]       slot_q, slot_d;  // cycles since the last message
  logic [VW-1:0]     slot_vl_q, slot_vl_d;

  assign fctbs_valid_d = !rst_i && run_i && fctbs_valid_i;
  assign fctbs_vl_d = fctbs_vl_i;
  assign fctbs_d = fctbs_i;

  always_ff @(posedge clk_i) begin
    fctbs_valid_q <= fctbs_valid_d;
    fctbs_vl_q <= fctbs_vl_d;
    fctbs_q <= fctbs_d;
  end
  assign bad_vl_o = up_i && fctbs_valid_q && fctbs_vl_q >= 8'(VLS);

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [CW-1:0] reads;
    logic [11:0]   abr;
    always_comb begin
      reads = '0;
      for (int o = 0; o < PORTS; o++)
        if (read_i[o] && read_vl_i[o*VW +: VW] == VW'(v)) reads = reads + 1'b1;
    end
    assign abr = (fctbs_valid_q && fctbs_vl_q == 8'(v)) ? fctbs_q : abr_q[v*12 +: 12];

    always_comb begin
      used_d[v*12 +: 12] = used_q[v*12 +: 12];
      abr_d[v*12 +: 12] = abr_q[v*12 +: 12];
      if (rst_i) begin
        used_d[v*12 +: 12] = '0;
        abr_d[v*12 +: 12] = '0;
      end else begin
        used_d[v*12 +: 12] = used_q[v*12 +: 12] + 12'(store_i && store_vl_i == VW'(v))
            - 12'(reads);
        abr_d[v*12 +: 12] = up_i ? abr + 12'(count_i && count_vl_i == VW'(v)) : '0;
      end
    end

    always_ff @(posedge clk_i) begin
      used_q[v*12 +: 12] <= used_d[v*12 +: 12];
      abr_q[v*12 +: 12] <= abr_d[v*12 +: 12];
    end
    assign fccl[v*12 +: 12] = abr_q[v*12 +: 12] + 12'(CAP) - used_q[v*12 +: 12];
  end

  logic slot;  // that of a message
  assign slot = run_i && slot_q == '0;
  assign fc_valid_o = slot && up_i;
  always_comb begin
    slot_d = slot_q;
    slot_vl_d = slot_vl_q;
    if (rst_i || !run_i) begin
      slot_d = '0;
      slot_vl_d = '0;
    end else begin
      slot_d = (slot_q >= interval_i - 16'd1) ? '0 : slot_q + 16'd1;
      if (slot) slot_vl_d = (slot_vl_q == VW'(VLS - 1)) ? '0 : slot_vl_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    slot_q <= slot_d;
    slot_vl_q <= slot_vl_d;
  end

  assign fc_vl_o = fc_valid_o ? 8'(slot_vl_q) : '0;
  always_comb begin
    fccl_o = '0;
    for (int v = 0; v < VLS; v++)
      if (fc_valid_o && slot_vl_q == VW'(v)) fccl_o = fccl[v*12 +: 12];
  end
  assign used_o = used_q;
  assign abr_o = abr_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{fctbs_valid_d, fctbs_vl_d, fctbs_d, used_d, abr_d, slot_d, slot_vl_d}),
      .now_i(^{fctbs_valid_q, fctbs_vl_q, fctbs_q, used_q, abr_q, slot_q, slot_vl_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
