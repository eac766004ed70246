//! The directed scenarios of the input port, one or more a rule. Coincidences of a single cycle are hit by sweeps: the same
//! steps again and again with one of them a cycle later each time.

use super::reservation::{
    ages as spec_ages, arriving as spec_arriving, clock_wraps as spec_clock, cut as spec_cut,
    engine_busy as spec_engine, fifos as spec_fifos, last_cycle as spec_last_cycle, nack_waits as spec_nack,
    refused as spec_refused,
};
use super::script::{Cond, Op, Script};
use super::steps::Steps;
use super::up::{
    both_ways as up_both, draws as up_draws, long as up_long, masks as up_masks, refused as up_refused,
    seeds as up_seeds,
};
use super::world::{Dims, Fault, Packet, RawProp};
use crate::params::{Params, UnitKind};
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::knobs::Setup;
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::Scenario;

/// A scenario, what it must make happen (cover points of the golden model), and how it is built.
struct Entry {
    scenario: Scenario,
    covers: &'static [&'static str],
    build: fn(&mut Steps),
}

macro_rules! table {
    ($($build:ident $name:literal $rules:literal $text:literal [$($cover:literal)*];)*) => {
        const ENTRIES: &[Entry] = &[$(Entry {
            scenario: Scenario { name: $name, unit: UnitKind::InputPort, rules: $rules, text: $text },
            covers: &[$($cover),*],
            build: $build,
        },)*];
        static SCENARIOS: [Scenario; ENTRIES.len()] = {
            let mut all = [ENTRIES[0].scenario; ENTRIES.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = ENTRIES[i].scenario;
                i += 1;
            }
            all
        };
    };
}

table! {
    buffer_full "b1-buffer-full" "B1 F1 F2" "all queues together take the last block; outputs drain it one by one and all at once"
        ["b1_full" "b1_leaves_full" "b1_empty" "b1_two_reads" "b1_store_and_read" "b3_no_credit" "f1_fccl_no_room"];
    one_queue "b1-head-of-line" "B1 A2" "a slow output in front: one queue holds everything behind it, VOQs do not"
        ["a2_one_queue_blocked"];
    cut_through "b2-cut-through" "B2" "every length at every pace of the link: packets leave before their tail has come, without gaps"
        ["b2_cut_through" "b2_slow_wait" "b2_slow_start" "b2_back_to_back"];
    slow_reader "b2-slow-reader" "B2" "link and readers at a flit in 1 to 15 cycles: a packet starts at its first flit, and is never late"
        ["b2_rd_interval_starts" "b2_rd_interval_0_is_1"];
    paces "cq2-paces" "CQ2 B2" "links of 2 to 14 cycles a flit and crossbars of half of that: packets that are all there, that come, slow ones before fast ones"
        ["cq2_slow" "cq2_fast" "cq2_slow_then_fast"];
    fill "sm1-fill" "SM1 SM4" "a level below, at and above FILL_LEVEL; one that hovers; an ACK that fills; FILL_LEVEL is lowered"
        ["sm1_fill" "sm1_hovers" "sm1_stays_full" "sm1_fill_by_ack" "sm1_level_lowered" "sm1_accept_in_fill" "sm4_enter" "sm4_unmarkable_enters_not"];
    outputs "sm2-outputs" "SM2" "the buffer fills with markable packets for no output, one, several; all in a hot queue"
        ["sm2_no_output" "sm2_one_output" "sm2_several_outputs" "sm2_only_unmarkable_waits" "sm2_waits_hot" "sm2_grant_in_fill"];
    naive "sm3-naive" "SM3 SM2" "packets that are there at a fill are marked, at every cycle of their grants around it; a second fill; naive is switched off"
        ["sm3_marks" "sm3_last_mark" "sm3_not_counted_between" "sm3_second_fill" "sm3_grant_in_fill" "sm3_off_clears" "sm3_isolation_off"];
    mb_threshold "vm1-threshold" "VM1" "with a packet MB_TH - 1, MB_TH and MB_TH + 1 flits are stored; ACKs and notifications pass as they are"
        ["vm1_marked" "vm1_at_threshold" "vm1_one_above" "vm1_unmarkable" "vm1_off"];
    bypass "ag2-limit" "AG2 AG1" "the oldest packet's output grants nothing: as many as the limit says pass it, then the lane stands, then all go; the limit changes"
        ["ag2_pinned" "ag2_limit_hides" "ag2_oldest_leaves" "ag2_limit_lowered" "ag2_off_clears" "ag2_several_pass" "ag2_saturates" "ag1_age_shown" "ag2_bad_grant_hidden"];
    marks_every_bit "sm-every-bit" "SM1 VM1 AG2 B2" "FILL_LEVEL and MB_TH of 1, 2, 4 ... 32768, every BYPASS and RD_INTERVAL: each bit of their comparisons"
        ["sm1_fill" "vm1_marked" "ag2_limit_hides"];
    underrun "b2-underrun" "B2" "the link stops inside packets that already leave: gaps, then the rest"
        ["b2_underrun" "b2_read_held"];
    bad_packets "b3-bad-packets" "B3 F2" "every kind of broken packet between good ones, with the break at every flit"
        ["b3_bad_vl" "b3_bad_len_zero" "b3_bad_len_long" "b3_no_route" "b3_no_route_dlid" "b3_framing_first"
         "b3_framing_shape" "b3_framing_stray" "b3_framing_early" "b3_framing_late" "b3_bad_first" "b3_bad_mid"
         "b3_drop_flit" "b3_pad" "b3_err_clear" "f1_drop_counted"];
    control_lane "cl3-control-lane" "CL3 B3" "replies and what is none on the highest VL, of one flit and of more, cut and whole"
        ["cl3_reply" "cl3_long" "cl3_data"];
    cut_while_read "b3-cut-while-read" "B3 B2" "a packet is cut at every flit while the reader is anywhere in it"
        ["b3_pad" "b3_bad_mid"];
    timeouts "b3-timeout" "B3" "silence inside a packet one cycle below, at and above RX_TIMEOUT"
        ["b3_timeout" "b3_pad"];
    every_timeout "b3-every-bit" "B3" "silence inside a packet up to an RX_TIMEOUT of 1, 2, 4 ... 32768 cycles and more: each bit of the comparison"
        ["b3_timeout" "b3_pad"];
    err_clear "b3-err-clear" "B3" "errors are cleared and set in the same cycle"
        ["b3_err_clear" "b3_err_set_beats_clear"];
    drop_counter "b3-drop-counter" "B3" "more than 65535 packets dropped: the counter stays at its end"
        ["b3_bad_len_zero"];
    credit_wrap "f1-credit-wrap" "F1" "more than 4096 blocks on every VL, at several intervals of credit messages"
        ["f1_abr_wrap" "f1_fccl_wrap" "f1_message" "f1_second_vl" "f1_interval_shrunk"];
    credit_loss "f1-lost-messages" "F1 F2" "lost flits, lost and damaged credit messages: the counters heal"
        ["f1_fctbs_repair" "f1_fctbs_and_flit" "b3_bad_vl_fctbs" "f1_unknown_vl"];
    link_down "f1-link-down" "F1 B3" "the link goes down at every moment of packets that are stored and of one that is dropped, for one cycle and more"
        ["b3_link_down_cuts" "b3_link_down_in_drop" "b3_link_down_flit" "f1_link_down_idle" "f1_link_down_fctbs"
         "f1_link_up" "f1_link_glitch" "b3_pad"];
    routes "r1-routes" "R1" "routes written before, while and after a packet looks them up; every way of having none"
        ["r1_route" "r1_read_write" "r1_reroute" "r1_write_ignored" "b3_no_route" "b3_no_route_dlid"];
    read_back "c1-read-back" "C1" "every register and counter is read after every write"
        ["c1_read" "c1_read_and_write" "c1_read_as_written" "c1_read_error" "c1_read_counted" "c1_read_none"];
    hysteresis "d1-hysteresis" "D1 D5" "a queue filled and emptied flit by flit through two thresholds, one, and crossed ones"
        ["d1_set" "d1_clear" "d1_hold_set" "d1_hold_clear" "d1_single" "d1_set_beats_clear" "d1_lth_0" "d5_fill"];
    every_threshold "d1-every-bit" "D1 E5" "thresholds of 1, 2, 4 ... 32768 flits below and above a cold and a hot queue, up to a buffer of cut packets"
        ["d1_set" "d1_clear" "e5_stop_register" "e5_go_register"];
    other_addresses "d1-addresses" "D1 E5 B3" "writes to addresses that no register has, with all registers at work"
        ["e1_root" "e4_move" "b3_timeout" "e8_refresh" "e5_reached"];
    weights "d4-weights" "D4" "the threshold weights, up and down; weight 0 never"
        ["d4_weight" "d4_never" "d4_floor"];
    cnp_first "a2-cnp-first" "A2 E4" "notifications overtake hot packets and stay in cold queues"
        ["a2_cnp_first" "a2_cnp_matches" "e3_prop_cnp"];
    cnp_plain "a2-cnp-plain-in" "A2 A3 E4" "notifications without priority at the cold head, beside a hot queue: each in its turn"
        ["a2_plain_went" "a2_plain_yields" "a2_cnp_matches"];
    release "d1-release" "D1 B1 B2" "packets of cold and hot queues leave their fills at the grant, also while they arrive, and while the setting changes"
        ["d1_release_cpq" "d1_release_nfq" "d1_release_hpq" "d1_release_arriving" "d1_release_switched"
         "d1_release_ends_cong" "d1_release_free_hpq"];
    release_cut "d1-release-cut" "D1 B1 B3" "packets that are cut at every flit, before and after their charge left at the grant"
        ["d1_release_cut" "b3_pad"];
    own_queue "e1-own-queue" "E1 E2 E5 E6" "a root takes a hot queue: its packets move there, its list grows, it stops and releases its upstream, and ends"
        ["e1_own_taken" "e1_own_collect" "e1_own_list_full" "e1_own_stop" "e1_own_held" "e1_own_prop_ignored"
         "e1_own_freed" "e1_own_head_cnp"];
    own_no_resources "e1-own-no-resources" "E1 E7" "no hot queue, or no line, for a root that wants one: it is tried again, counted once an episode"
        ["e1_own_no_hpq" "e1_own_no_line"];
    own_beside "e1-own-beside-tree" "E1 E3 E6" "roots with a hot queue beside ROOT lines, trees and lines that drain; isolation is switched off"
        ["e1_own_beside_root" "e1_own_head_matched" "e1_own_drain"];
    round_robin "a2-round-robin" "A2 E4" "cold and hot queues of one output take turns; cold first if told so"
        ["a2_round_cold" "a2_round_hot" "a2_hot" "a2_two_hpqs" "a2_cold_first"];
    hpq_turns "a2-hot-queues-keep-turns" "A2 A3" "notifications, or cold packets that go first, without end: every eighth time a hot queue sends, each in turn"
        ["a2_hpq_forced" "a2_two_hpqs" "a2_cnp_first" "a2_cold_first"];
    queues_yield "a3-queues-yield" "A3 A2 E5" "hot queues of an output are stopped and let go for one packet, beside a cold queue: each of them goes in turn"
        ["a3_yields" "a3_all_went" "a3_went_before" "e5_stopped"];
    hpq_reborn "a3-hot-queue-comes-back" "A3 A2 E6" "a hot queue ends with each packet and is taken anew, beside another of its output: both go"
        ["a3_went_before" "a2_hot"];
    bad_grants "a2-bad-grants" "A2 B3" "grants that nobody asked for, to busy engines, to two VLs"
        ["a2_bad_grant_no_request" "a2_bad_grant_busy" "a2_bad_grant_two_vls" "b2_back_to_back"];
    detection "e1-detection" "E1 E7 D1 A2" "one queue: a long NFQ whose head asks in vain; its CFQs count as congested; none is left"
        ["e1_detect" "e1_detect_hold" "e1_detect_noline" "e1_detect_cnp" "d1_cfq_high" "d1_cfq_hold" "d1_cfq_low"
         "a2_two_outputs_asked"];
    root_joins "e3-root-joins-tree" "E3 E6 D1" "one queue: a tree from downstream takes a root line over: its CFQ no longer counts"
        ["e3_root_linked" "d1_cfq_linked"];
    stop_registers "e5-stop-go-registers" "E5" "hot queues stop and go by registers of their own"
        ["e5_stop_register" "e5_go_register"];
    low_threshold_0 "e5-low-threshold-0" "E5 D1 E6" "LTH and GO of 0: what was stopped is released, and its line ends"
        ["d1_lth_0" "e5_stop_hot" "e5_go_hot" "e6_dealloc_hot"];
    acks_beside_stop "e5-acks-beside-stop" "E5" "ACKs, which obey no stop, fill a hot queue behind data: the stop ends with the data, and ACKs alone make none"
        ["e5_acks_pass" "e5_acks_stay" "e5_stop_hot" "e5_go_hot"];
    root "e1-root" "E1 E2 E5" "a queue becomes a root, collects destinations until the list is full, stops nobody, and goes"
        ["e1_root" "e1_collect" "e1_collect_listed" "e1_collect_full" "e2_alloc_root" "e6_dealloc_root"];
    root_cnp "e1-root-behind-cnp" "E1" "a root whose first packet is a notification starts with an empty list"
        ["e1_root_cnp"];
    every_root "e1-every-queue" "E1 E2" "a root at every output and VL, in the first line and in the second, also behind a notification"
        ["e1_root" "e1_root_cnp" "e1_collect"];
    announce "e2-announce" "E1 E2" "a destination is collected at every cycle around the announcement"
        ["e1_collect_in_alloc" "e8_realloc_root"];
    announce_again "e2-announce-again" "E2 E5 E6 F1" "the link goes down around every message: lines are announced anew, stopped if they were, or end in silence"
        ["e2_link_down_message" "e2_forgotten" "e2_announced_again" "e5_forgotten" "e5_stopped_again" "e6_link_down_free"];
    propagate "e3-propagate" "E3 E4" "a tree reaches this port: line, hot queue, more destinations"
        ["e3_take" "e3_append" "e3_append_announced" "e3_append_in_alloc" "e4_move" "e8_realloc_hot"];
    list_full "e3-list-full" "E3 E7" "more destinations than a list holds"
        ["e3_append_full" "e3_append"];
    one_tree_twice "e3-one-tree-twice" "E3 E6" "two lines linked to one tree: the lowest that has room takes the destination"
        ["e6_relink" "e3_append" "e3_append_second_line"];
    ignored_props "e3-ignored-props" "E3" "props that must have no effect, and two at once"
        ["e3_prop_out_of_range" "e3_prop_no_request" "e3_prop_iso_off" "e3_prop_cnp" "e3_prop_granted"
         "e3_prop_two_outputs"];
    every_queue "e3-every-queue" "E3 E4 E6 B3" "a hot queue behind every output and VL, in the first line and in the second; its packets are cut at every flit"
        ["e3_take" "e4_move" "e6_link_loss" "b3_pad"];
    moves "e4-moves" "E4 B2 E9" "hot packets move from all cold queues, also while they arrive and while others are granted"
        ["e4_move" "e4_move_arriving" "e4_move_and_grant" "e4_two_moves"];
    stop_go "e5-stop-go" "E5" "a hot queue fills: announced, stop, go; the next switch stops and releases it at every cycle"
        ["e5_stopped" "e5_reached" "e5_alloc_hot" "e5_stop_req_hot" "e5_stop_hot" "e5_go_hot" "e5_go_req"
         "e6_dealloc_hot" "e6_held_by_stop"];
    bound "e5-held-is-bound" "E5 E6 E7 A3" "queues are held: bound to the line until it goes, is gone, a hot queue is free, or the head moves or is served"
        ["e5_tied_cold" "e5_tied_hot" "e5_tied_again" "e5_tied_elsewhere" "e5_tie_beats_loss" "e5_stopped_cold"
         "e5_stopped_passed" "e5_untied_served" "e5_untied_moved" "e5_untied_gone" "e5_untied_alloc" "e5_pend"
         "e5_held_bad_line" "e5_held_ignored"];
    alloc_stop "e5-announced-stopped" "E5 E8" "a line announced again while it wants its tree stopped says so"
        ["e5_alloc_stop" "e8_refresh"];
    dealloc_crosses_move "e6-dealloc-crosses-move" "E6 E9" "the tree goes at every cycle around a move"
        ["e6_link_loss" "e4_move"];
    prop_for_freed "e6-prop-for-freed-line" "E6 E3" "a prop for a line at every cycle around its end"
        ["e6_free_hot" "e3_take" "e6_beaten_append"];
    free_vs_append "e6-free-vs-append" "E6 E3" "a destination joins a line that is about to be taken back"
        ["e6_beaten_append" "e6_dealloc_hot"];
    free_vs_move "e6-free-vs-move" "E6 E4" "a packet moves in as the hot queue runs empty"
        ["e6_beaten_move" "e6_beaten_head" "e6_free_hot" "e6_dealloc_hot"];
    free_vs_accept "e6-free-vs-accept" "E6 E1" "a packet comes for a root as its queue runs empty, and as its time is over"
        ["e6_beaten_accept" "e6_forced_despite_accept" "e6_beaten_collect" "e6_dealloc_root"];
    free_root "e6-free-unannounced" "E6" "a root that was never announced ends without a message"
        ["e6_free_root"];
    link_loss_full "e6-link-loss-full" "E6 B1 E9" "the tree goes while the buffer is full of its packets"
        ["e6_link_loss" "b1_full"];
    relink_vs_loss "e6-relink-vs-loss" "E6" "another tree takes the line over around the cycle in which the old one goes"
        ["e6_relink_beats_loss" "e6_relink"];
    realloc "e6-realloc-other-tree" "E6 E3 E9" "a line number goes from one tree to another at every distance"
        ["e6_link_loss" "e6_relink" "e3_take"];
    stop_then_gone "e6-stop-then-gone" "E6 E5" "a stopped tree goes without a go"
        ["e5_stopped" "e6_link_loss"];
    iso_off "e6-isolation-off" "E6 E9" "isolation is switched off and on with lines of every kind alive"
        ["e6_iso_off_root" "e6_iso_off_hot" "e5_stop_drain" "e5_go_drain" "e6_dealloc_drain" "e6_relink_drain"
         "e6_beaten_collect"];
    contention "e6-messages-wait" "E6 E2" "many lines have something to say at once"
        ["e6_message_waits" "e6_taken_and_freed" "e1_root_waits"];
    no_hpq "e7-no-hpq" "E7" "no hot queue is free: packets stay cold and pass, more than 65535 times"
        ["e7_no_hpq"];
    no_line "e7-no-line" "E7 E1" "no CAM line is free for a tree or a root, in more than 65535 episodes"
        ["e7_no_line" "e7_no_line_for_hot"];
    root_timer "e8-root-timer" "E8" "a root that is calm for LINE_TIMER cycles ends although packets are stored"
        ["e8_root_expired"];
    relink_vs_expiry "e8-relink-vs-expiry" "E8 E6" "the line is taken over around the cycle in which its time is over"
        ["e8_relink_beats_expiry" "e8_hot_expired" "e6_relink_drain"];
    drain_served "e6-drain-beside-tree" "E6 E8 A3" "a line drains while its tree is there again: it asks for no link, is served, and ends"
        ["e6_drain_served" "e8_hot_expired" "e9_drain_releases"];
    drain_order "e9-drain-order" "E9 E8" "a line whose tree is gone drains before packets of its list may pass"
        ["e4_drain_blocks" "e9_drain_releases" "e8_hot_expired" "e6_free_drain" "e6_link_loss"];
 long_timers "e8-long-timers" "E8 B3" "a root that is calm, and silence inside a packet, for more than 65535 cycles"
        ["e8_root_expired" "b3_timeout"];
    refresh "e8-refresh" "E8" "announced lines are announced again, in the very cycle of an announcement too"
        ["e8_refresh" "e8_refresh_in_alloc" "e8_realloc_root"];
    every_bit "f1-every-bit" "F1 E8" "intervals of credit messages and refreshes of 1, 2, 4 ... 32768 cycles and more: each bit of their comparisons"
        ["f1_message" "e8_refresh"];
    go_lost "e8-go-lost" "E8 E5" "a go from downstream is lost; the refreshed tree, or its end, releases the hot queue"
        ["e5_stopped" "e6_held_by_stop" "e6_link_loss"];
    order "e9-order" "E9 E3 E4 E6" "streams to three destinations while their tree comes and goes at every moment"
        ["e4_move" "e6_link_loss" "e6_relink"];
    spec_refused "q1-refused" "Q1 Q4 Q5 B3" "SRP: packets that their lanes do not take: opcode, LNH, length, a source without a route"
        ["q1_bad_lnh" "q1_bad_opcode" "q1_long_control" "q5_no_route" "q5_no_route_slid"];
    spec_fifos "q2-fifos" "Q2 F2" "SRP: heads of spec, res and reply hold up what goes to other outputs; their buffers fill"
        ["q2_held_up" "q2_two_engines"];
    spec_ages "q5-ages" "Q5 Q6" "SRP: packets of all ages wait and leave, with drops and without; TTW is changed under a head"
        ["q5_age_sent" "q5_age_grows" "q5_age_full" "q6_drop_off" "q6_old_on_arrival" "q6_ttw_0"];
    spec_clock "q5-clock-wraps" "Q5 Q6" "SRP: a head waits for longer than the clock of the ages goes (66,000 cycles)"
        ["q5_now_wraps" "q7_drop"];
    spec_last_cycle "q6-last-cycle" "Q6 Q7" "SRP: a grant in every cycle around the one in which the packet expires, of each length, there and arriving"
        ["q6_last_cycle" "q6_last_cycle_arriving" "q6_one_flit"];
    spec_arriving "q8-arriving" "Q6 Q7 Q8" "SRP: a packet is dropped at every flit of its arrival, its NACK goes at once and at the end"
        ["q6_arriving" "q7_drop_and_store" "q7_nack_while_arriving" "q8_waits" "q8_beside_store" "q7_nack_release"];
    spec_cut "q8-cut" "Q7 Q8 B3" "SRP: a packet is cut, or its link goes down, in every cycle around its drop"
        ["q6_cut" "q7_drop_and_cut" "q8_cut" "q8_cut_while_it_waits"];
    spec_engine "q6-engine-busy" "Q6 Q7 Q8" "SRP: a head expires while the discard engine works at the one before"
        ["q6_waits_for_engine" "q7_nack_before_discard" "q8_freed"];
    spec_nack "q7-nack-waits" "Q7 Q9 Q2" "SRP: a NACK without credit of replies, beside a reply, behind data of its output"
        ["q7_nack" "q7_nack_waits" "q7_nack_beside_reply" "q7_nack_engine_busy" "q7_nack_release"];
    up_draws "up1-draws" "UP1 R1 B3" "any up port: packets drawn with every mask of the first outputs, between others; they wait at several outputs at once"
        ["up1_drawn" "up1_several" "up1_last" "up1_two_ways" "up1_none" "up1_above"];
    up_long "up1-long" "UP1" "any up port: as many draws from one to four outputs as it takes to see that they are even"
        ["up1_drawn"];
    up_seeds "up1-seeds" "UP1 C1" "any up port: the LFSR is seeded in every cycle around headers, and beside a stream of them"
        ["up1_seed" "up1_seed_0_is_1" "up1_seed_beats_step" "c1_read_lfsr"];
    up_masks "up1-masks" "UP1" "any up port: the mask changes in every cycle around headers, and while packets wait"
        ["up1_mask_waits" "up1_none"];
    up_refused "up1-refused" "UP1 B3 F1" "any up port: packets that are refused, cut, or come on a link that falls"
        ["up1_refused" "up1_link_down"];
    up_both "up1-both-ways" "UP1 Q5 Q7" "any up port, SRP: destination, source or both of speculative packets, which are dropped or go"
        ["up1_back" "up1_both" "up1_back_unused"];
    fig6_b "fig6-ip1-switch-b" "E1 E2 E5 E6 D1" "EcoCC fig. 6, IP1 of switch B: CPQ1 exceeds HTh, the root is announced upstream, then released"
        ["e1_root" "e2_alloc_root" "e1_collect" "e6_dealloc_root"];
    fig6_a "fig6-ip1-switch-a" "E3 E4 E5 E6" "EcoCC fig. 6, IP1 of switch A: B's tree takes HPQ1, hot packets move, HPQ1 fills and tells the HCA"
        ["e3_take" "e4_move" "e5_reached" "e5_alloc_hot" "e5_stop_hot" "e5_go_hot" "e6_dealloc_hot"];
}

/// The scenarios.
pub fn scenarios() -> &'static [Scenario] {
    &SCENARIOS
}

/// The cover points that a scenario must hit, where the parameters allow them.
pub fn covers(name: &str) -> &'static [&'static str] {
    ENTRIES.iter().find(|e| e.scenario.name == name).map_or(&[], |e| e.covers)
}

/// The script of a scenario, repeated for ever if `again`.
pub fn script(scenario: &Scenario, params: &Params, setup: &Setup, again: bool, seed: u64) -> Option<Script> {
    let entry = ENTRIES.iter().find(|e| e.scenario == *scenario)?;
    let mut s = Steps { d: Dims::new(params), ops: Vec::new() };
    (entry.build)(&mut s);
    let mut first: Vec<Op> = setup.input_port.iter().map(|&(a, x)| Op::Cfg(a, x)).collect();
    first.extend(setup.lft.iter().flatten().map(|&(dlid, port)| Op::Lft(dlid, port)));
    Some(Script::new(params, first, s.ops, again, seed))
}

/// Types of messages.
const ALLOC: u32 = 0;
const DEALLOC: u32 = 1;
const STOP: u32 = 2;
const GO: u32 = 3;

/// Lengths that use up exactly `total` blocks.
fn lengths(total: usize, mtu: usize) -> Vec<usize> {
    let mut left = total;
    let mut out = Vec::new();
    let mut n = mtu;
    while left > 0 {
        let take = n.min(left);
        out.push(take);
        left -= take;
        n = if n == 1 { mtu } else { n.div_ceil(2) };
    }
    out
}

fn buffer_full(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    for round in 0..2 {
        s.add([Op::Serve(None, 0, 0)]);
        for v in 0..d.vls {
            for (i, n) in lengths(d.cap, d.mtu).into_iter().enumerate() {
                let p = Packet::data(s.to(i, i / d.ports % 4), n).on(v);
                s.add([Op::Send(p)]);
            }
        }
        s.add([Op::Until(Cond::Sent, 3 * (d.cap * d.vls) as u32 + 200)]);
        // one too many
        let p = s.packet(0, 0, 1);
        s.add([Op::Send(p.with(Fault::NoCredit)), Op::Send(p)]);
        s.wait(20);
        if round == 0 {
            // one block leaves, one comes
            s.grant(1, 1);
            for _ in 0..4 {
                s.send(0, 1, 1);
            }
            s.wait(3 * d.mtu);
            for o in 0..d.ports {
                s.grant(o, u32::MAX);
                s.wait(40);
            }
        }
        s.settle();
        s.cfg(10, 0xffff);
    }
}

fn one_queue(s: &mut Steps) {
    s.start(65535, 65535);
    for pace in [1, 3, 7] {
        s.add([Op::Pace(Some(0), pace)]);
        for i in 0..12 {
            s.send(if i % 3 == 0 { 0 } else { i }, i, 1 + i % s.d.mtu);
        }
        s.hold(0);
        s.wait(60);
        s.settle();
    }
}

fn cut_through(s: &mut Steps) {
    s.start(65535, 65535);
    for pace in [1, 2, 3, 5, 15] {
        s.cfg(5, pace);
        s.add([Op::LinkPace(pace)]);
        s.sent();
        for n in 1..=s.d.mtu {
            s.send(n, n, n);
            if n % 3 == 0 {
                s.send(n, n + 1, n);
            }
        }
        s.add([Op::Until(Cond::Sent, 20_000)]);
        s.wait(4 * s.d.mtu * pace as usize);
    }
    s.cfg(5, 1);
    s.settle();
}

fn underrun(s: &mut Steps) {
    s.start(65535, 65535);
    let n = s.d.mtu;
    for at in 1..n {
        for silence in [1, 2, 20] {
            let p = s.packet(at, 0, n).with(Fault::Stall(at as u8, silence));
            s.add([Op::Send(p)]);
            s.send(at, 1, 2);
            s.until(Cond::Sent);
        }
        s.add([Op::Pace(None, 1 + at as u32 % 3)]);
    }
    s.settle();
    s.cfg(10, 0xffff);
}

fn faults(d: &Dims, n: usize) -> Vec<Fault> {
    let mut all = vec![Fault::MissingFirst, Fault::Late(1), Fault::Late(3), Fault::Junk(2), Fault::Junk(4)];
    let step = (d.mtu / 8).max(1);
    for at in (0..n).step_by(step).chain([n - 1]) {
        let at = at as u8;
        all.extend([Fault::Cut(at), Fault::Early(at), Fault::Bad(at), Fault::BadOpen(at), Fault::Lost(at)]);
    }
    all
}

fn control_lane(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    for n in [1, 2.min(d.mtu), d.mtu] {
        for (lnh, opcode) in [(2, 0x80), (2, 0x11), (2, 0xf1), (2, 4), (0, 0x80), (3, 0x11)] {
            let p = Packet { lnh, opcode, ..s.packet(0, d.vls - 1, n) };
            let cut = p.with(Fault::Bad(0));
            s.add([Op::Send(p), Op::Send(cut), Op::Send(p)]);
            s.send(1, 0, 2.min(d.mtu));
            s.until(Cond::Sent);
            s.wait(d.mtu);
            s.cfg(10, 0xffff);
        }
    }
}

fn bad_packets(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    let lengths = [1, 2, d.mtu];
    for n in lengths {
        for (i, fault) in faults(&d, n.min(d.mtu)).into_iter().enumerate() {
            s.send(i, 0, 2);
            let p = s.packet(i, 0, n).with(fault);
            s.add([Op::Send(p)]);
            s.send(i, 0, 1 + i % d.mtu);
            s.until(Cond::Sent);
            s.wait(d.mtu);
            s.cfg(10, 0xffff);
        }
    }
    let good = s.packet(0, 0, 2.min(d.mtu));
    let odd = [
        Packet { vl: d.vls as u8, ..good },
        Packet { vl: 15, ..good },
        Packet { words: 0, ..good },
        Packet { words: 16 * d.mtu as u16 + 1, ..good },
        Packet { words: 2047, ..good },
        Packet { dlid: d.lft_depth as u16 - 1, ..good },
        Packet { dlid: d.lft_depth.min(65535) as u16, ..good },
        Packet { dlid: 0xffff, ..good },
        Packet { vl: 15, words: 0, dlid: 0xffff, fault: Fault::Bad(0), ..good },
        // nothing wrong: other kinds of headers
        Packet { lnh: 0, opcode: 0x80, ..good },
        Packet { lnh: 1, opcode: 0x80, ..good },
        Packet { lnh: 3, ..good },
        Packet { lnh: 2, opcode: 0x80, ..good },
        Packet { lnh: 3, opcode: 0x80, ..good },
    ];
    for p in odd {
        s.send(1, 0, 1);
        s.add([Op::Send(p)]);
        s.send(1, 0, d.mtu);
        s.settle();
        s.cfg(10, 0xffff);
    }
}

fn cut_while_read(s: &mut Steps) {
    s.start(65535, 65535);
    let n = s.d.mtu;
    let step = (n / 4).max(1);
    for at in (1..n).step_by(step).chain([n - 1]) {
        for later in 0..6 {
            s.hold(0);
            let p = s.packet(0, 0, n).with(Fault::Bad(at as u8));
            s.add([Op::Send(p), Op::Send(s.packet(0, 1, 1)), Op::LinkPace(1 + later % 3)]);
            s.add([Op::Pace(Some(0), 1 + later % 2)]);
            s.wait(later as usize * at / 2 + 1);
            s.grant(0, u32::MAX);
            s.wait(3 * n);
            s.settle();
        }
    }
}

fn timeouts(s: &mut Steps) {
    s.start(65535, 65535);
    let n = s.d.mtu;
    for limit in [1u16, 2, 5, 40] {
        s.cfg(6, limit.into());
        s.sent();
        for silence in [limit - 1, limit, limit + 1] {
            for at in [1, n / 2, n - 1] {
                for busy in [false, true] {
                    if busy {
                        s.grant(0, u32::MAX);
                    } else {
                        s.hold(0);
                    }
                    let p = s.packet(0, 0, n).with(Fault::Stall(at as u8, silence));
                    // the next one starts to count from 0
                    let next = s.packet(0, 1, 2).with(Fault::Stall(1, limit / 2));
                    s.add([Op::Send(p), Op::Send(next)]);
                    s.sent();
                    s.settle();
                }
            }
        }
    }
    // silences that are long together only
    s.cfg(6, 5);
    s.add([Op::LinkPace(5), Op::Send(s.packet(0, 0, n)), Op::Send(s.packet(0, 1, n))]);
    s.sent();
    s.settle();
    s.cfg(6, 290);
    for silence in [280, 300] {
        let p = s.packet(0, 0, n).with(Fault::Stall(1, silence));
        s.add([Op::Send(p)]);
        s.sent();
        s.settle();
    }
    // the limit comes or shrinks during the silence
    for (before, after) in [(1000, 10), (1000, 40), (0, 10), (0, 40), (0, 90)] {
        s.cfg(6, before);
        s.sent();
        let p = s.packet(0, 0, n).with(Fault::Stall(1, 60));
        s.add([Op::Send(p)]);
        s.wait(30);
        s.cfg(6, after);
        s.settle();
    }
    s.cfg(6, 0);
    s.cfg(10, 0xffff);
}

fn every_timeout(s: &mut Steps) {
    s.start(65535, 65535);
    let p = s.packet(0, 0, s.d.mtu);
    for limit in (0..16).map(|bit| 1 << bit).chain([0x8004, 0xaaaa, 0xd555]) {
        s.cfg(6, limit);
        s.sent();
        s.add([Op::Send(p.with(Fault::Stall(1, limit as u16 + 1)))]);
        s.add([Op::Until(Cond::Sent, limit + 100)]);
        s.settle();
    }
    s.cfg(6, 0);
    s.cfg(10, 0xffff);
}

fn read_back(s: &mut Steps) {
    s.start(65535, 65535);
    let bad = Packet { words: 0, ..s.packet(0, 0, 1) };
    s.add([Op::Send(bad)]);
    s.send(0, 0, 2);
    s.settle();
    s.add([Op::ReadAll]);
    for pattern in PATTERNS {
        for register in registers(UnitKind::InputPort) {
            s.cfg(register.addr, pattern);
        }
        s.cfg(128, pattern);
        s.sent();
        s.add([Op::ReadAll]);
    }
    s.start(65535, 65535);
    let (mtu, cap) = (s.d.mtu as u32, s.d.cap as u32);
    for (addr, value) in
        [(11, 0), (12, 0), (13, (4 * mtu).min(cap / 2)), (14, mtu), (20, 0), (21, 203), (22, 0)]
    {
        s.cfg(addr, value);
    }
    s.marks_off();
    s.sent();
}

/// CTRL: naive, mb_en, beside iso_en.
const NAIVE: u32 = 0x21;
const MB_EN: u32 = 0x41;

fn slow_reader(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    for pace in [15, 2, 0] {
        for n in [1, 2, d.mtu] {
            s.cfg(5, pace.max(1));
            s.cfg(15, pace);
            s.sent();
            s.add([Op::LinkPace(pace.max(1)), Op::Pace(None, pace.max(1))]);
            s.send(0, 0, n);
            s.send(1, 0, n);
            s.sent();
            s.wait(40 * d.mtu);
            s.settle();
        }
    }
    s.cfg(5, 1);
    s.marks_off();
    s.sent();
}

/// Without an output queue the crossbar's pace is the only one.
fn paces(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    for (link, fast) in [(2, 1), (4, 2), (4, 1), (14, 7), (2, 0)] {
        s.cfg(5, link);
        s.cfg(15, link);
        s.cfg(19, fast);
        s.sent();
        s.add([Op::LinkPace(link), Op::Pace(None, fast.max(1)), Op::SlowPace(link)]);
        for n in [1, 2, d.mtu] {
            // As they come; behind a wait, so that some are all there and the last one comes.
            for wait in [0, n, 2 * d.mtu * link as usize] {
                s.add([Op::Serve(None, if wait == 0 { ALWAYS } else { 0 }, u32::MAX)]);
                for o in [0, 1, 0, 0] {
                    s.send(o, 0, n);
                }
                s.wait(wait);
                s.add([Op::Serve(None, ALWAYS, u32::MAX)]);
                s.sent();
                s.wait(2 * d.mtu * link as usize);
            }
        }
        s.settle();
    }
    s.cfg(5, 1);
    s.add([Op::LinkPace(1), Op::Pace(None, 1), Op::SlowPace(1)]);
    s.marks_off();
    s.sent();
}

/// Nothing goes; `blocks` flits are stored, in packets of one flit for output `o`.
fn stored(s: &mut Steps, o: usize, blocks: usize) {
    s.add([Op::Serve(None, 0, 0)]);
    (0..blocks).for_each(|_| s.send(o, 0, 1));
    s.sent();
    s.wait(3);
}

fn fill(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    let level = (d.cap / 2).min(40);
    s.cfg(16, level as u32);
    s.sent();
    // below, at, above
    stored(s, 0, level - 1);
    for i in 0..4 {
        s.send(i % 2, 0, 1);
        s.sent();
        s.wait(6);
    }
    s.settle();
    // a packet comes flit by flit, and others leave: no packet comes between two passages
    stored(s, 0, level - 1);
    s.add([Op::LinkPace(16)]);
    s.send(1, 0, d.mtu);
    for _ in 0..d.mtu {
        s.wait(24);
        s.grant(0, 1);
    }
    s.sent();
    s.settle();
    // an ACK, and a packet in the cycle of the fill
    stored(s, 0, level);
    s.add([s.ack(1)]);
    s.send(1, 0, 1);
    s.sent();
    s.wait(6);
    s.settle();
    // the level comes down
    for to in [level as u32, 0] {
        s.cfg(16, level as u32 + 4);
        s.sent();
        stored(s, 0, level + 2);
        s.cfg(16, to);
        s.sent();
        s.wait(6);
        s.settle();
    }
    s.marks_off();
    s.sent();
}

fn outputs(s: &mut Steps) {
    s.start(65535, 65535);
    for markable in 0..4 {
        s.cfg(16, 6);
        s.sent();
        s.add([Op::Serve(None, 0, 0)]);
        for i in 0..8 {
            match i < markable {
                true => s.send(i, 0, 1),
                false => s.add([s.ack(i % 2)]),
            }
        }
        s.sent();
        s.wait(6);
        s.settle();
    }
    // one goes at every cycle around the fill
    for at in 0..12 {
        stored(s, 0, 5);
        s.send(1, 0, 1);
        s.send(1, 0, 1);
        s.wait(at);
        s.grant(0, 1);
        s.sent();
        s.wait(6);
        s.settle();
    }
    // all wait in a hot queue
    s.hot(0, 0, 5, 1);
    s.add([s.ack(1), s.ack(1)]);
    s.sent();
    s.wait(6);
    s.settle();
    s.marks_off();
    s.sent();
}

fn naive(s: &mut Steps) {
    s.start(65535, 65535);
    s.cfg(0, NAIVE);
    s.cfg(16, 6);
    s.sent();
    for at in 0..14 {
        stored(s, 0, 3);
        s.add([s.ack(0)]);
        s.send(0, 0, 1);
        s.sent();
        s.send(1, 0, 1);
        s.send(1, 0, 1);
        s.send(0, 0, 1);
        s.wait(at);
        s.grant(0, 1);
        s.sent();
        s.wait(8);
        // some are left to be marked; it fills again
        s.grant(0, 2);
        s.wait(10);
        s.add([Op::Serve(None, 0, 0)]);
        for _ in 0..4 {
            s.send(0, 0, 1);
        }
        s.sent();
        s.wait(4);
        s.grant(1, 1);
        s.wait(4);
        if at > 11 {
            s.cfg(0, 1);
            s.sent();
            s.wait(3);
            s.cfg(0, NAIVE);
        }
        s.settle();
    }
    s.marks_off();
    s.sent();
}

fn mb_threshold(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    let th = (d.cap / 2).min(40);
    s.cfg(17, th as u32);
    for on in [MB_EN, 1] {
        s.cfg(0, on);
        s.sent();
        for n in [1, 2, d.mtu.min(th - 2)] {
            for before in th - n - 1..th - n + 2 {
                stored(s, 0, before);
                s.send(1, 0, n);
                s.sent();
                s.wait(4);
                s.add([s.ack(1)]);
                s.add([Op::Send(Packet::cnp(s.to(1, 0)).on(s.v()))]);
                s.sent();
                s.wait(4);
                s.settle();
            }
        }
    }
    s.marks_off();
    s.sent();
}

fn bypass(s: &mut Steps) {
    s.start(65535, 65535);
    let v = s.v();
    for limit in [1, 2, 5, 15] {
        s.cfg(18, limit);
        s.sent();
        s.add([Op::Serve(None, 0, 0)]);
        s.send(0, 0, 2);
        for i in 0..5 {
            s.send(1 + i % 2, 0, 1);
        }
        s.sent();
        s.wait(4);
        // the lane stands after as many
        s.grant(1, 2);
        s.grant(2, 1);
        s.wait(16);
        s.add([Op::Grant(2, v), Op::Wait(2), Op::Grant(1, v), Op::Wait(4)]);
        s.cfg(18, 1);
        s.sent();
        s.wait(4);
        if limit == 5 {
            s.cfg(18, 0);
            s.sent();
            s.wait(4);
        }
        s.grant(0, 1);
        s.wait(6);
        s.settle();
    }
    // as many as the counter holds, and one more
    s.cfg(18, 15);
    s.sent();
    s.add([Op::Serve(None, 0, 0)]);
    s.send(0, 0, 1);
    for _ in 0..4 {
        for i in 0..4 {
            s.send(1 + i % 2, 0, 1);
        }
        s.sent();
        s.wait(4);
        s.grant(1, 2);
        s.grant(2, 2);
        s.wait(8);
        s.add([Op::Serve(None, 0, 0)]);
    }
    s.settle();
    s.cfg(10, 0xffff);
    s.marks_off();
    s.sent();
}

fn marks_every_bit(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    s.cfg(0, NAIVE | MB_EN);
    let most = d.cap.min(4 * d.mtu);
    for bit in 0..16 {
        let level = 1u32 << bit;
        for to in [level - 1, level] {
            s.cfg(16, to);
            s.cfg(17, to);
            s.cfg(18, bit);
            s.cfg(15, bit);
            s.sent();
            stored(s, 0, most - 2);
            s.send(1, 0, 1);
            s.send(1, 0, 1);
            s.sent();
            s.wait(4);
            s.grant(1, 2);
            s.wait(8);
            s.settle();
        }
    }
    s.marks_off();
    s.sent();
}

fn err_clear(s: &mut Steps) {
    s.start(65535, 65535);
    let bad = Packet { vl: s.d.vls as u8, ..s.packet(0, 0, 1) };
    for lead in 0..6 {
        s.add([Op::Send(bad), Op::Send(Packet { words: 0, ..bad })]);
        s.wait(lead);
        for i in 0..8 {
            s.cfg(10, if i % 2 == 0 { 0xffff } else { 1 << (i % 3) });
        }
        s.sent();
        s.cfg(10, 0xffff);
        s.wait(4);
    }
}

fn drop_counter(s: &mut Steps) {
    s.start(65535, 65535);
    let bad = Packet { words: 0, ..s.packet(0, 0, 1) };
    s.add([Op::Repeat(bad, 65_600), Op::Until(Cond::Sent, 70_000)]);
    s.send(0, 0, 2);
    s.settle();
    s.cfg(10, 0xffff);
}

fn credit_wrap(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    for interval in [1, 3, 0] {
        for v in 0..d.vls {
            let p = Packet::data(s.to(1, 0), d.mtu).on(v);
            s.cfg(4, interval);
            s.add([Op::Repeat(p, 1500 / d.mtu as u32 + 1), Op::Until(Cond::Sent, 30_000)]);
        }
    }
    // shorter and shorter while the counter runs
    for interval in [65535, 200, 90, 40, 10, 2] {
        s.cfg(4, interval);
        s.wait(50);
    }
    s.cfg(4, 1);
    s.settle();
}

fn credit_loss(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    for every in [1, 3, 16] {
        s.add([Op::FctbsEvery(every), Op::Lose(chance(0.5), chance(0.5))]);
        for i in 0..30 {
            let fault = match i % 5 {
                0 => Fault::Lost((i % d.mtu) as u8),
                1 => Fault::MissingFirst,
                _ => Fault::None,
            };
            let p = s.packet(i, i, 1 + i % d.mtu).with(fault);
            s.add([Op::Send(p)]);
            // after a stray flit the VL is unknown
            if i % 5 == 1 {
                let stray = s.packet(0, 0, d.mtu).with(Fault::MissingFirst);
                s.add([Op::Send(stray)]);
            }
        }
        s.until(Cond::Sent);
        s.add([Op::FctbsError(1 + every as u16), Op::Send(s.packet(0, 0, d.mtu))]);
        s.wait(40);
        s.add([Op::FctbsVl(d.vls as u8), Op::Send(s.packet(0, 0, 1))]);
        s.wait(40);
        s.add([Op::FctbsVl(15), Op::FctbsError(2048)]);
        s.wait(40);
        s.settle();
        s.cfg(10, 0xffff);
    }
}

fn routes(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    let x = s.to(0, 1);
    for lead in 0..6 {
        for port in [1, 0xff, d.ports as u8, 0] {
            s.add([Op::Send(s.packet(0, 1, 1)), Op::Send(s.packet(0, 1, 2)), Op::Send(s.packet(0, 1, 1))]);
            s.wait(lead);
            s.add([Op::Lft(x, port)]);
            s.sent();
        }
        s.settle();
    }
    // the same entry written in every cycle of a stream
    for i in 0..40 {
        s.add([Op::Send(s.packet(0, 1, 1)), Op::Lft(x, (i % d.ports) as u8)]);
    }
    s.sent();
    // stored packets stay on their way; writes beyond the table do nothing
    s.hold(0);
    s.add([Op::Lft(x, 0), Op::Until(Cond::Sent, 100), Op::Send(s.packet(0, 1, d.mtu))]);
    s.sent();
    s.wait(4);
    s.add([Op::Lft(x, 1), Op::Lft(d.lft_depth.min(65535) as u16, 0), Op::Lft(0xffff, 1)]);
    s.sent();
    s.add([Op::Send(s.packet(0, 1, d.mtu))]);
    for dlid in [d.lft_depth as u16 - 1, d.lft_depth.min(65535) as u16, 0xfffe] {
        s.add([Op::Send(Packet { dlid, ..s.packet(0, 0, 2) })]);
    }
    s.settle();
    s.add([Op::Lft(x, 0)]);
    s.cfg(10, 0xffff);
}

/// Fills the queue of output 0 flit by flit and empties it again.
fn up_and_down(s: &mut Steps, top: usize) {
    s.hold(0);
    for _ in 0..top {
        s.send(0, 0, 1);
        s.wait(2);
    }
    s.sent();
    s.wait(4);
    for i in 0..top {
        s.grant(0, 1);
        s.wait(4);
        if i % 4 == 3 {
            // one step back up
            s.send(0, 0, 1);
            s.wait(6);
            s.grant(0, 1);
            s.wait(4);
        }
    }
    s.settle();
}

fn hysteresis(s: &mut Steps) {
    s.start(4, 2);
    let top = 8.min(s.d.cap);
    for (hth, lth) in [(4, 2), (3, 3), (2, 5), (0, 0), (1, 1), (5, 0)] {
        s.cfg(1, hth);
        s.cfg(2, lth);
        s.sent();
        up_and_down(s, top);
    }
}

fn every_threshold(s: &mut Steps) {
    s.start(0, 0);
    let d = s.d;
    // a cold queue is congested above 0; above another threshold it stays so, below it does not
    for (o, v) in s.queues() {
        let whole = Packet::data(s.to(o, 0), d.mtu).on(v);
        // the sender sees to it that there is room for all of a packet
        let levels = [(whole, 1), (whole, d.cap / d.mtu), (whole.with(Fault::Bad(1)), d.cap - d.mtu + 1)];
        for (packet, count) in levels {
            s.hold(o);
            s.add((0..count).map(|_| Op::Send(packet)));
            s.add([Op::Until(Cond::Sent, 3 * d.cap as u32 + 100)]);
            for bit in 0..16 {
                s.cfg(2, 1 << bit);
                s.cfg(1, 1 << bit);
                s.wait(5);
                s.cfg(2, 0);
                s.cfg(1, 0);
                s.wait(5);
            }
            s.settle();
            s.cfg(10, 0xffff);
        }
    }
    // a hot queue asks for a stop when a packet lifts it above 1, and takes that back below another threshold
    s.registers(65535, 0);
    for (packet, count) in [(s.packet(0, 0, 1), 2), (s.packet(0, 0, d.mtu).with(Fault::Bad(1)), 6)] {
        s.hot(0, 0, 1, 1);
        s.add((1..count).map(|_| Op::Send(packet)));
        s.sent();
        for bit in 0..16 {
            // whatever it asked for, it takes back
            s.cfg(12, 65535);
            s.cfg(11, 65535);
            s.wait(6);
            s.cfg(12, 1);
            s.cfg(11, 1 << bit);
            s.sent();
            s.add([Op::Send(packet)]);
            s.sent();
            s.wait(6);
            s.cfg(11, 1);
            s.sent();
            s.add([Op::Send(packet)]);
            s.sent();
            s.wait(6);
            s.cfg(12, 1 << bit);
            s.sent();
            s.wait(6);
            s.grant(0, 2);
            s.wait(12);
            s.hold(0);
        }
        s.settle();
        s.cfg(10, 0xffff);
    }
    s.cfg(11, 0);
    s.cfg(12, 0);
}

/// Registers that all show: a root and a hot queue with what they say, slow packets, silence, an error.
fn other_addresses(s: &mut Steps) {
    let d = s.d;
    for junk in [0, u32::MAX] {
        s.start(2, 1);
        for (addr, value) in [(4, 3), (5, 3), (6, 20), (7, 90), (8, 9), (9, 0x5a5), (11, 4), (12, 3)] {
            s.cfg(addr, value);
        }
        s.send(0, 0, 1);
        s.add([Op::Send(Packet { words: 0, ..s.packet(0, 0, 1) })]);
        s.sent();
        // what is no register's address changes none
        for addr in 22..=255 {
            s.cfg(addr, junk);
        }
        s.sent();
        s.hold(1);
        s.hot(0, 0, 2, 1);
        for _ in 0..4 {
            s.send(1, 0, 1);
            s.send(0, 0, 1);
        }
        s.sent();
        s.wait(30);
        s.grant(1, 2);
        s.wait(4);
        s.grant(0, u32::MAX);
        s.wait(130);
        s.settle();
        s.add([Op::LinkPace(3), Op::Send(s.packet(2, 0, d.mtu))]);
        s.sent();
        s.wait(10);
        s.add([Op::LinkPace(1), Op::Send(s.packet(2, 0, d.mtu).with(Fault::Stall(1, 24)))]);
        s.sent();
        s.settle();
        // hot and cold at once: round robin
        s.hold(0);
        s.tree(0, 0, &[0]);
        for j in [0, 0, 1, 1] {
            s.send(0, j, 1);
        }
        s.sent();
        s.wait(12);
        s.grant(0, u32::MAX);
        s.wait(20);
        s.settle();
        s.cfg(10, 0xffff);
    }
    for addr in [5, 6, 8, 11, 12] {
        s.cfg(addr, u32::from(addr == 5));
    }
}

fn weights(s: &mut Steps) {
    s.start(2, 1);
    let d = s.d;
    let all: &[u32] = if d.cap > 256 { &[0, 1, 14, 15] } else { &[0, 1, 2, 5, 8, 12, 13, 14, 15] };
    for &w in all {
        for (hth, lth) in [(d.mtu as u32 * 2, d.mtu as u32), (65535, 0), (0, 9)] {
            if (w == 1 || w == 14) && lth != d.mtu as u32 {
                continue;
            }
            s.cfg(1, hth);
            s.cfg(2, lth);
            s.cfg(3, 16 | w);
            s.hold(0);
            for n in lengths(d.cap, d.mtu) {
                s.send(0, 0, n);
            }
            s.add([Op::Until(Cond::Sent, 2 * d.cap as u32 + 100)]);
            s.wait(4);
            s.settle();
        }
    }
    s.cfg(3, 0);
}

fn cnp_first(s: &mut Steps) {
    s.start(65535, 1);
    let v = s.v();
    for turn in 0..4 {
        s.hot(0, 0, 3, 2);
        let cnp = Packet::cnp(s.to(0, 0)).on(v);
        s.add([Op::Send(cnp), Op::Send(Packet::cnp(s.to(0, 1)).on(v)), Op::Send(s.packet(0, 2, 1))]);
        s.add([Op::Send(cnp)]);
        s.sent();
        s.wait(4);
        // a notification is never told of a tree
        s.prop(0, 0);
        s.wait(2);
        for _ in 0..turn + 1 {
            s.grant(0, 1);
            s.wait(8);
        }
        s.settle();
    }
}

fn cnp_plain(s: &mut Steps) {
    s.start(65535, 1);
    let v = s.v();
    for ctrl in [0b101, 0b111] {
        s.cfg(0, ctrl);
        s.sent();
        s.hot(0, 0, 5, 1);
        for j in [0, 4, 0, 4] {
            s.add([Op::Send(Packet::cnp(s.to(0, j)).on(v))]);
        }
        s.sent();
        s.wait(4);
        s.grant(0, 6);
        s.wait(40);
        s.settle();
    }
    s.cfg(0, 1);
    s.settle();
}

/// CTRL bits.
const RELEASE: u32 = 1 << 3;
const ROOT_HPQ: u32 = 1 << 4;

fn release(s: &mut Steps) {
    s.start(2, 2);
    let d = s.d;
    s.cfg(0, 1 | RELEASE);
    s.sent();
    // through the thresholds, packet by packet
    for n in [1, 2, d.mtu] {
        s.hold(0);
        for j in 0..(d.cap / n).min(4) {
            s.send(0, j, n);
        }
        s.sent();
        s.wait(4);
        for _ in 0..5 {
            s.grant(0, 1);
            s.wait(2 * n + 3);
        }
        s.settle();
        // packets are granted while they arrive
        s.grant(0, u32::MAX);
        s.send(0, 0, n);
        s.send(0, 1, n);
        s.sent();
        s.wait(2 * n + 8);
    }
    // the setting changes while a packet is read
    for (before, after) in [(RELEASE, 0), (0, RELEASE)] {
        s.cfg(0, 1 | before);
        s.sent();
        s.hold(0);
        s.send(0, 0, d.mtu);
        s.send(0, 1, 1);
        s.sent();
        s.wait(4);
        s.add([Op::Pace(Some(0), 0)]);
        s.grant(0, 1);
        s.wait(4);
        s.cfg(0, 1 | after);
        s.wait(3);
        s.add([Op::Pace(Some(0), 1)]);
        s.wait(d.mtu + 4);
        s.settle();
    }
    s.cfg(0, 1 | RELEASE);
    s.cfg(1, 65535);
    s.sent();
    // a hot queue goes to another tree while its last packet waits for the link
    s.hot(0, 0, 1, 1);
    s.add([Op::Pace(Some(0), 0)]);
    s.grant(0, 1);
    s.wait(8);
    s.hold(1);
    s.tree(1, 0, &[0]);
    s.send(1, 0, 1);
    s.until(Cond::Known(1, 0));
    s.wait(4);
    s.settle();
    s.cfg(0, 1);
    s.settle();
}

fn release_cut(s: &mut Steps) {
    s.start(2, 2);
    s.cfg(0, 1 | RELEASE);
    let n = s.d.mtu;
    let step = (n / 4).max(1);
    for at in (1..n).step_by(step).chain([n - 1]) {
        for early in [true, false] {
            s.hold(0);
            let p = s.packet(0, 0, n).with(Fault::Bad(at as u8));
            s.add([Op::Send(p), Op::Send(s.packet(0, 1, 1)), Op::LinkPace(2)]);
            s.wait(if early { 1 } else { 2 * n + 4 });
            s.grant(0, u32::MAX);
            s.wait(3 * n);
            s.settle();
        }
    }
    s.cfg(0, 1);
    s.settle();
}

/// A root with a hot queue at output 0, holding `m` packets of a flit; the output grants nothing.
fn own(s: &mut Steps, m: usize) {
    s.cfg(0, 1 | ROOT_HPQ);
    s.sent();
    s.hold(0);
    for _ in 0..m {
        s.send(0, 0, 1);
    }
    s.sent();
    s.add([Op::Until(Cond::Message(ALLOC), 60)]);
    s.wait(m + 6);
}

fn own_queue(s: &mut Steps) {
    s.start(2, 1);
    let (d, v) = (s.d, s.v());
    s.cfg(11, 4);
    s.cfg(12, 2);
    own(s, 5);
    // beyond STOP, and released; in vain told of a tree, and held
    for _ in 0..3 {
        s.send(0, 0, 1);
    }
    s.sent();
    s.add([Op::Until(Cond::Message(STOP), 60), Op::Until(Cond::Hot(0, v), 20)]);
    s.prop(0, 0);
    s.wait(3);
    s.add([Op::Held(0, v, 0)]);
    s.wait(4);
    // destinations that cross the root beside it, more than the list holds
    for j in 1..d.dlist + 2 {
        s.send(0, j, 1);
        s.send(0, 0, 1);
        s.sent();
        s.wait(3);
        s.grant(0, 2);
        s.wait(6);
    }
    s.add([Op::Serve(Some(0), ALWAYS, u32::MAX), Op::Until(Cond::Message(DEALLOC), 500)]);
    s.settle();
    // behind a notification
    s.hold(0);
    s.add([Op::Send(Packet::cnp(s.to(0, 0)).on(v))]);
    for _ in 0..4 {
        s.send(0, 0, 1);
    }
    s.sent();
    s.wait(8);
    for _ in 0..6 {
        s.grant(0, 1);
        s.wait(6);
    }
    s.settle();
    s.cfg(0, 1);
    s.cfg(11, 0);
    s.cfg(12, 0);
    s.settle();
}

fn own_no_resources(s: &mut Steps) {
    let d = s.d;
    let pv = d.ports * d.vls;
    for lines in [false, true] {
        s.start(65535, 1);
        // all hot queues but one are a tree's each, or all
        let hots = if lines { d.lines.saturating_sub(pv - 1).min(d.hpqs - 1) } else { d.hpqs.min(d.lines) };
        s.add([Op::Serve(None, 0, 0)]);
        for k in 0..hots {
            s.tree(0, k, &[k]);
            s.send(0, k, 1);
            s.sent();
            s.wait(12);
        }
        s.cfg(1, 0);
        s.sent();
        if lines {
            // and all lines but those are roots without one; the last queue is left
            for q in 0..pv - 1 {
                let p = Packet::data(s.to(q / d.vls, 9), 1).on(q % d.vls);
                s.add([Op::Send(p)]);
            }
            s.sent();
            s.wait(pv + 8);
        }
        s.cfg(0, 1 | ROOT_HPQ);
        s.sent();
        for _ in 0..2 {
            let last = Packet::data(s.to(d.ports - 1, 9), 1).on(d.vls - 1);
            s.add([Op::Send(last), Op::Send(last)]);
            s.sent();
            s.wait(8);
            s.add([Op::Serve(None, ALWAYS, 2), Op::Wait(12), Op::Serve(None, 0, 0)]);
        }
        s.settle();
        s.cfg(0, 1);
        s.settle();
    }
}

fn own_beside(s: &mut Steps) {
    s.start(2, 1);
    let d = s.d;
    // a ROOT line of the same queue
    s.hold(0);
    for _ in 0..4 {
        s.send(0, 0, 1);
    }
    s.sent();
    s.wait(4);
    s.cfg(0, 1 | ROOT_HPQ);
    s.wait(8);
    s.send(0, 0, 1);
    s.sent();
    s.settle();
    // it drains; its packets wait behind it, congested, and it is taken anew
    for off in 0..6 {
        own(s, 5);
        s.cfg(0, ROOT_HPQ);
        s.wait(2 + off);
        s.cfg(0, 1 | ROOT_HPQ);
        for _ in 0..4 {
            s.send(0, 0, 1);
        }
        s.sent();
        s.wait(4);
        s.grant(0, 6);
        s.wait(d.mtu + 20);
        s.settle();
    }
    // a tree's line drains, and congestion behind it waits for another head
    s.hot(0, 0, 2, 1);
    s.cfg(0, ROOT_HPQ);
    s.wait(4);
    s.cfg(0, 1 | ROOT_HPQ);
    for _ in 0..4 {
        s.send(0, 0, 1);
    }
    s.sent();
    s.wait(6);
    s.grant(0, 8);
    s.wait(d.mtu + 40);
    s.settle();
    // a tree from further down takes the other hot queue
    own(s, 4);
    s.tree(0, 0, &[1]);
    for _ in 0..3 {
        s.send(0, 1, 1);
        s.send(0, 0, 1);
    }
    s.sent();
    s.wait(20);
    s.add([Op::Stop(0, 0, true), Op::Wait(6)]);
    s.grant(0, 4);
    s.wait(20);
    s.settle();
    s.cfg(0, 1);
    s.settle();
}

fn round_robin(s: &mut Steps) {
    s.start(65535, 1);
    let v = s.v();
    for ctrl in [1, 3] {
        s.cfg(0, ctrl);
        s.sent();
        for trees in 1..=s.d.hpqs.min(3) {
            s.hold(0);
            for k in 0..trees {
                s.tree(0, k, &[k]);
            }
            for i in 0..3 {
                for k in 0..trees {
                    s.send(0, k, 1 + i % 2);
                }
            }
            s.sent();
            s.wait(24);
            // cold ones, which are in no list
            for i in 0..4 {
                s.send(0, 4, 1 + i % 2);
            }
            s.sent();
            s.wait(4);
            for k in 0..trees {
                s.add([Op::Stop(0, k, k == 1)]);
            }
            s.grant(0, 3);
            s.wait(20);
            s.add([Op::Stop(0, 1, false), Op::Until(Cond::Request(0, v), 50)]);
            s.grant(0, u32::MAX);
            s.wait(40);
            s.settle();
        }
    }
}

fn hpq_turns(s: &mut Steps) {
    s.start(65535, 1);
    let v = s.v();
    for ctrl in [1, 3] {
        s.cfg(0, ctrl);
        s.sent();
        s.hold(0);
        let trees = s.d.hpqs.min(2);
        for k in 0..trees {
            s.tree(0, k, &[k]);
        }
        // Two hot queues have enough for the one that others pass to be late.
        for k in (0..if trees > 1 { 6 } else { 2 }).flat_map(|_| 0..trees) {
            s.send(0, k, 1);
        }
        s.sent();
        s.wait(40);
        // the cold queue never runs empty
        let first = if ctrl == 3 { s.packet(0, 4, 1) } else { Packet::cnp(s.to(0, 4)).on(v) };
        for _ in 0..4 * trees {
            s.add((0..10).map(|_| Op::Send(first)));
            s.sent();
            s.wait(4);
            s.grant(0, 10);
            s.wait(40);
            s.hold(0);
        }
        s.settle();
    }
    s.cfg(0, 1);
}

fn queues_yield(s: &mut Steps) {
    s.start(65535, 1);
    let trees = s.d.hpqs.min(s.d.lines).min(2);
    for _ in 0..3 {
        s.hold(0);
        for k in 0..trees {
            s.tree(0, k, &[k]);
        }
        for k in (0..4).flat_map(|_| 0..trees).chain([4; 5]) {
            s.send(0, k, 1);
        }
        s.sent();
        s.wait(40);
        for _ in 0..8 {
            for stops in [true, false] {
                s.add((0..trees).map(|k| Op::Stop(0, k, stops)));
                s.wait(4);
                s.grant(0, 1);
                s.wait(6);
            }
        }
        s.settle();
    }
}

fn hpq_reborn(s: &mut Steps) {
    s.start(65535, 1);
    s.hold(0);
    let last = s.d.hpqs.min(s.d.lines).min(2) - 1;
    for k in 0..=last {
        s.tree(0, k, &[k]);
    }
    // The first one has more for as long as the second one comes and goes.
    for _ in 0..if last > 0 { 3 } else { 1 } {
        s.send(0, 0, 1);
    }
    s.sent();
    s.wait(24);
    s.grant(0, 1);
    s.wait(8);
    // Longer than another may pass it; the line of the second one has time to end after each packet.
    for _ in 0..60 {
        s.send(0, last, 1);
        s.sent();
        s.wait(12);
        s.grant(0, 1);
        s.wait(40);
    }
    s.settle();
}

fn low_threshold_0(s: &mut Steps) {
    s.start(3, 0);
    for go in [0, 1] {
        s.cfg(12, go);
        s.sent();
        s.hot(0, 0, 4, 2);
        s.until(Cond::Message(STOP));
        s.grant(0, u32::MAX);
        s.until(Cond::Message(GO));
        s.until(Cond::Message(DEALLOC));
        s.settle();
    }
    s.cfg(12, 0);
}

fn acks_beside_stop(s: &mut Steps) {
    s.start(3, 2);
    // charges leave flit by flit, and at the grant
    for ctrl in [1, 9] {
        s.cfg(0, ctrl);
        s.sent();
        s.hot(0, 0, 4, 2);
        s.until(Cond::Message(STOP));
        s.add(std::iter::repeat_n(s.ack(0), 4));
        s.sent();
        s.wait(8);
        // the data leave, the ACKs stay
        s.grant(0, 4);
        s.until(Cond::Message(GO));
        s.add(std::iter::repeat_n(s.ack(0), 2));
        s.sent();
        s.wait(8);
        // one goes for each that comes: the queue is never empty
        s.grant(0, u32::MAX);
        s.add(std::iter::repeat_n(s.ack(0), 12));
        s.until(Cond::Message(DEALLOC));
        s.settle();
    }
    s.cfg(0, 1);
}

fn drain_served(s: &mut Steps) {
    s.start(65535, 1);
    s.cfg(7, 4);
    for again in [1, 6, 20, 40] {
        s.hot(0, 0, 2, 2);
        s.add([Op::Dealloc(0, 0), Op::Wait(again)]);
        s.tree(0, 0, &[0]);
        // behind the draining line, and at another output
        s.send(0, 0, 1);
        s.send(1, 0, 1);
        s.sent();
        s.wait(10);
        s.grant(0, u32::MAX);
        s.wait(40);
        s.settle();
    }
}

fn bad_grants(s: &mut Steps) {
    s.start(65535, 65535);
    let d = s.d;
    for at in 0..2 * d.mtu + 8 {
        s.hold(0);
        for v in 0..d.vls {
            let p = Packet::data(s.to(0, 0), d.mtu).on(v);
            s.add([Op::Send(p), Op::Send(p)]);
        }
        s.sent();
        s.wait(4);
        s.add([Op::Pace(Some(0), 2), Op::Grant(0, 0)]);
        s.wait(at);
        s.add([Op::Grant(0, 0), Op::Grant(1, 0)]);
        if at % 2 == 1 {
            s.add([Op::Grant(0, d.vls - 1)]);
        }
        s.wait(1);
        s.settle();
    }
    s.cfg(10, 0xffff);
}

fn root(s: &mut Steps) {
    s.start(2, 2);
    let d = s.d;
    for n in [1, 2] {
        s.cfg(1, 2 * n as u32);
        s.cfg(2, 2 * n as u32);
        s.hold(0);
        let room = (d.cap / n).min(2 * d.dlist + 4);
        for j in 0..room {
            s.send(0, j, n);
        }
        s.sent();
        s.add([Op::Until(Cond::Message(ALLOC), 100)]);
        // packets leave and others come, so that the list grows
        for j in 0..2 * d.dlist + 4 {
            s.grant(0, 1);
            s.wait(4);
            s.send(0, room + j, n);
            s.wait(6);
        }
        s.add([Op::Serve(Some(0), ALWAYS, u32::MAX), Op::Until(Cond::Message(DEALLOC), 500)]);
        s.settle();
    }
}

fn root_cnp(s: &mut Steps) {
    s.start(2, 1);
    s.hold(0);
    let cnp = Packet::cnp(s.to(0, 0)).on(s.v());
    s.add([Op::Send(cnp)]);
    for j in 0..4 {
        s.send(0, j, 1);
    }
    s.sent();
    s.wait(10);
    for _ in 0..4 {
        s.grant(0, 1);
        s.wait(6);
    }
    s.settle();
}

fn every_root(s: &mut Steps) {
    s.start(3, 3);
    for (o, v) in s.queues() {
        for (second, cnp) in [(false, false), (false, true), (true, false), (true, true)] {
            let to = |j| Packet::data(s.to(o, j), 2).on(v);
            let packets = [to(0), to(1), to(2), to(3)];
            let other = Packet::data(s.to(o + 1, 0), 2).on(v);
            if second {
                // another root takes the first line
                s.hold(o + 1);
                s.add([Op::Send(other), Op::Send(other)]);
                s.until(Cond::Congested(o + 1, v));
            }
            s.hold(o);
            if cnp {
                s.add([Op::Send(Packet::cnp(packets[0].dlid).on(v))]);
            }
            s.add(packets[..2].iter().map(|p| Op::Send(*p)));
            s.until(Cond::Congested(o, v));
            s.wait(4);
            s.add([Op::Send(packets[2])]);
            s.sent();
            s.wait(8);
            for p in [packets[3], packets[0]] {
                s.grant(o, 1);
                s.wait(6);
                s.add([Op::Send(p)]);
                s.sent();
                s.wait(4);
            }
            s.settle();
        }
    }
}

fn announce(s: &mut Steps) {
    s.start(1, 1);
    for at in 0..24 {
        s.hold(0);
        s.grant(0, 0);
        s.send(0, 0, 1);
        s.send(0, 1, 1);
        s.send(0, 2, 1);
        s.send(0, 3, 1);
        s.wait(at);
        s.grant(0, 2);
        s.sent();
        s.wait(12);
        s.settle();
    }
}

fn propagate(s: &mut Steps) {
    s.start(1, 1);
    // cold first, so that a second destination is published while the first one's line is new
    s.cfg(0, 3);
    for at in 0..24 {
        s.hold(0);
        s.tree(0, 0, &[0]);
        s.send(0, 0, 2);
        s.send(0, 1, 1);
        s.wait(at);
        s.prop(0, 0);
        s.sent();
        s.wait(8);
        s.tree(0, 0, &[0, 1]);
        s.wait(8);
        s.send(0, 1, 2);
        s.sent();
        s.wait(8);
        s.settle();
    }
    s.cfg(0, 1);
}

fn list_full(s: &mut Steps) {
    s.start(65535, 1);
    let d = s.d;
    s.hot(0, 0, 1, 1);
    // the tree's list grows, and the line's with it
    for j in 1..d.dlist {
        let js: Vec<usize> = (0..=j).collect();
        s.tree(0, 0, &js);
        s.send(0, j, 1);
        s.sent();
        s.wait(6);
    }
    // the tree is gone; another one takes the line over, and has a destination more than the list holds
    s.add([Op::Dealloc(0, 0), Op::Wait(6)]);
    s.tree(0, 1, &[0, d.dlist]);
    s.until(Cond::Known(0, 1));
    s.send(0, d.dlist, 1);
    s.sent();
    s.until(Cond::NoRoom(0, 1));
    s.wait(4);
    for _ in 0..4 {
        s.prop(0, 1);
        s.wait(2);
        s.add([Op::Grant(0, s.v()), Op::Wait(4)]);
    }
    // told in vain, it may pass
    s.grant(0, 1);
    s.wait(6);
    s.settle();
}

fn one_tree_twice(s: &mut Steps) {
    s.start(65535, 1);
    let d = s.d;
    // one line with room for one more, one full or not, at the same output
    for (low, high) in [(d.dlist, 1), (1, d.dlist), (1, 1)] {
        s.hold(0);
        for (k, n) in [(0, low), (1, high)] {
            for j in 0..n {
                let js: Vec<usize> = (0..=j).map(|j| 8 * k + j).collect();
                s.tree(0, k, &js);
                s.send(0, 8 * k + j, 1);
                s.sent();
                s.wait(8);
                // the candidate may be a hot one; then the cold one comes after it
                s.add([Op::Grant(0, s.v()), Op::Wait(4)]);
                s.send(0, 8 * k + j, 1);
                s.sent();
                s.wait(6);
            }
        }
        // the candidate's line moves to the other's tree, whichever it is
        for k in [0, 1, 0] {
            s.prop(0, k);
            s.wait(2);
            s.add([Op::Grant(0, s.v()), Op::Wait(4)]);
            s.prop(0, k);
            s.wait(2);
            s.send(0, 7, 1);
            s.sent();
            s.wait(4);
            s.prop(0, k);
            s.wait(3);
        }
        s.settle();
    }
    // the first line is full: cold heads go first, so each of its list is told
    s.cfg(0, 3);
    s.sent();
    s.hold(0);
    for (k, first, n) in [(0, 0, d.dlist), (1, d.dlist, 1)] {
        for j in 0..n {
            let js: Vec<usize> = (0..=j).map(|j| first + j).collect();
            s.tree(0, k, &js);
            s.send(0, first + j, 1);
            s.send(0, first + j, 1);
            s.sent();
            s.wait(8);
        }
    }
    // both hot queues ask in turn: both lines to the first tree, and a destination more
    for _ in 0..2 {
        s.prop(0, 0);
        s.wait(2);
        s.add([Op::Grant(0, s.v()), Op::Wait(4)]);
    }
    s.send(0, d.dlist + 1, 1);
    s.sent();
    s.wait(4);
    s.prop(0, 0);
    s.wait(3);
    s.settle();
    s.cfg(0, 1);
}

fn ignored_props(s: &mut Steps) {
    s.start(65535, 1);
    let d = s.d;
    let v = s.v();
    let base = RawProp { out: 0, vl: v as u8, line: 0, hops: 63, root: 0xff_ffff };
    s.hold(0);
    s.hold(1);
    // nothing requested
    s.add([Op::Prop(base), Op::Wait(2)]);
    s.send(0, 0, 1);
    s.send(1, 0, 1);
    s.sent();
    s.until(Cond::Request(1, v));
    s.add([Op::Prop(RawProp { vl: d.vls as u8, ..base }), Op::Wait(2)]);
    s.add([Op::Prop(RawProp { vl: 15, ..base }), Op::Wait(2)]);
    s.add([Op::Prop(RawProp { line: d.lines as u8, ..base }), Op::Wait(2)]);
    s.add([Op::Prop(RawProp { line: 255, ..base }), Op::Wait(2)]);
    s.cfg(0, 0);
    s.wait(3);
    s.add([Op::Prop(base), Op::Wait(2)]);
    s.cfg(0, 1);
    s.wait(3);
    // granted in the same cycle
    s.add([Op::Prop(base), Op::Grant(0, v), Op::Wait(4)]);
    let cnp = Packet::cnp(s.to(0, 0)).on(v);
    s.add([Op::Send(cnp), Op::Until(Cond::Sent, 100), Op::Wait(4), Op::Prop(base), Op::Wait(2)]);
    s.grant(0, 1);
    s.wait(4);
    // two outputs at once: only the lower one counts
    s.send(0, 0, 1);
    s.sent();
    s.wait(4);
    s.add([Op::Prop(RawProp { out: 1, ..base }), Op::Prop(base), Op::Wait(4)]);
    s.settle();
}

fn every_queue(s: &mut Steps) {
    s.start(65535, 1);
    let d = s.d;
    for (o, v) in s.queues() {
        for second in [false, true] {
            for at in 1..d.mtu {
                if second {
                    // a root takes the first line
                    let other = o + 1;
                    s.hold(other);
                    s.add([Op::Send(Packet::data(s.to(other, 1), 1).on(v))]);
                    s.sent();
                    s.cfg(1, 0);
                    s.until(Cond::Congested(other, v));
                    s.wait(2);
                    s.cfg(1, 65535);
                    s.sent();
                }
                s.hold(o);
                let dlid = s.to(o, 0);
                s.add([Op::Alloc(o, 0, v, vec![dlid]), Op::Send(Packet::data(dlid, 1).on(v))]);
                s.until(Cond::Known(o, 0));
                let cut = Packet::data(dlid, d.mtu).on(v).with(Fault::Cut(at as u8));
                s.add([Op::Send(cut), Op::Send(Packet::data(dlid, 1).on(v))]);
                s.sent();
                s.wait(12);
                // its cold queue is empty, and so is soon the hot one: the line ends with the tree
                s.add([Op::Dealloc(o, 0)]);
                s.grant(o, u32::MAX);
                s.add([Op::Until(Cond::NoRequest(o, v), 60)]);
                s.wait(12);
                s.settle();
                s.cfg(10, 0xffff);
            }
        }
    }
}

fn moves(s: &mut Steps) {
    s.start(65535, 1);
    let d = s.d;
    for pace in [1, 3] {
        s.add([Op::LinkPace(pace)]);
        s.cfg(5, pace);
        s.hold(0);
        s.hold(1);
        // each output has a tree; packets of it and others take turns in the cold queues
        s.tree(0, 0, &[0]);
        s.tree(1, 1, &[0]);
        for i in 0..4 {
            for o in 0..2 {
                s.send(o, i % 2, 1 + (i * 2) % d.mtu.min(3));
            }
        }
        s.wait(30);
        s.add([Op::Serve(None, chance(0.5), u32::MAX)]);
        s.wait(60);
        s.settle();
        // two heads match in one cycle: both behind a packet that leaves now
        for at in 0..5 {
            s.add([Op::Serve(None, 0, 0)]);
            s.tree(0, 0, &[0]);
            s.tree(1, 1, &[0]);
            for o in 0..2 {
                s.send(o, 0, 1);
            }
            s.sent();
            s.wait(12);
            for o in 0..2 {
                s.send(o, 1, 1);
                s.send(o, 0, 1);
            }
            s.sent();
            s.wait(6);
            s.cfg(0, 3);
            s.grant(0, u32::MAX);
            s.wait(at);
            s.grant(1, u32::MAX);
            s.wait(12);
            s.cfg(0, 1);
            s.settle();
        }
        // moved while it arrives
        s.hot(0, 0, 1, 1);
        for at in 1..d.mtu.min(6) {
            let p = s.packet(0, 0, d.mtu).with(Fault::Stall(at as u8, 12));
            s.add([Op::Send(p)]);
            s.sent();
            s.wait(16);
            s.grant(0, 1);
            s.wait(2 * d.mtu);
            s.hold(0);
        }
        s.settle();
    }
    s.cfg(5, 1);
}

fn stop_go(s: &mut Steps) {
    s.start(3, 2);
    for at in 0..16 {
        s.hot(0, 0, 2, 2);
        s.add([Op::Until(Cond::Message(ALLOC), 50)]);
        s.send(0, 0, 2);
        s.send(0, 0, 2);
        s.add([Op::Until(Cond::Message(STOP), 50)]);
        // the next switch stops it, releases it
        s.add([Op::Stop(0, 0, true), Op::Wait(2)]);
        s.grant(0, u32::MAX);
        s.wait(at);
        s.add([Op::Stop(0, 0, false), Op::Wait(3), Op::Stop(0, 0, true), Op::Wait(3)]);
        s.add([Op::Stop(0, 0, false), Op::Until(Cond::Message(GO), 80)]);
        // empty, but held by a stop that comes around the end
        s.wait(at);
        s.add([Op::Stop(0, 0, true), Op::Wait(20), Op::Stop(0, 0, false), Op::Wait(8)]);
        s.settle();
    }
    // stopped before it is empty: held
    s.hot(0, 0, 1, 2);
    s.grant(0, 1);
    s.add([Op::Until(Cond::First(0), 30), Op::Stop(0, 0, true), Op::Wait(20), Op::Stop(0, 0, false)]);
    s.settle();
}

fn link_down(s: &mut Steps) {
    s.start(65535, 65535);
    let n = s.d.mtu.min(8);
    let nowhere = Packet::data(s.d.lft_depth as u16 - 1, n);
    for down in [1, 2, 9] {
        for at in 0..2 * n + 8 {
            s.send(0, 0, n);
            s.add([Op::Send(nowhere)]);
            s.send(1, 0, n);
            s.add([Op::FctbsEvery(1 + at as u32 % 2), Op::Wait(at as u32), Op::LinkDown(down)]);
            s.wait(2);
            s.sent();
            s.settle();
        }
    }
    s.cfg(10, 0xffff);
}

fn announce_again(s: &mut Steps) {
    s.start(3, 2);
    for at in 0..32 {
        let down = [Op::Wait(at), Op::LinkDown(1 + at % 3)];
        // a hot queue that is announced, and stops its upstream
        s.hot(0, 0, 1, 2);
        for _ in 0..4 {
            s.send(0, 0, 2);
        }
        s.add(down.clone());
        s.add([Op::Wait(30), Op::LinkDown(1), Op::Wait(20)]);
        // it runs empty
        s.grant(0, u32::MAX);
        s.add(down.clone());
        s.settle();
        // a root
        s.hold(0);
        for j in 0..4 {
            s.send(0, j, 2);
        }
        s.add(down.clone());
        s.wait(20);
        s.grant(0, u32::MAX);
        s.add(down);
        s.settle();
    }
    s.cfg(10, 0xffff);
}

fn bound(s: &mut Steps) {
    s.start(65535, 1);
    let (far, vls) = (s.d.lines - 1, s.d.vls);
    let on_all = move |k: usize| (0..vls).map(move |v| Op::Held(0, v, k as u32));
    let held = |k: usize| on_all(k).chain([Op::Wait(2)]);
    for ctrl in [1, 3] {
        s.cfg(0, ctrl);
        s.sent();
        // a hot queue and a cold one, and a line that lists neither
        s.hot(0, 0, 3, 1);
        if far > 0 {
            s.tree(0, far, &[5]);
        }
        s.send(0, 4, 1);
        s.send(0, 4, 1);
        s.sent();
        s.wait(4);
        // held by a line that goes: each stays where it is
        for k in [far, far, 0, far] {
            s.add(held(k));
        }
        s.grant(0, 1);
        s.wait(6);
        s.hold(0);
        for k in [far, 0, far] {
            s.add(held(k));
        }
        // the line is stopped: what it does not hold passes
        s.add([Op::Stop(0, far, true), Op::Wait(4)]);
        s.add(held(far));
        s.grant(0, 2);
        s.wait(20);
        s.hold(0);
        s.add([Op::Stop(0, far, false), Op::Wait(4)]);
        s.add(held(0));
        // a line that is not there
        s.add(held(s.d.lines).chain(held(255)));
        // a line that goes away, while its queue is held once or all the time
        for each in [0, 8] {
            s.tree(0, far, &[5]);
            s.send(0, 4, 1);
            s.sent();
            s.wait(6);
            s.add(held(far).chain([Op::Dealloc(0, far)]));
            for _ in 0..each {
                s.add(on_all(far).chain([Op::Wait(1)]));
            }
            s.wait(6);
        }
        s.settle();
        // nobody asks
        s.add(held(0));
        // the head of a tied queue moves
        s.add([Op::Tell(0, true)]);
        s.hold(0);
        s.send(0, 1, 1);
        s.sent();
        s.wait(4);
        s.tree(0, 0, &[1]);
        s.wait(2);
        s.add(held(0).chain([Op::Tell(ALWAYS, true), Op::Wait(12)]));
        s.settle();
        // hot queues of another output are taken and freed, while a cold head is held all the time or once
        for each in [1, 40] {
            let hpqs = s.d.hpqs.min(s.d.lines);
            s.hold(1);
            for k in 0..hpqs {
                s.tree(1, k, &[k]);
                s.send(1, k, 1);
                s.add([Op::Until(Cond::Known(1, k), 200)]);
            }
            s.sent();
            s.hold(0);
            s.tree(0, 0, &[5]);
            s.send(0, 4, 1);
            s.sent();
            s.wait(6);
            s.add(held(0));
            s.grant(1, u32::MAX);
            for _ in 0..each {
                s.add(on_all(0).chain([Op::Wait(1)]));
            }
            s.wait(40);
            s.settle();
        }
    }
    s.cfg(0, 1);
}

fn alloc_stop(s: &mut Steps) {
    s.start(1, 1);
    for at in 0..12 {
        s.cfg(8, 3);
        s.hot(0, 0, 2, 2);
        s.wait(at);
        s.send(0, 0, 2);
        s.wait(30);
        s.cfg(8, 0);
        s.settle();
    }
}

fn dealloc_crosses_move(s: &mut Steps) {
    s.start(3, 2);
    s.cfg(7, 6);
    for at in 0..32 {
        s.hold(0);
        s.tree(0, 0, &[0]);
        s.send(0, 0, 2);
        s.send(0, 1, 1);
        s.send(0, 0, 1);
        s.send(0, 0, 2);
        s.wait(at);
        s.add([Op::Dealloc(0, 0)]);
        s.send(0, 0, 1);
        if at % 2 == 1 {
            s.grant(0, 2);
        }
        s.wait(12);
        s.settle();
    }
}

/// A hot packet leaves slowly while a packet for another destination comes; a prop for the line at every cycle.
fn late_append(s: &mut Steps, hth: u32) {
    s.start(hth, 1);
    for at in 0..28 {
        s.hot(0, 0, 1, 2);
        s.add([Op::Pace(Some(0), 3)]);
        s.grant(0, 1);
        s.until(Cond::First(0));
        s.send(0, 1, 1);
        s.wait(at);
        s.prop(0, 0);
        s.wait(12);
        s.settle();
    }
}

fn prop_for_freed(s: &mut Steps) {
    late_append(s, 65535);
}

fn free_vs_append(s: &mut Steps) {
    late_append(s, 1);
}

fn free_vs_move(s: &mut Steps) {
    s.start(65535, 1);
    for hth in [65535, 1] {
        s.cfg(1, hth);
        for at in 0..24 {
            s.hot(0, 0, 1, 2);
            s.add([Op::Pace(Some(0), 3)]);
            s.grant(0, 1);
            s.until(Cond::First(0));
            s.wait(at);
            s.send(0, 0, 1);
            s.wait(14);
            s.settle();
        }
        // two hot queues run empty while the next packets of both are heads; only one can move in a cycle
        for at in 0..4 {
            for o in 0..2 {
                // the next turn is the hot queue's
                s.send(o, 3, 1);
                s.until(Cond::First(o));
                s.hold(o);
                s.tree(o, o, &[0]);
                s.send(o, 0, 1);
                s.sent();
                s.wait(12);
                s.send(o, 1, 1);
                s.send(o, 0, 1);
                s.sent();
                s.wait(6);
            }
            s.grant(0, 2);
            s.wait(at / 2);
            s.grant(1, 2);
            s.wait(14);
            s.settle();
        }
    }
}

fn free_vs_accept(s: &mut Steps) {
    // empty
    s.start(1, 1);
    let v = s.v();
    for at in 0..20 {
        s.hold(0);
        s.send(0, 0, 2);
        s.sent();
        s.wait(6);
        s.add([Op::Pace(Some(0), 3)]);
        s.grant(0, 1);
        s.until(Cond::First(0));
        s.wait(at);
        s.send(0, 0, 1);
        s.wait(14);
        s.settle();
    }
    // its time is over: a packet comes, or leaves and would be collected
    s.registers(3, 2);
    s.cfg(7, 6);
    for collect in [false, true] {
        for at in 0..24 {
            s.hold(0);
            for _ in 0..3 {
                s.send(0, 0, 1);
            }
            s.send(0, 1, 1);
            s.sent();
            s.until(Cond::Congested(0, v));
            s.grant(0, 3);
            s.until(Cond::Calm(0, v));
            s.wait(at);
            if collect {
                s.grant(0, 1);
            } else {
                s.send(0, 0, 1);
            }
            s.wait(14);
            s.settle();
        }
    }
}

fn free_root(s: &mut Steps) {
    // a list that is empty is not announced: only notifications in the queue
    s.start(2, 2);
    let cnp = Packet::cnp(s.to(0, 0)).on(s.v());
    for _ in 0..4 {
        s.hold(0);
        s.add([Op::Send(cnp), Op::Send(cnp), Op::Send(cnp), Op::Send(cnp), Op::Until(Cond::Sent, 100)]);
        s.wait(8);
        s.settle();
    }
}

fn link_loss_full(s: &mut Steps) {
    s.start(4, 2);
    let d = s.d;
    s.cfg(7, 50);
    for stopped in [false, true] {
        s.hold(0);
        s.tree(0, 0, &[0]);
        for n in lengths(d.cap, d.mtu) {
            s.send(0, 0, n);
        }
        s.add([Op::Until(Cond::Sent, 2 * d.cap as u32 + 100), Op::Stop(0, 0, stopped), Op::Wait(4)]);
        s.add([Op::Dealloc(0, 0)]);
        s.send(0, 0, 1);
        s.send(0, 1, 1);
        s.wait(20);
        s.grant(0, 2);
        s.wait(100);
        s.settle();
    }
}

fn relink_vs_loss(s: &mut Steps) {
    s.start(65535, 1);
    for next in [0, 1] {
        for at in 0..8 {
            s.hot(0, 0, 2, 1);
            s.add([Op::Dealloc(0, 0), Op::Wait(at)]);
            s.prop(0, next);
            s.wait(3);
            // the tree comes back under the same or another number
            s.tree(0, next, &[0]);
            s.wait(8);
            s.add([Op::Dealloc(0, 0), Op::Wait(6)]);
            s.settle();
        }
    }
}

fn realloc(s: &mut Steps) {
    s.start(3, 2);
    for gap in 0..16 {
        s.hot(0, 0, 2, 2);
        s.send(0, 1, 1);
        s.sent();
        s.add([Op::Dealloc(0, 0), Op::Wait(gap)]);
        s.tree(0, 0, &[1]);
        s.wait(10);
        s.send(0, 0, 1);
        s.send(0, 1, 1);
        s.wait(10);
        s.grant(0, 2);
        s.wait(10);
        // and back to the first one
        s.tree(0, 0, &[0]);
        s.wait(10);
        s.settle();
    }
}

fn stop_then_gone(s: &mut Steps) {
    s.start(3, 2);
    for at in 0..12 {
        s.hot(0, 0, 2, 2);
        s.add([Op::Stop(0, 0, true)]);
        s.grant(0, u32::MAX);
        s.wait(at);
        s.add([Op::Dealloc(0, 0)]);
        s.wait(20);
        s.settle();
    }
}

fn iso_off(s: &mut Steps) {
    let d = s.d;
    s.start(1, 1);
    let v = s.v();
    for at in 0..20 {
        // a hot line that is announced, another destination's root, one more hot packet on its way
        s.hot(0, 0, 1, 2);
        s.hold(1);
        s.send(1, 0, 2);
        s.sent();
        s.wait(4);
        s.send(0, 0, 2);
        s.wait(at);
        s.cfg(0, 0);
        s.wait(6);
        s.prop(0, 0);
        s.wait(2);
        s.grant(0, 1);
        s.wait(3 * d.mtu);
        // on again while the line drains
        s.cfg(0, 1);
        s.wait(3);
        s.prop(0, 0);
        s.wait(8);
        s.settle();
    }
    // off while a packet leaves whose destination the root has not listed
    for at in 0..10 {
        s.hold(0);
        s.send(0, 0, 1);
        s.send(0, 1, 1);
        s.send(0, 2, 1);
        s.sent();
        s.wait(6);
        s.grant(0, 1);
        s.wait(2);
        s.cfg(0, 0);
        s.wait(at / 2);
        s.grant(0, 1 + at as u32 % 2);
        s.wait(8);
        s.cfg(0, 1);
        s.settle();
    }
    // stop was sent, then off: the go comes from the draining line
    s.registers(3, 2);
    for at in 0..8 {
        s.hot(0, 0, 2, 2);
        s.send(0, 0, 2);
        s.until(Cond::Message(STOP));
        s.wait(at);
        s.cfg(0, 0);
        s.wait(6);
        s.cfg(0, 1);
        s.wait(2);
        s.until(Cond::Hot(0, v));
        s.prop(0, 0);
        s.wait(2);
        s.add([Op::Pace(Some(0), 5)]);
        s.grant(0, u32::MAX);
        s.wait(40);
        s.settle();
    }
}

fn contention(s: &mut Steps) {
    let d = s.d;
    s.start(1, 1);
    for at in 0..16 {
        s.cfg(8, 2);
        s.hot(0, 0, 1, 2);
        for o in 1..d.ports {
            s.hold(o);
        }
        for o in 1..d.ports {
            s.send(o, 0, 2);
        }
        s.sent();
        // the first root ends while a tree starts somewhere else
        s.grant(1, u32::MAX);
        s.tree(2, 1, &[0]);
        s.wait(at);
        s.prop(2, 1);
        s.grant(0, u32::MAX);
        s.wait(20);
        s.cfg(8, 0);
        s.settle();
        // a prop takes a line in the cycle in which a root wants one
        s.hold(0);
        s.hold(1);
        s.send(1, 0, 1);
        s.sent();
        s.wait(4);
        s.send(0, 0, 2);
        s.wait(at / 2);
        s.prop(1, 0);
        s.wait(8);
        s.settle();
        // a prop takes a line in the cycle in which a root's one is freed
        s.hold(0);
        s.hold(1);
        s.send(0, 0, 1);
        s.send(1, 0, 2);
        s.sent();
        s.wait(6);
        s.grant(1, u32::MAX);
        s.wait(at);
        s.prop(0, 0);
        s.wait(8);
        s.settle();
    }
}

fn no_hpq(s: &mut Steps) {
    s.start(65535, 1);
    let d = s.d;
    // more trees than hot queues at one output
    s.hold(0);
    for k in 0..d.hpqs.min(d.lines - 1) {
        s.tree(0, k, &[k]);
        s.send(0, k, 1);
    }
    s.sent();
    s.wait(20);
    s.hold(1);
    s.send(1, 0, 1);
    s.sent();
    s.wait(4);
    s.tree(1, 0, &[0]);
    let vl = s.v() as u8;
    let p = RawProp { out: 1, vl, line: 0, hops: 1, root: 0 };
    s.add([Op::EveryProp(Some(p)), Op::Wait(65_600), Op::EveryProp(None)]);
    // it passes all the same
    s.grant(1, 1);
    s.wait(10);
    s.settle();
}

fn no_line(s: &mut Steps) {
    let d = s.d;
    s.start(0, 1);
    for extra in 0..2 {
        let hots = (d.lines + extra).saturating_sub(d.ports * d.vls).min(d.hpqs);
        s.add([Op::Serve(None, 0, 0)]);
        for h in 0..hots {
            s.tree(h, h, &[0]);
            s.send(h, 0, 2);
            s.sent();
            s.wait(12);
        }
        for v in 0..d.vls {
            for o in 0..d.ports {
                let p = Packet::data(s.to(o, 4), 1).on(v);
                s.add([Op::Send(p)]);
            }
        }
        s.sent();
        s.wait(d.ports * d.vls + 4);
        s.until(Cond::CannotAlloc);
        s.prop(1, 1);
        s.wait(2);
        s.prop(2, 1);
        s.wait(2);
        // an episode ends and another begins
        for _ in 0..2 {
            s.add([Op::Serve(None, ALWAYS, 1), Op::Wait(12), Op::Serve(None, 0, 0)]);
            for o in 0..d.ports {
                s.send(o, 4, 1);
            }
            s.sent();
            s.wait(12);
        }
        s.settle();
    }
    if d.one_queue || d.ports * d.vls <= d.lines {
        return;
    }
    // weight 0 ends an episode, and the threshold begins the next one
    s.add([Op::Serve(None, 0, 0)]);
    for v in 0..d.vls {
        for o in 0..d.ports {
            let p = Packet::data(s.to(o, 4), 1).on(v);
            s.add([Op::Send(p)]);
        }
    }
    s.sent();
    s.until(Cond::CannotAlloc);
    s.add([Op::Alternate(3, [0x10, 0], 65_600)]);
    s.settle();
}

fn root_timer(s: &mut Steps) {
    s.start(3, 3);
    let v = s.v();
    for limit in [0, 1, 5, 60] {
        s.cfg(7, limit);
        s.hold(0);
        for _ in 0..4 {
            s.send(0, 0, 1);
        }
        s.sent();
        s.until(Cond::Congested(0, v));
        s.wait(4);
        s.grant(0, 2);
        s.until(Cond::Calm(0, v));
        s.wait(limit as usize + 20);
        s.settle();
    }
}

fn long_timers(s: &mut Steps) {
    s.start(3, 3);
    let v = s.v();
    s.cfg(7, 65_600);
    s.cfg(6, 65_535);
    s.hold(0);
    for _ in 0..4 {
        s.send(0, 0, 1);
    }
    s.sent();
    s.until(Cond::Congested(0, v));
    s.wait(4);
    s.grant(0, 2);
    let p = s.packet(1, 0, s.d.mtu).with(Fault::Stall(1, 65_535));
    s.add([Op::Send(p), Op::Wait(65_700)]);
    s.settle();
    s.cfg(10, 0xffff);
}

fn relink_vs_expiry(s: &mut Steps) {
    s.start(65535, 1);
    let limit = 6;
    s.cfg(7, limit);
    for at in 0..limit as usize + 8 {
        s.hot(0, 0, 2, 1);
        s.add([Op::Dealloc(0, 0), Op::Wait(at as u32)]);
        s.prop(0, 1 % s.d.lines);
        s.wait(8);
        s.settle();
    }
}

fn drain_order(s: &mut Steps) {
    s.start(65535, 1);
    s.cfg(7, 4);
    for pace in [1, 2, 4] {
        s.hot(0, 0, 2, 2);
        s.add([Op::Dealloc(0, 0), Op::Wait(20)]);
        // these wait behind the draining line; another destination too, since it is behind them
        s.send(0, 0, 1);
        s.send(0, 1, 1);
        s.send(0, 0, 2);
        s.sent();
        s.wait(10);
        s.add([Op::Pace(Some(0), pace)]);
        s.grant(0, u32::MAX);
        s.wait(30);
        s.settle();
    }
}

fn refresh(s: &mut Steps) {
    s.start(1, 1);
    for every in [1, 2, 3, 7] {
        s.cfg(8, every);
        s.hold(0);
        s.hold(1);
        s.send(0, 0, 2);
        s.send(1, 0, 2);
        s.sent();
        s.wait(30);
        s.cfg(8, 2);
        s.wait(5);
        s.cfg(8, 0);
        s.settle();
    }
}

fn every_bit(s: &mut Steps) {
    s.start(1, 1);
    s.hold(0);
    s.hold(1);
    s.send(0, 0, 2);
    s.send(1, 0, 2);
    s.sent();
    for bit in 0..16 {
        s.cfg(4, 1 << bit);
        s.cfg(8, 1 << bit);
        s.wait((2 << bit) + 4);
    }
    // counters that go beyond 32768
    for interval in [0xaaaa, 0xffff] {
        s.cfg(4, interval);
        s.cfg(8, interval);
        s.wait(interval as usize + 4);
    }
    s.cfg(8, 0);
    s.cfg(4, 1);
    s.settle();
}

/// Registers under which an NFQ is found congested soon; nothing is granted.
fn detects(s: &mut Steps) {
    let mtu = s.d.mtu as u32;
    s.start(mtu, mtu / 2);
    s.cfg(13, mtu);
    s.cfg(14, 3);
    s.add([Op::Serve(None, 0, 0)]);
}

fn detection(s: &mut Steps) {
    detects(s);
    let d = s.d;
    for o in 0..3 {
        for _ in 0..2 {
            s.send(o, 0, d.mtu);
        }
    }
    s.sent();
    s.wait(2 * d.mtu + 40);
    // slowly out, through both thresholds
    s.add([Op::Pace(None, 3), Op::Serve(None, ALWAYS, u32::MAX)]);
    s.settle();
    // a notification in front
    s.add([Op::Serve(None, 0, 0)]);
    s.add([Op::Send(Packet::cnp(s.to(0, 0)).on(s.v()))]);
    s.send(0, 0, d.mtu);
    s.send(0, 0, d.mtu);
    s.wait(2 * d.mtu + 20);
    s.settle();
}

fn root_joins(s: &mut Steps) {
    detects(s);
    let d = s.d;
    for _ in 0..3 {
        s.send(0, 0, d.mtu);
    }
    s.sent();
    s.wait(2 * d.mtu + 20);
    s.tree(0, 0, &[0]);
    s.wait(10);
    // the tree is gone: the line has lost its root and ends when it is empty
    s.add([Op::Dealloc(0, 0), Op::Wait(10)]);
    s.settle();
}

fn stop_registers(s: &mut Steps) {
    s.start(65535, 0);
    s.cfg(11, 3);
    s.cfg(12, 3);
    s.hot(0, 0, 4, 2);
    s.until(Cond::Message(STOP));
    s.grant(0, u32::MAX);
    s.until(Cond::Message(GO));
    s.settle();
}

fn go_lost(s: &mut Steps) {
    s.start(3, 2);
    for at in 0..8 {
        s.hot(0, 0, 4, 2);
        s.add([Op::Stop(0, 0, true)]);
        s.grant(0, u32::MAX);
        // the go never comes; the tree is announced again, running
        s.wait(30 + at);
        s.tree(0, 0, &[0]);
        s.wait(1 + at);
        // stopped once more around the end of the queue, and no refresh either: the line of the output dies
        s.add([Op::Stop(0, 0, true), Op::Wait(30), Op::Dealloc(0, 0), Op::Wait(12)]);
        s.settle();
    }
}

fn order(s: &mut Steps) {
    s.start(2, 2);
    let d = s.d;
    s.cfg(7, 10);
    s.cfg(8, 20);
    for step in 1..12 {
        s.add([Op::Serve(Some(0), chance(0.3), u32::MAX)]);
        for round in 0..6 {
            for j in 0..3 {
                for i in 0..2 {
                    s.send(0, j, 1 + (i + j + round) % d.mtu.min(4));
                }
            }
            s.tree(0, round % 2, &[0, round % 3]);
            s.wait(step);
            s.add([Op::Stop(0, round % 2, round % 3 == 0), Op::Wait(step as u32)]);
            s.add([Op::Dealloc(0, round % 2), Op::Wait(step as u32)]);
            if round % 2 == 0 {
                s.tree(0, 1, &[1, 2]);
            }
            s.wait(step);
        }
        s.settle();
    }
}

fn fig6_b(s: &mut Steps) {
    let d = s.d;
    let hth = (2 * d.mtu).min(d.cap / 2);
    s.start(hth as u32, (hth / 2) as u32);
    let v = s.v();
    // events 1 and 2: OP1 is slow (other inputs use it too), CPQ1 exceeds HTh, the root is announced to switch A
    s.add([Op::Serve(Some(1), chance(0.02), u32::MAX)]);
    for i in 0..24 {
        s.send(1, i % 3, 1 + (7 * i) % d.mtu);
        if i % 4 == 0 {
            s.send(2, 0, 1);
        }
    }
    s.add([Op::Until(Cond::Congested(1, v), 4000), Op::Until(Cond::Message(ALLOC), 100)]);
    s.add([Op::Until(Cond::Sent, 10_000), Op::Wait(200)]);
    // event 10: the source is throttled, the tree dissolves
    s.add([Op::Serve(Some(1), ALWAYS, u32::MAX), Op::Until(Cond::Message(DEALLOC), 4000)]);
    s.settle();
}

fn fig6_a(s: &mut Steps) {
    let d = s.d;
    let hth = (2 * d.mtu).min(d.cap / 3);
    s.start(hth as u32, (hth / 2) as u32);
    // event 2 arrives at OP1: B's root, destination 0 is hot, destination 1 is a victim that shares OP1
    s.tree(1, 0, &[0]);
    s.add([Op::Serve(Some(1), chance(0.05), u32::MAX)]);
    // events 3 to 5: the first hot packet is told, HPQ1 is taken, hot packets move, victims pass
    for i in 0..3 * hth / d.mtu.max(2) + 4 {
        s.send(1, 0, d.mtu);
        if i % 2 == 0 {
            s.send(1, 1, 1);
            s.send(2, 0, 1);
        }
        if i == 2 {
            // B stops the tree
            s.until(Cond::Known(1, 0));
            s.add([Op::Stop(1, 0, true)]);
        }
    }
    // event 8: HPQ1 fills; the HCA is told, then stopped
    s.add([Op::Until(Cond::Message(ALLOC), 4000), Op::Until(Cond::Message(STOP), 4000)]);
    s.wait(100);
    // B releases it
    s.add([Op::Stop(1, 0, false), Op::Serve(Some(1), ALWAYS, u32::MAX)]);
    s.add([Op::Until(Cond::Message(GO), 4000), Op::Until(Cond::Message(DEALLOC), 4000)]);
    s.add([Op::Dealloc(1, 0)]);
    s.settle();
}
