//! Golden model of `worm_adapter`, from `docs/worm-adapter.md`.
//!
//! A cycle first works out what goes, comes and is chosen from S(t), then writes: the turn at the table, the flit that is moved, lanes.

mod config;
mod cover;
mod frames;
mod lanes;
mod link;
mod message;
mod met;
mod moving;
mod open;
mod pins;
mod post;
mod queues;
mod receive;
mod refusal;
mod show;
mod state;
mod step;
mod table;
#[cfg(test)]
mod tests;
mod turn;
mod waiting;
mod written;

use std::collections::VecDeque;

use crate::model::{CoverPoint, Unit};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use cover::POINTS;
pub use cover::cover_applies;
use frames::Receiver;
use lanes::Link;
use queues::Mover;
pub use state::WormAdapter;
use state::{Counts, In, Out, Posted, State, Told};
use table::Sums;
use waiting::Turns;
use written::Written;

impl WormAdapter {
    /// A unit in reset state. `params` must be legal for it ([`Params::check_unit`]).
    pub fn new(params: &Params) -> Self {
        let layout = Layout::new(UnitKind::WormAdapter, params);
        let mut unit = WormAdapter {
            p: *params,
            i: In::new(&layout),
            o: Out::new(&layout),
            s: State::new(&layout),
            written: Written::new(params),
            read: None,
            errors: 0,
            init_left: 0,
            table: Vec::new(),
            sums: Sums::default(),
            posted: Posted::default(),
            turns: Turns::new(params),
            told: Told::default(),
            own: VecDeque::new(),
            mover: Mover::new(params),
            link: Link::new(params),
            rx: Receiver::default(),
            counts: Counts::default(),
            watched: true,
            cover: vec![0; POINTS.len()],
        };
        unit.clear();
        unit
    }
}

impl Unit for WormAdapter {
    fn is_moore(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.clear();
    }

    fn outputs(&self, _input: &[u32], out: &mut [u32]) {
        out.fill(0);
        if self.init_left == 0 {
            self.show_told(out);
            self.show_flits(out);
        }
    }

    fn state(&self, state: &mut [u32]) {
        state.fill(0);
        self.show_table(state);
        self.show_lanes(state);
    }

    fn step(&mut self, input: &[u32]) {
        let pins = self.pins(input);
        self.advance(&pins);
    }

    fn cover_points(&self) -> &'static [CoverPoint] {
        POINTS
    }

    fn cover(&self) -> &[u64] {
        &self.cover
    }
}
