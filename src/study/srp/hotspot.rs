//! R2, R3: 40 nodes send to one of 256, alone and beside others.

use anyhow::Result;

use super::super::claim::{Claim, Margin, Tolerance, at_least, at_most};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::point::Outcome;
use super::super::report::{Figure, Report, Table};
use super::super::sample::Sample;
use super::common::{ALL, DRAWN_UP, ECN, LINK, SCALED, SETTINGS, SWITCH, TREE, run, spot, title};
use crate::fabric::metrics::mean_and_sd;
use crate::plot::{Axis, Chart, Series};
use crate::scheme::Scheme;

pub fn studies() -> Vec<Study> {
    vec![
        Study {
            id: "R2",
            title: "40 nodes to one of 256: how evenly they are served, how long packets are on their way",
            source: "Jiang et al., figure 5",
            settings: &[SETTINGS, DRAWN_UP],
            deviations: &[SCALED, SWITCH, "short form: 5 ms instead of 50 ms"],
            drawn: true,
            sizes: false,
            points,
            evaluate,
            figures: |_| Ok(Vec::new()),
        },
        Study {
            id: "R3",
            title: "The others send uniformly beside such a hotspot",
            source: "Jiang et al., figure 6",
            settings: &[SETTINGS, DRAWN_UP],
            deviations: &[
                SCALED,
                SWITCH,
                "loads of 5, 10, 40, 70 and 90 % for 0.5 ms in the short form, of 5 to 95 % for 2 ms in the full one; the first half is not counted",
            ],
            drawn: false,
            sizes: false,
            points: beside,
            evaluate: judge_beside,
            figures: |r| Ok(vec![chart(r)]),
        },
    ]
}

// ---- R2

fn time(scale: Scale) -> f64 {
    scale.pick(5.0, 50.0)
}

/// A packet now and then: what one takes with nobody in its way.
const ALONE: &str = "zero load";

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let ms = time(scale);
    let mut points = Vec::new();
    for s in ALL {
        let mut run = run(TREE, "srp-hotspot(whole=true)", s, seed, ms, &[])?;
        let (senders, hot) = spot(&run)?;
        run.flows = senders.into_iter().map(|from| (from, hot)).collect();
        points.push(Point::new(title(s), run));
    }
    points.push(Point::new(ALONE, run(TREE, "uniform(load=0.002)", Scheme::Vl1, seed, 1.0, &[])?));
    Ok(points)
}

/// Mean and standard deviation of what the senders of the hotspot get from half of the run on, in shares of a link.
fn senders(o: &Outcome, ms: f64) -> (f64, f64) {
    let flows = o.report.series.iter().filter(|s| s.name.contains("->"));
    let rates: Vec<f64> = flows.map(|s| o.gbps(&s.name, ms / 2.0, ms) / LINK).collect();
    mean_and_sd(&rates)
}

fn evaluate(r: &Results) -> Result<Report> {
    let ms = time(r.scale);
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
        t.row([title(s).to_string(), mean(s).text(5), sd(s).text(6), times(s).text(2)]);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    report.claim(
        Claim::value(
            "SRP: the senders' mean, of base's",
            Tolerance::By(0.01),
            [("", 0.952, mean(Scheme::Srp).over(&mean(Scheme::Vl1)))],
        )
        .published("5 % less")
        .unit("", 3),
    );
    for s in ECN {
        report.claim(
            Claim::chain(
                format!(
                    "{}'s senders are served more evenly than base's, SRP's than those: standard deviations",
                    title(s)
                ),
                "SD: SRP < ECN < base",
                Margin::Percent(0.0),
                [("base", sd(Scheme::Vl1)), (title(s), sd(s)), ("SRP", sd(Scheme::Srp))],
            )
            .unit("", 6),
        );
        report.claim(
            Claim::chain(
                format!("{}: in-flight latency is between that of base and of SRP", title(s)),
                "base thousands of times that of zero load, SRP near it, ECN between",
                Margin::Percent(0.0),
                [("base", times(Scheme::Vl1)), (title(s), times(s)), ("SRP", times(Scheme::Srp))],
            )
            .unit("", 2),
        );
    }
    report.claim(
        Claim::bound(
            "SRP: standard deviation, of base's",
            "SRP's is the least by far",
            at_most(0.1),
            [("", sd(Scheme::Srp).over(&sd(Scheme::Vl1)))],
        )
        .unit("", 4),
    );
    report.claim(
        Claim::bound(
            "base: in-flight latency, in times of zero load",
            "thousands",
            at_least(1000.0),
            [("", times(Scheme::Vl1))],
        )
        .unit("", 0),
    );
    report.claim(
        Claim::bound(
            "SRP: in-flight latency, in times of zero load",
            "near it",
            at_most(2.0),
            [("", times(Scheme::Srp))],
        )
        .unit("", 2),
    );
    Ok(report)
}

// ---- R3

/// Time, ms; the second half counts.
fn beside_ms(scale: Scale) -> f64 {
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
                let traffic = format!("srp-hotspot(load={share}, uniform={load}%, whole=true)");
                points
                    .push(Point::new(at(s, load, hot), run(TREE, &traffic, s, seed, beside_ms(scale), &[])?));
            }
        }
    }
    Ok(points)
}

/// What the uniform nodes send, of their links.
fn accepted(r: &Results, s: Scheme, load: u32, hot: bool) -> Sample {
    let ms = beside_ms(r.scale);
    r.of(at(s, load, hot)).measure("uniform share", move |o| {
        let series = o.series("uniform");
        o.gbps("uniform", ms / 2.0, ms) / (series.capacity * LINK)
    })
}

fn judge_beside(r: &Results) -> Result<Report> {
    let head: Vec<String> = ["load, %".to_string()]
        .into_iter()
        .chain(ALL.into_iter().flat_map(|s| [title(s).to_string(), "without".to_string()]))
        .collect();
    let mut t = Table::new(
        "What the uniform nodes get through, % of their links, with and without the hotspot",
        &head,
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
            at_most(0.10),
            [("", accepted(r, Scheme::Vl1, top, true))],
        )
        .unit("", 4),
    );
    for s in ALL.into_iter().filter(|&s| s != Scheme::Vl1) {
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
                (0.97, 1.03),
                kept,
            )
            .unit("", 3)
            .because(BACKLOG),
        );
    }
    Ok(report)
}

/// Why ECN is not, in either form.
const BACKLOG: &str = "as the hotspot begins it holds back the others as in base, until the marks have their effect: after 0.25 ms (the short form) they get less through than comes, in the second millisecond (the full form) more, for it has what waited in the first";

fn chart(r: &Results) -> Figure {
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
