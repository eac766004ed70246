//! What is booked of the ejection link (Q10, Q11, Q15): the time T from which it is free, as far as it is known from GRANTs and from when
//! they can have been made.

use std::collections::VecDeque;

/// A packet without reservation that came, and the cycles for it: at least and at most; it is not booked if T is further ahead than `near`,
/// at least and at most; `sure`: else it is booked, whatever registers hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    pub at: u64,
    pub booked: (u64, u64),
    pub near: (u64, u64),
    pub sure: bool,
}

/// T lies between two cycles, with so many walks booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Belief {
    walks: u64,
    lo: u64,
    hi: u64,
}

/// What is wrong with a GRANT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Its time begins before this cycle, at which the link is free at the earliest.
    Overlap(u64),
    /// Its time begins behind this cycle, at which the link is free at the latest.
    Gap(u64),
}

/// More beliefs are put together.
const MOST: usize = 48;
/// A GRANT that was made in so many cycles says nothing.
const WIDE: u64 = 64;
const FOREVER: u64 = u64::MAX / 4;

/// The schedule.
pub(super) struct Schedule {
    /// What walks in is not booked from so far ahead on.
    far: u64,
    /// Tolerance: what walks in may be booked so much later.
    late: u64,
    beliefs: Vec<Belief>,
    walks: VecDeque<Walk>,
    gone: u64,
}

impl Schedule {
    pub fn new(now_w: usize, late: u64) -> Schedule {
        Schedule {
            far: 1 << (now_w - 2),
            late,
            beliefs: vec![Belief { walks: 0, lo: 0, hi: 0 }],
            walks: VecDeque::new(),
            gone: 0,
        }
    }

    pub fn walk(&mut self, walk: Walk) {
        self.walks.push_back(walk);
    }

    /// T, at the latest, with all that walked in.
    pub fn latest(&self) -> u64 {
        let last = |b: &Belief| self.with(*b, u64::MAX).hi;
        self.beliefs.iter().map(last).max().unwrap_or(FOREVER)
    }

    /// T is known but for the tolerances.
    fn is_known(&self) -> bool {
        self.beliefs.iter().all(|b| b.hi < FOREVER)
    }

    fn next(&self, b: &Belief) -> Option<&Walk> {
        self.walks.get((b.walks - self.gone) as usize)
    }

    fn after(&self, b: Belief, w: &Walk) -> Belief {
        let walks = b.walks + 1;
        let (first, last) = (w.at, w.at + self.late);
        let (lo, hi) = (b.lo.max(first) + w.booked.0, b.hi.max(last).saturating_add(w.booked.1));
        if lo.saturating_sub(last) >= self.far || b.lo.saturating_sub(last) > w.near.1 {
            return Belief { walks, ..b };
        }
        let sure = w.sure && hi.saturating_sub(first) < self.far && b.hi.saturating_sub(first) <= w.near.0;
        let most = (last + w.near.1).saturating_add(w.booked.1).min(last + self.far);
        let hi = hi.min(most.max(b.hi));
        Belief { walks, lo: if sure { lo } else { b.lo }, hi }
    }

    /// With what must have been booked before a cycle.
    fn with(&self, mut b: Belief, cycle: u64) -> Belief {
        while let Some(w) = self.next(&b).filter(|w| w.at.saturating_add(self.late) <= cycle) {
            b = self.after(b, w);
        }
        b
    }

    /// No GRANT that is still to be seen was made before a cycle.
    pub fn settle(&mut self, cycle: u64) {
        if self.walks.front().is_none_or(|w| w.at + self.late > cycle) {
            return;
        }
        self.beliefs = self.beliefs.iter().map(|b| self.with(*b, cycle)).collect();
        self.tidy();
    }

    fn tidy(&mut self) {
        self.beliefs.sort_unstable();
        self.beliefs.dedup();
        if self.beliefs.len() > MOST {
            let mut fewer: Vec<Belief> = Vec::new();
            for b in &self.beliefs {
                match fewer.last_mut().filter(|f| f.walks == b.walks) {
                    Some(f) => (f.lo, f.hi) = (f.lo.min(b.lo), f.hi.max(b.hi)),
                    None => fewer.push(*b),
                }
            }
            self.beliefs = fewer;
        }
        let booked = self.beliefs.iter().map(|b| b.walks).min().unwrap_or(self.gone);
        while self.gone < booked && self.walks.pop_front().is_some() {
            self.gone += 1;
        }
    }

    /// A GRANT that was made in one of these cycles; its time begins `wait` cycles later and lasts so long, at least and at most.
    /// `Ok(true)`: its time was judged, but for what T is not known.
    pub fn grant(&mut self, made: (u64, u64), wait: u64, lasts: (u64, u64)) -> Result<bool, Wrong> {
        if made.1 - made.0 > WIDE {
            self.forget();
            return Ok(false);
        }
        let known = self.is_known();
        let mut next = Vec::new();
        let (mut earliest, mut latest) = (FOREVER, 0);
        let mut early = false;
        for b in &self.beliefs {
            for m in made.0..=made.1 {
                let mut b = self.with(*b, m);
                loop {
                    let begin = m + wait;
                    let fits = b.lo <= begin && (wait == 0 || begin <= b.hi);
                    if fits {
                        next.push(Belief { walks: b.walks, lo: begin + lasts.0, hi: begin + lasts.1 });
                    }
                    early |= begin < b.lo;
                    (earliest, latest) = (earliest.min(b.lo), latest.max(b.hi));
                    match self.next(&b).filter(|w| w.at <= m) {
                        Some(w) => b = self.after(b, w),
                        None => break,
                    }
                }
            }
        }
        if next.is_empty() {
            return Err(if early { Wrong::Overlap(earliest) } else { Wrong::Gap(latest) });
        }
        self.beliefs = next;
        self.tidy();
        Ok(known)
    }

    /// T is not known, nor how much of what walked in is booked.
    fn forget(&mut self) {
        let walks = self.gone;
        self.beliefs = vec![Belief { walks, lo: 0, hi: FOREVER }];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(at: u64, n: u64) -> Walk {
        Walk { at, booked: (n, n), near: (FOREVER, FOREVER), sure: true }
    }

    #[test]
    fn times_follow_one_another() {
        let mut s = Schedule::new(12, 0);
        assert_eq!(s.grant((10, 10), 0, (20, 20)), Ok(true));
        assert_eq!(s.latest(), 30);
        // The next one begins in 30, whenever it is made.
        assert_eq!(s.grant((12, 17), 15, (20, 20)), Ok(true));
        assert_eq!(s.latest(), 50);
        let mut t = Schedule::new(12, 0);
        t.grant((10, 10), 0, (20, 20)).unwrap();
        assert_eq!(t.grant((12, 12), 19, (20, 20)), Err(Wrong::Gap(30)));
        assert_eq!(t.grant((12, 12), 17, (20, 20)), Err(Wrong::Overlap(30)));
        assert_eq!(t.grant((29, 29), 0, (20, 20)), Err(Wrong::Overlap(30)));
        assert_eq!(t.grant((30, 30), 0, (20, 20)), Ok(true));
        // When the link is free nobody waits.
        assert_eq!(t.grant((90, 90), 3, (20, 20)), Err(Wrong::Gap(50)));
    }

    #[test]
    fn what_walks_in_is_booked() {
        let mut s = Schedule::new(12, 0);
        s.walk(walk(10, 5));
        assert_eq!(s.grant((10, 10), 4, (20, 20)), Err(Wrong::Overlap(15)));
        assert_eq!(s.grant((10, 10), 5, (20, 20)), Ok(true));
        s.walk(walk(12, 5));
        assert_eq!(s.latest(), 40);
        // Before it is made or after it, if that is not sure.
        assert_eq!(s.grant((11, 11), 24, (1, 1)), Ok(true));
        assert_eq!(s.latest(), 41);
        s.settle(12);
        assert_eq!((s.latest(), s.walks.len()), (41, 0));
        // What is far ahead is not booked.
        s.walk(walk(13, 2000));
        assert_eq!(s.latest(), 41);
        // By registers it may be booked, or not.
        s.walk(Walk { booked: (3, 6), sure: false, ..walk(14, 0) });
        assert_eq!(s.grant((20, 20), 21, (1, 1)), Ok(true));
        // Nor what comes while T is not near: it is 42.
        s.walk(Walk { near: (21, 21), ..walk(20, 5) });
        assert_eq!(s.latest(), 42);
        s.walk(Walk { near: (22, 22), ..walk(20, 5) });
        assert_eq!(s.latest(), 47);
        let mut t = Schedule::new(12, 2);
        t.walk(walk(10, 5));
        assert_eq!(t.grant((12, 12), 2, (1, 1)), Err(Wrong::Overlap(15)));
        assert_eq!(t.grant((12, 12), 5, (1, 1)), Ok(true));
    }

    #[test]
    fn what_is_not_known_is_learnt() {
        let mut s = Schedule::new(12, 0);
        assert_eq!(s.grant((10, 100), 70, (20, 20)), Ok(false));
        assert!(!s.is_known());
        assert_eq!(s.grant((110, 112), 70, (20, 20)), Ok(false));
        assert_eq!((s.is_known(), s.latest()), (true, 202));
        assert_eq!(s.grant((115, 115), 88, (20, 20)), Err(Wrong::Gap(202)));
        // Many possibilities become one.
        let mut t = Schedule::new(12, 0);
        t.grant((0, 60), 0, (1, 1)).unwrap();
        assert_eq!(t.beliefs, [Belief { walks: 0, lo: 1, hi: 61 }]);
    }
}
