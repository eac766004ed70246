//! Scripts: a list of operations on a [`World`], one after the other, waiting where they say so, over and over.

use super::packets::{Packet, Queued, To};
use super::world::World;
use crate::cosim::source::Source;
use crate::model::link::Credit;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::Chance;
use crate::stimulus::knobs::Setup;

/// One step of a script. Steps take no time unless they say so.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Register write; takes a cycle.
    Cfg(UnitKind, &'static str, u32),
    /// Reads everything; what follows waits for it.
    ReadAll,
    /// The whole table: entry i of a function.
    Table(fn(u32) -> u16),
    /// The waiting times.
    Waits(fn(u32) -> u32),
    /// The far end acknowledges what the adapter sends: chance, longest delay, chance of a second ACK, chance of marks.
    Acks(Chance, u32, Chance, Chance),
    /// SL of a flow.
    Attr(u16, u8),
    /// The host posts a packet: flow, length.
    Post(u16, u8),
    /// The host posts a message: flow, packets, length of the last one. Without SRP it is a packet.
    Message(u16, u16, u8),
    /// The far end of a reservation answers: cycles from RES to GRANT, from a packet to its answer, least and most wait of a GRANT,
    /// chance that a packet is dropped.
    Answers(u64, u64, (u32, u32), Chance),
    /// Chance that such an answer is lost.
    Lost(Chance),
    /// Chance that a flow that asks for its number gets another one than it had.
    Names(Chance),
    /// Longest message that the host posts by itself.
    Longest(u16),
    /// Chance that the host posts a packet, to flows (first, number), and that it does so although the queue is full.
    Load(Chance, (usize, usize), Chance),
    /// Chance that the host delivers a flit; that it takes one.
    Host(Chance, Chance),
    /// A packet of lane 0 from the link, to us, from the host of a flow.
    Rx(Packet, u16),
    /// The same, to somebody else.
    RxTo(Packet, To, u16),
    /// Chance of an idle cycle between flits from the link.
    Gap(Chance),
    /// Credits that the far end gives: chance of a message, room.
    Credit(Chance, u32),
    /// A lane that gets none.
    Starve(Option<usize>),
    /// The link is down for so many cycles.
    LinkDown(u32),
    /// FCTBS message: lane, value.
    Fctbs(u32, u32),
    /// Message: kind, line, stop, flows.
    Tree(u32, u32, bool, Vec<usize>),
    /// Passes so many cycles.
    Wait(u32),
    /// Waits until everything is sent and posted, so many cycles at most.
    Idle(u32),
    /// Waits until registers and tables are written.
    Written,
}

/// A source that performs its operations over and over.
#[derive(Clone, Debug)]
pub(super) struct Script {
    world: World,
    ops: Vec<Op>,
    at: usize,
    waited: u32,
    /// How often all operations were done.
    pub rounds: u32,
}

/// `cfg_unit` of a unit.
fn unit(kind: UnitKind) -> u8 {
    match kind {
        UnitKind::InputPort => 0,
        UnitKind::OutputPort => 1,
        UnitKind::HcaThrottle | UnitKind::SourceResponse | UnitKind::Reservation => 2,
        _ => 3,
    }
}

impl Script {
    pub(super) fn new(p: &Params, setup: &Setup, ops: fn(&Params) -> Vec<Op>, seed: u64) -> Script {
        Script { world: World::new(p, setup, seed), ops: ops(p), at: 0, waited: 0, rounds: 0 }
    }

    fn perform(&mut self) {
        loop {
            let Some(op) = self.ops.get(self.at) else {
                (self.at, self.waited) = (0, 0);
                self.rounds += 1;
                return;
            };
            let w = &mut self.world;
            let mut takes_a_cycle = false;
            let over = match op {
                // What chooses is one of the three.
                Op::Cfg(kind, ..) if unit(*kind) == 2 && w.p.chooser() != *kind => true,
                Op::Waits(f) => {
                    w.waits.extend((0..16).map(|i| (i as u16, f(i))));
                    true
                }
                Op::Acks(chance, delay, twice, marked) => {
                    (w.acked, w.twice, w.ack_marked) = (*chance, *twice, *marked);
                    w.ack_delay = u64::from(*delay);
                    true
                }
                Op::Cfg(kind, name, value) => {
                    w.cfg.push_back((unit(*kind), addr(*kind, name), *value));
                    takes_a_cycle = true;
                    true
                }
                Op::ReadAll => {
                    w.reader.read_all();
                    takes_a_cycle = true;
                    true
                }
                Op::Table(f) => {
                    w.ccts.extend((0..w.p.cct as u32).map(|i| (i as u16, f(i))));
                    true
                }
                Op::Attr(f, sl) => {
                    w.attrs.push_back((*f, *sl));
                    true
                }
                Op::Post(f, n) => {
                    w.posts.push_back((*f, *n, 1));
                    true
                }
                Op::Message(f, pkts, last) => {
                    w.posts.push_back((*f, *last, *pkts));
                    true
                }
                Op::Answers(trip, answer, wait, dropped) => {
                    (w.peer.trip, w.peer.answer) = ((*trip, *trip), (*answer, *answer));
                    (w.peer.wait, w.peer.dropped) = (*wait, *dropped);
                    true
                }
                Op::Lost(chance) => {
                    w.peer.lost = *chance;
                    true
                }
                Op::Names(chance) => {
                    w.peer.names = *chance;
                    true
                }
                Op::Longest(pkts) => {
                    w.longest = *pkts;
                    true
                }
                Op::Load(chance, flows, push) => {
                    (w.post, w.flows, w.push) = (*chance, *flows, *push);
                    true
                }
                Op::Host(dma, host) => {
                    (w.dma, w.host) = (*dma, *host);
                    true
                }
                Op::Rx(packet, from) => {
                    w.rx.push_back(Queued { packet: *packet, to: To::Us, from: *from });
                    true
                }
                Op::RxTo(packet, to, from) => {
                    w.rx.push_back(Queued { packet: *packet, to: *to, from: *from });
                    true
                }
                Op::Gap(chance) => {
                    w.gap = *chance;
                    true
                }
                Op::Credit(chance, room) => {
                    (w.credit, w.room) = (*chance, *room);
                    true
                }
                Op::Starve(vl) => {
                    w.starve = *vl;
                    true
                }
                Op::LinkDown(n) => {
                    w.carrier.cut(*n);
                    true
                }
                Op::Fctbs(vl, blocks) => {
                    w.fctbs = Some(Credit { vl: *vl, blocks: *blocks });
                    true
                }
                Op::Tree(kind, line, stop, flows) => {
                    let m = w.tree(*kind, *line, *stop, flows);
                    w.messages.push_back(m);
                    true
                }
                Op::Wait(n) => self.waited >= *n,
                Op::Idle(most) => w.idle() || self.waited >= *most,
                Op::Written => w.written(),
            };
            if !over {
                self.waited += 1;
                return;
            }
            self.at += 1;
            self.waited = 0;
            if takes_a_cycle {
                return;
            }
        }
    }
}

impl Source for Script {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let ready = seen[self.world.io.ready] != 0;
        // the registers and tables of a configuration come first
        let started = self.at > 0 || self.waited > 0 || self.rounds > 0;
        if ready && (started || self.world.written()) && !self.world.reader.busy() {
            self.perform();
        }
        self.world.drive(seen, input);
    }
}
