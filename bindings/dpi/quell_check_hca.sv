// Compares a design that stands for hca with the golden model in every cycle after reset, by DPI from libquell_model
// (docs/bindings.md). All ports of the unit are inputs here. A difference is an $error with the report that `quell cosim` prints;
// differs_o stays 1 after the first. x and z in an output differ from any value, and count as 0 in an input.
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_check_hca #(
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int BLOCKS = 2048,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int LFT_DEPTH = 1024,
    parameter int FLIT_BYTES = 64,
    parameter int TIMER_W = 32,
    parameter int ISOLATION = 1,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int CCT = 128,
    parameter int TS_W = 24,
    parameter int ADVOQ = 8,
    parameter int RX_BLOCKS = 256,
    parameter int CNPQ = 16,
    parameter int CNT_W = 32,
    parameter int RESPONSE = 0,
    parameter int CTL_VL = 0,
    parameter int SRP = 0,
    parameter int CTL_BLOCKS = 64,
    parameter int NMAX = 16,
    parameter int MSGQ = 8,
    parameter int REPQ = 16,
    parameter int NOW_W = 32,
    parameter int DEDUP = 0,
    parameter int PARITY = 0,
    parameter int STATE = 0,  // 1: architectural state (st_*) is compared, too
    parameter int REPORTS = 1,  // differing cycles that are reported
    parameter string NOT_COMPARED = "",  // names of outputs and state that the design does not have, separated by blanks
    localparam int DW = 8 * FLIT_BYTES,
    localparam int CTL = 8 * (16 + 2 * DLIST)
) (
    input  wire logic clk_i,
    input  wire logic rst_i,
    input  wire logic cfg_we_i,
    input  wire logic cfg_re_i,
    input  wire logic [7:0] cfg_unit_i,
    input  wire logic [7:0] cfg_addr_i,
    input  wire logic [31:0] cfg_data_i,
    input  wire logic lft_we_i,
    input  wire logic [15:0] lft_addr_i,
    input  wire logic [7:0] lft_port_i,
    input  wire logic cct_we_i,
    input  wire logic [15:0] cct_addr_i,
    input  wire logic [15:0] cct_data_i,
    input  wire logic wt_we_i,
    input  wire logic [15:0] wt_addr_i,
    input  wire logic [31:0] wt_data_i,
    input  wire logic attr_we_i,
    input  wire logic [15:0] attr_flow_i,
    input  wire logic [3:0] attr_sl_i,
    input  wire logic gen_valid_i,
    input  wire logic [15:0] gen_flow_i,
    input  wire logic [6:0] gen_len_i,
    input  wire logic [23:0] gen_psn_i,
    input  wire logic [15:0] gen_pkts_i,
    input  wire logic dma_ready_i,
    input  wire logic [DW-1:0] dma_data_i,
    input  wire logic host_ready_i,
    input  wire logic rx_valid_i,
    input  wire logic rx_first_i,
    input  wire logic rx_last_i,
    input  wire logic rx_bad_i,
    input  wire logic [DW-1:0] rx_data_i,
    input  wire logic [CTL-1:0] rx_ctl_i,
    input  wire logic link_up_i,
    input  wire logic ready_o,
    input  wire logic [FLOWS-1:0] gen_full_o,
    input  wire logic dma_valid_o,
    input  wire logic [15:0] dma_flow_o,
    input  wire logic [23:0] dma_psn_o,
    input  wire logic [6:0] dma_index_o,
    input  wire logic host_valid_o,
    input  wire logic host_first_o,
    input  wire logic host_last_o,
    input  wire logic host_bad_o,
    input  wire logic [DW-1:0] host_data_o,
    input  wire logic tx_valid_o,
    input  wire logic tx_first_o,
    input  wire logic tx_last_o,
    input  wire logic tx_bad_o,
    input  wire logic [DW-1:0] tx_data_o,
    input  wire logic [CTL-1:0] tx_ctl_o,
    input  wire logic [15:0] err_o,
    input  wire logic [15:0] err_in_o,
    input  wire logic [15:0] err_out_o,
    input  wire logic [15:0] err_thr_o,
    input  wire logic cfg_rvalid_o,
    input  wire logic [31:0] cfg_rdata_o,
    input  wire logic [31:0] st_gen_pkts_o,
    input  wire logic [7:0] st_win_o,
    input  wire logic st_sending_o,
    input  wire logic [12*VLS-1:0] st_inj_txr_o,
    input  wire logic [16*VLS-1:0] st_used_o,
    input  wire logic [16*VLS-1:0] st_cpq_fill_o,
    input  wire logic [16*HPQS-1:0] st_hpq_fill_o,
    input  wire logic [2*LINES-1:0] st_line_state_o,
    input  wire logic [12*VLS-1:0] st_txr_o,
    input  wire logic [LINES-1:0] st_ol_valid_o,
    input  wire logic [LINES-1:0] st_ol_stop_o,
    input  wire logic [15:0] st_cnp_pkts_o,
    input  wire logic [VLS-1:0] st_owed_o,
    input  wire logic [FLOWS-1:0] st_seen_o,
    input  wire logic [FLOWS-1:0] st_out_o,
    input  wire logic [16*VLS-1:0] st_rx_used_o,
    input  wire logic [12*VLS-1:0] st_rx_abr_o,
    input  wire logic [CNT_W-1:0] st_cnt_cnp_o,
    input  wire logic [15:0] st_cnt_cnp_lost_o,
    input  wire logic [CNT_W-1:0] st_cnt_becn_o,
    input  wire logic [CNT_W-1:0] st_cnt_rcv_o,
    input  wire logic [CNT_W-1:0] st_cnt_ack_o,
    input  wire logic [15:0] st_cnt_ack_lost_o,
    input  wire logic [CNT_W-1:0] st_cnt_ack_in_o,
    input  wire logic st_ungranted_o,
    input  wire logic [NOW_W-1:0] st_t_o,
    input  wire logic st_tv_o,
    input  wire logic [15:0] st_res_pkts_o,
    input  wire logic [15:0] st_rep_pkts_o,
    input  wire logic [FLOWS-1:0] st_rs_o,
    input  wire logic [FLOWS-1:0] st_sp_o,
    input  wire logic [FLOWS-1:0] st_go_o,
    input  wire logic [FLOWS-1:0] st_wt_o,
    input  wire logic [FLOWS-1:0] st_pq_o,
    output logic differs_o
);
  localparam int IN_BITS = $bits(cfg_we_i) + $bits(cfg_re_i) + $bits(cfg_unit_i) + $bits(cfg_addr_i) + $bits(cfg_data_i) +
      $bits(lft_we_i) + $bits(lft_addr_i) + $bits(lft_port_i) + $bits(cct_we_i) + $bits(cct_addr_i) +
      $bits(cct_data_i) + $bits(wt_we_i) + $bits(wt_addr_i) + $bits(wt_data_i) + $bits(attr_we_i) +
      $bits(attr_flow_i) + $bits(attr_sl_i) + $bits(gen_valid_i) + $bits(gen_flow_i) + $bits(gen_len_i) +
      $bits(gen_psn_i) + $bits(gen_pkts_i) + $bits(dma_ready_i) + $bits(dma_data_i) + $bits(host_ready_i) +
      $bits(rx_valid_i) + $bits(rx_first_i) + $bits(rx_last_i) + $bits(rx_bad_i) + $bits(rx_data_i) +
      $bits(rx_ctl_i) + $bits(link_up_i);
  localparam int IN_PARTS = (IN_BITS + 1023) / 1024;
  localparam int IN_W = 1024 * IN_PARTS;
  localparam int OUT_BITS = $bits(ready_o) + $bits(gen_full_o) + $bits(dma_valid_o) + $bits(dma_flow_o) + $bits(dma_psn_o) +
      $bits(dma_index_o) + $bits(host_valid_o) + $bits(host_first_o) + $bits(host_last_o) +
      $bits(host_bad_o) + $bits(host_data_o) + $bits(tx_valid_o) + $bits(tx_first_o) + $bits(tx_last_o) +
      $bits(tx_bad_o) + $bits(tx_data_o) + $bits(tx_ctl_o) + $bits(err_o) + $bits(err_in_o) +
      $bits(err_out_o) + $bits(err_thr_o) + $bits(cfg_rvalid_o) + $bits(cfg_rdata_o);
  localparam int OUT_PARTS = (OUT_BITS + 1023) / 1024;
  localparam int OUT_W = 1024 * OUT_PARTS;
  localparam int ST_BITS = $bits(st_gen_pkts_o) + $bits(st_win_o) + $bits(st_sending_o) + $bits(st_inj_txr_o) +
      $bits(st_used_o) + $bits(st_cpq_fill_o) + $bits(st_hpq_fill_o) + $bits(st_line_state_o) +
      $bits(st_txr_o) + $bits(st_ol_valid_o) + $bits(st_ol_stop_o) + $bits(st_cnp_pkts_o) +
      $bits(st_owed_o) + $bits(st_seen_o) + $bits(st_out_o) + $bits(st_rx_used_o) + $bits(st_rx_abr_o) +
      $bits(st_cnt_cnp_o) + $bits(st_cnt_cnp_lost_o) + $bits(st_cnt_becn_o) + $bits(st_cnt_rcv_o) +
      $bits(st_cnt_ack_o) + $bits(st_cnt_ack_lost_o) + $bits(st_cnt_ack_in_o) + $bits(st_ungranted_o) +
      $bits(st_t_o) + $bits(st_tv_o) + $bits(st_res_pkts_o) + $bits(st_rep_pkts_o) + $bits(st_rs_o) +
      $bits(st_sp_o) + $bits(st_go_o) + $bits(st_wt_o) + $bits(st_pq_o);
  localparam int ST_PARTS = (ST_BITS + 1023) / 1024;
  localparam int ST_W = 1024 * ST_PARTS;

  logic [IN_W-1:0] in_v;
  logic [OUT_W-1:0] out_v;
  logic [ST_W-1:0] st_v;
  assign in_v = IN_W'({link_up_i, rx_ctl_i, rx_data_i, rx_bad_i, rx_last_i, rx_first_i, rx_valid_i, host_ready_i,
      dma_data_i, dma_ready_i, gen_pkts_i, gen_psn_i, gen_len_i, gen_flow_i, gen_valid_i, attr_sl_i,
      attr_flow_i, attr_we_i, wt_data_i, wt_addr_i, wt_we_i, cct_data_i, cct_addr_i, cct_we_i, lft_port_i,
      lft_addr_i, lft_we_i, cfg_data_i, cfg_addr_i, cfg_unit_i, cfg_re_i, cfg_we_i});
  assign out_v = OUT_W'({cfg_rdata_o, cfg_rvalid_o, err_thr_o, err_out_o, err_in_o, err_o, tx_ctl_o, tx_data_o, tx_bad_o,
      tx_last_o, tx_first_o, tx_valid_o, host_data_o, host_bad_o, host_last_o, host_first_o, host_valid_o,
      dma_index_o, dma_psn_o, dma_flow_o, dma_valid_o, gen_full_o, ready_o});
  assign st_v = ST_W'({st_pq_o, st_wt_o, st_go_o, st_sp_o, st_rs_o, st_rep_pkts_o, st_res_pkts_o, st_tv_o, st_t_o,
      st_ungranted_o, st_cnt_ack_in_o, st_cnt_ack_lost_o, st_cnt_ack_o, st_cnt_rcv_o, st_cnt_becn_o,
      st_cnt_cnp_lost_o, st_cnt_cnp_o, st_rx_abr_o, st_rx_used_o, st_out_o, st_seen_o, st_owed_o,
      st_cnp_pkts_o, st_ol_stop_o, st_ol_valid_o, st_txr_o, st_line_state_o, st_hpq_fill_o, st_cpq_fill_o,
      st_used_o, st_inj_txr_o, st_sending_o, st_win_o, st_gen_pkts_o});

  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new("hca", $sformatf(
        "VLS=%0d MTU=%0d BLOCKS=%0d HPQS=%0d LINES=%0d DLIST=%0d LFT_DEPTH=%0d FLIT_BYTES=%0d TIMER_W=%0d ISOLATION=%0d VL_BY_DEST=%0d FLOWS=%0d CCT=%0d TS_W=%0d ADVOQ=%0d RX_BLOCKS=%0d CNPQ=%0d CNT_W=%0d RESPONSE=%0d CTL_VL=%0d SRP=%0d CTL_BLOCKS=%0d NMAX=%0d MSGQ=%0d REPQ=%0d NOW_W=%0d DEDUP=%0d PARITY=%0d",
        VLS, MTU, BLOCKS, HPQS, LINES, DLIST, LFT_DEPTH, FLIT_BYTES, TIMER_W, ISOLATION, VL_BY_DEST, FLOWS, CCT, TS_W, ADVOQ, RX_BLOCKS, CNPQ, CNT_W, RESPONSE, CTL_VL, SRP, CTL_BLOCKS, NMAX, MSGQ, REPQ, NOW_W, DEDUP, PARITY));
    if (unit == 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_we_i", $bits(cfg_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_re_i", $bits(cfg_re_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_unit_i", $bits(cfg_unit_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_addr_i", $bits(cfg_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_data_i", $bits(cfg_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lft_we_i", $bits(lft_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lft_addr_i", $bits(lft_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lft_port_i", $bits(lft_port_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cct_we_i", $bits(cct_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cct_addr_i", $bits(cct_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cct_data_i", $bits(cct_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "wt_we_i", $bits(wt_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "wt_addr_i", $bits(wt_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "wt_data_i", $bits(wt_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "attr_we_i", $bits(attr_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "attr_flow_i", $bits(attr_flow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "attr_sl_i", $bits(attr_sl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "gen_valid_i", $bits(gen_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "gen_flow_i", $bits(gen_flow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "gen_len_i", $bits(gen_len_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "gen_psn_i", $bits(gen_psn_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "gen_pkts_i", $bits(gen_pkts_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_ready_i", $bits(dma_ready_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_data_i", $bits(dma_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "host_ready_i", $bits(host_ready_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_valid_i", $bits(rx_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_first_i", $bits(rx_first_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_last_i", $bits(rx_last_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_bad_i", $bits(rx_bad_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_data_i", $bits(rx_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_ctl_i", $bits(rx_ctl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "link_up_i", $bits(link_up_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ready_o", $bits(ready_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "gen_full_o", $bits(gen_full_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_valid_o", $bits(dma_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_flow_o", $bits(dma_flow_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_psn_o", $bits(dma_psn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dma_index_o", $bits(dma_index_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "host_valid_o", $bits(host_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "host_first_o", $bits(host_first_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "host_last_o", $bits(host_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "host_bad_o", $bits(host_bad_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "host_data_o", $bits(host_data_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_valid_o", $bits(tx_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_first_o", $bits(tx_first_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_last_o", $bits(tx_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_bad_o", $bits(tx_bad_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_data_o", $bits(tx_data_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_ctl_o", $bits(tx_ctl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_o", $bits(err_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_in_o", $bits(err_in_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_out_o", $bits(err_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_thr_o", $bits(err_thr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rvalid_o", $bits(cfg_rvalid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rdata_o", $bits(cfg_rdata_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_gen_pkts_o", $bits(st_gen_pkts_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_win_o", $bits(st_win_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sending_o", $bits(st_sending_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_inj_txr_o", $bits(st_inj_txr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_used_o", $bits(st_used_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cpq_fill_o", $bits(st_cpq_fill_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_hpq_fill_o", $bits(st_hpq_fill_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_state_o", $bits(st_line_state_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_txr_o", $bits(st_txr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_valid_o", $bits(st_ol_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_stop_o", $bits(st_ol_stop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnp_pkts_o", $bits(st_cnp_pkts_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_owed_o", $bits(st_owed_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_seen_o", $bits(st_seen_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_out_o", $bits(st_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rx_used_o", $bits(st_rx_used_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rx_abr_o", $bits(st_rx_abr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_cnp_o", $bits(st_cnt_cnp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_cnp_lost_o", $bits(st_cnt_cnp_lost_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_becn_o", $bits(st_cnt_becn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_rcv_o", $bits(st_cnt_rcv_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_ack_o", $bits(st_cnt_ack_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_ack_lost_o", $bits(st_cnt_ack_lost_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_ack_in_o", $bits(st_cnt_ack_in_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ungranted_o", $bits(st_ungranted_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_t_o", $bits(st_t_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tv_o", $bits(st_tv_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_res_pkts_o", $bits(st_res_pkts_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rep_pkts_o", $bits(st_rep_pkts_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rs_o", $bits(st_rs_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sp_o", $bits(st_sp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_go_o", $bits(st_go_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_wt_o", $bits(st_wt_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_pq_o", $bits(st_pq_o)));
  end

  bit running = 0;  // since the first reset
  int reports = 0;
  int differing;
  initial differs_o = 0;
  always @(posedge clk_i) if (unit != 0) begin
    if (rst_i) begin
      must(quell_dpi_pkg::quell_dpi_reset(unit));
      running = 1;
    end else if (running) begin
      for (int k = 0; k < IN_PARTS; k++) must(quell_dpi_pkg::quell_dpi_put(unit, 0, k, in_v[1024*k+:1024]));
      for (int k = 0; k < OUT_PARTS; k++) must(quell_dpi_pkg::quell_dpi_put(unit, 1, k, out_v[1024*k+:1024]));
      if (STATE != 0) for (int k = 0; k < ST_PARTS; k++) must(quell_dpi_pkg::quell_dpi_put(unit, 2, k, st_v[1024*k+:1024]));
      if (NOT_COMPARED != "") must(quell_dpi_pkg::quell_dpi_forget(unit, NOT_COMPARED));
      differing = quell_dpi_pkg::quell_dpi_check(unit, STATE);
      must(differing);
      if (differing > 0) begin
        reports++;
        differs_o <= 1;
        if (reports <= REPORTS) $error("%m:\n%s", quell_dpi_pkg::quell_dpi_report(unit));
      end
      must(quell_dpi_pkg::quell_dpi_step(unit));
    end
  end

  final if (unit != 0) must(quell_dpi_pkg::quell_dpi_free(unit));
endmodule

`default_nettype wire
