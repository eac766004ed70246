//! Outcomes that are kept, so that an interrupted set of runs goes on where it was.

use std::hash::Hasher;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::point::{Outcome, Run};
use crate::outfile;

/// A folder of outcomes. An outcome counts only for the sources that it was made with.
pub struct Cache {
    folder: PathBuf,
    sources: u64,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    sources: u64,
    run: Run,
    outcome: Outcome,
}

fn hash(bytes: &[u8]) -> u64 {
    let mut h = std::hash::DefaultHasher::new();
    h.write(bytes);
    h.finish()
}

/// A number that changes with the sources that an outcome depends on: those of `results-of.txt`, hashed by `build.rs`. What is not
/// listed there (command line, studies and their figures, RTL, most of the golden units) changes no outcome.
pub fn sources() -> u64 {
    env!("QUELL_RESULTS_OF").parse().expect("build.rs writes a number")
}

impl Cache {
    /// The outcomes in a folder, which is made if there is none.
    pub fn open(folder: &Path, sources: u64) -> Result<Cache> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Cache { folder: folder.into(), sources })
    }

    /// Where the outcome of a run is kept.
    pub fn path(&self, run: &Run) -> PathBuf {
        self.folder.join(format!("{:016x}.json", hash(run.text().as_bytes()) ^ self.sources))
    }

    /// The outcome of a run, if it is there, whole, and of these sources.
    pub fn get(&self, run: &Run) -> Option<Outcome> {
        let text = std::fs::read(self.path(run)).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        // Origins of settings are no part of a run.
        let same = || entry.run.text() == run.text();
        (entry.sources == self.sources && same()).then_some(entry.outcome)
    }

    /// Keeps an outcome.
    pub fn put(&self, run: &Run, outcome: &Outcome) -> Result<()> {
        let entry = Entry { sources: self.sources, run: run.clone(), outcome: outcome.clone() };
        outfile::write(&self.path(run), &serde_json::to_vec(&entry)?)
    }
}
