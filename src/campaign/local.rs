//! Jobs on the processors of this machine.

use std::sync::{Condvar, Mutex};

use anyhow::{Context, Result};

use super::job::Keyed;
use super::made_of::Now;
use super::store::Store;
use super::work::{Done, End, work};
use crate::jobs::side_by_side;

/// So often a job that is killed is begun in one campaign.
pub const TRIES: u32 = 3;

/// Called when a job has come to an end.
pub type Told<'a> = &'a (dyn Fn(&Keyed, &Done) + Sync);

/// Processors that are free.
struct Free {
    number: Mutex<usize>,
    more: Condvar,
}

impl Free {
    fn take(&self, n: usize) {
        let free = self.number.lock().unwrap_or_else(|e| e.into_inner());
        let mut free = self.more.wait_while(free, |free| *free < n).unwrap_or_else(|e| e.into_inner());
        *free -= n;
    }

    fn give(&self, n: usize) {
        *self.number.lock().unwrap_or_else(|e| e.into_inner()) += n;
        self.more.notify_all();
    }
}

/// Does jobs on so many processors.
pub fn run(store: &Store, now: &Now, jobs: &[Keyed], processors: usize, told: Told) -> Result<()> {
    let free = Free { number: Mutex::new(processors), more: Condvar::new() };
    let elsewhere = Mutex::new(Vec::new());
    let one = |job: &Keyed, wait: bool| -> Result<()> {
        let cpus = job.job.cpus.map_or(processors, |n| processors.min(n as usize));
        free.take(cpus);
        let done = tried(store, now, job, cpus, wait);
        free.give(cpus);
        match done? {
            Some(done) => told(job, &done),
            None => elsewhere.lock().unwrap_or_else(|e| e.into_inner()).push(job.clone()),
        }
        Ok(())
    };
    side_by_side(jobs.len(), processors, &|_: &mut Option<()>, i| one(&jobs[i], false))?;
    // What another campaign does is waited for; should it be killed, the job is ours.
    let rest = std::mem::take(&mut *elsewhere.lock().unwrap_or_else(|e| e.into_inner()));
    side_by_side(rest.len(), processors, &|_: &mut Option<()>, i| one(&rest[i], true))
}

/// Does a job, and again when it is killed.
pub(super) fn tried(store: &Store, now: &Now, job: &Keyed, cpus: usize, wait: bool) -> Result<Option<Done>> {
    let once = || work(store, now, job, cpus, wait).with_context(|| job.job.command());
    let mut done = once()?;
    for _ in 1..TRIES {
        if done.is_none_or(|d| d.end != End::Killed) {
            break;
        }
        done = once()?;
    }
    Ok(done)
}
