//! Credits that go back to the sender of a link (YW2): a pulse for each flit that has left its lane, in time and not before.

use std::collections::VecDeque;

use crate::cosim::events::scoreboard::{Broken, broken};

/// A lane.
#[derive(Clone, Debug, Default)]
pub(super) struct Home {
    /// Flits that came and have no pulse yet.
    away: usize,
    /// Of these, flits that may be gone, but for all one sees.
    pub may: usize,
    /// Pulses of flits that are not seen to have left yet.
    early: VecDeque<u64>,
    /// By when there must be pulses.
    due: VecDeque<u64>,
}

impl Home {
    /// Flits whose credits the sender has used.
    pub fn away(&self) -> usize {
        self.away
    }

    pub fn came(&mut self) {
        self.away += 1;
    }

    /// A flit has left, or was dropped: its pulse comes within `late` cycles, one in a cycle.
    pub fn frees(&mut self, now: u64, late: u64) {
        if self.early.pop_front().is_none() {
            let after = self.due.back().map_or(0, |d| d + 1);
            self.due.push_back(after.max(now + late));
        }
    }

    /// A pulse.
    pub fn pulse(&mut self, now: u64) -> Result<(), Broken> {
        if self.away == 0 {
            return broken("overdrawn", "YW2", "a credit is given for which no flit came".into());
        }
        self.away -= 1;
        if self.due.pop_front().is_none() {
            self.early.push_back(now);
        }
        Ok(())
    }

    /// No pulse is missing, and none came long before its flit left.
    pub fn look(&self, now: u64, early: u64) -> Result<(), Broken> {
        if self.due.front().is_some_and(|by| *by < now) {
            let text = format!("{} credits of flits that have left are not given back", self.due.len());
            return broken("leak", "YW2", text);
        }
        if let Some(at) = self.early.get(self.may).filter(|at| *at + early < now) {
            let text = format!("the credit of {} cycles ago is for a flit that is still inside", now - at);
            return broken("overdrawn", "YW2", text);
        }
        Ok(())
    }
}
