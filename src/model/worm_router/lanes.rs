//! Lanes: their classes (YW7), and those of an input with what has come in on them (section 2).

use std::collections::VecDeque;

/// Lanes, ports or groups, a bit each.
pub(super) type Set = u32;

/// The members of a set, lowest first.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}

/// A class of lanes; what comes first goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Reply,
    Control,
    RealTime,
    BestEffort,
}

impl Class {
    /// First to last.
    pub(super) const ALL: [Class; 4] = [Class::Reply, Class::Control, Class::RealTime, Class::BestEffort];

    /// The guard of best-effort does not touch it (section 5).
    pub(super) fn is_exempt(self) -> bool {
        self < Class::RealTime
    }
}

/// YW7: which lanes are of which class.
#[derive(Clone, Copy)]
pub(super) struct Classes {
    vls: usize,
    best_effort: Set,
}

impl Classes {
    /// Of `vls` lanes with register BE_MASK.
    pub(super) fn new(vls: usize, be_mask: u32) -> Classes {
        Classes { vls, best_effort: be_mask & Classes::data(vls) }
    }

    /// The data lanes of `vls` lanes: all but the highest two.
    pub(super) fn data(vls: usize) -> Set {
        (1 << (vls - 2)) - 1
    }

    /// BE_MASK after reset: the B = max(1, floor(D/4)) highest data lanes.
    pub(super) fn reset_mask(vls: usize) -> u32 {
        let data = vls - 2;
        let share = (data / 4).max(1);
        ((1 << share) - 1) << (data - share)
    }

    pub(super) fn lanes(self, class: Class) -> Set {
        match class {
            Class::Reply => 1 << (self.vls - 2),
            Class::Control => 1 << (self.vls - 1),
            Class::RealTime => Classes::data(self.vls) & !self.best_effort,
            Class::BestEffort => self.best_effort,
        }
    }

    pub(super) fn of(self, lane: usize) -> Class {
        match lane {
            v if v == self.vls - 1 => Class::Control,
            v if v == self.vls - 2 => Class::Reply,
            v if self.best_effort >> v & 1 != 0 => Class::BestEffort,
            _ => Class::RealTime,
        }
    }

    /// The first class that has a lane in a set.
    pub(super) fn first_of(self, set: Set) -> Option<Class> {
        Class::ALL.into_iter().find(|&c| set & self.lanes(c) != 0)
    }
}

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
