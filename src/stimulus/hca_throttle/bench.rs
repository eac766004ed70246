//! What surrounds the throttle: flows with packets, the link that takes an offer, notifications, registers and tables.

use std::collections::VecDeque;

use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use crate::stimulus::reads::Reader;
use crate::stimulus::taker::Taker;

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
    pub ready: usize,
}

/// Everything around the throttle.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub io: Io,
    pub taker: Taker,
    pub cct: usize,
    pub rng: SmallRng,
    pub reader: Reader,
    /// Writes to do, one of each kind a cycle, from `ready` on.
    pub cfg: VecDeque<(u8, u32)>,
    pub ccts: VecDeque<(u16, u16)>,
    pub attrs: VecDeque<(u16, u8)>,
    /// Notifications to send, one a cycle. `None` is a pause of a cycle.
    pub becns: VecDeque<Option<u16>>,
}

/// A table whose delays rise by `step` with each index, in the unit that the shift (bits 15 and 14) says.
pub(in crate::stimulus) fn rising(cct: usize, shift: u32, step: u32) -> VecDeque<(u16, u16)> {
    (0..cct as u32).map(|i| (i as u16, (shift | (i * step).min(0x3fff)) as u16)).collect()
}

impl Bench {
    /// No flow has a packet; everything is allowed, every offer is taken at once.
    pub(super) fn new(p: &Params, seed: u64) -> Bench {
        let l = Layout::new(UnitKind::HcaThrottle, p);
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
                ready: l.output("ready"),
            },
            taker: Taker::new(&l, p),
            cct: p.cct,
            rng: SmallRng::seed_from_u64(seed),
            reader: Reader::new(UnitKind::HcaThrottle, p, seed),
            cfg: VecDeque::with_capacity(64),
            ccts: VecDeque::with_capacity(p.cct + 64),
            attrs: VecDeque::with_capacity(p.flows + 64),
            becns: VecDeque::with_capacity(512),
        }
    }

    /// A notification for a flow.
    pub(super) fn becn(&mut self, flow: usize) {
        self.becns.push_back(Some((flow % self.taker.flows) as u16));
    }

    /// All writes and notifications are done.
    pub(super) fn written(&self) -> bool {
        self.cfg.is_empty() && self.ccts.is_empty() && self.attrs.is_empty() && self.becns.is_empty()
    }

    /// Writes the inputs of this cycle. `seen` are its outputs.
    pub(super) fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let io = self.io;
        if let Some(flow) = self.taker.drive(seen, input, &mut self.rng) {
            self.taker.follow(flow, &mut self.rng);
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
}
