//! Golden models: independent behavioural models of the units, cycle-exact at their ports.
//!
//! They are written from the pages in `docs/`, not from the RTL, and know nothing of Verilator. A unit is
//! driven through word vectors whose layout is [`crate::signals::Layout`].

use crate::params::{Params, UnitKind};

#[cfg(test)]
mod bench;
#[cfg(test)]
mod fairness;
pub mod hca;
pub mod hca_throttle;
pub mod header;
pub mod input_port;
#[cfg(test)]
mod joined;
pub mod link;
pub mod output_port;
pub mod switch;
pub(crate) mod util;

/// One thing that must be seen to happen.
#[derive(Clone, Copy, Debug)]
pub struct CoverPoint {
    /// Name, unique within the unit: `e6_free_vs_move`.
    pub name: &'static str,
    /// Rules it belongs to, separated by blanks.
    pub rules: &'static str,
    /// What happened, in a line.
    pub text: &'static str,
}

/// A golden model. One cycle is `outputs`, `state`, `step`, in this order.
pub trait Unit: Send {
    /// True if no output depends on an input of the same cycle.
    fn is_moore(&self) -> bool;
    /// The reset state, as after `rst_i`.
    fn reset(&mut self);
    /// Outputs of the current cycle. A Moore unit does not look at `input` (it may be empty).
    fn outputs(&self, input: &[u32], out: &mut [u32]);
    /// Architectural state of the current cycle, before its edge.
    fn state(&self, state: &mut [u32]);
    /// The clock edge that ends the current cycle.
    fn step(&mut self, input: &[u32]);
    /// The unit's cover points, in the order of [`Unit::cover`].
    fn cover_points(&self) -> &'static [CoverPoint];
    /// How often each cover point was hit since construction (reset does not clear it).
    fn cover(&self) -> &[u64];
}

/// Builds the golden model of `unit`. Errors name the parameter and its legal range.
pub fn new(unit: UnitKind, params: &Params) -> Result<Box<dyn Unit>, String> {
    params.check()?;
    Ok(match unit {
        UnitKind::InputPort => Box::new(input_port::InputPort::new(params)),
        UnitKind::OutputPort => Box::new(output_port::OutputPort::new(params)),
        UnitKind::HcaThrottle => Box::new(hca_throttle::HcaThrottle::new(params)),
        UnitKind::Switch => Box::new(switch::Switch::new(params)),
        UnitKind::Hca => Box::new(hca::Hca::new(params)),
    })
}
