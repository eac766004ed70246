//! Messages that wait (Q14).

use std::collections::VecDeque;

/// A message that the host posted.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    pub pkts: u32,
    /// Flits of the last packet, PSN of the first.
    pub last: u32,
    pub psn: u32,
    /// When it was generated, in cycles of traffic time, and when it was posted.
    pub born: u64,
    pub posted: u64,
}

/// A FIFO for each flow.
pub struct Messages {
    queues: Vec<VecDeque<Message>>,
    most: usize,
    /// The flow of the latest post, and its cycle, until it is seen.
    fresh: Option<(u64, usize)>,
    waiting: u64,
}

impl Messages {
    pub fn new(flows: usize, most: usize) -> Messages {
        Messages { queues: vec![VecDeque::new(); flows], most, fresh: None, waiting: 0 }
    }

    /// `gen_full`.
    #[inline]
    pub fn is_full(&self, flow: usize) -> bool {
        self.queues[flow].len() >= self.most
    }

    /// Messages of all flows that did not begin.
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    pub fn waits(&self, flow: usize) -> bool {
        !self.queues[flow].is_empty()
    }

    /// Posted in cycle `t`; at most one a cycle.
    pub fn post(&mut self, flow: usize, message: Message, t: u64) {
        self.queues[flow].push_back(message);
        self.fresh = Some((t, flow));
        self.waiting += 1;
    }

    /// The flow that has a message which is seen from now on: it was posted before cycle `t`.
    pub fn seen(&mut self, t: u64) -> Option<usize> {
        self.fresh.take_if(|(at, _)| *at < t).map(|(_, flow)| flow)
    }

    /// A post of the cycle before is not seen yet.
    pub fn is_fresh(&self) -> bool {
        self.fresh.is_some()
    }

    /// The oldest message of a flow begins.
    pub fn pop(&mut self, flow: usize) -> Option<Message> {
        let message = self.queues[flow].pop_front();
        self.waiting -= u64::from(message.is_some());
        message
    }
}
