//! The registers of marks by count, ages and the reader's pace, of input ports alone and in switches. They are drawn from a generator of
//! their own, so that all else is as without them.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::world::Dims;
use crate::stimulus::knobs::Knobs;

/// Draws the registers.
#[derive(Clone, Debug)]
pub(in crate::stimulus) struct MarkKnobs {
    rng: SmallRng,
    d: Dims,
    knobs: Knobs,
    /// CTRL as it was written last.
    ctrl: u32,
}

impl MarkKnobs {
    pub(in crate::stimulus) fn new(d: &Dims, knobs: &Knobs, seed: u64) -> MarkKnobs {
        let rng = SmallRng::seed_from_u64(seed ^ 0x6a_09_e6_67_f3_bc_c9_08);
        MarkKnobs { rng, d: *d, knobs: knobs.clone(), ctrl: 0 }
    }

    /// Whether a bit is on in this phase.
    pub(in crate::stimulus) fn on(&mut self, share: Option<f64>) -> bool {
        let share = share.unwrap_or(0.5);
        self.rng.random_bool(share)
    }

    /// Writes of a phase; `ctrl`: what it writes to CTRL beside, `pace`: no output reads faster.
    pub(in crate::stimulus) fn input_port(&mut self, ctrl: Option<u32>, pace: u32) -> Vec<(u8, u32)> {
        let mut writes = Vec::new();
        let rd = match self.rng.random_range(0..8) {
            0 => self.rng.random_range(0..16),
            1..=3 => pace.min(15),
            _ => 1,
        };
        writes.push((15, rd));
        self.ctrl = ctrl.unwrap_or(self.ctrl) & 0x1f;
        let (cap, mtu) = (self.d.cap as u32, self.d.mtu as u32);
        if self.d.markers {
            let (naive, mb) = (self.on(self.knobs.naive), self.on(self.knobs.mb));
            writes.push((0, self.ctrl | u32::from(naive) << 5 | u32::from(mb) << 6));
            let level = match self.rng.random_range(0..4) {
                0 => cap - mtu.div_ceil(2),
                1 => self.rng.random_range(0..cap),
                _ => self.rng.random_range(0..(4 * mtu).min(cap)),
            };
            let th = match self.rng.random_range(0..4) {
                0 => 66 * cap / 100,
                1 => self.rng.random_range(0..=cap),
                _ => self.rng.random_range(0..=(4 * mtu).min(cap)),
            };
            writes.extend([(16, level), (17, th)]);
        }
        if self.d.stamp_w > 0 {
            let limit = match self.knobs.bypass {
                Some(b) => b as u32,
                None => [0, 0, 1, 2, 4, 15, 15, self.rng.random_range(0..16)][self.rng.random_range(0..8)],
            };
            writes.push((18, limit));
        }
        writes
    }

    /// With an output queue: XB_INTERVAL of the inputs and of the outputs, whose links send a flit in `tx` cycles.
    pub(in crate::stimulus) fn paces(&mut self, tx: u32) -> Option<(u32, u32)> {
        if self.d.ocap == 0 {
            return None;
        }
        let out = match self.rng.random_range(0..4) {
            0 => self.rng.random_range(0..16),
            1 => tx.div_ceil(2),
            _ => 1,
        };
        let real = out.max(1).min(tx);
        Some((if self.rng.random_ratio(7, 8) { real } else { self.rng.random_range(0..16) }, out))
    }

    /// The bits of CTRL of an output port.
    pub(in crate::stimulus) fn output_ctrl(&mut self) -> u32 {
        let mut bits = 0;
        if self.d.markers {
            let det = self.knobs.det.map_or_else(|| self.rng.random_range(0..4), |det| det as u32);
            bits |= det << 10 | u32::from(self.on(self.knobs.vb)) << 12;
        }
        if self.d.stamp_w > 0 {
            bits |= u32::from(self.on(self.knobs.sched.or(Some(0.7)))) << 9;
        }
        // D6
        bits | u32::from(self.rng.random_range(0..4) == 0) << 13
    }

    /// OUT_TH and VB_TH of an output port; `fill`: what waits for it now.
    pub(in crate::stimulus) fn output_port(&mut self, fill: u32) -> Vec<(u8, u32)> {
        if !self.d.markers {
            return Vec::new();
        }
        let (cap, ports) = (self.d.cap as u32, self.d.ports as u32);
        let queue = self.d.ocap as u32;
        let packets = self.rng.random_range(0..8);
        let flits = match self.rng.random_range(0..4) {
            0 if queue > 0 => 33 * queue / 100,
            _ if queue > 0 => self.rng.random_range(0..queue),
            0 => 33 * cap / 100,
            1 => self.rng.random_range(0..=2 * self.d.mtu as u32 * ports),
            2 => fill.saturating_sub(1),
            _ => fill,
        };
        vec![(11, packets), (12, flits)]
    }
}
