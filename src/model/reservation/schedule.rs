//! Sections 1 and 2, the destination: requests that wait, the time from which the ejection link is free, replies that wait.

use std::collections::VecDeque;

use super::config::Config;
use super::times::Times;
use crate::scheme::reservation::granted;

/// A RES that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) slid: u32,
    pub(super) sl: u32,
    pub(super) id: u32,
    /// Flits.
    pub(super) size: u32,
    /// I: it asks for the id.
    pub(super) init: bool,
}

/// A reply that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) kind: u32,
    pub(super) lid: u32,
    pub(super) sl: u32,
    pub(super) id: u32,
    pub(super) seq: u32,
    pub(super) wait: u32,
    /// R of what it answers, I of a GRANT.
    pub(super) rty: bool,
    pub(super) init: bool,
}

pub(super) const GRANT: u32 = 1;
pub(super) const ACK: u32 = 2;
pub(super) const NACK: u32 = 3;

/// What the head of the RES FIFO comes to in this cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    Empty,
    /// No flits; more than a chunk; a time that cannot be told from the past.
    BadEmpty,
    BadSize,
    BadTime,
    /// The time would be too far ahead.
    TooFar,
    /// No room for the GRANT.
    NoRoom,
    /// Due to be answered: cycles from now on, and the new T.
    Due {
        wait: u32,
        end: u32,
    },
}

impl Head {
    /// BAD_RES: it leaves without an answer.
    pub(super) fn is_bad(self) -> bool {
        matches!(self, Head::BadEmpty | Head::BadSize | Head::BadTime)
    }
}

/// Why a packet without reservation is not booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unbooked {
    /// T is far ahead.
    Far,
    /// The RES at the head would have to wait longer.
    Res,
}

/// The destination's registers.
#[derive(Default)]
pub(super) struct Destination {
    pub(super) requests: VecDeque<Request>,
    /// T; `None`: tv = 0.
    pub(super) busy_until: Option<u32>,
    pub(super) replies: VecDeque<Reply>,
    /// The last reply pushed was an ACK or NACK.
    pub(super) turn: bool,
    /// A RES left in the cycle before.
    pub(super) left: bool,
}

/// Sizes of the destination.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) requests: usize,
    pub(super) replies: usize,
    /// Flits of the largest chunk.
    pub(super) chunk: u32,
    /// Flits of the largest chunk of each source, in all.
    pub(super) all_chunks: u64,
}

impl Destination {
    pub(super) fn has_room(&self, room: &Room) -> bool {
        self.replies.len() < room.replies
    }

    /// Q10: cycles that so many flits are given, exactly.
    pub(super) fn time_of(size: u32, cfg: &Config) -> u64 {
        granted(size, cfg.eps, cfg.rx_interval)
    }

    /// Cycles until the link is free.
    fn ahead(times: &Times, busy_until: Option<u32>) -> u64 {
        busy_until.map_or(0, |t| times.signed(t, times.now).max(0)) as u64
    }

    /// Q15: T behind a packet without reservation that comes in this cycle, or why it is not booked.
    pub(super) fn walked(
        &self,
        times: &Times,
        cfg: &Config,
        room: &Room,
        flits: u32,
    ) -> Result<u32, Unbooked> {
        let wait = Destination::ahead(times, self.busy_until);
        let mut until = wait + u64::from(flits) * cfg.rx_interval;
        if wait == 0 {
            until += 1;
        }
        if until >= times.half() / 2 || wait > room.all_chunks * cfg.rx_interval {
            return Err(Unbooked::Far);
        }
        let t = times.add(times.now, until);
        match self.head_from(Some(t), times, cfg, room) {
            Head::TooFar => Err(Unbooked::Res),
            _ => Ok(t),
        }
    }

    /// What becomes of the head.
    pub(super) fn head(&self, times: &Times, cfg: &Config, room: &Room) -> Head {
        self.head_from(self.busy_until, times, cfg, room)
    }

    /// The same, with another T.
    pub(super) fn head_from(&self, t: Option<u32>, times: &Times, cfg: &Config, room: &Room) -> Head {
        let Some(request) = self.requests.front() else { return Head::Empty };
        let inc = Destination::time_of(request.size, cfg);
        if request.size == 0 {
            return Head::BadEmpty;
        }
        if request.size > room.chunk {
            return Head::BadSize;
        }
        if inc >= times.half() {
            return Head::BadTime;
        }
        let wait = Destination::ahead(times, t) as u32;
        if u64::from(wait) + inc >= times.half() {
            return Head::TooFar;
        }
        if !self.has_room(room) {
            return Head::NoRoom;
        }
        // now + wait is T where that is ahead
        let base = times.add(times.now, u64::from(wait));
        Head::Due { wait, end: times.add(base, inc) }
    }

    /// The host may be shown the last flit of a speculative packet.
    pub(super) fn end_ok(&self, head: Head, room: &Room) -> bool {
        self.has_room(room) && !(self.turn && matches!(head, Head::Due { .. }))
    }
}
