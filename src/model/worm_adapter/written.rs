//! What registers hold, as it was written (C1), and what it acts as.

use crate::model::worm::classes::Classes;
use crate::params::Params;

/// Most bandwidth that a link has.
pub(super) const WHOLE: u32 = 4096;

/// All registers.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) credit_en: bool,
    pub(super) admit_en: bool,
    /// CTRL.lost: software has heard of a loss.
    pub(super) lost: bool,
    pub(super) m: u32,
    pub(super) c_b: u32,
    pub(super) limit: u32,
    pub(super) lid: u32,
    pub(super) be_mask: u32,
    pub(super) lhp: u32,
    pub(super) wshift: u32,
    pub(super) first_node: u32,
    pub(super) be_weight: u32,
    pub(super) probe_gap: u32,
    msgq: u32,
}

impl Written {
    /// As after reset.
    pub(super) fn new(p: &Params) -> Written {
        Written {
            credit_en: false,
            admit_en: false,
            lost: false,
            m: 1024.min(p.msgq as u32),
            c_b: (p.msgq as u32 / 4).clamp(1, 200),
            limit: WHOLE,
            lid: 0,
            be_mask: Classes::reset_mask(p.vls),
            lhp: 64,
            wshift: 4,
            first_node: 0,
            be_weight: 1,
            probe_gap: 0,
            msgq: p.msgq as u32,
        }
    }

    /// M as it acts.
    pub(super) fn most(&self) -> u32 {
        self.m.clamp(1, self.msgq)
    }

    /// LIMIT as it acts.
    pub(super) fn bandwidth(&self) -> u32 {
        self.limit.min(WHOLE)
    }
}
