//! The order of lanes at an input, or at an output (section 4): weighted round robin without a pointer.

use super::classes::Set;

/// YA7: the weight of a real-time lane on which so much is booked, 255 at most; 0 acts as 1.
pub(in crate::model) fn booked_weight(book: u32, wshift: u32) -> u32 {
    (book >> wshift).min(255)
}

/// Lanes, the first one first, and what is left to each.
#[derive(Clone)]
pub(in crate::model) struct Order {
    /// Which lane has which place.
    lanes: Vec<usize>,
    /// Flits left to each lane.
    pub(in crate::model) left: Vec<u32>,
}

impl Order {
    /// As after reset.
    pub(in crate::model) fn new(vls: usize) -> Order {
        Order { lanes: (0..vls).collect(), left: vec![1; vls] }
    }

    /// The first lane of a set.
    pub(in crate::model) fn first_of(&self, set: Set) -> Option<usize> {
        self.lanes.iter().copied().find(|v| set >> v & 1 != 0)
    }

    /// The place of each lane, by lane.
    pub(in crate::model) fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        self.lanes.iter().copied().enumerate().map(|(place, v)| (v, place))
    }

    /// A flit of a lane goes; `weight` is that of the lane, 0 acts as 1.
    pub(in crate::model) fn went(&mut self, v: usize, weight: u32) {
        if self.left[v] > 1 {
            self.left[v] -= 1;
            return;
        }
        self.left[v] = weight.max(1);
        self.lanes.retain(|&other| other != v);
        self.lanes.push(v);
    }
}
