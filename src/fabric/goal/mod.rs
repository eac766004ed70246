//! Traces in GOAL text, as LogGOPSim's `txt2bin` reads it: parser, check, replay, and programs that write it
//! (`docs/traffic.md`).

mod check;
mod parse;
pub mod programs;
mod replay;
#[cfg(test)]
mod tests;
mod trace;

pub use trace::{Dependency, Op, OpKind, Rank, Trace};

pub use check::{Schedule, check};
pub use parse::parse;
pub use replay::Replay;
