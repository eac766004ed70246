//! What an output queue hides from the surroundings of a port: which packets have gone to the link, and what still stands in it. A golden
//! port is driven beside the one under test to know it.

use std::fmt;

use crate::model::Unit;
use crate::model::output_port::OutputPort;
use crate::params::Params;

/// A golden port with an output queue.
pub(super) struct Shadow(OutputPort);

impl fmt::Debug for Shadow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shadow")
    }
}

impl Shadow {
    /// None without an output queue.
    pub(super) fn new(p: &Params) -> Option<Box<Shadow>> {
        p.cioq.then(|| Box::new(Shadow(OutputPort::new(p))))
    }

    /// The cycle with these inputs is over.
    pub(super) fn step(&mut self, input: &[u32]) {
        self.0.step(input);
    }

    /// Blocks sent on VL `v`, modulo 4096.
    pub(super) fn txr(&self, v: usize) -> u32 {
        self.0.txr(v)
    }

    /// Flits that stand in the queues.
    pub(super) fn stored(&self) -> u32 {
        self.0.stored_flits().iter().sum()
    }

    /// Flits that are promised, and will not come.
    pub(super) fn lost(&self) -> bool {
        self.0.promised_flits() > self.stored()
    }
}
