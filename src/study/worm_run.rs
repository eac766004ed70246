//! One run of a network of wormhole routers.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::jobs::Stopwatch;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn run(scheme: &str, seed: u64) -> WormRun {
        WormRun {
            network: "star:3".into(),
            scheme: scheme.into(),
            settings: Settings { conns: 8, warmup: 1000, ..Settings::default() },
            traffic: WormSpec::load("worm-uniform(load=30%)").unwrap(),
            seed,
            cycles: 5000,
        }
    }

    #[test]
    fn a_run_measures_and_depends_on_its_seed() {
        let of = |seed| run("yum-none", seed).simulate().unwrap().report;
        let r = of(1);
        assert_eq!((r.hosts, r.cycles, r.window_cycles), (3, 5000, 4000));
        assert!((r.best_effort.delivered_flits_per_cycle_and_host - 0.3).abs() < 0.1, "{r:?}");
        assert_eq!(of(1), r);
        assert_ne!(of(2), r);
        // 5000 cycles of 80 ns are 400 us.
        assert_eq!(run("credit", 1).weight(), 1201);
    }

    #[test]
    fn what_cannot_run_is_told() {
        let e = run("nothing", 1).simulate().unwrap_err().to_string();
        assert_eq!(e, "there is no scheme nothing");
        let mut small = run("credit", 1);
        small.traffic = WormSpec::load("worm-onoff(load=50%)").unwrap();
        let e = format!("{:#}", small.simulate().unwrap_err());
        assert!(e.contains("a host has 40 streams; legal: up to CONNS = 8"), "{e}");
        assert_eq!(small.title(), "worm-onoff(load=50%) on star:3, credit");
    }
}
