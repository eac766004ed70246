//! Many networks on several threads.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use serde::Serialize;

use super::finding::{FaultKind, Finding};
use crate::jobs::side_by_side;

/// What is run.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// First seed.
    pub seed: u64,
    /// Networks, at most.
    pub networks: u64,
    /// And no new one after this time.
    pub time: Option<Duration>,
    /// Threads.
    pub jobs: usize,
    /// Folder for the files of failures.
    pub out: PathBuf,
    /// No new networks after so many failures.
    pub failures: usize,
    /// Longest time for making a failure smaller.
    pub minimise: Duration,
}

/// A family of networks: how one is drawn, judged, made smaller and kept.
pub trait Family: Sync {
    /// A network.
    type Case;
    /// What is counted in a network, and over all of them.
    type Counts: Clone + Default + Send + AddAssign + Serialize;

    /// The network of a seed, if it has one.
    fn draw(&self, seed: u64) -> Option<Self::Case>;
    /// Runs it and counts; what was broken, if anything.
    fn judge(&self, case: &Self::Case) -> Result<(Option<Finding>, Self::Counts)>;
    /// A smaller network that breaks a promise of the same kind, as far as one is found in the time.
    fn smaller(&self, case: Self::Case, finding: Finding, time: Duration) -> (Self::Case, Finding);
    /// Writes a file that can be replayed.
    fn write(&self, case: Self::Case, found: &Finding, file: &Path) -> Result<()>;
}

/// A network that broke a promise.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its seed.
    pub seed: u64,
    /// What was broken, as drawn.
    pub finding: Finding,
    /// The smaller network, and what it breaks.
    pub file: PathBuf,
    /// Kind and text there.
    pub minimised: Finding,
}

/// What was run.
#[derive(Clone, Debug, Default)]
pub struct Tally<C> {
    /// Networks run.
    pub networks: u64,
    /// The first seed that was not run; a further campaign starts with it.
    pub next_seed: u64,
    /// What is counted in this family of networks.
    pub counts: C,
    /// Seconds.
    pub seconds: f64,
    /// Failures, by seed.
    pub failures: Vec<Failure>,
}

impl<C> Tally<C> {
    /// Failures of each kind.
    pub fn kinds(&self) -> BTreeMap<FaultKind, usize> {
        let mut kinds = BTreeMap::new();
        self.failures.iter().for_each(|f| *kinds.entry(f.finding.kind).or_default() += 1);
        kinds
    }
}

/// What is told while networks run.
#[derive(Debug)]
pub enum News<'a, C> {
    /// One more has run; all of them.
    Done(&'a Tally<C>),
    /// The network of a seed runs for so many seconds by now.
    Long {
        /// Its seed.
        seed: u64,
        /// Since when.
        seconds: u64,
    },
}

/// A network is told of when it runs for so long, for twice that, and so on.
const LONG: Duration = Duration::from_secs(60);

/// Networks that run: since when, and when they are told of next.
#[derive(Default)]
struct Running(Mutex<BTreeMap<u64, (Instant, Duration)>>);

impl Running {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, (Instant, Duration)>> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Seeds to be told of now, and the seconds that they run.
    fn long(&self, now: Instant) -> Vec<(u64, u64)> {
        let mut all = Vec::new();
        for (seed, (since, next)) in self.lock().iter_mut() {
            let runs = now.saturating_duration_since(*since);
            if runs >= *next {
                *next = 2 * runs;
                all.push((*seed, runs.as_secs()));
            }
        }
        all
    }
}

/// Where the file of a seed's failure is.
pub fn file_of(out: &Path, seed: u64) -> PathBuf {
    out.join(format!("torture-{seed}.toml"))
}

/// Runs networks; `tell` is told after each how many there were, and of those that run for long.
pub fn campaign<F: Family>(
    family: &F,
    c: &Campaign,
    tell: &(dyn Fn(News<F::Counts>) + Sync),
) -> Result<Tally<F::Counts>> {
    let running = Running::default();
    std::thread::scope(|s| {
        let (end, ended) = channel::<()>();
        let watched = &running;
        s.spawn(move || {
            while ended.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                watched
                    .long(Instant::now())
                    .into_iter()
                    .for_each(|(seed, seconds)| tell(News::Long { seed, seconds }));
            }
        });
        let tally = networks(family, c, &running, tell);
        drop(end);
        tally
    })
}

fn networks<F: Family>(
    family: &F,
    c: &Campaign,
    running: &Running,
    tell: &(dyn Fn(News<F::Counts>) + Sync),
) -> Result<Tally<F::Counts>> {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let tally = Mutex::new(Tally::default());
    let lock = || tally.lock().map_err(|_| anyhow!("a thread has panicked"));
    side_by_side(c.jobs, c.jobs, &|_: &mut Option<()>, _| {
        loop {
            let late = c.time.is_some_and(|t| start.elapsed() >= t);
            if late || lock()?.failures.len() >= c.failures {
                return Ok(());
            }
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= c.networks {
                return Ok(());
            }
            let seed = c.seed.wrapping_add(k);
            let Some(case) = family.draw(seed) else { continue };
            running.lock().insert(seed, (Instant::now(), LONG));
            let (found, counts) = family.judge(&case).map_err(|e| anyhow!("seed {seed}: {e:#}"))?;
            let failure = found.map(|f| fail(family, c, seed, case, f)).transpose()?;
            running.lock().remove(&seed);
            let mut tally = lock()?;
            tally.networks += 1;
            tally.counts += counts;
            tally.seconds = start.elapsed().as_secs_f64();
            tally.failures.extend(failure);
            tally.next_seed = c.seed.wrapping_add(next.load(Ordering::Relaxed).min(c.networks));
            tell(News::Done(&tally));
        }
    })?;
    let mut tally = tally.into_inner().map_err(|_| anyhow!("a thread has panicked"))?;
    tally.failures.sort_by_key(|f| f.seed);
    tally.next_seed = c.seed.wrapping_add(next.load(Ordering::Relaxed).min(c.networks));
    Ok(tally)
}

/// Makes a failure smaller and writes its file.
fn fail<F: Family>(family: &F, c: &Campaign, seed: u64, case: F::Case, finding: Finding) -> Result<Failure> {
    let (small, minimised) = if c.minimise.is_zero() {
        (case, finding.clone())
    } else {
        family.smaller(case, finding.clone(), c.minimise)
    };
    let file = file_of(&c.out, seed);
    family.write(small, &minimised, &file)?;
    Ok(Failure { seed, finding, file, minimised })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_for_long_is_told_of_ever_more_rarely() {
        let (running, start) = (Running::default(), Instant::now());
        running.lock().insert(7, (start, LONG));
        running.lock().insert(8, (start + Duration::from_secs(50), LONG));
        let at = |seconds| running.long(start + Duration::from_secs(seconds));
        assert_eq!(at(59), []);
        assert_eq!(at(61), [(7, 61)]);
        assert_eq!(at(111), [(8, 61)]);
        assert_eq!(at(121), []);
        assert_eq!(at(122), [(7, 122)]);
        running.lock().remove(&8);
        assert_eq!(at(1000), [(7, 1000)]);
    }
}
