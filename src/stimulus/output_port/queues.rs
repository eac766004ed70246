//! The scenarios of the output queue (`docs/output-queue.md`). Without one they are some packets that come and go.

use super::script::{Cond, Op};
use super::world::{Dims, Fault, Packet};
use crate::stimulus::chance::{ALWAYS, chance};

use Op::{Ask, Auto, Cap, Cfg, Credit, Freed, Gap, LinkDown, Pace, Slow, Until, Wait};

/// CTRL bits.
const MARK: u32 = 1;
const VICTIM: u32 = 4;
const QUEUE: u32 = 3 << 3;
const PLAIN: u32 = 1 << 7;
const VB_EN: u32 = 1 << 12;

/// Longest wait for what is sure to come.
const LONG: u32 = 20_000;

fn drained() -> Op {
    Until(Cond::Idle, LONG)
}

/// A packet as long as it may be.
fn long(d: &Dims, v: usize) -> Packet {
    Packet::data(v, 7, d.mtu)
}

fn one(v: usize) -> Packet {
    Packet::data(v, 7, 1)
}

/// No credit for any lane.
fn starve(d: &Dims, ops: &mut Vec<Op>) {
    ops.extend([Auto(0), Wait(6)]);
    ops.extend((0..d.vls).flat_map(|v| [Credit(v, 0), Wait(2)]));
}

/// Everything as at the start.
fn calm(d: &Dims, ops: &mut Vec<Op>) {
    let queue = if d.ocap > 0 { d.ocap } else { d.in_cap } as u32;
    let mtu = d.mtu as u32;
    ops.extend([Auto(4), Cap(2048), Freed(1), Pace(ALWAYS), Gap(0), Slow(0), drained()]);
    ops.extend([("CTRL", 0), ("TX_INTERVAL", 1), ("XB_INTERVAL", 1)].map(|(r, x)| Cfg(r, x)));
    ops.extend(
        [("SUM_HTH", 6 * mtu), ("SUM_LTH", 4 * mtu), ("VB_TH", 33 * queue / 100)].map(|(r, x)| Cfg(r, x)),
    );
    ops.push(Wait(20));
}

/// Room: full by long packets and by short ones; long ones are not passed; notifications; packets that are cut; a receiver at half
/// rate.
pub(super) fn room(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    for packet in [long(d, 0), one(0)] {
        for ctrl in [0, PLAIN] {
            ops.push(Cfg("CTRL", ctrl));
            starve(d, &mut ops);
            // The last input has something else to send.
            for i in 0..d.ports.max(2) - 1 {
                ops.extend((0..8).map(|_| Ask(i, packet)));
            }
            ops.extend([Ask(0, long(d, 0)), Ask(1 % d.ports, one(0)), Ask(0, one(d.vls - 1))]);
            ops.extend([Wait(4 * d.ocap as u32 + 20), Ask(d.ports - 1, Packet::cnp(0, 7)), Wait(60)]);
            ops.extend([
                Auto(1),
                Cap(2 * d.mtu as u32),
                Pace(chance(0.5)),
                drained(),
                Cap(2048),
                Pace(ALWAYS),
            ]);
        }
    }
    // Cut at every flit, as the queue fills and as it empties.
    starve(d, &mut ops);
    for a in (1..d.mtu).chain(1..d.mtu) {
        ops.extend((0..2).map(|i| Ask(i % d.ports, long(d, a % d.vls).fault(Fault::Cut(a as u8)))));
    }
    ops.extend([Wait(60), Auto(1), drained()]);
    calm(d, &mut ops);
    ops
}

/// The link: lanes in turns, one without credit, credit for one flit less, a packet and one that ends early around the root test.
pub(super) fn link(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cap(2048)];
    let last = d.vls - 1;
    for tx in [1, 3] {
        ops.push(Cfg("TX_INTERVAL", tx));
        starve(d, &mut ops);
        for v in 0..d.vls {
            ops.extend((0..3).map(|i| Ask(i % d.ports, long(d, v))));
        }
        // Of the last lane a flit too few, then all of them; then all lanes.
        let mtu = d.mtu as u32;
        ops.extend([Wait(80), Credit(last, mtu - 1), Wait(20), Credit(last, mtu), Wait(20 * tx)]);
        ops.extend([Auto(1), drained()]);
        // Short of credit beside one that is not.
        ops.extend([Auto(0), Wait(6), Credit(0, 0), Ask(0, one(0)), Ask(1 % d.ports, one(last)), Wait(40)]);
        ops.extend([Ask(0, Packet::cnp(0, 7)), Wait(20), Auto(1), drained()]);
    }
    // Late flits; packets without an end, of one lane and of another one behind them.
    ops.extend([Gap(chance(0.5)), Slow(chance(0.5))]);
    for fault in [Fault::NoLast(1), Fault::NoFirst, Fault::Longer(2), Fault::Bad] {
        ops.extend([
            Ask(0, long(d, 0).fault(fault)),
            Ask(0, one(0)),
            Wait(30),
            Ask(0, long(d, last)),
            Wait(30),
        ]);
        ops.extend([drained(), LinkDown(1), Wait(20)]);
    }
    // More than was granted, to a queue that is full.
    starve(d, &mut ops);
    ops.extend([Cfg("ERR_CLEAR", 0xffff), Gap(0), Slow(0)]);
    ops.extend(
        (0..2 * d.ocap.div_ceil(d.mtu)).map(|i| Ask(i % d.ports, long(d, 0).fault(Fault::Longer(12)))),
    );
    ops.extend([Wait(200), Auto(1), Wait(200), LinkDown(1), Wait(20), drained()]);
    calm(d, &mut ops);
    ops
}

/// The link goes down with nothing to a full queue in it, in every cycle of packets that cross.
pub(super) fn link_down(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    for down in [1, 5] {
        for wait in (0..3 * d.mtu as u32 + 6).step_by(d.mtu.div_ceil(4)) {
            starve(d, &mut ops);
            for v in [0, d.vls - 1] {
                ops.extend((0..3).map(|i| Ask(i % d.ports, long(d, v))));
            }
            ops.extend([Wait(wait), LinkDown(down), Auto(1), Wait(down + 4), drained()]);
        }
    }
    calm(d, &mut ops);
    ops
}

/// Every pair of paces, packets at either.
pub(super) fn paces(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Auto(1)];
    for (xb, tx) in [(1, 2), (2, 4), (7, 14), (0, 3), (9, 4), (15, 1), (1, 15)] {
        ops.extend([Cfg("XB_INTERVAL", xb), Cfg("TX_INTERVAL", tx)]);
        for slow in [0.0, 0.5, 1.0] {
            ops.push(Slow(chance(slow)));
            for i in 0..d.ports + 2 {
                ops.push(Ask(i % d.ports, Packet::data(i % d.vls, 7, 1 + i % d.mtu.min(4))));
            }
            ops.push(drained());
        }
    }
    calm(d, &mut ops);
    ops
}

/// PF1: the queue fills and empties through two thresholds, one, and crossed ones.
pub(super) fn congestion(d: &Dims) -> Vec<Op> {
    let half = (d.ocap.max(4 * d.mtu) / 2) as u32;
    let mut ops = vec![Cfg("MARKING_RATE", 0)];
    for (high, low) in [(half, half - 1), (half, half), (half - 1, half + 1), (0, 0)] {
        for ctrl in [QUEUE | VICTIM | MARK, QUEUE | MARK] {
            ops.extend([Cfg("SUM_HTH", high), Cfg("SUM_LTH", low), Cfg("CTRL", ctrl)]);
            starve(d, &mut ops);
            for v in 0..d.vls {
                ops.extend((0..half + 4).map(|i| Ask(i as usize % d.ports, one(v))));
            }
            ops.extend([Wait(half * 3 * d.vls as u32 + 20), Auto(4), drained()]);
            // Those behind find their credits.
            ops.extend((0..4).map(|i| Ask(i % d.ports, long(d, 0))));
            ops.push(drained());
        }
    }
    calm(d, &mut ops);
    ops
}

/// VM2: the queue with the packet in it holds VB_TH - 1, VB_TH, VB_TH + 1 flits.
pub(super) fn validation(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("CTRL", VB_EN)];
    for th in [0, 1, 2, d.mtu as u32] {
        ops.push(Cfg("VB_TH", th));
        for before in 0..=th.min(2) {
            starve(d, &mut ops);
            ops.extend((0..before).map(|i| Ask(i as usize % d.ports, one(0).mb())));
            ops.push(Wait(20));
            let kinds =
                [one(0).mb(), one(0), one(0).mb().vb(), one(0).mb().opcode(0x11), Packet::cnp(0, 7).mb()];
            for p in kinds {
                ops.extend([Ask(0, p), Wait(8)]);
            }
            ops.extend([Ask(0, long(d, 0).mb()), Ask(1 % d.ports, one(d.vls - 1).mb()), Wait(20)]);
            ops.extend([Auto(1), drained()]);
        }
    }
    ops.push(Cfg("VB_TH", 0));
    for wait in 0..4 {
        ops.extend([
            Ask(0, long(d, 0).mb()),
            Until(Cond::Granted(0), 20),
            Wait(wait),
            LinkDown(1),
            drained(),
        ]);
        ops.push(Wait(20));
    }
    calm(d, &mut ops);
    ops
}
