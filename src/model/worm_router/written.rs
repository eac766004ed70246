//! What registers hold, as it was written (C1).

use super::lanes::Classes;
use crate::params::Params;

/// The registers of a port, as they were written.
#[derive(Clone)]
pub(super) struct PortRegisters {
    pub(super) lhp: u32,
    pub(super) weight_in: Vec<u32>,
    pub(super) weight_out: Vec<u32>,
}

/// All registers.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) be_mask: u32,
    pub(super) ports: Vec<PortRegisters>,
}

impl Written {
    /// As after reset.
    pub(super) fn new(p: &Params) -> Written {
        let port = PortRegisters { lhp: 64, weight_in: vec![1; p.vls], weight_out: vec![1; p.vls] };
        Written { be_mask: Classes::reset_mask(p.vls), ports: vec![port; p.ports] }
    }
}
