//! Whole runs: regressions and scenarios.

mod carrier;
#[cfg(test)]
mod golden;
pub mod hca;
pub mod hca_throttle;
pub mod input_port;
pub mod knobs;
#[cfg(feature = "rtl")]
pub mod netlist;
mod noise;
pub mod output_port;
pub mod paper;
pub mod prove;
pub mod reads;
pub mod regression;
pub mod scenario;
pub mod scoreboard;
mod setup;
pub mod switch;
