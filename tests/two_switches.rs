//! The units joined as in a real network: two 4-port switches of golden input and output ports, three hosts at switch A, two
//! at switch B, links with delay. Three of them overload one output of B; a victim flow from A to another output of B shares
//! the link between the switches (the operation example of EcoCC, fig. 6, in a loop that is closed).
//!
//! Checked: every packet arrives once, whole and in order; all buffers run empty; isolation with sources that heed marks keeps
//! the victim at its rate, and without both the congestion tree takes it down. (Isolation alone does not: a root stops nobody, so
//! only slower sources keep its buffer from filling with hot packets, for which the victim's then lack credits.) Then every unit's inputs of that run are given to its RTL in lockstep.

use std::collections::{BTreeMap, VecDeque};

use quell::model::header::{Bth, Header, Marks};
use quell::model::{self, Unit};
use quell::params::{Build, UnitKind, builds};
use quell::signals::{Group, Layout};

const PORTS: usize = 4;
const VLS: usize = 2;
const DELAY: usize = 5;
const PACKET: usize = 8;
const CTRL: (u32, u32) = (0, 1);

/// A golden unit with its word vectors and everything that was ever put on its inputs.
struct Node {
    build: Build,
    unit: Box<dyn Unit>,
    layout: Layout,
    input: Vec<u32>,
    output: Vec<u32>,
    state: Vec<u32>,
    record: Vec<Vec<u32>>,
}

impl Node {
    fn new(kind: UnitKind) -> Node {
        let build = builds().into_iter().find(|b| b.unit == kind && b.name == "p4v2").unwrap();
        let l = Layout::new(kind, &build.params);
        Node {
            unit: model::new(kind, &build.params).unwrap(),
            input: l.idle(),
            output: vec![0; l.out_words],
            state: vec![0; l.state_words],
            record: Vec::new(),
            layout: l,
            build,
        }
    }

    fn set(&mut self, name: &str, i: usize, value: u32) {
        let s = self.layout.signal(Group::Input, name);
        let at = s.offset + i * s.stride();
        self.input[at] = value;
    }

    fn get(&self, name: &str, i: usize) -> u32 {
        let s = self.layout.signal(Group::Output, name);
        self.output[s.offset + i * s.stride()]
    }

    fn words(&self, group: Group, name: &str) -> std::ops::Range<usize> {
        let s = self.layout.signal(group, name);
        s.offset..s.offset + s.stride() * s.count
    }

    fn sum(&self, name: &str) -> u32 {
        self.state[self.words(Group::State, name)].iter().sum()
    }

    fn covered(&self, name: &str) -> u64 {
        let at = self.unit.cover_points().iter().position(|p| p.name == name).unwrap();
        self.unit.cover()[at]
    }

    fn outputs(&mut self) {
        self.output.fill(0);
        self.unit.outputs(&self.input, &mut self.output);
        self.state.fill(0);
        self.unit.state(&mut self.state);
    }

    fn step(&mut self) {
        self.unit.step(&self.input);
        self.record.push(std::mem::take(&mut self.input));
        self.input = self.layout.idle();
    }
}

/// What a link carries downstream in a cycle: a flit, and a flow control message.
#[derive(Clone, Default)]
struct Down {
    flit: Option<(bool, bool, bool, Vec<u32>)>,
    fctbs: Option<(u32, u32)>,
}

/// What it carries upstream: a credit message, and the words of a congestion message.
#[derive(Clone, Default)]
struct Up {
    fccl: Option<(u32, u32)>,
    msg: Vec<u32>,
}

struct Link {
    down: VecDeque<Down>,
    up: VecDeque<Up>,
}

impl Link {
    fn new() -> Link {
        Link { down: vec![Down::default(); DELAY].into(), up: vec![Up::default(); DELAY].into() }
    }
}

/// A source: a rate, a destination, and the sender's side of the credits.
struct Host {
    slid: u16,
    dlid: u16,
    /// Flits offered in 16 cycles, now and at most.
    rate: u32,
    full: u32,
    budget: u32,
    seq: u32,
    flits: VecDeque<(bool, bool, bool, Vec<u32>)>,
    fccl: u32,
    txr: u32,
}

impl Host {
    fn cycle(&mut self, sending: bool, up: &Up) -> Down {
        if let Some((0, fccl)) = up.fccl {
            self.fccl = fccl;
        }
        self.budget = (self.budget + self.rate).min(64 * 16);
        let fits = self.fccl.wrapping_sub(self.txr + PACKET as u32) & 0xfff <= 2048;
        if sending && self.flits.is_empty() && fits && self.budget >= 16 * PACKET as u32 {
            self.budget -= 16 * PACKET as u32;
            self.txr = (self.txr + PACKET as u32) & 0xfff;
            for i in 0..PACKET {
                let mut data: Vec<u32> = (0..8).map(|w| self.seq << 12 | (i as u32) << 4 | w).collect();
                if i == 0 {
                    let bth = Bth { opcode: 4, psn: self.seq, ..Bth::default() };
                    let pkt_len = 16 * PACKET as u16;
                    let h = Header {
                        lnh: 2,
                        dlid: self.dlid,
                        slid: self.slid,
                        pkt_len,
                        bth: Some(bth),
                        ..Header::default()
                    };
                    h.write(&mut data);
                }
                self.flits.push_back((i == 0, i == PACKET - 1, false, data));
            }
            self.seq += 1;
        }
        Down { flit: self.flits.pop_front(), fctbs: None }
    }
}

struct Network {
    /// Input and output ports of switches A and B.
    inputs: [Vec<Node>; 2],
    outputs: [Vec<Node>; 2],
    /// Links into input port i of a switch.
    links: [Vec<Link>; 2],
    hosts: Vec<(usize, usize, Host)>,
    /// Expected sequence number of each pair, and packets delivered.
    next: BTreeMap<(u16, u16), u32>,
    open: [Option<(Header, u32)>; PORTS],
    marked: u32,
    most_hot: u32,
    throttled: bool,
}

struct Config {
    isolation: bool,
    /// Sources halve their rate at a marked packet; it grows by a sixteenth of the link every RECOVERY cycles.
    throttled: bool,
}

const RECOVERY: u32 = 400;

impl Network {
    fn new(config: &Config) -> Network {
        let four = |kind| (0..PORTS).map(|_| Node::new(kind)).collect::<Vec<_>>();
        let host = |switch, port, slid, dlid, rate| {
            let h = Host {
                slid,
                dlid,
                rate,
                full: rate,
                budget: 0,
                seq: 0,
                flits: VecDeque::new(),
                fccl: 0,
                txr: 0,
            };
            (switch, port, h)
        };
        let mut n = Network {
            inputs: [four(UnitKind::InputPort), four(UnitKind::InputPort)],
            outputs: [four(UnitKind::OutputPort), four(UnitKind::OutputPort)],
            links: [(0..PORTS).map(|_| Link::new()).collect(), (0..PORTS).map(|_| Link::new()).collect()],
            hosts: vec![
                host(0, 0, 100, 1, 8),  // the victim, to output 1 of B, half the link's rate
                host(0, 1, 101, 3, 16), // hot, to output 3 of B
                host(0, 2, 102, 3, 16),
                host(1, 1, 103, 3, 16),
                host(1, 2, 104, 3, 16),
            ],
            next: BTreeMap::new(),
            open: Default::default(),
            marked: 0,
            most_hot: 0,
            throttled: config.throttled,
        };
        // After the sweep: routes, thresholds, isolation, marking.
        let sweep = n.inputs[0][0].build.params.init_cycles(UnitKind::InputPort);
        for _ in 0..sweep {
            n.clock(false);
        }
        let isolation = u32::from(config.isolation);
        let input_regs = [
            (CTRL.0, CTRL.1 * isolation),
            (1, 6 * PACKET as u32),
            (2, 4 * PACKET as u32),
            (7, 3000),
            (8, 500),
        ];
        let output_regs = [(0, 1 | isolation << 1), (3, 1), (8, 3000)];
        for i in 0..input_regs.len().max(4) {
            for s in 0..2 {
                for p in 0..PORTS {
                    if let Some(&(addr, data)) = input_regs.get(i) {
                        n.inputs[s][p].set("cfg_we", 0, 1);
                        n.inputs[s][p].set("cfg_addr", 0, addr);
                        n.inputs[s][p].set("cfg_data", 0, data);
                    }
                    if let Some(&(addr, data)) = output_regs.get(i) {
                        n.outputs[s][p].set("cfg_we", 0, 1);
                        n.outputs[s][p].set("cfg_addr", 0, addr);
                        n.outputs[s][p].set("cfg_data", 0, data);
                    }
                    // From A everything goes over port 3; in B, DLID d leaves by output d.
                    n.inputs[s][p].set("lft_we", 0, 1);
                    n.inputs[s][p].set("lft_addr", 0, i as u32);
                    n.inputs[s][p].set("lft_port", 0, if s == 0 { 3 } else { i as u32 });
                }
            }
            n.clock(false);
        }
        n
    }

    /// One cycle of everything.
    fn clock(&mut self, sending: bool) {
        for s in 0..2 {
            self.inputs[s].iter_mut().for_each(Node::outputs);
        }
        let mut down: BTreeMap<(usize, usize), Down> = BTreeMap::new();
        for s in 0..2 {
            for o in 0..PORTS {
                // What comes back from downstream: the other switch, or a sink with room for everything.
                let up = if (s, o) == (0, 3) { self.links[1][0].up[0].clone() } else { Up::default() };
                let op = &mut self.outputs[s][o];
                for (i, ip) in self.inputs[s].iter().enumerate() {
                    for v in 0..VLS {
                        for name in [
                            "req_valid",
                            "req_len",
                            "req_dlid",
                            "req_cnp",
                            "req_hot",
                            "req_unlinked",
                            "req_bound",
                            "req_line",
                            "cong",
                            "fill",
                        ] {
                            op.set(name, i * VLS + v, ip.get(name, o * VLS + v));
                        }
                    }
                    op.set("can_alloc", i, ip.get("can_alloc", 0));
                    for name in ["known", "room", "pend", "xb_act", "xb_end"] {
                        op.set(name, i, ip.get(name, o));
                    }
                    // The crossbar: at most one input sends.
                    if ip.get("xb_valid", o) == 1 {
                        for f in ["valid", "first", "last", "bad"] {
                            op.set(&format!("sw_{f}"), 0, ip.get(&format!("xb_{f}"), o));
                        }
                        let all = ip.words(Group::Output, "xb_data");
                        let each = all.len() / PORTS;
                        let from = all.start + o * each;
                        let to = op.words(Group::Input, "sw_data");
                        op.input[to].copy_from_slice(&ip.output[from..from + each]);
                    }
                }
                if (s, o) == (0, 3) {
                    if let Some((vl, fccl)) = up.fccl {
                        op.set("fccl_valid", 0, 1);
                        op.set("fccl_vl", 0, vl);
                        op.set("fccl", 0, fccl);
                    }
                    if !up.msg.is_empty() {
                        let to = op.words(Group::Input, "msg_valid").start;
                        op.input[to..to + up.msg.len()].copy_from_slice(&up.msg);
                    }
                } else {
                    // A sink: always 100 blocks more than were granted.
                    let txr = op.state[op.words(Group::State, "st_txr").start];
                    op.set("fccl_valid", 0, 1);
                    op.set("fccl", 0, (txr + 100) & 0xfff);
                }
                op.outputs();
                let flit = (op.get("tx_valid", 0) == 1).then(|| {
                    let data = op.output[op.words(Group::Output, "tx_data")].to_vec();
                    (op.get("tx_first", 0) == 1, op.get("tx_last", 0) == 1, op.get("tx_bad", 0) == 1, data)
                });
                let fctbs =
                    (op.get("fctbs_valid", 0) == 1).then(|| (op.get("fctbs_vl", 0), op.get("fctbs", 0)));
                down.insert((s, o), Down { flit, fctbs });
            }
        }
        // Into the links.
        for (s, p, host) in &mut self.hosts {
            let up = self.links[*s][*p].up[0].clone();
            let d = host.cycle(sending, &up);
            self.links[*s][*p].down.push_back(d);
        }
        self.links[1][0].down.push_back(down[&(0, 3)].clone());
        for o in 0..PORTS {
            if let Some(flit) = down[&(1, o)].flit.clone() {
                self.deliver(o, flit);
            }
            assert!(down[&(0, o)].flit.is_none() || o == 3, "A sends by output {o}");
        }
        // Out of the links, and the crossbar's answers.
        for s in 0..2 {
            for p in 0..PORTS {
                let link = &mut self.links[s][p];
                let ip = &mut self.inputs[s][p];
                if link.down.len() > DELAY {
                    let d = link.down.pop_front().unwrap();
                    if let Some((first, last, bad, data)) = d.flit {
                        ip.set("rx_valid", 0, 1);
                        ip.set("rx_first", 0, u32::from(first));
                        ip.set("rx_last", 0, u32::from(last));
                        ip.set("rx_bad", 0, u32::from(bad));
                        let to = ip.words(Group::Input, "rx_data");
                        ip.input[to].copy_from_slice(&data);
                    }
                    if let Some((vl, fctbs)) = d.fctbs {
                        ip.set("fctbs_valid", 0, 1);
                        ip.set("fctbs_vl", 0, vl);
                        ip.set("fctbs", 0, fctbs);
                    }
                }
                let fccl = (ip.get("fc_valid", 0) == 1).then(|| (ip.get("fc_vl", 0), ip.get("fccl", 0)));
                let msg = if ip.get("msg_valid", 0) == 1 {
                    let first = ip.words(Group::Output, "msg_valid").start;
                    ip.output[first..ip.words(Group::Output, "msg_dlist").end].to_vec()
                } else {
                    Vec::new()
                };
                link.up.pop_front();
                link.up.push_back(Up { fccl, msg });
                for (o, op) in self.outputs[s].iter().enumerate() {
                    for v in 0..VLS {
                        for name in ["grant", "held", "held_line"] {
                            ip.set(name, o * VLS + v, op.get(name, p * VLS + v));
                        }
                    }
                    ip.set("rd_en", o, op.get("rd_en", 0));
                    ip.set("prop_valid", o, op.get("prop_valid", p));
                    for name in ["prop_vl", "prop_line", "prop_hops", "prop_root", "ol_valid"] {
                        ip.set(name, o, op.get(name, 0));
                    }
                    ip.set("ol_stop", o, op.get("ol_stop", 0) | op.get("ol_wait", p));
                }
            }
        }
        let hot = self.inputs[0].iter().map(|ip| ip.sum("st_hpq_pkts")).sum();
        self.most_hot = self.most_hot.max(hot);
        for s in 0..2 {
            self.inputs[s].iter_mut().for_each(Node::step);
            self.outputs[s].iter_mut().for_each(Node::step);
        }
    }

    /// A flit arrives at the sink behind an output of B.
    fn deliver(&mut self, o: usize, (first, last, bad, data): (bool, bool, bool, Vec<u32>)) {
        assert!(!bad, "a packet was damaged");
        if first {
            assert!(self.open[o].is_none());
            let h = Header::parse(&data);
            assert_eq!(usize::from(h.dlid), o, "misrouted");
            let bth = h.bth.unwrap();
            let fecn = bth.marks.has(Marks::FECN);
            self.marked += u32::from(fecn);
            if fecn && self.throttled {
                let source = self.hosts.iter_mut().find(|(_, _, host)| host.slid == h.slid);
                source.into_iter().for_each(|(_, _, host)| host.rate = host.rate.div_ceil(2));
            }
            let next = self.next.entry((h.slid, h.dlid)).or_default();
            assert_eq!(bth.psn, *next, "lost, doubled or out of order: {h:?}");
            *next += 1;
            self.open[o] = Some((h, 0));
        } else {
            let (h, i) = self.open[o].as_mut().expect("a first flit");
            *i += 1;
            let seq = h.bth.unwrap().psn;
            let sent: Vec<u32> = (0..8).map(|w| seq << 12 | *i << 4 | w).collect();
            assert_eq!(data, sent, "damaged: flit {i} of {h:?}");
        }
        assert_eq!(last, self.open[o].unwrap().1 as usize == PACKET - 1);
        if last {
            self.open[o] = None;
        }
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.inputs.iter().chain(&self.outputs).flatten()
    }

    fn delivered(&self, slid: u16) -> u32 {
        self.next.iter().filter(|((s, _), _)| *s == slid).map(|(_, n)| n).sum()
    }
}

const CYCLES: u32 = 12_000;

/// Sends for `CYCLES`, then lets everything drain.
fn run(config: &Config) -> Network {
    let mut n = Network::new(config);
    for t in 1..=CYCLES {
        n.clock(true);
        if t % RECOVERY == 0 {
            n.hosts.iter_mut().for_each(|(_, _, h)| h.rate = (h.rate + 1).min(h.full));
        }
    }
    n.hosts.iter_mut().for_each(|(_, _, h)| h.rate = 0);
    let during: BTreeMap<_, _> = n.next.clone();
    for _ in 0..20_000 {
        n.clock(false);
    }
    for ip in n.inputs.iter().flatten() {
        for name in ["st_used", "st_cpq_pkts", "st_cpq_fill", "st_hpq_pkts", "st_line_state"] {
            assert_eq!(ip.sum(name), 0, "{name} in an idle network");
        }
    }
    for node in n.nodes() {
        assert_eq!(node.get("err", 0), 0, "a well-behaved network raises no error");
    }
    for (_, _, h) in &n.hosts {
        assert_eq!(n.delivered(h.slid), h.seq, "everything that host {} sent has come", h.slid);
    }
    n.next = during;
    n
}

/// Flits of a host that arrived while all were sending, per cycle.
fn rate(n: &Network, slid: u16) -> f64 {
    f64::from(n.delivered(slid) * PACKET as u32) / f64::from(CYCLES)
}

#[test]
fn isolation_and_throttling_keep_the_victim_at_its_rate() {
    let with = run(&Config { isolation: true, throttled: true });
    let without = run(&Config { isolation: false, throttled: false });
    let (good, poor) = (rate(&with, 100), rate(&without, 100));
    assert!(good > 0.45, "the victim offers 0.5 and gets {good:.3} with isolation and throttling");
    assert!(poor < 0.25, "the victim gets {poor:.3} without: is there a congestion tree?");
    for (n, busy) in [(&with, 0.8), (&without, 0.95)] {
        let root: f64 = (101..105).map(|slid| rate(n, slid)).sum();
        assert!(root > busy, "the root's link is busy: {root:.3}");
        assert!(n.marked > 100, "FECN was set on {} packets", n.marked);
    }
    assert!(with.most_hot > 0 && without.most_hot == 0);
    let (a, b) = (&with.inputs[0], &with.inputs[1]);
    assert!(
        b[0].covered("e1_root") > 0 && b[0].covered("e2_alloc_root") > 0,
        "B's port 0 announces the root"
    );
    assert!(a[1].covered("e3_take") > 0 && a[1].covered("e4_move") > 0, "A's port 1 isolates the hot flow");
    assert_eq!(a[1].covered("e5_stopped"), 0, "a root stops nobody");
    assert!(b[0].covered("e6_dealloc_root") > 0, "the tree is taken down");
    assert_eq!(a[0].covered("e4_move"), 0, "the victim is never taken for hot");
}

#[cfg(feature = "rtl")]
#[test]
fn every_unit_of_the_network_is_equal_to_its_rtl() {
    let n = run(&Config { isolation: true, throttled: true });
    for node in n.nodes() {
        if let Err(e) = quell::cosim::check_stimulus(&node.build, 1, &node.record) {
            panic!("{} {}: {e:?}", node.build.unit.cli_name(), node.build.name);
        }
    }
}
