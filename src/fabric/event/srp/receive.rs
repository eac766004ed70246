//! What a host takes from its adapter's receive FIFO, and when (section 13 of the adapter's page, Q12).

use std::collections::VecDeque;

use crate::fabric::event::credit::{NEVER, Run};
use crate::fabric::event::packet::Id;
use crate::fabric::event::source::paced;
use crate::fabric::event::taking::takes;
use crate::fabric::net::Rate;

use super::schedule::Destination;

/// What is planned of a packet.
pub struct Plan {
    pub id: Id,
    /// Cycles in which the host takes flits.
    pub runs: Vec<Run>,
    /// That of the last one; none of a speculative packet.
    pub end: Option<u64>,
}

/// The host's end of the receive FIFO.
pub struct Receive {
    sink: Rate,
    start: u64,
    /// The host took the latest flit in this cycle.
    taken: u64,
    /// Packets of which nothing is planned, whether they are speculative, and how they come.
    waiting: VecDeque<(Id, bool, Run)>,
    /// A speculative packet of which but the last flit is planned, and the first cycle in which that can be taken.
    last: Option<(Id, u64)>,
}

impl Receive {
    /// Traffic time 0 is `start`.
    pub fn new(sink: Rate, start: u64) -> Receive {
        Receive { sink, start, taken: start - 1, waiting: VecDeque::new(), last: None }
    }

    /// A packet comes.
    pub fn push(&mut self, id: Id, speculative: bool, run: Run) {
        self.waiting.push_back((id, speculative, run));
    }

    /// The next packet of which something can be planned.
    pub fn plan(&mut self) -> Option<Plan> {
        if self.last.is_some() {
            return None;
        }
        let (id, speculative, run) = self.waiting.pop_front()?;
        let mut runs = Vec::new();
        let planned = Run { n: run.n - u32::from(speculative), ..run };
        if planned.n > 0 {
            self.taken = takes_late(self.sink, planned, self.taken, self.start, |r| runs.push(r));
        }
        if speculative {
            let from = (run.last() + 1).max(self.taken + 1);
            self.last = Some((id, self.allowed(from)));
        }
        Some(Plan { id, runs, end: (!speculative).then_some(self.taken) })
    }

    /// The first cycle not before `t` in which the host takes flits.
    fn allowed(&self, t: u64) -> u64 {
        self.start + paced(self.sink, t - self.start, 0)
    }

    /// The last flit of a speculative packet is taken in cycle `t`.
    pub fn take_last(&mut self, destination: &Destination, replies: u32, t: u64) -> Option<Id> {
        let (id, _) = self.last.filter(|&(_, from)| self.allowed(t) == t && from <= t)?;
        if !destination.end_ok(replies, t) {
            return None;
        }
        (self.last, self.taken) = (None, t);
        Some(id)
    }

    /// A last flit waits for a reply that leaves.
    pub fn waits(&self) -> bool {
        self.last.is_some()
    }

    /// The next cycle, from `t` on, in which a last flit may be taken; `full`: not before a reply leaves.
    pub fn next(&self, full: bool, t: u64) -> u64 {
        match self.last {
            Some((_, from)) if from >= t => from,
            Some(_) if !full => self.allowed(t),
            _ => NEVER,
        }
    }
}

/// As [`takes`], of a host that may be behind with what came before.
fn takes_late(rate: Rate, run: Run, taken: u64, start: u64, mut each: impl FnMut(Run)) -> u64 {
    let late = taken.saturating_sub(run.first);
    if rate != Rate::FULL || late == 0 {
        return takes(rate, run, taken, start, each);
    }
    // One a cycle, until it has caught up.
    let behind = match run.step {
        1 => run.n,
        k => late.div_ceil(u64::from(k - 1)).min(run.n.into()) as u32,
    };
    let first = Run { first: taken + 1, step: 1, n: behind };
    each(first);
    if behind == run.n {
        return first.last();
    }
    let rest = Run {
        first: run.first + u64::from(behind) * u64::from(run.step) + 1,
        step: run.step,
        n: run.n - behind,
    };
    each(rest);
    rest.last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_is_behind_takes_a_flit_a_cycle() {
        for step in 1..4 {
            for taken in 1000..1030 {
                for n in 1..9 {
                    let run = Run { first: 1007, step, n };
                    let mut cycles = Vec::new();
                    let last = takes_late(Rate::FULL, run, taken, 1000, |r| {
                        cycles.extend((0..r.n).map(|i| r.first + u64::from(i * r.step)));
                    });
                    let (mut want, mut at) = (Vec::new(), taken);
                    for i in 0..n {
                        at = (at + 1).max(1008 + u64::from(i * step));
                        want.push(at);
                    }
                    assert_eq!((cycles, last), (want, at), "step {step}, {n} flits, behind in {taken}");
                }
            }
        }
    }
}
