//! What a cycle met of admission, for the cover points alone.

use super::super::allocation::Grant;
use super::super::arrival::changes;
use super::super::cover::Cover;
use super::super::crossbar::{Crossing, Go};
use super::super::lanes::Flit;
use super::super::state::{Sent, Sets, WormRouter};
use super::decide::{Decision, Verdict};
use super::lost::Lost;
use super::sums::{Share, Short};
use crate::model::worm::classes::{Class, Set, members};
use crate::model::worm::header::{Header, Kind};
use crate::model::worm::wires::Entry;

impl WormRouter {
    fn hit_all(&mut self, points: &[(Cover, bool)]) {
        points.iter().for_each(|&(point, hit)| self.hit_if(hit, point));
    }

    /// Who may be decided, and who waits to be.
    pub(super) fn meet_candidates(&mut self, candidates: Set, up: Set) {
        let probes: Vec<(usize, u32)> = members(candidates)
            .filter_map(|i| self.candidate(i))
            .filter(|(h, _)| h.kind() == Kind::Probe)
            .filter_map(|(h, route)| Some((self.fits(&h, route, up)?, h.bw())))
            .collect();
        let too_much = |(o, bw): (usize, u32)| {
            let both = self.adm.sums.used[o] + bw;
            probes
                .iter()
                .skip_while(|&&p| p != (o, bw))
                .skip(1)
                .any(|&(other, more)| other == o && both + more > self.limit(o))
        };
        let last_of_two = probes.iter().any(|&p| too_much(p));
        let mut points =
            vec![(Cover::ya2_compete, candidates.count_ones() > 1), (Cover::ya2_last_of_two, last_of_two)];
        for i in members(up) {
            let lane = &self.inputs[i].lanes[self.control_lane()];
            let (Some(route), Some(header)) = (lane.front_route(), self.front_header(i)) else { continue };
            if !header.is_decided() || self.adm.ports[i].decided {
                continue;
            }
            let probe = header.kind() == Kind::Probe;
            let waits = probe && !self.adm.ports[i].slot.is_empty();
            points.extend([
                (Cover::ya2_slot_waits, waits),
                (Cover::ya2_no_route_waits, waits && route.is_none()),
                (Cover::ya2_owns, lane.own.is_some() && !lane.cut),
                (Cover::ya2_behind_cut, lane.cut),
            ]);
        }
        self.hit_all(&points);
    }

    /// What is decided, by S(t).
    pub(super) fn meet_decision(&mut self, d: &Decision, up: Set) {
        let (h, bw) = (&d.header, d.header.bw());
        let mut points = vec![
            (Cover::ya2_wraps, d.input < self.adm.pointer),
            (Cover::ya1_lane_beyond, d.route.is_some() && h.lane() >= self.p.vls),
            (Cover::ya5_strays, matches!(d.verdict, Verdict::Strays)),
        ];
        let answers = matches!(d.verdict, Verdict::Books { answers: true } | Verdict::Refuses);
        points.push((Cover::ya3_refilled, answers && self.past.replied >> d.input & 1 != 0));
        let single = self.inputs[d.input].lanes[self.control_lane()].fifo.front().is_some_and(|f| f.last);
        points.push((Cover::ya2_consumes_single, d.consumes() && single));
        if let (Some(o), Verdict::Books { .. } | Verdict::Refuses) = (d.route, d.verdict) {
            let (used, limit) = (self.adm.sums.used[o], self.limit(o));
            let is_up = up >> o & 1 != 0;
            let stream = self.is_stream_lane(h);
            points.extend([
                (Cover::ya2_link_down, !is_up),
                (Cover::ya2_full, is_up && stream && d.verdict == Verdict::Refuses),
                (Cover::ya2_no_stream, is_up && !stream && h.lane() < self.p.vls && used + bw <= limit),
                (Cover::ya2_no_lane, is_up && h.lane() >= self.p.vls && used + bw <= limit),
                (Cover::ya2_fits_exactly, is_up && stream && bw > 0 && used + bw == limit),
                (Cover::ya2_one_too_much, is_up && stream && used + bw == limit + 1),
                (Cover::ya2_limit_below, is_up && stream && used > limit),
                (Cover::ya2_limit_beyond, self.written.ports[o].limit > limit && used + bw > limit),
                (Cover::ya2_bw_0, bw == 0 && d.verdict != Verdict::Refuses),
            ]);
        }
        match d.verdict {
            Verdict::Books { answers } => {
                points.extend([(Cover::ya2_books, !answers), (Cover::ya3_ack, answers)])
            }
            Verdict::Refuses => {
                points.extend([(Cover::ya2_no_route, d.route.is_none()), (Cover::ya3_nack, true)])
            }
            Verdict::Strays => {}
            Verdict::Releases { ends } => {
                let host = d.route.is_some_and(|o| self.written.ports[o].host);
                points.extend([
                    (Cover::ya5_goes_on, !ends),
                    (Cover::ya5_host, host),
                    (Cover::ya5_meets, ends && !host),
                ]);
            }
        }
        self.hit_all(&points);
    }

    /// What of a cycle goes into sums together, by S(t).
    pub(super) fn meet_sums(&mut self, ends: &[Share], release: Option<Share>, book: Option<Share>) {
        let beside = |a: Option<Share>, same: fn(&Share, &Share) -> bool| {
            a.is_some_and(|a| ends.iter().any(|e| same(e, &a)))
        };
        let same_out = |a: &Share, b: &Share| a.out == b.out && a.bw > 0 && b.bw > 0;
        let same_in =
            |a: &Share, b: &Share| (a.input, a.in_lane) == (b.input, b.in_lane) && a.bw > 0 && b.bw > 0;
        let full = |sum: u32, bw: u32| sum + bw > 0xffff;
        let overflows = book.is_some_and(|b| {
            b.in_lane.is_some_and(|v| full(self.adm.sums.input[b.input][v], b.bw))
                || b.out_lane.is_some_and(|v| full(self.adm.sums.out[b.out][v], b.bw))
        });
        self.hit_all(&[
            (Cover::ya1_off_and_on, beside(book, same_out)),
            (Cover::ya1_off_and_on_in, beside(book, same_in)),
            (Cover::ya1_release_and_end, beside(release, same_out)),
            (Cover::ya1_release_and_end_in, beside(release, same_in)),
            (Cover::ya6_two_end, ends.len() > 1),
            (Cover::ya1_sum_full, overflows),
        ]);
    }

    /// A share was taken off.
    pub(super) fn meet_take_off(&mut self, s: &Share, short: Short) {
        self.hit_all(&[
            (Cover::ya1_bad_used, short.used),
            (Cover::ya1_bad_out, short.out),
            (Cover::ya1_bad_in, short.input),
            (Cover::ya1_to_zero, s.bw > 0 && !short.used && self.adm.sums.used[s.out] == 0),
        ]);
    }

    /// A cycle with admit_en = 0.
    pub(super) fn meet_off(&mut self) {
        let booked = !self.adm.sums.is_zero();
        let decided = self.adm.ports.iter().any(|p| p.decided);
        self.hit_all(&[(Cover::ya2_off, booked), (Cover::ya2_off_decided, decided)]);
    }

    /// A header or a tail crosses. `before`: the header before was of a last message.
    pub(super) fn meet_crossing(&mut self, sent: &Sent, before: bool, ended: bool) {
        let (on, flit, (_, lane)) = (self.admits(), &sent.flit, sent.from);
        let real_time = self.classes().of(lane) == Class::RealTime;
        let is_final = flit.first && lane < self.reply_lane() && Header(flit.data).is_final();
        let made = *flit == Flit::MADE_TAIL;
        self.hit_all(&[
            (Cover::ya6_header, on && is_final && real_time),
            (Cover::ya6_not_real_time, on && is_final && !real_time),
            (Cover::ya6_off, !on && is_final && real_time),
            (Cover::ya6_tail, on && ended && before && !made),
            (Cover::ya6_made_tail, on && ended && made),
            (Cover::ya6_single, on && ended && flit.first),
            (Cover::ya6_other_lane, on && ended && sent.lane != lane),
            (Cover::ya6_turned_off, !on && ended),
        ]);
    }

    /// The forwarding table has answered, or not; `lost`: without a route.
    pub(super) fn meet_answer(&mut self, lost: bool) {
        let on = self.admits();
        self.hit_all(&[(Cover::ya3_no_way, lost && on), (Cover::ya3_no_way_off, lost && !on)]);
    }

    /// The answer to a probe is looked up: where it leads, and what is written there in this cycle.
    pub(super) fn meet_look_up(&mut self, i: usize, dlid: u32, written: Option<Entry>) {
        let entry = self.table.get(dlid as usize).copied();
        let route = self.route_of(dlid);
        self.hit_all(&[
            (Cover::ya3_old_entry, changes(written, dlid, entry)),
            (Cover::ya3_way_back, route == Some(i)),
            (Cover::ya3_other_way, route.is_some_and(|o| o != i)),
        ]);
    }

    /// Lanes that are granted: to slots, to FIFOs of reply lanes.
    pub(in super::super) fn meet_grants(&mut self, grants: &[Grant], up: Set) {
        let reply = self.reply_lane();
        for g in grants.iter().filter(|g| g.lane == reply) {
            let other = grants.iter().any(|o| o.lane == reply && o.input == g.input && o.slot != g.slot);
            self.hit_all(&[
                (Cover::ya3_slot_first, g.both && g.slot),
                (Cover::ya3_fifo_first, g.both && !g.slot),
                (Cover::ya3_both_granted, g.slot && other),
                (Cover::ya3_granted_down, g.slot && up >> g.input & 1 == 0),
            ]);
        }
    }

    /// Replies and admission messages that go or wait, by S(t).
    pub(in super::super) fn meet_admission(&mut self, c: &Crossing, discards: &Sets, up: Set) {
        if !self.p.admit {
            return;
        }
        let (on, reply, control) = (self.admits(), self.reply_lane(), self.control_lane());
        for i in self.ports() {
            let (lane, slot) = (&self.inputs[i].lanes[reply], &self.adm.ports[i].slot);
            let down = up >> i & 1 == 0;
            let taken = |o: usize| self.outputs[o].owned >> reply & 1 != 0;
            let starved = |o: usize| self.outputs[o].credits[reply] == 0;
            let points = [
                (Cover::ya3_waits, slot.asks().is_some_and(taken)),
                (Cover::ya3_starved, slot.sends_to().is_some_and(starved)),
                (Cover::ya3_owns_down, slot.own && down),
                (Cover::ya3_both_own, slot.own && lane.own.is_some()),
                (Cover::ya3_both_can, c.bids[i].both_reply(reply)),
                (Cover::ya3_discards_beside, slot.own && discards[i] >> reply & 1 != 0),
                (Cover::ya2_falls_decided, down && self.adm.ports[i].decided),
                (Cover::ya2_falls_eating, down && self.adm.ports[i].eats),
            ];
            self.hit_all(&points);
        }
        for Go { input, what, second } in c.goes() {
            let (slot, lane) = (what.slot, what.lane());
            let passes = lane == control
                && !self.adm.ports[input].decided
                && self.front_header(input).is_some_and(|h| h.is_decided());
            let bid = &c.bids[input];
            let both = lane == reply && bid.both_reply(reply);
            self.hit_all(&[
                (Cover::ya3_slot_meant, both && slot && !second),
                (Cover::ya3_fifo_meant, both && !slot && !second),
                (Cover::ya3_goes_down, slot && up >> input & 1 == 0),
                (Cover::ya3_goes_off, slot && !on),
                (Cover::ya2_passes, passes),
            ]);
            self.meet_weights(input, lane, what.out(), what.vl());
        }
    }

    fn meet_weights(&mut self, i: usize, v: usize, o: usize, u: usize) {
        let sums = &self.adm.sums;
        let (book_in, book_out) = (sums.input[i][v], sums.out[o][u]);
        let (at_input, at_output) = (self.booked_weight(i, v, book_in), self.booked_weight(o, u, book_out));
        let turns = (self.inputs[i].order.left[v] <= 1, self.outputs[o].order.left[u] <= 1);
        let whole = |port: usize, book: u32| book >> self.written.ports[port].wshift > 255;
        let (most_in, most_out) = (whole(i, book_in), whole(o, book_out));
        if let Some(weight) = at_input.filter(|_| turns.0) {
            self.hit_all(&[
                (Cover::ya7_in, weight > 1),
                (Cover::ya7_in_0, weight == 0),
                (Cover::ya7_in_most, most_in),
            ]);
        }
        if let Some(weight) = at_output.filter(|_| turns.1) {
            self.hit_all(&[
                (Cover::ya7_out, weight > 1),
                (Cover::ya7_out_0, weight == 0),
                (Cover::ya7_out_most, most_out),
            ]);
        }
    }

    /// The link of a port is down: what is lost with it.
    pub(super) fn meet_cut_off(&mut self, used: bool, book: bool, waits: bool, open: bool) {
        let on = self.admits();
        self.hit_all(&[
            (Cover::ya1_lost_used, on && used),
            (Cover::ya1_lost_book, on && book && !used),
            (Cover::ya1_lost_waits, on && waits && !used && !book),
            (Cover::ya1_lost_open, on && open && !used && !book && !waits),
        ]);
    }

    /// And of replies; `told`: it is told without them.
    pub(super) fn meet_lost_replies(&mut self, why: Lost, told: bool) {
        let alone = self.admits() && !told;
        let waits = why.reply_waits || why.reply_open;
        self.hit_all(&[
            (Cover::ya1_lost_reply, alone && why.reply_waits),
            (Cover::ya1_lost_reply_open, alone && why.reply_open && !why.reply_waits),
            (Cover::ya1_lost_reply_sent, alone && why.reply_credit && !waits && !why.reply_owned),
            (Cover::ya1_lost_reply_goes, alone && why.reply_owned && !waits && !why.reply_credit),
        ]);
    }

    /// A header that carries bandwidth was not stored as one; its lane was full.
    pub(super) fn meet_lost_header(&mut self, lost: bool, full: bool) {
        let on = self.admits();
        self.hit_all(&[
            (Cover::ya1_lost_full, on && lost && full),
            (Cover::ya1_lost_frame, on && lost && !full),
        ]);
    }

    /// A message that carries bandwidth ended with bad = 1; because another one began; with its first flit.
    pub(super) fn meet_bad(&mut self, tail: bool, framed: bool, single: bool) {
        let on = self.admits();
        self.hit_all(&[
            (Cover::ya1_lost_tail, on && tail && !framed),
            (Cover::ya1_lost_cut, on && framed),
            (Cover::ya1_lost_single, on && single),
            (Cover::ya1_lost_off, !on && (tail || single)),
        ]);
    }
}
