//! Messages that come in.

use crate::model::worm::classes::Set;

/// A flit for the host.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivery {
    pub(super) lane: usize,
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) bad: bool,
    pub(super) data: [u32; 4],
}

/// Messages that come in, and what is on outputs because of them.
#[derive(Clone, Copy, Default)]
pub(super) struct Receiver {
    /// Lanes on which a message is coming in; it is not for the host.
    pub(super) open: Set,
    pub(super) skip: Set,
    pub(super) delivered: Option<Delivery>,
    pub(super) cut: Set,
    /// Credit pulses of this cycle.
    pub(super) pulses: Set,
    /// Pulses of the reply lane that are owed.
    pub(super) owed: usize,
}
