//! Times: numbers of NOW_W bits that wrap.

/// The cycle counter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    width: u32,
    pub(super) now: u32,
}

impl Times {
    pub(super) fn new(width: usize) -> Times {
        Times { width: width as u32, now: 0 }
    }

    fn mask(&self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    /// Half of all times: what is so far ahead looks like the past.
    pub(super) fn half(&self) -> u64 {
        1 << (self.width - 1)
    }

    pub(super) fn add(&self, time: u32, cycles: u64) -> u32 {
        ((u64::from(time) + cycles) & u64::from(self.mask())) as u32
    }

    /// Cycles from `from` to `to`, modulo 2^NOW_W.
    pub(super) fn since(&self, to: u32, from: u32) -> u32 {
        to.wrapping_sub(from) & self.mask()
    }

    /// The same, signed.
    pub(super) fn signed(&self, to: u32, from: u32) -> i64 {
        let d = i64::from(self.since(to, from));
        if d >= self.half() as i64 { d - 2 * self.half() as i64 } else { d }
    }

    /// The next cycle; true if the counter wraps.
    pub(super) fn advance(&mut self) -> bool {
        self.now = self.add(self.now, 1);
        self.now == 0
    }
}
