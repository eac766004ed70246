//! What happens to a network while it runs: registers are written, routers reset, links fall and come up again.

use std::collections::VecDeque;

use super::net::{NodeId, Write};

/// One thing, in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deed {
    /// Traffic cycle.
    pub cycle: u64,
    /// What.
    pub act: Act,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A router is as after its reset, whatever it was before. Its links are down, and stay so until it is configured again.
    Reset(usize),
    /// A register of a node, or an entry of a table, is written.
    Write(NodeId, Write),
    /// A link falls or comes up. It is down for three cycles at least.
    Link {
        /// Nodes at its ends, and their ports (of a host 0).
        ends: [(NodeId, usize); 2],
        /// Whether it is up from this cycle on.
        up: bool,
    },
}

/// What is to be done, first things first, and which registers the current cycle writes.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    due: VecDeque<Deed>,
    written: Vec<NodeId>,
}

impl Deeds {
    pub(super) fn new(mut all: Vec<Deed>) -> Deeds {
        all.sort_by_key(|deed| deed.cycle);
        Deeds { due: all.into(), written: Vec::new() }
    }

    /// Nothing is to be done in this cycle, and nothing was in the last one.
    pub(super) fn rest(&self, t: u64) -> bool {
        self.written.is_empty() && self.due.front().is_none_or(|deed| deed.cycle > t)
    }

    /// Nodes of which a register was written in the last cycle.
    pub(super) fn written(&mut self) -> Vec<NodeId> {
        std::mem::take(&mut self.written)
    }

    /// What is to be done in this cycle: a register of a node at a time, since it has one register port.
    pub(super) fn next(&mut self, t: u64) -> Option<Act> {
        let is_due = |deed: &&Deed| deed.cycle <= t;
        let act = self.due.front().filter(is_due)?.act;
        if let Act::Write(node, _) = act {
            if self.written.contains(&node) {
                // In the next cycle, and what is due with it.
                return None;
            }
            self.written.push(node);
        }
        self.due.pop_front();
        Some(act)
    }
}
