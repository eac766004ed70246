//! Golden models: independent behavioural models of the units, cycle-exact at their ports.
//!
//! They are written from the pages in `docs/`, not from the RTL, and know nothing of Verilator. A unit is
//! driven through word vectors whose layout is [`crate::signals::Layout`].
//!
//! ```
//! use quell::params::{Build, UnitKind};
//! let build = Build::named(UnitKind::HcaThrottle, Some("tiny"))?;
//! let layout = quell::signals::Layout::new(build.unit, &build.params);
//! let mut unit = quell::model::new(build.unit, &build.params)?;
//! let (input, mut output) = (layout.idle(), vec![0; layout.out_words]);
//! let mut cycles = 0;
//! while { unit.outputs(&input, &mut output); output[layout.output("ready")] == 0 } {
//!     unit.step(&input);
//!     cycles += 1;
//! }
//! assert!(cycles > 0, "it sweeps its tables first");
//! # Ok::<(), String>(())
//! ```

pub use unit::{CoverPoint, Unit};

use crate::params::{Params, UnitKind};

#[cfg(test)]
pub(crate) mod bench;
#[cfg(test)]
mod fairness;
pub mod hca;
pub mod hca_throttle;
pub mod header;
pub mod injection_control;
pub mod input_port;
#[cfg(test)]
mod joined;
pub mod link;
mod order;
pub mod output_port;
pub mod reservation;
pub mod source_response;
mod stamps;
pub mod switch;
mod turns;
mod unit;
pub(crate) mod util;
pub mod worm;
pub mod worm_adapter;
pub mod worm_router;

/// Builds the golden model of `unit`. Errors name the parameter and its legal range.
pub fn new(unit: UnitKind, params: &Params) -> Result<Box<dyn Unit>, String> {
    params.check_unit(unit)?;
    Ok(match unit {
        UnitKind::InputPort => Box::new(input_port::InputPort::new(params)),
        UnitKind::OutputPort => Box::new(output_port::OutputPort::new(params)),
        UnitKind::HcaThrottle => Box::new(hca_throttle::HcaThrottle::new(params)),
        UnitKind::Switch => Box::new(switch::Switch::new(params)),
        UnitKind::SourceResponse => Box::new(source_response::SourceResponse::new(params)),
        UnitKind::Reservation => Box::new(reservation::Reservation::new(params)),
        UnitKind::Hca => Box::new(hca::Hca::new(params)),
        UnitKind::WormRouter => Box::new(worm_router::WormRouter::new(params)),
        UnitKind::WormAdapter => Box::new(worm_adapter::WormAdapter::new(params)),
        UnitKind::InjectionControl => Box::new(injection_control::InjectionControl::new(params)),
    })
}
