//! Constrained-random stimulus: a [`Bench`] whose requests, ACKs, tables and registers change from phase to phase.

use rand::rngs::SmallRng;
use rand::{Rng, RngCore};

use super::bench::Bench;
use crate::cosim::source::Source;
use crate::params::Params;
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::knobs::{Knobs, Setup};
use crate::stimulus::taker::Gates;

/// What happens in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No packets; ACKs come back.
    Idle,
    /// Packets come and go.
    Uniform,
    /// Every flow always has a packet.
    Saturated,
    /// A few flows always have a packet.
    Few,
    /// All ACKs are marked.
    Marked,
    /// None is.
    Clean,
    /// ACKs are lost.
    Lossy,
    /// ACKs come twice, for other flows, for nothing.
    Strays,
    /// ACKs come later than the longest delay, where time stamps are short.
    Late,
    /// Flows are stopped and released all the time.
    Stops,
    /// Credits come and go.
    Credits,
    /// Waiting times are rewritten.
    Reprogram,
    /// Registers change all the time.
    Reconfigure,
    /// Illegal addresses and lengths.
    Violate,
    /// Everything at random.
    Mixed,
}

const KINDS: [Phase; 18] = [
    Phase::Idle,
    Phase::Uniform,
    Phase::Uniform,
    Phase::Saturated,
    Phase::Few,
    Phase::Few,
    Phase::Marked,
    Phase::Marked,
    Phase::Clean,
    Phase::Lossy,
    Phase::Strays,
    Phase::Late,
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
    /// Longest delay.
    ird_max: u32,
    free_attrs: bool,
    /// Drive everything before the unit is ready: it must be ignored.
    early: bool,
    kind: Phase,
    left: u32,
    mean_phase: u32,
    /// Chance that a flow has a packet, when it is looked at.
    load: Chance,
    /// Flows looked at in a cycle.
    pace: u32,
    /// Flows in use: first and number.
    active: (usize, usize),
    gates: Gates,
    reconfig: Chance,
    attr: Chance,
    violate: Chance,
}

impl Random {
    /// A source, which chooses registers and tables itself; SLs if the `setup` has none.
    pub(super) fn new(p: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut bench = Bench::new(p, seed ^ 0x2f_91_c4_0b_77_5a_e3_18);
        bench.attrs.extend(setup.attrs.iter().copied());
        let early = bench.rng.random();
        let mut r = Random {
            knobs: knobs.clone(),
            ird_max: 1 << (p.ts_w - 2),
            free_attrs: setup.attrs.is_empty(),
            early,
            kind: Phase::Idle,
            left: 0,
            mean_phase: knobs.phase_len.map_or(600 + 2 * p.entities() as u32, |l| l as u32),
            load: 0,
            pace: 1,
            active: (0, p.flows),
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
        r.table();
        r
    }

    fn next_phase(&mut self) {
        let kind = KINDS[self.bench.rng.random_range(0..KINDS.len())];
        self.kind = kind;
        self.network();
        let Random { bench, knobs, .. } = self;
        let flows = bench.taker.flows;
        let rng = &mut bench.rng;
        self.left = rng.random_range(self.mean_phase / 4..=self.mean_phase * 7 / 4).max(16);
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
            _ if rng.random_bool(0.3) => flows,
            _ => rng.random_range(1..=flows),
        };
        self.active = (rng.random_range(0..flows), n);
        bench.network.babblers = (self.active.0, if rng.random() { n } else { flows });
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
            0 | 1 => (1.0, 0.0),
            2 => (0.0, 1.0),
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
        self.reconfig = chance(match knobs.reconfig_rate {
            Some(r) => r,
            None if kind == Phase::Reconfigure => rng.random_range(0.02..0.8),
            None if kind == Phase::Violate => 0.1,
            None => some(rng, 0.3, 0.01),
        });
        self.attr = if self.free_attrs { chance(some(rng, 0.3, 0.1)) } else { 0 };
        let table = kind == Phase::Reprogram || rng.random_bool(0.2);
        bench.taker.lengths(short, long);

        // requests start afresh
        for f in 0..flows {
            let on = (f + flows - self.active.0) % flows < n && hit(&mut bench.rng, self.load);
            bench.taker.set_req(f, on);
        }
        bench.taker.release();
        self.registers();
        if table {
            self.table();
        }
    }

    /// How ACKs come back.
    fn network(&mut self) {
        let (kind, ird_max, loss) = (self.kind, self.ird_max, self.knobs.message_loss);
        let short_stamps = ird_max <= 1 << 12;
        let rng = &mut self.bench.rng;
        let latency = match rng.random_range(0..5) {
            _ if kind == Phase::Late && short_stamps => (ird_max / 2, 2 * ird_max),
            0 => (1, 1),
            1 => (1, 6),
            2 => (10, 60),
            3 => (30, 30),
            _ => (20, 400),
        };
        let marks = match (kind, rng.random_range(0..5)) {
            (Phase::Clean, _) => vec![0],
            (Phase::Marked, 0..3) => vec![7],
            (Phase::Marked, _) => vec![3, 7, 6, 2],
            (_, 0) => vec![0],
            (_, 1) => (0..8).collect(),
            (_, 2) => vec![0, 0, 0, 7],
            (_, 3) => vec![0, 2, 3, 4],
            _ => vec![0, 0, 0, 0, 0, 0, 0, 0, 0, 3],
        };
        let lost = loss.unwrap_or(match kind {
            Phase::Lossy => [0.05, 0.5, 1.0][rng.random_range(0..3)],
            _ => some(rng, 0.1, 0.05),
        });
        let strays = kind == Phase::Strays;
        let mut wrong = || if strays { rng.random_range(0.05..0.6) } else { some(rng, 0.1, 0.05) };
        let (twice, astray) = (wrong(), wrong());
        let babble = match kind {
            Phase::Strays => [0.02, 0.3, 1.0][rng.random_range(0..3)],
            _ => some(rng, 0.1, 0.02),
        };
        let net = &mut self.bench.network;
        net.latency = Some(latency);
        net.marks = marks;
        net.lost = chance(lost);
        net.twice = chance(twice);
        net.astray = chance(astray);
        net.babble = chance(babble);
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
        let slow = self.knobs.slow_link;
        let rng = &mut self.bench.rng;
        if any && rng.random_bool(0.15) {
            return if rng.random_bool(0.5) { 0 } else { rng.next_u32() };
        }
        match a {
            0 => {
                let on = |rng: &mut SmallRng, p: f64| u32::from(rng.random_bool(p));
                let response = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 5, 6, 7][rng.random_range(0..14)];
                on(rng, 0.93)
                    | response << 1
                    | on(rng, 0.6) << 4
                    | on(rng, 0.4) << 5
                    | on(rng, 0.4) << 6
                    | on(rng, 0.5) << 7
            }
            1 => [1, 1, 2, 3, 3, 4, 8, 0, 255, rng.random_range(0..256)][rng.random_range(0..10)],
            2 => [2, 2, 3, 4, 8, rng.random_range(2..9), rng.random_range(0..16)][rng.random_range(0..7)],
            3 => [1, 2, 3, 3, 3, 5, 15, 0, rng.random_range(0..16)][rng.random_range(0..9)],
            4 => [0, 0, 1, 1, 5, 20, 100, rng.random_range(0..400), 65535][rng.random_range(0..9)],
            5 => [0xaa00, 0x9c9c, 0x9c9c, 0x8c8c, 0xacac, rng.next_u32()][rng.random_range(0..6)],
            6 => match slow {
                Some(s) => s as u32,
                None => [1, 1, 1, 2, 0, rng.random_range(0..16)][rng.random_range(0..6)],
            },
            10 => [0xffff, 1, 2, 4, 8, 16, 31][rng.random_range(0..7)],
            _ => rng.next_u32(),
        }
    }

    /// Waiting times of one of several shapes.
    fn table(&mut self) {
        let b = &mut self.bench;
        if !b.waits.is_empty() {
            return;
        }
        let shape = b.rng.random_range(0..6);
        let step = b.rng.random_range(1..40);
        for i in 0..16 {
            let e = match shape {
                0 | 1 => i * step,
                // k^(i-1)
                2 if i == 0 => 0,
                2 => step << (i - 1).min(8),
                3 => b.rng.random_range(0..200),
                4 => b.rng.next_u32() >> b.rng.random_range(0..32),
                _ => 0,
            };
            b.waits.push_back((i as u16, e));
        }
    }

    fn requests(&mut self) {
        let b = &mut self.bench;
        for _ in 0..self.pace {
            let f = (self.active.0 + b.rng.random_range(0..self.active.1)) % b.taker.flows;
            if hit(&mut b.rng, self.load) {
                b.arrive(f);
            } else {
                b.taker.set_req(f, false);
            }
        }
        b.taker.change(&self.gates, self.active, &mut b.rng);
    }

    fn write(&mut self) {
        if hit(&mut self.bench.rng, self.reconfig) && self.bench.cfg.is_empty() {
            let a = match self.bench.rng.random_range(0..12) {
                _ if self.kind == Phase::Violate => 10,
                0 => 10,
                1 => self.bench.rng.random_range(0..=255),
                2..=4 => 0,
                5..=6 => 1,
                _ => self.bench.rng.random_range(2..7),
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
            let flow = b.rng.random_range(0..b.taker.flows) as u16;
            match b.rng.random_range(0..5) {
                0 => b.waits.push_front((far.max(16), far.into())),
                1 if self.free_attrs => b.attrs.push_front((far.max(b.taker.flows as u16), 3)),
                2 => b.acks.push_back(Some((far, b.rng.random_range(0..8)))),
                3 => b.posts.push_back(Some((far, false))),
                _ => b.posts.push_back(Some((flow, false))),
            }
        }
    }
}

/// In a share `p` of the cases a rate of at most `hi`, else 0.
fn some(rng: &mut SmallRng, p: f64, hi: f64) -> f64 {
    if rng.random_bool(p) { rng.random_range(0.0..hi) } else { 0.0 }
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
                input[io.wt_we] = bits >> 1 & 1;
                input[io.wt_addr] = bits >> 12 & 7;
                input[io.wt_data] = bits >> 16;
                input[io.attr_we] = bits >> 2 & 1;
                input[io.attr_sl] = bits >> 20 & 15;
                input[io.ack_valid] = bits >> 3 & 1;
                input[io.ack_flow] = bits >> 24;
                input[io.ack_bits] = bits >> 4 & 7;
                input[io.post_valid] = bits >> 7 & 1;
                input[io.post_flow] = bits >> 16;
                self.bench.reader.drive(input);
            }
            return;
        }
        if self.left == 0 {
            self.next_phase();
        }
        self.left -= 1;
        self.requests();
        self.bench.taker.spoil(seen, &self.gates, &mut self.bench.rng);
        self.write();
        self.bench.drive(seen, input);
    }
}
