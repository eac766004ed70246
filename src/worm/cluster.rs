//! A network of routers and adapters, clocked: golden units or Verilated models, joined by links.
//!
//! All are Moore units, and a link takes a cycle at least: a cycle is one pass that moves what ports send to links, and links to ports, and
//! lets the hosts look; then one edge of every node, in which nodes are independent of each other and run in several threads.

use anyhow::{Result, bail};

use super::control::{Control, Controls};
use super::deeds::{Act, Deed, Deeds};
use super::device::{Adapter, GoldenAdapter, GoldenRouter, Router};
use super::job::{Engine, Job};
use super::net::{NodeId, Write};
use super::port::{Class, Cqe, Done, Event, EventKind, Hosts, Offer, Shown};
use crate::cosim::engines::{Device, Fired, Pool, View, Watched, golden};
use crate::model::worm::wires::{
    Access, AdapterPins, AdapterShows, MOST, Opening, Posting, RouterPins, Sending,
};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;

/// A port's place among the ends of links: of its own end, and of the one at the other side. 0 is no link.
#[derive(Clone, Copy, Default)]
struct Ends {
    own: usize,
    peer: usize,
}

/// A router in its place.
struct RouterNode {
    device: Box<dyn Router>,
    pins: RouterPins,
    sends: [Sending; MOST],
    ends: Vec<Ends>,
    writes: Vec<Write>,
    error: Option<String>,
}

impl RouterNode {
    /// What is written in a cycle, if anything.
    fn write(&mut self, write: Option<Write>) {
        self.pins.access = register(write);
        self.pins.entry = match write {
            Some(Write::Entry(entry)) => Some(entry),
            _ => None,
        };
    }
}

/// An adapter in its place.
struct AdapterNode {
    device: Box<dyn Adapter>,
    pins: AdapterPins,
    sends: Sending,
    shows: AdapterShows,
    ends: Ends,
    writes: Vec<Write>,
    error: Option<String>,
}

/// The nodes of a thread: parts one after the other have routers and hosts in order.
#[derive(Default)]
struct Part {
    routers: Vec<RouterNode>,
    adapters: Vec<AdapterNode>,
    failed: bool,
}

/// The edge of every node of a part.
fn edge(part: &mut Part) {
    for n in &mut part.routers {
        n.error = n.device.advance(&n.pins, &mut n.sends).err();
        part.failed |= n.error.is_some();
    }
    for n in &mut part.adapters {
        n.error = n.device.advance(&n.pins, &mut n.sends, &mut n.shows).err();
        part.failed |= n.error.is_some();
    }
}

/// What is on the links.
struct Links {
    /// What each end has sent: a row for a cycle, the last `delay + 1` of them.
    sent: Vec<Sending>,
    ends: usize,
    rows: u64,
    /// Flits that each end has sent.
    carried: Vec<u64>,
}

impl Links {
    fn new(ends: usize, delay: u64) -> Links {
        let rows = delay + 1;
        let sent = vec![Sending::default(); ends * rows as usize];
        Links { sent, ends, rows, carried: vec![0; ends] }
    }

    /// Where the rows of this cycle begin: what is sent now, and what arrives now. (The oldest row is the one after the newest.)
    fn rows(&self, now: u64) -> (usize, usize) {
        let row = |cycle: u64| (cycle % self.rows) as usize * self.ends;
        (row(now), row(now + 1))
    }

    /// What an end sends now, and what comes there from the other one.
    fn pass(&mut self, (to, from): (usize, usize), ends: Ends, sends: &Sending) -> Sending {
        self.sent[to + ends.own] = *sends;
        self.carried[ends.own] += u64::from(sends.flit.is_some());
        self.sent[from + ends.peer]
    }

    /// What an end has sent and is on its way is lost.
    fn clear(&mut self, end: usize) {
        self.sent.chunks_mut(self.ends).for_each(|row| row[end] = Sending::default());
    }
}

/// A network of units, and its hosts.
pub struct Cluster<H> {
    pool: Pool<Part>,
    links: Links,
    hosts: H,
    controls: Controls,
    names: Vec<String>,
    /// Part and place in it of each node.
    places: Vec<(usize, usize)>,
    routers: usize,
    /// Cycle after reset; those of the sweeps; the first of traffic.
    cycle: u64,
    sweep: u64,
    start: u64,
    /// The end of each port of each node.
    ends: Vec<Vec<usize>>,
    deeds: Deeds,
}

/// How many cycles links are down at least before traffic begins.
const QUIET: u64 = 4;

impl<H: Hosts> Cluster<H> {
    /// Builds and resets a network. With `watched` every word of it can be had in every cycle at little cost.
    pub fn new(job: &Job, engine: Engine, hosts: H, watched: bool) -> Result<Cluster<H>> {
        let (net, settings) = (&job.net, &job.settings);
        settings.check(net.hosts())?;
        let units: Vec<(UnitKind, Params)> = job.nodes().map(|id| net.unit(id, settings)).collect();
        for (unit, params) in &units {
            params.check_unit(*unit).map_err(|e| anyhow::anyhow!(e))?;
        }
        if engine == Engine::Rtl {
            prepare(&units)?;
        }
        let (routers, all) = (net.routers(), net.hosts());
        let threads = job.threads.clamp(1, routers.max(all));
        let mut parts: Vec<Part> = (0..threads).map(|_| Part::default()).collect();
        // (End 0 is that of ports without a link.)
        let mut last = 0;
        let mut number = |id: NodeId, ports: usize| -> Vec<usize> {
            let next = |p| {
                last += usize::from(net.peer(id, p).is_some());
                if net.peer(id, p).is_some() { last } else { 0 }
            };
            (0..ports).map(next).collect()
        };
        let ends: Vec<Vec<usize>> = job
            .nodes()
            .map(|id| match id {
                NodeId::Router(r) => number(id, net.ports(r)),
                NodeId::Host(_) => number(id, 1),
                NodeId::Control(_) => Vec::new(),
            })
            .collect();
        let index = |id: NodeId| net.number(id);
        let mut places = Vec::new();
        let mut controls = Vec::new();
        let mut most = 0;
        for (id, (unit, params)) in job.nodes().zip(&units) {
            let at = |p: usize| Ends {
                own: ends[index(id)][p],
                peer: net.peer(id, p).map_or(0, |(peer, port)| ends[index(peer)][port]),
            };
            let writes = net.writes(id, settings, job.scheme, job.seed);
            most = most.max(writes.len() as u64);
            let error = None;
            match id {
                NodeId::Router(r) => {
                    let part = r * threads / routers;
                    places.push((part, parts[part].routers.len()));
                    parts[part].routers.push(RouterNode {
                        device: router(engine, params, r as u64, watched)?,
                        pins: RouterPins::default(),
                        sends: [Sending::default(); MOST],
                        ends: (0..params.ports).map(at).collect(),
                        writes,
                        error,
                    });
                }
                NodeId::Host(h) => {
                    let part = h * threads / all;
                    places.push((part, parts[part].adapters.len()));
                    parts[part].adapters.push(AdapterNode {
                        device: adapter(engine, params, (routers + h) as u64, watched)?,
                        pins: AdapterPins::default(),
                        sends: Sending::default(),
                        shows: AdapterShows::default(),
                        ends: at(0),
                        writes,
                        error,
                    });
                }
                NodeId::Control(h) => {
                    let device = device(engine, *unit, params, index(id) as u64)?;
                    let layout = Layout::new(*unit, params);
                    let router = net.router_of(h);
                    controls.push(Control::new(device, params, &layout, router, writes, watched));
                }
            }
        }
        let sweep = units.iter().map(|(unit, p)| p.init_cycles(*unit)).max().unwrap_or(0) as u64;
        Ok(Cluster {
            pool: Pool::new(parts, edge),
            links: Links::new(ends.iter().map(Vec::len).sum::<usize>() + 1, settings.link_delay.into()),
            hosts,
            controls: Controls::new(controls, settings.gather),
            names: job.nodes().map(|id| net.name(id)).collect(),
            places,
            routers,
            cycle: 0,
            sweep,
            start: sweep + most + QUIET + u64::from(settings.link_delay),
            ends,
            deeds: Deeds::default(),
        })
    }

    /// What will happen to it in its traffic cycles.
    pub fn disturb(&mut self, deeds: Vec<Deed>) {
        self.deeds = Deeds::new(deeds);
    }

    /// The hosts.
    pub fn hosts(&mut self) -> &mut H {
        &mut self.hosts
    }

    /// Flits that have been put on links, those between hosts and routers included.
    pub fn flit_hops(&self) -> u64 {
        self.links.carried.iter().sum()
    }

    /// Flits that a node has sent by each of its ports.
    pub fn carried(&self, node: usize) -> impl Iterator<Item = u64> + '_ {
        self.ends[node].iter().map(|&end| self.links.carried[end])
    }

    /// Settles the current cycle: what ports send gets to links, links to ports, hosts look.
    pub fn prepare(&mut self) {
        if self.time().is_none_or(|t| t == 0) {
            self.configure();
        }
        if let Some(t) = self.time().filter(|t| !self.deeds.rest(*t)) {
            self.act(t);
        }
        let (time, now) = (self.time(), self.links.rows(self.cycle));
        let links = &mut self.links;
        let controls = &mut self.controls;
        let controlled = !controls.is_empty();
        if let Some(t) = time.filter(|_| controlled) {
            controls.add_up(t);
        }
        let (mut router, mut host) = (0, 0);
        for part in 0..self.pool.len() {
            let part = &mut *self.pool.part(part);
            for node in &mut part.routers {
                for (p, &ends) in node.ends.iter().enumerate() {
                    node.pins.links[p] = links.pass(now, ends, &node.sends[p]);
                }
                if controlled {
                    controls.see_router(router, &node.device.seen());
                }
                router += 1;
            }
            for node in &mut part.adapters {
                node.pins.link = links.pass(now, node.ends, &node.sends);
                if let Some(t) = time {
                    let offer = self.hosts.cycle(t, host, &shown(&node.shows));
                    take(&offer, &mut node.pins);
                }
                if controlled {
                    node.pins.hold = controls.holds(host);
                    controls.see_adapter(host, &node.device.seen(), &node.sends, &node.shows);
                }
                host += 1;
            }
        }
    }

    /// Writes of the configuration phase; links are up from cycle 0 of traffic on.
    fn configure(&mut self) {
        let up = self.time().is_some();
        let at = self.cycle.checked_sub(self.sweep).map(|k| k as usize);
        let next = |writes: &[Write]| at.and_then(|k| writes.get(k)).copied().filter(|_| !up);
        self.controls.configure(at.filter(|_| !up));
        for part in 0..self.pool.len() {
            let part = &mut *self.pool.part(part);
            for node in &mut part.routers {
                node.pins.up = if up { (1 << node.ends.len()) - 1 } else { 0 };
                node.write(next(&node.writes));
            }
            for node in &mut part.adapters {
                node.pins.up = up;
                node.pins.access = register(next(&node.writes));
            }
        }
    }

    /// What happens in this traffic cycle.
    fn act(&mut self, t: u64) {
        for node in self.deeds.written() {
            self.put(node, None);
        }
        while let Some(act) = self.deeds.next(t) {
            match act {
                Act::Write(node, write) => self.put(node, Some(write)),
                Act::Reset(router) => {
                    let (part, at) = self.places[router];
                    let node = &mut self.pool.part(part).routers[at];
                    node.device.reset();
                    node.sends = Default::default();
                }
                Act::Link { ends, up } => {
                    ends.into_iter().for_each(|(node, port)| self.set_link(node, port, up));
                }
            }
        }
    }

    /// The number of a node with links.
    fn number(&self, node: NodeId) -> Option<usize> {
        match node {
            NodeId::Router(r) => Some(r),
            NodeId::Host(h) => Some(self.routers + h),
            NodeId::Control(_) => None,
        }
    }

    /// A register of a node is written in this cycle, or none is.
    fn put(&mut self, node: NodeId, write: Option<Write>) {
        let Some(number) = self.number(node) else {
            if let NodeId::Control(h) = node {
                self.controls.put(h, write);
            }
            return;
        };
        let (part, at) = self.places[number];
        let mut part = self.pool.part(part);
        match node {
            NodeId::Router(_) => part.routers[at].write(write),
            _ => part.adapters[at].pins.access = register(write),
        }
    }

    /// A link falls or comes up. What was on it is lost: nothing that was sent before it comes up arrives after.
    fn set_link(&mut self, node: NodeId, port: usize, up: bool) {
        let Some(number) = self.number(node) else { return };
        self.links.clear(self.ends[number][port]);
        let (part, at) = self.places[number];
        let mut part = self.pool.part(part);
        if number < self.routers {
            let pins = &mut part.routers[at].pins;
            pins.up = pins.up & !(1 << port) | u32::from(up) << port;
        } else {
            part.adapters[at].pins.up = up;
        }
    }

    /// Ends the current cycle.
    pub fn edge(&mut self) -> Result<()> {
        self.pool.round();
        if let Err((host, said)) = self.controls.edge() {
            let unit = format!("injection control of host {host}");
            return Err(Fired::new(&unit, self.time(), self.cycle, &said).into());
        }
        if !(0..self.pool.len()).any(|p| self.pool.part(p).failed) {
            self.cycle += 1;
            return Ok(());
        }
        for (node, &(part, at)) in self.places.iter().enumerate() {
            let part = self.pool.part(part);
            let error = match node.checked_sub(self.routers) {
                None => &part.routers[at].error,
                Some(_) => &part.adapters[at].error,
            };
            if let Some(e) = error {
                return Err(Fired::new(&self.names[node], self.time(), self.cycle, e).into());
            }
        }
        bail!("a checker fired")
    }

    /// Runs until traffic cycle `until` (not included).
    pub fn run(&mut self, until: u64) -> Result<()> {
        while self.time().is_none_or(|t| t < until) {
            self.prepare();
            self.edge()?;
        }
        Ok(())
    }
}

impl<H: Hosts> Watched for Cluster<H> {
    fn time(&self) -> Option<u64> {
        self.cycle.checked_sub(self.start)
    }

    fn look(&mut self, node: usize, f: &mut dyn FnMut(View)) {
        let Some(&(part, at)) = self.places.get(node) else {
            let [input, output, state] = self.controls.look(node - self.places.len());
            return f(View { input, output, state });
        };
        let part = &mut *self.pool.part(part);
        let show = &mut |input: &[u32], output: &[u32], state: &[u32]| f(View { input, output, state });
        if node < self.routers {
            let RouterNode { device, pins, .. } = &mut part.routers[at];
            device.look(pins, show);
        } else {
            let AdapterNode { device, pins, .. } = &mut part.adapters[at];
            device.look(pins, show);
        }
    }
}

/// A write to a register.
fn register(write: Option<Write>) -> Access {
    match write {
        Some(Write::Register(access)) => access,
        _ => Access::default(),
    }
}

/// What an adapter shows, as its host sees it.
fn shown(shows: &AdapterShows) -> Shown {
    let class = |n: u32| Class::ALL[n as usize % Class::ALL.len()];
    let event = |(kind, conn): (u32, u32)| Event {
        kind: match kind {
            1 => EventKind::Open,
            2 => EventKind::Rejected,
            _ => EventKind::Closed,
        },
        conn: conn as u16,
    };
    Shown {
        open_ready: shows.open_ready,
        post_ready: shows.post_ready,
        done: shows.done.map(|d| Done { post: d.post, ok: d.why == 0, why: d.why as u8, tag: d.tag as u16 }),
        event: shows.event.map(event),
        cqe: shows.completion.map(|c| Cqe { class: class(c.class), conn: c.conn as u16, tag: c.tag as u16 }),
        dma: shows.dma.map(|(tag, index)| (tag as u16, index as u8)),
        delivered: shows.delivered,
        cut: shows.cut as u16,
    }
}

/// What a host offers, at the adapter's pins.
fn take(offer: &Offer, pins: &mut AdapterPins) {
    pins.open = offer.open.map(|o| Opening { conn: o.conn.into(), dlid: o.dlid.into(), bw: o.bw.into() });
    pins.post = offer.post.map(|p| Posting {
        class: p.class as u32,
        conn: p.conn.into(),
        dlid: p.dlid.into(),
        len: p.len.into(),
        last: p.last,
        tag: p.tag.into(),
    });
    pins.dma = offer.dma;
}

/// The router of an engine.
fn router(engine: Engine, params: &Params, node: u64, watched: bool) -> Result<Box<dyn Router>> {
    match engine {
        Engine::Golden => Ok(Box::new(GoldenRouter::new(params))),
        Engine::Rtl => rtl::router(params, node, watched),
    }
}

/// The adapter.
fn adapter(engine: Engine, params: &Params, node: u64, watched: bool) -> Result<Box<dyn Adapter>> {
    match engine {
        Engine::Golden => Ok(Box::new(GoldenAdapter::new(params))),
        Engine::Rtl => rtl::adapter(params, node, watched),
    }
}

/// A unit behind word vectors.
fn device(engine: Engine, unit: UnitKind, params: &Params, node: u64) -> Result<Box<dyn Device>> {
    match engine {
        Engine::Golden => golden(unit, params, node),
        Engine::Rtl => rtl::device(unit, params, node),
    }
}

/// The models of these units are made.
fn prepare(units: &[(UnitKind, Params)]) -> Result<()> {
    rtl::prepare(units)
}

#[cfg(feature = "rtl")]
mod rtl {
    use anyhow::Result;

    use super::super::device::{Adapter, Router, Worded};
    use super::super::words::{AdapterWords, RouterWords};
    use crate::cosim::engines::Device;
    pub(super) use crate::cosim::engines::rtl as device;
    use crate::params::{Build, Params, UnitKind};
    use crate::signals::Layout;

    pub(super) fn router(params: &Params, node: u64, watched: bool) -> Result<Box<dyn Router>> {
        let (model, l) = model(UnitKind::WormRouter, params, node)?;
        Ok(Box::new(Worded::new(model, &l, RouterWords::new(&l, params), watched)))
    }

    pub(super) fn adapter(params: &Params, node: u64, watched: bool) -> Result<Box<dyn Adapter>> {
        let (model, l) = model(UnitKind::WormAdapter, params, node)?;
        Ok(Box::new(Worded::new(model, &l, AdapterWords::new(&l, params), watched)))
    }

    fn model(unit: UnitKind, params: &Params, node: u64) -> Result<(Box<dyn Device>, Layout)> {
        Ok((device(unit, params, node)?, Layout::new(unit, params)))
    }

    pub(super) fn prepare(units: &[(UnitKind, Params)]) -> Result<()> {
        crate::verilated::prepare(units.iter().map(|(unit, params)| Build::of(*unit, params)))
    }
}

#[cfg(not(feature = "rtl"))]
mod rtl {
    use anyhow::{Result, bail};

    use super::super::device::{Adapter, Router};
    use crate::cosim::engines::Device;
    use crate::params::{Params, UnitKind};

    pub(super) fn device(_: UnitKind, _: &Params, _: u64) -> Result<Box<dyn Device>> {
        bail!("this binary is built without RTL; remedy: build with feature rtl")
    }

    pub(super) fn router(_: &Params, _: u64, _: bool) -> Result<Box<dyn Router>> {
        bail!("this binary is built without RTL; remedy: build with feature rtl")
    }

    pub(super) fn adapter(_: &Params, _: u64, _: bool) -> Result<Box<dyn Adapter>> {
        bail!("this binary is built without RTL; remedy: build with feature rtl")
    }

    pub(super) fn prepare(_: &[(UnitKind, Params)]) -> Result<()> {
        bail!("this binary is built without RTL; remedy: build with feature rtl")
    }
}
