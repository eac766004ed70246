//! The directed scenarios. Each is a list of operations; a test runs it on the golden model and names what must happen.

use super::script::{Dims, Op};
use crate::params::UnitKind;
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::scenario_table;

use Op::{
    Cfg, Deliver, Early, Flit, Front, Full, Gather, Gone, Link, OwnFull, Owned, OwnedAll, Raw, ReadAll,
    Route, Sent, Sum, Wait,
};

// CTRL.
const NONE: u32 = 4;
const ALO: u32 = 5;
const TUNED: u32 = 6;
const THREE: u32 = 7;
/// ALO that does not count the router's lanes.
const ALO_ALONE: u32 = 1;

scenario_table! {
    UnitKind::InjectionControl, Dims, Op;
    c1_read_back "c1-read-back" "C1" "every register is read after every write";
    c1_sweep "c1-sweep" "R1" "anything comes while the table is swept; then a look-up";
    yl1_look_ups "yl1-look-ups" "YL1" "headers come, go and change in every cycle of a look-up; all lanes ask at once";
    yl1_table "yl1-table" "YL1" "the table is written around a look-up, and beyond its end";
    yl1_clauses "yl1-clauses" "YL1" "each clause decides alone, each channel holds alone";
    yl1_hold "yl1-hold" "YL1 YS2" "bounds of 0, 1 and 3 cycles; headers leave as they are overdue and while they are held; schemes change";
    yl1_long "yl1-long" "YL1 YS1" "a header is held, and flits delivered, for longer than is counted";
    ys1_gathers "ys1-gathers" "YS1" "gatherings beside deliveries and sums, one after the other, with and without the router's lanes; full lanes whose headers are held";
    ys2_estimate "ys2-estimate" "YS2" "estimates that rise, fall, are T, are below 0; silence, and what ends it; GATHER changes";
    ys3_threshold "ys3-threshold" "YS3" "up and down to both ends; T is written in every cycle around the end of a period";
    ys4_best "ys4-best" "YS4" "best periods, equal ones, half as good ones, bad ones until the best is forgotten";
    yw7_masks "yw7-masks" "YW7 YL1" "BE_MASK with all lanes, none, those that are no data lanes";
}

/// Registers, one a cycle.
fn registers_of(list: &[(&'static str, u32)]) -> Vec<Op> {
    list.iter().flat_map(|&(name, data)| [Cfg(name, data), Wait(1)]).collect()
}

/// Nothing is in front, nothing owned, nothing full; registers as scenarios want them.
fn start(d: &Dims) -> Vec<Op> {
    let mut ops: Vec<Op> = (0..d.vls).map(Gone).collect();
    ops.extend((0..d.ports).map(|i| Full(i, 0)));
    ops.extend([OwnedAll(0), Link(u32::MAX), OwnFull(0), Deliver(false), Wait(2)]);
    ops.extend(registers_of(&[
        ("CTRL", NONE),
        ("CHANNELS", 0),
        ("HOLD_MAX", 0),
        ("GATHER", 2),
        ("UP", 5),
        ("BE_MASK", 1 << d.be),
        ("DOWN", 8),
        ("ALL", 100),
        ("T", 20),
    ]));
    ops.extend([Route(0, 0b00), Wait(1), Route(1, 0b01), Wait(1), Route(2, 0b10), Wait(1)]);
    ops.extend([Route(3, 0b11), Wait(12)]);
    ops
}

fn c1_read_back(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Sum(30, 9), Wait(1), ReadAll]);
    for pattern in PATTERNS {
        for r in registers(UnitKind::InjectionControl) {
            ops.extend([Cfg(r.name, pattern), Wait(1)]);
        }
        ops.extend([Raw(8, pattern), Wait(1), Raw(128, pattern), Wait(1), ReadAll]);
    }
    ops
}

fn c1_sweep(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Early];
    ops.extend((0..d.vls).map(|v| Front(v, v as u32)));
    ops.extend([Wait(3 * d.vls as u32)]);
    ops
}

fn yl1_look_ups(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let (be, other) = (d.be, d.vls - 2);
    ops.extend([Cfg("CTRL", ALO), Wait(1)]);
    // The header is there for so many cycles; another one, or the same again, comes so many later.
    for there in 1..5 {
        for next in [1, 3] {
            ops.extend([Front(be, next), Wait(there), Gone(be), Wait(4)]);
            ops.extend([Front(be, next), Wait(there), Front(be, 2), Wait(there), Gone(be), Wait(there)]);
            ops.extend([
                Front(be, 2),
                Wait(4),
                Front(be, next),
                Wait(1),
                Front(be, 2),
                Wait(4),
                Gone(be),
                Wait(3),
            ]);
        }
    }
    // Two ask, then all do.
    for _ in 0..d.vls {
        ops.extend([
            Front(be, 1),
            Front(other, 2),
            Wait(1),
            Front(other, 3),
            Wait(5),
            Gone(be),
            Gone(other),
            Wait(2),
        ]);
    }
    ops.extend((0..d.vls).map(|v| Front(v, v as u32 & 3)));
    ops.extend([Wait(d.vls as u32 + 4)]);
    // A lane that asks in every other cycle, beside one that waits for its turn.
    for n in 0..20 {
        ops.extend([Front(0, n & 3), Front(other, (n + 1) & 3), Wait(1 + n % 2)]);
    }
    // DLIDs that the table does not have, whatever the scheme.
    for dlid in [d.depth, d.depth + 1, 2 * d.depth, 0x4000, 0xffff] {
        ops.extend([Front(be, dlid), Wait(4), Cfg("CTRL", NONE), Wait(1)]);
    }
    ops.extend([Cfg("CTRL", ALO), Front(be, 3), Wait(9)]);
    ops
}

fn yl1_table(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let (be, other) = (d.be, d.vls - 2);
    ops.extend([Cfg("CTRL", ALO), Wait(1)]);
    for dlid in [1, 2, d.depth, 0xffff] {
        for at in 1..5 {
            ops.extend([Front(be, 1), Wait(at), Front(other, 2), Route(dlid, at), Wait(at)]);
            ops.extend([Gone(be), Gone(other), Wait(3)]);
        }
    }
    // Bits of outputs that are not there; writes in successive cycles.
    for mask in [0xffff, 0xfffc, 0] {
        ops.extend([
            Front(be, 1),
            Wait(3),
            Route(1, mask),
            Wait(1),
            Route(2, mask),
            Wait(1),
            Route(1, !mask),
        ]);
        ops.extend([Wait(5), Gone(be), Wait(2)]);
    }
    ops
}

fn yl1_clauses(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let (be, lane) = (d.be, 1 << d.be);
    ops.extend([Cfg("CTRL", ALO), Wait(1), Front(be, 3), Wait(6)]);
    let all = u32::MAX;
    for channels in [0, 1, 2, 0xfffe, 0xffff] {
        ops.extend([Cfg("CHANNELS", channels), Wait(1)]);
        for way in 0..4 {
            ops.extend([Front(be, way), Wait(4)]);
            for (first, second, link) in [
                (0, 0, all),
                (lane, 0, all),
                (0, lane, all),
                (lane, lane, all),
                (!lane, !lane, lane),
                (0, 0, !lane),
                (0, lane, 0),
                (lane, 0, !lane),
                (all, all, 0),
            ] {
                ops.extend([OwnedAll(lane), Owned(0, first), Owned(1, second), Link(link), Wait(3)]);
            }
            // Not known yet; then by its predecessor's permission.
            ops.extend([OwnedAll(0), Link(all), Front(be, (way + 1) & 3), Wait(3), Gone(be), Wait(2)]);
            ops.extend([OwnedAll(lane), Wait(2), Front(be, way), Wait(3), OwnedAll(0), Wait(3)]);
        }
    }
    // One on a lane that is not best-effort; an output of which some lanes are free.
    ops.extend([Cfg("CHANNELS", 0), Front(d.vls - 2, 3), OwnedAll(all), Wait(5)]);
    ops.extend([Cfg("BE_MASK", all), OwnedAll(1), Wait(4)]);
    ops
}

fn yl1_hold(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    let (be, all) = (d.be, u32::MAX);
    for scheme in [ALO, TUNED] {
        for most in [1, 3, 0, 0xffff] {
            ops.extend([
                Cfg("CTRL", scheme),
                Wait(1),
                Cfg("HOLD_MAX", most),
                Wait(1),
                Cfg("GATHER", 6),
                Wait(1),
            ]);
            // Held under both schemes.
            ops.extend([OwnedAll(all), Sum(90, 0), Wait(3), Front(be, 3), Wait(7), Sent(be), Wait(2)]);
            // It leaves after so many cycles of being held.
            for after in 1..6 {
                ops.extend([
                    Gone(be),
                    Wait(1),
                    Front(be, 3),
                    Wait(after),
                    Sent(be),
                    Wait(1),
                    Flit(be),
                    Wait(5),
                ]);
            }
            // It may go for a while, and is held again.
            ops.extend([Gone(be), Wait(1), Front(be, 3), Wait(2), OwnedAll(0), Sum(1, 0), Wait(5)]);
            ops.extend([OwnedAll(all), Sum(90, 0), Wait(9), Gone(be), Wait(1)]);
        }
    }
    ops.extend([Cfg("HOLD_MAX", 0), Front(be, 3), Wait(4)]);
    for scheme in [ALO, THREE, TUNED, ALO, NONE, TUNED, THREE] {
        ops.extend([Cfg("CTRL", scheme), Wait(4)]);
    }
    ops
}

fn yl1_long(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Cfg("CTRL", ALO), OwnedAll(u32::MAX), Front(d.be, 3), Gather, Wait(1), Deliver(true)]);
    ops.extend([Wait(66_000), Cfg("HOLD_MAX", 0xffff), Gather, Wait(9)]);
    ops
}

fn ys1_gathers(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    for ctrl in [NONE, ALO_ALONE, TUNED] {
        ops.extend([Cfg("CTRL", ctrl), Wait(1)]);
        for (own, full) in [(0, 0), (u32::MAX, 0), (0, u32::MAX), (u32::MAX, u32::MAX), (0b101, 0b010)] {
            ops.extend([OwnFull(own)]);
            ops.extend((0..d.ports).map(|i| Full(i, if i == 1 { full & 0b011 } else { full })));
            ops.extend([Gather, Wait(1), Gather, Wait(3), Deliver(true), Wait(3), Gather, Wait(1)]);
            ops.extend([Deliver(false), Gather, Wait(2), Deliver(true), Wait(1), Gather, Sum(9, 9), Wait(2)]);
            ops.extend([Deliver(false), Wait(1), Gather, Wait(4)]);
        }
    }
    // A header comes to the front of a full lane, is held, may go, and is held again; beside full lanes without one.
    ops.extend([
        Cfg("CTRL", ALO),
        Wait(1),
        OwnFull(u32::MAX),
        Cfg("HOLD_MAX", 6),
        Wait(1),
        OwnedAll(u32::MAX),
    ]);
    ops.extend([Gather, Wait(3), Gather, Front(d.be, 3)]);
    ops.extend((0..9).flat_map(|_| [Gather, Wait(1)]));
    ops.extend([Sent(d.be), Gather, Wait(1), Gather, Wait(2), OwnedAll(0), Gather, Wait(1), Gather, Wait(1)]);
    ops.extend([Gather, Wait(1), Gone(d.be), OwnedAll(u32::MAX), Gather, Wait(2), Gather, Wait(4)]);
    ops
}

fn ys2_estimate(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Cfg("CTRL", TUNED), Wait(1), Front(d.be, 3), Wait(9)]);
    for gather in [2, 0, 1, 4] {
        ops.extend([Cfg("GATHER", gather), Wait(4)]);
        for (t, sums) in [
            (21, [10, 18, 18, 18]),
            (4, [18, 7, 4, 4]),
            (0, [30, 1, 0, 40]),
            (19, [20, 19, 18, 19]),
            (0xff_ffff, [0, 0xff_ffff, 0, 0xff_ffff]),
            (0, [0xff_ffff, 0, 0xff_ffff, 0xff_ffff]),
        ] {
            // In time, late, at once, after silence.
            for gap in [4, 6, 1, 2, 9, 40] {
                ops.extend([Cfg("T", t), Wait(1)]);
                ops.extend(sums.into_iter().flat_map(|full| [Sum(full, 5), Wait(gap)]));
            }
        }
    }
    // Above T in silence, which ends and comes again as GATHER changes.
    ops.extend([Cfg("GATHER", 2), Wait(1), Cfg("T", 3), Wait(1), Sum(50, 1), Wait(4), Sum(60, 1), Wait(20)]);
    for gather in [5, 4, 2, 3, 15, 0, 2] {
        ops.extend([Cfg("GATHER", gather), Wait(7)]);
    }
    ops
}

/// A period of three sums, in time.
fn period(full: [u32; 3], flits: u32) -> impl Iterator<Item = Op> {
    full.into_iter().flat_map(move |f| [Sum(f, flits), Wait(4)])
}

fn ys3_threshold(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Cfg("T", 20), Wait(1), Sum(10, 0), Wait(4)]);
    let low = [10; 3];
    for (full, flits) in [
        (low, 100),
        (low, 75),
        (low, 56),
        ([10, 13, 10], 70),
        ([30; 3], 50),
        (low, 60),
        ([90; 3], 44),
        (low, 60),
        (low, 44),
        (low, 32),
    ] {
        ops.extend(period(full, flits));
    }
    // To both ends.
    for (up, all) in [(5, 100), (0, 100), (1, 0xff_ffff), (7, 3), (0xffff, 0xff_ffff)] {
        ops.extend(registers_of(&[("UP", up), ("ALL", all), ("T", all.min(98)), ("GATHER", 4)]));
        for (full, flits) in [([200; 3], 50), ([200; 3], 50), ([0; 3], 30), ([0; 3], 50), ([200; 3], 50)] {
            ops.extend(period(full, flits));
        }
    }
    // Steps and thresholds of all lengths.
    for t in [0x7fff, 0x8000, 0xffff, 0x1_7fff, 0x7f_ffff, 0xff_7fff] {
        for step in [1, 0x5555, 0x8000, 0xffff] {
            ops.extend(registers_of(&[
                ("UP", step),
                ("DOWN", step),
                ("ALL", 0xff_ffff),
                ("T", t),
                ("GATHER", 4),
            ]));
            for (full, flits) in
                [([t + 9; 3], 50), ([t + step + 9; 3], 50), ([0; 3], 30), ([0; 3], 30), ([t; 3], 9)]
            {
                ops.extend(period(full, flits));
            }
        }
    }
    for up in [0, 5] {
        ops.extend(registers_of(&[("UP", up), ("ALL", 100), ("DOWN", 0xffff), ("GATHER", 2), ("T", 9)]));
        ops.extend([Wait(12), Sum(0, 0), Wait(4)]);
        for flits in [50, 30, 40] {
            ops.extend(period([0; 3], flits));
        }
    }
    // Above T in the last cycle of a period alone, and earlier alone.
    ops.extend(registers_of(&[("DOWN", 8), ("T", 20)]));
    ops.extend([
        Wait(12),
        Sum(10, 0),
        Wait(4),
        Sum(10, 1),
        Wait(4),
        Sum(17, 1),
        Wait(4),
        Sum(17, 1),
        Wait(4),
    ]);
    ops.extend([Sum(40, 1), Wait(4), Sum(10, 1), Wait(4), Sum(10, 1), Wait(4)]);
    // T is written around the end of a period.
    for before in 0..5 {
        ops.extend([Sum(30, 9), Wait(4), Sum(30, 9), Wait(4 - before.min(3))]);
        match before {
            4 => ops.extend([Sum(30, 9), Wait(1), Cfg("T", 12), Wait(3)]),
            0 => ops.extend([Sum(30, 9), Cfg("T", 12), Wait(4)]),
            _ => ops.extend([Cfg("T", 12), Wait(before), Sum(30, 9), Wait(4)]),
        }
        ops.extend([Sum(30, 9), Cfg("T", 8), Wait(4)]);
        ops.extend(period([30; 3], 9));
        // What a silence leaves.
        ops.extend([Wait(20), Sum(9, 9), Wait(4)]);
        ops.extend(period([30; 3], 9));
        ops.extend([Sum(30, 9), Wait(4), Sum(30, 9), Wait(4), Sum(30, 9), Cfg("T", 12), Wait(4)]);
    }
    ops
}

fn ys4_best(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    // The best period's T is below its full lanes, above them, equal.
    for (t, full) in [(7, 30), (40, 10), (15, 15)] {
        ops.extend([Wait(12), Cfg("T", t), Wait(1), Sum(full, 0), Wait(4)]);
        for flits in [1000, 1000, 500, 400, 400, 500, 1000, 400, 400, 400, 400, 400, 350, 350, 360, 100] {
            ops.extend(period([full; 3], flits));
        }
    }
    // Flits as many as there can be.
    ops.extend([Wait(12), Sum(0, 0), Wait(4)]);
    for flits in [0xff_ffff, 0, 0xff_ffff, 1, 0x7f_ffff, 0x80_0000] {
        ops.extend(period([20; 3], flits));
    }
    ops
}

fn yw7_masks(d: &Dims) -> Vec<Op> {
    let mut ops = start(d);
    ops.extend([Cfg("CTRL", ALO), Wait(1)]);
    ops.extend((0..d.vls).map(|v| Front(v, v as u32 & 3)));
    let data = (1 << (d.vls - 2)) - 1;
    for mask in [data, 0, !data, u32::MAX, 1, 1 << d.be] {
        ops.extend([Cfg("BE_MASK", mask), Wait(3)]);
        for owned in [0, u32::MAX, data, !data, 1, !1] {
            ops.extend([OwnedAll(owned), Wait(3), Link(owned), Wait(3)]);
        }
    }
    ops
}
