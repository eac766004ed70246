//! Many runs on several threads.

#[cfg(feature = "rtl")]
use super::Options;
use super::{CoverCount, Failure, Report, source::Source};
use crate::params::{Build, UnitKind};

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
    /// Cycles compared.
    pub cycles: u64,
    /// Packets.
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
/// label come from the job. The result does not depend on the number of threads. After a failure no later job is started.
#[cfg(feature = "rtl")]
pub fn regress(jobs: &[Job], threads: usize, options: &Options) -> Regression {
    let _ = (jobs, threads, options);
    todo!()
}
