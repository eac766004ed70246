//! The constrained-random stimulus of the input port on the golden model: end-to-end correctness and coverage.

use std::collections::BTreeMap;

use quell::cosim::source::Source;
use quell::experiments::input_port::Random;
use quell::experiments::knobs::{Knobs, Setup};
use quell::experiments::scoreboard::Scoreboard;
use quell::model::input_port::cover_applies;
use quell::model::{self, Unit};
use quell::params::{Build, UnitKind, builds};
use quell::signals::Layout;

/// The golden model of a build, its word vectors and a scoreboard around it.
struct Bench {
    unit: Box<dyn Unit>,
    board: Scoreboard,
    out: Vec<u32>,
    input: Vec<u32>,
}

impl Bench {
    fn new(build: &Build) -> Bench {
        let l = Layout::new(build.unit, &build.params);
        Bench {
            unit: model::new(build.unit, &build.params).unwrap(),
            board: Scoreboard::new(&build.params),
            out: vec![0; l.out_words],
            input: vec![0; l.in_words],
        }
    }

    fn run(&mut self, source: &mut dyn Source, cycles: u64) {
        for _ in 0..cycles {
            self.unit.outputs(&[], &mut self.out);
            self.input.fill(0);
            source.drive(&self.out, &mut self.input);
            self.board.cycle(&self.out, &self.input).unwrap();
            self.unit.step(&self.input);
        }
    }
}

fn input_ports() -> Vec<Build> {
    builds().into_iter().filter(|b| b.unit == UnitKind::InputPort).collect()
}

#[test]
fn random_traffic_covers_everything() {
    let (seeds, cycles) = (12, 60_000);
    let mut missed = Vec::new();
    for build in input_ports() {
        let mut hits: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        let (mut accepted, mut dropped) = (0, 0);
        for seed in 1..=seeds {
            let mut source = Random::new(&build.params, &Knobs::default(), &Setup::default(), seed);
            let mut bench = Bench::new(&build);
            bench.run(&mut source, cycles);
            source.drain();
            bench.run(&mut source, 30_000);
            assert_eq!(bench.board.pending(), 0, "{} seed {seed}: packets left", build.name);
            accepted += bench.board.accepted();
            dropped += bench.board.dropped();
            for (p, &n) in bench.unit.cover_points().iter().zip(bench.unit.cover()) {
                let e = hits.entry(p.name).or_default();
                e.0 += n;
                e.1 += u64::from(n > 0);
            }
        }
        println!("{}: {accepted} packets accepted, {dropped} refused", build.name);
        for (name, (n, in_seeds)) in hits {
            if cover_applies(name, &build.params) {
                if in_seeds < seeds / 2 {
                    println!("  {} {name}: {n} hits, {in_seeds} of {seeds} seeds", build.name);
                }
                if n == 0 {
                    missed.push(format!("{} {name}", build.name));
                }
            }
        }
    }
    assert!(missed.is_empty(), "never hit: {}", missed.join(", "));
}
