//! Golden model of `injection_control`, from `docs/injection-control.md`.
//!
//! A part for each thing that holds something (`lookup`, `alo`, `gathering`, `estimate`, `tuning`, `written`); `hold` decides, `step` is
//! the clock edge, `met` what cover points see.

mod alo;
mod config;
mod cover;
mod estimate;
mod gathering;
mod hold;
mod lookup;
mod met;
mod seen;
mod show;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod tuning;
mod written;

use crate::model::{CoverPoint, Unit};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use alo::Channels;
use cover::POINTS;
pub use cover::cover_applies;
use estimate::Estimate;
use gathering::Gathering;
use lookup::Lookup;
use seen::{In, MOST};
pub use state::InjectionControl;
use state::{Out, State};
use tuning::Tuning;
use written::Written;

impl InjectionControl {
    /// A unit in reset state. `params` must be legal for it ([`Params::check_unit`]).
    pub fn new(params: &Params) -> Self {
        let layout = Layout::new(UnitKind::InjectionControl, params);
        let written = Written::new(params);
        InjectionControl {
            p: *params,
            i: In::new(&layout),
            o: Out::new(&layout),
            s: State::new(&layout),
            init_left: params.lft_depth,
            written,
            read: None,
            lookup: Lookup::new(params),
            channels: Channels::default(),
            held: [0; MOST],
            gathering: Gathering::default(),
            estimate: Estimate::new(written.period()),
            throttle: false,
            tuning: Tuning::new(),
            cover: vec![0; POINTS.len()],
        }
    }
}

impl Unit for InjectionControl {
    fn is_moore(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.clear();
    }

    fn outputs(&self, _input: &[u32], out: &mut [u32]) {
        out.fill(0);
        if self.init_left == 0 {
            self.show_outputs(out);
        }
    }

    fn state(&self, state: &mut [u32]) {
        state.fill(0);
        self.show_state(state);
    }

    fn step(&mut self, input: &[u32]) {
        if self.init_left > 0 {
            self.sweep(input);
        } else {
            self.cycle(input);
        }
    }

    fn cover_points(&self) -> &'static [CoverPoint] {
        POINTS
    }

    fn cover(&self) -> &[u64] {
        &self.cover
    }
}
