//! Scripts: a list of operations on a [`World`], one after the other, waiting where they say so, over and over.

use super::world::{Dims, Fault, Msg, Packet, World};
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::Chance;
use crate::stimulus::knobs::Setup;

/// What a script can wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cond {
    /// No packet waits or crosses.
    Idle,
    /// Requester r was granted in the last cycle.
    Granted(usize),
    /// Requester r was told of a tree in the last cycle.
    Told(usize),
    /// A hot request stands at r, linked or not.
    Hot(usize, bool),
    /// The congestion state of a VL.
    Congested(usize, bool),
    /// An output line is valid or not.
    Line(usize, bool),
}

/// One step of a script. Steps take no time unless they say so.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Register write; takes a cycle.
    Cfg(&'static str, u32),
    /// Reads everything; what follows waits for it.
    ReadAll,
    /// A packet joins the cold queue of an input.
    Ask(usize, Packet),
    /// Packets that bring TXR of a VL to a value.
    Advance(usize, usize, u32),
    /// The same in few cycles, with packets that are granted more than their header says (and than they have).
    Leap(usize, usize, u32),
    /// Forgets all packets and hot queues.
    Clear,
    /// Passes so many cycles.
    Wait(u32),
    /// Waits for something, so many cycles at most.
    Until(Cond, u32),
    /// The neighbour frees blocks and sends credits by itself, every so many cycles; 0: it does not.
    Auto(u32),
    /// Blocks of the neighbour's buffer.
    Cap(u32),
    /// Those of one VL.
    CapOf(usize, u32),
    /// Chance, per cycle, that a speculative packet expires.
    Expire(Chance),
    /// Blocks that it frees in a cycle.
    Freed(u32),
    /// It frees blocks or not.
    Starve(bool),
    /// Packets are read at the link's pace with this chance.
    Slow(Chance),
    /// Chance that its credit messages are lost.
    Lose(Chance),
    /// One credit message: VL, blocks left to the port.
    Credit(usize, u32),
    /// One credit message as it is: VL, value.
    RawCredit(u8, u16),
    /// One tree message.
    Tell(Msg),
    /// Congestion bit of requester r.
    Cong(usize, bool),
    /// Fill of requester r.
    Fill(usize, u32),
    /// Inputs without a free line, one bit each.
    NoLine(u64),
    /// New dLists are full at once or not.
    Full(bool),
    /// Inputs ignore props or not.
    Deaf(bool),
    /// Hot queues whose tree is gone drain at once, or not.
    Drains(bool),
    /// The neighbour frees blocks with this chance, per VL and cycle.
    Pace(Chance),
    /// Flits of packets come late with this chance.
    Gap(Chance),
    /// The link is down for so many cycles.
    LinkDown(u32),
    /// An input's buffer of a VL fills.
    Fills(usize, usize),
    /// Its input wants the next markable packet marked.
    MarkNext,
    /// Age of the request of r, and whether ages are the script's.
    Age(usize, u32),
}

/// A source that performs its operations over and over.
#[derive(Debug)]
pub(super) struct Script {
    world: World,
    ops: Vec<Op>,
    at: usize,
    waited: u32,
    /// How often all operations were done.
    pub rounds: u32,
}

impl Script {
    pub(super) fn new(p: &Params, setup: &Setup, ops: fn(&Dims) -> Vec<Op>, seed: u64) -> Script {
        let mut world = World::new(p, seed);
        world.cfg.extend(setup.output_port.iter().copied());
        world.release = Chance::MAX;
        world.marks.by_script();
        let ops = ops(&world.d);
        Script { world, ops, at: 0, waited: 0, rounds: 0 }
    }

    fn holds(&self, c: Cond, seen: &[u32]) -> bool {
        let io = &self.world.io;
        match c {
            Cond::Idle => self.world.idle(),
            Cond::Granted(r) => self.world.granted == Some(r),
            Cond::Told(r) => self.world.told == Some(r),
            Cond::Hot(r, linked) => self.world.hot_shown(r) == Some(linked),
            Cond::Congested(v, on) => (seen[io.out_cong_state + v] != 0) == on,
            Cond::Line(k, on) => (seen[io.out_ol_valid] >> k & 1 != 0) == on,
        }
    }

    /// Performs operations until one takes time.
    fn perform(&mut self, seen: &[u32]) {
        loop {
            let Some(op) = self.ops.get(self.at) else {
                (self.at, self.waited) = (0, 0);
                self.rounds += 1;
                return;
            };
            let w = &mut self.world;
            let mut takes_a_cycle = false;
            match *op {
                Op::Cfg(name, value) => {
                    w.cfg.push_back((addr(UnitKind::OutputPort, name), value));
                    takes_a_cycle = true;
                }
                Op::ReadAll => {
                    w.reader.read_all();
                    takes_a_cycle = true;
                }
                Op::Ask(input, packet) => w.ask(input, packet),
                Op::Advance(input, v, to) => {
                    let mut blocks = w.ahead(v, to);
                    while blocks > 0 {
                        let n = blocks.min(w.d.mtu);
                        w.ask(input, Packet::data(v, 1, n));
                        blocks -= n;
                    }
                }
                Op::Leap(input, v, to) => {
                    let mut blocks = w.ahead(v, to);
                    while blocks > 0 {
                        let n = blocks.min(127);
                        let one = Packet::data(v, 1, 1).fault(Fault::Longer(1));
                        w.ask(input, Packet { len: n as u8, ..one });
                        blocks -= n;
                    }
                }
                Op::Freed(blocks) => w.down.freed = blocks,
                Op::Clear => w.clear(),
                Op::Wait(n) => {
                    if self.waited < n {
                        self.waited += 1;
                        return;
                    }
                }
                Op::Until(c, most) => {
                    if !self.holds(c, seen) && self.waited < most {
                        self.waited += 1;
                        return;
                    }
                }
                Op::Auto(every) => w.down.every = every,
                Op::Cap(blocks) => w.down.cap = [blocks; 8],
                Op::CapOf(v, blocks) => w.down.cap[v] = blocks,
                Op::Expire(c) => w.traffic.expires = c,
                Op::Starve(on) => w.down.starved = on,
                Op::Lose(c) => w.down.loss = c,
                Op::Credit(v, blocks) => {
                    let value = w.fccl(v, blocks);
                    w.credits.push_back((v as u8, value));
                }
                Op::RawCredit(v, value) => w.credits.push_back((v, value)),
                Op::Tell(m) => w.msgs.push_back(m),
                Op::Cong(r, on) => {
                    let at = r % w.cong.len();
                    w.cong[at] = u32::from(on);
                }
                Op::Fill(r, f) => {
                    let at = r % w.fill.len();
                    w.fill[at] = f;
                }
                Op::NoLine(mask) => w.no_line = mask,
                Op::Full(on) => w.full = if on { Chance::MAX } else { 0 },
                Op::Deaf(on) => w.deaf = if on { Chance::MAX } else { 0 },
                Op::Drains(on) => w.drains = if on { Chance::MAX } else { 0 },
                Op::Pace(c) => w.down.drain = c,
                Op::Gap(c) => w.gap = c,
                Op::Slow(c) => w.slow = c,
                Op::LinkDown(n) => w.carrier.cut(n),
                Op::Fills(i, v) => w.marks.fills.push((i % w.d.ports, v % w.d.vls)),
                Op::MarkNext => w.marks.ask_next = true,
                Op::Age(r, age) => {
                    let at = r % w.marks.ages.len();
                    w.marks.set_age(at, age);
                }
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
        self.world.follow(seen, input);
        if self.world.stuck(3) {
            // what broken packets leave of a queue's room
            self.world.carrier.cut(1);
        }
        // the registers of a configuration come first
        if self.world.cfg.is_empty() && !self.world.reader.busy() {
            self.perform(seen);
        }
        self.world.publish(input);
        self.world.wires(input);
        self.world.done(input);
    }
}
