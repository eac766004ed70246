//! ONE_QUEUE switches with CAM lines: an input whose turn an output passed while its read port was busy comes next
//! (`docs/switch.md` section 2, A3). Without CAM lines an input asks one output at a time, and nothing is ever lost.

use super::core::{Core, Grant};
use super::packet::NONE;
use super::wheel::Kind;

/// Sets of outputs as bits, one per input.
pub(super) struct Turns {
    pub lost: Vec<u64>,
    pub claim: Vec<u64>,
    /// Inputs with a bit in either.
    watched: u64,
    /// Active claims in S(t), and the outputs that have one.
    active: Vec<u64>,
    claimed: u64,
    /// Outputs that granted in the first iteration of this cycle, with the inputs that they passed.
    passed: Vec<(usize, u64)>,
}

impl Turns {
    pub fn new(ports: usize) -> Turns {
        let none = || vec![0; ports];
        Turns { lost: none(), claim: none(), watched: 0, active: none(), claimed: 0, passed: Vec::new() }
    }

    /// Whether an output sees the request of an input.
    #[inline]
    pub fn sees(&self, i: usize, o: usize) -> bool {
        self.claimed == 0 || self.active[i] >> o & 1 != 0 || self.active[i] == 0 && self.claimed >> o & 1 == 0
    }

    /// Output `o` with grant pointer `rr` granted input `w` in the first iteration.
    pub fn pass(&mut self, o: usize, rr: usize, w: usize) {
        if self.watched != 0 {
            let below = |n: usize| (1u64 << n) - 1;
            let inputs = if w >= rr { below(w) & !below(rr) } else { below(w) | !below(rr) };
            self.passed.push((o, inputs));
        }
    }
}

fn ones(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let k = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        k
    })
}

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

    /// The claims that are active in S(t). Returns the outputs that must look again for it.
    pub fn activate_claims(&mut self, node: usize, t: u64) -> u64 {
        let turns = &self.nodes[node].turns;
        if turns.watched == 0 && turns.claimed == 0 {
            return 0;
        }
        let (in0, out0, ports) =
            (self.nodes[node].input, self.nodes[node].output, self.nodes[node].shape.outs);
        let mut changed = false;
        let mut claimed = 0;
        for i in 0..ports {
            let claim = self.nodes[node].turns.claim[i];
            let mut active = 0;
            for o in ones(claim) {
                let Some(c) = self.candidate_iso(node, in0 + i, out0 + o, 0, t).0 else { continue };
                if self.has_credit(out0 + o, 0, u64::from(c.n), t) {
                    active |= 1 << o;
                } else {
                    self.await_credit(out0 + o, 0, u64::from(c.n), t);
                }
            }
            claimed |= active;
            let was = std::mem::replace(&mut self.nodes[node].turns.active[i], active);
            changed |= was != active;
        }
        self.nodes[node].turns.claimed = claimed;
        if !changed {
            return 0;
        }
        let asked = (0..ports).filter(|o| self.outputs[out0 + o].want.iter().any(|w| *w != 0));
        asked.map(|o| 1 << o).sum()
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
            let turns = &mut self.nodes[node].turns;
            let old = turns.claim[i];
            if shown != 0 {
                let by = grants.iter().find(|g| g.input == in0 + i).map_or(0, |g| 1u64 << g.local_out);
                turns.lost[i] = if by != 0 { shown & !by } else { 0 };
                turns.claim[i] &= shown & !by;
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
            self.wheel.plan(t + 1, Kind::Output, out0 + o);
        }
    }
}
