//! Golden model of `worm_router`, from `docs/worm-router.md`.
//!
//! State is plain structs: the lanes of the inputs, the outputs, an order of lanes at either. A step first works out everything from
//! S(t), then writes.

mod admission;
mod allocation;
mod arrival;
mod awake;
mod config;
mod cover;
mod crossbar;
mod lanes;
mod met;
mod pins;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod written;

use crate::model::worm::order::Order;
use crate::model::worm::wires::scatter;
use crate::model::{CoverPoint, Unit};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use admission::held::Admission;
pub use cover::cover_applies;
use cover::{Cover, POINTS};
pub use state::WormRouter;
use state::{In, Out, Past, State};
use written::Written;

impl WormRouter {
    /// A unit in reset state. `params` must be legal for it ([`Params::check_unit`]).
    pub fn new(params: &Params) -> Self {
        let layout = Layout::new(UnitKind::WormRouter, params);
        let mut unit = WormRouter {
            p: *params,
            i: In::new(&layout),
            o: Out::new(&layout),
            s: State::new(&layout),
            written: Written::new(params),
            read: None,
            errors: Vec::new(),
            init_left: 0,
            table: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            adm: Admission::new(params.ports, params.vls),
            watched: true,
            cover: vec![0; POINTS.len()],
            past: Past::default(),
        };
        unit.clear();
        unit
    }

    fn hit(&mut self, point: Cover) {
        self.hit_if(true, point);
    }

    fn hit_if(&mut self, happened: bool, point: Cover) {
        if self.watched {
            self.cover[point as usize] += u64::from(happened);
        }
    }

    /// The order of the lanes of port `p`, at its place and flits left.
    fn show_order(&self, state: &mut [u32], p: usize, order: &Order, place: usize, left: usize) {
        let at = p * self.p.vls;
        for (v, n) in order.places() {
            state[place + at + v] = n;
            state[left + at + v] = order.left[v];
        }
    }

    fn show_input(&self, state: &mut [u32], i: usize) {
        let (s, input) = (&self.s, &self.inputs[i]);
        for (v, lane) in input.lanes.iter().enumerate() {
            let at = i * self.p.vls + v;
            state[s.st_level + at] = lane.fifo.len() as u32;
            state[s.st_open + at] = u32::from(lane.open);
            state[s.st_drain + at] = u32::from(lane.drain);
            state[s.st_cut + at] = u32::from(lane.cut);
            state[s.st_owed + at] = lane.owed as u32;
            let (out, vl) = lane.own.unwrap_or((0, 0));
            state[s.st_own + at] = u32::from(lane.own.is_some());
            state[s.st_own_out + at] = out as u32;
            state[s.st_own_vl + at] = vl as u32;
        }
        self.show_order(state, i, &input.order, s.st_place_in, s.st_left_in);
        state[s.st_guard_in + i] = input.guard;
        state[s.st_cnt_drop + i] = input.dropped;
    }

    fn show_output(&self, state: &mut [u32], o: usize) {
        let (s, output) = (&self.s, &self.outputs[o]);
        for v in self.lanes() {
            let at = o * self.p.vls + v;
            state[s.st_owned + at] = output.owned >> v & 1;
            state[s.st_cr + at] = output.credits[v] as u32;
            state[s.st_ptr_lane + at] = output.pointers.lane[v] as u32;
        }
        self.show_order(state, o, &output.order, s.st_place_out, s.st_left_out);
        state[s.st_guard_out + o] = output.guard;
        state[s.st_ptr_group + o] = output.pointers.group as u32;
        state[s.st_ptr_be + o] = output.pointers.best_effort as u32;
        state[s.st_lfsr + o] = output.lfsr;
        state[s.st_cnt_flits + o] = output.flits;
        state[s.st_cnt_msgs + o] = output.messages;
    }
}

impl Unit for WormRouter {
    fn is_moore(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.clear();
    }

    fn outputs(&self, _input: &[u32], out: &mut [u32]) {
        out.fill(0);
        if self.init_left > 0 {
            return;
        }
        let o = &self.o;
        out[o.ready] = 1;
        for p in self.ports() {
            if let Some(sent) = self.outputs[p].sent {
                out[o.tx_valid + p] = 1;
                out[o.tx_vl + p] = sent.lane as u32;
                out[o.tx_first + p] = u32::from(sent.flit.first);
                out[o.tx_last + p] = u32::from(sent.flit.last);
                out[o.tx_bad + p] = u32::from(sent.flit.bad);
                out[o.tx_data + 4 * p..][..4].copy_from_slice(&sent.flit.data);
            }
            let (at, lanes) = (p * self.p.vls, self.p.vls);
            scatter(self.inputs[p].pulses, &mut out[o.tx_credit + at..][..lanes]);
            scatter(self.outputs[p].owned, &mut out[o.lane_owned + at..][..lanes]);
            scatter(self.full(p), &mut out[o.lane_full + at..][..lanes]);
            out[o.err + p] = self.errors[p];
        }
        out[o.cfg_rvalid] = u32::from(self.read.is_some());
        out[o.cfg_rdata] = self.read.unwrap_or(0);
    }

    fn state(&self, state: &mut [u32]) {
        state.fill(0);
        for p in self.ports() {
            self.show_input(state, p);
            self.show_output(state, p);
        }
        self.show_admission(state);
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
