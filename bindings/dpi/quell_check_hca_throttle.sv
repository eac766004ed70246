// Compares a design that stands for hca_throttle with the golden model in every cycle after reset, by DPI from libquell_model
// (docs/bindings.md). All ports of the unit are inputs here. A difference is an $error with the report that `quell cosim` prints;
// differs_o stays 1 after the first. x and z in an output differ from any value, and count as 0 in an input.
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_check_hca_throttle #(
    parameter int VLS = 1,
    parameter int VL_BY_DEST = 0,
    parameter int FLOWS = 64,
    parameter int CCT = 128,
    parameter int TS_W = 24,
    parameter int PARITY = 0,
    parameter int STATE = 0,  // 1: architectural state (st_*) is compared, too
    parameter int REPORTS = 1,  // differing cycles that are reported
    parameter string NOT_COMPARED = "",  // names of outputs and state that the design does not have, separated by blanks
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,
    localparam int NV = (VL_BY_DEST != 0 || VLS < 16) ? VLS : 16,
    localparam int NC = (VL_BY_DEST != 0) ? VLS : 16
) (
    input  wire logic clk_i,
    input  wire logic rst_i,
    input  wire logic cfg_we_i,
    input  wire logic cfg_re_i,
    input  wire logic [7:0] cfg_addr_i,
    input  wire logic [31:0] cfg_data_i,
    input  wire logic cct_we_i,
    input  wire logic [15:0] cct_addr_i,
    input  wire logic [15:0] cct_data_i,
    input  wire logic attr_we_i,
    input  wire logic [15:0] attr_flow_i,
    input  wire logic [3:0] attr_sl_i,
    input  wire logic becn_valid_i,
    input  wire logic [15:0] becn_flow_i,
    input  wire logic [FLOWS-1:0] req_i,
    input  wire logic [FLOWS-1:0] stop_i,
    input  wire logic [15:0] sl_ok_i,
    input  wire logic inj_ready_i,
    input  wire logic [6:0] inj_len_i,
    input  wire logic sent_i,
    input  wire logic ready_o,
    input  wire logic inj_valid_o,
    input  wire logic [15:0] inj_flow_o,
    input  wire logic [3:0] inj_sl_o,
    input  wire logic [FLOWS-1:0] blocked_o,
    input  wire logic [15:0] err_o,
    input  wire logic cfg_rvalid_o,
    input  wire logic [31:0] cfg_rdata_o,
    input  wire logic [TS_W-1:0] st_now_o,
    input  wire logic [17:0] st_tick_o,
    input  wire logic [15:0] st_vp_o,
    input  wire logic [FLOWS-1:0] st_went_o,
    input  wire logic [16*NV-1:0] st_sp_o,
    input  wire logic [16*NC-1:0] st_fp_o,
    input  wire logic [15:0] st_wk_o,
    input  wire logic [NE-1:0] st_blk_o,
    input  wire logic st_snd_o,
    input  wire logic [15:0] st_rs_o,
    input  wire logic [15:0] st_sl_run_o,
    input  wire logic [18*16-1:0] st_sl_t0_o,
    input  wire logic [14*16-1:0] st_sl_steps_o,
    input  wire logic [15:0] st_sl_act_o,
    input  wire logic st_ent_we_o,
    input  wire logic [15:0] st_ent_addr_o,
    input  wire logic [13:0] st_ent_ccti_o,
    input  wire logic st_ent_run_o,
    input  wire logic [17:0] st_ent_t0_o,
    input  wire logic [13:0] st_ent_seen_o,
    input  wire logic [3:0] st_ent_esl_o,
    input  wire logic st_lti_we_o,
    input  wire logic [15:0] st_lti_addr_o,
    input  wire logic st_lti_valid_o,
    input  wire logic [TS_W-1:0] st_lti_o,
    input  wire logic [6:0] st_lti_len_o,
    output logic differs_o
);
  localparam int IN_BITS = $bits(cfg_we_i) + $bits(cfg_re_i) + $bits(cfg_addr_i) + $bits(cfg_data_i) + $bits(cct_we_i) +
      $bits(cct_addr_i) + $bits(cct_data_i) + $bits(attr_we_i) + $bits(attr_flow_i) + $bits(attr_sl_i) +
      $bits(becn_valid_i) + $bits(becn_flow_i) + $bits(req_i) + $bits(stop_i) + $bits(sl_ok_i) +
      $bits(inj_ready_i) + $bits(inj_len_i) + $bits(sent_i);
  localparam int IN_PARTS = (IN_BITS + 1023) / 1024;
  localparam int IN_W = 1024 * IN_PARTS;
  localparam int OUT_BITS = $bits(ready_o) + $bits(inj_valid_o) + $bits(inj_flow_o) + $bits(inj_sl_o) + $bits(blocked_o) +
      $bits(err_o) + $bits(cfg_rvalid_o) + $bits(cfg_rdata_o);
  localparam int OUT_PARTS = (OUT_BITS + 1023) / 1024;
  localparam int OUT_W = 1024 * OUT_PARTS;
  localparam int ST_BITS = $bits(st_now_o) + $bits(st_tick_o) + $bits(st_vp_o) + $bits(st_went_o) + $bits(st_sp_o) +
      $bits(st_fp_o) + $bits(st_wk_o) + $bits(st_blk_o) + $bits(st_snd_o) + $bits(st_rs_o) +
      $bits(st_sl_run_o) + $bits(st_sl_t0_o) + $bits(st_sl_steps_o) + $bits(st_sl_act_o) +
      $bits(st_ent_we_o) + $bits(st_ent_addr_o) + $bits(st_ent_ccti_o) + $bits(st_ent_run_o) +
      $bits(st_ent_t0_o) + $bits(st_ent_seen_o) + $bits(st_ent_esl_o) + $bits(st_lti_we_o) +
      $bits(st_lti_addr_o) + $bits(st_lti_valid_o) + $bits(st_lti_o) + $bits(st_lti_len_o);
  localparam int ST_PARTS = (ST_BITS + 1023) / 1024;
  localparam int ST_W = 1024 * ST_PARTS;

  logic [IN_W-1:0] in_v;
  logic [OUT_W-1:0] out_v;
  logic [ST_W-1:0] st_v;
  assign in_v = IN_W'({sent_i, inj_len_i, inj_ready_i, sl_ok_i, stop_i, req_i, becn_flow_i, becn_valid_i, attr_sl_i,
      attr_flow_i, attr_we_i, cct_data_i, cct_addr_i, cct_we_i, cfg_data_i, cfg_addr_i, cfg_re_i, cfg_we_i});
  assign out_v = OUT_W'({cfg_rdata_o, cfg_rvalid_o, err_o, blocked_o, inj_sl_o, inj_flow_o, inj_valid_o, ready_o});
  assign st_v = ST_W'({st_lti_len_o, st_lti_o, st_lti_valid_o, st_lti_addr_o, st_lti_we_o, st_ent_esl_o, st_ent_seen_o,
      st_ent_t0_o, st_ent_run_o, st_ent_ccti_o, st_ent_addr_o, st_ent_we_o, st_sl_act_o, st_sl_steps_o,
      st_sl_t0_o, st_sl_run_o, st_rs_o, st_snd_o, st_blk_o, st_wk_o, st_fp_o, st_sp_o, st_went_o, st_vp_o,
      st_tick_o, st_now_o});

  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new("hca-throttle", $sformatf(
        "VLS=%0d VL_BY_DEST=%0d FLOWS=%0d CCT=%0d TS_W=%0d PARITY=%0d",
        VLS, VL_BY_DEST, FLOWS, CCT, TS_W, PARITY));
    if (unit == 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_we_i", $bits(cfg_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_re_i", $bits(cfg_re_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_addr_i", $bits(cfg_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_data_i", $bits(cfg_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cct_we_i", $bits(cct_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cct_addr_i", $bits(cct_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cct_data_i", $bits(cct_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "attr_we_i", $bits(attr_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "attr_flow_i", $bits(attr_flow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "attr_sl_i", $bits(attr_sl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "becn_valid_i", $bits(becn_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "becn_flow_i", $bits(becn_flow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "req_i", $bits(req_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "stop_i", $bits(stop_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sl_ok_i", $bits(sl_ok_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_ready_i", $bits(inj_ready_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_len_i", $bits(inj_len_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sent_i", $bits(sent_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ready_o", $bits(ready_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_valid_o", $bits(inj_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_flow_o", $bits(inj_flow_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_sl_o", $bits(inj_sl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "blocked_o", $bits(blocked_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_o", $bits(err_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rvalid_o", $bits(cfg_rvalid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rdata_o", $bits(cfg_rdata_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_now_o", $bits(st_now_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tick_o", $bits(st_tick_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_vp_o", $bits(st_vp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_went_o", $bits(st_went_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sp_o", $bits(st_sp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_fp_o", $bits(st_fp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_wk_o", $bits(st_wk_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_blk_o", $bits(st_blk_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_snd_o", $bits(st_snd_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rs_o", $bits(st_rs_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sl_run_o", $bits(st_sl_run_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sl_t0_o", $bits(st_sl_t0_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sl_steps_o", $bits(st_sl_steps_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sl_act_o", $bits(st_sl_act_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ent_we_o", $bits(st_ent_we_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ent_addr_o", $bits(st_ent_addr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ent_ccti_o", $bits(st_ent_ccti_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ent_run_o", $bits(st_ent_run_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ent_t0_o", $bits(st_ent_t0_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ent_seen_o", $bits(st_ent_seen_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ent_esl_o", $bits(st_ent_esl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lti_we_o", $bits(st_lti_we_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lti_addr_o", $bits(st_lti_addr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lti_valid_o", $bits(st_lti_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lti_o", $bits(st_lti_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lti_len_o", $bits(st_lti_len_o)));
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
