//! The switch's answer to an output port of a switch with one read port an input: which of its requests are taken.
//!
//! The port proposes in the cycle of the requests (`grant`, `elig`), so a golden port is driven beside the one under test to
//! know what it proposes.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::cosim::source::Source;
use crate::model::Unit;
use crate::model::output_port::OutputPort;
use crate::params::{Params, UnitKind};
use crate::signals::Layout;

/// How the switch answers for a while.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Every proposal is taken.
    Plain,
    /// Inputs often accept another output, later iterations serve others.
    Contended,
    /// Anything is taken.
    Garbage,
}

/// A source whose requests are taken as a switch would. Without ONE_QUEUE it is the source itself.
pub(super) struct Takes<S> {
    pub(super) inner: S,
    switch: Option<Answer>,
}

struct Answer {
    port: OutputPort,
    out: Vec<u32>,
    seen: Vec<u32>,
    grant: usize,
    elig: usize,
    take: usize,
    ports: usize,
    rng: SmallRng,
    /// Modes change; else all proposals are taken.
    varied: bool,
    mode: Mode,
    left: u32,
}

impl<S: Source> Takes<S> {
    pub(super) fn new(p: &Params, inner: S, varied: bool, seed: u64) -> Takes<S> {
        let l = Layout::new(UnitKind::OutputPort, p);
        let switch = p.one_queue.then(|| Answer {
            port: OutputPort::new(p),
            out: vec![0; l.out_words],
            seen: vec![0; l.out_words],
            grant: l.output("grant"),
            elig: l.output("elig"),
            take: l.input("take"),
            ports: p.ports,
            rng: SmallRng::seed_from_u64(seed ^ 0x7a6b_5c4d_3e2f_1908),
            varied,
            mode: Mode::Plain,
            left: 0,
        });
        Takes { inner, switch }
    }
}

impl Answer {
    /// What the inputs see of the last cycle: the request that was taken is granted.
    fn granted(&mut self, seen: &[u32]) {
        self.seen.copy_from_slice(seen);
        self.seen[self.grant..self.grant + self.ports].fill(0);
        if let Some(r) = self.port.served() {
            self.seen[self.grant + r] = 1;
        }
    }

    /// Chooses what is taken in this cycle.
    fn answer(&mut self, input: &mut [u32]) {
        if self.left == 0 {
            self.left = self.rng.random_range(50..800);
            self.mode = match self.rng.random_range(0..8) {
                _ if !self.varied => Mode::Plain,
                0..=2 => Mode::Plain,
                7 => Mode::Garbage,
                _ => Mode::Contended,
            };
        }
        self.left -= 1;
        self.port.outputs(input, &mut self.out);
        let first = |base: usize, from: usize| {
            (0..self.ports).map(|i| (from + i) % self.ports).find(|r| self.out[base + r] != 0)
        };
        let any = self.rng.random_range(0..self.ports);
        let taken = match (self.mode, self.rng.random_range(0..8)) {
            (Mode::Plain, _) => first(self.grant, 0),
            (Mode::Garbage, 0..=5) => Some(any),
            (_, 0..=1) => None,
            (_, 2..=4) => first(self.elig, any),
            _ => first(self.grant, 0),
        };
        if let Some(r) = taken {
            input[self.take + r] = 1;
        }
        if self.mode == Mode::Garbage && self.rng.random_ratio(1, 4) {
            input[self.take + self.rng.random_range(0..self.ports)] = 1;
        }
        self.port.step(input);
    }
}

impl<S: Source> Source for Takes<S> {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let Some(switch) = &mut self.switch else { return self.inner.drive(seen, input) };
        switch.granted(seen);
        self.inner.drive(&switch.seen, input);
        switch.answer(input);
    }
}
