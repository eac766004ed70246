//! The engines: bounded search from reset, and induction over all properties at once.

use super::aiger::Model;
use super::unroll::{Limit, Signal, Trace, Unroller};

/// Bounded search from reset: what is broken or hit, and when.
pub struct Search<'m> {
    model: &'m Model,
    unroller: Unroller<'m>,
    /// Assertions still looked at.
    asserts: Vec<usize>,
    covers: Vec<usize>,
    /// Cycles after reset that are done.
    depth: usize,
}

/// What a step of the search found.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// Assertion that is broken, and how.
    Broken(usize, Trace),
    /// Cover that is hit.
    Hit(usize),
}

impl<'m> Search<'m> {
    /// A search for breaks of these assertions and hits of these covers.
    pub fn new(model: &'m Model, asserts: Vec<usize>, covers: Vec<usize>, limit: Limit) -> Search<'m> {
        Search { model, unroller: Unroller::new(model, true, limit), asserts, covers, depth: 0 }
    }

    /// Nothing is left to look for.
    pub fn done(&self) -> bool {
        self.asserts.is_empty() && self.covers.is_empty()
    }

    /// No need to look at these assertions any more: they hold.
    pub fn proved(&mut self, asserts: &[usize]) {
        self.asserts.retain(|a| !asserts.contains(a));
    }

    /// Assertions are left.
    pub fn has_asserts(&self) -> bool {
        !self.asserts.is_empty()
    }

    /// One cycle more; `None`: not known in time.
    pub fn step(&mut self) -> Option<Vec<Found>> {
        let t = self.depth + 1;
        if t == 1 {
            assume(&mut self.unroller, self.model, 0);
        }
        assume(&mut self.unroller, self.model, t);
        let mut found = Vec::new();
        loop {
            let broken: Vec<(usize, Signal)> = self
                .asserts
                .iter()
                .map(|&a| (a, self.unroller.signal(t, self.model.asserts[a].lit)))
                .collect();
            if !any(&mut self.unroller, broken.iter().map(|b| b.1))? {
                for (_, s) in broken {
                    self.unroller.clause(&[!s]);
                }
                break;
            }
            let trace = self.unroller.trace(t);
            for (a, s) in broken {
                if self.unroller.value(s) {
                    found.push(Found::Broken(a, trace.clone()));
                    self.asserts.retain(|b| *b != a);
                }
            }
        }
        loop {
            let hit: Vec<(usize, Signal)> =
                self.covers.iter().map(|&c| (c, self.unroller.signal(t, self.model.covers[c].lit))).collect();
            if !any(&mut self.unroller, hit.iter().map(|h| h.1))? {
                break;
            }
            for (c, s) in hit {
                if self.unroller.value(s) {
                    found.push(Found::Hit(c));
                    self.covers.retain(|b| *b != c);
                }
            }
        }
        self.depth = t;
        Some(found)
    }

    /// Cycles after reset that are searched.
    pub fn depth(&self) -> usize {
        self.depth
    }
}

/// States the assumptions in a step.
fn assume(unroller: &mut Unroller, model: &Model, step: usize) {
    for a in &model.assumes {
        let s = unroller.signal(step, a.lit);
        unroller.clause(&[s]);
    }
}

/// Is there a solution with one of these true?
pub fn any(unroller: &mut Unroller, signals: impl Iterator<Item = Signal>) -> Option<bool> {
    let on = unroller.switch();
    let clause: Vec<Signal> = std::iter::once(!on).chain(signals).collect();
    unroller.clause(&clause);
    let answer = unroller.solve(&[on]);
    if answer == Some(false) {
        unroller.clause(&[!on]);
    }
    answer
}

/// Of the `candidates` (which hold in the first `k` cycles after reset), those that follow from each other: if all of
/// them hold in `k` consecutive cycles, they do in the next. `lemmas` hold in every cycle. What is found before
/// time is over counts for nothing: the result is empty then.
pub fn induction(
    model: &Model,
    candidates: &[usize],
    lemmas: &[usize],
    k: usize,
    limit: Limit,
) -> Vec<usize> {
    let mut unroller = Unroller::new(model, false, limit);
    for t in 0..=k {
        assume(&mut unroller, model, t);
        for &l in lemmas {
            let broken = unroller.signal(t, model.asserts[l].lit);
            unroller.clause(&[!broken]);
        }
    }
    // each candidate with a switch that states it in the first k steps
    let mut alive: Vec<(usize, Signal, Signal)> = Vec::new();
    for &c in candidates {
        let on = unroller.switch();
        for t in 0..k {
            let broken = unroller.signal(t, model.asserts[c].lit);
            unroller.clause(&[!on, !broken]);
        }
        let broken = unroller.signal(k, model.asserts[c].lit);
        alive.push((c, on, broken));
    }
    while !alive.is_empty() {
        let one = unroller.switch();
        let clause: Vec<Signal> = std::iter::once(!one).chain(alive.iter().map(|a| a.2)).collect();
        unroller.clause(&clause);
        let assumed: Vec<Signal> = std::iter::once(one).chain(alive.iter().map(|a| a.1)).collect();
        match unroller.solve(&assumed) {
            None => return Vec::new(),
            Some(false) => break,
            Some(true) => alive.retain(|a| !unroller.value(a.2)),
        }
        unroller.clause(&[!one]);
    }
    alive.into_iter().map(|a| a.0).collect()
}
