//! Who judges by events.

use crate::cosim::outcome::CoverCount;

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// In a word: what stays the same when it is seen again with other numbers.
    pub kind: &'static str,
    /// The rules of the unit's page.
    pub rules: &'static str,
    /// What was seen, and what was to be seen.
    pub text: String,
}

/// The error of a rule that was broken.
pub(super) fn broken<T>(kind: &'static str, rules: &'static str, text: String) -> Result<T, Broken> {
    Err(Broken { kind, rules, text })
}

/// What a scoreboard counts: name, rules, what was judged.
pub(super) type Point = (&'static str, &'static str, &'static str);

/// How often each of these was judged.
pub(super) fn counted(points: &[Point], counts: &[u64]) -> Vec<CoverCount> {
    let both = points.iter().zip(counts);
    both.map(|(&(name, rules, text), &count)| CoverCount { name, rules, text, count }).collect()
}

/// A unit is ready within some cycles of its reset, and then for good.
pub(super) struct Readiness {
    within: u64,
    /// The rule of the unit's page.
    rules: &'static str,
    was: bool,
}

impl Readiness {
    pub fn new(within: u64, rules: &'static str) -> Readiness {
        Readiness { within, rules, was: false }
    }

    /// What `ready` says in cycle `now`; it is given back.
    pub fn see(&mut self, ready: bool, now: u64) -> Result<bool, Broken> {
        if !ready && self.was {
            return broken("ready", self.rules, "ready went down without a reset".into());
        }
        if !ready && now > self.within {
            return broken("ready", self.rules, format!("not ready {now} cycles after the reset"));
        }
        self.was = ready;
        Ok(ready)
    }
}

/// Messages of each VL that are to come often enough.
#[derive(Clone, Debug)]
pub(super) struct Regular {
    /// The last one.
    heard: Vec<u64>,
    /// The larger of FC_INTERVAL's last two values, and the last one.
    interval: (u64, u64),
    /// Tolerance.
    silence: u64,
}

impl Regular {
    pub fn new(vls: usize, silence: u64) -> Regular {
        Regular { heard: vec![0; vls], interval: (4, 4), silence }
    }

    /// FC_INTERVAL is written.
    pub fn every(&mut self, data: u32, now: u64) {
        self.interval = (self.interval.1, u64::from(data & 0xffff).max(1));
        self.anew(now);
    }

    /// From now on they are to come.
    pub fn anew(&mut self, now: u64) {
        self.heard.fill(now);
    }

    pub fn heard(&mut self, vl: usize, now: u64) {
        self.heard[vl] = now;
    }

    /// None came for longer than this.
    pub fn late(&self, vl: usize, now: u64) -> Option<u64> {
        let most = self.heard.len() as u64 * self.interval.0.max(self.interval.1) + self.silence;
        (now - self.heard[vl] > most).then_some(most)
    }
}

/// The rule that is broken, in a word.
#[cfg(test)]
pub(super) fn kind<T: std::fmt::Debug>(result: Result<T, Broken>) -> &'static str {
    result.expect_err("a rule is broken").kind
}

/// Judges a unit by its inputs and outputs.
pub trait Scoreboard: Send {
    /// Takes the next cycle.
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken>;
    /// Puts to 0 the outputs that mean nothing in this cycle.
    fn meaningful(&self, output: &mut [u32]);
    /// What was judged, and how often.
    fn cover(&self) -> Vec<CoverCount>;
}
