//! Configuration registers and tables.

use crate::model::util::Registers;
use crate::scheme::window::{Bounds, Law};

/// What the configuration registers mean.
#[derive(Clone, Copy)]
pub(super) struct Config {
    pub(super) enable: bool,
    /// SR3: a delay by rate counts from the last ACK; a packet time is RTT_MIN.
    pub(super) from_ack: bool,
    pub(super) by_rtt: bool,
    /// VR5
    pub(super) reset_empty: bool,
    /// As written: 0 is no window.
    pub(super) wmax: u32,
    /// Law, windows, lowest rate and steps.
    pub(super) bounds: Bounds,
    pub(super) rtt_min: u32,
    pub(super) sevmap: u32,
    /// At least 1.
    pub(super) link_interval: u32,
}

impl Config {
    pub(super) fn new(written: &Registers) -> Config {
        let ctrl = written.of(0);
        let bit = |n: u32| ctrl >> n & 1 != 0;
        let wmax = written.of(1);
        Config {
            enable: bit(0),
            from_ack: bit(5),
            by_rtt: bit(6),
            reset_empty: bit(7),
            wmax,
            bounds: Bounds {
                law: Law::of(ctrl >> 1 & 7),
                widest: wmax.max(1),
                moves: bit(4),
                g: written.of(2).clamp(2, 8),
                steps: written.of(3),
            },
            rtt_min: written.of(4),
            sevmap: written.of(5),
            link_interval: written.of(6).max(1),
        }
    }

    /// *Windows are on*.
    pub(super) fn windows_on(&self) -> bool {
        self.enable && self.wmax > 0
    }
}

/// The registers after reset; ERR_CLEAR is the errors.
pub(super) fn reset_registers() -> Registers {
    Registers::new(&[
        (0, 0xff, 0),
        (1, 0xff, 1),
        (2, 0xf, 8),
        (3, 0xf, 3),
        (4, 0xffff, 1),
        (5, 0xffff, 0xaa00),
        (6, 0xf, 1),
    ])
}
