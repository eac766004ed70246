// Which packets an adapter answers, and which count as notices: it reads the header by itself. Bound to hca_receiver at the end
// of hca_checker.sv. Rules H2, H3.
`default_nettype none

module notice_checker #(
    parameter int FLIT_BYTES = 64,
    localparam int DW = 8 * FLIT_BYTES
) (
    input wire logic          clk_i,
    input wire logic          rst_i,
    input wire logic          up_i,     // the link can be heard
    input wire logic          rx_first_i,
    input wire logic [DW-1:0] rx_data_i,
    input wire logic          flit_i,   // a flit is heard
    input wire logic          last_i,   // the last one, undamaged
    input wire logic          store_i,  // it is stored
    input wire logic          each_i,   // each mark is answered for itself (else messages are: message_replies_checker)
    input wire logic          on_i,     // marks are to be answered with CNPs:
    input wire logic          src_i,    // MB and VB together, else FECN
    input wire logic          push_i,   // the packet that ends here is answered so
    input wire logic          becn_i    // one that ended in the cycle before counts as a notice
);
  logic [39:0] bth;  // its first five bytes
  logic        has_bth, is_data, asks, tells, tells_q, tells_past_q;
  logic [1:0]  marked, marked_q;        // the packet asks by MB and VB; by FECN
  logic        stored, stored_q;        // all flits of the packet so far
  logic [7:0]  n, n_q, count, count_q;  // its flits as announced; so far

  always_comb begin
    bth = rx_data_i[quell_pkg::BTH_RAW_LSB +: 40];
    has_bth = rx_data_i[9:8] == 2'd2;
    if (FLIT_BYTES == 64 && rx_data_i[9:8] == 2'd3) begin
      bth = rx_data_i[quell_pkg::BTH_GRH_LSB%DW +: 40];
      has_bth = 1'b1;
    end
    is_data = bth[7:0] != quell_pkg::OPCODE_CNP && bth[4:0] != quell_pkg::OPCODE_ACK
        && {rx_data_i[23:16], rx_data_i[31:24]} < quell_pkg::DLID_MCAST;
    marked = !rx_first_i ? marked_q : (has_bth && !bth[38] && is_data) ? {bth[37] && bth[36], bth[39]} : '0;
    asks = marked[src_i];
    n = rx_first_i ? {1'b0, rx_data_i[34:32], rx_data_i[47:44]} + 8'(rx_data_i[43:40] != '0) : n_q;
    count = rx_first_i ? 8'd1 : (count_q == '1) ? '1 : count_q + 8'd1;
    stored = store_i && (rx_first_i || stored_q);
    tells = rx_first_i ? has_bth && bth[38] : tells_q;
  end

  always_ff @(posedge clk_i) begin
    if (flit_i) begin
      marked_q <= marked;
      tells_q <= tells;
      n_q <= n;
      count_q <= count;
      stored_q <= stored;
    end else if (!up_i) stored_q <= 1'b0;
    tells_past_q <= !rst_i && flit_i && tells;
    if (!rst_i) begin
      h2_answers_a_mark: assert (!push_i || !each_i || (flit_i && asks));
      h2_marks_are_answered: assert (push_i || !(flit_i && last_i && stored && count == n && asks && on_i && each_i));
      h3_becn_has_the_bit: assert (!becn_i || tells_past_q);
    end
  end

  wire unused = &{1'b0, rx_data_i, bth};
endmodule

`default_nettype wire
