//! Cover points (`docs/reservation.md`, section 11).

use super::ops::{GRANTED, Op, SPEC};
use super::schedule::Destination;
use crate::model::util::cover_points;
use crate::params::Params;
use crate::scheme::chunk::{St, Word};

cover_points! {
    q10_free "Q10" "a RES is granted from now on, nothing being reserved"
    q10_behind "Q10" "a RES is granted from T on, which is ahead"
    q10_as_t_passes "Q10" "a RES is granted in the cycle in which tv would fall"
    q10_next_cycle "Q10" "RES are granted in two successive cycles"
    q10_t_passes "Q10" "tv falls"
    q10_too_far "Q10" "a RES waits because T would be too far ahead"
    q10_near_again "Q10" "a RES that waited for that is granted"
    q10_now_wraps "Q10" "`now` wraps while T is ahead"
    q10_t_wraps "Q10" "T wraps"
    q10_no_eps "Q10" "a RES is granted with EPS = 0"
    q10_slow_link "Q10" "a RES is granted with RX_INTERVAL above 1"
    q10_interval_0 "Q10" "a RES is granted with RX_INTERVAL = 0, which is 1"
    q10_bad_empty "Q10" "BAD_RES: no flits"
    q10_bad_size "Q10" "BAD_RES: more flits than a chunk has"
    q10_bad_time "Q10" "BAD_RES: a time that cannot be told from the past"
    q10_bad_beside_ack "Q10 Q12" "a bad RES leaves in the cycle of an ACK"
    q10_bad_when_full "Q10 Q12" "a bad RES leaves while no reply has room"
    q11_no_wait "Q11" "a GRANT with wait = 0 is made"
    q11_wait "Q11" "a GRANT with a wait is made"
    q12_ack "Q12" "an ACK is made"
    q12_nack "Q12" "a NACK is made: the packet is damaged"
    q12_ack_first "Q12" "an ACK is made while a RES is due to be answered"
    q12_grant_first "Q12" "a last flit may not be shown: it is a RES's turn"
    q12_full "Q12" "no reply has room"
    q12_full_res "Q12" "a RES waits for room for its GRANT"
    q12_full_pop "Q12" "a reply leaves a full FIFO while a RES waits for room"
    q12_push_and_pop "Q12" "a reply comes and one leaves in the same cycle"
    q12_out_waits "Q12" "a reply is offered and not taken"
    q12_end_lost "Q12" "END_LOST"
    q13_left "Q13" "a RES leaves, its block is free"
    q13_comes_and_leaves "Q13" "a RES comes in the cycle in which one leaves"
    q13_full "Q13" "RES_FULL"
    q13_full_leaves "Q13" "RES_FULL in a cycle in which one leaves"
    q14_post "Q14" "a message is posted"
    q14_bad_flow "Q14" "BAD_MSG: no such flow"
    q14_no_packets "Q14" "BAD_MSG: no packets"
    q14_bad_last "Q14" "BAD_MSG: a last packet of no length or too long"
    q14_full "Q14" "GEN_FULL"
    q14_full_pop "Q14" "GEN_FULL in a cycle in which a message of the flow begins"
    q14_beside_pop "Q14" "a post in the cycle in which the flow's only message begins"
    q15_whole "Q15" "a chunk that is not the message's last"
    q15_one_left "Q15" "a last chunk of one packet behind others, reserved"
    q15_short_last "Q15" "the last packet is shorter than MTU"
    q15_id_wraps "Q15" "a chunk of number 0 behind 8191"
    q15_psn_wraps "Q15" "the PSN wraps within a message"
    q15_run_0 "Q15" "a chunk begins with NMAX_RUN = 0, which is 1"
    q15_run_above "Q15" "a chunk begins with NMAX_RUN above NMAX"
    q15_run_moved "Q15" "NMAX_RUN changes while a chunk is under way"
    q15_other_length "Q15" "a whole chunk has another length than the one before"
    q15_bypass_short "Q15" "a message shorter than NMIN needs no reservation"
    q15_bypass_off "Q15" "a message needs no reservation: srp_en = 0"
    q15_just_reserved "Q15" "a message of NMIN packets is reserved"
    q15_bypass_in_pieces "Q15" "a bypass goes in more than one piece"
    q15_done "Q15" "a message is done"
    q16_spec_on "Q16" "a RES left: its flow sends speculatively"
    q16_spec_off "Q16" "a RES left: its flow waits, spec_off = 1"
    q16_all_sent "Q16" "all of a chunk is sent as SPEC before the GRANT"
    q16_grant_in_spec "Q16" "a GRANT in SPEC"
    q16_grant_in_stop "Q16" "a GRANT in STOP"
    q16_grant_all_sent "Q16" "a GRANT when all is sent and some is not answered"
    q16_grant_all_acked "Q16" "a GRANT when all is acknowledged"
    q16_ack_in_spec "Q16" "an ACK in SPEC"
    q16_ack_in_stop "Q16" "an ACK in STOP"
    q16_ack_in_wait "Q16" "an ACK in WAIT"
    q16_ack_in_go "Q16" "an ACK in GO"
    q16_nack_in_spec "Q16" "a NACK in SPEC: STOP"
    q16_nack_in_stop "Q16" "a NACK in STOP"
    q16_nack_in_wait "Q16" "a NACK after the GRANT"
    q16_nack_in_go "Q16" "a NACK after due, with others to be sent"
    q16_nack_all_sent "Q16" "a NACK after due, when all else was sent"
    q16_ack_then_nack "Q16" "ACK and NACK of one flow in successive cycles"
    q16_nack_then_ack "Q16" "NACK and ACK of one flow in successive cycles"
    q16_reply_runs "Q16" "replies of one flow in successive cycles, all act"
    q16_not_due "Q16" "W before due"
    q16_due "Q16" "W in the cycle that is due"
    q16_due_late "Q16" "W behind due"
    q16_due_all_sent "Q16" "due, with nothing left to be sent"
    q16_done_in_wait "Q16" "a chunk is done before its time"
    q16_done_in_go "Q16" "a chunk is done in GO"
    q16_dropped_first "Q16" "a packet that was dropped goes before one that was not sent"
    q16_dropped_alone "Q16" "a packet that was dropped goes as the last one"
    q16_stale_id "Q16" "a reply for another chunk"
    q16_stale_bypass "Q16" "a reply for a chunk without reservation"
    q16_stale_grant "Q16" "a GRANT in another state"
    q16_stale_state "Q16" "an ACK or NACK in another state"
    q16_stale_seq "Q16" "an ACK or NACK of a packet that the chunk does not have"
    q16_stale_packet "Q16" "an ACK or NACK of a packet that waits for none"
    q16_bad_kind "Q16" "BAD_REPLY: kind 0"
    q16_bad_flow "Q16" "BAD_REPLY: no such flow"
    q17_res "Q17" "a RES leaves"
    q17_res_waits "Q17" "a RES is offered and not taken"
    q17_turn "Q17" "RES: the round robin wraps"
    q17_others_wait "Q17" "a flow waits to ask while another's RES is on offer"
    q18_zero "Q18" "a GRANT with wait = 0"
    q18_short "Q18" "a GRANT with a wait that is over"
    q18_long "Q18" "a GRANT with a wait longer than the round trip"
    q18_plain "Q18" "a GRANT with rtt_comp = 0"
    q18_too_long "Q18" "a GRANT with a wait that cannot be told from the past: BAD_REPLY"
    q18_due_wraps "Q18" "due lies behind the wrap of `now`"
    q19_reply_first "Q19" "a reply takes the slot of another op"
    q19_beside_bad "Q19" "a bad reply takes no slot"
    q19_four_wait "Q19" "four classes can go in one cycle"
    q19_skips "Q19" "the class whose turn it is cannot go, and another does"
    q19_told_before "Q19" "B, and a reply has told the flow before"
    q19_told_by_reply "Q19" "a reply of the flow whose B waits does the B"
    q19_grant_before_b "Q19 Q16" "that reply is the GRANT"
    q19_busy_wake "Q19" "W does not go: the flow that it would look at is busy"
    q19_busy_ask "Q19" "E, which else could go, does not: its flow is busy"
    q19_busy_send "Q19" "S, which else could go, does not: its flow is busy"
    q19_busy_begin "Q19" "P does not go: its flow is busy"
    q20_spec "Q20" "a packet is chosen as SPEC"
    q20_granted "Q20" "a packet is chosen as GRANTED"
    q20_bypass "Q20" "a packet is chosen as bypass"
    q20_granted_first "Q20" "a granted packet goes before a speculative one"
    q20_spec_for_lack "Q20" "a speculative packet goes while a granted one lacks credits of the link"
    q20_spec_held "Q20" "a speculative packet with room is not chosen, for a granted one that lacks room in the adapter alone"
    q20_other_lane "Q20" "a granted packet goes past one that lacks room on its lane"
    q20_two_lanes "Q20" "granted packets of two lanes could go"
    q20_turn "Q20" "granted: the round robin of a lane wraps"
    q20_spec_turn "Q20" "speculative: the round robin wraps"
    q20_no_spec_room "Q20" "a speculative packet lacks room"
    q20_ungranted "Q20" "a packet waits for one in the adapter's queues"
    q20_offer_waits "Q20" "a packet is offered and not taken"
    q20_grant_meanwhile "Q20" "a GRANT acts while a SPEC packet of its flow is on offer"
    q20_sl_moved "Q20" "the SL changes between choice and offer: the lane stays"
    q20_attr "Q20" "an SL is written"
    q20_bad_attr "Q20" "BAD_ADDR"
    q14_merge "Q14" "a post becomes part of the message before"
    q14_merge_full "Q14" "a post to a full queue does"
    q14_merge_few "Q14" "a post does not: fewer than two messages wait"
    q14_merge_short "Q14" "a post does not: the message before ends with a short packet"
    q14_merge_gap "Q14" "a post does not: its PSN does not follow"
    q14_merge_long "Q14" "a post does not: both have too many packets"
    q14_merge_pop "Q14" "a post does not: a message of the flow begins"
    q15_walk_off "Q15" "a packet walks in, walkin = 0"
    q15_walk_free "Q15" "a packet walks in, and is booked from now on"
    q15_walk_behind "Q15" "a packet walks in, and is booked from T on"
    q15_walk_far "Q15" "a packet walks in, and T is too far ahead"
    q15_walk_yields "Q15" "a packet walks in, and is not booked: a RES would have to wait longer"
    q15_walk_and_grant "Q15" "a packet walks in and is booked as a RES is granted"
    q21_fast "Q21" "granted time is used for what is not answered"
    q21_due_again "Q21" "inorder = 1: a flow is due, and something is not answered: it goes again"
    q21_spec_next "Q21" "inorder = 1; look: a SPEC packet is the next one"
    q21_spec_early "Q21" "inorder = 1; look: a SPEC packet is not the next one, and dropped for that"
    q21_spec_first "Q21" "inorder = 1; look: a SPEC packet is dropped since it is not known which one is the next"
    q21_pass "Q21" "pass, see_ok"
    q21_pass_not_ok "Q21" "pass, the packet is not whole and good"
    q21_order_ends "Q21" "a RES with I, see_ok: nv was 1"
    q21_psn_wraps "Q21" "next becomes 0 by a mark or pass"
    q22_late_spec "Q22" "W finds a flow late in SPEC, and acts"
    q22_late_stop "Q22" "W finds a flow late in STOP, and acts"
    q22_late_wait "Q22" "W finds a flow late in WAIT, and acts"
    q22_late_go "Q22" "W finds a flow late in GO, and acts"
    q22_late_nothing "Q22" "W finds a flow that is late and has lost nothing, and is not due"
    q22_not_late "Q22" "RTO > 0: W finds a flow that is neither due nor late"
    q22_due_and_late "Q22" "W finds a flow that is due and late: GO first"
    q22_res_again "Q22" "a RES with R leaves"
    q22_res_init "Q22" "a RES with I leaves"
    q22_res_init_again "Q22" "a RES with I and R leaves"
    q22_told_late "Q22" "B does not find its flow in RESO"
    q22_grant_in_resw "Q22" "a GRANT in RESW: the RES does not leave again"
    q22_grant_in_reso "Q22" "a GRANT in RESO"
    q22_sent_again "Q22" "a packet is chosen with R"
    q22_ack_again "Q22" "an ACK of a packet with R"
    q22_ack_before "Q22" "an ACK of a packet that was to go with R"
    q22_ack_in_res "Q22" "an ACK in RESW or RESO"
    q22_nack_again "Q22" "a NACK with R: the packet goes once more"
    q22_nack_first "Q22" "a NACK without R of a packet that went with R"
    q22_id_stays "Q22" "a chunk without reservation behind one with"
    q22_learnt "Q22" "a GRANT with I: the flow has learnt its number"
    q22_id_goes_on "Q22" "a GRANT with I: another number than the flow had"
    q22_stale_plain "Q22" "a GRANT without I for a flow that needs one"
    q22_stale_init "Q22" "a GRANT with I for a flow that has had one"
    q22_quiet "Q22" "a flow does not ask: RTO cycles have not passed since reset"
    q22_grant_init "Q22" "a GRANT with I is made"
    q22_look_unknown "Q22" "look: a source of which nothing is known"
    q22_look_newer "Q22" "look: a newer chunk"
    q22_look_first "Q22" "look: a packet that has not come"
    q22_look_taken "Q22" "look: a packet that has come is dropped and answered"
    q22_look_old "Q22" "look: a packet of a chunk that is done is dropped"
    q22_mark_unknown "Q22" "mark: of a source of which nothing is known"
    q22_mark_newer "Q22" "mark: of a newer chunk"
    q22_mark_more "Q22" "mark: one more of the chunk"
    q22_mark_twice "Q22" "mark: one that is marked"
    q22_mark_old "Q22" "mark: of an older chunk"
    q22_mark_not_ok "Q22" "mark: the packet is not whole and good"
    q22_one_flit "Q22" "look and mark in one"
    q22_res_unknown "Q22" "a RES of a source of which nothing is known"
    q22_res_newer "Q22" "a RES for a newer chunk"
    q22_res_same "Q22" "a RES for the chunk that is known"
    q22_res_old "Q22" "a RES for an older one is dropped"
    q22_res_not_ok "Q22" "a RES that is not good"
    q22_init_unknown "Q22" "a RES with I of a source of which nothing is known"
    q22_init_known "Q22" "a RES with I of another"
    q22_id_wraps "Q22" "a newer chunk has a smaller number"
    q22_see_again "Q22" "an op of the source whose word was written in the cycle before"
    c1_read "C1" "a register is read"
    c1_read_and_write "C1" "a register is read in the cycle of a write"
    c1_read_errors "C1" "the errors are read"
    c1_read_error "C1" "the errors are read, and there is one"
    c1_read_counter "C1" "a counter is read"
    c1_read_counted "C1" "a counter is read that has counted"
    c1_read_none "C1" "a number without a register is read"
    c1_read_as_written "C1" "a register is read that acts as another value"
    b3_counter_full "B3" "a counter is at its largest value and counts"
    b3_error_cleared "B3" "a sticky error is cleared"
    b3_error_set_wins "B3" "a sticky error is set in the cycle that clears it"
}

/// Says whether a point can be hit at all with these parameters.
pub fn cover_applies(point: &str, p: &Params) -> bool {
    let longest = (p.nmax * p.mtu * 2 * 15) as u64;
    match point {
        "q10_bad_time" => longest >= 1 << (p.now_w - 1),
        // Long times need more cycles than a run has.
        "q10_too_far" | "q10_near_again" | "q10_now_wraps" | "q10_t_wraps" | "q18_due_wraps" => p.now_w <= 20,
        "b3_counter_full" => p.cnt_w <= 10,
        // The two have more packets than a run.
        "q14_merge_long" => false,
        "q15_walk_yields" => longest > 1 << (p.now_w - 2),
        "q15_walk_far" => p.now_w <= 16 || p.flows * p.nmax * p.mtu <= 4096,
        _ if point.starts_with("q21_") || point.starts_with("q22_") => p.dedup,
        "q15_other_length" | "q15_whole" | "q15_one_left" => p.nmax > 1,
        "q15_short_last" | "q14_bad_last" => p.mtu > 1,
        "q20_other_lane" | "q20_two_lanes" | "q20_sl_moved" => p.data_lanes() > 1,
        _ => true,
    }
}

/// Points hit by what may be worked out more than once in a cycle.
#[derive(Clone, Copy, Default)]
pub(super) struct Hits([u64; 4]);

impl Hits {
    pub(super) fn hit(&mut self, point: Cover) {
        self.0[point as usize / 64] |= 1 << (point as usize % 64);
    }

    pub(super) fn hit_if(&mut self, happened: bool, point: Cover) {
        if happened {
            self.hit(point);
        }
    }

    /// Adds them to the counts.
    pub(super) fn add_to(&self, counts: &mut [u64]) {
        for (w, bits) in self.0.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                counts[w * 64 + bits.trailing_zeros() as usize] += 1;
                bits &= bits - 1;
            }
        }
    }

    /// Packet `i` of a chunk is chosen.
    pub(super) fn sent(&mut self, w: &Word, kind: u32, i: u32) {
        self.hit(match kind {
            SPEC => Cover::q20_spec,
            GRANTED => Cover::q20_granted,
            _ => Cover::q20_bypass,
        });
        let more = w.todo & !(1 << i);
        let behind = (u64::MAX >> (64 - w.n)) & !((2u64 << i).wrapping_sub(1));
        let dropped = kind == GRANTED && more != behind;
        self.hit_if(dropped && more != 0, Cover::q16_dropped_first);
        self.hit_if(dropped && more == 0, Cover::q16_dropped_alone);
    }

    /// An ACK or NACK acts.
    pub(super) fn answered(&mut self, w: &Word, nack: bool) {
        self.hit(match (w.st, nack) {
            (St::ResWanted | St::ResOut, _) => Cover::q22_ack_in_res,
            (St::Spec, false) => Cover::q16_ack_in_spec,
            (St::Stop, false) => Cover::q16_ack_in_stop,
            (St::Wait, false) => Cover::q16_ack_in_wait,
            (_, false) => Cover::q16_ack_in_go,
            (St::Spec, true) => Cover::q16_nack_in_spec,
            (St::Stop, true) => Cover::q16_nack_in_stop,
            (St::Wait, true) => Cover::q16_nack_in_wait,
            (_, true) if w.todo == 0 => Cover::q16_nack_all_sent,
            (_, true) => Cover::q16_nack_in_go,
        });
    }

    /// A GRANT acts: its wait, cycles since the RES.
    pub(super) fn granted(&mut self, w: &Word, wait: u64, gone: u64, comp: bool) {
        self.hit(match w.st {
            St::Spec => Cover::q16_grant_in_spec,
            St::ResWanted => Cover::q22_grant_in_resw,
            St::ResOut => Cover::q22_grant_in_reso,
            _ => Cover::q16_grant_in_stop,
        });
        self.hit_if(w.todo == 0 && w.out != 0, Cover::q16_grant_all_sent);
        self.hit_if(w.todo == 0 && w.out == 0, Cover::q16_grant_all_acked);
        self.hit_if(wait == 0, Cover::q18_zero);
        self.hit_if(comp && wait > 0 && wait <= gone, Cover::q18_short);
        self.hit_if(comp && wait > gone, Cover::q18_long);
        self.hit_if(!comp && wait > 0, Cover::q18_plain);
    }
}

/// What happened in the cycle before (coverage only).
#[derive(Clone, Copy, Default)]
pub(super) struct Past {
    /// Its op in O1, if that was a reply that acted.
    pub(super) reply: Option<Op>,
    pub(super) granted: bool,
    pub(super) too_far: bool,
}

impl Destination {
    /// T is ahead.
    pub(super) fn reserved(&self) -> bool {
        self.busy_until.is_some()
    }
}
