//! Marks (M1, M2): on eligible packets, and on no more of them than the rate says.
//!
//! Whether a port is congested is inside; so packets that might be eligible are counted, and marks judged by the most that there may be.

/// What the registers of an output say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marking {
    on: bool,
    mode: u32,
    rate: u32,
    fraction: u32,
    size: usize,
    /// Eligible packets and marks since the last write.
    eligible: u64,
    marks: u64,
    /// Of packets that are eligible for sure: all, and marks.
    sure: (u64, u64),
    /// What may be marked in packets of the counter: 1 for each eligible one, `rate + 1` for a mark. Of each VL.
    since: [u64; 64],
    /// The last write.
    written: u64,
}

/// What is wrong with a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The packet is not eligible.
    Not(&'static str),
    /// Marks and eligible packets, and the most that are to be marked.
    TooMany(u64, u64, u64),
}

impl Marking {
    pub fn new() -> Marking {
        Marking {
            on: false,
            mode: 0,
            rate: 0,
            fraction: 256,
            size: 0,
            eligible: 0,
            marks: 0,
            sure: (0, 0),
            since: [u64::MAX / 2; 64],
            written: 0,
        }
    }

    fn anew(&mut self, now: u64) {
        (self.eligible, self.marks, self.sure, self.written) = (0, 0, (0, 0), now);
        self.since = [u64::MAX / 2; 64];
    }

    /// A write of CTRL.
    pub fn ctrl(&mut self, data: u32, now: u64) {
        (self.on, self.mode) = (data & 1 == 1, data >> 5 & 3);
        self.anew(now);
    }

    pub fn rate(&mut self, data: u32, now: u64) {
        self.rate = data & 0xffff;
        self.anew(now);
    }

    pub fn fraction(&mut self, data: u32, now: u64) {
        self.fraction = (data & 0x1ff).min(256);
        self.anew(now);
    }

    /// Draws begin anew.
    pub fn seed(&mut self, now: u64) {
        self.anew(now);
    }

    pub fn size(&mut self, data: u32, now: u64) {
        self.size = (data & 0xff) as usize;
        self.anew(now);
    }

    /// The last write has been seen.
    fn settled(&self, now: u64, late: u64) -> bool {
        self.written == 0 || now > self.written + late
    }

    /// Marks by chance: how probable one is.
    fn chance(&self) -> Option<f64> {
        match self.mode {
            1 => Some(1.0 / (f64::from(self.rate) + 1.0)),
            2 => Some(f64::from(self.fraction) / 256.0),
            _ => None,
        }
    }

    /// A packet of `n` flits that may be marked met congestion for sure, and is marked or not: all like it and their marks, if by chance there are
    /// to be more.
    pub fn met(&mut self, n: usize, marked: bool, now: u64, late: u64) -> Option<(u64, u64)> {
        let settled = self.settled(now, late);
        let chance = self.chance().filter(|_| settled && self.on && n >= self.size)?;
        self.sure = (self.sure.0 + 1, self.sure.1 + u64::from(marked));
        let mean = self.sure.0 as f64 * chance;
        ((self.sure.1 as f64) < mean - spread(mean, chance)).then_some(self.sure)
    }

    /// In the mode of the counter one of so many packets is marked, which may be and have `n` flits, while the port is congested.
    pub fn every(&self, n: usize, may: bool, now: u64, late: u64) -> Option<u64> {
        let counts =
            self.settled(now, late) && self.on && may && n >= self.size && !matches!(self.mode, 1 | 2);
        counts.then(|| u64::from(self.rate) + 1)
    }

    /// A packet leaves that may be marked (`may`), of `n` flits; `marked` here, in cycle `now` at the earliest. `late`: a write is seen so many
    /// cycles later at most; `more` marks than the rate allows are allowed. `Ok(true)`: a mark was judged.
    pub fn packet(
        &mut self,
        (vl, n, may, marked): (usize, usize, bool, bool),
        now: u64,
        (late, more): (u64, u64),
    ) -> Result<bool, Wrong> {
        if !self.settled(now, late) {
            // (It may be counted, though it is not judged.)
            self.since[vl] = self.since[vl].saturating_add(u64::from(!marked));
            return Ok(false);
        }
        let why = match (may, self.on, n < self.size) {
            (false, ..) => Some("it is a reply, has no BTH, or goes to many"),
            (_, false, _) => Some("mark_en is 0"),
            (.., true) => Some("it is shorter than PACKET_SIZE"),
            _ => None,
        };
        if let Some(why) = why {
            return if marked { Err(Wrong::Not(why)) } else { Ok(false) };
        }
        self.eligible += 1;
        let every = u64::from(self.rate) + 1;
        if !marked {
            self.since[vl] = self.since[vl].saturating_add(1);
            return Ok(false);
        }
        self.marks += 1;
        let Some(chance) = self.chance() else {
            // Between two marks there are `rate` others.
            let saved = self.since[vl].saturating_add(1).min(every * (1 + more));
            if saved < every {
                return Err(Wrong::TooMany(1, saved, 0));
            }
            self.since[vl] = saved - every;
            return Ok(true);
        };
        let mean = self.eligible as f64 * chance;
        let most = mean + spread(mean, chance);
        let most = most.min(u64::MAX as f64 / 2.0) as u64 + more;
        if self.marks > most { Err(Wrong::TooMany(self.marks, self.eligible, most)) } else { Ok(true) }
    }
}

/// How far from their mean marks by chance are, and 8.
pub(super) fn spread(mean: f64, chance: f64) -> f64 {
    7.0 * (mean * (1.0 - chance)).sqrt() + 8.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: (u64, u64) = (4, 0);

    fn marking(ctrl: u32) -> Marking {
        let mut m = Marking::new();
        m.ctrl(ctrl, 1);
        m.size(2, 2);
        m
    }

    #[test]
    fn only_eligible_packets_are_marked() {
        let mut m = marking(1);
        // A write that may not have been seen.
        assert_eq!(m.packet((0, 1, false, true), 5, LATE), Ok(false));
        assert_eq!(m.packet((0, 2, true, true), 10, LATE), Ok(true));
        for (n, may, why) in [
            (2, false, "it is a reply, has no BTH, or goes to many"),
            (1, true, "it is shorter than PACKET_SIZE"),
        ] {
            assert_eq!(m.packet((0, n, may, true), 11, LATE), Err(Wrong::Not(why)));
            assert_eq!(m.packet((0, n, may, false), 11, LATE), Ok(false));
        }
        m.ctrl(0, 12);
        assert_eq!(m.packet((0, 2, true, true), 20, LATE), Err(Wrong::Not("mark_en is 0")));
    }

    #[test]
    fn the_counter_lets_packets_pass_between_marks() {
        let mut m = marking(1);
        m.rate(2, 3);
        let mut go = |vl, marked| m.packet((vl, 2, true, marked), 10, LATE);
        assert_eq!((go(0, true), go(1, true)), (Ok(true), Ok(true)));
        assert_eq!((go(0, false), go(0, false), go(0, true)), (Ok(false), Ok(false), Ok(true)));
        assert_eq!((go(0, false), go(0, true)), (Ok(false), Err(Wrong::TooMany(1, 2, 0))));
        // With a tolerance of one mark more.
        let mut m = marking(1);
        m.rate(2, 3);
        let mut go = |marked| m.packet((0, 2, true, marked), 10, (4, 1));
        assert_eq!((go(true), go(true)), (Ok(true), Ok(true)));
        assert!(go(true).is_err());
    }

    #[test]
    fn chances_are_judged_by_many() {
        for (ctrl, set) in
            [(1 << 5, Marking::rate as fn(&mut Marking, u32, u64)), (2 << 5, Marking::fraction)]
        {
            let mut m = marking(1 | ctrl);
            set(&mut m, if ctrl == 1 << 5 { 15 } else { 16 }, 3);
            let fine = (0..1600).all(|i| m.packet((0, 2, true, i % 16 == 3), 10, LATE).is_ok());
            assert!(fine);
            let told = (0..1000).find_map(|i| m.packet((0, 2, true, i % 4 == 0), 10, LATE).err());
            assert!(matches!(told, Some(Wrong::TooMany(..))), "{told:?}");
            // And of those that are eligible for sure enough.
            assert_eq!((0..1600).find_map(|i| m.met(2, i % 16 == 3, 10, 4)), None);
            assert!((0..4000).any(|_| m.met(2, false, 10, 4).is_some()));
        }
    }
}
