//! Packets that wait for the output, as inputs tell, those of them that are to be marked (SM4, SM5), and whether the output is saturated (VM2).

use std::collections::VecDeque;

use crate::cosim::events::register::{Register, Told};
use crate::cosim::events::sender::saturated_above;
use crate::params::{Params, UnitKind};
use crate::registers::addr;

/// A VL.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// Markable packets that wait.
    waits: u64,
    /// Of the next ones to leave so many are to be marked, at least and at most.
    next: (u64, u64),
    /// The last cycle in which the least number rose, and in which a count may have been copied.
    risen: Option<u64>,
    copied: Option<u64>,
    /// Packets of the last cycles that came, and that left: cycles.
    entered: VecDeque<u64>,
    left: VecDeque<u64>,
    /// The last cycle in which the output might not be saturated, and might be.
    low: Option<u64>,
    high: Option<u64>,
}

/// What inputs say of a VL in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Said {
    pub enters: u64,
    pub full: bool,
    /// A markable packet crosses.
    pub leaves: bool,
    /// Flits that wait.
    pub sum: u64,
}

/// All VLs.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    on: bool,
    /// Tolerances: of registers, and of all else.
    grant: u64,
    late: u64,
    most: u64,
    lanes: Vec<Lane>,
    det: Register,
    validates: Register,
    limits: [Register; 2],
    addresses: [u32; 3],
}

fn young(of: &mut VecDeque<u64>, now: u64, late: u64) -> u64 {
    while of.front().is_some_and(|at| now - at > late) {
        of.pop_front();
    }
    of.len() as u64
}

impl Counts {
    pub fn new(p: &Params, (grant, late): (u64, u64)) -> Counts {
        let packets = (p.ports * p.cap(0) + p.ports + 1) as u64;
        Counts {
            on: p.markers,
            grant,
            late,
            most: packets.next_power_of_two() - 1,
            lanes: vec![Lane::default(); p.vls],
            det: Register::new(0),
            validates: Register::new(0),
            limits: [8, saturated_above(p)].map(Register::new),
            addresses: ["CTRL", "OUT_TH", "VB_TH"].map(|n| addr(UnitKind::OutputPort, n).into()),
        }
    }

    pub fn write(&mut self, number: u32, data: u32, now: u64) {
        match self.addresses.iter().position(|a| *a == number) {
            Some(0) => {
                self.det.write(data >> 10 & 3, now);
                self.validates.write(data >> 12 & 1, now);
            }
            Some(at) => self.limits[at - 1].write(data & 0xffff, now),
            None => {}
        }
    }

    /// What a cycle says of VL `v`. Whether a packet that crosses in it is one of those to be marked, as far as is known now.
    pub fn cycle(&mut self, v: usize, said: Said, now: u64) -> Told {
        if !self.on {
            return Told::sure(false);
        }
        let since = now.saturating_sub(self.grant);
        let (on, three) = (self.det.told(since, |d| d >= 2), self.det.told(since, |d| d == 3));
        let range = |r: &Register| {
            let (least, most) = r.range(since);
            (u64::from(least), u64::from(most))
        };
        let (most_packets, flits) = (range(&self.limits[0]), range(&self.limits[1]));
        let late = self.late;
        let lane = &mut self.lanes[v];
        let counted = Told {
            may: lane.next.1 > 0,
            must: on.must && lane.next.0 > 0 && lane.risen.is_none_or(|r| now - r > late),
        };
        let leaves = u64::from(said.leaves && lane.waits > 0);
        lane.waits = (lane.waits - leaves + said.enters).min(self.most);
        lane.next.0 = lane.next.0.saturating_sub(u64::from(said.leaves));
        lane.next.1 = lane.next.1.saturating_sub(u64::from(said.leaves));
        let entered = young(&mut lane.entered, now, late);
        let left = young(&mut lane.left, now, late);
        // What comes just behind a copy may be in it.
        if lane.copied.is_some_and(|c| now - c <= late) {
            lane.next.1 += said.enters;
        }
        (0..said.enters).for_each(|_| lane.entered.push_back(now));
        if said.leaves {
            lane.left.push_back(now);
        }
        let many = |count: u64, limit: u64| said.enters > 0 && count > limit;
        let sure = lane.waits.saturating_sub(entered);
        let may = on.may && (said.full || three.may && many(lane.waits + left, most_packets.0));
        let must = on.must && (said.full || three.must && many(sure, most_packets.1));
        if may {
            lane.next.1 = lane.next.1.max(lane.waits);
            lane.copied = Some(now);
        }
        if must && sure > lane.next.0 {
            lane.next.0 = sure;
            lane.risen = Some(now);
        }
        if !on.must {
            lane.next.0 = 0;
        }
        if !on.may {
            lane.next = (0, 0);
        }
        if said.sum <= flits.1 {
            lane.low = Some(now);
        }
        if said.sum > flits.0 {
            lane.high = Some(now);
        }
        counted
    }

    /// Whether a packet that crossed in cycle `at` and leaves now is one of those to be marked; `counted`: as it was then.
    pub fn marks(&self, v: usize, counted: Told, at: u64, now: u64) -> Told {
        let since = at.saturating_sub(self.grant);
        let on = self.det.told(since, |d| d >= 2);
        let copied = self.lanes[v].copied.is_some_and(|c| c + self.late >= at && c <= now);
        on.and(Told { may: counted.may || copied, must: counted.must })
    }

    /// Whether a packet that crossed in cycle `at` and has MB gets VB.
    pub fn validates(&self, v: usize, at: u64) -> Told {
        let lane = &self.lanes[v];
        let near = |cycle: Option<u64>| cycle.is_some_and(|c| c + self.late >= at);
        let on = self.validates.told(at.saturating_sub(self.grant), |b| b == 1);
        on.and(Told { may: near(lane.high), must: !near(lane.low) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Build;

    const NO: Told = Told { may: false, must: false };
    const YES: Told = Told { may: true, must: true };

    fn counts() -> Counts {
        let p = Build::named(UnitKind::OutputPort, Some("marktiny")).unwrap().params;
        let mut c = Counts::new(&p, (4, 2));
        c.write(addr(UnitKind::OutputPort, "CTRL").into(), 3 << 10 | 1 << 12, 1);
        c.write(addr(UnitKind::OutputPort, "OUT_TH").into(), 2, 1);
        c
    }

    fn said(enters: u64, full: bool, leaves: bool) -> Said {
        Said { enters, full, leaves, sum: 0 }
    }

    #[test]
    fn those_that_wait_when_a_buffer_is_full_are_marked() {
        let mut c = counts();
        c.write(addr(UnitKind::OutputPort, "OUT_TH").into(), 9, 1);
        c.cycle(0, said(2, false, false), 10);
        c.cycle(0, said(0, true, false), 20);
        // One more, that comes with the copy or behind it.
        c.cycle(0, said(1, false, false), 21);
        let all: Vec<Told> = (0..4).map(|i| c.cycle(0, said(0, false, true), 30 + i)).collect();
        assert_eq!(all, [YES, YES, Told { may: true, must: false }, NO]);
        assert_eq!((c.marks(0, all[0], 30, 31), c.marks(0, all[3], 33, 34)), (YES, NO));
    }

    #[test]
    fn more_than_a_number_are_marked() {
        let mut c = counts();
        c.cycle(0, said(2, false, false), 10);
        assert_eq!(c.cycle(0, said(0, false, true), 20), NO);
        c.cycle(0, said(1, false, false), 30);
        c.cycle(0, said(1, false, false), 40);
        c.cycle(0, said(1, false, false), 50);
        // (Three waited before the last one came.)
        let all: Vec<Told> = (0..5).map(|i| c.cycle(0, said(0, false, true), 60 + i)).collect();
        assert_eq!(all, [YES, YES, YES, YES, NO]);
        c.write(addr(UnitKind::OutputPort, "CTRL").into(), 0, 70);
        c.cycle(0, said(1, true, false), 80);
        assert_eq!(c.cycle(0, said(0, false, true), 90), NO);
    }

    #[test]
    fn above_a_number_of_flits_it_is_saturated() {
        let mut c = counts();
        c.write(addr(UnitKind::OutputPort, "VB_TH").into(), 5, 1);
        let mut sums = |from: u64, sum: u64| {
            (from..from + 10).for_each(|now| _ = c.cycle(0, Said { sum, ..Said::default() }, now));
            c.validates(0, from + 9)
        };
        assert_eq!((sums(10, 5), sums(20, 6), sums(30, 0)), (NO, YES, NO));
        assert_eq!(c.validates(0, 30), Told { may: true, must: false });
    }
}
