//! Cover points of the adapter.

use crate::model::util::cover_points;
use crate::params::Params;

cover_points! {
    c1_read "C1" "a register was read"
    c1_read_and_write "C1" "a register was read in the cycle of a write to it: the old value"
    c1_read_as_written "C1" "FC_INTERVAL was read that is 0 and acts as 1"
    c1_read_errors "C1" "the errors were read through ERR_CLEAR"
    c1_read_error "C1" "the errors were read while there was one"
    c1_read_counter "C1" "a counter was read"
    c1_read_counted "C1" "a counter was read that has counted"
    c1_read_none "C1" "a number that is not listed was read"
    c1_read_part "C1" "a register of input port, output port or throttle was read"
    c1_read_no_unit "C1" "a unit that is not there was read"
    c1_deaf "C1" "a read while the adapter was not ready"
    h1_posted "H1" "the host posted a packet"
    h1_full "H1" "a generation queue became full"
    h1_gen_full "H1 B3" "sticky GEN_FULL: a packet for a full queue"
    h1_bad_flow "H1 B3" "sticky BAD_GEN: a packet for a flow that is not there"
    h1_bad_len "H1 B3" "sticky BAD_GEN: a packet of illegal length"
    h1_pop_full "H1" "a packet left a full queue"
    h1_post_and_pop "H1" "a packet posted to a queue in the cycle in which one left it"
    h1_full_despite_pop "H1 B3" "a packet refused although one left the full queue in the same cycle"
    h8_accepted "H8" "the injector took a packet"
    h8_back_to_back "H8" "the injector took a packet in the cycle of the last flit of another"
    h8_offer_waits_for_dma "H8" "an offer waited because the injector was busy"
    h8_dma_waits "H8" "the injector waited for the host"
    h8_single_flit "H8" "a packet of one flit was injected"
    h8_withdrawn "H5 H8" "an offer disappeared"
    h5_no_room "H5 F1" "a lane had no room for a packet of MTU length"
    h5_stopped "H5 H9" "a flow with packets was stopped by an output CAM line"
    h5_released "H5 H9" "a stopped flow was released"
    h5_two_lines_stop "H5 H9" "two stopped lines name one flow"
    f1_inj_txr_wraps "F1" "the injector's block counter wrapped"
    h2_cnp_queued "H2" "FECN was answered with a CNP"
    h2_cnp_lost "H2" "a CNP was lost, the queue of its lane being full"
    h2_cnp_lost_on_one_lane "H2" "a CNP was lost while the queue of another lane had room"
    h2_cnp_disabled "H2" "FECN with cnp_en = 0"
    h2_fecn_ack "H2" "FECN on an acknowledge is not answered"
    h2_fecn_multicast "H2" "FECN on a multicast packet is not answered"
    h2_becn_beats_fecn "H2 H3" "FECN and BECN on one packet: only the BECN counts"
    h2_cnp_ahead_of_data "H2 A2" "a CNP was granted while data was asking"
    h2_cnp_waits "H2 A2" "a CNP waited for a packet that was being sent"
    h2_cnp_lacks_credit "H2 F1" "a CNP waited for credits"
    h2_cnp_of_another_lane "H2 F1" "a CNP went while one of another lane lacked credits"
    h2_data_between_cnps "H2 A2" "data was granted although a CNP could have gone"
    h2_plain_turn "H2 A2" "cnp_plain: data had its turn while a CNP could go"
    h2_seen_set "H2" "BECN_PER: a FECN waits for the end of its message"
    h2_seen_told "H2" "BECN_PER: the end of a message without FECN told of one before it"
    h2_end_with_fecn "H2" "BECN_PER: the last packet of a message had FECN"
    h2_end_clean "H2" "BECN_PER: the end of a message in which nothing was marked: no reply"
    h2_seen_no_flow "H2" "BECN_PER: FECN from a LID that is no flow's, told at once"
    h2_seen_forgotten "H2" "a FECN not yet told was forgotten: BECN_PER was written, or cnp_en is 0"
    h2_seen_late "H2 B3" "BECN_PER: a FECN was told at the end of a later message, its own end was missing"
    h2_seen_lost "H2" "BECN_PER: the reply to a message was lost, the queue of its lane being full"
    h2_psn_wraps "H2" "BECN_PER: a message with FECN ended where the PSN's seven bits wrap"
    cl2_answer "CL2" "CTL_VL: a packet of another lane was answered on the control lane"
    cl2_one_fifo "CL2" "CTL_VL: replies to packets of several SLs waited in the FIFO of the control lane"
    cl3_reply "CL3" "CTL_VL: a reply of one flit came on the control lane"
    cl3_long "CL3 B3" "CTL_VL: a reply of another length was refused there"
    cl3_data "CL3 B3" "CTL_VL: a flit of something else was refused there"
    h2_queued "H2" "cnp_queued: a CNP joined a generation queue"
    h2_queued_no_room "H2" "cnp_queued: a CNP was lost, there are half a queue of them"
    h2_queued_no_flow "H2 B3" "cnp_queued: sticky BAD_FLOW: a CNP for a LID that is no flow's"
    h2_queued_waits_for_post "H2" "cnp_queued: a CNP waited, the host posted a packet"
    h2_queued_sent_in_dma_pause "H2" "cnp_queued: a CNP was sent while the host paused"
    h2_queued_delayed "H2 H5" "cnp_queued: a CNP at the head of its queue waited for the flow's delay"
    h2_queued_host_full "H2 H1" "cnp_queued: a packet was refused, the host has its half of the queue"
    h1_window_full "H1" "INJECT: the window became full"
    h1_window_refuses "H1 B3" "INJECT: sticky GEN_FULL: a packet was refused by the window alone"
    h1_window_blocked_post "H1" "INJECT: a packet of a flow that waits for its delay was posted: it takes no place"
    h1_window_left "H1" "INJECT: packets left their places, their flow waits for a delay"
    h1_window_left_and_post "H1" "INJECT: a packet was posted in the cycle in which others left their places"
    h1_window_accept_no_place "H1" "INJECT: a packet without a place was injected"
    h1_window_lowered "H1" "INJECT was lowered below the places taken"
    h1_window_off "H1" "INJECT was set to 0 with places taken"
    h1_window_delay_over "H1" "INJECT: the delay of a flow ended, and its packets have no place"
    h2_fecn_damaged "H2 B3" "a damaged packet with FECN was not answered"
    h2_fecn_not_whole "H2 B3" "a packet with FECN that was cut, short or long was not answered"
    h2_cnps_back_to_back "H2" "a CNP was granted while another was being emitted"
    h2_push_and_pop "H2" "a CNP was queued in the cycle in which one left"
    h3_becn "H3" "a BECN went to the throttle"
    h3_becn_cnp "H3 H2" "the BECN of a CNP"
    h3_becn_data "H3" "the BECN of a data packet"
    h3_bad_flow "H3 B3" "sticky BAD_FLOW: a BECN from a LID that is no flow's"
    h3_cnp_without_becn "H3 H2" "a CNP without BECN was consumed"
    h3_cnp_long "H3 B3" "a CNP of several flits"
    h3_cnp_damaged "H3 B3" "a damaged CNP raised nothing"
    h3_cnp_not_whole "H3 B3" "a CNP that was cut, short or long raised nothing"
    h9_hot_used "H9" "a packet waited in a hot queue"
    h9_line_drained "H9" "an input CAM line left HOT"
    b3_received "B3" "a packet was accepted for the host"
    b3_bad_received "B3" "a damaged packet was passed on to the host"
    b3_framing_first "B3" "sticky FRAMING: a first flit inside a packet"
    b3_framing_len "B3" "sticky FRAMING: an illegal length"
    b3_framing_shape "B3" "sticky FRAMING: last does not fit the length"
    b3_framing_stray "B3" "sticky FRAMING: a flit without a packet"
    b3_bad_vl "B3" "sticky BAD_VL: a packet of an unknown lane"
    b3_bad_vl_fctbs "B3 F1" "sticky BAD_VL: FCTBS of an unknown lane"
    b3_misrouted "B3" "sticky MISROUTED: a packet for another LID"
    b3_multicast "B3" "a multicast packet was accepted"
    b3_no_credit "B3 F2" "sticky NO_CREDIT: a packet that does not fit"
    b3_short "B3" "sticky FRAMING: a packet ended before its announced length"
    b3_long "B3" "sticky FRAMING: a packet did not end at its announced length"
    b3_bad_pkt "B3" "sticky BAD_PKT: a damaged packet"
    b3_skipped "B3" "a flit of a refused or overlong packet was dropped"
    b3_skip_first "B3" "a first flit while a packet was being skipped"
    b3_error_cleared "B3" "a sticky error was cleared"
    b3_error_set_wins "B3" "an error occurred in the cycle in which it was cleared"
    b3_link_down_open "B3 F1" "the link went down while a packet for the host was received"
    b3_link_down_eat "B3 F1 H2" "the link went down within a CNP"
    b3_link_down_skip "B3 F1" "the link went down while a packet was skipped"
    f1_link_down_idle "F1" "the link was down, no packet was being received"
    f1_abr_wraps "F1" "the receiver's block counter wrapped"
    f1_fctbs_repair "F1" "FCTBS corrected the block counter"
    f1_fctbs_and_flit "F1" "FCTBS and a flit of its lane in one cycle"
    f1_uncounted "F1" "a flit of an unknown lane was not counted"
    f1_no_room "F1 F2" "a credit message that offers nothing"
    f1_fc_interval_shrinks "F1" "FC_INTERVAL was set below the running counter"
    f2_full "F2" "the receive FIFO of a lane became full"
    f2_push_and_pop "F2" "the host took a flit of the lane on which one was stored"
    f2_host_waits "F2" "a received flit waited for the host"
    h1_lid_base_changed "H1" "LID_BASE was changed while packets were queued"
    ak3_ack "AK3" "an ACK was queued for a whole packet"
    ak3_damaged "AK3 B3" "an ACK was queued for a damaged packet"
    ak3_not_whole "AK3 B3" "an ACK was queued for a packet that was short or too long"
    ak3_one_flit "AK3" "an ACK was queued for a packet of one flit"
    ak3_clean "AK2 AK3" "an ACK was queued for a packet without marks"
    ak3_fecn "AK2 AK3" "an ACK was queued for a packet with FECN"
    ak3_mb "AK2 AK3" "an ACK was queued for a packet with MB alone"
    ak3_vb "AK2 AK3" "an ACK was queued for a packet with MB and VB"
    ak3_becn "AK3 H3" "an ACK was queued for a packet with BECN"
    ak3_no_cnp "AK3 H2" "a marked packet had no CNP, since ACKs are on"
    ak3_seen_forgotten "AK3 H2" "a FECN not yet told was forgotten, since ACKs are on"
    ak3_late "AK3" "an ACK was queued for a packet that began before ACKs were on"
    ak3_too_late "AK3" "a packet that began while ACKs were on ended when they were off: no ACK"
    ak3_given_up "AK3 B3" "data were given up by a first flit: no ACK"
    ak3_given_up_and_next "AK3 B3" "data were given up by a packet of one flit, which has its ACK"
    ak3_link_down "AK3 F1" "data were given up as the link went down: no ACK"
    ak3_refused "AK3 B3" "data without credit were refused: no ACK"
    ak3_multicast "AK3" "a multicast packet ended: no ACK"
    ak3_opaque "AK3" "a packet without a visible BTH ended: no ACK"
    ak3_long_psn "AK2" "an ACK was emitted with a PSN above 127"
    ak4_full "AK4" "a FIFO of replies was filled by an ACK"
    ak4_lost "AK4 AK8" "an ACK was lost, the FIFO of its lane being full"
    ak4_lost_despite_pop "AK4" "an ACK was lost although a reply left the full FIFO in the same cycle"
    ak4_lost_on_one_lane "AK4" "an ACK was lost while the FIFO of another lane had room"
    ak4_push_and_pop "AK4" "an ACK was queued in the cycle in which a reply left its FIFO"
    ak4_ahead_of_data "AK4 A2" "an ACK was granted while data were asking"
    ak4_waits "AK4 A2" "an ACK waited for a packet that was being sent"
    ak4_lacks_credit "AK4 F1" "an ACK waited on a lane without credit for an MTU"
    ak4_of_another_lane "AK4 F1" "a reply went while an ACK of another lane lacked credits"
    ak4_data_between "AK4 A2" "data were granted although an ACK could have gone"
    ak4_plain_turn "AK4 A2" "cnp_plain: data had their turn while an ACK could go"
    ak4_owed "AK4 A3" "an ACK took credit that data wait for: the next grant is theirs"
    ak4_owed_holds "AK4 A3" "an ACK did not ask, the next grant is owed to data"
    ak4_owed_no_data "AK4" "an ACK asked although a grant is owed: data ask no more"
    ak4_back_to_back "AK4" "an ACK was granted while another was being emitted"
    ak4_behind_cnp "AK4 H2" "a CNP left its FIFO, an ACK is next"
    ak4_before_cnp "AK4 H2" "an ACK left its FIFO, a CNP is next"
    ak4_link_down "AK4 F1" "an ACK waited while the link was down"
    ak5_ack "AK5" "an ACK of a flow was taken"
    ak5_back_to_back "AK5" "ACKs of flows were taken in successive cycles"
    ak5_becn "AK5 VR1" "an ACK with BECN was taken"
    ak5_mb "AK5 VR1" "an ACK with MB alone was taken"
    ak5_vb "AK5 VR1" "an ACK with MB and VB was taken"
    ak5_bad_flow "AK5 B3" "sticky BAD_FLOW: an ACK from a LID that is no flow's"
    ak5_damaged "AK5 B3" "sticky BAD_ACK: a damaged ACK"
    ak5_not_whole "AK5 B3" "sticky BAD_ACK: an ACK that was short or too long"
    ak5_given_up "AK5 B3" "sticky BAD_ACK: a first flit inside an ACK"
    ak5_link_down "AK5 F1 B3" "sticky BAD_ACK: the link went down within an ACK"
    ak5_long "AK5" "an ACK of several flits was taken"
    ak5_without_room "AK5 AK8 F2" "an ACK was taken while the receive FIFO of its lane was full"
    ak5_multicast "AK5" "a multicast ACK went to the host"
    ak5_off "AK5" "an ACK went to the host, ack_en being 0"
    ak5_late "AK5" "an ACK acted that began before ack_en became 0"
    h2_src_validated "H2" "cnp_src: MB and VB were answered with a CNP"
    h2_src_fecn "H2" "cnp_src: FECN was not answered"
    h2_src_mb "H2" "cnp_src: MB alone was not answered"
    ak4_beside_moved "AK4 H2" "cnp_queued: an ACK was granted"
    ak4_moved_and_granted "AK4 H2" "cnp_queued: an ACK was granted in the cycle in which a CNP was moved"
    ak5_throttles "AK5 H3" "the BECN of an ACK went to the throttle"
    ak6_held "AK6" "a flow with a packet was held with packets outstanding"
    ak6_opened "AK6" "a flow with a packet was held no longer"
    ak6_ack_and_accept "AK6" "an ACK in the cycle in which a packet of its flow was injected"
    ak7_stray "AK7" "sticky STRAY_ACK of the source response"
    ak7_lost "AK7" "sticky ACK_LOST of the source response"
    vr5_post "VR5" "a packet was posted to an empty queue"
    vr5_post_and_accept "VR5" "a packet was posted in the cycle in which the queue's only one left"
    h3_unheard "H3" "a BECN of a flow that no throttle hears"
    h2_queued_ignored "H2" "a CNP went its own way although cnp_queued is set"
    q3_back_to_back "Q3" "SRP: a RES or a reply was granted while one was being emitted"
    q3_before_data "Q3" "SRP: a RES or a reply was granted while packets of the host asked"
    q3_lost_with_link "Q3 F1" "SRP: a RES or a reply was granted while the link was down"
    q3_request_before_reply "Q3 F1" "SRP: a RES was granted while a reply waited for credit"
    q4_on_data_lane "Q4 B3" "SRP: sticky BAD_CLASS: a packet of the protocol on a lane of data"
    q4_on_spec_lane "Q4 B3" "SRP: sticky BAD_CLASS: a packet on the lane spec that is not speculative"
    q4_on_control_lane "Q4 B3" "SRP: sticky BAD_CLASS: a packet on the lane res or reply that has no place there"
    q4_long "Q4 B3" "SRP: sticky BAD_CLASS: a RES or a reply of several flits"
    q12_delivered "Q12" "SRP: the host took the last flit of a SPEC packet"
    q12_delivered_bad "Q12 B3" "SRP: the host took the last flit of a damaged SPEC packet"
    q12_one_flit "Q12" "SRP: the host took a SPEC packet of one flit"
    q12_held_back "Q12" "SRP: a last flit was not shown, there is no room or no turn for its ACK"
    q12_sent "Q12" "SRP: a reply was granted"
    q12_waits_for_link "Q12 F1" "SRP: a reply waited for its grant"
    q13_request "Q13" "SRP: a RES was taken"
    q13_multicast "Q13" "SRP: a RES for many was taken"
    q13_lane_full "Q13 F2" "SRP: as many RES wait as there are credits for"
    q13_comes_and_is_free "Q13 F2" "SRP: a RES came in the cycle in which the block of another became free"
    q16_grant "Q16" "SRP: a GRANT was taken"
    q16_ack "Q16" "SRP: an ACK was taken"
    q16_nack "Q16" "SRP: a NACK was taken"
    q16_back_to_back "Q16" "SRP: replies were taken in successive cycles"
    q16_no_flow "Q16 B3" "SRP: sticky BAD_FLOW: a reply from a LID that is no flow's"
    q17_spec "Q17" "SRP: the injector took a SPEC packet"
    q17_granted "Q17" "SRP: the injector took a GRANTED packet"
    q17_bypass "Q17" "SRP: the injector took a packet without reservation"
    q17_sent "Q17" "SRP: a RES was granted"
    q17_waits_for_link "Q17 F1" "SRP: a RES waited for its grant"
    q20_link_lacks_room "Q20 F1" "SRP: a lane has room in the input port, and no credit on the link"
    q20_own_queue_full "Q20 F1" "SRP: a lane of data has credit on the link and no room in the input port"
    q20_waits_for_grant "Q20" "SRP: a packet that was accepted waited for its grant"
    q20_refused "Q20 R1" "SRP: a packet was refused by the adapter's own input port: the next one may go"
    q20_granted_while_sent "Q20" "SRP: a packet was granted while its flits entered the input port"
}

/// Whether a unit with these parameters can reach the cover point (within a run of some hundred thousand cycles).
pub fn cover_applies(point_name: &str, params: &Params) -> bool {
    if params.srp || is_of_srp(point_name) {
        return params.srp && applies_with_srp(point_name, params);
    }
    match point_name {
        // Replies have one lane, on which no data ask, and do not wait with data.
        "ak4_owed" | "ak4_owed_holds" | "ak4_owed_no_data" | "ak4_beside_moved" | "ak4_moved_and_granted"
            if params.ctl_vl =>
        {
            false
        }
        "ak4_lost_on_one_lane"
        | "ak4_of_another_lane"
        | "h2_cnp_of_another_lane"
        | "h2_cnp_lost_on_one_lane"
            if params.ctl_vl =>
        {
            false
        }
        "h2_queued_ignored" => params.response || params.ctl_vl,
        name if params.ctl_vl && (name == "h2_queued" || name.starts_with("h2_queued_")) => false,
        name if name.starts_with("cl") => params.ctl_vl,
        // Section 11: what only the source response has, and what only the throttle has.
        "ak6_held"
        | "ak6_opened"
        | "ak6_ack_and_accept"
        | "ak7_stray"
        | "vr5_post"
        | "vr5_post_and_accept"
        | "h3_unheard" => params.response,
        // Data that ask are granted, or a line takes them away.
        "ak4_owed_no_data" => params.isolation,
        // Packets are given up after IRDMAX.
        "ak7_lost" => params.response && params.ts_w <= 12,
        "ak4_beside_moved" | "ak5_throttles" => !params.response,
        "ak4_moved_and_granted" => !params.response && params.vls > 1,
        name if name == "h2_queued" || name.starts_with("h2_queued_") => !params.response,
        "ak4_lost_on_one_lane" | "ak4_of_another_lane" => params.vls > 1,
        // Without isolation there are no lines; the CAM lines are what stops a flow.
        "h5_stopped" | "h5_released" | "h9_hot_used" | "h9_line_drained" => params.isolation,
        "h2_cnp_of_another_lane" | "h2_cnp_lost_on_one_lane" => params.vls > 1,
        "h5_two_lines_stop" => params.isolation && params.lines > 1,
        // Every VL that a header can name is known if a VL is derived from the DLID, or there are 16.
        "b3_bad_vl" => !params.vl_by_dest && params.vls < 16,
        _ => true,
    }
}

/// Section 13.
fn is_of_srp(point: &str) -> bool {
    point.starts_with('q')
}

/// Whether an adapter with reservation can reach it: it has no generation queues, no window, no CNPs and ACKs of before.
fn applies_with_srp(point: &str, params: &Params) -> bool {
    match point {
        "h8_withdrawn" => false,
        "b3_bad_vl" => params.vls < 16,
        "b3_link_down_eat" => false,
        name => ["c1_", "h8_", "h5_no_room", "f1_", "f2_", "b3_", "q"].iter().any(|p| name.starts_with(p)),
    }
}
