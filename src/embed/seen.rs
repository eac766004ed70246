//! What a design has shown in a cycle: values, which of them were given, which bits are unknown (x or z).

use crate::cosim::{Difference, recording};
use crate::signals::{Group, Layout, Signal};

/// One group of a design's signals.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    group: Group,
    words: Vec<u32>,
    /// All ones in a word that was given.
    given: Vec<u32>,
    /// Bits that have no value.
    unknown: Vec<u32>,
}

impl Seen {
    pub(super) fn new(group: Group, words: usize) -> Seen {
        Seen { group, words: vec![0; words], given: vec![0; words], unknown: vec![0; words] }
    }

    /// Takes the words from `at` on.
    pub(super) fn take(&mut self, at: usize, words: &[u32], unknown: Option<&[u32]>) {
        let place = at..at + words.len();
        self.words[place.clone()].copy_from_slice(words);
        self.given[place.clone()].fill(u32::MAX);
        match unknown {
            Some(unknown) => self.unknown[place].copy_from_slice(unknown),
            None => self.unknown[place].fill(0),
        }
    }

    /// Forgets which were given.
    pub(super) fn forget(&mut self, signal: &Signal) {
        self.given[signal.offset..signal.offset + signal.count * signal.stride()].fill(0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.given.iter().all(|g| *g == 0)
    }

    /// Whether all of a signal was given.
    pub(super) fn has(&self, s: &Signal) -> bool {
        self.given[s.offset..s.offset + s.count * s.stride()].iter().all(|g| *g != 0)
    }

    /// The group's words for the comparison: what was not given is as in the golden model, what is unknown is not.
    pub(super) fn beside(&self, golden: &[u32]) -> Vec<u32> {
        let mut words = golden.to_vec();
        for (i, w) in words.iter_mut().enumerate() {
            let (given, unknown) = (self.given[i], self.unknown[i]);
            *w = *w & !given | given & (self.words[i] & !unknown | !*w & unknown);
        }
        words
    }

    /// Shows what is unknown as `x` in the differences.
    pub(super) fn show_unknown(&self, layout: &Layout, differences: &mut [Difference]) {
        for d in differences.iter_mut().filter(|d| d.group == self.group) {
            let s = layout.signal(d.group, d.signal);
            let unknown = recording::element(s, &self.unknown, d.element);
            if unknown.iter().any(|u| *u != 0) {
                d.rtl = digits(recording::element(s, &self.words, d.element), unknown, s.width);
            }
        }
    }
}

/// Hexadecimal digits, `x` where a bit is unknown.
fn digits(words: &[u32], unknown: &[u32], width: usize) -> String {
    let digit = |i: usize| {
        let four = |w: &[u32]| w[i / 8] >> (4 * (i % 8)) & 0xf;
        if four(unknown) == 0 { char::from_digit(four(words), 16).unwrap_or('?') } else { 'x' }
    };
    let text: String = (0..width.div_ceil(4)).rev().map(digit).collect();
    text.trim_start_matches('0').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_with_an_unknown_bit_is_x() {
        assert_eq!(digits(&[0x1234], &[0x0100], 16), "1x34");
        assert_eq!(digits(&[0x0034, 5], &[0xf0, 0], 40), "5000000x4");
        assert_eq!(digits(&[4], &[8], 16), "x");
    }
}
