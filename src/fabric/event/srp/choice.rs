//! The packet that goes next (Q17, Q20).

use super::engine::Engine;
use super::ops::{Choice, Op, Room};

impl Engine {
    /// S may choose.
    pub(super) fn may_choose(&self) -> bool {
        self.offer.is_none() && !self.ungranted && !matches!(self.op, Some(Op::Send(_)))
    }

    /// Lanes for which some flow has a packet, as bits; D: speculative.
    pub(super) fn lanes(&self) -> u32 {
        let any = |b: &crate::fabric::event::bits::Bits| (0..b.words()).any(|w| b.word(w) != 0);
        let granted = self.table.go.iter().enumerate().map(|(lane, go)| u32::from(any(go)) << lane);
        granted.sum::<u32>() | u32::from(any(&self.table.sp)) << self.table.go.len()
    }

    /// What S chooses, and the lanes that lack room.
    pub(super) fn choose_packet(&mut self, room: &mut dyn FnMut(usize) -> Room) -> Option<Choice> {
        if !self.may_choose() {
            return None;
        }
        let (lanes, asked) = (self.table.go.len(), self.lanes());
        // A granted packet that the link has credits for: nothing speculative goes.
        let mut held = false;
        for k in 0..=lanes {
            let lane = if k < lanes { (self.ptr.lane + k) % lanes } else { lanes };
            if asked >> lane & 1 == 0 {
                continue;
            }
            if lane == lanes && held {
                // What the granted packet waits for wakes the adapter.
                self.lacks |= 1 << lane;
                continue;
            }
            let has = room(lane);
            held |= lane < lanes && has != Room::None;
            if has != Room::Free {
                self.lacks |= 1 << lane;
                continue;
            }
            let flow = match self.ptr.granted.get(lane) {
                Some(&from) => self.first(from, |t, w| t.go[lane].word(w)),
                None => self.first(self.ptr.spec, |t, w| t.sp.word(w)),
            };
            if let Some(flow) = flow {
                return Some(Choice { flow, lane });
            }
        }
        None
    }

    /// Moves the pointers behind what was chosen.
    pub(super) fn chosen(&mut self, choice: Choice) {
        let next = (choice.flow + 1) % self.table.flows();
        match self.ptr.granted.get_mut(choice.lane) {
            Some(pointer) => {
                *pointer = next;
                self.ptr.lane = (choice.lane + 1) % self.ptr.granted.len();
            }
            None => self.ptr.spec = next,
        }
    }

    /// Lanes without room, for which a packet waits.
    pub fn starved(&self) -> u32 {
        if self.may_choose() { self.lacks & self.lanes() } else { 0 }
    }
}
