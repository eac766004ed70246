//! Doing one job.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};

use super::job::Keyed;
use super::made_of::Now;
use super::store::{ERR, FILES, Failure, OUT, Record, State, Store, forget};
use crate::jobs::PROCESSORS;

/// Where a command ran.
pub(super) fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_string()
}

/// What became of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A result, and all in it is good.
    Good,
    /// A result, and something in it is not good.
    NotGood,
    /// The command said that it could not be carried out.
    Failed,
    /// It was killed.
    Killed,
}

/// A job that was tried.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// What became of it.
    pub end: End,
    /// Whether it was done by somebody else, or before.
    pub found: bool,
    /// Seconds of the command.
    pub seconds: f64,
}

/// Does a job, if it is nobody else's; with `wait`, when it is nobody else's. Is there a result by then, it is taken.
pub fn work(store: &Store, now: &Now, job: &Keyed, cpus: usize, wait: bool) -> Result<Option<Done>> {
    let begin = Instant::now();
    let (key, part) = (&job.key, store.part(&job.key));
    let Some(claim) = store.claim(key, wait)? else { return Ok(None) };
    if let State::Whole(record) = store.find(key) {
        store.leave(claim)?;
        let end = if record.status == 0 { End::Good } else { End::NotGood };
        return Ok(Some(Done { end, found: true, seconds: record.seconds }));
    }
    now.unchanged()?;
    store.begin(key, &claim)?;
    let folder = part.join(FILES);
    for (name, sum) in &job.job.inputs {
        put(&store.input(sum), &folder.join(name))?;
    }
    let create = |name: &str| {
        let path = part.join(name);
        File::create(&path).with_context(|| format!("cannot write {}", path.display()))
    };
    let mut command = Command::new(&now.exe);
    command
        .args(&job.job.args)
        .env("QUELL_ROOT", &now.root)
        .env(PROCESSORS, cpus.to_string())
        .current_dir(&folder);
    // The claim ends when the last who has this file does: a command that outlives us is not begun a second time beside itself.
    command.stdin(claim.lock.try_clone()?).stdout(create(OUT)?).stderr(create(ERR)?);
    let started = Instant::now();
    let status = command.status().with_context(|| format!("cannot run {}", now.exe.display()))?;
    let seconds = started.elapsed().as_secs_f64();
    now.unchanged()?;
    let Some(code @ 0..=1) = status.code() else {
        // 128 and a signal's number is how a shell, and quell itself, tells that it was interrupted.
        let killed = status.signal().is_some() || status.code().is_some_and(|c| c > 128);
        store.fail(key, &Failure { status: status.code().filter(|_| !killed), seconds, host: host() })?;
        let end = if killed { End::Killed } else { End::Failed };
        return Ok(Some(Done { end, found: false, seconds }));
    };
    for name in job.job.inputs.keys() {
        forget(&folder.join(name))?;
    }
    let record = Record {
        key: key.clone(),
        job: job.job.clone(),
        made_of: now.of.clone(),
        status: code,
        seconds,
        around: begin.elapsed().as_secs_f64() - seconds,
        host: host(),
        bytes: 0,
        sha256: String::new(),
        files: Vec::new(),
    };
    store.keep(key, record, claim)?;
    let end = if code == 0 { End::Good } else { End::NotGood };
    Ok(Some(Done { end, found: false, seconds }))
}

fn put(from: &Path, to: &Path) -> Result<()> {
    let copy = || -> std::io::Result<u64> {
        to.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::copy(from, to)
    };
    copy().map(|_| ()).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}
