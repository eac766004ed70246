//! How often something happens.

use rand::rngs::SmallRng;

use crate::stimulus::chance::{ALWAYS, Chance, hit};

/// By chance in each cycle, or for some cycles of every period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stimulus) enum Pace {
    Chance(Chance),
    /// Cycles of a period, those of them in which it happens, and where it begins.
    Period(u64, u64, u64),
}

impl Pace {
    pub(in crate::stimulus) const ALWAYS: Pace = Pace::Chance(ALWAYS);
    pub(in crate::stimulus) const NEVER: Pace = Pace::Chance(0);

    pub(in crate::stimulus) fn is_on(self, rng: &mut SmallRng, cycle: u64) -> bool {
        match self {
            Pace::Chance(chance) => hit(rng, chance),
            Pace::Period(period, on, from) => (cycle + from) % period.max(1) < on,
        }
    }
}
