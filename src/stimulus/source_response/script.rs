//! Scripts: a list of operations on a [`Bench`], one after the other, waiting where they say so, over and over.

use super::bench::Bench;
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::{ALWAYS, Chance};
use crate::stimulus::knobs::Setup;

/// Longest wait for something that is sure to come.
pub(super) const LONG: u32 = 30_000;

/// Sizes of the build.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dims {
    pub flows: usize,
    pub mtu: u32,
    /// IRDMAX: the longest delay.
    pub ird_max: u32,
}

/// One step of a script. Steps take no time unless they say so.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Register write; takes a cycle.
    Cfg(&'static str, u32),
    /// A register by its address; takes a cycle.
    Raw(u8, u32),
    /// Reads everything; what follows waits for it.
    ReadAll,
    /// Waiting time of a slot step.
    Wt(u16, u32),
    /// SL of a flow.
    Attr(u16, u8),
    /// All flows get SL 0.
    OneSl,
    /// A post of a flow, which has no packet for all that; of one that need not be there; of all.
    Post(usize),
    PostAny(u16),
    PostAll,
    /// A cycle without a post between two.
    PostPause,
    /// A packet of the host: posted if there is none.
    Arrive(usize),
    /// An ACK for a flow, with its bits; for one that need not be there.
    Ack(usize, u8),
    AckAny(u16),
    /// A cycle without an ACK between two.
    Pause,
    /// Clean ACKs for all packets that have none.
    Repay,
    /// ACKs come by themselves within so many cycles; or do not.
    Network(u32, u32),
    Silent,
    /// What their bits are drawn from.
    Marks(&'static [u8]),
    /// Every so many of them one is lost; those of odd flows are.
    Lose(u64),
    Deaf(bool),
    /// Chance of ACKs for nothing: first flow, number of them.
    Babble(Chance, usize, usize),
    /// The flow has a packet or not.
    Req(usize, bool),
    /// All flows have.
    ReqAll(bool),
    /// The flow is stopped or not.
    Stop(usize, bool),
    /// SLs with credit.
    Credit(u32),
    /// Chances that an offer is taken, and that another packet follows.
    Accept(Chance, Chance),
    /// Length of packets, in flits; 0 is illegal.
    Length(u32),
    /// Cycles from flit to flit, and the chance that it comes then.
    Pace(u32, Chance),
    /// Chances that an offer is taken while a packet is being sent, and that `sent` comes without one.
    Rude(Chance, Chance),
    /// Passes so many cycles.
    Wait(u32),
    /// Waits for an offer, so many cycles at most.
    Offered(u32),
    /// Waits until so many offers are taken, so many cycles at most.
    Taken(u64, u32),
    /// Waits until registers, tables, posts and ACKs are written.
    Written,
    /// Waits until all ACKs are back that are on their way.
    Returned,
}

/// A source that performs its operations over and over.
#[derive(Clone, Debug)]
pub(super) struct Script {
    bench: Bench,
    ops: Vec<Op>,
    at: usize,
    waited: u32,
    count: u64,
    /// How often all operations were done.
    pub rounds: u32,
    /// Operations that waited in vain for offers that were sure to come.
    #[cfg(test)]
    pub missed: Vec<usize>,
}

impl Script {
    pub(super) fn new(p: &Params, setup: &Setup, ops: fn(&Dims) -> Vec<Op>, seed: u64) -> Script {
        let mut bench = Bench::new(p, seed);
        bench.attrs.extend(setup.attrs.iter().copied());
        let d = Dims { flows: p.flows, mtu: p.mtu as u32, ird_max: 1 << (p.ts_w - 2) };
        Script {
            bench,
            ops: ops(&d),
            at: 0,
            waited: 0,
            count: 0,
            rounds: 0,
            #[cfg(test)]
            missed: Vec::new(),
        }
    }

    /// An operation that takes no time.
    fn set(&mut self, op: &Op) {
        let b = &mut self.bench;
        match *op {
            Op::Cfg(name, value) => b.cfg.push_back((addr(UnitKind::SourceResponse, name), value)),
            Op::Raw(a, value) => b.cfg.push_back((a, value)),
            Op::ReadAll => b.reader.read_all(),
            Op::Wt(a, cycles) => b.waits.push_back((a, cycles)),
            Op::Attr(f, sl) => b.attrs.push_back((f, sl)),
            Op::OneSl => b.attrs.extend((0..b.taker.flows as u16).map(|f| (f, 0))),
            Op::Post(f) => b.posts.push_back(Some(((f % b.taker.flows) as u16, false))),
            Op::PostAny(f) => b.posts.push_back(Some((f, false))),
            Op::PostAll => b.posts.extend((0..b.taker.flows as u16).map(|f| Some((f, false)))),
            Op::PostPause => b.posts.push_back(None),
            Op::Arrive(f) => b.arrive(f),
            Op::Ack(f, bits) => b.ack(f, bits),
            Op::AckAny(f) => b.acks.push_back(Some((f, 0))),
            Op::Pause => b.acks.push_back(None),
            Op::Repay => b.repay(0),
            Op::Network(least, most) => b.network.latency = Some((least, most)),
            Op::Silent => b.network.latency = None,
            Op::Marks(bits) => b.network.marks = bits.to_vec(),
            Op::Lose(every) => b.network.lose_every = every,
            Op::Deaf(on) => b.network.deaf = on,
            Op::Babble(chance, first, n) => (b.network.babble, b.network.babblers) = (chance, (first, n)),
            Op::Req(f, on) => b.taker.set_req(f, on),
            Op::ReqAll(on) => (0..b.taker.flows).for_each(|f| b.taker.set_req(f, on)),
            Op::Stop(f, on) => b.taker.set_stop(f, on),
            Op::Credit(mask) => b.taker.sl_ok = mask,
            Op::Accept(accept, again) => (b.taker.accept, b.taker.again) = (accept, again),
            Op::Length(n) => (b.taker.short, b.taker.long, b.taker.mtu) = (0, ALWAYS, n),
            Op::Pace(pace, flit) => (b.taker.pace, b.taker.flit) = (pace, flit),
            Op::Rude(rude, stray) => (b.taker.rude, b.taker.stray) = (rude, stray),
            Op::Wait(_) | Op::Offered(_) | Op::Taken(..) | Op::Written | Op::Returned => {}
        }
    }

    /// What an operation waits for is there.
    fn is_over(&self, op: &Op, seen: &[u32]) -> bool {
        let b = &self.bench;
        match *op {
            Op::Wait(n) => self.waited >= n,
            Op::Offered(most) => b.taker.offered(seen).is_some() || self.waited >= most,
            Op::Taken(n, most) => b.taker.count - self.count >= n || self.waited >= most,
            Op::Written => b.written(),
            Op::Returned => b.returned(),
            _ => true,
        }
    }

    fn perform(&mut self, seen: &[u32]) {
        loop {
            let Some(op) = self.ops.get(self.at).cloned() else {
                (self.at, self.waited) = (0, 0);
                self.count = self.bench.taker.count;
                self.rounds += 1;
                return;
            };
            if !self.is_over(&op, seen) {
                self.waited += 1;
                return;
            }
            #[cfg(test)]
            if matches!(op, Op::Taken(n, LONG) if self.bench.taker.count - self.count < n) {
                self.missed.push(self.at);
            }
            self.set(&op);
            self.at += 1;
            self.waited = 0;
            self.count = self.bench.taker.count;
            if matches!(op, Op::Cfg(..) | Op::Raw(..) | Op::ReadAll) {
                return;
            }
        }
    }
}

impl Source for Script {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let ready = seen[self.bench.io.ready] != 0;
        // the tables of a configuration come first
        let started = self.at > 0 || self.waited > 0 || self.rounds > 0;
        if ready && (started || self.bench.written()) && !self.bench.reader.busy() {
            self.perform(seen);
        }
        self.bench.drive(seen, input);
    }
}
