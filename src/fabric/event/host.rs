//! The receiving half of an adapter, and what connects its parts.

use std::collections::VecDeque;

use super::credit::Run;
use super::packet::{Packet, Queue};
use super::source::Source;
use super::srp::Adapter;
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

    /// A mark of a source is not yet told.
    pub fn has_seen(&self, source: usize) -> bool {
        self.seen[source / 32] >> (source % 32) & 1 != 0
    }
}
