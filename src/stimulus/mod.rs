//! What drives a unit alone: knobs, constrained-random traffic and directed scenarios, a folder for each unit, and the
//! default regression, which is a list of them.

#[cfg(test)]
mod alone;
mod carrier;
mod chance;
pub mod hca;
pub mod hca_throttle;
pub mod injection_control;
pub mod input_port;
pub mod knobs;
mod noise;
mod offsets;
pub mod output_port;
pub mod reads;
pub mod regression;
pub mod reservation;
mod rounds;
pub mod scenario;
pub mod scoreboard;
mod setup;
pub mod source_response;
pub mod switch;
mod table;
mod taker;
pub mod worm_adapter;
pub mod worm_router;
