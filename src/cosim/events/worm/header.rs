//! Headers of messages (`docs/worm-router.md`, section 8).

/// A flit.
pub(in crate::cosim::events) type Words = [u32; 4];

/// Types of messages.
pub(in crate::cosim::events) mod kind {
    pub const DATA: u32 = 0;
    pub const PROBE: u32 = 1;
    pub const ACK: u32 = 2;
    pub const NACK: u32 = 3;
    pub const RELEASE: u32 = 4;
    pub const CONTROL: u32 = 5;
}

/// What a header says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cosim::events) struct Header {
    pub lane: u32,
    pub dlid: u32,
    pub length: u32,
    pub slid: u32,
    pub kind: u32,
    pub flags: u32,
    pub conn: u32,
    pub bw: u32,
    pub node: u32,
}

/// Two bytes, the high one first, in half a word.
fn pair(n: u32) -> u32 {
    n >> 8 & 0xff | (n & 0xff) << 8
}

impl Header {
    /// The flit.
    pub fn words(&self) -> Words {
        [
            self.lane << 4 | pair(self.dlid) << 16,
            pair(4 * self.length) | pair(self.slid) << 16,
            self.kind | self.flags << 8 | pair(self.conn) << 16,
            pair(self.bw) | pair(self.node) << 16,
        ]
    }

    /// What a flit says; bits that no field has are lost.
    pub fn of(words: Words) -> Header {
        Header {
            lane: words[0] >> 4 & 0xf,
            dlid: pair(words[0] >> 16),
            length: pair(words[1]) / 4,
            slid: pair(words[1] >> 16),
            kind: words[2] & 0xff,
            flags: words[2] >> 8 & 0xff,
            conn: pair(words[2] >> 16),
            bw: pair(words[3]),
            node: pair(words[3] >> 16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_where_the_page_says() {
        let h = Header {
            lane: 3,
            dlid: 0x1234,
            length: 10,
            slid: 0x5678,
            kind: 1,
            flags: 0xfd,
            conn: 0x0102,
            bw: 0x0304,
            node: 0x0506,
        };
        let bytes: [u8; 16] = [0x30, 0, 0x12, 0x34, 0, 40, 0x56, 0x78, 1, 0xfd, 1, 2, 3, 4, 5, 6];
        let words: Vec<u32> = bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
        assert_eq!((h.words().to_vec(), Header::of(h.words())), (words, h));
    }
}
