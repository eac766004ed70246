// Golden model of reservation with the unit's own ports and parameters, by DPI from libquell_model (docs/bindings.md).
// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off BLKSEQ */
/* verilator lint_off SYNCASYNCNET */
`default_nettype none

module quell_golden_reservation #(
    parameter int VLS = 4,
    parameter int MTU = 32,
    parameter int FLOWS = 64,
    parameter int CTL_BLOCKS = 64,
    parameter int CNT_W = 32,
    parameter int NMAX = 16,
    parameter int MSGQ = 8,
    parameter int REPQ = 16,
    parameter int NOW_W = 32,
    parameter int DEDUP = 0,
    localparam int D = (VLS > 3) ? VLS - 3 : 1
) (
    input  wire logic clk_i,
    input  wire logic rst_i,
    input  wire logic cfg_we_i,
    input  wire logic cfg_re_i,
    input  wire logic [7:0] cfg_addr_i,
    input  wire logic [31:0] cfg_data_i,
    input  wire logic attr_we_i,
    input  wire logic [15:0] attr_flow_i,
    input  wire logic [3:0] attr_sl_i,
    input  wire logic post_valid_i,
    input  wire logic [15:0] post_flow_i,
    input  wire logic [15:0] post_pkts_i,
    input  wire logic [6:0] post_last_i,
    input  wire logic [23:0] post_psn_i,
    input  wire logic [8:0] room_i,
    input  wire logic [8:0] link_room_i,
    input  wire logic ungranted_i,
    input  wire logic inj_ready_i,
    input  wire logic res_ready_i,
    input  wire logic rep_valid_i,
    input  wire logic [1:0] rep_kind_i,
    input  wire logic [15:0] rep_flow_i,
    input  wire logic [12:0] rep_id_i,
    input  wire logic [7:0] rep_seq_i,
    input  wire logic [31:0] rep_wait_i,
    input  wire logic rin_valid_i,
    input  wire logic [15:0] rin_slid_i,
    input  wire logic [3:0] rin_sl_i,
    input  wire logic [12:0] rin_id_i,
    input  wire logic [15:0] rin_size_i,
    input  wire logic end_valid_i,
    input  wire logic end_bad_i,
    input  wire logic [15:0] end_slid_i,
    input  wire logic [3:0] end_sl_i,
    input  wire logic [12:0] end_id_i,
    input  wire logic [7:0] end_seq_i,
    input  wire logic out_ready_i,
    input  wire logic rep_rty_i,
    input  wire logic rep_init_i,
    input  wire logic rin_init_i,
    input  wire logic end_rty_i,
    input  wire logic see_look_i,
    input  wire logic see_mark_i,
    input  wire logic see_res_i,
    input  wire logic see_init_i,
    input  wire logic [15:0] see_flow_i,
    input  wire logic [12:0] see_id_i,
    input  wire logic [7:0] see_seq_i,
    input  wire logic see_ok_i,
    input  wire logic see_spec_i,
    input  wire logic see_pass_i,
    input  wire logic [23:0] see_psn_i,
    input  wire logic walk_valid_i,
    input  wire logic [6:0] walk_len_i,
    output logic ready_o,
    output logic [FLOWS-1:0] gen_full_o,
    output logic inj_valid_o,
    output logic [1:0] inj_kind_o,
    output logic [15:0] inj_flow_o,
    output logic [3:0] inj_sl_o,
    output logic [3:0] inj_lane_o,
    output logic [6:0] inj_len_o,
    output logic [23:0] inj_psn_o,
    output logic [12:0] inj_id_o,
    output logic [7:0] inj_seq_o,
    output logic [7:0] inj_n_o,
    output logic inj_last_o,
    output logic res_valid_o,
    output logic [15:0] res_flow_o,
    output logic [3:0] res_sl_o,
    output logic [12:0] res_id_o,
    output logic [7:0] res_n_o,
    output logic [15:0] res_size_o,
    output logic res_last_o,
    output logic out_valid_o,
    output logic [1:0] out_kind_o,
    output logic [15:0] out_lid_o,
    output logic [3:0] out_sl_o,
    output logic [12:0] out_id_o,
    output logic [7:0] out_seq_o,
    output logic [31:0] out_wait_o,
    output logic rin_done_o,
    output logic end_ok_o,
    output logic [15:0] err_o,
    output logic cfg_rvalid_o,
    output logic [31:0] cfg_rdata_o,
    output logic inj_rty_o,
    output logic res_rty_o,
    output logic res_init_o,
    output logic out_rty_o,
    output logic out_init_o,
    output logic see_drop_o,
    output logic see_ack_o,
    output logic [12:0] see_known_o,
    output logic [NOW_W-1:0] st_now_o,
    output logic [NOW_W-1:0] st_t_o,
    output logic st_tv_o,
    output logic [15:0] st_res_pkts_o,
    output logic [15:0] st_rep_pkts_o,
    output logic st_turn_o,
    output logic [FLOWS-1:0] st_rs_o,
    output logic [FLOWS-1:0] st_sp_o,
    output logic [FLOWS-1:0] st_go_o,
    output logic [FLOWS-1:0] st_wt_o,
    output logic [FLOWS-1:0] st_pq_o,
    output logic st_tab_we_o,
    output logic [15:0] st_tab_addr_o,
    output logic [2:0] st_tab_st_o,
    output logic st_tab_byp_o,
    output logic [12:0] st_tab_id_o,
    output logic [6:0] st_tab_n_o,
    output logic [15:0] st_tab_rem_o,
    output logic st_tab_got_o,
    output logic [NMAX-1:0] st_tab_todo_o,
    output logic [NMAX-1:0] st_tab_out_o,
    output logic [NOW_W-1:0] st_tab_due_o,
    output logic st_b_o,
    output logic [15:0] st_b_flow_o,
    output logic [2:0] st_op_ptr_o,
    output logic [15:0] st_ptr_e_o,
    output logic [15:0] st_ptr_p_o,
    output logic [15:0] st_ptr_w_o,
    output logic [15:0] st_ptr_s_o,
    output logic [3:0] st_lane_o,
    output logic [16*D-1:0] st_ptr_g_o,
    output logic [FLOWS-1:0] st_op_o,
    output logic [FLOWS-1:0] st_init_o,
    output logic st_quiet_o,
    output logic [NMAX-1:0] st_tab_rty_o,
    output logic st_tab_again_o,
    output logic [NOW_W-1:0] st_tab_stamp_o,
    output logic st_see_we_o,
    output logic [15:0] st_see_addr_o,
    output logic st_see_v_o,
    output logic [12:0] st_see_id_o,
    output logic [NMAX-1:0] st_see_got_o,
    output logic st_see_nv_o,
    output logic [23:0] st_see_next_o
);
  localparam int IN_BITS = $bits(cfg_we_i) + $bits(cfg_re_i) + $bits(cfg_addr_i) + $bits(cfg_data_i) + $bits(attr_we_i) +
      $bits(attr_flow_i) + $bits(attr_sl_i) + $bits(post_valid_i) + $bits(post_flow_i) +
      $bits(post_pkts_i) + $bits(post_last_i) + $bits(post_psn_i) + $bits(room_i) + $bits(link_room_i) +
      $bits(ungranted_i) + $bits(inj_ready_i) + $bits(res_ready_i) + $bits(rep_valid_i) +
      $bits(rep_kind_i) + $bits(rep_flow_i) + $bits(rep_id_i) + $bits(rep_seq_i) + $bits(rep_wait_i) +
      $bits(rin_valid_i) + $bits(rin_slid_i) + $bits(rin_sl_i) + $bits(rin_id_i) + $bits(rin_size_i) +
      $bits(end_valid_i) + $bits(end_bad_i) + $bits(end_slid_i) + $bits(end_sl_i) + $bits(end_id_i) +
      $bits(end_seq_i) + $bits(out_ready_i) + $bits(rep_rty_i) + $bits(rep_init_i) + $bits(rin_init_i) +
      $bits(end_rty_i) + $bits(see_look_i) + $bits(see_mark_i) + $bits(see_res_i) + $bits(see_init_i) +
      $bits(see_flow_i) + $bits(see_id_i) + $bits(see_seq_i) + $bits(see_ok_i) + $bits(see_spec_i) +
      $bits(see_pass_i) + $bits(see_psn_i) + $bits(walk_valid_i) + $bits(walk_len_i);
  localparam int IN_PARTS = (IN_BITS + 1023) / 1024;
  localparam int IN_W = 1024 * IN_PARTS;
  localparam int OUT_BITS = $bits(ready_o) + $bits(gen_full_o) + $bits(inj_valid_o) + $bits(inj_kind_o) + $bits(inj_flow_o) +
      $bits(inj_sl_o) + $bits(inj_lane_o) + $bits(inj_len_o) + $bits(inj_psn_o) + $bits(inj_id_o) +
      $bits(inj_seq_o) + $bits(inj_n_o) + $bits(inj_last_o) + $bits(res_valid_o) + $bits(res_flow_o) +
      $bits(res_sl_o) + $bits(res_id_o) + $bits(res_n_o) + $bits(res_size_o) + $bits(res_last_o) +
      $bits(out_valid_o) + $bits(out_kind_o) + $bits(out_lid_o) + $bits(out_sl_o) + $bits(out_id_o) +
      $bits(out_seq_o) + $bits(out_wait_o) + $bits(rin_done_o) + $bits(end_ok_o) + $bits(err_o) +
      $bits(cfg_rvalid_o) + $bits(cfg_rdata_o) + $bits(inj_rty_o) + $bits(res_rty_o) + $bits(res_init_o) +
      $bits(out_rty_o) + $bits(out_init_o) + $bits(see_drop_o) + $bits(see_ack_o) + $bits(see_known_o);
  localparam int OUT_PARTS = (OUT_BITS + 1023) / 1024;
  localparam int OUT_W = 1024 * OUT_PARTS;
  localparam int ST_BITS = $bits(st_now_o) + $bits(st_t_o) + $bits(st_tv_o) + $bits(st_res_pkts_o) + $bits(st_rep_pkts_o) +
      $bits(st_turn_o) + $bits(st_rs_o) + $bits(st_sp_o) + $bits(st_go_o) + $bits(st_wt_o) +
      $bits(st_pq_o) + $bits(st_tab_we_o) + $bits(st_tab_addr_o) + $bits(st_tab_st_o) +
      $bits(st_tab_byp_o) + $bits(st_tab_id_o) + $bits(st_tab_n_o) + $bits(st_tab_rem_o) +
      $bits(st_tab_got_o) + $bits(st_tab_todo_o) + $bits(st_tab_out_o) + $bits(st_tab_due_o) +
      $bits(st_b_o) + $bits(st_b_flow_o) + $bits(st_op_ptr_o) + $bits(st_ptr_e_o) + $bits(st_ptr_p_o) +
      $bits(st_ptr_w_o) + $bits(st_ptr_s_o) + $bits(st_lane_o) + $bits(st_ptr_g_o) + $bits(st_op_o) +
      $bits(st_init_o) + $bits(st_quiet_o) + $bits(st_tab_rty_o) + $bits(st_tab_again_o) +
      $bits(st_tab_stamp_o) + $bits(st_see_we_o) + $bits(st_see_addr_o) + $bits(st_see_v_o) +
      $bits(st_see_id_o) + $bits(st_see_got_o) + $bits(st_see_nv_o) + $bits(st_see_next_o);
  localparam int ST_PARTS = (ST_BITS + 1023) / 1024;
  localparam int ST_W = 1024 * ST_PARTS;

  logic [IN_W-1:0] in_v;
  logic [OUT_W-1:0] out_v;
  logic [ST_W-1:0] st_v;
  assign in_v = IN_W'({walk_len_i, walk_valid_i, see_psn_i, see_pass_i, see_spec_i, see_ok_i, see_seq_i, see_id_i,
      see_flow_i, see_init_i, see_res_i, see_mark_i, see_look_i, end_rty_i, rin_init_i, rep_init_i,
      rep_rty_i, out_ready_i, end_seq_i, end_id_i, end_sl_i, end_slid_i, end_bad_i, end_valid_i,
      rin_size_i, rin_id_i, rin_sl_i, rin_slid_i, rin_valid_i, rep_wait_i, rep_seq_i, rep_id_i, rep_flow_i,
      rep_kind_i, rep_valid_i, res_ready_i, inj_ready_i, ungranted_i, link_room_i, room_i, post_psn_i,
      post_last_i, post_pkts_i, post_flow_i, post_valid_i, attr_sl_i, attr_flow_i, attr_we_i, cfg_data_i,
      cfg_addr_i, cfg_re_i, cfg_we_i});
  assign {see_known_o, see_ack_o, see_drop_o, out_init_o, out_rty_o, res_init_o, res_rty_o, inj_rty_o,
      cfg_rdata_o, cfg_rvalid_o, err_o, end_ok_o, rin_done_o, out_wait_o, out_seq_o, out_id_o, out_sl_o,
      out_lid_o, out_kind_o, out_valid_o, res_last_o, res_size_o, res_n_o, res_id_o, res_sl_o, res_flow_o,
      res_valid_o, inj_last_o, inj_n_o, inj_seq_o, inj_id_o, inj_psn_o, inj_len_o, inj_lane_o, inj_sl_o,
      inj_flow_o, inj_kind_o, inj_valid_o, gen_full_o, ready_o} = out_v[OUT_BITS-1:0];
  assign {st_see_next_o, st_see_nv_o, st_see_got_o, st_see_id_o, st_see_v_o, st_see_addr_o, st_see_we_o,
      st_tab_stamp_o, st_tab_again_o, st_tab_rty_o, st_quiet_o, st_init_o, st_op_o, st_ptr_g_o, st_lane_o,
      st_ptr_s_o, st_ptr_w_o, st_ptr_p_o, st_ptr_e_o, st_op_ptr_o, st_b_flow_o, st_b_o, st_tab_due_o,
      st_tab_out_o, st_tab_todo_o, st_tab_got_o, st_tab_rem_o, st_tab_n_o, st_tab_id_o, st_tab_byp_o,
      st_tab_st_o, st_tab_addr_o, st_tab_we_o, st_pq_o, st_wt_o, st_go_o, st_sp_o, st_rs_o, st_turn_o,
      st_rep_pkts_o, st_res_pkts_o, st_tv_o, st_t_o, st_now_o} = st_v[ST_BITS-1:0];

  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new("reservation", $sformatf(
        "VLS=%0d MTU=%0d FLOWS=%0d CTL_BLOCKS=%0d CNT_W=%0d NMAX=%0d MSGQ=%0d REPQ=%0d NOW_W=%0d DEDUP=%0d",
        VLS, MTU, FLOWS, CTL_BLOCKS, CNT_W, NMAX, MSGQ, REPQ, NOW_W, DEDUP));
    if (unit == 0) $fatal(1, "%m: %s", quell_dpi_pkg::quell_dpi_error());
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_we_i", $bits(cfg_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_re_i", $bits(cfg_re_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_addr_i", $bits(cfg_addr_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_data_i", $bits(cfg_data_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "attr_we_i", $bits(attr_we_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "attr_flow_i", $bits(attr_flow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "attr_sl_i", $bits(attr_sl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_valid_i", $bits(post_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_flow_i", $bits(post_flow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_pkts_i", $bits(post_pkts_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_last_i", $bits(post_last_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "post_psn_i", $bits(post_psn_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "room_i", $bits(room_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "link_room_i", $bits(link_room_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ungranted_i", $bits(ungranted_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_ready_i", $bits(inj_ready_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_ready_i", $bits(res_ready_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rep_valid_i", $bits(rep_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rep_kind_i", $bits(rep_kind_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rep_flow_i", $bits(rep_flow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rep_id_i", $bits(rep_id_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rep_seq_i", $bits(rep_seq_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rep_wait_i", $bits(rep_wait_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rin_valid_i", $bits(rin_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rin_slid_i", $bits(rin_slid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rin_sl_i", $bits(rin_sl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rin_id_i", $bits(rin_id_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rin_size_i", $bits(rin_size_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "end_valid_i", $bits(end_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "end_bad_i", $bits(end_bad_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "end_slid_i", $bits(end_slid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "end_sl_i", $bits(end_sl_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "end_id_i", $bits(end_id_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "end_seq_i", $bits(end_seq_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_ready_i", $bits(out_ready_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rep_rty_i", $bits(rep_rty_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rep_init_i", $bits(rep_init_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rin_init_i", $bits(rin_init_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "end_rty_i", $bits(end_rty_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_look_i", $bits(see_look_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_mark_i", $bits(see_mark_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_res_i", $bits(see_res_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_init_i", $bits(see_init_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_flow_i", $bits(see_flow_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_id_i", $bits(see_id_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_seq_i", $bits(see_seq_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_ok_i", $bits(see_ok_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_spec_i", $bits(see_spec_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_pass_i", $bits(see_pass_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_psn_i", $bits(see_psn_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "walk_valid_i", $bits(walk_valid_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "walk_len_i", $bits(walk_len_i)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "ready_o", $bits(ready_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "gen_full_o", $bits(gen_full_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_valid_o", $bits(inj_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_kind_o", $bits(inj_kind_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_flow_o", $bits(inj_flow_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_sl_o", $bits(inj_sl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_lane_o", $bits(inj_lane_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_len_o", $bits(inj_len_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_psn_o", $bits(inj_psn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_id_o", $bits(inj_id_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_seq_o", $bits(inj_seq_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_n_o", $bits(inj_n_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_last_o", $bits(inj_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_valid_o", $bits(res_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_flow_o", $bits(res_flow_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_sl_o", $bits(res_sl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_id_o", $bits(res_id_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_n_o", $bits(res_n_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_size_o", $bits(res_size_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_last_o", $bits(res_last_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_valid_o", $bits(out_valid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_kind_o", $bits(out_kind_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_lid_o", $bits(out_lid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_sl_o", $bits(out_sl_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_id_o", $bits(out_id_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_seq_o", $bits(out_seq_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_wait_o", $bits(out_wait_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "rin_done_o", $bits(rin_done_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "end_ok_o", $bits(end_ok_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "err_o", $bits(err_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rvalid_o", $bits(cfg_rvalid_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "cfg_rdata_o", $bits(cfg_rdata_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "inj_rty_o", $bits(inj_rty_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_rty_o", $bits(res_rty_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "res_init_o", $bits(res_init_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_rty_o", $bits(out_rty_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "out_init_o", $bits(out_init_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_drop_o", $bits(see_drop_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_ack_o", $bits(see_ack_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "see_known_o", $bits(see_known_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_now_o", $bits(st_now_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_t_o", $bits(st_t_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tv_o", $bits(st_tv_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_res_pkts_o", $bits(st_res_pkts_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rep_pkts_o", $bits(st_rep_pkts_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_turn_o", $bits(st_turn_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_rs_o", $bits(st_rs_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_sp_o", $bits(st_sp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_go_o", $bits(st_go_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_wt_o", $bits(st_wt_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_pq_o", $bits(st_pq_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_we_o", $bits(st_tab_we_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_addr_o", $bits(st_tab_addr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_st_o", $bits(st_tab_st_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_byp_o", $bits(st_tab_byp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_id_o", $bits(st_tab_id_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_n_o", $bits(st_tab_n_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_rem_o", $bits(st_tab_rem_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_got_o", $bits(st_tab_got_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_todo_o", $bits(st_tab_todo_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_out_o", $bits(st_tab_out_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_due_o", $bits(st_tab_due_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_b_o", $bits(st_b_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_b_flow_o", $bits(st_b_flow_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_op_ptr_o", $bits(st_op_ptr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ptr_e_o", $bits(st_ptr_e_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ptr_p_o", $bits(st_ptr_p_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ptr_w_o", $bits(st_ptr_w_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ptr_s_o", $bits(st_ptr_s_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_lane_o", $bits(st_lane_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_ptr_g_o", $bits(st_ptr_g_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_op_o", $bits(st_op_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_init_o", $bits(st_init_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_quiet_o", $bits(st_quiet_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_rty_o", $bits(st_tab_rty_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_again_o", $bits(st_tab_again_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_tab_stamp_o", $bits(st_tab_stamp_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_see_we_o", $bits(st_see_we_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_see_addr_o", $bits(st_see_addr_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_see_v_o", $bits(st_see_v_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_see_id_o", $bits(st_see_id_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_see_got_o", $bits(st_see_got_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_see_nv_o", $bits(st_see_nv_o)));
    must(quell_dpi_pkg::quell_dpi_port(unit, "st_see_next_o", $bits(st_see_next_o)));
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
