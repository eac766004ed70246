//! Any sequence of operations, proper or not, on the golden model of the input port: packets come out as they came in, the
//! state keeps its invariants, and the port is empty in the end.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use quell::params::Build;
use quell::stimulus::input_port::Op;

use crate::extent::pick;
use crate::input_port_common::{Bench, different_ports, input_ports, sequence_script, sequences};

/// Runs a sequence to its end.
fn run(build: &Build, ops: &[Op]) -> Result<Bench, String> {
    let (mut script, limit) = sequence_script(&build.params, ops);
    let mut bench = Bench::new(build);
    for _ in 0..limit {
        if script.done() {
            break;
        }
        bench.invariants(&build.params)?;
        bench.cycle(&mut script)?;
    }
    if !script.done() {
        return Err(format!("the script hangs at operation {} of {}", script.position(), ops.len()));
    }
    Ok(bench)
}

fn empty(bench: &Bench) -> Result<(), String> {
    if bench.board.pending() != 0 {
        return Err(format!("{} packets never come out", bench.board.pending()));
    }
    for name in ["st_used", "st_cpq_pkts", "st_cpq_fill", "st_hpq_pkts", "st_hpq_fill"] {
        if bench.st(name).iter().any(|&x| x != 0) {
            return Err(format!("F2: {name} is {:?} in an empty port", bench.st(name)));
        }
    }
    Ok(())
}

#[test]
fn any_sequence_keeps_packets_and_invariants() {
    for build in different_ports() {
        let mut runner = TestRunner::new(ProptestConfig {
            cases: pick(100, 250),
            failure_persistence: None,
            ..Default::default()
        });
        let outcome = runner.run(&sequences(&build.params), |ops| {
            let mut bench = run(&build, &ops).map_err(TestCaseError::fail)?;
            bench.invariants(&build.params).map_err(TestCaseError::fail)?;
            empty(&bench).map_err(TestCaseError::fail)
        });
        if let Err(e) = outcome {
            panic!("{}: {e}", build.name);
        }
    }
}

/// The sequences are worth something: together they get a packet through everything that matters here.
#[test]
fn sequences_reach_the_lines() {
    let build = input_ports().into_iter().find(|b| b.name == "tiny").unwrap();
    let mut runner = TestRunner::deterministic();
    let mut hits = std::collections::BTreeMap::from([
        ("e3_take", 0),
        ("e4_move", 0),
        ("e6_link_loss", 0),
        ("e8_hot_expired", 0),
        ("e5_stopped", 0),
        ("b3_pad", 0),
        ("e1_root", 0),
    ]);
    for _ in 0..300 {
        let tree = sequences(&build.params).new_tree(&mut runner).unwrap();
        let bench = run(&build, &tree.current()).unwrap();
        for (name, n) in &mut hits {
            *n += bench.hits(name);
        }
    }
    assert!(hits.values().all(|&n| n >= 10), "{hits:?}");
}
