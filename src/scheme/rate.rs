//! Rate functions of a source that is told of congestion by marks in ACKs (rules SR1, SR2), in integers as the unit has them
//! (`docs/source-response.md`, section 2).
//!
//! A rate is kept as the time from packet to packet, in packet times and with 24 bits behind the point: its inverse.

choice! {
    /// How marks slow a flow down and clean ACKs speed it up.
    Rate {
        /// A mark adds a packet time, a clean ACK takes the lowest rate's share of it back.
        Lipd "linear inter-packet delay",
        /// A mark halves the rate, clean ACKs raise it exponentially.
        Fimd "fast increase, multiplicative decrease",
        /// A mark halves the rate, clean ACKs raise it by little more than a constant.
        Aimd "additive increase, multiplicative decrease",
    }
}

/// The full rate: one packet a packet time.
pub const FULL: u64 = 1 << 24;

/// SR1: the lowest rate, 2^-g of the full one.
#[inline]
pub fn lowest(g: u32) -> u64 {
    FULL << g
}

/// Share of (time between packets * rate / lowest rate) that a clean ACK takes away, in 2^-16, at rates of i/64 of the
/// lowest one's inverse: (1 - 2^-e) / e.
const FAST: [i64; 65] = [
    45426, 45181, 44938, 44696, 44456, 44218, 43982, 43747, 43514, 43282, 43053, 42825, 42598, 42373, 42150,
    41928, 41708, 41489, 41272, 41057, 40843, 40631, 40420, 40210, 40002, 39796, 39591, 39387, 39185, 38984,
    38785, 38587, 38390, 38195, 38001, 37809, 37617, 37428, 37239, 37052, 36866, 36681, 36498, 36316, 36135,
    35955, 35777, 35600, 35424, 35249, 35076, 34904, 34733, 34563, 34394, 34226, 34060, 33894, 33730, 33567,
    33405, 33244, 33084, 32926, 32768,
];

/// The same: e / (1 + e^2).
const ADDITIVE: [i64; 65] = [
    0, 1024, 2046, 3065, 4080, 5089, 6090, 7083, 8066, 9037, 9996, 10941, 11871, 12785, 13681, 14560, 15420,
    16261, 17081, 17880, 18658, 19414, 20147, 20858, 21546, 22211, 22852, 23471, 24066, 24637, 25186, 25712,
    26214, 26695, 27153, 27589, 28004, 28397, 28770, 29122, 29454, 29767, 30062, 30337, 30595, 30835, 31059,
    31266, 31457, 31633, 31794, 31941, 32074, 32194, 32301, 32395, 32478, 32549, 32610, 32660, 32700, 32730,
    32751, 32764, 32768,
];

/// Where a rate is in a table: entry, and 1024ths of the way to the next one.
#[inline]
pub fn piece(x: u64, g: u32) -> (usize, i64) {
    let e = x >> g;
    ((e >> 18) as usize, (e >> 8 & 0x3ff) as i64)
}

impl Rate {
    /// What a mark makes of the time between packets, before it is limited to the lowest rate's.
    #[inline]
    pub fn slower(self, x: u64) -> u64 {
        match self {
            Rate::Lipd => x + FULL,
            Rate::Fimd | Rate::Aimd => 2 * x,
        }
    }

    /// SR2, after a mark.
    #[inline]
    pub fn marked(self, x: u64, g: u32) -> u64 {
        self.slower(x).min(lowest(g))
    }

    /// What a clean ACK takes away from the time between packets.
    pub fn gain(self, x: u64, g: u32) -> u64 {
        let e = x >> g;
        let table = match self {
            Rate::Lipd => return e,
            Rate::Fimd => &FAST,
            Rate::Aimd => &ADDITIVE,
        };
        let (i, r) = piece(x, g);
        let here = table[i];
        let slope = table.get(i + 1).map_or(0, |next| next - here);
        let h = (here << 10) + slope * r;
        // 2^32 at most, and 26 bits.
        (((x * e) >> 24) * h.unsigned_abs()) >> 26
    }

    /// SR2, after a clean ACK.
    #[inline]
    pub fn recovered(self, x: u64, g: u32) -> u64 {
        x.saturating_sub(self.gain(x, g)).max(FULL)
    }
}

/// SR3: cycles from packet to packet beyond the packet's own time.
#[inline]
pub fn pause(x: u64, packet_time: u32) -> u64 {
    (((x - FULL) >> 8) * u64::from(packet_time)) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Rate; 3] = [Rate::Lipd, Rate::Fimd, Rate::Aimd];

    fn fast(e: f64) -> f64 {
        if e == 0.0 { std::f64::consts::LN_2 } else { (1.0 - (-e).exp2()) / e }
    }

    fn additive(e: f64) -> f64 {
        e / (1.0 + e * e)
    }

    #[test]
    fn tables_are_their_formulas() {
        for i in 0..65 {
            let e = i as f64 / 64.0;
            for (entry, h) in [(FAST[i], fast(e)), (ADDITIVE[i], additive(e))] {
                assert_eq!(entry, (65536.0 * h + 0.5).floor() as i64, "{i}");
                assert!(((65536.0 * h).fract() - 0.5).abs() > 0.001, "{i}: near a half");
            }
        }
        assert_eq!((FAST.iter().sum::<i64>(), ADDITIVE.iter().sum::<i64>()), (2_511_120, 1_469_932));
    }

    /// Section 10.
    #[test]
    fn the_worked_examples() {
        assert_eq!(Rate::Fimd.recovered(66_385_968, 8), 65_678_519);
        assert_eq!(Rate::Fimd.gain(66_385_968, 8), 707_449);
        assert_eq!((piece(66_385_968, 8), piece(23_141_598, 2)), ((0, 1012), (22, 71)));
        assert_eq!(Rate::Aimd.recovered(23_141_598, 2), 20_682_372);
        assert_eq!(Rate::Aimd.gain(23_141_598, 2), 2_459_226);
        // Law, g, hot (h) and clean (c) ACKs, time between packets after each, delay with packets of 480 cycles.
        type Row = (Rate, u32, &'static str, &'static [u64], &'static [u64]);
        let rows: [Row; 7] = [
            (
                Rate::Lipd,
                8,
                "hhcchc",
                &[33554432, 50331648, 50135040, 49939200, 66716416, 66455805],
                &[480, 960, 954, 948, 1428, 1421],
            ),
            (
                Rate::Lipd,
                8,
                "hhhccc",
                &[33554432, 50331648, 67108864, 66846720, 66585600, 66325500],
                &[480, 960, 1440, 1432, 1425, 1417],
            ),
            (
                Rate::Fimd,
                8,
                "hhcccc",
                &[33554432, 67108864, 66385968, 65678519, 64986032, 64308031],
                &[480, 1440, 1419, 1399, 1379, 1359],
            ),
            (Rate::Aimd, 8, "hhcc", &[33554432, 67108864, 67092480, 67076120], &[480, 1440, 1439, 1439]),
            (
                Rate::Lipd,
                2,
                "hhhhcc",
                &[33554432, 50331648, 67108864, 67108864, 50331648, 37748736],
                &[480, 960, 1440, 1440, 960, 600],
            ),
            (
                Rate::Fimd,
                2,
                "hhhccc",
                &[33554432, 67108864, 67108864, 33554432, 23726592, 18569674],
                &[480, 1440, 1440, 480, 198, 51],
            ),
            (
                Rate::Aimd,
                2,
                "hhhcccc",
                &[33554432, 67108864, 67108864, 33554432, 26843648, 23141598, 20682372],
                &[480, 1440, 1440, 480, 288, 182, 111],
            ),
        ];
        for (law, g, acks, times, pauses) in rows {
            let mut x = FULL;
            for ((ack, want), wait) in acks.chars().zip(times).zip(pauses) {
                x = if ack == 'h' { law.marked(x, g) } else { law.recovered(x, g) };
                assert_eq!((x, pause(x, 480)), (*want, *wait), "{law:?} {g} {acks}");
            }
        }
    }

    /// Section 2: clean ACKs from the lowest rate to the full one.
    #[test]
    fn so_many_clean_acks_restore_the_full_rate() {
        let table = [
            (Rate::Lipd, [5, 16, 43, 110, 265, 619, 1417]),
            (Rate::Fimd, [4, 9, 21, 43, 89, 181, 365]),
            (Rate::Aimd, [7, 31, 126, 510, 2047, 8196, 32832]),
        ];
        for (law, counts) in table {
            for (g, wanted) in (2..).zip(counts) {
                let (mut x, mut n) = (lowest(g), 0);
                while x > FULL {
                    x = law.recovered(x, g);
                    n += 1;
                }
                assert_eq!(n, wanted, "{law:?} {g}");
            }
        }
    }

    /// Ends, and all that is near a joint of the table.
    fn corners(g: u32) -> impl Iterator<Item = u64> {
        let joints = (0..=64u64).flat_map(move |i| {
            let at = i << (18 + g);
            (at.saturating_sub(3)..at + 4).chain([at + (1 << (17 + g)), at + (511 << (8 + g))])
        });
        joints.chain([FULL, FULL + 1, lowest(g) - 1]).filter(move |x| (FULL..=lowest(g)).contains(x))
    }

    /// What the page promises of one value.
    fn check(law: Rate, x: u64, g: u32) {
        let (d, xf) = (law.gain(x, g), x as f64);
        let e = xf / FULL as f64 / f64::from(1 << g);
        let (exact, within) = match law {
            Rate::Lipd => (xf * (-f64::from(g)).exp2(), 0.002e-2),
            Rate::Fimd => (xf * e * fast(e), 0.005e-2),
            Rate::Aimd => (xf * e * additive(e), 0.8e-2),
        };
        assert!((d as f64 - exact).abs() <= within * exact, "{law:?} x {x} g {g}: {d}, {exact}");
        assert!(x == FULL || d >= 256, "{law:?} x {x} g {g}: {d}");
        let clean = law.recovered(x, g);
        assert!((FULL..=x).contains(&clean) && (x == FULL || clean < x));
        // The rate itself, as the page has it as a function.
        let (r, low) = (1.0 / (xf / FULL as f64), (-f64::from(g)).exp2());
        let rate = match law {
            Rate::Lipd => r / (1.0 - low),
            Rate::Fimd => r * (low / r).exp2(),
            Rate::Aimd => r + low * low / r,
        };
        let got = FULL as f64 / clean as f64;
        if clean > FULL {
            assert!((got - rate).abs() <= 0.8e-2 * rate, "{law:?} x {x} g {g}: rate {got}, {rate}");
        }
        let marked = law.marked(x, g);
        assert!(marked >= x && (FULL..=lowest(g)).contains(&marked));
        if law.slower(x) <= lowest(g) {
            // A mark and a clean ACK together do not speed up.
            let both = law.recovered(marked, g);
            assert!(both + (x >> 13) >= x, "{law:?} x {x} g {g}: {both}");
            let halved = match law {
                Rate::Lipd => r / (1.0 + r),
                Rate::Fimd | Rate::Aimd => r / 2.0,
            };
            let got = FULL as f64 / marked as f64;
            assert!((got - halved).abs() <= 1e-9 * halved, "{law:?} x {x}");
        }
    }

    #[test]
    fn corners_are_within_the_bound() {
        for law in ALL {
            for g in 2..=8 {
                corners(g).for_each(|x| check(law, x, g));
            }
        }
    }

    #[test]
    fn a_slow_flow_gains_more_and_overtakes_nobody() {
        for law in ALL {
            for g in 2..=8 {
                let mut all: Vec<u64> = corners(g).collect();
                all.sort_unstable();
                for w in all.windows(2) {
                    let [fast, slow] = [w[0], w[1]].map(|x| law.gain(x, g));
                    // But for what is cut off in the integers.
                    assert!(fast <= slow + (slow >> 12) + 1, "{law:?} {g} {w:?}: {fast} {slow}");
                    let [fast, slow] = [w[0], w[1]].map(|x| law.recovered(x, g));
                    assert!(fast <= slow + (slow >> 17) + 1, "{law:?} {g} {w:?}: {fast} {slow}");
                }
            }
        }
    }

    #[test]
    fn pauses() {
        assert_eq!((pause(FULL, 65535), pause(2 * FULL, 480), pause(lowest(8), 1)), (0, 480, 255));
        assert_eq!(pause(lowest(8), 65535), 255 * 65535);
        // Less than a cycle is none.
        assert_eq!((pause(FULL + FULL / 4, 3), pause(FULL + FULL / 4, 4)), (0, 1));
    }

    proptest! {
        #[test]
        fn any_value_is_within_the_bound(g in 2u32..=8, part in 0u64..=u64::MAX >> 1, which in 0usize..3) {
            let span = lowest(g) - FULL + 1;
            check(ALL[which], FULL + part % span, g);
        }
    }
}
