//! Which outputs are useful to the header in front of each lane (YL1): a table, and one look-up at a time.

use super::seen::{MOST, Seen};
use crate::model::util::round_robin;
use crate::model::worm::classes::Set;
use crate::params::Params;

/// What is known of the header in front of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) dlid: u32,
    /// Useful outputs.
    pub(super) way: Set,
}

/// A look-up that has begun: the table's answer is there in this cycle.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) lane: usize,
    pub(super) found: Known,
}

/// Table, what is known, and the look-up that is under way.
pub(super) struct Lookup {
    vls: usize,
    ports: Set,
    table: Vec<Set>,
    pub(super) known: [Option<Known>; MOST],
    /// Whose turn is next.
    pub(super) next: usize,
    pub(super) look: Option<Look>,
}

/// What a cycle does with it.
#[derive(Default)]
pub(super) struct Looked {
    /// Lanes that ask.
    pub(super) asks: Set,
    /// The one whose look-up begins.
    pub(super) begins: Option<usize>,
    /// The answer that is taken.
    pub(super) taken: Option<Known>,
}

impl Lookup {
    pub(super) fn new(p: &Params) -> Lookup {
        Lookup {
            vls: p.vls,
            ports: (1 << p.ports) - 1,
            table: vec![0; p.lft_depth],
            known: [None; MOST],
            next: 0,
            look: None,
        }
    }

    /// A DLID that the table has.
    pub(super) fn has(&self, dlid: usize) -> bool {
        dlid < self.table.len()
    }

    /// What is known of lane v is of the header that is there.
    fn is_known(&self, seen: &Seen, v: usize) -> bool {
        self.known[v].is_some_and(|k| k.dlid == seen.dlid[v])
    }

    /// What the cycle does, by S(t).
    pub(super) fn plan(&self, seen: &Seen) -> Looked {
        let under_way = |v| self.look.is_some_and(|l| l.lane == v);
        let asks = (0..self.vls)
            .filter(|&v| seen.is_front(v) && !self.is_known(seen, v) && !under_way(v))
            .fold(0, |all, v| all | 1 << v);
        if self.writes(seen).is_some() {
            return Looked { asks, begins: None, taken: None };
        }
        let fits = |l: &Look| seen.is_front(l.lane) && seen.dlid[l.lane] == l.found.dlid;
        Looked {
            asks,
            begins: round_robin(1, self.next, |_| asks),
            taken: self.look.filter(fits).map(|l| l.found),
        }
    }

    /// The table write of a cycle; what is beyond the table is none.
    pub(super) fn writes(&self, seen: &Seen) -> Option<(usize, Set)> {
        seen.route.filter(|r| self.has(r.0))
    }

    /// The edge.
    pub(super) fn step(&mut self, seen: &Seen, plan: &Looked) {
        if let Some((dlid, mask)) = self.writes(seen) {
            self.table[dlid] = mask & self.ports;
            self.known = [None; MOST];
            self.look = None;
            return;
        }
        for v in 0..self.vls {
            if !seen.is_front(v) || !self.is_known(seen, v) {
                self.known[v] = None;
            }
        }
        if let (Some(found), Some(look)) = (plan.taken, self.look) {
            self.known[look.lane] = Some(found);
        }
        self.look = plan.begins.map(|lane| {
            let dlid = seen.dlid[lane];
            let way = self.table.get(dlid as usize).copied().unwrap_or(0);
            Look { lane, found: Known { dlid, way } }
        });
        if let Some(lane) = plan.begins {
            self.next = (lane + 1) % self.vls;
        }
    }
}
