//! How fast is lockstep, compared with a bare C++ loop over the same model and the same recorded stimulus?
//!
//! `cargo bench` prints a table: both are run in turns, five times each, waveforms off, and the medians compared. The
//! ratio must not be below 0.7. Criterion's own statistics follow.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use quell::cosim::{Options, Replay, Report, Stimulus, record, run};
use quell::experiments::knobs::{Knobs, Setup};
use quell::experiments::scenario;
use quell::params::{Build, UnitKind, builds};
use quell::verilated::Model;

const UNITS: [(UnitKind, &str); 3] =
    [(UnitKind::InputPort, "p8v1"), (UnitKind::OutputPort, "p8v1"), (UnitKind::HcaThrottle, "f64")];
const ROUNDS: usize = 5;
const LEAST: f64 = 0.7;

struct Case {
    build: Build,
    stimulus: Stimulus,
    flat: Vec<u32>,
}

impl Case {
    fn new(unit: UnitKind, name: &str, cycles: u64) -> Case {
        let build =
            builds().into_iter().find(|b| b.unit == unit && b.name == name).expect("a build of the binary");
        let mut source = scenario::source(&build, None, &Knobs::default(), &Setup::default(), 1)
            .expect("constrained-random stimulus with its defaults");
        let stimulus = record(&build, &mut *source, cycles, 1).expect("a golden model");
        let flat = stimulus.inputs.flat();
        Case { build, stimulus, flat }
    }

    /// The C++ loop: inputs, two evaluations, all outputs and state folded into a number.
    fn bare(&self) -> Duration {
        let mut model = Model::new(&self.build, 1).expect("a model of the binary");
        model.reset();
        let start = Instant::now();
        std::hint::black_box(model.bare(&self.flat));
        start.elapsed()
    }

    /// All that a run does: golden model, comparison, cover points, and the recording for a reproducer.
    fn lockstep(&self, pipeline: bool) -> Duration {
        let out_dir = Some(std::env::temp_dir().join("quell-bench-failures"));
        let options = Options { cycles: self.stimulus.cycles, pipeline, out_dir, ..Options::default() };
        let report: Report = run(&self.build, &mut Replay::new(self.stimulus.clone()), &options)
            .unwrap_or_else(|f| panic!("not equal: {f:?}"));
        Duration::from_secs_f64(report.seconds)
    }
}

fn median(mut v: Vec<f64>) -> f64 {
    v.sort_by(f64::total_cmp);
    v[v.len() / 2]
}

/// The table; false if a ratio is below [`LEAST`].
fn table(cycles: u64) -> bool {
    println!("thousand cycles per second, median of {ROUNDS} rounds of {cycles} cycles");
    println!(
        "{:<20} {:>9} {:>9} {:>7} {:>12} {:>7}",
        "model", "bare C++", "lockstep", "ratio", "one thread", "ratio"
    );
    let mut good = true;
    for (unit, name) in UNITS {
        let case = Case::new(unit, name, cycles);
        let (mut bare, mut two, mut one) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let speed = |d: Duration| cycles as f64 / d.as_secs_f64() / 1000.0;
            bare.push(speed(case.bare()));
            two.push(speed(case.lockstep(true)));
            one.push(speed(case.lockstep(false)));
        }
        let (bare, two, one) = (median(bare), median(two), median(one));
        let label = format!("{} {name}", unit.cli_name());
        let (r2, r1) = (two / bare, one / bare);
        println!("{label:<20} {bare:>9.0} {two:>9.0} {r2:>7.2} {one:>12.0} {r1:>7.2}");
        good &= r2 >= LEAST;
    }
    good
}

fn criterion(c: &mut Criterion) {
    let cycles = 20_000;
    for (unit, name) in UNITS {
        let case = Case::new(unit, name, cycles);
        let mut group = c.benchmark_group(unit.cli_name());
        group.throughput(Throughput::Elements(cycles)).sample_size(10);
        group.bench_function(BenchmarkId::new("bare", name), |b| {
            b.iter_custom(|n| (0..n).map(|_| case.bare()).sum());
        });
        group.bench_function(BenchmarkId::new("lockstep", name), |b| {
            b.iter_custom(|n| (0..n).map(|_| case.lockstep(true)).sum());
        });
        group.finish();
    }
}

fn main() {
    // `cargo test --benches` runs this too: then only see that it works.
    let bench = std::env::args().any(|a| a == "--bench");
    if !table(if bench { 200_000 } else { 2_000 }) && bench {
        eprintln!("lockstep is slower than {LEAST} of the bare loop");
        std::process::exit(1);
    }
    if bench {
        let mut c = Criterion::default().configure_from_args();
        criterion(&mut c);
        c.final_summary();
    }
}
