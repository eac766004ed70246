//! Credits given back for what came (YW2): one pulse for each flit, not more, and in time.

use std::collections::VecDeque;

use crate::cosim::events::scoreboard::{Broken, broken};

/// Pulses that the lanes of a link owe its sender.
#[derive(Clone, Debug)]
pub(in crate::cosim::events) struct Pulses {
    name: String,
    /// By when each must have been given, the first one first.
    owed: Vec<VecDeque<u64>>,
}

impl Pulses {
    /// `name` is said before what is told of it.
    pub fn new(name: String, lanes: usize) -> Pulses {
        Pulses { name, owed: vec![VecDeque::new(); lanes] }
    }

    /// A lane owes one more.
    pub fn owe(&mut self, lane: usize, by: u64) {
        let owed = &mut self.owed[lane];
        let at = owed.partition_point(|o| *o <= by);
        owed.insert(at, by);
    }

    /// How many a lane owes.
    pub fn owes(&self, lane: usize) -> usize {
        self.owed[lane].len()
    }

    /// The link is down: nothing is owed.
    pub fn fall(&mut self) {
        self.owed.iter_mut().for_each(VecDeque::clear);
    }

    /// A pulse; before what comes in the same cycle.
    pub fn gives(&mut self, lane: usize) -> Result<(), Broken> {
        if self.owed[lane].pop_front().is_none() {
            let text = format!("{}, lane {lane}: a credit is given for which no flit came", self.name);
            return broken("overdrawn", "YW2", text);
        }
        Ok(())
    }

    /// None is late.
    pub fn look(&self, now: u64) -> Result<(), Broken> {
        let late = |o: &VecDeque<u64>| o.front().is_some_and(|by| *by < now);
        if let Some(lane) = self.owed.iter().position(late) {
            let n = self.owed[lane].len();
            let text = format!("{}, lane {lane}: {n} credits owed, one for too long", self.name);
            return broken("leak", "YW2", text);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::events::scoreboard::kind;

    #[test]
    fn each_flit_gives_one_pulse_in_time() {
        let mut p = Pulses::new("link".into(), 2);
        assert_eq!(kind(p.gives(0)), "overdrawn");
        p.owe(0, 20);
        p.owe(0, 10);
        assert_eq!((p.owes(0), p.look(10), kind(p.look(11))), (2, Ok(()), "leak"));
        // The first that is due is meant.
        p.gives(0).unwrap();
        assert_eq!((p.look(20), kind(p.look(21)), kind(p.gives(1))), (Ok(()), "leak", "overdrawn"));
        p.fall();
        assert_eq!((p.look(30), kind(p.gives(0))), (Ok(()), "overdrawn"));
    }
}
