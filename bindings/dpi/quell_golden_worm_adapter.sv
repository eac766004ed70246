// Golden model of worm_adapter with the unit's own ports and parameters, by DPI from libquell_model (docs/bindings.md).
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_golden_worm_adapter #(
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int LANE = 40,
    parameter int CONNS = 256,
    parameter int MSGQ = 1024,
    parameter int CTLQ = 16,
    parameter int CNT_W = 32
) (
    input  wire logic clk_i,
    input  wire logic rst_i,
    input  wire logic cfg_we_i,
    input  wire logic cfg_re_i,
    input  wire logic [7:0] cfg_addr_i,
    input  wire logic [31:0] cfg_data_i,
    input  wire logic link_up_i,
    input  wire logic open_valid_i,
    input  wire logic [15:0] open_conn_i,
    input  wire logic [15:0] open_dlid_i,
    input  wire logic [15:0] open_bw_i,
    input  wire logic post_valid_i,
    input  wire logic [1:0] post_class_i,
    input  wire logic [15:0] post_conn_i,
    input  wire logic [15:0] post_dlid_i,
    input  wire logic [7:0] post_len_i,
    input  wire logic post_final_i,
    input  wire logic [15:0] post_tag_i,
    input  wire logic [127:0] dma_data_i,
    input  wire logic [VLS-1:0] be_hold_i,
    input  wire logic rx_valid_i,
    input  wire logic [3:0] rx_vl_i,
    input  wire logic rx_first_i,
    input  wire logic rx_last_i,
    input  wire logic rx_bad_i,
    input  wire logic [127:0] rx_data_i,
    input  wire logic [VLS-1:0] rx_credit_i,
    output logic open_ready_o,
    output logic post_ready_o,
    output logic done_valid_o,
    output logic done_post_o,
    output logic done_ok_o,
    output logic [2:0] done_why_o,
    output logic [15:0] done_tag_o,
    output logic event_valid_o,
    output logic [1:0] event_kind_o,
    output logic [15:0] event_conn_o,
    output logic cqe_valid_o,
    output logic [1:0] cqe_class_o,
    output logic [15:0] cqe_conn_o,
    output logic [15:0] cqe_tag_o,
    output logic dma_valid_o,
    output logic [15:0] dma_tag_o,
    output logic [7:0] dma_index_o,
    output logic [VLS-1:0] be_front_o,
    output logic [16*VLS-1:0] be_dlid_o,
    output logic [VLS-1:0] link_free_o,
    output logic [VLS-1:0] lane_full_o,
    output logic tx_valid_o,
    output logic [3:0] tx_vl_o,
    output logic tx_first_o,
    output logic tx_last_o,
    output logic tx_bad_o,
    output logic [127:0] tx_data_o,
    output logic [VLS-1:0] tx_credit_o,
    output logic dlv_valid_o,
    output logic [3:0] dlv_vl_o,
    output logic dlv_first_o,
    output logic dlv_last_o,
    output logic dlv_bad_o,
    output logic [127:0] dlv_data_o,
    output logic [VLS-1:0] dlv_cut_o,
    output logic [15:0] err_o,
    output logic cfg_rvalid_o,
    output logic [31:0] cfg_rdata_o,
    output logic [15:0] st_used_o,
    output logic [16*VLS-1:0] st_book_o,
    output logic [16*VLS-1:0] st_conns_o,
    output logic [15:0] st_live_o,
    output logic [3:0] st_lane_o,
    output logic [5:0] st_seq_o,
    output logic [31:0] st_sum_c_o,
    output logic [15:0] st_avail_b_o,
    output logic [15:0] st_posted_o,
    output logic [63:0] st_queue_o,
    output logic [1:0] st_turn_o,
    output logic [15:0] st_gap_o,
    output logic st_open_o,
    output logic st_post_o,
    output logic [7:0] st_replies_o,
    output logic st_touched_o,
    output logic [15:0] st_conn_o,
    output logic [2:0] st_state_o,
    output logic [15:0] st_avail_o,
    output logic st_move_o,
    output logic [3:0] st_move_vl_o,
    output logic [7:0] st_move_left_o,
    output logic st_own_first_o,
    output logic [15:0] st_guard_move_o,
    output logic [8*VLS-1:0] st_level_o,
    output logic [8*VLS-1:0] st_cr_o,
    output logic [VLS-1:0] st_inside_o,
    output logic st_tail_o,
    output logic [8*VLS-1:0] st_place_o,
    output logic [8*VLS-1:0] st_left_o,
    output logic [7:0] st_guard_o,
    output logic [15:0] st_lfsr_o,
    output logic [VLS-1:0] st_rx_open_o,
    output logic [VLS-1:0] st_rx_skip_o,
    output logic [CNT_W-1:0] st_cnt_sent_o,
    output logic [CNT_W-1:0] st_cnt_rcv_o,
    output logic [15:0] st_cnt_refused_o,
    output logic [15:0] st_cnt_drop_o
);
  localparam int IN_BITS = $bits(cfg_we_i) + $bits(cfg_re_i) + $bits(cfg_addr_i) + $bits(cfg_data_i) + $bits(link_up_i) +
      $bits(open_valid_i) + $bits(open_conn_i) + $bits(open_dlid_i) + $bits(open_bw_i) +
      $bits(post_valid_i) + $bits(post_class_i) + $bits(post_conn_i) + $bits(post_dlid_i) +
      $bits(post_len_i) + $bits(post_final_i) + $bits(post_tag_i) + $bits(dma_data_i) + $bits(be_hold_i) +
      $bits(rx_valid_i) + $bits(rx_vl_i) + $bits(rx_first_i) + $bits(rx_last_i) + $bits(rx_bad_i) +
      $bits(rx_data_i) + $bits(rx_credit_i);
  localparam int IN_PARTS = (IN_BITS + 1023) / 1024;
  localparam int IN_W = 1024 * IN_PARTS;
  localparam int OUT_BITS = $bits(open_ready_o) + $bits(post_ready_o) + $bits(done_valid_o) + $bits(done_post_o) +
      $bits(done_ok_o) + $bits(done_why_o) + $bits(done_tag_o) + $bits(event_valid_o) +
      $bits(event_kind_o) + $bits(event_conn_o) + $bits(cqe_valid_o) + $bits(cqe_class_o) +
      $bits(cqe_conn_o) + $bits(cqe_tag_o) + $bits(dma_valid_o) + $bits(dma_tag_o) + $bits(dma_index_o) +
      $bits(be_front_o) + $bits(be_dlid_o) + $bits(link_free_o) + $bits(lane_full_o) + $bits(tx_valid_o) +
      $bits(tx_vl_o) + $bits(tx_first_o) + $bits(tx_last_o) + $bits(tx_bad_o) + $bits(tx_data_o) +
      $bits(tx_credit_o) + $bits(dlv_valid_o) + $bits(dlv_vl_o) + $bits(dlv_first_o) + $bits(dlv_last_o) +
      $bits(dlv_bad_o) + $bits(dlv_data_o) + $bits(dlv_cut_o) + $bits(err_o) + $bits(cfg_rvalid_o) +
      $bits(cfg_rdata_o);
  localparam int OUT_PARTS = (OUT_BITS + 1023) / 1024;
  localparam int OUT_W = 1024 * OUT_PARTS;
  localparam int ST_BITS = $bits(st_used_o) + $bits(st_book_o) + $bits(st_conns_o) + $bits(st_live_o) + $bits(st_lane_o) +
      $bits(st_seq_o) + $bits(st_sum_c_o) + $bits(st_avail_b_o) + $bits(st_posted_o) + $bits(st_queue_o) +
      $bits(st_turn_o) + $bits(st_gap_o) + $bits(st_open_o) + $bits(st_post_o) + $bits(st_replies_o) +
      $bits(st_touched_o) + $bits(st_conn_o) + $bits(st_state_o) + $bits(st_avail_o) + $bits(st_move_o) +
      $bits(st_move_vl_o) + $bits(st_move_left_o) + $bits(st_own_first_o) + $bits(st_guard_move_o) +
      $bits(st_level_o) + $bits(st_cr_o) + $bits(st_inside_o) + $bits(st_tail_o) + $bits(st_place_o) +
      $bits(st_left_o) + $bits(st_guard_o) + $bits(st_lfsr_o) + $bits(st_rx_open_o) + $bits(st_rx_skip_o) +
      $bits(st_cnt_sent_o) + $bits(st_cnt_rcv_o) + $bits(st_cnt_refused_o) + $bits(st_cnt_drop_o);
  localparam int ST_PARTS = (ST_BITS + 1023) / 1024;
  localparam int ST_W = 1024 * ST_PARTS;

  logic [IN_W-1:0] in_v;
  logic [OUT_W-1:0] out_v;
  logic [ST_W-1:0] st_v;
  assign in_v = IN_W'({rx_credit_i, rx_data_i, rx_bad_i, rx_last_i, rx_first_i, rx_vl_i, rx_valid_i, be_hold_i, dma_data_i,
      post_tag_i, post_final_i, post_len_i, post_dlid_i, post_conn_i, post_class_i, post_valid_i,
      open_bw_i, open_dlid_i, open_conn_i, open_valid_i, link_up_i, cfg_data_i, cfg_addr_i, cfg_re_i,
      cfg_we_i});
  assign {cfg_rdata_o, cfg_rvalid_o, err_o, dlv_cut_o, dlv_data_o, dlv_bad_o, dlv_last_o, dlv_first_o,
      dlv_vl_o, dlv_valid_o, tx_credit_o, tx_data_o, tx_bad_o, tx_last_o, tx_first_o, tx_vl_o, tx_valid_o,
      lane_full_o, link_free_o, be_dlid_o, be_front_o, dma_index_o, dma_tag_o, dma_valid_o, cqe_tag_o,
      cqe_conn_o, cqe_class_o, cqe_valid_o, event_conn_o, event_kind_o, event_valid_o, done_tag_o,
      done_why_o, done_ok_o, done_post_o, done_valid_o, post_ready_o, open_ready_o} = out_v[OUT_BITS-1:0];
  assign {st_cnt_drop_o, st_cnt_refused_o, st_cnt_rcv_o, st_cnt_sent_o, st_rx_skip_o, st_rx_open_o, st_lfsr_o,
      st_guard_o, st_left_o, st_place_o, st_tail_o, st_inside_o, st_cr_o, st_level_o, st_guard_move_o,
      st_own_first_o, st_move_left_o, st_move_vl_o, st_move_o, st_avail_o, st_state_o, st_conn_o,
      st_touched_o, st_replies_o, st_post_o, st_open_o, st_gap_o, st_turn_o, st_queue_o, st_posted_o,
      st_avail_b_o, st_sum_c_o, st_seq_o, st_lane_o, st_live_o, st_conns_o, st_book_o, st_used_o} = st_v[ST_BITS-1:0];

  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new("worm-adapter", $sformatf(
        "VLS=%0d DEPTH=%0d LANE=%0d CONNS=%0d MSGQ=%0d CTLQ=%0d CNT_W=%0d",
        VLS, DEPTH, LANE, CONNS, MSGQ, CTLQ, CNT_W));
    if (unit == 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_we_i", $bits(cfg_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_re_i", $bits(cfg_re_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_addr_i", $bits(cfg_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_data_i", $bits(cfg_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "link_up_i", $bits(link_up_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "open_valid_i", $bits(open_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "open_conn_i", $bits(open_conn_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "open_dlid_i", $bits(open_dlid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "open_bw_i", $bits(open_bw_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_valid_i", $bits(post_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_class_i", $bits(post_class_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_conn_i", $bits(post_conn_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_dlid_i", $bits(post_dlid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_len_i", $bits(post_len_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_final_i", $bits(post_final_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_tag_i", $bits(post_tag_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_data_i", $bits(dma_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "be_hold_i", $bits(be_hold_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_valid_i", $bits(rx_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_vl_i", $bits(rx_vl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_first_i", $bits(rx_first_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_last_i", $bits(rx_last_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_bad_i", $bits(rx_bad_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_data_i", $bits(rx_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_credit_i", $bits(rx_credit_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "open_ready_o", $bits(open_ready_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_ready_o", $bits(post_ready_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "done_valid_o", $bits(done_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "done_post_o", $bits(done_post_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "done_ok_o", $bits(done_ok_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "done_why_o", $bits(done_why_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "done_tag_o", $bits(done_tag_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "event_valid_o", $bits(event_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "event_kind_o", $bits(event_kind_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "event_conn_o", $bits(event_conn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cqe_valid_o", $bits(cqe_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cqe_class_o", $bits(cqe_class_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cqe_conn_o", $bits(cqe_conn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cqe_tag_o", $bits(cqe_tag_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_valid_o", $bits(dma_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_tag_o", $bits(dma_tag_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_index_o", $bits(dma_index_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "be_front_o", $bits(be_front_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "be_dlid_o", $bits(be_dlid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "link_free_o", $bits(link_free_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lane_full_o", $bits(lane_full_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_valid_o", $bits(tx_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_vl_o", $bits(tx_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_first_o", $bits(tx_first_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_last_o", $bits(tx_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_bad_o", $bits(tx_bad_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_data_o", $bits(tx_data_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_credit_o", $bits(tx_credit_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dlv_valid_o", $bits(dlv_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dlv_vl_o", $bits(dlv_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dlv_first_o", $bits(dlv_first_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dlv_last_o", $bits(dlv_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dlv_bad_o", $bits(dlv_bad_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dlv_data_o", $bits(dlv_data_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dlv_cut_o", $bits(dlv_cut_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_o", $bits(err_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rvalid_o", $bits(cfg_rvalid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rdata_o", $bits(cfg_rdata_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_used_o", $bits(st_used_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_book_o", $bits(st_book_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_conns_o", $bits(st_conns_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_live_o", $bits(st_live_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lane_o", $bits(st_lane_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_seq_o", $bits(st_seq_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sum_c_o", $bits(st_sum_c_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_avail_b_o", $bits(st_avail_b_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_posted_o", $bits(st_posted_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_queue_o", $bits(st_queue_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_turn_o", $bits(st_turn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_gap_o", $bits(st_gap_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_open_o", $bits(st_open_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_post_o", $bits(st_post_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_replies_o", $bits(st_replies_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_touched_o", $bits(st_touched_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_conn_o", $bits(st_conn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_state_o", $bits(st_state_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_avail_o", $bits(st_avail_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_move_o", $bits(st_move_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_move_vl_o", $bits(st_move_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_move_left_o", $bits(st_move_left_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_own_first_o", $bits(st_own_first_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_guard_move_o", $bits(st_guard_move_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_level_o", $bits(st_level_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cr_o", $bits(st_cr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_inside_o", $bits(st_inside_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tail_o", $bits(st_tail_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_place_o", $bits(st_place_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_left_o", $bits(st_left_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_guard_o", $bits(st_guard_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lfsr_o", $bits(st_lfsr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rx_open_o", $bits(st_rx_open_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rx_skip_o", $bits(st_rx_skip_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_sent_o", $bits(st_cnt_sent_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_rcv_o", $bits(st_cnt_rcv_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_refused_o", $bits(st_cnt_refused_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_drop_o", $bits(st_cnt_drop_o)));
  end

  bit [1023:0] part;
  always @(posedge clk_i) if (unit != 0) begin
    if (rst_i) must(quell_dpi_pkg::quell_dpi_reset(unit));
    else begin
      for (int k = 0; k < IN_PARTS; k++) must(quell_dpi_pkg::quell_dpi_put(unit, 0, k, in_v[1024*k+:1024]));
      must(quell_dpi_pkg::quell_dpi_step(unit));
    end
    for (int k = 0; k < OUT_PARTS; k++) begin
      must(quell_dpi_pkg::quell_dpi_get(unit, 1, k, part));
      out_v[1024*k+:1024] <= part;
    end
    for (int k = 0; k < ST_PARTS; k++) begin
      must(quell_dpi_pkg::quell_dpi_get(unit, 2, k, part));
      st_v[1024*k+:1024] <= part;
    end
  end

  final if (unit != 0) must(quell_dpi_pkg::quell_dpi_free(unit));
endmodule

`default_nettype wire
