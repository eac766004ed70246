//! Replies (H2, AK2 to AK4): CNPs and ACKs that are owed, each of which leaves once, in the order of its VL.

use std::collections::VecDeque;

use super::receive::{Ended, Head};
use crate::cosim::events::register::Told;
use crate::cosim::events::scoreboard::{Broken, broken};

/// A reply, as it is to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub ack: bool,
    pub vl: usize,
    pub sl: u32,
    pub dlid: u16,
    pub psn: u32,
    pub marks: u32,
}

#[derive(Clone, Copy, Debug)]
struct Owed {
    reply: Reply,
    /// It must leave.
    sure: bool,
    /// A CNP that may wait in a generation queue: on whichever VL, with whichever SL, whenever; and, adrift, to whichever DLID.
    loose: bool,
    adrift: bool,
    /// A generation queue may have got it in this cycle at the latest.
    until: u64,
    /// VLs in whose FIFO it may be, a bit each: its own, and those of others that may have left in its place.
    here: u32,
    at: u64,
}

/// Cycles after which a CNP is in its generation queue for sure, or lost.
const LONG: u64 = 4096;

/// More than these are not kept.
const MOST: usize = 4096;

/// Replies, oldest first.
#[derive(Debug)]
pub(super) struct Replies {
    owed: VecDeque<Owed>,
    /// Of each flow, when the last packet was posted that was chosen, and that left.
    chosen: Vec<u64>,
    gone: Vec<u64>,
    /// Replies of a VL that have room for sure.
    room: usize,
    pub sure: u64,
    pub unsure: u64,
    pub left: u64,
}

impl Reply {
    /// Its flit, without SLID.
    pub fn flit(&self, words: usize) -> Vec<u32> {
        let mut w = vec![0; words];
        let length = if self.ack { 7 } else { 10 };
        let (opcode, marks) = if self.ack { (0x11, self.marks << 4) } else { (0x80, 1 << 6) };
        w[0] = (self.vl as u32 & 15) << 4 | (self.sl << 4 | 2) << 8 | u32::from(self.dlid.swap_bytes()) << 16;
        w[1] = length << 8;
        w[2] = opcode | 0xffff_0000;
        w[3] = marks;
        w[4] = (self.psn.swap_bytes() >> 8) << 8;
        w
    }

    /// What a flit on `vl` says.
    fn of(vl: usize, data: &[u32]) -> Reply {
        let ack = data[2] & 0xff != 0x80;
        let of = |value: u32| if ack { value } else { 0 };
        Reply {
            ack,
            vl,
            sl: data[0] >> 12 & 15,
            dlid: ((data[0] >> 16) as u16).swap_bytes(),
            psn: of(data[4].swap_bytes() & 0xff_ffff),
            marks: of(data[3] >> 4 & 7),
        }
    }

    pub fn told(&self) -> String {
        let kind = if self.ack { "an ACK" } else { "a CNP" };
        format!("{kind} to DLID {} on VL {}, SL {}, PSN {}", self.dlid, self.vl, self.sl, self.psn)
    }
}

impl Owed {
    fn is_in(&self, vl: usize) -> bool {
        self.here >> vl & 1 == 1
    }
}

impl Replies {
    pub fn new(flows: usize, room: usize) -> Replies {
        let none = || vec![0; flows];
        Replies { owed: VecDeque::new(), chosen: none(), gone: none(), room, sure: 0, unsure: 0, left: 0 }
    }

    /// One more.
    pub fn owe(&mut self, reply: Reply, sure: bool, loose: bool, now: u64) {
        let waiting = self.owed.iter().filter(|o| o.is_in(reply.vl)).count();
        let sure = sure && !loose && waiting < self.room;
        *(if sure { &mut self.sure } else { &mut self.unsure }) += 1;
        let here = 1 << reply.vl;
        self.owed.push_back(Owed { reply, sure, loose, adrift: false, until: now, here, at: now });
        if self.owed.len() > MOST
            && let Some(old) = self.owed.iter().position(|o| !o.sure)
        {
            self.owed.remove(old);
        }
    }

    /// The link fell: those that were on their way are lost.
    pub fn fell(&mut self) {
        self.owed.iter_mut().for_each(|o| o.sure = false);
    }

    /// CNPs may go to the generation queues in this cycle.
    pub fn loosen(&mut self, now: u64) {
        for o in self.owed.iter_mut().filter(|o| !o.reply.ack) {
            (o.sure, o.loose) = (false, true);
            o.until = now.min(o.at + LONG);
        }
    }

    /// Another LID_BASE: where a CNP in a generation queue goes to is another DLID.
    pub fn drift(&mut self) {
        self.owed.iter_mut().for_each(|o| o.adrift = o.loose);
    }

    /// Flows, of `words`, in whose generation queue no CNP can be.
    pub fn free(&self, flows: &[u32], base: u32) -> Vec<u32> {
        let mut free = flows.to_vec();
        let mut takes = |f: usize, until: u64| {
            if self.chosen.get(f).is_some_and(|posted| *posted <= until) {
                free[f / 32] &= !(1 << (f % 32));
            }
        };
        let mut any = None;
        for o in self.owed.iter().filter(|o| o.loose) {
            if o.adrift {
                any = any.max(Some(o.until));
            } else {
                takes(usize::from(o.reply.dlid.wrapping_sub(base as u16)), o.until);
            }
        }
        if let Some(until) = any {
            (0..self.chosen.len()).for_each(|f| takes(f, until));
        }
        free
    }

    /// A packet of a flow is chosen that was posted in a cycle: what came to its queue before is in there no more.
    pub fn chosen(&mut self, flow: usize, posted: u64) {
        self.chosen[flow] = posted;
    }

    /// Data of a flow, to a DLID, left that were posted in a cycle: no CNP from long before waits in that queue.
    pub fn overtaken(&mut self, dlid: u16, (flow, posted): (usize, u64)) {
        self.gone[flow] = posted;
        let least = self.gone.iter().copied().min().unwrap_or(0);
        self.owed.retain(|o| {
            let passed = if o.adrift { least } else { posted };
            !o.loose || !o.adrift && o.reply.dlid != dlid || o.at + LONG > passed
        });
    }

    /// A flit that is a reply, its SLID taken out, leaves on `vl`. Since when it, or another one that it may be, was owed.
    pub fn leaves(&mut self, vl: usize, data: &[u32]) -> Result<u64, Broken> {
        let seen = Reply::of(vl, data);
        let mut before = None;
        let mut gone = Vec::new();
        let (mut exact, mut others) = (None, Vec::new());
        let legal = seen.flit(data.len()) == data;
        for (at, o) in self.owed.iter().enumerate().filter(|_| legal) {
            let dlid = if o.adrift { seen.dlid } else { o.reply.dlid };
            if o.loose && seen == (Reply { vl, sl: seen.sl, dlid, ..o.reply }) {
                others.push(at);
            } else if !o.loose && o.reply == seen {
                exact = Some(at);
                break;
            } else if !o.loose && o.reply.vl == vl {
                if o.sure {
                    before = before.or(Some(*o));
                } else {
                    gone.push(at);
                }
            }
        }
        // The one that is alike; what may go to any DLID is left for one that nothing else is owed to.
        let other =
            others.iter().copied().min_by_key(|at| (self.owed[*at].reply != seen, self.owed[*at].adrift));
        // Of two that are alike, that which may leave now.
        let found = if before.is_some() { other.or(exact) } else { exact.or(other) };
        let Some(at) = found else {
            let text =
                format!("{} leaves that is not owed, or left before, or is not as it is to be", seen.told());
            return broken("reply", "H2 AK3", text);
        };
        if let Some(first) = before.filter(|_| !self.owed[at].loose) {
            let text = format!(
                "{} leaves, and {} is owed since cycle {}",
                self.owed[at].reply.told(),
                first.reply.told(),
                first.at
            );
            return broken("unanswered", "H2 AK3", text);
        }
        let Owed { loose, sure, .. } = self.owed[at];
        let since = others.iter().chain([&at]).map(|o| self.owed[*o].at).min().unwrap_or(0);
        if !sure {
            // It may have been lost, and one like it have left, if nothing that must leave is between.
            let after = if loose { 0 } else { at + 1 };
            let of = |o: &&mut Owed| !o.loose && o.reply.vl == vl;
            let next = self.owed.iter_mut().skip(after).filter(of).find(|o| o.sure);
            if let Some(o) = next.filter(|o| o.reply == seen) {
                o.sure = false;
            }
        }
        if !loose && other.is_none() {
            // The FIFO is in order: those that came before are in generation queues, if anywhere.
            self.owed.iter_mut().take(at).for_each(|o| o.here &= !(1 << vl));
        }
        // If it was another one, this one is still where it was.
        let here = self.owed[at].here;
        others.into_iter().for_each(|o| self.owed[o].here |= here);
        self.owed.remove(at);
        if !loose {
            gone.into_iter().rev().for_each(|g| _ = self.owed.remove(g));
        }
        self.left += 1;
        Ok(since)
    }

    /// The first one of a VL that must leave: since when it is owed, and how many of its VL may be before it. (They leave, too.)
    pub fn head(&self, vl: usize) -> Option<(Reply, u64, u64)> {
        let mut here = self.owed.iter().filter(|o| o.is_in(vl)).zip(0..);
        here.find(|(o, _)| o.sure && o.reply.vl == vl).map(|(o, before)| (o.reply, o.at, before))
    }
}

/// What the registers say about replies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Says {
    pub cnps: Told,
    pub acks: Told,
    /// A mark is FECN; else MB and VB.
    pub fecn: Told,
    /// BECN_PER, if that is sure.
    pub per: Option<u32>,
}

/// Sources with a FECN that is not told yet.
#[derive(Debug)]
pub(super) struct Seen(Vec<Told>);

impl Seen {
    pub fn new(flows: usize) -> Seen {
        Seen(vec![Told::sure(false); flows])
    }

    /// CNPs are off: nothing is remembered; `sure`: for sure.
    pub fn forget(&mut self, sure: bool) {
        self.0.iter_mut().for_each(|s| *s = Told { may: s.may && !sure, must: false });
    }

    /// Whether a packet that ended asks for a CNP. `flow`: its source, if that is one; `None`: not sure.
    pub fn asks(&mut self, e: &Ended, says: &Says, flow: Option<Option<usize>>) -> Told {
        let no = Told::sure(false);
        if !e.whole || !e.head.data() {
            return no;
        }
        let Head { marks, psn, .. } = e.head;
        let (fecn, both) = (marks >> 3 & 1 == 1, marks & 3 == 3);
        let by = |is: bool, at: Told| Told { may: is && at.may, must: is && at.must };
        let not = Told { may: !says.fecn.must, must: !says.fecn.may };
        let marked = by(fecn, says.fecn).or(by(both, not));
        let becn = e.head.becn();
        let marked = if becn { no } else { marked };
        let sure = Told { may: true, must: e.sure };
        let always = marked.and(says.cnps).and(sure);
        let (Some(per), Some(flow)) = (says.per, flow) else {
            // By message or not, of this source or another.
            self.0.iter_mut().for_each(|s| *s = Told { may: s.may || marked.may, must: false });
            let any = self.0.iter().any(|s| s.may) || marked.may;
            return Told { may: any && says.cnps.may, must: false };
        };
        let Some(seen) = flow.and_then(|f| self.0.get_mut(f)).filter(|_| per > 0) else { return always };
        let all = seen.or(marked);
        if psn & ((1 << per.min(7)) - 1) != (1 << per.min(7)) - 1 {
            *seen = if e.sure { all } else { Told { may: all.may, must: seen.must } };
            return no;
        }
        *seen = if e.sure { no } else { Told { may: all.may, must: false } };
        all.and(says.cnps).and(sure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::events::scoreboard::kind;

    fn cnp(vl: usize, dlid: u16) -> Reply {
        Reply { ack: false, vl, sl: 3, dlid, psn: 0, marks: 0 }
    }

    #[test]
    fn replies_of_a_vl_leave_in_order_and_once() {
        let ack = Reply { ack: true, psn: 0x1_0203, marks: 5, ..cnp(0, 9) };
        let mut r = Replies::new(9, 2);
        r.owe(cnp(0, 7), true, false, 1);
        r.owe(ack, true, false, 2);
        r.owe(cnp(1, 8), true, false, 3);
        assert_eq!(ack.flit(8), [0x0900_3200, 0x700, 0xffff_0011, 0x50, 0x0302_0100, 0, 0, 0]);
        assert_eq!(r.leaves(1, &cnp(1, 8).flit(8)), Ok(3));
        assert_eq!(kind(r.leaves(0, &ack.flit(8))), "unanswered");
        assert_eq!(r.head(0).unwrap().1, 1);
        assert_eq!((r.leaves(0, &cnp(0, 7).flit(8)), r.leaves(0, &ack.flit(8))), (Ok(1), Ok(2)));
        assert_eq!(kind(r.leaves(0, &cnp(0, 7).flit(8))), "reply");
        // Beyond the room, and with the link, they may be lost.
        r.owe(cnp(0, 1), true, false, 5);
        r.fell();
        r.owe(cnp(0, 2), true, false, 5);
        r.owe(cnp(0, 3), true, false, 5);
        r.owe(cnp(0, 4), true, false, 6);
        assert_eq!((r.sure, r.unsure), (5, 2));
        assert_eq!((r.leaves(0, &cnp(0, 2).flit(8)), r.head(0)), (Ok(5), None));
        assert_eq!(r.leaves(0, &cnp(0, 4).flit(8)), Ok(6));
        // In a generation queue a CNP has its flow's VL and SL, and its turn.
        r.owe(cnp(0, 6), true, false, 8);
        r.loosen(8);
        r.owe(cnp(0, 5), true, false, 9);
        assert_eq!(r.leaves(0, &cnp(0, 5).flit(8)), Ok(9));
        assert_eq!(r.leaves(1, &Reply { sl: 9, ..cnp(1, 6) }.flit(8)), Ok(8));
        // Of two that are alike, of which the first may be lost, one left: the other may be it.
        let mut r = Replies::new(9, 4);
        for (at, sure) in [(10, false), (11, false), (12, true)] {
            r.owe(cnp(0, 7), sure, false, at);
        }
        assert_eq!(r.head(0).map(|h| (h.1, h.2)), Some((12, 2)));
        assert_eq!((r.leaves(0, &cnp(0, 7).flit(8)), r.head(0)), (Ok(10), None));
    }

    #[test]
    fn a_cnp_is_in_a_generation_queue_until_what_came_later_is_chosen() {
        let mut r = Replies::new(3, 2);
        let free = |r: &Replies| r.free(&[7], 4)[0];
        // DLID 5 is flow 1, and with another base any one.
        r.owe(cnp(0, 5), true, true, 10);
        assert_eq!(free(&r), 5);
        r.loosen(20);
        r.chosen(1, 20);
        assert_eq!(free(&r), 5);
        r.chosen(1, 21);
        assert_eq!(free(&r), 7);
        r.drift();
        assert_eq!(free(&r), 2);
        r.chosen(2, 30);
        assert_eq!(free(&r), 6);
        // It goes there no more, and may be on its way to the link until data of all flows from long after have left.
        r.loosen(10 + LONG + 9);
        r.chosen(1, 10 + LONG + 1);
        assert_eq!(free(&r), 2);
        (0..3).for_each(|f| r.overtaken(9, (f, 10 + LONG - u64::from(f == 2))));
        assert_eq!(r.owed.len(), 1);
        r.overtaken(9, (2, 10 + LONG));
        assert_eq!(r.owed.len(), 0);
    }

    #[test]
    fn what_may_have_left_in_anothers_place_has_its_place_in_a_fifo() {
        // Both are loose and for one DLID: the one that is alike leaves, and the room of the other's VL is not sure.
        let mut r = Replies::new(3, 1);
        r.owe(cnp(0, 5), true, true, 1);
        r.owe(cnp(1, 5), true, true, 2);
        assert_eq!(r.leaves(1, &cnp(1, 5).flit(8)), Ok(1));
        r.owe(cnp(0, 4), true, false, 3);
        r.owe(cnp(1, 4), true, false, 4);
        assert_eq!((r.sure, r.unsure), (0, 4));
    }

    #[test]
    fn a_cnp_that_is_adrift_is_no_other_one() {
        let mut r = Replies::new(3, 2);
        r.owe(cnp(0, 3), true, true, 1);
        r.drift();
        r.owe(cnp(0, 4), true, true, 2);
        assert_eq!((r.leaves(0, &cnp(0, 4).flit(8)), r.leaves(0, &cnp(0, 1).flit(8))), (Ok(1), Ok(1)));
    }

    fn ended(psn: u32, marks: u32) -> Ended {
        let head = Head { n: 1, bth: true, psn, marks, ..Head::default() };
        Ended { head, sure: true, stored: true, taken: false, whole: true }
    }

    #[test]
    fn a_mark_asks_for_a_cnp_packet_by_packet_or_by_message() {
        let says =
            |per| Says { cnps: Told::sure(true), acks: Told::sure(false), fecn: Told::sure(true), per };
        let mut s = Seen::new(2);
        let mut asks = |psn, marks, per| s.asks(&ended(psn, marks), &says(per), Some(Some(1)));
        let (yes, no, maybe) = (Told::sure(true), Told::sure(false), Told { may: true, must: false });
        assert_eq!((asks(0, 8, Some(0)), asks(0, 3, Some(0)), asks(0, 12, Some(0))), (yes, no, no));
        assert_eq!((asks(0, 8, Some(1)), asks(1, 0, Some(1)), asks(3, 0, Some(1))), (no, yes, no));
        assert_eq!((asks(4, 8, None), asks(6, 0, Some(1)), asks(7, 0, Some(1))), (maybe, no, maybe));
        let mb = Says { fecn: Told::sure(false), ..says(Some(0)) };
        assert_eq!((s.asks(&ended(0, 8), &mb, None), s.asks(&ended(0, 3), &mb, Some(None))), (maybe, yes));
        assert_eq!(s.asks(&Ended { whole: false, ..ended(0, 8) }, &says(Some(0)), None), no);
    }
}
