//! The destination's half (Q10 to Q13): RES and last flits that come, each with its answer, in order; what GRANTs book; blocks that come home.

use std::collections::VecDeque;

use super::counts::Served;
use super::io::{ACK, Answer, GRANT, Io, NACK, is};
use super::registers::{Registers, WALKIN};
use super::schedule::{Schedule, Walk, Wrong};
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::cosim::events::settings::Settings;
use crate::params::Params;

/// A RES that came.
#[derive(Clone, Copy, Debug)]
struct Request {
    lid: u32,
    sl: u32,
    id: u32,
    size: u64,
    init: bool,
    at: u64,
    /// A block was free for it.
    sure: bool,
    /// No chunk has its size.
    bad: bool,
    /// It may be that its time is too long to be granted.
    long: bool,
    /// When its block was given back; when its GRANT was seen.
    done: Option<u64>,
    granted: Option<u64>,
}

impl Request {
    fn owed(&self) -> bool {
        self.sure && !self.bad && !self.long
    }
}

/// The last flit of a speculative packet.
#[derive(Clone, Copy, Debug)]
struct End {
    kind: u32,
    lid: u32,
    sl: u32,
    id: u32,
    seq: u32,
    rty: bool,
    /// It came when it might.
    sure: bool,
}

/// Cycles without any that must be answered, after which those that may be are not.
const CALM: u64 = 64;

/// The destination.
pub(super) struct Destination {
    dedup: bool,
    blocks: usize,
    places: usize,
    /// The largest size; that of a chunk of each source, in all; half of all times.
    largest: u64,
    all_chunks: u64,
    half: u64,
    /// Tolerances.
    done: u64,
    reply: u64,
    serve: u64,
    turns: u64,

    requests: VecDeque<Request>,
    ends: VecDeque<End>,
    schedule: Schedule,
    /// Which of the RES that wait have given their block back is not known: the next one that is answered is one behind one of these
    /// places. Cycles since none waits.
    unsure: bool,
    next: Vec<usize>,
    calm: u64,
    /// The offer of the last cycle, if it was not taken.
    standing: Option<Answer>,
    /// Cycles without an offer though a reply is owed; in which a RES could be answered, and the ends since then; and without `end_ok`.
    idle: u64,
    held: u64,
    ends_before: u64,
    shut: u64,
    pub counts: Served,
}

impl Destination {
    pub fn new(p: &Params, settings: &Settings) -> Destination {
        Destination {
            dedup: p.dedup,
            blocks: p.ctl_blocks,
            places: p.repq,
            largest: (p.nmax * p.mtu) as u64,
            all_chunks: (p.flows * p.nmax * p.mtu) as u64,
            half: 1 << (p.now_w - 1),
            done: settings.get("done"),
            reply: settings.get("reply"),
            serve: settings.get("serve"),
            turns: settings.get("taken"),
            requests: VecDeque::new(),
            ends: VecDeque::new(),
            schedule: Schedule::new(p.now_w, settings.get("walk")),
            unsure: false,
            next: vec![0],
            calm: 0,
            standing: None,
            idle: 0,
            held: 0,
            ends_before: 0,
            shut: 0,
            counts: Served::default(),
        }
    }

    /// A cycle.
    pub fn cycle(
        &mut self,
        io: &Io,
        r: &Registers,
        input: &[u32],
        output: &[u32],
        now: u64,
    ) -> Result<(), Broken> {
        if is(output, io.rin_done) {
            self.home(now)?;
        }
        self.offer(io.answer(output), r, now)?;
        self.progress(is(output, io.end_ok), r, now)?;
        if is(input, io.out_ready) {
            self.standing = None;
        }
        self.came(io, r, input, output, now);
        Ok(())
    }

    // What comes.

    fn came(&mut self, io: &Io, r: &Registers, input: &[u32], output: &[u32], now: u64) {
        if is(input, io.walk_valid) {
            let on = r.bit(WALKIN, now);
            if on.may {
                let (least, most) = r.paces(input[io.walk_len].into(), now);
                // (Where a RES waits, that may be first. One cycle more where the link is free.)
                let sure = on.must && self.requests.is_empty();
                let near = r.paces(self.all_chunks, now);
                self.schedule.walk(Walk { at: now, booked: (least, most + 1), near, sure });
                self.counts.walks += 1;
            }
        }
        if is(input, io.end_valid) {
            let sure = is(output, io.end_ok);
            self.ends_before += 1;
            self.ends.push_back(End {
                kind: if is(input, io.end_bad) { NACK } else { ACK },
                lid: input[io.end_slid],
                sl: input[io.end_sl],
                id: input[io.end_id],
                seq: input[io.end_seq],
                rty: self.dedup && is(input, io.end_rty),
                sure,
            });
        }
        if is(input, io.rin_valid) {
            let size = u64::from(input[io.rin_size]);
            let waiting = if self.unsure {
                self.requests.len()
            } else {
                self.requests.iter().filter(|q| q.done.is_none()).count()
            };
            let sure = waiting < self.blocks;
            let bad = size == 0 || size > self.largest;
            self.calm = 0;
            if !sure && !self.unsure {
                self.unsure = true;
                self.requests.retain(|q| q.granted.is_none());
            }
            self.requests.push_back(Request {
                lid: input[io.rin_slid],
                sl: input[io.rin_sl],
                id: input[io.rin_id],
                size,
                init: self.dedup && is(input, io.rin_init),
                at: now,
                sure,
                bad,
                long: r.booked(size, now).1 >= self.half,
                done: None,
                granted: None,
            });
        }
    }

    /// A block comes home.
    fn home(&mut self, now: u64) -> Result<(), Broken> {
        (self.held, self.ends_before) = (0, 0);
        if self.unsure {
            return Ok(());
        }
        let Some(q) = self.requests.iter_mut().find(|q| q.done.is_none()) else {
            return broken("done", "Q13", "rin_done, though no RES waits".into());
        };
        q.done = Some(now);
        self.counts.refused += u64::from(q.bad);
        self.requests.retain(|q| q.done.is_none() || !q.bad && q.granted.is_none());
        Ok(())
    }

    // What goes.

    fn offer(&mut self, offer: Option<Answer>, r: &Registers, now: u64) -> Result<(), Broken> {
        if let Some(was) = self.standing.filter(|s| offer != Some(*s)) {
            let text = format!("a reply on offer changed though it was not taken: {was:?} became {offer:?}");
            return broken("dropped", "Q12", text);
        }
        let Some(a) = offer else { return Ok(()) };
        if self.standing.is_some() {
            return Ok(());
        }
        self.standing = offer;
        if a.kind == GRANT { self.grant(a, r, now) } else { self.ack(a) }
    }

    fn ack(&mut self, a: Answer) -> Result<(), Broken> {
        let fits = |e: &End| {
            (e.kind, e.lid, e.sl, e.id, e.seq, e.rty, 0, false)
                == (a.kind, a.lid, a.sl, a.id, a.seq, a.rty, a.wait, a.init)
        };
        let due = self.ends.iter().position(|e| e.sure).unwrap_or(self.ends.len());
        match self.ends.iter().take(due + 1).position(fits) {
            Some(at) => {
                self.ends.drain(..=at);
                self.counts.acks += 1;
                Ok(())
            }
            None => {
                let next = self.ends.front().map_or("no end of a packet is to be answered".into(), |e| {
                    format!("the next end that is to be answered: {e:?}")
                });
                broken("reply", "Q12", format!("{a:?}: {next}"))
            }
        }
    }

    fn grant(&mut self, a: Answer, r: &Registers, now: u64) -> Result<(), Broken> {
        for q in &mut self.requests {
            q.long |= r.booked(q.size, q.at).1 >= self.half;
        }
        let found = self.answered(&a);
        let Some(&at) = found.first() else {
            let next = self.requests.iter().find(|q| q.granted.is_none());
            let next = next.map_or("none".into(), |q| format!("{q:?}"));
            return broken("reply", "Q13", format!("{a:?}: the next RES that waits: {next}"));
        };
        let q = self.requests[at];
        let (least, most) = match (self.unsure, q.done) {
            (false, Some(c)) => (c.saturating_sub(1 + self.done), (c + self.done).saturating_sub(1)),
            (false, None) => (now.saturating_sub(1 + self.done), now),
            (true, _) => (q.at, now),
        };
        let most = most.min(now.saturating_sub(1));
        let made = (least.max(q.at).min(most), most);
        self.counts.grants += 1;
        self.counts.loose += u64::from(self.unsure);
        self.counts.waits += u64::from(a.wait > 0);
        let lasts = found.iter().map(|i| r.booked(self.requests[*i].size, made.0));
        let lasts = lasts.reduce(|x, y| (x.0.min(y.0), x.1.max(y.1))).unwrap_or((0, 0));
        self.booked(a, made, lasts)?;
        if self.unsure {
            self.next = found.iter().map(|i| i - at).collect();
            self.requests.drain(..=at);
        } else {
            self.requests[at].granted = Some(now);
            // What was before it is not granted any more.
            let mut k = 0;
            self.requests.retain(|q| {
                k += 1;
                let gone = q.done.is_some() && (k <= at || q.granted.is_some());
                !gone
            });
        }
        Ok(())
    }

    /// The RES that a GRANT may answer, the first one first; it is only one where it is known which ones wait.
    fn answered(&self, a: &Answer) -> Vec<usize> {
        let fits =
            |q: &Request| (q.lid, q.sl, q.id, q.init, 0, false) == (a.lid, a.sl, a.id, a.init, a.seq, a.rty);
        let mut found = Vec::new();
        for start in &self.next {
            for (at, q) in self.requests.iter().enumerate().skip(*start).filter(|(_, q)| q.granted.is_none())
            {
                if fits(q) && !q.bad && !found.contains(&at) {
                    found.push(at);
                }
                if q.owed() {
                    break;
                }
            }
        }
        found.sort_unstable();
        found.truncate(if self.unsure { found.len() } else { 1 });
        found
    }

    /// The time of a GRANT is the link's next one.
    fn booked(&mut self, a: Answer, made: (u64, u64), lasts: (u64, u64)) -> Result<(), Broken> {
        if a.wait + lasts.0 >= self.half {
            let text = format!(
                "{a:?}: so far ahead nothing is granted: {} and {} cycles are {} or more",
                a.wait, lasts.0, self.half
            );
            return broken("far", "Q10", text);
        }
        match self.schedule.grant(made, a.wait, lasts) {
            Ok(known) => self.counts.exact += u64::from(known),
            Err(wrong) => {
                let text = format!(
                    "{a:?}, made in cycle {} to {} (since ready), so its time begins in {} to {}",
                    made.0,
                    made.1,
                    made.0 + a.wait,
                    made.1 + a.wait
                );
                return match wrong {
                    Wrong::Overlap(t) => broken(
                        "overlap",
                        "Q10 Q11 Q15",
                        format!("{text}: the link is booked until {t} at least"),
                    ),
                    Wrong::Gap(t) => broken(
                        "gap",
                        "Q10 Q11",
                        format!("{text}: the link is free from {t} on at the latest"),
                    ),
                };
            }
        }
        Ok(())
    }

    // Who waits.

    /// Replies that have a place, at most.
    fn inside(&self) -> usize {
        let grants = self.requests.iter().filter(|q| q.done.is_some() && q.granted.is_none()).count();
        self.ends.len() + grants + usize::from(self.standing.is_some())
    }

    /// When none waits for long that must be answered, all is known again.
    fn settle(&mut self, r: &Registers, now: u64) {
        let far = || self.schedule.latest() + r.booked(self.largest, now).1 >= now + self.half;
        let waits = self.standing.is_some()
            || self.requests.iter().any(Request::owed)
            || self.unsure && !self.requests.is_empty() && far();
        self.calm = if waits { 0 } else { self.calm + 1 };
        if self.unsure && self.calm > (self.serve + self.done).max(CALM) {
            self.requests.clear();
            (self.unsure, self.next) = (false, vec![0]);
        }
    }

    fn progress(&mut self, end_ok: bool, r: &Registers, now: u64) -> Result<(), Broken> {
        self.settle(r, now);
        let oldest = self.requests.iter().find_map(|q| q.granted.filter(|_| q.done.is_none()));
        if oldest.is_some_and(|g| now - g > self.done) {
            let text = format!("no rin_done within {} cycles after the GRANT of a RES was seen", self.done);
            return broken("leak", "Q13", text);
        }
        // No GRANT that is to be seen was made before this.
        let next = self.requests.iter().find(|q| q.granted.is_none());
        let made = next.and_then(|q| if self.unsure { Some(q.at) } else { q.done }).unwrap_or(now);
        self.schedule.settle(made.saturating_sub(self.done + 1));

        let owed = self.ends.iter().any(|e| e.sure)
            || !self.unsure
                && self.requests.iter().any(|q| q.owed() && q.done.is_some() && q.granted.is_none());
        self.idle = if owed && self.standing.is_none() { self.idle + 1 } else { 0 };
        if self.idle > self.reply {
            let text = format!("no reply on offer for {} cycles, though one is owed", self.reply);
            return broken("unanswered", "Q12", text);
        }
        let room = self.inside() < self.places;
        self.shut = match (end_ok, room && !self.unsure) {
            (true, _) => 0,
            (false, more) => self.shut + u64::from(more),
        };
        if self.shut > self.serve {
            let text =
                format!("no last flit may be shown in {} cycles in which its reply has room", self.serve);
            return broken("shut", "Q12", text);
        }
        self.served(room, r, now)
    }

    /// The first RES that waits is served.
    fn served(&mut self, room: bool, r: &Registers, now: u64) -> Result<(), Broken> {
        let first = self.requests.iter().find(|q| q.done.is_none());
        let due = first.filter(|q| !self.unsure && q.sure && !q.long).is_some_and(|q| {
            let made = self.requests.iter().filter(|q| q.done.is_some() && q.granted.is_none());
            let booked: u64 = made.chain([q]).map(|q| r.booked(q.size, q.at).1).sum();
            let ahead = self.schedule.latest().saturating_sub(now) + booked;
            q.bad || ahead + 4 < self.half
        });
        if !due {
            (self.held, self.ends_before) = (0, 0);
            return Ok(());
        }
        self.held += u64::from(room || first.is_some_and(|q| q.bad));
        if self.held > self.serve && self.ends_before > self.turns {
            let text = format!("{} ends of packets were answered before a RES", self.ends_before);
            return broken("starved", "Q12 Q13", text);
        }
        if self.held > self.serve && self.ends_before == 0 {
            let text = format!("a RES waits for {} cycles in which its GRANT has room", self.serve);
            return broken("unserved", "Q10 Q13", text);
        }
        Ok(())
    }
}
