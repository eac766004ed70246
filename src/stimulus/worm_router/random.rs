//! Constrained-random stimulus: a [`World`] whose messages, next hops, links and registers change from phase to phase.

use rand::rngs::SmallRng;
use rand::{Rng, RngCore};

use super::head::Head;
use super::pace::Pace;
use super::sender::{Faults, Message};
use super::world::{ALL_PORTS, World};
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::{Register, addr};
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::knobs::{Knobs, Setup};
use crate::stimulus::reads::{any_value, registers};

/// What happens in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing new comes.
    Pause,
    /// Messages of all kinds, to all outputs.
    Mixed,
    /// As many as the links carry.
    Full,
    /// Most go to one output.
    Hot,
    /// Messages of one flit.
    Single,
    /// Real-time beside best-effort, with a small LHP.
    Guard,
    /// Best-effort alone: draws.
    Shared,
    /// Much of reply and control.
    Urgent,
    /// Next hops that take little.
    Starved,
    /// Next hops that take in turns.
    Periodic,
    /// Messages without route.
    Lost,
    /// Links fall.
    Falls,
    /// Registers and routes change all the time.
    Reconfigure,
    /// What breaks the protocol.
    Violate,
    /// Flits of no message beside others, on a few lanes.
    Strays,
    /// Admission: streams that keep to it; control, reply and last messages of any kind.
    Streams,
    Booking,
}

const KINDS: [Phase; 20] = [
    Phase::Pause,
    Phase::Mixed,
    Phase::Mixed,
    Phase::Full,
    Phase::Full,
    Phase::Hot,
    Phase::Hot,
    Phase::Single,
    Phase::Guard,
    Phase::Guard,
    Phase::Guard,
    Phase::Shared,
    Phase::Urgent,
    Phase::Starved,
    Phase::Periodic,
    Phase::Lost,
    Phase::Falls,
    Phase::Reconfigure,
    Phase::Violate,
    Phase::Strays,
];

/// Those of a router with admission, beside others.
const OF_ADMISSION: [Phase; 3] = [Phase::Streams, Phase::Booking, Phase::Booking];

/// The constrained-random source.
pub(super) struct Random {
    world: World,
    knobs: Knobs,
    /// Registers, and the table, are ours to choose.
    free_registers: bool,
    free_table: bool,
    /// Drive everything before the router is ready: it must be ignored.
    early: bool,
    left: u32,
    mean_phase: u32,
    /// Chance of a message at each port, in a cycle.
    load: Vec<Chance>,
    /// Lanes that are used, a bit each.
    lanes: u32,
    /// The hot output, and the chance that a message goes there.
    hot: (usize, Chance),
    /// Chance of a message without route.
    lost: Chance,
    longest: u32,
    short: Chance,
    long: Chance,
    bad: Chance,
    falls: Chance,
    reconfig: Chance,
    reroute: Chance,
    /// Chance that all errors are cleared.
    clear: Chance,
    /// Chance that a message is one that admission looks at; that admit_en is written.
    books: Chance,
    turns: Chance,
    /// Faults come in this phase.
    rude: bool,
}

impl Random {
    /// A source; a `setup` without registers or routes means that it chooses them.
    pub(super) fn new(p: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut world = World::new(p, seed ^ 0x3e_75_c9_10_ab_d4_62_8f);
        let free_registers = setup.worm_router.is_empty();
        match &setup.lft {
            Some(routes) => world.lft.extend(routes.iter().map(|&(dlid, port)| (dlid.into(), port.into()))),
            None => world.route_all(),
        }
        for &(addr, data) in &setup.worm_router {
            world.write(ALL_PORTS, addr, data);
        }
        let early = world.rng.random();
        let mut r = Random {
            free_registers,
            free_table: setup.lft.is_none(),
            knobs: knobs.clone(),
            early,
            left: 0,
            mean_phase: knobs.phase_len.map_or(700, |l| l as u32),
            load: vec![0; p.ports],
            lanes: u32::MAX,
            hot: (0, 0),
            lost: 0,
            longest: 1,
            short: 0,
            long: 0,
            bad: 0,
            falls: 0,
            reconfig: 0,
            reroute: 0,
            clear: 0,
            books: 0,
            turns: 0,
            rude: false,
            world,
        };
        r.next_phase();
        r
    }

    fn next_phase(&mut self) {
        let rng = &mut self.world.rng;
        let mut kind = KINDS[rng.random_range(0..KINDS.len())];
        if self.world.p.admit && self.free_registers && rng.random_ratio(1, 4) {
            kind = OF_ADMISSION[rng.random_range(0..OF_ADMISSION.len())];
        }
        self.mend();
        self.left = {
            let rng = &mut self.world.rng;
            rng.random_range(self.mean_phase / 4..=self.mean_phase * 7 / 4).max(16)
        };
        self.messages(kind);
        self.links(kind);
        self.next_hops(kind);
        self.faults(kind);
        if self.free_registers {
            self.choose_registers(kind);
            if self.world.p.admit {
                self.admission(kind);
            }
        }
    }

    /// Streams, and registers that they go by.
    fn admission(&mut self, kind: Phase) {
        let w = &mut self.world;
        let rng = &mut w.rng;
        let begins = match kind {
            Phase::Streams => 0.05,
            Phase::Booking => 0.01,
            _ => [0.0, 0.002][rng.random_range(0..2)],
        };
        w.streams.start = chance(begins);
        w.streams.end = chance([0.002, 0.02, 0.2][rng.random_range(0..3)]);
        w.streams.refuse = chance([0.0, 0.1, 0.6][rng.random_range(0..3)]);
        let books = match kind {
            Phase::Streams => 0.0,
            Phase::Booking => [0.2, 0.9][rng.random_range(0..2)],
            Phase::Violate | Phase::Strays | Phase::Falls | Phase::Reconfigure | Phase::Urgent => 0.3,
            _ => [0.0, 0.05][rng.random_range(0..2)],
        };
        self.books = chance(books);
        self.turns =
            chance(if kind == Phase::Booking { [0.0, 0.001, 0.01][rng.random_range(0..3)] } else { 0.0 });
        let mut writes = Vec::new();
        let limits: &[u32] = &[0, 1, 3, 60, 100, 1000, 4095, 4096, 4096, 4097, 0x1fff];
        for port in 0..w.p.ports as u32 {
            writes.push((port, "LIMIT", limits[rng.random_range(0..limits.len())]));
            writes.push((port, "WSHIFT", [0, 0, 1, 2, 4, 4, 8, 15][rng.random_range(0..8)]));
            let host = u32::from(rng.random_ratio(2, 5)) << 16;
            writes.push((port, "NEXT", host | rng.random_range(0..4)));
        }
        writes.push((0, "NODE_ID", rng.random_range(0..4)));
        // Off and on: what is booked is forgotten.
        if rng.random_ratio(1, 3) {
            writes.push((0, "CTRL", 0));
        }
        writes.push((0, "CTRL", u32::from(!rng.random_ratio(1, 8))));
        for (port, name, data) in writes {
            w.write(port, addr(UnitKind::WormRouter, name), data);
        }
    }

    /// Credits that faults have spoilt are right again when the link was down.
    fn mend(&mut self) {
        let w = &mut self.world;
        for port in 0..w.p.ports {
            let spoilt = w.senders[port].spoilt || w.hops[port].spoilt;
            if self.rude && spoilt && w.rng.random_ratio(3, 4) {
                let cycles = w.rng.random_range(0..20);
                w.fall(port, cycles);
            }
        }
    }

    /// What is sent, on which lanes and where to.
    fn messages(&mut self, kind: Phase) {
        let Random { world: w, knobs, .. } = self;
        let (ports, vls) = (w.p.ports, w.p.vls);
        let rng = &mut w.rng;
        let load = match kind {
            Phase::Pause => 0.0,
            Phase::Full | Phase::Guard | Phase::Hot => 1.0,
            Phase::Mixed | Phase::Booking => [0.02, 0.1, 0.4][rng.random_range(0..3)],
            Phase::Streams => [0.0, 0.02, 0.2][rng.random_range(0..3)],
            _ => [0.1, 0.5, 1.0][rng.random_range(0..3)],
        };
        let base = chance(knobs.load.unwrap_or(load));
        for port in &mut self.load {
            // Some ports send nothing.
            *port = if knobs.load.is_none() && rng.random_ratio(1, 6) { 0 } else { base };
        }
        let all = (1u32 << vls) - 1;
        let (control, reply) = (1 << (vls - 1), 1 << (vls - 2));
        self.lanes = match kind {
            Phase::Urgent => reply | control | rng.next_u32() & all,
            Phase::Guard | Phase::Shared => all & !(reply | control),
            Phase::Strays => 1 << rng.random_range(0..vls) | 1 << rng.random_range(0..vls),
            Phase::Streams => all & !control,
            Phase::Booking => control | rng.next_u32() & all,
            _ if rng.random() => all,
            _ => rng.next_u32() & all,
        };
        if self.lanes == 0 {
            self.lanes = all;
        }
        let hot = match kind {
            Phase::Hot => 0.9,
            Phase::Booking => [0.0, 0.5, 0.9][rng.random_range(0..3)],
            Phase::Guard => [0.0, 0.5, 1.0][rng.random_range(0..3)],
            _ => [0.0, 0.0, 0.5][rng.random_range(0..3)],
        };
        self.hot = (rng.random_range(0..ports), chance(knobs.hotspot_share.unwrap_or(hot)));
        let lost = match kind {
            Phase::Lost => [0.3, 0.9][rng.random_range(0..2)],
            Phase::Booking => [0.01, 0.2][rng.random_range(0..2)],
            _ => 0.01,
        };
        self.lost = chance(lost);
        self.longest = [3, 8, 40][rng.random_range(0..3)];
        let short = match kind {
            Phase::Single => 1.0,
            Phase::Guard => 0.05,
            _ => [0.1, 0.4][rng.random_range(0..2)],
        };
        self.short = chance(knobs.short_share.unwrap_or(short));
        self.long = chance(knobs.long_share.unwrap_or(0.1));
        self.bad = chance(0.1);
    }

    /// How messages come over the links, and how links fall.
    fn links(&mut self, kind: Phase) {
        let Random { world: w, knobs, .. } = self;
        for port in 0..w.p.ports {
            let rng = &mut w.rng;
            let gap = if rng.random() { 0.0 } else { rng.random_range(0.0..0.7) };
            let pace = 1.0 / knobs.slow_link.unwrap_or(1.0);
            let sender = &mut w.senders[port];
            sender.pace = Pace::Chance(chance(pace * (1.0 - knobs.gap_rate.unwrap_or(gap))));
            sender.stick = chance([0.0, 0.8, 1.0][rng.random_range(0..3)]);
            sender.delay = [(0, 0), (1, 1), (0, 6), (20, 20)][rng.random_range(0..4)];
        }
        let falls = match kind {
            Phase::Falls => [0.01, 0.05][w.rng.random_range(0..2)],
            Phase::Strays => [0.0, 0.02][w.rng.random_range(0..2)],
            Phase::Booking => [0.000_3, 0.000_3, 0.01][w.rng.random_range(0..3)],
            _ => 0.000_3,
        };
        self.falls = chance(knobs.link_falls.unwrap_or(falls));
    }

    /// How next hops drain their lanes, and how soon they tell.
    fn next_hops(&mut self, kind: Phase) {
        let Random { world: w, knobs, .. } = self;
        for port in 0..w.p.ports {
            for lane in 0..w.p.vls {
                let pace = pace_of(kind, knobs, &mut w.rng);
                w.hops[port].drain(lane, pace);
            }
            w.hops[port].delay = [(0, 0), (1, 1), (0, 8), (12, 12)][w.rng.random_range(0..4)];
        }
    }

    fn faults(&mut self, kind: Phase) {
        let Random { world: w, knobs, .. } = self;
        let rng = &mut w.rng;
        let violate = knobs.violation_rate.unwrap_or(match kind {
            Phase::Violate => 0.05,
            _ => 0.0,
        });
        let strays = kind == Phase::Strays && knobs.violation_rate.is_none();
        self.rude = violate > 0.0 || strays;
        let mut of = |share: f64| if rng.random_ratio(2, 3) { chance(violate * share) } else { 0 };
        let mut faults = Faults {
            rude: of(4.0),
            leave: of(1.0),
            stray: of(1.0),
            bad_vl: if w.p.vls < 16 { of(0.5) } else { 0 },
            bad_inside: of(2.0),
        };
        let excess = of(1.0);
        if strays {
            faults.stray = chance(0.6);
        }
        for port in 0..w.p.ports {
            w.senders[port].faults = faults;
            w.hops[port].excess = excess;
        }
    }

    /// Registers of a phase.
    fn choose_registers(&mut self, kind: Phase) {
        let Random { world: w, knobs, .. } = self;
        let (ports, vls) = (w.p.ports as u32, w.p.vls);
        let data = (1u32 << (vls - 2)) - 1;
        let number = |name| addr(UnitKind::WormRouter, name);
        let rng = &mut w.rng;
        let lhps: &[u32] = if kind == Phase::Guard { &[0, 1, 1, 2, 3, 7] } else { &[0, 1, 3, 16, 64, 255] };
        let half = rng.next_u32() & rng.next_u32();
        let mask = match rng.random_range(0..8) {
            0 => 0,
            1 => u32::MAX,
            2 | 3 => half & data,
            4 => !half,
            // Some of both, where there are two.
            _ => 1 << rng.random_range(0..vls - 2),
        };
        let weight = [1, 1, 3, 15, 255][rng.random_range(0..5)];
        let seed = rng.next_u32();
        let alike = rng.random_ratio(1, 2);
        let mut writes = vec![(ALL_PORTS, number("BE_MASK"), mask)];
        for port in 0..ports {
            let lhp = lhps[if alike { seed as usize } else { rng.random_range(0..64) } % lhps.len()];
            writes.push((port, number("LHP"), lhp));
        }
        if rng.random_ratio(1, 3) {
            let port = if rng.random() { ALL_PORTS } else { rng.random_range(0..ports) };
            for first in ["WEIGHT_IN0", "WEIGHT_OUT0"] {
                let of = |rng: &mut SmallRng| rng.random_range(0..=weight);
                writes.extend((0..vls as u8).map(|v| (port, number(first) + v, of(rng))));
            }
        }
        if rng.random_ratio(1, 8) {
            writes.push((rng.random_range(0..ports), number("LFSR_SEED"), seed & 0xffff));
        }
        for (port, addr, data) in writes {
            w.write(port, addr, data);
        }
        let (reconfig, reroute) = if kind == Phase::Reconfigure { (0.1, 0.1) } else { (0.001, 0.001) };
        self.reconfig = chance(knobs.reconfig_rate.unwrap_or(reconfig));
        self.clear = if matches!(kind, Phase::Strays | Phase::Violate) { chance(0.02) } else { 0 };
        self.reroute = if self.free_table { chance(reroute) } else { 0 };
    }

    /// New messages, falls, writes.
    fn churn(&mut self) {
        for port in 0..self.world.p.ports {
            if self.world.is_up(port) && hit(&mut self.world.rng, self.load[port]) {
                self.push(port);
            }
            if hit(&mut self.world.rng, self.falls) {
                let cycles = [3, 4, 10, 200][self.world.rng.random_range(0..4)];
                let cycles = self.world.rng.random_range(0..=cycles);
                self.world.fall(port, cycles);
            }
        }
        if hit(&mut self.world.rng, self.reconfig) && self.world.cfg.len() < 4 {
            let write = any_write(&self.world.p, &mut self.world.rng);
            self.world.write(write.0, write.1, write.2);
        }
        if hit(&mut self.world.rng, self.turns) && self.world.cfg.len() < 4 {
            let on = u32::from(self.world.rng.random_ratio(2, 3));
            self.world.write(0, addr(UnitKind::WormRouter, "CTRL"), on);
        }
        if hit(&mut self.world.rng, self.clear) {
            let bits = if self.world.rng.random() { 0xffff } else { self.world.rng.next_u32() };
            self.world.write(ALL_PORTS, addr(UnitKind::WormRouter, "ERR_CLEAR"), bits);
        }
        if hit(&mut self.world.rng, self.reroute) && self.world.lft.is_empty() {
            let route = any_route(&self.world.p, &mut self.world.rng);
            self.world.lft.push_back(route);
        }
    }

    /// A message for a port's sender, on a lane that has few.
    fn push(&mut self, port: usize) {
        let lane = {
            let rng = &mut self.world.rng;
            let at = rng.random_range(0..self.lanes.count_ones());
            (0..self.world.p.vls).filter(|v| self.lanes >> v & 1 != 0).nth(at as usize)
        };
        let Some(lane) = lane.filter(|&lane| self.world.senders[port].waiting(lane) < 3) else { return };
        let dlid = self.destination();
        let rng = &mut self.world.rng;
        let flits = if hit(rng, self.short) {
            1
        } else if hit(rng, self.long) {
            40
        } else {
            rng.random_range(1..=self.longest)
        };
        let bad = hit(rng, self.bad);
        let books = hit(rng, self.books);
        let head = books.then(|| self.head(lane, dlid));
        let flits = if books && self.world.rng.random() { 1 } else { flits };
        self.world.senders[port].push(lane, Message { flits, dlid, bad, head });
    }

    /// A header that admission looks at; the answer mostly has a way.
    fn head(&mut self, lane: usize, dlid: u32) -> Head {
        let slid = self.destination();
        let w = &mut self.world;
        let out = w.table.get(dlid as usize).copied().unwrap_or(0) as usize % w.p.ports;
        w.streams.any_head(lane, out, slid, &mut w.rng)
    }

    /// A DLID.
    fn destination(&mut self) -> u32 {
        let w = &mut self.world;
        let (ports, depth) = (w.p.ports, w.p.lft_depth);
        if hit(&mut w.rng, self.lost) {
            // Beyond the table, or with an entry that is none.
            let from = w.rng.random_range(0..depth);
            let none = (from..depth).chain(0..from).find(|&d| w.table[d] >= ports as u32);
            return match none {
                Some(dlid) if w.rng.random() => dlid as u32,
                _ => [depth as u32, depth as u32 + 5, 0xffff][w.rng.random_range(0..3)] & 0xffff,
            };
        }
        let out = if hit(&mut w.rng, self.hot.1) { self.hot.0 } else { w.rng.random_range(0..ports) };
        let from = w.rng.random_range(0..depth);
        let there = (from..depth).chain(0..from).find(|&d| w.table[d] == out as u32);
        there.unwrap_or(from) as u32
    }

    /// Anything, before the router is ready.
    fn too_early(&mut self, input: &mut [u32]) {
        let w = &mut self.world;
        let (io, rng) = (w.io, &mut w.rng);
        for port in 0..w.p.ports {
            for flag in [io.rx_valid, io.rx_first, io.rx_last, io.link_up] {
                input[flag + port] = rng.random_range(0..2);
            }
        }
        for credit in &mut input[io.rx_credit..io.rx_credit + w.p.ports * w.p.vls] {
            *credit = rng.random_range(0..2);
        }
        input[io.cfg_we] = rng.random_range(0..2);
        (input[io.cfg_addr], input[io.cfg_data]) = (rng.random_range(0..64), rng.next_u32());
        (input[io.lft_we], input[io.lft_addr]) = (1, rng.random_range(0..8));
    }
}

/// How a lane of a next hop is drained.
fn pace_of(kind: Phase, knobs: &Knobs, rng: &mut SmallRng) -> Pace {
    if let Some(share) = knobs.credit_starvation {
        return Pace::Chance(chance(1.0 - share));
    }
    let slow = match kind {
        Phase::Starved => 0.9,
        Phase::Full | Phase::Guard => 0.1,
        _ => 0.3,
    };
    if kind == Phase::Periodic {
        let period = rng.random_range(2..60);
        return Pace::Period(period, rng.random_range(1..=period), rng.random_range(0..period));
    }
    match rng.random_bool(slow) {
        true if rng.random_ratio(1, 8) => Pace::NEVER,
        true => Pace::Chance(chance(rng.random_range(0.01..0.5))),
        false => Pace::Chance(ALWAYS),
    }
}

/// A write of any register, mostly of one that is there: port, number, data.
fn any_write(p: &Params, rng: &mut SmallRng) -> (u32, u8, u32) {
    let all: Vec<&Register> = registers(UnitKind::WormRouter).collect();
    let r = all[rng.random_range(0..all.len())];
    let data = any_value(r, rng);
    let addr = if rng.random_ratio(1, 16) { rng.random() } else { r.addr };
    let port = match rng.random_range(0..8) {
        0 => ALL_PORTS,
        1 => rng.random_range(0..256),
        _ => rng.random_range(0..p.ports as u32),
    };
    (port, addr, data)
}

/// A write of the forwarding table, mostly of a route.
fn any_route(p: &Params, rng: &mut SmallRng) -> (u32, u32) {
    let depth = p.lft_depth as u32;
    let beyond = depth <= 0xffff && rng.random_ratio(1, 16);
    let dlid = if beyond { rng.random_range(depth..=0xffff) } else { rng.random_range(0..depth) };
    let port = match rng.random_range(0..8) {
        0 => 255,
        1 => rng.random_range(p.ports as u32..255),
        _ => rng.random_range(0..p.ports as u32),
    };
    (dlid, port)
}

impl Source for Random {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        if seen[self.world.io.ready] == 0 {
            if self.early {
                self.too_early(input);
            }
        } else {
            if self.left == 0 {
                self.next_phase();
            }
            self.left -= 1;
            self.churn();
        }
        self.world.drive(seen, input);
    }
}
