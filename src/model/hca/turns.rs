//! H5, H8: which flows the output CAM lines stop, and whose turn it is after a stop. Section 2 of the page.

use super::{Cover, Hca};
use crate::params::Params;

/// Registers of the turns, per line.
pub(super) struct Turns {
    /// A stop has ended, and the turn was not used since; a bit a line.
    pub(super) fresh: u32,
    /// The entry of the list whose turn it is.
    pub(super) turn: Vec<usize>,
    /// Lines that were stopped in the cycle before.
    stopped: u32,
    /// The line whose turn may be searched.
    slot: usize,
}

impl Turns {
    pub(super) fn new(p: &Params) -> Turns {
        Turns { fresh: 0, turn: vec![0; p.lines], stopped: 0, slot: 0 }
    }
}

impl Hca {
    /// One cycle; `taken`: the flow whose packet is accepted. Returns the flows that are stopped in the next cycle, a bit
    /// each. `None`: as before, none.
    pub(super) fn step_turns(&mut self, taken: Option<usize>) -> Option<Vec<u32>> {
        let valid = self.send.out[self.so.ol_valid];
        let stopped = valid & self.send.out[self.so.ol_stop];
        let slot = self.turns.slot;
        self.turns.slot = (slot + 1) % self.p.lines;
        let ended = valid & !stopped & std::mem::replace(&mut self.turns.stopped, stopped);
        let old = self.turns.fresh;
        let mut fresh = ended;
        let turns = self.turns.turn.clone();
        for (k, &turn) in turns.iter().enumerate() {
            if valid >> k & 1 == 0 {
                self.turns.turn[k] = 0;
                continue;
            }
            let entry = self.send.unit.destinations(k).get(turn).copied();
            let flow = entry.and_then(|dlid| self.flow_of(dlid));
            let was_fresh = old >> k & 1 != 0;
            let is_stopped = stopped >> k & 1 != 0;
            let accepted = flow.is_some() && flow == taken;
            fresh |= u32::from(was_fresh && !is_stopped && !accepted) << k;
            let is_able = flow.is_some_and(|f| self.throttle.unit.is_able(&self.throttle.input, f));
            let next = (turn + 1) % self.p.dlist;
            self.turns.turn[k] = if entry.is_none() {
                0
            } else if accepted && (was_fresh || is_stopped) || was_fresh && k == slot && !is_able {
                next
            } else {
                turn
            };
            self.hit_if(entry.is_none() && turn > 0, Cover::h5_turn_at_end);
            self.hit_if(was_fresh && accepted, Cover::h5_turn_used);
            self.hit_if(is_stopped && accepted, Cover::h5_turn_used_stopped);
            self.hit_if(
                was_fresh && !accepted && k == slot && entry.is_some() && !is_able,
                Cover::h5_turn_sought,
            );
            self.hit_if(was_fresh && is_stopped, Cover::h5_turn_stopped);
        }
        self.turns.fresh = fresh;
        self.hit_if(ended != 0, Cover::h5_turn_begins);
        self.stopped_flows(stopped, fresh, &turns)
    }

    /// H5: the flows of stopped lines, and of fresh ones those whose turn it is not.
    fn stopped_flows(&mut self, stopped: u32, fresh: u32, turns: &[usize]) -> Option<Vec<u32>> {
        let lines = stopped | fresh;
        if lines == 0 && self.stop.iter().all(|s| *s == 0) {
            return None;
        }
        let mut stop = vec![0; self.stop.len()];
        let mut waits = false;
        for k in (0..self.p.lines).filter(|k| lines >> k & 1 != 0) {
            let by_stop = stopped >> k & 1 != 0;
            let mut by_this_line = vec![0; stop.len()];
            for (d, dlid) in self.send.unit.destinations(k).iter().enumerate() {
                if let Some(flow) = self.flow_of(*dlid).filter(|_| by_stop || d != turns[k]) {
                    by_this_line[flow / 32] |= 1 << (flow % 32);
                    waits |= !by_stop && !self.injector.queues[flow].is_empty();
                }
            }
            let twice = stop.iter().zip(&by_this_line).any(|(a, b)| a & b != 0);
            self.hit_if(twice, Cover::h5_two_lines_stop);
            stop.iter_mut().zip(by_this_line).for_each(|(all, one): (&mut u32, u32)| *all |= one);
        }
        self.hit_if(waits, Cover::h5_turn_awaited);
        for flow in 0..self.p.flows {
            let (was, is) = (self.stop[flow / 32] >> (flow % 32) & 1, stop[flow / 32] >> (flow % 32) & 1);
            let waiting = !self.injector.queues[flow].is_empty();
            self.hit_if(is == 1 && waiting, Cover::h5_stopped);
            self.hit_if(was == 1 && is == 0 && waiting, Cover::h5_released);
        }
        Some(stop)
    }
}
