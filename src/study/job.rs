//! What a study runs, on whatever network, and what comes of it.

use serde::{Deserialize, Serialize};

use super::point::{Outcome, Run};
use super::worm_run::{WormOutcome, WormRun};

/// What a study runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// A network of switches.
    Fabric(Box<Run>),
    /// A network of wormhole routers.
    Worm(Box<WormRun>),
}

impl From<Run> for Job {
    fn from(run: Run) -> Job {
        Job::Fabric(Box::new(run))
    }
}

impl From<WormRun> for Job {
    fn from(run: WormRun) -> Job {
        Job::Worm(Box::new(run))
    }
}

impl Job {
    /// As text: equal jobs have equal text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("a run is plain data")
    }

    /// The run, if it is one of a network of switches.
    pub fn fabric(&self) -> Option<&Run> {
        match self {
            Job::Fabric(run) => Some(run),
            Job::Worm(_) => None,
        }
    }

    /// What and where, for messages.
    pub fn title(&self) -> String {
        match self {
            Job::Fabric(run) => {
                format!("{} on {}, {}", run.traffic.name, run.network, run.config.scheme.name)
            }
            Job::Worm(run) => run.title(),
        }
    }
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Found {
    /// Of a network of switches.
    Fabric(Box<Outcome>),
    /// Of a network of wormhole routers.
    Worm(Box<WormOutcome>),
}

impl Found {
    /// Processor time, seconds.
    pub fn seconds(&self) -> f64 {
        match self {
            Found::Fabric(o) => o.seconds,
            Found::Worm(o) => o.seconds,
        }
    }

    /// The outcome of a network of switches.
    ///
    /// # Panics
    /// If it is none: a study knows what it runs.
    pub fn fabric(&self) -> &Outcome {
        match self {
            Found::Fabric(o) => o,
            Found::Worm(_) => panic!("a figure of switches is asked of a network of wormhole routers"),
        }
    }

    /// The outcome of a network of wormhole routers.
    ///
    /// # Panics
    /// If it is none: a study knows what it runs.
    pub fn worm(&self) -> &WormOutcome {
        match self {
            Found::Worm(o) => o,
            Found::Fabric(_) => panic!("a figure of wormhole routers is asked of a network of switches"),
        }
    }
}

/// A run with its name in a study.
#[derive(Clone, Debug)]
pub struct Point {
    /// Name.
    pub name: String,
    /// The run.
    pub run: Job,
}

impl Point {
    /// A run with a name.
    pub fn new(name: impl Into<String>, run: impl Into<Job>) -> Point {
        Point { name: name.into(), run: run.into() }
    }
}
