//! What made-up traces have in common: inputs and outputs by name, a cycle at a time.

use crate::cosim::events::scoreboard::{Broken, Scoreboard};
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout};

/// The pins of a unit in a cycle.
pub(super) struct Pins {
    pub layout: Layout,
    pub input: Vec<u32>,
    pub output: Vec<u32>,
}

impl Pins {
    pub fn new(unit: UnitKind, p: &Params) -> Pins {
        let layout = Layout::new(unit, p);
        let (input, output) = (layout.idle(), vec![0; layout.out_words]);
        Pins { layout, input, output }
    }

    /// Where an output is.
    pub fn output(&self, name: &str) -> usize {
        self.layout.signal(Group::Output, name).offset
    }

    pub fn judged(&self, judge: &mut impl Scoreboard) -> Result<(), Broken> {
        judge.cycle(&self.input, &self.output)
    }

    /// All idle again.
    pub fn rest(&mut self) {
        self.input = self.layout.idle();
        self.output.fill(0);
    }
}

/// Bytes of a control word, from byte `at` on.
pub(super) fn control(words: &mut [u32], at: usize, bytes: &[u32]) {
    for (b, value) in (at..).zip(bytes) {
        words[b / 4] |= value << (8 * (b % 4));
    }
}

/// A trace.
pub(super) trait Driven: Sized {
    fn pins(&mut self) -> &mut Pins;

    /// What was set and shown is judged, and a cycle is over.
    fn cycle(&mut self) -> Result<(), Broken>;

    fn set(&mut self, name: &str, at: usize, value: u32) -> &mut Self {
        let pins = self.pins();
        let offset = pins.layout.input(name);
        pins.input[offset + at] = value;
        self
    }

    fn show(&mut self, name: &str, at: usize, value: u32) -> &mut Self {
        let pins = self.pins();
        let offset = pins.output(name);
        pins.output[offset + at] = value;
        self
    }

    fn cycles(&mut self, n: u32) -> Result<(), Broken> {
        (0..n).try_for_each(|_| self.cycle())
    }
}
