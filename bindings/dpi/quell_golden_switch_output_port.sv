// Golden model of switch_output_port with the unit's own ports and parameters, by DPI from libquell_model (docs/bindings.md).
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_golden_switch_output_port #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int BLOCKS = 2048,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int FLIT_BYTES = 64,
    parameter int TIMER_W = 32,
    parameter int ONE_QUEUE = 0,
    parameter int ISOLATION = 1,
    parameter int VL_BY_DEST = 0,
    parameter int CNT_W = 32,
    parameter int MARKERS = 0,
    parameter int STAMP_W = 0,
    parameter int CIOQ = 0,
    parameter int OBLOCKS = 2048,
    parameter int CTL_VL = 0,
    parameter int SRP = 0,
    parameter int DATA_BLOCKS = 512,
    parameter int PARITY = 0,
    localparam int N = PORTS * VLS,
    localparam int AGE_W = (STAMP_W > 0) ? STAMP_W : 1,
    localparam int DW = 8 * FLIT_BYTES
) (
    input  wire logic clk_i,
    input  wire logic rst_i,
    input  wire logic cfg_we_i,
    input  wire logic cfg_re_i,
    input  wire logic [7:0] cfg_addr_i,
    input  wire logic [31:0] cfg_data_i,
    input  wire logic [N-1:0] req_valid_i,
    input  wire logic [7*N-1:0] req_len_i,
    input  wire logic [16*N-1:0] req_dlid_i,
    input  wire logic [N-1:0] req_cnp_i,
    input  wire logic [N-1:0] req_hot_i,
    input  wire logic [N-1:0] req_unlinked_i,
    input  wire logic [N-1:0] req_bound_i,
    input  wire logic [8*N-1:0] req_line_i,
    input  wire logic [AGE_W*N-1:0] req_age_i,
    input  wire logic [PORTS-1:0] req_nack_i,
    input  wire logic [PORTS-1:0] can_alloc_i,
    input  wire logic [LINES*PORTS-1:0] known_i,
    input  wire logic [LINES*PORTS-1:0] room_i,
    input  wire logic [LINES*PORTS-1:0] pend_i,
    input  wire logic [PORTS-1:0] xb_act_i,
    input  wire logic [PORTS-1:0] xb_end_i,
    input  wire logic [PORTS-1:0] xb_slow_i,
    input  wire logic [N-1:0] cong_i,
    input  wire logic [16*N-1:0] fill_i,
    input  wire logic [N-1:0] enter_i,
    input  wire logic [N-1:0] full_evt_i,
    input  wire logic sw_valid_i,
    input  wire logic sw_first_i,
    input  wire logic sw_last_i,
    input  wire logic sw_bad_i,
    input  wire logic sw_mark_i,
    input  wire logic [DW-1:0] sw_data_i,
    input  wire logic [N-1:0] take_i,
    input  wire logic link_up_i,
    input  wire logic fccl_valid_i,
    input  wire logic [7:0] fccl_vl_i,
    input  wire logic [11:0] fccl_i,
    input  wire logic msg_valid_i,
    input  wire logic [1:0] msg_type_i,
    input  wire logic [7:0] msg_line_i,
    input  wire logic [7:0] msg_vl_i,
    input  wire logic [23:0] msg_root_i,
    input  wire logic [5:0] msg_hops_i,
    input  wire logic msg_stop_i,
    input  wire logic [7:0] msg_dcnt_i,
    input  wire logic [16*DLIST-1:0] msg_dlist_i,
    output logic [N-1:0] grant_o,
    output logic [N-1:0] elig_o,
    output logic [N-1:0] held_o,
    output logic [8*N-1:0] held_line_o,
    output logic rd_en_o,
    output logic rd_slow_o,
    output logic [PORTS-1:0] prop_valid_o,
    output logic [7:0] prop_vl_o,
    output logic [7:0] prop_line_o,
    output logic [5:0] prop_hops_o,
    output logic [23:0] prop_root_o,
    output logic [LINES-1:0] ol_valid_o,
    output logic [LINES-1:0] ol_stop_o,
    output logic [LINES*PORTS-1:0] ol_wait_o,
    output logic tx_valid_o,
    output logic tx_first_o,
    output logic tx_last_o,
    output logic tx_bad_o,
    output logic [DW-1:0] tx_data_o,
    output logic fctbs_valid_o,
    output logic [7:0] fctbs_vl_o,
    output logic [11:0] fctbs_o,
    output logic [VLS-1:0] cong_state_o,
    output logic cnp_plain_o,
    output logic [15:0] err_o,
    output logic cfg_rvalid_o,
    output logic [31:0] cfg_rdata_o,
    output logic [12*VLS-1:0] st_txr_o,
    output logic [12*VLS-1:0] st_fctbs_o,
    output logic [12*VLS-1:0] st_fccl_o,
    output logic [8*VLS-1:0] st_count_o,
    output logic [16*VLS-1:0] st_mark_count_o,
    output logic [15:0] st_lfsr_o,
    output logic [PORTS*N-1:0] st_ahead_o,
    output logic [16*VLS-1:0] st_cr_o,
    output logic [31:0] st_vp_o,
    output logic [63:0] st_class_ptr_o,
    output logic [VLS-1:0] st_owed_o,
    output logic [8*VLS-1:0] st_owed_in_o,
    output logic [8*VLS-1:0] st_passed_o,
    output logic [VLS-1:0] st_waited_o,
    output logic [VLS-1:0] st_rooted_o,
    output logic [VLS-1:0] st_root_held_o,
    output logic [18*VLS-1:0] st_cnt1_o,
    output logic [18*VLS-1:0] st_cnt2_o,
    output logic [VLS-1:0] st_sat_o,
    output logic [16*VLS-1:0] st_ofill_o,
    output logic [16*VLS-1:0] st_oq_flits_o,
    output logic [15:0] st_lp_o,
    output logic st_sending_o,
    output logic [15:0] st_scan_o,
    output logic [15:0] st_draw_o,
    output logic [1:0] st_due_o,
    output logic [1:0] st_drop_o,
    output logic [2*LINES-1:0] st_ol_hold_o,
    output logic [8*LINES-1:0] st_ol_vl_o,
    output logic [6*LINES-1:0] st_ol_hops_o,
    output logic [24*LINES-1:0] st_ol_root_o,
    output logic [TIMER_W*LINES-1:0] st_ol_timer_o,
    output logic [8*LINES-1:0] st_ol_dcnt_o,
    output logic [16*DLIST*LINES-1:0] st_ol_dlist_o,
    output logic [LINES-1:0] st_ol_fresh_o,
    output logic [LINES-1:0] st_ol_closing_o,
    output logic [16*LINES-1:0] st_ol_turn_o,
    output logic [15:0] st_cnt_e7_o,
    output logic [CNT_W-1:0] st_cnt_marked_o,
    output logic [CNT_W-1:0] st_cnt_sent_o
);
  localparam int IN_BITS = $bits(cfg_we_i) + $bits(cfg_re_i) + $bits(cfg_addr_i) + $bits(cfg_data_i) + $bits(req_valid_i) +
      $bits(req_len_i) + $bits(req_dlid_i) + $bits(req_cnp_i) + $bits(req_hot_i) + $bits(req_unlinked_i) +
      $bits(req_bound_i) + $bits(req_line_i) + $bits(req_age_i) + $bits(req_nack_i) + $bits(can_alloc_i) +
      $bits(known_i) + $bits(room_i) + $bits(pend_i) + $bits(xb_act_i) + $bits(xb_end_i) +
      $bits(xb_slow_i) + $bits(cong_i) + $bits(fill_i) + $bits(enter_i) + $bits(full_evt_i) +
      $bits(sw_valid_i) + $bits(sw_first_i) + $bits(sw_last_i) + $bits(sw_bad_i) + $bits(sw_mark_i) +
      $bits(sw_data_i) + $bits(take_i) + $bits(link_up_i) + $bits(fccl_valid_i) + $bits(fccl_vl_i) +
      $bits(fccl_i) + $bits(msg_valid_i) + $bits(msg_type_i) + $bits(msg_line_i) + $bits(msg_vl_i) +
      $bits(msg_root_i) + $bits(msg_hops_i) + $bits(msg_stop_i) + $bits(msg_dcnt_i) + $bits(msg_dlist_i);
  localparam int IN_PARTS = (IN_BITS + 1023) / 1024;
  localparam int IN_W = 1024 * IN_PARTS;
  localparam int OUT_BITS = $bits(grant_o) + $bits(elig_o) + $bits(held_o) + $bits(held_line_o) + $bits(rd_en_o) +
      $bits(rd_slow_o) + $bits(prop_valid_o) + $bits(prop_vl_o) + $bits(prop_line_o) + $bits(prop_hops_o) +
      $bits(prop_root_o) + $bits(ol_valid_o) + $bits(ol_stop_o) + $bits(ol_wait_o) + $bits(tx_valid_o) +
      $bits(tx_first_o) + $bits(tx_last_o) + $bits(tx_bad_o) + $bits(tx_data_o) + $bits(fctbs_valid_o) +
      $bits(fctbs_vl_o) + $bits(fctbs_o) + $bits(cong_state_o) + $bits(cnp_plain_o) + $bits(err_o) +
      $bits(cfg_rvalid_o) + $bits(cfg_rdata_o);
  localparam int OUT_PARTS = (OUT_BITS + 1023) / 1024;
  localparam int OUT_W = 1024 * OUT_PARTS;
  localparam int ST_BITS = $bits(st_txr_o) + $bits(st_fctbs_o) + $bits(st_fccl_o) + $bits(st_count_o) + $bits(st_mark_count_o) +
      $bits(st_lfsr_o) + $bits(st_ahead_o) + $bits(st_cr_o) + $bits(st_vp_o) + $bits(st_class_ptr_o) +
      $bits(st_owed_o) + $bits(st_owed_in_o) + $bits(st_passed_o) + $bits(st_waited_o) +
      $bits(st_rooted_o) + $bits(st_root_held_o) + $bits(st_cnt1_o) + $bits(st_cnt2_o) + $bits(st_sat_o) +
      $bits(st_ofill_o) + $bits(st_oq_flits_o) + $bits(st_lp_o) + $bits(st_sending_o) + $bits(st_scan_o) +
      $bits(st_draw_o) + $bits(st_due_o) + $bits(st_drop_o) + $bits(st_ol_hold_o) + $bits(st_ol_vl_o) +
      $bits(st_ol_hops_o) + $bits(st_ol_root_o) + $bits(st_ol_timer_o) + $bits(st_ol_dcnt_o) +
      $bits(st_ol_dlist_o) + $bits(st_ol_fresh_o) + $bits(st_ol_closing_o) + $bits(st_ol_turn_o) +
      $bits(st_cnt_e7_o) + $bits(st_cnt_marked_o) + $bits(st_cnt_sent_o);
  localparam int ST_PARTS = (ST_BITS + 1023) / 1024;
  localparam int ST_W = 1024 * ST_PARTS;

  logic [IN_W-1:0] in_v;
  logic [OUT_W-1:0] out_v;
  logic [ST_W-1:0] st_v;
  assign in_v = IN_W'({msg_dlist_i, msg_dcnt_i, msg_stop_i, msg_hops_i, msg_root_i, msg_vl_i, msg_line_i, msg_type_i,
      msg_valid_i, fccl_i, fccl_vl_i, fccl_valid_i, link_up_i, take_i, sw_data_i, sw_mark_i, sw_bad_i,
      sw_last_i, sw_first_i, sw_valid_i, full_evt_i, enter_i, fill_i, cong_i, xb_slow_i, xb_end_i,
      xb_act_i, pend_i, room_i, known_i, can_alloc_i, req_nack_i, req_age_i, req_line_i, req_bound_i,
      req_unlinked_i, req_hot_i, req_cnp_i, req_dlid_i, req_len_i, req_valid_i, cfg_data_i, cfg_addr_i,
      cfg_re_i, cfg_we_i});
  assign {cfg_rdata_o, cfg_rvalid_o, err_o, cnp_plain_o, cong_state_o, fctbs_o, fctbs_vl_o, fctbs_valid_o,
      tx_data_o, tx_bad_o, tx_last_o, tx_first_o, tx_valid_o, ol_wait_o, ol_stop_o, ol_valid_o,
      prop_root_o, prop_hops_o, prop_line_o, prop_vl_o, prop_valid_o, rd_slow_o, rd_en_o, held_line_o,
      held_o, elig_o, grant_o} = out_v[OUT_BITS-1:0];
  assign {st_cnt_sent_o, st_cnt_marked_o, st_cnt_e7_o, st_ol_turn_o, st_ol_closing_o, st_ol_fresh_o,
      st_ol_dlist_o, st_ol_dcnt_o, st_ol_timer_o, st_ol_root_o, st_ol_hops_o, st_ol_vl_o, st_ol_hold_o,
      st_drop_o, st_due_o, st_draw_o, st_scan_o, st_sending_o, st_lp_o, st_oq_flits_o, st_ofill_o,
      st_sat_o, st_cnt2_o, st_cnt1_o, st_root_held_o, st_rooted_o, st_waited_o, st_passed_o, st_owed_in_o,
      st_owed_o, st_class_ptr_o, st_vp_o, st_cr_o, st_ahead_o, st_lfsr_o, st_mark_count_o, st_count_o,
      st_fccl_o, st_fctbs_o, st_txr_o} = st_v[ST_BITS-1:0];

  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new("output-port", $sformatf(
        "PORTS=%0d VLS=%0d MTU=%0d BLOCKS=%0d LINES=%0d DLIST=%0d FLIT_BYTES=%0d TIMER_W=%0d ONE_QUEUE=%0d ISOLATION=%0d VL_BY_DEST=%0d CNT_W=%0d MARKERS=%0d STAMP_W=%0d CIOQ=%0d OBLOCKS=%0d CTL_VL=%0d SRP=%0d DATA_BLOCKS=%0d PARITY=%0d",
        PORTS, VLS, MTU, BLOCKS, LINES, DLIST, FLIT_BYTES, TIMER_W, ONE_QUEUE, ISOLATION, VL_BY_DEST, CNT_W, MARKERS, STAMP_W, CIOQ, OBLOCKS, CTL_VL, SRP, DATA_BLOCKS, PARITY));
    if (unit == 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_we_i", $bits(cfg_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_re_i", $bits(cfg_re_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_addr_i", $bits(cfg_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_data_i", $bits(cfg_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_valid_i", $bits(req_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_len_i", $bits(req_len_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_dlid_i", $bits(req_dlid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_cnp_i", $bits(req_cnp_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_hot_i", $bits(req_hot_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_unlinked_i", $bits(req_unlinked_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_bound_i", $bits(req_bound_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_line_i", $bits(req_line_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_age_i", $bits(req_age_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_nack_i", $bits(req_nack_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "can_alloc_i", $bits(can_alloc_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "known_i", $bits(known_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "room_i", $bits(room_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "pend_i", $bits(pend_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_act_i", $bits(xb_act_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_end_i", $bits(xb_end_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_slow_i", $bits(xb_slow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cong_i", $bits(cong_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fill_i", $bits(fill_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "enter_i", $bits(enter_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "full_evt_i", $bits(full_evt_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sw_valid_i", $bits(sw_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sw_first_i", $bits(sw_first_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sw_last_i", $bits(sw_last_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sw_bad_i", $bits(sw_bad_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sw_mark_i", $bits(sw_mark_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sw_data_i", $bits(sw_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "take_i", $bits(take_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "link_up_i", $bits(link_up_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fccl_valid_i", $bits(fccl_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fccl_vl_i", $bits(fccl_vl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fccl_i", $bits(fccl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_valid_i", $bits(msg_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_type_i", $bits(msg_type_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_line_i", $bits(msg_line_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_vl_i", $bits(msg_vl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_root_i", $bits(msg_root_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_hops_i", $bits(msg_hops_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_stop_i", $bits(msg_stop_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_dcnt_i", $bits(msg_dcnt_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_dlist_i", $bits(msg_dlist_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "grant_o", $bits(grant_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "elig_o", $bits(elig_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "held_o", $bits(held_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "held_line_o", $bits(held_line_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rd_en_o", $bits(rd_en_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rd_slow_o", $bits(rd_slow_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_valid_o", $bits(prop_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_vl_o", $bits(prop_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_line_o", $bits(prop_line_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_hops_o", $bits(prop_hops_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_root_o", $bits(prop_root_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ol_valid_o", $bits(ol_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ol_stop_o", $bits(ol_stop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ol_wait_o", $bits(ol_wait_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_valid_o", $bits(tx_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_first_o", $bits(tx_first_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_last_o", $bits(tx_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_bad_o", $bits(tx_bad_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_data_o", $bits(tx_data_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fctbs_valid_o", $bits(fctbs_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fctbs_vl_o", $bits(fctbs_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fctbs_o", $bits(fctbs_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cong_state_o", $bits(cong_state_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cnp_plain_o", $bits(cnp_plain_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_o", $bits(err_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rvalid_o", $bits(cfg_rvalid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rdata_o", $bits(cfg_rdata_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_txr_o", $bits(st_txr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_fctbs_o", $bits(st_fctbs_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_fccl_o", $bits(st_fccl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_count_o", $bits(st_count_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_mark_count_o", $bits(st_mark_count_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lfsr_o", $bits(st_lfsr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ahead_o", $bits(st_ahead_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cr_o", $bits(st_cr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_vp_o", $bits(st_vp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_class_ptr_o", $bits(st_class_ptr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_owed_o", $bits(st_owed_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_owed_in_o", $bits(st_owed_in_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_passed_o", $bits(st_passed_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_waited_o", $bits(st_waited_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rooted_o", $bits(st_rooted_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_root_held_o", $bits(st_root_held_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt1_o", $bits(st_cnt1_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt2_o", $bits(st_cnt2_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sat_o", $bits(st_sat_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ofill_o", $bits(st_ofill_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_oq_flits_o", $bits(st_oq_flits_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lp_o", $bits(st_lp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sending_o", $bits(st_sending_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_scan_o", $bits(st_scan_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_draw_o", $bits(st_draw_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_due_o", $bits(st_due_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_drop_o", $bits(st_drop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_hold_o", $bits(st_ol_hold_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_vl_o", $bits(st_ol_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_hops_o", $bits(st_ol_hops_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_root_o", $bits(st_ol_root_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_timer_o", $bits(st_ol_timer_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_dcnt_o", $bits(st_ol_dcnt_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_dlist_o", $bits(st_ol_dlist_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_fresh_o", $bits(st_ol_fresh_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_closing_o", $bits(st_ol_closing_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_turn_o", $bits(st_ol_turn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_e7_o", $bits(st_cnt_e7_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_marked_o", $bits(st_cnt_marked_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_sent_o", $bits(st_cnt_sent_o)));
  end

  bit [1023:0] part;
  bit ended = 0;  // changes with every cycle
  always @(posedge clk_i) if (unit != 0) begin
    if (rst_i) must(quell_dpi_pkg::quell_dpi_reset(unit));
    else begin
      for (int k = 0; k < IN_PARTS; k++) must(quell_dpi_pkg::quell_dpi_put(unit, 0, k, in_v[1024*k+:1024]));
      must(quell_dpi_pkg::quell_dpi_step(unit));
    end
    for (int k = 0; k < ST_PARTS; k++) begin
      must(quell_dpi_pkg::quell_dpi_get(unit, 2, k, part));
      st_v[1024*k+:1024] <= part;
    end
    ended <= !ended;
  end

  // Outputs depend on inputs of the same cycle.
  bit [1023:0] out_part;
  always @(in_v or ended) if (unit != 0) begin
    for (int k = 0; k < IN_PARTS; k++) must(quell_dpi_pkg::quell_dpi_put(unit, 0, k, in_v[1024*k+:1024]));
    for (int k = 0; k < OUT_PARTS; k++) begin
      must(quell_dpi_pkg::quell_dpi_get(unit, 1, k, out_part));
      out_v[1024*k+:1024] = out_part;
    end
  end

  final if (unit != 0) must(quell_dpi_pkg::quell_dpi_free(unit));
endmodule

`default_nettype wire
