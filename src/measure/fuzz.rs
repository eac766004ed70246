//! Guided fuzzing: short stimuli are changed by chance, and kept when they reach what none before did, in the RTL (Verilator's
//! lines, branches and toggles, each by how often) or in the golden model (cover points, likewise).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde::Serialize;

use super::runs;
use super::tools::{self, Design, Replay as Replaying};
use super::vectors::{Player, Sums};
use crate::cosim::recording::{self, Inputs, Replay, Stimulus};
use crate::params::Build;
use crate::signals::{Group, Layout, Signal};
use crate::stimulus::knobs::{Knobs, Setup};
use crate::stimulus::scenario::source;

/// Cycles of the longest stimulus.
const LONGEST: usize = 600;
/// Stimuli of random traffic that every corpus begins with.
const FRESH: u64 = 4;

/// What to do.
pub struct Campaign {
    /// Unit and parameters.
    pub build: Build,
    /// Stimuli to try.
    pub tries: u64,
    /// Most stimuli that the corpus keeps.
    pub keep: usize,
    /// Seed.
    pub seed: u64,
    /// Folder of the program, the corpus that grows, and stimuli that fail.
    pub dir: PathBuf,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Unit on the command line.
    pub unit: &'static str,
    /// Parameter set.
    pub build: String,
    /// Stimuli tried, and their cycles.
    pub tries: u64,
    /// Cycles.
    pub cycles: u64,
    /// Stimuli that the corpus had, and has.
    pub corpus_before: usize,
    /// After the run.
    pub corpus: usize,
    /// Pairs of a point of the RTL and how often it was reached that the corpus had at first, and in the end.
    pub reached_before: u64,
    /// In the end.
    pub reached: u64,
    /// Cover points of the golden model reached, and of how many.
    pub rules_reached: usize,
    /// All of them.
    pub rules: usize,
    /// Stimuli for which RTL and golden model differ, or an assertion fails.
    pub failures: Vec<Found>,
    /// Where the corpus is.
    pub folder: PathBuf,
}

/// A stimulus that fails.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// Its file, for `quell replay`.
    pub file: PathBuf,
    /// What and when.
    pub what: String,
}

/// Input vectors of successive cycles.
type Frames = Vec<Vec<u32>>;

/// What the RTL did with a stimulus.
enum Answer {
    /// Equal; so much was new.
    Equal(u64),
    /// Not, with what and when.
    Wrong(String, usize),
}

/// The Verilated unit with coverage (`fuzz` of `replay.h`).
struct Rtl(Replaying);

impl Rtl {
    /// Its answer, after whatever Verilator had to say.
    fn answer(&mut self) -> Result<String> {
        loop {
            if let Some(answer) = self.0.line()?.strip_prefix('@') {
                return Ok(answer.to_string());
            }
        }
    }

    /// What was reached counts as new again.
    fn forget(&mut self) -> Result<()> {
        self.0.tell(b"forget\n")?;
        self.answer().map(|_| ())
    }

    fn run(&mut self, frames: &Frames, sums: &[Sums]) -> Result<Answer> {
        let words = frames.iter().flatten().flat_map(|w| w.to_le_bytes());
        let mut bytes = format!("{}\n", frames.len()).into_bytes();
        bytes.extend(words);
        bytes.extend(sums.iter().flatten().flat_map(|s| s.to_le_bytes()));
        self.0.tell(&bytes)?;
        let answer = self.answer()?;
        let bad = || anyhow!("the replay program said {answer}");
        let (what, number) = answer.split_once(' ').ok_or_else(bad)?;
        Ok(match what {
            "equal" => Answer::Equal(number.parse().map_err(|_| bad())?),
            _ => Answer::Wrong(what.to_string(), number.parse().map_err(|_| bad())?),
        })
    }
}

/// How often, in eight steps, as `fuzz` of `replay.h` has them; a bit each.
fn often(count: u64) -> u8 {
    match count {
        0 => 0,
        1..=3 => 1 << (count - 1),
        4..=7 => 1 << 3,
        8..=15 => 1 << 4,
        16..=31 => 1 << 5,
        32..=127 => 1 << 6,
        _ => 1 << 7,
    }
}

struct Fuzzer {
    build: Build,
    layout: Layout,
    player: Player,
    rtl: Rtl,
    rng: SmallRng,
    /// Steps of [`often`] reached of each cover point of the golden model.
    seen: Vec<u8>,
    /// Of the RTL, in all.
    reached: u64,
    cycles: u64,
    /// The stimuli that reached something new, and how much.
    all: Vec<(Frames, u64)>,
    failures: Vec<Found>,
}

impl Fuzzer {
    /// Runs both sides. Returns how much was new.
    fn judge(&mut self, frames: &Frames) -> Result<Answer> {
        let inputs = Inputs::from_vectors(self.layout.in_words, frames);
        let mut sums = Vec::with_capacity(frames.len());
        let mut each = |_: &[u32], s: Sums| {
            sums.push(s);
            Ok(())
        };
        let golden = self.player.play(&mut Replay::of(inputs), frames.len() as u64, &mut each)?;
        self.cycles += frames.len() as u64;
        let answer = self.rtl.run(frames, &sums)?;
        let Answer::Equal(mut news) = answer else { return Ok(answer) };
        self.reached += news;
        self.seen.resize(golden.cover().len(), 0);
        for (seen, &count) in self.seen.iter_mut().zip(golden.cover()) {
            let step = often(count);
            news += u64::from(step & !*seen != 0);
            *seen |= step;
        }
        Ok(Answer::Equal(news))
    }

    /// Judges a stimulus and keeps it if it is worth that.
    fn add(&mut self, frames: Frames, home: &Path) -> Result<()> {
        match self.judge(&frames)? {
            Answer::Equal(0) => {}
            Answer::Equal(news) => self.all.push((frames, news)),
            Answer::Wrong(what, t) => {
                let file = home.join(format!("fails-{}.txt", self.failures.len() + 1));
                let what = format!("{what} in cycle {t}");
                let end = frames.len().min(t + 1);
                save(&file, &self.build, &frames[..end], format!("found by quell fuzz: {what}"))?;
                self.failures.push(Found { file, what });
            }
        }
        Ok(())
    }

    fn forget(&mut self) -> Result<()> {
        self.seen.clear();
        self.reached = 0;
        self.rtl.forget()
    }

    /// A stretch of random traffic.
    fn fresh(&mut self, cycles: usize) -> Result<Frames> {
        let (seed, phase) = (self.rng.random(), self.rng.random_range(16..400));
        let knobs = Knobs { phase_len: Some(f64::from(phase)), ..Knobs::default() };
        let mut traffic =
            source(&self.build, None, &knobs, &Setup::default(), seed).map_err(|e| anyhow!(e))?;
        let mut frames = Vec::new();
        self.player.play(&mut *traffic, cycles as u64, &mut |input, _| {
            frames.push(input.to_vec());
            Ok(())
        })?;
        Ok(frames)
    }

    /// Somewhere in `len` frames, and some of what follows.
    fn range(&mut self, len: usize) -> std::ops::Range<usize> {
        let from = self.rng.random_range(0..len);
        let most = (len - from).min([1, 4, 16, 64, len][self.rng.random_range(0..5)]);
        from..from + self.rng.random_range(1..=most)
    }

    /// Sets an element of an input signal to something.
    fn poke(&mut self, s: &Signal, at: usize, frame: &mut [u32], how: u32) {
        let from = s.offset + at * s.stride();
        for (i, word) in frame[from..from + s.stride()].iter_mut().enumerate() {
            let width = (s.width - 32 * i).min(32) as u32;
            let mask = u32::MAX >> (32 - width);
            *word = mask
                & match how {
                    0 => 0,
                    1 => u32::MAX,
                    2 => *word ^ 1 << self.rng.random_range(0..width),
                    3 => word.wrapping_add(1),
                    4 => word.wrapping_sub(1),
                    5 => self.rng.random_range(0..8),
                    _ => self.rng.random(),
                };
        }
    }

    /// A stimulus like another one, with parts of a third.
    fn change(&mut self, mut frames: Frames, other: &Frames) -> Result<Frames> {
        for _ in 0..[1, 1, 2, 4, 8][self.rng.random_range(0..5)] {
            if frames.is_empty() {
                frames = other.clone();
            }
            let r = self.range(frames.len());
            match self.rng.random_range(0..10) {
                0 => {
                    frames.drain(r);
                }
                1 => {
                    let part = frames[r.clone()].to_vec();
                    frames.splice(r.start..r.start, part);
                }
                2 => frames[r].iter_mut().for_each(|f| self.layout.make_idle(f)),
                3 => {
                    let part = other[self.range(other.len())].to_vec();
                    let end = frames.len().min(r.start + part.len());
                    frames.splice(r.start..end, part);
                }
                4 => {
                    let part = other[self.range(other.len())].to_vec();
                    frames.splice(r.start..r.start, part);
                }
                5 => {
                    let cycles = self.rng.random_range(8..200);
                    let tail = self.fresh(cycles)?;
                    frames.truncate(r.start);
                    frames.extend(tail);
                }
                kind => {
                    let inputs: Vec<usize> = (0..self.layout.signals.len())
                        .filter(|&i| self.layout.signals[i].group == Group::Input)
                        .collect();
                    let s = self.layout.signals[inputs[self.rng.random_range(0..inputs.len())]];
                    let at = self.rng.random_range(0..s.count);
                    let how = self.rng.random_range(0..8);
                    // One cycle, or the same in some.
                    let r = if kind < 8 { r.start..r.start + 1 } else { r };
                    for frame in &mut frames[r] {
                        self.poke(&s, at, frame, how);
                    }
                }
            }
        }
        frames.truncate(LONGEST);
        Ok(frames)
    }
}

/// The stimuli in a folder, by name; none if there is no such folder.
fn load(folder: &Path, build: &Build) -> Result<Vec<Frames>> {
    let mut all = Vec::new();
    for (_, s) in runs::stimuli(folder, build)? {
        let mut cursor = s.inputs.cursor();
        let mut frames = Vec::new();
        while let Some(v) = cursor.next(&s.inputs) {
            frames.push(v.to_vec());
        }
        if !frames.is_empty() {
            all.push(frames);
        }
    }
    Ok(all)
}

fn save(path: &Path, build: &Build, frames: &[Vec<u32>], comment: String) -> Result<()> {
    let words = Layout::new(build.unit, &build.params).in_words;
    let inputs = Inputs::from_vectors(words, frames);
    let cycles = inputs.cycles();
    let s = Stimulus { build: *build, seed: 1, comments: vec![comment], inputs, cycles };
    recording::write(path, &s).map_err(|e| anyhow!(e))
}

/// Fuzzes a unit. `progress` is told what is being done, how much of it is done, and of how much.
pub fn run(c: &Campaign, progress: &dyn Fn(&str, u64, u64)) -> Result<Outcome> {
    let name = c.build.folder();
    let home = c.dir.join(&name).join("fuzz");
    let folder = home.join("corpus");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    progress("building", 0, 1);
    let program = tools::replay_program(&c.build, &Design::Covered { toggles: true })?;
    let mut f = Fuzzer {
        build: c.build,
        layout: Layout::new(c.build.unit, &c.build.params),
        player: Player::new(&c.build),
        rtl: Rtl(Replaying::start(&program, "fuzz", Path::new("-"), &[])?),
        rng: SmallRng::seed_from_u64(c.seed),
        seen: Vec::new(),
        reached: 0,
        cycles: 0,
        all: Vec::new(),
        failures: Vec::new(),
    };
    let known: Vec<Frames> =
        load(&runs::corpus(&c.build)?, &c.build)?.into_iter().chain(load(&folder, &c.build)?).collect();
    let corpus_before = known.len();
    for frames in known {
        f.add(frames, &home)?;
    }
    let reached_before = f.reached;
    for _ in 0..FRESH {
        let frames = f.fresh(LONGEST)?;
        f.add(frames, &home)?;
    }
    if f.all.is_empty() && f.failures.is_empty() {
        bail!("{name}: random traffic reaches nothing at all");
    }
    let mut tries = 0;
    while tries < c.tries {
        progress("trying", tries, c.tries);
        tries += 1;
        if f.all.is_empty() || f.failures.len() >= 8 {
            break;
        }
        // Late ones reach what is rare.
        let n = f.all.len();
        let pick = |r: &mut SmallRng| {
            if r.random_bool(0.5) { r.random_range(0..n) } else { n - 1 - r.random_range(0..n.min(16)) }
        };
        let (a, b) = (pick(&mut f.rng), pick(&mut f.rng));
        let (a, b) = (f.all[a].0.clone(), f.all[b].0.clone());
        let frames = f.change(a, &b)?;
        if !frames.is_empty() {
            f.add(frames, &home)?;
        }
    }
    let (reached, rules_reached, rules) =
        (f.reached, f.seen.iter().filter(|s| **s != 0).count(), f.seen.len());
    // The most fruitful ones first, and of those only what still adds.
    let cycles = f.cycles;
    let mut all = std::mem::take(&mut f.all);
    f.forget()?;
    all.sort_by_key(|(frames, news)| (std::cmp::Reverse(*news), frames.len()));
    let mut kept: Vec<Frames> = Vec::new();
    for (i, (frames, _)) in all.iter().enumerate() {
        progress("making the corpus small", i as u64, all.len() as u64);
        if kept.len() < c.keep && matches!(f.judge(frames)?, Answer::Equal(n) if n > 0) {
            kept.push(frames.clone());
        }
    }
    // New ones beside the old ones, then the old ones go.
    let old: Vec<PathBuf> = std::fs::read_dir(&folder)?.filter_map(|e| e.ok().map(|e| e.path())).collect();
    let mut new = Vec::new();
    for frames in &kept {
        let mut h = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(frames, &mut h);
        let path = folder.join(format!("{:016x}.txt", std::hash::Hasher::finish(&h)));
        save(&path, &c.build, frames, "kept by quell fuzz".into())?;
        new.push(path);
    }
    for path in old.iter().filter(|p| !new.contains(p)) {
        std::fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(Outcome {
        unit: c.build.unit.cli_name(),
        build: c.build.label(),
        tries,
        cycles,
        corpus_before,
        corpus: kept.len(),
        reached_before,
        reached,
        rules_reached,
        rules,
        failures: f.failures,
        folder,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_often_has_eight_steps() {
        let steps: Vec<u8> = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 127, 128, u64::MAX].map(often).to_vec();
        assert_eq!(steps, [0, 1, 2, 4, 8, 8, 16, 16, 32, 32, 64, 64, 128, 128]);
    }
}
