//! Which packets an output marks (sections 5 and 12 of its page).

use super::packet::Id;
use super::state::Core;
use crate::model::header::Marks;
use crate::scheme::marking::next_lfsr;

impl Core {
    /// VM2: whether the output is saturated for packets with MB whose first flits cross in the next cycle.
    pub fn saturate(&mut self, node: usize, out: usize, t: u64) {
        let Some(most) = self.outputs[out].regs.vb_th else { return };
        if self.outputs[out].queue.is_some() {
            return; // that is looked at when they cross
        }
        let Some(k) = self.outputs[out].crossing.iter().position(|c| c.at == t + 1) else { return };
        let p = &self.pool[self.outputs[out].crossing[k].packet];
        let saturated = p.marks.has(Marks::MB) && self.waiting_for(node, out, p.vl as usize, t).0 > most;
        self.outputs[out].crossing[k].saturated = saturated;
    }

    /// First flits that cross in this cycle are marked.
    pub fn cross(&mut self, out: usize, t: u64) {
        while let Some(&c) = self.outputs[out].crossing.front().filter(|c| c.at <= t) {
            self.outputs[out].crossing.pop_front();
            if !self.pool[c.packet].kind.is_marked() {
                continue;
            }
            let by_state = self.marked_by_state(out, c.packet, t);
            if by_state || c.asked || self.marked_by_count(out, c.packet, t) {
                self.pool[c.packet].marks |= Marks::FECN;
                self.outputs[out].cnt_marked += 1;
            }
            let full = self.fills_queue(out, c.packet, t);
            self.pool[c.packet].marks |= Marks::VB.when(c.saturated || full);
        }
    }

    /// VM2: the packet has MB, and with it the output's queue holds more than it should.
    fn fills_queue(&self, out: usize, id: Id, t: u64) -> bool {
        let (o, p) = (&self.outputs[out], &self.pool[id]);
        let (Some(queue), Some(most)) = (&o.queue, o.regs.vb_th) else { return false };
        p.marks.has(Marks::MB) && queue.fill(p.vl as usize, t) > most.into()
    }

    /// SM4: the packet is one of those that wait to be marked.
    fn marked_by_count(&mut self, out: usize, id: Id, t: u64) -> bool {
        let vl = self.pool[id].vl as usize;
        self.outputs[out].counting.as_mut().is_some_and(|c| c.catch_up(vl, t).marked > 0)
    }

    /// Section 5: the packet is eligible, and chosen.
    fn marked_by_state(&mut self, out: usize, id: Id, t: u64) -> bool {
        let o = &mut self.outputs[out];
        let p = &self.pool[id];
        let vl = p.vl as usize;
        // The state that the packet's own grant leaves (section 11), or the one that is shown.
        let state = match &o.at_once {
            None => o.state[vl],
            Some(tests) => {
                let (since, before) = tests[vl];
                let held = match o.regs.root_now {
                    true => o.held_now[vl],
                    false if since == t => before,
                    false => o.turns[vl].rooted,
                };
                o.count[vl] > 0 && (o.regs.victim || held)
            }
        };
        if !o.marks || !state || p.n < o.regs.packet_size {
            return false;
        }
        let (rate, fraction) = (o.regs.marking_rate, o.regs.mark_fraction);
        let mark = o.regs.mark_mode.marks(o.lfsr, rate, fraction, &mut o.mark_count[vl]);
        o.lfsr = next_lfsr(o.lfsr);
        mark
    }
}
