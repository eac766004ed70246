//! What happens to a network while it runs, as a file has it: registers that are written, links that are unplugged, routers that are reset.

use anyhow::{Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::params::UnitKind;
use crate::registers::{REGISTERS, Register};
use crate::worm::traffic::WormSpec;
use crate::worm::{ALL_PORTS, Act, Deed, Job, NodeId, Write};

/// A register written while messages flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewrite {
    /// When.
    pub cycle: u64,
    /// A router, a host (its adapter), or `HOST.control`.
    pub node: String,
    /// Register; of a router at all its ports.
    pub register: String,
    /// The value.
    pub value: u32,
}

/// A link that is unplugged, and plugged in again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fall {
    /// First cycle.
    pub cycle: u64,
    /// A host, or the port of a router: `ROUTER.PORT`.
    pub link: String,
    /// Cycles for which it is down.
    pub cycles: u64,
}

/// A router that is reset. Its links come up when it is configured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reset {
    /// First cycle.
    pub cycle: u64,
    /// The router.
    pub router: String,
    /// Cycles until its links come up when it is configured.
    pub late: u64,
}

/// What a file says of it.
pub(super) struct Told<'a> {
    /// Cycles in which the sources send.
    pub(super) cycles: u64,
    pub(super) rewrite: &'a [Rewrite],
    pub(super) fall: &'a [Fall],
    pub(super) reset: &'a [Reset],
    pub(super) traffic: &'a WormSpec,
}

/// The end of a link: a node and its port.
pub(super) type End = (NodeId, usize);

/// Links that are down for a while.
pub(super) struct Outage {
    /// First cycle.
    pub(super) from: u64,
    /// First one in which they are up again.
    pub(super) end: u64,
    /// Both ends of each.
    pub(super) links: Vec<[End; 2]>,
    /// A router that is reset meanwhile, and configured again.
    anew: Option<Anew>,
}

/// A router after its reset.
struct Anew {
    router: usize,
    /// Cycles after which it has swept its tables, and what is written then.
    swept: u64,
    writes: Vec<Write>,
}

impl Anew {
    fn of(job: &Job, router: usize) -> Anew {
        let id = NodeId::Router(router);
        let (unit, params) = job.net.unit(id, &job.settings);
        let writes = job.net.writes(id, &job.settings, job.scheme, job.seed);
        Anew { router, swept: params.init_cycles(unit) as u64, writes }
    }

    /// Cycles after which it has been configured.
    fn configured(&self) -> u64 {
        self.swept + self.writes.len() as u64 + SHORTEST
    }
}

/// Shortest fall: flits on their way to the pins.
pub(super) const SHORTEST: u64 = 3;
/// Longest.
pub(super) const LONGEST: u64 = 100_000;

/// Registers that may be written at any time. (BE_MASK of adapters may not while streams are open, CTRL not while messages are posted, and
/// GATHER has to be that of the side-band.)
pub(super) fn may_be_written(unit: UnitKind, job: &Job) -> impl Iterator<Item = &'static Register> {
    let any: &[&str] = match unit {
        UnitKind::WormRouter => &["LHP"],
        UnitKind::WormAdapter => &["M", "C_B", "LHP", "BE_WEIGHT", "PROBE_GAP"],
        _ => &["HOLD_MAX", "UP", "DOWN", "T"],
    };
    let admits = job.settings.admits() && unit != UnitKind::InjectionControl;
    let booked = move |name: &str| admits && matches!(name, "LIMIT" | "WSHIFT");
    let weight = move |name: &str| unit == UnitKind::WormRouter && name.starts_with("WEIGHT_");
    REGISTERS
        .iter()
        .filter(move |r| r.unit == unit && (any.contains(&r.name) || booked(r.name) || weight(r.name)))
}

fn unit(id: NodeId) -> UnitKind {
    match id {
        NodeId::Router(_) => UnitKind::WormRouter,
        NodeId::Host(_) => UnitKind::WormAdapter,
        NodeId::Control(_) => UnitKind::InjectionControl,
    }
}

impl Rewrite {
    fn deed(&self, job: &Job) -> Result<Deed> {
        let named = job.net.named(&self.node, job.scheme);
        let id = named.ok_or_else(|| anyhow!("node {:?}: the network has none of this name", self.node))?;
        let legal: Vec<&Register> = may_be_written(unit(id), job).collect();
        let Some(r) = legal.iter().find(|r| r.name == self.register) else {
            let names: Vec<&str> =
                legal.iter().map(|r| r.name).filter(|n| !n.starts_with("WEIGHT_")).collect();
            bail!(
                "register {:?}: legal here is {}, of a router WEIGHT_INv and WEIGHT_OUTv",
                self.register,
                names.join(", ")
            );
        };
        let most = r.most(0);
        if self.value > most {
            bail!("{} = {}: legal is 0..{most}", r.name, self.value);
        }
        let port = if matches!(id, NodeId::Router(_)) { ALL_PORTS } else { 0 };
        let write = Write::register(unit(id), port, r.name, self.value);
        Ok(Deed { cycle: self.cycle, act: Act::Write(id, write) })
    }
}

impl Fall {
    fn outage(&self, job: &Job) -> Result<Outage> {
        let (name, port) = match self.link.rsplit_once('.').map(|(name, port)| (name, port.parse())) {
            Some((name, Ok(port))) => (name, port),
            _ => (&self.link[..], 0),
        };
        let node = job.net.named(name, job.scheme).filter(|id| !matches!(id, NodeId::Control(_)));
        let link = node.and_then(|node| link(job, node, port));
        let Some(link) = link else {
            bail!("link {:?}: legal is a host, or ROUTER.PORT of a port with a link", self.link);
        };
        if !(SHORTEST..=LONGEST).contains(&self.cycles) {
            bail!("cycles = {}: legal is {SHORTEST}..{LONGEST}", self.cycles);
        }
        let end = self.cycle.saturating_add(self.cycles);
        Ok(Outage { from: self.cycle, end, links: vec![link], anew: None })
    }
}

impl Reset {
    fn outage(&self, job: &Job) -> Result<Outage> {
        let Some(NodeId::Router(r)) = job.net.named(&self.router, job.scheme) else {
            bail!("router {:?}: the network has none of this name", self.router);
        };
        if self.late > LONGEST {
            bail!("late = {}: legal is 0..{LONGEST}", self.late);
        }
        let links = (0..job.net.ports(r)).filter_map(|port| link(job, NodeId::Router(r), port)).collect();
        let anew = Anew::of(job, r);
        let end = self.cycle.saturating_add(anew.configured() + self.late);
        Ok(Outage { from: self.cycle, end, links, anew: Some(anew) })
    }
}

/// The link at a port: its ends, always in the same order.
fn link(job: &Job, node: NodeId, port: usize) -> Option<[End; 2]> {
    let mut ends = [(node, port), job.net.peer(node, port)?];
    ends.sort_by_key(|(node, port)| (job.net.number(*node), *port));
    Some(ends)
}

impl Outage {
    /// Whether messages from one host to another go over one of its links, in either direction.
    pub(super) fn is_on_the_way(&self, job: &Job, from: usize, to: usize) -> bool {
        let is_end = |end: End| self.links.iter().flatten().any(|e| *e == end);
        let host = |h| is_end((NodeId::Host(h), 0));
        let enters = |(router, port)| is_end((NodeId::Router(router), port));
        host(from) || host(to) || job.net.way(NodeId::Host(from), to).into_iter().any(enters)
    }

    fn deeds(&self) -> Vec<Deed> {
        let mut all = Vec::new();
        let mut act = |cycle, act| all.push(Deed { cycle, act });
        if let Some(Anew { router, swept, writes }) = &self.anew {
            act(self.from, Act::Reset(*router));
            for (cycle, write) in (self.from + swept..).zip(writes) {
                act(cycle, Act::Write(NodeId::Router(*router), *write));
            }
        }
        for &ends in &self.links {
            act(self.from, Act::Link { ends, up: false });
            act(self.end, Act::Link { ends, up: true });
        }
        all
    }
}

/// Times in which links are down, of a file.
fn outages(told: &Told, job: &Job) -> Result<Vec<Outage>> {
    let falls = told.fall.iter().enumerate().map(|(i, f)| (format!("fall {i}"), f.outage(job)));
    let resets = told.reset.iter().enumerate().map(|(i, r)| (format!("reset {i}"), r.outage(job)));
    let mut all: Vec<Outage> = Vec::new();
    for (name, outage) in falls.chain(resets) {
        let one = outage.map_err(|e| anyhow!("{name}: {e}"))?;
        if one.end > told.cycles {
            bail!(
                "{name}: its links are up from cycle {} on: legal is 0..{}, while messages are sent",
                one.end,
                told.cycles
            );
        }
        // (A link that falls in the cycle in which it comes up does not come up.)
        let both = |other: &Outage| one.links.iter().any(|l| other.links.contains(l));
        if all.iter().any(|other| one.from <= other.end && other.from <= one.end && both(other)) {
            bail!("{name}: a link of it is down at that time");
        }
        // (Its registers are written anew.)
        let of =
            |w: &Rewrite| one.anew.as_ref().is_some_and(|a| job.net.name(NodeId::Router(a.router)) == w.node);
        if told.rewrite.iter().any(|w| of(w) && (one.from..one.end).contains(&w.cycle)) {
            bail!("{name}: legal is without a rewrite of the router meanwhile");
        }
        all.push(one);
    }
    Ok(all)
}

/// What happens, of a file, and when links are down meanwhile. Errors name what is not legal.
pub(super) fn disturbances(told: &Told, job: &Job) -> Result<(Vec<Deed>, Vec<Outage>)> {
    let mut all = Vec::new();
    for (i, w) in told.rewrite.iter().enumerate() {
        let deed = w.deed(job).map_err(|e| anyhow!("rewrite {i}: {e}"))?;
        if w.cycle > told.cycles {
            bail!("rewrite {i}: cycle = {}: legal is 0..{}", w.cycle, told.cycles);
        }
        all.push(deed);
    }
    let outages = outages(told, job)?;
    if !outages.is_empty() {
        check_traffic(told.traffic, job)?;
    }
    all.extend(outages.iter().flat_map(|o| o.deeds()));
    Ok((all, outages))
}

/// Of traffic over links that fall one can say what came.
fn check_traffic(t: &WormSpec, job: &Job) -> Result<()> {
    if job.settings.admits() && !(t.onoff.is_empty() && t.mpeg.is_empty()) {
        bail!(
            "fall, reset: legal is without streams, or with admission = off (what is booked is lost with a link)"
        );
    }
    let scattered = t.best_effort.iter().map(|g| g.message).chain(t.control.iter().map(|g| g.message));
    if scattered.chain(t.onoff.iter().map(|g| g.message)).any(|flits| flits < 2) {
        bail!(
            "fall: legal is with messages of 2 flits or more (of those of one flit nobody can say which are lost)"
        );
    }
    Ok(())
}
