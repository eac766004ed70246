//! Makes a failing network smaller: keeps what is needed for a promise of the same kind to be broken.

use std::time::{Duration, Instant};

use super::{Case, judge};
use crate::torture::finding::Finding;
use crate::torture::network::Engine;

/// Cases that are a step smaller.
fn smaller(case: &Case, cycle: u64) -> Vec<Case> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Case)| {
        let mut less = case.clone();
        change(&mut less);
        if less != *case && less.check().is_ok() {
            all.push(less);
        }
    };
    with(&|c| c.cycles = c.cycles.min(cycle + 1).max(1));
    with(&|c| c.cycles = c.cycles.div_ceil(2));
    for network in ["star:2", "star:3", "mesh:2x2", "mesh:3x2"] {
        with(&|c| c.network = network.into());
    }
    with(&|c| c.traffic.best_effort.clear());
    with(&|c| c.traffic.control.clear());
    with(&|c| c.traffic.onoff.clear());
    with(&|c| c.rewrite.clear());
    with(&|c| c.fall.clear());
    with(&|c| c.reset.clear());
    for i in 0..case.fall.len() {
        with(&|c| drop(c.fall.remove(i)));
    }
    for i in 0..case.reset.len() {
        with(&|c| drop(c.reset.remove(i)));
    }
    for i in 0..case.rewrite.len() {
        with(&|c| drop(c.rewrite.remove(i)));
    }
    with(&|c| c.scheme = "yum-none".into());
    for i in 0..case.set.len() {
        with(&|c| drop(c.set.remove(i)));
    }
    // A network that is not smaller is none.
    let hosts = |c: &Case| c.job().map_or(usize::MAX, |j| j.net.hosts());
    all.retain(|c| hosts(c) <= hosts(case) && (c.network == case.network || hosts(c) < hosts(case)));
    all
}

/// The smallest that was found in the time.
pub fn minimise(case: &Case, finding: Finding, engine: Engine, time: Duration) -> (Case, Finding) {
    let deadline = Instant::now() + time;
    let (mut best, mut found) = (case.clone(), finding);
    'again: loop {
        for less in smaller(&best, found.cycle) {
            if Instant::now() > deadline {
                return (best, found);
            }
            if let Ok((Some(f), _)) = judge(&less, engine)
                && f.kind == found.kind
            {
                (best, found) = (less, f);
                continue 'again;
            }
        }
        return (best, found);
    }
}
