//! Those that wait for a turn at the table.

use std::collections::VecDeque;

use crate::model::worm::wires::{Opening, Posting};
use crate::params::Params;

/// A reply that waits.
#[derive(Clone, Copy)]
pub(super) struct Reply {
    pub(super) ack: bool,
    pub(super) conn: u32,
    pub(super) node: u32,
    pub(super) slid: u32,
    pub(super) bw: u32,
    pub(super) seq: u32,
    /// Its turn gives a pulse: the link has not fallen since it came.
    pub(super) pulse: bool,
}

/// Those that wait for the table.
pub(super) struct Turns {
    /// Whose turn is next: 0 reply, 1 open, 2 post.
    pub(super) next: usize,
    pub(super) open: Option<Opening>,
    pub(super) post: Option<Posting>,
    pub(super) replies: VecDeque<Reply>,
    /// Cycles until an open has a turn.
    pub(super) gap: u32,
}

impl Turns {
    pub(super) fn new(p: &Params) -> Turns {
        Turns { next: 0, open: None, post: None, replies: VecDeque::with_capacity(p.depth + 1), gap: 0 }
    }

    /// Who can have a turn: reply, open, post.
    pub(super) fn wait(&self) -> [bool; 3] {
        [!self.replies.is_empty(), self.open.is_some() && self.gap == 0, self.post.is_some()]
    }
}
