//! Recorded runs: the inputs of each cycle, and sums of what the golden model says.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use crate::cosim::Job;
use crate::params::Build;
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

/// The outputs that show a sticky error.
pub fn error_signals(layout: &Layout) -> Vec<Signal> {
    let is = |s: &&Signal| s.group == Group::Output && (s.name == "err" || s.name.starts_with("err_"));
    layout.signals.iter().filter(is).copied().collect()
}

/// Runs the golden model of `build` under each job and writes the file that `replay.h` describes. `progress` is told of cycles done.
/// A jobs' recorded inputs depend on the golden model alone, so they fit any device that should behave like it.
pub fn record(build: &Build, jobs: &[Job], path: &Path, progress: &dyn Fn(u64)) -> Result<Vec<Recorded>> {
    let layout = Layout::new(build.unit, &build.params);
    let (mo, ms) = {
        let mut m = multipliers(layout.out_words + layout.state_words);
        let state = m.split_off(layout.out_words);
        (m, state)
    };
    let errors: Vec<usize> =
        error_signals(&layout).iter().flat_map(|s| s.offset..s.offset + s.count * s.stride()).collect();
    let write = |beside: &Path| -> Result<()> {
        let mut w = BufWriter::with_capacity(1 << 20, File::create(beside)?);
        w.write_all(b"QVEC0001")?;
        for n in [layout.in_words as u64, jobs.len() as u64] {
            w.write_all(&n.to_le_bytes())?;
        }
        for j in jobs {
            w.write_all(&j.cycles.to_le_bytes())?;
            w.write_all(&j.seed.to_le_bytes())?;
        }
        let (mut out, mut state) = (vec![0; layout.out_words], vec![0; layout.state_words]);
        let mut input = vec![0; layout.in_words];
        for j in jobs {
            let mut golden = crate::model::new(build.unit, &build.params).map_err(|e| anyhow!(e))?;
            golden.reset();
            let mut source = (j.source)(j.seed);
            let mut sums = Vec::with_capacity(j.cycles as usize * 3);
            out.fill(0);
            for _ in 0..j.cycles {
                input.fill(0);
                if golden.is_moore() {
                    golden.outputs(&[], &mut out);
                    source.drive(&out, &mut input);
                } else {
                    source.drive(&out, &mut input);
                    golden.outputs(&input, &mut out);
                }
                golden.state(&mut state);
                for word in &input {
                    w.write_all(&word.to_le_bytes())?;
                }
                let error = errors.iter().fold(0, |e, &i| e | out[i]);
                sums.extend([sum(&out, &mo), sum(&state, &ms), u64::from(error)]);
                golden.step(&input);
            }
            if (layout.in_words as u64 * j.cycles) % 2 == 1 {
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
    fn every_unit_shows_its_errors() {
        for b in crate::params::builds() {
            assert!(!error_signals(&Layout::new(b.unit, &b.params)).is_empty(), "{}", b.prefix());
        }
    }
}
