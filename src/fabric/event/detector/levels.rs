//! Input buffers that become full, and the packets in them then (SM1-SM3): section 14 of the input port's page.

use crate::fabric::event::bits::ones;
use crate::fabric::event::credit::Credits;
use crate::fabric::event::ports::{Arrivals, Input};
use crate::fabric::event::state::{Core, Grant};
use crate::fabric::event::wheel::Wake;
use crate::scheme::detector::FullBuffer;

impl Input {
    /// Flits of a VL in the buffer in S(t), as far as reads are known.
    fn used(&self, credits: &Credits, vl: usize, t: u64) -> u64 {
        let latest = match self.arrivals {
            Arrivals::Even(run) if self.latest_vl == vl => run.before(t),
            _ => 0,
        };
        self.stored[vl] + u64::from(latest) - credits.freed(vl, t)
    }
}

impl Core {
    /// SM1-SM3 in cycle `t`, before queues change: buffers that become full, and what is marked for it.
    pub fn follow_levels(&mut self, node: usize, ins: u64, grants: &mut [Grant], t: u64) {
        let n = &self.nodes[node];
        let (in0, out0, outs, vls) = (n.input, n.output, n.shape.outs, n.shape.vls);
        for g in &mut *grants {
            let markable = self.pool[self.inputs[g.input].queues[g.queue].head].kind.is_marked();
            let Some(fulls) = &self.inputs[g.input].fulls else { continue };
            g.asked = markable && fulls.marked[g.queue] > 0;
            g.markable = markable;
        }
        for i in ones(ins) {
            let input = &self.inputs[in0 + i];
            let Some(fulls) = &input.fulls else { continue };
            let credits = &self.credits[input.credits];
            // Only one VL's level rises.
            let vl = input.latest_vl;
            let over = |t: u64| input.used(credits, vl, t) > fulls.level;
            let buffer = FullBuffer { full: over(t - 1), armed: fulls.armed >> vl & 1 != 0 };
            if !buffer.fills(over(t)) {
                continue;
            }
            let Some(fulls) = &mut self.inputs[in0 + i].fulls else { continue };
            fulls.armed &= !(1 << vl);
            for o in (0..outs).filter(|o| fulls.waiting[o * vls + vl] > 0) {
                let q = o * vls + vl;
                if fulls.naive {
                    fulls.marked[q] = fulls.waiting[q];
                }
                if let Some(counting) = &mut self.outputs[out0 + o].counting {
                    counting.filled(vl, t + 1);
                }
            }
        }
        for g in grants.iter().filter(|g| g.markable) {
            let Some(fulls) = &mut self.inputs[g.input].fulls else { continue };
            fulls.waiting[g.queue] -= 1;
            fulls.marked[g.queue] = fulls.marked[g.queue].saturating_sub(1);
        }
    }

    /// Wakes the input when its level passes the threshold after cycle `t`, as far as reads are known: with a packet that comes, or a
    /// grant. After the last flit a level only falls.
    pub fn watch_level(&mut self, input: usize, vl: usize, t: u64) {
        let i = &self.inputs[input];
        let (Some(fulls), Arrivals::Even(run)) = (&i.fulls, i.arrivals) else { return };
        let credits = &self.credits[i.credits];
        let most = i.stored[vl] + u64::from(run.n) - credits.freed(vl, t);
        if vl != i.latest_vl || fulls.armed >> vl & 1 == 0 || most <= fulls.level {
            return;
        }
        let over = |t: u64| i.used(credits, vl, t) > fulls.level;
        let mut was = over(t);
        for at in t + 1..=run.last() + 1 {
            let is = over(at);
            if is && !was {
                self.wheel.plan(at, Wake::Input, input);
                return;
            }
            was = is;
        }
    }
}
