//! The stimulus against the golden model.

use std::collections::BTreeSet;

use super::script::Script;
use super::*;
use crate::model::Unit;
use crate::params::UnitKind;
use crate::signals::Layout;
use crate::stimulus::alone::{
    Golden, assert_depends_on_the_seed_alone, assert_nothing_left_out, builds_of, run, tested,
};
use crate::stimulus::regression::cover_applies;

fn sr_builds() -> Vec<Build> {
    builds_of(UnitKind::SourceResponse)
}

/// What a scenario must make happen: cover points of the golden model.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "c1-read-back" => {
            &["c1_read", "c1_read_and_write", "c1_read_as_written", "c1_read_error", "c1_read_none"]
        }
        "b3-errors" => &[
            "ak5_bad_addr",
            "vr3_bad_addr",
            "vr5_bad_addr",
            "h7_bad_addr_attr",
            "h6_bad_len",
            "vr1_invalid",
            "b3_error_cleared",
            "b3_error_set_wins",
        ],
        "ak5-back-to-back" => {
            &["ak5_acks_1_apart", "ak5_acks_2_apart", "ak5_ack_after_sweep", "ak5_sweep_after_ack"]
        }
        "ak6-window" => &[
            "ak6_closed",
            "ak6_last_place",
            "ak6_walk_closed",
            "ak6_ack_and_accept",
            "ak6_accept_before_ack",
            "ak6_ack_while_sent",
            "ak6_ack_behind_put",
        ],
        "ak6-window-moves" => &[
            "ak6_wmax_below",
            "ak6_narrowed_offer",
            "ak6_no_window",
            "ak6_disabled",
            "ak6_wmax_0_dyn",
            "vr2_clean_widens",
            "h5_switched_off",
        ],
        "ak6-no-window" => &["ak6_no_window", "ak6_out_mended", "ak6_taken_wraps", "ak7_stray_off"],
        "ak6-wrap" => &["ak6_taken_wraps", "ak6_acked_wraps"],
        "ak7-lost" => {
            &["ak7_lost", "ak7_lost_off", "ak7_lost_several", "ak7_lost_and_accept", "ak7_not_silent"]
        }
        "ak7-stray" => &["ak7_stray", "ak7_stray_behind_ack"],
        "ak7-babble" => &["ak7_stray", "ak7_stray_off", "ak7_lost"],
        "ak7-slow-host" => &[
            "ak7_sending",
            "ak6_ack_while_sent",
            "h5_sent_early",
            "h5_sent_late",
            "h5_accepted_unsent",
            "h5_sent_and_accepted",
            "h5_sent_stray",
        ],
        "vr1-severities" => &["vr1_clean", "vr1_warm", "vr1_hot", "vr1_invalid", "vr2_warm_static"],
        "vr2-mvcm" => &[
            "vr2_clean_ends_slots",
            "vr2_clean_widens",
            "vr2_clean_widest",
            "vr2_warm_narrows",
            "vr2_warm_at_1",
            "vr2_warm_with_slots",
            "vr2_hot_narrows",
            "vr2_hot_to_1",
            "vr2_hot_to_slots",
            "vr2_hot_more_slots",
            "vr2_hot_at_steps",
        ],
        "vr2-registers" => &[
            "vr2_win_above",
            "vr2_j_above",
            "vr2_other_resp",
            "vr2_hot_slows",
            "vr2_hot_nothing",
            "vr4_no_steps",
            "ak6_wmax_0_dyn",
            "sr1_lowered",
            "sr1_exponent_low",
            "sr1_exponent_high",
        ],
        "vr3-waits" => &[
            "vr3_too_early",
            "vr3_over",
            "vr3_refused_at_gap",
            "vr3_eligible_at_gap_plus_1",
            "vr3_forgotten",
            "vr3_capped",
            "vr3_written",
        ],
        "vr5-reset" => &["vr5_reset", "vr5_outstanding", "vr5_off", "vr5_no_window"],
        "sr2-lipd" => &[
            "sr2_lipd_marked",
            "sr2_lipd_recovered",
            "sr1_at_most",
            "sr1_at_least",
            "sr3_gap_0",
            "sr3_rtt",
            "h8_walk_just_in_time",
        ],
        "sr2-fimd" => &[
            "sr2_fimd_marked",
            "sr2_fimd_recovered",
            "sr2_first_piece",
            "sr2_last_entry",
            "sr2_between",
            "sr1_at_most",
            "sr1_at_least",
        ],
        "sr2-aimd" => &["sr2_aimd_marked", "sr2_aimd_recovered", "sr2_last_entry", "sr2_between"],
        "sr3-delays" => &[
            "sr3_too_early",
            "sr3_refused_at_gap",
            "sr3_eligible_at_gap_plus_1",
            "sr3_capped",
            "sr3_rtt",
            "sr3_from_ack",
            "sr3_from_ack_while_sent",
            "sr3_ack_between",
            "sr3_forgotten",
            "h5_being_sent",
            "h5_still_leaving",
            "h6_link_interval_0_is_1",
        ],
        "h5-gates" => &[
            "h5_no_credit",
            "h5_stopped_while_visited",
            "h5_disabled",
            "h5_switched_off",
            "h8_blocked_disabled",
            "h8_offer_withdrawn",
            "h8_offer_lost_credit",
            "h8_offer_accepted_at_stop",
        ],
        "h5-time" => &[
            "h5_never_injected",
            "h5_now_wraps",
            "h5_time_wrapped",
            "h5_aged",
            "h5_ageing_repeated",
            "ak7_ack_time_aged",
            "sr3_forgotten",
        ],
        "h8-turns" => &[
            "h8_rr_wraps",
            "h8_yields",
            "h8_all_went",
            "h8_blocked",
            "h8_freed",
            "h8_pick_beside_blocked",
            "h8_walk_wraps",
            "h8_walk_during_offer",
            "h8_offer_waits",
            "ak6_walk_closed",
        ],
        _ => panic!("nothing is expected of {name}"),
    }
}

/// A full round of a scenario on the golden model.
fn round(build: &Build, s: &Scenario) -> Golden {
    let mut script = Script::new(&build.params, &Setup::default(), scenarios::operations(s.name).unwrap(), 1);
    let mut golden = Golden::new(build);
    let mut cycles = 0;
    let most = scenario_cycles(s.name, &build.params);
    while script.rounds < 1 {
        golden.cycle(&mut script, |_, _, _| ());
        cycles += 1;
        assert!(cycles < most, "{} {}: no end", build.name, s.name);
    }
    assert_eq!(script.missed, [0; 0], "{} {}: no offer came", build.name, s.name);
    golden
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in tested(UnitKind::SourceResponse) {
        for s in scenarios() {
            let not_hit = round(&build, s).not_hit(expected(s.name));
            missing.extend(not_hit.iter().map(|want| format!("{} {}: {want}", build.name, s.name)));
        }
    }
    assert!(missing.is_empty(), "did not happen: {missing:#?}");
}

/// Cover points that need a counter to wrap, 512 packets out, the longest delay with long time stamps, or a chance in a thousand.
const LONG: [&str; 7] = [
    "ak6_taken_wraps",
    "ak6_acked_wraps",
    "ak6_out_mended",
    "ak7_lost_and_accept",
    "sr3_capped",
    "sr3_from_ack_while_sent",
    "h5_still_leaving",
];

#[test]
fn random_traffic_leaves_nothing_out() {
    assert_nothing_left_out(&LONG, &tested(UnitKind::SourceResponse), 10, 50_000);
}

fn names_hit(unit: &dyn Unit) -> BTreeSet<&'static str> {
    unit.cover_points().iter().zip(unit.cover()).filter(|(_, n)| **n > 0).map(|(p, _)| p.name).collect()
}

#[test]
fn scenarios_alone_leave_next_to_nothing_out() {
    for build in tested(UnitKind::SourceResponse) {
        let hit: BTreeSet<_> =
            scenarios().iter().flat_map(|s| names_hit(round(&build, s).unit.as_ref())).collect();
        let all = Golden::new(&build).unit.cover_points();
        let left: Vec<_> = all
            .iter()
            .map(|p| p.name)
            .filter(|name| !hit.contains(name) && cover_applies(build.unit, name, &build.params))
            .collect();
        assert_eq!(left, Vec::<&str>::new(), "{}", build.name);
    }
}

#[test]
fn a_source_depends_on_nothing_but_its_seed() {
    assert_depends_on_the_seed_alone(&sr_builds()[2]);
}

/// Counts of what happened, for one setting of the knobs.
#[derive(Default)]
struct Seen {
    acks: u64,
    posts: u64,
    taken: u64,
    long: u64,
    short: u64,
    stops: u64,
    writes: u64,
    errors: u32,
}

fn with_knobs(knobs: &[(&str, f64)]) -> Seen {
    let build = sr_builds()[0];
    let l = Layout::new(build.unit, &build.params);
    let mut k = Knobs::default();
    knobs.iter().for_each(|(n, v)| k.set(n, *v).unwrap());
    let mut s = source(&build, None, &k, &Setup::default(), 3).unwrap();
    let mut c = Seen::default();
    let at = |name| l.input(name);
    let (ack, post, cfg, stop) = (at("ack_valid"), at("post_valid"), at("cfg_we"), at("stop"));
    let (ready, len, valid, err) = (at("inj_ready"), at("inj_len"), l.output("inj_valid"), l.output("err"));
    run(&build, s.as_mut(), 60_000, |t, i, o, _| {
        if t < 200 {
            return; // the sweep, where inputs may be anything
        }
        c.acks += u64::from(i[ack]);
        c.posts += u64::from(i[post]);
        if i[ready] == 1 && o[valid] == 1 {
            c.taken += 1;
            c.short += u64::from(i[len] == 1);
            c.long += u64::from(i[len] as usize == build.params.mtu);
        }
        c.writes += u64::from(i[cfg]);
        c.stops += u64::from(i[stop] | i[stop + 1] != 0);
        c.errors |= o[err];
    });
    c
}

#[test]
fn knobs_do_what_they_say() {
    let c = with_knobs(&[("load", 0.0), ("violation_rate", 0.0), ("stop_go_rate", 0.0)]);
    assert_eq!((c.taken, c.posts, c.errors & 3, c.stops), (0, 0, 0, 0));
    let c = with_knobs(&[("short_share", 0.5), ("long_share", 0.5), ("violation_rate", 0.0), ("load", 1.0)]);
    assert_eq!(c.short + c.long, c.taken);
    assert!(c.taken > 500 && (c.short as f64 / c.taken as f64 - 0.5).abs() < 0.08, "{}", c.taken);
    let (none, all) = (with_knobs(&[("message_loss", 1.0)]), with_knobs(&[("message_loss", 0.0)]));
    assert!(none.taken < all.taken && none.acks * 3 < all.acks * 2, "{} {}", none.acks, all.acks);
    let c = with_knobs(&[("stop_go_rate", 0.5), ("reconfig_rate", 0.1)]);
    assert!(c.stops > 20_000 && c.writes > 4_000, "{} {}", c.stops, c.writes);
    assert_eq!(with_knobs(&[("violation_rate", 0.3)]).errors & 3, 3);
    let c = with_knobs(&[("credit_starvation", 1.0), ("load", 1.0)]);
    let free = with_knobs(&[("credit_starvation", 0.0), ("load", 1.0)]);
    assert!(c.taken * 4 < free.taken, "{} {}", c.taken, free.taken);
}

#[test]
fn sls_of_a_setup_are_written_and_left_alone() {
    let build = sr_builds()[0];
    let l = Layout::new(build.unit, &build.params);
    let setup = Setup { attrs: vec![(3, 2)], ..Setup::default() };
    for scenario in [None, Some(&scenarios()[0])] {
        let mut s = source(&build, scenario, &Knobs::default(), &setup, 5).unwrap();
        let mut attr = Vec::new();
        run(&build, s.as_mut(), 2_000, |_, i, o, _| {
            if o[l.output("ready")] & i[l.input("attr_we")] == 1 {
                attr.push((i[l.input("attr_flow")], i[l.input("attr_sl")]));
            }
        });
        attr.retain(|a| a.0 < build.params.flows as u32);
        assert_eq!(attr, [(3, 2)]);
    }
}

/// Cycle and flow of every offer taken in the first round of a scenario.
fn taken(build: &Build, name: &str) -> Vec<(usize, u32)> {
    let l = Layout::new(build.unit, &build.params);
    let s = scenarios().iter().find(|s| s.name == name).unwrap();
    let mut source = source(build, Some(s), &Knobs::default(), &Setup::default(), 1).unwrap();
    let mut v = Vec::new();
    run(build, source.as_mut(), scenario_cycles(name, &build.params) as usize, |t, i, o, _| {
        if o[l.output("inj_valid")] & i[l.input("inj_ready")] == 1 {
            v.push((t, o[l.output("inj_flow")]));
        }
    });
    v
}

/// Every flow that hears of its packets goes on, whatever becomes of the others; then each gets the same.
#[test]
fn closed_flows_hold_up_nobody() {
    for build in tested(UnitKind::SourceResponse) {
        let flows = build.params.flows;
        let v = taken(&build, "h8-turns");
        let of = |part: &[(usize, u32)], f: usize| part.iter().filter(|t| t.1 as usize == f).count();
        // All have two packets first; then the even ones alone, in turn.
        let part = &v[2 * flows..4 * flows];
        let even: Vec<usize> = (0..flows).step_by(2).map(|f| of(part, f)).collect();
        let (least, most) = (even.iter().min().unwrap(), even.iter().max().unwrap());
        assert!(*least > 0 && most - least <= 2, "{}: {even:?}", build.name);
        assert_eq!((0..flows).skip(1).step_by(2).map(|f| of(part, f)).sum::<usize>(), 0, "{}", build.name);
    }
}
