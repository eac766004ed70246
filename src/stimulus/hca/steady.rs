//! Steady periods of random traffic: a few flows always have a packet, nothing keeps them but their delays, and nothing but notifications
//! and timers moves their indices. So somebody outside can know them, and what is due when.

use rand::Rng;
use rand::rngs::SmallRng;

use super::packets::{Packet, Queued, To};
use super::world::World;
use crate::model::link::Message;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::hca_throttle::bench::rising;

/// Where in one random traffic is.
#[derive(Clone, Debug)]
pub(super) enum Steady {
    No,
    /// All indices come down to 0.
    Begins,
    /// They rise and fall.
    Runs(Run),
}

/// Timers and notifications of a period.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub cycles: u32,
    registers: [(&'static str, u32); 5],
    /// Chance, per cycle, of notifications of a flow in use, and the most in a row.
    becn: Chance,
    burst: u32,
    /// Chance, per cycle, that all timers begin anew.
    retime: Chance,
    /// Chance that a packet is posted.
    post: Chance,
}

impl Steady {
    /// Some periods of a timer of some hundred cycles.
    pub(super) fn runs(p: &Params, rng: &mut SmallRng) -> Steady {
        let tick = [1, 1, 2, 5][rng.random_range(0..4)];
        // Shorter than a sweep over all indices, where there is a way down that is seen.
        let short = p.cct >= 64 && rng.random_bool(0.25);
        let timer = if short { rng.random_range(2..12) } else { rng.random_range(60..600) / tick };
        let period = timer * tick;
        let most = p.cct as u32 - 1;
        let limit = if short { most } else { [most, 12, 5][rng.random_range(0..3)] };
        Steady::Runs(Run {
            cycles: (period * rng.random_range(10..30)).max(2000),
            registers: [
                ("CCTI_INCREASE", [1, 1, 2, 3][rng.random_range(0..4)]),
                ("CCTI_LIMIT", limit),
                ("CCTI_MIN", [0, 0, 1, 3][rng.random_range(0..4)]),
                ("CCTI_TIMER", timer),
                ("TICK_CYCLES", tick),
            ],
            becn: chance(rng.random_range(0.2..2.0) / f64::from(period.max(60))),
            burst: if short { 16 } else { [1, 2, 4][rng.random_range(0..3)] },
            retime: if rng.random_bool(0.3) { chance(0.3 / f64::from(period)) } else { 0 },
            // Or so seldom that what a flow sent last is forgotten.
            post: [ALWAYS, ALWAYS, chance(0.02), chance(0.002)][rng.random_range(0..4)],
        })
    }

    /// All that could keep a packet ends, and indices begin to come down. The number of cycles that it takes.
    pub(super) fn settle(w: &mut World) -> u32 {
        let (flows, cct) = (w.p.flows, w.p.cct as u32);
        let rng = &mut w.rng;
        w.flows = (rng.random_range(0..flows), rng.random_range(1..=flows.min(3)));
        (w.post, w.push, w.bad_post, w.dma, w.host) = (ALWAYS, 0, 0, ALWAYS, ALWAYS);
        (w.short, w.long) = [(ALWAYS, 0), (chance(0.3), chance(0.3))][rng.random_range(0..2)];
        (w.credit, w.room, w.starve, w.gap, w.lose, w.acked) = (ALWAYS, 2000, None, 0, 0, 0);
        w.carrier.steady();
        let thr = |name, value| (2u8, addr(UnitKind::HcaThrottle, name), value);
        // By flow or by SL, the timer by SL, restarts, absolute delays; the pace that is counted.
        let modes = [0.35, 0.45, 0.5, 0.5].into_iter().enumerate();
        let modes = modes.fold(1, |m, (i, p)| m | u32::from(rng.random_bool(p)) << (i + 1));
        let pace = [1, 1, 2, 3][rng.random_range(0..4)];
        w.cfg.extend([
            thr("CTRL", modes),
            thr("CCTI_MIN", 0),
            thr("CCTI_TIMER", 1),
            thr("TICK_CYCLES", 1),
            thr("LINK_INTERVAL", pace),
        ]);
        // A fast host and a fast link behind the choice; CNPs do not stand in the queues.
        w.cfg.extend([
            (3, addr(UnitKind::Hca, "CTRL"), 1),
            (3, addr(UnitKind::Hca, "INJECT"), 0),
            (0, addr(UnitKind::InputPort, "FC_INTERVAL"), 1),
            (1, addr(UnitKind::OutputPort, "TX_INTERVAL"), 1),
        ]);
        // The trees of before.
        let ends: Vec<Message> = (0..w.p.lines as u32).map(|line| w.tree(1, line, false, &[0])).collect();
        w.messages.extend(ends);
        // The delay of an index: absolute, or of as many flits.
        let step = w.rng.random_range(4..40);
        let shift = w.rng.random_range(0..4) << 14;
        w.ccts = rising(w.p.cct, shift, step);
        8 * cct.max(64) + 256 * flows as u32
    }
}

impl Run {
    /// Timers are set. A packet of each flow leaves: nothing from before is in its queue.
    pub(super) fn begin(&self, w: &mut World) {
        w.post = self.post;
        w.cfg.extend(
            self.registers.iter().map(|&(name, value)| (2, addr(UnitKind::HcaThrottle, name), value)),
        );
        w.posts.extend((0..w.p.flows as u16).map(|f| (f, 1, 1)));
    }

    /// Notifications, now and then, and timers that begin anew.
    pub(super) fn goes_on(&self, w: &mut World) {
        if hit(&mut w.rng, self.retime) {
            let (name, value) = self.registers[4];
            w.cfg.push_back((2, addr(UnitKind::HcaThrottle, name), value));
        }
        if !hit(&mut w.rng, self.becn) {
            return;
        }
        let flow = (w.flows.0 + w.rng.random_range(0..w.flows.1)) % w.p.flows;
        for _ in 0..w.rng.random_range(1..=self.burst) {
            let packet = if w.rng.random_bool(0.7) { Packet::cnp() } else { Packet::data(1).becn() };
            w.notes.push_back(Queued { packet, to: To::Us, from: flow as u16 });
        }
    }
}
