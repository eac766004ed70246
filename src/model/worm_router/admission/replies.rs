//! Replies on the reply lane, between the messages of its FIFO (YA3).

use super::super::lanes::{Flit, Set};
use super::super::state::{ADM_LOST, NO_ROUTE, WormRouter};

/// A reply lane that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Asks {
    pub(in super::super) out: usize,
    /// For its slot, not for its FIFO.
    pub(in super::super) by_slot: bool,
    /// Both might have asked.
    pub(in super::super) both: bool,
}

impl WormRouter {
    /// What lane `v` of input `i` owns is its slot's.
    pub(in super::super) fn slot_owns(&self, i: usize, v: usize) -> bool {
        v == self.reply_lane() && self.adm.ports[i].slot.own
    }

    /// There is a flit to be sent on a lane.
    pub(in super::super) fn has_flit(&self, i: usize, v: usize) -> bool {
        let slot = self.slot_owns(i, v);
        if slot { !self.adm.ports[i].slot.is_empty() } else { self.inputs[i].lanes[v].has_flit() }
    }

    /// The flit that is sent when a lane's goes.
    pub(in super::super) fn next_flit(&self, i: usize, v: usize) -> Option<Flit> {
        if self.slot_owns(i, v) {
            return Some(self.adm.ports[i].slot.next_flit());
        }
        self.inputs[i].lanes[v].next_flit()
    }

    /// How the reply lane of input `i` asks. `up`: its link is; then its FIFO may ask.
    pub(in super::super) fn reply_asks(&self, i: usize, up: bool) -> Option<Asks> {
        let (lane, slot) = (&self.inputs[i].lanes[self.reply_lane()], &self.adm.ports[i].slot);
        if lane.own.is_some() {
            return None;
        }
        let fifo = lane.asks().filter(|_| up);
        let by_slot = slot.way.is_some() && (slot.turn || fifo.is_none());
        let out = if by_slot { slot.way } else { fifo }?;
        Some(Asks { out, by_slot, both: slot.way.is_some() && fifo.is_some() })
    }

    /// The answers of the forwarding table of the cycle before get to their slots.
    pub(in super::super) fn answer_slots(&mut self, errors: &mut [u32]) {
        let on = self.admits();
        for (i, error) in errors.iter_mut().enumerate().take(self.p.ports) {
            let lost = self.adm.ports[i].slot.answer();
            if lost {
                *error |= NO_ROUTE | if on { ADM_LOST } else { 0 };
            }
            self.meet_answer(lost);
        }
    }

    /// The reply lane of input `i` got one of an output. `slots`: inputs whose slot asked; `both`: those whose FIFO might have, too.
    pub(in super::super) fn grant_reply(&mut self, i: usize, slots: Set, both: Set, up: Set) {
        if self.p.admit {
            let slot = slots >> i & 1 != 0;
            self.meet_grant(i, slot, both >> i & 1 != 0, up);
            self.adm.ports[i].slot.granted(slot);
        }
    }
}
