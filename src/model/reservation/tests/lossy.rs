//! Units that are joined by a network which loses what it may lose: every packet comes once, and all ends are idle afterwards,
//! whatever is lost and whichever end is reset.
//!
//! Nothing here knows how the units work: only pins, and what an adapter does with them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::*;
use crate::model::Unit;
use crate::signals::Layout;

/// Kinds of packets, beside those of replies.
const RES: u32 = 0;
const SENT_SPEC: u32 = 11;
const SENT_GRANTED: u32 = 12;
const SENT_BYPASS: u32 = 13;

/// A packet on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Packet {
    kind: u32,
    from: usize,
    to: usize,
    id: u32,
    seq: u32,
    rty: bool,
    init: bool,
    flits: u32,
    /// RES: flits of the chunk; GRANT: wait; else PSN.
    value: u32,
    bad: bool,
}

impl Packet {
    /// The destination looks whether it came before, and answers.
    fn is_answered(&self) -> bool {
        self.kind == SENT_SPEC || self.kind == SENT_GRANTED && self.rty
    }
}

/// What is random.
#[derive(Clone, Copy, Debug)]
struct Weather {
    rto: u32,
    ctrl: u32,
    /// Chances: of a loss on the lanes of RES, replies, SPEC; of a drop; of damage.
    lost: [f64; 3],
    dropped: f64,
    damaged: f64,
    /// Longest way, in cycles.
    way: u64,
    /// Chances of a cycle: of a post, of a host that takes, of a link that is free.
    post: f64,
    takes: f64,
    link: f64,
    /// Cycles between two resets; 0: none.
    resets: u64,
    nmin: u32,
}

impl Weather {
    /// Packets are taken in order.
    fn is_ordered(&self) -> bool {
        self.ctrl & 0x20 != 0 && self.resets == 0 && self.damaged == 0.0
    }
}

/// An adapter: a unit, its link, its receive FIFO, its host.
struct Node {
    unit: Box<dyn Unit>,
    input: Vec<u32>,
    out: Vec<u32>,
    state: Vec<u32>,
    /// What has arrived and waits for the link.
    arrived: VecDeque<Packet>,
    /// What becomes of the packet that is coming.
    coming: Fate,
    /// The flit of the cycle before: of which packet, first, last.
    before: Option<(Packet, bool, bool)>,
    rin: Option<Packet>,
    rep: Option<Packet>,
    fifo: VecDeque<(Packet, bool)>,
    ungranted: u32,
    credits: usize,
    /// Resets so far, and the cycle of the last one.
    incarnation: u32,
    reset_at: u64,
    config: VecDeque<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stored,
    Marker,
    Dropped,
}

/// All of them, and the network.
struct Net {
    p: Params,
    l: Layout,
    w: Weather,
    rng: SmallRng,
    nodes: Vec<Node>,
    cycle: u64,
    /// On their way, by the cycle in which they come.
    flying: BinaryHeap<Reverse<(u64, u64, Packet)>>,
    order: u64,
    /// Last arrival of a lane (RES, data) of a pair: these stay in order.
    last: BTreeMap<(u32, usize, usize), u64>,
    psn: BTreeMap<(usize, usize), u32>,
    /// Posted: cycle. Taken: how often, by incarnation of the host.
    posted: BTreeMap<(usize, usize, u32), u64>,
    taken: BTreeMap<(usize, usize, u32, u32), u32>,
    /// The packet behind the last that was taken.
    next: BTreeMap<(usize, usize), u32>,
    posting: bool,
}

impl Node {
    fn new(p: &Params, l: &Layout, w: &Weather) -> Node {
        Node {
            unit: crate::model::new(UnitKind::Reservation, p).unwrap(),
            input: l.idle(),
            out: vec![0; l.out_words],
            state: vec![0; l.state_words],
            arrived: VecDeque::new(),
            coming: Fate::Stored,
            before: None,
            rin: None,
            rep: None,
            fifo: VecDeque::new(),
            ungranted: 0,
            credits: p.ctl_blocks,
            incarnation: 0,
            reset_at: 0,
            config: VecDeque::from([(6, w.rto), (3, w.nmin), (0, w.ctrl)]),
        }
    }
}

impl Net {
    fn new(p: &Params, w: Weather, nodes: usize, seed: u64) -> Net {
        let l = Layout::new(UnitKind::Reservation, p);
        Net {
            p: *p,
            nodes: (0..nodes).map(|_| Node::new(p, &l, &w)).collect(),
            l,
            w,
            rng: SmallRng::seed_from_u64(seed),
            cycle: 0,
            flying: BinaryHeap::new(),
            order: 0,
            last: BTreeMap::new(),
            psn: BTreeMap::new(),
            posted: BTreeMap::new(),
            taken: BTreeMap::new(),
            next: BTreeMap::new(),
            posting: true,
        }
    }

    fn out(&self, node: usize, name: &str) -> u32 {
        self.nodes[node].out[self.l.output(name)]
    }

    fn set(&mut self, node: usize, name: &str, value: u32) {
        let at = self.l.input(name);
        self.nodes[node].input[at] = value;
    }

    /// A packet leaves.
    fn send(&mut self, p: Packet) {
        let (lost, lane) = match p.kind {
            RES => (self.w.lost[0], Some(0)),
            GRANT | ACK | NACK => (self.w.lost[1], None),
            SENT_SPEC => (self.w.lost[2], None),
            _ => (0.0, Some(1)),
        };
        if self.rng.random_bool(lost) {
            return;
        }
        let mut at = self.cycle + self.rng.random_range(1..=self.w.way);
        if p.kind == SENT_SPEC && self.rng.random_bool(self.w.dropped) {
            let nack = Packet { kind: NACK, from: p.to, to: p.from, flits: 1, ..p };
            return self.send(nack);
        }
        if let Some(lane) = lane {
            let last = self.last.entry((lane, p.from, p.to)).or_default();
            at = at.max(*last);
            *last = at;
        }
        let bad = p.is_answered() && self.rng.random_bool(self.w.damaged);
        self.order += 1;
        self.flying.push(Reverse((at, self.order, Packet { bad, ..p })));
    }

    fn arrivals(&mut self) {
        let mut wait = Vec::new();
        while let Some(Reverse((at, order, p))) = self.flying.peek().copied() {
            if at > self.cycle {
                break;
            }
            self.flying.pop();
            let node = &mut self.nodes[p.to];
            let ready = node.out[self.l.output("ready")] != 0;
            if !ready || p.kind == RES && node.credits == 0 {
                wait.push(Reverse((self.cycle + 1, order, p)));
                continue;
            }
            node.credits -= usize::from(p.kind == RES);
            node.arrived.push_back(p);
        }
        self.flying.extend(wait);
    }

    /// The receiver of a node: judges the flit of the cycle before, and takes one.
    fn receive(&mut self, n: usize) {
        let (drop, ack, known) =
            (self.out(n, "see_drop") == 1, self.out(n, "see_ack") == 1, self.out(n, "see_known"));
        let node = &mut self.nodes[n];
        let mut ok = false;
        if let Some((p, first, last)) = node.before.take() {
            if p.kind == RES {
                ok = true;
                if drop {
                    node.credits += 1;
                } else {
                    node.rin = Some(if p.init { Packet { id: known, ..p } } else { p });
                }
            } else if matches!(p.kind, GRANT | ACK | NACK) {
                node.rep = Some(p);
            } else {
                let fate = match (first, drop, ack) {
                    (false, ..) => node.coming,
                    (_, true, true) => Fate::Marker,
                    (_, true, _) => Fate::Dropped,
                    _ => Fate::Stored,
                };
                node.coming = fate;
                match fate {
                    Fate::Stored if last => {
                        ok = !p.bad;
                        node.fifo.push_back((p, false));
                    }
                    Fate::Marker if first => node.fifo.push_back((p, true)),
                    _ => {}
                }
            }
        }
        // The flit of this cycle.
        let Some(p) = node.arrived.front_mut() else {
            return self.set(n, "see_ok", ok.into());
        };
        let (packet, last) = (Packet { flits: 1, ..*p }, p.flits == 1);
        let first = p.value >> 31 == 0 || matches!(p.kind, RES | GRANT | ACK | NACK);
        let packet =
            Packet { value: if first { packet.value } else { packet.value & 0x7fff_ffff }, ..packet };
        if last {
            node.arrived.pop_front();
        } else {
            // Flits to come; bit 31: no longer the first.
            p.flits -= 1;
            p.value |= 1 << 31;
        }
        node.before = Some((packet, first, last));
        self.set(n, "see_ok", ok.into());
        let looked = packet.is_answered();
        self.set(n, "see_look", (looked && first).into());
        self.set(n, "see_mark", (looked && last).into());
        self.set(n, "see_res", (packet.kind == RES).into());
        self.set(n, "see_init", packet.init.into());
        self.set(n, "see_flow", packet.from as u32);
        self.set(n, "see_id", packet.id);
        self.set(n, "see_seq", packet.seq);
        let plain = matches!(packet.kind, SENT_GRANTED | SENT_BYPASS) && !packet.rty;
        self.set(n, "see_spec", (packet.kind == SENT_SPEC && first).into());
        self.set(n, "see_pass", (plain && last).into());
        self.set(n, "see_psn", packet.value & 0xff_ffff);
    }

    /// What the receiver found in the cycle before.
    fn tell(&mut self, n: usize) {
        if let Some(p) = self.nodes[n].rin.take() {
            self.set(n, "rin_valid", 1);
            self.set(n, "rin_slid", p.from as u32);
            self.set(n, "rin_id", p.id);
            self.set(n, "rin_size", p.value);
            self.set(n, "rin_init", p.init.into());
        }
        if let Some(p) = self.nodes[n].rep.take() {
            self.set(n, "rep_valid", 1);
            self.set(n, "rep_kind", p.kind);
            self.set(n, "rep_flow", p.from as u32);
            self.set(n, "rep_id", p.id);
            self.set(n, "rep_seq", p.seq);
            self.set(n, "rep_wait", if p.kind == GRANT { p.value } else { 0 });
            self.set(n, "rep_rty", p.rty.into());
            self.set(n, "rep_init", p.init.into());
        }
    }

    /// The host of a node takes a packet.
    fn host(&mut self, n: usize) {
        let Some((p, marker)) = self.nodes[n].fifo.front().copied() else { return };
        let ends = p.is_answered();
        let takes = marker || self.rng.random_bool(self.w.takes);
        if !takes || ends && self.out(n, "end_ok") == 0 {
            return;
        }
        self.nodes[n].fifo.pop_front();
        if !marker && !p.bad {
            let key = (p.from, n, p.value, self.nodes[n].incarnation);
            let times = self.taken.entry(key).or_default();
            *times += 1;
            assert_eq!(*times, 1, "cycle {}: taken twice: {p:?} {:?}", self.cycle, self.w);
            let next = self.next.entry((p.from, n)).or_default();
            let in_order = p.value == std::mem::replace(next, p.value + 1);
            assert!(
                in_order || !self.w.is_ordered(),
                "cycle {}: out of order: {p:?} {:?}",
                self.cycle,
                self.w
            );
        }
        if ends {
            self.set(n, "end_valid", 1);
            self.set(n, "end_bad", (p.bad && !marker).into());
            self.set(n, "end_slid", p.from as u32);
            self.set(n, "end_id", p.id);
            self.set(n, "end_seq", p.seq);
            self.set(n, "end_rty", p.rty.into());
        }
    }

    /// What a node sends.
    fn transmit(&mut self, n: usize) {
        let room = if self.rng.random_bool(self.w.link) { 0x1ff } else { 0 };
        self.set(n, "room", room);
        let node = &mut self.nodes[n];
        let held = node.ungranted > 0;
        node.ungranted = node.ungranted.saturating_sub(1);
        self.set(n, "ungranted", held.into());
        let free = |rng: &mut SmallRng, chance: f64| rng.random_bool(chance);
        if self.out(n, "inj_valid") == 1 && free(&mut self.rng, self.w.link) {
            self.set(n, "inj_ready", 1);
            let flits = self.out(n, "inj_len");
            self.nodes[n].ungranted = flits;
            self.send(Packet {
                kind: self.out(n, "inj_kind") + 10,
                from: n,
                to: self.out(n, "inj_flow") as usize,
                id: self.out(n, "inj_id"),
                seq: self.out(n, "inj_seq"),
                rty: self.out(n, "inj_rty") == 1,
                init: false,
                flits,
                value: self.out(n, "inj_psn"),
                bad: false,
            });
        }
        if self.out(n, "res_valid") == 1 && free(&mut self.rng, self.w.link) {
            self.set(n, "res_ready", 1);
            self.send(Packet {
                kind: RES,
                from: n,
                to: self.out(n, "res_flow") as usize,
                id: self.out(n, "res_id"),
                seq: 0,
                rty: self.out(n, "res_rty") == 1,
                init: self.out(n, "res_init") == 1,
                flits: 1,
                value: self.out(n, "res_size"),
                bad: false,
            });
        }
        if self.out(n, "out_valid") == 1 && free(&mut self.rng, self.w.link) {
            self.set(n, "out_ready", 1);
            self.send(Packet {
                kind: self.out(n, "out_kind"),
                from: n,
                to: self.out(n, "out_lid") as usize,
                id: self.out(n, "out_id"),
                seq: self.out(n, "out_seq"),
                rty: self.out(n, "out_rty") == 1,
                init: self.out(n, "out_init") == 1,
                flits: 1,
                value: self.out(n, "out_wait"),
                bad: false,
            });
        }
    }

    fn post(&mut self, n: usize) {
        if let Some((a, v)) = self.nodes[n].config.pop_front() {
            self.set(n, "cfg_we", 1);
            self.set(n, "cfg_addr", a);
            self.set(n, "cfg_data", v);
            return;
        }
        if !self.posting || !self.rng.random_bool(self.w.post) {
            return;
        }
        let to = self.rng.random_range(0..self.nodes.len());
        let full = self.nodes[n].out[self.l.output("gen_full")] >> to & 1 != 0;
        if to == n || full {
            return;
        }
        let pkts = self.rng.random_range(1..=3 * self.p.nmax as u32);
        let mtu = self.p.mtu as u32;
        let last = if self.rng.random() { mtu } else { self.rng.random_range(1..=mtu) };
        let psn = self.psn.entry((n, to)).or_default();
        let first = *psn;
        *psn += pkts;
        self.posted.extend((first..first + pkts).map(|psn| ((n, to, psn), self.cycle)));
        let pins = [("valid", 1), ("flow", to as u32), ("pkts", pkts), ("last", last), ("psn", first)];
        pins.iter().for_each(|(name, v)| self.set(n, &format!("post_{name}"), *v));
    }

    /// A node loses all it has.
    fn reset(&mut self, n: usize) {
        let w = self.w;
        let node = &mut self.nodes[n];
        node.unit.reset();
        let incarnation = node.incarnation + 1;
        let unit =
            std::mem::replace(&mut node.unit, crate::model::new(UnitKind::Reservation, &self.p).unwrap());
        let fresh = Node::new(&self.p, &self.l, &w);
        *node = Node { unit, incarnation, reset_at: self.cycle, ..fresh };
    }

    fn step(&mut self) {
        self.cycle += 1;
        if self.posting && self.w.resets > 0 && self.cycle.is_multiple_of(self.w.resets) {
            let n = self.rng.random_range(0..self.nodes.len());
            self.reset(n);
        }
        for node in &mut self.nodes {
            self.l.make_idle(&mut node.input);
            node.unit.outputs(&[], &mut node.out);
        }
        self.arrivals();
        for n in 0..self.nodes.len() {
            if self.out(n, "ready") == 1 {
                self.nodes[n].credits += self.out(n, "rin_done") as usize;
                self.tell(n);
                self.receive(n);
                self.host(n);
                self.transmit(n);
                self.post(n);
            }
            let node = &mut self.nodes[n];
            node.unit.step(&node.input);
        }
    }

    /// Nothing is under way, nothing waits.
    fn is_idle(&mut self) -> bool {
        let Net { l, nodes, flying, .. } = self;
        let states =
            ["st_op", "st_pq", "st_res_pkts", "st_rep_pkts", "st_tv", "st_b"].map(|name| l.state(name));
        let offers = ["inj_valid", "res_valid", "out_valid"].map(|name| l.output(name));
        let is_idle = |node: &mut Node| {
            node.unit.state(&mut node.state);
            node.unit.outputs(&[], &mut node.out);
            let empty = node.arrived.is_empty() && node.fifo.is_empty() && node.before.is_none();
            let told = node.rin.is_none() && node.rep.is_none();
            empty
                && told
                && states.iter().all(|at| node.state[*at] == 0)
                && offers.iter().all(|at| node.out[*at] == 0)
        };
        flying.is_empty() && nodes.iter_mut().all(is_idle)
    }

    /// Posts for so many cycles, waits for the end, and looks at what came.
    fn run(&mut self, cycles: u64) {
        while self.cycle < cycles {
            self.step();
        }
        self.posting = false;
        let most = self.cycle + 400_000;
        while !self.is_idle() {
            self.step();
            assert!(self.cycle < most, "it does not end: {:?} {}", self.w, self.left());
        }
        let errors: Vec<_> = (0..self.nodes.len()).map(|n| self.out(n, "err")).collect();
        assert!(errors.iter().all(|e| *e == 0), "{errors:?} {:?}", self.w);
        let mut missing = Vec::new();
        for (&(from, to, psn), &at) in &self.posted {
            let since = self.nodes[from].reset_at.max(self.nodes[to].reset_at);
            let key = (from, to, psn, self.nodes[to].incarnation);
            if (since == 0 || at > since) && !self.taken.contains_key(&key) {
                missing.push((key, at));
            }
        }
        assert!(
            missing.is_empty(),
            "{} lost: {:?} {:?}",
            missing.len(),
            missing.iter().take(5).collect::<Vec<_>>(),
            self.w
        );
    }

    fn left(&self) -> String {
        let state = |n: usize, name: &str| self.nodes[n].state[self.l.state(name)];
        (0..self.nodes.len())
            .map(|n| {
                let of = |name: &str| format!("{name} {:x} ", state(n, name));
                [
                    "st_op",
                    "st_rs",
                    "st_sp",
                    "st_wt",
                    "st_go",
                    "st_pq",
                    "st_init",
                    "st_quiet",
                    "st_res_pkts",
                    "st_tv",
                ]
                .map(of)
                .concat()
                    + "; "
            })
            .collect()
    }
}

fn weather(rng: &mut SmallRng, rto: u32, resets: u64) -> Weather {
    let mut chance = |list: &[f64]| list[rng.random_range(0..list.len())];
    Weather {
        rto,
        ctrl: 3
            | [0, 4, 0][chance(&[0.0, 1.0, 2.0]) as usize]
            | [0, 8][chance(&[0.0, 1.0]) as usize]
            | [0, 0x10][chance(&[0.0, 1.0]) as usize],
        lost: [chance(&[0.0, 0.05, 0.5]), chance(&[0.0, 0.05, 0.5]), chance(&[0.0, 0.05, 0.5])],
        dropped: chance(&[0.0, 0.1, 0.6]),
        damaged: chance(&[0.0, 0.1]),
        way: [3, 20, 100][chance(&[0.0, 1.0, 2.0]) as usize],
        post: chance(&[0.002, 0.02]),
        takes: chance(&[1.0, 0.5, 0.2]),
        link: chance(&[1.0, 0.5]),
        resets,
        nmin: [0, 2, 4][chance(&[0.0, 1.0, 2.0]) as usize],
    }
}

fn small(now_w: usize, flows: usize) -> Params {
    Params { now_w, flows, ..params("tinyd") }
}

#[test]
fn whatever_is_lost_every_packet_comes_once() {
    for seed in 0..60 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let rto = [300, 600, 1500][seed as usize % 3];
        let w = weather(&mut rng, rto, 0);
        Net::new(&small(16, 3), w, 3, seed).run(6_000);
    }
}

/// However short the time-out is.
#[test]
fn a_hasty_source_costs_copies_and_nothing_else() {
    for seed in 100..140 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let rto = [1, 3, 20, 70][seed as usize % 4];
        let w = weather(&mut rng, rto, 0);
        Net::new(&small(12, 2), w, 2, seed).run(4_000);
    }
}

#[test]
fn whoever_is_reset_what_is_posted_after_comes_once() {
    for seed in 200..260 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let w = Weather { way: 60, ..weather(&mut rng, 1500, 2_500) };
        Net::new(&small(16, 3), w, 3, seed).run(12_000);
    }
}

#[test]
fn in_order_packets_come_in_order() {
    for seed in 300..380 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let rto = [0, 40, 300, 1500][seed as usize % 4];
        let mut w = Weather { damaged: 0.0, ..weather(&mut rng, rto, 0) };
        w.ctrl |= 0x20;
        if rto == 0 {
            // What is speculative may be lost all the same: it goes again as its chunk is due.
            (w.lost[0], w.lost[1]) = (0.0, 0.0);
        }
        Net::new(&small(16, 3), w, 3, seed).run(6_000);
    }
}

/// With damage and resets packets come once, in whatever order.
#[test]
fn in_order_every_packet_comes_once() {
    for seed in 400..440 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let resets = [0, 2_500][seed as usize % 2];
        let w = Weather { way: 60, ..weather(&mut rng, 1500, resets) };
        Net::new(&small(16, 3), Weather { ctrl: w.ctrl | 0x20, ..w }, 3, seed).run(8_000);
    }
}
