//! R4: a hotspot begins within uniform traffic.

use anyhow::Result;

use super::super::claim::{Claim, Tolerance, at_least};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::point::Outcome;
use super::super::report::{Figure, Report, Table};
use super::common::{ALL, DRAWN_UP, ECN, SCALED, SETTINGS, SWITCH, TREE, latencies, run, title, us};
use crate::plot::{Axis, Chart, Series};
use crate::scheme::Scheme;

pub fn studies() -> Vec<Study> {
    vec![Study {
        id: "R4",
        title: "A hotspot begins within uniform traffic",
        source: "Jiang et al., figure 7",
        settings: &[SETTINGS, DRAWN_UP],
        deviations: &[
            SCALED,
            SWITCH,
            "seeds: 3 in the short form, 8 in the full one; the paper has 100",
            "latencies are of packets, from the time when their message was generated",
        ],
        drawn: true,
        sizes: false,
        points,
        evaluate,
        figures: |r| Ok(vec![chart(r)]),
    }]
}

/// Time over which a latency is a mean, us.
const BIN_US: f64 = 20.0;

/// The hotspot begins, ms.
const BEGINS: f64 = 1.0;

fn time(scale: Scale) -> f64 {
    scale.pick(3.0, 5.0)
}

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let point = |s: Scheme| {
        let mut run = run(TREE, "srp-step(whole=true)", s, seed, time(scale), &[])?;
        run.bin_us = BIN_US;
        Ok(Point::new(title(s), run))
    };
    ALL.into_iter().map(point).collect()
}

/// Mean before the hotspot, without the first 0.3 ms.
fn before(o: &Outcome) -> f64 {
    let all = latencies(o, "uniform").into_iter().filter(|p| p.0 > 0.3 && p.0 < BEGINS);
    let all: Vec<f64> = all.map(|p| p.1).collect();
    all.iter().sum::<f64>() / all.len() as f64
}

/// The highest bin after, of that.
fn peak(o: &Outcome) -> f64 {
    let after = latencies(o, "uniform").into_iter().filter(|p| p.0 > BEGINS);
    after.map(|p| p.1 / before(o)).fold(0.0, f64::max)
}

/// From when on all bins are within 10 % of it, ms after the hotspot began; the end of the run where none are: it may be much later.
fn back(o: &Outcome) -> f64 {
    let base = before(o);
    let after: Vec<(f64, f64)> = latencies(o, "uniform").into_iter().filter(|p| p.0 > BEGINS).collect();
    match after.iter().rposition(|p| p.1 > 1.1 * base) {
        None => 0.0,
        Some(last) => after[last].0 + BIN_US / 1000.0 - BEGINS,
    }
}

fn evaluate(r: &Results) -> Result<Report> {
    let of = |s: Scheme, what: &str, f: fn(&Outcome) -> f64| r.of(title(s)).measure(what, f);
    let mut t = Table::new(
        "Latency of the uniform nodes' packets, from their generation",
        &[
            "scheme",
            "before, cycles",
            "highest 20 us, times",
            "back within 10 %, ms (end of the run: not before)",
        ],
    )
    .on_page();
    for s in ALL {
        let (b, p, k) = (of(s, "before", before), of(s, "peak", peak), of(s, "back ms", back));
        t.row([title(s).to_string(), b.text(1), p.text(2), k.text(2)]);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    for s in ECN {
        report.claim(
            Claim::bound(
                format!("{}: a peak of latency", title(s)),
                "ECN spikes",
                at_least(3.0),
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
    report.claim(
        Claim::value(
            "SRP: the others do not notice it",
            Tolerance::Percent(10.0),
            [("highest", 1.0, of(Scheme::Srp, "peak", peak))],
        )
        .published("nothing to be seen")
        .unit("times", 2),
    );
    Ok(report)
}

fn chart(r: &Results) -> Figure {
    let line = |(i, s): (usize, &Scheme)| {
        let points = latencies(r.outcome(title(*s)), "uniform");
        let points = points.into_iter().map(|p| (p.0, us(r, title(*s), p.1))).collect();
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
