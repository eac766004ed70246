//! What scenarios are made of.

use super::pace::Pace;
use super::script::{Dims, Op};
use super::sender::Part;
use super::world::ALL_PORTS;

use Op::{Cfg, Delay, DownAll, DrainAll, Flit, Forget, Quiet, Raw, Stick, Wait, Written};
use Part::{Body, Header, Tail, Whole};

/// A good flit.
pub(super) fn flit(port: usize, lane: usize, part: Part, dlid: u32) -> Op {
    Flit(port, lane, part, false, dlid)
}

/// Flits `from..to` of a message of `flits`.
pub(super) fn flits(
    port: usize,
    lane: usize,
    flits: u32,
    (from, to): (u32, u32),
    dlid: u32,
) -> impl Iterator<Item = Op> {
    (from..to).map(move |n| {
        let part = match (n == 0, n + 1 == flits) {
            (true, true) => Whole,
            (true, false) => Header,
            (false, true) => Tail,
            (false, false) => Body,
        };
        flit(port, lane, part, dlid)
    })
}

/// A whole message, flit by flit.
pub(super) fn message(port: usize, lane: usize, n: u32, dlid: u32) -> impl Iterator<Item = Op> {
    flits(port, lane, n, (0, n), dlid)
}

/// As after reset, with nothing under way: whatever was broken is mended by links that fall.
pub(super) fn start(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Written, Forget, Wait(2), DownAll(3), Wait(8)];
    for port in 0..d.ports {
        ops.extend([
            DrainAll(port, Pace::ALWAYS),
            Delay(port, 0),
            Op::Pace(port, Pace::ALWAYS),
            Stick(port, 0),
        ]);
    }
    let data = d.data();
    let share = (data / 4).max(1);
    ops.extend([Cfg(ALL_PORTS, "LHP", 64), Cfg(ALL_PORTS, "BE_MASK", ((1 << share) - 1) << (data - share))]);
    ops.extend(weights(d, |_| 1, |_| 1));
    if d.admit {
        ops.extend([Cfg(0, "CTRL", 0), Cfg(0, "NODE_ID", 0), Cfg(ALL_PORTS, "LIMIT", 4096)]);
        ops.extend([Cfg(ALL_PORTS, "WSHIFT", 4), Cfg(ALL_PORTS, "NEXT", 0)]);
    }
    ops.extend([Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff), Written, Quiet(200)]);
    ops
}

/// Weights of all lanes at all ports.
pub(super) fn weights(d: &Dims, at_input: fn(usize) -> u32, at_output: fn(usize) -> u32) -> Vec<Op> {
    let lanes = 0..d.vls;
    let inputs = lanes.clone().map(|v| Raw(ALL_PORTS, 32 + v as u8, at_input(v)));
    inputs.chain(lanes.map(|v| Raw(ALL_PORTS, 48 + v as u8, at_output(v)))).collect()
}
