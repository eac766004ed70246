//! What a switch or an adapter of a cluster is made of: a golden unit or a Verilated model.

use std::fmt;

use crate::model::Unit;
use crate::params::{Build, Params, UnitKind};

/// A Moore unit with a clock.
pub trait Device: Send {
    /// To cycle 0 after reset; then outputs and state of that cycle.
    fn reset(&mut self, output: &mut [u32], state: &mut [u32]);
    /// Takes the inputs of the current cycle, makes the edge that ends it, and shows outputs and state of the next
    /// cycle. An empty `state` is not filled. The error is what a checker in the RTL said.
    fn advance(&mut self, input: &[u32], output: &mut [u32], state: &mut [u32]) -> Result<(), String>;
    /// State of the current cycle.
    fn state(&mut self, output: &mut [u32], state: &mut [u32]);
}

/// A golden unit as a device.
pub struct Golden(Box<dyn Unit>);

impl Golden {
    /// The golden model of a unit.
    pub fn new(unit: UnitKind, params: &Params) -> Result<Golden, String> {
        let unit = crate::model::new(unit, params)?;
        if unit.is_moore() { Ok(Golden(unit)) } else { Err("only Moore units make a cluster".into()) }
    }
}

impl Device for Golden {
    fn reset(&mut self, output: &mut [u32], state: &mut [u32]) {
        self.0.reset();
        self.state(output, state);
    }

    fn advance(&mut self, input: &[u32], output: &mut [u32], state: &mut [u32]) -> Result<(), String> {
        self.0.step(input);
        self.state(output, state);
        Ok(())
    }

    fn state(&mut self, output: &mut [u32], state: &mut [u32]) {
        self.0.outputs(&[], output);
        if !state.is_empty() {
            state.fill(0);
            self.0.state(state);
        }
    }
}

#[cfg(feature = "rtl")]
impl Device for crate::verilated::Model {
    fn reset(&mut self, output: &mut [u32], state: &mut [u32]) {
        self.reset();
        self.sample(output, state);
    }

    fn advance(&mut self, input: &[u32], output: &mut [u32], state: &mut [u32]) -> Result<(), String> {
        self.advance(input, output, state).map_err(|e| e.message)
    }

    fn state(&mut self, output: &mut [u32], state: &mut [u32]) {
        self.sample(output, state);
    }
}

/// No model in this binary has the parameters that a network needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoBuild {
    unit: UnitKind,
    wanted: Params,
}

impl fmt::Display for NoBuild {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names = self.unit.parameter_names();
        let list: Vec<String> =
            names.iter().map(|n| format!("{n}={}", self.wanted.get(n).unwrap_or_default())).collect();
        write!(f, "the RTL {} is not built with {}", self.unit.cli_name(), list.join(" "))?;
        for b in crate::params::builds().iter().filter(|b| b.unit == self.unit) {
            let other: Vec<String> = names
                .iter()
                .filter(|n| differ(b, &self.wanted, n))
                .map(|n| format!("{n}={}", b.params.get(n).unwrap_or_default()))
                .collect();
            write!(f, "\n  build {} has {}", b.name, other.join(" "))?;
        }
        write!(
            f,
            "\nremedy: --set the parameters of a build, add a build in src/params.rs, or use --engine model, which takes \
             any parameters"
        )
    }
}

/// Whether a build has another value of a parameter that matters.
fn differ(build: &Build, wanted: &Params, name: &str) -> bool {
    // Without ONE_QUEUE one iteration is the whole match.
    let idle = name == "ITERATIONS" && !wanted.one_queue && !build.params.one_queue;
    build.params.get(name) != wanted.get(name) && !idle
}

/// The build of a unit with these parameters.
pub fn find_build(unit: UnitKind, wanted: &Params) -> Result<Build, Box<NoBuild>> {
    let fits = |b: &Build| b.unit == unit && !unit.parameter_names().iter().any(|n| differ(b, wanted, n));
    crate::params::builds().into_iter().find(fits).ok_or_else(|| Box::new(NoBuild { unit, wanted: *wanted }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fabric::scheme::Config;
    use crate::scheme::{Organisation, Scheme};

    #[test]
    fn the_builds_cover_the_schemes_at_64_nodes() {
        for scheme in Scheme::ALL.into_iter().filter(|s| s.organisation != Organisation::LanePerDest) {
            let c = Config::new(scheme, 64);
            for (unit, params) in [(UnitKind::Switch, c.switch_params(8)), (UnitKind::Hca, c.hca_params())] {
                let b = find_build(unit, &params).unwrap_or_else(|e| panic!("{}: {e}", scheme.name));
                assert_eq!(b.unit, unit);
            }
        }
    }

    #[test]
    fn a_missing_build_is_told_with_what_there_is() {
        let mut c = Config::new(Scheme::EcoCc, 64);
        c.set("lines", "12").unwrap();
        let e = find_build(UnitKind::Switch, &c.switch_params(8)).unwrap_err().to_string();
        for part in ["RTL switch", "LINES=12", "build voq8 has LINES=9\n", "--engine model"] {
            assert!(e.contains(part), "no {part} in {e}");
        }
    }
}
