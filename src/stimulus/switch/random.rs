//! Constrained-random stimulus: a [`World`] whose traffic, neighbours, trees, faults and registers change from phase to phase.

use rand::Rng;
use rand::rngs::SmallRng;
use std::collections::VecDeque;

use super::world::{ALL_PORTS, ALLOC, DEALLOC, GO, INPUT, OUTPUT, STOP, World};
use crate::cosim::source::Source;
use crate::model::header::OPCODE_CNP;
use crate::model::link::Message;
use crate::params::ANY_UP;
use crate::params::Params;
use crate::params::lanes::SrpLane;
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::input_port::{Fault, MarkKnobs, Packet, break_packet, readings, register, up_registers};
use crate::stimulus::knobs::{Knobs, Setup};

/// What happens in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Everything leaves, nothing comes.
    Drain,
    /// Packets of every input to every output.
    Uniform,
    /// Every input sends to an output of its own.
    Permutation,
    /// Most packets go to one output.
    Hotspot,
    /// The hotspot's neighbour is slow: the tree grows from further down.
    Slow,
    /// Nobody downstream takes anything.
    Stalled,
    /// Trees come and go.
    Trees,
    /// Mostly notification packets.
    Notify,
    /// Lines live and die fast: thresholds and timers near 0.
    Churn,
    /// Broken packets and damaged messages.
    Violate,
    /// Everything at random.
    Mixed,
}

const KINDS: [Phase; 14] = [
    Phase::Drain,
    Phase::Uniform,
    Phase::Uniform,
    Phase::Permutation,
    Phase::Hotspot,
    Phase::Hotspot,
    Phase::Slow,
    Phase::Slow,
    Phase::Stalled,
    Phase::Trees,
    Phase::Notify,
    Phase::Churn,
    Phase::Violate,
    Phase::Mixed,
];

/// A tree that a neighbour told of.
#[derive(Clone, Copy, Debug, Default)]
struct Tree {
    message: Message,
    on: bool,
}

/// The constrained-random source.
#[derive(Debug)]
pub(super) struct Random {
    world: World,
    knobs: Knobs,
    marks: MarkKnobs,
    /// Registers are ours to choose.
    free_registers: bool,
    kind: Phase,
    left: u32,
    mean_phase: u32,
    load: f64,
    /// Share of packets to the hotspot's destinations.
    to_hot: Chance,
    hot: Vec<u16>,
    /// Output of input 0 in a permutation.
    shift: usize,
    short: Chance,
    long: Chance,
    cnp: Chance,
    violate: Chance,
    wild: Chance,
    tree: Chance,
    stop_go: Chance,
    lost: Chance,
    reconfig: Chance,
    starve: f64,
    starve_left: u32,
    /// Trees of the neighbours: port * LINES + line.
    trees: Vec<Tree>,
    /// Q6: TTW as it was written last.
    ttw: u32,
}

impl Random {
    /// A source; a `setup` without registers or routes means that it chooses them.
    pub(super) fn new(p: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut world = World::new(p, seed ^ 0x2b_d1_77_09_e5_4c_3a_18);
        match &setup.lft {
            Some(routes) => world.lft.extend(routes.iter().copied()),
            None => world.route(0),
        }
        let free_registers = setup.input_port.is_empty() && setup.output_port.is_empty();
        if p.random_up && free_registers && setup.lft.is_none() {
            for dlid in (0..world.d.lft_depth.min(256) as u16 - 2).filter(|dlid| dlid % 3 != 0) {
                world.lft.push_back((dlid, ANY_UP));
            }
        }
        for &(addr, data) in &setup.input_port {
            world.write(INPUT, ALL_PORTS, addr, data);
        }
        for &(addr, data) in &setup.output_port {
            world.write(OUTPUT, ALL_PORTS, addr, data);
        }
        let d = world.d;
        let mut r = Random {
            knobs: knobs.clone(),
            marks: MarkKnobs::new(&d, knobs, seed),
            free_registers,
            kind: Phase::Uniform,
            left: 0,
            mean_phase: knobs.phase_len.map_or(1500, |l| l as u32),
            load: 0.0,
            to_hot: 0,
            hot: Vec::with_capacity(32),
            shift: 0,
            short: 0,
            long: 0,
            cnp: 0,
            violate: 0,
            wild: 0,
            tree: 0,
            stop_go: 0,
            lost: 0,
            reconfig: 0,
            starve: 0.0,
            starve_left: 0,
            trees: vec![Tree::default(); d.ports * d.lines],
            ttw: 203,
            world,
        };
        r.next_phase();
        r
    }

    /// Destinations with a route, by the table that is written if no other is given.
    fn dests(&self) -> u16 {
        (self.world.d.lft_depth.min(256) - 2).max(1) as u16
    }

    fn next_phase(&mut self) {
        let (dests, knobs) = (self.dests(), self.knobs.clone());
        let d = self.world.d;
        let w = &mut self.world;
        let rng = &mut w.rng;
        self.left = rng.random_range(self.mean_phase / 4..=self.mean_phase * 7 / 4).max(16);
        self.kind = KINDS[rng.random_range(0..KINDS.len())];
        let kind = self.kind;
        let some = |rng: &mut SmallRng, p: f64, hi: f64| -> f64 {
            if rng.random_bool(p) { rng.random_range(0.0..1.0) * hi } else { 0.0 }
        };

        // Traffic.
        self.load = knobs.load.unwrap_or(match kind {
            Phase::Drain => 0.0,
            Phase::Permutation | Phase::Hotspot => 1.0,
            _ if rng.random_bool(0.6) => 1.0,
            _ => rng.random_range(0.05..1.0),
        });
        self.shift = rng.random_range(0..d.ports);
        let (o, n) = (rng.random_range(0..d.ports), rng.random_range(1..=d.dlist + 2));
        self.hot.clear();
        self.hot.extend((0..dests).filter(|x| usize::from(*x) % d.ports == o).take(n));
        if self.hot.is_empty() {
            self.hot.push(0);
        }
        self.to_hot = chance(knobs.hotspot_share.unwrap_or(match kind {
            Phase::Hotspot | Phase::Slow | Phase::Trees | Phase::Churn => rng.random_range(0.3..1.0),
            Phase::Mixed => some(rng, 0.7, 1.0),
            _ => 0.0,
        }));
        let (short, long) = match rng.random_range(0..5) {
            0 => (1.0, 0.0),
            1 | 2 => (0.0, 1.0),
            3 => (0.5, 0.3),
            _ => (0.2, 0.0),
        };
        let own = knobs.short_share.is_none() && knobs.long_share.is_none();
        self.short = chance(if own { short } else { knobs.short_share.unwrap_or(0.0) });
        self.long = chance(if own { long } else { knobs.long_share.unwrap_or(0.0) });
        self.cnp = chance(knobs.cnp_share.unwrap_or(match kind {
            Phase::Notify => rng.random_range(0.2..0.9),
            _ => some(rng, 0.5, 0.2),
        }));

        // Links.
        let lossy = match kind {
            Phase::Violate => some(rng, 0.7, 0.5),
            _ => some(rng, 0.1, 0.3),
        };
        let lossy = chance(knobs.message_loss.unwrap_or(lossy));
        let gap = chance(knobs.gap_rate.unwrap_or(some(rng, 0.2, 0.3)));
        let slow = if rng.random_bool(0.15) { rng.random_range(2..=4) } else { 1 };
        let pace = knobs.slow_link.map_or(slow, |s| s as u32);
        for s in &mut w.senders {
            (s.lose_credit, s.lose_fctbs, s.gap, s.pace) = (lossy, lossy, gap, pace);
            s.fctbs_every = [1, 4, 16, 64][rng.random_range(0..4)];
        }
        for (port, r) in w.receivers.iter_mut().enumerate() {
            if d.params.srp {
                r.shut = if rng.random_bool(0.3) { rng.random_range(0..1 << d.vls) } else { 0 };
            }
            r.lose = lossy;
            r.every = [1, 1, 2, 4, 16][rng.random_range(0..5)];
            r.cap = match rng.random_range(0..4) {
                0 => d.mtu as u32,
                1 => rng.random_range(d.mtu..=4 * d.mtu) as u32,
                _ => 2048,
            };
            r.drain = match kind {
                Phase::Stalled => 0,
                Phase::Slow if port == o => chance(rng.random_range(0.02..0.3)),
                Phase::Mixed if rng.random_bool(0.3) => chance(rng.random_range(0.0..1.0)),
                _ => ALWAYS,
            };
        }
        self.starve = knobs.credit_starvation.unwrap_or(match kind {
            Phase::Trees | Phase::Mixed => some(rng, 0.5, 0.8),
            _ => some(rng, 0.1, 0.5),
        });
        w.spare = chance([0.0, 0.1, 1.0][rng.random_range(0..3)]);
        for c in &mut w.carriers {
            c.vary(rng, knobs.link_falls);
        }

        // Trees.
        self.tree = chance(knobs.tree_rate.unwrap_or(match kind {
            // few, so that inputs keep hot queues for several outputs, or many
            Phase::Trees if rng.random() => rng.random_range(0.002..0.02),
            Phase::Trees | Phase::Churn => rng.random_range(0.01..0.3),
            Phase::Slow | Phase::Mixed => some(rng, 0.8, 0.05),
            _ => some(rng, 0.3, 0.02),
        }));
        self.stop_go = chance(knobs.stop_go_rate.unwrap_or(some(rng, 0.5, 0.2)));
        self.lost = lossy;

        // Faults.
        self.violate = chance(knobs.violation_rate.unwrap_or(match kind {
            Phase::Violate => rng.random_range(0.02..0.6),
            Phase::Mixed => some(rng, 0.5, 0.1),
            _ => 0.0,
        }));
        self.wild = match kind {
            Phase::Violate if knobs.violation_rate != Some(0.0) => chance(rng.random_range(0.001..0.1)),
            _ => 0,
        };

        // Registers.
        self.reconfig = chance(match knobs.reconfig_rate {
            Some(rate) => rate,
            None if !self.free_registers => 0.0,
            None => some(rng, 0.3, 0.02),
        });
        if self.free_registers {
            self.registers(pace);
        }
    }

    /// Registers for a new phase, those of all ports alike.
    fn registers(&mut self, pace: u32) {
        let w = &mut self.world;
        let mut writes = VecDeque::new();
        let suited = w.rng.random_bool(0.9);
        writes.push_back((5, if suited { pace } else { w.rng.random_range(0..16) }));
        writes.push_back((6, if self.kind == Phase::Violate { w.rng.random_range(1..64) } else { 0 }));
        for addr in [0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14] {
            if w.rng.random_bool(0.6) {
                register(&w.d, &mut w.rng, addr, &mut writes);
            }
        }
        if self.kind == Phase::Churn {
            let hth = w.rng.random_range(0..=w.d.mtu as u32);
            let timer = w.rng.random_range(0..40);
            let ctrl = 1 | readings(&mut w.rng);
            writes.extend([(0, ctrl), (1, hth), (2, hth), (7, timer), (13, 0), (14, 0)]);
        } else if matches!(self.kind, Phase::Trees | Phase::Hotspot | Phase::Slow) {
            // queues long enough that trees live
            let hth = w.rng.random_range(1..=2 * w.d.mtu as u32);
            let ctrl = 1 | readings(&mut w.rng);
            writes.extend([(0, ctrl), (1, hth), (2, hth / 2), (3, 0), (7, 10_000)]);
        }
        for (addr, data) in writes {
            w.write(INPUT, ALL_PORTS, addr, data);
        }
        let id = w.rng.random();
        w.write(INPUT, ALL_PORTS, 9, id);
        for addr in 0..=8 {
            if self.world.rng.random_bool(0.6) {
                let data = self.output_value(addr);
                self.world.write(OUTPUT, ALL_PORTS, addr, data);
            }
        }
        let w = &mut self.world;
        let last = |unit: u8, addr: u8| {
            w.cfg.iter().rev().find(|c| (c.unit, c.port, c.addr) == (unit, ALL_PORTS, addr)).map(|c| c.data)
        };
        let (ctrl_in, ctrl_out) = (last(INPUT, 0), last(OUTPUT, 0));
        let slowest = last(OUTPUT, 7).unwrap_or(1).max(1);
        if let Some((input, output)) = self.marks.paces(slowest) {
            w.write(INPUT, ALL_PORTS, 19, input);
            w.write(OUTPUT, ALL_PORTS, 13, output);
        }
        for (addr, data) in self.marks.input_port(ctrl_in, slowest) {
            w.write(INPUT, ALL_PORTS, addr, data);
        }
        if let Some(ctrl) = ctrl_out {
            let bits = self.marks.output_ctrl();
            w.write(OUTPUT, ALL_PORTS, 0, ctrl | bits);
        }
        for (addr, data) in self.marks.output_port(w.d.mtu as u32) {
            w.write(OUTPUT, ALL_PORTS, addr, data);
        }
        if w.d.params.srp {
            self.spec_registers(ALL_PORTS);
        }
        if self.world.d.params.random_up {
            (0..self.world.d.ports as u8).for_each(|port| self.up(port));
        }
    }

    /// UP1: the ports of an input that lead up, and what it draws next.
    fn up(&mut self, port: u8) {
        let mut writes = VecDeque::new();
        up_registers(self.world.d.ports, &mut self.world.rng, &mut writes);
        for (addr, data) in writes {
            self.world.write(INPUT, port, addr, data);
        }
    }

    /// Q6: whether speculative packets are dropped, and when.
    fn spec_registers(&mut self, port: u8) {
        let rng = &mut self.world.rng;
        self.ttw = match rng.random_range(0..6) {
            0 => rng.random_range(0..3),
            1 | 2 => rng.random_range(3..60),
            3 => 203,
            _ => rng.random_range(0..0x8000),
        };
        let drop = u32::from(rng.random_bool(0.85));
        self.world.write(INPUT, port, 21, self.ttw);
        self.world.write(INPUT, port, 20, drop);
    }

    /// Q4, Q5: source and age of a speculative packet.
    fn suit_spec(&mut self, packet: &mut Packet) {
        let (d, dests) = (self.world.d, self.dests());
        let rng = &mut self.world.rng;
        if d.params.srp_lane(usize::from(packet.vl)) == Some(SrpLane::Spec) {
            packet.age = match rng.random_range(0..8) {
                0 => (self.ttw + rng.random_range(0..3)).saturating_sub(1) as u16,
                1 => rng.random_range(0..300),
                2 if self.kind == Phase::Violate => rng.random(),
                _ => rng.random_range(0..4),
            };
            // mostly it came the way that leads back
            if rng.random_bool(0.3) {
                packet.slid = rng.random_range(0..dests);
            }
        }
    }

    /// A value for a register of the output ports.
    fn output_value(&mut self, addr: u8) -> u32 {
        let (mtu, cap) = (self.world.d.mtu as u32, self.world.d.cap as u32);
        let rng = &mut self.world.rng;
        match addr {
            0 => {
                let mut on = |p: f64| u32::from(rng.random_bool(p));
                on(0.9)
                    | on(0.9) << 1
                    | on(0.3) << 2
                    | on(0.3) << 7
                    | on(0.4) << 8
                    | rng.random_range(0..16) << 3
            }
            1 | 2 => rng.random_range(0..=cap),
            3 => [0, 1, 3, rng.random_range(0..65536)][rng.random_range(0..4)],
            4 => rng.random_range(0..512),
            5 => [0, 1, mtu][rng.random_range(0..3)],
            6 => [0, 1, 2, 4, 20][rng.random_range(0..5)],
            7 => [1, 1, 1, 2, rng.random_range(0..16)][rng.random_range(0..5)],
            8 => [0, 5, 100, 5000, u32::MAX, u32::MAX][rng.random_range(0..6)],
            _ => rng.random(),
        }
    }

    /// One register of one port changes, sometimes of a port or unit that is not there.
    fn reconfigure(&mut self) {
        let ports = self.world.d.ports as u8;
        let rng = &mut self.world.rng;
        let port = match rng.random_range(0..16) {
            0 => rng.random_range(ports..=254),
            1 => ALL_PORTS,
            _ => rng.random_range(0..ports),
        };
        match rng.random_range(0..16) {
            0 => {
                let (unit, addr) = (rng.random_range(2..=255), rng.random_range(0..16));
                self.world.write(unit, port, addr, 1);
            }
            1 => {
                // a destination moves to another port
                let dests = self.dests();
                let rng = &mut self.world.rng;
                let mut route = (rng.random_range(0..dests), rng.random_range(0..ports));
                if self.world.d.params.random_up && self.free_registers && rng.random() {
                    route.1 = ANY_UP;
                }
                self.world.lft.push_back(route);
            }
            2 if self.world.d.params.srp => self.spec_registers(port),
            3 | 4 if self.world.d.params.random_up => self.up(port),
            2..=8 => {
                let addr = rng.random_range(0..=16);
                let mut writes = VecDeque::new();
                register(&self.world.d, rng, addr, &mut writes);
                for (addr, data) in writes {
                    self.world.write(INPUT, port, addr, data);
                }
            }
            _ => {
                let addr = rng.random_range(0..=11);
                let data = self.output_value(addr);
                self.world.write(OUTPUT, port, addr, data);
            }
        }
    }

    /// The next packet of input `i`.
    fn packet(&mut self, i: usize) {
        let dests = self.dests();
        let d = self.world.d;
        let rng = &mut self.world.rng;
        let dlid = if hit(rng, self.to_hot) {
            self.hot[rng.random_range(0..self.hot.len())]
        } else if self.kind == Phase::Permutation {
            let o = (i + self.shift) % d.ports;
            let rounds = usize::from(dests) / d.ports;
            (o + d.ports * rng.random_range(0..rounds.max(1))) as u16 % dests
        } else {
            rng.random_range(0..dests)
        };
        let cnp = hit(rng, self.cnp) && self.knobs.markable.is_none();
        let n = if cnp || hit(rng, self.short) {
            1
        } else if hit(rng, self.long) {
            d.mtu
        } else {
            rng.random_range(1..=d.mtu)
        };
        let r: u32 = rng.random();
        let mut packet = Packet {
            vl: if d.vl_by_dest { (r >> 12 & 15) as u8 } else { rng.random_range(0..d.vls) as u8 },
            lnh: if r & 7 == 0 { (r >> 4 & 3) as u8 } else { 2 },
            opcode: if cnp { OPCODE_CNP } else { (r >> 8) as u8 & 0x7f },
            dlid,
            slid: i as u16,
            words: (16 * n) as u16 - if r & 0x100_0000 != 0 { (r >> 25 & 15) as u16 } else { 0 },
            age: 0,
            fault: Fault::None,
        };
        if let Some(share) = self.knobs.markable {
            packet.set_markable(self.marks.on(Some(share)));
        }
        packet.suit(&d, rng);
        if d.params.srp {
            self.suit_spec(&mut packet);
        }
        let n = if d.params.srp { packet.flits().max(1) } else { n };
        let rng = &mut self.world.rng;
        if hit(rng, self.violate) {
            break_packet(&mut packet, n, &d, 64, rng);
        }
        let sender = &mut self.world.senders[i];
        if self.load < 1.0 {
            let idle = (1.0 / self.load - 1.0) * f64::from(n as u32 * sender.pace);
            sender.wait = (idle * rng.random_range(0.0..2.0)) as u32;
        }
        sender.queue.push_back(packet);
    }

    /// A neighbour tells of a tree, or of a change of one.
    fn tree_event(&mut self, stop_go: bool) {
        let dests = self.dests();
        let d = self.world.d;
        let rng = &mut self.world.rng;
        let hot_port = usize::from(self.hot[0]) % d.ports;
        let port = if rng.random_bool(0.5) { hot_port } else { rng.random_range(0..d.ports) };
        let k = rng.random_range(0..d.lines);
        let tree = &mut self.trees[port * d.lines + k];
        let mut m = tree.message;
        if stop_go {
            if !tree.on {
                return;
            }
            tree.message.stop = !tree.message.stop;
            m = Message { line: k as u32, vl: m.vl, ..Message::default() };
            m.kind = if tree.message.stop { STOP } else { GO };
        } else if tree.on && rng.random_bool(0.5) {
            tree.on = false;
            m = Message { kind: DEALLOC, line: k as u32, vl: m.vl, ..Message::default() };
        } else {
            let behind: Vec<u16> = (0..dests).filter(|x| usize::from(*x) % d.ports == port).collect();
            let grows = tree.on && rng.random_bool(0.8);
            let (old, kept) = (m.dlist, if grows { m.dcnt as usize } else { 0 });
            let n = rng.random_range(kept.max(1)..=d.dlist);
            m = Message {
                kind: ALLOC,
                line: k as u32,
                vl: if tree.on { m.vl } else { rng.random_range(0..d.vls as u32) },
                // half of those that are told again are the same tree, with a longer list
                root: if grows { m.root } else { rng.random::<u32>() & 0xff_ffff },
                hops: if rng.random_bool(0.1) { 63 } else { rng.random_range(0..4) },
                stop: rng.random_bool(0.2),
                dcnt: n as u32,
                dlist: [0; 32],
            };
            m.dlist[..kept].copy_from_slice(&old[..kept]);
            for slot in &mut m.dlist[kept..n] {
                *slot = match port == hot_port && rng.random_bool(0.8) {
                    true => self.hot[rng.random_range(0..self.hot.len())],
                    false if behind.is_empty() => rng.random_range(0..dests),
                    false => behind[rng.random_range(0..behind.len())],
                };
            }
            *tree = Tree { message: m, on: true };
        }
        if !hit(rng, self.lost) {
            self.world.tell(port, m);
        }
    }

    /// Neighbours whose link came up tell of their trees again.
    fn tell_again(&mut self) {
        let lines = self.world.d.lines;
        for port in (0..self.world.d.ports).filter(|p| self.world.rose >> p & 1 != 0) {
            for tree in self.trees[port * lines..(port + 1) * lines].iter().filter(|t| t.on) {
                let again = Message { kind: ALLOC, ..tree.message };
                self.world.receivers[port].msgs.push_back(again);
            }
        }
    }

    /// A damaged message or counter.
    fn wild_event(&mut self) {
        let d = self.world.d;
        let rng = &mut self.world.rng;
        let port = rng.random_range(0..d.ports);
        let r: u32 = rng.random();
        match r & 7 {
            0 => self.world.senders[port].fctbs_error = (r >> 8) as u16,
            1 => self.world.senders[port].fctbs_bad_vl = Some((r >> 8) as u8),
            2 => self.world.receivers[port].error = r >> 8,
            3 => self.world.receivers[port].bad_vl = Some((r >> 8) as u8),
            4 if self.free_registers => {
                self.world.write(INPUT, ALL_PORTS, 10, r >> 16);
                self.world.write(OUTPUT, ALL_PORTS, 10, r >> 16);
            }
            _ => {
                let mut dlist = [0; 32];
                dlist[..d.dlist].iter_mut().for_each(|x| *x = rng.random_range(0..64));
                let small = r & 8 != 0;
                let m = Message {
                    kind: r >> 4 & 3,
                    line: if small { rng.random_range(0..d.lines as u32) } else { r >> 8 & 0xff },
                    vl: if small { rng.random_range(0..d.vls as u32) } else { r >> 16 & 0xff },
                    root: rng.random::<u32>() & 0xff_ffff,
                    hops: r >> 24 & 63,
                    stop: r >> 30 & 1 != 0,
                    dcnt: rng.random_range(0..=d.dlist as u32 + 1),
                    dlist,
                };
                self.world.tell(port, m);
            }
        }
    }
}

impl Source for Random {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        if self.world.ready(seen) {
            if self.left == 0 {
                self.next_phase();
            }
            self.left -= 1;
            let routed = self.world.lft.is_empty();
            for i in 0..self.world.d.ports {
                let sender = &mut self.world.senders[i];
                let patience = if self.world.d.params.srp { 6 } else { 64 };
                if sender.blocked > patience {
                    // another one may fit
                    sender.blocked = 0;
                    sender.queue.pop_front();
                }
                if self.load > 0.0 && routed && sender.queue.is_empty() {
                    self.packet(i);
                }
            }
            self.tell_again();
            let rng = &mut self.world.rng;
            let (tree, stop_go) = (hit(rng, self.tree), hit(rng, self.stop_go));
            let (reconfigure, wild) = (hit(rng, self.reconfig), hit(rng, self.wild));
            if tree {
                self.tree_event(false);
            }
            if stop_go {
                self.tree_event(true);
            }
            if reconfigure {
                self.reconfigure();
            }
            if wild {
                self.wild_event();
            }
            if self.starve_left == 0 {
                let rng = &mut self.world.rng;
                self.starve_left = rng.random_range(8..300);
                for r in &mut self.world.receivers {
                    r.starved = rng.random_bool(self.starve.clamp(0.0, 1.0));
                }
            }
            self.starve_left -= 1;
        }
        self.world.drive(seen, input);
    }
}
