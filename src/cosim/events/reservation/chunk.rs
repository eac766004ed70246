//! A chunk at its source (Q15 to Q18, Q21, Q22): its RES, its GRANT, and what each of its packets may be.

use super::io::{ACK, NACK};
use crate::cosim::events::offers::NEVER;
use crate::cosim::events::register::Told;

/// To be sent; sent as speculative and not answered; done.
pub(super) const TODO: u8 = 1;
pub(super) const OUT: u8 = 2;
pub(super) const DONE: u8 = 4;
/// The first two of a packet that was lost: with R.
pub(super) const TODO_AGAIN: u8 = 8;
pub(super) const OUT_AGAIN: u8 = 16;
/// To be sent, of either kind; sent.
pub(super) const UNSENT: u8 = TODO | TODO_AGAIN;
pub(super) const SENT: u8 = OUT | OUT_AGAIN;

/// An ACK or a NACK that may not have been taken yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reply {
    kind: u32,
    rty: bool,
    /// What is out after a NACK.
    nacked: u8,
    until: u64,
    /// Or it was taken before the packet was sent last.
    spent: bool,
}

impl Reply {
    /// What each of some states is when it must have been taken.
    fn after(&self, states: u8) -> u8 {
        answered(states, self.kind, self.rty, self.nacked) | if self.spent { states } else { 0 }
    }
}

/// What each of some states is after an answer; by a NACK what is OUT is `nacked`.
fn answered(states: u8, kind: u32, rty: bool, nacked: u8) -> u8 {
    let mut after = states & (TODO | DONE);
    let mut turn = |from: u8, to: u8| {
        if states & from != 0 {
            after |= to;
        }
    };
    if kind == ACK {
        turn(SENT | TODO_AGAIN, DONE);
    } else {
        turn(OUT, nacked);
        turn(TODO_AGAIN, TODO_AGAIN);
        turn(OUT_AGAIN, if rty { TODO_AGAIN } else { OUT_AGAIN });
    }
    after
}

/// A packet of a chunk: the states that it may have.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    states: u8,
    replies: Vec<Reply>,
    /// When that changed last.
    moved: u64,
    /// A NACK came that may have acted, with which it goes again with R.
    dropped: bool,
}

impl Packet {
    fn new(now: u64) -> Packet {
        Packet { states: TODO, replies: Vec::new(), moved: now, dropped: false }
    }

    /// With replies that must have been taken by now.
    fn settle(&mut self, now: u64) {
        while let Some(r) = self.replies.first().copied().filter(|r| r.until <= now) {
            self.replies.remove(0);
            self.set(r.after(self.states), now);
        }
    }

    fn set(&mut self, states: u8, now: u64) {
        if states != self.states {
            self.states = states;
            self.moved = now;
        }
    }

    /// All states that it may have, whatever was taken of what came.
    fn may(&self) -> u8 {
        let mut states = self.states;
        let mut all = states;
        for r in &self.replies {
            states = r.after(states);
            all |= states;
        }
        all
    }

    /// It is sent: what was `from` is `to`. False if it cannot be.
    fn sent(&mut self, from: u8, to: u8, now: u64) -> bool {
        if self.may() & from == 0 {
            return false;
        }
        // What came just before may have been taken before this, or is taken after it, or after the next time that it is sent, and then
        // acts on what it is then.
        let mut states = to;
        for r in self.replies.iter_mut() {
            r.spent = true;
            if r.until == NEVER {
                states |= answered(states, r.kind, r.rty, r.nacked);
            }
        }
        self.replies.retain(|r| r.until != NEVER);
        (self.states, self.moved) = (states, now);
        true
    }

    /// It has one of these states for sure, and had it for so long.
    fn surely(&self, states: u8, since: u64) -> bool {
        self.may() & !states == 0 && self.moved <= since
    }
}

/// A chunk.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub id: u32,
    pub n: u32,
    pub size: u32,
    pub last: bool,
    /// Its number is to be told by a GRANT with I; it is not known otherwise.
    pub init: bool,
    pub known: bool,
    /// When its first granted packet was seen.
    pub going: Option<u64>,
    /// When its first RES was taken, the last one, and the one before that.
    pub first: Option<u64>,
    pub asked: Option<u64>,
    pub asked_before: Option<u64>,
    /// A GRANT may have been taken since; and must have come by then.
    pub granted: Option<u64>,
    pub surely: Option<u64>,
    /// Its time begins between these, counted from the RES; and counted from the GRANT.
    pub from_res: (u64, u64),
    pub plain: (u64, u64),
    /// Something was dropped for sure, or its RES was seen again: nothing is speculative from some cycles later on.
    pub stopped: Option<u64>,
    /// Its last progress: no earlier than this, and (but for a tolerance) no later.
    pub progress: u64,
    pub touched: u64,
    /// It may have been late since then.
    pub late: bool,
    /// DEDUP: what was dropped goes again with R.
    pub dedup: bool,
    packets: Vec<Packet>,
}

impl Chunk {
    pub fn new(id: u32, n: u32, size: u32, last: bool, init: bool, now: u64) -> Chunk {
        Chunk {
            id,
            n,
            size,
            last,
            init,
            known: !init,
            going: None,
            first: None,
            asked: None,
            asked_before: None,
            granted: None,
            surely: None,
            from_res: (0, 0),
            plain: (0, 0),
            stopped: None,
            progress: now,
            touched: now,
            late: false,
            dedup: false,
            packets: (0..n).map(|_| Packet::new(now)).collect(),
        }
    }

    /// Replies of long ago have been taken.
    pub fn settle(&mut self, now: u64) {
        self.packets.iter_mut().filter(|p| !p.replies.is_empty()).for_each(|p| p.settle(now));
    }

    /// When its time begins: at the earliest and at the latest. `comp`: it may be, and must be, counted from the RES.
    pub fn due(&self, comp: Told) -> (u64, u64) {
        let first = if comp.may { self.from_res.0 } else { self.plain.0 };
        (first, if comp.must { self.from_res.1 } else { self.plain.1 })
    }

    /// What a packet may be.
    pub fn may(&self, seq: u32) -> u8 {
        self.packets.get(seq as usize).map_or(0, Packet::may)
    }

    /// An answer came. It acts for sure, and may have been taken until then.
    pub fn answer(&mut self, seq: u32, kind: u32, rty: bool, now: u64, until: u64) -> bool {
        let nacked = if self.dedup { TODO_AGAIN } else { TODO };
        let Some(p) = self.packets.get_mut(seq as usize) else { return false };
        let may = p.may();
        if may == DONE {
            return false;
        }
        let sure = if kind == ACK { may & !(SENT | TODO_AGAIN) == 0 } else { may == OUT };
        // (Of one that is still to be sent: it may have been chosen before.)
        p.replies.push(Reply { kind, rty, nacked, until, spent: false });
        if may & (SENT | TODO_AGAIN) != 0 {
            p.moved = now;
        }
        p.dropped |= kind == NACK && nacked == TODO_AGAIN;
        if sure && kind == NACK {
            self.stopped = Some(self.stopped.map_or(now, |s| s.min(now)));
        }
        sure
    }

    /// A packet is sent; false if it cannot be.
    pub fn sent(&mut self, seq: u32, from: u8, to: u8, now: u64) -> bool {
        self.packets.get_mut(seq as usize).is_some_and(|p| p.sent(from, to, now))
    }

    /// What is out may be lost.
    pub fn may_be_lost(&mut self, which: u8, now: u64) {
        for p in &mut self.packets {
            if p.may() & which != 0 {
                p.set(p.states | TODO_AGAIN, now);
            }
        }
    }

    /// A packet goes with R that nobody said was dropped: it was lost.
    pub fn was_lost(&self, seq: u32) -> bool {
        self.packets.get(seq as usize).is_some_and(|p| !p.dropped)
    }

    /// Something was sent again, or asked for: nothing is out any more that was sent once.
    pub fn all_was_lost(&mut self, now: u64) {
        for p in self.packets.iter_mut().filter(|p| p.may() & OUT != 0) {
            p.set(p.may() & !OUT | TODO_AGAIN, now);
        }
    }

    /// A packet before this one that was to be sent for sure, since a cycle.
    pub fn passed(&self, seq: u32, since: u64) -> Option<u32> {
        (0..seq.min(self.n)).find(|j| self.packets[*j as usize].surely(UNSENT, since))
    }

    /// So many are to be sent for sure, since a cycle.
    pub fn left(&self, since: u64) -> usize {
        self.packets.iter().filter(|p| p.surely(UNSENT, since)).count()
    }

    /// One is, or was sent once and not answered.
    pub fn is_out(&self, since: u64) -> bool {
        self.packets.iter().any(|p| p.surely(UNSENT | OUT, since))
    }

    /// One that is to be sent for sure, since a cycle.
    pub fn wants(&self, since: u64) -> Option<u32> {
        self.passed(self.n, since)
    }

    /// What is not done for sure: a packet that cannot be.
    pub fn missing(&self) -> Option<u32> {
        (0..self.n).find(|j| self.packets[*j as usize].may() & DONE == 0)
    }

    /// It may be done; it is, for sure, since a cycle.
    pub fn may_be_done(&self) -> bool {
        self.granted.is_some() && self.missing().is_none()
    }

    pub fn is_done(&self, since: u64) -> bool {
        self.surely.is_some_and(|s| s <= since) && self.packets.iter().all(|p| p.surely(DONE, since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_change_what_is_out() {
        assert_eq!(
            [TODO, OUT, DONE, TODO_AGAIN, OUT_AGAIN].map(|s| answered(s, ACK, false, TODO)),
            [1, 4, 4, 4, 4]
        );
        assert_eq!(
            [TODO, OUT, DONE, TODO_AGAIN, OUT_AGAIN].map(|s| answered(s, NACK, false, TODO)),
            [1, 1, 4, 8, 16]
        );
        assert_eq!(answered(OUT_AGAIN | DONE, NACK, true, TODO), TODO_AGAIN | DONE);
        assert_eq!(answered(TODO | OUT, NACK, false, TODO_AGAIN), TODO | TODO_AGAIN);
    }

    #[test]
    fn an_answer_may_act_after_the_packet_went_once_more() {
        let mut c = Chunk::new(1, 1, 4, true, false, 0);
        c.sent(0, TODO, OUT, 1);
        c.answer(0, ACK, true, 10, 26);
        c.may_be_lost(SENT, 12);
        assert!(c.sent(0, TODO_AGAIN, OUT_AGAIN, 14));
        assert_eq!((c.may(0), c.left(14)), (OUT_AGAIN | DONE, 0));
        // It is lost, and goes again; the ACK is taken then.
        c.may_be_lost(SENT, 16);
        assert!(c.sent(0, TODO_AGAIN, OUT_AGAIN, 18));
        assert_eq!(c.may(0), OUT_AGAIN | DONE);
        c.settle(26);
        assert_eq!(c.may(0), OUT_AGAIN | DONE);
        // Not after that.
        c.may_be_lost(SENT, 30);
        assert!(c.sent(0, TODO_AGAIN, OUT_AGAIN, 32));
        assert_eq!(c.may(0), OUT_AGAIN);
    }

    #[test]
    fn a_drop_of_what_was_not_sent_yet_says_nothing() {
        let mut c = Chunk::new(1, 1, 4, true, false, 0);
        c.answer(0, NACK, false, 10, 26);
        assert!(c.sent(0, TODO, OUT, 14));
        c.answer(0, ACK, false, 17, 33);
        assert_eq!(c.may(0), OUT | TODO | DONE);
        c.settle(33);
        assert_eq!(c.may(0), TODO | DONE);
    }

    #[test]
    fn an_answer_acts_some_time_soon() {
        let mut c = Chunk::new(1, 2, 8, true, false, 0);
        assert!(c.sent(0, TODO, OUT, 6) && !c.sent(0, TODO, OUT, 7));
        assert!(c.answer(0, NACK, false, 10, 20) && !c.answer(1, ACK, false, 10, 20));
        assert_eq!((c.may(0), c.stopped, c.missing()), (OUT | TODO, Some(10), Some(0)));
        c.settle(20);
        assert_eq!((c.may(0), c.passed(1, 19), c.passed(1, 20)), (TODO, None, Some(0)));
        // One that comes just before a packet may be its answer.
        let mut c = Chunk::new(1, 1, 4, true, false, 0);
        c.sent(0, TODO, OUT, 1);
        c.answer(0, NACK, false, 4, 20);
        assert!(c.sent(0, TODO, DONE, 6));
        assert_eq!(c.may(0), DONE);
        assert!(!c.may_be_done());
        c.granted = Some(2);
        c.surely = Some(2);
        assert!(c.may_be_done() && c.is_done(6) && !c.is_done(5));
    }
}
