//! Stimulus for `source_response`: constrained-random traffic with its ACKs, and directed scenarios.

use super::knobs::{Knobs, Setup};
use crate::cosim::source::Source;
use crate::params::{Build, Params};
use crate::stimulus::table::Scenario;

mod bench;
mod random;
mod scenarios;
mod script;

#[cfg(test)]
mod tests;

/// The directed scenarios.
pub fn scenarios() -> &'static [Scenario] {
    scenarios::SCENARIOS
}

/// Cycles in which a scenario does everything once; after that it begins anew.
pub fn scenario_cycles(name: &str, p: &Params) -> u64 {
    let flows = p.flows as u64;
    let _ = name;
    500_000 + 300 * flows
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
        Some(s) => match scenarios::operations(s.name) {
            Some(ops) => Ok(Box::new(script::Script::new(&build.params, setup, ops, seed))),
            None => Err(format!("source-response has no scenario {}", s.name)),
        },
    }
}
