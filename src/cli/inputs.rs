//! What the command line brings to a run of a unit: its configuration and the knobs of the random traffic.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::args::CosimArgs;
use super::settings::tell;
use crate::config::ConfigError;
use crate::params::Build;
use crate::stimulus::knobs::{Knobs, Setup};

/// Knobs and initial register writes of `quell cosim`. A knob on the command line goes on top of one in a file. Remarks go to
/// standard error.
pub fn traffic(args: &CosimArgs, build: &Build) -> Result<(Knobs, Setup)> {
    let sources = args.settings.sources()?;
    // Without a configuration the source chooses the registers itself, and so sees more of them.
    let setup = if sources.is_empty() {
        Setup::default()
    } else {
        let config = sources.unit(build)?;
        tell(&config);
        Setup::of(&config, &build.params)
    };
    let mut knobs = Knobs::default();
    for (name, value, origin) in sources.knobs() {
        let wrong = |problem| ConfigError {
            origin: origin.clone(),
            field: format!("knobs.{name}"),
            value: value.to_string(),
            problem,
        };
        knobs.set(name, *value).map_err(wrong)?;
    }
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
    Ok((knobs, setup))
}

fn set(knobs: &mut Knobs, name: &str, value: f64) -> Result<()> {
    knobs.set(name, value).map_err(|e| anyhow!(e))
}

fn knob_file(path: &Path) -> Result<Knobs> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))?;
    toml::from_str(&text).map_err(|e| anyhow!("{}: {}", path.display(), e.to_string().trim()))
}
