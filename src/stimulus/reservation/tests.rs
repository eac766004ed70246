//! Tests of the stimulus, on the golden model alone.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::model::Unit;
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use crate::stimulus::alone::{
    Golden, assert_depends_on_the_seed_alone, assert_nothing_left_out, builds_of, run, tested,
};
use crate::stimulus::regression::cover_applies;

fn all_builds() -> Vec<Build> {
    builds_of(UnitKind::Reservation)
}

/// What each scenario is for.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "c1-read-back" => &[
            "c1_read",
            "c1_read_and_write",
            "c1_read_errors",
            "c1_read_error",
            "c1_read_counter",
            "c1_read_counted",
            "c1_read_none",
            "c1_read_as_written",
        ],
        "b3-errors" => &[
            "q14_bad_flow",
            "q14_no_packets",
            "q14_bad_last",
            "q16_bad_kind",
            "q16_bad_flow",
            "q10_bad_empty",
            "q10_bad_size",
            "q10_bad_beside_ack",
            "q10_bad_when_full",
            "q12_end_lost",
            "q13_full",
            "q13_full_leaves",
            "q20_bad_attr",
            "q19_beside_bad",
            "b3_error_cleared",
            "b3_error_set_wins",
        ],
        "q10-schedule" => &[
            "q10_free",
            "q10_behind",
            "q10_as_t_passes",
            "q10_t_passes",
            "q10_next_cycle",
            "q11_no_wait",
            "q11_wait",
        ],
        "q10-registers" => &["q10_no_eps", "q10_slow_link", "q10_interval_0"],
        "q10-far" => &["q10_too_far", "q10_near_again"],
        "q10-wrap" => &["q10_now_wraps", "q10_t_wraps", "q18_due_wraps"],
        "q12-replies" => &[
            "q12_ack",
            "q12_nack",
            "q12_ack_first",
            "q12_grant_first",
            "q12_full",
            "q12_full_res",
            "q12_full_pop",
            "q12_push_and_pop",
            "q12_out_waits",
            "q13_left",
            "q13_comes_and_leaves",
        ],
        "q12-turns" => &["q12_ack_first", "q12_grant_first", "q12_full_pop", "q13_full"],
        "q14-messages" => &["q14_post", "q14_full", "q14_full_pop", "q14_beside_pop"],
        "q15-chunks" => {
            &["q15_whole", "q15_one_left", "q15_short_last", "q15_run_0", "q15_run_above", "q15_done"]
        }
        "q15-run-moves" => &["q15_run_moved", "q15_other_length"],
        "q15-bypass" => {
            &["q15_bypass_short", "q15_bypass_off", "q15_just_reserved", "q15_bypass_in_pieces", "q20_bypass"]
        }
        "q15-numbers" => &["q15_id_wraps", "q15_psn_wraps"],
        "q16-races" => &[
            "q16_grant_in_spec",
            "q16_grant_in_stop",
            "q16_ack_in_spec",
            "q16_ack_in_stop",
            "q16_ack_in_wait",
            "q16_ack_in_go",
            "q16_nack_in_spec",
            "q16_nack_in_stop",
            "q16_nack_in_wait",
            "q16_nack_in_go",
            "q16_nack_all_sent",
            "q16_due",
            "q16_due_late",
            "q16_not_due",
            "q16_due_all_sent",
            "q16_done_in_wait",
            "q16_done_in_go",
            "q16_dropped_first",
            "q16_dropped_alone",
            "q20_spec",
            "q20_granted",
        ],
        "q16-in-a-row" => &["q16_reply_runs", "q16_ack_then_nack", "q16_nack_then_ack"],
        "q16-early" => &["q16_done_in_wait", "q16_grant_all_acked", "q16_all_sent", "q16_grant_all_sent"],
        "q16-spec-off" => &["q16_spec_off", "q16_spec_on", "q16_grant_in_stop"],
        "q16-stale" => &[
            "q16_stale_id",
            "q16_stale_bypass",
            "q16_stale_grant",
            "q16_stale_state",
            "q16_stale_seq",
            "q16_stale_packet",
        ],
        "q17-requests" => &["q17_res", "q17_res_waits", "q17_turn", "q17_others_wait"],
        "q18-waits" => &["q18_zero", "q18_short", "q18_long", "q18_plain", "q18_too_long"],
        "q19-b-waits" => &["q19_told_before", "q19_told_by_reply", "q19_grant_before_b", "q19_reply_first"],
        "q19-turns" => &["q19_reply_first", "q19_skips", "q19_busy_wake", "q19_busy_begin", "q19_busy_send"],
        "q20-lanes" => &["q20_other_lane", "q20_two_lanes", "q20_turn", "q20_no_spec_room", "q20_attr"],
        "q20-room" => &[
            "q20_granted_first",
            "q20_spec_for_lack",
            "q20_spec_held",
            "q20_no_spec_room",
            "q20_ungranted",
            "q20_offer_waits",
            "q20_grant_meanwhile",
        ],
        "q20-sl" => &["q20_sl_moved"],
        "q14-merge" => &[
            "q14_merge",
            "q14_merge_full",
            "q14_merge_few",
            "q14_merge_short",
            "q14_merge_gap",
            "q14_merge_pop",
        ],
        "q15-walkin" => &[
            "q15_walk_off",
            "q15_walk_free",
            "q15_walk_behind",
            "q15_walk_far",
            "q15_walk_yields",
            "q15_walk_and_grant",
        ],
        "q21-fast" => &["q21_fast", "q22_ack_before", "q22_ack_again", "q22_sent_again"],
        "q21-inorder" => &[
            "q21_due_again",
            "q21_spec_next",
            "q21_spec_early",
            "q21_spec_first",
            "q21_pass",
            "q21_pass_not_ok",
            "q21_order_ends",
            "q21_psn_wraps",
            "q22_sent_again",
            "q22_ack_before",
        ],
        "q22-reset" => &[
            "q22_quiet",
            "q22_res_init",
            "q22_res_init_again",
            "q22_learnt",
            "q22_id_goes_on",
            "q22_stale_plain",
            "q22_stale_init",
        ],
        "q22-losses" => {
            &["q22_late_spec", "q22_late_stop", "q22_res_again", "q22_sent_again", "q22_id_stays"]
        }
        "q22-late" => &[
            "q22_late_wait",
            "q22_late_go",
            "q22_late_nothing",
            "q22_not_late",
            "q22_due_and_late",
            "q22_told_late",
            "q22_grant_in_resw",
            "q22_grant_in_reso",
            "q22_ack_in_res",
            "q22_ack_before",
            "q22_nack_again",
            "q22_nack_first",
        ],
        "q22-hasty" => &["q22_late_spec", "q22_late_go", "q22_grant_in_resw"],
        "q22-sources" => &[
            "q22_look_unknown",
            "q22_look_newer",
            "q22_look_first",
            "q22_look_taken",
            "q22_look_old",
            "q22_mark_unknown",
            "q22_mark_newer",
            "q22_mark_more",
            "q22_mark_twice",
            "q22_mark_old",
            "q22_mark_not_ok",
            "q22_one_flit",
            "q22_res_unknown",
            "q22_res_newer",
            "q22_res_same",
            "q22_res_old",
            "q22_res_not_ok",
            "q22_init_unknown",
            "q22_init_known",
            "q22_id_wraps",
            "q22_see_again",
        ],
        _ => panic!("nothing is expected of {name}"),
    }
}

/// A full round of a scenario on the golden model, and the operations that waited in vain.
fn round(build: &Build, s: &'static Scenario, mut look: impl FnMut(&[u32], &[u32])) -> (Golden, Vec<usize>) {
    let mut script = script::Script::new(&build.params, &Setup::default(), operations(s.name).unwrap(), 1);
    let mut golden = Golden::new(build);
    for _ in 0..300_000 {
        golden.cycle(&mut script, |i, o, _| look(i, o));
        if script.rounds == 1 {
            return (golden, script.missed);
        }
    }
    panic!("{} {}: no end", build.name, s.name);
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in tested(UnitKind::Reservation) {
        for s in scenarios() {
            let (golden, missed) = round(&build, s, |_, _| ());
            let not_hit = golden.not_hit(expected(s.name));
            missing.extend(not_hit.iter().map(|want| format!("{} {}: {want}", build.name, s.name)));
            missing.extend(missed.iter().map(|op| format!("{} {}: operation {op}", build.name, s.name)));
        }
    }
    assert!(missing.is_empty(), "did not happen: {missing:#?}");
}

/// Flow and PSN of packets: how many were posted, less those that arrived.
#[derive(Default)]
struct Owed {
    packets: BTreeMap<(u32, u32), i64>,
    /// Speculative ones that were not answered.
    spec: BTreeMap<(u32, u32, u32), u32>,
    posted: u64,
}

impl Owed {
    fn look(&mut self, l: &Layout, p: &Params, i: &[u32], o: &[u32]) {
        let (of, out) = (|name: &str| i[l.input(name)], |name: &str| o[l.output(name)]);
        if of("post_valid") == 1 && out("ready") == 1 {
            let (flow, pkts, last) = (of("post_flow"), of("post_pkts"), of("post_last"));
            let there = (flow as usize) < p.flows && (1..=p.mtu as u32).contains(&last);
            let full = there && o[l.output("gen_full") + flow as usize / 32] >> (flow % 32) & 1 != 0;
            for k in (0..pkts).filter(|_| there && !full) {
                *self.packets.entry((flow, (of("post_psn") + k) & 0xff_ffff)).or_default() += 1;
                self.posted += 1;
            }
        }
        if out("inj_valid") == 1 && of("inj_ready") == 1 {
            let (flow, psn) = (out("inj_flow"), out("inj_psn"));
            match (out("inj_kind"), out("inj_rty")) {
                (1, _) | (_, 1) => drop(self.spec.insert((flow, out("inj_id"), out("inj_seq")), psn)),
                _ => *self.packets.entry((flow, psn)).or_default() -= 1,
            }
        }
        if of("rep_valid") == 1 && of("rep_kind") != 1 {
            let spec = self.spec.remove(&(of("rep_flow"), of("rep_id"), of("rep_seq")));
            if let (Some(psn), 2) = (spec, of("rep_kind")) {
                *self.packets.entry((of("rep_flow"), psn)).or_default() -= 1;
            }
        }
    }
}

/// Scenarios in which the network tells the truth: each packet arrives once.
const HONEST: [&str; 13] = [
    "q14-messages",
    "q15-chunks",
    "q15-run-moves",
    "q15-bypass",
    "q15-numbers",
    "q16-races",
    "q16-in-a-row",
    "q16-early",
    "q16-spec-off",
    "q17-requests",
    "q19-turns",
    "q20-lanes",
    "q20-room",
];

#[test]
fn every_packet_arrives_once() {
    for build in tested(UnitKind::Reservation) {
        let l = Layout::new(build.unit, &build.params);
        for s in scenarios().iter().filter(|s| HONEST.contains(&s.name)) {
            let mut owed = Owed::default();
            round(&build, s, |i, o| owed.look(&l, &build.params, i, o));
            let wrong: Vec<_> = owed.packets.iter().filter(|(_, n)| **n != 0).take(5).collect();
            assert!(wrong.is_empty(), "{} {}: {wrong:?}", build.name, s.name);
            assert!(owed.spec.is_empty() && owed.posted > 5, "{} {}", build.name, s.name);
        }
    }
}

fn names_hit(unit: &dyn Unit) -> BTreeSet<&'static str> {
    unit.cover_points().iter().zip(unit.cover()).filter(|(_, n)| **n > 0).map(|(p, _)| p.name).collect()
}

#[test]
fn scenarios_alone_leave_nothing_out() {
    for build in tested(UnitKind::Reservation) {
        let hit: BTreeSet<_> =
            scenarios().iter().flat_map(|s| names_hit(round(&build, s, |_, _| ()).0.unit.as_ref())).collect();
        let all = Golden::new(&build).unit.cover_points();
        let left: Vec<_> = all
            .iter()
            .map(|p| p.name)
            .filter(|name| !hit.contains(name) && cover_applies(build.unit, name, &build.params))
            .collect();
        assert_eq!(left, Vec::<&str>::new(), "{}", build.name);
    }
}

/// A number that wraps after 8192 chunks of one flow of 64; a reply for a message without reservation, whose number nobody knows.
const RARE: [&str; 2] = ["q15_id_wraps", "q16_stale_bypass"];

#[test]
fn random_traffic_leaves_nothing_out() {
    assert_nothing_left_out(&RARE, &tested(UnitKind::Reservation), 10, 100_000);
}

#[test]
fn a_source_depends_on_nothing_but_its_seed() {
    assert_depends_on_the_seed_alone(&all_builds()[1]);
}

/// Messages, packets, violations, for one setting of the knobs.
fn with_knobs(knobs: &[(&str, f64)]) -> (u64, u64, u32) {
    let build = all_builds()[1];
    let l = Layout::new(build.unit, &build.params);
    let mut k = Knobs::default();
    knobs.iter().for_each(|(n, v)| k.set(n, *v).unwrap());
    let mut s = source(&build, None, &k, &Setup::default(), 3).unwrap();
    let (mut posts, mut packets, mut errors) = (0, 0, 0);
    run(&build, s.as_mut(), 60_000, |t, i, o, _| {
        if t < 20 {
            return; // the sweep, where inputs may be anything
        }
        posts += u64::from(i[l.input("post_valid")]);
        packets += u64::from(o[l.output("inj_valid")] & i[l.input("inj_ready")]);
        errors |= o[l.output("err")];
    });
    (posts, packets, errors)
}

#[test]
fn knobs_do_what_they_say() {
    let (posts, packets, errors) = with_knobs(&[("load", 0.0), ("violation_rate", 0.0)]);
    assert_eq!((posts, packets, errors & !(1 << 2)), (0, 0, 0));
    let free = with_knobs(&[("load", 0.5), ("credit_starvation", 0.0), ("violation_rate", 0.0)]);
    let starved = with_knobs(&[("load", 0.5), ("credit_starvation", 1.0), ("violation_rate", 0.0)]);
    assert!(starved.1 == 0 && free.1 > 3_000, "{starved:?} {free:?}");
    assert_eq!(with_knobs(&[("violation_rate", 0.2)]).2 & 0x7f, 0x7f);
}

#[test]
fn sls_of_a_setup_are_written_and_left_alone() {
    let build = all_builds()[1];
    let l = Layout::new(build.unit, &build.params);
    let setup = Setup { attrs: vec![(3, 2)], ..Setup::default() };
    let mut s = source(&build, None, &Knobs::default(), &setup, 5).unwrap();
    let mut attr = Vec::new();
    run(&build, s.as_mut(), 5_000, |_, i, o, _| {
        if o[l.output("ready")] & i[l.input("attr_we")] == 1 {
            attr.push((i[l.input("attr_flow")], i[l.input("attr_sl")]));
        }
    });
    attr.retain(|a| a.0 < build.params.flows as u32);
    assert_eq!(attr, [(3, 2)]);
}

#[test]
fn numbers_of_chunks_have_all_bits() {
    let build = all_builds().into_iter().find(|b| b.name == "tinyd").unwrap();
    let l = Layout::new(build.unit, &build.params);
    // Which bits were 0, and 1, at the pins. A flow learns its number once.
    let mut seen = [[0; 2]; 7];
    for seed in 0..16 {
        let mut s = source(&build, None, &Knobs::default(), &Setup::default(), seed).unwrap();
        run(&build, s.as_mut(), 8_000, |_, i, o, _| {
            let (of, out) = (|name: &str| i[l.input(name)], |name: &str| o[l.output(name)]);
            let pins = [
                (of("rep_valid"), of("rep_id")),
                (of("rin_valid"), of("rin_id")),
                (of("end_valid"), of("end_id")),
                (of("see_look"), of("see_id")),
                (out("inj_valid"), out("inj_id")),
                (out("res_valid"), out("res_id")),
                (out("out_valid"), out("out_id")),
            ];
            for ((_, id), seen) in pins.into_iter().zip(&mut seen).filter(|x| x.0.0 == 1) {
                *seen = [seen[0] | !id & 0x1fff, seen[1] | id];
            }
        });
    }
    assert_eq!(seen, [[0x1fff; 2]; 7]);
}
