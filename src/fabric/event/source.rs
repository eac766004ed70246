//! The sending half of an adapter: generation queues, throttle and injector (`docs/hca.md`, sections 1 and 2;
//! `docs/hca-throttle.md`), exact in everything that can be seen from outside, without work in cycles in which nothing can
//! change.
//!
//! # How
//!
//! Registers keep the value that the configuration phase leaves, and no SL is written, so every flow has SL 0. What runs
//! freely is a function of time: ticks, the sweep pointer (it stands still in a cycle with a BECN), the visit pointer while
//! the same flows are wanted. So the source knows in advance
//! * when the sweep finds a flow's timer run out, or an SL's timer expires;
//! * when a visit may find a flow eligible, at the earliest;
//! * when an offer is taken: injection never waits for credits, as an offer needs room for the longest packet.
//!
//! In between it skips; [`Source::advance`] goes cycle by cycle only where that is not so.
//!
//! Time stamps do not wrap here. In hardware ageing sees to that; it loses its turn to accepted packets, so an entity could
//! be met by one in every round for 2^(TS_W-1) cycles, which is not modelled.

use crate::fabric::net::Rate;
use crate::fabric::scheme::Write;
use crate::params::{Params, UnitKind};
use crate::registers::addr;

/// Never.
const NEVER: u64 = u64::MAX;
/// Service levels.
const SLS: usize = 16;
/// Bits of a PSN; a descriptor has the length above it.
const PSN_BITS: u32 = 24;

/// A packet that the injector took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    pub flow: usize,
    pub len: u32,
    pub psn: u32,
    pub sl: u8,
    pub vl: usize,
    /// Cycles in which its first and last flit enter the input port.
    pub first: u64,
    pub last: u64,
}

/// What a cycle brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub accepted: Option<Accepted>,
    /// The next step must not be later than this.
    pub next: u64,
}

/// What can be seen of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceState {
    pub gen_pkts: u32,
    pub sending: bool,
    pub inj_txr: Vec<u64>,
}

/// The registers and tables of the throttle.
#[derive(Clone, Debug)]
struct Regs {
    enable: bool,
    sl_mode: bool,
    timer_per_sl: bool,
    restart: bool,
    cct_abs: bool,
    increase: u32,
    limit: u32,
    min: u32,
    timer: u64,
    link_interval: u32,
    ird_max: u64,
    cct: Vec<u16>,
}

impl Regs {
    /// H6
    fn ird(&self, ccti: u32, len: u32) -> u64 {
        let entry = u64::from(self.cct[ccti.min(self.limit) as usize]);
        let time = u64::from(len * self.link_interval);
        let ird = if self.cct_abs { entry } else { (time >> (entry >> 14)) * (entry & 0x3fff) };
        ird.min(self.ird_max)
    }
}

/// The tick counter: tick `k` begins in cycle `origin + k * cycles`; both may be negative in between.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    origin: i64,
    cycles: i64,
}

impl Ticks {
    /// `tick` in S(t).
    fn at(&self, t: u64) -> i64 {
        (t as i64 - self.origin).div_euclid(self.cycles)
    }

    /// The first cycle with this tick.
    fn begins(&self, tick: i64) -> u64 {
        (self.origin + tick * self.cycles).max(0) as u64
    }
}

/// A running timer of an entity (H4).
#[derive(Clone, Copy, Debug)]
struct Timer {
    entity: u32,
    /// Tick of its start.
    t0: i64,
}

/// The timer of an SL (H4).
#[derive(Clone, Copy, Debug, Default)]
struct SlTimer {
    run: bool,
    t0: i64,
    steps: u32,
    act: bool,
}

/// A visit behind V1: what it read.
#[derive(Clone, Copy, Debug)]
struct Looked {
    flow: u32,
    ccti: u32,
    seen: u32,
    /// Last injection and its length; length 0: never.
    at: u64,
    len: u32,
}

/// A visit behind V2.
#[derive(Clone, Copy, Debug)]
struct Delayed {
    flow: u32,
    /// It is eligible in and after this cycle, as far as its delay goes.
    from: u64,
}

/// The packet in the injector.
#[derive(Clone, Copy, Debug)]
struct Sending {
    flow: u32,
    psn: u32,
    /// First cycle of SEND, and the cycle in which the last flit leaves.
    from: u64,
    last: u64,
}

/// The sending half of an adapter.
pub(super) struct Source {
    // Parameters and registers.
    flows: usize,
    entities: u64,
    advoq: usize,
    mtu: u64,
    vls: usize,
    vl_by_dest: bool,
    lid_base: usize,
    inject: Rate,
    regs: Regs,
    ticks: Ticks,
    /// The cycle that comes next.
    now: u64,
    // Generation queues: a ring of descriptors per flow.
    ring: Vec<u32>,
    head: Vec<u16>,
    count: Vec<u16>,
    packets: u32,
    stop: Vec<u64>,
    // Flows wanted, a bit each, and how many.
    want: Vec<u64>,
    wanted: usize,
    // Credits: blocks injected, lanes without room for the longest packet.
    txr: Vec<u64>,
    room: Vec<u64>,
    cramped: Vec<u32>,
    // Update pipeline: sweep pointer of the next cycle; BECNs one and two stages behind.
    sweep: u64,
    u1: Option<(u32, u8)>,
    u2: Option<(u32, u8)>,
    ccti: Vec<u16>,
    timers: Vec<Timer>,
    /// No timer of an entity is seen to expire before this cycle.
    due: u64,
    /// With a timer per SL: steps taken, entities that have been above CCTI_Min, timers.
    seen: Vec<u32>,
    warm: Vec<u32>,
    sl_timers: Vec<SlTimer>,
    // Visits.
    pointer: usize,
    v1: Option<u32>,
    v2: Option<Looked>,
    v3: Option<Delayed>,
    /// No visit finds an eligible flow before this cycle, if nothing changes.
    idle_until: u64,
    /// When it is worth while to work that out again.
    look_again: u64,
    /// The flow on offer, and the first cycle of it.
    offer: Option<(u32, u64)>,
    lti: Vec<u64>,
    lti_len: Vec<u8>,
    sending: Option<Sending>,
    before: Option<Sending>,
    // Inputs of the cycle to come.
    posted: Option<(u32, u32)>,
    becn: Option<(u32, u8)>,
    stops: Vec<(u32, bool)>,
    /// What the last step changed, for the state before it: packets posted and the packet taken.
    last_step: (bool, Option<(usize, u32)>),
}

fn bit(words: &[u64], i: usize) -> bool {
    words[i / 64] >> (i % 64) & 1 != 0
}

fn set(words: &mut [u64], i: usize, on: bool) {
    let mask = 1 << (i % 64);
    if on {
        words[i / 64] |= mask;
    } else {
        words[i / 64] &= !mask;
    }
}

impl Source {
    /// After the configuration phase: `writes` go in one a cycle from cycle `setup.0` after reset on, and traffic time 0 is
    /// cycle `setup.1` after reset.
    pub fn new(p: &Params, writes: &[Write], setup: (u64, u64), inject: Rate) -> Source {
        let (first_write, start) = setup;
        let written = |unit: u8, kind: UnitKind, name: &str, reset: u32| {
            let at = addr(kind, name);
            let mut value = reset;
            for w in writes {
                if let Write::Register { unit: u, addr, data, .. } = *w
                    && u == unit
                    && addr == at
                {
                    value = data;
                }
            }
            value
        };
        let thr = |name: &str, reset: u32| written(2, UnitKind::HcaThrottle, name, reset);
        let ctrl = thr("CTRL", 0);
        let mut cct = vec![0; p.cct];
        for w in writes {
            if let Write::Cct { addr, data } = *w
                && let Some(entry) = cct.get_mut(usize::from(addr))
            {
                *entry = data;
            }
        }
        let entities = p.entities() as u64;
        let regs = Regs {
            enable: ctrl & 1 != 0,
            sl_mode: ctrl & 2 != 0,
            timer_per_sl: ctrl & 4 != 0,
            restart: ctrl & 8 != 0,
            cct_abs: ctrl & 16 != 0,
            increase: thr("CCTI_INCREASE", 1) & 0xff,
            limit: (thr("CCTI_LIMIT", p.cct as u32 - 1) & 0x3fff).min(p.cct as u32 - 1),
            min: thr("CCTI_MIN", 0) & 0xff,
            timer: u64::from(thr("CCTI_TIMER", 150) & 0xffff),
            link_interval: (thr("LINK_INTERVAL", 1) & 0xf).max(1),
            ird_max: 1 << (p.ts_w - 2),
            cct,
        };
        let per_sl = regs.timer_per_sl;
        let ready = p.init_cycles(UnitKind::HcaThrottle) as u64;
        Source {
            flows: p.flows,
            entities,
            advoq: p.advoq,
            mtu: p.mtu as u64,
            vls: p.vls,
            vl_by_dest: p.vl_by_dest,
            lid_base: (written(3, UnitKind::Hca, "LID_BASE", 1) & 0xffff) as usize,
            inject,
            regs,
            ticks: configured_ticks(writes, first_write, ready, start),
            now: 0,
            ring: vec![0; p.flows * p.advoq],
            head: vec![0; p.flows],
            count: vec![0; p.flows],
            packets: 0,
            stop: vec![0; p.flows.div_ceil(64)],
            want: vec![0; p.flows.div_ceil(64)],
            wanted: 0,
            txr: vec![0; p.vls],
            room: vec![0; p.vls.div_ceil(64)],
            cramped: (0..p.vls as u32).collect(),
            sweep: (start - ready) % entities,
            u1: None,
            u2: None,
            ccti: vec![0; entities as usize],
            timers: Vec::new(),
            due: NEVER,
            seen: if per_sl { vec![0; entities as usize] } else { Vec::new() },
            warm: Vec::new(),
            sl_timers: if per_sl { vec![SlTimer::default(); SLS] } else { Vec::new() },
            pointer: 0,
            v1: None,
            v2: None,
            v3: None,
            idle_until: 0,
            look_again: 0,
            offer: None,
            lti: vec![0; entities as usize],
            lti_len: vec![0; entities as usize],
            sending: None,
            before: None,
            posted: None,
            becn: None,
            stops: Vec::new(),
            last_step: (false, None),
        }
    }

    /// Whether the generation queue of `flow` is full, behind the last step: in S(t + 1) if that was of cycle t.
    pub fn full(&self, flow: usize) -> bool {
        usize::from(self.count[flow]) == self.advoq
    }

    /// `gen_valid` in cycle `t`, the cycle of the next step; one a cycle. Ignored if the queue is full.
    pub fn post(&mut self, t: u64, flow: usize, len: u32, psn: u32) {
        debug_assert!(t >= self.now && self.posted.is_none() && len >= 1 && u64::from(len) <= self.mtu);
        if !self.full(flow) {
            self.posted = Some((flow as u32, len << PSN_BITS | psn & ((1 << PSN_BITS) - 1)));
        }
    }

    /// The throttle's `becn_valid` in cycle `t`, the cycle of the next step.
    pub fn becn(&mut self, t: u64, flow: usize, sl: u8) {
        debug_assert!(t >= self.now && self.becn.is_none() && flow < self.flows);
        self.becn = Some((flow as u32, sl & 15));
    }

    /// The stop register of `flow` from the cycle of the next step on.
    pub fn set_stop(&mut self, flow: usize, on: bool) {
        self.stops.push((flow as u32, on));
    }

    /// Cycle `t`. `fccl` tells the injector's FCCL of a lane in S(t), not reduced modulo 4096.
    pub fn step(&mut self, t: u64, fccl: &mut dyn FnMut(usize) -> u64) -> Step {
        debug_assert!(t >= self.now, "step {t} after {}", self.now);
        self.advance(t);
        // What is new in S(t).
        for (flow, on) in std::mem::take(&mut self.stops) {
            set(&mut self.stop, flow as usize, on);
            self.rate_want(flow as usize);
        }
        self.look_for_room(fccl);
        let becn = self.becn.take();
        let accepted = self.cycle(becn, true);
        let posted = self.posted.take();
        if let Some((flow, descriptor)) = posted {
            let f = flow as usize;
            let at = (usize::from(self.head[f]) + usize::from(self.count[f])) % self.advoq;
            self.ring[f * self.advoq + at] = descriptor;
            self.count[f] += 1;
            self.packets += 1;
            self.rate_want(f);
        }
        if let Some(a) = &accepted {
            // The queue may have become empty, the lane cramped.
            if self.txr[a.vl] + self.mtu > fccl(a.vl) {
                self.set_room(a.vl, false);
                self.cramped.push(a.vl as u32);
            }
            self.rate_want(a.flow);
        }
        self.last_step = (posted.is_some(), accepted.map(|a| (a.vl, a.len)));
        Step { accepted, next: self.next() }
    }

    /// After a step: lanes that have packets and no room, and the FCCL that makes room.
    pub fn blocked(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.cramped.iter().map(|&v| v as usize).filter_map(|v| {
            let waits = if self.vl_by_dest {
                self.flows_of(v).any(|f| self.count[f] > 0 && !bit(&self.stop, f))
            } else {
                v == 0 && self.wanted > 0
            };
            waits.then(|| (v, self.txr[v] + self.mtu))
        })
    }

    /// What `dma_*` shows in cycle `t`, which is not before the last step: flow, PSN, index of the flit.
    pub fn dma(&self, t: u64) -> Option<(usize, u32, u32)> {
        let shows = |s: &&Sending| s.from <= t && t <= s.last;
        let s = self.sending.as_ref().filter(shows).or_else(|| self.before.as_ref().filter(shows))?;
        let index = self.inject.flits_before(t) - self.inject.flits_before(s.from);
        Some((s.flow as usize, s.psn, index as u32))
    }

    /// S(t); `t` is not before the last step.
    pub fn state(&self, t: u64) -> SourceState {
        let mut state =
            SourceState { gen_pkts: self.packets, sending: self.dma(t).is_some(), inj_txr: self.txr.clone() };
        if t < self.now {
            // Before the edge of the cycle of the last step.
            let (posted, taken) = self.last_step;
            state.gen_pkts -= u32::from(posted);
            if let Some((vl, len)) = taken {
                state.gen_pkts += 1;
                state.inj_txr[vl] -= u64::from(len);
            }
        }
        state
    }

    /// Flows of a lane (VL_BY_DEST).
    fn flows_of(&self, vl: usize) -> impl Iterator<Item = usize> + use<> {
        let first = (vl + self.vls - self.lid_base % self.vls) % self.vls;
        (first..self.flows).step_by(self.vls)
    }

    fn lane(&self, flow: usize) -> usize {
        if self.vl_by_dest { (self.lid_base + flow) % self.vls } else { 0 }
    }

    fn entity(&self, flow: u32) -> usize {
        if self.regs.sl_mode { 0 } else { flow as usize }
    }

    /// sl_ok of SL 0.
    fn sl_ok(&self) -> bool {
        self.vl_by_dest || bit(&self.room, 0)
    }

    fn wants(&self, flow: u32) -> bool {
        bit(&self.want, flow as usize)
    }

    /// Works out `want` of a flow again.
    fn rate_want(&mut self, flow: usize) {
        let want = self.count[flow] > 0
            && !bit(&self.stop, flow)
            && (!self.vl_by_dest || bit(&self.room, self.lane(flow)));
        if want != bit(&self.want, flow) {
            set(&mut self.want, flow, want);
            self.wanted = if want { self.wanted + 1 } else { self.wanted - 1 };
            self.changed();
        }
    }

    fn set_room(&mut self, vl: usize, room: bool) {
        set(&mut self.room, vl, room);
        self.changed();
        if self.vl_by_dest {
            for flow in self.flows_of(vl) {
                self.rate_want(flow);
            }
        }
    }

    /// Lanes that got room.
    fn look_for_room(&mut self, fccl: &mut dyn FnMut(usize) -> u64) {
        let mut i = 0;
        while i < self.cramped.len() {
            let vl = self.cramped[i] as usize;
            if fccl(vl) >= self.txr[vl] + self.mtu {
                self.cramped.swap_remove(i);
                self.set_room(vl, true);
            } else {
                i += 1;
            }
        }
    }

    /// What was worked out about visits to come does not hold any more.
    fn changed(&mut self) {
        self.idle_until = 0;
        self.look_again = 0;
    }

    /// Goes on to cycle `to`; in the cycles before it no input changes and no packet is taken.
    fn advance(&mut self, to: u64) {
        while self.now < to {
            let quiet = self.quiet_until().min(to);
            if quiet > self.now + 3 {
                self.skip(quiet - self.now);
            } else {
                let taken = self.cycle(None, false);
                debug_assert!(taken.is_none());
            }
        }
    }

    /// Before this cycle nothing happens but what runs freely.
    fn quiet_until(&mut self) -> u64 {
        if self.u1.is_some() || self.u2.is_some() {
            return self.now;
        }
        let updates = self.due.min(self.sl_expiry());
        let visits = match self.offer {
            Some((flow, since)) if self.wants(flow) && self.sl_ok() => self.taken_at(since),
            Some(_) => self.now,
            None if self.wanted == 0 => match (self.v1, self.v2, self.v3) {
                (None, None, None) => NEVER,
                _ => self.now,
            },
            None => self.idle(),
        };
        updates.min(visits)
    }

    /// The cycle in which an offer that began in `since` is taken.
    fn taken_at(&self, since: u64) -> u64 {
        (since + 1).max(self.sending.map_or(0, |s| s.last))
    }

    /// When step must be called next.
    fn next(&mut self) -> u64 {
        match self.offer {
            Some((flow, since)) => {
                if self.wants(flow) && self.sl_ok() {
                    self.taken_at(since).max(self.now)
                } else {
                    self.now
                }
            }
            None if self.wanted == 0 => NEVER,
            None if self.u1.is_some() || self.u2.is_some() => self.now,
            None => {
                let idle = self.idle();
                if idle == NEVER {
                    return NEVER;
                }
                if idle > self.now + 3 {
                    return idle.min(self.due).min(self.sl_expiry()).max(self.now);
                }
                // The earliest verdict that may be positive: of the visits under way, or of the next one.
                let good = |from: u64, flow: u32, t: u64| from <= t && self.wants(flow) && self.sl_ok();
                if self.v3.is_some_and(|v| good(v.from, v.flow, self.now)) {
                    self.now
                } else if self.v2.is_some_and(|v| good(self.delayed(&v).from, v.flow, self.now + 1)) {
                    self.now + 1
                } else if self.v1.is_some_and(|flow| good(self.eligible_from(flow), flow, self.now + 2)) {
                    self.now + 2
                } else {
                    (self.now + 3).min(self.due).min(self.sl_expiry()).max(self.now)
                }
            }
        }
    }

    /// With flows wanted: before this cycle no visit finds one eligible, unless an index changes.
    fn idle(&mut self) -> u64 {
        if !self.sl_ok() {
            return NEVER;
        }
        if self.now < self.idle_until || self.now < self.look_again {
            return self.idle_until;
        }
        let mut from = NEVER;
        if let Some(v) = self.v3 {
            from = from.min(v.from);
        }
        if let Some(v) = self.v2 {
            from = from.min(self.delayed(&v).from);
        }
        for w in 0..self.want.len() {
            let mut bits = self.want[w];
            while bits != 0 && from > self.now {
                from = from.min(self.eligible_from((64 * w) as u32 + bits.trailing_zeros()));
                bits &= bits - 1;
            }
        }
        self.idle_until = from;
        if from <= self.now + 4 {
            // There is somebody: it takes a round of visits at most.
            self.idle_until = 0;
            self.look_again = self.now + 4 + self.wanted as u64 / 4;
        }
        self.idle_until
    }

    /// What a visit in V1 of the next cycle would read.
    fn look(&self, flow: u32) -> Looked {
        let e = self.entity(flow);
        Looked {
            flow,
            ccti: u32::from(self.ccti[e]),
            seen: self.seen.get(e).copied().unwrap_or(0),
            at: self.lti[e],
            len: u32::from(self.lti_len[e]),
        }
    }

    /// V2
    fn delayed(&self, v: &Looked) -> Delayed {
        let ccti = self.caught_up(v.ccti, v.seen, 0);
        let ird = if self.regs.enable && v.len > 0 { self.regs.ird(ccti, v.len) } else { 0 };
        Delayed { flow: v.flow, from: if ird == 0 { 0 } else { v.at + ird + 1 } }
    }

    fn eligible_from(&self, flow: u32) -> u64 {
        self.delayed(&self.look(flow)).from
    }

    /// H4: CCTI after the steps of its SL's timer.
    fn caught_up(&self, ccti: u32, seen: u32, sl: usize) -> u32 {
        if self.regs.timer_per_sl && ccti > self.regs.min {
            ccti.saturating_sub(self.sl_timers[sl].steps - seen).max(self.regs.min)
        } else {
            ccti
        }
    }

    /// `n` cycles (more than 3) in which nothing happens but what runs freely.
    fn skip(&mut self, n: u64) {
        self.mark_active(n);
        self.sweep = (self.sweep + n) % self.entities;
        self.now += n;
        if self.offer.is_none() && self.wanted > 0 {
            // Visits went round; the last three are under way.
            let last = [3, 2, 1].map(|k| self.nth_wanted((n - k) % self.wanted as u64));
            self.v3 = Some(self.delayed(&self.look(last[0])));
            self.v2 = Some(self.look(last[1]));
            self.v1 = Some(last[2]);
            self.pointer = (last[2] as usize + 1) % self.flows;
        }
    }

    /// The wanted flow that is picked `n` picks after the next one; fewer than all.
    fn nth_wanted(&self, n: u64) -> u32 {
        let words = self.want.len();
        let (w0, b0) = (self.pointer / 64, self.pointer % 64);
        let mut left = n as u32;
        for i in 0..=words {
            let w = (w0 + i) % words;
            let mut bits = self.want[w];
            if i == 0 {
                bits &= !0 << b0;
            } else if i == words {
                bits &= !(!0 << b0);
            }
            if left < bits.count_ones() {
                for _ in 0..left {
                    bits &= bits - 1;
                }
                return (64 * w) as u32 + bits.trailing_zeros();
            }
            left -= bits.count_ones();
        }
        unreachable!("fewer flows wanted than counted")
    }

    /// One cycle, exactly. `may_take`: an offer may be taken.
    fn cycle(&mut self, becn: Option<(u32, u8)>, may_take: bool) -> Option<Accepted> {
        let t = self.now;
        let taken = self.select(t, may_take);
        self.update(t);
        // Into the pipeline.
        self.u2 = self.u1;
        self.u1 = becn;
        if becn.is_none() {
            self.sweep = (self.sweep + 1) % self.entities;
        }
        self.now = t + 1;
        taken
    }

    /// Section 3 of the throttle, and the injector.
    fn select(&mut self, t: u64, may_take: bool) -> Option<Accepted> {
        if let Some((flow, since)) = self.offer {
            if may_take && t >= self.taken_at(since) {
                self.offer = None;
                self.changed();
                return Some(self.take(t, flow as usize));
            }
            if !self.wants(flow) || !self.sl_ok() {
                self.offer = None;
                self.changed();
            }
            return None;
        }
        if let Some(v) = self.v3
            && v.from <= t
            && self.wants(v.flow)
            && self.sl_ok()
        {
            self.offer = Some((v.flow, t + 1));
            (self.v1, self.v2, self.v3) = (None, None, None);
            self.pointer = (v.flow as usize + 1) % self.flows;
            return None;
        }
        self.v3 = self.v2.map(|v| self.delayed(&v));
        self.v2 = self.v1.map(|flow| self.look(flow));
        self.v1 = (self.wanted > 0).then(|| self.nth_wanted(0));
        if let Some(flow) = self.v1 {
            self.pointer = (flow as usize + 1) % self.flows;
        }
        None
    }

    /// The injector takes the head of a queue.
    fn take(&mut self, t: u64, flow: usize) -> Accepted {
        let descriptor = self.ring[flow * self.advoq + usize::from(self.head[flow])];
        let (len, psn) = (descriptor >> PSN_BITS, descriptor & ((1 << PSN_BITS) - 1));
        self.head[flow] = ((usize::from(self.head[flow]) + 1) % self.advoq) as u16;
        self.count[flow] -= 1;
        self.packets -= 1;
        let vl = self.lane(flow);
        self.txr[vl] += u64::from(len);
        let e = self.entity(flow as u32);
        self.lti[e] = t + u64::from(len * self.regs.link_interval).min(self.regs.ird_max);
        self.lti_len[e] = len as u8;
        let (first, last) = (self.nth_flit(t + 1, 1), self.nth_flit(t + 1, len));
        self.before = self.sending;
        self.sending = Some(Sending { flow: flow as u32, psn, from: t + 1, last });
        Accepted { flow, len, psn, sl: 0, vl, first, last }
    }

    /// The `n`-th cycle from `from` on in which the host may deliver a flit.
    fn nth_flit(&self, from: u64, n: u32) -> u64 {
        let rate = u128::from(self.inject.0);
        if rate == 0 {
            return NEVER;
        }
        let flits = u128::from(self.inject.flits_before(from)) + u128::from(n);
        ((flits << 16).div_ceil(rate) - 1) as u64
    }

    /// Stage U2 of cycle `t`, and the timers.
    fn update(&mut self, t: u64) {
        if !self.regs.enable {
            return;
        }
        let swept = if self.u2.is_none() { self.swept() } else { None };
        if self.regs.timer_per_sl {
            self.update_per_sl(t, swept);
            return;
        }
        if let Some((flow, sl)) = self.u2 {
            let e = if self.regs.sl_mode { usize::from(sl) } else { flow as usize };
            let ccti = (u32::from(self.ccti[e]) + self.regs.increase).min(self.regs.limit);
            self.ccti[e] = ccti as u16;
            let t0 = self.ticks.at(t);
            match self.timers.iter_mut().find(|timer| timer.entity as usize == e) {
                Some(timer) => {
                    if self.regs.restart {
                        timer.t0 = t0;
                    }
                }
                None => self.timers.push(Timer { entity: e as u32, t0 }),
            }
            // The sweep moved on in the last two cycles or stood still; a lower bound will do.
            self.due = self.due.min(t + 1);
            self.changed();
        } else if t >= self.due {
            self.expire(t, swept);
        }
    }

    /// The entity that the sweep has in U2 in the next cycle, if that is not a BECN.
    fn swept(&self) -> Option<u64> {
        let behind = 2 - u64::from(self.u1.is_some());
        Some((self.sweep + self.entities - behind) % self.entities)
    }

    /// Per-flow timers: the one that is met in cycle `t`, if any; then the earliest of all.
    fn expire(&mut self, t: u64, swept: Option<u64>) {
        let period = self.regs.timer as i64;
        if period == 0 {
            self.due = NEVER;
            return;
        }
        let tick = self.ticks.at(t);
        if let Some(i) = self.timers.iter().position(|timer| Some(u64::from(timer.entity)) == swept)
            && tick - self.timers[i].t0 >= period
        {
            let timer = &mut self.timers[i];
            let e = timer.entity as usize;
            let ccti = u32::from(self.ccti[e]).saturating_sub(1).max(self.regs.min);
            self.ccti[e] = ccti as u16;
            if ccti <= self.regs.min {
                self.timers.swap_remove(i);
            } else {
                timer.t0 += period;
            }
            self.changed();
        }
        self.due = self
            .timers
            .iter()
            .map(|timer| self.met(timer.entity, timer.t0 + period, t + 1))
            .min()
            .unwrap_or(NEVER);
    }

    /// The first cycle from `next`, the one after this, on in which the sweep has `entity` in U2 and the tick is at least
    /// `tick`, as long as no BECN comes (each one asks anew).
    fn met(&self, entity: u32, tick: i64, next: u64) -> u64 {
        // In U2 are, from `next` on, the entities sweep - 1, sweep, sweep + 1, ...
        let first = next + (u64::from(entity) + self.entities + 1 - self.sweep) % self.entities;
        let due = self.ticks.begins(tick);
        if due <= first { first } else { first + (due - first).div_ceil(self.entities) * self.entities }
    }

    /// The SL of an entity that the sweep visits; none if it is no entity.
    fn sl_of(&self, entity: u64) -> Option<usize> {
        if self.regs.sl_mode {
            (entity < SLS as u64).then_some(entity as usize)
        } else {
            (entity < self.flows as u64).then_some(0)
        }
    }

    /// The sweep's visit of an entity, with a timer per SL: says whether it keeps the timer going.
    fn visit(&mut self, entity: usize, sl: usize) -> bool {
        let ccti = self.caught_up(u32::from(self.ccti[entity]), self.seen[entity], sl);
        self.ccti[entity] = ccti as u16;
        self.seen[entity] = self.sl_timers[sl].steps;
        ccti > self.regs.min
    }

    /// Timers per SL: U2 of cycle `t`, then the timers.
    fn update_per_sl(&mut self, t: u64, swept: Option<u64>) {
        let mut becn = None;
        let mut kept = None;
        if let Some((flow, sl)) = self.u2 {
            let sl = usize::from(sl);
            let e = if self.regs.sl_mode { sl } else { flow as usize };
            self.visit(e, sl);
            let ccti = (u32::from(self.ccti[e]) + self.regs.increase).min(self.regs.limit);
            self.ccti[e] = ccti as u16;
            if ccti > self.regs.min && !self.warm.contains(&(e as u32)) {
                self.warm.push(e as u32);
            }
            becn = Some(sl);
            self.changed();
        } else if let Some(e) = swept
            && let Some(sl) = self.sl_of(e)
            && self.visit(e as usize, sl)
        {
            kept = Some(sl);
        }
        let (tick, period) = (self.ticks.at(t), self.regs.timer as i64);
        let mut stepped = false;
        for (sl, timer) in self.sl_timers.iter_mut().enumerate() {
            let becn = becn == Some(sl);
            if timer.run && period > 0 && tick - timer.t0 >= period && !(becn && self.regs.restart) {
                if timer.act {
                    timer.steps += 1;
                    timer.t0 += period;
                    timer.act = false;
                    stepped = true;
                } else {
                    timer.run = false;
                }
            }
            if becn {
                if !timer.run || self.regs.restart {
                    timer.run = true;
                    timer.t0 = tick;
                }
                timer.act = true;
            }
            timer.act |= kept == Some(sl);
        }
        if stepped {
            self.changed();
        }
    }

    /// The next cycle in which an SL's timer runs out.
    fn sl_expiry(&self) -> u64 {
        let period = self.regs.timer as i64;
        let running = self.sl_timers.iter().filter(|timer| timer.run && period > 0);
        running.map(|timer| self.ticks.begins(timer.t0 + period)).min().unwrap_or(NEVER)
    }

    /// Timers per SL: what the sweep does in the next `n` cycles, which are quiet.
    fn mark_active(&mut self, n: u64) {
        if !self.regs.timer_per_sl || !self.regs.enable {
            return;
        }
        // In U2 are, from now on, the entities sweep - 2, sweep - 1, ...
        let mut warm = std::mem::take(&mut self.warm);
        warm.retain(|&e| {
            let after = (u64::from(e) + self.entities + 2 - self.sweep) % self.entities;
            let Some(sl) = self.sl_of(u64::from(e)).filter(|_| after < n) else { return true };
            let above = self.visit(e as usize, sl);
            self.sl_timers[sl].act |= above;
            above
        });
        self.warm = warm;
    }
}

/// The tick counter as the configuration phase leaves it; cycles after reset.
fn configured_ticks(writes: &[Write], first_write: u64, ready: u64, start: u64) -> Ticks {
    let at = addr(UnitKind::HcaThrottle, "TICK_CYCLES");
    let (mut cycles, mut count, mut tick) = (80i64, 0i64, 0i64);
    for t in ready..start {
        if count >= cycles - 1 {
            (count, tick) = (0, tick + 1);
        } else {
            count += 1;
        }
        let write = t.checked_sub(first_write).and_then(|k| writes.get(k as usize));
        if let Some(&Write::Register { unit: 2, addr, data, .. }) = write
            && addr == at
        {
            cycles = i64::from(data & 0xffff).max(1);
        }
    }
    Ticks { origin: -count - tick * cycles, cycles }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::model::Unit;
    use crate::model::hca::Hca;
    use crate::params::builds;
    use crate::signals::Layout;

    /// A golden adapter and a source side by side.
    struct Pair {
        p: Params,
        l: Layout,
        golden: Hca,
        input: Vec<u32>,
        out: Vec<u32>,
        state: Vec<u32>,
        source: Source,
        rate: Rate,
        /// FCCL of each lane, unwrapped.
        fccl: Vec<u64>,
        stop: Vec<u32>,
        next: u64,
        need: Vec<(usize, u64)>,
        steps: u64,
    }

    impl Pair {
        fn new(p: Params, writes: &[Write], rate: Rate) -> Pair {
            let l = Layout::new(UnitKind::Hca, &p);
            let mut golden = Hca::new(&p);
            let sweep = p.init_cycles(UnitKind::Hca) as u64 + 3;
            let start = sweep + writes.len() as u64 + 16;
            for t in 0..start {
                let mut input = vec![0; l.in_words];
                let write = t.checked_sub(sweep).and_then(|k| writes.get(k as usize));
                match write {
                    Some(&Write::Register { unit, addr, data, .. }) => {
                        let fields = [
                            ("cfg_we", 1),
                            ("cfg_unit", unit.into()),
                            ("cfg_addr", addr.into()),
                            ("cfg_data", data),
                        ];
                        fields.iter().for_each(|(n, v)| input[l.input(n)] = *v);
                    }
                    Some(&Write::Lft { addr, port }) => {
                        let fields = [("lft_we", 1), ("lft_addr", addr.into()), ("lft_port", port.into())];
                        fields.iter().for_each(|(n, v)| input[l.input(n)] = *v);
                    }
                    Some(&Write::Cct { addr, data }) => {
                        let fields =
                            [("cct_we", 1), ("cct_addr", addr.into()), ("cct_data", u32::from(data))];
                        fields.iter().for_each(|(n, v)| input[l.input(n)] = *v);
                    }
                    None => {}
                }
                golden.step(&input);
            }
            Pair {
                input: vec![0; l.in_words],
                out: vec![0; l.out_words],
                state: vec![0; l.state_words],
                source: Source::new(&p, writes, (sweep, start), rate),
                fccl: vec![0; p.vls],
                stop: vec![0; p.flows.div_ceil(32)],
                next: 0,
                need: Vec::new(),
                steps: 0,
                p,
                l,
                golden,
                rate,
            }
        }

        fn set(&mut self, name: &str, value: u32) {
            self.input[self.l.input(name)] = value;
        }

        /// One cycle: the source is stepped when it has to be, and everything is compared.
        fn cycle(&mut self, t: u64, post: Option<(usize, u32, u32)>) {
            let (fccl, stop, becn) = self.golden.probe();
            for (v, &now) in fccl.iter().enumerate() {
                self.fccl[v] += u64::from(now.wrapping_sub(self.fccl[v] as u32) & 0xfff);
            }
            self.golden.outputs(&[], &mut self.out);
            self.golden.state(&mut self.state);
            let ctx = format!("cycle {t}");
            if let Some((flow, len, psn)) = post {
                for (n, v) in
                    [("gen_valid", 1), ("gen_flow", flow as u32), ("gen_len", len), ("gen_psn", psn)]
                {
                    self.set(n, v);
                }
            }
            self.set("dma_ready", self.rate.allows(t).into());

            // The source.
            let mut must = t >= self.next || post.is_some() || becn.is_some();
            assert!(t <= self.next, "{ctx}");
            for f in 0..self.p.flows {
                let on = stop[f / 32] >> (f % 32) & 1 != 0;
                if on != (self.stop[f / 32] >> (f % 32) & 1 != 0) {
                    self.source.set_stop(f, on);
                    must = true;
                }
                assert_eq!(
                    self.source.full(f),
                    self.out[self.l.output("gen_full") + f / 32] >> (f % 32) & 1 != 0,
                    "{ctx}: gen_full[{f}]"
                );
            }
            self.stop = stop;
            must |= self.need.iter().any(|&(v, need)| self.fccl[v] >= need);
            let mut accepted = None;
            if must {
                self.steps += 1;
                if let Some((flow, len, psn)) = post {
                    self.source.post(t, flow, len, psn);
                }
                if let Some((flow, sl)) = becn {
                    self.source.becn(t, flow, sl as u8);
                }
                let fccl = self.fccl.clone();
                let step = self.source.step(t, &mut |v| fccl[v]);
                self.next = step.next;
                assert!(step.next > t, "{ctx}");
                self.need = self.source.blocked().collect();
                accepted = step.accepted;
            }
            // The golden model's view of the same cycle.
            let o = |name: &str| self.out[self.l.output(name)];
            let dma = (o("dma_valid") != 0).then(|| (o("dma_flow") as usize, o("dma_psn"), o("dma_index")));
            assert_eq!(self.source.dma(t), dma, "{ctx}: dma");
            let s = self.source.state(t);
            let st = |name: &str, i: usize| self.state[self.l.state(name) + i];
            assert_eq!((s.gen_pkts, s.sending), (st("st_gen_pkts", 0), st("st_sending", 0) != 0), "{ctx}");
            for (v, txr) in s.inj_txr.iter().enumerate() {
                assert_eq!((txr & 0xfff) as u32, st("st_inj_txr", v), "{ctx}: st_inj_txr[{v}]");
            }
            self.golden.step(&self.input);
            self.input.fill(0);
            if let Some(a) = accepted {
                self.golden.outputs(&[], &mut self.out);
                assert_eq!(self.out[self.l.output("dma_valid")], 1, "{ctx}: taken");
                assert_eq!(self.out[self.l.output("dma_flow")] as usize, a.flow, "{ctx}");
                assert!(self.rate.allows(a.first) && self.rate.allows(a.last) && a.first > t);
                let n = self.rate.flits_before(a.last + 1) - self.rate.flits_before(t + 1);
                assert_eq!(n, u64::from(a.len), "{ctx}");
            }
        }
    }

    fn registers(writes: &[(u8, UnitKind, &str, u32)]) -> Vec<Write> {
        let one = |&(unit, kind, name, data): &(u8, UnitKind, &str, u32)| Write::Register {
            unit,
            port: 0,
            addr: addr(kind, name),
            data,
        };
        writes.iter().map(one).collect()
    }

    /// Random hosts, BECNs and stops against the golden adapter. Returns steps and cycles.
    fn random(name: &str, ctrl: u32, seed: u64, cycles: u64) -> (u64, u64) {
        use crate::model::header::{Bth, Header};
        use crate::model::link::{Control, Credit, MAX_DLIST, Message};
        let build = builds().into_iter().find(|b| b.unit == UnitKind::Hca && b.name == name).unwrap();
        let mut p = build.params;
        p.ts_w = 24;
        let mut rng = SmallRng::seed_from_u64(seed);
        let timer = rng.random_range(1..40);
        let mut writes = registers(&[
            (0, UnitKind::InputPort, "CTRL", 1),
            (1, UnitKind::OutputPort, "CTRL", 2),
            (0, UnitKind::InputPort, "FC_INTERVAL", rng.random_range(1..5)),
            (2, UnitKind::HcaThrottle, "CTRL", ctrl),
            (2, UnitKind::HcaThrottle, "CCTI_INCREASE", rng.random_range(1..4)),
            (2, UnitKind::HcaThrottle, "CCTI_MIN", [0, 0, 2][rng.random_range(0..3)]),
            (2, UnitKind::HcaThrottle, "CCTI_LIMIT", rng.random_range(4..130)),
            (2, UnitKind::HcaThrottle, "CCTI_TIMER", timer),
            (2, UnitKind::HcaThrottle, "TICK_CYCLES", rng.random_range(5..60)),
            (2, UnitKind::HcaThrottle, "LINK_INTERVAL", rng.random_range(1..3)),
            (3, UnitKind::Hca, "LID", 3),
            (3, UnitKind::Hca, "LID_BASE", rng.random_range(1..4)),
        ]);
        writes.extend((0..p.lft_depth).map(|a| Write::Lft { addr: a as u16, port: 0 }));
        let slope = rng.random_range(1..40);
        let abs = ctrl & 16 != 0;
        writes.extend((0..p.cct as u16).map(|i| {
            let data = if abs { i * slope } else { (i % 4) << 14 | i * (1 + slope / 8) & 0x3fff };
            Write::Cct { addr: i, data }
        }));
        let rate = Rate([1 << 16, 1 << 16, 40_000, 13_107][rng.random_range(0..4)]);
        let mut pair = Pair::new(p, &writes, rate);
        let base = writes.iter().rev().find_map(|w| match *w {
            Write::Register { unit: 3, addr: 2, data, .. } => Some(data),
            _ => None,
        });
        let base = base.unwrap() as u16;
        let words = crate::signals::ctl_bits(&p).div_ceil(32);
        let (mut load, mut becns, mut stops, mut span, mut credit) = (0.0, 0.0, 0.0, 1, 0.0);
        let mut granted = vec![0u32; p.vls];
        for t in 0..cycles {
            if t % 2000 == 0 {
                load = [0.0, 0.02, 0.1, 1.0][rng.random_range(0..4)];
                becns = [0.0, 0.002, 0.02, 0.3][rng.random_range(0..4)];
                stops = [0.0, 0.0, 0.01][rng.random_range(0..3)];
                span = [1, 2, p.flows][rng.random_range(0..3)];
                credit = [0.1, 1.0, 0.01][rng.random_range(0..3)];
            }
            let mut control = Control::default();
            if rng.random_bool(credit) {
                // Whatever was sent is taken away; now and then the receiver is slow.
                let v = rng.random_range(0..p.vls);
                granted[v] = (pair.state_txr(v) + 2 * p.mtu as u32) & 0xfff;
                control.fccl = Some(Credit { vl: v as u32, blocks: granted[v] });
            }
            if rng.random_bool(stops) {
                let mut dlist = [0; MAX_DLIST];
                let dcnt = rng.random_range(1..=p.dlist);
                dlist[..dcnt].iter_mut().for_each(|d| *d = base + rng.random_range(0..span.max(2)) as u16);
                control.message = Some(Message {
                    kind: rng.random_range(0..4),
                    line: rng.random_range(0..p.lines) as u32,
                    stop: rng.random(),
                    dcnt: dcnt as u32,
                    dlist,
                    ..Message::default()
                });
            }
            let at = pair.l.input("rx_ctl");
            control.pack(&mut pair.input[at..at + words]);
            if rng.random_bool(becns) {
                let h = Header {
                    lnh: 2,
                    dlid: 3,
                    pkt_len: 10,
                    slid: base + rng.random_range(0..span) as u16,
                    bth: Some(Bth { opcode: 0x80, becn: true, ..Bth::default() }),
                    ..Header::default()
                };
                for n in ["rx_valid", "rx_first", "rx_last"] {
                    pair.set(n, 1);
                }
                let at = pair.l.input("rx_data");
                h.write(&mut pair.input[at..at + p.flit_bytes / 4]);
            }
            let post = rng.random_bool(load).then(|| {
                let len = if rng.random() { p.mtu as u32 } else { rng.random_range(1..=p.mtu as u32) };
                (rng.random_range(0..span), len, rng.random_range(0..1 << 24))
            });
            pair.cycle(t, post);
        }
        (pair.steps, cycles)
    }

    impl Pair {
        /// Blocks granted by the output port, as of the last cycle.
        fn state_txr(&self, v: usize) -> u32 {
            self.state[self.l.state("st_txr") + v]
        }
    }

    #[test]
    fn every_cycle_is_the_golden_adapters() {
        for name in ["h64", "net8", "tiny"] {
            // enable, sl_mode, timer_per_sl, restart, cct_abs
            for ctrl in
                [0, 1, 1 | 16, 1 | 8, 1 | 8 | 16, 1 | 2 | 16, 1 | 4 | 16, 1 | 4 | 8 | 16, 1 | 2 | 4 | 16]
            {
                let mut steps = 0;
                for seed in 0..4 {
                    steps += random(name, ctrl, seed, 20_000).0;
                }
                eprintln!("{name} {ctrl} {steps}");
            }
        }
    }
}
