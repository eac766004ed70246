//! Which headers are held, and for how long they have been (section 2).

use super::seen::Seen;
use super::state::InjectionControl;
use super::written::Scheme;
use crate::model::worm::classes::Set;

/// Most cycles that are counted.
pub(super) const HELD_MOST: u32 = 0xffff;

impl InjectionControl {
    /// The header in front of lane v has been held for as long as it may.
    pub(super) fn is_overdue(&self, v: usize) -> bool {
        self.written.hold_max != 0 && self.held[v] >= self.written.hold_max
    }

    /// YL1: it may enter the network.
    pub(super) fn may(&self, v: usize) -> bool {
        self.channels.all_useful(self.lookup.known[v]) || self.channels.one_clear(self.written.channels)
    }

    /// The scheme is against it, if it is a best-effort one.
    pub(super) fn is_against(&self, v: usize) -> bool {
        match self.written.scheme() {
            Scheme::None => false,
            Scheme::Alo => !self.may(v),
            Scheme::SelfTuned => self.throttle,
        }
    }

    /// Lanes of which headers are held.
    pub(super) fn holds(&self) -> Set {
        let best_effort = self.written.best_effort(self.p.vls);
        (0..self.p.vls)
            .filter(|&v| best_effort >> v & 1 != 0 && !self.is_overdue(v) && self.is_against(v))
            .fold(0, |all, v| all | 1 << v)
    }

    /// The edge.
    pub(super) fn count_held(&mut self, seen: &Seen, holds: Set) {
        for v in 0..self.p.vls {
            let held = &mut self.held[v];
            if !seen.is_front(v) || seen.sent == Some(v) {
                *held = 0;
            } else if holds >> v & 1 != 0 {
                *held = (*held + 1).min(HELD_MOST);
            }
        }
    }
}
