//! Detectors of congestion, each in its file, and what their contributions mean to an output (D2, D3).

pub mod counts;
pub mod fill;
pub mod full;
pub mod head;
mod levels;

use crate::fabric::event::lines::{Effect, InLines, Line};
use crate::fabric::event::ports::Input;
use crate::fabric::event::state::{Core, Grant, Shape};
use crate::fabric::event::wheel::Wake;
use crate::scheme::Detector;
use crate::scheme::detector::Thresholds;

impl Core {
    /// E1: the line that an input's detector asks for; `effect` is that of this cycle's prop.
    pub fn find_congestion(
        &self,
        node: usize,
        iso: &mut InLines,
        input: usize,
        t: u64,
        grants: &[Grant],
        effect: Effect,
    ) -> Option<(usize, Line)> {
        let taken = matches!(effect, Effect::Take(..));
        let told = matches!(effect, Effect::Take(..) | Effect::Append(..));
        match self.nodes[node].shape.detector {
            Detector::None | Detector::Naive | Detector::Input | Detector::InputOutput | Detector::Levels => {
                None
            }
            Detector::Fill if self.inputs[input].regs.root_hpq => {
                self.choose_own_root(node, iso, input, grants, told)
            }
            Detector::Fill => self.choose_root(node, iso, input, taken),
            Detector::Head => self.detect(node, iso, input, t, grants, told),
        }
    }

    /// A contribution to an output begins or ends with S(t + 1).
    pub fn contribute(&mut self, out: usize, vl: usize, begins: bool, t: u64) {
        let output = &mut self.outputs[out];
        if output.regs.eval != 0 {
            return; // sums of fills count there
        }
        output.congested = true;
        if begins {
            output.bits[vl] += 1;
        } else {
            output.bits[vl] -= 1;
        }
        self.wheel.plan(t + 1, Wake::Output, out);
    }

    /// Section 4 of the output port: contributions and state, one step behind each other.
    pub fn follow_congestion(&mut self, node: usize, out: usize, t: u64) {
        if !self.outputs[out].congested {
            return;
        }
        let (vls, mtu) = (self.nodes[node].shape.vls, self.nodes[node].shape.mtu);
        let (root_now, victim) = (self.outputs[out].regs.root_now, self.outputs[out].regs.victim);
        // D5: a sum of fills may change in every cycle; that of a queue is known ahead. What is known to wait rises with what comes, which
        // wakes the output: it is looked at then, and while it is high.
        let sums = self.outputs[out].regs.eval != 0;
        let ahead = self.outputs[out].follows_queue();
        let known = self.outputs[out].waiting.is_some();
        let mut active = sums && !known;
        let mut again = sums && !ahead && !known;
        for v in 0..vls {
            if sums {
                let over = self.sum_is_high(node, out, v, t);
                let o = &mut self.outputs[out];
                o.hysteresis[v] = over;
                o.bits[v] = u32::from(over);
            }
            if ahead {
                self.watch_queue(out, v, t);
            }
            let o = &self.outputs[out];
            let (count, bits, state) = (o.count[v], o.bits[v], o.state[v]);
            if count == 0 && bits == 0 && !state {
                continue;
            }
            active = true;
            let root = match root_now && !victim {
                true => self.has_credit(out, v, mtu, t),
                false => victim || self.outputs[out].turns[v].rooted,
            };
            let now = count > 0 && root;
            let o = &mut self.outputs[out];
            o.held_now[v] = root;
            o.state[v] = now;
            o.count[v] = bits;
            again |= now != state || count != bits || bits > 0 && (known || root_now);
        }
        self.outputs[out].congested = active;
        if again {
            self.wheel.plan(t + 1, Wake::Output, out);
        }
    }
}

/// D4: thresholds of the cold queues; None: never.
fn thresholds(shape: &Shape, i: &Input) -> Option<Thresholds> {
    i.regs.cold.weighted(i.regs.weight, shape.cap)
}
