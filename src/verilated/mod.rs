//! The bridge to the Verilated models: one call runs a batch of cycles.
//!
//! `build.rs` makes one C++ class per [`Build`], each behind the small abstract class of `model.h`. Every
//! instance has its own Verilator context: instances are independent, and may live in different threads. This is the only
//! module of the crate with `unsafe` code.

use crate::params::Build;
use crate::signals::Layout;

#[cxx::bridge(namespace = "quell")]
mod ffi {
    unsafe extern "C++" {
        include!("model.h");
        type Model;
        fn new_model(prefix: &str, seed: u32) -> UniquePtr<Model>;
        fn reset(self: Pin<&mut Model>, cycles: u32);
        fn run(self: Pin<&mut Model>, n: usize, input: &[u32], out: &mut [u32], state: &mut [u32]) -> usize;
        fn run_bare(self: Pin<&mut Model>, n: usize, input: &[u32]) -> u64;
        fn in_words(&self) -> usize;
        fn out_words(&self) -> usize;
        fn state_words(&self) -> usize;
        fn message(&self) -> String;
    }
}

// SAFETY: a model owns its Verilator context and all its data; nothing in it is tied to the thread that made it (the thread's
// current context is set on every call), and construction, which uses global data, is done under a lock. It is not `Sync`.
unsafe impl Send for ffi::Model {}

/// Cycles with `rst_i` high in [`Model::reset`].
const RESET_CYCLES: u32 = 4;

/// A checker in the RTL fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckerFired {
    /// In which of the cycles of the call.
    pub at: usize,
    /// What it printed.
    pub message: String,
}

/// An instance of a Verilated model.
pub struct Model {
    model: cxx::UniquePtr<ffi::Model>,
    in_words: usize,
    out_words: usize,
    state_words: usize,
}

impl Model {
    /// Makes an instance whose registers and memories power up with random values drawn from `seed`. It must be [`reset`](Model::reset).
    pub fn new(build: &Build, seed: u64) -> Result<Model, String> {
        // Mixed, so that neighbouring seeds share no bits pattern.
        let seed = ((seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32) as u32;
        let model = ffi::new_model(&build.prefix(), seed);
        let name = format!("{} {}", build.unit.cli_name(), build.name);
        if model.is_null() {
            return Err(format!("this binary has no model of {name}"));
        }
        let layout = Layout::new(build.unit, &build.params);
        let words = (model.in_words(), model.out_words(), model.state_words());
        if words != (layout.in_words, layout.out_words, layout.state_words) {
            return Err(format!("the model of {name} was built with other parameters"));
        }
        Ok(Model { model, in_words: words.0, out_words: words.1, state_words: words.2 })
    }

    /// Some clocked cycles of reset, with random inputs; afterwards the unit is in cycle 0.
    pub fn reset(&mut self) {
        self.model.pin_mut().reset(RESET_CYCLES);
    }

    /// Runs `n` cycles. Each: inputs applied, outputs and state sampled before the edge, edge.
    ///
    /// # Panics
    /// If a slice does not hold exactly `n` vectors.
    pub fn cycles(
        &mut self,
        n: usize,
        inputs: &[u32],
        outputs: &mut [u32],
        states: &mut [u32],
    ) -> Result<(), CheckerFired> {
        assert_eq!(inputs.len(), n * self.in_words);
        assert_eq!(outputs.len(), n * self.out_words);
        assert_eq!(states.len(), n * self.state_words);
        let done = self.model.pin_mut().run(n, inputs, outputs, states);
        if done == n { Ok(()) } else { Err(CheckerFired { at: done, message: self.model.message() }) }
    }

    /// Runs one cycle; see [`Model::cycles`].
    pub fn cycle(
        &mut self,
        input: &[u32],
        output: &mut [u32],
        state: &mut [u32],
    ) -> Result<(), CheckerFired> {
        self.cycles(1, input, output, state)
    }

    /// The plain C++ loop of the benchmark: runs over `inputs` and folds all outputs and state into one number.
    ///
    /// # Panics
    /// If `inputs` is not a whole number of vectors.
    pub fn bare(&mut self, inputs: &[u32]) -> u64 {
        assert_eq!(inputs.len() % self.in_words, 0);
        self.model.pin_mut().run_bare(inputs.len() / self.in_words, inputs)
    }
}
