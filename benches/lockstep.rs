//! How fast is lockstep, compared with a bare C++ loop over the same model and the same recorded stimulus?
//!
//! `cargo bench` prints a table: both are run in turns, five times each, waveforms off, and the medians compared. The
//! ratio must not be below 0.7. Criterion's own statistics follow.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use quell::cosim::{Options, Replay, Report, Stimulus, record, run};
use quell::params::{Build, UnitKind, builds};
use quell::stimulus::knobs::{Knobs, Setup};
use quell::stimulus::scenario;
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

/// Processor time of this thread in nanoseconds (Linux).
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(f64::NAN)
}

/// Median wall-clock and processor time of this thread over some rounds of several jobs in turns, in nanoseconds a cycle.
fn rounds(cycles: u64, jobs: &[&dyn Fn() -> Duration]) -> Vec<(f64, f64)> {
    let mut times = vec![(Vec::new(), Vec::new()); jobs.len()];
    for _ in 0..ROUNDS {
        for (job, (wall, own)) in jobs.iter().zip(&mut times) {
            let before = cpu();
            wall.push(job().as_nanos() as f64 / cycles as f64);
            own.push((cpu() - before) / cycles as f64);
        }
    }
    times.into_iter().map(|(wall, own)| (median(wall), median(own))).collect()
}

/// The table; false if a ratio is below [`LEAST`], by the clock and by processor time.
fn table(cycles: u64) -> bool {
    println!(
        "Nanoseconds a cycle, median of {ROUNDS} rounds of {cycles} cycles; ratio = bare C++ loop / lockstep."
    );
    println!(
        "By the clock: lockstep as `quell cosim` runs it, golden model and stimulus in a second thread."
    );
    println!(
        "Processor time tells more on a busy machine: `RTL` is the thread with the RTL and the comparison."
    );
    println!("{:18}|{:^24}|{:^40}", "", "clock", "processor time");
    println!(
        "{:<18}|{:>8}{:>9}{:>7}|{:>8}{:>8}{:>7}{:>10}{:>7}",
        "model", "bare", "lockstep", "ratio", "bare", "RTL", "ratio", "1 thread", "ratio"
    );
    let mut good = true;
    for (unit, name) in UNITS {
        let case = Case::new(unit, name, cycles);
        let t = rounds(cycles, &[&|| case.bare(), &|| case.lockstep(true), &|| case.lockstep(false)]);
        let ((bare, bare_cpu), (two, two_cpu), (_, one_cpu)) = (t[0], t[1], t[2]);
        // The slower of the two threads decides.
        let ahead = two_cpu.max(one_cpu - two_cpu);
        let label = format!("{} {name}", unit.cli_name());
        println!(
            "{label:<18}|{bare:>8.0}{two:>9.0}{:>7.2}|{bare_cpu:>8.0}{two_cpu:>8.0}{:>7.2}{one_cpu:>10.0}{:>7.2}",
            bare / two,
            bare_cpu / ahead,
            bare_cpu / one_cpu
        );
        good &= bare / two >= LEAST || bare_cpu / ahead >= LEAST;
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
