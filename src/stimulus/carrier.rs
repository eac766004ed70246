//! The pin `link_up` of a link (`docs/link.md`): up, but for the times when it falls.

use rand::Rng;
use rand::rngs::SmallRng;

use super::chance::{Chance, chance, hit};

/// What drives the pin.
#[derive(Clone, Debug, Default)]
pub(super) struct Carrier {
    /// Chance, per cycle, that the link falls, and the longest time that it is down then.
    fall: Chance,
    longest: u32,
    /// Cycles for which it is still down.
    down: u32,
    /// What comes from a link that is down is no silence.
    noise: bool,
    /// It never falls by itself, so that its counters wrap; drawn once.
    reliable: Option<bool>,
}

impl Carrier {
    /// How often the link falls from now on: never, now and then for long, or all the time for a cycle or two.
    pub(super) fn vary(&mut self, rng: &mut SmallRng, rate: Option<f64>) {
        let reliable = *self.reliable.get_or_insert_with(|| rng.random());
        let (fall, longest) = match rng.random_range(0..6) {
            _ if reliable => (0.0, 1),
            0 | 1 => (0.0, 1),
            2 => (0.0003, 400),
            3 => (0.001, 400),
            4 => (0.005, 30),
            _ => (0.05, 2),
        };
        self.fall = chance(rate.unwrap_or(fall));
        self.longest = if rate.is_some() { 200 } else { longest };
        self.noise = rng.random();
    }

    /// It falls no more.
    pub(super) fn steady(&mut self) {
        (self.fall, self.down) = (0, 0);
    }

    /// It falls for so many cycles, and is not silent then.
    pub(super) fn cut(&mut self, cycles: u32) {
        (self.down, self.noise) = (cycles, true);
    }

    /// Whether the link is up in the next cycle.
    pub(super) fn next(&mut self, rng: &mut SmallRng) -> bool {
        if self.down == 0 && hit(rng, self.fall) {
            self.down = rng.random_range(1..=self.longest);
        }
        let up = self.down == 0;
        self.down = self.down.saturating_sub(1);
        up
    }

    /// A link that is down shows something in this cycle, which means nothing.
    pub(super) fn babbles(&self, rng: &mut SmallRng) -> bool {
        self.noise && rng.random_ratio(1, 4)
    }

    /// A control word of so many bits that means nothing.
    pub(super) fn scribble(rng: &mut SmallRng, words: &mut [u32], bits: usize) {
        words.iter_mut().for_each(|w| *w = rng.random());
        if let Some(last) = words.last_mut() {
            *last &= u32::MAX >> (32 * bits.div_ceil(32) - bits);
        }
    }
}
