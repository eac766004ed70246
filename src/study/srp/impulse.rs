//! R11: every node sends one message to one node at once, within uniform traffic.

use anyhow::Result;

use super::super::claim::{Claim, Tolerance, at_most};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::point::Outcome;
use super::super::report::{Figure, Report, Table};
use super::common::{ALL, DRAWN_UP, LINK, SCALED, SETTINGS, SWITCH, TREE, run, title};
use crate::plot::{Axis, Chart, Series};
use crate::scheme::Scheme;

pub fn studies() -> Vec<Study> {
    vec![Study {
        id: "R11",
        title: "Every node sends one message to one node at once",
        source: "Jiang et al., figure 14",
        settings: &[SETTINGS, DRAWN_UP],
        deviations: &[
            SCALED,
            SWITCH,
            "seeds: 3 in the short form, 8 in the full one; bins of 2 us; recovery is the mean of 200 us, since shorter ones differ by more than 2 % by chance",
        ],
        drawn: true,
        sizes: false,
        points,
        evaluate,
        figures: |r| Ok(vec![chart(r)]),
    }]
}

/// The messages come, ms.
const AT: f64 = 1.0;
const END: f64 = 1.5;

fn points(_: Scale, seed: u64) -> Result<Vec<Point>> {
    let point = |s: Scheme| {
        let mut run = run(TREE, "srp-impulse", s, seed, END, &[])?;
        run.bin_us = 2.0;
        Ok(Point::new(title(s), run))
    };
    ALL.into_iter().map(point).collect()
}

/// What the uniform messages get through, of the mean before, by bins: ms, share.
fn shares(o: &Outcome) -> Vec<(f64, f64)> {
    let before = o.gbps("uniform", 0.3, AT);
    o.report.gbps_over_ms(o.series("uniform")).into_iter().map(|(t, v)| (t, v / before)).collect()
}

/// The lowest bin after.
fn dip(o: &Outcome) -> f64 {
    shares(o).into_iter().filter(|p| p.0 > AT).map(|p| p.1).fold(f64::INFINITY, f64::min)
}

/// The mean from 20 to 220 us after: shorter ones differ by more than 2 % by chance.
fn later(o: &Outcome) -> f64 {
    o.gbps("uniform", AT + 0.02, AT + 0.22) / o.gbps("uniform", 0.3, AT)
}

fn evaluate(r: &Results) -> Result<Report> {
    let of = |s: Scheme, what: &str, f: fn(&Outcome) -> f64| r.of(title(s)).measure(what, f);
    let mut t = Table::new(
        "What the uniform messages get through, of that before",
        &["scheme", "before, % of the links", "lowest 2 us", "20 to 220 us after"],
    )
    .on_page();
    let before = |o: &Outcome| 100.0 * o.gbps("uniform", 0.3, AT) / (o.series("uniform").capacity * LINK);
    for s in ALL {
        t.row([
            title(s).to_string(),
            of(s, "before", before).text(2),
            of(s, "dip", dip).text(3),
            of(s, "later", later).text(3),
        ]);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    report.claim(
        Claim::bound(
            "SRP: there is a dip",
            "a dip of several us",
            at_most(0.95),
            [("lowest", of(Scheme::Srp, "dip", dip))],
        )
        .unit("", 3),
    );
    report.claim(
        Claim::value(
            "SRP: 20 us later the others get through what they did",
            Tolerance::Percent(2.0),
            [("", 1.0, of(Scheme::Srp, "later", later))],
        )
        .published("full recovery after several us")
        .unit("", 3),
    );
    report.claim(
        Claim::bound(
            "base: they do not, until the messages are through",
            "tree saturation",
            at_most(0.9),
            [("", of(Scheme::Vl1, "later", later))],
        )
        .unit("", 3),
    );
    Ok(report)
}

fn chart(r: &Results) -> Figure {
    let line = |(i, s): (usize, &Scheme)| {
        let points = shares(r.outcome(title(*s))).into_iter().filter(|p| p.0 > 0.9 && p.0 < 1.3);
        Series::line(title(*s), points.map(|p| (p.0, 100.0 * p.1)).collect()).look(i)
    };
    let chart = Chart {
        title: "256 nodes send one message of eight packets to one".into(),
        subtitle: "uniform traffic at 40 % load goes on".into(),
        x: Axis::new("Time (ms)"),
        y: Axis::new("Got through (% of before)"),
        series: ALL.iter().enumerate().map(line).collect(),
        marks: vec![(AT, "messages".into())],
    };
    Figure::new("throughput", chart.svg())
}
