//! Networks of switches and adapters: description, routing, traffic, schemes, measurements (`docs/fabric.md`).

pub mod check;
pub mod event;
pub mod files;
pub mod goal;
pub mod metrics;
pub mod net;
pub mod routing;
pub mod scheme;
pub mod topology;
pub mod traffic;
pub mod wiring;
