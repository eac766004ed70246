//! Networks of wormhole routers and their adapters (`docs/worm-network.md`), cycle by cycle: hosts, traffic with quality of
//! service and measurements are in `docs/worm-traffic.md`.

pub mod port;

pub mod host;
pub mod metrics;
pub mod traffic;
