//! A study: its runs, and what is made of their outcomes.

use std::collections::HashMap;

use anyhow::Result;

use super::point::{Outcome, Point};
use super::report::Report;

/// How much of a study is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Small networks and short times, for a test.
    Quick,
    /// The networks and times of the paper.
    Full,
    /// As `Full`, without the networks of more nodes than this in studies of several networks.
    UpTo(usize),
}

impl Scale {
    /// Whether this is the short form.
    pub fn quick(self) -> bool {
        self == Scale::Quick
    }

    /// One of two values.
    pub fn pick<T>(self, quick: T, full: T) -> T {
        if self.quick() { quick } else { full }
    }
}

/// The outcomes of a study's points, by name.
pub struct Results {
    /// How they were run.
    pub scale: Scale,
    pub(super) outcomes: HashMap<String, Outcome>,
}

impl Results {
    /// The outcome of a point; the study made a point of that name.
    pub fn of(&self, name: &str) -> &Outcome {
        self.outcomes.get(name).unwrap_or_else(|| panic!("the study has no point {name}"))
    }
}

/// A published result.
pub struct Study {
    /// Its name: G1.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// Parameters that the paper leaves open and what was chosen, and how the run differs from the paper's.
    pub chosen: &'static str,
    /// What is run.
    pub points: fn(Scale, u64) -> Result<Vec<Point>>,
    /// What came of it.
    pub evaluate: fn(&Results) -> Result<Report>,
}
