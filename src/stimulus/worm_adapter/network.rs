//! The other end of the link: a router that takes flits and gives credits, and sends messages; and whoever answers probes.

use std::collections::BTreeMap;

use rand::Rng;
use rand::rngs::SmallRng;

use crate::stimulus::chance::{Chance, hit};
use crate::stimulus::worm_router::head::{ACK, Head, NACK, PROBE, RELEASE, REPLY_FLITS};
use crate::stimulus::worm_router::hop::Hop;
use crate::stimulus::worm_router::sender::{Message, Sender};

/// Cycles after which a probe is answered again, if nothing came of the answer.
const PATIENCE: u64 = 700;

/// Replies that wait for the link, at most.
const MOST: usize = 6;

/// A probe that was heard, and of which no end was told.
#[derive(Clone, Copy, Debug)]
struct Asked {
    head: Head,
    dlid: u32,
    /// It may be answered from this cycle on.
    from: u64,
}

/// How probes are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers {
    /// Chance of an answer in a cycle.
    pub rate: Chance,
    /// Chance that it is a NACK; that this is of the first node.
    pub refuse: Chance,
    pub near: Chance,
    /// Chance of a reply that nobody asked for, in a cycle.
    pub odd: Chance,
    /// Chance that a reply is of one flit.
    pub short: Chance,
}

/// The other end.
pub(super) struct Network {
    pub sender: Sender,
    pub hop: Hop,
    asked: Vec<Asked>,
    /// The last probe of each connection, and its DLID.
    last: BTreeMap<u16, (Head, u32)>,
    pub answers: Answers,
    conns: u32,
    reply: usize,
}

impl Network {
    pub(super) fn new(vls: usize, depth: usize, conns: usize) -> Network {
        Network {
            sender: Sender::new(vls, depth),
            hop: Hop::new(vls),
            asked: Vec::new(),
            last: BTreeMap::new(),
            answers: Answers::default(),
            conns: conns as u32,
            reply: vls - 2,
        }
    }

    /// A header of the adapter.
    pub(super) fn heard(&mut self, words: &[u32]) {
        let (head, dlid) = Head::of(words);
        match head.kind {
            PROBE => {
                self.told(head.conn.into());
                self.last.insert(head.conn, (head, dlid));
                self.asked.push(Asked { head, dlid, from: 0 });
            }
            RELEASE => self.told(head.conn.into()),
            _ => {}
        }
    }

    /// The header of a reply that says no bandwidth is that of one to the last probe.
    pub(super) fn complete(&self, head: Head) -> Head {
        match self.last.get(&head.conn) {
            Some(&(probe, dlid)) if matches!(head.kind, ACK | NACK) && head.bw == 0 => {
                Head { kind: head.kind, node: head.node, slid: dlid as u16, ..probe }
            }
            _ => head,
        }
    }

    /// What becomes of a connection is known.
    pub(super) fn told(&mut self, conn: u32) {
        self.asked.retain(|a| u32::from(a.head.conn) != conn);
    }

    /// Answers, as they come.
    pub(super) fn act(&mut self, cycle: u64, lid: u32, first_node: u32, rng: &mut SmallRng) {
        let a = self.answers;
        if self.sender.waiting(self.reply) >= MOST {
            return;
        }
        if hit(rng, a.odd) {
            let head = self.odd(first_node, rng);
            self.reply(head, lid, rng);
        }
        if !hit(rng, a.rate) {
            return;
        }
        let due: Vec<usize> = (0..self.asked.len()).filter(|&i| self.asked[i].from <= cycle).collect();
        if due.is_empty() {
            return;
        }
        let asked = &mut self.asked[due[rng.random_range(0..due.len())]];
        asked.from = cycle + PATIENCE;
        let kind = if hit(rng, a.refuse) { NACK } else { ACK };
        let node = if hit(rng, a.near) { first_node as u16 } else { rng.random_range(0..8) };
        let (asked, stale) = (*asked, rng.random_ratio(1, 32));
        let head = Head { kind, node, slid: asked.dlid as u16, ..asked.head };
        // (To where the probe said it came from, if that was long ago.)
        self.reply(head, if stale { asked.head.slid.into() } else { lid }, rng);
    }

    /// A reply that means nothing, or comes again; of a probe that is out it is not all the same.
    fn odd(&self, first_node: u32, rng: &mut SmallRng) -> Head {
        let node = [first_node as u16, rng.random()][rng.random_range(0..2)];
        let kind = if rng.random() { ACK } else { NACK };
        if !self.asked.is_empty() && rng.random() {
            let asked = self.asked[rng.random_range(0..self.asked.len())];
            let slid = asked.dlid as u16 ^ [0, 1, 0x8000][rng.random_range(0..3)];
            let bw = asked.head.bw ^ [0, 0, 1, 4096][rng.random_range(0..4)];
            let seq = asked.head.seq ^ [0, 1, 32][rng.random_range(0..3)];
            return Head { kind, node, slid, bw, seq, ..asked.head };
        }
        let conn = match rng.random_range(0..8) {
            0 => self.conns,
            1 => rng.random(),
            _ => rng.random_range(0..self.conns),
        };
        Head { kind, node, conn: conn as u16, bw: rng.random(), ..Head::default() }
    }

    fn reply(&mut self, head: Head, dlid: u32, rng: &mut SmallRng) {
        let flits = if hit(rng, self.answers.short) { 1 } else { REPLY_FLITS };
        self.sender.push(self.reply, Message { flits, dlid, bad: rng.random_ratio(1, 16), head: Some(head) });
    }
}
