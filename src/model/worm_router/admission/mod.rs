//! Admission (section 8): probes book the bandwidth of streams on the links that they take.
//!
//! A file for each of its parts: sums, the decision, ends of streams, replies, what is lost, weights, what cover points see.

mod cross;
mod decide;
pub(super) mod held;
mod lost;
mod meet;
mod replies;
mod show;
pub(super) mod slot;
pub(super) mod sums;
mod weights;
