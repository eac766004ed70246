//! The stimulus against the golden model.

use super::*;
use crate::model::{self, Unit};
use crate::params::{UnitKind, builds};
use crate::signals::Layout;

fn ht_builds() -> Vec<Build> {
    builds().into_iter().filter(|b| b.unit == UnitKind::HcaThrottle).collect()
}

/// Runs a source on the golden model; `look` sees the inputs, outputs and state of every cycle.
fn run(
    build: &Build,
    source: &mut dyn Source,
    cycles: usize,
    mut look: impl FnMut(usize, &[u32], &[u32], &[u32]),
) -> Box<dyn Unit> {
    let l = Layout::new(build.unit, &build.params);
    let mut unit = model::new(build.unit, &build.params).unwrap();
    let (mut input, mut out, mut state) = (vec![0; l.in_words], vec![0; l.out_words], vec![0; l.state_words]);
    for t in 0..cycles {
        unit.outputs(&[], &mut out);
        unit.state(&mut state);
        input.fill(0);
        source.drive(&out, &mut input);
        look(t, &input, &out, &state);
        unit.step(&input);
    }
    unit
}

#[test]
#[ignore = "measurement"]
fn random_cover() {
    for build in ht_builds() {
        let mut total: Vec<u64> = Vec::new();
        let start = std::time::Instant::now();
        let mut points: &'static [model::CoverPoint] = &[];
        for seed in 0..10 {
            let mut s = source(&build, None, &Knobs::default(), &Setup::default(), seed).unwrap();
            let unit = run(&build, s.as_mut(), 100_000, |_, _, _, _| ());
            points = unit.cover_points();
            total.resize(points.len(), 0);
            total.iter_mut().zip(unit.cover()).for_each(|(t, c)| *t += c);
        }
        println!("{}: {:?}", build.name, start.elapsed());
        for (p, c) in points.iter().zip(&total) {
            if *c < 100 && model::hca_throttle::cover_applies(p.name, &build.params) {
                println!("  {} {}", p.name, c);
            }
        }
    }
}
