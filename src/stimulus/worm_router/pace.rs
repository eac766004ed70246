//! How often something happens.

use rand::rngs::SmallRng;

use crate::stimulus::chance::{ALWAYS, Chance, hit};

/// By chance in each cycle, or for some cycles of every period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    Chance(Chance),
    /// Cycles of a period, those of them in which it happens, and where it begins.
    Period(u64, u64, u64),
}

impl Pace {
    pub(super) const ALWAYS: Pace = Pace::Chance(ALWAYS);
    pub(super) const NEVER: Pace = Pace::Chance(0);

    pub(super) fn is_on(self, rng: &mut SmallRng, cycle: u64) -> bool {
        match self {
            Pace::Chance(chance) => hit(rng, chance),
            Pace::Period(period, on, from) => (cycle + from) % period.max(1) < on,
        }
    }
}
