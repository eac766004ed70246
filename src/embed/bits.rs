//! Ports one after the other as one vector of bits, as a concatenation in SystemVerilog has them, and back.

use crate::signals::{Group, Layout, Signal};

/// Which bits of a vector are which word of a group's word vector.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Word, first bit in the vector, bits (1 to 32).
    parts: Vec<(usize, usize, usize)>,
    /// Bits of the vector.
    bits: usize,
}

impl Packing {
    /// Of all signals of a group, the first one lowest.
    pub fn group(layout: &Layout, group: Group) -> Packing {
        Packing::of(layout.signals.iter().filter(|s| s.group == group))
    }

    /// Of one signal, element 0 lowest.
    pub fn signal(signal: &Signal) -> Packing {
        Packing::of(std::iter::once(signal))
    }

    fn of<'a>(signals: impl Iterator<Item = &'a Signal>) -> Packing {
        let mut packing = Packing { parts: Vec::new(), bits: 0 };
        for s in signals {
            for word in 0..s.count * s.stride() {
                let left = s.width - 32 * (word % s.stride());
                packing.parts.push((s.offset + word, packing.bits, left.min(32)));
                packing.bits += left.min(32);
            }
        }
        packing
    }

    /// Bits of the vector.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// From bits to words; bits that are not there are 0.
    pub fn unpack(&self, bits: &[u32], words: &mut [u32]) {
        for &(word, at, n) in &self.parts {
            let low = |i: usize| u64::from(bits.get(i).copied().unwrap_or_default());
            let pair = low(at / 32) | low(at / 32 + 1) << 32;
            words[word] = (pair >> (at % 32)) as u32 & mask(n);
        }
    }

    /// From words to bits, which are 0 beyond the last.
    pub fn pack(&self, words: &[u32], bits: &mut [u32]) {
        bits.fill(0);
        for &(word, at, n) in &self.parts {
            let pair = u64::from(words[word] & mask(n)) << (at % 32);
            for (i, part) in [(at / 32, pair as u32), (at / 32 + 1, (pair >> 32) as u32)] {
                if let Some(w) = bits.get_mut(i) {
                    *w |= part;
                }
            }
        }
    }
}

/// The lowest `n` bits, 1 to 32.
pub(super) fn mask(n: usize) -> u32 {
    u32::MAX >> (32 - n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::builds;
    use rand::{Rng, SeedableRng, rngs::SmallRng};

    #[test]
    fn bits_and_words_are_the_same_values() {
        let mut rng = SmallRng::seed_from_u64(3);
        for b in builds() {
            let layout = Layout::new(b.unit, &b.params);
            for group in [Group::Input, Group::Output, Group::State] {
                let of_group = || layout.signals.iter().filter(|s| s.group == group);
                let packing = Packing::group(&layout, group);
                let total: usize = of_group().map(|s| s.count * s.width).sum();
                assert_eq!(packing.bits(), total);
                let mut bits: Vec<u32> = (0..total.div_ceil(32)).map(|_| rng.random()).collect();
                if !total.is_multiple_of(32) {
                    *bits.last_mut().expect("some") &= mask(total % 32);
                }
                let last = of_group().next_back().expect("signals");
                let mut words = vec![!0; last.offset + last.count * last.stride()];
                packing.unpack(&bits, &mut words);
                // Each element is where a concatenation has it.
                let bit = |at: usize| bits[at / 32] >> (at % 32) & 1;
                let mut at = 0;
                for s in of_group() {
                    for i in 0..s.count {
                        for k in 0..s.width {
                            let word = words[s.offset + i * s.stride() + k / 32];
                            assert_eq!(
                                word >> (k % 32) & 1,
                                bit(at),
                                "{} {}[{i}] bit {k}",
                                b.title(),
                                s.name
                            );
                            at += 1;
                        }
                    }
                }
                let mut again = vec![!0; bits.len()];
                packing.pack(&words, &mut again);
                assert_eq!(again, bits);
            }
        }
    }
}
