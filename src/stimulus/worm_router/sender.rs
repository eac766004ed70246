//! The other end of a link into the router: messages on lanes, within their credits.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore};

use super::head::Head;
use super::pace::Pace;
use crate::stimulus::chance::{Chance, hit};

/// A message to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stimulus) struct Message {
    pub flits: u32,
    pub dlid: u32,
    /// Its tail is bad.
    pub bad: bool,
    /// What its header says, if it is of a kind that admission knows.
    pub head: Option<Head>,
}

/// A flit on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stimulus) struct Flit {
    pub lane: usize,
    pub first: bool,
    pub last: bool,
    pub bad: bool,
    pub dlid: u32,
    pub head: Option<Head>,
}

/// What a flit is of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stimulus) enum Part {
    Header,
    Body,
    Tail,
    /// Both ends.
    Whole,
}

impl Part {
    /// A flit that is that; only one that begins a message has a header.
    pub(in crate::stimulus) fn flit(self, lane: usize, bad: bool, dlid: u32, head: Option<Head>) -> Flit {
        let (first, last) =
            (matches!(self, Part::Header | Part::Whole), matches!(self, Part::Tail | Part::Whole));
        Flit { lane, first, last, bad, dlid, head: head.filter(|_| first) }
    }
}

/// A lane of the link.
#[derive(Clone, Debug, Default)]
struct Lane {
    credits: i32,
    queue: VecDeque<Message>,
    /// Flits sent of the first message.
    sent: u32,
    /// Cycles at which pulses come.
    coming: VecDeque<u64>,
}

/// What may go wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::stimulus) struct Faults {
    /// A flit is sent without credit.
    pub rude: Chance,
    /// A message is left, and another begins.
    pub leave: Chance,
    /// A flit of no message; on a lane that is not there.
    pub stray: Chance,
    pub bad_vl: Chance,
    /// `bad` in the middle of a message.
    pub bad_inside: Chance,
}

/// The sender of a link.
#[derive(Clone, Debug)]
pub(in crate::stimulus) struct Sender {
    depth: usize,
    lanes: Vec<Lane>,
    /// Flits that a scenario sends, one a cycle, whatever the credits.
    pub flits: VecDeque<Option<Flit>>,
    pub pace: Pace,
    /// Chance that the lane of the flit before goes on.
    pub stick: Chance,
    last: usize,
    /// Cycles that pulses need, at least and at most.
    pub delay: (u64, u64),
    pub faults: Faults,
    /// A flit broke the rules since the link was up.
    pub spoilt: bool,
}

impl Sender {
    pub(in crate::stimulus) fn new(vls: usize, depth: usize) -> Sender {
        Sender {
            depth,
            lanes: vec![Lane { credits: depth as i32, ..Lane::default() }; vls],
            flits: VecDeque::new(),
            pace: Pace::ALWAYS,
            stick: 0,
            last: 0,
            delay: (0, 0),
            faults: Faults::default(),
            spoilt: false,
        }
    }

    /// Messages that wait on a lane, the one under way with them.
    pub(in crate::stimulus) fn waiting(&self, lane: usize) -> usize {
        self.lanes[lane].queue.len()
    }

    pub(in crate::stimulus) fn push(&mut self, lane: usize, message: Message) {
        self.lanes[lane].queue.push_back(message);
    }

    /// Nothing waits, and all credits are there.
    pub(in crate::stimulus) fn is_idle(&self) -> bool {
        let home = |l: &Lane| l.queue.is_empty() && l.coming.is_empty();
        self.flits.is_empty() && self.lanes.iter().all(home)
    }

    /// What waits is forgotten, and all credits are there.
    pub(in crate::stimulus) fn forget(&mut self) {
        self.flits.clear();
        for lane in &mut self.lanes {
            *lane = Lane { credits: self.depth as i32, ..Lane::default() };
        }
    }

    /// The link is down. Of a message that was under way the rest is lost, or follows when the link is up.
    pub(in crate::stimulus) fn fall(&mut self, rng: &mut SmallRng) {
        self.spoilt = false;
        for lane in &mut self.lanes {
            lane.credits = self.depth as i32;
            lane.coming.clear();
            if lane.sent > 0 && rng.random_ratio(3, 4) {
                lane.queue.pop_front();
                lane.sent = 0;
            }
        }
    }

    /// A credit pulse of the router.
    pub(in crate::stimulus) fn pulse(&mut self, lane: usize, cycle: u64, rng: &mut SmallRng) {
        let delay = rng.random_range(self.delay.0..=self.delay.1.max(self.delay.0));
        self.lanes[lane].coming.push_back(cycle + delay);
    }

    /// The flit of this cycle.
    pub(in crate::stimulus) fn flit(&mut self, cycle: u64, rng: &mut SmallRng) -> Option<Flit> {
        for lane in &mut self.lanes {
            while lane.coming.front().is_some_and(|&due| due <= cycle) {
                lane.coming.pop_front();
                lane.credits = (lane.credits + 1).min(self.depth as i32);
            }
        }
        if let Some(own) = self.flits.pop_front() {
            return own;
        }
        if !self.pace.is_on(rng, cycle) {
            return None;
        }
        let faults = self.faults;
        if hit(rng, faults.bad_vl) {
            let lane = rng.random_range(self.lanes.len()..=self.lanes.len().max(15));
            let first = rng.random();
            return Some(Flit { lane: lane & 15, first, last: true, bad: false, dlid: 0, head: None });
        }
        if hit(rng, faults.stray) {
            return self.stray(rng);
        }
        let rude = hit(rng, faults.rude);
        let can = |l: &Lane| !l.queue.is_empty() && (l.credits > 0 || rude);
        let n = self.lanes.len();
        let from = if hit(rng, self.stick) { self.last } else { rng.random_range(0..n) };
        let lane = (from..n).chain(0..from).find(|&v| can(&self.lanes[v]))?;
        self.last = lane;
        self.send(lane, rng)
    }

    /// The next flit of a lane's message.
    fn send(&mut self, lane: usize, rng: &mut SmallRng) -> Option<Flit> {
        let faults = self.faults;
        let of = &mut self.lanes[lane];
        if of.sent > 0 && of.queue.len() > 1 && hit(rng, faults.leave) {
            of.queue.pop_front();
            of.sent = 0;
            self.spoilt = true;
        }
        let message = *of.queue.front()?;
        let (first, last) = (of.sent == 0, of.sent + 1 >= message.flits);
        self.spoilt |= of.credits <= 0;
        of.credits -= 1;
        of.sent += 1;
        if last {
            of.queue.pop_front();
            of.sent = 0;
        }
        let bad = if last { message.bad } else { hit(rng, faults.bad_inside) };
        Some(Flit { lane, first, last, bad, dlid: message.dlid, head: message.head.filter(|_| first) })
    }

    /// A flit of no message, where none is under way.
    fn stray(&mut self, rng: &mut SmallRng) -> Option<Flit> {
        let n = self.lanes.len();
        let from = if rng.random() { self.last } else { rng.random_range(0..n) };
        let lane =
            (from..n).chain(0..from).find(|&v| self.lanes[v].sent == 0 && self.lanes[v].credits > 0)?;
        self.lanes[lane].credits -= 1;
        self.last = lane;
        let dlid = rng.next_u32() & 0xffff;
        Some(Flit { lane, first: false, last: rng.random(), bad: rng.random(), dlid, head: None })
    }
}
