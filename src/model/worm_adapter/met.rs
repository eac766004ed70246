//! What a cycle met, for the cover points alone: turns, choices, the link.

use super::cover::Cover;
use super::link::{Credits, Go};
use super::message::Sort;
use super::moving::{Choice, Heads};
use super::state::{GUARD_MOST, GUARD_MOVE_MOST, WormAdapter};
use crate::model::worm::classes::{Class, Set, members};
use crate::model::worm::wires::{AdapterPins, Sending};

impl WormAdapter {
    pub(super) fn hit(&mut self, point: Cover) {
        self.hit_if(true, point);
    }

    pub(super) fn hit_if(&mut self, happened: bool, point: Cover) {
        if self.watched {
            self.cover[point as usize] += u64::from(happened);
        }
    }

    fn hit_all(&mut self, points: &[(Cover, bool)]) {
        for &(point, met) in points {
            self.hit_if(met, point);
        }
    }

    /// Who waits for the table: reply, open, post.
    pub(super) fn meet_turn(&mut self, waits: [bool; 3]) {
        let all = waits.iter().filter(|w| **w).count();
        let leaves = self.leaving().is_some_and(|s| s.flit.takes_turn());
        let next = self.turns.next;
        let ahead = waits[next..].iter().any(|w| *w);
        let reply =
            self.turns.replies.front().is_some_and(|r| !r.pulse) && !leaves && (waits[0] && next == 0);
        self.hit_all(&[
            (Cover::ya4_turns_compete, all > 1 && !leaves),
            (Cover::ya4_all_wait, all == 3),
            (Cover::ya4_gap, self.turns.open.is_some() && !waits[1]),
            (Cover::ya4_gap_others, self.turns.open.is_some() && !waits[1] && all > 0),
            (Cover::ya4_turn_wraps, all > 0 && !ahead && !leaves),
            (Cover::ya4_leaving_first, all > 0 && leaves),
            (Cover::f1_reply_later, reply),
        ]);
    }

    /// A post is accepted as a best-effort message leaves.
    pub(super) fn meet_both_ways(&mut self) {
        let leaving = self.leaving().map(|s| s.flit.of.sort);
        let posted = self.told.done.is_some_and(|d| d.post && d.why == 0);
        self.hit_all(&[
            (Cover::yc3_posts_as_leaves, posted && leaving == Some(Sort::BestEffort)),
            (Cover::yc3_control, leaving == Some(Sort::Control)),
            (Cover::yc3_real_time, leaving == Some(Sort::RealTime)),
            (Cover::yc3_best_effort, leaving == Some(Sort::BestEffort)),
        ]);
    }

    /// Heads that fit and that do not, while nothing is moved.
    pub(super) fn meet_heads(&mut self, heads: &Heads) {
        let (host, own) = (self.mover.control.front().copied(), self.own_head());
        let control = host.is_some() || own.is_some();
        let (real_time, best_effort) = (!self.mover.real_time.is_empty(), !self.mover.best_effort.is_empty());
        let meant = if self.mover.own_first { host } else { own };
        let other = host.is_some() && own.is_some() && heads.control.is_none();
        let other = other && meant.is_some_and(|m| self.fits(&m, self.control_lane()));
        let none = heads.control.or(heads.real_time).or(heads.best_effort).is_none();
        let (rt, be) = (heads.real_time.is_some(), heads.best_effort.is_some());
        let in_the_way = self.mover.current.is_some_and(|m| {
            let head = self.mover.real_time.front().filter(|r| self.table[r.conn].lane == m.lane);
            head.is_some_and(|r| self.link.lanes[m.lane].len() + r.len == self.p.lane)
        });
        self.hit_all(&[
            (Cover::yc4_other_fits, other),
            (Cover::yc4_last_flit_in_the_way, in_the_way),
            (Cover::yc4_fits_not, none && (control || real_time || best_effort)),
            (Cover::yc4_past_control, control && heads.control.is_none() && !none),
            (Cover::yc4_past_real_time, heads.control.is_none() && real_time && !rt && be),
            (Cover::yc4_past_best_effort, heads.control.is_none() && best_effort && !be && rt),
        ]);
    }

    /// What is chosen.
    pub(super) fn meet_choice(&mut self, choice: &Choice, heads: &Heads) {
        let Choice { message, lane } = *choice;
        let classes = self.classes();
        let both = !self.mover.control.is_empty() && self.own_head().is_some();
        let (rt, be) = (heads.real_time.is_some(), heads.best_effort.is_some());
        let sort = message.sort;
        let control = !matches!(sort, Sort::RealTime | Sort::BestEffort);
        let passes = sort == Sort::RealTime && be;
        let before = sort == Sort::BestEffort && rt;
        let drawn = sort == Sort::BestEffort;
        let lanes = heads.lanes;
        let all = classes.lanes(Class::BestEffort).count_ones();
        let lhp = self.written.lhp;
        let moved = self.mover.current;
        self.hit_all(&[
            (Cover::yc4_control, sort == Sort::Control),
            (Cover::yc4_probe, sort == Sort::Probe),
            (Cover::yc4_release, sort == Sort::Release),
            (Cover::yc4_real_time, sort == Sort::RealTime),
            (Cover::yc4_best_effort, drawn),
            (Cover::yc4_host_first, both && sort == Sort::Control),
            (Cover::yc4_own_first, both && control && sort != Sort::Control),
            (Cover::yc4_fits_exactly, self.level(lane) + message.len == self.p.lane),
            (Cover::yc4_real_time_first, passes),
            (Cover::yc4_guard, before),
            (Cover::yc4_lhp_0, passes && lhp == 0),
            (Cover::yc4_lhp_1, before && lhp == 1),
            (Cover::yc4_guard_most, passes && self.mover.guard == GUARD_MOVE_MOST),
            (Cover::yc4_guard_exempt, control && rt && be && self.guards_moves()),
            (Cover::yc4_drawn, drawn && lanes.count_ones() > 1),
            (Cover::yc4_not_lowest, drawn && lane != lanes.trailing_zeros() as usize),
            (Cover::yc4_one_lane, drawn && lanes.count_ones() == 1 && all > 1),
            (Cover::yc4_at_once, moved.is_some()),
            (Cover::yc4_at_once_behind, moved.is_some_and(|m| m.lane == lane)),
            (Cover::yc4_into_best_effort, sort == Sort::RealTime && classes.of(lane) == Class::BestEffort),
        ]);
    }

    /// The link: what goes, what waits, credits.
    pub(super) fn meet_link(&mut self, go: Option<Go>, credits: Credits, pins: &AdapterPins) {
        self.meet_waiting(pins.hold, pins.up);
        self.hit_if(credits.excess != 0, Cover::yw2_excess);
        let open = self.turns.open.is_some() && pins.open.is_some();
        self.hit_if(open, Cover::ya4_waits_busy);
        if let Some(go) = go {
            self.meet_go(go, credits, pins.hold);
        }
    }

    fn meet_waiting(&mut self, hold: Set, up: bool) {
        let link = &self.link;
        let filled = link.filled;
        let poor = members(filled).any(|v| link.credits[v] == 0);
        let held = self.held(hold) & filled;
        let alone = up && held != 0 && held == filled;
        let tail = |v: usize| link.lanes[v].front().is_some_and(|f| f.takes_turn()) && link.credits[v] > 0;
        let yields = up && self.tails_yield() && members(filled).any(tail);
        let moved = self.mover.current.is_some_and(|m| m.index() > 0 && link.inside >> m.lane & 1 != 0);
        let moved = moved && self.mover.current.is_some_and(|m| link.lanes[m.lane].len() < m.index());
        self.hit_all(&[
            (Cover::yw2_waits, up && poor),
            (Cover::yw6_tail_yields, yields),
            (Cover::yw6_held, up && held != 0),
            (Cover::yw6_held_alone, alone),
            (Cover::f1_waits, !up && filled != 0),
            (Cover::f1_inside, !up && link.inside != 0),
            (Cover::f1_credits, !up && link.credits.iter().any(|&c| c < self.p.depth)),
            (Cover::yc4_leaves_before_all, moved),
        ]);
    }

    fn meet_go(&mut self, go: Go, credits: Credits, hold: Set) {
        let Go { lane, class, weight, can } = go;
        let classes = self.classes();
        let of = |c: Class| can & classes.lanes(c) != 0;
        let (rt, be) = (of(Class::RealTime), of(Class::BestEffort));
        let passes = class == Class::RealTime && be;
        let before = class == Class::BestEffort && rt;
        let lhp = self.written.lhp;
        let order = &self.link.order;
        let first = order.first_of(classes.lanes(class)) == Some(lane);
        let (stays, data) = (order.left[lane] > 1, class == Class::RealTime);
        let held = hold >> lane & 1 != 0;
        let inside = self.link.inside >> lane & 1 != 0;
        let admit = self.written.admit_en;
        let between = self.link.going.is_some_and(|s| s.lane != lane && !s.flit.last);
        self.hit_all(&[
            (Cover::yw2_last_credit, self.link.credits[lane] == 1),
            (Cover::yw2_goes_and_comes, credits.taken >> lane & 1 != 0),
            (Cover::yw2_excess_and_goes, credits.excess >> lane & 1 != 0),
            (Cover::yw6_control_first, class == Class::Control && (rt || be)),
            (Cover::yw6_real_time_first, passes),
            (Cover::yw6_guard, before),
            (Cover::yw6_lhp_0, passes && lhp == 0),
            (Cover::yw6_lhp_1, before && lhp == 1),
            (Cover::yw6_guard_most, passes && self.link.guard == GUARD_MOST),
            (Cover::yw6_guard_exempt, class == Class::Control && be && self.guards_link()),
            (Cover::yw6_compete, (can & classes.lanes(class)).count_ones() > 1),
            (Cover::yw6_passes, !first),
            (Cover::yw6_keeps_turn, stays),
            (Cover::yw6_weight_be, !stays && !data && weight > 1),
            (Cover::yw6_weight_be_0, !stays && !data && weight == 0),
            (Cover::ya7_weight, !stays && data && weight > 1),
            (Cover::ya7_weight_0, !stays && data && weight == 0),
            (Cover::ya7_weight_most, !stays && data && weight == 255),
            (Cover::ya7_booked_alike, !stays && data && !admit),
            (Cover::yw6_held_inside, held && inside && class == Class::BestEffort),
            (Cover::yw6_held_real_time, held && !inside && data),
            (Cover::yw6_interleaved, between),
        ]);
    }

    /// The frame of a flit that comes: first, last, bad; a message is open.
    pub(super) fn meet_frame(&mut self, lane: usize, flags: (bool, bool, bool), open: bool) {
        let (first, last, bad) = flags;
        let skipped = self.rx.skip >> lane & 1 != 0;
        let reply = lane == self.reply_lane();
        let ends = first && open;
        self.hit_all(&[
            (Cover::yw1_opens, first && !open && !last),
            (Cover::yw1_single, first && !open && last),
            (Cover::yw1_closes, !first && open && last),
            (Cover::yw1_interleaved, first && !open && self.rx.open != 0),
            (Cover::yw1_bad, !first && open && last && bad),
            (Cover::yw1_bad_inside, bad && !last),
            (Cover::yw1_stray, !first && !open),
            (Cover::yw1_ends_open, ends),
            (Cover::yw1_ends_skipped, ends && skipped),
            (Cover::yw1_ends_reply, ends && !skipped && reply),
        ]);
    }

    /// The link is down in this cycle.
    pub(super) fn meet_fall(&mut self, comes: Sending) {
        let (open, skip, reply): (Set, Set, Set) = (self.rx.open, self.rx.skip, 1 << self.reply_lane());
        let sent = self.link.sent;
        self.hit_all(&[
            (Cover::f1_open, open != 0),
            (Cover::f1_cut, open & !skip & !reply != 0),
            (Cover::f1_cut_reply, open & !skip & reply != 0),
            (Cover::f1_cut_skipped, open & skip != 0),
            (Cover::f1_owed, self.rx.owed > 0),
            (Cover::f1_reply_waits, self.turns.replies.iter().any(|r| r.pulse)),
            (Cover::f1_adm_lost, self.written.admit_en && self.sums.live > 0),
            (Cover::f1_adm_lost_not, self.written.admit_en && self.sums.live == 0),
            (Cover::f1_lost, sent.is_some()),
            (Cover::f1_lost_tail, sent.is_some_and(|s| s.flit.last)),
            (Cover::f1_flit_ignored, comes.flit.is_some()),
            (Cover::f1_credit_ignored, comes.credits != 0),
        ]);
    }
}
