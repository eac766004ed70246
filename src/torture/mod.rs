//! A judge of its own: random small networks with random legal settings, judged end to end by what a user of a lossless network is
//! promised (`docs/torture.md`). It knows nothing of what is inside the units.

pub mod acks;
pub mod booking;
pub mod bounds;
pub mod campaign;
pub mod case;
mod chance;
mod check;
mod crowd;
pub mod draw;
pub mod features;
mod finding;
pub mod judge;
mod levels;
pub mod minimise;
mod mix;
pub mod near;
pub mod network;
pub mod packets;
mod reserve;
mod respond;
mod route;
pub mod space;
pub mod worm;

pub use case::Case;
pub use finding::{FaultKind, Finding};
pub use judge::{Stats, judge};
use mix::mix;
pub use network::Engine;
