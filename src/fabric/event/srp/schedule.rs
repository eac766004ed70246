//! The destination (Q10 to Q13): requests that wait, and the time from which the ejection link is free.

use std::collections::VecDeque;

use crate::fabric::event::credit::NEVER;
use crate::params::Params;
use crate::scheme::reservation::granted;

use super::regs::Regs;

/// A RES that waits.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// It can be head from this cycle on.
    pub from: u64,
    /// Source, its SL, chunk and the flits of that.
    pub src: u32,
    pub sl: u8,
    pub id: u16,
    pub size: u32,
}

/// What becomes of the head in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    Empty,
    Bad,
    /// It waits until this cycle.
    Until(u64),
    /// Until a reply leaves.
    Full,
    /// It is granted time from so many cycles on, until a cycle.
    Due {
        wait: u64,
        end: u64,
    },
}

/// A destination.
pub struct Destination {
    eps: u64,
    interval: u64,
    /// Half of all times.
    half: u64,
    /// Flits of the largest chunk, and replies that may wait.
    chunk: u32,
    most: u32,
    pub requests: VecDeque<Request>,
    /// T.
    pub busy_until: u64,
    /// The last reply pushed was an ACK.
    turn: bool,
}

impl Destination {
    pub fn new(p: &Params, regs: &Regs) -> Destination {
        Destination {
            eps: regs.eps,
            interval: regs.rx_interval,
            half: 1 << (p.now_w - 1),
            chunk: (p.nmax * p.mtu) as u32,
            most: p.repq as u32,
            requests: VecDeque::new(),
            busy_until: 0,
            turn: false,
        }
    }

    /// In S(t), with so many replies that wait.
    fn head(&self, replies: u32, t: u64) -> Head {
        let Some(r) = self.requests.front() else { return Head::Empty };
        if r.from > t {
            return Head::Until(r.from);
        }
        let inc = granted(r.size, self.eps, self.interval);
        if r.size == 0 || r.size > self.chunk || inc >= self.half {
            return Head::Bad;
        }
        let wait = self.busy_until.saturating_sub(t);
        if wait + inc >= self.half {
            return Head::Until(t + wait + inc - self.half + 1);
        }
        match replies < self.most {
            true => Head::Due { wait, end: t + wait + inc },
            false => Head::Full,
        }
    }

    /// Q12: the last flit of a speculative packet may be shown to the host.
    pub fn end_ok(&self, replies: u32, t: u64) -> bool {
        replies < self.most && !(self.turn && matches!(self.head(replies, t), Head::Due { .. }))
    }

    /// Cycle `t`; `ends`: an ACK is pushed. The RES that leaves, and the wait that it is granted.
    pub fn step(&mut self, replies: u32, ends: bool, t: u64) -> Option<(Request, Option<u64>)> {
        let head = self.head(replies, t);
        if ends {
            self.turn = true;
        }
        match head {
            Head::Bad => Some((self.requests.pop_front()?, None)),
            Head::Due { wait, end } if !ends => {
                (self.turn, self.busy_until) = (false, end);
                Some((self.requests.pop_front()?, Some(wait)))
            }
            _ => None,
        }
    }

    /// The next cycle, from `t` on, in which a RES may leave, if no reply does before.
    pub fn next(&self, replies: u32, t: u64) -> u64 {
        match self.head(replies, t) {
            Head::Empty | Head::Full => NEVER,
            Head::Until(at) => at,
            Head::Bad | Head::Due { .. } => t,
        }
    }
}
