//! What the unit holds.

use super::alo::Channels;
use super::estimate::Estimate;
use super::gathering::Gathering;
use super::lookup::Lookup;
use super::seen::{In, MOST};
use super::tuning::Tuning;
use super::written::Written;
use crate::model::util::offsets;
use crate::params::Params;

offsets! {
    Out, output,
    ready be_hold give_valid give_full give_flits cfg_rvalid cfg_rdata
}

offsets! {
    State, state,
    st_have st_dlid st_way st_ask st_look st_look_vl st_free st_clear st_link st_held st_flits st_f0 st_f1 st_k st_throttle st_over
    st_t st_sums st_tput st_last st_best_tput st_best_full st_best_t st_bad
}

/// The golden model.
pub struct InjectionControl {
    pub(super) p: Params,
    pub(super) i: In,
    pub(super) o: Out,
    pub(super) s: State,
    pub(super) init_left: usize,
    pub(super) written: Written,
    /// What was read in the cycle before.
    pub(super) read: Option<u32>,
    pub(super) lookup: Lookup,
    pub(super) channels: Channels,
    /// How long each lane's header has been held.
    pub(super) held: [u32; MOST],
    pub(super) gathering: Gathering,
    pub(super) estimate: Estimate,
    pub(super) throttle: bool,
    pub(super) tuning: Tuning,
    pub(super) cover: Vec<u64>,
}

impl InjectionControl {
    /// Everything but the cover points as after reset.
    pub(super) fn clear(&mut self) {
        let p = &self.p;
        self.init_left = p.lft_depth;
        self.written = Written::new(p);
        self.read = None;
        self.lookup = Lookup::new(p);
        self.channels = Channels::default();
        self.held = [0; MOST];
        self.gathering = Gathering::default();
        self.estimate = Estimate::new(self.written.period());
        self.throttle = false;
        self.tuning = Tuning::new();
    }
}
