//! quell: congestion management for lossless interconnects. SystemVerilog RTL (`rtl/`), independent
//! golden models ([`model`]), and the co-simulation ([`cosim`]) that compares the two every cycle.
//!
//! Imports run one way: `cli -> experiments -> cosim -> fabric -> config -> scheme`, `cosim -> {model, verilated, wave}`,
//! `verilated -> verilate`.

pub mod cli;
pub mod config;
pub mod cosim;
pub mod cost;
pub mod fabric;
pub mod home;
pub mod jobs;
pub mod measure;
pub mod model;
#[cfg(feature = "rtl")]
pub mod netlist;
pub mod outfile;
pub mod params;
pub mod plot;
pub mod prove;
pub mod registers;
pub mod scheme;
pub mod signals;
pub mod stimulus;
pub mod study;
pub mod torture;
pub mod verilate;
#[cfg(feature = "rtl")]
pub mod verilated;
pub mod wave;
pub mod wrapper;
