//! Queues of messages, and what is moved into lanes.

use std::collections::VecDeque;

use super::message::Message;
use super::table::Connection;
use crate::params::Params;
use crate::scheme::any_up::SEED;

/// A message that is being moved.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) message: Message,
    pub(super) lane: usize,
    /// Flits still to move.
    pub(super) left: usize,
    /// Its connection, as it was when it was chosen.
    pub(super) connection: Connection,
}

impl Move {
    /// The flit that is moved in this cycle: 0 is the header.
    pub(super) fn index(&self) -> usize {
        self.message.len - self.left
    }

    /// The host is asked for that flit.
    pub(super) fn asks(&self) -> bool {
        self.index() > 0 && self.message.sort.is_of_host()
    }
}

/// The queues, and what is moved.
pub(super) struct Mover {
    pub(super) control: VecDeque<Message>,
    pub(super) real_time: VecDeque<Message>,
    pub(super) best_effort: VecDeque<Message>,
    pub(super) current: Option<Move>,
    /// The adapter's own control messages are next.
    pub(super) own_first: bool,
    pub(super) guard: u32,
    pub(super) lfsr: u32,
}

impl Mover {
    pub(super) fn new(p: &Params) -> Mover {
        Mover {
            control: VecDeque::with_capacity(p.ctlq),
            real_time: VecDeque::with_capacity(p.msgq),
            best_effort: VecDeque::with_capacity(p.msgq),
            current: None,
            own_first: false,
            guard: 0,
            lfsr: SEED,
        }
    }
}
