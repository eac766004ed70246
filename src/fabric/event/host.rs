//! The receiving half of an adapter, and what connects its parts.

use std::collections::VecDeque;

use super::credit::Run;
use super::packet::{Packet, Queue};
use super::source::{Source, paced};
use super::srp::{Adapter, Kind};
use super::state::Core;
use crate::fabric::net::Rate;
use crate::model::header::Marks;

/// An adapter, beside its node.
pub(super) struct Host {
    /// Its input port, CNP queues and output port.
    pub input: usize,
    pub cnps: usize,
    pub output: usize,
    /// Credits of its receive FIFO.
    pub credits: usize,
    pub source: Source,
    /// With reservation: what is in the place of the source, and more.
    pub srp: Option<Box<Adapter>>,
    pub inject: Rate,
    pub sink: Rate,
    /// It answers packets that have all of some marks with CNPs, or all data with ACKs; and holds so many replies for a VL.
    pub answers: bool,
    pub cause: Marks,
    pub acks: bool,
    pub cnpq: u32,
    /// Packets on their way to the receiver, and cycles per flit of the link.
    pub inbound: Queue,
    pub step: u32,
    /// Packets in the receive FIFO, and the cycle in which the host takes the last flit of the latest.
    pub held: Queue,
    pub taken: u64,
    /// A CNP is for a message of 2^this packets of a source; sources with a mark not yet told.
    pub becn_per: u32,
    pub seen: Vec<u32>,
    /// CNPs wait in the generation queues: the VL from which the mover looks on, and whether it is to look in this cycle.
    pub queued: bool,
    pub mover: usize,
    pub moves: bool,
    /// The host posted a packet in this cycle.
    pub posted: u64,
    /// The packet to be answered when it is whole.
    pub asks: Option<Packet>,
    /// BECNs or ACKs for the chooser: cycle, flow, bits.
    pub told: VecDeque<(u64, usize, u32)>,
    /// The source is stepped in this cycle.
    pub awake: bool,
    /// Flits received of all packets but the latest, per VL; the latest.
    pub stored: Vec<u64>,
    pub latest: Run,
    pub latest_vl: usize,
    /// Flits of all packets that the host has taken.
    pub flits: u64,
    pub cnt_cnp: u64,
    pub cnt_cnp_lost: u64,
    pub cnt_becn: u64,
    pub cnt_ack: u64,
    pub cnt_ack_lost: u64,
    pub cnt_ack_in: u64,
    /// Replies taken.
    pub consumed: u64,
    /// Packets received for the host, the latest included.
    pub packets: u64,
}

impl Host {
    /// Packets, or messages, that have not begun.
    pub fn posted(&self) -> u64 {
        self.srp.as_ref().map_or_else(|| self.source.posted(), |a| a.waiting())
    }

    /// `gen_full` in S(t).
    pub fn is_full(&self, flow: usize, t: u64) -> bool {
        self.srp.as_ref().map_or_else(|| self.source.full(flow, t), |a| a.is_full(flow))
    }

    /// Blocks injected.
    pub fn txr(&self, vl: usize) -> u64 {
        self.srp.as_ref().map_or_else(|| self.source.txr(vl), |a| a.injector.txr[vl])
    }

    /// The host is shown flit `index` of the oldest packet in S(t).
    pub fn shows(&self, core: &Core, index: u32, t: u64) -> bool {
        let Some(a) = &self.srp else { return true };
        let speculative = core.pool.tag(self.held.head).kind == Kind::Spec;
        !speculative || index + 1 < core.pool[self.held.head].n || a.shows_last(core, t)
    }

    /// A mark of a source is not yet told.
    pub fn has_seen(&self, source: usize) -> bool {
        self.seen[source / 32] >> (source % 32) & 1 != 0
    }
}

/// Cycles in which the host takes the flits of a packet whose flits arrive as `run`; none before or in `taken`.
pub(super) fn takes(rate: Rate, run: Run, taken: u64, start: u64, mut each: impl FnMut(Run)) -> u64 {
    if rate == Rate::FULL {
        // It took all earlier flits as they came, so it takes these as they come.
        let all = Run { first: run.first + 1, ..run };
        each(all);
        return all.last();
    }
    let mut taken = taken;
    let mut open: Option<Run> = None;
    for i in 0..run.n {
        let from = (run.first + u64::from(i) * u64::from(run.step) + 1).max(taken + 1);
        taken = start + paced(rate, from - start, 0);
        match &mut open {
            Some(r) if r.n == 1 => {
                r.step = (taken - r.first) as u32;
                r.n = 2;
            }
            Some(r) if r.last() + u64::from(r.step) == taken => r.n += 1,
            Some(r) => {
                each(*r);
                *r = Run { first: taken, step: 1, n: 1 };
            }
            None => open = Some(Run { first: taken, step: 1, n: 1 }),
        }
    }
    if let Some(r) = open {
        each(r);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paced_stream_moves_when_the_rate_allows() {
        for rate in [Rate(65_536), Rate(40_000), Rate(32_768), Rate(6_554), Rate(65_535)] {
            for from in 0..200 {
                let allowed: Vec<u64> = (from..).filter(|&t| rate.allows(t)).take(8).collect();
                let closed: Vec<u64> = (0..8).map(|i| paced(rate, from, i)).collect();
                assert_eq!(closed, allowed, "{rate:?} {from}");
            }
        }
    }

    #[test]
    fn runs_of_taken_flits_are_the_cycles_one_by_one() {
        for rate in [Rate(65_536), Rate(40_000), Rate(32_768), Rate(60_000)] {
            for step in 1..4 {
                let run = Run { first: 1007, step, n: 9 };
                let mut cycles = Vec::new();
                let last = takes(rate, run, 1005, 1000, |r| {
                    cycles.extend((0..r.n).map(|i| r.first + u64::from(i * r.step)));
                });
                let mut expected = Vec::new();
                let mut t = 1006;
                for i in 0..9 {
                    t = t.max(1007 + i * u64::from(step) + 1);
                    while !rate.allows(t - 1000) {
                        t += 1;
                    }
                    expected.push(t);
                    t += 1;
                }
                assert_eq!(cycles, expected, "{rate:?} {step}");
                assert_eq!(last, expected[8]);
            }
        }
    }
}
