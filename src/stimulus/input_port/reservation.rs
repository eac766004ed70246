//! Scenarios of speculative packets (rules Q1, Q2, Q5-Q9). Builds without them have one packet instead.

use super::script::{Cond, Op};
use super::steps::Steps;
use super::world::{Fault, Packet};
use crate::params::lanes::{SrpLane, opcode};
use crate::stimulus::chance::ALWAYS;

/// Registers.
const SPEC: u8 = 20;
const TTW: u8 = 21;

/// Behind which output the packets' destination, and their source, is.
const TO: usize = 0;
const BACK: usize = 1;

/// Routes and registers; false if the port has no lanes for these packets.
fn start(s: &mut Steps, ttw: u32) -> bool {
    s.start(65535, 65535);
    if !s.d.params.srp {
        s.send(0, 0, 1);
        end(s);
        return false;
    }
    s.cfg(0, 0);
    s.cfg(TTW, ttw);
    s.cfg(SPEC, 1);
    s.sent();
    true
}

/// Everything leaves; registers as after reset.
fn end(s: &mut Steps) {
    s.cfg(0, 0);
    s.cfg(SPEC, 0);
    s.cfg(TTW, 203);
    s.cfg(6, 0);
    s.settle();
    s.cfg(10, 0xffff);
    s.sent();
}

fn lane(s: &Steps, lane: SrpLane) -> usize {
    lane.vl(s.d.vls)
}

/// Outputs have no credit of a lane.
fn starve(s: &Steps, of: SrpLane) -> Op {
    Op::Lacks(None, 1 << lane(s, of))
}

fn feed() -> Op {
    Op::Lacks(None, 0)
}

/// A speculative packet to output `to` from behind output `back`.
fn spec(s: &Steps, to: usize, back: usize, n: usize, age: u16) -> Packet {
    let (dlid, slid) = (s.to(to, 0), s.to(back, 1));
    Packet::spec(&s.d, dlid, slid, n.clamp(1, s.d.mtu), age)
}

fn control(s: &Steps, to: usize, opcode: u8) -> Op {
    Op::Send(Packet::control(&s.d, s.to(to, 0), opcode))
}

fn lengths(s: &Steps) -> [usize; 3] {
    [1, 2.min(s.d.mtu), s.d.mtu]
}

/// Nothing is left in the port.
fn quiet(s: &mut Steps) {
    s.add([Op::Until(Cond::Quiet(6), 2000)]);
}

pub(super) fn refused(s: &mut Steps) {
    if !start(s, 203) {
        return;
    }
    let d = s.d;
    let (spec_vl, res, reply) = (lane(s, SrpLane::Spec), lane(s, SrpLane::Res), lane(s, SrpLane::Reply));
    let good = spec(s, TO, BACK, 2, 0);
    let last = d.lft_depth as u16 - 1;
    let mut all = vec![
        Packet { lnh: 0, ..good },
        Packet { lnh: 3, ..good },
        Packet { opcode: opcode::GRANTED, ..good },
        Packet { opcode: 0x80, ..good },
        Packet { slid: last, ..good },
        Packet { slid: d.lft_depth.min(65535) as u16, ..good },
        Packet { slid: 0xffff, ..good },
        Packet { slid: last, dlid: last, lnh: 1, words: 0, ..good },
        Packet { words: 2047, opcode: 4, ..good },
    ];
    for vl in [res, reply] {
        let one = Packet { opcode: opcode::RES, ..s.packet(TO, 0, 1) }.on(vl);
        all.extend([32, 16 * d.mtu as u16, 0].map(|words| Packet { words, ..one }));
        // what it says is not looked at
        all.extend([4, 0x80, opcode::SPEC].map(|opcode| Packet { opcode, ..one }));
    }
    // lanes of data take what comes
    all.extend(
        [opcode::SPEC, opcode::GRANTED, opcode::RES].map(|o| Packet { opcode: o, ..s.packet(TO, 0, 2) }),
    );
    for p in all {
        let cut = p.with(Fault::Bad(0));
        s.add([Op::Send(good), Op::Send(p), Op::Send(cut), Op::Send(good.on(spec_vl))]);
        s.sent();
        quiet(s);
        s.cfg(10, 0xffff);
    }
    end(s);
}

pub(super) fn fifos(s: &mut Steps) {
    if !start(s, 2000) {
        return;
    }
    let outputs = s.d.ports.min(3);
    for of in [SrpLane::Spec, SrpLane::Res, SrpLane::Reply] {
        // the head's output is shut: the others wait behind it; then all go, read slowly
        for slow in [1, 3] {
            s.add([Op::Serve(Some(0), 0, 0), Op::Pace(None, slow)]);
            for round in 0..3 {
                for o in 0..outputs {
                    let op = match of {
                        SrpLane::Res => control(s, o, opcode::RES),
                        SrpLane::Reply => control(s, o, [opcode::GRANT, opcode::ACK, opcode::NACK][round]),
                        _ => Op::Send(spec(s, o, BACK, s.d.mtu, 0)),
                    };
                    s.add([op]);
                }
            }
            s.wait(20);
            s.send(1, 0, 2);
            s.wait(20);
            s.add([Op::Serve(None, ALWAYS, u32::MAX)]);
            quiet(s);
        }
    }
    // a FIFO takes its last block, and gives it back
    s.add([Op::Serve(None, 0, 0)]);
    for _ in 0..s.d.params.ctl_blocks + 1 {
        s.add([control(s, 1, opcode::RES), control(s, 0, opcode::ACK)]);
    }
    s.wait(4 * s.d.params.ctl_blocks + 40);
    s.add([Op::Serve(None, ALWAYS, u32::MAX)]);
    quiet(s);
    end(s);
}

pub(super) fn ages(s: &mut Steps) {
    if !start(s, 20) {
        return;
    }
    // off: old ones go, with their ages
    for (drop, ages) in [(0, [0, 19, 20, 21, 0xfffd, 0xffff]), (1, [0, 17, 18, 19, 20, 21])] {
        s.cfg(SPEC, drop);
        for age in ages {
            for wait in [0, 1, 3] {
                s.add([starve(s, SrpLane::Spec), Op::Send(spec(s, TO, BACK, 2, age))]);
                s.until(Cond::Request(TO, lane(s, SrpLane::Spec)));
                s.add([Op::Wait(wait), feed()]);
                quiet(s);
            }
        }
    }
    // TTW is changed under a head that waits; 0
    for (from, to) in [(1000, 5), (0, 0), (5, 1000), (0, 0x7fff)] {
        s.cfg(TTW, from);
        s.add([starve(s, SrpLane::Spec), Op::Send(spec(s, TO, BACK, 2, 0)), Op::Wait(10)]);
        s.cfg(TTW, to);
        s.add([Op::Wait(6), feed()]);
        quiet(s);
    }
    end(s);
}

pub(super) fn clock_wraps(s: &mut Steps) {
    if !start(s, 300) {
        return;
    }
    s.cfg(SPEC, 0);
    s.add([starve(s, SrpLane::Spec), Op::Send(spec(s, TO, BACK, 2, 7)), Op::Send(spec(s, 1, BACK, 1, 0))]);
    // its age begins anew, and it is dropped when that is above TTW
    s.wait(65_600);
    s.cfg(SPEC, 1);
    s.wait(400);
    s.add([feed()]);
    quiet(s);
    end(s);
}

pub(super) fn last_cycle(s: &mut Steps) {
    const LIFE: u32 = 6;
    if !start(s, LIFE) {
        return;
    }
    let vl = lane(s, SrpLane::Spec);
    for n in lengths(s) {
        for pace in [1, 2] {
            s.add([Op::LinkPace(pace)]);
            s.cfg(5, pace);
            for ttw in [1, 2, LIFE] {
                s.cfg(TTW, ttw);
                for wait in 0..ttw + 3 {
                    s.add([starve(s, SrpLane::Spec), Op::Send(spec(s, TO, BACK, n, 0))]);
                    s.until(Cond::Request(TO, vl));
                    s.add([Op::Wait(wait), feed()]);
                    quiet(s);
                }
            }
        }
    }
    end(s);
}

pub(super) fn arriving(s: &mut Steps) {
    if !start(s, 0) {
        return;
    }
    let mtu = s.d.mtu as u32;
    for release in [0, 8] {
        s.cfg(0, release);
        for pace in [1, 3] {
            s.add([Op::LinkPace(pace), starve(s, SrpLane::Spec)]);
            for age in 0..=(mtu * pace).min(20) + 2 {
                // it expires a cycle later each time
                s.cfg(TTW, age);
                s.add([Op::Send(spec(s, TO, BACK, s.d.mtu, 0)), Op::Send(spec(s, TO, BACK, 1, 0))]);
                quiet(s);
                // and its NACK waits until all is gone
                s.add([starve(s, SrpLane::Reply), Op::Send(spec(s, TO, BACK, s.d.mtu, age as u16))]);
                s.wait(2 * (mtu * pace) as usize + 10);
                s.add([starve(s, SrpLane::Spec)]);
                quiet(s);
            }
        }
    }
    s.add([Op::LinkPace(1)]);
    end(s);
}

pub(super) fn cut(s: &mut Steps) {
    if !start(s, 0) {
        return;
    }
    let mtu = s.d.mtu;
    for pace in [1, 3] {
        s.add([Op::LinkPace(pace), starve(s, SrpLane::Spec)]);
        for at in 1..mtu as u8 {
            for fault in [Fault::Bad(at), Fault::Early(at - 1), Fault::Cut(at), Fault::Stall(at, 12)] {
                for ttw in (0..=(mtu as u32 * pace).min(12) + 1).step_by(1 + pace as usize / 2) {
                    s.cfg(TTW, ttw);
                    s.cfg(6, 8);
                    s.add([
                        Op::Send(spec(s, TO, BACK, mtu, 0).with(fault)),
                        Op::Send(spec(s, TO, BACK, 1, 0)),
                    ]);
                    quiet(s);
                }
            }
        }
        // the link's end cuts it
        for wait in 1..(mtu as u32 * pace).min(12) {
            for ttw in [0, 2] {
                s.cfg(TTW, ttw);
                s.add([Op::Send(spec(s, TO, BACK, mtu, 0)), Op::Wait(wait), Op::LinkDown(2), Op::Wait(6)]);
                quiet(s);
            }
        }
    }
    s.cfg(10, 0xffff);
    s.add([Op::LinkPace(1)]);
    end(s);
}

pub(super) fn engine_busy(s: &mut Steps) {
    if !start(s, 12) {
        return;
    }
    let mtu = s.d.mtu;
    for after in [1, 2.min(mtu), mtu] {
        for to in 0..s.d.ports.min(3) {
            // all of them are there when the first expires
            s.add([starve(s, SrpLane::Spec)]);
            s.cfg(TTW, 3 * mtu as u32 + 4);
            s.add([spec(s, TO, BACK, mtu, 0), spec(s, to, 0, after, 4)].map(Op::Send));
            s.wait(4);
            s.add([Op::Send(spec(s, to, BACK, 1, 8))]);
            quiet(s);
            // and those behind may go as soon as the NACKs have gone
            s.add([Op::Send(spec(s, TO, BACK, mtu, 0)), Op::Send(spec(s, to, 0, after, 0))]);
            s.wait(3 * mtu + 6);
            s.add([feed()]);
            quiet(s);
        }
    }
    end(s);
}

pub(super) fn nack_waits(s: &mut Steps) {
    if !start(s, 3) {
        return;
    }
    let d = s.d;
    let both = 1 << lane(s, SrpLane::Spec) | 1 << lane(s, SrpLane::Reply);
    for n in lengths(s) {
        for release in [0, 8] {
            s.cfg(0, release);
            // no credit for replies: what is behind waits too, other lanes go
            s.add([
                Op::Lacks(None, both),
                Op::Send(spec(s, TO, BACK, n, 0)),
                Op::Send(spec(s, 2, BACK, 1, 0)),
            ]);
            s.add([control(s, BACK, opcode::ACK), control(s, TO, opcode::RES)]);
            s.send(BACK, 0, 2);
            s.wait(20);
            // credit for both at once; the NACK and the reply ask one output
            s.add([starve(s, SrpLane::Spec), Op::Serve(Some(BACK), ALWAYS, 1), Op::Wait(6)]);
            s.add([Op::Serve(None, ALWAYS, u32::MAX)]);
            quiet(s);
            // its output is busy with data
            s.add([Op::Pace(Some(BACK), 0)]);
            s.send(BACK, 0, d.mtu);
            s.add([Op::Send(spec(s, TO, BACK, n, 0)), Op::Wait(20), Op::Pace(Some(BACK), 2)]);
            quiet(s);
            s.add([Op::Pace(Some(BACK), 1)]);
            // drop_en ends while it waits
            s.add([Op::Lacks(None, both), Op::Send(spec(s, TO, BACK, n, 0)), Op::Wait(12)]);
            s.cfg(SPEC, 0);
            s.add([Op::Wait(6), feed()]);
            quiet(s);
            s.cfg(SPEC, 1);
        }
    }
    end(s);
}
