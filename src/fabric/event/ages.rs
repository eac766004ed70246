//! How old the heads of an input's queues are, and how often the oldest packet of a VL is passed (AG1, AG2): section 15 of the input
//! port's page. Cold queues only, (o,v) at o*V+v.

use super::credit::NEVER;
use super::packet::{NONE, Pool, Queue};
use super::setup::InRegs;
use crate::params::Params;

/// Where the count of those that pass stops.
const MOST_PASSED: u32 = 15;

/// What an input knows of its packets' ages.
pub(super) struct Ages {
    outs: usize,
    vls: usize,
    /// The greatest age: half the range of a stamp.
    most: u64,
    /// So many may pass the oldest; 0: any number.
    limit: u32,
    /// The first cycle in which a queue's head is its head.
    since: Vec<u64>,
    lanes: Vec<Lane>,
}

/// The oldest packet of a VL.
#[derive(Clone, Copy)]
struct Lane {
    /// It is known which one it is: the head for output `pin`; else that was the last one's.
    pinned: bool,
    pin: usize,
    passed: u32,
    /// If it is not known: the first cycle in which there are heads.
    from: u64,
}

impl Ages {
    pub fn new(p: &Params, regs: &InRegs) -> Ages {
        Ages {
            outs: p.ports,
            vls: p.vls,
            most: 1 << (p.stamp_w - 1),
            limit: regs.bypass,
            since: vec![0; p.ports * p.vls],
            lanes: vec![Lane { pinned: false, pin: 0, passed: 0, from: NEVER }; p.vls],
        }
    }

    /// The age in S(t) of the head of a queue. A head that was old once stays so, whatever its stamp says when that comes round.
    pub fn age(&self, queues: &[Queue], pool: &Pool, q: usize, t: u64) -> u64 {
        let (stamp, since) = (pool[queues[q].head].t0, self.since[q]);
        let by_stamp = |t: u64| (t - stamp) % (2 * self.most);
        let old = |t: u64| by_stamp(t) >= self.most;
        if t - since >= self.most || old(since) || old(t) { self.most } else { by_stamp(t) }
    }

    /// The limit hides the head for output `o` of a VL.
    #[inline]
    pub fn hides(&self, o: usize, vl: usize) -> bool {
        let l = &self.lanes[vl];
        self.limit > 0 && l.passed >= self.limit && l.pin != o
    }

    /// A packet has left: the queue has another head from cycle `t` on, or none.
    pub fn leaves(&mut self, queues: &[Queue], q: usize, vl: usize, t: u64) {
        self.since[q] = t;
        let any = (0..self.outs).any(|o| queues[o * self.vls + vl].head != NONE);
        let l = &mut self.lanes[vl];
        if !l.pinned {
            l.from = if any { l.from.min(t) } else { NEVER };
        }
    }

    /// The output of the oldest head of a VL in S(t): of several the first after that of the last one.
    fn oldest(&self, queues: &[Queue], pool: &Pool, vl: usize, t: u64) -> usize {
        let l = &self.lanes[vl];
        let outs = (1..=self.outs).map(|n| (l.pin + n) % self.outs);
        let heads = outs.filter(|o| queues[o * self.vls + vl].head != NONE);
        // The first of the largest.
        let ages = heads.map(|o| (self.age(queues, pool, o * self.vls + vl, t), o));
        ages.reduce(|best, next| if next.0 > best.0 { next } else { best }).map_or(l.pin, |best| best.1)
    }

    /// AG2 in cycle `t`, before queues change: the heads of a VL for the outputs of a set leave. Whether they are those that all
    /// others were held back for.
    pub fn serves(&mut self, queues: &[Queue], pool: &Pool, vl: usize, served: u64, t: u64) -> bool {
        if self.limit == 0 {
            return false;
        }
        let l = self.lanes[vl];
        let pin = if l.pinned { l.pin } else { self.oldest(queues, pool, vl, l.from.min(t)) };
        let leaves = served >> pin & 1 != 0;
        let passed = if leaves { 0 } else { (l.passed + served.count_ones()).min(MOST_PASSED) };
        self.lanes[vl] = Lane { pinned: !leaves, pin, passed, from: NEVER };
        leaves && l.passed >= self.limit
    }

    /// A packet comes to a queue of a VL in cycle `t`: which one is the oldest of those before it is known from now on.
    pub fn accepts(&mut self, queues: &[Queue], pool: &Pool, q: usize, vl: usize, t: u64) {
        if queues[q].head == NONE {
            self.since[q] = t + 1;
        }
        let l = self.lanes[vl];
        if self.limit > 0 && !l.pinned {
            self.lanes[vl] = if l.from <= t {
                let pin = self.oldest(queues, pool, vl, l.from);
                Lane { pinned: true, pin, from: NEVER, ..l }
            } else {
                Lane { from: t + 1, ..l }
            };
        }
    }
}
