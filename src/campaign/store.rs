//! The folder of a campaign: what became of each job, under its key.
//!
//! `jobs/KEY/` is a whole result. It is made as `jobs/KEY.part/` under the lock `jobs/KEY.lock` and renamed: nobody sees half of one.
//! The lock is the system's, so it ends with the processes that hold it, however they end.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::job::Job;
use super::made_of::MadeOf;
use crate::home::{self, hex};
use crate::outfile;

/// What the command printed.
pub const OUT: &str = "out.txt";
/// What it said meanwhile.
pub const ERR: &str = "err.txt";
/// The folder where it ran.
pub const FILES: &str = "files";
const RECORD: &str = "job.json";
const FAILURE: &str = "failed.json";

/// A folder of campaigns.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What is kept beside a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its key.
    pub key: String,
    /// The job.
    pub job: Job,
    /// Of what program and sources.
    pub made_of: MadeOf,
    /// Exit status: 0 all is good, 1 something is not.
    pub status: i32,
    /// Seconds that the command took.
    pub seconds: f64,
    /// Seconds that were spent around it.
    pub around: f64,
    /// Where it ran.
    pub host: String,
    /// Bytes of [`OUT`].
    pub bytes: u64,
    /// SHA-256 of [`OUT`].
    pub sha256: String,
    /// The files that it left, with their bytes.
    pub files: Vec<(PathBuf, u64)>,
}

/// What is kept of a try that gave no result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Exit status; none: it was killed.
    pub status: Option<i32>,
    /// Seconds that it took.
    pub seconds: f64,
    /// Where it ran.
    pub host: String,
}

/// What is kept under a key.
#[derive(Debug)]
pub enum State {
    /// Nothing, or a try that did not come to its end.
    Nothing,
    /// The last try failed.
    Failed(Failure),
    /// A result.
    Whole(Box<Record>),
    /// A result that is not what was put there; why.
    Damaged(String),
}

/// A job that is ours: nobody else does it.
#[derive(Debug)]
pub struct Claim {
    /// To be given to the command, so that the claim lasts as long as this, too.
    pub lock: File,
    path: PathBuf,
}

impl Store {
    /// The store in a folder, which need not be there.
    pub fn new(folder: &Path) -> Store {
        Store { folder: folder.into() }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of the results.
    pub fn jobs(&self) -> PathBuf {
        self.folder.join("jobs")
    }

    /// Where a result is, or is to be.
    pub fn place(&self, key: &str) -> PathBuf {
        self.jobs().join(key)
    }

    /// Where it is made; the logs of a try that failed are there.
    pub fn part(&self, key: &str) -> PathBuf {
        self.jobs().join(format!("{key}.part"))
    }

    /// Where an input is kept.
    pub fn input(&self, sha256: &str) -> PathBuf {
        self.folder.join("inputs").join(sha256)
    }

    /// Keeps an input.
    pub fn take_input(&self, sha256: &str, from: &Path) -> Result<()> {
        let place = self.input(sha256);
        let sum = |path: &Path| std::fs::read(path).map(|bytes| (hex(&Sha256::digest(&bytes)), bytes));
        if sum(&place).is_ok_and(|(s, _)| s == sha256) {
            return Ok(());
        }
        let (now, bytes) = sum(from).with_context(|| format!("inputs: cannot read {}", from.display()))?;
        ensure!(now == sha256, "inputs: {} has changed while it was read", from.display());
        outfile::write(&place, &bytes)
    }

    /// What is kept under a key.
    pub fn find(&self, key: &str) -> State {
        if self.place(key).is_dir() {
            return match self.whole(key) {
                Ok(record) => State::Whole(Box::new(record)),
                Err(why) => State::Damaged(format!("{why:#}")),
            };
        }
        match json(&self.part(key).join(FAILURE)) {
            Ok(failure) => State::Failed(failure),
            Err(_) => State::Nothing,
        }
    }

    /// Whether there is a result; it is not looked at.
    pub fn is_there(&self, key: &str) -> bool {
        self.place(key).is_dir()
    }

    /// Whether the last try failed.
    pub fn has_failed(&self, key: &str) -> bool {
        !self.is_there(key) && self.part(key).join(FAILURE).exists()
    }

    fn whole(&self, key: &str) -> Result<Record> {
        let place = self.place(key);
        let record: Record = json(&place.join(RECORD))?;
        let says = |what: &str| format!("{}: {what}", place.join(RECORD).display());
        ensure!(record.key == key, says(&format!("key is {}; legal is the folder's name", record.key)));
        ensure!(
            (0..=1).contains(&record.status),
            says(&format!("status is {}; legal are 0 and 1", record.status))
        );
        let of = record.job.key(&record.made_of)?;
        ensure!(of == key, says("key: it is not that of job and made_of"));
        let out = place.join(OUT);
        if home::sum(&out)? != (record.bytes, record.sha256.clone()) {
            bail!("{} is not what {RECORD} says by its bytes and sha256", out.display());
        }
        for (file, size) in &record.files {
            let path = place.join(FILES).join(file);
            let is = std::fs::metadata(&path).map(|m| m.len());
            ensure!(
                is.as_ref().is_ok_and(|n| n == size),
                "{} is not there with the {size} bytes that {RECORD} says",
                path.display()
            );
        }
        Ok(record)
    }

    /// Makes a job ours, if it is nobody's. With `wait`: when it is nobody's any more.
    pub fn claim(&self, key: &str, wait: bool) -> Result<Option<Claim>> {
        let path = self.jobs().join(format!("{key}.lock"));
        let claim = lock(&path, wait)?.map(|lock| Claim { lock, path });
        self.look();
        Ok(claim)
    }

    /// Opens the folder of the results: a network's file system may otherwise say from memory that something is not there.
    pub fn look(&self) {
        let _ = std::fs::read_dir(self.jobs());
    }

    /// One who decides what is given to Slurm is alone. The file is to be given to who is told.
    pub fn alone(&self) -> Result<File> {
        lock(&self.folder.join("slurm.lock"), true)?.context("slurm.lock: no lock")
    }

    /// Begins a try: an empty folder, or that of one which was killed and may go on.
    pub fn begin(&self, key: &str, _claim: &Claim) -> Result<()> {
        let part = self.part(key);
        let failed = json::<Failure>(&part.join(FAILURE)).is_ok_and(|f| f.status.is_some());
        if failed {
            remove(&part)?;
        }
        forget(&part.join(FAILURE))?;
        make(&part.join(FILES))
    }

    /// Puts a damaged result aside, so that its job is done again; where to.
    pub fn put_aside(&self, key: &str) -> Result<PathBuf> {
        let claim = self.claim(key, true)?.context("no lock")?;
        let (place, aside) = (self.place(key), self.jobs().join(format!("{key}.damaged")));
        // Somebody else may have done the same meanwhile.
        if let State::Damaged(_) = self.find(key) {
            remove(&aside)?;
            std::fs::rename(&place, &aside).with_context(|| format!("cannot rename {}", place.display()))?;
        }
        self.leave(claim)?;
        Ok(aside)
    }

    /// Forgets that a job has failed.
    pub fn forget_failure(&self, key: &str) -> Result<()> {
        match self.part(key) {
            part if json::<Failure>(&part.join(FAILURE)).is_ok_and(|f| f.status.is_some()) => remove(&part),
            part => forget(&part.join(FAILURE)),
        }
    }

    /// Notes that a try gave no result.
    pub fn fail(&self, key: &str, failure: &Failure) -> Result<()> {
        outfile::write(&self.part(key).join(FAILURE), &serde_json::to_vec_pretty(failure)?)
    }

    /// Keeps a result: with its record, the last of all, it gets its place.
    pub fn keep(&self, key: &str, mut record: Record, claim: Claim) -> Result<()> {
        let (part, place) = (self.part(key), self.place(key));
        let out = part.join(OUT);
        (record.bytes, record.sha256) = home::sum(&out)?;
        record.files = files(&part.join(FILES))?;
        File::open(&out).and_then(|f| f.sync_all()).with_context(|| out.display().to_string())?;
        outfile::write(&part.join(RECORD), &serde_json::to_vec_pretty(&record)?)?;
        std::fs::rename(&part, &place)
            .with_context(|| format!("cannot rename {} to {}", part.display(), place.display()))?;
        // Who waits for this lock finds the result when he has it.
        forget(&claim.path)
    }

    /// Gives up a claim on a job of which there is a result.
    pub fn leave(&self, claim: Claim) -> Result<()> {
        forget(&claim.path)
    }
}

fn lock(path: &Path, wait: bool) -> Result<Option<File>> {
    path.parent().map_or(Ok(()), make)?;
    outfile::lock(path, wait)
}

/// Reads a file of ours.
pub(super) fn json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| path.display().to_string())
}

/// Makes a folder and those above it.
pub(super) fn make(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

pub(super) fn remove(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(e).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

pub(super) fn forget(file: &Path) -> Result<()> {
    match std::fs::remove_file(file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(e).with_context(|| format!("cannot remove {}", file.display()))
        }
        _ => Ok(()),
    }
}

/// All files in and below a folder, with their bytes.
pub(super) fn files(folder: &Path) -> Result<Vec<(PathBuf, u64)>> {
    let (mut all, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).with_context(|| next.display().to_string())? {
            let (path, kind) = entry.and_then(|e| Ok((e.path(), e.file_type()?)))?;
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                let bytes = std::fs::metadata(&path).with_context(|| path.display().to_string())?.len();
                all.push((path.strip_prefix(folder).unwrap_or(&path).into(), bytes));
            }
        }
    }
    all.sort();
    Ok(all)
}
