//! All tests but the unit tests, a module a file: `cargo test --release --test all broken::` runs those of one.

#[cfg(feature = "cli")]
mod command;
#[allow(dead_code)]
mod extent;
mod import_reader;
mod input_port_common;

#[cfg(feature = "measure")]
mod broken;
#[cfg(feature = "cli")]
mod cct;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod compare;
#[cfg(feature = "cli")]
mod cost;
mod fabric;
#[cfg(feature = "cli")]
mod fabric_cli;
mod hca_lockstep;
mod imports;
mod input_port_sequences;
mod input_port_stimulus;
mod lint;
mod lockstep_sequences;
#[cfg(feature = "cli")]
mod measure;
#[cfg(feature = "cli")]
mod models;
mod netlist;
#[cfg(feature = "cli")]
mod paper;
mod pointers;
#[cfg(feature = "prove")]
mod proofs;
mod registers;
mod regression;
#[cfg(feature = "cli")]
mod settings;
#[cfg(feature = "cli")]
mod torture;
mod two_switches;
mod unit_pages;
mod verification_plan;
