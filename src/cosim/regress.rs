//! Many runs on several threads.

use super::outcome::{CoverCount, Failure, Report};
use super::source::Source;
use crate::params::{Build, UnitKind};

#[cfg(feature = "rtl")]
use super::Options;

/// One run of a regression.
pub struct Job {
    /// Model.
    pub build: Build,
    /// What it is, for people: scenario or stimulus mix.
    pub label: String,
    /// Seed of power-up state and of the source.
    pub seed: u64,
    /// Cycles to run.
    pub cycles: u64,
    /// Makes the source from the seed.
    pub source: Box<dyn Fn(u64) -> Box<dyn Source> + Send + Sync>,
}

/// What became of a job.
pub struct JobResult {
    /// Index in the list of jobs.
    pub job: usize,
    /// `None`: not run, because an earlier job failed or the run was stopped.
    pub result: Option<Result<Report, Failure>>,
}

/// What became of all jobs.
pub struct Regression {
    /// One per job, in the order of the jobs.
    pub results: Vec<JobResult>,
    /// Cover counts summed per unit, over all jobs that ended equal.
    pub cover: Vec<(UnitKind, Vec<CoverCount>)>,
    /// Cycles compared in jobs that ended equal.
    pub cycles: u64,
    /// Packets in them.
    pub packets: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

impl Regression {
    /// The failure of the job with the lowest number, if any.
    pub fn failure(&self) -> Option<(usize, &Failure)> {
        self.results.iter().find_map(|r| match &r.result {
            Some(Err(f)) => Some((r.job, f)),
            _ => None,
        })
    }
}

/// Runs `jobs` on `threads` threads. `options` gives progress, stop flag, artefact directory and comments; seed, cycles and
/// label come from the job. The result does not depend on the number of threads: jobs after the first that fails count as not run.
#[cfg(feature = "rtl")]
pub fn regress(jobs: &[Job], threads: usize, options: &Options) -> Regression {
    let threads = threads.clamp(1, jobs.len().max(1));
    let one = |job: &Job| {
        let mut options = options.clone();
        options.seed = job.seed;
        options.cycles = job.cycles;
        options.vcd = None;
        options.pipeline &= threads == 1;
        options.comments.push(job.label.clone());
        super::run(&job.build, &mut *(job.source)(job.seed), &options)
    };
    let stopped = || options.stop.is_some_and(|s| s.load(std::sync::atomic::Ordering::Relaxed));
    run_jobs(jobs, threads, &one, &stopped)
}

/// Runs each job once, on several threads.
#[cfg(any(feature = "rtl", test))]
pub(crate) fn run_jobs(
    jobs: &[Job],
    threads: usize,
    one: &(dyn Fn(&Job) -> Result<Report, Failure> + Sync),
    stopped: &(dyn Fn() -> bool + Sync),
) -> Regression {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let start = std::time::Instant::now();
    let next = AtomicUsize::new(0);
    let first_failed = AtomicUsize::new(usize::MAX);
    let done: Mutex<Vec<Option<Result<Report, Failure>>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= jobs.len() || i > first_failed.load(Ordering::Relaxed) || stopped() {
                        break;
                    }
                    let result = one(&jobs[i]);
                    if result.is_err() {
                        first_failed.fetch_min(i, Ordering::Relaxed);
                    }
                    done.lock().unwrap_or_else(|e| e.into_inner())[i] = Some(result);
                }
            });
        }
    });
    let first_failed = first_failed.into_inner();
    let mut results = done.into_inner().unwrap_or_else(|e| e.into_inner());
    // What later jobs did depends on the threads: forget it.
    for r in results.iter_mut().skip(first_failed.saturating_add(1)) {
        *r = None;
    }
    let mut sum = Regression {
        results: Vec::new(),
        cover: Vec::new(),
        cycles: 0,
        packets: 0,
        seconds: start.elapsed().as_secs_f64(),
    };
    for (job, result) in results.into_iter().enumerate() {
        if let Some(Ok(report)) = &result {
            sum.cycles += report.cycles;
            sum.packets += report.packets;
            add_cover(&mut sum.cover, jobs[job].build.unit, &report.cover);
        }
        sum.results.push(JobResult { job, result });
    }
    sum
}

#[cfg(any(feature = "rtl", test))]
fn add_cover(sums: &mut Vec<(UnitKind, Vec<CoverCount>)>, unit: UnitKind, cover: &[CoverCount]) {
    let at = sums.iter().position(|(u, _)| *u == unit).unwrap_or_else(|| {
        sums.push((unit, Vec::new()));
        sums.len() - 1
    });
    for c in cover {
        match sums[at].1.iter_mut().find(|s| s.name == c.name) {
            Some(s) => s.count += c.count,
            None => sums[at].1.push(c.clone()),
        }
    }
}
