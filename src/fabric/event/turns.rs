//! ONE_QUEUE switches with CAM lines: an output goes past an input once, and then not again (`docs/switch.md` section 2, A3).
//! Without CAM lines an input asks one output at a time, and nothing is ever lost or passed that would come back.

use super::bits::ones;
use super::packet::NONE;
use super::state::{Candidate, Core, Grant, Pass};
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

    /// Who is a claimant in S(t). Returns the outputs that must look again for it.
    pub fn watch_claims(&mut self, node: usize, t: u64) -> u64 {
        let n = &self.nodes[node];
        if n.turns.claim.iter().all(|c| *c == 0) && n.turns.seen.iter().all(|s| *s == u64::MAX) {
            return 0;
        }
        let (in0, out0, ports, mtu) = (n.input, n.output, n.shape.outs, n.shape.mtu);
        let mut claimants = vec![0u64; ports];
        for i in 0..ports {
            let claim = self.nodes[node].turns.claim[i];
            if claim == 0 {
                continue;
            }
            let engines = &self.inputs[in0 + i];
            let last = engines.engines[engines.latest].last;
            if t < last || t == last && self.shown(node, i, t) == 0 {
                // Busy: until then, at least.
                ones(claim).for_each(|o| claimants[o] |= 1 << i);
                let out = out0 + claim.trailing_zeros() as usize;
                self.wheel.plan(last.max(t + 1), Wake::Output, out);
                continue;
            }
            for o in ones(claim) {
                let Some(c) = self.candidate_iso(node, in0 + i, out0 + o, 0, t).0 else { continue };
                if !self.has_credit(out0 + o, 0, mtu, t) {
                    self.await_credit(out0 + o, 0, mtu, t);
                } else if !self.held(in0 + i, out0 + o, &c) {
                    claimants[o] |= 1 << i;
                }
            }
        }
        let mut changed = 0;
        for (o, &claimants) in claimants.iter().enumerate() {
            let turns = &mut self.nodes[node].turns;
            let first = turns.order.first(o, claimants);
            let seen = first.map_or(u64::MAX, |first| turns.order.before(o, first) | 1 << first);
            let was = std::mem::replace(&mut turns.seen[o], seen);
            changed |= u64::from(was != seen && self.outputs[out0 + o].wanted()) << o;
        }
        changed
    }

    /// ONE_QUEUE: a line holds the request of an input.
    fn held(&self, input: usize, out: usize, c: &Candidate) -> bool {
        self.match_line(input, out, 0, c).is_some_and(|m| m.held.is_some())
    }

    /// The registers after cycle t; `grants` is the match, queues are still those of S(t).
    pub fn follow_turns(&mut self, node: usize, t: u64, grants: &[Grant]) {
        let (in0, out0) = (self.nodes[node].input, self.nodes[node].output);
        let mut passed = std::mem::take(&mut self.nodes[node].turns.passed);
        let mut look = self.nodes[node].turns.watched;
        for g in grants {
            let (i, order) = (g.input - in0, &mut self.nodes[node].turns.order);
            let inputs = order.before(g.local_out, i);
            order.serve(g.local_out, i);
            let class = Some(g.kind.class()).filter(|_| !self.outputs[g.out].cnp_plain);
            passed.push(Pass { out: g.local_out, inputs, class });
            look |= 1 << i | inputs & self.outputs[g.out].want[0];
        }
        let mut watched = 0;
        let mut again = 0;
        for i in ones(look) {
            let shown = self.shown(node, i, t);
            let old = self.nodes[node].turns.claim[i];
            let mut claims = 0;
            if shown != 0 {
                let by = grants.iter().find(|g| g.input == in0 + i).map_or(0, |g| 1u64 << g.local_out);
                for o in ones(shown & !by) {
                    let Some(c) = self.candidate_iso(node, in0 + i, out0 + o, 0, t).0 else { continue };
                    let past = |p: &Pass| {
                        p.out == o
                            && p.inputs >> i & 1 != 0
                            && p.class.is_none_or(|class| class == c.kind.class())
                    };
                    let claimed = old >> o & 1 != 0 || passed.iter().any(past);
                    claims |= u64::from(claimed && !self.held(in0 + i, out0 + o, &c)) << o;
                }
                self.nodes[node].turns.lost[i] = if by != 0 { shown & !by } else { 0 };
            } else {
                let passing = passed.iter().filter(|p| p.inputs >> i & 1 != 0).map(|p| 1 << p.out);
                claims = old | self.nodes[node].turns.lost[i] & passing.fold(0, |set, o: u64| set | o);
            }
            let turns = &mut self.nodes[node].turns;
            turns.claim[i] = claims;
            again |= old ^ claims;
            watched |= u64::from(turns.lost[i] | claims != 0) << i;
        }
        let turns = &mut self.nodes[node].turns;
        turns.watched = watched;
        turns.passed = passed;
        turns.passed.clear();
        for o in ones(again) {
            self.wheel.plan(t + 1, Wake::Output, out0 + o);
        }
    }
}
