//! What surrounds the unit: a host that posts messages, an adapter that takes offers, a network that brings replies and requests,
//! registers and SLs.
//!
//! What was taken is told by the unit's outputs alone (an offer that is gone was taken), so that the world keeps its mind when single
//! inputs are changed behind its back.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::io::Io;
use crate::params::lanes::{ID_BITS, id};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use crate::stimulus::chance::{ALWAYS, Chance, hit};
use crate::stimulus::reads::Reader;

pub(super) const GRANT: u32 = 1;
pub(super) const ACK: u32 = 2;
pub(super) const NACK: u32 = 3;

/// So many numbers have chunks.
pub(super) const IDS: u32 = 1 << ID_BITS;

/// Any number of a chunk: often a small one, or one next to the ends of bytes.
fn any_id(rng: &mut SmallRng) -> u32 {
    match rng.random_range(0..4) {
        0 => rng.random_range(0..8),
        1 => [254, 255, 256, 4095, 4096, IDS - 2, IDS - 1][rng.random_range(0..7)],
        _ => rng.random_range(0..IDS),
    }
}

/// Wait of a GRANT, beside the round trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    Zero,
    /// Over when the GRANT comes.
    Short,
    /// So many cycles more than the round trip.
    Long(u32),
    /// It cannot be told from the past.
    TooLong,
    /// Any of these.
    Any,
}

/// What becomes of speculative packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// They arrive.
    Arrive,
    /// They are dropped.
    Dropped,
    /// By their number in the chunk, bit i: packet i (mod 64) is dropped.
    Some(u64),
    /// By chance.
    Chance(Chance),
}

/// A reply on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reply {
    pub kind: u32,
    pub flow: u32,
    pub id: u32,
    pub seq: u32,
    pub wait: u32,
    /// R and I of it.
    pub rty: bool,
    pub init: bool,
}

/// What comes to the table of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct See {
    /// Bits: look, mark, RES, RES with I, SPEC, pass.
    pub what: u32,
    pub flow: u32,
    pub id: u32,
    pub seq: u32,
    pub psn: u32,
    /// It is whole and good.
    pub ok: bool,
}

/// A message to post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Post {
    pub flow: u32,
    pub pkts: u32,
    pub last: u32,
    pub psn: u32,
}

/// A RES to bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub slid: u32,
    pub id: u32,
    pub size: u32,
}

/// An input that is 1 by chance, or in turns for some cycles each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub open: Chance,
    /// Cycles that a draw lasts.
    pub period: u32,
    left: u32,
    on: bool,
}

impl Gate {
    pub(super) fn new(open: Chance) -> Gate {
        Gate { open, period: 1, left: 0, on: false }
    }

    fn draw(&mut self, rng: &mut SmallRng) -> bool {
        if self.left == 0 {
            self.left = self.period.max(1);
            self.on = hit(rng, self.open);
        }
        self.left -= 1;
        self.on
    }
}

/// Everything around the unit.
pub(super) struct World {
    pub io: Io,
    pub p: Params,
    pub rng: SmallRng,
    pub reader: Reader,
    cycle: u64,
    /// Cycles since the unit was ready: its `now`, before it wraps.
    pub now: u64,
    /// Writes to do, posts, replies, requests and ends, one of each a cycle. `None` is a cycle without.
    pub cfg: VecDeque<(u8, u32)>,
    pub attrs: VecDeque<(u32, u32)>,
    pub posts: VecDeque<Option<Post>>,
    pub replies: VecDeque<Option<Reply>>,
    pub requests: VecDeque<Option<Request>>,
    /// Last flits that the host takes when it may: of a damaged packet or not.
    pub ends: VecDeque<bool>,
    /// Adapter.
    pub room: Vec<Gate>,
    /// Credits of the link on lanes of data, also where there is no room.
    pub link: Vec<Gate>,
    pub inj_ready: Gate,
    pub res_ready: Gate,
    pub out_ready: Gate,
    /// Cycles that a packet stays in the adapter's queues, at least and at most.
    pub stay: (u32, u32),
    staying: u32,
    /// Network: round trip of a RES, and of a packet; waits; what is dropped, lost.
    pub trip: (u32, u32),
    pub answer: (u32, u32),
    pub wait: Wait,
    pub fate: Fate,
    pub lost: Chance,
    /// Chance that a reply comes once more.
    pub doubled: Chance,
    /// Chance that a GRANT names another number than the one before.
    pub names: Chance,
    /// Replies wait until this is open.
    pub brings: Gate,
    flying: BinaryHeap<Reverse<(u64, u64, Reply)>>,
    order: u64,
    /// Chance of a RES, of a last flit, in a cycle that has none; largest size of a RES; damage.
    pub res: Gate,
    pub end: Gate,
    pub largest: u32,
    pub damage: Chance,
    /// Blocks for RES that are free.
    pub credits: usize,
    /// Chance that an end or a RES comes where it must not.
    pub rude: Chance,
    /// The table of sources: chance of an op, chance that it is whole and good, ops to bring; the chunk of each source.
    pub see: Gate,
    pub good: Chance,
    pub sees: VecDeque<Option<See>>,
    see_ok: bool,
    sources: Vec<u32>,
    /// The PSN that comes next of each.
    follows: Vec<u32>,
    /// Packets without reservation that come: chance, longest.
    pub walk: Gate,
    pub walk_most: u32,
    /// Number of the chunk for which a flow asked last, packets of it, cycle.
    pub asked: Vec<(u32, u32)>,
    was: Was,
    /// Offers taken, RES taken.
    pub taken: u64,
    pub res_taken: u64,
    /// Waits that end in no time may be drawn.
    pub long_waits: u32,
}

/// What was on offer in the cycle before.
#[derive(Clone, Copy, Default)]
struct Was {
    packet: Option<(bool, u32, u32, u32, bool)>,
    res: Option<(u32, u32, u32, bool)>,
}

impl World {
    /// Nothing is posted; everything is taken at once; GRANTs and ACKs come soon.
    pub(super) fn new(p: &Params, seed: u64) -> World {
        let l = Layout::new(UnitKind::Reservation, p);
        World {
            io: Io::new(&l),
            p: *p,
            rng: SmallRng::seed_from_u64(seed),
            reader: Reader::new(UnitKind::Reservation, p, seed),
            cycle: 0,
            now: 0,
            cfg: VecDeque::new(),
            attrs: VecDeque::new(),
            posts: VecDeque::new(),
            replies: VecDeque::new(),
            requests: VecDeque::new(),
            ends: VecDeque::new(),
            room: vec![Gate::new(ALWAYS); p.data_lanes() + 1],
            link: vec![Gate::new(0); p.data_lanes()],
            inj_ready: Gate::new(ALWAYS),
            res_ready: Gate::new(ALWAYS),
            out_ready: Gate::new(ALWAYS),
            stay: (0, 0),
            staying: 0,
            trip: (10, 10),
            answer: (8, 8),
            wait: Wait::Long(20),
            fate: Fate::Arrive,
            lost: 0,
            doubled: 0,
            names: 0,
            brings: Gate::new(ALWAYS),
            flying: BinaryHeap::new(),
            order: 0,
            res: Gate::new(0),
            end: Gate::new(0),
            largest: (p.nmax * p.mtu) as u32,
            damage: 0,
            credits: p.ctl_blocks,
            rude: 0,
            see: Gate::new(0),
            good: ALWAYS,
            sees: VecDeque::new(),
            see_ok: false,
            sources: vec![0; p.flows],
            follows: vec![0xff_fff0; p.flows],
            walk: Gate::new(0),
            walk_most: p.mtu as u32,
            asked: vec![(0, 0); p.flows],
            was: Was::default(),
            taken: 0,
            res_taken: 0,
            long_waits: if p.now_w <= 16 { u32::MAX } else { 2 },
        }
    }

    /// All that was given to it is done.
    pub(super) fn written(&self) -> bool {
        self.cfg.is_empty()
            && self.attrs.is_empty()
            && self.posts.is_empty()
            && self.replies.is_empty()
            && self.requests.is_empty()
            && self.ends.is_empty()
            && self.sees.is_empty()
    }

    /// No reply is on its way.
    pub(super) fn answered(&self) -> bool {
        self.flying.is_empty() && self.replies.is_empty()
    }

    /// Whatever flow waits for lost replies gets them: GRANT and ACKs of the chunk for which it asked last.
    pub(super) fn rescue(&mut self) {
        for (flow, &(id, n)) in self.asked.iter().enumerate() {
            let reply =
                |kind, seq| Reply { kind, flow: flow as u32, id, seq, wait: 0, rty: true, init: false };
            if self.p.dedup {
                let id = id.wrapping_sub(1);
                self.replies.push_back(Some(Reply { id, init: true, ..reply(GRANT, 0) }));
            }
            self.replies.push_back(Some(reply(GRANT, 0)));
            self.replies.extend((0..n).map(|seq| Some(reply(ACK, seq))));
        }
    }

    fn fly(&mut self, cycles: (u32, u32), reply: Reply) -> u32 {
        let trip = self.rng.random_range(cycles.0..=cycles.1.max(cycles.0));
        self.order += 1;
        if !hit(&mut self.rng, self.lost) {
            self.flying.push(Reverse((self.cycle + u64::from(trip), self.order, reply)));
        }
        if self.doubled > 0 && hit(&mut self.rng, self.doubled) {
            let later = trip + self.rng.random_range(0..200);
            self.flying.push(Reverse((self.cycle + u64::from(later), self.order, reply)));
        }
        trip
    }

    fn wait_of(&mut self, trip: u32) -> u32 {
        let wait = match self.wait {
            Wait::Any => match self.rng.random_range(0..16) {
                0..3 => Wait::Zero,
                3..6 => Wait::Short,
                15 => Wait::TooLong,
                _ => Wait::Long(self.rng.random_range(0..200)),
            },
            wait => wait,
        };
        match wait {
            Wait::TooLong if self.long_waits > 0 => {
                self.long_waits -= 1;
                let half = 1u32 << (self.p.now_w - 1);
                self.rng.random_range(half..=u32::MAX)
            }
            Wait::Long(more) => trip + more,
            Wait::Short | Wait::Any => self.rng.random_range(0..=trip),
            Wait::Zero | Wait::TooLong => 0,
        }
    }

    /// A RES left: its GRANT comes.
    fn asked(&mut self, flow: u32, chunk: u32, n: u32, init: bool) {
        self.res_taken += 1;
        let mut named = chunk;
        if init {
            // The last number that is known of the source.
            named = id(chunk.wrapping_sub(1));
            if hit(&mut self.rng, self.names) {
                named = any_id(&mut self.rng);
            }
        }
        self.asked[flow as usize] = (id(named + u32::from(init)), n);
        let trip = self.rng.random_range(self.trip.0..=self.trip.1.max(self.trip.0));
        let wait = self.wait_of(trip);
        self.fly((trip, trip), Reply { kind: GRANT, flow, id: named, seq: 0, wait, rty: false, init });
    }

    /// A speculative packet, or one with R, left: its ACK or NACK comes.
    fn sent(&mut self, flow: u32, id: u32, seq: u32, rty: bool) {
        let dropped = match self.fate {
            Fate::Arrive => false,
            // (What goes with R is granted, and not dropped; it may be damaged.)
            Fate::Dropped => !rty,
            Fate::Some(bits) => !rty && bits >> (seq & 63) & 1 != 0,
            Fate::Chance(chance) => hit(&mut self.rng, chance),
        };
        let kind = if dropped { NACK } else { ACK };
        self.fly(self.answer, Reply { kind, flow, id, seq, wait: 0, rty, init: false });
    }

    /// What the cycle before took.
    fn look(&mut self, seen: &[u32]) {
        let io = self.io;
        let packet = (seen[io.inj_valid] != 0).then(|| {
            let answered = seen[io.inj_kind] == 1 || seen[io.inj_rty] != 0;
            let (flow, rty) = (seen[io.inj_flow], seen[io.inj_rty] != 0);
            (answered, flow, seen[io.inj_id], seen[io.inj_seq], rty)
        });
        let res = (seen[io.res_valid] != 0)
            .then(|| (seen[io.res_flow], seen[io.res_id], seen[io.res_n], seen[io.res_init] != 0));
        let was = std::mem::replace(&mut self.was, Was { packet, res });
        if let Some((answered, flow, id, seq, rty)) = was.packet.filter(|_| packet.is_none()) {
            self.taken += 1;
            self.staying = self.rng.random_range(self.stay.0..=self.stay.1.max(self.stay.0));
            if answered {
                self.sent(flow, id, seq, rty);
            }
        }
        if let Some((flow, id, n, init)) = was.res.filter(|_| res.is_none()) {
            self.asked(flow, id, n, init);
        }
        self.credits = (self.credits + seen[io.rin_done] as usize).min(self.p.ctl_blocks);
    }

    /// Writes the inputs of this cycle. `seen` are its outputs.
    pub(super) fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        self.cycle += 1;
        if seen[self.io.ready] == 0 {
            return;
        }
        self.look(seen);
        self.adapter(input);
        self.network(seen, input);
        self.sources(input);
        self.registers(input);
        self.now += 1;
    }

    fn adapter(&mut self, input: &mut [u32]) {
        let io = self.io;
        let rng = &mut self.rng;
        for (lane, gate) in self.room.iter_mut().enumerate() {
            input[io.room] |= u32::from(gate.draw(rng)) << lane;
        }
        // lanes that are not there
        input[io.room] |= rng.random_range(0..512) << self.room.len() & 0x1ff;
        for (lane, gate) in self.link.iter_mut().enumerate() {
            input[io.link_room] |= u32::from(gate.draw(rng)) << lane;
        }
        input[io.link_room] |= rng.random_range(0..512) << self.link.len() & 0x1ff;
        input[io.inj_ready] = self.inj_ready.draw(rng).into();
        input[io.res_ready] = self.res_ready.draw(rng).into();
        input[io.out_ready] = self.out_ready.draw(rng).into();
        input[io.ungranted] = u32::from(self.staying > 0);
        self.staying = self.staying.saturating_sub(1);
        if let Some(Some(post)) = self.posts.pop_front() {
            input[io.post_valid] = 1;
            input[io.post_flow] = post.flow & 0xffff;
            input[io.post_pkts] = post.pkts & 0xffff;
            input[io.post_last] = post.last & 0x7f;
            input[io.post_psn] = post.psn & 0xff_ffff;
        }
    }

    fn network(&mut self, seen: &[u32], input: &mut [u32]) {
        let io = self.io;
        let open = self.brings.draw(&mut self.rng);
        let due = self.flying.peek().is_some_and(|Reverse(next)| next.0 <= self.cycle);
        let reply = match self.replies.pop_front() {
            Some(own) => own,
            None if open && due => self.flying.pop().map(|Reverse(next)| next.2),
            None => None,
        };
        if let Some(r) = reply {
            input[io.rep_valid] = 1;
            input[io.rep_kind] = r.kind & 3;
            input[io.rep_flow] = r.flow & 0xffff;
            input[io.rep_id] = id(r.id);
            input[io.rep_seq] = r.seq & 0xff;
            input[io.rep_wait] = r.wait;
            input[io.rep_rty] = r.rty.into();
            input[io.rep_init] = r.init.into();
        }
        let rude = hit(&mut self.rng, self.rude);
        let brings = self.res.draw(&mut self.rng);
        let may = self.credits > 0 || rude;
        let request = match self.requests.pop_front() {
            Some(own) => own,
            None if brings && may => Some(Request {
                slid: self.rng.random_range(0..=0xffff),
                id: any_id(&mut self.rng),
                size: self.rng.random_range(1..=self.largest),
            }),
            None => None,
        };
        if let Some(r) = request {
            self.credits = self.credits.saturating_sub(1);
            input[io.rin_valid] = 1;
            input[io.rin_slid] = r.slid & 0xffff;
            input[io.rin_sl] = self.rng.random_range(0..16);
            input[io.rin_id] = id(r.id);
            input[io.rin_size] = r.size & 0xffff;
            input[io.rin_init] = u32::from(self.p.dedup && self.rng.random_ratio(1, 8));
        }
        let takes = self.end.draw(&mut self.rng);
        if seen[io.end_ok] != 0 || rude && takes {
            let bad = match self.ends.pop_front() {
                Some(bad) => Some(bad),
                None if takes => Some(hit(&mut self.rng, self.damage)),
                None => None,
            };
            if let Some(bad) = bad {
                input[io.end_valid] = 1;
                input[io.end_bad] = bad.into();
                input[io.end_slid] = self.rng.random_range(0..=0xffff);
                input[io.end_sl] = self.rng.random_range(0..16);
                input[io.end_id] = any_id(&mut self.rng);
                input[io.end_seq] = self.rng.random_range(0..256);
                input[io.end_rty] = u32::from(self.p.dedup && self.rng.random());
            }
        }
    }

    /// An op on the table of sources: of a few, with chunks about the one under way.
    fn any_see(&mut self) -> See {
        let rng = &mut self.rng;
        // Three sources, of which the first one and the third differ in the highest bit alone.
        let flow = match (rng.random_range(0..self.sources.len().min(3)), self.sources.len()) {
            (2, flows) => 1 << (flows - 1).ilog2(),
            (near, _) => near,
        };
        let source = &mut self.sources[flow];
        if rng.random_ratio(1, 12) {
            *source = id(*source + if rng.random_ratio(1, 8) { rng.random_range(0..IDS) } else { 1 });
        }
        // Newer, older, much older.
        let more = match rng.random_range(0..12) {
            0..7 => 0,
            7 | 8 => IDS - 1,
            9 => IDS - [127, 128, 129, 200, 256, IDS / 2 - 1][rng.random_range(0..6)],
            _ => 1,
        };
        let chunk = id(*source + more);
        let what = [1, 2, 3, 3, 4, 4, 12][rng.random_range(0..7)];
        let (seq, ok) = (rng.random_range(0..6), hit(rng, self.good));
        let what = self.in_order(what);
        See { what, flow: flow as u32, id: chunk, seq, psn: self.any_psn(flow, what, ok), ok }
    }

    /// SPEC packets among what is told apart, packets that are not among the rest; now and then both.
    fn in_order(&mut self, what: u32) -> u32 {
        match self.rng.random_range(0..16) {
            0..3 => 0x20,
            3 => what | 0x20,
            4..14 => what | 0x10,
            _ => what,
        }
    }

    /// A PSN of a source: mostly the one that is next; one before or behind it, one that wraps, or any.
    fn any_psn(&mut self, flow: usize, what: u32, ok: bool) -> u32 {
        let next = self.follows[flow];
        let psn = match self.rng.random_range(0..20) {
            0..12 => next,
            12 | 13 => next + self.rng.random_range(1..4),
            14 | 15 => next + 0x100_0000 - self.rng.random_range(1..4),
            16 => next ^ 1 << self.rng.random_range(0..24),
            17 => 0xff_ffff,
            18 => 0xff_fffc,
            _ => self.rng.random(),
        } & 0xff_ffff;
        let counts = what & 0x20 != 0 || what & 6 == 2;
        if counts && ok {
            self.follows[flow] = (psn + 1) & 0xff_ffff;
        }
        psn
    }

    /// What comes to the table of sources, and what walks in.
    fn sources(&mut self, input: &mut [u32]) {
        let io = self.io;
        if self.walk.draw(&mut self.rng) {
            input[io.walk_valid] = 1;
            input[io.walk_len] = self.rng.random_range(1..=self.walk_most.max(1));
        }
        if !self.p.dedup {
            self.sees.clear();
            return;
        }
        input[io.see_ok] = std::mem::take(&mut self.see_ok).into();
        let comes = self.see.draw(&mut self.rng);
        let see = match self.sees.pop_front() {
            Some(own) => own,
            None => comes.then(|| self.any_see()),
        };
        let Some(see) = see else { return };
        let pins = [io.see_look, io.see_mark, io.see_res, io.see_init, io.see_spec, io.see_pass];
        for (bit, at) in pins.into_iter().enumerate() {
            input[at] = see.what >> bit & 1;
        }
        input[io.see_flow] = see.flow & 0xffff;
        input[io.see_id] = id(see.id);
        input[io.see_seq] = see.seq & 0xff;
        input[io.see_psn] = see.psn & 0xff_ffff;
        self.see_ok = see.ok;
    }

    fn registers(&mut self, input: &mut [u32]) {
        let io = self.io;
        if let Some((a, d)) = self.cfg.pop_front() {
            input[io.cfg_we] = 1;
            input[io.cfg_addr] = a.into();
            input[io.cfg_data] = d;
        }
        self.reader.drive(input);
        if let Some((flow, sl)) = self.attrs.pop_front() {
            input[io.attr_we] = 1;
            input[io.attr_flow] = flow & 0xffff;
            input[io.attr_sl] = sl & 0xf;
        }
    }
}
