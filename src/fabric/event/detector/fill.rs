//! [`Detector::Fill`](crate::scheme::Detector::Fill): the fills of VOQs, or their sum at an output (D1, D4, D5).

use super::thresholds;
use crate::fabric::event::bits::ones;
use crate::fabric::event::credit::NEVER;
use crate::fabric::event::lines::{InLines, Line, State};
use crate::fabric::event::packet::NONE;
use crate::fabric::event::ports::Input;
use crate::fabric::event::state::{Core, Grant, Shape};
use crate::fabric::event::wheel::Wake;
use crate::scheme::detector::{Thresholds, evaluated};

impl Core {
    /// D1, D4: congestion bits of the queues that are due, on the fills of S(t).
    pub fn follow_fills(&mut self, node: usize, input: usize, t: u64) {
        let nd = &self.nodes[node];
        let shape = nd.shape.clone();
        let out0 = nd.output;
        let mut next = NEVER;
        for q in 0..shape.cold_queues() {
            let i = &mut self.inputs[input];
            if i.cong_due[q] > t {
                next = next.min(i.cong_due[q]);
                continue;
            }
            i.cong_due[q] = NEVER;
            let (o, v) = (usize::from(i.outs[q]), q % shape.vls);
            let fill = i.fill(o, q, t);
            let was = i.cong[q];
            let is = match thresholds(&shape, i) {
                Some(t) => t.next(was, fill),
                None => false,
            };
            i.cong[q] = is;
            if is != was {
                if shape.iso {
                    i.cong_set ^= 1 << q;
                    self.wheel.plan(t + 1, Wake::Input, input);
                }
                self.contribute(out0 + o, v, is, t);
            }
            if is {
                self.watch_clearing(node, input, o, q, t + 1);
                next = next.min(self.inputs[input].cong_due[q]);
            }
        }
        self.inputs[input].cong_next = next;
    }

    /// A set congestion bit: when the fill falls below the low threshold, as far as is known in S(t).
    pub fn watch_clearing(&mut self, node: usize, input: usize, o: usize, q: usize, t: u64) {
        let shape = &self.nodes[node].shape;
        let i = &mut self.inputs[input];
        let Some(Thresholds { low, .. }) = thresholds(shape, i) else { return };
        let fill = i.fill(o, q, t);
        let at = if fill < low {
            t
        } else {
            // The charge after r reads is `whole - r`.
            let whole = i.queues[q].charge;
            let e = &i.engines[o];
            if !(e.charged && e.queue == q as u32) || whole < low {
                return;
            }
            let reads = whole - low + 1;
            if reads > e.run.n {
                return;
            }
            e.run.first + u64::from(reads - 1) * u64::from(e.run.step) + 1
        };
        due(i, q, at);
        self.wheel.plan(at, Wake::Input, input);
    }

    /// D5: next value of the hysteresis bit on the sum of the fills.
    pub fn sum_is_high(&self, node: usize, out: usize, vl: usize, t: u64) -> bool {
        let o = &self.outputs[out];
        if let Some(queue) = o.queue.as_ref().filter(|_| o.regs.eval == 3) {
            return o.regs.sum.next(o.hysteresis[vl], queue.fill(vl, t) as u32);
        }
        if let Some(waiting) = &o.waiting {
            let sum = waiting[vl].at(t) as u32;
            debug_assert_eq!(sum, self.waiting_for(node, out, vl, t).0);
            return o.regs.sum.next(o.hysteresis[vl], sum);
        }
        let (sum, inputs) = self.waiting_for(node, out, vl, t);
        o.regs.sum.next(o.hysteresis[vl], evaluated(o.regs.eval, sum, inputs))
    }

    /// PF1: a congested output looks again when its queue has fallen below the low threshold, as far as that is known.
    pub fn watch_queue(&mut self, out: usize, vl: usize, t: u64) {
        let o = &self.outputs[out];
        let Some(queue) = o.queue.as_ref().filter(|_| o.hysteresis[vl]) else { return };
        if let Some(at) = queue.at_most_at(vl, u64::from(o.regs.sum.low) - 1, t + 1) {
            self.wheel.plan(at, Wake::Output, out);
        }
    }

    /// The fills for an output in S(t): their sum, and how many inputs have any.
    pub fn waiting_for(&self, node: usize, out: usize, vl: usize, t: u64) -> (u32, u32) {
        let n = &self.nodes[node];
        let local = out - n.output;
        let q = n.shape.cold(local, vl);
        let (mut sum, mut inputs) = (0, 0);
        for i in &self.inputs[n.input..n.input + n.shape.inputs] {
            if usize::from(i.outs[q]) == local {
                let fill = i.fill(local, q, t);
                sum += fill;
                inputs += u32::from(fill > 0);
            }
        }
        (sum, inputs)
    }

    /// Section 13 of the input port: a congested CPQ becomes a root that has an HPQ; `told`: a prop takes a line or appends.
    pub fn choose_own_root(
        &self,
        node: usize,
        iso: &mut InLines,
        input: usize,
        grants: &[Grant],
        told: bool,
    ) -> Option<(usize, Line)> {
        let i = &self.inputs[input];
        let shape = &self.nodes[node].shape;
        iso.noline &= i.cong_set;
        if told {
            return None;
        }
        for q in ones(i.cong_set) {
            let (out, vl) = (q / shape.vls, q % shape.vls);
            let head = i.queues[q].head;
            let root =
                |l: &Line| l.own && (l.out, l.vl) == (out, vl) || l.state == State::Root && l.queue == q;
            if head == NONE || iso.lines.iter().any(root) || self.popped(q, grants) {
                continue;
            }
            let p = &self.pool[head];
            if !p.kind.is_isolated() || iso.matching(out, vl, p.dlid()).is_some() {
                continue;
            }
            let (Some(line), Some(hpq)) = (iso.free_line(), iso.free_hpq()) else {
                if iso.noline >> q & 1 == 0 {
                    iso.noline |= 1 << q;
                    iso.cnt_noline = (iso.cnt_noline + 1).min(0xffff);
                }
                return None;
            };
            iso.noline &= !(1 << q);
            let queue = shape.cold_queues() + hpq;
            let found = Line::found(State::Hot, out, vl, queue, i.regs.switch_id, vec![p.dlid()]);
            return Some((line, Line { own: true, reached: true, ..found }));
        }
        None
    }

    /// E1: a congested CPQ becomes a root.
    pub fn choose_root(
        &self,
        node: usize,
        iso: &mut InLines,
        input: usize,
        taken: bool,
    ) -> Option<(usize, Line)> {
        let i = &self.inputs[input];
        let vls = self.nodes[node].shape.vls;
        iso.noline &= i.cong_set;
        let mut left = i.cong_set;
        while left != 0 {
            let q = left.trailing_zeros() as usize;
            left &= left - 1;
            let head = i.queues[q].head;
            if head == NONE || iso.lines.iter().any(|l| l.state == State::Root && l.queue == q) {
                continue;
            }
            if taken {
                return None;
            }
            let Some(line) = iso.free_line() else {
                if iso.noline >> q & 1 == 0 {
                    iso.noline |= 1 << q;
                    iso.cnt_noline = (iso.cnt_noline + 1).min(0xffff);
                }
                return None;
            };
            iso.noline &= !(1 << q);
            let p = &self.pool[head];
            let dlist = if p.kind.is_isolated() { vec![p.dlid()] } else { Vec::new() };
            return Some((line, Line::found(State::Root, q / vls, q % vls, q, i.regs.switch_id, dlist)));
        }
        None
    }
}

/// The queue's congestion bit is looked at in cycle `t`.
pub fn due(i: &mut Input, q: usize, t: u64) {
    i.cong_due[q] = i.cong_due[q].min(t);
    i.cong_next = i.cong_next.min(t);
}

pub fn above(shape: &Shape, i: &Input, fill: u32) -> bool {
    thresholds(shape, i).is_some_and(|t| fill > t.high)
}
