//! Minimising a failing stimulus: keep what is needed for the same signal to fail.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::lockstep::{Bench, Wrong};
use super::pass::trial;
use super::recording::Inputs;
use crate::signals::{Group, Layout};

/// The inputs of a cycle.
type Frame = Rc<[u32]>;

/// More cycles than this are not searched; only their beginning and end.
const MOST_FRAMES: u64 = 200_000;

/// A shorter or emptier stimulus in whose last cycle the same goes wrong as in the last one of `inputs`. `None` if none was found
/// within the time.
pub(crate) fn minimise(
    bench: &Bench,
    seed: u64,
    inputs: &Inputs,
    wrong: &Wrong,
    time: Duration,
) -> Option<Inputs> {
    let layout = Layout::new(bench.build.unit, &bench.build.params);
    let mut search = Search {
        bench,
        seed,
        wrong,
        deadline: Instant::now() + time,
        idle: layout.idle().into(),
        frames: Vec::new(),
    };
    let mut changed = search.start(inputs, &layout)?;
    loop {
        let before = (search.frames.len(), search.weight());
        changed |= search.calm_signals(&layout);
        changed |= search.chunks(Search::without);
        changed |= search.chunks(Search::idle);
        if search.frames.len() <= 4096 {
            changed |= search.calm_fields(&layout);
        }
        if search.late() || before == (search.frames.len(), search.weight()) {
            break;
        }
    }
    changed.then(|| search.pack(&search.frames))
}

struct Search<'a> {
    bench: &'a Bench<'a>,
    seed: u64,
    wrong: &'a Wrong,
    deadline: Instant,
    /// A cycle in which nothing happens.
    idle: Frame,
    /// The best so far; fails in its last cycle.
    frames: Vec<Frame>,
}

impl Search<'_> {
    fn late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    fn pack(&self, frames: &[Frame]) -> Inputs {
        let mut inputs = Inputs::new(self.idle.len());
        frames.iter().for_each(|f| inputs.push(f));
        inputs
    }

    /// Words that are not idle.
    fn weight(&self) -> usize {
        let busy = |f: &Frame| f.iter().zip(&*self.idle).filter(|(w, idle)| w != idle).count();
        self.frames.iter().map(busy).sum()
    }

    /// Takes the candidate if it fails in the same way.
    fn take(&mut self, mut candidate: Vec<Frame>) -> bool {
        if self.late() {
            return false;
        }
        match trial(self.bench, self.seed, &self.pack(&candidate)) {
            Ok(Some((cycle, wrong))) if self.wrong.same_as(&wrong) => {
                candidate.truncate(cycle as usize + 1);
                self.frames = candidate;
                true
            }
            _ => false,
        }
    }

    /// Finds a stimulus to start from: the beginning and the last cycles, or the register writes and the last cycles, or all.
    /// True if it is not all; `None` if there is none.
    fn start(&mut self, inputs: &Inputs, layout: &Layout) -> Option<bool> {
        let init = self.bench.build.params.init_cycles(self.bench.build.unit) as u64;
        let writes: Vec<usize> = layout
            .signals
            .iter()
            .filter(|s| s.group == Group::Input && s.name.ends_with("_we"))
            .map(|s| s.offset)
            .collect();
        let mut end = 64;
        while init + 2 * end < inputs.cycles() && end < MOST_FRAMES {
            for all_writes in [true, false] {
                let from = inputs.cycles() - end;
                let candidate = select(inputs, |cycle, v| {
                    let early = if all_writes { init } else { init + end };
                    cycle < early || cycle >= from || (all_writes && writes.iter().any(|w| v[*w] != 0))
                });
                if (candidate.len() as u64) < inputs.cycles()
                    && candidate.len() as u64 <= MOST_FRAMES
                    && self.take(candidate)
                {
                    return Some(true);
                }
            }
            end *= 8;
        }
        if inputs.cycles() > MOST_FRAMES {
            return None;
        }
        self.frames = select(inputs, |_, _| true);
        Some(false)
    }

    /// Makes whole signals idle.
    fn calm_signals(&mut self, layout: &Layout) -> bool {
        let mut changed = false;
        for s in layout.signals.iter().filter(|s| s.group == Group::Input) {
            let range = s.offset..s.offset + s.stride() * s.count;
            let clear = |f: &Frame| match f[range.clone()] != self.idle[range.clone()] {
                true => self.calmed(f, range.clone()),
                false => f.clone(),
            };
            let candidate: Vec<Frame> = self.frames.iter().map(clear).collect();
            changed |= candidate != self.frames && self.take(candidate);
        }
        changed
    }

    /// Applies an edit to ever smaller runs of cycles.
    fn chunks(&mut self, edit: fn(&Self, usize, usize) -> Option<Vec<Frame>>) -> bool {
        let mut changed = false;
        let mut size = self.frames.len().div_ceil(2);
        loop {
            let mut at = 0;
            while at < self.frames.len() {
                let end = (at + size).min(self.frames.len());
                let before = self.frames.len();
                let taken = edit(self, at, end).is_some_and(|c| self.take(c));
                changed |= taken;
                // After a removal the next cycles are in the same place.
                if !taken || self.frames.len() == before {
                    at = end;
                }
                if self.late() {
                    return changed;
                }
            }
            if size == 1 {
                return changed;
            }
            size = size.div_ceil(2);
        }
    }

    /// The inputs with some of them idle.
    fn calmed(&self, f: &Frame, range: std::ops::Range<usize>) -> Frame {
        let mut v = f.to_vec();
        v[range.clone()].copy_from_slice(&self.idle[range]);
        v.into()
    }

    /// Without the cycles `at..end`.
    fn without(&self, at: usize, end: usize) -> Option<Vec<Frame>> {
        (end - at < self.frames.len()).then(|| [&self.frames[..at], &self.frames[end..]].concat())
    }

    /// With nothing in the cycles `at..end`.
    fn idle(&self, at: usize, end: usize) -> Option<Vec<Frame>> {
        let busy = self.frames[at..end].iter().any(|f| *f != self.idle);
        busy.then(|| [&self.frames[..at], &vec![self.idle.clone(); end - at], &self.frames[end..]].concat())
    }

    /// Makes single elements idle in single cycles.
    fn calm_fields(&mut self, layout: &Layout) -> bool {
        let mut changed = false;
        let mut cycle = 0;
        while cycle < self.frames.len() {
            for s in layout.signals.iter().filter(|s| s.group == Group::Input) {
                for i in 0..s.count {
                    let range = s.offset + i * s.stride()..s.offset + (i + 1) * s.stride();
                    let Some(f) = self.frames.get(cycle) else { return changed };
                    if f[range.clone()] == self.idle[range.clone()] {
                        continue;
                    }
                    let mut candidate = self.frames.clone();
                    candidate[cycle] = self.calmed(f, range);
                    changed |= self.take(candidate);
                    if self.late() {
                        return changed;
                    }
                }
            }
            cycle += 1;
        }
        changed
    }
}

/// The cycles for which `keep` says so; equal neighbours share memory.
fn select(inputs: &Inputs, keep: impl Fn(u64, &[u32]) -> bool) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut cursor = inputs.cursor();
    let mut cycle = 0;
    while let Some(v) = cursor.next(inputs) {
        if keep(cycle, v) {
            match frames.last() {
                Some(f) if **f == *v => frames.push(f.clone()),
                _ => frames.push(v.into()),
            }
        }
        cycle += 1;
    }
    frames
}
