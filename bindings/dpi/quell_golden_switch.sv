// Golden model of switch with the unit's own ports and parameters, by DPI from libquell_model (docs/bindings.md).
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_golden_switch #(
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
    output logic ready_o,
    output logic [PORTS-1:0] tx_valid_o,
    output logic [PORTS-1:0] tx_first_o,
    output logic [PORTS-1:0] tx_last_o,
    output logic [PORTS-1:0] tx_bad_o,
    output logic [PORTS*FLIT_W-1:0] tx_data_o,
    output logic [PORTS*CTL-1:0] tx_ctl_o,
    output logic [PORTS*16-1:0] err_in_o,
    output logic [PORTS*16-1:0] err_out_o,
    output logic cfg_rvalid_o,
    output logic [31:0] cfg_rdata_o,
    output logic [PORTS*VLS*16-1:0] st_used_o,
    output logic [PORTS*PV*16-1:0] st_cpq_fill_o,
    output logic [PORTS*HPQS*16-1:0] st_hpq_fill_o,
    output logic [PORTS*LINES*2-1:0] st_line_state_o,
    output logic [PORTS*LINES*8-1:0] st_line_dcnt_o,
    output logic [PORTS*VLS*12-1:0] st_txr_o,
    output logic [PORTS*VLS-1:0] st_cong_state_o,
    output logic [PORTS*VLS*18-1:0] st_cnt1_o,
    output logic [PORTS*VLS*18-1:0] st_cnt2_o,
    output logic [PORTS*VLS*16-1:0] st_ofill_o,
    output logic [PORTS*LINES-1:0] st_ol_valid_o,
    output logic [PORTS*LINES-1:0] st_ol_stop_o,
    output logic [PORTS*16-1:0] st_accept_o,
    output logic [PORTS*PORTS-1:0] st_lost_o,
    output logic [PORTS*PORTS-1:0] st_claim_o,
    output logic [PORTS*PORTS*PORTS-1:0] st_claim_ahead_o,
    output logic [PORTS-1:0] st_spec_nack_o,
    output logic [PORTS*32-1:0] st_cnt_spec_drop_o,
    output logic [PORTS*16-1:0] st_cnt_nohpq_o,
    output logic [PORTS*16-1:0] st_cnt_noline_o,
    output logic [PORTS*CNT_W-1:0] st_cnt_marked_o,
    output logic [PORTS*CNT_W-1:0] st_cnt_sent_o
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
  assign {cfg_rdata_o, cfg_rvalid_o, err_out_o, err_in_o, tx_ctl_o, tx_data_o, tx_bad_o, tx_last_o, tx_first_o,
      tx_valid_o, ready_o} = out_v[OUT_BITS-1:0];
  assign {st_cnt_sent_o, st_cnt_marked_o, st_cnt_noline_o, st_cnt_nohpq_o, st_cnt_spec_drop_o, st_spec_nack_o,
      st_claim_ahead_o, st_claim_o, st_lost_o, st_accept_o, st_ol_stop_o, st_ol_valid_o, st_ofill_o,
      st_cnt2_o, st_cnt1_o, st_cong_state_o, st_txr_o, st_line_dcnt_o, st_line_state_o, st_hpq_fill_o,
      st_cpq_fill_o, st_used_o} = st_v[ST_BITS-1:0];

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
