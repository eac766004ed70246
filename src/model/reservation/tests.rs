//! Tests by section of `docs/reservation.md`, properties, random words.

mod destination;
mod engine;
mod late;
mod lossy;
mod messages;
mod numbers;
mod order;
mod random;
mod replies;

use crate::model::bench::Bench;
use crate::params::{Build, Params, UnitKind};

const CTRL: u32 = 0;
const EPS: u32 = 1;
const NMAX_RUN: u32 = 2;
const NMIN: u32 = 3;
const RX_INTERVAL: u32 = 5;
const ERR_CLEAR: u32 = 10;

const SRP_EN: u32 = 1;
const RTT_COMP: u32 = 2;
const SPEC_OFF: u32 = 4;
const WALKIN: u32 = 0x40;

const BAD_MSG: u32 = 1;
const GEN_FULL: u32 = 2;
const BAD_REPLY: u32 = 4;
const BAD_RES: u32 = 8;
const RES_FULL: u32 = 16;
const END_LOST: u32 = 32;
const BAD_ADDR: u32 = 64;

const GRANT: u32 = 1;
const ACK: u32 = 2;
const NACK: u32 = 3;

// States of a flow.
const IDLE: u32 = 0;
const RESW: u32 = 1;
const RESO: u32 = 2;
const SPEC: u32 = 3;
const STOP: u32 = 4;
const WAIT: u32 = 5;
const GO: u32 = 6;

fn params(name: &str) -> Params {
    Build::named(UnitKind::Reservation, Some(name)).unwrap().params
}

/// A unit that is ready; nothing was written.
fn ready_with(p: &Params) -> Bench {
    let mut b = Bench::new(UnitKind::Reservation, p);
    for _ in 0..p.flows {
        b.cycle();
        assert_eq!((b.get("ready", 0), b.get("st_now", 0)), (0, 0));
    }
    b
}

/// A unit that reserves messages of `nmin` packets and more; the bench idles with room on all lanes (see [`run`]).
fn on(p: &Params, nmin: u32) -> Bench {
    let mut b = ready_with(p);
    b.config(CTRL, SRP_EN | RTT_COMP).config(NMIN, nmin);
    b
}

/// A cycle in which everything is taken and every lane has room.
fn run(b: &mut Bench) -> &mut Bench {
    for name in ["inj_ready", "res_ready", "out_ready"] {
        b.set(name, 0, 1);
    }
    b.set("room", 0, 0x1ff).cycle()
}

fn runs(b: &mut Bench, cycles: usize) {
    for _ in 0..cycles {
        run(b);
    }
}

/// Cycles as [`run`] until an output is 1.
fn until(b: &mut Bench, name: &str) {
    for _ in 0..200 {
        run(b);
        if b.get(name, 0) == 1 {
            return;
        }
    }
    panic!("no {name}");
}

/// Sets the pins of a post.
fn post(b: &mut Bench, flow: u32, pkts: u32, last: u32, psn: u32) -> &mut Bench {
    b.set("post_valid", 0, 1).set("post_flow", 0, flow).set("post_pkts", 0, pkts);
    b.set("post_last", 0, last).set("post_psn", 0, psn)
}

/// Sets the pins of a reply.
fn reply(b: &mut Bench, kind: u32, flow: u32, id: u32, seq: u32, wait: u32) -> &mut Bench {
    b.set("rep_valid", 0, 1).set("rep_kind", 0, kind).set("rep_flow", 0, flow);
    b.set("rep_id", 0, id).set("rep_seq", 0, seq).set("rep_wait", 0, wait)
}

/// Sets the pins of a RES that came.
fn res(b: &mut Bench, slid: u32, size: u32) -> &mut Bench {
    b.set("rin_valid", 0, 1).set("rin_slid", 0, slid).set("rin_sl", 0, 7).set("rin_id", 0, slid & 0xff);
    b.set("rin_size", 0, size)
}

/// The state that the op in O1 wrote in the last cycle, of which flow.
fn wrote(b: &Bench) -> Option<(u32, u32)> {
    (b.get("st_tab_we", 0) == 1).then(|| (b.get("st_tab_addr", 0), b.get("st_tab_st", 0)))
}

/// Flow 0 sends both packets of a chunk as speculative ones; its number.
fn sends_two(b: &mut Bench) -> u32 {
    post(b, 0, 2, 4, 1);
    until(b, "inj_valid");
    let id = b.get("inj_id", 0);
    runs(b, 10);
    assert_eq!(b.read(128), 2, "both are speculative");
    id
}

/// Cycles as [`run`] until a word of a flow is written in this state.
fn until_state(b: &mut Bench, flow: u32, st: u32) {
    for _ in 0..300 {
        run(b);
        if wrote(b) == Some((flow, st)) {
            return;
        }
    }
    panic!("flow {flow} does not come to state {st}");
}
