//! What surrounds the source response: a host with packets for flows, the link that takes an offer, the network that brings an ACK
//! for each packet, or not, registers and tables.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use crate::stimulus::chance::{Chance, hit};
use crate::stimulus::reads::Reader;
use crate::stimulus::taker::Taker;

/// Offsets of the signals in the word vectors.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub(super) struct Io {
    pub cfg_we: usize,
    pub cfg_addr: usize,
    pub cfg_data: usize,
    pub wt_we: usize,
    pub wt_addr: usize,
    pub wt_data: usize,
    pub attr_we: usize,
    pub attr_flow: usize,
    pub attr_sl: usize,
    pub ack_valid: usize,
    pub ack_flow: usize,
    pub ack_bits: usize,
    pub post_valid: usize,
    pub post_flow: usize,
    pub ready: usize,
}

impl Io {
    fn new(l: &Layout) -> Io {
        Io {
            cfg_we: l.input("cfg_we"),
            cfg_addr: l.input("cfg_addr"),
            cfg_data: l.input("cfg_data"),
            wt_we: l.input("wt_we"),
            wt_addr: l.input("wt_addr"),
            wt_data: l.input("wt_data"),
            attr_we: l.input("attr_we"),
            attr_flow: l.input("attr_flow"),
            attr_sl: l.input("attr_sl"),
            ack_valid: l.input("ack_valid"),
            ack_flow: l.input("ack_flow"),
            ack_bits: l.input("ack_bits"),
            post_valid: l.input("post_valid"),
            post_flow: l.input("post_flow"),
            ready: l.output("ready"),
        }
    }
}

/// The network, as far as it brings ACKs.
#[derive(Clone, Debug)]
pub(super) struct Network {
    /// An ACK comes for each packet, so many cycles after its acceptance, at least and at most. `None`: none does.
    pub latency: Option<(u32, u32)>,
    /// What the bits of an ACK are drawn from.
    pub marks: Vec<u8>,
    /// Every so many ACKs one is lost; 0: none. Those of odd flows are.
    pub lose_every: u64,
    pub deaf: bool,
    /// Chances that an ACK is lost, comes twice, says another flow.
    pub lost: Chance,
    pub twice: Chance,
    pub astray: Chance,
    /// Chance that an ACK for one of these flows (first, number) comes for nothing, in a cycle that has no other.
    pub babble: Chance,
    pub babblers: (usize, usize),
    /// ACKs on their way: cycle, order, flow.
    flying: BinaryHeap<Reverse<(u64, u64, u16)>>,
    /// ACKs so far.
    number: u64,
    /// Packets without an ACK, per flow.
    owed: Vec<u64>,
}

impl Network {
    fn new(flows: usize) -> Network {
        Network {
            latency: None,
            marks: vec![0],
            lose_every: 0,
            deaf: false,
            lost: 0,
            twice: 0,
            astray: 0,
            babble: 0,
            babblers: (0, flows),
            flying: BinaryHeap::with_capacity(1024),
            number: 0,
            owed: vec![0; flows],
        }
    }

    /// A packet leaves in this cycle.
    fn carry(&mut self, cycle: u64, flow: usize, rng: &mut SmallRng) {
        self.owed[flow] += 1;
        let Some((least, most)) = self.latency else { return };
        self.number += 1;
        let lost = self.lose_every > 0 && self.number.is_multiple_of(self.lose_every);
        if lost || self.deaf && flow % 2 == 1 || hit(rng, self.lost) {
            return;
        }
        let to = if hit(rng, self.astray) { rng.random_range(0..self.owed.len()) } else { flow };
        let mut send = |rng: &mut SmallRng| {
            let at = cycle + u64::from(rng.random_range(least..=most.max(least)));
            self.number += 1;
            self.flying.push(Reverse((at, self.number, to as u16)));
        };
        send(rng);
        if hit(rng, self.twice) {
            send(rng);
        }
    }

    /// The ACK that comes in this cycle.
    fn bring(&mut self, cycle: u64, rng: &mut SmallRng) -> Option<u16> {
        if self.flying.peek().is_some_and(|Reverse(next)| next.0 <= cycle) {
            return self.flying.pop().map(|Reverse(ack)| ack.2);
        }
        hit(rng, self.babble)
            .then(|| ((self.babblers.0 + rng.random_range(0..self.babblers.1)) % self.owed.len()) as u16)
    }

    fn draw(&self, rng: &mut SmallRng) -> u8 {
        self.marks[rng.random_range(0..self.marks.len())]
    }
}

/// Everything around the unit.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub io: Io,
    pub taker: Taker,
    pub rng: SmallRng,
    pub reader: Reader,
    cycle: u64,
    /// Writes to do, one of each kind a cycle, from `ready` on.
    pub cfg: VecDeque<(u8, u32)>,
    pub waits: VecDeque<(u16, u32)>,
    pub attrs: VecDeque<(u16, u8)>,
    /// Posts into empty queues, one a cycle; with them the flow has a packet, or only says so. `None` is a pause of a cycle.
    pub posts: VecDeque<Option<(u16, bool)>>,
    /// ACKs and their bits, one a cycle, beside those of the network. `None` is a pause.
    pub acks: VecDeque<Option<(u16, u8)>>,
    pub network: Network,
}

impl Bench {
    /// No flow has a packet; everything is allowed, every offer is taken at once, no ACK comes.
    pub(super) fn new(p: &Params, seed: u64) -> Bench {
        let l = Layout::new(UnitKind::SourceResponse, p);
        Bench {
            io: Io::new(&l),
            taker: Taker::new(&l, p),
            rng: SmallRng::seed_from_u64(seed),
            reader: Reader::new(UnitKind::SourceResponse, p, seed),
            cycle: 0,
            cfg: VecDeque::with_capacity(64),
            waits: VecDeque::with_capacity(64),
            attrs: VecDeque::with_capacity(p.flows + 64),
            posts: VecDeque::with_capacity(p.flows + 64),
            acks: VecDeque::with_capacity(512),
            network: Network::new(p.flows),
        }
    }

    /// The host has a packet for the flow; if its queue is empty it is posted.
    pub(super) fn arrive(&mut self, flow: usize) {
        let flow = flow % self.taker.flows;
        let waiting = self.posts.iter().flatten().any(|&(f, packet)| packet && usize::from(f) == flow);
        if !self.taker.has_req(flow) && !waiting {
            self.posts.push_back(Some((flow as u16, true)));
        }
    }

    /// An ACK for a flow.
    pub(super) fn ack(&mut self, flow: usize, bits: u8) {
        self.acks.push_back(Some(((flow % self.taker.flows) as u16, bits)));
    }

    /// ACKs, all with these bits, for all packets that have none and to which none is on its way.
    pub(super) fn repay(&mut self, bits: u8) {
        let mut due = self.network.owed.clone();
        let flying = self.network.flying.iter().map(|Reverse(ack)| ack.2);
        let queued = self.acks.iter().flatten().map(|ack| ack.0);
        for flow in flying.chain(queued).map(usize::from) {
            if let Some(n) = due.get_mut(flow) {
                *n = n.saturating_sub(1);
            }
        }
        for (flow, n) in due.into_iter().enumerate() {
            self.acks.extend((0..n).map(|_| Some((flow as u16, bits))));
        }
    }

    /// All ACKs are back that are on their way.
    pub(super) fn returned(&self) -> bool {
        self.network.flying.is_empty() && self.acks.is_empty()
    }

    /// All writes, posts and ACKs are done.
    pub(super) fn written(&self) -> bool {
        self.cfg.is_empty()
            && self.waits.is_empty()
            && self.attrs.is_empty()
            && self.posts.is_empty()
            && self.acks.is_empty()
    }

    /// Writes the inputs of this cycle. `seen` are its outputs.
    pub(super) fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let io = self.io;
        self.cycle += 1;
        if let Some(flow) = self.taker.drive(seen, input, &mut self.rng) {
            self.network.carry(self.cycle, flow, &mut self.rng);
            self.taker.follow(flow, &mut self.rng);
        }
        if seen[io.ready] == 0 {
            return;
        }
        if let Some((a, d)) = self.cfg.pop_front() {
            input[io.cfg_we] = 1;
            input[io.cfg_addr] = a.into();
            input[io.cfg_data] = d;
        }
        self.reader.drive(input);
        if let Some((a, d)) = self.waits.pop_front() {
            input[io.wt_we] = 1;
            input[io.wt_addr] = a.into();
            input[io.wt_data] = d;
        }
        if let Some((f, s)) = self.attrs.pop_front() {
            input[io.attr_we] = 1;
            input[io.attr_flow] = f.into();
            input[io.attr_sl] = s.into();
        }
        if let Some(Some((f, packet))) = self.posts.pop_front() {
            input[io.post_valid] = 1;
            input[io.post_flow] = f.into();
            if packet {
                self.taker.set_req(f.into(), true);
            }
        }
        let ack = match self.acks.pop_front() {
            Some(own) => own,
            None => {
                self.network.bring(self.cycle, &mut self.rng).map(|f| (f, self.network.draw(&mut self.rng)))
            }
        };
        if let Some((f, bits)) = ack {
            input[io.ack_valid] = 1;
            input[io.ack_flow] = f.into();
            input[io.ack_bits] = bits.into();
            if let Some(n) = self.network.owed.get_mut(usize::from(f)) {
                *n = n.saturating_sub(1);
            }
        }
    }
}
