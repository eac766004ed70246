//! What a source keeps of a flow that reserves: its message, its chunk and the packets of that (rules Q15, Q16), pure
//! (`docs/reservation.md`, section 4).

use crate::params::lanes::ID_BITS;
pub use crate::params::lanes::id;

/// State of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum St {
    #[default]
    /// No message is under way.
    Idle,
    /// A RES is to be asked for.
    ResWanted,
    /// Its RES is offered, or left and B waits.
    ResOut,
    /// Packets go as speculative.
    Spec,
    /// What may go as speculative has; the GRANT is not here.
    Stop,
    /// For the time that was granted.
    Wait,
    /// Packets go in their time.
    Go,
}

impl St {
    /// Its number on the pins.
    pub fn number(self) -> u32 {
        self as u32
    }
}

/// A word of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// What the flow is about.
    pub st: St,
    /// Of the message: packets that no chunk has yet.
    pub rem: u32,
    /// PSN of the first of these.
    pub mpsn: u32,
    /// Flits of the message's last packet.
    pub mlast: u32,
    /// It needs no reservation.
    pub byp: bool,
    /// Of the chunk: its number.
    pub id: u32,
    /// Its packets.
    pub n: u32,
    /// PSN of the first one.
    pub psn: u32,
    /// It is the message's last.
    pub fin: bool,
    /// Packets to be sent.
    pub todo: u64,
    /// Packets sent as SPEC and not answered.
    pub out: u64,
    /// The GRANT has come.
    pub got: bool,
    /// When the RES left, in cycles modulo 2^NOW_W.
    pub tres: u32,
    /// The time that was granted, likewise.
    pub due: u32,
}

/// By how much a chunk is newer than another one; below 0: older.
pub fn ahead(newer: u32, older: u32) -> i32 {
    let unused = 32 - ID_BITS;
    (newer.wrapping_sub(older) << unused) as i32 >> unused
}

/// PSNs have 24 bits.
pub fn psn(first: u32, more: u32) -> u32 {
    first.wrapping_add(more) & 0xff_ffff
}

/// What the end of an op made of a word that may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// It is not.
    No,
    /// The message has another chunk.
    Chunk,
    /// It was the message's last one.
    Message,
}

impl Word {
    /// Flits of packet `i` of the chunk.
    pub fn len(&self, i: u32, mtu: u32) -> u32 {
        if self.fin && i + 1 == self.n { self.mlast } else { mtu }
    }

    /// Flits of the chunk.
    pub fn size(&self, mtu: u32) -> u32 {
        (0..self.n).map(|i| self.len(i, mtu)).sum()
    }

    /// Next chunk, of `most` packets at most.
    pub fn next_chunk(&mut self, most: u32) {
        self.n = self.rem.min(most);
        self.psn = self.mpsn;
        self.mpsn = psn(self.mpsn, self.n);
        self.rem -= self.n;
        self.fin = self.rem == 0;
        self.id = id(self.id + 1);
        self.todo = u64::MAX >> (64 - self.n);
        self.out = 0;
        (self.tres, self.due) = (0, 0);
        self.got = self.byp;
        self.st = if self.byp { St::Go } else { St::ResWanted };
    }

    /// Begins a message, of which nothing is sent yet.
    pub fn begin(&mut self, pkts: u32, first: u32, last: u32, byp: bool, most: u32) {
        (self.rem, self.mpsn, self.mlast, self.byp) = (pkts, first, last, byp);
        self.next_chunk(most);
    }

    /// Goes on if all of the chunk is sent and answered.
    pub fn finish(&mut self, most: u32) -> Done {
        let all = self.todo == 0 && self.out == 0 && self.got;
        if !all || !matches!(self.st, St::Wait | St::Go) {
            return Done::No;
        }
        if self.rem > 0 {
            self.next_chunk(most);
            return Done::Chunk;
        }
        *self = Word { id: self.id, mpsn: self.mpsn, mlast: self.mlast, ..Word::default() };
        Done::Message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_all_numbers_are_newer() {
        for of in [0, 1, 255, 256, 4095, 4096, 8191] {
            for (more, is) in
                [(0, 0), (1, 1), (128, 128), (4095, 4095), (4096, -4096), (4097, -4095), (8191, -1)]
            {
                assert_eq!(ahead(id(of + more), of), is, "{of} and {more}");
            }
        }
    }

    #[test]
    fn numbers_count_on_through_the_wrap() {
        let mut word = Word { rem: 3, id: 255, ..Word::default() };
        word.next_chunk(1);
        assert_eq!(word.id, 256);
        word.id = 8190;
        word.next_chunk(1);
        assert_eq!(word.id, 8191);
        word.next_chunk(1);
        assert_eq!(word.id, 0);
    }
}
