// From an output's queue to its link, with CIOQ = 1: whole packets, one flit in each slot of the link, of the VLs that have a packet and credits
// for it in turn; the blocks that a packet takes of the receiver; and which VLs wait for credits (the root test). Rules CQ3, F1, D3;
// docs/output-queue.md section 3.
`default_nettype none

module queue_sender #(
    parameter int VLS = 1,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int PARITY = 0,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int WIDTH = DW + 3  // {first, last, bad, data}
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 link_up_i,
    input  wire logic                 slot_i,       // a slot of the link
    // heads of the queue
    input  wire logic [VLS-1:0]       any_i,
    input  wire logic [WIDTH*VLS-1:0] head_i,
    output logic [VLS-1:0]            pop_o,        // Mealy: VL of the flit that leaves, one-hot
    output logic [WIDTH-1:0]          flit_o,       // Mealy: that flit
    // credits
    input  wire logic [12*VLS-1:0]    left_i,       // credit limit less blocks taken
    output logic [VLS-1:0]            start_o,      // Mealy: VL of a packet that begins, one-hot,
    output logic [7:0]                start_len_o,  // and the blocks that it takes
    output logic [VLS-1:0]            short_o,      // Mealy: VL of a packet that ends early, one-hot,
    output logic [7:0]                short_by_o,   // and the blocks that it did not use
    // root test
    output logic [VLS-1:0]            starved_o,    // Mealy: VLs of which data wait for credits
    output logic [VLS-1:0]            root_start_o, // Mealy: VL of data that begin, one-hot
    output logic [15:0]               lp_o,
    output logic                      sending_o,
    output logic                      parity_err_o
);
  localparam int VW = (VLS > 1) ? $clog2(VLS) : 1;

  logic           sending_q, sending_d;
  logic [VLS-1:0] vl_q, vl_d;  // of the packet on the link, one-hot
  logic [7:0]     n_q, n_d;    // its length by the header
  logic [7:0]     m_q, m_d;    // its flits that left; saturates
  logic [VW-1:0]  lp_q, lp_d;

  // ---- the heads
  logic [8*VLS-1:0] head_n;
  logic [VLS-1:0]   data, fits;

  for (genvar v = 0; v < VLS; v++) begin : g_head
    quell_pkg::header_t header;
    header_decode #(.VLS(VLS), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST)) u_header (
        .data_i(head_i[WIDTH*v+:DW]),
        .head_o(header)
    );
    wire unused = &{1'b0, header};
    assign head_n[8*v+:8] = header.n;
    assign data[v] = !header.cnp;
    assign fits[v] = quell_pkg::credit_fits(left_i[12*v+:12], header.n);
  end

  // ---- the packet that begins
  logic [VLS-1:0] start;
  logic [VW-1:0]  start_vl;
  logic           slot, any_fits;

  assign slot = slot_i && link_up_i;

  rr_arbiter #(.N(VLS)) u_vl (
      .req_i(any_i & fits), .ptr_i(lp_q), .gnt_o(start), .idx_o(start_vl), .any_o(any_fits)
  );
  wire unused_any = &{1'b0, any_fits};

  // ---- what leaves
  logic       first, last, comes, ends, broken;
  logic [7:0] m, n;
  logic [VLS-1:0] at;  // the VL whose head may leave

  assign comes = slot && sending_q && (any_i & vl_q) != '0;
  assign broken = comes && first;
  assign start_o = (slot && !sending_q) ? start : '0;
  assign pop_o = (comes && !first) ? vl_q : start_o;

  assign at = sending_q ? vl_q : start;

  always_comb begin
    flit_o = '0;
    n = '0;
    for (int v = 0; v < VLS; v++) begin
      if (at[v]) begin
        flit_o = flit_o | head_i[WIDTH*v+:WIDTH];
        n = n | head_n[8*v+:8];
      end
    end
  end
  assign {first, last} = flit_o[WIDTH-1-:2];

  always_comb begin
    m = (m_q == '1 || broken) ? m_q : m_q + 1'b1;
    ends = broken || (comes && last);
    start_len_o = last ? 8'd1 : n;
    short_o = (ends && m < n_q) ? vl_q : '0;
    short_by_o = n_q - m;
    root_start_o = start_o & data;
    starved_o = (slot_i && !sending_q) ? any_i & data & ~fits : '0;
    sending_d = sending_q;
    vl_d = vl_q;
    n_d = n_q;
    m_d = m_q;
    lp_d = lp_q;
    if (start_o != '0) begin
      sending_d = !last;
      vl_d = start_o;
      n_d = n;
      m_d = 8'd1;
      lp_d = (start_vl == VW'(VLS - 1)) ? '0 : start_vl + 1'b1;
    end else if (comes) begin
      sending_d = !ends;
      m_d = m;
    end
    if (!link_up_i) sending_d = 1'b0;
    if (rst_i) begin
      sending_d = 1'b0;
      {vl_d, n_d, m_d, lp_d} = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    sending_q <= sending_d;
    vl_q <= vl_d;
    n_q <= n_d;
    m_q <= m_d;
    lp_q <= lp_d;
  end

  assign lp_o = 16'(lp_q);
  assign sending_o = sending_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{sending_d, vl_d, n_d, m_d, lp_d}),
      .now_i(^{sending_q, vl_q, n_q, m_q, lp_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
