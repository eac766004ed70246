//! `quell cosim --dut`: a design in the place of quell's RTL.

use std::path::PathBuf;

use anyhow::Result;

use super::args::{CosimArgs, DutArgs, Strength};
use crate::cosim::source::Source;
use crate::cosim::{self, Compared, Failure, Options, Report};
use crate::dut::{Dut, Request};
use crate::params::Build;
use crate::signals::{Group, Layout};
use crate::verilated::{self, Foreign};

/// What runs against the golden model.
pub enum Design {
    /// quell's own RTL.
    Own(Box<Build>),
    /// Somebody else's.
    Foreign(Box<Foreign>, Strength),
}

impl Design {
    /// As the command line says; models are made.
    pub fn of(args: &DutArgs, build: &Build) -> Result<Design> {
        let (Some(path), Some(top)) = (&args.dut, &args.top) else {
            verilated::prepare([*build])?;
            return Ok(Design::Own(Box::new(*build)));
        };
        let state = args.compare == Strength::State;
        let request = Request { path, top, map: args.map.as_deref(), state };
        let foreign = Foreign::load(&Dut::new(build, &request)?)?;
        Ok(Design::Foreign(Box::new(foreign), args.compare))
    }

    /// What it is.
    pub fn title(&self) -> String {
        match self {
            Design::Own(build) => build.title(),
            Design::Foreign(foreign, _) => foreign.dut().title(),
        }
    }

    /// The unit and its parameters.
    pub fn build(&self) -> Build {
        match self {
            Design::Own(build) => **build,
            Design::Foreign(foreign, _) => foreign.dut().build,
        }
    }

    /// What is found where nothing is wrong.
    pub fn verdict(&self) -> String {
        match self {
            Design::Own(_) | Design::Foreign(_, Strength::State) => "equal in every cycle".into(),
            Design::Foreign(_, Strength::Outputs) => "outputs equal in every cycle".into(),
        }
    }

    /// Outputs that it does not have.
    pub fn not_compared(&self) -> Vec<&'static str> {
        match self {
            Design::Own(_) => Vec::new(),
            Design::Foreign(foreign, _) => foreign.dut().lacking_outputs(),
        }
    }

    /// Runs it.
    pub fn run(&self, source: &mut dyn Source, options: &Options) -> Result<Report, Failure> {
        match self {
            Design::Own(build) => cosim::run(build, source, options),
            Design::Foreign(foreign, strength) => {
                let dut = foreign.dut();
                let layout = Layout::new(dut.build.unit, &dut.build.params);
                let state = *strength == Strength::State;
                let compared = Compared::new(&layout, |s| {
                    dut.has(s.group, s.name) && (state || s.group == Group::Output)
                });
                cosim::run_foreign(foreign, &compared, source, options)
            }
        }
    }
}

/// The command that plays a stimulus file on the same design.
pub fn again(args: &CosimArgs) -> String {
    let (Some(path), Some(top)) = (&args.dut.dut, &args.dut.top) else { return "quell replay".into() };
    let shown = |p: &PathBuf| p.display().to_string();
    let mut words =
        vec!["quell cosim".to_string(), args.unit.kind().cli_name().into(), "--dut".into(), shown(path)];
    words.extend(["--top".into(), top.clone()]);
    words.extend(args.dut.map.iter().flat_map(|m| ["--map".into(), shown(m)]));
    if args.dut.compare != Strength::State {
        words.push(format!("--compare {}", args.dut.compare.word()));
    }
    words.push("--stimulus".into());
    words.join(" ")
}
