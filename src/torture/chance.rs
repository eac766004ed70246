//! What draws are made of.

use rand::Rng;
use rand::rngs::SmallRng;

/// A packet count that no run reaches.
pub const ENDLESS: u64 = 1_000_000_000;

/// One of several values.
pub(super) fn one<T: Copy>(rng: &mut SmallRng, of: &[T]) -> T {
    of[rng.random_range(0..of.len())]
}

/// One of several values, each with its weight.
pub(super) fn weighted<T: Copy>(rng: &mut SmallRng, of: &[(u32, T)]) -> T {
    let mut at = rng.random_range(0..of.iter().map(|x| x.0).sum::<u32>());
    for (weight, value) in of {
        if at < *weight {
            return *value;
        }
        at -= weight;
    }
    of[0].1
}

/// A number with about as many of each length in bits.
pub(super) fn log(rng: &mut SmallRng, lo: u64, hi: u64) -> u64 {
    let (a, b) = ((lo.max(1) as f64).ln(), (hi as f64 + 1.0).ln());
    ((rng.random_range(a..b)).exp() as u64).clamp(lo, hi)
}

/// A number of one of several ranges, each with its weight; long ranges have more small numbers.
pub(super) fn ranged(rng: &mut SmallRng, of: &[(u32, u32, u32)]) -> u32 {
    let ranges: Vec<(u32, (u32, u32))> = of.iter().map(|(w, lo, hi)| (*w, (*lo, *hi))).collect();
    let (lo, hi) = weighted(rng, &ranges);
    if hi < 32 { rng.random_range(lo..=hi) } else { log(rng, lo.into(), hi.into()) as u32 }
}

/// Blocks of a VL: from one packet on.
pub(super) fn cap(rng: &mut SmallRng, mtu: usize) -> usize {
    match rng.random_range(0..20) {
        0..4 => mtu,
        4..8 => 2 * mtu,
        8..15 => rng.random_range(mtu..=8 * mtu),
        15..19 => log(rng, mtu as u64, 128.max(2 * mtu as u64)) as usize,
        _ => log(rng, mtu as u64, 2048) as usize,
    }
}
