//! The source's half (Q14 to Q22): what is offered to the network is what messages, GRANTs, answers and time-outs say.

use std::collections::BTreeSet;

use super::chunk::{Chunk, DONE, OUT, OUT_AGAIN, SENT, TODO, TODO_AGAIN};
use super::counts::Sent;
use super::flow::Flow;
use super::io::{ACK, BYPASS, GRANT, GRANTED, IDS, NACK, Packet, Post, Reply, Request, SPEC};
use super::lanes::Lanes;
use super::queue::Segment;
use super::registers::{FAST, INORDER, MERGE, RTT_COMP, Registers, SPEC_OFF};
use crate::cosim::events::offers::NEVER;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::cosim::events::settings::Settings;
use crate::params::Params;

/// The source.
pub(super) struct Source {
    pub dedup: bool,
    mtu: u32,
    pub msgq: usize,
    half: u64,
    period: u64,
    /// Tolerances.
    reply: u64,
    choice: u64,
    full: u64,

    pub flows: Vec<Flow>,
    /// Flows that have something to do.
    pub active: BTreeSet<usize>,
    /// Flows with posts to queues that showed as full.
    crowded: BTreeSet<usize>,
    pub packet: Option<Packet>,
    pub request: Option<Request>,
    pub counts: Sent,
}

impl Source {
    pub fn new(p: &Params, settings: &Settings) -> Source {
        Source {
            dedup: p.dedup,
            mtu: p.mtu as u32,
            msgq: p.msgq,
            half: 1 << (p.now_w - 1),
            period: 1 << p.now_w,
            reply: settings.get("reply"),
            choice: settings.get("choice"),
            full: settings.get("full"),
            flows: (0..p.flows).map(|_| Flow::new(p.mtu, p.dedup)).collect(),
            active: BTreeSet::new(),
            crowded: BTreeSet::new(),
            packet: None,
            request: None,
            counts: Sent::default(),
        }
    }

    /// What may have happened inside since the last event of a flow.
    /// `hidden`: so many packets may have been chosen that are not on offer yet.
    fn age(&mut self, f: usize, hidden: usize, r: &Registers, now: u64) {
        // What answers find may have been lost before they act, or is lost after.
        self.loses(f, hidden, r, now);
        if let Some(chunk) = &mut self.flows[f].chunk {
            chunk.settle(now);
        }
        self.loses(f, hidden, r, now);
    }

    /// What is out may be lost by now.
    fn loses(&mut self, f: usize, hidden: usize, r: &Registers, now: u64) {
        let reply = self.reply;
        let Some(chunk) = &mut self.flows[f].chunk else { return };
        if !self.dedup || chunk.first.is_none() {
            return;
        }
        let last = chunk.progress;
        let soon = now + reply;
        if r.soonest(last).is_some_and(|rto| soon.saturating_sub(last) + self.choice >= rto) {
            chunk.may_be_lost(SENT, now);
            chunk.late |= chunk.surely.is_none_or(|s| now <= s + reply);
        }
        // In its time, with nothing else to send.
        if let Some(granted) = chunk.granted
            && soon >= chunk.due(r.bit(RTT_COMP, granted)).0
            && r.bit(FAST, granted).may
            && chunk.left(now.saturating_sub(reply)) <= hidden
        {
            chunk.may_be_lost(OUT, now);
        }
        // As its time begins.
        if let Some(granted) = chunk.granted.filter(|_| chunk.going.is_none())
            && soon >= chunk.due(r.bit(RTT_COMP, granted)).0
            && r.bit(INORDER, granted).may
        {
            chunk.may_be_lost(OUT, now);
        }
    }

    /// What an event has changed.
    fn note(&mut self, f: usize, now: u64) {
        let flow = &mut self.flows[f];
        if flow.free == NEVER && flow.chunk.as_ref().is_some_and(Chunk::may_be_done) {
            flow.free = now;
        }
    }

    // What comes.

    pub fn post(&mut self, p: Post, full: bool, r: &Registers, now: u64) {
        if p.flow >= self.flows.len() || p.pkts == 0 || p.last == 0 || p.last > self.mtu {
            return;
        }
        let merge = r.bit(MERGE, now);
        let flow = &mut self.flows[p.flow];
        let (least, most) = flow.waiting();
        let (may, must) = flow.queue.follows(p.psn, p.pkts);
        let joins = merge.may && may && most >= 2;
        let sure = merge.must && must && least >= 2 && !flow.may_rest();
        if full && self.full == 0 && !joins {
            return;
        }
        let free = !full || self.full > 0;
        flow.queue.push(
            Segment {
                no: 0,
                at: now,
                pkts: p.pkts,
                last: p.last,
                psn: p.psn,
                joins,
                stands: free && !sure,
                ignored: full && !sure,
                until: (full && free && !sure).then_some(now + self.full),
            },
            now,
        );
        if full {
            self.crowded.insert(p.flow);
        }
        self.active.insert(p.flow);
    }

    /// Queues that showed as full.
    pub fn queues(&mut self, full: impl Fn(usize) -> bool, now: u64) {
        let flows = &mut self.flows;
        self.crowded.retain(|f| flows[*f].queue.settle(full(*f), now));
    }

    pub fn reply(&mut self, p: Reply, r: &Registers, now: u64) {
        if p.kind == 0 || p.flow >= self.flows.len() {
            return;
        }
        self.age(p.flow, 1, r, now);
        if p.kind == GRANT {
            let flow = &mut self.flows[p.flow];
            let reply = self.reply;
            flow.early.retain(|e| now - e.0 <= reply);
            flow.early.push((now, p));
            match flow.chunk.as_ref().and_then(|c| c.first) {
                Some(first) if first < now => self.granted(p.flow, p, true, now),
                Some(_) => self.granted(p.flow, p, false, now),
                None => {}
            }
        } else if let Some(chunk) = &mut self.flows[p.flow].chunk {
            chunk.touched = now;
            let kind = if p.kind == NACK { NACK } else { ACK };
            if !chunk.known {
                // It may be of this chunk.
                chunk.answer(p.seq, kind, p.rty, now, NEVER);
            } else if chunk.id == p.id
                && chunk.first.is_some()
                && chunk.answer(p.seq, kind, p.rty || !self.dedup, now, now + self.reply)
            {
                chunk.progress = now;
            }
        }
        self.note(p.flow, now);
    }

    /// A GRANT that may act, or does for sure.
    fn granted(&mut self, f: usize, p: Reply, sure: bool, now: u64) {
        let (dedup, half, period, reply) = (self.dedup, self.half, self.period, self.reply);
        let flow = &mut self.flows[f];
        let Some(c) = &mut flow.chunk else { return };
        let fits = if c.init { p.init } else { (!dedup || !p.init) && p.id == c.id };
        if !fits || c.surely.is_some() {
            return;
        }
        let Some(asked) = c.asked else { return };
        let x = p.wait.min(half - 1);
        let tres = match c.asked_before {
            Some(before) if asked + reply >= now => before,
            _ => asked,
        };
        let plain = (now + x, now + reply + x);
        let wraps = now + reply + 1 - tres >= period;
        let last = if wraps { plain.1 } else { (now + reply).max(asked + x) };
        let both = |was: (u64, u64), is: (u64, u64), again| {
            if again { (was.0.min(is.0), was.1.max(is.1)) } else { is }
        };
        c.from_res = both(c.from_res, (now.max(tres + x), last), c.granted.is_some());
        c.plain = both(c.plain, plain, c.granted.is_some());
        let id = (p.id + 1) % IDS;
        if c.init {
            c.known = sure && (c.granted.is_none() || c.id == id);
            c.id = id;
            flow.id = id;
            flow.init = false;
        }
        c.granted = c.granted.or(Some(now));
        c.touched = now;
        if sure {
            c.surely = Some(now);
            c.progress = now;
        }
    }

    // What is offered.

    pub fn asks(&mut self, q: Request, r: &Registers, speaks: bool, now: u64) -> Result<(), Broken> {
        if self.request == Some(q) {
            return Ok(());
        }
        self.request = Some(q);
        if q.flow >= self.flows.len() {
            return broken("flow", "Q17", format!("{q:?}: there is no such flow"));
        }
        self.age(q.flow, 1, r, now);
        self.counts.requests += 1;
        if !self.dedup && (q.rty || q.init) {
            return broken("fields", "Q17", format!("{q:?}: R and I are 0"));
        }
        let from = now.saturating_sub(r.late() + self.choice);
        if self.flows[q.flow].sl.since(from).all(|sl| sl != q.sl) {
            let sl = self.flows[q.flow].sl.now;
            return broken("sl", "Q17", format!("{q:?}: the flow has SL {sl}"));
        }
        if self.dedup && !speaks {
            let text = format!("{q:?}: {now} cycles after the reset, which is less than RTO");
            return broken("quiet", "Q22", text);
        }
        let done = if q.rty { self.asks_again(q, r, now) } else { self.begins(q, r, now) };
        done?;
        self.flows[q.flow].seen = now;
        self.active.insert(q.flow);
        Ok(())
    }

    fn asks_again(&mut self, q: Request, r: &Registers, now: u64) -> Result<(), Broken> {
        let reply = self.reply;
        let rto = r.soonest(0);
        let Some(c) = self.flows[q.flow].chunk.as_mut().filter(|c| c.first.is_some()) else {
            return broken("request", "Q22", format!("{q:?}: R, though the chunk has not asked"));
        };
        let other = !c.init && q.id != c.id;
        if other || (q.n, q.size, q.last, q.init) != (c.n, c.size, c.last, c.init) {
            return broken(
                "request",
                "Q22",
                format!("{q:?}: the chunk under way is another one: {}", told(c)),
            );
        }
        if let Some(s) = c.surely.filter(|s| now > s + reply) {
            return broken("request", "Q22", format!("{q:?}: its GRANT came {} cycles ago", now - s));
        }
        if !c.late {
            let text = format!(
                "{q:?}: R, though the flow had progress {} cycles ago; RTO is {rto:?}",
                now - c.progress
            );
            return broken("hasty", "Q22", text);
        }
        (c.late, c.touched) = (false, now);
        c.all_was_lost(now);
        c.stopped = Some(c.stopped.map_or(now, |s| s.min(now)));
        // (Or it is one that was withdrawn too late.)
        c.progress += rto.unwrap_or(0).saturating_sub(self.choice).min(now - c.progress);
        self.counts.asks_again += 1;
        Ok(())
    }

    fn begins(&mut self, q: Request, r: &Registers, now: u64) -> Result<(), Broken> {
        let (mtu, dedup) = (self.mtu, self.dedup);
        self.whole(q.flow, &q)?;
        let flow = &mut self.flows[q.flow];
        // A RES may have been prepared before the GRANT with I of the chunk before was known to be its.
        if q.init != flow.init {
            let text = format!("{q:?}: the flow {} its number", if flow.init { "needs" } else { "knows" });
            return broken("request", "Q22", text);
        }
        if let Err(text) = flow.asks(&q, r, mtu, dedup) {
            return broken("request", "Q14 Q15 Q17", format!("{q:?}: {text}"));
        }
        self.counts.chunks += 1;
        self.counts.ways += u64::from(flow.courses.len() > 1);
        flow.id = q.id;
        let mut chunk = Chunk::new(q.id, q.n, q.size, q.last, q.init, now);
        chunk.dedup = self.dedup;
        flow.chunk = Some(chunk);
        flow.free = NEVER;
        flow.tidy(now);
        Ok(())
    }

    /// The chunk before may be done.
    fn whole(&self, f: usize, what: &impl std::fmt::Debug) -> Result<(), Broken> {
        let flow = &self.flows[f];
        let Some(c) = flow.chunk.as_ref().filter(|c| !c.may_be_done()) else { return Ok(()) };
        let text = match c.missing() {
            Some(seq) => format!("{what:?}: packet {seq} of the chunk before was not sent, or not answered"),
            None => format!("{what:?}: the GRANT of the chunk before has not come"),
        };
        broken("whole", "Q16", text)
    }

    /// A RES leaves.
    pub fn asked(&mut self, now: u64) {
        let Some(q) = self.request.take() else { return };
        let flow = &mut self.flows[q.flow];
        let Some(c) = &mut flow.chunk else { return };
        c.asked_before = c.asked.or(c.asked_before);
        (c.asked, c.touched) = (Some(now), now);
        let first = c.first.is_none();
        c.first = c.first.or(Some(now));
        if c.granted.is_none() {
            c.progress = now;
        }
        if first {
            let reply = self.reply;
            for (_, p) in std::mem::take(&mut flow.early).into_iter().filter(|e| now - e.0 <= reply) {
                self.granted(q.flow, p, false, now);
            }
        }
        self.note(q.flow, now);
    }

    pub fn offers(&mut self, p: Packet, r: &Registers, lanes: &Lanes, now: u64) -> Result<(), Broken> {
        if self.packet == Some(p) {
            return Ok(());
        }
        self.packet = Some(p);
        if p.flow >= self.flows.len() {
            return broken("flow", "Q17", format!("{p:?}: there is no such flow"));
        }
        self.age(p.flow, 0, r, now);
        let from = now.saturating_sub(r.late() + self.choice);
        let sl = &self.flows[p.flow].sl;
        if sl.since(from).all(|sl| sl != p.sl) {
            return broken("sl", "Q17", format!("{p:?}: the flow has SL {}", sl.now));
        }
        let lane = |sl: u32| if p.kind == SPEC { lanes.data } else { sl % lanes.data };
        if sl.since(from).all(|sl| lane(sl) != p.lane) {
            return broken("lane", "Q20", format!("{p:?}: it is to go on lane {}", lane(sl.now)));
        }
        lanes.may(p.lane, now).or_else(|text| broken("room", "Q20", format!("{p:?}: {text}")))?;
        match p.kind {
            SPEC => self.speculative(p, r, lanes, now)?,
            GRANTED => self.in_time(p, r, now)?,
            BYPASS => self.bypass(p, r, now)?,
            _ => return broken("fields", "Q17", format!("{p:?}: there is no such kind")),
        }
        self.flows[p.flow].seen = now;
        self.note(p.flow, now);
        self.active.insert(p.flow);
        Ok(())
    }

    fn bypass(&mut self, p: Packet, r: &Registers, now: u64) -> Result<(), Broken> {
        if (p.id, p.seq, p.n, p.last, p.rty) != (0, 0, 0, false, false) {
            return broken("fields", "Q17", format!("{p:?}: chunk, packet, packets, last and R are 0"));
        }
        self.whole(p.flow, &p)?;
        let flow = &mut self.flows[p.flow];
        if let Err(text) = flow.passes(&p, r, self.mtu) {
            return broken("bypass", "Q14 Q15", format!("{p:?}: {text}"));
        }
        flow.chunk = None;
        flow.free = now.saturating_sub(self.choice);
        flow.tidy(now);
        self.counts.bypass += 1;
        Ok(())
    }

    fn of_chunk(&mut self, p: Packet) -> Result<(), Broken> {
        match self.flows[p.flow].sends(&p, self.mtu) {
            Err(text) => broken("packet", "Q14 Q17", format!("{p:?}: {text}")),
            Ok(()) => Ok(()),
        }
    }

    fn speculative(&mut self, p: Packet, r: &Registers, lanes: &Lanes, now: u64) -> Result<(), Broken> {
        self.of_chunk(p)?;
        self.priority(p, lanes, now)?;
        let reply = self.reply;
        let flow = &mut self.flows[p.flow];
        let Some(c) = &mut flow.chunk else { return Ok(()) };
        let told = |text: String| broken("spec", "Q16 Q17 Q22", format!("{p:?}: {text}"));
        let Some(first) = c.first else { return told("its RES has not left".into()) };
        if p.rty || c.init {
            return told("nothing of a chunk with I, nor with R, is speculative".into());
        }
        if r.bit(SPEC_OFF, first).must {
            return told("spec_off is 1".into());
        }
        for (since, what) in [(c.surely, "its GRANT came"), (c.stopped, "a packet was dropped, or lost,")] {
            if let Some(s) = since.filter(|s| now > s + reply) {
                return told(format!("{what} {} cycles ago", now - s));
            }
        }
        if let Some(j) = c.passed(p.seq, now.saturating_sub(reply)) {
            return broken("order", "Q17", format!("{p:?}: packet {j} is to be sent before it"));
        }
        if !c.sent(p.seq, TODO, OUT, now) {
            return broken("once", "Q17", format!("{p:?}: it was sent, and not dropped"));
        }
        (c.progress, c.touched) = (now, now);
        self.counts.spec += 1;
        Ok(())
    }

    fn in_time(&mut self, p: Packet, r: &Registers, now: u64) -> Result<(), Broken> {
        self.of_chunk(p)?;
        let reply = self.reply;
        let flow = &mut self.flows[p.flow];
        let Some(c) = &mut flow.chunk else { return Ok(()) };
        if c.granted.is_none() {
            return broken("granted", "Q16 Q17", format!("{p:?}: its GRANT has not come"));
        }
        if !c.known {
            (c.known, c.id, flow.id) = (true, p.id, p.id);
        }
        let due = c.due(r.bit(RTT_COMP, c.granted.unwrap_or(now)));
        if now < due.0 {
            let text = format!("{p:?}: its time begins {} cycles later", due.0 - now);
            return broken("early", "Q18", text);
        }
        self.counts.close += u64::from(now < due.0 + 64);
        let begins = c.granted.filter(|_| self.dedup && c.going.is_none());
        if begins.is_some_and(|granted| r.bit(INORDER, granted).must) {
            // All that is not answered goes again, in its place.
            c.all_was_lost(now.saturating_sub(reply));
        }
        if let Some(j) = c.passed(p.seq, now.saturating_sub(reply)) {
            return broken("order", "Q17", format!("{p:?}: packet {j} is to be sent before it"));
        }
        if !p.rty {
            if !c.sent(p.seq, TODO, DONE, now) {
                return broken("once", "Q17", format!("{p:?}: it was sent, and not dropped"));
            }
        } else {
            let (may, lost) = (c.may(p.seq), c.was_lost(p.seq));
            if !c.sent(p.seq, TODO_AGAIN, OUT_AGAIN, now) {
                let why = if may & SENT == 0 { "it is not without an answer" } else { "no time-out is over" };
                return broken("again", "Q21 Q22", format!("{p:?}: R, though {why}"));
            }
            if lost {
                c.all_was_lost(now);
            }
            self.counts.again += 1;
        }
        c.going = c.going.or(Some(now));
        (c.progress, c.touched) = (now, now);
        self.counts.granted += 1;
        Ok(())
    }

    /// No granted packet could have gone in the place of a speculative one.
    fn priority(&mut self, p: Packet, lanes: &Lanes, now: u64) -> Result<(), Broken> {
        let since = now.saturating_sub(self.reply.max(self.choice) + 1);
        let other = self.active.iter().find(|g| self.goes(**g, lanes, since));
        if let Some(g) = other {
            let text = format!("{p:?}: flow {g} has a granted packet, and its lane credits of the link");
            return broken("priority", "Q20", text);
        }
        self.counts.first += 1;
        Ok(())
    }

    /// A flow has a granted packet for sure, since a cycle, and its lane has credits of the link.
    fn goes(&self, g: usize, lanes: &Lanes, since: u64) -> bool {
        let flow = &self.flows[g];
        let lane = flow.sl.sure(since).map(|sl| sl % lanes.data);
        lane.is_some_and(|l| lanes.link_since(l) <= since) && self.has_granted(g, since)
    }

    /// A flow has packets to send in its time, or without a reservation, for sure, since a cycle.
    pub fn has_granted(&self, g: usize, since: u64) -> bool {
        let flow = &self.flows[g];
        match &flow.chunk {
            Some(c) => c.going.is_some_and(|t| t <= since) && c.wants(since).is_some(),
            None => flow.seen <= since && flow.courses.iter().all(|c| c.bypass && c.left > 0),
        }
    }

    /// A packet leaves.
    pub fn left(&mut self) {
        self.packet = None;
    }

    /// What was offered and not taken is offered still.
    pub fn stands(&self, packet: Option<Packet>, request: Option<Request>) -> Result<(), Broken> {
        if let Some(was) = self.packet.filter(|p| packet != Some(*p)) {
            return broken("dropped", "Q20", format!("{was:?} ended though it was not taken: {packet:?}"));
        }
        match self.request.filter(|q| request != Some(*q)) {
            Some(was) => {
                broken("dropped", "Q17", format!("{was:?} ended though it was not taken: {request:?}"))
            }
            None => Ok(()),
        }
    }
}

fn told(c: &Chunk) -> String {
    format!("number {}, {} packets, {} flits, last {}", c.id, c.n, c.size, c.last)
}
