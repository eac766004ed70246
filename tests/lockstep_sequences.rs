//! Whole stimulus sequences that `proptest` makes and shrinks, with RTL and golden model in lockstep: proper operations on
//! the input port, and any words at all on the pins of every unit.
#![cfg(feature = "rtl")]

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use quell::cosim::recording::read;
use quell::cosim::{Options, Replay, check_stimulus, run};
use quell::params::{Build, builds};
use quell::signals::{Group, Layout, Signal};

use crate::input_port_common::{input_ports, sequence_script, sequences};

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..Default::default() })
}

#[test]
fn operations_on_the_input_port_are_equal() {
    for build in input_ports() {
        let outcome = runner(crate::extent::pick(20, 60)).run(&sequences(&build.params), |ops| {
            let (mut script, limit) = sequence_script(&build.params, &ops);
            let options = Options { cycles: limit.min(4_000), pipeline: false, ..Options::default() };
            run(&build, &mut script, &options).map_err(|f| TestCaseError::fail(format!("{f:?}")))?;
            Ok(())
        });
        if let Err(e) = outcome {
            panic!("{}: {e}", build.name);
        }
    }
}

/// A value put on one element of one input in one cycle.
#[derive(Clone, Debug)]
struct Pin {
    signal: usize,
    element: usize,
    value: u32,
}

fn inputs(layout: &Layout) -> Vec<Signal> {
    layout.signals.iter().filter(|s| s.group == Group::Input).copied().collect()
}

/// Some cycles with some pins driven in each; small values are likely, for they are numbers of things that exist.
fn pins(signals: usize) -> impl Strategy<Value = Vec<Vec<Pin>>> {
    let value = prop_oneof![3 => Just(1u32), 2 => 0..4u32, 1 => 0..256u32, 1 => any::<u32>()];
    let pin =
        (0..signals, 0..64usize, value).prop_map(|(signal, element, value)| Pin { signal, element, value });
    proptest::collection::vec(proptest::collection::vec(pin, 0..10), 1..250)
}

/// The input vectors of a sequence; a wide element repeats its value in every word.
fn vectors(layout: &Layout, signals: &[Signal], cycles: &[Vec<Pin>]) -> Vec<Vec<u32>> {
    let word = |pins: &Vec<Pin>| {
        let mut v = layout.idle();
        for p in pins {
            let s = &signals[p.signal];
            let at = s.offset + p.element % s.count * s.stride();
            for (i, w) in v[at..at + s.stride()].iter_mut().enumerate() {
                let bits = (s.width - 32 * i).min(32);
                *w = p.value & (u32::MAX >> (32 - bits));
            }
        }
        v
    };
    cycles.iter().map(word).collect()
}

fn any_words_are_equal(build: &Build) {
    let layout = Layout::new(build.unit, &build.params);
    let signals = inputs(&layout);
    let sweep = vec![layout.idle(); build.params.init_cycles(build.unit)];
    let outcome = runner(150).run(&pins(signals.len()), |cycles| {
        let stimulus = [sweep.clone(), vectors(&layout, &signals, &cycles)].concat();
        check_stimulus(build, 1, &stimulus).map_err(|f| TestCaseError::fail(format!("{f:?}")))
    });
    if let Err(e) = outcome {
        panic!("{} {}: {e}", build.unit.cli_name(), build.name);
    }
}

#[test]
fn any_words_on_the_pins_are_equal() {
    for build in builds().iter().filter(|b| matches!(b.name, "tiny" | "oneq" | "p4v2")) {
        any_words_are_equal(build);
    }
}

/// The stimuli that fuzzing found: each reaches something that the others do not.
#[test]
fn the_fuzzing_corpus_is_equal() {
    let home = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut units = std::collections::BTreeMap::new();
    for folder in std::fs::read_dir(&home).expect("tests/corpus") {
        for file in std::fs::read_dir(folder.expect("an entry").path()).expect("a folder") {
            let path = file.expect("an entry").path();
            let stimulus = read(&path).unwrap_or_else(|e| panic!("{e}"));
            let (build, cycles, seed) = (stimulus.build, stimulus.cycles, stimulus.seed);
            let options = Options { cycles, seed, pipeline: false, ..Options::default() };
            let outcome = run(&build, &mut Replay::new(stimulus), &options);
            let report = outcome.unwrap_or_else(|f| panic!("{}: {f:?}", path.display()));
            assert_eq!(report.cycles, cycles);
            *units.entry(build.unit.cli_name()).or_insert(0) += 1;
        }
    }
    assert_eq!(units.into_keys().collect::<Vec<_>>(), ["hca-throttle", "input-port", "output-port"]);
}
