//! Networks of wormhole routers and their adapters (`docs/worm-network.md`), cycle by cycle: golden units, Verilated models, or both side by
//! side and compared in every cycle. Hosts, traffic with quality of service and measurements are in `docs/worm-traffic.md`.

pub mod catalogue;
mod cluster;
mod control;
mod deeds;
// Without RTL nobody drives units by words.
#[cfg_attr(not(feature = "rtl"), allow(dead_code))]
mod device;
pub mod host;
mod job;
pub mod metrics;
mod net;
pub mod port;
mod qos;
mod rest;
mod run;
mod seen;
pub mod settings;
#[cfg(test)]
mod tests;
pub mod traffic;
#[cfg_attr(not(feature = "rtl"), allow(dead_code))]
mod words;

pub use cluster::Cluster;
pub use deeds::{Act, Deed};
pub use job::{Engine, Job};
pub use net::{ALL_PORTS, Net, NodeId, Write};
pub use run::{Drained, Run, wave_of};
pub use settings::Settings;
