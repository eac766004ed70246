//! Networks of switches and adapters: description, routing, traffic, schemes, measurements (`docs/fabric.md`).

pub mod check;
pub mod files;
pub mod net;
pub mod routing;
pub mod scheme;
pub mod topology;
pub mod wiring;
