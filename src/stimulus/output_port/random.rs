//! Constrained-random stimulus: a [`World`] whose traffic, credits, trees, contributions and registers change from phase
//! to phase.

use rand::Rng;
use rand::RngCore;
use rand::rngs::SmallRng;

use super::world::{ALLOC, DEALLOC, GO, Msg, STOP, World};
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::input_port::{Dims, MarkKnobs};
use crate::stimulus::knobs::{Knobs, Setup};

/// What happens in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing is asked for.
    Idle,
    /// Packets arrive at random.
    Uniform,
    /// Every input and VL asks all the time.
    Saturated,
    /// One input and VL asks all the time.
    Single,
    /// Credits are scarce.
    Starved,
    /// Credit messages at the edges of the half-range test.
    Edge,
    /// Trees come and go.
    Trees,
    /// Trees are stopped and released all the time.
    Storm,
    /// Mostly notification packets.
    Notify,
    /// Congested all the time: short packets of every sort are marked or not.
    Marking,
    /// Broken packets, wrong signals, damaged messages.
    Violate,
    /// Registers change all the time.
    Reconfigure,
    /// Everything at random.
    Mixed,
}

const KINDS: [Phase; 14] = [
    Phase::Idle,
    Phase::Uniform,
    Phase::Saturated,
    Phase::Single,
    Phase::Starved,
    Phase::Edge,
    Phase::Trees,
    Phase::Trees,
    Phase::Storm,
    Phase::Notify,
    Phase::Marking,
    Phase::Violate,
    Phase::Reconfigure,
    Phase::Mixed,
];

/// A tree of the neighbour.
#[derive(Clone, Copy, Debug, Default)]
struct Tree {
    msg: Msg,
    on: bool,
}

/// The constrained-random source.
#[derive(Debug)]
pub(super) struct Random {
    world: World,
    knobs: Knobs,
    marks: MarkKnobs,
    /// Registers are ours to choose.
    free_registers: bool,
    kind: Phase,
    left: u32,
    mean_phase: u32,
    /// Chance of a packet per cycle, at one of the inputs.
    arrival: Chance,
    /// First requester that is active, and how many.
    active: (usize, usize),
    starve: Chance,
    starve_left: u32,
    tree: Chance,
    stop_go: Chance,
    lost: Chance,
    wild_msg: Chance,
    wild_credit: Chance,
    reconfig: Chance,
    trees: [Tree; 32],
    /// Largest fill; the fills go up or down.
    fill_max: u32,
    /// In so many of 256 cycles a fill is changed.
    fill_pace: Chance,
    rising: bool,
    turn: Chance,
}

impl Random {
    /// A source; a `setup` without writes for the unit means that it chooses registers.
    pub(super) fn new(p: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut world = World::new(p, seed ^ 0x3f_90_2b_77_1d_c4_5e_a8);
        world.cfg.extend(setup.output_port.iter().copied());
        let mut r = Random {
            knobs: knobs.clone(),
            marks: MarkKnobs::new(&Dims::new(p), knobs, seed),
            free_registers: setup.output_port.is_empty(),
            kind: Phase::Idle,
            left: 0,
            mean_phase: knobs.phase_len.map_or(800, |l| l as u32),
            arrival: 0,
            active: (0, 1),
            starve: 0,
            starve_left: 0,
            tree: 0,
            stop_go: 0,
            lost: 0,
            wild_msg: 0,
            wild_credit: 0,
            reconfig: 0,
            trees: [Tree::default(); 32],
            fill_max: 1,
            fill_pace: ALWAYS,
            rising: true,
            turn: 0,
            world,
        };
        r.next_phase();
        r
    }

    fn next_phase(&mut self) {
        let kind = KINDS[self.world.rng.random_range(0..KINDS.len())];
        self.kind = kind;
        let Random { world, knobs, .. } = self;
        let d = world.d;
        let rng = &mut world.rng;
        self.left = rng.random_range(self.mean_phase / 4..=self.mean_phase * 7 / 4).max(16);
        let some = |rng: &mut SmallRng, p: f64, hi: f64| -> f64 {
            if rng.random_bool(p) { rng.random_range(0.0..1.0) * hi } else { 0.0 }
        };
        let is = |k: Phase| kind == k;

        // traffic
        let t = &mut world.traffic;
        let (short, long) = match rng.random_range(0..5) {
            0 => (1.0, 0.0),
            1 => (0.0, 1.0),
            2 => (0.5, 0.3),
            _ if is(Phase::Marking) => (0.7, 0.0),
            _ => (0.2, 0.0),
        };
        let short = knobs.short_share.unwrap_or(if knobs.long_share.is_some() { 0.0 } else { short });
        let long = knobs.long_share.unwrap_or(if knobs.short_share.is_some() { 0.0 } else { long });
        t.short = chance(short);
        // drawn after "not short"
        t.long = if short < 1.0 { chance(long / (1.0 - short)) } else { 0 };
        t.cnp = chance(knobs.cnp_share.unwrap_or(match kind {
            // (so many that data let 32 of them pass)
            Phase::Notify => [rng.random_range(0.2..0.9), 0.9, 0.99][rng.random_range(0..3)],
            _ => some(rng, 0.6, 0.2),
        }));
        t.ack = chance(some(rng, 0.5, 0.3));
        t.multicast = chance(some(rng, 0.5, 0.3));
        t.grh = chance(some(rng, 0.5, 0.5));
        t.raw = chance(some(rng, 0.4, 0.3));
        t.fecn = chance(some(rng, 0.5, 0.5));
        t.cut = chance(some(rng, 0.4, 0.3));
        t.fault = chance(knobs.violation_rate.unwrap_or(match kind {
            Phase::Violate => rng.random_range(0.05..1.0),
            Phase::Mixed => some(rng, 0.5, 0.1),
            _ => some(rng, 0.1, 0.02),
        }));
        if d.params.srp {
            t.expires = chance([0.0, 0.0, 0.02, 0.3][rng.random_range(0..4)]);
        }
        t.hots = rng.random_range(1..=(2 * d.dlist + 2).min(32));
        for h in &mut t.hot {
            *h = rng.random_range(0..64);
        }
        t.to_hot = chance(knobs.hotspot_share.unwrap_or(match kind {
            Phase::Trees | Phase::Storm | Phase::Notify | Phase::Mixed => rng.random_range(0.3..1.0),
            _ => some(rng, 0.7, 1.0),
        }));
        t.burst = knobs.burst_len.map_or_else(|| [1, 1, 2, 8][rng.random_range(0..4)], |b| b as u32);

        let mean_len = short + long * d.mtu as f64 + (1.0 - short - long).max(0.0) * (d.mtu + 1) as f64 / 2.0;
        let load = knobs.load.unwrap_or(match kind {
            Phase::Idle => 0.0,
            Phase::Uniform => rng.random_range(0.05..1.0),
            Phase::Saturated | Phase::Single => 2.0,
            _ if rng.random_bool(0.6) => 2.0,
            _ => rng.random_range(0.05..1.0),
        });
        self.arrival = chance(load / mean_len.max(1.0));
        let pv = d.ports * d.vls;
        self.active = match kind {
            Phase::Single => (rng.random_range(0..pv), 1),
            Phase::Saturated | Phase::Uniform => (0, pv),
            _ if rng.random_bool(0.7) => (0, pv),
            _ => (rng.random_range(0..pv), rng.random_range(1..=pv)),
        };
        world.gap = chance(knobs.gap_rate.unwrap_or(some(rng, 0.25, 0.4)));
        world.fickle = chance(match kind {
            Phase::Violate | Phase::Mixed => some(rng, 0.6, 0.3),
            _ => some(rng, 0.1, 0.02),
        });

        // credits
        let n = &mut world.down;
        n.loss = chance(knobs.message_loss.unwrap_or(some(rng, 0.25, 0.5)));
        let small = is(Phase::Starved) || rng.random_bool(0.2);
        // lanes as unequal as here
        let alike = !d.params.srp || rng.random();
        for (v, c) in n.cap.iter_mut().enumerate() {
            let own = d.params.cap(v.min(d.vls - 1)) as u32;
            *c = match small {
                true => rng.random_range(d.mtu as u32..=4 * d.mtu as u32),
                false if alike => 2048,
                false => own,
            };
        }
        // Too little for data, enough for CNPs.
        let little =
            is(Phase::Notify) && d.mtu > 1 && knobs.credit_starvation.is_none() && rng.random_bool(0.4);
        if little {
            n.cap.fill(rng.random_range(1..d.mtu as u32));
        }
        n.drain = if small { chance(rng.random_range(0.02..1.0)) } else { ALWAYS };
        n.every = [1, 1, rng.random_range(2..8), rng.random_range(8..60)][rng.random_range(0..4)];
        self.starve = chance(knobs.credit_starvation.unwrap_or(match kind {
            Phase::Starved => rng.random_range(0.1..0.9),
            _ => some(rng, 0.2, 0.6),
        }));
        self.wild_credit = match kind {
            Phase::Edge => chance(rng.random_range(0.05..1.0)),
            Phase::Mixed => chance(some(rng, 0.3, 0.2)),
            _ => 0,
        };
        if knobs.credit_starvation.is_some() {
            self.wild_credit = 0;
        }

        // trees
        self.tree = chance(knobs.tree_rate.unwrap_or(match kind {
            Phase::Trees => rng.random_range(0.01..0.7),
            Phase::Storm | Phase::Mixed => rng.random_range(0.005..0.1),
            Phase::Idle => some(rng, 0.5, 0.3),
            Phase::Notify => rng.random_range(0.005..0.1),
            _ => some(rng, 0.4, 0.03),
        }));
        self.stop_go = chance(knobs.stop_go_rate.unwrap_or(match kind {
            Phase::Storm => rng.random_range(0.05..1.0),
            Phase::Notify => rng.random_range(0.005..0.1),
            _ => some(rng, 0.5, 0.1),
        }));
        self.lost = chance(knobs.message_loss.unwrap_or(some(rng, 0.2, 0.4)));
        self.wild_msg = chance(match kind {
            _ if knobs.violation_rate.is_some() => knobs.violation_rate.unwrap_or(0.0) * 0.1,
            Phase::Violate => rng.random_range(0.05..1.0),
            Phase::Mixed | Phase::Trees => some(rng, 0.3, 0.1),
            _ => 0.0,
        });
        world.deaf = chance(some(rng, 0.2, 0.8));
        world.full = chance(some(rng, 0.4, 0.5));
        world.drains = chance([0.0, 0.0, 0.003, 0.1][rng.random_range(0..4)]);
        world.release = chance([0.0, 0.01, 0.1, 1.0][rng.random_range(0..4)]);
        world.no_line = if rng.random_bool(0.5) { 0 } else { rng.next_u64() };
        let violates = is(Phase::Violate) && knobs.violation_rate != Some(0.0);
        world.wrong_act = if violates { chance(some(rng, 0.5, 0.1)) } else { 0 };
        world.wrong_known = if violates || (is(Phase::Mixed) && knobs.violation_rate.is_none()) {
            chance(some(rng, 0.5, 1.0))
        } else {
            0
        };

        // contributions
        let mtu = d.mtu as u32;
        self.fill_max = [mtu, 8 * mtu, 8 * mtu, 65535][rng.random_range(0..4)];
        self.fill_pace = if rng.random_bool(0.7) { ALWAYS } else { chance(0.1) };
        self.turn = chance([0.002, 0.02, 0.2][rng.random_range(0..3)]);
        self.rising = is(Phase::Marking) || rng.random_bool(0.5);

        // trees live for long among notifications
        let falls = if is(Phase::Notify) { Some(0.0) } else { None };
        world.carrier.vary(rng, knobs.link_falls.or(falls));

        // registers
        let may = self.free_registers || knobs.reconfig_rate.is_some();
        self.reconfig = chance(match knobs.reconfig_rate {
            Some(r) => r,
            None if !may => 0.0,
            None if is(Phase::Violate) && rng.random_bool(0.5) => 0.1,
            None if is(Phase::Reconfigure) => rng.random_range(0.02..0.8),
            None => some(rng, 0.3, 0.02),
        });
        self.world.hush();
        self.marking();
        if self.free_registers {
            self.registers();
        } else if let Some(s) = self.knobs.slow_link {
            self.world.cfg.push_back((addr(UnitKind::OutputPort, "TX_INTERVAL"), s as u32));
        }
        if load >= 1.5 {
            for k in 0..self.active.1 {
                self.world.offer((self.active.0 + k) % pv, 1 << 20);
            }
            self.arrival = 0;
        }
    }

    /// A new setting of all registers.
    fn registers(&mut self) {
        for a in 1..=8 {
            let v = self.value(a, false);
            self.world.cfg.push_back((a, v));
        }
        let v = self.value(0, false) | self.marks.output_ctrl();
        self.world.cfg.push_back((0, v));
        let d = self.world.d;
        let v = self.world.marks.rng.random_range(0..d.vls);
        let waits = self.world.fill.iter().skip(v).step_by(d.vls).sum();
        self.world.cfg.extend(self.marks.output_port(waits));
        self.queue_registers();
    }

    /// With an output queue: the crossbar's pace, and thresholds that the queue reaches.
    fn queue_registers(&mut self) {
        let (cap, ctrl) = (self.world.d.ocap as u32, addr(UnitKind::OutputPort, "CTRL"));
        if cap == 0 {
            return;
        }
        let rng = &mut self.world.marks.rng;
        let mut writes = vec![(13, [1, 1, 2, 3, rng.random_range(0..16)][rng.random_range(0..5)])];
        if rng.random() {
            let (high, low) = (rng.random_range(0..cap), rng.random_range(0..=cap / 2));
            writes.extend([(1, high), (2, low), (12, rng.random_range(0..cap))]);
            let last = self.world.cfg.iter().rev().find(|w| w.0 == ctrl).map_or(0, |w| w.1);
            writes.push((ctrl, last | 3 << 3));
        }
        self.world.cfg.extend(writes);
    }

    /// What the inputs say of markable packets in this phase.
    fn marking(&mut self) {
        let m = &mut self.world.marks;
        let mut pick = |some: &[f64]| chance(some[m.rng.random_range(0..some.len())]);
        let chances = [
            pick(&[0.0, 0.002, 0.02, 0.2]),
            pick(&[0.001, 0.01, 0.1, 0.5]),
            pick(&[0.0, 0.1, 0.5]),
            pick(&[0.0, 0.3, 1.0]),
            pick(&[0.0, 0.3]),
        ];
        [m.fill, m.enter, m.ask, m.mb, m.vb] = chances;
        m.markable = self.knobs.markable.map(chance);
        if self.world.d.ocap > 0 {
            self.world.slow = pick_slow(&mut self.world.marks.rng);
        }
    }

    /// A value for the register at an address; `any`: also useless ones.
    fn value(&mut self, a: u8, any: bool) -> u32 {
        let (d, kind, fill_max) = (self.world.d, self.kind, self.fill_max);
        let slow = self.knobs.slow_link;
        let rng = &mut self.world.rng;
        if any && rng.random_bool(0.15) {
            return if rng.random_bool(0.5) { 0 } else { rng.next_u32() };
        }
        let mtu = d.mtu as u32;
        let top = fill_max.saturating_mul(d.ports as u32);
        match a {
            0 => {
                let on = |rng: &mut SmallRng, p: f64| u32::from(rng.random_bool(p));
                let iso = match kind {
                    Phase::Reconfigure => 0.7,
                    Phase::Trees | Phase::Storm => 0.97,
                    _ => 0.85,
                };
                let mode = rng.random_range(0..16) << 3;
                on(rng, 0.9)
                    | on(rng, iso) << 1
                    | on(rng, 0.3) << 2
                    | mode
                    | on(rng, 0.3) << 7
                    | on(rng, 0.4) << 8
            }
            1 => rng.random_range(0..=top.min(65535) * 3 / 4),
            // mostly a good deal below the high threshold, sometimes nonsense
            2 => {
                let part = if rng.random_bool(0.9) { 4 } else { 1 };
                rng.random_range(0..=top.min(65535) / part)
            }
            3 => [0, 0, 1, 2, 3, 7, 65535, rng.random_range(0..40), rng.random_range(0..65536)]
                [rng.random_range(0..9)],
            4 => [0, 1, 128, 218, 255, 256, rng.random_range(0..512), rng.random_range(0..512)]
                [rng.random_range(0..8)],
            5 => [0, 0, 1, 2, mtu, rng.random_range(0..=mtu + 1), rng.random_range(0..256)]
                [rng.random_range(0..7)],
            6 => [0, 1, 2, 3, 4, 7, rng.random_range(0..100)][rng.random_range(0..7)],
            7 => match slow {
                Some(s) => s as u32,
                None => [1, 1, 1, 1, 2, 3, rng.random_range(0..16)][rng.random_range(0..7)],
            },
            8 => [
                rng.random_range(0..4),
                rng.random_range(1..30),
                rng.random_range(20..300),
                d.timer_max,
                u32::MAX,
            ][rng.random_range(0..5)],
            9 => [0, 1, rng.next_u32() & 0xffff, rng.next_u32() & 0xffff][rng.random_range(0..4)],
            10 => [0xffff, 1, 2, 4, 7][rng.random_range(0..5)],
            13 => rng.random_range(0..16),
            11 => rng.random_range(0..8),
            12 => rng.random_range(0..=top.min(65535)),
            _ => rng.next_u32(),
        }
    }

    /// A register written at random.
    fn reconfigure(&mut self) {
        let a = match self.world.rng.random_range(0..16) {
            // the two that act when written come more often
            _ if self.kind == Phase::Violate => 10,
            0..=2 => 10,
            3..=4 => 9,
            5 => self.world.rng.random_range(0..=255),
            6..=7 => 0,
            8..=9 => 8,
            _ => self.world.rng.random_range(1..8),
        };
        let mut v = self.value(a, true);
        if a == 0 {
            v |= self.marks.output_ctrl();
        }
        self.world.cfg.push_back((a, v));
    }

    /// The neighbour's trees: at most one message.
    fn messages(&mut self) {
        if !self.world.msgs.is_empty() {
            return;
        }
        let d = self.world.d;
        if hit(&mut self.world.rng, self.wild_msg) {
            let rng = &mut self.world.rng;
            let mut m = Msg {
                kind: rng.random_range(0..4),
                line: rng.random_range(0..=d.lines as u32),
                vl: rng.random_range(0..=d.vls as u32),
                root: rng.next_u32() & 0xff_ffff,
                hops: rng.random_range(0..64),
                stop: rng.random(),
                dcnt: rng.random_range(0..=d.dlist + 1),
                dlids: [0; 32],
            };
            match rng.random_range(0..16) {
                0 => m.line = rng.random_range(0..256),
                1 => m.vl = rng.random_range(0..16),
                2 => m.dcnt = rng.random_range(0..256),
                _ => {}
            }
            fill_dlids(&mut m, &self.world.traffic.hot, rng);
            self.world.msgs.push_back(m);
            return;
        }
        let stop_go = hit(&mut self.world.rng, self.stop_go);
        if !stop_go && !hit(&mut self.world.rng, self.tree) {
            return;
        }
        let rng = &mut self.world.rng;
        let k = rng.random_range(0..d.lines);
        let t = &mut self.trees[k];
        let mut m = t.msg;
        if stop_go {
            if !t.on {
                return;
            }
            t.msg.stop = !t.msg.stop;
            m.kind = if t.msg.stop { STOP } else { GO };
        } else if !t.on {
            m = Msg {
                kind: ALLOC,
                line: k as u32,
                vl: rng.random_range(0..d.vls as u32),
                root: rng.next_u32() & 0xff_ffff,
                hops: if rng.random_bool(0.1) { 63 } else { rng.random_range(0..8) },
                stop: rng.random_bool(0.1),
                dcnt: rng.random_range(1..=d.dlist),
                dlids: [0; 32],
            };
            fill_dlids(&mut m, &self.world.traffic.hot[..self.world.traffic.hots], rng);
            *t = Tree { msg: m, on: true };
        } else if rng.random_bool(0.4) {
            m.kind = DEALLOC;
            t.on = false;
        } else if rng.random_bool(0.3) {
            // its end was lost, and another tree has the line; sometimes of the same root
            if rng.random() {
                m.root = rng.next_u32() & 0xff_ffff;
            }
            m.vl = rng.random_range(0..d.vls as u32);
            m.dcnt = rng.random_range(1..=d.dlist);
            fill_dlids(&mut m, &self.world.traffic.hot[..self.world.traffic.hots], rng);
            m.kind = ALLOC;
            t.msg = m;
        } else {
            // one more destination
            if m.dcnt < d.dlist {
                m.dlids[m.dcnt] = self.world.traffic.hot[rng.random_range(0..self.world.traffic.hots)];
                m.dcnt += 1;
            }
            m.kind = ALLOC;
            t.msg = m;
        }
        if !hit(&mut self.world.rng, self.lost) {
            self.world.msgs.push_back(m);
        }
    }

    /// Fills and congestion bits, one input and VL a cycle.
    fn contributions(&mut self) {
        let w = &mut self.world;
        if !hit(&mut w.rng, self.fill_pace) {
            return;
        }
        if hit(&mut w.rng, self.turn) && self.kind != Phase::Marking {
            self.rising = !self.rising;
        }
        let r = w.rng.random_range(0..w.fill.len());
        let step = w.rng.random_range(0..=self.fill_max.div_ceil(4));
        let f = w.fill[r].min(self.fill_max);
        let f = if self.rising { (f + step).min(self.fill_max) } else { f.saturating_sub(2 * step) };
        w.fill[r] = f;
        if f > self.fill_max / 2 {
            w.cong[r] = 1;
        } else if f <= self.fill_max / 8 {
            w.cong[r] = 0;
        }
    }

    /// A credit message at an edge of the half-range test, or anything.
    fn wild_credit(&mut self) {
        let w = &mut self.world;
        let r = w.rng.random_range(0..w.requesters());
        let v = r % w.d.vls;
        let mtu = w.d.mtu as u32;
        let len = w.asked(r).unwrap_or(mtu);
        let blocks = match w.rng.random_range(0..8) {
            0 => mtu,
            1 => mtu - 1,
            2 => mtu + 2048,
            3 => mtu + 2049,
            4 => 2048,
            5 => 2049,
            6 => len,
            _ => w.rng.next_u32(),
        };
        let mut vl = v as u8;
        if w.rng.random_bool(0.05) {
            vl = w.rng.random_range(0..16);
        }
        let value = w.fccl(v, blocks);
        w.credits.push_back((vl, value));
    }
}

/// How often packets are read at the link's pace.
fn pick_slow(rng: &mut SmallRng) -> Chance {
    chance([0.0, 0.2, 0.5, 1.0][rng.random_range(0..4)])
}

fn fill_dlids(m: &mut Msg, hot: &[u16], rng: &mut SmallRng) {
    for dlid in m.dlids.iter_mut().take(m.dcnt) {
        *dlid = hot[rng.random_range(0..hot.len())];
    }
}

impl Source for Random {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        self.world.follow(seen, input);
        if self.left == 0 {
            self.next_phase();
        }
        self.left -= 1;
        if hit(&mut self.world.rng, self.arrival) {
            let at = self.world.rng.random_range(0..self.active.1);
            let r = (self.active.0 + at) % self.world.requesters();
            self.world.offer(r, 1);
        }
        if self.world.stuck(60) && self.knobs.link_falls.is_none_or(|rate| rate > 0.0) {
            // Nothing else makes room again.
            self.world.carrier.cut(1 + self.left % 3);
        }
        if self.starve_left == 0 {
            self.starve_left = self.world.rng.random_range(8..300);
            self.world.down.starved = hit(&mut self.world.rng, self.starve);
        }
        self.starve_left -= 1;
        self.contributions();
        if self.world.rose {
            // it tells of its trees again
            let again = self.trees.iter().filter(|t| t.on).map(|t| Msg { kind: ALLOC, ..t.msg });
            self.world.msgs.extend(again);
        }
        self.messages();
        if hit(&mut self.world.rng, self.reconfig) && self.world.cfg.is_empty() {
            self.reconfigure();
        }
        if hit(&mut self.world.rng, self.wild_credit) && self.world.credits.is_empty() {
            self.wild_credit();
        }
        self.world.publish(input);
        self.world.wires(input);
        self.world.done(input);
    }
}
