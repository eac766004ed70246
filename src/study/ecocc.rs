//! EcoCC against its parts, plain VOQs and VOQnet (thesis paper VI and its supplement).

use anyhow::Result;

use super::figures::normalised;
use super::plan::{Results, Scale, Study};
use super::point::{Outcome, Point, Run, config};
use super::report::{Report, Table};
use crate::config::{Config, Origin};
use crate::fabric::traffic::TrafficSpec;
use crate::plot::{Axis, Chart, Figure, Series};
use crate::scheme::{Isolation, Scheme};

const CHOSEN: &str = "128 KB per input port, 2 HPQs, HTh 6 and LTh 4 packets, 9 CAM lines, CCTI_Timer 150, Marking_Rate 1 as in \
     the paper; CCT of paper III; D-mod-k for DESTRO; hotspots and their sources drawn by the seed; every hot source sends to all 4 or 6 \
     hotspots, a message at a time (`each=all`); quick: 64 nodes";

pub fn studies() -> Vec<Study> {
    vec![
        Study {
            id: "E1",
            title: "EcoCC, HFDI, IB-ITh, 1VL and VOQnet under 1, 4 and 6 congestion trees",
            source: "thesis paper VI, figure 7",
            chosen: CHOSEN,
            points: e1_points,
            evaluate: e1,
        },
        Study {
            id: "E2",
            title: "Average gain of EcoCC and CCFIT",
            source: "thesis paper VI, table 3",
            chosen: "as E1 and C3 (CCFIT: 40 Gbit/s, 128 KB); gain of the mean throughput while the hotspots are on; of the \
                     published switches with one read port only 1Q, FBICM (= HFDI there) and CCFIT are built; for 64 nodes the \
                     table has the other reading of traffic 2 too, a quarter of the hot sources to each hotspot (`each=one`)",
            points: e2_points,
            evaluate: e2,
        },
        Study {
            id: "E3",
            title: "Ports that run out of hot-packet queues",
            source: "thesis paper VI, figure 10",
            chosen: CHOSEN,
            points: e3_points,
            evaluate: e3,
        },
        Study {
            id: "E6",
            title: "Parallel programs, alone and beside hotspots",
            source: "thesis paper VI, figure 8",
            chosen: "as E1; traces are made by programs that exchange messages as the HPCC tests do (natural ring, block \
                     transpose, three all-to-all exchanges), sizes chosen; the program is on the even nodes of the \
                     lower and the odd nodes of the upper half, as D-mod-k would else keep it apart from the hotspots; quick: 64 nodes, \
                     smaller messages",
            points: e6_points,
            evaluate: e6,
        },
    ]
}

const SCHEMES: [(Scheme, &str); 5] = [
    (Scheme::Vl1, "1VL"),
    (Scheme::Ith, "IB-ITh"),
    (Scheme::Hfdi, "HFDI"),
    (Scheme::EcoCc, "EcoCC"),
    (Scheme::VoqNet, "VOQnet"),
];

/// Networks: name and hosts.
const NETWORKS: [(&str, usize); 3] = [("4ary-3tree", 64), ("4ary-4tree", 256), ("4ary-5tree", 1024)];

/// Those that are run.
fn sizes(scale: Scale) -> &'static [(&'static str, usize)] {
    let most = match scale {
        Scale::Quick => 64,
        Scale::Full => usize::MAX,
        Scale::UpTo(nodes) => nodes,
    };
    let n = NETWORKS.iter().filter(|(_, hosts)| *hosts <= most).count();
    &NETWORKS[..n]
}

/// Length of a run, ms.
const TIME: f64 = 3.0;
/// When the hotspots are on, ms.
const ON: (f64, f64) = (1.0, 2.0);
/// The same less its first tenth.
const HOT: (f64, f64) = (1.1, 2.0);

fn setup(scheme: Scheme, hosts: usize) -> Result<Config> {
    let mut c = config(scheme, hosts, &[])?;
    super::ccfit::widen(&mut c)?;
    Ok(c)
}

/// A pattern of the paper's table 2 with hotspots that each hot source sends to in turn.
fn point(network: &str, hosts: usize, pattern: u32, scheme: (Scheme, &str), seed: u64) -> Result<Point> {
    let each = if pattern == 1 { "" } else { "(each=all)" };
    let run = onset(network, hosts, &format!("ecocc{pattern}{each}"), scheme.0, seed)?;
    Ok(Point::new(format!("{hosts}/{pattern} {}", scheme.1), run))
}

fn onset(network: &str, hosts: usize, traffic: &str, scheme: Scheme, seed: u64) -> Result<Run> {
    let spec = TrafficSpec::load(traffic, hosts)?;
    let mut run = Run::new(network, spec, setup(scheme, hosts)?, seed, TIME * 1000.0);
    run.bin_us = run.time_us / 100.0;
    if scheme.isolation == Isolation::Lines {
        run.sample_us = run.time_us / 150.0;
    }
    Ok(run)
}

// E1

fn e1_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for &(network, hosts) in sizes(scale) {
        for pattern in 1..=3 {
            for scheme in SCHEMES {
                points.push(point(network, hosts, pattern, scheme, seed)?);
            }
        }
    }
    Ok(points)
}

fn e1(r: &Results) -> Result<Report> {
    let (from, to) = HOT;
    let of = |hosts: usize, pattern: u32, name: &str| r.of(&format!("{hosts}/{pattern} {name}"));
    let mut report = Report::default();
    let head: Vec<&str> = ["nodes", "traffic"].into_iter().chain(SCHEMES.map(|s| s.1)).collect();
    let mut t = Table::new("Normalised throughput while the hotspots are on", &head);
    let mut panels = Vec::new();
    let marks = [(ON.0, "hotspots on"), (ON.1, "off")];
    for &(network, hosts) in sizes(r.scale) {
        for pattern in 1..=3 {
            let v = SCHEMES.map(|(_, n)| of(hosts, pattern, n).share(from, to));
            t.row([hosts.to_string(), pattern.to_string()].into_iter().chain(v.map(|x| format!("{x:.3}"))));
            let lines: Vec<_> = SCHEMES.iter().map(|&(s, n)| (s, n, of(hosts, pattern, n))).collect();
            let roots = [1, 4, 6][pattern as usize - 1];
            let title = format!("{hosts} nodes, {roots} hotspot{}", if roots == 1 { "" } else { "s" });
            panels.push(normalised(&title, network, &lines, &marks));
        }
    }
    report.tables.push(t);
    for &(_, hosts) in sizes(r.scale) {
        for pattern in 1..=3 {
            let v = SCHEMES.map(|(_, n)| of(hosts, pattern, n).share(from, to));
            let [vl1, ith, hfdi, eco, net] = v;
            let text =
                SCHEMES.iter().zip(v).map(|((_, n), x)| format!("{n} {x:.3}")).collect::<Vec<_>>().join(", ");
            let place = format!("{hosts} nodes, traffic {pattern}");
            if pattern == 1 {
                report.claim(
                    format!("{place}: EcoCC and HFDI are alike (7 %) and near VOQnet (90 %)"),
                    "EcoCC = HFDI, close to VOQnet",
                    &text,
                    (eco / hfdi - 1.0).abs() <= 0.07 && eco >= 0.9 * net && hfdi >= 0.9 * net,
                );
            } else {
                report.claim(
                    format!("{place}: EcoCC is clearly above HFDI (5 %)"),
                    "EcoCC > HFDI",
                    &text,
                    eco >= 1.05 * hfdi,
                );
                report.claim(
                    format!("{place}: EcoCC is near VOQnet (85 %)"),
                    "close to VOQnet",
                    &text,
                    eco >= 0.85 * net,
                );
            }
            report.claim(
                format!(
                    "{place}: IB-ITh and 1VL are below HFDI, 1VL is the worst (1 % apart counts as equal)"
                ),
                "HFDI > IB-ITh, 1VL worst",
                &text,
                ith < hfdi && vl1 < hfdi && vl1 <= 1.01 * ith,
            );
            let late = |n: &str| of(hosts, pattern, n).share(1.8, 2.0);
            report.claim(
                format!("{place}: IB-ITh has not recovered when the hotspots end (below 90 % of EcoCC)"),
                "no recovery within 1 ms",
                format!("{:.3} against {:.3}", late("IB-ITh"), late("EcoCC")),
                late("IB-ITh") < 0.9 * late("EcoCC"),
            );
        }
    }
    let title = "E1: network throughput over time".into();
    let subtitle = "hot sources send only while the hotspots are on".into();
    report.figure("throughput", Figure { title, subtitle, columns: 3, panels }.svg());
    Ok(report)
}

// E2

/// The schemes for switches with one read port.
const SINGLE: [(Scheme, &str); 3] =
    [(Scheme::OneQueue, "1Q"), (Scheme::Fbicm, "FBICM"), (Scheme::Ccfit, "CCFIT")];

fn e2_sizes(scale: Scale) -> &'static [(&'static str, usize)] {
    let all = sizes(scale);
    &all[..all.len().min(2)]
}

fn e2_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for &(network, hosts) in e2_sizes(scale) {
        let mut own = Vec::new();
        for scheme in SCHEMES {
            own.push(point(network, hosts, 2, scheme, seed)?);
        }
        for scheme in SINGLE {
            let mut p = point(network, hosts, 2, scheme, seed)?;
            let larger = [("blocks", "2048"), ("hth", "192"), ("lth", "128"), ("hold", "0")];
            p.run.config.change(&larger, &Origin::Study)?;
            own.push(p);
        }
        if hosts == NETWORKS[0].1 {
            let spec = TrafficSpec::load("ecocc2(each=one)", hosts)?;
            let other = |p: &Point| {
                Point::new(format!("{ONE} {}", p.name), Run { traffic: spec.clone(), ..p.run.clone() })
            };
            points.extend(own.iter().map(other));
        }
        points.extend(own);
    }
    Ok(points)
}

/// Before the names of the points of the other reading.
const ONE: &str = "one";

fn e2(r: &Results) -> Result<Report> {
    let share = |hosts: usize, name: &str| r.of(&format!("{hosts}/2 {name}")).share(HOT.0, HOT.1);
    // Scheme, over which, published gain at 64 and 256 nodes.
    let rows = [
        ("EcoCC", "1VL", [58.0, 83.0]),
        ("EcoCC", "IB-ITh", [55.0, 75.0]),
        ("EcoCC", "HFDI", [29.0, 43.0]),
        ("EcoCC", "VOQnet", [0.0, 0.0]),
        ("CCFIT", "1Q", [67.0, 60.0]),
        ("CCFIT", "FBICM", [10.0, 20.0]),
        ("CCFIT", "VOQnet", [-8.0, -33.0]),
    ];
    let mut report = Report::default();
    let sizes = e2_sizes(r.scale);
    let mut head = vec!["scheme".to_string(), "over".to_string()];
    for (_, hosts) in sizes {
        head.push(format!("{hosts} nodes, published"));
        head.push(format!("{hosts} nodes"));
    }
    head.push(format!("{} nodes, one hotspot for each source", NETWORKS[0].1));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut t = Table::new("Average gain, traffic 2", &head);
    let gain = |hosts: usize, a: &str, b: &str| 100.0 * (share(hosts, a) / share(hosts, b) - 1.0);
    let other = |name: &str| r.of(&format!("{ONE} {}/2 {name}", NETWORKS[0].1)).share(HOT.0, HOT.1);
    for (a, b, published) in rows {
        let mut cells = vec![a.to_string(), b.to_string()];
        for (i, &(_, hosts)) in sizes.iter().enumerate() {
            cells.push(format!("{:.0} %", published[i]));
            cells.push(format!("{:.0} %", gain(hosts, a, b)));
        }
        cells.push(format!("{:.0} %", 100.0 * (other(a) / other(b) - 1.0)));
        t.row(cells);
    }
    report.tables.push(t);
    for (i, &(_, hosts)) in sizes.iter().enumerate() {
        let of = |a: &str, names: &[&str]| -> Vec<f64> { names.iter().map(|b| gain(hosts, a, b)).collect() };
        let text = |v: &[f64]| v.iter().map(|g| format!("{g:.0} %")).collect::<Vec<_>>().join(", ");
        let published = |a: &str, n: usize| {
            let all: Vec<f64> = rows.iter().filter(|row| row.0 == a).map(|row| row.2[i]).collect();
            text(&all[..n])
        };
        let v = of("EcoCC", &["1VL", "IB-ITh", "HFDI", "VOQnet"]);
        report.claim(
            format!("{hosts} nodes: EcoCC gains over 1VL at least as much as over IB-ITh, more than over HFDI, and 5 % there"),
            published("EcoCC", 3),
            text(&v[..3]),
            v[0] >= v[1] - 1.0 && v[1] > v[2] && v[2] >= 5.0,
        );
        report.claim(
            format!("{hosts} nodes: gains over 1VL and IB-ITh are half to twice the published"),
            published("EcoCC", 2),
            text(&v[..2]),
            (0..2).all(|k| (0.5..=2.0).contains(&(v[k] / rows[k].2[i]))),
        );
        report.claim(
            format!("{hosts} nodes: EcoCC is level with VOQnet (within 12 %)"),
            "about 0 %",
            format!("{:.0} %", v[3]),
            v[3].abs() <= 12.0,
        );
        let v = of("CCFIT", &["1Q", "FBICM", "VOQnet"]);
        report.claim(
            format!("{hosts} nodes: CCFIT gains over 1Q, less over FBICM, and stays below VOQnet, further than EcoCC does"),
            published("CCFIT", 3),
            text(&v),
            v[0] > v[1] && v[1] > 0.0 && v[2] < 0.0 && v[2] < gain(hosts, "EcoCC", "VOQnet"),
        );
    }
    let names: Vec<String> =
        rows[..3].iter().chain(&rows[4..6]).map(|(a, b, _)| format!("{a} / {b}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let panels = sizes
        .iter()
        .enumerate()
        .map(|(i, &(_, hosts))| {
            let some = || rows[..3].iter().chain(&rows[4..6]);
            let published: Vec<f64> = some().map(|row| row.2[i]).collect();
            let measured: Vec<f64> = some().map(|row| gain(hosts, row.0, row.1)).collect();
            Chart {
                title: format!("{hosts} nodes"),
                x: Axis::names("scheme / compared with", &names),
                y: Axis::new("Average gain (%)"),
                series: vec![Series::bars("published", &published), Series::bars("measured", &measured)],
                ..Chart::default()
            }
        })
        .collect();
    let figure = Figure {
        title: "E2: average gain".into(),
        subtitle: "traffic 2: 75 % uniform, 25 % to 4 hotspots".into(),
        columns: 2,
        panels,
    };
    report.figure("gain", figure.svg());
    Ok(report)
}

// E3

fn e3_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for &(network, hosts) in sizes(scale) {
        for pattern in 1..=3 {
            for scheme in [SCHEMES[2], SCHEMES[3]] {
                points.push(point(network, hosts, pattern, scheme, seed)?);
            }
        }
    }
    Ok(points)
}

fn e3(r: &Results) -> Result<Report> {
    let (from, to) = HOT;
    let of = |hosts: usize, pattern: u32, name: &str| r.of(&format!("{hosts}/{pattern} {name}"));
    let ports = |hosts, pattern, name| of(hosts, pattern, name).ports_out_of_hpqs(from, to);
    let mut report = Report::default();
    let mut t = Table::new(
        "Mean number of input ports without a free HPQ",
        &[
            "nodes",
            "traffic",
            "HFDI, hotspots on",
            "EcoCC, hotspots on",
            "HFDI, 0.5 ms after",
            "EcoCC, 0.5 ms after",
        ],
    );
    let after = |hosts, pattern, name| of(hosts, pattern, name).ports_out_of_hpqs(2.5, TIME);
    let mut panels = Vec::new();
    for &(network, hosts) in sizes(r.scale) {
        let all = network_ports(network)?;
        for pattern in 1..=3 {
            let cells = [
                ports(hosts, pattern, "HFDI"),
                ports(hosts, pattern, "EcoCC"),
                after(hosts, pattern, "HFDI"),
                after(hosts, pattern, "EcoCC"),
            ];
            t.row(
                [hosts.to_string(), pattern.to_string()].into_iter().chain(cells.map(|v| format!("{v:.1}"))),
            );
            let line = |s: Scheme, name: &str| {
                let o = of(hosts, pattern, name);
                let ms = o.report.cycle_ps as f64 / 1e9;
                let points = o.report.samples.iter().map(|s| (s.t as f64 * ms, f64::from(s.no_free_hpq)));
                Series::line(name, points.collect()).look(s.look)
            };
            panels.push(Chart {
                title: format!("{hosts} nodes, traffic {pattern}"),
                x: Axis::new("Time (ms)"),
                y: Axis::new("Ports without a free HPQ"),
                series: vec![line(Scheme::Hfdi, "HFDI"), line(Scheme::EcoCc, "EcoCC")],
                marks: vec![(ON.0, "hotspots on".into()), (ON.1, "off".into())],
                ..Chart::default()
            });
        }
        let [h1, h2, h3] = [1, 2, 3].map(|p| ports(hosts, p, "HFDI"));
        let [e1, e2, e3] = [1, 2, 3].map(|p| ports(hosts, p, "EcoCC"));
        report.claim(
            format!("{hosts} nodes, 1 hotspot: both have queues enough (below 5 % of the {all} ports)"),
            "similar, few",
            format!("HFDI {h1:.1}, EcoCC {e1:.1}"),
            h1.max(e1) < 0.05 * all as f64,
        );
        report.claim(
            format!("{hosts} nodes: HFDI runs out at more ports with 4 and with 6 hotspots than with 1"),
            "grows with the hotspots",
            format!("{h1:.1}, {h2:.1}, {h3:.1}"),
            h2 > h1 && h3 > h1,
        );
        report.claim(
            format!(
                "{hosts} nodes, 4 and 6 hotspots: EcoCC runs out at less than half as many ports as HFDI"
            ),
            "less likely to run out",
            format!("{e2:.1} against {h2:.1}; {e3:.1} against {h3:.1}"),
            e2 < 0.5 * h2 && e3 < 0.5 * h3,
        );
        let [a2, a3] = [2, 3].map(|p| after(hosts, p, "EcoCC"));
        report.claim(
            format!("{hosts} nodes: EcoCC has released them half a millisecond after the hotspots (below 2 % of the ports)"),
            "soon released",
            format!("{a2:.1}; {a3:.1}"),
            a2.max(a3) < 0.02 * all as f64,
        );
    }
    report.tables.push(t);
    let title = "E3: input ports that are out of hot-packet queues".into();
    report.figure("hpqs", Figure { title, subtitle: String::new(), columns: 3, panels }.svg());
    Ok(report)
}

/// Connected input ports of the switches.
fn network_ports(name: &str) -> Result<usize> {
    let net = super::point::network(name)?;
    Ok(net.links.len() * 2 - net.hosts.len())
}

// E6

const PROGRAMS: [&str; 3] = ["mpifft", "beff", "ptrans"];

/// Puts the program on the even nodes of the lower half and the odd ones of the upper, the hotspots and their sources on
/// the others. With all of it on even nodes D-mod-k routing would keep the two kinds of traffic on links of their own.
fn mix(spec: &mut TrafficSpec, hosts: usize) -> Result<()> {
    let list = |rest: usize| {
        let nodes = (0..hosts).filter(|n| (n + n / (hosts / 2)) % 2 == rest);
        nodes.map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
    };
    if let Some(trace) = &mut spec.trace {
        trace.nodes = list(0).parse()?;
    }
    for h in &mut spec.hotspots {
        h.among =
            if h.count == 1 { h.among.clone() } else { format!("{}, not role hot", list(1)).parse()? };
    }
    let one = spec.hotspots.iter().find(|h| h.count == 1).map(|h| h.among.to_string());
    for role in &mut spec.roles {
        let not = one.as_ref().map_or(String::new(), |node| format!(", not {node}"));
        role.among = format!("{}{not}", list(1)).parse()?;
    }
    Ok(())
}

fn e6_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (network, hosts) = scale.pick(("4ary-3tree", 64), ("4ary-4tree", 256));
    let mut points = Vec::new();
    for program in PROGRAMS {
        for scenario in 1..=3 {
            for (scheme, name) in SCHEMES {
                let mut spec = TrafficSpec::load(&format!("hpcc({program}, scenario={scenario})"), hosts)?;
                if scale.quick()
                    && let Some(trace) = &mut spec.trace
                {
                    trace.program = Some(match program {
                        "beff" => "beff(rounds=4)".into(),
                        "ptrans" => "ptrans(bytes=524288, rounds=1)".into(),
                        _ => "mpifft(bytes=65536)".to_string(),
                    });
                }
                mix(&mut spec, hosts)?;
                let mut run =
                    Run::new(network, spec, setup(scheme, hosts)?, seed, scale.pick(20_000.0, 1_000_000.0));
                run.bin_us = 100.0;
                points.push(Point::new(format!("{program}/{scenario} {name}"), run));
            }
        }
    }
    Ok(points)
}

fn e6(r: &Results) -> Result<Report> {
    let time = |program: &str, scenario: u32, name: &str| {
        let o: &Outcome = r.of(&format!("{program}/{scenario} {name}"));
        o.trace_us.unwrap_or(f64::NAN)
    };
    let norm = |p: &str, s: u32, n: &str| time(p, s, n) / time(p, s, "1VL");
    let mut report = Report::default();
    let head: Vec<&str> =
        ["program", "scenario", "1VL (us)"].into_iter().chain(SCHEMES.map(|s| s.1)).collect();
    let mut t = Table::new("Execution time, normalised to 1VL", &head);
    for p in PROGRAMS {
        for s in 1..=3 {
            let cells = SCHEMES.map(|(_, n)| format!("{:.3}", norm(p, s, n)));
            t.row(
                [p.to_string(), s.to_string(), format!("{:.0}", time(p, s, "1VL"))].into_iter().chain(cells),
            );
        }
    }
    report.tables.push(t);
    let flat: Vec<f64> = (1..=3).flat_map(|s| SCHEMES.map(|(_, n)| norm("mpifft", s, n))).collect();
    let (low, high) = flat.iter().fold((f64::MAX, 0.0f64), |(l, h), &v| (l.min(v), h.max(v)));
    report.claim(
        "mpifft is barely affected by scheme or hotspots (all within 5 % of 1VL)",
        "flat",
        format!("{low:.3} to {high:.3}"),
        low >= 0.95 && high <= 1.05,
    );
    let mut gaps = Vec::new();
    for p in ["beff", "ptrans"] {
        for s in 1..=3 {
            gaps.push(time(p, s, "EcoCC") / time(p, s, "VOQnet") - 1.0);
        }
    }
    let worst = gaps.iter().copied().fold(0.0, f64::max);
    report.claim(
        "beff and ptrans: EcoCC takes at most 8 % longer than VOQnet in every scenario",
        "within a few %",
        format!("at most {:.1} %", 100.0 * worst),
        worst <= 0.08,
    );
    let gain = |p: &str, s: u32| 100.0 * (time(p, s, "HFDI") / time(p, s, "EcoCC") - 1.0);
    report.claim(
        "with 4 hotspots HFDI runs out of queues and EcoCC does not: EcoCC is 5 % faster or more in beff or ptrans",
        "almost 12 %",
        format!("beff {:.1} %, ptrans {:.1} %", gain("beff", 3), gain("ptrans", 3)),
        gain("beff", 3).max(gain("ptrans", 3)) >= 5.0,
    );
    let small = [gain("beff", 1), gain("ptrans", 1), gain("beff", 2), gain("ptrans", 2)];
    report.claim(
        "alone and with one hotspot EcoCC and HFDI are alike (6 %)",
        "at most about 4 %",
        small.map(|g| format!("{g:.1} %")).join(", "),
        small.iter().all(|g| g.abs() <= 6.0),
    );
    let panels = (1..=3)
        .map(|s| {
            let bars = SCHEMES
                .iter()
                .map(|&(scheme, n)| Series::bars(n, &PROGRAMS.map(|p| norm(p, s, n))).look(scheme.look));
            let title = ["no hotspot", "1 hotspot", "4 hotspots"][s as usize - 1];
            Chart {
                title: format!("Scenario {s}: {title}"),
                x: Axis::names("program", &PROGRAMS),
                y: Axis::new("Execution time / 1VL"),
                series: bars.collect(),
                ..Chart::default()
            }
        })
        .collect();
    let title = "E6: execution time of parallel programs".into();
    report
        .figure("programs", Figure { title, subtitle: "normalised to 1VL".into(), columns: 3, panels }.svg());
    Ok(report)
}
