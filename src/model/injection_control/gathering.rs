//! Counts for the side-band (YS1).

use super::seen::Seen;
use crate::model::worm::classes::Set;

/// Most flits that are counted.
pub(super) const FLITS_MOST: u32 = 0xffff;

/// What is given: full lanes, flits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) full: u32,
    pub(super) flits: u32,
}

/// Flits delivered since the last gathering.
#[derive(Clone, Copy, Default)]
pub(super) struct Gathering {
    pub(super) flits: u32,
    pub(super) given: Option<Given>,
}

impl Gathering {
    /// The edge. Lanes of `held` tell nothing of the network: nothing but this unit is in their way.
    pub(super) fn step(&mut self, seen: &Seen, counts_router: bool, held: Set) {
        let flits = (self.flits + u32::from(seen.delivers)).min(FLITS_MOST);
        let full = (seen.own_full & !held).count_ones() + if counts_router { seen.router_full } else { 0 };
        self.given = seen.gather.then_some(Given { full, flits });
        self.flits = if seen.gather { 0 } else { flits };
    }
}
