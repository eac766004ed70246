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
    5 * flows
        + match name {
            "sr3-delays" => 43_000,
            "ak7-lost" => 32_000,
            "h5-time" => 27_000,
            "sr2-lipd" => 19_000,
            "sr2-aimd" => 18_000,
            "vr2-mvcm" => 17_000,
            "ak7-stray" | "sr2-fimd" => 11_000,
            "h8-turns" => 4_000 + 60 * flows,
            "ak5-back-to-back" => 7_000 + 25 * flows,
            "ak7-slow-host" => 8_000 + 40 * flows,
            "c1-read-back" | "b3-errors" | "h5-gates" => 2_000,
            _ => 8_000,
        }
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
