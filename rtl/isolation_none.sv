// An input port that isolates nothing: no hot queues, no lines. Outputs as those of isolation.
`default_nettype none

module isolation_none #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int BLOCKS = 2048,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int TIMER_W = 32,
    parameter int ONE_QUEUE = 0,
    localparam int PV = PORTS * VLS,
    localparam int NQ = (ONE_QUEUE != 0) ? 1 : PV,
    localparam int QW = (PV > 1) ? $clog2(PV) : 1,
    localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1,
    localparam int LW = (LINES > 1) ? $clog2(LINES) : 1,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1
) (
    output logic [PV-1:0] line_cong_o, cold_match_o, move_from_o, st_cpq_tied_o,
    output logic [NQ-1:0] cold_bound_o, cold_stopped_o,
    output logic [NQ*LW-1:0] cold_line_o,
    output logic move_o, can_alloc_o, parity_err_o,
    output logic [QW-1:0] move_q_o,
    output logic [HW-1:0] move_hpq_o,
    output logic [6:0] move_n_o,
    output logic [HPQS-1:0] hot_any_o, hot_busy_o, hot_bound_o, hot_stopped_o, hot_unlinked_o, st_hpq_tied_o,
    output logic [HPQS*AW-1:0] hot_id_o,
    output logic [HPQS*QW-1:0] hot_q_o,
    output logic [HPQS*LW-1:0] hot_line_o,
    output logic [PORTS*LINES-1:0] known_o, room_o, pend_o,
    output quell_pkg::tree_msg_t msg_o,
    output logic [DLIST*16-1:0] msg_dlist_o,
    output logic [HPQS*16-1:0] st_hpq_pkts_o, st_hpq_fill_o,
    output logic [LINES*2-1:0] st_line_state_o,
    output logic [LINES*8-1:0] st_line_out_o, st_line_vl_o, st_line_next_o, st_line_dcnt_o,
    output logic [LINES*16-1:0] st_line_queue_o,
    output logic [LINES*6-1:0] st_line_hops_o,
    output logic [LINES*24-1:0] st_line_root_o,
    output logic [LINES-1:0] st_line_linked_o, st_line_ann_o, st_line_sent_stop_o, st_line_stop_req_o,
        st_line_reached_o, st_line_dirty_o, st_line_own_o, st_line_cong_o,
    output logic [LINES*TIMER_W-1:0] st_line_timer_o,
    output logic [LINES*DLIST*16-1:0] st_line_dlist_o,
    output logic [PV*8-1:0] st_cpq_tie_o,
    output logic [HPQS*8-1:0] st_hpq_tie_o,
    output logic [15:0] st_cnt_nohpq_o, st_cnt_noline_o
);
  assign {line_cong_o, cold_match_o, cold_bound_o, cold_line_o, cold_stopped_o, move_o, move_from_o, move_q_o,
      move_hpq_o, move_n_o, hot_any_o, hot_id_o, hot_busy_o, hot_q_o, hot_bound_o, hot_line_o, hot_stopped_o,
      hot_unlinked_o, can_alloc_o, known_o, room_o, pend_o, msg_o, msg_dlist_o, st_hpq_pkts_o, st_hpq_fill_o,
      st_line_state_o, st_line_out_o, st_line_vl_o, st_line_queue_o, st_line_hops_o, st_line_root_o,
      st_line_next_o, st_line_linked_o, st_line_ann_o, st_line_sent_stop_o, st_line_stop_req_o,
      st_line_reached_o, st_line_dirty_o, st_line_timer_o, st_line_dcnt_o, st_line_dlist_o, st_line_own_o, st_cpq_tied_o,
      st_cpq_tie_o, st_hpq_tied_o, st_hpq_tie_o, st_line_cong_o, st_cnt_nohpq_o, st_cnt_noline_o, parity_err_o} = '0;
endmodule

`default_nettype wire
