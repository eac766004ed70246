//! What is run: network, scheme, settings, traffic; and by what.

use anyhow::{Context, Result, bail};

use super::catalogue::Scheme;
use super::host::{self, TrafficHosts};
use super::net::{Net, NodeId};
use super::settings::Settings;
use super::traffic::{Traffic, WormSpec};

/// What engines have in common: the network, and what is written into it.
#[derive(Clone)]
pub struct Job {
    /// The network.
    pub net: Net,
    /// The scheme.
    pub scheme: Scheme,
    /// Its settings, checked for the network.
    pub settings: Settings,
    /// Seed of the draws.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

/// What carries out a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Golden units.
    Golden,
    /// Verilated models.
    Rtl,
}

impl Engine {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Golden => "golden",
            Engine::Rtl => "rtl",
        }
    }
}

impl Job {
    /// All nodes, by number.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.net.nodes(self.scheme)
    }

    /// Hosts that send a traffic. With `close` their streams end when the sources are stopped.
    pub fn hosts(&self, traffic: &WormSpec, close: bool) -> Result<TrafficHosts> {
        let s = &self.settings;
        let (be, data) = (s.be_mask(), (1 << (s.vls - 2)) - 1);
        if !traffic.best_effort.is_empty() && be == 0 {
            bail!("--set be_mask = 0: the traffic has best-effort messages, and no lane for them");
        }
        if !(traffic.onoff.is_empty() && traffic.mpeg.is_empty()) && be == data {
            bail!("--set be_mask = {be}: the traffic has streams, and no lane for them: all are best-effort");
        }
        let traffic =
            Traffic::new(traffic, self.net.hosts(), s.cycle_ps(), self.seed).context("--traffic")?;
        let settings = host::Settings {
            vls: s.vls,
            conns: s.conns,
            lane: s.lane,
            warmup: s.warmup,
            retry: s.retry,
            rtry: s.rtry,
            close,
            seed: self.seed,
        };
        TrafficHosts::new(traffic, &settings).context("--traffic")
    }
}
