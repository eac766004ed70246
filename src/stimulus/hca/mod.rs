//! Stimulus for `hca`: constrained-random hosts and links, and directed scenarios.

use super::knobs::{Knobs, Setup};
use crate::cosim::source::Source;
use crate::params::{Build, Params, UnitKind};
use crate::stimulus::table::Scenario;

mod around;
mod losing;
mod packets;
mod peer;
mod phase;
mod random;
mod reservation;
mod scenarios;
mod script;
mod steady;
mod world;

#[cfg(test)]
mod tests;

/// The directed scenarios.
pub fn scenarios() -> &'static [Scenario] {
    scenarios::SCENARIOS
}

/// Cycles in which a scenario does everything once; after that it begins anew.
pub fn scenario_cycles(name: &str, p: &Params) -> u64 {
    let start = (p.init_cycles(UnitKind::Hca) + p.lft_depth.max(p.cct)) as u64 + 64;
    start
        + match name {
            "h8-injection" => 14_000,
            "h8-slow-tx" => 19_000,
            "h5-stop-go" => 5_000,
            "h5-turns-after-stop" => 9_000,
            "h2-cnp-plain" | "h1-window" | "h1-window-delay" => 10_000,
            "h1-dma-stall" | "h2-cnp-flood" | "c1-read-back" | "ak4-flood" => 8_000,
            "ak6-window" => 13_000,
            "vr5-posts" | "ak4-short-credit" => 7_000,
            name if name.starts_with('q') => 9_000 + 30 * (p.nmax * p.mtu) as u64,
            _ => 4_000,
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
            None => Err(format!("hca has no scenario {}", s.name)),
        },
    }
}
