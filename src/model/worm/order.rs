//! The order of lanes at an input, or at an output (section 4): weighted round robin without a pointer.

use super::classes::{Set, members};
use super::wires::MOST;

/// YA7: the weight of a real-time lane on which so much is booked, 255 at most; 0 acts as 1.
pub(in crate::model) fn booked_weight(book: u32, wshift: u32) -> u32 {
    (book >> wshift).min(255)
}

/// An order of lanes, and what is left to each.
#[derive(Clone)]
pub(in crate::model) struct Order {
    vls: usize,
    /// For each lane those that are before it.
    before: [u16; MOST],
    /// Flits left to each lane.
    pub(in crate::model) left: [u32; MOST],
}

impl Order {
    /// As after reset.
    pub(in crate::model) fn new(vls: usize) -> Order {
        Order { vls, before: std::array::from_fn(|v| (1 << v) - 1), left: [1; MOST] }
    }

    /// The first lane of a set.
    pub(in crate::model) fn first_of(&self, set: Set) -> Option<usize> {
        members(set).find(|&v| Set::from(self.before[v]) & set == 0)
    }

    /// The place of a lane.
    pub(in crate::model) fn place(&self, v: usize) -> u32 {
        self.before[v].count_ones()
    }

    /// The place of each lane, by lane.
    pub(in crate::model) fn places(&self) -> impl Iterator<Item = (usize, u32)> {
        (0..self.vls).map(|v| (v, self.place(v)))
    }

    /// A flit of a lane goes; `weight` is that of the lane, 0 acts as 1.
    pub(in crate::model) fn went(&mut self, v: usize, weight: u32) {
        if self.left[v] > 1 {
            self.left[v] -= 1;
            return;
        }
        self.left[v] = weight.max(1);
        // To the end: before none, and all before it.
        let all = ((1u32 << self.vls) - 1) as u16;
        self.before.iter_mut().for_each(|before| *before &= !(1 << v));
        self.before[v] = all & !(1 << v);
    }
}
