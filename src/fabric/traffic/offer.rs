//! What a node offers: a packet, or a whole message.

/// What a host offers to its adapter: a packet, or where hosts post messages all packets of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Node number of the destination.
    pub dst: u32,
    /// Flits of a packet, 1..=MTU; of a message those of each packet but the last.
    pub len: u8,
    /// Cycle in which it was generated: when it was due, or for a trace when it is offered.
    pub born: u64,
    /// Packets.
    pub pkts: u16,
    /// Flits of the last of them.
    pub last: u8,
    /// Packets of its message.
    pub of: u32,
}

impl Offer {
    /// One packet, which is a message.
    pub fn packet(dst: u32, len: u8, born: u64) -> Offer {
        Offer { dst, len, born, pkts: 1, last: len, of: 1 }
    }

    /// Its flits.
    pub fn flits(&self) -> u64 {
        u64::from(self.pkts - 1) * u64::from(self.len) + u64::from(self.last)
    }

    /// Flits of each of its packets.
    pub fn packets(self) -> impl Iterator<Item = u8> {
        (1..=self.pkts).map(move |i| if i == self.pkts { self.last } else { self.len })
    }
}
