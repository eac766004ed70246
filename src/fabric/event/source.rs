//! The sending half of an adapter: generation queues, selection, injector, up to the rx pins of the adapter's input port
//! (`docs/hca.md` sections 1 and 2, `docs/hca-throttle.md` sections 3 and 4).
//!
//! The chooser is the throttle, or the source response in its place (section 9).
//!
//! Ageing of LTIs is left out. It clears an LTI only when more than IRDMAX has passed since, and no delay is longer than
//! IRDMAX: the entity passes with the LTI as it does without. Times are not reduced to TS_W bits here, so nothing wraps.

use std::collections::VecDeque;

use super::bits::{self, Bits};
use super::chooser::{Chooser, Read};
use super::credit::NEVER;
use super::lines::OutLines;
use super::offered::Offered;
use super::packet::Lti;
use super::setup::RESET;
use super::update::SLS;
use crate::fabric::net::Rate;
use crate::fabric::setup::Write;
use crate::fabric::windowed::{Throttled, Windowed};
use crate::model::header::Marks;
use crate::params::Params;
use crate::scheme::organisation::{SlToVl, vl_of_sl, vl_of_vl};
use crate::scheme::packet::PacketKind;

/// A packet that waits in a generation queue.
#[derive(Clone, Copy, Debug)]
struct Post {
    len: u16,
    kind: PacketKind,
    psn: u32,
    at: u64,
    born: u64,
}

/// A packet that the injector has taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accepted {
    pub flow: usize,
    pub len: u32,
    pub psn: u32,
    pub sl: u8,
    pub vl: usize,
    pub born: u64,
    pub posted: u64,
    /// The host supplies its flits from this cycle on.
    pub from: u64,
    /// Cycle of its first and last flit.
    pub first: u64,
    pub last: u64,
    pub kind: PacketKind,
}

/// What a step did.
pub(super) struct Step {
    pub accepted: Option<Accepted>,
    /// The next step, unless an input changes before; [`NEVER`]: none.
    pub next: u64,
}

/// A flow picked, its lane and its pointer class.
#[derive(Clone, Copy, Debug)]
struct Pick {
    flow: usize,
    lane: usize,
    class: usize,
}

/// A pick, or a walk to a blocked entity.
#[derive(Clone, Copy, Debug)]
struct Visit {
    entity: usize,
    pick: Option<Pick>,
    /// From V1 on.
    read: Option<Read>,
}

/// Flows of an SL.
struct Class {
    sl: usize,
    flows: Bits,
}

/// The sending half of an adapter.
pub(super) struct Source {
    flows: usize,
    vls: usize,
    sl2vl: SlToVl,
    /// The lane of replies, if they have one.
    control: Option<usize>,
    by_dest: bool,
    advoq: usize,
    /// Packets of flows that wait for no delay; 0: no limit. And CNPs wait in the generation queues, so many of each flow.
    inject: usize,
    queued: bool,
    limited: bool,
    cnps: Vec<usize>,
    /// The places taken of the window, each with its flow; the packet posted last takes one from the cycle after.
    places: Vec<usize>,
    place: Option<(u64, usize)>,
    mtu: u64,
    ird_max: u32,
    rate: Rate,
    /// Internal time of traffic time 0.
    start: u64,
    chooser: Chooser,
    classes: Vec<Class>,

    queues: Vec<VecDeque<Post>>,
    /// Flows whose queue was not empty in the cycle before the next step, and those posted since.
    filled: Bits,
    fresh: Vec<usize>,
    posted: u64,
    /// The stop registers.
    stopped: Bits,
    /// Flows that yield to those of their lane that did not go since.
    went: Bits,
    txr: Vec<u64>,
    fccl: Vec<u64>,

    /// The cycle after the last step.
    t: u64,
    lane_pointer: usize,
    sl_pointers: Vec<usize>,
    flow_pointers: Vec<usize>,
    walker: usize,
    /// Blocked entities, and how many.
    blk: Bits,
    blocked: u32,
    v1: Option<Visit>,
    v2: Option<Visit>,
    v3: Option<Visit>,
    /// The pick on offer, and since when.
    offer: Option<(Pick, u64)>,
    lti: Vec<Option<Lti>>,
    sending: Option<Accepted>,
}

fn after(i: usize, n: usize) -> usize {
    if i + 1 >= n { 0 } else { i + 1 }
}

impl Source {
    /// After the configuration phase: `setup` is (sweep, start) in cycles after reset.
    pub fn new(p: &Params, writes: &[Write], setup: (u64, u64), rate: Rate) -> Source {
        let chooser = Chooser::new(p, writes, setup);
        let classes = (0..SLS)
            .map(|sl| {
                let mut flows = Bits::new(p.flows);
                (0..p.flows).filter(|&f| usize::from(chooser.sls()[f]) == sl).for_each(|f| {
                    flows.set(f, true);
                });
                Class { sl, flows }
            })
            .filter(|c| c.flows != Bits::new(p.flows))
            .collect();
        let start = RESET + setup.1;
        let lanes = if p.vl_by_dest { p.vls } else { p.data_lanes().min(SLS) };
        Source {
            flows: p.flows,
            vls: p.vls,
            sl2vl: SlToVl::modulo(p.data_lanes()),
            control: p.control_lane(),
            by_dest: p.vl_by_dest,
            advoq: p.advoq,
            inject: 0,
            queued: false,
            limited: false,
            cnps: vec![0; p.flows],
            places: Vec::new(),
            place: None,
            mtu: p.mtu as u64,
            ird_max: 1 << (p.ts_w - 2),
            rate,
            start,
            chooser,
            classes,
            queues: vec![VecDeque::new(); p.flows],
            filled: Bits::new(p.flows),
            fresh: Vec::new(),
            posted: 0,
            stopped: Bits::new(p.flows),
            went: Bits::new(p.flows),
            txr: vec![0; p.vls],
            fccl: vec![0; p.vls],
            t: start,
            lane_pointer: 0,
            sl_pointers: vec![0; lanes],
            flow_pointers: vec![0; if p.vl_by_dest { p.vls } else { SLS }],
            walker: 0,
            blk: Bits::new(p.entities()),
            blocked: 0,
            v1: None,
            v2: None,
            v3: None,
            offer: None,
            lti: vec![None; p.entities()],
            sending: None,
        }
    }

    /// Entities whose CCTI is not at its minimum.
    pub fn throttled(&self) -> usize {
        self.chooser.throttled()
    }

    /// What its throttle holds back, if it has one.
    pub fn throttles(&self) -> Option<Throttled> {
        self.chooser.throttles()
    }

    /// The window, and CNPs in the generation queues.
    pub fn limit(&mut self, inject: usize, queued: bool) {
        (self.inject, self.queued) = (inject, queued);
        self.limited = inject > 0 || queued;
    }

    /// `gen_full` in S(t).
    #[inline]
    pub fn full(&self, flow: usize, t: u64) -> bool {
        if self.limited { self.limits(flow, t) } else { self.queues[flow].len() >= self.advoq }
    }

    /// The same with a window, or CNPs in the queues.
    fn limits(&self, flow: usize, t: u64) -> bool {
        let n = self.queues[flow].len();
        let full = if self.queued { n - self.cnps[flow] >= self.advoq / 2 } else { n >= self.advoq };
        full || self.inject > 0 && self.window(t) >= self.inject && !self.waits_for_delay(flow)
    }

    /// Places of the window that are taken in S(t).
    pub fn window(&self, t: u64) -> usize {
        self.places.len() + usize::from(self.place.is_some_and(|(at, _)| at < t))
    }

    /// `blocked` of the throttle.
    fn waits_for_delay(&self, flow: usize) -> bool {
        self.chooser.enabled() && self.blk.get(self.entity(flow))
    }

    /// The packet posted before cycle `t` has its place.
    fn settle_place(&mut self, t: u64) {
        if let Some((_, flow)) = self.place.take_if(|(at, _)| *at < t) {
            self.places.push(flow);
        }
    }

    /// Flows that wait for their delay in S(t) leave their places.
    #[cold]
    fn leave_places(&mut self, t: u64) {
        self.settle_place(t);
        let mut places = std::mem::take(&mut self.places);
        places.retain(|f| !self.waits_for_delay(*f));
        self.places = places;
    }

    /// They will in the next cycle.
    #[cold]
    fn some_leave(&self) -> bool {
        let posted = self.place.map(|(_, flow)| flow);
        self.places.iter().chain(&posted).any(|f| self.waits_for_delay(*f))
    }

    /// A CNP that joins a generation queue in cycle `t`; false: there is no room.
    pub fn post_cnp(&mut self, t: u64, flow: usize) -> bool {
        let room = self.cnps[flow] < self.advoq / 2 && self.queues[flow].len() < self.advoq;
        if room {
            self.cnps[flow] += 1;
            self.join(flow, Post { len: 1, psn: 0, at: t, born: 0, kind: PacketKind::Cnp });
        }
        room
    }

    /// Posts a packet in cycle `t`; it is seen from the next cycle on. Whether the source is to be stepped in this cycle.
    pub fn post(&mut self, t: u64, packet: &Offered, psn: u32) -> bool {
        let &Offered { dst: flow, len, born, .. } = packet;
        if self.inject > 0 && !self.waits_for_delay(flow) {
            self.settle_place(t);
            self.place = Some((t, flow));
        }
        self.join(flow, Post { len: len as u16, psn, at: t, born, kind: PacketKind::Data });
        self.queues[flow].len() == 1 && self.chooser.post(flow)
    }

    fn join(&mut self, flow: usize, post: Post) {
        self.queues[flow].push_back(post);
        self.posted += 1;
        if self.queues[flow].len() == 1 {
            self.fresh.push(flow);
        }
    }

    /// A BECN or an ACK for a flow at the chooser's pins in the cycle of the next step.
    pub fn notify(&mut self, flow: usize, bits: u32) {
        self.chooser.notify(flow, bits);
    }

    /// A reply with these marks says something to the chooser.
    pub fn heeds(&self, marks: Marks, ack: bool) -> bool {
        self.chooser.heeds(marks, ack)
    }

    /// Something but the length of a flow's queue decides whether it is full.
    pub fn is_limited(&self) -> bool {
        self.limited
    }

    /// What windows hold back.
    pub fn held(&self) -> Windowed {
        self.chooser.held()
    }

    /// Flows with packets outstanding.
    pub fn out(&self) -> impl Iterator<Item = usize> {
        self.chooser.out()
    }

    fn sl(&self, flow: usize) -> usize {
        usize::from(self.chooser.sls()[flow])
    }

    /// VL of the reply to a packet which a host sent on `vl`.
    pub fn reply_vl(&self, to: usize, vl: usize) -> usize {
        self.control.unwrap_or_else(|| vl_of_vl(self.by_dest, self.vls, to + 1, vl))
    }

    /// VL of the packets of a flow.
    fn vl(&self, flow: usize) -> usize {
        vl_of_sl(self.by_dest, self.vls, flow + 1, &self.sl2vl, self.sl(flow))
    }

    fn entity(&self, flow: usize) -> usize {
        if self.chooser.by_sl() { self.sl(flow) } else { flow }
    }

    /// Credits allow an MTU; looks the limit up only if it must.
    fn credit(&mut self, vl: usize, fccl: &mut dyn FnMut(usize) -> u64) -> bool {
        let need = self.txr[vl] + self.mtu;
        if self.fccl[vl] < need {
            self.fccl[vl] = fccl(vl).max(self.fccl[vl]);
        }
        self.fccl[vl] >= need
    }

    /// The flow has a packet, is not stopped, and credits allow one.
    fn ready(&mut self, flow: usize, fccl: &mut dyn FnMut(usize) -> u64) -> bool {
        self.filled.get(flow) && !self.stopped.get(flow) && self.credit(self.vl(flow), fccl)
    }

    /// Flows of 64 that have a packet, are not stopped and not blocked.
    fn open(&self, w: usize) -> u64 {
        let blocked = if self.chooser.enabled() && !self.chooser.by_sl() { self.blk.word(w) } else { 0 };
        self.filled.word(w) & !self.stopped.word(w) & !blocked
    }

    /// An SL is blocked.
    fn sl_blocked(&self, sl: usize) -> bool {
        self.chooser.enabled() && self.chooser.by_sl() && self.blk.get(sl)
    }

    /// A flow of the class is a candidate, but for credits.
    fn asks(&self, class: &Class) -> bool {
        !self.sl_blocked(class.sl)
            && (0..self.filled.words()).any(|w| self.open(w) & class.flows.word(w) != 0)
    }

    /// All candidates of a class that asks have gone.
    fn all_went(&self, class: &Class) -> bool {
        (0..self.filled.words()).all(|w| self.open(w) & class.flows.word(w) & !self.went.word(w) == 0)
    }

    /// The flow that V0 picks, and whether all candidates of its lane had gone.
    fn pick(&mut self, fccl: &mut dyn FnMut(usize) -> u64) -> Option<(Pick, bool)> {
        if self.by_dest {
            return self.pick_by_dest(fccl);
        }
        let lanes = self.sl_pointers.len();
        let mut best: Option<((usize, bool, usize), usize)> = None;
        for c in 0..self.classes.len() {
            let sl = self.classes[c].sl;
            let lane = self.sl2vl.vl(sl);
            let of_lane = (lane + lanes - self.lane_pointer) % lanes;
            if best.is_some_and(|((least, ..), _)| of_lane > least)
                || !self.asks(&self.classes[c])
                || !self.credit(lane, fccl)
            {
                continue;
            }
            let went = self.all_went(&self.classes[c]);
            let turn = (of_lane, went, (sl + SLS - self.sl_pointers[lane]) % SLS);
            if best.is_none_or(|(least, _)| turn < least) {
                best = Some((turn, c));
            }
        }
        let ((_, went, _), c) = best?;
        let class = &self.classes[c];
        let of =
            |w: usize| self.open(w) & class.flows.word(w) & if went { u64::MAX } else { !self.went.word(w) };
        let flow = bits::first(self.filled.words(), self.flow_pointers[class.sl], of)?;
        Some((Pick { flow, lane: self.sl2vl.vl(class.sl), class: class.sl }, went))
    }

    /// The same with a lane per destination.
    fn pick_by_dest(&mut self, fccl: &mut dyn FnMut(usize) -> u64) -> Option<(Pick, bool)> {
        let (lanes, flows) = (self.vls, self.flows);
        let mut best = None;
        for w in 0..self.filled.words() {
            for flow in bits::ones(self.open(w)).map(|i| 64 * w + i) {
                let lane = flow % lanes;
                let turn = (
                    (lane + lanes - self.lane_pointer) % lanes,
                    self.went.get(flow),
                    (flow + flows - self.flow_pointers[lane]) % flows,
                );
                if best.is_none_or(|(least, _)| turn < least) && self.credit(self.vl(flow), fccl) {
                    best = Some((turn, Pick { flow, lane, class: lane }));
                }
            }
        }
        best.map(|((_, went, _), pick)| (pick, went))
    }

    /// All candidates of a lane have gone: they begin anew.
    fn renew(&mut self, lane: usize) {
        for w in 0..self.filled.words() {
            let open = self.open(w);
            let of_lane = if self.by_dest {
                bits::ones(open).filter(|i| (64 * w + i) % self.vls == lane).map(|i| 1 << i).sum()
            } else {
                let classes =
                    self.classes.iter().filter(|c| self.sl2vl.vl(c.sl) == lane && !self.sl_blocked(c.sl));
                classes.fold(0, |set, c| set | open & c.flows.word(w))
            };
            self.went.remove(w, of_lane);
        }
    }

    /// V0 of a walk.
    fn walk(&mut self) -> Option<Visit> {
        if self.blocked == 0 || !self.chooser.enabled() {
            return None;
        }
        let entity = self.blk.nth(self.walker, 0)?;
        self.walker = after(entity, self.chooser.range());
        Some(Visit { entity, pick: None, read: None })
    }

    /// Cycle `t`. `lines` are the output's CAM lines if they have changed, `fccl` is the injector's FCCL of a VL in S(t), not
    /// modulo 4096.
    pub fn step(&mut self, t: u64, lines: Option<&OutLines>, fccl: &mut dyn FnMut(usize) -> u64) -> Step {
        self.catch_up(t);
        if self.inject > 0 {
            self.leave_places(t);
        }
        for flow in std::mem::take(&mut self.fresh) {
            // Posted before this cycle; a post of this cycle is seen in the next.
            match self.queues[flow].front() {
                Some(p) if p.at < t => {
                    self.filled.set(flow, true);
                }
                Some(_) => self.fresh.push(flow),
                None => {}
            }
        }
        let sending = self.sending.filter(|s| (s.from..=s.last).contains(&t));
        self.chooser.judge(t, sending.map(|s| s.flow));
        let accepted = self.select(t, fccl);
        self.chooser.step(t, sending.filter(|s| s.last == t).map(|s| s.flow));
        self.t = t + 1;
        // Stops are registered at the end of the cycle.
        if let Some(lines) = lines {
            self.register_stops(lines);
        }
        let again = lines.is_some() || !self.fresh.is_empty() || self.inject > 0 && self.some_leave();
        let next = if again { self.t } else { self.chooser.next(self.t).min(self.next_choice()) };
        Step { accepted, next }
    }

    /// The flows that these lines stop.
    fn register_stops(&mut self, lines: &OutLines) {
        self.stopped.clear();
        for k in bits::ones(lines.stop.into()) {
            let flows = lines.lines[k].dlist.iter().filter_map(|d| usize::from(*d).checked_sub(1));
            for flow in flows.filter(|f| *f < self.flows) {
                self.stopped.set(flow, true);
            }
        }
    }

    /// Cycles since the last step, in which the walk went on and nothing else happened.
    fn catch_up(&mut self, t: u64) {
        let gap = t - self.t;
        if gap == 0 {
            return;
        }
        self.chooser.skip(self.t, gap, self.sending.map(|s| s.last));
        // The last three visits are in the pipeline.
        let last = gap.min(3);
        if gap > last && self.blocked > 0 && self.chooser.enabled() {
            let rank = ((gap - last - 1) % u64::from(self.blocked)) as u32;
            let before = self.blk.nth(self.walker, rank).unwrap_or(0);
            self.walker = after(before, self.chooser.range());
        }
        for _ in 0..last {
            let visit = self.walk();
            self.advance(visit);
        }
    }

    /// V1 and V2: the visits move on.
    #[inline(never)]
    fn advance(&mut self, visit: Option<Visit>) {
        self.v3 = self.v2.map(|v| Visit { read: v.read.map(|r| self.chooser.look_up(r)), ..v });
        self.v2 = self.v1.map(|v| Visit { read: Some(self.chooser.read(v.entity)), ..v });
        self.v1 = visit;
    }

    /// From which cycle on an entity passes a pick, and a walk, that has read this.
    fn passes(&self, entity: usize, read: &Read) -> (u64, u64) {
        self.chooser.passes(entity, read, self.lti[entity], self.ird_max)
    }

    /// What a visit would read of an entity now.
    fn read(&self, entity: usize) -> Read {
        self.chooser.look_up(self.chooser.read(entity))
    }

    fn block(&mut self, entity: usize, value: bool) {
        if self.blk.set(entity, value) {
            self.blocked = if value { self.blocked + 1 } else { self.blocked - 1 };
        }
    }

    fn select(&mut self, t: u64, fccl: &mut dyn FnMut(usize) -> u64) -> Option<Accepted> {
        let offer = self.offer;
        let picking = [&self.v1, &self.v2, &self.v3].into_iter().flatten().any(|v| v.pick.is_some());
        let pick = if offer.is_none() && !picking { self.pick(fccl) } else { None };
        let visit = match pick {
            Some((p, all_went)) => {
                if all_went {
                    self.renew(p.lane);
                }
                let entity = self.entity(p.flow);
                Some(Visit { entity, pick: Some(p), read: None })
            }
            None => self.walk(),
        };
        // V3
        if let Some(v) = self.v3
            && let Some(read) = &v.read
        {
            let (picks, walks) = self.passes(v.entity, read);
            match v.pick {
                None if t >= walks => self.block(v.entity, false),
                None => {}
                Some(p) if t >= picks && self.ready(p.flow, fccl) => self.offer = Some((p, t + 1)),
                Some(_) => self.block(v.entity, true),
            }
        }
        self.advance(visit);
        let (pick, since) = offer?;
        let free = self.sending.is_none_or(|s| t >= s.last);
        // The head of the queue was read in the cycle before. Credits allow an MTU since the pick.
        if t > since
            && free
            && let Some(&post) = self.queues[pick.flow].front()
        {
            return Some(self.accept(t, pick, post));
        }
        if !self.ready(pick.flow, fccl) {
            self.offer = None;
        }
        None
    }

    fn accept(&mut self, t: u64, pick: Pick, post: Post) -> Accepted {
        let Pick { flow, lane, class } = pick;
        let queue = &mut self.queues[flow];
        queue.pop_front();
        self.posted -= 1;
        match post.kind {
            PacketKind::Cnp => self.cnps[flow] -= 1,
            // A place that it has in S(t).
            PacketKind::Data | PacketKind::Ack | PacketKind::Opaque => {
                if let Some(at) = self.places.iter().position(|f| *f == flow) {
                    self.places.swap_remove(at);
                }
            }
        }
        match queue.front() {
            Some(p) if p.at < t => {}
            next => {
                if next.is_some() {
                    self.fresh.push(flow);
                }
                self.filled.set(flow, false);
            }
        }
        self.lane_pointer = after(lane, self.sl_pointers.len());
        self.flow_pointers[class] = after(flow, self.flows);
        self.went.set(flow, true);
        if !self.by_dest {
            self.sl_pointers[lane] = after(class, SLS);
        }
        let vl = self.vl(flow);
        let len = u32::from(post.len);
        self.txr[vl] += u64::from(len);
        self.offer = None;
        let base = t + 1 - self.start;
        let (first, last) = match post.kind {
            // No host is asked for it.
            PacketKind::Cnp => (t + 1, t + 1),
            PacketKind::Data | PacketKind::Ack | PacketKind::Opaque => (
                self.start + paced(self.rate, base, 0),
                self.start + paced(self.rate, base, u64::from(len) - 1),
            ),
        };
        let time = (len * self.chooser.link_interval()).min(self.ird_max);
        let e = self.entity(flow);
        let at = last.max(t + u64::from(time));
        self.lti[e] = Some(Lti { at, sent: last, len });
        self.chooser.accept(flow, at);
        let sl = self.chooser.sls()[flow];
        let Post { psn, at, born, kind, .. } = post;
        let a = Accepted { flow, len, psn, sl, vl, born, posted: at, from: t + 1, first, last, kind };
        self.sending = Some(a);
        a
    }

    /// The next cycle, from the one after a step on, in which something but the walk moves in the selection.
    fn next_choice(&mut self) -> u64 {
        let walk = self.next_release();
        if let Some((_, since)) = self.offer {
            let free = self.sending.map_or(0, |s| s.last);
            return walk.min(free.max(since + 1).max(self.t));
        }
        for (v, at) in [(self.v3, self.t), (self.v2, self.t + 1), (self.v1, self.t + 2)] {
            if v.is_some_and(|v| v.pick.is_some()) {
                return walk.min(at);
            }
        }
        if self.pick(&mut |_| 0).is_some() { self.t } else { walk }
    }

    /// The cycle of the first walk that frees an entity, if nothing changes before.
    fn next_release(&self) -> u64 {
        if self.blocked == 0 || !self.chooser.enabled() {
            return NEVER;
        }
        let freed = |entity, read: &Read| self.passes(entity, read).1;
        for (k, v) in [self.v3, self.v2, self.v1].into_iter().enumerate() {
            let at = self.t + k as u64;
            let Some(v) = v.filter(|v| v.pick.is_none() && self.blk.get(v.entity)) else { continue };
            let read = match v.read {
                Some(read) if k == 0 => read,
                Some(read) => self.chooser.look_up(read),
                None => self.read(v.entity),
            };
            if freed(v.entity, &read) <= at {
                return at;
            }
        }
        // The entity that is visited k cycles from now is judged three cycles later, and then once a round.
        let round = u64::from(self.blocked);
        let mut best = NEVER;
        for (k, entity) in self.blk.round(self.walker).enumerate() {
            let first = self.t + 3 + k as u64;
            if first >= best {
                break;
            }
            let at = freed(entity, &self.read(entity));
            if at < NEVER {
                best = best.min(first + at.saturating_sub(first).div_ceil(round) * round);
            }
        }
        best
    }

    /// Lanes for which a decision waits until FCCL reaches the number.
    pub fn waits(&self) -> Vec<(usize, u64)> {
        let mut list = Vec::new();
        let mut wait = |vl: usize| {
            let need = self.txr[vl] + self.mtu;
            if self.fccl[vl] < need {
                list.push((vl, need));
            }
        };
        if self.by_dest {
            (0..self.filled.words())
                .for_each(|w| bits::ones(self.open(w)).for_each(|i| wait(self.vl(64 * w + i))));
        } else {
            self.classes.iter().filter(|c| self.asks(c)).for_each(|c| wait(self.sl2vl.vl(c.sl)));
        }
        list
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

/// The cycle in which a paced stream that is ready from cycle `from` on moves its flit number `i`. Times count from traffic
/// time 0.
pub(super) fn paced(rate: Rate, from: u64, i: u64) -> u64 {
    if rate == Rate::FULL {
        return from + i;
    }
    // The flit moves in the cycle before which one more than all earlier ones are allowed.
    let count = rate.flits_before(from) + i + 1;
    (u128::from(count) << 16).div_ceil(u128::from(rate.0)) as u64 - 1
}
