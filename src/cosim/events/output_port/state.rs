//! The congestion state of an output (D1 to D3, D5, D6): what it must be, as far as pins tell.

use super::room::Fit;

/// Something that is known or not, and since when.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    value: Option<bool>,
    since: u64,
}

impl Known {
    fn is(&mut self, value: Option<bool>, now: u64) {
        if value != self.value {
            *self = Known { value, since: now };
        }
    }

    /// It is so for longer than `late`.
    fn settled(&self, now: u64, late: u64) -> Option<bool> {
        self.value.filter(|_| now - self.since > late)
    }
}

/// One VL.
#[derive(Clone, Copy, Debug)]
struct Lane {
    contributes: Known,
    /// The sum of the fills is above its thresholds.
    above: Option<bool>,
    /// The last cycle in which fills could make it so, by the least threshold.
    loud: u64,
    /// Data have waited for credits since the last grant; the last packet granted had not.
    waited: Option<bool>,
    /// Cycles in a row in which data that could go lacked credits for sure.
    lacks: u64,
    rooted: Known,
    /// Credit for an MTU.
    credit: Known,
}

/// What an input says of a VL: congestion bits and fills of all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Contributions {
    pub congested: bool,
    pub sum: u64,
    pub filled: u64,
}

/// The registers, and tolerances.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Until a register is seen, and until the state shows what makes it.
    grant: u64,
    late: u64,
    victim: bool,
    eval: u32,
    root_now: bool,
    at_once: bool,
    high: u64,
    low: u64,
    /// The least SUM_HTH that may hold.
    least: u64,
    /// The last write of any.
    written: Option<u64>,
    lanes: Vec<Lane>,
    /// The last cycle in which the state of a VL was 0, or 1.
    seen: Vec<[Option<u64>; 2]>,
}

impl State {
    pub fn new(vls: usize, mtu: usize, (grant, late): (u64, u64)) -> State {
        let known = |value| Known { value: Some(value), since: 0 };
        let lane = Lane {
            contributes: known(false),
            above: Some(false),
            loud: 0,
            waited: Some(false),
            lacks: 0,
            rooted: known(true),
            credit: known(false),
        };
        State {
            grant,
            late,
            victim: false,
            eval: 0,
            root_now: false,
            at_once: false,
            high: 6 * mtu as u64,
            low: 4 * mtu as u64,
            least: 6 * mtu as u64,
            written: None,
            lanes: vec![lane; vls],
            seen: vec![[None; 2]; vls],
        }
    }

    /// A write of CTRL.
    pub fn ctrl(&mut self, data: u32, now: u64) {
        self.victim = data >> 2 & 1 == 1;
        self.eval = data >> 3 & 3;
        self.at_once = data >> 8 & 1 == 1;
        self.root_now = data >> 13 & 1 == 1;
        self.written = Some(now);
    }

    pub fn high(&mut self, data: u32, now: u64) {
        let before = if self.unsettled(now, 0) { self.least.min(self.high) } else { self.high };
        (self.high, self.written) = (u64::from(data & 0xffff), Some(now));
        if self.high < before {
            self.lanes.iter_mut().for_each(|l| l.loud = now);
        }
        self.least = before.min(self.high);
    }

    pub fn low(&mut self, data: u32, now: u64) {
        (self.low, self.written) = (u64::from(data & 0xffff).max(1), Some(now));
    }

    fn unsettled(&self, now: u64, more: u64) -> bool {
        self.written.is_some_and(|w| now - w <= self.grant + more)
    }

    /// What `cong_state` of a VL must be in this cycle, if it must be something.
    pub fn must(&self, v: usize, now: u64) -> Option<bool> {
        let lane = &self.lanes[v];
        if self.unsettled(now, self.late) {
            return None;
        }
        let root = match (self.victim, self.root_now) {
            (true, _) => Some(true),
            (_, true) => lane.credit.settled(now, self.late),
            _ => lane.rooted.settled(now, self.late),
        };
        match (lane.contributes.settled(now, self.late), root) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }

    /// What it is.
    pub fn shows(&mut self, v: usize, value: bool, now: u64) {
        self.seen[v][usize::from(value)] = Some(now);
    }

    /// A first flit came in cycle `at` and leaves now: whether it met congestion for sure; `None`: it may have.
    pub fn met(&self, v: usize, at: u64, now: u64) -> Option<bool> {
        let within = |s: Option<u64>| s.is_some_and(|s| s + self.late >= at);
        match self.seen[v].map(within) {
            _ if self.at_once || self.unsettled(now, self.late) => None,
            [false, true] => Some(true),
            [true, false] => Some(false),
            _ => None,
        }
    }

    /// The end of a cycle in which inputs said this of VL `v`, whose data ask with the crossbar free (`waits`), and are granted.
    pub fn cycle(
        &mut self,
        v: usize,
        said: Contributions,
        fit: Fit,
        (waits, granted): (bool, bool),
        now: u64,
    ) {
        let unsettled = self.unsettled(now, 0);
        let (eval, high, low) = (self.eval, self.high, self.low);
        if !unsettled {
            self.least = high;
        }
        let (least, late) = (self.least, self.late);
        let lane = &mut self.lanes[v];
        if said.sum * said.filled > least {
            lane.loud = now;
        }
        let sums = eval == 1 || eval == 2;
        lane.above = match said.sum * if eval == 2 { said.filled } else { 1 } {
            // By none of the settings that may hold it comes to be above.
            _ if unsettled => lane.above.filter(|above| !above && now - lane.loud > late),
            _ if !sums => Some(false),
            sum if sum > high => Some(true),
            sum if sum < low => Some(false),
            _ => lane.above,
        };
        let contributes = if sums { lane.above } else { Some(said.congested) };
        lane.contributes.is(contributes.filter(|_| !unsettled), now);
        let credit = if fit.may { Some(true).filter(|_| fit.sure) } else { Some(false) };
        lane.credit.is(credit, now);
        lane.lacks = if credit == Some(false) { lane.lacks + u64::from(waits) } else { 0 };
        if granted {
            lane.rooted.is(lane.waited.map(|w| !w), now);
            lane.waited = Some(false);
            lane.lacks = 0;
        } else if waits && credit != Some(true) && lane.waited != Some(true) {
            // (One that looks at its requests more slowly may not have seen it.)
            lane.waited = (lane.lacks > late).then_some(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Fit = Fit { may: true, sure: true };
    const NONE: Fit = Fit { may: false, sure: false };
    const PERHAPS: Fit = Fit { may: true, sure: false };

    fn cong(congested: bool) -> Contributions {
        Contributions { congested, ..Contributions::default() }
    }

    fn fills(sum: u64, filled: u64) -> Contributions {
        Contributions { congested: false, sum, filled }
    }

    /// Says so for cycles 10 to 19; what must be in cycle 20.
    fn after(s: &mut State, said: Contributions, fit: Fit) -> Option<bool> {
        (10..20).for_each(|now| s.cycle(0, said, fit, (false, false), now));
        s.must(0, 20)
    }

    fn state() -> State {
        State::new(1, 4, (4, 3))
    }

    #[test]
    fn a_root_with_contributions_is_congested() {
        let mut s = state();
        s.cycle(0, cong(true), ROOM, (false, false), 10);
        assert_eq!((s.must(0, 13), s.must(0, 14)), (None, Some(true)));
        s.cycle(0, cong(false), ROOM, (false, false), 14);
        assert_eq!((s.must(0, 17), s.must(0, 18)), (None, Some(false)));
    }

    #[test]
    fn a_port_whose_packets_waited_is_none() {
        for (fit, root) in [(ROOM, Some(true)), (NONE, Some(false)), (PERHAPS, None)] {
            let mut s = state();
            (1..5).for_each(|now| s.cycle(0, cong(true), fit, (true, false), now));
            s.cycle(0, cong(true), ROOM, (true, true), 5);
            assert_eq!(after(&mut s, cong(true), ROOM), root);
            // Unless it is a victim.
            s.ctrl(4, 5);
            assert_eq!(after(&mut s, cong(true), ROOM), Some(true));
            s.ctrl(0, 5);
            s.cycle(0, cong(true), ROOM, (true, true), 9);
            assert_eq!(after(&mut s, cong(true), ROOM), Some(true));
        }
        // Credits that came soon may have been there when it looked.
        let mut s = state();
        (1..4).for_each(|now| s.cycle(0, cong(true), NONE, (true, false), now));
        s.cycle(0, cong(true), ROOM, (true, true), 4);
        assert_eq!(after(&mut s, cong(true), ROOM), None);
        // By the credit of now.
        for (fit, root) in [(ROOM, Some(true)), (NONE, Some(false)), (PERHAPS, None)] {
            let mut s = state();
            s.ctrl(1 << 13, 1);
            assert_eq!(after(&mut s, cong(true), fit), root);
        }
    }

    #[test]
    fn sums_are_compared_with_two_thresholds() {
        for (eval, high, between, low) in
            [(1, fills(25, 1), fills(20, 1), fills(15, 3)), (2, fills(13, 2), fills(9, 2), fills(7, 2))]
        {
            let mut s = state();
            s.ctrl(eval << 3, 1);
            s.cycle(0, between, ROOM, (false, false), 2);
            assert_eq!(after(&mut s, between, ROOM), None);
            s.high(24, 2);
            s.low(16, 2);
            assert_eq!(after(&mut s, high, ROOM), Some(true));
            assert_eq!(after(&mut s, between, ROOM), Some(true));
            assert_eq!(after(&mut s, low, ROOM), Some(false));
            assert_eq!(after(&mut s, between, ROOM), Some(false));
        }
    }

    #[test]
    fn sums_between_the_thresholds_do_not_raise_the_state_when_they_come_to_count() {
        for (sum, must) in [(20, Some(false)), (25, None)] {
            let mut s = state();
            s.high(24, 1);
            (1..10).for_each(|now| s.cycle(0, fills(sum, 1), ROOM, (false, false), now));
            s.ctrl(1 << 3, 10);
            (10..15).for_each(|now| s.cycle(0, fills(sum, 1), ROOM, (false, false), now));
            (15..30).for_each(|now| s.cycle(0, fills(20, 1), ROOM, (false, false), now));
            assert_eq!(s.must(0, 30), must);
        }
    }

    #[test]
    fn what_a_packet_met_is_what_was_shown_about_its_first_flit() {
        let mut s = state();
        (0..10).for_each(|now| s.shows(0, false, now));
        (10..20).for_each(|now| s.shows(0, true, now));
        assert_eq!((s.met(0, 9, 9), s.met(0, 12, 13), s.met(0, 13, 13)), (None, None, Some(true)));
        let mut s = state();
        (0..10).for_each(|now| s.shows(0, false, now));
        assert_eq!(s.met(0, 9, 9), Some(false));
        s.ctrl(1 << 8, 10);
        assert_eq!(s.met(0, 9, 30), None);
    }
}
