//! What a scheme is good for, beside what it costs: runs of the golden fabric (`quell cost all --benefit`).

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::host_cost::HostCost;
use crate::cost::Cost;
use crate::fabric::traffic::TrafficSpec;
use crate::plot::{Axis, Chart, Figure, Series, Style};
use crate::scheme::Scheme;
use crate::study::cache::{Cache, sources};
use crate::study::figures::look_among_all;
use crate::study::job::{Found, Job};
use crate::study::point::Run;
use crate::study::run::{How, run};
use crate::study::setting::configured;

/// Nodes of the network with the hotspots, and its switches.
const NODES: usize = 64;
const SWITCHES: f64 = 48.0;
const SEED: u64 = 1;

/// A scheme's cost and use.
#[derive(Clone, Debug, Serialize)]
pub struct Benefit {
    /// The scheme.
    pub scheme: Scheme,
    /// For each host of the 64-node tree: an adapter and three quarters of a switch.
    #[serde(flatten)]
    pub cost: HostCost,
    /// Throughput of the victim of `ccfit1` while all flows run, Gbit/s; it sends 20.
    pub victim_gbps: f64,
    /// Jain's fairness index of that traffic's four contributors.
    pub jain: f64,
    /// Throughput of the 64-node tree while four hotspots are on, of what the hosts can take.
    pub share: f64,
}

/// The two runs of a scheme: victim and parking lot; four hotspots in a tree.
fn runs(scheme: Scheme) -> Result<[Run; 2]> {
    let of = |network: &str, hosts: usize, traffic: &str, us: f64| -> Result<Run> {
        let c = configured(scheme, hosts, &[], &[])?;
        Ok(Run::new(network, TrafficSpec::load(traffic, hosts)?, c, SEED, us))
    };
    Ok([of("ccfit-1:crossbar", 7, "ccfit1", 10_000.0)?, of("4ary-3tree", NODES, "ecocc2", 2000.0)?])
}

/// Each scheme's cost and use, from the costs of a switch and an adapter for 64 nodes.
pub fn benefits(costs: &[Cost], cache: &Path, threads: usize) -> Result<Vec<Benefit>> {
    let find = |unit: &str, scheme: Scheme| {
        costs.iter().find(|c| c.unit == unit && c.scheme == scheme && c.nodes == NODES)
    };
    let mut pairs: Vec<(Scheme, &Cost, &Cost)> = Vec::new();
    for scheme in Scheme::ALL.into_iter().filter(|s| !s.reserves()) {
        if let (Some(s), Some(h)) = (find("switch", scheme), find("hca", scheme)) {
            pairs.push((scheme, s, h));
        }
    }
    let mut all = Vec::new();
    for p in &pairs {
        all.extend(runs(p.0)?.map(Job::from));
    }
    let kept = Cache::open(&cache.join("fabric"), sources())?;
    let outcomes = run(&all, &How { threads, cache: Some(&kept), progress: &|_| {} })?;
    let of = |(scheme, switch, hca): &(Scheme, &Cost, &Cost), o: &[Found]| Benefit {
        scheme: *scheme,
        cost: HostCost::of(hca, switch, SWITCHES / NODES as f64),
        victim_gbps: o[0].fabric().gbps("F0", 7.0, 10.0),
        jain: o[0].fabric().fairness(&["F1", "F2", "F5", "F6"], 7.0, 10.0).jain,
        share: o[1].fabric().share(1.1, 2.0),
    };
    Ok(pairs.iter().zip(outcomes.chunks(2)).map(|(p, o)| of(p, o)).collect())
}

pub const HEAD: [&str; 7] = [
    "scheme",
    "NAND2-eq. a host",
    "SRAM bits a host",
    "mm2 a host",
    "victim Gbit/s of 20",
    "fairness",
    "throughput, 4 hotspots",
];

impl Benefit {
    /// The cells of its row.
    pub fn cells(&self) -> Vec<String> {
        let about = if self.cost.reckoned { "~" } else { "" };
        vec![
            self.scheme.name.into(),
            format!("{about}{}", super::lists::thousands(self.cost.nand2.round() as usize)),
            format!("{about}{}", super::lists::thousands(self.cost.sram_bits.round() as usize)),
            format!("{about}{:.2}", self.cost.area_mm2),
            format!("{:.2}", self.victim_gbps),
            format!("{:.3}", self.jain),
            format!("{:.3}", self.share),
        ]
    }
}

/// Cost across, use upwards: a point for each scheme.
pub fn figure(all: &[Benefit], library: &str) -> Figure {
    let panel = |title: &str, y: Axis, f: &dyn Fn(&Benefit) -> f64| Chart {
        title: title.into(),
        subtitle: String::new(),
        x: Axis::new("Area of an adapter and 3/4 switch (mm2)").log(),
        y,
        series: all
            .iter()
            .map(|b| {
                let point = Series::line(b.scheme.name, vec![(b.cost.area_mm2, f(b))]).style(Style::Points);
                point.look(look_among_all(b.scheme))
            })
            .collect(),
        marks: Vec::new(),
    };
    Figure {
        title: "Cost and use of the schemes, 64 nodes".into(),
        subtitle: format!("cost for each host, library {library}; throughput on the golden fabric"),
        columns: 3,
        panels: vec![
            panel("Two switches: the victim", Axis::new("Throughput (Gbit/s)").range(0.0, 21.0), &|b| {
                b.victim_gbps
            }),
            panel(
                "Two switches: the contributors",
                Axis::new("Jain's fairness index").range(0.4, 1.02),
                &|b| b.jain,
            ),
            panel("64 nodes, 4 hotspots", Axis::new("Normalised throughput").range(0.0, 1.0), &|b| b.share),
        ],
    }
}
