//! Packets that wait for an output (SM4), and how much that is (VM2): section 12 of its page.

use std::collections::VecDeque;

use crate::fabric::event::lanes::Lanes;
use crate::params::Params;
use crate::scheme::detector::{Counts, Step};

/// The counts of an output's VLs. What changes them is known a cycle ahead at least; it is worked off when somebody looks.
#[derive(Clone)]
pub struct Counting {
    lanes: Lanes<Lane>,
    most: u32,
}

/// A VL: its counts, and cycles in which packets enter and leave that are not in them yet, each list in order.
#[derive(Clone, Default)]
struct Lane {
    counts: Counts,
    enter: VecDeque<u64>,
    leave: VecDeque<u64>,
}

impl Counting {
    pub fn new(p: &Params) -> Counting {
        Counting { lanes: Lanes::new(Lane::default(), p.vls), most: Counts::most(p.ports, p.cap(0)) }
    }

    /// A packet enters in a cycle (`enter` of its input).
    pub fn enters(&mut self, vl: usize, cycle: u64) {
        self.lanes[vl].enter.push_back(cycle);
    }

    /// A packet's first flit is on the crossbar in a cycle; all that comes before `now` is known.
    pub fn leaves(&mut self, vl: usize, cycle: u64, now: u64) {
        self.catch_up(vl, now);
        self.lanes[vl].leave.push_back(cycle);
    }

    /// The counts in S(t).
    pub fn catch_up(&mut self, vl: usize, t: u64) -> Counts {
        let lane = &mut self.lanes[vl];
        loop {
            let next = [&lane.enter, &lane.leave].iter().filter_map(|list| list.front()).min().copied();
            let Some(cycle) = next.filter(|c| *c < t) else { return lane.counts };
            let step = Step {
                enter: take(&mut lane.enter, cycle),
                leaves: take(&mut lane.leave, cycle) > 0,
                most: self.most,
            };
            lane.counts = lane.counts.next(step, None);
        }
    }
}

/// How many of a list are in a cycle, the first that it has.
fn take(list: &mut VecDeque<u64>, cycle: u64) -> u32 {
    let before = list.len();
    while list.front() == Some(&cycle) {
        list.pop_front();
    }
    (before - list.len()) as u32
}
