//! A run from its start to what it leaves behind.

use std::path::Path;

#[cfg(feature = "rtl")]
use super::compared::Compared;
use super::events::scoreboard::Broken;
#[cfg(feature = "rtl")]
use super::events::{self, settings::Settings};
use super::lockstep::{Bench, Ended, Recording, Wrong};
#[cfg(feature = "rtl")]
use super::lockstep::{Dut, DutMaker};
use super::minimise::minimise;
use super::outcome::{
    Artefacts, AssertionFailure, BrokenRule, CycleInputs, Difference, Failure, Mismatch, Options, Report, Vcd,
};
use super::pass::pass;
use super::recording::{Inputs, Replay, describe};
use super::source::Source;
#[cfg(feature = "rtl")]
use crate::params::Build;
use crate::signals::Layout;
use crate::wave::Event;

/// Calls `f` with the real thing: Verilated model and golden model of a build.
#[cfg(feature = "rtl")]
pub(super) fn with_rtl<T>(build: &Build, f: impl FnOnce(&Bench) -> T) -> T {
    let dut =
        |seed| -> Result<Box<dyn Dut>, String> { Ok(Box::new(crate::verilated::Model::new(build, seed)?)) };
    let golden = || crate::model::new(build.unit, &build.params);
    f(&Bench { build, dut: &dut, inside: None, golden: &golden, compared: None, judge: None })
}

/// How strictly a device is held against the rules.
#[cfg(feature = "rtl")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strength {
    /// What of it is compared with the golden model, in every cycle; `None`: everything.
    Lockstep(Option<Compared>),
    /// A scoreboard judges, with these tolerances.
    Events(Settings),
}

/// Makes a model for a power-up seed.
#[cfg(feature = "rtl")]
pub type Maker<'a> = &'a (dyn Fn(u64) -> Result<crate::verilated::Model, String> + Sync);

/// As [`run`], with a device of any kind and another strength. With `inside` waveforms show what is inside of it.
#[cfg(feature = "rtl")]
pub fn run_as(
    build: &Build,
    model: Maker,
    inside: Option<Maker>,
    strength: &Strength,
    source: &mut dyn Source,
    options: &Options,
) -> Result<Report, Failure> {
    let dut = |seed| -> Result<Box<dyn Dut>, String> { Ok(Box::new(model(seed)?)) };
    let golden = || crate::model::new(build.unit, &build.params);
    let seen = inside.map(|make| move |seed| -> Result<Box<dyn Dut>, String> { Ok(Box::new(make(seed)?)) });
    let inside = seen.as_ref().map(|make| make as DutMaker);
    let bench = Bench { build, dut: &dut, inside, golden: &golden, compared: None, judge: None };
    match strength {
        Strength::Lockstep(compared) => {
            run_on(&Bench { compared: compared.as_ref(), ..bench }, source, options)
        }
        Strength::Events(settings) => {
            // Once here, so that an error is told.
            events::scoreboard(build, settings).map_err(Failure::Setup)?;
            let judge = || {
                events::scoreboard(build, settings).unwrap_or_else(|e| panic!("it could be made before: {e}"))
            };
            run_on(&Bench { judge: Some(&judge), ..bench }, source, options)
        }
    }
}

/// Runs RTL and golden model of `build` in lockstep, driven by `source`.
///
/// ```no_run
/// use quell::params::{Build, UnitKind};
/// use quell::stimulus::{knobs::{Knobs, Setup}, scenario};
/// let build = Build::named(UnitKind::HcaThrottle, Some("tiny")).expect("a build");
/// let mut source = scenario::source(&build, None, &Knobs::default(), &Setup::default(), 1).expect("a stimulus");
/// let report = quell::cosim::run(&build, &mut *source, &quell::cosim::Options::default()).expect("no difference");
/// assert_eq!(report.cycles, 100_000);
/// ```
#[cfg(feature = "rtl")]
pub fn run(build: &Build, source: &mut dyn Source, options: &Options) -> Result<Report, Failure> {
    with_rtl(build, |bench| run_on(bench, source, options))
}

/// Applies the input vectors one cycle each and compares; for `proptest`. No files are written.
#[cfg(feature = "rtl")]
pub fn check_stimulus(build: &Build, seed: u64, inputs: &[Vec<u32>]) -> Result<(), Failure> {
    let words = Layout::new(build.unit, &build.params).in_words;
    let mut source = Replay::of(Inputs::from_vectors(words, inputs));
    let options = Options { cycles: inputs.len() as u64, seed, pipeline: false, ..Options::default() };
    run(build, &mut source, &options).map(|_| ())
}

/// As `run`, for any device and any golden model.
pub fn run_on(bench: &Bench, source: &mut dyn Source, options: &Options) -> Result<Report, Failure> {
    let layout = Layout::new(bench.build.unit, &bench.build.params);
    let mut recording =
        Recording { inputs: Inputs::new(layout.in_words), limit: options.record_limit, overflowed: false };
    let record = options.out_dir.is_some().then_some(&mut recording);
    let ended = pass(bench, source, options, options.vcd.as_ref(), record)?;
    let Some((cycle, wrong)) = ended.wrong else { return Ok(ended.report) };

    let tail = ended.tail.chunks(layout.in_words);
    let first = cycle + 1 - tail.len() as u64;
    let history = tail
        .enumerate()
        .map(|(i, v)| CycleInputs { cycle: first + i as u64, inputs: describe(&layout, v) })
        .collect();
    let mut artefacts = Artefacts::default();
    if let Some(dir) = &options.out_dir {
        if recording.overflowed {
            artefacts.problems.push(format!(
                "the stimulus is longer than {} bytes and was not kept: no waveform, no reproducer; run again with seed {} and {} cycles",
                options.record_limit,
                options.seed,
                cycle + 1
            ));
        } else {
            // The golden model was ahead of the RTL.
            let inputs = recording.inputs.first(cycle + 1);
            leave_behind(bench, &inputs, cycle, &wrong, dir, options, &mut artefacts);
        }
    }
    let (build, seed) = (*bench.build, options.seed);
    Err(match wrong {
        Wrong::Values(differences) => {
            Failure::Mismatch(Box::new(Mismatch { build, seed, cycle, differences, history, artefacts }))
        }
        Wrong::Checker(message) => {
            Failure::Assertion(Box::new(AssertionFailure { build, seed, cycle, message, history, artefacts }))
        }
        Wrong::Rule(Broken { kind, rules, text }) => Failure::Broken(Box::new(BrokenRule {
            build,
            seed,
            cycle,
            kind,
            rules,
            text,
            history,
            artefacts,
        })),
    })
}

/// Waveform, minimised stimulus and full stimulus of a failure.
pub(super) fn leave_behind(
    bench: &Bench,
    inputs: &Inputs,
    cycle: u64,
    wrong: &Wrong,
    dir: &Path,
    options: &Options,
    artefacts: &mut Artefacts,
) {
    if let Err(e) = std::fs::create_dir_all(dir) {
        artefacts.problems.push(format!("cannot make the directory {}: {e}", dir.display()));
        return;
    }
    let b = bench.build;
    let stem = format!("{}-{}-seed{}-cycle{cycle}", b.unit.cli_name(), b.name, options.seed);

    let vcd = Vcd {
        path: dir.join(format!("{stem}.vcd")),
        from: (cycle + 1).saturating_sub(options.window),
        cycles: None,
        event: Some(Event { cycle, rules: wrong.rules() }),
    };
    let again = Options { cycles: cycle + 1, seed: options.seed, ..Options::default() };
    match pass(bench, &mut Replay::of(inputs.clone()), &again, Some(&vcd), None) {
        Ok(Ended { wrong: Some((at, _)), .. }) if at == cycle => artefacts.vcd = Some(vcd.path),
        Ok(_) => artefacts.problems.push("the recorded stimulus does not fail the same way again".into()),
        Err(Failure::Io(e)) => artefacts.problems.push(e),
        Err(_) => artefacts.problems.push("the models could not be made again".into()),
    }

    let small = minimise(bench, options.seed, inputs, wrong, options.minimise);
    let mut save = |name: String, inputs: &Inputs| {
        let path = dir.join(name);
        let mut comments = options.comments.clone();
        comments.push(match wrong {
            Wrong::Values(d) => format!("fails in cycle {}: {}", inputs.cycles() - 1, title(&d[0])),
            Wrong::Rule(b) => format!("fails in cycle {}: {}", inputs.cycles() - 1, b.text),
            Wrong::Checker(m) => format!("fails in cycle {}: {}", inputs.cycles() - 1, m.trim()),
        });
        let cycles = inputs.cycles();
        let stimulus =
            super::Stimulus { build: *b, seed: options.seed, comments, inputs: inputs.clone(), cycles };
        match super::recording::write(&path, &stimulus) {
            Ok(()) => Some(path),
            Err(e) => {
                artefacts.problems.push(e);
                None
            }
        }
    };
    // Long ones make no useful file; the seed makes them again.
    const MOST: u64 = 1_000_000;
    match small {
        Some(small) => {
            artefacts.reproducer_cycles = small.cycles();
            artefacts.reproducer = save(format!("{stem}.stim"), &small);
            if inputs.cycles() <= MOST {
                artefacts.full = save(format!("{stem}.full.stim"), inputs);
            }
        }
        None if inputs.cycles() <= MOST => {
            artefacts.reproducer_cycles = inputs.cycles();
            artefacts.reproducer = save(format!("{stem}.stim"), inputs);
        }
        None => artefacts.problems.push(format!(
            "the stimulus of {} cycles could not be shortened and is not saved; run again with seed {}",
            inputs.cycles(),
            options.seed
        )),
    }
}

/// `st_used[1], rules F2`.
pub(super) fn title(d: &Difference) -> String {
    let index = if d.count > 1 { format!("[{}]", d.element) } else { String::new() };
    format!("{}{index}, rules {}", d.signal, d.rules)
}
