//! What the checks are worth, measured: mutants of the RTL that the regression finds ([`mutate`]), what a flipped bit does
//! ([`seu`]), and how much of the RTL the regression reaches ([`coverage`]); [`fuzz`] looks for stimuli that reach more.
//!
//! The first three replay recorded runs: [`vectors`] writes the inputs of the regression's runs and a sum of what the golden model
//! says in each cycle; [`tools`] makes a netlist with Yosys, and of it (by [`crate::verilate`]) a small C++ program
//! (`replay.h`) that plays the runs on it and compares every cycle.

pub mod coverage;
pub mod fuzz;
mod guess;
pub mod model_lines;
pub mod mutate;
mod pair;
mod provers;
mod runs;
pub mod seu;
pub mod tools;
pub mod vectors;

use runs::runs;
