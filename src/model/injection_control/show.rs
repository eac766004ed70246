//! Outputs and state, as they are shown.

use super::state::InjectionControl;

impl InjectionControl {
    pub(super) fn show_outputs(&self, out: &mut [u32]) {
        let o = &self.o;
        out[o.ready] = 1;
        let holds = self.holds();
        for v in 0..self.p.vls {
            out[o.be_hold + v] = holds >> v & 1;
        }
        if let Some(given) = self.gathering.given {
            out[o.give_valid] = 1;
            out[o.give_full] = given.full;
            out[o.give_flits] = given.flits;
        }
        if let Some(data) = self.read {
            out[o.cfg_rvalid] = 1;
            out[o.cfg_rdata] = data;
        }
    }

    pub(super) fn show_state(&self, state: &mut [u32]) {
        let s = &self.s;
        for v in 0..self.p.vls {
            if let Some(known) = self.lookup.known[v] {
                state[s.st_have + v] = 1;
                state[s.st_dlid + v] = known.dlid;
                state[s.st_way + v] = known.way;
            }
            state[s.st_held + v] = self.held[v];
        }
        state[s.st_ask] = self.lookup.next as u32;
        if let Some(look) = &self.lookup.look {
            state[s.st_look] = 1;
            state[s.st_look_vl] = look.lane as u32;
        }
        state[s.st_free] = self.channels.free;
        state[s.st_clear] = self.channels.clear;
        state[s.st_link] = u32::from(self.channels.link);
        state[s.st_flits] = self.gathering.flits;
        state[s.st_f0] = self.estimate.before;
        state[s.st_f1] = self.estimate.last;
        state[s.st_k] = self.estimate.age;
        state[s.st_throttle] = u32::from(self.throttle);
        let l = &self.tuning.learnt;
        state[s.st_over] = u32::from(l.over);
        state[s.st_t] = self.tuning.t;
        state[s.st_sums] = l.sums;
        state[s.st_tput] = l.flits;
        state[s.st_last] = l.last;
        state[s.st_best_tput] = l.best.flits;
        state[s.st_best_full] = l.best.full;
        state[s.st_best_t] = l.best.t;
        state[s.st_bad] = l.bad;
    }
}
