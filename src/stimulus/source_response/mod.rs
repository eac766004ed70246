//! Stimulus for `source_response`: constrained-random traffic with its ACKs, and directed scenarios.

use super::knobs::{Knobs, Setup};
use crate::cosim::source::Source;
use crate::params::{Build, Params};
use crate::stimulus::table::Scenario;

/// The directed scenarios.
pub fn scenarios() -> &'static [Scenario] {
    &[]
}

/// Cycles in which a scenario does everything once; after that it begins anew.
pub fn scenario_cycles(_name: &str, _p: &Params) -> u64 {
    0
}

/// A stimulus; `None` is constrained-random.
pub fn source(
    _build: &Build,
    _scenario: Option<&'static Scenario>,
    _knobs: &Knobs,
    _setup: &Setup,
    _seed: u64,
) -> Result<Box<dyn Source>, String> {
    Err("none yet".into())
}
