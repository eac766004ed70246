//! Scenarios of losses and copies, of messages that merge, of packets that walk in.

use super::around::{FAST, INORDER, LONG, MERGE, RTT_COMP, SRP_EN, WALKIN, calm, chunk, on, start};
use super::script::{Dims, Op};
use super::world::{ACK, Fate, GRANT, NACK, Wait as Waiting};
use crate::params::lanes::ID_BITS;
use crate::stimulus::chance::{ALWAYS, chance};

use Op::{
    Again, Answer, Asked, Cfg, Doubled, Ends, Fates, Inj, Lost, Names, NoPost, Post, PostPsn, Psn, Quiet,
    Reply, Res, ResOffered, Rin, See, Sees, Trip, Wait, Waits, Walk, Written,
};

pub(super) fn q14_merge(d: &Dims) -> Vec<Op> {
    let mut ops = start(SRP_EN | RTT_COMP | MERGE);
    // the first message is under way as long as its RES is not taken; two wait; what follows becomes part of the second
    ops.extend([Res(0), Post(0, 2, 1), ResOffered(LONG)]);
    ops.extend([PostPsn(0, 2, d.mtu, 100), PostPsn(0, 3, d.mtu, 102)]);
    ops.extend([PostPsn(0, 1, d.mtu, 105), PostPsn(0, 2, d.mtu, 107), PostPsn(0, 2, d.mtu, 105)]);
    ops.extend([PostPsn(0, 2, d.mtu, 106), PostPsn(0, 0, d.mtu, 108)]);
    // until the queue is full
    ops.extend((0..d.msgq).map(|i| PostPsn(0, 1, d.mtu, 200 + 2 * i)));
    ops.extend((0..12).map(|i| PostPsn(0, 1, d.mtu, 104 + i)));
    ops.extend((0..d.msgq + 3).map(|i| PostPsn(0, 1, d.mtu, 201 + i)));
    ops.extend([PostPsn(0, 1, d.mtu, 108), PostPsn(0, 1, 1, 109), PostPsn(0, 1, 1, 110)]);
    ops.extend([Written, Res(ALWAYS), Quiet(100)]);
    // in every cycle of messages that begin and end, over the wrap of PSNs
    for (flow, nmin, last) in [(1, 10_000, d.mtu), (0, 2, d.mtu), (2, 10_000, 1)] {
        ops.push(Cfg("NMIN", nmin));
        ops.extend((0..80).map(|i| PostPsn(flow, 1, last, (0xff_ffe0 + i) & 0xff_ffff)));
        ops.extend([Written, Quiet(60)]);
    }
    calm(&mut ops);
    ops
}

pub(super) fn q15_walkin(d: &Dims) -> Vec<Op> {
    let mut ops = start(SRP_EN | RTT_COMP);
    ops.extend([Walk(ALWAYS, d.mtu), Wait(5), Walk(0, 1), Cfg("CTRL", SRP_EN | RTT_COMP | WALKIN)]);
    for interval in [1, 0, 4] {
        ops.extend([Cfg("RX_INTERVAL", interval), Walk(chance(0.05), d.mtu), Wait(200)]);
        ops.extend([Rin(chance(0.2), d.mtu), Walk(chance(0.3), d.mtu), Wait(300), Rin(0, 1), Walk(0, 1)]);
        ops.push(Wait(200));
    }
    // more than the link can carry, and nothing else
    ops.extend([
        Cfg("RX_INTERVAL", 1),
        Wait(1_500),
        Walk(ALWAYS, d.mtu),
        Wait(1_000),
        Walk(0, 1),
        Wait(1_000),
    ]);
    // T far ahead, with RES and last flits that wait for their turn
    ops.extend([Ends(chance(0.2)), Walk(ALWAYS, d.mtu)]);
    ops.extend([Cfg("RX_INTERVAL", 15), Wait(600), Rin(ALWAYS, d.nmax * d.mtu), Wait(200), Rin(0, 1)]);
    // long chunks, which packets that keep coming would hold back
    ops.extend([Cfg("EPS", 0xffff), Wait(3_000), Rin(chance(0.05), d.nmax * d.mtu), Wait(6_000), Rin(0, 1)]);
    ops.extend([Cfg("EPS", 0), Walk(0, 1), Ends(0), Cfg("RX_INTERVAL", 1), Wait(3_000)]);
    ops.extend([Cfg("CTRL", SRP_EN | RTT_COMP), Walk(ALWAYS, d.mtu), Wait(20)]);
    calm(&mut ops);
    ops
}

/// With a time-out.
pub(super) fn losing(rto: u32, more: u32) -> Vec<Op> {
    let mut ops = start(SRP_EN | RTT_COMP | more);
    ops.push(Cfg("RTO", rto));
    ops
}

pub(super) fn q21_fast(d: &Dims) -> Vec<Op> {
    let mut ops = losing(2_000, FAST);
    // ACKs that are late, so that their time is used; that come before due, while the copies wait, after them
    for (trip, answer, wait) in [(20, 300, 30), (20, 60, 20), (10, 45, 0), (60, 70, 20)] {
        ops.extend([Trip(trip, trip), Answer(answer, answer), Waits(Waiting::Long(wait))]);
        ops.extend([chunk(d, 0), Post(1, 2 * d.nmax + 1, 1), Written, Quiet(400)]);
    }
    // while the copies wait for the link
    ops.extend([Trip(5, 5), Waits(Waiting::Zero), Inj(chance(0.05))]);
    for answer in [40, 80, 120, 160] {
        ops.extend([Answer(answer, 2 * answer), chunk(d, 0), Written, Quiet(400)]);
    }
    // one copy is on offer, the others wait behind it
    ops.extend([Inj(ALWAYS), Lost(ALWAYS), chunk(d, 0), Asked(1, LONG), Wait(150), Inj(0)]);
    ops.extend([Reply(GRANT, 0, 0, 0, 0), Written, Wait(30)]);
    ops.extend((0..d.nmax).map(|seq| Reply(ACK, 0, 0, seq, 0)));
    ops.extend([Written, Wait(20), Lost(0)]);
    // none comes
    ops.push(Inj(ALWAYS));
    ops.extend([Cfg("RTO", 150), Trip(10, 10), Answer(5, 20), Waits(Waiting::Zero)]);
    ops.extend([Lost(chance(0.5)), Fates(Fate::Chance(chance(0.3)))]);
    ops.extend((0..d.flows.min(6)).flat_map(|f| [chunk(d, f), Post(f, 3, 1)]));
    ops.extend([Written, Quiet(400), Lost(0), Written, Quiet(400)]);
    calm(&mut ops);
    ops
}

pub(super) fn q21_inorder(d: &Dims) -> Vec<Op> {
    let mut ops = losing(2_000, INORDER);
    // ACKs that are late, so that all goes again; that come before due, while the copies wait, after them
    let times = [(20, 300, 30), (20, 60, 20), (10, 45, 0), (60, 70, 20)];
    for (fate, (trip, answer, wait)) in times.into_iter().flat_map(|t| [(0, t), (0b101, t)]) {
        ops.extend([Trip(trip, trip), Answer(answer, answer), Waits(Waiting::Long(wait))]);
        ops.extend([Fates(Fate::Some(fate)), chunk(d, 0)]);
        ops.extend([Post(1, 2 * d.nmax + 1, 1), Written, Quiet(400)]);
    }
    ops.push(Fates(Fate::Arrive));
    // while the copies wait for the link
    ops.extend([Trip(5, 5), Waits(Waiting::Zero), Inj(chance(0.05))]);
    for answer in [40, 80, 120, 160] {
        ops.extend([Answer(answer, 2 * answer), chunk(d, 0), Written, Quiet(400)]);
    }
    // without a time-out: what the other end refused, and nobody answers; one is on offer as the chunk is due
    ops.extend([Inj(ALWAYS), Cfg("RTO", 0), Lost(ALWAYS)]);
    for held in [0, 1] {
        ops.extend([chunk(d, 0), Asked(1, LONG), Wait(150)]);
        ops.extend([Inj(if held == 0 { ALWAYS } else { 0 }), Reply(GRANT, 0, 0, 0, 0), Written, Wait(60)]);
        ops.extend((0..d.nmax).map(|seq| Reply(ACK, 0, 0, seq, 0)));
        ops.extend([Inj(ALWAYS), Written, Wait(60)]);
        ops.extend((0..d.nmax).map(|seq| Again(ACK, 0, seq)));
        ops.extend([Written, Wait(60)]);
    }
    ops.extend([Lost(0), Trip(10, 10), Answer(8, 8), Written, Quiet(100)]);
    in_order(&mut ops);
    for good in [ALWAYS, chance(0.8)] {
        ops.extend([Sees(ALWAYS, good), Wait(2_000)]);
    }
    calm(&mut ops);
    ops
}

/// What comes of sources in order, and out of it.
fn in_order(ops: &mut Vec<Op>) {
    let (look, mark, again, res, init, spec, pass) = (0x11, 2, 3, 4, 12, 0x13, 0x20);
    // nothing is known of it
    ops.extend([Psn(init, 0, 0, 0, 0, true), Psn(spec, 0, 5, 0, 100, false), Psn(pass, 0, 0, 0, 99, true)]);
    ops.extend([Psn(spec, 0, 5, 1, 101, false), Psn(spec, 0, 5, 0, 100, true)]);
    ops.extend([Psn(spec, 0, 5, 0, 100, false), Psn(spec, 0, 5, 2, 98, false)]);
    // of several flits; one that is damaged leaves the next one as it is
    ops.extend([
        Psn(pass, 0, 5, 0, 101, false),
        Psn(look, 0, 5, 1, 101, true),
        Psn(mark, 0, 5, 1, 101, false),
    ]);
    ops.extend([Psn(look, 0, 5, 1, 101, true), Psn(mark, 0, 5, 1, 101, true)]);
    // what is granted comes whatever its PSN; an older one does not count
    ops.extend([Psn(again, 0, 5, 3, 103, true), Psn(spec, 0, 5, 4, 104, true), Psn(mark, 0, 4, 0, 50, true)]);
    ops.extend([Psn(res, 0, 6, 0, 0, true), Psn(spec, 0, 6, 0, 105, true), Psn(spec, 0, 5, 5, 106, false)]);
    // PSNs that wrap
    ops.extend([Psn(pass, 0, 6, 0, 0xff_ffff, true), Psn(spec, 0, 6, 1, 0, true)]);
    ops.extend([Psn(again, 0, 6, 2, 0xff_ffff, true), Psn(spec, 0, 6, 3, 0x80_0000, false)]);
    ops.push(Psn(spec, 0, 6, 3, 0, true));
    // each bit of a PSN tells the next one from another
    for bit in 0..24 {
        let psn = 0x55_5555 ^ 1 << bit;
        ops.extend([Psn(pass, 0, 6, 0, 0x55_5554, true), Psn(0x11, 0, 7, 0, psn, true)]);
        ops.extend([Psn(look, 0, 7, 0, 0x55_5555, true), Psn(pass, 1, 6, 0, psn, true)]);
    }
    // a source that was reset; a RES of it that is damaged
    ops.extend([Psn(pass, 0, 6, 0, 20, true), Psn(init, 0, 1, 0, 0, false), Psn(look, 0, 7, 0, 21, true)]);
    ops.extend([Psn(init, 0, 1, 0, 0, true), Psn(look, 0, 7, 0, 21, true), Psn(look, 0, 7, 0, 0, true)]);
    ops.extend([Psn(again, 0, 7, 0, 7, true), Psn(look, 0, 7, 1, 8, true)]);
    // beside others a pass is none; nobody's
    ops.extend([Psn(pass | mark, 0, 7, 1, 30, true), Psn(pass | res, 0, 7, 0, 60, true)]);
    ops.extend([Psn(pass, 0xffff, 0, 0, 9, true), Psn(look, 0, 7, 2, 31, true), Written, Wait(4)]);
    // without the bit all is taken, and told
    ops.extend([Cfg("CTRL", SRP_EN | RTT_COMP), Psn(spec, 0, 7, 3, 44, true), Written, Wait(4)]);
    ops.extend([Cfg("CTRL", SRP_EN | RTT_COMP | INORDER), Wait(2), Psn(look, 0, 7, 4, 45, true), Written]);
}

pub(super) fn q22_reset(d: &Dims) -> Vec<Op> {
    let mut ops = vec![NoPost];
    ops.extend(losing(200, 0));
    // flows ask when the time is over, and again; only a GRANT that names a number acts
    ops.extend([Lost(ALWAYS), chunk(d, 0), Post(1, 1, 1), chunk(d, 1), Written, Wait(700)]);
    ops.extend([
        Reply(GRANT, 0, 0, 0, 0),
        Reply(GRANT, 0, 1, 0, 0),
        Reply(ACK, 0, 0, 0, 0),
        Written,
        Wait(20),
    ]);
    ops.extend([Names(0, 4094, 30), Written, Wait(5), Names(0, 4095, 0), Names(0, 4094, 0), Written]);
    ops.extend([
        Quiet(100),
        Names(1, 8191, 0),
        Written,
        Quiet(100),
        Lost(0),
        chunk(d, 0),
        chunk(d, 1),
        Written,
        Quiet(100),
    ]);
    // the others learn theirs as they go
    ops.extend((2..d.flows).flat_map(|f| [chunk(d, f), chunk(d, f)]));
    ops.extend([Written, Quiet(500)]);
    calm(&mut ops);
    ops
}

pub(super) fn q22_losses(d: &Dims) -> Vec<Op> {
    let mut ops = losing(150, 0);
    for (lost, doubled, dropped) in [(0.3, 0.0, 0.0), (0.5, 0.2, 0.5), (0.1, 0.3, 0.9), (0.8, 0.0, 0.3)] {
        ops.extend([Lost(chance(lost)), Doubled(chance(doubled)), Fates(Fate::Chance(chance(dropped)))]);
        ops.extend([Trip(5, 60), Answer(5, 60), Waits(Waiting::Long(40))]);
        ops.extend((0..d.flows.min(8)).flat_map(|f| [chunk(d, f), Post(f, 1, 1)]));
        ops.extend([Post(2, 2 * d.nmax, 1), Post(1, d.nmax + 1, d.mtu), Written, Wait(2_500)]);
    }
    ops.extend([Lost(0), Doubled(0), Written, Quiet(500)]);
    calm(&mut ops);
    ops
}

pub(super) fn q22_late(d: &Dims) -> Vec<Op> {
    let nmax = d.nmax;
    let mut ops = losing(100, 0);
    let answers = |kind: u32| (0..nmax).map(move |seq| Reply(kind, 0, 0, seq, 0));
    let again = |kind: u32| (0..nmax).map(move |seq| Again(kind, 0, seq));
    ops.extend([Lost(ALWAYS), Waits(Waiting::Zero)]);
    // RESW: another flow's RES is on offer. The first copies had come; the GRANT is that of the first RES
    ops.extend([chunk(d, 0), Asked(1, LONG), Wait(60), Res(0), chunk(d, 1), ResOffered(LONG), Wait(150)]);
    ops.extend([
        Reply(ACK, 0, 0, 0, 0),
        Reply(NACK, 0, 0, 1, 0),
        Reply(GRANT, 0, 0, 0, 0),
        Written,
        Wait(30),
    ]);
    ops.extend(again(ACK));
    ops.extend([Written, Res(ALWAYS), Wait(60), Reply(GRANT, 1, 0, 0, 0), Written, Wait(60)]);
    ops.extend((0..nmax).map(|seq| Again(ACK, 1, seq)));
    ops.extend([Written, Wait(60)]);
    // RESO: the own RES is on offer, and leaves when nobody needs it
    ops.extend([
        chunk(d, 0),
        Asked(1, LONG),
        Res(0),
        Wait(250),
        Reply(GRANT, 0, 0, 0, 40),
        Written,
        Wait(20),
    ]);
    ops.extend([Res(ALWAYS), Wait(60)]);
    ops.extend(again(ACK));
    // SPEC, STOP, STOP: no GRANT comes; then all go with R, answers of the first copies
    ops.extend([
        Written,
        chunk(d, 0),
        Asked(1, LONG),
        Wait(400),
        Reply(GRANT, 0, 0, 0, 0),
        Written,
        Wait(40),
    ]);
    ops.extend(answers(NACK));
    ops.extend([Again(NACK, 0, 0), Written, Wait(40), Reply(ACK, 0, 0, 0, 0)]);
    ops.extend(again(ACK));
    // WAIT: ACKs are lost while due is far; those of some come before the copies go
    ops.extend([Written, Wait(40), chunk(d, 0), Asked(1, LONG), Wait(20), Reply(GRANT, 0, 0, 0, 400)]);
    ops.extend([Written, Wait(250), Reply(ACK, 0, 0, 1, 0), Written, Wait(500)]);
    // GO: the copies are lost, too
    ops.extend(answers(ACK));
    ops.extend([Written, Wait(40), Lost(0), Written, Quiet(300)]);
    calm(&mut ops);
    ops
}

pub(super) fn q22_hasty(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    for rto in [1, 2, 5, 17, 40] {
        ops.extend(losing(rto, if rto == 5 { FAST } else { 0 }));
        ops.extend([Trip(3, 30), Answer(3, 30), Waits(Waiting::Long(10)), Fates(Fate::Chance(chance(0.3)))]);
        ops.extend([Post(0, 2 * d.nmax, 1), chunk(d, 1), Post(2, 1, 1), chunk(d, 2)]);
        ops.extend([
            Written,
            Quiet(100),
            Cfg("RTO", 0),
            Cfg("RTO", u32::MAX),
            Post(0, 2, 1),
            Written,
            Quiet(60),
        ]);
    }
    calm(&mut ops);
    ops
}

pub(super) fn q22_sources(_: &Dims) -> Vec<Op> {
    let mut ops = on();
    let (look, mark, both, res, init) = (1, 2, 3, 4, 12);
    ops.extend([See(look, 0, 5, 0, true), See(mark, 0, 5, 0, false), See(mark, 0, 5, 0, true)]);
    ops.extend([See(look, 0, 5, 0, true), See(look, 0, 5, 1, true), See(mark, 0, 5, 1, true)]);
    ops.extend([See(mark, 0, 5, 1, true), See(mark, 0, 4, 0, true), See(look, 0, 4, 0, true)]);
    ops.extend([See(look, 0, 6, 0, true), See(mark, 0, 6, 0, true), See(res, 0, 6, 0, true)]);
    ops.extend([See(look, 0, 6, 0, false), See(res, 0, 5, 0, true), See(res, 0, 7, 0, false)]);
    ops.extend([See(res, 0, 7, 0, true), See(look, 0, 6, 0, true), See(look, 0, 7, 0, true)]);
    ops.extend([See(init, 0, 1, 0, true), See(init, 1, 1, 0, true), See(res, 1, 8186, 0, true)]);
    // ids that wrap, of one flit each; the farthest ones
    for id in [8186, 8191, 0, 3, 4098, 4099, 2, 4097, 1] {
        ops.extend([See(both, 1, id, id, true), See(both, 1, id, id, true), See(res, 1, id, 0, true)]);
    }
    ops.extend([See(both, 2, 8186, 0, true), See(both, 2, 3, 0, true), See(look, 0xffff, 3, 0, true)]);
    // each bit of an id tells a newer chunk from an older one; much older ones
    for bit in 0..ID_BITS - 1 {
        let (old, new) = (100, 100 + (1 << bit));
        ops.extend([See(both, 2, old, 0, true), See(both, 2, new, 0, true), See(look, 2, old, 0, true)]);
        // half of the way around, and home
        ops.extend([See(both, 2, 4000, 1, true), See(both, 2, 8000, 1, true)]);
    }
    ops.extend([See(both, 2, 100, 0, true), See(both, 2, 4000, 0, true)]);
    for back in [127, 128, 129, 200, 255, 256, 257, 3999] {
        ops.extend([See(both, 2, 4000 - back, 0, true), See(res, 2, 4000 - back, 0, true)]);
    }
    ops.push(See(both, 2, 7000, 0, true));
    for comes in [ALWAYS, chance(0.3)] {
        ops.extend([Sees(comes, chance(0.8)), Wait(2_000)]);
    }
    calm(&mut ops);
    ops
}
