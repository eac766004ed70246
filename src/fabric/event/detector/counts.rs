//! Packets that wait for an output (SM4), and how much that is (VM2): section 12 of its page.

use std::collections::VecDeque;

use crate::fabric::event::lanes::Lanes;
use crate::fabric::event::setup::OutRegs;
use crate::params::Params;
use crate::scheme::detector::{Counts, Step};

/// The counts of an output's VLs. What changes them is known a cycle ahead at least; it is worked off when somebody looks.
#[derive(Clone)]
pub struct Counting {
    lanes: Lanes<Lane>,
    most: u32,
    /// Packets are marked by them; and all that wait if they are more than this.
    marks: bool,
    out_th: Option<u32>,
}

/// A VL: its counts, and cycles in which packets enter and leave and a buffer became full that are not in them yet, each list in
/// order.
#[derive(Clone, Default)]
struct Lane {
    counts: Counts,
    enter: VecDeque<u64>,
    leave: VecDeque<u64>,
    full: VecDeque<u64>,
}

impl Counting {
    pub fn new(p: &Params, regs: &OutRegs) -> Counting {
        let (lanes, most) = (Lanes::new(Lane::default(), p.vls), Counts::most(p.ports, p.cap(0)));
        Counting { lanes, most, marks: regs.counts, out_th: regs.out_th }
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

    /// An input with packets for it became full in the cycle before (`full_evt`).
    pub fn filled(&mut self, vl: usize, cycle: u64) {
        if self.marks {
            self.lanes[vl].full.push_back(cycle);
        }
    }

    /// The counts in S(t).
    pub fn catch_up(&mut self, vl: usize, t: u64) -> Counts {
        let lane = &mut self.lanes[vl];
        loop {
            let next =
                [&lane.enter, &lane.leave, &lane.full].iter().filter_map(|list| list.front()).min().copied();
            let Some(cycle) = next.filter(|c| *c < t) else { return lane.counts };
            let step = Step {
                enter: take(&mut lane.enter, cycle),
                leaves: take(&mut lane.leave, cycle) > 0,
                most: self.most,
            };
            let many = step.enter > 0 && self.out_th.is_some_and(|th| lane.counts.wait_after(step) > th);
            let triggered = take(&mut lane.full, cycle) > 0 || many;
            lane.counts = lane.counts.next(step, self.marks.then_some(triggered));
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
