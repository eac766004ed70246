//! The stimulus against the golden model.

use super::script::Script;
use super::*;
use crate::model::{self, Unit};
use crate::params::{UnitKind, builds};
use crate::signals::Layout;

pub(super) fn op_builds() -> Vec<Build> {
    builds().into_iter().filter(|b| b.unit == UnitKind::OutputPort).collect()
}

/// Runs a source on the golden model; `look` sees the inputs, outputs and state of every cycle.
pub(super) fn run(
    build: &Build,
    source: &mut dyn Source,
    cycles: usize,
    mut look: impl FnMut(usize, &[u32], &[u32], &[u32]),
) -> Box<dyn Unit> {
    let l = Layout::new(build.unit, &build.params);
    let mut unit = model::new(build.unit, &build.params).unwrap();
    let (mut input, mut out, mut state) = (vec![0; l.in_words], vec![0; l.out_words], vec![0; l.state_words]);
    for t in 0..cycles {
        input.fill(0);
        source.drive(&out, &mut input);
        unit.outputs(&input, &mut out);
        unit.state(&mut state);
        look(t, &input, &out, &state);
        unit.step(&input);
    }
    unit
}

/// What a scenario must make happen: cover points of the golden model.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "a1-round-robin" => &["a1_grant", "a1_rr_wraps", "a3_all_ask"],
        "a2-cnp-first" => &["a2_cnp_over_data", "a2_several_cnps", "a2_data_while_cnp_lacks_credit"],
        "a2-whole-packets" => &[
            "a2_busy",
            "a2_end_waits_for_link",
            "a2_grant_at_end",
            "b2_paced",
            "b2_interval_shrinks",
            "b2_tx_interval_0_is_1",
        ],
        "a3-no-starvation" => &["a3_single_requester"],
        "b3-framing" => &[
            "b3_framing_no_last",
            "b3_framing_no_first",
            "b3_framing_vl",
            "b3_longer_than_header",
            "b3_bad_passed",
            "b3_error_cleared",
            "b3_error_set_wins",
        ],
        "b3-messages" => {
            &["b3_bad_line", "b3_bad_vl_msg", "b3_bad_vl_fccl", "b3_error_set_wins", "e5_go_miss"]
        }
        "f1-credits" => {
            &["f1_last_credit", "f1_does_not_fit", "f1_half_range_refused", "f1_half_range_edge", "f1_fccl"]
        }
        "f1-wrap" => &["f1_txr_wrap", "f1_fctbs_wrap", "f1_fccl_wrap"],
        "f1-lost-messages" => &["f1_does_not_fit", "f1_fccl"],
        "f1-short-packets" => &[
            "f1_txr_corrected",
            "f1_txr_corrected_with_grant",
            "f1_txr_corrected_other_grant",
            "f1_txr_borrow",
        ],
        "d2-contributors" => &["d2_several_contributors", "d2_leave"],
        "d3-root" => &["d3_root_enters", "d3_stays_without_credit", "d3_victim_refused"],
        "d3-victim" => &["d3_victim_refused", "d3_victim_mask_enters", "d2_leave"],
        "d5-sum" => {
            &["d5_sum_set", "d5_sum_clear", "d5_hold_set", "d5_hold_clear", "d5_set_wins", "d5_eval_3_is_0"]
        }
        "d5-sum-per-input" => &["d5_mean_set", "d5_mean_clear", "d5_mean_only"],
        "m1-eligible" => &[
            "m1_marked",
            "m1_marked_behind_grh",
            "m1_marking_off",
            "m1_not_congested",
            "m1_no_bth",
            "m1_cnp",
            "m1_ack",
            "m1_multicast",
            "m1_too_small",
            "m1_just_big_enough",
        ],
        "m2-counter" => &["m2_counter_mark", "m2_counter_pass", "m2_counter_returns", "m2_mode_3_is_0"],
        "m2-probability" => {
            &["m2_probability_mark", "m2_probability_pass", "m2_seed", "m2_seed_0_is_1", "m2_seed_beats_step"]
        }
        "m2-fraction" => &["m2_fraction_mark", "m2_fraction_pass"],
        "m3-kept" => &["m3_marked_upstream_is_eligible", "m3_fecn_kept"],
        "e3-propagation" => &[
            "e3_alloc_new",
            "e3_prop_winner",
            "e3_prop_scan",
            "e3_prop_new_line",
            "e3_prop_known_line",
            "e3_scan_no_match",
            "e3_cnp_never_matches",
            "e6_hot_linked_granted",
            "e6_dealloc_hit",
        ],
        "e3-lists" => &[
            "e3_lowest_line",
            "e3_hops_at_limit",
            "e3_dcnt_clamped",
            "e3_other_vl_no_match",
            "e3_alloc_update",
            "e3_alloc_vl_change_frees",
        ],
        "e5-stop-go" => &["e5_stop_hit", "e5_go_hit", "e5_stop_miss", "e5_go_miss", "e6_dealloc_miss"],
        "e6-relink" => &["e6_prop_relinks_hot", "e6_dealloc_hit"],
        "e6-crossing" => &["e6_dealloc_hit", "e3_prop_winner", "a1_grant"],
        "e6-isolation-off" => &["e6_isolation_off_frees", "e6_isolation_off_ignores"],
        "e7-no-resources" => &["e7_no_line", "e7_dlist_full", "e3_scan_not_told"],
        "e8-timer" => &[
            "e8_expiry",
            "e8_several_expire",
            "e8_message_at_expiry",
            "e8_dealloc_at_expiry",
            "e8_expiry_despite_miss",
            "e8_line_timer_0_is_1",
        ],
        "ecocc-fig6-switch-b" => &["d3_root_enters", "m2_counter_mark", "m2_counter_pass", "d2_leave"],
        "ecocc-fig6-switch-a" => &[
            "e3_alloc_new",
            "e3_prop_winner",
            "e6_hot_linked_granted",
            "e5_stop_hit",
            "e5_go_hit",
            "e6_dealloc_hit",
        ],
        _ => panic!("nothing is expected of {name}"),
    }
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in op_builds() {
        for s in scenarios() {
            let mut script =
                Script::new(&build.params, &Setup::default(), scenarios::operations(s.name).unwrap(), 1);
            let mut cycles = 0;
            let mut unit = model::new(build.unit, &build.params).unwrap();
            let l = Layout::new(build.unit, &build.params);
            let (mut input, mut out) = (vec![0; l.in_words], vec![0; l.out_words]);
            while script.rounds < 2 {
                input.fill(0);
                script.drive(&out, &mut input);
                unit.outputs(&input, &mut out);
                unit.step(&input);
                cycles += 1;
                assert!(cycles < 40_000, "{} {}: no end", build.name, s.name);
            }
            let points = unit.cover_points();
            for want in expected(s.name) {
                if !model::output_port::cover_applies(want, &build.params) {
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
    for build in op_builds() {
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
            if *c < 200 && model::output_port::cover_applies(p.name, &build.params) {
                println!("  {} {}", p.name, c);
            }
        }
    }
}
