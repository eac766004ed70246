//! Streams that are on and off by turns, for exponential times.

use super::part::Part;
use super::scattered::exponential;
use crate::fabric::traffic::Random;

/// The messages of one. While it is on they follow each other at even distances; a distance that is cut by a time in which it is
/// off goes on behind it, so that the rate while it is on is exact.
#[derive(Clone, Debug)]
pub(super) struct OnOffSource {
    pub(super) len: u8,
    /// Means.
    pub(super) on: f64,
    pub(super) off: f64,
    /// Cycles of being on from a message to the next.
    pub(super) spacing: f64,
    /// Now.
    pub(super) at: f64,
    /// It is on until then.
    pub(super) until: f64,
    /// Of the distance to the next message, what is left.
    pub(super) left: f64,
    pub(super) made: u64,
    pub(super) random: Random,
}

impl OnOffSource {
    /// From a time on: it is on at first with the probability that it is on at any time.
    pub(super) fn new(
        len: u8,
        (on, off): (f64, f64),
        spacing: f64,
        start: u64,
        random: Random,
    ) -> OnOffSource {
        let at = start as f64;
        let mut s = OnOffSource { len, on, off, spacing, at, until: at, left: 0.0, made: 0, random };
        if s.random.unit() <= on / (on + off) {
            s.until += exponential(&mut s.random, on);
        }
        s.left = s.random.unit() * spacing;
        s
    }

    pub(super) fn take(&mut self) -> Part {
        while self.at + self.left >= self.until {
            self.left -= self.until - self.at;
            self.at = self.until + exponential(&mut self.random, self.off);
            self.until = self.at + exponential(&mut self.random, self.on);
        }
        self.at += self.left;
        self.left = self.spacing;
        let (created, frame) = (self.at as u64, self.made);
        self.made += 1;
        Part { created, len: self.len, frame, born: created, first: true, last: true }
    }
}
