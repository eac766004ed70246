//! At-Least-One (YL1): which channels have free lanes, and who may go.

use super::lookup::Known;
use super::seen::Seen;
use crate::model::worm::classes::Set;

/// What was so of the best-effort lanes in the cycle before.
#[derive(Clone, Copy, Default)]
pub(super) struct Channels {
    /// Outputs of which some is free.
    pub(super) free: Set,
    /// Outputs of which all are.
    pub(super) clear: Set,
    /// Some of the adapter's link is.
    pub(super) link: bool,
}

impl Channels {
    /// What is so in a cycle.
    pub(super) fn now(seen: &Seen, best_effort: Set, ports: usize) -> Channels {
        let outputs = |holds: &dyn Fn(Set) -> bool| {
            (0..ports).filter(|&p| holds(seen.owned[p] & best_effort)).fold(0, |all, p| all | 1 << p)
        };
        Channels {
            free: outputs(&|owned| owned != best_effort),
            clear: outputs(&|owned| best_effort != 0 && owned == 0),
            link: seen.link_free & best_effort != 0,
        }
    }

    /// Clause (a): every useful channel of a header has a free lane.
    pub(super) fn all_useful(&self, known: Option<Known>) -> bool {
        self.link && known.is_some_and(|k| k.way & !self.free == 0)
    }

    /// Clause (b): one of these outputs has all its lanes free.
    pub(super) fn one_clear(&self, of: Set) -> bool {
        self.clear & of != 0
    }
}
