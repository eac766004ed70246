//! Stimulus for `worm_adapter`.

use super::knobs::{Knobs, Setup};
use crate::cosim::source::Source;
use crate::params::Build;
use crate::signals::Layout;
use crate::stimulus::table::Scenario;

/// The directed scenarios.
pub fn scenarios() -> &'static [Scenario] {
    &[]
}

/// Cycles in which a scenario does everything once; after that it begins anew.
pub fn round_cycles(_build: &Build, scenario: &Scenario) -> Result<u64, String> {
    Err(format!("worm-adapter has no scenario {}", scenario.name))
}

/// A stimulus.
pub fn source(
    build: &Build,
    _scenario: Option<&'static Scenario>,
    _knobs: &Knobs,
    _setup: &Setup,
    _seed: u64,
) -> Result<Box<dyn Source>, String> {
    Ok(Box::new(Idle(Layout::new(build.unit, &build.params))))
}

/// Nothing happens.
struct Idle(Layout);

impl Source for Idle {
    fn drive(&mut self, _seen: &[u32], input: &mut [u32]) {
        self.0.make_idle(input);
    }
}
