//! Networks of wormhole routers and their adapters: hosts, traffic with quality of service, measurements
//! (`docs/worm-traffic.md`).

pub mod host;
pub mod metrics;
pub mod port;
pub mod traffic;
