//! Nothing stands still for nothing (section 6 of the page): what has begun goes on, and no class waits for others for ever.

use super::messages::{BEST_EFFORT, CONTROL, REAL_TIME};
use crate::cosim::events::scoreboard::{Broken, broken};

/// What waits.
#[derive(Clone, Copy, Debug, Default)]
struct Wait {
    /// Since when it could go, and flits of others that had gone when that was seen.
    since: Option<u64>,
    flits: u64,
}

/// What could go, and how many flits of others may pass it; `None`: any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Could {
    pub since: u64,
    pub others: Option<u64>,
}

/// What could go, and went.
pub(super) struct Progress {
    offer: u64,
    /// The last flit on the link, and of each class and lane.
    last: u64,
    class: [u64; 3],
    lane: Vec<u64>,
    /// Flits of each class.
    flits: [u64; 3],
    waits: [Wait; 3],
    begun: Vec<Wait>,
    /// Waits judged.
    pub judged: u64,
}

impl Progress {
    pub fn new(lanes: usize, offer: u64) -> Progress {
        Progress {
            offer,
            last: 0,
            class: [0; 3],
            lane: vec![0; lanes],
            flits: [0; 3],
            waits: [Wait::default(); 3],
            begun: vec![Wait::default(); lanes],
            judged: 0,
        }
    }

    /// A flit is on the link.
    pub fn flit(&mut self, class: usize, lane: usize, now: u64) {
        (self.last, self.class[class], self.lane[lane]) = (now, now, now);
        self.flits[class] += 1;
    }

    /// Flits of those that a class may wait for.
    fn others(&self, class: usize) -> u64 {
        match class {
            CONTROL => self.flits[REAL_TIME] + self.flits[BEST_EFFORT],
            REAL_TIME => self.flits[BEST_EFFORT],
            _ => self.flits[REAL_TIME],
        }
    }

    fn judge(
        &mut self,
        wait: Wait,
        could: Option<Could>,
        (last, flits): (u64, u64),
        now: u64,
        (kind, what): (&'static str, &str),
    ) -> Result<Wait, Broken> {
        let Some(Could { since, others }) = could else { return Ok(Wait::default()) };
        let since = since.max(last);
        let wait = if wait.since == Some(since) { wait } else { Wait { since: Some(since), flits } };
        self.judged += u64::from(wait.flits == flits && wait.since != Some(now));
        let quiet = now - since.max(self.last);
        if quiet > self.offer {
            let text = format!("{what} could go, and no flit has been on the link for {quiet} cycles");
            return broken(kind, "YW6 YC4", text);
        }
        if let Some(most) = others
            && flits - wait.flits > most
        {
            let text = format!("{what} could go, and {} flits of others went", flits - wait.flits);
            return broken("starved", "YW6 YC4", text);
        }
        Ok(wait)
    }

    /// A class that has a message to send and lanes that are free, since when.
    pub fn class(&mut self, class: usize, could: Option<Could>, now: u64) -> Result<(), Broken> {
        let what = ["control", "real-time", "best-effort"][class];
        let seen = (self.class[class], self.others(class));
        self.waits[class] = self.judge(self.waits[class], could, seen, now, ("hang", what))?;
        Ok(())
    }

    /// What has begun on a lane and could go on, since when.
    pub fn lane(&mut self, lane: usize, could: Option<Could>, now: u64) -> Result<(), Broken> {
        let seen = (self.lane[lane], self.flits[REAL_TIME] + self.flits[BEST_EFFORT]);
        let what = format!("what has begun on lane {lane}");
        self.begun[lane] = self.judge(self.begun[lane], could, seen, now, ("stuck", &what))?;
        Ok(())
    }
}
