//! R5, R7, R8, R9: uniform traffic, what reservation costs where nothing is congested.

use anyhow::Result;

use super::super::claim::{Claim, Margin, Tolerance, at_least, at_most};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::point::{Outcome, Run};
use super::super::report::{Figure, Report, Table};
use super::super::sample::Sample;
use super::common::{DRAWN_UP, DROPS, SCALED, SETTINGS, SWITCH, TREE, run, title, top, top_at, us};
use crate::plot::{Axis, Chart, Series};
use crate::scheme::Scheme;

const TIMES: &str = "0.3 ms for each load in the short form, 1 ms in the full one; the first half is not counted where throughput is meant";

pub fn studies() -> Vec<Study> {
    let study = |id, name, source, points, evaluate, figures| Study {
        id,
        title: name,
        source,
        settings: &[SETTINGS, DRAWN_UP],
        deviations: &[SCALED, SWITCH, TIMES],
        drawn: false,
        sizes: false,
        points,
        evaluate,
        figures,
    };
    vec![
        study(
            "R5",
            "Uniform traffic, messages of four packets: what the reservation costs in latency",
            "Jiang et al., figure 8",
            |scale, seed| over_loads(scale, seed, &[Scheme::Vl1, Scheme::Srp]),
            latency,
            |r| Ok(vec![latency_chart(r)]),
        ),
        study(
            "R7",
            "Uniform traffic, what gets through at full load by the size of messages",
            "Jiang et al., figure 9",
            sizes,
            saturation,
            |_| Ok(Vec::new()),
        ),
        study(
            "R8",
            "Uniform traffic: what the channels are used for",
            "Jiang et al., figure 10",
            |scale, seed| {
                let mut points = over_loads(scale, seed, &[Scheme::Srp])?;
                points.push(single(scale, seed)?);
                Ok(points)
            },
            channels,
            |_| Ok(Vec::new()),
        ),
        study(
            "R9",
            "Uniform traffic: speculative flits sent and dropped",
            "Jiang et al., figure 11",
            |scale, seed| over_loads(scale, seed, &[Scheme::Srp]),
            speculative,
            |r| Ok(vec![speculative_chart(r)]),
        ),
    ]
}

pub(super) fn ms(scale: Scale) -> f64 {
    scale.pick(0.3, 1.0)
}

fn loads(scale: Scale) -> Vec<u32> {
    scale.pick(vec![20, 40, 50, 60, 70, 80, 85, 90, 95], (2..=19).map(|i| 5 * i).collect())
}

/// All nodes send messages of some packets to all others at a load, per cent; what the adapter does not take waits at its host.
pub(super) fn point(
    name: String,
    net: &str,
    (load, message): (u32, &str),
    s: Scheme,
    (scale, seed): (Scale, u64),
    varied: &[(&str, String)],
) -> Result<Point> {
    let traffic = format!("srp-uniform(load={load}%, message={message})");
    let run: Run = run(net, &traffic, s, seed, ms(scale), varied)?;
    Ok(Point::new(name, run))
}

/// Four packets.
pub(super) const FOUR: &str = "128";

fn at(s: Scheme, load: u32) -> String {
    format!("{} {load} %", title(s))
}

fn over_loads(scale: Scale, seed: u64, schemes: &[Scheme]) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for &s in schemes {
        for load in loads(scale) {
            points.push(point(at(s, load), TREE, (load, FOUR), s, (scale, seed), &[])?);
        }
    }
    Ok(points)
}

// ---- R5

fn mean(r: &Results, s: Scheme, load: u32) -> Sample {
    r.of(at(s, load)).measure("message latency, cycles", |o| o.report.messages.map_or(f64::NAN, |m| m.mean))
}

/// By how much SRP's messages take longer, of base's; per cent.
fn overhead(r: &Results, load: u32) -> Sample {
    mean(r, Scheme::Srp, load).gain(&mean(r, Scheme::Vl1, load))
}

fn latency(r: &Results) -> Result<Report> {
    let mut t = Table::new(
        "Latency of messages of four packets, from their generation to the last delivery, cycles",
        &["load, %", "base", "SRP", "more, %"],
    )
    .on_page();
    for load in loads(r.scale) {
        let of = |s| mean(r, s, load).text(1);
        t.row([load.to_string(), of(Scheme::Vl1), of(Scheme::Srp), overhead(r, load).text(1)]);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    let all: Vec<Sample> = loads(r.scale).into_iter().map(|l| overhead(r, l)).collect();
    report.claim(
        Claim::value(
            "the cost has a peak",
            Tolerance::By(10.0),
            [("", 25.0, Sample::each(&all, |v| top(v).1))],
        )
        .published("25 % at its peak")
        .unit("%", 1)
        .because(DROPS),
    );
    let loads = loads(r.scale);
    report.claim(
        Claim::value(
            "it is at a high load",
            Tolerance::By(5.0),
            [("", 85.0, Sample::each(&all, |v| top_at(v, &loads)))],
        )
        .published("at 85 % load")
        .unit("%", 0)
        .because(DROPS),
    );
    report.claim(
        Claim::bound(
            "beyond it, it vanishes",
            "then it vanishes",
            at_most(5.0),
            [("", all.last().cloned().unwrap_or_else(|| Sample::constant(f64::NAN)))],
        )
        .unit("%", 1),
    );
    Ok(report)
}

fn latency_chart(r: &Results) -> Figure {
    let series = [Scheme::Vl1, Scheme::Srp].into_iter().enumerate().map(|(i, s)| {
        let points = loads(r.scale)
            .into_iter()
            .map(|l| (f64::from(l), us(r, &at(s, l), mean(r, s, l).of(0))))
            .collect();
        Series::line(title(s), points).look(i)
    });
    let chart = Chart {
        title: "Messages of four packets, uniform".into(),
        subtitle: "256 nodes".into(),
        x: Axis::new("Load (%)").range(0.0, 100.0),
        y: Axis::new("Latency of messages (us)").log(),
        series: series.collect(),
        marks: Vec::new(),
    };
    Figure::new("latency", chart.svg())
}

// ---- R7

/// Sizes of messages: name, as a traffic has it.
const SIZES: [(&str, &str); 6] = [
    ("1", "32"),
    ("2", "64"),
    ("4", FOUR),
    ("8", "256"),
    ("Bi", "bimodal(128, 2048)"),
    ("Mix", "range(128, 2048, 32)"),
];

const FULL: [Scheme; 3] = [Scheme::Vl1, Scheme::Ecn, Scheme::Srp];

fn sized(s: Scheme, size: &str) -> String {
    format!("{} {size}", title(s))
}

fn sizes(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for s in FULL {
        for (name, message) in SIZES {
            points.push(point(sized(s, name), TREE, (100, message), s, (scale, seed), &[])?);
        }
    }
    Ok(points)
}

/// What gets through in the second half, % of the links.
pub(super) fn through(r: &Results, point: &str) -> Sample {
    let ms = ms(r.scale);
    r.of(point).share(ms / 2.0, ms).map(|v| 100.0 * v)
}

fn saturation(r: &Results) -> Result<Report> {
    let of = |s: Scheme, size: &str| through(r, &sized(s, size));
    let mut t = Table::new(
        "What gets through at full load, % of the links",
        &["packets of a message", "base", "ECN", "SRP"],
    )
    .on_page();
    for (name, _) in SIZES {
        let mut row = vec![name.to_string()];
        row.extend(FULL.map(|s| of(s, name).text(2)));
        t.row(row);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    let more = |a: Scheme, b: Scheme, size: &str| Sample::each(&[of(a, size), of(b, size)], |v| v[0] - v[1]);
    report.claim(
        Claim::value(
            "four packets: SRP gets more through than base and than ECN, points",
            Tolerance::By(3.0),
            [
                ("base", 6.0, more(Scheme::Srp, Scheme::Vl1, "4")),
                ("ECN", 3.0, more(Scheme::Srp, Scheme::Ecn, "4")),
            ],
        )
        .published("6 % over base, 3 % over ECN")
        .unit("%", 2),
    );
    report.claim(
        Claim::value(
            "messages that are not reserved: SRP is base",
            Tolerance::By(1.0),
            [
                ("1", 0.0, more(Scheme::Srp, Scheme::Vl1, "1")),
                ("2", 0.0, more(Scheme::Srp, Scheme::Vl1, "2")),
            ],
        )
        .published("equal for 1 and 2 packets")
        .unit("%", 2)
        .because("with fixed ways up they are the same (single packets 91.85 and 91.87 %); with ways that are drawn they differ, and why is not known"),
    );
    report.claim(
        Claim::chain(
            "base gets less through with longer messages",
            "falls with the size",
            Margin::Percent(0.0),
            ["1", "2", "4", "8"].map(|size| (size, of(Scheme::Vl1, size))),
        )
        .unit("%", 2),
    );
    let longer = ["4", "8", "Bi", "Mix"];
    for size in longer {
        report.claim(
            Claim::chain(
                format!("{size}: SRP gets more through than ECN, ECN more than base"),
                "SRP above ECN above base",
                Margin::Percent(0.0),
                [Scheme::Srp, Scheme::Ecn, Scheme::Vl1].map(|s| (title(s), of(s, size))),
            )
            .unit("%", 2),
        );
    }
    Ok(report)
}

// ---- R8

const SINGLE: &str = "single packets, reserved";

/// Messages of one packet, which are reserved all the same.
fn single(scale: Scale, seed: u64) -> Result<Point> {
    point(SINGLE.into(), TREE, (70, "32"), Scheme::Srp, (scale, seed), &[("nmin", "1".into())])
}

/// Flits that the channels carry beyond those of what is delivered, % of these.
fn beyond(o: &Outcome) -> f64 {
    let c = o.report.channels.unwrap_or_default();
    let good = c.granted + c.bypass + c.spec_delivered;
    100.0 * (c.spec_dropped + c.control) as f64 / good as f64
}

fn channels(r: &Results) -> Result<Report> {
    let mut t = Table::new(
        "What the links of the network carry, % of the flits of what is delivered",
        &["load, %", "granted", "bypass", "speculative, delivered", "speculative, dropped", "control"],
    )
    .on_page();
    let names = loads(r.scale).into_iter().map(|l| (l.to_string(), at(Scheme::Srp, l)));
    for (name, point) in names.chain([(format!("70, {SINGLE}"), SINGLE.to_string())]) {
        let share = |what: &str, f: fn(&crate::fabric::metrics::Channels) -> u64| {
            r.of(point.as_str())
                .measure(what, move |o| {
                    let c = o.report.channels.unwrap_or_default();
                    100.0 * f(&c) as f64 / (c.granted + c.bypass + c.spec_delivered) as f64
                })
                .text(2)
        };
        t.row([
            name,
            share("granted", |c| c.granted),
            share("bypass", |c| c.bypass),
            share("speculative", |c| c.spec_delivered),
            share("dropped", |c| c.spec_dropped),
            share("control", |c| c.control),
        ]);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    let all: Vec<Sample> =
        loads(r.scale).iter().map(|&l| r.of(at(Scheme::Srp, l)).measure("beyond", beyond)).collect();
    report.claim(
        Claim::bound(
            "messages of four packets: drops and control are a small part at every load",
            "less than 2.5 % more",
            at_most(3.0),
            [("most", Sample::each(&all, |v| top(v).1))],
        )
        .unit("%", 2)
        .because(DROPS),
    );
    let loads = loads(r.scale);
    report.claim(
        Claim::bound(
            "they are most at a high load",
            "peak past 70 %",
            at_least(70.0),
            [("", Sample::each(&all, |v| top_at(v, &loads)))],
        )
        .unit("%", 0)
        .because(DROPS),
    );
    report.claim(
        Claim::value(
            "single packets that are reserved cost much more",
            Tolerance::By(5.0),
            [("", 20.0, r.of(SINGLE).measure("beyond", beyond))],
        )
        .published("20 %")
        .unit("%", 1),
    );
    Ok(report)
}

// ---- R9

/// Speculative flits that the adapters sent, and those of them that were dropped, % of what their links could carry in the time.
fn sent(o: &Outcome) -> f64 {
    100.0 * o.report.speculation.unwrap_or_default().injected as f64 / capacity(o)
}

pub(super) fn dropped(o: &Outcome) -> f64 {
    100.0 * o.report.speculation.unwrap_or_default().dropped as f64 / capacity(o)
}

/// Flits that the links of all nodes carry at most.
fn capacity(o: &Outcome) -> f64 {
    o.series("network").capacity * o.report.cycles as f64
}

fn speculative(r: &Results) -> Result<Report> {
    let mut t = Table::new(
        "Speculative flits, % of what the adapters' links can carry",
        &["load, %", "sent", "dropped"],
    )
    .on_page();
    let of = |load: u32| r.of(at(Scheme::Srp, load));
    for load in loads(r.scale) {
        t.row([
            load.to_string(),
            of(load).measure("sent", sent).text(2),
            of(load).measure("dropped", dropped).text(3),
        ]);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    let loads = loads(r.scale);
    let all = |what: &str, f: fn(&Outcome) -> f64| -> Vec<Sample> {
        loads.iter().map(|&l| of(l).measure(what, f)).collect()
    };
    let at = Sample::each(&all("sent", sent), |v| top_at(v, &loads));
    report.claim(
        Claim::value("most is sent speculatively at a middle load", Tolerance::By(10.0), [("", 50.0, at)])
            .published("peak at about 50 %")
            .unit("%", 0),
    );
    let most = Sample::each(&all("dropped", dropped), |v| top(v).1);
    report.claim(
        Claim::bound(
            "little of it is dropped at every load",
            "less than 1.5 %",
            at_most(2.0),
            [("most", most)],
        )
        .unit("%", 2)
        .because(DROPS),
    );
    Ok(report)
}

fn speculative_chart(r: &Results) -> Figure {
    let line = |name: &str, f: fn(&Outcome) -> f64| {
        let at = |l: u32| (f64::from(l), f(r.outcome(&at(Scheme::Srp, l))));
        Series::line(name, loads(r.scale).into_iter().map(at).collect())
    };
    let chart = Chart {
        title: "Speculative flits, uniform traffic".into(),
        subtitle: "256 nodes, messages of four packets".into(),
        x: Axis::new("Load (%)").range(0.0, 100.0),
        y: Axis::new("Of the adapters' links (%)"),
        series: vec![line("sent", sent).look(0), line("dropped", dropped).look(1)],
        marks: Vec::new(),
    };
    Figure::new("speculative", chart.svg())
}
