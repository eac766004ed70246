//! Networks of wormhole routers and their adapters (`docs/worm-network.md`), cycle by cycle.

pub mod port;
