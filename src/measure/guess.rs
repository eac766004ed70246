//! Registers that never changed while the recorded runs were played: what a prover is to be asked about.

use std::collections::VecDeque;

use super::vectors::Inputs;
use crate::prove::aiger::{Lit, Model, Node};

/// Runs side by side: one a bit of a word.
const LANES: usize = 64;

/// Plays the runs on a model of a unit, 64 at once, each after a reset. Register bits begin with 0. Gives the number and value of those
/// that never changed from the first reset on. `places`: where the model's inputs are in an input vector; the others are 0.
pub fn constants(
    model: &Model,
    runs: &Inputs,
    places: &[(usize, usize, usize)],
    progress: &dyn Fn(u64),
) -> Vec<(usize, bool)> {
    let registers = model.registers();
    let reset = model.input("rst_i").map(|i| model.input_lits[i] as usize / 2);
    // The longest first.
    let mut order: Vec<usize> = (0..runs.count()).collect();
    order.sort_by_key(|r| std::cmp::Reverse(runs.cycles(*r)));
    let mut queue: VecDeque<usize> = order.into();
    // What each plays, and how many of its cycles are over; a reset comes before the first.
    let mut lanes: [Option<(usize, Option<u64>)>; LANES] = [None; LANES];
    let mut value = vec![0u64; model.nodes.len()];
    let (mut zero, mut one) = (vec![0u64; registers.len()], vec![0u64; registers.len()]);
    let read = |value: &[u64], lit: Lit| value[lit as usize / 2] ^ if lit & 1 == 1 { u64::MAX } else { 0 };
    loop {
        let (mut busy, mut done) = (0u64, 0);
        let mut inputs = vec![0u64; places.len()];
        let mut resets = 0u64;
        for (l, lane) in lanes.iter_mut().enumerate() {
            if lane.is_none_or(|(run, at)| at == Some(runs.cycles(run))) {
                *lane = queue.pop_front().map(|run| (run, None));
            }
            let Some((run, at)) = lane else { continue };
            busy |= 1 << l;
            match at {
                None => resets |= 1 << l,
                Some(cycle) => {
                    for (word, (_, w, bit)) in inputs.iter_mut().zip(places) {
                        *word |= u64::from(runs.word(*run, *cycle, *w) >> bit & 1) << l;
                    }
                    done += 1;
                }
            }
            *at = Some(at.map_or(0, |n| n + 1));
        }
        if busy == 0 {
            break;
        }
        for (word, (input, ..)) in inputs.iter().zip(places) {
            value[model.input_lits[*input] as usize / 2] = *word;
        }
        if let Some(r) = reset {
            value[r] = resets;
        }
        for &v in &model.order {
            if let Node::And(a, b) = model.nodes[v as usize] {
                value[v as usize] = read(&value, a) & read(&value, b);
            }
        }
        let next: Vec<u64> = model.latches.iter().map(|l| read(&value, l.next)).collect();
        for ((word, v), (zero, one)) in next.iter().zip(&registers).zip(zero.iter_mut().zip(&mut one)) {
            value[*v as usize] = *word;
            *zero |= !word & busy;
            *one |= word & busy;
        }
        progress(done);
    }
    let all = zero.iter().zip(&one).enumerate();
    all.filter(|(_, (z, o))| (**z == 0) != (**o == 0)).map(|(i, (z, _))| (i, *z == 0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::vectors;
    use crate::params::{UnitKind, builds};
    use crate::prove::trace;
    use crate::signals::Layout;

    // Register a is rx_valid_i a cycle later, b stays 0, c is 1 from the first cycle after a reset on.
    const MODEL: &str = "\
aag 7 2 3 0 2
2
4
6 12 6
8 14 8
10 1 10
12 4 3
14 8 4
i0 rst_i
i1 rx_valid_i
";

    #[test]
    fn what_no_run_changes_is_guessed() {
        let tiny = builds().into_iter().find(|b| (b.unit, b.name) == (UnitKind::InputPort, "tiny")).unwrap();
        let jobs = crate::measure::runs::of_regression(&tiny, 200, 1).unwrap();
        let jobs: Vec<_> = jobs.into_iter().filter(|j| j.cycles < 3000).take(70).collect();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("runs");
        vectors::record(&tiny, &jobs, &path, &|_| {}).unwrap();
        let runs = Inputs::read(&path).unwrap();
        assert!(runs.count() > LANES, "a lane plays a second run");
        let model = Model::parse(MODEL).unwrap();
        let places = trace::places(&model, &Layout::new(tiny.unit, &tiny.params)).unwrap();
        assert_eq!(places.len(), 1);
        let done = std::cell::Cell::new(0);
        let found = constants(&model, &runs, &places, &|n| done.set(done.get() + n));
        assert_eq!(found, [(1, false), (2, true)]);
        assert_eq!(done.get(), (0..runs.count()).map(|r| runs.cycles(r)).sum::<u64>());
    }
}
