//! A run of one engine, or of two side by side: then every output and state word of every node is compared in every cycle.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::cluster::Cluster;
use super::deeds::Deed;
use super::job::{Engine, Job};
use super::net::NodeId;
use super::port::Hosts;
use super::rest::Rest;
use crate::cosim::engines::{Mismatch, NodeDifference, Trace, View, Watched, Wave, differing};
use crate::signals::Layout;
use crate::wave::Scope;

/// Cycles before a difference in its waveform.
const WINDOW: u64 = 200;
/// Cycles between looks at a network that drains.
const DRAIN_STEP: u64 = 200;
/// Cycles without a flit on any link after which nothing will move any more, if hosts are not idle.
const PATIENCE: u64 = 1 << 20;
/// Cycles that the last credits and releases of an idle network have.
const SETTLE: u64 = 20_000;

/// How a network that was left to drain ended.
#[derive(Debug)]
pub enum Drained {
    /// Nothing is left, and the network is as it was at the start: cycles after the sources stopped.
    Idle(u64),
    /// Something is left: what.
    Left(Vec<String>),
    /// The engines differ.
    Mismatch(Box<Mismatch>),
}

/// An engine, or two side by side.
pub struct Run<H> {
    job: Job,
    names: Vec<&'static str>,
    sides: Vec<Cluster<H>>,
    layouts: Vec<Layout>,
    trace: Option<Trace>,
}

impl<H: Hosts> Run<H> {
    /// Engines in their reset states, each with hosts of its own.
    pub fn new(
        job: &Job,
        engines: &[Engine],
        hosts: &dyn Fn() -> Result<H>,
        wave: Option<&Wave>,
    ) -> Result<Run<H>> {
        let watched = engines.len() > 1;
        let side = |&engine: &Engine| Cluster::new(job, engine, hosts()?, watched);
        let sides = engines.iter().map(side).collect::<Result<Vec<_>>>()?;
        let names: Vec<&str> = engines.iter().map(|e| e.name()).collect();
        let units = job.nodes().map(|id| job.net.unit(id, &job.settings));
        let layouts = units.map(|(unit, params)| Layout::new(unit, &params)).collect();
        let ids: Vec<NodeId> = job.nodes().collect();
        let scope = |node: usize| {
            let (unit, params) = job.net.unit(ids[node], &job.settings);
            Scope { name: job.net.name(ids[node]), unit, params }
        };
        let cycle_ps = job.settings.cycle_ps().max(2);
        let trace = wave.map(|w| Trace::new(w, scope, cycle_ps, &names)).transpose()?;
        Ok(Run { job: job.clone(), names, sides, layouts, trace })
    }

    /// The current traffic cycle.
    pub fn time(&self) -> u64 {
        self.sides[0].time().unwrap_or(0)
    }

    /// The first engine.
    pub fn first(&mut self) -> &mut Cluster<H> {
        &mut self.sides[0]
    }

    /// What will happen to the network in its traffic cycles.
    pub fn disturb(&mut self, deeds: &[Deed]) {
        self.sides.iter_mut().for_each(|side| side.disturb(deeds.to_vec()));
    }

    /// The hosts of each engine.
    pub fn hosts(&mut self) -> impl Iterator<Item = &mut H> {
        self.sides.iter_mut().map(Cluster::hosts)
    }

    /// Runs until traffic cycle `until` (not included), or to the first difference.
    pub fn run(&mut self, until: u64) -> Result<Option<Mismatch>> {
        if let ([side], None) = (&mut self.sides[..], &self.trace) {
            side.run(until)?;
            return Ok(None);
        }
        while self.sides[0].time().is_none_or(|t| t < until) {
            let wrong = self.cycle()?;
            if wrong.is_some() {
                return Ok(wrong);
            }
        }
        Ok(None)
    }

    fn cycle(&mut self) -> Result<Option<Mismatch>> {
        let wrong = self.compare();
        self.sides.iter_mut().for_each(Cluster::prepare);
        if let Some(trace) = &mut self.trace {
            trace.cycle(&mut self.sides)?;
        }
        if wrong.is_none() {
            for (name, side) in self.names.iter().zip(&mut self.sides) {
                side.edge().with_context(|| format!("engine {name}"))?;
            }
        }
        Ok(wrong)
    }

    /// Compares the current cycle of two engines.
    fn compare(&mut self) -> Option<Mismatch> {
        let [a, b] = &mut self.sides[..] else { return None };
        let found = differing(&self.layouts, a, b);
        let (net, ids) = (&self.job.net, self.job.nodes().collect::<Vec<_>>());
        let node = |(node, differences)| {
            let id: NodeId = ids[node];
            let ports = match id {
                NodeId::Router(r) => Some(net.ports(r)),
                _ => None,
            };
            NodeDifference { node, name: net.name(id), ports, differences }
        };
        let nodes: Vec<NodeDifference> = found.into_iter().map(node).collect();
        let (cycle, configuring) = (a.time().unwrap_or(0), a.time().is_none());
        let sides = [self.names[0], *self.names.get(1)?];
        (!nodes.is_empty()).then_some(Mismatch { sides, cycle, configuring, nodes })
    }

    /// Stops the sources and runs until nothing is left; then until credits are home and sums are 0.
    pub fn drain(&mut self) -> Result<Drained> {
        let start = self.time();
        self.sides.iter_mut().for_each(|s| s.hosts().stop());
        let mut moved = (start, self.sides[0].flit_hops());
        while !self.sides[0].hosts().idle() {
            if let Some(m) = self.run(self.time() + DRAIN_STEP)? {
                return Ok(Drained::Mismatch(Box::new(m)));
            }
            let hops = self.sides[0].flit_hops();
            if hops != moved.1 {
                moved = (self.time(), hops);
            } else if self.time() - moved.0 > PATIENCE {
                let mut left = vec!["the hosts wait for messages, and nothing moves".to_string()];
                left.extend(self.left());
                return Ok(Drained::Left(left));
            }
        }
        let end = self.time() + SETTLE;
        loop {
            let left = self.left();
            if left.is_empty() {
                return Ok(Drained::Idle(self.time() - start));
            }
            if self.time() > end {
                return Ok(Drained::Left(left));
            }
            if let Some(m) = self.run(self.time() + DRAIN_STEP)? {
                return Ok(Drained::Mismatch(Box::new(m)));
            }
        }
    }

    /// What is not as it was at the start, a line each.
    pub fn left(&mut self) -> Vec<String> {
        self.lines(&|rest, id, v| rest.left(id, v.state))
    }

    /// Errors that no unit of a sound network has.
    pub fn faults(&mut self) -> Vec<String> {
        self.faults_but(&[])
    }

    /// Those that are not of links that have fallen, at these ends of them.
    pub fn faults_but(&mut self, fallen: &[(NodeId, usize)]) -> Vec<String> {
        self.lines(&|rest, id, v| rest.faults(id, v.output, &|port| fallen.contains(&(id, port))))
    }

    fn lines(&mut self, of: &dyn Fn(&Rest, NodeId, View) -> Vec<String>) -> Vec<String> {
        let mut lines = Vec::new();
        for (node, (id, layout)) in self.job.nodes().zip(&self.layouts).enumerate() {
            let name = self.job.net.name(id);
            let rest = Rest::new(layout, self.job.settings.depth);
            self.sides[0].look(node, &mut |v| {
                let of_node = of(&rest, id, v).into_iter();
                lines.extend(of_node.map(|what| format!("{name}: {what}")));
            });
        }
        lines
    }

    /// Puts the waveform in its place.
    pub fn finish(&mut self) -> Result<()> {
        self.trace.take().map_or(Ok(()), Trace::finish)
    }
}

/// The waveform that shows a difference: the cycles before it; the node that differs first, and its neighbours.
pub fn wave_of(mismatch: &Mismatch, job: &Job, path: PathBuf) -> Wave {
    let first = mismatch.nodes.first().map_or(0, |n| n.node);
    let mut nodes = vec![first];
    if let Some(id) = job.nodes().nth(first) {
        let peers = (0..job.net.most_ports()).filter_map(|port| job.net.peer(id, port));
        nodes.extend(peers.map(|(peer, _)| job.net.number(peer)));
    }
    let cycles: Range<u64> = mismatch.cycle.saturating_sub(WINDOW)..mismatch.cycle + 1;
    Wave { path, nodes, cycles }
}
