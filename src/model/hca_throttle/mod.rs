//! Placeholder until the golden model is merged.
use super::{CoverPoint, Unit};
use crate::params::Params;

/// Golden model.
pub struct HcaThrottle;

impl HcaThrottle {
    /// A unit in reset state.
    pub fn new(_params: &Params) -> Self {
        HcaThrottle
    }
}

impl Unit for HcaThrottle {
    fn is_moore(&self) -> bool {
        true
    }
    fn reset(&mut self) {}
    fn outputs(&self, _input: &[u32], _out: &mut [u32]) {}
    fn state(&self, _state: &mut [u32]) {}
    fn step(&mut self, _input: &[u32]) {}
    fn cover_points(&self) -> &'static [CoverPoint] {
        &[]
    }
    fn cover(&self) -> &[u64] {
        &[]
    }
}
