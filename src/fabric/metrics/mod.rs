//! What a run measures, fed by any engine with events and samples, and the always-on end-to-end check
//! (`docs/traffic.md`). Same events, same bytes of output.

mod collector;
mod end_to_end;
mod histogram;
mod messages;
mod report;
mod speculation;
mod spread;
#[cfg(test)]
mod tests;

pub use collector::{Collector, Delivery, Sample, Setup};
pub use end_to_end::{
    EndToEnd, FIRST_PAYLOAD_WORD, FLIT_WORDS, Fault, FaultAt, PSN_MASK, fill_payload, payload_word,
};
pub use histogram::Histogram;
pub use report::{
    Ages, Fairness, Latency, LinkReport, Occupancy, Report, SampleRow, Scope, SeriesReport, Totals, jain,
};
pub use speculation::{Carried, Channels, Distances, Shares, Speculation};
pub use spread::mean_and_sd;
