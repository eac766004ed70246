//! Who could go does, and has its turn (Q14, Q19, Q20, Q22).

use super::io::SPEC;
use super::lanes::Lanes;
use super::registers::{FAST, INORDER, RTT_COMP, Registers, SPEC_OFF};
use super::source::Source;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::cosim::events::settings::Settings;

/// What is known in a cycle.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub source: &'a Source,
    pub registers: &'a Registers,
    pub lanes: &'a Lanes,
    pub now: u64,
}

/// What a flow waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// A RES.
    Ask,
    /// A packet in its time, or without a reservation.
    Granted,
    /// A speculative packet.
    Spec,
}

/// Flows that wait since a cycle, and what others had since then.
#[derive(Clone, Debug)]
struct Waiting {
    class: Class,
    from: u64,
    flows: Vec<usize>,
    others: u64,
}

/// What is seen of a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycle {
    pub reply: bool,
    pub ungranted: bool,
    /// A RES, a packet that leaves: flow, and for packets the kind.
    pub asked: Option<usize>,
    pub left: Option<(usize, u32)>,
}

/// Who waits.
pub(super) struct Progress {
    offer: u64,
    turns: u64,
    reply: u64,
    choice: u64,
    /// Cycles without an offer in which one could be made: RES, packets; and since when.
    idle: [u64; 2],
    hang: [Waiting; 3],
    turn: [Waiting; 3],
    /// The flow whose queue is looked at.
    at: usize,
    /// When each flow's gen_full changed last, and what it was.
    full: Vec<(bool, u64)>,
    late: u64,
    /// Waits and rounds that were judged.
    pub judged: u64,
    pub rounds: u64,
}

const CLASSES: [Class; 3] = [Class::Ask, Class::Granted, Class::Spec];

impl Progress {
    pub fn new(flows: usize, settings: &Settings) -> Progress {
        let none = CLASSES.map(|class| Waiting { class, from: 0, flows: Vec::new(), others: 0 });
        Progress {
            offer: settings.get("offer"),
            turns: settings.get("turns"),
            reply: settings.get("reply"),
            choice: settings.get("choice"),
            idle: [0; 2],
            hang: none.clone(),
            turn: none,
            at: 0,
            full: vec![(false, 0); flows],
            late: settings.get("full"),
            judged: 0,
            rounds: 0,
        }
    }

    /// A cycle, after all that happened in it.
    pub fn cycle(&mut self, v: View, c: Cycle) -> Result<(), Broken> {
        for which in 0..2 {
            let offers = if which == 0 {
                v.source.request.is_some() || c.asked.is_some()
            } else {
                v.source.packet.is_some() || c.left.is_some()
            };
            self.idles(which, offers, c, v)?;
        }
        if let Some(f) = c.asked {
            self.turn(0, f, v)?;
        }
        if let Some((f, kind)) = c.left {
            self.turn(if kind == SPEC { 2 } else { 1 }, f, v)?;
        }
        Ok(())
    }

    fn idles(&mut self, which: usize, offers: bool, c: Cycle, v: View) -> Result<(), Broken> {
        let classes = if which == 0 { 0..1 } else { 1..3 };
        if offers {
            self.idle[which] = 0;
            self.hang[classes].iter_mut().for_each(|w| w.flows.clear());
            return Ok(());
        }
        if c.reply || which == 1 && c.ungranted {
            return Ok(());
        }
        self.idle[which] += 1;
        if self.idle[which] == self.offer.div_ceil(2) {
            for k in classes {
                self.hang[k] = self.look(CLASSES[k], v);
                self.judged += u64::from(!self.hang[k].flows.is_empty());
            }
        } else if self.idle[which] > self.offer {
            self.idle[which] = 0;
            for k in classes {
                let was = std::mem::take(&mut self.hang[k].flows);
                let (class, from) = (CLASSES[k], self.hang[k].from);
                if let Some(f) = was.into_iter().find(|f| self.wants(class, *f, from, v)) {
                    let text =
                        format!("nothing offered in {} cycles, though flow {f} {}", self.offer, says(class));
                    return broken("hang", "Q14 Q19 Q20 Q22", text);
                }
            }
        }
        Ok(())
    }

    fn look(&self, class: Class, v: View) -> Waiting {
        let flows = v.source.active.iter().copied().filter(|f| self.wants(class, *f, v.now, v)).collect();
        Waiting { class, from: v.now, flows, others: 0 }
    }

    /// One had its turn.
    fn turn(&mut self, k: usize, f: usize, v: View) -> Result<(), Broken> {
        let w = &mut self.turn[k];
        w.others += 1;
        w.flows.retain(|g| *g != f);
        if w.others <= self.turns && !w.flows.is_empty() {
            return Ok(());
        }
        let (was, from, class) = (std::mem::take(&mut w.flows), w.from, w.class);
        let others = w.others;
        self.rounds += u64::from(!was.is_empty());
        if others > self.turns
            && let Some(f) = was.into_iter().find(|g| self.wants(class, *g, from, v))
        {
            let text = format!("{others} of others since flow {f} {}, and it had no turn", says(class));
            return broken("starved", "Q19 Q20", text);
        }
        self.turn[k] = self.look(class, v);
        Ok(())
    }

    /// A flow waits for this for sure, since a cycle.
    fn wants(&self, class: Class, f: usize, from: u64, v: View) -> bool {
        let since = from.saturating_sub(self.reply + self.choice);
        match class {
            Class::Ask => self.asks(f, since, v),
            Class::Granted => {
                self.lane(f, since, v) && (self.bypasses(f, since, v) || self.in_time(f, since, v))
            }
            Class::Spec => {
                v.lanes.room_since(v.lanes.data) <= since && self.speculates(f, since, v) && !self.first(f, v)
            }
        }
    }

    fn lane(&self, f: usize, since: u64, v: View) -> bool {
        let sl = v.source.flows[f].sl.sure(since.saturating_sub(self.reply));
        sl.is_some_and(|sl| v.lanes.room_since(sl % v.lanes.data) <= since)
    }

    /// What the next message will be, if it is sure: without reservations or with.
    fn next(&self, f: usize, since: u64, v: View) -> Option<bool> {
        let flow = &v.source.flows[f];
        if !flow.is_free(since) {
            return None;
        }
        let mut all = Vec::new();
        for c in &flow.courses {
            if c.left > 0 {
                all.push(c.bypass);
                continue;
            }
            let next = flow.queue.posts.iter().find(|p| p.no >= c.upto)?;
            if next.ignored || next.joins || next.at > since {
                return None;
            }
            for m in flow.queue.starts(c.upto) {
                let told = v.registers.bypasses(m.pkts, flow.free.max(m.at));
                all.push(told.may);
                if told.may != told.must {
                    return None;
                }
            }
        }
        let first = *all.first()?;
        all.iter().all(|b| *b == first).then_some(first)
    }

    fn asks(&self, f: usize, since: u64, v: View) -> bool {
        if v.source.dedup && !v.registers.is_spoken(v.now) {
            return false;
        }
        if self.next(f, since, v) == Some(false) {
            return true;
        }
        let Some(c) = v.source.flows[f].chunk.as_ref().filter(|c| v.source.dedup && c.granted.is_none())
        else {
            return false;
        };
        c.first.is_some() && self.lost(c.touched, since, v.registers)
    }

    /// Without progress since a cycle a flow has been late since another one.
    fn lost(&self, touched: u64, since: u64, r: &Registers) -> bool {
        r.latest(touched).is_some_and(|rto| touched + self.reply + rto + self.offer <= since)
    }

    fn bypasses(&self, f: usize, since: u64, v: View) -> bool {
        self.next(f, since, v) == Some(true)
    }

    fn in_time(&self, f: usize, since: u64, v: View) -> bool {
        let Some(c) = &v.source.flows[f].chunk else { return false };
        let Some(granted) = c.surely.filter(|_| c.known) else { return false };
        let due = c.due(v.registers.bit(RTT_COMP, granted)).1 + self.offer;
        if due > since && c.going.is_none_or(|g| g > since) {
            return false;
        }
        let sends = |bit| v.registers.bit(bit, granted).must;
        let fast = (sends(FAST) || sends(INORDER)) && c.touched <= since;
        c.wants(since).is_some()
            || v.source.dedup && c.is_out(since) && fast
            || v.source.dedup && c.missing().is_some() && self.lost(c.touched.max(due), since, v.registers)
    }

    fn speculates(&self, f: usize, since: u64, v: View) -> bool {
        let Some(c) = &v.source.flows[f].chunk else { return false };
        c.first.is_some_and(|t| t <= since)
            && !c.init
            && c.granted.is_none()
            && c.stopped.is_none()
            && !c.late
            && !(v.source.dedup && v.registers.soonest(c.touched).is_some())
            && !v.registers.bit(SPEC_OFF, c.first.unwrap_or(0)).may
            && c.wants(since).is_some()
    }

    /// Another flow may have packets that go first.
    fn first(&self, f: usize, v: View) -> bool {
        v.source.active.iter().filter(|g| **g != f).any(|g| {
            let flow = &v.source.flows[*g];
            let waits = !flow.queue.posts.is_empty() || flow.courses.iter().any(|c| c.left > 0);
            match &flow.chunk {
                Some(c) => c.granted.is_some() && (c.missing().is_some() || waits),
                None => waits,
            }
        })
    }

    /// One flow's gen_full, each cycle another's.
    pub fn queues(&mut self, s: &Source, full: impl Fn(usize) -> bool, now: u64) -> Result<(), Broken> {
        let f = self.at;
        self.at = (f + 1) % self.full.len();
        let (is, flow) = (full(f), &s.flows[f]);
        let flows = self.full.len() as u64;
        let (was, since) = &mut self.full[f];
        if *was != is {
            (*was, *since) = (is, now);
        }
        let steady = self.late + self.reply + self.choice + flows;
        let from = (*since).max(flow.queue.moved).max(flow.seen);
        if now <= from + steady {
            return Ok(());
        }
        let (least, most) = flow.waiting();
        if is && most < s.msgq {
            let text = format!("gen_full of flow {f} is 1, though {most} messages wait at most");
            return broken("full", "Q14", text);
        }
        if !is && least >= s.msgq {
            let text = format!("gen_full of flow {f} is 0, though {least} messages wait");
            return broken("full", "Q14", text);
        }
        Ok(())
    }
}

fn says(class: Class) -> &'static str {
    match class {
        Class::Ask => "has a chunk that is to ask",
        Class::Granted => "has a packet in its time, or without a reservation, and its lane has room",
        Class::Spec => "has a speculative packet, and its lane has room",
    }
}
