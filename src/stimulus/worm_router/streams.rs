//! Streams: their ends ask for bandwidth, send, and give it back; beyond the router other nodes answer.

use rand::Rng;
use rand::rngs::SmallRng;

use super::head::{ACK, DATA, Head, NACK, OTHER, PROBE, RELEASE, REPLY_FLITS};
use super::sender::{Message, Sender};
use crate::params::Params;
use crate::stimulus::chance::{Chance, hit};

/// Streams at a time.
const MOST: usize = 40;

/// Cycles after which a stream of which nothing is heard is forgotten.
const PATIENCE: u32 = 3000;

/// How far a stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Its probe is under way; it went on from the router.
    Asks { passed: bool },
    /// It may send.
    Runs,
    /// A node beyond the router refused it.
    Refused(u16),
}

#[derive(Clone, Copy, Debug)]
struct Stream {
    input: usize,
    dlid: u32,
    head: Head,
    stage: Stage,
    age: u32,
}

/// All streams.
pub(super) struct Streams {
    ports: usize,
    vls: usize,
    live: Vec<Stream>,
    conn: u16,
    /// Chance that one begins, in a cycle; that one that runs ends.
    pub start: Chance,
    pub end: Chance,
    /// Chance that a node beyond the router refuses.
    pub refuse: Chance,
    /// What LIMIT, NEXT and BE_MASK were set to.
    pub limits: Vec<u32>,
    pub next: Vec<u32>,
    pub be_mask: u32,
}

impl Streams {
    pub(super) fn new(p: &Params) -> Streams {
        Streams {
            ports: p.ports,
            vls: p.vls,
            live: Vec::new(),
            conn: 0,
            start: 0,
            end: 0,
            refuse: 0,
            limits: vec![4096; p.ports],
            next: vec![0; p.ports],
            be_mask: 1 << (p.vls - 3),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.live.is_empty()
    }

    pub(super) fn forget(&mut self) {
        self.live.clear();
    }

    /// A real-time lane, if there is one.
    fn lane(&self, rng: &mut SmallRng) -> Option<usize> {
        let lanes: Vec<usize> = (0..self.vls - 2).filter(|v| self.be_mask >> v & 1 == 0).collect();
        (!lanes.is_empty()).then(|| lanes[rng.random_range(0..lanes.len())])
    }

    /// A share of the link of an output: little, all of it, a bit more, any.
    pub(super) fn bandwidth(&self, out: usize, rng: &mut SmallRng) -> u16 {
        let limit = self.limits[out % self.ports].min(4096);
        let share = match rng.random_range(0..10) {
            0 => 0,
            1 => limit,
            2 => limit + 1,
            3 => limit / 2,
            4 => limit / 2 + 1,
            5 => rng.random_range(0..=limit),
            6 => [4096, 4097, 0xffff, 255, 256][rng.random_range(0..5)],
            _ => rng.random_range(0..=limit / 4),
        };
        share as u16
    }

    /// The node beyond an output, mostly.
    fn node(&self, out: usize, rng: &mut SmallRng) -> u16 {
        if rng.random_ratio(1, 4) {
            return rng.random_range(0..4);
        }
        self.next[out % self.ports] as u16
    }

    /// What a header might say on a lane: probes, releases, replies, last messages, of streams that are there or not.
    pub(super) fn any_head(&self, lane: usize, out: usize, slid: u32, rng: &mut SmallRng) -> Head {
        let kind = match (lane + 1 == self.vls, lane + 2 == self.vls) {
            _ if rng.random_ratio(1, 16) => rng.random_range(0..8),
            (true, _) => [PROBE, PROBE, PROBE, RELEASE, RELEASE, OTHER][rng.random_range(0..6)],
            (_, true) => [ACK, NACK][rng.random_range(0..2)],
            _ => DATA,
        };
        let vl = match rng.random_range(0..8) {
            0 => rng.random_range(0..16),
            1 => rng.random_range(0..self.vls),
            _ if lane < self.vls - 2 => lane,
            _ => self.lane(rng).unwrap_or(0),
        };
        let (bw, node) = (self.bandwidth(out, rng), self.node(out, rng));
        let last = kind == DATA && rng.random_ratio(1, 2) || rng.random_ratio(1, 16);
        Head { kind, last, vl: vl as u8, slid: slid as u16, conn: 0xffff, bw, node, seq: bw as u8 & 0x3f }
    }

    /// A cycle: some begin, some go on. `table`: where DLIDs lead.
    pub(super) fn act(&mut self, senders: &mut [Sender], table: &[u32], rng: &mut SmallRng) {
        if hit(rng, self.start) && self.live.len() < MOST {
            self.begin(senders, table, rng);
        }
        let mut live = std::mem::take(&mut self.live);
        live.retain_mut(|s| {
            s.age += 1;
            match s.stage {
                Stage::Asks { .. } => s.age < PATIENCE,
                Stage::Runs if hit(rng, self.end) => {
                    self.finish(s, senders, rng);
                    false
                }
                Stage::Runs => {
                    let lane = s.head.vl as usize;
                    if senders[s.input].waiting(lane) == 0 && rng.random_ratio(1, 20) {
                        let flits = rng.random_range(1..8);
                        let head = Head { kind: DATA, last: false, ..s.head };
                        senders[s.input]
                            .push(lane, Message { flits, dlid: s.dlid, bad: false, head: Some(head) });
                    }
                    true
                }
                Stage::Refused(node) => {
                    let head = Head { kind: RELEASE, node, ..s.head };
                    self.control(s, head, senders, rng);
                    false
                }
            }
        });
        self.live = live;
    }

    fn control(&self, s: &Stream, head: Head, senders: &mut [Sender], rng: &mut SmallRng) {
        let flits = if rng.random() { 1 } else { rng.random_range(1..5) };
        senders[s.input].push(self.vls - 1, Message { flits, dlid: s.dlid, bad: false, head: Some(head) });
    }

    fn begin(&mut self, senders: &mut [Sender], table: &[u32], rng: &mut SmallRng) {
        let Some(lane) = self.lane(rng) else { return };
        let input = rng.random_range(0..self.ports);
        if senders[input].waiting(self.vls - 1) > 2 {
            return;
        }
        let there = |rng: &mut SmallRng| {
            let all: Vec<usize> = (0..table.len()).filter(|&d| table[d] < self.ports as u32).collect();
            if all.is_empty() { 0 } else { all[rng.random_range(0..all.len())] }
        };
        let (dlid, slid) = (there(rng), there(rng));
        self.conn = (self.conn + 1) & 0x7fff;
        let bw = self.bandwidth(table[dlid] as usize, rng);
        let (vl, slid) = (lane as u8, slid as u16);
        let head = Head {
            kind: PROBE,
            last: false,
            vl,
            slid,
            conn: self.conn,
            bw,
            node: rng.random(),
            seq: bw as u8 & 0x3f,
        };
        let s = Stream { input, dlid: dlid as u32, head, stage: Stage::Asks { passed: false }, age: 0 };
        self.control(&s, head, senders, rng);
        self.live.push(s);
    }

    /// The last message, perhaps the only one; or a release.
    fn finish(&self, s: &Stream, senders: &mut [Sender], rng: &mut SmallRng) {
        if rng.random_ratio(1, 3) {
            let head = Head { kind: RELEASE, node: 0xfffe, ..s.head };
            return self.control(s, head, senders, rng);
        }
        let flits = if rng.random() { 1 } else { rng.random_range(1..12) };
        let head = Head { kind: DATA, last: true, ..s.head };
        senders[s.input]
            .push(s.head.vl as usize, Message { flits, dlid: s.dlid, bad: false, head: Some(head) });
    }

    /// A header leaves the router by a port.
    pub(super) fn heard(&mut self, port: usize, words: &[u32], senders: &mut [Sender], rng: &mut SmallRng) {
        let (head, _) = Head::of(words);
        let Some(at) = self.live.iter().position(|s| s.head.conn == head.conn) else { return };
        let s = &mut self.live[at];
        match (head.kind, s.stage) {
            (PROBE, Stage::Asks { .. }) => {
                s.stage = Stage::Asks { passed: true };
                let (dlid, slid) = (u32::from(s.head.slid), s.dlid as u16);
                let kind = if hit(rng, self.refuse) { NACK } else { ACK };
                let near = self.next[port % self.ports] as u16;
                let node = if rng.random() { near } else { near ^ 0x4000 };
                let head = Head { kind, slid, node, ..s.head };
                let reply = Message { flits: REPLY_FLITS, dlid, bad: false, head: Some(head) };
                senders[port].push(self.vls - 2, reply);
            }
            (ACK, Stage::Asks { .. }) => s.stage = Stage::Runs,
            (NACK, Stage::Asks { passed: true }) => s.stage = Stage::Refused(head.node),
            (NACK, Stage::Asks { passed: false }) => {
                self.live.swap_remove(at);
            }
            _ => {}
        }
    }
}
