//! The reservation paper (Jiang, Becker, Michelogiannakis, Dally): a network without congestion control, its ECN, and reservation (SRP).

mod common;
mod hotspot;
mod impulse;
mod pair;
mod step;
mod sweeps;
mod uniform;

use super::plan::Study;

/// All studies of the paper.
pub fn studies() -> Vec<Study> {
    [
        pair::studies(),
        hotspot::studies(),
        step::studies(),
        uniform::studies(),
        sweeps::studies(),
        impulse::studies(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
