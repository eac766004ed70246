//! The oldest packets go first (AG1), or are not passed without end (AG2): sections 13 of the output port's page and 15 of the input
//! port's.

use super::bits::ones;
use super::packet::NONE;
use super::ports::DATA;
use super::state::{Core, Grant};
use super::wheel::Wake;

impl Core {
    /// The age of the head of a queue in S(t); 0 without ages.
    pub fn age(&self, input: usize, q: usize, t: u64) -> u64 {
        let i = &self.inputs[input];
        i.ages.as_ref().map_or(0, |a| a.age(&i.queues, &self.pool, q, t))
    }

    /// AG1: of VLs and sets of their inputs those whose heads are oldest; the VL whose turn it is.
    pub fn oldest_requests(
        &self,
        node: usize,
        out: usize,
        pool: impl Iterator<Item = (usize, u64)>,
        t: u64,
    ) -> Option<(usize, u64)> {
        let n = &self.nodes[node];
        let o = &self.outputs[out];
        let (vls, vp) = (n.shape.vls, usize::from(o.vp[DATA]));
        let first = |v: usize| (v + vls - vp) % vls;
        let (mut most, mut best) = (0, None);
        for (v, inputs) in pool {
            let q = n.shape.cold(out - n.output, v);
            for i in ones(inputs) {
                let age = self.age(n.input + i, q, t);
                best = match best {
                    Some((of, set)) if of == v && age == most => Some((v, set | 1 << i)),
                    Some((of, _)) if age < most || age == most && first(of) < first(v) => best,
                    _ => Some((v, 1 << i)),
                };
                most = most.max(age);
            }
        }
        best
    }

    /// AG2 in cycle `t`, before queues change: the oldest packets leave, or are passed.
    pub fn follow_oldest(&mut self, node: usize, grants: &[Grant], t: u64) {
        let n = &self.nodes[node];
        for (k, g) in grants.iter().enumerate() {
            let same = |other: &&Grant| (other.input, other.vl) == (g.input, g.vl);
            if grants[..k].iter().any(|other| same(&other)) {
                continue;
            }
            let i = &mut self.inputs[g.input];
            let Some(ages) = &mut i.ages else { continue };
            let served = grants.iter().filter(same).map(|other| 1 << other.local_out).sum();
            if ages.serves(&i.queues, &self.pool, g.vl, served, t) {
                // Those that were held back ask from the next cycle on.
                let waits = |o: &usize| i.queues[n.shape.cold(*o, g.vl)].head != NONE;
                let outs = (0..n.shape.outs).filter(waits);
                outs.for_each(|o| self.wheel.plan(t + 1, Wake::Output, n.output + o));
            }
        }
    }
}
