//! quell: congestion management for lossless interconnects. SystemVerilog RTL (`rtl/`), independent
//! golden models ([`model`]), and the co-simulation ([`cosim`]) that compares the two every cycle.
//!
//! Imports run one way: `cli -> experiments -> cosim -> fabric -> config -> scheme`, `cosim -> {model, verilated, wave}`,
//! `verilated -> verilate`.

pub mod cli;
pub mod config;
pub mod cosim;
pub mod cost;
pub mod experiments;
pub mod fabric;
pub mod home;
pub mod jobs;
pub mod measure;
pub mod model;
pub mod params;
pub mod plot;
pub mod registers;
pub mod scheme;
pub mod signals;
pub mod torture;
pub mod verilate;
#[cfg(feature = "rtl")]
pub mod verilated;
pub mod wave;
pub mod wrapper;
