//! What the studies of the paper share: its network, settings and schemes.

use anyhow::{Context, Result};

use super::super::plan::Results;
use super::super::point::{Outcome, Run, network};
use super::super::setting::{Setting, chosen, configured, paper};
use crate::fabric::traffic::{Traffic, TrafficSpec};
use crate::scheme::{Response, Scheme};

/// The 256 nodes of all but R1 and R10.
pub(super) const TREE: &str = "kary-ntree:16:2:srp";

/// Sources slow down: what the paper calls ECN.
pub(super) fn is_ecn(scheme: Scheme) -> bool {
    !is_base(scheme) && !is_srp(scheme)
}

pub(super) fn is_base(scheme: Scheme) -> bool {
    scheme.response == Response::None
}

pub(super) fn is_srp(scheme: Scheme) -> bool {
    scheme.response == Response::Reservation
}

pub(super) const SETTINGS: &[Setting] = &[
    paper("mtu", "32"),
    paper("blocks", "512").on(is_base),
    paper("blocks", "1024").on(is_ecn),
    paper("data_blocks", "512").on(is_srp),
    paper("spec_blocks", "512").on(is_srp),
    chosen(
        "ctl_blocks",
        "64",
        "the paper has 512 flits for each lane; of one-flit packets that leave at once no more than 64 wait",
    )
    .on(is_srp),
    chosen("hca_blocks", "64", "two packets a lane on their way out of an adapter: not stated").on(is_base),
    chosen("hca_blocks", "128", "the same").on(|s| !is_base(s)),
    chosen("rx_blocks", "512", "no limit").on(is_base),
    chosen("rx_blocks", "1024", "the same").on(|s| !is_base(s)),
    chosen("restart", "true", "not stated whether a BECN starts the timer anew").on(is_ecn),
    chosen("fc_interval", "1", "a message of credits in every cycle; the paper returns each credit at once"),
    paper("ttw", "203").on(is_srp),
    paper("nmax", "16").on(is_srp),
    paper("nmin", "4").on(is_srp),
    chosen("eps", "3277", "5 %").on(is_srp),
];

/// In trees the way up is drawn for each packet.
pub(super) const DRAWN_UP: &[Setting] = &[paper("up", "random")];

/// Base, ECN with the paper's parameters and with those of its simulator, and reservation.
pub(super) const ALL: [Scheme; 4] = [Scheme::Vl1, Scheme::Ecn, Scheme::Ecn2x, Scheme::Srp];
/// The two ECNs.
pub(super) const ECN: [Scheme; 2] = [Scheme::Ecn, Scheme::Ecn2x];

pub(super) fn title(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Ecn => "ECN",
        Scheme::Ecn2x => "ECN x 2",
        Scheme::Srp => "SRP",
        _ => "base",
    }
}

pub(super) const SCALED: &str = "flit for flit: packets of 32 flits of 64 bytes in its 6.4 ns (its flits have 8 bytes), links of 4 cycles; a hop takes 9 cycles, as its do";
pub(super) const SWITCH: &str =
    "a read port for each output instead of the paper's speedup of 2 and output buffers of four packets";

/// Why more is dropped than in the paper.
pub(super) const DROPS: &str = "a speculative packet is last at every output, and the head of a FIFO waits for one output alone: where data flow it waits longer than its time. In the paper's switches it leaves the FIFO, where that time counts, for an output buffer of four packets, through a crossbar of twice the link's speed. A model of packets alone, made to tell the two apart and not kept, drops 15 % of the links at 70 % load as this network does, 8 % with such buffers, 3 % if the link also takes data and speculative packets as they came to them; and twice the time-to-wait leaves 0.94 of the peak without buffers, 0.9 with them: so they explain a half, and what the paper's links prefer is not known";

/// A run of a scheme on a network for so many ms, with some settings changed.
pub(super) fn run(
    net: &str,
    traffic: &str,
    scheme: Scheme,
    seed: u64,
    ms: f64,
    varied: &[(&str, String)],
) -> Result<Run> {
    let hosts = network(net)?.hosts.len();
    let drawn: &[Setting] = if net.starts_with("kary") { DRAWN_UP } else { &[] };
    let config = configured(scheme, hosts, &[SETTINGS, drawn], varied)?;
    Ok(Run::new(net, TrafficSpec::load(traffic, hosts)?, config, seed, 1000.0 * ms))
}

/// Gbit/s of the links.
pub(super) const LINK: f64 = 80.0;

/// The nodes that send to the hotspot, and it.
pub(super) fn spot(run: &Run) -> Result<(Vec<u32>, u32)> {
    let net = network(&run.network)?;
    let traffic = Traffic::new(&run.traffic, &net, run.config.mtu, run.seed)?;
    let senders =
        traffic.roles().iter().find(|r| r.0 == "hot").context("the traffic has hot nodes")?.1.clone();
    let hot = traffic.hotspots("spot", 0).and_then(|l| l.first().copied()).context("and a hotspot")?;
    Ok((senders, hot))
}

/// Mean latency of a series' packets from their generation, by bins: the middle of the bin (ms), cycles.
pub(super) fn latencies(o: &Outcome, name: &str) -> Vec<(f64, f64)> {
    let ages = o.report.series.iter().filter(|s| s.name == name).find_map(|s| s.ages.as_ref());
    let Some(ages) = ages else { return Vec::new() };
    let ms = |i: usize| (i as f64 + 0.5) * o.report.bin as f64 * o.report.cycle_ps as f64 * 1e-9;
    let mean = |i: usize| (ages.packets[i] > 0).then(|| ages.sum[i] as f64 / ages.packets[i] as f64);
    (0..ages.packets.len()).filter_map(|i| Some((ms(i), mean(i)?))).collect()
}

/// Microseconds of so many cycles of a run.
pub(super) fn us(r: &Results, point: &str, cycles: f64) -> f64 {
    cycles * r.outcome(point).report.cycle_ps as f64 * 1e-6
}

/// The highest of them and its place, the first one of equals; no number if one is none.
pub(super) fn top(values: &[f64]) -> (usize, f64) {
    if values.is_empty() || values.iter().any(|v| v.is_nan()) {
        return (0, f64::NAN);
    }
    let higher = |best: (usize, f64), (i, v): (usize, f64)| if v > best.1 { (i, v) } else { best };
    values.iter().copied().enumerate().fold((0, values[0]), higher)
}

/// Where the highest of them is, of as many loads; no number if one is none.
pub(super) fn top_at(values: &[f64], loads: &[u32]) -> f64 {
    let (i, most) = top(values);
    if most.is_nan() { most } else { f64::from(loads[i]) }
}
