//! Link credits as functions of time (rule F1): what a buffer's reader frees, in which cycle its sender learns of it.

use std::collections::VecDeque;

use super::lanes::Lanes;

/// Never.
pub(super) const NEVER: u64 = u64::MAX;

/// Flits that leave (or arrive) one by one: flit `i` in cycle `first + i * step`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub first: u64,
    pub step: u32,
    pub n: u32,
}

impl Run {
    /// No flits.
    pub const NONE: Run = Run { first: NEVER, step: 1, n: 0 };

    /// Cycle of the last flit.
    #[inline]
    pub fn last(&self) -> u64 {
        self.first + u64::from(self.n - 1) * u64::from(self.step)
    }

    /// Flits in cycles before `t`.
    #[inline]
    pub fn before(&self, t: u64) -> u32 {
        if t <= self.first {
            0
        } else if t > self.last() {
            self.n
        } else if self.step == 1 {
            (t - self.first) as u32
        } else {
            ((t - self.first - 1) / u64::from(self.step)) as u32 + 1
        }
    }

    /// Index of the flit of cycle `t`.
    #[inline]
    pub fn at(&self, t: u64) -> Option<u32> {
        let hit =
            t >= self.first && t <= self.last() && (t - self.first).is_multiple_of(u64::from(self.step));
        hit.then(|| ((t - self.first) / u64::from(self.step)) as u32)
    }
}

/// Runs in the order in which they were planned; few at a time.
#[derive(Clone, Debug)]
struct Runs {
    near: [Run; 2],
    len: usize,
    /// What does not fit there.
    more: VecDeque<Run>,
}

impl Runs {
    fn iter(&self) -> impl Iterator<Item = &Run> {
        self.near[..self.len.min(2)].iter().chain(&self.more)
    }

    fn front(&self) -> Option<&Run> {
        if self.len == 0 { None } else { Some(&self.near[0]) }
    }

    fn push_back(&mut self, run: Run) {
        if self.len < 2 {
            self.near[self.len] = run;
        } else {
            self.more.push_back(run);
        }
        self.len += 1;
    }

    fn pop_front(&mut self) {
        self.near[0] = self.near[1];
        if let Some(run) = self.more.pop_front() {
            self.near[1] = run;
        }
        self.len -= 1;
    }
}

/// Blocks of one VL freed over time.
#[derive(Clone, Debug)]
struct Freed {
    /// In runs that are long over.
    base: u64,
    runs: Runs,
}

impl Default for Freed {
    fn default() -> Self {
        Freed { base: 0, runs: Runs { near: [Run::NONE; 2], len: 0, more: VecDeque::new() } }
    }
}

impl Freed {
    /// Freed in cycles before `t`.
    fn before(&self, t: u64) -> u64 {
        self.base + self.runs.iter().map(|r| u64::from(r.before(t))).sum::<u64>()
    }

    /// The first cycle before which `need` blocks are freed, as far as runs are known.
    fn reaches(&self, need: u64) -> Option<u64> {
        if need <= self.base {
            return Some(0);
        }
        if self.runs.len == 1 {
            let r = &self.runs.near[0];
            let i = need - self.base;
            return (i <= u64::from(r.n)).then(|| r.first + (i - 1) * u64::from(r.step) + 1);
        }
        if need > self.base + self.runs.iter().map(|r| u64::from(r.n)).sum::<u64>() {
            return None;
        }
        let mut low = self.runs.iter().map(|r| r.first).min()?;
        let mut high = self.runs.iter().map(Run::last).max()? + 1;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.before(middle) >= need {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(low)
    }
}

/// Who sends into a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    Nobody,
    /// An output port.
    Output(usize),
    /// The injector of an adapter.
    Source(usize),
    /// The output port of an adapter, for whose credits its source looks, too.
    Adapter {
        out: usize,
        host: usize,
    },
}

/// The credit side of a buffer: an input port or an adapter's receive FIFO.
#[derive(Clone, Debug)]
pub(super) struct Credits {
    pub sender: Sender,
    /// Cycles from a credit message to the sender's register.
    pub delay: u64,
    /// Blocks of each VL.
    pub cap: Lanes<u64>,
    /// Cycles between messages.
    pub interval: u64,
    /// A cycle with a message of VL 0.
    pub origin: u64,
    /// The first message of each VL.
    pub first: Lanes<u64>,
    freed: Lanes<Freed>,
    /// What the sender waits for: this many blocks freed in all.
    need: Lanes<u64>,
    /// When it was last told to look.
    told: Lanes<u64>,
}

impl Credits {
    pub fn new(cap: Lanes<u64>) -> Credits {
        let vls = cap.len();
        Credits {
            sender: Sender::Nobody,
            delay: 0,
            cap,
            interval: 4,
            origin: 0,
            first: Lanes::new(0, vls),
            freed: Lanes::new(Freed::default(), vls),
            need: Lanes::new(NEVER, vls),
            told: Lanes::new(NEVER, vls),
        }
    }

    fn period(&self) -> u64 {
        self.interval * self.freed.len() as u64
    }

    /// The VL whose credit message shows in cycle `t` (not before traffic begins).
    pub fn message(&self, t: u64) -> Option<usize> {
        let phase = (t - self.origin) % self.period();
        phase.is_multiple_of(self.interval).then(|| (phase / self.interval) as usize)
    }

    /// Blocks freed in cycles before `t`.
    pub fn freed(&self, vl: usize, t: u64) -> u64 {
        self.freed[vl].before(t)
    }

    /// The sender's FCCL register in S(t), not reduced modulo 4096.
    pub fn fccl(&self, vl: usize, t: u64) -> u64 {
        // The latest message not after this cycle has been registered.
        let Some(seen) = t.checked_sub(1 + self.delay) else { return 0 };
        if seen < self.first[vl] {
            return 0;
        }
        let phase = self.origin + vl as u64 * self.interval;
        if seen < phase {
            return self.cap[vl];
        }
        let slot = seen - (seen - phase) % self.period();
        self.cap[vl] + self.freed[vl].before(slot)
    }

    /// The first cycle in which the sender's FCCL is at least `need`, as far as it is known.
    pub fn when(&self, vl: usize, need: u64) -> Option<u64> {
        let freed = match need.checked_sub(self.cap[vl]) {
            None | Some(0) => return Some(self.first[vl] + self.delay + 1),
            Some(more) => self.freed[vl].reaches(more)?,
        };
        let from = freed.max(self.first[vl]);
        let phase = self.origin + vl as u64 * self.interval;
        let slot = if from <= phase {
            phase
        } else {
            from + (self.period() - (from - phase) % self.period()) % self.period()
        };
        Some(slot + self.delay + 1)
    }

    /// The sender waits until FCCL is at least `need` (or less, if it waits for less already and was not told yet).
    #[inline]
    pub fn wait(&mut self, vl: usize, need: u64, now: u64) {
        if need < self.need[vl] || self.told[vl] <= now {
            self.need[vl] = need;
            self.told[vl] = NEVER;
        }
    }

    /// The cycle in which a waiting sender must look, unless it was told already.
    pub fn call(&mut self, vl: usize, now: u64) -> Option<u64> {
        if self.need[vl] == NEVER || self.told[vl] <= now {
            return None;
        }
        let t = self.when(vl, self.need[vl])?;
        if t >= self.told[vl] {
            return None;
        }
        self.told[vl] = t;
        Some(t)
    }

    /// Blocks will be freed; `now` prunes what no message can show any more.
    pub fn free(&mut self, vl: usize, run: Run, now: u64) {
        let keep = self.delay + self.period() + 4;
        let f = &mut self.freed[vl];
        while let Some(r) = f.runs.front() {
            if r.last() + keep >= now {
                break;
            }
            f.base += u64::from(r.n);
            f.runs.pop_front();
        }
        f.runs.push_back(run);
    }
}
