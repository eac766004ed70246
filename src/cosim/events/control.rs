//! The control word of a link (`docs/link.md`).

/// A message about congestion trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// 0 ALLOC, 1 DEALLOC, 2 STOP, 3 GO.
    pub kind: u32,
    pub stop: bool,
    pub line: usize,
    pub vl: usize,
    /// Switch and port.
    pub root: u32,
    /// Destinations.
    pub list: Vec<u16>,
}

pub(super) const ALLOC: u32 = 0;
pub(super) const DEALLOC: u32 = 1;
pub(super) const STOP: u32 = 2;

/// What a word says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Control {
    /// VL and value: flits sent, and the limit for those the other way.
    pub fctbs: Option<(usize, u16)>,
    pub fccl: Option<(usize, u16)>,
    pub message: Option<Message>,
}

impl Control {
    pub fn of(words: &[u32], dlist: usize) -> Control {
        let byte = |b: usize| words[b / 4] >> (8 * (b % 4)) & 0xff;
        let two = |b: usize| (byte(b) << 8 | byte(b + 1)) as u16;
        let has = |bit: u32| byte(0) >> bit & 1 == 1;
        let counter = |bit, at| has(bit).then(|| (byte(at) as usize, two(at + 1) & 0xfff));
        Control {
            fctbs: counter(0, 1),
            fccl: counter(1, 4),
            message: has(2).then(|| Message {
                kind: byte(0) >> 3 & 3,
                stop: has(5),
                line: byte(8) as usize,
                vl: byte(9) as usize,
                root: u32::from(two(12)) << 8 | byte(14),
                list: (0..dlist.min(byte(11) as usize)).map(|j| two(16 + 2 * j)).collect(),
            }),
        }
    }

    /// Puts to 0 what means nothing in a word.
    pub fn meaningful(words: &mut [u32]) {
        let valid = words[0] & 7;
        let mut keep = |bytes: std::ops::Range<usize>, mask: u32| {
            for b in bytes {
                words[b / 4] &= !((0xff & !mask) << (8 * (b % 4)));
            }
        };
        keep(0..1, if valid & 4 == 0 { 7 } else { 0x3f });
        let of = |bit: u32| if valid >> bit & 1 == 1 { 0xff } else { 0 };
        keep(1..4, of(0));
        keep(4..7, of(1));
        keep(7..8, 0);
        let bytes = words.len() * 4;
        (8..bytes).for_each(|b| {
            words[b / 4] &= !((0xff & !of(2)) << (8 * (b % 4)));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_taken_apart_as_the_page_says() {
        let bytes: [u8; 20] = [
            0b10_0111, 1, 0x0a, 0xbc, 2, 0x01, 0x23, 0, 3, 1, 5, 2, 0x12, 0x34, 0x56, 0, 0x00, 0x07, 0x01,
            0x08,
        ];
        let mut words: Vec<u32> =
            bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
        let is = Control {
            fctbs: Some((1, 0xabc)),
            fccl: Some((2, 0x123)),
            message: Some(Message {
                kind: ALLOC,
                stop: true,
                line: 3,
                vl: 1,
                root: 0x12_3456,
                list: vec![7, 0x108],
            }),
        };
        assert_eq!(Control::of(&words, 2), is);
        assert_eq!(Control::of(&words, 1).message.unwrap().list, [7]);
        // All of it means something; without the message, without the rest.
        let all = words.clone();
        Control::meaningful(&mut words);
        assert_eq!(words, all);
        words[0] &= !4;
        Control::meaningful(&mut words);
        assert_eq!(words, [all[0] & !0x3c, all[1], 0, 0, 0]);
        words[0] &= !3;
        Control::meaningful(&mut words);
        assert_eq!(words, [0; 5]);
    }
}
