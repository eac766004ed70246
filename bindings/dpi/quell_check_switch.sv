// Compares a design that stands for switch with the golden model in every cycle after reset, by DPI from libquell_model
// (docs/bindings.md). All ports of the unit are inputs here. A difference is an $error with the report that `quell cosim` prints;
// differs_o stays 1 after the first. x and z in an output differ from any value, and count as 0 in an input.
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_check_switch #(
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
    parameter int ITERATIONS = 1,
    parameter int CNT_W = 32,
    parameter int MARKERS = 0,
    parameter int STAMP_W = 0,
    parameter int CIOQ = 0,
    parameter int OBLOCKS = 2048,
    parameter int CTL_VL = 0,
    parameter int SRP = 0,
    parameter int DATA_BLOCKS = 512,
    parameter int SPEC_BLOCKS = 512,
    parameter int CTL_BLOCKS = 64,
    parameter int RANDOM_UP = 0,
    parameter int PARITY = 0,
    parameter int STATE = 0,  // 1: architectural state (st_*) is compared, too
    parameter int REPORTS = 1,  // differing cycles that are reported
    parameter string NOT_COMPARED = "",  // names of outputs and state that the design does not have, separated by blanks
    localparam int PV = PORTS * VLS,
    localparam int FLIT_W = 8 * FLIT_BYTES,
    localparam int CTL = 8 * (16 + 2 * DLIST)
) (
    input  wire logic clk_i,
    input  wire logic rst_i,
    input  wire logic cfg_we_i,
    input  wire logic cfg_re_i,
    input  wire logic [7:0] cfg_unit_i,
    input  wire logic [7:0] cfg_port_i,
    input  wire logic [7:0] cfg_addr_i,
    input  wire logic [31:0] cfg_data_i,
    input  wire logic lft_we_i,
    input  wire logic [15:0] lft_addr_i,
    input  wire logic [7:0] lft_port_i,
    input  wire logic [PORTS-1:0] rx_valid_i,
    input  wire logic [PORTS-1:0] rx_first_i,
    input  wire logic [PORTS-1:0] rx_last_i,
    input  wire logic [PORTS-1:0] rx_bad_i,
    input  wire logic [PORTS*FLIT_W-1:0] rx_data_i,
    input  wire logic [PORTS*CTL-1:0] rx_ctl_i,
    input  wire logic [PORTS-1:0] link_up_i,
    input  wire logic ready_o,
    input  wire logic [PORTS-1:0] tx_valid_o,
    input  wire logic [PORTS-1:0] tx_first_o,
    input  wire logic [PORTS-1:0] tx_last_o,
    input  wire logic [PORTS-1:0] tx_bad_o,
    input  wire logic [PORTS*FLIT_W-1:0] tx_data_o,
    input  wire logic [PORTS*CTL-1:0] tx_ctl_o,
    input  wire logic [PORTS*16-1:0] err_in_o,
    input  wire logic [PORTS*16-1:0] err_out_o,
    input  wire logic cfg_rvalid_o,
    input  wire logic [31:0] cfg_rdata_o,
    input  wire logic [PORTS*VLS*16-1:0] st_used_o,
    input  wire logic [PORTS*PV*16-1:0] st_cpq_fill_o,
    input  wire logic [PORTS*HPQS*16-1:0] st_hpq_fill_o,
    input  wire logic [PORTS*LINES*2-1:0] st_line_state_o,
    input  wire logic [PORTS*LINES*8-1:0] st_line_dcnt_o,
    input  wire logic [PORTS*VLS*12-1:0] st_txr_o,
    input  wire logic [PORTS*VLS-1:0] st_cong_state_o,
    input  wire logic [PORTS*VLS*18-1:0] st_cnt1_o,
    input  wire logic [PORTS*VLS*18-1:0] st_cnt2_o,
    input  wire logic [PORTS*VLS*16-1:0] st_ofill_o,
    input  wire logic [PORTS*LINES-1:0] st_ol_valid_o,
    input  wire logic [PORTS*LINES-1:0] st_ol_stop_o,
    input  wire logic [PORTS*16-1:0] st_accept_o,
    input  wire logic [PORTS*PORTS-1:0] st_lost_o,
    input  wire logic [PORTS*PORTS-1:0] st_claim_o,
    input  wire logic [PORTS*PORTS*PORTS-1:0] st_claim_ahead_o,
    input  wire logic [PORTS-1:0] st_spec_nack_o,
    input  wire logic [PORTS*32-1:0] st_cnt_spec_drop_o,
    input  wire logic [PORTS*16-1:0] st_cnt_nohpq_o,
    input  wire logic [PORTS*16-1:0] st_cnt_noline_o,
    input  wire logic [PORTS*CNT_W-1:0] st_cnt_marked_o,
    input  wire logic [PORTS*CNT_W-1:0] st_cnt_sent_o,
    output logic differs_o
);
  localparam int IN_BITS = $bits(cfg_we_i) + $bits(cfg_re_i) + $bits(cfg_unit_i) + $bits(cfg_port_i) + $bits(cfg_addr_i) +
      $bits(cfg_data_i) + $bits(lft_we_i) + $bits(lft_addr_i) + $bits(lft_port_i) + $bits(rx_valid_i) +
      $bits(rx_first_i) + $bits(rx_last_i) + $bits(rx_bad_i) + $bits(rx_data_i) + $bits(rx_ctl_i) +
      $bits(link_up_i);
  localparam int IN_PARTS = (IN_BITS + 1023) / 1024;
  localparam int IN_W = 1024 * IN_PARTS;
  localparam int OUT_BITS = $bits(ready_o) + $bits(tx_valid_o) + $bits(tx_first_o) + $bits(tx_last_o) + $bits(tx_bad_o) +
      $bits(tx_data_o) + $bits(tx_ctl_o) + $bits(err_in_o) + $bits(err_out_o) + $bits(cfg_rvalid_o) +
      $bits(cfg_rdata_o);
  localparam int OUT_PARTS = (OUT_BITS + 1023) / 1024;
  localparam int OUT_W = 1024 * OUT_PARTS;
  localparam int ST_BITS = $bits(st_used_o) + $bits(st_cpq_fill_o) + $bits(st_hpq_fill_o) + $bits(st_line_state_o) +
      $bits(st_line_dcnt_o) + $bits(st_txr_o) + $bits(st_cong_state_o) + $bits(st_cnt1_o) +
      $bits(st_cnt2_o) + $bits(st_ofill_o) + $bits(st_ol_valid_o) + $bits(st_ol_stop_o) +
      $bits(st_accept_o) + $bits(st_lost_o) + $bits(st_claim_o) + $bits(st_claim_ahead_o) +
      $bits(st_spec_nack_o) + $bits(st_cnt_spec_drop_o) + $bits(st_cnt_nohpq_o) + $bits(st_cnt_noline_o) +
      $bits(st_cnt_marked_o) + $bits(st_cnt_sent_o);
  localparam int ST_PARTS = (ST_BITS + 1023) / 1024;
  localparam int ST_W = 1024 * ST_PARTS;

  logic [IN_W-1:0] in_v;
  logic [OUT_W-1:0] out_v;
  logic [ST_W-1:0] st_v;
  assign in_v = IN_W'({link_up_i, rx_ctl_i, rx_data_i, rx_bad_i, rx_last_i, rx_first_i, rx_valid_i, lft_port_i, lft_addr_i,
      lft_we_i, cfg_data_i, cfg_addr_i, cfg_port_i, cfg_unit_i, cfg_re_i, cfg_we_i});
  assign out_v = OUT_W'({cfg_rdata_o, cfg_rvalid_o, err_out_o, err_in_o, tx_ctl_o, tx_data_o, tx_bad_o, tx_last_o, tx_first_o,
      tx_valid_o, ready_o});
  assign st_v = ST_W'({st_cnt_sent_o, st_cnt_marked_o, st_cnt_noline_o, st_cnt_nohpq_o, st_cnt_spec_drop_o, st_spec_nack_o,
      st_claim_ahead_o, st_claim_o, st_lost_o, st_accept_o, st_ol_stop_o, st_ol_valid_o, st_ofill_o,
      st_cnt2_o, st_cnt1_o, st_cong_state_o, st_txr_o, st_line_dcnt_o, st_line_state_o, st_hpq_fill_o,
      st_cpq_fill_o, st_used_o});

  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new("switch", $sformatf(
        "PORTS=%0d VLS=%0d MTU=%0d BLOCKS=%0d HPQS=%0d LINES=%0d DLIST=%0d LFT_DEPTH=%0d FLIT_BYTES=%0d TIMER_W=%0d ONE_QUEUE=%0d ISOLATION=%0d VL_BY_DEST=%0d ITERATIONS=%0d CNT_W=%0d MARKERS=%0d STAMP_W=%0d CIOQ=%0d OBLOCKS=%0d CTL_VL=%0d SRP=%0d DATA_BLOCKS=%0d SPEC_BLOCKS=%0d CTL_BLOCKS=%0d RANDOM_UP=%0d PARITY=%0d",
        PORTS, VLS, MTU, BLOCKS, HPQS, LINES, DLIST, LFT_DEPTH, FLIT_BYTES, TIMER_W, ONE_QUEUE, ISOLATION, VL_BY_DEST, ITERATIONS, CNT_W, MARKERS, STAMP_W, CIOQ, OBLOCKS, CTL_VL, SRP, DATA_BLOCKS, SPEC_BLOCKS, CTL_BLOCKS, RANDOM_UP, PARITY));
    if (unit == 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_we_i", $bits(cfg_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_re_i", $bits(cfg_re_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_unit_i", $bits(cfg_unit_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_port_i", $bits(cfg_port_i)));
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
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_ctl_i", $bits(rx_ctl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "link_up_i", $bits(link_up_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ready_o", $bits(ready_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_valid_o", $bits(tx_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_first_o", $bits(tx_first_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_last_o", $bits(tx_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_bad_o", $bits(tx_bad_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_data_o", $bits(tx_data_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_ctl_o", $bits(tx_ctl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_in_o", $bits(err_in_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_out_o", $bits(err_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rvalid_o", $bits(cfg_rvalid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rdata_o", $bits(cfg_rdata_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_used_o", $bits(st_used_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cpq_fill_o", $bits(st_cpq_fill_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_hpq_fill_o", $bits(st_hpq_fill_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_state_o", $bits(st_line_state_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_line_dcnt_o", $bits(st_line_dcnt_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_txr_o", $bits(st_txr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cong_state_o", $bits(st_cong_state_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt1_o", $bits(st_cnt1_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt2_o", $bits(st_cnt2_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ofill_o", $bits(st_ofill_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_valid_o", $bits(st_ol_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ol_stop_o", $bits(st_ol_stop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_accept_o", $bits(st_accept_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lost_o", $bits(st_lost_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_claim_o", $bits(st_claim_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_claim_ahead_o", $bits(st_claim_ahead_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_spec_nack_o", $bits(st_spec_nack_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_spec_drop_o", $bits(st_cnt_spec_drop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_nohpq_o", $bits(st_cnt_nohpq_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_noline_o", $bits(st_cnt_noline_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_marked_o", $bits(st_cnt_marked_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_sent_o", $bits(st_cnt_sent_o)));
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
