//! The lockstep loop.

use super::{Failure, Options, Report, source::Source};
use crate::model::Unit;
use crate::params::Build;

/// The RTL side, or whatever stands for it.
pub trait Dut: Send {
    /// Applies reset for a few clocked cycles with arbitrary inputs; afterwards the reset state holds.
    fn reset(&mut self);
    /// Runs `n` cycles: inputs applied, outputs and state sampled before the edge, edge. The slices hold `n` word vectors each.
    fn cycles(
        &mut self,
        n: usize,
        inputs: &[u32],
        outputs: &mut [u32],
        states: &mut [u32],
    ) -> Result<(), DutError>;
}

/// A checker inside the device fired, or it broke.
#[derive(Clone, Debug)]
pub struct DutError {
    /// In which of the cycles of the call.
    pub at: usize,
    /// What it said.
    pub message: String,
}

/// How to make the two sides (they are made anew for waveforms and minimising).
pub struct Bench<'a> {
    /// The model.
    pub build: &'a Build,
    /// Makes a device under test for a power-up seed.
    pub dut: &'a (dyn Fn(u64) -> Result<Box<dyn Dut>, String> + Sync),
    /// Makes a golden model.
    pub golden: &'a (dyn Fn() -> Result<Box<dyn Unit>, String> + Sync),
}

/// Runs RTL and golden model of `build` in lockstep, driven by `source`.
#[cfg(feature = "rtl")]
pub fn run(build: &Build, source: &mut dyn Source, options: &Options) -> Result<Report, Failure> {
    let _ = (build, source, options);
    todo!()
}

/// As [`run`], for any device and any golden model.
pub fn run_on(bench: &Bench, source: &mut dyn Source, options: &Options) -> Result<Report, Failure> {
    let _ = (bench, source, options);
    todo!()
}

/// Applies the input vectors one cycle each and compares; for `proptest`. No files are written.
#[cfg(feature = "rtl")]
pub fn check_stimulus(build: &Build, seed: u64, inputs: &[Vec<u32>]) -> Result<(), Failure> {
    let _ = (build, seed, inputs);
    todo!()
}
