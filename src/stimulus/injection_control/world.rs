//! What is around the unit: headers in front of lanes, lanes owned and full, who configures.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};

use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::{Group, Layout, Signal};
use crate::stimulus::offsets::offsets;
use crate::stimulus::reads::Reader;

offsets! {
    input: cfg_we cfg_addr cfg_data use_we use_addr use_mask be_front be_dlid tx_valid tx_vl tx_first dlv_valid link_free own_full
        owned full gather sum_valid sum_full sum_flits;
    output: ready be_hold;
}

/// A bit for each lane.
pub(super) type Lanes = u32;

/// What lasts for a cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    /// Lane and first of a flit that is sent.
    pub(super) sent: Option<(u32, bool)>,
    pub(super) delivers: bool,
    pub(super) gather: bool,
    /// Full lanes, flits.
    pub(super) sum: Option<(u32, u32)>,
}

/// All that is around.
pub(super) struct World {
    pub(super) p: Params,
    pub(super) io: Io,
    pub(super) rng: SmallRng,
    pub(super) reader: Reader,
    inputs: Vec<Signal>,
    /// Inputs are anything until the unit is ready.
    pub(super) early: bool,
    /// Register and table writes, one of each a cycle.
    pub(super) cfg: VecDeque<(u8, u32)>,
    pub(super) routes: VecDeque<(u32, u32)>,
    /// DLID of the header in front of each lane.
    pub(super) front: Vec<Option<u32>>,
    pub(super) owned: Vec<Lanes>,
    pub(super) full: Vec<Lanes>,
    pub(super) link_free: Lanes,
    pub(super) own_full: Lanes,
    pub(super) now: Events,
}

impl World {
    pub(super) fn new(p: &Params, seed: u64) -> World {
        let l = Layout::new(UnitKind::InjectionControl, p);
        World {
            p: *p,
            io: Io::new(&l),
            rng: SmallRng::seed_from_u64(seed ^ 0x1f_6a_93_0c_d8_72_e5_4b),
            reader: Reader::new(UnitKind::InjectionControl, p, seed),
            inputs: l.signals.iter().filter(|s| s.group == Group::Input).copied().collect(),
            early: false,
            cfg: VecDeque::new(),
            routes: VecDeque::new(),
            front: vec![None; p.vls],
            owned: vec![0; p.ports],
            full: vec![0; p.ports],
            link_free: u32::MAX,
            own_full: 0,
            now: Events::default(),
        }
    }

    /// Registers of a name.
    pub(super) fn write(&mut self, name: &str, data: u32) {
        self.cfg.push_back((addr(UnitKind::InjectionControl, name), data));
    }

    /// The unit is ready.
    pub(super) fn is_ready(&self, seen: &[u32]) -> bool {
        seen[self.io.ready] != 0
    }

    /// A header in front of the lane would be held.
    pub(super) fn is_held(&self, seen: &[u32], lane: usize) -> bool {
        seen[self.io.be_hold + lane] != 0
    }

    /// Anything, while nobody listens.
    pub(super) fn babble(&mut self, input: &mut [u32]) {
        for s in &self.inputs {
            for word in &mut input[s.offset..s.offset + s.count * s.stride()] {
                if self.rng.random_ratio(1, 2) {
                    *word = self.rng.next_u32() & u32::MAX >> (32 - s.width.min(32));
                }
            }
        }
    }

    /// The inputs of a cycle in which the unit is ready.
    pub(super) fn drive(&mut self, input: &mut [u32]) {
        let (io, vls) = (self.io, self.p.vls);
        if let Some((number, data)) = self.cfg.pop_front() {
            input[io.cfg_we] = 1;
            input[io.cfg_addr] = u32::from(number);
            input[io.cfg_data] = data;
        }
        if let Some((dlid, mask)) = self.routes.pop_front() {
            input[io.use_we] = 1;
            input[io.use_addr] = dlid & 0xffff;
            input[io.use_mask] = mask & 0xffff;
        }
        for v in 0..vls {
            input[io.be_front + v] = u32::from(self.front[v].is_some());
            input[io.be_dlid + v] = self.front[v].unwrap_or(0);
            input[io.link_free + v] = self.link_free >> v & 1;
            input[io.own_full + v] = self.own_full >> v & 1;
            for port in 0..self.p.ports {
                input[io.owned + port * vls + v] = self.owned[port] >> v & 1;
                input[io.full + port * vls + v] = self.full[port] >> v & 1;
            }
        }
        let now = std::mem::take(&mut self.now);
        if let Some((lane, first)) = now.sent {
            input[io.tx_valid] = 1;
            input[io.tx_vl] = lane;
            input[io.tx_first] = u32::from(first);
        }
        input[io.dlv_valid] = u32::from(now.delivers);
        input[io.gather] = u32::from(now.gather);
        if let Some((full, flits)) = now.sum {
            input[io.sum_valid] = 1;
            input[io.sum_full] = full;
            input[io.sum_flits] = flits;
        }
        self.reader.drive(input);
    }
}
