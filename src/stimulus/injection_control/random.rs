//! Constrained-random stimulus: a [`World`] whose headers, lanes, side-band and registers change from phase to phase.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore};

use super::side_band::{Flits, Full, SideBand};
use super::world::World;
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::knobs::{Knobs, SHORT_RUN, Setup};
use crate::stimulus::reads::{any_value, registers};
use crate::stimulus::worm_router::pace::Pace;

/// Chances in a cycle, of each lane.
#[derive(Clone, Copy, Default)]
struct Rates {
    /// A header comes; goes when it may; is another one all of a sudden; is there no more.
    comes: Chance,
    goes: Chance,
    changes: Chance,
    vanishes: Chance,
    /// The next header is there at once.
    follows: Chance,
}

/// The constrained-random source.
pub(super) struct Random {
    world: World,
    knobs: Knobs,
    /// Registers are ours to choose; those of the setup are not written yet.
    free_registers: bool,
    left: u32,
    mean_phase: u32,
    time: u64,
    rates: Vec<Rates>,
    /// A lane of an output, of the link or of an input changes to owned or full, and back.
    takes: Chance,
    frees: Chance,
    delivers: Chance,
    routes: Chance,
    reconfig: Chance,
    /// DLIDs that are in use.
    dlids: u32,
    /// Lanes whose header left in the cycle before.
    gone: u32,
    /// Headers on their way to the link: lane, cycles left.
    leaving: VecDeque<(u32, u32)>,
    delay: u32,
    side: SideBand,
}

fn of<T: Copy>(rng: &mut SmallRng, all: &[T]) -> T {
    all[rng.random_range(0..all.len())]
}

impl Random {
    /// A source; a `setup` without registers means that it chooses them.
    pub(super) fn new(p: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut world = World::new(p, seed ^ 0x27_d4_eb_2f_16_56_67_c5);
        world.cfg.extend(setup.injection_control.iter().copied());
        world.early = world.rng.random();
        let mut r = Random {
            free_registers: setup.injection_control.is_empty(),
            knobs: knobs.clone(),
            left: 0,
            mean_phase: knobs.phase_len.map_or(300, |l| l as u32),
            time: 0,
            rates: vec![Rates::default(); p.vls],
            takes: 0,
            frees: 0,
            delivers: 0,
            routes: 0,
            reconfig: 0,
            dlids: 1,
            gone: 0,
            leaving: VecDeque::new(),
            delay: 2,
            side: SideBand::new(),
            world,
        };
        r.next_phase();
        r
    }

    fn next_phase(&mut self) {
        let rng = &mut self.world.rng;
        self.left = rng.random_range(self.mean_phase / 4..=self.mean_phase * 7 / 4).max(16);
        let load = self.knobs.load;
        for r in &mut self.rates {
            *r = Rates {
                comes: chance(load.unwrap_or(of(rng, &[0.0, 0.05, 0.3, 1.0]))),
                goes: chance(of(rng, &[0.0, 0.1, 0.5, 1.0])),
                changes: chance(of(rng, &[0.0, 0.0, 0.02, 0.5])),
                vanishes: chance(of(rng, &[0.0, 0.0, 0.02, 0.3])),
                follows: chance(of(rng, &[0.0, 0.5, 1.0])),
            };
        }
        let restless = rng.random_ratio(1, 5);
        if restless {
            // A lane, or all others, ask again and again; a best-effort one must have its turn.
            let (be, vls) = (self.world.p.vls - 3, self.world.p.vls);
            let one = rng.random::<bool>().then(|| (be + rng.random_range(1..vls)) % vls);
            let (comes, changes) = (chance(load.unwrap_or(0.3)), chance(of(rng, &[0.4, 0.9, 1.0])));
            for v in (0..vls).filter(|&v| v != be && one.is_none_or(|o| o == v)) {
                self.rates[v] = Rates { comes, changes, ..Rates::default() };
            }
            self.rates[be] = Rates { comes, goes: chance(0.2), ..Rates::default() };
        }
        // All lanes are free, or nearly so, or hardly any, or all are taken.
        (self.takes, self.frees) =
            of(rng, &[(0.0, 1.0), (0.02, 0.3), (0.1, 0.1), (0.3, 0.3), (0.3, 0.02), (1.0, 0.0)].map(both));
        self.delivers = chance(of(rng, &[0.0, 0.3, 1.0]));
        self.routes = chance(of(rng, &[0.0, 0.0, 0.01, 0.2]));
        self.reconfig = chance(self.knobs.reconfig_rate.unwrap_or(of(rng, &[0.0, 0.0, 0.005, 0.1])));
        let depth = self.world.p.lft_depth as u32;
        self.dlids = of(rng, &[if restless { 3 } else { 1 }, 2, 4, depth, depth + 2, 0x10000]);
        self.delay = rng.random_range(0..4);
        let gather = of(rng, &[0, 1, 2, 2, 3, 3, 4, 5, 8, 15]);
        self.side_band(gather);
        if self.free_registers {
            self.choose_registers(gather);
            if restless {
                self.world.write("CHANNELS", 0);
            }
            if self.time > SHORT_RUN && self.world.rng.random_ratio(1, 6) {
                self.tune();
            }
        }
    }

    /// Headers wait all the time, and nothing disturbs the threshold for some periods: regular sums, about as high.
    fn tune(&mut self) {
        let gather = 5;
        let (comes, goes, follows) = (ALWAYS, chance(0.5), ALWAYS);
        self.rates.fill(Rates { comes, goes, follows, ..Rates::default() });
        (self.routes, self.reconfig) = (0, 0);
        let World { rng, p, .. } = &mut self.world;
        self.left = (3 << gather) * rng.random_range(8..40);
        self.side.sums = Pace::Period(1 << gather, 1, 0);
        self.side.full = Full::Walk(of(rng, &[2, 5, 12]), of(rng, &[20, 40]));
        self.side.flits = Flits::Steps(80);
        let writes = [
            ("CTRL", 2),
            ("BE_MASK", (1 << (p.vls - 2)) - 1),
            ("HOLD_MAX", 0),
            ("GATHER", gather),
            ("UP", of(rng, &[0, 1, 2, 5])),
            ("DOWN", of(rng, &[1, 3, 8])),
            ("ALL", of(rng, &[15, 30, 200])),
            ("T", of(rng, &[1, 10, 20, 30])),
        ];
        writes.into_iter().for_each(|(name, data)| self.world.write(name, data));
    }

    /// Sums as regular as they should be, slow, none, or wild.
    fn side_band(&mut self, gather: u32) {
        let rng = &mut self.world.rng;
        let period = 1u64 << gather;
        self.side.sums = match rng.random_range(0..8) {
            0 => Pace::NEVER,
            1 => Pace::Chance(chance(of(rng, &[0.02, 0.2, 0.9]))),
            2 => Pace::Period(period + period / 2 + 1, 1, 0),
            3 => Pace::Period(3 * period, 1, 0),
            _ => Pace::Period(period, 1, 0),
        };
        self.side.gathers = match rng.random_range(0..4) {
            0 => Pace::Chance(chance(of(rng, &[0.0, 0.1, 0.9]))),
            n => Pace::Period(period.max(2), 1, n * (period / 2)),
        };
        self.side.full = match rng.random_range(0..6) {
            0 => Full::Any,
            1 | 2 => Full::Walk(of(rng, &[1, 3, 20]), of(rng, &[10, 60, 2000])),
            _ => Full::About(of(rng, &[0, 2, 10, 30, 100])),
        };
        self.side.flits = match rng.random_range(0..6) {
            0 => Flits::Any,
            _ => Flits::Steps(of(rng, &[8, 80, 1000])),
        };
    }

    /// Registers of a phase.
    fn choose_registers(&mut self, gather: u32) {
        let World { rng, p, .. } = &mut self.world;
        let data = (1u32 << (p.vls - 2)) - 1;
        let ports = (1u32 << p.ports) - 1;
        let any = rng.next_u32();
        let mut writes = vec![
            ("CTRL", of(rng, &[0, 1, 1, 1, 2, 2, 2, 3]) | rng.random_range(0..2) << 2),
            ("BE_MASK", of(rng, &[0, data, data, any, 1, 1 << (p.vls - 3), 1 << (p.vls - 3)])),
            ("CHANNELS", of(rng, &[0, 0, 1, ports, u32::MAX, any])),
            ("HOLD_MAX", of(rng, &[0, 0, 1, 3, 20, 100, 0xffff])),
            ("GATHER", if rng.random_ratio(3, 4) { gather } else { rng.random_range(0..16) }),
            ("UP", of(rng, &[0, 1, 2, 5, 15, 0xffff])),
            ("DOWN", of(rng, &[0, 1, 3, 8, 61, 0xffff])),
            ("ALL", of(rng, &[0, 1, 4, 30, 200, 1536, 0xff_ffff])),
        ];
        if rng.random_ratio(1, 4) {
            writes.push(("T", of(rng, &[0, 1, 10, 30, 1536, 0xff_ffff])));
        }
        for (name, data) in writes {
            // Some stay as they were.
            if self.world.rng.random_ratio(2, 3) {
                self.world.write(name, data);
            }
        }
    }

    /// Headers come and go.
    fn headers(&mut self, seen: &[u32]) {
        let gone = std::mem::take(&mut self.gone);
        for v in 0..self.world.p.vls {
            let held = self.world.is_held(seen, v);
            let (r, dlids) = (self.rates[v], self.dlids);
            let World { rng, front, .. } = &mut self.world;
            // (A header's last cycle in front is the one in which it leaves.)
            let left = gone >> v & 1 != 0;
            let comes = if left { r.follows } else { r.comes };
            if left || front[v].is_some() && hit(rng, r.vanishes) {
                front[v] = None;
            }
            match front[v] {
                None if hit(rng, comes) => front[v] = Some(rng.random_range(0..dlids) & 0xffff),
                Some(_) if hit(rng, r.changes) => front[v] = Some(rng.random_range(0..dlids) & 0xffff),
                _ => {}
            }
            if front[v].is_some() && !held && hit(rng, r.goes) {
                self.gone |= 1 << v;
                self.leaving.push_back((v as u32, self.delay));
            }
        }
        // (One a cycle is on the link.)
        if self.leaving.front().is_some_and(|l| l.1 == 0) {
            self.world.now.sent = self.leaving.pop_front().map(|l| (l.0, true));
        } else if self.world.rng.random_ratio(1, 4) {
            let lane = self.world.rng.random_range(0..self.world.p.vls as u32);
            self.world.now.sent = Some((lane, false));
        }
        self.leaving.iter_mut().for_each(|l| l.1 = l.1.saturating_sub(1));
    }

    /// Lanes are taken and freed.
    fn lanes(&mut self) {
        let (takes, frees) = (self.takes, self.frees);
        let World { rng, owned, full, link_free, own_full, p, .. } = &mut self.world;
        let vls = p.vls;
        let mut turn = |taken: &mut u32| {
            for v in 0..vls {
                if hit(rng, if *taken >> v & 1 != 0 { frees } else { takes }) {
                    *taken ^= 1 << v;
                }
            }
        };
        owned.iter_mut().chain(full).for_each(&mut turn);
        turn(own_full);
        let mut busy = !*link_free;
        turn(&mut busy);
        *link_free = !busy;
    }

    fn churn(&mut self) {
        let w = &mut self.world;
        if hit(&mut w.rng, self.routes) && w.routes.is_empty() {
            let mask = [0, 1, 2, 3, 0xffff, w.rng.next_u32()][w.rng.random_range(0..6)];
            let dlid = w.rng.random_range(0..self.dlids.min(w.p.lft_depth as u32 + 2));
            w.routes.push_back((dlid, mask));
        }
        if self.free_registers && hit(&mut w.rng, self.reconfig) && w.cfg.is_empty() {
            let all: Vec<_> = registers(UnitKind::InjectionControl).collect();
            let r = all[w.rng.random_range(0..all.len())];
            let write = (r.addr, any_value(r, &mut w.rng));
            w.cfg.push_back(if w.rng.random_ratio(1, 16) { (w.rng.random(), write.1) } else { write });
        }
        w.now.delivers = hit(&mut w.rng, self.delivers);
        w.now.gather = self.side.gathers.is_on(&mut w.rng, self.time);
        if self.side.sums.is_on(&mut w.rng, self.time) {
            w.now.sum = Some(self.side.sum(&mut w.rng));
        }
    }
}

fn both((a, b): (f64, f64)) -> (Chance, Chance) {
    (chance(a), chance(b))
}

impl Source for Random {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        if !self.world.is_ready(seen) {
            if self.world.early {
                self.world.babble(input);
            }
            return;
        }
        if self.left == 0 {
            self.next_phase();
        }
        self.left -= 1;
        self.time += 1;
        self.headers(seen);
        self.lanes();
        self.churn();
        self.world.drive(input);
    }
}
