//! Small helpers that the golden models share.

/// Round robin "from pointer `from`" over the bits of `words` 32-bit words: the first set bit at or after `from`,
/// else the first one from 0. Bits beyond the last candidate must be 0.
pub fn round_robin(words: usize, from: usize, word: impl Fn(usize) -> u32) -> Option<usize> {
    let start = from / 32;
    let at_start = word(start);
    let bit = |w: usize, bits: u32| w * 32 + bits.trailing_zeros() as usize;
    let ahead = at_start & (!0u32 << (from % 32));
    if ahead != 0 {
        return Some(bit(start, ahead));
    }
    for w in (start + 1..words).chain(0..start) {
        let bits = word(w);
        if bits != 0 {
            return Some(bit(w, bits));
        }
    }
    (at_start != 0).then(|| bit(start, at_start))
}

/// Bit `i` of a set of bits.
pub fn bit(words: &[u32], i: usize) -> bool {
    words[i / 32] >> (i % 32) & 1 != 0
}

/// Words of a set.
#[inline]
pub fn put_set(words: &mut [u32], set: u64) {
    words.iter_mut().enumerate().for_each(|(k, word)| *word = (set >> (32 * k)) as u32);
}

/// Sets or clears bit `i` of a set of bits.
pub fn set_bit(words: &mut [u32], i: usize, on: bool) {
    let word = &mut words[i / 32];
    *word = *word & !(1 << (i % 32)) | u32::from(on) << (i % 32);
}

/// Error bits that a write to register ERR_CLEAR, number 10 in every unit, clears in this cycle; the arguments are `cfg_we`,
/// `cfg_addr` and `cfg_data`.
pub fn err_clear(we: u32, addr: u32, data: u32) -> u32 {
    if we & 1 != 0 && addr & 0xff == 10 { data & 0xffff } else { 0 }
}

/// The registers of a unit as they were written, which is how they are read (C1).
#[derive(Clone)]
pub struct Registers {
    /// Number, bits that a write takes, value.
    list: Vec<(u32, u32, u32)>,
}

impl Registers {
    /// Numbers, bits that a write takes, reset values.
    pub fn new(list: &[(u32, u32, u32)]) -> Registers {
        Registers { list: list.to_vec() }
    }

    /// What a register holds, if there is one of this number.
    pub fn get(&self, number: u32) -> Option<u32> {
        self.list.iter().find(|r| r.0 == number).map(|r| r.2)
    }

    /// What a register holds that is known to be there.
    pub fn of(&self, number: u32) -> u32 {
        self.get(number).unwrap_or_else(|| panic!("no register {number}"))
    }

    /// A write; false if there is no register of this number.
    pub fn write(&mut self, number: u32, data: u32) -> bool {
        match self.list.iter_mut().find(|r| r.0 == number) {
            Some(r) => {
                r.2 = data & r.1;
                true
            }
            None => false,
        }
    }
}

/// What a read finds under a number (C1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A register, or the LFSR.
    Register(u32),
    /// The sticky errors.
    Errors(u32),
    /// A counter.
    Counter(u32),
    /// Nothing.
    None,
}

impl Read {
    /// `cfg_rdata`.
    pub fn value(self) -> u32 {
        match self {
            Read::Register(v) | Read::Errors(v) | Read::Counter(v) => v,
            Read::None => 0,
        }
    }
}

/// Defines a struct of word offsets, one field a signal, filled from a `Layout` once.
macro_rules! offsets {
    ($name:ident, $group:ident, $($field:ident)*) => {
        #[derive(Clone, Copy)]
        pub(super) struct $name {
            $(pub(super) $field: usize),*
        }
        impl $name {
            pub(super) fn new(l: &crate::signals::Layout) -> Self {
                $name { $($field: l.$group(stringify!($field))),* }
            }
        }
    };
}
pub(crate) use offsets;

/// Defines `enum Cover` and the table `POINTS` beside it: name, rules, text.
macro_rules! cover_points {
    ($($name:ident $rules:literal $text:literal)*) => {
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types)]
        pub(super) enum Cover {
            $($name),*
        }
        pub(super) static POINTS: &[crate::model::CoverPoint] =
            &[$(crate::model::CoverPoint { name: stringify!($name), rules: $rules, text: $text }),*];
    };
}
pub(crate) use cover_points;

#[cfg(test)]
mod tests {
    use super::round_robin;

    #[test]
    fn round_robin_is_the_naive_search() {
        let n = 70;
        for pattern in [[0u32; 3], [1, 0, 0], [0, 0, 0x20], [0x8000_0001, 0x10, 3], [0, u32::MAX, 0]] {
            for from in 0..n {
                let naive = (from..n).chain(0..from).find(|&i| pattern[i / 32] >> (i % 32) & 1 != 0);
                assert_eq!(round_robin(3, from, |w| pattern[w]), naive, "{pattern:x?} from {from}");
            }
        }
    }
}
