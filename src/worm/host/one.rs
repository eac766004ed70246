//! One host: what it creates, what waits, what it offers its adapter.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::connection::{Connection, Item, State};
use super::ledger::{OfFrame, Sent};
use super::shared::{Got, Shared};
use super::tags::{Held, Tags};
use super::words::Mark;
use crate::fabric::traffic::Random;
use crate::worm::metrics::{Arrival, Refusal};
use crate::worm::port::{Class, Cqe, Done, Event, EventKind, Offer, Open, Post, Shown};
use crate::worm::traffic::{HostTraffic, NEVER, Poisson, Scattered};

// What `done_why` says.
const WHY_NO_BANDWIDTH: u8 = 3;
const WHY_SUM_C: u8 = 4;
const WHY_FULL: u8 = 5;
const WHY_NO_CREDIT: u8 = 6;

/// Low bits of the random numbers that are added to RETRY.
const RETRY_BITS: u64 = 0xfff;

/// What happens at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// A message of no stream, of which source.
    Scattered(usize),
    /// A stream asks.
    Ask(usize),
    /// A message of a stream.
    Part(usize),
    /// A stream that was refused tries again.
    Wake(usize),
}

/// What is posted.
#[derive(Clone, Copy, Debug)]
enum What {
    Scattered(Class, Scattered),
    Stream(usize, Item),
}

/// One of those that post by turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Consumer {
    BestEffort,
    Stream(usize),
}

/// A post that the adapter has taken and not yet decided on.
#[derive(Clone, Copy, Debug)]
struct Posting {
    what: What,
    tag: u16,
    /// When it was taken.
    at: u64,
}

/// A host.
#[derive(Debug)]
pub(super) struct Host {
    number: usize,
    sources: Vec<Poisson>,
    streams: Vec<Connection>,
    due: BinaryHeap<Reverse<(u64, Due)>>,
    /// Streams to be opened, first come, first served; the one whose open is at the adapter.
    opens: VecDeque<usize>,
    opening: Option<usize>,
    control: VecDeque<Scattered>,
    best_effort: VecDeque<Scattered>,
    /// Those that have something to post, by turns; best-effort is among them.
    ring: VecDeque<Consumer>,
    best_effort_in_ring: bool,
    /// Control is before the ring.
    control_next: bool,
    /// Until when nothing is tried, unless a completion says that there is room: of control, of best-effort for want of credits,
    /// of all in the ring for want of room in the adapter.
    control_until: u64,
    credit_until: u64,
    room_until: u64,
    posting: Option<Posting>,
    tags: Tags,
    random: Random,
    stopped: bool,
}

impl Host {
    /// Before its first cycle. Its streams are numbered from `first` on.
    pub(super) fn new(number: usize, traffic: HostTraffic, first: usize, random: Random) -> Host {
        let mut due = BinaryHeap::new();
        for (i, source) in traffic.scattered.iter().enumerate() {
            due.push(Reverse((source.next(), Due::Scattered(i))));
        }
        for (i, stream) in traffic.streams.iter().enumerate() {
            if let Some(next) = stream.next() {
                due.push(Reverse((stream.start, Due::Ask(i))));
                due.push(Reverse((next, Due::Part(i))));
            }
        }
        due.retain(|Reverse((t, _))| *t != NEVER);
        let connection = |(i, stream)| Connection::new(stream, first + i);
        Host {
            number,
            sources: traffic.scattered,
            streams: traffic.streams.into_iter().enumerate().map(connection).collect(),
            due,
            opens: VecDeque::new(),
            opening: None,
            control: VecDeque::new(),
            best_effort: VecDeque::new(),
            ring: VecDeque::new(),
            best_effort_in_ring: false,
            control_next: true,
            control_until: 0,
            credit_until: 0,
            room_until: 0,
            posting: None,
            tags: Tags::default(),
            random,
            stopped: false,
        }
    }

    /// Nothing is to come, and nothing waits.
    pub(super) fn is_idle(&self) -> bool {
        let changing = |c: &Connection| {
            matches!(c.state, State::Asking | State::Probing | State::Closing) || !c.queue.is_empty()
        };
        self.due.is_empty()
            && self.posting.is_none()
            && self.opening.is_none()
            && self.tags.is_empty()
            && self.control.is_empty()
            && self.best_effort.is_empty()
            && !self.streams.iter().any(changing)
    }

    /// Nothing more is created; what the adapter has not accepted is given up. With `close` open streams end.
    pub(super) fn stop(&mut self, t: u64, close: bool) {
        self.stopped = true;
        self.due.clear();
        self.control.clear();
        self.best_effort.clear();
        let given_up: Vec<usize> = self.opens.drain(..).collect();
        given_up.into_iter().for_each(|i| self.streams[i].state = State::Idle);
        for i in 0..self.streams.len() {
            let c = &mut self.streams[i];
            c.asleep = false;
            c.queue.retain(|item| matches!(item, Item::Final(_)));
            if close {
                self.ends(i, t);
            }
            self.make_ready(i);
        }
    }

    /// A cycle.
    pub(super) fn cycle(&mut self, t: u64, shown: &Shown, all: &mut Shared) -> Offer {
        if let Some(done) = shown.done {
            self.done(t, done, all);
        }
        if let Some(event) = shown.event {
            self.event(t, event, all);
        }
        if let Some(cqe) = shown.cqe {
            self.completes(t, cqe, all);
        }
        self.receive(t, shown, all);
        while let Some(&Reverse((at, what))) = self.due.peek()
            && at <= t
        {
            self.due.pop();
            self.happens(t, what, all);
        }
        Offer {
            open: if shown.open_ready { self.open() } else { None },
            post: if shown.post_ready && self.posting.is_none() { self.post(t) } else { None },
            dma: shown.dma.map_or([0; 4], |(tag, index)| self.word(t, tag, index, all)),
        }
    }

    // What is due.

    fn happens(&mut self, t: u64, what: Due, all: &mut Shared) {
        match what {
            Due::Scattered(i) => {
                let source = &mut self.sources[i];
                let m = source.take();
                let (class, next) = (source.class, source.next());
                all.meter.created(m.created, class, m.len.into());
                match class {
                    Class::Control => self.control.push_back(m),
                    _ => self.best_effort.push_back(m),
                }
                if next != NEVER {
                    self.due.push(Reverse((next, Due::Scattered(i))));
                }
            }
            Due::Ask(i) => {
                let c = &mut self.streams[i];
                if !c.asked {
                    c.asked = true;
                    all.meter.asked(c.source.bw);
                }
                c.state = State::Asking;
                self.opens.push_back(i);
            }
            Due::Part(i) => self.part(t, i, all),
            Due::Wake(i) => {
                self.streams[i].asleep = false;
                self.make_ready(i);
            }
        }
    }

    /// A message of a stream is created.
    fn part(&mut self, t: u64, i: usize, all: &mut Shared) {
        let c = &mut self.streams[i];
        let Some(part) = c.source.take() else { return };
        all.meter.created(part.created, Class::RealTime, part.len.into());
        if part.first && c.is_shut_out() {
            c.without = Some(part.frame);
            if c.source.frames {
                all.meter.frame_rejected(part.created);
            }
        }
        if c.without == Some(part.frame) {
            all.meter.rejected(part.created, part.len.into());
        } else {
            c.queue.push_back(Item::Part(part));
        }
        match c.source.next() {
            Some(next) => self.due.push(Reverse((next, Due::Part(i)))),
            None => self.ends(i, t),
        }
        self.make_ready(i);
    }

    /// A stream has no more messages: it closes if it is open, or when it is.
    fn ends(&mut self, i: usize, t: u64) {
        let c = &mut self.streams[i];
        if c.ends {
            return;
        }
        c.ends = true;
        if c.state == State::Open {
            c.queue.push_back(Item::Final(t));
        }
    }

    fn make_ready(&mut self, i: usize) {
        if self.streams[i].becomes_ready() {
            self.ring.push_back(Consumer::Stream(i));
        }
    }

    // What the adapter says.

    fn done(&mut self, t: u64, done: Done, all: &mut Shared) {
        if done.post {
            return self.posted(t, done, all);
        }
        let Some(i) = self.opening.take().filter(|&i| i == usize::from(done.tag)) else {
            return all.fault(t, self.number, format!("an answer to an open of connection {}", done.tag));
        };
        match done.why {
            0 if done.ok => self.streams[i].state = State::Probing,
            WHY_NO_BANDWIDTH | WHY_SUM_C if !done.ok => {
                all.meter.stream_refused(done.why == WHY_SUM_C);
                self.not_admitted(t, i, all);
            }
            why => all.fault(
                t,
                self.number,
                format!("the open of connection {i} is refused as wrong (why {why})"),
            ),
        }
    }

    fn event(&mut self, t: u64, event: Event, all: &mut Shared) {
        let i = usize::from(event.conn);
        let state = self.streams.get(i).map(|c| c.state);
        match (event.kind, state) {
            (EventKind::Open, Some(State::Probing)) => {
                let c = &mut self.streams[i];
                c.state = State::Open;
                all.meter.opened(c.source.bw);
                if c.ends {
                    c.queue.push_back(Item::Final(t));
                }
                self.make_ready(i);
            }
            (EventKind::Rejected, Some(State::Probing)) => {
                all.meter.stream_rejected();
                self.not_admitted(t, i, all);
            }
            (EventKind::Closed, Some(State::Closing)) => {
                self.streams[i].state = State::Closed;
                all.meter.closed();
            }
            (kind, state) => {
                all.fault(t, self.number, format!("event {kind:?} of connection {i} in state {state:?}"));
            }
        }
    }

    /// YA8: a stream was not admitted. What waits is lost; it asks again later.
    fn not_admitted(&mut self, t: u64, i: usize, all: &mut Shared) {
        let c = &mut self.streams[i];
        (c.refused, c.state) = (true, State::Idle);
        for item in c.queue.drain(..) {
            let Item::Part(part) = item else { continue };
            all.meter.rejected(t, part.len.into());
            if part.first && c.source.frames {
                all.meter.frame_rejected(t);
            }
            c.without = (!part.last).then_some(part.frame);
        }
        if !c.ends && !self.stopped {
            let later = all.retry + (self.random.bits() & RETRY_BITS);
            self.due.push(Reverse((t + later, Due::Ask(i))));
        }
    }

    /// What became of a post.
    fn posted(&mut self, t: u64, done: Done, all: &mut Shared) {
        let Some(p) = self.posting.take().filter(|p| p.tag == done.tag) else {
            return all.fault(t, self.number, format!("an answer to a post with tag {}", done.tag));
        };
        if done.ok {
            return self.accepted(t, &p, all);
        }
        self.tags.give_back(p.tag);
        let why = match done.why {
            WHY_FULL => Refusal::Full,
            WHY_NO_CREDIT => Refusal::NoCredit,
            why => return all.fault(t, self.number, format!("{:?} is refused as wrong (why {why})", p.what)),
        };
        let until = t + all.rtry;
        if why == Refusal::Full {
            match p.what {
                What::Scattered(Class::Control, _) => self.control_until = until,
                _ => self.room_until = until,
            }
        }
        match p.what {
            What::Scattered(class, m) => {
                all.meter.refused(t, class, why);
                if self.stopped {
                    return;
                }
                match (class, why) {
                    (Class::Control, _) => self.control.push_front(m),
                    (_, Refusal::Full) => {
                        self.best_effort.push_front(m);
                        self.has_turn_again(Consumer::BestEffort);
                    }
                    (_, Refusal::NoCredit) => {
                        self.best_effort.push_front(m);
                        self.credit_until = until;
                    }
                }
            }
            What::Stream(i, item) => {
                all.meter.refused(t, Class::RealTime, why);
                self.refused(t, i, item, why, all);
            }
        }
    }

    /// It had its turn in vain: the adapter has no room for anybody.
    fn has_turn_again(&mut self, consumer: Consumer) {
        match consumer {
            Consumer::BestEffort => self.best_effort_in_ring = true,
            Consumer::Stream(i) => {
                if !self.streams[i].becomes_ready() {
                    return;
                }
            }
        }
        self.ring.push_front(consumer);
    }

    /// A real-time post was refused. Its frame is dropped if its deadline has passed. Else for want of credits it is tried again
    /// after a while (YC1), for want of room as soon as there is some.
    fn refused(&mut self, t: u64, i: usize, item: Item, why: Refusal, all: &mut Shared) {
        let c = &mut self.streams[i];
        c.posting = false;
        match item {
            Item::Part(_) if self.stopped => {}
            Item::Part(part) if t >= part.born + c.source.deadline => {
                let of_frame = |item: &Item| matches!(item, Item::Part(p) if p.frame == part.frame);
                all.meter.dropped(t, part.len.into());
                while let Some(Item::Part(p)) = c.queue.front().copied().filter(of_frame) {
                    all.meter.dropped(t, p.len.into());
                    c.queue.pop_front();
                }
                if c.source.frames {
                    all.meter.frame_dropped(t);
                }
            }
            item => {
                c.queue.push_front(item);
                if why == Refusal::NoCredit {
                    c.asleep = true;
                    self.due.push(Reverse((t + all.rtry, Due::Wake(i))));
                }
            }
        }
        match why {
            Refusal::Full => self.has_turn_again(Consumer::Stream(i)),
            Refusal::NoCredit => self.make_ready(i),
        }
    }

    fn accepted(&mut self, t: u64, p: &Posting, all: &mut Shared) {
        let Some(held) = self.tags.get_mut(p.tag) else { return };
        let (dst, created, last, of) = match p.what {
            What::Scattered(_, m) => (m.dst, m.created, false, None),
            What::Stream(i, item) => {
                let c = &mut self.streams[i];
                c.posting = false;
                match item {
                    Item::Final(since) => {
                        c.state = State::Closing;
                        (c.source.dst, since, true, None)
                    }
                    Item::Part(part) => {
                        let of = OfFrame {
                            stream: c.id,
                            frame: part.frame,
                            born: part.born,
                            time: c.source.deadline,
                            last: part.last,
                        };
                        (c.source.dst, part.created, false, Some(of).filter(|_| c.source.frames))
                    }
                }
            }
        };
        let sent = Sent {
            dst: dst as usize,
            class: held.class,
            conn: held.conn,
            len: held.len,
            last,
            created,
            posted: p.at,
            ahead: 0,
            left: None,
            unsure: false,
            of,
        };
        held.seq = Some(all.ledger.sent(self.number, sent));
        all.meter.accepted(t, held.class, held.len.into());
        if let What::Stream(i, _) = p.what {
            self.make_ready(i);
        }
    }

    /// A message has left: a credit.
    fn completes(&mut self, t: u64, cqe: Cqe, all: &mut Shared) {
        match self.tags.give_back(cqe.tag) {
            Some(Held { class, conn, seq: Some(seq), .. }) if (class, conn) == (cqe.class, cqe.conn) => {
                // The completion is in the cycle after the tail.
                all.ledger.left(self.number, seq, t - 1);
                match class {
                    Class::Control => self.control_until = 0,
                    Class::RealTime => self.room_until = 0,
                    Class::BestEffort => (self.room_until, self.credit_until) = (0, 0),
                }
            }
            held => {
                all.fault(t, self.number, format!("completion {cqe:?} of what is {held:?}"));
            }
        }
    }

    fn receive(&mut self, t: u64, shown: &Shown, all: &mut Shared) {
        for lane in (0..16).filter(|lane| shown.cut >> lane & 1 != 0) {
            if let Err(what) = all.ledger.cut(self.number, lane) {
                all.fault(t, self.number, format!("{what}: it is cut at the adapter"));
            }
        }
        let Some(flit) = &shown.delivered else { return };
        match all.ledger.flit(self.number, flit) {
            Err(what) => all.fault(t, self.number, what),
            Ok(None) => {}
            Ok(Some((src, sent))) => {
                let got = &mut all.got[src][sent.class as usize];
                *got = Got { last: t, messages: got.messages + 1 };
                all.meter.delivered(&Arrival {
                    class: sent.class,
                    flits: sent.len.into(),
                    created: sent.created,
                    posted: sent.posted,
                    left: sent.left.unwrap_or(t),
                    at: t,
                });
                if let Some(of) = sent.of.filter(|of| of.last) {
                    all.meter.frame(of.stream, of.frame, of.born, of.time, t);
                }
            }
        }
    }

    // What the host offers.

    fn open(&mut self) -> Option<Open> {
        if self.opening.is_some() {
            return None;
        }
        let i = self.opens.pop_front()?;
        self.opening = Some(i);
        let s = &self.streams[i].source;
        Some(Open { conn: i as u16, dlid: s.dst as u16 + 1, bw: s.bw })
    }

    /// Something to post.
    fn next(&mut self, t: u64) -> Option<What> {
        if !self.best_effort_in_ring && !self.best_effort.is_empty() && t >= self.credit_until {
            self.best_effort_in_ring = true;
            self.ring.push_back(Consumer::BestEffort);
        }
        let control = !self.control.is_empty() && t >= self.control_until;
        let others = !self.ring.is_empty() && t >= self.room_until;
        if control && (self.control_next || !others) {
            self.control_next = false;
            return self.control.pop_front().map(|m| What::Scattered(Class::Control, m));
        }
        self.control_next = true;
        if others { self.next_in_ring() } else { None }
    }

    fn next_in_ring(&mut self) -> Option<What> {
        match self.ring.pop_front()? {
            Consumer::BestEffort => {
                self.best_effort_in_ring = false;
                self.best_effort.pop_front().map(|m| What::Scattered(Class::BestEffort, m))
            }
            Consumer::Stream(i) => {
                let c = &mut self.streams[i];
                c.ready = false;
                let item = c.queue.pop_front()?;
                c.posting = true;
                Some(What::Stream(i, item))
            }
        }
    }

    fn post(&mut self, t: u64) -> Option<Post> {
        let what = self.next(t)?;
        let (class, conn, dst, len, last) = match what {
            What::Scattered(class, m) => (class, 0, m.dst, m.len, false),
            What::Stream(i, item) => {
                let dst = self.streams[i].source.dst;
                let (len, last) = match item {
                    Item::Part(part) => (part.len, false),
                    Item::Final(_) => (1, true),
                };
                (Class::RealTime, i as u16, dst, len, last)
            }
        };
        let tag = self.tags.take(Held { class, conn, len, seq: None });
        self.posting = Some(Posting { what, tag, at: t });
        Some(Post { class, conn, dlid: dst as u16 + 1, len, last, tag })
    }

    /// The flit that is asked for.
    fn word(&self, t: u64, tag: u16, index: u8, all: &mut Shared) -> [u32; 4] {
        match self.tags.get(tag) {
            Some(&Held { class, conn, len, seq: Some(seq) }) if (1..len).contains(&index) => {
                Mark { src: self.number as u16, class, conn, seq, len, index }.words()
            }
            held => {
                all.fault(
                    t,
                    self.number,
                    format!("flit {index} of tag {tag} is asked for, which is {held:?}"),
                );
                [0; 4]
            }
        }
    }
}
