//! Routes that are *any up port*, drawn for each packet (UP1).

use super::marking::steps;

/// State after reset of the LFSR that draws.
pub const SEED: u32 = 0xace1;

/// Which of `n`, each alike, is drawn.
#[inline]
pub fn place(n: usize, lfsr: u32) -> usize {
    (lfsr as usize * n) >> 16
}

/// UP1: the one drawn of the outputs whose bits are set in `outputs`; none if none is.
#[inline]
pub fn drawn(outputs: u32, lfsr: u32) -> Option<usize> {
    let at = place(outputs.count_ones() as usize, lfsr);
    let mut left = outputs;
    for _ in 0..at {
        left &= left.wrapping_sub(1);
    }
    (left != 0).then(|| left.trailing_zeros() as usize)
}

/// UP1: the LFSR after a packet that draws: 16 steps, so that no draw has a bit of the one before.
#[inline]
pub fn next_draw(lfsr: u32) -> u32 {
    steps(lfsr, [8, 8])
}

/// The seed of the LFSR of a port of a switch (UP_SEED): 16 bits of a hash of the run's seed and the port's place.
pub fn seed(run: u64, switch: usize, port: usize) -> u32 {
    let place = (switch as u64) << 8 | port as u64;
    let mut z = run.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    z = (z ^ z >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (z >> 48) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lfsr_makes_16_single_steps() {
        for x in 1..=0xffff {
            let step = |x: u32| (x << 1 | (x >> 15 ^ x >> 13 ^ x >> 12 ^ x >> 10) & 1) & 0xffff;
            assert_eq!(next_draw(x), (0..16).fold(x, |x, _| step(x)));
        }
    }

    #[test]
    fn each_port_is_drawn_as_often() {
        for outputs in [1, 0b1100, 0b1011_0010, 0xffff, u32::MAX, 0x8000_0001] {
            let ups: Vec<usize> = (0..32).filter(|o| outputs >> o & 1 != 0).collect();
            let mut count = [0u32; 32];
            (1..0x10000).for_each(|x| count[drawn(outputs, x).expect("an up port")] += 1);
            let most = 65_535u32.div_ceil(ups.len() as u32);
            for (o, n) in count.into_iter().enumerate() {
                assert!(if ups.contains(&o) { most - n <= 1 } else { n == 0 }, "{outputs:x}: {o} {n}");
            }
        }
        assert_eq!((drawn(0, 0xffff), drawn(0b1100, 0xace1)), (None, Some(3)));
    }
}
