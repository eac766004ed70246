// Receiver's side of a link's credits: blocks in use and blocks received (ABR) of each VL of a buffer, and the
// limits (FCCL) made from them. While the link is down the blocks received are counted anew. All counters are
// absolute, in blocks, modulo 4096. Rules B1, F1, F2, Q1.
`default_nettype none

module credit_receiver #(
    parameter int VLS = 1,
    parameter int CAP = 2048,     // blocks of a VL,
    parameter int SRP = 0,        // 1: but for the three highest
    parameter int SPEC_BLOCKS = CAP,
    parameter int CTL_BLOCKS = CAP,
    parameter int READS = 8,      // blocks that can be freed in a cycle
    parameter int REGISTERED = 1, // FCTBS acts a cycle after it came, as the flits of the link do
    parameter int PARITY = 0,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic                clk_i,
    input  wire logic                rst_i,
    input  wire logic                run_i,
    input  wire logic                up_i,         // the link, when what acts in this cycle came
    input  wire logic                tell_i,       // 0: the messages of this cycle are not shown
    input  wire logic [15:0]         interval_i,   // 0 acts as 1
    input  quell_pkg::credit_t       fctbs_i,
    input  wire logic                count_i,      // a flit arrived
    input  wire logic [VW-1:0]       count_vl_i,
    input  wire logic                store_i,      // a block is filled
    input  wire logic [VW-1:0]       store_vl_i,
    input  wire logic [READS-1:0]    read_i,       // blocks are freed
    input  wire logic [READS*VW-1:0] read_vl_i,
    output logic [VLS*12-1:0]        used_o,
    output logic [VLS*12-1:0]        abr_o,
    output logic                     bad_vl_o,     // Mealy unless REGISTERED
    output quell_pkg::credit_t       fccl_o,
    output logic                     parity_err_o
);
  localparam int CW = $clog2(READS + 1);

  // ---- FCTBS as it acts
  quell_pkg::credit_t sync;
  logic               stage_err;

  if (REGISTERED != 0) begin : g_stage
    quell_pkg::credit_t sync_d;

    assign sync_d.valid = !rst_i && run_i && fctbs_i.valid;
    assign sync_d.vl = fctbs_i.vl;
    assign sync_d.blocks = fctbs_i.blocks;

    always_ff @(posedge clk_i) sync <= sync_d;

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^sync_d),
        .now_i(^sync),
        .err_o(stage_err)
    );
  end else begin : g_direct
    assign sync = fctbs_i;
    assign stage_err = 1'b0;
  end

  assign bad_vl_o = up_i && sync.valid && sync.vl >= 8'(VLS);

  // ---- the counters
  logic [VLS*12-1:0] fccl;
  logic [VLS-1:0]    vl_err;  // of parity

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    localparam int SIZE = (SRP == 0 || v < VLS - 3) ? CAP : (v == VLS - 3) ? SPEC_BLOCKS : CTL_BLOCKS;
    logic [CW-1:0] reads;
    logic [11:0]   used_q, used_d, abr_q, abr_d, abr;

    always_comb begin
      reads = '0;
      for (int r = 0; r < READS; r++)
        if (read_i[r] && read_vl_i[r*VW +: VW] == VW'(v)) reads = reads + 1'b1;
    end
    assign abr = (sync.valid && sync.vl == 8'(v)) ? sync.blocks : abr_q;

    always_comb begin
      used_d = used_q + 12'(store_i && store_vl_i == VW'(v)) - 12'(reads);
      abr_d = up_i ? abr + 12'(count_i && count_vl_i == VW'(v)) : '0;
      if (rst_i) begin
        used_d = '0;
        abr_d = '0;
      end
    end

    always_ff @(posedge clk_i) begin
      used_q <= used_d;
      abr_q <= abr_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{used_d, abr_d}),
        .now_i(^{used_q, abr_q}),
        .err_o(vl_err[v])
    );

    assign used_o[v*12 +: 12] = used_q;
    assign abr_o[v*12 +: 12] = abr_q;
    assign fccl[v*12 +: 12] = abr_q + 12'(SIZE) - used_q;
  end

  // ---- messages
  logic          slot, slot_err;
  logic [VW-1:0] slot_vl;

  credit_slot #(.VLS(VLS), .PARITY(PARITY)) u_slot (
      .clk_i, .rst_i, .run_i, .interval_i,
      .valid_o(slot),
      .vl_o(slot_vl),
      .parity_err_o(slot_err)
  );

  assign fccl_o.valid = slot && tell_i;
  assign fccl_o.vl = (slot && tell_i) ? 8'(slot_vl) : '0;
  always_comb begin
    fccl_o.blocks = '0;
    for (int v = 0; v < VLS; v++)
      if (slot && tell_i && slot_vl == VW'(v)) fccl_o.blocks = fccl[v*12 +: 12];
  end

  assign parity_err_o = stage_err || slot_err || vl_err != '0;
endmodule

`default_nettype wire
