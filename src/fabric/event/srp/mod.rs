//! Speculative reservation (SRP, rules Q1 to Q20): lanes, classes and drops in switches, both ends of the protocol in adapters.
//!
//! What a switch does with lanes is in `lanes`, `classes`, `arbitrate`, `spec`, `expiry`; an adapter's parts are `schedule` (the destination), `receive`, and
//! the source: `messages`, `table`, `engine`, `choice`. `adapter` has them, `joined` joins them.

mod adapter;
mod arbitrate;
mod choice;
mod classes;
mod engine;
mod expiry;
mod joined;
mod lanes;
mod messages;
mod observe;
mod ops;
#[cfg(test)]
mod parts;
mod receive;
mod regs;
mod schedule;
mod spec;
mod table;
mod tag;
#[cfg(test)]
mod tests;

pub(super) use adapter::Adapter;
pub(super) use classes::{Asker, Classes};
pub(super) use observe::write_flit;
pub(super) use spec::Spec;
pub(super) use tag::{KINDS, Kind, Tag};
