//! The FIFO of speculative packets of an input (Q2, Q5, Q6).

use crate::fabric::event::credit::{NEVER, Run};
use crate::fabric::event::packet::{Id, NONE, Packet};
use crate::fabric::event::setup::InRegs;
use crate::scheme::reservation::waited;

/// The spec FIFO of an input of a switch, but for its packets.
#[derive(Clone)]
pub struct Spec {
    /// The lane.
    pub vl: usize,
    /// Packets that are older are dropped, if any are.
    pub limit: Option<u32>,
    /// From this cycle on its head is expired; [`NEVER`]: it does not, or there is none.
    pub expires: u64,
    /// When the input looks at it next.
    pub planned: u64,
    /// What was dropped last and is discarded, in which cycles, and the cycle from which the engine is idle.
    pub dropped: Id,
    pub discard: [Run; 2],
    pub idle_from: u64,
    pub drops: u32,
}

impl Spec {
    pub fn new(vl: usize, regs: &InRegs) -> Spec {
        Spec {
            vl,
            limit: regs.drop_after,
            expires: NEVER,
            planned: NEVER,
            dropped: NONE,
            discard: [Run::NONE; 2],
            idle_from: 0,
            drops: 0,
        }
    }

    /// Q6: the head is expired in S(t).
    #[inline]
    pub fn has_expired(&self, t: u64) -> bool {
        t >= self.expires
    }

    /// Q8: flits discarded in cycles before `t` of the packet that was dropped last.
    pub fn discarded(&self, t: u64) -> u32 {
        self.discard.iter().filter(|r| r.n > 0).map(|r| r.before(t)).sum()
    }
}

/// Q5: cycles in S(t) since a packet could first be head of its FIFO.
pub fn age_here(p: &Packet, t: u64) -> u32 {
    waited(t as u32, (p.t0 + 1) as u32)
}
