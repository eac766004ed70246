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

/// Judges a unit by its inputs and outputs.
pub trait Scoreboard: Send {
    /// Takes the next cycle.
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken>;
    /// Puts to 0 the outputs that mean nothing in this cycle.
    fn meaningful(&self, output: &mut [u32]);
    /// What was judged, and how often.
    fn cover(&self) -> Vec<CoverCount>;
}
