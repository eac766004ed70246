//! Times of transmissions (rule H5): stamps that wrap, and the ageing that forgets the old ones in time. Throttle and source response
//! have them alike (`docs/hca-throttle.md`, sections 1 and 5).

/// The present cycle, in so many bits as a stamp has.
#[derive(Clone, Copy)]
pub(super) struct Time {
    pub(super) now: u32,
    width: usize,
}

impl Time {
    /// Time 0; `width` is TS_W.
    pub(super) fn new(width: usize) -> Time {
        Time { now: 0, width }
    }

    /// IRDMAX: no delay is longer, so that stamps can be compared although they wrap.
    pub(super) fn longest(&self) -> u32 {
        1 << (self.width - 2)
    }

    /// Cycles since `then`, signed: a packet that is still leaving has a time in the future.
    pub(super) fn since(&self, then: u32) -> i32 {
        let unused = 32 - self.width;
        (self.now.wrapping_sub(then) << unused) as i32 >> unused
    }

    /// Longer ago than any delay.
    pub(super) fn is_long_ago(&self, then: u32) -> bool {
        i64::from(self.since(then)) > i64::from(self.longest())
    }

    /// The stamp of the cycle that comes in so many cycles.
    pub(super) fn later(&self, cycles: u32) -> u32 {
        self.now.wrapping_add(cycles) & u32::MAX >> (32 - self.width)
    }

    /// The next cycle. Says whether time went round.
    pub(super) fn advance(&mut self) -> bool {
        self.now = self.later(1);
        self.now == 0
    }
}

/// Registers of ageing. `W`: a word of the RAM of last transmissions.
#[derive(Default)]
pub(super) struct Ageing<W> {
    pointer: usize,
    /// What stage A0 read in the cycle before, and whether a transmission was written then. `None`: this cycle is A0.
    a1: Option<(W, bool)>,
}

/// What a cycle of ageing does.
pub(super) enum Look<W> {
    /// A0: it reads a word.
    Reads,
    /// A1: a transmission was written meanwhile, so it reads the word again.
    Again,
    /// A1: this word is judged.
    At(usize, W),
}

impl<W: Copy> Ageing<W> {
    /// A cycle; `written`: a transmission is written in it.
    pub(super) fn step(&mut self, words: &[W], written: bool) -> Look<W> {
        let at = self.pointer;
        let Some((word, written_before)) = self.a1.take() else {
            self.a1 = Some((words[at], written));
            return Look::Reads;
        };
        if written || written_before {
            if crate::model::faults::on(crate::model::faults::Fault::ageing_passes_over) {
                self.pointer = (at + 1) % words.len();
            }
            return Look::Again;
        }
        self.pointer = (at + 1) % words.len();
        Look::At(at, word)
    }
}
