//! The stimulus against the golden model.

use super::*;
use crate::model::Unit;
use crate::model::switch::Switch;
use crate::params::UnitKind;
use crate::signals::{Group, Layout};
use crate::stimulus::alone::{Golden, assert_depends_on_the_seed_alone, left_out, run, tested};

/// What a scenario must make happen: cover points of the golden model.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "c1-read-back" => &[
            "c1_read_input",
            "c1_read_output",
            "c1_read_and_write",
            "c1_read_all_ports",
            "c1_read_no_port",
            "c1_read_no_unit",
        ],
        "d1-config-broadcast" => &["d1_cfg_all_ports", "d1_cfg_no_such_port", "d1_cfg_no_such_unit"],
        "b2-all-outputs" => &["b2_all_outputs_busy"],
        "b1-one-input-feeds-all" => &["b1_input_feeds_several"],
        "e1-congestion-isolated" => &["e2_message_up"],
        "e2-tree-passes-on" => &["e3_prop", "e2_message_up", "e2_tree_goes_on"],
        "a2-cnp-first-at-all-inputs" => &[],
        "a2-cnp-plain-at-all-inputs" => &["a2_plain_claim"],
        "f1-link-down" => &["f1_link_down", "f1_several_down", "f1_others_go"],
        "q7-nacks-go-back" => &["q7_nack", "q7_nack_to_own_link", "q7_nack_to_other_link", "q7_nacks_meet"],
        "q3-classes" => &[],
        "up1-any-up" => &["up1_drawn", "up1_inputs_differ"],
        "q8-link-down" => &["f1_link_down", "f1_several_down", "q7_nack"],
        "sm3-naive" => &["sm3_fabric_mark"],
        "sm4-link-down" => &["f1_link_down", "f1_others_go"],
        "sm4-isolation" => &["e3_prop"],
        "vm-hot-warm-cold" => &[],
        "ag1-oldest" => &["ag1_other_input_waits"],
        "ag1-wrap" => &["ag1_other_input_waits"],
        "ag2-limit" => &["ag2_limit_in_switch"],
        "santos-fig1" => &["sm3_fabric_mark", "sm4_fill_marks_others"],
        "e5-stop-holds-all" => &["e3_prop", "e5_held"],
        "a1-accept-conflicts" => {
            &["a1_accept_conflict", "a1_second_iteration", "a1_later_conflict", "a3_claim_by_later_iteration"]
        }
        "a3-claim-keeps-credits" => &["a3_claim", "a3_output_waits"],
        "e6-drain-beside-tree-again" | "e6-line-of-another-tree" => &["e3_prop"],
        "a3-trees-come-back" => &["e3_prop", "a3_ol_wait"],
        "a3-claims-in-turn" => &["a3_claim", "a3_claim_shown", "a3_claim_before", "a3_output_waits"],
        "a3-claims-of-one-input" => &["a3_claim", "a3_claim_served", "a3_claim_waits"],
        "a3-turns-kept" => {
            &["a3_claim", "a3_claim_served", "a3_two_claims", "a3_output_kept", "a3_claim_waits"]
        }
        _ => panic!("nothing is expected of {name}"),
    }
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in tested(UnitKind::Switch) {
        let l = Layout::new(build.unit, &build.params);
        for s in scenarios() {
            let mut script = script(&build, s.name, &Setup::default(), false, 1).unwrap();
            let mut golden = Golden::new(&build);
            let (mut cycles, mut first_in, mut first_out, mut errors) = (0u64, 0, 0, 0);
            while !script.done() {
                golden.cycle(&mut script, |input, out, _| {
                    let count =
                        |words: &[u32], at: usize| words[at..at + build.params.ports].iter().sum::<u32>();
                    first_in += count(input, l.input("rx_first"));
                    first_out += count(out, l.output("tx_first"));
                    let any = |at: usize| out[at..at + build.params.ports].iter().fold(0, |e, w| e | w);
                    errors |= any(l.output("err_in")) << 16 | any(l.output("err_out"));
                });
                cycles += 1;
                assert!(cycles < MAX_ROUND, "{} {}: no end", build.name, s.name);
            }
            // Well-behaved neighbours: whatever comes in goes out.
            if s.name.ends_with("-link-down") {
                // ... but for what was on the links: LINK_DOWN of the inputs and the outputs.
                assert_eq!(errors & !(1 << 25), 1 << 3, "{}", build.name);
                assert!((first_out + 1..first_out + 300).contains(&first_in), "{}", build.name);
            } else {
                assert_eq!((first_in, errors), (first_out, 0), "{} {}", build.name, s.name);
            }
            assert_eq!(script.late, 0, "{} {}: did not come to rest in time", build.name, s.name);
            let not_hit = golden.not_hit(expected(s.name));
            missing.extend(not_hit.iter().map(|want| format!("{} {}: {want}", build.name, s.name)));
        }
    }
    assert!(missing.is_empty(), "did not happen: {missing:#?}");
}

/// DLIDs of the packets that leave port 1 of a switch, and when.
fn leaving(build: &Build, name: &str) -> Vec<(u64, u16)> {
    let l = Layout::new(build.unit, &build.params);
    let mut script = script(build, name, &Setup::default(), false, 1).unwrap();
    let mut golden = Golden::new(build);
    let (mut all, mut cycle) = (Vec::new(), 0);
    while !script.done() {
        golden.cycle(&mut script, |_, out, _| {
            if out[l.output("tx_first") + 1] == 1 {
                let s = l.signal(Group::Output, "tx_data");
                let flit = &out[s.offset + s.stride()..][..build.params.flit_bytes / 4];
                all.push((cycle, crate::model::header::Header::parse(flit).dlid));
            }
        });
        cycle += 1;
    }
    all
}

#[test]
fn what_drains_beside_its_tree_leaves_within_a_bound() {
    for build in tested(UnitKind::Switch).into_iter().filter(|b| b.params.isolation && !b.params.vl_by_dest) {
        let all = leaving(&build, "e6-drain-beside-tree-again");
        // one that used up the credits, then four hot ones and two others within 100 cycles
        let rest: Vec<u64> = all[1..].iter().map(|x| x.0).collect();
        assert_eq!(rest.len(), 6, "{}: {all:?}", build.name);
        assert!(rest[5] - rest[0] < 100, "{}: {all:?}", build.name);
    }
}

#[test]
fn nobody_passes_those_who_obey_a_stop() {
    for build in tested(UnitKind::Switch).into_iter().filter(|b| b.params.isolation && !b.params.vl_by_dest) {
        let all = leaving(&build, "e5-stop-holds-all");
        // the first used up the credits; the others of that destination leave together, after the go
        let stopped: Vec<u64> = all[1..].iter().filter(|x| x.1 == 1).map(|x| x.0).collect();
        assert_eq!(stopped.len(), 3 * build.params.ports, "{}: {all:?}", build.name);
        let last = all.last().unwrap().0;
        assert!(stopped[0] + 200 > last, "{}: {all:?}", build.name);
    }
}

#[test]
fn random_traffic_leaves_nothing_out() {
    for build in tested(UnitKind::Switch) {
        let (seeds, cycles) = if build.params.ports > 4 { (8, 40_000) } else { (8, 50_000) };
        let mut left = left_out(&build, seeds, cycles);
        // Too seldom for a test: the scenario a1-accept-conflicts shows it.
        left.retain(|name| *name != "a1_later_conflict");
        assert_eq!(left, Vec::<&str>::new(), "{}", build.name);
    }
}

#[test]
fn random_traffic_depends_on_the_seed_alone() {
    for build in tested(UnitKind::Switch).iter().filter(|b| b.params.ports < 8) {
        assert_depends_on_the_seed_alone(build);
    }
}

/// Neighbours that keep to the rules: every packet comes out whole and unharmed, and none too often.
#[test]
fn a_good_neighbourhood_loses_nothing() {
    for build in tested(UnitKind::Switch) {
        let (l, p) = (Layout::new(build.unit, &build.params), build.params);
        let zero = Some(0.0);
        let knobs = Knobs {
            slow_link: Some(1.0),
            gap_rate: zero,
            reconfig_rate: zero,
            violation_rate: zero,
            message_loss: zero,
            link_falls: zero,
            ..Knobs::default()
        };
        let mtu = p.mtu as u32;
        let input_port = vec![(0, 1), (1, mtu), (2, mtu / 2), (6, 0), (7, 60), (13, mtu), (14, 2)];
        let setup = Setup { input_port, output_port: vec![(0, 3)], ..Setup::default() };
        let mut s = source(&build, None, &knobs, &setup, 3).unwrap();
        let (mut sent, mut left, mut errors) = (0u64, 0u64, 0);
        let mut busy = 0;
        run(&build, s.as_mut(), 30_000, |_, input, out, state| {
            let sum = |words: &[u32], group, name: &str| -> u64 {
                let s = l.signal(group, name);
                words[s.offset..s.offset + s.count].iter().map(|w| u64::from(*w)).sum()
            };
            sent += sum(input, Group::Input, "rx_valid");
            left += sum(out, Group::Output, "tx_valid");
            errors |= sum(out, Group::Output, "err_in") | sum(out, Group::Output, "err_out");
            busy = sum(state, Group::State, "st_used");
        });
        assert_eq!(errors, 0, "{}", build.name);
        // What is not out is in the buffers, or in one of the few registers of a path, or in an output's queue.
        let inside = sent - left - busy;
        let queues = (p.ports * p.vls * p.ocap()) as u64;
        assert!(
            sent > 5_000 && inside <= 3 * p.ports as u64 + queues,
            "{}: {sent} {left} {busy}",
            build.name
        );
    }
}

/// A golden switch in which nothing is only counts on while nothing but credits comes. A word that means nothing (`cfg_data`
/// without `cfg_we`) makes it take the whole cycle: both ways do the same.
#[test]
fn a_switch_at_rest_counts_on_as_if_it_were_awake() {
    let sparse = Knobs { load: Some(0.003), ..Knobs::default() };
    for build in tested(UnitKind::Switch) {
        let l = Layout::new(build.unit, &build.params);
        let [we, re, data] = ["cfg_we", "cfg_re", "cfg_data"].map(|n| l.input(n));
        let random = source(&build, None, &sparse, &Setup::default(), 7).unwrap();
        let scripts =
            scenarios().iter().map(|s| source(&build, Some(s), &sparse, &Setup::default(), 1).unwrap());
        for (n, mut source) in std::iter::once(random).chain(scripts).enumerate() {
            let (mut resting, mut awake) = (Switch::new(&build.params), Switch::new(&build.params));
            let mut input = l.idle();
            let [mut out, mut other_out] = [(); 2].map(|()| vec![0; l.out_words]);
            let [mut state, mut other_state] = [(); 2].map(|()| vec![0; l.state_words]);
            let (mut rested, cycles) = (0, if n == 0 { 12_000 } else { 600 });
            for cycle in 0..cycles {
                resting.outputs(&[], &mut out);
                awake.outputs(&[], &mut other_out);
                resting.state(&mut state);
                awake.state(&mut other_state);
                assert!((&out, &state) == (&other_out, &other_state), "{} {n}: cycle {cycle}", build.name);
                assert_eq!(resting.cover(), awake.cover(), "{} {n}: cycle {cycle}", build.name);
                l.make_idle(&mut input);
                if cycle % 256 < 240 {
                    source.drive(&out, &mut input);
                }
                rested += u64::from(resting.rests());
                resting.step(&input);
                if out[l.output("ready")] != 0 && input[we] | input[re] == 0 {
                    input[data] = 1;
                }
                awake.step(&input);
            }
            assert!(n > 0 || rested > cycles / 50, "{}: {rested}", build.name);
        }
    }
}
