//! Marking and validation, windows and waiting slots (MVCM; Ferrer et al.), beside the schemes that it is compared with there: the common part of
//! its studies.

use std::ops::Range;

use anyhow::Result;

use super::job::Point;
use super::plan::{At, Results, Scale, Study};
use super::point::{Outcome, Run, network};
use super::report::{Figure, Report};
use super::sample::Sample;
use super::setting::{Setting, chosen, configured, paper};
use crate::config::Config;
use crate::fabric::metrics::Ages;
use crate::fabric::traffic::TrafficSpec;
use crate::plot::{Axis, Chart, Series};
use crate::scheme::{Marking, Response, Scheme};

/// Microseconds that a flit takes on a link.
pub const FLIT_US: f64 = 0.064;
/// Flits of a packet.
pub const LEN: u32 = 17;
/// Microseconds that it takes on a link.
pub const PACKET_US: f64 = LEN as f64 * FLIT_US;

/// What all runs have.
pub const SETTINGS: &[Setting] = &[
    paper("cioq", "true"),
    paper("xb_interval", "7"),
    paper("mtu", "17"),
    chosen("rd_interval", "14", "cut-through: a packet is forwarded when its header is here"),
    paper("blocks", "64"),
    paper("oblocks", "64"),
    paper("mb_th", "42").on(validates),
    paper("vb_th", "21").on(validates),
    paper("wmax", "2").on(is_mvcm),
    paper("wmax", "1").on(is_rp),
    paper("law", "lipd").on(is_rp),
    paper("pause_unit", "rtt").on(is_rp),
    chosen(
        "from_ack",
        "false",
        "not stated: delays count from the packet before. In the short form the highest latency of cold flows is 2.5 packet times with either, and with either unit of delays",
    )
    .on(is_rp),
    chosen("rmin_exp", "8", "not stated: an 8-bit delay, as in InfiniBand").on(is_rp),
    chosen("fill_level", "42", "full: the third packet of 17 flits in 64 is coming in; a fourth has no room")
        .on(is_rp),
    paper("eval", "queue").on(is_pfister),
    chosen(
        "sum_hth",
        "32",
        "the threshold is not stated: half of the queue. In the short form the highest latency of cold flows is 26 packet times, with 48 it is 28; at 16 and below a packet \
         is beyond the threshold alone",
    )
    .on(is_pfister),
    chosen("sum_lth", "32", "one threshold").on(is_pfister),
    chosen("cct", "linear(step=1.088us)", "the table is not stated: entry i is i packets' time").on(is_pi),
    chosen(
        "ccti_increase",
        "4",
        "\"depending on the hotspot degree\": a sixteenth of the 64 hot sources. In the short form the highest latency of cold flows is 137 packet times with 1, 12 with 8; \
         the hotspot's link then waits more",
    )
    .on(is_pi),
    chosen(
        "ccti_timer",
        "64",
        "not stated: as many packets' times as there are hot sources. In the short form 256 and 1024 give 20 and 21 packet times instead of 26, and 38 and 41 % of the hot \
         packets have not arrived at the end instead of 28 %",
    )
    .on(is_pi),
    chosen("restart", "false", "not stated whether a BECN starts the timer anew").on(is_pi),
];

fn validates(scheme: Scheme) -> bool {
    scheme.marking == Marking::MbVb
}

fn is_pfister(scheme: Scheme) -> bool {
    scheme == Scheme::Pfister
}

fn is_mvcm(scheme: Scheme) -> bool {
    scheme == Scheme::Mvcm
}

fn is_rp(scheme: Scheme) -> bool {
    scheme == Scheme::SantosInput
}

fn is_pi(scheme: Scheme) -> bool {
    scheme.response == Response::Delay
}

/// Of the waiting slots.
pub const SLOTS: &str = "`ws_base` = k; `ws_steps` = n (chosen: \"limit the maximum number of times\" by the stages n can mean k^(n-1) round trips at most, which this is, or k^n, \
     which V5 has)";

/// What the runs of all studies differ in from the paper's.
pub const SCENARIO: &str = "packets of 1024 + 22 bytes (17 flits of 64) in buffers of 4 KB, one of the paper's three sizes; its figures are of 256 + 22 bytes, where hops of \
     28 cycles (slots of crossbar and link of 14) would make a round trip of 6.6 packets over nine hops instead of 1.28; with 17 flits it is 2.7, so that the paper's rule \
     gives a window of 3, but `wmax` is the paper's 2. `rtt_min` is the round trip over the longest route. Latencies are in packet times (278 of the paper's cycles)";
pub const TREE: &str = "a 4-ary 5-fly has 1024 hosts, the paper's 512 hosts and 640 switches at 9 hops: two 4-ary 4-trees under 128 switches";
pub const ONE_DRAW: &str =
    "hot sources and hotspot are random, one draw; arrivals are geometric (neither is stated)";
pub const SHORT: &str = "short form: the 4-ary 4-tree (256 hosts, 32 of them hot), 100 packets of each hot source after 5000 of the others, instead of 1000 after 50 000";

/// A scheme with what is set beside the studies' settings.
#[derive(Clone, Copy)]
pub struct Of {
    pub name: &'static str,
    pub scheme: Scheme,
    pub set: &'static [(&'static str, &'static str)],
}

/// No congestion management; packets are acknowledged all the same.
pub const NONE: Of =
    Of { name: "none", scheme: Scheme::Mvcm, set: &[("marking", "false"), ("windows", "false")] };
/// Santos' input-triggered marking with a window of one packet and LIPD, which the paper calls Renato's proposal.
pub const RP: Of = Of { name: "RP", scheme: Scheme::SantosInput, set: &[] };
/// Pfister's implementation of InfiniBand's congestion control.
pub const PI: Of = Of { name: "PI", scheme: Scheme::Pfister, set: &[] };
/// Its response, to MVCM's marks: only those that are validated.
pub const PI_VALIDATED: Of = Of { name: "PI, validated marks", scheme: Scheme::PfisterValidated, set: &[] };
pub const MVCM: Of = Of { name: "MVCM", scheme: Scheme::Mvcm, set: &[] };

/// A network with the paper's traffic of table 3.
#[derive(Clone, Copy)]
pub struct Place {
    pub network: &'static str,
    pub hosts: f64,
    /// It is a k-ary n-fly.
    pub k: u32,
    pub n: u32,
    /// Per cent of a host's link.
    pub load: f64,
    /// Packets of each hot source, after so many of the others.
    pub packets: f64,
    pub after: f64,
}

/// A high load: 0.62 bytes a cycle for each switch with four hosts, per cent of a host's link.
pub const HIGH: f64 = 15.5;
/// A medium load: 0.45 bytes a cycle for each switch with four hosts.
pub const MEDIUM: f64 = 11.25;

impl Place {
    /// The one of most figures.
    pub fn main(scale: Scale) -> Place {
        let short = Place {
            network: "min:4:4",
            hosts: 256.0,
            k: 4,
            n: 4,
            load: MEDIUM,
            packets: 100.0,
            after: 5_000.0,
        };
        let full = Place {
            network: "min512",
            hosts: 512.0,
            k: 4,
            n: 5,
            load: MEDIUM,
            packets: 1000.0,
            after: 50_000.0,
        };
        scale.pick(short, full)
    }

    pub fn hot(&self) -> f64 {
        (self.hosts / 8.0).round()
    }

    /// Packet times until the hot sources start, and in which the link to the hotspot takes what they send.
    pub fn times(&self) -> (f64, f64) {
        let load = self.load / 100.0;
        let start = self.after / ((self.hosts - self.hot()) * load);
        // The others send to the hotspot, too.
        let drain = self.hot() * self.packets / (1.0 - load);
        (start, drain.max(self.packets / load))
    }

    /// Packet times from when the last hot packet is generated in the mean to the end of a run.
    pub fn after_the_last(&self, o: &Outcome) -> f64 {
        times(o, o.report.cycles as f64) - self.times().0 - self.packets / (self.load / 100.0)
    }

    /// What hosts and switches have here under a scheme.
    pub fn config(&self, of: &Of, set: &[(&str, String)]) -> Result<Config> {
        let hosts = network(self.network)?.hosts.len();
        let mut all: Vec<(&str, String)> = Vec::new();
        if of.scheme == Scheme::Mvcm {
            // The longest wait is k^(n-1) round trips (VR4).
            all.extend([("ws_base", self.k.to_string()), ("ws_steps", self.n.to_string())]);
        }
        all.extend(of.set.iter().map(|(n, v)| (*n, v.to_string())));
        all.extend(set.iter().cloned());
        configured(of.scheme, hosts, &[SETTINGS], &all)
    }

    /// A run of a scheme here.
    pub fn run(&self, of: &Of, seed: u64, set: &[(&str, String)]) -> Result<Run> {
        self.run_of(LEN, of, seed, set)
    }

    /// The same with packets of so many flits.
    pub fn run_of(&self, len: u32, of: &Of, seed: u64, set: &[(&str, String)]) -> Result<Run> {
        let config = self.config(of, set)?;
        let packet_us = f64::from(len) * FLIT_US;
        let (start, drain) = self.times();
        let us = (start + 1.2 * drain) * packet_us;
        let spec = format!(
            "mvcm(load={}%, len={len} flits, packets={}, after={}, run={us} us)",
            self.load, self.packets, self.after
        );
        let hosts = network(self.network)?.hosts.len();
        let mut run = Run::new(self.network, TrafficSpec::load(&spec, hosts)?, config, seed, us);
        run.bin_us = BIN * packet_us;
        run.gauge_us = us / 180.0;
        Ok(run)
    }

    /// The same, as a point.
    pub fn point(&self, of: &Of, seed: u64) -> Result<Point> {
        Ok(Point::new(of.name, self.run(of, seed, &[])?))
    }
}

/// Packet times of a bin.
pub const BIN: f64 = 25.0;

/// What became of the packets of a class of sources.
pub fn ages<'a>(o: &'a Outcome, class: &str) -> &'a Ages {
    let found = o.report.series.iter().filter(|s| s.name == class).find_map(|s| s.ages.as_ref());
    found.unwrap_or_else(|| panic!("{} has no class {class}", o.report.traffic))
}

/// Cycles of a run in packet times.
pub fn times(o: &Outcome, cycles: f64) -> f64 {
    cycles * o.report.cycle_ps as f64 / (PACKET_US * 1e6)
}

/// Mean latency of a class in each bin, packet times; none in bins without a packet.
pub fn over_time(o: &Outcome, class: &str) -> Vec<Option<f64>> {
    let a = ages(o, class);
    let mean = |(&n, &sum): (&u64, &u64)| (n > 0).then(|| times(o, sum as f64 / n as f64));
    a.packets.iter().zip(&a.sum).map(mean).collect()
}

/// The bins in which packets of the hot sources are delivered: first and last.
pub fn congested(o: &Outcome) -> (usize, usize) {
    let hot = &ages(o, "hot").packets;
    let first = hot.iter().position(|&n| n > 0).unwrap_or(0);
    (first, hot.iter().rposition(|&n| n > 0).unwrap_or(0))
}

/// Figures of the cold flows of a run.
pub struct Cold<'a>(pub At<'a>);

impl Cold<'_> {
    /// The highest mean latency of a bin.
    pub fn peak(&self) -> Sample {
        self.0.measure("cold peak", |o| over_time(o, "cold").into_iter().flatten().fold(0.0, f64::max))
    }

    /// Mean latency of all.
    pub fn mean(&self) -> Sample {
        self.0.measure("cold mean", |o| times(o, ages(o, "cold").latency.mean))
    }

    /// The lowest throughput of a bin while there is congestion, per cent of the mean before.
    pub fn dip(&self) -> Sample {
        self.0.measure("cold dip %", |o| {
            let (before, during) = around(o);
            100.0 * during.into_iter().fold(f64::INFINITY, f64::min) / before
        })
    }

    /// Standard deviation of the throughput over the bins while there is congestion, per cent of the mean before.
    pub fn oscillation(&self) -> Sample {
        self.0.measure("cold oscillation %", |o| {
            let (before, during) = around(o);
            100.0 * deviation(&during) / before
        })
    }
}

/// Hot packets among those of a class, per cent.
pub fn marked(o: &At, class: &str) -> Sample {
    o.measure(&format!("{class} marked %"), |o| share(ages(o, class).hot, ages(o, class)))
}

/// Warm packets among those of a class, per cent.
pub fn warm(o: &At, class: &str) -> Sample {
    o.measure(&format!("{class} warm %"), |o| share(ages(o, class).warm, ages(o, class)))
}

fn share(n: u64, a: &Ages) -> f64 {
    100.0 * n as f64 / a.latency.packets.max(1) as f64
}

/// The bins before there is congestion. The first has the packets on their way.
pub fn calm(o: &Outcome) -> Range<usize> {
    let first = congested(o).0;
    1.min(first)..first.max(1)
}

/// Packets of cold flows delivered in a bin: the mean before there is congestion, and those of each bin while there is.
fn around(o: &Outcome) -> (f64, Vec<f64>) {
    let (first, last) = congested(o);
    let cold: Vec<f64> = ages(o, "cold").packets.iter().map(|&n| n as f64).collect();
    (mean(&cold[calm(o)]), cold[first..last.max(first + 1)].to_vec())
}

/// Mean latency of cold flows over those of some bins that have packets, packet times.
pub fn cold_over(o: &Outcome, bins: Range<usize>) -> f64 {
    mean(&over_time(o, "cold")[bins].iter().flatten().copied().collect::<Vec<_>>())
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

pub fn deviation(values: &[f64]) -> f64 {
    let m = mean(values);
    mean(&values.iter().map(|v| (v - m) * (v - m)).collect::<Vec<_>>()).sqrt()
}

/// Figures of the cold flows under a scheme.
pub fn cold(r: &Results, of: Of) -> Cold<'_> {
    Cold(r.of(of.name))
}

/// A study of this paper.
pub fn study(
    id: &'static str,
    title: &'static str,
    source: &'static str,
    deviations: &'static [&'static str],
    points: fn(Scale, u64) -> Result<Vec<Point>>,
    evaluate: fn(&Results) -> Result<Report>,
    figures: fn(&Results) -> Result<Vec<Figure>>,
) -> Study {
    Study {
        id,
        title,
        source,
        settings: &[SETTINGS],
        deviations,
        drawn: false,
        sizes: false,
        points,
        evaluate,
        figures,
    }
}

/// Mean latency of a class over time, a line for each point.
pub fn latency_chart(r: &Results, name: &str, title: &str, class: &str, points: &[&str]) -> Figure {
    let line = |(i, point): (usize, &&str)| {
        let o = r.outcome(point);
        let at = |(bin, v): (usize, Option<f64>)| Some(((bin as f64 + 0.5) * BIN, v?));
        Series::line(point, over_time(o, class).into_iter().enumerate().filter_map(at).collect()).look(i)
    };
    let chart = Chart {
        title: title.into(),
        subtitle: format!("mean latency from generation of {class} packets, by when they arrive"),
        x: Axis::new("Time (packet times)"),
        y: Axis::new("Latency (packet times)").log(),
        series: points.iter().enumerate().map(line).collect(),
        marks: Vec::new(),
    };
    Figure::new(name, chart.svg())
}
