//! The directed scenarios of the link: what goes out, what comes in, and what is lost when it falls.

use super::moves::{
    ACCEPT, ADMIT, ALL, FIRST, HERE, ack, best_effort, control, flit, last, len, message, nack, open,
    real_time, says, some, start, start_with, then,
};
use super::script::{Dims, Op};
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::worm_router::head::{ACK, DATA, Head, NACK, OTHER, PROBE, RELEASE};
use crate::stimulus::worm_router::pace::Pace;
use crate::stimulus::worm_router::sender::Part;

use Op::{
    Cfg, Delay, Down, Drain, DrainAll, Flit, Gap, Hold, Over, Pulse, Quiet, Retry, Send, Wait, Written,
};
use Part::{Body, Header, Tail, Whole};

/// Cycles of flits that are dropped, so that a counter of 16 bits comes to its end.
const BEYOND_16_BITS: u32 = 0x1_0008;

pub(super) fn c1_counters(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    // Each error is set as it is cleared.
    for _ in 0..3 {
        for op in [
            best_effort(0),
            real_time(d.conns, 1),
            flit(0, Body),
            ack(0),
            Flit(d.control(), Whole, false, HERE + 1, says(DATA)),
            Flit(15, Whole, false, HERE, says(DATA)),
            Pulse(1),
            Flit(0, Header, false, HERE, says(DATA)),
            Down(3),
        ] {
            ops.push(op);
            ops.extend([1, 2, 0xffff, 0xffff, 0xffff].map(|bits| Cfg("ERR_CLEAR", bits)));
            ops.extend([Written, Wait(4)]);
        }
    }
    // (A lane that is not there, or no message: nothing is full by that.)
    ops.extend((0..BEYOND_16_BITS).map(|_| flit(0, Body)));
    // Refusals meanwhile: a post has a turn in two cycles, at best.
    ops.extend((0..BEYOND_16_BITS).map(|_| best_effort(0)));
    ops.extend([Written, Quiet(100)]);
    // Tails, both ways.
    ops.push(Retry(ALWAYS));
    for _ in 0..300 {
        ops.extend([best_effort(1), flit(d.control(), Whole)]);
    }
    ops.extend([Written, Quiet(400), Op::ReadAll]);
    ops
}

pub(super) fn yw1_frame(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    for lane in [0, d.control(), d.reply()] {
        let head = if lane == d.reply() { Head { conn: 1, ..says(ACK) } } else { says(DATA) };
        let of = |part, bad| Flit(lane, part, bad, HERE, head);
        for bad in [false, true] {
            ops.extend([of(Whole, bad), of(Header, bad), of(Body, bad), of(Tail, bad), Gap(4)]);
            // Of no message.
            ops.extend([of(Body, bad), of(Tail, bad), Gap(4)]);
            // A header ends the message before it; what follows is of none.
            ops.extend([of(Header, bad), of(Header, bad), of(Body, bad), of(Tail, bad)]);
            ops.extend([of(Header, bad), of(Body, bad), of(Whole, bad), of(Whole, bad)]);
            ops.extend([Written, Wait(8)]);
        }
        // The message that is ended is for another one, and the other way round.
        for (first, then) in [(HERE + 1, HERE), (HERE, HERE + 1), (HERE + 1, HERE + 1)] {
            for part in [Header, Whole] {
                ops.extend([Flit(lane, Header, false, first, head), Flit(lane, part, false, then, head)]);
                ops.extend([of(Tail, false), of(Whole, false), Written, Wait(6)]);
            }
        }
        // Lanes that share the link.
        let beside = |part| flit((lane + 1) % d.vls, part);
        ops.extend([of(Header, false), beside(Header), of(Body, false), beside(Tail), of(Tail, false)]);
        ops.extend([Written, Wait(6)]);
    }
    for vl in d.vls..16 {
        ops.extend([Header, Body, Tail, Whole].map(|part| flit(vl, part)));
    }
    ops.extend([Written, Wait(8)]);
    ops
}

pub(super) fn yw1_kinds(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    for lane in [0, d.data() - 1, d.reply(), d.control()] {
        for kind in [DATA, PROBE, ACK, NACK, RELEASE, OTHER, 6, 255] {
            for dlid in [HERE, HERE + 1] {
                for n in [1, 3] {
                    ops.extend(message(lane, n, dlid, says(kind)));
                }
                ops.push(Send(lane, 2, dlid, says(kind)));
            }
        }
        ops.extend([Written, Quiet(400)]);
    }
    // LID changes as a header comes, and inside a message.
    for wait in 0..5 {
        ops.extend([Gap(wait), flit(0, Header), flit(0, Body), flit(0, Body), flit(0, Tail)]);
        ops.extend([Wait(2), Cfg("LID", 0xffff), Wait(2), Cfg("LID", HERE), Written, Wait(8)]);
    }
    // What the adapter sends has it, too, of the cycle in which the header is moved.
    for wait in 0..8 {
        ops.extend([best_effort(len(d, 3)), Wait(wait), Cfg("LID", 0xff00 + wait), Written, Quiet(100)]);
        ops.extend([Cfg("LID", HERE), Written]);
    }
    ops
}

pub(super) fn yw2_credits(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([open(0, 1), Written, Retry(ALWAYS)]);
    let lane = d.control();
    // All but the last one, the last one, none; then one by one, and in every cycle.
    for gap in [5, 2, 1, 0] {
        ops.extend([DrainAll(Pace::NEVER)]);
        ops.extend((0..d.depth + 2).map(|_| control(1)));
        ops.extend([Wait(3 * d.depth + 12)]);
        ops.extend((0..d.depth + 1).flat_map(|_| [Pulse(1 << lane), Wait(1 + gap)]));
        ops.extend([Wait(8), DrainAll(Pace::ALWAYS), Down(3), Written, Quiet(1_000)]);
    }
    // All home, and more.
    ops.extend((0..4).flat_map(|_| [Pulse(1 << lane), Wait(1)]));
    // A pulse in each cycle about that in which the flit goes.
    for _ in 0..3 {
        ops.push(control(1));
        ops.extend((0..12).flat_map(|_| [Pulse((1 << lane) | 1), Wait(1)]));
    }
    ops.extend([Down(3), Quiet(200)]);
    // Routers of all paces.
    for delay in [0, 1, 7, 30] {
        ops.extend([Delay(delay), control(d.lane), real_time(0, d.lane), best_effort(d.lane)]);
        ops.extend([Written, Quiet(4_000)]);
    }
    ops
}

pub(super) fn yw2_owed(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, ADMIT, ACCEPT);
    ops.extend([open(0, 1), Written, Quiet(300)]);
    // Behind a reply come flits that give a pulse at once: of its lane, of others.
    for lane in [d.reply(), d.control(), 0] {
        for n in 1..5 {
            for gap in 0..3 {
                ops.extend((0..n).map(|_| ack(0)));
                ops.push(Gap(gap));
                ops.extend((0..2 * n + 3).map(|_| flit(lane, Body)));
                ops.extend([Gap(1), flit(lane, Tail), Written, Wait(24)]);
            }
        }
    }
    // Pulses are owed as the link falls.
    for wait in 0..5 {
        ops.extend((0..3).flat_map(|_| [ack(0), flit(d.reply(), Body)]));
        ops.extend([flit(d.reply(), Body), Wait(4 + wait), Down(3), Written, Wait(24)]);
    }
    // Whole replies with credits, one behind the other.
    for _ in 0..12 {
        ops.push(Send(d.reply(), 10, HERE, Head { node: FIRST as u16, conn: 0xffff, ..says(NACK) }));
        ops.push(Send(d.reply(), 1, HERE, says(ACK)));
    }
    ops.extend([Written, Quiet(2_000)]);
    ops
}

pub(super) fn yw6_guard(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let conns = some(d, d.data() as u32).end;
    ops.extend((0..conns).map(|conn| open(conn, 1)));
    ops.extend([Written, Retry(ALWAYS)]);
    let fills = d.lane * d.vls as u32 + 40;
    for lhp in [0, 1, 2, 16, 255] {
        ops.extend([Cfg("LHP", lhp), Written]);
        // The lanes fill first.
        ops.extend([Down(fills), best_effort(d.lane), best_effort(d.lane)]);
        ops.extend((0..2 * conns).map(|i| real_time(i % conns, d.lane)));
        ops.extend([control(len(d, 4)), Wait(fills + 4)]);
        // Control comes as the others go by turns.
        for n in 0..8 {
            ops.extend([real_time(n % conns, d.lane), best_effort(d.lane), control(1 + n % 2)]);
            ops.extend([real_time(n % conns, len(d, 3)), control(1), Wait(n)]);
        }
        ops.extend([Written, Quiet(6_000)]);
    }
    // Real-time goes in every cycle, beside best-effort that could: the guard comes to its end.
    let n = len(d, 4);
    ops.extend([Cfg("LHP", 0), Written, Down(fills), real_time(0, d.lane), best_effort(2), best_effort(1)]);
    ops.extend((0..(d.lane + 320) / n).map(|_| real_time(0, n)));
    ops.extend([Written, Quiet(2_000)]);
    ops
}

pub(super) fn yw6_hold(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([open(0, 1), Written, Retry(ALWAYS)]);
    for mask in [d.first_mask(), d.data_mask(), 0] {
        ops.extend([Cfg("BE_MASK", if mask == 0 { 1 } else { mask }), Written]);
        // From the first cycle on; as the header is there; inside the message: it goes on.
        for wait in 0..14 {
            ops.extend([best_effort(len(d, 5)), Wait(wait), Hold(ALL, Pace::ALWAYS), Wait(16)]);
            ops.extend([best_effort(1), real_time(0, 2), control(1), Wait(20), Hold(ALL, Pace::NEVER)]);
            ops.extend([Written, Quiet(200)]);
        }
        // Lane by lane, by turns.
        for v in 0..d.data() as u32 {
            ops.push(Hold(ALL & !(1 << v), Pace::ALWAYS));
            ops.extend((0..2 * d.data() as u32).map(|_| best_effort(len(d, 3))));
            ops.extend([Wait(40), Hold(ALL, Pace::Period(7, 3, u64::from(v))), Written]);
            ops.extend([Hold(ALL, Pace::Chance(chance(0.5))), Quiet(2_000), Hold(ALL, Pace::NEVER)]);
        }
    }
    // A lane that is held becomes real-time.
    ops.extend([Hold(ALL, Pace::ALWAYS), Cfg("BE_MASK", 1), Written, best_effort(len(d, 4)), Wait(20)]);
    ops.extend([Cfg("BE_MASK", 0), Written, Quiet(200), Hold(ALL, Pace::NEVER)]);
    ops
}

pub(super) fn yw7_masks(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, ADMIT, ACCEPT);
    ops.extend(some(d, d.data() as u32).map(|conn| open(conn, 50)));
    ops.extend([Written, Quiet(20_000), Retry(ALWAYS)]);
    let masks = [0, 0xffff, d.first_mask(), 1, d.data_mask() & !1, d.data_mask(), 0x5555, !0];
    for gap in [1, 3, 9] {
        for mask in masks {
            ops.extend(some(d, d.data() as u32).map(|conn| real_time(conn, len(d, 5))));
            ops.extend([best_effort(len(d, 5)), best_effort(len(d, 2)), Wait(gap), Cfg("BE_MASK", mask)]);
            ops.extend([Wait(gap), Cfg("BE_MASK", mask >> 1), Wait(2 * gap)]);
        }
        ops.extend([Cfg("BE_MASK", d.first_mask()), Written, Quiet(20_000)]);
    }
    // Best-effort has no lane for a while: what is there waits, and more is refused.
    ops.extend([Hold(ALL, Pace::ALWAYS), Retry(0)]);
    ops.extend((0..2 * d.data()).map(|_| best_effort(d.lane)));
    ops.extend([Written, Cfg("BE_MASK", 0), Written, Wait(2), best_effort(1), control(2), Written]);
    ops.extend([Hold(ALL, Pace::NEVER), Wait(60)]);
    ops.extend([Cfg("BE_MASK", d.data_mask()), Written, Quiet(4_000)]);
    ops
}

pub(super) fn f1_falls(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, ADMIT, ACCEPT);
    ops.extend([open(0, 1), Written, Quiet(300)]);
    let n = len(d, 4);
    for post in [real_time(0, n), best_effort(n), control(n)] {
        for wait in 0..n + 9 {
            ops.extend([post, Wait(wait), Down(3), Written, Quiet(200)]);
        }
        // For long; twice; with credits used up.
        ops.extend([post, Wait(6), Down(60), post, Wait(64), Down(3), Wait(4), Down(4), Written, Quiet(300)]);
        ops.extend([DrainAll(Pace::NEVER), Retry(ALWAYS)]);
        ops.extend((0..2 + d.depth / n).map(|_| post));
        ops.extend([Wait(4 * d.depth + 30), Down(3), Wait(20), DrainAll(Pace::ALWAYS), Written, Quiet(600)]);
        ops.push(Retry(0));
    }
    // A probe and a release that are lost complete all the same.
    for wait in 0..24 {
        let conn = d.conns - 1;
        ops.extend([open(conn, 3), Wait(wait), Down(3), Written, Quiet(300)]);
        ops.extend([nack(conn, FIRST + 1), Wait(wait / 2), Written, Quiet(300)]);
        ops.extend([ack(conn), last(conn, 1), Written, Quiet(300)]);
    }
    // Pulses that come while it is down mean nothing.
    ops.extend([Down(20), Pulse(ALL), Wait(4), control(1), Wait(24), Written, Quiet(300)]);
    ops
}

pub(super) fn f1_replies(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, 0, ACCEPT);
    ops.extend([Cfg("BE_MASK", 0), Written]);
    let conns = some(d, d.data() as u32).end;
    ops.extend((0..conns).map(|conn| open(conn, 1)));
    let n = (d.lane * d.data() as u32).min(d.msgq).min(60);
    // Tails in every cycle leave no turn for replies; the link falls in each cycle about them.
    for wait in 0..10 {
        ops.extend([Written, Down(3 * n + 40)]);
        ops.extend((0..n).map(|i| real_time(i % conns, 1)));
        ops.push(Wait(3 * n + 44));
        ops.extend((0..d.depth + 2).map(|_| ack(0)));
        ops.extend([Wait(wait), Down(3), Wait(6)]);
        // It has all its credits again.
        ops.extend((0..d.depth + 2).map(|_| nack(0, FIRST)));
        then(&mut ops, 8);
        ops.push(Quiet(600));
    }
    // A flit goes in every cycle as the link falls: those on their way complete.
    ops.push(Over(3_000));
    ops
}

pub(super) fn f1_cut(d: &Dims) -> Vec<Op> {
    // (Without a connection nothing is lost of admission.)
    let mut ops = start_with(d, ADMIT, ACCEPT);
    for wait in 0..6 {
        // On all lanes at once.
        for dlid in [HERE, HERE + 1] {
            for lane in 0..d.vls {
                let kind = if lane == d.reply() { ACK } else { DATA };
                ops.push(Flit(lane, Header, false, dlid, Head { conn: 0xffff, ..says(kind) }));
            }
            ops.extend([Wait(d.vls as u32 + wait), Down(3 + wait), Written, Wait(4)]);
            // The rest of it is of no message.
            ops.extend((0..d.vls).flat_map(|lane| [flit(lane, Body), flit(lane, Tail)]));
            ops.extend([Written, Wait(4)]);
        }
        // Each cycle of a message.
        ops.extend(message(d.control(), 4, HERE, says(OTHER)));
        ops.extend([Wait(wait), Down(3), Written, Wait(6)]);
        ops.extend(message(d.reply(), 4, HERE, Head { conn: 0xffff, ..says(NACK) }));
        ops.extend([Wait(wait), Down(3), Written, Wait(6)]);
        // Another begins as the link is up.
        ops.extend([flit(0, Header), Wait(2), Down(3), Wait(3)]);
        ops.extend(message(0, 3, HERE, says(DATA)));
        ops.extend([Written, Wait(6)]);
    }
    ops.extend([Drain(0, Pace::ALWAYS), Down(5), Wait(8)]);
    ops
}
