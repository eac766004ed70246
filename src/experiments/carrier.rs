//! The pin `link_up` of a link (`docs/link.md`): up, but for the times when it falls.

use rand::Rng;
use rand::rngs::SmallRng;

use super::output_port::{Chance, chance, hit};

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
}

impl Carrier {
    /// How often the link falls from now on: never, now and then for long, or all the time for a cycle or two.
    pub(super) fn vary(&mut self, rng: &mut SmallRng, rate: Option<f64>) {
        let (fall, longest) =
            [(0.0, 1), (0.0, 1), (0.0, 1), (0.001, 400), (0.005, 30), (0.05, 2)][rng.random_range(0..6)];
        self.fall = chance(rate.unwrap_or(fall));
        self.longest = if rate.is_some() { 200 } else { longest };
        self.noise = rng.random();
    }

    /// It falls no more.
    pub(super) fn steady(&mut self) {
        *self = Carrier::default();
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
}
