//! The slow oracle: golden switches and adapters, joined by links, clocked one by one. The fast engine must show the same in
//! every cycle.

use std::collections::VecDeque;

use super::observe::payload;
use super::offered::Offered;
use super::workload::Workload;
use crate::config::Config;
use crate::fabric::net::{End, Network};
use crate::fabric::setup::{Setup, Write};
use crate::model::link::Control;
use crate::model::{self, Unit};
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout};

/// A unit with its vectors.
pub(super) struct Node {
    pub layout: Layout,
    unit: Box<dyn Unit>,
    input: Vec<u32>,
    pub output: Vec<u32>,
    pub state: Vec<u32>,
    writes: Vec<Write>,
}

impl Node {
    fn new(kind: UnitKind, p: &Params, writes: Vec<Write>) -> Node {
        let layout = Layout::new(kind, p);
        Node {
            unit: model::new(kind, p).unwrap(),
            input: layout.idle(),
            output: vec![0; layout.out_words],
            state: vec![0; layout.state_words],
            layout,
            writes,
        }
    }

    fn set(&mut self, name: &str, value: u32) {
        let at = self.layout.input(name);
        self.input[at] = value;
    }

    fn get(&self, name: &str) -> u32 {
        self.output[self.layout.output(name)]
    }

    /// Words of element `i`.
    fn range(&self, group: Group, name: &str, i: usize) -> std::ops::Range<usize> {
        let s = self.layout.signal(group, name);
        s.offset + i * s.stride()..s.offset + (i + 1) * s.stride()
    }

    fn configure(&mut self, write: Write) {
        match write {
            Write::Register { unit, port, addr, data } => {
                self.set("cfg_we", 1);
                self.set("cfg_unit", u32::from(unit));
                if self.layout.signals.iter().any(|s| s.name == "cfg_port") {
                    self.set("cfg_port", u32::from(port));
                }
                self.set("cfg_addr", u32::from(addr));
                self.set("cfg_data", data);
            }
            Write::Lft { addr, port } => {
                self.set("lft_we", 1);
                self.set("lft_addr", u32::from(addr));
                self.set("lft_port", u32::from(port));
            }
            Write::Cct { addr, data } => {
                self.set("cct_we", 1);
                self.set("cct_addr", u32::from(addr));
                self.set("cct_data", u32::from(data));
            }
            Write::Wait { addr, data } => {
                self.set("wt_we", 1);
                self.set("wt_addr", u32::from(addr));
                self.set("wt_data", data);
            }
            Write::Attr { flow, sl } => {
                self.set("attr_we", 1);
                self.set("attr_flow", u32::from(flow));
                self.set("attr_sl", u32::from(sl));
            }
        }
    }

    /// Lets outputs and state show the cycle.
    fn show(&mut self) {
        self.unit.outputs(&self.input, &mut self.output);
        self.unit.state(&mut self.state);
    }

    fn step(&mut self) {
        self.unit.step(&self.input);
        self.layout.make_idle(&mut self.input);
    }
}

/// One direction of a link: who drives it, who gets it, what it carries of what is driven, and what is on it (flit fields
/// and control word).
struct Wire {
    from: (usize, usize),
    to: (usize, usize),
    /// Flits, and the control words that go with them; and those that go against the flits of the other direction.
    forward: bool,
    back: bool,
    words: VecDeque<[Vec<u32>; 6]>,
}

const TX: [&str; 6] = ["tx_valid", "tx_first", "tx_last", "tx_bad", "tx_data", "tx_ctl"];
const RX: [&str; 6] = ["rx_valid", "rx_first", "rx_last", "rx_bad", "rx_data", "rx_ctl"];

/// The network, clocked.
pub(super) struct Oracle<W> {
    pub nodes: Vec<Node>,
    wires: Vec<Wire>,
    net: Network,
    pub work: W,
    setup: Setup,
    cycle: u64,
    psn: Vec<u32>,
}

impl<W: Workload> Oracle<W> {
    pub fn new(net: &Network, config: &Config, work: W) -> Oracle<W> {
        let setup = Setup::new(net, config);
        let mut nodes = Vec::new();
        for (s, switch) in net.switches.iter().enumerate() {
            let p = config.switch_params(switch.ports);
            nodes.push(Node::new(UnitKind::Switch, &p, setup.switches[s].clone()));
        }
        for h in 0..net.hosts.len() {
            nodes.push(Node::new(UnitKind::Hca, &config.hca_params(), setup.hosts[h].clone()));
        }
        let place = |end: End| match end {
            End::Host(h) => (net.switches.len() + h, 0),
            End::Switch { switch, port } => (switch, port),
        };
        let mut wires = Vec::new();
        for link in &net.links {
            for (a, b, forward, back) in
                [(link.a, link.b, true, !link.one_way), (link.b, link.a, !link.one_way, true)]
            {
                let (from, to) = (place(a), place(b));
                let idle = TX.map(|name| {
                    nodes[from.0].output[nodes[from.0].range(Group::Output, name, from.1)].to_vec()
                });
                wires.push(Wire { from, to, forward, back, words: vec![idle; link.delay as usize].into() });
            }
        }
        let hosts = net.hosts.len();
        let mut o =
            Oracle { nodes, wires, net: net.clone(), work, setup, cycle: 0, psn: vec![0; hosts * hosts] };
        while o.cycle < o.setup.start {
            o.show();
            o.step();
        }
        o.show();
        o
    }

    fn show(&mut self) {
        self.nodes.iter_mut().for_each(Node::show);
    }

    /// Ends the cycle and shows the next.
    pub fn clock(&mut self) {
        self.step();
        self.show();
    }

    fn step(&mut self) {
        for wire in &mut self.wires {
            let from = &self.nodes[wire.from.0];
            wire.words
                .push_back(TX.map(|name| from.output[from.range(Group::Output, name, wire.from.1)].to_vec()));
            let words = wire.words.pop_front().unwrap();
            let to = &mut self.nodes[wire.to.0];
            for (name, mut words) in RX.iter().zip(words) {
                let range = to.range(Group::Input, name, wire.to.1);
                if *name == "rx_ctl" {
                    // The input has what another wire brought in this cycle.
                    let (new, old) = (Control::unpack(&words), Control::unpack(&to.input[range.clone()]));
                    let joined = Control {
                        fctbs: if wire.forward { new.fctbs } else { old.fctbs },
                        fccl: if wire.back { new.fccl } else { old.fccl },
                        message: if wire.back { new.message } else { old.message },
                    };
                    joined.pack(&mut words);
                } else if !wire.forward {
                    continue;
                }
                to.input[range].copy_from_slice(&words);
            }
        }
        if let Some(k) = self.cycle.checked_sub(self.setup.sweep) {
            for node in &mut self.nodes {
                if let Some(&w) = node.writes.get(k as usize) {
                    node.configure(w);
                }
            }
        }
        if let Some(now) = self.cycle.checked_sub(self.setup.start) {
            (0..self.net.hosts.len()).for_each(|h| self.host(h, now));
        }
        self.nodes.iter_mut().for_each(Node::step);
        self.cycle += 1;
    }

    /// The host's side of an adapter in traffic cycle `now`.
    fn host(&mut self, h: usize, now: u64) {
        let hosts = self.net.hosts.len();
        let node = &mut self.nodes[self.net.switches.len() + h];
        let full = node.layout.output("gen_full");
        for dst in self.work.blocked(h) {
            if node.output[full + dst / 32] >> (dst % 32) & 1 == 0 {
                self.work.room(h, dst, now);
            }
        }
        if self.work.next_offer(h).is_some_and(|t| t <= now) {
            let Offered { dst, pkts, last, .. } = self.work.offer(h);
            let full = node.output[full + dst / 32] >> (dst % 32) & 1 != 0;
            if full {
                self.work.refuse(h, now);
            } else {
                let psn = &mut self.psn[h * hosts + dst];
                node.set("gen_valid", 1);
                node.set("gen_flow", dst as u32);
                node.set("gen_len", last);
                node.set("gen_pkts", pkts);
                node.set("gen_psn", *psn);
                *psn += pkts;
                self.work.take(h, now);
            }
        }
        node.set("dma_ready", u32::from(self.net.hosts[h].inject.allows(now)));
        if node.get("dma_valid") == 1 {
            let range = node.range(Group::Input, "dma_data", 0);
            let (dst, psn, index) = (node.get("dma_flow"), node.get("dma_psn"), node.get("dma_index"));
            payload(h, dst as usize, psn, index, &mut node.input[range]);
        }
        let takes = self.net.hosts[h].sink.allows(now);
        node.set("host_ready", u32::from(takes));
        if takes && node.get("host_valid") == 1 && node.get("host_last") == 1 {
            // Nothing in these tests looks at what is delivered.
            self.work.delivered(h, h, 1, now);
        }
    }
}
