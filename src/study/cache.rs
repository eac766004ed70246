//! Outcomes that are kept, so that an interrupted set of runs goes on where it was.

use std::hash::Hasher;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::point::{Outcome, Run};
use crate::outfile;

/// A folder of outcomes. An outcome counts only for the program that made it.
pub struct Cache {
    folder: PathBuf,
    program: u64,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    program: u64,
    run: Run,
    outcome: Outcome,
}

fn hash(bytes: &[u8]) -> u64 {
    let mut h = std::hash::DefaultHasher::new();
    h.write(bytes);
    h.finish()
}

/// A number that changes with the program.
pub fn fingerprint() -> Result<u64> {
    let path = std::env::current_exe().context("the program's own file")?;
    Ok(hash(&std::fs::read(&path).with_context(|| path.display().to_string())?))
}

impl Cache {
    /// The outcomes in a folder, which is made if there is none.
    pub fn open(folder: &Path, program: u64) -> Result<Cache> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Cache { folder: folder.into(), program })
    }

    /// Where the outcome of a run is kept.
    pub fn path(&self, run: &Run) -> PathBuf {
        self.folder.join(format!("{:016x}.json", hash(run.text().as_bytes()) ^ self.program))
    }

    /// The outcome of a run, if it is there, whole, and of this program.
    pub fn get(&self, run: &Run) -> Option<Outcome> {
        let text = std::fs::read(self.path(run)).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        // Origins of settings are no part of a run.
        let same = || entry.run.text() == run.text();
        (entry.program == self.program && same()).then_some(entry.outcome)
    }

    /// Keeps an outcome.
    pub fn put(&self, run: &Run, outcome: &Outcome) -> Result<()> {
        let entry = Entry { program: self.program, run: run.clone(), outcome: outcome.clone() };
        outfile::write(&self.path(run), &serde_json::to_vec(&entry)?)
    }
}
