//! Packets, or messages, that wait at their hosts for room in the adapters.

use std::collections::{BTreeMap, VecDeque};

use super::offer::Offer;

/// A message that was generated and not yet taken, or packets in a row that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// When it was generated.
    pub born: u64,
    /// Packets of its message.
    pub of: u32,
    /// Packets.
    pub pkts: u16,
    /// Flits of each but the last.
    pub len: u8,
    /// Flits of the last.
    pub last: u8,
}

impl Waiting {
    /// To a destination.
    pub fn to(self, dst: u32) -> Offer {
        let Waiting { born, of, pkts, len, last } = self;
        Offer { dst, len, born, pkts, last, of }
    }
}

/// What waits at one host, in a queue for each destination.
#[derive(Debug, Default)]
pub struct Backlog {
    /// Messages are taken as a whole.
    pub messages: bool,
    queues: BTreeMap<u32, VecDeque<Waiting>>,
    /// Destinations whose adapter queue has had room since their packet was last refused, in the order of their turns.
    turns: VecDeque<u32>,
    packets: u64,
}

impl Backlog {
    /// Packets that wait.
    pub fn packets(&self) -> u64 {
        self.packets
    }

    /// The next packet, or message, to a destination.
    pub fn head(&self, dst: u32) -> Option<Waiting> {
        let first = *self.queues.get(&dst)?.front()?;
        Some(if self.messages { first } else { Waiting { pkts: 1, last: first.len, ..first } })
    }

    /// The destination whose turn it is, and its packet.
    pub fn next(&self) -> Option<(u32, Waiting)> {
        let dst = *self.turns.front()?;
        self.head(dst).map(|w| (dst, w))
    }

    /// One more packet, or message, waits.
    pub fn push(&mut self, dst: u32, w: Waiting) {
        self.packets += u64::from(w.pkts);
        let queue = self.queues.entry(dst).or_default();
        match queue.back_mut() {
            // Packets of a message that are alike are kept as one.
            Some(b)
                if !self.messages && (b.born, b.of, b.len) == (w.born, w.of, w.len) && b.pkts < u16::MAX =>
            {
                b.pkts += 1;
            }
            _ => queue.push_back(w),
        }
    }

    /// The next packet, or message, to a destination was taken.
    pub fn pop(&mut self, dst: u32) {
        let Some(queue) = self.queues.get_mut(&dst) else { return };
        let Some(first) = queue.front_mut() else { return };
        let taken = if self.messages { first.pkts } else { 1 };
        self.packets -= u64::from(taken);
        first.pkts -= taken;
        if first.pkts == 0 {
            queue.pop_front();
        }
        if queue.is_empty() {
            self.queues.remove(&dst);
            self.turns.retain(|d| *d != dst);
        } else if self.turns.front() == Some(&dst) {
            self.turns.rotate_left(1);
        }
    }

    /// The adapter has no room for packets to a destination.
    pub fn refused(&mut self, dst: u32) {
        self.turns.retain(|d| *d != dst);
    }

    /// It has; whether one waits for that.
    pub fn room(&mut self, dst: u32) -> bool {
        let waits = self.queues.contains_key(&dst) && !self.turns.contains(&dst);
        if waits {
            self.turns.push_back(dst);
        }
        waits
    }

    /// Destinations with packets that wait for room.
    pub fn blocked(&self) -> impl Iterator<Item = u32> {
        self.queues.keys().copied().filter(|dst| !self.turns.contains(dst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_with_room_take_turns_and_packets_stay_in_order() {
        let mut b = Backlog::default();
        let w = |born| Waiting { len: 1, born, pkts: 1, last: 1, of: 1 };
        [(7, 1), (7, 2), (3, 3)].into_iter().for_each(|(dst, born)| b.push(dst, w(born)));
        assert_eq!((b.packets(), b.next(), b.blocked().collect::<Vec<_>>()), (3, None, vec![3, 7]));
        assert!(b.room(7) && !b.room(7) && b.room(3) && !b.room(5));
        assert_eq!(b.next(), Some((7, w(1))));
        b.pop(7);
        assert_eq!(b.next(), Some((3, w(3))));
        b.refused(3);
        assert_eq!((b.next(), b.blocked().collect::<Vec<_>>()), (Some((7, w(2))), vec![3]));
        b.pop(7);
        assert_eq!((b.next(), b.packets(), b.head(3)), (None, 1, Some(w(3))));
        b.pop(3);
        assert_eq!((b.packets(), b.blocked().count()), (0, 0));
    }

    #[test]
    fn a_message_waits_as_one_and_its_packets_are_taken_one_by_one() {
        for messages in [false, true] {
            let mut b = Backlog { messages, ..Backlog::default() };
            let message = |born| Waiting { len: 32, born, pkts: 3, last: 9, of: 3 };
            for born in [5, 6] {
                match messages {
                    true => b.push(7, message(born)),
                    false => [32, 32, 9].iter().for_each(|&len| {
                        b.push(7, Waiting { len, last: len, pkts: 1, ..message(born) });
                    }),
                }
            }
            assert_eq!(b.packets(), 6);
            assert_eq!(b.queues[&7].len(), if messages { 2 } else { 4 });
            let mut seen = Vec::new();
            while let Some(w) = b.head(7) {
                seen.push((w.born, w.pkts, w.len, w.last, w.of));
                b.pop(7);
            }
            assert_eq!(b.packets(), 0);
            let packets = [5, 6].map(|t| [(t, 1, 32, 32, 3), (t, 1, 32, 32, 3), (t, 1, 9, 9, 3)]).concat();
            assert_eq!(seen, if messages { vec![(5, 3, 32, 9, 3), (6, 3, 32, 9, 3)] } else { packets });
        }
    }
}
