//! Directed tests by section of `docs/source-response.md`, properties that count packets and ACKs themselves, random words.

mod basics;
mod progress;
mod random;
mod sequences;

use crate::model::bench::Bench;
use crate::model::util::bit;
use crate::params::{Params, UnitKind, builds};

const CTRL: u32 = 0;
const WMAX: u32 = 1;
const RMIN_EXP: u32 = 2;
const WS_STEPS: u32 = 3;
const RTT_MIN: u32 = 4;
const SEVMAP: u32 = 5;
const LINK_INTERVAL: u32 = 6;
const ERR_CLEAR: u32 = 10;

const ENABLE: u32 = 1;
const LIPD: u32 = 1 << 1;
const FIMD: u32 = 2 << 1;
const AIMD: u32 = 3 << 1;
const SLOTS: u32 = 4 << 1;
const DYN: u32 = 1 << 4;
const FROM_ACK: u32 = 1 << 5;
const BY_RTT: u32 = 1 << 6;
const RESET_EMPTY: u32 = 1 << 7;

/// Errors.
const BAD_ADDR: u32 = 1;
const BAD_LEN: u32 = 2;
const STRAY_ACK: u32 = 4;
const ACK_LOST: u32 = 8;
const MARK_BITS: u32 = 16;

/// ACK bits with SEVMAP 0x9C9C.
const MVCM: u32 = 0x9c9c;
const CLEAN: u32 = 0;
const INVALID: u32 = 1;
const WARM: u32 = 2;
const HOT: u32 = 3;

fn params(name: &str) -> Params {
    let all = builds();
    all.iter().find(|b| b.unit == UnitKind::SourceResponse && b.name == name).expect("a build").params
}

/// A unit with these parameters that has just become ready.
fn ready_with(p: &Params) -> Bench {
    let mut b = Bench::new(UnitKind::SourceResponse, p);
    b.idle(p.init_cycles(UnitKind::SourceResponse));
    b
}

fn ready(name: &str) -> Bench {
    ready_with(&params(name))
}

/// The same, switched on, with MVCM's severities.
fn on(name: &str, ctrl: u32, wmax: u32) -> Bench {
    let mut b = ready(name);
    b.config(SEVMAP, MVCM).config(WMAX, wmax).config(CTRL, ENABLE | ctrl);
    b
}

/// Other parameters of the unit; those of the rest of an adapter are made to fit.
fn other(flows: usize, ts_w: usize, vls: usize, vl_by_dest: bool) -> Params {
    let p = params("tiny");
    let p = Params { flows, ts_w, vls, vl_by_dest, blocks: 64 * vls, rx_blocks: 64 * vls, ..p };
    p.check().expect("legal");
    p
}

fn ack(b: &mut Bench, flow: u32, bits: u32) -> &mut Bench {
    b.set("ack_valid", 0, 1).set("ack_flow", 0, flow).set("ack_bits", 0, bits)
}

fn post(b: &mut Bench, flow: u32) -> &mut Bench {
    b.set("post_valid", 0, 1).set("post_flow", 0, flow)
}

fn wait(b: &mut Bench, step: u32, cycles: u32) {
    b.set("wt_we", 0, 1).set("wt_addr", 0, step).set("wt_data", 0, cycles).cycle();
}

/// Keeps `flows` wanting, with all SLs allowed.
fn want(b: &mut Bench, flows: &[u32]) {
    flows.iter().for_each(|&f| b.set_bit("req", f as usize));
    b.set("sl_ok", 0, 0xffff);
}

/// A bit of a state signal that has one for each flow.
fn has(b: &Bench, name: &str, flow: u32) -> bool {
    bit(b.get_words(name), flow as usize)
}

/// A write to the response RAM.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Written {
    flow: u32,
    acked: u32,
    win: u32,
    x: u64,
    j: u32,
    /// Time of the last ACK.
    at: Option<u32>,
}

/// That of the last cycle.
fn written(b: &Bench) -> Option<Written> {
    let x = b.get_words("st_rsp_x");
    (b.get("st_rsp_we", 0) == 1).then(|| Written {
        flow: b.get("st_rsp_addr", 0),
        acked: b.get("st_rsp_acked", 0),
        win: b.get("st_rsp_win", 0),
        x: u64::from(x[0]) | u64::from(x[1]) << 32,
        j: b.get("st_rsp_j", 0),
        at: (b.get("st_rsp_av", 0) == 1).then(|| b.get("st_rsp_at", 0)),
    })
}

/// An ACK, and the write that it makes two cycles later, if it makes one.
fn acked(b: &mut Bench, flow: u32, bits: u32) -> Option<Written> {
    ack(b, flow, bits).cycle();
    b.idle(2);
    written(b)
}

/// Whoever takes the offers: sends a flit every `pace` cycles and takes the next packet at the last flit.
struct Host {
    left: u32,
    wait: u32,
    pace: u32,
}

impl Host {
    fn new(pace: u32) -> Host {
        Host { left: 0, wait: 0, pace }
    }

    /// One cycle in which `flows` want to send packets of `len`; `takes`: offers are taken. Returns the flow whose packet is.
    fn cycle_if(&mut self, b: &mut Bench, flows: &[u32], len: u32, takes: bool) -> Option<u32> {
        want(b, flows);
        self.wait = self.wait.saturating_sub(1);
        if self.left > 0 && self.wait == 0 {
            (self.left, self.wait) = (self.left - 1, self.pace);
            b.set("sent", 0, u32::from(self.left == 0));
        }
        let free = self.left == 0 && takes;
        b.set("inj_ready", 0, u32::from(free)).set("inj_len", 0, len).cycle();
        if !free || b.get("inj_valid", 0) == 0 {
            return None;
        }
        (self.left, self.wait) = (len, self.pace);
        Some(b.get("inj_flow", 0))
    }

    fn cycle(&mut self, b: &mut Bench, flows: &[u32], len: u32) -> Option<u32> {
        self.cycle_if(b, flows, len, true)
    }

    /// Runs until `n` packets are taken; their flows and cycles (of the bench).
    fn take(&mut self, b: &mut Bench, flows: &[u32], len: u32, n: usize) -> Vec<(u32, u64)> {
        let mut taken = Vec::new();
        for _ in 0..200_000 {
            if let Some(flow) = self.cycle(b, flows, len) {
                taken.push((flow, b.cycles - 1));
                if taken.len() == n {
                    return taken;
                }
            }
        }
        panic!("{} of {n} packets taken", taken.len());
    }

    /// The packet that is being sent ends.
    fn finish(&mut self, b: &mut Bench) {
        while self.left > 0 {
            self.cycle(b, &[], 0);
        }
        b.cycle();
    }
}

/// ACKs in successive cycles.
fn acks(b: &mut Bench, flow: u32, bits: u32, n: usize) {
    for _ in 0..n {
        ack(b, flow, bits).cycle();
    }
}

/// Sends `n` packets of a flit for a flow.
fn send(b: &mut Bench, flow: u32, n: usize) {
    let mut host = Host::new(1);
    host.take(b, &[flow], 1, n);
    host.finish(b);
}

/// Runs cycles in which `flows` want, until a flow is on offer; cycles that it took, and the flow.
fn offer(b: &mut Bench, flows: &[u32], most: u32) -> Option<(u32, u32)> {
    (0..most).find_map(|t| {
        want(b, flows);
        b.cycle();
        (b.get("inj_valid", 0) == 1).then(|| (t, b.get("inj_flow", 0)))
    })
}
