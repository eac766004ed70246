//! Messages: from the cycle in which the host generates one to the delivery of its last packet.

use std::collections::HashMap;

use super::histogram::Histogram;

/// A message of which something was posted or delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Open {
    /// Something of it was posted: its packets are known. An engine may tell of deliveries first.
    known: bool,
    /// Packets less those that are delivered.
    left: i64,
    /// The last delivery.
    last: u64,
}

/// The messages of a run. Those of one source and destination have different times of birth.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    open: HashMap<(u32, u32, u64), Open>,
    complete: Histogram,
}

impl Messages {
    /// A packet of a message of `packets`, or all of them, was posted.
    pub fn posted(&mut self, src: u32, dst: u32, born: u64, packets: u32) {
        let open = self.open.entry((src, dst, born)).or_default();
        if !open.known {
            open.known = true;
            open.left += i64::from(packets);
        }
        self.settle((src, dst, born));
    }

    /// A packet of it was delivered in cycle `t`.
    pub fn delivered(&mut self, src: u32, dst: u32, born: u64, t: u64) {
        let open = self.open.entry((src, dst, born)).or_default();
        open.left -= 1;
        open.last = open.last.max(t);
        self.settle((src, dst, born));
    }

    fn settle(&mut self, message: (u32, u32, u64)) {
        if let Some(Open { known: true, left: 0, last }) = self.open.get(&message) {
            self.complete.add(last.saturating_sub(message.2) + 1);
            self.open.remove(&message);
        }
    }

    /// From generation to the last delivery, both ends counted, of all that are complete.
    pub fn complete(&self) -> &Histogram {
        &self.complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_ends_with_the_last_of_its_packets() {
        let mut m = Messages::default();
        m.posted(1, 2, 10, 3);
        m.delivered(1, 2, 10, 30);
        m.posted(1, 2, 10, 3);
        // Another one, of which deliveries are told first.
        m.delivered(1, 2, 11, 25);
        m.delivered(1, 2, 10, 49);
        assert_eq!(m.complete().count(), 0);
        m.delivered(1, 2, 10, 40);
        assert_eq!((m.complete().count(), m.complete().max()), (1, 40));
        m.delivered(1, 2, 11, 20);
        m.posted(1, 2, 11, 2);
        assert_eq!((m.complete().count(), m.complete().mean()), (2, 27.5));
        assert!(m.open.is_empty());
    }
}
