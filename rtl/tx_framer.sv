// From the crossbar to the link: framing, the marks of a packet and the transmit register, and the accounts
// that follow a packet (blocks granted but not used, flits sent). A packet ends with its link: the flits
// that are lost with it do not come here. With CIOQ flits go to the output's queue, and what leaves that comes to the
// transmit register. Rules B3, F1, M1, M3, VM2, CQ1.
`default_nettype none

module tx_framer #(
    parameter int VLS = 1,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int CNT_W = 32,
    parameter int CIOQ = 0,
    parameter int PARITY = 0
) (
    input  wire logic                    clk_i,
    input  wire logic                    rst_i,
    input  wire logic                    link_up_i,
    input  wire logic                    sw_valid_i,
    input  wire logic                    sw_first_i,
    input  wire logic                    sw_last_i,
    input  wire logic                    sw_bad_i,
    input  wire logic [8*FLIT_BYTES-1:0] sw_data_i,
    output logic                         first_o,     // Mealy: a packet begins,
    output logic [VLS-1:0]               vl_o,        // Mealy: on this VL, one-hot; 0 for one that does not exist,
    output quell_pkg::header_t           head_o,      // Mealy: with these headers
    input  wire logic                    mark_i,      // and is marked (FECN),
    input  wire logic                    vb_i,        // validated (VB)
    // CIOQ: the queue
    input  wire logic [VLS-1:0]          full_i,      // VLs that have no place for a flit
    output logic [VLS-1:0]               store_o,     // Mealy: a flit for the queue, by its VL, one-hot
    output logic [8*FLIT_BYTES+2:0]      flit_o,      // Mealy: it: {first, last, bad, data}
    input  wire logic [VLS-1:0]          send_i,      // what leaves the queue, likewise
    input  wire logic [8*FLIT_BYTES+2:0] send_flit_i,
    output logic                         tx_valid_o,
    output logic                         tx_first_o,
    output logic                         tx_last_o,
    output logic                         tx_bad_o,
    output logic [8*FLIT_BYTES-1:0]      tx_data_o,
    output logic [VLS-1:0]               tx_sent_o,   // VL of the flit on tx, one-hot; 0: none that counts
    output logic [VLS-1:0]               short_o,     // Mealy: VL of a packet that ends early, one-hot
    output logic [7:0]                   short_by_o,  // Mealy: blocks that it did not use
    output logic                         framing_o,   // Mealy: framing error
    output logic [CNT_W-1:0]             cnt_marked_o,
    output logic [CNT_W-1:0]             cnt_sent_o,
    output logic                         parity_err_o
);
  localparam int DW = 8 * FLIT_BYTES;

  // ---- header, meaningful on a first flit
  header_decode #(.VLS(VLS), .FLIT_BYTES(FLIT_BYTES), .VL_BY_DEST(VL_BY_DEST)) u_header (
      .data_i(sw_data_i),
      .head_o
  );

  // ---- framing and the open packet
  logic           open_q, open_d, first, stray, overflow;
  logic [VLS-1:0] vl_q, vl_d, vl;            // one-hot, 0 for a VL that does not exist
  logic [7:0]     n_q, n_d, n;               // length by the header
  logic [7:0]     m_q, m_d, m;               // flits so far, with this one; saturates

  always_comb begin
    vl_o = '0;
    for (int v = 0; v < VLS; v++) vl_o[v] = head_o.vl == 8'(v);
    first = sw_valid_i && sw_first_i;
    stray = sw_valid_i && !sw_first_i && !open_q;
    vl = sw_first_i ? vl_o : vl_q;
    if (!sw_valid_i || stray) vl = '0;
    n = sw_first_i ? head_o.n : n_q;
    m = (m_q == '1) ? m_q : m_q + 1'b1;
    if (sw_first_i) m = 8'd1;
    short_o = (sw_last_i && m < n) ? vl : '0;
    short_by_o = n - m;
  end

  // CIOQ: what is not stored closes its packet
  assign overflow = CIOQ != 0 && (vl & full_i) != '0;
  assign store_o = (CIOQ != 0) ? vl & ~full_i : '0;
  assign framing_o = stray || overflow || (first && (open_q || vl_o == '0));

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
      open_d = !sw_last_i && !overflow;
      vl_d = vl;
      n_d = n;
      m_d = m;
    end
  end

  assign first_o = first;

  always_ff @(posedge clk_i) begin
    open_q <= open_d;
    vl_q <= vl_d;
    n_q <= n_d;
    m_q <= m_d;
  end

  logic tx_valid_d, tx_first_d, tx_last_d, tx_bad_d;
  logic [DW-1:0] tx_data_d;
  logic [VLS-1:0] tx_sent_d;
  logic [CNT_W-1:0] cnt_marked_d, cnt_sent_d;

  // ---- transmit register
  logic [DW-1:0] marks;  // the bits to set in the flit

  always_comb begin
    marks = '0;
    marks[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_FECN] = mark_i && !head_o.grh;
    marks[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_MARKS] = vb_i && !head_o.grh;
    if (FLIT_BYTES == 64) begin
      marks[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_FECN)%DW] = mark_i && head_o.grh;
      marks[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_MARKS)%DW] = vb_i && head_o.grh;
    end
  end

  assign flit_o = (CIOQ != 0) ? {sw_first_i, sw_last_i, sw_bad_i, sw_data_i | marks} : '0;

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
      tx_data_d = sw_valid_i ? (sw_data_i | marks) : '0;
      tx_sent_d = vl;
      if (CIOQ != 0) begin
        tx_valid_d = send_i != '0;
        {tx_first_d, tx_last_d, tx_bad_d, tx_data_d} = (send_i != '0) ? send_flit_i : '0;
        tx_sent_d = send_i;
      end
      if (mark_i && cnt_marked_o != '1) cnt_marked_d = cnt_marked_o + 1'b1;
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

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{open_d, vl_d, n_d, m_d, tx_valid_d, tx_first_d, tx_last_d, tx_bad_d, tx_data_d, tx_sent_d,
            cnt_marked_d, cnt_sent_d}),
      .now_i(^{open_q, vl_q, n_q, m_q, tx_valid_o, tx_first_o, tx_last_o, tx_bad_o, tx_data_o, tx_sent_o,
            cnt_marked_o, cnt_sent_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
