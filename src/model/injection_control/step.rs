//! A clock edge: all is worked out from S(t), then written.

use super::alo::Channels;
use super::cover::Cover;
use super::seen::Seen;
use super::state::InjectionControl;
use super::written::T;

impl InjectionControl {
    /// The edge that ends a cycle in which the unit is ready.
    pub(super) fn cycle(&mut self, input: &[u32]) {
        let seen = Seen::new(&self.i, &self.p, input);
        // By S(t).
        let read = self.look_up_register(&seen);
        let holds = self.holds();
        let look = self.lookup.plan(&seen);
        let period = self.written.period();
        let silent = self.estimate.is_silent(period);
        let above = self.estimate.exceeds(self.tuning.t, period);
        self.meet_look_up(&seen, &look);
        self.meet_headers(&seen, holds);
        self.meet_gathering(&seen, holds & seen.front);
        self.meet_estimate(&seen, above);
        self.meet_tuning(&seen, silent, above);
        // Writes.
        self.lookup.step(&seen, &look);
        self.channels = Channels::now(&seen, self.written.best_effort(self.p.vls), self.p.ports);
        self.count_held(&seen, holds);
        self.gathering.step(&seen, self.written.counts_router(), holds & seen.front);
        self.throttle = above && !silent;
        self.estimate.step(seen.sum, period);
        match seen.write {
            Some((T, data)) => self.tuning.write(data),
            _ => self.tuning.step(seen.sum, silent, above, &self.written),
        }
        if let Some((number, data)) = seen.write.filter(|w| w.0 != T) {
            self.configure(number, data, holds & seen.front);
        }
        self.read = read;
    }

    /// A cycle of the sweep, in which inputs are ignored.
    pub(super) fn sweep(&mut self, input: &[u32]) {
        self.init_left -= 1;
        let seen = Seen::new(&self.i, &self.p, input);
        let offered = seen.write.is_some() || seen.route.is_some() || seen.front != 0 || seen.sum.is_some();
        self.hit_if(offered, Cover::r1_sweeps);
    }
}
