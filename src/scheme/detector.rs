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
    }
}

impl Detector {
    /// It has a bit for each cold queue, which follows the queue's fill.
    #[inline]
    pub fn follows_fills(self) -> bool {
        self == Detector::Fill
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

#[cfg(test)]
mod tests {
    use super::*;

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
