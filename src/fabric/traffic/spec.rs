//! The description of a traffic: who sends what to whom, how much and when (`docs/traffic.md`).

use super::text::{Load, Nodes, Size, Time, To};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How nodes are chosen out of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pick {
    /// By the seed.
    #[default]
    Random,
    /// Evenly spaced: the i-th of k out of m is at position `(2i + 1) m / 2k`.
    Spread,
}

/// A named part of the nodes, disjoint from the other roles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// Name, for `role NAME` in selections.
    pub name: String,
    /// Its share of all nodes, 0..=1 (rounded to whole nodes).
    pub share: Option<f64>,
    /// Its number of nodes; this or `share`.
    pub count: Option<usize>,
    /// What it is taken from, apart from nodes that already have a role.
    #[serde(default = "Nodes::all")]
    pub among: Nodes,
    /// How it is chosen.
    #[serde(default)]
    pub pick: Pick,
}

/// A named list of hotspots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hotspots {
    /// Name, for `hotspots NAME`.
    pub name: String,
    /// How many.
    pub count: usize,
    /// What they are chosen from.
    #[serde(default = "Nodes::all")]
    pub among: Nodes,
    /// How they are chosen.
    #[serde(default)]
    pub pick: Pick,
    /// With it, the list is drawn anew after every such time.
    pub lifetime: Option<Time>,
}

/// When packets are offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arrival {
    /// At even distances, with a random phase.
    #[default]
    Periodic,
    /// After geometrically distributed gaps of the same mean.
    Bernoulli,
}

/// A group of sources that send alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Name, for reports.
    pub name: String,
    /// Who sends.
    pub sources: Nodes,
    /// Where to.
    pub to: To,
    /// How much each source offers.
    #[serde(default = "full")]
    pub load: Load,
    /// Length of a message; a message has one destination and is cut into packets. Without it: one MTU.
    pub message: Option<Size>,
    /// First cycle.
    #[serde(default = "zero")]
    pub start: Time,
    /// First cycle in which it no longer offers.
    pub stop: Option<Time>,
    /// When packets are offered.
    #[serde(default)]
    pub arrival: Arrival,
}

fn full() -> Load {
    Load::Percent(100.0)
}

fn zero() -> Time {
    Time::Cycles(0)
}

impl Group {
    /// A group at full load from the start, with packets of one MTU.
    pub fn new(name: &str, sources: Nodes, to: To) -> Group {
        Group {
            name: name.into(),
            sources,
            to,
            load: full(),
            message: None,
            start: zero(),
            stop: None,
            arrival: Arrival::Periodic,
        }
    }

    /// Between two times.
    pub fn between(mut self, start: Time, stop: Option<Time>) -> Group {
        self.start = start;
        self.stop = stop;
        self
    }
}

/// Unit of `calc` in a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CalcUnit {
    /// Nanoseconds, as LogGOPSim has it.
    #[default]
    Ns,
    /// Cycles.
    Cycles,
}

/// A trace to replay; one of `file`, `program`, `text`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceSpec {
    /// A GOAL file.
    pub file: Option<PathBuf>,
    /// A built-in program ([`crate::fabric::goal::programs`]).
    pub program: Option<String>,
    /// GOAL text.
    pub text: Option<String>,
    /// Rank r runs on the r-th of these nodes.
    #[serde(default = "Nodes::all")]
    pub nodes: Nodes,
    /// Unit of `calc`.
    #[serde(default)]
    pub calc: CalcUnit,
}

/// A traffic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrafficSpec {
    /// Name, for reports.
    pub name: String,
    /// How long a run should be, if the traffic has an opinion.
    pub run: Option<Time>,
    /// Parts of the nodes.
    #[serde(default)]
    pub roles: Vec<Role>,
    /// Lists of hotspots.
    #[serde(default)]
    pub hotspots: Vec<Hotspots>,
    /// Who sends what.
    #[serde(default, rename = "group")]
    pub groups: Vec<Group>,
    /// A trace.
    pub trace: Option<TraceSpec>,
}

impl TrafficSpec {
    /// An empty traffic.
    pub fn new(name: &str) -> TrafficSpec {
        TrafficSpec {
            name: name.into(),
            run: None,
            roles: Vec::new(),
            hotspots: Vec::new(),
            groups: Vec::new(),
            trace: None,
        }
    }

    /// From TOML text.
    pub fn parse(text: &str) -> Result<TrafficSpec> {
        let spec: TrafficSpec = toml::from_str(text).context("traffic description")?;
        if spec.groups.is_empty() && spec.trace.is_none() {
            bail!("traffic description {:?}: neither a [[group]] nor a [trace]", spec.name);
        }
        Ok(spec)
    }

    /// From a TOML file. A relative trace file is looked for beside it.
    pub fn from_file(path: &Path) -> Result<TrafficSpec> {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let mut spec = TrafficSpec::parse(&text).with_context(|| path.display().to_string())?;
        if let Some(file) = spec.trace.as_mut().and_then(|t| t.file.as_mut())
            && let Some(folder) = path.parent()
        {
            *file = folder.join(&*file);
        }
        Ok(spec)
    }

    /// A named traffic ([`super::named`]), a `.goal` file replayed on nodes 0, 1, ..., or a TOML file.
    pub fn load(text: &str, hosts: usize) -> Result<TrafficSpec> {
        if let Some(spec) = super::named::named(text, hosts)? {
            return Ok(spec);
        }
        let path = Path::new(text);
        if !path.exists() {
            let names: Vec<&str> = super::named::NAMES.iter().map(|n| n.name).collect();
            bail!("traffic {text:?} is neither a file nor one of {}", names.join(", "));
        }
        if path.extension().is_some_and(|e| e == "goal") {
            let mut spec = TrafficSpec::new(text);
            spec.trace = Some(TraceSpec {
                file: Some(path.into()),
                program: None,
                text: None,
                nodes: Nodes::all(),
                calc: CalcUnit::Ns,
            });
            return Ok(spec);
        }
        TrafficSpec::from_file(path)
    }
}
