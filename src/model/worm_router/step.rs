//! A clock edge: everything is worked out from S(t), then written.

use super::arrival::Arrival;
use super::cover::Cover;
use super::state::{CREDIT, LINK_DOWN, MOST, Sets, WormRouter};
use crate::model::worm::classes::{Set, members};

/// Credit pulses of a cycle, by output.
struct Credits {
    /// Those that count.
    taken: Sets,
    /// Those of lanes whose credits are all home.
    excess: Sets,
}

impl WormRouter {
    /// The edge that ends a cycle with ready = 1.
    pub(super) fn cycle(&mut self, input: &[u32]) {
        let up = self.ports().filter(|&i| input[self.i.link_up + i] & 1 != 0).fold(0, |set, i| set | 1 << i);
        let mut errors = [0u32; MOST];
        // By S(t).
        let read = self.look_up_register(input);
        let mut arrivals = [Arrival::Nothing; MOST];
        for i in members(up) {
            arrivals[i] = self.arrive(i, input, &mut errors[i]);
        }
        let discards = self.discards(up);
        let on = self.admits();
        self.lose(&arrivals, input, up, &mut errors);
        let decision = self.decide(up);
        let asking = self.asking(up);
        let crossing = self.crossbar(up);
        let credits = self.credits(input, up);
        self.meet_waiting(&crossing, &discards, up);
        self.meet_order(&crossing);
        self.meet_guards(&crossing);
        self.meet_falls(&crossing, up);
        self.meet_admission(&crossing, &discards, up);
        let lfsrs: Vec<u32> = self.outputs.iter().map(|o| o.lfsr).collect();
        let grants = self.allocate(&asking);
        // Writes.
        let ends = self.cross();
        self.answer_slots(&mut errors);
        self.outputs.iter_mut().for_each(|o| o.sent = o.crossing.take());
        let mut left = discards;
        self.discard(&discards);
        self.count_guards(&crossing);
        self.carry_out(decision, input, &mut left);
        let replying = self.replying();
        let freed = self.send(&crossing, &mut left);
        let replied = replying & !self.replying();
        self.sum_up(on, decision, ends, &mut errors);
        self.meet_freed(&asking, &freed);
        self.own(&grants, up);
        for i in members(up) {
            self.answer(i, &mut errors[i]);
        }
        let due = self.store(&arrivals, input);
        for i in self.ports() {
            self.meet_arrival(&arrivals[i], left[i]);
            self.pulse(i, left[i], due[i]);
        }
        self.take_credits(&credits, &mut errors);
        for i in self.ports().filter(|i| up >> i & 1 == 0) {
            self.fall(i, &mut errors[i]);
        }
        self.write_table(input);
        let drew = self.ports().filter(|&o| self.outputs[o].lfsr != lfsrs[o]).fold(0, |set, o| set | 1 << o);
        self.update_errors(input, &errors);
        self.configure(input, drew);
        self.read = read;
        self.past.freed = freed;
        self.past.replied = replied;
    }

    /// Section 2: messages without a route leave, flit by flit.
    fn discard(&mut self, discards: &Sets) {
        let control = self.control_lane();
        for i in self.ports() {
            let mut eaten = 0;
            for v in members(discards[i]) {
                let lane = &mut self.inputs[i].lanes[v];
                let Some(flit) = lane.leave() else { continue };
                lane.drain = !flit.last;
                let eats = &mut self.adm.ports[i].eats;
                if v == control && *eats {
                    *eats = !flit.last;
                    eaten = 1;
                    self.hit(Cover::ya2_eats);
                    continue;
                }
                self.hit_if(flit.first, Cover::yw3_discards_header);
                self.hit_if(flit.first && flit.last, Cover::yw3_discards_single);
                self.hit_if(!flit.first, Cover::yw3_drains);
            }
            self.drop_flits(i, discards[i].count_ones() - eaten);
        }
    }

    /// Credit pulses to the sender of a link, in the next cycle.
    fn pulse(&mut self, i: usize, left: Set, due: Set) {
        let (mut pulses, mut twice, mut repaid, mut most) = (0, false, false, false);
        let depth = self.p.depth;
        for (v, lane) in self.inputs[i].lanes.iter_mut().enumerate() {
            let more = (left >> v & 1) as usize + (due >> v & 1) as usize;
            repaid |= more == 0 && lane.owed > 0;
            if lane.pulse(more, depth) {
                pulses |= 1 << v;
            }
            twice |= more == 2;
            most |= lane.owed + 1 == depth;
        }
        self.inputs[i].pulses = pulses;
        self.hit_if(twice, Cover::yw2_owed);
        self.hit_if(repaid, Cover::yw2_repaid);
        self.hit_if(most, Cover::yw2_owed_most);
    }

    /// The credit pulses of the next hops, by S(t).
    fn credits(&self, input: &[u32], up: Set) -> Credits {
        let mut credits = Credits { taken: [0; MOST], excess: [0; MOST] };
        for o in members(up) {
            for v in self.lanes().filter(|v| input[self.i.rx_credit + o * self.p.vls + v] & 1 != 0) {
                let home = self.outputs[o].credits[v] == self.p.depth;
                let to = if home { &mut credits.excess } else { &mut credits.taken };
                to[o] |= 1 << v;
            }
        }
        credits
    }

    fn take_credits(&mut self, credits: &Credits, errors: &mut [u32; MOST]) {
        for o in self.ports() {
            for v in members(credits.taken[o]) {
                self.outputs[o].credits[v] += 1;
            }
            if credits.excess[o] != 0 {
                errors[o] |= CREDIT;
                self.hit(Cover::yw2_excess);
            }
            let goes = self.outputs[o].crossing.map_or(0, |s| 1 << s.lane);
            self.hit_if(goes & credits.taken[o] != 0, Cover::yw2_goes_and_comes);
            self.hit_if(goes & credits.excess[o] != 0, Cover::yw2_excess_and_goes);
            self.hit_if(members(goes).any(|v| self.outputs[o].credits[v] == 0), Cover::yw2_last_credit);
        }
    }

    /// Section 6: the link of port `i` is down in this cycle.
    fn fall(&mut self, i: usize, error: &mut u32) {
        let input = &mut self.inputs[i];
        if input.lanes.iter().any(|lane| lane.open) {
            *error |= LINK_DOWN;
        }
        input.looked = None;
        input.pulses = 0;
        let mut forgotten = false;
        for lane in &mut input.lanes {
            if let Some((o, u)) = lane.fall() {
                self.outputs[o].owned &= !(1 << u);
                forgotten = true;
            }
        }
        self.forget_decided(i);
        self.outputs[i].credits.fill(self.p.depth);
        self.hit_if(forgotten, Cover::f1_header_waits);
    }
}
