//! The default regression: every scenario and random traffic, on every build of every unit.
//! `quell regress` runs it, and so does the test.

use super::knobs::{Knobs, Setup};
use super::scenario::{Scenario, of_unit, source};
use crate::cosim::Job;
use crate::model::{hca_throttle, input_port, output_port};
use crate::params::{Build, Params, UnitKind, builds};

/// Cycles of the default regression, all runs together; at least so many are run.
pub const DEFAULT_CYCLES: u64 = 12_000_000;

/// Cycles of a run of a directed scenario, from which it is given its seeds.
const SCENARIO_CYCLES: u64 = 4_000;
/// Seeds of each scenario on each build.
const SCENARIO_SEEDS: u64 = 3;
/// Cycles of a run of random traffic: short enough to have many seeds.
const RANDOM_CYCLES: u64 = 50_000;

/// Share of the random cycles: small builds wrap and overflow soonest, and simulate fastest.
fn weight(build: &Build) -> u64 {
    match build.name {
        "tiny" => 8,
        "p4v2" | "f64" => 4,
        _ => 2,
    }
}

/// Says whether a cover point of a unit can be hit at all with these parameters.
pub fn cover_applies(unit: UnitKind, point: &str, params: &Params) -> bool {
    match unit {
        UnitKind::InputPort => input_port::cover_applies(point, params),
        UnitKind::OutputPort => output_port::cover_applies(point, params),
        UnitKind::HcaThrottle => hca_throttle::cover_applies(point, params),
    }
}

/// The runs, `cycles` cycles in all or a little more (at least one run of every kind). The order is that of running.
pub fn jobs(cycles: u64, seed: u64) -> Result<Vec<Job>, String> {
    let mut jobs = Vec::new();
    for build in builds() {
        for scenario in of_unit(build.unit) {
            for i in 0..SCENARIO_SEEDS {
                jobs.push(job(build, Some(scenario), seed.wrapping_add(i), SCENARIO_CYCLES)?);
            }
        }
    }
    let directed: u64 = jobs.iter().map(|job| job.cycles).sum();
    let random = cycles.saturating_sub(directed);
    let weights: u64 = builds().iter().map(weight).sum();
    for build in builds() {
        let runs = (random * weight(&build)).div_ceil(weights * RANDOM_CYCLES).max(1);
        for i in 0..runs {
            jobs.push(job(build, None, seed.wrapping_add(i), RANDOM_CYCLES)?);
        }
    }
    Ok(jobs)
}

fn job(build: Build, scenario: Option<&'static Scenario>, seed: u64, cycles: u64) -> Result<Job, String> {
    let name = scenario.map(|s| s.name);
    let make = move |seed| source(&build, name, &Knobs::default(), &Setup::default(), seed);
    make(seed)?;
    let make = move |seed| make(seed).unwrap_or_else(|e| panic!("made once already, with another seed: {e}"));
    let label = name.map_or("random traffic".into(), |name| format!("scenario {name}"));
    let label = format!("{} {}, {label}, seed {seed}", build.unit.cli_name(), build.name);
    Ok(Job { build, label, seed, cycles, source: Box::new(make) })
}
