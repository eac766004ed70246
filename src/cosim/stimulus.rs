//! Stimulus files.

use std::path::Path;

use super::source::Source;
use crate::params::Build;

/// A stimulus: the inputs of a number of cycles, for one model.
#[derive(Clone, Debug)]
pub struct Stimulus {
    /// The model it is for.
    pub build: Build,
    /// Seed of the RTL's power-up state.
    pub seed: u64,
    /// Comment lines.
    pub comments: Vec<String>,
    /// Input vectors, one after the other, of `Layout::in_words` words.
    pub words: Vec<u32>,
    /// Number of cycles.
    pub cycles: u64,
}

/// Reads a stimulus file. The message names file, line, field and legal range.
pub fn read(path: &Path) -> Result<Stimulus, String> {
    let _ = path;
    todo!()
}

/// Writes a stimulus file (beside, then renamed).
pub fn write(path: &Path, stimulus: &Stimulus) -> Result<(), String> {
    let _ = (path, stimulus);
    todo!()
}

/// Plays a stimulus; idle after its end.
pub struct Replay {
    _stimulus: Stimulus,
}

impl Replay {
    /// From the first cycle.
    pub fn new(stimulus: Stimulus) -> Self {
        Replay { _stimulus: stimulus }
    }
}

impl Source for Replay {
    fn drive(&mut self, _seen: &[u32], _input: &mut [u32]) {
        todo!()
    }
}
