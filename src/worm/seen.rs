//! What injection control sees of the routers and adapters of a network: outputs of the current cycle.

use crate::model::worm::wires::MOST;

/// What a router shows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RouterSeen {
    /// `lane_owned` of each output, `lane_full` of each input: lanes, a bit each.
    pub(super) owned: [u32; MOST],
    pub(super) full: [u32; MOST],
}

/// What an adapter shows, beside what it sends and delivers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AdapterSeen {
    /// `be_front`, and the DLIDs of those headers.
    pub(super) front: u32,
    pub(super) dlid: [u16; MOST],
    /// `link_free`, `lane_full`.
    pub(super) free: u32,
    pub(super) full: u32,
}
