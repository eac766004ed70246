//! Random networks of wormhole routers (`docs/worm-network.md`), judged at their hosts: every message once, whole, in order, in time; then a
//! network that is as it was at the start.

mod case;
mod disturb;
mod draw;
mod family;
mod judge;
mod minimise;

pub use case::Case;
pub use disturb::{Fall, Reset, Rewrite};
pub use draw::{Source, draw};
pub use family::Worms;
pub use judge::{Stats, judge};
pub use minimise::minimise;
