// Golden model of switch_input_port with the unit's own ports and parameters, by DPI from libquell_model (docs/bindings.md).
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_golden_switch_input_port #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int BLOCKS = 2048,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int LFT_DEPTH = 1024,
    parameter int FLIT_BYTES = 64,
    parameter int TIMER_W = 32,
    parameter int ONE_QUEUE = 0,
    parameter int ISOLATION = 1,
    parameter int VL_BY_DEST = 0,
    parameter int MARKERS = 0,
    parameter int STAMP_W = 0,
    parameter int CIOQ = 0,
    parameter int CTL_VL = 0,
    parameter int SRP = 0,
    parameter int DATA_BLOCKS = 512,
    parameter int SPEC_BLOCKS = 512,
    parameter int CTL_BLOCKS = 64,
    parameter int RANDOM_UP = 0,
    parameter int PARITY = 0,
    localparam int PV = PORTS * VLS,
    localparam int AGE_W = (STAMP_W > 0) ? STAMP_W : 1,
    localparam int FLIT_W = FLIT_BYTES * 8
) (
    input  wire logic clk_i,
    input  wire logic rst_i,
    input  wire logic cfg_we_i,
    input  wire logic cfg_re_i,
    input  wire logic [7:0] cfg_addr_i,
    input  wire logic [31:0] cfg_data_i,
    input  wire logic lft_we_i,
    input  wire logic [15:0] lft_addr_i,
    input  wire logic [7:0] lft_port_i,
    input  wire logic rx_valid_i,
    input  wire logic rx_first_i,
    input  wire logic rx_last_i,
    input  wire logic rx_bad_i,
    input  wire logic [FLIT_W-1:0] rx_data_i,
    input  wire logic fctbs_valid_i,
    input  wire logic [7:0] fctbs_vl_i,
    input  wire logic [11:0] fctbs_i,
    input  wire logic link_up_i,
    input  wire logic [PV-1:0] grant_i,
    input  wire logic [PV-1:0] held_i,
    input  wire logic [PV*8-1:0] held_line_i,
    input  wire logic [PORTS-1:0] rd_en_i,
    input  wire logic [PORTS-1:0] rd_slow_i,
    input  wire logic [PORTS-1:0] prop_valid_i,
    input  wire logic [PORTS*8-1:0] prop_vl_i,
    input  wire logic [PORTS*8-1:0] prop_line_i,
    input  wire logic [PORTS*6-1:0] prop_hops_i,
    input  wire logic [PORTS*24-1:0] prop_root_i,
    input  wire logic [PORTS*LINES-1:0] ol_valid_i,
    input  wire logic [PORTS*LINES-1:0] ol_stop_i,
    output logic ready_o,
    output logic [PV-1:0] req_valid_o,
    output logic [PV*7-1:0] req_len_o,
    output logic [PV*16-1:0] req_dlid_o,
    output logic [PV-1:0] req_cnp_o,
    output logic [PV-1:0] req_hot_o,
    output logic [PV-1:0] req_unlinked_o,
    output logic [PV-1:0] req_bound_o,
    output logic [PV*8-1:0] req_line_o,
    output logic [PV*AGE_W-1:0] req_age_o,
    output logic [PORTS-1:0] req_nack_o,
    output logic [PORTS-1:0] xb_act_o,
    output logic [PORTS-1:0] xb_end_o,
    output logic [PORTS-1:0] xb_slow_o,
    output logic [PORTS-1:0] xb_valid_o,
    output logic [PORTS-1:0] xb_first_o,
    output logic [PORTS-1:0] xb_last_o,
    output logic [PORTS-1:0] xb_bad_o,
    output logic [PORTS-1:0] xb_mark_o,
    output logic [PORTS*FLIT_W-1:0] xb_data_o,
    output logic [PV-1:0] cong_o,
    output logic [PV*16-1:0] fill_o,
    output logic [PV-1:0] enter_o,
    output logic [PV-1:0] full_evt_o,
    output logic can_alloc_o,
    output logic [PORTS*LINES-1:0] known_o,
    output logic [PORTS*LINES-1:0] room_o,
    output logic [PORTS*LINES-1:0] pend_o,
    output logic fc_valid_o,
    output logic [7:0] fc_vl_o,
    output logic [11:0] fccl_o,
    output logic msg_valid_o,
    output logic [1:0] msg_type_o,
    output logic [7:0] msg_line_o,
    output logic [7:0] msg_vl_o,
    output logic [23:0] msg_root_o,
    output logic [5:0] msg_hops_o,
    output logic msg_stop_o,
    output logic [7:0] msg_dcnt_o,
    output logic [DLIST*16-1:0] msg_dlist_o,
    output logic [15:0] err_o,
    output logic cfg_rvalid_o,
    output logic [31:0] cfg_rdata_o,
    output logic st_up_o,
    output logic [1:0] st_rx_state_o,
    output logic [6:0] st_rx_count_o,
    output logic [VLS*16-1:0] st_used_o,
    output logic [VLS*12-1:0] st_abr_o,
    output logic [PV*16-1:0] st_cpq_pkts_o,
    output logic [PV*16-1:0] st_cpq_fill_o,
    output logic [HPQS*16-1:0] st_hpq_pkts_o,
    output logic [HPQS*16-1:0] st_hpq_fill_o,
    output logic [LINES*2-1:0] st_line_state_o,
    output logic [LINES*8-1:0] st_line_out_o,
    output logic [LINES*8-1:0] st_line_vl_o,
    output logic [LINES*16-1:0] st_line_queue_o,
    output logic [LINES*6-1:0] st_line_hops_o,
    output logic [LINES*24-1:0] st_line_root_o,
    output logic [LINES*8-1:0] st_line_next_o,
    output logic [LINES-1:0] st_line_linked_o,
    output logic [LINES-1:0] st_line_ann_o,
    output logic [LINES-1:0] st_line_sent_stop_o,
    output logic [LINES-1:0] st_line_stop_req_o,
    output logic [LINES-1:0] st_line_reached_o,
    output logic [LINES-1:0] st_line_dirty_o,
    output logic [LINES*TIMER_W-1:0] st_line_timer_o,
    output logic [LINES*8-1:0] st_line_dcnt_o,
    output logic [LINES*DLIST*16-1:0] st_line_dlist_o,
    output logic [LINES-1:0] st_line_own_o,
    output logic [PV-1:0] st_cpq_tied_o,
    output logic [PV*8-1:0] st_cpq_tie_o,
    output logic [HPQS-1:0] st_hpq_tied_o,
    output logic [HPQS*8-1:0] st_hpq_tie_o,
    output logic [PV-1:0] st_cpq_went_o,
    output logic [HPQS-1:0] st_hpq_went_o,
    output logic [LINES-1:0] st_line_cong_o,
    output logic [15:0] st_nfq_wait_o,
    output logic [PORTS-1:0] st_slow_o,
    output logic [PV*16-1:0] st_waiting_o,
    output logic [VLS-1:0] st_full_o,
    output logic [VLS-1:0] st_armed_o,
    output logic [PV*16-1:0] st_ncnt_o,
    output logic [PV-1:0] st_aged_o,
    output logic [VLS-1:0] st_pinned_o,
    output logic [VLS*8-1:0] st_pin_o,
    output logic [VLS*4-1:0] st_bypass_o,
    output logic [15:0] st_now_o,
    output logic st_spec_nack_o,
    output logic [15:0] st_spec_age_o,
    output logic [15:0] st_spec_waited_o,
    output logic st_disc_act_o,
    output logic [6:0] st_disc_r_o,
    output logic [31:0] st_cnt_spec_drop_o,
    output logic [15:0] st_lfsr_o,
    output logic [15:0] st_cnt_drop_o,
    output logic [15:0] st_cnt_nohpq_o,
    output logic [15:0] st_cnt_noline_o
);
  localparam int IN_BITS = $bits(cfg_we_i) + $bits(cfg_re_i) + $bits(cfg_addr_i) + $bits(cfg_data_i) + $bits(lft_we_i) +
      $bits(lft_addr_i) + $bits(lft_port_i) + $bits(rx_valid_i) + $bits(rx_first_i) + $bits(rx_last_i) +
      $bits(rx_bad_i) + $bits(rx_data_i) + $bits(fctbs_valid_i) + $bits(fctbs_vl_i) + $bits(fctbs_i) +
      $bits(link_up_i) + $bits(grant_i) + $bits(held_i) + $bits(held_line_i) + $bits(rd_en_i) +
      $bits(rd_slow_i) + $bits(prop_valid_i) + $bits(prop_vl_i) + $bits(prop_line_i) + $bits(prop_hops_i) +
      $bits(prop_root_i) + $bits(ol_valid_i) + $bits(ol_stop_i);
  localparam int IN_PARTS = (IN_BITS + 1023) / 1024;
  localparam int IN_W = 1024 * IN_PARTS;
  localparam int OUT_BITS = $bits(ready_o) + $bits(req_valid_o) + $bits(req_len_o) + $bits(req_dlid_o) + $bits(req_cnp_o) +
      $bits(req_hot_o) + $bits(req_unlinked_o) + $bits(req_bound_o) + $bits(req_line_o) + $bits(req_age_o) +
      $bits(req_nack_o) + $bits(xb_act_o) + $bits(xb_end_o) + $bits(xb_slow_o) + $bits(xb_valid_o) +
      $bits(xb_first_o) + $bits(xb_last_o) + $bits(xb_bad_o) + $bits(xb_mark_o) + $bits(xb_data_o) +
      $bits(cong_o) + $bits(fill_o) + $bits(enter_o) + $bits(full_evt_o) + $bits(can_alloc_o) +
      $bits(known_o) + $bits(room_o) + $bits(pend_o) + $bits(fc_valid_o) + $bits(fc_vl_o) + $bits(fccl_o) +
      $bits(msg_valid_o) + $bits(msg_type_o) + $bits(msg_line_o) + $bits(msg_vl_o) + $bits(msg_root_o) +
      $bits(msg_hops_o) + $bits(msg_stop_o) + $bits(msg_dcnt_o) + $bits(msg_dlist_o) + $bits(err_o) +
      $bits(cfg_rvalid_o) + $bits(cfg_rdata_o);
  localparam int OUT_PARTS = (OUT_BITS + 1023) / 1024;
  localparam int OUT_W = 1024 * OUT_PARTS;
  localparam int ST_BITS = $bits(st_up_o) + $bits(st_rx_state_o) + $bits(st_rx_count_o) + $bits(st_used_o) + $bits(st_abr_o) +
      $bits(st_cpq_pkts_o) + $bits(st_cpq_fill_o) + $bits(st_hpq_pkts_o) + $bits(st_hpq_fill_o) +
      $bits(st_line_state_o) + $bits(st_line_out_o) + $bits(st_line_vl_o) + $bits(st_line_queue_o) +
      $bits(st_line_hops_o) + $bits(st_line_root_o) + $bits(st_line_next_o) + $bits(st_line_linked_o) +
      $bits(st_line_ann_o) + $bits(st_line_sent_stop_o) + $bits(st_line_stop_req_o) +
      $bits(st_line_reached_o) + $bits(st_line_dirty_o) + $bits(st_line_timer_o) + $bits(st_line_dcnt_o) +
      $bits(st_line_dlist_o) + $bits(st_line_own_o) + $bits(st_cpq_tied_o) + $bits(st_cpq_tie_o) +
      $bits(st_hpq_tied_o) + $bits(st_hpq_tie_o) + $bits(st_cpq_went_o) + $bits(st_hpq_went_o) +
      $bits(st_line_cong_o) + $bits(st_nfq_wait_o) + $bits(st_slow_o) + $bits(st_waiting_o) +
      $bits(st_full_o) + $bits(st_armed_o) + $bits(st_ncnt_o) + $bits(st_aged_o) + $bits(st_pinned_o) +
      $bits(st_pin_o) + $bits(st_bypass_o) + $bits(st_now_o) + $bits(st_spec_nack_o) +
      $bits(st_spec_age_o) + $bits(st_spec_waited_o) + $bits(st_disc_act_o) + $bits(st_disc_r_o) +
      $bits(st_cnt_spec_drop_o) + $bits(st_lfsr_o) + $bits(st_cnt_drop_o) + $bits(st_cnt_nohpq_o) +
      $bits(st_cnt_noline_o);
  localparam int ST_PARTS = (ST_BITS + 1023) / 1024;
  localparam int ST_W = 1024 * ST_PARTS;

  logic [IN_W-1:0] in_v;
  logic [OUT_W-1:0] out_v;
  logic [ST_W-1:0] st_v;
  assign in_v = IN_W'({ol_stop_i, ol_valid_i, prop_root_i, prop_hops_i, prop_line_i, prop_vl_i, prop_valid_i, rd_slow_i,
      rd_en_i, held_line_i, held_i, grant_i, link_up_i, fctbs_i, fctbs_vl_i, fctbs_valid_i, rx_data_i,
      rx_bad_i, rx_last_i, rx_first_i, rx_valid_i, lft_port_i, lft_addr_i, lft_we_i, cfg_data_i,
      cfg_addr_i, cfg_re_i, cfg_we_i});
  assign {cfg_rdata_o, cfg_rvalid_o, err_o, msg_dlist_o, msg_dcnt_o, msg_stop_o, msg_hops_o, msg_root_o,
      msg_vl_o, msg_line_o, msg_type_o, msg_valid_o, fccl_o, fc_vl_o, fc_valid_o, pend_o, room_o, known_o,
      can_alloc_o, full_evt_o, enter_o, fill_o, cong_o, xb_data_o, xb_mark_o, xb_bad_o, xb_last_o,
      xb_first_o, xb_valid_o, xb_slow_o, xb_end_o, xb_act_o, req_nack_o, req_age_o, req_line_o,
      req_bound_o, req_unlinked_o, req_hot_o, req_cnp_o, req_dlid_o, req_len_o, req_valid_o, ready_o} = out_v[OUT_BITS-1:0];
  assign {st_cnt_noline_o, st_cnt_nohpq_o, st_cnt_drop_o, st_lfsr_o, st_cnt_spec_drop_o, st_disc_r_o,
      st_disc_act_o, st_spec_waited_o, st_spec_age_o, st_spec_nack_o, st_now_o, st_bypass_o, st_pin_o,
      st_pinned_o, st_aged_o, st_ncnt_o, st_armed_o, st_full_o, st_waiting_o, st_slow_o, st_nfq_wait_o,
      st_line_cong_o, st_hpq_went_o, st_cpq_went_o, st_hpq_tie_o, st_hpq_tied_o, st_cpq_tie_o,
      st_cpq_tied_o, st_line_own_o, st_line_dlist_o, st_line_dcnt_o, st_line_timer_o, st_line_dirty_o,
      st_line_reached_o, st_line_stop_req_o, st_line_sent_stop_o, st_line_ann_o, st_line_linked_o,
      st_line_next_o, st_line_root_o, st_line_hops_o, st_line_queue_o, st_line_vl_o, st_line_out_o,
      st_line_state_o, st_hpq_fill_o, st_hpq_pkts_o, st_cpq_fill_o, st_cpq_pkts_o, st_abr_o, st_used_o,
      st_rx_count_o, st_rx_state_o, st_up_o} = st_v[ST_BITS-1:0];

  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new("input-port", $sformatf(
        "PORTS=%0d VLS=%0d MTU=%0d BLOCKS=%0d HPQS=%0d LINES=%0d DLIST=%0d LFT_DEPTH=%0d FLIT_BYTES=%0d TIMER_W=%0d ONE_QUEUE=%0d ISOLATION=%0d VL_BY_DEST=%0d MARKERS=%0d STAMP_W=%0d CIOQ=%0d CTL_VL=%0d SRP=%0d DATA_BLOCKS=%0d SPEC_BLOCKS=%0d CTL_BLOCKS=%0d RANDOM_UP=%0d PARITY=%0d",
        PORTS, VLS, MTU, BLOCKS, HPQS, LINES, DLIST, LFT_DEPTH, FLIT_BYTES, TIMER_W, ONE_QUEUE, ISOLATION, VL_BY_DEST, MARKERS, STAMP_W, CIOQ, CTL_VL, SRP, DATA_BLOCKS, SPEC_BLOCKS, CTL_BLOCKS, RANDOM_UP, PARITY));
    if (unit == 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_we_i", $bits(cfg_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_re_i", $bits(cfg_re_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_addr_i", $bits(cfg_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_data_i", $bits(cfg_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lft_we_i", $bits(lft_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lft_addr_i", $bits(lft_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lft_port_i", $bits(lft_port_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_valid_i", $bits(rx_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_first_i", $bits(rx_first_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_last_i", $bits(rx_last_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_bad_i", $bits(rx_bad_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_data_i", $bits(rx_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fctbs_valid_i", $bits(fctbs_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fctbs_vl_i", $bits(fctbs_vl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fctbs_i", $bits(fctbs_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "link_up_i", $bits(link_up_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "grant_i", $bits(grant_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "held_i", $bits(held_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "held_line_i", $bits(held_line_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rd_en_i", $bits(rd_en_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rd_slow_i", $bits(rd_slow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_valid_i", $bits(prop_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_vl_i", $bits(prop_vl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_line_i", $bits(prop_line_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_hops_i", $bits(prop_hops_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "prop_root_i", $bits(prop_root_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ol_valid_i", $bits(ol_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ol_stop_i", $bits(ol_stop_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ready_o", $bits(ready_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_valid_o", $bits(req_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_len_o", $bits(req_len_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_dlid_o", $bits(req_dlid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_cnp_o", $bits(req_cnp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_hot_o", $bits(req_hot_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_unlinked_o", $bits(req_unlinked_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_bound_o", $bits(req_bound_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_line_o", $bits(req_line_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_age_o", $bits(req_age_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_nack_o", $bits(req_nack_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_act_o", $bits(xb_act_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_end_o", $bits(xb_end_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_slow_o", $bits(xb_slow_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_valid_o", $bits(xb_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_first_o", $bits(xb_first_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_last_o", $bits(xb_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_bad_o", $bits(xb_bad_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_mark_o", $bits(xb_mark_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "xb_data_o", $bits(xb_data_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cong_o", $bits(cong_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fill_o", $bits(fill_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "enter_o", $bits(enter_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "full_evt_o", $bits(full_evt_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "can_alloc_o", $bits(can_alloc_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "known_o", $bits(known_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "room_o", $bits(room_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "pend_o", $bits(pend_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fc_valid_o", $bits(fc_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fc_vl_o", $bits(fc_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "fccl_o", $bits(fccl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_valid_o", $bits(msg_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_type_o", $bits(msg_type_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_line_o", $bits(msg_line_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_vl_o", $bits(msg_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_root_o", $bits(msg_root_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_hops_o", $bits(msg_hops_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_stop_o", $bits(msg_stop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_dcnt_o", $bits(msg_dcnt_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "msg_dlist_o", $bits(msg_dlist_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_o", $bits(err_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rvalid_o", $bits(cfg_rvalid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rdata_o", $bits(cfg_rdata_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_up_o", $bits(st_up_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rx_state_o", $bits(st_rx_state_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rx_count_o", $bits(st_rx_count_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_used_o", $bits(st_used_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_abr_o", $bits(st_abr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cpq_pkts_o", $bits(st_cpq_pkts_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cpq_fill_o", $bits(st_cpq_fill_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_hpq_pkts_o", $bits(st_hpq_pkts_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_hpq_fill_o", $bits(st_hpq_fill_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_state_o", $bits(st_line_state_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_out_o", $bits(st_line_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_vl_o", $bits(st_line_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_queue_o", $bits(st_line_queue_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_hops_o", $bits(st_line_hops_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_root_o", $bits(st_line_root_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_next_o", $bits(st_line_next_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_linked_o", $bits(st_line_linked_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_ann_o", $bits(st_line_ann_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_sent_stop_o", $bits(st_line_sent_stop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_stop_req_o", $bits(st_line_stop_req_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_reached_o", $bits(st_line_reached_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_dirty_o", $bits(st_line_dirty_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_timer_o", $bits(st_line_timer_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_dcnt_o", $bits(st_line_dcnt_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_dlist_o", $bits(st_line_dlist_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_own_o", $bits(st_line_own_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cpq_tied_o", $bits(st_cpq_tied_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cpq_tie_o", $bits(st_cpq_tie_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_hpq_tied_o", $bits(st_hpq_tied_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_hpq_tie_o", $bits(st_hpq_tie_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cpq_went_o", $bits(st_cpq_went_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_hpq_went_o", $bits(st_hpq_went_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_cong_o", $bits(st_line_cong_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_nfq_wait_o", $bits(st_nfq_wait_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_slow_o", $bits(st_slow_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_waiting_o", $bits(st_waiting_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_full_o", $bits(st_full_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_armed_o", $bits(st_armed_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ncnt_o", $bits(st_ncnt_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_aged_o", $bits(st_aged_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_pinned_o", $bits(st_pinned_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_pin_o", $bits(st_pin_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_bypass_o", $bits(st_bypass_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_now_o", $bits(st_now_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_spec_nack_o", $bits(st_spec_nack_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_spec_age_o", $bits(st_spec_age_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_spec_waited_o", $bits(st_spec_waited_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_disc_act_o", $bits(st_disc_act_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_disc_r_o", $bits(st_disc_r_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_spec_drop_o", $bits(st_cnt_spec_drop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lfsr_o", $bits(st_lfsr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_drop_o", $bits(st_cnt_drop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_nohpq_o", $bits(st_cnt_nohpq_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_noline_o", $bits(st_cnt_noline_o)));
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
