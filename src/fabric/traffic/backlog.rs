//! Packets that wait at their hosts for room in the adapters.

use std::collections::{BTreeMap, VecDeque};

/// A packet that was generated and not yet taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Flits.
    pub len: u8,
    /// When it was generated.
    pub born: u64,
}

/// What waits at one host, in a queue for each destination.
#[derive(Debug, Default)]
pub struct Backlog {
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

    /// The next packet to a destination.
    pub fn head(&self, dst: u32) -> Option<Waiting> {
        self.queues.get(&dst)?.front().copied()
    }

    /// The destination whose turn it is, and its packet.
    pub fn next(&self) -> Option<(u32, Waiting)> {
        let dst = *self.turns.front()?;
        self.head(dst).map(|w| (dst, w))
    }

    /// One more packet waits.
    pub fn push(&mut self, dst: u32, w: Waiting) {
        self.queues.entry(dst).or_default().push_back(w);
        self.packets += 1;
    }

    /// The next packet to a destination was taken.
    pub fn pop(&mut self, dst: u32) {
        let Some(queue) = self.queues.get_mut(&dst) else { return };
        self.packets -= u64::from(queue.pop_front().is_some());
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
        let w = |born| Waiting { len: 1, born };
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
}
