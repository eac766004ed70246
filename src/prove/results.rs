//! What is known of the properties of a harness.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What is known of an assertion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Holds in every cycle: by induction over so many cycles.
    Proved(usize),
    /// The same, if the harness's given assertions hold.
    ProvedGiven(usize),
    /// Holds in so many cycles after reset, whatever happens; not known beyond.
    Bounded(usize),
    /// Broken in this cycle after reset.
    Failed {
        /// The cycle.
        cycle: usize,
        /// Its waveform.
        vcd: PathBuf,
        /// Its stimulus, where a build has the same parameters.
        stimulus: Option<PathBuf>,
    },
}

/// Results of one harness.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// Hash of the sources, parameters and engine limits that they are of.
    pub key: u64,
    /// Hash of the model and engine limits: what Yosys makes of other sources may be the same.
    pub model: u64,
    /// Assertions, by name.
    pub asserts: BTreeMap<String, Verdict>,
    /// Covers, by name: the cycle after reset in which they are hit at the earliest.
    pub covers: BTreeMap<String, Option<usize>>,
    /// Assumptions of the module alone.
    pub assumes: Vec<String>,
    /// Cycles after reset that the search covered, for every property that is not proved or hit.
    pub depth: usize,
    /// AND gates and register bits of the model.
    pub size: (usize, usize),
}

impl Results {
    /// An assertion is broken.
    pub fn failed(&self) -> bool {
        self.asserts.values().any(|v| matches!(v, Verdict::Failed { .. }))
    }
}
