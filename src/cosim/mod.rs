//! Co-simulation: RTL and golden model in lockstep.
//!
//! [`run`] drives one unit with a [`source::Source`]; every cycle *all* outputs and *all* architectural state of
//! the RTL are compared with the golden model's, word for word, nothing masked. The first difference stops the run
//! and becomes a [`Mismatch`]: cycle, signals, both values, rules, the last stimuli, and (with
//! [`Options::out_dir`]) a waveform of the window before it and a minimised stimulus file that replays it.
//!
//! [`regress`] runs many such jobs on several threads; [`check_stimulus`] is the plain form for `proptest`;
//! [`recording`] is the file format of reproducers and of stimuli written by hand.
//!
//! The engine itself needs no Verilator: it compares a [`Dut`] with a [`crate::model::Unit`]. With feature `rtl` the
//! device under test is a [`crate::verilated::Model`].

mod compared;
pub mod engines;
pub mod events;
mod lockstep;
mod minimise;
mod outcome;
mod pass;
pub mod recording;
mod regress;
pub mod report;
mod run;
pub mod source;
#[cfg(test)]
mod tests;

pub use compared::Compared;
pub use lockstep::{Bench, Dut, DutError, record};
pub(crate) use lockstep::{HISTORY, differences};
pub use outcome::{
    Artefacts, AssertionFailure, BrokenRule, CoverCount, CycleInputs, Difference, Failure, Mismatch, Options,
    Report, Vcd,
};
pub use recording::{Replay, Stimulus};
pub use regress::{Job, JobResult, Regression};
pub use run::run_on;

#[cfg(feature = "rtl")]
pub use regress::regress;
#[cfg(feature = "rtl")]
pub use run::{Maker, Strength, check_stimulus, run, run_as};
