//! How long a line lives without a message (LINE_TIMER, E8), where a write may not be seen yet.

/// The value written last, since when, and the least that may have held until it is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Life {
    /// What was written last, in cycles.
    pub written: u64,
    since: u64,
    least: u64,
}

impl Life {
    /// As it is after a reset.
    pub fn new(written: u64) -> Life {
        Life { written, since: 0, least: written }
    }

    /// The write, seen `late` cycles later at most, may not be seen yet.
    pub fn is_new(&self, now: u64, late: u64) -> bool {
        now - self.since <= late
    }

    /// The least that may hold.
    pub fn least(&self, now: u64, late: u64) -> u64 {
        if self.is_new(now, late) { self.least } else { self.written }
    }

    /// When what heard its last message then is over at the latest: a life that is shorter now was longer before it was written.
    pub fn end(&self, heard: u64, late: u64) -> u64 {
        heard.saturating_add(self.written).max(self.since).saturating_add(late)
    }

    /// A write.
    pub fn write(&mut self, written: u64, now: u64, late: u64) {
        *self = Life { written, since: now, least: written.min(self.least(now, late)) };
    }
}
