//! What registers hold, as it was written (C1).

use crate::model::worm::classes::Classes;
use crate::params::Params;

/// The registers of a port, as they were written.
#[derive(Clone)]
pub(super) struct PortRegisters {
    pub(super) lhp: u32,
    pub(super) weight_in: Vec<u32>,
    pub(super) weight_out: Vec<u32>,
    pub(super) limit: u32,
    pub(super) wshift: u32,
    /// NEXT: the number of the node at the other end; it is an adapter.
    pub(super) node: u32,
    pub(super) host: bool,
}

/// All registers.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) be_mask: u32,
    pub(super) admit_en: bool,
    pub(super) node_id: u32,
    pub(super) ports: Vec<PortRegisters>,
}

impl Written {
    /// As after reset.
    pub(super) fn new(p: &Params) -> Written {
        let port = PortRegisters {
            lhp: 64,
            weight_in: vec![1; p.vls],
            weight_out: vec![1; p.vls],
            limit: 4096,
            wshift: 4,
            node: 0,
            host: false,
        };
        Written {
            be_mask: Classes::reset_mask(p.vls),
            admit_en: false,
            node_id: 0,
            ports: vec![port; p.ports],
        }
    }
}
