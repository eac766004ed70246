//! What surrounds a switch: a neighbour at each link, and the configuration port.
//!
//! A neighbour is the sender of the flits that come in (credits, framing and faults of [`Link`]) and the receiver of those that
//! go out: a buffer that is drained at some pace, grants credits for it, and tells of congestion trees.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::model::header::Header;
use crate::model::link::{Control, Credit, Message};
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout, ctl_bits};
use crate::stimulus::carrier::Carrier;
use crate::stimulus::chance::{ALWAYS, Chance, hit};
use crate::stimulus::input_port::{Dims, Io, Link};
use crate::stimulus::reads::Reader;

/// Any port.
pub(super) const ALL_PORTS: u8 = 255;
/// Numbers of the units on the configuration port.
pub(super) const INPUT: u8 = 0;
pub(super) const OUTPUT: u8 = 1;

/// ALLOC
pub(super) const ALLOC: u32 = 0;
/// DEALLOC
pub(super) const DEALLOC: u32 = 1;
/// STOP
pub(super) const STOP: u32 = 2;
/// GO
pub(super) const GO: u32 = 3;

/// A register write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub unit: u8,
    pub port: u8,
    pub addr: u8,
    pub data: u32,
}

macro_rules! pins {
    ($($group:ident: $($name:ident)*;)*) => {
        /// First word of every signal.
        #[derive(Clone, Debug)]
        struct Pins { $($($name: usize,)*)* }

        impl Pins {
            fn new(l: &Layout) -> Pins {
                Pins { $($($name: l.$group(stringify!($name)),)*)* }
            }
        }
    };
}

pins! {
    input: cfg_we cfg_unit cfg_port cfg_addr cfg_data lft_we lft_addr lft_port rx_valid rx_first rx_last rx_bad rx_data
        rx_ctl link_up;
    output: ready tx_valid tx_first tx_last tx_data tx_ctl;
}

/// The receiving half of a neighbour.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    /// Blocks of its buffer, per VL.
    pub cap: u32,
    /// Chance, per VL and cycle, that a stored block leaves.
    pub drain: Chance,
    /// No credits are given.
    pub starved: bool,
    /// VLs of which nothing is free, as bits.
    pub shut: u32,
    /// Cycles between credit messages; 0: none.
    pub every: u32,
    /// Chance that a credit message is lost.
    pub lose: Chance,
    /// Messages to send, one a cycle.
    pub msgs: VecDeque<Message>,
    /// Added to the next credit limit (a damaged message).
    pub error: u32,
    /// VL of the next credit message if it is to be an illegal one.
    pub bad_vl: Option<u8>,
    left: u32,
    vl: usize,
    abr: Vec<u32>,
    used: Vec<u32>,
    /// VL of the packet being received.
    open: Option<usize>,
}

impl Receiver {
    fn new(d: &Dims) -> Receiver {
        Receiver {
            cap: 2048,
            drain: ALWAYS,
            starved: false,
            shut: 0,
            every: 4,
            lose: 0,
            msgs: VecDeque::with_capacity(16),
            error: 0,
            bad_vl: None,
            left: 0,
            vl: 0,
            abr: vec![0; d.vls],
            used: vec![0; d.vls],
            open: None,
        }
    }

    /// The credit message of this cycle, if it is time.
    fn credit(&mut self, d: &Dims, rng: &mut SmallRng) -> Option<Credit> {
        if self.every == 0 || self.starved {
            return None;
        }
        if self.left > 0 {
            self.left -= 1;
            return None;
        }
        self.left = self.every - 1;
        let v = self.vl;
        self.vl = (v + 1) % d.vls;
        if hit(rng, self.lose) {
            return None;
        }
        let free = if self.shut >> v & 1 != 0 { 0 } else { self.cap.saturating_sub(self.used[v]).min(2048) };
        let blocks = self.abr[v].wrapping_add(free).wrapping_add(std::mem::take(&mut self.error)) & 0xfff;
        Some(Credit { vl: self.bad_vl.take().map_or(v as u32, u32::from), blocks })
    }

    /// Follows what came in this cycle.
    fn receive(&mut self, d: &Dims, rng: &mut SmallRng, flit: Option<(bool, bool, &[u32])>, ctl: &Control) {
        for used in self.used.iter_mut().filter(|used| **used > 0) {
            *used -= u32::from(hit(rng, self.drain));
        }
        let mut lane = None;
        if let Some((first, last, data)) = flit {
            if first {
                let v = Header::parse(data).lane(d.vls, d.vl_by_dest);
                self.open = Some(v).filter(|&v| v < d.vls);
            }
            lane = self.open;
            if let Some(v) = lane {
                self.abr[v] = (self.abr[v] + 1) & 0xfff;
                self.used[v] += 1;
            }
            if last {
                self.open = None;
            }
        }
        // what the sender says it has sent, without the flit of this cycle
        if let Some(c) = ctl.fctbs.filter(|c| (c.vl as usize) < d.vls) {
            let v = c.vl as usize;
            self.abr[v] = (c.blocks + u32::from(lane == Some(v))) & 0xfff;
        }
    }
}

/// Everything around the switch.
#[derive(Debug)]
pub(super) struct World {
    pub d: Dims,
    pub rng: SmallRng,
    pub senders: Vec<Link>,
    pub receivers: Vec<Receiver>,
    pub carriers: Vec<Carrier>,
    /// Links that were down in the last cycle, and those that come up in this one, as bits.
    down: u64,
    pub rose: u64,
    /// Register writes to do, one a cycle.
    pub cfg: VecDeque<Write>,
    pub reader: Reader,
    /// LFT writes to do, one a cycle.
    pub lft: VecDeque<(u16, u8)>,
    /// Chance, per link and cycle, that spare bits of the control word are set.
    pub spare: Chance,
    pins: Pins,
    ctl_words: usize,
    ctl_bits: usize,
    /// Where a [`Link`] finds and puts what concerns it.
    io: Io,
    port_seen: Vec<u32>,
    port_input: Vec<u32>,
    /// The last cycles had no flit on any link.
    pub quiet: u32,
}

impl World {
    pub(super) fn new(p: &Params, seed: u64) -> World {
        let d = Dims::new(p);
        let (l, port) = (Layout::new(UnitKind::Switch, p), Layout::new(UnitKind::InputPort, p));
        World {
            d,
            rng: SmallRng::seed_from_u64(seed),
            senders: (0..d.ports).map(|_| Link::new()).collect(),
            receivers: (0..d.ports).map(|_| Receiver::new(&d)).collect(),
            carriers: vec![Carrier::default(); d.ports],
            down: 0,
            rose: 0,
            cfg: VecDeque::with_capacity(64),
            lft: VecDeque::with_capacity(d.lft_depth),
            reader: Reader::new(UnitKind::Switch, p, seed),
            spare: 0,
            ctl_words: l.signal(Group::Input, "rx_ctl").stride(),
            ctl_bits: ctl_bits(p),
            pins: Pins::new(&l),
            io: Io::new(p),
            port_seen: vec![0; port.out_words],
            port_input: vec![0; port.in_words],
            quiet: 0,
        }
    }

    pub(super) fn ready(&self, seen: &[u32]) -> bool {
        seen[self.pins.ready] != 0
    }

    /// Writes a register of all ports, or of one.
    pub(super) fn write(&mut self, unit: u8, port: u8, addr: u8, data: u32) {
        self.cfg.push_back(Write { unit, port, addr, data });
    }

    /// DLID d goes to port d + `shift`, the last ones nowhere.
    pub(super) fn route(&mut self, shift: usize) {
        for dlid in 0..self.d.lft_depth.min(256) {
            let port = match self.d.lft_depth - 1 - dlid {
                0 => 0xff,
                1 => self.d.ports as u8,
                _ => ((dlid + shift) % self.d.ports) as u8,
            };
            self.lft.push_back((dlid as u16, port));
        }
    }

    /// Sends a message about output `port`'s flits.
    pub(super) fn tell(&mut self, port: usize, message: Message) {
        self.receivers[port].msgs.push_back(message);
    }

    /// One cycle: drives the pins by what was seen up to the last cycle, then looks at this one.
    pub(super) fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let ready = self.ready(seen);
        if ready {
            if let Some(w) = self.cfg.pop_front() {
                input[self.pins.cfg_we] = 1;
                input[self.pins.cfg_unit] = w.unit.into();
                input[self.pins.cfg_port] = w.port.into();
                input[self.pins.cfg_addr] = w.addr.into();
                input[self.pins.cfg_data] = w.data;
            }
            if let Some((dlid, port)) = self.lft.pop_front() {
                input[self.pins.lft_we] = 1;
                input[self.pins.lft_addr] = dlid.into();
                input[self.pins.lft_port] = port.into();
            }
        }
        self.reader.drive(input);
        self.quiet += 1;
        let was_down = std::mem::take(&mut self.down);
        for p in 0..self.d.ports {
            if ready && !self.carriers[p].next(&mut self.rng) {
                self.down |= 1 << p;
                self.lose(p, input);
            } else {
                self.link(p, ready, seen, input);
            }
        }
        self.rose = was_down & !self.down;
    }

    /// Link `p` is down: its neighbour forgets what it knew of the switch.
    fn lose(&mut self, p: usize, input: &mut [u32]) {
        input[self.pins.link_up + p] = 0;
        self.senders[p].lose();
        let r = &mut self.receivers[p];
        r.abr.fill(0);
        r.open = None;
        r.msgs.clear();
        if self.carriers[p].babbles(&mut self.rng) {
            for at in [self.pins.rx_valid, self.pins.rx_first, self.pins.rx_last] {
                input[at + p] = self.rng.random_range(0..2);
            }
            let ctl = &mut input[self.pins.rx_ctl + p * self.ctl_words..][..self.ctl_words];
            Carrier::scribble(&mut self.rng, ctl, self.ctl_bits);
        }
    }

    fn link(&mut self, p: usize, ready: bool, seen: &[u32], input: &mut [u32]) {
        let World { d, rng, io, pins, .. } = self;
        let out_ctl = Control::unpack(&seen[pins.tx_ctl + p * self.ctl_words..][..self.ctl_words]);
        let mut ctl = Control::default();

        // The sender, as if it stood at an input port.
        let mut limit = 0;
        if let Some(c) = out_ctl.fccl {
            (self.port_seen[io.fc_valid], self.port_seen[io.fc_vl]) = (1, c.vl);
            limit = c.blocks;
        } else {
            self.port_seen[io.fc_valid] = 0;
        }
        self.port_seen[io.fccl] = limit;
        if ready {
            self.port_input[io.rx_valid] = 0;
            self.port_input[io.fctbs_valid] = 0;
            self.senders[p].drive(d, io, rng, &self.port_seen, &mut self.port_input);
            let from = &self.port_input;
            if from[io.rx_valid] != 0 {
                self.quiet = 0;
                input[pins.rx_valid + p] = 1;
                input[pins.rx_first + p] = from[io.rx_first];
                input[pins.rx_last + p] = from[io.rx_last];
                input[pins.rx_bad + p] = from[io.rx_bad];
                let to = &mut input[pins.rx_data + p * d.flit_words..][..d.flit_words];
                to.copy_from_slice(&from[io.rx_data..io.rx_data + d.flit_words]);
            }
            if from[io.fctbs_valid] != 0 {
                ctl.fctbs = Some(Credit { vl: from[io.fctbs_vl], blocks: from[io.fctbs] });
            }
        }

        // The receiver.
        let receiver = &mut self.receivers[p];
        ctl.fccl = receiver.credit(d, rng);
        ctl.message = receiver.msgs.pop_front();
        let flit = (seen[pins.tx_valid + p] != 0).then(|| {
            let data = &seen[pins.tx_data + p * d.flit_words..][..d.flit_words];
            (seen[pins.tx_first + p] != 0, seen[pins.tx_last + p] != 0, data)
        });
        if flit.is_some() {
            self.quiet = 0;
        }
        receiver.receive(d, rng, flit, &out_ctl);

        let words = &mut input[pins.rx_ctl + p * self.ctl_words..][..self.ctl_words];
        ctl.pack(words);
        if hit(rng, self.spare) {
            // bits that no field has, or whose field is not valid
            words[0] |= rng.random::<u32>() & 0xc0;
            words[1] |= rng.random::<u32>() & 0xff00_0000;
            if ctl.message.is_none() {
                words[2] |= rng.random::<u32>();
                words[3] |= rng.random::<u32>();
            }
        }
    }
}
