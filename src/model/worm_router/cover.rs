//! Cover points (`docs/worm-router.md`).

use crate::model::util::cover_points;
use crate::params::Params;

cover_points! {
    yw1_single "YW1" "a message of one flit comes"
    yw1_opens "YW1" "a header opens a lane"
    yw1_closes "YW1" "a tail closes a lane"
    yw1_interleaved "YW1" "between two flits of a message one of another is sent"
    yw1_bad "YW1" "a tail that is bad"
    yw1_bad_inside "YW1" "bad without last"
    yw1_bad_vl "YW1" "BAD_VL"
    yw1_overflow "YW1" "OVERFLOW"
    yw1_overflow_as_it_leaves "YW1" "OVERFLOW of a lane that a flit leaves in that cycle"
    yw1_overflow_out_of_frame "YW1" "OVERFLOW of a flit that is out of frame, too"
    yw1_ends_open "YW1" "FRAMING: a first flit ends the open message"
    yw1_stray "YW1 YW2" "FRAMING: a flit of no message"
    yw2_full "YW2" "a lane of an input is full"
    yw2_through "YW2" "a flit comes as one leaves the lane"
    yw2_owed "YW2" "a flit leaves a lane as one of it is dropped: a pulse is owed"
    yw2_owed_most "YW2" "DEPTH - 1 pulses are owed, the most"
    yw2_repaid "YW2" "a pulse that was owed is sent"
    yw2_waits "YW2" "a flit waits for credit"
    yw2_last_credit "YW2" "a flit takes the last credit"
    yw2_goes_and_comes "YW2" "a credit comes as a flit goes to its lane"
    yw2_excess "YW2" "CREDIT"
    yw2_excess_and_goes "YW2" "CREDIT of a lane to which a flit goes in that cycle"
    yw3_no_route_yet "YW3" "a header waits for its route"
    yw3_route_behind "YW3" "a header has its route behind another message"
    yw3_discards_header "YW3" "a header without route is discarded"
    yw3_discards_single "YW3" "a message of one flit without route is discarded"
    yw3_drains "YW3" "a flit behind a header without route is discarded"
    yw3_two_discard "YW3" "two lanes of an input discard in one cycle"
    yw3_discards_beside "YW3" "a lane discards as another one of the input sends"
    yw3_discards_behind_cut "YW3 F1" "a lane discards behind a made tail"
    yw3_framing_ends_drain "YW3 YW1" "FRAMING ends a message that is being discarded"
    yw4_own_lane "YW4" "a header gets the lane of its number"
    yw4_drawn "YW4" "a header gets a best-effort lane that is drawn"
    yw4_other_lane "YW4" "of another number than it came on"
    yw4_not_lowest "YW4" "that is not the lowest free one"
    yw4_one_free "YW4" "that is the only free one"
    yw4_groups_compete "YW4" "several groups can go"
    yw4_inputs_compete "YW4" "several inputs ask for a lane"
    yw4_shared_compete "YW4" "several input lanes ask for best-effort lanes"
    yw4_group_wraps "YW4" "the round robin over groups wraps"
    yw4_lane_wraps "YW4" "that over inputs wraps"
    yw4_shared_wraps "YW4" "that over best-effort input lanes wraps"
    yw4_owned "YW4" "a header waits for a lane that is owned"
    yw4_all_owned "YW4" "a header waits: all best-effort lanes are owned"
    yw4_freed_asked "YW4" "a lane is asked for as its owner's tail goes"
    yw4_freed_granted "YW4" "a lane is granted in the cycle after its owner's tail went"
    yw4_no_credit "YW4" "a lane without credits is granted"
    yw4_link_down "YW4 F1" "a lane of an output whose link is down is granted"
    yw4_seed_0 "YW4" "LFSR_SEED := 0, which is 1"
    yw4_seed_and_draw "YW4" "LFSR_SEED is written in the cycle of a draw"
    yw5_in_compete "YW5" "several lanes of a class of an input can send"
    yw5_out_compete "YW5" "several inputs pick an output, with flits of one class"
    yw5_loses "YW5" "an input's pick loses, and it sends nothing"
    yw5_second "YW5" "a flit goes by the second look"
    yw5_second_compete "YW5" "several inputs pick again"
    yw5_second_lower "YW5 YW6" "a flit of a lower class than its input's pick"
    yw5_second_best_effort "YW5 YW6" "best-effort, which leaves a guard that is not 0"
    yw5_second_counts "YW5 YW6" "real-time, which the guard of its input does not count though a nominee is there"
    yw5_passes "YW5" "the first lane in an input's order cannot send, another of its class goes"
    yw5_several_outputs "YW5" "flits go to several outputs"
    yw5_keeps_turn_in "YW5" "a lane goes and keeps its place at the input"
    yw5_keeps_turn_out "YW5" "at the output"
    yw5_weight_in "YW5" "a lane goes to the end of the input's order and has several flits from there"
    yw5_weight_out "YW5" "of the output's"
    yw5_weight_in_0 "YW5" "a lane goes to the end with WEIGHT_IN = 0, which is 1"
    yw5_weight_out_0 "YW5" "with WEIGHT_OUT = 0"
    yw5_weight_falls_in "YW5" "WEIGHT_IN is set below what is left to the lane"
    yw5_weight_falls_out "YW5" "WEIGHT_OUT is"
    yw5_counts_full "YW5" "a flit goes with cnt_flits at its largest value"
    yw5_messages_full "YW5" "one goes with cnt_msgs there"
    yw6_in_real_time_first "YW6" "an input's real-time goes before its best-effort"
    yw6_in_exempt_first "YW6" "an input's reply or control does"
    yw6_due "YW6" "a nominee is due, with real-time to pass it"
    yw6_due_waits "YW6" "and does not go"
    yw6_due_exempt "YW6" "a nominee would be due, but reply or control is there"
    yw6_lhp_0 "YW6" "real-time passes best-effort at an input with LHP = 0"
    yw6_lhp_1 "YW6" "best-effort goes because of LHP = 1 of its input"
    yw6_guard_in_most "YW6" "real-time passes best-effort with guard_in = 255"
    yw6_out_real_time_first "YW6" "real-time goes to an output for which best-effort stands"
    yw6_out_exempt_first "YW6" "reply or control is for an output for which best-effort stands"
    yw6_out_exempt_holds "YW6" "and that holds up a guard turn"
    yw6_reply_first "YW6" "a reply goes before control of another input"
    yw6_out_lhp_0 "YW6" "real-time passes best-effort at an output with LHP = 0"
    yw6_guard_out_most "YW6" "real-time passes best-effort with guard_out = 255"
    yw6_turn_calm "YW6" "a guard turn without real-time"
    yw6_turn_of_pick "YW6" "a guard turn, before real-time of other inputs"
    yw6_turn_at_input "YW6" "a guard turn whose winner passes its input's real-time"
    yw6_turn_both "YW6" "which is for the same output"
    yw6_turn_lhp_1 "YW6" "a guard turn because of LHP = 1 of the output"
    yw6_turn_compete "YW6" "several nominees stand for a guard turn"
    yw6_called_away "YW6" "a pick for an output is called away, and another goes there"
    yw6_called_idle "YW6" "and nobody goes there"
    yw7_reply "YW7" "a reply goes"
    yw7_control "YW7" "control goes"
    yw7_real_time "YW7" "real-time goes"
    yw7_best_effort "YW7" "best-effort goes"
    yw7_none "YW7" "BE_MASK without data lanes"
    yw7_all "YW7" "BE_MASK with all data lanes"
    yw7_beyond "YW7" "BE_MASK with bits of no data lane"
    yw7_owner_turns "YW7" "BE_MASK changes the class of a lane whose message is under way"
    yw7_other_class "YW7" "a flit goes on a lane of another class than it came on"
    yw8_way_back "YW8" "a message leaves by the port by which it came"
    r1_no_route "R1" "a DLID without a route"
    r1_no_port "R1" "an entry that is no port"
    r1_beyond "R1" "a DLID beyond the table"
    r1_old_entry "R1" "an entry is written in the cycle that looks it up"
    r1_write_beyond "R1" "a write beyond the table"
    f1_open "F1" "a link is down with a message coming in: LINK_DOWN"
    f1_own "F1" "with a message that owns a lane, its header gone"
    f1_header_waits "F1" "with one whose header has not left: its lane is free again"
    f1_drain "F1" "with a message that is being discarded"
    f1_owed "F1" "with a pulse owed"
    f1_asks "F1" "with a header that would ask"
    f1_cut_again "F1" "with a made tail due and flits behind it"
    f1_forgotten "F1" "with a header that is being looked up"
    f1_forgotten_no_route "F1" "that has no route"
    f1_tail_as_it_falls "F1" "a tail goes as its link falls"
    f1_flit_as_it_falls "F1" "another flit does"
    f1_made_tail "F1" "a made tail goes"
    f1_made_tail_down "F1" "while the link is down"
    f1_made_tail_new_header "F1" "before flits that came since"
    f1_behind_cut "F1" "a header waits behind a made tail"
    f1_out_waits "F1" "a flit waits for its output's link"
    f1_out_owned "F1" "an output's link is down with lanes owned"
    f1_out_credits "F1" "with credits that are not home"
    f1_out_lost "F1" "with a flit on its way"
    ya1_lane_beyond "YA1" "a probe or release of a lane that is not there"
    ya1_off_and_on "YA1" "bandwidth goes off an output's sum in the cycle in which a probe adds some"
    ya1_off_and_on_in "YA1" "off and onto the sum of a lane of an input"
    ya1_release_and_end "YA1 YA5 YA6" "a release and the end of a stream take off an output's sum in one cycle"
    ya1_release_and_end_in "YA1 YA5 YA6" "off the sum of a lane of an input"
    ya1_to_zero "YA1" "the last of what is booked on a link goes off"
    ya1_sum_full "YA1" "the sum of a lane stays at 65535"
    ya1_bad_used "YA1" "BAD_RELEASE: more goes off an output's sum than there is"
    ya1_bad_out "YA1" "off that of a lane of an output"
    ya1_bad_in "YA1" "off that of a lane of an input"
    ya1_lost_used "YA1 F1" "ADM_LOST: a link is down on which bandwidth is booked"
    ya1_lost_book "YA1 F1" "a link by which booked streams come, alone"
    ya1_lost_waits "YA1 F1" "a link of which a control message waits, and nothing is booked"
    ya1_lost_open "YA1 F1" "a link of which a control message is coming in, alone"
    ya1_lost_full "YA1 YW1" "ADM_LOST: a header that carries bandwidth finds a full lane"
    ya1_lost_frame "YA1 YW1" "one that comes in a message"
    ya1_lost_tail "YA1" "ADM_LOST: the tail of a message that carries bandwidth is bad"
    ya1_lost_cut "YA1 YW1" "another header ends it"
    ya1_lost_single "YA1" "it is one flit, and bad"
    ya1_lost_off "YA1" "such a message with admit_en = 0, which is no ADM_LOST"
    ya2_books "YA2" "a probe fits and goes on"
    ya2_no_route "YA2" "a probe without route is refused"
    ya2_link_down "YA2 F1" "one whose output's link is down"
    ya2_full "YA2" "one for which the link has too little"
    ya2_fits_exactly "YA2" "a probe takes the last of LIMIT"
    ya2_one_too_much "YA2" "a probe wants one more than there is"
    ya2_limit_below "YA2" "a probe finds LIMIT below what is booked"
    ya2_limit_beyond "YA2" "LIMIT above 4096 acts as 4096"
    ya2_limit_falls "YA2" "LIMIT is set below what is booked"
    ya2_bw_0 "YA2" "a probe for no bandwidth is booked"
    ya2_compete "YA2" "several inputs have an admission message to be decided"
    ya2_last_of_two "YA2" "two probes, for both of which there is not enough, while each fits"
    ya2_wraps "YA2" "the round robin over admission messages wraps"
    ya2_slot_waits "YA2 YA3" "a probe waits for the slot"
    ya2_no_route_waits "YA2 YW3" "one without route does"
    ya2_owns "YA2" "admit_en is turned on while a header waits that has its lane: it is not decided"
    ya2_behind_cut "YA2 F1" "a probe or release waits behind a made tail"
    ya2_consumes_single "YA2" "a message of one flit is consumed"
    ya2_eats "YA2" "a flit behind a header that was consumed is"
    ya2_falls_decided "YA2 F1" "a link falls with a header that has been decided"
    ya2_falls_eating "YA2 F1" "with a message that is being consumed"
    ya2_turned "YA2" "admit_en is turned on or off"
    ya2_off "YA2" "admit_en = 0 with something booked"
    ya2_off_decided "YA2" "with a header that has been decided"
    ya2_passes "YA2" "a probe or release goes on undecided"
    ya3_ack "YA3 YA2" "a probe at its last hop is answered with ACK"
    ya3_nack "YA3 YA2" "a probe is answered with NACK"
    ya3_way_back "YA3" "an answer leaves by the port of its probe"
    ya3_other_way "YA3" "by another one"
    ya3_old_entry "YA3 R1" "its way is written in the cycle that looks it up"
    ya3_no_way "YA3" "an answer without route: NO_ROUTE and ADM_LOST"
    ya3_no_way_off "YA3" "with admit_en = 0: NO_ROUTE alone"
    ya3_slot_first "YA3" "a slot's answer gets a lane before the FIFO's reply"
    ya3_fifo_first "YA3" "the FIFO's reply gets it before the slot's"
    ya3_slot_out_of_turn "YA3" "the slot's answer gets one in the FIFO's turn, which has none"
    ya3_fifo_out_of_turn "YA3" "the FIFO's reply gets one in the slot's turn"
    ya3_waits "YA3" "a slot's answer waits for the reply that has the lane"
    ya3_fifo_waits "YA3" "a reply waits for the slot's answer"
    ya3_starved "YA3" "an answer waits for credit"
    ya3_discards_beside "YA3 YW3" "a reply without route is discarded while an answer has the lane"
    ya3_refilled "YA3" "a slot is filled in the cycle after its answer's tail went"
    ya3_granted_down "YA3 F1" "an answer gets its lane while its input's link is down"
    ya3_goes_down "YA3 F1" "a flit of it goes"
    ya3_owns_down "YA3 F1" "it keeps its lane"
    ya3_goes_off "YA3" "a flit of it goes with admit_en = 0"
    ya5_goes_on "YA5" "a release goes on"
    ya5_host "YA5" "a release ends at its last hop"
    ya5_meets "YA5" "a release meets the node that refused"
    ya6_header "YA6" "the header of a stream's last message crosses"
    ya6_tail "YA6" "its tail takes the bandwidth off"
    ya6_made_tail "YA6 F1" "a made tail does"
    ya6_single "YA6" "a last message of one flit does"
    ya6_other_lane "YA6 YW4" "it goes out in another lane than it came on"
    ya6_two_end "YA6" "two streams end in one cycle"
    ya6_not_real_time "YA6" "a last message of a lane that is not real-time"
    ya6_off "YA6" "its header crosses with admit_en = 0"
    ya6_turned_off "YA6" "its tail does, and the header did not"
    ya7_in "YA7" "a lane has several flits from an input's order for what is booked"
    ya7_out "YA7" "from an output's"
    ya7_in_0 "YA7" "a weight of 0 for what is booked at an input, which is 1"
    ya7_out_0 "YA7" "at an output"
    ya7_in_most "YA7" "a weight of 255, and more is booked at an input"
    ya7_out_most "YA7" "at an output"
    c1_read_booked "C1 YA1" "a sum is read that is not 0"
    c1_read_ctrl "C1 YA2" "CTRL is read at another port than 0"
    c1_write_no_port "C1" "a write to a port that is not there"
    c1_write_all_ports "C1" "a write to all ports"
    c1_read "C1" "a register is read"
    c1_read_and_write "C1" "and written in the same cycle"
    c1_read_as_written "C1" "a weight of 0 is read, which acts as 1"
    c1_read_mask "C1" "BE_MASK is read at another port than 0"
    c1_read_lfsr "C1" "the LFSR is read"
    c1_read_error "C1" "errors are read, and there is one"
    c1_read_counted "C1" "a counter is read that has counted"
    c1_read_none "C1" "a number without a register is read"
    c1_read_no_port "C1" "a port that is not there is read"
    c1_error_cleared "C1" "a sticky error is cleared"
    c1_error_set_wins "C1" "a sticky error is set in the cycle that clears it"
}

/// What only happens among several data lanes. (Real-time beside best-effort needs two.)
const NEED_TWO: [&str; 26] = [
    "yw4_one_free",
    "yw4_not_lowest",
    "yw4_other_lane",
    "yw5_in_compete",
    "yw5_out_compete",
    "yw5_passes",
    "yw5_second_best_effort",
    "yw5_second_counts",
    "yw6_in_real_time_first",
    "yw6_due",
    "yw6_due_waits",
    "yw6_due_exempt",
    "yw6_lhp_0",
    "yw6_lhp_1",
    "yw6_guard_in_most",
    "yw6_out_real_time_first",
    "yw6_out_exempt_holds",
    "yw6_out_lhp_0",
    "yw6_guard_out_most",
    "yw6_turn_of_pick",
    "yw6_turn_at_input",
    "yw6_turn_both",
    "yw6_turn_lhp_1",
    "yw6_turn_compete",
    "yw6_called_away",
    "yw6_called_idle",
];

/// Points of other names that need ADMIT = 1.
const OF_ADMISSION: [&str; 2] = ["c1_read_booked", "c1_read_ctrl"];

/// Says whether a point can be hit at all with these parameters.
pub fn cover_applies(point: &str, p: &Params) -> bool {
    let one_data_lane = p.vls == 3;
    match point {
        _ if !p.admit && (point.starts_with("ya") || OF_ADMISSION.contains(&point)) => false,
        _ if one_data_lane && NEED_TWO.contains(&point) => false,
        "yw1_bad_vl" | "ya1_lane_beyond" => p.vls < 16,
        // One of two inputs goes by its first pick.
        "yw5_second_compete" => p.ports > 2,
        "yw7_other_class" | "ya6_other_lane" => !one_data_lane,
        // A run has not so many flits.
        "yw5_counts_full" | "yw5_messages_full" => p.cnt_w <= 10,
        _ => true,
    }
}
