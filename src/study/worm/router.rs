//! Y2 and Y4: video streams through one router.

use anyhow::Result;

use super::super::claim::{Claim, Margin, at_least, at_most};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::report::{Figure, Report, Table};
use super::super::sample::{Sample, highest, lowest};
use super::common::{
    BOTH, Class, From, NEITHER, Of, SETTINGS, accepted, admitted, at, dropped, latency, loads, run,
};
use crate::plot::{Axis, Chart, Series};

const NETWORK: &str = "star:8";

const DEVIATIONS: &[&str] = &[
    "the paper's traces are not to be had: log-normal sizes around I : P : B = 5 : 3 : 1 (IBBPBBPBBPBB) of streams of 4 Mbit/s, whose destinations are drawn; absolute values follow the traces",
    "the paper runs the router without control at 60, 70 and 80 % only",
    "short form: frames of 4.16 ms in streams of 32 Mbit/s, as many messages a frame, 8 frames; else 33.3 ms, 4 Mbit/s, 12 frames",
];

const ALL: [Of; 2] = [NEITHER, BOTH];

fn study(
    id: &'static str,
    title: &'static str,
    source: &'static str,
    evaluate: fn(&Results) -> Result<Report>,
    figures: fn(&Results) -> Result<Vec<Figure>>,
) -> Study {
    Study {
        id,
        title,
        source,
        settings: &[SETTINGS],
        deviations: DEVIATIONS,
        drawn: false,
        sizes: false,
        points,
        evaluate,
        figures,
    }
}

pub fn studies() -> Vec<Study> {
    vec![
        study(
            "Y2",
            "Deadlines of video streams through one router",
            "Yum et al., figure 4(a)",
            y2,
            y2_figures,
        ),
        study(
            "Y4",
            "Control and best-effort beside video streams through one router",
            "Yum et al., figure 4(b)",
            y4,
            y4_figures,
        ),
    ]
}

fn of_scale(scale: Scale) -> Vec<u32> {
    loads(scale, &[60, 80, 100], 60..=100)
}

/// Cycles of a frame.
fn frame(scale: Scale) -> u64 {
    scale.pick(52_031, 416_250)
}

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (frame, mbps) = (frame(scale), scale.pick(32, 4));
    let times = scale.pick((2 * frame, 10 * frame), (2 * frame, 14 * frame));
    let mut points = Vec::new();
    for of in ALL {
        for load in of_scale(scale) {
            let traffic = format!("worm-mpeg2(load={load}%, mbps={mbps}, frame={frame} cycles)");
            points.push(Point::new(at(of, load), run(NETWORK, &traffic, of, seed, times)?));
        }
    }
    Ok(points)
}

fn dmp(r: &Results, of: Of, load: u32) -> Sample {
    r.of(at(of, load)).worm("DMP", |o| o.report.frames.dmp)
}

fn dmt(r: &Results, of: Of, load: u32) -> Sample {
    r.of(at(of, load)).worm("DMT ms", |o| o.report.frames.dmt_ms)
}

fn each_load(r: &Results, of: Of, f: fn(&Results, Of, u32) -> Sample) -> Vec<Sample> {
    of_scale(r.scale).into_iter().map(|l| f(r, of, l)).collect()
}

/// The highest load.
fn top(r: &Results) -> u32 {
    of_scale(r.scale).last().copied().unwrap_or(100)
}

fn y2(r: &Results) -> Result<Report> {
    let mut t = Table::new(
        "Frames of video streams",
        &[
            "scheme",
            "load (%)",
            "DMP",
            "DMT (ms)",
            "frames dropped",
            "messages dropped (%)",
            "admitted (%)",
            "delivered real-time",
        ],
    )
    .on_page();
    for of in ALL {
        for load in of_scale(r.scale) {
            let p = r.of(at(of, load));
            t.row([
                of.name.to_string(),
                load.to_string(),
                dmp(r, of, load).text(5),
                dmt(r, of, load).text(3),
                p.worm("frames dropped", |o| o.report.frames.dropped_frames as f64).text(0),
                dropped(&p).text(2),
                admitted(&p).text(1),
                accepted(&p, Class::RealTime).text(4),
            ]);
        }
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    let of_both = each_load(r, BOTH, dmp);
    let most = Sample::each(&of_both, highest);
    report.claim(
        Claim::bound(
            "with both, few frames miss at every load: DMP",
            "0.002",
            at_most(0.005),
            [("most", most)],
        )
        .unit("", 4),
    );
    let spread = Sample::each(&of_both, |v| highest(v) - lowest(v));
    report.claim(
        Claim::bound(
            "and as few at every load: highest less lowest DMP",
            "very small over the entire workload",
            at_most(0.005),
            [("", spread)],
        )
        .unit("", 4),
    );
    let late = Sample::each(&each_load(r, BOTH, dmt), highest);
    report.claim(
        Claim::bound("and not by much: DMT", "around 0.04 ms", at_most(0.2), [("most", late)]).unit("ms", 3),
    );
    report.claim(
        Claim::chain(
            "without, more miss at the highest load: DMP three times as high",
            "higher and unstable",
            Margin::Percent(200.0),
            [(NEITHER.name, dmp(r, NEITHER, top(r))), (BOTH.name, dmp(r, BOTH, top(r)))],
        )
        .unit("", 4),
    );
    report.claim(
        Claim::chain(
            "and by more: DMT",
            "higher and unstable",
            Margin::Percent(0.0),
            [(NEITHER.name, dmt(r, NEITHER, top(r))), (BOTH.name, dmt(r, BOTH, top(r)))],
        )
        .unit("ms", 3),
    );
    Ok(report)
}

fn chart(r: &Results, title: &str, y: Axis, lines: &[(String, Of, &dyn Fn(&str) -> f64)]) -> String {
    let line = |(i, (name, of, f)): (usize, &(String, Of, &dyn Fn(&str) -> f64))| {
        let points = of_scale(r.scale).into_iter().map(|l| (f64::from(l), f(&at(*of, l)))).collect();
        Series::line(name, points).look(i)
    };
    Chart {
        title: title.into(),
        subtitle: "a router of 8 ports, video streams and best-effort 80 : 20".into(),
        x: Axis::new("Load (%)"),
        y,
        series: lines.iter().enumerate().map(line).collect(),
        marks: Vec::new(),
    }
    .svg()
}

fn y2_figures(r: &Results) -> Result<Vec<Figure>> {
    let dmp = |p: &str| r.worm(p).report.frames.dmp;
    let dmt = |p: &str| r.worm(p).report.frames.dmt_ms;
    let lines = |f: &'_ dyn Fn(&str) -> f64| -> String {
        let all: Vec<(String, Of, &dyn Fn(&str) -> f64)> =
            ALL.iter().map(|&of| (of.name.to_string(), of, f)).collect();
        chart(r, "Deadlines", Axis::new("Frames that miss theirs, and ms by which"), &all)
    };
    Ok(vec![Figure::new("dmp", lines(&dmp)), Figure::new("dmt", lines(&dmt))])
}

fn y4(r: &Results) -> Result<Report> {
    let mut t = Table::new(
        "Mean latency, cycles",
        &[
            "scheme",
            "load (%)",
            "control",
            "best-effort from creation",
            "from the post",
            "in the network",
            "best-effort delivered",
        ],
    )
    .on_page();
    for of in ALL {
        for load in of_scale(r.scale) {
            let p = r.of(at(of, load));
            let best = |from| latency(&p, Class::BestEffort, from).text(0);
            t.row([
                of.name.to_string(),
                load.to_string(),
                latency(&p, Class::Control, From::Creation).text(1),
                best(From::Creation),
                best(From::Post),
                best(From::Link),
                accepted(&p, Class::BestEffort).text(4),
            ]);
        }
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    let late = |of: Of, class, from| latency(&r.of(at(of, top(r))), class, from);
    for from in [From::Creation, From::Post] {
        let of = |of| late(of, Class::BestEffort, from);
        report.claim(
            Claim::bound(
                format!("best-effort is far faster with both, at the highest load ({})", from.name()),
                "orders of magnitude",
                at_least(10.0),
                [("without / with both", of(NEITHER).over(&of(BOTH)))],
            )
            .unit("", 1),
        );
    }
    let of = |of| late(of, Class::Control, From::Creation);
    report.claim(
        Claim::chain(
            "control is faster with both, at the highest load",
            "smaller for both control and best-effort",
            Margin::Percent(0.0),
            [(NEITHER.name, of(NEITHER)), (BOTH.name, of(BOTH))],
        )
        .unit("cycles", 1),
    );
    Ok(report)
}

fn y4_figures(r: &Results) -> Result<Vec<Figure>> {
    let control = |p: &str| r.worm(p).report.control.latency.mean_cycles;
    let best = |p: &str| r.worm(p).report.best_effort.latency.mean_cycles;
    let mut lines: Vec<(String, Of, &dyn Fn(&str) -> f64)> = Vec::new();
    for of in ALL {
        lines.push((format!("control, {}", of.name), of, &control));
        lines.push((format!("best-effort, {}", of.name), of, &best));
    }
    Ok(vec![Figure::new(
        "latency",
        chart(r, "Mean latency from creation", Axis::new("Cycles").log(), &lines),
    )])
}
