//! All tests but the unit tests, a module a file: `cargo test --release --test all broken::` runs those of one.

#[cfg(feature = "cli")]
mod command;
#[allow(dead_code)]
mod extent;
mod import_reader;
mod input_port_common;

#[cfg(feature = "rtl")]
mod broken;
#[cfg(feature = "cli")]
mod campaign;
#[cfg(feature = "cli")]
mod cct;
#[cfg(feature = "cli")]
mod cli;
#[cfg(all(feature = "cli", feature = "studies"))]
mod compare;
#[cfg(all(feature = "cli", feature = "studies"))]
mod cost;
mod events;
mod fabric;
#[cfg(feature = "cli")]
mod fabric_cli;
mod fabric_reservation;
mod hca_lockstep;
mod imports;
mod input_port_sequences;
mod input_port_stimulus;
mod lint;
mod lockstep_sequences;
#[cfg(all(feature = "cli", feature = "measure"))]
mod measure;
#[cfg(feature = "cli")]
mod models;
mod netlist;
mod pages;
#[cfg(all(feature = "cli", feature = "studies"))]
mod paper;
mod pointers;
#[cfg(all(feature = "cli", feature = "prove"))]
mod proofs;
mod registers;
mod regression;
#[cfg(all(feature = "cli", feature = "studies", feature = "prove"))]
mod schema;
#[cfg(feature = "cli")]
mod settings;
#[cfg(all(feature = "cli", feature = "studies"))]
mod torture;
mod two_switches;
mod unit_pages;
mod verification_plan;
