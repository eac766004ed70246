//! Y2 and Y4: video streams through one router.

use anyhow::Result;

use super::super::claim::{Claim, Margin, at_least, at_most};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::report::{Figure, Report, Table};
use super::super::sample::{Sample, highest, lowest};
use super::common::{
    BOTH, Class, From, NEITHER, Of, accepted, admitted, at, dropped, latency, loads, run, study,
};
use crate::plot::{Axis, Chart, Series};

const NETWORK: &str = "star:8";

const DEVIATIONS: &[&str] = &[
    "the paper's traces are not to be had: log-normal sizes around I : P : B = 5 : 3 : 1 (IBBPBBPBBPBB) of streams of 4 Mbit/s, whose destinations are drawn; absolute values follow the traces",
    "the paper runs the router without control at 60, 70 and 80 % only",
    "a stream books its mean rate; the paper does not say what a stream asks for. A,C 60 %: no more than 60 % of a link may be booked",
    "short form: frames of 4.16 ms in streams of 32 Mbit/s, as many messages a frame, 8 frames; else 33.3 ms, 4 Mbit/s, 12 frames",
];

/// With both, and room on each link for frames above their mean.
const ROOM: Of = Of { name: "A,C 60 %", limit: 2458, ..BOTH };

const ALL: [Of; 3] = [NEITHER, BOTH, ROOM];

/// Why frames miss though their streams are admitted.
const MEAN: &str = "streams that book their mean rate are let in up to the whole of a link, and all of it is more than the router moves (it delivers 0.7 to 0.8 flits per cycle and port at full load: lanes wait \
                    for one another), and more than is left when frames are above their mean: with 60 % of a link booked at most hardly any miss";

pub fn studies() -> Vec<Study> {
    vec![
        study(
            "Y2",
            "Deadlines of video streams through one router",
            "Yum et al., figure 4(a)",
            DEVIATIONS,
            points,
            y2,
            y2_figures,
        ),
        study(
            "Y4",
            "Control and best-effort beside video streams through one router",
            "Yum et al., figure 4(b)",
            DEVIATIONS,
            points,
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
    for of in [BOTH, ROOM] {
        let all = each_load(r, of, dmp);
        let most = Sample::each(&all, highest);
        report.claim(
            Claim::bound(
                format!("{}: few frames miss at every load: DMP", of.name),
                "0.002",
                at_most(0.005),
                [("most", most)],
            )
            .unit("", 4)
            .because(MEAN),
        );
        let spread = Sample::each(&all, |v| highest(v) - lowest(v));
        report.claim(
            Claim::bound(
                format!("{}: as few at every load: highest less lowest DMP", of.name),
                "very small over the entire workload",
                at_most(0.005),
                [("", spread)],
            )
            .unit("", 4)
            .because(MEAN),
        );
        let late = Sample::each(&each_load(r, of, dmt), highest);
        report.claim(
            Claim::bound(
                format!("{}: and not by much: DMT", of.name),
                "around 0.04 ms",
                at_most(0.2),
                [("most", late)],
            )
            .unit("ms", 3)
            .because(MEAN),
        );
        report.claim(
            Claim::chain(
                format!(
                    "without, more miss than with {} at the highest load: DMP three times as high",
                    of.name
                ),
                "higher and unstable",
                Margin::Percent(200.0),
                [(NEITHER.name, dmp(r, NEITHER, top(r))), (of.name, dmp(r, of, top(r)))],
            )
            .unit("", 4)
            .because(MEAN),
        );
        report.claim(
            Claim::chain(
                format!("and by more than with {}: DMT", of.name),
                "higher and unstable",
                Margin::Percent(0.0),
                [(NEITHER.name, dmt(r, NEITHER, top(r))), (of.name, dmt(r, of, top(r)))],
            )
            .unit("ms", 3)
            .because(MEAN),
        );
    }
    Ok(report)
}

/// A line of a figure: its name, of what it is, the value of a point by its key.
type Line<'a> = (String, Of, &'a dyn Fn(&str) -> f64);

fn chart(r: &Results, title: &str, y: Axis, lines: &[Line]) -> String {
    let line = |(i, (name, of, f)): (usize, &Line)| {
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
        let all: Vec<Line> = ALL.iter().map(|&of| (of.name.to_string(), of, f)).collect();
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
    for with in [BOTH, ROOM] {
        for from in [From::Creation, From::Post] {
            let of = |of| late(of, Class::BestEffort, from);
            report.claim(
                Claim::bound(
                    format!(
                        "best-effort is far faster with {}, at the highest load ({})",
                        with.name,
                        from.name()
                    ),
                    "orders of magnitude",
                    at_least(10.0),
                    [("without / with", of(NEITHER).over(&of(with)))],
                )
                .unit("", 1)
                .because(STARVED),
            );
        }
        let of = |of| late(of, Class::Control, From::Creation);
        report.claim(
            Claim::chain(
                format!("control is faster with {}, at the highest load", with.name),
                "smaller for both control and best-effort",
                Margin::Percent(0.0),
                [(NEITHER.name, of(NEITHER)), (with.name, of(with))],
            )
            .unit("cycles", 1)
            .because("control goes before all that is admitted or not, and waits for a flit on its way and for its own lane alone"),
        );
    }
    Ok(report)
}

/// Why best-effort does not gain.
const STARVED: &str = "streams that are admitted by their mean rate leave best-effort as little as those that are not admitted do: it has what the guard gives it, and what it cannot send waits; with room on the links it \
                       gets all that it offers, or nearly, and credits move what waits from the adapter to the host";

fn y4_figures(r: &Results) -> Result<Vec<Figure>> {
    let control = |p: &str| r.worm(p).report.control.latency.mean_cycles;
    let best = |p: &str| r.worm(p).report.best_effort.latency.mean_cycles;
    let mut lines: Vec<Line> = Vec::new();
    for of in ALL {
        lines.push((format!("control, {}", of.name), of, &control));
        lines.push((format!("best-effort, {}", of.name), of, &best));
    }
    Ok(vec![Figure::new(
        "latency",
        chart(r, "Mean latency from creation", Axis::new("Cycles").log(), &lines),
    )])
}
