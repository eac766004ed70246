//! Scenarios of classes of lanes (rules Q1, Q3, Q7). Ports without them have data on all lanes instead.

use super::script::{Cond, Op};
use super::world::{Dims, Packet};
use crate::params::lanes::{SrpLane, opcode};
use crate::stimulus::chance::{ALWAYS, Chance};

use Op::{Ask, Auto, Cap, CapOf, Cfg, Clear, Credit, Expire, Pace, Starve, Until, Wait};

fn drained() -> Op {
    Until(Cond::Idle, 2000)
}

fn calm(d: &Dims, ops: &mut Vec<Op>) {
    ops.extend([Expire(0), Pace(ALWAYS), Starve(false), Cap(2048), Auto(1), drained(), Clear]);
    ops.extend([Cfg("CTRL", 0), Wait(4 * d.vls as u32)]);
}

/// A packet of a class, on its lane; of data on lane `v`.
fn of(d: &Dims, class: SrpLane, v: usize, len: usize) -> Packet {
    let (lane, opcode, len) = match class {
        SrpLane::Data => (v, opcode::GRANTED, len),
        SrpLane::Spec => (d.lane_of(class), opcode::SPEC, len),
        SrpLane::Res => (d.lane_of(class), opcode::RES, 1),
        SrpLane::Reply => (d.lane_of(class), opcode::GRANT, 1),
    };
    Packet::data(lane, 7, len).opcode(opcode)
}

fn lanes(d: &Dims) -> Vec<(SrpLane, usize)> {
    (0..d.vls).map(|v| (d.params.srp_lane(v).unwrap_or(SrpLane::Data), v)).collect()
}

/// No lane has credit.
fn no_credit(d: &Dims) -> Vec<Op> {
    let all = (0..d.vls).map(|v| Credit(v, 0));
    [Auto(0), Wait(4)].into_iter().chain(all).chain([Wait(d.vls as u32 + 2)]).collect()
}

/// All inputs ask on all lanes, and with a NACK each.
fn all_ask(d: &Dims, ops: &mut Vec<Op>, len: usize) {
    for i in 0..d.ports {
        ops.extend(lanes(d).into_iter().map(|(class, v)| Ask(i, of(d, class, v, len))));
        if d.params.srp {
            ops.push(Ask(i, Packet::nack(d, 9)));
        }
    }
}

pub(super) fn priority(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("CTRL", 0), Cap(2048), Auto(1), Wait(20)];
    for len in [1, d.mtu] {
        // credit comes to the lanes one by one, in either order; and to all of them
        for up in [true, false] {
            ops.extend(no_credit(d));
            all_ask(d, &mut ops, len);
            let order: Vec<usize> = if up { (0..d.vls).collect() } else { (0..d.vls).rev().collect() };
            ops.extend(order.into_iter().flat_map(|v| [Credit(v, 2 * d.mtu as u32), Wait(3)]));
            ops.extend([Wait(10), Auto(1), drained()]);
        }
        for i in 0..d.ports {
            ops.push(Ask(i, of(d, SrpLane::Data, 0, d.mtu)));
            all_ask(d, &mut ops, len);
        }
        ops.push(drained());
    }
    // replies without end beside the others, but for the credit that they lack
    for (class, v) in lanes(d) {
        ops.extend((0..6).map(|k| Ask(k % d.ports, of(d, class, v, 1))));
        all_ask(d, &mut ops, 2.min(d.mtu));
        ops.push(drained());
    }
    calm(d, &mut ops);
    ops
}

pub(super) fn owed(d: &Dims) -> Vec<Op> {
    let mtu = d.mtu as u32;
    let mut ops = vec![Cfg("CTRL", 0), Cap(2048), Auto(1), Wait(20)];
    let all = lanes(d).into_iter().filter(|(class, _)| matches!(class, SrpLane::Data | SrpLane::Spec));
    let all: Vec<(SrpLane, usize)> = all.collect();
    for &(class, v) in &all {
        for first in 0..d.ports {
            // a long packet of each input in turn, short ones of the others, a block of credit at a time
            ops.extend(no_credit(d));
            ops.push(Ask(first, of(d, class, v, d.mtu)));
            for i in (0..d.ports).filter(|i| *i != first) {
                ops.extend((0..3).map(|_| Ask(i, of(d, class, v, 1))));
            }
            ops.push(Wait(2));
            for blocks in 1..=mtu {
                ops.extend([Credit(v, blocks.min(2)), Wait(3)]);
            }
            ops.extend((2..=mtu).flat_map(|blocks| [Credit(v, blocks), Wait(2)]));
            ops.extend([Wait(mtu), Auto(1), drained()]);
        }
        // the same without end: a receiver of an MTU at half rate
        ops.extend([CapOf(v, mtu), Pace(Chance::MAX / 2)]);
        for k in 0..4 {
            ops.push(Ask(0, of(d, class, v, d.mtu)));
            ops.extend((0..6).map(|n| Ask((1 + n + k) % d.ports, of(d, class, v, 1))));
        }
        ops.extend([drained(), Pace(ALWAYS), Cap(2048), Wait(20)]);
    }
    // a long packet of one lane of data lacks credit, short ones of another go
    for &(_, v) in &all {
        let other = (v + 1) % all.len().saturating_sub(1).max(1);
        ops.extend(no_credit(d));
        for i in 0..d.ports {
            ops.push(Ask(i, of(d, SrpLane::Data, v % all.len().saturating_sub(1).max(1), d.mtu)));
            ops.extend((0..2).map(|_| Ask(i, of(d, SrpLane::Data, other, 1))));
        }
        ops.extend([Credit(other, 2), Wait(8), Credit(other, 3), Wait(8), Auto(1), drained()]);
    }
    calm(d, &mut ops);
    ops
}

pub(super) fn nacks(d: &Dims) -> Vec<Op> {
    let (spec, reply) = (d.lane_of(SrpLane::Spec), d.lane_of(SrpLane::Reply));
    let mut ops = vec![Cfg("CTRL", 0), Cap(2048), Auto(1), Wait(20)];
    if !d.params.srp {
        ops.extend((0..d.ports).map(|i| Ask(i, Packet::data(0, 7, 1))));
        ops.push(drained());
        return ops;
    }
    // NACKs and replies of all inputs, credit for one at a time
    ops.extend(no_credit(d));
    for i in 0..d.ports {
        ops.extend([Ask(i, Packet::nack(d, 3)), Ask(i, Packet::nack(d, 4))]);
        ops.extend((0..2).map(|_| Ask(i, of(d, SrpLane::Reply, 0, 1))));
        ops.push(Ask(i, of(d, SrpLane::Spec, 0, d.mtu)));
    }
    // credit of the spec lane is none of theirs
    ops.extend([Credit(spec, 2 * d.mtu as u32), Wait(8)]);
    ops.extend((0..5 * d.ports).flat_map(|_| [Credit(reply, 1), Wait(3)]));
    ops.extend([Auto(1), drained()]);
    // speculative packets to which credits are owed expire
    for round in 0..6 {
        ops.extend(no_credit(d));
        for i in 0..d.ports {
            let len = if i == round % d.ports { d.mtu } else { 1 };
            ops.extend((0..2).map(|_| Ask(i, of(d, SrpLane::Spec, 0, len))));
        }
        ops.extend([Wait(2), Credit(spec, 1), Wait(3), Credit(spec, 1), Wait(3), Credit(spec, 1), Wait(3)]);
        ops.extend([Expire(ALWAYS), Wait(4 * d.ports as u32), Expire(0), Wait(2)]);
        ops.extend([Credit(reply, 1), Wait(4), Auto(1), drained()]);
    }
    calm(d, &mut ops);
    ops
}
