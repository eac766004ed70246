//! Replies of the router's own: their slots beside the FIFOs of the reply lanes (YA3).

use super::super::crossbar::Choice;
use super::super::state::{ADM_LOST, NO_ROUTE, Sets, WormRouter};
use crate::model::worm::classes::{Set, members};

impl WormRouter {
    /// It is the slot's turn at input `i`.
    pub(in super::super) fn slot_turn(&self, i: usize) -> bool {
        self.adm.ports[i].slot.turn
    }

    /// Inputs whose slot owns the reply lane of its output (coverage only).
    pub(in super::super) fn replying(&self) -> Set {
        if !self.watched {
            return 0;
        }
        self.ports().filter(|&i| self.adm.ports[i].slot.own).fold(0, |set, i| set | 1 << i)
    }

    /// What its slot would send, if it can: each output has these lanes with credits.
    pub(in super::super) fn slot_choice(&self, i: usize, open: &Sets) -> Option<Choice> {
        let (out, vl) = (self.adm.ports[i].slot.sends_to()?, self.reply_lane());
        let can = open[out] >> vl & 1 != 0;
        can.then(|| Choice::of_slot(vl, out))
    }

    /// The answers of the forwarding table of the cycle before get to their slots.
    pub(in super::super) fn answer_slots(&mut self, slots: Set, errors: &mut [u32]) {
        let on = self.admits();
        for i in members(slots) {
            let lost = self.adm.ports[i].slot.answer();
            if lost {
                errors[i] |= NO_ROUTE | if on { ADM_LOST } else { 0 };
            }
            if self.watched {
                self.meet_answer(lost);
            }
        }
    }

    /// Slot or FIFO of input `i` had what both might have had: the other one is next.
    pub(in super::super) fn turn_over(&mut self, i: usize, slot: bool) {
        self.adm.ports[i].slot.turn = !slot;
    }
}
