//! The measurements of a run, and how they are written.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use super::speculation::{Channels, Shares, Speculation};
use crate::fabric::windowed::{Throttled, Windowed};

/// Counters over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Packets that hosts offered, refused ones included.
    pub offered_packets: u64,
    /// Their flits.
    pub offered_flits: u64,
    /// Packets for which the adapter had no room.
    pub refused_packets: u64,
    /// Their flits.
    pub refused_flits: u64,
    /// Packets that entered the network.
    pub injected_packets: u64,
    /// Their flits.
    pub injected_flits: u64,
    /// Packets that arrived.
    pub delivered_packets: u64,
    /// Their flits.
    pub delivered_flits: u64,
    /// Packets that arrived with FECN or VB.
    pub delivered_marked: u64,
    /// Packets that switches marked.
    pub marked: u64,
    /// CNPs that adapters sent.
    pub cnps: u64,
    /// ACKs that they sent.
    #[serde(default, skip_serializing_if = "is_0")]
    pub acks: u64,
}

fn is_0(n: &u64) -> bool {
    *n == 0
}

/// Latencies in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Packets.
    pub packets: u64,
    /// Mean, exact.
    pub mean: f64,
    /// Percentiles, at most 1/32 too high.
    pub p50: u64,
    /// 90 %.
    pub p90: u64,
    /// 99 %.
    pub p99: u64,
    /// 99.9 %.
    pub p999: u64,
    /// Largest, exact.
    pub max: u64,
}

impl Latency {
    pub(super) fn of(h: &Histogram) -> Latency {
        Latency {
            packets: h.count(),
            mean: h.mean(),
            p50: h.percentile(500),
            p90: h.percentile(900),
            p99: h.percentile(990),
            p999: h.percentile(999),
            max: h.max(),
        }
    }
}

/// What packets took from their generation, in cycles, by the bin of their delivery; and their marks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ages {
    /// Of all.
    pub latency: Latency,
    /// Packets delivered in each bin.
    pub packets: Vec<u64>,
    /// Their latencies, in all.
    pub sum: Vec<u64>,
    /// The longest of them.
    pub max: Vec<u64>,
    /// Packets with FECN or VB.
    pub hot: u64,
    /// Packets with MB alone.
    pub warm: u64,
}

impl Ages {
    pub(super) fn resize(&mut self, bins: usize) {
        [&mut self.packets, &mut self.sum, &mut self.max].into_iter().for_each(|list| list.resize(bins, 0));
    }
}

/// One throughput over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesReport {
    /// Name.
    pub name: String,
    /// What it is of.
    pub scope: Scope,
    /// Flits per cycle that count as 1: what the receivers can take (for senders: one flit per cycle each).
    pub capacity: f64,
    /// Flits delivered in each bin.
    pub flits: Vec<u64>,
    /// Of its packets, from the take by the adapter; for sets of receivers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latency>,
    /// From generation: of all, of flows and of senders, in traces and traffics with a backlog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ages: Option<Ages>,
}

/// How evenly several flows are treated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fairness {
    /// Jain's index of the mean throughputs: 1 if all are equal, 1/n if one has all.
    pub jain: f64,
    /// Mean over the bins of the highest less the lowest throughput, Gbit/s.
    pub delta_mean: f64,
    /// V_ar: the variance over the bins of the highest less the lowest throughput, (Gbit/s)^2.
    pub v_ar: f64,
}

/// One sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleRow {
    /// Cycle.
    pub t: u64,
    /// Input ports without a free hot-packet queue.
    pub no_free_hpq: u32,
    /// Hot-packet queues in use.
    pub hpqs_used: u32,
    /// Flits in all switch buffers.
    pub switch_flits: u64,
    /// Flits in the fullest of them.
    pub fullest_port: u32,
    /// Flits that wait in adapters.
    pub adapter_flits: u64,
    /// Packets delivered with FECN or VB up to then.
    #[serde(default)]
    pub delivered_marked: u64,
    /// The throttles of the adapters; only from engines that tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled: Option<Throttled>,
}

/// Use of one direction of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkReport {
    /// Name.
    pub name: String,
    /// Flits carried.
    pub flits: u64,
    /// Share of the time that it was busy.
    pub used: f64,
}

/// The buffer of an input port over all samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Occupancy {
    /// Index of the port in the samples.
    pub port: usize,
    /// Its switch.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub switch: String,
    /// Its number there.
    #[serde(default)]
    pub number: usize,
    /// Mean flits.
    pub mean: f64,
    /// Most flits.
    pub max: u32,
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the network.
    pub network: String,
    /// Name of the traffic.
    pub traffic: String,
    /// Hosts.
    pub hosts: usize,
    /// Cycles simulated.
    pub cycles: u64,
    /// Duration of a cycle, ps.
    pub cycle_ps: u64,
    /// Cycles of a bin; the last bin of a run may be shorter.
    pub bin: u64,
    /// Counters.
    pub totals: Totals,
    /// Mean throughput of the network, share of what the receivers can take.
    pub normalised: f64,
    /// The same in Gbit/s.
    pub gbps: f64,
    /// From the first flit on the adapter's link to the last at the destination.
    pub network_latency: Latency,
    /// From the take by the adapter.
    pub total_latency: Latency,
    /// Of the named flows, over the whole run; None with fewer than two.
    pub fairness: Option<Fairness>,
    /// Jain's index of the flits that the nodes received.
    pub node_jain: f64,
    /// Flits that each node received.
    pub received: Vec<u64>,
    /// Throughputs over time.
    pub series: Vec<SeriesReport>,
    /// The samples.
    pub samples: Vec<SampleRow>,
    /// Buffers of the input ports.
    pub ports: Vec<Occupancy>,
    /// Links, one entry per direction.
    pub links: Vec<LinkReport>,
    /// What sources with windows held back, all samples together; only from engines that tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub windowed: Option<Windowed>,
    /// From the generation of a message to the last delivery of its packets; where hosts generate whole messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Latency>,
    /// What each sender of a group with several gets; with such messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub senders: Vec<Shares>,
    /// What was sent before its time; where sources reserve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speculation: Option<Speculation>,
    /// What links carried; where sources reserve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channels: Option<Channels>,
}

/// Jain's index; 1 for an empty or all-zero list.
pub fn jain(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().sum();
    let squares: f64 = values.iter().map(|v| v * v).sum();
    if squares == 0.0 { 1.0 } else { sum * sum / (values.len() as f64 * squares) }
}

/// Gbit/s of one flit per cycle.
pub(super) fn flit_gbps(cycle_ps: u64) -> f64 {
    512_000.0 / cycle_ps as f64
}

impl Report {
    /// A throughput over time by name.
    pub fn find(&self, name: &str) -> Option<&SeriesReport> {
        self.series.iter().find(|s| s.name == name)
    }

    /// Cycles of a bin that lie in the run.
    pub(super) fn width(&self, bin: usize) -> u64 {
        let start = bin as u64 * self.bin;
        self.bin.min(self.cycles.saturating_sub(start))
    }

    /// The bins that lie wholly in cycles `from..to`.
    pub(super) fn bins(&self, s: &SeriesReport, from: u64, to: u64) -> std::ops::Range<usize> {
        let first = from.div_ceil(self.bin) as usize;
        let to = to.min(self.cycles);
        let last = if to == self.cycles { to.div_ceil(self.bin) } else { to / self.bin } as usize;
        first.min(s.flits.len())..last.clamp(first, s.flits.len().max(first))
    }

    /// Mean flits per cycle over the bins that lie wholly in cycles `from..to`.
    pub fn mean(&self, s: &SeriesReport, from: u64, to: u64) -> f64 {
        let bins = self.bins(s, from, to);
        let cycles: u64 = bins.clone().map(|b| self.width(b)).sum();
        let flits: u64 = s.flits[bins].iter().sum();
        if cycles == 0 { 0.0 } else { flits as f64 / cycles as f64 }
    }

    /// The same in Gbit/s.
    pub fn mean_gbps(&self, s: &SeriesReport, from: u64, to: u64) -> f64 {
        self.mean(s, from, to) * flit_gbps(self.cycle_ps)
    }

    /// The same as a share of the capacity.
    pub fn mean_normalised(&self, s: &SeriesReport, from: u64, to: u64) -> f64 {
        if s.capacity > 0.0 { self.mean(s, from, to) / s.capacity } else { 0.0 }
    }

    /// Flits per cycle in each bin of the run.
    pub(super) fn rates<'a>(&'a self, s: &'a SeriesReport) -> impl Iterator<Item = f64> + 'a {
        let width = |b| self.width(b).max(1) as f64;
        s.flits
            .iter()
            .enumerate()
            .take(self.cycles.div_ceil(self.bin) as usize)
            .map(move |(b, &f)| f as f64 / width(b))
    }

    /// Points (middle of the bin in ms, Gbit/s).
    pub fn gbps_over_ms(&self, s: &SeriesReport) -> Vec<(f64, f64)> {
        let unit = flit_gbps(self.cycle_ps);
        self.over_ms(s).map(|(t, r)| (t, r * unit)).collect()
    }

    /// Points (middle of the bin in ms, share of the capacity).
    pub fn normalised_over_ms(&self, s: &SeriesReport) -> Vec<(f64, f64)> {
        self.over_ms(s).map(|(t, r)| (t, r / s.capacity)).collect()
    }

    /// Rate over time, without a last bin of less than half the length: a packet or two would make it all or nothing.
    pub(super) fn over_ms<'a>(&'a self, s: &'a SeriesReport) -> impl Iterator<Item = (f64, f64)> + 'a {
        let whole = self.rates(s).enumerate().filter(|&(b, _)| 2 * self.width(b) >= self.bin);
        whole.map(|(b, r)| (self.middle_ms(b), r))
    }

    pub(super) fn middle_ms(&self, bin: usize) -> f64 {
        let cycle = bin as f64 * self.bin as f64 + self.width(bin) as f64 / 2.0;
        cycle * self.cycle_ps as f64 / 1e9
    }

    /// How evenly these flows are treated in the bins of cycles `from..to`; None with fewer than two, or no bin.
    pub fn fairness_of(&self, names: &[&str], from: u64, to: u64) -> Option<Fairness> {
        let flows: Vec<&SeriesReport> = names.iter().filter_map(|n| self.find(n)).collect();
        let bins = self.bins(flows.first()?, from, to);
        if flows.len() < 2 || bins.is_empty() {
            return None;
        }
        let means: Vec<f64> = flows.iter().map(|s| self.mean(s, from, to)).collect();
        let unit = flit_gbps(self.cycle_ps);
        let deltas: Vec<f64> = bins
            .map(|b| {
                let (low, high) =
                    flows.iter().fold((u64::MAX, 0), |(l, h), s| (l.min(s.flits[b]), h.max(s.flits[b])));
                (high - low) as f64 / self.width(b).max(1) as f64 * unit
            })
            .collect();
        let n = deltas.len() as f64;
        let mean = deltas.iter().sum::<f64>() / n;
        let v_ar = deltas.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / n;
        Some(Fairness { jain: jain(&means), delta_mean: mean, v_ar })
    }

    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report is plain data") + "\n"
    }

    /// Throughputs over time as CSV: one line per bin, Gbit/s, and the network's share of its capacity.
    pub fn csv(&self) -> String {
        let quote = |s: &str| match s.contains([',', '"', '\n']) {
            true => format!("\"{}\"", s.replace('"', "\"\"")),
            false => s.to_string(),
        };
        let mut text = String::from("time_ms,normalised");
        self.series.iter().for_each(|s| text += &format!(",{}", quote(&format!("{} [Gbit/s]", s.name))));
        text.push('\n');
        let columns: Vec<Vec<(f64, f64)>> = self.series.iter().map(|s| self.gbps_over_ms(s)).collect();
        for (b, (ms, share)) in self.normalised_over_ms(&self.series[0]).into_iter().enumerate() {
            let _ = write!(text, "{ms:.6},{share:.6}");
            columns.iter().for_each(|c| text += &format!(",{:.6}", c[b].1));
            text.push('\n');
        }
        text
    }

    /// The samples as CSV.
    pub fn samples_csv(&self) -> String {
        let mut text = String::from(
            "time_ms,ports_without_hpq,hpqs_used,switch_flits,fullest_port_flits,adapter_flits\n",
        );
        for s in &self.samples {
            let ms = s.t as f64 * self.cycle_ps as f64 / 1e9;
            let _ = writeln!(
                text,
                "{ms:.6},{},{},{},{},{}",
                s.no_free_hpq, s.hpqs_used, s.switch_flits, s.fullest_port, s.adapter_flits
            );
        }
        text
    }

    /// As text for people.
    pub fn text(&self) -> String {
        let mut o = String::new();
        let ns = |cycles: f64| cycles * self.cycle_ps as f64 / 1000.0;
        let t = &self.totals;
        let ms = self.cycles as f64 * self.cycle_ps as f64 / 1e9;
        let _ = writeln!(o, "{}, {} hosts, traffic {}", self.network, self.hosts, self.traffic);
        let _ = writeln!(o, "time        {} cycles = {ms:.3} ms", self.cycles);
        let _ = writeln!(o, "throughput  {:.4} of capacity = {:.3} Gbit/s", self.normalised, self.gbps);
        let _ = writeln!(
            o,
            "packets     {} offered, {} refused, {} injected, {} delivered",
            t.offered_packets, t.refused_packets, t.injected_packets, t.delivered_packets
        );
        let _ = writeln!(
            o,
            "marking     {} packets marked by switches, {} delivered with FECN or VB, {} CNPs{}",
            t.marked,
            t.delivered_marked,
            t.cnps,
            if t.acks > 0 { format!(", {} ACKs", t.acks) } else { String::new() }
        );
        for (name, l) in [("in network", &self.network_latency), ("in all", &self.total_latency)] {
            let p = [l.mean, l.p50 as f64, l.p90 as f64, l.p99 as f64, l.p999 as f64, l.max as f64].map(ns);
            let _ = writeln!(
                o,
                "latency     {name:<10} mean {:.0} ns, p50 {:.0}, p90 {:.0}, p99 {:.0}, p99.9 {:.0}, max {:.0}",
                p[0], p[1], p[2], p[3], p[4], p[5]
            );
        }
        if let Some(l) = &self.messages {
            let p = [l.mean, l.p50 as f64, l.p99 as f64, l.max as f64].map(ns);
            let _ = writeln!(
                o,
                "messages    {} complete, from generation mean {:.0} ns, p50 {:.0}, p99 {:.0}, max {:.0}",
                l.packets, p[0], p[1], p[2], p[3]
            );
        }
        for s in &self.senders {
            let _ = writeln!(
                o,
                "senders     {:<12} {} of them, mean {:.5} flits a cycle, standard deviation {:.5}",
                s.name, s.senders, s.mean, s.sd
            );
        }
        if let Some(s) = &self.speculation {
            let share = 100.0 * s.dropped as f64 / s.injected.max(1) as f64;
            let _ = writeln!(
                o,
                "speculative {} flits sent before their time, {} of them dropped ({share:.2} %)",
                s.injected, s.dropped
            );
        }
        if let Some(c) = &self.channels {
            let share = |n: u64| 100.0 * n as f64 / c.all().max(1) as f64;
            let _ = writeln!(
                o,
                "channels    granted {:.2} %, bypass {:.2} %, speculative {:.2} % delivered and {:.2} % dropped, control {:.2} %",
                share(c.granted),
                share(c.bypass),
                share(c.spec_delivered),
                share(c.spec_dropped),
                share(c.control)
            );
        }
        let _ = writeln!(o, "fairness    nodes (received): Jain {:.4}", self.node_jain);
        if let Some(f) = &self.fairness {
            let _ = writeln!(
                o,
                "            flows: Jain {:.4}, highest - lowest {:.3} Gbit/s, V_ar {:.3} (Gbit/s)^2",
                f.jain, f.delta_mean, f.v_ar
            );
        }
        let shown = self.series.iter().filter(|s| s.scope != Scope::Node && s.scope != Scope::Network);
        for s in shown {
            let (gbps, share) = (self.mean_gbps(s, 0, self.cycles), self.mean_normalised(s, 0, self.cycles));
            let scope = match s.scope {
                Scope::Flow => "flow",
                Scope::Senders => "sent by",
                _ => "received by",
            };
            let _ = writeln!(o, "{scope:<11} {:<12} {gbps:.3} Gbit/s, {share:.4} of capacity", s.name);
            if let Some(a) = &s.ages {
                let (l, all) = (&a.latency, a.latency.packets.max(1) as f64);
                let _ = writeln!(
                    o,
                    "            {:<12} from generation mean {:.0} ns, p99 {:.0}, max {:.0}; {:.2} % hot, {:.2} % warm",
                    "",
                    ns(l.mean),
                    ns(l.p99 as f64),
                    ns(l.max as f64),
                    100.0 * a.hot as f64 / all,
                    100.0 * a.warm as f64 / all
                );
            }
        }
        if !self.samples.is_empty() {
            let most = |f: fn(&SampleRow) -> u64| self.samples.iter().map(f).max().unwrap_or(0);
            let _ = writeln!(
                o,
                "at most     {} input ports out of HPQs, {} flits in one input buffer, {} in all switches, {} in adapters",
                most(|s| u64::from(s.no_free_hpq)),
                most(|s| u64::from(s.fullest_port)),
                most(|s| s.switch_flits),
                most(|s| s.adapter_flits)
            );
        }
        if let Some(w) = &self.windowed {
            // Of each number that there is: its share of the flows.
            let shares = |list: &[u64]| {
                let some = list.iter().enumerate().filter(|(_, n)| **n > 0);
                let share = |n: u64| 100.0 * n as f64 / w.flows as f64;
                some.map(|(i, n)| format!("{i}: {:.1} %", share(*n))).collect::<Vec<_>>().join(", ")
            };
            let all: [(&str, &[u64]); 3] =
                [("windows", &w.by_window), ("outstanding", &w.by_packets), ("slots", &w.by_steps)];
            for (name, list) in all {
                let _ = writeln!(o, "{name:<11} {}", shares(list));
            }
        }
        if !self.links.is_empty() {
            let mut by_use: Vec<&LinkReport> = self.links.iter().collect();
            by_use.sort_by(|a, b| b.used.total_cmp(&a.used).then(a.name.cmp(&b.name)));
            let mean = self.links.iter().map(|l| l.used).sum::<f64>() / self.links.len() as f64;
            let _ = writeln!(o, "links       mean use {mean:.4}; busiest:");
            for l in by_use.iter().take(5) {
                let _ = writeln!(o, "            {:.4} {}", l.used, l.name);
            }
        }
        o
    }
}

/// What a throughput is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// All that is delivered.
    Network,
    /// One source to one destination.
    Flow,
    /// All that a set of nodes sent.
    Senders,
    /// All that a set of nodes received.
    Receivers,
    /// All that one node received.
    Node,
}
