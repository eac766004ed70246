//! Kinds of packets and the marks that they carry. What follows from a kind stands here, for golden units and golden fabric.

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
        if self == PacketKind::Cnp { 10 } else { 16 * n }
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

    /// The adapter consumes it: it needs no place in the receive FIFO, and the host does not see it (H3).
    #[inline]
    pub fn is_consumed(self) -> bool {
        self == PacketKind::Cnp
    }
}

/// Marks of congestion: a set of bits of byte 4 of the BTH.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u8);

impl Marks {
    /// None of them.
    pub const NONE: Marks = Marks(0);
    /// Forward explicit congestion notification.
    pub const FECN: Marks = Marks(0x80);
    /// Backward explicit congestion notification.
    pub const BECN: Marks = Marks(0x40);
    /// Marked by an input buffer (MVCM). This bit and the next are reserved in InfiniBand; hardware passes them on as they are.
    pub const MB: Marks = Marks(0x20);
    /// Validated by an output buffer (MVCM).
    pub const VB: Marks = Marks(0x10);

    /// Those in byte 4 of a BTH.
    pub fn of(byte: u8) -> Marks {
        Marks(byte & 0xf0)
    }

    /// Writes byte 4 of a BTH: FECN and BECN are then as here, the reserved bits are only ever set.
    pub fn write(self, byte: &mut u8) {
        *byte = *byte & 0x3f | self.0;
    }

    /// All of `marks` are here.
    #[inline]
    pub fn has(self, marks: Marks) -> bool {
        self.0 & marks.0 == marks.0
    }

    /// These, or none.
    pub fn when(self, yes: bool) -> Marks {
        if yes { self } else { Marks::NONE }
    }
}

impl std::ops::BitOr for Marks {
    type Output = Marks;
    fn bitor(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Marks {
    #[inline]
    fn bitor_assign(&mut self, other: Marks) {
        self.0 |= other.0;
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
    }

    #[test]
    fn marks_are_bits_of_a_byte() {
        for byte in 0..=255u8 {
            let m = Marks::of(byte);
            for (bit, mark) in [(7, Marks::FECN), (6, Marks::BECN), (5, Marks::MB), (4, Marks::VB)] {
                assert_eq!(m.has(mark), byte >> bit & 1 == 1);
            }
            for old in [0, 0x3f, 0xff, !byte] {
                let mut new = old;
                m.write(&mut new);
                assert_eq!(new & 0xc0, byte & 0xc0);
                assert_eq!(new & 0x3f, old & 0x3f | byte & 0x30);
            }
        }
        let mut two = Marks::MB;
        two |= Marks::VB;
        assert_eq!(two, Marks::of(0x3f));
        assert!(two.has(Marks::MB) && !two.has(Marks::MB | Marks::FECN));
        assert_eq!((two.when(true), two.when(false)), (two, Marks::NONE));
    }
}
