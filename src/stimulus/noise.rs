//! Traffic with wrong or odd inputs in it: what a source drives, with single inputs changed by chance.
//!
//! Sources know the unit's protocol and registers, so they hardly ever try what nobody would do on purpose: one high bit of an
//! address, a flit that comes from nowhere. The contract says what happens then, too.

use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};

use super::chance::{Chance, chance, hit};
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout, Signal};

/// Cycles between changes of the rate.
const PHASE: u32 = 512;

/// A source, with changes.
pub(super) struct Noise {
    inner: Box<dyn Source>,
    inputs: Vec<Signal>,
    rng: SmallRng,
    rate: Chance,
    left: u32,
}

impl Noise {
    /// Changes what `inner` drives into a unit.
    pub(super) fn new(inner: Box<dyn Source>, unit: UnitKind, p: &Params, seed: u64) -> Noise {
        let inputs = noisy(&Layout::new(unit, p)).collect();
        let rng = SmallRng::seed_from_u64(seed ^ 0x7c0f_1e55_a3b2_94d1);
        Noise { inner, inputs, rng, rate: 0, left: 0 }
    }
}

/// The inputs that are changed. Links fall by the source's will alone: its neighbours count from 0 then.
fn noisy(layout: &Layout) -> impl Iterator<Item = Signal> {
    layout.signals.iter().filter(|s| s.group == Group::Input && s.name != "link_up").copied()
}

/// A number of `width` bits (32 at most) that tells bits apart: none, all, one, all but one, some low ones, any.
fn corner(rng: &mut SmallRng, width: usize) -> u32 {
    let mask = u32::MAX >> (32 - width);
    let one = 1u32 << rng.random_range(0..width);
    let any = rng.next_u32();
    mask & match rng.random_range(0..8) {
        0 => 0,
        1 => mask,
        2 => one,
        3 => !one,
        4 => any & (one - 1),
        5 => one | any & 7,
        6 => !one & any,
        _ => any,
    }
}

impl Source for Noise {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        self.inner.drive(seen, input);
        if self.left == 0 {
            self.left = PHASE;
            self.rate = chance([0.0, 0.01, 0.05, 0.3][self.rng.random_range(0..4)]);
        }
        self.left -= 1;
        while hit(&mut self.rng, self.rate) {
            let s = self.inputs[self.rng.random_range(0..self.inputs.len())];
            let element = self.rng.random_range(0..s.count);
            let word = self.rng.random_range(0..s.stride());
            let width = (s.width - 32 * word).min(32);
            input[s.offset + element * s.stride() + word] = corner(&mut self.rng, width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::builds;

    struct Zero;
    impl Source for Zero {
        fn drive(&mut self, _: &[u32], input: &mut [u32]) {
            input.fill(0);
        }
    }

    #[test]
    fn every_input_is_changed_within_its_width_and_in_every_bit() {
        for b in builds().into_iter().filter(|b| b.name == "tiny") {
            let layout = Layout::new(b.unit, &b.params);
            let mut noise = Noise::new(Box::new(Zero), b.unit, &b.params, 1);
            let mut ever = vec![0; layout.in_words];
            let mut input = vec![0; layout.in_words];
            for _ in 0..400_000 {
                noise.drive(&[], &mut input);
                ever.iter_mut().zip(&input).for_each(|(e, i)| *e |= i);
            }
            for s in noisy(&layout) {
                for (i, &e) in ever[s.offset..s.offset + s.count * s.stride()].iter().enumerate() {
                    let width = (s.width - 32 * (i % s.stride())).min(32);
                    assert_eq!(e, u32::MAX >> (32 - width), "{}[{i}]", s.name);
                }
            }
        }
    }
}
