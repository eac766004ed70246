//! ONE_QUEUE switches with CAM lines: an input whose turn an output passed while its read port was busy comes next
//! (`docs/switch.md` section 2, A3). Without CAM lines an input asks one output at a time, and nothing is ever lost.

use super::bits::ones;
use super::packet::NONE;
use super::state::{Candidate, Core, Grant};
use super::wheel::Wake;

impl Core {
    /// Requests that an input shows in S(t), as a set of outputs.
    fn shown(&self, node: usize, local: usize, t: u64) -> u64 {
        let n = &self.nodes[node];
        let i = &self.inputs[n.input + local];
        let mut asked = 0u64;
        if i.queues[0].head != NONE {
            asked |= 1 << n.lft[self.pool[i.queues[0].head].dst as usize + 1];
        }
        for (_, k) in i.lines.iter().flat_map(|l| l.with_hpq().map(move |(h, k)| (h, l.lines[k].out))) {
            asked |= 1 << k;
        }
        let shows = |o: &usize| self.candidate_iso(node, n.input + local, n.output + o, 0, t).0.is_some();
        ones(asked).filter(shows).map(|o| 1 << o).sum()
    }

    /// The claims that are active in S(t), and the outputs that wait. Returns the outputs that must look again for it.
    pub fn activate_claims(&mut self, node: usize, t: u64) -> u64 {
        let turns = &self.nodes[node].turns;
        if turns.watched == 0 && turns.claimed | turns.waiting == 0 {
            return 0;
        }
        let mtu = self.nodes[node].shape.mtu;
        let (in0, out0, ports) =
            (self.nodes[node].input, self.nodes[node].output, self.nodes[node].shape.outs);
        let mut changed = false;
        let (mut claimed, mut waiting) = (0, 0);
        for i in 0..ports {
            let claim = self.nodes[node].turns.claim[i];
            let mut active = 0;
            for o in ones(claim) {
                let Some(c) = self.candidate_iso(node, in0 + i, out0 + o, 0, t).0 else { continue };
                if !self.has_credit(out0 + o, 0, mtu, t) {
                    self.await_credit(out0 + o, 0, mtu, t);
                } else if !self.held(in0 + i, out0 + o, &c) {
                    active |= 1 << o;
                }
            }
            let engines = &self.inputs[in0 + i];
            let last = engines.engines[engines.latest].last;
            if claim != 0 && (t < last || t == last && self.shown(node, i, t) == 0) {
                waiting |= claim;
            }
            claimed |= active;
            let was = std::mem::replace(&mut self.nodes[node].turns.active[i], active);
            changed |= was != active;
        }
        let turns = &mut self.nodes[node].turns;
        turns.claimed = claimed;
        changed |= std::mem::replace(&mut turns.waiting, waiting) != waiting;
        if !changed {
            return 0;
        }
        let asked = (0..ports).filter(|o| self.outputs[out0 + o].wanted());
        asked.map(|o| 1 << o).sum()
    }

    /// ONE_QUEUE: a line holds the request of an input.
    fn held(&self, input: usize, out: usize, c: &Candidate) -> bool {
        self.match_line(input, out, 0, c).is_some_and(|m| m.held.is_some())
    }

    /// The registers after cycle t; `grants` is the match, queues are still those of S(t).
    pub fn follow_turns(&mut self, node: usize, t: u64, grants: &[Grant]) {
        let (in0, out0) = (self.nodes[node].input, self.nodes[node].output);
        let mut look = self.nodes[node].turns.watched;
        for g in grants {
            look |= 1 << (g.input - in0);
        }
        let mut watched = 0;
        let mut again = 0;
        for i in ones(look) {
            let shown = self.shown(node, i, t);
            let claims = self.nodes[node].turns.claim[i] & shown;
            let holds = |o: &usize| {
                let c = self.candidate_iso(node, in0 + i, out0 + o, 0, t).0;
                c.is_some_and(|c| self.held(in0 + i, out0 + o, &c))
            };
            let held: u64 = ones(claims).filter(holds).map(|o| 1 << o).sum();
            let turns = &mut self.nodes[node].turns;
            let old = turns.claim[i];
            if shown != 0 {
                let by = grants.iter().find(|g| g.input == in0 + i).map_or(0, |g| 1u64 << g.local_out);
                turns.lost[i] = if by != 0 { shown & !by } else { 0 };
                turns.claim[i] &= shown & !by & !held;
            } else {
                for &(o, inputs) in &turns.passed {
                    turns.claim[i] |= (inputs >> i & 1) << o & turns.lost[i];
                }
            }
            again |= old ^ turns.claim[i];
            watched |= u64::from(turns.lost[i] | turns.claim[i] != 0) << i;
        }
        let turns = &mut self.nodes[node].turns;
        turns.watched = watched;
        turns.passed.clear();
        for o in ones(again) {
            self.wheel.plan(t + 1, Wake::Output, out0 + o);
        }
    }
}
