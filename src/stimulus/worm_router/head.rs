//! Headers that admission looks at (section 8 of the page).

/// Types of messages.
pub(in crate::stimulus) const DATA: u8 = 0;
pub(in crate::stimulus) const PROBE: u8 = 1;
pub(in crate::stimulus) const ACK: u8 = 2;
pub(in crate::stimulus) const NACK: u8 = 3;
pub(in crate::stimulus) const RELEASE: u8 = 4;
pub(in crate::stimulus) const OTHER: u8 = 5;

/// Flits of a reply.
pub(in crate::stimulus) const REPLY_FLITS: u32 = 10;

/// What a header says beside its DLID.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::stimulus) struct Head {
    pub kind: u8,
    /// Flag final.
    pub last: bool,
    /// The other flags that a router copies: a probe's number.
    pub seq: u8,
    /// The LRH's VL.
    pub vl: u8,
    pub slid: u16,
    pub conn: u16,
    pub bw: u16,
    pub node: u16,
}

/// Two bytes, the high one first, at byte 0 of a word.
fn pair(n: u32) -> u32 {
    n >> 8 & 0xff | (n & 0xff) << 8
}

impl Head {
    /// The words of the flit; `any` fills what has no meaning.
    pub(in crate::stimulus) fn words(&self, dlid: u32, any: u32) -> [u32; 4] {
        [
            u32::from(self.vl & 0xf) << 4 | any & 0xff0f | pair(dlid) << 16,
            any >> 16 | pair(self.slid.into()) << 16,
            u32::from(self.kind)
                | u32::from(self.last) << 8
                | u32::from(self.seq & 0x3f) << 10
                | pair(self.conn.into()) << 16,
            pair(self.bw.into()) | pair(self.node.into()) << 16,
        ]
    }

    /// What the words of a header say, and its DLID.
    pub(in crate::stimulus) fn of(words: &[u32]) -> (Head, u32) {
        let half = |word: u32| pair(word & 0xffff) as u16;
        let head = Head {
            kind: words[2] as u8,
            last: words[2] >> 8 & 1 != 0,
            seq: (words[2] >> 10 & 0x3f) as u8,
            vl: (words[0] >> 4 & 0xf) as u8,
            slid: half(words[1] >> 16),
            conn: half(words[2] >> 16),
            bw: half(words[3]),
            node: half(words[3] >> 16),
        };
        (head, pair(words[0] >> 16))
    }
}
