//! BECNs and timers (rules H3, H4, H7): section 2 of the page.

use super::{BAD_ADDR, Cover, HcaThrottle, SLS, TICK_MASK};

/// Congestion state of a flow or SL.
#[derive(Clone, Copy, Default)]
pub(super) struct Entity {
    pub(super) ccti: u32,
    /// Timer of its own, if timers are per flow.
    pub(super) run: bool,
    pub(super) t0: u32,
    /// Steps of the SL's timer already taken, if timers are per SL.
    pub(super) seen: u32,
}

/// H4: the timer that steps all flows of an SL.
#[derive(Clone, Copy, Default)]
pub(super) struct SlTimer {
    pub(super) run: bool,
    pub(super) t0: u32,
    pub(super) steps: u32,
    /// There was something to decay, or a BECN, since the last step.
    pub(super) act: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Sweep,
    Becn,
}

/// An operation between U0 and U1: `sl` is the BECN's, or the flow's as read in U0.
#[derive(Clone, Copy)]
struct Op {
    kind: Kind,
    flow: usize,
    sl: usize,
}

/// An operation between U1 and U2. The entity is read in U2: every earlier operation has been written by then, which is
/// what forwarding is for.
#[derive(Clone, Copy)]
struct Located {
    kind: Kind,
    entity: usize,
    sl: usize,
}

/// Registers of the update pipeline.
#[derive(Default)]
pub(super) struct UpdatePipe {
    sweep: usize,
    u1: Option<Op>,
    u2: Option<Located>,
    /// Entities written in the last two cycles, latest first (coverage only).
    past: [Option<(usize, Kind)>; 2],
}

/// What stage U2 writes in this cycle.
pub(super) struct Update {
    pub(super) entity: usize,
    pub(super) new: Entity,
    kind: Kind,
    sl: usize,
}

impl HcaThrottle {
    /// Steps of the SL's timer that an entity has not taken yet.
    fn steps_due(&self, seen: u32, sl: usize) -> u32 {
        self.sl_timers[sl].steps.wrapping_sub(seen) & 0xff
    }

    /// CCTI after catching up with the SL's timer.
    pub(super) fn caught_up(&self, ccti: u32, seen: u32, sl: usize) -> u32 {
        if self.cfg.timer_per_sl && ccti > self.cfg.min {
            ccti.saturating_sub(self.steps_due(seen, sl)).max(self.cfg.min)
        } else {
            ccti
        }
    }

    fn ticks_since(&self, t0: u32) -> u32 {
        self.tick.wrapping_sub(t0) & TICK_MASK
    }

    /// A timer started at `t0` has run out.
    fn due(&self, t0: u32) -> bool {
        self.cfg.timer > 0 && self.ticks_since(t0) >= self.cfg.timer
    }

    /// Stage U2, from S(t) alone.
    pub(super) fn update(&self) -> Option<Update> {
        let Located { kind, entity, sl } = self.pipe.u2.filter(|_| self.cfg.enable)?;
        let cfg = &self.cfg;
        let mut e = self.ent[entity];
        e.ccti = self.caught_up(e.ccti, e.seen, sl);
        if cfg.timer_per_sl {
            e.seen = self.sl_timers[sl].steps;
        }
        match kind {
            Kind::Becn => {
                // H3
                e.ccti = (e.ccti + cfg.increase).min(self.limit());
                if !cfg.timer_per_sl && (!e.run || cfg.restart) {
                    e.run = true;
                    e.t0 = self.tick;
                }
            }
            Kind::Sweep => {
                // H4
                if !cfg.timer_per_sl && e.run && self.due(e.t0) {
                    e.ccti = e.ccti.saturating_sub(1).max(cfg.min);
                    if e.ccti <= cfg.min {
                        e.run = false;
                    } else {
                        e.t0 = (e.t0 + cfg.timer) & TICK_MASK;
                    }
                }
            }
        }
        Some(Update { entity, new: e, kind, sl })
    }

    /// Moves the pipeline on by a cycle. Returns new errors.
    pub(super) fn step_pipe(&mut self, input: &[u32], update: Option<&Update>) -> u32 {
        self.cover_update(update);
        self.pipe.past = [update.map(|u| (u.entity, u.kind)), self.pipe.past[0]];

        // U1
        let u1 = self.pipe.u1;
        self.pipe.u2 = u1.and_then(|op| self.locate(op));

        // U0
        let mut errors = 0;
        let mut becn = None;
        if input[self.i.becn_valid] & 1 != 0 {
            let flow = (input[self.i.becn_flow] & 0xffff) as usize;
            if flow < self.flows {
                let sl = (input[self.i.becn_sl] & 0xf) as usize;
                becn = Some(Op { kind: Kind::Becn, flow, sl });
            } else {
                errors = BAD_ADDR;
                self.hit(Cover::h3_bad_addr_becn);
            }
        }
        self.pipe.u1 = Some(becn.unwrap_or_else(|| {
            let flow = self.pipe.sweep;
            self.pipe.sweep = (flow + 1) % self.entities;
            let sl = self.attr.get(flow).copied().unwrap_or(flow % SLS);
            Op { kind: Kind::Sweep, flow, sl }
        }));
        errors
    }

    /// Stage U1: the entity and SL of an operation (H7).
    fn locate(&mut self, op: Op) -> Option<Located> {
        let Op { kind, flow, sl } = op;
        match (self.cfg.sl_mode, kind) {
            (false, Kind::Becn) => Some(Located { kind, entity: flow, sl }),
            (true, Kind::Becn) => Some(Located { kind, entity: sl, sl }),
            (false, Kind::Sweep) => {
                self.hit_if(flow >= self.flows, Cover::h4_sweep_beyond_flows);
                (flow < self.flows).then_some(Located { kind, entity: flow, sl })
            }
            (true, Kind::Sweep) => {
                self.hit_if(flow >= SLS, Cover::h7_sweep_beyond_sls);
                (flow < SLS).then_some(Located { kind, entity: flow, sl: flow })
            }
        }
    }

    /// H4: the timers per SL.
    pub(super) fn step_sl_timers(&mut self, update: Option<&Update>) {
        if !self.cfg.timer_per_sl {
            return;
        }
        let (tick, period, restart) = (self.tick, self.cfg.timer, self.cfg.restart);
        for sl in 0..SLS {
            let here = update.filter(|u| u.sl == sl);
            let becn = here.is_some_and(|u| u.kind == Kind::Becn);
            let sweep_acts = here.is_some_and(|u| u.kind == Kind::Sweep && u.new.ccti > self.cfg.min);
            let mut t = self.sl_timers[sl];
            let expires = self.cfg.enable && t.run && self.due(t.t0);
            if !expires && !becn && !sweep_acts {
                continue;
            }
            let acted = t.act;
            if expires && !(becn && restart) {
                if acted {
                    t.steps = (t.steps + 1) & 0xff;
                    t.t0 = (t.t0 + period) & TICK_MASK;
                    t.act = false;
                    self.hit(Cover::h4_sl_step);
                } else {
                    t.run = false;
                    self.hit(Cover::h4_sl_idle);
                }
            }
            if becn {
                self.hit_if(expires && restart, Cover::h4_sl_becn_beats_expiry);
                self.hit_if(expires && !restart && acted, Cover::h4_sl_becn_with_step);
                self.hit_if(expires && !restart && !acted, Cover::h4_sl_becn_revives);
                self.hit_if(!expires && !t.run, Cover::h4_sl_starts);
                self.hit_if(!expires && t.run && restart, Cover::h3_sl_restarts);
                self.hit_if(!expires && t.run && !restart, Cover::h3_sl_runs_on);
                if !t.run || restart {
                    t.run = true;
                    t.t0 = tick;
                }
                t.act = true;
            }
            if sweep_acts {
                self.hit_if(expires && acted, Cover::h4_sl_sweep_with_step);
                self.hit_if(!acted, Cover::h4_sl_sweep_acts);
                t.act = true;
            }
            self.sl_timers[sl] = t;
        }
    }

    fn cover_update(&mut self, update: Option<&Update>) {
        self.hit_if(self.pipe.u2.is_some() && update.is_none(), Cover::h3_disabled);
        let Some(u) = update else { return };
        let (cfg, old) = (self.cfg, self.ent[u.entity]);
        if cfg.timer_per_sl {
            let due = self.steps_due(old.seen, u.sl);
            if due > 0 && old.ccti > cfg.min {
                self.hit(Cover::h4_catch_up);
                self.hit_if(due > 1, Cover::h4_catch_up_several);
                self.hit_if(self.sl_timers[u.sl].steps < old.seen, Cover::h4_catch_up_wraps);
                self.hit_if(old.ccti < cfg.min + due, Cover::h4_catch_up_stops_at_min);
            }
        }
        let before = self.caught_up(old.ccti, old.seen, u.sl);
        match u.kind {
            Kind::Becn => {
                self.hit(Cover::h3_becn);
                self.hit_if(before == self.limit(), Cover::h3_becn_at_limit);
                self.hit_if(before > self.limit(), Cover::h3_limit_lowered);
                self.hit_if(before < cfg.min && cfg.increase > 0, Cover::h3_becn_below_min);
                self.hit_if(cfg.sl_mode, Cover::h7_becn_per_sl);
                if !cfg.timer_per_sl {
                    self.hit(match (old.run, cfg.restart) {
                        (false, _) => Cover::h3_timer_starts,
                        (true, true) => Cover::h3_timer_restarts,
                        (true, false) => Cover::h3_timer_runs_on,
                    });
                }
            }
            Kind::Sweep if !cfg.timer_per_sl && old.run => {
                if self.due(old.t0) {
                    self.hit(Cover::h4_flow_expiry);
                    self.hit_if(!u.new.run, Cover::h4_stops_at_min);
                    self.hit_if(before < cfg.min, Cover::h4_lifted_to_min);
                    self.hit_if(cfg.sl_mode, Cover::h7_expiry_per_sl);
                    self.hit_if(self.tick < old.t0, Cover::h4_expiry_across_tick_wrap);
                }
                self.hit_if(cfg.timer == 0 && before > cfg.min, Cover::h4_timer_0_never_decays);
            }
            Kind::Sweep => {}
        }
        let [one, two] = self.pipe.past;
        let same = |past: Option<(usize, Kind)>, kind| past == Some((u.entity, kind));
        if u.kind == Kind::Becn {
            self.hit_if(same(one, Kind::Becn), Cover::h3_becns_1_apart);
            self.hit_if(same(two, Kind::Becn), Cover::h3_becns_2_apart);
            self.hit_if(same(one, Kind::Sweep) || same(two, Kind::Sweep), Cover::h3_becn_after_sweep);
        } else {
            self.hit_if(same(one, Kind::Becn) || same(two, Kind::Becn), Cover::h3_sweep_after_becn);
        }
    }
}
