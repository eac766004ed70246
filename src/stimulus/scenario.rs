//! The registry: every directed scenario and the constrained-random stimulus of every unit.

use super::knobs::{Knobs, Setup};
pub use super::table::Scenario;
use crate::cosim::source::Source;
use crate::params::{Build, UnitKind};

/// Every scenario of every unit.
pub fn scenarios() -> Vec<&'static Scenario> {
    UnitKind::ALL.iter().flat_map(|&u| of_unit(u)).collect()
}

/// The scenarios of one unit.
pub fn of_unit(unit: UnitKind) -> &'static [Scenario] {
    match unit {
        UnitKind::InputPort => super::input_port::scenarios(),
        UnitKind::OutputPort => super::output_port::scenarios(),
        UnitKind::HcaThrottle => super::hca_throttle::scenarios(),
        UnitKind::Switch => super::switch::scenarios(),
        UnitKind::Hca => super::hca::scenarios(),
        UnitKind::SourceResponse => super::source_response::scenarios(),
        UnitKind::Reservation => super::reservation::scenarios(),
        UnitKind::WormRouter => super::worm_router::scenarios(),
        UnitKind::WormAdapter => super::worm_adapter::scenarios(),
        UnitKind::InjectionControl => super::injection_control::scenarios(),
    }
}

/// Cycles in which a scenario does everything once on `build`; after that it begins anew.
pub fn round_cycles(build: &Build, scenario: &Scenario) -> Result<u64, String> {
    match build.unit {
        UnitKind::InputPort => super::input_port::round_cycles(build, scenario),
        UnitKind::OutputPort => Ok(super::output_port::scenario_cycles(scenario.name, &build.params)),
        UnitKind::HcaThrottle => Ok(super::hca_throttle::scenario_cycles(scenario.name, &build.params)),
        UnitKind::Switch => super::switch::round_cycles(build, scenario),
        UnitKind::Hca => Ok(super::hca::scenario_cycles(scenario.name, &build.params)),
        UnitKind::SourceResponse => Ok(super::source_response::scenario_cycles(scenario.name, &build.params)),
        UnitKind::Reservation => super::reservation::round_cycles(build, scenario),
        UnitKind::WormRouter => super::worm_router::round_cycles(build, scenario),
        UnitKind::WormAdapter => super::worm_adapter::round_cycles(build, scenario),
        UnitKind::InjectionControl => super::injection_control::round_cycles(build, scenario),
    }
}

/// A stimulus for `build`: the named scenario, or constrained-random for `None`. Deterministic in `seed`.
///
/// Errors name the scenario or the field that is wrong.
pub fn source(
    build: &Build,
    scenario: Option<&str>,
    knobs: &Knobs,
    setup: &Setup,
    seed: u64,
) -> Result<Box<dyn Source>, String> {
    knobs.check()?;
    let scenario = match scenario {
        None => None,
        Some(name) => {
            let all = of_unit(build.unit);
            Some(all.iter().find(|s| s.name == name).ok_or_else(|| {
                let names: Vec<&str> = all.iter().map(|s| s.name).collect();
                format!("{} has no scenario {name}: there are {}", build.unit.cli_name(), names.join(", "))
            })?)
        }
    };
    match build.unit {
        UnitKind::InputPort => super::input_port::source(build, scenario, knobs, setup, seed),
        UnitKind::OutputPort => super::output_port::source(build, scenario, knobs, setup, seed),
        UnitKind::HcaThrottle => super::hca_throttle::source(build, scenario, knobs, setup, seed),
        UnitKind::Switch => super::switch::source(build, scenario, knobs, setup, seed),
        UnitKind::Hca => super::hca::source(build, scenario, knobs, setup, seed),
        UnitKind::SourceResponse => super::source_response::source(build, scenario, knobs, setup, seed),
        UnitKind::Reservation => super::reservation::source(build, scenario, knobs, setup, seed),
        UnitKind::WormRouter => super::worm_router::source(build, scenario, knobs, setup, seed),
        UnitKind::WormAdapter => super::worm_adapter::source(build, scenario, knobs, setup, seed),
        UnitKind::InjectionControl => super::injection_control::source(build, scenario, knobs, setup, seed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::builds;

    #[test]
    fn names_are_unique_and_unknown_ones_told() {
        for unit in UnitKind::ALL {
            let all = of_unit(unit);
            for (i, s) in all.iter().enumerate() {
                assert_eq!(s.unit, unit, "{}", s.name);
                assert!(all[..i].iter().all(|t| t.name != s.name), "{} twice", s.name);
            }
        }
        let build = builds()[0];
        let e = source(&build, Some("nonsense"), &Knobs::default(), &Setup::default(), 1).err().unwrap();
        assert!(e.contains("input-port has no scenario nonsense"), "{e}");
    }
}
