//! One run of a network of wormhole routers.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::processor::Stopwatch;
use crate::worm::metrics::Report;
use crate::worm::traffic::WormSpec;
use crate::worm::{Engine, Job, Net, Run, Settings, catalogue};

/// Cycles between looks for breaches.
const STEP: u64 = 20_000;

/// All that decides the outcome of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WormRun {
    /// A network: `mesh:XxY`, `star:N`.
    pub network: String,
    /// A scheme of the catalogue.
    pub scheme: String,
    /// Its settings.
    pub settings: Settings,
    /// Who sends what.
    pub traffic: WormSpec,
    /// Seed of the traffic and of the draws.
    pub seed: u64,
    /// Cycles, with the warm-up.
    pub cycles: u64,
}

/// What a run has measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WormOutcome {
    /// The measurements.
    pub report: Report,
    /// Processor time of the run, seconds.
    pub seconds: f64,
}

impl WormRun {
    /// What and where, for messages.
    pub fn title(&self) -> String {
        format!("{} on {}, {}", self.traffic.name, self.network, self.scheme)
    }

    /// Cycles in microseconds, times hosts: a guess at how long it takes.
    pub fn weight(&self) -> u64 {
        let hosts = Net::by_name(&self.network).map_or(1, |net| net.hosts() as u64);
        self.cycles * self.settings.cycle_ps() / 1_000_000 * hosts + 1
    }

    /// Runs it on golden units. A breach of what the network promises is an error.
    pub fn simulate(&self) -> Result<WormOutcome> {
        let watch = Stopwatch::start();
        let net = Net::by_name(&self.network)?;
        self.settings.check(net.hosts())?;
        let scheme =
            catalogue::find(&self.scheme).with_context(|| format!("there is no scheme {}", self.scheme))?;
        let job = Job { net, scheme, settings: self.settings.clone(), seed: self.seed, threads: 1 };
        let mut run = Run::new(&job, &[Engine::Golden], &|| job.hosts(&self.traffic, false), None)?;
        while run.time() < self.cycles {
            run.run((run.time() + STEP).min(self.cycles))?;
            if let Some(fault) = run.first().hosts().fault() {
                return Err(fault.clone().into());
            }
        }
        let report = run.first().hosts().report()?;
        if let Some(fault) = run.faults().first() {
            bail!("{fault}");
        }
        run.finish()?;
        Ok(WormOutcome { report, seconds: watch.seconds() })
    }
}
