//! The directed scenarios. Each is a list of operations; a test runs it on the golden model and names what must happen.

use super::admission::{
    ya1_lost, ya1_sums, ya2_decide, ya2_mix, ya2_off, ya2_slots, ya3_turns, ya5_releases, ya5_strays,
    ya6_ends, ya7_weights,
};
use super::moves::{flit, flits, message, start, weights};
use super::pace::Pace;
use super::script::{Dims, Op};
use super::sender::Part;
use super::world::ALL_PORTS;
use crate::params::UnitKind;
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::scenario_table;

use Op::{
    Cfg, Delay, Down, DownAll, Drain, DrainAll, Flit, Forget, Gap, Pulse, Quiet, Raw, ReadAll, Route, Send,
    Stick, Wait, Written,
};
use Part::{Body, Header, Tail, Whole};

scenario_table! {
    UnitKind::WormRouter, Dims, Op;
    c1_read_back "c1-read-back" "C1" "every register and counter is read after every write";
    yw1_frame "yw1-frame" "YW1" "flits out of frame, on lanes that are full and that are not there; FRAMING ends a message";
    yw1_lengths "yw1-lengths" "YW1" "messages of 1 to 40 flits on every lane, to every output";
    yw2_credits "yw2-credits" "YW2" "credits to the last one, one by one, in the cycle of a flit, too many";
    yw2_owed "yw2-owed" "YW2" "flits of no message come as others leave: pulses are owed";
    yw3_no_route "yw3-no-route" "YW3 R1 YW1" "messages without route are discarded beside others that go, on two lanes at once, ended by FRAMING";
    r1_table "r1-table" "R1 YW8" "routes are written as they are looked up";
    yw4_freed "yw4-freed" "YW4" "a lane is free and asked for in one cycle";
    yw4_owned "yw4-owned" "YW4" "all lanes of a class are owned; the draw has one free lane";
    yw4_draws "yw4-draws" "YW4" "the LFSR is written between draws, and as it draws";
    yw5_weights "yw5-weights" "YW5" "weights at their ends, and changed while lanes go";
    yw5_second "yw5-second" "YW5 YW6" "inputs whose picks lose look again, beside guards that count";
    yw6_guard "yw6-guard" "YW6" "real-time beside best-effort with LHP from 0 to 255: guard turns at inputs and outputs, picks called away";
    yw6_exempt "yw6-exempt" "YW6" "reply and control beside real-time and best-effort that are due";
    yw6_nobody_starves "yw6-nobody-starves" "YW4 YW5 YW6" "streams that last beside a lane or a header that must have its turn: the guards' resets, the order, the pointers";
    yw7_masks "yw7-masks" "YW7" "BE_MASK is written while messages are under way";
    f1_falls "f1-falls" "F1" "the link falls in every cycle of a message's life";
    f1_made_tail "f1-made-tail" "F1" "a made tail waits for credit, with new headers behind it; the link falls again";
    f1_out "f1-out" "F1 YW4" "an output's link is down: lanes are granted, flits wait, credits are home";
    yw5_sinks "yw5-sinks" "YW2 YW5" "next hops that take in turns, a hot output";
    ya1_sums "ya1-sums" "YA1" "sums at their ends: exact, too much taken off, 65535, lanes that are not there";
    ya1_lost "ya1-lost" "YA1 F1" "what no message repairs: links that fall, headers that are not stored, messages that end bad";
    ya2_decide "ya2-decide" "YA2" "probes for the last of LIMIT, for more, two in one cycle, without a way, with LIMIT lowered";
    ya2_slots "ya2-slots" "YA2 YA3" "all slots are full while the reply lanes have no credits";
    ya2_off "ya2-off" "YA2 YA3 YA6" "admit_en is written in each cycle of a message's life";
    ya2_mix "ya2-mix" "YA1 YA2 YA3 YA5 YA6" "streams begin, run, are refused here and beyond, end; at the end nothing is booked";
    ya3_turns "ya3-turns" "YA3 F1" "slot and FIFO in turn, links that fall, answers without a way, routes that change";
    ya5_releases "ya5-releases" "YA5" "a chain of refusals: releases go on, end, and meet the node that refused";
    ya5_strays "ya5-strays" "YA2 YA5" "probes of lanes that are not real-time, releases that come to the node that refused";
    ya6_ends "ya6-ends" "YA6 YA1" "last messages beside probes and releases in each cycle, of one flit, cut, on other lanes";
    ya7_weights "ya7-weights" "YA7" "weights from what is booked, from 0 to more than 255";
}

fn c1_read_back(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    // Something is counted, some errors are there.
    ops.extend(message(0, 0, 3, 1));
    ops.extend([flit(0, 0, Body, 0), flit(1, 0, Whole, d.nowhere()), Written, Wait(8), ReadAll]);
    for pattern in PATTERNS {
        ops.extend(registers(UnitKind::WormRouter).map(|r| Cfg(ALL_PORTS, r.name, pattern)));
        ops.extend([Raw(0, 128, pattern), Raw(d.ports as u32, 3, 5), Raw(254, 5, 5), Written, ReadAll]);
    }
    // Each port has its own, but for the mask.
    for port in 0..d.ports as u32 {
        ops.extend(registers(UnitKind::WormRouter).map(|r| Cfg(port, r.name, port + u32::from(r.addr))));
    }
    ops.extend([Written, ReadAll]);
    ops
}

fn yw1_frame(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let (lane, other) = (d.control(), d.reply());
    for bad in [false, true] {
        ops.push(Flit(0, lane, Whole, bad, 1));
        ops.extend([Header, Body, Tail].map(|part| Flit(0, lane, part, bad, 1)));
        ops.extend([Gap(0, 4), flit(0, lane, Body, 1), Flit(0, lane, Tail, bad, 1), Gap(0, 4)]);
        // A header ends the message before it; the rest of its own is stray.
        ops.extend([Header, Header, Body, Tail].map(|part| Flit(0, lane, part, bad, 1)));
        ops.extend([Header, Body, Whole, Whole].map(|part| Flit(0, lane, part, bad, 1)));
        ops.extend([Written, Wait(d.depth + 10)]);
    }
    for vl in d.vls..16 {
        ops.push(flit(0, vl, Whole, 1));
    }
    ops.extend([Written, Wait(4)]);
    // A lane fills behind a link that is down, and more comes: also when the link is up again and flits leave.
    for last in [Body, Header] {
        ops.extend([Down(1, d.depth + 8), flit(0, lane, Header, 1)]);
        ops.extend((0..d.depth + 1).map(|_| flit(0, lane, Body, 1)));
        ops.extend((0..2 * d.depth + 12).map(|_| flit(0, lane, last, 1)));
        ops.extend([flit(0, lane, Tail, 1), Written, Wait(2 * d.depth + 8), DownAll(3), Wait(8)]);
    }
    // Errors are cleared as they come.
    for _ in 0..6 {
        ops.extend([flit(0, other, Body, 0), Cfg(0, "ERR_CLEAR", 0xffff), Wait(1)]);
    }
    ops.extend([Written, Wait(2), Cfg(ALL_PORTS, "ERR_CLEAR", !0), Written]);
    // Two lanes share a link, flit by flit.
    for lane in [lane, other, 0] {
        ops.extend([Send(0, lane, 9, 1), Send(1, lane, 9, 1)]);
    }
    ops.push(Quiet(2_000));
    ops
}

fn yw1_lengths(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    for n in 1..=40 {
        for port in 0..d.ports {
            let lane = (n as usize + port) % d.vls;
            ops.push(Send(port, lane, n, (n + port as u32) % d.ports as u32));
            ops.push(Send(port, (lane + 1) % d.vls, 41 - n, (n / 3) % d.ports as u32));
        }
        if n % 8 == 0 {
            ops.push(Quiet(6_000));
        }
    }
    ops
}

fn yw2_credits(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let lane = d.control();
    // All but the last one, the last one, none; then one by one, and in every cycle.
    ops.extend([DrainAll(1, Pace::NEVER)]);
    ops.extend(message(0, lane, d.depth, 1));
    ops.extend([Written, Wait(8)]);
    for gap in [5, 2, 1, 0] {
        ops.extend([Send(0, lane, d.depth + 1, 1), Wait(d.depth + 6)]);
        ops.extend((0..d.depth + 1).flat_map(|_| [Pulse(1, 1 << lane), Wait(1 + gap)]));
        ops.push(Wait(8));
    }
    // All home, and more.
    for _ in 0..d.depth + 3 {
        ops.extend([Pulse(1, 1 << lane), Wait(1)]);
    }
    ops.push(Wait(4));
    for _ in 0..3 {
        ops.push(flit(0, lane, Whole, 1));
        ops.extend((0..8).flat_map(|_| [Pulse(1, (1 << lane) | 1), Wait(1)]));
    }
    ops.extend([DownAll(3), Wait(8), DrainAll(1, Pace::ALWAYS)]);
    // Next hops of all paces.
    for delay in [0, 1, 7, 30] {
        ops.extend([Delay(1, delay), Send(0, lane, 40, 1), Send(0, 0, 40, 1), Quiet(4_000)]);
    }
    ops
}

fn yw2_owed(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    for lane in [d.reply(), d.control(), 0] {
        // The link holds a message back that leaves room for one flit; as it goes others of no message come.
        for room in [1, 2] {
            let n = d.depth.saturating_sub(room).max(1);
            ops.push(Down(1, n + 8));
            ops.extend(message(0, lane, n, 1));
            ops.extend((0..n + 14).map(|_| flit(0, lane, Body, 1)));
            ops.extend([Written, Wait(d.depth + 8)]);
        }
        // Pulses owed as the next message comes, and as the link falls.
        for gap in [0, 1, 3] {
            ops.push(Down(1, d.depth + 8));
            ops.extend(message(0, lane, (d.depth - 1).max(1), 1));
            ops.extend((0..d.depth + 9).map(|_| flit(0, lane, Tail, 1)));
            ops.push(Gap(0, gap));
            ops.extend(message(0, lane, 2, 1));
            ops.extend([Written, Wait(1 + gap)]);
            if gap == 1 {
                ops.push(Down(0, 3));
            }
            ops.push(Wait(2 * d.depth + 8));
        }
        ops.push(Down(1, d.depth + 8));
        ops.extend(message(0, lane, (d.depth - 1).max(1), 1));
        ops.extend((0..d.depth + 9).map(|_| flit(0, lane, Tail, 1)));
        ops.extend([Written, Down(0, 3), Wait(12)]);
    }
    ops
}

fn yw3_no_route(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let (a, b, away) = (d.control(), d.reply(), d.nowhere());
    ops.extend([Route(1, 1), Written]);
    // Beyond the table, no route, no port.
    for dlid in [d.lft_depth, 0xffff, away] {
        ops.extend([1, 2, 5].into_iter().flat_map(|n| message(0, a, n, dlid)));
        ops.extend([Written, Wait(8)]);
    }
    for port in [d.ports as u32, 254, 255] {
        ops.extend([Route(away, port), Written]);
        ops.extend(message(0, a, 2, away));
        ops.extend([Written, Wait(8)]);
    }
    // With pauses; two lanes by turns; beside a lane that sends.
    for gap in [0, 1, 4] {
        for n in 0..4 {
            let part = if n == 0 {
                Header
            } else if n == 3 {
                Tail
            } else {
                Body
            };
            ops.extend([flit(0, a, part, away), flit(0, b, part, away), flit(0, 0, part, 1), Gap(0, gap)]);
        }
        ops.extend([Written, Wait(8)]);
    }
    for gap in 0..3 {
        ops.extend(
            [Header, Body, Tail]
                .into_iter()
                .flat_map(|part| [flit(0, a, part, away), flit(0, b, part, away)]),
        );
        ops.extend([Gap(0, gap), flit(0, a, Whole, away), flit(0, b, Whole, away), Written, Wait(8)]);
    }
    // FRAMING ends what is being discarded, from the header on or later.
    for gap in [0, 1, 2, 3, 6] {
        ops.extend([flit(0, a, Header, away), Gap(0, gap), flit(0, a, Header, 1), flit(0, a, Tail, 1)]);
        ops.extend(message(0, a, 2, 1));
        ops.extend([Written, Wait(10)]);
    }
    // Behind others that wait; several lanes then discard at once.
    ops.push(Down(1, d.depth * d.vls as u32 + 20));
    for lane in 0..d.vls {
        ops.push(flit(0, lane, Whole, 1));
    }
    for lane in 0..d.vls {
        ops.push(flit(0, lane, if d.depth > 2 { Header } else { Whole }, away));
    }
    if d.depth > 2 {
        ops.extend((0..d.vls).map(|lane| flit(0, lane, Tail, away)));
    }
    ops.extend([Written, Wait(d.depth * d.vls as u32 + 30)]);
    // Their header behind another one's flits, one of which has a route.
    ops.extend([flit(0, a, Whole, 1), flit(0, a, Whole, away), flit(0, a, Whole, 1), Written, Wait(12)]);
    ops.extend([Route(away, 255), Written, Quiet(500)]);
    ops
}

fn r1_table(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    // A write in each cycle about that of the header.
    for to in [0, 255, d.ports as u32] {
        for after in 0..4 {
            ops.extend([Route(2, 1), Written, Wait(4)]);
            ops.extend([Gap(0, after), flit(0, 0, Whole, 2), Wait(1), Route(2, to), Written, Wait(8)]);
        }
    }
    // All inputs look up at once, all ways, as the table changes.
    for shift in 0..d.ports {
        for port in 0..d.ports {
            ops.push(flit(port, d.reply(), Whole, ((port + shift) % d.ports) as u32));
        }
        ops.extend([Route(0, 255), Wait(1), Route(0, 0), Written, Wait(6)]);
    }
    ops.extend([Route(d.lft_depth, 1), Route(0xffff, 1), Written]);
    ops.extend(message(0, 0, 2, d.lft_depth));
    ops.extend([Route(2, 2 % d.ports as u32), Written, Quiet(200)]);
    ops
}

fn yw4_freed(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let lanes = [0, d.data() - 1, d.control(), d.reply()];
    // All inputs want a lane of one output, again and again.
    for n in [1, 2, 3] {
        for lane in lanes {
            for port in 0..d.ports {
                ops.extend((0..4).map(|_| Send(port, lane, n, 1)));
            }
            ops.push(Quiet(2_000));
        }
    }
    // One input alone, whatever the pointers.
    for lane in lanes {
        ops.extend([Send(0, lane, 1, 1), Quiet(200), Send(0, lane, 1, 1), Quiet(200)]);
    }
    // Two inputs: the second one asks in each cycle about that in which the first one's tail goes.
    for lane in lanes {
        for after in 0..8 {
            ops.extend(message(0, lane, 2, 1));
            ops.extend([Gap(1, after), flit(1, lane, Whole, 1), Written, Wait(8)]);
        }
    }
    // Two groups in one cycle; all at once.
    ops.extend([flit(0, d.control(), Whole, 1), flit(1, d.reply(), Whole, 1), Written, Wait(8)]);
    for port in 0..d.ports {
        ops.extend((0..d.vls).map(|lane| Send(port, lane, 2, 1)));
    }
    ops.push(Quiet(4_000));
    ops
}

fn yw4_owned(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let data = d.data();
    ops.extend([Cfg(ALL_PORTS, "BE_MASK", d.data_mask()), Written]);
    for round in 0..3 {
        // Every lane of output 1 gets a message without end, then others ask.
        ops.extend((0..data).map(|lane| flit(0, lane, Header, 1)));
        ops.extend([Written, Wait(data as u32 + 6)]);
        ops.extend((0..data).map(|lane| flit(1, lane, Header, 1)));
        ops.extend([Written, Wait(data as u32 + 6)]);
        // One is free, and drawn; or all.
        for lane in 0..data {
            ops.push(flit(0, lane, Tail, 1));
            if round > 0 {
                ops.push(Gap(0, 6 * (2 - round)));
            }
        }
        ops.extend([Written, Wait(4 * data as u32 + 8)]);
        ops.extend((0..data).map(|lane| flit(1, lane, Tail, 1)));
        ops.extend([Written, Quiet(500)]);
    }
    // The same of one best-effort lane, and of the lanes that are nobody else's.
    ops.extend([Cfg(ALL_PORTS, "BE_MASK", 1), Written]);
    for lane in [0, d.control(), d.reply()] {
        for port in 0..d.ports {
            ops.push(flit(port, lane, Header, 1));
            ops.push(Gap(port, 2));
        }
        ops.extend([Written, Wait(6)]);
        for _ in 0..d.ports {
            ops.extend((0..d.ports).map(|port| flit(port, lane, Tail, 1)));
            ops.extend([Written, Wait(8), DownAll(3), Wait(8)]);
            ops.extend((0..d.ports).map(|port| flit(port, lane, Header, 1)));
            ops.extend([Written, Wait(6)]);
        }
        ops.extend([DownAll(4), Wait(8)]);
    }
    ops
}

fn yw4_draws(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Cfg(ALL_PORTS, "BE_MASK", d.data_mask()), Written]);
    for seed in [0, 1, 2, 0x8000, 0x7fff, 0xffff, 0x5555, 0x0010] {
        ops.extend([Cfg(1, "LFSR_SEED", seed), Written]);
        for port in 0..d.ports {
            ops.extend((0..d.data()).map(|lane| Send(port, lane, 1, 1)));
        }
        ops.push(Quiet(1_000));
    }
    // A write in each cycle about that of a draw.
    for after in 0..6 {
        ops.extend([
            flit(0, 0, Whole, 1),
            Wait(after),
            Cfg(1, "LFSR_SEED", 0x1234 + after),
            Written,
            Wait(8),
        ]);
    }
    ops
}

fn yw5_weights(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let load = |ops: &mut Vec<Op>, n: u32| {
        for port in 0..d.ports {
            ops.extend((0..d.vls).map(|lane| Send(port, lane, n, 1)));
        }
    };
    // Lanes of a class share: none or all data lanes best-effort.
    for mask in [0, d.data_mask()] {
        ops.push(Cfg(ALL_PORTS, "BE_MASK", mask));
        ops.extend(weights(d, |v| [0, 1, 3, 255][v % 4], |v| [2, 0, 255, 5][v % 4]));
        ops.push(Written);
        load(&mut ops, 12);
        ops.push(Quiet(8_000));
        // They change while lanes go, up and down, at inputs and at outputs.
        load(&mut ops, 24);
        for weight in [255, 0, 9, 1, 255] {
            for lane in 0..d.vls.min(6) as u8 {
                ops.extend([Raw(ALL_PORTS, 32 + lane, weight), Raw(ALL_PORTS, 48 + lane, weight)]);
            }
            ops.extend([Written, Wait(17)]);
        }
        ops.push(Quiet(12_000));
    }
    ops
}

fn yw5_second(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let (best_effort, last) = (d.data() - 1, d.ports - 1);
    ops.extend([Cfg(ALL_PORTS, "BE_MASK", 1 << best_effort), Written]);
    let (reply, control) = (d.reply(), d.control());
    // Input, lane, output.
    let sets: [&[(usize, usize, u32)]; 5] = [
        &[(0, 0, 1), (0, best_effort, 0), (last, control, 1)],
        &[(0, control, 1), (last, reply, 1), (0, 0, 0), (0, best_effort, 0)],
        &[(0, reply, 1), (1, control, 1), (1, 0, 0)],
        &[(0, reply, 1), (1, control, 1), (1, 0, 0), (last, 0, 1), (last, best_effort, 0)],
        &[
            (0, control, 1),
            (1, reply, 1),
            (1, control, 0),
            (0, reply, 0),
            (last, 0, 0),
            (last, best_effort, 1),
        ],
    ];
    for lhp in [64, 2] {
        ops.extend([Cfg(ALL_PORTS, "LHP", lhp), Written]);
        for set in sets {
            // Data for output 0 waits at first, so that several lanes have flits.
            ops.extend([Drain(0, 0, Pace::NEVER), Drain(0, best_effort, Pace::NEVER)]);
            ops.extend(set.iter().map(|&(port, lane, out)| Send(port, lane, 120, out)));
            ops.extend([Wait(40), DrainAll(0, Pace::ALWAYS), Quiet(4_000)]);
        }
    }
    ops
}

/// Messages without end under way: of input 0 real-time to output 1 and best-effort to others, of other inputs beside them.
fn guarded(d: &Dims, n: u32) -> Vec<Op> {
    let (real_time, best_effort, other) = (0, d.data() - 1, d.data().saturating_sub(2));
    let last = d.ports - 1;
    let mut ops = Vec::new();
    for (port, lane, out) in [
        (0, real_time, 1),
        (0, best_effort, last),
        (last, real_time, last),
        (last, best_effort, 1),
        (1, other, 1),
        (1, best_effort, 0),
    ] {
        ops.push(Send(port, lane, n, out as u32));
    }
    ops
}

fn yw6_guard(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let best_effort = d.data() - 1;
    ops.extend([Cfg(ALL_PORTS, "BE_MASK", 1 << best_effort), Written]);
    for (lhp, n) in [(1, 40), (2, 40), (3, 40), (7, 60), (64, 150), (0, 700), (255, 800)] {
        ops.extend([Cfg(ALL_PORTS, "LHP", lhp), Written]);
        ops.extend(guarded(d, n));
        ops.push(Quiet(8_000));
        // One input alone; two inputs at one output; two that stand for one.
        for pair in [
            [(0, 0, 1), (0, best_effort, 0)],
            [(0, 0, 1), (1, best_effort, 1)],
            [(0, 0, 1), (0, best_effort, 1)],
            [(0, best_effort, 1), (1, best_effort, 1)],
        ] {
            let stream = |(port, lane, out): (usize, usize, u32)| Send(port, lane, n, out);
            ops.extend(pair.map(stream));
            ops.push(Quiet(8_000));
        }
    }
    // Where nothing but what it has passes best-effort, guards count to their end.
    ops.extend([Cfg(ALL_PORTS, "LHP", 0), Written]);
    let last = d.ports - 1;
    for (port, lane, out) in [(0, 0, 1), (0, best_effort, last), (1, 0, last), (last, d.control(), last)] {
        ops.push(Send(port, lane, if lane == d.control() { 800 } else { 500 }, out as u32));
    }
    ops.push(Quiet(8_000));
    // Two best-effort lanes.
    if d.data() > 2 {
        ops.extend([Cfg(ALL_PORTS, "BE_MASK", 3 << (best_effort - 1)), Cfg(ALL_PORTS, "LHP", 3), Written]);
        for (port, lane) in [(0, 0), (0, best_effort), (1, best_effort), (last, best_effort - 1)] {
            ops.push(Send(port, lane, 60, 1));
        }
        ops.extend([Quiet(8_000), Cfg(ALL_PORTS, "BE_MASK", 1 << best_effort), Written]);
    }
    // Ports with other guards than each other: one waits for the other's.
    for (input, output) in [(1, 64), (64, 1), (0, 1), (1, 0), (3, 5)] {
        ops.extend([Cfg(ALL_PORTS, "LHP", output), Cfg(0, "LHP", input), Written]);
        ops.extend(guarded(d, 60));
        ops.push(Quiet(4_000));
    }
    // A guard changes under way.
    ops.extend(guarded(d, 200));
    for lhp in [255, 1, 0, 4, 1, 9] {
        ops.extend([Wait(40), Cfg(ALL_PORTS, "LHP", lhp)]);
    }
    ops.push(Quiet(8_000));
    ops
}

fn yw6_exempt(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Cfg(ALL_PORTS, "BE_MASK", 1 << (d.data() - 1)), Cfg(ALL_PORTS, "LHP", 1), Written]);
    for (reply, control) in [(60, 0), (0, 60), (40, 40)] {
        for (port, out) in [(0, 1), (1, 1), (d.ports - 1, 0)] {
            ops.extend(guarded(d, 30));
            ops.extend([Wait(9)]);
            for (lane, n) in [(d.reply(), reply), (d.control(), control)] {
                if n > 0 {
                    ops.extend([Send(port, lane, n, out), Send(port + 1, lane, n / 2, out)]);
                }
            }
            ops.push(Quiet(8_000));
        }
    }
    ops
}

/// Streams that last for longer than anybody may wait on a router of some lanes. In each part somebody is passed by all others for
/// ever if an order, a pointer or a guard is not what it should be.
fn yw6_nobody_starves(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let data = d.data();
    let (best_effort, other) = (data - 1, data.saturating_sub(2));
    // With few lanes the parts are not what they are meant to be.
    let (mask, n) = if data > 3 { (3 << other, 4_800) } else { (1 << best_effort, 300) };
    ops.extend([Cfg(ALL_PORTS, "BE_MASK", mask), Cfg(ALL_PORTS, "LHP", 2), Written]);
    let streams = |ops: &mut Vec<Op>, all: &[(usize, usize, u32, u32)]| {
        ops.extend(all.iter().map(|&(port, lane, out, flits)| Send(port, lane % data, flits, out)));
        ops.push(Quiet(20_000));
    };
    // Real-time of input 0 has a third of output 1. Its best-effort waits for output 2, which real-time fills; more of it goes to
    // output 0 meanwhile.
    streams(
        &mut ops,
        &[
            (0, 0, 1, n / 3),
            (3, 1, 1, n / 3),
            (4, 2, 1, n / 3),
            (2, 0, 2, n),
            (0, best_effort, 2, n / 16),
            (0, other, 0, n),
        ],
    );
    // Best-effort of input 1 is called by output 4 after each real-time flit to output 3, where one of input 2, whose real-time never
    // ends (of two lanes: one has pauses for credits), waits for a guard turn, and one of input 3 is the pick.
    ops.extend([Cfg(1, "LHP", 1), Written]);
    streams(
        &mut ops,
        &[
            (1, 0, 3, n / 2),
            (1, best_effort, 4, n / 2),
            (2, 1, 0, n / 2),
            (2, 2, 1, n / 2),
            (2, best_effort, 3, n / 16),
            (3, best_effort, 3, n / 2),
        ],
    );
    ops.extend([Cfg(ALL_PORTS, "LHP", 2), Written]);
    // Two lanes of an input, and of an output.
    streams(&mut ops, &[(0, 0, 0, 500), (0, 1, 2, 500), (1, 0, 1, 500), (2, 1, 1, 500)]);
    // One header after the other of input 0; the others have few.
    for (port, messages) in [(0, (n / 4).max(300)), (1, 40), (2, 40)] {
        ops.extend((0..messages).map(|_| Send(port, 0, 1, 1)));
    }
    ops.push(Quiet(20_000));
    ops
}

fn yw7_masks(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Cfg(ALL_PORTS, "LHP", 3), Written]);
    let singles = (0..d.vls).map(|v| 1 << v);
    let masks = [0, d.data_mask(), 0xffff, !d.data_mask(), 0x5555, 0xaaaa];
    for (n, mask) in masks.into_iter().chain(singles).enumerate() {
        for port in 0..d.ports {
            ops.extend((0..d.vls).map(|lane| Send(port, lane, 6, ((port + lane) % d.ports) as u32)));
        }
        // As headers ask, as they own, as flits go.
        for gap in [3, 2, 9] {
            ops.extend([Wait(gap), Cfg(n as u32 % d.ports as u32, "BE_MASK", mask)]);
            ops.extend([Wait(gap), Cfg(ALL_PORTS, "BE_MASK", mask.reverse_bits() >> (34 - d.vls))]);
            // Best-effort that has drawn any lane is real-time but for one.
            ops.extend([Wait(gap), Cfg(ALL_PORTS, "BE_MASK", !0), Wait(gap + 3)]);
            ops.push(Cfg(ALL_PORTS, "BE_MASK", 1 << (n % d.data())));
        }
        ops.push(Quiet(6_000));
    }
    ops
}

fn f1_falls(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let lane = d.control();
    for (n, dlid) in [(1, 1), (3, 1), (6, 1), (1, d.nowhere()), (4, d.nowhere())] {
        for after in 0..12 {
            // A flit a cycle; what comes when the link is down is not heard.
            ops.extend(message(0, lane, n, dlid));
            ops.extend([Wait(after), Down(0, 3), Wait(4), Forget, Wait(10)]);
            // The lane is as any.
            ops.extend(message(0, lane, 2, 1));
            ops.extend([Written, Wait(10)]);
        }
    }
    // A header that waits, with its lane.
    for n in [1, 2, 4] {
        ops.push(Down(1, n + 14));
        ops.extend(message(0, lane, n.min(d.depth), 1));
        ops.extend([Wait(n + 6), Down(0, 3), Wait(20)]);
    }
    // With the rest of the message behind it, as a neighbour sends it.
    for after in 2..8 {
        ops.extend(message(0, lane, 9, 1));
        ops.extend([Wait(after), Down(0, 3), Written, Wait(16)]);
    }
    ops.extend([Down(0, 3), Wait(8)]);
    ops
}

fn f1_made_tail(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let lane = d.control();
    for dlid in [1, 0, d.nowhere()] {
        for again in [0, 1, 2] {
            // Output 1 has no credit left, and the message is cut.
            ops.push(DrainAll(1, Pace::NEVER));
            ops.extend(flits(0, lane, 60, (0, d.depth), 1));
            ops.extend([Written, Wait(d.depth + 8), Down(0, 3), Wait(5)]);
            // A message behind the tail: whole, or with more to come.
            ops.extend(message(0, lane, if again == 1 { 1 } else { 2 }, dlid));
            ops.extend([Written, Wait(6)]);
            if again > 0 {
                // The link falls again; in the cycle in which the tail goes, or before.
                ops.extend([Down(0, 3), Wait(u32::from(again == 1)), Pulse(1, 1 << lane), Wait(5)]);
                ops.extend(message(0, lane, 2, dlid));
                ops.extend([Written, Wait(4)]);
            }
            ops.extend([Pulse(1, 1 << lane), Wait(8), DownAll(3), Wait(8), DrainAll(1, Pace::ALWAYS)]);
        }
    }
    // The tail waits for the output's link.
    for more in [3, 12] {
        ops.extend(flits(0, lane, 60, (0, 2), 1));
        ops.extend([Written, Wait(6), Down(1, more), Down(0, 3), Wait(5)]);
        ops.extend(message(0, lane, 2, 1));
        ops.extend([Written, Wait(20)]);
    }
    // Its lane is asked for by others.
    ops.extend(flits(0, lane, 60, (0, 2), 1));
    ops.extend([Written, Wait(4)]);
    for after in 0..5 {
        ops.extend(message(1, lane, 1, 1));
        ops.extend([Wait(after), Down(0, 3), Wait(12)]);
        ops.extend(flits(0, lane, 60, (0, 2), 1));
        ops.extend([Written, Wait(6)]);
    }
    ops.extend([Down(0, 3), Wait(12)]);
    ops
}

fn f1_out(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    // The link of output 1 falls in each cycle about those in which a message goes.
    for after in 0..12 {
        ops.extend(message(0, d.control(), d.depth.min(6), 1));
        ops.extend([Wait(after), Down(1, 3), Wait(16)]);
    }
    // Lanes are granted meanwhile; credits of before are home, pulses mean nothing.
    ops.extend([DrainAll(1, Pace::NEVER), Send(0, 0, 2 * d.depth, 1), Wait(d.depth + 10)]);
    for lane in [d.reply(), d.control(), 0] {
        ops.extend([Down(1, 20), Wait(2), Send(0, lane, 3, 1), Send(1, lane, 3, 1), Wait(6)]);
        ops.extend((0..4).flat_map(|_| [Pulse(1, !0), Wait(1)]));
        ops.extend([Wait(20)]);
    }
    ops.extend([DrainAll(1, Pace::ALWAYS), Down(1, 3), Quiet(1_000)]);
    // Both sides of all ports, with messages on every lane.
    for cycles in [3, 4, 30] {
        for port in 0..d.ports {
            ops.extend((0..d.vls).map(|lane| Send(port, lane, 5, ((port + lane) % d.ports) as u32)));
        }
        for port in 0..d.ports {
            ops.extend([Wait(5), Down(port, cycles)]);
        }
        ops.extend([Wait(40), DownAll(cycles), Quiet(4_000)]);
    }
    ops
}

fn yw5_sinks(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    for (period, on) in [(2, 1), (5, 1), (16, 8), (37, 2)] {
        for port in 0..d.ports {
            for lane in 0..d.vls {
                let from = (3 * lane + 5 * port) as u64;
                ops.push(Drain(port, lane, Pace::Period(period, on, from)));
            }
            ops.extend([Delay(port, period / 2), Stick(port, if on == 1 { ALWAYS } else { chance(0.5) })]);
            // Two thirds go to output 1.
            for lane in 0..d.vls {
                let out = if lane % 3 < 2 { 1 } else { port as u32 };
                ops.extend([Send(port, lane, 7, out), Send(port, lane, 1, out), Send(port, lane, 12, 1)]);
            }
        }
        ops.push(Quiet(20_000));
    }
    ops
}
