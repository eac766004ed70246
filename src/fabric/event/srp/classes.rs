//! Classes of lanes at an output (Q1, Q3, Q7): section 16 of its page.

use crate::fabric::event::bits::ones;
use crate::fabric::event::credit::NEVER;
use crate::fabric::event::packet::{Id, NONE};
use crate::fabric::event::state::{Ahead, Core, Grant};
use crate::fabric::event::wheel::Wake;
use crate::params::lanes::{PRIORITY, SrpLane};
use crate::scheme::packet::PacketKind;

use super::tag::Kind;

/// Of an output: whose turn it is in each class, and whom credits are owed to.
#[derive(Clone)]
pub struct Classes {
    /// Lanes of data.
    data: usize,
    /// Inputs.
    inputs: usize,
    ptr: [u16; PRIORITY.len()],
    /// Per lane of data, and of what is speculative.
    owed: Vec<Option<u8>>,
}

/// A valid request.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    input: usize,
    /// VL of its queue, and the lane whose credits it needs.
    vl: usize,
    lane: usize,
    class: SrpLane,
    place: usize,
    flits: u64,
    packet: Id,
    /// There is credit for it; for an MTU.
    credit: bool,
}

impl Classes {
    pub fn new(data: usize, inputs: usize) -> Classes {
        Classes { data, inputs, ptr: [0; PRIORITY.len()], owed: vec![None; data + 1] }
    }

    fn ring(&self, class: SrpLane) -> usize {
        match class {
            SrpLane::Data => self.inputs * self.data,
            SrpLane::Spec | SrpLane::Res => self.inputs,
            SrpLane::Reply => 2 * self.inputs,
        }
    }

    /// Its class, and its place there.
    fn place(&self, input: usize, lane: usize, nack: bool) -> (SrpLane, usize) {
        let class = SrpLane::of(lane, self.data + SrpLane::OTHERS);
        let place = match class {
            SrpLane::Data => input * self.data + lane,
            SrpLane::Spec | SrpLane::Res => input,
            SrpLane::Reply => 2 * input + usize::from(nack),
        };
        (class, place)
    }

    /// How far a request is from the pointer of its class.
    fn turn(&self, a: &Asker) -> usize {
        let (ring, ptr) = (self.ring(a.class), usize::from(self.ptr[a.class as usize]));
        if a.place >= ptr { a.place - ptr } else { a.place + ring - ptr }
    }

    fn fits(&self, a: &Asker) -> bool {
        a.credit && (a.lane > self.data || self.owed[a.lane].is_none_or(|i| usize::from(i) == a.input))
    }

    /// The request that is granted.
    fn winner(&self, all: &[Asker]) -> Option<Asker> {
        let of = |class| {
            let fit = all.iter().filter(|a| a.class == class && self.fits(a));
            fit.min_by_key(|a| self.turn(a)).copied()
        };
        PRIORITY.into_iter().find_map(of)
    }

    /// Whom credits are owed to after this cycle. Whether somebody's claim has ended.
    fn follow_owed(&mut self, all: &[Asker], granted: Option<&Asker>) -> bool {
        let mut ended = false;
        for v in 0..=self.data {
            let of_lane = || all.iter().filter(move |a| a.lane == v);
            if let Some(i) = self.owed[v] {
                let served = granted.is_some_and(|g| g.lane == v && g.input == usize::from(i));
                if served || !of_lane().any(|a| a.input == usize::from(i)) {
                    self.owed[v] = None;
                    ended = true;
                }
                continue;
            }
            let Some(g) = granted.filter(|g| (g.class == SrpLane::Spec) == (v == self.data)) else {
                continue;
            };
            if !matches!(g.class, SrpLane::Data | SrpLane::Spec) {
                continue;
            }
            let passed = of_lane().filter(|a| !a.credit && self.turn(a) < self.turn(g));
            self.owed[v] = passed.min_by_key(|a| self.turn(a)).map(|a| a.input as u8);
        }
        ended
    }

    fn move_pointer(&mut self, a: &Asker) {
        self.ptr[a.class as usize] = ((a.place + 1) % self.ring(a.class)) as u16;
    }
}

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
