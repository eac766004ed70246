//! Section 4: a flow's word, its chunks and packets.

/// State of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum St {
    #[default]
    Idle,
    /// A RES is to be asked for.
    ResWanted,
    /// Its RES is offered, or left and B waits.
    ResOut,
    Spec,
    Stop,
    Wait,
    Go,
}

impl St {
    pub(super) fn number(self) -> u32 {
        self as u32
    }
}

/// A word of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) st: St,
    // Of the message: packets that no chunk has yet, PSN of the first of these, flits of the last one, no reservation.
    pub(super) rem: u32,
    pub(super) mpsn: u32,
    pub(super) mlast: u32,
    pub(super) byp: bool,
    // Of the chunk: number, packets, PSN of the first one, the message's last chunk.
    pub(super) id: u32,
    pub(super) n: u32,
    pub(super) psn: u32,
    pub(super) fin: bool,
    /// Packets to be sent.
    pub(super) todo: u64,
    /// Packets sent as SPEC and not answered.
    pub(super) out: u64,
    /// The GRANT has come.
    pub(super) got: bool,
    pub(super) tres: u32,
    pub(super) due: u32,
}

/// PSNs have 24 bits.
pub(super) fn psn(first: u32, more: u32) -> u32 {
    first.wrapping_add(more) & 0xff_ffff
}

/// What the end of an op made of a word that may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    No,
    /// The message has another chunk.
    Chunk,
    /// It was the message's last one.
    Message,
}

impl Word {
    /// Flits of packet `i` of the chunk.
    pub(super) fn len(&self, i: u32, mtu: u32) -> u32 {
        if self.fin && i + 1 == self.n { self.mlast } else { mtu }
    }

    /// Flits of the chunk.
    pub(super) fn size(&self, mtu: u32) -> u32 {
        (0..self.n).map(|i| self.len(i, mtu)).sum()
    }

    /// Next chunk, of `most` packets at most.
    pub(super) fn next_chunk(&mut self, most: u32) {
        self.n = self.rem.min(most);
        self.psn = self.mpsn;
        self.mpsn = psn(self.mpsn, self.n);
        self.rem -= self.n;
        self.fin = self.rem == 0;
        self.id = (self.id + 1) & 0xff;
        self.todo = u64::MAX >> (64 - self.n);
        self.out = 0;
        (self.tres, self.due) = (0, 0);
        self.got = self.byp;
        self.st = if self.byp { St::Go } else { St::ResWanted };
    }

    /// Begins a message, of which nothing is sent yet.
    pub(super) fn begin(&mut self, pkts: u32, first: u32, last: u32, byp: bool, most: u32) {
        (self.rem, self.mpsn, self.mlast, self.byp) = (pkts, first, last, byp);
        self.next_chunk(most);
    }

    /// Goes on if all of the chunk is sent and answered.
    pub(super) fn finish(&mut self, most: u32) -> Done {
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
