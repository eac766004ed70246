//! Golden model of `hca_throttle`, from `docs/hca-throttle.md`.
//!
//! Per-flow state is plain arrays. A step first works out everything from S(t), then writes; a stage that reads a RAM in
//! cycle t therefore sees the contents in S(t).

mod cover;
mod select;
mod state;
#[cfg(test)]
mod tests;
mod update;

use crate::model::stamps::{Ageing, Time};
use crate::model::turns::SLS;
use crate::model::util::{Read, err_clear};
use crate::model::{CoverPoint, Unit};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
pub use cover::cover_applies;
use cover::{Cover, POINTS};
pub use state::HcaThrottle;
use state::{
    BAD_ADDR, Config, Entity, In, Lti, Offer, Out, Select, SlTimer, State, TICK_MASK, Update, UpdatePipe,
    reset_registers,
};

impl HcaThrottle {
    /// A unit in reset state. `params` must be legal ([`Params::check`]).
    pub fn new(params: &Params) -> Self {
        let layout = Layout::new(UnitKind::HcaThrottle, params);
        let written = reset_registers(params.cct);
        let mut unit = HcaThrottle {
            p: *params,
            flows: params.flows,
            entities: params.entities(),
            vl_by_dest: params.vl_by_dest,
            init_cycles: params.init_cycles(UnitKind::HcaThrottle),
            i: In::new(&layout),
            o: Out::new(&layout),
            s: State::new(&layout),
            cfg: Config::new(&written, params.vl_by_dest),
            written,
            read: None,
            init_left: 0,
            time: Time::new(params.ts_w),
            tick_count: 0,
            tick: 0,
            attr: vec![0; params.flows],
            cct: vec![0; params.cct],
            ent: vec![Entity::default(); params.entities()],
            lti: vec![Lti::default(); params.entities()],
            sl_timers: [SlTimer::default(); SLS],
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

    /// CCTI_LIMIT in effect.
    fn limit(&self) -> u32 {
        self.cfg.limit.min(self.cct.len() as u32 - 1)
    }

    /// Section 1.
    fn advance_time(&mut self) {
        let wraps = self.time.advance();
        self.hit_if(wraps, Cover::h5_now_wraps);
        self.hit_if(self.tick_count >= self.cfg.tick_cycles, Cover::h4_tick_cycles_shrinks);
        if self.tick_count >= self.cfg.tick_cycles - 1 {
            self.tick_count = 0;
            self.tick = (self.tick + 1) & TICK_MASK;
            self.hit_if(self.tick == 0, Cover::h4_tick_wraps);
        } else {
            self.tick_count += 1;
        }
    }

    /// Writes to the tables; a read in the same cycle has already seen the old contents. Returns new errors.
    fn write_tables(&mut self, input: &[u32]) -> u32 {
        let mut errors = 0;
        if input[self.i.cct_we] & 1 != 0 {
            let addr = (input[self.i.cct_addr] & 0xffff) as usize;
            match self.cct.get_mut(addr) {
                Some(entry) => {
                    *entry = input[self.i.cct_data] & 0xffff;
                    self.hit(Cover::h6_cct_written);
                }
                None => {
                    errors |= BAD_ADDR;
                    self.hit(Cover::h6_bad_addr_cct);
                }
            }
        }
        if input[self.i.attr_we] & 1 != 0 {
            let flow = (input[self.i.attr_flow] & 0xffff) as usize;
            match self.attr.get_mut(flow) {
                Some(sl) => {
                    *sl = (input[self.i.attr_sl] & 0xf) as usize;
                    self.hit(Cover::h7_attr_written);
                }
                None => {
                    errors |= BAD_ADDR;
                    self.hit(Cover::h7_bad_addr_attr);
                }
            }
        }
        errors
    }

    /// Configuration writes, effective in the next cycle.
    fn configure(&mut self, input: &[u32]) {
        if input[self.i.cfg_we] & 1 == 0 {
            return;
        }
        let (addr, data) = (input[self.i.cfg_addr] & 0xff, input[self.i.cfg_data]);
        let old = self.cfg;
        self.written.write(addr, data);
        self.cfg = Config::new(&self.written, self.vl_by_dest);
        let new = self.cfg;
        match addr {
            0 => {
                self.hit_if(old.sl_mode != new.sl_mode, Cover::h7_sl_mode_switched);
                self.hit_if(data & 2 != 0 && !new.sl_mode, Cover::h7_sl_mode_ignored);
                self.hit_if(old.timer_per_sl != new.timer_per_sl, Cover::h4_timer_mode_switched);
                self.hit_if(old.cct_abs != new.cct_abs, Cover::h6_format_switched);
                self.hit_if(old.enable && !new.enable, Cover::h5_switched_off);
            }
            2 => self.hit_if(new.limit as usize >= self.cct.len(), Cover::h3_limit_beyond_table),
            5 => self.hit_if(data & 0xffff == 0, Cover::h4_tick_cycles_0_is_1),
            6 => self.hit_if(data & 0xf == 0, Cover::h6_link_interval_0_is_1),
            _ => {} // 10 is ERR_CLEAR, see `update_errors`
        }
    }

    /// C1: what stands under a number.
    fn register(&self, number: u32) -> Read {
        match number {
            10 => Read::Errors(self.err),
            _ => self.written.get(number).map_or(Read::None, Read::Register),
        }
    }

    /// C1: what this cycle reads.
    fn read(&mut self, input: &[u32]) -> Option<u32> {
        if input[self.i.cfg_re] & 1 == 0 {
            return None;
        }
        let (we, addr) = (input[self.i.cfg_we] & 1 != 0, input[self.i.cfg_addr] & 0xff);
        let read = self.register(addr);
        let register = matches!(read, Read::Register(_));
        self.hit_if(register, Cover::c1_read);
        self.hit_if(register && we, Cover::c1_read_and_write);
        self.hit_if(matches!(read, Read::Errors(_)), Cover::c1_read_errors);
        self.hit_if(matches!(read, Read::Errors(e) if e != 0), Cover::c1_read_error);
        self.hit_if(read == Read::None, Cover::c1_read_none);
        let value = read.value();
        let acts_otherwise = addr == 0 && value & 2 != 0 && self.vl_by_dest
            || addr == 2 && value as usize >= self.cct.len()
            || matches!(addr, 5 | 6) && value == 0;
        self.hit_if(acts_otherwise, Cover::c1_read_as_written);
        Some(value)
    }

    /// Sticky errors: set wins over a clear in the same cycle.
    fn update_errors(&mut self, input: &[u32], new: u32) {
        let clear = err_clear(input[self.i.cfg_we], input[self.i.cfg_addr], input[self.i.cfg_data]);
        self.hit_if(self.err & clear & !new != 0, Cover::h3_error_cleared);
        self.hit_if(new & clear != 0, Cover::h3_error_set_wins);
        self.err = (self.err & !clear) | new;
    }
}

impl Unit for HcaThrottle {
    fn is_moore(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.written = reset_registers(self.cct.len());
        self.cfg = Config::new(&self.written, self.vl_by_dest);
        self.read = None;
        self.init_left = self.init_cycles;
        self.time = Time::new(self.p.ts_w);
        self.tick_count = 0;
        self.tick = 0;
        // What the initialising sweep leaves behind.
        self.attr.fill(0);
        self.cct.fill(0);
        self.ent.fill(Entity::default());
        self.lti.fill(Lti::default());
        self.sl_timers = [SlTimer::default(); SLS];
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
        if let Some(Offer { pick, .. }) = self.select.offer {
            out[o.inj_valid] = 1;
            out[o.inj_flow] = pick.flow as u32;
            out[o.inj_sl] = pick.sl as u32;
        }
        self.show_blocked(&mut out[o.blocked..]);
        out[o.err] = self.err;
        out[o.cfg_rvalid] = u32::from(self.read.is_some());
        out[o.cfg_rdata] = self.read.unwrap_or(0);
    }

    fn state(&self, state: &mut [u32]) {
        state.fill(0);
        let s = &self.s;
        state[s.st_now] = self.time.now;
        state[s.st_tick] = self.tick;
        let select = &self.select;
        let turns = &select.turns;
        state[s.st_vp] = turns.lane as u32;
        state[s.st_went..s.st_went + turns.went.len()].copy_from_slice(&turns.went);
        for (at, pointers) in [(s.st_sp, &turns.sls), (s.st_fp, &turns.flows)] {
            state[at..].iter_mut().zip(pointers).for_each(|(to, p)| *to = *p as u32);
        }
        state[s.st_wk] = select.walk as u32;
        state[s.st_blk..s.st_blk + select.blocked.len()].copy_from_slice(&select.blocked);
        state[s.st_snd] = u32::from(select.is_sending());
        state[s.st_rs] = self.pipe.resync as u32;
        for (k, timer) in self.sl_timers.iter().enumerate() {
            state[s.st_sl_run + k] = u32::from(timer.run);
            state[s.st_sl_t0 + k] = timer.t0;
            state[s.st_sl_steps + k] = timer.steps;
            state[s.st_sl_act + k] = u32::from(timer.act);
        }
        if let Some(Update { entity, new, .. }) = self.update() {
            state[s.st_ent_we] = 1;
            state[s.st_ent_addr] = entity as u32;
            state[s.st_ent_ccti] = new.ccti;
            state[s.st_ent_run] = u32::from(new.run);
            state[s.st_ent_t0] = new.t0;
            state[s.st_ent_seen] = new.seen;
            state[s.st_ent_esl] = new.esl as u32;
        }
        if let Some((entity, lti)) = self.lti_written {
            state[s.st_lti_we] = 1;
            state[s.st_lti_addr] = entity as u32;
            state[s.st_lti_valid] = u32::from(lti.valid);
            state[s.st_lti] = lti.at;
            state[s.st_lti_len] = lti.len;
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
        let sent = self.step_select(input, &mut errors);
        let aged = self.step_ageing(sent.is_some());
        errors |= self.step_pipe(input, update.as_ref());
        // ... and the writes.
        if let Some(update) = update {
            self.ent[update.entity] = update.new;
        }
        self.lti_written = sent.or(aged);
        if let Some((entity, lti)) = self.lti_written {
            self.lti[entity] = lti;
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
