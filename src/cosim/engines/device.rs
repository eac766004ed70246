//! What a switch or an adapter of a cluster is made of: a golden unit or a Verilated model.

use crate::model::Unit;
use crate::params::{Params, UnitKind};

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
