//! Collects deliveries and samples while a fabric runs.

use super::histogram::Histogram;
use super::messages::Messages;
use super::report::{
    Ages, Latency, LinkReport, Occupancy, Report, SampleRow, Scope, SeriesReport, Totals, flit_gbps, jain,
};
use super::speculation::{Carried, Channels, Distances, Shares, Speculation};
use crate::fabric::net::Network;
use crate::fabric::traffic::{NamedFlow, Offer, Traffic, link_rates};
use crate::fabric::windowed::{Throttled, Windowed};

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Name of the network.
    pub network: String,
    /// Name of the traffic.
    pub traffic: String,
    /// Hosts.
    pub hosts: usize,
    /// Duration of a cycle, ps.
    pub cycle_ps: u64,
    /// Flits per cycle that each host can take.
    pub sink: Vec<f64>,
    /// Cycles of a bin of throughput over time.
    pub bin: u64,
    /// Throughput over time of these flows.
    pub flows: Vec<NamedFlow>,
    /// Of what these sets of nodes send.
    pub senders: Vec<(String, Vec<u32>)>,
    /// Of what these sets of nodes receive.
    pub receivers: Vec<(String, Vec<u32>)>,
    /// And of what each node receives.
    pub nodes: bool,
    /// Latencies from generation and marks: of all, of flows, of senders.
    pub ages: bool,
    /// Latencies of messages, and what each sender of a set gets.
    pub messages: bool,
    /// Where sources reserve: links between hosts.
    pub distances: Option<Distances>,
}

impl Setup {
    /// All that a traffic has names for: its flows, its groups as senders, its hotspots and the other nodes as receivers.
    pub fn of(net: &Network, name: &str, traffic: &Traffic, bin: u64) -> Setup {
        let hosts = net.hosts.len();
        let mut receivers = Vec::new();
        for (list, spots) in traffic.standing_hotspots() {
            let others = (0..hosts as u32).filter(|h| !spots.contains(h)).collect();
            receivers.push((list.to_string(), spots.to_vec()));
            receivers.push((format!("not {list}"), others));
        }
        let wide = traffic.groups().iter().filter(|(_, l)| l.len() > 1);
        Setup {
            network: net.name.clone(),
            traffic: name.into(),
            hosts,
            cycle_ps: net.cycle_ps,
            sink: sink_rates(net),
            bin: bin.max(1),
            flows: traffic.flows().to_vec(),
            senders: wide.cloned().collect(),
            receivers,
            nodes: false,
            ages: traffic.backlogs() || traffic.trace_progress().is_some(),
            messages: traffic.whole(),
            distances: None,
        }
    }

    /// The same where sources reserve.
    pub fn reserving(self, net: &Network) -> Setup {
        Setup { distances: Some(Distances::new(net)), ..self }
    }
}

/// Flits per cycle that each host can take: the rate of its link, or its own limit if that is lower.
pub(super) fn sink_rates(net: &Network) -> Vec<f64> {
    let limits = net.hosts.iter().map(|h| f64::from(h.sink.0) / 65536.0);
    limits.zip(link_rates(net, |way| way.to)).map(|(a, b)| a.min(b)).collect()
}

/// A packet at its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Source.
    pub src: u32,
    /// Destination.
    pub dst: u32,
    /// Flits.
    pub len: u8,
    /// Cycle in which it was generated.
    pub born: u64,
    /// Cycle in which the adapter took it from the host.
    pub created: u64,
    /// Cycle in which its first flit left the adapter.
    pub injected: u64,
    /// Cycle in which the destination took its last flit.
    pub t: u64,
    /// Marked on its way.
    pub fecn: bool,
    /// Marked, and not validated.
    pub warm: bool,
    /// This copy of it was sent before its time.
    pub spec: bool,
}

/// The state of the network at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample<'a> {
    /// Cycle.
    pub t: u64,
    /// Input ports whose hot-packet queues are all taken.
    pub no_free_hpq: u32,
    /// Hot-packet queues in use.
    pub hpqs_used: u32,
    /// Flits in the buffer of each input port; the same ports in the same order every time.
    pub port_flits: &'a [u32],
    /// Flits that wait in adapters.
    pub adapter_flits: u64,
    /// The throttles of the adapters, if the engine tells.
    pub throttled: Option<Throttled>,
}

/// One throughput over time.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) name: String,
    pub(super) scope: Scope,
    /// Flits per cycle that count as 1.
    pub(super) capacity: f64,
    pub(super) bins: Vec<u64>,
    /// Latencies of its packets, for sets of receivers.
    pub(super) latency: Option<Histogram>,
    /// What its packets took from their generation, and their marks.
    pub(super) ages: Option<Box<(Histogram, Ages)>>,
}

impl Track {
    pub(super) fn add(&mut self, bin: usize, flits: u64) {
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += flits;
    }

    /// A packet in a bin, by the time of its delivery.
    fn age(&mut self, bin: usize, d: &Delivery) {
        let Some((all, ages)) = self.ages.as_deref_mut() else { return };
        let age = d.t.saturating_sub(d.born) + 1;
        all.add(age);
        if bin >= ages.packets.len() {
            ages.resize(bin + 1);
        }
        ages.packets[bin] += 1;
        ages.sum[bin] += age;
        ages.max[bin] = ages.max[bin].max(age);
        ages.hot += u64::from(d.fecn);
        ages.warm += u64::from(d.warm);
    }
}

/// Collects the events of a run.
#[derive(Clone, Debug)]
pub struct Collector {
    pub(super) setup: Setup,
    pub(super) tracks: Vec<Track>,
    /// Tracks of the flows by source: (destination, track).
    pub(super) by_flow: Vec<Vec<(u32, u32)>>,
    pub(super) by_sender: Vec<Vec<u32>>,
    pub(super) by_receiver: Vec<Vec<u32>>,
    /// Flits received by each node.
    pub(super) received: Vec<u64>,
    /// Flits delivered of each node.
    sent: Vec<u64>,
    messages: Messages,
    speculation: Speculation,
    carried: Carried,
    /// Flits of speculative packets that were delivered, each on each link of its way.
    spec_delivered: u64,
    pub(super) totals: Totals,
    pub(super) network: Histogram,
    pub(super) total: Histogram,
    pub(super) samples: Vec<SampleRow>,
    pub(super) ports: Vec<(u64, u32)>,
    pub(super) links: Vec<LinkReport>,
    pub(super) windowed: Windowed,
}

impl Collector {
    /// Nothing collected yet.
    pub fn new(setup: Setup) -> Collector {
        let n = setup.hosts;
        let all: f64 = setup.sink.iter().sum();
        let sink = |h: u32| setup.sink.get(h as usize).copied().unwrap_or(1.0);
        let mut tracks = vec![Track {
            name: "network".into(),
            scope: Scope::Network,
            capacity: all,
            bins: Vec::new(),
            latency: None,
            ages: setup.ages.then(Box::default),
        }];
        let mut add = |name: &str, scope, capacity| {
            let latency = (scope == Scope::Receivers).then(Histogram::default);
            let sent = setup.ages && matches!(scope, Scope::Flow | Scope::Senders);
            let ages = sent.then(Box::default);
            tracks.push(Track { name: name.into(), scope, capacity, bins: Vec::new(), latency, ages });
            tracks.len() as u32 - 1
        };
        let (mut by_flow, mut by_sender, mut by_receiver) =
            (vec![Vec::new(); n], vec![Vec::new(); n], vec![Vec::new(); n]);
        for f in &setup.flows {
            by_flow[f.src as usize].push((f.dst, add(&f.name, Scope::Flow, sink(f.dst))));
        }
        for (name, list) in &setup.senders {
            let track = add(name, Scope::Senders, list.len() as f64);
            list.iter().for_each(|&h| by_sender[h as usize].push(track));
        }
        for (name, list) in &setup.receivers {
            let track = add(name, Scope::Receivers, list.iter().map(|&h| sink(h)).sum());
            list.iter().for_each(|&h| by_receiver[h as usize].push(track));
        }
        if setup.nodes {
            for (h, tracks) in by_receiver.iter_mut().enumerate() {
                tracks.push(add(&format!("node {h}"), Scope::Node, sink(h as u32)));
            }
        }
        Collector {
            received: vec![0; n],
            sent: vec![0; n],
            messages: Messages::default(),
            speculation: Speculation::default(),
            carried: Carried::default(),
            spec_delivered: 0,
            tracks,
            by_flow,
            by_sender,
            by_receiver,
            totals: Totals::default(),
            network: Histogram::default(),
            total: Histogram::default(),
            samples: Vec::new(),
            ports: Vec::new(),
            links: Vec::new(),
            windowed: Windowed::default(),
            setup,
        }
    }

    /// A host offered a packet or a message, taken or not.
    pub fn offered(&mut self, o: &Offer) {
        self.totals.offered_packets += u64::from(o.pkts);
        self.totals.offered_flits += o.flits();
    }

    /// The adapter had no room for it.
    pub fn refused(&mut self, o: &Offer) {
        self.totals.refused_packets += u64::from(o.pkts);
        self.totals.refused_flits += o.flits();
    }

    /// The adapter took it.
    pub fn posted(&mut self, src: u32, o: &Offer) {
        if self.setup.messages {
            self.messages.posted(src, o.dst, o.born, o.of);
        }
    }

    /// A packet was sent before its time; sent again in its time it is not injected once more.
    pub fn speculative(&mut self, len: u8) {
        self.speculation.injected += u64::from(len);
    }

    /// And dropped.
    pub fn dropped(&mut self, len: u8) {
        self.speculation.dropped += u64::from(len);
    }

    /// Links carried so much.
    pub fn carried(&mut self, carried: Carried) {
        self.carried = carried;
    }

    /// The first flit of a packet left its adapter.
    pub fn injected(&mut self, len: u8) {
        self.totals.injected_packets += 1;
        self.totals.injected_flits += u64::from(len);
    }

    /// A packet is complete at its destination.
    pub fn delivered(&mut self, d: &Delivery) {
        let flits = u64::from(d.len);
        self.totals.delivered_packets += 1;
        self.totals.delivered_flits += flits;
        self.totals.delivered_marked += u64::from(d.fecn);
        self.received[d.dst as usize] += flits;
        self.sent[d.src as usize] += flits;
        if self.setup.messages {
            self.messages.delivered(d.src, d.dst, d.born, d.t);
        }
        if let (true, Some(distances)) = (d.spec, &self.setup.distances) {
            self.spec_delivered += flits * distances.links(d.src, d.dst);
        }
        self.network.add(d.t.saturating_sub(d.injected) + 1);
        let latency = d.t.saturating_sub(d.created) + 1;
        self.total.add(latency);
        let bin = (d.t / self.setup.bin) as usize;
        self.tracks[0].add(bin, flits);
        self.tracks[0].age(bin, d);
        for &(dst, track) in &self.by_flow[d.src as usize] {
            if dst == d.dst {
                self.tracks[track as usize].add(bin, flits);
                self.tracks[track as usize].age(bin, d);
            }
        }
        for &track in self.by_sender[d.src as usize].iter().chain(&self.by_receiver[d.dst as usize]) {
            self.tracks[track as usize].add(bin, flits);
            self.tracks[track as usize].age(bin, d);
            if let Some(h) = &mut self.tracks[track as usize].latency {
                h.add(latency);
            }
        }
    }

    /// Switches set FECN on so many packets.
    pub fn marked(&mut self, packets: u64) {
        self.totals.marked += packets;
    }

    /// Adapters sent so many CNPs and ACKs.
    pub fn replies(&mut self, cnps: u64, acks: u64) {
        self.totals.cnps += cnps;
        self.totals.acks += acks;
    }

    /// The state of the network at one time.
    pub fn sample(&mut self, s: &Sample) {
        if self.ports.len() < s.port_flits.len() {
            self.ports.resize(s.port_flits.len(), (0, 0));
        }
        for (port, &flits) in self.ports.iter_mut().zip(s.port_flits) {
            *port = (port.0 + u64::from(flits), port.1.max(flits));
        }
        self.samples.push(SampleRow {
            t: s.t,
            no_free_hpq: s.no_free_hpq,
            hpqs_used: s.hpqs_used,
            switch_flits: s.port_flits.iter().map(|&f| u64::from(f)).sum(),
            fullest_port: s.port_flits.iter().copied().max().unwrap_or(0),
            adapter_flits: s.adapter_flits,
            delivered_marked: self.totals.delivered_marked,
            throttled: s.throttled,
        });
    }

    /// What sources hold back by windows at the time of a sample.
    pub fn windowed(&mut self, now: Windowed) {
        self.windowed += now;
    }

    /// One direction of a link carried so many flits in `cycles` cycles; `interval` is its cycles per flit.
    pub fn link(&mut self, name: &str, flits: u64, interval: u32, cycles: u64) {
        let used = if cycles == 0 { 0.0 } else { (flits * u64::from(interval)) as f64 / cycles as f64 };
        self.links.push(LinkReport { name: name.into(), flits, used });
    }

    /// What each sender of a set gets.
    fn shares(&self, cycles: u64) -> Vec<Shares> {
        let rate = |h: &u32| self.sent[*h as usize] as f64 / cycles.max(1) as f64;
        let of =
            |(name, list): &(String, Vec<u32>)| Shares::new(name, &list.iter().map(rate).collect::<Vec<_>>());
        let sets = self.setup.senders.iter().filter(|_| self.setup.messages);
        sets.map(of).collect()
    }

    /// The measurements of a run of `cycles` cycles.
    pub fn report(&self, cycles: u64) -> Report {
        let bin = self.setup.bin;
        let bins = cycles.div_ceil(bin) as usize;
        let series: Vec<SeriesReport> = self
            .tracks
            .iter()
            .map(|t| {
                let mut flits = t.bins.clone();
                flits.resize(flits.len().max(bins), 0);
                let latency = t.latency.as_ref().map(Latency::of);
                let ages = t.ages.as_deref().map(|(all, ages)| {
                    let mut ages = Ages { latency: Latency::of(all), ..ages.clone() };
                    ages.resize(flits.len());
                    ages
                });
                SeriesReport {
                    name: t.name.clone(),
                    scope: t.scope,
                    capacity: t.capacity,
                    flits,
                    latency,
                    ages,
                }
            })
            .collect();
        let rate = if cycles == 0 { 0.0 } else { self.totals.delivered_flits as f64 / cycles as f64 };
        let received: Vec<f64> = self.received.iter().map(|&f| f as f64).collect();
        let samples = self.samples.len().max(1) as f64;
        let port = |(port, &(sum, max)): (usize, &(u64, u32))| {
            let mean = sum as f64 / samples;
            Occupancy { port, switch: String::new(), number: 0, mean, max }
        };
        let mut report = Report {
            network: self.setup.network.clone(),
            traffic: self.setup.traffic.clone(),
            hosts: self.setup.hosts,
            cycles,
            cycle_ps: self.setup.cycle_ps,
            bin,
            totals: self.totals,
            normalised: if series[0].capacity > 0.0 { rate / series[0].capacity } else { 0.0 },
            gbps: rate * flit_gbps(self.setup.cycle_ps),
            network_latency: Latency::of(&self.network),
            total_latency: Latency::of(&self.total),
            fairness: None,
            node_jain: jain(&received),
            received: self.received.clone(),
            series,
            samples: self.samples.clone(),
            ports: self.ports.iter().enumerate().map(port).collect(),
            links: self.links.clone(),
            windowed: (self.windowed.flows > 0).then_some(self.windowed),
            messages: self.setup.messages.then(|| Latency::of(self.messages.complete())),
            senders: self.shares(cycles),
            speculation: self.setup.distances.is_some().then_some(self.speculation),
            channels: self
                .setup
                .distances
                .is_some()
                .then(|| Channels::new(&self.carried, self.spec_delivered)),
        };
        let flows: Vec<&str> =
            report.series.iter().filter(|s| s.scope == Scope::Flow).map(|s| s.name.as_str()).collect();
        report.fairness = report.fairness_of(&flows, 0, cycles);
        report
    }
}
