//! Cover points of the throttle.

use crate::model::util::cover_points;
use crate::params::Params;

cover_points! {
    c1_read "C1" "a register was read"
    c1_read_and_write "C1" "a register was read in the cycle of a write to it: the old value"
    c1_read_as_written "C1" "a register was read that acts as another value"
    c1_read_errors "C1" "the errors were read through ERR_CLEAR"
    c1_read_error "C1" "the errors were read while there was one"
    c1_read_none "C1" "a number that is not listed was read"
    h3_becn "H3" "a BECN raised a CCTI"
    h3_becn_at_limit "H3" "a BECN at CCTI_Limit"
    h3_limit_lowered "H3" "a BECN for a CCTI above a limit that was lowered"
    h3_limit_beyond_table "H3" "CCTI_LIMIT written beyond the table"
    h3_becn_below_min "H3" "a BECN for a CCTI below CCTI_Min"
    h3_becn_after_expiry "H3 H4" "a BECN found an expiry due and made it first"
    h3_timer_starts "H3" "a BECN started a flow's timer"
    h3_timer_restarts "H3" "a BECN restarted a running timer"
    h3_timer_runs_on "H3" "a BECN left a running timer alone"
    h3_sl_restarts "H3 H4" "a BECN restarted an SL's running timer"
    h3_sl_runs_on "H3 H4" "a BECN left an SL's running timer alone"
    h3_becns_1_apart "H3" "BECNs of one entity in consecutive cycles"
    h3_becns_2_apart "H3" "BECNs of one entity two cycles apart"
    h3_becn_after_sweep "H3 H4" "a BECN up to two cycles behind the sweep of its entity"
    h3_sweep_after_becn "H3 H4" "a sweep up to two cycles behind a BECN of its entity"
    h3_disabled "H3 H4" "an operation while the unit is disabled"
    h3_bad_addr_becn "H3" "sticky BAD_ADDR: a BECN for a flow that is not there"
    h3_error_cleared "H3" "a sticky error was cleared"
    h3_error_set_wins "H3" "an error occurred in the cycle in which it was cleared"
    h4_flow_expiry "H4" "a flow's timer expired"
    h4_stops_at_min "H4" "a flow's timer stopped at CCTI_Min"
    h4_lifted_to_min "H4" "an expiry lifted a CCTI below CCTI_Min to it"
    h4_flow_expiry_several "H4" "a flow's timer made up several periods at once"
    h4_flow_expiry_most "H4" "a flow's timer made up 128 periods at once"
    h4_sweep_starts_timer "H4" "a sweep started the timer of a CCTI that is not CCTI_Min"
    h4_min_above_limit "H4" "CCTI_Min above the limit in effect"
    h4_retime "H4" "all periods were counted anew"
    h4_resync "H4" "a running timer of a flow began a new period after that"
    h4_steps_dropped "H4" "steps of an SL's timer were dropped after that"
    h4_retime_hides_step "H4" "an SL's timer would have stepped in that cycle"
    h4_timer_0_never_decays "H4" "a running timer with CCTI_Timer 0"
    h4_sweep_beyond_flows "H4" "a sweep of an entity that is no flow"
    h4_tick_wraps "H4" "the tick counter wrapped"
    h4_expiry_across_tick_wrap "H4" "a timer started before the wrap expired after it"
    h4_tick_cycles_shrinks "H4" "TICK_CYCLES shrank below the running counter"
    h4_tick_cycles_0_is_1 "H4" "TICK_CYCLES written as 0"
    h4_sl_starts "H4" "a BECN started an SL's timer"
    h4_sl_step "H4" "an SL's timer stepped"
    h4_sl_idle "H4" "an SL's timer stopped"
    h4_sl_sweep_uses "H4" "a sweep kept an SL's timer going"
    h4_sl_sweep_starts "H4" "a sweep started an SL's timer"
    h4_sl_sweep_with_step "H4" "a sweep kept an SL's timer going in the cycle of its step"
    h4_sl_becn_with_step "H4" "a BECN in the cycle of its SL's step"
    h4_sl_used_at_end "H4" "the last operation of a sweep kept an SL's timer from stopping"
    h4_sl_idle_with_step "H4" "an SL's timer stopped in the cycle of a step"
    h4_sl_restart_with_step "H4 H3" "a restarting BECN in the cycle of its SL's step"
    h4_catch_up "H4" "an entity took steps of its SL's timer"
    h4_catch_up_several "H4" "an entity took several steps at once"
    h4_catch_up_wraps "H4" "an entity caught up across the wrap of the step counter"
    h4_catch_up_stops_at_min "H4" "an entity had more steps to take than were left to CCTI_Min"
    h4_catch_up_lifts "H4" "catching up lifted a CCTI below CCTI_Min to it"
    h4_catch_up_old_sl "H4 H7" "a flow whose SL was rewritten took the steps of its old SL"
    h4_timer_mode_switched "H4" "the timer mode was switched"
    h5_disabled "H5" "a flow was eligible because the unit is disabled"
    h5_switched_off "H5" "the unit was switched off"
    h5_never_injected "H5" "a flow was eligible because it had not injected, or long ago"
    h5_ird_0 "H5 H6" "a flow was eligible because its delay is 0"
    h5_too_early "H5" "a flow had to wait"
    h5_being_sent "H5" "a flow with a delay was visited while its packet was being sent"
    h5_ird_0_being_sent "H5 H6" "a flow without delay passed while its packet was being sent"
    h5_still_leaving "H5" "a packet was sent faster than the link; the flow was visited before the link's time"
    h5_sent_early "H5" "a packet was sent faster than the link could"
    h5_sent_late "H5" "a packet was sent when the link had long been able to"
    h5_sent_and_accepted "H5" "a packet was sent in the cycle in which the next was accepted"
    h5_accepted_unsent "H5" "a packet was accepted before the one before was sent"
    h5_sent_stray "H5" "a packet was sent that was not accepted"
    h5_refused_at_ird "H5" "a flow was refused at exactly its delay"
    h5_eligible_at_ird_plus_1 "H5" "a flow was eligible one cycle after its delay"
    h5_time_wrapped "H5" "a flow was eligible across the wrap of time"
    h5_now_wraps "H5" "time wrapped"
    h5_packet_time_saturated "H5 H6" "a packet that takes longer than the longest delay"
    h5_no_credit "H5" "a visited flow lacked credit"
    h5_stopped_while_visited "H5" "a flow was stopped, or lost its packet, while it was visited"
    h5_aged "H5" "ageing forgot an injection"
    h5_ageing_repeated "H5" "ageing tried an entity again, a packet having been sent"
    h6_cct_written "H6" "a CCT entry was written"
    h6_bad_addr_cct "H6" "sticky BAD_ADDR: a CCT entry that is not there"
    h6_multiply "H6" "a delay by multiplier alone"
    h6_shift_and_multiply "H6" "a delay by shift and multiplier"
    h6_shift_truncates_to_0 "H6" "a shift left nothing to multiply"
    h6_absolute "H6" "a delay in absolute time"
    h6_ird_saturated "H6" "a delay longer than the longest"
    h6_format_switched "H6" "the CCT format was switched"
    h6_link_interval_0_is_1 "H6" "LINK_INTERVAL written as 0"
    h6_bad_len "H6" "sticky BAD_LEN: an accepted packet of length 0"
    h7_attr_written "H7" "the SL of a flow was written"
    h7_bad_addr_attr "H7" "sticky BAD_ADDR: the SL of a flow that is not there"
    h7_becn_per_sl "H7" "a BECN raised the CCTI of an SL"
    h7_expiry_per_sl "H7 H4" "the timer of an SL as entity expired"
    h7_sweep_beyond_sls "H7" "a sweep of an entity that is no SL"
    h7_delay_per_sl "H7" "the delay of an SL applied"
    h7_sl_mode_ignored "H7" "VL_BY_DEST: sl_mode was written as 1, and is 0"
    h7_sl_mode_switched "H7" "the entity was switched between flow and SL"
    h8_rr_wraps "H8" "the pick went round"
    h8_nothing_wanted "H8" "there was nothing to pick and nothing blocked"
    h8_lanes_compete "H8" "flows of several lanes could be picked"
    h8_sls_compete "H8 H7" "flows of several SLs of a lane could be picked"
    h8_yields "H8 H5" "a flow whose turn it was by the pointer had gone, and yielded to one of its lane that had not since"
    h8_yields_in_lane "H8" "a flow yielded while another lane had candidates, too"
    h8_all_went "H8" "all flows of a lane that could go had gone: they begin anew"
    h8_blocked "H8 H5" "a flow was found inside its delay, and blocked"
    h8_blocked_disabled "H8" "a flow was blocked while the unit was off"
    h8_pick_beside_blocked "H8" "a flow was picked while others were blocked"
    h8_freed "H8" "a walk freed a blocked entity"
    h8_walk_too_early "H8 H5" "a walk came a cycle too early to free an entity"
    h8_walk_just_in_time "H8 H5" "a walk freed an entity as early as it may"
    h8_walk_wraps "H8" "the walk went round"
    h8_walk_during_offer "H8" "a walk while a flow was on offer"
    h8_walk_pointer_beyond "H8 H7" "the walk began anew, its pointer being beyond the entities of the mode"
    h8_offer_accepted "H8" "an offer was accepted"
    h8_offer_accepted_at_stop "H8 H5" "an offer was accepted in the cycle in which its flow was stopped or lost credit"
    h8_offer_waits "H8" "an offer waited"
    h8_offer_withdrawn "H8 H5" "an offer was withdrawn because its flow was stopped"
    h8_offer_lost_credit "H8 H5" "an offer was withdrawn for want of credit"
}

/// Whether a unit with these parameters can reach the cover point (within a run of some hundred thousand cycles).
pub fn cover_applies(point_name: &str, params: &Params) -> bool {
    let ird_max = 1u64 << (params.ts_w - 2);
    match point_name {
        // Time has to wrap, or most of a wrap to pass.
        "h5_time_wrapped" | "h5_now_wraps" | "h5_aged" | "h5_ageing_repeated" => params.ts_w <= 16,
        // The longest packet on the slowest link.
        "h5_packet_time_saturated" => 127 * 15 > ird_max,
        "h6_ird_saturated" => 127 * 15 * 0x3fff > ird_max,
        // A pointer that two flows share points at the one that did not go last.
        "h8_yields" => !params.vl_by_dest || params.flows > 2 * params.vls,
        "h8_all_went" => !params.vl_by_dest || params.flows > params.vls,
        "h8_yields_in_lane" => {
            params.throttle_lanes() > 1 && (!params.vl_by_dest || params.flows > params.vls)
        }
        "h8_lanes_compete" => params.throttle_lanes() > 1,
        "h8_sls_compete" => !params.vl_by_dest && params.vls < 16,
        // The walk's pointer is below FLOWS in one mode, below 16 in the other.
        "h8_walk_pointer_beyond" => params.flows != 16 && !params.vl_by_dest,
        "h4_sweep_beyond_flows" => params.flows < 16,
        "h7_sweep_beyond_sls" => params.entities() > 16 && !params.vl_by_dest,
        // SLs have no delay where lanes are by destination.
        "h7_sl_mode_ignored" => params.vl_by_dest,
        "h7_becn_per_sl" | "h7_expiry_per_sl" | "h7_delay_per_sl" | "h7_sl_mode_switched" => {
            !params.vl_by_dest
        }
        // The last operation of a sweep is of a flow, or of an SL.
        "h4_sl_used_at_end" => !params.vl_by_dest || params.flows >= 16,
        // CCTI_LIMIT has 14 bits.
        "h3_limit_beyond_table" => params.cct < 1 << 14,
        _ => true,
    }
}
