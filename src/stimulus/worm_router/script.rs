//! Scripts: operations on a [`World`], one after the other.

use super::head::Head;
use super::pace::Pace;
use super::sender::{Message, Part};
use super::world::{ALL_PORTS, World};
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::Chance;
use crate::stimulus::knobs::Setup;
use crate::stimulus::rounds::cycles_of;

/// Longest round that is looked for.
const MAX_ROUND: u64 = 60_000;

/// Cycles without a flit after which nothing more comes.
const SILENCE: u32 = 12;

/// The numbers that scenarios go by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dims {
    pub ports: usize,
    pub vls: usize,
    pub depth: u32,
    pub lft_depth: u32,
    pub admit: bool,
}

impl Dims {
    fn new(p: &Params) -> Dims {
        Dims {
            ports: p.ports,
            vls: p.vls,
            depth: p.depth as u32,
            lft_depth: p.lft_depth as u32,
            admit: p.admit,
        }
    }

    /// Lanes of data are 0 to this, without it.
    pub(super) fn data(&self) -> usize {
        self.vls - 2
    }

    pub(super) fn control(&self) -> usize {
        self.vls - 1
    }

    pub(super) fn reply(&self) -> usize {
        self.vls - 2
    }

    /// BE_MASK of all data lanes.
    pub(super) fn data_mask(&self) -> u32 {
        (1 << self.data()) - 1
    }

    /// A DLID without route.
    pub(super) fn nowhere(&self) -> u32 {
        self.lft_depth - 1
    }
}

/// One step. Ports are taken modulo PORTS.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// A register of a port, or of all (255), by name; by number.
    Cfg(u32, &'static str, u32),
    Raw(u32, u8, u32),
    /// An entry of the forwarding table.
    Route(u32, u32),
    /// Reads everything; what follows waits for it.
    ReadAll,
    /// A flit on the link into a port in its next cycle, whatever the credits: lane, part, bad, DLID.
    Flit(usize, usize, Part, bool, u32),
    /// One whose header says this beside its DLID.
    Say(usize, usize, Part, bool, u32, Head),
    /// Cycles without one there.
    Gap(usize, u32),
    /// A message for the port's sender, which keeps to its credits: lane, flits, DLID.
    Send(usize, usize, u32, u32),
    /// One of this kind.
    Tell(usize, usize, u32, u32, Head),
    /// The chance that a stream begins in a cycle, ends, is refused beyond the router.
    Streams(Chance, Chance, Chance),
    /// All streams are over; so many cycles at most.
    Over(u32),
    /// How a port's sender sends; the chance that it stays on its lane.
    Pace(usize, Pace),
    Stick(usize, Chance),
    /// How a port's next hop drains a lane; all lanes; how long its pulses need.
    Drain(usize, usize, Pace),
    DrainAll(usize, Pace),
    Delay(usize, u64),
    /// Credit pulses of a port's next hop in the coming cycle, by lane, for nothing.
    Pulse(usize, u32),
    /// The link of a port is down for so many cycles; of all ports.
    Down(usize, u32),
    DownAll(u32),
    /// So many cycles.
    Wait(u32),
    /// All is written, all single flits are sent.
    Written,
    /// Nothing has moved for some cycles, and nothing waits; so many cycles at most.
    Quiet(u32),
    /// What is left at the senders is forgotten.
    Forget,
}

/// A source that performs its operations over and over.
pub(super) struct Script {
    pub world: World,
    ops: Vec<Op>,
    at: usize,
    waited: u32,
    /// How often all operations were done.
    pub rounds: u32,
    /// Operations that waited in vain for quiet.
    pub missed: Vec<usize>,
}

impl Script {
    pub(super) fn new(p: &Params, setup: &Setup, ops: fn(&Dims) -> Vec<Op>, seed: u64) -> Script {
        let mut world = World::new(p, seed);
        match &setup.lft {
            Some(routes) => world.lft.extend(routes.iter().map(|&(dlid, port)| (dlid.into(), port.into()))),
            None => world.route_all(),
        }
        for &(addr, data) in &setup.worm_router {
            world.write(ALL_PORTS, addr, data);
        }
        Script { world, ops: ops(&Dims::new(p)), at: 0, waited: 0, rounds: 0, missed: Vec::new() }
    }

    /// An operation that takes no time.
    fn set(&mut self, op: &Op) {
        let w = &mut self.world;
        let ports = w.p.ports;
        match *op {
            Op::Cfg(port, name, data) => w.write(port, addr(UnitKind::WormRouter, name), data),
            Op::Raw(port, number, data) => w.write(port, number, data),
            Op::Route(dlid, port) => w.lft.push_back((dlid, port)),
            Op::ReadAll => w.reader.read_all(),
            Op::Flit(port, lane, part, bad, dlid) => {
                w.senders[port % ports].flits.push_back(Some(part.flit(lane, bad, dlid, None)));
            }
            Op::Say(port, lane, part, bad, dlid, head) => {
                w.senders[port % ports].flits.push_back(Some(part.flit(lane, bad, dlid, Some(head))));
            }
            Op::Gap(port, n) => w.senders[port % ports].flits.extend((0..n).map(|_| None)),
            Op::Send(port, lane, flits, dlid) => {
                w.senders[port % ports].push(lane, Message { flits, dlid, bad: false, head: None });
            }
            Op::Tell(port, lane, flits, dlid, head) => {
                w.senders[port % ports].push(lane, Message { flits, dlid, bad: false, head: Some(head) });
            }
            Op::Streams(start, end, refuse) => {
                (w.streams.start, w.streams.end, w.streams.refuse) = (start, end, refuse);
            }
            Op::Pace(port, pace) => w.senders[port % ports].pace = pace,
            Op::Stick(port, chance) => w.senders[port % ports].stick = chance,
            Op::Drain(port, lane, pace) => w.hops[port % ports].drain(lane, pace),
            Op::DrainAll(port, pace) => w.hops[port % ports].drain_all(pace),
            Op::Delay(port, cycles) => w.hops[port % ports].delay = (cycles, cycles),
            Op::Pulse(port, lanes) => w.hops[port % ports].pulses |= lanes,
            Op::Down(port, cycles) => w.fall(port % ports, cycles),
            Op::DownAll(cycles) => (0..ports).for_each(|port| w.fall(port, cycles)),
            Op::Forget => {
                w.senders.iter_mut().for_each(super::sender::Sender::forget);
                w.streams.forget();
            }
            Op::Wait(_) | Op::Written | Op::Quiet(_) | Op::Over(_) => {}
        }
    }

    fn is_silent(&self) -> bool {
        self.world.is_idle() && self.world.quiet >= SILENCE
    }

    /// What an operation waits for is there.
    fn is_over(&self, op: &Op) -> bool {
        match *op {
            Op::Wait(n) => self.waited >= n,
            Op::Written => self.world.written(),
            Op::Quiet(most) => self.is_silent() || self.waited >= most,
            Op::Over(most) => self.world.streams.is_over() || self.waited >= most,
            _ => true,
        }
    }

    fn perform(&mut self) {
        loop {
            let Some(op) = self.ops.get(self.at).copied() else {
                (self.at, self.waited) = (0, 0);
                self.rounds += 1;
                return;
            };
            if !self.is_over(&op) {
                self.waited += 1;
                return;
            }
            let in_vain = match op {
                Op::Quiet(_) => !self.is_silent(),
                Op::Over(_) => !self.world.streams.is_over(),
                _ => false,
            };
            if in_vain {
                self.missed.push(self.at);
            }
            self.set(&op);
            (self.at, self.waited) = (self.at + 1, 0);
            if matches!(op, Op::ReadAll) {
                return;
            }
        }
    }
}

impl Source for Script {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let ready = seen[self.world.io.ready] != 0;
        // The routes come first.
        let started = self.at > 0 || self.waited > 0 || self.rounds > 0;
        if ready && (started || self.world.written()) && !self.world.reader.busy() {
            self.perform();
        }
        self.world.drive(seen, input);
    }
}

/// Cycles that one round takes, found by running it on the golden model.
pub(super) fn round_cycles(p: &Params, ops: fn(&Dims) -> Vec<Op>) -> Result<u64, String> {
    let mut script = Script::new(p, &Setup::default(), ops, 0);
    cycles_of(UnitKind::WormRouter, p, &mut script, MAX_ROUND, |s| s.rounds > 0)
}
