//! Networks of switches and adapters: description, routing, traffic, schemes, measurements (`docs/fabric.md`).

pub mod goal;
pub mod metrics;
pub mod net;
pub mod traffic;
