//! The family of networks of wormhole routers.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::{Case, Source, draw, judge, minimise};
use crate::torture::campaign::Family;
use crate::torture::finding::Finding;
use crate::torture::network::Engine;

/// How they are run.
#[derive(Clone, Copy, Debug)]
pub struct Worms {
    /// Engine.
    pub engine: Engine,
    /// Cycles of traffic of each network; drawn if not given.
    pub cycles: Option<u64>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Cycles of all networks.
    pub cycles: u64,
    /// Messages delivered.
    pub messages: u64,
    /// Streams that were admitted.
    pub opened: u64,
    /// Networks in which a bound of progress was short enough to be judged.
    pub progress: u64,
    /// Networks in which shares of hosts that are alike were judged.
    pub shares: u64,
    /// The longest wait of all, in 1/1000 of its bound.
    pub wait: u64,
}

impl Family for Worms {
    type Case = Case;
    type Counts = Counts;

    fn draw(&self, seed: u64) -> Option<Case> {
        let source = if self.engine == Engine::Golden { Source::Any } else { Source::Few };
        draw(seed, source, self.cycles)
    }

    fn judge(&self, case: &Case) -> Result<(Option<Finding>, Counts)> {
        let (found, s) = judge(case, self.engine)?;
        let (progress, shares) = (s.progress.into(), s.shares.into());
        let counts = Counts {
            cycles: s.cycles,
            messages: s.messages,
            opened: s.opened,
            progress,
            shares,
            wait: s.wait,
        };
        Ok((found, counts))
    }

    fn add(&self, all: &mut Counts, one: Counts) {
        all.cycles += one.cycles;
        all.messages += one.messages;
        all.opened += one.opened;
        all.progress += one.progress;
        all.shares += one.shares;
        all.wait = all.wait.max(one.wait);
    }

    fn smaller(&self, case: Case, finding: Finding, time: Duration) -> (Case, Finding) {
        minimise(&case, finding, self.engine, time)
    }

    fn write(&self, mut case: Case, found: &Finding, file: &Path) -> Result<()> {
        case.found = found.to_string();
        case.write(file)
    }
}
