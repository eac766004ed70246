//! What the command line brings to a run: configuration files and knobs.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::args::CosimArgs;
use crate::config::{self, Config};
use crate::experiments::knobs::{Knobs, Setup};
use crate::params::Build;

/// Knobs and initial register writes of `quell cosim`. An opensm file goes on top of a TOML file, a knob on the
/// command line on top of one in a file. Remarks of the readers go to standard error.
pub fn traffic(args: &CosimArgs, build: &Build) -> Result<(Knobs, Setup)> {
    let p = &build.params;
    let mut config = match &args.config {
        Some(path) => config::load_toml(path, p)?,
        None => Config::default(),
    };
    if let Some(path) = &args.opensm {
        config::apply_opensm(&mut config, path, p)?;
    }
    for note in &config.notes {
        eprintln!("quell: note: {note}");
    }
    let mut knobs = config.knobs.clone();
    if let Some(path) = &args.knobs {
        let more = knob_file(path)?;
        for knob in Knobs::TABLE {
            if let Some(value) = more.get(knob.name) {
                set(&mut knobs, knob.name, value).with_context(|| path.display().to_string())?;
            }
        }
    }
    for text in &args.knob {
        let (name, value) =
            text.split_once('=').with_context(|| format!("--knob {text}: NAME=VALUE is wanted"))?;
        let value = value.parse().map_err(|_| anyhow!("--knob {text}: {value} is not a number"))?;
        set(&mut knobs, name, value).with_context(|| format!("--knob {text}"))?;
    }
    // Without a configuration the source chooses the registers itself, and so sees more of them.
    let configured = args.config.is_some() || args.opensm.is_some();
    let setup = if configured { config.setup(p)? } else { Setup::default() };
    Ok((knobs, setup))
}

fn set(knobs: &mut Knobs, name: &str, value: f64) -> Result<()> {
    knobs.set(name, value).map_err(|e| anyhow!(e))
}

fn knob_file(path: &Path) -> Result<Knobs> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))?;
    toml::from_str(&text).map_err(|e| anyhow!("{}: {}", path.display(), e.to_string().trim()))
}
