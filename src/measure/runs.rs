//! The runs to measure with.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};

use crate::cosim::recording::{self, Stimulus};
use crate::cosim::{Job, Replay};
use crate::params::Build;

/// The runs to measure with: those of the regression and those of the corpus.
pub(super) fn runs(build: &Build, cycles: u64, seed: u64) -> Result<Vec<Job>> {
    let mut jobs = of_regression(build, cycles, seed)?;
    jobs.extend(of_corpus(build)?);
    Ok(jobs)
}

/// The runs of the regression, as [`crate::stimulus::regression::of_build`] has them.
pub(super) fn of_regression(build: &Build, cycles: u64, seed: u64) -> Result<Vec<Job>> {
    crate::stimulus::regression::of_build(*build, cycles, seed).map_err(|e| anyhow!(e))
}

/// The stimuli of `tests/corpus`, which are part of the lockstep tests.
pub(super) fn of_corpus(build: &Build) -> Result<Vec<Job>> {
    let stimuli = stimuli(&corpus(build)?, build)?;
    Ok(stimuli.into_iter().map(|(path, s)| stimulus_job(&path, s)).collect())
}

/// The stimuli in a folder, which must be for `build`, by file name; none where there is no folder.
pub(super) fn stimuli(folder: &Path, build: &Build) -> Result<Vec<(PathBuf, Stimulus)>> {
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

/// A run of a stimulus file.
pub(super) fn stimulus_job(path: &Path, stimulus: Stimulus) -> Job {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Job {
        build: stimulus.build,
        label: format!("stimulus {name}"),
        seed: stimulus.seed,
        cycles: stimulus.cycles,
        source: Box::new(move |_| Box::new(Replay::new(stimulus.clone()))),
    }
}

/// The folder in the source tree of the stimuli that every run begins with.
pub fn corpus(build: &Build) -> Result<PathBuf> {
    Ok(crate::home::root()?.join("tests/corpus").join(build.folder()))
}
