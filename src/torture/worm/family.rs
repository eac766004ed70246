//! The family of networks of wormhole routers.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::{Case, Source, Stats, draw, judge, minimise};
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

impl Family for Worms {
    type Case = Case;
    type Counts = Stats;

    fn draw(&self, seed: u64) -> Option<Case> {
        let source = if self.engine == Engine::Golden { Source::Any } else { Source::Few };
        draw(seed, source, self.cycles)
    }

    fn judge(&self, case: &Case) -> Result<(Option<Finding>, Stats)> {
        judge(case, self.engine)
    }

    fn smaller(&self, case: Case, finding: Finding, time: Duration) -> (Case, Finding) {
        minimise(&case, finding, self.engine, time)
    }

    fn write(&self, mut case: Case, found: &Finding, file: &Path) -> Result<()> {
        case.found = found.to_string();
        case.write(file)
    }
}
