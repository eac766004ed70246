//! Stimulus for `injection_control`: headers that come and go, lanes that are owned and freed, a side-band, both constrained-random
//! or by directed scenarios.

use super::knobs::{Knobs, Setup};
use crate::cosim::source::Source;
use crate::params::Build;
use crate::stimulus::table::Scenario;

mod random;
mod scenarios;
mod script;
mod side_band;
mod world;

#[cfg(test)]
mod tests;

/// The directed scenarios.
pub fn scenarios() -> &'static [Scenario] {
    scenarios::SCENARIOS
}

/// Cycles in which a scenario does everything once; after that it begins anew. It is run on the golden model for that.
pub fn round_cycles(build: &Build, scenario: &Scenario) -> Result<u64, String> {
    script::round_cycles(&build.params, operations(scenario.name)?)
}

fn operations(name: &str) -> Result<fn(&script::Dims) -> Vec<script::Op>, String> {
    scenarios::operations(name).ok_or_else(|| format!("injection-control has no scenario {name}"))
}

/// A stimulus; `None` is constrained-random.
pub fn source(
    build: &Build,
    scenario: Option<&'static Scenario>,
    knobs: &Knobs,
    setup: &Setup,
    seed: u64,
) -> Result<Box<dyn Source>, String> {
    match scenario {
        None => Ok(Box::new(random::Random::new(&build.params, knobs, setup, seed))),
        Some(s) => Ok(Box::new(script::Script::new(&build.params, setup, operations(s.name)?, seed))),
    }
}
