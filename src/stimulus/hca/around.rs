//! What every scenario of an adapter begins and ends with.

use super::script::Op;
use crate::params::{Params, UnitKind};
use crate::stimulus::chance::ALWAYS;

use Op::{Acks, Cfg, Credit, Gap, Host, Idle, Load, Tree, Wait, Written};
use UnitKind::{Hca, HcaThrottle, InputPort, OutputPort, Reservation, SourceResponse};

/// Longest wait for something that is sure to come.
pub(super) const LONG: u32 = 2_000;

/// Type of the message that ends a tree.
pub(super) const DEALLOC: u32 = 1;

/// Isolation and throttling on, everything empty, credits for all.
pub(super) fn start(p: &Params) -> Vec<Op> {
    vec![
        Cfg(Hca, "CTRL", 1),
        Cfg(Hca, "LID_BASE", 3),
        Cfg(Hca, "FC_INTERVAL", 2),
        Cfg(Hca, "BECN_PER", 0),
        Cfg(Hca, "INJECT", 0),
        Cfg(InputPort, "CTRL", u32::from(p.isolation)),
        Cfg(InputPort, "LINE_TIMER", 0xff),
        Cfg(OutputPort, "CTRL", u32::from(p.isolation) << 1),
        Cfg(OutputPort, "LINE_TIMER", 0xffff_ffff),
        Cfg(HcaThrottle, "CTRL", 1 | 16),
        // Without windows, delays and ACKs.
        Cfg(SourceResponse, "CTRL", 1),
        Cfg(SourceResponse, "WMAX", 0),
        Cfg(SourceResponse, "LINK_INTERVAL", 1),
        // Messages of four packets and more are reserved.
        Cfg(Reservation, "CTRL", 3),
        Cfg(Reservation, "EPS", 3277),
        Cfg(Reservation, "NMAX_RUN", p.nmax as u32),
        Cfg(Reservation, "NMIN", 4),
        Cfg(Reservation, "RX_INTERVAL", 1),
        Cfg(Reservation, "RTO", 0),
        Acks(0, 0, 0, 0),
        Host(ALWAYS, ALWAYS),
        Gap(0),
        Load(0, (0, p.flows), 0),
        Credit(ALWAYS, 1024),
        Written,
        Wait(20),
    ]
}

/// Everything that was begun ends.
pub(super) fn finish(p: &Params, ops: &mut Vec<Op>) {
    ops.extend([Load(0, (0, p.flows), 0), Host(ALWAYS, ALWAYS), Gap(0), Credit(ALWAYS, 1024), Idle(LONG)]);
    ops.extend((0..p.lines as u32).map(|k| Tree(DEALLOC, k, false, vec![0])));
    // enough for all queues to empty, and for lines to expire
    ops.extend([Wait(700), Cfg(Hca, "ERR_CLEAR", 0xffff), Wait(2)]);
}
