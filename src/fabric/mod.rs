//! Networks of switches and adapters: description, routing, traffic, register writes, measurements (`docs/fabric.md`).

pub mod check;
pub mod event;
pub mod files;
pub mod goal;
pub mod metrics;
pub mod net;
pub mod routing;
pub mod setup;
pub mod topology;
pub mod traffic;
pub mod up;
pub mod windowed;
pub mod wiring;
