//! What stands at the selection of throttle and source response: flows that have packets or are stopped, credits, and the link that
//! takes offers and sends their packets.

use rand::Rng;
use rand::rngs::SmallRng;

use crate::model::util::{bit, set_bit};
use crate::params::Params;
use crate::signals::Layout;
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};

/// Offsets of its signals in the word vectors.
#[derive(Clone, Copy, Debug)]
struct Io {
    req: usize,
    stop: usize,
    sl_ok: usize,
    inj_ready: usize,
    inj_len: usize,
    sent: usize,
    inj_valid: usize,
    inj_flow: usize,
    inj_sl: usize,
}

/// How often stops and credits change.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gates {
    /// Chance that a flow is stopped or let go, and that it is the first.
    pub stop_go: Chance,
    pub stopped: Chance,
    /// Chance that the credits of an SL change, and that there are none then.
    pub credit: Chance,
    pub starved: Chance,
    /// Chance that the flow on offer is stopped, loses its packet or its credit.
    pub spoil: Chance,
}

/// Packets, stops, credits and the link.
#[derive(Clone, Debug)]
pub(super) struct Taker {
    io: Io,
    pub flows: usize,
    pub mtu: u32,
    /// Flows with a packet, stopped flows: a bit each.
    req: Vec<u32>,
    stop: Vec<u32>,
    pub sl_ok: u32,
    /// Chance that an offer is taken, per cycle in which nothing is sent, or a last flit.
    pub accept: Chance,
    /// Chance that the flow has another packet after that.
    pub again: Chance,
    /// Lengths: one flit, MTU, or any up to `longest`.
    pub short: Chance,
    pub long: Chance,
    pub longest: u32,
    /// Chance of an illegal length.
    pub bad_len: Chance,
    /// Flits of the packet being sent; a flit is sent every `pace` cycles at most, and then with this chance a cycle.
    left: u32,
    wait: u32,
    pub pace: u32,
    pub flit: Chance,
    /// Chance that an offer is taken although a packet is being sent; that `sent` comes without a packet.
    pub rude: Chance,
    pub stray: Chance,
    /// Offers taken.
    pub count: u64,
}

impl Taker {
    /// No flow has a packet; everything is allowed, every offer is taken at once.
    pub(super) fn new(l: &Layout, p: &Params) -> Taker {
        let words = p.flows.div_ceil(32);
        Taker {
            io: Io {
                req: l.input("req"),
                stop: l.input("stop"),
                sl_ok: l.input("sl_ok"),
                inj_ready: l.input("inj_ready"),
                inj_len: l.input("inj_len"),
                sent: l.input("sent"),
                inj_valid: l.output("inj_valid"),
                inj_flow: l.output("inj_flow"),
                inj_sl: l.output("inj_sl"),
            },
            flows: p.flows,
            mtu: p.mtu as u32,
            req: vec![0; words],
            stop: vec![0; words],
            sl_ok: 0xffff,
            accept: ALWAYS,
            again: ALWAYS,
            short: 0,
            long: ALWAYS,
            longest: p.mtu as u32,
            bad_len: 0,
            left: 0,
            wait: 0,
            pace: 1,
            flit: ALWAYS,
            rude: 0,
            stray: 0,
            count: 0,
        }
    }

    /// Sets or clears the request of a flow.
    pub(super) fn set_req(&mut self, flow: usize, on: bool) {
        set_bit(&mut self.req, flow % self.flows, on);
    }

    /// The flow has a packet.
    pub(super) fn has_req(&self, flow: usize) -> bool {
        bit(&self.req, flow)
    }

    /// Stops a flow or lets it go.
    pub(super) fn set_stop(&mut self, flow: usize, on: bool) {
        set_bit(&mut self.stop, flow % self.flows, on);
    }

    /// Lets all flows go.
    pub(super) fn release(&mut self) {
        self.stop.fill(0);
    }

    /// Lengths as knobs: shares of one-flit and MTU packets.
    pub(super) fn lengths(&mut self, short: f64, long: f64) {
        self.short = chance(short);
        self.long = if short < 1.0 { chance(long / (1.0 - short)) } else { 0 };
    }

    /// The flow that is on offer.
    pub(super) fn offered(&self, seen: &[u32]) -> Option<usize> {
        (seen[self.io.inj_valid] != 0).then(|| seen[self.io.inj_flow] as usize % self.flows)
    }

    /// Writes the inputs of this cycle. Returns the flow whose offer is taken; [`Taker::follow`] says what it has then.
    pub(super) fn drive(&mut self, seen: &[u32], input: &mut [u32], rng: &mut SmallRng) -> Option<usize> {
        let io = self.io;
        input[io.req..][..self.req.len()].copy_from_slice(&self.req);
        input[io.stop..][..self.stop.len()].copy_from_slice(&self.stop);
        input[io.sl_ok] = self.sl_ok;
        let free = self.send(input, rng);
        if !((free || hit(rng, self.rude)) && hit(rng, self.accept)) {
            return None;
        }
        input[io.inj_ready] = 1;
        input[io.inj_len] = self.length(rng);
        let flow = self.offered(seen)?;
        (self.left, self.wait) = (input[io.inj_len].max(1), self.pace);
        self.count += 1;
        Some(flow)
    }

    /// The packet of a flow leaves in this cycle: from the next one on there is another or none.
    pub(super) fn follow(&mut self, flow: usize, rng: &mut SmallRng) {
        if !hit(rng, self.again) {
            self.set_req(flow, false);
        }
    }

    /// A flit of the packet that was taken. Returns whether the next packet may be.
    fn send(&mut self, input: &mut [u32], rng: &mut SmallRng) -> bool {
        self.wait = self.wait.saturating_sub(1);
        let sends = self.left > 0 && self.wait == 0 && hit(rng, self.flit);
        if sends {
            (self.left, self.wait) = (self.left - 1, self.pace);
        }
        let stray = self.left == 0 && hit(rng, self.stray);
        input[self.io.sent] = u32::from(sends && self.left == 0 || stray);
        self.left == 0
    }

    fn length(&self, rng: &mut SmallRng) -> u32 {
        if hit(rng, self.bad_len) {
            rng.random_range(0..128) & if rng.random() { 0 } else { 0x7f }
        } else if hit(rng, self.short) {
            1
        } else if hit(rng, self.long) {
            self.mtu
        } else {
            rng.random_range(1..=self.longest)
        }
    }

    /// Stops and credits come and go; `active`: the first flow in use and their number.
    pub(super) fn change(&mut self, gates: &Gates, active: (usize, usize), rng: &mut SmallRng) {
        if hit(rng, gates.stop_go) {
            let flow = active.0 + rng.random_range(0..active.1);
            let on = hit(rng, gates.stopped);
            self.set_stop(flow, on);
        }
        if hit(rng, gates.credit) {
            let sl = rng.random_range(0..16);
            let ok = !hit(rng, gates.starved);
            self.sl_ok = self.sl_ok & !(1 << sl) | u32::from(ok) << sl;
        }
    }

    /// The flow on offer is stopped, or loses its packet or its credit.
    pub(super) fn spoil(&mut self, seen: &[u32], gates: &Gates, rng: &mut SmallRng) {
        let Some(flow) = self.offered(seen) else { return };
        if !hit(rng, gates.spoil) {
            return;
        }
        match rng.random_range(0..3) {
            0 => self.set_stop(flow, true),
            1 => self.set_req(flow, false),
            _ => self.sl_ok &= !(1 << (seen[self.io.inj_sl] & 15)),
        }
    }
}
