//! How old the heads of an input's queues are, and how often the oldest packet of a VL is passed (AG1, AG2): section 15 of the input
//! port's page. Cold queues only, (o,v) at o*V+v.

use super::bits::ones;
use super::credit::NEVER;
use super::packet::{NONE, Pool, Queue};
use super::setup::InRegs;
use super::state::{Core, Grant};
use super::wheel::Wake;
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
    fn age(&self, queues: &[Queue], pool: &Pool, q: usize, t: u64) -> u64 {
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

impl Core {
    /// The age of the head of a queue in S(t); 0 without ages.
    pub fn age(&self, input: usize, q: usize, t: u64) -> u64 {
        let i = &self.inputs[input];
        i.ages.as_ref().map_or(0, |a| a.age(&i.queues, &self.pool, q, t))
    }

    /// AG1: of VLs and sets of their inputs those whose heads are oldest; the VL whose turn it is.
    pub fn oldest_requests(
        &self,
        node: usize,
        out: usize,
        pool: impl Iterator<Item = (usize, u64)>,
        t: u64,
    ) -> Option<(usize, u64)> {
        let n = &self.nodes[node];
        let o = &self.outputs[out];
        let (vls, vp) = (n.shape.vls, usize::from(o.vp[super::ports::DATA]));
        let first = |v: usize| (v + vls - vp) % vls;
        let (mut most, mut best) = (0, None);
        for (v, inputs) in pool {
            let q = n.shape.cold(out - n.output, v);
            for i in ones(inputs) {
                let age = self.age(n.input + i, q, t);
                best = match best {
                    Some((of, set)) if of == v && age == most => Some((v, set | 1 << i)),
                    Some((of, _)) if age < most || age == most && first(of) < first(v) => best,
                    _ => Some((v, 1 << i)),
                };
                most = most.max(age);
            }
        }
        best
    }

    /// AG2 in cycle `t`, before queues change: the oldest packets leave, or are passed.
    pub fn follow_oldest(&mut self, node: usize, grants: &[Grant], t: u64) {
        let out0 = self.nodes[node].output;
        for (k, g) in grants.iter().enumerate() {
            let same = |other: &&Grant| (other.input, other.vl) == (g.input, g.vl);
            if grants[..k].iter().any(|other| same(&other)) {
                continue;
            }
            let i = &mut self.inputs[g.input];
            let Some(ages) = i.ages.as_mut().filter(|a| a.limit > 0) else { continue };
            let l = ages.lanes[g.vl];
            let at = l.from.min(t);
            let pin = if l.pinned { l.pin } else { ages.oldest(&i.queues, &self.pool, g.vl, at) };
            if grants.iter().filter(same).any(|other| other.local_out == pin) {
                ages.lanes[g.vl] = Lane { pinned: false, pin, passed: 0, from: NEVER };
                // Those that it held back ask from the next cycle on.
                let held = |o: &usize| l.passed >= ages.limit && i.queues[o * ages.vls + g.vl].head != NONE;
                (0..ages.outs).filter(held).for_each(|o| self.wheel.plan(t + 1, Wake::Output, out0 + o));
                continue;
            }
            let passed = (l.passed + grants.iter().filter(same).count() as u32).min(MOST_PASSED);
            ages.lanes[g.vl] = Lane { pinned: true, pin, passed, from: NEVER };
        }
    }
}
