//! A run of one engine, or of two side by side: then every output and state word of every node is compared in every cycle.

use std::fmt;

use anyhow::{Context, Result};

use super::gauges::Gauges;
use super::node::{NodeId, Side, differing};
use super::settle::{Settle, lines_in_use};
use super::trace::{Trace, Wave};
use crate::config::Config;
use crate::cosim::Difference;
use crate::fabric::metrics::Report;
use crate::fabric::net::{End, Network};
use crate::fabric::setup::slowest;
use crate::fabric::wiring::Wiring;
use crate::signals::{Group, Layout};
use crate::wave::Scope;

/// Cycles before a difference in its waveform.
const WINDOW: u64 = 200;
/// Cycles between looks at a network that drains.
const DRAIN_STEP: u64 = 500;
/// And at one that is empty.
const SETTLE_STEP: u64 = 32;

/// The first cycle in which the engines differ.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Names of the two engines.
    pub sides: [&'static str; 2],
    /// Traffic cycle.
    pub cycle: u64,
    /// They differ before the first one, while tables and registers are written.
    pub configuring: bool,
    /// The nodes that differ in that cycle.
    pub nodes: Vec<NodeDifference>,
}

/// How a node differs.
#[derive(Clone, Debug)]
pub struct NodeDifference {
    /// Number of the node.
    pub node: usize,
    /// Its name.
    pub name: String,
    /// Ports of the node, if it is a switch.
    pub ports: Option<usize>,
    /// The elements that differ; the value called `rtl` is that of the first side.
    pub differences: Vec<Difference>,
}

impl NodeDifference {
    /// The port to which an element of a signal of a switch belongs.
    pub fn port(&self, d: &Difference) -> Option<usize> {
        let ports = self.ports.filter(|p| d.count >= *p && d.count.is_multiple_of(*p))?;
        Some(d.element / (d.count / ports))
    }
}

/// Differences listed for a node.
const LISTED: usize = 12;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [a, b] = self.sides;
        match self.configuring {
            true => writeln!(f, "{a} and {b} differ in the configuration phase, before cycle 0")?,
            false => writeln!(f, "{a} and {b} differ first in cycle {}", self.cycle)?,
        }
        for n in &self.nodes {
            for d in n.differences.iter().take(LISTED) {
                let port = n.port(d).map_or(String::new(), |p| format!(" port {p}"));
                let index = if d.count > 1 { format!("[{}]", d.element) } else { String::new() };
                let group = if d.group == Group::State { "state" } else { "output" };
                writeln!(
                    f,
                    "  {}{port} {group} {}{index} (rules {}): {a} {} {b} {} differing bits {}",
                    n.name, d.signal, d.rules, d.rtl, d.golden, d.xor
                )?;
            }
            if n.differences.len() > LISTED {
                writeln!(f, "  {} and {} more", n.name, n.differences.len() - LISTED)?;
            }
        }
        Ok(())
    }
}

/// Names of the engines of a run.
pub type Names = Vec<&'static str>;

/// An engine, or two side by side.
pub struct Run {
    names: Names,
    sides: Vec<Box<dyn Side>>,
    layouts: Vec<Layout>,
    net: Network,
    config: Config,
    gauges: Gauges,
    trace: Option<Trace>,
    /// Cycles between samples of the state.
    sample: u64,
}

/// When a network that was left to drain came to rest, in cycles after the sources stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    /// No flit, packet or CNP was left.
    pub empty: u64,
    /// Every CAM line was free and every credit home.
    pub settled: u64,
    /// Every CCTI was at its minimum; not looked at in engines that do not tell, nor where the timer is off.
    pub unthrottled: Option<u64>,
}

/// How a network that was left to drain ended.
#[derive(Clone, Debug)]
pub enum Drained {
    /// Nothing is left, and the network is as it was at the start.
    Idle(Idle),
    /// Nothing moves, but there are packets: who waits for whom.
    Stuck(Vec<String>),
    /// Nothing is left, but lines are in use, credits away or sources held back long after: which.
    Unsettled(Vec<String>),
    /// The engines differ.
    Mismatch(Box<Mismatch>),
}

impl Run {
    /// One or two engines in their reset states; two are for the same network, configuration and traffic.
    pub fn new(
        net: &Network,
        config: &Config,
        names: Names,
        sides: Vec<Box<dyn Side>>,
        wave: Option<&Wave>,
        sample: u64,
    ) -> Result<Run> {
        let layouts = NodeId::all(net).map(|id| Layout::new(id.unit(), &id.params(net, config))).collect();
        let ids: Vec<NodeId> = NodeId::all(net).collect();
        let scope = |node: usize| {
            let id = ids[node];
            Scope { name: id.name(net), unit: id.unit(), params: id.params(net, config) }
        };
        let trace = wave.map(|w| Trace::new(w, scope, net.cycle_ps, &names)).transpose()?;
        let gauges = Gauges::new(net, config);
        let (net, config) = (net.clone(), config.clone());
        Ok(Run { names, sides, layouts, net, config, gauges, trace, sample: sample.max(1) })
    }

    /// The current traffic cycle.
    pub fn time(&self) -> Option<u64> {
        self.sides[0].time()
    }

    /// The measurements of the first engine up to now.
    pub fn report(&mut self) -> Report {
        let side = &mut *self.sides[0];
        let (marked, cnps, acks) = self.gauges.totals(side);
        let mut collector = side.collector().clone();
        collector.marked(marked);
        collector.replies(cnps, acks);
        side.links(&mut collector);
        let mut report = collector.report(side.time().unwrap_or(0));
        let switches = self.net.switches.iter().enumerate();
        let names = switches.flat_map(|(s, switch)| {
            let ports = NodeId::Switch(s).params(&self.net, &self.config).ports;
            (0..ports).map(move |number| (&switch.name, number))
        });
        for (port, (switch, number)) in report.ports.iter_mut().zip(names) {
            (port.switch, port.number) = (switch.clone(), number);
        }
        report
    }

    /// Whether packets will be offered, or are under way.
    pub fn active(&self) -> bool {
        self.sides[0].offering() || self.sides[0].under_way() > 0
    }

    /// Runs until traffic cycle `until` (not included), or to the first difference.
    pub fn run(&mut self, until: u64) -> Result<Option<Mismatch>> {
        while self.time().is_none_or(|t| t < until) {
            let t = self.time().unwrap_or(0);
            if self.time().is_some() && t.is_multiple_of(self.sample) {
                self.gauges.sample(&mut *self.sides[0]);
            }
            let next = until.min((t / self.sample + 1) * self.sample);
            if self.sides.len() == 1 && self.trace.is_none() {
                self.sides[0].run(next)?;
                continue;
            }
            while self.time().is_none_or(|t| t < next) {
                let wrong = self.cycle()?;
                if wrong.is_some() {
                    return Ok(wrong);
                }
            }
        }
        Ok(None)
    }

    /// One cycle.
    fn cycle(&mut self) -> Result<Option<Mismatch>> {
        let wrong = self.compare();
        for (name, side) in self.names.iter().zip(&mut self.sides) {
            match side.prepare().with_context(|| format!("engine {name}")) {
                Err(e) if wrong.is_none() => return Err(e),
                _ => {}
            }
        }
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

    /// Puts the waveform in its place.
    pub fn finish(&mut self) -> Result<()> {
        self.trace.take().map_or(Ok(()), Trace::finish)
    }

    /// Stops the sources and runs until nothing is left, or nothing moves any more; then until lines, credits and throttles
    /// are as they were at the start.
    pub fn drain(&mut self) -> Result<Drained> {
        let start = self.time().unwrap_or(0);
        self.sides.iter_mut().for_each(|s| s.stop());
        let slowest = slowest(&self.net, &self.config);
        let delay = self.net.links.iter().map(|l| l.delay).max().unwrap_or(1);
        // What is reserved runs ahead of the clock by EPS.
        let ahead = if self.config.reserves() { 2 * ((start * u64::from(self.config.eps)) >> 16) } else { 0 };
        let patience = 50_000
            + ahead
            + 4 * slowest
            + 2 * u64::from(self.config.line_timer.min(1 << 20))
            + 64 * u64::from(delay.max(self.config.fc_interval));
        let mut moved = (start, self.sides[0].under_way());
        loop {
            let t = self.time().unwrap_or(0);
            if let Some(m) = self.run(t + DRAIN_STEP)? {
                return Ok(Drained::Mismatch(Box::new(m)));
            }
            let left = self.sides[0].under_way();
            if left == 0 && self.idle() {
                return self.settle(start);
            }
            if left != moved.1 {
                moved = (t, left);
            } else if t - moved.0 > patience {
                return Ok(Drained::Stuck(waits(&self.net, &self.layouts, &mut *self.sides[0])));
            }
        }
    }

    /// Of an empty network: waits for its lines, its credits and its throttles.
    fn settle(&mut self, start: u64) -> Result<Drained> {
        let empty = self.time().unwrap_or(0);
        let mut settle = Settle::new(&self.net, &self.config, &self.layouts);
        let mut end = empty + settle.bound();
        let left = |run: &mut Run, settle: &Settle| {
            let side = &mut *run.sides[0];
            let lines = lines_in_use(&run.net, &run.layouts, side);
            if lines.is_empty() { settle.credits(side) } else { lines }
        };
        let settled = loop {
            // Credits are told again and again: those of every cycle are seen.
            for _ in 0..SETTLE_STEP {
                let t = self.time().unwrap_or(0);
                if let Some(m) = self.run(t + 1)? {
                    return Ok(Drained::Mismatch(Box::new(m)));
                }
                settle.watch(&mut *self.sides[0]);
            }
            let t = self.time().unwrap_or(0);
            let left = left(self, &settle);
            if left.is_empty() {
                break t;
            }
            if t > end {
                return Ok(Drained::Unsettled(left));
            }
        };
        let mut idle = Idle { empty: empty - start, settled: settled - start, unthrottled: None };
        // An engine that tells is fast, unless it waits for another one.
        let Some(decay) = settle.decay().filter(|_| self.sides.len() == 1) else {
            return Ok(Drained::Idle(idle));
        };
        end = settled + decay;
        while let Some(n) = self.sides[0].throttled() {
            let t = self.time().unwrap_or(0);
            if n == 0 {
                idle.unthrottled = Some(t - start);
                break;
            }
            if t > end {
                let text = format!("{n} entities of throttle units hold a CCTI that is not the minimum");
                return Ok(Drained::Unsettled(vec![text]));
            }
            self.run(t + DRAIN_STEP)?;
        }
        Ok(Drained::Idle(idle))
    }

    /// Whether nothing is stored in any node.
    fn idle(&mut self) -> bool {
        let Run { sides, layouts, .. } = self;
        layouts.iter().enumerate().all(|(node, layout)| {
            let mut left = 0;
            sides[0].look(node, &mut |v| {
                for s in &layout.signals {
                    let words = match (s.group, s.name) {
                        (Group::State, "st_used" | "st_rx_used" | "st_gen_pkts" | "st_cnp_pkts") => v.state,
                        // Requests and answers that wait, messages and chunks that are under way.
                        (Group::State, "st_res_pkts" | "st_rep_pkts" | "st_pq") => v.state,
                        (Group::State, "st_rs" | "st_sp" | "st_go" | "st_wt") => v.state,
                        (Group::Output, "tx_valid") => v.output,
                        _ => continue,
                    };
                    let words = &words[s.offset..s.offset + s.count * s.stride()];
                    left += words.iter().filter(|w| **w != 0).count();
                }
            });
            left == 0
        })
    }

    /// Compares the current cycle of the two engines; not the configuration phase, which the fast one does not have.
    fn compare(&mut self) -> Option<Mismatch> {
        let cycle = self.time()?;
        let [a, b] = &mut self.sides[..] else { return None };
        let nodes = differing(&self.layouts, a, b);
        if nodes.is_empty() {
            return None;
        }
        let ids: Vec<NodeId> = NodeId::all(&self.net).collect();
        let nodes = nodes
            .into_iter()
            .map(|(node, differences)| NodeDifference {
                node,
                name: ids[node].name(&self.net),
                ports: match ids[node] {
                    NodeId::Switch(_) => Some(ids[node].params(&self.net, &self.config).ports),
                    NodeId::Host(_) => None,
                },
                differences,
            })
            .collect();
        Some(Mismatch { sides: [self.names[0], self.names[1]], cycle, configuring: false, nodes })
    }
}

/// Who holds what and waits for whom, one line each.
fn waits(net: &Network, layouts: &[Layout], side: &mut dyn Side) -> Vec<String> {
    let wiring = Wiring::new(net);
    let mut lines = Vec::new();
    for (node, id) in NodeId::all(net).enumerate() {
        let l = &layouts[node];
        side.look(node, &mut |v| match id {
            NodeId::Host(h) => {
                let sum = |name: &str| {
                    let s = l.signal(Group::State, name);
                    v.state[s.offset..s.offset + s.count].iter().sum::<u32>()
                };
                let bits = |name: &str| {
                    let s = l.signal(Group::State, name);
                    v.state[s.offset..s.offset + s.count * s.stride()]
                        .iter()
                        .map(|w| w.count_ones())
                        .sum::<u32>()
                };
                let held = [
                    (sum("st_gen_pkts"), "packets to send"),
                    (sum("st_used"), "flits waiting for its link"),
                    (sum("st_cnp_pkts"), "replies"),
                    (sum("st_rx_used"), "flits that its host has not taken"),
                    (sum("st_res_pkts"), "requests to answer"),
                    (sum("st_rep_pkts"), "answers to send"),
                    (bits("st_pq"), "flows with messages to begin"),
                    (bits("st_rs") + bits("st_sp") + bits("st_go"), "flows with something to send"),
                    (bits("st_wt"), "flows that wait for their time"),
                ];
                let held: Vec<String> =
                    held.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
                if !held.is_empty() {
                    lines.push(format!("{} holds {}", net.hosts[h].name, held.join(", ")));
                }
            }
            NodeId::Switch(s) => {
                let (fill, hot) =
                    (l.signal(Group::State, "st_cpq_fill"), l.signal(Group::State, "st_hpq_fill"));
                let used = l.signal(Group::State, "st_used");
                let ports = l.signal(Group::Output, "tx_valid").count;
                let vls = used.count / ports;
                let hpqs = hot.count / ports;
                for port in 0..ports {
                    let end = |port| End::Switch { switch: s, port };
                    let Some(source) = wiring.source(end(port)) else { continue };
                    let of = |from: usize, n: usize| v.state[from..from + n].iter().sum::<u32>();
                    let total = of(used.offset + port * vls, vls);
                    if total == 0 {
                        continue;
                    }
                    let mut line = format!(
                        "{} port {port} (from {}) holds {total} flits",
                        net.switches[s].name,
                        net.end_name(source.end)
                    );
                    let mut waiting: Vec<String> = (0..ports)
                        .filter_map(|o| {
                            let n = of(fill.offset + (port * ports + o) * vls, vls);
                            let to = wiring.peer(end(o))?;
                            (n > 0).then(|| format!("{n} for port {o} to {}", net.end_name(to.end)))
                        })
                        .collect();
                    let n = of(hot.offset + port * hpqs, hpqs);
                    if n > 0 {
                        waiting.push(format!("{n} in hot queues"));
                    }
                    if !waiting.is_empty() {
                        line += &format!(": {}", waiting.join(", "));
                    }
                    lines.push(line);
                }
            }
        });
    }
    lines
}

/// The nodes that a waveform of a difference shows: the one that differs first and its neighbours.
fn around(net: &Network, node: usize) -> Vec<usize> {
    let switches = net.switches.len();
    let wiring = Wiring::new(net);
    let number = |end: End| match end {
        End::Switch { switch, .. } => switch,
        End::Host(h) => switches + h,
    };
    let mut nodes = vec![node];
    let ends: Vec<End> = if node < switches {
        (0..net.switches[node].ports).map(|port| End::Switch { switch: node, port }).collect()
    } else {
        vec![End::Host(node - switches)]
    };
    let peers = ends.into_iter().flat_map(|end| [wiring.peer(end), wiring.source(end)]).flatten();
    for n in peers.map(|p| number(p.end)) {
        if !nodes.contains(&n) {
            nodes.push(n);
        }
    }
    nodes
}

/// The waveform that shows a difference: the cycles before it, and the nodes around it.
pub fn wave_of(mismatch: &Mismatch, net: &Network, path: std::path::PathBuf) -> Wave {
    let nodes = mismatch.nodes.first().map_or(Vec::new(), |n| around(net, n.node));
    Wave { path, nodes, cycles: mismatch.cycle.saturating_sub(WINDOW)..mismatch.cycle + 1 }
}
