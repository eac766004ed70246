//! The update pipeline and the timers of a throttle (`docs/hca-throttle.md` sections 1 and 2).

use super::credit::NEVER;
use super::setup::RESET;
use crate::fabric::setup::Write;
use crate::fabric::windowed::Throttled;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::scheme::response::{lowered, periods_over, raised};

pub(super) const SLS: usize = 16;
const TICK_MASK: u32 = (1 << 18) - 1;
const STEP_MASK: u32 = (1 << 14) - 1;

/// Registers of the throttle; CCTI_LIMIT and CCTI_MIN as the rules use them.
#[derive(Clone, Debug)]
pub(super) struct Regs {
    pub enable: bool,
    pub sl_mode: bool,
    timer_per_sl: bool,
    restart: bool,
    pub cct_abs: bool,
    increase: u32,
    limit: u32,
    min: u32,
    timer: u32,
    tick_cycles: u64,
    pub link_interval: u32,
}

/// Congestion state of a flow or SL.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Entity {
    ccti: u32,
    run: bool,
    t0: u32,
    seen: u32,
    esl: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct SlTimer {
    run: bool,
    t0: u32,
    steps: u32,
    act: bool,
}

/// An operation of the pipeline.
#[derive(Clone, Copy, Debug)]
struct Op {
    becn: bool,
    flow: usize,
    /// From U1 on; None: it does nothing.
    entity: Option<usize>,
    /// It saw sl_mode.
    by_sl: bool,
}

/// CCTIs and what changes them.
pub(super) struct Update {
    pub regs: Regs,
    cct: Vec<u16>,
    sl: Vec<u8>,
    /// In cycle `tick_at`: the counters.
    tick_at: u64,
    tick: u32,
    count: u64,
    sweep: usize,
    u1: Option<Op>,
    u2: Option<Op>,
    becn: Option<usize>,
    ent: Vec<Entity>,
    /// Sweep operations until all periods are counted anew.
    resync: u64,
    sl_timers: [SlTimer; SLS],
    sl_live: bool,
    /// Entities that are off the minimum or have a timer.
    active: Vec<usize>,
    /// The cycle in which the sweep changes an entity next, if no BECN comes before (timer_per_sl = 0).
    expiry: u64,
}

impl Update {
    /// After the configuration phase: `setup` is (sweep, start) in cycles after reset.
    pub fn new(p: &Params, writes: &[Write], (sweep, start): (u64, u64)) -> Update {
        let regs = Regs {
            enable: false,
            sl_mode: false,
            timer_per_sl: false,
            restart: false,
            cct_abs: false,
            increase: 1,
            limit: p.cct as u32 - 1,
            min: 0,
            timer: 150,
            tick_cycles: 80,
            link_interval: 1,
        };
        let ready = RESET + p.init_cycles(UnitKind::HcaThrottle) as u64;
        let mut u = Update {
            regs,
            cct: vec![0; p.cct],
            sl: vec![0; p.flows],
            tick_at: ready,
            tick: 0,
            count: 0,
            sweep: 0,
            u1: None,
            u2: None,
            becn: None,
            ent: vec![Entity::default(); p.entities()],
            resync: 0,
            sl_timers: [SlTimer::default(); SLS],
            sl_live: false,
            active: Vec::new(),
            expiry: NEVER,
        };
        let (sweep, start) = (RESET + sweep, RESET + start);
        u.skip(sweep - ready);
        let (mut limit, mut min) = (u.regs.limit, 0);
        for t in sweep..start {
            let write = writes.get((t - sweep) as usize);
            let name = |n| addr(UnitKind::HcaThrottle, n);
            let retime = matches!(write, Some(&Write::Register { unit: 2, addr, .. })
                if ["CTRL", "CCTI_TIMER", "TICK_CYCLES"].map(name).contains(&addr));
            u.step(t, retime);
            match write {
                Some(&Write::Register { unit: 2, addr, data, .. }) => {
                    let r = &mut u.regs;
                    if addr == name("CTRL") {
                        r.enable = data & 1 != 0;
                        r.sl_mode = data & 2 != 0 && !p.vl_by_dest;
                        r.timer_per_sl = data & 4 != 0;
                        r.restart = data & 8 != 0;
                        r.cct_abs = data & 16 != 0;
                    } else if addr == name("CCTI_INCREASE") {
                        r.increase = data & 0xff;
                    } else if addr == name("CCTI_LIMIT") {
                        limit = data & 0x3fff;
                    } else if addr == name("CCTI_MIN") {
                        min = data & 0xff;
                    } else if addr == name("CCTI_TIMER") {
                        r.timer = data & 0xffff;
                    } else if addr == name("TICK_CYCLES") {
                        u.set_tick_cycles(t + 1, u64::from((data & 0xffff).max(1)));
                    } else if addr == name("LINK_INTERVAL") {
                        r.link_interval = (data & 15).max(1);
                    }
                    u.regs.limit = limit.min(p.cct as u32 - 1);
                    u.regs.min = min.min(u.regs.limit);
                }
                Some(&Write::Cct { addr, data }) => {
                    if let Some(e) = u.cct.get_mut(usize::from(addr)) {
                        *e = data;
                    }
                }
                Some(&Write::Attr { flow, sl }) => {
                    if let Some(s) = u.sl.get_mut(usize::from(flow)) {
                        *s = sl;
                    }
                }
                _ => {}
            }
        }
        let min = u.regs.min;
        u.active = (0..u.ent.len()).filter(|&e| u.has(e)).filter(|&e| u.ent[e].lives(min)).collect();
        u.expiry = u.next_expiry(start);
        u
    }

    /// The period of the tick counter from cycle `t` on.
    fn set_tick_cycles(&mut self, t: u64, cycles: u64) {
        let count = self.count + (t - self.tick_at);
        self.tick = (self.tick + (count / self.regs.tick_cycles) as u32) & TICK_MASK;
        // A count that is too high returns to 0 in the next cycle.
        self.count = (count % self.regs.tick_cycles).min(cycles - 1);
        (self.tick_at, self.regs.tick_cycles) = (t, cycles);
    }

    fn tick(&self, t: u64) -> u32 {
        self.tick.wrapping_add(((self.count + (t - self.tick_at)) / self.regs.tick_cycles) as u32) & TICK_MASK
    }

    /// SL of each flow.
    pub fn sls(&self) -> &[u8] {
        &self.sl
    }

    /// Entities that flows can have.
    pub fn range(&self) -> usize {
        if self.regs.sl_mode { SLS } else { self.sl.len() }
    }

    fn has(&self, entity: usize) -> bool {
        entity < self.range()
    }

    /// A BECN for a flow at the throttle's pins in the cycle of the next step.
    pub fn becn(&mut self, flow: usize) {
        self.becn = Some(flow);
    }

    fn becn_under_way(&self) -> bool {
        self.becn.is_some() || [self.u1, self.u2].into_iter().flatten().any(|op| op.becn)
    }

    /// The next cycle, from `now` on, in which an entity or a timer may change.
    pub fn next(&self, now: u64) -> u64 {
        if self.becn_under_way() {
            now
        } else if !self.regs.enable || self.active.is_empty() && !self.sl_live {
            NEVER
        } else if self.regs.timer_per_sl || self.resync > 0 {
            now
        } else {
            self.expiry.max(now)
        }
    }

    /// Cycles without a BECN in which no entity and no timer changes.
    pub fn skip(&mut self, gap: u64) {
        // An operation of the sweep started in every cycle: the last two are in the pipeline.
        let last = gap.min(2);
        self.sweep = ((self.sweep as u64 + (gap - last)) % self.ent.len() as u64) as usize;
        for _ in 0..last {
            self.u2 = self.u1.map(|op| self.locate(op));
            self.u1 = Some(self.next_sweep());
        }
        self.resync = self.resync.saturating_sub(gap);
    }

    /// Cycle `t`.
    pub fn step(&mut self, t: u64, retime: bool) {
        let op = self.u2;
        let mut recount = self.resync > 0;
        let mut uses = None;
        let mut new = None;
        if let Some(op) = op.filter(|_| self.regs.enable)
            && let Some(e) = op.entity
        {
            let (entity, sl, used) = self.compute(op, e, t);
            uses = used.then_some((sl, op.becn));
            new = Some((e, entity));
            recount |= op.becn;
        }
        if self.regs.timer_per_sl || retime {
            self.step_sl_timers(op, uses, t, retime);
        }
        if let Some((e, entity)) = new {
            recount |= self.write(e, entity);
        }
        if retime {
            self.resync = self.ent.len() as u64 + 1;
        } else if op.is_some_and(|op| !op.becn) {
            self.resync = self.resync.saturating_sub(1);
        }
        // U1, U0
        self.u2 = self.u1.map(|op| self.locate(op));
        let becn = self.becn.take();
        self.u1 = Some(match becn {
            Some(flow) => Op { becn: true, flow, entity: None, by_sl: false },
            None => self.next_sweep(),
        });
        if recount {
            self.expiry = self.next_expiry(t + 1);
        }
    }

    /// The sweep's operation of a cycle.
    fn next_sweep(&mut self) -> Op {
        let flow = self.sweep;
        self.sweep = if flow + 1 == self.ent.len() { 0 } else { flow + 1 };
        Op { becn: false, flow, entity: None, by_sl: false }
    }

    /// U1.
    fn locate(&self, op: Op) -> Op {
        let by_sl = self.regs.sl_mode;
        let e = if by_sl && op.becn { usize::from(self.sl[op.flow]) } else { op.flow };
        Op { by_sl, entity: self.has(e).then_some(e), ..op }
    }

    /// "step(x, n)".
    fn lower(&self, ccti: u32, n: u32) -> u32 {
        lowered(ccti, n, self.regs.min)
    }

    /// U2: the entity's new value, its SL, and whether it uses that SL's timer.
    fn compute(&self, op: Op, e: usize, t: u64) -> (Entity, usize, bool) {
        let r = &self.regs;
        let sl = if op.by_sl { e } else { usize::from(self.sl[op.flow]) };
        let mut e = self.ent[e];
        let raised = |ccti: u32| raised(ccti, r.increase, r.limit);
        if r.timer_per_sl {
            e.ccti = self.caught_up(&e);
            (e.seen, e.esl) = (self.sl_timers[sl].steps, sl);
            if op.becn {
                e.ccti = raised(e.ccti);
            }
            return (e, sl, op.becn || e.ccti != r.min);
        }
        let tick = self.tick(t);
        if e.run && self.resync > 0 {
            e.t0 = tick;
        } else if e.run && r.timer > 0 {
            let n = periods_over(tick.wrapping_sub(e.t0) & TICK_MASK, r.timer);
            if n > 0 {
                e.ccti = self.lower(e.ccti, n);
                e.t0 = e.t0.wrapping_add(n * r.timer) & TICK_MASK;
                e.run = e.ccti != r.min;
            }
        }
        if op.becn {
            e.ccti = raised(e.ccti);
            if !e.run || r.restart {
                (e.run, e.t0) = (true, tick);
            }
        } else if !e.run && e.ccti != r.min {
            (e.run, e.t0) = (true, tick);
        }
        (e, sl, false)
    }

    /// The CCTI after catch-up (timer_per_sl = 1).
    fn caught_up(&self, e: &Entity) -> u32 {
        let due = self.sl_timers[e.esl].steps.wrapping_sub(e.seen) & STEP_MASK;
        if due > 0 && self.resync == 0 { self.lower(e.ccti, due) } else { e.ccti }
    }

    fn step_sl_timers(&mut self, op: Option<Op>, uses: Option<(usize, bool)>, t: u64, retime: bool) {
        let r = &self.regs;
        let tick = self.tick(t);
        let on = r.enable && r.timer_per_sl;
        let end = on && op.is_some_and(|op| !op.becn && op.flow + 1 == self.ent.len());
        for (sl, timer) in self.sl_timers.iter_mut().enumerate() {
            let becn = uses.filter(|u| u.0 == sl).map(|u| u.1);
            if on && timer.run && r.timer > 0 && !retime && tick.wrapping_sub(timer.t0) & TICK_MASK >= r.timer
            {
                timer.steps = (timer.steps + 1) & STEP_MASK;
                timer.t0 = timer.t0.wrapping_add(r.timer) & TICK_MASK;
            }
            if let Some(becn) = becn
                && (!timer.run || becn && r.restart)
            {
                (timer.run, timer.t0) = (true, tick);
            }
            if end {
                timer.run &= timer.act || becn.is_some();
                timer.act = becn.is_some();
            } else {
                timer.act |= becn.is_some();
            }
            if retime {
                timer.t0 = tick;
            }
        }
        self.sl_live = self.sl_timers.iter().any(|timer| timer.run);
    }

    /// Writes an entity; whether that changes it.
    fn write(&mut self, e: usize, new: Entity) -> bool {
        let old = std::mem::replace(&mut self.ent[e], new);
        if old == new {
            return false;
        }
        let (was, is) = (old.lives(self.regs.min), new.lives(self.regs.min));
        if is && !was {
            self.active.push(e);
        } else if was && !is {
            self.active.retain(|a| *a != e);
        }
        true
    }

    /// [`Update::expiry`] with all operations in the pipeline in cycle `now` the sweep's.
    fn next_expiry(&self, now: u64) -> u64 {
        let (period, cycles) = (self.regs.timer, self.regs.tick_cycles);
        let n = self.ent.len();
        let count = self.count + (now - self.tick_at);
        let of = |&e: &usize| {
            let due = match self.ent[e] {
                Entity { run: false, .. } => now,
                _ if period == 0 => return NEVER,
                Entity { t0, .. } => {
                    match period.saturating_sub(self.tick(now).wrapping_sub(t0) & TICK_MASK) {
                        0 => now,
                        ticks => now + (count / cycles + u64::from(ticks)) * cycles - count,
                    }
                }
            };
            // U0 of this cycle takes entity `sweep`; the two before it are in the pipeline.
            let visit = now + ((e + n - self.sweep + 2) % n) as u64;
            visit + due.saturating_sub(visit).div_ceil(n as u64) * n as u64
        };
        self.active.iter().map(of).min().unwrap_or(NEVER)
    }

    /// An entity as the RAM shows it.
    pub fn entity(&self, e: usize) -> Entity {
        self.ent[e]
    }

    /// Entities whose CCTI is not at its minimum, and their CCTIs.
    pub fn throttles(&self) -> Throttled {
        let mut all = Throttled::default();
        if self.regs.enable {
            let above = self.ent.iter().map(|e| self.ccti(e)).filter(|c| *c != self.regs.min);
            above.for_each(|ccti| all.add(&Throttled { flows: 1, ccti_sum: ccti.into(), ccti_max: ccti }));
        }
        all
    }

    fn ccti(&self, e: &Entity) -> u32 {
        if self.regs.timer_per_sl { self.caught_up(e) } else { e.ccti }
    }

    /// The table entry of an entity.
    pub fn entry(&self, e: &Entity) -> u32 {
        u32::from(self.cct[self.ccti(e).min(self.regs.limit) as usize])
    }
}

impl Entity {
    fn lives(&self, min: u32) -> bool {
        self.run || self.ccti != min
    }
}
