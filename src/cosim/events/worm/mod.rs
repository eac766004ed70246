//! What the units of a wormhole network have in common: lanes with a credit for each flit, pulses that give them back, and headers.

pub(super) mod credits;
pub(super) mod header;
pub(super) mod pulses;
