//! What the commands share.

use std::path::Path;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use crate::wave::beside;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// One JSON object (or array)
    Json,
}

#[derive(Args)]
pub(super) struct FormatArgs {
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: Format,
}

/// How a command that could be carried out ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Listed, or run and found equal.
    Good,
    /// Two sides differ, or a promise was broken.
    Mismatch,
    /// A published claim does not hold.
    DoesNotHold,
}

pub(super) fn at_least_one(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("legal is 1 or more".into()),
        Ok(n) => Ok(n),
        Err(_) => Err("a whole number, 1 or more, is wanted".into()),
    }
}

/// The name of a waveform: not that of a layout that is written beside it.
pub(super) fn waveform(path: &Path) -> Result<()> {
    if beside(path).iter().any(|layout| layout == path) {
        bail!(
            "--vcd {}: layouts beside the waveform are called so; legal are names in .vcd and .fst",
            path.display()
        );
    }
    Ok(())
}

/// Of a seed, or a cycle.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    between(0, u64::MAX)(text)
}

/// Of a number between two ends.
pub(super) fn between(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| match text.parse() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(format!("a whole number is wanted, legal is {least}..{most}")),
    }
}
