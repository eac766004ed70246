//! Full lanes of the network now, from two sums (YS2).

use super::seen::Sum;

/// The last two sums and the time since.
#[derive(Clone, Copy)]
pub(super) struct Estimate {
    /// Full lanes of the last sum but one, of the last.
    pub(super) before: u32,
    pub(super) last: u32,
    /// Cycles since the last.
    pub(super) age: u32,
}

impl Estimate {
    /// As after reset: silent.
    pub(super) fn new(period: u32) -> Estimate {
        Estimate { before: 0, last: 0, age: 2 * period }
    }

    /// No sum has come for two periods.
    pub(super) fn is_silent(&self, period: u32) -> bool {
        self.age >= 2 * period
    }

    /// The straight line through both sums, which may be below 0.
    pub(super) fn line(&self, period: u32) -> i64 {
        let rise = (i64::from(self.last) - i64::from(self.before)) * i64::from(self.age);
        i64::from(self.last) + rise.div_euclid(i64::from(period))
    }

    /// It is above a threshold.
    pub(super) fn exceeds(&self, threshold: u32, period: u32) -> bool {
        self.line(period).max(0) > i64::from(threshold)
    }

    /// The edge.
    pub(super) fn step(&mut self, sum: Option<Sum>, period: u32) {
        match sum {
            Some(sum) => {
                self.before = if self.is_silent(period) { sum.full } else { self.last };
                self.last = sum.full;
                self.age = 0;
            }
            None => self.age = (self.age + 1).min(2 * period),
        }
    }
}
