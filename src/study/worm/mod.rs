//! Admission and credits in networks of wormhole routers (Yum et al.).

mod arithmetic;
mod common;
mod congestion;
mod mesh;
mod router;
mod timing;

use super::plan::Study;

/// The studies of the paper.
pub fn studies() -> Vec<Study> {
    [congestion::studies(), router::studies(), mesh::studies(), arithmetic::studies(), timing::studies()]
        .into_iter()
        .flatten()
        .collect()
}
