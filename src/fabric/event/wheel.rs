//! The calendar of events: a wheel of cycles, and a heap for what lies beyond it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles that the wheel spans.
const SPAN: usize = 2048;

/// What happens in a cycle, and where. Packed: kind in the high bits, index below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event(u32);

/// Kinds of events; each comes with the index of an input, output or host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wake {
    /// The output may decide something.
    Output,
    /// The input may decide something, or accepts a packet.
    Input,
    /// A packet reaches an adapter's receiver.
    Receive,
    /// The host may have a packet to offer.
    Offer,
    /// The sending half of an adapter has something to do.
    Source,
    /// The host takes the last flit of its oldest packet.
    Deliver,
    /// The last flit of a packet with FECN reaches an adapter's receiver.
    Answer,
    /// A CNP may move to a generation queue.
    Move,
}

impl Event {
    pub fn new(kind: Wake, index: usize) -> Event {
        Event((kind as u32) << 28 | index as u32)
    }

    pub fn parts(self) -> (Wake, usize) {
        let kind = match self.0 >> 28 {
            0 => Wake::Output,
            1 => Wake::Input,
            2 => Wake::Receive,
            3 => Wake::Offer,
            4 => Wake::Source,
            5 => Wake::Deliver,
            6 => Wake::Answer,
            _ => Wake::Move,
        };
        (kind, (self.0 & 0x0fff_ffff) as usize)
    }
}

/// The calendar.
pub(super) struct Wheel {
    slots: Vec<Vec<Event>>,
    far: BinaryHeap<Reverse<(u64, Event)>>,
    /// The cycle being worked on.
    now: u64,
}

impl Wheel {
    pub fn new(now: u64) -> Wheel {
        Wheel { slots: (0..SPAN).map(|_| Vec::new()).collect(), far: BinaryHeap::new(), now }
    }

    /// Plans an event; `t` is not before the current cycle.
    #[inline]
    pub fn plan(&mut self, t: u64, kind: Wake, index: usize) {
        debug_assert!(t >= self.now, "an event in the past: {t} at {}", self.now);
        let event = Event::new(kind, index);
        if t - self.now < SPAN as u64 {
            self.slots[t as usize % SPAN].push(event);
        } else if t != u64::MAX {
            self.far.push(Reverse((t, event)));
        }
    }

    /// Begins cycle `t`, which is the current one or the next, and returns its events; [`Wheel::give_back`] ends it.
    #[inline]
    pub fn begin(&mut self, t: u64) -> Vec<Event> {
        self.now = t;
        let mut events = std::mem::take(&mut self.slots[t as usize % SPAN]);
        while let Some(&Reverse((at, event))) = self.far.peek() {
            if at > t {
                break;
            }
            self.far.pop();
            events.push(event);
        }
        events
    }

    /// Keeps the space of a cycle's list.
    #[inline]
    pub fn give_back(&mut self, t: u64, mut events: Vec<Event>) {
        let slot = &mut self.slots[t as usize % SPAN];
        if slot.is_empty() {
            events.clear();
            *slot = events;
        }
    }
}
