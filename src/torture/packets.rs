//! The family of networks of switches and adapters that store packets.

use std::ops::AddAssign;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow};
use serde::Serialize;

use super::campaign::Family;
use super::case::Case;
use super::draw::{Source, draw};
use super::features::Feature;
use super::finding::Finding;
use super::judge::judge;
use super::minimise::minimise;
use super::near::near;
use super::network::Engine;

/// How they are run.
pub struct Packets {
    /// Engine.
    pub engine: Engine,
    /// Cycles of traffic of each network; drawn if not given.
    pub cycles: Option<u64>,
    /// Networks near this one.
    pub near: Option<Case>,
    /// Only networks that have all of these.
    pub with: Vec<&'static Feature>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Counts {
    /// Cycles of all networks.
    pub cycles: u64,
    /// Packets delivered.
    pub packets: u64,
    /// Networks whose bound of progress was short enough to be judged.
    #[serde(rename = "progress_judged")]
    pub progress: u64,
    /// Networks whose throttling was judged at the end.
    #[serde(rename = "throttling_judged")]
    pub throttle: u64,
    /// Networks with reservations.
    pub reservations: u64,
    /// Those of them in which something was dropped.
    #[serde(rename = "networks_with_drops")]
    pub drops: u64,
    /// NACKs that came.
    pub nacks: u64,
    /// Packets that were sent again.
    #[serde(rename = "sent_again")]
    pub again: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, one: Counts) {
        self.cycles += one.cycles;
        self.packets += one.packets;
        self.progress += one.progress;
        self.throttle += one.throttle;
        self.reservations += one.reservations;
        self.drops += one.drops;
        self.nacks += one.nacks;
        self.again += one.again;
    }
}

impl Family for Packets {
    type Case = Case;
    type Counts = Counts;

    fn draw(&self, seed: u64) -> Option<Case> {
        if let Some(base) = &self.near {
            return near(base, seed, self.cycles);
        }
        let source = if self.engine == Engine::Golden { Source::Any } else { Source::Built };
        draw(seed, source, self.cycles).filter(|case| self.with.iter().all(|f| (f.has)(case)))
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

    fn smaller(&self, case: Case, finding: Finding, time: Duration) -> (Case, Finding) {
        let (small, found, _) = minimise(&case, finding, self.engine, time);
        (small, found)
    }

    fn write(&self, mut case: Case, found: &Finding, file: &Path) -> Result<()> {
        case.found = found.to_string();
        case.write(file).map_err(|e| anyhow!(e))
    }
}
