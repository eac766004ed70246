//! Stimulus for `switch`: constrained-random traffic and directed scenarios.

use super::knobs::{Knobs, Setup};
use crate::cosim::source::Source;
use crate::params::Build;
use crate::stimulus::rounds::cycles_of;
use crate::stimulus::table::Scenario;

mod random;
mod reservation;
mod scenarios;
mod script;
#[cfg(test)]
mod tests;
mod up;
mod world;

use script::Script;

/// The directed scenarios.
pub fn scenarios() -> &'static [Scenario] {
    scenarios::SCENARIOS
}

/// A scenario's script.
fn script(build: &Build, name: &str, setup: &Setup, again: bool, seed: u64) -> Result<Script, String> {
    let ops = scenarios::operations(name).ok_or_else(|| format!("switch has no scenario {name}"))?;
    Ok(Script::new(&build.params, setup, ops, again, seed))
}

/// A stimulus; `None` is constrained-random.
pub fn source(
    build: &Build,
    scenario: Option<&'static Scenario>,
    knobs: &Knobs,
    setup: &Setup,
    seed: u64,
) -> Result<Box<dyn Source>, String> {
    Ok(match scenario {
        None => Box::new(random::Random::new(&build.params, knobs, setup, seed)),
        Some(s) => Box::new(script(build, s.name, setup, true, seed)?),
    })
}

/// Cycles that one round of a scenario takes (it is repeated for ever), found by running it on the golden model.
pub fn round_cycles(build: &Build, scenario: &Scenario) -> Result<u64, String> {
    let mut script = script(build, scenario.name, &Setup::default(), false, 0)?;
    cycles_of(build.unit, &build.params, &mut script, MAX_ROUND, Script::done)
}

/// No round of a scenario is longer.
const MAX_ROUND: u64 = 200_000;
