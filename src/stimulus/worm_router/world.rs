//! What surrounds the router: a sender and a next hop at each port, links that fall, who writes registers and routes.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};

use super::hop::Hop;
use super::io::Io;
use super::sender::{Flit, Sender};
use super::streams::Streams;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::Layout;
use crate::stimulus::reads::Reader;

/// `cfg_port`: all ports.
pub(super) const ALL_PORTS: u32 = 255;

/// Cycles that a link is down, at least: flits on their way to it are lost then.
const SHORTEST_FALL: u32 = 3;

/// A register write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Write {
    pub port: u32,
    pub addr: u32,
    pub data: u32,
}

/// Everything around the router.
pub(super) struct World {
    pub io: Io,
    pub p: Params,
    pub rng: SmallRng,
    pub reader: Reader,
    cycle: u64,
    /// Writes to do, one a cycle.
    pub cfg: VecDeque<Write>,
    /// Routes to write: DLID, port.
    pub lft: VecDeque<(u32, u32)>,
    /// Where each DLID leads.
    pub table: Vec<u32>,
    pub senders: Vec<Sender>,
    pub hops: Vec<Hop>,
    pub streams: Streams,
    /// Cycles that each link is down yet; it was down in the cycle before.
    down: Vec<u32>,
    fell: Vec<bool>,
    /// Cycles without a flit on any link.
    pub quiet: u32,
    number: u32,
}

impl World {
    /// Nothing is sent; next hops take everything.
    pub(super) fn new(p: &Params, seed: u64) -> World {
        let l = Layout::new(UnitKind::WormRouter, p);
        World {
            io: Io::new(&l),
            p: *p,
            rng: SmallRng::seed_from_u64(seed),
            reader: Reader::new(UnitKind::WormRouter, p, seed),
            cycle: 0,
            cfg: VecDeque::new(),
            lft: VecDeque::new(),
            table: vec![255; p.lft_depth],
            senders: vec![Sender::new(p.vls, p.depth); p.ports],
            hops: vec![Hop::new(p.vls); p.ports],
            streams: Streams::new(p),
            down: vec![0; p.ports],
            fell: vec![false; p.ports],
            quiet: 0,
            number: 0,
        }
    }

    /// Writes that every DLID leads to DLID mod PORTS, but for the last one, which leads nowhere.
    pub(super) fn route_all(&mut self) {
        let last = self.p.lft_depth as u32 - 1;
        self.lft.extend((0..last).map(|dlid| (dlid, dlid % self.p.ports as u32)));
    }

    pub(super) fn write(&mut self, port: u32, addr: u8, data: u32) {
        self.cfg.push_back(Write { port, addr: addr.into(), data });
    }

    /// All that was given to it is written and sent.
    pub(super) fn written(&self) -> bool {
        self.cfg.is_empty() && self.lft.is_empty() && self.senders.iter().all(|s| s.flits.is_empty())
    }

    /// Nothing waits to be sent, or at the next hops.
    pub(super) fn is_idle(&self) -> bool {
        self.written() && self.senders.iter().all(Sender::is_idle) && self.hops.iter().all(Hop::is_idle)
    }

    /// The link of a port goes down, or stays so, for some cycles.
    pub(super) fn fall(&mut self, port: usize, cycles: u32) {
        self.down[port] = self.down[port].max(cycles.max(SHORTEST_FALL));
    }

    pub(super) fn is_up(&self, port: usize) -> bool {
        self.down[port] == 0
    }

    /// Writes the inputs of this cycle. `seen` are its outputs.
    pub(super) fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        self.cycle += 1;
        if seen[self.io.ready] == 0 {
            return;
        }
        let mut moved = false;
        self.streams.act(&mut self.senders, &self.table, &mut self.rng);
        for port in 0..self.p.ports {
            if self.down[port] > 0 {
                self.down[port] -= 1;
                self.drive_down(port, input);
                moved = true;
            } else {
                moved |= self.drive_up(port, seen, input);
            }
        }
        self.quiet = if moved { 0 } else { self.quiet + 1 };
        self.registers(input);
    }

    /// A port whose link is up. Says whether anything moved.
    fn drive_up(&mut self, port: usize, seen: &[u32], input: &mut [u32]) -> bool {
        let (io, vls) = (self.io, self.p.vls);
        self.fell[port] = false;
        let sends = seen[io.tx_valid + port] != 0;
        if sends {
            self.hops[port].flit(seen[io.tx_vl + port] as usize);
            if seen[io.tx_first + port] != 0 {
                let words = &seen[io.tx_data + 4 * port..][..4];
                self.streams.heard(port, words, &mut self.senders, &mut self.rng);
            }
        }
        for v in 0..vls {
            if seen[io.tx_credit + port * vls + v] != 0 {
                self.senders[port].pulse(v, self.cycle, &mut self.rng);
            }
        }
        let pulses = self.hops[port].credits(self.cycle, &mut self.rng);
        for v in 0..vls {
            input[io.rx_credit + port * vls + v] = pulses >> v & 1;
        }
        let flit = self.senders[port].flit(self.cycle, &mut self.rng);
        if let Some(flit) = &flit {
            self.put(port, flit, input);
        }
        sends || flit.is_some() || pulses != 0
    }

    /// A port whose link is down: what is heard means nothing.
    fn drive_down(&mut self, port: usize, input: &mut [u32]) {
        let io = self.io;
        if !std::mem::replace(&mut self.fell[port], true) {
            self.senders[port].fall(&mut self.rng);
            self.hops[port].fall();
        }
        input[io.link_up + port] = 0;
        if self.rng.random_ratio(1, 4) {
            let lane = self.rng.random_range(0..16);
            let (first, last) = (self.rng.random(), self.rng.random());
            let flit = Flit { lane, first, last, bad: true, dlid: 0, head: None };
            self.put(port, &flit, input);
            let v = self.rng.random_range(0..self.p.vls);
            input[io.rx_credit + port * self.p.vls + v] = 1;
        }
    }

    /// A flit on the link into a port.
    fn put(&mut self, port: usize, flit: &Flit, input: &mut [u32]) {
        let io = self.io;
        self.number = self.number.wrapping_add(1);
        input[io.rx_valid + port] = 1;
        input[io.rx_vl + port] = flit.lane as u32 & 0xf;
        input[io.rx_first + port] = flit.first.into();
        input[io.rx_last + port] = flit.last.into();
        input[io.rx_bad + port] = flit.bad.into();
        let data = &mut input[io.rx_data + 4 * port..][..4];
        let any = self.rng.next_u32();
        data[0] = (flit.dlid >> 8 & 0xff) << 16 | (flit.dlid & 0xff) << 24 | any & 0xffff;
        data[1] = self.number;
        // (Of type 0, without flags.)
        data[2] = (port as u32) << 24 | (flit.lane as u32) << 16;
        data[3] = self.rng.next_u32();
        if let Some(head) = &flit.head {
            data.copy_from_slice(&head.words(flit.dlid, self.rng.next_u32()));
        }
    }

    /// What streams go by.
    fn note(&mut self, w: &Write) {
        let here = |port: usize| w.port == ALL_PORTS || w.port as usize == port;
        let is = |name| w.addr == u32::from(addr(UnitKind::WormRouter, name));
        let s = &mut self.streams;
        if is("BE_MASK") {
            s.be_mask = w.data;
        }
        for (name, values) in [("LIMIT", &mut s.limits), ("NEXT", &mut s.next)] {
            if is(name) {
                let ports = values.iter_mut().enumerate().filter(|(port, _)| here(*port));
                ports.for_each(|(_, value)| *value = w.data & 0x1_ffff);
            }
        }
    }

    fn registers(&mut self, input: &mut [u32]) {
        let io = self.io;
        if let Some(w) = self.cfg.pop_front() {
            input[io.cfg_we] = 1;
            input[io.cfg_port] = w.port & 0xff;
            input[io.cfg_addr] = w.addr & 0xff;
            input[io.cfg_data] = w.data;
            self.note(&w);
        }
        if let Some((dlid, port)) = self.lft.pop_front() {
            input[io.lft_we] = 1;
            input[io.lft_addr] = dlid & 0xffff;
            input[io.lft_port] = port & 0xff;
            if let Some(entry) = self.table.get_mut(dlid as usize) {
                *entry = port & 0xff;
            }
        }
        self.reader.drive(input);
    }
}
