//! A network whose switches and adapters are models that run cycle by cycle, joined by delay lines.
//!
//! All models are Moore units, and a link takes a cycle at least: a cycle is one pass that moves outputs to links, links to
//! inputs and lets the hosts look, then one edge of every model, in which the models are independent of each other and
//! run in several threads.

use std::collections::HashMap;
use std::fmt;

use anyhow::{Result, anyhow, bail};

use super::device::Device;
use super::hosts::Hosts;
use super::node::{NodeId, Side, View, Watched};
use super::pool::Pool;
use crate::config::Config;
use crate::fabric::metrics::{Carried, Collector};
use crate::fabric::net::{End, Network};
use crate::fabric::setup::{Setup, Write};
use crate::fabric::traffic::Traffic;
use crate::fabric::wiring::{Peer, Wiring};
use crate::model::header::Header;
use crate::model::link::FORWARD;
use crate::params::lanes::opcode;
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout};

/// Makes the model of a unit; the number is the node's.
pub type Maker<'a> = dyn Fn(UnitKind, &Params, u64) -> Result<Box<dyn Device>> + 'a;

/// What a port with a link showed in the last `slots` cycles.
struct Line {
    words: Vec<u32>,
    slots: u64,
    width: usize,
    /// Flits sent.
    flits: u64,
    /// Of what the packet is of which flits are sent now, and how many flits were of each.
    kind: usize,
    kinds: [u64; KINDS],
}

/// What a packet is with reservation: granted, bypass, speculative, or one of control.
const KINDS: usize = 4;

fn kind(flit: &[u32]) -> usize {
    match Header::parse(flit).bth.map(|b| b.opcode) {
        Some(opcode::GRANTED) => 0,
        Some(opcode::SPEC) => 2,
        Some(opcode::RES..=opcode::NACK) => 3,
        _ => 1,
    }
}

impl Line {
    /// Counts the flit that it carries in a cycle.
    fn count(&mut self, cycle: u64, kinds: Option<usize>) {
        let slot = self.slot(cycle);
        if slot[0] == 0 {
            return;
        }
        let first = kinds.filter(|_| slot[1] == 1).map(|flit_words| kind(&slot[4..4 + flit_words]));
        self.flits += 1;
        self.kind = first.unwrap_or(self.kind);
        self.kinds[self.kind] += 1;
    }

    fn range(&self, cycle: u64) -> std::ops::Range<usize> {
        let at = (cycle % self.slots) as usize * self.width;
        at..at + self.width
    }

    fn slot(&self, cycle: u64) -> &[u32] {
        &self.words[self.range(cycle)]
    }
}

/// The line of a port's neighbour, and the delay of the link to it.
#[derive(Clone, Copy, PartialEq)]
struct Heard {
    line: usize,
    delay: u64,
}

/// A port with a link.
struct Port {
    /// Its line.
    tx: usize,
    /// Who sends to it, flits and FCTBS; and to whom it sends, who sends it credits and messages. One and the same if the
    /// link is not one-way.
    source: Option<Heard>,
    peer: Option<Heard>,
    /// First word among the outputs, first word among the inputs, number of words. The control word is the last.
    moves: [(usize, usize, usize); 6],
}

impl Port {
    /// Its inputs of a cycle.
    fn hear(&self, lines: &[Line], cycle: u64, input: &mut [u32]) {
        // Empty before the first cycle: the slots start as zero.
        let words = |heard: Heard| {
            let line = &lines[heard.line];
            line.slot(cycle + line.slots - heard.delay)
        };
        if let Some(source) = self.source {
            let mut left = words(source);
            for (_, to, count) in self.moves {
                let field;
                (field, left) = left.split_at(count);
                input[to..to + count].copy_from_slice(field);
            }
        }
        if self.peer == self.source {
            return;
        }
        // The control word is joined by field.
        let [.., (_, to, count)] = self.moves;
        let ctl = &mut input[to..to + count];
        ctl[0] &= if self.source.is_some() { FORWARD } else { 0 };
        ctl[1..].fill(0);
        if let Some(peer) = self.peer {
            let back = words(peer);
            let back = &back[back.len() - count..];
            ctl[0] |= back[0] & !FORWARD;
            ctl[1..].copy_from_slice(&back[1..]);
        }
    }
}

/// A switch or an adapter.
struct Node {
    id: NodeId,
    device: Box<dyn Device>,
    input: Vec<u32>,
    output: Vec<u32>,
    state: Vec<u32>,
    ports: Vec<Port>,
    writes: Vec<Write>,
    config: ConfigPins,
    /// What a checker said.
    error: Option<String>,
}

/// Where the configuration ports are in the inputs.
struct ConfigPins {
    cfg_we: usize,
    cfg_unit: usize,
    cfg_port: Option<usize>,
    cfg_addr: usize,
    cfg_data: usize,
    lft_we: usize,
    lft_addr: usize,
    lft_port: usize,
    cct: Option<(usize, usize, usize)>,
    attr: Option<(usize, usize, usize)>,
    wait: Option<(usize, usize, usize)>,
}

impl ConfigPins {
    fn new(unit: UnitKind, l: &Layout) -> ConfigPins {
        ConfigPins {
            cfg_we: l.input("cfg_we"),
            cfg_unit: l.input("cfg_unit"),
            cfg_port: (unit == UnitKind::Switch).then(|| l.input("cfg_port")),
            cfg_addr: l.input("cfg_addr"),
            cfg_data: l.input("cfg_data"),
            lft_we: l.input("lft_we"),
            lft_addr: l.input("lft_addr"),
            lft_port: l.input("lft_port"),
            cct: (unit == UnitKind::Hca)
                .then(|| (l.input("cct_we"), l.input("cct_addr"), l.input("cct_data"))),
            attr: (unit == UnitKind::Hca)
                .then(|| (l.input("attr_we"), l.input("attr_flow"), l.input("attr_sl"))),
            wait: (unit == UnitKind::Hca).then(|| (l.input("wt_we"), l.input("wt_addr"), l.input("wt_data"))),
        }
    }

    /// Sets the inputs for one write, or for none.
    fn set(&self, write: Option<Write>, input: &mut [u32]) {
        let hca = [self.cct, self.attr, self.wait].into_iter().flatten().flat_map(|(a, b, c)| [a, b, c]);
        let own = [self.cfg_we, self.cfg_unit, self.cfg_addr, self.cfg_data];
        let all = own.into_iter().chain([self.lft_we, self.lft_addr, self.lft_port]).chain(self.cfg_port);
        for at in all.chain(hca) {
            input[at] = 0;
        }
        match write {
            None => {}
            Some(Write::Register { unit, port, addr, data }) => {
                input[self.cfg_we] = 1;
                input[self.cfg_unit] = u32::from(unit);
                if let Some(at) = self.cfg_port {
                    input[at] = u32::from(port);
                }
                input[self.cfg_addr] = u32::from(addr);
                input[self.cfg_data] = data;
            }
            Some(Write::Lft { addr, port }) => {
                input[self.lft_we] = 1;
                input[self.lft_addr] = u32::from(addr);
                input[self.lft_port] = u32::from(port);
            }
            Some(Write::Cct { addr, data }) => {
                if let Some((we, at, value)) = self.cct {
                    input[we] = 1;
                    input[at] = u32::from(addr);
                    input[value] = u32::from(data);
                }
            }
            Some(Write::Wait { addr, data }) => {
                if let Some((we, at, value)) = self.wait {
                    input[we] = 1;
                    input[at] = u32::from(addr);
                    input[value] = data;
                }
            }
            Some(Write::Attr { flow, sl }) => {
                if let Some((we, at, value)) = self.attr {
                    input[we] = 1;
                    input[at] = u32::from(flow);
                    input[value] = u32::from(sl);
                }
            }
        }
    }
}

/// The nodes of one thread.
struct Part {
    nodes: Vec<Node>,
    /// Whether the state is wanted in every cycle.
    state: bool,
    /// Whether a node has an error.
    failed: bool,
}

/// The edge of every node of a part.
fn edge(part: &mut Part) {
    for n in &mut part.nodes {
        let state = if part.state { &mut n.state[..] } else { &mut [] };
        n.error = n.device.advance(&n.input, &mut n.output, state).err();
        part.failed |= n.error.is_some();
    }
}

/// A network of models.
pub struct Cluster {
    pool: Pool<Part>,
    /// Part and place of each node.
    places: Vec<(usize, usize)>,
    lines: Vec<Line>,
    hosts: Hosts,
    names: Vec<String>,
    setup: Setup,
    /// Cycle after reset.
    cycle: u64,
    sampled: bool,
    /// Words of a flit, where packets are told apart by what they are.
    kinds: Option<usize>,
    /// Every way that flits go: its name, the line of its sender, the link's interval.
    ways: Vec<(String, usize, u32)>,
}

impl Cluster {
    /// Builds and resets a network. With `state` the state of all nodes is known in every cycle.
    pub fn new(
        net: &Network,
        config: &Config,
        traffic: Traffic,
        collector: Collector,
        threads: usize,
        state: bool,
        make: &Maker,
    ) -> Result<Cluster> {
        let setup = Setup::new(net, config);
        let wiring = Wiring::new(net);
        let hca = config.hca_params();
        let mut hosts = Hosts::new(net, &hca, traffic, collector);
        if config.any_order() {
            hosts = hosts.in_any_order();
        }
        let ends = |id: NodeId| -> Vec<End> {
            match id {
                NodeId::Switch(s) => {
                    (0..net.switches[s].ports).map(|port| End::Switch { switch: s, port }).collect()
                }
                NodeId::Host(h) => vec![End::Host(h)],
            }
        };
        let mut lines: Vec<Line> = Vec::new();
        // The line of each end.
        let mut line_of = HashMap::new();
        let width = 4 + hca.flit_bytes / 4 + crate::signals::ctl_bits(&hca).div_ceil(32);
        for link in &net.links {
            let slots = u64::from(link.delay) + 1;
            for end in [link.a, link.b] {
                let line = *line_of.entry(end).or_insert(lines.len());
                if line == lines.len() {
                    lines.push(Line {
                        words: Vec::new(),
                        slots,
                        width,
                        flits: 0,
                        kind: 0,
                        kinds: [0; KINDS],
                    });
                }
                let line = &mut lines[line];
                line.slots = line.slots.max(slots);
                line.words = vec![0; width * line.slots as usize];
            }
        }
        let ways = net.ways().map(|way| {
            let name = format!("{} -> {}", net.end_name(way.from), net.end_name(way.to));
            (name, line_of[&way.from], net.links[way.link].interval)
        });
        let ways = ways.collect();
        let heard =
            |peer: Peer| Heard { line: line_of[&peer.end], delay: u64::from(net.links[peer.link].delay) };
        let ids: Vec<NodeId> = NodeId::all(net).collect();
        let threads = threads.clamp(1, ids.len());
        let mut parts: Vec<Part> =
            (0..threads).map(|_| Part { nodes: Vec::new(), state, failed: false }).collect();
        let mut load = vec![0; threads];
        let mut places = Vec::new();
        for (index, &id) in ids.iter().enumerate() {
            let params = id.params(net, config);
            let unit = id.unit();
            let layout = Layout::new(unit, &params);
            let mut ports = Vec::new();
            for (p, end) in ends(id).into_iter().enumerate() {
                let Some(&tx) = line_of.get(&end) else { continue };
                ports.push(Port {
                    tx,
                    source: wiring.source(end).map(heard),
                    peer: wiring.peer(end).map(heard),
                    moves: ["valid", "first", "last", "bad", "data", "ctl"].map(|field| {
                        let tx = layout.signal(Group::Output, &format!("tx_{field}"));
                        let rx = layout.signal(Group::Input, &format!("rx_{field}"));
                        let words = tx.stride();
                        (tx.offset + p * words, rx.offset + p * words, words)
                    }),
                });
            }
            let writes = match id {
                NodeId::Switch(s) => &setup.switches[s],
                NodeId::Host(h) => &setup.hosts[h],
            };
            let mut node = Node {
                id,
                device: make(unit, &params, index as u64)?,
                // Its links are up for good.
                input: layout.idle(),
                output: vec![0; layout.out_words],
                state: vec![0; layout.state_words],
                ports,
                writes: writes.clone(),
                config: ConfigPins::new(unit, &layout),
                error: None,
            };
            node.device.reset(&mut node.output, &mut node.state);
            // The thread with the least to do; a switch costs as its ports.
            let thread = (0..threads).min_by_key(|&t| load[t]).unwrap_or(0);
            load[thread] += if unit == UnitKind::Switch { params.ports } else { 1 };
            places.push((thread, parts[thread].nodes.len()));
            parts[thread].nodes.push(node);
        }
        Ok(Cluster {
            pool: Pool::new(parts, edge),
            places,
            lines,
            hosts,
            names: ids.iter().map(|id| id.name(net)).collect(),
            setup,
            cycle: 0,
            sampled: state,
            kinds: hca.srp.then_some(hca.flit_bytes / 4),
            ways,
        })
    }

    /// Traffic cycle, None in the configuration phase.
    pub fn time(&self) -> Option<u64> {
        self.cycle.checked_sub(self.setup.start)
    }
}

impl Watched for Cluster {
    fn time(&self) -> Option<u64> {
        self.time()
    }

    fn look(&mut self, node: usize, f: &mut dyn FnMut(View)) {
        let (part, at) = self.places[node];
        let node = &mut self.pool.part(part).nodes[at];
        if !self.sampled {
            node.device.state(&mut node.output, &mut node.state);
        }
        f(View { input: &node.input, output: &node.output, state: &node.state });
    }
}

impl Side for Cluster {
    fn prepare(&mut self) -> Result<()> {
        let time = self.time();
        for part in 0..self.pool.len() {
            for node in &mut self.pool.part(part).nodes {
                for port in &node.ports {
                    let line = &mut self.lines[port.tx];
                    let range = line.range(self.cycle);
                    let slot = &mut line.words[range];
                    let mut at = 0;
                    for (from, _, words) in port.moves {
                        slot[at..at + words].copy_from_slice(&node.output[from..from + words]);
                        at += words;
                    }
                    line.count(self.cycle, self.kinds);
                    port.hear(&self.lines, self.cycle, &mut node.input);
                }
                match (time, node.id) {
                    (None, _) => {
                        let k = self.cycle.checked_sub(self.setup.sweep);
                        let write = k.and_then(|k| node.writes.get(k as usize)).copied();
                        node.config.set(write, &mut node.input);
                    }
                    (Some(t), NodeId::Host(h)) => {
                        self.hosts.drive(h, t, &node.output, &mut node.input)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn edge(&mut self) -> Result<()> {
        self.pool.round();
        if !(0..self.pool.len()).any(|p| self.pool.part(p).failed) {
            self.cycle += 1;
            return Ok(());
        }
        for (index, &(part, at)) in self.places.iter().enumerate() {
            if let Some(e) = &self.pool.part(part).nodes[at].error {
                return Err(Fired::new(&self.names[index], self.time(), self.cycle, e).into());
            }
        }
        bail!("a checker fired")
    }

    fn stop(&mut self) {
        let now = self.time().unwrap_or(0);
        self.hosts.traffic_mut().stop(now);
    }

    fn offering(&self) -> bool {
        !self.hosts.traffic().finished()
    }

    fn under_way(&self) -> u64 {
        self.hosts.check().under_way()
    }

    fn collector(&mut self) -> &mut Collector {
        self.hosts.collector()
    }

    fn links(&self, collector: &mut Collector) {
        let cycles = self.time().unwrap_or(0);
        for (name, line, interval) in &self.ways {
            collector.link(name, self.lines[*line].flits, *interval, cycles);
        }
        if self.kinds.is_some() {
            let sum = |k: usize| self.ways.iter().map(|(_, line, _)| self.lines[*line].kinds[k]).sum();
            collector.carried(Carried { granted: sum(0), bypass: sum(1), spec: sum(2), control: sum(3) });
        }
    }
}

/// A checker of a node's RTL fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fired {
    /// The node.
    pub node: String,
    /// Traffic cycle, None in the configuration phase.
    pub time: Option<u64>,
    /// Cycle after reset.
    pub cycle: u64,
    /// What the checker said.
    pub said: String,
}

impl Fired {
    pub(crate) fn new(node: &str, time: Option<u64>, cycle: u64, said: &str) -> Fired {
        Fired { node: node.into(), time, cycle, said: said.into() }
    }
}

impl fmt::Display for Fired {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Fired { node, cycle, said, .. } = self;
        match self.time {
            Some(t) => write!(f, "{node}: a checker fired in cycle {t}: {said}"),
            None => write!(f, "{node}: a checker fired in cycle {cycle} of the configuration phase: {said}"),
        }
    }
}

impl std::error::Error for Fired {}

/// A cluster of golden units.
pub fn golden(unit: UnitKind, params: &Params, _: u64) -> Result<Box<dyn Device>> {
    Ok(Box::new(super::device::Golden::new(unit, params).map_err(|e| anyhow!(e))?))
}

/// A cluster of Verilated models.
#[cfg(feature = "rtl")]
pub fn rtl(unit: UnitKind, params: &Params, node: u64) -> Result<Box<dyn Device>> {
    let build = crate::params::Build::of(unit, params);
    Ok(Box::new(crate::verilated::Model::new(&build, node).map_err(|e| anyhow!(e))?))
}
