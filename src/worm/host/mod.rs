//! The hosts of a wormhole network (`docs/worm-traffic.md`): they create a traffic's messages, post them, open and close streams,
//! and check and measure what is delivered.

mod connection;
mod ledger;
mod one;
mod shared;
mod tags;
#[cfg(test)]
mod tests;
mod words;

use anyhow::{Result, bail};

use crate::fabric::traffic::Random;
use crate::worm::metrics::{Collector, Report};
use crate::worm::port::{Class, Hosts, Offer, Shown};
use crate::worm::traffic::Traffic;
use crate::worm::traffic::spec::FRAME;
pub use ledger::Fault;
use ledger::Ledger;
use one::Host;
use shared::{Got, Shared};

/// What hosts keep to, and what their adapters are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Lanes of a link (VLS).
    pub vls: usize,
    /// Connections of an adapter (CONNS).
    pub conns: usize,
    /// Flits of an adapter's lane (LANE).
    pub lane: usize,
    /// Cycles at the beginning that are not measured.
    pub warmup: u64,
    /// A stream that was not admitted asks again so many cycles later, and up to 4095 more.
    pub retry: u64,
    /// A refused real-time post is tried again so many cycles later.
    pub rtry: u64,
    /// Streams close when the sources are stopped.
    pub close: bool,
    /// Of the random part of `retry`.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { vls: 16, conns: 256, lane: 40, warmup: 0, retry: FRAME, rtry: 1000, close: false, seed: 0 }
    }
}

impl Settings {
    fn check(&self) -> Result<()> {
        let legal = [
            ("VLS", self.vls as u64, 3, 16),
            ("CONNS", self.conns as u64, 2, 1024),
            ("LANE", self.lane as u64, 2, 64),
            ("warm-up", self.warmup, 0, 1 << 48),
            ("RETRY", self.retry, 1, u64::from(u32::MAX)),
            ("RTRY", self.rtry, 1, u64::from(u16::MAX)),
        ];
        for (name, value, least, most) in legal {
            if !(least..=most).contains(&value) {
                bail!("{name} = {value}; legal: {least} to {most}");
            }
        }
        Ok(())
    }
}

/// For how long a host has waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The host.
    pub host: usize,
    /// Class of the messages.
    pub class: Class,
    /// Cycles.
    pub cycles: u64,
    /// Messages of the host that have their turn in it: those before it in its adapter, and itself.
    pub turns: u64,
}

/// The hosts of a network.
#[derive(Debug)]
pub struct TrafficHosts {
    traffic: String,
    cycle_ps: u64,
    close: bool,
    hosts: Vec<Host>,
    all: Shared,
    /// The cycle after the last one.
    now: u64,
    /// From when on all links are up.
    healed: u64,
}

impl TrafficHosts {
    /// Hosts before their first cycle.
    pub fn new(traffic: Traffic, settings: &Settings) -> Result<TrafficHosts> {
        settings.check()?;
        let most = traffic.most_streams();
        if most > settings.conns {
            bail!("a host has {most} streams; legal: up to CONNS = {}", settings.conns);
        }
        if usize::from(traffic.longest) > settings.lane {
            bail!("messages of {} flits; legal: up to LANE = {}", traffic.longest, settings.lane);
        }
        let n = traffic.hosts.len();
        let mut streams = 0;
        let host = |(number, sends): (usize, crate::worm::traffic::HostTraffic)| {
            let first = streams;
            streams += sends.streams.len();
            Host::new(
                number,
                sends,
                first,
                Random::new(&[settings.seed, Random::key("retry"), number as u64]),
            )
        };
        let hosts: Vec<Host> = traffic.hosts.into_iter().enumerate().map(host).collect();
        let all = Shared {
            ledger: Ledger::new(n, settings.vls),
            meter: Collector::new(settings.warmup, streams),
            got: vec![[Got::default(); 3]; n],
            retry: settings.retry,
            rtry: settings.rtry,
            fault: None,
        };
        Ok(TrafficHosts {
            traffic: traffic.name,
            cycle_ps: traffic.cycle_ps,
            close: settings.close,
            hosts,
            all,
            now: 0,
            healed: 0,
        })
    }

    /// The first breach of what the network promises.
    pub fn fault(&self) -> Option<&Fault> {
        self.all.fault.as_ref()
    }

    /// Links fall now that are on the way from one host to another, as `over` says, and are up again in cycle `healed`: what is under way there
    /// may not come, or not whole.
    pub fn links_fall(&mut self, healed: u64, over: &dyn Fn(usize, usize) -> bool) {
        self.healed = self.healed.max(healed);
        self.all.ledger.may_be_lost(over);
    }

    /// Messages that have not come, of those that need not.
    pub fn lost(&self) -> usize {
        self.all.ledger.lost()
    }

    /// How long hosts have waited for what has to come: for a message of a class, since one was delivered or the oldest was posted; and for each
    /// message, since it was posted. Links that have fallen have to be up meanwhile.
    pub fn waits(&self) -> impl Iterator<Item = Wait> {
        (0..self.hosts.len()).flat_map(move |host| {
            let mut first = [true; 3];
            self.all.ledger.under_way(host).filter(|sent| !sent.unsure).flat_map(move |sent| {
                let class = sent.class;
                let wait = |since: u64, turns| {
                    let cycles = self.now.saturating_sub(since.max(self.healed));
                    Wait { host, class, cycles, turns }
                };
                let last = sent.posted.max(self.all.got[host][class as usize].last);
                let of_class = std::mem::take(&mut first[class as usize]).then(|| wait(last, 1));
                [of_class, Some(wait(sent.posted, sent.ahead + 1))].into_iter().flatten()
            })
        })
    }

    /// Messages of a class that were delivered, by source.
    pub fn delivered(&self, class: Class) -> Vec<u64> {
        self.all.got.iter().map(|got| got[class as usize].messages).collect()
    }

    /// The measurements so far; a breach is an error.
    pub fn report(&self) -> Result<Report> {
        match self.fault() {
            Some(fault) => Err(fault.clone().into()),
            None => Ok(self.all.meter.report(&self.traffic, self.hosts.len(), self.cycle_ps, self.now)),
        }
    }
}

impl Hosts for TrafficHosts {
    fn cycle(&mut self, t: u64, host: usize, shown: &Shown) -> Offer {
        self.now = t + 1;
        self.hosts[host].cycle(t, shown, &mut self.all)
    }

    fn idle(&self) -> bool {
        self.all.ledger.is_empty() && self.hosts.iter().all(Host::is_idle)
    }

    fn stop(&mut self) {
        self.all.meter.stop(self.now);
        for host in &mut self.hosts {
            host.stop(self.now, self.close);
        }
    }
}
