//! `quell cosim --dut` and `--compare`: what runs, and how strictly it is held against the rules.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};

use super::args::{CosimArgs, DutArgs, Strength as Word};
use crate::cosim::events::{self, settings::Settings};
use crate::cosim::source::Source;
use crate::cosim::{self, Compared, Failure, Options, Report, Strength};
use crate::dut::{Dut, Request};
use crate::params::Build;
use crate::signals::{Group, Layout};
use crate::verilated::{self, Foreign, Model};

/// What runs.
pub struct Design {
    build: Build,
    /// A design that is not quell's.
    foreign: Option<Foreign>,
    /// Makes the same with its inside to be seen.
    inside: Option<Inside>,
    strength: Strength,
}

/// A design whose inside can be seen.
enum Inside {
    Own,
    Foreign(Foreign),
}

impl Design {
    /// quell's own RTL, all of it compared.
    pub fn own(build: &Build) -> Result<Design> {
        verilated::prepare([*build])?;
        Ok(Design { build: *build, foreign: None, inside: None, strength: Strength::Lockstep(None) })
    }

    /// As the command line says; models are made.
    pub fn of(args: &DutArgs, build: &Build) -> Result<Design> {
        let layout = Layout::new(build.unit, &build.params);
        // Before a model is made.
        let mut settings = match args.compare {
            Word::Events => {
                Some(Settings::new(events::tolerances(build).map_err(|e| anyhow!("--compare events: {e}"))?))
            }
            Word::State | Word::Outputs => None,
        };
        let dut = match (&args.dut, &args.top) {
            (Some(path), Some(top)) => {
                let state = args.compare == Word::State;
                Some(Dut::new(build, &Request { path, top, map: args.map.as_deref(), state })?)
            }
            _ => None,
        };
        if let (Some(settings), Some(dut)) = (&mut settings, &dut) {
            for t in &dut.tolerances {
                settings.set(&t.name, t.value).map_err(|e| anyhow!("{}: events.{}: {e}", t.place, t.name))?;
            }
            let missing: Vec<&str> =
                events::needed(build.unit).iter().copied().filter(|n| !dut.has(Group::Output, n)).collect();
            if !missing.is_empty() {
                bail!("--compare events: {} cannot be judged without {}", dut.top, missing.join(", "));
            }
        }
        let foreign = match &dut {
            Some(dut) => {
                verilated::on_hang(patience()?, hangs);
                Some(Foreign::load(dut)?)
            }
            None => verilated::prepare([*build]).map(|()| None)?,
        };
        let strength = match settings {
            Some(settings) => Strength::Events(settings),
            None if dut.is_none() && args.compare == Word::State => Strength::Lockstep(None),
            None => Strength::Lockstep(Some(Compared::new(&layout, |s| {
                let state = args.compare == Word::State || s.group == Group::Output;
                state && dut.as_ref().is_none_or(|d| d.has(s.group, s.name))
            }))),
        };
        Ok(Design { build: *build, foreign, inside: None, strength })
    }

    /// With its inside to be seen in waveforms, if that is wanted; the model for that is made.
    pub fn with_inside(mut self, wanted: bool) -> Result<Design> {
        if wanted {
            self.inside = Some(match &self.foreign {
                Some(foreign) => Inside::Foreign(Foreign::load_inside(foreign.dut())?),
                None => verilated::prepare_inside(&self.build).map(|()| Inside::Own)?,
            });
        }
        Ok(self)
    }

    /// What it is.
    pub fn title(&self) -> String {
        self.foreign.as_ref().map_or_else(|| self.build.title(), |f| f.dut().title())
    }

    /// The unit and its parameters.
    pub fn build(&self) -> Build {
        self.build
    }

    /// What is found where nothing is wrong.
    pub fn verdict(&self) -> &'static str {
        match (&self.strength, &self.foreign) {
            (Strength::Events(_), _) => "no rule broken",
            (Strength::Lockstep(None), _) => "equal in every cycle",
            (Strength::Lockstep(Some(c)), _) if c.has_state() => "equal in every cycle",
            (Strength::Lockstep(Some(_)), _) => "outputs equal in every cycle",
        }
    }

    /// Outputs that it does not have.
    pub fn not_compared(&self) -> Vec<&'static str> {
        self.foreign.as_ref().map_or(Vec::new(), |f| f.dut().lacking_outputs())
    }

    /// Runs it.
    pub fn run(&self, source: &mut dyn Source, options: &Options) -> Result<Report, Failure> {
        let model = |seed| match &self.foreign {
            Some(foreign) => foreign.model(seed),
            None => Model::new(&self.build, seed),
        };
        let seen = |seed| match &self.inside {
            Some(Inside::Foreign(foreign)) => foreign.model(seed),
            _ => Model::inside(&self.build, seed),
        };
        let inside = self.inside.as_ref().map(|_| &seen as cosim::Maker);
        cosim::run_as(&self.build, &model, inside, &self.strength, source, options)
    }
}

/// How many seconds of one step of a design are too many.
fn patience() -> Result<u64> {
    let Some(said) = std::env::var_os("QUELL_HANG") else { return Ok(30) };
    let seconds = said.to_str().and_then(|s| s.parse().ok()).filter(|s| (1..=86_400).contains(s));
    seconds
        .ok_or_else(|| anyhow!("QUELL_HANG: {} is no number of seconds: legal is 1..86400", said.display()))
}

/// A design does not come back, so nothing but the end of the program helps.
fn hangs(text: &str) {
    crate::outfile::remove_begun();
    let _ = writeln!(std::io::stderr(), "quell: {text}");
    std::process::exit(1)
}

/// The command that plays a stimulus file on the same design.
pub fn again(args: &CosimArgs) -> String {
    let mut words = vec!["quell cosim".to_string(), args.unit.kind().cli_name().into()];
    let shown = |p: &PathBuf| crate::text::word(&p.display().to_string());
    match (&args.dut.dut, &args.dut.top) {
        (Some(path), Some(top)) => {
            words.extend(["--dut".into(), shown(path), "--top".into(), crate::text::word(top)])
        }
        _ if args.dut.compare == Word::State => return "quell replay".into(),
        _ => {}
    }
    words.extend(args.dut.map.iter().flat_map(|m| ["--map".into(), shown(m)]));
    if args.dut.compare != Word::State {
        words.extend(["--compare".into(), args.dut.compare.word().into()]);
    }
    words.push("--stimulus".into());
    words.join(" ")
}
