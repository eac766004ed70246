//! What a cycle met, for the cover points alone.

use super::arrival::Arrival;
use super::cover::Cover;
use super::crossbar::{Crossing, Go};
use super::state::{GUARD_MOST, Sets, WormRouter};
use crate::model::worm::classes::{Class, Set};

impl WormRouter {
    /// Flits that wait, for credits or for a link, and lanes that discard.
    pub(super) fn meet_waiting(&mut self, c: &Crossing, discards: &Sets, up: Set) {
        for i in self.ports() {
            let (mut credit, mut link, mut behind_cut, mut no_route_yet, mut no_route_cut) =
                (false, false, false, false, false);
            for lane in self.inputs[i].lanes.iter() {
                if let Some((o, u)) = lane.own.filter(|_| lane.has_flit()) {
                    link |= up >> o & 1 == 0;
                    credit |= up >> o & 1 != 0 && self.outputs[o].credits[u] == 0;
                }
                let header = lane.fifo.front().is_some_and(|f| f.first);
                behind_cut |= lane.cut && header;
                no_route_yet |= header && lane.routes.is_empty();
                no_route_cut |= lane.cut && lane.discards();
            }
            self.hit_if(credit, Cover::yw2_waits);
            self.hit_if(link, Cover::f1_out_waits);
            self.hit_if(behind_cut, Cover::f1_behind_cut);
            self.hit_if(no_route_yet, Cover::yw3_no_route_yet);
            self.hit_if(no_route_cut, Cover::yw3_discards_behind_cut);
            self.hit_if(discards[i].count_ones() > 1, Cover::yw3_two_discard);
            let goes = c.goes().any(|g| g.input == i);
            self.hit_if(discards[i] != 0 && goes, Cover::yw3_discards_beside);
            // The next flit of a message behind one of another.
            let sent = self.outputs[i].sent;
            let between = self.outputs[i]
                .crossing
                .is_some_and(|s| sent.is_some_and(|b| b.lane != s.lane && !b.flit.last));
            self.hit_if(between, Cover::yw1_interleaved);
        }
    }

    /// Orders and weights (section 4).
    pub(super) fn meet_order(&mut self, c: &Crossing) {
        let classes = self.classes();
        self.meet_second_look(c);
        for Go { input: i, what, .. } in c.goes() {
            let (o, v, u) = (what.out(), what.lane(), what.vl());
            let bid = &c.bids[i];
            let (order_in, order_out) = (&self.inputs[i].order, &self.outputs[o].order);
            let (weight_in, weight_out) = (self.weight_in(i, v), self.weight_out(o, u));
            let (left_in, left_out) = (order_in.left[v], order_out.left[u]);
            let first_in = order_in.first_of(classes.lanes(what.class)) == Some(v);
            let rivals =
                c.bids.iter().filter_map(|b| b.pick).filter(|p| p.out() == o && p.class == what.class);
            let rivals = rivals.count();
            let points = [
                (Cover::yw5_in_compete, (bid.can & classes.lanes(what.class)).count_ones() > 1),
                (Cover::yw5_out_compete, rivals > 1),
                (Cover::yw5_keeps_turn_in, left_in > 1),
                (Cover::yw5_keeps_turn_out, left_out > 1),
                (Cover::yw5_weight_in_0, left_in <= 1 && weight_in == 0),
                (Cover::yw5_weight_out_0, left_out <= 1 && weight_out == 0),
                (Cover::yw5_weight_in, left_in <= 1 && weight_in > 1),
                (Cover::yw5_weight_out, left_out <= 1 && weight_out > 1),
                (Cover::yw5_passes, !first_in),
                (Cover::yw5_several_outputs, c.goes().count() > 1),
                (Cover::yw7_reply, what.class == Class::Reply),
                (Cover::yw7_control, what.class == Class::Control),
                (Cover::yw7_real_time, what.class == Class::RealTime),
                (Cover::yw7_best_effort, what.class == Class::BestEffort),
                (Cover::yw7_other_class, classes.of(v) != classes.of(u)),
                (Cover::yw5_counts_full, self.outputs[o].flits == self.p.cnt_max()),
                (Cover::yw5_messages_full, self.outputs[o].messages == self.p.cnt_max()),
            ];
            points.into_iter().for_each(|(point, hit)| self.hit_if(hit, point));
        }
        for i in self.ports() {
            let lost = c.bids[i].pick.is_some() && c.goes().all(|g| g.input != i);
            self.hit_if(lost, Cover::yw5_loses);
        }
    }

    /// Step 3 of section 4.
    fn meet_second_look(&mut self, c: &Crossing) {
        self.hit_if(c.second > 1, Cover::yw5_second_compete);
        for go in c.goes().filter(|g| g.second) {
            let bid = &c.bids[go.input];
            let guarded = self.inputs[go.input].guard > 0 || self.outputs[go.what.out()].guard > 0;
            let class = go.what.class;
            let points = [
                (Cover::yw5_second, true),
                (Cover::yw5_second_lower, bid.pick.is_some_and(|p| p.class < class)),
                (Cover::yw5_second_best_effort, class == Class::BestEffort && guarded),
                (Cover::yw5_second_counts, class == Class::RealTime && bid.nominee.is_some()),
            ];
            points.into_iter().for_each(|(point, hit)| self.hit_if(hit, point));
        }
    }

    /// Classes, and the guard of best-effort (section 5).
    pub(super) fn meet_guards(&mut self, c: &Crossing) {
        for i in self.ports() {
            let bid = &c.bids[i];
            let Some(nominee) = bid.nominee else { continue };
            let lhp = self.written.ports[i].lhp;
            let class = bid.pick.map(|p| p.class);
            let exempt = class.is_some_and(Class::is_exempt);
            let goes = c.goes().find(|g| g.input == i).map(|g| g.what);
            let passed = goes.is_some_and(|g| g.class == Class::RealTime);
            let guard = self.inputs[i].guard;
            let points = [
                (Cover::yw6_in_real_time_first, class == Some(Class::RealTime) && !bid.due),
                (Cover::yw6_in_exempt_first, exempt),
                (Cover::yw6_due, bid.due && class == Some(Class::RealTime)),
                (Cover::yw6_due_exempt, exempt && lhp != 0 && guard >= lhp),
                (Cover::yw6_due_waits, bid.due && class == Some(Class::RealTime) && goes != Some(nominee)),
                (Cover::yw6_lhp_0, passed && lhp == 0),
                (Cover::yw6_lhp_1, bid.due && lhp == 1 && goes == Some(nominee)),
                (Cover::yw6_guard_in_most, passed && guard == GUARD_MOST),
            ];
            points.into_iter().for_each(|(point, hit)| self.hit_if(hit, point));
        }
        for o in self.ports() {
            self.meet_guard_of_output(o, c);
        }
    }

    fn meet_guard_of_output(&mut self, o: usize, c: &Crossing) {
        let (lhp, guard) = (self.written.ports[o].lhp, self.outputs[o].guard);
        let goes = c.to(o);
        let class = goes.map(|g| g.what.class);
        let standing = c.bids.iter().filter_map(|b| b.stands()).filter(|n| n.out() == o).count();
        let nominees = c.nominees[o].count_ones();
        let exempt = self.exempt(o, c);
        let passed = class == Some(Class::RealTime) && nominees > 0;
        let picks =
            c.bids.iter().enumerate().filter_map(|(i, b)| Some((i, b.pick.filter(|p| p.out() == o)?)));
        let called = c.called_elsewhere(o);
        let called_away = picks.clone().filter(|(i, _)| called >> i & 1 != 0).count() > 0;
        let exempt_picks: Vec<Class> = picks.map(|(_, p)| p.class).filter(|c| c.is_exempt()).collect();
        let mut points = vec![
            (Cover::yw6_out_real_time_first, passed && standing > 0),
            (Cover::yw6_out_exempt_first, standing > 0 && exempt),
            (Cover::yw6_out_exempt_holds, standing > 0 && exempt && lhp != 0 && guard >= lhp),
            (
                Cover::yw6_reply_first,
                exempt_picks.iter().any(|&c| Some(c) != class && class == Some(Class::Reply)),
            ),
            (Cover::yw6_out_lhp_0, lhp == 0 && passed && standing > 0),
            (Cover::yw6_guard_out_most, passed && guard == GUARD_MOST),
            (Cover::yw6_called_away, called_away && goes.is_some()),
            (Cover::yw6_called_idle, called_away && goes.is_none()),
        ];
        if let Some(winner) = c.turns[o] {
            let bid = &c.bids[winner];
            let picked = bid.nominee == bid.pick;
            let real_time = self.real_time(o, c);
            points.extend([
                (Cover::yw6_turn_at_input, !picked),
                (Cover::yw6_turn_of_pick, picked && real_time),
                (Cover::yw6_turn_calm, picked && !real_time),
                (Cover::yw6_turn_both, !picked && bid.pick.is_some_and(|p| p.out() == o)),
                (Cover::yw6_turn_lhp_1, real_time && lhp == 1),
                (Cover::yw6_turn_compete, standing > 1),
            ]);
        }
        points.into_iter().for_each(|(point, hit)| self.hit_if(hit, point));
    }

    /// Links that are down (section 6).
    pub(super) fn meet_falls(&mut self, c: &Crossing, up: Set) {
        for Go { input, what, .. } in c.goes() {
            let lane = &self.inputs[input].lanes[what.lane()];
            let (down, made) = (!what.slot && up >> input & 1 == 0, lane.cut && !what.slot);
            let last = lane.next_flit().is_some_and(|f| f.last);
            let points = [
                (Cover::f1_made_tail, made),
                (Cover::f1_made_tail_down, made && down),
                (Cover::f1_tail_as_it_falls, down && !made && last),
                (Cover::f1_flit_as_it_falls, down && !made && !last),
                (Cover::f1_made_tail_new_header, made && !lane.fifo.is_empty()),
            ];
            points.into_iter().for_each(|(point, hit)| self.hit_if(hit, point));
        }
        for i in self.ports().filter(|i| up >> i & 1 == 0) {
            let (input, output) = (&self.inputs[i], &self.outputs[i]);
            let any = |is: fn(&super::lanes::Lane) -> bool| input.lanes.iter().any(is);
            let looked = input.looked;
            let points = [
                (Cover::f1_open, any(|l| l.open)),
                (
                    Cover::f1_own,
                    any(|l| l.own.is_some() && !l.cut && !l.fifo.front().is_some_and(|f| f.first)),
                ),
                (Cover::f1_drain, any(|l| l.drain)),
                (Cover::f1_owed, any(|l| l.owed > 0)),
                (Cover::f1_asks, any(|l| l.asks().is_some())),
                (Cover::f1_cut_again, any(|l| l.cut && !l.fifo.is_empty())),
                (Cover::f1_forgotten, looked.is_some()),
                (Cover::f1_forgotten_no_route, looked.is_some_and(|l| l.route.is_none())),
                (Cover::f1_out_owned, output.owned != 0),
                (Cover::f1_out_credits, output.credits.iter().any(|&n| n < self.p.depth)),
                (Cover::f1_out_lost, output.crossing.is_some()),
            ];
            points.into_iter().for_each(|(point, hit)| self.hit_if(hit, point));
        }
    }

    /// A flit that comes beside one that leaves its lane. `left`: lanes of the input that one left.
    pub(super) fn meet_arrival(&mut self, arrival: &Arrival, left: Set) {
        let through = matches!(arrival, Arrival::Stored { lane, .. } if left >> lane & 1 != 0);
        self.hit_if(through, Cover::yw2_through);
        let full = matches!(arrival, Arrival::Dropped { full } if left & full != 0);
        self.hit_if(full, Cover::yw1_overflow_as_it_leaves);
    }
}
