//! Constrained-random stimulus: a [`World`] whose messages, replies, requests and registers change from phase to phase.

use rand::rngs::SmallRng;
use rand::{Rng, RngCore};

use super::around::INORDER;
use super::world::{Fate, GRANT, Gate, IDS, Post, Reply, Request, Wait, World};
use crate::cosim::source::Source;
use crate::params::lanes::ID_BITS;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::knobs::{Knobs, Setup};

/// What happens in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing is posted; what waits for lost replies gets them.
    Rescue,
    /// Messages of all lengths.
    Mixed,
    /// As many as the FIFOs take.
    Full,
    /// Short ones, or no reservations at all.
    Bypass,
    /// A few flows, with replies of one flow in bursts.
    Bursts,
    /// GRANTs that come at once, or long after all is sent.
    Fast,
    Late,
    /// Offers are taken slowly, lanes have room now and then.
    Slow,
    /// RES and last flits of others, as many as come.
    Destination,
    /// The same, replies leave slowly.
    Jammed,
    /// RES without end: T far ahead.
    Far,
    /// Registers and SLs change all the time.
    Reconfigure,
    /// Wrong messages, replies and requests.
    Violate,
}

const KINDS: [Phase; 16] = [
    Phase::Rescue,
    Phase::Mixed,
    Phase::Mixed,
    Phase::Mixed,
    Phase::Full,
    Phase::Bypass,
    Phase::Bursts,
    Phase::Bursts,
    Phase::Fast,
    Phase::Late,
    Phase::Slow,
    Phase::Destination,
    Phase::Jammed,
    Phase::Far,
    Phase::Reconfigure,
    Phase::Violate,
];

/// The constrained-random source.
pub(super) struct Random {
    world: World,
    knobs: Knobs,
    free_attrs: bool,
    /// Drive everything before the unit is ready: it must be ignored.
    early: bool,
    left: u32,
    mean_phase: u32,
    post: Chance,
    /// Flows in use: first and number.
    active: (u32, u32),
    longest: u32,
    reconfig: Chance,
    attr: Chance,
    violate: Chance,
    /// PSNs behind the last message of each flow.
    next: Vec<u32>,
}

impl Random {
    /// A source, which chooses registers itself; SLs if the `setup` has none.
    pub(super) fn new(p: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut world = World::new(p, seed ^ 0x5b_0e_37_c1_94_d2_6a_f8);
        world.attrs.extend(setup.attrs.iter().map(|&(f, sl)| (f.into(), sl.into())));
        let early = world.rng.random();
        let mut r = Random {
            free_attrs: setup.attrs.is_empty(),
            knobs: knobs.clone(),
            early,
            left: 0,
            mean_phase: knobs.phase_len.map_or(900 + 8 * p.flows as u32, |l| l as u32),
            post: 0,
            active: (0, p.flows as u32),
            longest: 1,
            reconfig: 0,
            attr: 0,
            violate: 0,
            next: vec![0; p.flows],
            world,
        };
        r.world.cfg.push_back((addr(UnitKind::Reservation, "CTRL"), 3));
        if r.free_attrs {
            for f in 0..p.flows as u32 {
                let sl = r.world.rng.random_range(0..16);
                r.world.attrs.push_back((f, sl));
            }
        }
        r.next_phase();
        r
    }

    fn next_phase(&mut self) {
        let kind = KINDS[self.world.rng.random_range(0..KINDS.len())];
        let Random { world: w, knobs, .. } = self;
        let (flows, nmax) = (w.p.flows as u32, w.p.nmax as u32);
        let rng = &mut w.rng;
        self.left = rng.random_range(self.mean_phase / 4..=self.mean_phase * 7 / 4).max(16);
        let load = match kind {
            Phase::Rescue => 0.0,
            Phase::Full => 1.0,
            Phase::Mixed => [0.005, 0.05, 0.3][rng.random_range(0..3)],
            Phase::Destination | Phase::Jammed | Phase::Far => 0.01,
            _ => 0.1,
        };
        self.post = chance(knobs.load.unwrap_or(load));
        let few = matches!(kind, Phase::Bursts | Phase::Fast) || rng.random_bool(0.3);
        let n = rng.random_range(1..=if few { flows.min(3) } else { flows });
        self.active = (rng.random_range(0..flows), n);
        self.longest = [1, nmax, 2 * nmax + 2, 5 * nmax][rng.random_range(0..4)];
        self.attr = if kind == Phase::Reconfigure { chance(0.2) } else { 0 };
        let reconfig = if kind == Phase::Reconfigure { 0.02 } else { 0.0 };
        self.reconfig = chance(knobs.reconfig_rate.unwrap_or(reconfig));
        let violate = if kind == Phase::Violate { 0.05 } else { 0.0 };
        self.violate = chance(knobs.violation_rate.unwrap_or(violate));

        self.adapter(kind);
        self.network(kind);
        self.table(kind);
    }

    /// How offers are taken.
    fn adapter(&mut self, kind: Phase) {
        let starved = self.knobs.credit_starvation;
        let w = &mut self.world;
        let rng = &mut w.rng;
        let slow = if kind == Phase::Slow || rng.random_bool(0.2) { 0.6 } else { 0.0 };
        // `often`: how often it is slow
        let gate = |rng: &mut SmallRng, often: f64| {
            if !rng.random_bool(often) {
                return Gate::new(ALWAYS);
            }
            let mut gate = Gate::new(chance(rng.random_range(0.05..0.9)));
            gate.period = [1, 1, 7, 60][rng.random_range(0..4)];
            gate
        };
        for lane in &mut w.room {
            *lane = match starved {
                Some(share) => {
                    let mut gate = Gate::new(chance(1.0 - share));
                    gate.period = 16;
                    gate
                }
                None => gate(rng, slow),
            };
        }
        // With what the link has nobody, everybody, or some lane is held back.
        let link = [0.0, 0.5, 1.0][rng.random_range(0..3)];
        for lane in &mut w.link {
            *lane = if rng.random_bool(link) { gate(rng, 0.5) } else { Gate::new(0) };
        }
        w.inj_ready = gate(rng, slow);
        w.res_ready = gate(rng, 0.3);
        w.out_ready = gate(rng, if kind == Phase::Jammed { 1.0 } else { 0.2 });
        w.stay = [(0, 0), (0, 1), (0, 6), (3, 20)][rng.random_range(0..4)];
    }

    /// How replies and requests come.
    fn network(&mut self, kind: Phase) {
        let loss = self.knobs.message_loss;
        let w = &mut self.world;
        let rng = &mut w.rng;
        let trip = match kind {
            Phase::Fast => 2,
            Phase::Late => 300,
            _ => [4, 20, 80][rng.random_range(0..3)],
        };
        w.trip = (rng.random_range(0..=trip / 2), trip);
        let answer = [3, 15, 60, 200][rng.random_range(0..4)];
        w.answer = (rng.random_range(0..=answer), answer);
        w.wait = match rng.random_range(0..8) {
            0 => Wait::Zero,
            1 => Wait::Short,
            2 => Wait::Long(0),
            3 => Wait::Long(rng.random_range(0..400)),
            _ => Wait::Any,
        };
        w.fate = match rng.random_range(0..8) {
            0 | 1 => Fate::Arrive,
            2 => Fate::Dropped,
            3 => Fate::Some(rng.next_u64()),
            _ => Fate::Chance(chance(rng.random_range(0.05..0.8))),
        };
        // A time-out ends what is lost.
        let lossy = if w.p.dedup { [0.0, 0.02, 0.1, 0.4][rng.random_range(0..4)] } else { 0.0 };
        w.lost = chance(loss.unwrap_or(if kind == Phase::Violate { 0.05 } else { lossy }));
        w.doubled = chance([0.0, 0.0, 0.2][rng.random_range(0..3)]);
        w.names = chance([0.0, 0.5][rng.random_range(0..2)]);
        w.see = Gate::new(chance([0.0, 0.1, 0.6, 1.0][rng.random_range(0..4)]));
        w.good = chance([1.0, 0.8][rng.random_range(0..2)]);
        w.walk = Gate::new(chance([0.0, 0.02, 0.5][rng.random_range(0..3)]));
        w.brings = Gate::new(ALWAYS);
        if kind == Phase::Bursts {
            w.brings = Gate::new(chance(0.3));
            w.brings.period = rng.random_range(10..80);
        }
        if kind == Phase::Rescue {
            w.rescue();
        }
        let rng = &mut w.rng;
        let (res, end) = match kind {
            Phase::Destination | Phase::Jammed => {
                [(1.0, 1.0), (0.3, 0.3), (1.0, 0.1)][rng.random_range(0..3)]
            }
            Phase::Far => (1.0, 0.2),
            _ => (0.02, 0.05),
        };
        w.res = Gate::new(chance(res));
        w.res.period = rng.random_range(1..6);
        w.end = Gate::new(chance(end));
        let most = (w.p.nmax * w.p.mtu) as u32;
        w.largest = if kind == Phase::Far { most } else { [1, 2, most][rng.random_range(0..3)] };
        w.damage = chance(0.2);
        w.rude = self.violate;
        // more RES than blocks
        if kind == Phase::Jammed && self.knobs.violation_rate.is_none() && rng.random_bool(0.5) {
            w.rude = chance(0.3);
            self.violate = chance(0.02);
        }
    }

    /// Registers of a phase.
    fn table(&mut self, kind: Phase) {
        let w = &mut self.world;
        let nmax = w.p.nmax as u32;
        let rng = &mut w.rng;
        if kind == Phase::Bypass {
            let off = rng.random_bool(0.4);
            w.cfg.push_back((0, if off { 2 } else { 3 }));
            w.cfg.push_back((3, if off { 2 } else { [4, nmax, 0xffff][rng.random_range(0..3)] }));
            return;
        }
        if w.p.dedup {
            let rto = [0, 1, 20, 100, 400, 2000][rng.random_range(0..6)];
            w.cfg.push_back((6, rto));
        }
        let more = [0, 0x08, 0x10, 0x40, 0x58][rng.random_range(0..5)];
        let ctrl = more | 1 | [2, 2, 0][rng.random_range(0..3)] | [0, 0, 0, 4][rng.random_range(0..4)];
        let order = if w.p.dedup && rng.random_ratio(2, 5) { INORDER } else { 0 };
        w.cfg.push_back((0, ctrl | order));
        w.cfg.push_back((2, [nmax, nmax, 127, 1, rng.random_range(0..=nmax)][rng.random_range(0..5)]));
        w.cfg.push_back((3, [0, 1, 2, 4][rng.random_range(0..4)]));
        w.cfg.push_back((1, [3277, 3277, 0, 65535][rng.random_range(0..4)]));
        w.cfg.push_back((5, if kind == Phase::Far { 15 } else { [1, 1, 0, 3][rng.random_range(0..4)] }));
    }

    fn flow(&mut self) -> u32 {
        let (first, n) = self.active;
        (first + self.world.rng.random_range(0..n)) % self.world.p.flows as u32
    }

    /// Messages, and what is wrong or changes.
    fn churn(&mut self) {
        let flow = self.flow();
        let w = &mut self.world;
        let mtu = w.p.mtu as u32;
        if hit(&mut w.rng, self.post) && w.posts.is_empty() {
            let pkts = w.rng.random_range(1..=self.longest);
            // Short ones are often parts of one that is long.
            let part = self.longest == 1 && w.rng.random_ratio(7, 8);
            let last = if part || w.rng.random() { mtu } else { w.rng.random_range(1..=mtu) };
            let follows = self.next[flow as usize];
            let psn = if part || w.rng.random_ratio(1, 3) {
                follows
            } else if w.rng.random_bool(0.1) {
                0xff_fffe
            } else {
                w.rng.next_u32() & 0xff_ffff
            };
            self.next[flow as usize] = (psn + pkts) & 0xff_ffff;
            w.posts.push_back(Some(Post { flow, pkts, last, psn }));
        }
        if self.free_attrs && hit(&mut w.rng, self.attr) {
            w.attrs.push_back((flow, w.rng.random_range(0..16)));
        }
        if hit(&mut w.rng, self.reconfig) {
            let number = [0, 1, 2, 3, 5, 6, 10, 11, 77][w.rng.random_range(0..9)];
            let low = w.rng.random_bool(0.5);
            let any = if low { w.rng.next_u32() & 7 } else { w.rng.next_u32() };
            w.cfg.push_back((number, any));
        }
        if hit(&mut w.rng, self.violate) {
            self.violate(flow);
        }
    }

    fn violate(&mut self, flow: u32) {
        let w = &mut self.world;
        let flows = w.p.flows as u32;
        let most = (w.p.nmax * w.p.mtu) as u32;
        let (id, n) = w.asked[flow as usize];
        let rng = &mut w.rng;
        let bad_flow = rng.random_range(flows..=0xffff);
        let near = id + [0, 0, 0, 1, IDS - 1, 1 << rng.random_range(0..ID_BITS)][rng.random_range(0..6)];
        let seq = rng.random_range(0..=n + 1);
        let kind = rng.random_range(0..4);
        let (rty, init) = (rng.random(), rng.random());
        match rng.random_range(0..8) {
            0 => w.posts.push_back(Some(Post { flow: bad_flow, pkts: 1, last: 1, psn: 0 })),
            1 => w.posts.push_back(Some(Post { flow, pkts: 0, last: 1, psn: 0 })),
            2 => {
                let last = [0, w.p.mtu as u32 + 1, 127][rng.random_range(0..3)];
                w.posts.push_back(Some(Post { flow, pkts: 2, last, psn: 0 }));
            }
            3 => w.attrs.push_back((bad_flow, 1)),
            4 => {
                let size = [0, most + 1, 0xffff][rng.random_range(0..3)];
                w.requests.push_back(Some(Request { slid: 7, id, size }));
            }
            5 => w.replies.push_back(Some(Reply { kind, flow: bad_flow, id, seq: 0, wait: 0, rty, init })),
            // (Not the GRANT itself: its time would be that of nobody.)
            6 if kind == GRANT => {
                w.replies.push_back(Some(Reply { kind, flow, id: id + 1, seq, wait: 9, rty, init: false }));
            }
            _ => w.replies.push_back(Some(Reply { kind, flow, id: near, seq, wait: 9, rty, init })),
        }
        if rng.random_bool(0.1) {
            w.cfg.push_back((10, rng.next_u32()));
        }
    }

    /// Anything, before the unit is ready.
    fn too_early(&mut self, input: &mut [u32]) {
        let io = self.world.io;
        let rng = &mut self.world.rng;
        for valid in [
            io.cfg_we,
            io.attr_we,
            io.post_valid,
            io.rep_valid,
            io.rin_valid,
            io.end_valid,
            io.see_res,
            io.walk_valid,
        ] {
            input[valid] = u32::from(rng.random_bool(0.5));
        }
        input[io.cfg_data] = rng.next_u32();
        (input[io.post_pkts], input[io.post_last]) = (5, 1);
        (input[io.rin_size], input[io.rep_kind], input[io.attr_sl]) = (1, 2, 3);
    }
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
