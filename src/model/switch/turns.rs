//! Section 2 of `docs/switch.md`, rule A3: an input whose turn an output passed while its read port was busy comes next.

use super::cover::Cover;
use super::state::{Switch, Turns};

impl Turns {
    pub fn new(ports: usize) -> Turns {
        let none = || vec![0; ports];
        Turns {
            lost: none(),
            claim: none(),
            shown: none(),
            active: none(),
            claimed: 0,
            waiting: 0,
            held: none(),
        }
    }

    /// Whether output `o` sees the request of input `i`.
    pub fn sees(&self, i: usize, o: usize) -> bool {
        let kept = self.active[i] != 0 || (self.claimed | self.waiting) >> o & 1 != 0;
        self.shown[i] >> o & 1 != 0 && (self.active[i] >> o & 1 != 0 || !kept)
    }
}

impl Switch {
    /// What the inputs show in the coming cycle, and which claims are active.
    pub(super) fn watch_requests(&mut self) {
        let (ports, f) = (self.p.ports, self.in_out);
        let turns = &mut self.turns;
        (turns.claimed, turns.waiting) = (0, 0);
        for (i, port) in self.inputs.iter().enumerate() {
            let open = (0..ports).all(|o| port.out[f.xb_act + o] == 0 || self.outputs[o].unit.reads());
            let shown = (0..ports).filter(|o| open && port.out[f.req_valid + o] != 0);
            turns.shown[i] = shown.map(|o| 1 << o).sum();
            let held = (0..ports).filter(|&o| {
                let output = &self.outputs[o];
                output.unit.is_held(&output.pins, i)
            });
            turns.held[i] = held.map(|o| 1 << o).sum();
            let claims = turns.claim[i] & turns.shown[i] & !turns.held[i];
            let active = (0..ports).filter(|&o| claims >> o & 1 != 0 && self.outputs[o].unit.has_credit(0));
            turns.active[i] = active.map(|o| 1 << o).sum();
            turns.claimed |= turns.active[i];
            let busy = port.out[f.xb_act..f.xb_act + ports].iter().any(|&act| act != 0);
            if busy && turns.shown[i] == 0 {
                turns.waiting |= turns.claim[i];
            }
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

    /// The registers after this cycle.
    pub(super) fn follow_turns(&mut self) {
        let ports = self.p.ports;
        self.cover_turns();
        for i in 0..ports {
            let served = self.match_of_input[i];
            let shown = self.turns.shown[i];
            if shown != 0 {
                let by = served.map_or(0, |o| 1 << o);
                self.turns.lost[i] = if served.is_some() { shown & !by } else { 0 };
                let kept = shown & !by & !self.turns.held[i];
                self.turns.claim[i] &= kept;
                continue;
            }
            let passed = (0..ports).filter(|&o| {
                self.first[o].is_some_and(|w| {
                    let output = &self.outputs[o];
                    let rr = output.unit.grant_pointer(output.pins[self.out_pins.req_cnp + w] != 0);
                    let rank = |input: usize| (input + ports - rr) % ports;
                    rank(i) < rank(w)
                })
            });
            let passed: u64 = passed.map(|o| 1 << o).sum();
            let new = self.turns.lost[i] & passed;
            let claims = new & !self.turns.claim[i] != 0;
            self.turns.claim[i] |= new;
            self.hit_if(claims, Cover::a3_claim);
        }
    }

    fn cover_turns(&mut self) {
        let ports = self.p.ports;
        let mut seen = 0;
        for i in 0..ports {
            let (claim, shown, active) = (self.turns.claim[i], self.turns.shown[i], self.turns.active[i]);
            let served = self.match_of_input[i].map_or(0, |o| 1u64 << o);
            let hidden = (0..ports).filter(|&o| shown >> o & 1 != 0 && !self.turns.sees(i, o));
            let hidden: u64 = hidden.map(|o| 1 << o).sum();
            let several = active.count_ones() > 1 || active & seen != 0;
            seen |= active;
            self.hit_if(active & served != 0, Cover::a3_claim_served);
            self.hit_if(active & !served != 0, Cover::a3_claim_waits);
            let held = self.turns.held[i];
            self.hit_if(claim & shown & !active & !held != 0, Cover::a3_claim_lacks_credit);
            self.hit_if(claim & shown & held != 0, Cover::a3_claim_held);
            self.hit_if(hidden & self.turns.waiting & !self.turns.claimed != 0, Cover::a3_output_waits);
            self.hit_if(shown != 0 && claim & !shown != 0, Cover::a3_claim_withdrawn);
            self.hit_if(active != 0 && hidden != 0, Cover::a3_input_kept);
            self.hit_if(active == 0 && hidden != 0, Cover::a3_output_kept);
            self.hit_if(several, Cover::a3_two_claims);
        }
    }
}
