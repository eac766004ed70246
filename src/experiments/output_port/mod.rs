//! Stimulus for `switch_output_port`: constrained-random traffic and directed scenarios.

use super::knobs::{Knobs, Setup};
use super::scenario::Scenario;
use crate::cosim::source::Source;
use crate::params::Build;

mod random;
mod world;

pub(super) use world::{ALWAYS, Chance, chance, hit};

#[cfg(test)]
mod tests;

/// The directed scenarios.
pub fn scenarios() -> &'static [Scenario] {
    &[]
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
        Some(s) => Err(format!("no scenario {}", s.name)),
    }
}
