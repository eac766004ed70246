//! Silent, windy and moving congestion trees in a three-stage fat tree (thesis paper IV).

use anyhow::Result;

use super::claim::{Claim, Margin, Tolerance, at_least, at_most};
use super::job::Point;
use super::plan::{Results, Scale, Study};
use super::point::Run;
use super::report::{Figure, Report, Table};
use super::sample::Sample;
use super::setting::{Setting, chosen, configured, paper, throttles};
use crate::config::Config;
use crate::fabric::traffic::TrafficSpec;
use crate::plot::{self, Axis, Chart, Series, Style};
use crate::scheme::Scheme;

/// Congestion control of paper IV, table I.
const CC: &[Setting] = &[
    paper("weight", "15").on(throttles),
    chosen("lth", "128", "1/16 of the buffer, 4 packets: what weight 15 says").on(throttles),
    chosen("hth", "162", "a little more than one MTU above").on(throttles),
    paper("marking_rate", "0").on(throttles),
    paper("packet_size", "0").on(throttles),
    paper("ccti_increase", "1").on(throttles),
    paper("ccti_limit", "127").on(throttles),
    paper("ccti_timer", "150").on(throttles),
    paper("restart", "true").on(throttles),
    chosen(
        "cct",
        "gran(contributors=all)",
        "the paper says only that it was increased for the larger number of contributors: that of paper III, which is for 4, in proportion to \
         the network; the alternative: 16 times that of paper III, with which a contributor's fair share is in the table",
    )
    .on(throttles),
    chosen(
        "inject",
        "fifo:4",
        "packets are \"sent back-to-back when not held back by the CC mechanism or the link-level flow control\": in the order of generation, and 4 is not \
         stated; the alternative: advoq, a queue for each destination",
    ),
];

const NETWORK: &str =
    "short form: a tree of 12-port switches with 72 hosts and 2 hotspots instead of 648 and 8";
const LINKS: &str = "data rate 16 Gbit/s; CC off = VOQ switch, one VL; input buffers 128 KB; hosts send 13.5 and take 13.6 Gbit/s";
const TRANSIENT: &str = "60 ms, of which the first half is dropped (short form: 30 ms and 20 ms)";

pub fn studies() -> Vec<Study> {
    vec![
        Study {
            id: "G8",
            title: "648 nodes: a silent forest of congestion trees",
            source: "thesis paper IV, table II",
            settings: &[CC],
            deviations: &[NETWORK, LINKS, TRANSIENT],
            drawn: true,
            sizes: false,
            points: g8_points,
            evaluate: g8,
            figures: g8_figures,
        },
        Study {
            id: "G9",
            title: "648 nodes: a windy forest",
            source: "thesis paper IV, figures 5 to 8",
            settings: &[CC],
            deviations: &[
                NETWORK,
                LINKS,
                TRANSIENT,
                "50 and 75 % B nodes, of which there are no claims: one draw",
            ],
            drawn: true,
            sizes: false,
            points: g9_points,
            evaluate: g9,
            figures: g9_figures,
        },
        Study {
            id: "G10",
            title: "648 nodes: moving hotspots",
            source: "thesis paper IV, figure 9",
            settings: &[CC],
            deviations: &[
                NETWORK,
                LINKS,
                "10 lifetimes a draw, and no less than 20 ms, instead of 100 ms (short form: 10 ms, lifetimes of 5 and 0.5 ms)",
            ],
            drawn: true,
            sizes: false,
            points: g10_points,
            evaluate: g10,
            figures: g10_figures,
        },
    ]
}

/// Rate at which a node sends and takes, Gbit/s.
const INJECT: f64 = 13.5;
const SINK: f64 = 13.6;

/// Hosts and hotspots.
fn size(scale: Scale) -> (usize, usize) {
    scale.pick((72, 2), (648, 8))
}

fn network(scale: Scale) -> &'static str {
    scale.pick("clos-ddr:12", "tree-648")
}

/// Simulated time and the part that is dropped, ms.
fn times(scale: Scale) -> (f64, f64) {
    scale.pick((30.0, 20.0), (60.0, 30.0))
}

fn setup(scale: Scale, on: bool) -> Result<Config> {
    configured(if on { Scheme::Ith } else { Scheme::Vl1 }, size(scale).0, &[CC], &[])
}

/// The same traffic without and with congestion control.
fn pair(name: &str, traffic: &str, scale: Scale, seed: u64, time_ms: f64) -> Result<[Point; 2]> {
    let make = |on: bool| -> Result<Point> {
        let spec = TrafficSpec::load(traffic, size(scale).0)?;
        let mut run = Run::new(network(scale), spec, setup(scale, on)?, seed, time_ms * 1000.0);
        run.bin_us = 250.0;
        Ok(Point::new(format!("{name} {}", if on { "on" } else { "off" }), run))
    };
    Ok([make(false)?, make(true)?])
}

/// Off and on: mean rate of a node of a set after the transient.
fn per_node(r: &Results, name: &str, set: &str, nodes: usize) -> [Sample; 2] {
    let (time, drop) = times(r.scale);
    ["off", "on"].map(|c| r.of(format!("{name} {c}")).gbps(set, drop, time).map(|v| v / nodes as f64))
}

/// Off and on: of the whole network.
fn total(r: &Results, name: &str) -> [Sample; 2] {
    per_node(r, name, "network", 1)
}

// G8

fn g8_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (_, hot) = size(scale);
    let time = times(scale).0;
    let mut points = Vec::new();
    points.extend(pair("alone", "silent(c=80, hotspots=0)", scale, seed, time)?);
    points.extend(pair("hot", &format!("silent(c=80, hotspots={hot})"), scale, seed, time)?);
    Ok(points)
}

fn g8(r: &Results) -> Result<Report> {
    let (hosts, hot) = size(r.scale);
    let alone = per_node(r, "alone", "network", hosts);
    let spots = per_node(r, "hot", "hot", hot);
    let others = per_node(r, "hot", "not hot", hosts - hot);
    let all = total(r, "hot");
    let mut report = Report::default();
    let mut t =
        Table::new("Mean receive rate (Gbit/s)", &["", "off, published", "off", "on, published", "on"]);
    let mut row = |name: &str, published: [&str; 2], v: &[Sample; 2]| {
        t.row([name.into(), published[0].into(), v[0].text(3), published[1].into(), v[1].text(3)]);
    };
    row("node, V nodes alone", ["2.699", "2.701"], &alone);
    row("hotspot", ["13.602", "13.279"], &spots);
    row("other node", ["0.168", "2.246"], &others);
    row("whole network", ["216.1", "1543.8"], &all);
    report.tables.push(t);
    report.claim(
        Claim::value(
            "V nodes alone: all that they offer arrives",
            Tolerance::Percent(5.0),
            [("off", 2.699, alone[0].clone()), ("on", 2.701, alone[1].clone())],
        )
        .unit("Gbit/s", 3),
    );
    report.claim(
        Claim::value(
            "the hotspots are full without control, and lose little with it",
            Tolerance::Percent(3.0),
            [("off", 13.602, spots[0].clone()), ("on", 13.279, spots[1].clone())],
        )
        .unit("Gbit/s", 2),
    );
    let of_alone = |i: usize| others[i].over(&alone[i]).map(|v| 100.0 * v);
    report.claim(
        Claim::bound(
            "off: the others collapse: share of what they had alone",
            "6 %",
            at_most(20.0),
            [("", of_alone(0))],
        )
        .unit("%", 1),
    );
    report.claim(
        Claim::bound(
            "on: the others recover: share of what they had alone",
            "83 %",
            at_least(70.0),
            [("", of_alone(1))],
        )
        .unit("%", 1),
    );
    let gain = all[1].over(&all[0]);
    if r.scale.quick() {
        // In the small tree the hotspots are a larger part of all that can arrive, so the gain is smaller there.
        let words = "7.14 times (648 nodes); the published rates of a node give 4.7 times here";
        report.claim(Claim::bound("total throughput grows", words, at_least(3.0), [("", gain)]));
    } else {
        report.claim(
            Claim::value(
                "rate of the nodes that are no hotspot",
                Tolerance::Percent(20.0),
                [("off", 0.168, others[0].clone()), ("on", 2.246, others[1].clone())],
            )
            .unit("Gbit/s", 3),
        );
        report.claim(
            Claim::value("total throughput grows", Tolerance::Percent(20.0), [("", 7.14, gain)])
                .unit("times", 2),
        );
    }
    Ok(report)
}

fn g8_figures(r: &Results) -> Result<Vec<Figure>> {
    let (hosts, hot) = size(r.scale);
    let line = |name: &str, look| {
        let o = r.outcome(&format!("hot {}", name.trim_start_matches("CC ")));
        let points = o.report.gbps_over_ms(o.series("not hot"));
        let each = points.into_iter().map(|(t, v)| (t, v / (hosts - hot) as f64)).collect();
        Series::line(name, each).look(look)
    };
    let end = times(r.scale).0;
    let level = |name: &str, v: f64, look| Series::line(name, vec![(0.0, v), (end, v)]).look(look);
    let mut series = vec![line("CC on", 0), line("CC off", 4)];
    if !r.scale.quick() {
        series.push(level("CC on, published", 2.246, 1));
        series.push(level("CC off, published", 0.168, 2));
    }
    series.push(level("V nodes alone", 0.2 * INJECT, 3));
    let chart = Chart {
        title: "G8: nodes that are no hotspot, 80 % C nodes".into(),
        subtitle: format!("{hosts} nodes, {hot} hotspots"),
        x: Axis::new("Time (ms)"),
        y: Axis::new("Receive rate of a node (Gbit/s)").range(0.0, 3.0),
        series,
        marks: Vec::new(),
    };
    Ok(vec![Figure::new("receive", chart.svg())])
}

// G9

fn g9_grid(scale: Scale) -> (&'static [u32], &'static [u32]) {
    scale.pick((&[25, 100], &[60, 100]), (&[25, 50, 75, 100], &[0, 10, 30, 60, 90, 100]))
}

fn g9_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (bs, ps) = g9_grid(scale);
    let (_, hot) = size(scale);
    let mut points = Vec::new();
    for &b in bs {
        for &p in ps {
            // The claims are on 25 and 100 % B nodes: one draw of the others shows the trend.
            let seed = if [25, 100].contains(&b) { seed } else { 1 };
            let traffic = format!("windy(b={b}, p={p}, hotspots={hot})");
            points.extend(pair(&format!("{b}/{p}"), &traffic, scale, seed, times(scale).0)?);
        }
    }
    Ok(points)
}

/// What the nodes that are no hotspot would get without hotspots: what is sent uniformly, Gbit/s.
fn most(b: u32, p: u32) -> f64 {
    let (b, p) = (f64::from(b) / 100.0, f64::from(p) / 100.0);
    (b * (1.0 - p) + (1.0 - b) * 0.2) * INJECT
}

fn g9_others(r: &Results, b: u32, p: u32) -> [Sample; 2] {
    let (hosts, hot) = size(r.scale);
    per_node(r, &format!("{b}/{p}"), "not hot", hosts - hot)
}

fn g9_gain(r: &Results, b: u32, p: u32) -> Sample {
    let [off, on] = total(r, &format!("{b}/{p}"));
    on.over(&off)
}

/// Total gain with 100 % B nodes that send in the order of generation: off, a node gets its part of a hotspot through, and beside it what it
/// generates meanwhile; on, the hotspots are full and the others have all.
fn in_order_gain(hosts: usize, hot: usize, p: u32) -> f64 {
    let (hosts, hot, share) = (hosts as f64, hot as f64, f64::from(p) / 100.0);
    let off = hot * SINK / share;
    (hot * SINK + (hosts - hot) * most(100, p)) / off
}

fn g9(r: &Results) -> Result<Report> {
    let (bs, ps) = g9_grid(r.scale);
    let (hosts, hot) = size(r.scale);
    let gain = |b, p| g9_gain(r, b, p);
    let others = |b, p| g9_others(r, b, p);
    let better = |b, p| {
        let [off, on] = g9_others(r, b, p);
        on.over(&off)
    };
    let spots = |b, p| per_node(r, &format!("{b}/{p}"), "hot", hot);
    let mut report = Report::default();
    let mut t = Table::new(
        "Receive rates (Gbit/s) and gain of the whole network",
        &["B nodes", "p", "others off", "others on", "t_max", "hotspots off", "hotspots on", "total gain"],
    );
    for &b in bs {
        for &p in ps {
            let (o, h) = (others(b, p), spots(b, p));
            let cells = [format!("{b} %"), p.to_string(), o[0].text(3), o[1].text(3)];
            let more = [format!("{:.2}", most(b, p)), h[0].text(2), h[1].text(2), gain(b, p).text(2)];
            t.row(cells.into_iter().chain(more));
        }
    }
    report.tables.push(t);
    let at = |p: u32| format!("p = {p}");
    let each = |f: &dyn Fn(u32) -> Sample| ps.iter().map(|&p| (at(p), f(p))).collect::<Vec<_>>();
    let near = Tolerance::Percent(25.0);
    if r.scale.quick() {
        // In the small tree the hotspots are 2 of 72 nodes, in the paper's 8 of 648: what a node gets through to a hotspot, and with it what
        // the others have without control, is 2.25 times as much.
        let words =
            "6.0 (p = 100) to 8.7 (p = 60) at 648 nodes; the published rates of a node give 3.0 to 4.0 here";
        report.claim(Claim::bound(
            "25 % B nodes: control multiplies the total throughput",
            words,
            at_least(2.5),
            each(&|p| gain(25, p)),
        ));
        let words =
            "16.3 (p = 60), 12.9 or more (p = 100) at 648 nodes; 7.2 and 5.7 with the hotspots of this tree";
        report.claim(Claim::bound(
            "25 % B nodes: what nodes that are no hotspot receive is multiplied",
            words,
            at_least(5.0),
            each(&|p| better(25, p)),
        ));
        report.claim(
            Claim::value(
                "100 % B nodes: total gain",
                near,
                [(at(60), in_order_gain(hosts, hot, 60), gain(100, 60))],
            )
            .published(format!(
                "17 at 648 nodes; the paper's nodes, which send in order, give {:.1} here and {:.1} there",
                in_order_gain(hosts, hot, 60),
                in_order_gain(648, 8, 60)
            )),
        );
    } else {
        report.claim(Claim::value(
            "25 % B nodes: control multiplies the total throughput",
            near,
            [(at(60), 8.7, gain(25, 60)), (at(100), 6.0, gain(25, 100))],
        ));
        report.claim(Claim::bound(
            "25 % B nodes: control multiplies the total throughput at every p",
            "6.0 (p = 100) to 8.7 (p = 60)",
            (0.75 * 6.0, 1.25 * 8.7),
            each(&|p| gain(25, p)),
        ));
        report.claim(Claim::value(
            "25 % B nodes: what nodes that are no hotspot receive is multiplied",
            near,
            [(0, 8.6), (10, 9.1), (60, 16.3)].map(|(p, published)| (at(p), published, better(25, p))),
        ));
        report.claim(Claim::bound(
            "25 % B nodes: so it is from p = 30 on",
            "12.9 to 16.3",
            (0.75 * 12.9, 1.25 * 16.3),
            [30, 60, 90, 100].map(|p| (at(p), better(25, p))),
        ));
        report.claim(Claim::value(
            "100 % B nodes: what nodes that are no hotspot receive is multiplied",
            near,
            [(at(10), 4.1, better(100, 10)), (at(90), 64.1, better(100, 90))],
        ));
        report.claim(Claim::value("100 % B nodes: total gain", near, [(at(60), 17.0, gain(100, 60))]));
    }
    let ends = ps.iter().filter(|&&p| p == 0 || p == 100).map(|&p| (at(p), 1.0, gain(100, p)));
    report.claim(
        Claim::value("100 % B nodes: nothing to gain at the ends (total)", Tolerance::Percent(10.0), ends)
            .published("others 0.97 at p = 0; about 1 at p = 100"),
    );
    let others_first = ps.iter().position(|&p| p == 60).expect("p = 60 is in the grid");
    let pairs: Vec<(usize, usize)> =
        (0..ps.len()).filter(|&i| i != others_first).map(|i| (others_first, i)).collect();
    report.claim(Claim::order(
        "100 % B nodes: the gain peaks at p = 60",
        "peak at p = 60",
        Margin::Percent(10.0),
        each(&|p| gain(100, p)),
        &pairs,
    ));
    report.claim(
        Claim::value(
            "25 % B nodes: the hotspots lose little (on)",
            Tolerance::Percent(5.0),
            ps.iter().map(|&p| (at(p), 13.3, spots(25, p)[1].clone())),
        )
        .published("13.6 -> 13.3 Gbit/s at every p")
        .unit("Gbit/s", 2),
    );
    let level = ps.iter().filter(|&&p| p >= 60);
    let of_most = level.map(|&p| (at(p), others(25, p)[1].map(|v| 100.0 * v / most(25, p))));
    report.claim(
        Claim::bound(
            "25 % B nodes: share of t_max that nodes that are no hotspot have with control",
            "80 % from p = 60 on",
            at_least(80.0),
            of_most,
        )
        .unit("%", 0),
    );
    Ok(report)
}

fn g9_figures(r: &Results) -> Result<Vec<Figure>> {
    let (bs, ps) = g9_grid(r.scale);
    let (hosts, hot) = size(r.scale);
    let chart = |title: String, y: &str, series| Chart {
        title,
        x: Axis::new("p: share of a B node's traffic to its hotspot (%)"),
        y: Axis::new(y),
        series,
        ..Chart::default()
    };
    let curve = |f: &dyn Fn(u32) -> f64| ps.iter().map(|&p| (f64::from(p), f(p))).collect::<Vec<_>>();
    let mut panels = Vec::new();
    for &b in bs {
        let series = vec![
            Series::line("CC on", curve(&|p| g9_others(r, b, p)[1].mean())).look(0),
            Series::line("CC off", curve(&|p| g9_others(r, b, p)[0].mean())).look(4),
            Series::line("t_max", curve(&|p| most(b, p))).look(3),
        ];
        panels.push(chart(format!("{b} % B nodes"), "Receive rate of others (Gbit/s)", series));
    }
    let gains =
        bs.iter().map(|&b| Series::line(&format!("{b} % B nodes"), curve(&|p| g9_gain(r, b, p).mean())));
    panels.push(chart("Gain of the whole network by CC".into(), "Throughput on / off", gains.collect()));
    let title = "G9: a windy forest of congestion trees".into();
    let subtitle = format!("{hosts} nodes, {hot} hotspots; means over the draws");
    let figure = plot::Figure { title, subtitle, columns: 2, panels };
    Ok(vec![Figure::new("windy", figure.svg())])
}

// G10

/// Shares of C nodes, and lifetimes in ms.
fn g10_grid(scale: Scale) -> (&'static [u32], &'static [f64]) {
    scale.pick((&[80], &[5.0, 0.5]), (&[80, 40], &[10.0, 5.0, 2.0, 1.0]))
}

/// Simulated time, ms: ten lifetimes, and no less than 20 ms.
fn g10_time(scale: Scale, life: f64) -> f64 {
    scale.pick(10.0, (10.0 * life).max(20.0))
}

fn g10_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (cs, lives) = g10_grid(scale);
    let (_, hot) = size(scale);
    let mut points = Vec::new();
    for &c in cs {
        for &life in lives {
            let traffic = format!("moving(b=0, c={c}, life={life} ms, hotspots={hot})");
            points.extend(pair(&format!("{c}/{life}"), &traffic, scale, seed, g10_time(scale, life))?);
        }
    }
    Ok(points)
}

/// Off and on: mean receive rate of a node, Mbit/s.
fn g10_rate(r: &Results, c: u32, life: f64) -> [Sample; 2] {
    let hosts = size(r.scale).0 as f64;
    ["off", "on"].map(|on| {
        let o = r.of(format!("{c}/{life} {on}"));
        o.gbps("network", 0.0, g10_time(r.scale, life)).map(|v| 1000.0 * v / hosts)
    })
}

fn g10(r: &Results) -> Result<Report> {
    let (cs, lives) = g10_grid(r.scale);
    let rate = |c, life| g10_rate(r, c, life);
    let gain = |c, life| {
        let [off, on] = g10_rate(r, c, life);
        on.gain(&off)
    };
    let mut report = Report::default();
    let mut t = Table::new(
        "Mean receive rate of a node (Mbit/s)",
        &["C nodes", "lifetime (ms)", "off", "on", "gain (%)", "gain, published"],
    );
    for &c in cs {
        for &life in lives {
            let published = match (c, life) {
                (80, 10.0) => "55 % (467 -> 723)",
                (80, 2.0) => "10 %",
                (80, 1.0) => "4 %",
                (40, 10.0) => "2.6 times",
                (40, 1.0) => "10 %",
                _ => "",
            };
            let [off, on] = rate(c, life);
            let cells = [format!("{c} %"), format!("{life}"), off.text(0), on.text(0)];
            t.row(cells.into_iter().chain([gain(c, life).text(0), published.into()]));
        }
    }
    report.tables.push(t);
    let (long, short) = (lives[0], lives[lives.len() - 1]);
    report.claim(
        Claim::chain(
            "80 % C nodes: the gain by control shrinks with the lifetime of the hotspots",
            "55 % (10 ms), 10 % (2 ms), 4 % (1 ms)",
            Margin::By(0.0),
            lives.iter().map(|&life| (format!("{life} ms"), gain(80, life))),
        )
        .unit("%", 0),
    );
    if r.scale.quick() {
        report.claim(
            Claim::bound(
                format!("hotspots that live {long} ms: control gains"),
                "55 % at 10 ms",
                at_least(30.0),
                [("", gain(80, long))],
            )
            .unit("%", 0),
        );
        report.claim(
            Claim::bound(
                format!("hotspots that live {short} ms: control does not hurt"),
                "4 % at 1 ms, and it never hurts",
                at_least(0.0),
                [("", gain(80, short))],
            )
            .unit("%", 0),
        );
    } else {
        report.claim(
            Claim::value(
                "80 % C nodes, hotspots that live 10 ms: gain",
                Tolerance::Percent(20.0),
                [("", 55.0, gain(80, 10.0))],
            )
            .unit("%", 0),
        );
        report.claim(
            Claim::value(
                "80 % C nodes, hotspots that live 10 ms: receive rate of a node",
                Tolerance::Percent(20.0),
                [("off", 467.0, rate(80, 10.0)[0].clone()), ("on", 723.0, rate(80, 10.0)[1].clone())],
            )
            .unit("Mbit/s", 0),
        );
        report.claim(
            Claim::value(
                "80 % C nodes, hotspots that live 2 and 1 ms: gain",
                Tolerance::By(5.0),
                [("2 ms", 10.0, gain(80, 2.0)), ("1 ms", 4.0, gain(80, 1.0))],
            )
            .unit("%", 0),
        );
        let [off, on] = rate(40, 10.0);
        report.claim(
            Claim::value(
                "60 % V nodes, hotspots that live 10 ms: gain",
                Tolerance::Percent(20.0),
                [("", 2.6, on.over(&off))],
            )
            .unit("times", 2),
        );
        report.claim(
            Claim::value(
                "60 % V nodes, hotspots that live 1 ms: gain",
                Tolerance::By(5.0),
                [("", 10.0, gain(40, 1.0))],
            )
            .unit("%", 0),
        );
        report.claim(
            Claim::order(
                "60 % V nodes: more to gain than with 20 %, and less as hotspots live shorter",
                "2.6 times at 10 ms, 10 % at 1 ms",
                Margin::By(0.0),
                [
                    ("60 % V, 10 ms", gain(40, 10.0)),
                    ("20 % V, 10 ms", gain(80, 10.0)),
                    ("60 % V, 1 ms", gain(40, 1.0)),
                ],
                &[(0, 1), (0, 2)],
            )
            .unit("%", 0),
        );
    }
    report.claim(
        Claim::chain(
            "without control the network carries more when the hotspots move more often",
            "increases",
            Margin::Percent(10.0),
            [short, long].map(|life| (format!("{life} ms"), rate(80, life)[0].clone())),
        )
        .unit("Mbit/s", 0),
    );
    Ok(report)
}

fn g10_figures(r: &Results) -> Result<Vec<Figure>> {
    let (cs, lives) = g10_grid(r.scale);
    let (hosts, hot) = size(r.scale);
    let mut panels = Vec::new();
    for &c in cs {
        let curve = |k: usize| lives.iter().map(|&l| (l, g10_rate(r, c, l)[k].mean())).collect::<Vec<_>>();
        let mut series =
            vec![Series::line("CC on", curve(1)).look(0), Series::line("CC off", curve(0)).look(4)];
        if !r.scale.quick() {
            series.push(published(c));
        }
        panels.push(Chart {
            title: format!("{} % V nodes, {c} % C nodes", 100 - c),
            x: Axis::new("Lifetime of the hotspots (ms)"),
            y: Axis::new("Receive rate of a node (Mbit/s)"),
            series,
            ..Chart::default()
        });
    }
    let figure = plot::Figure {
        title: "G10: a stormy forest of moving congestion trees".into(),
        subtitle: format!("{hosts} nodes, {hot} hotspots; means over the draws"),
        columns: 2,
        panels,
    };
    Ok(vec![Figure::new("moving", figure.svg())])
}

/// The rates that the paper states.
fn published(c: u32) -> Series {
    let points = if c == 80 { vec![(10.0, 467.0), (10.0, 723.0)] } else { Vec::new() };
    Series::line("published", points).style(Style::Points).look(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The model behind the bounds of the small tree gives the published peak, and the published receive rate without control.
    #[test]
    fn nodes_that_send_in_order_give_the_published_gain() {
        assert!((in_order_gain(648, 8, 60) / 17.0 - 1.0).abs() < 0.2, "{}", in_order_gain(648, 8, 60));
        assert!((SINK * 8.0 / 648.0 - 0.168).abs() < 0.001);
    }
}
