//! What the checks are worth, measured: mutants of the RTL that the regression finds ([`mutate`]), what a flipped bit does
//! ([`seu`]), and how much of the RTL the regression reaches ([`coverage`]); [`fuzz`] looks for stimuli that reach more.
//!
//! The first three replay recorded runs: [`vectors`] writes the inputs of the regression's runs and a sum of what the golden model
//! says in each cycle; [`tools`] makes a netlist with Yosys, and of it (by [`crate::verilate`]) a small C++ program
//! (`replay.h`) that plays the runs on it and compares every cycle.

pub mod coverage;
pub mod fuzz;
mod guess;
pub mod model_lines;
pub mod mutate;
mod pair;
mod provers;
pub mod seu;
pub mod tools;
pub mod vectors;

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};

use crate::cosim::Job;
use crate::cosim::recording::{self, Stimulus};
use crate::params::Build;

/// The runs to measure with: those of the regression and those of the corpus.
fn runs(build: &Build, cycles: u64, seed: u64) -> Result<Vec<Job>> {
    let mut jobs = of_regression(build, cycles, seed)?;
    jobs.extend(of_corpus(build)?);
    Ok(jobs)
}

/// The runs of the regression, as [`crate::stimulus::regression::of_build`] has them.
fn of_regression(build: &Build, cycles: u64, seed: u64) -> Result<Vec<Job>> {
    crate::stimulus::regression::of_build(*build, cycles, seed).map_err(|e| anyhow!(e))
}

/// The stimuli of `tests/corpus`, which are part of the lockstep tests.
fn of_corpus(build: &Build) -> Result<Vec<Job>> {
    let stimuli = stimuli(&fuzz::corpus(build)?, build)?;
    Ok(stimuli.into_iter().map(|(path, s)| mutate::stimulus_job(&path, s)).collect())
}

/// The stimuli in a folder, which must be for `build`, by file name; none where there is no folder.
fn stimuli(folder: &Path, build: &Build) -> Result<Vec<(PathBuf, Stimulus)>> {
    let mut files: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.filter_map(|e| e.ok().map(|e| e.path())).collect(),
        Err(_) => return Ok(Vec::new()),
    };
    files.retain(|p| p.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let s = recording::read(&file).map_err(|e| anyhow!(e))?;
        if s.build.title() != build.title() {
            bail!("{}: it is for {}", file.display(), s.build.title());
        }
        all.push((file, s));
    }
    Ok(all)
}
