//! Many networks on several threads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use super::case::Case;
use super::draw::{Source, draw};
use super::finding::{FaultKind, Finding};
use super::judge::judge;
use super::minimise::minimise;
use super::network::Engine;
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
    /// Cycles of traffic of each network; drawn if not given.
    pub cycles: Option<u64>,
    /// Engine.
    pub engine: Engine,
    /// Folder for the files of failures.
    pub out: PathBuf,
    /// No new networks after so many failures.
    pub failures: usize,
    /// Longest time for making a failure smaller.
    pub minimise: Duration,
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
pub struct Tally {
    /// Networks run.
    pub networks: u64,
    /// The first seed that was not run; a further campaign starts with it.
    pub next_seed: u64,
    /// Cycles of all networks.
    pub cycles: u64,
    /// Packets delivered.
    pub packets: u64,
    /// Networks whose bound of progress was short enough to be judged.
    pub progress: u64,
    /// Networks whose throttling was judged at the end.
    pub throttle: u64,
    /// Networks with reservations.
    pub reservations: u64,
    /// Those of them in which something was dropped.
    pub drops: u64,
    /// NACKs that came.
    pub nacks: u64,
    /// Packets that were sent again.
    pub again: u64,
    /// Seconds.
    pub seconds: f64,
    /// Failures, by seed.
    pub failures: Vec<Failure>,
}

impl Tally {
    /// Failures of each kind.
    pub fn kinds(&self) -> BTreeMap<FaultKind, usize> {
        let mut kinds = BTreeMap::new();
        self.failures.iter().for_each(|f| *kinds.entry(f.finding.kind).or_default() += 1);
        kinds
    }
}

/// Where the file of a seed's failure is.
pub fn file_of(out: &Path, seed: u64) -> PathBuf {
    out.join(format!("torture-{seed}.toml"))
}

/// Runs networks; `done` is told after each how many there were.
pub fn campaign(c: &Campaign, done: &(dyn Fn(&Tally) + Sync)) -> Result<Tally> {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let tally = Mutex::new(Tally::default());
    let source = if c.engine == Engine::Golden { Source::Any } else { Source::Built };
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
            let Some(case) = draw(seed, source, c.cycles) else { continue };
            let (found, stats) = judge(&case, c.engine).map_err(|e| anyhow!("seed {seed}: {e}"))?;
            let reserves = case.reserves();
            let failure = found.map(|f| fail(c, case, f)).transpose()?;
            let mut tally = lock()?;
            tally.networks += 1;
            tally.cycles += stats.cycles;
            tally.packets += stats.packets;
            tally.progress += u64::from(stats.progress);
            tally.throttle += u64::from(stats.throttle);
            tally.reservations += u64::from(reserves);
            tally.drops += u64::from(stats.nacks > 0);
            tally.nacks += stats.nacks;
            tally.again += stats.again;
            tally.seconds = start.elapsed().as_secs_f64();
            tally.failures.extend(failure);
            tally.next_seed = c.seed.wrapping_add(next.load(Ordering::Relaxed).min(c.networks));
            done(&tally);
        }
    })?;
    let mut tally = tally.into_inner().map_err(|_| anyhow!("a thread has panicked"))?;
    tally.failures.sort_by_key(|f| f.seed);
    tally.next_seed = c.seed.wrapping_add(next.load(Ordering::Relaxed).min(c.networks));
    Ok(tally)
}

/// Makes a failure smaller and writes its file.
fn fail(c: &Campaign, case: Case, finding: Finding) -> Result<Failure> {
    let seed = case.seed;
    let (mut small, minimised) = if c.minimise.is_zero() {
        (case, finding.clone())
    } else {
        let (small, f, _) = minimise(&case, finding.clone(), c.engine, c.minimise);
        (small, f)
    };
    small.found = minimised.to_string();
    let file = file_of(&c.out, seed);
    small.write(&file).map_err(|e| anyhow!(e))?;
    Ok(Failure { seed, finding, file, minimised })
}
