//! Hosts for tests: best-effort messages to all others in turn, and streams that open, send a few messages, and end.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use crate::worm::port::{Class, EventKind, Flit, Hosts, Offer, Open, Post, Shown};

/// What every host does.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    /// Cycles between best-effort messages of a host.
    pub(super) gap: u64,
    /// Their flits.
    pub(super) len: u8,
    /// Connections that a host keeps opening; a third of a link each.
    pub(super) streams: u16,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// Messages that were accepted, and that came whole.
    pub(super) sent: u64,
    pub(super) received: u64,
    pub(super) opened: u64,
    pub(super) rejected: u64,
    pub(super) closed: u64,
    pub(super) wrong: Vec<String>,
    /// A sum of what came where and when.
    pub(super) trace: u64,
}

/// Data messages of a stream.
const MESSAGES: u32 = 3;

/// A connection, as its host sees it.
#[derive(Clone, Copy, Default)]
struct Stream {
    busy: bool,
    open: bool,
    /// Messages accepted.
    sent: u32,
    /// A post is on its way.
    posted: bool,
    /// Where it leads in turn.
    turn: u64,
}

/// A host.
#[derive(Default)]
struct Host {
    streams: Vec<Stream>,
    /// Of posts that were taken: tag, class, DLID, and whose stream.
    asked: HashMap<u16, (Class, u16, Option<u16>)>,
    next_tag: u16,
    /// Posts that were offered and not answered.
    pending: u32,
    turn: u64,
    /// Messages to post, by time.
    due: VecDeque<u16>,
    /// What is coming in on each lane: source, tag, next index; it is of a stream.
    coming: [Option<(u16, u16, u8, bool)>; 16],
    /// The last tag of each source and lane of streams.
    last: HashMap<(u16, u8), u16>,
}

/// All hosts.
pub(super) struct Simple {
    plan: Plan,
    hosts: Vec<Host>,
    told: Arc<Mutex<Told>>,
    stopped: bool,
    /// Messages that were accepted and have not come.
    under_way: u64,
}

impl Simple {
    pub(super) fn new(hosts: usize, plan: Plan) -> Simple {
        let host = || Host { streams: vec![Stream::default(); plan.streams.into()], ..Host::default() };
        Simple {
            plan,
            hosts: (0..hosts).map(|_| host()).collect(),
            told: Arc::default(),
            stopped: false,
            under_way: 0,
        }
    }

    pub(super) fn told(&self) -> Arc<Mutex<Told>> {
        self.told.clone()
    }
}

/// The destination of a host's `turn`th message.
fn target(host: usize, turn: u64, hosts: usize) -> u16 {
    let other = (turn * 7 + host as u64) % (hosts as u64 - 1);
    ((host as u64 + 1 + other) % hosts as u64) as u16 + 1
}

impl Host {
    /// What the adapter says of opens and posts.
    fn hear(&mut self, shown: &Shown, told: &mut Told, under_way: &mut u64) {
        if let Some(done) = shown.done {
            if done.post {
                self.pending -= 1;
                let (class, dlid, conn) = self.asked[&done.tag];
                if done.ok {
                    told.sent += 1;
                    *under_way += 1;
                }
                match conn {
                    Some(conn) => {
                        let s = &mut self.streams[usize::from(conn)];
                        s.posted = false;
                        s.sent += u32::from(done.ok);
                    }
                    None if !done.ok => self.due.push_front(dlid),
                    None => {}
                }
                if class == Class::Control {
                    told.wrong.push("a control message".into());
                }
            } else if !done.ok {
                let s = &mut self.streams[usize::from(done.tag)];
                s.busy = false;
                told.rejected += 1;
            }
        }
        if let Some(event) = shown.event {
            let s = &mut self.streams[usize::from(event.conn)];
            match event.kind {
                EventKind::Open => {
                    s.open = true;
                    told.opened += 1;
                }
                EventKind::Rejected => {
                    *s = Stream { turn: s.turn, ..Stream::default() };
                    told.rejected += 1;
                }
                EventKind::Closed => {
                    *s = Stream { turn: s.turn, ..Stream::default() };
                    told.closed += 1;
                }
            }
        }
    }

    /// A flit comes: indices rise in a message, tags in a lane of streams from one source. (Best-effort may draw other lanes, and pass.)
    fn take(&mut self, me: usize, f: &Flit, told: &mut Told, under_way: &mut u64) {
        let mut wrong = |what: &str| told.wrong.push(format!("host {me} lane {}: {what}: {f:?}", f.vl));
        let lane = usize::from(f.vl);
        if f.bad {
            wrong("cut");
        }
        if f.first {
            let two =
                |word: u32, shift: u32| ((word >> shift & 0xff) << 8 | word >> (shift + 8) & 0xff) as u16;
            let (dlid, slid) = (two(f.data[0], 16), two(f.data[1], 16));
            if usize::from(dlid) != me + 1 || self.coming[lane].is_some() {
                wrong("a header");
            }
            let stream = f.data[2] >> 8 & 2 != 0;
            self.coming[lane] = Some((slid, 0, 1, stream));
        } else if let Some((slid, tag, index, stream)) = self.coming[lane] {
            let [from, to, is, at] = f.data;
            let same = index == 1 || is as u16 == tag;
            if from as u16 + 1 != slid || to as usize != me + 1 || at != u32::from(index) || !same {
                wrong("not the flit that should follow");
            }
            self.coming[lane] = Some((slid, is as u16, index + 1, stream));
        } else {
            wrong("of no message");
        }
        if f.last
            && let Some((slid, tag, _, stream)) = self.coming[lane].take()
        {
            told.received += 1;
            *under_way -= 1;
            let before = if stream { self.last.insert((slid, f.vl), tag) } else { None };
            if before.is_some_and(|b| tag.wrapping_sub(b) as i16 <= 0) {
                told.wrong.push(format!("host {me} lane {}: {tag} of {slid} behind {before:?}", f.vl));
            }
        }
    }

    fn post(&mut self, class: Class, conn: Option<u16>, dlid: u16, len: u8, last: bool) -> Post {
        let tag = self.next_tag;
        self.next_tag = tag.wrapping_add(1);
        self.asked.insert(tag, (class, dlid, conn));
        self.pending += 1;
        Post { class, conn: conn.unwrap_or(0), dlid, len, last, tag }
    }
}

impl Hosts for Simple {
    fn cycle(&mut self, t: u64, host: usize, shown: &Shown) -> Offer {
        let (plan, all) = (self.plan, self.hosts.len());
        let mut told = self.told.lock().unwrap();
        let h = &mut self.hosts[host];
        h.hear(shown, &mut told, &mut self.under_way);
        if let Some(f) = shown.delivered {
            let place = (host as u64) << 32 | u64::from(f.vl) << 16;
            told.trace = told.trace.wrapping_mul(0x9e37_79b9).wrapping_add(t ^ place ^ u64::from(f.data[2]));
            h.take(host, &f, &mut told, &mut self.under_way);
        }
        if (t + host as u64 * 3).is_multiple_of(plan.gap) && !self.stopped {
            h.due.push_back(target(host, h.turn, all));
            h.turn += 1;
        }
        let mut offer = Offer::default();
        if let Some((tag, index)) = shown.dma {
            let (_, dlid, _) = h.asked[&tag];
            offer.dma = [host as u32, dlid.into(), tag.into(), index.into()];
        }
        if shown.open_ready && !self.stopped && (t + host as u64).is_multiple_of(97) {
            let free = h.streams.iter().position(|s| !s.busy);
            if let Some(conn) = free {
                let s = &mut h.streams[conn];
                s.busy = true;
                s.turn += 1;
                let dlid = target(host, s.turn + conn as u64, all);
                offer.open = Some(Open { conn: conn as u16, dlid, bw: 1365 });
            }
        }
        if shown.post_ready {
            let ready = h.streams.iter().position(|s| s.open && !s.posted && s.sent < MESSAGES);
            if let Some(conn) = ready.filter(|_| !t.is_multiple_of(4)) {
                let s = &mut h.streams[conn];
                s.posted = true;
                let (last, dlid) = (s.sent + 1 == MESSAGES, target(host, s.turn + conn as u64, all));
                offer.post = Some(h.post(Class::RealTime, Some(conn as u16), dlid, plan.len, last));
            } else if let Some(dlid) = h.due.pop_front() {
                offer.post = Some(h.post(Class::BestEffort, None, dlid, plan.len, false));
            }
        }
        offer
    }

    fn idle(&self) -> bool {
        let done = |h: &Host| h.due.is_empty() && h.pending == 0 && h.streams.iter().all(|s| !s.busy);
        self.stopped && self.under_way == 0 && self.hosts.iter().all(done)
    }

    fn stop(&mut self) {
        self.stopped = true;
    }
}
