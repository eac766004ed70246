//! Scenarios of routes that are any up port (rule UP1). Builds without them have one packet instead.

use super::script::{Cond, Op};
use super::steps::Steps;
use super::world::{Fault, Packet};
use crate::params::ANY_UP;
use crate::params::lanes::SrpLane;
use crate::stimulus::chance::ALWAYS;

/// Registers.
const UP_MASK: u8 = 22;
const UP_SEED: u8 = 23;

/// Destinations behind any up port; the others have ports of their own.
const UP: [u16; 3] = [1, 2, 6];

/// Routes and registers; false if no route is any up port.
fn start(s: &mut Steps, mask: u32) -> bool {
    s.start(65535, 65535);
    if !s.d.params.random_up {
        s.send(0, 0, 1);
        end(s);
        return false;
    }
    s.cfg(0, 0);
    s.cfg(UP_MASK, mask);
    s.cfg(UP_SEED, 0xace1);
    s.add(UP.map(|dlid| Op::Lft(dlid, ANY_UP)));
    s.sent();
    true
}

/// Everything leaves; routes and registers as after reset.
fn end(s: &mut Steps) {
    if s.d.params.random_up {
        s.add(UP.map(|dlid| Op::Lft(dlid, (usize::from(dlid) % s.d.ports) as u8)));
        s.cfg(UP_MASK, 0);
    }
    s.add([Op::Serve(None, ALWAYS, u32::MAX), Op::LinkPace(1)]);
    s.settle();
    s.cfg(10, 0xffff);
    s.sent();
}

fn up(s: &Steps, which: usize, n: usize) -> Packet {
    Packet::data(UP[which % UP.len()], n.clamp(1, s.d.mtu)).on(s.v())
}

fn send<const N: usize>(s: &mut Steps, which: [usize; N], n: usize) {
    let all = which.map(|i| Op::Send(up(s, i, n)));
    s.add(all);
}

/// Nothing is left in the port.
fn quiet(s: &mut Steps) {
    s.add([Op::Until(Cond::Quiet(6), 2000)]);
}

pub(super) fn draws(s: &mut Steps) {
    if !start(s, 0) {
        return;
    }
    let (all, ports) = (u32::MAX >> (32 - s.d.ports), s.d.ports as u32);
    let masks = (0..1 << ports.min(4)).chain([all, u32::MAX, !all, 1 << (ports - 1), 1 << 31]);
    for mask in masks {
        s.cfg(UP_MASK, mask);
        s.sent();
        // those with routes of their own between them draw nothing
        for round in 0..6 {
            s.add([Op::Send(up(s, round, 1 + round % 3)), Op::Send(up(s, round + 1, 1))]);
            s.send(0, round, 1 + round % 2);
        }
        quiet(s);
        // they wait, for several outputs at once
        s.add([Op::Serve(None, 0, 0)]);
        send(s, [0, 0, 0, 1, 1, 1], 1);
        s.wait(12);
        s.add([Op::Serve(None, ALWAYS, u32::MAX)]);
        quiet(s);
    }
    end(s);
}

pub(super) fn long(s: &mut Steps) {
    if !start(s, 0) {
        return;
    }
    for outputs in 1..=s.d.ports.min(4) {
        // the highest ones
        s.cfg(UP_MASK, (0..outputs).map(|o| 1 << (s.d.ports - 1 - o)).sum());
        s.sent();
        s.add([Op::Repeat(up(s, 0, 1), 300 * outputs as u32)]);
        s.sent();
    }
    end(s);
}

pub(super) fn seeds(s: &mut Steps) {
    if !start(s, u32::MAX) {
        return;
    }
    for seed in [0, 1, 0xffff, 0x8000, 0xffff_0000, 0x1234_5678] {
        for wait in 0..5 {
            // the write meets each cycle of the headers' way
            s.add([Op::Send(up(s, 0, 1)), Op::Send(up(s, 1, 1)), Op::Wait(wait)]);
            s.cfg(UP_SEED, seed);
            s.add([Op::Send(up(s, 2, 1)), Op::Send(up(s, 0, 2))]);
            quiet(s);
        }
        s.add([Op::ReadAll]);
    }
    // in every cycle, beside a stream
    s.add([Op::Repeat(up(s, 0, 1), 20), Op::Alternate(UP_SEED, [0, 0xace1], 8)]);
    quiet(s);
    end(s);
}

pub(super) fn masks(s: &mut Steps) {
    if !start(s, u32::MAX) {
        return;
    }
    let last = 1 << (s.d.ports - 1);
    for mask in [0, 1, last, 1 | last, u32::MAX << s.d.ports.min(31)] {
        for wait in 0..5 {
            // packets wait, and stay where they are
            s.cfg(UP_MASK, u32::MAX);
            s.add([Op::Serve(None, 0, 0)]);
            s.sent();
            send(s, [0, 1, 2], 2);
            s.add([Op::Wait(wait)]);
            s.cfg(UP_MASK, mask);
            send(s, [0, 1, 2], 1);
            s.wait(16);
            s.add([Op::Serve(None, ALWAYS, u32::MAX)]);
            quiet(s);
        }
    }
    end(s);
}

pub(super) fn refused(s: &mut Steps) {
    if !start(s, u32::MAX) {
        return;
    }
    let good = up(s, 0, 2);
    let mut bad = vec![
        good.with(Fault::Bad(0)),
        Packet { words: 0, ..good },
        Packet { words: 2047, ..good },
        good.with(Fault::Early(0)),
        good.with(Fault::Cut(1)),
        good.with(Fault::MissingFirst),
        Packet { dlid: s.d.lft_depth.min(65535) as u16, ..good },
    ];
    if s.d.vls < 16 {
        bad.push(good.on(s.d.vls));
    }
    for p in bad {
        s.add([p, good, p, p, good].map(Op::Send));
        quiet(s);
    }
    // what a link that is down babbles is no header
    s.add([Op::LinkDown(800), Op::Wait(806)]);
    // the link falls around a header
    for wait in 0..6 {
        s.add([Op::Send(good), Op::Send(up(s, 1, 1)), Op::Wait(wait), Op::LinkDown(2), Op::Wait(6)]);
        s.add([Op::Send(up(s, 2, 1))]);
        quiet(s);
    }
    end(s);
}

pub(super) fn both_ways(s: &mut Steps) {
    if !start(s, 0b110) {
        return;
    }
    if !s.d.params.srp {
        end(s);
        return;
    }
    const SPEC: u8 = 20;
    const TTW: u8 = 21;
    let d = s.d;
    s.cfg(SPEC, 1);
    let lane = SrpLane::Spec.vl(d.vls);
    for mask in [0b110, 0b001, 0] {
        for ttw in [0, 3, 200] {
            s.cfg(UP_MASK, mask);
            s.cfg(TTW, ttw);
            s.add([Op::Lacks(None, 1 << lane)]);
            s.sent();
            for (dlid, slid) in [(UP[0], 0), (0, UP[1]), (UP[2], UP[0]), (3, 4)] {
                for n in [1, d.mtu] {
                    s.add([Op::Send(Packet::spec(&d, dlid, slid, n, 0))]);
                    // on other lanes the way back is not gone
                    s.add([Op::Send(Packet { slid, ..Packet::data(dlid, n) })]);
                    s.wait(6);
                }
            }
            s.wait(60);
            s.add([Op::Lacks(None, 0)]);
            quiet(s);
        }
    }
    s.cfg(SPEC, 0);
    s.cfg(TTW, 203);
    end(s);
}
