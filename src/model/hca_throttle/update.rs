//! BECNs and timers (rules H3, H4, H7): section 2 of the page.

use super::cover::Cover;
use super::state::{BAD_ADDR, Cause, Entity, HcaThrottle, Located, Op, TICK_MASK, Update};
use crate::model::turns::SLS;
use crate::scheme::response::{lowered, periods_over, raised};

/// Steps of an SL's timer are modulo 2^14.
pub(super) const STEPS_MASK: u32 = 0x3fff;

impl HcaThrottle {
    /// CCTI_MIN in effect.
    fn min(&self) -> u32 {
        self.cfg.min.min(self.limit())
    }

    /// `ccti` after `n` steps towards CCTI_MIN; one below it is lifted.
    fn stepped(&self, ccti: u32, n: u32) -> u32 {
        lowered(ccti, n, self.min())
    }

    /// Steps of its SL's timer that an entity has not taken yet.
    fn steps_due(&self, e: &Entity) -> u32 {
        if !self.cfg.timer_per_sl || self.pipe.resync > 0 {
            return 0;
        }
        self.sl_timers[e.esl].steps.wrapping_sub(e.seen) & STEPS_MASK
    }

    /// CCTI after catching up with the SL's timer.
    pub(super) fn caught_up(&self, e: &Entity) -> u32 {
        match self.steps_due(e) {
            0 => e.ccti,
            due => self.stepped(e.ccti, due),
        }
    }

    fn ticks_since(&self, t0: u32) -> u32 {
        self.tick.wrapping_sub(t0) & TICK_MASK
    }

    /// Steps that an expiry of a flow's own timer makes now.
    fn periods_over(&self, e: &Entity) -> u32 {
        let period = self.cfg.timer;
        if !e.run || self.pipe.resync > 0 || period == 0 {
            return 0;
        }
        periods_over(self.ticks_since(e.t0), period)
    }

    /// Stage U2, from S(t) alone.
    pub(super) fn update(&self) -> Option<Update> {
        let Located { op: Op { kind, .. }, entity, sl_mode } = self.pipe.u2.filter(|_| self.cfg.enable)?;
        let entity = entity?;
        let cfg = &self.cfg;
        let sl = if sl_mode { entity } else { self.attr[entity] };
        let raised = |ccti: u32| raised(ccti, cfg.increase, self.limit());
        let mut e = self.ent[entity];
        if cfg.timer_per_sl {
            e.ccti = self.caught_up(&e);
            e.seen = self.sl_timers[sl].steps;
            e.esl = sl;
            let uses = match kind {
                Cause::Becn => {
                    e.ccti = raised(e.ccti);
                    true
                }
                Cause::Sweep => e.ccti != self.min(),
            };
            return Some(Update { entity, new: e, kind, sl, uses });
        }
        let over = self.periods_over(&e);
        if over > 0 {
            e.ccti = self.stepped(e.ccti, over);
            e.t0 = e.t0.wrapping_add(over * cfg.timer) & TICK_MASK;
            e.run = e.ccti != self.min();
        }
        if e.run && self.pipe.resync > 0 {
            e.t0 = self.tick;
        }
        let starts = match kind {
            Cause::Sweep => !e.run && e.ccti != self.min(),
            Cause::Becn => {
                e.ccti = raised(e.ccti);
                !e.run || cfg.restart
            }
        };
        if starts {
            e.run = true;
            e.t0 = self.tick;
        }
        Some(Update { entity, new: e, kind, sl, uses: false })
    }

    /// A write to CTRL, CCTI_TIMER or TICK_CYCLES: all periods are counted anew.
    fn retimes(&self, input: &[u32]) -> bool {
        input[self.i.cfg_we] & 1 != 0 && matches!(input[self.i.cfg_addr] & 0xff, 0 | 4 | 5)
    }

    /// Moves the pipeline and the timers per SL on by a cycle. Returns new errors.
    pub(super) fn step_pipe(&mut self, input: &[u32], update: Option<&Update>) -> u32 {
        self.cover_update(update);
        let retime = self.retimes(input);
        let swept = self.pipe.u2.filter(|l| l.op.kind == Cause::Sweep);
        let end = swept.is_some_and(|l| l.op.flow == self.entities - 1);
        self.step_sl_timers(update, retime, end);
        if retime {
            // What is in U1 found its entity, or none, in the mode before: it does not count.
            self.pipe.resync = self.entities + 1;
            self.hit(Cover::h4_retime);
        } else if swept.is_some() {
            self.pipe.resync = self.pipe.resync.saturating_sub(1);
        }
        self.pipe.past = [update.map(|u| (u.entity, u.kind)), self.pipe.past[0]];

        // U1
        let u1 = self.pipe.u1;
        self.pipe.u2 = u1.map(|op| self.locate(op));

        // U0
        let mut errors = 0;
        let mut becn = None;
        if input[self.i.becn_valid] & 1 != 0 {
            let flow = (input[self.i.becn_flow] & 0xffff) as usize;
            if flow < self.flows {
                becn = Some(Op { kind: Cause::Becn, flow });
            } else {
                errors = BAD_ADDR;
                self.hit(Cover::h3_bad_addr_becn);
            }
        }
        self.pipe.u1 = Some(becn.unwrap_or_else(|| {
            let flow = self.pipe.sweep;
            self.pipe.sweep = (flow + 1) % self.entities;
            Op { kind: Cause::Sweep, flow }
        }));
        errors
    }

    /// Stage U1: the entity of an operation (H7).
    fn locate(&mut self, op: Op) -> Located {
        let sl_mode = self.cfg.sl_mode;
        let entity = match (sl_mode, op.kind) {
            (false, Cause::Becn) => Some(op.flow),
            (true, Cause::Becn) => Some(self.attr[op.flow]),
            (false, Cause::Sweep) => {
                self.hit_if(op.flow >= self.flows, Cover::h4_sweep_beyond_flows);
                (op.flow < self.flows).then_some(op.flow)
            }
            (true, Cause::Sweep) => {
                self.hit_if(op.flow >= SLS, Cover::h7_sweep_beyond_sls);
                (op.flow < SLS).then_some(op.flow)
            }
        };
        Located { op, entity, sl_mode }
    }

    /// H4: the timers per SL. `end`: the last operation of a sweep is in U2.
    fn step_sl_timers(&mut self, update: Option<&Update>, retime: bool, end: bool) {
        let (tick, cfg) = (self.tick, self.cfg);
        let on = cfg.enable && cfg.timer_per_sl;
        if !on && !retime && update.is_none() {
            return; // no timer moves
        }
        for sl in 0..SLS {
            let used = update.filter(|u| u.uses && u.sl == sl).map(|u| u.kind);
            let old = self.sl_timers[sl];
            let mut t = old;
            let over = on && old.run && cfg.timer > 0 && self.ticks_since(old.t0) >= cfg.timer;
            let expires = over && !retime;
            self.hit_if(over && retime, Cover::h4_retime_hides_step);
            if expires {
                t.steps = (t.steps + 1) & STEPS_MASK;
                t.t0 = (t.t0 + cfg.timer) & TICK_MASK;
                self.hit(Cover::h4_sl_step);
            }
            if let Some(kind) = used {
                let restarts = kind == Cause::Becn && cfg.restart;
                if !old.run || restarts {
                    t.run = true;
                    t.t0 = tick;
                }
                self.cover_use(kind, old.run, expires, end && !old.act);
            }
            if end && on {
                if !old.act && used.is_none() {
                    t.run = false;
                    self.hit_if(old.run, Cover::h4_sl_idle);
                    self.hit_if(old.run && expires, Cover::h4_sl_idle_with_step);
                }
                t.act = used.is_some();
            } else if used.is_some() {
                t.act = true;
            }
            if retime {
                t.t0 = tick;
            }
            self.sl_timers[sl] = t;
        }
    }

    /// A use of an SL's timer: it ran, it makes a step, the sweep would have stopped it in this cycle.
    fn cover_use(&mut self, kind: Cause, ran: bool, expires: bool, saved: bool) {
        let restart = self.cfg.restart;
        if kind == Cause::Sweep {
            self.hit(if ran { Cover::h4_sl_sweep_uses } else { Cover::h4_sl_sweep_starts });
            self.hit_if(expires, Cover::h4_sl_sweep_with_step);
            self.hit_if(saved, Cover::h4_sl_used_at_end);
            return;
        }
        self.hit(match (ran, restart) {
            (false, _) => Cover::h4_sl_starts,
            (true, true) => Cover::h3_sl_restarts,
            (true, false) => Cover::h3_sl_runs_on,
        });
        self.hit_if(expires && restart, Cover::h4_sl_restart_with_step);
        self.hit_if(expires && !restart, Cover::h4_sl_becn_with_step);
    }

    fn cover_update(&mut self, update: Option<&Update>) {
        self.hit_if(self.pipe.u2.is_some() && !self.cfg.enable, Cover::h3_disabled);
        let Some(u) = update else { return };
        let (cfg, old, min, limit) = (self.cfg, self.ent[u.entity], self.min(), self.limit());
        self.hit_if(cfg.min > limit, Cover::h4_min_above_limit);
        let mut before = old.ccti;
        if cfg.timer_per_sl {
            let due = self.steps_due(&old);
            before = self.caught_up(&old);
            if due > 0 && old.ccti > min {
                self.hit(Cover::h4_catch_up);
                self.hit_if(due > 1, Cover::h4_catch_up_several);
                self.hit_if(self.sl_timers[old.esl].steps < old.seen, Cover::h4_catch_up_wraps);
                self.hit_if(old.ccti < min + due, Cover::h4_catch_up_stops_at_min);
                self.hit_if(old.esl != u.sl, Cover::h4_catch_up_old_sl);
            }
            self.hit_if(due > 0 && old.ccti < min, Cover::h4_catch_up_lifts);
            let missed = self.sl_timers[old.esl].steps != old.seen;
            self.hit_if(missed && self.pipe.resync > 0, Cover::h4_steps_dropped);
        } else {
            let over = self.periods_over(&old);
            if over > 0 {
                before = self.stepped(old.ccti, over);
                self.hit(Cover::h4_flow_expiry);
                self.hit_if(over > 1, Cover::h4_flow_expiry_several);
                self.hit_if(over == 128, Cover::h4_flow_expiry_most);
                self.hit_if(before == min && u.kind == Cause::Sweep, Cover::h4_stops_at_min);
                self.hit_if(old.ccti < min, Cover::h4_lifted_to_min);
                self.hit_if(cfg.sl_mode, Cover::h7_expiry_per_sl);
                self.hit_if(self.tick < old.t0, Cover::h4_expiry_across_tick_wrap);
                self.hit_if(u.kind == Cause::Becn, Cover::h3_becn_after_expiry);
            }
            self.hit_if(old.run && self.pipe.resync > 0, Cover::h4_resync);
            self.hit_if(old.run && cfg.timer == 0 && old.ccti > min, Cover::h4_timer_0_never_decays);
            let starts = u.kind == Cause::Sweep && !old.run && u.new.run;
            self.hit_if(starts, Cover::h4_sweep_starts_timer);
        }
        if u.kind == Cause::Becn {
            self.hit(Cover::h3_becn);
            self.hit_if(before == limit, Cover::h3_becn_at_limit);
            self.hit_if(before > limit, Cover::h3_limit_lowered);
            self.hit_if(before < min && cfg.increase > 0, Cover::h3_becn_below_min);
            self.hit_if(cfg.sl_mode, Cover::h7_becn_per_sl);
            if !cfg.timer_per_sl {
                self.hit(match (old.run, cfg.restart) {
                    (false, _) => Cover::h3_timer_starts,
                    (true, true) => Cover::h3_timer_restarts,
                    (true, false) => Cover::h3_timer_runs_on,
                });
            }
        }
        let [one, two] = self.pipe.past;
        let same = |past: Option<(usize, Cause)>, kind| past == Some((u.entity, kind));
        if u.kind == Cause::Becn {
            self.hit_if(same(one, Cause::Becn), Cover::h3_becns_1_apart);
            self.hit_if(same(two, Cause::Becn), Cover::h3_becns_2_apart);
            self.hit_if(same(one, Cause::Sweep) || same(two, Cause::Sweep), Cover::h3_becn_after_sweep);
        } else {
            self.hit_if(same(one, Cause::Becn) || same(two, Cause::Becn), Cover::h3_sweep_after_becn);
        }
    }
}
