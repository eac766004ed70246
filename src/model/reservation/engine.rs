//! Sections 5 and 6: ops on the table, one a cycle.

use super::cover::{Cover, Hits};
use super::ops::{BYPASS, CLASSES, Came, Choice, GRANTED, Op, SPEC};
use super::row::{Retry, Row};
use super::schedule::{ACK, GRANT, NACK};
use super::state::{Asked, BAD_REPLY, Count, Left, Offer, Reservation};
use crate::scheme::chunk::{Done, St, id, psn};

/// What O1 does.
#[derive(Default)]
pub(super) struct Effect {
    pub(super) write: Option<(usize, Row)>,
    /// B is done.
    pub(super) told: bool,
    pub(super) asked: Option<Asked>,
    pub(super) offer: Option<Offer>,
    /// The flow whose oldest message is taken.
    pub(super) pop: Option<usize>,
    pub(super) count: Option<Count>,
    pub(super) wasted: bool,
    /// The flow has learnt its number.
    pub(super) learnt: bool,
    pub(super) errors: u32,
    pub(super) hits: Hits,
}

impl Reservation {
    /// What each class would do in this cycle, were no flow busy.
    pub(super) fn wanted(&self, room: u32, link_room: u32, ungranted: bool) -> [Option<Op>; CLASSES] {
        let bits = &self.bits;
        let wake = self.first(self.classes.wake, |w| self.walked(w));
        let tell = self.left.filter(|_| !matches!(self.op, Some(Op::Left(_))));
        let asks = self.asked.is_none()
            && self.left.is_none()
            && !matches!(self.op, Some(Op::Ask(_)))
            && !self.is_quiet();
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

    /// What each class can do: one whose flow is busy waits for it. (B does not: its op finds what the one before it wrote.)
    pub(super) fn candidates(&self, wanted: &[Option<Op>; CLASSES]) -> [Option<Op>; CLASSES] {
        wanted.map(|op| op.filter(|op| matches!(op, Op::Left(_)) || !self.busy(op.flow())))
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
        let row = self.table[flow];
        match op {
            Op::Reply(came) => self.reply(&came, row, &mut e),
            Op::Left(_) => self.tell(flow, row, &mut e),
            Op::Wake(_) => self.wake(flow, row, &mut e),
            Op::Ask(_) => self.ask(flow, row, &mut e),
            Op::Send(choice) => self.send(choice, row, &mut e),
            Op::Begin(_) => self.begin(flow, row, &mut e),
        }
        e
    }

    /// *Done*, behind what an op made of the word; then it is written.
    fn end(&self, flow: usize, mut row: Row, e: &mut Effect) {
        if self.cfg.fast {
            e.hits.hit_if(row.hurry(), Cover::q21_fast);
        }
        let w = &mut row.word;
        let waited = w.st == St::Wait;
        let (id, n, byp) = (w.id, w.n, w.byp);
        let done = w.finish(self.cfg.nmax_run);
        e.wasted = waited && done != Done::No;
        e.hits.hit_if(e.wasted, Cover::q16_done_in_wait);
        e.hits.hit_if(!waited && done != Done::No, Cover::q16_done_in_go);
        if done != Done::No {
            (row.retry.rty, row.retry.again) = (0, false);
        }
        if done == Done::Chunk {
            e.hits.hit_if(w.n != n && !w.fin, Cover::q15_other_length);
            e.hits.hit_if(w.n == 1 && w.fin && !byp, Cover::q15_one_left);
            e.hits.hit_if(byp, Cover::q15_bypass_in_pieces);
            self.next_chunk(id, &mut row, e);
        }
        e.hits.hit_if(done == Done::Message, Cover::q15_done);
        e.write = Some((flow, row));
    }

    /// A chunk begins behind one of number `id`.
    fn next_chunk(&self, id: u32, row: &mut Row, e: &mut Effect) {
        let w = &mut row.word;
        if self.p.dedup && w.byp {
            e.hits.hit_if(id > 0, Cover::q22_id_stays);
            w.id = id;
        }
        let run = self.written.of(2);
        e.hits.hit_if(!w.fin, Cover::q15_whole);
        e.hits.hit_if(w.id == 0 && id != 0, Cover::q15_id_wraps);
        e.hits.hit_if(w.mpsn < w.psn, Cover::q15_psn_wraps);
        e.hits.hit_if(run == 0, Cover::q15_run_0);
        e.hits.hit_if(run as usize > self.p.nmax, Cover::q15_run_above);
    }

    /// B.
    fn tell(&self, flow: usize, mut row: Row, e: &mut Effect) {
        let Some(left) = self.left.filter(|left| left.flow == flow) else {
            e.hits.hit(Cover::q19_told_before);
            return;
        };
        if self.told(left, &mut row, e) {
            e.write = Some((flow, row));
        }
    }

    /// B does not find its flow where it asked if a GRANT came meanwhile.
    fn told(&self, left: Left, row: &mut Row, e: &mut Effect) -> bool {
        e.told = true;
        if row.word.st != St::ResOut {
            e.hits.hit(Cover::q22_told_late);
            return false;
        }
        let stop = row.retry.again || self.is_new(left.flow);
        row.word.st = if self.cfg.spec_off || stop { St::Stop } else { St::Spec };
        row.word.tres = left.tres;
        row.retry.stamp = self.times.now;
        e.hits.hit_if(self.cfg.spec_off, Cover::q16_spec_off);
        e.hits.hit_if(row.word.st == St::Spec, Cover::q16_spec_on);
        true
    }

    /// W.
    fn wake(&self, flow: usize, mut row: Row, e: &mut Effect) {
        let behind = self.times.signed(self.times.now, row.word.due);
        let waits = row.word.st == St::Wait;
        if !waits || behind < 0 {
            e.hits.hit_if(waits, Cover::q16_not_due);
            self.expire(flow, row, e);
            return;
        }
        e.hits.hit(if behind == 0 { Cover::q16_due } else { Cover::q16_due_late });
        e.hits.hit_if(self.is_late(&row), Cover::q22_due_and_late);
        e.hits.hit_if(row.word.todo == 0, Cover::q16_due_all_sent);
        if self.cfg.inorder {
            e.hits.hit_if(row.word.out != 0, Cover::q21_due_again);
            row.send_again(row.word.out);
        }
        row.word.st = St::Go;
        self.end(flow, row, e);
    }

    /// E.
    fn ask(&self, flow: usize, mut row: Row, e: &mut Effect) {
        let w = &mut row.word;
        w.st = St::ResOut;
        let size = w.size(self.p.mtu as u32);
        let (rty, init) = (row.retry.again, self.is_new(flow));
        e.asked = Some(Asked { flow, sl: self.sls[flow], id: w.id, n: w.n, size, last: w.fin, rty, init });
        e.write = Some((flow, row));
    }

    /// P.
    fn begin(&self, flow: usize, mut row: Row, e: &mut Effect) {
        let w = &mut row.word;
        let (m, id) = (self.messages.head(flow), w.id);
        let short = m.pkts < self.cfg.nmin;
        w.begin(m.pkts, m.psn, m.last, !self.cfg.srp_en || short, self.cfg.nmax_run);
        row.retry = Retry { stamp: self.times.now, ..Retry::default() };
        e.hits.hit_if(self.cfg.srp_en && short, Cover::q15_bypass_short);
        e.hits.hit_if(!self.cfg.srp_en && !short, Cover::q15_bypass_off);
        e.hits.hit_if(self.cfg.srp_en && m.pkts == self.cfg.nmin, Cover::q15_just_reserved);
        self.next_chunk(id, &mut row, e);
        e.pop = Some(flow);
        e.write = Some((flow, row));
    }

    /// S.
    fn send(&self, choice: Choice, mut row: Row, e: &mut Effect) {
        let Choice { flow, lane } = choice;
        let w = &mut row.word;
        let i = w.todo.trailing_zeros();
        let one = 1u64 << i;
        let (kind, count) = match (w.st, w.byp) {
            (St::Spec, _) => (SPEC, Count::Spec),
            (_, false) => (GRANTED, Count::Granted),
            (_, true) => (BYPASS, Count::Bypass),
        };
        let rty = row.retry.rty & one != 0;
        e.hits.sent(w, kind, i);
        e.hits.hit_if(rty, Cover::q22_sent_again);
        let len = w.len(i, self.p.mtu as u32);
        e.hits.hit_if(len < self.p.mtu as u32, Cover::q15_short_last);
        w.todo &= !one;
        if kind == SPEC || rty {
            w.out |= one;
            e.hits.hit_if(kind == SPEC && w.todo == 0, Cover::q16_all_sent);
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
            rty,
        });
        e.hits.hit_if(kind != SPEC && self.sls[flow] % self.on_lane.len() != lane, Cover::q20_sl_moved);
        row.retry.stamp = self.times.now;
        self.end(flow, row, e);
    }

    /// R.
    fn reply(&self, came: &Came, mut row: Row, e: &mut Effect) {
        let flow = came.flow;
        let mut told = false;
        if let Some(left) = self.left.filter(|left| left.flow == flow) {
            told = self.told(left, &mut row, e);
            e.hits.hit(Cover::q19_told_by_reply);
            e.hits.hit_if(told && came.kind == GRANT && came.id == row.word.id, Cover::q19_grant_before_b);
        }
        if !self.acts(came, &row, e) {
            e.count = Some(Count::Stale);
            if told {
                e.write = Some((flow, row));
            }
            return;
        }
        let one = 1u64 << (came.seq & 63);
        let w = &mut row.word;
        match came.kind {
            GRANT => {
                e.count = Some(Count::Grant);
                self.grant(came, &mut row, e);
            }
            ACK => {
                e.count = Some(Count::Ack);
                e.hits.answered(w, false);
                e.hits.hit_if(row.retry.rty & one != 0, Cover::q22_ack_again);
                e.hits.hit_if(w.todo & one != 0, Cover::q22_ack_before);
                w.out &= !one;
                w.todo &= !one;
                row.retry.rty &= !one;
            }
            _ => {
                e.count = Some(Count::Nack);
                e.hits.answered(w, true);
                e.hits.hit_if(row.retry.rty & one != 0, Cover::q22_nack_again);
                w.out &= !one;
                w.todo |= one;
                if self.p.dedup {
                    row.retry.rty |= one;
                }
                if w.st == St::Spec {
                    w.st = St::Stop;
                }
            }
        }
        row.retry.stamp = self.times.now;
        self.end(flow, row, e);
    }

    fn acts(&self, came: &Came, row: &Row, e: &mut Effect) -> bool {
        let (e, w) = (&mut e.hits, &row.word);
        let names = came.kind == GRANT && self.p.dedup && came.init;
        if came.kind == GRANT && names != self.is_new(came.flow) {
            e.hit(if names { Cover::q22_stale_init } else { Cover::q22_stale_plain });
            return false;
        }
        if came.id != w.id && !names {
            e.hit(Cover::q16_stale_id);
            return false;
        }
        if w.byp {
            e.hit(Cover::q16_stale_bypass);
            return false;
        }
        let waits = row.awaits_grant();
        if came.kind == GRANT {
            e.hit_if(!waits, Cover::q16_stale_grant);
            return waits;
        }
        let state = waits || matches!(w.st, St::Wait | St::Go);
        let seq = came.seq < w.n;
        let one = if seq { 1 << came.seq } else { 0 };
        let (out, again) = (w.out & one != 0, row.retry.rty & one != 0);
        let acts = match came.kind {
            ACK => out || again && w.todo & one != 0,
            _ => out && (!again || came.rty),
        };
        e.hit_if(!state, Cover::q16_stale_state);
        e.hit_if(state && !seq, Cover::q16_stale_seq);
        e.hit_if(state && seq && !acts, Cover::q16_stale_packet);
        e.hit_if(state && out && !acts, Cover::q22_nack_first);
        state && acts
    }

    /// Q18: the time that a GRANT gives.
    fn grant(&self, came: &Came, row: &mut Row, e: &mut Effect) {
        let most = self.times.half() - 1;
        let wait = u64::from(came.wait);
        if wait > most {
            e.errors |= BAD_REPLY;
            e.hits.hit(Cover::q18_too_long);
        }
        let wait = wait.min(most);
        let w = &mut row.word;
        let gone = u64::from(self.times.since(self.times.now, w.tres));
        let left = if self.cfg.rtt_comp { wait.saturating_sub(gone) } else { wait };
        e.hits.granted(w, wait, gone, self.cfg.rtt_comp);
        if self.is_new(came.flow) {
            e.learnt = true;
            e.hits.hit(Cover::q22_learnt);
            let next = id(came.id + 1);
            e.hits.hit_if(w.id != next, Cover::q22_id_goes_on);
            w.id = next;
        }
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
