//! Recorded runs: the inputs of each cycle, and sums of what the golden model says.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use crate::cosim::Job;
use crate::cosim::source::Source;
use crate::model::Unit;
use crate::params::{Build, UnitKind};
use crate::signals::{Group, Layout, Signal};

/// A recorded run.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What it is, for people.
    pub label: String,
    /// Seed of the power-up state.
    pub seed: u64,
    /// Cycles.
    pub cycles: u64,
}

/// The multipliers of the sums. Each is odd, so a change of one word always changes the sum; `replay.h` has the same.
fn multipliers(n: usize) -> Vec<u64> {
    let mut x = 0u64;
    (0..n)
        .map(|_| {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z >> 32) | 1
        })
        .collect()
}

fn sum(words: &[u32], multipliers: &[u64]) -> u64 {
    words.iter().zip(multipliers).fold(0, |s, (&w, m)| s.wrapping_add(u64::from(w).wrapping_mul(*m)))
}

fn words_of(layout: &Layout, is: impl Fn(&Signal) -> bool) -> Vec<usize> {
    let outputs = layout.signals.iter().filter(|s| s.group == Group::Output);
    outputs.filter(|s| is(s)).flat_map(|s| s.offset..s.offset + s.count * s.stride()).collect()
}

/// The words of the outputs that show sticky errors.
pub fn error_words(layout: &Layout) -> Vec<usize> {
    words_of(layout, |s| s.name == "err" || s.name.starts_with("err_"))
}

/// The words of the outputs that show that something moves: flits to the crossbar, grants, flits to the link, offers.
pub fn progress_words(unit: UnitKind, layout: &Layout) -> Vec<usize> {
    let name = match unit {
        UnitKind::InputPort => "xb_valid",
        UnitKind::OutputPort => "grant",
        UnitKind::HcaThrottle | UnitKind::SourceResponse | UnitKind::Reservation => "inj_valid",
        UnitKind::Switch | UnitKind::Hca | UnitKind::WormRouter | UnitKind::WormAdapter => "tx_valid",
        UnitKind::InjectionControl => "give_valid",
    };
    words_of(layout, |s| s.name == name)
}

/// What is compared of a cycle: sum of the outputs, sum of the state, and progress (upper 32 bits) with errors (lower).
pub type Sums = [u64; 3];

/// Plays sources on the golden model.
pub struct Player {
    build: Build,
    layout: Layout,
    /// Multipliers of outputs and state.
    factors: (Vec<u64>, Vec<u64>),
    errors: Vec<usize>,
    moving: Vec<usize>,
}

impl Player {
    /// For a build.
    pub fn new(build: &Build) -> Player {
        let layout = Layout::new(build.unit, &build.params);
        let mut outputs = multipliers(layout.out_words + layout.state_words);
        let state = outputs.split_off(layout.out_words);
        let (errors, moving) = (error_words(&layout), progress_words(build.unit, &layout));
        Player { build: *build, layout, factors: (outputs, state), errors, moving }
    }

    /// Runs the golden model from reset; `each` gets inputs and sums of every cycle. Returns the model.
    pub fn play(
        &self,
        source: &mut dyn Source,
        cycles: u64,
        each: &mut dyn FnMut(&[u32], Sums) -> Result<()>,
    ) -> Result<Box<dyn Unit>> {
        let mut golden = crate::model::new(self.build.unit, &self.build.params).map_err(|e| anyhow!(e))?;
        golden.reset();
        let (mut out, mut state) = (vec![0; self.layout.out_words], vec![0; self.layout.state_words]);
        let mut input = self.layout.idle();
        for _ in 0..cycles {
            self.layout.make_idle(&mut input);
            if golden.is_moore() {
                golden.outputs(&[], &mut out);
                source.drive(&out, &mut input);
            } else {
                source.drive(&out, &mut input);
                golden.outputs(&input, &mut out);
            }
            golden.state(&mut state);
            let join = |words: &[usize]| words.iter().fold(0, |e, &i| e | out[i]);
            let moves = u64::from(join(&self.moving) != 0);
            let told = moves << 32 | u64::from(join(&self.errors));
            each(&input, [sum(&out, &self.factors.0), sum(&state, &self.factors.1), told])?;
            golden.step(&input);
        }
        Ok(golden)
    }
}

/// Runs the golden model of `build` under each job and writes the file that `replay.h` describes. `progress` is told of cycles done.
/// The recorded inputs depend on the golden model alone, so they fit any device that should behave like it.
pub fn record(build: &Build, jobs: &[Job], path: &Path, progress: &dyn Fn(u64)) -> Result<Vec<Recorded>> {
    let player = Player::new(build);
    let in_words = player.layout.in_words as u64;
    let write = |beside: &Path| -> Result<()> {
        let mut w = BufWriter::with_capacity(1 << 20, File::create(beside)?);
        w.write_all(b"QVEC0001")?;
        for n in [in_words, jobs.len() as u64] {
            w.write_all(&n.to_le_bytes())?;
        }
        for j in jobs {
            w.write_all(&j.cycles.to_le_bytes())?;
            w.write_all(&j.seed.to_le_bytes())?;
        }
        for j in jobs {
            let mut sums = Vec::with_capacity(j.cycles as usize * 3);
            player.play(&mut *(j.source)(j.seed), j.cycles, &mut |input, s| {
                for word in input {
                    w.write_all(&word.to_le_bytes())?;
                }
                sums.extend(s);
                Ok(())
            })?;
            if (in_words * j.cycles) % 2 == 1 {
                w.write_all(&[0; 4])?;
            }
            for s in &sums {
                w.write_all(&s.to_le_bytes())?;
            }
            progress(j.cycles);
        }
        w.flush()?;
        Ok(())
    };
    let beside = path.with_extension("part");
    write(&beside)
        .and_then(|()| Ok(std::fs::rename(&beside, path)?))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(jobs.iter().map(|j| Recorded { label: j.label.clone(), seed: j.seed, cycles: j.cycles }).collect())
}

/// The inputs of recorded runs.
pub struct Inputs {
    bytes: Vec<u8>,
    in_words: usize,
    /// Of each run its cycles, and where its input vectors begin.
    runs: Vec<(u64, usize)>,
}

impl Inputs {
    /// Reads what [`record`] wrote.
    pub fn read(path: &Path) -> Result<Inputs> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Inputs::of(bytes).with_context(|| format!("{} is not a file of recorded runs", path.display()))
    }

    fn of(bytes: Vec<u8>) -> Option<Inputs> {
        let number =
            |at: usize| Some(u64::from_le_bytes(bytes.get(8 * at..8 * at + 8)?.try_into().ok()?) as usize);
        let (in_words, count) = (number(1)?, number(2)?);
        let mut at = 8 * (3 + 2 * count);
        let mut runs = Vec::new();
        for i in 0..count {
            let cycles = number(3 + 2 * i)?;
            runs.push((cycles as u64, at));
            at += (4 * in_words * cycles).next_multiple_of(8) + 24 * cycles;
        }
        (at == bytes.len()).then_some(Inputs { bytes, in_words, runs })
    }

    /// Runs.
    pub fn count(&self) -> usize {
        self.runs.len()
    }

    /// Cycles of a run.
    pub fn cycles(&self, run: usize) -> u64 {
        self.runs[run].0
    }

    /// A word of the input vector of a cycle of a run.
    pub fn word(&self, run: usize, cycle: u64, word: usize) -> u32 {
        let at = self.runs[run].1 + 4 * (self.in_words * cycle as usize + word);
        u32::from_le_bytes([0, 1, 2, 3].map(|i| self.bytes[at + i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_any_word_changes_the_sum() {
        let m = multipliers(500);
        let words: Vec<u32> = (0..500).map(|i| i * 7919).collect();
        let s = sum(&words, &m);
        for i in 0..500 {
            for bit in [0, 13, 31] {
                let mut other = words.clone();
                other[i] ^= 1 << bit;
                assert_ne!(sum(&other, &m), s);
            }
        }
    }

    #[test]
    fn recorded_inputs_are_read_as_they_were_played() {
        let tiny = |b: &Build| (b.unit, b.name) == (UnitKind::InputPort, "tiny");
        let build = crate::params::builds().into_iter().find(tiny).unwrap();
        let jobs: Vec<Job> =
            crate::measure::runs::of_regression(&build, 200, 1).unwrap().into_iter().take(3).collect();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("runs");
        record(&build, &jobs, &path, &|_| {}).unwrap();
        let inputs = Inputs::read(&path).unwrap();
        assert_eq!(inputs.count(), 3);
        for (run, j) in jobs.iter().enumerate() {
            assert_eq!(inputs.cycles(run), j.cycles);
            let mut cycle = 0;
            let mut each = |input: &[u32], _: Sums| {
                let read: Vec<u32> = (0..input.len()).map(|w| inputs.word(run, cycle, w)).collect();
                assert_eq!(read, input, "run {run}, cycle {cycle}");
                cycle += 1;
                Ok(())
            };
            Player::new(&build).play(&mut *(j.source)(j.seed), j.cycles, &mut each).unwrap();
        }
        let mut cut = std::fs::read(&path).unwrap();
        cut.pop();
        assert!(Inputs::of(cut).is_none());
    }

    #[test]
    fn every_unit_shows_errors_and_progress() {
        for b in crate::params::builds() {
            let l = Layout::new(b.unit, &b.params);
            // Injection control has nothing to complain of.
            let silent = b.unit == UnitKind::InjectionControl;
            assert!(
                error_words(&l).is_empty() == silent && !progress_words(b.unit, &l).is_empty(),
                "{} {}",
                b.unit.cli_name(),
                b.name
            );
        }
    }
}
