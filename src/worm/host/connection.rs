//! A stream at its host.

use std::collections::VecDeque;

use crate::worm::traffic::{Part, Stream};

/// Where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It is not to be opened, for now or for good.
    Idle,
    /// It is to be opened, or its open is at the adapter.
    Asking,
    /// Its probe is on its way (or without admission its event of the same cycle).
    Probing,
    Open,
    /// Its last message is accepted.
    Closing,
    Closed,
}

/// What it has to post.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Part(Part),
    /// The end: a message of one flit. Since when.
    Final(u64),
}

/// A connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) source: Stream,
    /// Of all streams of the network, which.
    pub(super) id: usize,
    pub(super) state: State,
    pub(super) queue: VecDeque<Item>,
    /// A post of it was refused a while ago.
    pub(super) asleep: bool,
    /// A post of it is at the adapter.
    pub(super) posting: bool,
    /// It is among those that have something to post.
    pub(super) ready: bool,
    /// It was not admitted, once.
    pub(super) refused: bool,
    /// It asked before.
    pub(super) asked: bool,
    /// The frame of which nothing is sent, for the stream was not admitted.
    pub(super) without: Option<u64>,
    /// It closes behind what is in its queue.
    pub(super) ends: bool,
}

impl Connection {
    pub(super) fn new(source: Stream, id: usize) -> Connection {
        Connection {
            source,
            id,
            state: State::Idle,
            queue: VecDeque::new(),
            asleep: false,
            posting: false,
            ready: false,
            refused: false,
            asked: false,
            without: None,
            ends: false,
        }
    }

    /// It can post, and is not among those that do.
    pub(super) fn becomes_ready(&mut self) -> bool {
        let can = self.state == State::Open && !self.asleep && !self.posting && !self.queue.is_empty();
        let new = can && !self.ready;
        self.ready |= can;
        new
    }

    /// What is created now is lost: the stream was refused, and is not open.
    pub(super) fn is_shut_out(&self) -> bool {
        self.refused && self.state != State::Open
    }
}
