//! Scripts: operations on a [`World`], one after the other.

use super::host::{Open, Post};
use super::network::Answers;
use super::world::World;
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::Chance;
use crate::stimulus::knobs::Setup;
use crate::stimulus::rounds::cycles_of;
use crate::stimulus::worm_router::head::Head;
use crate::stimulus::worm_router::pace::Pace;
use crate::stimulus::worm_router::sender::{Message, Part};

/// Longest round that is looked for.
const MAX_ROUND: u64 = 200_000;

/// Cycles without a flit after which nothing more comes.
const SILENCE: u32 = 16;

/// The numbers that scenarios go by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dims {
    pub vls: usize,
    pub depth: u32,
    /// Flits of the longest message.
    pub lane: u32,
    pub conns: u32,
    pub msgq: u32,
    pub ctlq: u32,
}

impl Dims {
    pub(super) fn new(p: &Params) -> Dims {
        Dims {
            vls: p.vls,
            depth: p.depth as u32,
            lane: p.lane as u32,
            conns: p.conns as u32,
            msgq: p.msgq as u32,
            ctlq: p.ctlq as u32,
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

    /// That of the highest data lanes, as after reset.
    pub(super) fn first_mask(&self) -> u32 {
        let share = (self.data() / 4).max(1);
        ((1 << share) - 1) << (self.data() - share)
    }
}

/// One step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// Inputs are anything until the adapter is ready: the first operation.
    Early,
    /// A register by name; by number.
    Cfg(&'static str, u32),
    Raw(u8, u32),
    /// Reads everything; what follows waits for it.
    ReadAll,
    /// The host opens a connection: number, DLID, bandwidth.
    Open(u32, u32, u32),
    /// It posts a message: class, connection or DLID, flits, final.
    Post(u32, u32, u32, bool),
    /// The chance that a post that had no room or credit is posted again; that an open, a post is offered in a cycle.
    Retry(Chance),
    Offers(Chance, Chance),
    /// How probes are answered.
    Answers(Answers),
    /// A flit from the router in its next cycle, whatever the credits: lane, part, bad, what its header says: DLID, more.
    Flit(usize, Part, bool, u32, Head),
    /// A reply of one flit, the same way, to the last probe of a connection: type, connection, node.
    Reply(u8, u32, u32),
    /// Cycles without one.
    Gap(u32),
    /// A message of the router, which keeps to its credits: lane, flits, DLID, what its header says.
    Send(usize, u32, u32, Head),
    /// How the router sends; how it drains a lane; all lanes; how long its pulses need.
    Pace(Pace),
    Drain(usize, Pace),
    DrainAll(Pace),
    Delay(u64),
    /// Credit pulses in the coming cycle, by lane, for nothing.
    Pulse(u32),
    /// How best-effort headers are held back on these lanes.
    Hold(u32, Pace),
    /// The link is down for so many cycles.
    Down(u32),
    /// So many cycles.
    Wait(u32),
    /// All is written, all opens and posts have their answers, all single flits are sent.
    Written,
    /// Nothing has moved for some cycles, and nothing waits; so many cycles at most.
    Quiet(u32),
    /// All connections are ended; so many cycles at most.
    Over(u32),
    /// What is left at host and router is forgotten.
    Forget,
}

/// A source that performs its operations over and over.
pub(super) struct Script {
    pub world: World,
    ops: Vec<Op>,
    /// The operation that comes next.
    pub at: usize,
    waited: u32,
    /// How often all operations were done.
    pub rounds: u32,
    /// Operations that waited in vain.
    pub missed: Vec<usize>,
}

impl Script {
    pub(super) fn new(p: &Params, setup: &Setup, ops: fn(&Dims) -> Vec<Op>, seed: u64) -> Script {
        let mut world = World::new(p, seed);
        world.cfg.extend(setup.worm_adapter.iter().copied());
        let ops = ops(&Dims::new(p));
        world.early = matches!(ops.first(), Some(Op::Early));
        Script { world, ops, at: 0, waited: 0, rounds: 0, missed: Vec::new() }
    }

    /// An operation that takes no time.
    fn set(&mut self, op: &Op) {
        let w = &mut self.world;
        match *op {
            Op::Cfg(name, data) => w.cfg.push_back((addr(UnitKind::WormAdapter, name), data)),
            Op::Raw(number, data) => w.cfg.push_back((number, data)),
            Op::ReadAll => w.reader.read_all(),
            Op::Open(conn, dlid, bw) => w.host.opens.push_back(Open { conn, dlid, bw }),
            Op::Post(class, to, len, last) => w.host.posts.push_back(Post { class, to, len, last }),
            Op::Retry(chance) => w.host.retry = chance,
            Op::Offers(opens, posts) => (w.host.opens_pace, w.host.posts_pace) = (opens, posts),
            Op::Answers(answers) => w.network.answers = answers,
            Op::Flit(lane, part, bad, dlid, head) => {
                w.network.sender.flits.push_back(Some(part.flit(lane, bad, dlid, Some(head))));
            }
            Op::Reply(kind, conn, node) => {
                let (lane, dlid) = (w.p.vls - 2, w.lid);
                // (The rest is known when the probe is out.)
                let head = Head { kind, conn: conn as u16, node: node as u16, ..Head::default() };
                w.network.sender.flits.push_back(Some(Part::Whole.flit(lane, false, dlid, Some(head))));
            }
            Op::Gap(n) => w.network.sender.flits.extend((0..n).map(|_| None)),
            Op::Send(lane, flits, dlid, head) => {
                w.network.sender.push(lane, Message { flits, dlid, bad: false, head: Some(head) });
            }
            Op::Pace(pace) => w.network.sender.pace = pace,
            Op::Drain(lane, pace) => w.network.hop.drain(lane, pace),
            Op::DrainAll(pace) => w.network.hop.drain_all(pace),
            Op::Delay(cycles) => w.network.hop.delay = (cycles, cycles),
            Op::Pulse(lanes) => w.network.hop.pulses |= lanes,
            Op::Hold(lanes, pace) => {
                let of = |v: &usize| lanes >> v & 1 != 0;
                (0..w.p.vls).filter(of).for_each(|v| w.holds[v] = pace);
            }
            Op::Down(cycles) => w.fall(cycles),
            Op::Forget => {
                w.host.forget();
                w.network.sender.forget();
            }
            Op::Over(_) => {
                w.clearing = false;
                w.network.answers = Answers::default();
            }
            Op::Early | Op::Wait(_) | Op::Written | Op::Quiet(_) => {}
        }
    }

    fn is_silent(&self) -> bool {
        self.world.is_idle() && self.world.quiet >= SILENCE
    }

    /// Nothing is left of any connection.
    fn is_over(&self) -> bool {
        self.world.host.is_closed() && self.world.host.is_idle()
    }

    /// What an operation waits for is there.
    fn is_done(&self, op: &Op) -> bool {
        match *op {
            Op::Wait(n) => self.waited >= n,
            Op::Written => self.world.written(),
            Op::Quiet(most) => self.is_silent() || self.waited >= most,
            Op::Over(most) => self.is_over() || self.waited >= most,
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
            if !self.is_done(&op) {
                self.world.clearing = matches!(op, Op::Over(_));
                self.waited += 1;
                return;
            }
            let in_vain = match op {
                Op::Quiet(_) => !self.is_silent(),
                Op::Over(_) => !self.is_over(),
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
        let ready = self.world.is_ready(seen);
        // What the setup writes comes first.
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
    cycles_of(UnitKind::WormAdapter, p, &mut script, MAX_ROUND, |s| s.rounds > 0)
}
