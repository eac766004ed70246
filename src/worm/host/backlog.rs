//! Messages of no stream that wait at their host.

use std::collections::VecDeque;

use crate::worm::metrics::Refusal;
use crate::worm::port::Class;
use crate::worm::traffic::Scattered;

/// The backlog of a class, first in, first out.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    pub(super) queue: VecDeque<Scattered>,
    /// A post was refused: why, and until when nothing is tried unless a completion comes that helps.
    held: Option<(Refusal, u64)>,
}

impl Backlog {
    /// Something can be posted.
    pub(super) fn can_post(&self, t: u64) -> bool {
        !self.queue.is_empty() && self.held.is_none_or(|(_, until)| t >= until)
    }

    /// The post was refused.
    pub(super) fn hold(&mut self, why: Refusal, until: u64) {
        self.held = Some((why, until));
    }

    /// A message of a class has left its adapter: where that is what the backlog of class `own` waits for, it is tried again.
    pub(super) fn completes(&mut self, own: Class, of: Class) {
        let helps = match self.held {
            None => false,
            // The queue of control is its own; the other two classes have their room together.
            Some((Refusal::Full, _)) => (own == Class::Control) == (of == Class::Control),
            Some((Refusal::NoCredit, _)) => own == of,
        };
        if helps {
            self.held = None;
        }
    }
}
