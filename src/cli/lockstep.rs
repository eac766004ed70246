//! The commands that run RTL and golden model: `cosim`, `replay`, `regress`.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};

use super::args::{CosimArgs, RegressArgs, ReplayArgs, SummaryArgs, VcdArgs};
use super::common::{Format, Outcome, waveform};
use super::design::{Design, again};
use super::inputs;
use super::progress::Progress;
use super::report::{Summary, UnitCover, failure_json};
use crate::cosim::report::failure_text;
use crate::cosim::source::Source;
use crate::cosim::{self, Failure, Job, Options, Regression, Vcd};
use crate::jobs::processors;
use crate::stimulus::{regression, scenario};
use crate::verilated;

/// Where a failing run leaves its waveform and reproducer.
const FAILURES: &str = "quell-failures";
/// The command that plays a reproducer on quell's own RTL.
const REPLAY: &str = "quell replay";
/// What is found where nothing is wrong.
const EQUAL: &str = "equal in every cycle";
/// Cycles of a run where nothing else is said.
const CYCLES: u64 = 1_000_000;

/// `quell cosim`
pub fn cosim(args: &CosimArgs) -> Result<Outcome> {
    let unit = args.unit.kind();
    if let Some(path) = &args.stimulus {
        let stimulus = cosim::recording::read(path).map_err(|e| anyhow!(e))?;
        let have = &stimulus.build;
        if have.unit != unit || args.build.build.as_deref().is_some_and(|name| name != have.name) {
            let (unit, name) = (have.unit.cli_name(), have.name);
            bail!(
                "{}: the stimulus is for {unit}, build {name}; remedy: quell cosim {unit} --build {name} ...",
                path.display()
            );
        }
        let design = Design::of(&args.dut, have)?.with_inside(args.vcd.internals)?;
        return play(path, stimulus, design, again(args), args.cycles, &args.vcd, args.summary);
    }
    let build = args.build.of(unit)?;
    let (knobs, setup) = inputs::traffic(args, &build)?;
    let source = move |seed: u64, name: Option<&str>| scenario::source(&build, name, &knobs, &setup, seed);
    source(args.seed, args.scenario.as_deref()).map_err(|e| anyhow!(e))?;

    let cycles = args.cycles.unwrap_or(CYCLES);
    let label = args.scenario.as_ref().map_or("random traffic".into(), |name| format!("scenario {name}"));
    let again = again(args);
    if args.jobs == 1 {
        let mut source = source(args.seed, args.scenario.as_deref()).map_err(|e| anyhow!(e))?;
        let vcd = vcd(&args.vcd, cycles)?;
        let design = Design::of(&args.dut, &build)?.with_inside(args.vcd.internals)?;
        let run =
            Run { title: design.title(), label, cycles, seed: args.seed, vcd, summary: args.summary, again };
        return run.single(&design, &mut *source);
    }
    let title = build.title();
    let source = std::sync::Arc::new(source);
    let jobs: Vec<Job> = (0..args.jobs)
        .map(|i| {
            let (source, name) = (source.clone(), args.scenario.clone());
            Job {
                build,
                label: label.clone(),
                seed: args.seed.wrapping_add(i),
                cycles,
                source: Box::new(move |seed| checked(source(seed, name.as_deref()))),
            }
        })
        .collect();
    let (cycles, seed, summary) = (cycles * args.jobs, args.seed, args.summary);
    let run = Run { title, label, cycles, seed, vcd: None, summary, again };
    run.many(&jobs, args.jobs as usize)
}

/// The source, which was made once already with another seed; only a seed cannot make it fail.
fn checked(source: Result<Box<dyn Source>, String>) -> Box<dyn Source> {
    source.unwrap_or_else(|e| panic!("a source that could be made for one seed cannot for another: {e}"))
}

/// `quell replay`
pub fn replay(args: &ReplayArgs) -> Result<Outcome> {
    let stimulus = cosim::recording::read(&args.file).map_err(|e| anyhow!(e))?;
    let build = stimulus.build;
    let design = Design::own(&build)?.with_inside(args.vcd.internals)?;
    play(&args.file, stimulus, design, REPLAY.into(), None, &args.vcd, args.summary)
}

fn play(
    path: &Path,
    stimulus: cosim::Stimulus,
    design: Design,
    again: String,
    cycles: Option<u64>,
    waveform: &VcdArgs,
    summary: SummaryArgs,
) -> Result<Outcome> {
    let cycles = cycles.unwrap_or(stimulus.cycles);
    let run = Run {
        title: design.title(),
        label: format!("stimulus {}", path.display()),
        cycles,
        seed: stimulus.seed,
        vcd: vcd(waveform, cycles)?,
        summary,
        again,
    };
    run.single(&design, &mut cosim::Replay::new(stimulus))
}

/// `quell regress`
pub fn regress(args: &RegressArgs) -> Result<Outcome> {
    let threads = args.jobs.map_or_else(processors, |n| n as usize);
    let bar = Progress::of_stages();
    bar.stage("how long the scenarios take", 0, 0);
    let jobs = regression::jobs(args.cycles, args.seed).map_err(|e| anyhow!(e))?;
    drop(bar);
    let run = Run {
        title: format!("default regression, {} runs on {threads} threads", jobs.len()),
        label: "all scenarios and random traffic".into(),
        cycles: jobs.iter().map(|j| j.cycles).sum(),
        seed: args.seed,
        vcd: None,
        summary: args.summary,
        again: REPLAY.into(),
    };
    run.many(&jobs, threads)
}

/// The waveform of the command line, of a run of so many cycles.
fn vcd(args: &VcdArgs, cycles: u64) -> Result<Option<Vcd>> {
    let Some(path) = args.vcd.clone() else { return Ok(None) };
    waveform(&path)?;
    if args.vcd_from >= cycles {
        bail!("--vcd-from {}: the run has {cycles} cycles, its waveform would be empty", args.vcd_from);
    }
    Ok(Some(Vcd { path, from: args.vcd_from, cycles: Some(args.vcd_cycles), event: None }))
}

/// What is run, and how it is told.
struct Run {
    title: String,
    label: String,
    cycles: u64,
    seed: u64,
    vcd: Option<Vcd>,
    summary: SummaryArgs,
    /// The command that plays a reproducer.
    again: String,
}

impl Run {
    fn options<'a>(&self, progress: &'a (dyn Fn(u64) + Sync)) -> Options<'a> {
        Options {
            cycles: self.cycles,
            seed: self.seed,
            vcd: self.vcd.clone(),
            progress: Some(progress),
            out_dir: Some(PathBuf::from(FAILURES)),
            comments: vec![self.title.clone(), self.label.clone()],
            ..Options::default()
        }
    }

    fn single(self, design: &Design, source: &mut dyn Source) -> Result<Outcome> {
        let build = design.build();
        let bar = Progress::new(self.cycles);
        let progress = |n| bar.add(n);
        let result = design.run(source, &self.options(&progress));
        drop(bar);
        match result {
            Err(failure) => self.failed(&failure),
            Ok(report) => {
                let cover = UnitCover { unit: build.unit, ran: vec![build.params], points: report.cover };
                let found = (design.verdict().into(), design.not_compared());
                Ok(self.equal(1, found, report.cycles, report.packets, report.seconds, vec![cover]))
            }
        }
    }

    fn many(self, jobs: &[Job], threads: usize) -> Result<Outcome> {
        verilated::prepare(jobs.iter().map(|j| j.build))?;
        let bar = Progress::new(self.cycles);
        let progress = |n| bar.add(n);
        let result: Regression = cosim::regress(jobs, threads, &self.options(&progress));
        drop(bar);
        if let Some((index, failure)) = result.failure() {
            let job = &jobs[index];
            eprintln!("quell: run {index} ({}) failed", job.label);
            return self.failed(failure);
        }
        let ran = |unit| jobs.iter().map(|j| j.build).filter(|b| b.unit == unit).map(|b| b.params).collect();
        let cover = |(unit, points)| UnitCover { unit, ran: ran(unit), points };
        let cover = result.cover.into_iter().map(cover).collect();
        let found = (EQUAL.into(), Vec::new());
        Ok(self.equal(jobs.len(), found, result.cycles, result.packets, result.seconds, cover))
    }

    fn equal(
        self,
        runs: usize,
        (verdict, not_compared): (String, Vec<&'static str>),
        cycles: u64,
        packets: u64,
        seconds: f64,
        cover: Vec<UnitCover>,
    ) -> Outcome {
        let (title, stimulus, seed, told) = (self.title, self.label, self.seed, self.summary);
        let summary =
            Summary { title, verdict, not_compared, stimulus, runs, seed, cycles, packets, seconds, cover };
        match told.format {
            Format::Text => {
                print!("{}", summary.text(told.cover));
                if let Some(vcd) = &self.vcd {
                    println!("  waveform   {}", vcd.path.display());
                }
            }
            Format::Json => println!("{:#}", summary.json()),
        }
        Outcome::Good
    }

    fn failed(&self, failure: &Failure) -> Result<Outcome> {
        match failure {
            Failure::Io(text) | Failure::Setup(text) => bail!("{text}"),
            Failure::Mismatch(_) | Failure::Assertion(_) | Failure::Broken(_) => {
                match self.summary.format {
                    Format::Text => print!("{}", failure_text(failure, &self.again)),
                    Format::Json => {
                        println!("{:#}", failure_json(failure, [&self.title, &self.label, &self.again]))
                    }
                }
                Ok(Outcome::Mismatch)
            }
        }
    }
}
