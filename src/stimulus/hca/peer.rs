//! The far end of an adapter with reservation (SRP): it grants what the adapter asks for, and says what became of its speculative
//! packets; for a while, late, wrongly, or not at all.

use rand::Rng;
use rand::rngs::SmallRng;

use super::packets::{IDS, Packet, Queued, To, behind};
use crate::model::header::{Bth, Header, SrpFields};
use crate::params::Params;
use crate::params::lanes::{SrpLane, opcode};
use crate::stimulus::chance::{Chance, hit};

/// What answers RES and SPEC packets.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    vls: usize,
    nmax: u8,
    dedup: bool,
    /// Cycles from a RES to its GRANT, from a packet to its ACK or NACK: least and most.
    pub trip: (u64, u64),
    pub answer: (u64, u64),
    /// Least and most wait of a GRANT; chance that it is longer than any time.
    pub wait: (u32, u32),
    pub too_long: Chance,
    /// Chance that a speculative packet is dropped; that an answer is lost; that it says something wrong.
    pub dropped: Chance,
    pub lost: Chance,
    pub wrong: Chance,
    /// Chance that a flow that asks for its number gets another one than it had.
    pub names: Chance,
    /// Of each flow the chunk that asked last, and its packets.
    asked: Vec<(u16, u8)>,
    flying: Vec<(u64, Queued)>,
}

impl Peer {
    /// One that answers all, soon.
    pub(super) fn new(p: &Params) -> Peer {
        Peer {
            vls: p.vls,
            nmax: p.nmax as u8,
            dedup: p.dedup,
            trip: (10, 10),
            answer: (8, 8),
            wait: (0, 30),
            too_long: 0,
            dropped: 0,
            lost: 0,
            wrong: 0,
            names: 0,
            asked: vec![(0, 0); p.flows],
            flying: Vec::new(),
        }
    }

    /// Nothing is on its way.
    pub(super) fn idle(&self) -> bool {
        self.flying.is_empty()
    }

    /// A reply of the far end to a flow.
    fn reply(&self, code: u8, fields: SrpFields, from: u16) -> Queued {
        Queued { packet: reply(self.vls, code, fields), to: To::Us, from }
    }

    /// The adapter sends a packet to the host of flow `to`, in cycle `now`.
    pub(super) fn sees(&mut self, rng: &mut SmallRng, now: u64, h: &Header, f: &SrpFields, to: u16) {
        let between =
            |rng: &mut SmallRng, (least, most): (u64, u64)| rng.random_range(least..=most.max(least));
        // R and I of what is answered.
        let (rty, init) = (f.flags & 1, f.flags & 4);
        let mut id = f.id;
        let (at, code, wait) = match h.bth.map(|b| b.opcode) {
            Some(opcode::RES) => {
                if init != 0 {
                    // The last number that is known.
                    id = behind(id, IDS - 1);
                    if hit(rng, self.names) {
                        id = any_number(rng);
                    }
                }
                if let Some(asked) = self.asked.get_mut(usize::from(to)) {
                    *asked = (behind(id, u16::from(init != 0)), f.n);
                }
                let wait = rng.random_range(self.wait.0..=self.wait.1.max(self.wait.0));
                let wait = if hit(rng, self.too_long) { rng.random_range(1 << 11..=u32::MAX) } else { wait };
                (now + between(rng, self.trip), opcode::GRANT, wait)
            }
            Some(opcode::SPEC | opcode::GRANTED)
                if rty != 0 || h.bth.is_some_and(|b| b.opcode == opcode::SPEC) =>
            {
                let code = if hit(rng, self.dropped) { opcode::NACK } else { opcode::ACK };
                (now + between(rng, self.answer), code, 0)
            }
            _ => return,
        };
        if hit(rng, self.lost) {
            return;
        }
        let seq = if code == opcode::GRANT { 0 } else { f.seq };
        let flags = if code == opcode::GRANT { init } else { rty };
        let mut q = self.reply(code, SrpFields { id, seq, wait, flags, ..SrpFields::default() }, to);
        if hit(rng, self.wrong) {
            let fields = &mut q.packet.fields;
            match rng.random_range(0..4) {
                0 => fields.id = behind(fields.id, [1, IDS - 1, 7, 256][rng.random_range(0..4)]),
                1 => fields.seq = rng.random(),
                2 => q.from = rng.random(),
                // beside the right one
                _ => self.flying.push((at, q)),
            }
        }
        self.flying.push((at, q));
    }

    /// What has come until cycle `now`, the oldest first.
    pub(super) fn due(&mut self, now: u64) -> Option<Queued> {
        let (i, _) = self.flying.iter().enumerate().min_by_key(|(_, (at, _))| *at)?;
        (self.flying[i].0 <= now).then(|| self.flying.remove(i).1)
    }

    /// Whatever some flows, from `first` on, wait for: GRANT and ACKs of the chunk that asked last, and of the one behind it.
    pub(super) fn rescue(&self, first: usize, flows: usize) -> Vec<Queued> {
        let mut all = Vec::new();
        for i in 0..flows.min(self.asked.len()) {
            let flow = (first + i) % self.asked.len();
            let (id, n) = self.asked[flow];
            for (id, n) in [(id, n), (behind(id, 1), self.nmax)] {
                let fields = |seq| SrpFields { id, seq, ..SrpFields::default() };
                all.push(self.reply(opcode::GRANT, fields(0), flow as u16));
                if self.dedup {
                    let names = SrpFields { id: behind(id, IDS - 1), flags: 4, ..SrpFields::default() };
                    all.push(self.reply(opcode::GRANT, names, flow as u16));
                }
                all.extend((0..n).map(|seq| self.reply(opcode::ACK, fields(seq), flow as u16)));
            }
        }
        all
    }
}

/// Any number of a chunk: often one next to the ends of bytes.
fn any_number(rng: &mut SmallRng) -> u16 {
    match rng.random_range(0..4) {
        0 => [254, 255, 4095, IDS - 2, IDS - 1][rng.random_range(0..5)],
        _ => rng.random_range(0..IDS),
    }
}

/// A packet of the protocol, of `n` flits, on the lane that is its own.
pub(super) fn packet(vls: usize, code: u8, n: usize, fields: SrpFields) -> Packet {
    let lane = match code {
        opcode::RES => SrpLane::Res,
        opcode::GRANT | opcode::ACK | opcode::NACK => SrpLane::Reply,
        opcode::SPEC => SrpLane::Spec,
        _ => SrpLane::Data,
    };
    let bth = Bth { opcode: code, ..Bth::default() };
    let hdr = Header {
        vl: lane.vl(vls) as u8,
        lnh: 2,
        pkt_len: 16 * n as u16,
        bth: Some(bth),
        ..Header::default()
    };
    Packet { hdr, fields, ..Packet::default() }
}

/// A reply.
pub(super) fn reply(vls: usize, code: u8, fields: SrpFields) -> Packet {
    packet(vls, code, 1, fields)
}
