//! What a congestion control table must do for a fan-in, and a table that does it (`docs/cct.md`).
//!
//! [`Hotspot`] is the arithmetic: fair share, BECNs, index, delay, decay. [`propose`](propose::propose) chooses a law by a rule;
//! [`mod@write`] says a table as others read it.

pub mod hotspot;
pub mod propose;
pub mod write;

pub use hotspot::{Hotspot, Run};
pub use propose::{Problem, Proposal, Table};
