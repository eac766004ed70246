//! What a run of a wormhole network measures (`docs/worm-traffic.md`), fed by the hosts.

mod collector;
mod deadlines;
mod report;
#[cfg(test)]
mod tests;

pub use collector::{Arrival, Collector, Refusal};
pub use deadlines::Clock;
pub use report::{ClassReport, FrameReport, Latency, Report, StreamReport};
