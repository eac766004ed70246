//! What the hosts of a wormhole network send (`docs/worm-traffic.md`): messages of no stream, and streams. The same seed creates
//! the same messages, whatever becomes of them.

mod frames;
pub mod named;
mod onoff;
mod part;
mod read;
mod scattered;
pub mod spec;
mod stream;
mod target;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail};

use crate::fabric::traffic::{Load, Nodes, Pick, Random, Term, Time, To};
use crate::worm::port::Class;
use frames::{FLIT_BYTES, Frames, Sizes};
use onoff::OnOffSource;
pub use part::Part;
pub use scattered::{NEVER, Poisson, Scattered};
pub use spec::WormSpec;
use spec::{Ask, BestEffort, Control, Mpeg, OnOff};
use stream::Source;
pub use stream::Stream;
use target::Target;

/// Duration of a cycle if nothing else is said, ps: a flit of 128 bits at 1.6 Gbit/s.
pub const CYCLE_PS: u64 = 80_000;

/// Parts of a link in which bandwidth is counted.
const PARTS: f64 = 4096.0;

/// What one host sends.
#[derive(Clone, Debug, Default)]
pub struct HostTraffic {
    /// Messages of no stream.
    pub scattered: Vec<Poisson>,
    /// Its streams; a stream's place here is the number of its connection.
    pub streams: Vec<Stream>,
}

/// The traffic of a network.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Name, for reports.
    pub name: String,
    /// Duration of a cycle, ps.
    pub cycle_ps: u64,
    /// Flits of its longest messages.
    pub longest: u8,
    /// What each host sends.
    pub hosts: Vec<HostTraffic>,
}

/// What a traffic is made for.
struct Builder {
    hosts: u32,
    cycle_ps: u64,
    seed: u64,
    /// What shares are of, in flits per cycle.
    load: Option<f64>,
}

/// How much the streams of a source offer.
#[derive(Clone, Copy)]
struct Amount {
    load: Option<Load>,
    share: Option<f64>,
    streams: Option<u32>,
}

impl Builder {
    fn term(&self, term: &Term) -> Result<Vec<u32>> {
        let n = self.hosts;
        Ok(match term {
            Term::All => (0..n).collect(),
            Term::Range(a, b) if *b < n => (*a..=*b).collect(),
            Term::Range(_, b) => bail!("node {b}; legal: 0 to {}", n - 1),
            Term::Mod(m, r) => (0..n).filter(|s| s % m == *r).collect(),
            other => bail!("\"{other}\" is no selection of nodes here; legal: all, N, A-B, mod M = R"),
        })
    }

    /// The nodes of a selection, in ascending order; at least one.
    fn nodes(&self, nodes: &Nodes) -> Result<Vec<u32>> {
        nodes.list(|term| self.term(term))
    }

    /// Destinations of a source; None if a permutation has it send to itself, which it does not.
    fn target(&self, to: &To, src: u32) -> Result<Option<Target>> {
        let fixed = |dst: u32| match dst == src {
            true => bail!("node {src} would send to itself"),
            false => Ok(Some(Target::Fixed(dst))),
        };
        match to {
            To::Node(term) => fixed(self.term(term)?[0]),
            To::Uniform if self.hosts < 2 => bail!("to = \"uniform\" needs two nodes"),
            To::Uniform => Ok(Some(Target::Others(self.hosts, src))),
            To::UniformOver(nodes) => {
                let mut list = self.nodes(nodes)?;
                list.retain(|&d| d != src);
                if list.is_empty() {
                    bail!("node {src} would send to itself");
                }
                Ok(Some(Target::Among(list.into())))
            }
            To::Permutation(p) => Ok(Some(p.of(src, self.hosts)?).filter(|&d| d != src).map(Target::Fixed)),
            other => {
                bail!(
                    "to = \"{other}\"; legal: a node, \"uniform\", \"uniform over NODES\", \"permutation P\""
                )
            }
        }
    }

    /// A load in flits per cycle of the link.
    fn flits(&self, load: Load) -> Result<f64> {
        let flits = match load {
            Load::Flits(x) => x,
            Load::Percent(p) => p / 100.0,
            Load::Gbps(g) => g * self.cycle_ps as f64 / (FLIT_BYTES * 8000.0),
        };
        if !(flits > 0.0 && flits <= 1.0) {
            bail!("load = {load}; legal: above 0, at most 1 flit per cycle");
        }
        Ok(flits)
    }

    /// What a source of a group offers in flits per cycle, from exactly one of its load and its share.
    fn offered(&self, load: Option<Load>, share: Option<f64>) -> Result<f64> {
        match (load, share, self.load) {
            (Some(load), None, _) => self.flits(load),
            (None, Some(share), Some(all)) if share > 0.0 && share <= 100.0 => Ok(all * share / 100.0),
            (None, Some(_), None) => bail!("share is of the load of the traffic, which is not given"),
            (None, Some(share), _) => bail!("share = {share}; legal: above 0, at most 100 (per cent)"),
            _ => bail!("exactly one of load and share is needed"),
        }
    }

    /// Streams of a source, of which each offers `mean` flits per cycle.
    fn streams(&self, amount: Amount, mean: f64) -> Result<u32> {
        let Amount { load, share, streams } = amount;
        let n = match streams {
            None => (self.offered(load, share)? / mean).round() as u32,
            Some(n) if load.is_none() && share.is_none() => n,
            Some(_) => bail!("exactly one of load, share and streams is needed"),
        };
        match n {
            1..=1024 => Ok(n),
            _ => bail!("{n} streams of {mean:.4} flits per cycle each at a node; legal: 1 to 1024"),
        }
    }

    fn message(flits: u32) -> Result<u8> {
        match flits {
            1..=64 => Ok(flits as u8),
            _ => bail!("message = {flits}; legal: 1 to 64 (flits)"),
        }
    }

    fn time(&self, name: &str, time: Time) -> Result<u64> {
        match time.cycles(self.cycle_ps) {
            cycles @ 1..=0xffff_ffff => Ok(cycles),
            _ => bail!("{name} = {time}; legal: 1 to {} cycles", u32::MAX),
        }
    }

    /// First cycle, and the first one that is too late.
    fn between(&self, start: Time, stop: Option<Time>) -> Result<(u64, u64)> {
        let (from, to) = (start.cycles(self.cycle_ps), stop.map_or(NEVER, |t| t.cycles(self.cycle_ps)));
        if from >= to || from >= 1 << 48 {
            bail!("start = {start}; legal: before stop, and before cycle 2^48");
        }
        Ok((from, to))
    }

    /// What a stream asks for.
    fn parts(ask: Ask, mean: f64, peak: f64) -> Result<u16> {
        let up = |rate: f64| (rate * PARTS - 1e-9).ceil().clamp(1.0, PARTS) as u16;
        match ask {
            Ask::Mean => Ok(up(mean)),
            Ask::Peak => Ok(up(peak)),
            Ask::Parts(parts @ 1..=4096) => Ok(parts),
            Ask::Parts(parts) => bail!("ask = {parts}; legal: 1 to 4096"),
        }
    }

    fn random(&self, name: &str, src: u32, index: usize) -> Random {
        Random::new(&[self.seed, Random::key(name), u64::from(src), index as u64])
    }

    fn poisson(&self, to: &Group, hosts: &mut [HostTraffic], class: Class, gap: f64) -> Result<()> {
        let (at, stop) = self.between(to.start, to.stop)?;
        let len = Self::message(to.message)?;
        for src in self.nodes(to.sources)? {
            let Some(target) = self.target(to.to, src)? else { continue };
            let random = self.random(to.name, src, 0);
            let p = Poisson { class, target, len, gap, at: at as f64, stop, random };
            hosts[src as usize].scattered.push(p.begin());
        }
        Ok(())
    }

    fn best_effort(&self, g: &BestEffort, hosts: &mut [HostTraffic]) -> Result<()> {
        let gap = f64::from(g.message) / self.offered(g.load, g.share)?;
        let to = Group {
            name: &g.name,
            sources: &g.sources,
            to: &g.to,
            message: g.message,
            start: g.start,
            stop: g.stop,
        };
        self.poisson(&to, hosts, Class::BestEffort, gap)
    }

    fn control(&self, g: &Control, hosts: &mut [HostTraffic]) -> Result<()> {
        let every = self.time("every", g.every)? as f64;
        let load = g.messages * f64::from(g.message) / every;
        if !(g.messages > 0.0 && load <= 1.0) {
            bail!("messages = {}; legal: above 0, at most a link's in the time of `every`", g.messages);
        }
        let to = Group {
            name: &g.name,
            sources: &g.sources,
            to: &g.to,
            message: g.message,
            start: g.start,
            stop: g.stop,
        };
        self.poisson(&to, hosts, Class::Control, every / g.messages)
    }

    /// `n` streams of each source.
    fn add(
        &self,
        all: &Streams,
        hosts: &mut [HostTraffic],
        source: impl Fn(u64, Random) -> Source,
    ) -> Result<()> {
        let (from, stop) = self.between(all.start, all.stop)?;
        for src in self.nodes(all.sources)? {
            let Some(target) = self.target(all.to, src)? else { continue };
            for i in 0..all.n as usize {
                let mut random = self.random(all.name, src, i);
                let dst = match all.pick {
                    Pick::Random => target.draw(&mut random),
                    Pick::Spread => target.turn(i, &mut random),
                };
                let start = from + u64::from(random.below(all.within as u32));
                let source = source(start, random);
                let (bw, deadline, frames) = (all.bw, all.deadline, matches!(source, Source::Frames(_)));
                let s = Stream { dst, bw, start, stop, deadline, frames, source, ahead: None };
                hosts[src as usize].streams.push(s.begin());
            }
        }
        Ok(())
    }

    fn onoff(&self, g: &OnOff, hosts: &mut [HostTraffic]) -> Result<()> {
        let rate = self.flits(g.rate).context("rate")?;
        let on = self.time("on", g.on)? as f64;
        let off = g.off.cycles(self.cycle_ps) as f64;
        let mean = rate * on / (on + off);
        let len = Self::message(g.message)?;
        let within = match g.within {
            Some(t) => self.time("within", t)?,
            None => (on + off) as u64,
        };
        let all = Streams {
            name: &g.name,
            sources: &g.sources,
            to: &g.to,
            pick: g.pick,
            n: self.streams(Amount { load: g.load, share: g.share, streams: g.streams }, mean)?,
            bw: Self::parts(g.ask, mean, rate)?,
            deadline: self.time("deadline", g.deadline)?,
            start: g.start,
            within,
            stop: g.stop,
        };
        let spacing = f64::from(len) / rate;
        let source = |start, random| Source::OnOff(OnOffSource::new(len, (on, off), spacing, start, random));
        self.add(&all, hosts, source)
    }

    fn mpeg(&self, g: &Mpeg, hosts: &mut [HostTraffic]) -> Result<()> {
        let frame = self.time("frame", g.frame)?;
        let sizes = match (&g.sizes, g.mbps) {
            (Some(_), Some(_)) => bail!("one of mbps and sizes is enough"),
            (Some(path), None) => Sizes::file(path)?,
            (None, mbps) => {
                let mbps = mbps.unwrap_or(4.0);
                let rate = mbps * self.cycle_ps as f64 / (FLIT_BYTES * 8e6);
                if !(rate > 0.0 && rate <= 1.0) {
                    bail!(
                        "mbps = {mbps}; legal: above 0, at most the link's {} Mbit/s",
                        128e6 / self.cycle_ps as f64
                    );
                }
                Sizes::pattern(&g.gop, g.ratio, rate * frame as f64, g.sigma)?
            }
        };
        let mean = sizes.mean() / frame as f64;
        let len = Self::message(g.message)?;
        let all = Streams {
            name: &g.name,
            sources: &g.sources,
            to: &g.to,
            pick: g.pick,
            n: self.streams(Amount { load: g.load, share: g.share, streams: g.streams }, mean)?,
            bw: Self::parts(g.ask, mean, sizes.largest() / frame as f64)?,
            deadline: frame,
            start: g.start,
            within: g.within.map_or(Ok(frame), |t| self.time("within", t))?,
            stop: g.stop,
        };
        let source = |start, random| Source::Frames(Frames::new(sizes.clone(), len, frame, start, random));
        self.add(&all, hosts, source)
    }
}

/// A group of sources of messages of no stream.
struct Group<'a> {
    name: &'a str,
    sources: &'a Nodes,
    to: &'a To,
    message: u32,
    start: Time,
    stop: Option<Time>,
}

/// A group of streams.
struct Streams<'a> {
    name: &'a str,
    sources: &'a Nodes,
    to: &'a To,
    pick: Pick,
    /// Of each source.
    n: u32,
    bw: u16,
    deadline: u64,
    start: Time,
    within: u64,
    stop: Option<Time>,
}

impl Traffic {
    /// The traffic of a network of so many hosts, at time 0.
    pub fn new(spec: &WormSpec, hosts: usize, cycle_ps: u64, seed: u64) -> Result<Traffic> {
        if !(1..=0xbfff).contains(&hosts) {
            bail!("{hosts} hosts; legal: 1 to {}", 0xbfff);
        }
        if !(1..=1_000_000_000).contains(&cycle_ps) {
            bail!("a cycle of {cycle_ps} ps; legal: 1 to 1000000000");
        }
        let mut b = Builder { hosts: hosts as u32, cycle_ps, seed, load: None };
        if let Some(load) = spec.load {
            b.load = Some(b.flits(load)?);
        }
        let mut names = std::collections::BTreeSet::new();
        let mut list = vec![HostTraffic::default(); hosts];
        let mut group = |kind: &str, name: &str, made: Result<()>| {
            made.with_context(|| format!("{kind} {name:?}"))?;
            match names.insert(name.to_string()) {
                true => Ok(()),
                false => bail!("{kind} {name:?}: the name is used twice"),
            }
        };
        for g in &spec.best_effort {
            group("best-effort", &g.name, b.best_effort(g, &mut list))?;
        }
        for g in &spec.control {
            group("control", &g.name, b.control(g, &mut list))?;
        }
        for g in &spec.onoff {
            group("onoff", &g.name, b.onoff(g, &mut list))?;
        }
        for g in &spec.mpeg {
            group("mpeg", &g.name, b.mpeg(g, &mut list))?;
        }
        let lengths =
            spec.best_effort.iter().map(|g| g.message).chain(spec.control.iter().map(|g| g.message));
        let lengths =
            lengths.chain(spec.onoff.iter().map(|g| g.message)).chain(spec.mpeg.iter().map(|g| g.message));
        let longest = lengths.max().map_or(Ok(1), Builder::message)?;
        Ok(Traffic { name: spec.name.clone(), cycle_ps, longest, hosts: list })
    }

    /// Most streams of a host: connections that its adapter needs.
    pub fn most_streams(&self) -> usize {
        self.hosts.iter().map(|h| h.streams.len()).max().unwrap_or(0)
    }
}
