//! Networks of switches and adapters: description, routing, traffic, schemes, measurements (`docs/fabric.md`).

pub mod net;
pub mod scheme;
