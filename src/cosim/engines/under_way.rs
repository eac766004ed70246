//! The packets of a pair that are under way, by their numbers.

use std::collections::VecDeque;

use crate::fabric::metrics::PSN_MASK;

/// A packet that its adapter has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Flits.
    pub len: u8,
    /// When it was generated.
    pub born: u64,
    /// When the adapter took it.
    pub created: u64,
    /// When its first flit left the adapter, the last time that it did.
    pub injected: Option<u64>,
    delivered: bool,
}

/// Packets of one source and one destination.
#[derive(Clone, Debug, Default)]
pub struct UnderWay {
    /// Number of the first one.
    first: u32,
    packets: VecDeque<Packet>,
}

impl UnderWay {
    /// The next packet was taken.
    pub fn post(&mut self, psn: u32, len: u8, born: u64, created: u64) {
        if self.packets.is_empty() {
            self.first = psn;
        }
        self.packets.push_back(Packet { len, born, created, injected: None, delivered: false });
    }

    /// The packet of a number, if it is under way.
    pub fn get(&mut self, psn: u32) -> Option<&mut Packet> {
        let at = psn.wrapping_sub(self.first) & PSN_MASK;
        self.packets.get_mut(at as usize).filter(|p| !p.delivered)
    }

    /// It is delivered.
    pub fn deliver(&mut self, psn: u32) -> Option<Packet> {
        let packet = self.get(psn)?;
        packet.delivered = true;
        let packet = *packet;
        while self.packets.front().is_some_and(|p| p.delivered) {
            self.packets.pop_front();
            self.first = (self.first + 1) & PSN_MASK;
        }
        Some(packet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_found_by_number_in_any_order() {
        let mut u = UnderWay::default();
        for (i, psn) in [PSN_MASK - 1, PSN_MASK, 0, 1].into_iter().enumerate() {
            u.post(psn, i as u8 + 1, 10, 20);
        }
        u.get(0).unwrap().injected = Some(33);
        let taken = u.deliver(0).unwrap();
        assert_eq!((taken.len, taken.injected), (3, Some(33)));
        assert!(u.get(0).is_none() && u.deliver(0).is_none() && u.get(2).is_none());
        for (psn, len) in [(PSN_MASK - 1, 1), (PSN_MASK, 2), (1, 4)] {
            assert_eq!(u.deliver(psn).map(|p| p.len), Some(len));
        }
        assert!(u.packets.is_empty());
        u.post(2, 9, 0, 0);
        assert!(u.get(1).is_none());
        assert_eq!(u.deliver(2).map(|p| p.len), Some(9));
    }
}
