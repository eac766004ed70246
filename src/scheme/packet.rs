//! Kinds of packets. What follows from a kind stands here, for golden units and golden fabric.

/// What a packet is to switches and adapters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketKind {
    /// Data.
    Data,
    /// A congestion notification packet.
    Cnp,
    /// A transport acknowledge: to switches and adapters data that nobody marks or answers.
    Ack,
    /// Without a BTH that the hardware sees: likewise.
    Opaque,
}

/// Class of a request (A1). Each has pointers of its own. Which goes first is said once a side: `Output::class` of the golden
/// fabric, `arbiter.rs` of the golden output port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Packets up to an MTU.
    Data,
    /// Notifications, of one flit.
    Cnp,
}

/// Number of classes.
pub const CLASSES: usize = 2;

impl PacketKind {
    /// Opcode of a packet of data that an adapter sends (a send of one packet).
    const DATA_OPCODE: u8 = 0x04;
    /// Opcode of a CNP.
    pub const CNP_OPCODE: u8 = 0x80;

    /// By the opcode of the BTH, if there is one to be seen.
    pub fn of(opcode: Option<u8>) -> PacketKind {
        match opcode {
            None => PacketKind::Opaque,
            Some(Self::CNP_OPCODE) => PacketKind::Cnp,
            Some(x) if x & 0x1f == 0x11 => PacketKind::Ack,
            Some(_) => PacketKind::Data,
        }
    }

    /// Opcode of a packet that an adapter makes.
    pub fn opcode(self) -> u8 {
        match self {
            PacketKind::Cnp => Self::CNP_OPCODE,
            PacketKind::Ack => 0x11,
            PacketKind::Data | PacketKind::Opaque => Self::DATA_OPCODE,
        }
    }

    /// PktLen of a packet of `n` flits that an adapter makes.
    pub fn pkt_len(self, n: u32) -> u32 {
        match self {
            PacketKind::Cnp => 10,
            // LRH, BTH, AETH, CRC.
            PacketKind::Ack => 7,
            PacketKind::Data | PacketKind::Opaque => 16 * n,
        }
    }

    /// The class in which outputs serve it.
    #[inline]
    pub fn class(self) -> Class {
        match self {
            PacketKind::Cnp => Class::Cnp,
            PacketKind::Data | PacketKind::Ack | PacketKind::Opaque => Class::Data,
        }
    }

    /// A switch may mark it (M1), and its destination answers the mark (H2). Multicast has neither: that the DLID says.
    #[inline]
    pub fn is_marked(self) -> bool {
        self == PacketKind::Data
    }

    /// CAM lines look at it (E3): it moves to hot queues.
    #[inline]
    pub fn is_isolated(self) -> bool {
        self.class() == Class::Data
    }

    /// The adapter consumes it: it needs no place in the receive FIFO, and the host does not see it (H3). ACKs only with `ack_en` (AK5);
    /// multicast ones are the host's: that the DLID says.
    #[inline]
    pub fn is_consumed(self, ack_en: bool) -> bool {
        self == PacketKind::Cnp || ack_en && self == PacketKind::Ack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_those_of_the_opcodes() {
        let kinds =
            |want: PacketKind| (0..=255u8).filter(|&x| PacketKind::of(Some(x)) == want).collect::<Vec<_>>();
        assert_eq!(kinds(PacketKind::Cnp), [0x80]);
        assert_eq!(kinds(PacketKind::Ack), [0x11, 0x31, 0x51, 0x71, 0x91, 0xb1, 0xd1, 0xf1]);
        assert_eq!(kinds(PacketKind::Data).len(), 247);
        assert_eq!(PacketKind::of(None), PacketKind::Opaque);
        for kind in [PacketKind::Data, PacketKind::Cnp, PacketKind::Ack] {
            assert_eq!(PacketKind::of(Some(kind.opcode())), kind);
        }
        let lengths = [PacketKind::Data, PacketKind::Cnp, PacketKind::Ack].map(|kind| kind.pkt_len(3));
        assert_eq!(lengths, [48, 10, 7]);
        let consumed = |ack_en| {
            [PacketKind::Data, PacketKind::Cnp, PacketKind::Ack, PacketKind::Opaque]
                .map(|kind| kind.is_consumed(ack_en))
        };
        assert_eq!(
            [consumed(false), consumed(true)],
            [[false, true, false, false], [false, true, true, false]]
        );
    }
}
