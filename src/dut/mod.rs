//! A design under test that is not quell's: the user's own RTL in the place of a unit.
//!
//! The design is put into an adapter with the unit's ports (`adapter`), so that all that runs a unit (the wrapper, the kept model,
//! lockstep, waveforms) runs it, too. A map (`map`) says which pin of the design is which signal of the unit; what pins there are comes
//! from Verilator (`pins`), and `connect` holds the two against each other.

mod adapter;
mod connect;
pub mod map;
mod pins;
mod sources;
mod words;

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::params::Build;
use crate::signals::{Group, Layout};
pub use adapter::ADAPTER;
use connect::Connections;
use map::Map;
pub use sources::Copies;

/// A design with its connections: ready to be made into a model.
#[derive(Clone, Debug)]
pub struct Dut {
    /// The build of the unit whose place it takes.
    pub build: Build,
    /// Its top module.
    pub top: String,
    /// Text of the adapter.
    pub adapter: String,
    /// The design's files, and Verilator's arguments for them.
    pub copies: Copies,
    /// Outputs and state of the unit that it does not have.
    lacks: Vec<(Group, &'static str)>,
    /// Verilator's arguments for the design alone.
    alone: Vec<String>,
    /// Tolerances of the map, for who judges by events.
    pub tolerances: Vec<map::Tolerance>,
}

/// What the command line says of a design.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// A folder, a list of files (`.f`) or a file.
    pub path: &'a Path,
    /// The top module.
    pub top: &'a str,
    /// The map.
    pub map: Option<&'a Path>,
    /// State is compared: the design must have it.
    pub state: bool,
}

impl Dut {
    /// Reads design and map, has Verilator elaborate the design, and connects its pins.
    pub fn new(build: &Build, request: &Request) -> Result<Dut> {
        let map = match request.map {
            Some(path) => Map::read(path)?,
            None => Map::default(),
        };
        let top = request.top;
        if top.is_empty() || !top.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$') {
            bail!("--top {top}: the name of a module is wanted");
        }
        let listed = sources::list(request.path, top)?;
        let elaborated = pins::elaborate(&listed, top, build, &map)?;
        let layout = Layout::new(build.unit, &build.params);
        let connections = Connections::new(build, &layout, top, &elaborated.pins, &map, request.state)
            .with_context(|| {
                let by = request.map.map_or("no map is given (--map)".into(), |p| p.display().to_string());
                format!("{top} cannot take the place of {} ({by})", build.title())
            })?;
        let adapter = adapter::text(&layout, top, &elaborated.parameters, &connections);
        let copies = listed.copies(&elaborated.files, &map.defines)?;
        let lacks = connections.lacks;
        let (top, alone) = (top.into(), elaborated.arguments);
        Ok(Dut { build: *build, top, adapter, copies, lacks, alone, tolerances: map.events })
    }

    /// True if the design has a signal of the unit.
    pub fn has(&self, group: Group, name: &str) -> bool {
        !self.lacks.iter().any(|(g, n)| *g == group && *n == name)
    }

    /// Outputs of the unit that it does not have.
    pub fn lacking_outputs(&self) -> Vec<&'static str> {
        self.lacks.iter().filter(|(g, _)| *g == Group::Output).map(|(_, n)| *n).collect()
    }

    /// Combinational loops in it that Verilator sees, with their places.
    pub fn loops(&self) -> Vec<String> {
        pins::loops(&self.alone).unwrap_or_default()
    }

    /// Loops in it that may have no end, with their places; those that say least of their end first.
    pub fn endless(&self) -> Vec<String> {
        pins::endless(&self.alone).unwrap_or_default()
    }

    /// What it is, for people.
    pub fn title(&self) -> String {
        format!("{} in the place of {}", self.top, self.build.title())
    }

    /// A message of a tool, with the user's names of files in the place of those of the copies.
    pub fn with_own_names(&self, text: &str) -> String {
        self.copies.with_own_names(text)
    }
}
