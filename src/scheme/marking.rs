//! Which packets a switch marks (rules M1, M2).

choice! {
    /// Marking policy of a switch.
    Marking {
        /// None.
        None "-",
        /// FECN in some of the packets that cross an output in congestion state.
        Fecn "FECN",
        /// MB in packets that come to a full buffer, VB in those of them that go through a saturated output (VM1, VM2).
        MbVb "MB, VB",
    }
}

/// M2: how eligible packets are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One after every `rate` others.
    Counter,
    /// With probability 1 in `rate` + 1.
    Probability,
    /// `fraction` of 256.
    Fraction,
}

impl Mode {
    /// The mode of a register's field of two bits; 3 acts as 0.
    pub fn of(field: u32) -> Mode {
        match field & 3 {
            1 => Mode::Probability,
            2 => Mode::Fraction,
            _ => Mode::Counter,
        }
    }

    /// Whether an eligible packet is marked; `count` are those of its VL since the last one.
    #[inline]
    pub fn marks(self, lfsr: u32, rate: u32, fraction: u32, count: &mut u32) -> bool {
        match self {
            Mode::Probability => u64::from(lfsr - 1) * u64::from(rate + 1) < 65_536,
            Mode::Fraction => lfsr & 0xff < fraction,
            Mode::Counter => {
                let full = *count >= rate;
                *count = if full { 0 } else { *count + 1 };
                full
            }
        }
    }
}

/// M2: the LFSR after an eligible packet: 26 steps, so that no function of its bits ties neighbours.
#[inline]
pub fn next_lfsr(lfsr: u32) -> u32 {
    steps(lfsr, [9, 9, 8])
}

/// Steps of the LFSR, given in parts of 11 and fewer.
#[inline]
pub(super) fn steps<const N: usize>(lfsr: u32, parts: [u32; N]) -> u32 {
    let mut x = lfsr;
    // The bits that up to 11 steps shift in depend on none of each other.
    for n in parts {
        let new = x >> (16 - n) ^ x >> (14 - n) ^ x >> (13 - n) ^ x >> (11 - n);
        x = (x << n | new & ((1 << n) - 1)) & 0xffff;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lfsr_makes_26_single_steps() {
        for x in 1..=0xffff {
            let step = |x: u32| (x << 1 | (x >> 15 ^ x >> 13 ^ x >> 12 ^ x >> 10) & 1) & 0xffff;
            assert_eq!(next_lfsr(x), (0..26).fold(x, |x, _| step(x)));
        }
    }

    #[test]
    fn modes_mark_their_share() {
        let share = |mode: Mode, rate, fraction| {
            let (mut lfsr, mut count) = (0xace1, 0);
            (0..65_535)
                .filter(|_| {
                    let marks = mode.marks(lfsr, rate, fraction, &mut count);
                    lfsr = next_lfsr(lfsr);
                    marks
                })
                .count()
        };
        assert_eq!(share(Mode::of(0), 4, 0), 65_535 / 5);
        assert_eq!(share(Mode::of(3), 0, 0), 65_535);
        assert_eq!(share(Mode::of(1), 0xffff, 0), 1);
        assert_eq!(share(Mode::of(2), 0, 256), 65_535);
        // The LFSR is never 0.
        assert_eq!(share(Mode::of(2), 0, 1), 255);
    }
}
