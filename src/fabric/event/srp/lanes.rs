//! Queues of lanes at an input (Q1, Q2, Q5): what comes and what leaves.

use crate::fabric::event::credit::Run;
use crate::fabric::event::packet::NONE;
use crate::fabric::event::ports::{Arrivals, Crossing, NOWHERE};
use crate::fabric::event::state::{Core, Grant};
use crate::fabric::event::wheel::Wake;
use crate::params::lanes::SrpLane;
use crate::scheme::reservation::grown;

use super::spec::age_here;
use super::tag::Kind;

impl Core {
    /// The first flit of a packet is stored.
    pub fn accept_on_lane(&mut self, node: usize, input: usize, t: u64) {
        let nd = &self.nodes[node];
        let (out0, in0) = (nd.output, nd.input);
        let i = &mut self.inputs[input];
        let id = i.inbound.pop(&self.pool);
        let p = &self.pool[id];
        let (n, vl) = (p.n, p.vl as usize);
        let entry = |host: u32| nd.lft[host as usize + 1];
        let (to, back) = (entry(p.dst), (!nd.shape.adapter).then(|| entry(p.src)));
        i.next_is_of(vl);
        i.arrivals = match nd.shape.adapter {
            true => Arrivals::Paced { from: p.entered, n },
            false => Arrivals::Even(Run { first: t, step: i.rx_interval, n }),
        };
        let (o, back) = i.up.routes(to, back);
        let tag = self.pool.tag_mut(id);
        (tag.out, tag.back) = (o as u8, back.unwrap_or_default() as u8);
        let q = nd.shape.queue_of(o, vl);
        let first = i.queues[q].head == NONE;
        i.queues[q].push(&mut self.pool, id);
        i.queues[q].charge += n;
        if nd.shape.is_data(vl) {
            self.follow_arrival(node, input, (o, vl, q), n, t);
        }
        if first {
            self.ask(out0 + o, input - in0, vl, id, t);
            if self.inputs[input].spec.as_ref().is_some_and(|s| s.vl == vl) {
                self.follow_spec_head(input, t + 1);
            }
        }
    }

    /// A grant: the packet leaves its queue, its flits are read from the next cycle on.
    pub fn serve_lane(&mut self, node: usize, g: Grant, t: u64) {
        let (out0, in0) = (self.nodes[node].output, self.nodes[node].input);
        let (o, q, local) = (g.local_out, g.queue, g.input - in0);
        let output = &mut self.outputs[g.out];
        let input = &mut self.inputs[g.input];
        let id = input.queues[q].pop(&self.pool);
        let n = self.pool[id].n;
        let run = Run { first: output.next_read(t + 1), step: output.step, n };
        let last = run.last();
        let is_spec = input.spec.as_ref().is_some_and(|s| s.vl == g.vl);
        let mut lane = g.vl;
        if is_spec {
            let here = age_here(&self.pool[id], t);
            let tag = self.pool.tag_mut(id);
            if tag.kind == Kind::Nack {
                lane = SrpLane::Reply.vl(g.vl + SrpLane::OTHERS);
            } else {
                tag.fields.age = grown(tag.fields.age.into(), here) as u16;
            }
        }

        input.reads(o, q, run, t);
        let freed_in = input.credits;

        // The output.
        output.free_at = last;
        output.txr[lane] += u64::from(n);
        output.cnt_sent += 1;
        self.wheel.plan(last, Wake::Output, g.out);
        if self.nodes[node].shape.is_data(g.vl) {
            let state = output.congested || output.at_once.is_some() || run.first > t + 1;
            if output.marks && state {
                let at = run.first + 1;
                output.crossing.push_back(Crossing { at, packet: id, asked: false, saturated: false });
                self.wheel.plan(at, Wake::Output, g.out);
            }
            output.waiting_leave(g.vl, run, input.release);
            self.settle_root(g.out, g.vl, t);
        }
        self.carried[self.pool.tag(id).kind as usize] += u64::from(n);
        self.leave(g.out, lane, id, run);

        // The queue's next head.
        let head = self.inputs[g.input].queues[q].head;
        let shape = &self.nodes[node].shape;
        if head == NONE {
            self.outputs[g.out].clear_want(local, g.vl);
        } else if !shape.is_data(g.vl) {
            let next = out0 + usize::from(self.pool.tag(head).out);
            self.outputs[g.out].clear_want(local, g.vl);
            self.ask(next, local, g.vl, head, t);
        }
        if is_spec {
            self.follow_spec_head(g.input, t + 1);
        }
        if self.inputs[g.input].cong[q] {
            self.watch_clearing(node, g.input, o, q, t + 1);
        }
        if freed_in != NOWHERE {
            self.free_blocks(freed_in, g.vl, run, t);
        }
        if self.nodes[node].shape.adapter {
            self.tell_adapter(self.nodes[node].host, local, t);
        }
    }
}
