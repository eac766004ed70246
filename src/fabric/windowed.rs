//! What the sources with windows hold back, in numbers.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Windows, and numbers of packets, that are told apart; larger ones count as the largest.
const WIDEST: usize = 8;
/// Steps of waiting slots.
const STEPS: usize = 16;

/// Flows with packets outstanding, at sources that have windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Windowed {
    /// Flows.
    pub flows: u64,
    /// Their packets outstanding.
    pub packets: u64,
    /// Flows whose window is not as wide as it may be.
    pub narrowed: u64,
    /// Flows that wait between packets.
    pub delayed: u64,
    /// Flows by the packets that they have outstanding: none have 0; the last are those with 8 or more.
    pub by_packets: [u64; WIDEST + 1],
    /// Flows by their window; the last are those with 8 or more.
    pub by_window: [u64; WIDEST + 1],
    /// Flows by the steps of their waiting slots.
    pub by_steps: [u64; STEPS],
}

impl Windowed {
    /// One flow more: packets outstanding, window, steps of slots.
    pub fn add(&mut self, packets: u64, window: u32, steps: u32) {
        self.flows += 1;
        self.packets += packets;
        self.by_packets[(packets as usize).min(WIDEST)] += 1;
        self.by_window[(window as usize).min(WIDEST)] += 1;
        self.by_steps[(steps as usize).min(STEPS - 1)] += 1;
    }
}

impl AddAssign for Windowed {
    fn add_assign(&mut self, other: Windowed) {
        self.flows += other.flows;
        self.packets += other.packets;
        self.narrowed += other.narrowed;
        self.delayed += other.delayed;
        let lists: [(&mut [u64], &[u64]); 3] = [
            (&mut self.by_packets, &other.by_packets),
            (&mut self.by_window, &other.by_window),
            (&mut self.by_steps, &other.by_steps),
        ];
        for (all, own) in lists {
            all.iter_mut().zip(own).for_each(|(a, b)| *a += b);
        }
    }
}

/// What throttle units hold back by their indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throttled {
    /// Flows (or lanes) whose CCTI is above the minimum.
    pub flows: u32,
    /// Their CCTIs, in all.
    pub ccti_sum: u64,
    /// The highest of them.
    pub ccti_max: u32,
}

impl Throttled {
    /// With those of another unit.
    pub fn add(&mut self, other: &Throttled) {
        self.flows += other.flows;
        self.ccti_sum += other.ccti_sum;
        self.ccti_max = self.ccti_max.max(other.ccti_max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_are_counted_by_all_that_they_have() {
        let mut w = Windowed::default();
        w.add(1, 2, 0);
        w.add(300, 255, 15);
        let mut all = w;
        all += w;
        assert_eq!((all.flows, all.packets), (4, 602));
        assert_eq!((all.by_packets[1], all.by_packets[8]), (2, 2));
        assert_eq!((all.by_window[2], all.by_window[8]), (2, 2));
        assert_eq!((all.by_steps[0], all.by_steps[15]), (2, 2));
    }
}
