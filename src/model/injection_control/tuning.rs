//! The threshold, and what it is tuned by (YS3, YS4).

use super::seen::Sum;
use super::written::Written;

/// Sums in a period, and bad periods after which the best is forgotten.
const SUMS: u32 = 3;
const BAD: u32 = 5;
/// T after reset.
const RESET: u32 = 15;

/// The best period: flits, full lanes at its end, threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Best {
    pub(super) flits: u32,
    pub(super) full: u32,
    pub(super) t: u32,
}

/// What tuning has learnt.
#[derive(Clone, Copy, Default)]
pub(super) struct Learnt {
    /// It would have held in this period.
    pub(super) over: bool,
    /// Sums in this period, flits delivered in it, and in the one before.
    pub(super) sums: u32,
    pub(super) flits: u32,
    pub(super) last: u32,
    pub(super) best: Best,
    /// Periods far below the best, one after the other.
    pub(super) bad: u32,
}

/// Threshold and all that.
#[derive(Clone, Copy)]
pub(super) struct Tuning {
    pub(super) t: u32,
    pub(super) learnt: Learnt,
}

/// The end of a period.
#[derive(Clone, Copy)]
pub(super) struct Period {
    pub(super) flits: u32,
    /// Full lanes of its last sum.
    pub(super) full: u32,
    pub(super) over: bool,
}

/// What a period's flits are to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    Best,
    Fair,
    Bad,
}

impl Tuning {
    pub(super) fn new() -> Tuning {
        Tuning { t: RESET, learnt: Learnt::default() }
    }

    /// The period that a sum ends. `above`: the estimate is, now.
    pub(super) fn ends(&self, sum: Sum, above: bool) -> Option<Period> {
        let l = &self.learnt;
        let flits = l.flits + sum.flits;
        (l.sums + 1 == SUMS).then_some(Period { flits, full: sum.full, over: l.over || above })
    }

    /// Flits have dropped by more than a quarter.
    pub(super) fn drops(&self, p: &Period) -> bool {
        4 * u64::from(p.flits) < 3 * u64::from(self.learnt.last)
    }

    pub(super) fn rank(&self, p: &Period) -> Rank {
        let best = self.learnt.best.flits;
        match () {
            () if p.flits > best => Rank::Best,
            () if 2 * p.flits < best => Rank::Bad,
            () => Rank::Fair,
        }
    }

    /// Where the threshold goes, before it is brought between its ends.
    pub(super) fn aim(&self, p: &Period, w: &Written) -> u32 {
        let best = &self.learnt.best;
        match () {
            () if self.rank(p) == Rank::Bad => best.t.min(best.full),
            () if self.drops(p) => self.t.saturating_sub(w.down),
            () if p.over => self.t + w.step_up(),
            () => self.t,
        }
    }

    fn end(&mut self, p: &Period, w: &Written) {
        let (t, rank) = (self.t, self.rank(p));
        self.t = self.aim(p, w).max(w.step_up()).min(w.all);
        let l = &mut self.learnt;
        (l.sums, l.flits, l.over, l.last) = (0, 0, false, p.flits);
        l.bad = if rank == Rank::Bad { l.bad + 1 } else { 0 };
        match rank {
            Rank::Best => l.best = Best { flits: p.flits, full: p.full, t },
            _ if l.bad == BAD => (l.best, l.bad) = (Best::default(), 0),
            _ => {}
        }
    }

    /// The edge of a cycle without a write of T.
    pub(super) fn step(&mut self, sum: Option<Sum>, silent: bool, above: bool, w: &Written) {
        match (sum, silent) {
            (Some(_), true) => self.learnt = Learnt::default(),
            (None, true) => {}
            (None, false) => self.learnt.over |= above,
            (Some(sum), false) => match self.ends(sum, above) {
                Some(period) => self.end(&period, w),
                None => {
                    let l = &mut self.learnt;
                    l.sums += 1;
                    l.flits += sum.flits;
                    l.over |= above;
                }
            },
        }
    }

    /// A write of T.
    pub(super) fn write(&mut self, data: u32) {
        *self = Tuning { t: data & 0xff_ffff, learnt: Learnt::default() };
    }
}
