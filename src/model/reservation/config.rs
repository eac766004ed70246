//! The registers, as they were written and as they act.

use super::times::Times;
use crate::model::util::Registers;
use crate::params::Params;

/// Registers of section "Ports", by number, with the bits that a write takes and their reset values.
pub(super) fn reset_registers(p: &Params) -> Registers {
    let ctrl = if p.dedup { 0x7f } else { 0x4f };
    let list = [
        (0, ctrl, 0x2),
        (1, 0xffff, 3277),
        (2, 0x7f, p.nmax as u32),
        (3, 0xffff, 4),
        (5, 0xf, 1),
        (6, u32::MAX, 0),
    ];
    Registers::new(if p.dedup { &list } else { &list[..5] })
}

/// The values that act.
#[derive(Clone, Copy)]
pub(super) struct Config {
    pub(super) srp_en: bool,
    pub(super) rtt_comp: bool,
    pub(super) spec_off: bool,
    /// In 1/65536.
    pub(super) eps: u64,
    /// Packets in a chunk.
    pub(super) nmax_run: u32,
    /// Packets of the shortest message with a reservation.
    pub(super) nmin: u32,
    /// Cycles of a flit on the ejection link.
    pub(super) rx_interval: u64,
    /// Messages that wait become one.
    pub(super) merge: bool,
    /// Granted time is used for what is not answered.
    pub(super) fast: bool,
    /// Granted time begins with all that is not answered; what is speculative is taken in order.
    pub(super) inorder: bool,
    /// Packets without reservation are booked as they come.
    pub(super) walkin: bool,
    /// Cycles without progress until packets go again; 0: never.
    pub(super) rto: u32,
}

impl Config {
    pub(super) fn new(written: &Registers, p: &Params) -> Config {
        let ctrl = written.of(0);
        Config {
            srp_en: ctrl & 1 != 0,
            rtt_comp: ctrl & 2 != 0,
            spec_off: ctrl & 4 != 0,
            eps: u64::from(written.of(1)),
            nmax_run: written.of(2).clamp(1, p.nmax as u32),
            nmin: written.of(3),
            rx_interval: u64::from(written.of(5).max(1)),
            merge: ctrl & 8 != 0,
            fast: p.dedup && ctrl & 0x10 != 0,
            inorder: p.dedup && ctrl & 0x20 != 0,
            walkin: ctrl & 0x40 != 0,
            rto: written.get(6).unwrap_or(0).min(Times::new(p.now_w).half() as u32 - 1),
        }
    }
}
