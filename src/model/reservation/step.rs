//! A cycle: all parts from S(t), then what they write.

use super::cover::Cover;
use super::engine::is_reply;
use super::ops::{Came, Op, SPEC};
use super::post::Post;
use super::schedule::{ACK, GRANT, Head, NACK, Reply, Request, Unbooked};
use super::state::{BAD_REPLY, BAD_RES, Count, END_LOST, Left, RES_FULL, Reservation};
use crate::model::util::set_bit;
use crate::scheme::chunk::id;

impl Reservation {
    /// The edge that ends a cycle with `ready` = 1.
    pub(super) fn cycle(&mut self, input: &[u32]) {
        let read = self.read(input);
        let mut errors = 0;
        // From S(t) ...
        let effect = self.effect();
        effect.hits.add_to(&mut self.cover);
        self.cover_replies(effect.count);
        let post = self.post(input, effect.pop, &mut errors);
        let dropped = self.step_sources(input);
        let op = self.start(input, &mut errors);
        errors |= effect.errors | self.destination(input);
        let gone = self.asked.filter(|_| input[self.i.res_ready] & 1 != 0);
        self.hit_if(self.asked.is_some() && gone.is_none(), Cover::q17_res_waits);
        let taken = self.offer.is_some() && input[self.i.inj_ready] & 1 != 0;
        self.hit_if(self.offer.is_some() && !taken, Cover::q20_offer_waits);

        // ... and the writes.
        if let Some((flow, row)) = effect.write {
            self.write(flow, row);
            if effect.learnt {
                set_bit(&mut self.bits.init, flow, false);
            }
        }
        self.quiet &= self.cfg.rto == 0 || self.times.now < self.cfg.rto;
        if effect.told {
            self.left = None;
        }
        if let Some(asked) = gone {
            self.asked = None;
            self.left = Some(Left { flow: asked.flow, tres: self.times.now });
            self.count(Count::Res);
            self.hit(Cover::q17_res);
            self.hit_if(asked.rty, Cover::q22_res_again);
            self.hit_if(asked.init, Cover::q22_res_init);
            self.hit_if(asked.rty && asked.init, Cover::q22_res_init_again);
        }
        self.asked = self.asked.or(effect.asked);
        if taken {
            self.offer = None;
        }
        self.offer = self.offer.or(effect.offer);
        if let Some(flow) = effect.pop {
            self.messages.pop(flow);
        }
        match post {
            Some(Post::New(flow, message)) => self.messages.push(flow, message),
            Some(Post::More(flow, message)) => self.messages.join(flow, message),
            None => {}
        }
        for flow in effect.pop.into_iter().chain(post.map(Post::flow)) {
            set_bit(&mut self.bits.pq, flow, self.messages.waits(flow));
        }
        if let Some(what) = effect.count {
            self.count(what);
        }
        if dropped {
            self.count(Count::Dup);
        }
        if effect.wasted {
            self.count(Count::Wasted);
        }
        self.op = op;
        errors |= self.write_attr(input);
        let reserved = self.destination.reserved();
        let wraps = self.times.advance();
        self.hit_if(wraps && reserved, Cover::q10_now_wraps);
        self.update_errors(input, errors);
        self.configure(input);
        self.read = read;
    }

    /// O0: the op that is in O1 in the next cycle.
    fn start(&mut self, input: &[u32], errors: &mut u32) -> Option<Op> {
        let i = &self.i;
        let (room, link_room, ungranted) = (input[i.room], input[i.link_room], input[i.ungranted] & 1 != 0);
        let wanted = self.wanted(room, link_room, ungranted);
        let of_class = self.candidates(&wanted);
        let can_go = of_class.iter().flatten().count();
        self.cover_choice(room, link_room, ungranted);
        for op in wanted.iter().flatten() {
            self.cover_busy(*op);
        }
        let i = &self.i;
        if input[i.rep_valid] & 1 != 0 {
            let came = Came {
                kind: input[i.rep_kind] & 3,
                flow: (input[i.rep_flow] & 0xffff) as usize,
                id: id(input[i.rep_id]),
                seq: input[i.rep_seq] & 0xff,
                wait: input[i.rep_wait],
                rty: self.p.dedup && input[i.rep_rty] & 1 != 0,
                init: self.p.dedup && input[i.rep_init] & 1 != 0,
            };
            if is_reply(came.kind) && came.flow < self.p.flows {
                self.hit_if(can_go > 0, Cover::q19_reply_first);
                return Some(Op::Reply(came));
            }
            *errors |= BAD_REPLY;
            self.hit(if is_reply(came.kind) { Cover::q16_bad_flow } else { Cover::q16_bad_kind });
            self.hit_if(can_go > 0, Cover::q19_beside_bad);
        }
        self.hit_if(can_go >= 4, Cover::q19_four_wait);
        self.hit_if(can_go > 0 && of_class[self.classes.next].is_none(), Cover::q19_skips);
        let (class, op) = self.next_op(&of_class)?;
        match op {
            Op::Ask(flow) => self.hit_if(flow < self.classes.ask, Cover::q17_turn),
            Op::Send(choice) => match self.turns.granted.get(choice.lane) {
                Some(&pointer) => self.hit_if(choice.flow < pointer, Cover::q20_turn),
                None => self.hit_if(choice.flow < self.turns.spec, Cover::q20_spec_turn),
            },
            _ => {}
        }
        self.move_pointers(class, op);
        Some(op)
    }

    /// Sections 1 and 2. Returns new errors.
    fn destination(&mut self, input: &[u32]) -> u32 {
        let room = self.destination.has_room(&self.sizes);
        let shown = self.destination.head(&self.times, &self.cfg, &self.sizes);
        let end_ok = self.destination.end_ok(shown, &self.sizes);
        let walk = self.walk(input);
        let i = &self.i;
        // WALKIN: what is handled in this cycle comes behind what walked in.
        let head = match walk {
            Some(_) => self.destination.head_from(walk, &self.times, &self.cfg, &self.sizes),
            None => shown,
        };
        let mut errors = 0;
        let ends = input[i.end_valid] & 1 != 0;
        if ends && !end_ok {
            errors |= END_LOST;
            self.cover[Cover::q12_end_lost as usize] += 1;
        }
        let ack = (ends && end_ok).then(|| Reply {
            kind: if input[i.end_bad] & 1 != 0 { NACK } else { ACK },
            lid: input[i.end_slid] & 0xffff,
            sl: input[i.end_sl] & 0xf,
            id: id(input[i.end_id]),
            seq: input[i.end_seq] & 0xff,
            wait: 0,
            rty: self.p.dedup && input[i.end_rty] & 1 != 0,
            init: false,
        });
        let comes = (input[i.rin_valid] & 1 != 0).then(|| Request {
            slid: input[i.rin_slid] & 0xffff,
            sl: input[i.rin_sl] & 0xf,
            id: id(input[i.rin_id]),
            size: input[i.rin_size] & 0xffff,
            init: self.p.dedup && input[i.rin_init] & 1 != 0,
        });
        let pops = input[i.out_ready] & 1 != 0 && !self.destination.replies.is_empty();
        let bad = head.is_bad();
        if bad {
            errors |= BAD_RES;
        }
        let grant = match head {
            Head::Due { wait, end } if ack.is_none() => Some((wait, end)),
            _ => None,
        };
        let leaves = bad || grant.is_some();
        let full = self.destination.requests.len() >= self.sizes.requests;
        if comes.is_some() && full {
            errors |= RES_FULL;
        }
        self.cover_destination(head, ack, grant.map(|g| g.0), pops, room, end_ok);
        if comes.is_some() {
            self.hit_if(full, Cover::q13_full);
            self.hit_if(full && leaves, Cover::q13_full_leaves);
            self.hit_if(!full && leaves, Cover::q13_comes_and_leaves);
        }

        let now = self.times.now;
        let passed = self.destination.busy_until.is_some_and(|t| self.times.signed(t, now) <= 0);
        let d = &mut self.destination;
        if pops {
            d.replies.pop_front();
        }
        let request = if leaves { d.requests.pop_front() } else { None };
        d.left = leaves;
        if let (Some((wait, end)), Some(r)) = (grant, request) {
            d.replies.push_back(Reply {
                kind: GRANT,
                lid: r.slid,
                sl: r.sl,
                id: r.id,
                seq: 0,
                wait,
                rty: false,
                init: r.init,
            });
            d.busy_until = Some(end);
            d.turn = false;
        } else if walk.is_some() {
            d.busy_until = walk;
        } else if passed {
            d.busy_until = None;
        }
        if let Some(ack) = ack {
            d.replies.push_back(ack);
            d.turn = true;
        }
        if let Some(comes) = comes.filter(|_| !full) {
            d.requests.push_back(comes);
        }
        self.hit_if(grant.is_some() && request.is_some_and(|r| r.init), Cover::q22_grant_init);
        self.hit_if(walk.is_some() && grant.is_some(), Cover::q15_walk_and_grant);
        self.hit_if(passed && grant.is_none() && walk.is_none(), Cover::q10_t_passes);
        self.hit_if(passed && grant.is_some(), Cover::q10_as_t_passes);
        errors
    }

    /// WALKIN: the T behind a packet without reservation that comes in this cycle.
    fn walk(&mut self, input: &[u32]) -> Option<u32> {
        if input[self.i.walk_valid] & 1 == 0 {
            return None;
        }
        if !self.cfg.walkin {
            self.hit(Cover::q15_walk_off);
            return None;
        }
        let flits = input[self.i.walk_len] & 0x7f;
        let t = self.destination.walked(&self.times, &self.cfg, &self.sizes, flits);
        let ahead = self.destination.busy_until.is_some_and(|t| self.times.signed(t, self.times.now) > 0);
        self.hit(match (t, ahead) {
            (Err(Unbooked::Far), _) => Cover::q15_walk_far,
            (Err(Unbooked::Res), _) => Cover::q15_walk_yields,
            (Ok(_), true) => Cover::q15_walk_behind,
            (Ok(_), false) => Cover::q15_walk_free,
        });
        t.ok()
    }

    fn cover_destination(
        &mut self,
        head: Head,
        ack: Option<Reply>,
        grant: Option<u32>,
        pops: bool,
        room: bool,
        end_ok: bool,
    ) {
        match head {
            Head::BadEmpty => self.hit(Cover::q10_bad_empty),
            Head::BadSize => self.hit(Cover::q10_bad_size),
            Head::BadTime => self.hit(Cover::q10_bad_time),
            Head::TooFar => self.hit(Cover::q10_too_far),
            Head::NoRoom => {
                self.hit(Cover::q12_full_res);
                self.hit_if(pops, Cover::q12_full_pop);
            }
            Head::Due { .. } => {
                self.hit_if(ack.is_some(), Cover::q12_ack_first);
                self.hit_if(room && !end_ok, Cover::q12_grant_first);
            }
            Head::Empty => {}
        }
        let bad = head.is_bad();
        self.hit_if(bad && ack.is_some(), Cover::q10_bad_beside_ack);
        self.hit_if(bad && !room, Cover::q10_bad_when_full);
        self.hit_if(bad || grant.is_some(), Cover::q13_left);
        self.hit_if(ack.is_some_and(|a| a.kind == ACK), Cover::q12_ack);
        self.hit_if(ack.is_some_and(|a| a.kind == NACK), Cover::q12_nack);
        self.hit_if(!room, Cover::q12_full);
        self.hit_if(pops && (ack.is_some() || grant.is_some()), Cover::q12_push_and_pop);
        self.hit_if(!pops && !self.destination.replies.is_empty(), Cover::q12_out_waits);
        if let (Some(wait), Head::Due { end, .. }) = (grant, head) {
            self.hit_if(!self.destination.reserved(), Cover::q10_free);
            self.hit_if(wait > 0, Cover::q10_behind);
            self.hit_if(self.past.granted, Cover::q10_next_cycle);
            self.hit_if(self.past.too_far, Cover::q10_near_again);
            let base = self.times.add(self.times.now, u64::from(wait));
            self.hit_if(end < base, Cover::q10_t_wraps);
            self.hit_if(self.cfg.eps == 0, Cover::q10_no_eps);
            self.hit_if(self.cfg.rx_interval > 1, Cover::q10_slow_link);
            self.hit_if(self.written.of(5) == 0, Cover::q10_interval_0);
            self.hit(if wait == 0 { Cover::q11_no_wait } else { Cover::q11_wait });
        }
        self.past.granted = grant.is_some();
        self.past.too_far = head == Head::TooFar;
    }

    /// Replies that act in successive cycles.
    fn cover_replies(&mut self, count: Option<Count>) {
        let acted = matches!(count, Some(Count::Grant | Count::Ack | Count::Nack));
        let reply = self.op.filter(|_| acted);
        if let (Some(Op::Reply(before)), Some(Op::Reply(now))) = (self.past.reply, reply)
            && before.flow == now.flow
        {
            self.hit(Cover::q16_reply_runs);
            self.hit_if((before.kind, now.kind) == (ACK, NACK), Cover::q16_ack_then_nack);
            self.hit_if((before.kind, now.kind) == (NACK, ACK), Cover::q16_nack_then_ack);
        }
        if let Some(Op::Reply(now)) = reply {
            let offered = self.offer.is_some_and(|o| o.kind == SPEC && o.flow == now.flow);
            self.hit_if(offered && now.kind == GRANT, Cover::q20_grant_meanwhile);
        }
        self.past.reply = reply;
    }

    /// A class that waits since its flow is busy.
    fn cover_busy(&mut self, op: Op) {
        let point = match op {
            Op::Wake(_) => Cover::q19_busy_wake,
            Op::Ask(_) => Cover::q19_busy_ask,
            Op::Send(_) => Cover::q19_busy_send,
            Op::Begin(_) => Cover::q19_busy_begin,
            Op::Left(_) | Op::Reply(_) => return,
        };
        self.hit_if(self.busy(op.flow()), point);
    }

    /// What a choice passes over.
    fn cover_choice(&mut self, room: u32, link_room: u32, ungranted: bool) {
        let lanes = self.on_lane.len();
        let spec_room = room >> lanes & 1 != 0;
        let free = self.offer.is_none() && !matches!(self.op, Some(Op::Send(_)));
        let (granted, spec) = (self.granted(room), self.speculative());
        let lacks = self.granted_lacks_room(room);
        let b = &self.bits;
        let asks = b.rs.iter().any(|w| *w != 0);
        self.hit_if(asks && self.asked.is_some(), Cover::q17_others_wait);
        self.hit_if(asks && self.is_quiet(), Cover::q22_quiet);
        if !free {
            return;
        }
        self.hit_if(ungranted && (granted.is_some() || spec.is_some() && spec_room), Cover::q20_ungranted);
        if ungranted {
            return;
        }
        self.hit_if(granted.is_some() && spec.is_some() && spec_room, Cover::q20_granted_first);
        self.hit_if(granted.is_some() && lacks, Cover::q20_other_lane);
        let held = self.granted_for_link(link_room);
        let speculates = granted.is_none() && spec.is_some() && spec_room;
        self.hit_if(speculates && lacks && !held, Cover::q20_spec_for_lack);
        self.hit_if(speculates && lacks && held, Cover::q20_spec_held);
        self.hit_if(granted.is_none() && spec.is_some() && !spec_room, Cover::q20_no_spec_room);
        let others = granted.is_some_and(|g| self.granted(room & !(1 << g.lane)).is_some());
        self.hit_if(others, Cover::q20_two_lanes);
    }
}
