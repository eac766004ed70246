//! What hosts write into flits, and read in headers.

use crate::worm::port::Class;

/// Number of a class in words.
fn class_of(number: u32) -> Option<Class> {
    Class::ALL.into_iter().find(|&c| c as u32 == number)
}

/// What every flit behind a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Host that sent it.
    pub(super) src: u16,
    pub(super) class: Class,
    /// Real-time: the connection, else 0.
    pub(super) conn: u16,
    /// Number of the message among those of its source.
    pub(super) seq: u32,
    /// Flits of the message.
    pub(super) len: u8,
    /// Which of them it is.
    pub(super) index: u8,
}

/// A word that a change of a bit of the others changes.
fn check([a, b, c]: [u32; 3]) -> u32 {
    let mix = |h: u32, x: u32| (h ^ x).wrapping_mul(0x9E37_79B1).rotate_left(15).wrapping_mul(0x85EB_CA6B);
    [a, b, c].into_iter().fold(0x2F6E_2B1D, mix)
}

impl Mark {
    /// As words of a flit.
    pub(super) fn words(&self) -> [u32; 4] {
        let own = [
            u32::from(self.src) << 16 | u32::from(self.conn),
            (self.class as u32) << 16 | u32::from(self.len) << 8 | u32::from(self.index),
            self.seq,
        ];
        [own[0], own[1], own[2], check(own)]
    }

    /// From words; None if no host wrote them so.
    pub(super) fn of(data: [u32; 4]) -> Option<Mark> {
        let [a, b, seq, sum] = data;
        let class = class_of(b >> 16)?;
        (sum == check([a, b, seq])).then_some(Mark {
            src: (a >> 16) as u16,
            class,
            conn: a as u16,
            seq,
            len: (b >> 8) as u8,
            index: b as u8,
        })
    }
}

/// What a host reads in a header (section 3 of `docs/worm-adapter.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) dlid: u16,
    pub(super) slid: u16,
    /// Flits.
    pub(super) len: u16,
    /// None: no message of a host.
    pub(super) class: Option<Class>,
    pub(super) last: bool,
    pub(super) conn: u16,
}

impl Header {
    pub(super) fn of(data: [u32; 4]) -> Header {
        let byte = |n: usize| (data[n / 4] >> (8 * (n % 4))) as u8;
        let pair = |n: usize| u16::from(byte(n)) << 8 | u16::from(byte(n + 1));
        let class = match (byte(8), byte(9) & 2 != 0) {
            (5, false) => Some(Class::Control),
            (0, true) => Some(Class::RealTime),
            (0, false) => Some(Class::BestEffort),
            _ => None,
        };
        // PktLen is in words of 4 bytes.
        Header {
            dlid: pair(2),
            slid: pair(6),
            len: (pair(4) & 0x7ff) / 4,
            class,
            last: byte(9) & 1 != 0,
            conn: pair(10),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_as_they_were_written_and_no_damaged_ones() {
        for (src, class, conn, seq, len, index) in [
            (0, Class::Control, 0, 0, 1, 0),
            (24, Class::RealTime, 1023, 77, 40, 39),
            (0xbffe, Class::BestEffort, 0, u32::MAX, 64, 63),
        ] {
            let m = Mark { src, class, conn, seq, len, index };
            let words = m.words();
            assert_eq!(Mark::of(words), Some(m));
            for bit in 0..128 {
                let mut damaged = words;
                damaged[bit / 32] ^= 1 << (bit % 32);
                assert_eq!(Mark::of(damaged), None, "bit {bit} of {m:?}");
            }
        }
        assert_eq!(Mark::of([0; 4]), None);
    }

    #[test]
    fn headers_are_those_of_the_page() {
        // Lane 3 to DLID 0x0102, 40 flits, from 0x0304; data, real-time and final; connection 0x0506, bandwidth 11.
        let bytes: [u8; 16] = [0x30, 0, 1, 2, 0, 160, 3, 4, 0, 3, 5, 6, 0, 11, 0, 0];
        let words =
            [0, 4, 8, 12].map(|i| u32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]));
        let wanted = Header {
            dlid: 0x102,
            slid: 0x304,
            len: 40,
            class: Some(Class::RealTime),
            last: true,
            conn: 0x506,
        };
        assert_eq!(Header::of(words), wanted);
    }
}
