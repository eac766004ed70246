//! What scenarios are made of.

use super::host::{BEST_EFFORT, CONTROL, REAL_TIME};
use super::network::Answers;
use super::script::{Dims, Op};
use crate::stimulus::chance::ALWAYS;
use crate::stimulus::worm_router::head::{ACK, DATA, Head, NACK};
use crate::stimulus::worm_router::pace::Pace;
use crate::stimulus::worm_router::sender::Part;

use Op::{Cfg, Delay, Down, DrainAll, Flit, Forget, Hold, Offers, Over, Quiet, Retry, Wait, Written};
use Part::{Body, Header, Tail, Whole};

/// The adapter's LID, and the number of the first node.
pub(super) const HERE: u32 = 0x0102;
pub(super) const FIRST: u32 = 5;

/// CTRL: credits, admission, what is in the network may be lost.
pub(super) const CREDIT: u32 = 1;
pub(super) const ADMIT: u32 = 2;
pub(super) const LOST: u32 = 4;

/// Every probe is accepted.
pub(super) const ACCEPT: Answers = Answers { rate: ALWAYS, refuse: 0, near: 0, odd: 0, short: 0 };
/// Every one is refused by the first node; further on (by a node that is not the first one, mostly).
pub(super) const REFUSE: Answers = Answers { refuse: ALWAYS, near: ALWAYS, ..ACCEPT };
pub(super) const REFUSE_FAR: Answers = Answers { refuse: ALWAYS, ..ACCEPT };
/// Nobody answers.
pub(super) const SILENT: Answers = Answers { rate: 0, ..ACCEPT };

/// All lanes.
pub(super) const ALL: u32 = u32::MAX;

/// As after reset, with nothing under way and no connection, room for half of the messages as best-effort, and no errors.
pub(super) fn start(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Written, Forget, Wait(2), Down(3), Wait(8)];
    ops.extend([DrainAll(Pace::ALWAYS), Delay(0), Op::Pace(Pace::ALWAYS), Hold(ALL, Pace::NEVER)]);
    ops.extend([Retry(0), Offers(ALWAYS, ALWAYS), Op::Answers(SILENT)]);
    ops.extend([("CTRL", 0), ("M", 0xffff), ("C_B", d.msgq / 2), ("LIMIT", 4096)].map(|(r, v)| Cfg(r, v)));
    ops.extend(
        [("LID", HERE), ("BE_MASK", d.first_mask()), ("LHP", 64), ("WSHIFT", 4)].map(|(r, v)| Cfg(r, v)),
    );
    ops.extend([
        Cfg("FIRST_NODE", FIRST),
        Cfg("BE_WEIGHT", 1),
        Cfg("PROBE_GAP", 0),
        Written,
        Over(30_000),
        Quiet(4_000),
    ]);
    ops.extend([Cfg("ERR_CLEAR", 0xffff), Written]);
    ops
}

/// BE_MASK with a real-time lane, and a best-effort lane where there are two.
pub(super) fn some_real_time(d: &Dims) -> u32 {
    if d.data() == 1 { 0 } else { d.first_mask() }
}

/// The same, with this CTRL, and answers; with admission there is a real-time lane.
pub(super) fn start_with(d: &Dims, ctrl: u32, answers: Answers) -> Vec<Op> {
    let mut ops = start(d);
    if ctrl & ADMIT != 0 {
        ops.push(Cfg("BE_MASK", some_real_time(d)));
    }
    ops.extend([Cfg("CTRL", ctrl), Op::Answers(answers), Written]);
    ops
}

/// All has its answer, and some cycles.
pub(super) fn then(ops: &mut Vec<Op>, cycles: u32) {
    ops.extend([Written, Wait(cycles)]);
}

/// A connection is opened.
pub(super) fn open(conn: u32, bw: u32) -> Op {
    Op::Open(conn, 0x4000 + conn, bw)
}

/// Messages of each class, of so many flits.
pub(super) fn real_time(conn: u32, len: u32) -> Op {
    Op::Post(REAL_TIME, conn, len, false)
}

pub(super) fn last(conn: u32, len: u32) -> Op {
    Op::Post(REAL_TIME, conn, len, true)
}

pub(super) fn best_effort(len: u32) -> Op {
    Op::Post(BEST_EFFORT, 0x5000 + len, len, false)
}

pub(super) fn control(len: u32) -> Op {
    Op::Post(CONTROL, 0x6000 + len, len, false)
}

/// A header for the host.
pub(super) fn says(kind: u8) -> Head {
    Head { kind, vl: 1, slid: 9, conn: 3, bw: 7, node: 1, last: false, seq: 0 }
}

/// A flit for the host.
pub(super) fn flit(lane: usize, part: Part) -> Op {
    Flit(lane, part, false, HERE, says(DATA))
}

/// A message that comes in, flit by flit.
pub(super) fn message(lane: usize, n: u32, dlid: u32, head: Head) -> impl Iterator<Item = Op> {
    (0..n).map(move |i| {
        let part = match (i == 0, i + 1 == n) {
            (true, true) => Whole,
            (true, false) => Header,
            (false, true) => Tail,
            (false, false) => Body,
        };
        Flit(lane, part, false, dlid, head)
    })
}

/// Replies of one flit, whatever the credits.
pub(super) fn ack(conn: u32) -> Op {
    Op::Reply(ACK, conn, 2)
}

pub(super) fn nack(conn: u32, node: u32) -> Op {
    Op::Reply(NACK, conn, node)
}

/// Connections of which there is one in each build.
pub(super) fn some(d: &Dims, most: u32) -> std::ops::Range<u32> {
    0..most.min(d.conns)
}

/// A length that fits.
pub(super) fn len(d: &Dims, n: u32) -> u32 {
    n.min(d.lane)
}
