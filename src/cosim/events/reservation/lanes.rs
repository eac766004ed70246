//! What lanes have room for (Q20).

use crate::cosim::events::offers::NEVER;

/// Lanes of data, and the speculative one behind them.
pub(super) struct Lanes {
    pub data: u32,
    choice: u64,
    /// When a lane had room last, and since when it has it; credits of the link, or room.
    last: Vec<u64>,
    room: Vec<u64>,
    link: Vec<u64>,
    /// When nothing chosen before stood in the adapter's queues, last; when an offer was taken last.
    empty: u64,
    taken: u64,
}

impl Lanes {
    pub fn new(data: usize, choice: u64) -> Lanes {
        Lanes {
            data: data as u32,
            choice,
            last: vec![NEVER; data + 1],
            room: vec![NEVER; data + 1],
            link: vec![NEVER; data + 1],
            empty: NEVER,
            taken: NEVER,
        }
    }

    pub fn see(&mut self, room: u32, link: u32, ungranted: bool, now: u64) {
        for v in 0..self.last.len() {
            let open = room >> v & 1 == 1;
            if open {
                self.last[v] = now;
            }
            for (since, is) in [(&mut self.room[v], open), (&mut self.link[v], open || link >> v & 1 == 1)] {
                *since = match (is, *since) {
                    (false, _) => NEVER,
                    (true, NEVER) => now,
                    (true, since) => since,
                };
            }
        }
        if !ungranted {
            self.empty = now;
        }
    }

    /// An offer is taken.
    pub fn takes(&mut self, now: u64) {
        self.taken = now;
    }

    /// A packet that is first offered now may have been chosen.
    pub fn may(&self, lane: u32, now: u64) -> Result<(), String> {
        let first = now.saturating_sub(self.choice);
        let after = if self.taken == NEVER { 0 } else { self.taken + 1 };
        let seen = |at: u64| at != NEVER && at >= first;
        let Some(last) = self.last.get(lane as usize) else { return Err("there is no such lane".into()) };
        if !seen(*last) {
            return Err(format!("lane {lane} has had no room for {} cycles", self.choice));
        }
        if !seen(self.empty) || self.empty < after {
            return Err("a packet that was taken before has not left the adapter's queues".into());
        }
        Ok(())
    }

    /// Since when a lane has room without a pause; never: it has none.
    pub fn room_since(&self, lane: u32) -> u64 {
        self.room[lane as usize]
    }

    /// And credits of the link, or room.
    pub fn link_since(&self, lane: u32) -> u64 {
        self.link[lane as usize]
    }
}
