//! Credits for what an output port grants (F1): the limits that its neighbour gave, and the blocks of all packets granted.

use std::collections::VecDeque;

/// What there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    /// There may be, by one of the limits that may act.
    pub may: bool,
    /// By all of them.
    pub sure: bool,
}

/// One VL.
#[derive(Clone, Debug)]
pub(super) struct Room {
    /// Tolerance: what was before acts on for so many cycles.
    late: u64,
    /// Blocks granted, modulo 4096.
    taken: u16,
    /// Limits: cycle and value; the first one is from before the window.
    limits: VecDeque<(u64, u16)>,
    /// Blocks of packets that were shorter than they asked for: cycle and number.
    back: VecDeque<(u64, u16)>,
}

impl Room {
    pub fn new(late: u64) -> Room {
        Room { late, taken: 0, limits: VecDeque::from([(0, 0)]), back: VecDeque::new() }
    }

    /// The link is down: both ends begin anew.
    pub fn down(&mut self) {
        *self = Room::new(self.late);
    }

    /// A limit came.
    pub fn limit(&mut self, value: u16, now: u64) {
        if self.limits.back().is_some_and(|l| l.1 == value) {
            return;
        }
        while self.limits.len() > 1 && self.limits[1].0 + self.late < now {
            self.limits.pop_front();
        }
        self.limits.push_back((now, value));
    }

    /// A packet of `n` blocks is granted.
    pub fn grant(&mut self, n: usize) {
        self.taken = self.taken.wrapping_add(n as u16) & 0xfff;
    }

    /// A packet ended `n` blocks early.
    pub fn give_back(&mut self, n: usize, now: u64) {
        while self.back.front().is_some_and(|b| b.0 + self.late < now) {
            self.back.pop_front();
        }
        self.taken = self.taken.wrapping_sub(n as u16) & 0xfff;
        self.back.push_back((now, n as u16));
    }

    /// Whether `need` blocks fit in cycle `now`.
    pub fn fits(&self, need: usize, now: u64) -> Fit {
        let mut fit = Fit { may: false, sure: true };
        for (at, limit) in self.limits.iter().enumerate() {
            if self.limits.get(at + 1).is_some_and(|next| next.0 + self.late < now) {
                continue;
            }
            let mut taken = self.taken;
            let mut see = |taken: u16| {
                let fits = limit.1.wrapping_sub(taken).wrapping_sub(need as u16) & 0xfff <= 2048;
                fit.may |= fits;
                fit.sure &= fits;
            };
            see(taken);
            for back in self.back.iter().rev().take_while(|b| b.0 + self.late >= now) {
                taken = taken.wrapping_add(back.1) & 0xfff;
                see(taken);
            }
        }
        fit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(may: bool, sure: bool) -> Fit {
        Fit { may, sure }
    }

    #[test]
    fn what_fits_follows_from_limits_grants_and_what_is_given_back() {
        let mut r = Room::new(4);
        assert_eq!(r.fits(1, 9), fit(false, false));
        r.limit(6, 10);
        // It may not have been heard yet, and has been 4 cycles later.
        assert_eq!(
            (r.fits(6, 11), r.fits(7, 11), r.fits(6, 15)),
            (fit(true, false), fit(false, false), fit(true, true))
        );
        r.grant(4);
        assert_eq!((r.fits(2, 15), r.fits(3, 15)), (fit(true, true), fit(false, false)));
        r.give_back(1, 20);
        assert_eq!(
            (r.fits(3, 24), r.fits(3, 25), r.fits(4, 25)),
            (fit(true, false), fit(true, true), fit(false, false))
        );
        // A limit that is taken back acts on.
        r.limit(5, 30);
        assert_eq!(
            (r.fits(3, 34), r.fits(3, 35), r.fits(2, 35)),
            (fit(true, false), fit(false, false), fit(true, true))
        );
        r.down();
        assert_eq!(r.fits(1, 36), fit(false, false));
    }

    #[test]
    fn counters_go_round_and_half_of_their_range_is_room() {
        let mut r = Room::new(0);
        (0..64).for_each(|_| r.grant(64));
        r.grant(5);
        r.limit(8, 1);
        assert_eq!((r.fits(3, 5), r.fits(4, 5)), (fit(true, true), fit(false, false)));
        r.limit(5 + 2048 + 3, 6);
        assert_eq!((r.fits(2, 9), r.fits(3, 9)), (fit(false, false), fit(true, true)));
    }
}
