//! Streams of video frames.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::part::Part;
use crate::fabric::traffic::Random;

/// Bytes of a flit.
pub(super) const FLIT_BYTES: f64 = 16.0;

/// Flits of a frame, at most: 16 bits would count the messages of it.
const MOST: u32 = 1 << 22;

/// Sizes of frames, in flits, headers included.
#[derive(Clone, Debug)]
pub(super) enum Sizes {
    /// Drawn around a mean of each place of the pattern.
    Drawn { means: Arc<[f64]>, sigma: f64 },
    /// One after another.
    Listed(Arc<[u32]>),
}

impl Sizes {
    /// Frames until they begin anew.
    pub(super) fn period(&self) -> usize {
        match self {
            Sizes::Drawn { means, .. } => means.len(),
            Sizes::Listed(list) => list.len(),
        }
    }

    /// Flits of a frame in the mean.
    pub(super) fn mean(&self) -> f64 {
        let sum: f64 = match self {
            Sizes::Drawn { means, .. } => means.iter().sum(),
            Sizes::Listed(list) => list.iter().map(|&n| f64::from(n)).sum(),
        };
        sum / self.period() as f64
    }

    /// Flits of the largest frame in the mean.
    pub(super) fn largest(&self) -> f64 {
        match self {
            Sizes::Drawn { means, .. } => means.iter().copied().fold(0.0, f64::max),
            Sizes::Listed(list) => f64::from(list.iter().copied().max().unwrap_or(0)),
        }
    }

    fn at(&self, place: usize, random: &mut Random) -> u32 {
        match self {
            Sizes::Listed(list) => list[place],
            Sizes::Drawn { means, sigma } => {
                // Box and Muller; the mean of a log-normal number is not the exponential of that of its logarithm.
                let normal =
                    (-2.0 * random.unit().ln()).sqrt() * (std::f64::consts::TAU * random.unit()).cos();
                let flits = means[place] * (sigma * normal - sigma * sigma / 2.0).exp();
                (flits.round() as u32).clamp(1, MOST)
            }
        }
    }

    /// The pattern of kinds, with a mean of all in flits.
    pub(super) fn pattern(gop: &str, [i, p, b]: [f64; 3], mean: f64, sigma: f64) -> Result<Sizes> {
        let weights = gop.chars().map(|c| match c {
            'I' => Ok(i),
            'P' => Ok(p),
            'B' => Ok(b),
            other => bail!("gop = {gop:?} has {other:?}; legal: I, P, B"),
        });
        let weights = weights.collect::<Result<Vec<f64>>>()?;
        if weights.is_empty() {
            bail!("gop is empty; legal: at least one of I, P, B");
        }
        for (kind, weight) in ["I", "P", "B"].iter().zip([i, p, b]) {
            if !(weight > 0.0 && weight <= 1e6) {
                bail!("ratio: {weight} of {kind}; legal: above 0, at most 1000000");
            }
        }
        if !(0.0..=2.0).contains(&sigma) {
            bail!("sigma = {sigma}; legal: 0 to 2");
        }
        let unit = mean * weights.len() as f64 / weights.iter().sum::<f64>();
        Ok(Sizes::Drawn { means: weights.iter().map(|w| w * unit).collect(), sigma })
    }

    /// From a file of bytes, a line a frame.
    pub(super) fn file(path: &Path) -> Result<Sizes> {
        let text = std::fs::read_to_string(path).with_context(|| format!("sizes: {}", path.display()))?;
        Sizes::lines(&text).with_context(|| format!("sizes: {}", path.display()))
    }

    /// From text, a line a frame.
    pub(super) fn lines(text: &str) -> Result<Sizes> {
        let most = u64::from(MOST) * FLIT_BYTES as u64;
        let size = |(i, line): (usize, &str)| -> Result<u32> {
            match line.trim().parse::<u64>() {
                Ok(bytes) if bytes > 0 && bytes <= most => Ok(bytes.div_ceil(FLIT_BYTES as u64) as u32),
                _ => bail!(
                    "line {}: {:?} is no size of a frame; legal: 1 to {most} (bytes)",
                    i + 1,
                    line.trim()
                ),
            }
        };
        let list = text.lines().enumerate().map(size).collect::<Result<Vec<u32>>>()?;
        if list.is_empty() {
            bail!("no sizes in it");
        }
        Ok(Sizes::Listed(list.into()))
    }
}

/// The frames of one stream, in messages that are evenly spread over the time of a frame.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    sizes: Sizes,
    /// Flits of a message.
    len: u32,
    /// Cycles of a frame.
    time: u64,
    start: u64,
    frame: u64,
    /// Of the sizes, which is the frame's.
    place: usize,
    /// Flits of the frame; messages of it that were taken.
    flits: u32,
    taken: u32,
    random: Random,
}

impl Frames {
    /// From `start` on, anywhere in the pattern.
    pub(super) fn new(sizes: Sizes, len: u8, time: u64, start: u64, mut random: Random) -> Frames {
        let place = random.below(sizes.period() as u32) as usize;
        let flits = sizes.at(place, &mut random);
        Frames { sizes, len: len.into(), time, start, frame: 0, place, flits, taken: 0, random }
    }

    pub(super) fn take(&mut self) -> Part {
        let messages = self.flits.div_ceil(self.len);
        let born = self.start + self.frame * self.time;
        let later = u128::from(self.taken) * u128::from(self.time) / u128::from(messages);
        let part = Part {
            created: born + later as u64,
            len: (self.flits - self.taken * self.len).min(self.len) as u8,
            frame: self.frame,
            born,
            first: self.taken == 0,
            last: self.taken + 1 == messages,
        };
        self.taken += 1;
        if part.last {
            self.taken = 0;
            self.frame += 1;
            self.place = (self.place + 1) % self.sizes.period();
            self.flits = self.sizes.at(self.place, &mut self.random);
        }
        part
    }
}
