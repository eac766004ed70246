//! Isolation and throttling together in switches with one queue for cold packets (thesis paper V).

use anyhow::Result;

use super::figures::{flows, normalised};
use super::plan::{Results, Scale, Study};
use super::point::{Outcome, Point, Run, config};
use super::report::{Report, Table};
use crate::config::{Config, Origin};
use crate::fabric::metrics::jain;
use crate::fabric::traffic::TrafficSpec;
use crate::plot::Figure;
use crate::scheme::{Organisation, Scheme};

const CHOSEN: &str = "64 KB per input port; High / Low 4 / 2 MTU, Stop / Go 10 / 4 MTU, CCTI_Timer 8 us, 85 % of the packets \
     marked, 2 CFQs as in the paper; a CFQ is taken as soon as the NFQ holds more than 4 MTU (HOLD = 0); CCT of paper III (not stated); D-mod-k for DET; C1: the crossbar of 5 GB/s carries \
     packets to hosts at that rate, hosts send and take 2.5 GB/s; C3: each hot source sends to one hotspot (`each=one`), as ITh copes better with 4 trees than with 1; ITh and VOQnet have a read port per \
     output (our switch organisation with VOQs), 1Q, FBICM and CCFIT one";

pub fn studies() -> Vec<Study> {
    vec![
        Study {
            id: "C1",
            title: "Two switches, seven nodes: ITh, FBICM and CCFIT",
            source: "thesis paper V, configuration 1, case 1",
            chosen: CHOSEN,
            points: c1_points,
            evaluate: c1,
        },
        Study {
            id: "C2",
            title: "2-ary 3-tree, with and without uniform traffic",
            source: "thesis paper V, configuration 2, cases 2 and 3",
            chosen: CHOSEN,
            points: c2_points,
            evaluate: c2,
        },
        Study {
            id: "C3",
            title: "4-ary 3-tree with 1, 4 and 6 congestion trees",
            source: "thesis paper V, configuration 3, case 4",
            chosen: CHOSEN,
            points: c3_points,
            evaluate: c3,
        },
    ]
}

/// The schemes of the paper and their names in it.
const SCHEMES: [(Scheme, &str); 4] =
    [(Scheme::OneQueue, "1Q"), (Scheme::Ith, "ITh"), (Scheme::Fbicm, "FBICM"), (Scheme::Ccfit, "CCFIT")];

fn setup(scheme: Scheme, hosts: usize) -> Result<Config> {
    let mut settings = vec![
        ("lth", "64".into()),
        ("hth", "128".into()),
        ("hold", "0".into()),
        ("ccti_timer", "8".into()),
        ("mark_mode", "2".into()),
        ("mark_fraction", "218".into()),
    ];
    // A lane per destination has its own memory: 4 KB and more.
    if scheme.organisation != Organisation::LanePerDest {
        settings.push(("blocks", "1024".to_string()));
    }
    let mut c = config(scheme, hosts, &settings)?;
    widen(&mut c)?;
    Ok(c)
}

/// With a lane per destination each has a credit message in turn: the memory of an adapter's lane must outlast the turn.
pub fn widen(c: &mut Config) -> Result<()> {
    if c.scheme.organisation == Organisation::LanePerDest {
        let (rx, hca) = (c.vls * (2 * c.vls).clamp(512, 2048), c.vls * 256);
        c.change(&[("rx_blocks", &rx.to_string()), ("hca_blocks", &hca.to_string())], &Origin::Study)?;
    }
    Ok(())
}

/// A case for each scheme.
fn case(
    network: &str,
    hosts: usize,
    traffic: &str,
    schemes: &[(Scheme, &str)],
    ms: f64,
    seed: u64,
) -> Result<Vec<Point>> {
    schemes
        .iter()
        .map(|&(scheme, name)| {
            let spec = TrafficSpec::load(traffic, hosts)?;
            let mut run = Run::new(network, spec, setup(scheme, hosts)?, seed, ms * 1000.0);
            run.bin_us = run.time_us / 100.0;
            Ok(Point::new(format!("{traffic} {name}"), run))
        })
        .collect()
}

/// Throughputs by scheme between two times: a row for each flow.
fn flow_table(r: &Results, traffic: &str, names: &[&str], (from, to): (f64, f64)) -> Table {
    let head: Vec<&str> = ["flow"].into_iter().chain(SCHEMES.map(|s| s.1)).collect();
    let mut t = Table::new(&format!("{traffic}: throughput from {from} to {to} ms (Gbit/s)"), &head);
    for name in names {
        let cells =
            SCHEMES.map(|(_, s)| format!("{:.2}", r.of(&format!("{traffic} {s}")).gbps(name, from, to)));
        t.row([name.to_string()].into_iter().chain(cells));
    }
    t
}

fn total(o: &Outcome, (from, to): (f64, f64)) -> f64 {
    o.gbps("network", from, to)
}

// C1

fn c1_points(_: Scale, seed: u64) -> Result<Vec<Point>> {
    case("ccfit-1:crossbar", 7, "ccfit1", &SCHEMES, 10.0, seed)
}

fn c1(r: &Results) -> Result<Report> {
    let all = ["F0", "F1", "F2", "F5", "F6"];
    let hot = &all[1..];
    let of = |name: &str| r.of(&format!("ccfit1 {name}"));
    let (middle, end) = ((4.2, 6.0), (8.0, 10.0));
    let mut report = Report::default();
    report.tables.push(flow_table(r, "ccfit1", &["network", "F0", "F1", "F2"], middle));
    report.tables.push(flow_table(r, "ccfit1", &["network", "F0", "F1", "F2", "F5", "F6"], end));
    let each = |what: &dyn Fn(&Outcome) -> f64| SCHEMES.map(|(_, n)| (n, what(of(n))));
    let text =
        |v: &[(&str, f64)]| v.iter().map(|(n, x)| format!("{n} {x:.2}")).collect::<Vec<_>>().join(", ");
    let victim = each(&|o| o.gbps("F0", end.0, end.1));
    report.claim(
        "1Q collapses: its victim keeps less than half of its 20 Gbit/s once all flows run",
        "collapses when congestion starts",
        text(&victim),
        victim[0].1 < 10.0,
    );
    report.claim(
        "ITh, FBICM and CCFIT save the victim (85 % of 20 Gbit/s)",
        "similar, no collapse",
        text(&victim[1..]),
        victim[1..].iter().all(|v| v.1 >= 17.0),
    );
    let totals = each(&|o| total(o, end));
    let best = totals[1..].iter().map(|v| v.1).fold(0.0, f64::max);
    report.claim(
        "ITh, FBICM and CCFIT reach the same throughput (within 10 % of the best)",
        "similar results",
        text(&totals),
        totals[1..].iter().all(|v| v.1 >= 0.9 * best),
    );
    let dip = each(&|o| total(o, middle));
    report.claim(
        "ITh dips while F1 and F2 are alone (4 to 6 ms): it throttles at the left switch, below FBICM and CCFIT by 3 % or \
         more",
        "drop from 4 to 6 ms",
        text(&dip),
        dip[1].1 < 0.97 * dip[2].1 && dip[1].1 < 0.97 * dip[3].1,
    );
    let fair = each(&|o| jain(&hot.iter().map(|n| o.gbps(n, end.0, end.1)).collect::<Vec<_>>()));
    report.claim(
        "ITh and CCFIT solve the parking lot (Jain >= 0.97 over F1, F2, F5, F6), 1Q and FBICM do not (<= 0.95; shares 1/6, \
         1/6, 1/3, 1/3 give 0.90)",
        "removed by ITh and CCFIT, present with 1Q and FBICM",
        text(&fair),
        fair[0].1 <= 0.95 && fair[2].1 <= 0.95 && fair[1].1 >= 0.97 && fair[3].1 >= 0.97,
    );
    let lines: Vec<_> = SCHEMES.iter().map(|&(s, n)| (s, n, of(n))).collect();
    report.figure(
        "network",
        normalised("C1: configuration 1, case 1", "7 nodes, 2 switches", &lines, &[]).svg(),
    );
    let panels = SCHEMES.iter().map(|&(_, n)| flows(n, "", of(n), &all, 25.0, Vec::new())).collect();
    let title = "C1: throughput of each flow".into();
    report.figure("flows", Figure { title, subtitle: "F0 is the victim".into(), columns: 2, panels }.svg());
    Ok(report)
}

// C2

fn c2_points(_: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = case("ccfit-2", 8, "ccfit2", &SCHEMES, 10.0, seed)?;
    points.extend(case("ccfit-2", 8, "ccfit3", &SCHEMES, 10.0, seed)?);
    Ok(points)
}

fn c2(r: &Results) -> Result<Report> {
    let end = (8.0, 10.0);
    let mut report = Report::default();
    let mut panels = Vec::new();
    for (case, traffic) in [(2, "ccfit2"), (3, "ccfit3")] {
        let of = |name: &str| r.of(&format!("{traffic} {name}"));
        report.tables.push(flow_table(r, traffic, &["network", "F0", "F1", "F2", "F3", "F4"], end));
        let totals = SCHEMES.map(|(_, n)| (n, total(of(n), end)));
        let text: Vec<String> = totals.iter().map(|(n, v)| format!("{n} {v:.1}")).collect();
        let best = totals[1..].iter().map(|v| v.1).fold(0.0, f64::max);
        report.claim(
            format!("case {case}: ITh, FBICM and CCFIT end alike (within 12 % of the best of them)"),
            "all but 1Q similar",
            text.join(", "),
            totals[1..].iter().all(|v| v.1 >= 0.88 * best),
        );
        report.claim(
            format!("case {case}: 1Q is the worst, by 8 % or more"),
            "worst",
            text.join(", "),
            totals[1..].iter().all(|v| totals[0].1 <= 0.92 * v.1),
        );
        let lines: Vec<_> = SCHEMES.iter().map(|&(s, n)| (s, n, of(n))).collect();
        panels.push(normalised(&format!("Case {case}"), traffic, &lines, &[]));
    }
    let of = |name: &str| r.of(&format!("ccfit3 {name}"));
    let onset = (6.0, 6.5);
    let behind = |name: &str| total(of(name), onset) / total(of(name), end);
    let text = SCHEMES[1..].iter().map(|(_, n)| format!("{n} {:.2}", behind(n))).collect::<Vec<_>>();
    report.claim(
        "case 3: ITh needs time: in the half millisecond after the last start it is further from its end level than FBICM \
         and CCFIT from theirs",
        "takes time to reach the level of the others",
        text.join(", "),
        behind("ITh") < behind("FBICM") && behind("ITh") < behind("CCFIT"),
    );
    let title = "C2: 2-ary 3-tree".into();
    let figure = Figure { title, subtitle: "8 nodes, 12 switches, 20 Gbit/s".into(), columns: 2, panels };
    report.figure("network", figure.svg());
    Ok(report)
}

// C3

/// The schemes of C3, which has VOQnet too.
const FIVE: [(Scheme, &str); 5] = [
    (Scheme::OneQueue, "1Q"),
    (Scheme::Ith, "ITh"),
    (Scheme::Fbicm, "FBICM"),
    (Scheme::Ccfit, "CCFIT"),
    (Scheme::VoqNet, "VOQnet"),
];

/// Case 4 with so many trees.
fn case_4(trees: u32) -> String {
    format!("ccfit4(trees={trees})")
}

fn c3_points(_: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for trees in [1, 4, 6] {
        points.extend(case("4ary-3tree:20", 64, &case_4(trees), &FIVE, 3.0, seed)?);
    }
    Ok(points)
}

fn c3(r: &Results) -> Result<Report> {
    let hot = (1.1, 2.0);
    let of = |trees: u32, name: &str| r.of(&format!("{} {name}", case_4(trees)));
    let share = |trees: u32, name: &str| of(trees, name).share(hot.0, hot.1);
    let head: Vec<&str> = ["trees"].into_iter().chain(FIVE.map(|s| s.1)).collect();
    let mut t = Table::new("Normalised throughput while the hotspots are on", &head);
    let mut panels = Vec::new();
    for trees in [1, 4, 6] {
        t.row([trees.to_string()].into_iter().chain(FIVE.map(|(_, n)| format!("{:.3}", share(trees, n)))));
        let lines: Vec<_> = FIVE.iter().map(|&(s, n)| (s, n, of(trees, n))).collect();
        let title = format!("{trees} congestion tree{}", if trees == 1 { "" } else { "s" });
        panels.push(normalised(&title, "", &lines, &[(1.0, "hotspots on"), (2.0, "off")]));
    }
    let mut report = Report::default();
    report.tables.push(t);
    let text = |trees: u32| FIVE.map(|(_, n)| format!("{n} {:.3}", share(trees, n))).join(", ");
    let (fbicm, ccfit, best) = (share(1, "FBICM"), share(1, "CCFIT"), share(1, "VOQnet"));
    report.claim(
        "1 tree: FBICM and CCFIT are alike (10 %) and near VOQnet (85 %)",
        "CCFIT at the level of FBICM, near VOQnet",
        text(1),
        (fbicm / ccfit - 1.0).abs() <= 0.10 && fbicm >= 0.85 * best && ccfit >= 0.85 * best,
    );
    report.claim(
        "1 tree: ITh copes badly (below CCFIT)",
        "not able to cope well",
        format!("ITh {:.3}, CCFIT {ccfit:.3}", share(1, "ITh")),
        share(1, "ITh") < ccfit,
    );
    for trees in [4, 6] {
        let (fbicm, ccfit, ith, one) =
            (share(trees, "FBICM"), share(trees, "CCFIT"), share(trees, "ITh"), share(trees, "1Q"));
        report.claim(
            format!("{trees} trees: CCFIT is well above FBICM (10 % or more)"),
            "significant improvement",
            text(trees),
            ccfit >= 1.1 * fbicm,
        );
        report.claim(
            format!("{trees} trees: CCFIT is above ITh, 1Q is the worst"),
            "CCFIT best, 1Q worst",
            text(trees),
            ccfit > ith && one <= ith && one <= fbicm,
        );
    }
    report.claim(
        "ITh copes better with 4 trees than with 1",
        "better able to cope",
        format!("{:.3} against {:.3}", share(4, "ITh"), share(1, "ITh")),
        share(4, "ITh") > share(1, "ITh"),
    );
    let title = "C3: 4-ary 3-tree".into();
    let subtitle = "64 nodes, 75 % uniform, 25 % to the hotspots, 20 Gbit/s".into();
    report.figure("network", Figure { title, subtitle, columns: 2, panels }.svg());
    Ok(report)
}
