//! Arbitration between classes of lanes (Q3): section 16 of the output port's page.

use crate::fabric::event::bits::ones;
use crate::fabric::event::credit::NEVER;
use crate::fabric::event::packet::NONE;
use crate::fabric::event::state::{Ahead, Core, Grant};
use crate::fabric::event::wheel::Wake;
use crate::params::lanes::SrpLane;
use crate::scheme::packet::PacketKind;

use super::classes::Asker;
use super::tag::Kind;

impl Core {
    /// Section 16 of the output port; the output is free.
    pub fn arbitrate_classes(&mut self, node: usize, out: usize, t: u64, grants: &mut Vec<Grant>) {
        let Some(classes) = &self.outputs[out].classes else { return };
        let spec = classes.data;
        let shape = &self.nodes[node].shape;
        let (mtu, detects) = (shape.mtu, shape.detector.follows_fills());
        let (in0, local) = (self.nodes[node].input, out - self.nodes[node].output);
        let mut all = std::mem::take(&mut self.askers);
        all.clear();
        let (mut later, mut short) = (NEVER, 0u64);
        let mut at = self.outputs[out].next_lane(0);
        while let Some(v) = at {
            at = self.outputs[out].next_lane(v + 1);
            for i in ones(self.outputs[out].want[v]) {
                let input = &self.inputs[in0 + i];
                let packet = input.queues[self.nodes[node].shape.queue_of(local, v)].head;
                debug_assert!(packet != NONE);
                let p = &self.pool[packet];
                let mut ready = p.start;
                if !input.engines[local].open(t) {
                    ready = ready.max(input.engines[local].ending);
                }
                if ready > t {
                    later = later.min(ready);
                    continue;
                }
                let (flits, mut lane) = (u64::from(p.n), v);
                let nack = v == spec && self.pool.tag(packet).kind == Kind::Nack;
                if nack {
                    lane = SrpLane::Reply.vl(spec + SrpLane::OTHERS);
                } else if v == spec && input.spec.as_ref().is_some_and(|s| s.has_expired(t)) {
                    continue;
                }
                let credit = self.has_credit(out, lane, flits, t);
                if detects && v < spec && !self.has_credit(out, lane, mtu, t) {
                    short |= 1 << v;
                }
                let Some(classes) = &self.outputs[out].classes else { continue };
                let (class, place) = classes.place(i, lane, nack);
                all.push(Asker { input: i, vl: v, lane, class, place, flits, packet, credit });
            }
        }
        let Some(classes) = &mut self.outputs[out].classes else { return };
        let winner = classes.winner(&all);
        let ended = classes.follow_owed(&all, winner.as_ref());
        if let Some(w) = &winner {
            classes.move_pointer(w);
        }
        // D3: data of a lane wait, but for one that is served: that is settled when it is.
        let served = winner.filter(|w| w.lane < spec).map_or(0, |w| 1 << w.lane);
        ones(short & !served).for_each(|v| self.outputs[out].turns[v].waited = true);
        match winner {
            Some(w) => grants.push(self.grant_of_lane(out, in0 + w.input, &w)),
            None => {
                if later != NEVER {
                    self.wheel.plan(later, Wake::Output, out);
                }
                if ended {
                    self.wheel.plan(t + 1, Wake::Output, out);
                }
                for a in all.iter().filter(|a| !a.credit) {
                    self.await_credit(out, a.lane, a.flits, t);
                }
            }
        }
        self.askers = all;
    }

    fn grant_of_lane(&self, out: usize, input: usize, w: &Asker) -> Grant {
        let local_out = self.outputs[out].port as usize;
        let node = self.outputs[out].node as usize;
        Grant {
            out,
            local_out,
            input,
            vl: w.vl,
            choice: 0,
            queue: self.nodes[node].shape.queue_of(local_out, w.vl),
            dlid: self.pool[w.packet].dlid(),
            kind: PacketKind::Data,
            ahead: Ahead::No,
            renews: 0,
            bound: None,
            passes: 0,
            waits: false,
            markable: false,
            asked: false,
        }
    }
}
