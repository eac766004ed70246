//! Section 7: the packet that goes next.

use super::ops::{Choice, Op};
use super::state::Reservation;
use crate::model::util::round_robin;

impl Reservation {
    /// The first flow of these, from a pointer on, busy or not.
    pub(super) fn first(&self, from: usize, word: impl Fn(usize) -> u32) -> Option<usize> {
        round_robin(self.words, from, word)
    }

    /// The granted packet that would go on a lane, whatever room it has.
    fn granted_on(&self, lane: usize) -> Option<usize> {
        let of_lane = |w: usize| self.bits.go[w] & self.on_lane[lane][w];
        self.first(self.turns.granted[lane], of_lane)
    }

    /// The granted packet that goes, by lanes with room.
    pub(super) fn granted(&self, room: u32) -> Option<Choice> {
        let lanes = self.on_lane.len();
        (0..lanes)
            .map(|i| (self.turns.lane + i) % lanes)
            .filter(|lane| room >> lane & 1 != 0)
            .find_map(|lane| self.granted_on(lane).map(|flow| Choice { flow, lane }))
    }

    /// Some granted packet waits for room.
    pub(super) fn granted_lacks_room(&self, room: u32) -> bool {
        (0..self.on_lane.len()).any(|lane| room >> lane & 1 == 0 && self.granted_on(lane).is_some())
    }

    /// Some flow has a granted packet that the link has credits for.
    pub(super) fn granted_for_link(&self, link_room: u32) -> bool {
        self.on_lane.iter().enumerate().any(|(lane, on_lane)| {
            link_room >> lane & 1 != 0 && self.bits.go.iter().zip(on_lane).any(|(go, of)| go & of != 0)
        })
    }

    /// The speculative packet that would go, whatever room there is.
    pub(super) fn speculative(&self) -> Option<Choice> {
        let flow = self.first(self.turns.spec, |w| self.bits.sp[w])?;
        Some(Choice { flow, lane: self.on_lane.len() })
    }

    /// What S chooses, busy or not.
    pub(super) fn choice(&self, room: u32, link_room: u32, ungranted: bool) -> Option<Choice> {
        let idle = self.offer.is_none() && !ungranted && !matches!(self.op, Some(Op::Send(_)));
        if !idle {
            return None;
        }
        let may_speculate = room >> self.on_lane.len() & 1 != 0 && !self.granted_for_link(link_room);
        self.granted(room).or_else(|| self.speculative().filter(|_| may_speculate))
    }

    /// Moves the pointers behind what was chosen.
    pub(super) fn chosen(&mut self, choice: Choice) {
        let next = (choice.flow + 1) % self.p.flows;
        match self.turns.granted.get_mut(choice.lane) {
            Some(pointer) => {
                *pointer = next;
                self.turns.lane = (choice.lane + 1) % self.on_lane.len();
            }
            None => self.turns.spec = next,
        }
    }

    /// An op of the flow is in O1.
    pub(super) fn busy(&self, flow: usize) -> bool {
        self.op.map(Op::flow) == Some(flow)
    }
}
