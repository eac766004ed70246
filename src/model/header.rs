//! The headers that the hardware looks at: LRH and BTH in the first flit (`docs/conventions.md`).

use bitvec::prelude::*;

use crate::scheme::organisation::vl_of_vl;
use crate::scheme::packet::PacketKind;

/// BTH opcode of a congestion notification packet.
pub const OPCODE_CNP: u8 = PacketKind::CNP_OPCODE;

/// The fields of LRH and, where visible, BTH.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Virtual lane.
    pub vl: u8,
    /// Service level.
    pub sl: u8,
    /// Link next header: 2 = BTH follows, 3 = GRH then BTH.
    pub lnh: u8,
    /// Destination.
    pub dlid: u16,
    /// Length in 4-byte words.
    pub pkt_len: u16,
    /// Source.
    pub slid: u16,
    /// BTH, if the hardware can see one.
    pub bth: Option<Bth>,
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
    pub const fn of(byte: u8) -> Marks {
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

    /// They say that the packet crossed congestion: FECN, or MB that was validated.
    pub fn tell(self) -> bool {
        self.has(Marks::FECN) || self.has(Marks::VB)
    }

    /// They warn: MB, which nobody validated, and no FECN.
    pub fn warn(self) -> bool {
        self.has(Marks::MB) && !self.tell()
    }

    /// AK2: those of a packet as its ACK brings them back.
    pub fn returned(self) -> Marks {
        Marks::BECN.when(self.has(Marks::FECN)) | self & (Marks::MB | Marks::VB)
    }

    /// VR1: {BECN, MB, VB} of an ACK, as a source response takes them.
    pub fn ack_bits(self) -> u32 {
        u32::from(self.0 >> 4 & 7)
    }

    /// These, or none.
    pub fn when(self, yes: bool) -> Marks {
        if yes { self } else { Marks::NONE }
    }
}

impl std::ops::BitAnd for Marks {
    type Output = Marks;
    fn bitand(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
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

/// The fields of the base transport header that matter here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bth {
    /// Operation code.
    pub opcode: u8,
    /// Marks of congestion.
    pub marks: Marks,
    /// Destination queue pair.
    pub dest_qp: u32,
    /// Packet sequence number.
    pub psn: u32,
}

/// What a packet of the reservation protocol says behind its BTH (Q4); the BTH starts at byte 8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SrpFields {
    /// Number of the chunk, 13 bits.
    pub id: u16,
    /// Number of the packet in its chunk.
    pub seq: u8,
    /// Packets of the chunk.
    pub n: u8,
    /// Three bits. Bit 0: a retry; bit 1: the last chunk; bit 2: a source that was reset asks, or is answered.
    pub flags: u8,
    /// RES: flits of the chunk.
    pub size: u16,
    /// Cycles for which the packet has queued.
    pub age: u16,
    /// GRANT: cycles until its time.
    pub wait: u32,
}

impl SrpFields {
    /// Reads them from the words of a first flit.
    pub fn parse(flit: &[u32]) -> SrpFields {
        let [a, b, c] = [flit[5], flit[6], flit[7]].map(u32::to_le_bytes);
        SrpFields {
            id: u16::from_be_bytes([a[3] >> 3, a[0]]),
            seq: a[1],
            n: a[2],
            flags: a[3] & 7,
            size: u16::from_be_bytes([b[0], b[1]]),
            age: u16::from_be_bytes([b[2], b[3]]),
            wait: u32::from_be_bytes(c),
        }
    }

    /// Writes them into the words of a first flit.
    pub fn write(&self, flit: &mut [u32]) {
        let (size, age) = (self.size.to_be_bytes(), self.age.to_be_bytes());
        let [high, low] = self.id.to_be_bytes();
        flit[5] = u32::from_le_bytes([low, self.seq, self.n, high << 3 | self.flags & 7]);
        flit[6] = u32::from_le_bytes([size[0], size[1], age[0], age[1]]);
        flit[7] = u32::from_le_bytes(self.wait.to_be_bytes());
    }
}

/// Byte at which the BTH starts, if it is visible in the first flit.
fn bth_at(lnh: u8, flit_bytes: usize) -> Option<usize> {
    match lnh {
        2 => Some(8),
        3 if flit_bytes == 64 => Some(48),
        _ => None,
    }
}

impl Header {
    /// Reads the headers from the words of a first flit (byte 0 is the low byte of word 0).
    pub fn parse(flit: &[u32]) -> Header {
        let mut bytes = [0u8; 64];
        for (i, w) in flit.iter().enumerate() {
            bytes[4 * i..4 * i + 4].copy_from_slice(&w.to_le_bytes());
        }
        let lrh = bytes[..8].view_bits::<Msb0>();
        let lnh: u8 = lrh[14..16].load_be();
        let bth = bth_at(lnh, flit.len() * 4).map(|at| {
            let b = bytes[at..at + 12].view_bits::<Msb0>();
            Bth {
                opcode: b[0..8].load_be(),
                marks: Marks::of(b[32..40].load_be()),
                dest_qp: b[40..64].load_be(),
                psn: b[72..96].load_be(),
            }
        });
        Header {
            vl: lrh[0..4].load_be(),
            sl: lrh[8..12].load_be(),
            lnh,
            dlid: lrh[16..32].load_be(),
            pkt_len: lrh[37..48].load_be(),
            slid: lrh[48..64].load_be(),
            bth,
        }
    }

    /// Writes the headers into the words of a first flit; other bytes keep their value.
    pub fn write(&self, flit: &mut [u32]) {
        let mut bytes = [0u8; 64];
        for (i, w) in flit.iter().enumerate() {
            bytes[4 * i..4 * i + 4].copy_from_slice(&w.to_le_bytes());
        }
        let lrh = bytes[..8].view_bits_mut::<Msb0>();
        lrh[0..4].store_be(self.vl);
        lrh[4..8].store_be(0u8);
        lrh[8..12].store_be(self.sl);
        lrh[12..14].store_be(0u8);
        lrh[14..16].store_be(self.lnh);
        lrh[16..32].store_be(self.dlid);
        lrh[32..37].store_be(0u8);
        lrh[37..48].store_be(self.pkt_len);
        lrh[48..64].store_be(self.slid);
        if let (Some(at), Some(bth)) = (bth_at(self.lnh, flit.len() * 4), &self.bth) {
            let b = bytes[at..at + 12].view_bits_mut::<Msb0>();
            b[0..8].store_be(bth.opcode);
            let mut marks: u8 = b[32..40].load_be();
            bth.marks.write(&mut marks);
            b[32..40].store_be(marks);
            b[40..64].store_be(bth.dest_qp);
            b[72..96].store_be(bth.psn);
        }
        for (i, w) in flit.iter_mut().enumerate() {
            *w = u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
        }
    }

    /// Sets marks in the first flit that the header is of, if the BTH can be seen in it.
    pub fn add_marks(&self, flit: &mut [u32], marks: Marks) {
        if let Some(at) = bth_at(self.lnh, flit.len() * 4) {
            flit[at / 4 + 1] |= u32::from(marks.0);
        }
    }

    /// The VL that the hardware uses, which may be illegal: the header's, or one of `vls` by destination.
    pub fn lane(&self, vls: usize, by_dest: bool) -> usize {
        vl_of_vl(by_dest, vls, self.dlid.into(), self.vl.into())
    }

    /// Packet length in flits (64-byte blocks).
    pub fn flits(&self) -> usize {
        usize::from(self.pkt_len).div_ceil(16)
    }

    /// What the packet is.
    pub fn kind(&self) -> PacketKind {
        PacketKind::of(self.bth.map(|b| b.opcode))
    }

    /// Its marks.
    pub fn marks(&self) -> Marks {
        self.bth.unwrap_or_default().marks
    }

    /// M1, H2: switches may mark it, and its destination answers the mark.
    pub fn is_marked(&self) -> bool {
        self.kind().is_marked() && !self.is_multicast()
    }

    /// A congestion notification packet.
    pub fn is_cnp(&self) -> bool {
        self.kind() == PacketKind::Cnp
    }

    /// A transport acknowledge.
    pub fn is_ack(&self) -> bool {
        self.kind() == PacketKind::Ack
    }

    /// A multicast destination.
    pub fn is_multicast(&self) -> bool {
        self.dlid >= 0xC000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_infinibands() {
        // VL 1, SL 2, LNH 2, DLID 0x0102, PktLen 0x203, SLID 0x0304, opcode 0x80, FECN, BECN and VB set.
        let h = Header {
            vl: 1,
            sl: 2,
            lnh: 2,
            dlid: 0x0102,
            pkt_len: 0x203,
            slid: 0x0304,
            bth: Some(Bth {
                opcode: 0x80,
                marks: Marks::FECN | Marks::BECN | Marks::VB,
                dest_qp: 0xd2,
                psn: 7,
            }),
        };
        let mut flit = [0u32; 8];
        h.write(&mut flit);
        let bytes: Vec<u8> = flit.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(bytes[..8], [0x10, 0x22, 0x01, 0x02, 0x02, 0x03, 0x03, 0x04]);
        assert_eq!(bytes[8], 0x80);
        assert_eq!(bytes[12], 0xD0);
        assert_eq!(bytes[15], 0xd2);
        assert_eq!(Header::parse(&flit), h);
        assert_eq!(h.flits(), 33);
        assert!(h.is_cnp() && !h.is_ack() && !h.is_multicast());
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

    #[test]
    fn marks_are_added_where_the_bth_is() {
        for (lnh, words, at) in
            [(2, 8, Some(3)), (2, 16, Some(3)), (3, 16, Some(13)), (3, 8, None), (0, 16, None)]
        {
            let old =
                Header { lnh, bth: Some(Bth { marks: Marks::BECN, ..Bth::default() }), ..Header::default() };
            let mut flit = vec![0u32; words];
            old.write(&mut flit);
            let before = flit.clone();
            Header::parse(&flit).add_marks(&mut flit, Marks::FECN | Marks::MB);
            let changed: Vec<usize> = (0..words).filter(|w| flit[*w] != before[*w]).collect();
            assert_eq!(changed, Vec::from_iter(at));
            assert!(at.is_none_or(|w| flit[w] == before[w] | 0xa0));
        }
    }

    #[test]
    fn fields_of_reservations_stand_behind_the_bth() {
        let fields =
            SrpFields { id: 0x1501, seq: 2, n: 3, flags: 2, size: 0x0405, age: 0x0607, wait: 0x0809_0a0b };
        let mut flit = [0xffff_ffffu32; 8];
        fields.write(&mut flit);
        let bytes: Vec<u8> = flit.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(bytes[20..32], [1, 2, 3, 0x15 << 3 | 2, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert!(bytes[..20].iter().all(|b| *b == 0xff));
        assert_eq!(SrpFields::parse(&flit), fields);
    }

    #[test]
    fn numbers_of_chunks_share_a_byte_with_flags() {
        for (id, flags, byte_20, byte_23) in [
            (0, 0, 0, 0),
            (255, 0, 0xff, 0),
            (256, 0, 0, 1 << 3),
            (4095, 5, 0xff, 15 << 3 | 5),
            (4096, 0, 0, 16 << 3),
            (8191, 0, 0xff, 31 << 3),
            (8191, 7, 0xff, 31 << 3 | 7),
            (0, 7, 0, 7),
        ] {
            let fields = SrpFields { id, flags, ..SrpFields::default() };
            let mut flit = [0u32; 8];
            fields.write(&mut flit);
            let bytes = flit[5].to_le_bytes();
            assert_eq!(bytes, [byte_20, 0, 0, byte_23], "{id} {flags}");
            assert_eq!(SrpFields::parse(&flit), fields);
        }
        // Every value of the two bytes is a number and flags, and is written as it was.
        for word in (0..=0xff).flat_map(|low| (0..=0xff).map(move |high| high << 24 | low)) {
            let mut flit = [0, 0, 0, 0, 0, word, 0, 0];
            SrpFields::parse(&flit).write(&mut flit);
            assert_eq!(flit[5], word);
        }
    }

    #[test]
    fn a_grh_moves_the_bth() {
        let h = Header {
            lnh: 3,
            dlid: 0xC000,
            bth: Some(Bth { opcode: 0x11, ..Bth::default() }),
            ..Header::default()
        };
        let mut wide = [0u32; 16];
        h.write(&mut wide);
        assert_eq!(Header::parse(&wide), h);
        assert!(h.is_ack() && h.is_multicast());
        let mut narrow = [0u32; 8];
        h.write(&mut narrow);
        assert_eq!(Header::parse(&narrow).bth, None);
    }
}
