//! What every scenario begins and ends with.

use super::script::{Dims, Op};
use super::world::{Fate, Wait as Waiting};
use crate::stimulus::chance::ALWAYS;

use Op::{
    Answer, Answered, Brings, Cfg, Damage, Doubled, Ends, Fates, Inj, Lost, Out, Post, Quiet, Res, Rescue,
    Rin, Room, Rude, Sees, Stay, Trip, Waits, Walk, Written,
};

/// CTRL bits.
pub(super) const SRP_EN: u32 = 1;
pub(super) const RTT_COMP: u32 = 2;
pub(super) const SPEC_OFF: u32 = 4;
pub(super) const MERGE: u32 = 8;
pub(super) const FAST: u32 = 0x10;
pub(super) const INORDER: u32 = 0x20;
pub(super) const WALKIN: u32 = 0x40;
/// Longest wait for something that is sure to come.
pub(super) const LONG: u32 = 4_000;
/// All lanes.
pub(super) const ALL: u32 = 0x1ff;

/// Everything as at the beginning; no flow has anything to send.
pub(super) fn calm(ops: &mut Vec<Op>) {
    ops.extend([Room(ALL), Inj(ALWAYS), Res(ALWAYS), Out(ALWAYS), Stay(0, 0), Rin(0, 1), Ends(0), Damage(0)]);
    ops.extend([Rude(0), Trip(10, 10), Answer(8, 8), Waits(Waiting::Long(20)), Fates(Fate::Arrive)]);
    ops.extend([Lost(0), Doubled(0), Sees(0, ALWAYS), Walk(0, 1)]);
    ops.extend([Brings(true), Written, Answered, Quiet(100)]);
    ops.extend([Rescue, Written, Quiet(60), Rescue, Written, Quiet(60), Cfg("ERR_CLEAR", 0xffff)]);
}

/// Registers of a scenario.
pub(super) fn start(ctrl: u32) -> Vec<Op> {
    vec![
        Cfg("CTRL", ctrl),
        Cfg("EPS", 3277),
        Cfg("NMAX_RUN", 127),
        Cfg("NMIN", 2),
        Cfg("RX_INTERVAL", 1),
        Cfg("RTO", 0),
    ]
}

pub(super) fn on() -> Vec<Op> {
    start(SRP_EN | RTT_COMP)
}

/// A message of one chunk of a flow.
pub(super) fn chunk(d: &Dims, flow: u32) -> Op {
    Post(flow, d.nmax.max(2), d.mtu)
}
