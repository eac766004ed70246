//! Self-Tuned (YS2 to YS4): what the sums of the side-band say of the network, and what the threshold may be.

use crate::cosim::events::register::Told;

/// What the registers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub gather: u32,
    pub up: u64,
    pub down: u64,
    pub all: u64,
}

impl Rules {
    /// Cycles after which the side-band is silent.
    fn silence(&self) -> u64 {
        2 << self.gather
    }
}

/// The best period: flits, full lanes, threshold; periods far below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Best {
    flits: u64,
    full: u64,
    threshold: u64,
    bad: u32,
}

/// What tuning has come to, perhaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    threshold: u64,
    last: u64,
    best: Best,
    /// It would have held in this period.
    over: bool,
}

/// More worlds are none.
const MOST: usize = 16;
/// Sums of a period.
const PERIOD: u32 = 3;

/// The side-band, and the threshold.
pub(super) struct Tuned {
    /// The last two sums, and cycles since.
    full: (i64, i64),
    cycles: u64,
    /// Cycles since then that do not count for this period; GATHER was another in those that do.
    from: u64,
    mixed: bool,
    /// Cycles that the side-band has been silent.
    silent: u64,
    /// Sums, and flits, of this period.
    sums: u32,
    flits: u64,
    /// Nothing is known of the threshold: it has none.
    worlds: Vec<World>,
    /// What was judged: sums, periods with one outcome.
    pub heard: u64,
    pub tuned: u64,
}

impl Tuned {
    pub fn new(threshold: u64, rules: &Rules) -> Tuned {
        let mut t = Tuned {
            full: (0, 0),
            cycles: rules.silence(),
            from: 0,
            mixed: false,
            silent: 0,
            sums: 0,
            flits: 0,
            worlds: Vec::new(),
            heard: 0,
            tuned: 0,
        };
        t.set(threshold);
        t
    }

    fn restart(&mut self) {
        (self.sums, self.flits) = (0, 0);
        self.worlds.iter_mut().for_each(|w| *w = World { last: 0, best: Best::default(), over: false, ..*w });
    }

    /// The threshold is written.
    pub fn set(&mut self, threshold: u64) {
        self.worlds = vec![World { threshold, last: 0, best: Best::default(), over: false }];
        self.restart();
        (self.from, self.mixed) = (self.cycles, false);
    }

    /// GATHER is written.
    pub fn gathers(&mut self) {
        self.mixed = true;
    }

    /// What is written comes too close to a sum to be sure of the threshold.
    pub fn doubt(&mut self) {
        self.worlds.clear();
    }

    /// Nothing was heard for long.
    pub fn is_silent(&self, rules: &Rules) -> bool {
        self.cycles >= rules.silence()
    }

    /// Full lanes, so many cycles after the last sum.
    fn estimate(&self, cycles: u64, rules: &Rules) -> i64 {
        let (before, last) = self.full;
        (last + ((last - before) * cycles as i64).div_euclid(1 << rules.gather)).max(0)
    }

    /// A threshold is passed: now and for the last `late` cycles.
    fn passes(&self, threshold: u64, late: u64, rules: &Rules) -> Told {
        let is = |cycles| self.estimate(cycles, rules) > threshold as i64;
        // (It is a line: its ends say all.)
        let ends = [self.cycles.saturating_sub(late), self.cycles].map(is);
        Told { may: ends[0] || ends[1], must: ends[0] && ends[1] }
    }

    /// It holds, perhaps and for sure, at any time in the last `late` cycles.
    pub fn holds(&self, late: u64, rules: &Rules) -> Told {
        if self.is_silent(rules) {
            return Told { may: self.silent < late, must: false };
        }
        if self.cycles < late {
            return Told { may: true, must: false };
        }
        if self.worlds.is_empty() {
            return Told { may: self.passes(0, late, rules).may, must: false };
        }
        let all: Vec<Told> = self.worlds.iter().map(|w| self.passes(w.threshold, late, rules)).collect();
        Told { may: all.iter().any(|t| t.may), must: all.iter().all(|t| t.must) }
    }

    /// A cycle; `sum`: full lanes and flits. `true` if a period ends.
    pub fn cycle(&mut self, sum: Option<(u64, u64)>, edge: u64, rules: &Rules) -> bool {
        let silent = self.is_silent(rules);
        let Some((full, flits)) = sum else {
            self.cycles = (self.cycles + 1).min(rules.silence());
            self.silent = if self.is_silent(rules) { self.silent + 1 } else { 0 };
            return false;
        };
        self.heard += 1;
        if silent {
            self.restart();
        } else {
            self.branch(edge, rules);
            self.flits += flits;
            self.sums += 1;
        }
        let ends = self.sums == PERIOD;
        if ends {
            self.period(full, rules);
        }
        let last = if silent { full as i64 } else { self.full.1 };
        self.full = (last, full as i64);
        (self.cycles, self.from, self.silent, self.mixed) = (0, 0, 0, false);
        ends
    }

    /// A sum is there: it would have held since the one before, in some worlds. A pipeline may see `edge` cycles more, or fewer, at the end.
    fn branch(&mut self, edge: u64, rules: &Rules) {
        let mut worlds = Vec::new();
        for w in &self.worlds {
            let is = |cycles: u64| self.estimate(cycles, rules) > w.threshold as i64;
            let (first, last) = (is(self.from), self.cycles.saturating_sub(edge).max(self.from));
            let may = first || is(self.cycles) || is(self.cycles + edge) || self.mixed;
            let must = (first || is(last)) && !self.mixed;
            if !w.over && may != must {
                worlds.push(*w);
            }
            worlds.push(World { over: w.over || may, ..*w });
        }
        self.worlds = worlds;
        self.tidy();
    }

    fn tidy(&mut self) {
        self.worlds.sort_unstable();
        self.worlds.dedup();
        if self.worlds.len() > MOST {
            self.worlds.clear();
        }
    }

    /// A period is over.
    fn period(&mut self, full: u64, rules: &Rules) {
        let flits = std::mem::take(&mut self.flits);
        self.sums = 0;
        let up = rules.up.max(1);
        for w in &mut self.worlds {
            let mut next = if 4 * flits < 3 * w.last {
                w.threshold.saturating_sub(rules.down)
            } else if w.over {
                w.threshold + up
            } else {
                w.threshold
            };
            if flits > w.best.flits {
                w.best = Best { flits, full, threshold: w.threshold, bad: 0 };
            } else if 2 * flits < w.best.flits {
                next = w.best.threshold.min(w.best.full);
                w.best.bad += 1;
                if w.best.bad == 5 {
                    w.best = Best::default();
                }
            } else {
                w.best.bad = 0;
            }
            *w = World { threshold: next.max(up).min(rules.all), last: flits, over: false, ..*w };
        }
        self.tidy();
        self.tuned += u64::from(self.worlds.len() == 1);
    }
}
