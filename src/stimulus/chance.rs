//! Probabilities as thresholds on 32-bit random numbers.

use rand::RngCore;
use rand::rngs::SmallRng;

/// A probability in units of 2^-32.
pub(crate) type Chance = u32;

/// Certain.
pub(crate) const ALWAYS: Chance = u32::MAX;

/// A probability as a [`Chance`].
pub(crate) fn chance(p: f64) -> Chance {
    (p.clamp(0.0, 1.0) * f64::from(u32::MAX)) as u32
}

/// Draws.
pub(crate) fn hit(rng: &mut SmallRng, c: Chance) -> bool {
    c != 0 && (c == ALWAYS || rng.next_u32() < c)
}
