//! Tests of the stimulus, on the golden model alone.

use std::collections::BTreeSet;

use super::*;
use crate::extent::is_long;
use crate::model::Unit;
use crate::params::UnitKind;
use crate::signals::Layout;
use crate::stimulus::alone::{
    Golden, assert_depends_on_the_seed_alone, assert_nothing_left_out, run, tested,
};
use crate::stimulus::regression::cover_applies;

mod watch;

use watch::Watch;

fn all_builds() -> Vec<Build> {
    tested(UnitKind::WormAdapter)
}

/// What each scenario is for.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "c1-read-back" => &[
            "c1_read",
            "c1_read_and_write",
            "c1_read_lfsr",
            "c1_read_as_written",
            "c1_read_error",
            "c1_read_counted",
            "c1_read_none",
            "c1_write_none",
        ],
        "c1-sweep" => &["r1_sweeps", "ya4_opens", "ya4_ack", "ya6_final", "ya6_closed"],
        "c1-counters" => &["c1_error_cleared", "c1_error_set_wins", "c1_sent_full", "c1_rcv_full"],
        "ya4-opens" => &[
            "ya4_opens",
            "ya4_opens_at_once",
            "ya4_no_conn",
            "ya4_busy",
            "ya4_bw_0",
            "ya4_bw_beyond",
            "ya4_bw_unlooked",
            "ya4_no_bandwidth",
            "ya4_limit_beyond",
            "ya4_all_bandwidth",
            "ya4_sum_c",
            "ya4_sum_full",
        ],
        "ya4-first-node" => &["ya4_nack_first", "yc1_not_open", "ya4_ack"],
        "ya4-releases" => &["ya4_nack_later", "ya4_released", "yc4_release", "ya4_bad_reply", "ya4_busy"],
        "ya4-given-up" => &[
            "ya4_gives_up",
            "ya4_gives_up_not",
            "ya4_gives_up_lost",
            "ya4_reply_late",
            "ya4_reply_of_another",
            "ya4_bad_reply",
            "ya4_nack_first",
            "ya4_ack",
        ],
        "ya4-replies" => &[
            "ya4_bad_reply",
            "ya4_bad_reply_beyond",
            "ya4_ack",
            "ya4_turns_compete",
            "ya4_all_wait",
            "ya4_turn_wraps",
        ],
        "ya4-gap" => &["ya4_gap", "ya4_gap_others", "ya4_released"],
        "ya4-leavings" => &[
            "yw6_tail_yields",
            "ya4_replies_most",
            "ya4_reply_lost",
            "ya4_leaving_first",
            "ya4_waits_busy",
            "ya6_closed",
        ],
        "ya4-lanes" => &[
            "ya4_no_lane",
            "ya4_no_lane_bad",
            "ya4_least_booked",
            "ya4_fewest",
            "ya4_lane_ahead",
            "ya4_lane_round",
            "ya4_lanes_alike",
            "yc4_into_best_effort",
            "yw7_none",
            "yw7_all",
            "yw7_beyond",
        ],
        "ya6-finals" => {
            &["ya6_final", "ya6_closed", "yc1_closing", "ya6_final_of_others", "yc1_longest", "yc1_shortest"]
        }
        "ya7-weights" => &[
            "ya7_weight",
            "ya7_weight_0",
            "ya7_weight_most",
            "ya7_booked_alike",
            "yw6_compete",
            "yw6_weight_be",
            "yw6_weight_be_0",
            "yw6_keeps_turn",
        ],
        "ya1-modes" => &["ya4_opens", "ya4_opens_at_once", "yc1_no_credit", "ya6_closed"],
        "yc1-credits" => {
            &["ya4_one_credit", "ya4_credits", "yc1_no_credit", "yc1_last_credit", "yc3_first_back"]
        }
        "yc3-best-effort" => &[
            "yc1_no_credit_b",
            "yc1_c_b_below",
            "yc1_c_b_falls",
            "yc1_last_credit_b",
            "yc3_best_effort",
            "yc3_posts_as_leaves",
            "ya4_sum_full",
        ],
        "yc3-m" => &["yc1_full_m_0", "yc2_last_room", "ya4_one_credit"],
        "yc4-full" => &[
            "yc1_full_m_beyond",
            "yc1_control_full",
            "yc1_full",
            "yc2_last_room",
            "yc4_fits_not",
            "yc4_past_control",
        ],
        "yc4-control" => &[
            "yc4_control",
            "yc4_probe",
            "yc4_release",
            "yc4_host_first",
            "yc4_own_first",
            "yc4_other_fits",
            "yc3_control",
        ],
        "yc4-lengths" => &[
            "yc1_shortest",
            "yc1_longest",
            "yc1_no_class",
            "yc1_empty",
            "yc1_too_long",
            "yc1_no_conn",
            "yc4_fits_exactly",
            "yc4_leaves_before_all",
            "yc4_fits_not",
        ],
        "yc4-guard" => &[
            "yc4_real_time_first",
            "yc4_guard",
            "yc4_lhp_0",
            "yc4_lhp_1",
            "yc4_guard_exempt",
            "yc4_past_best_effort",
        ],
        "yc4-guard-end" => &["yc4_guard_most"],
        "yc4-draws" => &["yc4_drawn", "yc4_not_lowest", "yc4_one_lane", "yc4_seed_0", "yc4_seed_and_draw"],
        "yw1-frame" => &[
            "yw1_opens",
            "yw1_single",
            "yw1_closes",
            "yw1_interleaved",
            "yw1_bad",
            "yw1_bad_inside",
            "yw1_bad_vl",
            "yw1_stray",
            "yw1_ends_open",
            "yw1_ends_skipped",
            "yw1_ends_reply",
        ],
        "yw1-kinds" => &[
            "yw1_elsewhere",
            "yw1_probe",
            "yw1_release",
            "yw1_no_reply",
            "yw1_no_reply_elsewhere",
            "yw1_skips",
            "yw1_reply_rest",
            "yw1_reply_elsewhere",
        ],
        "yw2-credits" => {
            &["yw2_waits", "yw2_last_credit", "yw2_goes_and_comes", "yw2_excess", "yw2_excess_and_goes"]
        }
        "yw2-owed" => &["yw2_owed", "yw2_repaid", "f1_owed"],
        "yw6-guard" => &[
            "yw6_control_first",
            "yw6_real_time_first",
            "yw6_guard",
            "yw6_lhp_0",
            "yw6_lhp_1",
            "yw6_guard_most",
            "yw6_guard_exempt",
            "yw6_interleaved",
        ],
        "yw6-hold" => &["yw6_held", "yw6_held_alone", "yw6_held_inside", "yw6_held_real_time"],
        "yw7-masks" => &["yc1_no_lane", "yw7_none", "yw7_all", "yw7_beyond", "yw7_lane_turns"],
        "f1-falls" => &[
            "f1_adm_lost",
            "f1_credits",
            "f1_waits",
            "f1_inside",
            "f1_lost",
            "f1_lost_tail",
            "f1_credit_ignored",
            "f1_flit_ignored",
        ],
        "f1-replies" => &["f1_reply_waits", "f1_reply_later", "f1_reply_down", "ya4_reply_lost"],
        "f1-cut" => &["f1_adm_lost_not", "f1_open", "f1_cut", "f1_cut_reply", "f1_cut_skipped"],
        _ => panic!("nothing is expected of {name}"),
    }
}

fn script_of(build: &Build, s: &'static Scenario) -> script::Script {
    script::Script::new(&build.params, &Setup::default(), operations(s.name).unwrap(), 1)
}

/// Runs a script until it has done all for the given time; `look` sees inputs and outputs.
fn rounds(
    golden: &mut Golden,
    script: &mut script::Script,
    until: impl Fn(&script::Script) -> bool,
    mut look: impl FnMut(&[u32], &[u32]),
) {
    for _ in 0..400_000 {
        golden.cycle(script, |i, o, _| look(i, o));
        if until(script) {
            return;
        }
    }
    panic!("no end");
}

fn names_hit(unit: &dyn Unit) -> BTreeSet<&'static str> {
    unit.cover_points().iter().zip(unit.cover()).filter(|(_, n)| **n > 0).map(|(p, _)| p.name).collect()
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in all_builds() {
        let mut hit = BTreeSet::new();
        for s in scenarios() {
            let (mut golden, mut script) = (Golden::new(&build), script_of(&build, s));
            rounds(&mut golden, &mut script, |s| s.rounds == 1, |_, _| ());
            let not_hit = golden.not_hit(expected(s.name));
            missing.extend(not_hit.iter().map(|want| format!("{} {}: {want}", build.name, s.name)));
            missing
                .extend(script.missed.iter().map(|op| format!("{} {}: operation {op}", build.name, s.name)));
            hit.extend(names_hit(golden.unit.as_ref()));
        }
        let all = Golden::new(&build).unit.cover_points().iter().map(|p| p.name);
        let applies = |name: &&str| cover_applies(build.unit, name, &build.params);
        let left = all.filter(applies).filter(|name| !hit.contains(name));
        missing.extend(left.map(|name| format!("{}: {name} in no scenario", build.name)));
    }
    assert!(missing.is_empty(), "did not happen: {missing:#?}");
}

/// What takes long, or the registers of a scenario.
const RARE: [&str; 7] = [
    "ya4_reply_lost",
    "f1_reply_later",
    "f1_owed",
    "yc4_guard_exempt",
    "yc4_guard_most",
    "yw6_guard_most",
    // (Of a thousand messages.)
    "yc1_full_m_beyond",
];

#[test]
fn random_traffic_leaves_nothing_out() {
    assert_nothing_left_out(&RARE, &all_builds(), 12, 50_000);
}

#[test]
fn a_source_depends_on_nothing_but_its_seed() {
    assert_depends_on_the_seed_alone(&all_builds()[0]);
}

/// State that is there again when all is over: as after reset, but for what remembers turns and counts.
fn is_at_rest(build: &Build, state: &[u32]) -> Vec<&'static str> {
    let l = Layout::new(build.unit, &build.params);
    let nothing = [
        "st_used",
        "st_book",
        "st_sum_c",
        "st_posted",
        "st_queue",
        "st_open",
        "st_post",
        "st_replies",
        "st_move",
        "st_level",
        "st_inside",
        "st_rx_open",
    ];
    let count = |name: &str| l.signals.iter().find(|s| s.name == name).unwrap().count;
    let of = |name: &str| &state[l.state(name)..][..count(name)];
    let mut left: Vec<&str> = nothing.into_iter().filter(|name| of(name).iter().any(|&w| w != 0)).collect();
    if of("st_cr").iter().any(|&n| n != build.params.depth as u32) {
        left.push("st_cr");
    }
    left
}

/// Scenarios that take long, or begin with something else.
const LONG: [&str; 3] = ["c1-counters", "c1-sweep", "yc4-guard-end"];

/// Each scenario begins with an end of all that was before it: then nothing is left.
#[test]
fn when_all_is_over_nothing_is_left() {
    for build in all_builds() {
        for s in scenarios().iter().filter(|s| !LONG.contains(&s.name)) {
            let start = moves::start(&script::Dims::new(&build.params)).len();
            let (mut golden, mut script) = (Golden::new(&build), script_of(&build, s));
            let mut state = Vec::new();
            let mut err = 0;
            let l = Layout::new(build.unit, &build.params);
            for _ in 0..400_000 {
                golden.cycle(&mut script, |_, o, now| {
                    state = now.to_vec();
                    err = o[l.output("err")];
                });
                if script.rounds == 1 && script.at >= start {
                    break;
                }
            }
            assert_eq!(script.rounds, 1, "{} {}", build.name, s.name);
            assert_eq!(is_at_rest(&build, &state), [""; 0], "{} {}", build.name, s.name);
            assert_eq!(err, 0, "{} {}", build.name, s.name);
        }
    }
}

/// Whatever random traffic has done: when nothing new comes and every probe is answered all comes to its end.
#[test]
fn random_traffic_comes_to_its_end() {
    // (In the long form more than a million cycles of each.)
    let seeds = if is_long() { 100 } else { 10 };
    let per_build = |build: &Build| if build.params.conns > 64 { 2 } else { seeds };
    for build in all_builds() {
        for seed in 0..per_build(&build) {
            let mut source = random::Random::new(&build.params, &Knobs::default(), &Setup::default(), seed);
            let mut golden = Golden::new(&build);
            let mut state = Vec::new();
            for _ in 0..2_000 + 1_000 * (seed % 25) {
                golden.cycle(&mut source, |_, _, _| ());
            }
            source.settle();
            let settled = (0..60_000).any(|_| {
                golden.cycle(&mut source, |_, _, now| state = now.to_vec());
                source.is_settled()
            });
            assert!(settled, "{} {seed}: {:?}", build.name, is_at_rest(&build, &state));
            assert_eq!(is_at_rest(&build, &state), [""; 0], "{} {seed}", build.name);
        }
    }
}

/// A reset at any time leaves nothing of what was before.
#[test]
fn a_reset_forgets_everything() {
    for build in all_builds().into_iter().take(3) {
        for (seed, before) in [(1, 40), (2, 3), (3, 777), (4, 5_000)] {
            let mut used = Golden::new(&build);
            let mut first = source(&build, None, &Knobs::default(), &Setup::default(), seed).unwrap();
            for _ in 0..before {
                used.cycle(first.as_mut(), |_, _, _| ());
            }
            used.unit.reset();
            let mut fresh = Golden::new(&build);
            let mut sources =
                [0; 2].map(|_| source(&build, None, &Knobs::default(), &Setup::default(), seed + 9).unwrap());
            for t in 0..4_000 {
                let mut seen = [Vec::new(), Vec::new()];
                for (n, golden) in [&mut used, &mut fresh].into_iter().enumerate() {
                    golden.cycle(sources[n].as_mut(), |_, o, s| seen[n] = [o, s].concat());
                }
                assert_eq!(seen[0], seen[1], "{} {seed}: cycle {t}", build.name);
            }
        }
    }
}

/// Scenarios in which the router keeps to the protocol, and LID stays.
const HONEST: [&str; 15] = [
    "ya4-opens",
    "ya6-finals",
    "ya7-weights",
    "ya1-modes",
    "yc1-credits",
    "yc3-best-effort",
    "yc3-m",
    "yc4-full",
    "yc4-control",
    "yc4-lengths",
    "yc4-guard",
    "yc4-draws",
    "yw6-guard",
    "yw6-hold",
    "yw7-masks",
];

#[test]
fn every_message_leaves_whole_and_in_order() {
    for build in all_builds() {
        for s in scenarios().iter().filter(|s| HONEST.contains(&s.name)) {
            let mut watch = Watch::new(&build, moves::HERE);
            let (mut golden, mut script) = (Golden::new(&build), script_of(&build, s));
            rounds(&mut golden, &mut script, |s| s.rounds == 1, |i, o| watch.look(i, o));
            assert!(watch.waiting() < 40, "{} {}: {}", build.name, s.name, watch.waiting());
            assert!(watch.left + watch.own > 3, "{} {}: {}", build.name, s.name, watch.left);
        }
    }
}

/// Random traffic of a router that keeps to the protocol, over a link that falls, with registers that stay.
#[test]
fn random_messages_leave_whole_and_in_order() {
    let mut knobs = Knobs::default();
    knobs.set("violation_rate", 0.0).unwrap();
    for build in all_builds() {
        // (The only lane of data is real-time.)
        let mask = ((1 << (build.params.vls - 2)) / 2) & !1;
        let writes = |ctrl| vec![(2, build.params.msgq as u32 / 2), (4, 7), (5, mask), (6, 3), (0, ctrl)];
        for seed in 0..if is_long() { 50 } else { 4 } {
            let setup = Setup { worm_adapter: writes(seed as u32 & 3), ..Setup::default() };
            let mut watch = Watch::new(&build, 7);
            let mut source = random::Random::new(&build.params, &knobs, &setup, seed);
            let mut golden = Golden::new(&build);
            for _ in 0..20_000 {
                golden.cycle(&mut source, |i, o, _| watch.look(i, o));
            }
            assert!(
                watch.left > 300 && watch.came > 300,
                "{} {seed}: {} {}",
                build.name,
                watch.left,
                watch.came
            );
            assert!(seed & 2 == 0 || watch.own > 3, "{} {seed}: {}", build.name, watch.own);
            source.settle();
            let settled = (0..60_000).any(|_| {
                golden.cycle(&mut source, |i, o, _| watch.look(i, o));
                source.is_settled()
            });
            assert!(settled, "{} {seed}", build.name);
            assert!(watch.all_home() && watch.waiting() == 0, "{} {seed}: {}", build.name, watch.waiting());
        }
    }
}

/// Flits in, flits out, errors, with knobs.
fn with_knobs(knobs: &[(&str, f64)]) -> (u64, u64, u32) {
    let build = all_builds()[1];
    let l = Layout::new(build.unit, &build.params);
    let mut k = Knobs::default();
    knobs.iter().for_each(|(n, v)| k.set(n, *v).unwrap());
    let setup = Setup { worm_adapter: vec![(5, 1)], ..Setup::default() };
    let mut s = source(&build, None, &k, &setup, 3).unwrap();
    let (mut comes, mut goes, mut errors) = (0, 0, 0);
    run(&build, s.as_mut(), 30_000, |t, i, o, _| {
        if t < build.params.conns {
            return; // the sweep, where inputs may be anything
        }
        comes += u64::from(i[l.input("rx_valid")]);
        goes += u64::from(o[l.output("tx_valid")]);
        errors |= o[l.output("err")];
    });
    (comes, goes, errors)
}

#[test]
fn knobs_do_what_they_say() {
    let calm = [("violation_rate", 0.0), ("link_falls", 0.0)];
    let idle = with_knobs(&[&calm[..], &[("load", 0.0)]].concat());
    // Final messages are posted all the same.
    let busy = with_knobs(&[&calm[..], &[("load", 0.5), ("credit_starvation", 0.0)]].concat());
    assert!(busy.1 > 10_000 && 2 * idle.1 < busy.1, "{idle:?} {busy:?}");
    // (A post may come behind the last message, and opens find no credits.)
    assert_eq!((idle.2 | busy.2) & !6, 0, "{idle:?} {busy:?}");
    let starved = with_knobs(&[&calm[..], &[("load", 0.5), ("credit_starvation", 1.0)]].concat());
    let p = all_builds()[1].params;
    assert!(starved.1 <= (p.vls * p.depth) as u64, "{starved:?}");
    let bad = with_knobs(&[("violation_rate", 0.1)]);
    assert_eq!(bad.2, 0x1fb, "{bad:?}");
}

#[test]
fn registers_of_a_setup_are_written_and_left_alone() {
    let build = all_builds()[1];
    let l = Layout::new(build.unit, &build.params);
    let setup = Setup { worm_adapter: vec![(3, 9), (5, 6)], ..Setup::default() };
    let mut s = source(&build, None, &Knobs::default(), &setup, 5).unwrap();
    let mut writes = Vec::new();
    run(&build, s.as_mut(), 5_000, |t, i, _, _| {
        let of = |name| i[l.input(name)];
        if t >= build.params.conns && of("cfg_we") == 1 {
            writes.push((of("cfg_addr"), of("cfg_data")));
        }
    });
    assert_eq!(writes[..2], [(3, 9), (5, 6)]);
    assert!(writes[2..].iter().all(|w| w.0 == 10), "errors are cleared: {writes:?}");
}
