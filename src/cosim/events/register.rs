//! Registers that are written while something is on its way: the values that may hold.

use std::collections::VecDeque;

/// What of a register may hold, and must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub may: bool,
    pub must: bool,
}

impl Told {
    pub fn sure(is: bool) -> Told {
        Told { may: is, must: is }
    }

    pub fn and(self, other: Told) -> Told {
        Told { may: self.may && other.may, must: self.must && other.must }
    }

    pub fn or(self, other: Told) -> Told {
        Told { may: self.may || other.may, must: self.must || other.must }
    }
}

/// A register: its value, and those before with the cycle in which each was overwritten.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub now: u32,
    old: VecDeque<(u64, u32)>,
}

/// Values of a register that are remembered.
const VALUES: usize = 256;

impl Register {
    pub fn new(value: u32) -> Register {
        Register { now: value, old: VecDeque::new() }
    }

    pub fn write(&mut self, value: u32, now: u64) {
        if value != self.now {
            self.old.push_front((now, self.now));
            self.old.truncate(VALUES);
            self.now = value;
        }
    }

    /// Values that held since a cycle are forgotten.
    pub fn forgets(&self, from: u64) -> bool {
        self.old.len() == VALUES && self.old.back().is_some_and(|o| o.0 >= from)
    }

    /// The values that may hold since a cycle.
    pub fn since(&self, from: u64) -> impl Iterator<Item = u32> {
        let old = self.old.iter().take_while(move |o| o.0 >= from).map(|o| o.1);
        std::iter::once(self.now).chain(old)
    }

    /// The least and the largest of these.
    pub fn range(&self, from: u64) -> (u32, u32) {
        self.since(from).fold((self.now, self.now), |(least, most), v| (least.min(v), most.max(v)))
    }

    /// The one, if there is only one.
    pub fn sure(&self, from: u64) -> Option<u32> {
        self.since(from).all(|v| v == self.now).then_some(self.now)
    }

    /// Whether something is so of these.
    pub fn told(&self, from: u64, is: impl Fn(u32) -> bool) -> Told {
        Told { may: self.since(from).any(&is), must: self.since(from).all(&is) }
    }
}
