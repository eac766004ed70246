//! The control word that travels beside the flits of a link, from `docs/link.md`.

/// Bits of word 0 of a control word that go with the flits, FCTBS; all others go against them (a one-way link carries only
/// these forwards, and only the others back).
pub const FORWARD: u32 = 0xffff_ff01;

/// Longest dList that a word can carry (parameter DLIST is at most this).
pub const MAX_DLIST: usize = 32;

/// A flow control message: FCTBS or FCCL of one VL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Credit {
    /// Virtual lane.
    pub vl: u32,
    /// Blocks, modulo 4096.
    pub blocks: u32,
}

/// A message between neighbours (`docs/conventions.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// 0 ALLOC, 1 DEALLOC, 2 STOP, 3 GO.
    pub kind: u32,
    /// The sender's CAM line.
    pub line: u32,
    /// Virtual lane.
    pub vl: u32,
    /// Switch id and port of the root.
    pub root: u32,
    /// Hops to the root.
    pub hops: u32,
    /// The stop state wanted.
    pub stop: bool,
    /// Valid entries of the list.
    pub dcnt: u32,
    /// Destinations; those at and beyond DLIST are 0.
    pub dlist: [u16; MAX_DLIST],
}

/// What a control word says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Flits sent, of this direction.
    pub fctbs: Option<Credit>,
    /// Credit limit, for the opposite direction.
    pub fccl: Option<Credit>,
    /// Message, about the opposite direction's flits.
    pub message: Option<Message>,
}

/// Exchanges the two bytes of a 16-bit value: fields are big-endian, words little-endian.
fn swap(value: u32) -> u32 {
    (value & 0xff) << 8 | value >> 8 & 0xff
}

impl Control {
    /// Writes all of a control word; its length in words says how many list entries there are.
    pub fn pack(&self, words: &mut [u32]) {
        words.fill(0);
        if let Some(c) = self.fctbs {
            words[0] |= 1 | (c.vl & 0xff) << 8 | swap(c.blocks & 0xfff) << 16;
        }
        if let Some(c) = self.fccl {
            words[0] |= 2;
            words[1] = c.vl & 0xff | swap(c.blocks & 0xfff) << 8;
        }
        if let Some(m) = &self.message {
            words[0] |= 4 | (m.kind & 3) << 3 | u32::from(m.stop) << 5;
            words[2] = m.line & 0xff | (m.vl & 0xff) << 8 | (m.hops & 0x3f) << 16 | (m.dcnt & 0xff) << 24;
            words[3] = swap(m.root >> 8 & 0xffff) | (m.root & 0xff) << 16;
            for (j, &dlid) in m.dlist.iter().take(2 * (words.len() - 4)).enumerate() {
                words[4 + j / 2] |= swap(u32::from(dlid)) << (16 * (j % 2));
            }
        }
    }

    /// Reads a control word; unused bits are ignored.
    pub fn unpack(words: &[u32]) -> Control {
        let mut c = Control::default();
        let flags = words[0];
        if flags & 1 != 0 {
            c.fctbs = Some(Credit { vl: flags >> 8 & 0xff, blocks: swap(flags >> 16) & 0xfff });
        }
        if flags & 2 != 0 {
            c.fccl = Some(Credit { vl: words[1] & 0xff, blocks: swap(words[1] >> 8) & 0xfff });
        }
        if flags & 4 != 0 {
            let mut m = Message {
                kind: flags >> 3 & 3,
                stop: flags >> 5 & 1 != 0,
                line: words[2] & 0xff,
                vl: words[2] >> 8 & 0xff,
                hops: words[2] >> 16 & 0x3f,
                dcnt: words[2] >> 24,
                root: swap(words[3]) << 8 | words[3] >> 16 & 0xff,
                dlist: [0; MAX_DLIST],
            };
            for (j, dlid) in m.dlist.iter_mut().take(2 * (words.len() - 4)).enumerate() {
                *dlid = swap(words[4 + j / 2] >> (16 * (j % 2))) as u16;
            }
            c.message = Some(m);
        }
        c
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_page() {
        let mut dlist = [0; MAX_DLIST];
        dlist[..2].copy_from_slice(&[0x0203, 0x0405]);
        let message =
            Message { kind: 2, line: 7, vl: 9, root: 0xabcdef, hops: 0x21, stop: true, dcnt: 2, dlist };
        let c = Control {
            fctbs: Some(Credit { vl: 0x11, blocks: 0xa12 }),
            fccl: Some(Credit { vl: 0x22, blocks: 0xb34 }),
            message: Some(message),
        };
        let mut words = [0xffff_ffff; 5];
        c.pack(&mut words);
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(bytes[..8], [0b11_0111, 0x11, 0x0a, 0x12, 0x22, 0x0b, 0x34, 0]);
        assert_eq!(bytes[8..16], [7, 9, 0x21, 2, 0xab, 0xcd, 0xef, 0]);
        assert_eq!(bytes[16..], [2, 3, 4, 5]);
        assert_eq!(Control::unpack(&words), c);
    }

    #[test]
    fn what_goes_forwards_is_fctbs() {
        let fctbs = Some(Credit { vl: 0xff, blocks: 0xfff });
        let (mut both, mut forward) = ([0; 8], [0; 8]);
        let message = Some(Message { kind: 3, stop: true, line: 0xff, ..Message::default() });
        Control { fctbs, fccl: fctbs, message }.pack(&mut both);
        Control { fctbs, ..Control::default() }.pack(&mut forward);
        assert_eq!(both[0] & FORWARD, forward[0]);
        assert_eq!(forward[1..], [0; 7]);
    }

    #[test]
    fn a_field_that_is_not_valid_is_zero_and_spare_bits_are_ignored() {
        let mut words = [0xffff_ffff; 8];
        Control::default().pack(&mut words);
        assert_eq!(words, [0; 8]);
        // Everything set but the three valid bits.
        words = [0xffff_ffff; 8];
        words[0] = !7;
        assert_eq!(Control::unpack(&words), Control::default());
        words[0] = !0;
        let c = Control::unpack(&words);
        assert_eq!((c.fctbs.unwrap().blocks, c.fccl.unwrap().blocks), (0xfff, 0xfff));
        assert_eq!((c.message.unwrap().hops, c.message.unwrap().root), (0x3f, 0xff_ffff));
    }
}
