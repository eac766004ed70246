//! Outcomes that are kept, so that an interrupted set of runs goes on where it was.

use std::hash::Hasher;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::job::{Found, Job};
use crate::outfile;

/// A folder of outcomes. An outcome counts only for the sources that it was made with.
pub struct Cache {
    folder: PathBuf,
    sources: Sources,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    sources: u64,
    run: Job,
    outcome: Found,
}

fn hash(bytes: &[u8]) -> u64 {
    let mut h = std::hash::DefaultHasher::new();
    h.write(bytes);
    h.finish()
}

/// Numbers that change with the sources that an outcome depends on, of each kind of network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Of switches.
    pub fabric: u64,
    /// Of wormhole routers.
    pub worm: u64,
}

impl Sources {
    /// One number for both.
    pub fn of_both(self) -> u64 {
        self.fabric ^ self.worm.rotate_left(32)
    }

    fn of(self, job: &Job) -> u64 {
        match job {
            Job::Fabric(_) => self.fabric,
            Job::Worm(_) => self.worm,
        }
    }
}

/// Those of this program: of the files in `results-of.txt` and `worm-results-of.txt`, hashed by `build.rs`. What is not listed there
/// (command line, studies and their figures, of networks of switches RTL and most of the golden units) changes no outcome.
pub fn sources() -> Sources {
    let number = |text: &str| text.parse().expect("build.rs writes a number");
    Sources { fabric: number(env!("QUELL_RESULTS_OF")), worm: number(env!("QUELL_WORM_RESULTS_OF")) }
}

impl Cache {
    /// The outcomes in a folder, which is made if there is none.
    pub fn open(folder: &Path, sources: Sources) -> Result<Cache> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Cache { folder: folder.into(), sources })
    }

    /// Where the outcome of a run is kept.
    pub fn path(&self, run: &Job) -> PathBuf {
        self.folder.join(format!("{:016x}.json", hash(run.text().as_bytes()) ^ self.sources.of(run)))
    }

    /// The outcome of a run, if it is there, whole, and of these sources.
    pub fn get(&self, run: &Job) -> Option<Found> {
        let text = std::fs::read(self.path(run)).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        // Origins of settings are no part of a run.
        let same = || entry.run.text() == run.text();
        (entry.sources == self.sources.of(run) && same()).then_some(entry.outcome)
    }

    /// Keeps an outcome.
    pub fn put(&self, run: &Job, outcome: &Found) -> Result<()> {
        let entry = Entry { sources: self.sources.of(run), run: run.clone(), outcome: outcome.clone() };
        outfile::write(&self.path(run), &serde_json::to_vec(&entry)?)
    }
}
