//! Fills and congestion bits of cold queues (D1, D4, D5), of a design that shows them.

use std::collections::VecDeque;

use super::charges::Charges;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::params::{Params, UnitKind};
use crate::registers::addr;

/// A queue in the last cycles.
#[derive(Clone, Debug, Default)]
struct Queue {
    /// The most that may be charged, and flits of the packets that came.
    most: VecDeque<(u32, u32)>,
    came: u32,
    /// What is shown: fill and congestion bit.
    shown: VecDeque<(u32, bool)>,
}

/// All cold queues.
#[derive(Clone, Debug)]
pub(super) struct Fills {
    vls: usize,
    mtu: u32,
    /// Flits of a VL's buffer.
    cap: u32,
    /// Tolerance.
    late: usize,
    /// Numbers of CTRL, HTH, LTH, WEIGHT.
    addresses: [u32; 4],
    values: [u32; 4],
    /// Cycles since one of them was written.
    settled: usize,
    queues: Vec<Queue>,
    /// Fills, and congestion bits, have been shown.
    fills: bool,
    bits: bool,
    /// Congestion bits judged by thresholds.
    pub judged: u64,
}

impl Fills {
    pub fn new(p: &Params, late: u64) -> Fills {
        let cap = p.cap(0) as u32;
        let mtu = p.mtu as u32;
        Fills {
            vls: p.vls,
            mtu,
            cap,
            late: late as usize,
            addresses: ["CTRL", "HTH", "LTH", "WEIGHT"].map(|n| addr(UnitKind::InputPort, n).into()),
            values: [0, (6 * mtu).min(3 * cap / 4), (4 * mtu).min(cap / 2), 0],
            settled: 0,
            queues: vec![Queue::default(); p.ports * p.vls],
            fills: false,
            bits: false,
            judged: 0,
        }
    }

    /// A register is written.
    pub fn write(&mut self, address: u32, data: u32) {
        if let Some(i) = self.addresses.iter().position(|a| *a == address) {
            self.values[i] = data & 0xffff;
            self.settled = 0;
        }
    }

    /// High and low threshold; `None`: never congested.
    fn thresholds(&self) -> Option<(u32, u32)> {
        let [_, high, low, weight] = self.values;
        let low = low.max(1);
        match (weight >> 4 & 1, weight & 0xf) {
            (0, _) => Some((high, low)),
            (_, 0) => None,
            (_, w) => {
                let h = (16 - w) * (self.cap / 16);
                Some((h, h.saturating_sub(high.saturating_sub(low)).max(1)))
            }
        }
    }

    /// A packet of `n` flits comes for these outputs (a bit each).
    pub fn came(&mut self, outs: u32, vl: usize, n: u32) {
        let vls = self.vls;
        let of = |o: &usize| outs >> o & 1 == 1;
        (0..self.queues.len() / vls).filter(of).for_each(|o| self.queues[o * vls + vl].came += n);
    }

    /// A cycle: what may be charged, and what is shown.
    pub fn cycle(&mut self, charges: &Charges, fill: &[u32], cong: &[u32]) -> Result<(), Broken> {
        self.fills |= fill.iter().any(|f| *f != 0);
        self.bits |= cong.iter().any(|c| *c & 1 == 1);
        self.settled += 1;
        let window = 2 * self.late + 1;
        let thresholds = self.thresholds();
        let release = self.values[0] >> 3 & 1 == 1;
        for (q, queue) in self.queues.iter_mut().enumerate() {
            let place = || format!("output {}, VL {}", q / self.vls, q % self.vls);
            queue.most.push_back((charges.most[q], std::mem::take(&mut queue.came)));
            queue.shown.push_back((fill[q], cong[q] & 1 == 1));
            if queue.most.len() > self.late + 1 {
                queue.most.pop_front();
            }
            if queue.shown.len() > window {
                queue.shown.pop_front();
            }
            if !self.fills || queue.shown.len() < window {
                continue;
            }
            // What left may not be given back yet, what comes may be charged.
            let least = charges.least[q];
            let (there, came) = queue.most.iter().fold((0, 0), |(m, c), q| (m.max(q.0), c + q.1));
            let most = there + came;
            if fill[q] < least.min(0xffff) || fill[q] > most {
                let text = format!("{}: a fill of {}; {least} to {most} flits are there", place(), fill[q]);
                return broken("fill", "D5 B1", text);
            }
            if !self.bits || self.settled <= window + self.late {
                continue;
            }
            self.judged += 1;
            let (was, is) = (queue.shown[self.late - 1].1, queue.shown[self.late].1);
            let all = || queue.shown.iter().map(|s| s.0);
            // With `release` a packet that is granted does not count in that cycle.
            let gone = if release { self.mtu } else { 0 };
            let wrong = match thresholds {
                None if is => "is congested with weight 0".into(),
                Some((h, _)) if is && !was && all().all(|f| f <= h) => {
                    format!("becomes congested; its fill was not above {h}")
                }
                Some((_, l)) if !is && was && all().all(|f| f.saturating_sub(gone) >= l) => {
                    format!("is congested no longer; its fill was not below {l}")
                }
                Some((h, _)) if !is && all().all(|f| f.saturating_sub(gone) > h) => {
                    format!("is not congested; its fill is above {h}")
                }
                Some((h, l)) if is && all().all(|f| f < l && f <= h) => {
                    format!("is congested; its fill is below {l}")
                }
                _ => continue,
            };
            return broken("congested", "D1 D4", format!("{} {wrong}", place()));
        }
        Ok(())
    }
}
