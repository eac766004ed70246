//! How a switch finds congestion (rules D1, D4, D5; E1 for one queue).

choice! {
    /// Detector of a switch.
    Detector {
        /// Nothing is looked for.
        None "-",
        /// The fill of each VOQ against two thresholds (D1, D4), or the sum of an output's (D5).
        Fill "fill of a VOQ",
        /// The fill of the one queue, and how long its head has asked in vain (E1).
        Head "head of the queue",
        /// An input buffer that becomes full: the packets that are in it then (SM1-SM3).
        Naive "full buffer",
        /// The same: as many of each output concerned as wait for it, from whatever input (SM4).
        Input "full buffer, counts",
        /// And an output for which too many packets wait (SM5).
        InputOutput "full buffer, counts, outputs",
        /// The level of an input buffer, and what waits for an output (VM1, VM2).
        Levels "levels of buffer and output",
    }
}

impl Detector {
    /// It has a bit for each cold queue, which follows the queue's fill.
    #[inline]
    pub fn follows_fills(self) -> bool {
        self == Detector::Fill
    }

    /// It knows an output by its congestion state (D2, D3), from contributions of queues.
    pub fn makes_states(self) -> bool {
        matches!(self, Detector::Fill | Detector::Head)
    }

    /// It needs what MARKERS = 1 builds: levels, events and counts of packets that may be marked.
    pub fn needs_markers(self) -> bool {
        self.looks_for_full_buffers() || self == Detector::Levels
    }

    /// It is about buffers that become full.
    pub fn looks_for_full_buffers(self) -> bool {
        matches!(self, Detector::Naive | Detector::Input | Detector::InputOutput)
    }

    /// What an output marks by its counts: the field `det` of its register.
    pub fn counts(self) -> u32 {
        match self {
            Detector::Input => 2,
            Detector::InputOutput => 3,
            _ => 0,
        }
    }
}

/// High and low threshold, in flits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Above it a bit is set.
    pub high: u32,
    /// Below it a bit is cleared; setting wins.
    pub low: u32,
}

impl Thresholds {
    /// D1: the next value of a bit.
    #[inline]
    pub fn next(self, was: bool, fill: u32) -> bool {
        fill > self.high || was && fill >= self.low
    }

    /// D4: thresholds of the cold queues, of which one VL owns `cap` flits; these, if there is no weight. None: never.
    #[inline]
    pub fn weighted(self, weight: Option<u32>, cap: u32) -> Option<Thresholds> {
        match weight {
            None => Some(self),
            Some(0) => None,
            Some(w) => {
                let high = (16 - w) * (cap / 16);
                Some(Thresholds { high, low: high.saturating_sub(self.high.saturating_sub(self.low)).max(1) })
            }
        }
    }
}

/// D5: the evaluation that a register's field names; one that is not there is that of each queue.
#[inline]
pub fn evaluation(field: u32) -> u32 {
    if field > 2 { 0 } else { field }
}

/// D5: what is held against the thresholds on the sum: it, or (`eval` 2) its product with the inputs that hold anything.
#[inline]
pub fn evaluated(eval: u32, sum: u32, holders: u32) -> u32 {
    if eval == 2 { sum * holders } else { sum }
}

/// SM1: a buffer that becomes full: its level passes a threshold upwards, and a packet came since it was full last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FullBuffer {
    /// The level was above the threshold in the cycle before.
    pub full: bool,
    /// A packet came since.
    pub armed: bool,
}

impl FullBuffer {
    /// It becomes full in this cycle; `over`: the level is above the threshold.
    #[inline]
    pub fn fills(self, over: bool) -> bool {
        over && !self.full && self.armed
    }

    /// The next cycle's; `came`: a packet was accepted.
    #[inline]
    pub fn next(self, over: bool, came: bool) -> FullBuffer {
        FullBuffer { full: over, armed: came || self.armed && !self.fills(over) }
    }
}

/// SM4: packets of a lane that wait for an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub all: u32,
    /// So many next ones are marked.
    pub marked: u32,
}

/// What happens to [`Counts`] in a cycle.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// So many enter.
    pub enter: u32,
    /// One leaves.
    pub leaves: bool,
    /// Where the counts stop.
    pub most: u32,
}

impl Counts {
    /// Where they stop in a switch: what its inputs of `cap` flits a lane can hold, and what is on its way, to the next power of two.
    pub fn most(ports: usize, cap: usize) -> u32 {
        (ports * cap + ports + 1).next_power_of_two() as u32 - 1
    }

    /// How many wait after a cycle.
    #[inline]
    pub fn wait_after(self, s: Step) -> u32 {
        (self.all - u32::from(s.leaves && self.all > 0) + s.enter).min(s.most)
    }

    /// How many of those that waited before are still to be marked after it.
    #[inline]
    pub fn left_after(self, s: Step) -> u32 {
        self.marked - u32::from(s.leaves && self.marked > 0)
    }

    /// The next cycle's; `triggered`: all that wait then are to be marked. None: nobody is marked by a count.
    #[inline]
    pub fn next(self, s: Step, triggered: Option<bool>) -> Counts {
        let all = self.wait_after(s);
        let marked = match triggered {
            None => 0,
            Some(true) => all,
            Some(false) => self.left_after(s),
        };
        Counts { all, marked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_fills_once_for_each_packet_at_most() {
        let mut b = FullBuffer::default();
        let mut fills = |over, came| {
            let fills = b.fills(over);
            b = b.next(over, came);
            fills
        };
        // Nothing came; a packet comes, the level hovers; another one comes in the cycle of the fill.
        let cycles =
            [(true, false), (false, true), (true, false), (false, false), (true, false), (false, true)];
        assert_eq!(cycles.map(|(over, came)| fills(over, came)), [false, false, true, false, false, false]);
        let cycles = [(true, true), (true, false), (false, false), (true, false)];
        assert_eq!(cycles.map(|(over, came)| fills(over, came)), [true, false, false, true]);
    }

    #[test]
    fn counts_stay_within_each_other() {
        let mut c = Counts::default();
        for i in 0..4000u32 {
            let s = Step { enter: i * 7 % 4, leaves: i % 3 > 0, most: 15 };
            let triggered = [None, Some(false), Some(false), Some(true)][(i / 5 % 4) as usize];
            let next = c.next(s, triggered);
            assert!(next.marked <= next.all && next.all <= 15);
            assert!(triggered != Some(true) || next.marked == next.all && next.marked >= c.left_after(s));
            assert_eq!(triggered.is_none(), next.marked == 0 && triggered.is_none());
            c = next;
        }
        // The timing of section 12 of the output port's page.
        let mut c = Counts::default();
        let shown = [(2, false), (1, false), (0, true), (0, true), (0, true)].map(|(enter, leaves)| {
            let s = Step { enter, leaves, most: 63 };
            let trigger = enter > 0 && c.wait_after(s) > 2 || c.marked == 1;
            c = c.next(s, Some(trigger));
            (c.all, c.marked)
        });
        assert_eq!(shown, [(2, 0), (3, 3), (2, 2), (1, 1), (0, 0)]);
    }

    #[test]
    fn a_bit_keeps_between_the_thresholds_and_setting_wins() {
        let t = Thresholds { high: 6, low: 4 };
        assert_eq!(
            [3, 4, 6, 7].map(|fill| (t.next(false, fill), t.next(true, fill))),
            [(false, false), (false, true), (false, true), (true, true)]
        );
        assert!(Thresholds { high: 2, low: 9 }.next(true, 3));
    }

    #[test]
    fn a_weight_takes_sixteenths_of_the_buffer() {
        let t = Thresholds { high: 60, low: 40 };
        assert_eq!(t.weighted(None, 160), Some(t));
        assert_eq!(t.weighted(Some(0), 160), None);
        assert_eq!(t.weighted(Some(1), 160), Some(Thresholds { high: 150, low: 130 }));
        assert_eq!(t.weighted(Some(15), 160), Some(Thresholds { high: 10, low: 1 }));
    }
}
