//! Registers of a reservation unit.

use crate::fabric::event::setup::Unit;
use crate::fabric::setup::Write;
use crate::params::{Params, UnitKind};

/// Their values as the rules use them.
#[derive(Clone, Debug)]
pub struct Regs {
    pub srp_en: bool,
    pub rtt_comp: bool,
    pub spec_off: bool,
    /// In 1/65536.
    pub eps: u64,
    pub nmax_run: u32,
    pub nmin: u32,
    pub rx_interval: u64,
}

impl Regs {
    /// After the configuration phase.
    pub fn new(p: &Params, writes: &[Write]) -> Regs {
        let unit = Unit::of_adapter(writes, UnitKind::Reservation, 2);
        let ctrl = unit.value("CTRL", 2);
        Regs {
            srp_en: ctrl & 1 != 0,
            rtt_comp: ctrl & 2 != 0,
            spec_off: ctrl & 4 != 0,
            eps: u64::from(unit.value("EPS", 3277) & 0xffff),
            nmax_run: (unit.value("NMAX_RUN", p.nmax as u32) & 0x7f).clamp(1, p.nmax as u32),
            nmin: unit.value("NMIN", 4) & 0xffff,
            rx_interval: u64::from((unit.value("RX_INTERVAL", 1) & 15).max(1)),
        }
    }
}
