//! Where messages and streams go.

use std::sync::Arc;

use crate::fabric::traffic::Random;

/// Destinations of one source.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// Always there.
    Fixed(u32),
    /// Any of so many nodes but the source, the second number.
    Others(u32, u32),
    /// Any of these.
    Among(Arc<[u32]>),
}

impl Target {
    /// One of them; where there is no choice nothing is drawn.
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        match self {
            Target::Fixed(dst) => *dst,
            Target::Others(n, src) => {
                let d = random.below(n - 1);
                d + u32::from(d >= *src)
            }
            Target::Among(list) => list[random.below(list.len() as u32) as usize],
        }
    }

    /// The `index`-th of all others by turns, from the next node on.
    pub(super) fn turn(&self, index: usize, random: &mut Random) -> u32 {
        match self {
            Target::Others(n, src) => {
                let step = index as u64 % u64::from(n - 1) + 1;
                ((u64::from(*src) + step) % u64::from(*n)) as u32
            }
            _ => self.draw(random),
        }
    }
}
