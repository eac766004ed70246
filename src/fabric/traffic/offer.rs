//! A packet that a node offers.

/// A packet that a host offers to its adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Node number of the destination.
    pub dst: u32,
    /// Flits, 1..=MTU.
    pub len: u8,
    /// Cycle in which it was generated: when it was due, or for a trace when it is offered.
    pub born: u64,
}
