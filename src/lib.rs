//! quell: congestion management for lossless interconnects. SystemVerilog RTL (`rtl/`), independent
//! golden models ([`model`]), and the co-simulation ([`cosim`]) that compares the two every cycle.
//!
//! Imports run one way, between folders and between files (`docs/architecture.md`).
//!
//! Features, all on by default: `rtl` (the bridge to Verilated models), `cli` (the command line), `prove` (formal proofs, with a
//! SAT solver), `measure` (what the checks are worth) and `studies` (what schemes give and cost: published results, synthesis,
//! random networks). Without them golden models, fabrics and stimuli are left.

#![warn(missing_docs)]

#[cfg(feature = "cli")]
pub mod campaign;
// A command that is left out leaves helpers that nobody calls.
#[cfg(feature = "cli")]
#[cfg_attr(not(all(feature = "measure", feature = "rtl", feature = "studies")), allow(dead_code))]
pub mod cli;
pub mod config;
pub mod cosim;
#[cfg(feature = "studies")]
pub mod cost;
pub mod dut;
pub mod embed;
#[cfg(test)]
#[path = "../tests/extent.rs"]
mod extent;
pub mod fabric;
pub mod fan_in;
pub mod home;
pub mod jobs;
#[cfg(feature = "measure")]
pub mod measure;
pub mod model;
#[cfg(feature = "rtl")]
pub mod netlist;
pub mod outfile;
pub mod params;
pub mod plot;
#[cfg(feature = "prove")]
pub mod prove;
pub mod registers;
pub mod report;
pub mod rules;
pub mod scheme;
pub mod signals;
pub mod stimulus;
#[cfg(feature = "studies")]
pub mod study;
mod text;
#[cfg(feature = "studies")]
pub mod torture;
pub mod verilate;
#[cfg(feature = "rtl")]
pub mod verilated;
pub mod wave;
pub mod worm;
pub mod wrapper;
