//! What surrounds the adapter: its host, the router and the network behind it, a link that falls, who writes registers, and
//! whoever holds best-effort back.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};

use super::host::Host;
use super::io::Io;
use super::network::{Answers, Network};
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::Layout;
use crate::stimulus::chance::ALWAYS;
use crate::stimulus::reads::Reader;
use crate::stimulus::worm_router::pace::Pace;
use crate::stimulus::worm_router::sender::Flit;

/// Cycles that the link is down, at least: flits on their way over it are lost then.
const SHORTEST_FALL: u32 = 3;

/// Every probe is refused by the first node: nothing is left then.
const REFUSE_ALL: Answers = Answers { rate: ALWAYS, refuse: ALWAYS, near: ALWAYS, odd: 0, short: ALWAYS };

/// Everything around the adapter.
pub(super) struct World {
    pub io: Io,
    pub p: Params,
    pub rng: SmallRng,
    pub reader: Reader,
    cycle: u64,
    /// The adapter was ready once.
    started: bool,
    /// Inputs are anything before that: it must ignore them.
    pub early: bool,
    /// Register writes to do, one a cycle: number, data.
    pub cfg: VecDeque<(u8, u32)>,
    pub host: Host,
    pub network: Network,
    /// How best-effort headers are held back, by lane.
    pub holds: Vec<Pace>,
    /// All connections are ended.
    pub clearing: bool,
    /// Cycles that the link is down yet; it was down in the cycle before.
    down: u32,
    fell: bool,
    /// Cycles without a flit or credit on the link.
    pub quiet: u32,
    number: u32,
    /// What was written.
    pub lid: u32,
    first_node: u32,
}

impl World {
    /// Nothing is posted or sent; the router takes everything and answers nothing.
    pub(super) fn new(p: &Params, seed: u64) -> World {
        World {
            io: Io::new(&Layout::new(UnitKind::WormAdapter, p)),
            p: *p,
            rng: SmallRng::seed_from_u64(seed),
            reader: Reader::new(UnitKind::WormAdapter, p, seed),
            cycle: 0,
            started: false,
            early: false,
            cfg: VecDeque::new(),
            host: Host::new(p.conns),
            network: Network::new(p.vls, p.depth, p.conns),
            holds: vec![Pace::NEVER; p.vls],
            clearing: false,
            down: 0,
            fell: false,
            quiet: 0,
            number: 0,
            lid: 0,
            first_node: 0,
        }
    }

    pub(super) fn write(&mut self, name: &str, data: u32) {
        self.cfg.push_back((addr(UnitKind::WormAdapter, name), data));
    }

    /// All that was given to it is written, has its answer from the adapter, is sent.
    pub(super) fn written(&self) -> bool {
        self.cfg.is_empty() && self.host.has_posted() && self.network.sender.flits.is_empty()
    }

    /// Nothing is under way, and nothing waits.
    pub(super) fn is_idle(&self) -> bool {
        self.written() && self.host.is_idle() && self.network.sender.is_idle() && self.network.hop.is_idle()
    }

    /// The adapter was ready, or is as it says now.
    pub(super) fn is_ready(&mut self, seen: &[u32]) -> bool {
        self.started |= seen[self.io.open_ready] | seen[self.io.post_ready] != 0;
        self.started
    }

    /// The link goes down, or stays so, for some cycles.
    pub(super) fn fall(&mut self, cycles: u32) {
        self.down = self.down.max(cycles.max(SHORTEST_FALL));
    }

    pub(super) fn is_up(&self) -> bool {
        self.down == 0
    }

    /// Writes the inputs of this cycle. `seen` are its outputs.
    pub(super) fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        self.cycle += 1;
        if !self.is_ready(seen) {
            if self.early {
                self.too_early(input);
            }
            return;
        }
        if let Some(conn) = self.host.observe(&self.io, seen, &mut self.rng) {
            self.network.told(conn);
        }
        if self.clearing {
            self.host.close_one();
            self.network.answers = REFUSE_ALL;
        }
        self.host.drive(&self.io, seen, input, &mut self.rng);
        if seen[self.io.tx_valid] & seen[self.io.tx_first] != 0 {
            let at = self.io.tx_data;
            self.network.heard(&seen[at..at + 4]);
        }
        self.network.act(self.cycle, self.lid, self.first_node, &mut self.rng);
        let moved = if self.down > 0 {
            self.down -= 1;
            self.drive_down(input);
            true
        } else {
            self.drive_up(seen, input)
        };
        self.quiet = if moved { 0 } else { self.quiet + 1 };
        for (v, hold) in self.holds.iter().enumerate() {
            input[self.io.be_hold + v] = hold.is_on(&mut self.rng, self.cycle).into();
        }
        self.registers(input);
    }

    /// The link is up. Says whether anything moved.
    fn drive_up(&mut self, seen: &[u32], input: &mut [u32]) -> bool {
        let io = self.io;
        self.fell = false;
        let sends = seen[io.tx_valid] != 0;
        if sends {
            self.network.hop.flit(seen[io.tx_vl] as usize);
        }
        for v in 0..self.p.vls {
            if seen[io.tx_credit + v] != 0 {
                self.network.sender.pulse(v, self.cycle, &mut self.rng);
            }
        }
        let pulses = self.network.hop.credits(self.cycle, &mut self.rng);
        for v in 0..self.p.vls {
            input[io.rx_credit + v] = pulses >> v & 1;
        }
        let flit = self.network.sender.flit(self.cycle, &mut self.rng);
        if let Some(flit) = &flit {
            self.put(flit, input);
        }
        sends || flit.is_some() || pulses != 0
    }

    /// The link is down: what is heard means nothing.
    fn drive_down(&mut self, input: &mut [u32]) {
        if !std::mem::replace(&mut self.fell, true) {
            self.network.sender.fall(&mut self.rng);
            self.network.hop.fall();
        }
        input[self.io.link_up] = 0;
        if self.rng.random_ratio(1, 4) {
            let lane = self.rng.random_range(0..16);
            let (first, last) = (self.rng.random(), self.rng.random());
            let flit = Flit { lane, first, last, bad: true, dlid: self.lid, head: None };
            self.put(&flit, input);
            let v = self.rng.random_range(0..self.p.vls);
            input[self.io.rx_credit + v] = 1;
        }
    }

    /// A flit from the router.
    fn put(&mut self, flit: &Flit, input: &mut [u32]) {
        let io = self.io;
        self.number = self.number.wrapping_add(1);
        input[io.rx_valid] = 1;
        input[io.rx_vl] = flit.lane as u32 & 0xf;
        input[io.rx_first] = flit.first.into();
        input[io.rx_last] = flit.last.into();
        input[io.rx_bad] = flit.bad.into();
        let words = match &flit.head {
            Some(head) => self.network.complete(*head).words(flit.dlid, self.rng.next_u32()),
            None => [self.rng.next_u32(), self.number, self.rng.next_u32(), self.rng.next_u32()],
        };
        input[io.rx_data..io.rx_data + 4].copy_from_slice(&words);
    }

    fn registers(&mut self, input: &mut [u32]) {
        if let Some((number, data)) = self.cfg.pop_front() {
            input[self.io.cfg_we] = 1;
            input[self.io.cfg_addr] = number.into();
            input[self.io.cfg_data] = data;
            let is = |name| number == addr(UnitKind::WormAdapter, name);
            if is("LID") {
                self.lid = data & 0xffff;
            }
            if is("FIRST_NODE") {
                self.first_node = data & 0xffff;
            }
        }
        self.reader.drive(input);
    }

    /// Anything, before the adapter is ready.
    fn too_early(&mut self, input: &mut [u32]) {
        let (io, rng) = (self.io, &mut self.rng);
        for flag in
            [io.open_valid, io.post_valid, io.cfg_we, io.link_up, io.rx_valid, io.rx_first, io.rx_last]
        {
            input[flag] = rng.random_range(0..2);
        }
        for v in 0..self.p.vls {
            input[io.rx_credit + v] = rng.random_range(0..2);
            input[io.be_hold + v] = rng.random_range(0..2);
        }
        (input[io.cfg_addr], input[io.cfg_data]) = (rng.random_range(0..16), rng.next_u32());
        (input[io.open_conn], input[io.open_bw]) = (rng.random_range(0..2), 1);
        (input[io.post_class], input[io.post_len]) = (rng.random_range(0..3), 1);
        input[io.rx_vl] = rng.random_range(0..self.p.vls) as u32;
        for word in &mut input[io.rx_data..io.rx_data + 4] {
            *word = rng.next_u32();
        }
    }
}
