//! The family of networks of switches and adapters that store packets.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::campaign::Family;
use super::case::Case;
use super::draw::{Source, draw};
use super::finding::Finding;
use super::judge::judge;
use super::minimise::minimise;
use super::network::Engine;

/// How they are run.
#[derive(Clone, Copy, Debug)]
pub struct Packets {
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
}

impl Family for Packets {
    type Case = Case;
    type Counts = Counts;

    fn draw(&self, seed: u64) -> Option<Case> {
        let source = if self.engine == Engine::Golden { Source::Any } else { Source::Built };
        draw(seed, source, self.cycles)
    }

    fn judge(&self, case: &Case) -> Result<(Option<Finding>, Counts)> {
        let (found, stats) = judge(case, self.engine).map_err(|e| anyhow!(e))?;
        let counts = Counts {
            cycles: stats.cycles,
            packets: stats.packets,
            progress: stats.progress.into(),
            throttle: stats.throttle.into(),
            reservations: case.reserves().into(),
            drops: (stats.nacks > 0).into(),
            nacks: stats.nacks,
            again: stats.again,
        };
        Ok((found, counts))
    }

    fn add(&self, all: &mut Counts, one: Counts) {
        all.cycles += one.cycles;
        all.packets += one.packets;
        all.progress += one.progress;
        all.throttle += one.throttle;
        all.reservations += one.reservations;
        all.drops += one.drops;
        all.nacks += one.nacks;
        all.again += one.again;
    }

    fn smaller(&self, case: Case, finding: Finding, time: Duration) -> (Case, Finding) {
        let (small, found, _) = minimise(&case, finding, self.engine, time);
        (small, found)
    }

    fn write(&self, mut case: Case, found: &Finding, file: &Path) -> Result<()> {
        case.found = found.to_string();
        case.write(file).map_err(|e| anyhow!(e))
    }
}
