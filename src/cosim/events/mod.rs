//! Judging a design by its events: rules are known, cycles are not.
//!
//! A [`scoreboard::Scoreboard`] sees inputs and outputs of each cycle and nothing else. It keeps what the rules say of them, with
//! tolerances where a pipeline may take its time, and says which rule was broken. The source is driven by the design's own outputs.

mod arrivals;
mod control;
mod credits;
mod downstream;
pub(super) mod drive;
mod hca;
mod headers;
mod index;
mod injection_control;
mod input_port;
mod life;
mod marks;
mod offers;
mod output_port;
mod packets;
#[cfg(test)]
mod pins;
mod register;
mod reservation;
pub mod scoreboard;
mod sender;
pub mod settings;
mod source_response;
mod stops;
mod switch;
mod throttle;
#[cfg(test)]
mod throttle_tests;
mod worm;
mod worm_adapter;
mod worm_router;

use crate::params::{Build, UnitKind};
use scoreboard::Scoreboard;
use settings::{Setting, Settings};

/// The tolerances of a unit's scoreboard; an error says what of it is not judged.
pub fn tolerances(build: &Build) -> Result<Vec<Setting>, String> {
    match build.unit {
        UnitKind::HcaThrottle => Ok(throttle::settings(&build.params)),
        UnitKind::InputPort => input_port::settings(&build.params),
        UnitKind::OutputPort => output_port::settings(&build.params),
        UnitKind::SourceResponse => Ok(source_response::settings(&build.params)),
        UnitKind::Switch => switch::settings(&build.params),
        UnitKind::Hca => hca::settings(&build.params),
        UnitKind::WormRouter => worm_router::settings(&build.params),
        UnitKind::WormAdapter => Ok(worm_adapter::settings(&build.params)),
        UnitKind::InjectionControl => Ok(injection_control::settings(&build.params)),
        UnitKind::Reservation => Ok(reservation::settings(&build.params)),
    }
}

/// Outputs without which a unit cannot be judged.
pub fn needed(unit: UnitKind) -> &'static [&'static str] {
    match unit {
        UnitKind::HcaThrottle => &["inj_valid", "inj_flow", "inj_sl"],
        UnitKind::InputPort => input_port::NEEDED,
        UnitKind::OutputPort => output_port::NEEDED,
        UnitKind::SourceResponse => source_response::NEEDED,
        UnitKind::Switch => switch::NEEDED,
        UnitKind::Hca => hca::NEEDED,
        UnitKind::WormRouter => worm_router::NEEDED,
        UnitKind::WormAdapter => worm_adapter::NEEDED,
        UnitKind::InjectionControl => injection_control::NEEDED,
        UnitKind::Reservation => reservation::NEEDED,
    }
}

/// A scoreboard for a unit.
pub fn scoreboard(build: &Build, settings: &Settings) -> Result<Box<dyn Scoreboard>, String> {
    tolerances(build)?;
    Ok(match build.unit {
        UnitKind::InputPort => Box::new(input_port::Port::new(&build.params, settings)),
        UnitKind::OutputPort => Box::new(output_port::Port::new(&build.params, settings)),
        UnitKind::SourceResponse => Box::new(source_response::Response::new(&build.params, settings)),
        UnitKind::Switch => Box::new(switch::Switch::new(&build.params, settings)),
        UnitKind::WormRouter => Box::new(worm_router::Router::new(&build.params, settings)),
        UnitKind::Hca => Box::new(hca::Adapter::new(&build.params, settings)),
        UnitKind::WormAdapter => Box::new(worm_adapter::Adapter::new(&build.params, settings)),
        UnitKind::InjectionControl => Box::new(injection_control::Control::new(&build.params, settings)),
        UnitKind::Reservation => Box::new(reservation::Reservation::new(&build.params, settings)),
        UnitKind::HcaThrottle => Box::new(throttle::Throttle::new(&build.params, settings)),
    })
}
