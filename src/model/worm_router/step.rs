//! A clock edge: everything is worked out from S(t), then written.

use super::arrival::Arrival;
use super::awake::Awake;
use super::cover::Cover;
use super::state::{CREDIT, LINK_DOWN, MOST, Sets, WormRouter};
use crate::model::worm::classes::{Set, members};
use crate::model::worm::wires::RouterPins;

/// Credit pulses of a cycle, by output.
struct Credits {
    /// Those that count.
    taken: Sets,
    /// Those of lanes whose credits are all home.
    excess: Sets,
}

impl WormRouter {
    /// The edge that ends a cycle.
    pub fn advance(&mut self, pins: &RouterPins) {
        if self.init_left > 0 {
            self.init_left -= 1;
            return;
        }
        let awake = self.awake(pins);
        if self.watched || !awake.none() || self.is_told(pins) {
            self.cycle(pins, &awake);
        }
    }

    /// Software does something, or did, or a cycle has an effect without anything else.
    fn is_told(&self, pins: &RouterPins) -> bool {
        let access = pins.access.write || pins.access.read || self.read.is_some();
        access || pins.entry.is_some() || self.p.admit && !self.admits()
    }

    /// The edge that ends a cycle with ready = 1.
    fn cycle(&mut self, pins: &RouterPins, awake: &Awake) {
        let up = awake.up;
        let mut errors = [0u32; MOST];
        // By S(t).
        let read = self.look_up_register(&pins.access);
        let mut arrivals = [Arrival::Nothing; MOST];
        for i in members(awake.arriving) {
            arrivals[i] = self.arrive(i, pins.links[i].flit, &mut errors[i]);
        }
        let discards = self.discards(up & awake.discarding);
        let on = self.admits();
        self.lose(&arrivals, pins, awake, &mut errors);
        let decision = self.decide(up & awake.full, up);
        let asking = self.asking(up & awake.asking, awake.slots);
        let crossing = self.crossbar(awake.sending | awake.slots, up);
        let credits = self.credits(pins, awake.credited);
        if self.watched {
            self.meet_waiting(&crossing, &discards, up);
            self.meet_order(&crossing);
            self.meet_guards(&crossing);
            self.meet_falls(&crossing, up);
            self.meet_admission(&crossing, &discards, up);
        }
        let grants = self.allocate(&asking);
        // Writes.
        let ends = self.cross(awake.carrying);
        self.answer_slots(awake.slots, &mut errors);
        for o in members(awake.carrying) {
            self.outputs[o].sent = self.outputs[o].crossing.take();
        }
        let mut left = discards;
        self.discard(up & awake.discarding, &discards);
        self.count_guards(&crossing);
        self.carry_out(decision, pins.entry, &mut left);
        let replying = self.replying();
        let freed = self.send(&crossing, &mut left);
        let replied = replying & !self.replying();
        self.sum_up(on, decision, ends, &mut errors);
        if self.watched {
            self.meet_freed(&asking, &freed);
        }
        self.own(&grants, up);
        for i in members(up & awake.looked) {
            self.answer(i, &mut errors[i]);
        }
        let due = self.store(awake.arriving, &arrivals, pins.entry);
        for i in self.ports() {
            if self.watched {
                self.meet_arrival(&arrivals[i], left[i]);
            }
            if left[i] | due[i] != 0 || awake.pulsing >> i & 1 != 0 {
                self.pulse(i, left[i], due[i]);
            }
        }
        self.take_credits(awake.credited, &credits, &mut errors);
        for i in members(awake.down) {
            self.fall(i, &mut errors[i]);
        }
        self.write_table(pins.entry);
        let drew = grants.iter().filter(|g| g.drawn).fold(0, |set, g| set | 1 << g.out);
        self.update_errors(&pins.access, &errors);
        self.configure(&pins.access, drew);
        self.read = read;
        self.past.freed = freed;
        self.past.replied = replied;
    }

    /// Section 2: messages without a route leave, flit by flit.
    fn discard(&mut self, inputs: Set, discards: &Sets) {
        let control = self.control_lane();
        for i in members(inputs) {
            let mut eaten = 0;
            for v in members(discards[i]) {
                let leaves = self.inputs[i].lanes.change(v, |lane| {
                    let flit = lane.leave()?;
                    lane.drain = !flit.last;
                    Some(flit)
                });
                let Some(flit) = leaves else { continue };
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
        let lanes = &mut self.inputs[i].lanes;
        for v in members(left | due | lanes.owing) {
            let more = (left >> v & 1) as usize + (due >> v & 1) as usize;
            if more == 1 && lanes.owing >> v & 1 == 0 {
                // (It is paid at once.)
                pulses |= 1 << v;
                continue;
            }
            repaid |= more == 0 && lanes[v].owed > 0;
            if lanes.change(v, |lane| lane.pulse(more, depth)) {
                pulses |= 1 << v;
            }
            twice |= more == 2;
            most |= lanes[v].owed + 1 == depth;
        }
        self.inputs[i].pulses = pulses;
        self.hit_if(twice, Cover::yw2_owed);
        self.hit_if(repaid, Cover::yw2_repaid);
        self.hit_if(most, Cover::yw2_owed_most);
    }

    /// The credit pulses of the next hops, by S(t).
    fn credits(&self, pins: &RouterPins, outputs: Set) -> Credits {
        let mut credits = Credits { taken: [0; MOST], excess: [0; MOST] };
        let lanes = (1 << self.p.vls) - 1;
        for o in members(outputs) {
            for v in members(pins.links[o].credits & lanes) {
                let home = self.outputs[o].credits[v] == self.p.depth;
                let to = if home { &mut credits.excess } else { &mut credits.taken };
                to[o] |= 1 << v;
            }
        }
        credits
    }

    fn take_credits(&mut self, outputs: Set, credits: &Credits, errors: &mut [u32; MOST]) {
        for o in members(outputs) {
            for v in members(credits.taken[o]) {
                self.outputs[o].earn(v);
            }
            if credits.excess[o] != 0 {
                errors[o] |= CREDIT;
                self.hit(Cover::yw2_excess);
            }
        }
        if !self.watched {
            return;
        }
        for o in self.ports() {
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
        for v in 0..self.p.vls {
            if input.lanes[v].is_idle() {
                continue;
            }
            if let Some((o, u)) = input.lanes.change(v, |lane| lane.fall()) {
                self.outputs[o].owned &= !(1 << u);
                forgotten = true;
            }
        }
        self.forget_decided(i);
        self.outputs[i].refill(self.p.depth);
        self.hit_if(forgotten, Cover::f1_header_waits);
    }
}
