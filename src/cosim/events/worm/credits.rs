//! The credits of the lanes of a link that sends (YW2): one for each flit that the next hop has room for.

use crate::cosim::events::scoreboard::{Broken, broken};

/// The credits of a lane.
#[derive(Clone, Debug)]
struct Lane {
    /// Those that are there, as seen on the link.
    left: usize,
    /// Pulses that came when all seemed to be home: one counts if a flit had been chosen that was not on the link yet.
    extra: usize,
    /// Since when there is one.
    open: Option<u64>,
    /// Since when one is away.
    away: Option<u64>,
}

/// The credits of all lanes of a link.
#[derive(Clone, Debug)]
pub(in crate::cosim::events) struct Credits {
    name: String,
    depth: usize,
    lanes: Vec<Lane>,
    /// Since when the link is up.
    up: Option<u64>,
}

impl Credits {
    /// `name` is said before what is told of it.
    pub fn new(name: String, lanes: usize, depth: usize) -> Credits {
        let lane = Lane { left: depth, extra: 0, open: None, away: None };
        Credits { name, depth, lanes: vec![lane; lanes], up: None }
    }

    /// Since when the link is up.
    pub fn up(&self) -> Option<u64> {
        self.up
    }

    /// Since when a lane has a credit for sure.
    pub fn open(&self, lane: usize) -> Option<u64> {
        self.lanes[lane].open
    }

    /// Since when a credit of a lane has been away.
    pub fn away(&self, lane: usize) -> Option<u64> {
        self.lanes[lane].away
    }

    /// The link of this cycle; `true` if it fell. With a fall all credits are home.
    pub fn link(&mut self, up: bool, now: u64) -> bool {
        let was = self.up;
        if up {
            if was.is_none() {
                self.up = Some(now);
                self.lanes.iter_mut().for_each(|l| l.open = Some(now));
            }
            return false;
        }
        self.up = None;
        self.lanes.fill(Lane { left: self.depth, extra: 0, open: None, away: None });
        was.is_some()
    }

    /// A flit is on the link.
    pub fn sends(&mut self, lane: usize, now: u64) -> Result<(), Broken> {
        let l = &mut self.lanes[lane];
        if l.left == 0 && l.extra == 0 {
            let text = format!("{}, lane {lane}: a flit, and all {} credits are used", self.name, self.depth);
            return broken("credit", "YW2", text);
        }
        if l.left == 0 {
            l.extra -= 1;
        } else {
            l.left -= 1;
        }
        l.away = if l.left + l.extra < self.depth { l.away.or(Some(now)) } else { None };
        if l.left == 0 {
            l.open = None;
        }
        Ok(())
    }

    /// A credit comes home; after what is on the link in this cycle.
    pub fn comes(&mut self, lane: usize, now: u64) {
        let l = &mut self.lanes[lane];
        if l.left < self.depth {
            l.left += 1;
        } else {
            l.extra = (l.extra + 1).min(self.depth);
        }
        if l.left + l.extra >= self.depth {
            l.away = None;
        }
        l.open = l.open.or(self.up.map(|_| now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::events::scoreboard::kind;

    #[test]
    fn a_flit_needs_a_credit_of_its_lane() {
        let mut c = Credits::new("link".into(), 2, 2);
        assert!(!c.link(true, 1));
        c.sends(0, 2).unwrap();
        c.sends(0, 3).unwrap();
        assert_eq!((c.open(0), c.away(0), c.open(1), c.away(1)), (None, Some(2), Some(1), None));
        assert_eq!(kind(c.sends(0, 4)), "credit");
        c.sends(1, 4).unwrap();
        c.comes(0, 5);
        assert_eq!((c.open(0), c.away(0)), (Some(5), Some(2)));
        c.sends(0, 6).unwrap();
        assert_eq!(kind(c.sends(0, 6)), "credit");
        // With a fall they are home.
        assert!(c.link(false, 7) && !c.link(false, 8) && !c.link(true, 9));
        assert_eq!((c.open(0), c.away(0)), (Some(9), None));
        c.sends(0, 9).unwrap();
    }

    #[test]
    fn a_pulse_too_many_may_count_once() {
        let mut c = Credits::new("link".into(), 1, 2);
        c.link(true, 1);
        c.comes(0, 2);
        (3..6).for_each(|now| c.sends(0, now).unwrap());
        assert_eq!(kind(c.sends(0, 6)), "credit");
    }
}
