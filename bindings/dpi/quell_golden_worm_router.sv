// Golden model of worm_router with the unit's own ports and parameters, by DPI from libquell_model (docs/bindings.md).
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_golden_worm_router #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int LFT_DEPTH = 1024,
    parameter int ADMIT = 0,
    parameter int CNT_W = 32
) (
    input  wire logic clk_i,
    input  wire logic rst_i,
    input  wire logic cfg_we_i,
    input  wire logic cfg_re_i,
    input  wire logic [7:0] cfg_port_i,
    input  wire logic [7:0] cfg_addr_i,
    input  wire logic [31:0] cfg_data_i,
    input  wire logic lft_we_i,
    input  wire logic [15:0] lft_addr_i,
    input  wire logic [7:0] lft_port_i,
    input  wire logic [PORTS-1:0] link_up_i,
    input  wire logic [PORTS-1:0] rx_valid_i,
    input  wire logic [4*PORTS-1:0] rx_vl_i,
    input  wire logic [PORTS-1:0] rx_first_i,
    input  wire logic [PORTS-1:0] rx_last_i,
    input  wire logic [PORTS-1:0] rx_bad_i,
    input  wire logic [128*PORTS-1:0] rx_data_i,
    input  wire logic [PORTS*VLS-1:0] rx_credit_i,
    output logic ready_o,
    output logic [PORTS-1:0] tx_valid_o,
    output logic [4*PORTS-1:0] tx_vl_o,
    output logic [PORTS-1:0] tx_first_o,
    output logic [PORTS-1:0] tx_last_o,
    output logic [PORTS-1:0] tx_bad_o,
    output logic [128*PORTS-1:0] tx_data_o,
    output logic [PORTS*VLS-1:0] tx_credit_o,
    output logic [PORTS*VLS-1:0] lane_owned_o,
    output logic [PORTS*VLS-1:0] lane_full_o,
    output logic [16*PORTS-1:0] err_o,
    output logic cfg_rvalid_o,
    output logic [31:0] cfg_rdata_o,
    output logic [8*PORTS*VLS-1:0] st_level_o,
    output logic [PORTS*VLS-1:0] st_open_o,
    output logic [PORTS*VLS-1:0] st_drain_o,
    output logic [PORTS*VLS-1:0] st_cut_o,
    output logic [8*PORTS*VLS-1:0] st_owed_o,
    output logic [PORTS*VLS-1:0] st_own_o,
    output logic [8*PORTS*VLS-1:0] st_own_out_o,
    output logic [8*PORTS*VLS-1:0] st_own_vl_o,
    output logic [PORTS*VLS-1:0] st_owned_o,
    output logic [8*PORTS*VLS-1:0] st_cr_o,
    output logic [8*PORTS*VLS-1:0] st_place_in_o,
    output logic [8*PORTS*VLS-1:0] st_left_in_o,
    output logic [8*PORTS*VLS-1:0] st_place_out_o,
    output logic [8*PORTS*VLS-1:0] st_left_out_o,
    output logic [8*PORTS-1:0] st_guard_in_o,
    output logic [8*PORTS-1:0] st_guard_out_o,
    output logic [8*PORTS-1:0] st_ptr_group_o,
    output logic [8*PORTS*VLS-1:0] st_ptr_lane_o,
    output logic [16*PORTS-1:0] st_ptr_be_o,
    output logic [16*PORTS-1:0] st_lfsr_o,
    output logic [CNT_W*PORTS-1:0] st_cnt_flits_o,
    output logic [CNT_W*PORTS-1:0] st_cnt_msgs_o,
    output logic [16*PORTS-1:0] st_cnt_drop_o,
    output logic [16*PORTS-1:0] st_used_o,
    output logic [16*PORTS*VLS-1:0] st_book_out_o,
    output logic [16*PORTS*VLS-1:0] st_book_in_o,
    output logic [7:0] st_ptr_adm_o,
    output logic [PORTS-1:0] st_adm_o,
    output logic [PORTS-1:0] st_eat_o,
    output logic [8*PORTS-1:0] st_slot_o,
    output logic [8*PORTS-1:0] st_slot_way_o,
    output logic [PORTS-1:0] st_slot_routed_o,
    output logic [PORTS-1:0] st_slot_turn_o,
    output logic [PORTS-1:0] st_slot_own_o,
    output logic [PORTS*VLS-1:0] st_books_o,
    output logic [PORTS*VLS-1:0] st_final_o,
    output logic [16*PORTS*VLS-1:0] st_final_bw_o,
    output logic [16*PORTS-1:0] st_cnt_booked_o,
    output logic [16*PORTS-1:0] st_cnt_refused_o
);
  localparam int IN_BITS = $bits(cfg_we_i) + $bits(cfg_re_i) + $bits(cfg_port_i) + $bits(cfg_addr_i) + $bits(cfg_data_i) +
      $bits(lft_we_i) + $bits(lft_addr_i) + $bits(lft_port_i) + $bits(link_up_i) + $bits(rx_valid_i) +
      $bits(rx_vl_i) + $bits(rx_first_i) + $bits(rx_last_i) + $bits(rx_bad_i) + $bits(rx_data_i) +
      $bits(rx_credit_i);
  localparam int IN_PARTS = (IN_BITS + 1023) / 1024;
  localparam int IN_W = 1024 * IN_PARTS;
  localparam int OUT_BITS = $bits(ready_o) + $bits(tx_valid_o) + $bits(tx_vl_o) + $bits(tx_first_o) + $bits(tx_last_o) +
      $bits(tx_bad_o) + $bits(tx_data_o) + $bits(tx_credit_o) + $bits(lane_owned_o) + $bits(lane_full_o) +
      $bits(err_o) + $bits(cfg_rvalid_o) + $bits(cfg_rdata_o);
  localparam int OUT_PARTS = (OUT_BITS + 1023) / 1024;
  localparam int OUT_W = 1024 * OUT_PARTS;
  localparam int ST_BITS = $bits(st_level_o) + $bits(st_open_o) + $bits(st_drain_o) + $bits(st_cut_o) + $bits(st_owed_o) +
      $bits(st_own_o) + $bits(st_own_out_o) + $bits(st_own_vl_o) + $bits(st_owned_o) + $bits(st_cr_o) +
      $bits(st_place_in_o) + $bits(st_left_in_o) + $bits(st_place_out_o) + $bits(st_left_out_o) +
      $bits(st_guard_in_o) + $bits(st_guard_out_o) + $bits(st_ptr_group_o) + $bits(st_ptr_lane_o) +
      $bits(st_ptr_be_o) + $bits(st_lfsr_o) + $bits(st_cnt_flits_o) + $bits(st_cnt_msgs_o) +
      $bits(st_cnt_drop_o) + $bits(st_used_o) + $bits(st_book_out_o) + $bits(st_book_in_o) +
      $bits(st_ptr_adm_o) + $bits(st_adm_o) + $bits(st_eat_o) + $bits(st_slot_o) + $bits(st_slot_way_o) +
      $bits(st_slot_routed_o) + $bits(st_slot_turn_o) + $bits(st_slot_own_o) + $bits(st_books_o) +
      $bits(st_final_o) + $bits(st_final_bw_o) + $bits(st_cnt_booked_o) + $bits(st_cnt_refused_o);
  localparam int ST_PARTS = (ST_BITS + 1023) / 1024;
  localparam int ST_W = 1024 * ST_PARTS;

  logic [IN_W-1:0] in_v;
  logic [OUT_W-1:0] out_v;
  logic [ST_W-1:0] st_v;
  assign in_v = IN_W'({rx_credit_i, rx_data_i, rx_bad_i, rx_last_i, rx_first_i, rx_vl_i, rx_valid_i, link_up_i, lft_port_i,
      lft_addr_i, lft_we_i, cfg_data_i, cfg_addr_i, cfg_port_i, cfg_re_i, cfg_we_i});
  assign {cfg_rdata_o, cfg_rvalid_o, err_o, lane_full_o, lane_owned_o, tx_credit_o, tx_data_o, tx_bad_o,
      tx_last_o, tx_first_o, tx_vl_o, tx_valid_o, ready_o} = out_v[OUT_BITS-1:0];
  assign {st_cnt_refused_o, st_cnt_booked_o, st_final_bw_o, st_final_o, st_books_o, st_slot_own_o,
      st_slot_turn_o, st_slot_routed_o, st_slot_way_o, st_slot_o, st_eat_o, st_adm_o, st_ptr_adm_o,
      st_book_in_o, st_book_out_o, st_used_o, st_cnt_drop_o, st_cnt_msgs_o, st_cnt_flits_o, st_lfsr_o,
      st_ptr_be_o, st_ptr_lane_o, st_ptr_group_o, st_guard_out_o, st_guard_in_o, st_left_out_o,
      st_place_out_o, st_left_in_o, st_place_in_o, st_cr_o, st_owned_o, st_own_vl_o, st_own_out_o,
      st_own_o, st_owed_o, st_cut_o, st_drain_o, st_open_o, st_level_o} = st_v[ST_BITS-1:0];

  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new("worm-router", $sformatf(
        "PORTS=%0d VLS=%0d DEPTH=%0d LFT_DEPTH=%0d ADMIT=%0d CNT_W=%0d",
        PORTS, VLS, DEPTH, LFT_DEPTH, ADMIT, CNT_W));
    if (unit == 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_we_i", $bits(cfg_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_re_i", $bits(cfg_re_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_port_i", $bits(cfg_port_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_addr_i", $bits(cfg_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_data_i", $bits(cfg_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lft_we_i", $bits(lft_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lft_addr_i", $bits(lft_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lft_port_i", $bits(lft_port_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "link_up_i", $bits(link_up_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_valid_i", $bits(rx_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_vl_i", $bits(rx_vl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_first_i", $bits(rx_first_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_last_i", $bits(rx_last_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_bad_i", $bits(rx_bad_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_data_i", $bits(rx_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rx_credit_i", $bits(rx_credit_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ready_o", $bits(ready_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_valid_o", $bits(tx_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_vl_o", $bits(tx_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_first_o", $bits(tx_first_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_last_o", $bits(tx_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_bad_o", $bits(tx_bad_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_data_o", $bits(tx_data_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "tx_credit_o", $bits(tx_credit_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lane_owned_o", $bits(lane_owned_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "lane_full_o", $bits(lane_full_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_o", $bits(err_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rvalid_o", $bits(cfg_rvalid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rdata_o", $bits(cfg_rdata_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_level_o", $bits(st_level_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_open_o", $bits(st_open_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_drain_o", $bits(st_drain_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cut_o", $bits(st_cut_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_owed_o", $bits(st_owed_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_own_o", $bits(st_own_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_own_out_o", $bits(st_own_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_own_vl_o", $bits(st_own_vl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_owned_o", $bits(st_owned_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cr_o", $bits(st_cr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_place_in_o", $bits(st_place_in_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_left_in_o", $bits(st_left_in_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_place_out_o", $bits(st_place_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_left_out_o", $bits(st_left_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_guard_in_o", $bits(st_guard_in_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_guard_out_o", $bits(st_guard_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ptr_group_o", $bits(st_ptr_group_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ptr_lane_o", $bits(st_ptr_lane_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ptr_be_o", $bits(st_ptr_be_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lfsr_o", $bits(st_lfsr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_flits_o", $bits(st_cnt_flits_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_msgs_o", $bits(st_cnt_msgs_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_drop_o", $bits(st_cnt_drop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_used_o", $bits(st_used_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_book_out_o", $bits(st_book_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_book_in_o", $bits(st_book_in_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ptr_adm_o", $bits(st_ptr_adm_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_adm_o", $bits(st_adm_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_eat_o", $bits(st_eat_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_slot_o", $bits(st_slot_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_slot_way_o", $bits(st_slot_way_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_slot_routed_o", $bits(st_slot_routed_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_slot_turn_o", $bits(st_slot_turn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_slot_own_o", $bits(st_slot_own_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_books_o", $bits(st_books_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_final_o", $bits(st_final_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_final_bw_o", $bits(st_final_bw_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_booked_o", $bits(st_cnt_booked_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_cnt_refused_o", $bits(st_cnt_refused_o)));
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
