//! A packet on offer.

/// A packet that a host offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Destination.
    pub dst: usize,
    /// Flits; of a message of several packets those of each but the last.
    pub len: u32,
    /// Packets, and flits of the last one; without reservation it is one.
    pub pkts: u32,
    /// Flits of the last one.
    pub last: u32,
    /// When it was generated.
    pub born: u64,
}

impl Offered {
    /// A packet of its own.
    pub fn packet(dst: usize, len: u32, born: u64) -> Offered {
        Offered { dst, len, pkts: 1, last: len, born }
    }
}
