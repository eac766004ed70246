//! Stimulus for `hca_throttle`: constrained-random requests and directed scenarios.

use super::knobs::{Knobs, Setup};
use crate::cosim::source::Source;
use crate::params::{Build, Params};
use crate::stimulus::table::Scenario;

pub(super) mod bench;
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
    let turn = p.entities() as u64;
    let sweep = p.init_cycles(crate::params::UnitKind::HcaThrottle) as u64;
    sweep
        + match name {
            "h3-restart" => 1_500 + 90 * turn,
            "h4-flow-timer" => 3_500 + 72 * turn,
            // the steps of an SL's timer have 14 bits
            "h4-sl-timer" => 40_000 + 60 * turn,
            "h4-periods" => 8_000 + 260 * turn,
            "h4-min" => 2_000 + 80 * turn,
            "h4-sl-races" => 15_000 + 24 * turn,
            // the tick counter has 18 bits
            "h4-tick-wrap" => 287_000 + 12 * turn,
            "h4-every-bit" => 394_500 + 100 * turn,
            "h5-ageing" => 20_000 + 40 * turn,
            "h5-time-wrap" => 17_000 + 12 * turn,
            "h7-sl-mode" => 1_000 + 70 * turn,
            "h8-round-robin" => 1_000 + 40 * turn,
            "h8-shared-delay" => 16_000 + 14 * turn,
            "h8-blocked" => 12_000 + 60 * turn,
            "ecocc-fig6-hca" => 1_000 + 60 * turn,
            _ => 4_500 + 20 * turn,
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
            None => Err(format!("hca-throttle has no scenario {}", s.name)),
        },
    }
}
