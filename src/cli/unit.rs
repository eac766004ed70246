//! Which build of a unit a command is for.

use anyhow::{Result, anyhow};
use clap::Args;

use crate::params::{Build, UnitKind};

/// Which parameters the unit has.
#[derive(Args, Clone)]
pub struct BuildArgs {
    /// Parameter set (`quell builds` lists them); without it the unit's first one
    #[arg(long, value_name = "NAME")]
    pub build: Option<String>,
    /// Set a parameter on top of it; may be given several times. A model that is not kept is made at first use
    #[arg(short = 'P', value_name = "NAME=VALUE")]
    pub param: Vec<String>,
}

impl BuildArgs {
    /// Something is said of the build.
    pub fn is_given(&self) -> bool {
        self.build.is_some() || !self.param.is_empty()
    }

    /// The build, whose parameters are legal.
    pub fn of(&self, unit: UnitKind) -> Result<Build> {
        build_of(unit, self.build.as_deref(), &self.param)
    }
}

/// Which parameters the unit has, where the smallest set is the natural one.
#[derive(Args, Clone)]
pub struct SmallBuild {
    /// Parameter set (`quell builds` lists them)
    #[arg(long, value_name = "NAME", default_value = "tiny")]
    build: String,
    /// Set a parameter on top of it; may be given several times
    #[arg(short = 'P', value_name = "NAME=VALUE")]
    param: Vec<String>,
}

impl SmallBuild {
    /// The build, whose parameters are legal.
    pub fn of(&self, unit: UnitKind) -> Result<Build> {
        build_of(unit, Some(&self.build), &self.param)
    }
}

/// A named build (the first one if no name is given) with some parameters set, NAME=VALUE.
pub fn build_of(unit: UnitKind, name: Option<&str>, params: &[String]) -> Result<Build> {
    let mut build = Build::named(unit, name).map_err(|e| anyhow!("{e}"))?;
    for text in params {
        build.set(text).map_err(|e| anyhow!("-P {e}"))?;
    }
    build.params.check_unit(build.unit).map_err(|e| anyhow!("{}: {e}", build.title()))?;
    Ok(build)
}
