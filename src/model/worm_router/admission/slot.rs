//! The slot of an input that holds a reply of the router's own (YA3).

use super::super::lanes::Flit;
use crate::model::worm::header::Header;

/// Flits of a reply.
const FLITS: u32 = 10;

/// A reply, and whose turn it is on the reply lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Slot {
    /// Flits still to be sent.
    pub(in super::super) left: u32,
    header: Header,
    /// The answer of the forwarding table, on its way.
    looked: Option<Option<usize>>,
    /// The output, when it is known.
    pub(in super::super) way: Option<usize>,
    /// The slot is meant where the lane's FIFO might be, too.
    pub(in super::super) turn: bool,
    /// It owns the reply lane of its output.
    pub(in super::super) own: bool,
}

impl Slot {
    pub(in super::super) fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// A reply; its DLID has been looked up in this cycle.
    pub(in super::super) fn fill(&mut self, header: Header, route: Option<usize>) {
        (self.left, self.header, self.looked) = (FLITS, header, Some(route));
    }

    /// The answer of the cycle before. Without a route there is no reply: that is said.
    pub(in super::super) fn answer(&mut self) -> bool {
        let Some(route) = self.looked.take() else { return false };
        self.way = route;
        if route.is_none() {
            self.left = 0;
        }
        route.is_none()
    }

    /// The flit that is sent when it goes.
    pub(in super::super) fn next_flit(&self) -> Flit {
        let first = self.left == FLITS;
        let data = if first { self.header.0 } else { [0; 4] };
        Flit { first, last: self.left == 1, bad: false, data }
    }

    /// A flit goes.
    pub(in super::super) fn went(&mut self) {
        self.left -= 1;
        if self.left == 0 {
            (self.way, self.own) = (None, false);
        }
    }

    /// The output of which it asks for the reply lane.
    pub(in super::super) fn asks(&self) -> Option<usize> {
        self.way.filter(|_| !self.own)
    }

    /// The output of which it has the reply lane.
    pub(in super::super) fn sends_to(&self) -> Option<usize> {
        self.way.filter(|_| self.own)
    }
}
