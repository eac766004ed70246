//! One run over the cycles, held against the golden model or against a scoreboard.

use super::events::drive;
use super::lockstep::{Bench, Ended, Recording, Wrong, lockstep};
use super::outcome::{Failure, Options, Vcd};
use super::recording::{Inputs, Replay};
use super::source::Source;

/// Runs the device as the bench says.
pub(super) fn pass(
    bench: &Bench,
    source: &mut dyn Source,
    options: &Options,
    vcd: Option<&Vcd>,
    recording: Option<&mut Recording>,
) -> Result<Ended, Failure> {
    match bench.judge {
        Some(judge) => drive::run(bench, judge, source, options, vcd, recording),
        None => lockstep(bench, source, options, vcd, recording),
    }
}

/// Runs a recorded stimulus on fresh models; the first cycle in which something is wrong.
pub(crate) fn trial(bench: &Bench, seed: u64, inputs: &Inputs) -> Result<Option<(u64, Wrong)>, Failure> {
    let options = Options { cycles: inputs.cycles(), seed, pipeline: false, ..Options::default() };
    let mut source = Replay::of(inputs.clone());
    Ok(pass(bench, &mut source, &options, None, None)?.wrong)
}
