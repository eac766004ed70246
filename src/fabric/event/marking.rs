//! Which packets an output marks (section 5 of its page).

use super::state::Core;
use crate::model::header::Marks;
use crate::scheme::marking::next_lfsr;

impl Core {
    /// Section 5 of the output port: first flits that cross in this cycle are marked.
    pub fn cross(&mut self, out: usize, t: u64) {
        while let Some(&(at, id)) = self.outputs[out].crossing.front() {
            if at > t {
                return;
            }
            let o = &mut self.outputs[out];
            o.crossing.pop_front();
            let p = &mut self.pool[id];
            let vl = p.vl as usize;
            // The state that the packet's own grant leaves (section 11), or the one that is shown.
            let state = match &o.at_once {
                None => o.state[vl],
                Some(tests) => {
                    let (since, before) = tests[vl];
                    let held = if since == t { before } else { o.turns[vl].rooted };
                    o.count[vl] > 0 && (o.regs.victim || held)
                }
            };
            if !state || !p.kind.is_marked() || p.n < o.regs.packet_size {
                continue;
            }
            let (rate, fraction) = (o.regs.marking_rate, o.regs.mark_fraction);
            let mark = o.regs.mark_mode.marks(o.lfsr, rate, fraction, &mut o.mark_count[vl]);
            o.lfsr = next_lfsr(o.lfsr);
            if mark {
                p.marks |= Marks::FECN;
                o.cnt_marked += 1;
            }
        }
    }
}
