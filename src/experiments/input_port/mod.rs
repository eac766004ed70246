//! Stimulus for `switch_input_port`: constrained-random traffic and directed scenarios.

use super::knobs::{Knobs, Setup};
use super::scenario::Scenario;
use crate::cosim::source::Source;
use crate::params::Build;

/// The directed scenarios.
pub fn scenarios() -> &'static [Scenario] {
    &[]
}

/// A stimulus; `None` is constrained-random.
pub fn source(
    _build: &Build,
    scenario: Option<&'static Scenario>,
    _knobs: &Knobs,
    _setup: &Setup,
    _seed: u64,
) -> Result<Box<dyn Source>, String> {
    Err(format!("no stimulus yet for {scenario:?}"))
}
