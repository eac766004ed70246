//! Messages, flits, and the headers that the adapter makes (section 3).

use super::table::Connection;

/// The class in which a message was posted, or what the adapter sends of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Control,
    RealTime,
    BestEffort,
    Probe,
    Release,
}

impl Sort {
    /// Of `post_class`.
    pub(super) fn of_class(class: u32) -> Option<Sort> {
        [Sort::Control, Sort::RealTime, Sort::BestEffort].into_iter().find(|s| *s as u32 == class)
    }

    /// Its tail has a turn at the table when it leaves.
    pub(super) fn has_turn(self) -> bool {
        matches!(self, Sort::RealTime | Sort::Release)
    }

    /// The host posted it.
    pub(super) fn is_of_host(self) -> bool {
        !matches!(self, Sort::Probe | Sort::Release)
    }
}

/// A message on its way through the adapter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) sort: Sort,
    /// Its connection, if it has one.
    pub(super) conn: usize,
    /// Of control and best-effort of the host.
    pub(super) dlid: u32,
    /// Flits.
    pub(super) len: usize,
    /// The last one of its stream.
    pub(super) last: bool,
    pub(super) tag: u32,
}

/// A flit in a lane, and of which message it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flit {
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) data: [u32; 4],
    pub(super) of: Message,
}

impl Flit {
    /// A turn at the table is taken when it leaves.
    pub(super) fn takes_turn(&self) -> bool {
        self.last && self.of.sort.has_turn()
    }
}

/// A flit that goes, or is on the link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) lane: usize,
    pub(super) flit: Flit,
}

/// Flits of an own message, in a lane that is long enough.
const OWN_LENGTH: usize = 10;

/// Bits of a header's flags.
const FINAL: u8 = 1;
const REAL_TIME: u8 = 2;

impl Message {
    /// A probe or release of a connection; a lane holds `most` flits.
    pub(super) fn own(sort: Sort, conn: usize, most: usize) -> Message {
        Message { sort, conn, dlid: 0, len: OWN_LENGTH.min(most), last: false, tag: 0 }
    }

    /// The words of its header, for a lane; `c` is what its connection was when it was chosen.
    pub(super) fn header(&self, lane: usize, c: &Connection, slid: u32) -> [u32; 4] {
        let own = !self.sort.is_of_host();
        let of_stream = own || self.sort == Sort::RealTime;
        let (vl, dlid) = (if own { c.lane } else { lane }, if of_stream { c.dlid } else { self.dlid });
        let words = 4 * self.len as u32;
        let kind: u8 = match self.sort {
            Sort::RealTime | Sort::BestEffort => 0,
            Sort::Probe => 1,
            Sort::Release => 4,
            Sort::Control => 5,
        };
        let flags = match self.sort {
            Sort::RealTime => REAL_TIME | if self.last { FINAL } else { 0 },
            Sort::Probe => (c.seq as u8) << 2,
            _ => 0,
        };
        let conn = if of_stream { self.conn as u32 } else { 0 };
        let bw = if own || self.last { c.bw } else { 0 };
        let node = if self.sort == Sort::Release { c.node } else { 0 };
        let two = |x: u32| [(x >> 8) as u8, x as u8];
        let ([d1, d0], [l1, l0], [s1, s0]) = (two(dlid), two(words), two(slid));
        let ([c1, c0], [b1, b0], [n1, n0]) = (two(conn), two(bw), two(node));
        let bytes = [[(vl as u8) << 4, 0, d1, d0], [l1, l0, s1, s0], [kind, flags, c1, c0], [b1, b0, n1, n0]];
        bytes.map(u32::from_le_bytes)
    }
}
