//! SplitMix64: one small generator for each stream of packets, so that no result depends on an order of processing.

/// A generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

/// The finishing function of SplitMix64.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Random {
    /// A generator of its own for each list of keys.
    pub fn new(keys: &[u64]) -> Random {
        let state = keys.iter().fold(0x9E37_79B9_7F4A_7C15, |s, &k| mix(s ^ mix(k.wrapping_add(s))));
        Random(state)
    }

    /// The key of a name.
    pub fn key(name: &str) -> u64 {
        name.bytes().fold(0xCBF2_9CE4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A number in `(0, 1]`.
    pub fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// `k` different elements of a list, in random order.
    pub fn sample(&mut self, from: &[u32], k: usize) -> Vec<u32> {
        let mut all = from.to_vec();
        for i in 0..k {
            let j = i + self.below((all.len() - i) as u32) as usize;
            all.swap(i, j);
        }
        all.truncate(k);
        all
    }
}
