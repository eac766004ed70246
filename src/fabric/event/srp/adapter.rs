//! An adapter with reservation (section 13 of its page): injector, receiver, and what both ends of the protocol have.

use std::collections::VecDeque;

use crate::fabric::event::source::paced;
use crate::fabric::net::{Host as NetHost, Rate};
use crate::fabric::setup::Write;
use crate::params::Params;

use super::engine::Engine;
use super::ops::{Came, Packet};
use super::receive::Receive;
use super::regs::Regs;
use super::schedule::Destination;

/// A packet that the injector has taken: its first flit is asked for from cycle `from` on.
#[derive(Clone, Copy, Debug)]
pub struct Sending {
    pub packet: Packet,
    pub from: u64,
    pub last: u64,
}

/// The injector.
pub struct Injector {
    pub rate: Rate,
    pub start: u64,
    pub mtu: u64,
    /// Blocks injected, and the credit limit last looked up, of each lane.
    pub txr: Vec<u64>,
    pub fccl: Vec<u64>,
    pub sending: Option<Sending>,
}

impl Injector {
    pub fn needs(&self, lane: usize) -> u64 {
        self.txr[lane] + self.mtu
    }

    pub fn has_room(&mut self, lane: usize, fccl: impl FnOnce() -> u64) -> bool {
        let need = self.needs(lane);
        if self.fccl[lane] < need {
            self.fccl[lane] = fccl();
        }
        self.fccl[lane] >= need
    }

    /// It takes an offer in cycle `t`.
    pub fn is_free(&self, t: u64) -> bool {
        self.sending.is_none_or(|s| t >= s.last)
    }

    pub fn send(&mut self, packet: Packet, t: u64) -> Sending {
        self.txr[packet.lane] += u64::from(packet.len);
        let last = self.start + paced(self.rate, t + 1 - self.start, u64::from(packet.len) - 1);
        let s = Sending { packet, from: t + 1, last };
        self.sending = Some(s);
        s
    }

    /// The packet that is sent in S(t), and the index of its next flit.
    pub fn sending(&self, t: u64) -> Option<(Packet, u32)> {
        let s = self.sending.filter(|s| (s.from..=s.last).contains(&t))?;
        let sent = self.rate.flits_before(t - self.start) - self.rate.flits_before(s.from - self.start);
        Some((s.packet, sent as u32))
    }
}

/// An adapter's part of the protocol.
pub struct Adapter {
    pub engine: Engine,
    pub destination: Destination,
    pub injector: Injector,
    pub receive: Receive,
    /// Replies for the engine, and when they are at its pins.
    pub told: VecDeque<(u64, Came)>,
    /// Lanes of packets of hosts; the RES register and the reply FIFO are the inputs behind the first one.
    pub lanes: usize,
    pub res_input: usize,
    pub reply_input: usize,
    pub most_replies: u32,
    /// In cycle 0 of the unit's counter.
    pub origin: u64,
}

impl Adapter {
    /// `start`: traffic time 0; `input`: the adapter's input port, which the other two are behind.
    pub fn new(
        p: &Params,
        writes: &[Write],
        host: &NetHost,
        start: u64,
        input: usize,
        origin: u64,
    ) -> Adapter {
        let regs = Regs::new(p, writes);
        let lanes = p.packet_lanes();
        Adapter {
            destination: Destination::new(p, &regs),
            engine: Engine::new(p, regs, sls(p, writes), start),
            injector: Injector {
                rate: host.inject,
                start,
                mtu: p.mtu as u64,
                txr: vec![0; lanes],
                fccl: vec![0; lanes],
                sending: None,
            },
            receive: Receive::new(host.sink, start),
            told: VecDeque::new(),
            lanes,
            res_input: input + 1,
            reply_input: input + 2,
            most_replies: p.repq as u32,
            origin,
        }
    }

    /// `gen_full`.
    pub fn is_full(&self, flow: usize) -> bool {
        self.engine.messages.is_full(flow)
    }

    /// Messages that did not begin.
    pub fn waiting(&self) -> u64 {
        self.engine.messages.waiting()
    }

    /// The VL of RES, and of replies.
    pub fn res_vl(&self) -> usize {
        self.lanes
    }

    pub fn reply_vl(&self) -> usize {
        self.lanes + 1
    }
}

/// SL of each flow.
fn sls(p: &Params, writes: &[Write]) -> Vec<u8> {
    let mut all = vec![0; p.flows];
    for w in writes {
        if let Write::Attr { flow, sl } = *w
            && let Some(of) = all.get_mut(usize::from(flow))
        {
            *of = sl;
        }
    }
    all
}
