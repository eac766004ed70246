//! A packet on offer.

/// A packet that a host offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Destination.
    pub dst: usize,
    /// Flits.
    pub len: u32,
    /// When it was generated.
    pub born: u64,
}
