//! The directed scenarios. Each is a list of operations; a test runs it on the golden model and names what must happen. These are
//! of host, table and queues.

use super::link_scenarios::{
    c1_counters, f1_cut, f1_falls, f1_replies, yw1_frame, yw1_kinds, yw2_credits, yw2_owed, yw6_guard,
    yw6_hold, yw7_masks,
};
use super::moves::{
    ACCEPT, ADMIT, ALL, CREDIT, FIRST, HERE, LOST, REFUSE, REFUSE_FAR, SILENT, ack, best_effort, control,
    last, len, nack, open, real_time, says, some, some_real_time, start, start_with, then,
};
use super::script::{Dims, Op};
use crate::params::UnitKind;
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::scenario_table;
use crate::stimulus::worm_router::head::{ACK, Head, NACK};
use crate::stimulus::worm_router::pace::Pace;
use crate::stimulus::worm_router::sender::Part;

use Op::{
    Answers, Cfg, Down, Drain, DrainAll, Early, Flit, Gap, Hold, Over, Quiet, Raw, ReadAll, Retry, Wait,
    Written,
};
use Part::Whole;

scenario_table! {
    UnitKind::WormAdapter, Dims, Op;
    c1_read_back "c1-read-back" "C1" "every register and counter is read after every write";
    c1_sweep "c1-sweep" "C1 R1" "opens, posts, flits, credits and writes while the table is swept";
    c1_counters "c1-counters" "C1" "counters at their ends; errors cleared as they are set";
    ya4_opens "ya4-opens" "YA4 YC3" "opens are accepted, and refused for each reason, with the last that fits";
    ya4_first_node "ya4-first-node" "YA4" "a NACK of the first node: idle at once, and opened again";
    ya4_releases "ya4-releases" "YA4" "NACKs from further on: releases wait, are sent, end; replies come for them";
    ya4_given_up "ya4-given-up" "YA4" "probes that nobody answers are given up; late replies, and those of another stream, mean nothing";
    ya4_gap "ya4-gap" "YA4" "opens wait for PROBE_GAP, while releases, replies and posts go on";
    ya4_replies "ya4-replies" "YA4" "replies late, again, for nobody, at once for all, and in the cycles of opens and posts";
    ya4_leavings "ya4-leavings" "YA4" "tails in every other cycle, while replies, opens and posts wait for their turns; a reply too many";
    ya4_lanes "ya4-lanes" "YA4 YW7" "streams take the lane with the smallest book, also as BE_MASK changes, and without real-time lanes";
    ya6_finals "ya6-finals" "YA6 YA4" "final messages of one flit and of many release their streams; those refused are posted again";
    ya7_weights "ya7-weights" "YA7" "weights from what is booked, from 0 to more than 255, and of best-effort";
    ya1_modes "ya1-modes" "YA1 YC1" "credits and admission are switched with connections open and messages out";
    yc1_credits "yc1-credits" "YC1 YC2" "a stream's credits run out and come back, one by one, as the next post comes";
    yc3_best_effort "yc3-best-effort" "YC1 YC3" "best-effort's credits run out; C_B is changed with messages out and as they leave";
    yc3_m "yc3-m" "YC3" "M at its ends, and lowered with messages out";
    yc4_full "yc4-full" "YC4" "every queue is full, and has room again";
    yc4_control "yc4-control" "YC4 YA4" "control messages of the host beside the adapter's own, by turns";
    yc4_lengths "yc4-lengths" "YC4 YW1" "messages of every class and length up to the longest; a lane has room to the last flit";
    yc4_guard "yc4-guard" "YC4 YW6" "messages on their way into lanes with LHP 0, 1, 2 and 255";
    yc4_guard_end "yc4-guard-end" "YC4" "real-time passes a best-effort message until the guard is at its end";
    yc4_draws "yc4-draws" "YC4" "draws of best-effort lanes: all fit, some, none; the LFSR is written as it draws";
    yw1_frame "yw1-frame" "YW1" "flits out of frame and on lanes that are not there; headers that end messages";
    yw1_kinds "yw1-kinds" "YW1" "messages for others, of wrong types, on every lane; LID changes";
    yw2_credits "yw2-credits" "YW2" "the link's credits to the last one, one by one, in the cycle of a flit, too many";
    yw2_owed "yw2-owed" "YW2" "a reply's pulse and another flit's in one cycle: one is owed";
    yw6_guard "yw6-guard" "YW6" "the link with LHP 0, 1, 2 and 255: real-time beside best-effort, control before both";
    yw6_hold "yw6-hold" "YW6" "best-effort headers are held back, lane by lane; what has begun goes on";
    yw7_masks "yw7-masks" "YW7" "BE_MASK is written while messages are on their way";
    f1_falls "f1-falls" "F1" "the link falls in every cycle of a message's life, of each class";
    f1_replies "f1-replies" "F1 YA4" "the link falls as replies wait; new ones find no room";
    f1_cut "f1-cut" "F1 YW1" "the link falls inside messages for the host, for others, and inside a reply";
}

fn c1_read_back(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    // Something is counted, some errors are there.
    ops.extend([open(0, 7), real_time(0, 1), best_effort(1), best_effort(0), Written, Quiet(200), ReadAll]);
    for pattern in PATTERNS {
        ops.extend(registers(UnitKind::WormAdapter).map(|r| Cfg(r.name, pattern)));
        ops.extend([Raw(128, pattern), Raw(12, 5), Raw(254, 5), Written, ReadAll]);
    }
    ops.extend(registers(UnitKind::WormAdapter).map(|r| Cfg(r.name, 1 + u32::from(r.addr))));
    ops.extend([Written, ReadAll]);
    ops
}

fn c1_sweep(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Early, Wait(4), ReadAll];
    ops.extend(start_with(d, ADMIT, ACCEPT));
    // All connections are idle.
    for conn in [0, d.conns - 1] {
        ops.extend([open(conn, 1), Written, Wait(80), last(conn, 1), Written, Quiet(400)]);
    }
    ops
}

fn ya4_opens(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, ADMIT, ACCEPT);
    let most = d.conns - 1;
    // No such connection, or not idle: asked for, under way, open.
    ops.extend([open(d.conns, 1), open(0xffff, 1), open(0, 100), open(0, 100), open(0, 0)]);
    then(&mut ops, 120);
    ops.extend([open(0, 100), open(0, 5000)]);
    // No such bandwidth.
    ops.extend([0, 4097, 0xffff].map(|bw| open(most, bw)));
    // Not so much; the last of it; nothing.
    ops.extend([open(most, 4096), Written, Cfg("LIMIT", 200), Written, open(most, 101), open(most, 100)]);
    then(&mut ops, 120);
    ops.extend([Over(4_000), Cfg("LIMIT", 0), Written, open(0, 1), Written]);
    ops.extend([Answers(ACCEPT), Cfg("LIMIT", 0x1fff), Written, open(0, 4096), open(most, 1)]);
    then(&mut ops, 120);
    ops.extend([Over(4_000), Answers(ACCEPT)]);
    // Credits: none left, the last one; the sum before the bandwidth, and behind it.
    ops.extend([Cfg("CTRL", CREDIT | ADMIT), Cfg("LIMIT", 4096), Cfg("C_B", d.msgq), Written, open(0, 1)]);
    ops.extend([Written, Cfg("C_B", d.msgq - 1), Written, open(0, 1), open(most, 1), open(most, 4096)]);
    then(&mut ops, 120);
    ops.extend([Over(4_000), Answers(ACCEPT), Cfg("C_B", 0), Written, open(0, 4096)]);
    then(&mut ops, 120);
    ops.extend([Over(4_000), Cfg("CTRL", CREDIT), Written]);
    // Without admission any bandwidth will do, but for its credits.
    for bw in [0xffff, 4097, 4096, 0] {
        ops.extend([open(0, bw), open(most, bw / 2)]);
        then(&mut ops, 8);
        ops.push(Over(4_000));
    }
    ops.extend([Cfg("CTRL", 0), Written, open(0, 0xffff), open(most, 0), Written, Wait(8)]);
    ops.extend([real_time(0, 1), real_time(most, 1), last(0, 1), Written, Quiet(300)]);
    ops
}

fn ya4_first_node(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, CREDIT | ADMIT, REFUSE);
    for n in 0..3 {
        ops.extend(some(d, 4).map(|conn| open(conn, 50 + n)));
        then(&mut ops, 60);
        // Nothing may be posted on them.
        ops.extend(some(d, 2).map(|conn| real_time(conn, 1)));
        ops.push(Quiet(2_000));
    }
    // Accepted after all, on the same numbers.
    ops.push(Answers(ACCEPT));
    ops.extend(some(d, 4).map(|conn| open(conn, 1)));
    ops.extend([Written, Quiet(800), Over(4_000)]);
    // Refused in each cycle about that of an open and a post.
    for gap in 0..5 {
        ops.extend([Answers(SILENT), open(0, 9), Written, Quiet(200)]);
        ops.extend([Gap(gap), nack(0, FIRST), Wait(1), open(0, 9), real_time(0, 1), Written, Wait(8)]);
        ops.extend([nack(0, FIRST), Written, Over(400)]);
    }
    ops
}

fn ya4_releases(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, CREDIT | ADMIT, REFUSE_FAR);
    for _ in 0..3 {
        ops.extend(some(d, 6).map(|conn| open(conn, 30)));
        ops.extend([Written, Quiet(3_000), Over(3_000), Answers(REFUSE_FAR)]);
    }
    // The control lane is full: the release waits, in the queue and in its lane.
    for lanes in [0, 1, 2] {
        ops.extend([Answers(SILENT), open(0, 40), Written, Quiet(300)]);
        ops.push(Drain(d.control(), Pace::NEVER));
        ops.extend((0..lanes).map(|_| control(d.lane)));
        ops.extend([Written, Wait(d.depth + 2 * d.lane), nack(0, FIRST + 1)]);
        then(&mut ops, 24);
        // Neither of these is for it.
        ops.extend([ack(0), nack(0, FIRST), open(0, 1), real_time(0, 1)]);
        then(&mut ops, 24);
        ops.extend([Drain(d.control(), Pace::ALWAYS), Quiet(600)]);
    }
    // A reply in each cycle of the release's life.
    for gap in 0..24 {
        ops.extend([open(0, 40), Written, Quiet(300), nack(0, 0xffff), Gap(gap), ack(0)]);
        ops.extend([Written, Quiet(300)]);
    }
    ops
}

fn ya4_given_up(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, CREDIT | ADMIT, SILENT);
    for kind in [ACK, NACK] {
        ops.extend(some(d, 6).map(|conn| open(conn, 40)));
        // The probe waits yet; it is on its way, and no link has fallen.
        ops.extend([open(0, 0), Written, Quiet(2_000), open(0, 0), Written, Down(3), Wait(8)]);
        ops.extend(some(d, 6).map(|conn| open(conn, 0)));
        ops.extend([Written, Wait(4)]);
        // Late answers; those of a stream with another DLID, bandwidth, number.
        ops.extend([nack(0, FIRST), ack(0), Written, Wait(4), Cfg("LFSR_SEED", 9), Written]);
        ops.extend([Op::Open(0, 0x1234, 41), Written, Quiet(300)]);
        for (slid, bw, seq) in [(0x4000, 41, 9), (0x1234, 40, 9), (0x1234, 41, 8), (0x1234, 41, 9)] {
            let head = Head { slid, bw, seq, conn: 0, node: FIRST as u16, ..says(kind) };
            ops.extend([Flit(d.reply(), Whole, false, HERE, head), Written, Wait(4)]);
        }
        // Open, it is not given up; nor is one that is idle, or not there.
        ops.extend([open(0, 0), open(d.conns - 1, 0), open(d.conns, 0), Written, Quiet(300), Over(900)]);
        ops.extend([Cfg("ERR_CLEAR", 0xffff), Written]);
    }
    // In each cycle about that of the reply, of the fall, of the error's end.
    for gap in 0..6 {
        ops.extend([open(0, 40), Written, Quiet(300), Down(3), Gap(gap + 4), ack(0), Wait(5), open(0, 0)]);
        ops.extend([Written, Quiet(200), Over(600), Cfg("ERR_CLEAR", 0xffff), Written]);
        ops.extend([open(0, 40), Written, Quiet(300), Down(3), Wait(gap), open(0, 0), Written]);
        ops.extend([Quiet(200), Over(600), open(0, 40), Written, Quiet(300), Cfg("ERR_CLEAR", 0xffff)]);
        ops.extend([Wait(gap / 2), open(0, 0), Written, Over(900)]);
    }
    // The host says that something may be lost.
    ops.extend([open(0, 40), open(d.conns - 1, 40), Written, Quiet(300), open(0, 0), Written]);
    ops.extend([Cfg("CTRL", ADMIT | LOST), Written, open(0, 0), Written, Cfg("CTRL", ADMIT), Written]);
    ops.extend([open(d.conns - 1, 0), Written, Over(600)]);
    // Without admission.
    ops.extend([open(0, 40), Written, Quiet(300), Down(3), Wait(6), Cfg("CTRL", 0), Written, open(0, 0)]);
    ops.push(Written);
    ops
}

fn ya4_gap(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, ADMIT, REFUSE_FAR);
    for gap in [1, 2, 5, 40] {
        ops.extend([Cfg("PROBE_GAP", gap), Written]);
        // An open waits for the gap; others have their turns, and releases go.
        ops.extend(some(d, 3).flat_map(|conn| [open(conn, 3), control(1), best_effort(1)]));
        ops.extend([Written, Quiet(2_000)]);
        // Refused opens begin no gap.
        ops.extend([open(d.conns, 1), open(0, 0), open(0, 1), open(0, 1), Written, Quiet(2_000)]);
    }
    // It is written as an open waits, and as it has its turn; without admission there is none.
    for wait in 0..4 {
        ops.extend([Cfg("PROBE_GAP", 30), Written, open(0, 3), open(1, 3), Wait(wait)]);
        ops.extend([Cfg("PROBE_GAP", 3), Written, open(1, 3), open(1, 3), Written, Quiet(2_000)]);
    }
    ops.extend([Cfg("PROBE_GAP", 30), open(0, 3), Cfg("CTRL", 0), open(1, 3), open(1, 3), Written]);
    ops.extend([Cfg("PROBE_GAP", 200), Written, open(0, 3), open(1, 3), Written, Quiet(200)]);
    ops
}

fn ya4_replies(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, ADMIT, SILENT);
    // For nobody.
    ops.extend([ack(0), nack(0, FIRST), ack(d.conns), nack(0xffff, FIRST)]);
    then(&mut ops, 8);
    // Late; again; the other way.
    ops.extend([open(0, 10), Written, Wait(400), ack(0), Written, Wait(8)]);
    ops.extend([ack(0), nack(0, FIRST), Written, Wait(8), last(0, 1), ack(0)]);
    ops.extend([Written, Quiet(300)]);
    // Before the probe is out, in each cycle.
    for gap in 0..14 {
        ops.extend([open(0, 10), Gap(gap), ack(0), Written, Quiet(200), Over(400)]);
    }
    // All at once.
    let all: Vec<u32> = some(d, 12).collect();
    for round in 0..3 {
        ops.extend(all.iter().map(|&conn| open(conn, 10)));
        ops.extend([Written, Quiet(3_000)]);
        ops.extend(all.iter().map(
            |&conn| {
                if (conn + round) % 3 == 0 { nack(conn, FIRST) } else { ack(conn) }
            },
        ));
        ops.extend([Written, Quiet(300), Over(3_000)]);
    }
    // Replies, opens and posts want a turn in the same cycles: each order.
    ops.extend([open(0, 10), Written, Quiet(300), ack(0), Written, Wait(8)]);
    for shift in 0..4 {
        for n in 0..8 {
            ops.extend([ack(0), open(0, 1), best_effort(1), real_time(0, 1)]);
            ops.push(Wait((n + shift) % 4));
        }
        ops.extend([Written, Quiet(600)]);
    }
    ops
}

fn ya4_leavings(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, 0, ACCEPT);
    ops.extend([Cfg("BE_MASK", 0), Written]);
    let conns = some(d, d.data() as u32).end;
    ops.extend((0..conns).map(|conn| open(conn, 1)));
    let n = (d.lane * d.data() as u32).min(d.msgq).min(60);
    for replies in [1, d.depth + 3, 4 * d.depth + 8] {
        // The lanes fill while the link is down; then a tail goes in every cycle.
        ops.extend([Written, Down(3 * n + 40)]);
        ops.extend((0..n).map(|i| real_time(i % conns, 1)));
        ops.extend([Wait(3 * n + 34), open(0, 1), best_effort(1), real_time(0, 1)]);
        ops.extend((0..8).flat_map(|_| [open(0, 1), open(d.conns, 1), control(0), best_effort(0)]));
        ops.extend((0..replies).map(|i| if i % 2 == 0 { ack(0) } else { nack(0, FIRST) }));
        ops.extend([Written, Quiet(600)]);
    }
    // Leavings of streams that end, as they are opened anew.
    for _ in 0..2 {
        ops.extend([Down(4 * conns + 20)]);
        ops.extend((0..conns).map(|conn| last(conn, 1)));
        ops.push(Wait(4 * conns + 22));
        ops.extend((0..conns).map(|conn| open(conn, 1)));
        ops.extend([Written, Quiet(600)]);
        ops.extend((0..conns).map(|conn| open(conn, 1)));
        ops.push(Written);
    }
    ops
}

fn ya4_lanes(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, ADMIT, ACCEPT);
    let conns = some(d, 16);
    let masks = [d.first_mask(), 0, 1, d.data_mask(), 0xffff];
    // (Without a real-time lane admission refuses, and lane 0 is taken without it.)
    for (ctrl, mask) in masks.into_iter().map(|mask| (ADMIT, mask)).chain([(0, 0xffff), (0, 1)]) {
        ops.extend([Cfg("CTRL", ctrl), Cfg("BE_MASK", mask), Answers(ACCEPT), Written]);
        ops.extend(conns.clone().map(|conn| open(conn, 5 + 7 * (conn % 3))));
        ops.extend([Written, Quiet(4_000)]);
        // Some end, others come.
        ops.extend(conns.clone().step_by(3).map(|conn| last(conn, 1)));
        ops.extend([Written, Quiet(600)]);
        ops.extend(conns.clone().step_by(3).map(|conn| open(conn, 100)));
        ops.extend([Written, Quiet(4_000)]);
        ops.extend(conns.clone().map(|conn| real_time(conn, len(d, 2))));
        ops.extend([Written, Quiet(600), Over(6_000)]);
    }
    // All alike, from any lane on; without admission those with the fewest streams.
    let mask = if d.data() > 2 { d.first_mask() } else { 0 };
    for (ctrl, lid) in [(ADMIT, 0), (ADMIT, 2), (0, 0), (0, 1), (0, 0xf)] {
        ops.extend([Cfg("CTRL", ctrl), Cfg("BE_MASK", mask), Cfg("LID", lid), Written]);
        ops.extend([Answers(ACCEPT), Cfg("LID", HERE), Written]);
        ops.extend(conns.clone().map(|conn| open(conn, 9)));
        ops.extend([Written, Quiet(4_000)]);
        for n in [0, 1, 2, 0] {
            ops.extend(conns.clone().skip(n).step_by(3).map(|conn| last(conn, 1)));
            ops.extend([Written, Quiet(600)]);
            ops.extend(conns.clone().skip(n).step_by(3).map(|conn| open(conn, 9)));
            ops.extend([Written, Quiet(4_000)]);
        }
        ops.extend(conns.clone().map(|conn| real_time(conn, 1)));
        ops.extend([Written, Quiet(600), Over(6_000)]);
    }
    // LID is written in the cycle of an open's turn.
    for wait in 0..4 {
        ops.extend([open(0, 1), Wait(wait), Cfg("LID", wait), Written, open(1, 1), Written, Over(600)]);
    }
    ops.extend([Cfg("LID", HERE), Written]);
    ops
}

fn ya6_finals(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, CREDIT | ADMIT, ACCEPT);
    for n in [1, len(d, 2), d.lane] {
        ops.extend([Cfg("C_B", 0), Answers(ACCEPT), open(0, 4096 - 64)]);
        ops.extend(some(d, 3).skip(1).map(|conn| open(conn, 20)));
        ops.extend([Written, Quiet(800), real_time(0, len(d, 3)), last(0, n)]);
        // Nothing may follow it.
        ops.extend([real_time(0, 1), last(0, 1), open(0, 1)]);
        ops.extend(some(d, 3).skip(1).flat_map(|conn| [last(conn, n), open(conn, 1)]));
        ops.extend([Written, Quiet(800), Over(2_000)]);
    }
    // It is refused while there is no credit, or no room, and posted again.
    for ctrl in [CREDIT | ADMIT, ADMIT] {
        ops.extend([Cfg("CTRL", ctrl), Cfg("C_B", d.msgq / 2), Cfg("M", 0), Written]);
        if ctrl & CREDIT != 0 {
            ops.extend([Cfg("M", 0xffff), Written]);
        }
        ops.extend([Answers(ACCEPT), open(0, 1), Written, Quiet(300), DrainAll(Pace::NEVER), Retry(ALWAYS)]);
        ops.extend((0..d.depth.min(8)).map(|_| control(1)));
        ops.extend([Down(60), real_time(0, 1), last(0, 1), Wait(50), DrainAll(Pace::ALWAYS), Written]);
        ops.extend([Quiet(800), Retry(0), Over(2_000)]);
    }
    // The last one, before the others have left; with the link down; twice the same number.
    ops.extend([Cfg("CTRL", ADMIT), Cfg("M", 0xffff), Written]);
    for wait in [0, 1, 4, 12] {
        ops.extend([Answers(ACCEPT), open(0, 33), Written, Quiet(300), Down(20)]);
        ops.extend([real_time(0, len(d, 4)), last(0, 1), Written, Wait(wait), Down(3), open(0, 33)]);
        ops.extend([Written, Quiet(400), open(0, 33), Written, Quiet(300), Over(2_000)]);
    }
    ops
}

fn ya7_weights(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, ADMIT, ACCEPT);
    ops.extend([Cfg("BE_MASK", if d.data() > 2 { d.first_mask() } else { 0 }), Written]);
    let conns = some(d, d.data() as u32);
    ops.extend(conns.clone().map(|conn| open(conn, [1000, 20, 300, 3][conn as usize % 4])));
    ops.extend([Written, Quiet(4_000), Retry(ALWAYS)]);
    // (A new weight counts when what was left of the one before is used up: high ones come last.)
    for (shift, weight) in [(15, 0), (12, 1), (8, 3), (4, 0), (0, 255), (1, 1)] {
        ops.extend([Cfg("WSHIFT", shift), Cfg("BE_WEIGHT", weight), Written, Down(60)]);
        for _ in 0..24 / len(d, 6) + 2 {
            ops.extend(conns.clone().map(|conn| real_time(conn, len(d, 6))));
            ops.extend([best_effort(len(d, 6)), best_effort(len(d, 5)), control(len(d, 4))]);
        }
        ops.extend([Written, Quiet(20_000)]);
    }
    // The weights change while lanes go.
    ops.push(Down(60));
    ops.extend(conns.clone().flat_map(|conn| [real_time(conn, d.lane), real_time(conn, len(d, 3))]));
    ops.push(Wait(70));
    ops.extend([0, 15, 2, 7, 0, 4].into_iter().flat_map(|shift| [Cfg("WSHIFT", shift), Wait(5)]));
    ops.extend([Written, Quiet(20_000)]);
    // Without admission all are 1.
    ops.extend([Cfg("CTRL", 0), Written]);
    for _ in 0..300 / len(d, 6) {
        ops.extend(conns.clone().map(|conn| real_time(conn, len(d, 6))));
    }
    ops.extend([Written, Quiet(20_000)]);
    ops
}

fn ya1_modes(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.push(Cfg("BE_MASK", some_real_time(d)));
    for before in 0..4 {
        for after in 0..4 {
            ops.extend([Cfg("CTRL", before), Answers(ACCEPT), Written, open(0, 100)]);
            ops.extend([Written, Quiet(300), real_time(0, 1), best_effort(1), open(1, 5)]);
            ops.extend([Cfg("CTRL", after), Written, open(1, 3), real_time(0, 1), last(0, 1), Written]);
            ops.extend([Quiet(300), Cfg("CTRL", before), Written, best_effort(1), Written, Quiet(300)]);
            ops.extend([Cfg("CTRL", 0), Written, Over(2_000)]);
        }
    }
    ops
}

fn yc1_credits(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, CREDIT | ADMIT, ACCEPT);
    // Some credits, and one.
    for (conn, bw) in [(0, 1), (d.conns - 1, 4096 * 3 / d.msgq.max(4))] {
        ops.extend([Cfg("C_B", 0), Answers(ACCEPT), Written, open(conn, bw), Written, Quiet(300)]);
        let n = d.msgq.min(12) + 2;
        // They run out behind a link that is down.
        ops.push(Down(2 * n + 30));
        ops.extend((0..n).map(|_| real_time(conn, 1)));
        ops.extend([Written, Quiet(600)]);
        // One by one: each post waits for the message before it.
        ops.push(Retry(ALWAYS));
        ops.extend((0..n).map(|i| real_time(conn, 1 + i % len(d, 4))));
        ops.extend([Written, Quiet(600), Retry(0)]);
        // A post in each cycle about that of the leaving.
        for wait in 0..12 {
            ops.extend([real_time(conn, 1), Written, Wait(wait), real_time(conn, 1), Written, Quiet(200)]);
        }
        ops.push(Over(2_000));
    }
    ops
}

fn yc3_best_effort(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, CREDIT, SILENT);
    let n = d.msgq.min(8);
    // They run out, and come back.
    for c_b in [0, 1, n / 2, n] {
        ops.extend([Cfg("C_B", c_b), Written, Hold(ALL, Pace::ALWAYS)]);
        ops.extend((0..n + 1).map(|_| best_effort(1)));
        ops.extend([Written, Wait(20), Hold(ALL, Pace::NEVER), Quiet(600), best_effort(1), Quiet(300)]);
    }
    // Changed with messages out: below what is out, to it, above, and back.
    ops.extend([Cfg("C_B", n), Written, Hold(ALL, Pace::ALWAYS)]);
    ops.extend((0..n / 2 + 1).map(|_| best_effort(1)));
    ops.extend([Written, Wait(20)]);
    for c_b in [0, n / 2, n / 2 + 1, n / 2 + 2, n, 0xffff, 1, n] {
        ops.extend([Cfg("C_B", c_b), Written, Wait(1)]);
    }
    ops.extend([best_effort(1), Cfg("C_B", 0), Written, best_effort(1), Written, Hold(ALL, Pace::NEVER)]);
    ops.push(Quiet(600));
    // Written in each cycle of a message's life.
    for wait in 0..14 {
        ops.extend([Cfg("C_B", 2), Written, best_effort(1), Written, Wait(wait), Cfg("C_B", wait % 3)]);
        ops.extend([best_effort(1), Written, Quiet(200)]);
    }
    // Credits that best-effort keeps from streams.
    ops.extend([
        Cfg("C_B", d.msgq),
        Written,
        open(0, 1),
        Cfg("C_B", d.msgq - 1),
        Written,
        open(0, 1),
        Written,
    ]);
    ops.extend([Cfg("C_B", 0xffff), Written, open(1, 1), Written, Over(2_000)]);
    ops
}

fn yc3_m(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([open(0, 1), Written, Wait(8)]);
    for m in [0, 1, 2, d.msgq - 1, d.msgq, d.msgq + 1, 0xffff] {
        ops.extend([Cfg("M", m), Written, Down(3 * d.msgq.min(20) + 20)]);
        ops.extend((0..d.msgq.min(20) / 2 + 1).flat_map(|_| [real_time(0, 1), best_effort(1)]));
        ops.extend([control(1), Written, Quiet(1_000)]);
    }
    // Lowered with messages out.
    ops.extend([Cfg("M", 0xffff), Written, Down(60), real_time(0, 1), best_effort(1), real_time(0, 1)]);
    ops.extend([Written, Cfg("M", 1), Written, real_time(0, 1), best_effort(1), Written, Quiet(600)]);
    ops.extend([real_time(0, 1), Written, Quiet(300), Over(2_000)]);
    // The credits of a stream, by M.
    ops.extend([Cfg("CTRL", CREDIT), Cfg("C_B", 0), Written]);
    for m in [0, 1, 2, d.msgq / 2, d.msgq, 0xffff] {
        for bw in [1, 2048, 4096] {
            ops.extend([Cfg("M", m), Written, open(0, bw), open(1, bw), Written, Over(2_000)]);
        }
    }
    ops
}

fn yc4_full(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([open(0, 1), open(1, 1), Written, Wait(8)]);
    for class in 0..3 {
        ops.extend([DrainAll(Pace::NEVER), Retry(0)]);
        let of_class = |n| match class {
            0 => control(n),
            1 => real_time(0, n),
            _ => best_effort(n),
        };
        // (The lanes are full first; what is in them counts, too, but for control.)
        let lanes = if class == 2 { d.data() as u32 } else { 1 };
        let (full, room) = (lanes * (2 + d.depth.div_ceil(d.lane)), if class == 0 { d.ctlq } else { d.msgq });
        ops.extend((0..full).map(|_| of_class(d.lane)));
        ops.extend((0..room + 2).map(|_| of_class(1)));
        // (Data passes control.)
        ops.extend((class == 0).then_some([real_time(0, 1), best_effort(1)]).into_iter().flatten());
        ops.extend([Written, Wait(40 + d.lane), DrainAll(Pace::ALWAYS)]);
        // One leaves, one comes.
        ops.push(Retry(ALWAYS));
        ops.extend((0..4).map(|_| of_class(1)));
        ops.extend([Written, Quiet(20_000), Retry(0)]);
    }
    // All lanes at once are full of long messages.
    ops.extend([DrainAll(Pace::NEVER)]);
    ops.extend(
        (0..d.msgq.min(2 * d.vls as u32)).flat_map(|i| [best_effort(d.lane), real_time(i % 2, d.lane)]),
    );
    ops.extend([Written, Wait(40), DrainAll(Pace::ALWAYS), Quiet(20_000)]);
    ops
}

fn yc4_control(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, ADMIT, REFUSE_FAR);
    ops.push(Retry(ALWAYS));
    for n in [1, len(d, 3), d.lane] {
        for _ in 0..3 {
            ops.extend(some(d, 8).flat_map(|conn| [open(conn, 5), control(n)]));
            ops.extend([Written, Quiet(4_000), Over(4_000), Answers(REFUSE_FAR)]);
        }
    }
    // Both heads are there, and the one that is meant does not fit.
    for own in [false, true] {
        ops.extend([Drain(d.control(), Pace::NEVER)]);
        ops.extend((0..4).map(|_| control(len(d, 7))));
        if own {
            ops.extend(some(d, 3).map(|conn| open(conn, 5)));
        }
        ops.extend((0..3).flat_map(|_| [control(1), control(d.lane)]));
        ops.extend(some(d, 3).map(|conn| open(conn, 5)));
        ops.extend([Wait(4 * d.lane + 60), Drain(d.control(), Pace::Chance(chance(0.3)))]);
        ops.extend([Written, Quiet(4_000), Over(4_000), Answers(REFUSE_FAR)]);
    }
    // Beside the other classes.
    ops.extend(some(d, 4).flat_map(|conn| [open(conn, 5), control(2), best_effort(len(d, 4)), control(1)]));
    ops.extend([Written, Quiet(4_000)]);
    ops
}

fn yc4_lengths(d: &Dims) -> Vec<Op> {
    let mut ops = start_with(d, 0, SILENT);
    ops.extend([open(0, 1), Written, Retry(ALWAYS)]);
    let all = (1..=d.lane).filter(|n| *n < 12 || n + 3 > d.lane || n % 7 == 0);
    for n in all {
        ops.extend([real_time(0, n), best_effort(n), control(n)]);
        ops.extend([real_time(0, d.lane + 1 - n), best_effort(d.lane + 1 - n), control(d.lane + 1 - n)]);
        if n % 5 == 0 {
            ops.extend([Written, Quiet(3_000)]);
        }
    }
    ops.extend([Written, Quiet(3_000)]);
    // Too long, and none; a class that is not there.
    for n in [0, d.lane + 1, 255] {
        ops.extend([real_time(0, n), best_effort(n), control(n), last(0, n), Op::Post(3, 0, 1, true)]);
        ops.push(Written);
    }
    ops.extend([real_time(d.conns, 1), real_time(0xffff, 0), real_time(1, 1), real_time(d.conns - 1, 1)]);
    // One flit more than there is room for, and exactly so many.
    for n in 1..=len(d, 5) {
        ops.extend([DrainAll(Pace::NEVER), real_time(0, d.lane), real_time(0, d.lane), real_time(0, n)]);
        ops.extend([best_effort(d.lane), control(d.lane), control(d.lane), control(n)]);
        ops.extend([Wait(3 * d.lane + 40), DrainAll(Pace::Chance(chance(0.4))), Written, Quiet(4_000)]);
        ops.push(DrainAll(Pace::ALWAYS));
    }
    ops
}

fn yc4_guard(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([open(0, 1), open(1, 1), Written, Retry(ALWAYS)]);
    for (lhp, n) in [(0, 300), (1, 20), (2, 20), (64, 140), (255, 300), (3, 20)] {
        ops.extend([Cfg("LHP", lhp), Written]);
        let flits = len(d, 3);
        ops.extend([real_time(0, d.lane), best_effort(flits), real_time(1, flits), best_effort(1)]);
        ops.extend((0..n).map(|i| real_time(i % 2, flits)));
        ops.extend([control(1), best_effort(1), real_time(0, 1), best_effort(1), Written, Quiet(4_000)]);
        // Control comes as best-effort is due: behind the choice of a real-time message that passed it.
        for wait in 0..len(d, 6) {
            ops.extend([control(d.lane), best_effort(1), real_time(0, d.lane), real_time(1, 1)]);
            ops.extend([Wait(d.lane + wait), control(1), Written, Quiet(400)]);
        }
    }
    // The best-effort head does not fit for a while.
    ops.extend([Cfg("LHP", 2), Written, Hold(ALL, Pace::ALWAYS)]);
    ops.extend((0..d.msgq.min(12) / 2).map(|_| best_effort(d.lane)));
    ops.push(Wait(d.lane * (d.data() as u32 / 4 + 2)));
    ops.extend((0..8).map(|i| real_time(i % 2, len(d, 2))));
    ops.extend([Wait(80), Hold(ALL, Pace::NEVER), Written, Quiet(4_000)]);
    ops
}

fn yc4_guard_end(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Cfg("LHP", 0), open(0, 1), Written, Retry(ALWAYS)]);
    // (Not so long that real-time has no room in its lane at times; in a lane that both have neither has then.)
    let n = if d.data() == 1 { d.lane } else { len(d, 4).min(d.lane / 2).max(1) };
    ops.extend([real_time(0, n), real_time(0, n), best_effort(n)]);
    ops.extend((0..0x1_0040 / n).map(|_| real_time(0, n)));
    ops.extend([Written, Quiet(8_000)]);
    ops
}

fn yc4_draws(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.push(Retry(ALWAYS));
    let first = if d.data() > 2 { 1 } else { 0 };
    for mask in [d.data_mask(), d.data_mask() & !first, 1] {
        for seed in [0, 1, 0x8000, 0xffff, 0xace1] {
            ops.extend([Cfg("BE_MASK", mask), Cfg("LFSR_SEED", seed), Written]);
            ops.extend((0..2 * d.data()).map(|_| best_effort(len(d, 2))));
            ops.extend([Written, Quiet(2_000)]);
        }
        // Some lanes have no room, then none has.
        ops.push(Hold(ALL, Pace::ALWAYS));
        ops.extend((0..(d.data() as u32 + 1).min(d.msgq)).map(|_| best_effort(d.lane)));
        ops.extend([Wait((d.lane + 2) * (d.data() as u32 + 2)), Hold(1, Pace::NEVER), Wait(20)]);
        ops.extend([Hold(ALL, Pace::NEVER), Written, Quiet(4_000)]);
    }
    // The seed is written in the cycle of a draw, and about it.
    for wait in 0..6 {
        ops.extend([best_effort(1), Wait(wait), Cfg("LFSR_SEED", 0x1234 + wait), Written, Quiet(100)]);
    }
    // No lane is left for what waits.
    ops.extend((0..4).map(|_| best_effort(d.lane)));
    ops.extend([Wait(8), Cfg("BE_MASK", 0), Wait(60), Cfg("BE_MASK", 1), Written, Quiet(600)]);
    ops
}
