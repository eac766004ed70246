//! Tests of the stimulus, on the golden model alone.

use std::collections::BTreeSet;

use super::*;
use crate::params::UnitKind;
use crate::signals::Layout;
use crate::stimulus::alone::{
    Golden, assert_depends_on_the_seed_alone, assert_nothing_left_out, builds_of, run,
};
use crate::stimulus::regression::cover_applies;

/// What each scenario is for.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "c1-read-back" => {
            &["c1_read", "c1_read_and_write", "c1_read_as_written", "c1_read_none", "c1_write_none"]
        }
        "c1-sweep" => &["r1_sweeps", "yl1_looks", "yl1_compete"],
        "yl1-look-ups" => &[
            "yl1_looks",
            "yl1_looks_whatever",
            "yl1_compete",
            "yl1_ask_wraps",
            "yl1_lost_gone",
            "yl1_lost_changed",
            "yl1_forgotten",
            "yl1_forgotten_changed",
            "yl1_beyond",
        ],
        "yl1-table" => &[
            "yl1_lost_write",
            "yl1_write_asks",
            "yl1_write_forgets",
            "yl1_write_beyond",
            "yl1_write_bits_beyond",
        ],
        "yl1-clauses" => &[
            "yl1_useful",
            "yl1_clear",
            "yl1_clear_link",
            "yl1_clear_unknown",
            "yl1_held_unknown",
            "yl1_held_output",
            "yl1_held_link",
            "yl1_held_one_of_two",
            "yl1_held_channels",
            "yl1_channels_beyond",
            "yl1_partly",
            "yl1_permission",
            "yl1_not_held",
        ],
        "yl1-hold" => &[
            "yl1_overdue",
            "yl1_overdue_leaves",
            "yl1_leaves_held",
            "yl1_kept",
            "yl1_hold_0",
            "yl1_scheme_changes",
            "yl1_scheme_3",
            "ys2_holds",
            "ys2_overdue",
        ],
        "yl1-long" => &["yl1_held_most", "ys1_flits_most", "ys1_gives_most"],
        "ys1-gathers" => &[
            "ys1_gives",
            "ys1_held",
            "ys1_not_held",
            "ys1_router",
            "ys1_not_router",
            "ys1_gives_and_delivers",
            "ys1_gather_and_sum",
            "ys1_again",
        ],
        "ys2-estimate" => &[
            "ys2_first",
            "ys2_silent",
            "ys2_silent_over",
            "ys2_holds",
            "ys2_equal",
            "ys2_rising",
            "ys2_falling",
            "ys2_below_0",
            "ys2_rounds_down",
            "ys2_late",
            "ys2_at_once",
            "ys2_cut",
            "ys2_raised",
        ],
        "ys3-threshold" => &[
            "ys3_down",
            "ys3_down_over",
            "ys3_down_0",
            "ys3_quarter",
            "ys3_up",
            "ys3_up_before",
            "ys3_up_now",
            "ys3_stays",
            "ys3_least",
            "ys3_least_1",
            "ys3_up_1",
            "ys3_most",
            "ys3_all_below_up",
            "ys3_forgets",
            "ys3_write",
            "ys3_write_and_sum",
            "ys3_write_and_tunes",
        ],
        "ys4-best" => &[
            "ys4_best",
            "ys4_best_moves",
            "ys4_equal",
            "ys4_half",
            "ys4_from_t",
            "ys4_from_full",
            "ys4_bad_ends",
            "ys4_forgotten",
        ],
        "yw7-masks" => &["yw7_none", "yw7_all", "yw7_beyond", "yl1_no_lane"],
        other => panic!("no scenario {other}"),
    }
}

#[test]
fn every_scenario_hits_what_it_is_for() {
    let mut left = Vec::new();
    for build in builds_of(UnitKind::InjectionControl) {
        for s in scenarios() {
            let cycles = round_cycles(&build, s).unwrap();
            assert!(cycles < 200_000, "{}: {cycles}", s.name);
            let mut source = source(&build, Some(s), &Knobs::default(), &Setup::default(), 1).unwrap();
            let mut golden = Golden::new(&build);
            (0..cycles).for_each(|_| golden.cycle(source.as_mut(), |_, _, _| ()));
            left.extend(
                golden.not_hit(expected(s.name)).into_iter().map(|point| (build.name, s.name, point)),
            );
        }
    }
    assert_eq!(left, []);
}

#[test]
fn scenarios_leave_nothing_out() {
    let named: BTreeSet<&str> = scenarios().iter().flat_map(|s| expected(s.name)).copied().collect();
    let points =
        crate::model::new(UnitKind::InjectionControl, &builds_of(UnitKind::InjectionControl)[0].params)
            .unwrap()
            .cover_points();
    let left: Vec<_> = points.iter().map(|p| p.name).filter(|name| !named.contains(name)).collect();
    assert_eq!(left, Vec::<&str>::new());
    for point in points {
        assert!(cover_applies(
            UnitKind::InjectionControl,
            point.name,
            &builds_of(UnitKind::InjectionControl)[1].params
        ));
    }
}

/// But for what takes longer than a run.
#[test]
fn random_traffic_leaves_nothing_out() {
    let rare = ["yl1_held_most", "ys1_flits_most", "ys1_gives_most"];
    assert_nothing_left_out(&rare, &builds_of(UnitKind::InjectionControl), 8, 20_000);
}

#[test]
fn a_source_depends_on_nothing_but_its_seed() {
    assert_depends_on_the_seed_alone(&builds_of(UnitKind::InjectionControl)[1]);
}

#[test]
fn registers_of_a_setup_are_written_and_left_alone() {
    let build = builds_of(UnitKind::InjectionControl)[1];
    let l = Layout::new(build.unit, &build.params);
    let setup = Setup { injection_control: vec![(5, 3)], ..Setup::default() };
    let mut s = source(&build, None, &Knobs::default(), &setup, 5).unwrap();
    let mut writes = Vec::new();
    run(&build, s.as_mut(), 5_000, |_, i, o, _| {
        if o[l.output("ready")] & i[l.input("cfg_we")] == 1 {
            writes.push((i[l.input("cfg_addr")], i[l.input("cfg_data")]));
        }
    });
    assert_eq!(writes, [(5, 3)]);
}

#[test]
fn knobs_do_what_they_say() {
    let build = builds_of(UnitKind::InjectionControl)[1];
    let l = Layout::new(build.unit, &build.params);
    let count = |name: &str, value: f64, signal: &str| {
        let mut k = Knobs::default();
        k.set(name, value).unwrap();
        let mut s = source(&build, None, &k, &Setup::default(), 3).unwrap();
        let at = l.input(signal);
        let mut n = 0;
        run(&build, s.as_mut(), 20_000, |t, i, _, _| n += if t < 100 { 0 } else { i[at] });
        n
    };
    assert_eq!(count("load", 0.0, "be_front"), 0);
    assert!(count("load", 1.0, "be_front") > 15_000);
    assert!(count("reconfig_rate", 0.2, "cfg_we") > 2 * count("reconfig_rate", 0.0, "cfg_we"));
}
