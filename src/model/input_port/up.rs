//! Section 17: routes that are any up port, drawn for each packet.

use super::cover::Cov;
use super::state::InputPort;
use crate::params::ANY_UP;
use crate::params::lanes::SrpLane;
use crate::scheme::any_up::{drawn, next_draw};

impl InputPort {
    /// The output that was drawn in the cycle before.
    pub fn drew(&self) -> Option<u8> {
        self.drawn.filter(|o| usize::from(*o) < self.p.ports)
    }

    /// Whether the routes of the first flit in stage 1, by destination and by source, are any up port.
    pub(super) fn any_up(&self) -> (bool, bool) {
        let any = |port: u8| self.p.random_up && port == ANY_UP;
        (any(self.rx.rt), self.p.srp && any(self.rx.back))
    }

    /// Draws them, once for both; true if there is one to be drawn.
    pub(super) fn draw_routes(&mut self) -> bool {
        let (to, back) = self.any_up();
        if !to && !back {
            return false;
        }
        let port = drawn(self.cfg.up_mask, self.lfsr).map_or(0xff, |o| o as u8);
        let spec = self.p.srp_lane(usize::from(self.rx.header.vl)) == Some(SrpLane::Spec);
        let unseen = self.written.of(22) != 0;
        self.hit_if(port == 0xff && to, Cov::Up1None);
        self.hit_if(port == 0xff && to && unseen, Cov::Up1Above);
        self.hit_if(back && !to && !spec, Cov::Up1BackUnused);
        self.rx.rt = if to { port } else { self.rx.rt };
        self.rx.back = if back { port } else { self.rx.back };
        self.lfsr = next_draw(self.lfsr);
        self.drawn = Some(port);
        if spec && back {
            self.hit(if to { Cov::Up1Both } else { Cov::Up1Back });
        }
        to
    }

    /// Cover points of a packet that is accepted for output `out`.
    pub(super) fn cover_drawn(&mut self, drawn: bool, out: usize) {
        if !drawn {
            return;
        }
        let (mask, dlid) = (self.cfg.up_mask, self.rx.header.dlid);
        let last = mask >> out == 1;
        let mut waiting = self.queues.iter().flat_map(|q| &q.packets).map(|id| &self.packets[*id]);
        let elsewhere = waiting.any(|p| p.dlid == dlid && p.out != out);
        self.hit(Cov::Up1Drawn);
        self.hit_if(mask.count_ones() > 1, Cov::Up1Several);
        self.hit_if(mask.count_ones() > 1 && last, Cov::Up1Last);
        self.hit_if(elsewhere, Cov::Up1TwoWays);
    }

    /// A packet waits.
    pub(super) fn waits_for_up(&self) -> bool {
        self.queues.iter().any(|q| !q.packets.is_empty())
    }

    /// A write of UP_SEED, which wins over a step.
    pub(super) fn seed(&mut self, data: u32) {
        let low = data & 0xffff;
        self.lfsr = low.max(1);
        self.hit(Cov::Up1Seed);
        self.hit_if(low == 0, Cov::Up1Seed0);
        self.hit_if(self.drawn.is_some(), Cov::Up1SeedBeatsStep);
    }
}
