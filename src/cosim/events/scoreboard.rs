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

/// Judges a unit by its inputs and outputs.
pub trait Scoreboard: Send {
    /// Takes the next cycle.
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken>;
    /// Puts to 0 the outputs that mean nothing in this cycle.
    fn meaningful(&self, output: &mut [u32]);
    /// What was judged, and how often.
    fn cover(&self) -> Vec<CoverCount>;
}
