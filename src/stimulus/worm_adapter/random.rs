//! Constrained-random stimulus: a [`World`] whose host, router, link and registers change from phase to phase.

use rand::rngs::SmallRng;
use rand::{Rng, RngCore};

use super::host::{BEST_EFFORT, CONTROL, Known, Open, Post, REAL_TIME};
use super::phases::{Phase, Rates};
use super::world::World;
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::{Register, addr};
use crate::stimulus::chance::{ALWAYS, chance, hit};
use crate::stimulus::knobs::{Knobs, Setup};
use crate::stimulus::reads::{any_value, registers};
use crate::stimulus::worm_router::head::{ACK, DATA, Head, NACK, OTHER, PROBE, RELEASE};
use crate::stimulus::worm_router::pace::Pace;
use crate::stimulus::worm_router::sender::{Faults, Message};

/// Opens and posts that wait at the host, at most.
const MOST_OPENS: usize = 2;
const MOST_POSTS: usize = 3;

/// The constrained-random source.
pub(super) struct Random {
    world: World,
    knobs: Knobs,
    /// Registers are ours to choose; those of the setup are not written yet.
    free_registers: bool,
    sets_up: bool,
    left: u32,
    mean_phase: u32,
    kind: Phase,
    rates: Rates,
    /// Bandwidths are multiples of this, mostly.
    grain: u32,
    /// Faults come in this phase.
    rude: bool,
}

impl Random {
    /// A source; a `setup` without registers means that it chooses them.
    pub(super) fn new(p: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut world = World::new(p, seed ^ 0x5b_10_e7_93_2c_66_d8_41);
        world.cfg.extend(setup.worm_adapter.iter().copied());
        world.early = world.rng.random();
        let mut r = Random {
            free_registers: setup.worm_adapter.is_empty(),
            sets_up: true,
            knobs: knobs.clone(),
            left: 0,
            mean_phase: knobs.phase_len.map_or(600, |l| l as u32),
            kind: Phase::Pause,
            rates: Rates::default(),
            grain: 1,
            rude: false,
            world,
        };
        if r.free_registers {
            r.switch();
        }
        r.next_phase();
        r
    }

    fn next_phase(&mut self) {
        self.mend();
        if self.kind == Phase::WindUp && self.free_registers {
            self.switch();
        }
        let rng = &mut self.world.rng;
        self.kind = Phase::any(rng);
        self.left = rng.random_range(self.mean_phase / 4..=self.mean_phase * 7 / 4).max(16);
        self.rates = self.kind.rates(self.world.p.lane as u32, &self.knobs, rng);
        self.grain = [1, 1, 7, 64, 500, 1024][rng.random_range(0..6)];
        self.world.clearing = self.kind == Phase::WindUp;
        self.host();
        self.network();
        self.faults();
        if self.free_registers {
            self.choose_registers();
        }
    }

    /// Credits and admission, anew.
    fn switch(&mut self) {
        let ctrl = [0, 1, 2, 3, 3, 3, 6, 7][self.world.rng.random_range(0..8)];
        self.world.write("CTRL", ctrl);
    }

    /// Credits that faults have spoilt are right again when the link was down.
    fn mend(&mut self) {
        let w = &mut self.world;
        let spoilt = w.network.sender.spoilt || w.network.hop.spoilt;
        if self.rude && spoilt && w.rng.random_ratio(3, 4) {
            let cycles = w.rng.random_range(0..20);
            w.fall(cycles);
        }
    }

    fn host(&mut self) {
        let World { host, rng, holds, .. } = &mut self.world;
        let of = |rng: &mut SmallRng, all: &[f64]| chance(all[rng.random_range(0..all.len())]);
        host.opens_pace = of(rng, &[0.1, 0.5, 1.0, 1.0]);
        host.posts_pace = of(rng, &[0.1, 0.5, 1.0, 1.0]);
        host.retry = of(rng, &[0.0, 0.3, 0.9]);
        let held = if self.kind == Phase::Held { 1 } else { 8 };
        for hold in holds {
            *hold = match rng.random_range(0..4 * held) {
                0 => Pace::Period(rng.random_range(2..40), rng.random_range(1..30), rng.random_range(0..40)),
                1 => Pace::Chance(of(rng, &[0.1, 0.5, 0.9])),
                2 => Pace::Chance(ALWAYS),
                _ => Pace::NEVER,
            };
        }
    }

    /// The link, the router behind it, and who answers.
    fn network(&mut self) {
        let (kind, knobs) = (self.kind, &self.knobs);
        let World { network, rng, p, .. } = &mut self.world;
        network.answers = kind.answers(knobs, rng);
        let gap = if rng.random() { 0.0 } else { rng.random_range(0.0..0.7) };
        let pace = 1.0 / knobs.slow_link.unwrap_or(1.0);
        let sender = &mut network.sender;
        sender.pace = Pace::Chance(chance(pace * (1.0 - knobs.gap_rate.unwrap_or(gap))));
        sender.stick = chance([0.0, 0.8, 1.0][rng.random_range(0..3)]);
        sender.delay = [(0, 0), (1, 1), (0, 6), (20, 20)][rng.random_range(0..4)];
        for lane in 0..p.vls {
            network.hop.drain(lane, pace_of(kind, knobs, rng));
        }
        network.hop.delay = [(0, 0), (1, 1), (0, 8), (12, 12)][rng.random_range(0..4)];
    }

    fn faults(&mut self) {
        let World { network, rng, p, .. } = &mut self.world;
        let violate =
            self.knobs.violation_rate.unwrap_or(if self.kind == Phase::Violate { 0.05 } else { 0.0 });
        let strays = self.kind == Phase::Strays && self.knobs.violation_rate.is_none();
        self.rude = violate > 0.0 || strays;
        let mut of = |share: f64| if rng.random_ratio(2, 3) { chance(violate * share) } else { 0 };
        let mut faults = Faults {
            rude: of(4.0),
            leave: of(4.0),
            stray: of(1.0),
            bad_vl: if p.vls < 16 { of(0.5) } else { 0 },
            bad_inside: of(2.0),
        };
        let excess = of(1.0);
        if strays {
            faults.stray = chance(0.6);
        }
        network.sender.faults = faults;
        network.hop.excess = excess;
    }

    /// Registers of a phase.
    fn choose_registers(&mut self) {
        let kind = self.kind;
        let World { rng, p, .. } = &mut self.world;
        let (vls, msgq) = (p.vls, p.msgq as u32);
        let data = (1u32 << (vls - 2)) - 1;
        let half = rng.next_u32() & rng.next_u32();
        let mask = match rng.random_range(0..10) {
            0 => 0,
            // (The only lane of data is real-time: there is admission then.)
            1..6 if data == 1 => 0,
            1 => u32::MAX,
            2 | 3 => half & data,
            4 => !half,
            // Some of both, where there are two.
            _ => 1 << rng.random_range(0..vls - 2),
        };
        let lhps: &[u32] = if kind == Phase::Guard { &[0, 1, 1, 2, 3, 7] } else { &[0, 1, 3, 16, 64, 255] };
        let ms = [0xffff, 0xffff, msgq, msgq / 2, 2, 1, 0];
        let c_bs = [msgq / 4, msgq / 4, msgq / 2, 1, 0, msgq - 1, msgq, 200, 0xffff];
        let limits = [4096, 4096, 0x1fff, 0, self.grain, 3 * self.grain, 100, 2000];
        let mut of = |all: &[u32]| all[rng.random_range(0..all.len())];
        let mut writes = vec![("BE_MASK", mask), ("LHP", of(lhps))];
        writes.push(("C_B", of(if kind == Phase::Credits { &c_bs[..4] } else { &c_bs })));
        writes.push(("M", of(if kind == Phase::Streams { &ms[..3] } else { &ms })));
        writes.push(("LIMIT", of(&limits).min(0x1fff)));
        writes.push(("BE_WEIGHT", of(&[0, 1, 1, 3, 15, 255])));
        writes.push(("WSHIFT", of(&[0, 1, 4, 4, 8, 15])));
        writes.push(("PROBE_GAP", of(&[0, 0, 0, 1, 20, 150])));
        if of(&[0, 0, 1]) == 1 {
            writes.push(("LID", of(&[0, 1, 0x100, 0xffff])));
            writes.push(("FIRST_NODE", of(&[0, 1, 5, 0xffff])));
        }
        if of(&[0, 0, 0, 0, 0, 0, 1]) == 1 {
            let seed = rng.next_u32() & 0xffff;
            writes.push(("LFSR_SEED", if rng.random_ratio(1, 4) { 0 } else { seed }));
        }
        let before = !rng.random_ratio(1, 3);
        for (name, data) in writes {
            // Some stay as they were.
            if before || self.world.rng.random() {
                self.world.write(name, data);
            }
        }
    }

    /// New opens, posts, messages, falls, writes.
    fn churn(&mut self) {
        let r = self.rates;
        if hit(&mut self.world.rng, r.opens) && self.world.host.opens.len() < MOST_OPENS {
            let open = self.open();
            self.world.host.opens.extend(open);
        }
        if hit(&mut self.world.rng, r.posts) && self.world.host.posts.len() < MOST_POSTS {
            let post = self.post();
            self.world.host.posts.push_back(post);
        }
        if hit(&mut self.world.rng, r.closes) && self.world.host.posts.len() < MOST_POSTS {
            let len = self.length();
            if let Some(conn) = self.connection(false) {
                let post = Post { class: REAL_TIME, to: conn, len, last: true };
                self.world.host.posts.push_back(post);
            }
        }
        if hit(&mut self.world.rng, r.incoming) && self.world.is_up() {
            self.incoming();
        }
        let w = &mut self.world;
        if hit(&mut w.rng, r.falls) {
            let cycles = [3, 4, 10, 200][w.rng.random_range(0..4)];
            let cycles = w.rng.random_range(0..=cycles);
            w.fall(cycles);
        }
        if w.cfg.len() < 4 {
            if self.free_registers && hit(&mut w.rng, r.reconfig) {
                let write = any_write(&mut w.rng);
                w.cfg.push_back(write);
            }
            if hit(&mut w.rng, r.clear) {
                let bits = if w.rng.random() { 0xffff } else { w.rng.next_u32() };
                w.write("ERR_CLEAR", bits);
            }
        }
    }

    /// A connection: one that is open, or (`any`) idle, or anything.
    fn connection(&mut self, any: bool) -> Option<u32> {
        let World { host, rng, p, .. } = &mut self.world;
        let conns = p.conns as u32;
        if any {
            return Some(match rng.random_range(0..4) {
                0 => conns,
                1 => rng.random_range(0..=0xffff),
                2 => (0..conns).find(|&c| host.known(c) == Known::Asked).unwrap_or(0),
                _ => rng.random_range(0..conns),
            });
        }
        let open = host.open();
        (!open.is_empty()).then(|| open[rng.random_range(0..open.len())])
    }

    /// (None if no connection is idle.)
    fn open(&mut self) -> Option<Open> {
        let World { host, rng, p, .. } = &mut self.world;
        // The connection is wrong, or the bandwidth.
        let (illegal, strange) = (hit(rng, self.rates.illegal), hit(rng, self.rates.illegal));
        let conns = p.conns as u32;
        let from = rng.random_range(0..conns);
        let asked = (from..conns).chain(0..from).find(|&c| host.known(c) == Known::Asked);
        if let Some(conn) = asked
            && hit(rng, self.rates.gives_up)
        {
            return Some(Open { conn, dlid: rng.random_range(0..=0xffff), bw: 0 });
        }
        let idle = (from..conns).chain(0..from).find(|&c| host.known(c) == Known::Idle);
        let bw = match rng.random_range(0..16) {
            0..3 if strange => 0,
            3..8 if strange => rng.random_range(4097..=0xffff),
            0 => 4096,
            1 => 1,
            2 => rng.random_range(1..=4096),
            8 if strange => 4097,
            _ => (self.grain * rng.random_range(1..5)).min(4096),
        };
        let dlid = rng.random_range(0..=0xffff);
        let conn = if illegal { self.connection(true) } else { idle };
        Some(Open { conn: conn?, dlid, bw })
    }

    /// Flits of a message.
    fn length(&mut self) -> u32 {
        let rng = &mut self.world.rng;
        if hit(rng, self.rates.short) {
            1
        } else if hit(rng, self.rates.long) {
            self.world.p.lane as u32
        } else {
            rng.random_range(1..=self.rates.longest)
        }
    }

    fn post(&mut self) -> Post {
        let mut len = self.length();
        let rng = &mut self.world.rng;
        let illegal = hit(rng, self.rates.illegal);
        let lane = self.world.p.lane as u32;
        if illegal && rng.random() {
            len = [0, lane + 1, 255, rng.random_range(0..256)][rng.random_range(0..4)];
        }
        let class = if illegal && rng.random_ratio(1, 8) {
            3
        } else if hit(rng, self.rates.control) {
            CONTROL
        } else if hit(rng, self.rates.real_time) {
            REAL_TIME
        } else {
            BEST_EFFORT
        };
        let last = illegal && rng.random_ratio(1, 4);
        let any = rng.random_range(0..=0xffff);
        let to = if class == REAL_TIME { self.connection(illegal) } else { Some(any) };
        match to {
            Some(to) => Post { class, to, len, last },
            // (Nothing is open.)
            None => Post { class: BEST_EFFORT, to: any, len, last },
        }
    }

    /// A message that comes in, on a lane that has few.
    fn incoming(&mut self) {
        let World { network, rng, p, lid, .. } = &mut self.world;
        let wrong = hit(rng, self.rates.wrong);
        let reply = p.vls - 2;
        let lane = rng.random_range(0..p.vls);
        if network.sender.waiting(lane) >= 3 || (lane == reply && !wrong) {
            return;
        }
        let kind = match rng.random_range(0..8) {
            0 | 1 if wrong => PROBE,
            2 if wrong => RELEASE,
            3 => OTHER,
            4 => [ACK, NACK][rng.random_range(0..2)],
            5 => rng.random_range(6..=255),
            _ => DATA,
        };
        let dlid = match rng.random_range(0..3) {
            0 if wrong => *lid ^ 1 << rng.random_range(0..16),
            _ => *lid,
        };
        let head = Head {
            kind,
            last: rng.random(),
            vl: rng.random(),
            seq: rng.random(),
            slid: rng.random(),
            conn: rng.random_range(0..p.conns) as u16,
            bw: rng.random(),
            node: rng.random_range(0..8),
        };
        let bad = rng.random_ratio(1, 10);
        let flits = match rng.random_range(0..4) {
            0 => 1,
            1 => rng.random_range(1..=40),
            _ => rng.random_range(1..=4),
        };
        network.sender.push(lane, Message { flits, dlid, bad, head: Some(head) });
    }
}

#[cfg(test)]
impl Random {
    /// Nothing new is posted; all connections are ended, and the link is mended.
    pub(super) fn settle(&mut self) {
        self.left = u32::MAX;
        self.rates = Rates::default();
        let w = &mut self.world;
        w.cfg.clear();
        w.host.forget();
        w.network.sender.forget();
        w.network.sender.pace = Pace::ALWAYS;
        w.network.sender.faults = Faults::default();
        w.network.hop.excess = 0;
        w.network.hop.drain_all(Pace::ALWAYS);
        w.holds.fill(Pace::NEVER);
        (w.host.opens_pace, w.host.posts_pace, w.host.retry) = (ALWAYS, ALWAYS, 0);
        w.fall(3);
        for (name, data) in [("CTRL", 0), ("M", 0xffff), ("BE_MASK", 1), ("LHP", 2), ("PROBE_GAP", 0)] {
            w.write(name, data);
        }
        w.clearing = true;
    }

    /// Nothing is under way, and no connection is left.
    pub(super) fn is_settled(&self) -> bool {
        self.world.is_idle() && self.world.host.is_closed() && self.world.quiet > 16
    }
}

/// How the router drains a lane.
fn pace_of(kind: Phase, knobs: &Knobs, rng: &mut SmallRng) -> Pace {
    if let Some(share) = knobs.credit_starvation {
        return Pace::Chance(chance(1.0 - share));
    }
    let slow = match kind {
        Phase::Starved => 0.9,
        Phase::Full | Phase::Guard | Phase::Single => 0.1,
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

/// A write of any register, mostly of one that is there: number, data.
fn any_write(rng: &mut SmallRng) -> (u8, u32) {
    let all: Vec<&Register> = registers(UnitKind::WormAdapter).collect();
    let r = all[rng.random_range(0..all.len())];
    let data = any_value(r, rng);
    // (CTRL, which opens what nothing can close, not so often.)
    let calm = r.addr == addr(UnitKind::WormAdapter, "CTRL") && !rng.random_ratio(1, 8);
    let number = if calm || rng.random_ratio(1, 16) { rng.random_range(13..=255) } else { r.addr };
    // (A long gap would be all that there is in a run.)
    let gap = r.addr == addr(UnitKind::WormAdapter, "PROBE_GAP");
    (number, if gap { data & 0xff } else { data })
}

impl Source for Random {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        self.sets_up &= !self.world.cfg.is_empty();
        if self.world.is_ready(seen) && !self.sets_up {
            if self.left == 0 {
                self.next_phase();
            }
            self.left -= 1;
            self.churn();
        }
        self.world.drive(seen, input);
    }
}
