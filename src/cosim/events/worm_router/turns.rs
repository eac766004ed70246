//! Who goes before whom: classes, the guard and weights (YW5, YW6).
//!
//! A *run* is a time in which a lane could send in every cycle, and nothing but others that go keeps it from that. What may go past it is
//! bounded then, whatever the design does inside.

use crate::cosim::events::scoreboard::{Broken, broken};

/// Classes, the first one first.
pub(super) const REPLY: u8 = 0;
pub(super) const CONTROL: u8 = 1;
pub(super) const REAL: u8 = 2;
pub(super) const BEST: u8 = 3;

/// Weights of the lanes of a port, on one of its sides.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    now: Vec<u64>,
    /// A weight from before a write, which may be left to a lane, and flits of it since then.
    old: Vec<(u64, u64)>,
}

impl Weights {
    pub fn new(lanes: usize) -> Weights {
        Weights { now: vec![1; lanes], old: vec![(0, 0); lanes] }
    }

    pub fn write(&mut self, lane: usize, weight: u32) {
        self.old[lane] = (self.old[lane].0.max(self.now[lane]), 0);
        self.now[lane] = u64::from(weight & 0xff).max(1);
    }

    /// A flit goes.
    pub fn goes(&mut self, lane: usize) {
        let (most, sent) = &mut self.old[lane];
        *sent += 1;
        if *sent >= *most {
            *most = 0;
        }
    }

    /// More of a turn may be left to a lane than its weight is: from before a write.
    fn more(&self, lane: usize) -> bool {
        self.old[lane].0 > self.now[lane]
    }
}

/// What has happened in a run.
#[derive(Clone, Debug, Default)]
struct Run {
    class: u8,
    own: u64,
    /// Flits of other lanes of its class.
    others: Vec<u64>,
    /// Flits that should not have gone before it.
    below: u64,
    /// Real-time flits since one of best-effort went, and whether one has.
    real: u64,
    best: bool,
}

/// The lanes of an output, or of an input.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    runs: Vec<Option<Run>>,
    pub weights: Weights,
    /// Flits of tolerance.
    more: u64,
    /// Flits that were judged.
    pub judged: u64,
}

impl Turns {
    pub fn new(lanes: usize, more: u64) -> Turns {
        Turns { runs: vec![None; lanes], weights: Weights::new(lanes), more, judged: 0 }
    }

    /// What has gone is not known.
    pub fn forget(&mut self) {
        self.runs.fill(None);
    }

    /// Whether a lane of this class can send in this cycle.
    pub fn can(&mut self, lane: usize, class: Option<u8>) {
        let lanes = self.runs.len();
        let run = &mut self.runs[lane];
        match class {
            None => *run = None,
            Some(class) if run.as_ref().is_some_and(|r| r.class == class) => {}
            Some(class) => *run = Some(Run { class, others: vec![0; lanes], ..Run::default() }),
        }
    }

    /// A flit of a lane goes; with `lhp` (of an output) classes are judged, too.
    pub fn goes(&mut self, lane: usize, class: u8, lhp: Option<u64>) -> Result<(), Broken> {
        let weight = self.weights.now[lane];
        let counts = !self.weights.more(lane);
        for a in 0..self.runs.len() {
            let own = self.weights.now[a];
            let Some(run) = &mut self.runs[a] else { continue };
            if a == lane {
                run.own += 1;
            } else if run.class == class && counts {
                self.judged += 1;
                run.others[lane] += 1;
                let turns = if run.own == 0 { 1 } else { 2 + (run.own - 1) / own };
                if run.others[lane] > weight * turns + self.more {
                    let text = format!(
                        "{} flits of lane {lane} (weight {weight}) beside {} of lane {a} (weight {own}), which could go all the time",
                        run.others[lane], run.own
                    );
                    return broken("share", "YW5", text);
                }
            }
            let Some(lhp) = lhp else { continue };
            let too_soon = lhp == 0 || run.best && run.real < lhp;
            if class > run.class && (class != BEST || run.class != REAL || too_soon) {
                run.below += 1;
                if run.below > self.more {
                    let text = format!(
                        "{} flits went before one of lane {a}, which is of a class before theirs",
                        run.below
                    );
                    return broken("priority", "YW6", text);
                }
            }
            self.judged += u64::from(class != run.class);
            match class {
                BEST => (run.real, run.best) = (0, true),
                REAL => run.real += 1,
                _ => {}
            }
            if run.class == BEST && lhp > 0 && run.real > lhp + self.more {
                let text = format!(
                    "{} real-time flits went before one of lane {a}, which is best-effort; LHP is {lhp}",
                    run.real
                );
                return broken("guard", "YW6", text);
            }
        }
        self.weights.goes(lane);
        Ok(())
    }
}
