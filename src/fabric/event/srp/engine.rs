//! Ops on the table, one a cycle in two stages (Q16, Q18, Q19).
//!
//! A cycle in which nothing but visits to flows that wait for their time would happen is left out; [`Engine::catch_up`] knows where the
//! visits are then.

use crate::fabric::event::bits;
use crate::fabric::event::credit::NEVER;
use crate::params::Params;
use crate::scheme::chunk::{Done, St, Word, psn};

use super::messages::{Message, Messages};
use super::ops::{Asked, CLASSES, Came, Choice, Op, Packet, Pointers, Room};
use super::regs::Regs;
use super::table::Table;
use super::tag::Kind;

/// What happened to a source, as its counters have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets chosen as speculative, as granted, without reservation.
    pub spec: u64,
    pub granted: u64,
    pub bypass: u64,
    /// RES that left.
    pub res: u64,
    /// Replies that acted, and those that did not.
    pub grant: u64,
    pub ack: u64,
    pub nack: u64,
    pub stale: u64,
    /// Chunks done before their time.
    pub wasted: u64,
}

/// What a step did.
#[derive(Default)]
pub struct Did {
    /// The offer was taken.
    pub taken: Option<Packet>,
    /// A RES to send from the next cycle on.
    pub asked: Option<Asked>,
    /// A message of this flow began.
    pub begun: Option<usize>,
    /// A packet of so many flits was dropped.
    pub dropped: Option<u32>,
}

/// The source's engine, with messages, table and choice.
pub struct Engine {
    pub(super) regs: Regs,
    mtu: u32,
    /// Times have these bits.
    mask: u32,
    pub(super) table: Table,
    pub(super) messages: Messages,
    /// When the message under way of each flow was generated, and posted.
    born: Vec<(u64, u64)>,
    pub(super) op: Option<Op>,
    pub(super) ptr: Pointers,
    /// The flow whose RES is offered; the one whose RES left, and when.
    res: Option<usize>,
    left: Option<(usize, u32)>,
    pub(super) offer: Option<Packet>,
    /// A packet taken has not left the adapter's queues.
    pub(super) ungranted: bool,
    /// Lanes for which packets lacked room at the last choice.
    pub(super) lacks: u32,
    pub counts: Counts,
    /// The cycle after the last step.
    pub(super) t: u64,
}

impl Engine {
    /// From cycle `start` on.
    pub fn new(p: &Params, regs: Regs, sl: Vec<u8>, start: u64) -> Engine {
        Engine {
            regs,
            mtu: p.mtu as u32,
            mask: u32::MAX >> (32 - p.now_w),
            table: Table::new(p, sl),
            messages: Messages::new(p.flows, p.msgq),
            born: vec![(0, 0); p.flows],
            op: None,
            ptr: Pointers { granted: vec![0; p.data_lanes()], ..Pointers::default() },
            res: None,
            left: None,
            offer: None,
            ungranted: false,
            lacks: 0,
            counts: Counts::default(),
            t: start,
        }
    }

    /// The bits of times.
    pub fn mask(&self) -> u32 {
        self.mask
    }

    fn now(&self, t: u64) -> u32 {
        t as u32 & self.mask
    }

    /// The difference of two times, signed.
    fn signed(&self, to: u32, from: u32) -> i64 {
        let d = i64::from(to.wrapping_sub(from) & self.mask);
        if d > i64::from(self.mask >> 1) { d - i64::from(self.mask) - 1 } else { d }
    }

    /// The time of a flow in WAIT has come.
    fn is_due(&self, flow: usize, t: u64) -> bool {
        self.signed(self.now(t), self.table.word(flow).due) >= 0
    }

    /// The host posts a message in cycle `t`.
    pub fn post(&mut self, flow: usize, message: Message, t: u64) {
        self.see_post(t);
        self.messages.post(flow, message, t);
    }

    fn see_post(&mut self, t: u64) {
        if let Some(flow) = self.messages.seen(t) {
            self.table.pq.set(flow, true);
        }
    }

    /// Its RES is granted the link in cycle `t`.
    pub fn res_leaves(&mut self, t: u64) {
        if let Some(flow) = self.res.take() {
            self.left = Some((flow, self.now(t)));
            self.counts.res += 1;
        }
    }

    /// Visits to flows in WAIT, and nothing else, since the last step.
    fn catch_up(&mut self, t: u64) {
        let gap = t - self.t;
        if gap == 0 {
            return;
        }
        debug_assert!(self.op.is_none_or(|op| matches!(op, Op::Wake(_))));
        let n = self.table.wt.count();
        let last = if n == 1 {
            // The flow is busy in every other cycle.
            let flow = self.table.wt.nth(0, 0);
            let first = u64::from(self.op.map(Op::flow) == flow);
            if gap > first {
                self.move_wake(flow);
            }
            flow.filter(|_| gap > first && (gap - 1 - first).is_multiple_of(2))
        } else if n > 1 {
            let last = self.table.wt.nth(self.ptr.wake, ((gap - 1) % u64::from(n)) as u32);
            self.move_wake(last);
            last
        } else {
            None
        };
        self.op = last.map(Op::Wake);
        self.t = t;
    }

    fn after(&self, flow: usize) -> usize {
        if flow + 1 == self.table.flows() { 0 } else { flow + 1 }
    }

    fn move_wake(&mut self, flow: Option<usize>) {
        if let Some(flow) = flow {
            (self.ptr.wake, self.ptr.class) = (self.after(flow), 1);
        }
    }

    /// Cycle `t`. `came`: a reply; `accepts`: the injector takes the offer; `room`: there is room for an MTU on a lane.
    pub fn step(
        &mut self,
        t: u64,
        came: Option<Came>,
        accepts: bool,
        room: &mut dyn FnMut(usize) -> Room,
    ) -> Did {
        self.catch_up(t);
        self.see_post(t);
        let mut did = Did::default();
        self.lacks = 0;
        // O0, then O1: both from S(t).
        let next = match came {
            Some(came) => Some(Op::Reply(came)),
            None => self.choose(room),
        };
        let taken = self.offer.filter(|_| accepts);
        if let Some(op) = self.op {
            self.act(op, t, &mut did);
        }
        if taken.is_some() {
            (self.offer, self.ungranted) = (None, true);
        }
        did.taken = taken;
        self.op = next;
        self.t = t + 1;
        did
    }

    /// O0 without a reply: the class whose turn it is, of those that can go.
    fn choose(&mut self, room: &mut dyn FnMut(usize) -> Room) -> Option<Op> {
        for k in 0..CLASSES {
            let class = (self.ptr.class + k) % CLASSES;
            let op = match class {
                0 => self.first(self.ptr.wake, |t, w| t.wt.word(w)).map(Op::Wake),
                1 => self.left.filter(|_| !matches!(self.op, Some(Op::Left(_)))).map(|left| Op::Left(left.0)),
                2 => self.choose_ask().map(Op::Ask),
                3 => self.choose_packet(room).map(Op::Send),
                _ => self.first(self.ptr.begin, |t, w| t.pq.word(w) & t.idle.word(w)).map(Op::Begin),
            };
            // A class whose flow is in O1 waits for it.
            let busy = |op: &Op| !matches!(op, Op::Left(_)) && self.op.map(Op::flow) == Some(op.flow());
            let Some(op) = op.filter(|op| !busy(op)) else { continue };
            self.ptr.class = (class + 1) % CLASSES;
            let after = self.after(op.flow());
            match op {
                Op::Wake(_) => self.ptr.wake = after,
                Op::Ask(_) => self.ptr.ask = after,
                Op::Begin(_) => self.ptr.begin = after,
                Op::Send(choice) => self.chosen(choice),
                Op::Left(_) | Op::Reply(_) => {}
            }
            return Some(op);
        }
        None
    }

    fn choose_ask(&self) -> Option<usize> {
        let asks = self.res.is_none() && self.left.is_none() && !matches!(self.op, Some(Op::Ask(_)));
        if asks { self.first(self.ptr.ask, |t, w| t.rs.word(w)) } else { None }
    }

    /// The first flow of these, from a pointer on.
    pub(super) fn first(&self, from: usize, word: impl Fn(&Table, usize) -> u64) -> Option<usize> {
        bits::first(self.table.idle.words(), from, |w| word(&self.table, w))
    }

    /// O1.
    fn act(&mut self, op: Op, t: u64, did: &mut Did) {
        let flow = op.flow();
        let mut w = *self.table.word(flow);
        match op {
            Op::Reply(came) => self.reply(&came, &mut w, t, did),
            Op::Left(_) => {
                if let Some(left) = self.left.take_if(|left| left.0 == flow) {
                    self.tell(left.1, &mut w);
                    self.table.write(flow, w);
                }
            }
            Op::Wake(_) => {
                if self.is_due(flow, t) {
                    w.st = St::Go;
                    self.end(flow, w);
                }
            }
            Op::Ask(_) => {
                w.st = St::ResOut;
                let size = w.size(self.mtu);
                let sl = self.table.sl[flow];
                self.res = Some(flow);
                did.asked = Some(Asked { flow, sl, id: w.id, n: w.n, size, last: w.fin });
                self.table.write(flow, w);
            }
            Op::Send(choice) => self.send(choice, w),
            Op::Begin(_) => self.begin(flow, w, did),
        }
    }

    /// B.
    fn tell(&self, tres: u32, w: &mut Word) {
        w.st = if self.regs.spec_off { St::Stop } else { St::Spec };
        w.tres = tres;
    }

    /// *Done*, behind what an op made of the word; then it is written.
    fn end(&mut self, flow: usize, mut w: Word) {
        let waited = w.st == St::Wait;
        let done = w.finish(self.regs.nmax_run);
        self.counts.wasted += u64::from(waited && done != Done::No);
        self.table.write(flow, w);
    }

    /// P.
    fn begin(&mut self, flow: usize, mut w: Word, did: &mut Did) {
        let Some(m) = self.messages.pop(flow) else { return };
        let byp = !self.regs.srp_en || m.pkts < self.regs.nmin;
        w.begin(m.pkts, m.psn, m.last, byp, self.regs.nmax_run);
        self.born[flow] = (m.born, m.posted);
        let more = self.messages.waits(flow);
        self.table.pq.set(flow, more);
        self.table.write(flow, w);
        did.begun = Some(flow);
    }

    /// S.
    fn send(&mut self, choice: Choice, mut w: Word) {
        let Choice { flow, lane } = choice;
        let i = w.todo.trailing_zeros();
        let kind = match (w.st, w.byp) {
            (St::Spec, _) => Kind::Spec,
            (_, false) => Kind::Granted,
            (_, true) => Kind::Bypass,
        };
        w.todo &= !(1 << i);
        match kind {
            Kind::Spec => {
                w.out |= 1 << i;
                self.counts.spec += 1;
            }
            Kind::Granted => self.counts.granted += 1,
            _ => self.counts.bypass += 1,
        }
        let tag = |value: u32| if kind == Kind::Bypass { 0 } else { value };
        let (born, posted) = self.born[flow];
        self.offer = Some(Packet {
            kind,
            flow,
            sl: self.table.sl[flow],
            lane,
            len: w.len(i, self.mtu),
            psn: psn(w.psn, i),
            id: tag(w.id),
            seq: tag(i),
            n: tag(w.n),
            last: w.fin && kind != Kind::Bypass,
            born,
            posted,
        });
        self.end(flow, w);
    }

    /// R.
    fn reply(&mut self, came: &Came, w: &mut Word, t: u64, did: &mut Did) {
        let first = self.left.take_if(|left| left.0 == came.flow);
        if let Some((_, tres)) = first {
            self.tell(tres, w);
        }
        if !acts(came, w) {
            self.counts.stale += 1;
            if first.is_some() {
                self.table.write(came.flow, *w);
            }
            return;
        }
        let one = 1u64 << (came.seq & 63);
        match came.kind {
            Kind::Grant => {
                self.counts.grant += 1;
                let most = self.mask >> 1;
                let (now, wait) = (self.now(t), came.wait.min(most));
                let gone = now.wrapping_sub(w.tres) & self.mask;
                let left = if self.regs.rtt_comp { wait.saturating_sub(gone) } else { wait };
                w.got = true;
                w.due = now.wrapping_add(left) & self.mask;
                w.st = St::Wait;
            }
            Kind::Ack => {
                self.counts.ack += 1;
                w.out &= !one;
            }
            _ => {
                self.counts.nack += 1;
                did.dropped = Some(w.len(came.seq, self.mtu));
                w.out &= !one;
                w.todo |= one;
                if w.st == St::Spec {
                    w.st = St::Stop;
                }
            }
        }
        self.end(came.flow, *w);
    }

    /// The next cycle, from the one after the last step on, in which something but a visit in vain happens, if nothing comes from
    /// outside.
    pub fn next(&self) -> u64 {
        let in_vain = match self.op {
            None => true,
            Some(Op::Wake(flow)) => !self.is_due(flow, self.t),
            Some(_) => false,
        };
        let t = &self.table;
        let begins = || (0..t.pq.words()).any(|w| t.pq.word(w) & t.idle.word(w) != 0);
        let asks = || self.res.is_none() && (0..t.rs.words()).any(|w| t.rs.word(w) != 0);
        if !in_vain
            || self.messages.is_fresh()
            || self.left.is_some()
            || asks()
            || begins()
            || self.may_choose() && self.lanes() & !self.lacks != 0
        {
            return self.t;
        }
        self.next_wake()
    }

    /// The first visit that finds a flow due.
    fn next_wake(&self) -> u64 {
        let wt = &self.table.wt;
        let n = u64::from(wt.count());
        let mut best = NEVER;
        for (k, flow) in wt.round(self.ptr.wake).enumerate() {
            let (first, period) = match n {
                1 => (self.t + u64::from(self.op.map(Op::flow) == Some(flow)) + 1, 2),
                _ => (self.t + k as u64 + 1, n),
            };
            if first >= best {
                break;
            }
            let ahead = self.signed(self.table.word(flow).due, self.now(self.t));
            let due = self.t + ahead.max(0) as u64;
            best = best.min(first + due.saturating_sub(first).div_ceil(period) * period);
        }
        best
    }
}

/// Section 6: it is of the chunk, in a state in which it says something.
fn acts(came: &Came, w: &Word) -> bool {
    let spec = matches!(w.st, St::Spec | St::Stop);
    if came.id != w.id || w.byp {
        return false;
    }
    if came.kind == Kind::Grant {
        return spec;
    }
    (spec || matches!(w.st, St::Wait | St::Go)) && came.seq < w.n && w.out >> came.seq & 1 != 0
}
