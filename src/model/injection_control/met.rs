//! What cover points see of a cycle.

use super::cover::Cover;
use super::gathering::FLITS_MOST;
use super::hold::HELD_MOST;
use super::lookup::Looked;
use super::seen::Seen;
use super::state::InjectionControl;
use super::tuning::{Best, Learnt, Rank};
use super::written::{Scheme, T};
use crate::model::worm::classes::Set;

impl InjectionControl {
    /// The look-up that is under way, and who asks.
    pub(super) fn meet_look_up(&mut self, seen: &Seen, plan: &Looked) {
        let l = &self.lookup;
        let (asks, next, write) = (plan.asks, l.next, l.writes(seen).is_some());
        let look = l.look;
        let any_known = l.known.iter().any(Option::is_some);
        let beyond = seen.route.is_some_and(|r| !l.has(r.0));
        let bits = seen.route.is_some_and(|r| l.has(r.0) && r.1 >> self.p.ports != 0);
        let new_beyond = plan.taken.is_some_and(|k| !l.has(k.dlid as usize));
        self.hit_if(write && look.is_some(), Cover::yl1_lost_write);
        self.hit_if(write && asks != 0, Cover::yl1_write_asks);
        self.hit_if(write && any_known, Cover::yl1_write_forgets);
        self.hit_if(beyond && (look.is_some() || any_known), Cover::yl1_write_beyond);
        self.hit_if(bits, Cover::yl1_write_bits_beyond);
        if write {
            return;
        }
        let taken = plan.taken.is_some();
        self.hit_if(taken, Cover::yl1_looks);
        self.hit_if(taken && self.written.scheme() != Scheme::Alo, Cover::yl1_looks_whatever);
        self.hit_if(new_beyond, Cover::yl1_beyond);
        self.hit_if(asks.count_ones() > 1, Cover::yl1_compete);
        self.hit_if(plan.begins.is_some_and(|v| v < next), Cover::yl1_ask_wraps);
        if let Some(look) = look.filter(|_| !taken) {
            let there = seen.is_front(look.lane);
            self.hit_if(!there, Cover::yl1_lost_gone);
            self.hit_if(there, Cover::yl1_lost_changed);
        }
        for v in 0..self.p.vls {
            if let Some(known) = self.lookup.known[v] {
                let there = seen.is_front(v);
                self.hit_if(!there, Cover::yl1_forgotten);
                self.hit_if(there && known.dlid != seen.dlid[v], Cover::yl1_forgotten_changed);
            }
        }
    }

    /// The headers in front.
    pub(super) fn meet_headers(&mut self, seen: &Seen, holds: Set) {
        let best_effort = self.written.best_effort(self.p.vls);
        let (free, clear) = (self.channels.free, self.channels.clear);
        self.hit_if(free & !clear != 0, Cover::yl1_partly);
        let scheme = self.written.scheme();
        self.hit_if(scheme == Scheme::Alo && best_effort == 0 && seen.front != 0, Cover::yl1_no_lane);
        for v in (0..self.p.vls).filter(|&v| seen.is_front(v)) {
            if best_effort >> v & 1 == 0 {
                let against = self.is_against(v);
                self.hit_if(against, Cover::yl1_not_held);
                continue;
            }
            self.hit_if(self.written.scheme_number() == 3, Cover::yl1_scheme_3);
            if scheme == Scheme::Alo {
                self.meet_alo(seen, v);
            }
            let held = holds >> v & 1 != 0;
            self.hit_if(scheme == Scheme::SelfTuned && held, Cover::ys2_holds);
            self.meet_time(seen, v, held);
        }
    }

    /// Both clauses of ALO for the header in front of lane v.
    fn meet_alo(&mut self, seen: &Seen, v: usize) {
        let c = self.channels;
        let known = self.lookup.known[v];
        let useful = c.all_useful(known);
        let clear = c.one_clear(self.written.channels);
        self.hit_if(useful && !clear, Cover::yl1_useful);
        let misses = known.is_some_and(|k| k.way & !c.free != 0);
        self.hit_if(clear && misses && c.link, Cover::yl1_clear);
        self.hit_if(clear && known.is_some() && !misses && !c.link, Cover::yl1_clear_link);
        self.hit_if(clear && known.is_none(), Cover::yl1_clear_unknown);
        let permitted = known.is_some_and(|k| k.dlid != seen.dlid[v]);
        self.hit_if(permitted && useful && !clear, Cover::yl1_permission);
        if useful || clear {
            return;
        }
        self.hit_if(known.is_none() && c.link, Cover::yl1_held_unknown);
        self.hit_if(misses && c.link, Cover::yl1_held_output);
        self.hit_if(known.is_some() && !misses && !c.link, Cover::yl1_held_link);
        let one = known.is_some_and(|k| k.way & !c.free != 0 && k.way & c.free != 0);
        self.hit_if(one && c.link, Cover::yl1_held_one_of_two);
        self.hit_if(c.clear & !self.written.channels != 0, Cover::yl1_held_channels);
    }

    /// How long the best-effort header in front of lane v has been held.
    fn meet_time(&mut self, seen: &Seen, v: usize, held: bool) {
        let (count, most) = (self.held[v], self.written.hold_max);
        let against = self.is_against(v);
        let leaves = seen.sent == Some(v);
        let overdue = self.is_overdue(v) && against;
        let scheme = self.written.scheme();
        self.hit_if(overdue && scheme == Scheme::Alo, Cover::yl1_overdue);
        self.hit_if(overdue && scheme == Scheme::SelfTuned, Cover::ys2_overdue);
        self.hit_if(overdue && leaves && count == most, Cover::yl1_overdue_leaves);
        self.hit_if(held && leaves, Cover::yl1_leaves_held);
        self.hit_if(!held && !leaves && !self.is_overdue(v) && count > 0, Cover::yl1_kept);
        self.hit_if(held && most == 0 && count > 0, Cover::yl1_hold_0);
        self.hit_if(held && count == HELD_MOST, Cover::yl1_held_most);
    }

    /// Counts for the side-band; headers of `held` are held.
    pub(super) fn meet_gathering(&mut self, seen: &Seen, held: Set) {
        let most = self.gathering.flits == FLITS_MOST && seen.delivers;
        self.hit_if(most && !seen.gather, Cover::ys1_flits_most);
        if !seen.gather {
            return;
        }
        let (router, counts) = (seen.router_full > 0, self.written.counts_router());
        self.hit_if(most, Cover::ys1_gives_most);
        self.hit_if(true, Cover::ys1_gives);
        self.hit_if(seen.own_full & held != 0, Cover::ys1_held);
        self.hit_if(seen.own_full & seen.front & !held != 0, Cover::ys1_not_held);
        self.hit_if(router && counts, Cover::ys1_router);
        self.hit_if(router && !counts, Cover::ys1_not_router);
        self.hit_if(seen.delivers, Cover::ys1_gives_and_delivers);
        self.hit_if(seen.sum.is_some(), Cover::ys1_gather_and_sum);
        let again = self.gathering.given.is_some();
        self.hit_if(again, Cover::ys1_again);
    }

    /// The estimate.
    pub(super) fn meet_estimate(&mut self, seen: &Seen, above: bool) {
        let (e, period, t) = (self.estimate, self.written.period(), self.tuning.t);
        let line = e.line(period);
        let last_above = e.last > t;
        let sum = seen.sum.is_some();
        if e.is_silent(period) {
            self.hit_if(sum, Cover::ys2_first);
            self.hit_if(above, Cover::ys2_silent_over);
            self.hit_if(!sum && e.age > 2 * period, Cover::ys2_cut);
            return;
        }
        self.hit_if(e.age + 1 == 2 * period && !sum, Cover::ys2_silent);
        self.hit_if(line == i64::from(t), Cover::ys2_equal);
        self.hit_if(above && !last_above, Cover::ys2_rising);
        self.hit_if(!above && last_above, Cover::ys2_falling);
        self.hit_if(line < 0, Cover::ys2_below_0);
        let fall = e.before.saturating_sub(e.last);
        let whole = (u64::from(fall) * u64::from(e.age)).is_multiple_of(u64::from(period));
        self.hit_if(!whole && line >= 0, Cover::ys2_rounds_down);
        self.hit_if(sum && e.age > period, Cover::ys2_late);
        self.hit_if(sum && e.age == 0, Cover::ys2_at_once);
    }

    /// The threshold.
    pub(super) fn meet_tuning(&mut self, seen: &Seen, silent: bool, above: bool) {
        let (tuning, w) = (self.tuning, self.written);
        let l = &tuning.learnt;
        let learnt = l.flits > 0 || l.last > 0 || l.best != Best::default();
        let period = seen.sum.filter(|_| !silent).and_then(|s| tuning.ends(s, above));
        if seen.write.is_some_and(|w| w.0 == T) {
            self.hit_if(learnt, Cover::ys3_write);
            self.hit_if(seen.sum.is_some() && period.is_none(), Cover::ys3_write_and_sum);
            self.hit_if(period.is_some(), Cover::ys3_write_and_tunes);
            return;
        }
        self.hit_if(seen.sum.is_some() && silent && learnt, Cover::ys3_forgets);
        let Some(period) = period else { return };
        let (rank, aim, least) = (tuning.rank(&period), tuning.aim(&period, &w), w.step_up());
        self.meet_rank(l, rank, period.flits, aim);
        let next = aim.max(least).min(w.all);
        self.hit_if(rank == Rank::Best && next != tuning.t, Cover::ys4_best_moves);
        self.hit_if(aim < least && w.all >= least && w.up > 1, Cover::ys3_least);
        self.hit_if(aim < least && w.all >= least && w.up == 0, Cover::ys3_least_1);
        self.hit_if(aim > w.all && w.all >= least, Cover::ys3_most);
        self.hit_if(w.all < w.up, Cover::ys3_all_below_up);
        if rank == Rank::Bad {
            return;
        }
        if tuning.drops(&period) {
            self.hit_if(true, Cover::ys3_down);
            self.hit_if(period.over, Cover::ys3_down_over);
            self.hit_if(w.down > tuning.t, Cover::ys3_down_0);
            return;
        }
        let quarter = 4 * u64::from(period.flits) == 3 * u64::from(l.last);
        self.hit_if(quarter && l.last > 0, Cover::ys3_quarter);
        self.hit_if(period.over, Cover::ys3_up);
        self.hit_if(period.over && w.up == 0, Cover::ys3_up_1);
        self.hit_if(l.over && !above, Cover::ys3_up_before);
        self.hit_if(!l.over && above, Cover::ys3_up_now);
        self.hit_if(!period.over, Cover::ys3_stays);
    }

    /// The end of a period, and the best one.
    fn meet_rank(&mut self, l: &Learnt, rank: Rank, flits: u32, aim: u32) {
        let (best, bad) = (l.best, l.bad);
        match rank {
            Rank::Best => self.hit_if(true, Cover::ys4_best),
            Rank::Fair => {
                self.hit_if(flits == best.flits && flits > 0, Cover::ys4_equal);
                self.hit_if(2 * flits == best.flits && flits > 0, Cover::ys4_half);
            }
            Rank::Bad => {
                self.hit_if(aim == best.t && best.t < best.full, Cover::ys4_from_t);
                self.hit_if(aim == best.full && best.full < best.t, Cover::ys4_from_full);
                self.hit_if(bad == 4, Cover::ys4_forgotten);
            }
        }
        self.hit_if(rank != Rank::Bad && bad > 0, Cover::ys4_bad_ends);
    }
}
