//! Nothing stands still for nothing: cycles in which a flit could go while both its input and its output have none.

use crate::cosim::events::scoreboard::{Broken, broken};

/// What waits at an output: lanes that are owned, and groups of headers.
#[derive(Clone, Debug)]
pub(super) struct Waits {
    lanes: Vec<u64>,
    groups: Vec<u64>,
    most: u64,
}

impl Waits {
    pub fn new(lanes: usize, most: u64) -> Waits {
        Waits { lanes: vec![0; lanes], groups: vec![0; lanes + 1], most }
    }

    /// A flit of a lane; with it a header of a group.
    pub fn goes(&mut self, lane: usize, group: Option<usize>) {
        self.lanes[lane] = 0;
        if let Some(g) = group {
            self.groups[g] = 0;
        }
    }

    /// A lane's flit could go.
    pub fn lane(&mut self, lane: usize, told: &dyn Fn() -> String) -> Result<(), Broken> {
        self.lanes[lane] += 1;
        if self.lanes[lane] > self.most {
            let text = format!(
                "{} could go on on lane {lane} in {} cycles in which its input and output were idle",
                told(),
                self.lanes[lane]
            );
            return broken("stuck", "YW5", text);
        }
        Ok(())
    }

    /// A header of a group could begin.
    pub fn group(&mut self, group: usize, told: &dyn Fn() -> String) -> Result<(), Broken> {
        self.groups[group] += 1;
        if self.groups[group] > self.most {
            let text = format!(
                "{} could begin in {} cycles in which its input and output were idle, with a lane and credits there",
                told(),
                self.groups[group]
            );
            return broken("hang", "YW4", text);
        }
        Ok(())
    }

    /// None of a group waits.
    pub fn none(&mut self, group: usize) {
        self.groups[group] = 0;
    }
}
