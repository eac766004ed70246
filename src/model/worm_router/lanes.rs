//! Lanes of an input, with what has come in on them (section 2).

use std::collections::VecDeque;

/// A flit as it is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flit {
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) bad: bool,
    pub(super) data: [u32; 4],
}

impl Flit {
    /// Section 6: what a lane sends whose message was cut.
    pub(super) const MADE_TAIL: Flit = Flit { first: false, last: true, bad: true, data: [0; 4] };
}

/// A lane of an input.
#[derive(Clone, Default)]
pub(super) struct Lane {
    pub(super) fifo: VecDeque<Flit>,
    /// Routes of the headers in the FIFO, the oldest ones first; the last headers may not have theirs yet.
    pub(super) routes: VecDeque<Option<usize>>,
    /// A message is coming in.
    pub(super) open: bool,
    /// The rest of a message is discarded.
    pub(super) drain: bool,
    /// The next flit is a made tail.
    pub(super) cut: bool,
    /// Pulses owed to the sender.
    pub(super) owed: usize,
    /// The output lane that the message owns: output, lane.
    pub(super) own: Option<(usize, usize)>,
}

impl Lane {
    /// The route of the header in front; none if no header is in front, or its route is not known.
    pub(super) fn front_route(&self) -> Option<Option<usize>> {
        self.fifo.front().filter(|f| f.first).and_then(|_| self.routes.front().copied())
    }

    /// The front flit is to be discarded.
    pub(super) fn discards(&self) -> bool {
        self.front_route() == Some(None) || self.drain && !self.fifo.is_empty()
    }

    /// The output of which it asks for a lane.
    pub(super) fn asks(&self) -> Option<usize> {
        self.front_route().flatten().filter(|_| self.own.is_none() && !self.cut)
    }

    /// There is a flit, or a made tail, to be sent.
    pub(super) fn has_flit(&self) -> bool {
        self.cut || !self.fifo.is_empty()
    }

    /// The flit that is sent when it goes.
    pub(super) fn next_flit(&self) -> Option<Flit> {
        if self.cut { Some(Flit::MADE_TAIL) } else { self.fifo.front().copied() }
    }

    /// The front flit leaves the FIFO.
    pub(super) fn leave(&mut self) -> Option<Flit> {
        let flit = self.fifo.pop_front();
        if flit.is_some_and(|f| f.first) {
            self.routes.pop_front();
        }
        flit
    }

    /// Section 2: `n` pulses more are due. Says whether one is sent.
    pub(super) fn pulse(&mut self, more: usize, depth: usize) -> bool {
        let n = self.owed + more;
        self.owed = n.saturating_sub(1).min(depth);
        n > 0
    }

    /// Section 6: the link is down. A message whose header has left is ended by a made tail; one whose header has not is forgotten, with
    /// the output lane that is returned.
    pub(super) fn fall(&mut self) -> Option<(usize, usize)> {
        let waits = !self.cut && self.fifo.front().is_some_and(|f| f.first);
        let free = if waits { self.own.take() } else { None };
        self.fifo.clear();
        self.routes.clear();
        (self.open, self.drain, self.owed) = (false, false, 0);
        self.cut = self.own.is_some();
        free
    }
}
