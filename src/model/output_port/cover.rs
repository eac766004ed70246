//! Cover points of the output port.

use crate::model::util::cover_points;
use crate::params::Params;

cover_points! {
    c1_read "C1" "a register was read"
    c1_read_and_write "C1" "a register was read in the cycle of a write to it: the old value"
    c1_read_as_written "C1" "a register was read that acts as another value"
    c1_read_lfsr "C1" "the LFSR was read"
    c1_read_errors "C1" "the errors were read through ERR_CLEAR"
    c1_read_error "C1" "the errors were read while there was one"
    c1_read_counter "C1" "a counter was read"
    c1_read_counted "C1" "a counter was read that has counted"
    c1_read_none "C1" "a number that is not listed was read"
    b2_packet_sent "B2" "a first flit went to the link"
    b2_paced "B2" "a cycle in which a slow link does not move (TX_INTERVAL > 1)"
    b2_interval_shrinks "B2" "TX_INTERVAL shrank below the running phase"
    b2_tx_interval_0_is_1 "B2" "TX_INTERVAL written as 0"
    b3_bad_passed "B3" "a flit marked bad was passed on"
    b3_bad_line "B3" "sticky BAD_LINE: a message for a line that is not there"
    b3_bad_vl_msg "B3" "sticky BAD_VL by a message"
    b3_bad_vl_fccl "B3 F1" "sticky BAD_VL by a credit message"
    b3_framing_no_last "B3" "sticky XB_FRAMING: a first flit while a packet was open"
    b3_framing_no_first "B3" "sticky XB_FRAMING: a stray flit with no packet open"
    b3_framing_vl "B3" "sticky XB_FRAMING: a packet on a VL that is not there"
    b3_longer_than_header "B3 F1" "a packet with more flits than its header says"
    b3_error_cleared "B3" "a sticky error was cleared"
    b3_error_set_wins "B3" "an error occurred in the cycle in which it was cleared"
    b3_dropped "B3 F1" "a flit from the crossbar was dropped: the link is down"
    b3_dropped_late "B3 F1" "a flit was dropped after the link had come up again"
    b3_link_down_due_1 "B3 F1" "the link went down with one packet on its way over the crossbar"
    b3_link_down_due_2 "B3 F1" "the link went down with two packets on their way"
    b3_link_down_open "B3 F1" "the link went down within a packet"
    b3_granted_in_link_down "B3 A1" "a grant while the link was down: the packet is dropped"
    b3_granted_behind_dropped "B3 A1" "a grant, the link being up, behind a packet that is dropped"
    f1_link_down "F1" "the link went down"
    f1_link_glitch "F1" "the link was down for one cycle"
    f1_link_down_ignores "F1" "a credit message or another message while the link was down"
    f1_credit_again "F1" "credit came after the link was down"
    f1_fccl "F1" "a credit message was taken"
    f1_fccl_wrap "F1" "FCCL went forward past 4096"
    f1_txr_wrap "F1" "TXR went past 4096 by a grant"
    f1_txr_borrow "F1" "TXR went below 0 by a correction"
    f1_fctbs_wrap "F1" "FCTBS went past 4096"
    f1_does_not_fit "F1" "a request lacked credits"
    f1_half_range_refused "F1" "a request refused because FCCL was not ahead of TXR within half the range"
    f1_short_waits_for_mtu "F1 A3" "a request that its own length fits waited for the credit of an MTU"
    f1_last_credit "F1" "a grant with credit for exactly an MTU"
    f1_half_range_edge "F1" "a grant with exactly 2048 credits beyond an MTU"
    f1_txr_corrected "F1 B3" "a short packet gave back credits, no grant in the cycle"
    f1_txr_corrected_with_grant "F1 B3" "correction and grant on one VL in one cycle"
    f1_txr_corrected_other_grant "F1 B3" "correction on one VL and grant on another in one cycle"
    f1_fctbs_message "F1" "an FCTBS message"
    f1_fctbs_other_vl "F1" "an FCTBS message of a VL other than 0"
    f1_fctbs_excludes_shown "F1" "an FCTBS message while a flit of its VL is shown"
    f1_fc_interval_shrinks "F1" "FC_INTERVAL shrank below the running counter"
    f1_fc_interval_0_is_1 "F1" "FC_INTERVAL written as 0"
    a1_grant "A1" "a grant"
    a1_longest_ago "A1 A3" "data went that were served longer ago than those of an input with a lower number"
    a1_rr_wraps "A1" "the winner of CNPs lies before the pointer of its VL"
    a1_vl_wraps "A1" "the winner's VL lies before the VL pointer of its class"
    a1_several_vls "A1" "several VLs had fitting requests of the class"
    a1_grant_taken "A1" "ONE_QUEUE: the proposal was taken"
    a1_grant_not_taken "A1" "ONE_QUEUE: the proposal was not taken, and nothing else"
    a1_other_taken "A1" "ONE_QUEUE: another request than the proposed one was taken: the pointer stays"
    a1_take_ignored "A1" "ONE_QUEUE: a take without a request that could be served"
    a1_take_several "A1" "ONE_QUEUE: several requests taken, the lowest counted"
    a1_take_despite_prop "A1 E3" "ONE_QUEUE: a request was taken in the cycle of a prop"
    a1_elig "A1" "ONE_QUEUE: a request besides the granted one was eligible for a later iteration"
    a1_elig_one_class "A1 A2" "ONE_QUEUE: a request was not eligible beside one of the other class"
    a1_elig_not_told "A1 E3" "ONE_QUEUE: a request that was to be told was not eligible"
    r1_lane_of_dest "R1" "VL_BY_DEST: the lane of the destination is not the header's VL"
    a2_busy "A2" "requests wait while a packet crosses"
    a2_end_waits_for_link "A2 B2" "the last flit of a packet waits for a slow link"
    a2_grant_at_end "A2" "a grant in the cycle of xb_end"
    a2_plain_cnp_over_data "A2" "cnp_plain: a CNP had its turn before data that fits"
    a2_plain_data_over_cnp "A2" "cnp_plain: data had its turn before a CNP that fits"
    a2_plain_lacks_mtu "A2 F1" "cnp_plain: a CNP waited for the credit of an MTU, with that of its own length"
    a2_plain_passed_cleared "A2 A3" "cnp_plain was set while data had let CNPs pass: that is forgotten"
    a2_plain_elig "A2 A1" "ONE_QUEUE, cnp_plain: a CNP was eligible beside data, or data beside a CNP"
    a2_cnp_over_data "A2" "a CNP won over data that fits"
    a2_several_cnps "A2" "a CNP won among several"
    a2_data_while_cnp_lacks_credit "A2 F1" "data won while a CNP of another VL waited that did not fit"
    a2_cnp_own_credit "A2 F1" "a CNP was granted with less credit than for an MTU"
    a3_cnp_passed_32 "A3 A2" "data won because it had let 32 CNPs pass"
    a3_cnp_withheld "A3 A2" "a CNP that fits was withheld: data of its VL had let 32 CNPs pass"
    a3_cnp_withheld_for_credit "A3 A2 F1" "and the data lacked credit for an MTU"
    a3_fresh_by_go "A3 E5" "GO ended a line's stop: the inputs take turns"
    a3_fresh_by_alloc "A3 E5" "ALLOC of the same tree ended a line's stop"
    a3_fresh_stopped "A3 E5" "a line was stopped again before the turn was used"
    a3_lost_turn "A3 E6" "a turn was lost: a drawn input goes to the front of the order"
    a3_lost_stopped "A3 E6" "a turn was lost: another tree took the place of a line that was stopped"
    a3_lost_closing "A3 E6" "a turn was lost: another tree took the place of a line that stayed for it"
    a3_lost_expired "A3 E8" "a turn was lost: a line that stayed for it ended again"
    a3_lost_with_all "A3 E6" "a turn was lost: isolation was switched off, or the link fell"
    a3_turns_of_two "A3 E6" "a grant used the turns of two lines that it matches"
    a3_lost_several "A3 E8" "turns of several lines were lost in one cycle"
    a3_lost_at_grant "A3 E6" "a turn was lost in the cycle of a grant of data of the VL"
    a3_fresh_other_tree "A3 E6" "a line became another tree's before the turn was used"
    a3_turn_used "A3 E5" "the turn after a stop was used: a packet of the line was granted"
    a3_turn_skips "A3 E5" "by an input behind the one that the pointer names"
    a3_turn_drawn "A3 E6" "another tree than the last one came to a free line: its turns begin with a drawn input"
    a3_turn_drawn_in_place "A3 E6" "the same, to a line in which the other one still was"
    a3_turn_drawn_at_use "A3 E6" "the same, in the cycle in which a turn of that one was used"
    a3_turn_kept "A3 E6" "a tree came back to its line: its turns go on"
    a3_turn_used_by_bound "A3 E5" "the turn was used by a packet of a queue bound to the line, which does not match it as its lowest"
    a3_closing_stopped "A3 E6" "a tree went while its line was stopped and a packet waited: the line stays for the turn"
    a3_closing_fresh "A3 E6" "a tree went while a turn was due and a packet waited: its line stays for that"
    a3_closing_used "A3 E6" "the turn of a line whose tree is gone was used: the line was freed"
    a3_closing_unawaited "A3 E6" "nobody waits any more for a line whose tree is gone: it was freed, and its turn lost"
    a3_ends_unawaited "A3 E6" "a line with a turn that was due, for which nobody waits, was freed at once"
    a3_ol_wait "A3 E5" "an input waited for another one's turn after a stop"
    a3_held_by_fresh "A3 E5" "the winner was held: after the stop of its line another input's turn comes first"
    a3_single_requester "A3" "the only requester won twice running"
    a3_all_ask "A3" "a grant while every input and VL asked"
    e3_prop_winner "E3" "the winner was told of a tree instead of being granted"
    e3_prop_scan "E3" "the scan told an input of a tree"
    e3_prop_new_line "E3" "an input was told of a line that it did not know"
    e3_prop_known_line "E3" "an input was told of a destination of a line that it knew"
    e6_prop_relinks_hot "E6" "a hot request without a line was linked again"
    e3_lowest_line "E3" "two lines matched, the lowest was taken"
    e3_hops_at_limit "E3" "hops was already 63"
    e3_cnp_never_matches "E3 A2" "a CNP to a listed destination was granted"
    e3_other_vl_no_match "E3" "a destination listed on another VL only"
    e3_scan_no_match "E3" "the scan found a request of no tree"
    e3_scan_not_told "E3 E7" "the scan found a request of a tree that cannot be told"
    e3_scan_wraps "E3" "the scan pointer wrapped"
    e3_scan_without_credit "E3" "scan while the output was free but nothing fitted"
    e3_closing_not_told "E3 E6" "a request of a line whose tree is gone was not told of it, though it could be"
    e5_winner_held "E5" "a cold winner was not granted: a line of its destination holds it"
    e5_held_hot "E5" "a hot winner was not granted: a line of its destination holds it"
    e5_held_by_other_line "E5 E3" "the line that holds is not the lowest that matches"
    e5_held_after_32_cnps "E5 A3" "data had its turn after 32 CNPs and was held"
    e5_held_one_queue "E5" "ONE_QUEUE: a request took no part, for a line holds it"
    e5_held_passed "E5 A3" "ONE_QUEUE: another request was served past one that is held"
    e6_hot_linked_granted "E6" "a linked hot request of a tree was granted"
    e6_drain_served_while_matched "E6 A3" "a hot request that asks for no link and whose input knows no such line was granted"
    e6_hold_no_match "E6" "a request did not match: the line of its destination is away"
    e7_no_line "E7" "a cold request of a tree was granted: its input had no line or HPQ left"
    e7_dlist_full "E7" "a cold request of a tree was granted: the dList of its line was full"
    e7_closing_not_counted "E7 E6" "a cold request of a line whose tree is gone was granted"
    d2_several_contributors "D2" "more than one input contributed"
    d2_leave "D2" "the congestion state was left"
    d3_root_enters "D3" "the congestion state was entered by a root"
    d3_victim_refused "D3" "a victim did not enter the congestion state"
    d3_victim_leaves "D3" "the congestion state was left because a packet had waited for credits"
    d3_victim_mask_enters "D3" "a victim entered it by Victim_Mask"
    d3_victim_mask_stays "D3" "a victim stayed in it by Victim_Mask"
    d3_waited "D3" "a packet began to wait for credits"
    d3_root_lost "D3" "a packet that had waited for credits was granted: no root"
    d3_root_again "D3" "a packet that found its credits was granted: a root again"
    d6_without_credit "D6" "root_now: contributions, and no credit for an MTU: not congested"
    d6_spent "D6" "root_now: and the last packet had found its credits"
    d6_credit_again "D6" "root_now: congested, with credit, though the last packet had waited for some"
    d6_leaves "D6" "root_now: the congestion state was left for want of credit"
    cl1_by_lane "CL1" "CTL_VL: what is no CNP was served on the control lane"
    cl1_cnp_as_data "CL1" "CTL_VL: a CNP was served on a lane of data"
    cl1_over_data "CL1 A2" "CTL_VL: a control packet went before data that fits"
    cl1_data_lack_credit "CL1 F1" "CTL_VL: a control packet went while data lacked credit"
    cl1_data_after_32 "CL1 A3" "CTL_VL: data had its turn after 32 control packets"
    cl1_plain "CL1" "CTL_VL, cnp_plain: the control lane had its turn among lanes of data"
    d5_sum_set "D5" "the sum went above the threshold"
    d5_sum_clear "D5" "the sum went below the threshold"
    d5_mean_set "D5" "sum times contributors went above the threshold"
    d5_mean_clear "D5" "sum times contributors went below the threshold"
    d5_mean_only "D5" "the product was above the threshold and the sum alone was not"
    d5_hold_set "D1 D5" "between the thresholds, held set"
    d5_hold_clear "D1 D5" "between the thresholds, held clear"
    d5_set_wins "D5" "above the high and below the low threshold (misconfigured)"
    d5_sum_lth_0_is_1 "D5" "SUM_LTH written as 0"
    d5_eval_3_is_0 "D5" "evaluation written as 3"
    m1_marked "M1" "a packet was marked"
    m1_marked_behind_grh "M1" "a packet with a GRH was marked"
    m1_marking_off "M1" "a packet in the congestion state with marking off"
    m1_not_congested "M1 D2" "a packet out of the congestion state with marking on"
    m1_no_bth "M1" "a packet without visible BTH in the congestion state"
    m1_cnp "M1" "a CNP in the congestion state"
    m1_ack "M1" "an ACK in the congestion state"
    m1_multicast "M1" "a multicast in the congestion state"
    m1_too_small "M1" "a packet smaller than Packet_Size in the congestion state"
    m1_just_big_enough "M1" "a packet of exactly Packet_Size in the congestion state"
    m1_at_once_differs "M1 D1" "at_once: the state that the packet's own grant leaves was not cong_state"
    m1_at_once_marks "M1 D1" "at_once: a packet was eligible by it that was not by cong_state"
    m1_at_once_spares "M1 D1" "at_once: a packet was not eligible by it that was by cong_state"
    d3_root_held_own "D3 M1" "at_once: a grant behind the packet has changed the root test meanwhile"
    m2_counter_mark "M2" "counter mode marked"
    m2_counter_pass "M2" "counter mode passed"
    m2_counter_returns "M2" "the counter went back to 0 from above 0"
    m2_probability_mark "M2" "probability mode marked"
    m2_probability_pass "M2" "probability mode passed"
    m2_rarest_rate "M2" "probability mode marked at the rarest rate"
    m2_fraction_mark "M2" "fraction mode marked"
    m2_fraction_pass "M2" "fraction mode passed"
    m2_mode_3_is_0 "M2" "marking mode written as 3"
    m2_seed "M2" "the LFSR was seeded"
    m2_seed_0_is_1 "M2" "the LFSR was seeded with 0"
    m2_seed_beats_step "M2" "a seed in the cycle of an eligible packet"
    m3_marked_upstream_is_eligible "M3" "an already marked packet was eligible"
    m3_fecn_kept "M3" "an already marked packet was not marked here and kept its FECN"
    e3_alloc_new "E3" "ALLOC made a line"
    e3_alloc_update "E3" "ALLOC refreshed a line"
    e3_alloc_other_vl "E3" "ALLOC of another VL replaced a line"
    e3_dcnt_clamped "E3" "ALLOC with more destinations than a line holds"
    e5_stop_hit "E5" "STOP for a line"
    e5_stop_miss "E5" "STOP for no line, or another VL's"
    e5_go_hit "E5" "GO for a line"
    e5_go_miss "E5" "GO for no line, or another VL's"
    e6_line_replaced "E6 E3" "ALLOC of another tree replaced a line, which is away for two cycles"
    e6_list_not_continued "E6 E3" "ALLOC of the same root with a list that the old one does not begin"
    e6_hold_alloc "E6" "ALLOC for a line that was freed in the last two cycles"
    e6_hold_message "E6" "ALLOC, STOP or GO for a line that is away"
    e6_dealloc_hit "E6" "DEALLOC freed a line"
    e6_dealloc_miss "E6" "DEALLOC for no line, or another VL's"
    e6_closing_alloc "E6 A3" "ALLOC of the same tree for a line that stays for its turn"
    e6_closing_replaced "E6 A3" "ALLOC of another tree for a line that stays for its turn"
    e6_closing_kept "E6 A3" "ALLOC in the cycle in which such a line would be freed"
    e6_closing_ignores "E6 A3" "STOP or GO for a line that stays for its turn"
    e6_closing_ends_again "E6 A3" "DEALLOC of a line that stays for its turn, or its timer, freed it"
    e6_isolation_off_frees "E6" "isolation was switched off with lines valid"
    e6_isolation_off_ignores "E6" "a message while isolation is off"
    e6_link_down_frees "E6 F1" "the link went down with lines valid"
    e8_expiry "E8" "a line's timer freed it"
    e8_several_expire "E8" "several lines expired in one cycle"
    e8_message_at_expiry "E8" "a message saved a line in its expiry cycle"
    e8_dealloc_at_expiry "E8 E6" "DEALLOC in the expiry cycle"
    e8_expiry_despite_miss "E8" "a line expired although an ignored message for it came"
    e8_line_timer_0_is_1 "E8" "LINE_TIMER written as 0"
    e8_line_timer_saturated "E8" "LINE_TIMER written beyond its width"
    sm4_enter_one "SM4" "one packet entered"
    sm4_enter_all "SM4" "a packet entered at every input"
    sm4_enter_and_leave "SM4" "packets entered while one left"
    sm4_leaves_unmarked "SM4" "a packet left that no count marks"
    sm4_leave_at_0 "SM4" "a packet left that was not counted"
    sm4_full "SM4" "the count stayed at its end"
    sm4_leave_unmarkable "SM4" "a packet left that is not counted, for it is not markable"
    sm4_leave_dropped "SM4 B3" "a packet that was dropped left"
    sm4_copy_at_0 "SM4" "a trigger with nothing to be marked"
    sm4_copy_between "SM4" "a trigger with some of those that wait to be marked"
    sm4_copy_same "SM4" "a trigger with all that wait to be marked"
    sm4_trigger_with_leave "SM4" "a trigger in the cycle in which a packet left"
    sm4_trigger_with_enter "SM4" "a fill in the cycle in which packets entered"
    sm4_two_fills "SM4" "two inputs filled in one cycle"
    sm4_last_mark_with_enter "SM4" "the last packet to be marked left while others entered"
    sm5_out_th "SM5" "an arrival left more than OUT_TH packets"
    sm5_at_out_th "SM5" "an arrival left exactly OUT_TH packets: no trigger"
    sm5_both_triggers "SM5 SM4" "a fill and more than OUT_TH packets in one cycle"
    sm5_stays_above "SM5" "an arrival while there were more than OUT_TH packets"
    sm5_det_1_is_0 "SM5" "det written as 1"
    sm5_det_off_clears "SM5" "det was switched off with packets to be marked"
    sm3_mark_in "SM3" "a packet that its input wants marked"
    sm3_mark_in_unmarkable "SM3" "the same of a packet that is not markable: passed as it is"
    sm3_mark_in_twice "SM3 SM4 M1" "the same of a packet that is marked here, too"
    sm3_mark_was_set "SM3" "the same of a packet that was marked upstream"
    vm2_validated "VM2" "a packet with MB got VB"
    vm2_at_threshold "VM2" "a packet with MB with exactly VB_TH flits waiting: no VB"
    vm2_one_above "VM2" "a packet with MB with VB_TH + 1 flits waiting: VB"
    vm2_mb_absent "VM2" "a packet without MB through a saturated output"
    vm2_not_saturated "VM2" "a packet with MB through an output that is not saturated"
    vm2_was_validated "VM2" "a packet that gets VB had it"
    vm2_unmarkable "VM2" "a packet with MB that is not markable through a saturated output"
    vm2_dropped "VM2 B3" "a packet that would have got VB was dropped"
    cq1_full "CQ1" "data lacked room for an MTU in the output queue"
    cq1_long_beside_short "CQ1 A3" "a packet that its own length fits waited for the room of an MTU"
    cq1_no_link "CQ1 F1" "data were not granted after a cycle without a link, though there was room"
    cq1_empty "CQ1" "the last flit of a VL left its queue"
    cq1_gives_back "CQ1 B3" "a packet that ended early gave its room back"
    cq1_not_stored "CQ1 B3" "a flit came to a full queue: not stored"
    cq2_xb_above_tx "CQ2" "XB_INTERVAL above TX_INTERVAL acts as that"
    cq3_lanes_in_turn "CQ3" "several VLs could start a packet: the one whose turn it was did"
    cq3_lacks_credit "CQ3 F1" "a head lacked credit in a slot of the link"
    cq3_gap "CQ3" "a slot within a packet whose next flit had not come"
    cq3_no_end "CQ3 B3" "a packet on the link had no end: the next one stood behind it"
    cq3_link_down "CQ3 F1" "the link went down with flits in the queue"
    pf1_set "PF1" "the queue went above the threshold"
    pf1_clear "PF1" "the queue went below the threshold"
    vm2_queue "VM2" "a packet with MB got VB by the fill of the output queue"
    q3_reply_first "Q3" "SRP: a reply was granted before others that fit"
    q3_res_first "Q3" "SRP: a request for time was granted before data or speculative packets that fit"
    q3_data_first "Q3" "SRP: data were granted before a speculative packet that fits"
    q3_spec "Q3" "SRP: a speculative packet was granted"
    q3_above_lacks_credit "Q3 F1" "SRP: a grant while one of a class above could not go"
    q3_several "Q3" "SRP: several of the class fitted"
    q3_ring_wraps "Q3" "SRP: the place granted lies before the pointer of its class"
    q3_nack "Q3 Q7" "SRP: a NACK was granted"
    q3_nack_among_replies "Q3 Q7" "SRP: and other replies fitted"
    q3_nack_beside_reply "Q3 Q7" "SRP: a NACK and a reply of one input asked"
    q3_nack_lacks_credit "Q3 Q7 F1" "SRP: a NACK lacked credit of the reply lane"
    q3_cnp_by_lane "Q3" "SRP: a CNP was granted, in the class of its lane"
    q3_owed "Q3 F1" "SRP: the credits of a lane of data were owed to a request that was passed"
    q3_owed_spec "Q3 F1" "SRP: the same of the spec lane"
    q3_owed_by_other_lane "Q3 F1" "SRP: it was passed by a grant of another lane of data"
    q3_owed_hides "Q3 F1" "SRP: a request with credit waited, for the credit is owed to another"
    q3_owed_served "Q3 F1" "SRP: the request to which credits were owed was granted"
    q3_owed_gone "Q3" "SRP: it asked no more"
    q3_owed_became_nack "Q3 Q7" "SRP: for it had become a NACK"
    q3_long_takes_last "Q3 F1" "SRP: a packet of an MTU took the last credits beside a shorter one of its lane"
    ag1_oldest "AG1" "the oldest was granted before younger ones"
    ag1_against_pointer "AG1" "not the one that the pointers would choose was granted"
    ag1_tie "AG1" "several were as old, the pointers chose"
    ag1_urgent "AG1 A2" "the oldest of urgent VLs was granted"
    ag1_plain_cnp "AG1 A2" "cnp_plain: a CNP was granted as the oldest"
    ag1_lane_without_credit "AG1 F1" "an older one of a VL without credit was passed"
    ag1_all_aged "AG1" "all were as old as ages go"
    ag1_off "AG1" "sched = 0: a younger one was granted before an older one"
}

/// Whether a unit with these parameters can reach the cover point.
pub fn cover_applies(point_name: &str, params: &Params) -> bool {
    match point_name {
        // No data ask on the control lane.
        "a3_cnp_withheld" | "a3_cnp_withheld_for_credit" if params.ctl_vl => false,
        name if name.starts_with("cl1") => params.ctl_vl,
        // Classes are those of lanes, each with a ring of its own.
        "a1_longest_ago" | "a1_rr_wraps" | "a1_vl_wraps" | "a1_several_vls" | "f1_short_waits_for_mtu"
            if params.srp =>
        {
            false
        }
        name if params.srp && (name.starts_with("a2_plain") || name.starts_with("a2_cnp")) => false,
        "a2_several_cnps" | "a2_data_while_cnp_lacks_credit" if params.srp => false,
        name if params.srp && name.starts_with("a3_cnp") => false,
        "q3_owed_by_other_lane" => params.srp && params.vls > 4 && params.mtu > 1,
        "q3_long_takes_last" => params.srp && params.mtu > 1,
        name if name.starts_with("q3") => params.srp,
        // Credits are the link's affair, which has no arbiter.
        "f1_does_not_fit"
        | "f1_half_range_refused"
        | "f1_short_waits_for_mtu"
        | "f1_last_credit"
        | "f1_half_range_edge"
        | "f1_txr_corrected_with_grant"
        | "f1_txr_corrected_other_grant"
            if params.cioq =>
        {
            false
        }
        "a1_take_despite_prop" | "a1_elig_not_told" | "e5_held_one_queue" => {
            params.one_queue && params.isolation
        }
        // One-requester units have no other request.
        "a1_take_several" | "a1_other_taken" | "a1_elig" | "a1_elig_one_class" | "a2_plain_elig" => {
            params.one_queue && params.ports > 1
        }
        "a1_grant_taken" | "a1_grant_not_taken" | "a1_take_ignored" => params.one_queue,
        "e5_held_passed" => params.one_queue && params.isolation && params.ports > 1,
        // Held requests take no part in one queue.
        "e5_winner_held" | "e5_held_hot" | "e5_held_after_32_cnps" | "a3_held_by_fresh" => {
            !params.one_queue && params.isolation
        }
        "a3_ol_wait" | "a3_ends_unawaited" => params.isolation,
        "a3_lost_several" | "a3_turns_of_two" => params.isolation && params.lines > 1,
        name if ["a3_fresh", "a3_turn", "a3_closing", "a3_lost"].iter().any(|p| name.starts_with(p)) => {
            params.isolation
        }
        "e5_held_by_other_line" => !params.one_queue && params.isolation && params.lines > 1,
        // A timer of 32 bits holds every value.
        "e8_line_timer_saturated" => params.timer_w < 32,
        "r1_lane_of_dest" => params.vl_by_dest,
        // Four bits of VL; a lane by destination always exists.
        "b3_framing_vl" => !params.vl_by_dest && params.vls < 16,
        "m1_marked_behind_grh" => params.flit_bytes == 64,
        // With an MTU of 1 every length fits alike.
        "f1_short_waits_for_mtu" | "a2_plain_lacks_mtu" => params.mtu > 1,
        "f1_txr_corrected_other_grant"
        | "f1_fctbs_other_vl"
        | "a2_data_while_cnp_lacks_credit"
        | "a1_vl_wraps"
        | "a1_several_vls" => params.vls > 1,
        // Registers and messages stay there without isolation; messages are ignored.
        "e6_isolation_off_ignores" | "e8_line_timer_0_is_1" => true,
        // A miss by VL needs two VLs (and a line that is not valid does not expire).
        "e3_alloc_other_vl" | "e3_other_vl_no_match" | "e8_expiry_despite_miss" => {
            params.vls > 1 && params.isolation
        }
        "e3_lowest_line" | "e8_several_expire" => params.lines > 1 && params.isolation,
        "b3_bad_line" | "b3_bad_vl_msg" => params.isolation,
        "d5_eval_3_is_0" => !params.cioq,
        "cq1_long_beside_short" => params.cioq && params.mtu > 1,
        "cq3_lanes_in_turn" => params.cioq && params.vls > 1,
        "vm2_queue" => params.cioq && params.markers,
        name if name.starts_with("cq") || name.starts_with("pf1") => params.cioq,
        "sm4_two_fills" => params.markers && params.ports > 1,
        "ag1_lane_without_credit" => params.stamp_w > 0 && params.vls > 1,
        "ag1_urgent" | "ag1_all_aged" | "ag1_tie" | "ag1_plain_cnp" => {
            params.stamp_w > 0 && params.ports * params.vls > 1
        }
        name if name.starts_with("ag") => params.stamp_w > 0,
        name if name.starts_with("sm") || name.starts_with("vm") => params.markers,
        // All other points of rules E need lines.
        name if name.starts_with('e') => params.isolation,
        _ => true,
    }
}
