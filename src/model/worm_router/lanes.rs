//! Lanes of an input, with what has come in on them (section 2).

use std::collections::VecDeque;
use std::ops::Index;

use crate::model::worm::classes::Set;
use crate::model::worm::wires::MOST;

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

    /// Nothing is here, and nothing is owed or owned.
    pub(super) fn is_idle(&self) -> bool {
        self.fifo.is_empty() && !self.open && !self.drain && !self.cut && self.owed == 0 && self.own.is_none()
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

    /// Its next flit goes. Says whether one leaves the FIFO: a made tail does not.
    pub(super) fn goes(&mut self, last: bool) -> bool {
        let leaves = !self.cut;
        if leaves {
            self.leave();
        }
        self.cut = false;
        if last {
            self.own = None;
        }
        leaves
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

/// The lanes of an input, and which of them can do something: what follows from a lane is worked out when it changes.
#[derive(Clone)]
pub(super) struct Lanes {
    all: Vec<Lane>,
    /// Lanes with flits.
    pub(super) filled: Set,
    /// Lanes that ask for a lane of an output.
    pub(super) asking: Set,
    /// Lanes that own one, and have a flit or a made tail for it.
    pub(super) sending: Set,
    /// Lanes whose front flit is to be discarded.
    pub(super) discarding: Set,
    /// Lanes that owe pulses.
    pub(super) owing: Set,
    /// Output and its lane that each lane owns, if it owns one.
    ways: [(u8, u8); MOST],
}

impl Lanes {
    /// As after reset.
    pub(super) fn new(vls: usize) -> Lanes {
        let all = vec![Lane::default(); vls];
        let ways = [(0, 0); MOST];
        Lanes { all, filled: 0, asking: 0, sending: 0, discarding: 0, owing: 0, ways }
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Lane> {
        self.all.iter()
    }

    /// The output lane that lane `v` owns, if it is one of those that are sending.
    pub(super) fn way(&self, v: usize) -> (usize, usize) {
        let (o, u) = self.ways[v];
        (o.into(), u.into())
    }

    /// Changes lane `v`.
    pub(super) fn change<T>(&mut self, v: usize, how: impl FnOnce(&mut Lane) -> T) -> T {
        let lane = &mut self.all[v];
        let result = how(lane);
        let note = |set: &mut Set, is: bool| *set = *set & !(1 << v) | Set::from(is) << v;
        note(&mut self.filled, !lane.fifo.is_empty());
        note(&mut self.asking, lane.asks().is_some());
        note(&mut self.sending, lane.own.is_some() && lane.has_flit());
        note(&mut self.discarding, lane.discards());
        note(&mut self.owing, lane.owed > 0);
        if let Some((o, u)) = lane.own {
            self.ways[v] = (o as u8, u as u8);
        }
        result
    }
}

impl Index<usize> for Lanes {
    type Output = Lane;

    fn index(&self, v: usize) -> &Lane {
        &self.all[v]
    }
}
