//! What the hosts of a network have together: the check, the measurements, what they keep to.

use super::ledger::{Fault, Ledger};
use crate::worm::metrics::Collector;

/// What was delivered of a source and class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Got {
    /// The last cycle.
    pub(super) last: u64,
    pub(super) messages: u64,
}

/// It.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) ledger: Ledger,
    pub(super) meter: Collector,
    /// By source and class.
    pub(super) got: Vec<[Got; 3]>,
    /// Cycles after which a stream that was not admitted asks again, and after which a refused post is tried again.
    pub(super) retry: u64,
    pub(super) rtry: u64,
    /// The first breach.
    pub(super) fault: Option<Fault>,
}

impl Shared {
    /// A breach; the first one is kept.
    pub(super) fn fault(&mut self, t: u64, host: usize, what: String) {
        self.fault.get_or_insert(Fault { t, host, what });
    }
}
