//! Constrained-random stimulus: a [`World`] whose traffic, outputs, trees, faults and registers change from phase to phase.

use std::collections::VecDeque;

use rand::Rng;
use rand::rngs::SmallRng;

use super::marks::MarkKnobs;
use super::world::{Dims, Fault, OPCODE_ACK, Packet, RawProp, World};
use crate::cosim::source::Source;
use crate::model::header::OPCODE_CNP;
use crate::params::ANY_UP;
use crate::params::Params;
use crate::params::lanes::{SrpLane, opcode};
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::knobs::{Knobs, SHORT_RUN, Setup};

/// What happens in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Everything leaves, nothing comes.
    Drain,
    /// Full load, spread evenly.
    Uniform,
    /// A few destinations get most of the packets, their outputs are slow.
    Hotspot,
    /// All outputs stand still: the buffer fills to its last block.
    Stalled,
    /// One-flit packets only.
    Tiny,
    /// Mostly notification packets.
    Notify,
    /// Broken packets, damaged messages, senseless grants and props.
    Violate,
    /// Trees come and go every few cycles.
    Trees,
    /// Trees are stopped and released all the time.
    Storm,
    /// A slow link; RX_INTERVAL does not always fit.
    Slow,
    /// A trickle of packets while trees come and go: queues run empty all the time.
    Trickle,
    /// Lines live and die as fast as they can: thresholds and timers near 0, every line refreshed all the time.
    Churn,
    /// Every queue that holds anything is a root: lines run short although hot queues are free.
    Roots,
    /// One tree whose list of destinations changes all the time: appends, full lists.
    Lists,
    /// Everything at random.
    Mixed,
}

const KINDS: [Phase; 24] = [
    Phase::Drain,
    Phase::Uniform,
    Phase::Hotspot,
    Phase::Hotspot,
    Phase::Stalled,
    Phase::Tiny,
    Phase::Notify,
    Phase::Violate,
    Phase::Trees,
    Phase::Trees,
    Phase::Storm,
    Phase::Slow,
    Phase::Trickle,
    Phase::Trickle,
    Phase::Churn,
    Phase::Churn,
    Phase::Churn,
    Phase::Churn,
    Phase::Roots,
    Phase::Roots,
    Phase::Lists,
    Phase::Lists,
    Phase::Mixed,
    Phase::Mixed,
];

/// The settings of a phase. Chances of events are per cycle, of packets per packet.
#[derive(Clone, Debug)]
struct PhaseSettings {
    load: f64,
    hot: Chance,
    burst: u32,
    short: Chance,
    long: Chance,
    cnp: Chance,
    starve: f64,
    stop_go: Chance,
    tree: Chance,
    reconfig: Chance,
    violate: Chance,
    loss: Chance,
    /// Senseless grants and props, per cycle.
    noise: Chance,
    /// Destinations in use: DLIDs 0..dests.
    dests: u16,
    /// All packets on this VL, if below VLS.
    one_vl: u8,
}

/// The constrained-random source.
#[derive(Debug)]
pub struct Random {
    world: World,
    knobs: Knobs,
    marks: MarkKnobs,
    /// Registers are ours to choose.
    free_registers: bool,
    reconfigure: bool,
    kind: Phase,
    phase: PhaseSettings,
    left: u32,
    mean_phase: u32,
    hot: Vec<u16>,
    /// Port of each DLID as far as written.
    route: Vec<u8>,
    burst_dlid: u16,
    burst_left: u32,
    starve_left: Vec<u32>,
    timeout: u32,
    line_timer: u32,
    /// A prop for later: cycles left.
    planned: Option<(u32, RawProp)>,
    /// The first routes are written.
    routed: bool,
    /// Cycles of the run.
    time: u64,
    /// Q6: TTW as it was written last.
    ttw: u32,
    /// Ages of speculative packets are this and less, mostly.
    ages: u16,
}

impl Random {
    /// A source; `setup` empty means that it chooses registers and routes.
    pub fn new(params: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut world = World::new(params, seed ^ 0x71_5c_3a_09_44_d2_be_61);
        let d = world.dims;
        let dlids = d.lft_depth.min(1024);
        let mut route = vec![0xff; d.lft_depth];
        match &setup.lft {
            Some(routes) => {
                for &(dlid, port) in routes {
                    world.lft.push_back((dlid, port));
                    route[usize::from(dlid)] = port;
                }
            }
            None => {
                let shift = world.rng.random_range(0..d.ports);
                let any_up = d.params.random_up && setup.input_port.is_empty();
                for (i, r) in route.iter_mut().enumerate().take(dlids) {
                    // the last ones have no route, in one of the two ways
                    *r = match dlids - 1 - i {
                        0 => 0xff,
                        1 if dlids > 4 => d.ports as u8,
                        _ if any_up && world.rng.random_bool(0.4) => ANY_UP,
                        _ => ((i + shift) % d.ports) as u8,
                    };
                    world.lft.push_back((i as u16, *r));
                }
            }
        }
        world.cfg.extend(setup.input_port.iter().copied());
        let free_registers = setup.input_port.is_empty();
        let mean_phase =
            knobs.phase_len.map_or_else(|| (d.cap as u32 * d.vls as u32).clamp(300, 3000), |l| l as u32);
        let early = world.rng.random();
        world.early = early;
        if world.rng.random_bool(0.6) {
            // a neighbour that was up before: its counters stand anywhere
            for v in 0..d.vls {
                let sent = world.rng.random_range(3000..4096);
                world.link.set_sent(v, sent);
            }
        }
        let mut r = Random {
            knobs: knobs.clone(),
            marks: MarkKnobs::new(&d, knobs, seed),
            free_registers,
            reconfigure: free_registers || knobs.reconfig_rate.is_some(),
            kind: Phase::Uniform,
            phase: PhaseSettings {
                load: 1.0,
                hot: 0,
                burst: 1,
                short: 0,
                long: 0,
                cnp: 0,
                starve: 0.0,
                stop_go: 0,
                tree: 0,
                reconfig: 0,
                violate: 0,
                loss: 0,
                noise: 0,
                dests: d.lft_depth.min(1024) as u16,
                one_vl: 0xff,
            },
            left: 0,
            mean_phase,
            hot: Vec::with_capacity(64),
            route,
            burst_dlid: 0,
            burst_left: 0,
            starve_left: vec![0; d.ports],
            timeout: 1024,
            line_timer: d.timer_max,
            planned: None,
            routed: false,
            time: 0,
            ttw: 203,
            ages: 0,
            world,
        };
        r.next_phase();
        r
    }

    /// From now on: no packets, no trees, everything leaves.
    pub fn drain(&mut self) {
        self.kind = Phase::Drain;
        self.left = u32::MAX;
        self.calm();
        self.world.link.queue.clear();
        // a packet whose end was lost stays open until another one begins
        self.world.link.queue.push_back(Packet::data(0, 1));
        (self.world.link.lose_credit, self.world.link.lose_fctbs) = (0, 0);
        for out in &mut self.world.outs {
            out.dealloc_all();
        }
    }

    /// The settings of [`Phase::Drain`].
    fn calm(&mut self) {
        self.world.carrier.steady();
        self.phase.load = 0.0;
        (self.phase.starve, self.phase.stop_go, self.phase.tree) = (0.0, 0, 0);
        (self.phase.reconfig, self.phase.violate, self.phase.noise) = (0, 0, 0);
        for out in &mut self.world.outs {
            (out.serve, out.starved, out.others, out.lacking) = (ALWAYS, false, 0, 0);
            (out.rd_pace, out.slow_pace, out.rd) = (1, 1, ALWAYS);
            out.set_stops(0);
        }
    }

    fn next_phase(&mut self) {
        let d = self.world.dims;
        let rng = &mut self.world.rng;
        self.left = rng.random_range(self.mean_phase / 4..=self.mean_phase * 7 / 4).max(16);
        self.kind = KINDS[rng.random_range(0..KINDS.len())];
        let kind = self.kind;
        let p = &mut self.phase;
        let some = |rng: &mut SmallRng, p: f64, hi: f64| -> f64 {
            if rng.random_bool(p) { rng.random_range(0.0..1.0) * hi } else { 0.0 }
        };

        // traffic
        p.load = match kind {
            Phase::Drain => 0.0,
            Phase::Trickle => rng.random_range(0.01..0.3),
            Phase::Lists => rng.random_range(0.1..1.0),
            _ if rng.random_bool(0.6) => 1.0,
            _ => rng.random_range(0.1..1.0),
        };
        p.hot = match kind {
            Phase::Hotspot | Phase::Trees | Phase::Storm | Phase::Trickle | Phase::Lists => {
                chance(rng.random_range(0.3..1.0))
            }
            Phase::Mixed | Phase::Churn => rng.random(),
            _ => 0,
        };
        p.burst = if rng.random_bool(0.5) { 1 } else { rng.random_range(1..32) };
        (p.short, p.long) = match kind {
            Phase::Tiny => (ALWAYS, 0),
            Phase::Churn | Phase::Lists => (chance(rng.random_range(0.3..1.0)), 0),
            _ => match rng.random_range(0..5) {
                0 => (ALWAYS, 0),
                1 => (0, ALWAYS),
                2 => (chance(0.5), chance(0.3)),
                _ => (chance(0.2), 0),
            },
        };
        p.cnp = match kind {
            Phase::Notify => chance(rng.random_range(0.3..1.0)),
            _ => chance(some(rng, 0.6, 0.2)),
        };
        p.one_vl = if rng.random_bool(0.4) { rng.random_range(0..d.vls) as u8 } else { 0xff };
        let all = d.lft_depth.min(1024) as u16;
        p.dests = match rng.random_range(0..4) {
            _ if kind == Phase::Lists => all,
            0 => all.min(2 * d.ports as u16),
            1 => all.min(6 * d.ports as u16),
            _ => all,
        };
        // the hotspots: a few anywhere, or many behind one output
        self.hot.clear();
        if kind != Phase::Lists && rng.random_bool(0.5) {
            for _ in 0..rng.random_range(1..=4) {
                self.hot.push(rng.random_range(0..p.dests));
            }
        } else {
            let o = rng.random_range(0..d.ports) as u8;
            let most = if kind == Phase::Lists { 60 } else { rng.random_range(1..=2 * d.dlist + 2).min(60) };
            self.hot.extend((0..p.dests).filter(|&x| self.route[usize::from(x)] == o).take(most));
            if self.hot.is_empty() {
                self.hot.push(0);
            }
        }
        self.burst_left = 0;

        // link
        let slow = match kind {
            Phase::Slow => rng.random_range(2..=15),
            _ if rng.random_bool(0.15) => rng.random_range(2..=4),
            _ => 1,
        };
        let link = &mut self.world.link;
        link.pace = self.knobs.slow_link.map_or(slow, |s| s as u32);
        link.gap = chance(some(rng, 0.25, 0.5));
        p.loss = chance(match kind {
            Phase::Violate => some(rng, 0.7, 0.6),
            _ => some(rng, 0.15, 0.3),
        });
        link.fctbs_every = match rng.random_range(0..4) {
            0 => 1,
            1 => rng.random_range(2..8),
            _ => rng.random_range(8..80),
        };

        // outputs
        let base = match kind {
            Phase::Stalled => 0,
            Phase::Drain | Phase::Uniform => ALWAYS,
            Phase::Hotspot => chance(rng.random_range(0.2..1.0)),
            Phase::Roots => chance(0.03),
            _ => [chance(0.01), chance(0.1), chance(0.3), ALWAYS, ALWAYS, ALWAYS][rng.random_range(0..6)],
        };
        let others = if rng.random_bool(0.3) { rng.random_range(0..4 * d.mtu as u32) } else { 0 };
        let hot_out = self.route[usize::from(self.hot[0])];
        let truthful = rng.random_bool(0.6);
        for (o, out) in self.world.outs.iter_mut().enumerate() {
            out.serve = if rng.random_bool(0.2) && kind != Phase::Drain { rng.random() } else { base };
            out.others = others;
            if o == usize::from(hot_out) && kind == Phase::Hotspot {
                out.serve = chance(rng.random_range(0.0..0.1));
                out.others = 8 * d.mtu as u32;
            }
            out.rd_pace = if rng.random_bool(0.2) { rng.random_range(1..=15) } else { 1 };
            out.rd = if rng.random_bool(0.2) { chance(rng.random_range(0.1..1.0)) } else { ALWAYS };
            if d.ocap > 0 {
                out.slow_pace = out.rd_pace * [1, 2, 2, 3, 4][rng.random_range(0..5)];
            }
            out.tell = [ALWAYS, ALWAYS, ALWAYS, chance(0.3), chance(0.03), 0][rng.random_range(0..6)];
            if kind == Phase::Lists {
                out.tell = chance(rng.random_range(0.1..1.0));
            }
            // nobody waits for what is never told
            out.strict = (truthful || rng.random_bool(0.5)) && out.tell > 0;
            if rng.random_bool(0.5) {
                out.set_stops(0);
            }
        }
        p.starve = match kind {
            Phase::Drain => 0.0,
            Phase::Stalled => 1.0,
            _ => some(rng, 0.3, 0.9),
        };

        // trees
        p.tree = if !d.isolation {
            0
        } else {
            chance(match kind {
                Phase::Trees | Phase::Churn | Phase::Lists => rng.random_range(0.01..0.5),
                Phase::Roots => 0.003,
                Phase::Storm | Phase::Trickle => rng.random_range(0.002..0.1),
                Phase::Hotspot | Phase::Mixed => some(rng, 0.7, 0.05),
                _ => some(rng, 0.3, 0.02),
            })
        };
        p.stop_go = chance(match kind {
            Phase::Storm => rng.random_range(0.05..1.0),
            Phase::Trees | Phase::Trickle | Phase::Churn | Phase::Mixed => some(rng, 0.6, 0.1),
            _ => some(rng, 0.2, 0.02),
        });
        if matches!(kind, Phase::Drain) || rng.random_bool(0.2) {
            for out in &mut self.world.outs {
                out.dealloc_all();
            }
        }

        // faults
        p.violate = match kind {
            Phase::Violate => chance(rng.random_range(0.05..1.0)),
            Phase::Mixed => chance(some(rng, 0.5, 0.1)),
            _ => chance(some(rng, 0.1, 0.02)),
        };
        p.noise = match kind {
            Phase::Violate => chance(rng.random_range(0.001..0.2)),
            Phase::Roots => chance(0.03),
            Phase::Lists => chance(0.15),
            Phase::Mixed | Phase::Trees | Phase::Churn => chance(some(rng, 0.5, 0.1)),
            _ => 0,
        };
        let falls = if kind == Phase::Drain { Some(0.0) } else { self.knobs.link_falls };
        self.world.carrier.vary(rng, falls);
        p.reconfig = chance(match kind {
            Phase::Drain => 0.0,
            Phase::Churn => some(rng, 0.3, 0.01),
            _ => some(rng, 0.25, 0.02),
        });

        self.apply_knobs();
        if self.kind == Phase::Drain && self.knobs.load.is_none() {
            self.calm();
        }
        if d.params.srp {
            self.vary_lanes();
        }
        self.world.link.lose_credit = self.phase.loss;
        self.world.link.lose_fctbs = self.phase.loss;
        if self.free_registers {
            self.phase_registers();
        }
    }

    /// Knobs that are set win over the phase.
    fn apply_knobs(&mut self) {
        let (k, p) = (&self.knobs, &mut self.phase);
        let set = |to: &mut Chance, k: Option<f64>| {
            if let Some(x) = k {
                *to = chance(x);
            }
        };
        if let Some(x) = k.load {
            p.load = x;
        }
        set(&mut p.hot, k.hotspot_share);
        if let Some(x) = k.burst_len {
            p.burst = x as u32;
        }
        if k.short_share.is_some() || k.long_share.is_some() {
            (p.short, p.long) = (chance(k.short_share.unwrap_or(0.0)), chance(k.long_share.unwrap_or(0.0)));
        }
        set(&mut p.cnp, k.cnp_share);
        set(&mut self.world.link.gap, k.gap_rate);
        if let Some(x) = k.credit_starvation {
            p.starve = x;
        }
        set(&mut p.stop_go, k.stop_go_rate);
        set(&mut p.tree, k.tree_rate);
        if !self.world.dims.isolation {
            p.tree = 0;
        }
        set(&mut p.reconfig, k.reconfig_rate);
        if !self.reconfigure {
            p.reconfig = 0;
        }
        set(&mut p.violate, k.violation_rate);
        if k.violation_rate == Some(0.0) {
            p.noise = 0;
        }
        set(&mut p.loss, k.message_loss);
    }

    /// Some registers for a new phase; those that belong to the link always.
    fn phase_registers(&mut self) {
        let w = &mut self.world;
        let interval = if w.rng.random_bool(0.8) { w.link.pace } else { w.rng.random_range(0..16) };
        w.cfg.push_back((5, interval));
        self.timeout = match self.kind {
            Phase::Violate => {
                let pace = w.link.pace;
                [0, pace, pace + 1, pace + 3, 16, 64][w.rng.random_range(0..6)]
            }
            _ => [0, 1024, 65535, 40 * w.link.pace][w.rng.random_range(0..4)],
        };
        w.cfg.push_back((6, self.timeout));
        for addr in [0, 1, 2, 3, 4, 7, 8, 9, 11, 12, 13, 14] {
            if w.rng.random_bool(if addr < 3 { 0.5 } else { 0.35 }) {
                register(&w.dims, &mut w.rng, addr, &mut w.cfg);
            }
        }
        if self.kind == Phase::Churn || (self.kind == Phase::Lists && w.rng.random_bool(0.7)) {
            let hth = w.rng.random_range(0..=w.dims.mtu as u32);
            let lth = w.rng.random_range(0..=hth);
            let refresh = [0, 1, 2, 3, 6][w.rng.random_range(0..5)];
            let timer = [0, 1, 2, 3, 5, 9, 20, 100][w.rng.random_range(0..8)];
            let ctrl = 1 | readings(&mut w.rng);
            w.cfg.extend([(0, ctrl), (1, hth), (2, lth), (7, timer), (8, refresh)]);
            let (detect, hold) = (w.rng.random_range(0..=hth), w.rng.random_range(0..4));
            w.cfg.extend([(13, detect), (14, hold)]);
            if w.rng.random_bool(0.7) {
                w.cfg.push_back((3, 0));
            }
        }
        if self.kind == Phase::Roots {
            let hth = w.rng.random_range(0..3);
            let ctrl = 1 | readings(&mut w.rng);
            w.cfg.extend([(0, ctrl), (1, hth), (2, hth), (3, 0), (7, 0xffff_ffff), (13, 0), (14, hth)]);
        }
        let ctrl = w.cfg.iter().rev().find(|c| c.0 == 0).map(|c| c.1);
        let fast = w.outs.iter().map(|out| out.rd_pace).min().unwrap_or(1);
        let slow = w.outs.iter().map(|out| out.slow_pace).min().unwrap_or(1);
        let pace = if w.dims.ocap > 0 { slow } else { fast };
        if w.dims.ocap > 0 {
            w.cfg.push_back((19, if w.rng.random_bool(0.9) { fast } else { w.rng.random_range(0..16) }));
        }
        w.cfg.extend(self.marks.input_port(ctrl, pace));
        for &(addr, data) in &w.cfg {
            if addr == 7 {
                self.line_timer = data.clamp(1, w.dims.timer_max);
            }
        }
        if w.rng.random_bool(0.5) {
            w.cfg.push_back((10, 0xffff));
        }
        if w.dims.params.random_up {
            up_registers(w.dims.ports, &mut w.rng, &mut w.cfg);
        }
        if w.dims.params.srp {
            self.spec_registers();
        }
    }

    /// Q6: whether speculative packets are dropped, and when.
    fn spec_registers(&mut self) {
        let rng = &mut self.world.rng;
        self.ttw = match rng.random_range(0..8) {
            0 => 0,
            1 | 2 => rng.random_range(1..6),
            3 | 4 => rng.random_range(4..40),
            5 => 203,
            6 => rng.random_range(0..0x8000),
            _ => self.ttw,
        };
        let drop = u32::from(rng.random_bool(0.85));
        self.world.cfg.extend([(21, self.ttw), (20, drop)]);
    }

    /// Lanes that lack credit at an output in this phase, and ages.
    fn vary_lanes(&mut self) {
        let vls = self.world.dims.vls;
        let calm = self.kind == Phase::Drain;
        let rng = &mut self.world.rng;
        self.ages = [0, 0, 4, 40, 300][rng.random_range(0..5)];
        for out in &mut self.world.outs {
            let some = rng.random_range(0..1 << vls) & rng.random_range(0..1 << vls);
            out.lacking = if calm || rng.random_bool(0.5) { 0 } else { some };
        }
    }

    /// Q4, Q5: source and age of a speculative packet.
    fn suit_spec(&mut self, packet: &mut Packet) {
        let d = self.world.dims;
        let rng = &mut self.world.rng;
        if d.params.srp_lane(usize::from(packet.vl)) != Some(SrpLane::Spec) {
            return;
        }
        packet.age = match rng.random_range(0..16) {
            0 => self.ttw.saturating_sub(rng.random_range(0..4)) as u16,
            1 => (self.ttw + rng.random_range(0..3)) as u16,
            2 if self.kind == Phase::Violate => rng.random(),
            2 => 0xffff - rng.random_range(0..4),
            _ => rng.random_range(0..=self.ages),
        };
        packet.slid = rng.random_range(0..self.phase.dests);
        for _ in 0..self.phase.dests {
            if d.is_route(self.route[usize::from(packet.slid)]) {
                break;
            }
            packet.slid = (packet.slid + 1) % self.phase.dests;
        }
    }

    fn new_packet(&mut self) {
        let d = self.world.dims;
        let (p, rng) = (&self.phase, &mut self.world.rng);
        if self.burst_left == 0 {
            self.burst_left = if p.burst <= 1 { 1 } else { rng.random_range(1..2 * p.burst) };
            self.burst_dlid = if hit(rng, p.hot) {
                self.hot[rng.random_range(0..self.hot.len())]
            } else {
                rng.random_range(0..p.dests)
            };
            // destinations without a route are for violations
            for _ in 0..p.dests {
                if d.is_route(self.route[usize::from(self.burst_dlid)]) {
                    break;
                }
                self.burst_dlid = (self.burst_dlid + 1) % p.dests;
            }
        }
        self.burst_left -= 1;
        if d.vl_by_dest && usize::from(p.one_vl) < d.vls && p.dests >= 2 * d.vls as u16 {
            // a destination of that lane
            let lane = u16::from(p.one_vl);
            let dlid = (self.burst_dlid - self.burst_dlid % d.vls as u16 + lane) % p.dests;
            if usize::from(self.route[usize::from(dlid)]) < d.ports {
                self.burst_dlid = dlid;
            }
        }
        let vl = if d.vl_by_dest {
            rng.random_range(0..16)
        } else if usize::from(p.one_vl) < d.vls {
            p.one_vl
        } else {
            (rng.random::<u32>() as usize % d.vls) as u8
        };
        let cnp = hit(rng, p.cnp) && self.knobs.markable.is_none();
        let n = if hit(rng, p.short) || (cnp && rng.random_bool(0.8)) {
            1
        } else if hit(rng, p.long) {
            d.mtu
        } else {
            rng.random_range(1..=d.mtu)
        };
        let r: u32 = rng.random();
        let mut packet = Packet {
            vl,
            lnh: if r & 7 == 0 { (r >> 4 & 3) as u8 } else { 2 },
            opcode: match (cnp, r >> 19 & 7) {
                (true, _) => OPCODE_CNP,
                (_, 0) => OPCODE_ACK,
                _ => (r >> 8) as u8 & 0x7f,
            },
            dlid: self.burst_dlid,
            slid: (r >> 16 & 7) as u16,
            words: (16 * n) as u16 - if r & 0x100_0000 != 0 { (r >> 25 & 15) as u16 } else { 0 },
            age: 0,
            fault: Fault::None,
        };
        if let Some(share) = self.knobs.markable {
            packet.set_markable(self.marks.on(Some(share)));
        }
        packet.suit(&d, rng);
        if d.params.srp {
            self.suit_spec(&mut packet);
        }
        let n = if d.params.srp { packet.flits().max(1) } else { n };
        let (p, rng) = (&self.phase, &mut self.world.rng);
        if hit(rng, p.violate) {
            break_packet(&mut packet, n, &d, self.timeout, rng);
            if self.time > SHORT_RUN
                && let Fault::Stall(_, cycles) = &mut packet.fault
                && rng.random_bool(0.5)
            {
                // Well before or behind the limit, for who may be some cycles early or late.
                let apart = rng.random_range(20..80);
                let less = cycles.saturating_sub(apart);
                *cycles = if rng.random_bool(0.5) { less } else { cycles.saturating_add(apart) };
            }
        }
        let link = &mut self.world.link;
        if p.load < 1.0 {
            let idle = (1.0 / p.load - 1.0) * f64::from(n as u32 * link.pace);
            link.wait = (idle * rng.random_range(0.0..2.0)) as u32;
        }
        link.queue.push_back(packet);
    }

    /// A tree appears, changes or goes somewhere.
    fn tree_event(&mut self, seen: &[u32]) {
        let d = self.world.dims;
        let io = &self.world.io;
        let rng = &mut self.world.rng;
        let lists = self.kind == Phase::Lists && rng.random_bool(0.9);
        let o = if lists || rng.random_bool(0.5) {
            usize::from(self.route[usize::from(self.hot[0])]) % d.ports
        } else {
            rng.random_range(0..d.ports)
        };
        // few lines at an output are alive at a time, so that the same number is used again and again
        let reach = if rng.random_bool(0.7) { d.lines.min(3) } else { d.lines };
        let k = if lists { 0 } else { rng.random_range(0..reach) };
        let out = &mut self.world.outs[o];
        let alive = out.alive(k);
        if alive && !lists && rng.random_bool(0.6) {
            let line = out.lines[k];
            out.dealloc(k);
            // some hear of another tree in the very cycle in which they learn of the loss, or when their time is over
            let delay = match rng.random_range(0..8) {
                0 | 1 => 1,
                2..=4 if self.line_timer < 200 => self.line_timer + rng.random_range(0..5),
                _ => return,
            };
            let other = rng.random_range(0..d.lines) as u8;
            let prop = RawProp { out: o, vl: line.vl, line: other, hops: line.hops, root: line.root };
            self.planned.get_or_insert((delay, prop));
            return;
        }
        let vl = if alive { usize::from(out.lines[k].vl) } else { rng.random_range(0..d.vls) };
        // half of them are the same tree, with a longer list
        let same = alive && rng.random();
        let (mut dlids, kept, root) = match same {
            true => (out.lines[k].dlist, usize::from(out.lines[k].dcnt), Some(out.lines[k].root)),
            false => ([0u16; 32], 0, None),
        };
        let n = rng.random_range(kept.max(1)..=d.dlist);
        for slot in &mut dlids[kept..n] {
            let q = o * d.vls + vl;
            *slot = if seen[io.req_valid + q] == 1 && rng.random_bool(0.4) {
                seen[io.req_dlid + q] as u16
            } else if rng.random_bool(0.7) {
                self.hot[rng.random_range(0..self.hot.len())]
            } else {
                rng.random_range(0..self.phase.dests)
            };
        }
        let stop = !lists && alive && out.stopped(k);
        let r: u32 = rng.random();
        out.alloc(
            k,
            vl,
            if r & 7 == 0 { 63 } else { (r >> 3 & 7) as u8 },
            root.unwrap_or(r >> 8),
            &dlids[..n],
        );
        out.set_stop(k, stop || rng.random_bool(if lists { 0.6 } else { 0.2 }));
    }

    fn stop_event(&mut self) {
        let rng = &mut self.world.rng;
        let o = rng.random_range(0..self.world.dims.ports);
        let r: u32 = rng.random();
        let out = &mut self.world.outs[o];
        match r & 3 {
            0 => out.set_stops(u32::MAX),
            1 => out.set_stops(0),
            _ => out.turn_stops(r >> 2),
        }
    }

    fn reconfig_event(&mut self) {
        let w = &mut self.world;
        if w.rng.random_bool(0.4) {
            // often the destination that is arriving
            let dlid = if w.rng.random_bool(0.5) {
                self.burst_dlid
            } else {
                w.rng.random_range(0..self.phase.dests)
            };
            let port = if w.rng.random_bool(0.03) {
                0xff
            } else if w.dims.params.random_up && self.free_registers && w.rng.random_bool(0.3) {
                ANY_UP
            } else {
                w.rng.random_range(0..w.dims.ports) as u8
            };
            self.route[usize::from(dlid)] = port;
            w.lft.push_back((dlid, port));
            if w.rng.random_bool(0.1) {
                // beyond the table: ignored
                w.lft.push_back((w.rng.random_range(0..=u16::MAX), 0xff));
                if let Some(&(far, port)) = w.lft.back()
                    && usize::from(far) < w.dims.lft_depth
                {
                    self.route[usize::from(far)] = port;
                }
            }
        } else {
            let addr = if w.rng.random_bool(0.15) {
                w.rng.random_range(19..=255)
            } else {
                w.rng.random_range(0..15)
            };
            if w.dims.params.srp && w.rng.random_bool(0.2) {
                self.spec_registers();
            } else if w.dims.params.random_up && w.rng.random_bool(0.4) {
                up_registers(w.dims.ports, &mut w.rng, &mut w.cfg);
            } else if addr == 6 {
                self.timeout = w.rng.random_range(0..2048);
                w.cfg.push_back((6, self.timeout));
            } else {
                register(&w.dims, &mut w.rng, addr, &mut w.cfg);
            }
        }
    }

    fn noise_event(&mut self, seen: &[u32]) {
        let d = self.world.dims;
        let w = &mut self.world;
        let r: u32 = w.rng.random();
        match r & 15 {
            0..=3 => {
                // half of them where there is something to grant already
                let any = w.rng.random_range(0..d.ports * d.vls);
                let pv = d.ports * d.vls;
                let wanted = (0..pv).map(|i| (any + i) % pv).find(|i| seen[w.io.req_valid + i] == 1);
                w.raw_grants.push(if r & 16 == 0 { any } else { wanted.unwrap_or(any) });
                if d.vls > 1 && r & 32 != 0 {
                    w.raw_grants.push(w.raw_grants[0] ^ 1);
                }
            }
            12 | 13 => {
                let any = w.rng.random_range(0..d.ports * d.vls);
                let some = (any..d.ports * d.vls).step_by(if r & 16 == 0 { 64 } else { 1 });
                let line = if r >> 5 & 7 == 0 { r >> 8 & 0xff } else { (r >> 8) % d.lines as u32 };
                w.raw_holds.extend(some.map(|q| (q, line)));
            }
            4 => w.link.fctbs_bad_vl = Some(w.rng.random_range(0..16)),
            5 => w.link.fctbs_error = (r >> 8) as u16,
            6 if self.reconfigure => {
                let mask = if r & 16 == 0 { 0xffff } else { r >> 16 };
                w.cfg.extend([(10, mask), (10, mask), (10, mask), (10, mask)]);
            }
            7 | 8 if self.reconfigure && self.kind == Phase::Churn => {
                // isolation off and on again
                let kept = readings(&mut w.rng);
                w.cfg.extend([(0, kept), (0, r >> 16 & 1), (0, 1 | kept)]);
            }
            7..=11 => {
                // a prop for a candidate that need not be told
                let any = w.rng.random_range(0..d.ports * d.vls);
                let pv = d.ports * d.vls;
                let io = &w.io;
                let order = || (0..pv).map(|i| (any + i) % pv);
                let cold = |&q: &usize| seen[io.req_valid + q] == 1 && seen[io.req_hot + q] == 0;
                // best: a cold one, while the line it would join is full or nothing is free
                let wanted = order()
                    .filter(cold)
                    .find(|q| {
                        let o = q / d.vls;
                        seen[io.known + o] & !seen[io.room + o] != 0 || seen[io.can_alloc] == 0
                    })
                    .or_else(|| order().find(|q| seen[io.req_valid + q] == 1));
                let q = wanted.unwrap_or(any);
                let out = q / d.vls;
                let full = seen[io.known + out] & !seen[io.room + out];
                let known = if full != 0 { full } else { seen[io.known + out] };
                let line = if known != 0 && r & 16 == 0 {
                    known.trailing_zeros()
                } else {
                    (r >> 8) % d.lines as u32
                };
                w.raw_props.push(RawProp {
                    out,
                    vl: (q % d.vls) as u8,
                    line: line as u8,
                    hops: (r >> 20 & 63) as u8,
                    root: r >> 8,
                });
            }
            _ => {
                let out = w.rng.random_range(0..d.ports);
                let line = match r >> 4 & 3 {
                    0 => r >> 8 & 0xff,
                    _ => (r >> 8) % d.lines as u32,
                };
                let vl = if r >> 6 & 3 == 0 { r >> 16 & 15 } else { (r >> 16) % d.vls as u32 };
                w.raw_props.push(RawProp {
                    out,
                    vl: vl as u8,
                    line: line as u8,
                    hops: (r >> 20 & 63) as u8,
                    root: r >> 8,
                });
            }
        }
    }
}

/// The bits of CTRL that are readings of the papers: cnp_plain, release, root_hpq.
pub(in crate::stimulus) fn readings(rng: &mut SmallRng) -> u32 {
    if rng.random_bool(0.4) { 0 } else { rng.random_range(0..8) << 2 }
}

/// A random value for a register.
pub(in crate::stimulus) fn register(d: &Dims, rng: &mut SmallRng, addr: u8, cfg: &mut VecDeque<(u8, u32)>) {
    let mtu = d.mtu as u32;
    let value = match addr {
        0 => {
            let iso = u32::from(rng.random_bool(0.85));
            iso | u32::from(rng.random_bool(0.3)) << 1 | readings(rng)
        }
        1 | 2 => {
            // a pair that fits together, most of the time
            let unit = if rng.random_bool(0.5) { 1 } else { mtu.div_ceil(2) };
            let hth = match rng.random_range(0..10) {
                0 => 0,
                1 => rng.random_range(0..d.cap as u32),
                2 => d.cap as u32 - 1,
                _ => rng.random_range(1..=6) * unit,
            };
            let lth = match rng.random_range(0..4) {
                0 => hth,
                1 => hth.saturating_sub(unit),
                _ => rng.random_range(0..=hth),
            };
            cfg.push_back((1, hth));
            cfg.push_back((2, if rng.random_bool(0.05) { rng.random_range(0..4 * mtu) } else { lth }));
            return;
        }
        3 => {
            if rng.random_bool(0.4) {
                0
            } else if rng.random_bool(0.3) {
                rng.random_range(0..32)
            } else if rng.random_bool(0.3) {
                16
            } else if rng.random_bool(0.3) {
                // the low threshold at its floor
                cfg.extend([(1, 65535), (2, 0)]);
                31
            } else {
                16 | rng.random_range(10..16)
            }
        }
        4 if d.cap < 64 => [0, 1, 1, 2, 3, 4, 5, 20][rng.random_range(0..8)],
        4 => [0, 1, 1, 2, 3, 4, 5, 8, 16, 40][rng.random_range(0..10)],
        5 => rng.random_range(0..16),
        7 => match rng.random_range(0..8) {
            0 => 0,
            1..=3 => rng.random_range(1..8),
            4 | 5 => rng.random_range(8..100),
            6 => rng.random_range(100..2000),
            _ => u32::MAX,
        },
        8 => match rng.random_range(0..6) {
            0 | 1 => 0,
            2 => rng.random_range(1..5),
            3 => rng.random_range(5..40),
            _ => rng.random_range(40..400),
        },
        // STOP and GO, mostly of use
        11 | 12 => match rng.random_range(0..6) {
            0 | 1 => 0,
            2 => rng.random_range(0..d.cap as u32),
            _ => rng.random_range(1..=3 * mtu),
        },
        13 => match rng.random_range(0..6) {
            0 => 0,
            1 => 4 * mtu,
            _ => rng.random_range(0..=2 * mtu),
        },
        14 => match rng.random_range(0..6) {
            0 => 0,
            1 => rng.random_range(0..300),
            _ => rng.random_range(1..=mtu),
        },
        _ => rng.random(),
    };
    // bits that do not exist are ignored
    let width = match addr {
        0 | 3 => 5,
        5 => 4,
        7 => 32,
        _ => 16,
    };
    let above = if rng.random_bool(0.1) { rng.random::<u64>() << width } else { 0 };
    cfg.push_back((addr, value | above as u32));
}

/// UP1: which outputs lead up, and often what is drawn next.
pub(in crate::stimulus) fn up_registers(ports: usize, rng: &mut SmallRng, cfg: &mut VecDeque<(u8, u32)>) {
    let there = u32::MAX >> (32 - ports);
    let mask = match rng.random_range(0..16) {
        0 => 0,
        1 => rng.random::<u32>() & !there,
        2 => 1 << rng.random_range(0..32),
        3 | 4 => 1 << rng.random_range(0..ports),
        5 => u32::MAX,
        6 => there,
        _ => rng.random(),
    };
    let seed = match rng.random_range(0..8) {
        0 => 0,
        1 => 0xffff_0000,
        2 => 1,
        3 => 0xffff,
        _ => rng.random(),
    };
    if rng.random_bool(0.5) {
        cfg.push_back((23, seed));
    }
    if rng.random_bool(0.7) {
        cfg.push_back((22, mask));
    }
}

/// Breaks a packet of `n` flits in one of the ways a bad neighbour can.
pub(in crate::stimulus) fn break_packet(
    p: &mut Packet,
    n: usize,
    d: &Dims,
    timeout: u32,
    rng: &mut SmallRng,
) {
    let at = rng.random_range(0..n) as u8;
    match rng.random_range(0..20) {
        0 | 1 => p.fault = Fault::NoCredit,
        2 => p.fault = Fault::MissingFirst,
        3 => p.fault = Fault::Cut(n as u8 - 1),
        4 => p.fault = Fault::Cut(at),
        5 => p.fault = Fault::Early(at),
        6 => p.fault = Fault::Late(rng.random_range(1..4)),
        7 | 8 => p.fault = Fault::Bad(at),
        9 => p.fault = Fault::BadOpen(at),
        10 => p.fault = Fault::Lost(at),
        11..=13 if timeout < 300 => {
            p.fault = Fault::Stall(at, (timeout as u16).saturating_add(rng.random_range(0..4)));
        }
        14 => p.fault = Fault::Junk(rng.random_range(1..5)),
        15 => p.vl = if d.vls < 16 { rng.random_range(d.vls..16) as u8 } else { p.vl },
        16 => p.words = 0,
        17 if rng.random_bool(0.5) => p.words = (16 * d.mtu + 1) as u16,
        17 => p.words = rng.random_range(16 * d.mtu + 1..2048) as u16,
        18 => {
            // Every fourth one is not far behind the table.
            let (any, depth) = (rng.random::<u16>(), d.lft_depth as u32);
            let near = u16::try_from(depth + u32::from(any) % depth).unwrap_or(any);
            p.dlid = if any.is_multiple_of(4) { near } else { any };
        }
        // The last two go nowhere, each in its way.
        _ => p.dlid = d.lft_depth.min(1024) as u16 - 1 - u16::from(at & 1),
    }
    if let Some(lane) = d.control.filter(|_| rng.random_bool(0.3)) {
        // what it was, or a reply, of whatever length
        (p.vl, p.lnh) = (lane as u8, 2);
        p.opcode = [4, OPCODE_CNP, OPCODE_ACK][rng.random_range(0..3)];
        p.words = [7, 16 * n as u16, 32][rng.random_range(0..3)];
    }
    if d.params.srp && rng.random_bool(0.3) {
        break_lane(p, d, rng);
    }
    // several at once
    if rng.random_bool(0.1) {
        p.vl = rng.random_range(0..16);
        p.dlid = rng.random();
    }
}

/// Q1, Q4, Q5: what the lane of a packet does not take, or another lane does not.
fn break_lane(p: &mut Packet, d: &Dims, rng: &mut SmallRng) {
    let any = rng.random();
    match rng.random_range(0..6) {
        0 => p.lnh = rng.random_range(0..4),
        1 => p.opcode = [4, opcode::RES, opcode::GRANTED, 0x80, any][rng.random_range(0..5)],
        2 => p.words = (16 * rng.random_range(1..=d.mtu)) as u16,
        // the last ones have no route
        3 => p.slid = d.lft_depth.min(1024) as u16 - rng.random_range(1..=2),
        4 => p.slid = rng.random(),
        _ => p.vl = rng.random_range(0..d.vls) as u8,
    }
}

impl Source for Random {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        self.time += 1;
        if seen[self.world.io.ready] == 1 {
            if self.left == 0 {
                self.next_phase();
            }
            self.left -= u32::from(self.left != u32::MAX);
            // the routes first, so that there is something to send to
            self.routed |= self.world.lft.is_empty();
            if self.phase.load > 0.0 && self.world.link.queue.is_empty() && self.routed {
                self.new_packet();
            }
            // of lanes with buffers of their own another one does
            let patience = if self.world.dims.params.srp { 6 } else { 64 };
            if self.world.link.blocked > patience {
                // another one may fit
                self.world.link.blocked = 0;
                self.world.link.queue.pop_front();
            }
            let p = &self.phase;
            let (tree, stop_go, reconfig, noise) = (p.tree, p.stop_go, p.reconfig, p.noise);
            let rng = &mut self.world.rng;
            let (a, b, c, n) = (hit(rng, tree), hit(rng, stop_go), hit(rng, reconfig), hit(rng, noise));
            if a {
                self.tree_event(seen);
            }
            if b {
                self.stop_event();
            }
            if c {
                self.reconfig_event();
            }
            if n {
                self.noise_event(seen);
            }
            if let Some((left, prop)) = self.planned {
                self.planned = if left <= 1 {
                    self.world.raw_props.push(prop);
                    None
                } else {
                    Some((left - 1, prop))
                };
            }
            if self.phase.starve > 0.0 {
                self.starvation();
            }
        }
        self.world.drive(seen, input);
    }
}

impl Random {
    fn starvation(&mut self) {
        let starve = self.phase.starve;
        for (out, left) in self.world.outs.iter_mut().zip(&mut self.starve_left) {
            if *left > 0 {
                *left -= 1;
                continue;
            }
            out.starved = starve >= 1.0 || self.world.rng.random_bool(starve);
            *left = self.world.rng.random_range(1..200);
        }
    }
}
