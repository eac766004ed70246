//! Constrained-random stimulus: a [`Bench`] whose requests, notifications, tables and registers change from phase to phase.

use rand::rngs::SmallRng;
use rand::{Rng, RngCore};

use super::bench::{Bench, rising};
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::knobs::{Knobs, SHORT_RUN, Setup};
use crate::stimulus::taker::Gates;

/// Indices that nothing but notifications and timers move, for some periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steady {
    No,
    /// All come down to 0.
    Begins,
    /// They rise and fall.
    Runs,
}

/// What happens in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No packets; indices decay.
    Idle,
    /// Packets come and go.
    Uniform,
    /// Every flow always has a packet.
    Saturated,
    /// A few flows always have a packet.
    Few,
    /// Notifications in nearly every cycle.
    Storm,
    /// Notifications of one flow, again and again.
    SameFlow,
    /// Flows are stopped and released all the time.
    Stops,
    /// Credits come and go.
    Credits,
    /// The table is rewritten.
    Reprogram,
    /// Registers change all the time.
    Reconfigure,
    /// Illegal addresses and lengths.
    Violate,
    /// Everything at random.
    Mixed,
}

const KINDS: [Phase; 14] = [
    Phase::Idle,
    Phase::Uniform,
    Phase::Uniform,
    Phase::Saturated,
    Phase::Few,
    Phase::Few,
    Phase::Storm,
    Phase::SameFlow,
    Phase::Stops,
    Phase::Credits,
    Phase::Reprogram,
    Phase::Reconfigure,
    Phase::Violate,
    Phase::Mixed,
];

/// The constrained-random source.
#[derive(Clone, Debug)]
pub(super) struct Random {
    bench: Bench,
    knobs: Knobs,
    /// Registers and tables are ours to choose.
    free_registers: bool,
    free_tables: bool,
    free_attrs: bool,
    /// Drive everything before the unit is ready: it must be ignored.
    early: bool,
    kind: Phase,
    left: u32,
    mean_phase: u32,
    time: u64,
    steady: Steady,
    /// Chance that a flow has a packet, when it is looked at.
    load: Chance,
    /// Flows looked at in a cycle.
    pace: u32,
    /// Flows in use: first and number.
    active: (usize, usize),
    becn: Chance,
    /// Largest number of notifications in a row.
    becn_burst: u32,
    hot: [u16; 4],
    to_hot: Chance,
    gates: Gates,
    reconfig: Chance,
    attr: Chance,
    violate: Chance,
}

impl Random {
    /// A source; a `setup` without writes for the unit means that it chooses registers and tables.
    pub(super) fn new(p: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut bench = Bench::new(p, seed ^ 0x5d_02_e7_19_8c_33_60_4f);
        bench.cfg.extend(setup.hca_throttle.iter().copied());
        for (i, &e) in setup.cct.iter().flatten().enumerate() {
            bench.ccts.push_back((i as u16, e));
        }
        bench.attrs.extend(setup.attrs.iter().copied());
        let early = bench.rng.random();
        let mut r = Random {
            knobs: knobs.clone(),
            free_registers: setup.hca_throttle.is_empty(),
            free_tables: setup.hca_throttle.is_empty() && setup.cct.is_none(),
            free_attrs: setup.attrs.is_empty(),
            early,
            kind: Phase::Idle,
            left: 0,
            time: 0,
            steady: Steady::No,
            mean_phase: knobs.phase_len.map_or(600 + 2 * p.entities() as u32, |l| l as u32),
            load: 0,
            pace: 1,
            active: (0, p.flows),
            becn: 0,
            becn_burst: 1,
            hot: [0; 4],
            to_hot: 0,
            gates: Gates::default(),
            reconfig: 0,
            attr: 0,
            violate: 0,
            bench,
        };
        if r.free_attrs {
            let few = r.bench.rng.random_bool(0.5);
            for f in 0..p.flows as u16 {
                let sl = r.bench.rng.random_range(0..if few { 3 } else { 16 });
                r.bench.attrs.push_back((f, sl));
            }
        }
        r.next_phase();
        if r.free_tables {
            r.table();
        }
        r
    }

    fn next_phase(&mut self) {
        let kind = KINDS[self.bench.rng.random_range(0..KINDS.len())];
        self.kind = kind;
        let Random { bench, knobs, .. } = self;
        let flows = bench.taker.flows;
        let rng = &mut bench.rng;
        self.left = rng.random_range(self.mean_phase / 4..=self.mean_phase * 7 / 4).max(16);
        let some = |rng: &mut SmallRng, p: f64, hi: f64| -> f64 {
            if rng.random_bool(p) { rng.random_range(0.0..1.0) * hi } else { 0.0 }
        };

        self.load = chance(knobs.load.unwrap_or(match kind {
            Phase::Idle => 0.0,
            Phase::Saturated | Phase::Few => 1.0,
            _ if rng.random_bool(0.5) => 1.0,
            _ => rng.random_range(0.02..1.0),
        }));
        self.pace = if rng.random_bool(0.3) { 1 } else { (flows as u32 / 64).clamp(1, 4) };
        let n = match kind {
            Phase::Few => rng.random_range(1..=flows.min(4)),
            Phase::Saturated => flows,
            _ if rng.random_bool(0.6) => flows,
            _ => rng.random_range(1..=flows),
        };
        self.active = (rng.random_range(0..flows), n);
        self.hot = hot(rng, self.active, flows);
        self.becn = chance(knobs.becn_rate.unwrap_or(match kind {
            Phase::Storm => rng.random_range(0.5..1.0),
            Phase::SameFlow => rng.random_range(0.1..1.0),
            Phase::Idle => some(rng, 0.5, 0.02),
            _ => [0.0, 0.003, 0.02, 0.2][rng.random_range(0..4)],
        }));
        self.becn_burst = [1, 1, 4, 16][rng.random_range(0..4)];
        self.to_hot = chance(knobs.hotspot_share.unwrap_or(match kind {
            Phase::SameFlow | Phase::Few => 1.0,
            _ => some(rng, 0.8, 1.0),
        }));
        if kind == Phase::SameFlow {
            self.hot = [self.hot[0]; 4];
        }
        self.gates.stop_go = chance(knobs.stop_go_rate.unwrap_or(match kind {
            Phase::Stops => rng.random_range(0.05..1.0),
            _ => some(rng, 0.4, 0.05),
        }));
        self.gates.stopped = if rng.random_bool(0.3) { 0 } else { chance(rng.random_range(0.0..0.7)) };
        self.gates.starved = chance(knobs.credit_starvation.unwrap_or(match kind {
            Phase::Credits => rng.random_range(0.1..0.9),
            _ => some(rng, 0.3, 0.3),
        }));
        self.gates.credit = chance(if kind == Phase::Credits { rng.random_range(0.02..1.0) } else { 0.05 });
        self.gates.spoil = chance(match kind {
            Phase::Stops | Phase::Credits | Phase::Mixed => some(rng, 0.7, 0.4),
            _ => some(rng, 0.2, 0.1),
        });
        bench.taker.accept = [ALWAYS, ALWAYS, chance(0.5), chance(0.05)][rng.random_range(0..4)];
        bench.taker.again = self.load;
        // the host is as fast as the link, or not, or sends packets at one blow
        bench.taker.pace = [1, 1, 1, 4, rng.random_range(1..16)][rng.random_range(0..5)];
        bench.taker.flit = [ALWAYS, ALWAYS, chance(0.5), chance(0.05)][rng.random_range(0..4)];
        let (short, long) = match rng.random_range(0..4) {
            0 => (1.0, 0.0),
            1 => (0.0, 1.0),
            _ => (0.3, 0.1),
        };
        bench.taker.longest = if rng.random_bool(0.2) { 127 } else { bench.taker.mtu };
        let short = knobs.short_share.unwrap_or(if knobs.long_share.is_some() { 0.0 } else { short });
        let long = knobs.long_share.unwrap_or(if knobs.short_share.is_some() { 0.0 } else { long });
        self.violate = chance(knobs.violation_rate.unwrap_or(match kind {
            Phase::Violate => rng.random_range(0.01..0.5),
            _ => some(rng, 0.1, 0.01),
        }));
        bench.taker.bad_len = self.violate;
        bench.taker.rude = if rng.random_bool(0.5) { self.violate } else { 0 };
        bench.taker.stray = if rng.random_bool(0.5) { self.violate } else { 0 };
        let may = self.free_registers || knobs.reconfig_rate.is_some();
        self.reconfig = chance(match knobs.reconfig_rate {
            Some(r) => r,
            None if !may => 0.0,
            None if kind == Phase::Reconfigure => rng.random_range(0.02..0.8),
            None if kind == Phase::Violate => 0.1,
            None => some(rng, 0.3, 0.01),
        });
        self.attr = if self.free_attrs { chance(some(rng, 0.3, 0.1)) } else { 0 };
        let table = self.free_tables && (kind == Phase::Reprogram || rng.random_bool(0.2));
        bench.taker.lengths(short, long);

        self.ask_afresh();
        if self.free_registers {
            self.registers();
        } else if let Some(s) = self.knobs.slow_link {
            self.bench.cfg.push_back((addr(UnitKind::HcaThrottle, "LINK_INTERVAL"), s as u32));
        }
        if table {
            self.table();
        }
    }

    /// Requests of the flows in use, and nobody is stopped.
    fn ask_afresh(&mut self) {
        let Bench { taker, rng, .. } = &mut self.bench;
        for f in 0..taker.flows {
            let used = (f + taker.flows - self.active.0) % taker.flows < self.active.1;
            let on = used && hit(rng, self.load);
            taker.set_req(f, on);
        }
        taker.release();
    }

    /// A few flows always have a packet, nothing else keeps them than their delays, and all indices come down to 0.
    fn settle(&mut self) {
        self.next_phase();
        let Random { bench, .. } = self;
        let flows = bench.taker.flows;
        // Until the table is written, and many sweeps after that.
        self.left = 8 * bench.cct.max(64) as u32 + 256 * flows as u32;
        (self.becn, self.reconfig, self.attr, self.violate) = (0, 0, 0, 0);
        self.gates = Gates::default();
        self.load = ALWAYS;
        self.pace = 1;
        self.active = (bench.rng.random_range(0..flows), bench.rng.random_range(1..=flows.min(3)));
        self.hot = hot(&mut bench.rng, self.active, flows);
        let t = &mut bench.taker;
        (t.accept, t.again, t.flit, t.pace) = (ALWAYS, ALWAYS, ALWAYS, 1);
        (t.bad_len, t.rude, t.stray) = (0, 0, 0);
        let (short, long) = [(1.0, 0.0), (0.3, 0.3)][bench.rng.random_range(0..2)];
        t.lengths(short, long);
        self.ask_afresh();
        let step = self.bench.rng.random_range(4..40);
        let modes = self.value(0, false) | 1;
        let b = &mut self.bench;
        b.cfg.extend([(0, modes), (3, 0), (4, 1), (5, 1), (6, 1)]);
        // The delay of an index: absolute, or of as many flits.
        let shift = b.rng.random_range(0..4) << 14;
        b.ccts = rising(b.cct, shift, step);
    }

    /// Notifications of these flows, and timers of some hundred cycles: they rise and fall for some periods.
    fn run_steadily(&mut self) {
        let b = &mut self.bench;
        let tick = [1, 1, 2, 5][b.rng.random_range(0..4)];
        let timer = b.rng.random_range(60..400) / tick;
        self.left = timer * tick * b.rng.random_range(10..30);
        self.becn = chance(b.rng.random_range(0.2..2.0) / f64::from(timer * tick));
        self.becn_burst = [1, 2, 4][b.rng.random_range(0..3)];
        self.to_hot = ALWAYS;
        let increase = [1, 1, 2, 3][b.rng.random_range(0..4)];
        let limit = [b.cct as u32 - 1, 12, 5][b.rng.random_range(0..3)];
        let min = [0, 0, 1, 3][b.rng.random_range(0..4)];
        b.cfg.extend([(1, increase), (2, limit), (3, min), (4, timer), (5, tick)]);
    }

    /// A new setting of all registers.
    fn registers(&mut self) {
        for a in 1..=6 {
            let v = self.value(a, false);
            self.bench.cfg.push_back((a, v));
        }
        // the modes stay for a while
        if self.bench.rng.random_bool(0.6) {
            let v = self.value(0, false);
            self.bench.cfg.push_back((0, v));
        }
    }

    /// A value for the register at an address; `any`: also useless ones.
    fn value(&mut self, a: u8, any: bool) -> u32 {
        let cct = self.bench.cct as u32;
        let slow = self.knobs.slow_link;
        let rng = &mut self.bench.rng;
        if any && rng.random_bool(0.15) {
            return if rng.random_bool(0.5) { 0 } else { rng.next_u32() };
        }
        match a {
            0 => {
                let on = |rng: &mut SmallRng, p: f64| u32::from(rng.random_bool(p));
                on(rng, 0.93)
                    | on(rng, 0.35) << 1
                    | on(rng, 0.45) << 2
                    | on(rng, 0.5) << 3
                    | on(rng, 0.5) << 4
            }
            1 => [1, 1, 2, 3, 0, 255, rng.random_range(0..256)][rng.random_range(0..7)],
            2 => [cct - 1, cct - 1, rng.random_range(0..cct), rng.random_range(0..cct), 0x3fff, cct]
                [rng.random_range(0..6)],
            3 => [0, 0, 0, 1, rng.random_range(0..cct.min(256)), 255][rng.random_range(0..6)],
            4 => [0, 1, 1, 2, 5, rng.random_range(1..40), rng.random_range(1..400), 150]
                [rng.random_range(0..8)],
            // mostly fast, so that ticks wrap in a long run
            5 => [1, 1, 1, 1, 1, 1, 0, 2, 3, rng.random_range(1..20)][rng.random_range(0..10)],
            6 => match slow {
                Some(s) => s as u32,
                None => [1, 1, 1, 2, 0, rng.random_range(0..16)][rng.random_range(0..6)],
            },
            10 => [0xffff, 1, 2, 3][rng.random_range(0..4)],
            _ => rng.next_u32(),
        }
    }

    /// A whole new table, of one of several shapes.
    fn table(&mut self) {
        let b = &mut self.bench;
        if !b.ccts.is_empty() {
            return;
        }
        let shape = b.rng.random_range(0..7);
        let step = b.rng.random_range(1..40);
        for i in 0..b.cct as u32 {
            let e = match shape {
                // absolute times, or whole packets
                0 => (i * step) & 0x3fff,
                1 => i.min(0x3fff),
                // eighths of a packet
                2 => 3 << 14 | (i * step) & 0x3fff,
                3 => b.rng.random_range(0..4) << 14 | b.rng.random_range(0..=i.min(60)),
                4 => b.rng.next_u32() & 0xffff,
                5 => 0,
                _ => b.rng.random_range(0..200),
            };
            b.ccts.push_back((i as u16, e as u16));
        }
    }

    fn requests(&mut self) {
        let b = &mut self.bench;
        for _ in 0..self.pace {
            let f = (self.active.0 + b.rng.random_range(0..self.active.1)) % b.taker.flows;
            let on = hit(&mut b.rng, self.load);
            b.taker.set_req(f, on);
        }
        b.taker.change(&self.gates, self.active, &mut b.rng);
    }

    fn notify(&mut self) {
        let b = &mut self.bench;
        if !b.becns.is_empty() || !hit(&mut b.rng, self.becn) {
            return;
        }
        let hot = hit(&mut b.rng, self.to_hot);
        let flow = if hit(&mut b.rng, self.violate) {
            b.rng.random_range(0..65536) as u16
        } else if hot {
            self.hot[b.rng.random_range(0..4)]
        } else {
            b.rng.random_range(0..b.taker.flows) as u16
        };
        for _ in 0..b.rng.random_range(1..=self.becn_burst) {
            b.becns.push_back(Some(flow));
            if b.rng.next_u32() & 3 == 0 {
                b.becns.push_back(None);
            }
        }
    }

    fn write(&mut self) {
        if hit(&mut self.bench.rng, self.reconfig) && self.bench.cfg.is_empty() {
            let a = match self.bench.rng.random_range(0..12) {
                _ if self.kind == Phase::Violate => 10,
                0 => 10,
                1 => self.bench.rng.random_range(0..=255),
                2..=3 => 0,
                _ => self.bench.rng.random_range(1..7),
            };
            let v = self.value(a, true);
            self.bench.cfg.push_back((a, v));
        }
        let b = &mut self.bench;
        if hit(&mut b.rng, self.attr) && b.attrs.is_empty() {
            let f = b.rng.random_range(0..b.taker.flows) as u16;
            b.attrs.push_back((f, b.rng.random_range(0..16)));
        }
        if self.violate != 0 && hit(&mut b.rng, self.violate) {
            let far = b.rng.random_range(0..65536) as u16;
            match b.rng.random_range(0..4) {
                0 if self.free_tables => b.ccts.push_front((far.max(b.cct as u16), far)),
                1 if self.free_attrs => b.attrs.push_front((far.max(b.taker.flows as u16), 3)),
                2 if self.free_tables => {
                    let a = b.rng.random_range(0..b.cct) as u16;
                    b.ccts.push_back((a, far));
                }
                _ => {}
            }
        }
    }
}

/// Four of the flows in use (first and number).
fn hot(rng: &mut SmallRng, (first, n): (usize, usize), flows: usize) -> [u16; 4] {
    std::array::from_fn(|_| ((first + rng.random_range(0..n)) % flows) as u16)
}

impl Source for Random {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        if seen[self.bench.io.ready] == 0 {
            if self.early {
                self.bench.drive(seen, input);
                let (io, rng) = (self.bench.io, &mut self.bench.rng);
                let bits = rng.next_u32();
                input[io.cfg_we] = bits & 1;
                input[io.cfg_addr] = bits >> 8 & 7;
                input[io.cfg_data] = rng.next_u32();
                input[io.cct_we] = bits >> 1 & 1;
                input[io.cct_addr] = bits >> 12 & 7;
                input[io.cct_data] = bits >> 16;
                input[io.attr_we] = bits >> 2 & 1;
                input[io.attr_sl] = bits >> 20 & 15;
                input[io.becn_valid] = bits >> 3 & 1;
                input[io.becn_flow] = bits >> 24;
                self.bench.reader.drive(input);
            }
            return;
        }
        if self.left == 0 {
            let begins = self.time > SHORT_RUN && self.free_registers && self.free_tables;
            self.steady = match self.steady {
                Steady::Begins => Steady::Runs,
                _ if begins && self.bench.rng.random_ratio(1, 8) => Steady::Begins,
                _ => Steady::No,
            };
            match self.steady {
                Steady::No => self.next_phase(),
                Steady::Begins => self.settle(),
                Steady::Runs => self.run_steadily(),
            }
        }
        self.left -= 1;
        self.time += 1;
        self.requests();
        self.bench.taker.spoil(seen, &self.gates, &mut self.bench.rng);
        self.notify();
        self.write();
        self.bench.drive(seen, input);
    }
}
