//! The default regression: every scenario and random traffic, on every build of every unit.
//! `quell regress` runs it, and so does the test.

use anyhow::anyhow;

use super::knobs::{Knobs, Setup};
use super::noise::Noise;
use super::scenario::{of_unit, round_cycles, source};
use super::table::Scenario;
use crate::cosim::Job;
use crate::cosim::source::Source;
use crate::jobs::{processors, results};
use crate::model::{
    hca, hca_throttle, injection_control, input_port, output_port, reservation, source_response, switch,
    worm_adapter, worm_router,
};
use crate::params::{Build, Params, UnitKind, builds};

/// Cycles of random traffic in the default regression, all runs together; the scenarios come on top.
pub const DEFAULT_CYCLES: u64 = 20_000_000;

/// Seeds of each scenario on each build.
const SCENARIO_SEEDS: u64 = 2;
/// Cycles of a run of random traffic: short enough to have many seeds.
const RANDOM_CYCLES: u64 = 50_000;
/// Cycles of a large build in the short form: it simulates slowly, and what it does a smaller one does as well.
const LARGE_CYCLES: u64 = 20_000;
/// Cycles of the one long run of each build, in which the widest counters wrap (18 bits of ticks, H4).
const LONG_CYCLES: u64 = 1_000_000;

/// Ports of the largest switches and routers that are run in the short form.
const FEW_PORTS: usize = 4;

/// Share of the random cycles: small builds wrap and overflow soonest, and simulate fastest.
fn weight(build: &Build) -> u64 {
    if is_large(build) && matches!(build.unit, UnitKind::Switch | UnitKind::WormRouter) {
        // They simulate slowly.
        return 1;
    }
    if build.params.parity {
        // Nothing new is to be found in it but a false alarm.
        return 1;
    }
    match build.name {
        "tiny" => 8,
        "p4v2" | "f64" | "r64" | "santiny" | "srptiny" => 4,
        _ => 2,
    }
}

/// Says whether a build is large: a switch of many ports, of which a cycle costs some hundred times one of a port, or a unit of so many
/// flows that a walk through all of them takes long.
pub fn is_large(build: &Build) -> bool {
    match build.unit {
        UnitKind::Switch => build.params.ports > FEW_PORTS,
        UnitKind::WormRouter => build.params.ports * build.params.vls > 64,
        UnitKind::WormAdapter => build.params.conns > 64,
        UnitKind::HcaThrottle | UnitKind::SourceResponse | UnitKind::Reservation => build.params.flows > 64,
        _ => false,
    }
}

/// Says whether a build is the smallest one with what it has.
pub fn is_smallest(build: &Build) -> bool {
    build.name.contains("tiny")
}

/// Says whether a build is run in the short form: switches and routers of few ports, and of the switches with parity the one that has
/// all else. What the others have, small ones or their ports have, too; it is their models that take long to make.
pub fn in_short_form(build: &Build) -> bool {
    match build.unit {
        UnitKind::Switch if build.params.parity => build.name == "tinyp",
        UnitKind::Switch | UnitKind::WormRouter => build.params.ports <= FEW_PORTS,
        _ => true,
    }
}

/// Says whether a cover point of a unit can be hit at all with these parameters.
pub fn cover_applies(unit: UnitKind, point: &str, params: &Params) -> bool {
    match unit {
        UnitKind::InputPort => input_port::cover_applies(point, params),
        UnitKind::OutputPort => output_port::cover_applies(point, params),
        UnitKind::HcaThrottle => hca_throttle::cover_applies(point, params),
        UnitKind::Switch => switch::cover_applies(point, params),
        UnitKind::Hca => hca::cover_applies(point, params),
        UnitKind::SourceResponse => source_response::cover_applies(point, params),
        UnitKind::Reservation => reservation::cover_applies(point, params),
        UnitKind::WormRouter => worm_router::cover_applies(point, params),
        UnitKind::WormAdapter => worm_adapter::cover_applies(point, params),
        UnitKind::InjectionControl => injection_control::cover_applies(point, params),
    }
}

/// The runs, in the order of running, short ones first: every scenario, a full round of it, and `random` cycles of random traffic or a
/// little more (at least one run for each build). A build with parity gets random traffic alone: what it does is the same.
pub fn jobs(random: u64, seed: u64) -> Result<Vec<Job>, String> {
    list(builds(), seed, |_, _| SCENARIO_SEEDS, shares(random))
}

/// The short form of [`jobs`]: one seed of each scenario, of the long ones on small builds alone; large builds have some random traffic,
/// and large switches nothing.
pub fn short_jobs(random: u64, seed: u64) -> Result<Vec<Job>, String> {
    let share = shares(random);
    let cycles = |b: &Build| if is_large(b) { LARGE_CYCLES } else { share(b) };
    let seeds = |b: &Build, round| u64::from(!is_large(b) && (round <= RANDOM_CYCLES || is_smallest(b)));
    list(builds().into_iter().filter(in_short_form).collect(), seed, seeds, cycles)
}

/// Each build's share of the cycles of random traffic, a run at least.
fn shares(random: u64) -> impl Fn(&Build) -> u64 {
    let weights: u64 = builds().iter().map(weight).sum();
    move |build| (random * weight(build)).div_ceil(weights).max(RANDOM_CYCLES)
}

/// The scenarios of these builds, each with the cycles of its round. Some run a golden model for that.
fn rounds(builds: impl Iterator<Item = Build>) -> Result<Vec<(Build, &'static Scenario, u64)>, String> {
    let all: Vec<(Build, &Scenario)> =
        builds.flat_map(|b| of_unit(b.unit).iter().map(move |s| (b, s))).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&i| !is_large(&all[i].0));
    let round = |i: usize| {
        let (build, scenario) = all[i];
        Ok((build, scenario, round_cycles(&build, scenario).map_err(|e| anyhow!(e))?))
    };
    results(&order, processors(), &round).map_err(|e| e.to_string())
}

/// Jobs of builds by the seeds of scenarios (by the cycles of a round) and the cycles of random traffic that each build has.
fn list(
    builds: Vec<Build>,
    seed: u64,
    seeds: impl Fn(&Build, u64) -> u64,
    random: impl Fn(&Build) -> u64,
) -> Result<Vec<Job>, String> {
    let (mut short, mut long) = (Vec::new(), Vec::new());
    let with = builds.iter().copied().filter(|b| !b.params.parity && seeds(b, 0) > 0);
    for (build, scenario, cycles) in rounds(with)? {
        for i in 0..seeds(&build, cycles) {
            let job = job(build, Some(scenario), seed.wrapping_add(i), cycles)?;
            if cycles > RANDOM_CYCLES { &mut long } else { &mut short }.push(job);
        }
    }
    for build in builds {
        let share = random(&build);
        let first = share.min(LONG_CYCLES);
        long.push(job(build, None, seed, first)?);
        for i in 1..=share.saturating_sub(first).div_ceil(RANDOM_CYCLES) {
            short.push(job(build, None, seed.wrapping_add(i), RANDOM_CYCLES)?);
        }
    }
    short.append(&mut long);
    Ok(short)
}

/// The runs of one build for measuring: random traffic of `random` cycles in short runs, each with a seed of its own, and
/// every scenario as in the regression; what ends soon comes first.
pub fn of_build(build: Build, random: u64, seed: u64) -> Result<Vec<Job>, String> {
    let mut all = Vec::new();
    for i in 0..random.div_ceil(RANDOM_CYCLES) {
        all.push(job(build, None, seed.wrapping_add(i), RANDOM_CYCLES.min(random - i * RANDOM_CYCLES))?);
    }
    for scenario in of_unit(build.unit) {
        let cycles = round_cycles(&build, scenario)?;
        for i in 0..SCENARIO_SEEDS {
            all.push(job(build, Some(scenario), seed.wrapping_add(i), cycles)?);
        }
    }
    // One run of random traffic goes first: most faults show in its first cycles.
    let rest = all.len().min(1);
    all[rest..].sort_by_key(|j| j.cycles);
    // Last, what only shows after counters have wrapped.
    if build.unit == UnitKind::HcaThrottle {
        all.push(job(build, None, seed.wrapping_add(1000), LONG_CYCLES)?);
    }
    Ok(all)
}

/// Says whether random traffic of a seed has noise in it: every other one of the units that stand alone. (Switch and adapter are made of
/// them, and what noise does there is what it does here.)
fn noisy(unit: UnitKind, seed: u64) -> bool {
    UnitKind::ALONE.contains(&unit) && seed.is_multiple_of(2)
}

fn job(build: Build, scenario: Option<&'static Scenario>, seed: u64, cycles: u64) -> Result<Job, String> {
    let name = scenario.map(|s| s.name);
    let noisy = scenario.is_none() && noisy(build.unit, seed);
    let make = move |seed| -> Result<Box<dyn Source>, String> {
        let plain = source(&build, name, &Knobs::default(), &Setup::default(), seed)?;
        Ok(if noisy { Box::new(Noise::new(plain, build.unit, &build.params, seed)) } else { plain })
    };
    make(seed)?;
    let make = move |seed| make(seed).unwrap_or_else(|e| panic!("made once already, with another seed: {e}"));
    let label = match (name, noisy) {
        (Some(name), _) => format!("scenario {name}"),
        (None, false) => "random traffic".into(),
        (None, true) => "random traffic with noise".into(),
    };
    let label = format!("{} {}, {label}, seed {seed}", build.unit.cli_name(), build.name);
    Ok(Job { build, label, seed, cycles, source: Box::new(make) })
}
