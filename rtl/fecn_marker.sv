// From the crossbar to the link: framing, FECN marking and the transmit register, and the accounts
// that follow a packet (blocks granted but not used, flits sent). A packet ends with its link: the flits
// that are lost with it do not come here. Rules B3, F1, M1-M3.
`default_nettype none

module fecn_marker #(
    parameter int VLS = 1,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int CNT_W = 32,
    parameter int PARITY = 0
) (
    input  wire logic                    clk_i,
    input  wire logic                    rst_i,
    input  wire logic                    link_up_i,
    input  wire logic                    mark_en_i,
    input  wire logic [1:0]              mode_i,
    input  wire logic [15:0]             rate_i,
    input  wire logic [8:0]              fraction_i,
    input  wire logic [7:0]              packet_size_i,
    input  wire logic                    seed_we_i,
    input  wire logic [15:0]             seed_i,
    input  wire logic [VLS-1:0]          cong_state_i,
    input  wire logic                    sw_valid_i,
    input  wire logic                    sw_first_i,
    input  wire logic                    sw_last_i,
    input  wire logic                    sw_bad_i,
    input  wire logic [8*FLIT_BYTES-1:0] sw_data_i,
    output logic                         tx_valid_o,
    output logic                         tx_first_o,
    output logic                         tx_last_o,
    output logic                         tx_bad_o,
    output logic [8*FLIT_BYTES-1:0]      tx_data_o,
    output logic [VLS-1:0]               tx_sent_o,   // VL of the flit on tx, one-hot; 0: none that counts
    output logic [VLS-1:0]               short_o,     // Mealy: VL of a packet that ends early, one-hot
    output logic [7:0]                   short_by_o,  // Mealy: blocks that it did not use
    output logic                         framing_o,   // Mealy: framing error
    output logic                         mark_o,      // Mealy: this packet is marked
    output logic [16*VLS-1:0]            mark_count_o,
    output logic [15:0]                  lfsr_o,
    output logic [CNT_W-1:0]             cnt_marked_o,
    output logic [CNT_W-1:0]             cnt_sent_o,
    output logic                         parity_err_o
);
  localparam int DW = 8 * FLIT_BYTES;

  // ---- header, meaningful on a first flit
  quell_pkg::header_t head;
  logic               bth, cnp, ack, mcast;

  header_decode #(.VLS(VLS), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST)) u_header (
      .data_i(sw_data_i),
      .head_o(head)
  );
  assign {bth, cnp, ack, mcast} = {head.bth, head.cnp, head.ack, head.mcast};
  wire unused_head = &{1'b0, head};

  // ---- framing and the open packet
  logic           open_q, open_d, first, stray;
  logic [VLS-1:0] hdr_vl_oh, vl_q, vl_d, vl;  // one-hot, 0 for a VL that does not exist
  logic [7:0]     n_q, n_d, n;               // length by the header
  logic [7:0]     m_q, m_d, m;               // flits so far, with this one; saturates

  always_comb begin
    hdr_vl_oh = '0;
    for (int v = 0; v < VLS; v++) hdr_vl_oh[v] = head.vl == 8'(v);
    first = sw_valid_i && sw_first_i;
    stray = sw_valid_i && !sw_first_i && !open_q;
    vl = sw_first_i ? hdr_vl_oh : vl_q;
    if (!sw_valid_i || stray) vl = '0;
    n = sw_first_i ? head.n : n_q;
    m = (m_q == '1) ? m_q : m_q + 1'b1;
    if (sw_first_i) m = 8'd1;
    framing_o = stray || (first && (open_q || hdr_vl_oh == '0));
    short_o = (sw_last_i && m < n) ? vl : '0;
    short_by_o = n - m;
  end

  always_comb begin
    open_d = open_q;
    vl_d = vl_q;
    n_d = n_q;
    m_d = m_q;
    if (rst_i) begin
      open_d = 1'b0;
      vl_d = '0;
      n_d = '0;
      m_d = '0;
    end else if (!link_up_i) begin
      open_d = 1'b0;
    end else if (sw_valid_i && !stray) begin
      open_d = !sw_last_i;
      vl_d = vl;
      n_d = n;
      m_d = m;
    end
  end

  always_ff @(posedge clk_i) begin
    open_q <= open_d;
    vl_q <= vl_d;
    n_q <= n_d;
    m_q <= m_d;
  end

  // The random bits of the next packet: 26 steps, so that no bit is used twice.
  function automatic logic [15:0] steps(input logic [15:0] x);
    steps = x;
    for (int s = 0; s < 26; s++) steps = {steps[14:0], steps[15] ^ steps[13] ^ steps[12] ^ steps[10]};
  endfunction

  // ---- marking
  logic        eligible, count_hit, random_hit, fraction_hit;
  logic [15:0] mc;  // mark counter of the packet's VL
  logic [32:0] product;

  always_comb begin
    mc = '0;
    for (int v = 0; v < VLS; v++) if (hdr_vl_oh[v]) mc = mc | mark_count_o[16*v+:16];
    eligible = first && mark_en_i && (hdr_vl_oh & cong_state_i) != '0 && bth && !cnp && !ack && !mcast
        && head.n >= packet_size_i;
    product = (33'(lfsr_o) - 33'd1) * (33'(rate_i) + 33'd1);
    count_hit = mc >= rate_i;
    random_hit = product < 33'd65536;
    fraction_hit = {1'b0, lfsr_o[7:0]} < fraction_i;
    case (mode_i)
      2'd1: mark_o = eligible && random_hit;
      2'd2: mark_o = eligible && fraction_hit;
      default: mark_o = eligible && count_hit;
    endcase
  end

  logic [VLS-1:0] vl_err;  // of parity

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [15:0] mc_q, mc_d;
    always_comb begin
      mc_d = mc_q;
      if (rst_i) mc_d = '0;
      else if (eligible && hdr_vl_oh[v] && mode_i != 2'd1 && mode_i != 2'd2)
        mc_d = count_hit ? '0 : mc_q + 1'b1;
    end

    always_ff @(posedge clk_i) mc_q <= mc_d;

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i(clk_i),
        .next_i(^mc_d),
        .now_i(^mc_q),
        .err_o(vl_err[v])
    );
    assign mark_count_o[16*v+:16] = mc_q;
  end

  logic [15:0] lfsr_d;
  logic tx_valid_d, tx_first_d, tx_last_d, tx_bad_d;
  logic [8*FLIT_BYTES-1:0] tx_data_d;
  logic [VLS-1:0] tx_sent_d;
  logic [CNT_W-1:0] cnt_marked_d, cnt_sent_d;

  always_comb begin
    lfsr_d = lfsr_o;
    if (rst_i) lfsr_d = 16'hACE1;
    else if (seed_we_i) lfsr_d = seed_i;
    else if (eligible) lfsr_d = steps(lfsr_o);
  end

  always_ff @(posedge clk_i) lfsr_o <= lfsr_d;

  // ---- transmit register
  logic [DW-1:0] fecn;  // the bit to set in the flit

  always_comb begin
    fecn = '0;
    fecn[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_FECN] = mark_o && !head.grh;
    if (FLIT_BYTES == 64) fecn[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_FECN)%DW] = mark_o && head.grh;
  end

  always_comb begin
    tx_valid_d = tx_valid_o;
    tx_first_d = tx_first_o;
    tx_last_d = tx_last_o;
    tx_bad_d = tx_bad_o;
    tx_data_d = tx_data_o;
    tx_sent_d = tx_sent_o;
    cnt_marked_d = cnt_marked_o;
    cnt_sent_d = cnt_sent_o;
    if (rst_i) begin
      tx_valid_d = 1'b0;
      tx_first_d = 1'b0;
      tx_last_d = 1'b0;
      tx_bad_d = 1'b0;
      tx_data_d = '0;
      tx_sent_d = '0;
      cnt_marked_d = '0;
      cnt_sent_d = '0;
    end else begin
      tx_valid_d = sw_valid_i;
      tx_first_d = first;
      tx_last_d = sw_valid_i && sw_last_i;
      tx_bad_d = sw_valid_i && sw_bad_i;
      tx_data_d = sw_valid_i ? (sw_data_i | fecn) : '0;
      tx_sent_d = vl;
      if (mark_o && cnt_marked_o != '1) cnt_marked_d = cnt_marked_o + 1'b1;
      if (first && cnt_sent_o != '1) cnt_sent_d = cnt_sent_o + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    tx_valid_o <= tx_valid_d;
    tx_first_o <= tx_first_d;
    tx_last_o <= tx_last_d;
    tx_bad_o <= tx_bad_d;
    tx_data_o <= tx_data_d;
    tx_sent_o <= tx_sent_d;
    cnt_marked_o <= cnt_marked_d;
    cnt_sent_o <= cnt_sent_d;
  end

  logic own_err;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{open_d, vl_d, n_d, m_d, lfsr_d, tx_valid_d, tx_first_d, tx_last_d, tx_bad_d, tx_data_d,
            tx_sent_d, cnt_marked_d, cnt_sent_d}),
      .now_i(^{open_q, vl_q, n_q, m_q, lfsr_o, tx_valid_o, tx_first_o, tx_last_o, tx_bad_o, tx_data_o,
            tx_sent_o, cnt_marked_o, cnt_sent_o}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || vl_err != '0;
endmodule

`default_nettype wire
