//! Stimulus for `switch_input_port`: constrained-random traffic and directed scenarios.

use super::knobs::{Knobs, Setup};
use crate::cosim::source::Source;
use crate::params::Build;
use crate::stimulus::rounds::cycles_of;
use crate::stimulus::table::Scenario;

mod marks;
mod random;
mod reservation;
mod scenarios;
mod script;
mod steps;
mod up;
mod world;

pub(super) use marks::MarkKnobs;
pub use random::Random;
pub(super) use random::{break_packet, readings, register, up_registers};
pub use scenarios::{covers, scenarios, script};
pub use script::{Cond, Op, Script, settle};
pub use world::{Dims, Fault, Io, Link, Out, OutLine, Packet, RawProp, World};

/// A stimulus; `None` is constrained-random.
pub fn source(
    build: &Build,
    scenario: Option<&'static Scenario>,
    knobs: &Knobs,
    setup: &Setup,
    seed: u64,
) -> Result<Box<dyn Source>, String> {
    let p = &build.params;
    for &(dlid, port) in setup.lft.iter().flatten() {
        if usize::from(dlid) >= p.lft_depth {
            return Err(format!("lft: DLID {dlid} is out of range: legal is 0 to {}", p.lft_depth - 1));
        }
        if !Dims::new(p).is_route(port) && port != 0xff {
            let any = if p.random_up { "254: any up port, " } else { "" };
            return Err(format!(
                "lft: DLID {dlid} goes to port {port}: legal is 0 to {} ({any}255: no route)",
                p.ports - 1
            ));
        }
    }
    match scenario {
        None => Ok(Box::new(Random::new(p, knobs, setup, seed))),
        Some(s) => match script(s, p, setup, true, seed) {
            Some(script) => Ok(Box::new(script)),
            None => Err(format!("{} is not a scenario of the input port", s.name)),
        },
    }
}

/// Cycles that one round of a scenario takes (it is repeated for ever), found by running it on the golden model.
pub fn round_cycles(build: &Build, scenario: &Scenario) -> Result<u64, String> {
    let p = &build.params;
    let mut script = script(scenario, p, &Setup::default(), false, 0)
        .ok_or_else(|| format!("{} is not a scenario of the input port", scenario.name))?;
    let cycles = cycles_of(build.unit, p, &mut script, MAX_ROUND, Script::done)?;
    if !script.done() {
        let at = script.position();
        return Err(format!(
            "scenario {} of {} does not end in {MAX_ROUND} cycles (step {at})",
            scenario.name, build.name
        ));
    }
    Ok(cycles)
}

/// No round of a scenario may be longer.
const MAX_ROUND: u64 = 1_000_000;
