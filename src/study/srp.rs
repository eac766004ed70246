//! The reservation paper (Jiang, Becker, Michelogiannakis, Dally): what it says of a network without congestion control and of its ECN.
//! What it says of reservation is not here yet.

use anyhow::{Context, Result};

use super::claim::{Claim, Margin, Tolerance};
use super::plan::{Results, Scale, Study};
use super::point::{Outcome, Point, Run, network};
use super::report::{Figure, Report, Table};
use super::sample::Sample;
use super::setting::{Setting, chosen, configured, paper};
use crate::fabric::metrics::jain;
use crate::fabric::traffic::{Traffic, TrafficSpec};
use crate::plot::{Axis, Chart, Series};
use crate::scheme::{Response, Scheme};

const TREE: &str = "kary-ntree:16:2:srp";
const FIGURE_1: &str = "srp-1";

/// Sources slow down: what the paper calls ECN.
fn is_ecn(scheme: Scheme) -> bool {
    scheme.response != Response::None
}

fn is_base(scheme: Scheme) -> bool {
    !is_ecn(scheme)
}

pub const SETTINGS: &[Setting] = &[
    paper("mtu", "32"),
    paper("blocks", "512").on(is_base),
    paper("blocks", "1024").on(is_ecn),
    chosen("hca_blocks", "64", "two packets a lane on their way out of an adapter: not stated").on(is_base),
    chosen("hca_blocks", "128", "the same").on(is_ecn),
    chosen("rx_blocks", "512", "no limit").on(is_base),
    chosen("rx_blocks", "1024", "the same").on(is_ecn),
    chosen("restart", "true", "not stated whether a BECN starts the timer anew").on(is_ecn),
    chosen("fc_interval", "1", "a message of credits in every cycle; the paper returns each credit at once"),
];

/// Base, and ECN with the paper's parameters and with those of its simulator.
const ALL: [Scheme; 3] = [Scheme::Vl1, Scheme::Ecn, Scheme::Ecn2x];

fn title(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Ecn => "ECN",
        Scheme::Ecn2x => "ECN x 2",
        _ => "base",
    }
}

const SCALED: &str = "flit for flit: packets of 32 flits of 64 bytes in its 6.4 ns (its flits have 8 bytes), links of 4 cycles; a hop takes 9 cycles, as its do";
const ROUTES: &str = "routes are D-mod-k; the paper draws the way up for each packet, by which a hotspot's packets fill all spines. So what it says of \
     in-flight latency by 16 full spines is not claimed";
const RESERVATION: &str = "what the paper says of reservation (SRP) is not run: the scheme is not built yet";
const FIG_1: &[&str] = &[SCALED, RESERVATION];
const HOT: &[&str] = &[SCALED, ROUTES, RESERVATION, "short form: 5 ms instead of 50 ms"];
const LOADS: &[&str] = &[
    SCALED,
    ROUTES,
    RESERVATION,
    "loads of 5, 10, 40, 70 and 90 % for 0.5 ms in the short form, of 5 to 95 % for 2 ms in the full one; the first half is not counted",
];
const STEP: &[&str] =
    &[SCALED, ROUTES, RESERVATION, "seeds: 3 in the short form, 8 in the full one; the paper has 100"];

pub fn studies() -> Vec<Study> {
    let study = |id, name, source, deviations, drawn, points, evaluate, figures| Study {
        id,
        title: name,
        source,
        settings: &[SETTINGS],
        deviations,
        drawn,
        sizes: false,
        points,
        evaluate,
        figures,
    };
    vec![
        study(
            "R1",
            "Two switches: five senders to one destination, one to another",
            "Jiang et al., figures 1 and 4",
            FIG_1,
            false,
            figure_1,
            r1,
            |_| Ok(Vec::new()),
        ),
        study(
            "R2",
            "40 nodes to one of 256: how evenly they are served, how long packets are on their way",
            "Jiang et al., figure 5",
            HOT,
            true,
            hotspot,
            r2,
            |_| Ok(Vec::new()),
        ),
        study(
            "R3",
            "The others send uniformly beside such a hotspot",
            "Jiang et al., figure 6",
            LOADS,
            false,
            beside,
            r3,
            |r| Ok(vec![r3_chart(r)]),
        ),
        study(
            "R4",
            "A hotspot begins within uniform traffic",
            "Jiang et al., figure 7",
            STEP,
            true,
            step,
            r4,
            |r| Ok(vec![r4_chart(r)]),
        ),
    ]
}

fn run(net: &str, traffic: &str, scheme: Scheme, seed: u64, ms: f64) -> Result<Run> {
    let hosts = network(net)?.hosts.len();
    let config = configured(scheme, hosts, &[SETTINGS], &[])?;
    Ok(Run::new(net, TrafficSpec::load(traffic, hosts)?, config, seed, 1000.0 * ms))
}

// ---- R1

/// Time, and from when it is counted, ms.
fn r1_times(scale: Scale) -> (f64, f64) {
    scale.pick((1.0, 2.0), (2.0, 10.0))
}

fn figure_1(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (_, ms) = r1_times(scale);
    ALL.into_iter().map(|s| Ok(Point::new(title(s), run(FIGURE_1, "srp-1", s, seed, ms)?))).collect()
}

/// Gbit/s of the links.
const LINK: f64 = 80.0;

fn r1(r: &Results) -> Result<Report> {
    let (from, to) = r1_times(r.scale);
    let share = |s: Scheme, host: usize| r.of(title(s)).gbps(&format!("S{host}"), from, to).map(|v| v / LINK);
    let mut t = Table::new(
        "Shares of a link",
        &["scheme", "S0", "S1", "S2", "S3", "S4", "S5", "link to D1 (L2)", "Jain of S1 to S5"],
    )
    .on_page();
    let five = |s: Scheme| (1..6).map(|i| share(s, i)).collect::<Vec<_>>();
    let l2 = |s: Scheme| Sample::each(&five(s), |v| v.iter().sum::<f64>());
    for s in ALL {
        let mut row = vec![title(s).to_string()];
        row.extend((0..6).map(|i| share(s, i).text(4)));
        row.push(l2(s).text(4));
        row.push(Sample::each(&five(s), jain).text(4));
        t.row(row);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    report.claim(
        Claim::value("base: the link to D1 is full", Tolerance::By(0.01), [("", 1.0, l2(Scheme::Vl1))])
            .published("L2: 100 %"),
    );
    let half = |i: usize| share(Scheme::Vl1, i).over(&share(Scheme::Vl1, 3));
    report.claim(
        Claim::value(
            "base: who shares the link between the switches gets half of what the others get",
            Tolerance::By(0.03),
            [("S1/S3", 0.5, half(1)), ("S2/S3", 0.5, half(2))],
        )
        .published("S1 and S2 get half of S3, S4 and S5"),
    );
    Ok(report)
}

// ---- R2

fn r2_ms(scale: Scale) -> f64 {
    scale.pick(5.0, 50.0)
}

/// The nodes that send to the hotspot, and it.
fn spot(run: &Run) -> Result<(Vec<u32>, u32)> {
    let net = network(&run.network)?;
    let traffic = Traffic::new(&run.traffic, &net, run.config.mtu, run.seed)?;
    let senders =
        traffic.roles().iter().find(|r| r.0 == "hot").context("the traffic has hot nodes")?.1.clone();
    let hot = traffic.hotspots("spot", 0).and_then(|l| l.first().copied()).context("and a hotspot")?;
    Ok((senders, hot))
}

/// A packet now and then: what one takes with nobody in its way.
const ALONE: &str = "zero load";

fn hotspot(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let ms = r2_ms(scale);
    let mut points = Vec::new();
    for s in ALL {
        let mut run = run(TREE, "srp-hotspot", s, seed, ms)?;
        let (senders, hot) = spot(&run)?;
        run.flows = senders.into_iter().map(|from| (from, hot)).collect();
        points.push(Point::new(title(s), run));
    }
    points.push(Point::new(ALONE, run(TREE, "uniform(load=0.002)", Scheme::Vl1, seed, 1.0)?));
    Ok(points)
}

/// Mean and standard deviation of what the senders of the hotspot get from half of the run on, in shares of a link.
fn senders(o: &Outcome, ms: f64) -> (f64, f64) {
    let flows = o.report.series.iter().filter(|s| s.name.contains("->"));
    let rates: Vec<f64> = flows.map(|s| o.gbps(&s.name, ms / 2.0, ms) / LINK).collect();
    let n = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / n;
    (mean, (rates.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt())
}

fn r2(r: &Results) -> Result<Report> {
    let ms = r2_ms(r.scale);
    let mean = |s: Scheme| r.of(title(s)).measure("mean of the senders", |o| senders(o, ms).0);
    let sd = |s: Scheme| r.of(title(s)).measure("SD of the senders", |o| senders(o, ms).1);
    let way = |name: &str| r.of(name).measure("in-flight cycles", |o| o.report.network_latency.mean);
    let alone = way(ALONE);
    let times = |s: Scheme| way(title(s)).over(&alone);
    let mut t = Table::new(
        "What a sender gets, of a link, and how long packets are on their way, in times of zero load",
        &["scheme", "mean", "standard deviation", "in-flight latency"],
    )
    .on_page();
    for s in ALL {
        t.row([title(s).to_string(), mean(s).text(5), sd(s).text(5), times(s).text(1)]);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    for s in [Scheme::Ecn, Scheme::Ecn2x] {
        report.claim(
            Claim::chain(
                format!("{} serves its senders more evenly than base: standard deviations", title(s)),
                "SD: SRP < ECN < base",
                Margin::Percent(0.0),
                [("base", sd(Scheme::Vl1)), (title(s), sd(s))],
            )
            .unit("", 5),
        );
        report.claim(
            Claim::chain(
                format!("{}: in-flight latency is between base and zero load", title(s)),
                "base thousands of times that of zero load, SRP near it, ECN between",
                Margin::Percent(0.0),
                [("base", times(Scheme::Vl1)), (title(s), times(s)), ("zero load", alone.over(&alone))],
            )
            .unit("", 1),
        );
    }
    Ok(report)
}

// ---- R3

/// Time, ms; the second half counts.
fn r3_ms(scale: Scale) -> f64 {
    scale.pick(0.5, 2.0)
}

fn loads(scale: Scale) -> Vec<u32> {
    scale.pick(vec![5, 10, 40, 70, 90], (1..=19).map(|i| 5 * i).collect())
}

fn at(s: Scheme, load: u32, hot: bool) -> String {
    format!("{} {load} %{}", title(s), if hot { "" } else { " without" })
}

fn beside(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for s in ALL {
        for load in loads(scale) {
            for hot in [true, false] {
                // Without: the same nodes send next to nothing.
                let share = if hot { "100%" } else { "0.01%" };
                let traffic = format!("srp-hotspot(load={share}, uniform={load}%)");
                points.push(Point::new(at(s, load, hot), run(TREE, &traffic, s, seed, r3_ms(scale))?));
            }
        }
    }
    Ok(points)
}

/// What the uniform nodes send, of their links.
fn accepted(r: &Results, s: Scheme, load: u32, hot: bool) -> Sample {
    let ms = r3_ms(r.scale);
    r.of(at(s, load, hot)).measure("uniform share", move |o| {
        let series = o.series("uniform");
        o.gbps("uniform", ms / 2.0, ms) / (series.capacity * LINK)
    })
}

fn r3(r: &Results) -> Result<Report> {
    let mut t = Table::new(
        "What the uniform nodes get through, % of their links, with and without the hotspot",
        &["load, %", "base", "without", "ECN", "without", "ECN x 2", "without"],
    )
    .on_page();
    for load in loads(r.scale) {
        let mut row = vec![load.to_string()];
        for s in ALL {
            row.extend([true, false].map(|hot| accepted(r, s, load, hot).map(|v| 100.0 * v).text(2)));
        }
        t.row(row);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    let top = loads(r.scale).last().copied().unwrap_or_default();
    report.claim(
        Claim::bound(
            format!("base: beside the hotspot the others get less than a tenth through, at {top} % load"),
            "saturates below 10 %",
            (f64::NEG_INFINITY, 0.10),
            [("", accepted(r, Scheme::Vl1, top, true))],
        )
        .unit("", 4),
    );
    for s in [Scheme::Ecn, Scheme::Ecn2x] {
        let kept = loads(r.scale)
            .into_iter()
            .map(|load| (format!("{load} %"), accepted(r, s, load, true).over(&accepted(r, s, load, false))));
        report.claim(
            Claim::bound(
                format!(
                    "{}: the hotspot hardly affects the others: what they get through, of that without it",
                    title(s)
                ),
                "SRP and ECN hardly affected",
                (0.97, f64::INFINITY),
                kept,
            )
            .unit("", 3),
        );
    }
    Ok(report)
}

fn r3_chart(r: &Results) -> Figure {
    let series = ALL.iter().enumerate().map(|(i, &s)| {
        let points =
            loads(r.scale).into_iter().map(|l| (f64::from(l), 100.0 * accepted(r, s, l, true).of(0)));
        Series::line(title(s), points.collect()).look(i)
    });
    let chart = Chart {
        title: "Uniform nodes beside 40 that send to one".into(),
        subtitle: "256 nodes; what they get through".into(),
        x: Axis::new("Load of the uniform nodes (%)").range(0.0, 100.0),
        y: Axis::new("Got through (%)").range(0.0, 100.0),
        series: series.collect(),
        marks: Vec::new(),
    };
    Figure::new("throughput", chart.svg())
}

// ---- R4

/// The hotspot begins, ms.
const BEGINS: f64 = 1.0;

fn r4_ms(scale: Scale) -> f64 {
    scale.pick(3.0, 5.0)
}

fn step(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let point = |s: Scheme| {
        let mut run = run(TREE, "srp-step", s, seed, r4_ms(scale))?;
        run.bin_us = 20.0;
        Ok(Point::new(title(s), run))
    };
    ALL.into_iter().map(point).collect()
}

/// Mean latency of the uniform nodes' packets from their generation, by bins: the middle of the bin (ms), cycles.
fn latencies(o: &Outcome) -> Vec<(f64, f64)> {
    let ages = o.report.series.iter().filter(|s| s.name == "uniform").find_map(|s| s.ages.as_ref());
    let Some(ages) = ages else { return Vec::new() };
    let ms = |i: usize| (i as f64 + 0.5) * o.report.bin as f64 * o.report.cycle_ps as f64 * 1e-9;
    let mean = |i: usize| (ages.packets[i] > 0).then(|| ages.sum[i] as f64 / ages.packets[i] as f64);
    (0..ages.packets.len()).filter_map(|i| Some((ms(i), mean(i)?))).collect()
}

/// Mean before the hotspot, without the first 0.3 ms.
fn before(o: &Outcome) -> f64 {
    let all: Vec<f64> = latencies(o).into_iter().filter(|p| p.0 > 0.3 && p.0 < BEGINS).map(|p| p.1).collect();
    all.iter().sum::<f64>() / all.len() as f64
}

/// The highest bin after, of that.
fn peak(o: &Outcome) -> f64 {
    latencies(o).into_iter().filter(|p| p.0 > BEGINS).map(|p| p.1 / before(o)).fold(0.0, f64::max)
}

/// From when on all bins are within 10 % of it, ms after the hotspot began; no number: never.
fn back(o: &Outcome) -> f64 {
    let base = before(o);
    let after: Vec<(f64, f64)> = latencies(o).into_iter().filter(|p| p.0 > BEGINS).collect();
    match after.iter().rposition(|p| p.1 > 1.1 * base) {
        None => 0.0,
        Some(last) => after.get(last + 1).map_or(f64::NAN, |p| p.0 - BEGINS),
    }
}

fn r4(r: &Results) -> Result<Report> {
    let of = |s: Scheme, what: &str, f: fn(&Outcome) -> f64| r.of(title(s)).measure(what, f);
    let mut t = Table::new(
        "Latency of the uniform nodes' packets, from their generation",
        &["scheme", "before, cycles", "highest 20 us, times", "back within 10 %, ms"],
    )
    .on_page();
    for s in ALL {
        let (b, p, k) = (of(s, "before", before), of(s, "peak", peak), of(s, "back ms", back));
        t.row([title(s).to_string(), b.text(1), p.text(1), k.text(2)]);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    for s in [Scheme::Ecn, Scheme::Ecn2x] {
        report.claim(
            Claim::bound(
                format!("{}: a peak of latency", title(s)),
                "ECN spikes",
                (3.0, f64::INFINITY),
                [("highest", of(s, "peak", peak))],
            )
            .unit("times", 1),
        );
        report.claim(
            Claim::bound(
                format!("{}: it is back within 10 % after about 1 ms", title(s)),
                "recovers in about 1 ms",
                (0.5, 2.0),
                [("", of(s, "back ms", back))],
            )
            .unit("ms", 2),
        );
    }
    Ok(report)
}

fn r4_chart(r: &Results) -> Figure {
    let line = |(i, s): (usize, &Scheme)| {
        let us = |p: (f64, f64)| (p.0, p.1 * r.outcome(title(*s)).report.cycle_ps as f64 * 1e-6);
        let points = latencies(r.outcome(title(*s))).into_iter().map(us).collect();
        Series::line(title(*s), points).look(i)
    };
    let chart = Chart {
        title: "40 of 256 nodes turn to one".into(),
        subtitle: "the others send uniformly at 40 % load".into(),
        x: Axis::new("Time (ms)"),
        y: Axis::new("Latency from generation (us)"),
        series: ALL.iter().enumerate().map(line).collect(),
        marks: vec![(BEGINS, "hotspot".into())],
    };
    Figure::new("latency", chart.svg())
}
