//! What surrounds the throttle: flows with packets, the link that takes an offer, notifications, registers and tables.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::reads::Reader;

/// Offsets of the signals in the word vectors.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub(super) struct Io {
    pub cfg_we: usize,
    pub cfg_addr: usize,
    pub cfg_data: usize,
    pub cct_we: usize,
    pub cct_addr: usize,
    pub cct_data: usize,
    pub attr_we: usize,
    pub attr_flow: usize,
    pub attr_sl: usize,
    pub becn_valid: usize,
    pub becn_flow: usize,
    pub req: usize,
    pub stop: usize,
    pub sl_ok: usize,
    pub inj_ready: usize,
    pub inj_len: usize,
    pub sent: usize,
    pub ready: usize,
    pub inj_valid: usize,
    pub inj_flow: usize,
    pub inj_sl: usize,
}

/// Everything around the throttle.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub io: Io,
    pub flows: usize,
    pub cct: usize,
    pub mtu: u32,
    pub rng: SmallRng,
    pub reader: Reader,
    /// Writes to do, one of each kind a cycle, from `ready` on.
    pub cfg: VecDeque<(u8, u32)>,
    pub ccts: VecDeque<(u16, u16)>,
    pub attrs: VecDeque<(u16, u8)>,
    /// Notifications to send, one a cycle. `None` is a pause of a cycle.
    pub becns: VecDeque<Option<u16>>,
    /// Flows with a packet, stopped flows: a bit each.
    pub req: Vec<u32>,
    pub stop: Vec<u32>,
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
    /// The flow whose offer is taken in this cycle.
    pub taken: Option<usize>,
    /// Offers taken.
    pub count: u64,
}

impl Bench {
    /// No flow has a packet; everything is allowed, every offer is taken at once.
    pub(super) fn new(p: &Params, seed: u64) -> Bench {
        let l = Layout::new(UnitKind::HcaThrottle, p);
        let words = p.flows.div_ceil(32);
        Bench {
            io: Io {
                cfg_we: l.input("cfg_we"),
                cfg_addr: l.input("cfg_addr"),
                cfg_data: l.input("cfg_data"),
                cct_we: l.input("cct_we"),
                cct_addr: l.input("cct_addr"),
                cct_data: l.input("cct_data"),
                attr_we: l.input("attr_we"),
                attr_flow: l.input("attr_flow"),
                attr_sl: l.input("attr_sl"),
                becn_valid: l.input("becn_valid"),
                becn_flow: l.input("becn_flow"),
                req: l.input("req"),
                stop: l.input("stop"),
                sl_ok: l.input("sl_ok"),
                inj_ready: l.input("inj_ready"),
                inj_len: l.input("inj_len"),
                sent: l.input("sent"),
                ready: l.output("ready"),
                inj_valid: l.output("inj_valid"),
                inj_flow: l.output("inj_flow"),
                inj_sl: l.output("inj_sl"),
            },
            flows: p.flows,
            cct: p.cct,
            mtu: p.mtu as u32,
            rng: SmallRng::seed_from_u64(seed),
            reader: Reader::new(UnitKind::HcaThrottle, p, seed),
            cfg: VecDeque::with_capacity(64),
            ccts: VecDeque::with_capacity(p.cct + 64),
            attrs: VecDeque::with_capacity(p.flows + 64),
            becns: VecDeque::with_capacity(512),
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
            taken: None,
            count: 0,
        }
    }

    /// Sets or clears the request of a flow.
    pub(super) fn set_req(&mut self, flow: usize, on: bool) {
        set(&mut self.req, flow % self.flows, on);
    }

    /// Stops a flow or lets it go.
    pub(super) fn set_stop(&mut self, flow: usize, on: bool) {
        set(&mut self.stop, flow % self.flows, on);
    }

    /// A notification for a flow.
    pub(super) fn becn(&mut self, flow: usize) {
        self.becns.push_back(Some((flow % self.flows) as u16));
    }

    /// All writes and notifications are done.
    pub(super) fn written(&self) -> bool {
        self.cfg.is_empty() && self.ccts.is_empty() && self.attrs.is_empty() && self.becns.is_empty()
    }

    /// Writes the inputs of this cycle. `seen` are its outputs.
    pub(super) fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let io = self.io;
        self.taken = None;
        input[io.req..][..self.req.len()].copy_from_slice(&self.req);
        input[io.stop..][..self.stop.len()].copy_from_slice(&self.stop);
        input[io.sl_ok] = self.sl_ok;
        let free = self.send(input);
        if (free || hit(&mut self.rng, self.rude)) && hit(&mut self.rng, self.accept) {
            let rng = &mut self.rng;
            input[io.inj_ready] = 1;
            input[io.inj_len] = if hit(rng, self.bad_len) {
                rng.random_range(0..128) & if rng.random() { 0 } else { 0x7f }
            } else if hit(rng, self.short) {
                1
            } else if hit(rng, self.long) {
                self.mtu
            } else {
                rng.random_range(1..=self.longest)
            };
            if seen[io.inj_valid] != 0 {
                let flow = seen[io.inj_flow] as usize % self.flows;
                self.taken = Some(flow);
                (self.left, self.wait) = (input[io.inj_len].max(1), self.pace);
                self.count += 1;
                if !hit(&mut self.rng, self.again) {
                    // the packet leaves in this cycle: from the next one on there is none
                    self.set_req(flow, false);
                }
            }
        }
        if seen[io.ready] == 0 {
            return;
        }
        if let Some((a, d)) = self.cfg.pop_front() {
            input[io.cfg_we] = 1;
            input[io.cfg_addr] = a.into();
            input[io.cfg_data] = d;
        }
        self.reader.drive(input);
        if let Some((a, d)) = self.ccts.pop_front() {
            input[io.cct_we] = 1;
            input[io.cct_addr] = a.into();
            input[io.cct_data] = d.into();
        }
        if let Some((f, s)) = self.attrs.pop_front() {
            input[io.attr_we] = 1;
            input[io.attr_flow] = f.into();
            input[io.attr_sl] = s.into();
        }
        if let Some(Some(f)) = self.becns.pop_front() {
            input[io.becn_valid] = 1;
            input[io.becn_flow] = f.into();
        }
    }

    /// A flit of the packet that was taken. Returns whether the next packet may be.
    fn send(&mut self, input: &mut [u32]) -> bool {
        self.wait = self.wait.saturating_sub(1);
        let sends = self.left > 0 && self.wait == 0 && hit(&mut self.rng, self.flit);
        if sends {
            (self.left, self.wait) = (self.left - 1, self.pace);
        }
        let stray = self.left == 0 && hit(&mut self.rng, self.stray);
        input[self.io.sent] = u32::from(sends && self.left == 0 || stray);
        self.left == 0
    }

    /// Lengths as knobs: shares of one-flit and MTU packets.
    pub(super) fn lengths(&mut self, short: f64, long: f64) {
        self.short = chance(short);
        self.long = if short < 1.0 { chance(long / (1.0 - short)) } else { 0 };
    }
}

fn set(words: &mut [u32], bit: usize, on: bool) {
    let w = &mut words[bit / 32];
    *w = *w & !(1 << (bit % 32)) | u32::from(on) << (bit % 32);
}
