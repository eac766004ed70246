// Golden model of injection_control with the unit's own ports and parameters, by DPI from libquell_model (docs/bindings.md).
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_golden_injection_control #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int LFT_DEPTH = 1024
) (
    input  wire logic clk_i,
    input  wire logic rst_i,
    input  wire logic cfg_we_i,
    input  wire logic cfg_re_i,
    input  wire logic [7:0] cfg_addr_i,
    input  wire logic [31:0] cfg_data_i,
    input  wire logic use_we_i,
    input  wire logic [15:0] use_addr_i,
    input  wire logic [15:0] use_mask_i,
    input  wire logic [VLS-1:0] be_front_i,
    input  wire logic [16*VLS-1:0] be_dlid_i,
    input  wire logic tx_valid_i,
    input  wire logic [3:0] tx_vl_i,
    input  wire logic tx_first_i,
    input  wire logic dlv_valid_i,
    input  wire logic [VLS-1:0] link_free_i,
    input  wire logic [VLS-1:0] own_full_i,
    input  wire logic [PORTS*VLS-1:0] owned_i,
    input  wire logic [PORTS*VLS-1:0] full_i,
    input  wire logic gather_i,
    input  wire logic sum_valid_i,
    input  wire logic [23:0] sum_full_i,
    input  wire logic [23:0] sum_flits_i,
    output logic ready_o,
    output logic [VLS-1:0] be_hold_o,
    output logic give_valid_o,
    output logic [15:0] give_full_o,
    output logic [15:0] give_flits_o,
    output logic cfg_rvalid_o,
    output logic [31:0] cfg_rdata_o,
    output logic [VLS-1:0] st_have_o,
    output logic [16*VLS-1:0] st_dlid_o,
    output logic [16*VLS-1:0] st_way_o,
    output logic [3:0] st_ask_o,
    output logic st_look_o,
    output logic [3:0] st_look_vl_o,
    output logic [15:0] st_free_o,
    output logic [15:0] st_clear_o,
    output logic st_link_o,
    output logic [16*VLS-1:0] st_held_o,
    output logic [15:0] st_flits_o,
    output logic [23:0] st_f0_o,
    output logic [23:0] st_f1_o,
    output logic [16:0] st_k_o,
    output logic st_throttle_o,
    output logic st_over_o,
    output logic [23:0] st_t_o,
    output logic [1:0] st_sums_o,
    output logic [25:0] st_tput_o,
    output logic [25:0] st_last_o,
    output logic [25:0] st_best_tput_o,
    output logic [23:0] st_best_full_o,
    output logic [23:0] st_best_t_o,
    output logic [2:0] st_bad_o
);
  localparam int IN_BITS = $bits(cfg_we_i) + $bits(cfg_re_i) + $bits(cfg_addr_i) + $bits(cfg_data_i) + $bits(use_we_i) +
      $bits(use_addr_i) + $bits(use_mask_i) + $bits(be_front_i) + $bits(be_dlid_i) + $bits(tx_valid_i) +
      $bits(tx_vl_i) + $bits(tx_first_i) + $bits(dlv_valid_i) + $bits(link_free_i) + $bits(own_full_i) +
      $bits(owned_i) + $bits(full_i) + $bits(gather_i) + $bits(sum_valid_i) + $bits(sum_full_i) +
      $bits(sum_flits_i);
  localparam int IN_PARTS = (IN_BITS + 1023) / 1024;
  localparam int IN_W = 1024 * IN_PARTS;
  localparam int OUT_BITS = $bits(ready_o) + $bits(be_hold_o) + $bits(give_valid_o) + $bits(give_full_o) + $bits(give_flits_o) +
      $bits(cfg_rvalid_o) + $bits(cfg_rdata_o);
  localparam int OUT_PARTS = (OUT_BITS + 1023) / 1024;
  localparam int OUT_W = 1024 * OUT_PARTS;
  localparam int ST_BITS = $bits(st_have_o) + $bits(st_dlid_o) + $bits(st_way_o) + $bits(st_ask_o) + $bits(st_look_o) +
      $bits(st_look_vl_o) + $bits(st_free_o) + $bits(st_clear_o) + $bits(st_link_o) + $bits(st_held_o) +
      $bits(st_flits_o) + $bits(st_f0_o) + $bits(st_f1_o) + $bits(st_k_o) + $bits(st_throttle_o) +
      $bits(st_over_o) + $bits(st_t_o) + $bits(st_sums_o) + $bits(st_tput_o) + $bits(st_last_o) +
      $bits(st_best_tput_o) + $bits(st_best_full_o) + $bits(st_best_t_o) + $bits(st_bad_o);
  localparam int ST_PARTS = (ST_BITS + 1023) / 1024;
  localparam int ST_W = 1024 * ST_PARTS;

  logic [IN_W-1:0] in_v;
  logic [OUT_W-1:0] out_v;
  logic [ST_W-1:0] st_v;
  assign in_v = IN_W'({sum_flits_i, sum_full_i, sum_valid_i, gather_i, full_i, owned_i, own_full_i, link_free_i,
      dlv_valid_i, tx_first_i, tx_vl_i, tx_valid_i, be_dlid_i, be_front_i, use_mask_i, use_addr_i,
      use_we_i, cfg_data_i, cfg_addr_i, cfg_re_i, cfg_we_i});
  assign {cfg_rdata_o, cfg_rvalid_o, give_flits_o, give_full_o, give_valid_o, be_hold_o, ready_o} = out_v[OUT_BITS-1:0];
  assign {st_bad_o, st_best_t_o, st_best_full_o, st_best_tput_o, st_last_o, st_tput_o, st_sums_o, st_t_o,
      st_over_o, st_throttle_o, st_k_o, st_f1_o, st_f0_o, st_flits_o, st_held_o, st_link_o, st_clear_o,
      st_free_o, st_look_vl_o, st_look_o, st_ask_o, st_way_o, st_dlid_o, st_have_o} = st_v[ST_BITS-1:0];

  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new("injection-control", $sformatf(
        "PORTS=%0d VLS=%0d LFT_DEPTH=%0d",
        PORTS, VLS, LFT_DEPTH));
    if (unit == 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_we_i", $bits(cfg_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_re_i", $bits(cfg_re_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_addr_i", $bits(cfg_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_data_i", $bits(cfg_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "use_we_i", $bits(use_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "use_addr_i", $bits(use_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "use_mask_i", $bits(use_mask_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "be_front_i", $bits(be_front_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "be_dlid_i", $bits(be_dlid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_valid_i", $bits(tx_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_vl_i", $bits(tx_vl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_first_i", $bits(tx_first_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "dlv_valid_i", $bits(dlv_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "link_free_i", $bits(link_free_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "own_full_i", $bits(own_full_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "owned_i", $bits(owned_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "full_i", $bits(full_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "gather_i", $bits(gather_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sum_valid_i", $bits(sum_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sum_full_i", $bits(sum_full_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "sum_flits_i", $bits(sum_flits_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ready_o", $bits(ready_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "be_hold_o", $bits(be_hold_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "give_valid_o", $bits(give_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "give_full_o", $bits(give_full_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "give_flits_o", $bits(give_flits_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rvalid_o", $bits(cfg_rvalid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rdata_o", $bits(cfg_rdata_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_have_o", $bits(st_have_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_dlid_o", $bits(st_dlid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_way_o", $bits(st_way_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ask_o", $bits(st_ask_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_look_o", $bits(st_look_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_look_vl_o", $bits(st_look_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_free_o", $bits(st_free_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_clear_o", $bits(st_clear_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_link_o", $bits(st_link_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_held_o", $bits(st_held_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_flits_o", $bits(st_flits_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_f0_o", $bits(st_f0_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_f1_o", $bits(st_f1_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_k_o", $bits(st_k_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_throttle_o", $bits(st_throttle_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_over_o", $bits(st_over_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_t_o", $bits(st_t_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sums_o", $bits(st_sums_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tput_o", $bits(st_tput_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_last_o", $bits(st_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_best_tput_o", $bits(st_best_tput_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_best_full_o", $bits(st_best_full_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_best_t_o", $bits(st_best_t_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_bad_o", $bits(st_bad_o)));
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
