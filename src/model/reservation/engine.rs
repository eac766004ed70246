//! Sections 5 and 6: ops on the table, one a cycle.

use super::cover::{Cover, Hits};
use super::ops::{BYPASS, CLASSES, Came, Choice, GRANTED, Op, SPEC};
use super::schedule::{ACK, GRANT, NACK};
use super::state::{Asked, BAD_REPLY, Count, Left, Offer, Reservation};
use crate::scheme::chunk::{Done, St, Word, psn};

/// What O1 does.
#[derive(Default)]
pub(super) struct Effect {
    pub(super) write: Option<(usize, Word)>,
    /// B is done.
    pub(super) told: bool,
    pub(super) asked: Option<Asked>,
    pub(super) offer: Option<Offer>,
    /// The flow whose oldest message is taken.
    pub(super) pop: Option<usize>,
    pub(super) count: Option<Count>,
    pub(super) wasted: bool,
    pub(super) errors: u32,
    pub(super) hits: Hits,
}

impl Reservation {
    /// What each class would do in this cycle.
    pub(super) fn candidates(&self, room: u32, link_room: u32, ungranted: bool) -> [Option<Op>; CLASSES] {
        let bits = &self.bits;
        let wake = self.first(self.classes.wake, |w| bits.wt[w]);
        let tell = self.left.filter(|_| !matches!(self.op, Some(Op::Left(_))));
        let asks = self.asked.is_none() && self.left.is_none() && !matches!(self.op, Some(Op::Ask(_)));
        let ask = self.first(self.classes.ask, |w| bits.rs[w]).filter(|_| asks);
        let begin = self.first(self.classes.begin, |w| bits.pq[w] & bits.idle[w]);
        [
            wake.map(Op::Wake),
            tell.map(|left| Op::Left(left.flow)),
            ask.map(Op::Ask),
            self.choice(room, link_room, ungranted).map(Op::Send),
            begin.map(Op::Begin),
        ]
    }

    /// O0 when no reply came: the class, and what it does.
    pub(super) fn next_op(&self, of_class: &[Option<Op>; CLASSES]) -> Option<(usize, Op)> {
        let next = self.classes.next;
        (next..CLASSES).chain(0..next).find_map(|class| of_class[class].map(|op| (class, op)))
    }

    /// Moves the pointers behind an op of a class.
    pub(super) fn move_pointers(&mut self, class: usize, op: Op) {
        self.classes.next = (class + 1) % CLASSES;
        let after = (op.flow() + 1) % self.p.flows;
        match op {
            Op::Wake(_) => self.classes.wake = after,
            Op::Ask(_) => self.classes.ask = after,
            Op::Begin(_) => self.classes.begin = after,
            Op::Send(choice) => self.chosen(choice),
            Op::Left(_) | Op::Reply(_) => {}
        }
    }

    /// O1, from S(t) alone.
    pub(super) fn effect(&self) -> Effect {
        let mut e = Effect::default();
        let Some(op) = self.op else { return e };
        let flow = op.flow();
        let mut w = self.table[flow];
        match op {
            Op::Reply(came) => self.reply(&came, &mut w, &mut e),
            Op::Left(_) => self.tell(flow, &mut w, &mut e),
            Op::Wake(_) => self.wake(&mut w, &mut e),
            Op::Ask(_) => self.ask(flow, &mut w, &mut e),
            Op::Send(choice) => self.send(choice, &mut w, &mut e),
            Op::Begin(_) => self.begin(flow, &mut w, &mut e),
        }
        e
    }

    fn keep(&self, flow: usize, w: Word, e: &mut Effect) {
        e.write = Some((flow, w));
    }

    /// *Done*, behind what an op made of the word; then it is written.
    fn end(&self, flow: usize, mut w: Word, e: &mut Effect) {
        let waited = w.st == St::Wait;
        let (n, byp) = (w.n, w.byp);
        let done = w.finish(self.cfg.nmax_run);
        e.wasted = waited && done != Done::No;
        e.hits.hit_if(e.wasted, Cover::q16_done_in_wait);
        e.hits.hit_if(!waited && done != Done::No, Cover::q16_done_in_go);
        if done == Done::Chunk {
            self.cover_chunk(&w, e);
            e.hits.hit_if(w.n != n && !w.fin, Cover::q15_other_length);
            e.hits.hit_if(w.n == 1 && w.fin && !byp, Cover::q15_one_left);
            e.hits.hit_if(byp, Cover::q15_bypass_in_pieces);
        }
        e.hits.hit_if(done == Done::Message, Cover::q15_done);
        self.keep(flow, w, e);
    }

    fn cover_chunk(&self, w: &Word, e: &mut Effect) {
        let run = self.written.of(2);
        e.hits.hit_if(!w.fin, Cover::q15_whole);
        e.hits.hit_if(w.id == 0, Cover::q15_id_wraps);
        e.hits.hit_if(w.mpsn < w.psn, Cover::q15_psn_wraps);
        e.hits.hit_if(run == 0, Cover::q15_run_0);
        e.hits.hit_if(run as usize > self.p.nmax, Cover::q15_run_above);
    }

    /// B.
    fn tell(&self, flow: usize, w: &mut Word, e: &mut Effect) {
        let Some(left) = self.left.filter(|left| left.flow == flow) else {
            e.hits.hit(Cover::q19_told_before);
            return;
        };
        self.told(left, w, e);
        self.keep(flow, *w, e);
    }

    fn told(&self, left: Left, w: &mut Word, e: &mut Effect) {
        w.st = if self.cfg.spec_off { St::Stop } else { St::Spec };
        w.tres = left.tres;
        e.told = true;
        e.hits.hit(if self.cfg.spec_off { Cover::q16_spec_off } else { Cover::q16_spec_on });
    }

    /// W.
    fn wake(&self, w: &mut Word, e: &mut Effect) {
        let flow = self.op.map_or(0, Op::flow);
        let late = self.times.signed(self.times.now, w.due);
        if late < 0 {
            e.hits.hit(Cover::q16_not_due);
            return;
        }
        e.hits.hit(if late == 0 { Cover::q16_due } else { Cover::q16_due_late });
        e.hits.hit_if(w.todo == 0, Cover::q16_due_all_sent);
        w.st = St::Go;
        self.end(flow, *w, e);
    }

    /// E.
    fn ask(&self, flow: usize, w: &mut Word, e: &mut Effect) {
        w.st = St::ResOut;
        let size = w.size(self.p.mtu as u32);
        e.asked = Some(Asked { flow, sl: self.sls[flow], id: w.id, n: w.n, size, last: w.fin });
        self.keep(flow, *w, e);
    }

    /// P.
    fn begin(&self, flow: usize, w: &mut Word, e: &mut Effect) {
        let m = self.messages.head(flow);
        let short = m.pkts < self.cfg.nmin;
        w.begin(m.pkts, m.psn, m.last, !self.cfg.srp_en || short, self.cfg.nmax_run);
        e.hits.hit_if(self.cfg.srp_en && short, Cover::q15_bypass_short);
        e.hits.hit_if(!self.cfg.srp_en && !short, Cover::q15_bypass_off);
        e.hits.hit_if(self.cfg.srp_en && m.pkts == self.cfg.nmin, Cover::q15_just_reserved);
        self.cover_chunk(w, e);
        e.pop = Some(flow);
        self.keep(flow, *w, e);
    }

    /// S.
    fn send(&self, choice: Choice, w: &mut Word, e: &mut Effect) {
        let Choice { flow, lane } = choice;
        let i = w.todo.trailing_zeros();
        let one = 1u64 << i;
        let (kind, count) = match (w.st, w.byp) {
            (St::Spec, _) => (SPEC, Count::Spec),
            (_, false) => (GRANTED, Count::Granted),
            (_, true) => (BYPASS, Count::Bypass),
        };
        e.hits.sent(w, kind, i);
        let len = w.len(i, self.p.mtu as u32);
        e.hits.hit_if(len < self.p.mtu as u32, Cover::q15_short_last);
        w.todo &= !one;
        if kind == SPEC {
            w.out |= one;
            e.hits.hit_if(w.todo == 0, Cover::q16_all_sent);
        }
        e.count = Some(count);
        let tag = |value: u32| if kind == BYPASS { 0 } else { value };
        e.offer = Some(Offer {
            kind,
            flow,
            sl: self.sls[flow],
            lane,
            len,
            psn: psn(w.psn, i),
            id: tag(w.id),
            seq: tag(i),
            n: tag(w.n),
            last: w.fin && kind != BYPASS,
        });
        e.hits.hit_if(kind != SPEC && self.sls[flow] % self.on_lane.len() != lane, Cover::q20_sl_moved);
        self.end(flow, *w, e);
    }

    /// R.
    fn reply(&self, came: &Came, w: &mut Word, e: &mut Effect) {
        let flow = came.flow;
        let first = self.left.filter(|left| left.flow == flow);
        if let Some(left) = first {
            self.told(left, w, e);
            e.hits.hit(Cover::q19_told_by_reply);
            e.hits.hit_if(came.kind == GRANT && came.id == w.id, Cover::q19_grant_before_b);
        }
        if !self.acts(came, w, e) {
            e.count = Some(Count::Stale);
            if first.is_some() {
                self.keep(flow, *w, e);
            }
            return;
        }
        let one = 1u64 << (came.seq & 63);
        match came.kind {
            GRANT => {
                e.count = Some(Count::Grant);
                self.grant(came, w, e);
            }
            ACK => {
                e.count = Some(Count::Ack);
                e.hits.answered(w, false);
                w.out &= !one;
            }
            _ => {
                e.count = Some(Count::Nack);
                e.hits.answered(w, true);
                w.out &= !one;
                w.todo |= one;
                if w.st == St::Spec {
                    w.st = St::Stop;
                }
            }
        }
        self.end(flow, *w, e);
    }

    fn acts(&self, came: &Came, w: &Word, e: &mut Effect) -> bool {
        let e = &mut e.hits;
        if came.id != w.id {
            e.hit(Cover::q16_stale_id);
            return false;
        }
        if w.byp {
            e.hit(Cover::q16_stale_bypass);
            return false;
        }
        let spec = matches!(w.st, St::Spec | St::Stop);
        if came.kind == GRANT {
            e.hit_if(!spec, Cover::q16_stale_grant);
            return spec;
        }
        let state = spec || matches!(w.st, St::Wait | St::Go);
        let seq = came.seq < w.n;
        let out = seq && w.out >> came.seq & 1 != 0;
        e.hit_if(!state, Cover::q16_stale_state);
        e.hit_if(state && !seq, Cover::q16_stale_seq);
        e.hit_if(state && seq && !out, Cover::q16_stale_packet);
        state && out
    }

    /// Q18: the time that a GRANT gives.
    fn grant(&self, came: &Came, w: &mut Word, e: &mut Effect) {
        let most = self.times.half() - 1;
        let wait = u64::from(came.wait);
        if wait > most {
            e.errors |= BAD_REPLY;
            e.hits.hit(Cover::q18_too_long);
        }
        let wait = wait.min(most);
        let gone = u64::from(self.times.since(self.times.now, w.tres));
        let left = if self.cfg.rtt_comp { wait.saturating_sub(gone) } else { wait };
        e.hits.granted(w, wait, gone, self.cfg.rtt_comp);
        w.got = true;
        w.due = self.times.add(self.times.now, left);
        e.hits.hit_if(w.due < self.times.now, Cover::q18_due_wraps);
        w.st = St::Wait;
    }
}

/// Whether a reply of this kind is one.
pub(super) fn is_reply(kind: u32) -> bool {
    [GRANT, ACK, NACK].contains(&kind)
}
