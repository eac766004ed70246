//! Section 2 of `docs/switch.md`, rule A3: an input whose turn an output passed while its read port was busy comes next.

use super::{Cover, Switch};

/// Sets of outputs as bits, one per input.
pub(super) struct Turns {
    pub lost: Vec<u64>,
    pub claim: Vec<u64>,
    /// In this cycle: requests of inputs that are open, and active claims.
    shown: Vec<u64>,
    active: Vec<u64>,
    /// Outputs with an active claim of some input.
    claimed: u64,
}

impl Turns {
    pub fn new(ports: usize) -> Turns {
        let none = || vec![0; ports];
        Turns { lost: none(), claim: none(), shown: none(), active: none(), claimed: 0 }
    }

    /// Whether output `o` sees the request of input `i`.
    pub fn sees(&self, i: usize, o: usize) -> bool {
        let kept = self.active[i] != 0 || self.claimed >> o & 1 != 0;
        self.shown[i] >> o & 1 != 0 && (self.active[i] >> o & 1 != 0 || !kept)
    }
}

impl Switch {
    /// What the inputs show in the coming cycle, and which claims are active.
    pub(super) fn watch_requests(&mut self) {
        let (ports, f) = (self.p.ports, self.in_out);
        let turns = &mut self.turns;
        turns.claimed = 0;
        for (i, port) in self.inputs.iter().enumerate() {
            let open = (0..ports).all(|o| port.out[f.xb_act + o] == 0 || self.outputs[o].unit.reads());
            let shown = (0..ports).filter(|o| open && port.out[f.req_valid + o] != 0);
            turns.shown[i] = shown.map(|o| 1 << o).sum();
            let fits = |o: &usize| self.outputs[*o].unit.fits(0, port.out[f.req_len + o]);
            let active = (0..ports).filter(|o| (turns.claim[i] & turns.shown[i]) >> o & 1 != 0).filter(fits);
            turns.active[i] = active.map(|o| 1 << o).sum();
            turns.claimed |= turns.active[i];
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
                self.turns.claim[i] &= shown & !by;
                continue;
            }
            let passed = (0..ports).filter(|&o| {
                let rr = self.outputs[o].unit.grant_pointer();
                let rank = |input: usize| (input + ports - rr) % ports;
                self.first[o].is_some_and(|w| rank(i) < rank(w))
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
            self.hit_if(claim & shown & !active != 0, Cover::a3_claim_lacks_credit);
            self.hit_if(shown != 0 && claim & !shown != 0, Cover::a3_claim_withdrawn);
            self.hit_if(active != 0 && hidden != 0, Cover::a3_input_kept);
            self.hit_if(active == 0 && hidden != 0, Cover::a3_output_kept);
            self.hit_if(several, Cover::a3_two_claims);
        }
    }
}
