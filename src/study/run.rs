//! Runs points side by side.

use anyhow::{Context, Result};

use super::cache::Cache;
use super::job::{Found, Job};
use super::point::network;
use super::simulate::simulate;
use crate::jobs::results;

/// What happened to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many runs are to be done, with a total weight.
    Start {
        /// Runs.
        runs: usize,
        /// Their weight.
        weight: u64,
    },
    /// A run is done.
    Done {
        /// Its weight.
        weight: u64,
        /// Its outcome was there already.
        cached: bool,
    },
}

/// How points are run.
pub struct How<'a> {
    /// Runs side by side.
    pub threads: usize,
    /// Where outcomes are kept.
    pub cache: Option<&'a Cache>,
    /// Told of every step.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// Most microseconds that a program is thought to take: what its run may take is a multiple of that.
const PROGRAM_US: f64 = 5_000.0;

/// A guess at how long a run takes: simulated microseconds times hosts.
pub fn weight(job: &Job) -> u64 {
    let run = match job {
        Job::Fabric(run) => run,
        Job::Worm(run) => return run.weight(),
    };
    let hosts = network(&run.network).map_or(1, |n| n.hosts.len());
    let us = if run.traffic.trace.is_some() { run.time_us.min(PROGRAM_US) } else { run.time_us };
    (us * hosts as f64) as u64 + 1
}

/// The outcomes of runs, in their order.
pub fn run(runs: &[Job], how: &How) -> Result<Vec<Found>> {
    let weights: Vec<u64> = runs.iter().map(weight).collect();
    (how.progress)(Progress::Start { runs: runs.len(), weight: weights.iter().sum() });
    // The longest first, so that the threads end together.
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(weights[i]));
    results(&order, how.threads, &|i| {
        let run = &runs[i];
        let (outcome, cached) = one(run, how.cache);
        let outcome = outcome.with_context(|| run.title())?;
        (how.progress)(Progress::Done { weight: weights[i], cached });
        Ok(outcome)
    })
}

fn one(run: &Job, cache: Option<&Cache>) -> (Result<Found>, bool) {
    if let Some(outcome) = cache.and_then(|c| c.get(run)) {
        return (Ok(outcome), true);
    }
    let found = match run {
        Job::Fabric(run) => simulate(run).map(|o| Found::Fabric(Box::new(o))),
        Job::Worm(run) => run.simulate().map(|o| Found::Worm(Box::new(o))),
    };
    let outcome = found.and_then(|outcome| {
        if let Some(cache) = cache {
            cache.put(run, &outcome)?;
        }
        Ok(outcome)
    });
    (outcome, false)
}
