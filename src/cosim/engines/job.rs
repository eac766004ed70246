//! What is to be run, and the engines for it.

use std::fmt;

use anyhow::{Context, Result, bail};

use super::cluster::{Cluster, golden};
use super::fast::Fast;
use super::node::Side;
use super::run::Names;
use crate::config::Config;
use crate::fabric::metrics::{Collector, Setup};
use crate::fabric::net::Network;
use crate::fabric::traffic::{Traffic, TrafficSpec};
use crate::fabric::up::up_ports;

#[cfg(feature = "rtl")]
use super::NodeId;
#[cfg(feature = "rtl")]
use crate::params::Build;

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The fast golden fabric.
    Model,
    /// A cluster of golden units.
    Golden,
    /// A cluster of Verilated models.
    Rtl,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 3] = [Engine::Model, Engine::Golden, Engine::Rtl];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Model => "model",
            Engine::Golden => "golden",
            Engine::Rtl => "rtl",
        }
    }

    /// The names of one engine, or of two side by side.
    pub fn names(of: &[Engine]) -> Names {
        of.iter().map(|e| e.name()).collect()
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A run, whatever the engine.
#[derive(Clone, Debug)]
pub struct Job {
    /// The network.
    pub net: Network,
    /// Scheme and settings.
    pub config: Config,
    /// The traffic.
    pub traffic: TrafficSpec,
    /// Seed of the traffic.
    pub seed: u64,
    /// Threads of a cluster.
    pub threads: usize,
    /// Cycles of a bin of throughput over time.
    pub bin: u64,
}

impl Job {
    /// Checks that the settings are large enough for the network.
    pub fn check(&self) -> Result<()> {
        let (c, hosts) = (&self.config, self.net.hosts.len());
        c.check()?;
        let needs = |n: usize| format!("network {} needs {n}", self.net.name);
        if c.flows < hosts {
            bail!(c.wrong("flows", format!("{}, one for each host", needs(hosts))));
        }
        if c.lft_depth <= hosts {
            bail!(c.wrong("lft_depth", needs(hosts + 1)));
        }
        if c.draws_up()
            && let Err(why) = up_ports(&self.net)
        {
            bail!(c.wrong("up", format!("network {} {why}", self.net.name)));
        }
        if let Some((switch, host)) = self.net.no_way().filter(|_| c.reserves()) {
            let why = format!(
                "what it drops must find back to its source, and switch {} has no way to {}",
                switch.name, host.name
            );
            bail!(c.wrong("scheme", format!("network {}: {why}", self.net.name)));
        }
        // A packet that starts sooner would have nothing to send.
        let fastest = self.net.links.iter().map(|l| l.interval).min().unwrap_or(1);
        if c.rd_interval > fastest {
            let why = format!("network {} has outputs that read a flit in {fastest} cycles", self.net.name);
            bail!(c.wrong("rd_interval", format!("{why}: legal is 1..{fastest}")));
        }
        if c.scheme.detector.looks_for_full_buffers() {
            // A switch sends with credit for an MTU.
            let (n, mtu, cap) = (self.traffic.longest(c.mtu) as u32, c.mtu as u32, c.cap());
            let most = (cap / n * n).min(cap - mtu + n);
            if c.full() >= most {
                let why = format!("a buffer of {cap} flits is full with {most} in packets of {n}");
                bail!(c.wrong("fill_level", format!("{why}: legal is 0..{}", most - 1)));
            }
        }
        Ok(())
    }

    /// The traffic and what is measured of it.
    pub fn traffic(&self) -> Result<(Traffic, Collector)> {
        let traffic = Traffic::new(&self.traffic, &self.net, self.config.mtu, self.seed)?;
        let measured = |t: &Traffic| Setup::of(&self.net, &self.traffic.name, t, self.bin);
        if self.config.reserves() {
            let traffic = traffic.in_messages().context("--traffic")?;
            let collector = Collector::new(measured(&traffic).reserving(&self.net));
            return Ok((traffic, collector));
        }
        let collector = Collector::new(measured(&traffic));
        Ok((traffic, collector))
    }

    /// An engine in its reset state. With `watched` its words can be had in every cycle at little cost.
    pub fn side(&self, engine: Engine, watched: bool) -> Result<Box<dyn Side>> {
        self.check()?;
        let (traffic, collector) = self.traffic()?;
        let (net, c) = (&self.net, &self.config.of_run(self.seed));
        if engine != Engine::Model && c.vls > 64 {
            let why = format!("engine {engine} has at most 64 lanes; remedy: --engine model");
            bail!(c.wrong("vls", why));
        }
        Ok(match engine {
            Engine::Model => Box::new(Fast::new(net, c, traffic, collector)?),
            Engine::Golden => {
                Box::new(Cluster::new(net, c, traffic, collector, self.threads, watched, &golden)?)
            }
            #[cfg(feature = "rtl")]
            Engine::Rtl => {
                let build = |id: NodeId| Build::of(id.unit(), &id.params(net, c));
                crate::verilated::prepare(NodeId::all(net).map(build))?;
                let make = &super::cluster::rtl;
                Box::new(Cluster::new(net, c, traffic, collector, self.threads, watched, make)?)
            }
            #[cfg(not(feature = "rtl"))]
            Engine::Rtl => bail!("this binary is built without RTL; remedy: build with feature rtl"),
        })
    }

    /// One engine, or two of which every word of every node is compared in every cycle.
    pub fn run(&self, engines: &[Engine], wave: Option<&super::Wave>) -> Result<super::Run> {
        let watched = engines.len() > 1;
        let sides = engines.iter().map(|&e| self.side(e, watched)).collect::<Result<Vec<_>>>()?;
        super::Run::new(&self.net, &self.config, Engine::names(engines), sides, wave, self.bin)
    }
}
