//! A judge of its own: random small networks with random legal settings, judged end to end by what a user of a lossless network is
//! promised (`docs/torture.md`). It knows nothing of what is inside the units.

pub mod bounds;
pub mod campaign;
pub mod case;
pub mod draw;
pub mod features;
pub mod judge;
pub mod minimise;
pub mod network;
pub mod space;

pub use case::Case;
pub use judge::{FaultKind, Finding, Stats, judge};
pub use network::Engine;

/// A number that depends on all bits of `x` (splitmix64).
pub(crate) fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
