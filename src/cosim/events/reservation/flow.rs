//! A flow of the source (Q14, Q15): the message under way, as it may be, and what begins next.

use super::chunk::Chunk;
use super::io::{IDS, Packet, Reply, Request};
use super::queue::{Message, PSNS, Queue};
use super::registers::Registers;
use crate::cosim::events::register::Register;

/// A message under way, as it may be; without packets that are left the flow may begin another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Course {
    /// The number behind the last post of it.
    pub upto: u64,
    pub bypass: bool,
    /// Packets of it, at least and at most; those that no chunk has yet.
    pub pkts: (u32, u32),
    pub left: u32,
    /// The PSN of the first packet of the chunk (bypass: of the next packet), and of the next chunk.
    pub psn: u32,
    pub next: u32,
    /// Flits of the last packet.
    pub last: u32,
    /// Since when it may have begun.
    pub began: u64,
    /// Chunks without a reservation since the last one with: at least and at most.
    pub skipped: (u32, u32),
}

/// A flow.
pub(super) struct Flow {
    pub sl: Register,
    pub queue: Queue,
    pub courses: Vec<Course>,
    pub chunk: Option<Chunk>,
    /// The number of its last chunk with a reservation.
    pub id: u32,
    /// It does not know its number.
    pub init: bool,
    /// Since when the next chunk may have begun.
    pub free: u64,
    /// When a packet of it was seen last.
    pub seen: u64,
    /// GRANTs that came just before its RES was taken.
    pub early: Vec<(u64, Reply)>,
}

impl Flow {
    pub fn new(mtu: usize, dedup: bool) -> Flow {
        let rest = Course {
            upto: 0,
            bypass: false,
            pkts: (0, 0),
            left: 0,
            psn: 0,
            next: 0,
            last: 0,
            began: 0,
            skipped: (0, 0),
        };
        Flow {
            sl: Register::new(0),
            queue: Queue::new(mtu),
            courses: vec![rest],
            chunk: None,
            id: 0,
            init: dedup,
            free: 0,
            seen: 0,
            early: Vec::new(),
        }
    }

    /// The message under way may be over.
    pub fn may_rest(&self) -> bool {
        self.courses.iter().any(|c| c.left == 0) && self.chunk.as_ref().is_none_or(Chunk::may_be_done)
    }

    /// The chunk under way is done for sure, since a cycle.
    pub fn is_free(&self, since: u64) -> bool {
        self.free <= since && self.seen <= since && self.chunk.as_ref().is_none_or(|c| c.is_done(since))
    }

    /// Messages that wait, at least and at most.
    pub fn waiting(&self) -> (usize, usize) {
        let (least, most) = self.queue.waiting();
        let begun = usize::from(self.may_rest());
        // What may be part of the message under way.
        let ahead = self.courses.iter().map(|c| c.upto).max().unwrap_or(0);
        let inside = self.queue.posts.iter().filter(|s| s.no < ahead).count();
        (least.saturating_sub(begun + inside), most)
    }

    /// A course from which chunks with a reservation, or packets without, come next.
    fn next(&self, bypass: bool, r: &Registers) -> Vec<(Course, u64)> {
        let mut all = Vec::new();
        for c in &self.courses {
            if c.left > 0 {
                if c.bypass == bypass {
                    all.push((*c, self.free));
                }
                continue;
            }
            for m in self.queue.starts(c.upto) {
                let since = self.free.max(m.at);
                let told = r.bypasses(m.pkts, since);
                if if bypass { told.may } else { !told.must } {
                    all.push((begun(c, &m, bypass, since), since));
                }
            }
        }
        all
    }

    /// A RES of a new chunk is seen; what it can be of, or what was to be seen.
    pub fn asks(&mut self, q: &Request, r: &Registers, mtu: u32, dedup: bool) -> Result<(), String> {
        let all = self.next(false, r);
        let first = all.first().map(|(c, _)| *c);
        let mut kept = Vec::new();
        let mut other_id = None;
        for (mut c, since) in all {
            let end = if q.last { c.last } else { mtu };
            let size = q.n.wrapping_sub(1).wrapping_mul(mtu).wrapping_add(end);
            if q.n == 0 || !r.cuts(q.n, c.left, since) || q.last != (q.n == c.left) || q.size != size {
                continue;
            }
            let (least, most) = if dedup { (0, 0) } else { c.skipped };
            let id = (self.id + 1 + least) % IDS;
            if !q.init && (IDS + q.id - id) % IDS > most - least {
                other_id = Some(id);
                continue;
            }
            (c.psn, c.next, c.left) = (c.next, (c.next + q.n) % PSNS, c.left - q.n);
            c.skipped = (0, 0);
            kept.push(c);
        }
        if kept.is_empty() {
            return Err(match (other_id, first) {
                (Some(id), _) => format!("the number of the chunk is to be {id}"),
                (_, Some(c)) => format!(
                    "the flow has {} packets left of a message of {}, the last one of {} flits",
                    c.left, c.pkts.1, c.last
                ),
                _ => "the flow has no message that is to be reserved".into(),
            });
        }
        self.keep(kept);
        Ok(())
    }

    /// A packet without a reservation is seen.
    pub fn passes(&mut self, p: &Packet, r: &Registers, mtu: u32) -> Result<(), String> {
        let all = self.next(true, r);
        let first = all.first().map(|(c, _)| *c);
        let mut kept = Vec::new();
        for (mut c, _) in all {
            let len = if c.left == 1 { c.last } else { mtu };
            if (p.psn, p.len) != (c.next, len) {
                continue;
            }
            c.next = (c.next + 1) % PSNS;
            (c.psn, c.left) = (c.next, c.left - 1);
            if c.left == 0 {
                let (least, most) = r.runs(c.began);
                let more = (c.pkts.0.div_ceil(most), c.pkts.1.div_ceil(least));
                c.skipped = (c.skipped.0 + more.0, c.skipped.1 + more.1);
            }
            kept.push(c);
        }
        if kept.is_empty() {
            return Err(match first {
                Some(c) => format!(
                    "the next packet without a reservation has PSN {} and {} flits",
                    c.next,
                    if c.left == 1 { c.last } else { mtu }
                ),
                None => "the flow has no message that goes without a reservation".into(),
            });
        }
        self.keep(kept);
        Ok(())
    }

    /// A packet of the chunk is seen.
    pub fn sends(&mut self, p: &Packet, mtu: u32) -> Result<(), String> {
        let Some(chunk) = &self.chunk else { return Err("the flow has asked for no chunk".into()) };
        let all = (chunk.id, chunk.n, chunk.last);
        if (p.id, p.n, p.last) != all && chunk.known || (p.n, p.last) != (all.1, all.2) || p.seq >= chunk.n {
            return Err(format!("the chunk under way has number, packets, last: {all:?}"));
        }
        let is_last = p.seq + 1 == chunk.n && chunk.last;
        let fits =
            |c: &Course| (p.psn, p.len) == ((c.psn + p.seq) % PSNS, if is_last { c.last } else { mtu });
        if let Some(c) = self.courses.first().filter(|_| !self.courses.iter().any(fits)) {
            let len = if is_last { c.last } else { mtu };
            return Err(format!("it is to have PSN {} and {len} flits", (c.psn + p.seq) % PSNS));
        }
        self.courses.retain(fits);
        Ok(())
    }

    /// Courses that go on alike are one.
    fn keep(&mut self, kept: Vec<Course>) {
        let like = |c: &Course| (c.upto, c.bypass, c.left, c.psn, c.next, c.last);
        self.courses.clear();
        for c in kept {
            match self.courses.iter_mut().find(|o| like(o) == like(&c)) {
                Some(o) => {
                    o.pkts = (o.pkts.0.min(c.pkts.0), o.pkts.1.max(c.pkts.1));
                    o.skipped = (o.skipped.0.min(c.skipped.0), o.skipped.1.max(c.skipped.1));
                    o.began = o.began.min(c.began);
                }
                None => self.courses.push(c),
            }
        }
    }

    /// Posts that belong to what has begun are forgotten.
    pub fn tidy(&mut self, now: u64) {
        let upto = self.courses.iter().map(|c| c.upto).min().unwrap_or(0);
        self.queue.forget(upto, now);
    }
}

fn begun(c: &Course, m: &Message, bypass: bool, began: u64) -> Course {
    Course {
        upto: m.upto,
        bypass,
        pkts: (m.pkts, m.pkts),
        left: m.pkts,
        psn: m.psn,
        next: m.psn,
        last: m.last,
        began,
        skipped: c.skipped,
    }
}
