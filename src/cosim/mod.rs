//! Co-simulation: RTL and golden model in lockstep.

pub mod source;
