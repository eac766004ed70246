//! The other end of a link out of the router: lanes that hold flits, and give a credit for each that they are rid of.

use std::collections::VecDeque;

use rand::Rng;
use rand::rngs::SmallRng;

use super::pace::Pace;
use crate::stimulus::chance::{Chance, hit};

/// A lane of the next hop.
#[derive(Clone, Debug)]
struct Lane {
    held: u32,
    drain: Pace,
    /// Cycles at which pulses come.
    coming: VecDeque<u64>,
}

/// The next hop of an output.
#[derive(Clone, Debug)]
pub(in crate::stimulus) struct Hop {
    lanes: Vec<Lane>,
    /// Cycles that pulses need, at least and at most.
    pub delay: (u64, u64),
    /// Chance of a pulse for nothing.
    pub excess: Chance,
    /// One came since the link was up.
    pub spoilt: bool,
    /// Pulses that a scenario gives in the coming cycle, by lane, whatever is held.
    pub pulses: u32,
}

impl Hop {
    pub(in crate::stimulus) fn new(vls: usize) -> Hop {
        let lane = Lane { held: 0, drain: Pace::ALWAYS, coming: VecDeque::new() };
        Hop { lanes: vec![lane; vls], delay: (0, 0), excess: 0, spoilt: false, pulses: 0 }
    }

    /// The pace of a lane.
    pub(in crate::stimulus) fn drain(&mut self, lane: usize, pace: Pace) {
        self.lanes[lane].drain = pace;
    }

    pub(in crate::stimulus) fn drain_all(&mut self, pace: Pace) {
        self.lanes.iter_mut().for_each(|l| l.drain = pace);
    }

    /// Nothing is held, no pulse is on its way.
    pub(in crate::stimulus) fn is_idle(&self) -> bool {
        self.lanes.iter().all(|l| l.held == 0 && l.coming.is_empty())
    }

    pub(in crate::stimulus) fn fall(&mut self) {
        self.spoilt = false;
        for lane in &mut self.lanes {
            lane.held = 0;
            lane.coming.clear();
        }
    }

    /// A flit of the router.
    pub(in crate::stimulus) fn flit(&mut self, lane: usize) {
        if let Some(lane) = self.lanes.get_mut(lane) {
            lane.held += 1;
        }
    }

    /// Credit pulses of this cycle, by lane.
    pub(in crate::stimulus) fn credits(&mut self, cycle: u64, rng: &mut SmallRng) -> u32 {
        let mut pulses = std::mem::take(&mut self.pulses);
        for (v, lane) in self.lanes.iter_mut().enumerate() {
            if lane.held > 0 && lane.drain.is_on(rng, cycle) {
                lane.held -= 1;
                let delay = rng.random_range(self.delay.0..=self.delay.1.max(self.delay.0));
                // One overtakes no other.
                let after = lane.coming.back().map_or(0, |&last| last + 1);
                lane.coming.push_back((cycle + delay).max(after));
            }
            if lane.coming.front().is_some_and(|&due| due <= cycle) {
                lane.coming.pop_front();
                pulses |= 1 << v;
            }
        }
        if hit(rng, self.excess) {
            self.spoilt = true;
            pulses |= 1 << rng.random_range(0..self.lanes.len());
        }
        pulses
    }
}
