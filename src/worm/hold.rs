//! The seam for schemes that hold best-effort headers back in the adapters (input `be_hold`).

use crate::model::worm::wires::MOST;

/// What a router shows to such a scheme in a cycle.
#[derive(Clone, Debug, Default)]
pub struct RouterSeen {
    /// `st_owned`: lanes of each output that have an owner, a bit each.
    pub owned: [u32; MOST],
    /// `st_level`: flits in the FIFO of each input's lanes.
    pub levels: [[u8; MOST]; MOST],
}

/// What an adapter shows to it.
#[derive(Clone, Debug, Default)]
pub struct AdapterSeen {
    /// `be_front`: lanes with a best-effort header in front.
    pub front: u32,
    /// `be_dlid`: the DLIDs of those.
    pub dlid: [u16; MOST],
    /// `st_level`: flits in each lane.
    pub levels: [u8; MOST],
    /// A flit is given to the host.
    pub delivers: bool,
}

/// All that is seen of a network in a cycle: outputs and state of that cycle, before its edge.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// By router.
    pub routers: Vec<RouterSeen>,
    /// By host.
    pub adapters: Vec<AdapterSeen>,
}

/// Decides who is held.
pub trait Hold {
    /// Cycle `t`: sets `be_hold` of each adapter, a bit a lane, for this same cycle. Called once a cycle.
    fn hold(&mut self, t: u64, seen: &Seen, hold: &mut [u32]);
}
