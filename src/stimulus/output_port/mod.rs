//! Stimulus for `switch_output_port`: constrained-random traffic and directed scenarios.

use super::knobs::{Knobs, Setup};
use crate::cosim::source::Source;
use crate::params::{Build, Params};
use crate::stimulus::table::Scenario;
use takes::Takes;

mod classes;
mod marking;
mod queues;
mod random;
mod scenarios;
mod script;
mod shadow;
mod takes;
mod world;

#[cfg(test)]
mod tests;

/// The directed scenarios.
pub fn scenarios() -> &'static [Scenario] {
    scenarios::SCENARIOS
}

/// Cycles in which a scenario does everything once; after that it begins anew.
pub fn scenario_cycles(name: &str, p: &Params) -> u64 {
    match name {
        // counters of each VL go round
        "m2-every-bit" => 260_000,
        // a packet's time for each packet of each lane, and more in between
        "a1-lanes-share-inputs" => 5 * 6 * (p.ports * (p.ports * p.vls + 1) * (p.mtu + 8)) as u64 + 2500,
        "a2-cnps-move-no-data" => 6000,
        "f1-link-down" | "a3-turn-outlives-tree" => 15_000,
        "a3-lost-turn" | "a3-trees-in-turn" => 6000,
        "cq1-room" | "cq3-link" => 30_000,
        "cq2-paces-out" | "cq3-link-down" => 20_000,
        "pf1-queue" | "vm2-queue" => 12_000,
        "q3-priority" => 6000 + 60 * (p.ports * p.vls * p.mtu) as u64,
        "q3-owed" => 8000 + 100 * (p.ports * p.ports * p.mtu) as u64,
        "q7-nacks" => 4000,
        "ag1-oldest" => 5000 + 200 * (p.ports * p.vls) as u64,
        "m2-independence" => 74_500,
        "f1-wrap" => 4500 * p.vls as u64,
        _ => 2500,
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
    let p = &build.params;
    match scenario {
        None => Ok(Box::new(Takes::new(p, random::Random::new(p, knobs, setup, seed), true, seed))),
        Some(s) => match scenarios::operations(s.name) {
            Some(ops) => Ok(Box::new(Takes::new(p, script::Script::new(p, setup, ops, seed), false, seed))),
            None => Err(format!("output-port has no scenario {}", s.name)),
        },
    }
}
