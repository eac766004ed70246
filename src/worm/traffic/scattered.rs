//! Messages of no stream: a Poisson process.

use super::target::Target;
use crate::fabric::traffic::Random;
use crate::worm::port::Class;

/// No message any more.
pub const NEVER: u64 = u64::MAX;

/// A message of no stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scattered {
    /// The cycle in which it was created.
    pub created: u64,
    /// Destination, a host.
    pub dst: u32,
    /// Flits.
    pub len: u8,
}

/// One host's share of a group of them.
#[derive(Clone, Debug)]
pub struct Poisson {
    /// As what its messages are posted.
    pub class: Class,
    pub(super) target: Target,
    pub(super) len: u8,
    /// Cycles from one to the next in the mean.
    pub(super) gap: f64,
    pub(super) at: f64,
    pub(super) stop: u64,
    pub(super) random: Random,
}

/// A number of an exponential distribution.
pub(super) fn exponential(random: &mut Random, mean: f64) -> f64 {
    -random.unit().ln() * mean
}

impl Poisson {
    /// On to the first message.
    pub(super) fn begin(mut self) -> Poisson {
        self.at += exponential(&mut self.random, self.gap);
        self
    }

    /// When the next message is created; NEVER if there is none.
    pub fn next(&self) -> u64 {
        let at = self.at as u64;
        if at < self.stop { at } else { NEVER }
    }

    /// The next message.
    pub fn take(&mut self) -> Scattered {
        let m = Scattered { created: self.next(), dst: self.target.draw(&mut self.random), len: self.len };
        self.at += exponential(&mut self.random, self.gap);
        m
    }
}
