//! The directed scenarios of admission (section 8 of the page). Without ADMIT their messages are as any.

use super::head::{ACK, DATA, Head, NACK, OTHER, PROBE, RELEASE};
use super::moves::{flit, flits, message, start};
use super::pace::Pace;
use super::script::{Dims, Op};
use super::sender::Part;
use super::world::ALL_PORTS;
use crate::stimulus::chance::chance;

use Op::{
    Cfg, Down, DownAll, Drain, Gap, Over, Quiet, Raw, ReadAll, Route, Say, Send, Streams, Tell, Wait, Written,
};
use Part::{Body, Header, Tail, Whole};

/// NEXT: the other end is an adapter.
const HOST: u32 = 1 << 16;

/// NODE_ID, which no release says that is not meant.
const OWN: u32 = 0xfff0;

/// Enough cycles for a message of one flit to have gone on.
const GONE: u32 = 12;
/// For an answer.
const ANSWERED: u32 = 24;

/// Admission is on, nothing is booked, and all data lanes are real-time.
fn on(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Cfg(ALL_PORTS, "BE_MASK", 0), Cfg(0, "CTRL", 1), Cfg(0, "NODE_ID", OWN), Written]);
    ops
}

/// Nothing is booked any more.
fn anew() -> [Op; 4] {
    [Cfg(0, "CTRL", 0), Cfg(0, "CTRL", 1), Written, Wait(2)]
}

/// What a stream of lane 0 from DLID `slid` says.
fn head(kind: u8, bw: u32, slid: u32) -> Head {
    Head { kind, slid: slid as u16, bw: bw as u16, conn: 0xf00d, ..Head::default() }
}

/// A control message of one flit that comes by a port; where that leads its answer goes.
fn control(d: &Dims, port: usize, kind: u8, bw: u32, dlid: u32) -> Op {
    Say(port, d.control(), Whole, false, dlid, head(kind, bw, port as u32))
}

fn probe(d: &Dims, port: usize, bw: u32, dlid: u32) -> Op {
    control(d, port, PROBE, bw, dlid)
}

fn release(d: &Dims, port: usize, bw: u32, dlid: u32) -> Op {
    control(d, port, RELEASE, bw, dlid)
}

/// The last message of a stream of lane 0, or its header.
fn last(port: usize, part: Part, bw: u32, dlid: u32) -> Op {
    Say(port, 0, part, false, dlid, Head { last: true, ..head(DATA, bw, port as u32) })
}

/// All that was given is sent, and has gone.
fn done(ops: &mut Vec<Op>, cycles: u32) {
    ops.extend([Written, Wait(cycles)]);
}

pub(super) fn ya1_sums(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    let of_lane = |port: usize, kind: u8, bw: u32, vl: usize| {
        Say(port, d.control(), Whole, false, 1, Head { vl: vl as u8, ..head(kind, bw, port as u32) })
    };
    // Exact, one too much, of another lane, by another port, of a lane that is not there.
    for (kind, port, bw, vl) in [
        (PROBE, 0, 100, 0),
        (RELEASE, 0, 100, 0),
        (PROBE, 0, 100, 0),
        (RELEASE, 0, 101, 0),
        (PROBE, 0, 100, 0),
        (RELEASE, 1, 60, 0),
        (RELEASE, 0, 30, 1),
        (PROBE, 1, 50, 15),
        (RELEASE, 0, 20, 15),
        (RELEASE, 1, 0xffff, 1),
    ] {
        ops.push(of_lane(port, kind, bw, vl));
        done(&mut ops, GONE);
        if d.admit {
            ops.push(ReadAll);
        }
    }
    ops.extend(anew());
    // A lane has 65535 at most: what is booked is given back for another one.
    for _ in 0..18 {
        ops.extend([of_lane(0, PROBE, 4096, 0), Gap(0, 3), of_lane(0, RELEASE, 4096, 1), Gap(0, 3)]);
    }
    done(&mut ops, 2 * GONE);
    ops.extend([of_lane(0, RELEASE, 4096, 0), Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff)]);
    done(&mut ops, GONE);
    ops
}

pub(super) fn ya1_lost(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    let c = d.control();
    // Booked: at the output, and by the input; then with nothing booked something in the control lane.
    ops.push(probe(d, 0, 100, 1));
    done(&mut ops, GONE);
    for port in [0, 1] {
        ops.extend([Down(port, 4), Wait(8), Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff)]);
    }
    ops.extend(anew());
    ops.extend([
        Down(1, 20),
        Say(0, c, Whole, false, 1, head(OTHER, 0, 0)),
        Written,
        Wait(4),
        Down(0, 3),
        Wait(30),
    ]);
    ops.push(Say(0, c, Header, false, 1, head(OTHER, 0, 0)));
    done(&mut ops, GONE);
    ops.extend([Down(0, 3), Wait(GONE), Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff)]);
    // A full lane, and an open one: control, and real-time.
    let carries = [probe(d, 0, 1, 1), release(d, 0, 1, 1), last(0, Whole, 1, 1), last(0, Header, 1, 1)];
    for (lane, op) in [(c, carries[0]), (c, carries[1]), (0, carries[2]), (0, carries[3])] {
        ops.extend([Down(1, d.depth + 10), flit(0, lane, Header, 1)]);
        ops.extend((1..d.depth).map(|_| flit(0, lane, Body, 1)));
        ops.extend([Gap(0, 1), op, op, Written, Wait(d.depth + 12), Down(0, 3), Wait(GONE)]);
        ops.extend([flit(0, lane, Header, 1), flit(0, lane, Body, 1), Gap(0, 3), op, Written, Wait(GONE)]);
        ops.extend([Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff), Down(0, 3), Wait(GONE)]);
    }
    // A reply that waits, is coming in, has gone and is not paid for, has its lane; what has no route.
    let reply = |part| Say(0, d.reply(), part, false, 1, head(ACK, 1, 0));
    ops.extend([Down(1, 20), reply(Whole), Written, Wait(6), Down(0, 3), Wait(30)]);
    ops.extend([reply(Header), Written, Wait(GONE), Down(0, 3), Wait(GONE)]);
    ops.extend([Drain(1, d.reply(), Pace::NEVER), reply(Whole), Written, Wait(GONE), Down(1, 3), Wait(GONE)]);
    ops.extend([Drain(1, d.reply(), Pace::ALWAYS), Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff), Written]);
    ops.extend([Down(1, 20), Wait(1), reply(Whole), Written, Wait(30), Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff)]);
    for (lane, kind) in
        [(c, RELEASE), (c, PROBE), (0, DATA), (d.reply(), ACK), (d.reply(), NACK), (d.reply(), OTHER)]
    {
        let h = Head { last: true, ..head(kind, 1, 0) };
        ops.push(Say(0, lane, Whole, false, d.nowhere(), h));
        done(&mut ops, ANSWERED);
        ops.push(Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff));
    }
    // Bad ends, with and without admission.
    for admit_en in [1, 0] {
        ops.extend([Cfg(0, "CTRL", admit_en), Written]);
        for (lane, kind) in [(c, PROBE), (c, RELEASE), (c, OTHER), (0, DATA), (d.reply(), ACK)] {
            let h = Head { last: true, ..head(kind, 1, 0) };
            ops.push(Say(0, lane, Whole, true, 1, h));
            done(&mut ops, ANSWERED);
            ops.extend([Say(0, lane, Header, false, 1, h), Op::Flit(0, lane, Tail, true, 1)]);
            done(&mut ops, ANSWERED);
            ops.extend([
                Say(0, lane, Header, false, 1, h),
                Say(0, lane, Header, false, 1, head(OTHER, 0, 0)),
            ]);
            done(&mut ops, ANSWERED);
            ops.extend([Say(0, lane, Header, false, 1, h), Gap(0, 2), Down(0, 4)]);
            done(&mut ops, ANSWERED);
            ops.push(Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff));
        }
    }
    ops.extend([DownAll(3), Wait(GONE)]);
    ops
}

pub(super) fn ya2_decide(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    for limit in [0, 1, 100, 4095, 4096, 4097, 0x1fff] {
        let most = limit.min(4096);
        ops.push(Cfg(1, "LIMIT", limit));
        for bw in [[most, 0, 1], [most + 1, most, 0xffff], [most / 2, most - most / 2, 1], [4097, 4096, 1]] {
            for bw in bw {
                ops.push(probe(d, 0, bw, 1));
                done(&mut ops, ANSWERED);
            }
            ops.extend(anew());
        }
    }
    // LIMIT falls below what is booked.
    ops.extend([
        Cfg(1, "LIMIT", 100),
        Written,
        probe(d, 0, 100, 1),
        Written,
        Wait(GONE),
        Cfg(1, "LIMIT", 99),
    ]);
    for op in [probe(d, 0, 0, 1), probe(d, 1, 1, 1), release(d, 0, 100, 1)] {
        ops.push(op);
        done(&mut ops, ANSWERED);
    }
    // No way; a link that is down in each cycle about the decision.
    for flits in [1, 3] {
        for dlid in [d.nowhere(), d.lft_depth, 0xffff] {
            ops.push(Tell(0, d.control(), flits, dlid, head(PROBE, 1, 0)));
            ops.push(Tell(0, d.control(), flits, dlid, head(RELEASE, 1, 0)));
            ops.push(Quiet(500));
        }
    }
    for after in 0..6 {
        ops.extend([probe(d, 0, 10, 1), Wait(after), Down(1, 3)]);
        done(&mut ops, ANSWERED);
    }
    // The last bandwidth of an output for two at once, from every place of the pointer; all ports at once.
    ops.extend(anew());
    for turn in 0..2 * d.ports {
        ops.extend([Cfg(1, "LIMIT", 100), probe(d, turn % d.ports, 0, 0)]);
        done(&mut ops, ANSWERED);
        ops.extend([probe(d, 0, 60, 1), probe(d, 1, 60, 1)]);
        done(&mut ops, ANSWERED);
        ops.extend(anew());
        ops.extend((0..d.ports).map(|port| probe(d, port, 30, 1)));
        ops.extend((0..d.ports).map(|port| Gap(port, port as u32)));
        ops.extend((0..d.ports).map(|port| release(d, port, 30, 1)));
        done(&mut ops, 2 * ANSWERED);
        ops.extend(anew());
    }
    // The last hop: one flit, more, more than the lane holds.
    ops.extend([Cfg(1, "NEXT", HOST), Cfg(1, "LIMIT", 4096), Cfg(0, "NODE_ID", 0x1234), Written]);
    for flits in [1, 2, 3, d.depth + 3] {
        ops.extend([Tell(0, d.control(), flits, 1, head(PROBE, 40, 0)), Quiet(500)]);
        ops.extend([Tell(0, d.control(), flits, 1, head(RELEASE, 40, 0)), Quiet(500)]);
    }
    // Its link falls as it is consumed, or decided and goes on; another header ends it.
    for dlid in [1, 0] {
        for after in 0..10 {
            ops.push(Say(0, d.control(), Header, false, dlid, head(PROBE, 1, 1)));
            ops.extend((0..4).map(|_| flit(0, d.control(), Body, dlid)));
            ops.extend([Wait(after), Down(0, 3)]);
            done(&mut ops, 2 * ANSWERED);
        }
    }
    for after in [0, 1, 4] {
        ops.push(Say(0, d.control(), Header, false, 1, head(PROBE, 1, 1)));
        ops.extend([Gap(0, after), probe(d, 0, 1, 1), probe(d, 0, 1, 1)]);
        done(&mut ops, 2 * ANSWERED);
    }
    // A probe behind a made tail that has no credit.
    ops.extend(anew());
    ops.extend([Cfg(1, "NEXT", 0), Drain(1, d.control(), Pace::NEVER)]);
    ops.extend(flits(0, d.control(), 60, (0, d.depth), 1));
    ops.extend([Written, Wait(d.depth + 8), Down(0, 3), Wait(5), probe(d, 0, 1, 0), Written, Wait(GONE)]);
    ops.extend([Drain(1, d.control(), Pace::ALWAYS), DownAll(3), Wait(ANSWERED)]);
    ops
}

pub(super) fn ya2_slots(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    for to in [HOST, 0] {
        ops.extend([Cfg(ALL_PORTS, "NEXT", to), Cfg(ALL_PORTS, "LIMIT", 64), Written]);
        // Nobody takes replies: answers fill the lanes behind, then stay.
        for port in 0..d.ports {
            ops.push(Drain(port, d.reply(), Pace::NEVER));
        }
        // (Answers that have credits go.)
        for _ in 0..d.depth / 10 + 1 {
            ops.push(probe(d, 0, 65, 1));
            done(&mut ops, ANSWERED);
        }
        ops.push(probe(d, 0, 1, d.nowhere()));
        done(&mut ops, ANSWERED);
        for round in 0..3 {
            for port in 0..d.ports {
                let dlid = ((port + round) % d.ports) as u32;
                ops.extend([probe(d, port, 65, dlid), Gap(port, 2), release(d, port, 0, dlid)]);
                ops.push(Tell(port, d.reply(), 10, dlid, head(ACK, 0, 0)));
            }
        }
        for port in 0..d.ports {
            ops.extend([probe(d, port, 1, d.nowhere()), probe(d, port, 1, 0)]);
        }
        ops.extend([Written, Wait(60), Cfg(0, "NODE_ID", 7), Written]);
        // A lane after the other takes them, then all do.
        for port in 0..d.ports {
            ops.extend([Drain(port, d.reply(), Pace::Period(7, 2, 0)), Wait(50)]);
        }
        for port in 0..d.ports {
            ops.push(Drain(port, d.reply(), Pace::ALWAYS));
        }
        ops.extend([Quiet(3_000), DownAll(3), Wait(GONE), Written]);
        ops.extend(anew());
    }
    ops
}

pub(super) fn ya2_off(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    let c = d.control();
    ops.extend([Cfg(0, "NEXT", HOST), Written]);
    // In each cycle of the life of a probe, a release, a last message: turned off, and on.
    for (n, dlid) in [(1, 1), (3, 1), (1, 0), (2, d.nowhere())] {
        for after in 0..16 {
            for to in [0, 1] {
                ops.extend([Cfg(0, "CTRL", 1 - to), Written, Wait(2)]);
                ops.push(Tell(0, c, n, dlid, head(PROBE, 50, 1)));
                ops.push(Tell(1, 0, n + 1, dlid, Head { last: true, ..head(DATA, 50, 1) }));
                ops.extend([Wait(after), Cfg(0, "CTRL", to), Written, Wait(ANSWERED)]);
                if after % 4 == 0 {
                    ops.extend([Tell(0, c, n, dlid, head(RELEASE, 50, 1)), Quiet(400)]);
                }
            }
        }
    }
    // Turned on while a probe waits that has its lane; off while one waits that has been decided.
    for to in [0, 1] {
        ops.extend([Cfg(0, "CTRL", 1 - to), Written, Wait(2), Down(1, 24), probe(d, 0, 10, 1), Wait(8)]);
        ops.extend([Cfg(0, "CTRL", to), Written, Wait(40)]);
    }
    ops.extend([flit(1, c, Header, 1), Written, Wait(8), probe(d, 0, 10, 1), Written, Wait(8)]);
    ops.extend(anew());
    ops.push(flit(1, c, Tail, 1));
    done(&mut ops, GONE);
    // An answer without a way, in the cycle of its look-up.
    for after in 0..5 {
        ops.extend([Cfg(0, "CTRL", 1), Written, Wait(2)]);
        ops.push(Say(0, c, Whole, false, 0, head(PROBE, 1, d.nowhere())));
        ops.extend([Wait(after), Cfg(0, "CTRL", 0), Written, Wait(ANSWERED), Cfg(0, "ERR_CLEAR", 0xffff)]);
    }
    // A link falls.
    ops.extend([Down(0, 3), Wait(GONE)]);
    ops
}

/// A stream's whole life many times, of all ports; at the end nothing is booked.
pub(super) fn ya2_mix(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    ops.push(Cfg(0, "NODE_ID", 0x100));
    for (limit, refuse, hosts) in [(4096, 0.1, 0), (200, 0.3, 1), (60, 0.5, 2), (4096, 0.0, 4), (9, 0.2, 3)] {
        for port in 0..d.ports {
            let host = if hosts == 4 || hosts > 0 && port % 3 == hosts - 1 { HOST } else { 0 };
            ops.extend([
                Cfg(port as u32, "LIMIT", limit + port as u32),
                Cfg(port as u32, "NEXT", host | (0x200 + port as u32)),
            ]);
        }
        ops.extend([Cfg(ALL_PORTS, "WSHIFT", hosts as u32 + 1), Written]);
        ops.extend([Streams(chance(0.05), chance(0.01), chance(refuse)), Wait(2_500)]);
        ops.extend([Streams(0, chance(0.02), chance(refuse)), Over(6_000), Quiet(3_000)]);
    }
    ops.push(Streams(0, 0, 0));
    ops
}

pub(super) fn ya3_turns(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    let (c, r) = (d.control(), d.reply());
    ops.extend([Cfg(1, "NEXT", HOST), Written]);
    let passes = head(ACK, 0, 0);
    // One alone, whosever turn it is.
    for kind in [PROBE, PROBE, ACK, ACK, PROBE, ACK] {
        let lane = if kind == PROBE { c } else { r };
        let dlid = u32::from(kind == PROBE);
        ops.push(Say(0, lane, Whole, false, dlid, head(kind, 0, 0)));
        done(&mut ops, ANSWERED);
    }
    // Both ask one output in one cycle: the lane was another one's until then.
    for _ in 0..4 {
        ops.extend([Say(1, r, Header, false, 0, passes), Written, Wait(GONE), probe(d, 0, 0, 1)]);
        ops.extend([Gap(0, 2), Say(0, r, Whole, false, 0, passes), Written, Wait(GONE)]);
        ops.push(flit(1, r, Tail, 0));
        done(&mut ops, 2 * ANSWERED);
    }
    // They have lanes of different outputs, from one cycle on or a bit later, and send in turn.
    for gap in 0..5 {
        for n in [1, 2, 9] {
            ops.extend([Say(0, c, Whole, false, 1, head(PROBE, 0, 1)), Wait(gap), Tell(0, r, n, 0, passes)]);
            done(&mut ops, 2 * ANSWERED);
        }
    }
    // A slot that has no credits: replies pass it by and are discarded, the link falls.
    ops.push(Drain(0, r, Pace::NEVER));
    for _ in 0..(d.depth + 1).saturating_sub(10) {
        // Fewer credits than an answer needs.
        ops.extend([Say(1, r, Whole, false, 0, passes), Gap(1, 3)]);
    }
    ops.extend([Written, Wait(GONE), probe(d, 0, 0, 1), Written, Wait(ANSWERED)]);
    ops.extend([
        Say(0, r, Whole, false, d.nowhere(), passes),
        Say(0, r, Whole, false, 0, passes),
        Written,
        Wait(8),
    ]);
    ops.extend([Tell(0, r, 3, 1, passes), Wait(GONE)]);
    ops.extend([Down(0, 4), Wait(8), Say(0, r, Whole, false, 0, passes), Written, Wait(8)]);
    ops.extend([Drain(0, r, Pace::ALWAYS), Quiet(500)]);
    // The input's link falls in each cycle of an answer; the output's; both.
    for after in 0..18 {
        for port in [0, 1] {
            ops.push(Say(0, c, Whole, false, 1, head(PROBE, 0, 1)));
            ops.push(Say(0, r, Whole, false, 1, passes));
            ops.extend([Wait(after), Down(port, 5)]);
            if after % 3 == 0 {
                ops.push(Down(1 - port, 3));
            }
            done(&mut ops, 2 * ANSWERED);
        }
    }
    // Answers without a way; a route that is written in each cycle about the look-up.
    for slid in [d.nowhere(), d.lft_depth, 0xffff] {
        ops.push(Say(0, c, Whole, false, 1, head(PROBE, 0, slid)));
        done(&mut ops, ANSWERED);
    }
    for to in [0, 255, d.ports as u32] {
        for after in 0..5 {
            ops.extend([Route(2, 1), Written, Wait(4), Say(0, c, Whole, false, 1, head(PROBE, 0, 2))]);
            ops.extend([Wait(after), Route(2, to)]);
            done(&mut ops, ANSWERED);
        }
    }
    ops.extend([Route(2, 2 % d.ports as u32), Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff)]);
    // Many of both, from all ports.
    ops.push(Cfg(ALL_PORTS, "NEXT", HOST));
    for n in 0..6 {
        for port in 0..d.ports {
            let to = ((port + n) % d.ports) as u32;
            ops.push(Tell(
                port,
                c,
                1 + n as u32 % 3,
                to,
                head(PROBE, 0, (port + 2 * n) as u32 % d.ports as u32),
            ));
            ops.push(Tell(port, r, 1 + 3 * n as u32, to, head(NACK, 0, 0)));
        }
    }
    ops.push(Quiet(6_000));
    ops
}

pub(super) fn ya5_releases(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    ops.extend([Cfg(0, "NODE_ID", 4), Cfg(1, "NEXT", 5), Written]);
    for flits in [1, 3] {
        // A probe goes on, node 5 or one behind it refuses, the release runs after it.
        for node in [5, 6, 4, 0x105] {
            ops.extend([Tell(0, d.control(), flits, 1, head(PROBE, 70, 0)), Quiet(400)]);
            ops.extend([Tell(1, d.reply(), 10, 0, Head { node, ..head(NACK, 70, 1) }), Quiet(400)]);
            ops.extend([Tell(0, d.control(), flits, 1, Head { node, ..head(RELEASE, 70, 0) }), Quiet(400)]);
        }
        // The last hop; a node of number 0; no way.
        for (next, dlid) in [(HOST | 5, 1), (HOST, 1), (0, 1), (0, d.nowhere())] {
            ops.extend([Cfg(1, "NEXT", next), Written]);
            ops.extend([Tell(0, d.control(), flits, dlid, head(PROBE, 70, 0)), Quiet(400)]);
            ops.extend([Tell(0, d.control(), flits, dlid, head(RELEASE, 70, 0)), Quiet(400)]);
        }
        ops.extend([Cfg(1, "NEXT", 5), Written]);
    }
    ops.push(ReadAll);
    ops
}

/// What a router refuses to book, and what it has not booked.
pub(super) fn ya5_strays(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    let of = |port: usize, flits: u32, h: Head| Tell(port, d.control(), flits, 1, h);
    for host in [0, HOST] {
        ops.extend([Cfg(1, "NEXT", host | 5), Written]);
        for flits in [1, 3] {
            // Lanes that are not real-time here, and are for others; that are not there.
            for mask in [0, 1, d.data_mask()] {
                ops.extend([Cfg(0, "BE_MASK", mask), Written, Wait(2)]);
                for vl in (0..d.vls as u8).chain([15]) {
                    ops.extend([of(0, flits, Head { vl, ..head(PROBE, 9, 0) }), Quiet(400)]);
                }
                ops.extend(anew());
            }
            ops.extend([Cfg(0, "BE_MASK", 0), Written, Wait(2)]);
            // The lane turns in each cycle about the decision.
            for after in 0..6 {
                ops.extend([probe(d, 0, 9, 1), Wait(after), Cfg(0, "BE_MASK", 1), Written, Wait(ANSWERED)]);
                ops.extend([Cfg(0, "BE_MASK", 0), Written, Wait(2)]);
            }
            ops.extend(anew());
            // A stream stands; releases of the router's own number, alone and beside others of another input.
            ops.extend([of(0, flits, head(PROBE, 70, 0)), Quiet(400)]);
            for node in [OWN, OWN ^ 1, OWN ^ 0x8000] {
                let h = Head { node: node as u16, ..head(RELEASE, 10, 0) };
                ops.extend([of(0, flits, h), Quiet(400), of(0, flits, h), of(1, flits, h), Quiet(400)]);
                ops.extend([ReadAll, Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff), Written]);
            }
            // NODE_ID is written in each cycle about the decision.
            for after in 0..6 {
                let h = Head { node: 3, ..head(RELEASE, 1, 0) };
                ops.extend([of(0, 1, h), Wait(after), Cfg(0, "NODE_ID", 3), Written, Wait(GONE)]);
                ops.extend([Cfg(0, "NODE_ID", OWN), Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff), Written]);
            }
            ops.extend(anew());
        }
    }
    ops
}

pub(super) fn ya6_ends(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    let c = d.control();
    // A last message of 1 to 4 flits, and a probe or a release in each cycle about its tail, by the same port or another.
    for n in 1..4u32 {
        for kind in [PROBE, RELEASE] {
            for port in [0, 1] {
                for after in 0..7 {
                    ops.extend([
                        probe(d, 0, 50, 1),
                        Gap(0, GONE),
                        probe(d, port, 30, 1),
                        Written,
                        Wait(GONE),
                    ]);
                    let h = Head { last: true, ..head(DATA, 50, 0) };
                    ops.extend((0..n).map(|k| {
                        let part = if n == 1 {
                            Whole
                        } else if k == 0 {
                            Header
                        } else if k + 1 == n {
                            Tail
                        } else {
                            Body
                        };
                        Say(0, 0, part, false, 1, h)
                    }));
                    if port == 1 {
                        ops.push(Gap(1, n));
                    }
                    ops.extend([Gap(port, after), control(d, port, kind, 30, 1)]);
                    done(&mut ops, GONE);
                    ops.extend(anew());
                }
            }
        }
    }
    // More than there is; the LIMIT is what was there before; two streams end at once.
    ops.extend([Cfg(1, "LIMIT", 50), probe(d, 0, 50, 1), Written, Wait(GONE)]);
    ops.extend([
        last(0, Whole, 50, 1),
        Gap(1, 2),
        probe(d, 1, 50, 1),
        Written,
        Wait(ANSWERED),
        last(1, Whole, 3, 1),
    ]);
    done(&mut ops, GONE);
    ops.extend([Cfg(1, "LIMIT", 4096), probe(d, 0, 20, 1), probe(d, 1, 20, 0), Written, Wait(GONE)]);
    ops.extend([last(0, Whole, 20, 1), last(1, Whole, 20, 0), Written, Wait(GONE)]);
    // Cut: the made tail ends it.
    for after in 0..10 {
        ops.extend([
            probe(d, 0, 50, 1),
            Written,
            Wait(GONE),
            last(0, Header, 50, 1),
            Wait(after),
            Down(0, 3),
        ]);
        done(&mut ops, GONE);
        ops.extend(anew());
    }
    // A header that waits is forgotten, and ends nothing.
    ops.extend([
        probe(d, 0, 50, 1),
        Written,
        Wait(GONE),
        Down(1, 20),
        last(0, Whole, 50, 1),
        Wait(8),
        Down(0, 3),
    ]);
    done(&mut ops, ANSWERED);
    ops.extend(anew());
    // Best-effort as the header comes, or as it crosses; lanes that it drew.
    for after in 0..7 {
        ops.extend([probe(d, 0, 50, 1), Written, Wait(GONE), last(0, Whole, 50, 1), Wait(after)]);
        ops.extend([Cfg(0, "BE_MASK", 1), Written, Wait(GONE), Cfg(0, "BE_MASK", 0), Written]);
        ops.extend(anew());
    }
    ops.extend([Cfg(0, "BE_MASK", d.data_mask()), Cfg(1, "LFSR_SEED", 0xffff), Written, Down(1, 40)]);
    // (Lane 0 draws the highest one.)
    for lane in 0..d.data() {
        let h = Head { last: true, vl: lane as u8, ..head(DATA, 9, 0) };
        ops.push(Say(0, lane, Whole, false, 1, h));
    }
    ops.extend([Wait(d.data() as u32 + 12), Cfg(0, "BE_MASK", 0), Written, Wait(60)]);
    // On other lanes it says nothing.
    for lane in [c, d.reply()] {
        ops.push(Say(0, lane, Whole, false, 1, Head { last: true, ..head(DATA, 5, 0) }));
    }
    done(&mut ops, GONE);
    ops.push(Cfg(ALL_PORTS, "ERR_CLEAR", 0xffff));
    ops
}

pub(super) fn ya7_weights(d: &Dims) -> Vec<Op> {
    let mut ops = on(d);
    // (What the registers say is for other lanes.)
    ops.extend((0..d.vls as u8).flat_map(|v| [Raw(ALL_PORTS, 32 + v, 3), Raw(ALL_PORTS, 48 + v, 2)]));
    for (at_input, at_output) in [(0, 4), (4, 0), (2, 1), (15, 0), (0, 15)] {
        ops.extend([Cfg(0, "WSHIFT", at_input), Cfg(1, "WSHIFT", at_output), Written]);
        for share in [[10, 30], [0, 100], [255, 256], [3000, 1000]] {
            for (lane, bw) in share.into_iter().enumerate() {
                let h = Head { vl: (lane % d.data()) as u8, ..head(PROBE, bw, 0) };
                ops.push(Say(0, d.control(), Whole, false, 1, h));
                done(&mut ops, GONE);
            }
            for lane in 0..d.vls {
                ops.push(Send(0, lane, 40, 1));
                ops.push(Send(1, lane, 20, 1));
            }
            // A lane becomes best-effort under way.
            ops.extend([Wait(40), Cfg(0, "BE_MASK", 1), Wait(20), Cfg(0, "BE_MASK", 0), Quiet(6_000)]);
            ops.extend(anew());
        }
    }
    ops.extend(message(0, 0, 3, 1));
    done(&mut ops, GONE);
    ops
}
