//! The sending half of an adapter: generation queues, throttle, injector, up to the rx pins of the adapter's input port
//! (`docs/hca.md` sections 1 and 2, `docs/hca-throttle.md`).
//!
//! Ageing of LTIs is left out: an entity that is aged has been silent for longer than any delay, so it may inject either
//! way.

use std::collections::VecDeque;

use super::credit::NEVER;
use super::host::paced;
use super::setup::RESET;
use crate::fabric::net::Rate;
use crate::fabric::scheme::Write;
use crate::params::{Params, UnitKind};
use crate::registers::addr;

const SLS: usize = 16;
const TICK_MASK: u32 = (1 << 18) - 1;

/// A packet that waits in a generation queue.
#[derive(Clone, Copy, Debug)]
struct Post {
    len: u32,
    psn: u32,
    at: u64,
}

/// A packet that the injector has taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accepted {
    pub flow: usize,
    pub len: u32,
    pub psn: u32,
    pub sl: u8,
    pub vl: usize,
    pub posted: u64,
    /// The host supplies its flits from this cycle on.
    pub from: u64,
    /// Cycle of its first and last flit.
    pub first: u64,
    pub last: u64,
}

/// What a step did.
pub(super) struct Step {
    pub accepted: Option<Accepted>,
    /// The next step, unless an input changes before; [`NEVER`]: none.
    pub next: u64,
}

/// Registers of the throttle.
#[derive(Clone, Debug, Default)]
struct Regs {
    enable: bool,
    sl_mode: bool,
    timer_per_sl: bool,
    restart: bool,
    cct_abs: bool,
    increase: u32,
    limit: u32,
    min: u32,
    timer: u32,
    tick_cycles: u64,
    link_interval: u32,
}

/// Congestion state of a flow or SL.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Entity {
    ccti: u32,
    run: bool,
    t0: u32,
    seen: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct SlTimer {
    run: bool,
    t0: u32,
    steps: u32,
    act: bool,
}

/// An operation of the update pipeline.
#[derive(Clone, Copy, Debug)]
struct Op {
    becn: bool,
    entity: usize,
    sl: usize,
}

/// The last injection of an entity: when its last flit leaves, and its length.
#[derive(Clone, Copy, Debug)]
struct Lti {
    at: u64,
    len: u32,
}

/// A visited flow; the later stages fill in more.
#[derive(Clone, Copy, Debug)]
struct Visit {
    flow: usize,
    ccti: u32,
    seen: u32,
    lti: Option<Lti>,
    entry: u32,
}

/// The sending half of an adapter.
pub(super) struct Source {
    flows: usize,
    entities: usize,
    vls: usize,
    by_dest: bool,
    advoq: usize,
    mtu: u64,
    ird_max: u32,
    rate: Rate,
    /// Internal time of traffic time 0.
    start: u64,
    regs: Regs,
    cct: Vec<u16>,

    queues: Vec<VecDeque<Post>>,
    /// Flows whose queue was not empty in the cycle before the next step, and those posted since.
    filled: Vec<u64>,
    fresh: Vec<usize>,
    posted: u64,
    stopped: Vec<u64>,
    txr: Vec<u64>,
    fccl: Vec<u64>,

    /// The cycle after the last step.
    t: u64,
    pointer: usize,
    v1: Option<Visit>,
    v2: Option<Visit>,
    v3: Option<Visit>,
    /// The flow on offer, and since when.
    offer: Option<(usize, u64)>,
    lti: Vec<Option<Lti>>,
    sending: Option<Accepted>,

    tick0: u64,
    sweep: usize,
    u1: Option<(bool, usize, usize)>,
    u2: Option<Op>,
    becn: Option<(usize, usize)>,
    ent: Vec<Entity>,
    /// Entities above the minimum, or with a timer; those with a timer.
    live: usize,
    timed: Vec<usize>,
    /// The cycle in which the sweep changes an entity next, if no BECN comes before.
    expiry: u64,
    /// The latest cycle in which an entity or an LTI changed.
    changed: u64,
    sl_timers: [SlTimer; SLS],
    sl_live: bool,
}

impl Source {
    /// After the configuration phase: `setup` is (sweep, start) in cycles after reset.
    pub fn new(p: &Params, writes: &[Write], setup: (u64, u64), rate: Rate) -> Source {
        let (sweep, start) = setup;
        let mut regs = Regs {
            increase: 1,
            limit: p.cct as u32 - 1,
            timer: 150,
            tick_cycles: 80,
            link_interval: 1,
            ..Regs::default()
        };
        let mut cct = vec![0; p.cct];
        let ready = p.init_cycles(UnitKind::HcaThrottle) as u64;
        let hca_ready = p.init_cycles(UnitKind::Hca) as u64;
        // The tick counter, through the write of its period.
        let (mut tick, mut count) = (0u64, 0u64);
        let name = |n| addr(UnitKind::HcaThrottle, n);
        for t in ready..start {
            if count + 1 >= regs.tick_cycles {
                (count, tick) = (0, tick + 1);
            } else {
                count += 1;
            }
            let write = t.checked_sub(sweep).and_then(|k| writes.get(k as usize));
            match write {
                Some(&Write::Register { unit: 2, addr, data, .. }) if t >= hca_ready => {
                    if addr == name("CTRL") {
                        regs.enable = data & 1 != 0;
                        regs.sl_mode = data & 2 != 0;
                        regs.timer_per_sl = data & 4 != 0;
                        regs.restart = data & 8 != 0;
                        regs.cct_abs = data & 16 != 0;
                    } else if addr == name("CCTI_INCREASE") {
                        regs.increase = data & 0xff;
                    } else if addr == name("CCTI_LIMIT") {
                        regs.limit = (data & 0x3fff).min(p.cct as u32 - 1);
                    } else if addr == name("CCTI_MIN") {
                        regs.min = data & 0xff;
                    } else if addr == name("CCTI_TIMER") {
                        regs.timer = data & 0xffff;
                    } else if addr == name("TICK_CYCLES") {
                        regs.tick_cycles = u64::from((data & 0xffff).max(1));
                    } else if addr == name("LINK_INTERVAL") {
                        regs.link_interval = (data & 15).max(1);
                    }
                }
                Some(&Write::Cct { addr, data }) => {
                    if let Some(e) = cct.get_mut(addr as usize) {
                        *e = data;
                    }
                }
                _ => {}
            }
        }
        let entities = p.entities();
        let words = p.flows.div_ceil(64);
        Source {
            flows: p.flows,
            entities,
            vls: p.vls,
            by_dest: p.vl_by_dest,
            advoq: p.advoq,
            mtu: p.mtu as u64,
            ird_max: 1 << (p.ts_w - 2),
            rate,
            start: RESET + start,
            tick0: tick * regs.tick_cycles + count,
            regs,
            cct,
            queues: vec![VecDeque::new(); p.flows],
            filled: vec![0; words],
            fresh: Vec::new(),
            posted: 0,
            stopped: vec![0; words],
            txr: vec![0; p.vls],
            fccl: vec![0; p.vls],
            t: RESET + start,
            pointer: 0,
            v1: None,
            v2: None,
            v3: None,
            offer: None,
            lti: vec![None; entities],
            sending: None,
            sweep: ((start - ready) % entities as u64) as usize,
            u1: None,
            u2: None,
            becn: None,
            ent: vec![Entity::default(); entities],
            live: 0,
            timed: Vec::new(),
            expiry: NEVER,
            changed: RESET + start,
            sl_timers: [SlTimer::default(); SLS],
            sl_live: false,
        }
    }

    /// `gen_full`.
    pub fn full(&self, flow: usize) -> bool {
        self.queues[flow].len() >= self.advoq
    }

    /// Posts a packet in cycle `t`; it is seen from the next cycle on.
    pub fn post(&mut self, t: u64, flow: usize, len: u32, psn: u32) {
        self.queues[flow].push_back(Post { len, psn, at: t });
        self.posted += 1;
        if self.queues[flow].len() == 1 {
            self.fresh.push(flow);
        }
    }

    /// A BECN for a flow at the throttle's pins in the cycle of the next step.
    pub fn becn(&mut self, flow: usize, sl: usize) {
        self.becn = Some((flow, sl));
    }

    /// The stop registers from cycle `t` on, which is the next to be stepped: the destinations stopped.
    pub fn set_stops(&mut self, t: u64, dlids: &[u16]) {
        self.catch_up(t);
        self.t = t;
        self.stopped.fill(0);
        for flow in dlids.iter().filter_map(|d| usize::from(*d).checked_sub(1)).filter(|f| *f < self.flows) {
            self.stopped[flow / 64] |= 1 << (flow % 64);
        }
    }

    fn lane(&self, flow: usize) -> usize {
        if self.by_dest { (flow + 1) % self.vls } else { 0 }
    }

    /// Credits allow `n` flits; looks the limit up only if it must.
    fn credit(&mut self, vl: usize, n: u64, fccl: &mut dyn FnMut(usize) -> u64) -> bool {
        let need = self.txr[vl] + n;
        if self.fccl[vl] < need {
            self.fccl[vl] = fccl(vl).max(self.fccl[vl]);
        }
        self.fccl[vl] >= need
    }

    fn bit(set: &[u64], flow: usize) -> bool {
        set[flow / 64] >> (flow % 64) & 1 != 0
    }

    fn wants(&mut self, flow: usize, fccl: &mut dyn FnMut(usize) -> u64) -> bool {
        Self::bit(&self.filled, flow)
            && !Self::bit(&self.stopped, flow)
            && (!self.by_dest || self.credit(self.lane(flow), self.mtu, fccl))
    }

    /// The flow that V0 picks.
    fn pick(&mut self, fccl: &mut dyn FnMut(usize) -> u64) -> Option<usize> {
        if !self.by_dest {
            return self.wanted_from(self.pointer);
        }
        for (from, to) in [(self.pointer, self.flows), (0, self.pointer)] {
            let mut at = from;
            while let Some(flow) = self.wanted_in(at, to) {
                if self.credit(self.lane(flow), self.mtu, fccl) {
                    return Some(flow);
                }
                at = flow + 1;
            }
        }
        None
    }

    /// The flows of `at`'s word, from `at` on, that have a packet and are not stopped.
    fn wanted_word(&self, at: usize) -> u64 {
        self.filled[at / 64] & !self.stopped[at / 64] & u64::MAX << (at % 64)
    }

    /// The first of flows `from` to `to`, without `to`, that has a packet and is not stopped.
    fn wanted_in(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        while at < to {
            let word = self.wanted_word(at);
            if word != 0 {
                let flow = at / 64 * 64 + word.trailing_zeros() as usize;
                return (flow < to).then_some(flow);
            }
            at = (at / 64 + 1) * 64;
        }
        None
    }

    /// The first flow from `pointer` on, and round, that has a packet and is not stopped.
    fn wanted_from(&self, pointer: usize) -> Option<usize> {
        self.wanted_in(pointer, self.flows).or_else(|| self.wanted_in(0, pointer))
    }

    /// The pointer after `picks` picks, fewer than there are flows to pick.
    fn after(&self, picks: u32) -> usize {
        let mut left = picks;
        for (from, to) in [(self.pointer, self.flows), (0, self.pointer)] {
            let mut at = from;
            while left > 0 && at < to {
                let mut word = self.wanted_word(at);
                let next = (at / 64 + 1) * 64;
                if to < next {
                    word &= !(u64::MAX << (to % 64));
                }
                if word.count_ones() < left {
                    left -= word.count_ones();
                    at = next;
                    continue;
                }
                (1..left).for_each(|_| word &= word - 1);
                let flow = at / 64 * 64 + word.trailing_zeros() as usize;
                return if flow + 1 == self.flows { 0 } else { flow + 1 };
            }
        }
        self.pointer
    }

    fn wanted(&self) -> u32 {
        self.filled.iter().zip(&self.stopped).map(|(f, s)| (f & !s).count_ones()).sum()
    }

    fn tick(&self, t: u64) -> u32 {
        ((self.tick0 + (t - self.start)) / self.regs.tick_cycles) as u32 & TICK_MASK
    }

    fn becn_under_way(&self) -> bool {
        self.becn.is_some() || self.u1.is_some_and(|op| op.0) || self.u2.is_some_and(|op| op.becn)
    }

    /// The update pipeline or a timer may change something, now or later.
    fn updating(&self) -> bool {
        self.regs.enable && (self.live > 0 || self.sl_live) || self.becn_under_way()
    }

    /// Cycle `t`. `fccl` is the injector's FCCL of a VL in S(t), not modulo 4096.
    pub fn step(&mut self, t: u64, fccl: &mut dyn FnMut(usize) -> u64) -> Step {
        self.catch_up(t);
        for flow in std::mem::take(&mut self.fresh) {
            // Posted before this cycle; a post of this cycle is seen in the next.
            match self.queues[flow].front() {
                Some(p) if p.at < t => self.filled[flow / 64] |= 1 << (flow % 64),
                Some(_) => self.fresh.push(flow),
                None => {}
            }
        }
        let accepted = self.select(t, fccl);
        self.update(t);
        self.t = t + 1;
        let next = if self.fresh.is_empty() { self.next_update().min(self.next_choice()) } else { t + 1 };
        Step { accepted, next }
    }

    /// The next cycle, from the one after a step on, in which the update pipeline or a timer may change something.
    fn next_update(&self) -> u64 {
        if !self.updating() {
            NEVER
        } else if self.regs.timer_per_sl || self.becn_under_way() {
            self.t
        } else {
            self.expiry.max(self.t)
        }
    }

    /// The next cycle, from the one after a step on, in which something but the pointers moves in the selection.
    fn next_choice(&mut self) -> u64 {
        let in_pipeline = self.v1.is_some() || self.v2.is_some() || self.v3.is_some();
        if let Some((_, since)) = self.offer {
            let free = self.sending.map_or(0, |s| s.last);
            free.max(since + 1).max(self.t)
        } else if self.by_dest {
            let ready = in_pipeline || (0..self.flows).any(|f| self.wants(f, &mut |_| 0));
            if ready { self.t } else { NEVER }
        } else if self.wanted() == 0 {
            if in_pipeline { self.t } else { NEVER }
        } else if self.idles() {
            NEVER
        } else if self.t < self.changed + 3 {
            self.t // the visits in stages V2 and V3 may hold what the RAMs held before
        } else {
            self.next_success()
        }
    }

    /// The cycle of the first visit that succeeds, if nothing changes before.
    fn next_success(&self) -> u64 {
        let round = u64::from(self.wanted());
        let mut best = NEVER;
        for (v, at) in [(self.v3, self.t), (self.v2, self.t + 1), (self.v1, self.t + 2)] {
            if let Some(v) = v
                && Self::bit(&self.filled, v.flow)
                && !Self::bit(&self.stopped, v.flow)
                && self.rested(v.flow) <= at
            {
                return at;
            }
        }
        // The flow that is picked k cycles from now is judged three cycles later, and then once a round.
        let mut pointer = self.pointer;
        for k in 0..round {
            let first = self.t + 3 + k;
            if first >= best {
                break;
            }
            let Some(flow) = self.wanted_from(pointer) else { break };
            pointer = if flow + 1 == self.flows { 0 } else { flow + 1 };
            let rounds = self.rested(flow).saturating_sub(first).div_ceil(round);
            best = best.min(first + rounds * round);
        }
        best
    }

    /// The first cycle in which a flow's delay is over.
    fn rested(&self, flow: usize) -> u64 {
        let entity = self.entity(flow);
        let Entity { ccti, seen, .. } = self.ent[entity];
        let Some(lti) = self.lti[entity].filter(|_| self.regs.enable) else { return 0 };
        match self.ird(lti, self.entry(ccti, seen)) {
            0 => 0,
            ird => lti.at + u64::from(ird) + 1,
        }
    }

    /// [`Source::expiry`], after cycle `t`.
    fn next_expiry(&self, t: u64) -> u64 {
        let (period, now) = (u64::from(self.regs.timer), t + 1);
        if period == 0 {
            return NEVER;
        }
        let count = self.tick0 + (now - self.start);
        let n = self.entities;
        let of = |&e: &usize| {
            let elapsed = u64::from(self.tick(now).wrapping_sub(self.ent[e].t0) & TICK_MASK);
            let due = match period.saturating_sub(elapsed) {
                0 => now,
                ticks => {
                    let cycles = self.regs.tick_cycles;
                    now + (count / cycles + ticks) * cycles - count
                }
            };
            // U0 of the next cycle takes entity `sweep`; two earlier ones are in the pipeline.
            let visit = now + ((e + n - self.sweep % n + 2) % n) as u64;
            visit + due.saturating_sub(visit).div_ceil(n as u64) * n as u64
        };
        self.timed.iter().map(of).min().unwrap_or(NEVER)
    }

    /// The visits go round, but none can succeed before credits come.
    fn idles(&self) -> bool {
        !self.by_dest && self.fccl[0] < self.txr[0] + self.mtu && self.wanted() > 0
    }

    /// Lanes for which a decision waits until FCCL reaches the number.
    pub fn blocked(&self) -> Vec<(usize, u64)> {
        if !self.by_dest {
            let need = self.txr[0] + self.mtu;
            return if self.fccl[0] < need && self.wanted() > 0 { vec![(0, need)] } else { Vec::new() };
        }
        let mut list = Vec::new();
        for flow in 0..self.flows {
            let vl = self.lane(flow);
            let need = self.txr[vl] + self.mtu;
            if Self::bit(&self.filled, flow) && self.fccl[vl] < need {
                list.push((vl, need));
            }
        }
        list
    }

    /// Cycles since the last step in which nothing but the pointers moved.
    fn catch_up(&mut self, t: u64) {
        let gap = t - self.t;
        if gap == 0 {
            return;
        }
        // The sweep started an operation in every cycle: the last two are in the pipeline.
        let last = gap.min(2);
        self.sweep = ((self.sweep as u64 + (gap - last)) % self.entities as u64) as usize;
        for _ in 0..last {
            self.u2 = self.u1.and_then(|op| self.locate(op));
            self.u1 = Some(self.next_sweep());
        }
        let round = u64::from(self.wanted());
        if self.offer.is_some() || self.by_dest || round == 0 {
            return;
        }
        // So did the visits: the last three are in the pipeline.
        let fresh = |s: &mut Source| {
            let flow = s.pick(&mut |_| 0).unwrap_or(0);
            s.pointer = if flow + 1 == s.flows { 0 } else { flow + 1 };
            flow
        };
        let last = gap.min(3);
        self.pointer = self.after(((gap - last) % round) as u32);
        for _ in 0..last {
            let flow = fresh(self);
            (self.v3, self.v2) = (self.look_up(self.v2), self.look(self.v1));
            self.v1 = Some(Visit { flow, ccti: 0, seen: 0, lti: None, entry: 0 });
        }
    }

    fn entity(&self, flow: usize) -> usize {
        if self.regs.sl_mode { 0 } else { flow }
    }

    /// V1: what the RAMs hold of the visited flow.
    fn look(&self, v: Option<Visit>) -> Option<Visit> {
        let mut v = v?;
        let e = self.entity(v.flow);
        (v.ccti, v.seen, v.lti) = (self.ent[e].ccti, self.ent[e].seen, self.lti[e]);
        Some(v)
    }

    /// V2: the delay's table entry.
    fn look_up(&self, v: Option<Visit>) -> Option<Visit> {
        let mut v = v?;
        v.entry = self.entry(v.ccti, v.seen);
        Some(v)
    }

    /// The table entry of a CCTI.
    fn entry(&self, ccti: u32, seen: u32) -> u32 {
        let index = self.caught_up(ccti, seen, 0).min(self.regs.limit);
        u32::from(self.cct[index as usize])
    }

    /// The delay after a packet.
    fn ird(&self, lti: Lti, entry: u32) -> u32 {
        let time = lti.len * self.regs.link_interval;
        let ird = if self.regs.cct_abs { entry } else { (time >> (entry >> 14)) * (entry & 0x3fff) };
        ird.min(self.ird_max)
    }

    fn caught_up(&self, ccti: u32, seen: u32, sl: usize) -> u32 {
        if self.regs.timer_per_sl && ccti > self.regs.min {
            let due = self.sl_timers[sl].steps.wrapping_sub(seen) & 0xff;
            ccti.saturating_sub(due).max(self.regs.min)
        } else {
            ccti
        }
    }

    /// V3: the flow may inject.
    fn eligible(&mut self, v: &Visit, t: u64, fccl: &mut dyn FnMut(usize) -> u64) -> bool {
        if !self.wants(v.flow, fccl) || !self.by_dest && !self.credit(0, self.mtu, fccl) {
            return false;
        }
        if !self.regs.enable {
            return true;
        }
        let Some(lti) = v.lti else { return true };
        let ird = self.ird(lti, v.entry);
        ird == 0 || t > lti.at + u64::from(ird)
    }

    fn select(&mut self, t: u64, fccl: &mut dyn FnMut(usize) -> u64) -> Option<Accepted> {
        if let Some((flow, since)) = self.offer {
            let free = self.sending.is_none_or(|s| t >= s.last);
            let vl = self.lane(flow);
            // The head of the queue was read in the cycle before.
            if t > since
                && free
                && let Some(&post) = self.queues[flow].front()
                && self.credit(vl, u64::from(post.len), fccl)
            {
                return Some(self.accept(t, flow, vl, post));
            }
            let may = self.by_dest || self.credit(0, self.mtu, fccl);
            if !self.wants(flow, fccl) || !may {
                self.offer = None;
            }
            return None;
        }
        if let Some(v) = self.v3
            && self.eligible(&v, t, fccl)
        {
            self.offer = Some((v.flow, t + 1));
            self.pointer = if v.flow + 1 == self.flows { 0 } else { v.flow + 1 };
            (self.v1, self.v2, self.v3) = (None, None, None);
            return None;
        }
        self.v3 = self.look_up(self.v2);
        self.v2 = self.look(self.v1);
        self.v1 = self.pick(fccl).map(|flow| {
            self.pointer = if flow + 1 == self.flows { 0 } else { flow + 1 };
            Visit { flow, ccti: 0, seen: 0, lti: None, entry: 0 }
        });
        None
    }

    fn accept(&mut self, t: u64, flow: usize, vl: usize, post: Post) -> Accepted {
        let queue = &mut self.queues[flow];
        queue.pop_front();
        self.posted -= 1;
        match queue.front() {
            Some(p) if p.at < t => {}
            next => {
                if next.is_some() {
                    self.fresh.push(flow);
                }
                self.filled[flow / 64] &= !(1 << (flow % 64));
            }
        }
        self.txr[vl] += u64::from(post.len);
        let time = (post.len * self.regs.link_interval).min(self.ird_max);
        let e = self.entity(flow);
        self.lti[e] = Some(Lti { at: t + u64::from(time), len: post.len });
        self.changed = t;
        self.offer = None;
        let base = t + 1 - self.start;
        let first = self.start + paced(self.rate, base, 0);
        let last = self.start + paced(self.rate, base, u64::from(post.len) - 1);
        let (len, psn) = (post.len, post.psn);
        let a = Accepted { flow, len, psn, sl: 0, vl, posted: post.at, from: t + 1, first, last };
        self.sending = Some(a);
        a
    }

    /// The update pipeline and the timers of a cycle.
    fn update(&mut self, t: u64) {
        let busy = self.updating();
        let mut timers_change = false;
        let becn = self.becn.take();
        let op = self.u2.take().filter(|_| self.regs.enable);
        if busy {
            let written = op.map(|op| (op, self.compute(op, t)));
            // U1
            self.u2 = self.u1.and_then(|op| self.locate(op));
            self.step_sl_timers(written, t);
            if let Some((op, new)) = written {
                timers_change = self.write(op.entity, new, t);
            }
        } else {
            self.u2 = None;
        }
        // U0
        self.u1 = Some(match becn {
            Some((flow, sl)) => (true, flow, sl),
            None => self.next_sweep(),
        });
        // A BECN holds up the sweep.
        if becn.is_some() || timers_change {
            self.expiry = self.next_expiry(t);
        }
    }

    /// The sweep's operation of a cycle.
    fn next_sweep(&mut self) -> (bool, usize, usize) {
        let flow = self.sweep;
        self.sweep = if flow + 1 == self.entities { 0 } else { flow + 1 };
        (false, flow, if flow < self.flows { 0 } else { flow % SLS })
    }

    /// U1: the entity of an operation.
    fn locate(&self, (becn, flow, sl): (bool, usize, usize)) -> Option<Op> {
        let entity = match (self.regs.sl_mode, becn) {
            (false, _) if flow >= self.flows => return None,
            (false, _) => flow,
            (true, true) => sl,
            (true, false) if flow >= SLS => return None,
            (true, false) => flow,
        };
        let sl = if self.regs.sl_mode && !becn { flow } else { sl };
        Some(Op { becn, entity, sl })
    }

    /// Writes an entity in cycle `t`; whether that changes it.
    fn write(&mut self, entity: usize, new: Entity, t: u64) -> bool {
        let min = self.regs.min;
        let live = |e: &Entity| e.run || e.ccti > min;
        let old = std::mem::replace(&mut self.ent[entity], new);
        if old == new {
            return false;
        }
        self.live = self.live + usize::from(live(&new)) - usize::from(live(&old));
        if new.run && !old.run {
            self.timed.push(entity);
        } else if old.run && !new.run {
            self.timed.retain(|e| *e != entity);
        }
        self.changed = t;
        true
    }

    /// U2.
    fn compute(&self, op: Op, t: u64) -> Entity {
        let r = &self.regs;
        let mut e = self.ent[op.entity];
        e.ccti = self.caught_up(e.ccti, e.seen, op.sl);
        if r.timer_per_sl {
            e.seen = self.sl_timers[op.sl].steps;
        }
        let tick = self.tick(t);
        if op.becn {
            e.ccti = (e.ccti + r.increase).min(r.limit);
            if !r.timer_per_sl && (!e.run || r.restart) {
                (e.run, e.t0) = (true, tick);
            }
        } else if !r.timer_per_sl && e.run && r.timer > 0 && tick.wrapping_sub(e.t0) & TICK_MASK >= r.timer {
            e.ccti = e.ccti.saturating_sub(1).max(r.min);
            if e.ccti <= r.min {
                e.run = false;
            } else {
                e.t0 = (e.t0 + r.timer) & TICK_MASK;
            }
        }
        e
    }

    fn step_sl_timers(&mut self, written: Option<(Op, Entity)>, t: u64) {
        let r = &self.regs;
        if !r.timer_per_sl {
            return;
        }
        let tick = self.tick(t);
        let mut live = false;
        for (sl, timer) in self.sl_timers.iter_mut().enumerate() {
            let here = written.filter(|(op, _)| op.sl == sl);
            let becn = here.is_some_and(|(op, _)| op.becn);
            let acts = here.is_some_and(|(op, e)| !op.becn && e.ccti > r.min);
            let over = tick.wrapping_sub(timer.t0) & TICK_MASK >= r.timer;
            if r.enable && timer.run && r.timer > 0 && over && !(becn && r.restart) {
                if timer.act {
                    timer.steps = (timer.steps + 1) & 0xff;
                    timer.t0 = (timer.t0 + r.timer) & TICK_MASK;
                    timer.act = false;
                } else {
                    timer.run = false;
                }
            }
            if becn {
                if !timer.run || r.restart {
                    (timer.run, timer.t0) = (true, tick);
                }
                timer.act = true;
            }
            timer.act |= acts;
            live |= timer.run;
        }
        self.sl_live = live;
    }

    /// Packets in all generation queues.
    pub fn posted(&self) -> u64 {
        self.posted
    }

    /// Blocks injected.
    pub fn txr(&self, vl: usize) -> u64 {
        self.txr[vl]
    }

    /// The packet being sent in S(t), and the index of its next flit.
    pub fn sending(&self, t: u64) -> Option<(Accepted, u32)> {
        let s = self.sending.filter(|s| t >= s.from && t <= s.last)?;
        let sent = self.rate.flits_before(t - self.start) - self.rate.flits_before(s.from - self.start);
        Some((s, sent as u32))
    }
}
