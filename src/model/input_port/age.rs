//! Section 15: ages of the heads, and how often the oldest packet of a lane is passed. Cold queues only: STAMP_W > 0 is without hot ones.

use super::cover::Cov;
use super::state::{Ages, InputPort, Lane, States};
use crate::params::Params;

/// Where `st_bypass` stops.
const MOST_PASSED: u32 = 15;

impl Ages {
    pub fn new(p: &Params) -> Ages {
        let pv = p.ports * p.vls;
        Ages {
            built: p.stamp_w > 0,
            mask: u32::MAX >> (32 - p.age_w()),
            now: 0,
            aged: vec![false; pv],
            lanes: vec![Lane::default(); p.vls],
            hidden: vec![false; pv],
        }
    }

    /// The stamp of a packet that is accepted in this cycle.
    pub fn now(&self) -> u32 {
        self.now
    }

    /// The clock goes on, in every cycle.
    pub fn tick(&mut self) {
        if self.built {
            self.now = (self.now + 1) & self.mask;
        }
    }

    /// The greatest age.
    fn most(&self) -> u32 {
        self.mask / 2 + 1
    }

    /// The limit hides the request of (o,v) in this cycle.
    pub fn hides(&self, q: usize) -> bool {
        self.hidden[q]
    }

    /// It hides some.
    pub fn hide(&self) -> bool {
        self.hidden.contains(&true)
    }

    /// Of all VLs: how often the oldest packet was passed at most.
    pub fn most_passed(&self) -> u32 {
        self.lanes.iter().map(|l| l.bypass).max().unwrap_or(0)
    }

    pub fn state(&self, state: &mut [u32], w: &States) {
        for (q, aged) in self.aged.iter().enumerate() {
            state[w.st_aged + q] = u32::from(*aged);
        }
        for (v, l) in self.lanes.iter().enumerate() {
            state[w.st_pinned + v] = u32::from(l.pinned);
            state[w.st_pin + v] = l.pin as u32;
            state[w.st_bypass + v] = l.bypass;
        }
    }
}

impl InputPort {
    /// AG1: the age of the head of (o,v); none without a head, or without stamps.
    pub(super) fn age(&self, q: usize) -> Option<u32> {
        let a = &self.ages;
        let head = self.head(q).filter(|_| a.built)?;
        let age = a.now.wrapping_sub(head.stamp) & a.mask;
        Some(if a.aged[q] { a.most() } else { age.min(a.most()) })
    }

    /// AG2: the output whose queue has the oldest packet of VL `v`; and how many are as old.
    fn oldest(&self, v: usize) -> (Option<usize>, usize) {
        let l = self.ages.lanes[v];
        if l.pinned {
            return (Some(l.pin), 1);
        }
        let (mut oldest, mut most, mut alike) = (None, 0, 0);
        for o in (1..=self.p.ports).map(|n| (l.pin + n) % self.p.ports) {
            let Some(age) = self.age(o * self.p.vls + v) else { continue };
            if oldest.is_none() || age > most {
                (oldest, most, alike) = (Some(o), age, 0);
            }
            alike += usize::from(age == most);
        }
        (oldest, alike)
    }

    /// AG2: only the oldest packet of a VL that was passed so often asks in the coming cycle.
    pub(super) fn limit_bypassing(&mut self) {
        if !self.ages.built {
            return;
        }
        self.ages.hidden.fill(false);
        let limit = self.cfg.bypass;
        for v in 0..self.p.vls {
            if limit == 0 || self.ages.lanes[v].bypass < limit {
                continue;
            }
            let (oldest, _) = self.oldest(v);
            for o in (0..self.p.ports).filter(|o| Some(*o) != oldest) {
                let q = o * self.p.vls + v;
                let hidden = self.requests[q].take().is_some();
                self.ages.hidden[q] = hidden;
                self.hit_if(hidden, Cov::Ag2LimitHides);
            }
        }
    }

    /// The next values, from the queues and grants of this cycle.
    pub(super) fn update_ages(&mut self) {
        if !self.ages.built {
            return;
        }
        (0..self.p.vls).for_each(|v| self.follow_oldest(v));
        let (now, most) = (self.ages.now, self.ages.most());
        for q in 0..self.pv {
            let Some(age) = self.age(q) else { continue };
            let (was, shown, served) =
                (self.ages.aged[q], self.requests[q].is_some(), self.served.contains(&q));
            let old = age == most;
            self.ages.aged[q] = old && !served;
            self.hit_if(shown, Cov::Ag1AgeShown);
            self.hit_if(now == self.ages.mask, Cov::Ag1NowWraps);
            self.hit_if(old && served, Cov::Ag1AgedServed);
            self.hit_if(old && !was && !served, Cov::Ag1Aged);
            self.hit_if(old && !was && !shown, Cov::Ag1AgedUnseen);
        }
    }

    /// AG2: the oldest packet of VL `v` leaves, or is passed.
    fn follow_oldest(&mut self, v: usize) {
        let was = self.ages.lanes[v];
        if self.cfg.bypass == 0 {
            self.hit_if(was.pinned, Cov::Ag2OffClears);
            self.ages.lanes[v] = Lane { pin: was.pin, ..Lane::default() };
            return;
        }
        let (oldest, alike) = self.oldest(v);
        let at = |o: usize| o * self.p.vls + v;
        let Some(pin) = oldest else {
            self.ages.lanes[v] = Lane { pin: was.pin, ..Lane::default() };
            return;
        };
        let lowest = (0..pin).all(|o| self.age(at(o)) != self.age(at(pin)));
        self.hit_if(alike > 1 && !lowest, Cov::Ag2TieGoesRound);
        if self.served.contains(&(pin * self.p.vls + v)) {
            self.hit_if(was.pinned, Cov::Ag2OldestLeaves);
            self.ages.lanes[v] = Lane { pin, ..Lane::default() };
            return;
        }
        let passing = self.served.iter().filter(|q| *q % self.p.vls == v).count() as u32;
        self.hit_if(!was.pinned, Cov::Ag2Pinned);
        self.hit_if(passing > 1, Cov::Ag2SeveralPass);
        self.hit_if(was.bypass + passing > MOST_PASSED, Cov::Ag2Saturates);
        let bypass = (was.bypass + passing).min(MOST_PASSED);
        self.ages.lanes[v] = Lane { pinned: true, pin, bypass };
    }
}
