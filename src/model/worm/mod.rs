//! What wormhole routers and their adapters share: classes of lanes, their order on a link, headers of messages, pins.

pub(super) mod classes;
pub(super) mod header;
pub(super) mod order;
pub mod wires;
