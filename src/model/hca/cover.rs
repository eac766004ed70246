//! Cover points of the adapter.

use crate::model::util::cover_points;
use crate::params::Params;

cover_points! {
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
}

/// Whether a unit with these parameters can reach the cover point (within a run of some hundred thousand cycles).
pub fn cover_applies(point_name: &str, params: &Params) -> bool {
    match point_name {
        // Without isolation there are no lines; the CAM lines are what stops a flow.
        "h5_stopped" | "h5_released" | "h9_hot_used" | "h9_line_drained" => params.isolation,
        "h2_cnp_of_another_lane" | "h2_cnp_lost_on_one_lane" => params.vls > 1,
        "h5_two_lines_stop" => params.isolation && params.lines > 1,
        // Every VL that a header can name is known if a VL is derived from the DLID, or there are 16.
        "b3_bad_vl" => !params.vl_by_dest && params.vls < 16,
        _ => true,
    }
}
