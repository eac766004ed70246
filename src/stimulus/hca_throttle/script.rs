//! Scripts: a list of operations on a [`Bench`], one after the other, waiting where they say so, over and over.

use super::bench::Bench;
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::{ALWAYS, Chance};
use crate::stimulus::knobs::Setup;

/// Sizes of the build.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dims {
    pub flows: usize,
    pub cct: usize,
    pub entities: usize,
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
    /// Table entry.
    Cct(u16, u16),
    /// The whole table: entry i of a function.
    Table(fn(u32) -> u16),
    /// SL of a flow.
    Attr(u16, u8),
    /// All flows get SL 0.
    OneSl,
    /// A notification for a flow.
    Becn(usize),
    /// A notification for a flow that need not be there.
    BecnAny(u16),
    /// A cycle without notification between two.
    Pause,
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
    /// Waits until registers, tables and notifications are written.
    Written,
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
}

impl Script {
    pub(super) fn new(p: &Params, setup: &Setup, ops: fn(&Dims) -> Vec<Op>, seed: u64) -> Script {
        let mut bench = Bench::new(p, seed);
        bench.cfg.extend(setup.hca_throttle.iter().copied());
        for (i, &e) in setup.cct.iter().flatten().enumerate() {
            bench.ccts.push_back((i as u16, e));
        }
        bench.attrs.extend(setup.attrs.iter().copied());
        let d = Dims {
            flows: p.flows,
            cct: p.cct,
            entities: p.entities(),
            mtu: p.mtu as u32,
            ird_max: 1 << (p.ts_w - 2),
        };
        Script { bench, ops: ops(&d), at: 0, waited: 0, count: 0, rounds: 0 }
    }

    /// Waits while `false`.
    fn wait(&mut self, over: bool) -> bool {
        self.waited += u32::from(!over);
        over
    }

    fn perform(&mut self, seen: &[u32]) {
        loop {
            let Some(op) = self.ops.get(self.at) else {
                (self.at, self.waited) = (0, 0);
                self.count = self.bench.taker.count;
                self.rounds += 1;
                return;
            };
            let b = &mut self.bench;
            let mut takes_a_cycle = false;
            match *op {
                Op::Cfg(name, value) => {
                    b.cfg.push_back((addr(UnitKind::HcaThrottle, name), value));
                    takes_a_cycle = true;
                }
                Op::Raw(a, value) => {
                    b.cfg.push_back((a, value));
                    takes_a_cycle = true;
                }
                Op::ReadAll => {
                    b.reader.read_all();
                    takes_a_cycle = true;
                }
                Op::Cct(a, e) => b.ccts.push_back((a, e)),
                Op::Table(f) => b.ccts.extend((0..b.cct as u32).map(|i| (i as u16, f(i)))),
                Op::Attr(f, sl) => b.attrs.push_back((f, sl)),
                Op::OneSl => b.attrs.extend((0..b.taker.flows as u16).map(|f| (f, 0))),
                Op::Becn(f) => b.becn(f),
                Op::BecnAny(f) => b.becns.push_back(Some(f)),
                Op::Pause => b.becns.push_back(None),
                Op::Req(f, on) => b.taker.set_req(f, on),
                Op::ReqAll(on) => (0..b.taker.flows).for_each(|f| b.taker.set_req(f, on)),
                Op::Stop(f, on) => b.taker.set_stop(f, on),
                Op::Credit(mask) => b.taker.sl_ok = mask,
                Op::Accept(accept, again) => (b.taker.accept, b.taker.again) = (accept, again),
                Op::Length(n) => {
                    (b.taker.short, b.taker.long, b.taker.mtu) = (0, ALWAYS, n);
                }
                Op::Pace(pace, flit) => (b.taker.pace, b.taker.flit) = (pace, flit),
                Op::Rude(rude, stray) => (b.taker.rude, b.taker.stray) = (rude, stray),
                Op::Wait(n) => {
                    let over = self.waited >= n;
                    if !self.wait(over) {
                        return;
                    }
                }
                Op::Offered(most) => {
                    let over = b.taker.offered(seen).is_some() || self.waited >= most;
                    if !self.wait(over) {
                        return;
                    }
                }
                Op::Taken(n, most) => {
                    let over = b.taker.count - self.count >= n || self.waited >= most;
                    if !self.wait(over) {
                        return;
                    }
                }
                Op::Written => {
                    let over = b.written();
                    if !self.wait(over) {
                        return;
                    }
                }
            }
            self.at += 1;
            self.waited = 0;
            self.count = self.bench.taker.count;
            if takes_a_cycle {
                return;
            }
        }
    }
}

impl Source for Script {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let ready = seen[self.bench.io.ready] != 0;
        // the registers and tables of a configuration come first
        let started = self.at > 0 || self.waited > 0 || self.rounds > 0;
        if ready && (started || self.bench.written()) && !self.bench.reader.busy() {
            self.perform(seen);
        }
        self.bench.drive(seen, input);
    }
}
