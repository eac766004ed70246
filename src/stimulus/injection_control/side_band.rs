//! The side-band: when it asks for counts and brings sums, and which.

use rand::Rng;
use rand::rngs::SmallRng;

use crate::stimulus::worm_router::pace::Pace;

/// Full lanes of the network.
#[derive(Clone, Copy, Debug)]
pub(super) enum Full {
    /// About this many.
    About(u32),
    /// They rise or fall by so many at most from one sum to the next, up to a limit.
    Walk(u32, u32),
    /// Any number.
    Any,
}

/// Flits delivered between two sums.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flits {
    /// This many, or an eighth, a quarter and so on of it, for some sums.
    Steps(u32),
    Any,
}

/// What it brings, when there is no script.
pub(super) struct SideBand {
    pub(super) gathers: Pace,
    pub(super) sums: Pace,
    pub(super) full: Full,
    pub(super) flits: Flits,
    level: u32,
    share: u32,
}

const MOST: u32 = 0xff_ffff;

impl SideBand {
    pub(super) fn new() -> SideBand {
        let (gathers, sums) = (Pace::NEVER, Pace::NEVER);
        SideBand { gathers, sums, full: Full::Any, flits: Flits::Any, level: 0, share: 8 }
    }

    /// Sums as they come: full lanes, flits.
    pub(super) fn sum(&mut self, rng: &mut SmallRng) -> (u32, u32) {
        let full = match self.full {
            Full::About(n) => n.saturating_add(rng.random_range(0..3)).saturating_sub(1),
            Full::Walk(step, most) => {
                let (up, by) = (rng.random(), rng.random_range(0..=step));
                self.level = if up { self.level + by } else { self.level.saturating_sub(by) }.min(most);
                self.level
            }
            Full::Any => [rng.random(), 0, MOST, rng.random_range(0..64)][rng.random_range(0..4)],
        };
        let flits = match self.flits {
            Flits::Steps(n) => {
                if rng.random_ratio(1, 12) {
                    self.share = [8, 8, 7, 6, 4, 3, 2, 0][rng.random_range(0..8)];
                }
                n * self.share / 8
            }
            Flits::Any => [rng.random(), 0, MOST, rng.random_range(0..64)][rng.random_range(0..4)],
        };
        (full & MOST, flits & MOST)
    }
}
