//! One run of a network, and what is kept of it.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::config::{Config, Origin};
use crate::fabric::net::{End, Link, Network, Rate, Timing};
use crate::fabric::topology::Pattern;
use crate::fabric::traffic::TrafficSpec;
use crate::fabric::{metrics, topology};
use crate::scheme::Scheme;

/// All that decides the outcome of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// A network that [`network`] knows.
    pub network: String,
    /// Who sends what.
    pub traffic: TrafficSpec,
    /// Scheme and parameters.
    pub config: Config,
    /// Seed of the traffic.
    pub seed: u64,
    /// Simulated time, us; with a trace the most that it may take.
    pub time_us: f64,
    /// Length of a bin of throughput over time, us.
    pub bin_us: f64,
    /// Distance of the samples of the network's state, us; 0: none.
    pub sample_us: f64,
    /// Distance of the looks at fills, windows and the hotspot's link, us; 0: none.
    #[serde(default, skip_serializing_if = "is_0")]
    pub gauge_us: f64,
    /// Flows (source, destination) whose throughput is kept, beside those that the traffic names.
    pub flows: Vec<(u32, u32)>,
}

impl Run {
    /// A run with 200 bins and no samples.
    pub fn new(network: &str, traffic: TrafficSpec, config: Config, seed: u64, time_us: f64) -> Run {
        let bin_us = time_us / 200.0;
        Run {
            network: network.into(),
            traffic,
            config,
            seed,
            time_us,
            bin_us,
            sample_us: 0.0,
            gauge_us: 0.0,
            flows: Vec::new(),
        }
    }
}

fn is_0(x: &f64) -> bool {
    *x == 0.0
}

/// The network at one time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gauge {
    /// Cycle.
    pub t: u64,
    /// Mean fill of the input buffers of switches, and of the queues of their outputs, as shares of what each holds.
    pub inputs: f64,
    /// See there.
    pub outputs: f64,
    /// Flows with packets outstanding at sources with windows, and those packets.
    pub flows: u64,
    /// See there.
    pub outstanding: u64,
    /// Of those flows: their window is not as wide as it may be.
    pub narrowed: u64,
    /// Of those flows: they wait between packets.
    pub delayed: u64,
    /// Flits that the link to the hotspot has carried since the look before, replies too.
    pub spot: u64,
    /// Those flows by window and by steps of waiting slots.
    #[serde(default)]
    pub windows: [u64; 9],
    /// See there.
    #[serde(default)]
    pub steps: [u64; 16],
}

/// What a run has measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The measurements.
    pub report: metrics::Report,
    /// Looks at the network.
    #[serde(default)]
    pub gauges: Vec<Gauge>,
    /// When the last operation of the trace ended, us; None without a trace, or if it did not end.
    pub trace_us: Option<f64>,
    /// Flits times links.
    pub flit_hops: u64,
    /// Processor time of the run, seconds.
    pub seconds: f64,
}

impl Outcome {
    fn cycle(&self, ms: f64) -> u64 {
        (ms * 1e9 / self.report.cycle_ps as f64).round() as u64
    }

    /// The throughput of that name.
    pub fn series(&self, name: &str) -> &metrics::SeriesReport {
        self.report.find(name).unwrap_or_else(|| panic!("{} has no throughput {name}", self.report.traffic))
    }

    /// Mean throughput in Gbit/s between two times.
    pub fn gbps(&self, name: &str, from_ms: f64, to_ms: f64) -> f64 {
        self.report.mean_gbps(self.series(name), self.cycle(from_ms), self.cycle(to_ms))
    }

    /// Mean throughput of the network as a share of what all hosts can take, between two times.
    pub fn share(&self, from_ms: f64, to_ms: f64) -> f64 {
        self.report.mean_normalised(self.series("network"), self.cycle(from_ms), self.cycle(to_ms))
    }

    /// Fairness among flows between two times.
    pub fn fairness(&self, names: &[&str], from_ms: f64, to_ms: f64) -> metrics::Fairness {
        let none = metrics::Fairness { jain: 1.0, delta_mean: 0.0, v_ar: 0.0 };
        self.report.fairness_of(names, self.cycle(from_ms), self.cycle(to_ms)).unwrap_or(none)
    }

    /// Mean and standard deviation over the bins between two times, Gbit/s.
    pub fn spread(&self, name: &str, from_ms: f64, to_ms: f64) -> (f64, f64) {
        let all = self.report.gbps_over_ms(self.series(name));
        let values: Vec<f64> =
            all.into_iter().filter(|&(t, _)| t >= from_ms && t < to_ms).map(|(_, v)| v).collect();
        metrics::mean_and_sd(&values)
    }

    /// Mean number of input ports without a free hot-packet queue between two times.
    pub fn ports_out_of_hpqs(&self, from_ms: f64, to_ms: f64) -> f64 {
        let (from, to) = (self.cycle(from_ms), self.cycle(to_ms));
        let rows = self.report.samples.iter().filter(|s| s.t >= from && s.t < to);
        let values: Vec<f64> = rows.map(|s| f64::from(s.no_free_hpq)).collect();
        values.iter().sum::<f64>() / values.len().max(1) as f64
    }
}

/// The papers' parameters of a scheme with some settings changed.
pub fn config(scheme: Scheme, hosts: usize, settings: &[(&str, String)]) -> Result<Config> {
    let mut c = Config::new(scheme, hosts);
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    c.change(&settings, &Origin::Study)?;
    Ok(c)
}

/// The network of a name: those of `quell fabric`, `clos-ddr:P` (a three-stage tree of P-port switches with the rates
/// of the 648-host tree), `4ary-3tree:GBPS`, `min512:fast` and `min:4:4:fast` (2 cycles a flit instead of 14), `umin:2:3:slow`
/// (the butterfly with 14), `kary-ntree:16:2:srp` and `kary-ntree:16:3:srp` (the timing of `srp-1`, in the latter 19 cycles between switches), and `ccfit-1:crossbar` (the two switches of `ccfit-1` with a crossbar of
/// 5 GB/s: a packet crosses the switch and the link to a host at that rate, a host sends and takes half of it).
pub fn network(name: &str) -> Result<Network> {
    let mut net = match name.split_once(':') {
        Some(("clos-ddr", p)) => {
            let timing = Timing::of(16.0);
            let mut net = topology::clos(p.parse()?, timing)?;
            for host in &mut net.hosts {
                (host.inject, host.sink) = (timing.rate(13.5), timing.rate(13.6));
            }
            net
        }
        Some(("ccfit-1", "crossbar")) => {
            let mut net = topology::ccfit_1()?;
            net.links.iter_mut().for_each(|l| l.interval = 1);
            for host in &mut net.hosts {
                (host.inject, host.sink) = (Rate(Rate::FULL.0 / 2), Rate(Rate::FULL.0 / 2));
            }
            net
        }
        Some(("min512", "fast")) => topology::min512(Timing::of(16.0), 2)?,
        Some(("min", "4:4:fast")) => topology::slow_kary_ntree(4, 4, Timing::of(16.0), 2)?,
        Some(("umin", "2:3:slow")) => {
            let mut net = topology::multistage(2, 3, Pattern::Butterfly, Timing::of(8.0 * 14.0))?;
            net.links.iter_mut().for_each(|l| l.interval = 14);
            net
        }
        Some(("kary-ntree", "16:2:srp")) => topology::kary_ntree(16, 2, topology::SRP_TIMING)?,
        Some(("kary-ntree", "16:3:srp")) => {
            let mut net = topology::kary_ntree(16, 3, topology::SRP_TIMING)?;
            let far = |link: &Link| !matches!((link.a, link.b), (End::Host(_), _) | (_, End::Host(_)));
            net.links.iter_mut().filter(|l| far(l)).for_each(|l| l.delay = 19);
            net
        }
        Some(("4ary-3tree", gbps)) => topology::kary_ntree(4, 3, Timing::of(gbps.parse()?))?,
        _ => topology::by_name(name)?,
    };
    net.name = name.into();
    Ok(net)
}
