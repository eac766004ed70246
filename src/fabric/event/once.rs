//! The end-to-end check where packets may come out of order: every one once.

use std::collections::BTreeSet;

/// PSNs have 24 bits.
const PSNS: u32 = 1 << 24;

/// Packets of a pair that were delivered.
#[derive(Clone, Debug, Default)]
pub(super) struct Once {
    /// All before this one.
    next: u32,
    /// And these, which are ahead of it.
    early: BTreeSet<u32>,
}

impl Once {
    /// Packet `psn` is delivered; false: it was before, or was not sent.
    pub fn deliver(&mut self, psn: u32) -> bool {
        if psn != self.next {
            let ahead = psn.wrapping_sub(self.next) % PSNS < PSNS / 2;
            return ahead && self.early.insert(psn);
        }
        self.next = (self.next + 1) % PSNS;
        while self.early.remove(&self.next) {
            self.next = (self.next + 1) % PSNS;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_packet_is_delivered_once() {
        let mut once = Once { next: PSNS - 2, ..Once::default() };
        for psn in [PSNS - 1, 1, PSNS - 2, 0] {
            assert!(once.deliver(psn) && !once.deliver(psn), "{psn}");
        }
        assert!(!once.deliver(PSNS - 1));
    }
}
