//! Sources on golden models alone, for the tests of the stimuli.

use super::knobs::{Knobs, Setup};
use super::regression::{cover_applies, is_large};
use super::scenario::source;
use crate::cosim::source::Source;
use crate::extent::is_long;
use crate::model::{self, CoverPoint, Unit};
use crate::params::{Build, UnitKind, builds};
use crate::signals::Layout;

/// The builds of a unit.
pub(super) fn builds_of(unit: UnitKind) -> Vec<Build> {
    builds().into_iter().filter(|b| b.unit == unit).collect()
}

/// Those of them that the tests go through: in the short form not the large ones, nor those with parity, which do the same.
pub(super) fn tested(unit: UnitKind) -> Vec<Build> {
    let left_out =
        |b: &Build| is_large(b) || b.params.parity || (unit == UnitKind::Hca && b.params.flows >= 64);
    builds_of(unit).into_iter().filter(|b| is_long() || !left_out(b)).collect()
}

/// A golden model and its word vectors.
pub(super) struct Golden {
    build: Build,
    layout: Layout,
    pub(super) unit: Box<dyn Unit>,
    input: Vec<u32>,
    out: Vec<u32>,
    state: Vec<u32>,
}

impl Golden {
    pub(super) fn new(build: &Build) -> Golden {
        let l = Layout::new(build.unit, &build.params);
        Golden {
            build: *build,
            unit: model::new(build.unit, &build.params).unwrap(),
            input: l.idle(),
            out: vec![0; l.out_words],
            state: vec![0; l.state_words],
            layout: l,
        }
    }

    /// One cycle; `look` sees its inputs, outputs and state.
    pub(super) fn cycle(&mut self, source: &mut dyn Source, look: impl FnOnce(&[u32], &[u32], &[u32])) {
        self.layout.make_idle(&mut self.input);
        if self.unit.is_moore() {
            self.unit.outputs(&[], &mut self.out);
            source.drive(&self.out, &mut self.input);
        } else {
            source.drive(&self.out, &mut self.input);
            self.unit.outputs(&self.input, &mut self.out);
        }
        self.unit.state(&mut self.state);
        look(&self.input, &self.out, &self.state);
        self.unit.step(&self.input);
    }

    /// Which of these cover points, as far as the build can hit them, were not hit.
    pub(super) fn not_hit(&self, wanted: &'static [&'static str]) -> Vec<&'static str> {
        let points = self.unit.cover_points();
        let count = |name: &str| {
            let at = points.iter().position(|p| p.name == name).unwrap_or_else(|| panic!("no {name}"));
            self.unit.cover()[at]
        };
        let applies = |name: &str| cover_applies(self.build.unit, name, &self.build.params);
        wanted.iter().copied().filter(|w| applies(w) && count(w) == 0).collect()
    }
}

/// Runs a source; `look` sees the number, inputs, outputs and state of every cycle.
pub(super) fn run(
    build: &Build,
    source: &mut dyn Source,
    cycles: usize,
    mut look: impl FnMut(usize, &[u32], &[u32], &[u32]),
) -> Box<dyn Unit> {
    let mut golden = Golden::new(build);
    for t in 0..cycles {
        golden.cycle(source, |input, out, state| look(t, input, out, state));
    }
    golden.unit
}

/// Random traffic of these builds leaves nothing out but what is rare.
pub(super) fn assert_nothing_left_out(rare: &[&str], builds: &[Build], seeds: u64, cycles: usize) {
    for build in builds {
        assert_eq!(left_out_but(rare, build, seeds, cycles), Vec::<&str>::new(), "{}", build.title());
    }
}

/// Cover points that random traffic of `seeds` runs of `cycles` leaves out.
pub(super) fn left_out(build: &Build, seeds: u64, cycles: usize) -> Vec<&'static str> {
    left_out_but(&[], build, seeds, cycles)
}

/// The same, but for some that need not come; runs end when nothing else is left.
pub(super) fn left_out_but(rare: &[&str], build: &Build, seeds: u64, cycles: usize) -> Vec<&'static str> {
    let mut total: Vec<u64> = Vec::new();
    let mut missed = Vec::new();
    for seed in 0..seeds {
        let mut s = source(build, None, &Knobs::default(), &Setup::default(), seed).unwrap();
        let unit = run(build, s.as_mut(), cycles, |_, _, _, _| ());
        let points: &'static [CoverPoint] = unit.cover_points();
        total.resize(points.len(), 0);
        total.iter_mut().zip(unit.cover()).for_each(|(t, c)| *t += c);
        missed = points
            .iter()
            .zip(&total)
            .filter(|(p, c)| **c == 0 && cover_applies(build.unit, p.name, &build.params))
            .map(|(p, _)| p.name)
            .filter(|name| !rare.contains(name))
            .collect();
        if missed.is_empty() {
            break;
        }
    }
    missed
}

/// The inputs of random traffic are the same for the same seed, and others for another one.
pub(super) fn assert_depends_on_the_seed_alone(build: &Build) {
    let mut inputs = Vec::new();
    for seed in [1, 1, 2] {
        let mut s = source(build, None, &Knobs::default(), &Setup::default(), seed).unwrap();
        let mut all = Vec::new();
        run(build, s.as_mut(), 2_000, |_, input, _, _| all.extend_from_slice(input));
        inputs.push(all);
    }
    assert!(inputs[0] == inputs[1] && inputs[0] != inputs[2]);
}
