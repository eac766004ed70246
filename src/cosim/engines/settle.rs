//! What a network without packets comes to: every CAM line is free, every credit is home, no source is held back.

use super::node::{NodeId, Side};
use crate::config::Config;
use crate::fabric::net::{End, Network};
use crate::fabric::setup::{slowest, tick_cycles};
use crate::model::link::Control;
use crate::scheme::Response;
use crate::signals::{Group, Layout};

/// A direction of a link.
struct Way {
    name: String,
    /// Node and first word of the control word that the sender shows (FCTBS), and of the one that the receiver shows (FCCL).
    forward: (usize, usize),
    back: (usize, usize),
    /// Node and first word of what the sender has sent (`st_txr`) by VL.
    sent: (usize, usize),
    /// Blocks of a VL at the receiver, as credits count them.
    blocks: Vec<u32>,
}

/// The last credits that a way was seen to carry for a VL: flits counted, and the limit.
#[derive(Clone, Copy, Default)]
struct Seen {
    fctbs: Option<u32>,
    fccl: Option<u32>,
}

/// Watches the links of a network.
pub struct Settle {
    ways: Vec<Way>,
    /// By way and VL.
    seen: Vec<Vec<Seen>>,
    /// Words of a control word.
    words: usize,
    bound: u64,
    decay: Option<u64>,
}

impl Settle {
    /// Of a network whose nodes have these layouts.
    pub fn new(net: &Network, config: &Config, layouts: &[Layout]) -> Settle {
        let ids: Vec<NodeId> = NodeId::all(net).collect();
        let at = |end| match end {
            End::Switch { switch, port } => (switch, port),
            End::Host(h) => (net.switches.len() + h, 0),
        };
        let control = |end| {
            let (node, port) = at(end);
            let s = layouts[node].signal(Group::Output, "tx_ctl");
            (node, s.offset + port * s.stride())
        };
        let ways: Vec<Way> = net
            .ways()
            .map(|way| {
                let ((from, port), (to, _)) = (at(way.from), at(way.to));
                let (sender, receiver) = (ids[from].params(net, config), ids[to].params(net, config));
                let cap = |v| match ids[to] {
                    NodeId::Switch(_) => receiver.cap(v),
                    NodeId::Host(_) => receiver.rx_cap(v),
                };
                Way {
                    name: format!("{} -> {}", net.end_name(way.from), net.end_name(way.to)),
                    forward: control(way.from),
                    back: control(way.to),
                    sent: (from, layouts[from].state("st_txr") + port * sender.vls),
                    // FCCL tells of half of its range at most.
                    blocks: (0..sender.vls).map(|v| cap(v).min(2048) as u32).collect(),
                }
            })
            .collect();
        let seen = ways.iter().map(|w| vec![Seen::default(); w.blocks.len()]).collect();
        let vls = ways.iter().map(|w| w.blocks.len() as u64).max().unwrap_or(1);
        let delay = net.links.iter().map(|l| u64::from(l.delay)).max().unwrap_or(1);
        let interval = net.links.iter().map(|l| u64::from(l.interval)).max().unwrap_or(1);
        let trip = 2 * delay + u64::from(config.fc_interval.max(1)) * vls + interval + 24;
        let hops = net.switches.len() as u64 + 1;
        let bound = 8 * hops * (trip + config.lines as u64) + 1000 + slowest(net, config);
        let words = crate::signals::ctl_bits(&config.hca_params()).div_ceil(32);
        Settle { ways, seen, words, bound, decay: decay(net, config) }
    }

    /// Cycles within which an empty network has its lines free and its credits home.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// Cycles within which every CCTI is at its minimum, if the timer is on.
    pub fn decay(&self) -> Option<u64> {
        self.decay
    }

    /// Notes the credits that the links carry in the current cycle.
    pub fn watch(&mut self, side: &mut dyn Side) {
        let words = self.words;
        for (way, seen) in self.ways.iter().zip(&mut self.seen) {
            let mut note = |(node, at): (usize, usize), back: bool| {
                side.look(node, &mut |v| {
                    let control = Control::unpack(&v.output[at..at + words]);
                    let credit = if back { control.fccl } else { control.fctbs };
                    if let Some(c) = credit
                        && let Some(s) = seen.get_mut(c.vl as usize)
                    {
                        *(if back { &mut s.fccl } else { &mut s.fctbs }) = Some(c.blocks);
                    }
                });
            };
            note(way.forward, false);
            note(way.back, true);
        }
    }

    /// The credits that are not home, a line each.
    pub fn credits(&self, side: &mut dyn Side) -> Vec<String> {
        let mut lines = Vec::new();
        for (way, seen) in self.ways.iter().zip(&self.seen) {
            let (node, at) = way.sent;
            side.look(node, &mut |v| {
                for (vl, (seen, blocks)) in seen.iter().zip(&way.blocks).enumerate() {
                    let sent = v.state[at + vl];
                    let limit = (sent + blocks) & 0xfff;
                    if (seen.fctbs, seen.fccl) != (Some(sent), Some(limit)) {
                        let told =
                            |x: Option<u32>| x.map_or_else(|| "none".into(), |n: u32| n.to_string());
                        lines.push(format!(
                            "{} VL {vl}: {sent} blocks sent and {blocks} free ask for FCTBS {sent} and FCCL {limit}; seen are {} and {}",
                            way.name,
                            told(seen.fctbs),
                            told(seen.fccl)
                        ));
                    }
                }
            });
        }
        lines
    }
}

/// The CAM lines that are in use, one line a node.
pub fn lines_in_use(net: &Network, layouts: &[Layout], side: &mut dyn Side) -> Vec<String> {
    let mut found = Vec::new();
    for (node, id) in NodeId::all(net).enumerate() {
        let l = &layouts[node];
        side.look(node, &mut |v| {
            let words = |name: &str| {
                let s = l.signal(Group::State, name);
                &v.state[s.offset..s.offset + s.count]
            };
            let input = words("st_line_state").iter().filter(|w| **w != 0).count();
            let output: u32 = words("st_ol_valid").iter().map(|w| w.count_ones()).sum();
            if input > 0 || output > 0 {
                let name = id.name(net);
                found.push(format!("{name} has {input} CAM lines at inputs and {output} at outputs in use"));
            }
        });
    }
    found
}

/// Cycles in which any CCTI comes down to its minimum, sweeps of the throttle unit included; None if the timer is off. (Windows and
/// slots stay as the last ACK left them.)
fn decay(net: &Network, config: &Config) -> Option<u64> {
    let timer = u64::from(config.ccti_timer);
    let entities = config.hca_params().entities() as u64;
    let step = (timer * u64::from(tick_cycles(net).max(1))).max(entities) + entities;
    (timer > 0 && config.scheme.response != Response::Window)
        .then_some(2 * step * (u64::from(config.ccti_limit) + 2) + 64)
}
