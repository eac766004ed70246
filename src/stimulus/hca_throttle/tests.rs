//! The stimulus against the golden model.

use super::script::Script;
use super::*;
use crate::params::UnitKind;
use crate::signals::Layout;
use crate::stimulus::alone::{
    Golden, assert_depends_on_the_seed_alone, assert_nothing_left_out, builds_of, run, tested,
};

fn ht_builds() -> Vec<Build> {
    builds_of(UnitKind::HcaThrottle)
}

/// What a scenario must make happen: cover points of the golden model.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "c1-read-back" => {
            &["c1_read", "c1_read_and_write", "c1_read_as_written", "c1_read_error", "c1_read_none"]
        }
        "h3-limit" => &["h3_becn_at_limit", "h3_limit_lowered", "h3_limit_beyond_table"],
        "h3-back-to-back" => {
            &["h3_becns_1_apart", "h3_becns_2_apart", "h3_becn_after_sweep", "h3_sweep_after_becn"]
        }
        "h3-restart" => &[
            "h3_timer_starts",
            "h3_timer_restarts",
            "h3_timer_runs_on",
            "h3_sl_restarts",
            "h3_sl_runs_on",
            "h4_sl_starts",
        ],
        "h3-errors" => &[
            "h3_bad_addr_becn",
            "h6_bad_addr_cct",
            "h7_bad_addr_attr",
            "h6_bad_len",
            "h3_error_cleared",
            "h3_error_set_wins",
        ],
        "h4-flow-timer" => &[
            "h4_flow_expiry",
            "h4_stops_at_min",
            "h4_lifted_to_min",
            "h3_becn_below_min",
            "h4_timer_0_never_decays",
            "h4_tick_cycles_shrinks",
            "h4_tick_cycles_0_is_1",
            "h4_flow_expiry_several",
            "h4_flow_expiry_most",
            "h3_becn_after_expiry",
        ],
        "h4-sl-timer" => &[
            "h4_sl_starts",
            "h4_sl_step",
            "h4_sl_idle",
            "h4_sl_sweep_uses",
            "h4_sl_used_at_end",
            "h4_sl_idle_with_step",
            "h4_retime_hides_step",
            "h4_catch_up_old_sl",
            "h4_catch_up",
            "h4_catch_up_several",
            "h4_catch_up_wraps",
            "h4_catch_up_stops_at_min",
        ],
        "h4-sl-races" => &["h4_sl_sweep_with_step", "h4_sl_becn_with_step", "h4_sl_restart_with_step"],
        "h4-periods" => &["h4_retime", "h4_resync", "h4_steps_dropped"],
        "h4-min" => &[
            "h4_sweep_starts_timer",
            "h4_sl_sweep_starts",
            "h4_catch_up_lifts",
            "h4_lifted_to_min",
            "h4_min_above_limit",
        ],
        "h4-tick-wrap" => &["h4_tick_wraps", "h4_expiry_across_tick_wrap"],
        "h4-every-bit" => &["h4_flow_expiry", "h4_sl_step", "h4_stops_at_min"],
        "h5-spacing" => {
            &["h5_ird_0", "h5_ird_0_being_sent", "h6_absolute", "h5_being_sent", "h5_eligible_at_ird_plus_1"]
        }
        "h5-slow-host" => &[
            "h5_sent_late",
            "h5_sent_early",
            "h5_still_leaving",
            "h5_being_sent",
            "h5_accepted_unsent",
            "h5_sent_and_accepted",
            "h5_sent_stray",
        ],
        "h5-gates" => &[
            "h5_no_credit",
            "h5_stopped_while_visited",
            "h8_offer_withdrawn",
            "h8_offer_lost_credit",
            "h8_offer_accepted_at_stop",
        ],
        "h5-time-wrap" => {
            &["h5_never_injected", "h5_now_wraps", "h5_time_wrapped", "h5_aged", "h5_ageing_repeated"]
        }
        "h5-disabled" => &["h5_disabled", "h5_switched_off", "h3_disabled"],
        "h6-formats" => &[
            "h6_multiply",
            "h6_shift_and_multiply",
            "h6_shift_truncates_to_0",
            "h6_absolute",
            "h6_ird_saturated",
            "h6_link_interval_0_is_1",
            "h6_format_switched",
            "h5_packet_time_saturated",
        ],
        "h7-sl-mode" => &[
            "h7_becn_per_sl",
            "h7_expiry_per_sl",
            "h7_delay_per_sl",
            "h7_sl_mode_switched",
            "h7_attr_written",
            "h7_sweep_beyond_sls",
        ],
        "h5-ageing" => &["h5_aged"],
        "h8-round-robin" => &["h8_rr_wraps", "h8_offer_accepted", "h8_nothing_wanted"],
        "h8-shared-delay" => &["h8_blocked", "h8_freed", "h8_walk_just_in_time", "h7_delay_per_sl"],
        "h8-yield" => &["h8_yields", "h8_all_went"],
        "h8-blocked" => &["h8_blocked", "h8_pick_beside_blocked", "h8_walk_wraps", "h8_walk_during_offer"],
        "h8-slow-link" => &["h8_offer_waits", "h8_offer_withdrawn"],
        "ecocc-fig6-hca" => &["h3_becn", "h5_too_early", "h4_flow_expiry", "h3_timer_restarts"],
        _ => panic!("nothing is expected of {name}"),
    }
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in tested(UnitKind::HcaThrottle) {
        for s in scenarios() {
            let mut script =
                Script::new(&build.params, &Setup::default(), scenarios::operations(s.name).unwrap(), 1);
            let mut golden = Golden::new(&build);
            let mut cycles = 0;
            let most = scenario_cycles(s.name, &build.params);
            while script.rounds < 1 {
                golden.cycle(&mut script, |_, _, _| ());
                cycles += 1;
                assert!(cycles < most, "{} {}: no end", build.name, s.name);
            }
            let not_hit = golden.not_hit(expected(s.name));
            missing.extend(not_hit.iter().map(|want| format!("{} {}: {want}", build.name, s.name)));
        }
    }
    assert!(missing.is_empty(), "did not happen: {missing:#?}");
}

/// Cover points that need a counter to wrap, a long storm, or the last of many flows: they take a scenario.
const LONG: [&str; 5] = [
    "h4_tick_wraps",
    "h4_expiry_across_tick_wrap",
    "h4_catch_up_wraps",
    "h4_flow_expiry_most",
    "h4_sl_used_at_end",
];

#[test]
fn random_traffic_leaves_nothing_out() {
    assert_nothing_left_out(&LONG, &tested(UnitKind::HcaThrottle), 10, 50_000);
}

#[test]
fn a_source_depends_on_nothing_but_its_seed() {
    assert_depends_on_the_seed_alone(&ht_builds()[2]);
}

/// Counts of what happened, for one setting of the knobs.
#[derive(Default)]
struct Seen {
    becns: u64,
    hot: std::collections::BTreeMap<u32, u64>,
    taken: u64,
    long: u64,
    short: u64,
    stops: u64,
    writes: u64,
    errors: u32,
}

fn with_knobs(knobs: &[(&str, f64)]) -> Seen {
    let build = ht_builds()[0];
    let l = Layout::new(build.unit, &build.params);
    let mut k = Knobs::default();
    knobs.iter().for_each(|(n, v)| k.set(n, *v).unwrap());
    let mut s = source(&build, None, &k, &Setup::default(), 3).unwrap();
    let mut c = Seen::default();
    let (becn, flow, cfg, stop) =
        (l.input("becn_valid"), l.input("becn_flow"), l.input("cfg_we"), l.input("stop"));
    let (ready, len, valid, err) =
        (l.input("inj_ready"), l.input("inj_len"), l.output("inj_valid"), l.output("err"));
    run(&build, s.as_mut(), 60_000, |t, i, o, _| {
        if t < 200 {
            return; // the sweep, where inputs may be anything
        }
        if i[becn] == 1 {
            c.becns += 1;
            *c.hot.entry(i[flow]).or_default() += 1;
        }
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
    let c = with_knobs(&[("load", 0.0), ("becn_rate", 0.0), ("violation_rate", 0.0), ("stop_go_rate", 0.0)]);
    assert_eq!((c.taken, c.becns, c.errors, c.stops), (0, 0, 0, 0));
    let c = with_knobs(&[("short_share", 0.5), ("long_share", 0.5), ("violation_rate", 0.0), ("load", 1.0)]);
    assert_eq!(c.short + c.long, c.taken);
    assert!(c.taken > 900 && (c.short as f64 / c.taken as f64 - 0.5).abs() < 0.06, "{}", c.taken);
    let c = with_knobs(&[("becn_rate", 1.0), ("hotspot_share", 1.0), ("violation_rate", 0.0)]);
    assert!(c.becns > 40_000, "{}", c.becns);
    let c = with_knobs(&[("stop_go_rate", 0.5), ("reconfig_rate", 0.1)]);
    assert!(c.stops > 20_000 && c.writes > 4_000, "{} {}", c.stops, c.writes);
    assert!(with_knobs(&[("violation_rate", 0.3)]).errors == 3);
    let c = with_knobs(&[("credit_starvation", 1.0), ("load", 1.0)]);
    let free = with_knobs(&[("credit_starvation", 0.0), ("load", 1.0)]);
    assert!(c.taken * 4 < free.taken, "{} {}", c.taken, free.taken);
}

#[test]
fn a_setup_is_written_and_left_alone() {
    let build = ht_builds()[0];
    let l = Layout::new(build.unit, &build.params);
    let setup = Setup {
        hca_throttle: vec![(1, 7), (0, 1)],
        cct: Some(vec![0, 5, 9]),
        attrs: vec![(3, 2)],
        ..Setup::default()
    };
    for scenario in [None, Some(&scenarios()[0])] {
        let mut s = source(&build, scenario, &Knobs::default(), &setup, 5).unwrap();
        let (mut cfg, mut cct, mut attr) = (Vec::new(), Vec::new(), Vec::new());
        run(&build, s.as_mut(), 135, |_, i, o, _| {
            if o[l.output("ready")] == 1 {
                for (list, name) in [(&mut cfg, "cfg"), (&mut cct, "cct")] {
                    if i[l.input(&format!("{name}_we"))] == 1 {
                        list.push((i[l.input(&format!("{name}_addr"))], i[l.input(&format!("{name}_data"))]));
                    }
                }
                if i[l.input("attr_we")] == 1 {
                    attr.push((i[l.input("attr_flow")], i[l.input("attr_sl")]));
                }
            }
        });
        // these come first (a scenario goes on with its own)
        assert_eq!(
            (&cfg[..2], &cct[..], &attr[..]),
            (&[(1, 7), (0, 1)][..], &[(0, 0), (1, 5), (2, 9)][..], &[(3, 2)][..])
        );
        assert!(scenario.is_some() || cfg.len() == 2, "{cfg:?}");
    }
}

/// Cycle, flow and length of every offer taken in the first round of a scenario.
fn taken(build: &Build, name: &str) -> Vec<(usize, u32, u32)> {
    let l = Layout::new(build.unit, &build.params);
    let s = scenarios().iter().find(|s| s.name == name).unwrap();
    let mut source = source(build, Some(s), &Knobs::default(), &Setup::default(), 1).unwrap();
    let mut v = Vec::new();
    let cycles = scenario_cycles(name, &build.params) as usize;
    run(build, source.as_mut(), cycles, |t, i, o, _| {
        if o[l.output("inj_valid")] & i[l.input("inj_ready")] == 1 {
            v.push((t, o[l.output("inj_flow")], i[l.input("inj_len")]));
        }
    });
    v
}

#[test]
fn the_spacing_is_that_of_the_table() {
    for build in tested(UnitKind::HcaThrottle) {
        let v = taken(&build, "h5-spacing");
        // packets of 10 flits; entry i is 4 i cycles; six packets at each index, the first three gaps are pure
        for (index, packets) in v.chunks(6).take(build.params.cct.min(10)).enumerate() {
            for pair in packets.windows(2).take(3) {
                let gap = pair[1].0 - pair[0].0;
                let ird = 4 * index;
                // idle time of at least IRD + 1 after the last flit, found by the next visit of the pipeline
                if index > 0 {
                    assert!((11 + ird..=11 + ird + 6).contains(&gap), "{} entry {index}: {gap}", build.name);
                } else {
                    assert!(gap <= 10, "{} without delay: {gap}", build.name);
                }
            }
        }
    }
}

#[test]
fn all_flows_are_served_in_turn() {
    for build in tested(UnitKind::HcaThrottle) {
        let v = taken(&build, "h8-round-robin");
        let f = build.params.flows;
        for round in 0..3 {
            let flows: Vec<u32> = v[round * f..][..f].iter().map(|t| t.1).collect();
            if !build.params.vl_by_dest {
                assert_eq!(flows, (0..f as u32).collect::<Vec<_>>(), "{} round {round}", build.name);
            }
        }
        assert_fair(&build, &shares(&v[..3 * f], f));
    }
}

/// Packets of each flow.
fn shares(v: &[(usize, u32, u32)], flows: usize) -> Vec<usize> {
    (0..flows).map(|f| v.iter().filter(|t| t.1 as usize == f).count()).collect()
}

/// The lanes get the same, and in each lane all flows.
fn assert_fair(build: &Build, shares: &[usize]) {
    let lanes = if build.params.vl_by_dest { build.params.vls } else { 1 };
    let even = |n: &[usize]| n.iter().max().unwrap() - n.iter().min().unwrap() <= 1;
    let of_lane = |v| shares.iter().skip(v).step_by(lanes).copied().collect::<Vec<_>>();
    let totals: Vec<usize> = (0..lanes).map(|v| of_lane(v).iter().sum()).collect();
    assert!(even(&totals) && (0..lanes).all(|v| even(&of_lane(v))), "{}: {shares:?}", build.name);
}

#[test]
fn flows_of_an_sl_get_the_same() {
    for build in tested(UnitKind::HcaThrottle) {
        // With lanes by destination every flow has its own.
        if build.params.vl_by_dest {
            continue;
        }
        let v = taken(&build, "h8-shared-delay");
        let flows = build.params.flows.min(7);
        assert_fair(&build, &shares(&v[..20 * flows], flows));
        // Packets of a flit: the delay is all that is between them.
        let gaps = v[..20 * flows].windows(2).skip(1).map(|w| w[1].0 - w[0].0);
        let (least, most) = (gaps.clone().min().unwrap(), gaps.max().unwrap());
        assert!(least > 41 && most <= 41 + 26, "{}: {least} to {most}", build.name);
    }
}

#[test]
fn blocked_flows_cost_the_link_nothing() {
    for build in tested(UnitKind::HcaThrottle) {
        let v = taken(&build, "h8-blocked");
        let v = &v[build.params.flows + 2..][..200];
        let cycles = v[199].0 - v[0].0;
        assert!(199 * 32 * 100 >= 95 * cycles, "{}: {cycles} cycles", build.name);
        // Those whose delay is longer than that stay away altogether.
        if build.params.ts_w > 16 {
            assert_eq!(shares(v, 1), [200], "{}", build.name);
        }
    }
}

#[test]
fn a_slow_host_keeps_the_gap() {
    for build in tested(UnitKind::HcaThrottle) {
        let l = Layout::new(build.unit, &build.params);
        let s = scenarios().iter().find(|s| s.name == "h5-slow-host").unwrap();
        let mut source = source(&build, Some(s), &Knobs::default(), &Setup::default(), 1).unwrap();
        let mut sent = [None; 3];
        let (mut sending, mut packets) = (0, 0);
        run(&build, source.as_mut(), 3_000, |t, i, o, _| {
            if packets < 20 && i[l.input("sent")] == 1 {
                sent[sending] = Some(t);
            }
            if packets < 20 && o[l.output("inj_valid")] & i[l.input("inj_ready")] == 1 {
                sending = o[l.output("inj_flow")] as usize;
                if let Some(last) = sent[sending] {
                    assert!((97..=130).contains(&(t - last)), "{}: {}", build.name, t - last);
                }
                packets += 1;
            }
        });
        assert_eq!(packets, 20);
    }
}

/// Follows the indices of all entities through the first round of a scenario: `look` sees the cycle, the entity, its
/// index before and after each write. Returns the last indices.
fn indices(build: &Build, name: &str, mut look: impl FnMut(usize, usize, u32, u32)) -> Vec<u32> {
    let l = Layout::new(build.unit, &build.params);
    let mut script = Script::new(&build.params, &Setup::default(), scenarios::operations(name).unwrap(), 1);
    let mut golden = Golden::new(build);
    let mut ccti = vec![0; build.params.entities()];
    let mut cycle = 0;
    while script.rounds < 1 {
        golden.cycle(&mut script, |_, _, st| {
            if st[l.state("st_ent_we")] == 1 {
                let e = st[l.state("st_ent_addr")] as usize;
                look(cycle, e, ccti[e], st[l.state("st_ent_ccti")]);
                ccti[e] = st[l.state("st_ent_ccti")];
            }
        });
        cycle += 1;
    }
    ccti
}

#[test]
fn a_change_of_the_period_makes_no_index_jump() {
    for build in tested(UnitKind::HcaThrottle) {
        let mut raised = 0;
        let last = indices(&build, "h4-periods", |cycle, e, old, new| {
            assert!(new + 1 >= old, "{} cycle {cycle}: entity {e} from {old} to {new}", build.name);
            raised += u32::from(new > old);
        });
        assert!(raised > 30 && last.iter().all(|i| *i == 0), "{}: {last:?}", build.name);
    }
}

#[test]
fn every_index_comes_to_min() {
    for build in tested(UnitKind::HcaThrottle) {
        // In each of the four modes all come to 5, to 3 and to 0.
        let mut ccti = vec![0; build.params.entities()];
        let mut passed = vec![0];
        let last = indices(&build, "h4-min", |_, e, _, new| {
            ccti[e] = new;
            let all = ccti[..5].iter().all(|i| *i == new);
            if all && [0, 3, 5].contains(&new) && passed.last() != Some(&new) {
                passed.push(new);
            }
        });
        assert_eq!(passed, [0, 5, 3, 0, 5, 3, 0, 5, 3, 0, 5, 3, 0], "{}", build.name);
        assert!(last.iter().all(|i| *i == 0), "{}: {last:?}", build.name);
    }
}

#[test]
fn figure_6_at_the_adapter() {
    for build in tested(UnitKind::HcaThrottle) {
        let v = taken(&build, "ecocc-fig6-hca");
        // the first eight are shared; of the twenty under notifications the hot flow gets few
        let hot = |part: &[(usize, u32, u32)]| part.iter().filter(|t| t.1 == 3).count();
        assert_eq!(hot(&v[..8]), 4, "{}", build.name);
        let throttled = v.iter().skip(8).take(40);
        let few = throttled.filter(|t| t.1 == 3).count();
        assert!((1..12).contains(&few), "{}: {few} of 40", build.name);
    }
}

#[test]
fn the_example_options_file_throttles() {
    let build = ht_builds()[0];
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/opensm.conf");
    let mut sources = crate::config::Sources::default();
    sources.opensm(&path).unwrap();
    let setup = Setup::of(&sources.unit(&build).unwrap(), &build.params);
    let mut s = source(&build, None, &Knobs::default(), &setup, 2).unwrap();
    let unit = run(&build, s.as_mut(), 100_000, |_, _, _, _| ());
    let hits = |name: &str| unit.cover()[unit.cover_points().iter().position(|p| p.name == name).unwrap()];
    for point in ["h3_becn", "h4_sl_step", "h4_catch_up", "h6_shift_and_multiply", "h5_too_early"] {
        assert!(hits(point) > 0, "{point}");
    }
    for point in ["h6_absolute", "h4_flow_expiry", "h3_sl_restarts", "h7_becn_per_sl"] {
        assert_eq!(hits(point), 0, "{point}");
    }
}
