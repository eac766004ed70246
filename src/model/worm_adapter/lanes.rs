//! Lanes to the link, and what is on the way to `tx`.

use std::collections::VecDeque;

use super::message::{Flit, Sent};
use crate::model::worm::classes::Set;
use crate::model::worm::order::Order;
use crate::params::Params;

/// The lanes, and what is on the way to `tx`.
pub(super) struct Link {
    pub(super) lanes: Vec<VecDeque<Flit>>,
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
            credits: vec![p.depth; p.vls],
            inside: 0,
            tail: false,
            order: Order::new(p.vls),
            guard: 0,
            going: None,
            sent: None,
        }
    }

    /// The header in front of a lane.
    pub(super) fn front_header(&self, v: usize) -> Option<&Flit> {
        self.lanes[v].front().filter(|_| self.inside >> v & 1 == 0)
    }
}
