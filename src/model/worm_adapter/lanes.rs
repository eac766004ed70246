//! Lanes to the link, and what is on the way to `tx`.

use std::collections::VecDeque;

use super::message::{Flit, Sent};
use crate::model::worm::classes::Set;
use crate::model::worm::order::Order;
use crate::params::Params;

/// The lanes, and what is on the way to `tx`.
pub(super) struct Link {
    pub(super) lanes: Vec<VecDeque<Flit>>,
    /// Lanes with flits.
    pub(super) filled: Set,
    pub(super) credits: Vec<usize>,
    /// Lanes whose front message has begun to leave.
    pub(super) inside: Set,
    /// A tail went in the cycle before that has a turn at the table when it leaves.
    pub(super) tail: bool,
    pub(super) order: Order,
    pub(super) guard: u32,
    /// The flit that went in the cycle before.
    pub(super) going: Option<Sent>,
    /// The one on `tx`.
    pub(super) sent: Option<Sent>,
}

impl Link {
    pub(super) fn new(p: &Params) -> Link {
        Link {
            lanes: (0..p.vls).map(|_| VecDeque::with_capacity(p.lane)).collect(),
            filled: 0,
            credits: vec![p.depth; p.vls],
            inside: 0,
            tail: false,
            order: Order::new(p.vls),
            guard: 0,
            going: None,
            sent: None,
        }
    }

    /// A flit gets into a lane.
    pub(super) fn push(&mut self, v: usize, flit: Flit) {
        self.lanes[v].push_back(flit);
        self.filled |= 1 << v;
    }

    /// The front flit leaves its lane.
    pub(super) fn leave(&mut self, v: usize) -> Option<Flit> {
        let flit = self.lanes[v].pop_front();
        self.filled &= !(Set::from(self.lanes[v].is_empty()) << v);
        flit
    }

    /// The header in front of a lane.
    pub(super) fn front_header(&self, v: usize) -> Option<&Flit> {
        self.lanes[v].front().filter(|_| self.inside >> v & 1 == 0)
    }
}
