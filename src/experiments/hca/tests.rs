//! The stimulus against the golden model.

use super::script::Script;
use super::*;
use crate::experiments::golden::{Golden, assert_depends_on_the_seed_alone, builds_of, left_out, run};
use crate::signals::Layout;

fn hca_builds() -> Vec<Build> {
    builds_of(UnitKind::Hca)
}

/// What a scenario must make happen: cover points of the golden model.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "h1-queues" => &[
            "h1_posted",
            "h1_full",
            "h1_gen_full",
            "h1_bad_flow",
            "h1_bad_len",
            "h1_pop_full",
            "h1_post_and_pop",
            "h1_full_despite_pop",
            "h1_lid_base_changed",
            "b3_error_cleared",
        ],
        "h2-cnp-first" => &[
            "h2_cnp_queued",
            "h2_cnp_disabled",
            "h2_fecn_ack",
            "h2_fecn_multicast",
            "h2_becn_beats_fecn",
            "h2_cnp_ahead_of_data",
            "h2_cnp_waits",
        ],
        "h2-cnp-queue" => &["h2_cnp_lost", "h2_cnp_lacks_credit", "h2_cnps_back_to_back", "h2_push_and_pop"],
        "h3-becns" => &["h3_becn", "h3_becn_cnp", "h3_becn_data", "h3_bad_flow", "h3_cnp_without_becn"],
        "h5-stop-go" => &["h5_stopped", "h5_released", "h5_two_lines_stop", "h9_hot_used", "h9_line_drained"],
        "h5-credits" => &["h5_no_room"],
        "h8-injection" => &[
            "h8_accepted",
            "h8_back_to_back",
            "h8_offer_waits_for_dma",
            "h8_dma_waits",
            "h8_single_flit",
            "h8_withdrawn",
            "f1_inj_txr_wraps",
        ],
        "b3-receiver" => &[
            "b3_received",
            "b3_bad_received",
            "b3_framing_first",
            "b3_framing_len",
            "b3_framing_shape",
            "b3_framing_stray",
            "b3_bad_vl",
            "b3_bad_vl_fctbs",
            "b3_misrouted",
            "b3_multicast",
            "b3_longer_than_header",
            "b3_skipped",
            "b3_skip_first",
            "b3_error_cleared",
            "b3_error_set_wins",
            "f1_uncounted",
        ],
        "f2-receive-fifo" => &[
            "f2_full",
            "f2_push_and_pop",
            "f2_host_waits",
            "b3_no_credit",
            "b3_overlong",
            "f1_abr_wraps",
            "f1_fctbs_repair",
            "f1_fctbs_and_flit",
            "f1_no_room",
            "f1_fc_interval_shrinks",
        ],
        _ => panic!("nothing is expected of {name}"),
    }
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in hca_builds() {
        for s in scenarios() {
            let mut script =
                Script::new(&build.params, &Setup::default(), scenarios::operations(s.name).unwrap(), 1);
            let mut golden = Golden::new(&build);
            let mut cycles = 0;
            let most = scenario_cycles(s.name, &build.params);
            while script.rounds < 1 {
                golden.cycle(&mut script, |_, _, _| ());
                cycles += 1;
                assert!(cycles < 4 * most, "{} {}: no end", build.name, s.name);
            }
            if cycles > most {
                missing.push(format!("{} {}: {cycles} cycles, said {most}", build.name, s.name));
            }
            let not_hit = golden.not_hit(expected(s.name));
            // Without isolation nothing stops a flow; random traffic withdraws offers in another way.
            let not_hit = not_hit.iter().filter(|p| build.params.isolation || **p != "h8_withdrawn");
            missing.extend(not_hit.map(|want| format!("{} {}: {want}", build.name, s.name)));
        }
    }
    assert!(missing.is_empty(), "did not happen: {missing:#?}");
}

/// Cover points that take a scenario: thousands of packets of one lane; with many lanes, one that is full.
const LONG: [&str; 2] = ["f1_inj_txr_wraps", "b3_no_credit"];

#[test]
fn random_traffic_leaves_nothing_out() {
    for build in hca_builds() {
        let missed = left_out(&build, 10, 50_000);
        let short: Vec<_> = missed.into_iter().filter(|name| !LONG.contains(name)).collect();
        assert_eq!(short, Vec::<&str>::new(), "{}", build.name);
    }
}

#[test]
fn a_source_depends_on_nothing_but_its_seed() {
    assert_depends_on_the_seed_alone(&hca_builds()[2]);
}

/// Packets received, CNPs made, BECNs, errors, packets posted, flits sent, under a setting of the knobs.
fn with_knobs(knobs: &[(&str, f64)]) -> [u32; 6] {
    let build = hca_builds()[0];
    let l = Layout::new(build.unit, &build.params);
    let mut k = Knobs::default();
    knobs.iter().for_each(|(n, v)| k.set(n, *v).unwrap());
    let mut s = source(&build, None, &k, &Setup::default(), 3).unwrap();
    let mut seen = [0; 6];
    run(&build, s.as_mut(), 40_000, |_, i, o, st| {
        seen[0] = st[l.state("st_cnt_rcv")];
        seen[1] = st[l.state("st_cnt_cnp")];
        seen[2] = st[l.state("st_cnt_becn")];
        seen[3] |= o[l.output("err")];
        seen[4] += i[l.input("gen_valid")] * o[l.output("ready")];
        seen[5] += o[l.output("tx_valid")];
    });
    seen
}

#[test]
fn knobs_do_what_they_say() {
    let quiet = [("violation_rate", 0.0), ("reconfig_rate", 0.0)];
    let [rcv, .., errors, posted, _] = with_knobs(&[&quiet[..], &[("load", 0.0)]].concat());
    assert_eq!((errors & 0b101_1111, posted), (0, 0));
    assert!(rcv > 500, "{rcv}");
    let [_, _, becns, ..] = with_knobs(&[("becn_rate", 1.0)]);
    assert!(becns > 500, "{becns}");
    let [.., errors, _, _] = with_knobs(&[("violation_rate", 0.5)]);
    assert_eq!(errors, 0x7f);
    let flits = |starved: f64| with_knobs(&[("credit_starvation", starved), ("load", 1.0)])[5];
    assert!(3 * flits(1.0) < flits(0.0), "{} {}", flits(1.0), flits(0.0));
}
