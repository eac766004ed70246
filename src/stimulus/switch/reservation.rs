//! Scenarios of speculative packets in a switch (rules Q1-Q9). Switches without them have data instead.

use super::script::{Op, calm};
use crate::params::lanes::{SrpLane, opcode};
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::input_port::{Dims, Packet};
use Op::{Cap, Drain, In, LinkDown, Quiet, Send, Shut, Wait};

/// Registers as after reset, everything empty.
fn begin(d: &Dims, ttw: u32) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend([In("TTW", ttw), In("SPEC", 1), Quiet(400)]);
    ops
}

fn end() -> [Op; 4] {
    [In("SPEC", 0), In("TTW", 203), Quiet(5000), Cap(2048)]
}

/// From input `i` to output `o`: a speculative packet; without SRP data.
fn spec(d: &Dims, i: usize, o: usize, n: usize, age: u16) -> Packet {
    let (dlid, slid) = (o as u16, (i + d.ports) as u16);
    if d.params.srp { Packet::spec(d, dlid, slid, n, age) } else { Packet::data(dlid, n) }
}

/// The neighbour of output 1 takes no speculative packets, or does again.
fn shut(d: &Dims, yes: bool) -> [Op; 2] {
    let lane = if d.params.srp { 1 << SrpLane::Spec.vl(d.vls) } else { 0 };
    [Shut(1, if yes { lane } else { 0 }), Wait(8 * d.vls as u32)]
}

fn control(d: &Dims, o: usize, opcode: u8) -> Packet {
    if d.params.srp { Packet::control(d, o as u16, opcode) } else { Packet::data(o as u16, 1) }
}

pub(super) fn nacks(d: &Dims) -> Vec<Op> {
    let mut ops = begin(d, 20);
    for n in [1, d.mtu] {
        // all send to output 1, which has no credit; the NACKs go back, each to its own link
        ops.extend(shut(d, true));
        ops.extend((0..d.ports).map(|i| Send(i, spec(d, i, 1, n, 3), 4)));
        ops.push(Wait(400));
        // the way back is another one, and the same for all
        ops.extend((0..d.ports).map(|i| Send(i, spec(d, 2 % d.ports, 1, n, 0), 2)));
        ops.extend((0..d.ports).map(|i| Send(i, control(d, 2 % d.ports, opcode::ACK), 2)));
        ops.push(Wait(400));
        ops.extend(shut(d, false));
        ops.push(Quiet(5000));
    }
    ops.extend(end());
    ops
}

pub(super) fn classes(d: &Dims) -> Vec<Op> {
    let mut ops = begin(d, 0x7fff);
    // all lanes of all inputs want output 1, whose neighbour is slow
    for share in [0.1, 0.5, 1.0] {
        ops.push(Drain(1, chance(share)));
        for round in 0..4 {
            for i in 0..d.ports {
                ops.push(Send(i, Packet::data(1, if (i + round) % 2 == 0 { d.mtu } else { 1 }), 2));
                ops.push(Send(i, spec(d, i, 1, 1 + round % d.mtu, 0), 1));
                ops.extend([opcode::RES, opcode::GRANT, opcode::NACK].map(|o| Send(i, control(d, 1, o), 1)));
            }
        }
        ops.push(Quiet(20_000));
    }
    ops.push(Drain(1, ALWAYS));
    ops.extend(end());
    ops
}

pub(super) fn link_down(d: &Dims) -> Vec<Op> {
    let mut ops = begin(d, 12);
    for round in 0..8 {
        ops.extend(shut(d, true));
        for i in 0..d.ports {
            ops.extend([Send(i, spec(d, i, 1, d.mtu, 0), 3), Send(i, Packet::data(1, d.mtu), 1)]);
            ops.push(Send(i, Packet::data(0, d.mtu), 2));
        }
        // links fall while packets arrive, are dropped and go back
        ops.extend([Wait(6 + 3 * round), LinkDown(0, 1 + 5 * round), Wait(round % 3), LinkDown(1, 4)]);
        ops.push(Wait(60));
        ops.extend(shut(d, false));
        ops.push(Quiet(5000));
    }
    ops.extend([In("ERR_CLEAR", 0xffff), Op::Out("ERR_CLEAR", 0xffff)]);
    ops.extend(end());
    ops
}
