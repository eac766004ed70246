//! Section 2 of `docs/switch.md`, rule A3: an output goes past an input once, and then not again.

use super::cover::Cover;
use super::state::{Switch, Turns};
use crate::model::order::Order;

impl Turns {
    pub fn new(ports: usize) -> Turns {
        let none = || vec![0; ports];
        Turns {
            lost: none(),
            claim: none(),
            shown: none(),
            held: none(),
            claimant: none(),
            order: vec![Order::new(ports); ports],
            first: vec![None; ports],
        }
    }

    /// Whether the first claimant of output `o` comes before input `i`.
    fn hides(&self, i: usize, o: usize) -> bool {
        let order = &self.order[o];
        self.first[o].is_some_and(|first| order.place(first) < order.place(i))
    }

    /// Whether output `o` sees the request of input `i`.
    fn sees(&self, i: usize, o: usize) -> bool {
        self.shown[i] >> o & 1 != 0 && !self.hides(i, o)
    }
}

impl Switch {
    /// What the inputs show in the coming cycle, and who is a claimant.
    pub(super) fn watch_requests(&mut self) {
        let (ports, f) = (self.p.ports, self.in_out);
        let turns = &mut self.turns;
        for (i, port) in self.inputs.iter().enumerate() {
            let open = (0..ports).all(|o| port.out[f.xb_act + o] == 0 || self.outputs[o].unit.reads());
            let shown = (0..ports).filter(|o| open && port.out[f.req_valid + o] != 0);
            turns.shown[i] = shown.map(|o| 1 << o).sum();
            let held = (0..ports).filter(|&o| {
                let output = &self.outputs[o];
                output.unit.is_held(&output.pins, i)
            });
            turns.held[i] = held.map(|o| 1 << o).sum();
            let busy = port.out[f.xb_act..f.xb_act + ports].iter().any(|&act| act != 0);
            turns.claimant[i] = if busy && turns.shown[i] == 0 {
                turns.claim[i]
            } else {
                let ready = turns.claim[i] & turns.shown[i] & !turns.held[i];
                let ready = (0..ports).filter(|&o| ready >> o & 1 != 0 && self.outputs[o].unit.has_credit(0));
                ready.map(|o| 1 << o).sum()
            };
        }
        for o in 0..ports {
            let claimants = (0..ports).filter(|&i| turns.claimant[i] >> o & 1 != 0);
            turns.first[o] = claimants.min_by_key(|&i| turns.order[o].place(i));
        }
    }

    /// The outputs see what the claims leave.
    pub(super) fn hide_requests(&mut self) {
        let t = self.out_pins;
        for (o, port) in self.outputs.iter_mut().enumerate() {
            for i in (0..self.p.ports).filter(|&i| !self.turns.sees(i, o)) {
                port.pins[t.req_valid + i] = 0;
            }
        }
    }

    /// Class of the request of input `i` at output `o`: CNPs, or data (`cnp_plain`: all).
    fn is_cnp(&self, o: usize, i: usize) -> bool {
        let output = &self.outputs[o];
        output.pins[self.out_pins.req_cnp + i] != 0 && !output.unit.cnp_plain()
    }

    /// The input that output `o` serves, and its class (CNPs).
    fn service(&self, o: usize) -> Option<(usize, bool)> {
        self.match_of_output[o].map(|w| (w, self.is_cnp(o, w)))
    }

    /// The registers after this cycle.
    pub(super) fn follow_turns(&mut self) {
        let ports = self.p.ports;
        self.cover_turns();
        for i in 0..ports {
            let shown = self.turns.shown[i];
            let (mut passed, mut passed_alike, mut plain) = (0u64, 0u64, 0u64);
            for o in 0..ports {
                let Some((w, cnps)) = self.service(o) else { continue };
                if self.turns.order[o].place(i) < self.turns.order[o].place(w) {
                    let alike = self.is_cnp(o, i) == cnps;
                    let of = |x: usize| self.outputs[o].pins[self.out_pins.req_cnp + x] != 0;
                    plain |= u64::from(self.outputs[o].unit.cnp_plain() && of(i) != of(w)) << o;
                    passed |= 1 << o;
                    passed_alike |= u64::from(alike) << o;
                }
            }
            let served = self.match_of_input[i].map_or(0, |o| 1 << o);
            let claim = self.turns.claim[i];
            let new = if shown == 0 {
                self.turns.claim[i] |= self.turns.lost[i] & passed;
                self.turns.claim[i] & !claim
            } else {
                self.turns.lost[i] = if served != 0 { shown & !served } else { 0 };
                let kept = shown & !served & !self.turns.held[i];
                self.turns.claim[i] = (claim | passed_alike) & kept;
                self.turns.claim[i] & !claim
            };
            let later = |o: usize| self.match_of_output[o] != self.first[o];
            let by_later = (0..ports).any(|o| new >> o & 1 != 0 && later(o));
            self.hit_if(new != 0, Cover::a3_claim);
            self.hit_if(new & shown != 0, Cover::a3_claim_shown);
            self.hit_if(new & shown & plain != 0, Cover::a2_plain_claim);
            self.hit_if(by_later, Cover::a3_claim_by_later_iteration);
        }
        for o in 0..ports {
            if let Some(w) = self.match_of_output[o] {
                self.turns.order[o].serve(w);
            }
        }
    }

    fn cover_turns(&mut self) {
        let ports = self.p.ports;
        let mut seen = 0;
        for i in 0..ports {
            let (claim, shown, claimant) = (self.turns.claim[i], self.turns.shown[i], self.turns.claimant[i]);
            let served = self.match_of_input[i].map_or(0, |o| 1u64 << o);
            let hidden = |o: &usize| shown >> o & 1 != 0 && self.turns.hides(i, *o);
            // Whether the claimant that hides a request shows its own.
            let by =
                |o: usize| self.turns.first[o].is_some_and(|first| self.turns.shown[first] >> o & 1 != 0);
            let by_shown = (0..ports).filter(hidden).any(by);
            let by_busy = (0..ports).filter(hidden).any(|o| !by(o));
            let ahead = (0..ports).any(|o| {
                let place = |input| self.turns.order[o].place(input);
                served >> o & 1 != 0 && self.turns.first[o].is_some_and(|first| place(i) < place(first))
            });
            let several = claimant.count_ones() > 1 || claimant & seen != 0;
            seen |= claimant;
            let active = claimant & shown;
            self.hit_if(active & served != 0, Cover::a3_claim_served);
            self.hit_if(active & !served != 0, Cover::a3_claim_waits);
            self.hit_if(ahead, Cover::a3_claim_before);
            let held = self.turns.held[i];
            self.hit_if(claim & shown & !active & !held != 0, Cover::a3_claim_lacks_credit);
            self.hit_if(claim & shown & held != 0, Cover::a3_claim_held);
            self.hit_if(by_busy, Cover::a3_output_waits);
            self.hit_if(shown != 0 && claim & !shown != 0, Cover::a3_claim_withdrawn);
            self.hit_if(by_shown, Cover::a3_output_kept);
            self.hit_if(several, Cover::a3_two_claims);
        }
    }
}
