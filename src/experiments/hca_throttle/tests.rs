//! The stimulus against the golden model.

use super::script::Script;
use super::*;
use crate::model::{self, Unit};
use crate::params::{UnitKind, builds};
use crate::signals::Layout;

fn ht_builds() -> Vec<Build> {
    builds().into_iter().filter(|b| b.unit == UnitKind::HcaThrottle).collect()
}

/// Runs a source on the golden model; `look` sees the inputs, outputs and state of every cycle.
fn run(
    build: &Build,
    source: &mut dyn Source,
    cycles: usize,
    mut look: impl FnMut(usize, &[u32], &[u32], &[u32]),
) -> Box<dyn Unit> {
    let l = Layout::new(build.unit, &build.params);
    let mut unit = model::new(build.unit, &build.params).unwrap();
    let (mut input, mut out, mut state) = (vec![0; l.in_words], vec![0; l.out_words], vec![0; l.state_words]);
    for t in 0..cycles {
        unit.outputs(&[], &mut out);
        unit.state(&mut state);
        input.fill(0);
        source.drive(&out, &mut input);
        look(t, &input, &out, &state);
        unit.step(&input);
    }
    unit
}

/// What a scenario must make happen: cover points of the golden model.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
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
        ],
        "h4-sl-timer" => &[
            "h4_sl_starts",
            "h4_sl_step",
            "h4_sl_idle",
            "h4_sl_sweep_acts",
            "h4_catch_up",
            "h4_catch_up_several",
            "h4_catch_up_wraps",
            "h4_catch_up_stops_at_min",
        ],
        "h4-sl-races" => &[
            "h4_sl_sweep_with_step",
            "h4_sl_becn_with_step",
            "h4_sl_becn_revives",
            "h4_sl_becn_beats_expiry",
        ],
        "h4-tick-wrap" => &["h4_tick_wraps", "h4_expiry_across_tick_wrap"],
        "h5-spacing" => {
            &["h5_too_early", "h5_ird_0", "h6_absolute", "h5_still_leaving", "h5_eligible_at_ird_plus_1"]
        }
        "h5-gates" => &[
            "h5_no_credit",
            "h5_stopped_while_visited",
            "h8_offer_withdrawn",
            "h8_offer_lost_credit",
            "h8_offer_accepted_at_stop",
        ],
        "h5-time-wrap" => {
            &["h5_never_injected", "h5_now_wraps", "h5_time_wrapped", "h5_aged", "h5_ageing_skipped"]
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
        "h8-round-robin" => {
            &["h8_rr_wraps", "h8_younger_discarded", "h8_offer_accepted", "h8_nothing_wanted"]
        }
        "h8-slow-link" => &["h8_offer_waits", "h8_offer_withdrawn"],
        "ecocc-fig6-hca" => &["h3_becn", "h5_too_early", "h4_flow_expiry", "h3_timer_restarts"],
        _ => panic!("nothing is expected of {name}"),
    }
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in ht_builds() {
        for s in scenarios() {
            let mut script =
                Script::new(&build.params, &Setup::default(), scenarios::operations(s.name).unwrap(), 1);
            let mut cycles = 0;
            let mut unit = model::new(build.unit, &build.params).unwrap();
            let l = Layout::new(build.unit, &build.params);
            let (mut input, mut out) = (vec![0; l.in_words], vec![0; l.out_words]);
            while script.rounds < 1 {
                unit.outputs(&[], &mut out);
                input.fill(0);
                script.drive(&out, &mut input);
                unit.step(&input);
                cycles += 1;
                assert!(cycles < 400_000, "{} {}: no end", build.name, s.name);
            }
            println!("{} {} {cycles}", build.name, s.name);
            let points = unit.cover_points();
            for want in expected(s.name) {
                if !model::hca_throttle::cover_applies(want, &build.params) {
                    continue;
                }
                let at = points.iter().position(|p| p.name == *want).unwrap_or_else(|| panic!("no {want}"));
                if unit.cover()[at] == 0 {
                    missing.push(format!("{} {}: {want}", build.name, s.name));
                }
            }
        }
    }
    assert!(missing.is_empty(), "did not happen: {missing:#?}");
}

#[test]
#[ignore = "measurement"]
fn random_cover() {
    for build in ht_builds() {
        let mut total: Vec<u64> = Vec::new();
        let start = std::time::Instant::now();
        let mut points: &'static [model::CoverPoint] = &[];
        for seed in 0..10 {
            let mut s = source(&build, None, &Knobs::default(), &Setup::default(), seed).unwrap();
            let unit = run(&build, s.as_mut(), 100_000, |_, _, _, _| ());
            points = unit.cover_points();
            total.resize(points.len(), 0);
            total.iter_mut().zip(unit.cover()).for_each(|(t, c)| *t += c);
        }
        println!("{}: {:?}", build.name, start.elapsed());
        for (p, c) in points.iter().zip(&total) {
            if *c < 100 && model::hca_throttle::cover_applies(p.name, &build.params) {
                println!("  {} {}", p.name, c);
            }
        }
    }
}
