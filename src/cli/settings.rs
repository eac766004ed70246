//! Where a run's configuration comes from: the options that `cosim`, `fabric` and `params` share.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::config::{Config, Origin, Sources};

/// Later ones count: scheme's defaults, --config, --opensm, --set.
#[derive(Args, Clone, Debug)]
pub struct SettingsArgs {
    /// The scheme of congestion management (quell fabric --list has them); default: the file's, else ecocc, or for a unit
    /// all that it has
    #[arg(long, value_name = "SCHEME")]
    pub scheme: Option<String>,
    #[command(flatten)]
    pub changes: Changes,
}

/// The same, for several schemes.
#[derive(Args, Clone, Debug)]
pub struct Changes {
    /// Settings from a TOML file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Settings from the congestion control keys of an opensm options file (on top of --config)
    #[arg(long, value_name = "FILE")]
    pub opensm: Option<PathBuf>,
    /// Change a setting (quell params lists them; on top of the files); may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

impl Changes {
    /// All of it, in order, with a scheme.
    pub fn of(&self, scheme: Option<&str>, option: &'static str) -> Result<Sources> {
        let mut sources = Sources::default();
        if let Some(path) = &self.config {
            sources.toml(path)?;
        }
        if let Some(path) = &self.opensm {
            sources.opensm(path)?;
        }
        for text in &self.set {
            sources.option(text)?;
        }
        if let Some(name) = scheme {
            sources.scheme(name, Origin::Option(option))?;
        }
        Ok(sources)
    }
}

impl SettingsArgs {
    /// All of it, in order.
    pub fn sources(&self) -> Result<Sources> {
        self.changes.of(self.scheme.as_deref(), "--scheme")
    }

    /// A file says something.
    pub fn has_files(&self) -> bool {
        self.changes.config.is_some() || self.changes.opensm.is_some()
    }
}

/// Tells what a person should see.
pub fn tell(config: &Config) {
    for note in &config.notes {
        eprintln!("quell: note: {note}");
    }
}
