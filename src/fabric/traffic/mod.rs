//! What the hosts send: generators of synthetic traffic and trace replay behind one interface that an engine asks for
//! the next packet of a host (`docs/traffic.md`). Nothing is done per cycle.

mod backlog;
mod lengths;
pub mod named;
mod offer;
mod random;
mod read;
mod spec;
mod stream;
#[cfg(test)]
mod tests;
pub mod text;

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};

use crate::fabric::goal::{self, Replay};
use crate::fabric::net::{End, Network, Way};
use backlog::Backlog;
pub use lengths::Lengths;
pub use offer::Offer;
pub use random::Random;
pub use spec::{Arrival, CalcUnit, Group, Hotspots, Pick, Role, TraceSpec, TrafficSpec};
use stream::{Moving, NEVER, Pace, Plan, Stream, Target};
pub use text::{Load, Nodes, Permutation, Size, Term, Time, To};

/// Smallest load that a group may have, in flits per cycle.
const MIN_LOAD: f64 = 1e-6;

/// A flow that has a name of its own: the group with one source and one destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFlow {
    /// Name of the group.
    pub name: String,
    /// Source.
    pub src: u32,
    /// Destination.
    pub dst: u32,
}

/// What one host sends.
#[derive(Debug)]
struct Source {
    streams: Vec<Stream>,
    backlog: Backlog,
    /// The stream whose packet is on offer.
    current: usize,
}

/// The traffic of a network: at most one offer per host and cycle.
#[derive(Debug)]
pub struct Traffic {
    sources: Vec<Source>,
    /// When each host offers next, before `stop` is considered.
    next: Vec<u64>,
    /// Hosts that will offer again.
    active: usize,
    stop: u64,
    refused: u64,
    trace: Option<Replay>,
    roles: Vec<(String, Vec<u32>)>,
    hotspots: Vec<(String, Arc<Moving>)>,
    backlogs: bool,
    whole: bool,
    groups: Vec<(String, Vec<u32>)>,
    flows: Vec<NamedFlow>,
}

/// Resolves names and selections while a traffic is built.
struct Builder<'a> {
    net: &'a Network,
    seed: u64,
    roles: Vec<(String, Vec<u32>)>,
    hotspots: Vec<(String, Arc<Moving>)>,
}

impl Builder<'_> {
    fn hosts(&self) -> u32 {
        self.net.hosts.len() as u32
    }

    fn host(&self, name: &str) -> Result<u32> {
        let found = self.net.hosts.iter().position(|h| h.name == name);
        Ok(found.ok_or_else(|| {
            anyhow!("{name:?} is neither a host of {} nor another selection of nodes", self.net.name)
        })? as u32)
    }

    fn term(&self, term: &Term) -> Result<Vec<u32>> {
        let n = self.hosts();
        Ok(match term {
            Term::All => (0..n).collect(),
            Term::Range(a, b) if *b < n => (*a..=*b).collect(),
            Term::Range(_, b) => bail!("node {b}; {} has nodes 0 to {}", self.net.name, n - 1),
            Term::Mod(m, r) => (0..n).filter(|s| s % m == *r).collect(),
            Term::Host(name) => vec![self.host(name)?],
            Term::Rest => (0..n).filter(|s| !self.roles.iter().any(|(_, l)| l.contains(s))).collect(),
            Term::Role(name) => match self.roles.iter().find(|(r, _)| r == name) {
                Some((_, list)) => list.clone(),
                None => bail!("there is no role {name:?}"),
            },
        })
    }

    /// The nodes of a selection, in ascending order; at least one.
    fn nodes(&self, nodes: &Nodes) -> Result<Vec<u32>> {
        nodes.list(|term| self.term(term))
    }

    fn role(&self, role: &Role) -> Result<Vec<u32>> {
        if self.roles.iter().any(|(name, _)| *name == role.name) {
            bail!("the name is used twice");
        }
        let count = match (role.share, role.count) {
            (Some(share), None) if (0.0..=1.0).contains(&share) => {
                (share * f64::from(self.hosts())).round() as usize
            }
            (Some(share), None) => bail!("share = {share}; legal: 0 to 1"),
            (None, Some(count)) => count,
            _ => bail!("exactly one of share and count is needed"),
        };
        let mut among = self.nodes(&role.among)?;
        among.retain(|s| !self.roles.iter().any(|(_, l)| l.contains(s)));
        let mut list = self.pick(role.pick, &role.name, &among, count)?;
        list.sort_unstable();
        Ok(list)
    }

    fn pick(&self, pick: Pick, name: &str, among: &[u32], count: usize) -> Result<Vec<u32>> {
        if count > among.len() {
            bail!("{count} nodes wanted of {}", among.len());
        }
        Ok(match pick {
            Pick::Random => Random::new(&[self.seed, Random::key(name)]).sample(among, count),
            Pick::Spread => (0..count).map(|i| among[(2 * i + 1) * among.len() / (2 * count)]).collect(),
        })
    }

    fn spots(&self, h: &Hotspots) -> Result<Moving> {
        if self.hotspots.iter().any(|(name, _)| *name == h.name) {
            bail!("the name is used twice");
        }
        if h.count == 0 {
            bail!("count = 0; legal: at least 1");
        }
        let among = self.nodes(&h.among)?;
        let (among, lifetime) = match h.lifetime {
            None => (self.pick(h.pick, &h.name, &among, h.count)?, NEVER),
            Some(_) if h.pick == Pick::Spread => bail!("lifetime needs pick = \"random\""),
            Some(t) => match t.cycles(self.net.cycle_ps) {
                0 => bail!("lifetime = {t}; legal: at least one cycle"),
                cycles if h.count <= among.len() => (among, cycles),
                _ => bail!("{} nodes wanted of {}", h.count, among.len()),
            },
        };
        Ok(Moving { seed: self.seed, name: Random::key(&h.name), among, count: h.count, lifetime })
    }

    /// The target of the `index`-th source of a group; None if it would send to itself and so sends nothing.
    fn target(&self, to: &To, index: usize, src: u32) -> Result<Option<Target>> {
        let n = self.hosts();
        let fixed = |dst: u32| match dst == src {
            true => Err(anyhow!("node {src} would send to itself")),
            false => Ok(Some(Target::Fixed(dst))),
        };
        match to {
            To::Node(term) => fixed(self.term(term)?[0]),
            To::Uniform if n < 2 => bail!("to = \"uniform\" needs two nodes"),
            To::Uniform => Ok(Some(Target::Others(n))),
            To::UniformOver(nodes) => {
                let list = self.nodes(nodes)?;
                let skip = list.iter().position(|&d| d == src).map(|k| k as u32);
                if skip.is_some() && list.len() == 1 {
                    bail!("node {src} would send to itself");
                }
                Ok(Some(Target::Among { list: list.into(), skip }))
            }
            To::Hotspots(name) => {
                let Some((_, spots)) = self.hotspots.iter().find(|(h, _)| h == name) else {
                    bail!("there is no list of hotspots {name:?}");
                };
                if spots.lifetime == NEVER {
                    // A list that stays is kept as it was picked.
                    return match stream::spot_of(&spots.among, index, src) {
                        Some(dst) => fixed(dst),
                        None => bail!("node {src} is its own and only hotspot"),
                    };
                }
                Ok(Some(Target::Moving { spots: spots.clone(), index, until: 0, dst: None }))
            }
            To::Permutation(p) => Ok(Some(p.of(src, n)?).filter(|&d| d != src).map(Target::Fixed)),
            To::Quarters if !n.is_multiple_of(4) => {
                bail!("to = \"quarters\": {n} nodes; a multiple of 4 is needed")
            }
            To::Quarters => fixed(((src / 4) % 4) * (n / 4)),
        }
    }
}

/// When a group starts and stops: `start` and `stop` from cycle 0, or from when the sources before it, `earlier`, have
/// generated `after` packets.
fn times(group: &Group, cycle_ps: u64, earlier: &[Pace]) -> Result<(u64, u64)> {
    let from = match group.after {
        None => 0,
        Some(n) => stream::generated(earlier, n).map_err(|sum| {
            anyhow!("after = {n}; legal: 0 to {sum}, what the groups before it generate in 2^48 cycles")
        })?,
    };
    let at = |t: Time| from.saturating_add(t.cycles(cycle_ps));
    Ok((at(group.start), group.stop.map_or(NEVER, at)))
}

/// So many packets a source of a group sends.
fn packets(group: &Group, lengths: Lengths, mtu: u64) -> Result<u64> {
    match (group.packets, group.messages, lengths.fixed()) {
        (Some(_), Some(_), _) => bail!("one of packets and messages is enough"),
        (Some(0), ..) | (_, Some(0), _) => Ok(0),
        (None, Some(n), Some(flits)) => Ok(n.saturating_mul(flits.div_ceil(mtu))),
        (_, Some(n), None) => bail!("messages = {n}; legal where all messages have one length"),
        (packets, None, _) => Ok(packets.unwrap_or(NEVER)),
    }
}

/// Flits per cycle of the link of each host; of a way `end` says which of its ends is meant.
pub fn link_rates(net: &Network, end: impl Fn(&Way) -> End) -> Vec<f64> {
    let mut rates = vec![1.0; net.hosts.len()];
    for way in net.ways() {
        if let End::Host(h) = end(&way)
            && let Some(rate) = rates.get_mut(h)
        {
            *rate = 1.0 / f64::from(net.links[way.link].interval.max(1));
        }
    }
    rates
}

/// Flits per cycle that each host can inject: the rate of its link, or its own limit if that is lower.
fn host_rates(net: &Network) -> Result<Vec<f64>> {
    let mut rates = link_rates(net, |way| way.from);
    for (rate, host) in rates.iter_mut().zip(&net.hosts) {
        *rate = rate.min(f64::from(host.inject.0) / 65536.0);
        if *rate < MIN_LOAD {
            bail!("host {} can inject {rate} flits per cycle; legal: at least {MIN_LOAD}", host.name);
        }
    }
    Ok(rates)
}

impl Traffic {
    /// The traffic of a network, at time 0. `mtu` is the largest packet in flits.
    pub fn new(spec: &TrafficSpec, net: &Network, mtu: usize, seed: u64) -> Result<Traffic> {
        if !(1..=64).contains(&mtu) {
            bail!("MTU = {mtu} flits; legal: 1 to 64");
        }
        let hosts = net.hosts.len();
        if hosts == 0 {
            bail!("network {} has no hosts", net.name);
        }
        let mut b = Builder { net, seed, roles: Vec::new(), hotspots: Vec::new() };
        for role in &spec.roles {
            let list = b.role(role).with_context(|| format!("role {:?}", role.name))?;
            b.roles.push((role.name.clone(), list));
        }
        for h in &spec.hotspots {
            let spots = b.spots(h).with_context(|| format!("hotspots {:?}", h.name))?;
            b.hotspots.push((h.name.clone(), Arc::new(spots)));
        }
        let rates = host_rates(net)?;
        let mut sources: Vec<Source> = (0..hosts)
            .map(|_| Source { streams: Vec::new(), backlog: Backlog::default(), current: 0 })
            .collect();
        let (mut groups, mut flows) = (Vec::new(), Vec::new());
        let mut paces: Vec<Pace> = Vec::new();
        for (g, group) in spec.groups.iter().enumerate() {
            let place = || format!("group {:?}", group.name);
            let list = b.nodes(&group.sources).with_context(place)?;
            let lengths = group.message.unwrap_or(Lengths::Fixed(Size::Flits(mtu as u32)));
            if group.whole && !group.backlog {
                return Err(anyhow!("whole = true; needs backlog = true: messages wait at their hosts"))
                    .with_context(place);
            }
            let (first, stop) = times(group, net.cycle_ps, &paces).with_context(place)?;
            let step = group.step.cycles(net.cycle_ps);
            if stop <= first {
                return Err(anyhow!("stop is not after start")).with_context(place);
            }
            let packets = packets(group, lengths, mtu as u64).with_context(place)?;
            if packets == 0 {
                let name = if group.packets.is_some() { "packets" } else { "messages" };
                return Err(anyhow!("{name} = 0; legal: at least 1")).with_context(place);
            }
            for (index, &src) in list.iter().enumerate() {
                let rate = rates[src as usize];
                let load = match group.load {
                    Load::Flits(x) => x,
                    Load::Gbps(x) => x / net.full_rate_gbps(),
                    Load::Percent(p) => p / 100.0 * rate,
                };
                if !(MIN_LOAD..=1.0 + 1e-9).contains(&load) {
                    bail!("group {:?}: load {load} flits per cycle; legal: {MIN_LOAD} to 1", group.name);
                }
                let Some(target) = b.target(&group.to, index, src).with_context(place)? else { continue };
                if let (Target::Fixed(dst), 1) = (&target, list.len()) {
                    flows.push(NamedFlow { name: group.name.clone(), src, dst: *dst });
                }
                let random = Random::new(&[seed, u64::from(src), g as u64]);
                let (arrival, mtu, host) = (group.arrival, mtu as u64, src);
                let start = first.saturating_add(step.saturating_mul(index as u64));
                if stop <= start {
                    let error = anyhow!("step = {}: source {index} would start after stop", group.step);
                    return Err(error).with_context(place);
                }
                let (whole, backlog) = (group.whole, group.backlog);
                let plan = Plan {
                    host,
                    target,
                    arrival,
                    load,
                    lengths,
                    whole,
                    mtu,
                    start,
                    stop,
                    packets,
                    backlog,
                    random,
                };
                paces.push(plan.pace());
                sources[src as usize].streams.push(Stream::new(plan));
            }
            groups.push((group.name.clone(), list));
        }
        let trace = match &spec.trace {
            None => None,
            Some(trace) => {
                let replay = replay(trace, &b, &rates, mtu).context("trace")?;
                if let Some(h) = (0..hosts).find(|&h| replay.has_rank(h) && !sources[h].streams.is_empty()) {
                    bail!(
                        "node {h} has a rank of the trace and is a source of a group; it can be one of them"
                    );
                }
                Some(replay)
            }
        };
        let mut t = Traffic {
            sources,
            next: vec![NEVER; hosts],
            active: 0,
            stop: NEVER,
            refused: 0,
            trace,
            roles: b.roles,
            hotspots: b.hotspots,
            backlogs: spec.groups.iter().any(|g| g.backlog),
            whole: !spec.groups.is_empty() && spec.groups.iter().all(|g| g.whole),
            groups,
            flows,
        };
        (0..hosts).for_each(|h| t.settle(h, 0));
        Ok(t)
    }

    /// The same for hosts that post whole messages: each offer is one, when its first packet would be.
    pub fn in_messages(mut self) -> Result<Traffic> {
        if self.trace.is_some() {
            bail!("the packets of a trace are posted one by one; its scheme wants messages");
        }
        for source in &mut self.sources {
            source.backlog.messages = true;
            source.streams.iter_mut().for_each(|s| s.messages = true);
        }
        self.whole = true;
        Ok(self)
    }

    /// Chooses what a host offers next, not before `floor`.
    fn settle(&mut self, host: usize, floor: u64) {
        let source = &mut self.sources[host];
        let mut next = NEVER;
        for (i, s) in source.streams.iter().enumerate() {
            if s.due < next {
                (next, source.current) = (s.due, i);
            }
        }
        if let Some(trace) = &self.trace {
            next = next.min(trace.next_offer(host));
        }
        if source.backlog.next().is_some() {
            next = floor;
        }
        let next = if next == NEVER { NEVER } else { next.max(floor) };
        let before = self.next[host] < self.stop;
        self.next[host] = next;
        self.active = self.active + usize::from(next < self.stop) - usize::from(before);
    }

    /// Cycle in which `host` offers its next packet; None if it never will, unless a delivery changes that. Stays the
    /// same until `take`, `refuse`, `room`, `delivered` or `stop`.
    pub fn next_offer(&self, host: usize) -> Option<u64> {
        Some(self.next[host]).filter(|&t| t < self.stop)
    }

    /// What `host` offers; only when [`Traffic::next_offer`] is Some.
    pub fn offer(&self, host: usize) -> Offer {
        match &self.trace {
            Some(trace) if trace.has_rank(host) => trace.offer(host),
            _ => {
                let source = &self.sources[host];
                if let Some((dst, w)) = source.backlog.next() {
                    return w.to(dst);
                }
                let s = &source.streams[source.current];
                // None overtakes those that wait.
                source.backlog.head(s.dst).filter(|_| s.backlog).unwrap_or_else(|| s.waiting()).to(s.dst)
            }
        }
    }

    /// The adapter took the packet in cycle `now`.
    pub fn take(&mut self, host: usize, now: u64) {
        match &mut self.trace {
            Some(trace) if trace.has_rank(host) => {
                trace.take(host, now);
                self.settle_trace(now + 1);
            }
            _ => {
                let Source { streams, backlog, current } = &mut self.sources[host];
                let s = &mut streams[*current];
                match backlog.next() {
                    Some((dst, _)) => backlog.pop(dst),
                    None => {
                        if s.backlog && backlog.head(s.dst).is_some() {
                            backlog.pop(s.dst);
                            backlog.push(s.dst, s.waiting());
                        }
                        s.taken();
                    }
                }
                self.settle(host, now + 1);
            }
        }
    }

    /// The adapter has no room for the packet in cycle `now`: a synthetic packet is dropped and counted, or waits for
    /// [`Traffic::room`], a packet of a trace is offered again from the next cycle on.
    pub fn refuse(&mut self, host: usize, now: u64) {
        match &mut self.trace {
            Some(trace) if trace.has_rank(host) => self.settle(host, now + 1),
            _ => {
                let Source { streams, backlog, current } = &mut self.sources[host];
                let s = &mut streams[*current];
                if let Some((dst, _)) = backlog.next() {
                    backlog.refused(dst);
                } else if s.backlog {
                    backlog.push(s.dst, s.waiting());
                    s.taken();
                } else {
                    self.refused += u64::from(s.waiting().pkts);
                    s.advance();
                }
                self.settle(host, now + 1);
            }
        }
    }

    /// From cycle `now` on the adapter of `host` has room for a packet to `dst`; whether one waits for that.
    pub fn room(&mut self, host: usize, dst: u32, now: u64) -> bool {
        let waits = self.sources[host].backlog.room(dst);
        if waits {
            self.settle(host, now);
        }
        waits
    }

    /// Destinations whose packets wait at `host` for room.
    pub fn blocked(&self, host: usize) -> Vec<u32> {
        self.sources[host].backlog.blocked().collect()
    }

    /// Packets that wait at the hosts.
    pub fn waiting(&self) -> u64 {
        self.sources.iter().map(|s| s.backlog.packets()).sum()
    }

    /// `dst` has taken the last flit of a packet of `len` flits from `src` in cycle `now`.
    pub fn delivered(&mut self, src: usize, dst: usize, len: u8, now: u64) {
        if let Some(trace) = &mut self.trace
            && trace.has_rank(src)
            && trace.has_rank(dst)
        {
            trace.delivered(src, dst, len, now);
            self.settle_trace(now + 1);
        }
    }

    /// Settles the hosts that a trace has moved on.
    fn settle_trace(&mut self, floor: u64) {
        while let Some(host) = self.trace.as_mut().and_then(Replay::changed) {
            self.settle(host, floor);
        }
    }

    /// No offers at or after cycle `at`.
    pub fn stop(&mut self, at: u64) {
        self.stop = at;
        self.active = self.next.iter().filter(|&&t| t < at).count();
    }

    /// Whether no host will ever offer again (packets under way may then still be on the network).
    pub fn finished(&self) -> bool {
        let ended = || self.waiting() == 0 && self.trace.as_ref().is_none_or(|t| t.finish().is_some());
        self.active == 0 && (self.stop != NEVER || ended())
    }

    /// Synthetic packets that were refused.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// The cycle in which the last operation of the trace ended; None while one is left, or without a trace.
    pub fn trace_finish(&self) -> Option<u64> {
        self.trace.as_ref().and_then(Replay::finish)
    }

    /// Operations of the trace that have ended, and all of them.
    pub fn trace_progress(&self) -> Option<(usize, usize)> {
        self.trace.as_ref().map(Replay::progress)
    }

    /// The nodes of each role.
    pub fn roles(&self) -> &[(String, Vec<u32>)] {
        &self.roles
    }

    /// The hotspots of a list in cycle `at`.
    pub fn hotspots(&self, name: &str, at: u64) -> Option<Vec<u32>> {
        let (_, spots) = self.hotspots.iter().find(|(n, _)| n == name)?;
        Some(if spots.lifetime == NEVER { spots.among.clone() } else { spots.at(at / spots.lifetime) })
    }

    /// The lists of hotspots that stay the whole time.
    pub fn standing_hotspots(&self) -> impl Iterator<Item = (&str, &[u32])> {
        let stay = self.hotspots.iter().filter(|(_, s)| s.lifetime == NEVER);
        stay.map(|(name, s)| (name.as_str(), s.among.as_slice()))
    }

    /// Packets of some group wait for room.
    pub fn backlogs(&self) -> bool {
        self.backlogs
    }

    /// All packets of each message are generated at once.
    pub fn whole(&self) -> bool {
        self.whole
    }

    /// The sources of each group.
    pub fn groups(&self) -> &[(String, Vec<u32>)] {
        &self.groups
    }

    /// The flows that have a name: groups with one source and one destination.
    pub fn flows(&self) -> &[NamedFlow] {
        &self.flows
    }
}

/// The replay of a trace.
fn replay(spec: &TraceSpec, b: &Builder, rates: &[f64], mtu: usize) -> Result<Replay> {
    let nodes = b.nodes(&spec.nodes)?;
    let text = match (&spec.file, &spec.program, &spec.text) {
        (Some(file), None, None) => {
            std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?
        }
        (None, Some(program), None) => goal::programs::text(program, nodes.len())?,
        (None, None, Some(text)) => text.clone(),
        _ => bail!("exactly one of file, program and text is needed"),
    };
    let place = || spec.file.as_ref().map_or("GOAL text".to_string(), |f| f.display().to_string());
    let trace = goal::parse(&text).with_context(place)?;
    let schedule = goal::check(&trace).with_context(place)?;
    let ranks = trace.ranks.len();
    if ranks > nodes.len() {
        bail!("{ranks} ranks on {} nodes (selection \"{}\")", nodes.len(), spec.nodes);
    }
    let ps = match spec.calc {
        CalcUnit::Ns => Some(b.net.cycle_ps),
        CalcUnit::Cycles => None,
    };
    Ok(Replay::new(&trace, &schedule, &nodes[..ranks], rates, mtu, ps))
}
