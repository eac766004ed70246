//! Silent, windy and moving congestion trees in a three-stage fat tree (thesis paper IV).

use anyhow::Result;

use super::plan::{Results, Scale, Study};
use super::point::{Outcome, Point, Run, config};
use super::report::{Report, Table};
use crate::config::Config;
use crate::fabric::traffic::TrafficSpec;
use crate::plot::{Axis, Chart, Figure, Series, Style};
use crate::scheme::Scheme;

const CHOSEN: &str = "quick: a tree of 12-port switches with 72 hosts and 2 hotspots instead of 648 and 8; data rate 16 Gbit/s; \
     CC off = VOQ switch, one VL; input buffers 128 KB; hysteresis 34 flits; the paper says only that the CCT was increased: \
     16 times that of paper III, so that the fair share of a contributor lies inside the table; the \
     transient is dropped";

pub fn studies() -> Vec<Study> {
    vec![
        Study {
            id: "G8",
            title: "648 nodes: a silent forest of congestion trees",
            source: "thesis paper IV, table II",
            chosen: CHOSEN,
            points: g8_points,
            evaluate: g8,
        },
        Study {
            id: "G9",
            title: "648 nodes: a windy forest",
            source: "thesis paper IV, figures 5 to 8",
            chosen: CHOSEN,
            points: g9_points,
            evaluate: g9,
        },
        Study {
            id: "G10",
            title: "648 nodes: moving hotspots",
            source: "thesis paper IV, figure 9",
            chosen: CHOSEN,
            points: g10_points,
            evaluate: g10,
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
    let hosts = size(scale).0;
    if !on {
        return config(Scheme::Vl1, hosts, &[]);
    }
    let cct = 16.0 * 7.0 / (106.0 * 106.0);
    config(
        Scheme::Ith,
        hosts,
        &[
            ("weight", "15".into()),
            ("lth", "128".into()),
            ("hth", "162".into()),
            ("marking_rate", "0".into()),
            ("packet_size", "0".into()),
            ("ccti_timer", "150".into()),
            ("cct_us", format!("{cct:.9}")),
        ],
    )
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

fn both<'a>(r: &'a Results, name: &str) -> [&'a Outcome; 2] {
    [r.of(&format!("{name} off")), r.of(&format!("{name} on"))]
}

/// Mean rate of a node of a set after the transient.
fn per_node(o: &Outcome, set: &str, nodes: usize, scale: Scale) -> f64 {
    let (time, drop) = times(scale);
    o.gbps(set, drop, time) / nodes as f64
}

fn total(o: &Outcome, scale: Scale) -> f64 {
    let (time, drop) = times(scale);
    o.gbps("network", drop, time)
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
    let scale = r.scale;
    let (hosts, hot) = size(scale);
    let alone = both(r, "alone").map(|o| per_node(o, "network", hosts, scale));
    let spots = both(r, "hot").map(|o| per_node(o, "hot", hot, scale));
    let others = both(r, "hot").map(|o| per_node(o, "not hot", hosts - hot, scale));
    let all = both(r, "hot").map(|o| total(o, scale));
    let mut report = Report::default();
    let mut t =
        Table::new("Mean receive rate (Gbit/s)", &["", "off, published", "off", "on, published", "on"]);
    let mut row = |name: &str, published: [&str; 2], v: [f64; 2]| {
        t.row([
            name.into(),
            published[0].into(),
            format!("{:.3}", v[0]),
            published[1].into(),
            format!("{:.3}", v[1]),
        ]);
    };
    row("node, V nodes alone", ["2.699", "2.701"], alone);
    row("hotspot", ["13.602", "13.279"], spots);
    row("other node", ["0.168", "2.246"], others);
    row("whole network", ["216.1", "1543.8"], all);
    report.tables.push(t);
    let share = 0.2 * INJECT;
    report.claim(
        "V nodes alone: all that they offer arrives, with and without control (5 %)",
        "2.699, 2.701 of 2.7",
        format!("{:.3}, {:.3}", alone[0], alone[1]),
        alone.iter().all(|v| (v - share).abs() <= 0.05 * share),
    );
    report.claim(
        "off: the hotspots are full (97 % of 13.6) and the others collapse (below a fifth of what they had)",
        "13.602; 0.168 (6 %)",
        format!("{:.2}; {:.3} ({:.0} %)", spots[0], others[0], 100.0 * others[0] / alone[0]),
        spots[0] >= 0.97 * SINK && others[0] < 0.2 * alone[0],
    );
    report.claim(
        "on: the others recover (70 % of what they had)",
        "2.246 (83 %)",
        format!("{:.3} ({:.0} %)", others[1], 100.0 * others[1] / alone[1]),
        others[1] >= 0.7 * alone[1],
    );
    report.claim(
        "on: the hotspots lose little (at most 10 %)",
        "13.279 (-2.4 %)",
        format!("{:.2} ({:.1} %)", spots[1], 100.0 * (spots[1] / spots[0] - 1.0)),
        spots[1] >= 0.9 * spots[0],
    );
    // In the small tree the hotspots are a larger part of all that can arrive, so the gain is smaller there.
    let least = scale.pick(1.5, 4.0);
    report.claim(
        format!("total throughput grows {least} times or more"),
        "7.14 times",
        format!("{:.0} -> {:.0} Gbit/s: {:.2} times", all[0], all[1], all[1] / all[0]),
        all[1] >= least * all[0],
    );
    let [off, on] = both(r, "hot");
    let line = |name: &str, o: &Outcome, look| {
        let points = o.report.gbps_over_ms(o.series("not hot"));
        let each = points.into_iter().map(|(t, v)| (t, v / (hosts - hot) as f64)).collect();
        Series::line(name, each).look(look)
    };
    let end = times(scale).0;
    let level = |name: &str, v: f64, look| Series::line(name, vec![(0.0, v), (end, v)]).look(look);
    let mut series = vec![line("CC on", on, 0), line("CC off", off, 4)];
    if !scale.quick() {
        series.push(level("CC on, published", 2.246, 1));
        series.push(level("CC off, published", 0.168, 2));
    }
    series.push(level("V nodes alone", share, 3));
    let chart = Chart {
        title: "G8: nodes that are no hotspot, 80 % C nodes".into(),
        subtitle: format!("{hosts} nodes, {hot} hotspots"),
        x: Axis::new("Time (ms)"),
        y: Axis::new("Receive rate of a node (Gbit/s)").range(0.0, 3.0),
        series,
        marks: Vec::new(),
    };
    report.figure("receive", chart.svg());
    Ok(report)
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
            let traffic = format!("windy(b={b}, p={p}, hotspots={hot})");
            points.extend(pair(&format!("{b}/{p}"), &traffic, scale, seed, times(scale).0)?);
        }
    }
    Ok(points)
}

fn g9(r: &Results) -> Result<Report> {
    let scale = r.scale;
    let (bs, ps) = g9_grid(scale);
    let (hosts, hot) = size(scale);
    let gain = |b: u32, p: u32| {
        let [off, on] = both(r, &format!("{b}/{p}")).map(|o| total(o, scale));
        on / off
    };
    let others =
        |b: u32, p: u32| both(r, &format!("{b}/{p}")).map(|o| per_node(o, "not hot", hosts - hot, scale));
    let spots = |b: u32, p: u32| both(r, &format!("{b}/{p}")).map(|o| per_node(o, "hot", hot, scale));
    // What the others would get without hotspots: what is sent uniformly.
    let most = |b: u32, p: u32| {
        let (b, p) = (f64::from(b) / 100.0, f64::from(p) / 100.0);
        (b * (1.0 - p) + (1.0 - b) * 0.2) * INJECT
    };
    let mut report = Report::default();
    let mut t = Table::new(
        "Receive rates (Gbit/s) and gain of the whole network",
        &["B nodes", "p", "others off", "others on", "t_max", "hotspots off", "hotspots on", "total gain"],
    );
    for &b in bs {
        for &p in ps {
            let (o, h) = (others(b, p), spots(b, p));
            t.row([
                format!("{b} %"),
                p.to_string(),
                format!("{:.3}", o[0]),
                format!("{:.3}", o[1]),
                format!("{:.2}", most(b, p)),
                format!("{:.2}", h[0]),
                format!("{:.2}", h[1]),
                format!("{:.2}", gain(b, p)),
            ]);
        }
    }
    report.tables.push(t);
    // In the small tree the hotspots are 2 of 72 nodes, in the paper's 8 of 648: there is less to gain.
    let least = scale.pick(1.5, 4.0);
    let gains: Vec<f64> = ps.iter().map(|&p| gain(25, p)).collect();
    let text = |v: &[f64]| v.iter().map(|g| format!("{g:.2}")).collect::<Vec<_>>().join(", ");
    report.claim(
        format!("25 % B nodes: control multiplies the total throughput at every p ({least} times or more)"),
        "6.0 (p = 100) to 8.7 (p = 60)",
        text(&gains),
        gains.iter().all(|&g| g >= least),
    );
    let o: Vec<f64> = ps.iter().map(|&p| others(25, p)[1] / others(25, p)[0]).collect();
    report.claim(
        format!("25 % B nodes: nodes that are no hotspot receive {} times as much or more", 1.5 * least),
        "8.6 (p = 0), 12.9 to 16.3 (p = 30 to 100)",
        text(&o),
        o.iter().all(|&g| g >= 1.5 * least),
    );
    let gains: Vec<f64> = ps.iter().map(|&p| gain(100, p)).collect();
    let (first, last) = (gains[0], gains[gains.len() - 1]);
    let peak = gains.iter().copied().fold(0.0, f64::max);
    let at_0 = ps[0] == 0;
    report.claim(
        format!(
            "100 % B nodes: nothing to gain at {}p = 100 (0.9 to 1.1)",
            if at_0 { "p = 0 and " } else { "" }
        ),
        "0.97 at p = 0; about 1 at p = 100",
        text(&gains),
        (0.9..=1.1).contains(&last) && (!at_0 || (0.9..=1.1).contains(&first)),
    );
    let least = scale.pick(1.2, 6.0);
    report.claim(
        format!("100 % B nodes: the gain peaks between ({least} times or more)"),
        "17 at p = 60",
        format!("{} at p = {}: {peak:.2} at the peak", text(&gains), text_of(ps)),
        peak >= least && peak > last && (!at_0 || peak > first),
    );
    let h: Vec<f64> = ps.iter().map(|&p| spots(25, p)[1] / spots(25, p)[0]).collect();
    report.claim(
        "25 % B nodes: the hotspots lose at most 10 %",
        "13.6 -> 13.3 (-2.2 %)",
        text(&h),
        h.iter().all(|&g| g >= 0.9),
    );
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
            Series::line("CC on", curve(&|p| others(b, p)[1])).look(0),
            Series::line("CC off", curve(&|p| others(b, p)[0])).look(4),
            Series::line("t_max", curve(&|p| most(b, p))).look(3),
        ];
        panels.push(chart(format!("{b} % B nodes"), "Receive rate of others (Gbit/s)", series));
    }
    let gains = bs.iter().map(|&b| Series::line(&format!("{b} % B nodes"), curve(&|p| gain(b, p)))).collect();
    panels.push(chart("Gain of the whole network by CC".into(), "Throughput on / off", gains));
    let title = "G9: a windy forest of congestion trees".into();
    let figure = Figure { title, subtitle: format!("{hosts} nodes, {hot} hotspots"), columns: 2, panels };
    report.figure("windy", figure.svg());
    Ok(report)
}

fn text_of(values: &[u32]) -> String {
    values.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

// G10

/// Shares of C nodes, and lifetimes in ms.
fn g10_grid(scale: Scale) -> (&'static [u32], &'static [f64]) {
    scale.pick((&[80], &[5.0, 0.5]), (&[80, 40], &[10.0, 5.0, 2.0, 1.0]))
}

fn g10_time(scale: Scale) -> f64 {
    scale.pick(10.0, 100.0)
}

fn g10_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (cs, lives) = g10_grid(scale);
    let (_, hot) = size(scale);
    let mut points = Vec::new();
    for &c in cs {
        for &life in lives {
            let traffic = format!("moving(b=0, c={c}, life={life} ms, hotspots={hot})");
            points.extend(pair(&format!("{c}/{life}"), &traffic, scale, seed, g10_time(scale))?);
        }
    }
    Ok(points)
}

fn g10(r: &Results) -> Result<Report> {
    let scale = r.scale;
    let (cs, lives) = g10_grid(scale);
    let (hosts, hot) = size(scale);
    // Mean receive rate of a node, Mbit/s.
    let rate = |c: u32, life: f64| {
        both(r, &format!("{c}/{life}"))
            .map(|o| o.gbps("network", 0.0, g10_time(scale)) / hosts as f64 * 1000.0)
    };
    let gain = |c: u32, life: f64| {
        let [off, on] = rate(c, life);
        100.0 * (on / off - 1.0)
    };
    let mut report = Report::default();
    let mut t = Table::new(
        "Mean receive rate of a node (Mbit/s)",
        &["C nodes", "lifetime (ms)", "off", "on", "gain", "gain, published"],
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
            let cells = [format!("{c} %"), format!("{life}"), format!("{off:.0}"), format!("{on:.0}")];
            t.row(cells.into_iter().chain([format!("{:.0} %", gain(c, life)), published.into()]));
        }
    }
    report.tables.push(t);
    let (long, short) = (lives[0], lives[lives.len() - 1]);
    let gains: Vec<String> = lives.iter().map(|&l| format!("{:.0} % ({l} ms)", gain(80, l))).collect();
    report.claim(
        "80 % C nodes: the gain by control shrinks with the lifetime of the hotspots",
        "55 % (10 ms), 10 % (2 ms), 4 % (1 ms)",
        gains.join(", "),
        gain(80, long) > gain(80, short),
    );
    report.claim(
        format!("hotspots that live {long} ms: control gains 20 % or more"),
        "55 %",
        format!("{:.0} %", gain(80, long)),
        gain(80, long) >= 20.0,
    );
    report.claim(
        format!("hotspots that live {short} ms: it does not hurt (more than -5 %)"),
        "4 %",
        format!("{:.0} %", gain(80, short)),
        gain(80, short) > -5.0,
    );
    let (a, b) = (rate(80, long)[0], rate(80, short)[0]);
    report.claim(
        "without control the network carries more when the hotspots move more often",
        "increases",
        format!("{a:.0} -> {b:.0} Mbit/s"),
        b > a,
    );
    if cs.contains(&40) {
        report.claim(
            "60 % V nodes: more to gain than with 20 %, and less as hotspots live shorter",
            "2.6 times at 10 ms, 10 % at 1 ms",
            format!("{:.0} % at {long} ms, {:.0} % at {short} ms", gain(40, long), gain(40, short)),
            gain(40, long) > gain(80, long) && gain(40, long) > gain(40, short),
        );
    }
    let mut panels = Vec::new();
    for &c in cs {
        let curve = |k: usize| lives.iter().map(|&l| (l, rate(c, l)[k])).collect::<Vec<_>>();
        panels.push(Chart {
            title: format!("{} % V nodes, {c} % C nodes", 100 - c),
            x: Axis::new("Lifetime of the hotspots (ms)"),
            y: Axis::new("Receive rate of a node (Mbit/s)"),
            series: vec![
                Series::line("CC on", curve(1)).look(0),
                Series::line("CC off", curve(0)).look(4),
                Series { style: Style::Points, ..published(c) },
            ]
            .into_iter()
            .filter(|s| !scale.quick() || !s.name.starts_with("published"))
            .collect(),
            ..Chart::default()
        });
    }
    let figure = Figure {
        title: "G10: a stormy forest of moving congestion trees".into(),
        subtitle: format!("{hosts} nodes, {hot} hotspots"),
        columns: 2,
        panels,
    };
    report.figure("moving", figure.svg());
    Ok(report)
}

/// The rates that the paper states.
fn published(c: u32) -> Series {
    let points = if c == 80 { vec![(10.0, 467.0), (10.0, 723.0)] } else { Vec::new() };
    Series::line("published", points).look(2)
}
