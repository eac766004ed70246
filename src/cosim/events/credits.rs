//! The credits of a VL (F1): the most that may be announced, and the least that must.
//!
//! Blocks received plus free blocks, modulo 4096, only grows while both ends count alike, whenever a design takes a flit in or gives a block
//! back. So a value from some cycles ago is no less than one from before that, and no more than one of now.

use std::collections::VecDeque;

/// Signed difference of two counters of 12 bits.
fn ahead(a: u16, b: u16) -> i32 {
    let d = i32::from(a.wrapping_sub(b) & 0xfff);
    if d >= 2048 { d - 4096 } else { d }
}

/// By how much a counter of 12 bits is ahead of one that it may only be behind, by so much at most. (Of 2048 blocks all may be free where none
/// must be: that is half of what it counts, and looks like being ahead.)
fn wrongly_ahead(a: u16, b: u16, legal: i32) -> Option<i32> {
    Some(ahead(a, b)).filter(|by| *by > 0 && 4096 - by > legal)
}

/// What is wrong with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// So many blocks more than are free.
    TooMuch(i32),
    /// So many blocks are kept back.
    TooLittle(i32),
}

/// One VL.
#[derive(Clone, Debug)]
pub(super) struct Credits {
    capacity: i32,
    /// Tolerances: a free block is announced so many cycles late, or before it was seen to leave.
    late: u64,
    early: u64,
    received: u16,
    /// Blocks that are in use for sure, and others that may be.
    sure: i32,
    unsure: i32,
    /// Since this cycle both ends count alike.
    from: u64,
    /// What had to be announced in this and the last cycles; `false`: not all that may be in use has room at once.
    least: VecDeque<(u16, bool)>,
    /// Messages whose blocks may still leave: cycle and value.
    pending: VecDeque<(u64, u16)>,
    /// The most that was announced.
    announced: Option<u16>,
}

impl Credits {
    pub fn new(capacity: usize, late: u64, early: u64) -> Credits {
        Credits {
            capacity: capacity as i32,
            late,
            early,
            received: 0,
            sure: 0,
            unsure: 0,
            from: 0,
            least: VecDeque::new(),
            pending: VecDeque::new(),
            announced: None,
        }
    }

    /// A flit came.
    pub fn receive(&mut self) {
        self.received = self.received.wrapping_add(1) & 0xfff;
    }

    /// The sender says how many it has sent before this cycle.
    pub fn correct(&mut self, sent: u16, now: u64) {
        if sent != self.received {
            self.received = sent;
            self.renew(now);
        }
    }

    /// The ends did not count alike until now.
    pub fn renew(&mut self, now: u64) {
        self.from = now + 1;
        self.least.clear();
        self.pending.clear();
        self.announced = None;
    }

    /// The link is down.
    pub fn down(&mut self, now: u64) {
        self.received = 0;
        self.renew(now);
    }

    /// A packet of `n` flits was announced room for.
    pub fn promised(&self, n: usize) -> bool {
        self.announced.is_some_and(|a| ahead(a, self.received) >= n as i32)
    }

    /// Blocks that are in use for sure.
    pub fn in_use(&self) -> i32 {
        self.sure
    }

    /// Blocks that may be in use.
    pub fn held(&self) -> i32 {
        self.sure + self.unsure
    }

    /// Flits of a packet are in use (`n` > 0) or leave (`n` < 0).
    pub fn hold(&mut self, n: i32, sure: bool) {
        if sure {
            self.sure += n;
        } else {
            self.unsure += n;
        }
    }

    /// Flits that were in use for sure may be gone.
    pub fn doubt(&mut self, n: i32) {
        self.sure -= n;
        self.unsure += n;
    }

    /// A message says that all that may be in use is: in the cycle given back nothing of it was free.
    pub fn keeps(&self, value: u16, now: u64) -> Option<u64> {
        let is = self.least.len() as u64 > self.late && self.least.front() == Some(&(value, true));
        is.then(|| now.saturating_sub(self.late + 1))
    }

    /// Flits that may be in use are.
    pub fn trust(&mut self, n: i32) {
        self.doubt(-n);
    }

    fn value(&self, free: i32) -> u16 {
        ((i32::from(self.received) + free) & 0xfff) as u16
    }

    /// A message; the error says how far it is off. `Ok(true)`: all blocks are free, and it says so.
    pub fn message(&mut self, value: u16, now: u64) -> Result<bool, Wrong> {
        self.pending.push_back((now, value));
        if now >= self.from + self.late && self.announced.is_none_or(|a| ahead(value, a) > 0) {
            self.announced = Some(value);
        }
        if self.least.len() as u64 > self.late
            && let Some(least) = self.least.front()
            && let Some(by) = wrongly_ahead(least.0, value, self.capacity + self.late as i32 + 2)
        {
            return Err(Wrong::TooLittle(by));
        }
        Ok(self.sure + self.unsure == 0 && value == self.value(self.capacity))
    }

    /// The end of a cycle's outputs, before its inputs. `Ok(true)`: blocks that may be in use are free, as a message says.
    pub fn cycle(&mut self, now: u64) -> Result<bool, Wrong> {
        let most = self.value(self.capacity - self.sure);
        let mut freed = false;
        while let Some((at, value)) = self.pending.front().copied().filter(|m| m.0 + self.early <= now) {
            self.pending.pop_front();
            if at >= self.from + self.late {
                if let Some(by) = wrongly_ahead(value, most, self.capacity + self.early as i32) {
                    return Err(Wrong::TooMuch(by));
                }
                // It would be no more than a value of now, and nothing was taken in since: the least is the most.
                freed |= value == most && self.unsure > 0;
            }
        }
        let free = self.capacity - self.sure - self.unsure;
        self.least.push_back((self.value(free.max(0)), free >= 0));
        if self.least.len() as u64 > self.late + 1 {
            self.least.pop_front();
        }
        Ok(freed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A VL of 8 blocks that has run for so long that everything is judged: 4 cycles late, 1 early.
    fn running() -> Credits {
        let mut c = Credits::new(8, 4, 1);
        (0..10).for_each(|now| _ = c.cycle(now).unwrap());
        c
    }

    #[test]
    fn as_many_blocks_as_half_of_what_is_counted_may_be_in_use_or_not() {
        let unsure = || {
            let mut c = Credits::new(2048, 4, 1);
            c.hold(2048, false);
            (0..10).for_each(|now| _ = c.cycle(now).unwrap());
            c
        };
        // None is free, and a flit comes; all are.
        let mut c = unsure();
        assert_eq!(c.message(0, 10), Ok(false));
        c.receive();
        assert_eq!((c.cycle(10), c.cycle(11)), (Ok(false), Ok(false)));
        let mut c = unsure();
        assert_eq!((c.message(2048, 10), c.cycle(10), c.cycle(11)), (Ok(false), Ok(false), Ok(true)));
        // One more than there are; one less than none.
        let mut c = unsure();
        assert_eq!(
            (c.message(2049, 10), c.cycle(10), c.cycle(11)),
            (Ok(false), Ok(false), Err(Wrong::TooMuch(1)))
        );
        assert_eq!(unsure().message(4095, 10), Err(Wrong::TooLittle(1)));
    }

    #[test]
    fn credits_are_judged_by_what_is_free_within_the_tolerances() {
        let mut c = running();
        assert_eq!(c.message(8, 10), Ok(true));
        assert!(c.promised(8) && !c.promised(9));
        c.cycle(10).unwrap();
        // Three flits come, two leave: 8 + 2 from now on, 8 until 5 cycles later.
        for _ in 0..3 {
            c.receive();
            c.hold(1, true);
        }
        assert_eq!(c.message(8, 11), Ok(false));
        c.cycle(11).unwrap();
        c.hold(-2, true);
        for now in 12..17 {
            assert_eq!(c.message(if now < 16 { 8 } else { 10 }, now), Ok(false), "{now}");
            c.cycle(now).unwrap();
        }
        assert_eq!(c.message(8, 17), Err(Wrong::TooLittle(2)));
        // One too many: known a cycle later, when nothing left.
        assert_eq!(c.message(11, 17), Ok(false));
        c.cycle(17).unwrap();
        assert_eq!(c.cycle(18), Err(Wrong::TooMuch(1)));
    }

    #[test]
    fn what_may_be_gone_may_be_announced_and_need_not() {
        let mut c = running();
        c.receive();
        c.hold(1, true);
        c.doubt(1);
        for now in 10..20 {
            for value in [8, 9] {
                c.message(value, now).unwrap();
            }
            // Which of both it is a message says, that nothing has left behind.
            assert_eq!(c.cycle(now), Ok(now > 10));
        }
        c.hold(-1, false);
        (20..30).for_each(|now| _ = c.cycle(now).unwrap());
        assert_eq!(c.message(8, 30), Err(Wrong::TooLittle(1)));
    }

    #[test]
    fn a_correction_or_a_link_that_was_down_begins_anew() {
        let mut c = running();
        c.correct(100, 10);
        assert!(!c.promised(1));
        c.message(8, 11).unwrap();
        (11..14).for_each(|now| _ = c.cycle(now).unwrap());
        c.message(108, 14).unwrap();
        (14..30).for_each(|now| _ = c.cycle(now).unwrap());
        assert_eq!(c.message(8, 30), Err(Wrong::TooLittle(100)));
        c.down(30);
        c.message(8, 31).unwrap();
    }

    #[test]
    fn what_is_not_given_back_for_long_is_in_use() {
        let mut c = running();
        for _ in 0..3 {
            c.receive();
        }
        c.hold(1, true);
        c.hold(2, false);
        // (3 came, 5 are free.)
        let kept = (10..16).map(|now| {
            let kept = c.keeps(8, now);
            c.cycle(now).unwrap();
            kept
        });
        // For 4 cycles all might be free still; what is said now was said of the cycle before these.
        let kept: Vec<Option<u64>> = kept.collect();
        assert_eq!((kept[4], kept[5]), (Some(9), Some(10)));
        assert_eq!(c.keeps(9, 16), None);
        c.trust(2);
        assert_eq!((c.held(), c.sure), (3, 3));
        // What has no room at once cannot all be there.
        c.hold(9, false);
        (16..30).for_each(|now| _ = c.cycle(now).unwrap());
        assert_eq!(c.keeps(3, 30), None);
    }
}
