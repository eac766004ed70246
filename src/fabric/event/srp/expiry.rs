//! Speculative packets that have queued for too long (Q5 to Q9): section 16 of the input port's page.

use crate::fabric::event::bits::ones;
use crate::fabric::event::credit::{NEVER, Run};
use crate::fabric::event::packet::{NONE, Packet};
use crate::fabric::event::state::Core;
use crate::fabric::event::wheel::Wake;
use crate::model::header::Marks;
use crate::params::lanes::SrpLane;

use super::spec::age_here;
use super::tag::Kind;

impl Core {
    /// Outputs that may owe credits to a head which expires in cycle `t`; `ins`: inputs that look.
    pub fn expiring(&self, node: usize, ins: u64, t: u64) -> u64 {
        let n = &self.nodes[node];
        let mut outs = 0;
        for i in ones(ins) {
            let input = &self.inputs[n.input + i];
            let Some(spec) = input.spec.as_ref().filter(|s| s.has_expired(t)) else { continue };
            let head = input.queues[spec.vl].head;
            if head != NONE {
                outs |= 1 << self.pool.tag(head).out;
            }
        }
        outs
    }

    /// The spec FIFO has another head from cycle `t` on.
    pub fn follow_spec_head(&mut self, input: usize, t: u64) {
        let i = &mut self.inputs[input];
        let Some(spec) = &mut i.spec else { return };
        let head = i.queues[spec.vl].head;
        spec.expires = NEVER;
        let Some(limit) = spec.limit.filter(|_| head != NONE) else { return };
        let tag = self.pool.tag(head);
        if tag.kind == Kind::Nack {
            return;
        }
        let age = u32::from(tag.fields.age) + age_here(&self.pool[head], t);
        spec.expires = if age > limit { t } else { t + u64::from(limit - age) + 1 };
        if spec.expires < spec.planned {
            spec.planned = spec.expires;
            self.wheel.plan(spec.expires, Wake::Input, input);
        }
    }

    /// Q7: the head of the spec FIFO is dropped in cycle `t`, if it is to be; the queues are those after what was granted.
    pub fn drop_expired(&mut self, node: usize, input: usize, t: u64) {
        let Some(spec) = &mut self.inputs[input].spec else { return };
        if spec.dropped != NONE && spec.idle_from <= t {
            let discarded = std::mem::replace(&mut spec.dropped, NONE);
            let all: u32 = spec.discard.iter().map(|r| r.n).sum();
            spec.discard = [Run::NONE; 2];
            let vl = spec.vl;
            self.inputs[input].queues[vl].charge -= all;
            self.pool.remove(discarded);
        }
        let Some(spec) = &mut self.inputs[input].spec else { return };
        if spec.planned <= t {
            spec.planned = NEVER;
        }
        // An output may owe credits to a head until it expires; then it waits for the engine.
        let at = if spec.has_expired(t) { spec.idle_from } else { spec.expires };
        if at > t {
            if at != NEVER && at < spec.planned {
                spec.planned = at;
                self.wheel.plan(at, Wake::Input, input);
            }
            return;
        }
        self.drop_head(node, input, t);
    }

    fn drop_head(&mut self, node: usize, input: usize, t: u64) {
        let (out0, in0) = (self.nodes[node].output, self.nodes[node].input);
        let i = &mut self.inputs[input];
        let Some(spec) = &mut i.spec else { return };
        let (vl, step) = (spec.vl, i.rx_interval);
        let id = i.queues[vl].head;
        let p = self.pool[id];
        let reply = SrpLane::Reply.vl(vl + SrpLane::OTHERS);
        let nack = Packet {
            src: p.dst,
            dst: p.src,
            n: 1,
            vl: reply as u32,
            marks: p.marks & (Marks::MB | Marks::VB),
            start: t + 1,
            ..p
        };
        let mut tag = *self.pool.tag(id);
        let (from, to) = (usize::from(tag.out), usize::from(tag.back));
        (tag.kind, tag.fields.age, tag.out) = (Kind::Nack, 0, tag.back);
        let nack = self.pool.put_tagged(nack, tag);
        i.queues[vl].replace_head(&mut self.pool, nack);
        spec.drops = spec.drops.saturating_add(1);
        spec.expires = NEVER;
        spec.discard = discard(t, p.t0, step, p.n);
        let runs = spec.discard;
        match runs.iter().rfind(|r| r.n > 0) {
            Some(last) => {
                (spec.dropped, spec.idle_from) = (id, last.last() + 1);
                self.wheel.plan(spec.idle_from, Wake::Input, input);
            }
            None => self.pool.remove(id),
        }
        // It asks the output to its source.
        let local = input - in0;
        self.outputs[out0 + from].clear_want(local, vl);
        self.ask(out0 + to, local, vl, nack, t);
        let credits = self.inputs[input].credits;
        for run in runs.into_iter().filter(|r| r.n > 0) {
            self.free_blocks(credits, vl, run, t);
        }
    }
}

/// Q8: cycles in which the flits behind the first one are discarded of a packet of `n` that is dropped in cycle `t`, whose first flit
/// was stored in cycle `first` and which come every `step`.
fn discard(t: u64, first: u64, step: u32, n: u32) -> [Run; 2] {
    let rest = n - 1;
    let k = u64::from(step);
    // So many are here when it is their turn, at one a cycle.
    let here = if step == 1 { rest } else { ((t - first - 1) / (k - 1)).min(rest.into()) as u32 };
    let run = |first, step, n| if n == 0 { Run { n: 0, ..Run::NONE } } else { Run { first, step, n } };
    let next = first + u64::from(here + 1) * k + 1;
    [run(t + 1, 1, here), run(next, step, rest - here)]
}

#[cfg(test)]
mod tests {
    use super::discard;

    #[test]
    fn discarded_flits_are_those_of_the_engine_cycle_by_cycle() {
        for step in 1..5u32 {
            for n in 1..9u32 {
                for t in 101..160u64 {
                    let stored = |at: u64| (0..n).filter(|i| 100 + u64::from(i * step) < at).count() as u32;
                    let (mut r, mut at, mut want) = (1, t + 1, Vec::new());
                    while r < n {
                        if r < stored(at) {
                            want.push(at);
                            r += 1;
                        }
                        at += 1;
                    }
                    let mut got = Vec::new();
                    for run in discard(t, 100, step, n) {
                        got.extend((0..run.n).map(|i| run.first + u64::from(i * run.step)));
                    }
                    assert_eq!(got, want, "step {step}, {n} flits, dropped in {t}");
                }
            }
        }
    }
}
