//! What the checks are worth, measured: mutants of the RTL that the regression finds ([`mutate`]), what a flipped bit does
//! ([`seu`]), and how much of the RTL the regression reaches ([`coverage`]); [`fuzz`] looks for stimuli that reach more.
//!
//! The first three replay recorded runs: [`vectors`] writes the inputs of the regression's runs and a sum of what the golden model
//! says in each cycle; [`tools`] makes a netlist with Yosys, a model of it with Verilator, and a small C++ program
//! (`replay.h`) that plays the runs on it and compares every cycle.

pub mod coverage;
pub mod fuzz;
pub mod mutate;
mod pair;
pub mod seu;
pub mod tools;
pub mod vectors;

use anyhow::{Result, anyhow};

use crate::cosim::Job;
use crate::params::Build;

/// The runs to measure with: those of the regression ([`crate::experiments::regression::of_build`]) and the stimuli of
/// `tests/corpus`, which are part of the lockstep tests.
fn runs(build: &Build, cycles: u64, seed: u64) -> Result<Vec<Job>> {
    let mut jobs = crate::experiments::regression::of_build(*build, cycles, seed).map_err(|e| anyhow!(e))?;
    let folder = fuzz::corpus(build)?;
    let mut files: Vec<_> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries.filter_map(|e| e.ok().map(|e| e.path())).collect(),
        Err(_) => Vec::new(), // none for this build
    };
    files.sort();
    let first = jobs.len().min(1);
    let corpus = files.iter().map(|f| mutate::stimulus_job(f)).collect::<Result<Vec<_>>>()?;
    jobs.splice(first..first, corpus);
    Ok(jobs)
}
