//! Section 3: messages that wait.

use std::collections::VecDeque;

use crate::scheme::chunk::psn;

/// What the host posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) pkts: u32,
    /// Flits of the last packet.
    pub(super) last: u32,
    /// PSN of the first one.
    pub(super) psn: u32,
}

/// Why a message does not become part of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// The one before is shorter than whole packets.
    Short,
    /// Its PSNs do not follow.
    Gap,
    /// Both have too many packets.
    Long,
}

impl Message {
    /// Whether a message may follow this one as part of it.
    pub(super) fn takes(&self, next: &Message, mtu: u32) -> Result<(), Apart> {
        if self.last != mtu {
            return Err(Apart::Short);
        }
        if psn(self.psn, self.pkts) != next.psn {
            return Err(Apart::Gap);
        }
        if self.pkts + next.pkts > 0xffff {
            return Err(Apart::Long);
        }
        Ok(())
    }
}

/// A FIFO for each flow.
pub(super) struct Messages {
    queues: Vec<VecDeque<Message>>,
    most: usize,
}

/// What is wrong with a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    Flow,
    NoPackets,
    Last,
    Full,
}

impl Messages {
    pub(super) fn new(flows: usize, most: usize) -> Messages {
        Messages { queues: vec![VecDeque::new(); flows], most }
    }

    pub(super) fn clear(&mut self) {
        self.queues.iter_mut().for_each(VecDeque::clear);
    }

    pub(super) fn is_full(&self, flow: usize) -> bool {
        self.queues[flow].len() >= self.most
    }

    pub(super) fn waits(&self, flow: usize) -> bool {
        !self.queues[flow].is_empty()
    }

    /// The oldest message of a flow that has one.
    pub(super) fn head(&self, flow: usize) -> Message {
        self.queues[flow][0]
    }

    pub(super) fn pop(&mut self, flow: usize) {
        self.queues[flow].pop_front();
    }

    /// Whether a post is taken.
    pub(super) fn accepts(&self, flow: usize, message: &Message, mtu: u32) -> Result<(), Refused> {
        match self.queues.get(flow) {
            None => Err(Refused::Flow),
            Some(_) if message.pkts == 0 => Err(Refused::NoPackets),
            Some(_) if message.last == 0 || message.last > mtu => Err(Refused::Last),
            Some(queue) if queue.len() >= self.most => Err(Refused::Full),
            Some(_) => Ok(()),
        }
    }

    /// The tail of a flow with several messages.
    pub(super) fn tail(&self, flow: usize) -> Option<Message> {
        let queue = &self.queues[flow];
        queue.back().copied().filter(|_| queue.len() >= 2)
    }

    /// A message that follows the tail becomes part of it.
    pub(super) fn join(&mut self, flow: usize, message: Message) {
        if let Some(tail) = self.queues[flow].back_mut() {
            tail.pkts += message.pkts;
            tail.last = message.last;
        }
    }

    pub(super) fn push(&mut self, flow: usize, message: Message) {
        self.queues[flow].push_back(message);
    }
}
