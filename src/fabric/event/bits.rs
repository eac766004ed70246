//! A set of small numbers.

/// Numbers 0, 1, ... below a size given once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub fn new(size: usize) -> Bits {
        Bits(vec![0; size.div_ceil(64)])
    }

    pub fn get(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 != 0
    }

    /// Puts a number in or takes it out; whether that changes the set.
    pub fn set(&mut self, i: usize, value: bool) -> bool {
        let changes = self.get(i) != value;
        self.0[i / 64] ^= u64::from(changes) << (i % 64);
        changes
    }

    /// Takes numbers 64 * w + i out, a bit i each.
    pub fn remove(&mut self, w: usize, bits: u64) {
        self.0[w] &= !bits;
    }

    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Members.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    pub fn words(&self) -> usize {
        self.0.len()
    }

    /// Numbers 64 * w to 64 * w + 63.
    pub fn word(&self, w: usize) -> u64 {
        self.0[w]
    }

    /// All members, from `from` on and round.
    pub fn round(&self, from: usize) -> impl Iterator<Item = usize> {
        let words = self.words();
        let (first, ahead) = (from / 64, u64::MAX << (from % 64));
        (0..=words).flat_map(move |k| {
            let w = (first + k) % words;
            let mask = if k == 0 {
                ahead
            } else if k == words {
                !ahead
            } else {
                u64::MAX
            };
            ones(self.0[w] & mask).map(move |i| 64 * w + i)
        })
    }

    /// The member that comes `rank` members after the first from `from` on, and round. `rank` is less than their number.
    pub fn nth(&self, from: usize, rank: u32) -> Option<usize> {
        let words = self.words();
        let (first, ahead) = (from / 64, u64::MAX << (from % 64));
        let mut left = rank;
        for k in 0..=words {
            let w = (first + k) % words;
            let mut word = self.0[w];
            if k == 0 {
                word &= ahead;
            } else if k == words {
                word &= !ahead;
            }
            if word.count_ones() > left {
                (0..left).for_each(|_| word &= word - 1);
                return Some(64 * w + word.trailing_zeros() as usize);
            }
            left -= word.count_ones();
        }
        None
    }
}

/// Bits that are set, lowest first.
#[inline]
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let i = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        i
    })
}

/// The first bit of `count` words from bit `from` on, and round.
pub(super) fn first(count: usize, from: usize, word: impl Fn(usize) -> u64) -> Option<usize> {
    let ahead = u64::MAX << (from % 64);
    for k in 0..=count {
        let w = (from / 64 + k) % count;
        let mask = if k == 0 {
            ahead
        } else if k == count {
            !ahead
        } else {
            u64::MAX
        };
        let bits = word(w) & mask;
        if bits != 0 {
            return Some(64 * w + bits.trailing_zeros() as usize);
        }
    }
    None
}

/// The first of a set in round robin order from a pointer.
#[inline]
pub(super) fn round(set: u64, from: usize) -> Option<usize> {
    let ahead = set & u64::MAX << from;
    (set != 0).then(|| if ahead != 0 { ahead } else { set }.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_go_round() {
        for size in [16, 64, 130] {
            let mut b = Bits::new(size);
            let members: Vec<usize> = (0..size).filter(|i| i % 7 == 3 || i % 64 == 63).collect();
            members.iter().for_each(|&i| assert!(b.set(i, true)));
            assert!(!b.set(3, true) && b.get(3));
            for from in 0..size {
                let (before, after): (Vec<usize>, Vec<usize>) = members.iter().partition(|i| **i < from);
                let expected: Vec<usize> = after.into_iter().chain(before).collect();
                assert_eq!(b.round(from).collect::<Vec<_>>(), expected, "{size} from {from}");
                assert_eq!(first(b.words(), from, |w| b.word(w)), Some(expected[0]));
                for (k, &i) in expected.iter().enumerate() {
                    assert_eq!(b.nth(from, k as u32), Some(i));
                }
            }
            b.clear();
            assert_eq!((first(b.words(), 5, |w| b.word(w)), b.nth(5, 0)), (None, None));
        }
    }
}
