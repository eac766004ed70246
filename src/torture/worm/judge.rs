//! Runs a network of wormhole routers and judges it by what its user is promised. It takes no decision of the units as truth.

use anyhow::Result;

use super::Case;
use crate::torture::finding::{FaultKind, Finding};
use crate::torture::network::Engine;
use crate::worm::host::{TrafficHosts, Wait};
use crate::worm::port::{Class, Hosts};
use crate::worm::{self, Drained, Job, Run};

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Cycles in which the sources sent, and those until the network was empty.
    pub cycles: u64,
    /// Messages delivered.
    pub messages: u64,
    /// Whether the bound of progress was short enough to be judged.
    pub progress: bool,
    /// Whether shares of equal hosts were judged.
    pub shares: bool,
    /// Streams that were admitted.
    pub opened: u64,
    /// The longest wait, in parts of its bound in 1/1000.
    pub wait: u64,
}

/// Cycles between looks at the hosts.
const STEP: u64 = 64;
/// Bounds above are not judged.
const LONGEST_BOUND: u64 = 60_000;
/// Messages of a host from which on shares are compared.
const MANY: u64 = 50;

/// Cycles in which a host that has messages of a class in its adapter has one of them delivered. `None`: it is promised none.
///
/// A flit of it waits for the credits of its lane, and shares each of its links: its turn comes after at most `weight` flits of each other
/// lane, and as best-effort after LHP flits of real-time; messages of all hosts may stand before it, and injection control holds it for
/// HOLD_MAX. (Chosen: twice that.)
fn bound(case: &Case, job: &Job, class: Class) -> Option<u64> {
    let s = &job.settings;
    let streams = !(case.traffic.onoff.is_empty() && case.traffic.mpeg.is_empty());
    let guard = match (class, streams, s.lhp) {
        (Class::BestEffort, true, 0) => return None,
        (Class::BestEffort, true, n) => u64::from(n) + 1,
        _ => 1,
    };
    let weights = s.weights.iter().flatten().copied();
    let weight = u64::from(weights.chain([s.be_weight, s.rt_weight, 1]).max().unwrap_or(1));
    // With admission weights follow what is booked.
    let weight = if s.admits() && streams { 255.max(weight) } else { weight };
    let others = (s.vls as u64) * if class == Class::Control { 1 } else { weight };
    let credits = (2 * u64::from(s.link_delay) + 6).div_ceil(s.depth as u64);
    let turn = s.lane as u64 * (others + credits);
    let hold = match (class, job.scheme.control, s.hold_max) {
        (Class::BestEffort, 1.., 0) => return None,
        (Class::BestEffort, 1.., n) => u64::from(n),
        _ => 0,
    };
    let hosts = job.net.hosts() as u64;
    let way = 2 * (hosts + 2) * (8 + 2 * u64::from(s.link_delay));
    Some(2 * (hosts * turn * guard + hold + way) + 500)
}

/// Whether the hosts of a star are alike: all but the first one send best-effort to it, and nothing else, as much as its link takes.
fn alike(case: &Case, job: &Job) -> bool {
    let t = &case.traffic;
    let only = t.control.is_empty() && t.onoff.is_empty() && t.mpeg.is_empty();
    let many = t.best_effort.iter().any(|b| {
        b.to != crate::fabric::traffic::To::Uniform
            && b.load.is_some_and(|l| matches!(l, crate::fabric::traffic::Load::Flits(x) if x >= 0.6))
    });
    case.network.starts_with("star") && job.net.hosts() > 2 && job.scheme.control == 0 && only && many
}

struct Judge<'a> {
    case: &'a Case,
    run: Run<TrafficHosts>,
    bounds: [Option<u64>; 3],
    stats: Stats,
}

impl Judge<'_> {
    fn finding(&mut self, kind: FaultKind, text: String) -> Option<Finding> {
        Some(Finding { kind, cycle: self.run.time(), text })
    }

    /// What the hosts have seen so far.
    fn look(&mut self) -> Option<Finding> {
        if let Some(f) = self.run.first().hosts().fault() {
            let (cycle, text) = (f.t, format!("host {}: {}", f.host, f.what));
            return Some(Finding { kind: FaultKind::Packet, cycle, text });
        }
        let waits: Vec<Wait> = self.run.first().hosts().waits().collect();
        for wait in waits {
            let Some(bound) = self.bounds[wait.class as usize].filter(|b| *b <= LONGEST_BOUND) else {
                continue;
            };
            self.stats.wait = self.stats.wait.max(wait.cycles * 1000 / bound);
            if wait.cycles > bound {
                let text = format!(
                    "host {}: no message of class {:?} was delivered for {} cycles, though some are in its adapter or under way; {bound} are promised",
                    wait.host, wait.class, wait.cycles
                );
                return self.finding(FaultKind::Progress, text);
            }
        }
        None
    }

    fn run(&mut self) -> Result<Option<Finding>> {
        while self.run.time() < self.case.cycles {
            let next = (self.run.time() + STEP).min(self.case.cycles);
            if let Some(m) = self.run.run(next)? {
                let text = m.to_string().replace('\n', "; ");
                return Ok(Some(Finding { kind: FaultKind::Mismatch, cycle: m.cycle, text }));
            }
            let found = self.look();
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Hosts that are alike have shares that are.
    fn shares(&mut self) -> Option<Finding> {
        let all: Vec<u64> = self.run.first().hosts().delivered(Class::BestEffort)[1..].to_vec();
        let (least, most) = (all.iter().min().copied()?, all.iter().max().copied()?);
        self.stats.shares = most >= MANY;
        if self.stats.shares && 2 * least < most {
            let text = format!("hosts that are alike had {all:?} messages delivered");
            return self.finding(FaultKind::Progress, text);
        }
        None
    }

    fn rest(&mut self) -> Result<Option<Finding>> {
        let found = match self.run.drain()? {
            Drained::Idle(_) => None,
            Drained::Left(what) => {
                let idle = self.run.first().hosts().idle();
                let kind = if idle { FaultKind::Line } else { FaultKind::Stuck };
                self.finding(kind, what.join("; "))
            }
            Drained::Mismatch(m) => {
                let text = m.to_string().replace('\n', "; ");
                Some(Finding { kind: FaultKind::Mismatch, cycle: m.cycle, text })
            }
        };
        if found.is_some() {
            return Ok(found);
        }
        if let Some(f) = self.run.first().hosts().fault() {
            let (cycle, text) = (f.t, format!("host {}: {}", f.host, f.what));
            return Ok(Some(Finding { kind: FaultKind::Packet, cycle, text }));
        }
        let errors = self.run.faults();
        Ok(if errors.is_empty() { None } else { self.finding(FaultKind::Error, errors.join("; ")) })
    }
}

/// Runs a network; what was broken, if anything.
pub fn judge(case: &Case, engine: Engine) -> Result<(Option<Finding>, Stats)> {
    let job = case.job()?;
    let engines: &[worm::Engine] = match engine {
        Engine::Golden => &[worm::Engine::Golden],
        Engine::Rtl => &[worm::Engine::Rtl],
        Engine::Lockstep => &[worm::Engine::Rtl, worm::Engine::Golden],
    };
    let run = Run::new(&job, engines, &|| case.hosts(&job), None)?;
    let bounds = Class::ALL.map(|class| bound(case, &job, class));
    let progress = bounds.iter().flatten().any(|b| *b <= LONGEST_BOUND.min(case.cycles));
    let mut judge = Judge { case, run, bounds, stats: Stats { progress, ..Stats::default() } };
    let mut found = judge.run()?;
    if found.is_none() && alike(case, &job) {
        found = judge.shares();
    }
    if found.is_none() {
        found = judge.rest()?;
    }
    judge.stats.cycles = judge.run.time();
    let hosts = judge.run.first().hosts();
    judge.stats.messages = Class::ALL.iter().map(|c| hosts.delivered(*c).iter().sum::<u64>()).sum();
    // (A breach has no report.)
    judge.stats.opened = hosts.report().map_or(0, |r| r.streams.opened_streams);
    Ok((found, judge.stats))
}
