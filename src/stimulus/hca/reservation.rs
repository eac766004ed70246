//! Stimulus of an adapter with reservation (SRP; Q1, Q10 to Q20): what is random, and scenarios. Adapters without it get data instead of
//! speculative packets, and send packets where these send messages.

use rand::Rng;
use rand::rngs::SmallRng;

use super::around::{LONG, finish, start};
use super::packets::{Fault, IDS, OPCODE_ACK, Packet, To, behind};
use super::peer::packet;
use super::phase::Phase;
use super::script::Op;
use super::world::World;
use crate::model::header::{Marks, OPCODE_CNP, SrpFields};
use crate::params::lanes::{ID_BITS, SrpLane, opcode};
use crate::params::{Params, UnitKind};
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::knobs::Knobs;

/// The numbers of chunks around one that is under way: newer, older, much older.
const NEAR: [u16; 8] = [0, 0, 0, 0, 0, 1, IDS - 1, IDS - 200];

use Op::{
    Answers, Attr, Cfg, Credit, Gap, Host, Idle, LinkDown, Load, Longest, Message, Rx, RxTo, Starve, Wait,
};
use UnitKind::{Hca, Reservation};

/// How messages are and how the far end answers in a phase.
pub(super) fn reserve(w: &mut World, kind: Phase, knobs: &Knobs) {
    let p = w.p;
    if !p.srp {
        return;
    }
    let rng = &mut w.rng;
    let nmax = p.nmax as u16;
    w.longest = [1, nmax, 2 * nmax + 2, 5 * nmax][rng.random_range(0..4)];
    let trip = [4, 20, 80, 300][rng.random_range(0..4)];
    w.peer.trip = (rng.random_range(0..=trip / 2), trip);
    let answer = [3, 15, 60, 200][rng.random_range(0..4)];
    w.peer.answer = (rng.random_range(0..=answer), answer);
    w.peer.wait = [(0, 0), (0, trip as u32), (trip as u32, 400), (0, 600)][rng.random_range(0..4)];
    let strange = matches!(kind, Phase::Violate | Phase::Mixed);
    w.peer.too_long = chance(if strange && p.now_w == 12 { 0.05 } else { 0.0 });
    w.peer.dropped = chance([0.0, 0.1, 0.5, 1.0][rng.random_range(0..4)]);
    // A time-out ends what is lost.
    let lossy = if p.dedup { [0.0, 0.05, 0.3][rng.random_range(0..3)] } else { 0.0 };
    w.peer.lost = chance(knobs.message_loss.unwrap_or(if strange { 0.02 } else { lossy }));
    w.peer.names = chance([0.0, 0.5][rng.random_range(0..2)]);
    w.peer.wrong = chance(knobs.violation_rate.unwrap_or(if strange { 0.1 } else { 0.0 }));
    // Who waits for what was lost gets it.
    if rng.random_bool(0.5) {
        let notes = w.peer.rescue(rng.random_range(0..p.flows), 8);
        w.notes.extend(notes);
    }
}

/// CTRL bit of a reservation.
pub(super) const INORDER: u32 = 0x20;

/// Registers of a phase: unit, number, value.
pub(super) fn reserving(p: &Params, kind: Phase, rng: &mut SmallRng) -> Vec<(u8, u8, u32)> {
    let nmax = p.nmax as u32;
    let on = u32::from(!rng.random_bool(0.1));
    let more = [0, 0x08, 0x10, 0x40, 0x58][rng.random_range(0..5)];
    let ctrl = more | on | [2, 2, 0][rng.random_range(0..3)] | [0, 0, 0, 4][rng.random_range(0..4)];
    let run = [nmax, nmax, 127, 1, rng.random_range(0..=nmax)][rng.random_range(0..5)];
    let least = [0, 1, 2, 4][rng.random_range(0..4)];
    let far = kind == Phase::Violate && rng.random();
    let interval = if far { 15 } else { [1, 1, 0, 3][rng.random_range(0..4)] };
    let epsilon = [3277, 3277, 0, 65535][rng.random_range(0..4)];
    let order = if p.dedup && rng.random_ratio(2, 5) { INORDER } else { 0 };
    let rto = if p.dedup { [0, 1, 40, 200, 1000][rng.random_range(0..5)] } else { 0 };
    // the adapter's own queue tells its credits seldom, now and then
    let told = if rng.random_ratio(1, 8) { 200 } else { 4 };
    vec![
        (0, 4, told),
        (2, 0, ctrl | order),
        (2, 1, epsilon),
        (2, 2, run),
        (2, 3, least),
        (2, 5, interval),
        (2, 6, rto),
        (2, 10, 0xffff),
    ]
}

/// A packet as it may come to an adapter with reservation, of `n` flits if it has a choice. Where copies are told apart it is of a
/// chunk about `chunk`, which moves on.
pub(super) fn any_packet(p: &Params, rng: &mut SmallRng, n: usize, chunk: &mut u16) -> Packet {
    let most = (p.nmax * p.mtu) as u16;
    let near = |rng: &mut SmallRng, most: u16| {
        if rng.random_bool(0.8) { rng.random_range(0..4) } else { rng.random_range(0..most) }
    };
    let (id, seq) = (near(rng, IDS), near(rng, 256) as u8);
    let mut fields = SrpFields { id, seq, ..SrpFields::default() };
    let (code, n) = match rng.random_range(0..20) {
        0..4 => {
            fields.size = match rng.random_range(0..16) {
                0 => 0,
                1 => rng.random(),
                2 => most,
                _ => rng.random_range(1..=most),
            };
            (opcode::RES, 1)
        }
        4..12 => {
            fields.age = rng.random();
            (opcode::SPEC, n)
        }
        12..15 => {
            fields.wait = if rng.random_bool(0.9) { rng.random_range(0..500) } else { rng.random() };
            ([opcode::GRANT, opcode::ACK, opcode::NACK][rng.random_range(0..3)], 1)
        }
        15..17 => (opcode::GRANTED, n),
        _ => ([4, 4, 0x64, OPCODE_CNP, OPCODE_ACK][rng.random_range(0..5)], n),
    };
    if p.dedup && matches!(code, opcode::RES | opcode::SPEC | opcode::GRANTED) {
        if rng.random_ratio(1, 20) {
            let far = [255, 256, 1000, 3000][rng.random_range(0..4)];
            *chunk = behind(*chunk, if rng.random_ratio(1, 5) { far } else { 1 });
        }
        fields.id = behind(*chunk, NEAR[rng.random_range(0..NEAR.len())]);
        fields.flags = match code {
            opcode::RES => [0, 1, 2, 4, 5, 0][rng.random_range(0..6)],
            opcode::GRANTED => rng.random_range(0..4),
            _ => rng.random_range(0..2) << 1,
        };
    } else if p.dedup && rng.random_ratio(1, 4) {
        fields.flags = [1, 4][rng.random_range(0..2)];
    }
    let mut packet = packet(p.vls, code, n, fields).psn(rng.random_range(0..1 << 24));
    if rng.random_bool(0.1) {
        packet = packet.marks([Marks::FECN, Marks::BECN, Marks::FECN | Marks::BECN][rng.random_range(0..3)]);
    }
    let h = &mut packet.hdr;
    if h.vl == 0 {
        h.vl = rng.random_range(0..p.data_lanes()) as u8;
    }
    h.sl = rng.random_range(0..16);
    h.dlid = rng.random_range(0..16);
    packet
}

/// Mostly the packet with the PSN that comes next of its source; one before or behind it, or any. What is taken moves that on.
pub(super) fn in_order(rng: &mut SmallRng, packet: Packet, next: &mut u32) -> Packet {
    let psn = match rng.random_range(0..16) {
        0..11 => *next,
        11 | 12 => *next + rng.random_range(1..4),
        13 | 14 => *next + (1 << 24) - rng.random_range(1..4),
        _ => rng.random(),
    } & 0xff_ffff;
    let taken = match packet.hdr.bth.map(|b| b.opcode) {
        Some(opcode::SPEC) => psn == *next,
        Some(opcode::GRANTED | 4) => true,
        _ => false,
    };
    if taken {
        *next = (psn + 1) & 0xff_ffff;
    }
    packet.psn(psn)
}

/// Makes of a packet one that has no place where it comes.
pub(super) fn misplace(p: &Params, rng: &mut SmallRng, packet: &mut Packet) {
    match rng.random_range(0..3) {
        0 => packet.hdr.vl = rng.random_range(0..p.vls) as u8,
        1 => packet.hdr.lnh = rng.random_range(0..4),
        _ => packet.hdr.pkt_len = 32,
    }
}

/// On with reservation, for messages of two packets and more; the far end answers soon.
pub(super) fn begin(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Cfg(Reservation, "NMIN", 2), Answers(12, 10, (40, 40), 0), Op::Written]);
    ops
}

/// The end of a scenario in which nothing comes twice: each packet is of a chunk of its own, and all of them go once over all numbers, so
/// that the next round is newer.
fn end(p: &Params, ops: &mut Vec<Op>) {
    let of_chunk = |packet: &Packet| {
        let code = packet.hdr.bth.map(|b| b.opcode);
        matches!(code, Some(opcode::RES | opcode::SPEC)) && p.dedup
    };
    let mut packets: Vec<&mut Packet> = Vec::new();
    for op in ops.iter_mut() {
        if let Op::Rx(packet, _) | Op::RxTo(packet, ..) = op
            && of_chunk(packet)
        {
            packets.push(packet);
        }
    }
    let step = (usize::from(IDS) / packets.len().max(1)).clamp(1, 400) as u16;
    let mut chunk = 0;
    for packet in packets {
        chunk = behind(chunk, step);
        packet.fields.id = chunk;
    }
    close(p, ops);
}

pub(super) fn close(p: &Params, ops: &mut Vec<Op>) {
    ops.push(Op::Lost(0));
    ops.extend([Longest(1), Starve(None), Answers(10, 8, (0, 30), 0)]);
    finish(p, ops);
    ops.extend([Cfg(Reservation, "ERR_CLEAR", 0xffff), Cfg(Reservation, "NMIN", 4), Op::Written]);
}

/// A packet of the protocol; without SRP one of data of as many flits.
pub(super) fn of(p: &Params, code: u8, n: usize, fields: SrpFields) -> Packet {
    if p.srp { packet(p.vls, code, n, fields) } else { Packet::data(n) }
}

pub(super) fn fields(id: u16, seq: u8) -> SrpFields {
    SrpFields { id, seq, ..SrpFields::default() }
}

pub(super) fn spec(p: &Params, n: usize, id: u16, seq: u8) -> Packet {
    of(p, opcode::SPEC, n, fields(id, seq))
}

fn request(p: &Params, id: u16, size: u16) -> Packet {
    of(p, opcode::RES, 1, SrpFields { id, size, ..SrpFields::default() })
}

fn reply(p: &Params, code: u8, id: u16, seq: u8, wait: u32) -> Packet {
    of(p, code, 1, SrpFields { id, seq, wait, ..SrpFields::default() })
}

pub(super) fn lane(p: &Params, class: SrpLane) -> Option<usize> {
    p.srp.then(|| class.vl(p.vls))
}

pub(super) fn protocol(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let (mtu, nmax) = (p.mtu as u8, p.nmax as u16);
    // all of three chunks is sent
    let quiet = 3 * (p.nmax * p.mtu) as u32 + 120;
    // one message of two packets; of one and several chunks; a short one
    ops.extend([Message(1, 2, mtu), Idle(LONG), Wait(80)]);
    for (pkts, last) in [(1, 1), (nmax, mtu), (nmax + 1, 1), (2 * nmax, mtu - 1)] {
        ops.extend([Message(0, pkts, last), Idle(LONG), Wait(quiet)]);
    }
    // all is dropped, some is, with GRANTs that come late and at once
    for (trip, answer, dropped) in [(40, 5, ALWAYS), (40, 60, ALWAYS), (60, 10, chance(0.5)), (1, 30, ALWAYS)]
    {
        ops.extend([Answers(trip, answer, (20, 60), dropped)]);
        ops.extend((0..3).map(|f| Message(f, nmax, mtu)));
        ops.extend([Idle(LONG), Wait(quiet)]);
    }
    // nothing is speculative; no reservations at all
    for ctrl in [7, 2] {
        ops.extend([Cfg(Reservation, "CTRL", ctrl), Message(2, nmax, 1), Message(0, 2, mtu), Wait(100)]);
        ops.extend([Idle(LONG), Wait(100)]);
    }
    end(p, &mut ops);
    ops
}

pub(super) fn messages(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let mtu = p.mtu as u8;
    // the host delivers nothing: messages of all flows fill their queues; those that are none
    ops.push(Host(0, ALWAYS));
    for _ in 0..p.msgq + 3 {
        ops.extend((0..p.flows as u16).map(|f| Message(f, 2, mtu)));
    }
    ops.extend([Message(p.flows as u16, 1, 1), Message(1, 0, 1), Message(1, 1, 0), Message(1, 1, mtu + 1)]);
    ops.extend([
        Wait(300),
        Attr(0, 1),
        Attr(1, 14),
        Host(chance(0.5), ALWAYS),
        Wait(1500),
        Host(ALWAYS, ALWAYS),
    ]);
    ops.extend([Wait(1500), Cfg(Hca, "LID_BASE", 60), Message(0, 2, 1), Wait(8), Cfg(Hca, "LID_BASE", 3)]);
    end(p, &mut ops);
    ops
}

pub(super) fn requests(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let (ctl, most) = (p.ctl_blocks as u16, (p.nmax * p.mtu) as u16);
    // one alone, two behind each other; one while the block of the one before becomes free
    ops.extend([Rx(request(p, 0x1509, 5), 1), Wait(30), Rx(request(p, 1, 3), 0), Rx(request(p, 2, most), 1)]);
    ops.push(Wait(40));
    for n in 1..=p.mtu.min(4) {
        ops.extend([Rx(request(p, 1, 2), 0), Rx(Packet::data(n), 2), Rx(request(p, 2, 2), 1), Wait(30)]);
    }
    for round in 0..2 {
        // as many as there is room for while no reply leaves, and one more
        ops.extend([Idle(LONG), Wait(60), Starve(lane(p, SrpLane::Reply)), Credit(ALWAYS, 0), Wait(100)]);
        ops.extend(
            (0..ctl + p.repq as u16)
                .map(|i| Rx(request(p, 0x109u16.wrapping_mul(i) % IDS, 1 + i % most), i % 3)),
        );
        ops.extend([Idle(LONG), Wait(40), Rx(request(p, 3, 2).fault(Fault::NoCredit), 0), Wait(20)]);
        ops.extend((0..3 * ctl).map(|i| Rx(request(p, i, 2), 0)));
        ops.extend([Wait(100), Starve(None), Credit(ALWAYS, 1024), Wait(50 * (1 + round)), Idle(LONG)]);
    }
    // sizes that no chunk has; damaged ones; one for many; a slow ejection
    for (id, size) in [(1, 0), (2, most + 1), (3, u16::MAX)] {
        ops.push(Rx(request(p, id, size), 1));
    }
    ops.extend([Rx(request(p, 4, 1).fault(Fault::Bad(1)), 1), RxTo(request(p, 5, 1), To::Multicast, 1)]);
    ops.extend([RxTo(request(p, 5, 1), To::Other, 1), Cfg(Reservation, "RX_INTERVAL", 15)]);
    ops.extend((0..12).map(|i| Rx(request(p, i, most), 2)));
    ops.extend([Idle(LONG), Wait(100), Cfg(Reservation, "RX_INTERVAL", 1)]);
    end(p, &mut ops);
    ops
}

pub(super) fn ends(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let mtu = p.mtu;
    // every length, back to back, from several sources
    ops.extend((1..=mtu.min(6)).map(|n| Rx(spec(p, n, 0x700 + n as u16, n as u8), n as u16 % 3)));
    ops.extend([Rx(Packet::data(mtu), 1), Idle(LONG), Wait(40)]);
    // damaged, short, too long, given up, for many
    let faults = [Fault::Bad(1), Fault::Bad(mtu as u8), Fault::Early(1), Fault::Longer(2), Fault::Cut(1)];
    ops.extend(faults.map(|f| Rx(spec(p, mtu, 3, 2).fault(f), 1)));
    ops.extend([Rx(spec(p, 1, 4, 0), 2), RxTo(spec(p, 2, 5, 1), To::Multicast, 1), Idle(LONG), Wait(40)]);
    // no reply leaves: their FIFO fills, then a last flit is held back, and all behind it
    for host in [ALWAYS, chance(0.3)] {
        ops.extend([Starve(lane(p, SrpLane::Reply)), Host(ALWAYS, host)]);
        ops.extend((0..24).map(|i| Rx(spec(p, 1 + i % mtu, 0x151 * i as u16 % IDS, 1), 0)));
        ops.extend([Rx(Packet::data(1), 0), Wait(40), Credit(ALWAYS, 0), Wait(400)]);
        // RES and last flits take turns
        ops.extend((0..6).map(|i| Rx(request(p, i, 4), 1)));
        ops.extend([
            Wait(60),
            Starve(None),
            Credit(chance(0.05), 1),
            Wait(300),
            Credit(ALWAYS, 1024),
            Idle(LONG),
        ]);
    }
    for i in 0..8 {
        ops.extend([Rx(spec(p, 1, i, 0), 0), Rx(request(p, i, 4), 1)]);
    }
    end(p, &mut ops);
    ops
}

pub(super) fn classes(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let all =
        [opcode::RES, opcode::GRANT, opcode::ACK, opcode::NACK, opcode::SPEC, opcode::GRANTED, 4, 0x80, 0x11];
    for vl in 0..p.vls as u8 {
        for code in all {
            for n in [1, 2] {
                let mut packet = of(p, code, n, fields(1, 0));
                packet.hdr.vl = vl;
                ops.push(Rx(packet, 1));
                // without a BTH that is looked at
                packet.hdr.lnh = 3;
                ops.push(Rx(packet, 1));
            }
        }
        ops.extend([Idle(LONG), Wait(8), Cfg(Hca, "ERR_CLEAR", 0xffff), Wait(4)]);
    }
    end(p, &mut ops);
    ops
}

pub(super) fn replies(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let codes = [opcode::GRANT, opcode::ACK, opcode::NACK];
    // nobody waits for them; one after the other, of all flows, of none, damaged, for many
    ops.extend(codes.map(|c| Rx(reply(p, c, 1, 0, 5), 1)));
    ops.extend((0..12).map(|i| Rx(reply(p, codes[i % 3], i as u16, 0, 7), (i % p.flows) as u16)));
    ops.extend(
        (0..ID_BITS as usize).map(|bit| Rx(reply(p, codes[bit % 3], 1 << bit, 0, 7), (bit % p.flows) as u16)),
    );
    ops.extend([
        Idle(LONG),
        Rx(reply(p, opcode::ACK, 0, 0, 0), p.flows as u16),
        Rx(reply(p, opcode::NACK, 0, 0, 0), 0xffff),
    ]);
    ops.extend(codes.map(|c| Rx(reply(p, c, 0, 0, 3).fault(Fault::Bad(1)), 1)));
    ops.extend(codes.map(|c| RxTo(reply(p, c, 0, 0, 3), To::Multicast, 1)));
    ops.extend(codes.map(|c| RxTo(reply(p, c, 0, 0, 3), To::Other, 1)));
    // of chunks under way, beside the right ones, and beside those whose numbers differ in one of the upper bits
    ops.extend([Idle(LONG), Answers(100, 60, (0, 200), 0)]);
    ops.extend((0..3).map(|f| Message(f, p.nmax as u16, 1)));
    for i in 0..40u8 {
        let upper = if i % 8 < 4 { 0 } else { 0x100 << (i % 5) };
        let id = u16::from(i % 4) + upper;
        ops.extend([Rx(reply(p, codes[usize::from(i) % 3], id, i / 4, 30), u16::from(i) % 3), Wait(3)]);
    }
    // the host takes nothing: what is for it fills its lanes, replies come all the same
    ops.extend([Host(ALWAYS, 0)]);
    ops.extend((0..12).map(|_| Rx(Packet::data(p.mtu), 0)));
    ops.extend([Message(1, 2, 1), Wait(300), Host(ALWAYS, ALWAYS), Idle(LONG)]);
    end(p, &mut ops);
    ops
}

pub(super) fn room(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    // packets that the adapter's own input port refuses: there is no route
    ops.extend([Cfg(Hca, "LID_BASE", 0xc000), Message(0, 2, 1), Message(1, 1, 1), Wait(120)]);
    ops.extend([Cfg(Hca, "LID_BASE", 3), Wait(300), Message(2, 1, 1), Idle(LONG)]);
    let (mtu, nmax) = (p.mtu as u8, p.nmax as u16);
    // one lane without credit: nothing for it stands in the adapter's queues
    for starved in [lane(p, SrpLane::Spec), lane(p, SrpLane::Data), lane(p, SrpLane::Res)] {
        ops.extend([Credit(ALWAYS, 0), Wait(60), Credit(ALWAYS, 64), Starve(starved)]);
        ops.extend([Message(0, nmax, mtu), Message(1, 1, mtu), Message(2, nmax, 1), Wait(500)]);
        ops.extend([Starve(None), Credit(ALWAYS, 1024), Idle(LONG), Wait(200)]);
    }
    // a host that delivers slowly, a slow link: a packet is granted before it is whole
    ops.extend([Host(chance(0.2), ALWAYS), Message(0, nmax, mtu), Message(1, 3, mtu), Wait(600)]);
    ops.extend([Host(ALWAYS, ALWAYS), Cfg(UnitKind::OutputPort, "TX_INTERVAL", 6), Longest(nmax)]);
    ops.extend([Load(chance(0.05), (0, p.flows), 0), Wait(600), Load(0, (0, p.flows), 0), Wait(300)]);
    ops.extend([Cfg(UnitKind::OutputPort, "TX_INTERVAL", 1), Idle(LONG), Wait(500)]);
    end(p, &mut ops);
    ops
}

pub(super) fn order(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let nmax = p.nmax as u16;
    // packets of the host ask all the time; RES and replies go before them
    ops.extend([Load(ALWAYS, (0, p.flows), 0), Longest(nmax), Answers(5, 5, (0, 40), chance(0.3))]);
    for i in 0..60 {
        let id = 0x81 * i % IDS;
        ops.extend([Rx(request(p, id, 4), 1), Rx(spec(p, 1, id, 0), 2), Wait(u32::from(i) % 4)]);
    }
    // replies lack credit, RES do not
    ops.extend([Starve(lane(p, SrpLane::Reply)), Wait(20), Credit(ALWAYS, 0), Wait(60)]);
    ops.push(Credit(ALWAYS, p.mtu as u32 + 2));
    ops.extend((0..20).map(|i| Rx(spec(p, 1, i, 0), 2)));
    ops.extend([
        Wait(300),
        Starve(None),
        Credit(ALWAYS, 1024),
        Load(0, (0, p.flows), 0),
        Idle(LONG),
        Wait(900),
    ]);
    end(p, &mut ops);
    ops
}

pub(super) fn link_down(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let (mtu, nmax) = (p.mtu, p.nmax as u16);
    for round in 0..10u32 {
        // it falls while RES and replies wait or go, and packets come and go
        ops.extend([Message(round as u16 % 3, nmax, 1), Message(3 % p.flows as u16, 1, mtu as u8)]);
        ops.extend([Rx(spec(p, mtu, 1, 0), 1), Rx(request(p, 2, 3), 1), Rx(spec(p, 1, 1, 1), 1)]);
        ops.extend([Gap(0), Wait(3 + round), LinkDown(1 + 7 * (round % 4)), Wait(60)]);
        ops.extend([Idle(LONG), Wait(60)]);
    }
    // and in every cycle about the grant of a reply
    for wait in 0..40 {
        ops.extend([Rx(request(p, 2, 3), 1), Rx(spec(p, 1, 1, 1), 1), Wait(wait), LinkDown(8), Wait(40)]);
    }
    // replies that were lost are given again
    let names = SrpFields { flags: 4, ..SrpFields::default() };
    ops.extend((0..4.min(p.flows as u16)).map(|f| Rx(of(p, opcode::GRANT, 1, names), f)));
    for f in 0..4.min(p.flows as u16) {
        for id in 0..16 {
            ops.push(Rx(reply(p, opcode::GRANT, id, 0, 0), f));
            ops.extend((0..p.nmax as u8).map(|seq| Rx(reply(p, opcode::ACK, id, seq, 0), f)));
        }
    }
    ops.extend([Idle(LONG), Wait(50), Cfg(Reservation, "ERR_CLEAR", 0xffff)]);
    end(p, &mut ops);
    ops
}
