//! What comes by the link (H2, B3): packets reach the host in order and as they came, credits say what is free, and what is whole is
//! answered or taken.

use std::collections::VecDeque;

use crate::cosim::events::arrivals::{Came, Flit};
use crate::cosim::events::credits::{Credits, Wrong};
use crate::cosim::events::scoreboard::{Broken, Regular, broken};

/// What the first flit of a packet says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub vl: usize,
    pub n: usize,
    pub slid: u16,
    pub sl: u32,
    pub psn: u32,
    /// It has a BTH that is seen; a CNP, an ACK; to one destination; and its marks FECN, BECN, MB, VB as bits 3 to 0.
    pub bth: bool,
    pub cnp: bool,
    pub ack: bool,
    pub mcast: bool,
    pub marks: u32,
}

impl Head {
    /// Data that may be answered.
    pub fn data(&self) -> bool {
        self.bth && !self.cnp && !self.ack && !self.mcast
    }

    pub fn becn(&self) -> bool {
        self.marks >> 2 & 1 == 1
    }
}

/// What may become of a first flit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct May {
    pub store: bool,
    pub take: bool,
    pub refuse: bool,
}

/// A packet that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    pub head: Head,
    /// It was accepted for sure; stored, or taken, for sure.
    pub sure: bool,
    pub stored: bool,
    pub taken: bool,
    /// With its last flit, undamaged.
    pub whole: bool,
}

/// A flit for the host.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stored {
    first: bool,
    last: bool,
    bad: bool,
    data: Vec<u32>,
}

/// A packet for the host.
#[derive(Clone, Debug)]
struct Packet {
    id: u64,
    vl: usize,
    /// It must be shown, to the end of what came of it.
    sure: bool,
    flits: VecDeque<Stored>,
    /// The cycle of the last of them that came.
    last: u64,
    n: usize,
    arrived: u64,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    head: Head,
    may: May,
    m: usize,
    /// Its place, if it may be stored.
    id: u64,
}

/// What was seen, how often.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub packets: u64,
    pub unsure: u64,
    pub refused: u64,
    pub shown: u64,
    pub credits: u64,
}

/// The receiver.
pub(super) struct Receiver {
    mtu: usize,
    open: Option<Open>,
    skips: bool,
    context: Option<usize>,
    credits: Vec<Credits>,
    messages: Regular,
    queue: VecDeque<Packet>,
    next: u64,
    /// The packet of which the host has a first flit and no last one, and the flits that it has.
    reading: Option<u64>,
    taken: Vec<Stored>,
    /// The host could take, and there was nothing, for so many cycles.
    idle: u64,
    pub counts: Counts,
}

impl Receiver {
    pub fn new(cap: &[usize], mtu: usize, credit: u64, early: u64, silence: u64) -> Receiver {
        Receiver {
            mtu,
            open: None,
            skips: false,
            context: None,
            credits: cap.iter().map(|c| Credits::new(*c, credit, early)).collect(),
            messages: Regular::new(cap.len(), silence),
            queue: VecDeque::new(),
            next: 0,
            reading: None,
            taken: Vec::new(),
            idle: 0,
            counts: Counts::default(),
        }
    }

    pub fn not_ready(&mut self, now: u64) {
        self.credits.iter_mut().for_each(|c| c.renew(now));
        self.messages.anew(now + 1);
    }

    /// FC_INTERVAL is written.
    pub fn every(&mut self, data: u32, now: u64) {
        self.messages.every(data, now);
    }

    // The host.

    /// The flit that the host sees; `takes`: and takes.
    pub fn shown(&mut self, flit: Option<&Flit>, takes: bool, most: u64, now: u64) -> Result<(), Broken> {
        let Some(flit) = flit else { return self.stands(takes, most, now) };
        self.idle = 0;
        let seen = Stored { first: flit.first, last: flit.last, bad: flit.bad, data: flit.data.to_vec() };
        // What need not be shown may be gone.
        let mut gone = 0;
        for p in &self.queue {
            let front = p.flits.front();
            if self.suits(p, &seen) {
                break;
            }
            if p.sure && front.is_some() {
                let kind = match front {
                    Some(f) if !seen.first && self.reading == Some(p.id) && f.data != seen.data => "intact",
                    Some(f) if f.data == seen.data => "framing",
                    _ => "host",
                };
                let text = format!(
                    "the host sees first = {}, last = {}, bad = {}, data {:x?}..; next is what is left of {}: {}",
                    u8::from(seen.first),
                    u8::from(seen.last),
                    u8::from(seen.bad),
                    &seen.data[..2],
                    p.told(),
                    front.map_or("nothing".into(), Stored::told)
                );
                return broken(kind, "H2", text);
            }
            gone += 1;
        }
        if gone == self.queue.len() {
            let text = format!("the host sees a flit that did not come: data {:x?}..", &seen.data[..2]);
            return broken("host", "H2", text);
        }
        for _ in 0..gone {
            self.forget(0);
        }
        if takes {
            self.takes(seen);
        }
        Ok(())
    }

    /// Whether a flit is the next one of a packet, or was so from its first one on, and another that is alike was taken for it.
    fn suits(&self, p: &Packet, seen: &Stored) -> bool {
        if seen.first || self.reading == Some(p.id) {
            return p.flits.front() == Some(seen) && (seen.first || self.reading == Some(p.id));
        }
        p.flits.len() > self.taken.len()
            && self.taken.iter().chain([seen]).eq(p.flits.iter().take(self.taken.len() + 1))
    }

    /// The host takes a flit, of the first packet.
    fn takes(&mut self, seen: Stored) {
        let Some(p) = self.queue.front_mut() else { return };
        let (vl, sure, id) = (p.vl, p.sure, p.id);
        let n = if seen.first || self.reading == Some(id) { 1 } else { self.taken.len() + 1 };
        p.flits.drain(..n);
        self.credits[vl].hold(-(n as i32), sure);
        self.counts.shown += 1;
        if seen.first {
            self.taken.clear();
        }
        let last = seen.last;
        self.taken.push(seen);
        self.reading = (!last).then_some(id);
        if !last {
            return;
        }
        self.queue.pop_front();
        // It may have been none, and the next one that must be shown be this one, if they are alike.
        let next = self.queue.iter_mut().find(|p| p.sure && !sure);
        if let Some(q) = next.filter(|q| self.taken.iter().eq(&q.flits)) {
            q.sure = false;
            let (vl, held) = (q.vl, q.flits.len() as i32);
            self.credits[vl].doubt(held);
        }
    }

    /// Nothing is shown.
    fn stands(&mut self, takes: bool, most: u64, now: u64) -> Result<(), Broken> {
        self.idle = if takes { self.idle + 1 } else { 0 };
        let waits = self.queue.iter().find(|p| !p.flits.is_empty());
        match waits {
            Some(p) if self.idle > most && p.sure && p.ended() && now - p.last > most => {
                let text = format!("the host sees nothing for {} cycles, and {} waits", self.idle, p.told());
                broken("hang", "H2", text)
            }
            _ => Ok(()),
        }
    }

    /// A packet in the queue is none, or no more.
    fn forget(&mut self, at: usize) {
        if let Some(p) = self.queue.remove(at) {
            self.credits[p.vl].hold(-(p.flits.len() as i32), p.sure);
            if self.open.is_some_and(|o| o.id == p.id) {
                // What else comes of it is of none.
                self.open = None;
                self.skips = true;
            }
        }
    }

    // Credits.

    /// A credit message in this cycle, or none.
    pub fn message(&mut self, message: Option<(usize, u16)>, now: u64) -> Result<(), Broken> {
        let vls = self.credits.len();
        if let Some((v, value)) = message {
            if v >= vls {
                return broken("credit", "F1", format!("a credit message for VL {v}: there are {vls}"));
            }
            self.messages.heard(v, now);
            self.counts.credits += 1;
            self.credits[v].message(value & 0xfff, now).map_err(|e| wrong(v, e))?;
        }
        for v in 0..vls {
            if self.credits[v].cycle(now).map_err(|e| wrong(v, e))? {
                while let Some(at) = self.queue.iter().position(|p| p.vl == v && !p.sure) {
                    self.forget(at);
                }
            }
            if let Some(most) = self.messages.late(v, now) {
                return broken("silent", "F1", format!("no credit message for VL {v} in {most} cycles"));
            }
        }
        Ok(())
    }

    // The link.

    /// The packet that comes ends here, unfinished.
    fn give_up(&mut self) {
        let Some(o) = self.open.take() else { return };
        if let Some(p) = self.queue.iter_mut().find(|p| p.id == o.id)
            && std::mem::take(&mut p.sure)
        {
            let vl = p.vl;
            let held = p.flits.len() as i32;
            self.credits[vl].doubt(held);
        }
    }

    /// The flit and the flow control message of a cycle; `first`: what a first flit says, and what may become of it. A packet that ended.
    pub fn receive(&mut self, came: &Came, first: Option<(Head, May)>, now: u64) -> Option<Ended> {
        if !came.link_up {
            self.give_up();
            (self.skips, self.context) = (false, None);
            self.credits.iter_mut().for_each(|c| c.down(now));
            self.messages.anew(now);
            return None;
        }
        if let Some((vl, sent)) = came.fctbs
            && let Some(c) = self.credits.get_mut(vl)
        {
            c.correct(sent & 0xfff, now);
        }
        let flit = came.flit?;
        let ended = if let Some((head, may)) = first {
            self.give_up();
            self.context = (head.vl < self.credits.len()).then_some(head.vl);
            self.begins(head, may, &flit, now)
        } else {
            self.goes_on(&flit, now)
        };
        if let Some(v) = self.context {
            self.credits[v].receive();
        }
        ended
    }

    fn begins(&mut self, head: Head, may: May, flit: &Flit, now: u64) -> Option<Ended> {
        self.skips = !flit.last;
        let bad = flit.bad && flit.last;
        let legal = self.context.is_some()
            && (1..=self.mtu).contains(&head.n)
            && (bad || flit.last == (head.n == 1))
            && (may.store || may.take);
        if !legal {
            self.counts.refused += 1;
            return None;
        }
        // What is taken needs no room.
        let refuse = may.refuse || may.store && !self.credits[head.vl].promised(head.n);
        let may = May { refuse, ..may };
        let sure = !may.refuse && !may.take;
        *(if sure || !may.refuse { &mut self.counts.packets } else { &mut self.counts.unsure }) += 1;
        self.next += 1;
        let id = self.next;
        if may.store {
            self.credits[head.vl].hold(1, sure);
            let stored = Stored { first: true, last: flit.last, bad, data: flit.data.to_vec() };
            self.queue.push_back(Packet {
                id,
                vl: head.vl,
                sure,
                flits: [stored].into(),
                last: now,
                n: head.n,
                arrived: now,
            });
        }
        let open = Open { head, may, m: 1, id };
        if flit.last {
            return Some(open.ended(!bad && head.n == 1));
        }
        self.skips = false;
        self.open = Some(open);
        None
    }

    fn goes_on(&mut self, flit: &Flit, now: u64) -> Option<Ended> {
        let Some(o) = &mut self.open else {
            if !self.skips {
                self.context = None;
            }
            self.skips &= !flit.last;
            return None;
        };
        o.m += 1;
        let (o, bad) = (*o, flit.bad && flit.last);
        let full = o.m == o.head.n;
        let ends = flit.last || full;
        let whole = flit.last && full && !bad;
        let stored = Stored { first: false, last: ends, bad: ends && !whole, data: flit.data.to_vec() };
        if let Some(p) = self.queue.iter_mut().find(|p| p.id == o.id) {
            p.flits.push_back(stored);
            p.last = now;
            let (vl, sure) = (p.vl, p.sure);
            self.credits[vl].hold(1, sure);
        }
        if !ends {
            return None;
        }
        self.open = None;
        self.skips = !flit.last;
        Some(o.ended(whole))
    }
}

impl Open {
    fn ended(&self, whole: bool) -> Ended {
        let May { store, take, refuse } = self.may;
        Ended { head: self.head, sure: !refuse, stored: !take, taken: !store, whole }
    }
}

impl Packet {
    fn ended(&self) -> bool {
        self.flits.back().is_some_and(|f| f.last)
    }

    fn told(&self) -> String {
        format!("the packet of {} flits on VL {} that came in cycle {}", self.n, self.vl, self.arrived)
    }
}

impl Stored {
    fn told(&self) -> String {
        let [first, last, bad] = [self.first, self.last, self.bad].map(u8::from);
        format!("first = {first}, last = {last}, bad = {bad}, data {:x?}..", &self.data[..2])
    }
}

fn wrong(vl: usize, wrong: Wrong) -> Broken {
    let (kind, text) = match wrong {
        Wrong::TooMuch(n) => ("overdrawn", format!("{n} blocks more than are free")),
        Wrong::TooLittle(n) => ("leak", format!("{n} blocks less than have been free for long")),
    };
    Broken { kind, rules: "F1", text: format!("VL {vl}, for what comes: credits for {text}") }
}
