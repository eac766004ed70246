//! Golden model of `source_response`, from `docs/source-response.md`.
//!
//! Per-flow state is plain arrays. A step first works out everything from S(t), then writes; a stage that reads a RAM in
//! cycle t therefore sees the contents in S(t).

mod config;
mod cover;
mod ports;
mod select;
mod state;
#[cfg(test)]
mod tests;
mod update;

use crate::model::stamps::{Ageing, Time};
use crate::model::{CoverPoint, Unit};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use config::{Config, reset_registers};
pub use cover::cover_applies;
use cover::{Cover, POINTS};
pub use state::SourceResponse;
use state::{In, Lti, Out, Select, State, Update, UpdatePipe, WAITS, Word};

use super::util::set_bit;

impl SourceResponse {
    /// A unit in reset state. `params` must be legal ([`Params::check`]).
    pub fn new(params: &Params) -> Self {
        let layout = Layout::new(UnitKind::SourceResponse, params);
        let written = reset_registers();
        let mut unit = SourceResponse {
            p: *params,
            flows: params.flows,
            init_cycles: params.init_cycles(UnitKind::SourceResponse),
            i: In::new(&layout),
            o: Out::new(&layout),
            s: State::new(&layout),
            cfg: Config::new(&written),
            written,
            read: None,
            init_left: 0,
            time: Time::new(params.ts_w),
            attr: vec![0; params.flows],
            out: vec![0; params.flows.div_ceil(32)],
            adj: vec![0; params.flows.div_ceil(32)],
            rsp: vec![Word::default(); params.flows],
            lti: vec![Lti::default(); params.flows],
            waits: [0; WAITS],
            pipe: UpdatePipe::default(),
            select: Select::new(params),
            ageing: Ageing::default(),
            lti_written: None,
            err: 0,
            cover: vec![0; POINTS.len()],
        };
        unit.reset();
        unit
    }

    fn hit(&mut self, point: Cover) {
        self.cover[point as usize] += 1;
    }

    fn hit_if(&mut self, happened: bool, point: Cover) {
        self.cover[point as usize] += u64::from(happened);
    }

    fn advance_time(&mut self) {
        let wraps = self.time.advance();
        self.hit_if(wraps, Cover::h5_now_wraps);
    }
}

impl Unit for SourceResponse {
    fn is_moore(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.written = reset_registers();
        self.cfg = Config::new(&self.written);
        self.read = None;
        self.init_left = self.init_cycles;
        self.time = Time::new(self.p.ts_w);
        self.attr.fill(0);
        self.out.fill(0);
        self.adj.fill(0);
        // What the initialising sweep leaves behind.
        self.rsp.fill(Word::default());
        self.lti.fill(Lti::default());
        self.waits.fill(0);
        self.pipe = UpdatePipe::default();
        self.select = Select::new(&self.p);
        self.ageing = Ageing::default();
        self.lti_written = None;
        self.err = 0;
    }

    fn outputs(&self, _input: &[u32], out: &mut [u32]) {
        out.fill(0);
        let o = &self.o;
        out[o.ready] = u32::from(self.init_left == 0);
        if let Some(pick) = self.select.offer {
            out[o.inj_valid] = 1;
            out[o.inj_flow] = pick.flow as u32;
            out[o.inj_sl] = pick.sl as u32;
        }
        if self.cfg.enable {
            let blocked = &self.select.blocked;
            out[o.blocked..o.blocked + blocked.len()].copy_from_slice(blocked);
        }
        out[o.err] = self.err;
        out[o.cfg_rvalid] = u32::from(self.read.is_some());
        out[o.cfg_rdata] = self.read.unwrap_or(0);
    }

    fn state(&self, state: &mut [u32]) {
        state.fill(0);
        let s = &self.s;
        state[s.st_now] = self.time.now;
        let turns = &self.select.turns;
        state[s.st_vp] = turns.lane as u32;
        for (at, pointers) in [(s.st_sp, &turns.sls), (s.st_fp, &turns.flows)] {
            state[at..].iter_mut().zip(pointers).for_each(|(to, p)| *to = *p as u32);
        }
        state[s.st_wk] = self.select.walk as u32;
        let sets = [
            (s.st_went, &turns.went),
            (s.st_blk, &self.select.blocked),
            (s.st_out, &self.out),
            (s.st_adj, &self.adj),
        ];
        for (at, set) in sets {
            state[at..at + set.len()].copy_from_slice(set);
        }
        state[s.st_snd] = u32::from(self.select.sending.is_some());
        if let Some(Update { op, new: Some(word), .. }) = self.update() {
            let made = word.made.0;
            state[s.st_rsp_we] = 1;
            state[s.st_rsp_addr] = op.flow as u32;
            state[s.st_rsp_acked] = word.acked;
            state[s.st_rsp_win] = made.window;
            state[s.st_rsp_x] = made.x as u32;
            state[s.st_rsp_x + 1] = (made.x >> 32) as u32;
            state[s.st_rsp_j] = made.slots;
            state[s.st_rsp_av] = u32::from(word.last_ack.is_some());
            state[s.st_rsp_at] = word.last_ack.unwrap_or(0);
        }
        if let Some((flow, lti)) = self.lti_written {
            state[s.st_lti_we] = 1;
            state[s.st_lti_addr] = flow as u32;
            state[s.st_lti_valid] = u32::from(lti.valid);
            state[s.st_lti] = lti.at;
            state[s.st_lti_len] = lti.len;
            state[s.st_lti_taken] = lti.taken;
        }
    }

    fn step(&mut self, input: &[u32]) {
        if self.init_left > 0 {
            self.init_left -= 1;
            return;
        }
        self.read = self.read(input);
        let mut errors = 0;
        // From S(t): what is written at the end of the cycle ...
        let update = self.update();
        let accepted = self.accepted(input);
        self.cover_update(update.as_ref(), accepted);
        let op = self.next_op(input, &mut errors);
        let fresh = self.post(input, &mut errors);
        let sent = self.step_select(input, &mut errors);
        let aged = self.step_ageing(sent.is_some());
        // ... and the writes.
        if let Some(update) = update {
            errors |= self.write_update(&update, accepted);
        }
        if let Some(flow) = fresh {
            set_bit(&mut self.adj, flow, false);
        }
        (self.pipe.u1, self.pipe.u2) = (Some(op), self.pipe.u1);
        self.lti_written = sent.or(aged);
        if let Some((flow, lti)) = self.lti_written {
            self.lti[flow] = lti;
        }
        errors |= self.write_tables(input);
        self.advance_time();
        self.update_errors(input, errors);
        self.configure(input);
    }

    fn cover_points(&self) -> &'static [CoverPoint] {
        POINTS
    }

    fn cover(&self) -> &[u64] {
        &self.cover
    }
}
