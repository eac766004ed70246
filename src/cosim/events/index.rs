//! An index (CCTI) that is not seen: what it can be, from BECNs and from the times at which its timer can have run out.
//!
//! Nobody outside sees when a design takes a BECN, or at which tick a timer began. So an index is a set of *worlds*, each with a
//! value and a timer that began within some cycles. A world splits in two where a BECN comes while it is not sure that an expiry
//! has happened; worlds that become the same are one.

/// What the rules say now of all indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    /// CCTI_INCREASE.
    pub increase: u32,
    /// The largest index, and the one below which no timer lowers one.
    pub limit: u32,
    pub min: u32,
    /// CCTI_TIMER in ticks and a tick in cycles; a timer of 0 never runs out.
    pub timer: u64,
    pub tick: u64,
    /// No design has to count expiries faster than one in so many cycles.
    pub slowest: u64,
    /// Indices move at all.
    pub enabled: bool,
    /// A BECN restarts a running timer.
    pub restart: bool,
    /// Timers are shared by SL: where in its period one is when an index leaves the minimum is not known.
    pub shared: bool,
}

/// Now, and until when all that was due has been done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time {
    pub now: u64,
    /// What was due in this cycle or before has been done by now.
    pub settled: u64,
    /// The last cycle in which all timers began anew, or in which some were begun by a write; and when that was done at the latest.
    pub mark: u64,
    pub marked: Option<u64>,
}

/// A timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Timer {
    /// It began in this cycle at the earliest, ...
    from: u64,
    /// ... and in this one at the latest; `None`: when the mark's work was done.
    to: Option<u64>,
    /// Expiries that have been counted.
    done: u64,
}

/// What an index can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    value: u32,
    timer: Option<Timer>,
}

/// More worlds than this are too many to tell apart.
const MOST: usize = 24;

/// An index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Index {
    worlds: Vec<World>,
    /// Only the largest value is known: that of the one world.
    vague: bool,
}

impl Rules {
    /// `n` expiries.
    fn lowered(&self, value: u32, n: u64) -> u32 {
        if n == 0 {
            value
        } else if value > self.min {
            u32::try_from(u64::from(value).saturating_sub(n)).unwrap_or(0).max(self.min)
        } else {
            self.min
        }
    }

    /// Expiries since the last counted one: those that must have happened, and those that can have.
    fn expiries(&self, t: &Timer, time: &Time) -> (u64, u64) {
        if !self.enabled || self.timer == 0 {
            return (0, 0);
        }
        let period = self.timer * self.tick;
        // The timer counts ticks, and may have begun at the end of one.
        let ticks = time.now.saturating_sub(t.from).div_ceil(self.tick);
        let can = ticks / self.timer + u64::from(self.shared);
        let latest = t.to.or(time.marked);
        let must = latest.map_or(0, |to| time.settled.saturating_sub(to) / period.max(self.slowest));
        (must.saturating_sub(t.done), can.max(must).saturating_sub(t.done))
    }
}

impl Index {
    /// After a reset.
    pub fn new() -> Index {
        Index { worlds: vec![World { value: 0, timer: None }], vague: false }
    }

    /// True if it is known but for what time does.
    pub fn is_known(&self) -> bool {
        !self.vague
    }

    /// The least and the largest value that it can have.
    pub fn range(&self, rules: &Rules, time: &Time) -> (u32, u32) {
        let (mut low, mut high) = (u32::MAX, 0);
        for w in &self.worlds {
            let (must, can) = w.timer.map_or((0, 0), |t| rules.expiries(&t, time));
            for n in [must, can] {
                let value = rules.lowered(w.value, n);
                (low, high) = (low.min(value), high.max(value));
            }
        }
        if self.vague { (0, high) } else { (low, high) }
    }

    /// Splits into worlds in which it is sure what has happened by now, or will have happened within `late` cycles.
    fn decide(&mut self, rules: &Rules, time: &Time, late: u64) {
        let time = &Time { now: time.now + late, ..*time };
        let mut sure = Vec::with_capacity(self.worlds.len());
        for w in &self.worlds {
            let Some(t) = w.timer else {
                sure.push(*w);
                continue;
            };
            let (must, can) = rules.expiries(&t, time);
            for n in if self.vague { must..=must } else { must..=can } {
                let value = rules.lowered(w.value, n);
                let ended = n > 0 && value == rules.min;
                let timer = (!ended).then_some(Timer { done: t.done + n, ..t });
                sure.push(World { value, timer });
                // Nothing is left to lower.
                if ended {
                    break;
                }
            }
        }
        sure.sort_unstable();
        sure.dedup();
        self.worlds = sure;
        if self.vague && self.worlds.iter().all(|w| w.timer.is_none() && w.value <= rules.min) {
            *self = Index { worlds: vec![World { value: rules.min, timer: None }], vague: false };
        }
    }

    /// A BECN, taken within `late` cycles; what falls due until then may come before it.
    pub fn becn(&mut self, rules: &Rules, time: &Time, late: u64) {
        if !rules.enabled {
            return;
        }
        self.decide(rules, time, late);
        for w in &mut self.worlds {
            // An index above the limit comes down to it.
            w.value = (w.value + rules.increase).min(rules.limit);
            if w.timer.is_none() || rules.restart || self.vague {
                w.timer = Some(Timer { from: time.now, to: Some(time.now + late), done: 0 });
            }
        }
        self.tidy(rules, time, ran(time, late));
    }

    /// The SL's timer was restarted for another index.
    pub fn restarted(&mut self, rules: &Rules, time: &Time, late: u64) {
        self.decide(rules, time, late);
        for t in self.worlds.iter_mut().filter_map(|w| w.timer.as_mut()) {
            *t = Timer { from: time.now, to: Some(time.now + late), done: 0 };
        }
        self.tidy(rules, time, ran(time, late));
    }

    /// A register is about to be written, in this cycle: all that happened before, and what happens within `late` cycles, happens by the
    /// rules before. With `retime` all timers begin anew. The mark moves to now.
    pub fn written(&mut self, rules: &Rules, time: &Time, late: u64, retime: bool) {
        self.decide(rules, time, late);
        for w in &mut self.worlds {
            if let Some(t) = &mut w.timer {
                // Of one that is known from above only an expiry counts by what holds now, and so after now.
                if retime || self.vague {
                    *t = Timer { from: time.now, to: None, done: 0 };
                } else if t.to.is_none() {
                    // The mark moves.
                    t.to = time.marked;
                }
            }
        }
        self.tidy(rules, time, None);
    }

    /// After a write: an index off the minimum has a running timer soon, and one below it may be lifted to it.
    pub fn off_minimum(&mut self, rules: &Rules, time: &Time) {
        if self.vague {
            self.worlds.iter_mut().for_each(|w| w.value = w.value.max(rules.min));
        }
        for w in self.worlds.iter_mut().filter(|w| w.timer.is_none() && w.value != rules.min) {
            w.timer = Some(Timer { from: time.now, to: None, done: 0 });
        }
    }

    /// It can be anything; its timer begins in cycle `to` at the latest, or (`None`) when the work of the mark is done that is moved to now or
    /// is not done yet.
    pub fn forget(&mut self, rules: &Rules, time: &Time, to: Option<u64>) {
        let most = self.worlds.iter().map(|w| w.value).max().unwrap_or(0).max(rules.limit);
        let timer = Some(Timer { from: time.now, to, done: 0 });
        *self = Index { worlds: vec![World { value: most, timer }], vague: true };
    }

    /// Too many worlds are none; their timers have begun in cycle `to` at the latest, or with the mark.
    fn tidy(&mut self, rules: &Rules, time: &Time, to: Option<u64>) {
        self.worlds.sort_unstable();
        self.worlds.dedup();
        if self.worlds.len() > MOST {
            self.forget(rules, time, to);
        }
    }

    /// Forgets no longer, where time has brought it to the minimum for sure.
    pub fn settle(&mut self, rules: &Rules, time: &Time) {
        if self.vague || self.worlds.len() > 1 {
            self.decide(rules, time, 0);
            self.tidy(rules, time, ran(time, 0));
        }
    }
}

/// Until when timers have begun anew, but for what the mark begins.
fn ran(time: &Time, late: u64) -> Option<u64> {
    time.marked.map(|_| time.now + late)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        let (timer, tick) = (2, 10);
        Rules {
            increase: 3,
            limit: 15,
            min: 1,
            timer,
            tick,
            slowest: 0,
            enabled: true,
            restart: false,
            shared: false,
        }
    }

    /// Now, with so many cycles of lateness.
    fn at(now: u64, late: u64) -> Time {
        Time { now, settled: now.saturating_sub(late), mark: 0, marked: Some(0) }
    }

    #[test]
    fn a_timer_lowers_an_index_once_in_a_period_within_a_tick_and_the_lateness() {
        let (r, mut i) = (rules(), Index::new());
        i.becn(&r, &at(100, 5), 0);
        // 0 and 3 are 3; 20 cycles a step, and the first tick may have been all but over.
        assert_eq!(i.range(&r, &at(105, 5)), (3, 3));
        assert_eq!(i.range(&r, &at(110, 5)), (3, 3));
        assert_eq!(i.range(&r, &at(112, 5)), (2, 3));
        assert_eq!(i.range(&r, &at(124, 5)), (2, 3));
        assert_eq!(i.range(&r, &at(125, 5)), (2, 2));
        assert_eq!(i.range(&r, &at(145, 5)), (1, 1));
        assert_eq!(i.range(&r, &at(900, 5)), (1, 1));
    }

    #[test]
    fn a_becn_amid_an_unsure_expiry_makes_worlds_that_meet_again() {
        let (r, mut i) = (rules(), Index::new());
        i.becn(&r, &at(100, 5), 0);
        i.becn(&r, &at(115, 5), 0);
        assert_eq!(i.worlds.len(), 2);
        assert_eq!(i.range(&r, &at(115, 5)), (5, 6));
        // The timer ran on: from its end on there is one value.
        assert_eq!(i.range(&r, &at(126, 5)), (5, 5));
        i.settle(&r, &at(126, 5));
        assert_eq!(i.worlds.len(), 1);
        // At the limit it is not the same in which order they came.
        let mut i = Index::new();
        (0..5).for_each(|_| i.becn(&r, &at(100, 5), 0));
        i.becn(&r, &at(115, 5), 0);
        assert_eq!(i.range(&r, &at(127, 5)), (14, 15));
    }

    #[test]
    fn a_restart_begins_the_period_anew() {
        let (mut r, mut i) = (rules(), Index::new());
        r.restart = true;
        i.becn(&r, &at(100, 5), 0);
        i.becn(&r, &at(108, 5), 0);
        assert_eq!(i.range(&r, &at(118, 5)), (6, 6));
        assert_eq!(i.range(&r, &at(133, 5)), (5, 5));
        // Without a timer, and disabled, nothing falls.
        r.timer = 0;
        assert_eq!(i.range(&r, &at(900, 5)), (6, 6));
        r.timer = 2;
        r.enabled = false;
        i.becn(&r, &at(901, 5), 0);
        assert_eq!(i.range(&r, &at(902, 5)), (6, 6));
    }

    #[test]
    fn an_expiry_on_the_way_of_a_becn_or_a_write_may_come_before_it() {
        let (mut r, mut i) = (rules(), Index::new());
        r.restart = true;
        i.becn(&r, &at(100, 5), 0);
        // Due in cycle 111 at the earliest.
        let mut becn = i.clone();
        becn.becn(&r, &at(108, 5), 3);
        assert_eq!(becn.range(&r, &at(118, 5)), (5, 6));
        i.written(&r, &at(108, 5), 3, true);
        assert_eq!(i.range(&r, &Time { mark: 108, marked: None, ..at(118, 5) }), (2, 3));
    }

    #[test]
    fn what_is_known_from_above_falls_only_by_what_holds_since_the_last_write() {
        let (mut r, mut i) = (rules(), Index::new());
        r.min = 15;
        i.forget(&r, &at(100, 5), None);
        // It is lifted to 15 now, and from now on may fall.
        let before = Time { marked: Some(100), ..at(122, 5) };
        i.written(&r, &before, 0, false);
        r.min = 1;
        let marked = Some(127);
        assert_eq!(i.range(&r, &Time { marked, ..at(151, 5) }), (0, 15));
        assert_eq!(i.range(&r, &Time { marked, ..at(152, 5) }), (0, 14));
    }

    #[test]
    fn what_is_known_from_above_may_be_lifted_to_a_minimum_that_rises() {
        let (mut r, mut i) = (rules(), Index::new());
        let pending = |now| Time { mark: now, marked: None, ..at(now, 5) };
        (r.limit, r.min) = (3, 0);
        i.forget(&r, &pending(100), None);
        assert_eq!(i.range(&r, &pending(101)), (0, 3));
        // Up to 15 with the minimum, and down again a step in 20 cycles when that falls.
        for (now, limit, min) in [(200, 15, 15), (300, 15, 0)] {
            i.written(&r, &pending(now), 0, false);
            (r.limit, r.min) = (limit, min);
            i.off_minimum(&r, &pending(now));
        }
        let marked = Time { marked: Some(305), ..at(305 + 5 + 40, 5) };
        i.settle(&r, &marked);
        assert_eq!(i.range(&r, &marked), (0, 13));
    }

    #[test]
    fn what_is_forgotten_is_known_again_when_it_must_have_fallen() {
        let (r, mut i) = (rules(), Index::new());
        // A write forgets it, and so moves the mark: nothing is sure until its work is done.
        let pending = Time { mark: 100, marked: None, ..at(100, 5) };
        i.forget(&r, &pending, None);
        assert!(!i.is_known());
        assert_eq!(i.range(&r, &pending), (0, 15));
        assert_eq!(i.range(&r, &Time { now: 300, settled: 295, ..pending }), (0, 15));
        let mut late = at(100 + 14 * 20 + 4, 5);
        late.marked = Some(100);
        i.settle(&r, &late);
        assert!(!i.is_known());
        late = Time { now: late.now + 1, settled: late.settled + 1, ..late };
        i.settle(&r, &late);
        assert!(i.is_known());
        assert_eq!(i.range(&r, &late), (1, 1));
    }
}
