//! The description of a traffic: who sends what to whom, how much and when (`docs/traffic.md`).

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::lengths::Lengths;
use super::text::{Load, Nodes, Time, To};

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
    /// At even distances, from the start on: sources of a group that send alike send together.
    Together,
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
    /// Lengths of messages; a message has one destination and is cut into packets. Without it: one MTU.
    pub message: Option<Lengths>,
    /// All packets of a message are generated at once, and the next message follows after the time of a message. Needs `backlog`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub whole: bool,
    /// First cycle.
    #[serde(default = "zero")]
    pub start: Time,
    /// First cycle in which it no longer offers.
    pub stop: Option<Time>,
    /// The i-th source starts i times this later, i from 0.
    #[serde(default = "zero")]
    pub step: Time,
    /// `start` and `stop` count from when the groups before this one have generated so many packets.
    pub after: Option<u64>,
    /// A source has no more to send when its adapter has taken so many packets; with `backlog`, when so many are generated.
    pub packets: Option<u64>,
    /// The same in messages that are all alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<u64>,
    /// Packets for which the adapter has no room wait at the host, a queue for each destination; else they are dropped.
    #[serde(default, skip_serializing_if = "is_false")]
    pub backlog: bool,
    /// When packets are offered.
    #[serde(default)]
    pub arrival: Arrival,
}

fn full() -> Load {
    Load::Percent(100.0)
}

fn is_false(b: &bool) -> bool {
    !b
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
            whole: false,
            start: zero(),
            stop: None,
            step: zero(),
            after: None,
            packets: None,
            messages: None,
            backlog: false,
            arrival: Arrival::Periodic,
        }
    }

    /// Messages that are generated as a whole and wait at their hosts.
    pub fn in_messages(mut self) -> Group {
        (self.whole, self.backlog) = (true, true);
        self
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
