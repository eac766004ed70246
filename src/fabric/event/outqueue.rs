//! The queue of an output (CQ1): what was granted and has not left.

use std::collections::VecDeque;

use super::credit::Run;
use super::lanes::Lanes;
use super::packet::Id;
use super::setup::Slots;

/// The queue of an output.
pub(super) struct OutQueue {
    /// Flits of each VL.
    cap: u64,
    pub lanes: Lanes<Lane>,
    /// Slots of the link.
    pub step: u32,
    origin: u64,
    /// From this slot on the link may start a packet.
    pub idle_from: u64,
    /// Whose turn it is.
    pub lp: usize,
}

/// A VL.
#[derive(Clone)]
pub(super) struct Lane {
    /// Packets that the link has not started, and when the first flit of each is stored: it may leave from then on.
    pub waiting: VecDeque<(Id, u64)>,
    /// Flits granted, those of all packets that the link has started but the latest one, and that.
    pub granted: u64,
    pub left: u64,
    pub run: Run,
}

impl OutQueue {
    pub fn new(cap: usize, vls: usize, link: &Slots) -> OutQueue {
        let lane = Lane { waiting: VecDeque::new(), granted: 0, left: 0, run: Run::NONE };
        OutQueue {
            cap: cap as u64,
            lanes: Lanes::new(lane, vls),
            step: link.interval as u32,
            origin: link.origin,
            idle_from: 0,
            lp: 0,
        }
    }

    /// CQ1: flits of packets of a VL that were granted and have not left, in S(t).
    pub fn fill(&self, vl: usize, t: u64) -> u64 {
        let lane = &self.lanes[vl];
        lane.granted - lane.left - if lane.run.n == 0 { 0 } else { u64::from(lane.run.before(t)) }
    }

    /// CQ1: there is room for so many flits in S(t).
    pub fn has_room(&self, vl: usize, flits: u64, t: u64) -> bool {
        self.fill(vl, t) + flits <= self.cap
    }

    /// The first cycle, not before `t`, with room for so many, as far as it is known.
    pub fn room_at(&self, vl: usize, flits: u64, t: u64) -> Option<u64> {
        self.at_most_at(vl, self.cap - flits.min(self.cap), t)
    }

    /// The first cycle, not before `t`, in which no more than so many are there, as far as it is known.
    pub fn at_most_at(&self, vl: usize, flits: u64, t: u64) -> Option<u64> {
        let more = self.fill(vl, t).saturating_sub(flits);
        if more == 0 {
            return Some(t);
        }
        let run = self.lanes[vl].run;
        let nth = if run.n == 0 { 0 } else { u64::from(run.before(t)) } + more;
        (nth <= u64::from(run.n)).then(|| run.first + (nth - 1) * u64::from(run.step) + 1)
    }

    /// The first slot of the link not before `t`.
    pub fn next_slot(&self, t: u64) -> u64 {
        let k = u64::from(self.step);
        t + (k - (t - self.origin % k) % k) % k
    }

    /// First flits that have not crossed in S(t).
    pub fn crossing(&self, t: u64) -> usize {
        self.lanes.iter().flat_map(|l| &l.waiting).filter(|w| w.1 > t).count()
    }

    /// Whether packets wait.
    pub fn waits(&self) -> bool {
        self.lanes.iter().any(|l| !l.waiting.is_empty())
    }
}
