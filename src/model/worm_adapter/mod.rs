//! Golden model of `worm_adapter`, from `docs/worm-adapter.md`.

use crate::model::{CoverPoint, Unit};
use crate::params::Params;

/// The unit.
pub struct WormAdapter;

impl WormAdapter {
    /// A unit in reset state. `params` must be legal for it ([`Params::check_unit`]).
    pub fn new(_params: &Params) -> Self {
        WormAdapter
    }
}

/// Says whether a cover point can be hit at all with these parameters.
pub fn cover_applies(_point: &str, _params: &Params) -> bool {
    true
}

impl Unit for WormAdapter {
    fn is_moore(&self) -> bool {
        true
    }
    fn reset(&mut self) {}
    fn outputs(&self, _input: &[u32], out: &mut [u32]) {
        out.fill(0);
    }
    fn state(&self, state: &mut [u32]) {
        state.fill(0);
    }
    fn step(&mut self, _input: &[u32]) {}
    fn cover_points(&self) -> &'static [CoverPoint] {
        &[]
    }
    fn cover(&self) -> &[u64] {
        &[]
    }
}
