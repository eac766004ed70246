//! The network of a case: its models, joined by delay lines, and what is written to their registers.

use std::collections::VecDeque;

use super::case::{Case, Disturbance, Eats, End, Of, Reset, target};
use super::finding::{FaultKind, Finding};
use super::mix::mix;
use super::route::{draws, exits};
use crate::cosim::engines::{Device, Golden};
use crate::params::lanes::opcode;
use crate::params::{ANY_UP, Params, UnitKind};
use crate::signals::{Group, Layout, ctl_bits};

/// What the nodes of a network are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Golden units.
    Golden,
    /// RTL.
    Rtl,
    /// Both, compared in every cycle.
    Lockstep,
}

/// One write to a node's configuration pins.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    /// `cfg_unit`, `cfg_port`, `cfg_addr`, `cfg_data`.
    Register(u8, u8, u8, u32),
    /// DLID, port.
    Lft(u16, usize),
    /// Index, entry.
    Cct(usize, u16),
    /// Index, waiting time.
    Wt(usize, u32),
    /// Flow, SL.
    Sl(usize, u8),
}

/// The write of a register of a file.
pub fn register_write(kind: UnitKind, p: &Params, name: &str, value: u32) -> Result<Write, String> {
    if let Some(flow) = name.strip_prefix("sl.") {
        return Ok(Write::Sl(flow.parse().map_err(|_| format!("register {name}"))?, value as u8));
    }
    let (unit, port, r) = target(kind, p, name)?;
    Ok(Write::Register(unit, port, r.addr, value))
}

/// One direction of a link.
struct Line {
    words: Vec<u32>,
    slots: u64,
    delay: u64,
    width: usize,
    /// First word of the control word in a slot.
    ctl: usize,
    disturbed: Option<Disturbance>,
    eats: Option<Eats>,
    /// LIDs of source and destination of the flow whose packet of reservation was eaten last.
    eaten: Option<[u16; 2]>,
    /// The last control word that came through, to be repeated.
    last: Vec<u32>,
    seed: u64,
}

impl Line {
    fn slot(&self, cycle: u64) -> std::ops::Range<usize> {
        let at = (cycle % self.slots) as usize * self.width;
        at..at + self.width
    }

    /// Loses or damages an ACK, or a packet of reservation without data, in the slot that arrives in traffic cycle `t`.
    fn eat(&mut self, t: u64, slot: std::ops::Range<usize>) {
        let Some(d) = self.eats.filter(|d| (d.from..d.until).contains(&t)) else { return };
        let flit = &mut self.words[slot.start..slot.start + self.ctl];
        let reserves = is_reservation(flit);
        if !is_ack(flit) && !reserves {
            return;
        }
        let (from, to) = (lid(flit[5] >> 16), lid(flit[4] >> 16));
        let ends = if (flit[6] & 0xff) as u8 == opcode::RES { [from, to] } else { [to, from] };
        let chance = mix(self.seed ^ t ^ 0xac << 40);
        let (lose, damage) = ((chance % 1000) as u32, (chance / 1000 % 1000) as u32);
        if lose < d.lose {
            flit.fill(0);
        } else if damage < d.damage {
            flit[3] = 1;
        } else {
            return;
        }
        self.eaten = reserves.then_some(ends);
    }

    /// Damages the control word of the slot that arrives in traffic cycle `t`.
    fn disturb(&mut self, t: u64, slot: std::ops::Range<usize>) {
        let Some(d) = self.disturbed.filter(|d| (d.from..d.until).contains(&t)) else { return };
        let ctl = &mut self.words[slot.start + self.ctl..slot.end];
        let chance = mix(self.seed ^ t);
        let (lose, repeat) = ((chance % 1000) as u32, (chance / 1000 % 1000) as u32);
        if ctl.iter().any(|w| *w != 0) {
            if lose < d.lose {
                ctl.fill(0);
            } else {
                self.last.copy_from_slice(ctl);
            }
        } else if repeat < d.repeat {
            ctl.copy_from_slice(&self.last);
            self.last.fill(0);
        }
    }
}

/// Whether this is an ACK that is whole: valid, first, last, bad, data.
pub fn is_ack(flit: &[u32]) -> bool {
    let [valid, first, last, bad] = [flit[0], flit[1], flit[2], flit[3]].map(|w| w != 0);
    valid && first && last && !bad && flit[4] >> 8 & 3 == 2 && flit[6] & 0xff == 0x11
}

/// Whether this is a RES, a GRANT, an ACK or a NACK of reservation that is whole.
pub fn is_reservation(flit: &[u32]) -> bool {
    let [valid, first, last, bad] = [flit[0], flit[1], flit[2], flit[3]].map(|w| w != 0);
    let told = (opcode::RES..=opcode::NACK).contains(&((flit[6] & 0xff) as u8));
    valid && first && last && !bad && flit[4] >> 8 & 3 == 2 && told
}

/// A LID, as the two bytes of a header are in a word.
fn lid(bytes: u32) -> u16 {
    (bytes as u16).swap_bytes()
}

/// A port with a link: its lines, and where its words are.
pub struct Port {
    /// Number of the port.
    pub port: usize,
    /// The line that it sends on.
    pub tx: usize,
    /// The line that it receives from.
    pub rx: usize,
    moves: [(usize, usize, usize); 6],
}

/// A switch or an adapter.
pub struct Node {
    /// Which unit.
    pub kind: UnitKind,
    /// Its number among those of its kind.
    pub number: usize,
    /// Its parameters.
    pub params: Params,
    /// Where its words are.
    pub layout: Layout,
    /// Inputs of the current cycle.
    pub input: Vec<u32>,
    /// Outputs of the current cycle.
    pub output: Vec<u32>,
    /// State, as [`World::look`] left it.
    pub state: Vec<u32>,
    /// Ports with a link.
    pub ports: Vec<Port>,
    /// Writes that wait for their cycle.
    pub writes: VecDeque<Write>,
    /// What is written after a reset.
    setup: VecDeque<Write>,
    /// Cycles until a reset is over, and cycles of its sweep after that.
    held: u32,
    sweep: usize,
    /// Its writes after a reset are not all made.
    starting: bool,
    /// Where `link_up` is.
    link_up: usize,
    pub(super) devices: Vec<Box<dyn Device>>,
    /// Outputs and state of the second device.
    other: (Vec<u32>, Vec<u32>),
    pins: Pins,
    dirty: bool,
}

/// Where the configuration pins are; `cfg_port` only in a switch, CCT and SL only in an adapter.
struct Pins {
    cfg: [usize; 4],
    cfg_port: Option<usize>,
    lft: usize,
    cct: Option<usize>,
    wt: Option<usize>,
    attr: Option<usize>,
}

impl Node {
    /// `s0`, `h3`.
    pub fn name(&self) -> String {
        format!("{}{}", if self.kind == UnitKind::Switch { 's' } else { 'h' }, self.number)
    }

    /// The words of a signal.
    pub fn words(&self, group: Group, name: &str) -> &[u32] {
        let s = self.layout.signal(group, name);
        let all = match group {
            Group::Input => &self.input,
            Group::Output => &self.output,
            Group::State => &self.state,
        };
        &all[s.offset..s.offset + s.stride() * s.count]
    }

    fn reset(&mut self) {
        self.devices[0].reset(&mut self.output, &mut self.state);
        if let Some(other) = self.devices.get_mut(1) {
            other.reset(&mut self.other.0, &mut self.other.1);
        }
    }

    /// It is not reset, and configured.
    pub fn is_ready(&self) -> bool {
        !self.starting
    }

    /// Sets the configuration pins for the next write, or for none.
    fn configure(&mut self) {
        let p = &self.pins;
        let write = self.writes.pop_front();
        if write.is_none() && !self.dirty {
            return;
        }
        let threes = [Some(p.lft), p.cct, p.wt, p.attr];
        for at in p.cfg.into_iter().chain(p.cfg_port) {
            self.input[at] = 0;
        }
        for at in threes.into_iter().flatten() {
            self.input[at..at + 3].fill(0);
        }
        self.dirty = write.is_some();
        let three = |at: Option<usize>, input: &mut [u32], a: u32, b: u32| {
            if let Some(at) = at {
                input[at..at + 3].copy_from_slice(&[1, a, b]);
            }
        };
        match write {
            None => {}
            Some(Write::Register(unit, port, addr, data)) => {
                let values = [1, u32::from(unit), u32::from(addr), data];
                p.cfg.into_iter().zip(values).for_each(|(at, v)| self.input[at] = v);
                if let Some(at) = p.cfg_port {
                    self.input[at] = u32::from(port);
                }
            }
            Some(Write::Lft(dlid, port)) => three(Some(p.lft), &mut self.input, dlid.into(), port as u32),
            Some(Write::Cct(at, entry)) => three(p.cct, &mut self.input, at as u32, entry.into()),
            Some(Write::Wt(at, time)) => three(p.wt, &mut self.input, at as u32, time),
            Some(Write::Sl(flow, sl)) => three(p.attr, &mut self.input, flow as u32, sl.into()),
        }
    }
}

/// A link, that may be down. No end hears the other before both are up.
struct Wire {
    nodes: [usize; 2],
    /// First cycle in which each end sees it up; `None` while a node is not ready.
    rise: Option<[u64; 2]>,
    /// Not before this cycle.
    unplugged: u64,
    late: u64,
    skew: u64,
    delay: [u64; 2],
}

impl Wire {
    fn is_up(&self, end: usize, cycle: u64) -> bool {
        self.rise.is_some_and(|r| r[end] <= cycle)
    }

    fn fall(&mut self, from: u64, r: &Reset) {
        self.rise = None;
        self.unplugged = self.unplugged.max(from);
        (self.late, self.skew) = (r.late.into(), r.skew.into());
    }
}

/// Changes the words that line `1` carries in cycle `0`: valid, first, last, bad, data, control word.
#[cfg(test)]
pub(super) type Fault = Box<dyn FnMut(u64, usize, &mut [u32])>;

/// All nodes and links.
pub struct World {
    /// Switches, then adapters.
    pub nodes: Vec<Node>,
    lines: Vec<Line>,
    wires: Vec<Wire>,
    /// Cycles since the links were joined.
    cycle: u64,
    switches: usize,
    /// Something for the judge to find.
    #[cfg(test)]
    pub(super) fault: Option<Fault>,
}

/// Makes the models of a node.
fn devices(engine: Engine, kind: UnitKind, p: &Params, seed: u64) -> Result<Vec<Box<dyn Device>>, String> {
    let golden = || -> Result<Box<dyn Device>, String> { Ok(Box::new(Golden::new(kind, p)?)) };
    Ok(match engine {
        Engine::Golden => vec![golden()?],
        Engine::Rtl => vec![rtl(kind, p, seed)?],
        Engine::Lockstep => vec![golden()?, rtl(kind, p, seed)?],
    })
}

#[cfg(feature = "rtl")]
fn rtl(kind: UnitKind, p: &Params, seed: u64) -> Result<Box<dyn Device>, String> {
    let build = crate::params::Build::of(kind, p);
    Ok(Box::new(crate::verilated::Model::new(&build, seed)?))
}

#[cfg(not(feature = "rtl"))]
fn rtl(_: UnitKind, _: &Params, _: u64) -> Result<Box<dyn Device>, String> {
    Err("this quell was built without RTL: legal is engine golden".into())
}

impl World {
    /// Builds and resets the network of a checked case; [`World::bring_up`] comes next.
    pub fn new(case: &Case, engine: Engine) -> Result<World, String> {
        let mut lines = Vec::new();
        for (i, l) in case.link.iter().enumerate() {
            let p = case.switch_params(0)?;
            let ctl = 4 + p.flit_bytes / 4;
            let width = ctl + ctl_bits(&p).div_ceil(32);
            for (d, delay) in l.delay.into_iter().enumerate() {
                let slots = u64::from(delay) + 1;
                let words = vec![0; width * slots as usize];
                let last = vec![0; width - ctl];
                let seed = mix(case.seed ^ (2 * i + d) as u64);
                lines.push(Line {
                    words,
                    slots,
                    delay: delay.into(),
                    width,
                    ctl,
                    disturbed: l.disturbed,
                    eats: l.eats,
                    eaten: None,
                    last,
                    seed,
                });
            }
        }
        let peers = case.peers();
        let hops = exits(case);
        let mut nodes = Vec::new();
        let switches = case.switch.len();
        for index in 0..switches + case.host.len() {
            let (kind, number, params) = match index.checked_sub(switches) {
                None => (UnitKind::Switch, index, case.switch_params(index)?),
                Some(h) => (UnitKind::Hca, h, case.host_params(h)?),
            };
            let layout = Layout::new(kind, &params);
            let count = if kind == UnitKind::Switch { params.ports } else { 1 };
            let ports = (0..count).filter_map(|p| {
                let end = if kind == UnitKind::Switch { End::Switch(number, p) } else { End::Host(number) };
                let (link, _) = peers.get(&end)?;
                let forward = usize::from(case.link[*link].a != end);
                let moves = ["valid", "first", "last", "bad", "data", "ctl"].map(|field| {
                    let tx = layout.signal(Group::Output, &format!("tx_{field}"));
                    let rx = layout.signal(Group::Input, &format!("rx_{field}"));
                    let words = tx.stride();
                    (tx.offset + p * words, rx.offset + p * words, words)
                });
                Some(Port { port: p, tx: 2 * link + forward, rx: 2 * link + 1 - forward, moves })
            });
            let ports = ports.collect();
            let adapter = kind == UnitKind::Hca;
            let pins = Pins {
                cfg: ["cfg_we", "cfg_unit", "cfg_addr", "cfg_data"].map(|n| layout.input(n)),
                cfg_port: (!adapter).then(|| layout.input("cfg_port")),
                lft: layout.input("lft_we"),
                cct: adapter.then(|| layout.input("cct_we")),
                wt: adapter.then(|| layout.input("wt_we")),
                attr: adapter.then(|| layout.input("attr_we")),
            };
            let setup = setup(case, kind, number, &params, &hops)?;
            let mut node = Node {
                kind,
                number,
                params,
                // Its links are up for good.
                input: layout.idle(),
                output: vec![0; layout.out_words],
                state: vec![0; layout.state_words],
                other: (vec![0; layout.out_words], vec![0; layout.state_words]),
                ports,
                writes: setup.clone(),
                setup,
                held: 0,
                sweep: 0,
                starting: false,
                link_up: layout.input("link_up"),
                devices: devices(engine, kind, &params, mix(case.seed ^ index as u64))?,
                layout,
                pins,
                dirty: false,
            };
            node.reset();
            nodes.push(node);
        }
        let node_of = |end: End| match end {
            End::Switch(s, _) => s,
            End::Host(h) => switches + h,
        };
        let wire = |l: &super::case::Link| Wire {
            nodes: [node_of(l.a), node_of(l.b)],
            rise: Some([0; 2]),
            unplugged: 0,
            late: 0,
            skew: 0,
            delay: l.delay.map(u64::from),
        };
        Ok(World {
            nodes,
            lines,
            wires: case.link.iter().map(wire).collect(),
            cycle: 0,
            switches,
            #[cfg(test)]
            fault: None,
        })
    }

    /// Sweeps and configuration, each node alone. The links are joined when all nodes are ready.
    pub fn bring_up(&mut self) -> Result<(), Finding> {
        for node in &mut self.nodes {
            let sweep = node.params.init_cycles(node.kind) + 1;
            for cycle in 0..sweep + node.writes.len() + 1 {
                if cycle >= sweep {
                    node.configure();
                }
                edge(node, 0)?;
            }
        }
        Ok(())
    }

    /// The adapter of a host.
    pub fn host(&mut self, h: usize) -> &mut Node {
        &mut self.nodes[self.switches + h]
    }

    /// Number of switches.
    pub fn switches(&self) -> usize {
        self.switches
    }

    /// Moves words between nodes and links in traffic cycle `t`; hosts look after that.
    pub fn exchange(&mut self, t: u64) {
        self.move_links();
        for node in &mut self.nodes {
            for port in &node.ports {
                let line = &mut self.lines[port.tx];
                let slot = line.slot(self.cycle);
                let mut at = slot.start;
                if !self.wires[port.tx / 2].is_up(port.tx % 2, self.cycle) {
                    line.words[slot].fill(0);
                    continue;
                }
                for (from, _, words) in port.moves {
                    line.words[at..at + words].copy_from_slice(&node.output[from..from + words]);
                    at += words;
                }
            }
        }
        for node in &mut self.nodes {
            for port in &node.ports {
                let line = &mut self.lines[port.rx];
                let slot = line.slot(self.cycle + line.slots - line.delay);
                line.disturb(t, slot.clone());
                line.eat(t, slot.clone());
                #[cfg(test)]
                if let Some(fault) = &mut self.fault {
                    fault(t, port.rx, &mut line.words[slot.clone()]);
                }
                let mut at = slot.start;
                let up = self.wires[port.tx / 2].is_up(port.tx % 2, self.cycle);
                node.input[node.link_up + port.port] = up.into();
                for (_, to, words) in port.moves {
                    node.input[to..to + words].copy_from_slice(&line.words[at..at + words]);
                    at += words;
                }
            }
            if node.held == 0 && node.sweep == 0 {
                node.configure();
            }
        }
    }

    /// Links whose ends are ready come up, with nothing on them.
    fn move_links(&mut self) {
        let (cycle, nodes) = (self.cycle, &self.nodes);
        for (i, w) in self.wires.iter_mut().enumerate() {
            if w.rise.is_none() && cycle >= w.unplugged && w.nodes.iter().all(|n| nodes[*n].is_ready()) {
                let first = cycle + w.late;
                w.rise = Some([first, first + w.skew.min(w.delay[0])]);
            }
            // Nothing that was sent before arrives after.
            if w.rise.is_some_and(|r| r[0] == cycle && cycle > 0) {
                for line in &mut self.lines[2 * i..2 * i + 2] {
                    line.words.fill(0);
                    line.last.fill(0);
                }
            }
        }
    }

    /// A node is reset, or a link is unplugged, from this cycle on.
    pub fn reset(&mut self, of: Of, r: &Reset) {
        match of {
            Of::Link(i) => self.wires[i].fall(self.cycle + u64::from(r.cycles), r),
            Of::Node(n) => {
                let node = &mut self.nodes[n];
                node.reset();
                node.input.fill(0);
                node.held = r.cycles;
                node.sweep = node.params.init_cycles(node.kind) + 1;
                node.writes = node.setup.clone();
                (node.starting, node.dirty) = (true, false);
                for w in self.wires.iter_mut().filter(|w| w.nodes.contains(&n)) {
                    w.fall(0, r);
                }
            }
        }
    }

    /// Control word that line `line` takes in this cycle, after [`World::exchange`].
    pub fn control(&self, line: usize) -> &[u32] {
        let line = &self.lines[line];
        let slot = line.slot(self.cycle);
        &line.words[slot.start + line.ctl..slot.end]
    }

    /// Source and destination of flows whose packets of reservation links have eaten since this was asked for.
    pub fn eaten(&mut self) -> Vec<[u16; 2]> {
        self.lines.iter_mut().filter_map(|l| l.eaten.take()).collect()
    }

    /// The edge that ends the cycle.
    pub fn edge(&mut self, t: u64) -> Result<(), Finding> {
        self.cycle += 1;
        self.nodes.iter_mut().try_for_each(|n| n.pass(t))
    }

    /// Brings the state words of all nodes up to date.
    pub fn look(&mut self) {
        for n in &mut self.nodes {
            n.devices[0].state(&mut n.output, &mut n.state);
        }
    }
}

impl Node {
    /// One cycle, in a reset or not.
    fn pass(&mut self, t: u64) -> Result<(), Finding> {
        if self.held > 0 {
            self.held -= 1;
            return Ok(());
        }
        edge(self, t)?;
        if self.starting {
            self.sweep = self.sweep.saturating_sub(1);
            self.starting = self.sweep > 0 || self.dirty || !self.writes.is_empty();
        }
        Ok(())
    }
}

/// One edge of a node.
fn edge(n: &mut Node, t: u64) -> Result<(), Finding> {
    let fired = |name: String, e: String| Finding::of_checker(&name, &e, t);
    if n.devices.len() == 1 {
        return n.devices[0].advance(&n.input, &mut n.output, &mut []).map_err(|e| fired(n.name(), e));
    }
    n.devices[0].advance(&n.input, &mut n.output, &mut n.state).map_err(|e| fired(n.name(), e))?;
    n.devices[1].advance(&n.input, &mut n.other.0, &mut n.other.1).map_err(|e| fired(n.name(), e))?;
    if n.output == n.other.0 && n.state == n.other.1 {
        return Ok(());
    }
    let differs = |a: &[u32], b: &[u32], group| {
        a.iter().zip(b).position(|(a, b)| a != b).and_then(|w| {
            n.layout
                .owner(group, w)
                .map(|(s, i)| format!("{}[{i}]: golden {:#x}, RTL {:#x}", s.name, a[w], b[w]))
        })
    };
    let what =
        differs(&n.output, &n.other.0, Group::Output).or_else(|| differs(&n.state, &n.other.1, Group::State));
    Err(Finding {
        kind: FaultKind::Mismatch,
        cycle: t,
        text: format!("{} {}", n.name(), what.unwrap_or_default()),
    })
}

/// What is written to a node before the traffic.
fn setup(
    case: &Case,
    kind: UnitKind,
    number: usize,
    p: &Params,
    hops: &[Vec<Vec<usize>>],
) -> Result<VecDeque<Write>, String> {
    let mut writes = VecDeque::new();
    for (h, host) in case.host.iter().enumerate() {
        let port = match kind {
            UnitKind::Hca => 0,
            // Any of its ports up: more than one, or the one there is.
            _ if draws(case, number) && hops[number][h] == case.switch[number].up => ANY_UP.into(),
            _ => hops[number][h].first().copied().unwrap_or(255),
        };
        writes.push_back(Write::Lft(host.lid, port));
    }
    let registers =
        if kind == UnitKind::Switch { &case.switch[number].registers } else { &case.host[number].registers };
    for (name, value) in registers {
        writes.push_back(register_write(kind, p, name, *value)?);
    }
    if kind == UnitKind::Hca {
        let host = &case.host[number];
        for (name, value) in [("hca.LID", host.lid), ("hca.LID_BASE", host.lid_base)] {
            writes.push_back(register_write(kind, p, name, value.into())?);
        }
        writes.extend(host.cct.iter().enumerate().map(|(i, e)| Write::Cct(i, *e)));
        writes.extend(host.wt.iter().enumerate().map(|(i, e)| Write::Wt(i, *e)));
        for pair in case.pair.iter().filter(|x| x.from == number) {
            let flow = case.host[pair.to].lid - host.lid_base;
            writes.push_back(Write::Sl(flow.into(), pair.sl));
        }
    }
    Ok(writes)
}
